import assert from 'node:assert/strict'
import type { Currency } from '#kernel/money.ts'
import { test } from 'node:test'
import type { AccountName, Balance } from '#features/payments/balance.ts'
import { accountsOf, owedInWords, owedLabel } from './account.ts'

const account = (more: Partial<AccountName>): AccountName => ({
  id: null,
  connection_id: null,
  name: 'Dana Whitfield',
  students: [],
  currency: 'USD' as Currency,
  is_only_yours: false,
  ...more,
})
const owing = (of: AccountName, balance: number) => ({ ...of, balance }) as Balance

test("a student's balance is their own account's or, with siblings, their family's", () => {
  const family = account({ connection_id: 'c1', students: ['Maya', 'Noah'] })
  const own = account({ id: 'maya', name: 'Maya', is_only_yours: true })
  const other = account({ id: 'sam', name: 'Sam' })
  const all = { accounts: [family, own, other], balances: [owing(family, 120), owing(other, 5)], owed: [] }
  const of = (id: string, families: { connection_id: string }[] = []) =>
    accountsOf(all, { id, families }).map(({ name, balance }) => [name, balance])
  const withFamily = [{ connection_id: 'c1' }]
  // Nothing is owed in their own records, so these aren't shown.
  assert.deepEqual(of('maya', withFamily), [['Dana Whitfield', 120]])
  all.balances.push(owing(own, -52))
  assert.deepEqual(of('maya', withFamily), [
    ['Dana Whitfield', 120],
    ['Maya', -52],
  ])
  assert.deepEqual(of('noah', withFamily), [['Dana Whitfield', 120]])
  assert.deepEqual(of('sam'), [['Sam', 5]])
  assert.deepEqual(of('ada'), [])
})

test('an account without sessions owes nothing', () => {
  const tutor = account({ id: 'ingrid', name: 'Ingrid' })
  assert.deepEqual(
    accountsOf({ accounts: [tutor], balances: [], owed: [] }, { id: 'ingrid' }).map(({ balance }) => balance),
    [0],
  )
})

test('a balance says who owes whom, in its currency', () => {
  const own = account({ name: 'Ingrid' })
  assert.equal(owedInWords({ ...own, balance: 445.01 }, 'parent'), 'You owe $445.01')
  assert.equal(
    owedInWords({ ...own, balance: 445.01, currency: 'EUR' as Currency }, 'tutor'),
    'You’re owed €445.01',
  )
  assert.equal(owedInWords({ ...own, balance: -20 }, 'parent'), 'Paid ahead $20.00')
  assert.equal(owedInWords({ ...own, balance: 0 }, 'tutor'), 'Nothing due')
  assert.equal(owedLabel(-1, 'tutor'), 'Paid ahead')
})

test("what's due of a balance, and since when, is that of the same account", () => {
  const [family, own] = [account({ connection_id: 'c1' }), account({ id: 'maya', name: 'Maya' })]
  const due = [{ date: '2026-12-05', amount: 90 }]
  const all = {
    accounts: [own, family],
    balances: [owing(own, 20), owing(family, 90)],
    owed: [{ accounts: [{ ...owing(family, 90), due }] }],
  }
  const of = accountsOf(all, { id: 'maya', families: [{ connection_id: 'c1' }] })
  assert.deepEqual(
    of.map((one) => one.due),
    [[], due],
  )
})
