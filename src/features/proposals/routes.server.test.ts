import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { verifyHistory } from '#features/sessions/jobs.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Pair {
  parent: Caller
  tutor: Caller
  child: string
  tutorRow: string
  link: string
  log: (more?: object) => Promise<string>
}

/** A family and its tutor with an account, linked; the tutor's student Maya is the family's child. */
async function aPair(email: string): Promise<Pair> {
  const parent = await server.aUser()
  const child = String((await parent.call('POST', '/api/v1/students', { name: 'Maya Whitfield' })).body.id)
  const tutorRow = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 45 })).body.id,
  )
  const link = String((await parent.call('POST', `/api/v1/tutors/${tutorRow}/link`, {})).body.id)
  const tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(tutor, email)
  tutor.id = String((await tutor.call('GET', '/api/v1/me')).body.id)
  await tutor.call('PATCH', `/api/v1/families/${link}`, { state: 'active' })
  const student = String(
    (await tutor.call('POST', '/api/v1/students', { name: 'maya W.', notes: 'slow reader' })).body.id,
  )
  const self = ((await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[])[0]?.id
  await tutor.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 45 })
  assert.deepEqual(
    (await tutor.call('PUT', `/api/v1/families/${link}/students`, { student_ids: [student] })).body
      .student_ids,
    [student],
  )
  const log = async (more: object = {}) =>
    String(
      (
        await tutor.call('POST', '/api/v1/sessions', {
          student_id: student,
          tutor_id: self,
          date: '2026-11-20',
          duration: 1.5,
          subject: 'Algebra',
          notes: 'private',
          ...more,
        })
      ).body.id,
    )
  return { parent, tutor, child, tutorRow, link, log }
}

type Listed = {
  id: string
  child_id: string
  duration: number
  same_session: { id: string; is_equal: boolean } | null
}[]
const listed = async (pair: Pair) =>
  (await pair.parent.call('GET', '/api/v1/proposals')).body as unknown as Listed

