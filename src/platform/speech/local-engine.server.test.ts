import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeAudio } from './decoder.server.ts'
import { findLocalTools, localEngine } from './local-engine.server.ts'
import { noiseLevel, quieted } from './noise.server.ts'
import { speechOf } from './sounds.server.ts'

const { signal } = new AbortController()
const SAID = 'Maya had an hour of algebra with mister Chen yesterday.'
const digest = (pcm: Buffer): string => createHash('sha256').update(pcm).digest('hex')

test('the recognizer is given a noisy recording with less noise, and a clean one as it is', async (t) => {
  const tools = findLocalTools('')
  assert.ok(tools)
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-recognizer-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  // A recognizer whose text is the digest of the sound that it was given.
  const recognizer = join(folder, 'recognizer')
  writeFileSync(recognizer, '#!/bin/sh\nprintf "%s (stdin -1)\\n" "$(sha256sum /dev/stdin | cut -c1-64)" > /dev/stdout\n', { mode: 0o755 })
  const engine = localEngine({ ...tools, recognizer })
  const heard = async (pcm: Buffer) => (await engine.transcribe(pcm, { names: ['Maya'], subjects: [], rates: [], words: ['maya'], sentences: () => ['maya had an hour'] }, signal)).text

  const clean = await decodeAudio(speechOf(SAID, 'wav'), signal)
  assert.equal(await heard(clean), digest(clean))
  const noisy = await decodeAudio(speechOf(SAID, 'wav', 'aeval=val(0)+0.05*(random(0)-0.5)'), signal)
  assert.equal(await heard(noisy), digest(await quieted(noisy, noiseLevel(noisy) ?? 0, signal)))
  assert.notEqual(await heard(noisy), digest(noisy))
})
