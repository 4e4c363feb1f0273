// Splits a text into several lessons: which candidates are facts, and which facts belong together. A lesson
// takes missing facts from the one before it, or else from the one after it ('Maya and then Theo, an hour
// each').
import type { Candidate, Found } from './candidates.ts'
import { FACTS, type Fact } from './choices.ts'
import { candidateFeatures } from './features.ts'
import { type Features, placesOf, probabilities, type Weights } from './model.ts'
import { textAt } from './line.ts'
import { perHour } from './money.ts'

/** The facts of one lesson. */
export interface Lesson extends Record<Fact, string | number | null> {
  /** The start time, HH:MM, if a time range was given. */
  start: string | null
  at: { from: number; to: number }
}

/** A candidate that may be a fact. */
export interface Option {
  fact: Fact
  value: string | number | null
  candidate: Candidate
  features: Features
}

/** What an amount pays for: an hour, each lesson, or all of them. */
const READINGS = ['hour', 'each', 'all'] as const
type Reading = (typeof READINGS)[number]

/** Every child on the list: 'both of them', 'all three'. */
export const EVERYBODY = '*'
const ALL = new Set('both all everyone everybody kids girls boys twins children 2 3 4 two dos'.split(' '))
/** Candidates made from other candidates, or from words far apart. */
const FAR = /sum|difference|product|pair|turned|role|self|common/
const MOST_FACTS = 12
const MOST_GROUPINGS = 150
const FEW_GROUPINGS = 60
const MOST_NEAR = 100
/** Limits for the beam search over which candidates are facts. */
const MOST_WAYS = 8
const LEAST_LIKELY = 0.03
/** Weight of the whole-text decision. It's below 1 because both models see the same words. */
const TRUST = 0.7

/** Splits the line into stretches with at most one fact each, and lists their options. */
export function stretchesOf(found: Found): Option[][] {
  const { line, of, task } = found
  const everybody = line.flatMap(({ text }, at): Candidate[] =>
    task.children.length > 1 && ALL.has(text)
      ? [{ slot: 'child', from: at, to: at + 1, value: EVERYBODY, type: 'all' }]
      : [],
  )
  const near = [
    ...FACTS.flatMap((fact) =>
      fact === 'day' ? of.day.filter(({ value }) => String(value) <= task.today) : of[fact],
    ),
    ...everybody,
  ]
    .filter(({ type, value }) => !FAR.test(type) && value !== null)
    .sort((one, other) => one.from - other.from || one.to - other.to)
    .slice(0, MOST_NEAR)
  const stretches: Candidate[][] = []
  let end = -1
  for (const one of near) {
    if (one.from >= end) stretches.push([])
    stretches.at(-1)?.push(one)
    end = Math.max(end, one.to)
  }
  return stretches.map((candidates) => candidates.flatMap((candidate) => optionsOf(found, candidate)))
}

function optionsOf(found: Found, candidate: Candidate): Option[] {
  // What an amount pays for is decided together with the lessons.
  if (candidate.reading === 'total') return []
  const fact = candidate.slot as Fact
  return [
    {
      fact,
      value: candidate.value,
      candidate,
      features: candidateFeatures(found, candidate, `use ${fact}`, null),
    },
  ]
}

const UNUSED: Features = placesOf(['use nothing'])

/** A stretch's choices: each of its options, or no fact. */
export function stretchChoices(options: Option[]): Features[] {
  return [...options.map(({ features }) => features), UNUSED]
}

/** One way to group the facts into lessons. */
export interface Parting {
  lessons: Lesson[]
  features: Features
}

const LETTER: Record<Fact, string> = { child: 'C', tutor: 'T', day: 'D', minutes: 'M', rate: 'R' }

