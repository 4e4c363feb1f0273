// A family and a tutor for comparing months with the model: who they are, what they agreed on, and what both may see.
import assert from 'node:assert/strict'
import pg from 'pg'
import { feeJobs } from '#features/charges/jobs.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair, idOf, type Pair } from '#main/testing/two-sides.server.ts'
import type { RandomSteps } from '#main/testing/random-steps.ts'
import {
  type Class,
  type Cost,
  type Deal,
  daysIn,
  type Entry,
  type PairPrice,
  type Price,
  usualOn,
} from '../bill.ts'

export let server: TestServer
let superuser: pg.Client

export async function start(): Promise<void> {
  server = await startTestServer({ TRIAL_DAYS: '3000' })
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
}
export async function stop(): Promise<void> {
  await superuser.end()
  await server.stop()
}

interface Schedule {
  id: string
  weekday: number
  hour: number
  minutes: number
  /** Its own, if it has one. */
  price: Price | null
}
export interface Household extends Pair {
  zone: (typeof ZONES)[number]
  /** The smallest amount of the currency, in cents. */
  least: number
  /** What each side's own records say the pair costs, and from which day on. */
  prices: Record<Side, PairPrice[]>
  schedules: Schedule[]
  deals: Deal[]
  classes: Class[]
  entries: Entry[]
}

export const SIDES = ['family', 'practice'] as const
export type Side = (typeof SIDES)[number]
export const otherThan = (side: Side): Side => (side === 'family' ? 'practice' : 'family')
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York'] as const
/** Cents an hour, on both sides. */
const TUTORS_RATE = 4500

/** The month a household begins in, and those after it. */
export const monthAt = (nth: number) => `2027-${String(nth + 1).padStart(2, '0')}`

export async function aHousehold(steps: RandomSteps): Promise<Household> {
  setClock(new Date('2026-12-28T12:00:00Z'))
  const currency = steps.oneOf(['USD', 'EUR', 'GBP', 'JPY', 'KRW'])
  const pair = await aPair(server, undefined, undefined, currency)
  await stayWelcome()
  // A rate in another currency than the connection's isn't shared.
  await call(pair.practice, 'PATCH', '/api/v1/me', { currency })
  const zone = steps.oneOf(ZONES)
  const least = currency === 'JPY' || currency === 'KRW' ? 100 : 1
  const prices = { family: [], practice: [] }
  const household: Household = {
    ...pair,
    zone,
    least,
    prices,
    schedules: [],
    deals: [],
    classes: [],
    entries: [],
  }
  if (steps.chance(0.6)) await setPrice(household, steps.oneOf(SIDES), '2027-01-01', steps)
  const weekdays = steps.chance(0.5) ? [1 + steps.below(3)] : [1 + steps.below(3), 4 + steps.below(3)]
  for (const weekday of weekdays) {
    const typed = steps.oneOf([null, null, 3333, 5050, 6000, 2999])
    const rate = typed && typed * least
    const [hour, minutes] = [10 + steps.below(8), steps.oneOf([30, 60, 60, 90, 150])]
    const side = steps.oneOf(SIDES)
    const made = await call(household[side], 'POST', '/api/v1/schedules', {
      ...peopleFor(household, side),
      day_of_week: weekday,
      start_time: `${hour}:00`,
      duration: minutes / 60,
      start_date: '2027-01-01',
      time_zone: zone,
      ...(rate && { hourly_rate: rate / 100 }),
    })
    household.schedules.push({
      id: idOf(made),
      weekday,
      hour,
      minutes,
      price: rate ? { cents: rate, minutes: 60, least } : null,
    })
  }
  return household
}

/** A side sets a price of the pair from a day on, unless it has one from that day. */
export async function setPrice(
  household: Household,
  side: Side,
  from: string,
  steps: RandomSteps,
): Promise<void> {
  if (household.prices[side].some((one) => one.from === from)) return
  const cents = household.least * steps.oneOf([0, 3250, 3251, 5005, 7000, 9999])
  const lesson = steps.oneOf([null, 30, 45, 45, 50, 60, 90])
  await call(household[side], 'POST', '/api/v1/prices', {
    ...peopleFor(household, side),
    from,
    amount: cents / 100,
    lesson_minutes: lesson,
  })
  household.prices[side].push({ from, cents, minutes: lesson ?? 60, least: household.least })
}

/** What a lesson costs by a side's own records, without a rate that was typed. */
export const usualFor = (household: Household, side: Side, day: string, schedule: string | null): Price =>
  usualOn(day, {
    schedule: household.schedules.find(({ id }) => id === schedule)?.price ?? null,
    pair: household.prices[side],
    tutor: { cents: TUTORS_RATE, minutes: 60, least: household.least },
  })

/** Whom a side's own records call the child and the tutor. */
export const peopleFor = ({ child, tutor, student, self }: Household, side: Side) =>
  side === 'family' ? { student_id: child, tutor_id: tutor } : { student_id: student, tutor_id: self }

export function setClock(moment: Date | number): void {
  server.clock.now = new Date(moment)
}

/** Keeps everyone signed in, and nobody limited, while the clock moves ahead months in minutes. */
export async function stayWelcome(): Promise<void> {
  await superuser.query(
    "update logins set access_expires_at = '2099-01-01', active_until = '2099-01-01', ends_at = '2099-01-01'",
  )
  await superuser.query('delete from rate_limits')
}

