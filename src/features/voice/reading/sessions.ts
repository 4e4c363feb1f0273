// Splits a text into several lessons: which candidates are facts, and which of them belong together. A lesson takes
// missing facts from the one before it, or else from the one after it ('Maya and then Theo, an hour each').
import type { Candidate, Found } from './candidates.ts'
import { FACTS, type Fact } from './choices.ts'
import { beside, between, candidateFeatures, usualness } from './features.ts'
import { type Span, textAt } from './line.ts'
import { type Features, hashed, probabilities, type Weights } from './model.ts'
import { perHour } from './money.ts'

/** The facts of one lesson. */
export interface Lesson extends Record<Fact, string | number | null> {
  /** The start time, HH:MM, if a time range was given. */
  start: string | null
  /** The facts said about it, and not taken from another lesson; several lists if it was mentioned again. */
  told: Option[][]
  /** The amount that was said. */
  amount?: Option | undefined
  /** Facts that are different in other readings, which are nearly as likely. */
  doubts?: Fact[]
}

/** A candidate that may be a fact. */
export interface Option extends Candidate {
  slot: Fact
  features: Features
}

/** What an amount pays for: an hour, each lesson, or all of them. */
const READINGS = ['hour', 'each', 'all'] as const
type Reading = (typeof READINGS)[number]

/** Every child on the list: 'both of them', 'all three'. */
export const EVERYBODY = '*'
const ALL = new Set('both all everyone everybody kids girls boys twins children 2 3 4 two dos'.split(' '))
/** Candidates made from other candidates, or from words that are far apart. */
const FAR = /sum|difference|product|pair|turned|role|self|common/
const MOST_FACTS = 24
const MOST_GROUPINGS = 80
/** Limits for the beam search over which candidates are facts. */
const MOST_WAYS = 8
const LEAST_LIKELY = 0.03
/** How much of the probability must agree on a fact of one of several lessons. */
const AGREED = 0.88
/** Weight of the whole-text decision. It's below 1 because both models see the same words. */
const TRUST = 0.7

/** Splits the line into stretches with at most one fact each, and lists their options. */
export function stretchesOf(found: Found): Option[][] {
  const { line, of, task } = found
  const everybody = line.flatMap(({ text }, at): Candidate[] =>
    task.students.length > 1 && ALL.has(text)
      ? [{ slot: 'child', from: at, to: at + 1, value: EVERYBODY, type: 'all' }]
      : [],
  )
  const near = [...FACTS.flatMap((fact) => of[fact]), ...everybody]
    .filter(({ slot, value }) => (slot === 'day' ? value === null || value <= task.today : value !== null))
    .filter(({ type }) => !FAR.test(type))
    .sort((one, other) => one.from - other.from || one.to - other.to)
  const stretches: Option[][] = []
  let end = -1
  for (const one of near) {
    const slot = one.slot as Fact
    if (one.from >= end) stretches.push([])
    end = Math.max(end, one.to)
    // What an amount pays for is decided together with the lessons.
    if (one.reading !== 'total')
      stretches.at(-1)?.push({ ...one, slot, features: candidateFeatures(found, one, `use ${slot}`) })
  }
  return stretches
}

/** The choices for a stretch: one of its options, or no fact. */
export function stretchChoices(options: Option[]): Features[] {
  return [...options.map(({ features }) => features), hashed(['nothing'], 'use')]
}

/** One way to group the facts into lessons. */
interface Parting {
  lessons: Lesson[]
  features: () => Features
}

const SAYS = /^(each|both|all|twice|then|total|together|everything|2|3|4)$/

/** The ways to group facts, in spoken order, into lessons. */
export function partingsOf(found: Found, options: Option[], most = MOST_GROUPINGS): Parting[] {
  const facts = options.slice(0, MOST_FACTS)
  const says = found.line.flatMap(({ text }) => (SAYS.test(text) ? [text] : []))
  const readings = facts.some(({ slot }) => slot === 'rate') ? READINGS : READINGS.slice(0, 1)
  const { tutors } = found.task
  const own = tutors.length > 1 ? tutors.find(({ isSelf }) => isSelf)?.id : undefined
  const common = factFeatures(options)
  return groupingsOf(facts, most).flatMap((groups) => {
    let known: Features | undefined
    const isOpen = own !== undefined && groups.some((group) => of(group, 'tutor').length === 0)
    const ways = (isOpen ? [own, undefined] : [undefined]).flatMap((self) => {
      const [all, taken] = lessonsIn(found, groups, self)
      const once = restated(all)
      const again = `again ${all.length - once.length} ${once.every((one) => isTold(one, 'minutes'))}`
      return [
        { plain: all, taken },
        { plain: once, taken: [...taken, again] },
      ].slice(0, once === all ? 1 : 2)
    })
    return ways.flatMap(({ plain, taken }) =>
      readings.map((reading): Parting => {
        const lessons = priced(plain, reading)
        const features = (): Features => {
          known ??= hashed([...common, ...groupFeatures(found, groups)], 'part')
          const amount = plain.find((lesson) => lesson.amount)?.amount
          const paid = amount ? amountFeatures(found, amount, reading, lessons) : []
          const own = [
            ...taken,
            ...lessonFeatures(lessons),
            `lessons ${lessons.length} ${groups.length}`,
            ...says.map((text) => `says ${text} ${lessons.length} ${groups.length > 1}`),
            ...paid.flatMap((feature) => [feature, ...says.map((text) => `${feature} ${text}`)]),
          ]
          return Int32Array.from([...known, ...hashed(own, 'part')])
        }
        return { lessons, features }
      }),
    )
  })
}

