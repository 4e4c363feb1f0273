// Matching people before, while and after a connection is accepted: a lesson that both sides logged counts
// once, whatever the order.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { aPractice, idOf, type Row, rowsOf, sessionsOf } from '#main/testing/two-sides.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const LESSON = { date: '2026-11-12', duration: 1 }

/** A family with a child and a tutor, and a practice with a student. They aren't connected yet. */
async function aCouple({ child = 'Ann Lee', students = ['Ann'], currency = 'USD' } = {}) {
  const family = await server.aUser()
  if (currency !== 'USD') await family.call('PATCH', '/api/v1/me', { currency })
  const email = `tutor-${crypto.randomUUID()}@example.com`
  const { practice, self } = await aPractice(server, email)
  const childId = idOf(await family.call('POST', '/api/v1/students', { name: child }))
  const tutor = idOf(
    await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 45.5 }),
  )
  const ids: string[] = []
  for (const name of students) ids.push(idOf(await practice.call('POST', '/api/v1/students', { name })))
  const [student = ''] = ids
  const log = {
    family: (more: object = {}) =>
      family.call('POST', '/api/v1/sessions', { student_id: childId, tutor_id: tutor, ...LESSON, ...more }),
    practice: (more: object = {}) =>
      practice.call('POST', '/api/v1/sessions', {
        student_id: student,
        tutor_id: self,
        hourly_rate: 45.5,
        ...LESSON,
        ...more,
      }),
  }
  const ask = async () => idOf(await family.call('POST', '/api/v1/connections', { tutor_id: tutor }))
  return { family, practice, child: childId, tutor, student, self, email, log, ask }
}
type Couple = Awaited<ReturnType<typeof aCouple>>

const answered = (answer: Answer) => {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as unknown as { people: { id: string; first_name: string; student_id: string | null }[] }
}
const accept = async ({ practice }: Couple, id: string, more: object = {}) =>
  answered(await practice.call('PATCH', `/api/v1/connections/${id}`, { state: 'active', ...more }))
/** Matches the connection's only child with the practice's own student. */
async function match({ practice, student }: Couple, id: string) {
  const connections = rowsOf(await practice.call('GET', '/api/v1/connections'))
  const people = connections.find((one) => one.id === id)?.people as { id: string }[]
  assert.equal(people.length, 1)
  return answered(
    await practice.call('PATCH', `/api/v1/connections/${id}`, {
      people: [{ id: people[0]?.id, student_id: student }],
    }),
  )
}
const pairsOf = async (caller: Caller, id: string) =>
  rowsOf(await caller.call('GET', `/api/v1/connections/${id}/pairs`)) as (Row & { held: string | null })[]
const answerPairs = (caller: Caller, id: string, pairs: Row[], which: 'same' | 'different') =>
  caller.call('POST', `/api/v1/connections/${id}/pairs`, { [which]: pairs.map((pair) => pair.id) })

/** How many sessions someone's month has, and what they come to. */
async function monthOf(caller: Caller) {
  const { sessions, total_amount: amount } = (await caller.call('GET', '/api/v1/summary?month=2026-11')).body
  return [sessions ?? (await sessionsOf(caller)).length, amount]
}

test('D18: a tutor who matches a child after accepting sees the hour both logged once, and both are asked about it', async () => {
  const couple = await aCouple()
  const { family, practice, log } = couple
  const id = await couple.ask()
  await accept(couple, id)
  idOf(await log.family())
  idOf(await log.practice())
  await match(couple, id)
  for (const caller of [family, practice]) {
    assert.deepEqual((await monthOf(caller))[1], 45.5)
    assert.equal((await sessionsOf(caller)).length, 1)
  }
  assert.deepEqual(
    [await pairsOf(family, id), await pairsOf(practice, id)].map((pairs) => pairs.map(({ held }) => held)),
    [['theirs'], ['yours']],
  )
  await match(couple, id)
  const pairs = await pairsOf(family, id)
  assert.equal(pairs.length, 1, 'matching again changes nothing')
  assert.deepEqual((await answerPairs(family, id, pairs, 'same')).body, { answered: 1 })
  for (const caller of [family, practice]) {
    assert.deepEqual(
      (await sessionsOf(caller)).map(({ verified_by_tutor: verified }) => verified),
      [true],
    )
    assert.deepEqual((await monthOf(caller))[1], 45.5)
  }
})