/** The ways to group facts, in spoken order, into lessons. */
export function partingsOf(
  found: Found,
  options: Option[],
  stretches: Option[][],
  most = MOST_GROUPINGS,
): Parting[] {
  const facts = options.slice(0, MOST_FACTS)
  const groupings: Option[][][] = []
  const grow = (groups: Option[][], at: number): void => {
    const fact = facts[at]
    if (groupings.length >= most) return
    if (!fact) {
      if (groups.every(isLesson)) groupings.push(groups)
      return
    }
    const last = groups.at(-1)
    if (last && fits(last, fact)) grow([...groups.slice(0, -1), [...last, fact]], at + 1)
    grow([...groups, [fact]], at + 1)
  }
  grow([], 0)
  const common = hashed(factFeatures(options, stretches))
  const hasRate = facts.some((option) => option.fact === 'rate')
  const says = found.line.flatMap(({ text }) =>
    /^(each|both|all|twice|then|total|together|everything|2|3|4)$/.test(text) ? [text] : [],
  )
  const { tutors } = found.task
  const own = tutors.length > 1 ? tutors.find(({ isSelf }) => isSelf)?.id : undefined
  return groupings.flatMap((groups) => {
    const known = [...common, ...hashed(groupFeatures(found, groups))]
    const speaker = groups.map((_, index) => (tutors.length > 1 ? selfFeatures(found, groups, index) : []))
    const isOpen = own !== undefined && groups.some((group) => group.every(({ fact }) => fact !== 'tutor'))
    return (hasRate ? READINGS : READINGS.slice(0, 1)).flatMap((reading) =>
      (canHead(groups) ? [true, false] : [false]).flatMap((isHeaded) =>
        (isOpen ? [own, undefined] : [undefined]).map((self) =>
          partingOf(found, groups, { reading, isHeaded, self }, { known, speaker, says }),
        ),
      ),
    )
  })
}

const hashed = (features: string[]): Features => placesOf(features.map((feature) => `part ${feature}`))

/** Features of the facts that are used and of those left over. */
function factFeatures(options: Option[], stretches: Option[][]): string[] {
  const kind = ({ fact, candidate }: Option): string => `${LETTER[fact]} ${candidate.type.split('+')[0]}`
  const left = stretches.filter((stretch) => !stretch.some((option) => options.includes(option)))
  const children = new Set(options.flatMap(({ fact, value }) => (fact === 'child' ? value : [])))
  return [
    ...options.map((option) => `uses ${kind(option)}`),
    ...left.flatMap((stretch) => [...new Set(stretch.map(kind))].map((one) => `leaves ${one}`)),
    ...(['child', 'day', 'minutes', 'rate'] as const).map(
      (fact) =>
        `count ${LETTER[fact]} ${Math.min(5, options.filter((option) => option.fact === fact).length)}`,
    ),
    `children ${children.size}`,
  ]
}

/** Features of implausible lessons: days far apart or out of order, missing lengths, and unused facts. */
function lessonFeatures(lessons: Lesson[], options: Option[]): string[] {
  const days = lessons.map(({ day }) => Date.parse(String(day)) / 86_400_000)
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? day))
  const span = Math.max(...days) - Math.min(...days)
  const length = lessons.filter(({ minutes }) => minutes !== null).length
  const lost = (['child', 'tutor', 'day', 'minutes'] as const).map((fact) => {
    const said = new Set(
      options.flatMap((one) => (one.fact === fact && one.value !== EVERYBODY ? one.value : [])),
    )
    for (const lesson of lessons) said.delete(lesson[fact])
    return `lost ${LETTER[fact]} ${said.size}`
  })
  const usual = lessons.every(({ minutes }) => minutes === null || Number(minutes) % 5 === 0)
  return [
    ...lost,
    `span ${span > 14 ? 'long' : span > 6 ? 'weeks' : span > 0}`,
    ...steps.map((step) => `step ${Math.max(-8, Math.min(8, step))}`),
    `lengths ${length === lessons.length} ${length > 0}`,
    `usual ${usual}`,
    `long ${lessons.some(({ minutes }) => Number(minutes) > 180)}`,
    `people ${new Set(lessons.map(({ child }) => child)).size} ${lessons.length}`,
    `nobody ${lessons.some(({ child }) => child === null)} ${lessons.some(({ tutor }) => tutor === null)}`,
  ]
}

/** Whether the first group may be a heading for the rest: 'Maya and Theo on Monday: Maya 20 minutes, Theo 40'. */
function canHead([head = [], ...rest]: Option[][]): boolean {
  return rest.length > 1 && head.every(({ fact }) => fact !== 'minutes')
}

