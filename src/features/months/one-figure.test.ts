import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Standing } from '#features/agreements/answer.ts'
import { type AccountName, type Entry, inDollars, ledgerOf, Owed } from '#features/payments/balance.ts'
import { howItAddsUp } from '#features/payments/balance-text.ts'
import { isOwedLine, owedAsOf, owedLabel, owedOnPaper, toOwed } from '#features/payments/owed.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import type { Minutes } from '#kernel/duration.ts'
import {
  cents,
  centsOfDollars,
  type Currency,
  currencyOf,
  formatAmount,
  formatMoney,
  priceOf,
} from '#kernel/money.ts'
import { csvFile, readCsv } from '#platform/csv.server.ts'
import {
  figuresAsOf,
  type MonthCharge,
  type MonthPayment,
  type MonthRows,
  type MonthSession,
} from './closing.ts'
import { csvOf } from './statement.ts'

const CURRENCIES = ['USD', 'EUR', 'GBP'].map(currencyOf)
const START = '2025-11-01' as CalendarDay

/** An entry as the two sides keep it, whichever account it's in. */
interface Kept extends Omit<Entry, 'id' | 'day' | 'standing' | 'counts'> {
  days: number
  standing: Standing
  isForeign: boolean
}

const place = {
  days: fc.integer({ min: 0, max: 180 }),
  standing: fc.constantFrom<Standing>('verified', 'verified', 'waiting', 'disputed', 'leaving', 'own'),
  isForeign: fc.nat(9).map((one) => one === 0),
}
const minutes = (most: number) => fc.integer({ min: 1, max: most }).map((one) => (one * 5) as Minutes)
const lesson = fc
  .record({ ...place, minutes: minutes(36), rate: fc.option(fc.nat(20_000).map(cents), { freq: 8 }) })
  .map((one): Kept => ({
    ...one,
    kind: 'session',
    amount: one.rate === null ? null : priceOf(one.rate, one.minutes, currencyOf('USD')),
  }))
const money = fc
  .record({
    ...place,
    kind: fc.constantFrom('payment' as const, 'payment' as const, 'opening' as const),
    amount: fc.integer({ min: 1, max: 100_000 }).map(cents),
  })
  .map((one): Kept => ({ ...one, minutes: 0 as Minutes, rate: null }))
const hours = fc
  .record({ ...place, minutes: minutes(120), amount: fc.nat(100_000).map(cents) })
  .map((one): Kept => ({ ...one, kind: 'hours', rate: null }))
/** Charges, and credits with a negative amount. */
const charge = fc
  .record({
    ...place,
    amount: fc
      .integer({ min: -50_000, max: 50_000 })
      .filter((amount) => amount !== 0)
      .map(cents),
  })
  .map((one): Kept => ({ ...one, kind: 'charge', minutes: 0 as Minutes, rate: null }))
const account = fc.record({
  kind: fc.constantFrom('shared', 'shared', 'own', 'beside' as const),
  currency: fc.nat(2),
  entries: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: lesson },
      { weight: 3, arbitrary: money },
      { weight: 1, arbitrary: hours },
      { weight: 2, arbitrary: charge },
    ),
    { maxLength: 14 },
  ),
})
const world = fc.record({
  side: fc.constantFrom('parent' as const, 'tutor' as const),
  own: fc.nat(2).map((at) => CURRENCIES[at] ?? currencyOf('USD')),
  today: fc.integer({ min: 60, max: 150 }).map((days) => addDays(START, days)),
  accounts: fc.array(account, { minLength: 1, maxLength: 4 }),
})

interface Row extends Omit<Kept, 'days'> {
  id: string
  day: CalendarDay
  currency: Currency
}
interface Account {
  name: AccountName
  rows: Row[]
}

