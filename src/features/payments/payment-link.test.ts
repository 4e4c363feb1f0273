import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents, currencyOf } from '#kernel/money.ts'
import { filledLink, readLink } from './payment-link.ts'

const due = (amount: number, currency = 'USD') => ({ amount: cents(amount), currency: currencyOf(currency) })

test("each provider's payment link is stored in one form, and includes the amount due if its format allows it", () => {
  const cases: [string, string, string][] = [
    ['paypal.me/AdaTutors', 'https://paypal.me/AdaTutors', 'https://paypal.me/AdaTutors/135.00USD'],
    [
      'https://www.paypal.com/paypalme/AdaTutors/',
      'https://paypal.me/AdaTutors',
      'https://paypal.me/AdaTutors/135.00USD',
    ],
    [
      'https://venmo.com/u/Ada-Tutors',
      'https://venmo.com/Ada-Tutors',
      'https://venmo.com/Ada-Tutors?txn=pay&amount=135.00',
    ],
    [
      'https://account.venmo.com/u/ada_t?x=1',
      'https://venmo.com/ada_t',
      'https://venmo.com/ada_t?txn=pay&amount=135.00',
    ],
    ['https://cash.app/$adatutors', 'https://cash.app/$adatutors', 'https://cash.app/$adatutors/135.00'],
    ['https://revolut.me/ada', 'https://revolut.me/ada', 'https://revolut.me/ada?currency=USD&amount=13500'],
    ['https://wise.com/pay/me/adat12', 'https://wise.com/pay/me/adat12', 'https://wise.com/pay/me/adat12'],
    [
      'https://buy.stripe.com/aBcD1234',
      'https://buy.stripe.com/aBcD1234',
      'https://buy.stripe.com/aBcD1234?__prefilled_amount=13500',
    ],
    [
      'https://donate.stripe.com/aBcD1234#x',
      'https://donate.stripe.com/aBcD1234',
      'https://donate.stripe.com/aBcD1234?__prefilled_amount=13500',
    ],
  ]
  for (const [typed, kept, filled] of cases) {
    const read = readLink(typed)
    assert.equal(read.ok && read.url, kept, typed)
    assert.equal(filledLink(kept, due(13_500))?.href, filled)
    assert.equal(new URL(filled).hostname, new URL(kept).hostname)
  }
})

test("the link has no amount if nothing is due or the provider doesn't take the currency", () => {
  assert.deepEqual(filledLink('https://venmo.com/ada_t', due(13_500, 'EUR'))?.href, 'https://venmo.com/ada_t')
  assert.equal(filledLink('https://cash.app/$ada', due(13_500, 'GBP'))?.isFilled, false)
  assert.equal(filledLink('https://paypal.me/ada', due(0))?.href, 'https://paypal.me/ada')
  // Yen amounts have no decimals.
  assert.equal(filledLink('https://paypal.me/ada', due(90_000, 'JPY'))?.href, 'https://paypal.me/ada/900JPY')
  assert.equal(
    filledLink('https://revolut.me/ada', due(90_000, 'JPY'))?.href,
    'https://revolut.me/ada?currency=JPY&amount=900',
  )
})

test("a link that isn't https, isn't on the list, is a lookalike or doesn't fit the provider's format is refused with a reason", () => {
  const refused: [string, RegExp][] = [
    ['http://paypal.me/ada', /begin with https/],
    ['javascript:alert(1)', /such as https/],
    ['data:text/html,x', /such as https/],
    ['ftp://paypal.me/ada', /begin with https/],
    ['https://paypal.me.evil.com/ada', /paypal\.me\.evil\.com is not on the list/],
    ['https://evil.com/paypal.me/ada', /evil\.com is not on the list/],
    ['https://notpaypal.me/ada', /not on the list/],
    ['https://pаypal.me/ada', /xn--pypal-4ve\.me is not on the list/],
    ['https://xn--pypal-4ve.me/ada', /not on the list/],
    ['https://paypal.me./ada', /not on the list/],
    ['https://paypal.me\\@evil.com/ada', /PayPal payment link such as/],
    ['https://paypal.me@evil.com/ada', /can't have an @/],
    ['https://ada:secret@paypal.me/ada', /can't have an @/],
    ['https://paypal.me:8443/ada', /port/],
    ['https://paypal.me/', /not a PayPal payment link/],
    ['https://paypal.com/login', /not a PayPal payment link/],
    ['https://cash.app/ada', /not a Cash App payment link/],
    ['https://buy.stripe.com/test_aBcD1234', /not a Stripe payment link/],
    ['https://wise.com/login', /not a Wise payment link/],
    ['', /such as/],
    [`https://paypal.me/${'a'.repeat(300)}`, /such as/],
  ]
  for (const [typed, words] of refused) {
    const read = readLink(typed)
    assert.ok(!read.ok, typed)
    assert.match(read.message, words, typed)
    assert.equal(filledLink(typed, due(100)), undefined)
  }
})
