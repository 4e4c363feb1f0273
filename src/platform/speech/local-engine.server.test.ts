import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeAudio } from './decoder.server.ts'
import { findLocalTools, LocalEngine } from './local-engine.server.ts'
import { noiseLevel, quieted } from './noise.server.ts'
import { speechOf } from './sounds.server.ts'

const { signal } = new AbortController()
const SAID = 'Maya had an hour of algebra with mister Chen yesterday.'
const digest = (pcm: Buffer): string => createHash('sha256').update(pcm).digest('hex')

test('the recognizer gets noisy recordings with less noise, and clean ones unchanged', async (t) => {
  const tools = findLocalTools('')
  assert.ok(tools)
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-recognizer-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  // A fake recognizer that prints a hash of its audio.
  const recognizer = join(folder, 'recognizer')
  writeFileSync(
    recognizer,
    '#!/bin/sh\nprintf "%s (5 -1)\\n" "$(sha256sum /dev/stdin | cut -c1-64)" > /dev/stdout\n',
    { mode: 0o755 },
  )
  const engine = new LocalEngine({ ...tools, recognizer })
  const digestOfInput = async (pcm: Buffer) =>
    (
      await engine.transcribe(
        pcm,
        {
          names: ['Maya'],
          subjects: [],
          rates: [],
          words: ['maya'],
          sentences: async () => 'maya had an hour',
        },
        signal,
      )
    ).text

  const clean = await decodeAudio(speechOf(SAID, 'wav'), signal)
  assert.equal(await digestOfInput(clean), digest(clean))
  const noisy = await decodeAudio(speechOf(SAID, 'wav', 'aeval=val(0)+0.05*(random(0)-0.5)'), signal)
  assert.equal(await digestOfInput(noisy), digest(await quieted(noisy, noiseLevel(noisy) ?? 0, signal)))
  assert.notEqual(await digestOfInput(noisy), digest(noisy))
})

test('the recognizer also returns alternatives, and whether there was background noise', async () => {
  const tools = findLocalTools('')
  assert.ok(tools)
  const vocabulary = {
    names: ['Maya', 'Chen'],
    subjects: [],
    rates: [],
    words: ['maya', 'chen'],
    sentences: async () =>
      [
        'maya had an hour of algebra with mister chen yesterday',
        'maya had one hour of algebra with miss chen yesterday',
        'maya had two hours of geometry with mister chen on sunday',
      ].join('\n'),
  }
  const engine = new LocalEngine(tools)
  for (const [filter, isNoisy] of [
    ['', false],
    ['aeval=val(0)+0.05*(random(0)-0.5)', true],
  ] as const) {
    const transcription = await engine.transcribe(
      await decodeAudio(speechOf(SAID, 'wav', filter || undefined), signal),
      vocabulary,
      signal,
    )
    assert.equal(transcription.isNoisy, isNoisy)
    assert.equal(transcription.hypotheses?.[0]?.text, transcription.text)
    const probabilities = transcription.hypotheses.map(({ probability }) => probability)
    assert.ok(probabilities.length > 1)
    assert.deepEqual(
      probabilities,
      probabilities.toSorted((one, other) => other - one),
    )
    assert.ok(Math.abs(probabilities.reduce((sum, probability) => sum + probability, 0) - 1) < 1e-9)
  }
})
