// What a user sees first: a few counts, what happened lately, and what to set up next.
import * as z from 'zod/mini'
import { type CalendarDay, Day, weekOf } from '#kernel/calendar-day.ts'
import { endpoint } from '#kernel/endpoint.ts'
import { isOver, Occurrence } from '#features/schedules/occurrence.ts'
import { TimeOfDay } from '#features/schedules/schedule.ts'
import { Session } from '#features/sessions/session.ts'

/** Recent Sessions: a window of 7 days, at most 3 (product.md section 9). */
export const RECENT_DAYS = 7
export const RECENT_SESSIONS = 3

export const Dashboard = z.object({
  total_students: z.number(),
  active_tutors: z.number(),
  active_schedules: z.number(),
  sessions_this_month: z.number(),
  /** What waits for the own side's word: of this week since Sunday, and in all until today. */
  sessions_to_confirm: z.number(),
  sessions_waiting: z.number(),
  /** What the other side sent back, and nobody answered since. */
  sessions_sent_back: z.number(),
  /** Pairs that look like the same lesson and wait for an answer. */
  session_pairs: z.number(),
  recent_sessions: z.array(Session),
  /** Classes of the last days that nobody has logged, today's included; the screen leaves out what is not over yet. */
  due: z.array(Occurrence),
  /** The next class of each active schedule, soonest first; never one that is over or logged. */
  upcoming: z.array(Occurrence),
  /** A tutor who has not said what an hour costs. */
  needs_rate: z.boolean(),
  has_sessions: z.boolean(),
  has_schedules: z.boolean(),
  has_verified_sessions: z.boolean(),
  onboarding_dismissed: z.boolean(),
})
export type Dashboard = z.output<typeof Dashboard>

export const ReadDashboard = endpoint({
  operation: 'ReadDashboard',
  summary: "Counts, recent sessions and set-up steps; 'today' and 'time' are the user's own date and clock",
  method: 'GET',
  path: '/api/v1/dashboard',
  access: 'confirmed',
  input: z.strictObject({ today: z.optional(Day), time: z.optional(TimeOfDay) }),
  output: Dashboard,
})

/** 'This Week' of a tutor: sessions that wait for the tutor's word, and classes that are over and not logged, since Sunday. */
export function toConfirmThisWeek(
  state: Pick<Dashboard, 'sessions_to_confirm' | 'due'>,
  today: CalendarDay,
  time: string,
): number {
  const [sunday = today] = weekOf(today)
  return (
    state.sessions_to_confirm +
    state.due.filter((one) => one.date >= sunday && isOver(one, today, time)).length
  )
}

export interface Step {
  label: string
  to: string
  isDone: boolean
}

/** The set-up steps of a role, in order (product.md, Onboarding checklist). The last one is never done. */
export function onboardingSteps(role: 'parent' | 'tutor', state: Dashboard): Step[] {
  if (role === 'parent') {
    return [
      { label: 'Add a Child', to: '/children', isDone: state.total_students > 0 },
      { label: 'Add a Tutor', to: '/tutors', isDone: state.active_tutors > 0 },
      { label: 'Log Your First Session', to: '/add-session', isDone: state.has_sessions },
      { label: 'View Monthly Summary', to: '/summary', isDone: false },
    ]
  }
  return [
    { label: 'Add a Student', to: '/students', isDone: state.total_students > 0 },
    { label: 'Create Your First Schedule', to: '/schedules', isDone: state.has_schedules },
    { label: 'Confirm a Class Happened', to: '/dashboard', isDone: state.has_verified_sessions },
    { label: 'View Your Session Log', to: '/summary', isDone: false },
  ]
}

/** The checklist shows only while fewer than half of the steps are done, and until dismissed (product.md, Onboarding checklist). */
export function showsOnboarding(steps: Step[], isDismissed: boolean): boolean {
  return !isDismissed && steps.filter((step) => step.isDone).length * 2 < steps.length
}
