// The questions the model answers about a text, with their choices: what kind of text it is, and the value of
// each fact.
import type { Candidate, Found, Slot } from './candidates.ts'
import { candidateFeatures, noneFeatures, textFeatures } from './features.ts'
import { textAt } from './line.ts'
import { type Features, hashed } from './model.ts'
import { perHour } from './money.ts'

/** `one` and `several` count lessons, `asked` is a question about one, and `other` isn't about lessons. */
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
  return KINDS.map((kind) => hashed(features, `kind ${kind}`))
}

/** The ways a fact can be left unsaid. `lost` is a day that was said in words nobody taught. */
const UNSAID = {
  child: ['only', 'nobody'],
  tutor: ['only', 'own', 'nobody'],
  day: ['today', 'lost'],
  minutes: ['nothing'],
  rate: ['free', 'nothing'],
} as const

/** The choices for a fact. @param minutes the lesson's length, used to convert a total to an hourly rate */
export function factChoices(found: Found, fact: Fact, minutes: number | null, isAhead = false): Choice[] {
  const { task, of } = found
  const isPerson = fact === 'child' || fact === 'tutor'
  const list = fact === 'child' ? task.students : task.tutors
  const only = list.length === 1 ? list[0]?.id : undefined
  const isLater = ({ value }: Candidate): boolean => value !== null && String(value) > task.today
  const isFuture = isAhead && of.day.some(isLater)
  const today = isFuture ? undefined : isAhead ? null : task.today
  const own = isPerson && !only ? list.find(({ isSelf }) => isSelf)?.id : undefined
  const meant = { only, own, nobody: null, today, lost: null, nothing: null, free: 0 }
  const choose = (one: Candidate, question: string): Choice[] => {
    const value = valueOf(one, minutes)
    if (value === undefined || (fact === 'day' && isLater(one) !== isFuture)) return []
    const features = candidateFeatures(found, { ...one, value }, question, minutes ?? 0)
    return [{ value, candidate: one, features }]
  }
  return [
    ...of[fact].flatMap((one) => choose(one, fact)),
    ...(isPerson ? of.stranger : []).flatMap((one) => choose(one, `${fact} ${only ? 'only' : 'some'}`)),
    ...UNSAID[fact].flatMap((kind): Choice[] => {
      const value = meant[kind]
      return value === undefined ? [] : [{ value, features: noneFeatures(found, fact, kind) }]
    }),
  ]
}

/** A lesson's facts as they stand on its card. */
export type Facts = Record<Fact, Choice['value']>
/** The value of a fact that a correction doesn't change. */
export const KEPT = 'kept'

/** Words after a length that make it how much longer or shorter than before the lesson was. */
const LONGER: Record<string, number> = { longer: 1, more: 1, extra: 1, shorter: -1, less: -1 }

/** The choices for a fact in a correction, which may also clear it. What's learned from any text counts, too. */
export function fixChoices(found: Found, fact: Fact, former: Facts): Choice[] {
  const minutes = Number(former.minutes)
  const said = factChoices(found, fact, minutes || null).map((choice): Choice => {
    const { candidate: one, value, features } = choice
    if (!one) return { value, features: noneFeatures(found, fact, `fix ${value}`) }
    const [last, next] = [one.from - 1, one.to].map((at) => textAt(found.line, at))
    const by = fact === 'minutes' ? (LONGER[next ?? ''] ?? Number(last === 'another')) : 0
    const learned = candidateFeatures(found, one, `fix ${fact}`)
    const after = by === 0 ? value : minutes + by * Number(value)
    return { value: after, candidate: one, features: Int32Array.from([...features, ...learned]) }
  })
  const kept = { value: KEPT, features: noneFeatures(found, fact, KEPT) }
  return [kept, ...said.filter(({ candidate, value }) => candidate || !value)]
}

/** A candidate's value; a total is converted to an hourly rate, and undefined if it can't be. */
function valueOf({ value, reading }: Candidate, minutes: number | null): Choice['value'] | undefined {
  if (reading !== 'total' || value === 0) return value
  return minutes === null ? undefined : (perHour(Number(value), minutes) ?? undefined)
}

/** The choices for what was paid: one of the amounts, or nothing. It isn't the price unless the words say so. */
export function paidChoices(found: Found): Choice[] {
  const amounts = found.of.rate.filter(({ reading, value }) => reading === 'total' && value !== 0)
  const paid = amounts.map((one): Choice => {
    return { value: one.value, candidate: one, features: candidateFeatures(found, one, 'paid') }
  })
  return [...paid, { value: null, features: noneFeatures(found, 'rate', 'paid') }]
}
