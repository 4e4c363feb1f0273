import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { newId } from '#kernel/id.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, readDraft, useDraft } from '#platform/ui/draft.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { type StudentInput, useSaveStudent } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'

/** Adds a tutor's student, or changes the one that is given. It closes only on success. */
export function StudentDialog({ student, onClose }: { student?: Student; onClose: () => void }) {
  const draft = `student:${student?.id ?? 'new'}`
  const toast = useToast()
  const save = useSaveStudent()
  const [idempotencyKey] = useState(newId)
  const form = useForm<StudentInput>({
    resolver: checkedBy(NewStudent, (values) => values),
    defaultValues: readDraft<StudentInput>(draft) ?? { name: student?.name ?? '', grade: student?.grade ?? '', notes: student?.notes ?? '' },
  })
  useDraft(draft, form)
  const { register, handleSubmit, setError, formState: { errors, isDirty } } = form
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const submit = handleSubmit(async (input) => {
    try {
      await save.mutateAsync({ student, input, idempotencyKey })
      toast.success(student ? 'Student updated successfully' : 'Student added successfully')
      close()
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error)) setError(field as keyof StudentInput, { message })
      toast.error('Error', student ? 'Failed to update student' : 'Failed to add student')
    }
  })
  return (
    <FormDialog title={student ? 'Edit Student' : 'Add New Student'} isDirty={isDirty} onClose={close} footer={(
      <>
        <Button tone="secondary" onClick={close}>Cancel</Button>
        <Button type="submit" form="student-form" className="flex-1" busy={save.isPending} busyText="Saving...">{student ? 'Update Student' : 'Add Student'}</Button>
      </>
    )}>
      <form id="student-form" className="grid gap-4" onSubmit={submit} noValidate>
        <TextField label="Student Name" required autoComplete="off" placeholder="Enter student name" error={errors.name?.message} {...register('name')} />
        <TextField label="Grade (Optional)" autoComplete="off" placeholder="e.g., 8th Grade, Sophomore" error={errors.grade?.message} {...register('grade')} />
        <TextArea label="Notes (Optional)" placeholder="Add any notes about the student..." error={errors.notes?.message} {...register('notes')} />
      </form>
    </FormDialog>
  )
}