test('D18: two lessons on one day, matched later, count twice once somebody says so', async () => {
  const couple = await aCouple()
  const id = await couple.ask()
  await accept(couple, id)
  await couple.log.family()
  await couple.log.practice({ duration: 2 })
  await match(couple, id)
  await answerPairs(couple.practice, id, await pairsOf(couple.practice, id), 'different')
  for (const caller of [couple.family, couple.practice]) {
    assert.equal((await sessionsOf(caller)).length, 2)
    assert.deepEqual((await monthOf(caller))[1], 136.5)
  }
})

test('D18: accepting without saying who is who matches the one student with that name', async () => {
  const couple = await aCouple({ students: ['ann K.', 'Bob'] })
  await couple.log.family()
  await couple.log.practice()
  const id = await couple.ask()
  const { people } = await accept(couple, id)
  assert.deepEqual(
    people.map(({ student_id: student }) => student),
    [couple.student],
  )
  assert.equal(rowsOf(await couple.practice.call('GET', '/api/v1/students')).length, 2)
  for (const caller of [couple.family, couple.practice]) assert.equal((await monthOf(caller))[1], 45.5)
  assert.equal((await pairsOf(couple.family, id)).length, 1)
})

test('D18: accepting without saying who is who never guesses between two students with that name', async () => {
  const couple = await aCouple({ students: ['Ann', 'Ann'] })
  await couple.log.family()
  const id = await couple.ask()
  const { people } = await accept(couple, id)
  const students = rowsOf(await couple.practice.call('GET', '/api/v1/students'))
  assert.equal(students.length, 3)
  assert.ok(!people.some(({ student_id: student }) => student === couple.student))
})

test('D18: a family that accepts without saying who is who matches its one child with that name', async () => {
  const couple = await aCouple({ child: 'ANN' })
  await couple.log.family()
  await couple.log.practice()
  const asked = await couple.practice.call('POST', '/api/v1/connections', {
    email: couple.family.email,
    student_ids: [couple.student],
  })
  const id = idOf(asked)
  const { people } = answered(
    await couple.family.call('PATCH', `/api/v1/connections/${id}`, { state: 'active' }),
  )
  assert.deepEqual(
    people.map(({ student_id: child }) => child),
    [couple.child],
  )
  assert.equal(rowsOf(await couple.family.call('GET', '/api/v1/students')).length, 1)
  assert.equal((await pairsOf(couple.family, id)).length, 1)
  for (const caller of [couple.family, couple.practice]) assert.equal((await monthOf(caller))[1], 45.5)
})

test('D18: correcting a match asks about what both logged', async () => {
  const couple = await aCouple({ students: ['Bea', 'Ann'] })
  await couple.log.family()
  const id = await couple.ask()
  const wrong = rowsOf(await couple.practice.call('GET', '/api/v1/students')).find(
    (one) => one.name === 'Ann',
  )
  const requests = rowsOf(await couple.practice.call('GET', '/api/v1/connections'))
  const people = requests
    .flatMap((one) => one.people as { id: string }[])
    .map((one) => ({ id: one.id, student_id: wrong?.id }))
  await accept(couple, id, { people })
  await couple.log.practice()
  await match(couple, id)
  for (const caller of [couple.family, couple.practice]) {
    assert.equal((await pairsOf(caller, id)).length, 1)
    assert.equal((await monthOf(caller))[1], 45.5)
  }
})

