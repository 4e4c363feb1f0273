import { useMutation } from '@tanstack/react-query'
import { MOST_AT_ONCE } from '#kernel/name-list.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { NamesDialog } from '#platform/ui/NamesDialog.tsx'
import { useTutors } from './client.web.ts'
import { AddTutors } from './several.ts'
import { LONGEST_NAME } from './tutor.ts'

interface AddTutorsDialogProps {
  onClose: () => void
}

/** A dialog to add several tutors by pasting their names. */
export function AddTutorsDialog({ onClose }: AddTutorsDialogProps) {
  const known = useTutors('all').data ?? []
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ names, idempotencyKey }: { names: string[]; idempotencyKey: string }) =>
      call(AddTutors, { names }, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <NamesDialog
      plural="tutors"
      known={known.map(({ name }) => name)}
      longest={LONGEST_NAME}
      most={MOST_AT_ONCE}
      add={(names, idempotencyKey) => mutateAsync({ names, idempotencyKey })}
      isBusy={isPending}
      onClose={onClose}
    />
  )
}
