import { useMutation } from '@tanstack/react-query'
import { MOST_AT_ONCE } from '#kernel/name-list.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { NamesDialog } from '#platform/ui/NamesDialog.tsx'
import { useStudents } from './client.web.ts'
import { AddStudents } from './several.ts'
import { LONGEST_NAME } from './student.ts'

interface AddStudentsDialogProps {
  /** The word this screen uses for students. */
  plural: 'children' | 'students'
  onClose: () => void
}

/** A dialog to add several students by pasting their names. */
export function AddStudentsDialog({ plural, onClose }: AddStudentsDialogProps) {
  const known = useStudents('all').data ?? []
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ names, idempotencyKey }: { names: string[]; idempotencyKey: string }) =>
      call(AddStudents, { names }, { idempotencyKey }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <NamesDialog
      plural={plural}
      known={known.map(({ name }) => name)}
      longest={LONGEST_NAME}
      most={MOST_AT_ONCE}
      add={(names, idempotencyKey) => mutateAsync({ names, idempotencyKey })}
      isBusy={isPending}
      onClose={onClose}
    />
  )
}
