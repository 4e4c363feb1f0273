// Two schedules of the same lesson become one: what's offered, who answers, and what stays.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import pg from 'pg'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { type Caller, startTestServer, type TestServer } from '../../main/testing.server.ts'
import { aMember } from '../../main/testing/members.server.ts'
import {
  aFamily,
  aPair,
  aPractice,
  connectionsOf,
  idOf,
  type Pair,
  type Row,
  rowsOf,
} from '../../main/testing/two-sides.server.ts'

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

/** Thursdays at 4. The server's clock is at 2026-11-21. */
const THURSDAYS = {
  day_of_week: 4,
  start_time: '16:00',
  duration: 1,
  start_date: '2026-11-05',
  hourly_rate: 50,
}

interface Two extends Pair {
  /** Each side's own schedule. */
  own: string
  theirs: string
  connect(): Promise<void>
}

/** A family and a tutor who each keep a schedule of the same lesson, from before they connected. */
async function two(ofFamily: object = {}, ofPractice: object | null = {}): Promise<Two> {
  const asking = await aFamily(server)
  const { family, child, tutor } = asking
  const first = await asking.log({ date: '2026-01-05' })
  const own = idOf(
    await family.call('POST', '/api/v1/schedules', {
      ...THURSDAYS,
      student_id: child,
      tutor_id: tutor,
      ...ofFamily,
    }),
  )
  const { practice, self } = await aPractice(server, asking.email)
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'maya W.' }))
  const theirs =
    ofPractice &&
    idOf(
      await practice.call('POST', '/api/v1/schedules', {
        ...THURSDAYS,
        student_id: student,
        tutor_id: self,
        ...ofPractice,
      }),
    )
  const connect = async () => {
    const [asked] = await connectionsOf(practice)
    await family.call('DELETE', `/api/v1/sessions/${first}`)
    const people = ((asked?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id: student }))
    const { status } = await practice.call('PATCH', `/api/v1/connections/${asking.connection}`, {
      state: 'active',
      people,
    })
    assert.equal(status, 200)
  }
  const logByPractice = (more: object = {}) =>
    practice.call('POST', '/api/v1/sessions', { student_id: student, tutor_id: self, ...more })
  return { ...asking, practice, self, student, logByPractice, own, theirs: theirs ?? '', connect }
}
async function connected(...args: Parameters<typeof two>): Promise<Two> {
  const pair = await two(...args)
  await pair.connect()
  return pair
}

const list = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/schedules'))
const one = async (who: Caller, id: string) => (await who.call('GET', `/api/v1/schedules/${id}`)).body as Row
const offers = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/schedule-offers'))
const offer = (who: Caller, id: string) => who.call('POST', `/api/v1/schedules/${id}/offer`, {})
const takeBack = (who: Caller, id: string) => who.call('DELETE', `/api/v1/schedules/${id}/offer`)
const answer = (who: Caller, { other }: Row, said: 'join' | 'keep') =>
  who.call('POST', `/api/v1/schedule-offers/${(other as Row).id}/answer`, {
    answer: said,
    version: (other as Row).version,
  })
const done = async (promise: Promise<{ status: number; body: object }>) => {
  const { status, body } = await promise
  assert.ok(status < 300, JSON.stringify(body))
  return body as Row
}
const code = async (promise: Promise<{ body: Record<string, unknown> }>) => (await promise).body.code
const change = (who: Caller, id: string, body: object) =>
  who.call('PUT', `/api/v1/schedules/${id}/occurrence`, body)
const skips = (who: Caller, id: string, date: string, outcome = 'canceled_in_time') =>
  done(change(who, id, { date, status: 'canceled', outcome }))
const moves = (who: Caller, id: string, date: string, moved_to: string) =>
  done(change(who, id, { date, status: 'moved', moved_to, start_time: '17:00' }))
/** The classes in some days as one person sees them. */
const classes = async (who: Caller, from = '2026-12-01', to = '2026-12-31') =>
  rowsOf(await who.call('GET', `/api/v1/occurrences?from=${from}&to=${to}`)).map(
    ({ date, start_time: time, status }) => `${String(date).slice(5)} ${String(time)} ${String(status)}`,
  )
