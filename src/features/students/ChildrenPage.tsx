import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { ListPage } from '#platform/ui/ListPage.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { RowMenu } from '#platform/ui/RowMenu.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useWidth } from '#platform/ui/width.web.ts'
import { AddStudentsDialog } from './AddStudentsDialog.tsx'
import { ChildForm } from './ChildForm.tsx'
import { useArchiveStudent, useDeleteStudent, useStudents } from './client.web.ts'
import type { Student } from './student.ts'

interface ChildrenPageProps {
  /** Explains what happens to a connection if the child is deleted. */
  useAfter: () => (child: Student) => string | undefined
}

export default function ChildrenPage({ useAfter }: ChildrenPageProps) {
  const children = useStudents()
  const archived = useStudents('archived')
  const hasAll = useMe().has_all_students
  const canAdd = useCanWrite() && hasAll
  const [addsSeveral, setAddsSeveral] = useState(false)
  const archive = useArchiveStudent('Child')
  const [edited, setEdited] = useState<Student | 'new'>()
  const [deleted, setDeleted] = useState<Student>()
  useReopen('child', [...(children.data ?? []), ...(archived.data ?? [])], setEdited)
  return (
    <>
      <ListPage
        title="Children"
        plural="children"
        list={children}
        archived={archived}
        placeholders={3}
        addLabel="Add Child"
        onAdd={canAdd ? () => setEdited('new') : undefined}
        onAddSeveral={() => setAddsSeveral(true)}
        form={
          edited && (
            <ChildForm
              key={edited === 'new' ? 'new' : edited.id}
              child={edited === 'new' ? undefined : edited}
              onClose={() => setEdited(undefined)}
            />
          )
        }
        emptyTitle="No children added yet"
        emptyLine="Add your first child to start logging sessions"
        rows={(rows, isArchived) => (
          <ChildList
            list={rows}
            label={isArchived ? 'Archived children' : 'Children'}
            onEdit={setEdited}
            onArchive={(child) => void archive(child)}
            onDelete={setDeleted}
          />
        )}
      />
      {addsSeveral && <AddStudentsDialog plural="children" onClose={() => setAddsSeveral(false)} />}
      {deleted && <DeleteChild child={deleted} useAfter={useAfter} onDone={() => setDeleted(undefined)} />}
    </>
  )
}

interface ChildListProps {
  list: Student[]
  label: string
  onEdit: (child: Student) => void
  onArchive: (child: Student) => void
  onDelete: (child: Student) => void
}

function ChildList({ list, label, onEdit, onArchive, onDelete }: ChildListProps) {
  const canWrite = useCanWrite()
  const isPhone = useWidth('phone')
  const actions = (child: Student) =>
    canWrite && (
      <span className="flex justify-end">
        <IconButton label={`Edit ${child.name}`} onClick={() => onEdit(child)}>
          <Pencil className="size-[18px]" aria-hidden="true" />
        </IconButton>
        <IconButton label={`Delete ${child.name}`} onClick={() => onDelete(child)}>
          <Trash2 className="size-[18px]" aria-hidden="true" />
        </IconButton>
        <RowMenu
          label={`More for ${child.name}`}
          items={[
            child.archived
              ? { label: 'Restore', Icon: ArchiveRestore, run: () => onArchive(child) }
              : { label: 'Archive', Icon: Archive, run: () => onArchive(child) },
          ]}
        />
      </span>
    )
  if (isPhone)
    return (
      <ul className="card list">
        {list.map((child) => (
          <li key={child.id} className="flex items-start gap-2 py-3 pr-2 pl-5">
            <div className="min-w-0 flex-1 py-1.5">
              <h2 className="row-title" title={child.name}>
                {child.name}
              </h2>
              {child.grade && (
                <p className="mt-1">
                  <Badge>{child.grade}</Badge>
                </p>
              )}
              {child.notes && <p className="mt-1.5 line-clamp-2 text-small text-ink-2">{child.notes}</p>}
            </div>
            {actions(child)}
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
          { key: 'grade', header: 'Grade' },
          { key: 'notes', header: 'Notes' },
          ...(canWrite ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
        ]}
        rows={list.map((child) => ({
          id: child.id,
          cells: {
            name: child.name,
            grade: child.grade,
            notes: <span className="line-clamp-2">{child.notes}</span>,
            actions: actions(child),
          },
        }))}
      />
    </div>
  )
}

interface DeleteChildProps extends ChildrenPageProps {
  child: Student
  onDone: () => void
}

function DeleteChild({ child, useAfter, onDone }: DeleteChildProps) {
  const after = useAfter()(child)
  const toast = useToast()
  const removal = useDeleteStudent()
  const remove = async () => {
    try {
      await removal.mutateAsync(child)
      toast.success('Child deleted successfully')
      onDone()
    } catch {
      toast.error('Error', 'Failed to delete child')
    }
  }
  return (
    <ConfirmDialog
      title="Delete Child"
      text="Are you sure you want to delete this child?"
      consequence={
        `${after ? `${after} ` : ''}${child.name}'s sessions will stay in your history under Unknown Student, ` +
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
