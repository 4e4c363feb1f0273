// Payments, closed months and payment options for the demo accounts.
import { closeMonth } from '#features/months/commands.server.ts'
import { confirmPayment, recordPayment } from '#features/payments/commands.server.ts'
import {
  listPayments,
  listShared,
  listUnshared,
  readWays,
  replaceWays,
} from '#features/payments/queries.server.ts'
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { addMonths } from '#kernel/month.ts'
import type { Outcome } from '#kernel/outcome.ts'
import type { CallerDb, Principal } from '#features/access/db.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import {
  type Caller,
  linkCaller,
  memberCaller,
  type MemberCaller,
} from '#features/access/admission.server.ts'
import { costOf, type DemoPayment, type DemoSession } from './demonstration.ts'

/** A date before any of the demo data. */
const EVER = '2000-01-01' as CalendarDay
/** How many months to close, counting back from the month before last. */
const CLOSED_MONTHS = 2

type Member = Required<Principal>

/** The ids of the people on someone's list, in the list's order; undefined for people who weren't found. */
type People = (string | undefined)[]

function asCaller<Result>(
  db: CallerDb,
  member: Member,
  work: (caller: MemberCaller) => Promise<Result>,
): Promise<Result> {
  return db.asMember(member, (tx) => work(memberCaller(tx, member.workspace, new Date())))
}

function ofValue<Value>(outcome: Outcome<Value, string>): Value {
  if (!outcome.ok) throw new Error(`a demo payment or month was refused: ${outcome.reason}`)
  return outcome.value
}

/** Adds the missing payments: those made since the last one recorded for each tutor or student. */
export function recordPayments(
  db: CallerDb,
  member: Member,
  keptWith: 'tutor' | 'student',
  people: People,
  payments: readonly DemoPayment[],
): Promise<void> {
  return asCaller(db, member, async (caller) => {
    const known = await listPayments(caller.tx, caller.workspace, EVER, '2999-12-31' as CalendarDay)
    for (const { place, ...payment } of payments) {
      const id = people[place]
      const newest = known.find((one) => (keptWith === 'tutor' ? one.tutor_id : one.student_id) === id)?.date
      if (!id || (newest && payment.day <= newest)) continue
      const party = keptWith === 'tutor' ? { tutorId: id } : { studentId: id }
      ofValue(await recordPayment(caller, { ...payment, ...party, kind: 'payment' }))
    }
  })
}

/** Confirms the family's payments made before a given day. The latest payment is still on its way. */
async function confirmBefore(caller: Caller, day: CalendarDay): Promise<void> {
  const waiting = await listShared(caller.tx, caller.workspace, { only: 'waiting' })
  for (const { id, date } of waiting) if (date < day) await confirmPayment(caller, { id })
}

/** Confirms the family's payments made before a given day, as the tutor with an account. */
export function confirmAsTutor(db: CallerDb, practice: Member, day: CalendarDay): Promise<void> {
  return asCaller(db, practice, (caller) => confirmBefore(caller, day))
}

/** Confirms them on the emailed page, as the tutor without an account. */
export function confirmByLink(db: CallerDb, connectionId: string, day: CalendarDay): Promise<void> {
  const link = { id: connectionId, side: 'practice' as const }
  return db.asLink(link, (tx) => confirmBefore(linkCaller(tx, link, new Date()), day))
}

/**
 * Records the cash payment for the first lesson. It was made before the connection, and only the tutor
 * recorded it.
 */
export function recordCash(
  db: CallerDb,
  practice: Member,
  studentId: string | undefined,
  lesson: DemoSession | undefined,
): Promise<void> {
  return asCaller(db, practice, async (caller) => {
    if (!studentId || !lesson || (await hasPayments(caller.tx, caller.workspace))) return
    const { day } = lesson
    const amount = costOf(lesson)
    ofValue(await recordPayment(caller, { studentId, day, amount, kind: 'payment', method: 'cash' }))
  })
}

async function hasPayments(tx: Tx, workspace: WorkspaceId): Promise<boolean> {
  return (
    (await listPayments(tx, workspace, EVER, '2999-12-31' as CalendarDay)).length > 0 ||
    (await listUnshared(tx, workspace, 'student')).length > 0
  )
}

/** Adds the tutor's payment options unless the tutor already has some. */
export function offerWays(db: CallerDb, practice: Member): Promise<void> {
  return asCaller(db, practice, async ({ tx, workspace }) => {
    if ((await readWays(tx, workspace)).ways.length > 0) return
    await replaceWays(
      tx,
      workspace,
      [
        { kind: 'link', url: 'https://paypal.me/example' },
        { kind: 'text', text: 'A check or cash at the next lesson is fine too.' },
      ],
      undefined,
    )
  })
}

/**
 * Closes the months before last month that both sides fully agree on: the tutor asks, and the family
 * confirms.
 */
export async function closeMonths(
  db: CallerDb,
  { family, practice }: Record<'family' | 'practice', Member>,
  connectionId: string,
  today: CalendarDay,
  baseUrl: string,
): Promise<void> {
  for (let back = CLOSED_MONTHS + 1; back > 1; back--) {
    const month = { connectionId, month: addMonths(monthOf(today), -back), otherName: null }
    for (const side of [practice, family])
      await asCaller(db, side, (caller) => closeMonth(caller, month, baseUrl))
  }
}