/** Whether a fact can join a group, which may span several children or days. */
function fits(group: Option[], { fact, value }: Option): boolean {
  return (
    fact === 'child' ||
    fact === 'day' ||
    group.every((one) => one.fact !== fact || (one.value === value && fact === 'tutor'))
  )
}

function isLesson(group: Option[]): boolean {
  return group.some(({ fact }) => fact !== 'rate')
}

/** @param way how to read the facts; `self` is the tutor of lessons that name none */
function partingOf(
  found: Found,
  groups: Option[][],
  { reading, isHeaded, self }: { reading: Reading; isHeaded: boolean; self: string | undefined },
  { known, speaker, says }: { known: number[]; speaker: string[][]; says: string[] },
): Parting {
  const { task } = found
  const features: string[] = [`groups ${groups.length}`, `headed ${isHeaded}`]
  const valuesOf = (group: Option[], fact: Fact): Option[] => group.filter((one) => one.fact === fact)
  const onlyChild = task.children.length === 1 ? (task.children[0]?.id ?? null) : null
  const onlyTutor = task.tutors.length === 1 ? (task.tutors[0]?.id ?? null) : null
  const unsaid: Record<Fact, string | number | null> = {
    child: onlyChild,
    tutor: onlyTutor,
    day: task.today,
    minutes: null,
    rate: null,
  }
  const plain = groups.flatMap((group, index): (Lesson & { amount?: Option })[] => {
    if (isHeaded && index === 0) return []
    const taken = (fact: Fact): Option[] => {
      const own = valuesOf(group, fact)
      if (own.length > 0) return own
      const before = groups.slice(0, index).findLast((other) => valuesOf(other, fact).length > 0)
      const after = groups.slice(index + 1).find((other) => valuesOf(other, fact).length > 0)
      const source = before ?? after
      features.push(`takes ${LETTER[fact]} ${before ? 'before' : after ? 'after' : 'nowhere'}`)
      if (source) features.push(`takes ${LETTER[fact]} ${valuesOf(source, fact).length}`)
      return source ? valuesOf(source, fact).slice(before ? -1 : 0) : []
    }
    const children = namesIn(taken('child'), found)
    const days = [...new Set(taken('day').map(({ value }) => value))]
    const named = valuesOf(group, 'tutor').length > 0
    const tutor = self !== undefined && !named ? undefined : taken('tutor')[0]
    if (task.tutors.length > 1 && !named)
      features.push(...(speaker[index] ?? []).map((one) => `${one} ${self !== undefined}`))
    const [time, rate] = [taken('minutes')[0], taken('rate')[0]]
    const minutes = (time?.value as number | undefined) ?? unsaid.minutes
    const at = { from: group[0]?.candidate.from ?? 0, to: group.at(-1)?.candidate.to ?? 0 }
    features.push(`product ${children.length} ${days.length}`)
    return (children.length > 0 ? children : [unsaid.child]).flatMap((child) =>
      (days.length > 0 ? days : [unsaid.day]).map((day) => ({
        child,
        day,
        tutor: tutor?.value ?? self ?? unsaid.tutor,
        minutes,
        start: time?.candidate.start ?? null,
        rate: null,
        amount: rate,
        at,
      })),
    )
  })
  const lessons = priced(plain, reading)
  features.push(
    ...lessonFeatures(lessons, groups.flat()),
    `lessons ${lessons.length}`,
    `lessons ${lessons.length} ${groups.length}`,
  )
  for (const text of says)
    features.push(`says ${text} ${lessons.length}`, `says ${text} ${groups.length > 1}`)
  const amount = plain.find((lesson) => lesson.amount)?.amount
  if (amount)
    features.push(
      ...amountFeatures(found, amount, reading, lessons).flatMap((feature) => [
        feature,
        ...says.map((text) => `${feature} ${text}`),
      ]),
    )
  const twice =
    new Set(lessons.map(({ child, day, tutor }) => `${child} ${day} ${tutor}`)).size < lessons.length
  const same = new Set(lessons.map(({ child, day, tutor, minutes }) => `${child} ${day} ${tutor} ${minutes}`))
  features.push(`twice ${twice}`, `twice ${twice} ${same.size < lessons.length}`)
  return { lessons, features: Int32Array.from([...known, ...hashed(features)]) }
}