const both = async ({ family, practice }: Pair, from?: string, to?: string) => {
  const [seen, other] = [await classes(family, from, to), await classes(practice, from, to)]
  assert.deepEqual(seen, other, 'both calendars agree')
  return seen
}
/** What one person's offers say. */
const said = async (who: Caller) => (await offers(who)).map(({ state }) => state)
async function join({ family, practice, own }: Two): Promise<string> {
  await done(offer(family, own))
  const [asked] = await offers(practice)
  assert.ok(asked)
  await done(answer(practice, asked, 'join'))
  return own
}

test('two schedules of the same lesson are offered to both sides, and nothing is joined by itself', async () => {
  const { family, practice, own, theirs } = await connected(
    { notes: 'blue book' },
    { start_time: '16:30', hourly_rate: 55, notes: 'slow' },
  )
  const [mine] = await offers(family)
  const [yours] = await offers(practice)
  assert.deepEqual(
    [mine?.state, mine?.schedule_id, yours?.state, yours?.schedule_id],
    ['twin', own, 'twin', theirs],
  )
  const { start_time: time, hourly_rate: rate, day_of_week: day } = ((mine?.other ?? {}) as Row).rule as Row
  assert.deepEqual([time, rate, day], ['16:30', 55, 4])
  assert.ok(!JSON.stringify([mine, yours]).includes('slow') && !JSON.stringify(yours).includes('blue'))
  for (const who of [family, practice]) {
    assert.equal((await list(who)).length, 1)
    assert.equal((await list(who))[0]?.is_shared, false)
  }
  assert.equal((await one(family, theirs)).code, 'not_found')
})

test('one tap asks, the other side’s tap makes them one row, with each side’s notes', async () => {
  const pair = await connected(
    { notes: 'blue book', hourly_rate: 45 },
    { notes: 'slow', subject: 'Algebra', hourly_rate: 55 },
  )
  const { family, practice, own, theirs } = pair
  await done(offer(family, own))
  assert.deepEqual([await said(family), await said(practice)], [['asked'], ['waits']])
  assert.deepEqual([(await list(family)).length, (await list(practice)).length], [1, 1])
  const [asked] = await offers(practice)
  assert.equal(asked?.schedule_id, theirs)
  const body = await done(answer(practice, asked as Row, 'join'))
  assert.equal(body.outcome, 'joined')
  const [seen, other] = [await list(family), await list(practice)]
  assert.deepEqual([seen.length, other.length], [1, 1])
  assert.deepEqual(
    [seen[0], other[0]].map((row) => [row?.id, row?.is_shared, row?.hourly_rate, row?.subject, row?.notes]),
    [
      [own, true, 45, 'Algebra', 'blue book'],
      [own, true, 45, 'Algebra', 'slow'],
    ],
  )
  assert.deepEqual([seen[0]?.student_id, other[0]?.student_id], [pair.child, pair.student])
  assert.equal(other[0]?.feed_id, theirs, 'the tutor’s calendar keeps knowing it by its first id')
  assert.deepEqual([await said(family), await said(practice)], [[], []])
  await done(answer(practice, asked as Row, 'join'))
  assert.equal((await list(practice)).length, 1, 'the answer sent again joins nothing more')
  // From here on it's like any shared one.
  await done(practice.call('PATCH', `/api/v1/schedules/${own}`, { start_time: '15:00' }))
  assert.equal(((await one(family, own)).proposal as Row | null)?.start_time, '15:00')
  assert.equal((await verifyHistory(server.db)).broken, undefined)
  const entries = rowsOf(await practice.call('GET', `/api/v1/schedules/${own}/history`))
  assert.deepEqual(
    entries,
    rowsOf(await family.call('GET', `/api/v1/schedules/${own}/history`)).map((entry): Row => ({
      ...entry,
      by: entry.by === 'you' ? 'other' : 'you',
    })),
    'both read the same history',
  )
  assert.equal(entries.filter(({ action }) => action === 'merged').length, 1)
})

test('both sides tap at once and get one schedule', async () => {
  const pair = await connected()
  const { family, practice, own, theirs } = pair
  const said = await Promise.all([offer(family, own), offer(practice, theirs)])
  assert.deepEqual(said.map(({ body }) => body.outcome).sort(), ['asked', 'joined'])
  assert.deepEqual(
    [await list(family), await list(practice)].map((rows) => rows.map(({ is_shared: shared }) => shared)),
    [[true], [true]],
  )
  assert.equal((await both(pair))[0], '12-03 16:00 planned')
})

