// The demo's API in the browser. It handles or refuses calls from either side's screens, based on the record
// that both sides share.
import { addDays, daysOfMonth, monthOf, weekOf } from '#kernel/calendar-day.ts'
import { dollars, cents } from '#kernel/money.ts'
import { ReadLogin, RenewLogin, SignOut } from '#features/accounts/account.ts'
import { ListConnections, ListPairs } from '#features/connections/connection.ts'
import {
  type MonthAmount,
  ReadDashboard,
  RECENT_DAYS,
  RECENT_SESSIONS,
} from '#features/dashboard/dashboard.ts'
import { ListOccurrences } from '#features/schedules/occurrence.ts'
import { ListMovedClasses } from '#features/schedules/occurrence.ts'
import { ListScheduleOffers } from '#features/schedules/offer.ts'
import { ListMissed } from '#features/schedules/outcome.ts'
import { ListMakeUps } from '#features/terms/make-ups.ts'
import { ListSchedules } from '#features/schedules/schedule.ts'
import { ListStudents, type ListedStudent } from '#features/students/student.ts'
import { ListTutors, type Tutor } from '#features/tutors/tutor.ts'
import { ListWorkspaces } from '#features/workspaces/workspace.ts'
import type { Problem } from '#kernel/endpoint.ts'
import { monthsBack } from '#kernel/month.ts'
import { joinedDays, ListLessonDays } from '#features/person/lesson-days.ts'
import { personMonths, ReadPersonMonths } from '#features/person/person-months.ts'
import { answers, type Handler, refuse, Refused, SIGN_UP_FIRST } from './answering.ts'
import { INGRID } from '../story/cast.ts'
import { CHILDREN, CONNECTION, CURRENCY, loginOf, OTHER_NAMES, PEOPLE, TUTOR, TUTORS } from './cast.ts'
import { CHARGE_ANSWERS } from './charge-answers.ts'
import { MONEY_ANSWERS } from './money-answers.ts'
import type { DemoRecord, Side } from './record.ts'
import { SESSION_ANSWERS } from './session-answers.ts'
import { TERMS_ANSWERS } from './terms-answers.ts'
import { entriesOf, isSentBack, portionsOf, sessionsOf, toShared } from './views.ts'

function studentsOf(side: Side): ListedStudent[] {
  return CHILDREN.map(({ child, names, grade, notes }) => ({
    id: side === 'family' ? child.id : child.student,
    parent_user_id: PEOPLE[side].workspace,
    name: names[side],
    grade,
    notes: notes?.[side] ?? null,
    hourly_rate: null,
    archived: false,
    version: 1,
    families: side === 'family' ? [] : [{ connection_id: CONNECTION, name: PEOPLE.family.name }],
    prices: [],
  }))
}

function tutorOf(side: Side): Tutor {
  const { email, phone, subjects } = INGRID
  const isSelf = side === 'practice'
  return {
    ...TUTORS[side],
    user_id: PEOPLE[side].workspace,
    ...(isSelf ? { email: null, phone: null, subjects: [] } : { email, phone, subjects }),
    hourly_rate: INGRID.rate,
    notes: null,
    is_self: isSelf,
    archived: false,
    version: 1,
  }
}

/** A month's total amount for each standing (verified, waiting, disputed). */
function monthAmounts(record: DemoRecord, side: Side, month: string): MonthAmount[] {
  return [...Map.groupBy(portionsOf(record, side, month), ({ standing }) => standing)].map(
    ([standing, portions]) => ({
      standing,
      currency: CURRENCY,
      sessions: portions.length,
      amount: dollars(cents(portions.reduce((sum, { amount_cents: amount }) => sum + amount, 0))),
    }),
  )
}

const dashboard = answers(ReadDashboard, ({ record, side, input }) => {
  const today = input.today ?? record.today()
  const sessions = sessionsOf(record, side)
  const { from, to } = daysOfMonth(monthOf(today))
  const [sunday = today] = weekOf(today)
  const waiting = entriesOf(record, side, 'session')
    .map((entry) => toShared(record, entry, side))
    .filter((session) => session.date <= today && session.waits_for_you)
  return {
    total_students: CHILDREN.length,
    active_tutors: 1,
    active_schedules: 0,
    sessions_this_month: sessions.filter(({ date }) => date >= from && date <= to).length,
    month_amounts: monthAmounts(record, side, monthOf(today)),
    sessions_to_confirm: waiting.filter(({ date }) => date >= sunday).length,
    sessions_waiting: waiting.length,
    sessions_sent_back: sessions.filter((session) => isSentBack(record, session, side)).length,
    session_pairs: 0,
    schedule_questions: 0,
    months_asked: [],
    recent_sessions: sessions
      .filter(({ date }) => date >= addDays(today, -RECENT_DAYS) && date <= today)
      .slice(0, RECENT_SESSIONS),
    due: [],
    today: [],
    upcoming: [],
    needs_rate: false,
    has_sessions: true,
    has_schedules: false,
    has_verified_sessions: true,
    onboarding_dismissed: true,
  }
})

