// Names learned from corrections, over HTTP: what they change, for whom, and how they go.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
let parent: Caller
let lachlan: string
let isla: string
let ingrid: string
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const add = async (path: string, body: object) =>
  String((await parent.call('POST', `/api/v1/${path}`, body)).body.id)
beforeEach(async () => {
  parent = await server.aUser()
  lachlan = await add('students', { name: 'Lachlan' })
  isla = await add('students', { name: 'Isla' })
  ingrid = await add('tutors', { name: 'Ingrid', hourly_rate: 45 })
})

const say = async (transcript: string, who = parent) =>
  (await who.call('POST', '/api/v1/speech', { transcript, today: '2026-06-17' })).body
const learn = (names: object[], who = parent) => who.call('POST', '/api/v1/learned-names', { names })
const learned = async (who = parent) =>
  (
    (await who.call('GET', '/api/v1/learned-names')).body.names as {
      id: string
      words: string
      name: string
    }[]
  ).map(({ words, name }) => `${words} is ${name}`)
const SAID = 'Bixby had an hour of math with Ingrid yesterday'

/** Joins the parent's family. */
async function aMember(role: string, student_ids?: string[]): Promise<Caller> {
  const person = server.aStranger()
  await parent.call('POST', '/api/v1/members', {
    email: person.email,
    role,
    ...(student_ids && { student_ids }),
  })
  const { text } = await server.mailTo(person.email, 'invited you')
  const token = /#token=([\w-]{43})/.exec(text)?.[1]
  assert.equal((await person.call('POST', '/api/auth/join', { token, password: PASSWORD })).status, 200)
  return person
}

test('words that named nobody are told, and name the chosen child once they are learned', async () => {
  const before = await say(SAID)
  assert.deepEqual(
    [before.childId, before.suggested_child_name, before.child_words],
    [null, 'Bixby', 'Bixby'],
  )
  assert.equal((await learn([{ words: 'Bixby', student_id: lachlan }])).status, 200)
  const after = await say(SAID)
  assert.deepEqual(
    [after.childId, after.tutorId, after.date, after.duration],
    [lachlan, ingrid, '2026-06-16', 1],
  )
  assert.deepEqual((await say('my head had an hour with Ingrid')).childId, null)
  await learn([{ words: 'my head', student_id: isla }])
  assert.deepEqual((await say('my head had an hour with Ingrid')).childId, isla)
  assert.deepEqual(await learned(), ['my head is Isla', 'Bixby is Lachlan'])
})

test('a tutor is learned, too, and words with two meanings are asked about', async () => {
  await learn([{ words: 'Inky', tutor_id: ingrid }])
  await add('tutors', { name: 'Sarah Johnson' })
  assert.equal((await say('Isla had an hour with Inky yesterday')).tutorId, ingrid)
  await learn([{ words: 'Bixby', student_id: lachlan }])
  await learn([{ words: 'bixby', student_id: isla }])
  const { childId, suggested_child_name } = await say(SAID)
  assert.deepEqual([childId, suggested_child_name], [null, 'Bixby'])
})

test("a listed name isn't learned, and a child who is called that later wins", async () => {
  await learn([{ words: 'Isla', student_id: lachlan }])
  assert.deepEqual(await learned(), [])
  await learn([{ words: 'Bixby', student_id: lachlan }])
  const bixby = await add('students', { name: 'Bixby Lane' })
  assert.equal((await say(SAID)).childId, bixby)
})

test("T13: names are one member's own: another parent and another family don't have them, and no one learns a child they may not see", async () => {
  await learn([{ words: 'Bixby', student_id: lachlan }])
  const [second, cara, stranger] = [
    await aMember('parent'),
    await aMember('caregiver', [isla]),
    await server.aUser(),
  ]
  assert.equal((await say(SAID, second)).childId, null)
  for (const who of [second, cara, stranger]) assert.deepEqual(await learned(who), [])
  await learn([{ words: 'Bixby', student_id: lachlan }], cara)
  await learn([{ words: 'Bixby', student_id: lachlan }], stranger)
  for (const who of [cara, stranger]) assert.deepEqual(await learned(who), [])
  await learn([{ words: 'Bixby', student_id: isla }], cara)
  assert.deepEqual([await learned(cara), await learned()], [['Bixby is Isla'], ['Bixby is Lachlan']])
  // Once she may not see Isla anymore, neither is the name hers to see or to use.
  const caraId = String((await cara.call('GET', '/api/v1/me')).body.id)
  const limited = await parent.call('PATCH', `/api/v1/members/${caraId}`, {
    role: 'caregiver',
    student_ids: [lachlan],
  })
  assert.equal(limited.status, 200, JSON.stringify(limited.body))
  assert.deepEqual(await learned(cara), [])
  assert.equal((await say(SAID, cara)).childId, null)
})

test('a name is forgotten alone or with all others, and only by the member it is from', async () => {
  await learn([
    { words: 'Bixby', student_id: lachlan },
    { words: 'Inky', tutor_id: ingrid },
  ])
  const { names } = (await parent.call('GET', '/api/v1/learned-names')).body as {
    names: { id: string; words: string }[]
  }
  const id = names.find(({ words }) => words === 'Bixby')?.id
  const second = await aMember('parent')
  assert.equal((await second.call('DELETE', `/api/v1/learned-names/${id}`, {})).status, 404)
  await second.call('DELETE', '/api/v1/learned-names', {})
  assert.equal((await learned()).length, 2)
  assert.equal((await parent.call('DELETE', `/api/v1/learned-names/${id}`, {})).status, 204)
  assert.equal((await parent.call('DELETE', `/api/v1/learned-names/${id}`, {})).status, 404)
  assert.deepEqual(await learned(), ['Inky is Ingrid'])
  assert.equal((await say(SAID)).childId, null)
  assert.equal((await parent.call('DELETE', '/api/v1/learned-names', {})).status, 204)
  assert.deepEqual(await learned(), [])
})

test('a name goes with its person and with the membership', async () => {
  await learn([
    { words: 'Bixby', student_id: lachlan },
    { words: 'Inky', tutor_id: ingrid },
  ])
  assert.equal((await parent.call('DELETE', `/api/v1/students/${lachlan}`, {})).status, 204)
  assert.deepEqual(await learned(), ['Inky is Ingrid'])
  const second = await aMember('parent')
  await learn([{ words: 'Bixby', student_id: isla }], second)
  const count = () =>
    server.db.asMember({ accountId: parent.id, workspace: parent.member.workspace }, (tx) =>
      tx.selectFrom('learned_names').select('words').execute(),
    )
  assert.deepEqual(await count(), [{ words: 'Inky' }])
  const secondId = String((await second.call('GET', '/api/v1/me')).body.id)
  assert.equal((await parent.call('DELETE', `/api/v1/members/${secondId}`, {})).status, 204)
  assert.deepEqual((await second.call('GET', '/api/v1/learned-names')).status, 403)
})
