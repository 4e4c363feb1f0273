import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const HEADER = 'Date,Student,Tutor,Duration (hours),Rate ($/hour),Amount ($),Subject,Notes'
const csv = (...lines: string[]) => [HEADER, ...lines].join('\n')
const counts = async (caller: Caller) =>
  Promise.all(
    ['students?archived=all', 'tutors?archived=all', 'sessions?limit=200'].map(async (list) => {
      const { body } = await caller.call('GET', `/api/v1/${list}`)
      return ((body.sessions ?? body) as unknown[]).length
    }),
  )
const csvOf = async (caller: Caller, from = '2025-01-01', to = '2026-12-31') =>
  (
    await server.app.inject({
      method: 'GET',
      url: `/api/v1/statements/sessions.csv?from=${from}&to=${to}`,
      headers: { cookie: [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
  ).payload

test('a preview says what would be written and writes nothing; the import writes it', async () => {
  const parent = await server.aUser()
  const text = csv(
    '2026-11-03,Maya,Ingrid,1.5,45.55,68.33,Algebra,"two\nlines"',
    '11/5/2026,Theo,Ingrid,1,$60,,Reading,',
  )
  const preview = (await parent.call('POST', '/api/v1/imports/preview', { text })).body
  assert.deepEqual(
    [
      preview.sessions,
      preview.hours,
      preview.amount,
      preview.refused,
      preview.new_students,
      preview.new_tutors,
    ],
    [2, 2.5, 128.33, 0, ['Maya', 'Theo'], ['Ingrid']],
  )
  assert.deepEqual(preview.columns, {
    date: 0,
    student: 1,
    tutor: 2,
    duration: 3,
    rate: 4,
    amount: 5,
    subject: 6,
    notes: 7,
  })
  assert.deepEqual(await counts(parent), [0, 0, 0])
  const done = await parent.call('POST', '/api/v1/imports', { text })
  assert.deepEqual(
    [done.status, done.body],
    [201, { sessions: 2, charges: 0, held: 0, students: 2, tutors: 1, latest_month: '2026-11' }],
  )
  assert.equal((await parent.call('GET', '/api/v1/summary?month=2026-11')).body.total_amount, 128.33)
  assert.deepEqual(await counts(parent), [2, 1, 2])
})

test('D8: if one line is refused, nothing is written; every refused line is listed', async () => {
  const parent = await server.aUser()
  const answer = await parent.call('POST', '/api/v1/imports', {
    text: csv(
      '2026-11-03,Maya,Ingrid,1.5,,,,',
      '2026-02-30,Maya,Ingrid,1,,,,',
      '2026-11-04,Maya,Ingrid,0.1,,,,',
    ),
  })
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.errors?.map(({ field }) => field)],
    [422, 'lines_refused', ['line 3', 'line 4']],
  )
  assert.deepEqual(await counts(parent), [0, 0, 0])
})

test('lines with errors are skipped if there are as many as the preview showed, and the others are imported', async () => {
  const parent = await server.aUser()
  const send = (skip_refused: unknown) =>
    parent.call('POST', '/api/v1/imports', {
      text: csv(
        '2026-11-03,Maya,Ingrid,1.5,,,,',
        '2026-02-30,Theo,Ingrid,1,,,,',
        '2026-11-05,Maya,Ingrid,1,,,,',
      ),
      skip_refused,
    })
  for (const count of [0, 2, -1, 'one', true]) assert.equal((await send(count)).status, 422)
  assert.deepEqual(await counts(parent), [0, 0, 0])
  const { status, body } = await send(1)
  assert.deepEqual([status, body.sessions, body.students], [201, 2, 1])
})

test('D8: if any statement of an import fails, the account stays as it was', async () => {
  const parent = await server.aUser()
  const owner = new pg.Client({ connectionString: server.superuserUrl })
  await owner.connect()
  const text = csv('2026-11-03,Maya,Ingrid,1.5,,,,', '2026-11-04,Theo,Samuel,1,,,,')
  try {
    // The database rejects one row: first a child, then a tutor, then a session.
    for (const [table, column, value] of [
      ['students', 'name', 'Theo'],
      ['tutors', 'name', 'Samuel'],
      ['sessions', 'day', '2026-11-04'],
    ]) {
      await owner.query(
        `alter table ${table} add constraint planted check (${column} <> '${value}') not valid`,
      )
      assert.equal((await parent.call('POST', '/api/v1/imports', { text })).status, 500, table)
      await owner.query(`alter table ${table} drop constraint planted`)
      assert.deepEqual(await counts(parent), [0, 0, 0], table)
    }
  } finally {
    await owner.end()
  }
  assert.equal((await parent.call('POST', '/api/v1/imports', { text })).status, 201)
})

test('D12: an exported CSV imports into a fresh account to the same totals, hostile names and all', async () => {
  const parent = await server.aUser()
  const child = String(
    (await parent.call('POST', '/api/v1/students', { name: '=HYPERLINK("x"), "Maya"' })).body.id,
  )
  const other = String((await parent.call('POST', '/api/v1/students', { name: "'Łukasz; O'Neil" })).body.id)
  const gone = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Gone', hourly_rate: 31.07 })).body.id,
  )
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: '-Ingrid', hourly_rate: '45.55' })).body.id,
  )
  const free = String((await parent.call('POST', '/api/v1/tutors', { name: 'Without a rate' })).body.id)
  for (const [student_id, tutor_id, date, duration, more] of [
    [child, tutor, '2026-11-03', 1.5, { notes: '=SUM(A1)\n"quoted"', subject: '@home' }],
    [child, tutor, '2026-11-03', 1.5, {}],
    [other, tutor, '2026-10-04', 0.25, { hourly_rate: '0.01' }],
    [other, free, '2026-11-05', 2, {}],
    [child, gone, '2025-12-31', 1.75, {}],
    [other, tutor, '2026-11-30', 0, {}],
  ] as const)
    await parent.call('POST', '/api/v1/sessions', { student_id, tutor_id, date, duration, ...more })
  await parent.call('DELETE', `/api/v1/tutors/${gone}`, {})
  const text = await csvOf(parent)
  const fresh = await server.aUser()
  assert.deepEqual((await fresh.call('POST', '/api/v1/imports', { text })).body.sessions, 6)
  for (const month of ['2025-12', '2026-10', '2026-11']) {
    const totals = await Promise.all(
      [parent, fresh].map(async (caller) => {
        const { body } = await caller.call('GET', `/api/v1/summary?month=${month}`)
        return [
          body.total_sessions,
          body.total_hours,
          body.total_amount,
          ...[body.by_tutor, body.by_student].map((groups) =>
            (groups as { name: string; sessions: number; hours: number; amount: number }[]).map(
              ({ name, sessions, hours, amount }) => ({ name, sessions, hours, amount }),
            ),
          ),
        ]
      }),
    )
    assert.deepEqual(totals[1], totals[0], month)
  }
  // Sessions on the same day are sorted by id, and an import assigns new ids.
  const sorted = (file: string) =>
    file
      .replace(/person-\d+/, 'holder')
      .split('\r\n')
      .sort()
  assert.deepEqual(sorted(await csvOf(fresh)), sorted(text))
})

