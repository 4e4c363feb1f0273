// What the model may look at: the words and signs around a candidate, how it was found, and what else the
// text holds.
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

/** A sign as the model sees it: itself, what kinds of word it is, and how it begins. */
function seen(sign: string): string[] {
  const classes = CLASSES.get(sign) ?? []
  return sign.length > 5 && !sign.startsWith('@')
    ? [sign, ...classes, `${sign.slice(0, 5)}-`]
    : [sign, ...classes]
}

/** The kind of a word, itself where it is of none. */
function kindOf(sign: string): string {
  return CLASSES.get(sign)?.[0] ?? sign
}

/** Signs beside a candidate, the nearest first. */
function beside(
  { pieces }: Found,
  { from, to }: Pick<Candidate, 'from' | 'to'>,
): { left: string[]; right: string[] } {
  const left: string[] = []
  const right: string[] = []
  // Pieces are in order; a text has few enough of them to look at all.
  for (const piece of pieces) {
    if (piece.to <= from) left.push(piece.sign)
    else if (piece.from >= to && right.length < BAG) right.push(piece.sign)
  }
  return { left: left.slice(-BAG).reverse(), right }
}

/** Signs between two stretches of the line. */
function between({ pieces }: Found, from: number, to: number): string[] {
  return pieces.filter((piece) => piece.from >= from && piece.to <= to).map(({ sign }) => sign)
}

/** Features of the place in which a candidate stands. */
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
    ...left.flatMap(seen).map((sign) => `bl ${sign}`),
    ...right.flatMap(seen).map((sign) => `br ${sign}`),
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
    ...left
      .slice(0, AROUND)
      .flatMap(seen)
      .map((sign) => `${type} bl ${sign}`),
    ...right
      .slice(0, AROUND)
      .flatMap(seen)
      .map((sign) => `${type} br ${sign}`),
  ])
  return [...plain, ...crossed]
}

/**
 * Where a candidate stands among the others of its slot, and what is said between them: 'no wait' tells
 * of a correction.
 */
function amongOthers(found: Found, one: Candidate): string[] {
  const spans = found.of[one.slot].filter(
    ({ from, to, type }) =>
      (to <= one.from || from >= one.to) && !/sum|difference|product|pair|free|role|turned/.test(type),
  )
  const firm = spans.filter(({ type }) => !/^bare|^short|^dash|^dot|weekback/.test(type))
  const corrected = [
    ...firm
      .filter(({ to, value }) => to <= one.from && value !== one.value)
      .slice(-1)
      .flatMap(({ to }) =>
        between(found, to, one.from)
          .slice(0, 14)
          .flatMap(seen)
          .map((sign) => `fixes ${sign}`),
      ),
    ...firm
      .filter(({ from, value }) => from >= one.to && value !== one.value)
      .slice(0, 1)
      .flatMap(({ from }) =>
        between(found, one.to, from)
          .slice(-14)
          .flatMap(seen)
          .map((sign) => `fixed ${sign}`),
      ),
  ]
  const before = spans.findLast(({ to }) => to <= one.from)
  const after = spans.find(({ from }) => from >= one.to)
  const features = [`order ${before ? 'after' : 'first'} ${after ? 'before' : 'last'}`, ...corrected]
  if (before && one.from - before.to < 9) {
    const words = between(found, before.to, one.from)
    features.push(
      `same ${before.value === one.value}`,
      `pw ${words.join(' ').slice(0, 40)}`,
      ...words.flatMap(seen).map((sign) => `pb ${sign}`),
    )
  }
  if (after && after.from - one.to < 9) {
    const words = between(found, one.to, after.from)
    features.push(
      `nsame ${after.value === one.value}`,
      `nw ${words.join(' ').slice(0, 40)}`,
      ...words.flatMap(seen).map((sign) => `nb ${sign}`),
    )
  }
  return features
}

