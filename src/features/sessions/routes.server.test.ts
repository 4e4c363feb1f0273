import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

async function aFamily(
  rate: number | string | null = 45,
): Promise<{ parent: Caller; child: string; tutor: string }> {
  const parent = await server.aUser()
  const child = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: rate })).body.id,
  )
  return { parent, child, tutor }
}

const lesson = (family: { child: string; tutor: string }, more: object = {}) => ({
  student_id: family.child,
  tutor_id: family.tutor,
  date: '2026-11-20',
  duration: 1.5,
  ...more,
})
const fieldsOf = (answer: { body: { errors?: { field: string }[] } }) =>
  answer.body.errors?.map((error) => error.field)

test('D1: the amount is duration times rate, rounded half up, from the override or the tutor', async () => {
  const family = await aFamily('45.55')
  assert.equal(
    (await family.parent.call('POST', '/api/v1/sessions', lesson(family))).body.total_amount,
    68.33,
  )
  assert.equal(
    (
      await family.parent.call(
        'POST',
        '/api/v1/sessions',
        lesson(family, { hourly_rate: '0.01', duration: 0.5 }),
      )
    ).body.total_amount,
    0.01,
  )
  assert.equal(
    (await family.parent.call('POST', '/api/v1/sessions', lesson(family, { hourly_rate: 0 }))).body
      .total_amount,
    0,
  )
  const unpaid = await aFamily(null)
  assert.equal((await unpaid.parent.call('POST', '/api/v1/sessions', lesson(unpaid))).body.total_amount, null)
})

test("changing a tutor's rate never rewrites history", async () => {
  const family = await aFamily(45)
  const { body } = await family.parent.call('POST', '/api/v1/sessions', lesson(family))
  await family.parent.call('PATCH', `/api/v1/tutors/${family.tutor}`, { hourly_rate: 99 })
  const later = await family.parent.call('PATCH', `/api/v1/sessions/${String(body.id)}`, { notes: 'page 12' })
  assert.deepEqual([later.body.total_amount, later.body.effective_rate], [67.5, 45])
})

test('I2, I4: every bad field is refused with its name, and nothing is written', async () => {
  const family = await aFamily()
  const bad: [object, string][] = [
    [{ date: '2026-02-30' }, 'date'],
    [{ date: '0000-01-01' }, 'date'],
    [{ date: '2026-3-1' }, 'date'],
    [{ date: '2028-06-01' }, 'date'],
    [{ date: 20261120 }, 'date'],
    [{ duration: -0.25 }, 'duration'],
    [{ duration: 0.1 }, 'duration'],
    [{ duration: 24.25 }, 'duration'],
    [{ duration: '1e1' }, 'duration'],
    [{ duration: null }, 'duration'],
    [{ hourly_rate: -1 }, 'hourly_rate'],
    [{ hourly_rate: 1.234 }, 'hourly_rate'],
    [{ hourly_rate: 'NaN' }, 'hourly_rate'],
    [{ hourly_rate: 1e12 }, 'hourly_rate'],
    [{ student_id: 'x' }, 'student_id'],
    [{ tutor_id: { $ne: 1 } }, 'tutor_id'],
    [{ notes: 'a\u0000b' }, 'notes'],
    [{ subject: 'x'.repeat(121) }, 'subject'],
    [{ total_amount: 1 }, 'total_amount'],
    [{ user_id: family.parent.id }, 'user_id'],
    [{ verified_by_tutor: true }, 'verified_by_tutor'],
  ]
  for (const [change, field] of bad) {
    const answer = await family.parent.call('POST', '/api/v1/sessions', lesson(family, change))
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]], JSON.stringify(change))
  }
  assert.deepEqual((await family.parent.call('GET', '/api/v1/sessions')).body.sessions, [])
})

test("T1, T2, T3: a family can't read, change or reference another family's rows", async () => {
  const ann = await aFamily()
  const bob = await aFamily()
  const own = String((await ann.parent.call('POST', '/api/v1/sessions', lesson(ann))).body.id)
  for (const path of [
    `/api/v1/sessions/${own}`,
    `/api/v1/students/${ann.child}`,
    `/api/v1/tutors/${ann.tutor}`,
  ]) {
    assert.equal((await bob.parent.call('GET', path)).status, 404)
    assert.equal((await bob.parent.call('PATCH', path, { notes: 'mine' })).status, 404)
    assert.equal((await bob.parent.call('DELETE', path, {})).status, 404)
  }
  for (const [change, field] of [
    [{ student_id: ann.child }, 'student_id'],
    [{ tutor_id: ann.tutor }, 'tutor_id'],
  ] as const) {
    const answer = await bob.parent.call('POST', '/api/v1/sessions', lesson(bob, change))
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]])
  }
  assert.equal((await ann.parent.call('GET', `/api/v1/sessions/${own}`)).status, 200)
  assert.deepEqual((await bob.parent.call('GET', '/api/v1/sessions')).body.sessions, [], 'T6')
})

test("T1: the database itself hides other people's rows, and refuses to write on their behalf", async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  await ann.parent.call('POST', '/api/v1/sessions', lesson(ann))
  const seen = await server.db.asMember(bob.parent.member, (tx) =>
    tx.selectFrom('sessions').select('id').execute(),
  )
  assert.deepEqual(seen, [])
  await assert.rejects(
    server.db.asMember(bob.parent.member, (tx) =>
      tx
        .insertInto('students')
        .values({ workspace_id: ann.parent.member.workspaceId, name: 'Eve' })
        .execute(),
    ),
    /row-level security/,
  )
  await assert.rejects(
    server.db.asMember(bob.parent.member, (tx) =>
      tx
        .insertInto('sessions')
        .values({
          workspace_id: bob.parent.member.workspaceId,
          student_id: ann.child,
          day: '2026-11-20',
          minutes: 60,
        })
        .execute(),
    ),
    /foreign key/,
  )
})