test('if the two differ, a second offer refers to the first instead of choosing', async () => {
  const { family, practice, own, theirs } = await connected({}, { start_time: '16:30' })
  await done(offer(family, own))
  assert.equal(await code(offer(practice, theirs)), 'asked_already')
  assert.deepEqual(await said(practice), ['waits'])
})

test('a decline or taking it back leaves both private, and it isn’t asked again by itself', async () => {
  const pair = await connected()
  const { family, practice, own, theirs } = pair
  await done(offer(family, own))
  await done(takeBack(family, own))
  assert.deepEqual([await said(family), await said(practice)], [['twin'], ['twin']])
  await done(offer(family, own))
  const [asked] = await offers(practice)
  await done(answer(practice, asked as Row, 'keep'))
  assert.deepEqual([await said(family), await said(practice)], [['declined'], ['apart']])
  assert.deepEqual(
    [(await one(family, own)).is_shared, (await one(practice, theirs)).is_shared],
    [false, false],
  )
  await done(takeBack(family, own))
  assert.deepEqual([await said(family), await said(practice)], [['apart'], ['apart']])
  // Either side can still ask, in so many words.
  await done(offer(practice, theirs))
  assert.deepEqual([await said(family), await said(practice)], [['waits'], ['asked']])
})

test('a schedule that only one side has is offered, and accepted or not', async () => {
  const pair = await connected({}, null)
  const { family, practice, own } = pair
  assert.deepEqual([await said(family), await said(practice)], [['alone'], []])
  await done(offer(family, own))
  const [asked] = await offers(practice)
  assert.deepEqual([asked?.state, asked?.schedule_id, asked?.student_id], ['waits', null, pair.student])
  await done(answer(practice, asked as Row, 'join'))
  assert.equal((await one(practice, own)).is_shared, true)
  assert.equal((await both(pair))[0], '12-03 16:00 planned')
})

test('both sides’ canceled and moved classes stay; where both said something, the later one counts', async () => {
  const pair = await connected()
  const { family, practice, own, theirs } = pair
  await skips(family, own, '2026-12-03')
  await moves(practice, theirs, '2026-12-10', '2026-12-11')
  await skips(family, own, '2026-12-17', 'canceled_late')
  await moves(practice, theirs, '2026-12-17', '2026-12-18')
  await moves(practice, theirs, '2026-12-24', '2026-12-26')
  await skips(family, own, '2026-12-24')
  await join(pair)
  assert.deepEqual(await both(pair), [
    '12-03 16:00 canceled',
    '12-11 17:00 planned',
    '12-18 17:00 planned',
    '12-24 16:00 canceled',
    '12-31 16:00 planned',
  ])
  assert.deepEqual(rowsOf(await family.call('GET', '/api/v1/moved-classes')), [], 'nobody is asked again')
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('the logged classes of either side are logged for both', async () => {
  const pair = await two()
  const { family, practice, own, theirs } = pair
  await done(family.call('POST', `/api/v1/schedules/${own}/log`, { date: '2026-11-12' }))
  await done(practice.call('POST', `/api/v1/schedules/${theirs}/log`, { date: '2026-11-19' }))
  await pair.connect()
  await join(pair)
  assert.deepEqual(await both(pair, '2026-11-05', '2026-11-26'), [
    '11-05 16:00 planned',
    '11-12 16:00 logged',
    '11-19 16:00 logged',
    '11-26 16:00 planned',
  ])
})

/** Every event of someone's calendar, as an independent parser reads it. */
async function eventsOf(
  who: Caller,
): Promise<Map<string, { sequence: number; status: string; zone: string }>> {
  const { url } = (await who.call('POST', '/api/v1/calendar-feed', {})).body as Row
  const { body } = await server.app.inject({ url: new URL(String(url)).pathname })
  const calendar = new ICAL.Component(ICAL.parse(body) as [])
  return new Map(
    calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component)
      const at = component.getFirstPropertyValue('recurrence-id')
      return [
        `${event.uid} ${at ? String(at) : ''}`,
        {
          sequence: event.sequence,
          status: String(component.getFirstPropertyValue('status') ?? ''),
          zone: event.startDate.zone.tzid,
        },
      ]
    }),
  )
}

