import { useMutation } from '@tanstack/react-query'
import { queryClient } from '#platform/query.web.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Noun, Person } from './person.ts'

export interface DeletionWords<Row> {
  /** What happens to a connection if the person is deleted. */
  useAfter: () => (person: Row) => string | undefined
  question: (person: Row) => string
  /** What stays, as the start of a sentence. */
  kept: (person: Row) => string
}

interface DeletePersonDialogProps<Row> extends DeletionWords<Row> {
  noun: Noun
  person: Row
  remove: (id: string) => Promise<unknown>
  onDone: () => void
}

/** Asks whether to delete a person, and deletes them. */
export function DeletePersonDialog<Row extends Person>(props: DeletePersonDialogProps<Row>) {
  const { noun, person, onDone } = props
  const after = props.useAfter()(person)
  const toast = useToast()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: props.remove,
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const remove = async () => {
    try {
      await mutateAsync(person.id)
      toast.success(`${noun} deleted successfully`)
      onDone()
    } catch {
      toast.error('Error', `Failed to delete ${noun.toLowerCase()}`)
    }
  }
  return (
    <ConfirmDialog
      title={`Delete ${noun}`}
      text={props.question(person)}
      consequence={`${after ? `${after} ` : ''}${props.kept(person)}, and their schedules will become inactive.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      isBusy={isPending}
      onConfirm={() => void remove()}
      onCancel={onDone}
    />
  )
}
