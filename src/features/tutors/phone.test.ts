import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callLink } from './phone.ts'

test("a phone number is a link that calls it, with its extension; other text isn't a link", () => {
  for (const [typed, link] of [
    ['(415) 555-0134', 'tel:4155550134'],
    ['+1 415.555.0134 ext. 22', 'tel:+14155550134;ext=22'],
    ['555-0134 x7', 'tel:5550134;ext=7'],
    ['call after 5', undefined],
    ['415 555 0134 or 415 555 0135', undefined],
    ['12', undefined],
  ] as const)
    assert.equal(callLink(typed), link, typed)
})
