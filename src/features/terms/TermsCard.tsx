import { useId, useState } from 'react'
import { useCanWrite } from '#features/accounts/client.web.ts'
import { standingOf } from '#features/agreements/answer.ts'
import { AnswerLink } from '#features/agreements/AnswerRow.tsx'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import type { Currency } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { late } from '#platform/ui/late.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { BOTH_SIDES, TickLine } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { refreshed } from '#features/agreements/client.web.ts'
import { call } from '#platform/api.web.ts'
import { capital, endTerms, type Saving, type TermsHolder, useTerms } from './client.web.ts'
import { Sentences } from './Sentences.tsx'
import { applyingOn, KeepTerms, type Terms, WithdrawTermsConfirmation } from './terms.ts'
import { TermsAnswer } from './TermsAnswer.tsx'
import { STARTS } from './terms-form.ts'
import { TermsHistory } from './TermsHistory.tsx'

const TermsDialog = late(async () => (await import('./TermsDialog.tsx')).TermsDialog)

interface TermsCardProps {
  holder: TermsHolder
  /** The active connection; null if there's none, and the terms are the reader's own. */
  connectionId: string | null
  /** What to call the other side within a sentence. */
  other: string
  currency: Currency
  /** Whether nothing can be changed, because the other side's account is closed. */
  isReadOnly?: boolean
}

/** Whether a version is about these people, in the connection or in the reader's own records. */
function isOf(terms: Terms, holder: TermsHolder, connectionId: string | null): boolean {
  if (connectionId !== null) return terms.connection_id === connectionId
  if (terms.connection_id !== null) return false
  return 'tutor_id' in holder
    ? terms.tutor_id === holder.tutor_id
    : 'student_id' in holder && terms.student_id === holder.student_id
}

/** The terms with one person: what applies, what's proposed, and what applied before. */
export function TermsCard(props: TermsCardProps) {
  const { holder, connectionId, isReadOnly = false } = props
  const id = useId()
  const list = useTerms()
  const canWrite = useCanWrite() && !isReadOnly
  if (!list.isEnabled) return null
  const versions = list.data?.terms.filter((one) => isOf(one, holder, connectionId)) ?? []
  if (list.data && versions.length === 0 && !canWrite) return null
  return (
    <section className="card grid gap-4 px-5 py-4" aria-labelledby={id}>
      <h2 id={id} className="k">
        Terms
      </h2>
      <ListRetry list={list} plural="terms" />
      {list.isLoading && (
        <Loading label="Loading terms...">
          <div className="sk h-4 w-2/3" />
          <div className="sk mt-2 h-4 w-1/2" />
        </Loading>
      )}
      {list.data && (
        <Versions
          {...props}
          canWrite={canWrite}
          versions={versions}
          own={connectionId === null ? undefined : ownOf(list.data.terms, holder)}
        />
      )}
    </section>
  )
}

/** The reader's own terms from before the connection, to propose them. */
function ownOf(terms: readonly Terms[], holder: TermsHolder): Terms | undefined {
  return applyingOn(
    terms.filter((one) => isOf(one, holder, null)),
    dayIn(new Date()),
  )
}

interface VersionsProps extends TermsCardProps {
  versions: readonly Terms[]
  own: Terms | undefined
  canWrite: boolean
}

/** A form to open: what it saves, and the rules that it starts from. */
interface Opening {
  saving: Saving
  start: object
}

/** The version that applies today, the one that's proposed, and those that applied before. */
function sorted(versions: readonly Terms[]) {
  const applying = applyingOn(versions, dayIn(new Date()))
  const proposed = versions.find(
    (one) => one.connection_id !== null && standingOf(one) !== 'verified' && one !== applying && !isGone(one),
  )
  const earlier = versions.filter((one) => one !== applying && one !== proposed && one.applies_from !== null)
  return { applying, proposed, earlier }
}

/** Who said what about a version. Nothing for the reader's own. */
function Said({ terms, other }: { terms: Terms; other: string }) {
  if (!terms.is_shared) return null
  return (
    <Disclosure title="Who said what" className="text-small">
      <TermsHistory id={terms.id} other={capital(other)} />
    </Disclosure>
  )
}