test('each side’s calendar keeps its events, and their numbers rise', async () => {
  const pair = await connected({ notes: 'a' }, { notes: 'b' })
  const { family, practice, own, theirs } = pair
  for (const notes of ['c', 'd', 'e']) await practice.call('PATCH', `/api/v1/schedules/${theirs}`, { notes })
  await skips(family, own, '2026-12-03')
  await skips(practice, theirs, '2026-12-10')
  await moves(practice, theirs, '2026-12-17', '2026-12-18')
  const before = [await eventsOf(family), await eventsOf(practice)]
  await join(pair)
  const after = [await eventsOf(family), await eventsOf(practice)]
  for (const [at, events] of before.entries())
    for (const [name, { sequence, status }] of events) {
      const now = after[at]?.get(name)
      assert.ok(now, `${name} is still there`)
      assert.ok(now.sequence > sequence, `${name} rises from ${sequence} to ${now.sequence}`)
      assert.equal(now.status, status)
    }
  assert.deepEqual([after[0]?.size, after[1]?.size], [4, 4])
  for (const name of after[1]?.keys() ?? []) assert.ok(name.startsWith(theirs), name)
  // After the end of the connection they stay the same.
  await family.call('DELETE', `/api/v1/connections/${pair.connection}`)
  assert.deepEqual([...(await eventsOf(practice)).keys()], [...(after[1]?.keys() ?? [])])
})

test('the joined schedule is where the one that knows it is; if neither does, it floats', async () => {
  const pair = await connected()
  const { family, practice, own, theirs } = pair
  const unknown = (id: string) => superuser.query('update schedules set time_zone = null where id = $1', [id])
  await unknown(own)
  await done(practice.call('PATCH', `/api/v1/schedules/${theirs}`, { time_zone: 'Europe/Berlin' }))
  await join(pair)
  assert.equal((await one(family, own)).time_zone, 'Europe/Berlin')
  assert.deepEqual(
    [await eventsOf(family), await eventsOf(practice)].map((events) =>
      [...events.values()].map(({ zone }) => zone),
    ),
    [['Europe/Berlin'], ['Europe/Berlin']],
  )
  const neither = await connected()
  await unknown(neither.own)
  await unknown(neither.theirs)
  await join(neither)
  assert.equal((await one(neither.practice, neither.own)).time_zone, null)
  assert.deepEqual(
    [...(await eventsOf(neither.practice)).values()].map(({ zone }) => zone),
    ['floating'],
  )
})

test('an offer that’s out of date is refused, and one whose schedule or connection is gone isn’t there', async () => {
  const pair = await connected()
  const { family, practice, own, theirs } = pair
  await done(offer(family, own))
  const [asked] = await offers(practice)
  await done(family.call('PATCH', `/api/v1/schedules/${own}`, { duration: 2 }))
  assert.equal(await code(answer(practice, asked as Row, 'join')), 'changed')
  const [again] = await offers(practice)
  await done(practice.call('DELETE', `/api/v1/schedules/${theirs}`))
  const [alone] = await offers(practice)
  assert.deepEqual([alone?.state, alone?.schedule_id], ['waits', null], 'its own was deleted meanwhile')
  await done(family.call('DELETE', `/api/v1/schedules/${own}`))
  assert.equal(await code(answer(practice, again as Row, 'join')), 'not_found')
  assert.deepEqual(await said(practice), [])
  const other = await connected()
  await done(offer(other.family, other.own))
  const [open] = await offers(other.practice)
  await done(other.family.call('DELETE', `/api/v1/connections/${other.connection}`))
  assert.equal(await code(answer(other.practice, open as Row, 'join')), 'not_found')
  assert.equal(await code(offer(other.family, other.own)), 'not_connected')
  assert.deepEqual([await said(other.family), await said(other.practice)], [[], []])
})

test('whoever offers sees the latest version, and a stranger sees and answers nothing', async () => {
  const { family, practice, own } = await connected()
  await done(family.call('PATCH', `/api/v1/schedules/${own}`, { duration: 2 }))
  const stale = await family.call('POST', `/api/v1/schedules/${own}/offer`, {}, { 'if-match': '"1"' })
  assert.equal(stale.body.code, 'changed')
  await done(offer(family, own))
  const [asked] = await offers(practice)
  const stranger = await server.aUser()
  assert.deepEqual(await offers(stranger), [])
  assert.equal((await answer(stranger, asked as Row, 'join')).status, 404)
  assert.equal((await answer(family, asked as Row, 'join')).status, 404, 'nobody answers their own offer')
  assert.equal((await offer(stranger, own)).status, 404)
  assert.equal((await takeBack(stranger, own)).status, 404)
})

