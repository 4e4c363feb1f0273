// Recording how a planned class ended: by both sides, twice, late, at once, and in closed months.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aMember } from '#main/testing/members.server.ts'
import { closed, connected, listed, refusal } from '#main/testing/months.server.ts'
import type { MissedClass } from './outcome.ts'
import type { Occurrence } from './occurrence.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T12:00:00Z')
})
after(async () => server.stop())

const DAY = '2026-11-24'
const weekly = { day_of_week: 2, start_time: '16:30', duration: 1.5, start_date: '2026-11-03' }

/** A schedule of a caller's, and what can be said about its classes. */
async function planned(who: Caller, student_id: string, tutor_id: string, more: object = {}) {
  const made = await who.call('POST', '/api/v1/schedules', { ...weekly, student_id, tutor_id, ...more })
  const id = String(made.body.id)
  const by = (caller: Caller, status: string, also: object = {}, date = DAY) =>
    caller.call('PUT', `/api/v1/schedules/${id}/occurrence`, { date, status, ...also })
  const occurrence = async (date = DAY) => {
    const { body } = await who.call('GET', `/api/v1/occurrences?from=${date}&to=${date}`)
    return (body as unknown as Occurrence[]).find(({ schedule_id: of }) => of === id)
  }
  return {
    id,
    by,
    end: (outcome: string | null, also: object = {}, date = DAY) =>
      by(who, outcome ? 'canceled' : 'planned', { ...(outcome && { outcome }), ...also }, date),
    change: (status: string, also: object = {}) => by(who, status, also),
    log: (date = DAY) => who.call('POST', `/api/v1/schedules/${id}/log`, { date }),
    occurrence,
    state: async (date = DAY) => {
      const one = await occurrence(date)
      return one && [one.status, one.outcome, one.outcome_by]
    },
  }
}
const missed = async (who: Caller, from = '2026-11-01', to = '2026-11-30') =>
  ((await who.call('GET', `/api/v1/missed?from=${from}&to=${to}`)).body as unknown as MissedClass[]).map(
    ({ date, start_time: start, student_name: student, outcome }) => `${date} ${start} ${student} ${outcome}`,
  )

async function aTutor() {
  const practice = await server.aUser('tutor')
  const student = String((await practice.call('POST', '/api/v1/students', { name: 'Theo' })).body.id)
  const self = listed((await practice.call('GET', '/api/v1/tutors')).body)[0]?.id ?? ''
  return { practice, ...(await planned(practice, student, self)) }
}
async function aParent() {
  const { owner, maya, ingrid } = await aFamily(server)
  return { owner, ...(await planned(owner, maya, ingrid)) }
}

test('either side records each of the four outcomes, changes it, and puts the class back to planned', async () => {
  const [family, tutor] = [await aParent(), await aTutor()]
  for (const [one, side] of [
    [family, 'family'],
    [tutor, 'practice'],
  ] as const) {
    for (const outcome of ['canceled_in_time', 'canceled_late', 'no_show', 'canceled_by_tutor']) {
      const answer = await one.end(outcome)
      assert.deepEqual([answer.status, answer.body.outcome], [200, outcome])
      assert.deepEqual(await one.state(), ['canceled', outcome, side])
      assert.equal((await one.occurrence())?.outcome_at, '2026-12-01T12:00:00.000Z')
    }
    assert.equal((await one.end(null)).status, 200)
    assert.deepEqual(await one.state(), ['planned', null, null])
  }
})

test('what did not take place is listed for its days, newest first, and no total includes it', async () => {
  const { owner, end, log } = await aParent()
  await end('canceled_late', {}, '2026-11-10')
  await end('no_show')
  await end('canceled_in_time', {}, '2026-12-01')
  await log('2026-11-17')
  assert.deepEqual(await missed(owner), [
    '2026-11-24 16:30 Maya no_show',
    '2026-11-10 16:30 Maya canceled_late',
  ])
  assert.deepEqual(await missed(owner, '2026-12-01', '2026-12-31'), [
    '2026-12-01 16:30 Maya canceled_in_time',
  ])
  const { body } = await owner.call('GET', '/api/v1/summary?month=2026-11')
  assert.deepEqual([body.total_sessions, body.total_hours], [1, 1.5])
  assert.deepEqual(await missed(await server.aUser()), [], 'for nobody else')
})

