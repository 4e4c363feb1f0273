// Reads lessons from a text. Parsers propose facts, the model chooses, and uncertain facts stay empty.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { type Candidate, type Found, found, type ReadingInput } from './candidates.ts'
import { missedIn, type ReadMissed } from './missed.ts'
import type { Choice, Fact, Facts, Kind } from './choices.ts'
import { factChoices, FACTS, fixChoices, KEPT, kindChoices, KINDS, paidChoices } from './choices.ts'
import { overlaps, type Span, textAt, type Word } from './line.ts'
import { probabilities, type Weights } from './model.ts'
import { perHour } from './money.ts'
import { isSubject, leftover, tagged, wordsIn } from './remarks.ts'
import { type Lesson, lessonsOf, type Option, type Understood } from './sessions.ts'

/** A chosen fact with its probability. */
export interface Chosen {
  value: string | number | null
  chance: number
  /** The words it came from, if it was said. */
  at: Candidate | undefined
  /** The words that most likely name a person (not 'my daughter'), even if that's too unlikely to fill in. */
  heard: Candidate | undefined
}

const IS_NAME = /^(?!role|self|title|letter|small)/

/** The most probable value. Choices with the same value are added up. */
function chosen(weights: Weights, choices: Choice[]): Chosen {
  const chances = probabilities(
    weights,
    choices.map((choice) => choice.features),
  )
  const sums = new Map<Choice['value'], number>()
  choices.forEach(({ value }, at) => sums.set(value, (sums.get(value) ?? 0) + (chances[at] ?? 0)))
  const [value, chance] = [...sums].reduce((best, one) => (one[1] > best[1] ? one : best))
  const all = choices
    .map((choice, at) => ({ ...choice, chance: chances[at] ?? 0 }))
    .sort((one, other) => other.chance - one.chance)
  const meant = all.filter((one) => one.value === value)
  // Report a name that matches nobody, unless it's very unlikely to be one.
  const told = meant.find((one) => value === null && one.candidate && one.chance > 0.05)
  const named = all.find((one) => one.chance > 0.05 && one.candidate && IS_NAME.test(one.candidate.type))
  return { value, chance, at: (told ?? meant[0])?.candidate, heard: named?.candidate }
}

/** The facts of a text with one lesson. */
function factsOf(weights: Weights, text: Found, isAhead: boolean, paid: Chosen): Record<Fact, Chosen> {
  const pick = (fact: Fact, minutes: number | null = null): Chosen =>
    chosen(weights, factChoices(text, fact, minutes, isAhead))
  const [child, tutor, minutes] = [pick('child'), pick('tutor'), pick('minutes')]
  // One unlisted name can't be both the child and the tutor.
  const isSame = child.value === null && tutor.value === null && child.at?.from === tutor.at?.from
  const less = isSame ? (child.chance < tutor.chance ? child : tutor) : undefined
  if (less) less.at = less.heard = undefined
  const rate = priceOf(text, pick('rate', Number(minutes.value) || null), paid, tutor, Number(minutes.value))
  return { child, tutor, day: pick('day'), minutes, rate }
}

/**
 * What's paid to someone without a usual price is the price. An amount that equals that price is for an hour, unless it
 * was said to be for everything.
 */
function priceOf({ line, task }: Found, rate: Chosen, paid: Chosen, tutor: Chosen, minutes: number): Chosen {
  const usual = task.tutors.find(({ id }) => id === tutor.value)?.rate ?? null
  const { at, chance } = paid
  if (at && usual === null && rate.value === null)
    return { ...paid, value: perHour(Number(at.value), minutes) }
  const isPaid = at && rate.at && usual !== null && overlaps(at, rate.at) && chance > rate.chance
  if (isPaid) return { ...paid, value: null, at: undefined }
  const isTotal =
    rate.at?.reading === 'total' && line.some(({ text }) => /^(total|altogether|all|both)$/.test(text))
  return usual !== null && rate.at?.value === usual && !isTotal ? { ...rate, value: usual } : rate
}

/** A proposed lesson. Facts that weren't said, or aren't certain enough, are null. */
export interface ReadSession {
  studentId: string | null
  tutorId: string | null
  /** A name that isn't on the list, matches several people, or is uncertain. */
  suggestedStudentName: string | null
  suggestedTutorName: string | null
  /** The words that were taken for their names, or may be. */
  heardStudent: string | null
  heardTutor: string | null
  day: CalendarDay | null
  minutes: Minutes | null
  /** The start time, HH:MM, if a time range was given. */
  start: string | null
  /** Cents per hour; a total is divided by the length. Zero for a free lesson. */
  rate: Cents | null
  subject: string | null
  notes: string | null
  confidence: 'high' | 'medium' | 'low'
  /** Facts that were filled in but should be checked. */
  unsure: Fact[]
  isFuture: boolean
}

