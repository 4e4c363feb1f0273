// What people type, as the server takes it: decimal commas, invisible characters, and names in the order and
// spelling of every language.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { grantAdmin } from '#features/admin/queries.server.ts'
import { compareNames } from '#kernel/names.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let parent: Caller
before(async () => {
  server = await startTestServer()
  parent = await server.aUser('parent')
})
after(async () => server.stop())

async function added(path: string, body: object, who = parent): Promise<{ id: string }> {
  const answer = await who.call('POST', `/api/v1/${path}`, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body as unknown as { id: string }
}

test('an amount with a decimal comma is stored to the cent, in every field that takes one', async () => {
  const tutor = await added('tutors', { name: 'Ingrid', hourly_rate: '32,50' })
  const child = await added('students', { name: 'Maya' })
  const lesson = { student_id: child.id, tutor_id: tutor.id, date: '2026-11-02' }
  const session = await added('sessions', { ...lesson, duration: '1,5', hourly_rate: "1'032.50" })
  const usual = await added('sessions', { ...lesson, date: '2026-11-03', duration: '٠٫٥' })
  const schedule = await added('schedules', {
    student_id: child.id,
    tutor_id: tutor.id,
    day_of_week: 1,
    start_time: '16:00',
    duration: '1,5',
    hourly_rate: '٣٢٫٥٠',
    start_date: '2026-11-02',
  })
  const payment = await added('payments', {
    tutor_id: tutor.id,
    date: '2026-11-02',
    kind: 'hours',
    amount: '1.234,50',
    hours: '10,25',
  })
  for (const [row, expected] of [
    [tutor, { hourly_rate: 32.5 }],
    [session, { duration: 1.5, hourly_rate: 1032.5, total_amount: 1548.75 }],
    [usual, { duration: 0.5, total_amount: 16.25 }],
    [schedule, { duration: 1.5, hourly_rate: 32.5 }],
    [payment, { amount: 1234.5, hours: 10.25 }],
  ] as const)
    for (const [field, value] of Object.entries(expected))
      assert.equal((row as Record<string, unknown>)[field], value, field)
})

test('an amount that could be thousands or decimals is asked about, and nothing is stored', async () => {
  for (const [amount, message] of [
    ['1,234', 'Is that 1,234.00 or 1.23?'],
    ['45.000', 'Is that 45,000.00 or 45.00?'],
  ] as const) {
    const answer = await parent.call('POST', '/api/v1/payments', { date: '2026-11-02', amount })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, [{ field: 'amount', message }])
  }
})

test('I3: text that the database cannot store is refused with its field, wherever it is sent', async () => {
  const stranger = server.aStranger()
  for (const bad of ['\0', '\ud800', '\udc00x', 'a\0b'])
    for (const [who, method, path, body, field] of [
      [parent, 'POST', '/api/v1/tutors', { name: 'Ingrid', email: `i${bad}@example.com` }, 'email'],
      [parent, 'POST', '/api/v1/tutors', { name: 'Ingrid', subjects: ['Art', bad] }, 'subjects.1'],
      [parent, 'POST', '/api/v1/students', { name: `Maya${bad}` }, 'name'],
      [parent, 'PATCH', '/api/v1/me', { full_name: bad }, 'full_name'],
      [parent, 'POST', '/api/v1/invitations', { friend_email: `x${bad}@example.com` }, 'friend_email'],
      [parent, 'POST', '/api/v1/speech', { transcript: `one hour${bad}` }, 'transcript'],
      [stranger, 'POST', '/api/auth/sign-in', { email: `x${bad}@example.com`, password: 'y' }, 'email'],
      [stranger, 'POST', '/api/auth/sign-in', { email: 'x@example.com', password: bad }, 'password'],
      [
        stranger,
        'POST',
        '/api/auth/reset',
        { access_token: bad, refresh_token: 'x', password: 'y' },
        'access_token',
      ],
    ] as const) {
      const answer = await who.call(method, path, body)
      assert.equal(answer.status, 422, `${path} ${escape(bad)} ${JSON.stringify(answer.body)}`)
      assert.ok(
        answer.body.errors?.some((error) => error.field === field),
        path,
      )
    }
  const query = await parent.call('GET', '/api/v1/sessions?month=2026-11&limit=%00')
  assert.equal(query.status, 422)
})

