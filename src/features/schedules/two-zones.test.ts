// What readers in different time zones see of the same classes: on their screens and in their calendars.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { aFamily, aMember, post, rows } from '#main/testing/members.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair } from '#main/testing/two-sides.server.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { instantOf } from '#platform/zoned-time.server.ts'
import { type MovedClass, type Occurrence, timesOf, yourDay, yourTime } from './occurrence.ts'
import type { Schedule } from './schedule.ts'
import { isSameHour, spanOf } from './zones.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const day = (text: string) => text as CalendarDay
const moveTo = (person: Caller, zone: string) => person.call('PATCH', '/api/v1/me', { time_zone: zone })

/** A parent in New York and another one elsewhere, who read the same schedules. */
async function aFamilyIn(zone: string) {
  const { owner, maya, ingrid, schedule } = await aFamily(server)
  await owner.call('DELETE', `/api/v1/schedules/${schedule}`)
  await moveTo(owner, 'America/New_York')
  const away = await aMember(server, owner, 'parent')
  await moveTo(away, zone)
  const create = async (more: object) =>
    (await post(owner, 'schedules', {
      student_id: maya,
      tutor_id: ingrid,
      day_of_week: 4,
      start_time: '16:30',
      duration: 1.5,
      start_date: '2026-03-01',
      ...more,
    })) as unknown as Schedule
  return { owner, away, create }
}

const classesOf = async (person: Caller, from: string, to: string) =>
  (await rows(person, `occurrences?from=${from}&to=${to}`)) as unknown as Occurrence[]

/** The moments of the classes in someone's calendar, as an independent library reads them. */
async function feedOf(person: Caller, from: Date, to: Date): Promise<string[]> {
  const { url } = await post(person, 'calendar-feed', {})
  const { body } = await server.app.inject({ url: new URL(String(url)).pathname })
  const calendar = new ICAL.Component(ICAL.parse(body) as [])
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
  return events
    .filter((one) => !one.isRecurrenceException())
    .flatMap((event) => {
      for (const other of events.filter((one) => one.isRecurrenceException() && one.uid === event.uid))
        event.relateException(other)
      if (!event.isRecurring()) return [event.startDate.toJSDate()]
      const starts: Date[] = []
      const iterator = event.iterator()
      for (let next = iterator.next(); next && next.toJSDate() <= to; next = iterator.next()) {
        const { item, startDate } = event.getOccurrenceDetails(next)
        if (item.component.getFirstPropertyValue('status') !== 'CANCELLED') starts.push(startDate.toJSDate())
      }
      return starts
    })
    .filter((start) => start >= from && start <= to)
    .map((start) => start.toISOString())
    .sort()
}

test('over both changes of the clock, both readers and their calendars name the same moments', async () => {
  for (const zone of ['Europe/Berlin', 'Australia/Sydney', 'Asia/Kolkata', 'America/Santiago']) {
    const { owner, away, create } = await aFamilyIn(zone)
    const weekly = await create({})
    assert.equal(weekly.time_zone, 'America/New_York')
    await create({ day_of_week: 1, start_time: '21:00', frequency: 'monthly' })
    await create({ frequency: 'custom', custom_interval_days: 5, start_time: '07:30', time_zone: zone })
    await owner.call('PUT', `/api/v1/schedules/${weekly.id}/occurrence`, {
      date: '2026-03-19',
      status: 'canceled',
      outcome: 'canceled_late',
    })
    await owner.call('PUT', `/api/v1/schedules/${weekly.id}/occurrence`, {
      date: '2026-03-26',
      status: 'moved',
      moved_to: '2026-03-27',
      start_time: '23:30',
    })
    for (const [from, to] of [
      ['2026-03-02', '2026-04-12'],
      ['2026-09-21', '2026-11-15'],
    ] as const) {
      const screenOf = async (person: Caller, own: string) =>
        (await classesOf(person, addDays(day(from), -3), addDays(day(to), 3)))
          .filter(({ status }) => status !== 'canceled')
          .map((one) => {
            const shown = instantOf(yourDay(one), yourTime(one), own)
            assert.deepEqual(shown, spanOf(one)?.start, `${one.date} ${one.start_time} in ${own}`)
            assert.equal(one.ends_at, spanOf(one)?.end.toISOString())
            return shown
          })
          .filter((start) => start >= new Date(from) && start <= new Date(to))
          .map((start) => start.toISOString())
          .sort()
      const seen = await screenOf(owner, 'America/New_York')
      assert.ok(seen.length > 10)
      assert.deepEqual(await screenOf(away, zone), seen, zone)
      assert.deepEqual(await feedOf(owner, new Date(from), new Date(to)), seen, zone)
      assert.deepEqual(await feedOf(away, new Date(from), new Date(to)), seen, zone)
    }
  }
})

test('between the changes of the clock, the hour for a reader in Europe is another one', async () => {
  const { away, create } = await aFamilyIn('Europe/Berlin')
  await create({})
  const times = (await classesOf(away, '2026-03-01', '2026-04-03')).map((one) => timesOf(one))
  assert.deepEqual(times, [
    '4:30 PM, 10:30 PM for you',
    '4:30 PM, 9:30 PM for you',
    '4:30 PM, 9:30 PM for you',
    '4:30 PM, 9:30 PM for you',
    '4:30 PM, 10:30 PM for you',
  ])
})

