import { useForm } from 'react-hook-form'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormPanel } from '#platform/ui/FormPanel.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { useSaveStudent } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'
import { type ChildFields as Fields, fieldsOfChild, toChild } from './student-form.ts'

/** Adds a child or edits the given one, above the list. Doesn't close until the child has been saved. */
export function ChildForm({ child, onClose }: { child?: Student; onClose: () => void }) {
  const draft = `child:${child?.id ?? 'new'}`
  return (
    <FormBoundary draft={draft}>
      <ChildFields draft={draft} child={child} onClose={onClose} />
    </FormBoundary>
  )
}

function ChildFields({ draft, child, onClose }: { draft: string; child?: Student; onClose: () => void }) {
  const save = useSaveStudent()
  const form = useForm<Fields>({
    resolver: checkedBy(NewStudent, toChild),
    defaultValues: withDraft(draft, fieldsOfChild(child)),
  })
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: (fields, idempotencyKey) =>
      save.mutateAsync({ student: child, input: toChild(fields), idempotencyKey }),
    onDone: onClose,
    success: child ? 'Child updated successfully' : 'Child added successfully',
    failure: child ? 'Failed to update child' : 'Failed to add child',
  })
  const {
    register,
    formState: { errors },
  } = form

  return (
    <FormPanel
      title={child ? 'Edit Child' : 'Add New Child'}
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
            form="child-form"
            className="flex-1"
            busy={save.isPending}
            busyText="Saving..."
          >
            {child ? 'Update Child' : 'Add Child'}
          </Button>
        </>
      }
    >
      <form id="child-form" className="grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          required
          autoComplete="off"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField label="Grade" autoComplete="off" error={errors.grade?.message} {...register('grade')} />
        <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
      </form>
    </FormPanel>
  )
}
