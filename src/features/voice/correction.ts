// A correction of a proposed session, said or typed once its card is there: "no, Friday", "with Ben, not Leo". It changes
// what it mentions, and nothing else.
import * as z from 'zod/mini'
import { type CalendarDay, Day } from '#kernel/calendar-day.ts'
import { hours, MAX_HOURS, type Minutes } from '#kernel/duration.ts'
import { type Cents, centsOfDollars, dollars, MAX_RATE } from '#kernel/money.ts'
import type { Facts } from './reading/choices.ts'
import type { Chosen, Fix } from './reading/read.ts'

export const Confidence = z.enum(['high', 'medium', 'low'])
/** The fields that a text's facts go into. */
export const FIELDS = {
  child: 'childId',
  tutor: 'tutorId',
  day: 'date',
  minutes: 'duration',
  rate: 'hourly_rate',
} as const
export const Field = z.enum(Object.values(FIELDS))
/** What a correction can change. */
export const Changed = z.enum([...Object.values(FIELDS), 'subject'])
export type Changed = z.output<typeof Changed>

const text = z._default(z.nullable(z.string().check(z.maxLength(4000))), null)
const id = z.nullable(z.string().check(z.maxLength(60)))
/** The session to correct, as it stands on its card. */
export const Correcting = z.strictObject({
  childId: id,
  tutorId: id,
  suggested_child_name: text,
  suggested_tutor_name: text,
  date: z.nullable(Day),
  duration: z.nullable(z.number().check(z.gt(0), z.lte(MAX_HOURS))),
  hourly_rate: z.nullable(z.number().check(z.gte(0), z.lte(dollars(MAX_RATE)))),
  subject: text,
  start_time: z._default(z.nullable(z.string().check(z.regex(/^\d\d:\d\d$/))), null),
  summary: text,
  homework: text,
  notes: text,
  confidence: z._default(Confidence, 'medium'),
  unsure: z.optional(z.array(Field).check(z.maxLength(5))),
  is_future: z._default(z.boolean(), false),
})
export type Correcting = z.output<typeof Correcting>

export function inHours(minutes: Minutes | null): number | null {
  return minutes === null ? null : Math.round(hours(minutes) * 100) / 100
}

/** A card's facts as the reader knows them. */
export function factsOf({ childId, tutorId, date, duration, hourly_rate: rate }: Correcting): Facts {
  const minutes = duration === null ? null : Math.round(duration * 60)
  return {
    child: childId,
    tutor: tutorId,
    day: date,
    minutes,
    rate: rate === null ? null : centsOfDollars(rate),
  }
}

export interface Corrected {
  session: Partial<Correcting>
  changed: Changed[]
}

/**
 * What a correction makes of a session.
 * @param least facts less probable than this are to be checked
 */
export function corrected(
  former: Correcting,
  { subject, ...fix }: Fix,
  { today, least }: { today: CalendarDay; least: number },
): Corrected {
  const facts = Object.entries(fix) as [keyof typeof FIELDS, Chosen][]
  const { child, tutor, day, minutes, rate } = {
    ...factsOf(former),
    ...Object.fromEntries(facts.map(([fact, { value }]) => [fact, value])),
  }
  const said = facts.map(([fact]) => FIELDS[fact])
  const hasSubject = subject !== null && subject !== former.subject
  const isOpen = minutes === null || day === null || (child === null && tutor === null)
  const unsure = [
    ...(former.unsure ?? []).filter((field) => !said.includes(field)),
    ...facts.flatMap(([fact, { value, chance }]) => (value !== null && chance < least ? FIELDS[fact] : [])),
  ]
  const isLow = isOpen || unsure.length > 0
  return {
    session: {
      childId: child as string | null,
      tutorId: tutor as string | null,
      ...(fix.child ? { suggested_child_name: nameIn(fix.child) } : {}),
      ...(fix.tutor ? { suggested_tutor_name: nameIn(fix.tutor) } : {}),
      date: day as CalendarDay | null,
      duration: inHours(minutes as Minutes | null),
      hourly_rate: rate === null ? null : dollars(rate as Cents),
      ...(fix.minutes ? { start_time: fix.minutes.at?.start ?? null } : {}),
      ...(hasSubject ? { subject } : {}),
      confidence: isLow ? 'low' : former.confidence === 'high' ? 'high' : 'medium',
      unsure,
      is_future: day !== null && String(day) > today,
    },
    changed: [...said, ...(hasSubject ? (['subject'] as const) : [])],
  }
}

/** The name of someone who isn't on the lists. */
function nameIn({ value, at }: Chosen): string | null {
  return value === null && at?.written
    ? at.written.replaceAll(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase())
    : null
}
