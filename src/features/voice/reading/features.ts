// The model's features: the words around a candidate, how it was found, and what else is in the text.
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { plainSpelling } from '../name-spelling.ts'
import { isMaleName } from '../word-list.ts'
import type { Candidate, Found, Slot } from './candidates.ts'
import words from './words.json' with { type: 'json' }
import { type Features, placesOf } from './model.ts'

const DAY_MS = 86_400_000
const AROUND = 4
const BAG = 6

const CLASSES = new Map<string, string[]>()
for (const [name, members] of Object.entries(words.classes))
  for (const word of members.split(' ')) CLASSES.set(word, [...(CLASSES.get(word) ?? []), `#${name}`])
for (const word of words.subjects) CLASSES.set(word, [...(CLASSES.get(word) ?? []), '#subject'])

/** A sign with its word classes and its first letters. */
function seen(sign: string): string[] {
  const classes = CLASSES.get(sign) ?? []
  return sign.length > 5 && !sign.startsWith('@')
    ? [sign, ...classes, `${sign.slice(0, 5)}-`]
    : [sign, ...classes]
}

const marked =
  (mark: string) =>
  (sign: string): string[] =>
    seen(sign).map((one) => mark + one)

/** A sign's word class, or the sign itself if it has none. */
function kindOf(sign: string): string {
  return CLASSES.get(sign)?.[0] ?? sign
}

/** The signs beside a candidate, nearest first. */
function beside(
  { pieces }: Found,
  { from, to }: Pick<Candidate, 'from' | 'to'>,
): { left: string[]; right: string[] } {
  const left: string[] = []
  const right: string[] = []
  // Texts are short enough to scan every piece.
  for (const piece of pieces) {
    if (piece.to <= from) left.push(piece.sign)
    else if (piece.from >= to && right.length < BAG) right.push(piece.sign)
  }
  return { left: left.slice(-BAG).reverse(), right }
}

/** The signs between two places in the line. */
function between({ pieces }: Found, from: number, to: number): string[] {
  return pieces.filter((piece) => piece.from >= from && piece.to <= to).map(({ sign }) => sign)
}

/** Features of a candidate's context. */
function contextOf(found: Found, { from, to }: Pick<Candidate, 'from' | 'to'>, types: string[]): string[] {
  const { left, right } = beside(found, { from, to })
  const [l1 = '<', l2 = '<', l3 = '<'] = left
  const [r1 = '>', r2 = '>', r3 = '>'] = right
  const gapBefore = found.line[from]?.gap ?? '>'
  const gapAfter = found.line[to]?.gap ?? '>'
  const plain = [
    `l1 ${l1}`,
    `r1 ${r1}`,
    `l2 ${l2} ${l1}`,
    `r2 ${r1} ${r2}`,
    `lr ${l1} ${r1}`,
    `l3 ${l3} ${l2} ${l1}`,
    `r3 ${r1} ${r2} ${r3}`,
    `lr2 ${l2} ${l1} ${r1} ${r2}`,
    `g ${gapBefore}${gapAfter}`,
    `gl ${gapBefore} ${l1}`,
    `gr ${gapAfter} ${r1}`,
    `k ${kindOf(l1)} ${kindOf(r1)}`,
    `kl ${kindOf(l2)} ${kindOf(l1)}`,
    `kr ${kindOf(r1)} ${kindOf(r2)}`,
    ...left.flatMap(marked('bl ')),
    ...right.flatMap(marked('br ')),
  ]
  const crossed = types.flatMap((type) => [
    type,
    `${type} l1 ${l1}`,
    `${type} r1 ${r1}`,
    `${type} l2 ${l2} ${l1}`,
    `${type} r2 ${r1} ${r2}`,
    `${type} sl2 ${l2}`,
    `${type} sr2 ${r2}`,
    `${type} sr3 ${r3}`,
    `${type} g ${gapBefore}${gapAfter}`,
    `${type} kl ${kindOf(l2)} ${kindOf(l1)}`,
    `${type} kr ${kindOf(r1)} ${kindOf(r2)}`,
    ...left.slice(0, AROUND).flatMap(marked(`${type} bl `)),
    ...right.slice(0, AROUND).flatMap(marked(`${type} br `)),
  ])
  return [...plain, ...crossed]
}

/**
 * Features that compare a candidate with others in its slot, including the words between them: 'no wait'
 * signals a correction.
 */
