import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import {
  useAnswerFamily,
  useFamilies,
  useLeaveFamily,
  useSetFamilyStudents,
} from '#features/links/client.web.ts'
import type { Family } from '#features/links/link.ts'
import { useStudents } from '#features/students/client.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useToast } from '#platform/ui/Toast.tsx'

const nameOf = (family: Family) => family.name ?? 'A family'
const studentsLabel = ({ student_ids: ids }: Family) =>
  ids.length > 0 ? `Students (${ids.length})` : 'Choose students'

/** Whether whoever is signed in may connect with families; an assistant may not. */
function useConnects(): boolean {
  return useMe().workspace?.role !== 'assistant'
}

/** The families that ask this tutor to confirm: accept or decline. */
export function FamilyRequests() {
  const connects = useConnects()
  const families = useFamilies()
  const answer = useAnswerFamily()
  const toast = useToast()
  const asking = families.data?.filter((family) => connects && family.state === 'asked') ?? []
  const reply = async (family: Family, state: 'active' | 'declined') => {
    try {
      await answer.mutateAsync({ family, state })
      toast.success(state === 'active' ? `${nameOf(family)} is linked` : 'Declined')
    } catch {
      toast.error('Error', 'Your answer was not taken. Please look again.')
    }
  }
  if (asking.length === 0) return <ListRetry list={families} plural="families" />
  return (
    <ul className="mt-5 grid gap-3">
      {asking.map((family) => (
        <li key={family.id} className="rounded-lg bg-accent-soft p-5">
          <h2>{nameOf(family)} asks you to confirm sessions</h2>
          <p className="mt-1.5 text-ink-2">
            You will see the sessions they log with you and confirm them. They see your answers. Either of you
            can end it.
          </p>
          <div className="mt-4 flex gap-3">
            <Button tone="secondary" onClick={() => void reply(family, 'declined')}>
              Decline
            </Button>
            <Button
              className="flex-1 md:flex-none md:px-10"
              busy={answer.isPending}
              busyText="Accepting..."
              onClick={() => void reply(family, 'active')}
            >
              Accept
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The linked families, each with a way to end the link. */
export function LinkedFamilies() {
  const connects = useConnects()
  const families = useFamilies()
  const leave = useLeaveFamily()
  const toast = useToast()
  const [left, setLeft] = useState<Family>()
  const [chosen, setChosen] = useState<Family>()
  const linked = families.data?.filter((family) => family.state === 'active') ?? []
  const end = async (family: Family) => {
    try {
      await leave.mutateAsync(family)
      toast.success('Link ended')
      setLeft(undefined)
    } catch {
      toast.error('Error', 'The link could not be ended')
    }
  }
  if (linked.length === 0) return null
  return (
    <section className="mt-7">
      <SectionHeading>Linked families</SectionHeading>
      <ul className="card list">
        {linked.map((family) => (
          <li
            key={family.id}
            className="flex min-h-[56px] items-center justify-between gap-3 py-1.5 pr-2 pl-5"
          >
            <span className="min-w-0 flex-1 font-semibold break-words">
              {nameOf(family)}
              {family.is_read_only && (
                <span className="block text-small font-normal text-ink-2">Account closed, read only</span>
              )}
            </span>
            {connects && !family.is_read_only && (
              <Button
                tone="quiet"
                size="small"
                aria-label={`${studentsLabel(family)} of ${nameOf(family)}`}
                onClick={() => setChosen(family)}
              >
                {studentsLabel(family)}
              </Button>
            )}
            {connects && (
              <Button
                tone="quiet"
                size="small"
                aria-label={`End the link with ${nameOf(family)}`}
                onClick={() => setLeft(family)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {connects && (
        <p className="help mt-2">
          Choose which of your students belong to a family: what you log for them is proposed to it.
        </p>
      )}
      {chosen && <StudentsDialog family={chosen} onClose={() => setChosen(undefined)} />}
      {left && (
        <ConfirmDialog
          title="End the link"
          text={`You will no longer see or confirm the sessions of ${nameOf(left)}.`}
          consequence="What you confirmed stays confirmed."
          confirmLabel="End"
          busyText="Ending..."
          isBusy={leave.isPending}
          onConfirm={() => void end(left)}
          onCancel={() => setLeft(undefined)}
        />
      )}
    </section>
  )
}

function StudentsDialog(props: { family: Family; onClose: () => void }) {
  return (
    <FormBoundary>
      <StudentsForm {...props} />
    </FormBoundary>
  )
}

function StudentsForm({ family, onClose }: { family: Family; onClose: () => void }) {
  const students = useStudents()
  const save = useSetFamilyStudents()
  const toast = useToast()
  const { problem, fail, clear } = useFailure()
  const [ids, setIds] = useState<readonly string[]>(family.student_ids)
  const submit = async () => {
    clear()
    try {
      await save.mutateAsync({ family, studentIds: [...ids] })
      toast.success('Students saved')
      onClose()
    } catch (error) {
      fail(error, 'Your choice was not saved. Please try again.')
    }
  }
  return (
    <FormDialog
      title={`Students of ${nameOf(family)}`}
      isDirty={ids !== family.student_ids}
      onClose={onClose}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button className="flex-1" busy={save.isPending} busyText="Saving..." onClick={() => void submit()}>
            Save
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        Sessions that you log for these students are proposed to the family. Your notes stay yours.
      </p>
      <div className="mt-3">
        {students.isPending && <p role="status">Loading students...</p>}
        <ListRetry list={students} plural="students" />
      </div>
      <ul className="mt-3">
        {students.data?.map((student) => (
          <li key={student.id} className="flex min-h-11 items-center gap-3">
            <input
              id={`s${student.id}`}
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={ids.includes(student.id)}
              onChange={(event) =>
                setIds(event.target.checked ? [...ids, student.id] : ids.filter((id) => id !== student.id))
              }
            />
            <label
              htmlFor={`s${student.id}`}
              className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center py-2 wrap-anywhere"
            >
              {student.name}
            </label>
          </li>
        ))}
      </ul>
      {students.data?.length === 0 && <p className="mt-3">No students yet. Add one on My Students first.</p>}
    </FormDialog>
  )
}
