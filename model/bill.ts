// What a month of lessons comes to under agreed terms, worked out the way you'd do it on paper, in whole cents and minutes. It's written
// from docs/product-decisions.md, sections 11 and 13, and follows none of the product's code, so that comparing the two proves something.

/** Money for some minutes. */
export interface Price {
  cents: number
  minutes: number
  /** The smallest amount of its currency: a cent, or a whole yen (100). */
  least: number
}
/** What a pair's lessons cost from a day on. */
export interface PairPrice extends Price {
  from: string
}
/** A part of the lesson's price, an amount, or both. */
export interface Cost {
  percent: number
  cents: number
}
/** Terms that both sides agreed on, from a day on. */
export interface Deal {
  from: string
  /** The smallest amount of its currency. */
  least: number
  noticeHours: number
  /** What canceling late costs: each step goes on until some hours before the lesson. */
  steps: (Cost & { untilHours: number })[]
  noShow: Cost | null
  freePerHalfYear: number
  fee: { cents: number; lessons: number | null; isInAdvance: boolean } | null
  makeUps: { only: 'in time' | 'all'; most: number | null; days: number | null } | null
  tutor: { brings: 'nothing' | 'make_up' | 'credit'; days: number | null; percentOff: number | null } | null
}
export type End = 'canceled_in_time' | 'canceled_late' | 'no_show' | 'canceled_by_tutor'
/** A planned class. Moments are milliseconds. */
export interface Class {
  id: string
  schedule: string
  day: string
  begins: number
  minutes: number
  /** What it would cost, as far as that's known by now. */
  price: Price
  end: End | null
  charge: (Asked & { isWaived: boolean; isConfirmed: boolean }) | null
  /** Whether it was one of the half-year's free cancellations. */
  isFree: boolean
  /** Whether terms ask money for it, even if that was waived. */
  isCharged: boolean
  /** The day of the session that made up for it. */
  madeUpOn: string | null
}
/** Money that's asked for, and what the sentence that explains it has to say. */
interface Asked {
  cents: number
  says: string[]
}
export interface Entry {
  id: string
  day: string
  kind: 'session' | 'charge' | 'payment' | 'hours'
  minutes: number
  price: Price | null
  cents: number
  /** Whether it counts: both sides agree, or it's a session that nobody sent back. */
  counts: boolean
  /** What its sentence or label has to say. */
  says: string[]
}
interface Figures {
  carried: number
  sessions: number
  covered: number
  charges: number
  hoursBought: number
  paid: number
  balance: number
  minutesLeft: number
}

const MONTHS = 'January February March April May June July August September October November December'

/** A part of something, to the nearest cent; half a cent goes up. */
const partOf = (cents: number, parts: number, of: number) => Math.floor((2 * cents * parts + of) / (2 * of))
/** The same to the currency's smallest amount. */
const wholePartOf = (cents: number, parts: number, of: number, least: number) =>
  partOf(cents, parts, of * least) * least
export const costOf = ({ cents, minutes: stated, least }: Price, minutes: number) =>
  wholePartOf(cents, minutes, stated, least)

/** The price of a lesson: the schedule's, else the pair's on that day, else the tutor's usual one. */
export function usualOn(
  day: string,
  { schedule, pair, tutor }: { schedule: Price | null; pair: PairPrice[]; tutor: Price },
): Price {
  const begun = pair
    .filter(({ from }) => from <= day)
    .toSorted((one, other) => (one.from < other.from ? 1 : -1))
  return schedule ?? begun[0] ?? tutor
}

/** The terms of a day: those agreed on last. */
const dealOn = (deals: Deal[], day: string) =>
  deals
    .filter((deal) => deal.from <= day)
    .reduce<Deal | null>((last, deal) => (last && last.from > deal.from ? last : deal), null)

/** The fee that a whole month is paid with: what its first day's terms say. */
export const feeOf = (deals: Deal[], month: string) => dealOn(deals, `${month}-01`)?.fee ?? null

export function feeAsked(deals: Deal[], month: string): (Asked & { day: string }) | null {
  const fee = feeOf(deals, month)
  if (!fee) return null
  const name = MONTHS.split(' ')[Number(month.slice(5)) - 1]
  const day = `${month}-${fee.isInAdvance ? '01' : String(daysIn(month))}`
  return { day, cents: fee.cents, says: [`Fee for ${name} ${month.slice(0, 4)}`, 'by the terms of'] }
}

