// Reads lessons from a text. Parsers propose facts, the model chooses, and uncertain facts stay empty.
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import type { Cents } from '#kernel/money.ts'
import { plainSpelling } from '../name-spelling.ts'
import { type Found, found } from './candidates.ts'
import { type Choice, type Fact, factChoices, FACTS, type Kind, kindChoices, KINDS } from './choices.ts'
import { probabilities, type Weights } from './model.ts'
import { isSubject, leftover, remarkOf, type Span, subjectOf } from './remarks.ts'
import { type Lesson, lessonsOf } from './sessions.ts'

/** A chosen fact with its probability. */
export interface Chosen {
  value: string | number | null
  chance: number
  /** A name that was said but doesn't clearly match anyone. */
  said?: string
  at?: { from: number; to: number }
}

export type Facts = Record<Fact, Chosen>

/** The probability of each kind of text. */
export function kindsOf(weights: Weights, text: Found): Record<Kind, number> {
  const chances = probabilities(weights, kindChoices(text))
  return Object.fromEntries(KINDS.map((kind, index) => [kind, chances[index] ?? 0])) as Record<Kind, number>
}

/** The most probable value. Choices with the same value are added up. */
export function chosen(weights: Weights, choices: Choice[]): Chosen {
  const chances = probabilities(
    weights,
    choices.map(({ features }) => features),
  )
  const sums = new Map<Choice['value'], number>()
  choices.forEach(({ value }, index) => sums.set(value, (sums.get(value) ?? 0) + (chances[index] ?? 0)))
  const [value, chance] = [...sums].reduce((best, one) => (one[1] > best[1] ? one : best))
  // Report a name that matches nobody, unless it's very unlikely to be one.
  const isTold = (index: number): boolean =>
    value === null && choices[index]?.candidate?.said !== undefined && (chances[index] ?? 0) > 0.05
  const meant = choices.map((choice, index) => ({
    choice,
    chance: choice.value === value ? (chances[index] ?? 0) + (isTold(index) ? 1 : 0) : -1,
  }))
  const { choice } = meant.reduce((best, one) => (one.chance > best.chance ? one : best))
  return {
    value,
    chance,
    ...(choice.candidate?.said === undefined ? {} : { said: choice.candidate.said }),
    ...(choice.candidate ? { at: choice.candidate } : {}),
  }
}

/** The facts of a text with one lesson. */
export function factsOf(weights: Weights, text: Found, isAhead = false): Facts {
  const facts: Partial<Facts> = {}
  for (const fact of FACTS)
    facts[fact] = chosen(weights, factChoices(text, fact, Number(facts.minutes?.value) || null, isAhead))
  const { child, tutor } = facts as Facts
  // One unlisted name can't be both the child and the tutor.
  if (child.value === null && tutor.said !== undefined && child.at?.from === tutor.at?.from) {
    const stranger = text.of.stranger.filter(({ from }) => from !== tutor.at?.from)
    const without = { ...text, of: { ...text.of, stranger } }
    const otherChild = chosen(weights, factChoices(without, 'child', null, isAhead))
    const otherTutor = chosen(weights, factChoices(without, 'tutor', null, isAhead))
    const isChilds =
      stranger.length > 0 && otherTutor.chance * child.chance > otherChild.chance * tutor.chance
    if (isChilds) facts.tutor = otherTutor
    else facts.child = otherChild
  }
  return facts as Facts
}