test('I1: an address, a header or a cookie with NUL is refused, and never an error of ours', async () => {
  for (const path of [
    '/api/v1/students/%00',
    '/api/v1/students?archived=%00',
    '/api/v1/admin/people?search=%00',
    '/calendar/%00.ics',
    '/verify/%00',
    '/unsubscribe?token=%00',
    '/mailbox/messages?to=%00',
    '/reset-password?access_token=%00&refresh_token=%ED%A0%80',
    '/%00',
  ]) {
    const { statusCode } = await server.app.inject({ url: path, headers: { cookie: 'a=%00; b=%ED%A0%80' } })
    assert.ok(statusCode < 500, `${path} ${statusCode}`)
  }
  for (const name of parent.cookies.keys()) {
    const { statusCode } = await server.app.inject({ url: '/api/v1/me', headers: { cookie: `${name}=%00x` } })
    assert.equal(statusCode, 401)
  }
})

test('a search for people finds a name without the letters that a keyboard lacks', async () => {
  const admin = await server.aUser()
  await server.db.asSystem((tx) => grantAdmin(tx, admin.id))
  const sought = await server.aUser('tutor')
  for (const [name, search] of [
    ['Łukasz Żak', 'lukasz zak'],
    ['SØREN STRAẞE', 'soren strasse'],
    ['Ma\u200bya Éva', 'maya eva'],
  ] as const) {
    await sought.call('PATCH', '/api/v1/me', { full_name: name })
    const { body } = await admin.call('GET', `/api/v1/admin/people?search=${encodeURIComponent(search)}`)
    assert.deepEqual(
      (body as { people?: { full_name: string }[] }).people?.map((one) => one.full_name),
      [name],
    )
  }
})

test('I3: a name that nobody can see is missing, and one in front of or behind a name is left out', async () => {
  for (const hidden of ['\u200b', '\u2060', '\u3164', '\u00ad', '\u200e', '\u2800', '\ufe0f']) {
    const missing = await parent.call('POST', '/api/v1/students', { name: hidden })
    assert.deepEqual(missing.body.errors, [{ field: 'name', message: 'Name is required' }])
    const { name } = (await added('students', { name: `${hidden}Theo ${hidden}` })) as { name?: string }
    assert.equal(name, 'Theo')
  }
})

test('an import adds no second child for a name that only differs in what nobody can see', async () => {
  const family = await server.aUser('parent')
  await added('students', { name: 'Maya Whitfield' }, family)
  const lines = [
    'Maya Whitfield\u200b',
    '\u2060maya\u00a0\u3164WHITFIELD',
    'Ma\u00adya Whitfield',
    '\u200eTheo',
    'Theo\u2800',
  ]
  const text = [
    'Date,Student,Tutor,Hours',
    ...lines.map((name, at) => `2026-11-0${at + 1},${name},Ingrid\u200b,1`),
  ]
  const done = await family.call('POST', '/api/v1/imports', { text: text.join('\n') })
  assert.deepEqual([done.status, done.body.students, done.body.tutors], [201, 1, 1])
  const { by_student: groups } = (await family.call('GET', '/api/v1/summary?month=2026-11')).body as {
    by_student?: { name: string; sessions: number }[]
  }
  assert.deepEqual(groups?.map(({ name, sessions }) => [name, sessions]).sort(), [
    ['Maya Whitfield', 3],
    ['Theo', 2],
  ])
})

test('a list of people is in the order of the alphabet, accents and other letters included', async () => {
  const other = await server.aUser('parent')
  const names = [
    'Zoë',
    'Łukasz',
    'bo',
    'Éva',
    'Ángel',
    'Anna',
    'Adam',
    'Øystein',
    'Luna',
    'Lukas',
    'Żaneta',
    'Аня',
  ]
  for (const name of names) {
    await added('students', { name }, other)
    await added('tutors', { name }, other)
  }
  for (const list of ['students', 'tutors']) {
    const { body } = await other.call('GET', `/api/v1/${list}`)
    const listed = (body as unknown as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(listed, [...names].sort(compareNames))
  }
})

test('the database and the browser spell every letter alike when they search', async () => {
  const { rows } = await server.db.asSystem((tx) =>
    sql<{ letter: string; plain: string }>`
      select chr(code) as letter, plain_spelling(chr(code)) as plain from generate_series(1, 196607) code
      where code not between 55296 and 57343`.execute(tx),
  )
  assert.ok(rows.length > 190_000)
  const different = rows.filter(({ letter, plain }) => plain !== plainSpelling(letter))
  // Letters that got a lowercase form in a later version of Unicode than the one ICU was built with.
  const news = different.filter(({ letter, plain }) => plainSpelling(plain) === plainSpelling(letter))
  assert.deepEqual(
    different.filter((one) => !news.includes(one)),
    [],
  )
})
