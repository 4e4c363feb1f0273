// A break: days without lessons. Its classes are canceled in one step, each by the rule of a single one.
import * as z from 'zod/mini'
import { endpoint } from '#features/access/endpoint.ts'
import { OTHER_CLOSED } from '#features/agreements/answer.ts'
import { type Outcome, OUTCOMES } from '#features/terms/outcome.ts'
import { type CalendarDay, Day, formatDay } from '#kernel/calendar-day.ts'
import type { ListedClass, Occurrence } from './occurrence.ts'
import { suggestedOutcome } from './outcome.ts'
import { daysBetween } from './recurrence.ts'

/** How many classes one call can end: ten weeks of thirty schedules. */
export const MOST_ENDED = 300
const MOST_DAYS = 366

/** The first and the last day without lessons. */
const BreakDays = z.object({ from: Day, to: Day }).check((context) => {
  const { from, to } = context.value
  const message =
    to < from
      ? "The last day can't be before the first"
      : daysBetween(from, to) >= MOST_DAYS
        ? 'Choose at most a year'
        : undefined
  if (message) context.issues.push({ code: 'custom', path: ['to'], message, input: to })
})

/** What's wrong with which of the days, once both are chosen. */
export function daysProblem(days: { from: string; to: string }): { from?: string; to?: string } | undefined {
  const issue = BreakDays.safeParse(days).error?.issues[0]
  return issue && { [issue.path[0] === 'from' ? 'from' : 'to']: issue.message }
}

export type BreakFields = ReturnType<typeof emptyBreak>

/** @param side the user's own, who most likely plans the break */
export function emptyBreak(schedules: readonly string[], side: 'parent' | 'tutor') {
  return {
    from: '',
    to: '',
    schedule_ids: [...schedules],
    by: (side === 'tutor' ? 'tutor' : 'family') as BreakOf['by'],
  }
}

interface BreakOf {
  /** The ids of the chosen schedules. */
  schedules: readonly string[]
  /** Who can't come. */
  by: 'family' | 'tutor'
  now: Date
  beginsAt: (one: Occurrence) => Date
  noticeHours: (one: Occurrence) => number
}

/** A class that a break cancels, and how it then ended. */
export type EndedByBreak = Omit<Occurrence, 'outcome'> & { outcome: Outcome }

/**
 * What a break does to the classes on its days: it ends those that are planned, where they are. What was logged or said about a
 * class before stays, and so does a class of a closed month.
 */
export function breakOf(
  classes: readonly ListedClass[],
  { schedules, by, now, beginsAt, noticeHours }: BreakOf,
): { ends: EndedByBreak[]; stays: ListedClass[] } {
  const chosen = classes.filter((one) => schedules.includes(one.schedule_id))
  const isEnded = ({ status, is_in_closed_month: isClosed }: ListedClass) => status === 'planned' && !isClosed
  const outcomeOf = (one: Occurrence) =>
    by === 'tutor' ? 'canceled_by_tutor' : suggestedOutcome(now, beginsAt(one), noticeHours(one))
  return {
    ends: chosen.filter(isEnded).map((one) => ({ ...one, outcome: outcomeOf(one) })),
    stays: chosen.filter((one) => !isEnded(one)),
  }
}

/** For example, "7 classes". */
export function classesInWords(count: number): string {
  return count === 1 ? '1 class' : `${count} classes`
}

/** For example, "No lessons from Dec 22 to Jan 4". */
export function breakInWords(from: string, to: string): string {
  const [first, last] = [from, to].map((day) =>
    formatDay(day as CalendarDay, { month: 'short', day: 'numeric' }),
  )
  return from === to ? `No lessons on ${first}` : `No lessons from ${first} to ${last}`
}

const TWICE = 'Each class can only be listed once'
const SAME = 'Say how the class ended, or how it ended before'
const EndedClass = z
  .strictObject({
    schedule_id: z.uuid(),
    /** The day that the schedule gives, also if the class was moved. */
    date: Day,
    /** Null puts the class back to planned. */
    outcome: z.nullable(z.enum(OUTCOMES, { error: 'Choose how the class ended' })),
    /** The outcome that the caller saw. If somebody has said something else since, nothing changes. */
    was: z.nullable(z.enum(OUTCOMES)),
  })
  .check(z.refine(({ outcome, was }) => outcome !== null || was !== null, { error: SAME }))

const CHECK = 'Please check the list and try again.'
export const EndClasses = endpoint({
  operation: 'EndClasses',
  summary: "Say how several classes ended that don't take place, or put them back to planned; all or none",
  method: 'POST',
  path: '/api/v1/occurrences/end',
  access: ['parent', 'tutor', 'admin'],
  isForCaregivers: true,
  isFree: true,
  meetsClosedMonths: true,
  creates: true,
  input: z.strictObject({
    classes: z.array(EndedClass).check(
      z.minLength(1, 'Choose a class'),
      z.maxLength(MOST_ENDED, `At most ${MOST_ENDED} classes at once`),
      z.refine(
        (classes) => new Set(classes.map((one) => `${one.schedule_id} ${one.date}`)).size === classes.length,
        { error: TWICE },
      ),
    ),
  }),
  output: z.object({
    classes: z.array(
      z.object({ schedule_id: z.string(), date: z.string(), outcome: z.nullable(z.enum(OUTCOMES)) }),
    ),
  }),
  refusals: {
    no_such_class: { status: 422, title: `One of these classes is no longer planned. ${CHECK}` },
    already_logged: { status: 409, title: `One of these classes is already in your log. ${CHECK}` },
    answered: { status: 409, title: `Someone answered one of these in the meantime. ${CHECK}` },
    not_begun: { status: 422, title: "One of these classes hasn't begun yet" },
    ...OTHER_CLOSED,
  },
})
