import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { endsInSilence, type Level, SILENCE_MS } from './silence.ts'

const TICK = 100

/**
 * Levels for a sequence of segments, each with a length in seconds and a loudness. As in real speech, the
 * level dips between syllables.
 */
function levelsOf(...stretches: [seconds: number, level: number][]): Level[] {
  const levels = stretches.flatMap(([seconds, level]) =>
    Array.from({ length: Math.round((seconds * 1000) / TICK) }, (_, index) =>
      level >= 0.5 && index % 5 === 4 ? level - 0.3 : level,
    ),
  )
  return levels.map((level, index) => ({ at: index * TICK, level }))
}

/** The first second at which a recording would end, or undefined if it would never end. */
function endOf(levels: Level[]): number | undefined {
  const index = levels.findIndex((_, at) => endsInSilence(levels.slice(0, at + 1)))
  return index < 0 ? undefined : (levels[index]?.at ?? 0) / 1000
}

test('it ends three seconds after the last word, however quiet or noisy the room is', () => {
  for (const [room, voice] of [
    [0, 0.6],
    [0.15, 0.7],
    [0.4, 0.8],
  ] as const) {
    const end = endOf(levelsOf([1.5, room], [4, voice], [8, room]))
    assert.ok(end !== undefined && end > 8 && end < 8.7, `ended at ${end} in a room of ${room}`)
  }
})

test('words at once, before the room was heard, are speech too', () => {
  const end = endOf(levelsOf([3, 0.7], [8, 0.1]))
  assert.ok(end !== undefined && end > 5.5 && end < 6.2, `ended at ${end}`)
})

test('a microphone that starts with nothing at all learns how loud the room is', () => {
  const end = endOf(levelsOf([0.3, 0], [2, 0.35], [4, 0.8], [8, 0.35]))
  assert.ok(end !== undefined && end > 9 && end < 9.7, `ended at ${end}`)
})

test('pauses between words, and minutes without one, end nothing', () => {
  assert.equal(endOf(levelsOf([1, 0.1], [2, 0.7], [2.5, 0.1], [2, 0.7], [2.5, 0.1], [1, 0.7])), undefined)
  assert.equal(endOf(levelsOf([1, 0.1], [60, 0.7])), undefined)
})

test('a minute of speech without a pause ends in silence as well', () => {
  const end = endOf(levelsOf([60, 0.7], [8, 0.1]))
  assert.ok(end !== undefined && end > 62.5 && end < 63.2, `ended at ${end}`)
})

test('a click, a cough or a quiet room is not speech', () => {
  assert.equal(endOf(levelsOf([2, 0.1], [0.2, 0.9], [10, 0.1])), undefined)
  assert.equal(endOf(levelsOf([20, 0.1])), undefined)
  assert.equal(endOf([]), undefined)
})

test('it never ends before anything was louder than the room, or sooner than after the silence', () => {
  const level = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      level,
      fc.array(fc.double({ min: 0, max: 0.19, noNaN: true }), { maxLength: 300 }),
      (room, noise) => {
        assert.equal(endOf(noise.map((more, index) => ({ at: index * TICK, level: room + more }))), undefined)
      },
    ),
  )
  fc.assert(
    fc.property(fc.array(level, { maxLength: SILENCE_MS / TICK }), (any) => {
      assert.equal(endOf(any.map((one, index) => ({ at: index * TICK, level: one }))), undefined)
    }),
  )
})

test('a tab in the background, which measures once in a second, ends too, and counts no second as spoken for one level', () => {
  const slow = (levels: number[]) => levels.map((level, index) => ({ at: index * 1000, level }))
  assert.equal(endOf(slow([0.1, 0.1, 0.7, 0.1, 0.1, 0.1, 0.1, 0.1])), undefined)
  assert.equal(endOf(slow([0.1, 0.1, 0.7, 0.7, 0.7, 0.1, 0.1, 0.1, 0.1])), 7)
})
