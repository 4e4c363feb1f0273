// One month of a household: what happens in it, in the order of time, then what both sides read, and the closed month.
import assert from 'node:assert/strict'
import { idOf, rowsOf } from '#main/testing/two-sides.server.ts'
import type { RandomSteps } from '#main/testing/random-steps.ts'
import {
  type Class,
  daysIn,
  type End,
  endClass,
  type Entry,
  feeAsked,
  feeOf,
  later,
  owedOn,
  costOf,
  type Price,
} from '../bill.ts'
import {
  agreeOn,
  call,
  type Household,
  otherThan,
  peopleFor,
  planMonth,
  proposeFees,
  server,
  setClock,
  type Side,
  SIDES,
  setPrice,
  someDeal,
  stayWelcome,
  usualFor,
} from './household.ts'
import { cents, compareMonth, sameMakeUps } from './household-reads.ts'

const HOUR = 3_600_000
type Event = [at: number, work: () => Promise<void>]

/** Plays a month, compares it and closes it. Returns how often each thing happened. */
export async function playMonth(
  household: Household,
  month: string,
  steps: RandomSteps,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  await stayWelcome()
  await new Month(household, month, steps, (what) => (counts[what] = (counts[what] ?? 0) + 1)).play()
  return counts
}

class Month {
  private readonly from: number
  private readonly over: number
  private readonly classes: Class[]
  private readonly freeDays: string[]
  /** What each side still has to confirm: its path. */
  private readonly unanswered: { side: Side; path: 'sessions' | 'payments'; entry: Entry }[] = []

  private readonly household: Household
  private readonly month: string
  private readonly steps: RandomSteps
  private readonly note: (what: string) => void

  constructor(household: Household, month: string, steps: RandomSteps, note: (what: string) => void) {
    this.household = household
    this.month = month
    this.steps = steps
    this.note = note
    // Classes begin after the month before was closed.
    this.from = Date.parse(`${month}-01T09:00:00Z`)
    this.over = Date.parse(`${later(`${month}-${daysIn(month)}`, 1)}T08:00:00Z`)
    this.classes = planMonth(household, month)
    const taken = new Set(this.classes.map(({ day }) => day))
    this.freeDays = Array.from({ length: daysIn(month) }, (_, at) => later(`${month}-01`, at) ?? '').filter(
      (day) => !taken.has(day),
    )
  }

  async play(): Promise<void> {
    const events = [...this.classes.flatMap((one) => this.ofClass(one)), ...this.others()].sort(
      ([a], [b]) => a - b,
    )
    await this.fees(this.from)
    for (const [at, work] of events) {
      setClock(Math.min(at, this.over - HOUR))
      await work()
    }
    await this.fees(Date.parse(`${this.month}-${daysIn(this.month)}T23:00:00Z`))
    setClock(this.over)
    await compareMonth(this.household, this.month, false)
    await this.settle()
    await compareMonth(this.household, this.month, this.hasLines())
  }

  /** Whether the month has anything to close: a lesson, money, or a class that costs something. */
  private hasLines(): boolean {
    return (
      this.household.entries.some(({ day }) => day.startsWith(this.month)) ||
      this.classes.some(({ charge }) => charge && !charge.isWaived)
    )
  }

  private async fees(moment: number): Promise<void> {
    setClock(moment)
    await proposeFees(moment)
    const fee = feeAsked(this.household.deals, this.month)
    if (!fee || fee.day > new Date(moment).toISOString().slice(0, 10)) return
    const known = this.household.entries.some(
      ({ says, day }) => says.join() === fee.says.join() && day === fee.day,
    )
    if (known) return
    this.note('fee')
    this.add({ id: '', kind: 'charge', minutes: 0, price: null, ...fee, counts: false })
  }