test('sessions already in the log are left out, so importing the same file twice changes nothing', async () => {
  const parent = await server.aUser()
  const text = csv(
    '2026-11-03,Maya,Ingrid,1.5,45,,,',
    '2026-11-04,Maya,Ingrid,1,45,,,',
    '2026-11-04,Maya,Ingrid,1,45,,,',
  )
  await parent.call('POST', '/api/v1/imports', { text })
  assert.deepEqual(await counts(parent), [1, 1, 3])
  const again = (await parent.call('POST', '/api/v1/imports/preview', { text })).body
  assert.deepEqual([again.sessions, again.existing, again.new_students], [0, 3, []])
  assert.equal((await parent.call('POST', '/api/v1/imports', { text })).body.code, 'nothing')
  assert.equal(
    (await parent.call('POST', '/api/v1/imports', { text, skip_existing: false, skip_repeats: true })).body
      .sessions,
    2,
  )
})

test('D5: a retry of an import writes once', async () => {
  const parent = await server.aUser()
  const text = csv('2026-11-03,Maya,Ingrid,1.5,45,,,')
  const answers = await Promise.all(
    [1, 2].map(() => parent.call('POST', '/api/v1/imports', { text }, { 'idempotency-key': 'once' })),
  )
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [201, 201],
  )
  assert.deepEqual(await counts(parent), [1, 1, 1])
})

test('lines before the column names are skipped, and the numbers of the others are still those of the file', async () => {
  const parent = await server.aUser()
  for (const before of [
    'sep=;\n',
    'Tutoring, fall 2026\n\n',
    'Attendance report\nFrom 11/1/2026 to 11/30/2026\nStudent: all;;;\nTutor;Ingrid\n',
    'sep=;\r\nMy lessons;;;\r\n',
  ]) {
    const text = `${before}Date;Student;Tutor;Hours\n3.11.2026;Maya;Ingrid;1,5\n4.11.2026;Maya;Ingrid;x`
    const { body } = await parent.call('POST', '/api/v1/imports/preview', { text })
    assert.deepEqual([body.header, body.hours], [['Date', 'Student', 'Tutor', 'Hours'], 1.5], before)
    const lines = body.lines as { line: number; state: string }[]
    assert.deepEqual(
      lines.map(({ line, state }) => [line, state]),
      [
        [text.split('\n').length, 'refused'],
        [text.split('\n').length - 1, 'ready'],
      ],
      before,
    )
  }
})

