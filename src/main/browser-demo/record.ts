// What the two sides of the demo share, in the browser's memory. The rules of words, deletions and closed months are the plain model's,
// which money-model.test.ts compares with the database; this adds what no rule looks at: subjects, notes, who said what when.
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import type { Action } from '#features/sessions/history.ts'
import type { Closing } from '#features/months/closing.ts'
import type { Method } from '#features/payments/payment.ts'
import {
  type Closing as ModelClosing,
  type Entry,
  type Link,
  MoneyWorld,
  otherSide,
  type Side,
} from '../money-model.ts'
import { CHILDREN, CONNECTION, INGRID } from './cast.ts'

/** Something that happened to a session. */
export interface Past {
  at: string
  side: Side
  action: Action
  changed: string[]
  note: string | null
  /** The session as it was then. */
  entry: Entry
  subject: string | null
}

/** What is known of a session or a payment beyond what the two sides agree on. */
export interface Details {
  subject: string | null
  start_time: string | null
  summary: string | null
  homework: string | null
  method: Method | null
  /** Each side's own. */
  notes: Record<Side, string | null>
  /** What each side answered to the other's dispute. */
  answers: Record<Side, string | null>
  /** When each side said what it says; ISO 8601. */
  saidAt: Record<Side, string | null>
  askedAt: string
  createdAt: string
  version: number
  past: Past[]
}

/** The record of both sides. */
export class DemoRecord {
  readonly world = new MoneyWorld()
  readonly link: Link
  /** The pages and dates of the months that were asked about; the newest of a month says how it stands. */
  readonly closings = new Map<ModelClosing, Closing>()
  /** Set to an earlier moment while the example data is made. */
  clock: () => Date
  private readonly details = new Map<string, Details>()

  constructor(clock: () => Date) {
    this.clock = clock
    this.world.children = CHILDREN.map(({ child }) => child)
    this.world.tutors = [INGRID]
    this.link = this.world.ask(CONNECTION, INGRID)
    this.world.accept(this.link, [])
  }

  /** The visitor's own day. */
  today(): CalendarDay {
    return dayIn(this.clock())
  }

  detailsOf({ id }: Entry): Details {
    const details = this.details.get(id)
    if (!details) throw new Error('a session or payment of the demo has details')
    return details
  }

  /** Gives a new entry its id and its details. */
  add(entry: Entry, side: Side, more: Partial<Details>): Entry {
    const now = this.clock().toISOString()
    entry.id = newId()
    this.details.set(entry.id, {
      subject: null,
      start_time: null,
      summary: null,
      homework: null,
      method: null,
      notes: { family: null, practice: null },
      answers: { family: null, practice: null },
      saidAt: { family: null, practice: null },
      askedAt: now,
      createdAt: now,
      version: 0,
      past: [],
      ...more,
    })
    this.happened(entry, side, 'logged')
    return entry
  }

  /** Keeps what a side just did: the version goes on, and the history has one more entry. */
  happened(entry: Entry, side: Side, action: Action, changed: string[] = []): void {
    const details = this.detailsOf(entry)
    const now = this.clock().toISOString()
    details.version += 1
    details.askedAt = now
    details.saidAt[side] = now
    // An answer is to the words that stood when it was given.
    if (action !== 'answered') details.answers[otherSide(side)] = null
    const note =
      action === 'disputed' ? entry.notes[side] : action === 'answered' ? details.answers[side] : null
    const copy = { ...entry, words: { ...entry.words }, notes: { ...entry.notes } }
    details.past.push({ at: now, side, action, changed, note, entry: copy, subject: details.subject })
  }

  /** The closing of a month with its page and its dates. */
  closingOf(model: ModelClosing): Closing {
    const closing = this.closings.get(model)
    if (!closing) throw new Error('a closing of the demo has dates')
    return closing
  }
}