test('D18: a tutor can say which of the shared students a child is, although lessons were logged in the meantime', async () => {
  const couple = await aCouple()
  const { family, practice } = couple
  const id = idOf(
    await practice.call('POST', '/api/v1/connections', {
      email: family.email,
      student_ids: [couple.student],
    }),
  )
  const path = `/api/v1/connections/${id}`
  answered(await family.call('PATCH', path, { state: 'active', people: [] }))
  await couple.log.family()
  await couple.log.practice()
  const connections = rowsOf(await practice.call('GET', '/api/v1/connections'))
  const people = connections[0]?.people as unknown as { id: string; student_id: string | null }[]
  assert.equal(people.length, 2)
  const added = people.find(({ student_id: student }) => student !== couple.student)
  const after = await practice.call('PATCH', path, {
    people: [{ id: added?.id, student_id: couple.student }],
  })
  assert.equal(answered(after).people.length, 1)
  for (const caller of [family, practice]) {
    assert.equal((await monthOf(caller))[1], 45.5)
    assert.equal((await pairsOf(caller, id)).length, 1)
  }
})

test("D18: accepting without saying who is who never gives a second family another family's student", async () => {
  const first = await aCouple()
  await first.log.family()
  await accept(first, await first.ask())
  const family = await server.aUser()
  const child = idOf(await family.call('POST', '/api/v1/students', { name: 'Ann Poe' }))
  const tutor = idOf(
    await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: first.email, hourly_rate: 45.5 }),
  )
  await family.call('POST', '/api/v1/sessions', { student_id: child, tutor_id: tutor, ...LESSON })
  const id = idOf(await family.call('POST', '/api/v1/connections', { tutor_id: tutor }))
  const { people } = await accept(first, id)
  assert.notEqual(people[0]?.student_id, first.student)
  assert.equal(rowsOf(await first.practice.call('GET', '/api/v1/students')).length, 2)
})

test('a session whose look-alike is deleted is shared, or compared with the next one', async () => {
  for (const side of ['family', 'practice'] as const) {
    const other = side === 'family' ? 'practice' : 'family'
    const couple = await aCouple()
    const gone = idOf(await couple.log[side]())
    const kept = idOf(await couple.log[other]())
    const id = await couple.ask()
    await accept(couple, id)
    assert.equal((await pairsOf(couple.family, id)).length, 1)
    assert.equal((await couple[side].call('DELETE', `/api/v1/sessions/${gone}`)).status, 204)
    const found = await couple[side].call('GET', `/api/v1/sessions/${kept}`)
    assert.deepEqual([found.status, found.body.is_shared], [200, true], side)
    for (const caller of [couple.family, couple.practice]) assert.equal((await monthOf(caller))[1], 45.5)
  }
  const couple = await aCouple()
  const gone = idOf(await couple.log.family())
  idOf(await couple.log.family({ duration: 1.5, is_another: true }))
  idOf(await couple.log.practice())
  const id = await couple.ask()
  await accept(couple, id)
  await couple.family.call('DELETE', `/api/v1/sessions/${gone}`)
  assert.deepEqual(
    (await pairsOf(couple.practice, id)).map(({ held }) => held),
    ['yours'],
  )
  for (const caller of [couple.family, couple.practice]) assert.equal((await monthOf(caller))[1], 68.25)
})

test('a session whose look-alike moves to another tutor is shared', async () => {
  const couple = await aCouple()
  const moved = idOf(await couple.log.family())
  const kept = idOf(await couple.log.practice())
  const id = await couple.ask()
  await accept(couple, id)
  const tutor_id = idOf(await couple.family.call('POST', '/api/v1/tutors', { name: 'Tess' }))
  const change = await couple.family.call('PATCH', `/api/v1/sessions/${moved}`, { tutor_id })
  assert.deepEqual([change.status, change.body.is_shared], [200, false], JSON.stringify(change.body))
  assert.equal((await couple.family.call('GET', `/api/v1/sessions/${kept}`)).body.is_shared, true)
  assert.deepEqual(await pairsOf(couple.family, id), [])
})

