import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Balance } from '#features/payments/balance.ts'
import { accountLines } from './accounts.ts'
import type { Group } from './summary.ts'

const group = (id: string | null, name: string): Group => ({ id, name, sessions: 2, hours: 3, amount: 90 })
const balance = (changes: Partial<Balance>): Balance => ({
  id: null,
  connection_id: null,
  name: '',
  students: [],
  currency: 'USD' as Balance['currency'],
  is_only_yours: false,
  carried_over: 0,
  sessions_amount: 90,
  covered_amount: 0,
  other_amount: 0,
  debts_amount: 0,
  charges_amount: 0,
  paid_amount: 0,
  balance: 90,
  on_its_way_amount: 0,
  hours_left: 0,
  prepaid: 'none',
  ...changes,
})
const lines = (groups: Group[], balances: Balance[]) =>
  accountLines(groups, balances).map((line) => [line.name, Boolean(line.group), line.balance?.name])

test('payments and balances are in their tutor’s line; tutors without sessions this month and your own records follow', () => {
  const ingrid = balance({ id: 'i', connection_id: 'c', name: 'Ingrid' })
  const alone = balance({ id: 'i', name: 'Ingrid', is_only_yours: true })
  const samuel = balance({ id: 's', name: 'Samuel' })
  assert.deepEqual(lines([group('i', 'Ingrid'), group('n', 'Nia')], [alone, samuel, ingrid]), [
    ['Ingrid', true, 'Ingrid'],
    ['Nia', true, undefined],
    ['Samuel', false, 'Samuel'],
    ['Ingrid', false, 'Ingrid'],
  ])
})

test('sessions with deleted tutors and what is due for them are one line', () => {
  const deleted = balance({ name: 'Unknown Tutor' })
  assert.deepEqual(lines([group(null, 'Unknown Tutor')], [deleted]), [
    ['Unknown Tutor', true, 'Unknown Tutor'],
  ])
})

test('a family with several students, and each family of a shared student, has a line of its own', () => {
  const family = balance({ connection_id: 'w', name: 'The Whitfields', students: ['Ella', 'Maya'] })
  const [ana, ben] = [
    balance({ id: 'leo', connection_id: 'a', name: 'Ana' }),
    balance({ id: 'leo', connection_id: 'b', name: 'Ben' }),
  ]
  assert.deepEqual(
    lines([group('ella', 'Ella'), group('maya', 'Maya'), group('leo', 'Leo')], [family, ana, ben]),
    [
      ['Ella', true, undefined],
      ['Maya', true, undefined],
      ['Leo', true, undefined],
      ['The Whitfields', false, 'The Whitfields'],
      ['Ana', false, 'Ana'],
      ['Ben', false, 'Ben'],
    ],
  )
})
