// What both sides of a household read about a month, compared with the model, and the page that a closed month keeps.
import assert from 'node:assert/strict'
import { type Row, rowsOf } from '#main/testing/two-sides.server.ts'
import { chargeFor, daysIn, type Entry, figuresOf, owedOn } from '../bill.ts'
import { call, type Household, type Side, SIDES } from './household.ts'

/** Dollars from JSON in cents. */
export const cents = (amount: unknown) => Math.round(Number(amount) * 100)

/** Compares everything that both sides read about a month that's over. */
export async function compareMonth(household: Household, month: string, isClosed: boolean): Promise<void> {
  const { entries, classes } = household
  const all = [...entries, ...classes.flatMap((one) => chargeFor(one) ?? [])]
  const figures = expectedFigures(all, month)
  const ours = all.filter(({ day }) => day.startsWith(month))
  for (const side of SIDES) {
    const who = household[side]
    const range = `from=${month}-01&to=${month}-${daysIn(month)}`
    const [summary, balances, missed, charges] = await Promise.all([
      call(who, 'GET', `/api/v1/summary?month=${month}`),
      call(who, 'GET', `/api/v1/balances?month=${month}`),
      call(who, 'GET', `/api/v1/missed?${range}`),
      call(who, 'GET', `/api/v1/charges?${range}`),
    ])
    const sessions = ours.filter(({ kind }) => kind === 'session')
    assert.deepEqual(
      [
        summary.body.total_sessions,
        Math.round(Number(summary.body.total_hours) * 60),
        cents(summary.body.total_amount),
      ],
      [sessions.length, sum(sessions.map(({ minutes }) => minutes)), sum(sessions.map((one) => one.cents))],
      `${side}: the month's sessions`,
    )
    const balance = (balances.body.balances as Row[]).find(
      (row) => row.connection_id === household.connection,
    )
    assert.deepEqual(
      balance ? shownFigures(balance) : {},
      balance || Object.values(figures).some(Boolean) ? figures : {},
      side,
    )
    if (balance)
      assert.equal(cents(balance.charges_amount), sum(ours.filter(isCountedCharge).map((one) => one.cents)))
    sameMissed(household, month, side, rowsOf(missed))
    sameCharges(ours, rowsOf(charges))
  }
  if (isClosed) await comparePages(household, month, ours, figures)
}

const isCountedCharge = ({ kind, counts }: Entry) => kind === 'charge' && counts

function expectedFigures(all: Entry[], month: string) {
  const { carried, sessions, covered, charges, hoursBought, paid, balance, minutesLeft } = figuresOf(
    all,
    month,
  )
  return { carried, sessions, covered, other: charges + hoursBought, paid, balance, minutesLeft }
}

function shownFigures(row: Row) {
  return {
    carried: cents(row.carried_over),
    sessions: cents(row.sessions_amount),
    covered: cents(row.covered_amount),
    other: cents(row.other_amount),
    paid: cents(row.paid_amount),
    balance: cents(row.balance),
    minutesLeft: Math.round(Number(row.hours_left) * 60),
  }
}

/** The classes that didn't take place, with what each costs. */
function sameMissed({ classes }: Household, month: string, side: Side, rows: Row[]): void {
  const expected = classes
    .filter(({ day, end }) => end !== null && day.startsWith(month))
    .map((one) => [one.day, one.end, chargeFor(one)?.cents ?? 0])
  const seen = rows.map((row) => [row.date, row.outcome, cents((row.charge as Row | null)?.amount ?? 0)])
  assert.deepEqual(seen.sort(), expected.sort(), `${side}: missed classes of the month`)
}

/** The charges and credits, each with a sentence that names its cause. */
function sameCharges(ours: Entry[], rows: Row[]): void {
  const expected = ours.filter(({ kind }) => kind === 'charge')
  const left = [...rows]
  for (const { day, cents: amount, counts, says } of expected) {
    const at = left.findIndex(
      (row) =>
        row.date === day &&
        cents(row.amount) === amount &&
        row.counts === counts &&
        says.every((part) => String(row.label).includes(part)),
    )
    assert.ok(
      at >= 0,
      `no charge of ${day}, ${amount}, ${says.join(' … ')} in ${JSON.stringify(left.map(inShort))}`,
    )
    const [{ label } = { label: '' }] = left.splice(at, 1)
    if (says.length > 1)
      assert.match(String(label).replaceAll(/\d\.\d/g, ''), /^[A-Z][^.\n]{4,78}\.$/, 'one sentence')
  }
  assert.deepEqual(left.map(inShort), [], 'charges that nobody asked for')
}
const inShort = (row: Row) => [row.date, row.amount, row.counts, row.label]

/** The page of a closed month, which is the same for both. */
async function comparePages(
  household: Household,
  month: string,
  ours: Entry[],
  figures: ReturnType<typeof expectedFigures>,
) {
  for (const side of SIDES) {
    const path = `/api/v1/months/page?connection_id=${household.connection}&month=${month}`
    const { body } = await call(household[side], 'GET', path)
    const page = body as unknown as Row & Record<'sessions' | 'payments' | 'charges', Row[]>
    assert.equal(page.state, 'closed')
    assert.deepEqual(shownFigures(page), figures, `${side}: the closed month`)
    const money = (kinds: Entry['kind'][]) =>
      ours
        .filter(({ kind }) => kinds.includes(kind))
        .map((one) => `${one.day} ${one.cents}`)
        .sort()
    const shown = (rows: Row[], amount: string) =>
      rows.map((row) => `${String(row.date)} ${cents(row[amount] ?? 0)}`).sort()
    assert.deepEqual(shown(page.sessions, 'total_amount'), money(['session']))
    assert.deepEqual(shown(page.payments, 'amount'), money(['hours', 'payment']))
    assert.deepEqual(shown(page.charges, 'amount'), money(['charge']))
  }
}

/** The make-ups that are owed today, as both sides see them. */
export async function sameMakeUps(household: Household, today: string): Promise<Record<Side, Row[]>> {
  const expected = owedOn(household.deals, household.classes, today)
    .map(
      ({ one, until, costsNothing }) =>
        `${one.day} until ${String(until)}${costsNothing ? ' for nothing' : ''}`,
    )
    .sort()
  const seen = async (side: Side) => {
    const rows = (await call(household[side], 'GET', '/api/v1/make-ups')).body.make_ups as Row[]
    const owed = rows.filter(({ state }) => state === 'owed')
    const shown = owed.map(
      (row) => `${String(row.missed_on)} until ${String(row.until)}${row.is_free ? ' for nothing' : ''}`,
    )
    assert.deepEqual(shown.sort(), expected, `${side}: make-ups on ${today}`)
    return owed
  }
  return { family: await seen('family'), practice: await seen('practice') }
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
