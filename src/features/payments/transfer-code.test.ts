// Decodes the generated QR codes with a library that shares no code with the encoder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsqr from 'jsqr'
import { cents, currencyOf } from '#kernel/money.ts'
import { drawQr, QUIET_ZONE } from '#platform/qr-code.ts'
import { type PaymentWay, shownWay } from './payment-way.ts'
import { isQrReference, NewWay } from './own-ways.ts'

const read = jsqr as unknown as typeof jsqr.default
const due = (amount: number, currency: string) => ({ amount: cents(amount), currency: currencyOf(currency) })

/** Rasterizes an SVG path with `scale` pixels per module, and decodes it. */
function decode({ size, path }: ReturnType<typeof drawQr>, scale = 4): string | undefined {
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let down = 0; down < scale; down++) {
      const from = (Number(y) * scale + down) * width + Number(x) * scale
      for (let at = from; at < from + Number(length) * scale; at++) pixels.fill(0, at * 4, at * 4 + 3)
    }
  return read(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data
}

/** Validates a payment option and returns it as it would be stored. */
function kept(way: object): PaymentWay {
  const parsed = NewWay.safeParse(way)
  assert.ok(parsed.success, JSON.stringify(parsed.error?.issues))
  return { ...parsed.data, id: 'x' } as PaymentWay
}
const codeOf = (way: object, amount: number, currency: string) => {
  const { code } = shownWay(kept(way), due(amount, currency))
  assert.ok(code)
  const decoded = decode(drawQr(code.payload))
  assert.equal(decoded, code.payload)
  return (decoded ?? '').split('\n')
}

const SEPA = { kind: 'sepa', holder: ' Zoë  Müller-Łukasiewicz ', iban: 'de89 3704 0044 0532 0130 00' }
const SWISS = {
  kind: 'swiss',
  currency: 'CHF',
  holder: 'Ada Lovelace',
  street: 'Rue du Lac',
  building: '1268/2/22',
  postal_code: '2501',
  town: 'Biel/Bienne',
  country: 'ch',
  iban: 'CH93 0076 2011 6238 5295 7',
}

test('the European transfer code has the fields of EPC069-12 in order, with the amount due', () => {
  assert.deepEqual(codeOf({ ...SEPA, message: 'Algebra, November' }, 13_505, 'EUR'), [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    'Zoë Müller-Łukasiewicz',
    'DE89370400440532013000',
    'EUR135.05',
    '',
    '',
    'Algebra, November',
  ])
  assert.deepEqual(codeOf({ ...SEPA, bic: 'cobadeffxxx' }, 1, 'EUR').slice(4, 8), [
    'COBADEFFXXX',
    'Zoë Müller-Łukasiewicz',
    'DE89370400440532013000',
    'EUR0.01',
  ])
})

test('the Swiss code has the 31 lines of the Swiss QR bill, for an IBAN and for a QR-IBAN with its reference', () => {
  const lines = codeOf(SWISS, 199_995, 'CHF')
  assert.equal(lines.length, 31)
  assert.deepEqual(lines.slice(0, 11), [
    'SPC',
    '0200',
    '1',
    'CH9300762011623852957',
    'S',
    'Ada Lovelace',
    'Rue du Lac',
    '1268/2/22',
    '2501',
    'Biel/Bienne',
    'CH',
  ])
  assert.deepEqual(lines.slice(11, 18), Array(7).fill(''))
  assert.deepEqual(lines.slice(18, 20), ['1999.95', 'CHF'])
  assert.deepEqual(lines.slice(20, 27), Array(7).fill(''))
  assert.deepEqual(lines.slice(27), ['NON', '', '', 'EPD'])
  const qr = codeOf(
    {
      ...SWISS,
      currency: 'EUR',
      iban: 'CH44 3199 9123 0008 8901 2',
      reference: '21 00000 00003 13947 14300 09017',
      message: 'Leçons de novembre',
    },
    5_000,
    'EUR',
  )
  assert.deepEqual([qr[3], qr[18], qr[19]], ['CH4431999123000889012', '50.00', 'EUR'])
  assert.deepEqual(qr.slice(27), ['QRR', '210000000003139471430009017', 'Leçons de novembre', 'EPD'])
})

test('the UPI code and its link contain payee, name, amount and currency', () => {
  const [address = ''] = codeOf(
    { kind: 'upi', name: 'Asha & Rao', address: 'asha.rao@okbank' },
    250_050,
    'INR',
  )
  assert.match(address, /^upi:\/\/pay\?pa=asha\.rao@okbank&pn=Asha%20%26%20Rao&am=2500\.50&cu=INR$/)
  const { searchParams } = new URL(address)
  assert.deepEqual(Object.fromEntries(searchParams), {
    pa: 'asha.rao@okbank',
    pn: 'Asha & Rao',
    am: '2500.50',
    cu: 'INR',
  })
})

test('an amount in another currency shows no code and says why, and the account can still be copied', () => {
  for (const [way, currency] of [
    [SEPA, 'USD'],
    [SWISS, 'EUR'],
    [{ kind: 'upi', name: 'Asha', address: 'asha@okbank' }, 'USD'],
  ] as const) {
    const shown = shownWay(kept(way), due(13_500, currency))
    assert.equal(shown.code, undefined)
    assert.match(shown.note ?? '', new RegExp(`works for .+ only, and this amount is in ${currency}`))
    assert.ok(shown.lines.length > 1)
  }
})

