import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyOf } from '#kernel/money.ts'
import { mainUnits, planAt, priceText, renews, type Subscription } from './plan.ts'
import { trialEnd } from '#features/accounts/trial.ts'

const since = new Date('2026-01-01T10:00:00Z')
const trial = { since, days: 45, rewards: [] }
const at = (text: string) => new Date(text)
const paid = (more: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  status: 'active',
  interval: 'month',
  amount: 600,
  currency: currencyOf('USD'),
  periodEndsAt: at('2026-06-01T00:00:00Z'),
  cancelsAtPeriodEnd: false,
  ...more,
})

test('D11: the trial lasts exactly 45 days, to the millisecond', () => {
  assert.equal(trialEnd(trial).toISOString(), '2026-02-15T10:00:00.000Z')
  const last = planAt(at('2026-02-15T09:59:59.999Z'), trial, [], true)
  assert.deepEqual([last.state, last.can_write, last.trial_days_left], ['trial', true, 1])
  const over = planAt(at('2026-02-15T10:00:00Z'), trial, [], true)
  assert.deepEqual([over.state, over.can_write, over.trial_days_left], ['ended', false, 0])
  assert.equal(
    planAt(at('2026-02-15T10:00:00Z'), { ...trial, rewards: [{ days: 30, at: since }] }, [], true)
      .trial_days_left,
    30,
  )
})

test('days earned when a friend joins after the trial start on that day, and none are lost', () => {
  const rewards = [
    { days: 30, at: at('2026-01-20T00:00:00Z') },
    { days: 30, at: at('2026-08-01T00:00:00Z') },
    { days: 30, at: at('2026-08-02T00:00:00Z') },
  ]
  assert.equal(trialEnd({ ...trial, rewards: rewards.slice(0, 1) }).toISOString(), '2026-03-17T10:00:00.000Z')
  assert.equal(trialEnd({ ...trial, rewards }).toISOString(), '2026-09-30T00:00:00.000Z')
})

test('without payment keys no plan ever ends', () => {
  const plan = planAt(at('2030-01-01T00:00:00Z'), trial, [], false)
  assert.deepEqual([plan.state, plan.can_write], ['unlimited', true])
})

test("a canceled subscription ends with its period; one whose renewal isn't known yet gets another week", () => {
  const canWrite = (now: string, subscription: Subscription) =>
    planAt(at(now), trial, [subscription], true).can_write
  assert.equal(canWrite('2026-05-31T23:59:59Z', paid({ cancelsAtPeriodEnd: true })), true)
  assert.equal(canWrite('2026-06-01T00:00:00Z', paid({ cancelsAtPeriodEnd: true })), false)
  assert.equal(canWrite('2026-06-07T00:00:00Z', paid()), true)
  assert.equal(canWrite('2026-06-08T00:00:00Z', paid()), false)
  for (const status of ['canceled', 'incomplete', 'incomplete_expired', 'unpaid', 'paused', 'something_new'])
    assert.equal(canWrite('2026-05-01T00:00:00Z', paid({ status })), false, status)
  assert.equal(canWrite('2026-05-01T00:00:00Z', paid({ status: 'past_due' })), true)
})

test('a payment can be moved only if one is due: not after a cancellation, and not while the last one is unpaid', () => {
  const now = at('2026-05-01T00:00:00Z')
  assert.deepEqual(
    [
      paid(),
      paid({ status: 'trialing' }),
      paid({ cancelsAtPeriodEnd: true }),
      paid({ status: 'past_due' }),
      paid({ status: 'canceled' }),
    ].map((one) => renews(one, now)),
    [true, true, false, false, false],
  )
})

test('if there are two subscriptions, the one that lasts longer is shown', () => {
  const plan = planAt(
    at('2026-05-01T00:00:00Z'),
    trial,
    [paid(), paid({ id: 'sub_2', interval: 'year', periodEndsAt: at('2027-01-01T00:00:00Z') })],
    true,
  )
  assert.equal(plan.subscription?.interval, 'year')
})

test("prices are shown in the provider's currency", () => {
  assert.equal(
    priceText({ amount: mainUnits(599, currencyOf('USD')), currency: currencyOf('USD'), interval: 'month' }),
    '$5.99 a month',
  )
  assert.equal(
    priceText({ amount: mainUnits(9000, currencyOf('JPY')), currency: currencyOf('JPY'), interval: 'year' }),
    '¥9,000 a year',
  )
})
