import { CheckCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Answers } from './client.web.ts'
import { isUnanswered } from '#features/agreements/answer.ts'
import { type SharedSession, totalInWords } from './confirmation.ts'
import { eachWords, type WordsField } from './lesson-words.ts'
import { capital, otherSide } from './standing-text.ts'
import { ToConfirmRow } from './ToConfirmRow.tsx'

const DisputeDialog = late(async () => (await import('./DisputeDialog.tsx')).DisputeDialog)
const AgreeDialog = late(async () => (await import('./LeaveDialog.tsx')).AgreeDialog)
const LeaveDialog = late(async () => (await import('./LeaveDialog.tsx')).LeaveDialog)
const SummaryDialog = late(async () => (await import('./SummaryDialog.tsx')).SummaryDialog)

/** The maximum number of confirmed sessions to show. */
const SHOWN_CONFIRMED = 12
/** The maximum number of confirmed sessions to show expanded when something else on the page needs an answer. */
const FEW = 3

interface AnswerListProps {
  sessions: SharedSession[]
  answers: Answers
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
  const { sessions, answers, reader } = props
  const [disputed, setDisputed] = useState<SharedSession>()
  const [left, setLeft] = useState<SharedSession>()
  const [written, setWritten] = useState<SharedSession>()
  useReopen('dispute', sessions, (session) => session !== 'new' && setDisputed(session))
  useReopen('summary', sessions, (session) => session !== 'new' && setWritten(session))
  const answering = useAnswering(answers, reader)
  const { busy, kept, remove, write } = answering
  const showsOther = hasSeveral || new Set(sessions.map((session) => session.connection_id)).size > 1
  const sorted = sortedOut(sessions, kept)
  const parts: PartsProps = {
    ...props,
    answering,
    showsOther,
    onDispute: setDisputed,
    onLeave: setLeft,
    onWrite: answers.write && setWritten,
  }
  const DeleteDialog = left?.deletion_asked_by === 'other' ? AgreeDialog : LeaveDialog
  return (
    <>
      {(groupsOf ?? byMonth)(sorted.listed).map((group) => (
        <WaitingGroup {...parts} key={group.key} group={group} isShort={groupsOf !== undefined} />
      ))}
      {!groupsOf && <AnsweredParts {...parts} sorted={sorted} />}
      {left && (
        <DeleteDialog
          other={otherSide(reader, left.other_name)}
          isBusy={busy.includes(left.id)}
          onConfirm={() => void remove(left).then(() => setLeft(undefined))}
          onCancel={() => setLeft(undefined)}
        />
      )}
      {written && answers.write && (
        <SummaryDialog
          session={[...sessions, ...kept].find(({ id }) => id === written.id) ?? written}
          reader={reader}
          onSend={write}
          onClose={() => setWritten(undefined)}
        />
      )}
      {disputed && (
        <DisputeDialog
          session={disputed}
          reader={reader}
          onSend={(note) => answers.dispute(disputed, note)}
          onClose={() => setDisputed(undefined)}
        />
      )}
    </>
  )
}

/**
 * Groups sessions by what the reader can do with them.
 * @param kept sessions that were just confirmed on this page and stay where they are
 */
function sortedOut(sessions: SharedSession[], kept: readonly SharedSession[]) {
  const unanswered = sessions.filter((session) => session.waits_for_you)
  const waiting = unanswered.filter((session) => !session.is_read_only)
  const sentBack = sessions.filter(
    (session) =>
      session.own_confirmation === 'disputed' && !session.waits_for_you && !session.deletion_asked_by,
  )
  // A session that has since been changed or sent back is listed under its new status instead.
  const stays = kept.filter(({ id }) => ![...unanswered, ...sentBack].some((session) => session.id === id))
  return {
    listed: [...waiting, ...stays].sort(newestFirst),
    readOnly: unanswered.filter((session) => session.is_read_only),
    leaving: sessions.filter((session) => session.deletion_asked_by === 'you'),
    sentBack,
    confirmed: sessions.filter(
      ({ id, verified_by_tutor: isVerified, deletion_asked_by: asked }) =>
        isVerified && !asked && !stays.some((session) => session.id === id),
    ),
  }
}

interface PartsProps extends Omit<AnswerListProps, 'hasSeveral' | 'groups'> {
  answering: ReturnType<typeof useAnswering>
  /** Whether each row names the other side. */
  showsOther: boolean
  onDispute: (session: SharedSession) => void
  onLeave: (session: SharedSession) => void
  onWrite: ((session: SharedSession) => void) | undefined
}