test('a canceled class keeps where it was moved to, and is not moved until it is planned again', async () => {
  const { owner, end, change, occurrence } = await aParent()
  const move = { moved_to: '2026-11-26', start_time: '09:00' }
  await change('moved', move)
  await end('canceled_late')
  const seen = await occurrence('2026-11-26')
  assert.deepEqual([seen?.status, seen?.date, seen?.start_time], ['canceled', '2026-11-26', '09:00'])
  assert.deepEqual(await missed(owner), ['2026-11-26 09:00 Maya canceled_late'])
  assert.deepEqual(refusal(await change('moved', { ...move, start_time: '10:00' })), [409, 'canceled'])
  await end(null, { was: 'canceled_late' })
  await end(null, { was: 'canceled_late' })
  const again = await occurrence('2026-11-26')
  assert.deepEqual(
    [again?.status, again?.start_time],
    ['planned', '09:00'],
    'saying it twice leaves the move',
  )
  await change('planned')
  assert.equal((await occurrence())?.status, 'planned')
})

test('a class answered twice, by two at once, or on top of another answer, changes once', async () => {
  const { owner, end, state, occurrence, id, log } = await aParent()
  const other = await aMember(server, owner, 'parent')
  await end('canceled_late')
  server.clock.now = new Date('2026-12-01T12:05:00Z')
  const again = await end('canceled_late', { was: null })
  assert.equal(again.status, 200, 'the same answer is no other one')
  assert.equal((await occurrence())?.outcome_at, '2026-12-01T12:00:00.000Z')
  const path = `/api/v1/schedules/${id}/occurrence`
  const says = (who: Caller, outcome: string, was: string | null) =>
    who.call('PUT', path, { date: DAY, status: 'canceled', outcome, was })
  assert.deepEqual(refusal(await says(other, 'no_show', null)), [409, 'answered'])
  assert.deepEqual(await state(), ['canceled', 'canceled_late', 'family'])
  const both = await Promise.all([
    says(owner, 'no_show', 'canceled_late'),
    says(other, 'canceled_in_time', 'canceled_late'),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  server.clock.now = new Date('2026-12-01T12:00:00Z')

  const [logged, said] = await Promise.all([log('2026-11-17'), end('no_show', {}, '2026-11-17')])
  const one = await state('2026-11-17')
  assert.equal(logged.status, 201)
  assert.ok(said.status === 200 || said.body.code === 'already_logged')
  assert.deepEqual(one, ['logged', null, null], 'a session says that the class took place')
  assert.equal((await missed(owner)).length, 1)
})

test('logging a canceled class says that it took place after all, and a logged class does not end in another way', async () => {
  const { owner, end, log, state } = await aParent()
  await end('no_show')
  const session = await log()
  assert.equal(session.status, 201)
  assert.deepEqual(refusal(await end('canceled_late')), [409, 'already_logged'])
  assert.deepEqual(await missed(owner), [])
  await owner.call('DELETE', `/api/v1/sessions/${String(session.body.id)}`, {})
  assert.deepEqual(await state(), ['planned', null, null])
})

test('nobody fails to show up before the day of a class, and a class that is not there has no outcome', async () => {
  const { end, state, change } = await aParent()
  assert.deepEqual(refusal(await end('no_show', {}, '2026-12-08')), [422, 'not_begun'])
  assert.equal((await end('canceled_in_time', {}, '2026-12-08')).status, 200)
  assert.deepEqual(await state('2026-12-08'), ['canceled', 'canceled_in_time', 'family'])
  assert.deepEqual(refusal(await end('no_show', {}, '2026-11-25')), [422, 'no_such_class'])
  for (const [status, also, field] of [
    ['canceled', {}, 'outcome'],
    ['canceled', { outcome: 'ill' }, 'outcome'],
    ['planned', { outcome: 'no_show' }, 'outcome'],
    ['skipped', {}, 'status'],
  ] as const) {
    const { status: code, body } = await change(status, also)
    assert.deepEqual([code, (body.errors as { field: string }[])[0]?.field], [422, field])
  }
  const ended = await aParent()
  await ended.end('no_show')
  const path = `/api/v1/schedules/${ended.id}`
  await ended.owner.call('PATCH', path, { end_date: '2026-11-24' })
  assert.equal((await ended.end('canceled_late')).status, 200, 'the last class of a schedule that ended')
  assert.deepEqual(refusal(await ended.end('no_show', {}, '2026-12-01')), [422, 'no_such_class'])
  await ended.owner.call('PATCH', path, { is_active: false })
  assert.deepEqual(await missed(ended.owner), ['2026-11-24 16:30 Maya canceled_late'], 'it stays missed')
  await ended.owner.call('DELETE', path, {})
  assert.equal((await ended.end('no_show')).status, 404)
})

test('a class in a time zone has begun when it begins there', async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  // 4:30 PM on December 1 has passed in Tokyo, but not in New York.
  for (const [time_zone, answer] of [
    ['Asia/Tokyo', [200, undefined]],
    ['America/New_York', [422, 'not_begun']],
  ] as const) {
    const { end } = await planned(owner, maya, ingrid, { time_zone })
    const { status, body } = await end('no_show', {}, '2026-12-01')
    assert.deepEqual([status, body.code], answer, time_zone)
  }
})

test('a caregiver says how a class ended but does not move it, and a viewer does neither', async () => {
  const { owner, by, state } = await aParent()
  const [cara, viewer] = [await aMember(server, owner, 'caregiver'), await aMember(server, owner, 'viewer')]
  assert.equal((await by(cara, 'canceled', { outcome: 'no_show' })).status, 200)
  assert.deepEqual(await state(), ['canceled', 'no_show', 'family'])
  assert.equal((await by(cara, 'planned', { was: 'no_show' })).status, 200)
  const move = { moved_to: '2026-11-26', start_time: '09:00' }
  assert.deepEqual(refusal(await by(cara, 'moved', move)), [403, 'move_not_yours'])
  assert.equal((await by(owner, 'moved', move)).status, 200)
  assert.deepEqual(refusal(await by(cara, 'planned')), [403, 'move_not_yours'])
  assert.deepEqual(refusal(await by(viewer, 'canceled', { outcome: 'no_show' })), [403, 'read_only'])
  assert.equal((await missed(viewer)).length, 0)
})

test('a class of a closed month does not end in another way or move, on either side, until the month is open again', async () => {
  const pair = await closed(server)
  const practice = listed((await pair.practice.call('GET', '/api/v1/students')).body)[0]?.id ?? ''
  const self = listed((await pair.practice.call('GET', '/api/v1/tutors')).body)[0]?.id ?? ''
  const sides = [
    await planned(pair.family, pair.child, pair.tutor),
    await planned(pair.practice, practice, self, { start_time: '18:00' }),
  ]
  for (const one of sides) {
    const tries = {
      canceled: await one.end('no_show'),
      'moved out': await one.change('moved', { moved_to: '2026-12-03', start_time: '16:30' }),
      'moved in': await one.by(
        one === sides[0] ? pair.family : pair.practice,
        'moved',
        { moved_to: '2026-11-30', start_time: '16:30' },
        '2026-12-08',
      ),
    }
    for (const [what, answer] of Object.entries(tries)) {
      assert.deepEqual(refusal(answer), [409, 'month_closed'], what)
      assert.deepEqual(answer.body.closed_month, { connection_id: pair.connection, month: '2026-11' })
    }
    assert.deepEqual(await one.state(), ['planned', null, null])
    assert.equal((await one.end('canceled_in_time', {}, '2026-12-08')).status, 200, 'another month')
  }
  assert.equal((await pair.reopen(pair.family)).status, 200)
  for (const one of sides) assert.equal((await one.end('no_show')).status, 200)
  const alone = await connected(server)
  const free = await planned(alone.family, alone.child, alone.tutor)
  assert.equal((await free.end('no_show')).status, 200, 'a month that nobody closed')
})
