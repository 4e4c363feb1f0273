import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { MAX_SCHEDULES } from './schedule.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Family {
  parent: Caller
  child: string
  tutor: string
}

async function aFamily(): Promise<Family> {
  const parent = await server.aUser()
  const child = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
  )
  return { parent, child, tutor }
}

const tuesdays = (family: Family, more: object = {}) => ({
  student_id: family.child,
  tutor_id: family.tutor,
  day_of_week: 2,
  start_time: '16:30',
  duration: 1.5,
  frequency: 'weekly',
  start_date: '2026-11-01',
  timezone: 'UTC',
  is_active: true,
  ...more,
})
const create = async (family: Family, more: object = {}) =>
  (await family.parent.call('POST', '/api/v1/schedules', tuesdays(family, more))).body as { id: string }
const occurrences = async (caller: Caller, from: string, to: string) =>
  (await caller.call('GET', `/api/v1/occurrences?from=${from}&to=${to}`)).body as unknown as {
    date: string
    original_date: string
    start_time: string
    status: string
    session_id: string | null
  }[]
const sessionsOf = async (caller: Caller) =>
  (await caller.call('GET', '/api/v1/sessions')).body.sessions as {
    id: string
    date: string
    total_amount: number
  }[]
const fieldsOf = (answer: { body: { errors?: { field: string; message: string }[] } }) =>
  answer.body.errors?.map(({ field, message }) => `${field}: ${message}`)

test('a schedule is created active, read with its names, changed and deleted, and the deletion can be undone', async () => {
  const family = await aFamily()
  const created = await family.parent.call(
    'POST',
    '/api/v1/schedules',
    tuesdays(family, { hourly_rate: '50.50', subject: ' Algebra ' }),
  )
  assert.equal(created.status, 201)
  const { id, version, ...rest } = created.body as Record<string, unknown>
  assert.deepEqual(rest, {
    created_by_user_id: family.parent.id,
    student_id: family.child,
    student_name: 'Maya',
    tutor_id: family.tutor,
    tutor_name: 'Ingrid',
    subject: 'Algebra',
    day_of_week: 2,
    start_time: '16:30',
    duration: 1.5,
    hourly_rate: 50.5,
    frequency: 'weekly',
    custom_interval_days: null,
    start_date: '2026-11-01',
    end_date: null,
    timezone: 'UTC',
    time_zone: null,
    yours: null,
    is_active: true,
    notes: null,
    connection_id: null,
    is_shared: false,
    proposal: null,
    ended_by_other: null,
    feed_id: id,
  })
  const path = `/api/v1/schedules/${String(id)}`
  const changed = await family.parent.call(
    'PATCH',
    path,
    { frequency: 'custom', custom_interval_days: 10 },
    { 'if-match': `"${String(version)}"` },
  )
  assert.deepEqual([changed.status, changed.body.custom_interval_days], [200, 10])
  assert.equal(
    (await family.parent.call('PATCH', path, { notes: 'x' }, { 'if-match': `"${String(version)}"` })).body
      .code,
    'changed',
  )
  assert.equal(
    (await family.parent.call('PATCH', path, { frequency: 'weekly' })).body.custom_interval_days,
    null,
  )
  assert.equal((await family.parent.call('DELETE', path, {})).status, 204)
  assert.equal((await family.parent.call('GET', path)).status, 404)
  assert.deepEqual(await occurrences(family.parent, '2026-11-01', '2026-11-30'), [])
})

