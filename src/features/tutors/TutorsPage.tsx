import { Archive, ArchiveRestore, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useMoney } from '#platform/ui/money.web.ts'
import { useCanWrite, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useArchiveTutor, useDeleteTutor, useTutors } from './client.web.ts'
import type { Tutor } from './tutor.ts'
import { TutorDialog } from './TutorDialog.tsx'

interface TutorsPageProps {
  /** Whether a tutor confirms sessions, and the way to ask. */
  Connection: ComponentType<{ tutor: Tutor }>
  /** Offers to ask a tutor who was just added with an address. */
  Offer: ComponentType<{ tutor: Tutor; onClose: () => void }>
  /** Whether its answer is still loading. */
  isLoading: boolean
  /** What deleting a tutor does to a connection. */
  useAfter: () => (tutor: Tutor) => string | undefined
}

export default function TutorsPage({ Connection, Offer, isLoading: isAwaited, useAfter }: TutorsPageProps) {
  const tutors = useTutors()
  const archived = useTutors('archived')
  // What connections say makes the rows taller, so both appear at once.
  const isLoading = isAwaited || tutors.isPending
  const hasAll = useMe().has_all_students
  const canWrite = useCanWrite() && hasAll
  const [showsArchived, setShowsArchived] = useState(false)
  const archive = useArchive()
  const [edited, setEdited] = useState<Tutor | 'new'>()
  const [deleted, setDeleted] = useState<Tutor>()
  const [added, setAdded] = useState<Tutor>()
  useFailureToast(tutors.error, 'Failed to fetch tutors')
  const list = tutors.data ?? []
  const isEmpty = tutors.isSuccess && list.length === 0
  useReopen('tutor', [...list, ...(archived.data ?? [])], setEdited)

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <PageTitle title="Tutors" />
        {!isEmpty && canWrite && (
          <Button className="max-md:w-full" onClick={() => setEdited('new')}>
            <Plus className="i" aria-hidden="true" />
            Add Tutor
          </Button>
        )}
      </div>
      {added?.email && <Offer tutor={added} onClose={() => setAdded(undefined)} />}
      <div key={isEmpty ? 'empty' : 'list'} className="mt-5">
        {isLoading && <LoadingCards count={3} label="Loading tutors..." />}
        {tutors.isError && (
          <LoadFailed title="Your tutors did not load" onRetry={() => void tutors.refetch()} />
        )}
        {!isLoading && isEmpty && (
          <Empty
            title="No tutors added yet"
            line={canWrite ? 'Add a tutor with an hourly rate and payment works itself out' : undefined}
            action={
              canWrite && (
                <Button onClick={() => setEdited('new')}>
                  <Plus className="i" aria-hidden="true" />
                  Add Tutor
                </Button>
              )
            }
          />
        )}
        {!isLoading && list.length > 0 && (
          <TutorList
            list={list}
            Connection={Connection}
            onEdit={setEdited}
            onArchive={(tutor) => void archive(tutor)}
            onDelete={setDeleted}
          />
        )}
        {!isLoading && (archived.data?.length ?? 0) > 0 && (
          <section className="mt-6">
            <Button
              tone="quiet"
              aria-expanded={showsArchived}
              onClick={() => setShowsArchived(!showsArchived)}
            >
              <Archive className="i" aria-hidden="true" />
              {showsArchived ? 'Hide archived tutors' : `Show archived tutors (${archived.data?.length})`}
            </Button>
            {showsArchived && (
              <div className="mt-3">
                <TutorList
                  list={archived.data ?? []}
                  Connection={Connection}
                  label="Archived tutors"
                  onEdit={setEdited}
                  onArchive={(tutor) => void archive(tutor)}
                  onDelete={setDeleted}
                />
              </div>
            )}
          </section>
        )}
      </div>
      {edited && (
        <TutorDialog
          key={edited === 'new' ? 'new' : edited.id}
          tutor={edited === 'new' ? undefined : edited}
          onAdded={setAdded}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && <DeleteTutor tutor={deleted} useAfter={useAfter} onDone={() => setDeleted(undefined)} />}
    </>
  )
}

interface TutorListProps extends Pick<TutorsPageProps, 'Connection'> {
  list: Tutor[]
  label?: string
  onEdit: (tutor: Tutor) => void
  onArchive: (tutor: Tutor) => void
  onDelete: (tutor: Tutor) => void
}

