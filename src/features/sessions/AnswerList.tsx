import { CheckCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { isUnanswered, standingOf } from '#features/agreements/answer.ts'
import { DeletionDialog, DisputeDialog } from '#features/agreements/AnswerDialogs.tsx'
import { type Answers, confirmedOf, useAnswers } from '#features/agreements/client.web.ts'
import { confirmWithWords, sessionKind } from './client.web.ts'
import { type SharedSession, totalInWords } from './confirmation.ts'
import { eachWords, type WordsField } from './lesson-words.ts'
import { ToConfirmRow } from './ToConfirmRow.tsx'

const SummaryDialog = late(async () => (await import('./SummaryDialog.tsx')).SummaryDialog)

/** The maximum number of confirmed sessions to show. */
const SHOWN_CONFIRMED = 12
/** The maximum number of confirmed sessions to show expanded when something else on the page needs an answer. */
const FEW = 3

interface AnswerListProps {
  sessions: SharedSession[]
  /** The side that's answering. */
  reader: Side
  /**
   * Whether the reader shares sessions with more than one person. If so, each row names the other side, even
   * if all listed sessions are with the same person.
   */
  hasSeveral?: boolean
  /**
   * Replaces the default grouping of waiting and just-answered sessions, which is by month. The list then
   * shows only the sessions in these groups.
   */
  groups?: (listed: SharedSession[]) => AnswerGroup[]
  /** Downloads the statement for a month that both sides confirmed. Omitted if they're elsewhere. */
  statement?: ((connectionId: string, month: string) => Promise<void>) | undefined
  /** Collapses the list of confirmed sessions because something further down the page also needs an answer. */
  foldsConfirmed?: boolean
}

/** A group of rows under one heading. */
export interface AnswerGroup {
  key: string
  heading: ReactNode
  rows: SharedSession[]
}

/**
 * Every session the reader's side can act on: sessions waiting for it (by month), sessions it sent back, and
 * sessions it recently confirmed.
 */
export function AnswerList({ hasSeveral = false, groups: groupsOf, ...props }: AnswerListProps) {
  const { sessions, reader } = props
  const [disputed, setDisputed] = useState<SharedSession>()
  const [left, setLeft] = useState<SharedSession>()
  const [written, setWritten] = useState<SharedSession>()
  useReopen('dispute', sessions, (session) => session !== 'new' && setDisputed(session))
  useReopen('summary', sessions, (session) => session !== 'new' && setWritten(session))
  const answers = useAnswers<SharedSession>({
    ...sessionKind(reader),
    told: ['other_closed', 'month_closed'],
  })
  const showsOther = hasSeveral || new Set(sessions.map((session) => session.connection_id)).size > 1
  const sorted = sortedOut(sessions, answers)
  const parts: PartsProps = {
    ...props,
    answers,
    showsOther,
    onDispute: setDisputed,
    onLeave: setLeft,
    onWrite: setWritten,
  }
  return (
    <>
      {(groupsOf ?? byMonth)(sorted.listed).map((group) => (
        <WaitingGroup {...parts} key={group.key} group={group} isShort={groupsOf !== undefined} />
      ))}
      {!groupsOf && <AnsweredParts {...parts} sorted={sorted} />}
      {left && <DeletionDialog answers={answers} entry={left} onClose={() => setLeft(undefined)} />}
      {written && (
        <SummaryDialog
          session={[...sessions, ...answers.kept].find(({ id }) => id === written.id) ?? written}
          reader={reader}
          onSend={(session, words) => write(session, words, answers)}
          onClose={() => setWritten(undefined)}
        />
      )}
      {disputed && (
        <DisputeDialog kind={answers.kind} entry={disputed} onClose={() => setDisputed(undefined)} />
      )}
    </>
  )
}

/** Confirms a session with what's written about it. One that's already verified stays in its list. */
async function write(
  session: SharedSession,
  words: Record<WordsField, string>,
  { kept, stay }: Answers<SharedSession>,
) {
  const { version } = await confirmWithWords(session, words)
  if (standingOf(session) === 'verified' && !kept.some(({ id }) => id === session.id)) return
  stay({
    ...(session.own_confirmation === 'confirmed' ? session : confirmedOf(session, version)),
    version,
    ...eachWords((field) => words[field].trim() || null),
  })
}

/** Groups sessions by what the reader can do with them. */
function sortedOut(sessions: SharedSession[], { kept, listed }: Answers<SharedSession>) {
  const unanswered = sessions.filter((session) => session.waits_for_you)
  const waiting = unanswered.filter((session) => !session.is_read_only)
  const sentBack = sessions.filter(
    (session) =>
      session.own_confirmation === 'disputed' && !session.waits_for_you && !session.deletion_asked_by,
  )
  // A session that has since been changed or sent back is listed under its new status instead.
  const moved = [...unanswered, ...sentBack].map(({ id }) => id)
  const stays = listed(waiting).filter((session) => session.waits_for_you || !moved.includes(session.id))
  return {
    listed: stays,
    readOnly: unanswered.filter((session) => session.is_read_only),
    leaving: sessions.filter((session) => session.deletion_asked_by === 'you'),
    sentBack,
    confirmed: sessions.filter(
      (session) => standingOf(session) === 'verified' && !kept.some(({ id }) => session.id === id),
    ),
  }
}

interface PartsProps extends Omit<AnswerListProps, 'hasSeveral' | 'groups'> {
  answers: Answers<SharedSession>
  /** Whether each row names the other side. */
  showsOther: boolean
  onDispute: (session: SharedSession) => void
  onLeave: (session: SharedSession) => void
  onWrite: (session: SharedSession) => void
}

/** The sessions under one heading: those waiting for an answer and those just answered. */
function WaitingGroup({
  answers: { busyWith, confirm, keep, withdraw },
  reader,
  showsOther,
  onDispute,
  onLeave,
  onWrite,
  group: { key, heading, rows },
  isShort,
}: PartsProps & { group: AnswerGroup; isShort: boolean }) {
  const open = openOf(rows)
  return (
    <section className={isShort ? '' : 'mt-6'} aria-labelledby={isShort ? undefined : `m${key}`}>
      {heading}
      <ul className="card list overflow-hidden">
        {rows.map((session) => (
          <ToConfirmRow
            key={session.id}
            session={session}
            reader={reader}
            showsOther={showsOther}
            // The heading already names the month, so the row shows only the day.
            showsMonth={isShort && !isThisMonth(session)}
            isCompact={isShort}
            busy={busyWith(session)}
            onWrite={() => onWrite(session)}
            {...(session.waits_for_you
              ? {
                  onConfirm: () => void confirm(session),
                  onDispute: () => onDispute(session),
                  onKeep: () => void keep(session),
                  onDelete: () => onLeave(session),
                }
              : { isDrawn: true, onWithdraw: () => void withdraw(session) })}
          />
        ))}
      </ul>
      {open.length > 1 && !isShort && (
        <Button
          tone="secondary"
          className="mt-3 w-full md:w-auto"
          busy={open.some(busyWith)}
          busyText="Confirming..."
          onClick={() => void confirm(...open)}
        >
          <CheckCheck className="i" aria-hidden="true" />
          Confirm all {open.length}
        </Button>
      )}
    </section>
  )
}

/**
 * Everything below the waiting sessions: sessions that can't be answered, sessions that were answered, and
 * statements for whole months.
 */
function AnsweredParts({
  sessions,
  answers: { busyWith, isFresh, keep, withdraw },
  reader,
  statement,
  foldsConfirmed = false,
  showsOther,
  onLeave,
  onWrite,
  sorted: { readOnly, leaving, sentBack, confirmed },
}: PartsProps & { sorted: ReturnType<typeof sortedOut> }) {
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
            onDelete={isUnanswered(session, new Date()) ? () => onLeave(session) : undefined}
          />
        )}
      </Part>
      <Part title="Sent back" rows={sentBack}>
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
            onWrite={session.is_read_only ? undefined : () => onWrite(session)}
          />
        )}
      </Part>
      {statement && <SignedMonths sessions={sessions} showsOther={showsOther} statement={statement} />}
    </>
  )
}

