import { useForm } from 'react-hook-form'
import { Button } from '#platform/ui/Button.tsx'
import { readDraft } from '#platform/ui/draft.web.ts'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { checkedBy } from '#platform/ui/form.web.ts'
import { type StudentInput, useSaveStudent } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'

/** Adds a child, or changes the one that is given. */
export function ChildForm({ child, onDone }: { child?: Student; onDone: () => void }) {
  const draft = `child:${child?.id ?? 'new'}`
  const save = useSaveStudent()
  const form = useForm<StudentInput>({
    resolver: checkedBy(NewStudent, (values) => values),
    defaultValues: readDraft<StudentInput>(draft) ?? {
      name: child?.name ?? '',
      grade: child?.grade ?? '',
      notes: child?.notes ?? '',
    },
  })
  const { submit, close } = useEntryForm(form, {
    draft,
    save: (input, idempotencyKey) => save.mutateAsync({ student: child, input, idempotencyKey }),
    onDone,
    success: child ? 'Child updated successfully' : 'Child added successfully',
    failure: child ? 'Failed to update child' : 'Failed to add child',
  })
  const {
    register,
    formState: { errors },
  } = form

  return (
    <section className="card mt-5 p-5" aria-labelledby="child-form">
      <h2 id="child-form">{child ? 'Edit Child' : 'Add New Child'}</h2>
      <form className="mt-4 grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          required
          autoComplete="off"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField label="Grade" autoComplete="off" error={errors.grade?.message} {...register('grade')} />
        <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
        <div className="flex gap-3">
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            className="flex-1 lg:flex-none lg:px-10"
            busy={save.isPending}
            busyText="Saving..."
          >
            {child ? 'Update Child' : 'Add Child'}
          </Button>
        </div>
      </form>
    </section>
  )
}