export const daysIn = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()

type Says = { asked: Asked | null; isFree: boolean }
const NOTHING: Says = { asked: null, isFree: false }

/** What the terms of its day ask for a class that ended this way, told at this moment. */
function askedFor(one: Class, end: End, told: number, deals: Deal[], all: Class[]): Says {
  const deal = dealOn(deals, one.day)
  if (!deal) return NOTHING
  const month = one.day.slice(0, 7)
  const fee = feeOf(deals, month)
  const hoursLeft = (one.begins - told) / 3_600_000
  if (end === 'canceled_by_tutor') {
    const price = fee
      ? wholePartOf(fee.cents, 1, fee.lessons ?? plannedIn(month, all), deal.least)
      : costOf(one.price, one.minutes)
    return byTutor(deal, price, fee !== null, hoursLeft)
  }
  if (fee || end === 'canceled_in_time') return NOTHING
  const price = costOf(one.price, one.minutes)
  if (end === 'canceled_late') return late(deal, price, hoursLeft, freeBefore(one, all))
  const cost = deal.noShow ?? deal.steps.at(-1)
  return cost ? { asked: sumOf(price, cost, deal.least, ['No-show']), isFree: false } : NOTHING
}

function byTutor(
  { tutor, noticeHours, least }: Deal,
  price: number,
  isPaidByFee: boolean,
  hoursLeft: number,
): Says {
  const back = isPaidByFee && tutor?.brings === 'credit' ? price : 0
  const isLate = Math.floor(hoursLeft * 60) < noticeHours * 60
  const off = isLate && tutor?.percentOff ? wholePartOf(price, tutor.percentOff, 100, least) : 0
  const says = ['Canceled by the tutor']
  if (back) says.push('the lesson is credited')
  if (off) says.push('off the next lesson')
  return back + off > 0 ? { asked: { cents: -Math.min(price, back + off), says }, isFree: false } : NOTHING
}

/** The dearest step that was reached counts; a late cancellation is at least in the first. */
function late(deal: Deal, price: number, hoursLeft: number, usedBefore: number): Says {
  if (deal.steps.length === 0) return NOTHING
  if (usedBefore < deal.freePerHalfYear) return { asked: null, isFree: true }
  const reached = deal.steps.filter((_, at) => at === 0 || hoursLeft < startOf(deal, at))
  const sums = reached.map((step, at) =>
    sumOf(price, step, deal.least, [`Canceled less than ${startOf(deal, at)} hours before`]),
  )
  return { asked: sums.reduce((most, sum) => (sum.cents > most.cents ? sum : most)), isFree: false }
}

const freeBefore = (one: Class, all: Class[]) =>
  all.filter((other) => other !== one && other.isFree && halfYear(other.day) === halfYear(one.day)).length
const startOf = ({ steps, noticeHours }: Deal, at: number) => steps[at - 1]?.untilHours ?? noticeHours
const halfYear = (day: string) => `${day.slice(0, 4)} ${day.slice(5) < '07' ? 1 : 2}`
const plannedIn = (month: string, all: Class[]) => all.filter(({ day }) => day.startsWith(month)).length

function sumOf(price: number, { percent, cents }: Cost, least: number, says: string[]): Asked {
  const part =
    percent === 100 ? 'the full lesson' : percent === 50 ? 'half the lesson' : `${percent}% of the lesson`
  const decimals = least === 1 ? `.${String(cents % 100).padStart(2, '0')}` : ''
  const amount = Math.floor(cents / 100).toLocaleString('en-US') + decimals
  return {
    cents: wholePartOf(price, percent, 100, least) + cents,
    says: [...says, ...(percent ? [part] : []), ...(cents ? [amount] : [])],
  }
}

/** A class ends in some way, or takes place after all: its charge follows, unless whoever pays already confirmed it. */
export function endClass(one: Class, end: End | null, told: number, deals: Deal[], all: Class[]): void {
  one.end = end
  const { asked, isFree } = end ? askedFor(one, end, told, deals, all) : { asked: null, isFree: false }
  one.isFree = isFree
  // A part of a price of 0 is asked for, too: a lesson that costs nothing is paid for.
  one.isCharged = asked !== null && asked.cents >= 0
  if (!one.charge?.isConfirmed)
    one.charge = asked && asked.cents !== 0 ? { ...asked, isWaived: false, isConfirmed: false } : null
}

