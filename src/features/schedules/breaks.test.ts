// Days without lessons: several classes ended by one call, by both sides, all or none.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aMember } from '#main/testing/members.server.ts'
import { closed, refusal } from '#main/testing/months.server.ts'
import { aPair, idOf, type Pair, rowsOf } from '#main/testing/two-sides.server.ts'
import type { ListedClass, Occurrence } from './occurrence.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T12:00:00Z')
})
after(() => server.stop())

const DAYS = ['2026-12-22', '2026-12-29', '2027-01-05'] as const
const TUESDAYS = { day_of_week: 2, start_time: '16:00', duration: 1, start_date: '2026-11-03' }

async function planned(who: Caller, student_id: string, tutor_id: string, more: object = {}) {
  return idOf(await who.call('POST', '/api/v1/schedules', { ...TUESDAYS, student_id, tutor_id, ...more }))
}
interface Said {
  outcome?: string | null
  was?: string | null
}
const listOf = (ids: readonly string[], days: readonly string[], said: Said = {}) =>
  ids.flatMap((schedule_id) =>
    days.map((date) => ({ schedule_id, date, outcome: 'canceled_in_time', was: null, ...said })),
  )
const end = (who: Caller, classes: object[], key?: string) =>
  who.call('POST', '/api/v1/occurrences/end', { classes }, key ? { 'idempotency-key': key } : {})
/** How each class of the holidays ended, and according to which side. */
async function seen(who: Caller): Promise<string[]> {
  const { body } = await who.call('GET', '/api/v1/occurrences?from=2026-12-20&to=2027-01-10')
  return (body as unknown as Occurrence[]).map(
    ({ date, start_time: time, status, outcome, outcome_by: by }) =>
      `${date.slice(5)} ${time} ${[outcome ?? status, by].join(' ').trim()}`,
  )
}
async function feedOf(who: Caller) {
  const { body } = await who.call('POST', '/api/v1/calendar-feed', {})
  const { pathname } = new URL(String(body.url))
  const text = async () => (await server.app.inject({ url: pathname })).body
  /** The number of each canceled class of a day. */
  return async (day: string) =>
    (await text())
      .split('BEGIN:VEVENT')
      .filter((event) => event.includes(day.replaceAll('-', '')) && event.includes('STATUS:CANCELLED'))
      .map((event) => Number(/SEQUENCE:(\d+)/.exec(event)?.[1]))
}

/** A family and its tutor with two shared schedules. */
async function shared(): Promise<Pair & { ids: string[] }> {
  const pair = await aPair(server)
  const { family, child, tutor } = pair
  await family.call('PATCH', '/api/v1/me', { time_zone: 'America/New_York' })
  const first = await planned(family, child, tutor)
  return { ...pair, ids: [first, await planned(family, child, tutor, { start_time: '18:00' })] }
}
const times = (state: string, days: readonly string[] = DAYS) =>
  days.flatMap((day) => ['16:00', '18:00'].map((time) => `${day.slice(5)} ${time} ${state}`))

test('a family’s break holds at once for both sides and both feeds, and Undo restores exactly its classes', async () => {
  const { family, practice, ids } = await shared()
  const own = { schedule_id: ids[0], date: DAYS[0], outcome: 'canceled_late', was: null }
  assert.equal((await end(family, [own])).status, 201)
  const feeds = await Promise.all([family, practice].map(feedOf))
  const rest = listOf(ids, DAYS).filter(({ schedule_id: of, date }) => of !== ids[0] || date !== DAYS[0])
  const ended = await end(family, rest)
  assert.equal(ended.status, 201, JSON.stringify(ended.body))
  assert.deepEqual(
    rowsOf(ended).map(({ date, outcome }) => [date, outcome]),
    rest.map(({ date, outcome }) => [date, outcome]),
  )
  const [, ...others] = times('canceled_in_time family')
  for (const who of [family, practice])
    assert.deepEqual(await seen(who), ['12-22 16:00 canceled_late family', ...others])
  const before = await Promise.all(feeds.map((of) => of(DAYS[1])))
  for (const numbers of before) assert.equal(numbers.length, 2)

  const back = rest.map((one) => ({ ...one, outcome: null, was: one.outcome }))
  assert.equal((await end(family, back)).status, 201)
  for (const who of [family, practice])
    assert.deepEqual(await seen(who), [
      '12-22 16:00 canceled_late family',
      ...times('planned').filter((one) => one !== '12-22 16:00 planned'),
    ])
  for (const of of feeds) assert.deepEqual(await of(DAYS[1]), [])
  assert.equal((await end(family, rest)).status, 201)
  for (const [at, of] of feeds.entries())
    for (const [nth, number] of (await of(DAYS[1])).entries())
      assert.ok(number > (before[at]?.[nth] ?? Infinity), 'a later cancellation has a higher number')
})

test('a tutor’s break covers several families, each of which sees only its own', async () => {
  const pair = await shared()
  const { practice, self, family } = pair
  const theo = idOf(await practice.call('POST', '/api/v1/students', { name: 'Theo' }))
  const ids = [...pair.ids, await planned(practice, theo, self, { start_time: '20:00' })]
  const ended = await end(practice, listOf(ids, DAYS, { outcome: 'canceled_by_tutor' }))
  assert.equal(ended.status, 201)
  assert.deepEqual(await seen(family), times('canceled_by_tutor practice'))
  assert.equal((await seen(practice)).filter((one) => one.endsWith('practice')).length, 9)
})

