import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewWay } from './own-ways.ts'
import { type PaymentWay, WAY_KINDS } from './payment-way.ts'
import { fieldsOf, LINES, toInput } from './way-form.ts'

const WAYS: PaymentWay[] = [
  { kind: 'link', id: crypto.randomUUID(), url: 'https://cash.app/$ada' },
  {
    kind: 'sepa',
    id: crypto.randomUUID(),
    holder: 'Ada',
    iban: 'GB29NWBK60161331926819',
    bic: 'NWBKGB2L',
    message: null,
  },
  {
    kind: 'swiss',
    id: crypto.randomUUID(),
    currency: 'EUR',
    holder: 'Ada',
    street: null,
    building: null,
    postal_code: '2501',
    town: 'Biel',
    country: 'CH',
    iban: 'CH9300762011623852957',
    reference: null,
    message: 'Lessons',
  },
  { kind: 'upi', id: crypto.randomUUID(), name: 'Asha', address: 'asha@okbank' },
  { kind: 'text', id: crypto.randomUUID(), text: 'Cash' },
]

test("a way to pay of any kind stays the same when it's opened and saved", () => {
  assert.deepEqual(
    WAYS.map(({ kind }) => kind),
    [...WAY_KINDS],
  )
  for (const way of WAYS) {
    const saved = NewWay.safeParse(toInput(fieldsOf(way), way.id))
    assert.deepEqual(saved.data && withoutUnset(saved.data), way)
  }
})

test('lines of another kind, typed before the kind was changed, are not sent', () => {
  const typed = {
    ...fieldsOf(undefined, 'Ada'),
    url: 'https://evil.com',
    text: 'Cash',
    kind: 'text' as const,
  }
  assert.deepEqual(toInput(typed), { kind: 'text', text: 'Cash' })
  for (const kind of WAY_KINDS)
    assert.deepEqual(Object.keys(toInput({ ...typed, kind })).sort(), ['kind', ...LINES[kind]].sort())
})

const withoutUnset = (way: object) =>
  Object.fromEntries(Object.entries(way).filter(([, value]) => value !== undefined))
