import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { type CalendarDay, dayIn, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { cents, centsOfDollars, formatMoney } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Answers } from './client.web.ts'
import { DisputeDialog } from './DisputeDialog.tsx'
import { ToConfirmRow } from './ToConfirmRow.tsx'
import type { LinkedSession } from './verification.ts'

/** How many confirmed sessions stay in sight. */
const SHOWN_CONFIRMED = 12

interface AnswerBoardProps {
  sessions: LinkedSession[]
  answers: Answers
  /** One list under a heading of the caller's own, without months and without what was answered. */
  isShort?: boolean
}

/** Everything that a tutor answers: what waits, month by month, what was sent back, and what was confirmed lately. */
export function AnswerBoard({ sessions, answers, isShort = false }: AnswerBoardProps) {
  const toast = useToast()
  const [disputed, setDisputed] = useState<LinkedSession>()
  useReopen('dispute', sessions, (session) => session !== 'new' && setDisputed(session))
  const [busy, setBusy] = useState<readonly string[]>([])
  const [drawn, setDrawn] = useState<readonly string[]>([])
  /** What was confirmed here one by one: it stays in its place, so that a second tap does not confirm the next one. */
  const [kept, setKept] = useState<readonly LinkedSession[]>([])
  const showsFamily = new Set(sessions.map((session) => session.family_id)).size > 1
  const unanswered = sessions.filter(
    (session) => !session.verified_by_tutor && session.status === 'completed',
  )
  const waiting = unanswered.filter((session) => !session.is_read_only)
  const readOnly = unanswered.filter((session) => session.is_read_only)
  const sentBack = sessions.filter((session) => session.status === 'disputed')
  // Unless it was changed or sent back since: then it is listed for what it is now.
  const stays = kept.filter(({ id }) => ![...unanswered, ...sentBack].some((session) => session.id === id))
  const listed = [...waiting, ...stays].sort(newestFirst)
  const confirmed = sessions.filter(
    ({ id, verified_by_tutor: isVerified }) => isVerified && !stays.some((session) => session.id === id),
  )
  const months = isShort ? [''] : [...new Set(listed.map((session) => monthOf(session.date as CalendarDay)))]

  const run = async (ids: string[], work: () => Promise<unknown>, failure: string) => {
    if (ids.some((id) => busy.includes(id))) return
    setBusy([...busy, ...ids])
    try {
      await work()
    } catch (error) {
      const isClosed = error instanceof CallFailed && error.problem.code === 'family_closed'
      toast.error('Error', isClosed ? error.problem.title : failure)
    } finally {
      setBusy((now) => now.filter((id) => !ids.includes(id)))
    }
  }
  const confirm = (chosen: LinkedSession[]) =>
    run(
      chosen.map(({ id }) => id),
      async () => {
        const result = await answers.confirm(chosen)
        setDrawn(result.confirmed)
        const [only] = chosen
        if (result.changed.length > 0)
          toast.error(
            'Changed in the meantime',
            'The family changed a session while you looked. Please look again.',
          )
        else if (chosen.length === 1 && only) {
          const answered = { ...only, version: only.version + 1, verified_by_tutor: true }
          setKept((now) => [...now.filter(({ id }) => id !== only.id), answered])
          toast.success('Session confirmed', undefined, {
            label: 'Undo',
            run: () => void withdraw(answered),
          })
        } else toast.success(`${chosen.length} sessions confirmed`)
      },
      'Nothing was confirmed. The session may have changed: please look again.',
    )
  const withdraw = (session: LinkedSession) =>
    run(
      [session.id],
      async () => {
        await answers.withdraw(session)
        setKept((now) => now.filter(({ id }) => id !== session.id))
      },
      'Failed to undo',
    )

  return (
    <>
      {months.map((month) => {
        const shown = listed.filter((session) => session.date.startsWith(month))
        const own = shown.filter((session) => !session.verified_by_tutor)
        return (
          <section
            key={month}
            className={isShort ? '' : 'mt-6'}
            aria-labelledby={isShort ? undefined : `m${month}`}
          >
            {!isShort && (
              <div className="mb-2.5 flex min-h-11 flex-wrap items-center justify-between gap-x-3">
                <h2 id={`m${month}`}>
                  {formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })}
                </h2>
                {own.length > 0 && <span className="num text-small text-ink-2">{totalsOf(own)}</span>}
              </div>
            )}
            <ul className="card list overflow-hidden">
              {shown.map((session) => (
                <ToConfirmRow
                  key={session.id}
                  session={session}
                  showsFamily={showsFamily}
                  showsMonth={isShort && monthOf(session.date as CalendarDay) !== monthOf(dayIn(new Date()))}
                  isBusy={busy.includes(session.id)}
                  {...(session.verified_by_tutor
                    ? { isDrawn: true, onWithdraw: () => void withdraw(session) }
                    : { onConfirm: () => void confirm([session]), onDispute: () => setDisputed(session) })}
                />
              ))}
            </ul>
            {own.length > 1 && !isShort && (
              <Button
                tone="secondary"
                className="mt-3 w-full md:w-auto"
                busy={own.some(({ id }) => busy.includes(id))}
                busyText="Confirming..."
                onClick={() => void confirm(own)}
              >
                <CheckCheck className="i" aria-hidden="true" />
                Confirm all {own.length}
              </Button>
            )}
          </section>
        )
      })}
      {!isShort && readOnly.length > 0 && (
        <section className="mt-7">
          <SectionHeading>Read only</SectionHeading>
          <p className="help mb-2.5">
            The family closed its account. You can still read these sessions, but not answer.
          </p>
          <ul className="card list overflow-hidden">
            {readOnly.map((session) => (
              <ToConfirmRow key={session.id} session={session} showsFamily={showsFamily} />
            ))}
          </ul>
        </section>
      )}
      {!isShort && sentBack.length > 0 && (
        <section className="mt-7">
          <SectionHeading>Sent back</SectionHeading>
          <ul className="card list overflow-hidden">
            {sentBack.map((session) => (
              <ToConfirmRow
                key={session.id}
                session={session}
                showsFamily={showsFamily}
                onWithdraw={session.is_read_only ? undefined : () => void withdraw(session)}
              />
            ))}
          </ul>
        </section>
      )}
      {!isShort && confirmed.length > 0 && (
        <section className="mt-7">
          <SectionHeading>Confirmed lately</SectionHeading>
          <ul className="card list overflow-hidden">
            {confirmed.slice(0, SHOWN_CONFIRMED).map((session) => (
              <ToConfirmRow
                key={session.id}
                session={session}
                showsFamily={showsFamily}
                isDrawn={drawn.includes(session.id)}
                onWithdraw={session.is_read_only ? undefined : () => void withdraw(session)}
              />
            ))}
          </ul>
        </section>
      )}
      {!isShort && signedMonths(sessions).length > 0 && (
        <section className="mt-7">
          <SectionHeading>Signed-off statements</SectionHeading>
          <ul className="card list">
            {signedMonths(sessions).map(({ familyId, familyName, month }) => (
              <li
                key={familyId + month}
                className="flex min-h-[56px] items-center justify-between gap-3 py-1.5 pr-2 pl-5"
              >
                <span className="min-w-0 font-semibold break-words">
                  {formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })}
                  {showsFamily && (
                    <span className="block text-small font-normal text-ink-2">
                      {familyName ?? 'A family'}
                    </span>
                  )}
                </span>
                <Button
                  tone="quiet"
                  size="small"
                  busy={busy.includes(familyId + month)}
                  busyText="Making..."
                  aria-label={`Download PDF, statement of ${formatDay(`${month}-01` as CalendarDay, { month: 'long', year: 'numeric' })}`}
                  onClick={() =>
                    void run(
                      [familyId + month],
                      () => answers.statement(familyId, month),
                      'Failed to make the statement',
                    )
                  }
                >
                  Download PDF
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {disputed && (
        <DisputeDialog
          session={disputed}
          onSend={(note) => answers.dispute(disputed, note)}
          onClose={() => setDisputed(undefined)}
        />
      )}
    </>
  )
}

/** In the order of the list that the server sends. */
function newestFirst(one: LinkedSession, other: LinkedSession): number {
  return other.date.localeCompare(one.date) || other.id.localeCompare(one.id)
}

/** The months of each family in which every session is confirmed, newest first. */
function signedMonths(
  sessions: LinkedSession[],
): { familyId: string; familyName: string | null; month: string }[] {
  const months = new Map<
    string,
    { familyId: string; familyName: string | null; month: string; isWhole: boolean }
  >()
  for (const {
    family_id: familyId,
    family_name: familyName,
    date,
    verified_by_tutor: isVerified,
  } of sessions) {
    const month = monthOf(date as CalendarDay)
    const known = months.get(familyId + month)
    months.set(familyId + month, {
      familyId,
      familyName,
      month,
      isWhole: isVerified && (known?.isWhole ?? true),
    })
  }
  return [...months.values()].filter(({ isWhole }) => isWhole)
}

/** "3 sessions, 4.5 h, $202.50"; the money of different currencies is not added up. */
function totalsOf(sessions: LinkedSession[]): string {
  const minutes = sessions.reduce((sum, session) => sum + session.duration * 60, 0) as Minutes
  const [currency, ...others] = new Set(sessions.map((session) => session.currency))
  const amount = sessions.reduce((sum, session) => sum + centsOfDollars(session.total_amount ?? 0), 0)
  const money = currency && others.length === 0 ? formatMoney(cents(amount), currency) : undefined
  return [
    `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}`,
    `${formatHours(minutes)} h`,
    money,
  ]
    .filter(Boolean)
    .join(', ')
}
