// What a side proposes about a schedule or one of its classes, in words.
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import type { Place } from './occurrence.ts'
import {
  bothTimes,
  formatScheduleDate,
  FREQUENCY_LABELS,
  placeOfZone,
  type Schedule,
  WEEKDAYS,
  timesOfSchedule,
} from './schedule.ts'

/** For example, "Thu, Dec 10 at 4:00 PM", or for a reader elsewhere, "Thu, Dec 10 at 4:00 PM, Fri 2:30 AM for you". */
export function placeText({ date, start_time, yours }: Place): string {
  const day = formatDay(date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })
  const isOtherDay = yours !== null && yours.date !== date
  return `${day} at ${bothTimes({ start_time, yours }, isOtherDay ? formatDay(yours.date as CalendarDay, { weekday: 'short' }) : '')}`
}

/** What a proposal of a rule is about. */
export type RuleFacts = Omit<NonNullable<Schedule['proposal']>, 'by' | 'is_declined'>

/**
 * What a proposed rule changes, such as "Mondays at 3:30 PM". Names only what is different.
 * @param money formats the rate
 */
export function ruleText(schedule: RuleFacts, rule: RuleFacts, money: (amount: number) => string): string {
  const differs = (...fields: (keyof RuleFacts)[]) => fields.some((field) => schedule[field] !== rule[field])
  const every =
    rule.frequency === 'custom'
      ? `every ${rule.custom_interval_days ?? 1} days`
      : FREQUENCY_LABELS[rule.frequency].toLowerCase()
  const parts = [
    ...(differs('day_of_week', 'start_time')
      ? [`${WEEKDAYS[rule.day_of_week] ?? ''}s at ${timesOfSchedule(rule)}`]
      : []),
    ...(differs('duration') ? [hoursInWords(rule.duration)] : []),
    ...(differs('hourly_rate')
      ? [rule.hourly_rate === null ? 'the usual rate' : `${money(rule.hourly_rate)} an hour`]
      : []),
    ...(differs('frequency', 'custom_interval_days') ? [every] : []),
    ...(differs('start_date') ? [`from ${formatScheduleDate(rule.start_date)}`] : []),
    ...(differs('end_date')
      ? [rule.end_date === null ? 'without a last day' : `until ${formatScheduleDate(rule.end_date)}`]
      : []),
    ...(differs('time_zone') && rule.time_zone !== null ? [`in ${placeOfZone(rule.time_zone)} time`] : []),
    ...(differs('is_active') ? [rule.is_active ? 'active again' : 'no more classes for now'] : []),
  ]
  return parts.join(', ')
}

/** The day from which a proposed rule would count, if it isn't the day it's accepted: its first day, which is still to come. */
export function dayItCounts(
  { start_date: first }: Pick<RuleFacts, 'start_date'>,
  today: string,
): string | undefined {
  return first > today ? first : undefined
}

/** A rule in one line: "Thursdays at 4:30 PM, 1 h, weekly, $55.00 an hour". */
export function wholeRuleText(rule: RuleFacts, money: (amount: number) => string): string {
  const { when, length, every, rate } = factsOf(rule, money)
  return [when, length, every.toLowerCase(), ...(rule.hourly_rate === null ? [] : [rate])].join(', ')
}

/** What's different in two rules, for a table: what it's about, and each rule's. */
export function differencesOf(
  one: RuleFacts,
  other: RuleFacts,
  money: (amount: number) => string,
): { name: string; one: string; other: string }[] {
  const [first, second] = [factsOf(one, money), factsOf(other, money)]
  return (Object.keys(NAMES) as (keyof typeof NAMES)[])
    .filter((fact) => first[fact] !== second[fact])
    .map((fact) => ({ name: NAMES[fact], one: first[fact], other: second[fact] }))
}

const NAMES = {
  when: 'When',
  length: 'Length',
  every: 'How often',
  rate: 'Rate',
  start: 'First day',
  end: 'Last day',
  zone: 'Time zone',
} as const

function factsOf(rule: RuleFacts, money: (amount: number) => string): Record<keyof typeof NAMES, string> {
  const days = rule.custom_interval_days === 1 ? 'Every day' : `Every ${rule.custom_interval_days ?? 1} days`
  return {
    when: `${WEEKDAYS[rule.day_of_week] ?? ''}s at ${timesOfSchedule(rule)}`,
    length: hoursInWords(rule.duration),
    every: rule.frequency === 'custom' ? days : FREQUENCY_LABELS[rule.frequency],
    rate: rule.hourly_rate === null ? 'Usual rate' : `${money(rule.hourly_rate)} an hour`,
    start: formatScheduleDate(rule.start_date),
    end: rule.end_date === null ? 'None' : formatScheduleDate(rule.end_date),
    zone: rule.time_zone === null ? 'Not set' : placeOfZone(rule.time_zone),
  }
}
