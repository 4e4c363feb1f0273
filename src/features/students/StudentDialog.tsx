import { Controller, useForm } from 'react-hook-form'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { AmountField } from '#platform/ui/EntryField.tsx'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useSaveStudent } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'
import { fieldsOfStudent, type StudentFields, toStudent } from './student-form.ts'

/** A dialog to add a tutor's student or edit the given one. Doesn't close until the student has been saved. */
export function StudentDialog({ student, onClose }: { student?: Student; onClose: () => void }) {
  const draft = `student:${student?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <StudentForm draft={draft} student={student} onClose={onClose} />
    </FormBoundary>
  )
}

function StudentForm({ draft, student, onClose }: { draft: string; student?: Student; onClose: () => void }) {
  const save = useSaveStudent()
  const form = useForm<StudentFields>({
    resolver: checkedBy(NewStudent, toStudent),
    defaultValues: withDraft(draft, fieldsOfStudent(student)),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (fields, idempotencyKey) => save.mutateAsync({ student, input: toStudent(fields), idempotencyKey }),
    onDone: onClose,
    success: student ? 'Student updated successfully' : 'Student added successfully',
    failure: student ? 'Failed to update student' : 'Failed to add student',
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  return (
    <FormDialog
      title={student ? 'Edit Student' : 'Add New Student'}
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="student-form"
            className="flex-1"
            busy={save.isPending}
            busyText="Saving..."
          >
            {student ? 'Update Student' : 'Add Student'}
          </Button>
        </>
      }
    >
      <form id="student-form" className="grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label="Student Name"
          required
          autoComplete="off"
          placeholder="Enter student name"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          label="Grade (Optional)"
          autoComplete="off"
          placeholder="e.g., 8th Grade, Sophomore"
          error={errors.grade?.message}
          {...register('grade')}
        />
        <Controller
          control={control}
          name="hourly_rate"
          render={({ field }) => (
            <AmountField
              label="Hourly rate (Optional)"
              placeholder="Leave blank to use your hourly rate"
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
              ref={field.ref}
              error={errors.hourly_rate?.message}
            />
          )}
        />
        <TextArea
          label="Notes (Optional)"
          placeholder="Add any notes about the student..."
          error={errors.notes?.message}
          {...register('notes')}
        />
      </form>
    </FormDialog>
  )
}