test('D5: a retry with the same key makes one row and gets the same response, even at the same moment', async () => {
  const family = await aFamily()
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      family.parent.call('POST', '/api/v1/sessions', lesson(family), { 'idempotency-key': 'once' }),
    ),
  )
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [201, 201, 201],
  )
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  assert.equal(
    (
      await family.parent.call('POST', '/api/v1/sessions', lesson(family, { duration: 2 }), {
        'idempotency-key': 'once',
      })
    ).body.code,
    'idempotency_key_reused',
  )
})

test('several lessons are logged in one request: all of them, or none if any is refused', async () => {
  const family = await aFamily()
  const { parent } = family
  const count = async () => ((await parent.call('GET', '/api/v1/sessions')).body.sessions as object[]).length
  const send = (sessions: object[], key?: string) =>
    parent.call('POST', '/api/v1/sessions/several', { sessions }, key ? { 'idempotency-key': key } : {})
  const three = ['2026-11-18', '2026-11-19', '2026-11-20'].map((date) => lesson(family, { date }))
  for (const wrong of [{ date: '2028-06-01' }, { tutor_id: family.child }, { duration: 0.1 }]) {
    const refused = await send([...three, lesson(family, wrong)])
    assert.deepEqual([refused.status, await count()], [422, 0], JSON.stringify(wrong))
  }
  assert.equal((await send([])).status, 422)
  const key = '7d3a4c0e-5b6f-4f0e-9a55-2f1c8f1e0a01'
  const [first, second] = [await send(three, key), await send(three, key)]
  assert.deepEqual([first.status, second.body, await count()], [201, first.body, 3])
})

test('D6: of two changes to one version the second is refused', async () => {
  const family = await aFamily()
  const made = await family.parent.call('POST', '/api/v1/sessions', lesson(family))
  assert.equal(made.headers.etag, '"1"')
  const path = `/api/v1/sessions/${String(made.body.id)}`
  const changes = await Promise.all(
    [1, 2].map((duration) => family.parent.call('PATCH', path, { duration }, { 'if-match': '"1"' })),
  )
  assert.deepEqual(changes.map((answer) => answer.status).sort(), [200, 409])
})

test('D7: deleting the child and the tutor keeps the sessions, which can still be changed', async () => {
  const family = await aFamily()
  const id = String((await family.parent.call('POST', '/api/v1/sessions', lesson(family))).body.id)
  await family.parent.call('DELETE', `/api/v1/students/${family.child}`, {})
  await family.parent.call('DELETE', `/api/v1/tutors/${family.tutor}`, {})
  const { body } = await family.parent.call('GET', '/api/v1/summary?month=2026-11')
  assert.deepEqual(
    [body.total_amount, body.total_hours, body.by_tutor, body.by_student].map((value) =>
      JSON.stringify(value),
    ),
    [
      '67.5',
      '1.5',
      JSON.stringify([{ id: null, name: 'Unknown Tutor', sessions: 1, hours: 1.5, amount: 67.5 }]),
      JSON.stringify([{ id: null, name: 'Unknown Student', sessions: 1, hours: 1.5, amount: 67.5 }]),
    ],
  )
  assert.equal(
    (await family.parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })).body.total_amount,
    90,
  )
})

test('a long month is returned page by page, each session once, newest first', async () => {
  const family = await aFamily()
  for (let day = 1; day <= 7; day++)
    await family.parent.call(
      'POST',
      '/api/v1/sessions',
      lesson(family, { date: `2026-10-0${(day % 3) + 1}` }),
    )
  const seen: string[] = []
  let cursor: unknown
  do {
    const { body } = await family.parent.call(
      'GET',
      `/api/v1/sessions?month=2026-10&limit=2${cursor ? `&cursor=${String(cursor)}` : ''}`,
    )
    for (const session of body.sessions as { id: string; date: string }[])
      seen.push(`${session.date} ${session.id}`)
    cursor = body.next_cursor
  } while (cursor)
  assert.equal(seen.length, 7)
  assert.deepEqual(seen, [...new Set(seen)].sort().reverse())
})

test("I1, I5, I14: a body that isn't one of our JSON objects gets a 4xx", async () => {
  const family = await aFamily()
  const send = (body: string, type = 'application/json') =>
    family.parent.call('POST', '/api/v1/students', body, { 'content-type': type })
  assert.equal((await send('{"name":')).status, 400)
  assert.equal((await send('{"name":"a","name":"b"}')).status, 400)
  assert.equal((await send('['.repeat(5000) + ']'.repeat(5000))).status, 400)
  assert.equal((await send('[]')).status, 400)
  assert.equal((await send('name=Maya', 'application/x-www-form-urlencoded')).status, 415)
  assert.equal((await send(JSON.stringify({ name: 'x'.repeat(300_000) }))).status, 413)
  assert.equal((await family.parent.call('GET', '/api/v1/students/not-an-id')).status, 404)
  assert.equal((await family.parent.call('GET', '/api/v1/summary?month=2026-13')).status, 422)
})

test("T16: the other role's operations are refused", async () => {
  const tutor = await server.aUser('tutor')
  assert.equal((await tutor.call('POST', '/api/v1/tutors', { name: 'Ingrid' })).body.code, 'role')
  const own = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { is_self: boolean }[]
  assert.deepEqual(
    own.map((row) => row.is_self),
    [true],
  )
})