const of = (group: Option[], fact: Fact): Option[] => group.filter(({ slot }) => slot === fact)

/** Splits the facts into groups: one fact of each kind, or several children or days. Keeps the most regular ways. */
function groupingsOf(facts: Option[], most: number): Option[][][] {
  const kinds = (groups: Option[][]): number =>
    new Set(groups.slice(0, -1).map((group) => FACTS.map((fact) => of(group, fact).length > 0).join())).size
  let ways: Option[][][] = [[]]
  for (const fact of facts) {
    ways = ways.flatMap((groups) => {
      const [last, apart] = [groups.at(-1), [...groups, [fact]]]
      return last && fits(last, fact) ? [[...groups.slice(0, -1), [...last, fact]], apart] : [apart]
    })
    if (ways.length <= most) continue
    const costs = new Map(ways.map((groups) => [groups, 2 * kinds(groups) + groups.length]))
    ways = ways.sort((one, other) => (costs.get(one) ?? 0) - (costs.get(other) ?? 0)).slice(0, most)
  }
  return ways.filter((groups) => groups.every((group) => group.some((one) => one.slot !== 'rate')))
}

const isTold = ({ told: [own = []] }: Lesson, fact: Fact): boolean => of(own, fact).length > 0

/** Lessons without those mentioned again: 'both came, Maya for an hour and Theo for two'. The last length counts. */
function restated(lessons: Lesson[]): Lesson[] {
  const isSame = (one: Lesson, other: Lesson): boolean =>
    one.told[0] !== other.told[0] &&
    (['child', 'day', 'tutor'] as const).every((fact) => one[fact] === other[fact]) &&
    (['child', 'day'] as const).some((fact) => [one, other].every((each) => isTold(each, fact)))
  const rank = (one: Lesson): number =>
    isTold(one, 'minutes') ? 1 + lessons.indexOf(one) : -lessons.indexOf(one)
  const again = (one: Lesson): Lesson[] => lessons.filter((other) => isSame(one, other))
  const kept = lessons.filter((one) => !again(one).some((other) => rank(other) > rank(one)))
  if (kept.length === lessons.length) return lessons
  return kept.map((one) => ({ ...one, told: [...one.told, ...again(one).flatMap(({ told }) => told)] }))
}

function fits(group: Option[], { slot, value }: Option): boolean {
  if (slot === 'child' || slot === 'day') return true
  return of(group, slot).every((one) => slot === 'tutor' && one.value === value)
}

/** Features of the facts that are used. */
function factFeatures(options: Option[]): string[] {
  return [
    ...options.map(({ slot, type }) => `uses ${slot} ${type.split('+')[0]}`),
    ...FACTS.map((fact) => `count ${fact} ${Math.min(5, of(options, fact).length)}`),
    `children ${new Set(of(options, 'child').map(({ value }) => value)).size}`,
  ]
}

/** Features of implausible lessons: days far apart or out of order, and missing lengths. */
function lessonFeatures(lessons: Lesson[]): string[] {
  const days = lessons.flatMap(({ day }) => (day === null ? [] : Date.parse(String(day)) / 86_400_000))
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? day))
  const times = lessons.flatMap(({ minutes }) => (minutes === null ? [] : Number(minutes)))
  const same = (...facts: Fact[]): boolean =>
    new Set(lessons.map((lesson) => facts.map((fact) => lesson[fact]).join(' '))).size < lessons.length
  return [
    ...steps.map((step) => `step ${Math.max(-8, Math.min(8, step))}`),
    `lengths ${times.length === lessons.length} ${times.length > 0}`,
    `long ${times.some((minutes) => minutes > 180)}`,
    `people ${new Set(lessons.map(({ child }) => child)).size} ${lessons.length}`,
    `nobody ${lessons.some(({ child }) => child === null)} ${lessons.some(({ tutor }) => tutor === null)}`,
    `twice ${same('child', 'day', 'tutor')} ${same('child', 'day', 'tutor', 'minutes')}`,
  ]
}

