import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Link {
  id: string
  tutor_id: string
  state: string
  ended_by: string | null
}
interface Family {
  id: string
  name: string | null
  state: string
  student_ids: string[]
}

const idOf = (answer: Answer) => String(answer.body.id)
const linksOf = async (parent: Caller) =>
  (await parent.call('GET', '/api/v1/links')).body as unknown as Link[]
const familiesOf = async (tutor: Caller) =>
  (await tutor.call('GET', '/api/v1/families')).body as unknown as Family[]

/** A parent who asked a tutor with an account, who has not answered. */
async function anAskedTutor(name?: string) {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  if (name) await parent.call('PATCH', '/api/v1/me', { full_name: name })
  const tutor_id = idOf(
    await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: tutor.email.toUpperCase() }),
  )
  const asked = await parent.call('POST', `/api/v1/tutors/${tutor_id}/link`, {})
  return { parent, tutor, tutor_id, asked, id: idOf(asked) }
}

test('a family asks a tutor, the tutor accepts, and either side reads who the other is and no more', async () => {
  const { parent, tutor, tutor_id, asked, id } = await anAskedTutor('Ann Whitfield')
  assert.equal(asked.status, 201)
  const { asked_at, ...link } = asked.body
  assert.ok(Math.abs(Date.parse(String(asked_at)) - Date.now()) < 600_000)
  assert.deepEqual(link, {
    id,
    tutor_id,
    state: 'asked',
    email: tutor.email.toUpperCase(),
    ended_by: null,
    version: 1,
  })
  const [family] = await familiesOf(tutor)
  assert.deepEqual(
    { ...family, asked_at: undefined },
    {
      id,
      name: 'Ann Whitfield',
      state: 'asked',
      asked_at: undefined,
      student_ids: [],
      is_read_only: false,
      version: 1,
    },
  )
  const accepted = await tutor.call('PATCH', `/api/v1/families/${id}`, { state: 'active' })
  assert.deepEqual([accepted.status, accepted.body.state, accepted.body.version], [200, 'active', 2])
  assert.deepEqual(
    (await linksOf(parent)).map(({ state }) => state),
    ['active'],
  )
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/families/${id}`, { state: 'declined' })).body.code,
    'changed',
    'an answer is given once; leaving is something else',
  )
})

test('a declined question and an ended link leave both lists consistent, and the family may ask anew', async () => {
  const { parent, tutor, tutor_id, id } = await anAskedTutor()
  assert.equal((await tutor.call('PATCH', `/api/v1/families/${id}`, { state: 'declined' })).status, 200)
  assert.deepEqual(await familiesOf(tutor), [])
  assert.deepEqual(
    (await linksOf(parent)).map(({ state, ended_by }) => [state, ended_by]),
    [['declined', 'tutor']],
  )
  const again = await parent.call('POST', `/api/v1/tutors/${tutor_id}/link`, {})
  assert.equal(again.status, 201)
  assert.deepEqual(
    (await linksOf(parent)).map((link) => link.id),
    [idOf(again)],
    'the newest of each tutor',
  )
  await tutor.call('PATCH', `/api/v1/families/${idOf(again)}`, { state: 'active' })
  assert.equal((await parent.call('DELETE', `/api/v1/links/${idOf(again)}`, {})).status, 204)
  assert.deepEqual(await familiesOf(tutor), [])
  assert.deepEqual(
    (await linksOf(parent)).map(({ state, ended_by }) => [state, ended_by]),
    [['ended', 'family']],
  )
  for (const [who, path] of [
    [parent, `/api/v1/links/${idOf(again)}`],
    [tutor, `/api/v1/families/${idOf(again)}`],
  ] as const)
    assert.equal((await who.call('DELETE', path, {})).status, 404, 'it has ended')
})

test('a tutor leaves a family', async () => {
  const { parent, tutor, id } = await anAskedTutor()
  await tutor.call('PATCH', `/api/v1/families/${id}`, { state: 'active' })
  assert.equal((await tutor.call('DELETE', `/api/v1/families/${id}`, {})).status, 204)
  assert.deepEqual(await familiesOf(tutor), [])
  assert.deepEqual(
    (await linksOf(parent)).map(({ state, ended_by }) => [state, ended_by]),
    [['ended', 'tutor']],
  )
})

test('D5: a question sent again with its key is asked once', async () => {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  const tutor_id = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: tutor.email }))
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      parent.call('POST', `/api/v1/tutors/${tutor_id}/link`, {}, { 'idempotency-key': 'once' }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(idOf)).size, 1)
  const mails = await server.db.asSystem((tx) =>
    tx
      .selectFrom('outbox')
      .select('id')
      .where('recipient', '=', tutor.email)
      .where('kind', '=', 'ask_tutor')
      .execute(),
  )
  assert.equal(mails.length, 1)
})

test("a tutor says which of the own students belong to a family, and names nobody else's", async () => {
  const { parent, tutor, id } = await anAskedTutor()
  const path = `/api/v1/families/${id}/students`
  const own = idOf(await tutor.call('POST', '/api/v1/students', { name: 'Maya' }))
  const theirs = idOf(await parent.call('POST', '/api/v1/students', { name: 'Maya' }))
  const set = (student_ids: unknown) => tutor.call('PUT', path, { student_ids })
  assert.equal((await set([own])).body.code, 'not_linked')
  await tutor.call('PATCH', `/api/v1/families/${id}`, { state: 'active' })
  assert.deepEqual((await set([own, own])).body.student_ids, [own])
  assert.deepEqual((await familiesOf(tutor))[0]?.student_ids, [own])
  const refused = await set([own, theirs])
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors?.[0]?.field],
    [422, 'unknown_student', 'student_ids'],
  )
  for (const wrong of ['x', ['x'], Array.from({ length: 21 }, () => crypto.randomUUID())])
    assert.equal((await set(wrong)).status, 422)
  assert.deepEqual((await familiesOf(tutor))[0]?.student_ids, [own])
  assert.deepEqual((await set([])).body.student_ids, [])
})

test('T1, T8: nobody but the two sees, answers or ends a link, and no side does what the other may', async () => {
  const { parent, tutor, tutor_id, id } = await anAskedTutor()
  const [otherParent, otherTutor] = [await server.aUser(), await server.aUser('tutor')]
  assert.deepEqual([await linksOf(otherParent), await familiesOf(otherTutor)], [[], []])
  for (const [who, method, path, body, status] of [
    [otherParent, 'DELETE', `/api/v1/links/${id}`, {}, 404],
    [otherParent, 'POST', `/api/v1/tutors/${tutor_id}/link`, {}, 404],
    [otherTutor, 'PATCH', `/api/v1/families/${id}`, { state: 'active' }, 404],
    [otherTutor, 'PUT', `/api/v1/families/${id}/students`, { student_ids: [] }, 404],
    [otherTutor, 'DELETE', `/api/v1/families/${id}`, {}, 404],
    [tutor, 'DELETE', `/api/v1/links/${id}`, {}, 403],
    [tutor, 'GET', '/api/v1/links', undefined, 403],
    [parent, 'PATCH', `/api/v1/families/${id}`, { state: 'active' }, 403],
    [parent, 'GET', '/api/v1/families', undefined, 403],
    [server.aStranger(), 'GET', '/api/v1/links', undefined, 401],
    [server.aStranger(), 'PATCH', `/api/v1/families/${id}`, { state: 'active' }, 401],
  ] as const)
    assert.equal((await who.call(method, path, body)).status, status, `${method} ${path}`)
  for (const state of ['asked', 'ended', 'x', null])
    assert.equal((await tutor.call('PATCH', `/api/v1/families/${id}`, { state })).status, 422, String(state))
  assert.deepEqual(
    (await linksOf(parent)).map((link) => link.state),
    ['asked'],
  )
})