function amongOthers(found: Found, one: Candidate): string[] {
  const spans = found.of[one.slot].filter(
    ({ from, to, type }) =>
      (to <= one.from || from >= one.to) && !/sum|difference|product|pair|free|role|turned|near/.test(type),
  )
  const others = spans.filter(
    ({ type, value }) => value !== one.value && !/^bare|^short|^dash|^dot|weekback/.test(type),
  )
  const isBefore = ({ to }: Candidate): boolean => to <= one.from
  const [before, after] = [spans.findLast(isBefore), spans.find(({ from }) => from >= one.to)]
  const [fixes, fixed] = [others.findLast(isBefore), others.find(({ from }) => from >= one.to)]
  const beside = (mark: string, from: number, to: number, other: Candidate): string[] => {
    if (to - from > 8) return []
    const signs = between(found, from, to)
    return [
      `${mark}same ${other.value === one.value}`,
      `${mark}w ${signs.join(' ').slice(0, 40)}`,
      ...signs.flatMap(seen).map((sign) => `${mark}b ${sign}`),
    ]
  }
  return [
    `order ${before ? 'after' : 'first'} ${after ? 'before' : 'last'}`,
    ...(fixes ? between(found, fixes.to, one.from).slice(0, 14) : []).flatMap(marked('fixes ')),
    ...(fixed ? between(found, one.to, fixed.from).slice(-14) : []).flatMap(marked('fixed ')),
    ...(before ? beside('p', before.to, one.from, before) : []),
    ...(after ? beside('n', one.to, after.from, after) : []),
  ]
}

/** The group that a number falls into: the name of the first limit above it. */
function bucket(value: number, limits: [limit: number, name: string][], beyond: string): string {
  return limits.find(([limit]) => value < limit)?.[1] ?? beyond
}

const BACK: [number, string][] = [
  [0, 'ahead'],
  [15, '8-14'],
  [32, '15-31'],
  [63, '32-62'],
]
function dayFeatures({ today }: { today: CalendarDay }, value: string): string[] {
  const back = Math.round((Date.parse(today) - Date.parse(value)) / DAY_MS)
  return [`back ${back >= 0 && back < 8 ? back : bucket(back, BACK, 'long')}`]
}

/** Whether another word gives the same day, and whether the text has both dates and weekdays. */
function agreement({ of }: Found, one: Candidate): string[] {
  const others = of.day.filter(({ from, to }) => to <= one.from || from >= one.to)
  const agrees = others.some(({ value }) => value === one.value)
  const exact = others.some(({ type }) => /^(md|month-date|date-month|iso|ordinal|dm)/.test(type))
  const weekday = others.some(({ type }) => /recent/.test(type))
  return [`agrees ${agrees}`, `agrees ${agrees} exact ${exact}`, `weekday ${weekday} ${agrees}`]
}

function minutesFeatures(value: number): string[] {
  const isUsual = value % 15 === 0 && value <= 180
  return [
    `m ${isUsual ? value : value % 5 === 0 ? 'fives' : 'odd'}`,
    `size ${value < 15 ? 'short' : value < 30 ? 'brief' : value <= 180 ? 'lesson' : 'long'}`,
  ]
}

const DISTANCE: [number, string][] = [
  [0.001, 'same'],
  [0.12, 'near'],
  [0.4, 'like'],
  [0.8, 'far'],
]
function rateFeatures(found: Found, value: number, minutes: number | null): string[] {
  const usual = found.task.tutors.flatMap(({ rate }) => rate ?? [])
  const typical = usual.length > 0 ? usual : [5000]
  const distance = Math.min(...typical.map((rate) => Math.abs(Math.log((value || 1) / rate))))
  return [
    `usual ${usual.length > 0} ${bucket(distance, DISTANCE, 'else')}`,
    `hour ${minutes === 60}`,
    `round ${value % 500 === 0}`,
  ]
}

/** How likely a first name is a boy's, from 0 to 2. */
function maleness(name: string): number {
  return isMaleName(name) ? 2 : /(?:a|ah|ie|elle|ette|lyn|een|ine)$/.test(name) ? 0 : 1
}

/** Features that tell a son from a daughter: the name's ending, and the other children's names. */
function roleFeatures({ line, task }: Found, { from, value }: Candidate): string[] {
  const role = line[from]?.text
  const first = (name: string): string => plainSpelling(name).split(' ')[0] ?? ''
  const name = first(task.children.find(({ id }) => id === value)?.name ?? '')
  const others = task.children.filter(({ id }) => id !== value).map((other) => maleness(first(other.name)))
  const own = maleness(name)
  const sex = words.roles.male.includes(role ?? '') ? 'male' : 'female'
  return [`role ${role}`, `${sex}`].flatMap((as) => [
    `${as} ${name.at(-1)}`,
    `${as} ${name.slice(-2)}`,
    `${as} is ${own}`,
    `${as} more ${others.filter((other) => other > own).length} less ${others.filter((other) => other < own).length}`,
  ])
}

