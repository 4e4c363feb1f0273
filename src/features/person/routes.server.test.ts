import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aMember, post, RATE, rows } from '#main/testing/members.server.ts'
import { aPair } from '#main/testing/two-sides.server.ts'
import type { PersonMonths } from './person-months.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const monthsOf = async (caller: Caller, id: string, until = '2026-03') => {
  const answer = await caller.call('GET', `/api/v1/people/${id}/months?until=${until}`)
  return { status: answer.status, body: answer.body as unknown as PersonMonths }
}
const DAY = { today: '2026-03-09', time: '12:00' }
const daysOf = (caller: Caller, at: { today: string; time: string } = DAY) =>
  rows(caller, `lesson-days?${new URLSearchParams(at).toString()}`)

test("a tutor's and a child's months add up, and those before the twelve are left out", async () => {
  const { owner, maya, theo, ingrid, noor } = await aFamily(server)
  const log = (date: string, more: object) => post(owner, 'sessions', { date, duration: 1, ...more })
  await log('2026-02-28', { student_id: theo, tutor_id: ingrid, hourly_rate: 10 })
  await log('2025-04-01', { student_id: maya, tutor_id: ingrid, hourly_rate: 20 })
  await log('2025-03-31', { student_id: maya, tutor_id: ingrid, hourly_rate: 30 })
  const of = ({ body }: { body: PersonMonths }) =>
    body.months.map(({ month, sessions, amounts }) => [month, sessions, amounts[0]?.amount])
  const tutor = await monthsOf(owner, ingrid)
  assert.deepEqual(of(tutor), [
    ['2026-03', 1, RATE],
    ['2026-02', 1, 10],
    ['2025-04', 1, 20],
  ])
  assert.deepEqual(
    tutor.body.with.map(({ id, sessions }) => [id, sessions]),
    [
      [maya, 2],
      [theo, 1],
    ],
  )
  assert.deepEqual(of(await monthsOf(owner, theo)), [
    ['2026-03', 1, 94.62],
    ['2026-02', 1, 10],
  ])
  // Archiving somebody keeps their page.
  assert.equal((await owner.call('PATCH', `/api/v1/tutors/${noor}`, { archived: true })).status, 200)
  assert.deepEqual(of(await monthsOf(owner, noor)), [['2026-03', 1, 94.62]])
})

test("T1: another workspace's people are not found, nor are those a member may not see", async () => {
  const { owner, maya, theo, ingrid, noor } = await aFamily(server)
  const strangers = [await server.aUser(), await server.aUser('tutor')]
  for (const person of [maya, ingrid])
    for (const stranger of strangers) assert.equal((await monthsOf(stranger, person)).status, 404)
  const limited = await aMember(server, owner, 'parent', [theo])
  for (const person of [maya, ingrid]) assert.equal((await monthsOf(limited, person)).status, 404)
  assert.equal((await monthsOf(limited, noor)).body.months[0]?.sessions, 1)
  assert.deepEqual(
    (await daysOf(limited)).map(({ student_id }) => student_id),
    [theo],
  )
  assert.deepEqual(await daysOf(await server.aUser()), [])
})

test('a caregiver sees sessions and hours, and no amount', async () => {
  const { owner, ingrid } = await aFamily(server)
  const caregiver = await aMember(server, owner, 'caregiver')
  const { body } = await monthsOf(caregiver, ingrid)
  assert.deepEqual(
    body.months.map(({ sessions, hours, amounts }) => [sessions, hours, amounts]),
    [[1, 1, []]],
  )
  assert.doesNotMatch(JSON.stringify(body), new RegExp(String(RATE)))
})

test('the last lesson and the next class follow the caller’s clock', async () => {
  const { owner, maya, theo, ingrid, noor, schedule } = await aFamily(server)
  const of = async (at?: { today: string; time: string }) =>
    Object.fromEntries(
      (await daysOf(owner, at)).map((one) => [`${String(one.student_id)}`, [one.last, one.next]]),
    )
  const next = (date: string) => ({ date, start_time: '16:00', yours: null })
  assert.deepEqual(await of(), {
    [maya]: ['2026-03-03', next('2026-03-10')],
    [theo]: ['2026-03-03', null],
  })
  // Tuesday's class lasts until 5:30 PM.
  assert.deepEqual((await of({ today: '2026-03-10', time: '17:29' }))[maya]?.[1], next('2026-03-10'))
  assert.deepEqual((await of({ today: '2026-03-10', time: '17:30' }))[maya]?.[1], next('2026-03-17'))
  // Lessons of the future aren't the last one.
  assert.deepEqual((await of({ today: '2026-03-02', time: '08:00' }))[maya]?.[0], null)
  await post(owner, `schedules/${schedule}/log`, { date: '2026-03-10' })
  assert.deepEqual((await of({ today: '2026-03-10', time: '08:00' }))[maya], [
    '2026-03-10',
    next('2026-03-17'),
  ])
  // After a year without a lesson, nothing is left to say.
  assert.equal((await of({ today: '2027-06-01', time: '08:00' }))[theo], undefined)
  assert.ok(ingrid && noor)
})

test('both sides see the same months of a shared student, each under its own ids', async () => {
  const pair = await aPair(server)
  await pair.log()
  const family = await monthsOf(pair.family, pair.tutor, '2026-11')
  const practice = await monthsOf(pair.practice, pair.student, '2026-11')
  assert.deepEqual(family.body.months, practice.body.months)
  assert.equal(family.body.months[0]?.state, 'waiting')
  assert.deepEqual([family.body.with[0]?.id, practice.body.with[0]?.id], [pair.child, pair.self])
})
