import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phrasesOf } from './phrases.ts'

const RATE = 16_000
const lengths = (pieces: Float32Array[]) => pieces.map((piece) => piece.length / RATE)
const loud = (seconds: number) => new Float32Array(seconds * RATE).fill(0.5)

test('a short recording is never cut', () => {
  assert.deepEqual(lengths(phrasesOf(loud(25))), [25])
  assert.deepEqual(lengths(phrasesOf(new Float32Array(0))), [0])
})

test('a long recording is cut at its pauses, and nothing is lost', () => {
  const sound = loud(60)
  for (const pause of [18, 37]) sound.fill(0, pause * RATE, (pause + 0.5) * RATE)
  const pieces = phrasesOf(sound)
  assert.equal(
    pieces.reduce((sum, piece) => sum + piece.length, 0),
    sound.length,
  )
  const [first = 0, second = 0] = lengths(pieces)
  assert.ok(
    first >= 18 && first <= 18.5 && first + second >= 37 && first + second <= 37.5,
    `${first} ${second}`,
  )
})

test('a recording without pauses is cut anyway', () => {
  for (const seconds of lengths(phrasesOf(loud(120)))) assert.ok(seconds <= 25 && seconds > 0)
})