test('classes of a closed month stay as they were, and the month stays closed', async () => {
  const pair = await two()
  const { family, practice, own, connection } = pair
  await done(family.call('PATCH', `/api/v1/schedules/${own}`, { start_date: '2026-10-01' }))
  await skips(family, own, '2026-10-08')
  await pair.connect()
  const month = { connection_id: connection, month: '2026-10' }
  const lesson = await pair.log({ date: '2026-10-05' })
  await done(practice.call('POST', `/api/v1/sessions/${lesson}/confirm`, {}))
  for (const who of [family, practice]) await done(who.call('POST', '/api/v1/months/close', month))
  const before = (await family.call('GET', `/api/v1/months/page?connection_id=${connection}&month=2026-10`))
    .body
  await join(pair)
  assert.equal((await both(pair, '2026-10-08', '2026-10-08'))[0], '10-08 16:00 canceled')
  assert.deepEqual(
    (await family.call('GET', `/api/v1/months/page?connection_id=${connection}&month=2026-10`)).body,
    before,
  )
  assert.equal(await code(change(practice, own, { date: '2026-10-08', status: 'planned' })), 'month_closed')
})
test('with two families that share a child, nothing is offered until the tutor says which one', async () => {
  const pair = await connected()
  const { practice, theirs, student, email } = pair
  const second = await aFamily(server, email)
  await second.log({ date: '2026-01-05' })
  const listed = (await connectionsOf(practice)).find(({ id }) => id === second.connection)
  await done(
    practice.call('PATCH', `/api/v1/connections/${second.connection}`, {
      state: 'active',
      people: ((listed?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id: student })),
    }),
  )
  assert.deepEqual(await said(practice), [])
  assert.deepEqual(await said(pair.family), ['alone'], 'the schedule may be for the other family')
  await superuser.query('update schedules set chosen_connection_id = $1 where id = $2', [
    pair.connection,
    theirs,
  ])
  assert.deepEqual([await said(practice), await said(pair.family)], [['twin'], ['twin']])
  assert.deepEqual(await offers(second.family), [])
  assert.equal((await join(pair)).length, 36)
  assert.deepEqual((await list(second.family)).length, 0)
})

test('a copy that was kept can be offered again, also to the side that deleted it', async () => {
  const pair = await aPair(server)
  const { family, practice, child, tutor } = pair
  const id = idOf(
    await family.call('POST', '/api/v1/schedules', { ...THURSDAYS, student_id: child, tutor_id: tutor }),
  )
  await done(practice.call('DELETE', `/api/v1/schedules/${id}`))
  await done(family.call('POST', `/api/v1/schedules/${id}/ending`, { answer: 'keep' }))
  const events = await eventsOf(family)
  await done(offer(family, id))
  const [asked] = await offers(practice)
  await done(answer(practice, asked as Row, 'join'))
  assert.deepEqual([(await list(family)).length, (await list(practice)).length], [1, 1])
  assert.equal((await list(practice))[0]?.is_shared, true)
  assert.deepEqual([...(await eventsOf(family)).keys()], [...events.keys()])
  assert.equal((await both(pair))[0], '12-03 16:00 planned')
})

test('copies from an ended connection become one again when the two connect again', async () => {
  const pair = await connected()
  const id = await join(pair)
  const { family, practice, tutor, connection, child, student } = pair
  await done(family.call('DELETE', `/api/v1/connections/${connection}`))
  await skips(family, id, '2026-12-03')
  await pair.log({ date: '2026-01-05' })
  const asked = await done(family.call('POST', '/api/v1/connections', { tutor_id: tutor }))
  const people = (await connectionsOf(practice)).find(({ id: one }) => one === asked.id)?.people as Row[]
  await done(
    practice.call('PATCH', `/api/v1/connections/${String(asked.id)}`, {
      state: 'active',
      people: people.map((one) => ({ id: one.id, student_id: student })),
    }),
  )
  assert.ok(child)
  assert.deepEqual(await said(practice), ['twin'])
  await join(pair)
  assert.equal((await both(pair))[0], '12-03 16:00 canceled')
  assert.deepEqual([(await list(family)).length, (await list(practice)).length], [1, 1])
})

