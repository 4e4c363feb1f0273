// The model's features: the words around a candidate, how it was found, and what else is in the text.
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { isEnglishWord, isMaleName } from '../word-list.ts'
import type { Candidate, Found, Slot } from './candidates.ts'
import { type Features, hashed } from './model.ts'
import { ENGLISH } from './language.ts'
import { overlaps, type Span } from './line.ts'
import { PLAIN_LENGTH } from './times.ts'
import words from './words.json' with { type: 'json' }

/** How many tokens on each side of a candidate to look at, and how many of those to combine with its type. */
const BAG = 6
const AROUND = 4

const CLASSES = new Map<string, string[]>()
for (const [name, members] of Object.entries({ ...words.classes, subject: words.subjects.join(' ') }))
  for (const word of members.split(' ')) CLASSES.set(word, [...(CLASSES.get(word) ?? []), `#${name}`])

/** A token's word classes. A word that's neither English nor known is odd: it may say something that wasn't read. */
function classesOf(sign: string): string[] {
  const isOdd = /^[a-z']{2,}$/.test(sign) && !ENGLISH.known.has(sign) && !isEnglishWord(sign)
  return CLASSES.get(sign) ?? (isOdd ? ['#odd'] : [])
}

/** A token with its word classes and its first letters. */
function seen(sign: string): string[] {
  const all = [sign, ...classesOf(sign)]
  return sign.length > 5 && !sign.startsWith('@') ? [...all, `${sign.slice(0, 5)}-`] : all
}

const marked = (mark: string, signs: string[]): string[] =>
  signs.flatMap((sign) => seen(sign).map((one) => `${mark} ${one}`))

/** A token's word class, or the token itself if it has none. */
const kindOf = (sign: string): string => classesOf(sign)[0] ?? sign

/** Parses templates, which name the values of a feature: 'l2 l1 | l1 r1'. */
export function templates(list: string): string[][] {
  return list.split('|').map((template) => template.trim().split(' '))
}

/** Fills in each template. */
export function filled(list: string[][], values: Record<string, string>, mark = ''): string[] {
  return list.map((names) => {
    let feature = mark + names.join(' ')
    for (const name of names) feature += ` ${values[name]}`
    return feature
  })
}

/** The tokens before and after a span, nearest first. */
export function beside({ pieces }: Found, { from, to }: Span): Record<'left' | 'right', string[]> {
  const left = pieces.filter((piece) => piece.to <= from).slice(-BAG)
  const right = pieces.filter((piece) => piece.from >= to).slice(0, BAG)
  return { left: left.map(({ sign }) => sign).reverse(), right: right.map(({ sign }) => sign) }
}

/** The tokens between two positions in the line. */
export function between({ pieces }: Found, from: number, to: number): string[] {
  return pieces.filter((piece) => piece.from >= from && piece.to <= to).map(({ sign }) => sign)
}

/** The tokens at most three positions away, and their classes (k), as values for templates. */
export function around(signAt: (offset: number) => string): Record<string, string> {
  const values: Record<string, string> = {}
  for (let offset = -3; offset <= 3; offset += 1) {
    const sign = signAt(offset)
    values[offset] = sign
    values[`k${offset}`] = kindOf(sign)
  }
  return values
}

/** `gl` and `gr` are the gaps before and after the candidate. */
const CONTEXT = templates(
  '-1 | 1 | -2 -1 | 1 2 | -1 1 | -3 -2 -1 | 1 2 3 | -2 -1 1 2 | gl gr | gl -1 | gr 1 | ' +
    'k-1 k1 | k-2 k-1 | k1 k2',
)
const CONTEXT_OF_TYPE = templates('-1 | 1 | -2 -1 | 1 2 | -2 | 2 | 3 | gl gr | k-2 k-1 | k1 k2')

/** Features of a candidate's context. */
function contextOf(found: Found, { from, to }: Candidate, types: string[]): string[] {
  const { left, right } = beside(found, { from, to })
  const signAt = (offset: number): string =>
    offset < 0 ? (left[-offset - 1] ?? '<') : (right[offset - 1] ?? '>')
  const [gl, gr] = [from, to].map((at) => found.line[at]?.gap ?? '>') as [string, string]
  const values = { ...around(signAt), gl, gr }
  return [
    ...filled(CONTEXT, values),
    ...marked('bl', left),
    ...marked('br', right),
    ...types.flatMap((type) => [
      type,
      ...filled(CONTEXT_OF_TYPE, values, `${type} `),
      ...marked(`${type} bl`, left.slice(0, AROUND)),
      ...marked(`${type} br`, right.slice(0, AROUND)),
    ]),
  ]
}

/** Features that compare a candidate with others in its slot: 'no wait' between two signals a correction. */
function amongOthers(found: Found, one: Candidate): string[] {
  const others = found.of[one.slot].filter(
    (other) => !overlaps(one, other) && !/sum|difference|product|pair|free|role|turned|near/.test(other.type),
  )
  const before = others.filter(({ to }) => to <= one.from)
  const after = others.filter(({ to }) => to > one.from)
  const isOther = ({ type, value }: Candidate): boolean =>
    value !== one.value && !/^(bare|short|dash|dot|by-7)/.test(type)
  const [fixes, fixed] = [before.findLast(isOther), after.find(isOther)]
  const against = (mark: string, other: Candidate | undefined, signs: string[]): string[] => {
    if (!other || signs.length > 8) return []
    const same = `${mark}same ${other.value === one.value}`
    return [same, `${mark}w ${signs.join(' ').slice(0, 40)}`, ...marked(`${mark}b`, signs)]
  }
  return [
    `order ${before.length > 0} ${after.length > 0}`,
    ...against('p', before.at(-1), between(found, before.at(-1)?.to ?? 0, one.from)),
    ...against('n', after[0], between(found, one.to, after[0]?.from ?? 0)),
    ...marked('fixes', fixes ? between(found, fixes.to, one.from).slice(0, 14) : []),
    ...marked('fixed', fixed ? between(found, one.to, fixed.from).slice(-14) : []),
  ]
}

const BACK = [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 32, 63]
/** How many of the limits a number reaches. */
const step = (value: number, limits: number[]): number => limits.filter((limit) => value >= limit).length

function minutesFeatures({ line }: Found, { value, type, from, to }: Candidate): string[] {
  const minutes = Number(value)
  const usual = minutes % 15 === 0 && minutes <= 180 ? minutes : minutes % 5 === 0 ? 'fives' : 'odd'
  const inside = PLAIN_LENGTH.test(type) ? [] : line.slice(from, to).filter((word) => word.value === null)
  return [`m ${usual}`, `size ${step(minutes, [15, 30, 181])}`, ...inside.map(({ text }) => `in ${text}`)]
}

/** How close an hourly rate is to the usual ones, in cents. */
export function usualness(rate: number, usual: number[]): string {
  const typical = usual.length > 0 ? usual : [5000]
  const distance = Math.min(...typical.map((one) => Math.abs(Math.log((rate || 1) / one))))
  return `${usual.length > 0} ${step(distance, [0.001, 0.12, 0.4, 0.8, 1.8])}`
}

/** Features that tell a son from a daughter: the name's ending, and how many of the children are boys. */
function roleFeatures({ line, task }: Found, { from, value }: Candidate): string[] {
  const first = (name: string): string => plainSpelling(name).split(' ')[0] ?? ''
  const name = first(task.students.find(({ id }) => id === value)?.name ?? '')
  const boys = task.students.filter((student) => isMaleName(first(student.name))).length
  const sex = words.roles.male.includes(line[from]?.text ?? '') ? 'male' : 'female'
  return [name.at(-1), name.slice(-2), `${isMaleName(name)} ${Math.min(2, boys)}`].map(
    (look) => `${sex} ${look}`,
  )
}

const isPerson = (slot: Slot): boolean => slot === 'child' || slot === 'tutor' || slot === 'stranger'

/** Features for competing readings of the same words, and for other words that give the same value. */
function readings({ of }: Found, one: Candidate): string[] {
  if (isPerson(one.slot)) return []
  const same = of[one.slot].flatMap((other) => {
    if (!overlaps(one, other)) return other.value === one.value ? [`same as ${other.type}`] : []
    if (other.value === one.value) return []
    const longer = Math.sign(other.to - other.from - (one.to - one.from))
    return [`${longer} ${other.type}`, `${longer} ${other.type} is ${one.type}`]
  })
  const also = (['day', 'minutes', 'rate'] as const)
    .flatMap((slot) => (slot === one.slot ? [] : of[slot]))
    .flatMap((other) => (overlaps(one, other) ? [`also ${other.type}`] : []))
  return [...new Set([...same, ...also])]
}

/** Features of the candidate itself, apart from its context. */
function ownFeatures(found: Found, one: Candidate, minutes: number): string[] {
  const { line, task } = found
  const [first, last] = [line[one.from], line[one.to - 1]]
  if (one.slot === 'stranger') return []
  if (isPerson(one.slot))
    return [
      ...(one.type === 'role' ? roleFeatures(found, one) : []),
      `capital ${first?.isCapital}`,
      `owner ${first?.isPossessive || last?.isPossessive}`,
      `shared ${one.isShared === true}`,
    ]
  const words = line.slice(one.from, Math.min(one.to, one.from + 3)).map(({ text }) => text)
  // 'SAT' is rarely a Saturday.
  const wording = `said ${words.join(' ')} ${first?.written === 'SAT'}`
  if (one.slot === 'day' && one.value === null) {
    const inside = line.slice(one.from, one.to).map(({ text }) => text)
    const rare = inside.filter((word) => !isEnglishWord(word))
    return [wording, ...marked('in', inside), ...rare.map(() => `rare ${first?.text}`)]
  }
  if (one.slot === 'minutes') return [wording, ...minutesFeatures(found, one)]
  const value = Number(one.value)
  if (one.slot === 'rate') {
    const rates = task.tutors.flatMap(({ rate }) => rate ?? [])
    const usual = usualness(value, rates)
    // A total that equals a tutor's hourly rate is likely the rate.
    const isRate = task.tutors.some(({ rate }) => rate === Math.round((value * minutes) / 60))
    const own = one.reading === 'total' && minutes !== 60 ? [`as rate ${isRate}`] : []
    // What's paid is the price if the tutor has none yet.
    const verb = beside(found, one).left.find((sign) => kindOf(sign) === '#pay')
    const meant = found.of.tutor.filter(({ type }) => !NEAR.test(type)).map(({ value: id }) => id)
    const isKnown = task.tutors.some(({ id, rate }) => rate !== null && (!meant[0] || meant.includes(id)))
    const paid = [`known ${isKnown}`, `known ${isKnown} ${verb}`, `known ${isKnown} ${verb !== undefined}`]
    const exact = [`usual ${usual}`, `hour ${minutes === 60}`, `round ${value % 500 === 0}`]
    return [wording, ...exact, ...own, ...paid]
  }
  const back = Math.round((Date.parse(task.today) - Date.parse(String(one.value))) / 86_400_000)
  return [wording, `back ${step(back, BACK)}`]
}

/** The features of one candidate for a question. @param minutes the lesson's length, if known */
export function candidateFeatures(found: Found, one: Candidate, question: string, minutes = 0): Features {
  const types = one.type.split('+')
  const own = ownFeatures(found, one, minutes)
  const isOwner = found.line[one.to - 1]?.isPossessive === true
  const features = [
    ...contextOf(found, one, isOwner ? [...types, 'owner'] : types),
    ...own,
    ...own.flatMap((feature) => types.map((type) => `${type} ${feature}`)),
    ...amongOthers(found, one),
    ...readings(found, one),
  ]
  return hashed(features, question)
}

const NEAR = /^near/
/** How many different values were found; names that only resemble one on the list don't count. */
function distinct({ of }: Found, slot: Slot): number {
  const firm = of[slot].filter(({ type, value }) => !NEAR.test(type) && value !== null)
  return Math.min(3, new Set(firm.map(({ value }) => value)).size)
}

const PAIRS = templates('0 1 | k0 k1')

/** The features for choosing no candidate. @param kind what that means, such as the only person listed */
export function noneFeatures(found: Found, slot: Slot, kind: string): Features {
  const { of, pieces, task } = found
  const listed = isPerson(slot) ? [...of[slot], ...of.stranger] : of[slot]
  const firm = of[slot].filter(({ type }) => !NEAR.test(type))
  const signs = pieces.map(({ sign }) => sign)
  const placed = (at: number) => around((offset) => signs[at + offset] ?? '')
  const features = [
    '',
    task.tutors.some(({ isSelf }) => isSelf) ? 'own' : 'family',
    `count ${Math.min(4, firm.length)}`,
    ...listed.flatMap(({ type }) => type.split('+')).map((type) => `has ${type}`),
    ...marked('w', signs),
    ...signs.flatMap((_, at) => filled(PAIRS, placed(at))),
  ]
  // Uses each feature only once, because a long remark that repeats itself must not outweigh the rest.
  return hashed([...new Set(features)], `${slot} none ${kind}`)
}

const PHRASES = templates('0 | 0 1 | 0 1 2 | 0 2 | 0 3 | k0 k1 | k0 k1 k2 | account 0')
const ORDER = templates('0 1 | 0 1 2 | 0 1 2 3')
const FACT_SIGN = /^@(child|tutor|either|before|today|weekday|date|ordinal|time|range|money)/

/** Features of the whole text, used to decide what kind it is. */
export function textFeatures(found: Found): string[] {
  const { tutors, transcript } = found.task
  const signs = ['<', ...found.pieces.map(({ sign }) => sign), '>']
  const count = (sign: string): number => Math.min(3, signs.filter((one) => one === sign).length)
  const people = `${distinct(found, 'child')}${distinct(found, 'tutor')}`
  const times = count('@time') + count('@range')
  const days = ['@before', '@today', '@ahead', '@weekday', '@date'].map(count).join('')
  const account = tutors.some(({ isSelf }) => isSelf) ? 'own' : tutors.length > 1 ? 'some' : 'one'
  // The facts alone, in order: 'child time child time' suggests several lessons.
  const order = signs.filter((sign) => FACT_SIGN.test(sign))
  const placed = (at: number) => around((offset) => order[at + offset] ?? '')
  const features = [
    '',
    `days ${days}`,
    `all ${people} ${times}${count('@money')} ${days === '00000'}`,
    `account ${account} ${people} ${times}${count('@money')}`,
    `many ${distinct(found, 'child')} ${times} ${days.replaceAll('0', '')}`,
    `length ${Math.min(8, Math.floor(signs.length / 4))}`,
    `ends ${/[?]\s*$/.test(transcript)}`,
    `order ${order.length}`,
    ...signs.flatMap((sign, index) => [
      ...filled(PHRASES, { ...around((offset) => signs[index + offset] ?? ''), account }),
      ...marked('s0', [sign]),
      ...(index < 5 ? [`start ${index} ${sign}`] : []),
    ]),
    ...order.flatMap((_, at) => filled(ORDER, placed(at), 'f')),
    ...found.line.flatMap(({ gap, text: word }) => (gap === '.' ? [`begins ${word}`] : [])),
  ]
  return [...new Set(features)]
}
