import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { verifyHistory } from '#features/agreements/jobs.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Row {
  id: string
  version: number
  [field: string]: unknown
}

const rows = (body: unknown): Row[] =>
  (Array.isArray(body) ? body : (body as { sessions: Row[] }).sessions) as Row[]

/**
 * A family with a child and a tutor, and a practice that uses the tutor's email address and has set its own
 * rate. They aren't connected yet.
 */
async function aPair(student = 'Maya') {
  const [family, practice] = [await server.aUser(), await server.aUser('tutor')]
  const child = (await family.call('POST', '/api/v1/students', { name: `${student} Whitfield` })).body
    .id as string
  const tutor = (
    await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: practice.email, hourly_rate: 45 })
  ).body.id as string
  const self = rows((await practice.call('GET', '/api/v1/tutors')).body)[0]?.id as string
  await practice.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 45 })
  const logByFamily = (date: string, duration = 1, more: object = {}) =>
    family.call('POST', '/api/v1/sessions', { student_id: child, tutor_id: tutor, date, duration, ...more })
  const ask = () => family.call('POST', '/api/v1/connections', { tutor_id: tutor })
  return { family, practice, child, tutor, self, logByFamily, ask }
}

async function connect(pair: Awaited<ReturnType<typeof aPair>>) {
  const { id } = (await pair.ask()).body as Row
  const [asked] = rows((await pair.practice.call('GET', '/api/v1/connections')).body)
  assert.equal(asked?.id, id)
  const accepted = await pair.practice.call('PATCH', `/api/v1/connections/${id}`, { state: 'active' })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  const [student] = rows((await pair.practice.call('GET', '/api/v1/students')).body)
  return { id, student: student?.id as string }
}

const sessionsOf = async (caller: Caller) => rows((await caller.call('GET', '/api/v1/sessions')).body)
const total = async (caller: Caller, month = '2026-11') =>
  (await caller.call('GET', `/api/v1/summary?month=${month}`)).body.total_amount

test('a session one side logs is in both logs, and verified once both have confirmed it', async () => {
  const pair = await aPair()
  const logged = await pair.logByFamily('2026-11-03', 1.5, { notes: 'a secret', subject: 'Algebra' })
  const { student } = await connect(pair)
  const [theirs] = await sessionsOf(pair.practice)
  assert.deepEqual(
    [
      theirs?.id,
      theirs?.student_id,
      theirs?.student_name,
      theirs?.total_amount,
      theirs?.notes,
      theirs?.own_confirmation,
      theirs?.other_confirmation,
    ],
    [logged.body.id, student, 'Maya', 67.5, null, 'none', 'confirmed'],
  )
  assert.deepEqual([await total(pair.family), await total(pair.practice)], [67.5, 67.5])
  const confirmed = await pair.practice.call('POST', `/api/v1/sessions/${logged.body.id}/confirm`, {})
  assert.deepEqual(
    [confirmed.status, confirmed.body.verified_by_tutor],
    [200, true],
    JSON.stringify(confirmed.body),
  )
  const [ours] = await sessionsOf(pair.family)
  assert.deepEqual([ours?.verified_by_tutor, ours?.notes], [true, 'a secret'])

  const own = await pair.practice.call('POST', '/api/v1/sessions', {
    student_id: student,
    tutor_id: pair.self,
    date: '2026-11-05',
    duration: 1,
  })
  assert.equal(own.status, 201, JSON.stringify(own.body))
  const shown = (await sessionsOf(pair.family)).find(({ id }) => id === own.body.id)
  assert.deepEqual(
    [shown?.student_name, shown?.tutor_id, shown?.own_confirmation, shown?.other_confirmation],
    ['Maya Whitfield', pair.tutor, 'none', 'confirmed'],
  )
  const waiting = rows((await pair.family.call('GET', '/api/v1/confirmations?waiting=true')).body)
  assert.deepEqual(
    waiting.map(({ id, other_name }) => [id, other_name]),
    [[own.body.id, 'Ingrid']],
  )
  const all = await pair.family.call('POST', '/api/v1/confirmations', {
    sessions: waiting.map(({ id, version }) => ({ id, version })),
  })
  assert.deepEqual(all.body, { confirmed: [own.body.id], changed: [] })
})

test("a change confirms it for your own side and withdraws the other side's confirmation; notes change nothing the other side sees", async () => {
  const pair = await aPair()
  const { body } = await pair.logByFamily('2026-11-03')
  await connect(pair)
  const seen = (await pair.practice.call('POST', `/api/v1/sessions/${body.id}/confirm`, {})).body as Row
  const noted = await pair.family.call('PATCH', `/api/v1/sessions/${body.id}`, { notes: 'only ours' })
  assert.equal(noted.body.verified_by_tutor, true)
  const after = (await pair.practice.call('GET', `/api/v1/sessions/${body.id}`)).body
  assert.deepEqual(after, seen)
  const changed = (await pair.practice.call('PATCH', `/api/v1/sessions/${body.id}`, { duration: 2 })).body
  assert.deepEqual(
    [changed.verified_by_tutor, changed.own_confirmation, changed.other_confirmation],
    [false, 'confirmed', 'none'],
  )
  const [ours] = await sessionsOf(pair.family)
  assert.deepEqual(
    [ours?.duration, ours?.own_confirmation, ours?.other_confirmation],
    [2, 'none', 'confirmed'],
  )
})