test('a schedule that the other side ended is kept as a copy or let go, with one tap', async () => {
  const pair = await connected({ notes: 'blue book' })
  const id = await join(pair)
  const { family, practice } = pair
  await done(practice.call('DELETE', `/api/v1/schedules/${id}`))
  const left = await one(family, id)
  assert.ok(left.ended_by_other)
  const ending = (who: Caller, answer: string) =>
    who.call('POST', `/api/v1/schedules/${id}/ending`, { answer })
  await done(ending(family, 'let_go'))
  const [gone] = await list(family)
  assert.deepEqual([gone?.ended_by_other, gone?.end_date], [null, left.end_date], 'it stays ended')
  assert.equal(await code(ending(family, 'keep')), 'not_ended')
  assert.equal((await ending(practice, 'keep')).status, 404)
  assert.deepEqual(await classes(family), [])
})

test('whoever proposed is told that the other side keeps it as it is', async () => {
  const pair = await connected()
  const id = await join(pair)
  const { family, practice } = pair
  const answered = (who: Caller, answer: string) =>
    who.call('POST', `/api/v1/schedules/${id}/answer`, { answer })
  await done(family.call('PATCH', `/api/v1/schedules/${id}`, { duration: 2 }))
  await done(answered(practice, 'keep'))
  const told = (await one(family, id)).proposal as Row
  assert.deepEqual([told.by, told.is_declined, told.duration], ['you', true, 2])
  assert.equal((await one(practice, id)).proposal, null)
  await done(answered(family, 'keep'))
  assert.equal((await one(family, id)).proposal, null)
  // The same for a class that had moved before.
  await moves(family, id, '2026-12-10', '2026-12-11')
  const place = (who: Caller, answer: string) =>
    who.call('POST', `/api/v1/schedules/${id}/occurrence/answer`, { date: '2026-12-10', answer })
  await done(place(practice, 'accept'))
  await moves(family, id, '2026-12-10', '2026-12-12')
  await done(place(practice, 'keep'))
  const [moved] = rowsOf(await family.call('GET', '/api/v1/moved-classes'))
  assert.deepEqual(
    [moved?.is_declined, ((moved?.now ?? {}) as Row).date, ((moved?.proposed ?? {}) as Row).date],
    [true, '2026-12-11', '2026-12-12'],
  )
  assert.deepEqual(rowsOf(await practice.call('GET', '/api/v1/moved-classes')), [])
  await done(place(family, 'keep'))
  assert.deepEqual(rowsOf(await family.call('GET', '/api/v1/moved-classes')), [])
})

test('a viewer reads what is offered and answers nothing; a caregiver sees none of it', async () => {
  const { family, practice, theirs } = await connected()
  await done(offer(practice, theirs))
  const viewer = await aMember(server, family, 'viewer')
  const caregiver = await aMember(server, family, 'caregiver')
  const [asked] = await offers(viewer)
  assert.equal(asked?.state, 'waits')
  assert.equal((await answer(viewer, asked as Row, 'join')).status, 403)
  assert.deepEqual(await offers(caregiver), [])
  assert.equal((await answer(caregiver, asked as Row, 'join')).status, 403)
})

test('the place that a practice remembers for its schedule stays when two schedules are joined, and when they part', async () => {
  const pair = await connected()
  const { family, practice, theirs, connection } = pair
  const id = practice.member.workspaceId
  await superuser.query(
    "insert into schedule_places (workspace_id, schedule_id, place) values ($1, $2, 'library')",
    [id, theirs],
  )
  const places = async () =>
    (
      await superuser.query<{ place: string; schedule_id: string }>(
        'select place, schedule_id from schedule_places where workspace_id = $1',
        [id],
      )
    ).rows
  const joined = await join(pair)
  assert.deepEqual(await places(), [{ place: 'library', schedule_id: joined }])
  await done(family.call('DELETE', `/api/v1/connections/${connection}`))
  assert.deepEqual(await places(), [{ place: 'library', schedule_id: (await list(practice))[0]?.id }])
})
