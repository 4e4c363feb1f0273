// A simple model of the money between a family and its two tutors, one with an account and one who answers by
// email. It covers sessions, payments, both sides' confirmations, and closed months. Uses arrays and cents
// but no database; money-model.test.ts compares the server with it.

export type Side = 'family' | 'practice'
export type Says = 'none' | 'confirmed' | 'disputed'
export type Kind = 'session' | 'payment' | 'hours' | 'opening'

export type Currency = 'USD' | 'EUR'

/** A child in the family, with the id of the practice's student. */
export interface Child {
  firstName: string
  id: string
  student: string
}
export interface Tutor {
  id: string
  hasAccount: boolean
  /** Cents per hour for sessions without an override; null if the rate isn't known. */
  rate: number | null
}
/** The facts of a session or payment that both sides agree on. */
interface Facts {
  day: string
  kind: Kind
  /** The minutes that were taught or prepaid. */
  minutes: number
  /** Only for payments. */
  cents: number
  /** Only for sessions: the override, and the default rate at the time the session was logged. */
  rate: number | null
  usual: number | null
}
export interface Entry extends Facts {
  id: string
  /** A sequence number: later entries and copies have higher numbers. */
  order: number
  /** Once the entry has been shared, this is the family's currency. Copies keep it. */
  currency: Currency
  link: Link | null
  /**
   * The people as each side has recorded them. Null for a side that doesn't have the entry, and always null
   * for a tutor who answers by email.
   */
  family: { tutor: Tutor; child: Child | null } | null
  practice: { child: Child | null } | null
  words: Record<Side, Says>
  notes: Record<Side, string | null>
  tookPart: Record<Side, boolean>
  leaving: Side | null
  /** True for a copy that's left after a split. */
  isParted: boolean
}
/** One request to close a month. The latest determines the month's state. */
export interface Closing {
  month: string
  state: 'asked' | 'closed' | 'reopened'
  by: Side
  page: Page | null
}
/** A closed month's page: its lines and figures. */
export interface Page {
  lines: Map<string, string>
  figures: Figures
}
export interface Link {
  id: string
  tutor: Tutor
  state: 'asked' | 'active' | 'over'
  closings: Closing[]
}
/** Who is acting: the family, the practice with its account, or a connection's emailed page. */
export interface Actor {
  side: Side
  link?: Link
}
/** A payment as someone entered it. */
export interface Told {
  tutor?: Tutor
  child: Child | null
  named?: Link
  day: string
  kind: Kind
  cents: number
  minutes: number | null
  isAnother: boolean
}
export interface Outcome {
  status: number
  code?: string
  entry?: Entry
}
export interface Line {
  entry: Entry
  charged: number
  paid: number
  covered: number
  coveredCents: number
  balance: number
  left: number
}
export interface Figures {
  carriedOver: number
  sessions: number
  covered: number
  other: number
  paid: number
  balance: number
  onItsWay: number
  left: number
}

export const otherSide = (side: Side): Side => (side === 'family' ? 'practice' : 'family')
const refused = (status: number, code: string): Outcome => ({ status, code })
const NOT_FOUND: Outcome = { status: 404 }
const OTHER_CLOSED = refused(409, 'other_closed')
const rateOf = ({ rate, usual }: Pick<Facts, 'rate' | 'usual'>) => rate ?? usual
/** The price in cents, rounded half up. */
const price = (rate: number, minutes: number) => Math.round((rate * minutes) / 60)
const isAgreed = ({ words, leaving }: Entry) =>
  words.family === 'confirmed' && words.practice === 'confirmed' && leaving === null
const isDisputed = ({ words }: Entry) => words.family === 'disputed' || words.practice === 'disputed'
const monthOf = (day: string) => day.slice(0, 7)
/** A session or payment as a line on its month's page. */
const lineOf = (entry: Facts) =>
  entry.kind === 'session'
    ? [entry.day, entry.minutes, rateOf(entry), amountOf(entry)].join()
    : [entry.day, entry.kind, entry.cents, entry.kind === 'hours' ? entry.minutes : ''].join()
/** A session's price; null if it has no rate. */
function amountOf(entry: Facts): number | null {
  if (entry.kind !== 'session') return entry.cents
  const rate = rateOf(entry)
  return rate === null ? null : price(rate, entry.minutes)
}