/** What a text sounds like. `maybe` and `planned` are filled in with a question; those behind aren't. */
type Sound = 'session' | 'maybe' | 'planned' | 'cancelled' | 'asked' | 'other' | 'foreign'

export interface Reading {
  sounds: Sound
  sessions: ReadSession[]
  /** Words that weren't understood, to offer for the notes. Null if there are several sessions. */
  unread: string | null
  /** What was paid, in cents, if it wasn't given as the price. */
  paid: Cents | null
  /** The class that didn't take place, if that's what the text says. */
  missed: ReadMissed | null
}

export const NOTHING_READ: Reading = { sounds: 'other', sessions: [], unread: null, paid: null, missed: null }

/** Maximum transcript length in characters; two minutes of fast speech is about 2,500. */
const MAX_TRANSCRIPT = 4000

// Probabilities, chosen on authors left out of training. Below `fact` a fact stays empty (tutors: because of substitutes);
// below `plain` it's filled in and marked for checking. Today is what's left if no day was read.
export const LEAST = {
  session: 0.99,
  maybe: 0.2,
  several: 0.5,
  looked: 0.05,
  fact: { child: 0.8, tutor: 0.86, day: 0.85, minutes: 0.7, rate: 0.7, today: 0.4 },
  paid: 0.5,
  plain: 0.92,
  plainAmongUnclear: 0.97,
  high: 0.975,
} as const

/** Reads a transcript. */
export function read(weights: Weights, input: ReadingInput): Reading {
  const text = found({ ...input, transcript: input.transcript.slice(0, MAX_TRANSCRIPT).normalize('NFC') })
  if (text.line.length === 0) return NOTHING_READ
  if (text.isForeign) return { ...NOTHING_READ, sounds: 'foreign' }
  const chances = probabilities(weights, kindChoices(text))
  const kinds = Object.fromEntries(KINDS.map((kind, at) => [kind, chances[at]])) as Record<Kind, number>
  const told = kinds.one + kinds.several
  const sounds = soundOf(kinds, told)
  if (sounds === 'asked') return { ...NOTHING_READ, sounds }
  if (sounds === 'cancelled' || sounds === 'other')
    return { ...NOTHING_READ, sounds, missed: missedIn(text, sounds === 'cancelled') }
  const isLooked = kinds.several > LEAST.looked * told && sounds !== 'planned'
  const odds = Math.log((kinds.several + 1e-4) / (kinds.one + 1e-4))
  const several = isLooked ? lessonsOf(weights, text, odds) : undefined
  const paid = chosen(weights, paidChoices(text))
  const proposal: Proposal =
    several && several.several > LEAST.several
      ? several
      : oneLesson(text, factsOf(weights, text, sounds === 'planned', paid), kinds.one)
  const { lessons, places } = proposal
  const [subjects, remarks] = tagged(weights, text, places, lessons.length === 1)
  const isAbout = wordsAbout(text, lessons, subjects)
  const sessions = lessons.map((lesson): ReadSession => {
    const session = sessionOf(text, lesson, proposal)
    const confidence = sounds === 'session' ? session.confidence : 'low'
    const notes = remarks.filter((one) => isAbout(lesson, one)).map((one) => wordsIn(text, one))
    const subject = subjectOf(text, lessons, subjects, (one) => isAbout(lesson, one))
    return { ...session, subject, notes: notes.join('; ') || null, confidence }
  })
  const given = [paid.chance < LEAST.paid ? [] : (paid.at ?? [])].flat()
  const [payment] = given.filter((one) => !places.some((place) => overlaps(place, one)))
  const taken = [...places, ...subjects, payment ?? [], ...remarks].flat()
  const unread = sessions.length > 1 ? null : leftover(text, taken)
  return { sounds, sessions, unread, paid: (payment?.value ?? null) as Cents | null, missed: null }
}

/** The facts that a correction of a lesson changes, and the subject. */
export type Fix = Partial<Record<Fact, Chosen>> & { subject: string | null }