/** All the calls that the demo supports. Any other call prompts the visitor to sign up. */
export const ANSWERED: readonly Handler[] = [
  answers(ReadLogin, ({ side, record }) => loginOf(side, record.clock())),
  answers(RenewLogin, ({ side, record }) => loginOf(side, record.clock())),
  answers(SignOut, () => undefined),
  dashboard,
  answers(ListWorkspaces, ({ side }) => {
    const { workspace: id, name } = PEOPLE[side]
    return [{ id, kind: side, role: 'owner' as const, owner_name: name, is_current: true }]
  }),
  answers(ListStudents, ({ side, input }) => (input.archived === 'archived' ? [] : studentsOf(side))),
  answers(ListTutors, ({ side, input }) => (input.archived === 'archived' ? [] : [tutorOf(side)])),
  answers(ListConnections, ({ side }) => [
    {
      id: CONNECTION,
      state: 'active' as const,
      is_asked_by_you: side === 'family',
      is_answered: true,
      arriving: null,
      other_name: OTHER_NAMES[side],
      tutor_id: side === 'family' ? TUTOR.id : null,
      email: null,
      link: null,
      asked_at: new Date(0).toISOString(),
      shared_from: null,
      ended_by: null,
      people: CHILDREN.map(({ child }) => ({
        id: child.id,
        first_name: child.firstName,
        student_id: side === 'family' ? child.id : child.student,
      })),
      pairs: 0,
      is_read_only: false,
      version: 1,
    },
  ]),
  answers(ListPairs, () => ({ pairs: [] })),
  answers(ListSchedules, () => []),
  answers(ListScheduleOffers, () => ({ offers: [] })),
  answers(ListMovedClasses, () => ({ classes: [] })),
  answers(ListOccurrences, () => []),
  answers(ListMissed, () => []),
  answers(ListMakeUps, () => ({ make_ups: [] })),
  answers(ListLessonDays, ({ record, side, input }) =>
    joinedDays(
      sessionsOf(record, side)
        .filter(({ date }) => date <= (input.today ?? record.today()))
        .toReversed()
        .flatMap(({ student_id, tutor_id, date }) =>
          student_id && tutor_id ? [{ student_id, tutor_id, day: date }] : [],
        ),
      [],
    ),
  ),
  answers(ReadPersonMonths, ({ record, side, id, input: { until } }) => {
    const isTutor = id === TUTORS[side].id
    if (!isTutor && !studentsOf(side).some((student) => student.id === id))
      refuse(ReadPersonMonths, 'not_found')
    const portions = monthsBack(until, 12).flatMap((month) =>
      portionsOf(record, side, month).map((one) => ({ ...one, part: Number(month.slice(5)) - 1 })),
    )
    return personMonths(
      portions.filter((one) => (isTutor ? one.tutor_id : one.student_id) === id),
      { until, kind: isTutor ? 'tutor' : 'student', currency: CURRENCY, seesAmounts: true },
    )
  }),
  ...SESSION_ANSWERS,
  ...MONEY_ANSWERS,
  ...CHARGE_ANSWERS,
  ...TERMS_ANSWERS,
]

/** A call as a screen sends it. */
export interface Call {
  method: string
  /** Path and query. */
  url: string
  body: unknown
  version: number | undefined
}
export interface Answer {
  status: number
  body: unknown
}

/**
 * Handles a call from one side's screens. Calls that the demo doesn't support are refused with "Sign up to
 * use this."
 */
export function answer(record: DemoRecord, side: Side, call: Call): Answer {
  const [path = '', query = ''] = call.url.split('?')
  const found = find(call.method, path)
  if (!found) return refusal(SIGN_UP_FIRST)
  const { handler, id } = found
  const given = call.method === 'GET' ? Object.fromEntries(new URLSearchParams(query)) : (call.body ?? {})
  const parsed = handler.endpoint.input.safeParse(given)
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path: field, message }) => ({
      field: field.join('.'),
      message,
    }))
    return refusal({ status: 422, code: 'invalid', title: errors[0]?.message ?? '', errors })
  }
  record.world.today = record.today()
  try {
    const body = handler.answer({ record, side, id, version: call.version, input: parsed.data })
    return { status: body === undefined ? 204 : 200, body }
  } catch (error) {
    if (error instanceof Refused) return refusal(error.problem)
    throw error
  }
}

const refusal = (problem: Problem): Answer => ({ status: problem.status, body: problem })

/** Finds the handler for a call, and the id in its path. Paths without an id are matched first. */
function find(method: string, path: string): { handler: Handler; id: string } | undefined {
  const parts = path.split('/')
  const candidates = ANSWERED.filter(({ endpoint }) => endpoint.method === method).flatMap((handler) => {
    const own = handler.endpoint.path.split('/')
    const fits = own.length === parts.length && own.every((part, at) => part === ':id' || part === parts[at])
    return fits ? [{ handler, id: parts[own.indexOf(':id')] ?? '', isExact: !own.includes(':id') }] : []
  })
  return candidates.find(({ isExact }) => isExact) ?? candidates[0]
}