function Versions(props: VersionsProps) {
  const { versions, own, holder, connectionId, other, currency, canWrite } = props
  const [form, setForm] = useState<Opening>()
  const { applying, proposed, earlier } = sorted(versions)
  const current = applying ?? proposed
  const propose = (start: object) => setForm({ saving: { propose: holder }, start })
  const draftKey = Object.values(holder).join()
  useReopen('terms', [{ id: draftKey }, ...versions], (row) => {
    const version = versions.find((one) => row !== 'new' && one.id === row.id)
    if (!version) return propose(applying?.rules ?? {})
    setForm({
      saving: version.waits_for_you ? { answer: version } : { change: version },
      start: version.rules,
    })
  })
  return (
    <>
      {applying && (
        <Applying
          {...props}
          terms={applying}
          onChange={proposed ? undefined : () => propose(applying.rules)}
        />
      )}
      {proposed && (
        <div className={applying ? 'border-t border-line pt-4' : ''}>
          {proposed.waits_for_you && canWrite ? (
            <TermsAnswer terms={proposed} applying={applying} other={other} />
          ) : (
            <Proposed
              {...props}
              terms={proposed}
              applying={applying}
              onChange={() => setForm({ saving: { change: proposed }, start: proposed.rules })}
            />
          )}
        </div>
      )}
      {!applying && !proposed && (
        <Starts
          isAlone={connectionId === null}
          other={other}
          own={own}
          onStart={propose}
          hasEarlier={earlier.length > 0}
        />
      )}
      {earlier.length > 0 && <Earlier versions={earlier} all={versions} />}
      {current && <Said terms={current} other={other} />}
      {form && (
        <TermsDialog
          {...form}
          before={applying?.sentences}
          currency={applying?.currency ?? currency}
          other={connectionId === null ? undefined : other}
          onClose={() => setForm(undefined)}
        />
      )}
    </>
  )
}

/** Whether a version had been agreed and isn't any more, while a later one applies. */
const isGone = ({ ended_on: ended }: Terms) => ended !== null

const inWords = (day: string) =>
  formatDay(day as CalendarDay, { month: 'short', day: 'numeric', year: 'numeric' })

interface ApplyingProps extends VersionsProps {
  terms: Terms
  /** Omitted while other terms are proposed. */
  onChange: (() => void) | undefined
}

function Applying({ terms, other, canWrite, onChange }: ApplyingProps) {
  const { run, isBusy } = useRun()
  const [isEnding, setIsEnding] = useState(false)
  const isAlone = !terms.is_shared
  const end = async () => {
    const wasAsked = await run(() => endTerms(terms), 'The terms could not be ended')
    setIsEnding(false)
    return wasAsked
  }
  if (terms.deletion_asked_by === 'other' && canWrite)
    return <TermsAnswer terms={terms} applying={terms} other={other} />
  return (
    <div className="grid gap-3">
      <Sentences sentences={terms.sentences} />
      <div className="flex flex-wrap items-center gap-x-3 text-small text-ink-2">
        {isAlone ? <Badge>Only yours</Badge> : <TickLine by={BOTH_SIDES} words="Agreed" about="Terms" />}
        <span className="num">since {inWords(terms.applies_from ?? terms.date)}</span>
      </div>
      {terms.deletion_asked_by === 'you' ? (
        <div className="flex flex-wrap items-center gap-x-3">
          <Badge tone="warn">Waiting for {other} to end them</Badge>
          <AnswerLink
            label="Keep them"
            name="terms"
            isBlocked={isBusy}
            onClick={() =>
              void run(
                () => refreshed(call(KeepTerms, {}, { id: terms.id, version: terms.version })),
                'Your answer could not be saved',
              )
            }
          />
        </div>
      ) : (
        canWrite && (
          <div className="flex flex-wrap items-center gap-x-4">
            {onChange && (
              <Button size="small" tone="secondary" onClick={onChange}>
                Change
              </Button>
            )}
            <AnswerLink label="End these terms" name="terms" onClick={() => setIsEnding(true)} />
          </div>
        )
      )}
      {isEnding && (
        <ConfirmDialog
          title="End these terms?"
          text={
            isAlone
              ? 'From today, nothing is written down about missed lessons and fees.'
              : `They end once ${other} agrees. Until then, they still apply.`
          }
          confirmLabel={isAlone ? 'End them' : `Ask to end them`}
          busyText="Ending..."
          isBusy={isBusy}
          onConfirm={() => void end()}
          onCancel={() => setIsEnding(false)}
        />
      )}
    </div>
  )
}