/** Reads a correction of a lesson whose facts are known. */
export function readFix(weights: Weights, input: ReadingInput, former: Facts): Fix {
  const text = found(input)
  const now = { ...former }
  const all = FACTS.flatMap((fact): [Fact, Chosen][] => {
    const one = chosen(weights, fixChoices(text, fact, now))
    if (one.value === KEPT || one.value === former[fact]) return []
    now[fact] = one.value
    return [[fact, one]]
  })
  const places = all.flatMap(([, { at }]) => at ?? [])
  const subject = tagged(weights, text, places, true)[0].findLast(
    ({ from, to }) =>
      textAt(text.line, from - 1) !== 'not' && text.line.slice(from, to).some((one) => isSubject(one.text)),
  )
  return { ...Object.fromEntries(all), subject: subject ? wordsIn(text, subject) : null }
}

function soundOf(kinds: Record<Kind, number>, told: number): Sound {
  if (told >= LEAST.session) return 'session'
  const others = ['planned', 'cancelled', 'asked', 'other'] as const
  const likeliest = others.reduce((best, kind) => (kinds[kind] > kinds[best] ? kind : best))
  // Planned lessons are filled in, too, with a question that asks whether they took place.
  if (likeliest === 'planned' && kinds.planned > told) return 'planned'
  return told >= LEAST.maybe ? 'maybe' : likeliest
}

interface Proposal extends Understood {
  /** For a single lesson: names to suggest, and facts to check. */
  names?: Record<'child' | 'tutor', string | null>
  heard?: Record<'child' | 'tutor', string | undefined>
  unsure?: Fact[]
}

function oneLesson(text: Found, facts: Record<Fact, Chosen>, kind: number): Proposal {
  const isKnown = (fact: Fact): boolean =>
    facts[fact].chance >= LEAST.fact[fact === 'day' && !facts.day.at ? 'today' : fact] ||
    (fact === 'day' && isAmbiguous(text, facts.day.value))
  const sure = (fact: Fact): Choice['value'] =>
    isKnown(fact) && !isStranger(text, fact, facts[fact]) ? facts[fact].value : null
  const isUnclear = text.of.day.some(({ value, type }) => value === null && type !== 'some')
  const plain = (fact: Fact): number => (fact === 'day' && isUnclear ? LEAST.plainAmongUnclear : LEAST.plain)
  const [child = null, tutor = null, day = null, minutes = null, rate = null] = FACTS.map(sure)
  const start = text.of.minutes.find((one) => one.value === minutes && one.start)?.start ?? null
  const nameOf = (fact: 'child' | 'tutor'): string | null =>
    sure(fact) === null ? suggestedName(text, fact, facts[fact]) : null
  return {
    lessons: [{ child, tutor, day, minutes, rate, start, told: [] }],
    chance: FACTS.reduce((product, fact) => product * facts[fact].chance, kind),
    places: FACTS.flatMap((fact) => facts[fact].at ?? []),
    names: { child: nameOf('child'), tutor: nameOf('tutor') },
    heard: { child: facts.child.heard?.written, tutor: facts.tutor.heard?.written },
    unsure: FACTS.filter((fact) => sure(fact) !== null && facts[fact].chance < plain(fact)),
  }
}

/** The name to suggest for a person who isn't filled in. */
function suggestedName(text: Found, fact: 'child' | 'tutor', person: Chosen): string | null {
  const { value, chance, at } = person
  if (at?.written !== undefined && (isStranger(text, fact, person) || (value === null && chance >= 0.5)))
    return at.written.replaceAll(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase())
  const list = fact === 'child' ? text.task.students : text.task.tutors
  return list.find(({ id }) => id === value)?.name ?? null
}

/** Whether a name is more likely an unlisted one than a listed one that it only resembles. */
function isStranger({ of }: Found, fact: Fact, { at }: Chosen): boolean {
  const isWeak = of[fact].some(({ from, type }) => from === at?.from && /^near[56]/.test(type))
  return isWeak && of.stranger.some((other) => at && overlaps(at, other))
}

function sessionOf(text: Found, lesson: Lesson, proposal: Proposal): Omit<ReadSession, 'subject' | 'notes'> {
  const { child, tutor, day, minutes, rate, start } = lesson
  const { chance, names, heard, unsure = [] } = proposal
  const doubts = [...new Set([...unsure, ...doubtsAbout(text, lesson, proposal)])]
  const isOpen = minutes === null || day === null || (child === null && tutor === null) || doubts.length > 0
  const isHigh = child !== null && tutor !== null && chance >= LEAST.high
  return {
    studentId: child as string | null,
    tutorId: tutor as string | null,
    suggestedStudentName: names?.child ?? null,
    suggestedTutorName: names?.tutor ?? null,
    heardStudent: heard?.child ?? null,
    heardTutor: heard?.tutor ?? null,
    day: day as CalendarDay | null,
    minutes: minutes as Minutes | null,
    start,
    rate: rate as Cents | null,
    confidence: isOpen ? 'low' : isHigh ? 'high' : 'medium',
    unsure: doubts,
    isFuture: day !== null && String(day) > text.task.today,
  }
}

