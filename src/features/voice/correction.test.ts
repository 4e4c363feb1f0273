// One correction of a session on a card: what it changes, and that it changes nothing else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { corrections } from '../../../scripts/voice-data.ts'
import { correctedFacts, isRight, taskOf, truthOf } from '../../../scripts/voice-lab.ts'
import { FACTS } from './reading/choices.ts'
import { readFix } from './reading/read.ts'
import { loadWeights } from './reading/weights.server.ts'

let server: TestServer
let parent: Caller
let ids: Record<'maya' | 'theo' | 'sarah' | 'ben', string>
before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
  const add = async (path: string, body: object) =>
    String((await parent.call('POST', `/api/v1/${path}`, body)).body.id)
  ids = {
    maya: await add('students', { name: 'Maya' }),
    theo: await add('students', { name: 'Theo' }),
    sarah: await add('tutors', { name: 'Sarah Johnson', hourly_rate: 60 }),
    ben: await add('tutors', { name: 'Ben Carter', hourly_rate: 45 }),
  }
})
after(async () => server.stop())

const card = () => ({
  childId: ids.maya,
  tutorId: ids.ben,
  date: '2026-11-24',
  duration: 1,
  hourly_rate: 50,
  subject: 'algebra',
  start_time: '16:00',
  notes: 'She was tired',
  unsure: ['date'],
  confidence: 'low',
})
const correct = async (transcript: string, correcting: object = card(), who = parent) =>
  who.call('POST', '/api/v1/speech', { transcript, today: '2026-11-25', correcting })

test('a correction changes what it says, and keeps everything else as it stands on the card', async () => {
  for (const [said, changed, now] of [
    ['no, Friday', ['date'], { date: '2026-11-20', unsure: [], confidence: 'medium' }],
    ['with Sarah, not Ben', ['tutorId'], { tutorId: ids.sarah }],
    ['it was two hours', ['duration'], { duration: 2, start_time: null }],
    ['from four to five thirty', ['duration'], { duration: 1.5, start_time: '16:00' }],
    [
      'Theo, for 45 minutes',
      ['childId', 'duration'],
      { childId: ids.theo, duration: 0.75, start_time: null },
    ],
    ['half an hour longer', ['duration'], { duration: 1.5, start_time: null }],
    ['at 55 an hour', ['hourly_rate'], { hourly_rate: 55 }],
    ['that was a payment, not the rate', ['hourly_rate'], { hourly_rate: null }],
    ['it was chemistry', ['subject'], { subject: 'chemistry' }],
  ] as const) {
    const { status, body } = await correct(said)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.changed, changed, said)
    const [session] = body.sessions as Record<string, unknown>[]
    const expected: Record<string, unknown> = { ...card(), ...now }
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual(session?.[field], value, `${said}: ${field}`)
  }
})

test('what changes nothing says so, and somebody who is on no list is suggested instead of the tutor', async () => {
  assert.deepEqual((await correct('thanks, that is right')).body.changed, [])
  const { body } = await correct('with Harriet, not Ben')
  assert.deepEqual([body.tutorId, body.suggested_tutor_name, body.changed], [null, 'Harriet', ['tutorId']])
})

test('corrections are strict: no unknown fields, no impossible values', async () => {
  for (const wrong of [
    { date: '2026-02-30' },
    { duration: 90 },
    { hourly_rate: -1 },
    { price: 3 },
    { notes: 'x'.repeat(5000) },
  ])
    assert.equal((await correct('no, Friday', { ...card(), ...wrong })).status, 422, JSON.stringify(wrong))
})

test("an amount in yen is corrected as it's said", async () => {
  const yen = await server.aUser()
  await yen.call('PATCH', '/api/v1/me', { currency: 'JPY' })
  const add = async (path: string, body: object) =>
    String((await yen.call('POST', `/api/v1/${path}`, body)).body.id)
  const childId = await add('students', { name: 'Aoi' })
  const tutorId = await add('tutors', { name: 'Ken', hourly_rate: 3000 })
  const session = { ...card(), childId, tutorId, hourly_rate: 3000 }
  assert.equal((await correct('3500 yen an hour', session, yen)).body.hourly_rate, 3500)
  assert.equal((await correct('no, Friday', session, yen)).body.hourly_rate, 3000)
})

test('of corrections that were never learned from, 19 in 20 leave all five facts right', () => {
  const weights = loadWeights()
  const all = corrections('corrections/unseen')
  const right = all.filter((labeled) => {
    const former = truthOf(labeled.former)
    const fix = readFix(weights, taskOf({ ...labeled, text: labeled.correction }), former)
    const truth = correctedFacts(labeled)
    return FACTS.every((fact) => isRight(fact, fix[fact] ? fix[fact].value : former[fact], truth[fact]))
  })
  assert.ok(right.length >= 0.95 * all.length, `${right.length} of ${all.length}`)
})
