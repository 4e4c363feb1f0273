// What an import would write, for the screen.
import { hours, type Minutes } from '#kernel/duration.ts'
import { cents, type Currency, dollars } from '#kernel/money.ts'
import type { PlacedCharge } from './charge-plan.ts'
import { type Kind, type Preview, type PreviewLine, SHOWN } from './import.ts'
import type { Plan, Planned } from './line.ts'
import type { PlannedSession } from './plan.ts'

/** How a file was read. */
export type Head = Pick<Preview, 'kind' | 'header' | 'columns' | 'date_order' | 'student_id' | 'tutor_id'>

/** The preview of sessions, whose amounts are in one currency. */
export function previewOfSessions(head: Head, plan: Plan<PlannedSession>, currency: Currency): Preview {
  const minutes = plan.ready.reduce((sum, session) => sum + session.minutes, 0)
  return {
    ...previewOf(head, plan, (session) => ({
      hours: hours(session.minutes),
      start_time: session.start,
      subject: session.subject,
      currency,
    })),
    hours: hours(minutes as Minutes),
    currency,
  }
}

/** The preview of charges. Their amounts can only be added up if they're all in one currency. */
export function previewOfCharges(head: Head, plan: Plan<PlacedCharge>): Preview {
  const [currency = null, ...others] = new Set(plan.ready.map(({ account }) => account.currency))
  return {
    ...previewOf(head, plan, ({ reason, label, account }) => ({ reason, label, currency: account.currency })),
    hours: 0,
    currency: others.length > 0 ? null : currency,
  }
}

const EMPTY: Omit<PreviewLine, 'line' | 'state'> = {
  problem: null,
  date: null,
  student: null,
  tutor: null,
  hours: null,
  start_time: null,
  subject: null,
  amount: null,
  reason: null,
  label: null,
  currency: null,
  closed_month: null,
}

function previewOf<Line extends Planned>(
  head: Head,
  plan: Plan<Line>,
  particularsOf: (line: Line) => Partial<PreviewLine>,
): Omit<Preview, 'hours' | 'currency'> {
  const counts = { sessions: 0, charges: 0 } satisfies Record<Kind, number>
  const asRead =
    (state: PreviewLine['state']) =>
    (line: Line): PreviewLine => ({
      ...EMPTY,
      line: line.line,
      state,
      problem: state === 'ready' ? line.toCheck : null,
      date: line.day,
      student: line.studentName,
      tutor: line.tutorName,
      amount: line.amount === null ? null : dollars(line.amount),
      ...particularsOf(line),
    })
  return {
    ...head,
    ...counts,
    [head.kind]: plan.ready.length,
    amount: dollars(cents(plan.ready.reduce((sum, { amount }) => sum + (amount ?? 0), 0))),
    refused: plan.refused.length,
    to_check: plan.ready.filter(({ toCheck }) => toCheck !== null).length,
    existing: plan.existing.length,
    repeats: plan.repeats.length,
    new_students: plan.newStudents,
    new_tutors: plan.newTutors,
    lines: [
      plan.refused.map(({ line, problem, closed = null }): PreviewLine => ({
        ...EMPTY,
        line,
        state: 'refused',
        problem,
        closed_month: closed,
      })),
      plan.existing.map(asRead('existing')),
      plan.repeats.map(asRead('repeat')),
      plan.ready
        .toSorted((one, other) => Number(one.toCheck === null) - Number(other.toCheck === null))
        .map(asRead('ready')),
    ].flatMap((lines) => lines.slice(0, SHOWN)),
  }
}
