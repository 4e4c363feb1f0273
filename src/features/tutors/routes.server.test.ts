import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { MAX_TUTORS } from './tutor.ts'

let server: TestServer
let ann: Caller
let bob: Caller
let ingrid: Caller
before(async () => {
  server = await startTestServer()
  ann = await server.aUser()
  bob = await server.aUser()
  ingrid = await server.aUser('tutor')
})
after(async () => server.stop())

const PATH = '/api/v1/tutors'
const add = (caller: Caller, body: object) => caller.call('POST', PATH, body)
const idOf = (answer: Answer) => String(answer.body.id)
const namesOf = async (caller: Caller, query = '') =>
  ((await caller.call('GET', PATH + query)).body as unknown as { name: string }[]).map(({ name }) => name)

test('a tutor is added with what was typed, read back, changed field by field and deleted', async () => {
  const made = await add(ann, {
    name: '  Ingrid ',
    email: ' Ingrid@example.com ',
    phone: '555-0199',
    hourly_rate: '45.55',
    subjects: ['Algebra', 'Physics'],
    notes: 'Tuesdays',
  })
  const id = idOf(made)
  assert.deepEqual([made.status, made.headers.etag], [201, '"1"'])
  assert.deepEqual(made.body, {
    id,
    user_id: ann.id,
    name: 'Ingrid',
    email: 'Ingrid@example.com',
    phone: '555-0199',
    hourly_rate: 45.55,
    subjects: ['Algebra', 'Physics'],
    notes: 'Tuesdays',
    is_self: false,
    archived: false,
    version: 1,
  })
  assert.deepEqual((await ann.call('GET', `${PATH}/${id}`)).body, made.body)
  const change = async (body: object) => (await ann.call('PATCH', `${PATH}/${id}`, body)).body
  assert.deepEqual(await change({ subjects: ['Chemistry'] }), {
    ...made.body,
    subjects: ['Chemistry'],
    version: 2,
  })
  const emptied = await change({ email: '', phone: null, hourly_rate: null, subjects: [], notes: '' })
  assert.deepEqual(emptied, {
    ...made.body,
    email: null,
    phone: null,
    hourly_rate: null,
    subjects: [],
    notes: null,
    version: 3,
  })
  assert.equal((await ann.call('DELETE', `${PATH}/${id}`, {})).status, 204)
  assert.equal((await ann.call('GET', `${PATH}/${id}`)).status, 404)
  assert.equal((await ann.call('PATCH', `${PATH}/${id}`, { name: 'Back' })).status, 404)
})

test('the list is sorted by name in any case, and archived tutors are in their own list', async () => {
  const parent = await server.aUser()
  for (const name of ['samuel', 'Zofia', 'Ingrid']) await add(parent, { name })
  assert.deepEqual(await namesOf(parent), ['Ingrid', 'samuel', 'Zofia'])
  const [first] = (await parent.call('GET', PATH)).body as unknown as { id: string }[]
  await parent.call('PATCH', `${PATH}/${first?.id}`, { archived: true })
  assert.deepEqual(await namesOf(parent), ['samuel', 'Zofia'])
  assert.deepEqual(await namesOf(parent, '?archived=true'), ['Ingrid'])
  assert.deepEqual(await namesOf(parent, '?archived=all'), ['Ingrid', 'samuel', 'Zofia'])
})

test('I2, I4, T4: every bad field of a tutor is refused with its name, and nothing is written', async () => {
  const parent = await server.aUser()
  const id = idOf(await add(parent, { name: 'Ingrid' }))
  const bad: [object, string][] = [
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ email: 'nobody' }, 'email'],
    [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
    [{ phone: 'x'.repeat(41) }, 'phone'],
    [{ hourly_rate: -1 }, 'hourly_rate'],
    [{ hourly_rate: 1.234 }, 'hourly_rate'],
    [{ hourly_rate: '1e3' }, 'hourly_rate'],
    [{ hourly_rate: 1_000_000.01 }, 'hourly_rate'],
    [{ subjects: 'Algebra' }, 'subjects'],
    [{ subjects: Array.from({ length: 41 }, () => 'x') }, 'subjects'],
    [{ notes: 'x'.repeat(4001) }, 'notes'],
    [{ is_self: true }, 'is_self'],
    [{ user_id: bob.id }, 'user_id'],
    [{ workspace_id: bob.member.workspaceId }, 'workspace_id'],
    [{ version: 9 }, 'version'],
  ]
  for (const [change, field] of bad) {
    for (const answer of [
      await add(parent, { name: 'Samuel', ...change }),
      await parent.call('PATCH', `${PATH}/${id}`, change),
    ])
      assert.deepEqual(
        [answer.status, [...new Set(answer.body.errors?.map((error) => error.field))]],
        [422, [field]],
        JSON.stringify(change),
      )
  }
  assert.deepEqual((await add(parent, {})).body.errors?.[0], { field: 'name', message: 'Name is required' })
  assert.deepEqual(await namesOf(parent), ['Ingrid'])
  assert.equal((await parent.call('GET', `${PATH}/${id}`)).body.version, 1)
})

