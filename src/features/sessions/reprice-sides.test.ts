// A rate that's corrected for logged sessions, as both sides see it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Caller, TestServer } from '#main/testing.server.ts'
import { startTestServer } from '#main/testing.server.ts'
import { emailJobs } from '#features/emails/jobs.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { closed, connected } from '#main/testing/months.server.ts'
import { actionsOf, read, waitingFor } from '#main/testing/two-sides.server.ts'
import type { Repricing } from './reprice.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-10T12:00:00Z')
})
after(async () => server.stop())

interface Change {
  person: 'tutor' | 'student'
  id: string
  from?: number | null
  to?: number
}
const PATH = '/api/v1/repricing'

const preview = (who: Caller, { person, id, from = 45, to = 48.3 }: Change, since = '2026-11-01') =>
  who.call(
    'GET',
    `${PATH}?person=${person}&person_id=${id}${from === null ? '' : `&old_rate=${from}`}&new_rate=${to}&since=${since}`,
  )
const seen = ({ status, body }: Answer) => {
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as Repricing
}
const bodyOf = ({ person, id, from = 45, to = 48.3 }: Change, sessions: Repricing['sessions']) => ({
  person,
  person_id: id,
  old_rate: from,
  new_rate: to,
  sessions,
})
const apply = (who: Caller, change: Change, sessions: Repricing['sessions'], key = crypto.randomUUID()) =>
  who.call('POST', PATH, bodyOf(change, sessions), { 'idempotency-key': key })
const undo = (
  who: Caller,
  change: Change,
  sessions: unknown,
  more: { rate: number | null; version: number },
) => who.call('POST', `${PATH}/undo`, { ...bodyOf(change, sessions as Repricing['sessions']), ...more })
const setRate = async (who: Caller, tutor: string, rate: number) =>
  Number((await who.call('PATCH', `/api/v1/tutors/${tutor}`, { hourly_rate: rate })).body.version)
const rateOf = async (who: Caller, tutor: string) =>
  (await who.call('GET', `/api/v1/tutors/${tutor}`)).body.hourly_rate

test('a corrected rate changes the open month on both sides, asks again, and leaves the closed month and own rates', async () => {
  const pair = await closed(server)
  const { family, practice, tutor, log, agree } = pair
  const change: Change = { person: 'tutor', id: tutor }
  const agreed = [await agree('2026-12-01'), await agree('2026-12-03', 0.25)]
  const waiting = String((await log('2026-12-08')).body.id)
  const own = String((await log('2026-12-09', 1, { hourly_rate: 60 })).body.id)
  await setRate(family, tutor, 48.3)
  const offer = seen(await preview(family, change))
  assert.deepEqual(
    offer.sessions.map(({ id }) => id),
    [...agreed, waiting],
  )
  assert.deepEqual(
    { ...offer, sessions: 3 },
    {
      sessions: 3,
      first_date: '2026-12-01',
      // 3.30, 12.08 - 11.25 and 3.30.
      differences: [{ currency: 'USD', amount: 7.43 }],
      confirmed_by: [{ name: 'Ingrid Lindqvist', sessions: 2 }],
      left_out: [
        { reason: 'closed', month: '2026-11', sessions: 2 },
        { reason: 'own_rate', month: null, sessions: 1 },
      ],
      is_too_many: false,
    },
  )
  assert.deepEqual(await waitingFor(practice).then((list) => list.length), 2)

  const done = await apply(family, change, offer.sessions)
  assert.equal(done.status, 201, JSON.stringify(done.body))
  const changed = await read(practice, agreed[1] ?? '')
  assert.deepEqual(
    [changed.total_amount, changed.hourly_rate, changed.default_rate, changed.own_confirmation],
    [12.08, null, 48.3, 'none'],
  )
  assert.equal((await read(family, own)).total_amount, 60)
  assert.equal((await read(family, pair.sessions[0] ?? '')).total_amount, 45)
  assert.equal((await waitingFor(practice)).length, 4, 'both agreed sessions are asked about again')
  assert.deepEqual((await actionsOf(family, agreed[0] ?? '')).at(-1), 'you changed')
  const { body } = await family.call('GET', `/api/v1/sessions/${agreed[0]}/history`)
  const entry = (body.entries as Record<string, unknown>[]).at(-1)
  assert.deepEqual([entry?.rate, entry?.total_amount, entry?.changed], [48.3, 48.3, ['rate']])
})

