import { Archive, ArchiveRestore, ArrowLeft, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { useArchivePerson } from '#features/people/client.web.ts'
import { DeletePersonDialog } from '#features/people/DeletePersonDialog.tsx'
import type { Person } from '#features/people/person.ts'
import { paths } from '#features/site/paths.ts'
import { whenClear } from '#platform/ui/back-gesture.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { type RowAction, RowMenu } from '#platform/ui/RowMenu.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import type { Holder, Kind } from '../account.ts'
import type { Who } from '../lesson-days.ts'
import { BalanceCard, TutorBalances } from './BalanceCard.tsx'
import { MakeUpsCard } from './MakeUpsCard.tsx'
import { MonthsCard } from './MonthsCard.tsx'
import { ScheduleCard } from './ScheduleCard.tsx'
import { PricesSection } from './PricesSection.tsx'
import { PersonSessions } from './PersonSessions.tsx'

const LISTS = {
  tutor: { path: paths.tutors, label: 'All tutors' },
  child: { path: paths.children, label: 'All children' },
  student: { path: paths.students, label: 'All students' },
} as const

type Shown = Holder & Person

interface PersonViewProps<Row extends Shown> {
  kind: Kind
  noun: 'Tutor' | 'Child' | 'Student'
  who: Who
  found: { person: Row | undefined; isMissing: boolean; isError: boolean; retry: () => void }
  /** The menu entries for the person's connection, and the dialog that they open. */
  menu?: { actionsFor: (person: Row) => RowAction[]; dialog: ReactNode }
  calls: {
    setArchived: (id: string, archived: boolean) => Promise<unknown>
    remove: (id: string) => Promise<unknown>
  }
  deletion: {
    useAfter: () => (person: Row) => string | undefined
    question: (person: Row) => string
    kept: (person: Row) => string
  }
  /** The form that edits the person, in the page or on top of it. */
  form: (person: Row, close: () => void) => ReactNode
  about: (person: Row, edit: () => void) => ReactNode
  /** What's agreed with the person's side. */
  terms?: (person: Row) => ReactNode
}

/** A person's page, or that they're loading, didn't load, or aren't there. */
export function PersonView<Row extends Shown>(props: PersonViewProps<Row>) {
  const { kind, noun, found } = props
  // Someone who was just deleted stays on the page until it closes.
  const [leaving, setLeaving] = useState<Row>()
  const person = found.person ?? leaving
  if (person) return <Page {...props} person={person} setLeaving={setLeaving} />
  const list = LISTS[kind]
  if (found.isMissing)
    return (
      <Empty
        isPage
        title={`This ${noun.toLowerCase()} isn’t here`}
        line="They may have been deleted, or the link belongs to another account."
        action={<ButtonLink to={list.path}>{list.label}</ButtonLink>}
      />
    )
  return (
    <>
      <div className="flex items-start gap-1">
        <BackLink to={list.path} label={list.label} />
        <PageTitle title={noun} />
      </div>
      <div className="mt-5">
        {found.isError ? (
          <LoadFailed title="This page didn’t load" onRetry={found.retry} />
        ) : (
          <LoadingCards count={3} label="Loading..." />
        )}
      </div>
    </>
  )
}

interface PageProps<Row extends Shown> extends PersonViewProps<Row> {
  person: Row
  setLeaving: (person: Row | undefined) => void
}

function Page<Row extends Shown>(props: PageProps<Row>) {
  const { kind, noun, who, person, setLeaving, menu, calls, deletion, form, about, terms } = props
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const archive = useArchivePerson<Row>(noun, calls.setArchived)
  const list = LISTS[kind]
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  // Leaves the page before the message appears, because leaving would dismiss it.
  const remove = async (id: string) => {
    await calls.remove(id)
    setIsDeleting(false)
    await whenClear()
    await navigate(list.path, { replace: true })
  }
  useReopen(noun.toLowerCase(), [person], () => setIsEditing(true))
  const items = [
    { label: 'Edit', Icon: Pencil, run: () => setIsEditing(true) },
    person.archived
      ? { label: 'Restore', Icon: ArchiveRestore, run: () => void archive(person) }
      : { label: 'Archive', Icon: Archive, run: () => void archive(person) },
    ...(menu?.actionsFor(person) ?? []),
    {
      label: 'Delete',
      Icon: Trash2,
      run: () => {
        setLeaving(person)
        setIsDeleting(true)
      },
    },
  ]
  return (
    <>
      <div className="flex items-start gap-1">
        <BackLink to={list.path} label={list.label} />
        <div className="min-w-0 flex-1 wrap-anywhere" dir="auto">
          <PageTitle title={person.name} />
        </div>
        {canWrite && (
          <div className="mt-1 -mr-2">
            <RowMenu label={`More for ${person.name}`} items={items} />
          </div>
        )}
      </div>
      {person.archived && (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-sunken p-4">
          <p>Archived: hidden from lists and forms, but kept in your history.</p>
          {canWrite && (
            <Button tone="secondary" size="small" onClick={() => void archive(person)}>
              Restore
            </Button>
          )}
        </div>
      )}
      {isEditing && form(person, () => setIsEditing(false))}
      <div className="in-order mt-5 grid items-start gap-4 lg:grid-cols-[min(20rem,38%)_minmax(0,1fr)] lg:gap-6">
        <div className="in-order grid min-w-0 gap-4">
          {kind === 'child' ? <TutorBalances id={person.id} /> : <BalanceCard holder={person} />}
          {about(person, () => setIsEditing(true))}
          {terms?.(person)}
          <PricesSection who={who} />
          <MakeUpsCard who={who} />
          <ScheduleCard who={who} />
        </div>
        <div className="in-order grid min-w-0 gap-4 lg:gap-6">
          <MonthsCard kind={kind} id={person.id} />
          <PersonSessions kind={kind} who={who} name={person.name} />
        </div>
      </div>
      {menu?.dialog}
      {isDeleting && (
        <DeletePersonDialog
          {...deletion}
          noun={noun}
          person={person}
          remove={remove}
          onDone={() => {
            setIsDeleting(false)
            setLeaving(undefined)
          }}
        />
      )}
    </>
  )
}

/** Goes back where you came from or, if this is the first page, to the list. */
function BackLink({ to, label }: { to: string; label: string }) {
  const navigate = useNavigate()
  return (
    <Link
      to={to}
      className="ib mt-1 -ml-3"
      aria-label={`Back, ${label}`}
      title="Back"
      onClick={(event) => {
        const isFirst = !((history.state as { idx?: number } | null)?.idx ?? 0)
        if (isFirst || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void navigate(-1)
      }}
    >
      <ArrowLeft className="i" aria-hidden="true" />
    </Link>
  )
}
