// Terms as plain sentences, generated from their fields. They read the same on screens, in emails and on paper.
import { type Currency, formatMoney } from '#kernel/money.ts'
import type { Cost, MakeUps, PeriodFee, Rules, TutorCancels } from './rules.ts'
import { dependsOnTerm, inSchoolYear, monthName, termMonthsOf } from './term.ts'

/** All that the terms say, in at most seven short paragraphs. */
export function sentencesOf(rules: Rules, currency: Currency): string[] {
  const said = [
    noticeSentence(rules),
    costSentence(rules, currency),
    freeSentence(rules),
    rules.are_late_arrivals_charged &&
      'Late arrivals are taught to the planned end and pay for the whole lesson.',
    feeSentence(rules, currency),
    rules.make_ups && makeUpSentence(rules.make_ups, rules),
    rules.tutor_cancels && tutorSentence(rules.tutor_cancels, rules),
  ]
  return said.filter((sentence) => typeof sentence === 'string' && sentence !== '') as string[]
}

/** "24 hours", "a week", "3 days". */
export function noticeText(hours: number): string {
  if (hours === 1) return 'an hour'
  if (hours === 168) return 'a week'
  if (hours > 0 && hours % 168 === 0) return `${hours / 168} weeks`
  if (hours > 48 && hours % 24 === 0) return `${hours / 24} days`
  return `${hours} hours`
}

/** "half", "25%". */
export function percentText(percent: number): string {
  return percent === 50 ? 'half' : `${percent}%`
}

/** What something costs: "half the lesson", "$15.00", "the full lesson and $12.00". */
export function costText({ percent, amount }: Cost, currency: Currency): string {
  return [percent ? partOf(percent, 'the') : undefined, amount ? formatMoney(amount, currency) : undefined]
    .filter(Boolean)
    .join(' and ')
}

function partOf(percent: number, article: 'a' | 'the'): string {
  if (percent === 100) return `${article} full lesson`
  return percent === 50 ? `half ${article} lesson` : `${percent}% of ${article} lesson`
}

function noticeSentence({
  notice_hours: hours,
  bands,
  no_show: noShow,
  fee,
  holding_percent,
}: Rules): string {
  if (bands.length === 0)
    return fee || holding_percent
      ? ''
      : noShow
        ? 'Canceling is free at any time.'
        : 'Missed lessons cost nothing.'
  return `Cancel at least ${noticeText(hours)} before.`
}

function costSentence({ notice_hours: notice, bands, no_show: noShow }: Rules, currency: Currency): string {
  const steps = bands.map((band, at) => {
    const when =
      at === bands.length - 1
        ? 'Later'
        : `${capital(noticeText(bands[at - 1]?.until_hours ?? notice))} to ${noticeText(band.until_hours)} before`
    return `${when}: ${costText(band, currency)}.`
  })
  const last = bands.at(-1)
  if (noShow && !(last && isSame(noShow, last)))
    return [...steps, `No-show: ${costText(noShow, currency)}.`].join(' ')
  return [...steps.slice(0, -1), steps.at(-1)?.replace('Later:', 'Later or a no-show:')].join(' ')
}

const isSame = (one: Cost, other: Cost) =>
  (one.percent ?? 0) === (other.percent ?? 0) && (one.amount ?? 0) === (other.amount ?? 0)

function freeSentence(rules: Rules): string {
  const { free_per_half_year: count, free_if_rescheduled_days: days } = rules
  const reasons = [
    rules.is_illness_free ? 'illness' : undefined,
    rules.are_closings_free ? 'snow days and school closings' : undefined,
  ]
  const free = [
    count ? `${numberText(count)} late cancellation${count === 1 ? '' : 's'} per half-year` : undefined,
    ...reasons,
    days ? `if rescheduled within ${daysText(days)}` : undefined,
  ].filter((one) => one !== undefined)
  if (free.length === 0) return ''
  return `Free${free.length === 1 && days ? ' ' : ': '}${listText(free)}.`
}

function feeSentence(rules: Rules, currency: Currency): string {
  const { fee, bands, holding_percent: holding, due_day: due } = rules
  const held = holding ? holdingSentence(holding, bands.length > 0) : undefined
  const isInAdvance = fee?.is_in_advance === true
  const paid = due
    ? `Money is due on the ${ordinal(due)} of the ${isInAdvance ? '' : 'next '}month.`
    : undefined
  const terms = fee?.per === 'term' ? termSentence(rules) : undefined
  return [fee && periodSentence(fee, currency), terms, held, paid].filter(Boolean).join(' ')
}

function holdingSentence(percent: number, hasCosts: boolean): string {
  const unless = hasCosts ? ', unless one of them is charged' : ''
  return `A week in which the family cancels all lessons costs ${partOf(percent, 'a')}, to hold the place${unless}.`
}

function termSentence(rules: Rules): string {
  return `Terms begin in ${listText(inSchoolYear(termMonthsOf(rules)).map(monthName))}.`
}

function periodSentence(
  { per, amount, lessons, is_in_advance: isInAdvance }: PeriodFee,
  currency: Currency,
): string {
  const what = lessons ? `for ${lessons} ${lessons === 1 ? 'lesson' : 'lessons'}` : 'for all lessons'
  return `${formatMoney(amount, currency)} a ${per} ${what}${isInAdvance ? ', paid in advance' : ''}.`
}

function makeUpSentence({ for: which, most, per, until }: MakeUps, rules: Rules): string {
  const { notice_hours: hours, fee } = rules
  const what = which === 'missed' ? 'Missed lessons' : `Lessons canceled at least ${noticeText(hours)} before`
  const many = most ? `, at most ${numberText(most)} ${per === 'once' ? 'at once' : `a ${per}`}` : ''
  const last = until === 'term' ? ', until the end of the term' : until ? `, within ${daysText(until)}` : ''
  // Beside a term's fee it's said already.
  const terms = fee?.per !== 'term' && dependsOnTerm(rules) ? ` ${termSentence(rules)}` : ''
  return `${what} are made up${many}${last}.${terms}`
}

function tutorSentence(
  { brings, within_days: days, late_percent_off: off }: TutorCancels,
  rules: Rules,
): string {
  const makeUp = `a make-up${days ? ` within ${daysText(days)}` : ''}`
  const said = {
    nothing: off ? '' : 'nothing is charged, and nothing is owed',
    make_up: makeUp,
    credit: 'the lesson is credited',
    make_up_or_credit: `${makeUp}, or the money back`,
  }[brings]
  const late = off
    ? `${percentText(off)} off the next lesson${rules.notice_hours > 0 ? ` if it's less than ${noticeText(rules.notice_hours)} before` : ''}`
    : ''
  return `If the tutor cancels: ${[said, late].filter(Boolean).join('; ')}.`
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const numberText = (count: number) => NUMBERS[count] ?? String(count)
const daysText = (days: number) => (days === 1 ? 'a day' : `${days} days`)
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}

function ordinal(day: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as Record<string, string>
  return `${day}${ending[new Intl.PluralRules('en-US', { type: 'ordinal' }).select(day)] ?? 'th'}`
}