test('sending a correction twice changes the sessions once', async () => {
  const { family, tutor, log } = await connected(server)
  const id = String((await log('2026-12-01')).body.id)
  const change: Change = { person: 'tutor', id: tutor }
  const { sessions } = seen(await preview(family, change))
  const key = crypto.randomUUID()
  const answers = await Promise.all([
    apply(family, change, sessions, key),
    apply(family, change, sessions, key),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  assert.equal(Number((await read(family, id)).version), Number(sessions[0]?.version) + 1)
})

test('if one of the sessions changed in between, none changes', async () => {
  const { family, practice, tutor, log } = await connected(server)
  const [one, two] = [String((await log('2026-12-01')).body.id), String((await log('2026-12-02')).body.id)]
  const change: Change = { person: 'tutor', id: tutor }
  const { sessions } = seen(await preview(family, change))
  await practice.call('POST', `/api/v1/sessions/${two}/confirm`, {})
  const refused = await apply(family, change, sessions)
  assert.deepEqual([refused.status, refused.body.code], [409, 'changed'])
  assert.equal((await read(family, one)).total_amount, 45)
})

test('undo restores the rates of what has not changed since, and of the person, but no confirmations', async () => {
  const { family, practice, tutor, log, agree } = await connected(server)
  const [agreed, edited] = [await agree('2026-12-01'), String((await log('2026-12-02')).body.id)]
  const change: Change = { person: 'tutor', id: tutor }
  const version = await setRate(family, tutor, 48.3)
  const { sessions } = seen(await preview(family, change))
  const { body } = await apply(family, change, sessions)
  await practice.call('PATCH', `/api/v1/sessions/${edited}`, { duration: 2 })
  const undone = await undo(family, change, body.sessions, { rate: 45, version })
  assert.deepEqual([undone.status, undone.body], [201, { restored: 1, changed: 1, is_rate_restored: true }])
  const restored = await read(family, agreed)
  assert.deepEqual(
    [restored.total_amount, restored.own_confirmation, restored.other_confirmation],
    [45, 'confirmed', 'none'],
  )
  assert.equal((await read(family, edited)).effective_rate, 48.3)
  assert.equal(await rateOf(family, tutor), 45)
  const again = await undo(family, change, body.sessions, { rate: 45, version })
  assert.deepEqual(again.body, { restored: 0, changed: 2, is_rate_restored: false })
})

test('a tutor corrects one student’s rate, their own rate, and the rate of sessions that had none', async () => {
  const tutor = await server.aUser('tutor')
  const [row] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const self = String(row?.id)
  const student = async (name: string, rate?: number) =>
    String((await tutor.call('POST', '/api/v1/students', { name, hourly_rate: rate ?? null })).body.id)
  const [maya, theo] = [await student('Maya'), await student('Theo', 45)]
  const log = async (student_id: string, date: string) =>
    String(
      (await tutor.call('POST', '/api/v1/sessions', { student_id, tutor_id: self, date, duration: 1 })).body
        .id,
    )
  const before = await log(maya, '2026-12-01')
  const own: Change = { person: 'tutor', id: self, from: null, to: 45 }
  const offer = seen(await preview(tutor, own))
  assert.deepEqual(offer.differences, [{ currency: 'USD', amount: 45 }])
  assert.equal((await apply(tutor, own, offer.sessions)).status, 201)
  assert.equal((await read(tutor, before)).total_amount, 45)
  const theos = await log(theo, '2026-12-02')
  const mine = seen(await preview(tutor, { person: 'tutor', id: self }))
  assert.deepEqual(
    mine.sessions.map(({ id }) => id),
    [before],
  )
  assert.deepEqual(mine.left_out, [{ reason: 'own_rate', month: null, sessions: 1 }])
  const his = seen(await preview(tutor, { person: 'student', id: theo }))
  assert.deepEqual(
    his.sessions.map(({ id }) => id),
    [theos],
  )
})

test('a corrected rate keeps the currency of what is shared', async () => {
  const { family, practice, tutor, log } = await connected(server)
  await log('2026-12-01')
  const [row] = (await practice.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const own: Change = { person: 'tutor', id: String(row?.id) }
  await practice.call('PATCH', '/api/v1/me', { currency: 'EUR' })
  assert.deepEqual(seen(await preview(practice, own)).differences, [{ currency: 'USD', amount: 3.3 }])
  assert.equal(seen(await preview(family, { person: 'tutor', id: tutor })).sessions.length, 1)
})

test("only members who may edit and see amounts correct rates, only those of their workspace's people", async () => {
  const { family, child, tutor, log } = await connected(server)
  await log('2026-12-01')
  const change: Change = { person: 'tutor', id: tutor }
  const { sessions } = seen(await preview(family, change))
  const members = [
    // A viewer reads everything and changes nothing.
    [200, await aMember(server, family, 'viewer')],
    [403, await aMember(server, family, 'caregiver')],
    [403, await aMember(server, family, 'parent', [child])],
  ] as const
  const stranger = await server.aUser()
  for (const [reads, who] of members)
    assert.deepEqual(
      [(await preview(who, change)).status, (await apply(who, change, sessions)).status],
      [reads, 403],
    )
  for (const more of [change, { person: 'student', id: child } as const])
    assert.deepEqual(
      [(await preview(stranger, more)).status, (await apply(stranger, more, sessions)).status],
      [404, 404],
    )
  const parent = await aMember(server, family, 'parent')
  assert.equal((await preview(parent, change)).status, 200)
  const child404 = await undo(family, { person: 'student', id: child }, sessions, { rate: 50, version: 1 })
  assert.equal(child404.status, 404, 'a child has no rate')
})

test("another person's or workspace's sessions can't get the rate", async () => {
  const [one, other] = [await connected(server), await connected(server)]
  await one.log('2026-12-01')
  const { sessions } = seen(await preview(one.family, { person: 'tutor', id: one.tutor }))
  const refused = await apply(other.family, { person: 'tutor', id: other.tutor }, sessions)
  assert.deepEqual([refused.status, refused.body.code], [409, 'changed'])
  const noor = String(
    (await one.family.call('POST', '/api/v1/tutors', { name: 'Noor', hourly_rate: 45 })).body.id,
  )
  assert.equal((await apply(one.family, { person: 'tutor', id: noor }, sessions)).status, 409)
})

test('however many sessions change, the other side gets one email about them', async () => {
  // The current time, because the database notes with its own clock since when somebody is asked.
  const { now } = server.clock
  server.clock.now = new Date()
  const { family, practice, tutor, agree } = await connected(server)
  for (const date of ['2026-11-03', '2026-11-10', '2026-11-17']) await agree(date)
  const digest = async () => {
    await emailJobs(server.db, () => server.clock.now).daily_digest?.()
    const mails = await server.db.asSystem((tx) =>
      tx
        .selectFrom('outbox')
        .select('id')
        .where('kind', '=', 'waiting_sessions')
        .where('user_id', '=', practice.id)
        .execute(),
    )
    return mails.length
  }
  assert.equal(await digest(), 0)
  const change: Change = { person: 'tutor', id: tutor }
  const { sessions } = seen(await preview(family, change))
  assert.equal((await apply(family, change, sessions)).status, 201)
  assert.deepEqual([sessions.length, await digest()], [3, 1])
  await server.mailTo(practice.email, '3 sessions to confirm')
  server.clock.now = now
})