function isThisMonth({ date }: SharedSession): boolean {
  return monthOf(date as CalendarDay) === monthOf(dayIn(new Date()))
}

/** The sessions in these rows that can be confirmed. */
function openOf(rows: SharedSession[]): SharedSession[] {
  return rows.filter((session) => session.waits_for_you && session.deletion_asked_by === null)
}

/** Groups rows by month. Each heading shows the month and its unconfirmed total. */
function byMonth(listed: SharedSession[]): AnswerGroup[] {
  const months = new Set(listed.map((session) => monthOf(session.date as CalendarDay)))
  return [...months].map((month) => {
    const rows = listed.filter((session) => session.date.startsWith(month))
    const open = openOf(rows)
    return {
      key: month,
      rows,
      heading: (
        <div className="mb-2.5 flex min-h-11 flex-wrap items-center justify-between gap-x-3">
          <h2 id={`m${month}`}>
            {formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })}
          </h2>
          {open.length > 0 && <span className="num text-small text-ink-2">{totalsOf(open)}</span>}
        </div>
      ),
    }
  })
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

/** For example, "3 sessions, 4.5 h, $202.50". Leaves out the amount if the sessions use different currencies. */
function totalsOf(sessions: SharedSession[]): string {
  const minutes = sessions.reduce((sum, session) => sum + session.duration * 60, 0) as Minutes
  const isOneCurrency = new Set(sessions.map((session) => session.currency)).size === 1
  const money = isOneCurrency ? (totalInWords(sessions) ?? '–') : undefined
  return [
    `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}`,
    `${formatHours(minutes)} h`,
    money,
  ]
    .filter(Boolean)
    .join(', ')
}
