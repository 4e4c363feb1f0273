// The rules of reminders: when one may be sent (docs/product-decisions.md, section 12). Emails that someone waits
// for or has to know of at once, such as a reset or a security notice, aren't reminders.
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'

/** No reminder is sent from this time until the other, on the account's clock. */
const QUIET_FROM = '21:00'
const QUIET_UNTIL = '08:00'
/** When the daily email tells what the other side did. */
export const DIGEST_HOUR = 9
/**
 * What is told when (docs/decisions/0044-a-simulated-year.md). What needs a decision, such as a proposal, a move or 'Not right', is told
 * the next morning; a canceled class at the latest this long before it. Plain facts come along with the questions after classes, and
 * else with the month. They have a daily email only if the account was asked about no class for this long: a weekly class that is
 * skipped once is still within it.
 */
export const RIDE_DAYS = 15
export const CANCELED_HOURS = 12
/** The days of a month on which whoever still has something to do for the month before is reminded. */
export const FOLLOW_UP_DAYS = [3, 5] as const
/** Nothing is repeated to an account that has had this many messages in its month, besides questions after classes. */
export const MOST_A_MONTH = 4
/** When tomorrow's classes are sent, on the evening before. */
const EVENING = '18:00'
/** The shortest time between two reminders to an account. */
const PAUSE_MS = 3_600_000
/** After this many questions in a row that nobody answered, the account is asked once a week. */
export const ASKED_IN_VAIN = 3
const WEEK_MS = 7 * 86_400_000

/** The clock of an account's time zone. */
interface WallClock {
  local(instant: Date): { day: CalendarDay; time: string }
  instantOf(day: CalendarDay, time: string): Date
}

/** The first moment from this one on that isn't in the quiet hours. */
function afterQuietHours(instant: Date, clock: WallClock): Date {
  const { day, time } = clock.local(instant)
  if (time >= QUIET_FROM) return clock.instantOf(addDays(day, 1), QUIET_UNTIL)
  return time < QUIET_UNTIL ? clock.instantOf(day, QUIET_UNTIL) : instant
}

/** How long a message to a device may still arrive: until the quiet hours. Before this, it's not in them. */
export function secondsUntilQuiet(now: Date, clock: WallClock): number {
  const quiet = clock.instantOf(clock.local(now).day, QUIET_FROM)
  return Math.floor((quiet.getTime() - now.getTime()) / 1000)
}

/**
 * When an account may get its next reminder: now, or later.
 * @param last when it got the last one
 * @param clock undefined if the account's time zone isn't known: its reminders are queued when it's morning in the US
 */
export function nextReminder(now: Date, last: Date | null, clock: WallClock | undefined): Date {
  // A last one that is yet to come was sent by a clock that has been set back since.
  const isRecent = last && last <= now && last.getTime() + PAUSE_MS > now.getTime()
  const free = isRecent ? new Date(last.getTime() + PAUSE_MS) : now
  return clock ? afterQuietHours(free, clock) : free
}

/** Whether an account may be told again what it has been told before. @param told how many messages it had this month */
export function mayRepeat(told: number): boolean {
  return told < MOST_A_MONTH
}

/** An email that asked about classes, and whether anyone has answered one of its questions. */
export interface AskedMail {
  at: Date
  isAnswered: boolean
}

/** When an account may be asked about classes: now, or later. @param asked its latest questions, newest first */
export function nextQuestion(
  now: Date,
  last: Date | null,
  asked: readonly AskedMail[],
  clock: WallClock,
): Date {
  const inVain = asked.slice(0, ASKED_IN_VAIN)
  const isWeekly = inVain.length === ASKED_IN_VAIN && inVain.every(({ isAnswered }) => !isAnswered)
  const from =
    isWeekly && inVain[0] ? new Date(Math.max(now.getTime(), inVain[0].at.getTime() + WEEK_MS)) : now
  return nextReminder(from, last, clock)
}

/** The day whose classes an account is told of now; undefined unless it's evening. */
export function dayToTell(now: Date, clock: WallClock): CalendarDay | undefined {
  const { day, time } = clock.local(now)
  return time >= EVENING && time < QUIET_FROM ? addDays(day, 1) : undefined
}

/** How many days back money's reminders are caught up with, if no job ran. Later, the next one comes soon enough. */
const CAUGHT_UP_DAYS = 6

/** The days whose reminders of money are to be sent: today's, and those since the last day on which it was looked. */
export function daysToLookAt(today: CalendarDay, lookedOn: CalendarDay | null): CalendarDay[] {
  const last = lookedOn ?? addDays(today, -1)
  return Array.from({ length: CAUGHT_UP_DAYS + 1 }, (_, back) => addDays(today, -back)).filter(
    (day) => day > last,
  )
}

/** A planned class with the moment at which it ends. */
interface PlannedClass {
  endsAt: Date
}

/**
 * The classes that ended in a period, and when to look again: when the next one ends, or after the days that were
 * looked at.
 */
export function endedIn<Class extends PlannedClass>(
  classes: readonly Class[],
  { from, now, horizon }: { from: Date; now: Date; horizon: Date },
): { ended: Class[]; nextLook: Date } {
  const ended = classes.filter(({ endsAt }) => endsAt > from && endsAt <= now)
  const coming = classes.map(({ endsAt }) => endsAt).filter((end) => end > now)
  const nextLook = coming.reduce((soonest, end) => (end < soonest ? end : soonest), horizon)
  return { ended, nextLook }
}
