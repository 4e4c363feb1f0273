// Deleting a connected person: the warning shown first, and the effect.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPair, connectionsOf, read, sessionsOf } from '#main/testing/two-sides.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import type { Connection } from './connection.ts'
import { afterChild, afterStudent, afterTutor } from './deleting.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

test('the dialog before deleting says what happens to a connection', () => {
  const person = { id: 'p', first_name: 'Maya', student_id: 'maya' }
  const active = { state: 'active', tutor_id: 'ingrid', other_name: 'Ana', people: [person] } as Connection
  const [ingrid, maya] = [
    { id: 'ingrid', name: 'Ingrid' },
    { id: 'maya', name: 'Maya' },
  ]
  assert.equal(
    afterTutor(ingrid, [active]),
    'This ends the connection with Ingrid. Each of you keeps a copy of the sessions.',
  )
  assert.equal(afterTutor(ingrid, [{ ...active, state: 'asked' }]), 'This withdraws your request to Ingrid.')
  assert.equal(afterTutor({ id: 'noor', name: 'Noor' }, [active]), undefined)
  assert.equal(afterTutor(ingrid, [{ ...active, state: 'ended' }]), undefined)
  assert.equal(
    afterChild(maya, [active], [ingrid]),
    'You stay connected with Ingrid, and the shared sessions stay in both logs.',
  )
  assert.equal(
    afterStudent(maya, [active, { ...active, other_name: 'Ben' }]),
    'You stay connected with Ana and Ben. Their next session adds the student again.',
  )
  assert.equal(
    afterStudent(maya, [{ ...active, email: 'ana@example.com', other_name: null }]),
    'You stay connected with the family.',
  )
  assert.equal(afterStudent({ id: 'theo', name: 'Theo' }, [active]), undefined)
})

test('deleting a connected tutor ends the connection, tells the tutor, and leaves both a copy; archiving does not', async () => {
  const { family, practice, tutor, email, log } = await aPair(server)
  const id = await log()
  const state = async () => (await connectionsOf(practice)).map((one) => one.state)
  await family.call('PATCH', `/api/v1/tutors/${tutor}`, { archived: true })
  assert.deepEqual([await state(), (await read(practice, id)).is_shared], [['active'], true])

  assert.equal((await family.call('DELETE', `/api/v1/tutors/${tutor}`)).status, 204)
  assert.deepEqual(await state(), [])
  for (const side of [family, practice]) {
    const copy = await read(side, id)
    assert.deepEqual([copy.is_shared, copy.total_amount], [false, 67.5])
  }
  assert.match((await server.mailTo(email, 'ended')).text, /won't be shared/)
})

test('archiving or deleting a child or a student leaves the connection and the other side as they are', async () => {
  const { family, practice, child, student, log } = await aPair(server)
  const id = await log()
  const isShared = async () => [(await read(family, id)).is_shared, (await read(practice, id)).is_shared]
  await family.call('PATCH', `/api/v1/students/${child}`, { archived: true })
  await practice.call('PATCH', `/api/v1/students/${student}`, { archived: true })
  assert.deepEqual(await isShared(), [true, true])
  assert.equal((await practice.call('DELETE', `/api/v1/students/${student}`)).status, 204)
  assert.equal((await family.call('DELETE', `/api/v1/students/${child}`)).status, 204)
  assert.deepEqual(await isShared(), [true, true])
  for (const side of [family, practice]) {
    assert.equal((await connectionsOf(side))[0]?.state, 'active')
    assert.equal((await sessionsOf(side))[0]?.total_amount, 67.5)
  }
})
