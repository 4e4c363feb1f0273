import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { repeated, soundOf, speechOf } from '#platform/speech/sounds.server.ts'
import { currentUser } from '#features/accounts/login.server.ts'
import { buildApp } from '#platform/http/app.server.ts'
import type { Services } from '#features/access/admission.server.ts'
import { openTranscriber } from '#platform/speech/transcriber.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import type { ReaderTask } from './reader.server.ts'
import { addVoiceRoutes } from './routes.server.ts'

let server: TestServer
let family: { parent: Caller; maya: string; ethan: string; chen: string }
before(async () => {
  server = await startTestServer()
  family = await aFamily()
})
after(async () => server.stop())

async function aFamily() {
  const parent = await server.aUser()
  const add = async (path: string, body: object) => String((await parent.call('POST', path, body)).body.id)
  return {
    parent,
    maya: await add('/api/v1/students', { name: 'Maya' }),
    ethan: await add('/api/v1/students', { name: 'Ethan' }),
    chen: await add('/api/v1/tutors', { name: 'David Chen', hourly_rate: 45, subjects: ['Algebra'] }),
  }
}

const send = (person: Caller, recording: Buffer, type = 'audio/webm;codecs=opus'): Promise<Answer> =>
  person.call('POST', '/api/v1/speech?today=2026-06-17', recording, { 'content-type': type })
/** Files that belong to a recording, or that the server has written. */
const leftFiles = (): string[] => [
  ...[tmpdir(), '/dev/shm']
    .filter(existsSync)
    .flatMap((place) => readdirSync(place))
    .filter((name) => name.startsWith('tutorlog-unnamed-')),
  ...readdirSync(server.dataDir),
]
const SENTENCE = 'Maya had an hour of algebra with David Chen yesterday.'

test('typed text becomes a proposal with the own child, tutor, date, time and rate, and nothing is saved', async () => {
  const { status, body } = await family.parent.call('POST', '/api/v1/speech', {
    transcript: 'Maya had an hour and a half of algebra with Mr. Chen yesterday at $50 an hour',
    today: '2026-06-17',
  })
  assert.equal(status, 200)
  assert.deepEqual(
    [
      body.childId,
      body.tutorId,
      body.date,
      body.duration,
      body.hourly_rate,
      body.is_session,
      body.is_future,
      body.sessions_heard,
    ],
    [family.maya, family.chen, '2026-06-16', 1.5, 50, true, false, 1],
  )
  assert.deepEqual((await family.parent.call('GET', '/api/v1/sessions')).body.sessions, [])
})

test('a charge that was said along with a session is proposed, is not taken for its price, and is not saved', async () => {
  const ask = async (transcript: string) =>
    (await family.parent.call('POST', '/api/v1/speech', { transcript, today: '2026-06-17' })).body
  const body = await ask('maya had an hour of algebra with david chen yesterday plus 12,50 euro for the book')
  assert.deepEqual(
    [body.childId, body.tutorId, body.date, body.duration, body.hourly_rate, body.notes],
    [family.maya, family.chen, '2026-06-16', 1, null, null],
  )
  assert.deepEqual(body.charges, [
    { amount: 12.5, unit: '€', reason: 'materials', label: 'book', is_sure: true },
  ])
  assert.deepEqual((await ask('maya had an hour of algebra with david chen yesterday')).charges, [])
  assert.deepEqual((await ask('maya was canceled this morning')).missed, {
    childId: family.maya,
    tutorId: null,
    date: '2026-06-17',
    outcome: null,
  })
  assert.deepEqual(
    (await family.parent.call('GET', '/api/v1/charges?from=2026-06-01&to=2026-06-30')).body,
    [],
  )
})

test('a payment that was said along with a session is proposed, keeps the price, and is not saved', async () => {
  const { body } = await family.parent.call('POST', '/api/v1/speech', {
    transcript: 'maya had an hour of algebra with david chen yesterday and i paid him 30 dollars',
    today: '2026-06-17',
  })
  assert.deepEqual([body.sessions_heard, body.hourly_rate, body.paid], [1, null, 30])
  assert.deepEqual(
    (await family.parent.call('GET', '/api/v1/payments?from=2026-06-01&to=2026-06-30')).body,
    [],
  )
})

