import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCanAddPeople } from '#features/accounts/client.web.ts'
import { useMoney } from '#platform/ui/money.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { ListPage } from '#platform/ui/ListPage.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { RowMenu, type RowAction, type RowActions } from '#platform/ui/RowMenu.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { AddStudentsDialog } from './AddStudentsDialog.tsx'
import { useArchiveStudent, useDeleteStudent, useStudents } from './client.web.ts'
import type { Student } from './student.ts'
import { StudentDialog } from './StudentDialog.tsx'

/** How many placeholder rows to show while loading (docs/product.md, section 9). */
const PLACEHOLDERS = 6

interface StudentsPageProps {
  /** Shows whether a student's family confirms sessions and, if not, how to invite them. */
  Connection: ComponentType<{ student: Student }>
  /** The menu items for a student's connection with a family. */
  useActions: () => RowActions<Student>
  /** True while the connections are loading. */
  isLoading: boolean
  /** Explains what happens to a connection if the student is deleted. */
  useAfter: () => (student: Student) => string | undefined
}

export default function StudentsPage({ Connection, useActions, isLoading, useAfter }: StudentsPageProps) {
  const students = useStudents()
  const archived = useStudents('archived')
  const [addsSeveral, setAddsSeveral] = useState(false)
  const archive = useArchiveStudent('Student')
  const { actionsFor, dialog } = useActions()
  const [query, setQuery] = useSearchParams()
  const [edited, setEdited] = useState<Student | 'new' | undefined>(
    query.get('new') === null ? undefined : 'new',
  )
  const [deleted, setDeleted] = useState<Student>()
  useReopen('student', [...(students.data ?? []), ...(archived.data ?? [])], setEdited)
  const close = () => setEdited(undefined)
  // Removes ?new from the URL. Otherwise, closing the dialog or going back would open it again.
  useEffect(() => {
    if (query.has('new')) setQuery({}, { replace: true })
  }, [query, setQuery])
  const canAdd = useCanAddPeople()
  return (
    <>
      <ListPage
        title="My Students"
        subtitle="Manage your students and their information"
        plural="students"
        list={students}
        archived={archived}
        // A connection makes a student's card taller, so the list isn't shown until the connections have loaded.
        isAwaited={isLoading}
        placeholders={PLACEHOLDERS}
        addLabel="Add Student"
        onAdd={canAdd ? () => setEdited('new') : undefined}
        onAddSeveral={() => setAddsSeveral(true)}
        emptyTitle="No students yet"
        emptyLine="Add your first student to get started"
        rows={(rows) => (
          <ul className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
            {rows.map((student) => (
              <StudentCard
                key={student.id}
                student={student}
                Connection={Connection}
                actions={actionsFor(student)}
                onEdit={() => setEdited(student)}
                onArchive={() => void archive(student)}
                onDelete={() => setDeleted(student)}
              />
            ))}
          </ul>
        )}
      />
      {edited && (
        <StudentDialog
          key={edited === 'new' ? 'new' : edited.id}
          student={edited === 'new' ? undefined : edited}
          onClose={close}
        />
      )}
      {dialog}
      {addsSeveral && <AddStudentsDialog plural="students" onClose={() => setAddsSeveral(false)} />}
      {deleted && (
        <DeleteStudent student={deleted} useAfter={useAfter} onDone={() => setDeleted(undefined)} />
      )}
    </>
  )
}

function StudentCard({
  student,
  Connection,
  actions,
  onEdit,
  onArchive,
  onDelete,
}: Pick<StudentsPageProps, 'Connection'> & {
  student: Student
  actions: RowAction[]
  onEdit: () => void
  onArchive: () => void
  onDelete: () => void
}) {
  const money = useMoney()
  return (
    <li className="card flex flex-col p-4 pl-5">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1 pt-2">
          <h2 className="line-clamp-2 text-[1.1875rem] leading-snug" title={student.name}>
            {student.name}
          </h2>
          {student.grade && (
            <p className="mt-1.5">
              <Badge tone="tutor">{student.grade}</Badge>
            </p>
          )}
        </div>
        <IconButton label={`Edit ${student.name}`} onClick={onEdit}>
          <Pencil className="size-[18px]" aria-hidden="true" />
        </IconButton>
        <IconButton label={`Delete ${student.name}`} onClick={onDelete}>
          <Trash2 className="size-[18px]" aria-hidden="true" />
        </IconButton>
        <RowMenu
          label={`More for ${student.name}`}
          items={[
            student.archived
              ? { label: 'Restore', Icon: ArchiveRestore, run: onArchive }
              : { label: 'Archive', Icon: Archive, run: onArchive },
            ...actions,
          ]}
        />
      </div>
      {student.hourly_rate !== null && (
        <p className="num mt-1.5 font-semibold">
          {money(student.hourly_rate)}
          <span className="font-normal text-ink-2">/hour</span>
        </p>
      )}
      {student.notes && (
        <p className="mt-2 line-clamp-2 pr-2 text-[.9375rem] leading-snug text-ink-2">{student.notes}</p>
      )}
      <div className="mt-auto">
        <Connection student={student} />
      </div>
    </li>
  )
}

interface DeleteStudentProps extends Pick<StudentsPageProps, 'useAfter'> {
  student: Student
  onDone: () => void
}

function DeleteStudent({ student, useAfter, onDone }: DeleteStudentProps) {
  const after = useAfter()(student)
  const toast = useToast()
  const removal = useDeleteStudent()
  const remove = async () => {
    try {
      await removal.mutateAsync(student)
      toast.success('Student deleted successfully')
      onDone()
    } catch {
      toast.error('Error', 'Failed to delete student')
    }
  }
  return (
    <ConfirmDialog
      title="Delete Student"
      text={`Are you sure you want to delete ${student.name}? This action cannot be undone.`}
      consequence={
        `${after ? `${after} ` : ''}${student.name}'s sessions will stay in your history under Unknown Student, ` +
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