const isPerson = ({ slot }: Candidate): boolean => /^(child|tutor|stranger)$/.test(slot)

/** Features for competing readings of the same words, and for other words that give the same value. */
function readings({ of, line }: Found, one: Candidate): string[] {
  const others = of[one.slot].filter(({ value }) => value !== null)
  const features = others
    .filter((other) => other.value !== one.value && other.from < one.to && other.to > one.from)
    .flatMap((other) => {
      const longer = other.to - other.from - (one.to - one.from)
      const way = longer > 0 ? 'within' : longer < 0 ? 'around' : 'beside'
      return [`${way} ${other.type}`, `${way} ${other.type} is ${one.type}`]
    })
  const same = others.filter(
    (other) => other.value === one.value && (other.from >= one.to || other.to <= one.from),
  )
  features.push(...same.map(({ type }) => `same as ${type}`))
  if (isPerson(one)) return [...new Set(features)]
  // '4-5' may be a date or a time range: it matters whether the text gives another length.
  const isTimed = of.minutes.some(
    ({ type, from, to }) => /^(hours|minutes|part|range)$/.test(type) && (from >= one.to || to <= one.from),
  )
  for (const slot of ['day', 'minutes', 'rate'] as const)
    for (const { type, from, to } of slot === one.slot ? [] : of[slot])
      if (from < one.to && to > one.from) features.push(`also ${type}`, `also ${type} ${isTimed}`)
  if (one.slot === 'minutes')
    for (const { text } of line.slice(one.from, one.to))
      features.push(...seen(text).map((sign) => `over ${sign}`))
  return [...new Set(features)]
}

/** Features of the candidate itself, apart from its context. */
function ownFeatures(found: Found, one: Candidate, minutes: number | null): string[] {
  const types = one.type.split('+')
  const { line } = found
  const said = line
    .slice(one.from, Math.min(one.to, one.from + 3))
    .map(({ text }) => text)
    .join(' ')
  const { left, right } = beside(found, one)
  const around = [`l ${kindOf(left[0] ?? '<')}`, `r ${kindOf(right[0] ?? '>')}`]
  const own = isPerson(one) ? [] : [`said ${said}`, ...around.map((sign) => `said ${said} ${sign}`)]
  if (one.slot === 'day') own.push(...dayFeatures(found.task, String(one.value)), ...agreement(found, one))
  if (one.slot === 'minutes') {
    own.push(...minutesFeatures(Number(one.value)))
    if (one.to - one.from > 1 && !/^(bare-)?(hours|minutes|part|colon|open)$/.test(one.type))
      own.push(
        ...line
          .slice(one.from, one.to)
          .filter(({ value }) => value === null)
          .map(({ text }) => `in ${text}`),
      )
  }
  if (one.slot === 'rate') own.push(...rateFeatures(found, Number(one.value), minutes))
  if (one.slot === 'child' || one.slot === 'tutor') {
    const word = line[one.from]
    if (one.type === 'role') own.push(...roleFeatures(found, one))
    own.push(
      `capital ${word?.isCapital}`,
      `owner ${word?.isPossessive || line[one.to - 1]?.isPossessive}`,
      `shared ${one.isShared === true}`,
    )
  }
  return [...own, ...own.flatMap((feature) => types.map((type) => `${type} ${feature}`))]
}

/**
 * The features of one candidate for a question, such as which day it was. @param minutes the lesson's length,
 * if known
 */
export function candidateFeatures(
  found: Found,
  one: Candidate,
  question: string,
  minutes: number | null,
): Features {
  const types = one.type.split('+')
  const isOwner = found.line[one.to - 1]?.isPossessive === true
  if (isOwner) types.push('owner')
  const features = [
    ...contextOf(found, one, types),
    ...ownFeatures(found, one, minutes),
    ...amongOthers(found, one),
    ...listFeatures(found, one),
    ...readings(found, one),
  ]
  return placesOf(features.map((feature) => `${question} ${feature}`))
}

/** Whether a name only resembles one on the list. */
const isNear = ({ type }: Candidate): boolean => type.startsWith('near')

function listFeatures({ of, task }: Found, { slot, value }: Candidate): string[] {
  if (slot !== 'child' && slot !== 'tutor' && slot !== 'stranger') return []
  const named = (list: Candidate[]): number =>
    Math.min(3, new Set(list.flatMap((one) => (isNear(one) ? [] : (one.value ?? [])))).size)
  const other = slot === 'child' ? of.tutor : of.child
  const twice = of[slot].filter((one) => one.value === value).length > 1
  return [
    `named ${named(of[slot])} ${named(other)}`,
    `strangers ${of.stranger.length > 0} ${slot === 'tutor'}`,
    `twice ${twice}`,
    `list ${Math.min(2, (slot === 'child' ? task.children : task.tutors).length)}`,
  ]
}

