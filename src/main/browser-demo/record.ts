// The data that the demo's two sides share, kept in the browser's memory. Confirming, deleting and closing
// follow the model (model/), which a test compares with the database. This file adds the data that
// no rule depends on: subjects, notes, who did what, and when.
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import type { Action } from '#features/agreements/history.ts'
import type { Closing } from '#features/months/closing.ts'
import { eachWords, type StoredWords } from '#features/sessions/lesson-words.ts'
import type { Method } from '#features/payments/payment.ts'
import {
  type Answer,
  type Closing as ModelClosing,
  type Entry,
  type Link,
  otherSide,
  type Outcome,
  DemoWorld,
  type Side,
} from './world.ts'
import type { DemoCharge } from './charge-answers.ts'
import type { DemoTerms } from './terms-answers.ts'
import { CHILDREN, CONNECTION, TUTOR } from './cast.ts'

export type { Answer, Entry, Outcome, Side }
export { otherSide }

/** An entry in the history of a session or payment. */
export interface Past {
  at: string
  side: Side
  action: Action
  changed: string[]
  note: string | null
  /** The session as it was at that time. */
  entry: Entry
  subject: string | null
  method: Method | null
}

/** Details of a session or payment beyond the facts that both sides confirm. */
export interface Details extends StoredWords {
  subject: string | null
  start_time: string | null
  method: Method | null
  /** Each side's private notes. */
  notes: Record<Side, string | null>
  /** When each side confirmed or disputed; ISO 8601. */
  saidAt: Record<Side, string | null>
  askedAt: string
  createdAt: string
  version: number
  past: Past[]
}

/** Everything in the demo, for both sides. */
export class DemoRecord {
  readonly world = new DemoWorld()
  readonly link: Link
  /** The versions of the terms, newest first. */
  terms: readonly DemoTerms[] = []
  charges: readonly DemoCharge[] = []
  /** The page and dates for each time a month was closed. The latest closing determines the month's state. */
  readonly closings = new Map<ModelClosing, Closing>()
  /** Returns the current time or, while the example data is being created, a time in the past. */
  clock: () => Date
  private readonly details = new Map<string, Details>()

  constructor(clock: () => Date) {
    this.clock = clock
    this.world.children = CHILDREN.map(({ child }) => child)
    this.world.tutors = [TUTOR]
    this.link = this.world.ask(CONNECTION, TUTOR)
    this.world.accept(this.link, [])
  }

  /** Today's date in the visitor's time zone. */
  today(): CalendarDay {
    return dayIn(this.clock())
  }

  detailsOf({ id }: Entry): Details {
    const details = this.details.get(id)
    if (!details) throw new Error('no details for this session or payment')
    return details
  }

  /** Adds a new entry: assigns its id and fills in its details. */
  add(entry: Entry, side: Side, more: Partial<Details>): Entry {
    const now = this.clock().toISOString()
    entry.id = newId()
    this.details.set(entry.id, {
      subject: null,
      start_time: null,
      ...eachWords(() => null),
      method: null,
      notes: { family: null, practice: null },
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

  /** Records an action by one side: increments the version and adds a history entry. */
  happened(entry: Entry, side: Side, action: Action, changed: string[] = []): void {
    const details = this.detailsOf(entry)
    const now = this.clock().toISOString()
    details.version += 1
    details.askedAt = now
    details.saidAt[side] = now
    const note =
      action === 'disputed'
        ? entry.notes[side]
        : action === 'answered'
          ? entry.replies[otherSide(side)]
          : null
    // The view's fields are read from the model, so a copy keeps what they are now.
    const copy = { ...entry }
    details.past.push({
      at: now,
      side,
      action,
      changed,
      note,
      entry: copy,
      subject: details.subject,
      method: details.method,
    })
  }

  /** The page and dates for a single month closing. */
  closingOf(model: ModelClosing): Closing {
    const closing = this.closings.get(model)
    if (!closing) throw new Error('no dates for this closing')
    return closing
  }
}