/** Accounts as the database has them: only what's shared can be in another currency than the workspace's. */
function accountsOf({ own, accounts }: { own: Currency; accounts: AccountsOf }): Account[] {
  return accounts.map(({ kind, currency: at, entries }, index) => {
    const currency = kind === 'shared' ? (CURRENCIES[at] ?? own) : own
    const other = CURRENCIES.find((one) => one !== currency) ?? own
    return {
      name: {
        id: kind === 'shared' ? null : `person ${index}`,
        connection_id: kind === 'shared' ? `connection ${index}` : null,
        name: `Name ${index}`,
        students: [],
        currency,
        is_only_yours: kind === 'beside',
      },
      rows: entries.map(({ days, ...entry }, place) => ({
        ...entry,
        id: `${index} ${String(place).padStart(3, '0')}`,
        day: addDays(START, days),
        currency: entry.isForeign ? other : currency,
      })),
    }
  })
}
type AccountsOf = { kind: string; currency: number; entries: Kept[] }[]

const isOut = ({ standing }: Row) => standing === 'disputed' || standing === 'leaving'
const hasEffect = ({ standing }: Row) => standing === 'verified' || standing === 'own'

/** The simple sum: day by day, in cents and minutes. */
function owedIn({ name, rows }: Account, today: CalendarDay): number {
  let owed = 0
  let left = 0
  for (let day = START; day <= today; day = addDays(day, 1)) {
    const those = rows.filter((row) => row.day === day && row.currency === name.currency)
    for (const { kind, amount, minutes: bought } of those.filter(hasEffect)) {
      if (kind === 'opening' || kind === 'charge') owed += amount ?? 0
      if (kind === 'payment') owed -= amount ?? 0
      if (kind === 'hours') left += bought
    }
    for (const { amount, rate, minutes: taught } of those.filter(
      (row) => row.kind === 'session' && !isOut(row),
    )) {
      const open = Math.max(0, taught - left)
      left -= taught - open
      owed += open === taught ? (amount ?? 0) : Math.floor(((rate ?? 0) * open * 2 + 60) / 120)
    }
  }
  return owed
}

/** The ledger of an account, from the rows that the query for balances reads. */
function ledgerIn({ name, rows }: Account) {
  const entries = rows
    .filter((row) => row.currency === name.currency && !(row.kind === 'session' && isOut(row)))
    .map((row): Entry => ({ ...row, ...(row.kind === 'session' ? {} : { counts: hasEffect(row) }) }))
  return { ...name, lines: ledgerOf(entries, currencyOf('USD')), versions: [] }
}

/** The same rows as an emailed page reads them. */
function emailedRows({ name, rows }: Account): MonthRows {
  const common = ({ id, day, currency, standing }: Row) => ({
    id,
    day,
    currency,
    standing: standing === 'own' ? ('verified' as const) : standing,
    waits_for_you: false,
    family_at: null,
    practice_at: null,
  })
  return {
    side: 'family',
    is_over: false,
    is_other_closed: false,
    currency: name.currency,
    family_name: null,
    tutor_name: null,
    time_zone: null,
    sessions: rows
      .filter(({ kind }) => kind === 'session')
      .map((row): MonthSession => ({
        ...common(row),
        minutes: row.minutes,
        rate_cents: row.rate,
        total_cents: row.amount,
        first_name: null,
        subject: null,
      })),
    charges: rows
      .filter(({ kind }) => kind === 'charge')
      .map((row): MonthCharge => ({
        ...common(row),
        amount_cents: row.amount ?? cents(0),
        reason: 'other',
        label: null,
        first_name: null,
      })),
    payments: rows.flatMap((row): MonthPayment[] =>
      row.kind === 'session' || row.kind === 'charge'
        ? []
        : [
            {
              ...common(row),
              kind: row.kind,
              amount_cents: row.amount ?? cents(0),
              prepaid_minutes: row.kind === 'hours' ? row.minutes : null,
              method: null,
              first_name: null,
            },
          ],
    ),
    pairs: 0,
    closings: [],
  }
}

const signed = ({ label, amount }: { label: string; amount: number }) =>
  label.startsWith('Paid ahead') ? -amount : amount