test('a class is listed on the day it has for the reader, and says both days if they differ', async () => {
  const { owner, away, create } = await aFamilyIn('Asia/Tokyo')
  const { id } = await create({})
  const [one] = await classesOf(away, '2026-11-27', '2026-11-27')
  assert.ok(one)
  assert.deepEqual([one.date, yourDay(one)], ['2026-11-26', '2026-11-27'])
  assert.equal(timesOf(one), 'Thu 4:30 PM, Fri 6:30 AM for you')
  assert.deepEqual(await classesOf(away, '2026-11-26', '2026-11-26'), [])
  assert.equal((await classesOf(owner, '2026-11-26', '2026-11-26'))[0]?.yours, null)
  // It's logged on the day where it took place.
  const logged = await post(away, `schedules/${id}/log`, { date: one.original_date })
  assert.equal(logged.date, '2026-11-26')
})

test("'Did this class happen?' and what's next follow the moment a class ends, not the reader's clock", async () => {
  const { owner, away, create } = await aFamilyIn('Asia/Tokyo')
  await create({})
  const start = server.clock.now
  const read = async (person: Caller, at: string, today: string, time: string) => {
    server.clock.now = new Date(at)
    const { due, upcoming } = (await person.call('GET', `/api/v1/dashboard?today=${today}&time=${time}`))
      .body as unknown as { due: Occurrence[]; upcoming: Occurrence[] }
    const next = (await rows(person, `lesson-days?today=${today}&time=${time}`))
      .map((one) => one.next)
      .find(Boolean)
    assert.equal((next as Occurrence).date, upcoming[0]?.date)
    return [due.some(({ date }) => date === '2026-11-26'), upcoming[0]?.date]
  }
  try {
    // It ends at 6 PM in New York, which is 8 AM on Friday in Tokyo.
    assert.deepEqual(await read(owner, '2026-11-26T22:59:00Z', '2026-11-26', '17:59'), [true, '2026-11-26'])
    assert.deepEqual(await read(away, '2026-11-26T22:59:00Z', '2026-11-27', '07:59'), [true, '2026-11-26'])
    assert.deepEqual(await read(owner, '2026-11-26T23:00:00Z', '2026-11-26', '18:00'), [true, '2026-12-03'])
    assert.deepEqual(await read(away, '2026-11-26T23:00:00Z', '2026-11-27', '08:00'), [true, '2026-12-03'])
    // The evening before, it's not among the reader's days yet.
    assert.deepEqual(await read(away, '2026-11-26T12:00:00Z', '2026-11-26', '21:00'), [false, '2026-11-26'])
  } finally {
    server.clock.now = start
  }
})

test('a schedule has the zone of its creator unless another is chosen, and none until one is known', async () => {
  const { owner, away, create } = await aFamilyIn('Europe/Berlin')
  assert.equal((await create({ time_zone: 'Asia/Kolkata' })).time_zone, 'Asia/Kolkata')
  const { id, yours } = await create({})
  assert.equal(yours, null)
  const seen = (await rows(away, 'schedules')) as unknown as Schedule[]
  assert.match(String(seen.find((one) => one.id === id)?.yours?.start_time), /^(21|22):30$/)
  const patch = (time_zone: unknown) => owner.call('PATCH', `/api/v1/schedules/${id}`, { time_zone })
  for (const wrong of ['Mars/Olympus', '', '+05:00', 'x'.repeat(80), null, 5])
    assert.equal((await patch(wrong)).status, 422, String(wrong))
  assert.equal((await owner.call('GET', `/api/v1/schedules/${id}`)).body.time_zone, 'America/New_York')
  assert.deepEqual((await patch('Asia/Kathmandu')).body.time_zone, 'Asia/Kathmandu')

  const { owner: unknown, schedule } = await aFamily(server)
  const floats = async () => {
    const [one] = await classesOf(unknown, '2026-03-03', '2026-03-03')
    return [one?.time_zone, one?.ends_at, one?.yours]
  }
  assert.deepEqual(await floats(), [null, null, null])
  // Someone who moves doesn't move the lessons.
  await moveTo(unknown, 'America/Chicago')
  assert.deepEqual(await floats(), [null, null, null])
  await unknown.call('PATCH', `/api/v1/schedules/${schedule}`, { time_zone: 'America/Chicago' })
  assert.deepEqual(await floats(), ['America/Chicago', '2026-03-03T23:30:00.000Z', null])
})

