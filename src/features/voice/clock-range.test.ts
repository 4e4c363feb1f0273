import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimRanges } from './clock-range.ts'
import type { SaidTime } from './spoken-duration.ts'
import { lineOf } from './spoken-line.ts'

function minutesIn(text: string): number[] {
  return claimRanges<SaidTime>(lineOf(text)).flatMap(({ said }) => (said ? [said.minutes] : []))
}

test('from one time of day to another', () => {
  const cases: [string, number][] = [
    ['from four to five thirty', 90],
    ['from 4 to 5:30', 90],
    ['4-5:30pm', 90],
    ['between two and three thirty', 90],
    ['from half past three to five', 90],
    ['a quarter to four until five', 75],
    ['from eleven to one', 120],
    ['from noon to one thirty', 90],
    ['9am to 10:15am', 75],
    ['from 11:30 am to 1 pm', 90],
    ['came at four and stayed until five fifteen', 75],
    ['started at three and ended at half past four', 90],
    ['arrived at 4 and left at 5', 60],
    ['from twenty past three until four', 40],
    ['0800-0930', 90],
    ['1630 to 1715', 45],
    ['4.15 till 5.45', 90],
    ['5-6.30', 90],
    ['10-11.30', 90],
    ['16h30-17h45', 75],
    ['from four to five no five thirty', 90],
    ['4p-5:30p', 90],
    ['3:30 -> 4:45', 75],
    ['3:30~4:45', 75],
    ['from fourish to five', 60],
    ['kicked off at four and wrapped up at five', 60],
  ]
  for (const [text, minutes] of cases)
    assert.deepEqual(minutesIn(`mister chen ${text} with maya`), [minutes], text)
})

test('a range begins at the hour at which lessons are given', () => {
  const cases: [string, string][] = [
    ['from 4 to 5:30', '16:00'],
    ['from half past three to five', '15:30'],
    ['9am to 10:15am', '09:00'],
    ['10-11am', '10:00'],
    ['from eleven to one', '11:00'],
    ['from 9 to 10:30', '09:00'],
    ['from noon to one thirty', '12:00'],
    ['4-5:30pm', '16:00'],
    ['1630 to 1715', '16:30'],
    ['0730-0830', '07:30'],
    ['from 7 to 8 am', '07:00'],
    ['came at four and stayed until five fifteen', '16:00'],
  ]
  for (const [text, start] of cases)
    assert.deepEqual(
      claimRanges<SaidTime>(lineOf(`mister chen ${text} with maya`)).flatMap(({ said }) => said?.start ?? []),
      [start],
      text,
    )
})

test('any two times of an afternoon', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 1, max: 12 }), (start, quarters) => {
      const clock = (quarter: number): string =>
        `${Math.floor(quarter / 4)}:${String((quarter % 4) * 15).padStart(2, '0')}`
      fc.pre(start + quarters <= 48)
      assert.deepEqual(minutesIn(`from ${clock(start)} to ${clock(start + quarters)}`), [quarters * 15])
    }),
  )
})

test('two plain numbers are times where they stand alone', () => {
  for (const text of ['11am-noon', 'Maya, Mr Chen, 4-5', 'Maya, 4-5, $45', 'Monday. 4-5.'])
    assert.deepEqual(minutesIn(text), [60], text)
})

test('pages, prices and counts are no times', () => {
  for (const text of [
    'pages four to six',
    'chapters two to three',
    'two to three hours',
    'forty to fifty dollars',
    'from four to six problems',
    'her score went from 1200 to 1315',
    'history 1900-1945',
    'pages 4-5',
    'lost 4-2 to them',
  ])
    assert.deepEqual(minutesIn(text), [], text)
})