/** A proposed lesson. Facts that weren't said, or aren't certain enough, are null. */
export interface ReadSession {
  studentId: string | null
  tutorId: string | null
  /** A name that isn't on the list, matches several people, or is uncertain. */
  suggestedStudentName: string | null
  suggestedTutorName: string | null
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

/**
 * What a text sounds like. `maybe` and `planned` lessons are filled in with a question; the last three fill
 * in nothing.
 */
export type Sound = 'session' | 'maybe' | 'planned' | 'cancelled' | 'asked' | 'other'

export interface Reading {
  sounds: Sound
  sessions: ReadSession[]
  /** Words that weren't understood, to offer for the notes. */
  unread: string | null
}

export interface ReadingInput {
  transcript: string
  /** The speaker's own date, used for words like 'yesterday'. */
  today: CalendarDay
  /** `rate` is the usual hourly price in cents. */
  students: { id: string; name: string; rate?: Cents | null }[]
  tutors: { id: string; name: string; rate: Cents | null; subjects: string[]; isSelf?: boolean }[]
}

export const NOTHING_READ: Reading = { sounds: 'other', sessions: [], unread: null }

/** Maximum transcript length in characters; two minutes of fast speech is about 2,500. */
export const MAX_TRANSCRIPT = 4000

/**
 * Probability thresholds, chosen on authors left out of training (docs/decisions/0020). Below `fact` a fact
 * stays empty; below `plain` it's filled in and marked for checking. The tutor's threshold is high because of
 * substitutes.
 */
export const LEAST = {
  session: 0.97,
  maybe: 0.08,
  several: 0.5,
  looked: 0.05,
  fact: { child: 0.65, tutor: 0.88, day: 0.65, minutes: 0.65, rate: 0.7 },
  plain: 0.88,
  high: 0.968,
} as const

/** Reads a transcript. */
export function read(weights: Weights, { transcript, today, students, tutors }: ReadingInput): Reading {
  const typed = transcript.slice(0, MAX_TRANSCRIPT).normalize('NFC')
  return readingOf(weights, found({ today, text: typed, children: students, tutors }))
}

/** Reads a text from its candidates. */
export function readingOf(weights: Weights, text: Found): Reading {
  const { today } = text.task
  if (text.line.length === 0) return NOTHING_READ
  const kinds = kindsOf(weights, text)
  const told = kinds.one + kinds.several
  const sounds = soundOf(kinds, told)
  if (sounds === 'cancelled' || sounds === 'asked' || sounds === 'other') return { ...NOTHING_READ, sounds }
  const subject = subjectOf(weights, text)
  const odds = Math.log((kinds.several + 1e-4) / (kinds.one + 1e-4))
  const several =
    kinds.several > LEAST.looked * told && sounds !== 'planned' ? lessonsOf(weights, text, odds) : undefined
  const isSeveral = several !== undefined && several.several > LEAST.several
  const facts = factsOf(weights, text, sounds === 'planned')
  const sessions = isSeveral
    ? several.lessons.map((lesson, index) =>
        severalSession(
          text,
          lesson,
          several.chance * several.several,
          subjectIn(text, several.lessons, index, subject),
        ),
      )
    : [oneSession(text, facts, kinds.one, subject)]
  const places = isSeveral ? several.places : FACTS.flatMap((fact) => facts[fact].at ?? [])
  const remark = remarkOf(weights, text, places)
  const notes = remark ? wordsIn(text, remark) : null
  return {
    sounds,
    sessions: sessions.map((session) => ({
      ...session,
      notes,
      isFuture: session.day !== null && session.day > today,
      confidence: sounds === 'session' ? session.confidence : 'low',
    })),
    unread: leftover(text, [...places, subject, remark]),
  }
}

function soundOf(kinds: Record<Kind, number>, told: number): Sound {
  if (told >= LEAST.session) return 'session'
  const others = ['planned', 'cancelled', 'asked', 'other'] as const
  const likeliest = others.reduce((best, kind) => (kinds[kind] > kinds[best] ? kind : best))
  // Planned lessons are filled in with a question of their own.
  if (likeliest === 'planned' && kinds.planned > told) return 'planned'
  return told >= LEAST.maybe ? 'maybe' : likeliest
}

type Unfinished = Omit<ReadSession, 'notes' | 'isFuture'>

function oneSession(
  { task, ...text }: Found,
  facts: Facts,
  kind: number,
  subject: Span | undefined,
): Unfinished {
  const all = FACTS.reduce((product, fact) => product * facts[fact].chance, kind)
  const sure = <Value>(fact: Fact): Value | null =>
    facts[fact].chance >= LEAST.fact[fact] ? (facts[fact].value as Value | null) : null
  const person = (
    fact: 'child' | 'tutor',
    list: { id: string; name: string }[],
  ): [string | null, string | null] => {
    const { value, chance, said, at } = facts[fact]
    if (said && at && isStranger(text, fact, at)) return [null, asName(said)]
    if (value === null) return [null, said && chance >= 0.5 ? asName(said) : null]
    const name = list.find(({ id }) => id === value)?.name ?? null
    return chance >= LEAST.fact[fact] ? [value as string, null] : [null, name]
  }
  const [studentId, suggestedStudentName] = person('child', task.children)
  const [tutorId, suggestedTutorName] = person('tutor', task.tutors)
  const minutes = sure<Minutes>('minutes')
  const day = sure<CalendarDay>('day')
  const unsure = FACTS.filter((fact) => sure(fact) !== null && facts[fact].chance < LEAST.plain)
  return {
    studentId,
    tutorId,
    suggestedStudentName,
    suggestedTutorName,
    day: day && facts.day.at ? nearestDay({ task, ...text }, day, facts.day.at) : day,
    minutes,
    start: minutes && startOf(text, minutes),
    rate: sure<Cents>('rate'),
    subject: subject ? listedSpelling({ task, ...text }, subject) : null,
    confidence: unsure.length > 0 ? 'low' : confidenceOf({ studentId, tutorId, minutes }, all),
    unsure,
  }
}

/** Whether a name is more likely an unlisted one than a listed one that it only resembles. */
function isStranger({ of }: Pick<Found, 'of'>, fact: 'child' | 'tutor', at: Span): boolean {
  const isWeak = of[fact].some((one) => one.from === at.from && /^near[56]/.test(one.type))
  return isWeak && of.stranger.some(({ from, to }) => from < at.to && to > at.from)
}

/** The start time of a lesson of this length; null unless exactly one time range matches. */
function startOf({ of }: Pick<Found, 'of'>, minutes: Minutes): string | null {
  const ranges = of.minutes.filter(({ value, start }) => value === minutes && start !== undefined)
  const starts = new Set(ranges.map(({ start }) => start))
  return starts.size === 1 ? (ranges[0]?.start ?? null) : null
}

/** If a date was a year ago and recurs within weeks, use the upcoming one, which the form then asks about. */
function nearestDay({ task, of }: Found, day: CalendarDay, { from, to }: Span): CalendarDay {
  if (addDays(day, 300) > task.today) return day
  const next = of.day.find(
    (one) => one.from === from && one.to === to && String(one.value) > task.today,
  )?.value
  return next && String(next) < addDays(task.today, 62) ? (next as CalendarDay) : day
}

function severalSession(text: Found, lesson: Lesson, chance: number, subject: Span | undefined): Unfinished {
  const [studentId, tutorId] = [lesson.child as string | null, lesson.tutor as string | null]
  const minutes = lesson.minutes as Minutes | null
  return {
    studentId,
    tutorId,
    suggestedStudentName: null,
    suggestedTutorName: null,
    day: lesson.day as CalendarDay,
    minutes,
    start: lesson.start,
    rate: lesson.rate as Cents | null,
    subject: subject ? listedSpelling(text, subject) : null,
    confidence: confidenceOf({ studentId, tutorId, minutes }, chance),
    unsure: [],
  }
}

/** The known subject between this lesson's facts and the next one's, or the text's only subject. */
function subjectIn(text: Found, lessons: Lesson[], index: number, whole: Span | undefined): Span | undefined {
  const from = lessons[index]?.at.from ?? 0
  const next = lessons.slice(index + 1).find(({ at }) => at.from > from)
  const known = text.line.flatMap(({ text: word }, at): Span[] =>
    isSubject(word) ? [{ from: at, to: at + 1 }] : [],
  )
  const own = known.find((one) => one.from >= from && one.from < (next?.at.from ?? Infinity))
  return own ?? (known.length > 1 ? undefined : (known[0] ?? whole))
}

function confidenceOf(
  { studentId, tutorId, minutes }: Pick<ReadSession, 'studentId' | 'tutorId' | 'minutes'>,
  chance: number,
): ReadSession['confidence'] {
  if (minutes === null || (studentId === null && tutorId === null)) return 'low'
  return studentId !== null && tutorId !== null && chance >= LEAST.high ? 'high' : 'medium'
}

function wordsIn({ line, task }: Found, { from, to }: Span): string {
  return task.text.slice(line[from]?.start, line[to - 1]?.end)
}

/** The subject as the tutors' lists spell it. */
function listedSpelling(text: Found, span: Span): string {
  const said = wordsIn(text, span)
  const listed = text.task.tutors.flatMap(({ subjects }) => subjects)
  return listed.find((subject) => plainSpelling(subject) === plainSpelling(said)) ?? said
}

/** Capitalizes a name. */
function asName(said: string): string {
  return said.replaceAll(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase())
}
