// Promise D6: of two changes at the same moment that both saw the same version, one wins and the other is
// told, in every list that has versions.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from './testing.server.ts'
import { aPair, idOf, type Pair, type Row } from './testing/two-sides.server.ts'

let server: TestServer
let pair: Pair
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  pair = await aPair(server)
})
after(() => server.stop())

const ROUNDS = 8
const outcomes = (answers: Answer[]) => answers.map(({ status, body }) => body.code ?? status).sort()

/** Sends two changes with one ETag at the same moment, several times. */
async function race(
  who: Caller,
  path: string,
  changes: (round: number) => [object, object],
  method = 'PATCH',
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const seen = { 'if-match': `"${String((await who.call('GET', path)).body.version)}"` }
    const answers = await Promise.all(changes(round).map((change) => who.call(method, path, change, seen)))
    assert.deepEqual(outcomes(answers), [200, 'changed'], `${path}, round ${round}`)
    const taken = answers.find(({ status }) => status === 200)?.body as Row
    const now = (await who.call('GET', path)).body as Row
    for (const field of ['version', 'notes', 'note']) assert.equal(now[field], taken[field], field)
  }
}
/** Two texts for a field that differ in each round. */
const twoTexts =
  (field: string) =>
  (round: number): [object, object] => [{ [field]: `one ${round}` }, { [field]: `two ${round}` }]

test('D6: two private notes on a session, saved at once, never overwrite each other', async () => {
  const id = await pair.log({ notes: null })
  for (const who of [pair.family, pair.practice]) await race(who, `/api/v1/sessions/${id}`, twoTexts('notes'))
  await race(pair.family, `/api/v1/sessions/${id}`, (round) => [{ notes: '' }, { notes: `two ${round}` }])
  await race(pair.family, `/api/v1/sessions/${id}`, (round) => [
    { notes: `one ${round}` },
    { subject: `Subject ${round}` },
  ])
})

test('D6: the first note on a session or payment is one of the two', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const session = await pair.log({ notes: null, date: `2026-10-${10 + round}` })
    const paid = await pair.family.call('POST', '/api/v1/payments', {
      tutor_id: pair.tutor,
      date: `2026-10-${10 + round}`,
      amount: 5 + round,
    })
    for (const [path, field] of [
      [`/api/v1/sessions/${session}`, 'notes'],
      [`/api/v1/payments/${idOf(paid)}`, 'note'],
    ] as const)
      for (const who of [pair.family, pair.practice]) {
        const { body } = await who.call('GET', path)
        const answers = await Promise.all(
          ['one', 'two'].map((text) =>
            who.call('PATCH', path, { [field]: text }, { 'if-match': `"${String(body.version)}"` }),
          ),
        )
        assert.deepEqual(outcomes(answers), [200, 'changed'], path)
      }
  }
})

test('D6: two notes on a payment, and a note and an answer, never overwrite each other', async () => {
  const paid = await pair.family.call('POST', '/api/v1/payments', {
    tutor_id: pair.tutor,
    date: '2026-11-02',
    amount: 61.5,
  })
  const path = `/api/v1/payments/${idOf(paid)}`
  for (const who of [pair.family, pair.practice]) await race(who, path, twoTexts('note'))
  await race(pair.practice, path, (round) => [{ note: `one ${round}` }, { amount: 70 + round }])
})

test('D6: every other change with If-Match is taken once', async () => {
  const { family, practice, child, tutor } = pair
  await race(family, `/api/v1/students/${child}`, twoTexts('notes'))
  await race(family, `/api/v1/tutors/${tutor}`, twoTexts('notes'))
  const schedule = idOf(
    await family.call('POST', '/api/v1/schedules', {
      student_id: child,
      tutor_id: tutor,
      day_of_week: 2,
      start_time: '16:00',
      duration: 1,
      frequency: 'weekly',
      start_date: '2026-12-01',
    }),
  )
  await race(family, `/api/v1/schedules/${schedule}`, twoTexts('notes'))
  await race(family, '/api/v1/me', twoTexts('full_name'))
  await race(family, '/api/v1/notices', () => [{ daily_digest: false }, { month_ready: false }])
  await race(
    practice,
    '/api/v1/payment-ways',
    (round) => [
      { ways: [{ kind: 'text', text: `one ${round}` }] },
      { ways: [{ kind: 'text', text: `two ${round}` }] },
    ],
    'PUT',
  )
})