test("T1, T2, T3: no other user, parent or tutor, can see or change this family's tutors", async () => {
  const path = `${PATH}/${idOf(await add(ann, { name: 'Hidden' }))}`
  for (const other of [bob, ingrid]) {
    assert.equal((await other.call('GET', path)).status, 404)
    assert.equal((await other.call('PATCH', path, { name: 'Mine' })).status, 404)
    assert.equal((await other.call('PATCH', path, { name: 'Mine' }, { 'if-match': '"1"' })).status, 404)
    assert.ok(!(await namesOf(other, '?archived=all')).includes('Hidden'))
  }
  assert.equal((await bob.call('DELETE', path, {})).status, 404)
  assert.equal((await ann.call('GET', path)).body.version, 1)
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assert.equal((await server.aStranger().call(method, path, method === 'GET' ? undefined : {})).status, 401)
})

test("T16: a practice has one tutor row, the tutor's own: none can be added, and it can't be archived or deleted", async () => {
  const own = (await ingrid.call('GET', PATH)).body as unknown as { id: string; is_self: boolean }[]
  assert.deepEqual(
    own.map(({ is_self }) => is_self),
    [true],
  )
  const path = `${PATH}/${own[0]?.id}`
  assert.equal((await add(ingrid, { name: 'Another' })).status, 403)
  assert.equal((await ingrid.call('DELETE', path, {})).status, 403)
  assert.equal((await ingrid.call('PATCH', path, { archived: true })).body.code, 'own_row')
  assert.equal((await ingrid.call('PATCH', path, { hourly_rate: 45 })).body.hourly_rate, 45)
})

test('D6: the second of two changes to one version of a tutor is refused, and so is deleting an older version', async () => {
  const path = `${PATH}/${idOf(await add(ann, { name: 'Ingrid' }))}`
  const changes = await Promise.all(
    [45, 50].map((hourly_rate) => ann.call('PATCH', path, { hourly_rate }, { 'if-match': '"1"' })),
  )
  assert.deepEqual(changes.map(({ status }) => status).sort(), [200, 409])
  assert.equal(changes.find(({ status }) => status === 409)?.body.code, 'changed')
  assert.equal((await ann.call('DELETE', path, {}, { 'if-match': '"1"' })).status, 409)
  assert.equal((await ann.call('DELETE', path, {}, { 'if-match': '"2"' })).status, 204)
})

test('D5: adding a tutor again with the same key adds it once', async () => {
  const parent = await server.aUser()
  const answers = await Promise.all(
    [1, 2, 3].map(() => parent.call('POST', PATH, { name: 'Ingrid' }, { 'idempotency-key': 'once' })),
  )
  assert.equal(new Set(answers.map(idOf)).size, 1)
  assert.deepEqual(await namesOf(parent), ['Ingrid'])
})

test('D7: deleting a tutor keeps the sessions with their amounts and stops the schedules', async () => {
  const parent = await server.aUser()
  const student_id = idOf(await parent.call('POST', '/api/v1/students', { name: 'Maya' }))
  const tutor_id = idOf(await add(parent, { name: 'Ingrid', hourly_rate: 45 }))
  const schedule = await parent.call('POST', '/api/v1/schedules', {
    student_id,
    tutor_id,
    day_of_week: 2,
    start_time: '16:30',
    duration: 1,
    frequency: 'weekly',
    start_date: '2026-11-01',
    timezone: 'UTC',
    is_active: true,
  })
  const lesson = await parent.call('POST', '/api/v1/sessions', {
    student_id,
    tutor_id,
    date: '2026-11-03',
    duration: 1.5,
  })
  await parent.call('DELETE', `${PATH}/${tutor_id}`, {})
  const { body } = await parent.call('GET', `/api/v1/sessions/${idOf(lesson)}`)
  assert.deepEqual([body.tutor_id, body.tutor_name, body.total_amount], [null, null, 67.5])
  assert.equal((await parent.call('GET', `/api/v1/schedules/${idOf(schedule)}`)).body.is_active, false)
})

test("I17: an account has at most 500 tutors, even if they're added at the same moment", async () => {
  const parent = await server.aUser()
  await server.db.asMember(parent.member, (tx) =>
    tx
      .insertInto('tutors')
      .values(
        Array.from({ length: MAX_TUTORS - 1 }, (_, at) => ({
          workspace_id: parent.member.workspaceId,
          name: `Tutor ${at}`,
        })),
      )
      .execute(),
  )
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => add(parent, { name })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  assert.equal(answers.find(({ status }) => status === 422)?.body.code, 'too_many_rows')
})
