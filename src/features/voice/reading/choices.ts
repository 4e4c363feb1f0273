// The questions the model answers about a text, with their choices: what kind of text it is, and the value of
// each fact.
import type { Candidate, Found, Slot } from './candidates.ts'
import { candidateFeatures, noneFeatures, textFeatures } from './features.ts'
import { type Features, placesOf } from './model.ts'
import { perHour } from './money.ts'

/**
 * `one` and `several` count lessons, `asked` is a question about a lesson, and `other` is unrelated to
 * lessons.
 */
export const KINDS = ['one', 'several', 'planned', 'cancelled', 'asked', 'other'] as const
export type Kind = (typeof KINDS)[number]

export type Fact = Exclude<Slot, 'stranger'>
export const FACTS = ['child', 'tutor', 'day', 'minutes', 'rate'] as const

export interface Choice {
  value: string | number | null
  features: Features
  /** The candidate it came from, if it was said. */
  candidate?: Candidate
}

/** The choices for the kind of text. */
export function kindChoices(found: Found): Features[] {
  const features = textFeatures(found)
  return KINDS.map((kind) => placesOf(features.map((feature) => `kind ${kind} ${feature}`)))
}

/** The choices for a fact. @param minutes the lesson's length, used to convert a total to an hourly rate */
export function factChoices(found: Found, fact: Fact, minutes: number | null, isAhead = false): Choice[] {
  const said = (one: Candidate, value: Choice['value'], question: string = fact): Choice => ({
    value,
    candidate: one,
    features: candidateFeatures(found, one, question, minutes),
  })
  const unsaid = (kind: string, value: Choice['value']): Choice => ({
    value,
    features: noneFeatures(found, fact, fact, kind),
  })
  const { task, of } = found
  switch (fact) {
    case 'child':
    case 'tutor': {
      const list = fact === 'child' ? task.children : task.tutors
      const [only] = list
      return [
        ...of[fact].map((one) => said(one, one.value)),
        ...of.stranger.map((one) => said(one, null, `${fact} ${list.length === 1 ? 'only' : 'some'}`)),
        ...(only && list.length === 1 ? [unsaid('only', only.id)] : []),
        unsaid('nobody', null),
      ]
    }
    case 'day': {
      const ahead = isAhead ? of.day.filter(({ value }) => String(value) > task.today) : []
      const days = ahead.length > 0 ? ahead : of.day.filter(({ value }) => String(value) <= task.today)
      return [
        ...days.map((one) => said(one, one.value)),
        ...(ahead.length > 0 ? [] : [unsaid('today', isAhead ? null : task.today)]),
      ]
    }
    case 'minutes':
      return [...of.minutes.map((one) => said(one, one.value)), unsaid('nothing', null)]
    case 'rate':
      return [
        ...of.rate.flatMap((one) => rateChoice(found, one, minutes)),
        unsaid('free', 0),
        unsaid('nothing', null),
      ]
  }
}

function rateChoice(found: Found, one: Candidate, minutes: number | null): Choice[] {
  const value = rateOf(one, minutes)
  return value === null
    ? []
    : [{ value, candidate: one, features: candidateFeatures(found, { ...one, value }, 'rate', minutes) }]
}

/** The hourly rate for an amount, in cents; null if a total can't be divided. */
export function rateOf({ value, reading }: Candidate, minutes: number | null): number | null {
  if (reading !== 'total' || value === 0) return Number(value)
  return minutes === null ? null : perHour(Number(value), minutes)
}