test("T10: lists in the request can narrow the caller's own lists, never widen them", async () => {
  const other = await aFamily()
  const ask = async (more: object) =>
    (
      await family.parent.call('POST', '/api/v1/speech', {
        transcript: 'maya had an hour of algebra with david chen yesterday',
        today: '2026-06-17',
        ...more,
      })
    ).body
  const widened = await ask({
    children: [{ id: other.maya, name: 'Maya' }, { id: family.maya }],
    tutors: [other.chen, family.chen],
  })
  assert.deepEqual([widened.childId, widened.tutorId], [family.maya, family.chen])
  const narrowed = await ask({
    children: [{ id: other.maya, name: 'Maya', parent_user_id: family.parent.id }, family.ethan],
    tutors: [{ id: other.chen, name: 'David Chen' }],
  })
  assert.deepEqual([narrowed.childId, narrowed.tutorId], [null, null])
})

test('recordings in every format that browsers produce are transcribed: WebM, Ogg, WAV, MP4 with Opus and with AAC', async () => {
  for (const [format, type] of [
    ['webm', 'audio/webm'],
    ['ogg', 'audio/ogg'],
    ['wav', 'audio/wav'],
    ['mp4-opus', 'audio/mp4'],
    ['aac', 'audio/mp4'],
    ['aac-fragments', 'audio/mp4'],
    ['aac', 'audio/webm'],
  ] as const) {
    const { status, body } = await send(family.parent, speechOf(SENTENCE, format), type)
    assert.equal(status, 200, `${format}: ${JSON.stringify(body)}`)
    assert.match(String(body.transcript), /maya .*hour .*algebra with david chen yesterday/, format)
    assert.deepEqual(
      [body.childId, body.tutorId, body.date, body.duration],
      [family.maya, family.chen, '2026-06-16', 1],
      format,
    )
  }
  const inJson = await family.parent.call('POST', '/api/v1/speech', {
    audio: speechOf(SENTENCE).toString('base64'),
    today: '2026-06-17',
  })
  assert.deepEqual([inJson.status, inJson.body.childId], [200, family.maya])
})

test('P4: a recording that is still being made is read from where the last answer ended, and nothing is kept', async () => {
  const live = (recording: Buffer, known: { from: number; heard: string }) =>
    family.parent.call('POST', '/api/v1/speech', {
      audio: recording.toString('base64'),
      live: known,
      today: '2026-06-17',
    })
  const before = leftFiles()
  const first = speechOf(SENTENCE)
  // Cut off in the middle, as a recording is while someone is speaking.
  const begun = await live(first.subarray(0, Math.round(first.length * 0.6)), { from: 0, heard: '' })
  assert.deepEqual([begun.status, begun.body.childId, begun.body.date], [200, family.maya, '2026-06-17'])
  const sentence = await live(first, { from: 0, heard: '' })
  assert.deepEqual([sentence.body.tutorId, sentence.body.date], [family.chen, '2026-06-16'])
  const from = Number(sentence.body.live_seconds)
  assert.ok(from > Number(begun.body.live_seconds) && from > 3 && from < 8, String(from))
  // Only what follows is transcribed, after what was heard before.
  const whole = speechOf(`${SENTENCE} She struggled with fractions.`)
  const more = await live(whole, { from, heard: 'ethan had two hours of algebra' })
  assert.match(String(more.body.transcript), /^ethan had two hours of algebra (?!.*david chen)/)
  assert.deepEqual([more.body.childId, more.body.duration], [family.ethan, 2])
  const quiet = await live(first, { from, heard: 'ethan had two hours' })
  assert.equal(quiet.body.transcript, 'ethan had two hours')
  assert.deepEqual((await family.parent.call('GET', '/api/v1/sessions')).body.sessions, [])
  assert.deepEqual(leftFiles(), before)
  for (const wrong of [{ from: -1, heard: '' }, { heard: '' }, { from: 0, heard: '', more: 1 }])
    assert.equal((await live(first, wrong as { from: number; heard: string })).status, 422)
})

test('names that are in no dictionary are recognized, because their pronunciation is derived from the spelling', async () => {
  const parent = await server.aUser()
  const student = String((await parent.call('POST', '/api/v1/students', { name: 'Aarav' })).body.id)
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Zofia Okonkwo', hourly_rate: 35 })).body.id,
  )
  const { body } = await send(parent, speechOf('Aarav had two hours of math with Zofia Okonkwo yesterday.'))
  assert.deepEqual([body.childId, body.tutorId, body.duration], [student, tutor, 2], String(body.transcript))
})

