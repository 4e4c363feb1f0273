import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeAudio, loudnessOf } from './decoder.server.ts'
import { noiseLevel, quieted } from './noise.server.ts'
import { speechOf } from './sounds.server.ts'

const { signal } = new AbortController()
const SAID = 'Maya had an hour of algebra with mister Chen yesterday.'
/** Speech over pink noise, with a second of just noise before and after. */
const noisy = (amplitude: number) =>
  decodeAudio(
    speechOf(
      SAID,
      'wav',
      `anoisesrc=color=pink:amplitude=${amplitude}:seed=1:sample_rate=22050[noise];` +
        `[in]adelay=1000,apad=pad_dur=1[voice];[voice][noise]amix=normalize=0:duration=first`,
    ),
    signal,
  )

test('background noise is detected, with its level', async () => {
  assert.equal(noiseLevel(await decodeAudio(speechOf(SAID, 'wav'), signal)), undefined)
  assert.equal(noiseLevel(await noisy(0.0005)), undefined)
  const [level = 0, twice = 0] = [noiseLevel(await noisy(0.05)), noiseLevel(await noisy(0.1))]
  assert.ok(level > -50 && level < -35, String(level))
  assert.ok(Math.abs(twice - level - 6) < 0.5, `twice the amplitude is 6 dB more, and was ${twice - level}`)
})

test('the filter removes noise between the words, and keeps their length and loudness', async () => {
  const pcm = await noisy(0.05)
  const filtered = await quieted(pcm, noiseLevel(pcm) ?? 0, signal)
  assert.equal(filtered.length, pcm.length)
  const [before, after] = [loudnessOf(pcm), loudnessOf(filtered)]
  const pause = (loudness: number[]) => loudness.slice(5, 45).reduce((sum, value) => sum + value ** 2, 0)
  assert.ok(pause(after) < 0.8 * pause(before), `${pause(after)} of ${pause(before)}`)
  assert.ok(Math.max(...after) > 0.9 * Math.max(...before))
})

test('the filter ends when the caller leaves', async () => {
  await assert.rejects(quieted(await noisy(0.05), -40, AbortSignal.abort(new Error('gone'))), /gone/)
})