test('an answered dispute is listed again for the side that disputed', async () => {
  const pair = await aPair()
  const { body } = await pair.logByFamily('2026-11-03')
  await connect(pair)
  const path = `/api/v1/sessions/${body.id}`
  const disputed = await pair.practice.call('POST', `${path}/dispute`, { note: 'It was an hour and a half' })
  assert.equal(disputed.body.status, 'disputed')
  assert.deepEqual(rows((await pair.practice.call('GET', '/api/v1/confirmations?waiting=true')).body), [])
  const sentBack = rows((await pair.family.call('GET', '/api/v1/sessions?state=disputed')).body)
  assert.deepEqual(
    sentBack.map(({ id, dispute_note: note }) => [id, note]),
    [[body.id, 'It was an hour and a half']],
  )
  assert.equal(
    (await pair.family.call('POST', `${path}/answer`, { note: 'I looked at the clock' })).status,
    200,
  )
  const again = rows((await pair.practice.call('GET', '/api/v1/confirmations?waiting=true')).body)
  assert.deepEqual(
    again.map(({ id, own_confirmation: own, answer_note: note }) => [id, own, note]),
    [[body.id, 'disputed', 'I looked at the clock']],
  )
  assert.deepEqual(rows((await pair.family.call('GET', '/api/v1/sessions?state=disputed')).body), [])
})

test('a session the other side took part in is deleted with their consent, any other at once', async () => {
  const pair = await aPair()
  const first = (await pair.logByFamily('2026-11-03')).body
  const second = (await pair.logByFamily('2026-11-04')).body
  await connect(pair)
  const tookPart = async (path: string) => (await pair.family.call('GET', path)).body.other_took_part
  assert.equal(await tookPart(`/api/v1/sessions/${first.id}`), false)
  assert.equal((await pair.family.call('DELETE', `/api/v1/sessions/${first.id}`)).status, 204)
  assert.deepEqual(
    (await sessionsOf(pair.practice)).map(({ id }) => id),
    [second.id],
  )
  await pair.practice.call('POST', `/api/v1/sessions/${second.id}/confirm`, {})
  const late = await pair.family.call('DELETE', `/api/v1/sessions/${second.id}`, undefined, {
    'if-match': `"${String(second.version)}"`,
  })
  assert.deepEqual([late.status, late.body.code], [409, 'changed'], 'it answered in the meantime')
  await pair.family.call('PATCH', `/api/v1/sessions/${second.id}`, { duration: 2 })
  await pair.family.call('PATCH', `/api/v1/sessions/${second.id}`, { duration: 1 })
  const [changed] = await sessionsOf(pair.family)
  assert.deepEqual(
    [changed?.other_confirmation, changed?.other_took_part, await tookPart(`/api/v1/sessions/${second.id}`)],
    ['none', true, true],
    'its answer lapsed, but it took part',
  )
  const asked = await pair.family.call('DELETE', `/api/v1/sessions/${second.id}`)
  assert.deepEqual([asked.status, asked.body.code], [202, 'deletion_requested'], JSON.stringify(asked.body))
  const [theirs] = await sessionsOf(pair.practice)
  assert.equal(theirs?.deletion_asked_by, 'other')
  assert.equal(await total(pair.family), 0)
  assert.equal((await pair.practice.call('POST', `/api/v1/sessions/${second.id}/keep`, {})).status, 200)
  assert.equal(await total(pair.family), 45)
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() - 29 * 86_400_000)
  await pair.family.call('DELETE', `/api/v1/sessions/${second.id}`)
  server.clock.now = now
  // After four weeks without an answer, the session is removed only from the requesting side's log.
  assert.equal((await pair.family.call('DELETE', `/api/v1/sessions/${second.id}`)).status, 204)
  assert.deepEqual([(await sessionsOf(pair.family)).length, (await sessionsOf(pair.practice)).length], [0, 1])
  assert.equal(await total(pair.practice), 45)
})

test('after ending, both keep the month, and the copies are independent from then on', async () => {
  const pair = await aPair()
  const { body } = await pair.logByFamily('2026-11-03')
  const { id } = await connect(pair)
  await pair.practice.call('POST', `/api/v1/sessions/${body.id}/confirm`, {})
  assert.equal((await pair.practice.call('DELETE', `/api/v1/connections/${id}`)).status, 204)
  assert.deepEqual([await total(pair.family), await total(pair.practice)], [45, 45])
  const [ours] = await sessionsOf(pair.family)
  const [theirs] = await sessionsOf(pair.practice)
  assert.deepEqual([ours?.id, ours?.is_shared, ours?.verified_by_tutor], [theirs?.id, false, true])
  const histories = await Promise.all(
    [pair.family, pair.practice].map(
      async (side) => (await side.call('GET', `/api/v1/sessions/${body.id}/history`)).body.entries as Row[],
    ),
  )
  assert.deepEqual(
    histories.map((entries) => entries.map(({ action, by }) => `${by} ${action}`)),
    [
      ['you logged', 'other confirmed'],
      ['other logged', 'you confirmed'],
    ],
  )
  await pair.family.call('PATCH', `/api/v1/sessions/${body.id}`, { duration: 3 })
  assert.deepEqual([await total(pair.family), await total(pair.practice)], [135, 45])
  assert.deepEqual((await verifyHistory(server.db)).broken, undefined)
})