test('I6: a file that is not a recording of speech is refused with a code for each reason', async () => {
  const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(4000, 7)])
  const cut = speechOf(SENTENCE).subarray(0, 120)
  const cases: [string, Buffer, number, string][] = [
    ['silence', soundOf('anullsrc=d=3'), 422, 'recording_silent'],
    ['a tenth of a second', soundOf('sine=d=0.1'), 422, 'recording_too_short'],
    ['an hour of silence', repeated(soundOf('anullsrc=d=60:r=48000'), 60), 422, 'recording_too_long'],
    ['two minutes and a second', soundOf('sine=d=121.5'), 422, 'recording_too_long'],
    ['a zip named webm', zip, 422, 'not_audio'],
    ['a recording cut after its header', cut, 422, 'not_audio'],
    ['mp3', soundOf('sine=d=2', 'mp3'), 415, 'unsupported_audio'],
    ['nothing', Buffer.alloc(0), 422, 'not_audio'],
    ['six megabytes', Buffer.alloc(6_000_000), 413, 'recording_too_large'],
    ['ten megabytes', Buffer.alloc(10_000_000), 413, 'too_large'],
  ]
  for (const [what, recording, status, code] of cases) {
    const answer = await send(family.parent, recording)
    assert.deepEqual([answer.status, answer.body.code], [status, code], what)
  }
  assert.equal((await send(family.parent, Buffer.from('hello'), 'text/plain')).status, 415)
  const field = async (body: object) =>
    (await family.parent.call('POST', '/api/v1/speech', body)).body.errors?.[0]?.field
  assert.equal(await field({}), 'audio')
  assert.equal(await field({ audio: 'not base64!' }), 'audio')
  assert.equal(await field({ transcript: 'x'.repeat(4001) }), 'transcript')
  assert.equal(await field({ transcript: 'maya', voice: 1 }), 'voice')
})

test('noise and talk about other things fill in nothing', async () => {
  for (const recording of [
    soundOf('anoisesrc=d=4:c=pink:a=0.3'),
    speechOf('The stock market fell sharply after the announcement, and nobody knows why.'),
  ]) {
    const { status, body } = await send(family.parent, recording)
    if (status === 422) assert.equal(body.code, 'nothing_heard')
    else
      assert.deepEqual(
        [status, body.childId, body.tutorId, body.date, body.duration, body.hourly_rate, body.is_session],
        [200, null, null, null, null, null, false],
        String(body.transcript),
      )
  }
})

test('I6, P4: with twenty recordings at once, some are transcribed, the others are told to come back, and no file is left behind', async () => {
  const before = leftFiles()
  const recording = speechOf(SENTENCE)
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(family.parent, recording)))
  assert.ok(answers.some(({ status }) => status === 429))
  for (const { status, body, headers } of answers) {
    if (status === 200) assert.equal(body.childId, family.maya)
    // On a busy machine, a timeout is also acceptable.
    else
      assert.deepEqual(
        [
          status === 429 ? body.code === 'speech_busy' : body.code === 'speech_timeout',
          Number(headers['retry-after']) > 0,
        ],
        [true, true],
        JSON.stringify(body),
      )
  }
  assert.deepEqual(leftFiles(), before)
})

/** Repeated phrases like these are among the slowest inputs to read. */
const HOSTILE = 'she had with maya '.repeat(300).slice(0, 4000)

test('I19: with 25 hostile texts at once, some are read, the others are told to come back, and the next text is read', async () => {
  const { parent, maya } = await aFamily()
  const read = (transcript: string) =>
    parent.call('POST', '/api/v1/speech', { transcript, today: '2026-06-17' })
  const answers = await Promise.all(Array.from({ length: 25 }, () => read(HOSTILE)))
  for (const { status, body, headers } of answers)
    if (status !== 200)
      assert.deepEqual([status, body.code, Number(headers['retry-after']) > 0], [429, 'speech_busy', true])
  const read200 = answers.filter(({ status }) => status === 200).length
  // At most four requests can run or wait at once. Each takes only milliseconds, so a slot may free up before
  // the last of the 25 arrives.
  assert.ok(read200 >= 1 && read200 < answers.length, String(read200))
  assert.equal((await read('maya had an hour of algebra')).body.childId, maya)
})