/** The sessions under one heading: those waiting for an answer and those just answered. */
function WaitingGroup({
  answers,
  reader,
  answering: { busy, confirm, keep, withdraw },
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
            isBusy={busy.includes(session.id)}
            onWrite={onWrite && (() => onWrite(session))}
            {...(session.waits_for_you
              ? {
                  onConfirm: () => void confirm([session]),
                  onDispute: () => onDispute(session),
                  onKeep: answers.keep && (() => void keep(session)),
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
          busy={open.some(({ id }) => busy.includes(id))}
          busyText="Confirming..."
          onClick={() => void confirm(open)}
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
  answers,
  reader,
  foldsConfirmed = false,
  answering: { busy, drawn, run, keep, withdraw },
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
            isBusy={busy.includes(session.id)}
            onKeep={session.is_read_only ? undefined : answers.keep && (() => void keep(session))}
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
            isDrawn={drawn.includes(session.id)}
            onWithdraw={undo(session)}
            onWrite={session.is_read_only ? undefined : onWrite && (() => onWrite(session))}
          />
        )}
      </Part>
      {answers.statement && (
        <SignedMonths
          sessions={sessions}
          showsOther={showsOther}
          busy={busy}
          onDownload={(connectionId, month) =>
            void run(
              [connectionId + month],
              async () => answers.statement?.(connectionId, month),
              'Failed to create the statement',
            )
          }
        />
      )}
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

/**
 * Tracks answers that are being sent or were just given, so that a second tap neither repeats an answer nor
 * hits the next row.
 */
function useAnswering(answers: Answers, reader: Side) {
  const toast = useToast()
  const [busy, setBusy] = useState<readonly string[]>([])
  const [drawn, setDrawn] = useState<readonly string[]>([])
  /**
   * Sessions confirmed here one by one. They stay in place, so that a second tap doesn't confirm the next
   * session.
   */
  const [kept, setKept] = useState<readonly SharedSession[]>([])
  const run = async (ids: string[], work: () => Promise<unknown>, failure: string) => {
    if (ids.some((id) => busy.includes(id))) return
    setBusy([...busy, ...ids])
    try {
      await work()
    } catch (error) {
      const isClosed =
        error instanceof CallFailed && ['other_closed', 'month_closed'].includes(error.problem.code)
      toast.error('Error', isClosed ? error.problem.title : failure)
    } finally {
      setBusy((now) => now.filter((id) => !ids.includes(id)))
    }
  }
  const confirm = (chosen: SharedSession[]) =>
    run(
      chosen.map(({ id }) => id),
      async () => {
        const result = await answers.confirm(chosen)
        setDrawn(result.confirmed)
        const [only] = chosen
        if (result.changed.length > 0)
          toast.error(
            'Session changed',
            `${capital(otherSide(reader, chosen.length === 1 ? only?.other_name : null))} changed a session while you had it open. Please check it again.`,
          )
        else if (chosen.length === 1 && only) {
          const answered = confirmedOf(only)
          setKept((now) => [...now.filter(({ id }) => id !== only.id), answered])
          toast.success('Session confirmed', undefined, {
            label: 'Undo',
            run: () => void withdraw(answered),
          })
        } else
          toast.success(`${chosen.length} sessions confirmed`, undefined, {
            label: 'Undo',
            run: () => void withdrawAll(chosen.map(confirmedOf)),
          })
      },
      'Nothing was confirmed. The session may have changed. Please check it again.',
    )
  const withdrawAll = (confirmed: SharedSession[]) =>
    run(
      confirmed.map(({ id }) => id),
      async () => {
        for (const session of confirmed) await answers.withdraw(session)
      },
      'Failed to undo',
    )
  const withdraw = (session: SharedSession) =>
    run(
      [session.id],
      async () => {
        await answers.withdraw(session)
        setKept((now) => now.filter(({ id }) => id !== session.id))
      },
      'Failed to undo',
    )
  const keep = (session: SharedSession) =>
    run(
      [session.id],
      async () => {
        await answers.keep?.(session)
        toast.success('Session kept', 'It stays in both logs.')
      },
      "Your answer couldn't be saved. Please check the session again.",
    )
  const remove = (session: SharedSession) =>
    run(
      [session.id],
      async () => {
        await answers.remove?.(session)
        toast.success('Session deleted successfully')
      },
      'Failed to delete session',
    )
  const write = async (session: SharedSession, words: Record<WordsField, string>) => {
    const stored = await answers.write?.(session, words)
    // A session that's already verified stays in its list.
    if (session.verified_by_tutor && !kept.some(({ id }) => id === session.id)) return
    const answered = session.own_confirmation === 'confirmed' ? session : confirmedOf(session)
    setDrawn([session.id])
    setKept((now) => [
      ...now.filter(({ id }) => id !== session.id),
      {
        ...answered,
        version: stored?.version ?? session.version,
        ...eachWords((field) => words[field].trim() || null),
      },
    ])
  }
  return { busy, drawn, kept, run, confirm, withdraw, write, keep, remove }
}

/** The session as it looks once the reader's side has confirmed it. */
function confirmedOf(session: SharedSession): SharedSession {
  const isVerified = session.other_confirmation === 'confirmed'
  return {
    ...session,
    version: session.version + 1,
    own_confirmation: 'confirmed',
    verified_by_tutor: isVerified,
    status: 'completed',
    dispute_note: null,
    answer_note: null,
    waits_for_you: false,
    asked_at: null,
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
  busy: readonly string[]
  onDownload: (connectionId: string, month: string) => void
}

/** Statements for the months in which both sides confirmed every session. */
function SignedMonths({ sessions, showsOther, busy, onDownload }: SignedMonthsProps) {
  const signed = signedMonths(sessions)
  if (signed.length === 0) return null
  return (
    <section className="mt-7">
      <SectionHeading>Signed-off statements</SectionHeading>
      <ul className="card list overflow-hidden">
        {signed.map(({ connectionId, otherName, month }) => {
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
                busy={busy.includes(connectionId + month)}
                busyText="Creating..."
                aria-label={`Download PDF, statement for ${name}`}
                onClick={() => onDownload(connectionId, month)}
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

/** Same order as the server's list. */
function newestFirst(one: SharedSession, other: SharedSession): number {
  return other.date.localeCompare(one.date) || other.id.localeCompare(one.id)
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
    const isAgreed = session.verified_by_tutor && session.deletion_asked_by === null
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