test("lessons that both logged before are listed as pairs: if they're the same, one counts; if not, both are shared", async () => {
  const pair = await aPair()
  const student = (await pair.practice.call('POST', '/api/v1/students', { name: 'Maya' })).body.id
  const logByPractice = (date: string, duration: number) =>
    pair.practice.call('POST', '/api/v1/sessions', {
      student_id: student,
      tutor_id: pair.self,
      date,
      duration,
    })
  await pair.logByFamily('2026-11-03', 1)
  await logByPractice('2026-11-03', 1)
  await pair.logByFamily('2026-11-04', 1)
  await logByPractice('2026-11-04', 2)
  await pair.logByFamily('2026-11-05', 1)
  await logByPractice('2026-11-06', 1)
  const { id } = (await pair.ask()).body as Row
  const [asked] = rows((await pair.practice.call('GET', '/api/v1/connections')).body)
  const people = ((asked?.people ?? []) as Row[]).map((person) => ({ id: person.id, student_id: student }))
  const accepted = await pair.practice.call('PATCH', `/api/v1/connections/${id}`, { state: 'active', people })
  assert.equal(accepted.body.pairs, 2, JSON.stringify(accepted.body))
  assert.deepEqual([await total(pair.family), await total(pair.practice)], [180, 225])
  const { pairs } = (await pair.family.call('GET', `/api/v1/connections/${id}/pairs`)).body as {
    pairs: (Row & { yours: Row; theirs: Row })[]
  } & object
  assert.deepEqual(
    pairs.map(({ yours, theirs, is_equal: isEqual }) => [yours.duration, theirs.duration, isEqual]),
    [
      [1, 2, false],
      [1, 1, true],
    ],
  )
  const answered = await pair.practice.call('POST', `/api/v1/connections/${id}/pairs`, {
    same: pairs.map((one) => one.id),
  })
  assert.deepEqual(answered.body, { answered: 2 }, JSON.stringify(answered.body))
  assert.deepEqual([await total(pair.family), await total(pair.practice)], [180, 180])
  const words = (await sessionsOf(pair.practice)).map(
    ({ date, own_confirmation: own, other_confirmation: other }) => [date, own, other],
  )
  assert.deepEqual(words, [
    ['2026-11-06', 'confirmed', 'none'],
    ['2026-11-05', 'none', 'confirmed'],
    ['2026-11-04', 'none', 'confirmed'],
    ['2026-11-03', 'confirmed', 'confirmed'],
  ])
  assert.deepEqual((await verifyHistory(server.db)).broken, undefined)
})

test('when an account is erased, the other side keeps its copies', async () => {
  const pair = await aPair()
  const { body } = await pair.logByFamily('2026-11-03')
  await connect(pair)
  await pair.practice.call('POST', `/api/v1/sessions/${body.id}/confirm`, {})
  assert.equal((await pair.family.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  const [closed] = await sessionsOf(pair.practice)
  assert.equal(closed?.is_read_only, true)
  server.clock.now = new Date(server.clock.now.getTime() + 31 * 86_400_000)
  await server.runTask('purge_accounts')
  server.clock.now = new Date(server.clock.now.getTime() - 31 * 86_400_000)
  const [left] = await sessionsOf(pair.practice)
  assert.deepEqual([left?.id, left?.is_shared, left?.verified_by_tutor], [body.id, false, true])
  assert.deepEqual((await verifyHistory(server.db)).broken, undefined)
})

test('after an account is erased, what was shared with it is not shown to the next tutor the family asks', async () => {
  const pair = await aPair()
  const { body } = await pair.logByFamily('2026-11-03')
  await connect(pair)
  await pair.practice.call('POST', `/api/v1/sessions/${body.id}/confirm`, {})
  await pair.practice.call('DELETE', '/api/v1/me', { current_password: PASSWORD })
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 31 * 86_400_000)
  await server.runTask('purge_accounts')
  server.clock.now = now
  const tutor = { name: 'Samuel', email: 'samuel@example.com', hourly_rate: 45 }
  const { id: tutor_id } = (await pair.family.call('POST', '/api/v1/tutors', tutor)).body
  await pair.family.call('POST', '/api/v1/connections', { tutor_id })
  // The erased tutor's confirmation stays on the session, which is no longer shared with anyone.
  const moved = await pair.family.call('PATCH', `/api/v1/sessions/${body.id}`, { tutor_id })
  assert.deepEqual([moved.status, moved.body.tutor_id, moved.body.is_shared], [200, tutor_id, false])
})