test('I4: every bad field of a schedule is refused with its name, and nothing is written', async () => {
  const family = await aFamily()
  const bad: [object, string][] = [
    [{ student_id: '' }, 'student_id: Please select a student'],
    [{ tutor_id: undefined }, 'tutor_id: Please select a tutor'],
    [{ day_of_week: 7 }, 'day_of_week: Please select a day'],
    [{ day_of_week: -1 }, 'day_of_week: Please select a day'],
    [{ day_of_week: undefined }, 'day_of_week: Please select a day'],
    [{ start_time: '' }, 'start_time: Please enter start time'],
    [{ start_time: undefined }, 'start_time: Please enter start time'],
    [{ start_time: '24:00' }, 'start_time: Enter a time such as 16:30'],
    [{ duration: '' }, 'duration: Please enter duration'],
    [{ duration: 0 }, 'duration: The shortest duration is 0.5 hours'],
    [{ duration: 0.75 }, 'duration: Use half hours, such as 0.5 or 1.5'],
    [{ frequency: 'daily' }, 'frequency: Please select a frequency'],
    [{ frequency: 'custom' }, 'custom_interval_days: Please enter the number of days between classes'],
    [{ frequency: 'custom', custom_interval_days: 0 }, 'custom_interval_days: Enter 1 to 366 days'],
    [{ start_date: '' }, 'start_date: Please select a start date'],
    [{ start_date: '2026-02-30' }, "start_date: This date doesn't exist"],
    [{ end_date: '2026-10-31' }, "end_date: The end date can't be before the start date"],
    [{ hourly_rate: -1 }, "hourly_rate: The rate can't be negative"],
    [{ timezone: 'America/New_York' }, 'timezone: Invalid input'],
    [{ created_by_user_id: family.parent.id }, 'created_by_user_id: Unknown field'],
  ]
  for (const [change, problem] of bad) {
    const answer = await family.parent.call('POST', '/api/v1/schedules', tuesdays(family, change))
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [problem]], JSON.stringify(change))
  }
  assert.deepEqual((await family.parent.call('GET', '/api/v1/schedules')).body, [])
  const { id } = await create(family)
  for (const [change, code] of [
    [{ end_date: '2026-10-01' }, 'ends_before_start'],
    [{ frequency: 'custom' }, 'no_interval'],
  ] as const) {
    assert.equal((await family.parent.call('PATCH', `/api/v1/schedules/${id}`, change)).body.code, code)
  }
})

const several = ({ parent }: Family, body: object, headers?: Record<string, string>) =>
  parent.call('POST', '/api/v1/schedules/several', body, headers)
const onDays = (family: Family, times: unknown, more: object = {}) => {
  const { day_of_week: _, start_time: __, ...others } = tuesdays(family)
  return { ...others, times, ...more }
}
const TUE_THU = [
  { day_of_week: 2, start_time: '16:30' },
  { day_of_week: 4, start_time: '17:00' },
]

test('several weekdays become a schedule each, once, also if the request is sent twice', async () => {
  const family = await aFamily()
  const body = onDays(family, TUE_THU, { subject: 'Algebra', hourly_rate: 50.5 })
  const key = { 'idempotency-key': crypto.randomUUID() }
  const answers = [await several(family, body, key), await several(family, body, key)]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
  const [created, again] = answers.map((answer) => answer.body.schedules as Record<string, unknown>[])
  assert.deepEqual(created, again)
  assert.deepEqual(
    created?.map((one) => [one.day_of_week, one.start_time, one.subject, one.hourly_rate, one.student_name]),
    [
      [2, '16:30', 'Algebra', 50.5, 'Maya'],
      [4, '17:00', 'Algebra', 50.5, 'Maya'],
    ],
  )
  const stored = (await family.parent.call('GET', '/api/v1/schedules')).body as unknown as { id: string }[]
  assert.deepEqual(stored.map(({ id }) => id).toSorted(), created?.map(({ id }) => id).toSorted())
  assert.deepEqual(
    (await occurrences(family.parent, '2026-11-01', '2026-11-07')).map(({ date }) => date),
    ['2026-11-03', '2026-11-05'],
  )
})

