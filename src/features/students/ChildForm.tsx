import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { newId } from '#kernel/id.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, readDraft, useDraft } from '#platform/ui/draft.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import { type StudentInput, useSaveStudent } from './client.web.ts'
import { NewStudent, type Student } from './student.ts'

/** Adds a child, or changes the one that is given. */
export function ChildForm({ child, onDone }: { child?: Student; onDone: () => void }) {
  const draft = `child:${child?.id ?? 'new'}`
  const toast = useToast()
  const save = useSaveStudent()
  const [idempotencyKey] = useState(newId)
  const form = useForm<StudentInput>({
    resolver: checkedBy(NewStudent, (values) => values),
    defaultValues: readDraft<StudentInput>(draft) ?? { name: child?.name ?? '', grade: child?.grade ?? '', notes: child?.notes ?? '' },
  })
  useDraft(draft, form)
  const { register, handleSubmit, setError, setFocus, formState: { errors } } = form

  const submit = handleSubmit(async (input) => {
    try {
      await save.mutateAsync({ student: child, input, idempotencyKey: idempotencyKey })
      forgetDraft(draft)
      toast.success(child ? 'Child updated successfully' : 'Child added successfully')
      onDone()
    } catch (error) {
      for (const { field, message } of fieldErrorsOf(error)) setError(field as keyof StudentInput, { message })
      toast.error('Error', child ? 'Failed to update child' : 'Failed to add child')
    }
  }, () => setFocus('name'))
  const cancel = () => {
    forgetDraft(draft)
    onDone()
  }

  return (
    <section className="card mt-5 p-5" aria-labelledby="child-form">
      <h2 id="child-form">{child ? 'Edit Child' : 'Add New Child'}</h2>
      <form className="mt-4 grid gap-4" onSubmit={submit} noValidate>
        <TextField label="Name" required autoComplete="off" error={errors.name?.message} {...register('name')} />
        <TextField label="Grade" autoComplete="off" error={errors.grade?.message} {...register('grade')} />
        <TextArea label="Notes" error={errors.notes?.message} {...register('notes')} />
        <div className="flex gap-3">
          <Button tone="secondary" onClick={cancel}>Cancel</Button>
          <Button type="submit" className="flex-1 lg:flex-none lg:px-10" busy={save.isPending} busyText="Saving...">{child ? 'Update Child' : 'Add Child'}</Button>
        </div>
      </form>
    </section>
  )
}