/**
 * The features for choosing no candidate. `kind` is the value that is then assumed, such as the only person
 * on the list.
 */
export function noneFeatures(found: Found, slot: Slot, question: string, kind: string): Features {
  const isPerson = slot === 'child' || slot === 'tutor'
  const listed = isPerson ? [...found.of[slot], ...found.of.stranger] : found.of[slot]
  const types = new Set(listed.flatMap(({ type }) => type.split('+')))
  const signs = new Set(found.pieces.flatMap(({ sign }) => seen(sign)))
  const account = found.task.tutors.some(({ isSelf }) => isSelf) ? 'own' : 'family'
  // Each only once: a long remark that repeats itself must not outweigh the rest.
  return placesOf(
    [
      ...new Set([
        '',
        account,
        `count ${Math.min(4, found.of[slot].filter((one) => !isNear(one)).length)}`,
        ...[...types].map((type) => `has ${type}`),
        ...[...signs].map((sign) => `w ${sign}`),
        ...found.pieces.slice(1).map(({ sign }, index) => `p ${found.pieces[index]?.sign} ${sign}`),
        ...found.pieces
          .slice(1)
          .map(({ sign }, index) => `k ${kindOf(found.pieces[index]?.sign ?? '')} ${kindOf(sign)}`),
      ]),
    ].map((feature) => `${question} none ${kind} ${feature}`),
  )
}

/** Features of the whole text, used to decide what kind it is. */
export function textFeatures(found: Found): string[] {
  const signs = ['<', ...found.pieces.map(({ sign }) => sign), '>']
  const kinds = new Map<string, number>()
  for (const sign of signs) if (sign.startsWith('@')) kinds.set(sign, (kinds.get(sign) ?? 0) + 1)
  const distinct = (slot: Slot): number =>
    Math.min(3, new Set(found.of[slot].flatMap((one) => (isNear(one) ? [] : one.value))).size)
  const count = (sign: string): number => Math.min(3, kinds.get(sign) ?? 0)
  const people = `${distinct('child')}${distinct('tutor')}`
  const facts = `${count('@time') + count('@range')}${count('@money')}`
  const days = ['@before', '@today', '@ahead', '@weekday', '@date'].map(count).join('')
  const account = found.task.tutors.some(({ isSelf }) => isSelf)
    ? 'own'
    : found.task.tutors.length > 1
      ? 'some'
      : 'one'
  const features = [
    '',
    `people ${people}`,
    `facts ${facts}`,
    `days ${days}`,
    `all ${people} ${facts} ${days === '00000'}`,
    `account ${account} ${people} ${facts}`,
    `length ${Math.min(8, Math.floor(signs.length / 4))}`,
    `ends ${/[?]\s*$/.test(found.task.text)}`,
  ]
  signs.forEach((sign, index) => {
    const [next = '', after = '', third = ''] = signs.slice(index + 1, index + 4)
    features.push(
      `1 ${sign}`,
      `2 ${sign} ${next}`,
      `3 ${sign} ${next} ${after}`,
      `s ${sign} _ ${after}`,
      `t ${sign} _ _ ${third}`,
      ...seen(sign).map((look) => `1 ${look}`),
      `k2 ${kindOf(sign)} ${kindOf(next)}`,
      `k3 ${kindOf(sign)} ${kindOf(next)} ${kindOf(after)}`,
    )
    if (index < 5) features.push(`start ${index} ${sign}`)
    features.push(`a ${account} ${sign}`)
  })
  // The facts alone, in order: 'child time child time' suggests several lessons.
  const order = signs.filter((sign) =>
    /^@(child|tutor|either|before|today|weekday|date|ordinal|time|range|money)/.test(sign),
  )
  features.push(`order ${order.length}`)
  order.forEach((sign, index) => {
    const [next, after, third] = order.slice(index + 1, index + 4)
    features.push(`f2 ${sign} ${next}`, `f3 ${sign} ${next} ${after}`, `f4 ${sign} ${next} ${after} ${third}`)
  })
  features.push(`many ${distinct('child')} ${count('@time') + count('@range')} ${days.replaceAll('0', '')}`)
  for (const word of found.line) if (word.gap === '.') features.push(`begins ${word.text}`)
  return [...new Set(features)]
}