test('a lesson sent late after you withdrew your confirmation of another one counts, or is on the list of pairs', async () => {
  for (const isConnected of [true, false]) {
    const couple = await aCouple()
    const id = await couple.ask()
    if (isConnected) await accept(couple, id)
    const first = idOf(await couple.log.family())
    assert.equal((await couple.family.call('DELETE', `/api/v1/sessions/${first}/confirm`)).status, 200)
    const { body } = await couple.log.family({ is_late: true, duration: 2 })
    assert.deepEqual(
      [body.is_held, body.is_shared, (await pairsOf(couple.family, id)).length],
      isConnected ? [true, false, 1] : [false, true, 0],
    )
    await couple.family.call('DELETE', `/api/v1/connections/${id}`)
    assert.equal((await monthOf(couple.family))[1], 136.5)
  }
})

test('a late entry in another currency is never the same as one in this currency, and stays in its own log unconverted', async () => {
  const couple = await aCouple({ currency: 'EUR' })
  const { family, practice, log } = couple
  await log.family({ date: '2026-01-05' })
  const id = await couple.ask()
  await accept(couple, id)
  const shared = idOf(await log.family())
  const late = await log.practice({ is_late: true })
  assert.deepEqual([late.body.is_held, late.body.currency], [true, 'USD'])
  for (const caller of [family, practice]) {
    const [pair] = await pairsOf(caller, id)
    assert.equal(pair?.is_equal, false)
    const sides = [pair?.yours, pair?.theirs] as { currency: string }[]
    assert.deepEqual(
      sides.map(({ currency }) => currency),
      caller === family ? ['EUR', 'USD'] : ['USD', 'EUR'],
    )
  }
  const kept = await answerPairs(family, id, await pairsOf(family, id), 'different')
  assert.deepEqual(kept.body, { answered: 1, other_currency: 1 })
  const own = (await practice.call('GET', `/api/v1/sessions/${idOf(late)}`)).body
  assert.deepEqual([own.currency, own.total_amount, own.is_shared, own.is_held], ['USD', 45.5, false, false])
  assert.equal((await family.call('GET', `/api/v1/sessions/${idOf(late)}`)).status, 404)

  const again = await log.practice({ is_late: true, date: '2026-11-13' })
  const other = idOf(await log.family({ date: '2026-11-14' }))
  const second = await log.practice({ is_late: true, date: '2026-11-14' })
  assert.deepEqual([again.body.is_held, second.body.is_held], [false, true])
  await answerPairs(practice, id, await pairsOf(practice, id), 'same')
  const merged = (await practice.call('GET', `/api/v1/sessions/${other}`)).body
  assert.deepEqual(
    [merged.currency, merged.own_confirmation, merged.verified_by_tutor],
    ['EUR', 'none', false],
    'the tutor still has to confirm the euros',
  )
  assert.equal((await family.call('GET', `/api/v1/sessions/${shared}`)).body.currency, 'EUR')
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('D1, D18: entries of one lesson that were priced per lesson of another length show both prices, and differ', async () => {
  const couple = await aCouple()
  const { family, practice, child, tutor, student, self, log } = couple
  const id = await couple.ask()
  await accept(couple, id)
  const price = { from: '2026-11-01', amount: 30 }
  const set = (who: Caller, body: object) => who.call('POST', '/api/v1/prices', { ...price, ...body })
  assert.equal((await set(family, { student_id: child, tutor_id: tutor, lesson_minutes: 45 })).status, 201)
  assert.equal((await set(practice, { student_id: student, tutor_id: self, lesson_minutes: 60 })).status, 201)
  idOf(await log.family())
  idOf(await log.practice({ hourly_rate: undefined }))
  await match(couple, id)
  const [pair] = await pairsOf(family, id)
  const priced = (side: unknown) => {
    const { rate, lesson_price, lesson_minutes, total_amount } = side as Row
    return [rate, lesson_price, lesson_minutes, total_amount]
  }
  assert.deepEqual(
    [priced(pair?.yours), priced(pair?.theirs), pair?.is_equal],
    [[null, 30, 45, 40], [null, 30, 60, 30], false],
  )
})
