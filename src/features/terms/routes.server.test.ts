// Terms between two sides, with accounts and by an emailed link.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aPair, byLink, idOf, type Row, rowsOf, tokenOf } from '#main/testing/two-sides.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

const full = { bands: [{ until_hours: 0, percent: 100 }] }
const half = { bands: [{ until_hours: 0, percent: 50 }] }
const FULL = ['Cancel at least 24 hours before.', 'Later or a no-show: the full lesson.']
const HALF = ['Cancel at least 24 hours before.', 'Later or a no-show: half the lesson.']
const propose = (who: Caller, body: object) => who.call('POST', '/api/v1/terms', body)
const say = (who: Caller, id: string, what: string, body: object = {}) =>
  who.call('POST', `/api/v1/terms/${id}/${what}`, body)
const terms = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/terms'))
const read = async (who: Caller, id: string) => (await who.call('GET', `/api/v1/terms/${id}`)).body as Row
/** As if this version had been agreed on an earlier day. */
const since = (id: string, day: string) =>
  superuser.query('update terms set applies_from = $2 where id = $1', [id, day])
const today = async () =>
  (await superuser.query<{ day: string }>("select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day"))
    .rows[0]?.day

test('terms apply for both sides from the day on which the other agrees, and say the same to both', async () => {
  const { family, practice, student, connection } = await aPair(server)
  const id = idOf(await propose(practice, { student_id: student, rules: full }))
  const proposed = await read(family, id)
  assert.partialDeepStrictEqual(proposed, {
    connection_id: connection,
    sentences: FULL,
    rules: { ...full, notice_hours: 24 },
    applies_from: null,
    waits_for_you: true,
    other_name: 'Ingrid',
    own_confirmation: 'none',
  })
  assert.deepEqual(
    rowsOf(await family.call('GET', '/api/v1/terms/waiting')).map((one) => one.id),
    [id],
  )
  assert.equal((await say(family, id, 'confirm')).status, 200)
  for (const who of [family, practice]) {
    const agreed = await read(who, id)
    assert.deepEqual([agreed.applies_from, agreed.sentences], [await today(), FULL])
    assert.deepEqual([agreed.own_confirmation, agreed.other_confirmation], ['confirmed', 'confirmed'])
  }
})

test('a new version is proposed while the old one applies, and replaces it once it is accepted', async () => {
  const { family, practice, student, tutor } = await aPair(server)
  const first = idOf(await propose(practice, { student_id: student, rules: full }))
  await say(family, first, 'confirm')
  await since(first, '2026-03-01')
  const same = await propose(family, { tutor_id: tutor, rules: full })
  assert.deepEqual([same.status, same.body.code], [409, 'same_terms'])
  const second = idOf(await propose(family, { tutor_id: tutor, rules: half }))
  const again = await propose(practice, { student_id: student, rules: { due_day: 3 } })
  assert.deepEqual([again.status, again.body.code], [409, 'terms_waiting'])
  assert.deepEqual(
    [(await read(practice, first)).applies_from, (await read(practice, second)).applies_from],
    ['2026-03-01', null],
  )
  // The proposer may still change it, which asks again.
  const seen = (await read(practice, second)).version
  assert.equal(
    (await family.call('PATCH', `/api/v1/terms/${second}`, { rules: { ...half, due_day: 3 } })).status,
    200,
  )
  const late = await practice.call(
    'POST',
    `/api/v1/terms/${second}/confirm`,
    {},
    { 'if-match': `"${Number(seen)}"` },
  )
  assert.deepEqual([late.status, late.body.code], [409, 'changed'])
  await say(practice, second, 'confirm')
  const changed = await practice.call('PATCH', `/api/v1/terms/${second}`, { rules: full })
  assert.deepEqual([changed.status, changed.body.code], [409, 'terms_stay'])
  assert.deepEqual(
    (await terms(family)).map((one) => [one.id, one.applies_from]),
    [
      [second, await today()],
      [first, '2026-03-01'],
    ],
  )
})

test('other terms can be the answer, and accepting those agrees for both', async () => {
  const { family, practice, student } = await aPair(server)
  const id = idOf(await propose(practice, { student_id: student, rules: full }))
  await say(family, id, 'dispute', { note: 'That is a lot', proposal: { rules: half } })
  const told = await read(practice, id)
  assert.partialDeepStrictEqual(told, {
    dispute_note: 'That is a lot',
    proposal: { by: 'other', is_removal: false, sentences: HALF },
    waits_for_you: true,
    sentences: FULL,
  })
  assert.equal((await say(practice, id, 'accept')).status, 200)
  const agreed = await read(family, id)
  assert.deepEqual([agreed.sentences, agreed.applies_from], [HALF, await today()])
  const { body } = await practice.call('GET', `/api/v1/terms/${id}/history`)
  assert.deepEqual(
    (body.entries as Row[]).map((entry) => [entry.by, entry.action, entry.sentences]),
    [
      ['you', 'logged', FULL],
      ['other', 'disputed', FULL],
      ['you', 'accepted', HALF],
    ],
  )
})

test('agreed terms end with the consent of the other side, and no earlier version comes back', async () => {
  const { family, practice, student } = await aPair(server)
  const first = idOf(await propose(practice, { student_id: student, rules: full }))
  await say(family, first, 'confirm')
  await since(first, '2026-03-01')
  const second = idOf(await propose(practice, { student_id: student, rules: half }))
  await say(family, second, 'confirm')
  assert.equal((await practice.call('DELETE', `/api/v1/terms/${second}`, {})).status, 202)
  assert.equal((await read(family, second)).deletion_asked_by, 'other')
  assert.equal((await family.call('DELETE', `/api/v1/terms/${second}`, {})).status, 204)
  assert.deepEqual(
    (await terms(practice)).map((one) => [one.id, one.ended_on]),
    [[first, await today()]],
  )
})

