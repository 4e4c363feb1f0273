import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { after, before, test } from 'node:test'
import { type Vocabulary, SpeechFailed } from './engine.server.ts'
import { describeTranscriber, openTranscriber } from './transcriber.server.ts'
import { soundOf } from './sounds.server.ts'

const vocabulary: Vocabulary = {
  names: ['Siobhan', 'Zofia Kowalski'],
  subjects: ['Algebra II'],
  rates: [4500],
  words: ['siobhan', 'zofia', 'kowalski', 'algebra'],
  sentences: async () => 'siobhan had an hour of algebra with zofia kowalski',
}
const neverAborted = new AbortController().signal
const tone = soundOf('sine=d=2')

let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
let url: string
const speech = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('latin1')))
})
before(async () => {
  await new Promise<void>((resolve) => speech.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(speech.address() as AddressInfo).port}`
})
after(() => {
  speech.closeAllConnections()
  speech.close()
})

const remote = (more: { timeoutMs?: number; concurrency?: number } = {}) =>
  openTranscriber({
    engine: 'auto',
    url,
    apiKey: 'key-1',
    model: 'whisper-large',
    modelDir: '/nowhere',
    ...more,
  })
const reasonOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'heard',
    (error: unknown) => (error instanceof SpeechFailed ? error.reason : String(error)),
  )

test('the remote engine gets a 16 kHz WAV with the names in its prompt, and its text is the transcript', async () => {
  let seen = { path: '', authorization: '', body: '' }
  answer = (request, response, body) => {
    seen = { path: request.url ?? '', authorization: request.headers.authorization ?? '', body }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ text: ' Siobhan had an hour. ', segments: [] }))
  }
  const transcriber = remote()
  assert.equal(transcriber.engine, 'remote')
  assert.deepEqual(await transcriber.transcribe(tone, vocabulary, neverAborted), {
    text: 'Siobhan had an hour.',
  })
  assert.deepEqual([seen.path, seen.authorization], ['/v1/audio/transcriptions', 'Bearer key-1'])
  for (const part of [
    'Algebra II, Siobhan, Zofia Kowalski',
    'name="model"\r\n\r\nwhisper-large',
    'name="response_format"\r\n\r\njson',
    'filename="recording.wav"',
    'RIFF',
  ])
    assert.ok(seen.body.includes(part), part)
  const wav = Buffer.from(seen.body.slice(seen.body.indexOf('RIFF')), 'latin1')
  assert.deepEqual([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)], [1, 16_000, 16])
})

test('a speech server gets SPEECH_CONCURRENCY recordings at once, as many again wait, and the rest are told to come back later', async () => {
  // More than the number of cores on this machine.
  const concurrency = availableParallelism() + 3
  const held: ServerResponse[] = []
  let isHeld = true
  answer = (_request, response) => {
    if (isHeld) held.push(response)
    else response.end('{"text":"an hour"}')
  }
  const transcriber = remote({ concurrency })
  const all = Array.from({ length: 2 * concurrency + 2 }, () =>
    reasonOf(transcriber.transcribe(tone, vocabulary, neverAborted)),
  )
  for (let tries = 0; held.length < concurrency; tries++) {
    assert.ok(tries < 400, `${held.length} came`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  isHeld = false
  assert.equal(held.length, concurrency)
  for (const response of held) response.end('{"text":"an hour"}')
  const outcomes = await Promise.all(all)
  assert.deepEqual(
    [
      outcomes.filter((one) => one === 'heard').length,
      outcomes.filter((one) => one === 'speech_busy').length,
    ],
    [2 * concurrency, 2],
  )
})

test('F7: a speech server that is broken, garbled, endless or silent is a refusal with its own code, never a hang', async () => {
  const answers: Record<string, typeof answer> = {
    'a 500': (_request, response) => response.writeHead(500).end('{"text":"no"}'),
    garbage: (_request, response) => response.end('<html>'),
    'no text': (_request, response) => response.end('{"text":7}'),
    'too much': (_request, response) => response.end(JSON.stringify({ text: 'x'.repeat(1_000_000) })),
    'a redirect elsewhere': (_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'a broken line': (_request, response) => response.destroy(),
  }
  for (const [what, how] of Object.entries(answers)) {
    answer = how
    assert.equal(await reasonOf(remote().transcribe(tone, vocabulary, neverAborted)), 'speech_failed', what)
  }
  answer = (_request, response) => response.end('{"text":"  "}')
  assert.equal(await reasonOf(remote().transcribe(tone, vocabulary, neverAborted)), 'nothing_heard')
  answer = () => undefined
  assert.equal(
    await reasonOf(remote({ timeoutMs: 1500 }).transcribe(tone, vocabulary, neverAborted)),
    'speech_timeout',
  )
  const gone = new AbortController()
  setTimeout(() => gone.abort(new Error('the caller has gone')), 300)
  assert.match(await reasonOf(remote().transcribe(tone, vocabulary, gone.signal)), /the caller has gone/)
})

test('the engine is chosen once, by the settings and what the machine has', async () => {
  assert.equal(openTranscriber({ engine: 'off', url, modelDir: '/nowhere' }).engine, 'off')
  assert.equal(openTranscriber({ engine: 'auto', modelDir: '/nowhere' }).engine, 'local')
  assert.equal(openTranscriber({ engine: 'local', url, modelDir: '/nowhere' }).engine, 'local')
  assert.equal(
    await reasonOf(
      openTranscriber({ engine: 'off', modelDir: '/nowhere' }).transcribe(tone, vocabulary, neverAborted),
    ),
    'speech_off',
  )
})

test('the operator is told which engine is used, or what is missing', () => {
  assert.match(
    describeTranscriber({ engine: 'auto', modelDir: '/nowhere' }),
    /on this machine with the model in \/.*en-us/,
  )
  assert.match(describeTranscriber({ engine: 'auto', url, modelDir: '/nowhere' }), /sent to http:\/\/127/)
  assert.match(describeTranscriber({ engine: 'off', modelDir: '/nowhere' }), /SPEECH_ENGINE is off/)
})