/** The amounts in "$100.00 carried over + $345.01 in November − $50.00 paid", added up. */
function addedUp(words: string): number {
  const terms = words.split(/ (?=[+−] )/).map((term) => ({
    sign: term.startsWith('−') ? -1 : 1,
    amount: Number(/[\d,]+\.\d\d/.exec(term)?.[0].replaceAll(',', '') ?? 0),
  }))
  return terms.reduce((sum, { sign, amount }) => sum + sign * Math.round(amount * 100), 0)
}

test('5,000 random months: screens, API, PDF, spreadsheet and emailed page say the same figure, to the cent', () => {
  fc.assert(
    fc.property(world, ({ side, today, ...kept }) => {
      const { own } = kept
      const accounts = accountsOf(kept)
      const counted = accounts.filter(
        ({ name, rows }) =>
          !name.is_only_yours &&
          rows.some(
            (row) =>
              row.day <= today && row.currency === name.currency && !(row.kind === 'session' && isOut(row)),
          ),
      )
      const expected = new Map<Currency, number>()
      for (const one of counted)
        expected.set(one.name.currency, (expected.get(one.name.currency) ?? 0) + owedIn(one, today))

      const ledgers = accounts.map(ledgerIn)
      const rule = owedAsOf(ledgers, today, own)
      assert.deepEqual(
        new Map(rule.map(({ currency, total }) => [currency, total.balance as number])),
        expected,
      )
      if (expected.has(own)) assert.equal(rule[0]?.currency, own, 'the own currency comes first')

      const answer = rule.map((one) => Owed.parse(JSON.parse(JSON.stringify(toOwed(one, today)))))
      const paper = owedOnPaper(ledgers, { side, name: 'Sam' }, today, own)
      const { header, rows } = csvOf([], own, paper)
      const lines = readCsv(csvFile(header, rows)).slice(1)
      answer.forEach((one, at) => {
        const owed = expected.get(one.currency) ?? 0
        assert.equal(centsOfDollars(one.total.balance), owed, 'the API')
        const balances = one.accounts.map(({ balance }) => centsOfDollars(balance) as number)
        assert.equal(
          balances.reduce((sum, balance) => sum + balance, 0),
          owed,
          'its accounts',
        )
        const words = howItAddsUp(one.total, one.currency, today)
        if (!words.startsWith('All ')) assert.equal(addedUp(words), owed, `what it unfolds into: ${words}`)
        assert.equal(owed === 0, owedLabel(one.total.balance, side) === 'Nothing owed')

        const printed = paper[at] ?? { label: '', amount: cents(NaN), currency: own }
        assert.equal(printed.currency, one.currency)
        assert.equal(signed(printed), owed, 'the PDF')
        const { cells } = lines[at] ?? { cells: [] }
        assert.ok(isOwedLine(cells[0] ?? ''), `the import skips it: ${cells[0] ?? ''}`)
        const [, inCsv = ''] = (cells[0] ?? '').split(': ')
        const amount = Math.round(Number(inCsv.replaceAll(/[^\d.]/g, '')) * 100)
        assert.equal(signed({ label: cells[0] ?? '', amount }), owed, 'the CSV')
        assert.equal(inCsv, formatMoney(printed.amount, one.currency), 'the CSV')
      })
      assert.equal(lines.length, answer.length)

      for (const one of accounts.filter(({ name }) => name.connection_id !== null)) {
        const owed = owedIn(one, today)
        const emailed = inDollars(figuresAsOf(emailedRows(one), today))
        assert.equal(centsOfDollars(emailed.balance), owed, 'the emailed page')
        const [file] = owedOnPaper([ledgerIn(one)], { side, name: 'Sam' }, today, own)
        assert.equal(file ? signed(file) : 0, owed, "a file with one connection's share")
        if (side === 'parent' && owed > 0) assert.match(file?.label ?? '', /^Owed to Name \d as of/)
        const shown = answer.flatMap((some) => some.accounts).find((some) => some.name === one.name.name)
        assert.equal(
          shown ? formatAmount(shown.balance, shown.currency) : undefined,
          shown && formatAmount(emailed.balance, one.name.currency),
        )
      }
    }),
    { numRuns: 5000 },
  )
})