test('I4: several weekdays are created all or not at all, and what was wrong is named', async () => {
  const [family, other] = [await aFamily(), await aFamily()]
  const bad: [unknown, object, string][] = [
    [[], {}, 'times: Please select a day'],
    [undefined, {}, 'times: Please select a day'],
    [[...TUE_THU, { day_of_week: 2, start_time: '09:00' }], {}, 'times: Select each day once'],
    [[...TUE_THU, { day_of_week: 7, start_time: '09:00' }], {}, 'times.2.day_of_week: Please select a day'],
    [[...TUE_THU, { day_of_week: 5, start_time: '' }], {}, 'times.2.start_time: Please enter start time'],
    [TUE_THU, { end_date: '2026-10-31' }, "end_date: The end date can't be before the start date"],
    [TUE_THU, { day_of_week: 2 }, 'day_of_week: Unknown field'],
    [
      TUE_THU,
      { frequency: 'custom' },
      'custom_interval_days: Please enter the number of days between classes',
    ],
  ]
  for (const [times, more, problem] of bad) {
    const answer = await several(family, onDays(family, times, more))
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [problem]])
  }
  for (const [more, code] of [
    [{ student_id: other.child }, 'unknown_student'],
    [{ tutor_id: other.tutor }, 'unknown_tutor'],
  ] as const)
    assert.equal((await several(family, onDays(family, TUE_THU, more))).body.code, code)
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query(
    `insert into schedules (family_id, day_of_week, start_time, minutes, day, currency)
      select $1, 1, '16:00', 60, '2026-11-02', 'USD' from generate_series(1, $2::int)`,
    [family.parent.id, MAX_SCHEDULES - 1],
  )
  await client.end()
  assert.equal((await several(family, onDays(family, TUE_THU))).body.code, 'too_many_rows')
  const { length } = (await family.parent.call('GET', '/api/v1/schedules')).body as unknown as unknown[]
  assert.equal(length, MAX_SCHEDULES - 1)
  assert.deepEqual(await occurrences(other.parent, '2026-11-01', '2026-11-30'), [])
})

test("T1, T2, T3: another family's schedules, students and tutors are out of reach", async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  const { id } = await create(ann)
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { notes: 'mine' }],
    ['DELETE', '', {}],
    ['POST', '/log', { date: '2026-11-03' }],
    ['PUT', '/occurrence', { date: '2026-11-03', status: 'canceled', outcome: 'canceled_late' }],
  ] as const)
    assert.equal(
      (await bob.parent.call(method, `/api/v1/schedules/${id}${path}`, body)).status,
      404,
      method + path,
    )
  assert.equal(
    (await bob.parent.call('POST', '/api/v1/schedules', tuesdays(bob, { student_id: ann.child }))).body.code,
    'unknown_student',
  )
  assert.equal(
    (await bob.parent.call('POST', '/api/v1/schedules', tuesdays(bob, { tutor_id: ann.tutor }))).body.code,
    'unknown_tutor',
  )
  const own = {
    student_id: bob.child,
    tutor_id: bob.tutor,
    date: '2026-11-03',
    duration: 1,
    schedule_id: id,
    occurrence_date: '2026-11-03',
  }
  assert.equal((await bob.parent.call('POST', '/api/v1/sessions', own)).body.code, 'unknown_schedule')
  assert.deepEqual(
    [await occurrences(bob.parent, '2026-11-01', '2026-11-30'), await sessionsOf(bob.parent)],
    [[], []],
  )
})

test("D5: a class is logged once, however often and from wherever it's requested", async () => {
  const family = await aFamily()
  const { id } = await create(family, { subject: 'Algebra' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      family.parent.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-11-03' }),
    ),
  )
  assert.equal(new Set(answers.map(({ status, body }) => `${status} ${String(body.id)}`)).size, 1)
  assert.deepEqual(
    [
      answers[0]?.status,
      answers[0]?.body.total_amount,
      answers[0]?.body.subject,
      answers[0]?.body.occurrence_date,
    ],
    [201, 67.5, 'Algebra', '2026-11-03'],
  )
  const byForm = await family.parent.call('POST', '/api/v1/sessions', {
    student_id: family.child,
    tutor_id: family.tutor,
    date: '2026-11-03',
    duration: 1,
    schedule_id: id,
    occurrence_date: '2026-11-03',
  })
  assert.deepEqual([byForm.status, byForm.body.code], [409, 'already_logged'])
  assert.equal((await sessionsOf(family.parent)).length, 1)
  assert.equal(
    (
      await family.parent.call('PUT', `/api/v1/schedules/${id}/occurrence`, {
        date: '2026-11-03',
        status: 'canceled',
        outcome: 'no_show',
      })
    ).body.code,
    'already_logged',
  )
})

