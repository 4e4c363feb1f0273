// What the simulated year measures, and what was promised of it.
import { clockOf } from '#platform/zoned-time.server.ts'
import type { Person } from './year-people.ts'

export interface Message {
  at: Date
  to: string
  kind: string
  subject: string
  text: string
}

/** A month of one family and its tutor, as the family sees it a week after its end. */
export interface MonthSeen {
  state: string
  entries: number
  /** Why it isn't closed, such as "session waits_for_other". */
  why: string[]
}

interface Part {
  people: Person[]
  messages: (Omit<Message, 'at'> & { at: string })[]
  months: [string, MonthSeen[]][]
  notes: [string, number][]
}

const CLOSED_SHARE = 0.95
const MOST_MESSAGES = 4
const QUESTION = 'class_questions'
/** That a class of the next hours is canceled. It takes the place of the question after it. */
const CANCELED = 'canceled_class'

export class Measures {
  readonly #people: Map<string, Person>
  readonly #messages: Message[] = []
  readonly #months = new Map<string, MonthSeen[]>()
  readonly #notes = new Map<string, number>()

  constructor(people: readonly Person[]) {
    this.#people = new Map(people.map((one) => [one.email, one]))
  }

  /** What was measured, for another process to add up. */
  asJson(): string {
    const people = [...this.#people.values()].map((one) => ({ ...one, cookies: [] }))
    const messages = this.#messages.map((one) => ({ ...one, text: '' }))
    return JSON.stringify({ people, messages, months: [...this.#months], notes: [...this.#notes] })
  }

  /** Adds up what was measured in several processes, whose people have the same addresses. */
  static of(parts: readonly string[]): Measures {
    const sum = new Measures([])
    for (const [nth, json] of parts.entries()) {
      const part = JSON.parse(json) as Part
      const named = (email: string) => `${nth}-${email}`
      for (const one of part.people) sum.#people.set(named(one.email), { ...one, email: named(one.email) })
      for (const one of part.messages) sum.take({ ...one, at: new Date(one.at), to: named(one.to) })
      for (const [month, all] of part.months) for (const seen of all) sum.look(month, seen)
      for (const [what, count] of part.notes) sum.#notes.set(what, (sum.#notes.get(what) ?? 0) + count)
    }
    return sum
  }

  take(message: Message): void {
    this.#messages.push(message)
  }

  note(what: string): void {
    this.#notes.set(what, (this.#notes.get(what) ?? 0) + 1)
  }

  look(month: string, seen: MonthSeen): void {
    if (seen.entries > 0) this.#months.set(month, [...(this.#months.get(month) ?? []), seen])
  }

  inShort(month: string): string {
    const seen = this.#months.get(month) ?? []
    return `${seen.filter(isClosed).length} of ${seen.length} closed, ${this.#messages.length} messages so far`
  }

  /** Prints all figures. Returns whether any falls short. */
  print(): boolean {
    const months = [...this.#months.values()].flat()
    const share = months.filter(isClosed).length / months.length
    const others = this.#messages.filter(({ kind }) => kind !== QUESTION)
    const perMonth = [...Map.groupBy(others, (one) => `${one.to} ${this.#local(one).day.slice(0, 7)}`)]
    const most = Math.max(0, ...perMonth.map(([, own]) => own.length))
    const atNight = this.#messages.filter((one) => this.#isAtNight(one))
    const mostButCanceled = Math.max(
      0,
      ...perMonth.map(([, own]) => own.filter(({ kind }) => kind !== CANCELED).length),
    )
    const toOthers = this.#messages.filter(
      ({ kind, to }) => kind === QUESTION && !this.#people.get(to)?.mayAnswer,
    )
    const figures = [
      [
        'months closed within 7 days',
        `${(100 * share).toFixed(1)} %`,
        'at least 95 %',
        share >= CLOSED_SHARE,
      ],
      ['most messages to anyone in a month', most, `at most ${MOST_MESSAGES}`, most <= MOST_MESSAGES],
      [
        '... besides canceled classes of the day',
        mostButCanceled,
        `at most ${MOST_MESSAGES}`,
        mostButCanceled <= MOST_MESSAGES,
      ],
      ['questions to someone who may not answer', toOthers.length, '0', toOthers.length === 0],
      ['messages at night', atNight.length, '0', atNight.length === 0],
      ['reminders typed by tutors', 0, '0', true],
    ] as const
    console.log()
    for (const [what, found, wanted, isKept] of figures)
      console.log(
        `${isKept ? 'kept  ' : 'MISSED'}  ${what.padEnd(42)}${String(found).padStart(8)}  (${wanted})`,
      )
    for (const side of ['family', 'practice'] as const)
      this.#tell(
        `Messages a month besides questions, per account and month (${side})`,
        this.#spread(perMonth, side),
      )
    this.#tell(
      'Messages by kind',
      tally(this.#messages.map(({ to, kind }) => `${this.#people.get(to)?.side ?? '?'} ${kind}`)),
    )
    this.#tell('Messages at night, by kind', tally(atNight.map(({ kind }) => kind)))
    this.#tell(
      'Months not closed in time, by what was in the way',
      tally(
        months
          .filter((one) => !isClosed(one))
          .map(({ state, why }) => `${state}: ${why.join(', ') || 'nothing'}`),
      ),
    )
    this.#tell('What people did', [...this.#notes])
    return figures.some(([, , , isKept]) => !isKept)
  }

  #isAtNight(message: Message): boolean {
    const { time } = this.#local(message)
    return time < '08:00' || time >= '21:00'
  }

  #local({ to, at }: Message) {
    return clockOf(this.#people.get(to)?.zone ?? 'UTC').local(at)
  }

  /** How many accounts got how many messages in a month. */
  #spread(perMonth: [string, Message[]][], side: Person['side']): [string, number][] {
    return tally(
      perMonth
        .filter(([who]) => this.#people.get(who.split(' ')[0] ?? '')?.side === side)
        .map(([, own]) => String(own.length)),
    ).toSorted(([one], [other]) => Number(one) - Number(other))
  }

  #tell(title: string, counts: readonly (readonly [string, number])[]): void {
    console.log(`\n${title}`)
    for (const [what, count] of counts) console.log(`${String(count).padStart(8)}  ${what}`)
  }
}

const isClosed = ({ state }: MonthSeen) => state === 'closed'

/** How often each text comes, most often first. */
function tally(texts: readonly string[]): [string, number][] {
  return [...Map.groupBy(texts, (text) => text)]
    .map(([text, all]): [string, number] => [text, all.length])
    .toSorted(([, one], [, other]) => other - one)
}