test('a proposal that nobody answered is withdrawn at once', async () => {
  const { family, practice, student } = await aPair(server)
  const id = idOf(await propose(practice, { student_id: student, rules: full }))
  assert.equal((await practice.call('DELETE', `/api/v1/terms/${id}`, {})).status, 204)
  assert.deepEqual(await terms(family), [])
})

test('without a connection, terms are your own, apply from the day they are saved, and stay when you connect', async () => {
  const { family, tutor, connection } = await aFamily(server)
  const id = idOf(await propose(family, { tutor_id: tutor, rules: full }))
  assert.partialDeepStrictEqual(await read(family, id), {
    is_shared: false,
    tutor_id: tutor,
    applies_from: await today(),
  })
  const answered = await say(family, id, 'dispute', { note: 'No' })
  assert.deepEqual([answered.status, answered.body.code], [409, 'not_shared'])
  const named = await propose(family, { connection_id: connection, rules: full })
  assert.deepEqual([named.status, named.body.code], [422, 'not_connected'])
  await family.call('DELETE', `/api/v1/terms/${id}`, {})
  assert.deepEqual(await terms(family), [])
})

test('when the connection ends, each side keeps a copy, and a proposal that nobody accepted applies for nobody', async () => {
  const { family, practice, student, tutor, connection } = await aPair(server)
  const first = idOf(await propose(practice, { student_id: student, rules: full }))
  await say(family, first, 'confirm')
  const second = idOf(await propose(practice, { student_id: student, rules: half }))
  const ended = await family.call('DELETE', `/api/v1/connections/${connection}`, {})
  assert.ok(ended.status < 300, JSON.stringify(ended.body))
  for (const [who, whose] of [
    [family, { tutor_id: tutor }],
    [practice, { student_id: student }],
  ] as const) {
    const kept = await terms(who)
    assert.deepEqual(
      kept.map((one) => [one.id, one.connection_id, one.applies_from]),
      [
        [second, null, null],
        [first, null, await today()],
      ],
    )
    for (const one of kept) assert.partialDeepStrictEqual(one, whose)
  }
})

test('by an emailed link, terms are read, agreed and declined, but not proposed', async () => {
  const { family, tutor, email } = await aFamily(server)
  const log = { tutor_id: tutor, date: '2026-11-10', duration: 1 }
  const [student] = rowsOf(await family.call('GET', '/api/v1/students'))
  await family.call('POST', '/api/v1/sessions', { ...log, student_id: student?.id })
  const token = await tokenOf(server, email)
  const link = { 'tutorlog-link': token }
  const tutorOf = server.aStranger()
  const opened = await byLink(tutorOf, token, 'open')
  const [session] = opened.body.sessions as Row[]
  // The first answer accepts the connection; then terms can be proposed to it.
  await byLink(tutorOf, token, 'write', { id: session?.id, version: session?.version })
  const id = idOf(await propose(family, { tutor_id: tutor, rules: full }))
  const shown = ((await byLink(tutorOf, token, 'open')).body.terms as Row[])[0]
  assert.partialDeepStrictEqual(shown, { id, sentences: FULL, waits_for_you: true })
  const other = await tutorOf.call('PATCH', `/api/v1/terms/${id}`, { rules: half }, link)
  assert.ok([401, 403, 404].includes(other.status), String(other.status))
  const own = await tutorOf.call('POST', '/api/v1/terms', { rules: half }, link)
  assert.ok([401, 403, 404].includes(own.status), String(own.status))
  assert.equal((await tutorOf.call('DELETE', `/api/v1/terms/${id}`, {}, link)).body.code, 'not_asked')
  assert.equal((await tutorOf.call('POST', `/api/v1/terms/${id}/confirm`, {}, link)).status, 200)
  assert.equal((await read(family, id)).applies_from, await today())
  assert.equal((await family.call('DELETE', `/api/v1/terms/${id}`, {})).status, 202)
  assert.equal((await tutorOf.call('DELETE', `/api/v1/terms/${id}`, {}, link)).status, 204)
  assert.deepEqual(await terms(family), [])
})

test('terms that make no sense, are for strangers or in another currency are refused, and nothing is stored', async () => {
  const { family, tutor } = await aPair(server)
  const refusal = async (body: object) => {
    const { status, body: answer } = await propose(family, body)
    return [status, answer.code]
  }
  const overlapping = {
    notice_hours: 24,
    bands: [
      { until_hours: 24, percent: 50 },
      { until_hours: 0, percent: 100 },
    ],
  }
  assert.deepEqual(await refusal({ tutor_id: tutor, rules: overlapping }), [422, 'invalid'])
  assert.deepEqual(await refusal({ tutor_id: tutor, rules: {} }), [422, 'invalid'])
  assert.deepEqual(await refusal({ tutor_id: tutor, rules: { ...full, surprise: 1 } }), [422, 'invalid'])
  assert.deepEqual(await refusal({ rules: full }), [422, 'no_tutor'])
  assert.deepEqual(await refusal({ tutor_id: crypto.randomUUID(), rules: full }), [422, 'unknown_tutor'])
  assert.deepEqual(await refusal({ tutor_id: tutor, rules: full, currency: 'EUR' }), [422, 'other_currency'])
  assert.deepEqual(await terms(family), [])
})

test('two proposals at the same time are one', async () => {
  const { family, practice, tutor, student } = await aPair(server)
  const both = await Promise.all([
    propose(family, { tutor_id: tutor, rules: full }),
    propose(practice, { student_id: student, rules: half }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  assert.equal((await terms(family)).length, 1)
})
