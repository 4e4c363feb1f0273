import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CODE_LETTERS, codeIn, shownCode, type SignedLine, signedText } from './sign-off.ts'

const line = fc.record<SignedLine>({
  session_id: fc.uuid(),
  day: fc.constantFrom('2026-11-01', '2026-11-30'),
  minutes: fc.nat(1440),
  rate_cents: fc.option(fc.nat(10_000)),
  total_cents: fc.option(fc.nat(10_000)),
  logged_at: fc.constant('2026-11-20T10:00:00.000Z'),
  confirmed_at: fc.constant('2026-11-21T10:00:00.000Z'),
  confirmed_entry: fc.stringMatching(/^[0-9a-f]{64}$/),
})
const lines = fc.uniqueArray(line, { selector: ({ session_id: id }) => id, minLength: 1, maxLength: 6 })

test('a code is recognized however it was written down', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.constantFrom(...CODE_LETTERS), { minLength: 10, maxLength: 10 })
        .map((letters) => letters.join('')),
      (code) => {
        for (const written of [
          code,
          shownCode(code),
          shownCode(code).toLowerCase(),
          ` ${code.slice(0, 3)} ${code.slice(3)}`,
          code.replaceAll('0', 'O').replaceAll('1', 'l'),
        ])
          assert.equal(codeIn(written), code)
      },
    ),
  )
  for (const written of [
    ' 4hj7k–qm2xr',
    '4HJ7K‑QM2XR\u200B',
    '4 h j 7 k\u00A0q m 2 x r',
    '４ＨＪ７Ｋ−ＱＭ２ＸＲ',
  ])
    assert.equal(codeIn(written), '4HJ7KQM2XR', written)
  for (const wrong of ['', 'ABC', '12345-6789U', '../../../etc', '12345-678901'])
    assert.equal(codeIn(wrong), undefined)
})

test('the same content gives the same text in any order, and different content gives a different one', () => {
  fc.assert(
    fc.property(lines, fc.nat(), (signed, which) => {
      const text = signedText('2026-11', 't', signed)
      assert.equal(signedText('2026-11', 't', [...signed].reverse()), text)
      const at = which % signed.length
      const other = signed.map((each, index) =>
        index === at ? { ...each, minutes: each.minutes + 15 } : each,
      )
      assert.notEqual(signedText('2026-11', 't', other), text)
      assert.notEqual(signedText('2026-10', 't', signed), text)
      assert.notEqual(signedText('2026-11', 't', signed.slice(1)), text)
    }),
  )
})
