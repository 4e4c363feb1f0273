// Turns labeled sentences into training examples.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Cents } from '#kernel/money.ts'
import {
  type Candidate,
  found,
  type Found,
  type ReadingInput,
  type Slot,
} from '#features/voice/reading/candidates.ts'
import {
  factChoices,
  type Facts,
  FACTS,
  fixChoices,
  KEPT,
  kindChoices,
  KINDS,
  paidChoices,
} from '#features/voice/reading/choices.ts'
import type { Example } from '#features/voice/reading/model.ts'
import {
  EVERYBODY,
  type Lesson,
  type Option,
  partingsOf,
  stretchChoices,
  stretchesOf,
} from '#features/voice/reading/sessions.ts'
import { overlaps, type Span } from '#features/voice/reading/line.ts'
import { tagChoices } from '#features/voice/reading/remarks.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { perHour } from '#features/voice/reading/money.ts'
import type { Labeled, LabeledCorrection, LabeledSession } from './voice-data.ts'

/** Converts a labeled sentence into the reader's task. People are identified by name. */
export function taskOf({
  today,
  children,
  tutors,
  text,
}: Pick<Labeled, 'today' | 'children' | 'tutors' | 'text'>): ReadingInput {
  return {
    today: today as CalendarDay,
    transcript: text,
    students: children.map((name) => ({ id: name, name })),
    tutors: tutors.map(({ name, rate }) => ({
      id: name,
      name,
      isSelf: name === 'You',
      rate: rate === null ? null : (Math.round(rate * 100) as Cents),
      subjects: [],
    })),
  }
}

/** A label's facts, with money in cents. */
export function truthOf({
  child,
  tutor,
  date,
  minutes,
  rate,
}: Omit<LabeledSession, 'subject' | 'notes'>): Facts {
  return { child, tutor, day: date, minutes, rate: rate === null ? null : Math.round(rate * 100) }
}

/** Whether a value matches the label; rates may differ by a cent due to rounding. */
export function isRight(
  fact: (typeof FACTS)[number],
  value: string | number | null,
  truth: string | number | null,
): boolean {
  return fact === 'rate' && value !== null && truth !== null
    ? Math.abs(Number(value) - Number(truth)) <= 1.1
    : value === truth
}

/**
 * Picks the training sentences. Most of the earlier non-lessons were written to trick a reader, so only every
 * third is kept; using them all makes the model refuse 2% more sessions from unseen authors.
 */
export function learnedFrom(all: Labeled[]): Labeled[] {
  return all.filter(
    ({ author, sessions }, index) => !author.startsWith('earlier') || sessions.length > 0 || index % 3 === 0,
  )
}

const SYLLABLES = 'ba ri ston ek ul mor wen dis jo ka neth yes tu ev nin ga sha lo fre ti'.split(' ')
const CLEARLY = /^(by|ago|recent|weekday|ordinal|month|date|hours)/

/**
 * A copy of some sentences in which the day, or the half of an hour and a half, is said in a word that nobody knows: the
 * model learns not to be sure of what it didn't read.
 */
export function unreadableOf(labeled: Labeled, index: number): Labeled[] {
  const [session, more] = labeled.sessions
  if (!session || more || index % 4 > 0) return []
  const { line, of } = found(taskOf(labeled))
  const word = [index, index / 3, index / 7]
    .map((at) => SYLLABLES[Math.floor(at) % SYLLABLES.length])
    .join('')
  const copy = ({ from, to }: Span, changes: Partial<LabeledSession>): Labeled[] => {
    const text = labeled.text.slice(0, line[from]?.start) + word + labeled.text.slice(line[to - 1]?.end)
    return [{ ...labeled, text, sessions: [{ ...session, ...changes, notes: null, subject: null }] }]
  }
  const said = (slot: Slot, value: string | number | null): Candidate | undefined => {
    const one = of[slot].find((each) => each.value === value && CLEARLY.test(each.type))
    return one && of[slot].every((other) => overlaps(other, one)) ? one : undefined
  }
  const day = session.date === labeled.today ? undefined : said('day', session.date)
  if (index % 8 === 0) return day && session.date ? copy(day, { date: null }) : []
  const at = (session.rate === null ? (said('minutes', session.minutes)?.to ?? 0) : 0) - 1
  const isHalf = /^(half|quarters?)$/.test(line[at]?.text ?? '')
  return isHalf ? copy({ from: at, to: at + 1 }, { minutes: null }) : []
}