/** A make-up that's owed on a day, or was given. */
interface MakeUp {
  one: Class
  until: string | null
  /** It costs nothing if the missed class was charged, or is covered by a fee. */
  costsNothing: boolean
  isByTutor: boolean
}

function makeUpsOf(deals: Deal[], all: Class[]): MakeUp[] {
  const given: MakeUp[] = []
  const missed = all.filter(({ end }) => end !== null)
  missed.sort((one, other) => (one.day + one.id < other.day + other.id ? -1 : 1))
  for (const one of missed) {
    const deal = dealOn(deals, one.day)
    const costsNothing = one.isCharged || Boolean(feeOf(deals, one.day.slice(0, 7)))
    if (one.end === 'canceled_by_tutor') {
      if (deal?.tutor?.brings === 'make_up')
        given.push({ one, until: later(one.day, deal.tutor.days), costsNothing, isByTutor: true })
      continue
    }
    const { makeUps } = deal ?? {}
    if (!makeUps || (makeUps.only === 'in time' && one.end !== 'canceled_in_time')) continue
    const open = given.filter((other) => !other.isByTutor && isOpenOn(other, one.day))
    if (one.madeUpOn === null && makeUps.most !== null && open.length >= makeUps.most) continue
    given.push({ one, until: later(one.day, makeUps.days), costsNothing, isByTutor: false })
  }
  return given
}

const isOpenOn = ({ one, until }: MakeUp, day: string) =>
  one.madeUpOn === null ? until === null || until >= day : one.madeUpOn > day
export const owedOn = (deals: Deal[], all: Class[], day: string) =>
  makeUpsOf(deals, all).filter(({ one, until }) => one.madeUpOn === null && (until === null || until >= day))

export function later(day: string, days: number | null): string | null {
  if (days === null) return null
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The order of what happened on one day: money first, so that it can pay for that day's lessons. */
const TURN = ['hours', 'payment', 'charge', 'session']

/** A class's charge as an entry; undefined if there's none. */
export function chargeFor({ day, charge }: Class): Entry | undefined {
  if (!charge || charge.isWaived) return undefined
  const { cents, says, isConfirmed } = charge
  return { id: day, day, kind: 'charge', minutes: 0, price: null, cents, counts: isConfirmed, says }
}

/** A month's figures, with what was left over from before. */
export function figuresOf(entries: Entry[], month: string): Figures {
  const sorted = entries
    .filter(({ counts }) => counts)
    .toSorted((one, other) => {
      if (one.day !== other.day) return one.day < other.day ? -1 : 1
      return TURN.indexOf(one.kind) - TURN.indexOf(other.kind) || (one.id < other.id ? -1 : 1)
    })
  const figures = {
    carried: 0,
    sessions: 0,
    covered: 0,
    charges: 0,
    hoursBought: 0,
    paid: 0,
    balance: 0,
    minutesLeft: 0,
  }
  for (const { day, kind, minutes, price, cents } of sorted) {
    if (day.slice(0, 7) > month) break
    const change = { sessions: 0, covered: 0, charges: 0, hoursBought: 0, paid: 0 }
    if (kind === 'payment') change.paid = cents
    if (kind === 'charge') change.charges = cents
    if (kind === 'hours') {
      change.hoursBought = cents
      change.paid = cents
      figures.minutesLeft += minutes
    }
    if (kind === 'session') {
      const fromHours = Math.min(figures.minutesLeft, minutes)
      figures.minutesLeft -= fromHours
      change.sessions = cents
      const rest = price ? costOf(price, minutes - fromHours) : 0
      change.covered = fromHours > 0 ? cents - rest : 0
    }
    const owed = change.sessions - change.covered + change.charges + change.hoursBought - change.paid
    figures.balance += owed
    if (day < `${month}-01`) figures.carried += owed
    else
      for (const name of ['sessions', 'covered', 'charges', 'hoursBought', 'paid'] as const)
        figures[name] += change[name]
  }
  return figures
}
