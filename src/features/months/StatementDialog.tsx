import { CheckCheck, FileSpreadsheet, Printer } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type CalendarDay, calendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { problemTitle } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { usesLetter } from '#platform/ui/paper-size.web.ts'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useSignedStatement, useStatement } from './client.web.ts'
import type { Paper } from './statement.ts'

export const StatementDialog = inFormBoundary(StatementForm)

interface StatementDialogProps {
  days: { from: CalendarDay; to: CalendarDay }
  onClose: () => void
}

function StatementForm({ days, onClose }: StatementDialogProps) {
  const isParent = useMe().role === 'parent'
  const [from, setFrom] = useState<string>(days.from)
  const [to, setTo] = useState<string>(days.to)
  const [about, setAbout] = useState('')
  const [paper, setPaper] = useState<Paper>(usesLetter() ? 'letter' : 'a4')
  const [kind, id] = about.split(':')
  const problem = {
    from: calendarDay(from) ? undefined : 'Enter a date',
    to: !calendarDay(to) ? 'Enter a date' : to < from ? "The last day can't be before the first" : undefined,
  }
  const { failure, busyWith, download, downloadSigned } = useDownload()
  const isReady = !problem.from && !problem.to
  const month = from.slice(0, 7)
  const isMonth =
    problem.from === undefined && from === daysOfMonth(month).from && to === daysOfMonth(month).to
  const button = (wanted: 'csv' | 'pdf') => ({
    busy: busyWith === wanted,
    busyText: 'Creating...',
    blockedReason: isReady ? undefined : '',
    onClick: () => isReady && download({ from, to, about, paper }, wanted),
  })

  return (
    <FormDialog
      title="Statement"
      isDirty={false}
      onClose={onClose}
      problem={failure}
      footer={
        <>
          <Button tone="secondary" {...button('csv')}>
            <FileSpreadsheet className="i" aria-hidden="true" />
            CSV
          </Button>
          <Button className="flex-1" {...button('pdf')}>
            <Printer className="i" aria-hidden="true" />
            Download PDF
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <AboutField isParent={isParent} about={about} onChange={setAbout} />
        <div className="pair">
          <TextField
            label="First day"
            type="date"
            required
            value={from}
            error={problem.from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label="Last day"
            type="date"
            required
            value={to}
            error={problem.to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <SegmentedChoice
          label="Paper size"
          name="paper"
          value={paper}
          onValueChange={setPaper}
          options={[
            { value: 'letter', label: 'US Letter' },
            { value: 'a4', label: 'A4' },
          ]}
        />
        <p className="text-small text-ink-2">
          The totals match the ones on screen.{' '}
          {isParent && kind === 'student'
            ? "Payments are recorded per tutor. You'll find them on each tutor's statement."
            : 'The PDF also shows what was paid and what is due.'}
        </p>
        {isParent && kind === 'tutor' && isMonth && (
          <SignedOff isBusy={busyWith === 'signed'} onDownload={() => downloadSigned(month, id ?? '')} />
        )}
      </div>
    </FormDialog>
  )
}

interface Choice {
  from: string
  to: string
  /** Who the statement is about: everyone, or an id prefixed with `tutor:` or `student:`. */
  about: string
  paper: Paper
}

/** Downloads one statement at a time, and shows whether it worked. */
function useDownload() {
  const { problem: failure, fail, clear } = useFailure()
  const toast = useToast()
  const tutors = useTutors('all')
  const students = useStudents('all')
  const statement = useStatement()
  const signed = useSignedStatement()
  const run = async (work: () => Promise<unknown>) => {
    clear()
    try {
      await work()
      toast.success('Statement downloaded')
    } catch (error) {
      fail(error, problemTitle(error, 'Failed to create the statement'))
    }
  }
  return {
    failure,
    busyWith: signed.isPending ? 'signed' : statement.isPending ? statement.variables.kind : undefined,
    download: ({ from, to, about, paper }: Choice, wanted: 'csv' | 'pdf') => {
      const [kind, id] = about.split(':')
      const person = (kind === 'tutor' ? tutors : students).data?.find((one) => one.id === id)
      const choice = { from, to, ...(id ? { [`${kind}_id`]: id } : {}) }
      void run(() => statement.mutateAsync({ choice, about: person?.name, kind: wanted, paper }))
    },
    downloadSigned: (month: string, tutorId: string) =>
      void run(() => signed.mutateAsync({ month, tutorId })),
  }
}

interface AboutFieldProps {
  isParent: boolean
  about: string
  onChange: (about: string) => void
}

function AboutField({ isParent, about, onChange }: AboutFieldProps) {
  const tutors = useTutors('all')
  const students = useStudents('all')
  return (
    <>
      <SelectField label="About" value={about} onChange={(event) => onChange(event.target.value)}>
        <option value="">{isParent ? 'All tutors and children' : 'All students'}</option>
        {isParent && (
          <optgroup label="One tutor">
            {(tutors.data ?? []).map((tutor) => (
              <option key={tutor.id} value={`tutor:${tutor.id}`}>
                {tutor.name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={isParent ? 'One child' : 'One student'}>
          {(students.data ?? []).map((student) => (
            <option key={student.id} value={`student:${student.id}`}>
              {student.name}
            </option>
          ))}
        </optgroup>
      </SelectField>
      {isParent && <ListRetry list={tutors} plural="tutors" />}
      <ListRetry list={students} plural={isParent ? 'children' : 'students'} />
    </>
  )
}

/** Offers the signed-off statement, which is the same for both sides. */
function SignedOff({ isBusy, onDownload }: { isBusy: boolean; onDownload: () => void }) {
  return (
    <div className="rounded-md bg-accent-soft p-4">
      <p className="text-small text-ink-2">
        Once every session in the month is agreed, you and the tutor can download the same signed-off
        statement. Anyone can use its code to check that it’s genuine.
      </p>
      <Button
        tone="secondary"
        size="small"
        className="mt-3"
        busy={isBusy}
        busyText="Creating..."
        onClick={onDownload}
      >
        <CheckCheck className="i" aria-hidden="true" />
        Signed-off statement
      </Button>
    </div>
  )
}