function TutorList({ list, Connection, label = 'Tutors', onEdit, onArchive, onDelete }: TutorListProps) {
  const money = useMoney()
  const hasAll = useMe().has_all_students
  const canWrite = useCanWrite() && hasAll
  const seesAmounts = useSeesAmounts()
  const rate = (tutor: Tutor) => (tutor.hourly_rate === null ? '' : money(tutor.hourly_rate))
  const subjects = (tutor: Tutor) => (
    <span className="flex flex-wrap gap-1.5">
      {tutor.subjects.map((subject) => (
        <Badge key={subject}>{subject}</Badge>
      ))}
    </span>
  )
  const actions = (tutor: Tutor) =>
    canWrite && (
      <span className="flex justify-end">
        <IconButton label={`Edit ${tutor.name}`} onClick={() => onEdit(tutor)}>
          <Pencil className="size-[18px]" aria-hidden="true" />
        </IconButton>
        <IconButton
          label={`${tutor.archived ? 'Bring back' : 'Archive'} ${tutor.name}`}
          onClick={() => onArchive(tutor)}
        >
          {tutor.archived ? (
            <ArchiveRestore className="size-[18px]" aria-hidden="true" />
          ) : (
            <Archive className="size-[18px]" aria-hidden="true" />
          )}
        </IconButton>
        <IconButton label={`Delete ${tutor.name}`} onClick={() => onDelete(tutor)}>
          <Trash2 className="size-[18px]" aria-hidden="true" />
        </IconButton>
      </span>
    )
  return (
    <>
      <ul className="card list md:hidden">
        {list.map((tutor) => (
          <li key={tutor.id} className="flex items-start gap-2 py-3 pr-2 pl-5">
            <div className="min-w-0 flex-1 py-1.5">
              <h2 className="row-title" title={tutor.name}>
                {tutor.name}
              </h2>
              {tutor.hourly_rate !== null && (
                <p className="num mt-0.5 font-semibold">
                  {rate(tutor)}
                  <span className="font-normal text-ink-2">/hour</span>
                </p>
              )}
              {(tutor.email || tutor.phone) && (
                <p className="mt-0.5 text-small break-words text-ink-2">
                  {[tutor.email, tutor.phone].filter(Boolean).join(', ')}
                </p>
              )}
              {tutor.subjects.length > 0 && <div className="mt-2">{subjects(tutor)}</div>}
              <Connection tutor={tutor} />
            </div>
            {actions(tutor)}
          </li>
        ))}
      </ul>
      <div className="card max-md:hidden">
        <DataTable
          label={label}
          columns={[
            { key: 'name', header: 'Name' },
            { key: 'email', header: 'Email' },
            { key: 'phone', header: 'Phone' },
            ...(seesAmounts ? [{ key: 'rate' as const, header: 'Rate/Hour', numeric: true }] : []),
            { key: 'subjects', header: 'Subjects' },
            ...(canWrite ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
          ]}
          rows={list.map((tutor) => ({
            id: tutor.id,
            cells: {
              name: (
                <>
                  {tutor.name}
                  <Connection tutor={tutor} />
                </>
              ),
              email: <span className="wrap-anywhere">{tutor.email}</span>,
              phone: <span className="whitespace-nowrap">{tutor.phone}</span>,
              rate: rate(tutor),
              subjects: subjects(tutor),
              actions: actions(tutor),
            },
          }))}
        />
      </div>
    </>
  )
}

/** Archives a tutor or brings one back, and offers to undo it. */
function useArchive() {
  const toast = useToast()
  const { mutateAsync } = useArchiveTutor()
  return async function archive(tutor: Tutor): Promise<void> {
    const archived = !tutor.archived
    try {
      await mutateAsync({ id: tutor.id, archived })
      toast.success(
        archived ? 'Tutor archived' : 'Tutor brought back',
        archived ? 'The sessions stay in your history, and the schedules become inactive.' : undefined,
        { label: 'Undo', run: () => void archive({ ...tutor, archived }) },
      )
    } catch {
      toast.error('Error', 'Failed to update tutor')
    }
  }
}

interface DeleteTutorProps extends Pick<TutorsPageProps, 'useAfter'> {
  tutor: Tutor
  onDone: () => void
}

function DeleteTutor({ tutor, useAfter, onDone }: DeleteTutorProps) {
  const after = useAfter()(tutor)
  const toast = useToast()
  const removal = useDeleteTutor()
  const remove = async () => {
    try {
      await removal.mutateAsync(tutor)
      toast.success('Tutor deleted successfully')
      onDone()
    } catch {
      toast.error('Error', 'Failed to delete tutor')
    }
  }
  return (
    <ConfirmDialog
      title="Delete Tutor"
      text="Are you sure you want to delete this tutor?"
      consequence={`${after ? `${after} ` : ''}The sessions with ${tutor.name} stay in your history as Unknown Tutor, and the schedules become inactive.`}
      confirmLabel="Delete"
      busyText="Deleting..."
      isBusy={removal.isPending}
      onConfirm={() => void remove()}
      onCancel={onDone}
    />
  )
}