/** The lessons in the groups, and how they share facts. @param self the tutor of lessons that name none */
function lessonsIn(found: Found, groups: Option[][], self: string | undefined): [Lesson[], string[]] {
  const { students, tutors, today } = found.task
  const only = (list: { id: string }[]): string | null => (list.length === 1 ? (list[0]?.id ?? null) : null)
  const features: string[] = []
  const plain = groups.flatMap((group, index): Lesson[] => {
    const taken = (fact: Fact): Option[] => {
      const own = of(group, fact)
      if (own.length > 0) return own
      const before = groups.slice(0, index).findLast((other) => of(other, fact).length > 0)
      const after = groups.slice(index + 1).find((other) => of(other, fact).length > 0)
      const source = of(before ?? after ?? [], fact)
      features.push(`takes ${fact} ${before ? 'before' : after ? 'after' : 'nowhere'}`)
      features.push(`takes ${fact} ${source.length}`)
      return before ? source.slice(-1) : source
    }
    const names = namesIn(taken('child'), found)
    const days = new Set(taken('day').map(({ value }) => value))
    const isNamed = of(group, 'tutor').length > 0
    if (!isNamed && tutors.length > 1)
      features.push(...selfFeatures(found, groups, index, self !== undefined))
    const named = isNamed || self === undefined ? taken('tutor')[0]?.value : undefined
    const [time, amount] = [taken('minutes')[0], taken('rate')[0]]
    features.push(`product ${names.length} ${days.size}`)
    const rest = {
      tutor: named ?? self ?? only(tutors),
      minutes: time?.value ?? null,
      start: time?.start ?? null,
      rate: null,
      amount,
      told: [group],
    }
    return (names.length > 0 ? names : [only(students)]).flatMap((child) =>
      (days.size > 0 ? [...days] : [today]).map((day) => ({ child, day, ...rest })),
    )
  })
  return [plain, features]
}

/** Features for a lesson that names no tutor: whether and how the speaker appears in it. */
function selfFeatures({ line }: Found, groups: Option[][], index: number, isSelf: boolean): string[] {
  const from = groups[index - 1]?.at(-1)?.to ?? 0
  const to = groups[index + 1]?.[0]?.from ?? line.length
  const inLesson = line.flatMap(({ text }, at) =>
    at >= from && at < to && /^(i|i'm|i've|we|me|myself|my)$/.test(text)
      ? [text, `${textAt(line, at - 1)} ${text}`, `${text} ${textAt(line, at + 1)}`]
      : [],
  )
  const isSaid = line.some(({ text }) => /^(i|me)$/.test(text))
  const isOther = groups.some((group) => of(group, 'tutor').length > 0)
  return [...inLesson, `${inLesson.length > 0} ${isSaid} ${isOther} ${index > 0}`].map(
    (feature) => `self ${feature} ${isSelf}`,
  )
}

function namesIn(options: Option[], { task }: Found): (string | null)[] {
  const named = options.flatMap(({ value }) => (value === EVERYBODY ? [] : (value as string)))
  if (named.length > 0) return [...new Set(named)]
  return options.length > 0 ? task.students.map(({ id }) => id) : []
}

/** Adds each lesson's hourly rate. */
function priced(lessons: Lesson[], reading: Reading): Lesson[] {
  const times = lessons.map(({ minutes }) => Number(minutes ?? 0))
  const all = times.includes(0) ? 0 : times.reduce((sum, time) => sum + time, 0)
  const shared = lessons.find(({ amount }) => amount)?.amount
  return lessons.map((lesson, index): Lesson => {
    const cents = (reading === 'all' ? shared : lesson.amount)?.value ?? null
    const isRate = reading === 'hour' || !cents
    const minutes = reading === 'all' ? all : (times[index] ?? 0)
    return { ...lesson, rate: isRate ? cents : perHour(Number(cents), minutes) }
  })
}