test('I19: a text that takes forever to read is refused, while others are answered and after it the next text is read', async () => {
  const services: Services = {
    db: server.db,
    now: () => server.clock.now,
    baseUrl: 'http://localhost:3000',
    sendPage: (reply) => reply,
    served: [],
    currentUser: (request) =>
      currentUser(
        { ...services, trialDays: 45, speechEngine: 'off' } as Parameters<typeof currentUser>[0],
        request,
      ),
    noteRefusal: async () => undefined,
    links: {
      find: async () => 'link_gone',
      isSender: async () => false,
      hold: async () => false,
      accept: async () => undefined,
    },
    callerKey: () => undefined,
    knownUser: () => undefined,
    userBy: async () => undefined,
    mayWrite: async () => true,
    whyNotProven: async () => undefined,
  }
  const app = buildApp({
    baseUrl: services.baseUrl,
    trustedProxies: [],
    logLevel: 'silent',
    refusalOf: () => undefined,
    readiness: { standing: async () => 'ready', noteFailure: () => undefined },
  })
  const url = (name: string): string => new URL(name, import.meta.url).href
  const stubborn = `
    import { serveTasks } from '${url('../../platform/task-process.server.ts')}'
    import { NOTHING_READ } from '${url('reading/read.ts')}'
    import { toVoiceResult } from '${url('voice.ts')}'
    serveTasks(({ transcription }) => {
      if (transcription.text === 'forever') for (;;);
      if (transcription.text === 'crash') process.exit(1)
      return toVoiceResult(transcription.text, NOTHING_READ)
    })`
  const transcriber = openTranscriber({ engine: 'off', modelDir: '/nowhere' })
  const reader = new TaskProcess<ReaderTask>(
    new URL(`data:text/javascript,${encodeURIComponent(stubborn)}`),
    {
      deadlineMs: 200,
      mostWaiting: 2,
      mostWaitingPerAccount: 2,
    },
  )
  addVoiceRoutes(app, services, transcriber, reader)
  const caller = server.aStranger(app)
  for (const [name, value] of (await server.aUser()).cookies) caller.cookies.set(name, value)
  try {
    const read = (transcript: string) => caller.call('POST', '/api/v1/speech', { transcript })
    const answered: string[] = []
    const [cut] = await Promise.all([
      read('forever').finally(() => answered.push('the text')),
      caller.call('GET', '/healthz').finally(() => answered.push('another request')),
    ])
    assert.deepEqual(
      [cut.status, cut.body.code, cut.body.errors?.[0]?.field],
      [422, 'reading_timeout', 'transcript'],
    )
    assert.deepEqual(answered, ['another request', 'the text'])
    assert.equal((await read('hello')).body.transcript, 'hello')
    assert.equal((await read('crash')).body.code, 'reading_failed')
    assert.equal((await read('hello')).body.transcript, 'hello')
  } finally {
    await app.close()
  }
})

test('I19: texts are read in a process of their own, never in the one that answers requests', () => {
  const importsOf = (file: string): string[] =>
    [
      ...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(
        /^(?:import|export) (?!type )[^']*'\.\/([^']+)'/gm,
      ),
    ].map(([, name = '']) => name)
  const reached = new Set<string>()
  const visit = (file: string): void => {
    for (const name of importsOf(file)) if (!reached.has(name)) visit(reached.add(name) && name)
  }
  visit('routes.server.ts')
  assert.ok(reached.has('voice.ts'))
  for (const name of ['transcription.ts', 'reading/read.ts', 'reader.server.ts']) {
    assert.ok(existsSync(new URL(name, import.meta.url)), name)
    assert.ok(!reached.has(name), name)
  }
})

test('the OpenAPI document names the types of a recording and every refusal', async () => {
  const { paths } = (await server.aStranger().call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<
      string,
      { post: { requestBody: { content: object }; responses: Record<string, { description: string }> } }
    >
  }
  const operation = paths['/api/v1/speech']?.post
  assert.deepEqual(Object.keys(operation?.requestBody.content ?? {}), [
    'application/json',
    'audio/webm',
    'audio/mp4',
    'audio/ogg',
    'audio/wav',
  ])
  for (const [status, code] of [
    ['422', 'recording_silent'],
    ['415', 'unsupported_audio'],
    ['429', 'speech_busy'],
    ['503', 'speech_timeout'],
  ] as const)
    assert.ok(operation?.responses[status]?.description.includes(code), code)
})

test('recordings need a login and a role, and the server says which engine it uses', async () => {
  assert.equal((await send(server.aStranger(), Buffer.alloc(10))).status, 401)
  assert.equal((await family.parent.call('GET', '/api/v1/me')).body.speech_engine, 'local')
})

test('with the engine off, recordings are refused and text is still read', async () => {
  const silent = await startTestServer({ SPEECH_ENGINE: 'off' })
  try {
    const parent = await silent.aUser()
    await parent.call('POST', '/api/v1/students', { name: 'Maya' })
    assert.equal((await parent.call('GET', '/api/v1/me')).body.speech_engine, 'off')
    assert.deepEqual(
      [
        (await send(parent, speechOf(SENTENCE))).body.code,
        (await parent.call('POST', '/api/v1/speech', { transcript: 'maya had an hour of math' })).status,
      ],
      ['speech_off', 200],
    )
  } finally {
    await silent.stop()
  }
})