/** An entry's standing between the two sides, as defined in the glossary. */
export function standingOf(entry: Entry): string {
  if (entry.leaving) return 'leaving'
  if (isAgreed(entry)) return 'verified'
  if (isDisputed(entry) && (entry.link || entry.kind === 'session')) return 'disputed'
  return entry.link ? 'waiting' : 'own'
}

/** True if an entry counts toward a side's balance. */
function counts(entry: Entry, side: Side): boolean {
  if (entry.kind === 'session') return entry.leaving === null && !isDisputed(entry)
  return entry.link ? isAgreed(entry) : entry.words[side] === 'confirmed'
}

/** The balance after each entry, added up the way you'd do it on paper. */
export function accountOf(entries: Entry[], side: Side): Line[] {
  const lines: Line[] = []
  let owed = 0
  let bought = 0
  const turn = ['opening', 'hours', 'payment', 'session']
  const shown = entries.filter((entry) => entry.kind !== 'session' || counts(entry, side))
  for (const day of [...new Set(shown.map((entry) => entry.day))].sort())
    for (const kind of turn)
      for (const entry of shown
        .filter((one) => one.day === day && one.kind === kind)
        .sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const line = { entry, charged: 0, paid: 0, covered: 0, coveredCents: 0, balance: 0, left: 0 }
        if (counts(entry, side)) {
          if (kind === 'opening') line.charged = entry.cents
          if (kind === 'payment') line.paid = entry.cents
          if (kind === 'hours') {
            line.charged = line.paid = entry.cents
            bought += entry.minutes
          }
          if (kind === 'session') {
            const full = amountOf(entry) ?? 0
            line.covered = Math.min(bought, entry.minutes)
            bought -= line.covered
            const rest = entry.minutes - line.covered
            line.charged = line.covered === 0 ? full : rest === 0 ? 0 : price(rateOf(entry) ?? 0, rest)
            line.coveredCents = full - line.charged
          }
        }
        owed += line.charged - line.paid
        lines.push({ ...line, balance: owed, left: bought })
      }
  return lines
}

/** An account's figures for a month. */
export function figuresOf(lines: Line[], month: string): Figures {
  const until = lines.filter(({ entry }) => monthOf(entry.day) <= month)
  const within = until.filter(({ entry }) => monthOf(entry.day) === month)
  const sum = (own: Line[], of: (line: Line) => number) => own.reduce((total, line) => total + of(line), 0)
  const isSession = ({ entry }: Line) => entry.kind === 'session'
  const waits = ({ entry }: Line) =>
    entry.link !== null &&
    standingOf(entry) === 'waiting' &&
    (entry.kind === 'payment' || entry.kind === 'hours')
  return {
    carriedOver: sum(
      until.filter((line) => !within.includes(line)),
      (line) => line.charged - line.paid,
    ),
    sessions: sum(within.filter(isSession), ({ entry }) => amountOf(entry) ?? 0),
    covered: sum(within, (line) => line.coveredCents),
    other: sum(
      within.filter((line) => !isSession(line)),
      (line) => line.charged,
    ),
    paid: sum(within, (line) => line.paid),
    balance: sum(until, (line) => line.charged - line.paid),
    onItsWay: sum(until.filter(waits), ({ entry }) => entry.cents),
    left: until.at(-1)?.left ?? 0,
  }
}

export class MoneyWorld {
  children: Child[] = []
  tutors: Tutor[] = []
  entries: Entry[] = []
  links: Link[] = []
  /** Today. */
  today = ''
  currencies: Record<Side, Currency> = { family: 'USD', practice: 'USD' }
  /** The sides whose account has been deleted but can still be restored. */
  closed = new Set<Side>()
  private logged = 0

  // Lookups.

  /** The entries that an actor can read and answer. */
  seenBy = ({ side, link }: Actor) =>
    this.entries.filter((entry) =>
      link ? entry.link === link : side === 'family' ? entry.family : entry.practice,
    )
  find = (actor: Actor, id: string) => this.seenBy(actor).find((entry) => entry.id === id)
  openLink = (tutor: Tutor) => this.links.find((link) => link.tutor === tutor && link.state !== 'over')
  linkOf = (id: string) => this.links.find((link) => link.id === id)
  private practiceLink = () => this.links.find((link) => link.tutor.hasAccount && link.state === 'active')
  /** True if either side's account is closed. Nothing more is shared in that case. */
  private isShut = (link: Link) =>
    this.closed.has('family') || (link.tutor.hasAccount && this.closed.has('practice'))
  /** True if a side has read-only access because the other side's account is closed. */
  private isReadOnly = (link: Link | null, side: Side) =>
    link !== null && this.closed.has(otherSide(side)) && (side === 'practice' || link.tutor.hasAccount)
  latest = (link: Link, month: string) => link.closings.filter((one) => one.month === month).at(-1)