/** The training examples for one sentence. */
export function examplesOf(labeled: Labeled, text: Found): Example[] {
  const { sessions, kind, tutors } = labeled
  const kinds = KINDS.map((name) =>
    sessions.length > 0
      ? name === (sessions.length > 1 ? 'several' : 'one')
      : kind
        ? name === kind
        : !/one|several/.test(name),
  )
  const examples: Example[] = [{ choices: kindChoices(text), right: kinds }]
  const [session] = sessions
  const places: Span[] = []
  if (session && sessions.length === 1) {
    const truth = truthOf(session)
    for (const fact of FACTS) {
      const choices = factChoices(text, fact, session.minutes)
      const isProposed = choices.some(({ value }) => isRight(fact, value, truth[fact]))
      const meant = fact === 'day' && !isProposed ? null : truth[fact]
      const right = choices.map(({ value }) => isRight(fact, value, meant))
      places.push(
        ...choices.flatMap(({ candidate }, at) => (right[at] && candidate ? candidate : [])).slice(0, 1),
      )
      if (right.some(Boolean) && choices.length > 1)
        examples.push({ choices: choices.map(({ features }) => features), right })
    }
  }
  if (sessions.length > 0) {
    const choices = paidChoices(text)
    const right = choices.map(({ value }) => isPaid(sessions, value))
    // What's paid to someone without a price is the price, so nothing is learned from it.
    const isLearned = sessions.every(
      ({ tutor, rate }) => !rate || tutors.some((one) => one.name === tutor && one.rate),
    )
    if (isLearned && right.some(Boolean) && choices.length > 1)
      examples.push({ choices: choices.map(({ features }) => features), right })
    const { examples: more, facts } = lessonExamples(labeled, text)
    examples.push(...more)
    if (sessions.length > 1) places.push(...facts)
  }
  if (session && kind === undefined && !labeled.author.startsWith('earlier'))
    examples.push(...tagExamples(labeled, text, places))
  return examples
}

/** Whether an amount in cents is what was paid. Null if nothing was. */
export function isPaid(sessions: LabeledSession[], cents: string | number | null): boolean {
  const paid = sessions.flatMap((session) => session.paid ?? [])
  return cents === null ? paid.length === 0 : paid.some((one) => Math.round(one * 100) === cents)
}

/** The facts after a correction. */
export function correctedFacts({ former, changes }: LabeledCorrection): Facts {
  return truthOf({ ...former, ...changes })
}

/** The training examples for one correction. To say a fact again as it stands is to keep it. */
export function fixExamplesOf(labeled: LabeledCorrection): Example[] {
  const text = found(taskOf({ ...labeled, text: labeled.correction }))
  const [former, truth] = [truthOf(labeled.former), correctedFacts(labeled)]
  return FACTS.flatMap((fact) => {
    const minutes = fact === 'rate' ? truth.minutes : former.minutes
    const choices = fixChoices(text, fact, { ...former, minutes })
    const right = choices.map(({ value }) =>
      isRight(fact, value === KEPT ? former[fact] : value, truth[fact]),
    )
    const isOpen = right.some(Boolean) && choices.length > 1
    return isOpen ? [{ choices: choices.map(({ features }) => features), right }] : []
  })
}

/** Finds words in a text, as spans of its line. */
function spansOf(said: string, { line, task }: Found): Span[] {
  const place = plainSpelling(task.transcript).indexOf(plainSpelling(said))
  if (place < 0 || plainSpelling(task.transcript).length !== task.transcript.length) return []
  const from = line.findIndex(({ end }) => end > place)
  const to = line.findIndex(({ start }) => start >= place + said.length)
  return from < 0 ? [] : [{ from, to: to < 0 ? line.length : to }]
}

/** Examples for which words are the subject and which the remark, if the label's words occur in the text. */
function tagExamples({ sessions }: Labeled, text: Found, places: Span[]): Example[] {
  const [subjects, notes] = [sessions.map(({ subject }) => subject), sessions.map((one) => one.notes)].map(
    (all) => [...new Set(all)].flatMap((said) => said ?? []).map((said) => spansOf(said, text)),
  )
  if (!subjects || !notes || [...subjects, ...notes].some((spans) => spans.length === 0)) return []
  return tagChoices(text, places).map((choices, index) => {
    const isIn = (spans: Span[]): boolean => {
      const piece = text.pieces[index]
      return piece !== undefined && spans.some(({ from, to }) => piece.from >= from && piece.to <= to)
    }
    const [isSubject, isRemark] = [isIn(subjects.flat()), isIn(notes.flat())]
    return { choices, right: [isSubject && !isRemark, isRemark, !isSubject && !isRemark] }
  })
}