test('if one class can’t be ended, all stay as they are', async () => {
  const { family, practice, ids } = await shared()
  const stranger = await server.aUser()
  const all = listOf(ids, DAYS)
  const untouched = async (message: string) => {
    assert.deepEqual(await seen(practice), times('planned'), message)
  }
  const notTheirs = await end(stranger, all)
  assert.equal(notTheirs.status, 404)
  const missing = { schedule_id: crypto.randomUUID(), date: DAYS[0], outcome: 'canceled_in_time', was: null }
  assert.equal((await end(family, [...all, missing])).status, 404)
  await untouched('an unknown schedule')
  const wednesday = listOf(ids.slice(0, 1), ['2026-12-23'])
  assert.deepEqual(refusal(await end(family, [...all, ...wednesday])), [422, 'no_such_class'])
  await untouched('a day without a class')
  assert.deepEqual(refusal(await end(family, listOf(ids, DAYS, { outcome: 'no_show' }))), [422, 'not_begun'])
  assert.deepEqual(refusal(await end(family, [...all, ...all])), [422, 'invalid'])
  assert.deepEqual(refusal(await end(family, [])), [422, 'invalid'])
  await untouched('not a list of classes')
  await practice.call('PUT', `/api/v1/schedules/${ids[1]}/occurrence`, {
    date: DAYS[2],
    status: 'canceled',
    outcome: 'canceled_by_tutor',
  })
  assert.deepEqual(refusal(await end(family, all)), [409, 'answered'])
  assert.equal((await seen(family)).filter((one) => one.endsWith('planned')).length, 5)
})

test('a class that was logged meanwhile stops a break, and a logged one stays logged', async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const id = await planned(owner, maya, ingrid)
  assert.equal((await owner.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-11-24' })).status, 201)
  const answer = await end(owner, listOf([id], ['2026-11-17', '2026-11-24']))
  assert.deepEqual(refusal(answer), [409, 'already_logged'])
  const past = await end(owner, listOf([id], ['2026-11-17']))
  assert.equal(past.status, 201, 'days that are over, as with a single class')
})

test('a repeated call changes nothing, and one with the same key isn’t repeated after Undo', async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const ids = [await planned(owner, maya, ingrid, { start_time: '20:00' })]
  const own = async () => (await seen(owner)).filter((one) => one.includes('20:00'))
  const all = listOf(ids, DAYS)
  const both = await Promise.all([end(owner, all, 'holidays'), end(owner, all, 'holidays')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 201])
  assert.equal((await end(owner, all)).status, 201)
  const canceled = DAYS.map((day) => `${day.slice(5)} 20:00 canceled_in_time family`)
  assert.deepEqual(await own(), canceled)
  const back = listOf(ids, DAYS, { outcome: null, was: 'canceled_in_time' })
  assert.equal((await end(owner, back)).status, 201)
  assert.equal((await end(owner, all, 'holidays')).status, 201, 'a late copy of the first call')
  assert.deepEqual(
    await own(),
    DAYS.map((day) => `${day.slice(5)} 20:00 planned`),
  )
})

test('two sides who plan a break at once, in any order, end up with one outcome for each class', async () => {
  const { family, practice, ids } = await shared()
  for (let round = 0; round < 4; round += 1) {
    const days = DAYS.map((day) => day)
    const [one, other] = await Promise.all([
      end(family, listOf(ids, days)),
      end(practice, listOf(ids.toReversed(), days.toReversed(), { outcome: 'canceled_by_tutor' })),
    ])
    assert.deepEqual([one.status, other.status].sort(), [201, 409])
    const outcome = one.status === 201 ? 'canceled_in_time' : 'canceled_by_tutor'
    const by = one.status === 201 ? 'family' : 'practice'
    assert.deepEqual(await seen(family), times(`${outcome} ${by}`))
    assert.equal((await end(family, listOf(ids, days, { outcome: null, was: outcome }))).status, 201)
  }
})

test('a caregiver plans a break, a viewer doesn’t, and no plan is needed', async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const ids = [await planned(owner, maya, ingrid)]
  const [cara, viewer] = [await aMember(server, owner, 'caregiver'), await aMember(server, owner, 'viewer')]
  assert.deepEqual(refusal(await end(viewer, listOf(ids, DAYS))), [403, 'read_only'])
  assert.equal((await end(cara, listOf(ids, DAYS))).status, 201)
  assert.equal((await seen(owner)).filter((one) => one.endsWith('family')).length, 3)
})

test('a closed month among the days stops a break with the month to reopen, and nothing is canceled', async () => {
  const pair = await closed(server)
  const ids = [await planned(pair.family, pair.child, pair.tutor)]
  const all = listOf(ids, ['2026-11-24', '2026-12-22'])
  const listed = async (who: Caller) =>
    (
      (await who.call('GET', '/api/v1/occurrences?from=2026-11-24&to=2026-12-02'))
        .body as unknown as ListedClass[]
    ).map((one) => `${one.date} ${one.is_in_closed_month}`)
  for (const who of [pair.family, pair.practice])
    assert.deepEqual(await listed(who), ['2026-11-24 true', '2026-12-01 false'], 'the list says it before')
  const answer = await end(pair.family, all)
  assert.deepEqual(refusal(answer), [409, 'month_closed'])
  assert.deepEqual(answer.body.closed_month, { connection_id: pair.connection, month: '2026-11' })
  assert.equal((await seen(pair.family)).filter((one) => one.includes('canceled')).length, 0)
  assert.equal((await end(pair.family, listOf(ids, ['2026-12-22']))).status, 201, 'without that month')
  assert.equal((await pair.reopen(pair.family)).status, 200)
  assert.equal((await end(pair.family, listOf(ids, ['2026-11-24']))).status, 201)
})
