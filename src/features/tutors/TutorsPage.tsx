import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useMoney } from '#platform/ui/money.web.ts'
import { useCanWrite, useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { ListPage } from '#platform/ui/ListPage.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { RowMenu, type RowActions } from '#platform/ui/RowMenu.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import { AddTutorsDialog } from './AddTutorsDialog.tsx'
import { useArchiveTutor, useDeleteTutor, useTutors } from './client.web.ts'
import { callLink } from './phone.ts'
import type { Tutor } from './tutor.ts'
import { TutorForm } from './TutorForm.tsx'

interface TutorsPageProps {
  /** Shows whether a tutor confirms sessions and, if not, how to ask them to. */
  Connection: ComponentType<{ tutor: Tutor }>
  /** The menu items for a tutor's connection. */
  useActions: () => RowActions<Tutor>
  /** When a tutor with an email address has been added, offers to send them a connection request. */
  Offer: ComponentType<{ tutor: Tutor; onClose: () => void }>
  /** True while the connections are loading. */
  isLoading: boolean
  /** Explains what happens to a connection if the tutor is deleted. */
  useAfter: () => (tutor: Tutor) => string | undefined
}

export default function TutorsPage({ Connection, useActions, Offer, isLoading, useAfter }: TutorsPageProps) {
  const tutors = useTutors()
  const archived = useTutors('archived')
  const hasAll = useMe().has_all_students
  const canWrite = useCanWrite() && hasAll
  const [addsSeveral, setAddsSeveral] = useState(false)
  const archive = useArchive()
  const { actionsFor, dialog } = useActions()
  const [edited, setEdited] = useState<Tutor | 'new'>()
  const [deleted, setDeleted] = useState<Tutor>()
  const [added, setAdded] = useState<Tutor>()
  useReopen('tutor', [...(tutors.data ?? []), ...(archived.data ?? [])], setEdited)
  return (
    <>
      <ListPage
        title="Tutors"
        plural="tutors"
        list={tutors}
        archived={archived}
        // A connection makes a tutor's row taller, so the list isn't shown until the connections have loaded.
        isAwaited={isLoading}
        placeholders={3}
        addLabel="Add Tutor"
        onAdd={canWrite ? () => setEdited('new') : undefined}
        onAddSeveral={() => setAddsSeveral(true)}
        form={
          edited && (
            <TutorForm
              key={edited === 'new' ? 'new' : edited.id}
              tutor={edited === 'new' ? undefined : edited}
              onAdded={setAdded}
              onClose={() => setEdited(undefined)}
            />
          )
        }
        emptyTitle="No tutors added yet"
        emptyLine="Add a tutor and their hourly rate to have amounts calculated for you"
        rows={(rows, isArchived) => (
          <TutorList
            list={rows}
            label={isArchived ? 'Archived tutors' : 'Tutors'}
            Connection={Connection}
            actionsFor={actionsFor}
            onEdit={setEdited}
            onArchive={(tutor) => void archive(tutor)}
            onDelete={setDeleted}
          />
        )}
      >
        {added?.email && <Offer tutor={added} onClose={() => setAdded(undefined)} />}
      </ListPage>
      {dialog}
      {addsSeveral && <AddTutorsDialog onClose={() => setAddsSeveral(false)} />}
      {deleted && <DeleteTutor tutor={deleted} useAfter={useAfter} onDone={() => setDeleted(undefined)} />}
    </>
  )
}

interface TutorListProps extends Pick<TutorsPageProps, 'Connection'>, Pick<RowActions<Tutor>, 'actionsFor'> {
  list: Tutor[]
  label: string
  onEdit: (tutor: Tutor) => void
  onArchive: (tutor: Tutor) => void
  onDelete: (tutor: Tutor) => void
}

function TutorList({ list, Connection, actionsFor, label, onEdit, onArchive, onDelete }: TutorListProps) {
  const money = useMoney()
  const hasAll = useMe().has_all_students
  const canWrite = useCanWrite() && hasAll
  const seesAmounts = useSeesAmounts()
  const isPhone = useWidth('phone')
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
        <IconButton label={`Delete ${tutor.name}`} onClick={() => onDelete(tutor)}>
          <Trash2 className="size-[18px]" aria-hidden="true" />
        </IconButton>
        <RowMenu
          label={`More for ${tutor.name}`}
          items={[
            tutor.archived
              ? { label: 'Restore', Icon: ArchiveRestore, run: () => onArchive(tutor) }
              : { label: 'Archive', Icon: Archive, run: () => onArchive(tutor) },
            ...actionsFor(tutor),
          ]}
        />
      </span>
    )
  if (isPhone)
    return (
      <ul className="card list">
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
                <p className="flex flex-wrap gap-x-4 text-small">
                  <Email tutor={tutor} />
                  <Phone tutor={tutor} />
                </p>
              )}
              {tutor.subjects.length > 0 && <div className="mt-2">{subjects(tutor)}</div>}
              <Connection tutor={tutor} />
            </div>
            {actions(tutor)}
          </li>
        ))}
      </ul>
    )
  return (
    <div className="card">
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
            email: <Email tutor={tutor} />,
            phone: <Phone tutor={tutor} />,
            rate: rate(tutor),
            subjects: subjects(tutor),
            actions: actions(tutor),
          },
        }))}
      />
    </div>
  )
}

function Email({ tutor: { name, email } }: { tutor: Tutor }) {
  if (!email) return null
  return (
    <a
      className="link inline-flex min-h-11 items-center wrap-anywhere"
      href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
      title={`Email ${name}`}
    >
      {email}
    </a>
  )
}

function Phone({ tutor: { name, phone } }: { tutor: Tutor }) {
  const to = phone && callLink(phone)
  if (!to) return phone && <span className="inline-flex min-h-11 items-center wrap-anywhere">{phone}</span>
  return (
    <a
      className="link num inline-flex min-h-11 min-w-11 items-center max-md:wrap-anywhere md:whitespace-nowrap"
      href={to}
      title={`Call ${name}`}
    >
      {phone}
    </a>
  )
}

/** Archives or restores a tutor, with an option to undo. */
function useArchive() {
  const toast = useToast()
  const { mutateAsync } = useArchiveTutor()
  return async function archive(tutor: Tutor): Promise<void> {
    const archived = !tutor.archived
    try {
      await mutateAsync({ id: tutor.id, archived })
      toast.success(
        archived ? 'Tutor archived' : 'Tutor restored',
        archived ? 'Their sessions stay in your history, and their schedules become inactive.' : undefined,
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
      consequence={
        `${after ? `${after} ` : ''}Sessions with ${tutor.name} will stay in your history under Unknown Tutor, ` +
        'and their schedules will become inactive.'
      }
      confirmLabel="Delete"
      busyText="Deleting..."
      isBusy={removal.isPending}
      onConfirm={() => void remove()}
      onCancel={onDone}
    />
  )
}