test('a class at 2:30 AM takes place on the night the clock jumps, and ends when it lasted its time', async () => {
  const { owner, away, create } = await aFamilyIn('Europe/Berlin')
  const { id } = await create({ day_of_week: 0, start_time: '02:30', duration: 1, start_date: '2026-03-08' })
  const [jumped, usual] = await classesOf(away, '2026-03-08', '2026-03-15')
  assert.deepEqual([jumped?.date, jumped?.ends_at], ['2026-03-08', '2026-03-08T08:30:00.000Z'])
  assert.deepEqual([usual?.date, usual?.ends_at], ['2026-03-15', '2026-03-15T07:30:00.000Z'])
  assert.equal(jumped && timesOf(jumped), '2:30 AM, 8:30 AM for you')
  const logged = await post(owner, `schedules/${id}/log`, { date: '2026-03-08' })
  assert.deepEqual([logged.date, logged.duration], ['2026-03-08', 1])
})

test("a canceled class's number in calendars rises when it's canceled again after it was restored", async () => {
  const { owner, create } = await aFamilyIn('Europe/Berlin')
  const { id } = await create({})
  const change = (outcome?: string) =>
    owner.call('PUT', `/api/v1/schedules/${id}/occurrence`, {
      date: '2026-03-19',
      status: outcome ? 'canceled' : 'planned',
      outcome,
    })
  const { url } = await post(owner, 'calendar-feed', {})
  const sequence = async () => {
    const { body } = await server.app.inject({ url: new URL(String(url)).pathname })
    return Number(
      /SEQUENCE:(\d+)\r\n(?:(?!END:VEVENT)[^])*STATUS:CANCELLED/.exec(
        body.split('BEGIN:VEVENT')[2] ?? '',
      )?.[1],
    )
  }
  await change('canceled_late')
  const first = await sequence()
  await change('canceled_in_time')
  const second = await sequence()
  assert.ok(second > first)
  await change()
  assert.ok(Number.isNaN(await sequence()))
  await change('canceled_late')
  assert.ok((await sequence()) > second)
})

test('each side sees its own hour of a shared class, and of what the other side proposes about it', async () => {
  const { family, practice, child, tutor } = await aPair(server)
  await moveTo(family, 'America/New_York')
  await moveTo(practice, 'Europe/Berlin')
  const times = { day_of_week: 4, start_time: '16:30', duration: 1, start_date: '2026-11-05' }
  const made = await post(family, 'schedules', { student_id: child, tutor_id: tutor, ...times })
  const path = `schedules/${String(made.id)}`
  await family.call('PUT', `/api/v1/${path}/occurrence`, {
    date: '2026-12-10',
    status: 'moved',
    moved_to: '2026-12-10',
    start_time: '19:00',
  })
  await family.call('PATCH', `/api/v1/${path}`, { start_time: '20:00' })
  const ruleOf = async (person: Caller) =>
    (await person.call('GET', `/api/v1/${path}`)).body as unknown as Schedule
  const proposedTo = async (person: Caller) =>
    (await classesOf(person, '2026-12-10', '2026-12-10')).map(({ yours, proposed }) => [
      yours,
      proposed?.yours,
    ])
  const [own, theirs] = [await ruleOf(family), await ruleOf(practice)]
  assert.deepEqual([own.time_zone, own.yours, own.proposal?.yours], ['America/New_York', null, null])
  assert.deepEqual(theirs.yours, { day_of_week: 4, start_time: '22:30' })
  assert.deepEqual(theirs.proposal?.yours, { day_of_week: 5, start_time: '02:00' })
  assert.deepEqual(await proposedTo(family), [[null, null]])
  const night = { date: '2026-12-11', start_time: '01:00' }
  assert.deepEqual(await proposedTo(practice), [[{ date: '2026-12-10', start_time: '22:30' }, night]])
  const [moved] = (await practice.call('GET', '/api/v1/moved-classes')).body.classes as MovedClass[]
  assert.deepEqual(
    [moved?.now, moved?.proposed],
    [
      { date: '2026-12-10', start_time: '16:30', yours: { date: '2026-12-10', start_time: '22:30' } },
      { date: '2026-12-10', start_time: '19:00', yours: night },
    ],
  )
})

test('a class isn’t moved on top of another one of the same people that has another clock', async () => {
  const { owner, create } = await aFamilyIn('Europe/London')
  const here = await create({ time_zone: 'America/New_York' })
  await create({ day_of_week: 5, start_time: '22:00', time_zone: 'Europe/London' })
  const move = async (start_time: string) =>
    owner.call('PUT', `/api/v1/schedules/${here.id}/occurrence`, {
      date: '2026-12-10',
      status: 'moved',
      moved_to: '2026-12-11',
      start_time,
    })
  const refused = await move('16:30')
  assert.deepEqual([refused.status, refused.body.code], [409, 'on_another'], 'in London it is 9:30 PM')
  assert.equal((await move('22:00')).status, 200, 'in London it is 3 AM')
})

test('a schedule that both sides already have is the same one by another clock', () => {
  const one = { day_of_week: 4, start_time: '20:00', start_day: '2026-11-05', time_zone: 'America/New_York' }
  const same = { ...one, day_of_week: 5, start_time: '01:00', time_zone: 'Europe/London' }
  assert.equal(isSameHour(one, same), true)
  assert.equal(isSameHour(one, { ...same, start_time: '20:00', day_of_week: 4 }), false)
  assert.equal(isSameHour(one, { ...one, time_zone: null }), true)
})