/** Examples for which candidates are facts, and how those facts group into lessons. */
function lessonExamples(
  { author, sessions, children }: Labeled,
  text: Found,
): { examples: Example[]; facts: Option[] } {
  const examples: Example[] = []
  const stretches = stretchesOf(text)
  const fitting = stretches.map((options) => factsAmong(options, sessions, children))
  const facts = factsOf(text, fitting, sessions)
  for (const [index, options] of stretches.entries()) {
    const fits = fitting[index] ?? []
    const kept = fits.find((one) => facts.includes(one))
    const isOther = ({ slot, value }: Option): boolean => slot !== kept?.slot || value !== kept.value
    const right = fits.filter((one) => sessions.length === 1 || !kept || !isOther(one))
    examples.push({
      choices: stretchChoices(options),
      right: [...options.map((option) => right.includes(option)), !kept],
    })
  }
  const isOne = sessions.length === 1
  if (isOne && author.startsWith('earlier')) return { examples, facts }
  const most = isOne ? 2 : MOST_MISTAKEN
  const partings = [
    ...partingsOf(text, facts, isOne ? 2 * most : undefined),
    ...mistaken(facts, stretches).flatMap((options) => partingsOf(text, options, most).slice(0, 2 * most)),
  ]
  const right = partings.map(({ lessons }) => areRight(lessons, sessions))
  if (right.some(Boolean)) examples.push({ choices: partings.map(({ features }) => features()), right })
  return { examples, facts }
}

/** The options of a stretch that agree with the label; the longest first, and lengths before prices. */
function factsAmong(options: Option[], sessions: LabeledSession[], children: string[]): Option[] {
  const rank = ({ slot, from, to }: Option): number => 10 * (to - from) - (slot === 'rate' ? 1 : 0)
  return options
    .filter((option) => isFact(option, sessions, children))
    .sort((one, other) => rank(other) - rank(one))
}

/** The facts that can be grouped as labeled. A number that agrees with the label by chance is replaced or left out. */
function factsOf(text: Found, fitting: Option[][], sessions: LabeledSession[]): Option[] {
  const known = fitting.filter((options) => options.length > 0)
  const first = known.map((options) => options[0])
  if (sessions.length === 1) return first.filter((one) => one !== undefined)
  const isRightWith = (facts: (Option | undefined)[]): boolean =>
    partingsOf(
      text,
      facts.filter((one) => one !== undefined),
    ).some(({ lessons }) => areRight(lessons, sessions))
  const changed = (facts: (Option | undefined)[], from: number): (Option | undefined)[][] =>
    known.flatMap((options, at) =>
      at < from ? [] : [...options.slice(1), undefined].map((other) => facts.with(at, other)),
    )
  const once = changed(first, 0)
  const place = (facts: (Option | undefined)[]): number => facts.findIndex((one, at) => one !== first[at])
  const twice = once.flatMap((facts) => changed(facts, place(facts) + 1))
  const right = [first, ...once, ...twice].slice(0, MOST_CHANGES).find(isRightWith)
  return (right ?? first).filter((one) => one !== undefined)
}

const MOST_CHANGES = 300
const MOST_MISTAKEN = 10
/** Near misses: the facts with one left out, replaced by another reading, or with a stray one added. */
function mistaken(facts: Option[], stretches: Option[][]): Option[][] {
  return stretches.flatMap((stretch) => {
    const others = stretch.filter((option) => !facts.includes(option))
    const without = facts.filter((option) => !stretch.includes(option))
    const at = stretches.indexOf(stretch)
    const place = without.filter((option) => stretches.findIndex((one) => one.includes(option)) < at).length
    return [
      ...(without.length < facts.length ? [without] : []),
      ...[others[0], others.at(-1)].flatMap((option, index) =>
        option && (index === 0 || others.length > 1) ? [without.toSpliced(place, 0, option)] : [],
      ),
    ]
  })
}

function isFact({ slot: fact, value }: Option, sessions: LabeledSession[], children: string[]): boolean {
  const truths = sessions.map(truthOf)
  if (value === EVERYBODY)
    return sessions.length > 1 && children.every((name) => truths.some(({ child }) => child === name))
  if (fact !== 'rate') return truths.some((truth) => truth[fact] === value)
  const times = sessions.map(({ minutes }) => minutes ?? 0)
  const all = times.reduce((sum, time) => sum + time, 0)
  return truths.some(
    ({ rate }, index) =>
      rate !== null &&
      [Number(value), perHour(Number(value), times[index] ?? 0), perHour(Number(value), all)].some((read) =>
        isRight('rate', read, rate),
      ),
  )
}

/** Whether lessons match the label, in any order. */
function areRight(lessons: Lesson[], sessions: LabeledSession[]): boolean {
  const rest = sessions.map(truthOf)
  return (
    lessons.length === sessions.length &&
    lessons.every((lesson) => {
      const at = rest.findIndex((truth) => FACTS.every((fact) => isRight(fact, lesson[fact], truth[fact])))
      if (at >= 0) rest.splice(at, 1)
      return at >= 0
    })
  )
}

export { found }
