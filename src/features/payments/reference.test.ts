import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents, currencyOf } from '#kernel/money.ts'
import { shownWay } from './payment-way.ts'
import { REFERENCE, referenceOf, typedReference } from './reference.ts'

test('no two connections or months within two years have the same reference, and none has letters that look alike', () => {
  const seen = new Set<string>()
  for (let connection = 1; connection <= 40_000; connection += connection < 30_000 ? 37 : 1)
    for (let month = 0; month < 24; month++) {
      const year = 2026 + Math.floor((10 + month) / 12)
      const reference = referenceOf(connection, `${year}-${String(((10 + month) % 12) + 1).padStart(2, '0')}`)
      assert.match(reference, REFERENCE)
      assert.doesNotMatch(reference.slice(3), /[01ILOU]/)
      assert.ok(!seen.has(reference), `${reference} twice`)
      seen.add(reference)
    }
})

test('a reference is short, the same for everyone who asks, and looks unlike the next', () => {
  assert.equal(referenceOf(1, '2026-11').length, 'TL-7K3Q'.length)
  assert.equal(referenceOf(1, '2026-11'), referenceOf(1, '2026-11'))
  const [one, next] = [referenceOf(1, '2026-11'), referenceOf(1, '2026-12')]
  assert.ok([...one].filter((letter, at) => letter !== next[at]).length > 2, `${one} ${next}`)
})

const reference = 'TL-7K3Q'
const due = (currency: string) => ({ amount: cents(13_500), currency: currencyOf(currency), reference })
const ACCOUNT = { id: '1', holder: 'Ada Lovelace', iban: 'DE89370400440532013000' }

test('a transfer’s code and its lines carry the reference behind the payee’s own message, or alone if both are too long', () => {
  const sepa = (message: string | null) =>
    shownWay({ ...ACCOUNT, kind: 'sepa', bic: null, message }, due('EUR'))
  const said = ({ code, lines }: ReturnType<typeof sepa>) => [
    code?.payload.split('\n').at(-1),
    lines.find(({ label }) => label === 'Message')?.copy,
  ]
  assert.deepEqual(said(sepa(null)), [reference, reference])
  assert.deepEqual(said(sepa('Lessons')), ['Lessons TL-7K3Q', 'Lessons TL-7K3Q'])
  assert.deepEqual(said(sepa('x'.repeat(133))), [reference, reference])
  assert.deepEqual(said(sepa('€'.repeat(100))), [reference, reference], '331 bytes is the most')
  const swiss = shownWay(
    {
      ...ACCOUNT,
      kind: 'swiss',
      currency: 'CHF',
      street: null,
      building: null,
      postal_code: '8000',
      town: 'Zürich',
      country: 'CH',
      reference: null,
      message: 'Lessons',
    },
    due('CHF'),
  )
  assert.equal(swiss.code?.payload.split('\n').at(-2), 'Lessons TL-7K3Q')
  const upi = shownWay({ id: '1', kind: 'upi', name: 'Ada', address: 'ada@bank' }, due('INR'))
  assert.equal(upi.code?.payload, 'upi://pay?pa=ada@bank&pn=Ada&am=135.00&cu=INR&tn=TL-7K3Q')
})

test('a payment link carries the reference where the provider takes one, and an amount', () => {
  const href = (url: string, currency: string) =>
    shownWay({ id: '1', kind: 'link', url }, due(currency)).link?.href
  assert.equal(
    href('https://venmo.com/ada_t', 'USD'),
    'https://venmo.com/ada_t?txn=pay&amount=135.00&note=TL-7K3Q',
  )
  assert.equal(href('https://venmo.com/ada_t', 'EUR'), 'https://venmo.com/ada_t')
  assert.equal(href('https://paypal.me/ada', 'USD'), 'https://paypal.me/ada/135.00USD')
})

test('a reference is recognized as people type it', () => {
  for (const typed of ['TL-7K3Q', ' tl-7k3q ', 'tl7k3q', '7K3Q', 'TL 7K3Q'])
    assert.equal(typedReference(typed), 'TL-7K3Q', typed)
  for (const typed of ['', 'TL', 'TL-', 'TL-7K', 'TL-7K30', 'Maya Whitfield', 'TL-7K3Q7K3Q'])
    assert.equal(typedReference(typed), undefined, typed)
})
