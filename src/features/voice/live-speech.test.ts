import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Level } from '#platform/speech/silence.ts'
import { momentToListen, NOTHING_HEARD, type Reason, settled } from './live-speech.ts'

/** Levels every 100 ms: quiet at first, then as described, such as [['speech', 2000], ['quiet', 300]]. */
function levelsOf(parts: [kind: 'speech' | 'quiet', milliseconds: number][]): Level[] {
  const levels: Level[] = []
  for (const [kind, milliseconds] of parts)
    for (let end = levels.length + milliseconds / 100; levels.length < end;)
      levels.push({ at: levels.length * 100, level: kind === 'speech' ? 0.7 : 0.1 })
  return levels
}
const moment = (
  parts: Parameters<typeof levelsOf>[0],
  more: { last?: number; requests?: number; busyWith?: Reason } = {},
) => momentToListen({ levels: levelsOf(parts), last: undefined, requests: 0, busyWith: undefined, ...more })

test('a recording is transcribed once it has begun, at each pause, and every few seconds without one', () => {
  assert.equal(moment([['quiet', 1000]]), undefined)
  assert.equal(moment([['quiet', 1500]]), 'start')
  const sentence: Parameters<typeof levelsOf>[0] = [
    ['quiet', 1500],
    ['speech', 2000],
  ]
  assert.equal(moment(sentence, { last: 1400 }), undefined)
  assert.equal(moment([...sentence, ['quiet', 200]], { last: 1400 }), undefined)
  assert.equal(moment([...sentence, ['quiet', 400]], { last: 1400 }), 'pause')
  assert.equal(moment([...sentence, ['speech', 2000]], { last: 1400 }), 'talk')
})

test('a pause is transcribed once, and a click or a cough is not', () => {
  const said: Parameters<typeof levelsOf>[0] = [
    ['quiet', 1500],
    ['speech', 2000],
    ['quiet', 1000],
  ]
  assert.equal(moment(said, { last: 3900 }), undefined)
  assert.equal(moment([...said, ['speech', 100], ['quiet', 400]], { last: 3900 }), undefined)
  assert.equal(moment([...said, ['speech', 700], ['quiet', 400]], { last: 3900 }), 'pause')
})

test('a pause waits only for the answer to an earlier pause, and the number of requests is limited', () => {
  const talk: Parameters<typeof levelsOf>[0] = [
    ['quiet', 1500],
    ['speech', 4000],
  ]
  assert.equal(moment(talk, { last: 1400, busyWith: 'talk' }), undefined)
  assert.equal(moment([...talk, ['quiet', 400]], { last: 1400, busyWith: 'talk' }), 'pause')
  assert.equal(moment([...talk, ['quiet', 400]], { last: 1400, busyWith: 'start' }), 'pause')
  assert.equal(moment([...talk, ['quiet', 400]], { last: 1400, busyWith: 'pause' }), undefined)
  assert.equal(moment([...talk, ['quiet', 400]], { last: 1400, requests: 40 }), undefined)
})

test('after a long stretch, what was said is kept; a short one is transcribed again with what follows', () => {
  const short = settled(NOTHING_HEARD, { transcript: 'maya had an hour', live_seconds: 4 })
  assert.deepEqual(short, NOTHING_HEARD)
  const long = settled(short, { transcript: 'maya had an hour of math', live_seconds: 9 })
  assert.deepEqual(long, { from: 9, heard: 'maya had an hour of math' })
  assert.equal(settled(long, { transcript: 'maya had an hour of math no friday', live_seconds: 12 }), long)
})
