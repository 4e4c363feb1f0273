// React hooks for changing the people on a list.
import { useMutation } from '@tanstack/react-query'
import { queryClient } from '#platform/query.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Noun, Person } from './person.ts'

/** A person whose hourly rate was changed, with their rate before, in dollars. Null if there was none. */
export interface RateChange {
  kind: RatedKind
  person: RatedPerson
  before: number | null
}

type RatedKind = 'tutor' | 'student'
type RatedPerson = Pick<Person, 'id' | 'version' | 'hourly_rate'>

let onRateChange: (change: RateChange) => void = () => undefined

/** Calls the listener after somebody changed a rate with one of the forms. Returns a function that stops that. */
export function whenRateChanged(listener: (change: RateChange) => void): () => void {
  onRateChange = listener
  return () => {
    onRateChange = () => undefined
  }
}

/** Reports a person that was saved if their rate isn't what it was. */
export function noteRate(kind: RatedKind, { hourly_rate: before }: RatedPerson, person: RatedPerson): void {
  if (person.hourly_rate !== before) onRateChange({ kind, person, before })
}

/** The calls that change one list of people. */
export interface PeopleCalls<Row extends Person, Input> {
  kind: RatedKind
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
  kind,
  add,
  change,
}: Pick<PeopleCalls<Row, Input>, 'kind' | 'add' | 'change'>) {
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
    onSuccess: async (saved, { person }) => {
      await queryClient.invalidateQueries()
      if (person) noteRate(kind, person, saved)
    },
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
