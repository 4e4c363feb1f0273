import { Check } from 'lucide-react'
import { useState } from 'react'
import { useStudents } from '#features/students/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { type Currency, formatAmount, inCurrency } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { forgetDraft, keepDraft, readDraft, withDraft } from '#platform/ui/draft.web.ts'
import { DurationField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { ListField, ListRetry } from '#platform/ui/ListField.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import { useAcceptProposal, useDeclineProposal, useProposals } from './client.web.ts'
import { fieldsOf, toCorrection } from './correction.ts'
import type { Proposal } from './proposal.ts'

const money = (amount: number | null, currency: Currency) =>
  amount === null ? 'no rate' : formatAmount(amount, currency)

/** What linked tutors logged for this family: accept it, correct it, or put it aside. Nothing where there is nothing. */
export function ProposedCard() {
  const proposals = useProposals()
  const [corrected, setCorrected] = useState<Proposal>()
  useReopen('proposal', proposals.data, (proposal) => proposal !== 'new' && setCorrected(proposal))
  if (!proposals.data?.length) return <ListRetry list={proposals} plural="proposals" />
  return (
    <section className="mt-7">
      <SectionHeading>Proposed by your tutors</SectionHeading>
      <ul className="card list overflow-hidden">
        {proposals.data.map((proposal) => (
          <ProposalRow key={proposal.id} proposal={proposal} onCorrect={() => setCorrected(proposal)} />
        ))}
      </ul>
      {corrected && <CorrectDialog proposal={corrected} onClose={() => setCorrected(undefined)} />}
    </section>
  )
}

function ProposalRow({ proposal, onCorrect }: { proposal: Proposal; onCorrect: () => void }) {
  const accept = useAcceptProposal()
  const decline = useDeclineProposal()
  const toast = useToast()
  const day = proposal.date as CalendarDay
  const same = proposal.same_session
  const child = proposal.student_first_name ?? UNKNOWN_STUDENT
  const run = async () => {
    if (!proposal.child_id) return onCorrect()
    try {
      await accept.mutateAsync({
        proposal,
        input: { student_id: proposal.child_id, ...(same ? { session_id: same.id } : {}) },
      })
      toast.success('Session accepted', 'You and the tutor agree on it.')
    } catch {
      toast.error('Error', 'Failed to add session')
    }
  }
  const putAside = async () => {
    try {
      await decline.mutateAsync(proposal)
      toast.success('Put aside', 'It comes back if the tutor changes it.')
    } catch {
      toast.error('Error', 'This could not be put aside')
    }
  }
  return (
    <li className="log">
      <DayMargin day={day} />
      <div className="m col-span-2 pr-4!">
        <div className="flex items-baseline justify-between gap-3">
          <div className="t" title={child}>
            {child}
          </div>
          <b className="num whitespace-nowrap">
            {proposal.total_amount === null ? '–' : money(proposal.total_amount, proposal.currency)}
          </b>
        </div>
        <div className="s num">
          {inOneLine([
            proposal.subject,
            hoursInWords(proposal.duration),
            `${money(proposal.rate, proposal.currency)}/h`,
          ])}
        </div>
        <div className="s">{proposal.tutor_name}</div>
        {same && (
          <p className="s mt-1">
            {same.is_equal
              ? 'You logged the same lesson.'
              : `You logged this lesson with ${hoursInWords(same.duration)} at ${money(same.rate, proposal.currency)}. Accepting takes the tutor's.`}
          </p>
        )}
        <div className="mt-2.5 flex flex-wrap gap-2 md:max-w-md">
          <Button
            size="small"
            className="flex-1"
            busy={accept.isPending}
            busyText="Accepting..."
            aria-label={`Accept, ${child}, ${formatDay(day, { month: 'short', day: 'numeric' })}`}
            onClick={() => void run()}
          >
            <Check className="i" aria-hidden="true" />
            Accept
          </Button>
          <Button size="small" tone="secondary" onClick={onCorrect}>
            Correct
          </Button>
          <Button
            size="small"
            tone="quiet"
            className="max-md:-mx-3"
            busy={decline.isPending}
            busyText="One moment..."
            onClick={() => void putAside()}
          >
            Not ours
          </Button>
        </div>
      </div>
    </li>
  )
}

function CorrectDialog(props: { proposal: Proposal; onClose: () => void }) {
  const draft = `proposal:${props.proposal.id}`
  return (
    <FormBoundary draft={draft}>
      <CorrectForm {...props} draft={draft} />
    </FormBoundary>
  )
}

interface CorrectFormProps {
  proposal: Proposal
  onClose: () => void
  draft: string
}

function CorrectForm({ proposal, onClose, draft }: CorrectFormProps) {
  const students = useStudents()
  const accept = useAcceptProposal()
  const toast = useToast()
  const { problem, fail, clear } = useFailure((field) => field in fields)
  const [fields, setFields] = useState(() => withDraft(draft, fieldsOf(proposal)))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isDirty, setIsDirty] = useState(() => readDraft(draft) !== undefined)
  const set = (change: Partial<typeof fields>) => {
    setIsDirty(true)
    setFields({ ...fields, ...change })
    keepDraft(draft, { ...fields, ...change })
  }
  const close = () => {
    forgetDraft(draft)
    onClose()
  }
  const save = async () => {
    clear()
    try {
      const session = await accept.mutateAsync({
        proposal,
        input: toCorrection(fields, proposal),
      })
      toast.success(
        'Session added successfully',
        session.verified_by_tutor ? undefined : 'The tutor is asked to confirm what you changed.',
      )
      close()
    } catch (error) {
      setErrors(
        error instanceof CallFailed
          ? Object.fromEntries(error.problem.errors?.map(({ field, message }) => [field, message]) ?? [])
          : {},
      )
      fail(error, 'Failed to add session')
    }
  }
  return (
    <FormDialog
      title="Correct what was proposed"
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Cancel
          </Button>
          <Button
            className="flex-1"
            busy={accept.isPending}
            busyText="Adding..."
            blockedReason={fields.student_id ? undefined : ''}
            onClick={() => void save()}
          >
            Add Session
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ListField
          label="Child"
          required
          list={students}
          plural="children"
          prompt="Select a child"
          value={fields.student_id}
          error={errors.student_id}
          onChange={(event) => set({ student_id: event.target.value })}
        />
        <div className="pair">
          <TextField
            label="Date"
            type="date"
            required
            value={fields.date}
            error={errors.date}
            onChange={(event) => set({ date: event.target.value })}
          />
          <DurationField
            label="Duration (hours)"
            required
            step={0.25}
            least={0}
            value={fields.duration}
            error={errors.duration}
            onValueChange={(duration) => set({ duration })}
          />
        </div>
        <TextField
          label={inCurrency('Rate ($/hour)', proposal.currency)}
          className="num"
          inputMode="decimal"
          value={fields.hourly_rate}
          error={errors.hourly_rate}
          onChange={(event) => set({ hourly_rate: event.target.value })}
        />
      </div>
    </FormDialog>
  )
}