/** Calls the API, and fails unless it does what was asked. */
export async function call(who: Caller, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await who.call(method, path, body)
  assert.ok(
    answer.status < 300,
    `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`,
  )
  return answer
}

export const proposeFees = (moment: number) => feeJobs(server.db, () => new Date(moment)).propose_fees?.()

/** Both sides agree on terms, which then apply from a day of the faked clock. */
export async function agreeOn(household: Household, by: Side, deal: Deal): Promise<void> {
  const { tutor_id, student_id } = peopleFor(household, by)
  const whose = by === 'family' ? { tutor_id } : { student_id }
  const terms = idOf(await call(household[by], 'POST', '/api/v1/terms', { ...whose, rules: rulesOf(deal) }))
  await call(household[otherThan(by)], 'POST', `/api/v1/terms/${terms}/confirm`, {})
  // The database has a clock of its own.
  await superuser.query('update terms set applies_from = $2 where id = $1', [terms, deal.from])
  household.deals.push(deal)
}

const costInDollars = ({ percent, cents }: Cost) => ({
  ...(percent && { percent }),
  ...(cents && { amount: cents / 100 }),
})

/** The terms as the API takes them. */
function rulesOf({ noticeHours, steps, noShow, freePerHalfYear, fee, makeUps, tutor }: Deal): object {
  return {
    notice_hours: noticeHours,
    bands: steps.map(({ untilHours, ...cost }) => ({ until_hours: untilHours, ...costInDollars(cost) })),
    no_show: noShow && costInDollars(noShow),
    free_per_half_year: freePerHalfYear || null,
    fee: fee && {
      per: 'month',
      amount: fee.cents / 100,
      lessons: fee.lessons,
      is_in_advance: fee.isInAdvance,
    },
    make_ups: makeUps && {
      for: makeUps.only === 'all' ? 'missed' : 'in_time',
      most: makeUps.most,
      until: makeUps.days,
    },
    tutor_cancels: tutor && {
      brings: tutor.brings,
      within_days: tutor.days,
      late_percent_off: tutor.percentOff,
    },
  }
}

/** Terms such as people agree on. A later step never costs less than an earlier one. */
export function someDeal(from: string, least: number, steps: RandomSteps): Deal {
  const noticeHours = steps.oneOf([12, 24, 36, 48])
  const first = { percent: steps.oneOf([0, 25, 33, 50]), cents: least * steps.oneOf([0, 500, 1234]) }
  if (first.percent + first.cents === 0) first.percent = 50
  const second = { percent: steps.oneOf([50, 75, 100]), cents: first.cents }
  const none: Deal['steps'] = []
  const both = [
    { untilHours: 6, ...first },
    { untilHours: 0, ...second },
  ]
  const hasFee = steps.chance(0.3)
  return {
    from,
    least,
    noticeHours,
    steps: hasFee ? none : steps.oneOf([both, both, [{ untilHours: 0, ...first }]]),
    noShow: hasFee
      ? null
      : steps.oneOf([null, { percent: 100, cents: 0 }, { percent: 0, cents: 2001 * least }]),
    freePerHalfYear: steps.below(3),
    fee: hasFee
      ? {
          cents: least * steps.oneOf([18000, 20001, 9999]),
          lessons: steps.oneOf([null, 4, 3]),
          isInAdvance: steps.chance(0.5),
        }
      : null,
    makeUps: steps.oneOf([
      null,
      { only: 'in time', most: null, days: 30 },
      { only: 'all', most: steps.oneOf([null, 1, 2]), days: steps.oneOf([null, 14, 40]) },
    ]),
    tutor: steps.oneOf([
      null,
      { brings: 'nothing', days: null, percentOff: steps.oneOf([10, 33]) },
      { brings: 'make_up', days: steps.oneOf([null, 21]), percentOff: steps.oneOf([null, 50]) },
      { brings: 'credit', days: null, percentOff: steps.oneOf([null, 33]) },
    ]),
  }
}

/** A month's classes, by the calendar. */
export function planMonth(household: Household, month: string): Class[] {
  const { zone, schedules } = household
  const planned = Array.from(
    { length: daysIn(month) },
    (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`,
  ).flatMap((day) =>
    schedules
      .filter(({ weekday }) => new Date(`${day}T00:00:00Z`).getUTCDay() === weekday)
      .map(({ id, hour, minutes }): Class => ({
        id: `${day} ${id}`,
        schedule: id,
        day,
        begins: Date.parse(`${day}T${hour}:00:00Z`) - hoursAhead(zone, day) * 3_600_000,
        minutes,
        // A missed class costs what the tutor would have taken.
        price: usualFor(household, 'practice', day, id),
        end: null,
        charge: null,
        isFree: false,
        isCharged: false,
        madeUpOn: null,
      })),
  )
  household.classes.push(...planned)
  return planned
}

/** How far a zone's clocks are ahead of UTC in 2027, where New York's change on March 14 and November 7. */
function hoursAhead(zone: Household['zone'], day: string): number {
  if (zone === 'UTC') return 0
  if (zone === 'Asia/Tokyo') return 9
  return day >= '2027-03-14' && day < '2027-11-07' ? -4 : -5
}