function dayFeatures({ today }: { today: CalendarDay }, value: string): string[] {
  const back = Math.round((Date.parse(today) - Date.parse(value)) / DAY_MS)
  const bucket =
    back < 0
      ? 'ahead'
      : back < 8
        ? String(back)
        : back < 15
          ? '8-14'
          : back < 32
            ? '15-31'
            : back < 63
              ? '32-62'
              : 'long'
  return [`back ${bucket}`]
}

/** Whether another word names the same day, and whether a date stands in the text beside weekdays. */
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

function rateFeatures(found: Found, value: number, minutes: number | null): string[] {
  const usual = found.task.tutors.flatMap(({ rate }) => rate ?? [])
  const typical = usual.length > 0 ? usual : [5000]
  const distance = Math.min(...typical.map((rate) => Math.abs(Math.log((value || 1) / rate))))
  const bucket =
    distance < 0.001
      ? 'same'
      : distance < 0.12
        ? 'near'
        : distance < 0.4
          ? 'like'
          : distance < 0.8
            ? 'far'
            : 'else'
  return [`usual ${usual.length > 0} ${bucket}`, `hour ${minutes === 60}`, `round ${value % 500 === 0}`]
}

/** How likely a first name is a boy's, 0 to 2. */
function maleness(name: string): number {
  return isMaleName(name) ? 2 : /(?:a|ah|ie|elle|ette|lyn|een|ine)$/.test(name) ? 0 : 1
}

/** What tells a son from a daughter: the name's ending, and those of the others. */
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

/** What a candidate has of its own, besides where it stands. */
function ownFeatures(found: Found, one: Candidate, minutes: number | null): string[] {
  const types = one.type.split('+')
  const { line } = found
  const said = line
    .slice(one.from, Math.min(one.to, one.from + 3))
    .map(({ text }) => text)
    .join(' ')
  const own = one.slot === 'child' || one.slot === 'tutor' || one.slot === 'stranger' ? [] : [`said ${said}`]
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
 * The features of one candidate for a question, such as which of the days it is. @param minutes the
 * lesson's, where known
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
  ]
  return placesOf(features.map((feature) => `${question} ${feature}`))
}

function listFeatures({ of, task }: Found, { slot, value }: Candidate): string[] {
  if (slot !== 'child' && slot !== 'tutor' && slot !== 'stranger') return []
  const named = (list: Candidate[]): number =>
    Math.min(3, new Set(list.flatMap((one) => one.value ?? [])).size)
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
 * The features of choosing none of the candidates; `kind` is what is then meant, such as the only person
 * of a list.
 */
export function noneFeatures(found: Found, slot: Slot, question: string, kind: string): Features {
  const isPerson = slot === 'child' || slot === 'tutor'
  const listed = isPerson ? [...found.of[slot], ...found.of.stranger] : found.of[slot]
  const types = new Set(listed.flatMap(({ type }) => type.split('+')))
  const signs = new Set(found.pieces.flatMap(({ sign }) => seen(sign)))
  const account = found.task.tutors.some(({ isSelf }) => isSelf) ? 'own' : 'family'
  return placesOf(
    [
      '',
      account,
      `count ${Math.min(4, found.of[slot].length)}`,
      ...[...types].map((type) => `has ${type}`),
      ...[...signs].map((sign) => `w ${sign}`),
      ...found.pieces.slice(1).map(({ sign }, index) => `p ${found.pieces[index]?.sign} ${sign}`),
      ...found.pieces
        .slice(1)
        .map(({ sign }, index) => `k ${kindOf(found.pieces[index]?.sign ?? '')} ${kindOf(sign)}`),
    ].map((feature) => `${question} none ${kind} ${feature}`),
  )
}

/** What the whole text looks like, for the question what kind of text it is. */
export function textFeatures(found: Found): string[] {
  const signs = ['<', ...found.pieces.map(({ sign }) => sign), '>']
  const kinds = new Map<string, number>()
  for (const sign of signs) if (sign.startsWith('@')) kinds.set(sign, (kinds.get(sign) ?? 0) + 1)
  const distinct = (slot: Slot): number => Math.min(3, new Set(found.of[slot].map(({ value }) => value)).size)
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
  // The facts alone, in their order: 'child time child time' tells of several lessons.
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