  /** A side's accounts: one per active connection and, for everything else, one per tutor or student. */
  accounts(side: Side): Map<string, Entry[]> {
    const found = new Map<string, Entry[]>()
    for (const entry of this.seenBy({ side })) {
      const own = side === 'family' ? entry.family?.tutor.id : (entry.practice?.child?.student ?? 'unknown')
      const isShared = entry.link?.state === 'active'
      // Amounts in other currencies are left out.
      if (entry.currency !== this.currencies[isShared ? 'family' : side]) continue
      const key = isShared && entry.link ? entry.link.id : (own ?? '')
      found.set(key, [...(found.get(key) ?? []), entry])
    }
    return found
  }
  /** A connection's account, which looks the same from both sides. */
  accountWith = (link: Link) =>
    accountOf(
      this.entries.filter((entry) => entry.link === link),
      'family',
    )

  // Closed months.

  /** Applies a change unless it affects a closed month. */
  private write(entry: Entry, after: Entry): Outcome | undefined {
    const isSame = (name: 'words' | 'notes') =>
      entry[name].family === after[name].family && entry[name].practice === after[name].practice
    const isUntouched =
      entry.link === after.link &&
      'day minutes cents kind rate usual leaving'
        .split(' ')
        .every((name) => entry[name as keyof Entry] === after[name as keyof Entry]) &&
      isSame('words') &&
      isSame('notes')
    if (!isUntouched && after.link && this.breaks(entry, after)) return refused(409, 'month_closed')
    Object.assign(entry, after)
    return undefined
  }
  /** True if an entry is on the page of a closed month. */
  isClosed = ({ link, day }: Entry) => link !== null && this.latest(link, monthOf(day))?.state === 'closed'
  /** True if a change would make a closed month's page incorrect. */
  private breaks(before: Entry | null, after: Entry | null): boolean {
    return [before, after].some((one) => {
      const closing = one?.link && this.latest(one.link, monthOf(one.day))
      if (closing?.state !== 'closed') return false
      const isStill = after && isAgreed(after) && monthOf(after.day) === closing.month
      return !(isStill && closing.page?.lines.get(after.id) === lineOf(after))
    })
  }
  private draft = (entry: Entry): Entry => ({
    ...entry,
    words: { ...entry.words },
    notes: { ...entry.notes },
    tookPart: { ...entry.tookPart },
  })

  /** How many sessions and payments in a month aren't agreed on yet. */
  openIn(link: Link, month: string): { sessions: number; payments: number } {
    const open = this.entries.filter(
      (entry) => entry.link === link && monthOf(entry.day) === month && !isAgreed(entry),
    )
    const sessions = open.filter(({ kind }) => kind === 'session').length
    return { sessions, payments: open.length - sessions }
  }
  close(side: Side, link: Link, month: string): Outcome & { open?: { sessions: number; payments: number } } {
    if (link.state === 'over') return NOT_FOUND
    const closing = this.latest(link, month)
    if (closing?.state === 'closed' || (closing?.state === 'asked' && closing.by === side))
      return { status: 200 }
    if (this.isReadOnly(link, side)) return OTHER_CLOSED
    const [year = 0, number = 0] = month.split('-').map(Number)
    const last = new Date(Date.UTC(year, number, 0)).getTime()
    if (Date.parse(this.today) + 86_400_000 < last) return refused(409, 'not_over')
    const open = this.openIn(link, month)
    if (open.sessions + open.payments > 0) return { ...refused(409, 'still_open'), open }
    const rows = this.entries.filter((entry) => entry.link === link && monthOf(entry.day) === month)
    if (rows.length === 0) return refused(409, 'nothing_to_close')
    if (closing?.state === 'asked') {
      closing.state = 'closed'
      closing.page = {
        lines: new Map(rows.map((entry) => [entry.id, lineOf(entry)])),
        figures: figuresOf(this.accountWith(link), month),
      }
    } else link.closings.push({ month, state: 'asked', by: side, page: null })
    return { status: 200 }
  }
  reopen(side: Side, link: Link, month: string): Outcome {
    if (link.state === 'over') return NOT_FOUND
    if (this.isReadOnly(link, side)) return OTHER_CLOSED
    const closing = this.latest(link, month)
    if (closing?.state !== 'closed') return refused(409, 'not_closed')
    closing.state = 'reopened'
    return { status: 200 }
  }
  withdraw(side: Side, link: Link, month: string): Outcome {
    if (link.state === 'over') return NOT_FOUND
    if (this.isReadOnly(link, side)) return OTHER_CLOSED
    const closing = this.latest(link, month)
    if (closing?.state === 'closed') return refused(409, 'already_closed')
    if (closing?.state !== 'asked' || closing.by !== side) return refused(409, 'not_asked')
    link.closings.splice(link.closings.indexOf(closing), 1)
    return { status: 200 }
  }
  /** A month's state as one side sees it. */
  stateOf(link: Link, month: string, side: Side): string {
    const closing = this.latest(link, month)
    if (!closing) return 'open'
    if (closing.state !== 'asked') return closing.state
    return closing.by === side ? 'asked_by_you' : 'asked_by_other'
  }

