// Two families share one child. The tutor chooses which family a lesson belongs to, and neither family sees
// the other's lessons.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import {
  aFamily,
  aPair,
  connectionsOf,
  idOf,
  LESSON,
  type Pair,
  read,
  type Row,
  rowsOf,
  sessionsOf,
} from '#main/testing/two-sides.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Shared {
  /** The practice and the first family; the second family has the same student. */
  pair: Pair
  mother: Caller
  father: Caller
  /** The two connections; the father's is newer. */
  withMother: string
  withFather: string
}

async function twoFamilies(): Promise<Shared> {
  const pair = await aPair(server)
  const second = await aFamily(server, pair.email)
  const first = await second.log({ date: '2026-01-06' })
  const asked = (await connectionsOf(pair.practice)).find(({ id }) => id === second.connection)
  const people = (asked?.people as Row[] | undefined)?.map(({ id }) => ({ id, student_id: pair.student }))
  const accepted = await pair.practice.call('PATCH', `/api/v1/connections/${second.connection}`, {
    state: 'active',
    people,
  })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  await second.family.call('DELETE', `/api/v1/sessions/${first}`)
  return {
    pair,
    mother: pair.family,
    father: second.family,
    withMother: pair.connection,
    withFather: second.connection,
  }
}

const daysOf = async (caller: Caller) => (await sessionsOf(caller)).map(({ date }) => date)

test('a tutor whose student two families share chooses which one a lesson is with, and the other never sees it', async () => {
  const { pair, mother, father, withMother, withFather } = await twoFamilies()
  const [student] = rowsOf(await pair.practice.call('GET', '/api/v1/students'))
  assert.deepEqual(
    (student?.families as { connection_id: string }[] | undefined)?.map((family) => family.connection_id),
    [withFather, withMother],
  )
  const hers = await pair.logByPractice({ date: '2026-11-10', connection_id: withMother })
  assert.deepEqual([hers.status, hers.body.connection_id], [201, withMother])
  const his = await pair.logByPractice({ date: '2026-11-11', connection_id: withFather })
  // By default, a lesson goes to the newest connection.
  const newest = await pair.logByPractice({ date: '2026-11-12' })
  assert.deepEqual([his.body.connection_id, newest.body.connection_id], [withFather, withFather])
  assert.deepEqual(
    [await daysOf(mother), await daysOf(father)],
    [['2026-11-10'], ['2026-11-12', '2026-11-11']],
  )
  assert.equal((await father.call('GET', `/api/v1/sessions/${idOf(hers)}`)).status, 404)

  const moved = await pair.practice.call('PATCH', `/api/v1/sessions/${idOf(hers)}`, {
    connection_id: withFather,
  })
  assert.deepEqual([moved.status, moved.body.code], [422, 'other_connection'])
  assert.equal((await read(mother, idOf(hers))).is_shared, true)
})

test('a lesson logged by one of two families is not offered as the same lesson for the other', async () => {
  const { pair, withMother, withFather } = await twoFamilies()
  await pair.log()
  const his = await pair.logByPractice({ connection_id: withFather })
  assert.deepEqual([his.status, his.body.connection_id], [201, withFather])
  const hers = await pair.logByPractice({ connection_id: withMother })
  assert.deepEqual([hers.status, hers.body.code], [409, 'same_lesson'])
  const late = await pair.logByPractice({ connection_id: withMother, is_late: true })
  assert.deepEqual([late.status, late.body.is_held], [201, true])
})

test('a schedule remembers which family its classes are with, and asks again once that connection has ended', async () => {
  const { pair, mother, father, withMother, withFather } = await twoFamilies()
  const schedule = idOf(
    await pair.practice.call('POST', '/api/v1/schedules', {
      student_id: pair.student,
      tutor_id: pair.self,
      day_of_week: 2,
      start_time: '16:00',
      duration: 1,
      frequency: 'weekly',
      start_date: '2026-11-03',
    }),
  )
  const happened = (date: string, more = {}) =>
    pair.practice.call('POST', `/api/v1/schedules/${schedule}/log`, { date, ...more })
  const first = await happened('2026-11-03', { connection_id: withMother })
  assert.deepEqual([first.status, first.body.connection_id], [201, withMother])
  assert.equal((await happened('2026-11-10')).body.connection_id, withMother)
  const form = await pair.logByPractice({
    date: '2026-11-17',
    schedule_id: schedule,
    occurrence_date: '2026-11-17',
  })
  assert.equal(form.body.connection_id, withMother)
  const [next] = rowsOf(await pair.practice.call('GET', '/api/v1/occurrences?from=2026-11-24&to=2026-11-24'))
  assert.equal(next?.connection_id, withMother)
  assert.deepEqual([(await daysOf(mother)).length, await daysOf(father)], [3, []])

  await mother.call('DELETE', `/api/v1/connections/${withMother}`)
  assert.equal((await happened('2026-11-24')).body.connection_id, withFather)
})

