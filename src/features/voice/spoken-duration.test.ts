import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimMinutes, type SaidAside, type SaidTime } from './spoken-duration.ts'
import { lineOf } from './spoken-line.ts'

function minutesIn(text: string): number[] {
  return claimMinutes<SaidTime | SaidAside>(lineOf(text)).flatMap(({ said }) =>
    said?.slot === 'minutes' ? [said.minutes] : [],
  )
}

test('lengths of time as people say them', () => {
  const cases: [string, number][] = [
    ['an hour', 60],
    ['one hour', 60],
    ['hour and a half', 90],
    ['an hour and a quarter', 75],
    ['one hour and three quarters', 105],
    ['one and a half hours', 90],
    ['two and a quarter hours', 135],
    ['half an hour', 30],
    ['a half hour', 30],
    ['half hour lesson', 30],
    ['three quarters of an hour', 45],
    ['a quarter of an hour', 15],
    ['ninety minutes', 90],
    ['90 min', 90],
    ['1.5 hrs', 90],
    ['1h30m', 90],
    ['an hour thirty', 90],
    ['two hours fifteen', 135],
    ['an hour and twenty minutes', 80],
    ['a couple of hours', 120],
    ['a hundred and twenty minutes', 120],
    ['two back to back hours', 120],
    ['a good hour', 60],
    ['just under two hours', 120],
    ['two forty five minute blocks', 90],
    ['two sessions of thirty minutes each', 60],
    ['an hour and then another half hour', 90],
    ['four and a half hours', 270],
    ['thirty not forty five minutes', 30],
    ['1½ hours', 90],
    ['1/2 hour', 30],
    ['fifty minutes rounded up to an hour', 60],
    ['fifty minutes rounded to the nearest quarter hour', 45],
    ['1 h', 60],
    ['2.25 h', 135],
    ['1 h 30 min', 90],
    ['1:30 h', 90],
    ['90 m', 90],
    ['an hr n a half', 90],
    ['1 1/2 hrs', 90],
    ['1,5 h', 90],
    ['2 x 45 min', 90],
    ['45 min x 2', 90],
    ['two lots of forty minutes', 80],
    ['five minutes short of an hour', 55],
    ['ten minutes over the hour', 70],
    ['a double hour', 120],
    ['45 mintues', 45],
    ["90'", 90],
  ]
  for (const [text, minutes] of cases)
    assert.deepEqual(minutesIn(`maya had ${text} of math`), [minutes], text)
})

test('quarter hours are read back from each way to say them', () => {
  const PARTS = ['', ' and a quarter', ' and a half', ' and three quarters']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (quarters) => {
      const [hours, part] = [Math.floor(quarters / 4), quarters % 4]
      const said = [
        `${quarters * 15} minutes`,
        `${quarters / 4} hours`,
        `${hours} hours and ${part * 15} minutes`,
      ]
      if (hours > 0)
        said.push(`${hours} hours${PARTS[part]}`, `${hours}${PARTS[part]} hours`, `${hours}h${part * 15}m`)
      for (const text of said)
        assert.equal(
          minutesIn(`for ${text}`).reduce((sum, minutes) => sum + minutes, 0),
          quarters * 15,
          text,
        )
    }),
  )
})

test('the time of something else does not count', () => {
  for (const text of [
    'she was ten minutes late',
    'homework takes him two hours a night',
    'he waited twenty minutes',
    'ten minutes early',
    'supposed to be two hours',
    'a five minute break',
  ])
    assert.deepEqual(minutesIn(`an hour of math ${text}`), [60], text)
})

test('what was due is not what was done, and learners say during for', () => {
  assert.deepEqual(minutesIn('was due two hours but did an hour'), [60])
  assert.deepEqual(minutesIn('came for teaching during one hour'), [60])
  assert.deepEqual(minutesIn('snowed during the two hours'), [])
})