/** Features for a lesson that names no tutor: whether and how the speaker appears in it. */
function selfFeatures({ line, task }: Found, groups: Option[][], index: number): string[] {
  const from = groups[index - 1]?.at(-1)?.candidate.to ?? 0
  const to = groups[index + 1]?.[0]?.candidate.from ?? line.length
  const inLesson: string[] = []
  line.forEach(({ text }, at) => {
    const isSelf = /^(i|i'm|i've|we|me|myself|my)$/.test(text)
    if (isSelf && at >= from && at < to)
      inLesson.push(
        `self ${text}`,
        `self ${textAt(line, at - 1)} ${text}`,
        `self ${text} ${textAt(line, at + 1)}`,
      )
  })
  const isSaid = line.some(({ text }) => /^(i|me)$/.test(text))
  const isOther = groups.some((group) => group.some(({ fact }) => fact === 'tutor'))
  const has = task.tutors.some(({ isSelf }) => isSelf)
  return [...inLesson, `self ${has} ${inLesson.length > 0} ${isSaid} ${isOther} ${index > 0}`]
}

function namesIn(options: Option[], { task }: Found): (string | null)[] {
  const named = options.filter(({ value }) => value !== EVERYBODY).map(({ value }) => value as string)
  if (named.length > 0) return [...new Set(named)]
  return options.length > 0 ? task.children.map(({ id }) => id) : []
}

/** Adds each lesson's hourly rate. */
function priced(lessons: (Lesson & { amount?: Option })[], reading: Reading): Lesson[] {
  const times = lessons.map(({ minutes }) => Number(minutes ?? 0))
  const all = times.every((time) => time > 0) ? times.reduce((sum, time) => sum + time, 0) : 0
  const shared = lessons.find(({ amount }) => amount)?.amount
  return lessons.map(({ amount, ...lesson }, index): Lesson => {
    const cents = Number((reading === 'all' ? shared : amount)?.value)
    if (Number.isNaN(cents) || cents === 0) return { ...lesson, rate: Number.isNaN(cents) ? null : 0 }
    return {
      ...lesson,
      rate: reading === 'hour' ? cents : perHour(cents, reading === 'all' ? all : (times[index] ?? 0)),
    }
  })
}

/** Features of an amount: how it was said, and whether the resulting rate is close to the tutor's usual one. */
function amountFeatures(
  { task, pieces }: Found,
  { candidate }: Option,
  reading: Reading,
  lessons: Lesson[],
): string[] {
  const [first] = lessons
  const fits = (rate: number | null, tutor: string | number | null): string => {
    const usual = task.tutors.find(({ id }) => id === tutor)?.rate ?? null
    if (rate === null) return 'open'
    if (rate > 0 && (rate < 800 || rate > 30_000)) return 'absurd'
    if (usual === null) return rate >= 1000 && rate <= 12_000 ? 'likely' : 'unlikely'
    const distance = Math.abs(Math.log((rate || 1) / usual))
    return distance < 0.001 ? 'usual' : distance < 0.3 ? 'near' : 'far'
  }
  const fit = fits((first?.rate ?? null) as number | null, first?.tutor ?? null)
  const at = pieces.findIndex(({ to }) => to > candidate.from)
  const end = pieces.findIndex(({ from }) => from >= candidate.to)
  const beside = [
    ...pieces.slice(Math.max(0, at - 3), Math.max(0, at)).map(({ sign }) => `left ${sign}`),
    ...(end < 0 ? ['right |'] : pieces.slice(end, end + 4).map(({ sign }) => `right ${sign}`)),
  ]
  const isSame = lessons.every(({ minutes }) => minutes === 60)
  return [
    `amount ${reading}`,
    `amount ${reading} ${fit}`,
    `amount ${reading} ${candidate.type}`,
    `amount ${reading} ${fit} ${lessons.length > 1} ${isSame}`,
    ...beside.map((sign) => `amount ${reading} ${sign}`),
  ]
}