  // Sessions.

  private anEntry(side: Side, facts: Facts): Entry {
    const entry: Entry = {
      ...facts,
      id: '',
      order: (this.logged += 1),
      currency: this.currencies[side],
      link: null,
      family: null,
      practice: null,
      words: { family: 'none', practice: 'none' },
      notes: { family: null, practice: null },
      tookPart: { family: false, practice: false },
      leaving: null,
      isParted: false,
    }
    this.say(entry, side, 'confirmed')
    return entry
  }
  private say(entry: Entry, side: Side, says: Says, note: string | null = null): void {
    entry.words[side] = says
    entry.notes[side] = note
    if (says === 'confirmed') entry.tookPart[side] = true
  }
  /** A change also confirms the entry for the side that makes it, and resets the other side's confirmation. */
  private restate(entry: Entry, side: Side): void {
    this.say(entry, side, 'confirmed')
    entry.words[otherSide(side)] = 'none'
  }
  private add(entry: Entry): Outcome {
    if (this.breaks(null, entry)) return refused(409, 'month_closed')
    this.entries.push(entry)
    return { status: 201, entry }
  }

  log(side: Side, tutor: Tutor, child: Child, facts: Pick<Facts, 'day' | 'minutes' | 'rate'>): Outcome {
    const entry = this.anEntry(side, { ...facts, kind: 'session', cents: 0, usual: tutor.rate })
    if (side === 'family') entry.family = { tutor, child }
    else entry.practice = { child }
    const link = side === 'family' ? this.openLink(tutor) : this.practiceLink()
    if (link && !this.isShut(link)) this.putIn(entry, link)
    return this.add(entry)
  }
  /** Shares a session through a connection by filling in both sides. */
  private putIn(entry: Entry, link: Link): void {
    const child = entry.family?.child ?? entry.practice?.child ?? null
    entry.link = link
    entry.currency = this.currencies.family
    entry.family ??= { tutor: link.tutor, child }
    if (link.tutor.hasAccount && link.state === 'active') entry.practice ??= { child }
  }

  change(
    side: Side,
    id: string,
    changes: Partial<Pick<Facts, 'day' | 'minutes' | 'rate'>> & { child?: Child },
  ): Outcome {
    const entry = this.find({ side }, id)
    if (!entry) return NOT_FOUND
    if (this.isReadOnly(entry.link, side) && Object.keys(changes).length > 0) return OTHER_CLOSED
    const after = this.draft(entry)
    const { child, ...facts } = changes
    Object.assign(after, facts)
    const isMoved = child !== undefined && child !== entry[side]?.child
    if (isMoved && after.family && (side === 'family' || after.link))
      after.family = { ...after.family, child }
    if (isMoved && after.practice && (side === 'practice' || after.link)) after.practice = { child }
    // When the child changes, a session that only one side had until now may become shared.
    const link = entry.family && side === 'family' ? this.openLink(entry.family.tutor) : this.practiceLink()
    if (isMoved && !entry.link && link && this.mayJoin(entry, link) && !this.hasOther(entry, side))
      this.putIn(after, link)
    if (isMoved || lineOf(entry) !== lineOf(after)) this.restate(after, side)
    return this.write(entry, after) ?? { status: 200, entry }
  }
  /** True if an entry that only one side has can be shared. Amounts never get converted to another currency. */
  private mayJoin = (entry: Entry, link: Link) =>
    !this.isShut(link) && entry.currency === this.currencies.family
  /** True if the other side has a separate copy. */
  private hasOther = (entry: Entry, side: Side) =>
    this.seenBy({ side: otherSide(side) }).some((one) => one.id === entry.id && one !== entry)