test('a code keeps its quiet zone of four modules', () => {
  const { size, path } = drawQr('quiet')
  const places = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((match) => match.slice(1).map(Number))
  const [left, top] = [Math.min(...places.map(([x = 0]) => x)), Math.min(...places.map(([, y = 0]) => y))]
  const right = Math.max(...places.map(([x = 0, , length = 0]) => x + length))
  assert.deepEqual([left, top, size - right], [QUIET_ZONE, QUIET_ZONE, QUIET_ZONE])
})

test('the longest European transfer still fits the symbol that banks read', () => {
  const way = { ...SEPA, iban: 'MT84MALT011000012345MTLCAST001S', bic: 'MALTMTMTXXX' }
  const wide = { ...way, holder: 'Ł'.repeat(70), message: 'x'.repeat(100) }
  const { size } = drawQr(shownWay(kept(wide), due(99_999_999_999, 'EUR')).code?.payload ?? '')
  assert.ok(size - 2 * QUIET_ZONE <= 69, 'version 13')
  const tooLong = NewWay.safeParse({ ...wide, message: 'Ł'.repeat(140) })
  assert.deepEqual(
    tooLong.error?.issues.map(({ path, message }) => [path[0], message]),
    [['message', 'This is too long for the QR code']],
  )
})

const wrongLine = (way: object) => {
  const { error } = NewWay.safeParse(way)
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test("wrong check digits, a wrong currency or a line that doesn't fit the code are refused at their line", () => {
  const cases: [object, string][] = [
    [
      { ...SEPA, iban: 'DE89 3704 0044 0532 0130 01' },
      "iban: This IBAN isn't valid. Please check its digits.",
    ],
    [{ ...SEPA, iban: 'DE89' }, "iban: This IBAN isn't valid. Please check its digits."],
    [{ ...SEPA, iban: '' }, 'iban: Enter the IBAN'],
    [
      { ...SEPA, iban: 'TR330006100519786457841326' },
      'iban: The European transfer QR code works only for banks in the SEPA area',
    ],
    [{ ...SEPA, iban: 'GB29NWBK60161331926819' }, 'bic: Banks in this country also need the BIC'],
    [{ ...SEPA, bic: 'NOPE' }, 'bic: Enter a BIC of 8 or 11 characters such as NDEASESS'],
    [{ ...SEPA, currency: 'USD' }, 'currency: The European transfer QR code works for euros only'],
    [{ ...SEPA, holder: '\n ' }, 'holder: Enter the account holder'],
    [{ ...SWISS, currency: 'USD' }, 'currency: The Swiss QR code works for Swiss francs and euros only'],
    [
      { ...SWISS, iban: 'DE89370400440532013000' },
      'iban: The Swiss QR code needs an IBAN that begins with CH or LI',
    ],
    [{ ...SWISS, iban: 'CH4431999123000889012' }, 'reference: A QR-IBAN needs a 27-digit QR reference'],
    [
      { ...SWISS, reference: '210000000003139471430009017' },
      'reference: Only a QR-IBAN has a QR reference. Leave this empty.',
    ],
    [
      { ...SWISS, reference: '210000000003139471430009018' },
      "reference: This QR reference isn't valid. Please check its 27 digits.",
    ],
    [{ ...SWISS, town: '東京' }, 'town: Swiss banks accept only Latin letters'],
    [{ kind: 'upi', name: 'Asha', address: 'asha' }, 'address: Enter a UPI ID such as name@bank'],
    [{ kind: 'text', text: 'x'.repeat(301) }, 'text: Use at most 300 characters'],
    [
      { kind: 'link', url: 'https://paypal.me.evil.com/ada' },
      'url: paypal.me.evil.com is not on the list. Use a link from PayPal, Venmo, Cash App, Revolut, Wise or Stripe.',
    ],
  ]
  for (const [way, line] of cases) assert.deepEqual(wrongLine(way), [line])
  assert.match(wrongLine({ kind: 'cash' })?.join() ?? '', /Choose how you want to be paid/)
})

test("a line break in a name can't start another field of a code", () => {
  const lines = codeOf({ ...SEPA, holder: 'Ada\nDE00\r\nEUR9' }, 100, 'EUR')
  assert.deepEqual(lines.slice(5, 8), ['Ada DE00 EUR9', 'DE89370400440532013000', 'EUR1.00'])
})

test('the check digit of a QR reference is modulo 10, recursive', () => {
  assert.ok(isQrReference('210000000003139471430009017'))
  assert.ok(isQrReference('0'.repeat(27)))
  for (const wrong of ['210000000003139471430009016', '210000000003139471430090017', '1', 'x'.repeat(27)])
    assert.ok(!isQrReference(wrong), wrong)
})

test('an IBAN copied along with characters that nobody can see is read', () => {
  const copied = '\u200bDE89\u00a03704\u20600044 0532\u00ad0130 00\u200e'
  assert.deepEqual(NewWay.parse({ ...SEPA, iban: copied }), NewWay.parse(SEPA))
})
