import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claim, lineOf, phrase, textOf } from './spoken-line.ts'

test('spellings, numbers, titles and units become one', () => {
  const cases: [string, string][] = [
    ['Mr. Chen did forty-five mins', 'mister chen did 45 minute'],
    ['1h30m w/ Dr. Patel @ $45/hr', '1 hour 30 minute with doctor patel at $45 per hour'],
    ['4-5:30pm on 6/12', '4 to 5:30 pm on 6/12'],
    ['um the the third, uh, of June', 'the 3th of june'],
    ["Maya's lesson at 4 p.m.", 'maya lesson at 4 pm'],
    ['1½ hours', '1.5 hour'],
    ['fifty fifty an hour', '50 50 an hour'],
    ['Zoë', 'zoe'],
    ['£66 or 40€', '$66 or 40 dollars'],
    ['1 h at 45/h', '1 hour at 45 per h'],
    ['16h30-17h45', '16 hour 30 to 17 hour 45'],
    ['0800-0930, 10-11.30', '0800 to 0930 10 to 11.30'],
    ['13.6.2026', '2026-6-13'],
    ['Maya, Sat, SAT', 'maya saturday sat'],
    ['Sat prep', 'sat prep'],
    ['fourish, 5ish', '4 5'],
  ]
  for (const [said, read] of cases) assert.equal(textOf(lineOf(said)), read, said)
})

test('a number never runs across a comma or the end of a sentence', () => {
  assert.equal(textOf(lineOf('it was twenty, five of us came')), 'it was 20 5 of us came')
})

test('a stroke between blanks parts entries, and one at a number says per', () => {
  assert.equal(textOf(lineOf('Maya / 15 July / $45 / hr')), 'maya 15 july $45 per hour')
  assert.deepEqual(
    lineOf('Maya / 15 July / 1h').map(({ text, breaks }) => [text, breaks]),
    [
      ['maya', '.'],
      ['15', ','],
      ['july', ''],
      ['1', ','],
      ['hour', ''],
    ],
  )
})

test('every word keeps its place in the transcript', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab 1,.$½é-'’:/"), maxLength: 60 }), (text) => {
      let end = 0
      for (const token of lineOf(text)) {
        assert.ok(token.start >= end && token.end > token.start && token.end <= text.length, text)
        end = token.end
      }
    }),
  )
})

test('a claim replaces whole words only, and leaves what has no meaning', () => {
  const line = claim<string>(lineOf('an hour and hours'), phrase('hour'), '@minutes', (_, { from }) =>
    from === 1 ? 'an hour' : undefined,
  )
  assert.equal(textOf(line), 'an @minutes and hour')
})