  // Confirmations and disputes of sessions and payments.

  giveWord(actor: Actor, id: string, says: Says, note: string | null = null): Outcome {
    const entry = this.find(actor, id)
    if (!entry) return NOT_FOUND
    const { side } = actor
    if (!entry.link && entry.kind === 'session' && says === 'confirmed' && isDisputed(entry)) {
      const counted = this.draft(entry)
      this.restate(counted, side)
      return this.write(entry, counted) ?? { status: 200, entry }
    }
    // After a split, a side can still confirm its copy of a payment that it hasn't confirmed yet.
    const mayStill = entry.kind !== 'session' && says === 'confirmed' && entry.words[side] !== 'confirmed'
    if (!entry.link && !mayStill) return refused(409, 'not_shared')
    if (this.isReadOnly(entry.link, side)) return OTHER_CLOSED
    const isSaid = entry.words[side] === says && (says !== 'disputed' || entry.notes[side] === note)
    if (isSaid) return { status: 200, entry }
    const after = this.draft(entry)
    this.say(after, side, says, note)
    return this.write(entry, after) ?? { status: 200, entry }
  }
  /** @param isLate true if the other side didn't answer by the deadline */
  remove(actor: Actor, id: string, isLate = false): Outcome {
    const entry = this.find(actor, id)
    if (!entry) return NOT_FOUND
    if (this.isReadOnly(entry.link, actor.side)) return OTHER_CLOSED
    const other = otherSide(actor.side)
    if (!entry.link || !entry.tookPart[other] || entry.leaving === other) {
      if (this.breaks(entry, null)) return refused(409, 'month_closed')
      this.drop(entry)
      return { status: 204 }
    }
    if (entry.leaving === actor.side) {
      // A tutor without an account has no log to remove the entry from.
      if (!isLate || entry.kind === 'session' || actor.link) return { status: 202, entry }
      this.split(entry)
      const own = this.find(actor, id)
      if (own) this.drop(own)
      return { status: 204 }
    }
    const after = this.draft(entry)
    after.leaving = actor.side
    return this.write(entry, after) ?? { status: 202, entry }
  }
  keep(actor: Actor, id: string): Outcome {
    const entry = this.find(actor, id)
    if (!entry) return NOT_FOUND
    if (!entry.leaving) return refused(409, 'not_asked')
    if (this.isReadOnly(entry.link, actor.side)) return OTHER_CLOSED
    return this.write(entry, { ...this.draft(entry), leaving: null }) ?? { status: 200, entry }
  }
  private drop(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry)
  }

  // Payments.

  record(actor: Actor, told: Told): Outcome {
    const { side } = actor
    const { tutor, child, named, day, kind, cents, minutes } = told
    if (Date.parse(day) > Date.parse(this.today) + 86_400_000) return refused(422, 'too_far_ahead')
    const missing = this.missing(told, actor.link !== undefined || named !== undefined || side === 'family')
    if (missing) return missing
    const link = actor.link ?? this.payable(side, tutor, child, named)
    if (named && !link) return refused(422, 'not_connected')
    const isTwice = this.seenBy(actor).some(
      (one) =>
        one.day === day &&
        one.kind === kind &&
        one.cents === cents &&
        one.currency === this.currencies[link ? 'family' : side] &&
        one.leaving === null &&
        one.link === (link ?? null) &&
        (link || (one[side]?.child === child && (side === 'practice' || one.family?.tutor === tutor))),
    )
    if (isTwice && !told.isAnother) return refused(409, 'same_payment')
    const entry = this.anEntry(side, {
      day,
      kind,
      cents,
      minutes: kind === 'hours' ? (minutes ?? 0) : 0,
      rate: null,
      usual: null,
    })
    if (side === 'family') entry.family = { tutor: tutor ?? this.noTutor(), child }
    else if (!actor.link) entry.practice = { child }
    if (link) this.putPayment(entry, link)
    return this.add(entry)
  }
  private noTutor(): never {
    throw new Error('a family names a tutor')
  }
  private missing(told: Pick<Told, 'child' | 'kind' | 'cents' | 'minutes'>, hasAccount: boolean) {
    if (!hasAccount && !told.child) return refused(422, 'no_student')
    if (told.kind === 'hours') return told.minutes ? undefined : refused(422, 'no_hours')
    return told.cents === 0 ? refused(422, 'no_amount') : undefined
  }
  /** The connection through which a payment is shared. */
  private payable(side: Side, tutor?: Tutor, child?: Child | null, named?: Link): Link | undefined {
    const link = side === 'practice' ? this.practiceLink() : tutor && this.openLink(tutor)
    if (link?.state !== 'active' || this.isShut(link) || (named && named !== link)) return undefined
    return side === 'family' || child || named ? link : undefined
  }
  /** A payment is for the whole family. If one side names a child for it, the other side can see which one. */
  private putPayment(entry: Entry, link: Link): void {
    const child = entry.practice?.child ?? entry.family?.child ?? null
    entry.link = link
    entry.currency = this.currencies.family
    entry.family = { tutor: link.tutor, child }
    if (link.tutor.hasAccount) entry.practice = { child: entry.practice?.child ?? child }
  }

  changePayment(
    actor: Actor,
    id: string,
    changes: Partial<Pick<Told, 'day' | 'kind' | 'cents' | 'minutes' | 'tutor'>> & { child?: Child | null },
  ): Outcome {
    const entry = this.find(actor, id)
    if (!entry) return NOT_FOUND
    const { side } = actor
    const { tutor, child, ...facts } = changes
    const after = this.draft(entry)
    const kind = facts.kind ?? entry.kind
    const minutes = kind !== 'hours' ? 0 : facts.minutes === undefined ? entry.minutes : (facts.minutes ?? 0)
    Object.assign(after, { ...facts, kind, minutes })
    if (after.day !== entry.day && Date.parse(after.day) > Date.parse(this.today) + 86_400_000)
      return refused(422, 'too_far_ahead')
    const named = child === undefined ? (entry[side]?.child ?? null) : child
    const hasAccount = side === 'family' || entry.link !== null || !entry.practice?.child
    const missing = this.missing({ child: named, kind, cents: after.cents, minutes }, hasAccount)
    if (missing) return missing
    const isSame =
      lineOf(entry) === lineOf(after) &&
      named === (entry[side]?.child ?? null) &&
      (!tutor || tutor === entry.family?.tutor)
    if (this.isReadOnly(entry.link, side) && !isSame) return OTHER_CLOSED
    if (tutor && entry.link && tutor !== entry.family?.tutor) return refused(409, 'other_connection')
    const isMoved =
      !entry.link &&
      (side === 'family'
        ? tutor !== undefined && tutor !== entry.family?.tutor
        : named !== null && named !== entry.practice?.child)
    if (after.family && side === 'family') after.family = { tutor: tutor ?? after.family.tutor, child: named }
    if (after.practice && side === 'practice') after.practice = { child: named }
    // A closed month's page says who a payment is for.
    if (named !== (entry[side]?.child ?? null) && this.isClosed(entry)) return refused(409, 'month_closed')
    const link = isMoved && !entry.isParted && this.payable(side, after.family?.tutor, named)
    if (link && this.mayJoin(entry, link)) this.putPayment(after, link)
    if (isMoved || lineOf(entry) !== lineOf(after)) this.restate(after, side)
    return this.write(entry, after) ?? { status: 200, entry }
  }

  /**
   * Shares a payment that only one side has. If the other side recorded it too, merges the two into one that
   * both sides have confirmed.
   */
  share(side: Side, id: string): Outcome {
    const entry = this.find({ side }, id)
    if (!entry) return NOT_FOUND
    if (entry.link) return { status: 200, entry }
    const link = this.payable(side, entry.family?.tutor, entry.practice?.child)
    if (!link || !this.mayJoin(entry, link)) return refused(409, 'not_connected')
    const twin = this.twinOf(entry, side, link)
    const after = this.draft(entry)
    this.putPayment(after, link)
    this.say(after, side, 'confirmed')
    this.say(after, otherSide(side), twin ? 'confirmed' : 'none')
    after.tookPart = { family: true, practice: true }
    after.tookPart[otherSide(side)] = twin !== undefined
    after.isParted = false
    const problem = this.write(entry, after)
    if (problem) return problem
    if (twin) this.drop(twin)
    return { status: 200, entry }
  }
  private twinOf(entry: Entry, side: Side, link: Link): Entry | undefined {
    const other = otherSide(side)
    const isTheirs = (one: Entry) =>
      one.link
        ? one.link === link && !(one.words.family === 'confirmed' && one.words.practice === 'confirmed')
        : side === 'family'
          ? link.tutor.hasAccount && one.practice !== null
          : one.family !== null && (one.id === entry.id || one.family.tutor === link.tutor)
    return this.entries
      .filter((one) => one !== entry && one.kind !== 'session' && lineOf(one) === lineOf(entry))
      .filter((one) => one.currency === entry.currency)
      .filter((one) => one.leaving === null && one.words[other] === 'confirmed' && isTheirs(one))
      .sort((a, b) => {
        const rank = (one: Entry) => (one.id === entry.id ? 0 : 2) + (one.link ? 1 : 0)
        return rank(a) - rank(b) || a.order - b.order
      })[0]
  }

  // Connections.

  /** Requests a connection with a tutor, who then sees what the family logged with them. */
  ask(id: string, tutor: Tutor): Link {
    const link: Link = { id, tutor, state: 'asked', closings: [] }
    this.links.push(link)
    for (const entry of this.entries)
      if (entry.kind === 'session' && entry.family?.tutor === tutor && !entry.link) entry.link = link
    return link
  }
  /**
   * The practice accepts a request.
   * @param pairs possible duplicates, which wait for an answer
   */
  accept(link: Link, pairs: { family: Entry; practice: Entry }[]): void {
    link.state = 'active'
    const waits = new Set(pairs.flatMap((pair) => [pair.family, pair.practice]))
    const lessons = this.entries.filter((entry) => entry.kind === 'session')
    for (const entry of lessons) if (entry.link === link) entry.link = null
    for (const entry of lessons) {
      const isShown = entry.practice !== null || entry.family?.tutor === link.tutor
      const side: Side = entry.family ? 'family' : 'practice'
      if (entry.currency !== this.currencies.family) continue
      if (isShown && !entry.link && !waits.has(entry) && !this.hasOther(entry, side)) this.putIn(entry, link)
    }
  }
  answerPair(link: Link, { family: f, practice: p }: { family: Entry; practice: Entry }, isSame: boolean) {
    if (isSame) {
      const isEqual = lineOf(f) === lineOf(p)
      f.words.practice = isEqual ? p.words.practice : 'none'
      f.notes.practice = isEqual ? p.notes.practice : null
      f.tookPart.practice ||= p.tookPart.practice
      f.practice = p.practice
      f.link = link
      this.drop(p)
      return
    }
    const [child, student] = [f.family?.child ?? null, p.practice?.child ?? null]
    Object.assign(f, { link, practice: { child: student } })
    Object.assign(p, { link, family: { tutor: link.tutor, child } })
  }
  /** Erases a side's account and all of its data for good. */
  erase(side: Side): void {
    for (const link of this.links.filter(
      ({ state, tutor }) => state !== 'over' && (side === 'family' || tutor.hasAccount),
    ))
      this.end(link)
    this.entries = this.entries.filter((entry) => !entry[side])
  }
  end(link: Link): void {
    link.state = 'over'
    for (const entry of this.entries.filter((one) => one.link === link)) this.split(entry)
  }
  /** Each side keeps a copy, and the copies are independent from then on. */
  private split(entry: Entry): void {
    entry.link = null
    entry.leaving = null
    if (!entry.family || !entry.practice) return
    const first = [...this.children].sort((a, b) => (a.firstName < b.firstName ? -1 : 1))[0] ?? null
    const child = entry.practice.child ?? (entry.kind === 'session' ? null : first)
    const copy = { ...this.draft(entry), family: null, practice: { child }, isParted: true }
    this.entries.push({ ...copy, order: (this.logged += 1) })
    Object.assign(entry, { practice: null, isParted: true })
  }
}