  private ofClass(one: Class): Event[] {
    const { steps } = this
    const end = one.begins + one.minutes * 60_000
    if (steps.chance(0.5)) return [[end + HOUR, () => this.log(one)]]
    const outcome = steps.oneOf<End>([
      'canceled_in_time',
      'canceled_late',
      'canceled_late',
      'no_show',
      'canceled_by_tutor',
    ])
    const at =
      outcome === 'no_show' ? end + HOUR : Math.max(this.from, one.begins - steps.below(62 * 60) * 60_000)
    const events: Event[] = [[at, () => this.miss(one, outcome)]]
    if (steps.chance(0.5)) events.push([at + 60_000, () => this.answerCharge(one)])
    if (steps.chance(0.25)) events.push([Math.max(at, end) + 2 * HOUR, () => this.changeMind(one)])
    if (steps.chance(0.2)) events.push([Math.max(at, end) + 3 * HOUR, () => this.answerCharge(one)])
    return events
  }

  private others(): Event[] {
    const { steps } = this
    const anyTime = (hour: number) => this.from + (steps.below(daysIn(this.month) - 1) * 24 + hour) * HOUR
    const events: Event[] = []
    const sometimes = (share: number, hour: number, work: () => Promise<void>) => {
      if (steps.chance(share)) events.push([anyTime(hour), work])
    }
    if (this.household.deals.length === 0) events.push([this.from, () => this.agree()])
    sometimes(0.3, 1, () => this.agree())
    sometimes(0.3, 12, () => this.logExtra())
    sometimes(0.3, 6, () => this.price())
    sometimes(0.7, 13, () => this.makeUp())
    sometimes(0.4, 13, () => this.makeUp())
    sometimes(0.3, 2, () => this.pay('hours'))
    sometimes(0.6, 3, () => this.pay('payment'))
    sometimes(0.5, 4, () => this.charge())
    sometimes(0.3, 5, () => this.charge())
    return events
  }

  private async agree(): Promise<void> {
    const { household, steps } = this
    const day = this.today()
    // A class of a day ahead that was told already stays as it was agreed on then.
    if (household.classes.some((one) => one.day >= day && (one.end ?? one.charge))) return
    const deal = someDeal(day, this.household.least, steps)
    if (JSON.stringify({ ...household.deals.at(-1), from: day }) === JSON.stringify(deal)) return
    await agreeOn(household, steps.oneOf(SIDES), deal)
    this.note('new terms')
  }

  /** A side sets a price, possibly from a day that's over: what was logged by then keeps its price. */
  private async price(): Promise<void> {
    const { household, steps, month } = this
    const day = `${month}-${String(1 + steps.below(daysIn(month))).padStart(2, '0')}`
    await setPrice(household, steps.oneOf(SIDES), day, steps)
    this.note('price')
  }

  private async log(one: Class): Promise<void> {
    const { household, steps } = this
    const side = steps.oneOf(SIDES)
    const logged = await call(household[side], 'POST', `/api/v1/schedules/${one.schedule}/log`, {
      date: one.day,
    })
    endClass(one, null, 0, household.deals, household.classes)
    const usual = usualFor(household, side, one.day, one.schedule)
    this.keepSession(side, one.day, one.minutes, this.priceFor(one.day, null, usual), logged.body)
  }

  private async miss(one: Class, end: End): Promise<void> {
    const { household, steps } = this
    const told = this.now()
    const side = steps.oneOf(SIDES)
    const said = await call(household[side], 'PUT', `/api/v1/schedules/${one.schedule}/occurrence`, {
      date: one.day,
      status: 'canceled',
      outcome: end,
    })
    one.price = usualFor(household, 'practice', one.day, one.schedule)
    endClass(one, end, told, household.deals, household.classes)
    const charge = said.body.charge as { amount: number } | null
    const expected = one.charge && !one.charge.isWaived ? one.charge.cents : 0
    assert.equal(cents(charge?.amount ?? 0), expected, `${one.day} ${end}: ${String(said.body.because)}`)
    if (expected !== 0 && !one.charge?.isConfirmed) this.note(expected > 0 ? 'charge' : 'credit')
    if (one.isFree) this.note('free')
  }