/** Longer lessons are rare enough to ask. */
const USUAL_MINUTES = 240

/** Facts to check however sure the model is. An unclear day may be any of several lessons', and a half any length's. */
function doubtsAbout(
  text: Found,
  { day, minutes, doubts = [] }: Lesson,
  { names, places }: Proposal,
): Fact[] {
  const isLost = text.of.day.some(
    (one) => /unclear|impossible/.test(one.type) && !places.some((place) => overlaps(place, one)),
  )
  const isPart = ({ text: word }: Word, at: number): boolean =>
    /^(half|quarters?)$/.test(word) && !places.some(({ from, to }) => from <= at && at < to)
  const says = (words: RegExp): boolean => text.line.some(({ text: word }) => words.test(word))
  const lengths = places.filter((one) => text.of.minutes.some(({ from }) => from === one.from))
  // 'Two hours, first Maya, then Theo' may be an hour each.
  const isInTurn = names === undefined && lengths.length === 1 && says(/^1th$/) && !says(/^(each|both)$/)
  const isLengthOpen = minutes !== null && (text.line.some(isPart) || isInTurn)
  const isDayOpen = isAmbiguous(text, day) || (names === undefined && isLost)
  return [
    ...doubts,
    ...(isDayOpen ? (['day'] as const) : []),
    ...(Number(minutes) > USUAL_MINUTES || isLengthOpen ? (['minutes'] as const) : []),
  ]
}

/** Whether a day was said only as today's own weekday, which may be last week's, or as 'a Friday'. */
function isAmbiguous({ of, line }: Found, day: Choice['value']): boolean {
  const meant = of.day.filter(({ value }) => value !== null && value === day)
  return (
    meant.length > 0 &&
    meant.every(({ from }) => {
      const isOwn = of.day.some((one) => one.from === from && one.type.includes('same'))
      const before = textAt(line, from - 1)
      return /^(a|some)$/.test(before) || (isOwn && !/^(last|this|past)$/.test(before))
    })
  )
}

/** Tells whether words are about a lesson: from where it's told to where the next one is, or about everybody. */
function wordsAbout({ line }: Found, lessons: Lesson[], [first]: Span[]) {
  const fromOf = (group: Option[] | undefined): number => group?.[0]?.from ?? 0
  const groups = [...new Set(lessons.flatMap(({ told }) => told))].sort(
    (one, other) => fromOf(one) - fromOf(other),
  )
  const isAhead = first !== undefined && first.from < fromOf(groups[0])
  const starts = groups.map((group, at) => {
    const [from, to] = [groups[at - 1]?.at(-1)?.to ?? 0, fromOf(group)]
    const isBreak = ({ gap, text }: Word, place: number): boolean =>
      place >= from && place <= to && (/[.,]/.test(gap) || /^(and|then|but|while)$/.test(text))
    const last = line.findLastIndex(isBreak)
    return at === 0 ? 0 : last >= 0 ? last : isAhead ? from : to
  })
  return ({ told }: Lesson, { from }: Span): boolean => {
    const group = groups[starts.findLastIndex((start) => start <= from)]
    const isEverybody = /^(both|all|everyone|everybody)$/.test(textAt(line, from))
    return lessons.length === 1 || isEverybody || (group !== undefined && told.includes(group))
  }
}

/** The subject said about a lesson, or the only one, unless it was said about another child; spelled as listed. */
function subjectOf(
  text: Found,
  lessons: Lesson[],
  subjects: Span[],
  isOwn: (span: Span) => boolean,
): string | null {
  const [only, other] = subjects
  const isShared = new Set(lessons.map(({ tutor }) => tutor)).size === 1
  const span = subjects.find(isOwn) ?? (other || !isShared ? undefined : only)
  if (!span) return null
  const written = wordsIn(text, span)
  const listed = text.task.tutors.flatMap((tutor) => tutor.subjects)
  return listed.find((subject) => plainSpelling(subject) === plainSpelling(written)) ?? written
}