test('a family that is not the student’s, or one named by a family, is refused, and nothing is logged', async () => {
  const { pair, father, withMother } = await twoFamilies()
  const stranger = await aPair(server)
  for (const connection_id of [stranger.connection, crypto.randomUUID()]) {
    const refused = await pair.logByPractice({ connection_id })
    assert.deepEqual([refused.status, refused.body.code], [422, 'unknown_connection'])
  }
  const [child] = rowsOf(await father.call('GET', '/api/v1/students'))
  const [tutor] = rowsOf(await father.call('GET', '/api/v1/tutors'))
  assert.deepEqual(child?.families, [])
  const named = await father.call('POST', '/api/v1/sessions', {
    ...LESSON,
    student_id: child?.id,
    tutor_id: tutor?.id,
    connection_id: withMother,
  })
  assert.deepEqual([named.status, named.body.code], [422, 'unknown_connection'])
  assert.deepEqual([await daysOf(pair.practice), await daysOf(father)], [[], []])
})

test("a session that is only in the tutor's log is shared with the family chosen for it", async () => {
  const { pair, mother, withMother } = await twoFamilies()
  const other = idOf(await pair.practice.call('POST', '/api/v1/students', { name: 'Somebody else' }))
  const id = idOf(await pair.logByPractice({ student_id: other }))
  const changed = await pair.practice.call('PATCH', `/api/v1/sessions/${id}`, {
    student_id: pair.student,
    connection_id: withMother,
  })
  assert.deepEqual([changed.status, changed.body.connection_id], [200, withMother])
  assert.equal((await read(mother, id)).own_confirmation, 'none')
})

test('D9: a lesson confirmed by a family that left is no longer verified once another family is chosen, and its history says so', async () => {
  const { pair, father, withMother, withFather } = await twoFamilies()
  const id = idOf(await pair.logByPractice({ connection_id: withFather }))
  const confirmed = await father.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  assert.equal(confirmed.body.verified_by_tutor, true)
  const ended = await father.call('DELETE', `/api/v1/connections/${withFather}`)
  assert.equal(ended.status, 204)
  const named = await pair.practice.call('PATCH', `/api/v1/sessions/${id}`, { connection_id: withMother })
  assert.deepEqual([named.status, named.body.verified_by_tutor], [200, false])
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('a tutor finds an account by the name of the family everywhere: in balances, on Payments and in Closing', async () => {
  const { pair, mother, father, withMother, withFather } = await twoFamilies()
  await pair.log({ date: '2026-11-05' })
  const namesIn = async (path: string, list: string) => {
    const { body } = await pair.practice.call('GET', path)
    const rows = body[list] as Row[]
    return [withMother, withFather].map((id) => {
      const row = rows.find(({ connection_id: connection }) => connection === id)
      return [row?.name ?? row?.other_name, row?.students ?? []]
    })
  }
  const balances = () => namesIn('/api/v1/balances?month=2026-11', 'accounts')
  const closing = async () =>
    (await namesIn('/api/v1/months?month=2026-11', 'months')).map(([name]) => [name, []])
  assert.deepEqual(await balances(), Array(2).fill(["Maya's family", []]), 'nobody gave a name')
  assert.deepEqual(await closing(), await balances())
  for (const [caller, name] of [
    [mother, 'Ana Whitfield'],
    [father, 'Jordan Lee'],
  ] as const)
    assert.equal((await caller.call('PATCH', '/api/v1/me', { full_name: name })).status, 200)
  assert.deepEqual(await balances(), [
    ['Ana Whitfield', ['maya W.']],
    ['Jordan Lee', ['maya W.']],
  ])
  assert.deepEqual(
    await closing(),
    (await balances()).map(([name]) => [name, []]),
  )
})
