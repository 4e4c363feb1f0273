import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { MAX_STUDENTS } from './student.ts'

let server: TestServer
let ann: Caller
let bob: Caller
let tutor: Caller
before(async () => {
  server = await startTestServer()
  ann = await server.aUser()
  bob = await server.aUser()
  tutor = await server.aUser('tutor')
})
after(async () => server.stop())

const PATH = '/api/v1/students'
const add = (caller: Caller, body: object) => caller.call('POST', PATH, body)
const idOf = (answer: Answer) => String(answer.body.id)
const namesOf = async (caller: Caller, query = '') =>
  ((await caller.call('GET', PATH + query)).body as unknown as { name: string }[]).map(({ name }) => name)

test('a child is added with what was typed, read back, changed field by field and deleted', async () => {
  const made = await add(ann, { name: '  Maya  ', grade: '8th Grade', notes: 'Likes puzzles' })
  const id = idOf(made)
  assert.deepEqual([made.status, made.headers.etag], [201, '"1"'])
  assert.deepEqual(made.body, {
    id,
    parent_user_id: ann.id,
    name: 'Maya',
    grade: '8th Grade',
    notes: 'Likes puzzles',
    hourly_rate: null,
    archived: false,
    version: 1,
  })
  assert.deepEqual((await ann.call('GET', `${PATH}/${id}`)).body, made.body)
  const renamed = await ann.call('PATCH', `${PATH}/${id}`, { name: 'Maya R.' })
  assert.deepEqual(renamed.body, { ...made.body, name: 'Maya R.', version: 2 })
  const emptied = await ann.call('PATCH', `${PATH}/${id}`, { grade: null, notes: '' })
  assert.deepEqual([emptied.body.grade, emptied.body.notes, emptied.body.name], [null, null, 'Maya R.'])
  assert.equal((await ann.call('DELETE', `${PATH}/${id}`, {})).status, 204)
  assert.equal((await ann.call('GET', `${PATH}/${id}`)).status, 404)
  assert.equal((await ann.call('PATCH', `${PATH}/${id}`, { name: 'Back' })).status, 404)
})

test('the list is sorted by name in any case, and archived children are in their own list', async () => {
  const parent = await server.aUser()
  for (const name of ['theo', 'Zoe', 'Maya']) await add(parent, { name })
  assert.deepEqual(await namesOf(parent), ['Maya', 'theo', 'Zoe'])
  const [maya] = (await parent.call('GET', PATH)).body as unknown as { id: string }[]
  const path = `${PATH}/${maya?.id}`
  assert.equal((await parent.call('PATCH', path, { archived: true })).body.archived, true)
  assert.deepEqual(await namesOf(parent), ['theo', 'Zoe'])
  assert.deepEqual(await namesOf(parent, '?archived=true'), ['Maya'])
  assert.deepEqual(await namesOf(parent, '?archived=all'), ['Maya', 'theo', 'Zoe'])
  assert.equal((await parent.call('PATCH', path, { archived: false })).body.archived, false)
  assert.deepEqual(await namesOf(parent), ['Maya', 'theo', 'Zoe'])
})

test('I2, I4, T4: every bad field of a child is refused with its name, and nothing is written', async () => {
  const parent = await server.aUser()
  const id = idOf(await add(parent, { name: 'Maya' }))
  const bad: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: null }, 'name'],
    [{ grade: 'x'.repeat(61) }, 'grade'],
    [{ notes: 'x'.repeat(4001) }, 'notes'],
    [{ hourly_rate: 45 }, 'hourly_rate'],
    [{ workspace_id: bob.member.workspaceId }, 'workspace_id'],
    [{ parent_user_id: bob.id }, 'parent_user_id'],
    [{ version: 9 }, 'version'],
  ]
  for (const [change, field] of bad) {
    for (const answer of [
      await add(parent, { name: 'Theo', ...change }),
      await parent.call('PATCH', `${PATH}/${id}`, change),
    ])
      assert.deepEqual(
        [answer.status, answer.body.errors?.map((error) => error.field)],
        [422, [field]],
        JSON.stringify(change),
      )
  }
  assert.deepEqual((await add(parent, {})).body.errors?.[0], { field: 'name', message: 'Name is required' })
  assert.deepEqual(await namesOf(parent), ['Maya'])
  assert.equal((await parent.call('GET', `${PATH}/${id}`)).body.version, 1)
  const longest = { name: 'x'.repeat(120), grade: 'x'.repeat(60), notes: 'x'.repeat(4000) }
  assert.equal((await add(parent, longest)).status, 201, 'the longest that is taken')
})

