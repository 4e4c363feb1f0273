import { type ReactNode, useState } from 'react'
import { type CalendarDay, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { late } from '#platform/ui/late.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { isUnanswered, standingOf } from '#features/agreements/answer.ts'
import { DeletionDialog } from '#features/agreements/AnswerDialogs.tsx'
import { useAnswers } from '#features/agreements/client.web.ts'
import { confirmWithWords, sessionKind } from './client.web.ts'
import { isThisMonth, type SharedSession } from './confirmation.ts'
import { ToConfirmRow } from './ToConfirmRow.tsx'

const SummaryDialog = late(async () => (await import('./SummaryDialog.tsx')).SummaryDialog)

/** The maximum number of confirmed sessions to show. */
const SHOWN_CONFIRMED = 12
/** The maximum number of confirmed sessions to show expanded when something else on the page needs an answer. */
const FEW = 3

interface AnsweredListProps {
  /** All shared sessions. Those that wait for the reader are left out. */
  sessions: SharedSession[]
  reader: Side
  /** Whether each row names the other side. */
  showsOther?: boolean
  /** Downloads the statement for a month that both sides confirmed. Omitted if they're elsewhere. */
  statement?: ((connectionId: string, month: string) => Promise<void>) | undefined
  /** Collapses the list of confirmed sessions because something further down the page also needs an answer. */
  foldsConfirmed?: boolean
}

/**
 * Everything below the waiting sessions: sessions that can't be answered, sessions that were answered, and
 * statements for whole months.
 */
export function AnsweredList({
  sessions,
  reader,
  statement,
  foldsConfirmed = false,
  showsOther = false,
}: AnsweredListProps) {
  const [left, setLeft] = useState<SharedSession>()
  const [written, setWritten] = useState<SharedSession>()
  const answers = useAnswers<SharedSession>({
    ...sessionKind(reader),
    told: ['other_closed', 'month_closed'],
  })
  const { busyWith, isFresh, keep, withdraw } = answers
  const { readOnly, leaving, sentBack, confirmed } = sortedOut(sessions)
  const row = (session: SharedSession) => ({
    session,
    reader,
    showsOther,
    showsMonth: !isThisMonth(session),
  })
  const undo = (session: SharedSession) => (session.is_read_only ? undefined : () => void withdraw(session))
  return (
    <>
      <Part
        title="Read-only"
        rows={readOnly}
        help={`${reader === 'parent' ? 'The tutor' : 'The family'} closed their account. You can still read these sessions, but you can't answer them.`}
      >
        {(session) => <ToConfirmRow key={session.id} {...row(session)} />}
      </Part>
      <Part title="You asked to delete" rows={leaving}>
        {(session) => (
          <ToConfirmRow
            key={session.id}
            {...row(session)}
            busy={busyWith(session)}
            onKeep={session.is_read_only ? undefined : () => void keep(session)}
            onDelete={isUnanswered(session, new Date()) ? () => setLeft(session) : undefined}
          />
        )}
      </Part>
      <Part title="Not right" rows={sentBack}>
        {(session) => <ToConfirmRow key={session.id} {...row(session)} onWithdraw={undo(session)} />}
      </Part>
      <Part
        title="Recently confirmed"
        rows={confirmed.slice(0, SHOWN_CONFIRMED)}
        isFolded={foldsConfirmed && confirmed.length > FEW}
      >
        {(session) => (
          <ToConfirmRow
            key={session.id}
            {...row(session)}
            isDrawn={isFresh(session)}
            onWithdraw={undo(session)}
            onWrite={session.is_read_only ? undefined : () => setWritten(session)}
          />
        )}
      </Part>
      {statement && <SignedMonths sessions={sessions} showsOther={showsOther} statement={statement} />}
      {left && <DeletionDialog answers={answers} entry={left} onClose={() => setLeft(undefined)} />}
      {written && (
        <SummaryDialog
          session={sessions.find(({ id }) => id === written.id) ?? written}
          reader={reader}
          onSend={confirmWithWords}
          onClose={() => setWritten(undefined)}
        />
      )}
    </>
  )
}

/** Groups sessions by what the reader can still do with them. */
function sortedOut(sessions: SharedSession[]) {
  return {
    readOnly: sessions.filter((session) => session.waits_for_you && session.is_read_only),
    leaving: sessions.filter((session) => session.deletion_asked_by === 'you'),
    sentBack: sessions.filter(
      (session) =>
        session.own_confirmation === 'disputed' && !session.waits_for_you && !session.deletion_asked_by,
    ),
    confirmed: sessions.filter((session) => standingOf(session) === 'verified'),
  }
}

/** Rows under a heading. Renders nothing if there are no rows. */
function Part({
  title,
  help,
  rows,
  isFolded = false,
  children,
}: {
  title: string
  help?: string
  rows: SharedSession[]
  isFolded?: boolean
  children: (session: SharedSession) => ReactNode
}) {
  if (rows.length === 0) return null
  const list = <ul className="card list overflow-hidden">{rows.map(children)}</ul>
  if (isFolded)
    return (
      <Disclosure className="mt-5" title={`${title} (${rows.length})`}>
        <div className="mt-1">{list}</div>
      </Disclosure>
    )
  return (
    <section className="mt-7">
      <SectionHeading>{title}</SectionHeading>
      {help && <p className="help mb-2.5">{help}</p>}
      {list}
    </section>
  )
}

interface SignedMonthsProps {
  sessions: SharedSession[]
  showsOther: boolean
  statement: (connectionId: string, month: string) => Promise<void>
}

/** Statements for the months in which both sides confirmed every session. */
function SignedMonths({ sessions, showsOther, statement }: SignedMonthsProps) {
  const toast = useToast()
  const [busy, setBusy] = useState<string>()
  const signed = signedMonths(sessions)
  if (signed.length === 0) return null
  const download = async ({ connectionId, month }: SignedMonth) => {
    if (busy) return
    setBusy(connectionId + month)
    try {
      await statement(connectionId, month)
    } catch {
      toast.error('Error', 'Failed to create the statement')
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <section className="mt-7">
      <SectionHeading>Signed-off statements</SectionHeading>
      <ul className="card list overflow-hidden">
        {signed.map((one) => {
          const { connectionId, otherName, month } = one
          const name = formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })
          return (
            <li
              key={connectionId + month}
              className="flex min-h-[56px] items-center justify-between gap-3 py-1.5 pr-2 pl-5"
            >
              <span className="min-w-0 font-semibold break-words">
                {name}
                {showsOther && (
                  <span className="block text-small font-normal text-ink-2">{otherName ?? 'A family'}</span>
                )}
              </span>
              <Button
                tone="quiet"
                size="small"
                busy={busy === connectionId + month}
                busyText="Creating..."
                aria-label={`Download PDF, statement for ${name}`}
                onClick={() => void download(one)}
              >
                Download PDF
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface SignedMonth {
  connectionId: string
  otherName: string | null
  month: string
}

/** Each connection's fully confirmed months, newest first. */
function signedMonths(sessions: SharedSession[]): SignedMonth[] {
  const months = new Map<string, SignedMonth & { isWhole: boolean }>()
  for (const session of sessions) {
    const { connection_id: connectionId, other_name: otherName } = session
    const month = monthOf(session.date as CalendarDay)
    const known = months.get(connectionId + month)
    const isAgreed = standingOf(session) === 'verified'
    months.set(connectionId + month, {
      connectionId,
      otherName,
      month,
      isWhole: isAgreed && (known?.isWhole ?? true),
    })
  }
  return [...months.values()].filter(({ isWhole }) => isWhole)
}
