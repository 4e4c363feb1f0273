import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { WhichRows } from '#kernel/archived.ts'
import { whenClear } from '#platform/ui/back-gesture.web.ts'
import { useNavigateFromHere } from '#platform/ui/navigate.web.ts'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { AddSeveralDialog } from './AddSeveralDialog.tsx'
import { type PeopleCalls, useArchivePerson } from './client.web.ts'
import { type DeletionWords, DeletePersonDialog } from './DeletePersonDialog.tsx'
import { type ListQuery, type ListWords, PeopleList } from './PeopleList.tsx'
import type { Person } from './person.ts'
import type { PersonButtonsProps } from './PersonButtons.tsx'

/** The value of ?new in links that lead from one first step to the next. */
const FIRST = 'first'

interface PeoplePageProps<Row extends Person> extends ListWords {
  usePeople: (which: WhichRows) => ListQuery<Row>
  calls: Pick<PeopleCalls<Row, never>, 'addSeveral' | 'setArchived' | 'remove'>
  canAdd: boolean
  /** True while other data shown in the rows is loading. */
  isAwaited?: boolean
  /** How many placeholders to show while loading. */
  placeholders: number
  /**
   * The form that edits a person, or adds one. `leadOn` opens the next page once somebody's first person was added.
   */
  form: (person: Row | undefined, close: () => void, leadOn: () => void) => ReactNode
  /** The next page of the first steps. */
  next?: string
  /** Where the form opens. */
  formPlace: 'in the page' | 'on top'
  rows: (people: Row[], buttonsOf: (person: Row) => PersonButtonsProps, isArchived: boolean) => ReactNode
  deletion: DeletionWords<Row>
  /** Shown above the list. */
  children?: ReactNode
}

/** A page where people are added, one or several, changed, archived and deleted. */
export function PeoplePage<Row extends Person>({
  usePeople,
  calls,
  canAdd,
  form,
  formPlace,
  next,
  rows,
  deletion,
  ...list
}: PeoplePageProps<Row>) {
  const { noun } = list
  const [active, archived] = [usePeople('active'), usePeople('archived')]
  const [query, setQuery] = useSearchParams()
  const [edited, setEdited] = useState<Row | 'new' | undefined>(query.get('new') === null ? undefined : 'new')
  const navigate = useNavigateFromHere()
  const [isFirstStep] = useState(query.get('new') === FIRST)
  const [addsSeveral, setAddsSeveral] = useState(false)
  const [deleted, setDeleted] = useState<Row>()
  const archive = useArchivePerson<Row>(noun, calls.setArchived)
  useReopen(noun.toLowerCase(), [...(active.data ?? []), ...(archived.data ?? [])], setEdited)
  // Removes ?new from the URL. Otherwise, closing the form or going back would open it again.
  useEffect(() => {
    if (query.has('new')) setQuery({}, { replace: true })
  }, [query, setQuery])
  const buttonsOf = (person: Row) => ({
    person,
    onEdit: () => setEdited(person),
    onArchive: () => void archive(person),
    onDelete: () => setDeleted(person),
  })
  const leadOn = () => {
    // The closing form removes its history entry first.
    if (isFirstStep && next) void whenClear().then(() => navigate(next))
  }
  const opened = edited && form(edited === 'new' ? undefined : edited, () => setEdited(undefined), leadOn)
  return (
    <>
      <PeopleList
        {...list}
        list={active}
        archived={archived}
        onAdd={canAdd ? () => setEdited('new') : undefined}
        onAddSeveral={() => setAddsSeveral(true)}
        form={formPlace === 'in the page' && opened}
        rows={(people, isArchived) => rows(people, buttonsOf, isArchived)}
      />
      {formPlace === 'on top' && opened}
      {addsSeveral && (
        <AddSeveralDialog
          noun={noun}
          usePeople={usePeople}
          addSeveral={calls.addSeveral}
          onClose={() => setAddsSeveral(false)}
        />
      )}
      {deleted && (
        <DeletePersonDialog
          {...deletion}
          noun={noun}
          person={deleted}
          remove={calls.remove}
          onDone={() => setDeleted(undefined)}
        />
      )}
    </>
  )
}