  private async changeMind(one: Class): Promise<void> {
    const ends: End[] = ['canceled_in_time', 'canceled_late', 'no_show', 'canceled_by_tutor']
    const other = this.steps.oneOf([...ends.filter((end) => end !== one.end), null])
    await (other === null ? this.log(one) : this.miss(one, other))
  }

  /** Whoever pays confirms, or whoever would be paid waives it. */
  private async answerCharge(one: Class): Promise<void> {
    const { household, steps } = this
    const { charge } = one
    if (!charge || charge.isConfirmed || charge.isWaived) return
    const payer: Side = charge.cents > 0 ? 'family' : 'practice'
    const id = await this.chargeOf(one)
    if (steps.chance(0.4)) {
      await call(household[otherThan(payer)], 'POST', `/api/v1/charges/${id}/waive`, {})
      charge.isWaived = true
      this.note('waived')
    } else {
      await call(household[payer], 'POST', `/api/v1/charges/${id}/confirm`, {})
      charge.isConfirmed = true
    }
  }

  private async chargeOf(one: Class): Promise<string> {
    const listed = rowsOf(
      await call(this.household.family, 'GET', `/api/v1/charges?from=${one.day}&to=${one.day}`),
    )
    return listed.find((row) => row.class_date === one.day)?.id ?? assert.fail(`no charge for ${one.day}`)
  }

  private async logExtra(): Promise<void> {
    const { steps } = this
    const day = this.takeDay()
    const typed = steps.oneOf([null, null, 4999, 7000])
    const rate = typed && typed * this.household.least
    await this.logSession(day, 15 * (1 + steps.below(12)), rate, rate ? { hourly_rate: rate / 100 } : {})
  }

  private async makeUp(): Promise<void> {
    const { household, steps } = this
    const today = this.today()
    const listed = await sameMakeUps(household, today)
    const owed = owedOn(household.deals, household.classes, today).filter(({ one }) => one.day <= today)
    const [chosen] = owed
    if (!chosen || !this.freeDays.includes(today)) return
    this.takeDay(today)
    const side = steps.oneOf(SIDES)
    const id =
      listed[side].find((row) => row.missed_on === chosen.one.day)?.id ??
      assert.fail(`no make-up for ${chosen.one.day}`)
    const rate = chosen.costsNothing ? 0 : null
    await this.logSession(today, chosen.one.minutes, rate, { makes_up: id }, side)
    chosen.one.madeUpOn = today
    this.note('make-up')
  }

  private async logSession(
    day: string,
    minutes: number,
    typed: number | null,
    more: object,
    side = this.steps.oneOf(SIDES),
  ) {
    const { household } = this
    const logged = await call(household[side], 'POST', '/api/v1/sessions', {
      ...peopleFor(household, side),
      date: day,
      duration: minutes / 60,
      is_another: true,
      ...more,
    })
    const usual = usualFor(household, side, day, null)
    this.keepSession(side, day, minutes, this.priceFor(day, typed, usual), logged.body)
  }

  /** The rate that was typed, or else the usual price, unless a fee covers the month. */
  private priceFor(day: string, typed: number | null, usual: Price): Price | null {
    if (typed !== null) return { cents: typed, minutes: 60, least: this.household.least }
    if (feeOf(this.household.deals, day.slice(0, 7))) return null
    if (usual.minutes !== 60) this.note('lesson price')
    return usual
  }

  private keepSession(
    side: Side,
    day: string,
    minutes: number,
    price: Price | null,
    body: Record<string, unknown>,
  ): void {
    const cost = price && costOf(price, minutes)
    assert.equal(
      body.total_amount === null ? null : cents(Number(body.total_amount)),
      cost,
      `the session of ${day}`,
    )
    const entry: Entry = {
      id: String(body.id),
      day,
      kind: 'session',
      minutes,
      price,
      cents: cost ?? 0,
      counts: true,
      says: [],
    }
    this.wait(otherThan(side), 'sessions', this.add(entry))
  }