/** Features of the groups' shapes, and of the words between facts within and across groups. */
function groupFeatures({ pieces, line }: Found, groups: Option[][]): string[] {
  const shapes = groups.map((group) => group.map(({ fact }) => LETTER[fact]).join(''))
  const features = shapes.flatMap((shape, index) => {
    const before = shapes[index - 1]
    return [
      `shape ${shape}`,
      `sorted ${[...new Set(shape)].sort().join('')} ${index === 0}`,
      ...(before === undefined
        ? []
        : [
            `same ${before === shape}`,
            `after ${before} ${shape}`,
            `starts ${before[0]} ${shape[0]}`,
            `starts alike ${before[0] === shape[0]}`,
          ]),
    ]
  })
  const facts = groups.flatMap((group, index) => group.map((option) => ({ option, index })))
  facts.slice(1).forEach(({ option, index }, place) => {
    const before = facts[place]
    if (!before) return
    const way = before.index === index ? 'within' : 'apart'
    const letters = `${LETTER[before.option.fact]}${LETTER[option.fact]}`
    const between = pieces
      .filter((piece) => piece.from >= before.option.candidate.to && piece.to <= option.candidate.from)
      .map(({ sign }) => sign)
    const gap = line[option.candidate.from]?.gap
    const stops = line
      .slice(before.option.candidate.to, option.candidate.from + 1)
      .some((word) => word.gap === '.')
    features.push(
      `${way} ${letters}`,
      `${way} gap ${gap}`,
      `${way} stop ${stops}`,
      `${way} ${letters} ${gap} ${stops}`,
      `${way} ${letters} ${between.slice(-2).join(' ')}`,
    )
    for (const sign of between.slice(-5)) features.push(`${way} has ${sign}`)
  })
  return features
}

/** The most probable sets of facts, with their log probabilities. */
function likeliest(weights: Weights, stretches: Option[][]): { options: Option[]; score: number }[] {
  return stretches.reduce<{ options: Option[]; score: number }[]>(
    (ways, stretch) => {
      const chances = probabilities(weights, stretchChoices(stretch))
      return ways
        .flatMap(({ options, score }) =>
          chances.flatMap((chance, index) =>
            chance < LEAST_LIKELY
              ? []
              : [
                  {
                    options: [...options, ...stretch.slice(index, index + 1)],
                    score: score + Math.log(chance),
                  },
                ],
          ),
        )
        .sort((one, other) => other.score - one.score)
        .slice(0, MOST_WAYS)
    },
    [{ options: [], score: 0 }],
  )
}

/**
 * The lessons in a text, assuming there are several, with their probability and the places of their facts.
 * `several` is the probability that there are several.
 * @param odds log odds of several lessons, from the whole text
 */
export function lessonsOf(
  weights: Weights,
  found: Found,
  odds: number,
): { lessons: Lesson[]; chance: number; several: number; places: Candidate[] } {
  const stretches = stretchesOf(found)
  // Accounts with another tutor besides the speaker have twice as many readings of each grouping.
  const isShared = found.task.tutors.length > 1 && found.task.tutors.some(({ isSelf }) => isSelf)
  const few = isShared ? FEW_GROUPINGS / 3 : FEW_GROUPINGS
  const all = likeliest(weights, stretches).flatMap(({ options, score }, rank) =>
    partingsOf(found, options, stretches, rank > 0 ? few : MOST_GROUPINGS).map((parting) => ({
      ...parting,
      options,
      score,
    })),
  )
  const chances = probabilities(
    weights,
    all.map(({ features }) => features),
    all.map(({ score, lessons }) => score + (lessons.length > 1 ? TRUST * odds : 0)),
  )
  const isSeveral = all.map(({ lessons }) => lessons.length > 1)
  const several = chances.reduce((sum, chance, index) => sum + (isSeveral[index] ? chance : 0), 0)
  const best = chances.reduce(
    (most, one, index) =>
      isSeveral[index] && one > (isSeveral[most] ? (chances[most] ?? 0) : 0) ? index : most,
    0,
  )
  return {
    lessons: all[best]?.lessons ?? [],
    chance: (chances[best] ?? 0) / (several || 1),
    several,
    places: all[best]?.options.map(({ candidate }) => candidate) ?? [],
  }
}
