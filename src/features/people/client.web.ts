// React hooks for changing the people on a list.
import { useMutation } from '@tanstack/react-query'
import { queryClient } from '#platform/query.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Noun, Person } from './person.ts'

/** The calls that change one list of people. */
export interface PeopleCalls<Row extends Person, Input> {
  add: (input: Input, idempotencyKey: string) => Promise<Row>
  /** Adds all of these names or none of them. */
  addSeveral: (names: string[], idempotencyKey: string) => Promise<unknown>
  /** Changes a person, unless they've changed since they were loaded. */
  change: (person: Row, input: Input) => Promise<Row>
  setArchived: (id: string, archived: boolean) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
}

/** Adds a person, or changes the given one. */
export function useSavePerson<Row extends Person, Input>({
  add,
  change,
}: Pick<PeopleCalls<Row, Input>, 'add' | 'change'>) {
  return useMutation({
    mutationFn: ({
      person,
      input,
      idempotencyKey,
    }: {
      person?: Row
      input: Input
      idempotencyKey: string
    }) => (person ? change(person, input) : add(input, idempotencyKey)),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Archives or restores a person, with an option to undo. */
export function useArchivePerson<Row extends Person>(
  noun: Noun,
  setArchived: PeopleCalls<Row, unknown>['setArchived'],
) {
  const toast = useToast()
  const { mutateAsync } = useMutation({
    mutationFn: ({ id, archived }: { id: string; archived: boolean }) => setArchived(id, archived),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return async function archive(person: Row): Promise<void> {
    const archived = !person.archived
    try {
      await mutateAsync({ id: person.id, archived })
      toast.success(
        archived ? `${noun} archived` : `${noun} restored`,
        archived ? 'Their sessions stay in your history, and their schedules become inactive.' : undefined,
        { label: 'Undo', run: () => void archive({ ...person, archived }) },
      )
    } catch {
      toast.error('Error', `Failed to update ${noun.toLowerCase()}`)
    }
  }
}