test("a tutor sets a student's own rate, to the cent", async () => {
  const id = idOf(await add(tutor, { name: 'Maya', hourly_rate: '45.55' }))
  const rate = async (hourly_rate: unknown) =>
    (await tutor.call('PATCH', `${PATH}/${id}`, { hourly_rate })).body
  assert.equal((await tutor.call('GET', `${PATH}/${id}`)).body.hourly_rate, 45.55)
  assert.equal((await rate(0)).hourly_rate, 0)
  assert.equal((await rate(null)).hourly_rate, null)
  for (const wrong of [-1, 1.234, '1e3', 'much'])
    assert.equal((await rate(wrong)).errors?.[0]?.field, 'hourly_rate')
})

test("T1, T2, T3: no other user, parent or tutor, can see or change this family's children", async () => {
  const id = idOf(await add(ann, { name: 'Hidden' }))
  for (const other of [bob, tutor]) {
    const path = `${PATH}/${id}`
    assert.equal((await other.call('GET', path)).status, 404)
    assert.equal((await other.call('PATCH', path, { name: 'Mine' })).status, 404)
    assert.equal((await other.call('PATCH', path, { name: 'Mine' }, { 'if-match': '"1"' })).status, 404)
    assert.equal((await other.call('DELETE', path, {})).status, 404)
    assert.ok(!(await namesOf(other, '?archived=all')).includes('Hidden'))
  }
  assert.equal((await ann.call('GET', `${PATH}/${id}`)).body.version, 1)
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assert.equal(
      (await server.aStranger().call(method, `${PATH}/${id}`, method === 'GET' ? undefined : {})).status,
      401,
    )
  assert.equal((await ann.call('GET', `${PATH}/not-an-id`)).status, 404)
})

test('D6: the second of two changes to one version of a child is refused, and so is deleting an older version', async () => {
  const path = `${PATH}/${idOf(await add(ann, { name: 'Maya' }))}`
  const changes = await Promise.all(
    ['8th', '9th'].map((grade) => ann.call('PATCH', path, { grade }, { 'if-match': '"1"' })),
  )
  assert.deepEqual(changes.map(({ status }) => status).sort(), [200, 409])
  assert.equal(changes.find(({ status }) => status === 409)?.body.code, 'changed')
  assert.equal((await ann.call('DELETE', path, {}, { 'if-match': '"1"' })).status, 409)
  assert.equal((await ann.call('DELETE', path, {}, { 'if-match': '"2"' })).status, 204)
})

test('D5: adding a child again with the same key adds it once', async () => {
  const parent = await server.aUser()
  const answers = await Promise.all(
    [1, 2, 3].map(() => parent.call('POST', PATH, { name: 'Maya' }, { 'idempotency-key': 'once' })),
  )
  assert.equal(new Set(answers.map(idOf)).size, 1)
  assert.deepEqual(await namesOf(parent), ['Maya'])
})

test('D7: archiving or deleting a child stops the schedules and keeps the sessions', async () => {
  const parent = await server.aUser()
  const tutor_id = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 }))
  for (const leave of ['archive', 'delete']) {
    const student_id = idOf(await add(parent, { name: leave }))
    const schedule = idOf(
      await parent.call('POST', '/api/v1/schedules', {
        student_id,
        tutor_id,
        day_of_week: 2,
        start_time: '16:30',
        duration: 1,
        frequency: 'weekly',
        start_date: '2026-11-01',
        timezone: 'UTC',
        is_active: true,
      }),
    )
    const lesson = await parent.call('POST', '/api/v1/sessions', {
      student_id,
      tutor_id,
      date: '2026-11-03',
      duration: 1,
    })
    assert.equal(lesson.status, 201)
    const path = `${PATH}/${student_id}`
    await (leave === 'archive'
      ? parent.call('PATCH', path, { archived: true })
      : parent.call('DELETE', path, {}))
    assert.equal((await parent.call('GET', `/api/v1/schedules/${schedule}`)).body.is_active, false, leave)
    const { body } = await parent.call('GET', `/api/v1/sessions/${idOf(lesson)}`)
    assert.deepEqual(
      [body.student_name, body.total_amount],
      [leave === 'archive' ? 'archive' : null, 45],
      leave,
    )
  }
})

test("I17: an account has at most 500 children, even if they're added at the same moment", async () => {
  const parent = await server.aUser()
  await server.db.asMember(parent.member, (tx) =>
    tx
      .insertInto('students')
      .values(
        Array.from({ length: MAX_STUDENTS - 1 }, (_, at) => ({
          workspace_id: parent.member.workspaceId,
          name: `Child ${at}`,
        })),
      )
      .execute(),
  )
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => add(parent, { name })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  assert.equal(answers.find(({ status }) => status === 422)?.body.code, 'too_many_rows')
})