test('what the tutor logs appears as proposed, and accepted as it is it is verified by both', async () => {
  const pair = await aPair('one@example.com')
  const id = await pair.log()
  const [proposal] = await listed(pair)
  assert.deepEqual(proposal, {
    id,
    version: 1,
    tutor_id: pair.tutorRow,
    tutor_name: 'Ingrid',
    student_first_name: 'maya',
    date: '2026-11-20',
    duration: 1.5,
    rate: 45,
    total_amount: 67.5,
    currency: 'USD',
    subject: 'Algebra',
    child_id: pair.child,
    same_session: null,
  })
  const accepted = await pair.parent.call('POST', `/api/v1/proposals/${id}/accept`, {
    student_id: pair.child,
  })
  assert.deepEqual(
    [accepted.body.verified_by_tutor, accepted.body.total_amount, accepted.body.student_name],
    [true, 67.5, 'Maya Whitfield'],
  )
  assert.equal(
    (await pair.parent.call('POST', `/api/v1/proposals/${id}/accept`, { student_id: pair.child })).body.id,
    accepted.body.id,
    'a second tap makes no second session',
  )
  assert.deepEqual(await listed(pair), [])
  const history = (await pair.parent.call('GET', `/api/v1/sessions/${String(accepted.body.id)}/history`)).body
    .entries as { action: string }[]
  assert.deepEqual(
    history.map((entry) => entry.action),
    ['accepted'],
  )
  await pair.parent.call('PATCH', `/api/v1/sessions/${String(accepted.body.id)}`, { duration: 1 })
  assert.equal(
    (await pair.parent.call('GET', `/api/v1/sessions/${String(accepted.body.id)}`)).body.verified_by_tutor,
    false,
  )
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('corrected, it waits for the tutor; put aside, it comes back only when the tutor changes it', async () => {
  const pair = await aPair('two@example.com')
  const [first, second] = [await pair.log(), await pair.log({ date: '2026-11-19' })]
  const corrected = await pair.parent.call('POST', `/api/v1/proposals/${first}/accept`, {
    student_id: pair.child,
    duration: 1,
  })
  assert.deepEqual([corrected.body.verified_by_tutor, corrected.body.duration], [false, 1])
  assert.equal(
    ((await pair.tutor.call('GET', '/api/v1/confirmations?waiting=true')).body.sessions as object[]).length,
    1,
  )
  assert.equal((await pair.parent.call('POST', `/api/v1/proposals/${second}/decline`, {})).status, 204)
  assert.deepEqual(await listed(pair), [])
  await pair.tutor.call('PATCH', `/api/v1/sessions/${second}`, { duration: 2 })
  assert.deepEqual(
    (await listed(pair)).map(({ duration }) => duration),
    [2],
  )
})

test('the same lesson logged by both is offered as one, and becomes one', async () => {
  const pair = await aPair('three@example.com')
  const own = await pair.parent.call('POST', '/api/v1/sessions', {
    student_id: pair.child,
    tutor_id: pair.tutorRow,
    date: '2026-11-20',
    duration: 1,
    notes: 'ours',
  })
  const id = await pair.log()
  const [proposal] = await listed(pair)
  assert.deepEqual([proposal?.same_session?.id, proposal?.same_session?.is_equal], [own.body.id, false])
  const merged = await pair.parent.call('POST', `/api/v1/proposals/${id}/accept`, {
    student_id: pair.child,
    session_id: own.body.id,
  })
  assert.deepEqual(
    [merged.body.id, merged.body.duration, merged.body.verified_by_tutor, merged.body.notes],
    [own.body.id, 1.5, true, 'ours'],
  )
  assert.equal(((await pair.parent.call('GET', '/api/v1/sessions')).body.sessions as object[]).length, 1)
})

test('T8: no other family is proposed anything, and no family can claim what the tutor did not log', async () => {
  const pair = await aPair('four@example.com')
  const other = await aPair('five@example.com')
  const id = await pair.log()
  assert.deepEqual(await listed(other), [])
  assert.equal(
    (await other.parent.call('POST', `/api/v1/proposals/${id}/accept`, { student_id: other.child })).status,
    404,
  )
  assert.equal(
    (await pair.parent.call('POST', `/api/v1/proposals/${id}/accept`, { student_id: other.child })).status,
    422,
  )
  const claim = (family: Pair, minutes: number, proposed: string) =>
    server.db.asMember(family.parent.member, (tx) =>
      sql<{ verified_by_tutor: boolean }>`
    insert into sessions (workspace_id, student_id, tutor_id, day, minutes, rate_override_cents, proposed_id) values (${family.parent.id}, ${family.child}, ${family.tutorRow}, '2026-11-20', ${minutes}, 4500, ${proposed}) returning verified_by_tutor`.execute(
        tx,
      ),
    )
  assert.equal(
    (await claim(other, 90, id)).rows[0]?.verified_by_tutor,
    false,
    "another family's proposal verifies nothing",
  )
  assert.equal((await claim(pair, 120, id)).rows[0]?.verified_by_tutor, false, 'nor does another duration')
  assert.equal(
    (await pair.tutor.call('PUT', `/api/v1/families/${other.link}/students`, { student_ids: [] })).status,
    404,
  )
  assert.equal(
    (await pair.tutor.call('PUT', `/api/v1/families/${pair.link}/students`, { student_ids: [pair.child] }))
      .body.code,
    'unknown_student',
  )
  await pair.parent.call('DELETE', `/api/v1/links/${pair.link}`, {})
  await pair.log({ date: '2026-11-18' })
  assert.deepEqual(await listed(pair), [], 'nothing after the link ended')
})

test("money of a family that counts in euros is in euros on the tutor's side too, whatever the tutor's own account counts in", async () => {
  const pair = await aPair('euros@example.com')
  await pair.parent.call('PATCH', '/api/v1/me', { currency: 'EUR' })
  await pair.tutor.call('PATCH', '/api/v1/me', { currency: 'GBP' })
  const { body: session } = await pair.parent.call('POST', '/api/v1/sessions', {
    student_id: pair.child,
    tutor_id: pair.tutorRow,
    date: '2026-11-19',
    duration: 1,
  })
  await pair.log()

  const toConfirm = (await pair.tutor.call('GET', '/api/v1/confirmations')).body.sessions
  assert.deepEqual(
    (toConfirm as { currency: string }[]).map(({ currency }) => currency),
    ['EUR'],
  )
  const history = (await pair.tutor.call('GET', `/api/v1/sessions/${session.id}/history`)).body.entries
  assert.deepEqual(
    (history as { currency: string; rate: number }[]).map(({ currency, rate }) => [currency, rate]),
    [['EUR', 45]],
  )
  const proposed = (await pair.parent.call('GET', '/api/v1/proposals')).body
  assert.deepEqual(
    (proposed as unknown as { currency: string }[]).map(({ currency }) => currency),
    ['EUR'],
  )
})

test("D9: a tutor's own log says nothing of verification where no family is linked, waits for a linked one, and is verified once that agrees", async () => {
  const pair = await aPair('ownlog@example.com')
  const { tutor, parent } = pair
  const { body: alone } = await tutor.call('POST', '/api/v1/students', { name: 'Ada' })
  const lonely = await pair.log({ student_id: alone.id })
  const id = await pair.log()
  const standing = async (session: string) => {
    const { body } = await tutor.call('GET', `/api/v1/sessions/${session}`)
    return [body.is_shared, body.verified_by_tutor]
  }
  const amounts = async () => {
    const { body } = await tutor.call('GET', '/api/v1/summary?month=2026-11')
    return [body.verified_amount, body.waiting_amount, body.own_amount]
  }
  assert.deepEqual(
    [await standing(lonely), await standing(id)],
    [
      [false, false],
      [true, false],
    ],
  )
  assert.deepEqual(await amounts(), [0, 67.5, 67.5])
  await parent.call('POST', `/api/v1/proposals/${id}/accept`, { student_id: pair.child })
  assert.deepEqual(
    [await standing(lonely), await standing(id)],
    [
      [false, false],
      [true, true],
    ],
  )
  assert.deepEqual(await amounts(), [67.5, 0, 67.5])

  await tutor.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.deepEqual(await standing(id), [true, false], 'another duration is not what the family agreed to')
  await tutor.call('PATCH', `/api/v1/sessions/${id}`, { duration: 1.5 })
  await parent.call('DELETE', `/api/v1/links/${pair.link}`, {})
  assert.deepEqual(await standing(id), [false, true], 'what was agreed stays agreed')
  const stranger = await server.aUser('tutor')
  const seen = await server.db.asMember(stranger.member, (tx) =>
    sql`select session_id from agreed_sessions() union all select student_id from shared_students()`.execute(
      tx,
    ),
  )
  assert.deepEqual(seen.rows, [], 'T8: another tutor is told nothing')
})

test('a family that clears the rate of a proposal keeps its own rate for the tutor', async () => {
  const pair = await aPair('cleared@example.com')
  const id = await pair.log({ hourly_rate: 60 })
  const { body } = await pair.parent.call('POST', `/api/v1/proposals/${id}/accept`, {
    student_id: pair.child,
    hourly_rate: null,
  })
  assert.deepEqual([body.effective_rate, body.hourly_rate, body.verified_by_tutor], [45, null, false])
})