  private async pay(kind: 'hours' | 'payment'): Promise<void> {
    const { household, steps } = this
    const side = steps.oneOf(SIDES)
    const minutes = kind === 'hours' ? 15 * (2 + steps.below(20)) : 0
    const amount = household.least * (1 + steps.below(30_000))
    const made = await call(household[side], 'POST', '/api/v1/payments', {
      ...peopleFor(household, side),
      date: this.today(),
      kind,
      amount: amount / 100,
      is_another: true,
      ...(minutes && { hours: minutes / 60 }),
    })
    if (kind === 'hours') this.note('hours')
    const entry: Entry = {
      id: idOf(made),
      day: this.today(),
      kind,
      minutes,
      price: null,
      cents: amount,
      counts: false,
      says: [],
    }
    this.wait(otherThan(side), 'payments', this.add(entry))
  }

  private async charge(): Promise<void> {
    const { household, steps } = this
    const side = steps.oneOf(SIDES)
    const amount = household.least * (1 + steps.below(5000)) * (steps.chance(0.3) ? -1 : 1)
    const label = steps.oneOf(['The workbook', 'Train to the city', 'Thanks for waiting'])
    const made = await call(household[side], 'POST', '/api/v1/charges', {
      ...peopleFor(household, side),
      date: this.today(),
      amount: amount / 100,
      reason: steps.oneOf(['materials', 'travel', 'discount', 'refund', 'other']),
      label,
      is_another: true,
    })
    const id = idOf(made)
    const entry = this.add({
      id,
      day: this.today(),
      kind: 'charge',
      minutes: 0,
      price: null,
      cents: amount,
      counts: false,
      says: [label],
    })
    if (steps.chance(0.7)) return
    const right = amount + household.least * (amount > 0 ? 1 : -1)
    const other = household[otherThan(side)]
    await call(other, 'POST', `/api/v1/charges/${id}/dispute`, { proposal: { amount: right / 100 } })
    await call(household[side], 'POST', `/api/v1/charges/${id}/accept`, {})
    Object.assign(entry, { cents: right, counts: true })
    this.note('other amount')
  }

  /** At the end of the month everyone confirms what's still open, and both close it. */
  private async settle(): Promise<void> {
    const { household, month } = this
    for (const side of SIDES) {
      const sessions = this.unanswered.filter((one) => one.side === side && one.path === 'sessions')
      if (sessions.length > 0)
        await call(household[side], 'POST', '/api/v1/confirmations', {
          sessions: sessions.map(({ entry }) => ({ id: entry.id, version: 1 })),
        })
    }
    for (const { side, path, entry } of this.unanswered.filter((one) => one.path === 'payments')) {
      await call(household[side], 'POST', `/api/v1/${path}/${entry.id}/confirm`, {})
      entry.counts = true
    }
    const range = `from=${month}-01&to=${month}-${daysIn(month)}`
    for (const side of SIDES)
      for (const row of rowsOf(await call(household[side], 'GET', `/api/v1/charges?${range}`)))
        if (row.own_confirmation !== 'confirmed')
          await call(household[side], 'POST', `/api/v1/charges/${row.id}/confirm`, {})
    for (const entry of household.entries) entry.counts = true
    for (const { charge } of this.classes) if (charge && !charge.isWaived) charge.isConfirmed = true
    if (!this.hasLines()) return
    for (const side of SIDES)
      await call(household[side], 'POST', '/api/v1/months/close', {
        connection_id: household.connection,
        month,
      })
  }

  private now = () => server.clock.now.getTime()
  private today = () => new Date(this.now()).toISOString().slice(0, 10)
  private add(entry: Entry): Entry {
    this.household.entries.push(entry)
    return entry
  }
  private wait(side: Side, path: 'sessions' | 'payments', entry: Entry): void {
    this.unanswered.push({ side, path, entry })
  }
  private takeDay(day = this.steps.oneOf(this.freeDays)): string {
    this.freeDays.splice(this.freeDays.indexOf(day), 1)
    return day
  }
}