interface ProposedProps extends VersionsProps {
  terms: Terms
  applying: Terms | undefined
  onChange: () => void
}

/** Terms that wait for the other side, or that it declined. */
function Proposed({ terms, applying, other, canWrite, onChange }: ProposedProps) {
  const { run, isBusy } = useRun()
  const isDeclined = terms.other_confirmation === 'disputed'
  const isOwnNo = terms.own_confirmation === 'disputed'
  const status = isDeclined
    ? `${capital(other)}: not right`
    : isOwnNo
      ? 'You said: not right'
      : `Waiting for ${other}`
  const shown = isOwnNo && terms.proposal && !terms.proposal.is_removal ? terms.proposal : terms
  return (
    <div className="grid gap-3">
      <div>
        <Badge tone={isDeclined || isOwnNo ? 'danger' : 'warn'}>{status}</Badge>
      </div>
      {terms.dispute_note && <p className="wrap-anywhere text-ink-2">“{terms.dispute_note}”</p>}
      <Sentences sentences={shown.sentences} before={applying?.sentences} />
      {applying && <p className="text-small text-ink-2">Until you both agree, what’s above applies.</p>}
      {canWrite && (
        <div className="flex flex-wrap items-center gap-x-4">
          {isOwnNo ? (
            <AnswerLink
              label="Undo"
              name="your answer about the terms"
              isBlocked={isBusy}
              onClick={() =>
                void run(
                  () => refreshed(call(WithdrawTermsConfirmation, {}, { id: terms.id })),
                  'Your answer could not be undone',
                )
              }
            />
          ) : (
            <>
              <Button size="small" tone="secondary" onClick={onChange}>
                Change
              </Button>
              <AnswerLink
                label={terms.applies_from ? 'End' : 'Withdraw'}
                name="proposed terms"
                isBlocked={isBusy}
                onClick={() => void run(() => endTerms(terms), 'The terms could not be withdrawn')}
              />
            </>
          )}
        </div>
      )}
    </div>
  )
}

interface StartsProps {
  isAlone: boolean
  other: string
  own: Terms | undefined
  hasEarlier: boolean
  onStart: (rules: object) => void
}

function Starts({ isAlone, other, own, hasEarlier, onStart }: StartsProps) {
  return (
    <div className="grid gap-3">
      <p className="text-ink-2 wrap-anywhere">
        {isAlone
          ? 'Write down what a canceled lesson costs. Only you see it.'
          : `Agree with ${other} on what a canceled lesson costs.`}
        {!hasEarlier && ' Start from:'}
      </p>
      <div className="flex flex-wrap gap-2">
        {own && (
          <Button size="small" tone="secondary" onClick={() => onStart(own.rules)}>
            Your own terms
          </Button>
        )}
        {STARTS.map(({ label, rules }) => (
          <Button key={label} size="small" tone="secondary" onClick={() => onStart(rules)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Versions that applied before, each with its days. Those replaced on the day they began never applied. */
function Earlier({ versions, all }: { versions: readonly Terms[]; all: readonly Terms[] }) {
  const began = all.filter((one) => one.applies_from !== null)
  const until = (one: Terms) =>
    one.ended_on ??
    began
      .filter((later) => later !== one && (later.applies_from ?? '') >= (one.applies_from ?? ''))
      .map((later) => later.applies_from ?? '')
      .toSorted()[0]
  return (
    <Disclosure title="Earlier terms" className="text-small">
      <ol className="grid gap-4 pb-1">
        {versions.map((one) => (
          <li key={one.id} className="grid gap-1.5">
            <p className="num text-ink-3">
              {inWords(one.applies_from ?? one.date)} to {inWords(until(one) ?? one.date)}
            </p>
            <Sentences sentences={one.sentences} />
          </li>
        ))}
      </ol>
    </Disclosure>
  )
}

/** Runs one call at a time, and says so if it fails. */
function useRun() {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const run = async (work: () => Promise<unknown>, failure: string) => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      toast.error('Error', error instanceof CallFailed ? error.problem.title : failure)
    } finally {
      setIsBusy(false)
    }
  }
  return { run, isBusy }
}