/** Features of an amount: how it was said, and how close the resulting rate is to the tutor's usual one. */
function amountFeatures(found: Found, amount: Option, reading: Reading, lessons: Lesson[]): string[] {
  const { rate = null, tutor = null } = lessons[0] ?? {}
  const usual = found.task.tutors.flatMap((one) => (one.id === tutor ? (one.rate ?? []) : []))
  const fit = rate === null ? 'open' : usualness(Number(rate), usual)
  const { left, right } = beside(found, amount)
  const isHour = lessons.every(({ minutes }) => minutes === 60)
  return [
    '',
    fit,
    amount.type,
    `${fit} ${lessons.length > 1} ${isHour}`,
    ...left.slice(0, 3).map((sign) => `left ${sign}`),
    ...right.slice(0, 4).map((sign) => `right ${sign}`),
  ].map((feature) => `amount ${reading} ${feature}`)
}

/** Features of the groups' shapes, and of the words between facts within and across groups. */
function groupFeatures(found: Found, groups: Option[][]): string[] {
  const shapes = groups.map((group) => group.map(({ slot }) => slot[0]).join(''))
  const ofShapes = shapes.flatMap((shape, index) => {
    const before = shapes[index - 1]
    return [
      `shape ${shape}`,
      `sorted ${[...new Set(shape)].sort().join('')} ${index === 0}`,
      ...(before === undefined
        ? []
        : [`same ${before === shape}`, `after ${before} ${shape}`, `starts ${before[0]} ${shape[0]}`]),
    ]
  })
  const facts = groups.flatMap((group, index) => group.map((option) => ({ ...option, index })))
  const ofJoins = facts.slice(1).flatMap(({ slot, from, index }, place) => {
    const before = facts[place] as (typeof facts)[number]
    const letters = `${before.slot} ${slot}`
    const signs = between(found, before.to, from)
    const gap = found.line[from]?.gap
    const stops = found.line.slice(before.to, from + 1).some((word) => word.gap === '.')
    return [
      letters,
      `gap ${gap}`,
      `stop ${stops}`,
      `${letters} ${gap} ${stops}`,
      `${letters} ${signs.slice(-2).join(' ')}`,
      ...signs.slice(-5).map((sign) => `has ${sign}`),
    ].map((feature) => `${before.index === index ? 'within' : 'apart'} ${feature}`)
  })
  return [...ofShapes, ...ofJoins]
}

/** The most probable sets of facts, with their log probability. */
function likeliest(weights: Weights, stretches: Option[][]): { options: Option[]; score: number }[] {
  let ways = [{ options: [] as Option[], score: 0 }]
  for (const stretch of stretches) {
    const chances = probabilities(weights, stretchChoices(stretch))
    ways = ways
      .flatMap(({ options, score }) =>
        chances.flatMap((chance, at) => {
          const more = [...options, ...stretch.slice(at, at + 1)]
          return chance < LEAST_LIKELY ? [] : [{ options: more, score: score + Math.log(chance) }]
        }),
      )
      .sort((one, other) => other.score - one.score)
      .slice(0, MOST_WAYS)
  }
  return ways
}

/** What was understood: lessons, their probability, and the words their facts came from. */
export interface Understood {
  lessons: Lesson[]
  chance: number
  places: Span[]
}

// The most probable reading with several lessons. `several` is the probability that there are several, and `odds`
// its log odds from the whole text.
export function lessonsOf(weights: Weights, found: Found, odds: number): Understood & { several: number } {
  const all = likeliest(weights, stretchesOf(found)).flatMap((way) =>
    partingsOf(found, way.options).map((one) => ({ ...way, ...one })),
  )
  const choices = all.map(({ features }) => features())
  const known = all.map(({ score, lessons }) => score + (lessons.length > 1 ? TRUST * odds : 0))
  const chances = probabilities(weights, choices, known)
  // Different ways to group the facts may give the same lessons.
  const readings = new Map<string, Understood>()
  all.forEach(({ lessons, options: places }, index) => {
    const key = lessons.map((lesson) => FACTS.map((fact) => lesson[fact]).join('|')).join('\n')
    const known = readings.get(key) ?? { lessons, places, chance: 0 }
    readings.set(key, { ...known, chance: known.chance + (chances[index] ?? 0) })
  })
  const severals = [...readings.values()].filter(({ lessons }) => lessons.length > 1)
  const sumOf = (list: Understood[]): number => list.reduce((sum, { chance }) => sum + chance, 0)
  const [best, several] = [severals.sort((one, other) => other.chance - one.chance)[0], sumOf(severals)]
  const doubts = (lesson: Lesson, at: number): Fact[] =>
    FACTS.filter(
      (fact) =>
        sumOf(severals.filter(({ lessons }) => lessons[at]?.[fact] === lesson[fact])) < AGREED * several,
    )
  const lessons = (best?.lessons ?? []).map((lesson, at) => ({ ...lesson, doubts: doubts(lesson, at) }))
  return { chance: 0, places: [], ...best, lessons, several }
}