test('a class is canceled, moved and put back, and the rest of the series stays as it was', async () => {
  const family = await aFamily()
  const { id } = await create(family)
  const change = (body: object) => family.parent.call('PUT', `/api/v1/schedules/${id}/occurrence`, body)
  const november = async () =>
    (await occurrences(family.parent, '2026-11-01', '2026-11-30')).map(
      ({ date, start_time: time, status }) => `${date.slice(8)} ${time} ${status}`,
    )
  assert.equal(
    (await change({ date: '2026-11-10', status: 'canceled', outcome: 'canceled_late' })).status,
    200,
  )
  assert.equal(
    (await change({ date: '2026-11-17', status: 'moved', moved_to: '2026-11-19', start_time: '09:00' }))
      .status,
    200,
  )
  assert.deepEqual(await november(), [
    '03 16:30 planned',
    '10 16:30 canceled',
    '19 09:00 planned',
    '24 16:30 planned',
  ])
  assert.equal(
    (await family.parent.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-11-17' })).body.date,
    '2026-11-19',
  )
  assert.equal((await change({ date: '2026-11-10', status: 'planned' })).status, 200)
  assert.deepEqual(await november(), [
    '03 16:30 planned',
    '10 16:30 planned',
    '19 09:00 logged',
    '24 16:30 planned',
  ])
  assert.deepEqual(
    fieldsOf(await change({ date: '2026-11-11', status: 'canceled', outcome: 'canceled_late' })),
    ['date: This schedule has no class on that day'],
  )
  assert.deepEqual(fieldsOf(await change({ date: '2026-11-24', status: 'moved' })), [
    'moved_to: Enter the new day and time',
    'start_time: Enter the new day and time',
  ])
  assert.equal(
    (await family.parent.call('GET', '/api/v1/occurrences?from=2026-11-01&to=2029-11-30')).status,
    422,
  )
})

test('D7: without its tutor a schedule is inactive, and becomes active again only with another', async () => {
  const family = await aFamily()
  const { id } = await create(family)
  await family.parent.call('DELETE', `/api/v1/tutors/${family.tutor}`, {})
  const path = `/api/v1/schedules/${id}`
  assert.deepEqual(
    [
      (await family.parent.call('GET', path)).body.is_active,
      (await family.parent.call('GET', path)).body.tutor_name,
    ],
    [false, null],
  )
  assert.equal((await family.parent.call('PATCH', path, { is_active: true })).body.code, 'nobody')
  const other = String((await family.parent.call('POST', '/api/v1/tutors', { name: 'Samuel' })).body.id)
  assert.equal(
    (await family.parent.call('PATCH', path, { is_active: true, tutor_id: other })).body.is_active,
    true,
  )
})

test('the dashboard asks about past classes that nobody logged, and shows the next ones', async () => {
  const family = await aFamily()
  const { id } = await create(family)
  const read = async () =>
    (await family.parent.call('GET', '/api/v1/dashboard?today=2026-11-18')).body as unknown as Record<
      'due' | 'upcoming',
      { date: string }[]
    > & { active_schedules: number }
  const days = (list: { date: string }[]) => list.map(({ date }) => date)
  assert.deepEqual(
    [days((await read()).due), days((await read()).upcoming), (await read()).active_schedules],
    [['2026-11-10', '2026-11-17'], ['2026-11-24'], 1],
  )
  await family.parent.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-11-10' })
  // This class was logged with the form, not from the schedule. It has the same student, tutor and day.
  await family.parent.call('POST', '/api/v1/sessions', {
    student_id: family.child,
    tutor_id: family.tutor,
    date: '2026-11-17',
    duration: 2,
  })
  assert.deepEqual(days((await read()).due), [])
})

test('T9, A18: the calendar address is secret and stored as a hash, and a new one replaces it', async () => {
  const family = await aFamily()
  await create(family)
  assert.deepEqual((await family.parent.call('GET', '/api/v1/calendar-feed')).body, { created_at: null })
  const first = new URL(String((await family.parent.call('POST', '/api/v1/calendar-feed', {})).body.url))
  const stranger = server.aStranger()
  const feed = await server.app.inject({ url: first.pathname })
  assert.deepEqual([feed.statusCode, feed.headers['content-type']], [200, 'text/calendar; charset=utf-8'])
  assert.match(String(feed.headers['x-robots-tag']), /noindex/)
  assert.match(feed.body, /SUMMARY:Maya: General Tutoring/)
  assert.match(feed.body, /DTSTART:20261103T163000\r\n/)
  const second = new URL(String((await family.parent.call('POST', '/api/v1/calendar-feed', {})).body.url))
  assert.equal((await stranger.call('GET', first.pathname)).status, 404)
  assert.equal((await stranger.call('GET', second.pathname)).status, 200)
  assert.equal((await family.parent.call('DELETE', '/api/v1/calendar-feed', {})).status, 204)
  assert.equal((await stranger.call('GET', second.pathname)).status, 404)
  for (const wrong of [
    '/calendar/x.ics',
    `/calendar/${'a'.repeat(43)}.ics`,
    second.pathname.replace('.ics', ''),
  ])
    assert.equal((await stranger.call('GET', wrong)).status, 404, wrong)
})

test('A16: the calendar link of a disabled or deleted account stops working, and works again with the account', async () => {
  const { parent } = await aFamily()
  const { pathname } = new URL(String((await parent.call('POST', '/api/v1/calendar-feed', {})).body.url))
  const stranger = server.aStranger()
  for (const shut of ['disabled_at', 'deletion_asked_at'] as const) {
    const set = (at: Date | null) =>
      server.db.asSystem((tx) =>
        tx
          .updateTable('users')
          .set({ [shut]: at })
          .where('id', '=', parent.id)
          .execute(),
      )
    await set(new Date())
    assert.equal((await stranger.call('GET', pathname)).status, 404, shut)
    await set(null)
    assert.equal((await stranger.call('GET', pathname)).status, 200, shut)
  }
})

test("'Did this class happen?' is not asked about a class that the other side logged", async () => {
  const family = await aFamily()
  const tutor = await server.aUser('tutor')
  const { parent, child: student_id, tutor: tutor_id } = family
  await parent.call('PATCH', `/api/v1/tutors/${tutor_id}`, { email: tutor.email })
  const log = (date: string) =>
    parent.call('POST', '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 })
  await log('2026-11-03')
  await parent.call('POST', '/api/v1/connections', { tutor_id })
  const [connection] = (await tutor.call('GET', '/api/v1/connections')).body as unknown as { id: string }[]
  await tutor.call('PATCH', `/api/v1/connections/${connection?.id}`, { state: 'active' })
  const [student] = (await tutor.call('GET', '/api/v1/students')).body as unknown as { id: string }[]
  const [self] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const { id } = await create(family)
  const again = await tutor.call(
    'POST',
    '/api/v1/schedules',
    tuesdays({ parent: tutor, child: String(student?.id), tutor: String(self?.id) }),
  )
  assert.deepEqual([again.status, again.body.code], [409, 'same_schedule'])
  // Three sessions: one logged before the schedule existed, one with the form, and one from the family's own
  // schedule.
  await log('2026-11-10')
  await parent.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-11-17' })
  const statuses = async (person: Caller) =>
    (await occurrences(person, '2026-11-01', '2026-11-30')).map(({ date, status }) => `${date} ${status}`)
  const expected = ['2026-11-03 logged', '2026-11-10 logged', '2026-11-17 logged', '2026-11-24 planned']
  assert.deepEqual(await statuses(parent), expected)
  assert.deepEqual(await statuses(tutor), expected)
  const due = async (person: Caller) =>
    (await person.call('GET', '/api/v1/dashboard?today=2026-11-18&time=23:00')).body.due
  assert.deepEqual([await due(parent), await due(tutor)], [[], []])
})