test('start and end times give the start time and check the hours; the preview says what to check', async () => {
  const parent = await server.aUser()
  const text = [
    'Date,Student,Tutor,Start Time,End Time,Hours,Rate',
    '2026-11-03,Maya,Ingrid,16:00,17:30,1.5,40',
    '2026-11-04,Maya,Ingrid,16:00,17:00,1.5,40',
    '2026-11-05,Maya,Ingrid,9:00,18:30,9.5,40',
  ].join('\n')
  const preview = (await parent.call('POST', '/api/v1/imports/preview', { text })).body
  assert.deepEqual([preview.hours, preview.amount, preview.refused, preview.to_check], [12.5, 500, 0, 2])
  assert.deepEqual(
    (preview.lines as Record<string, unknown>[]).map(({ line, problem, start_time }) => [
      line,
      problem,
      start_time,
    ]),
    [
      [3, 'The duration is 1.5 h, but 4:00 PM to 5:00 PM is 1 h.', '16:00'],
      [4, '9.5 h is long for a lesson. Check the duration.', '09:00'],
      [2, null, '16:00'],
    ],
  )
  assert.equal((await parent.call('POST', '/api/v1/imports', { text })).status, 201)
  const { sessions } = (await parent.call('GET', '/api/v1/sessions?limit=10')).body as {
    sessions: { date: string; start_time: string; duration: number }[]
  }
  assert.deepEqual(sessions.map(({ date, start_time, duration }) => [date, start_time, duration]).sort(), [
    ['2026-11-03', '16:00', 1.5],
    ['2026-11-04', '16:00', 1.5],
    ['2026-11-05', '09:00', 9.5],
  ])
})

test('a date such as 5.3.2026 is day first next to dates with slashes, until the reader says otherwise', async () => {
  const parent = await server.aUser()
  const text =
    'Date,Student,Tutor,Hours\n05.03.2026,Maya,Ingrid,1\n11/25/2026,Maya,Ingrid,1\n7/8/2026,Maya,Ingrid,1'
  const datesOf = async (more: object) =>
    (
      (await parent.call('POST', '/api/v1/imports/preview', { text, ...more })).body.lines as {
        date: string
      }[]
    ).map(({ date }) => date)
  assert.deepEqual(await datesOf({}), ['2026-03-05', '2026-11-25', '2026-07-08'])
  assert.deepEqual(await datesOf({ date_order: 'mdy' }), ['2026-05-03', '2026-11-25', '2026-07-08'])
})

test('columns can be chosen by hand, even in a file without column names', async () => {
  const parent = await server.aUser()
  const text = '3.4.2026;90;Maya;Ingrid\n25.4.2026;60;Maya;Ingrid'
  const guessed = (await parent.call('POST', '/api/v1/imports/preview', { text })).body
  assert.deepEqual([guessed.header, guessed.refused], [['Column 1', 'Column 2', 'Column 3', 'Column 4'], 2])
  const { body } = await parent.call('POST', '/api/v1/imports/preview', {
    text,
    columns: { date: 0, minutes: 1, student: 2, tutor: 3 },
  })
  assert.deepEqual(
    [body.date_order, body.sessions, body.hours, (body.lines as { date: string }[])[0]?.date],
    ['dmy', 2, 2.5, '2026-04-03'],
  )
})

test('a tutor imports only their own sessions, even if a line names another tutor', async () => {
  const tutor = await server.aUser('tutor')
  const { body } = await tutor.call('POST', '/api/v1/imports', {
    text: csv('2026-11-03,Ada,Somebody Else,1.5,60,,,'),
  })
  assert.deepEqual([body.students, body.tutors], [1, 0])
  assert.equal((await tutor.call('GET', '/api/v1/balances?month=2026-11')).status, 200)
  assert.deepEqual(
    ((await tutor.call('GET', '/api/v1/tutors')).body as unknown as { is_self: boolean }[]).map(
      (row) => row.is_self,
    ),
    [true],
  )
})

test("I1, I5: an import that isn't a table, or is too long or too large, gets a 4xx", async () => {
  const parent = await server.aUser()
  const send = async (body: object) => (await parent.call('POST', '/api/v1/imports/preview', body)).status
  assert.deepEqual(
    [
      await send({ text: '' }),
      await send({ text: '\n\n,\n' }),
      await send({ text: ' \n ' }),
      await send({ text: 5 }),
      await send({ text: 'a', columns: { date: -1 } }),
      await send({ text: 'a', columns: { workspace_id: 1 } }),
    ],
    [422, 422, 422, 422, 422, 422],
  )
  assert.equal(
    (await parent.call('POST', '/api/v1/imports/preview', { text: 'x\n'.repeat(5002) })).body.code,
    'too_many_lines',
  )
  assert.equal(await send({ text: 'x'.repeat(1_600_000) }), 413)
  assert.equal((await parent.call('POST', '/api/v1/imports', { text: HEADER })).body.code, 'nothing')
})

test('five thousand lines can be imported at once', async () => {
  const parent = await server.aUser()
  const lines = Array.from(
    { length: 5000 },
    (_, at) =>
      `2025-${String(1 + (at % 12)).padStart(2, '0')}-${String(1 + (at % 28)).padStart(2, '0')},Child ${at % 40},Tutor ${at % 9},1,${at % 100},,,`,
  )
  assert.equal((await parent.call('POST', '/api/v1/imports', { text: csv(...lines) })).body.sessions, 5000)
  const { body } = await parent.call('GET', '/api/v1/summary/year?year=2025')
  assert.deepEqual([body.total_sessions, body.total_amount], [5000, 247_500])
})
