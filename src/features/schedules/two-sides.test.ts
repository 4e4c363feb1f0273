// One schedule for both sides of a connection: who sees it, and how it changes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { addDays, dayIn } from '#kernel/calendar-day.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '../../main/testing.server.ts'
import { aPair, idOf, type Pair, type Row, rowsOf } from '../../main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

/** Thursdays at 4. The server's clock is at 2026-11-21. */
const THURSDAYS = {
  day_of_week: 4,
  start_time: '16:00',
  duration: 1,
  start_date: '2026-11-05',
  hourly_rate: 50,
}
const mine = ({ child, tutor }: Pair) => ({ student_id: child, tutor_id: tutor })
const theirs = ({ student, self }: Pair) => ({ student_id: student, tutor_id: self })

async function shared(more: object = {}) {
  const pair = await aPair(server)
  const made = await pair.family.call('POST', '/api/v1/schedules', { ...THURSDAYS, ...mine(pair), ...more })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return { ...pair, id: idOf(made) }
}
const list = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/schedules'))
const one = async (who: Caller, id: string) => (await who.call('GET', `/api/v1/schedules/${id}`)).body as Row
const change = (who: Caller, id: string, body: object) =>
  who.call('PUT', `/api/v1/schedules/${id}/occurrence`, body)
const answer = (who: Caller, id: string, date: string, said: 'accept' | 'keep') =>
  who.call('POST', `/api/v1/schedules/${id}/occurrence/answer`, { date, answer: said })
const skips = (who: Caller, id: string, date: string) =>
  change(who, id, { date, status: 'canceled', outcome: 'canceled_in_time' })
const moves = (who: Caller, id: string, date: string, moved_to: string, start_time = '17:00') =>
  change(who, id, { date, status: 'moved', moved_to, start_time })
const done = async (promise: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await promise
  assert.ok(status < 300, JSON.stringify(body))
}
const refusedWith = async (promise: Promise<{ status: number; body: Record<string, unknown> }>) =>
  (await promise).body.code
/** December's classes as one person sees them. */
const classes = async (who: Caller) =>
  rowsOf(await who.call('GET', '/api/v1/occurrences?from=2026-12-01&to=2026-12-20')).map(
    ({ date, start_time: time, status }) => `${String(date).slice(5)} ${String(time)} ${String(status)}`,
  )
const both = async ({ family, practice }: Pair) => {
  const [seen, other] = [await classes(family), await classes(practice)]
  assert.deepEqual(seen, other, 'both calendars agree')
  return seen
}
const proposed = async (who: Caller, date: string) =>
  rowsOf(await who.call('GET', '/api/v1/occurrences?from=2026-12-01&to=2026-12-20')).find(
    (row) => row.original_date === date,
  )?.proposed

test('a schedule of connected people is one row that both sides see, with each side’s own people and notes', async () => {
  const pair = await shared({ notes: 'bring the blue book' })
  const { family, practice, id } = pair
  const [seen, other] = [await one(family, id), await one(practice, id)]
  assert.deepEqual([seen.student_id, other.student_id], [pair.child, pair.student])
  assert.deepEqual([seen.tutor_id, other.tutor_id], [pair.tutor, pair.self])
  assert.deepEqual([seen.is_shared, other.is_shared, other.hourly_rate], [true, true, 50])
  assert.deepEqual([seen.notes, other.notes], ['bring the blue book', null])
  await done(
    practice.call('PATCH', `/api/v1/schedules/${id}`, { notes: 'slow with fractions', subject: 'Algebra' }),
  )
  assert.deepEqual(
    [await one(family, id), await one(practice, id)].map(({ notes, subject }) => [notes, subject]),
    [
      ['bring the blue book', 'Algebra'],
      ['slow with fractions', 'Algebra'],
    ],
  )
  assert.deepEqual(await both(pair), ['12-03 16:00 planned', '12-10 16:00 planned', '12-17 16:00 planned'])
})

test('a practice shares its schedule in the same way, and another family never sees it', async () => {
  const pair = await aPair(server)
  const id = idOf(await pair.practice.call('POST', '/api/v1/schedules', { ...THURSDAYS, ...theirs(pair) }))
  assert.equal((await one(pair.family, id)).student_id, pair.child)
  const other = await server.aUser()
  assert.deepEqual(await list(other), [])
  assert.equal((await other.call('GET', `/api/v1/schedules/${id}`)).status, 404)
  assert.equal((await skips(other, id, '2026-12-03')).status, 404)
})

test('whoever logs a class of a shared schedule ends the question for both', async () => {
  const pair = await shared()
  const open = async (who: Caller) =>
    ((await who.call('GET', '/api/v1/dashboard?today=2026-11-21&time=10:00')).body.due as Row[]).map(
      ({ date }) => date,
    )
  assert.deepEqual(
    [await open(pair.family), await open(pair.practice)],
    [
      ['2026-11-12', '2026-11-19'],
      ['2026-11-12', '2026-11-19'],
    ],
  )
  const session = idOf(
    await pair.practice.call('POST', `/api/v1/schedules/${pair.id}/log`, { date: '2026-11-19' }),
  )
  assert.deepEqual([await open(pair.family), await open(pair.practice)], [['2026-11-12'], ['2026-11-12']])
  const again = await pair.family.call('POST', `/api/v1/schedules/${pair.id}/log`, { date: '2026-11-19' })
  assert.equal(idOf(again), session, 'a second answer makes no second session')
  const both = await Promise.all(
    [pair.family, pair.practice].map((who) =>
      who.call('POST', `/api/v1/schedules/${pair.id}/log`, { date: '2026-11-12' }),
    ),
  )
  assert.equal(new Set(both.map(idOf)).size, 1, 'two answers at once make one session')
})

test('a cancellation holds at once on both sides, and either side may say otherwise', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await done(skips(practice, id, '2026-12-10'))
  assert.deepEqual(await both(pair), ['12-03 16:00 planned', '12-10 16:00 canceled', '12-17 16:00 planned'])
  assert.equal(await proposed(family, '2026-12-10'), null, 'nobody is asked about it')
  const told = async (who: Caller) =>
    rowsOf(await who.call('GET', '/api/v1/occurrences?from=2026-12-10&to=2026-12-10')).map(
      ({ outcome, outcome_by: by }) => [outcome, by],
    )
  assert.deepEqual(await told(family), [['canceled_in_time', 'practice']])
  const late = { date: '2026-12-10', status: 'canceled', outcome: 'canceled_late' }
  assert.equal(
    await refusedWith(change(family, id, { ...late, was: null })),
    'answered',
    'what it saw is old',
  )
  await done(change(family, id, { ...late, was: 'canceled_in_time' }))
  assert.deepEqual(
    [await told(family), await told(practice)],
    [[['canceled_late', 'family']], [['canceled_late', 'family']]],
  )
  await done(change(practice, id, { date: '2026-12-10', status: 'planned' }))
  assert.deepEqual((await both(pair))[1], '12-10 16:00 planned')
  // A class that waits for its move can be canceled, and is where it was when it's planned again.
  await done(moves(family, id, '2026-12-17', '2026-12-18'))
  await done(skips(practice, id, '2026-12-17'))
  assert.deepEqual((await both(pair))[2], '12-17 16:00 canceled')
  await done(change(family, id, { date: '2026-12-17', status: 'planned' }))
  assert.deepEqual((await both(pair))[2], '12-17 16:00 planned')
  await done(answer(practice, id, '2026-12-17', 'accept'))
  assert.deepEqual((await both(pair))[2], '12-18 17:00 planned')
})

test('a move counts once the other side agrees, with one answer', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await done(moves(practice, id, '2026-12-10', '2026-12-11'))
  assert.deepEqual((await both(pair))[1], '12-10 16:00 planned')
  assert.deepEqual(await proposed(family, '2026-12-10'), {
    by: 'other',
    date: '2026-12-11',
    start_time: '17:00',
    yours: null,
  })
  assert.deepEqual(await proposed(practice, '2026-12-10'), {
    by: 'you',
    date: '2026-12-11',
    start_time: '17:00',
    yours: null,
  })
  await done(
    answer(practice, id, '2026-12-10', 'accept').then(({ body }) => ({
      status: body.code ? 200 : 500,
      body,
    })),
  )
  assert.equal((await both(pair))[1], '12-10 16:00 planned', 'nobody agrees with themselves')
  await done(answer(family, id, '2026-12-10', 'accept'))
  assert.deepEqual(await both(pair), ['12-03 16:00 planned', '12-11 17:00 planned', '12-17 16:00 planned'])
  await done(answer(family, id, '2026-12-10', 'accept'))
  // A further move is another question, and the class stays where it is until it's answered.
  await done(moves(family, id, '2026-12-10', '2026-12-12', '09:00'))
  assert.equal((await both(pair))[1], '12-11 17:00 planned')
  await done(answer(practice, id, '2026-12-10', 'keep'))
  assert.equal((await both(pair))[1], '12-11 17:00 planned')
  assert.deepEqual(
    [await proposed(practice, '2026-12-10'), await proposed(family, '2026-12-10')],
    [null, null],
  )
  await done(skips(family, id, '2026-12-10'))
  assert.equal((await both(pair))[1], '12-11 17:00 canceled', 'a moved class can be canceled')
})

test('a move that the other side can’t make leaves the class as planned', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await done(moves(practice, id, '2026-12-10', '2026-12-11'))
  await done(answer(family, id, '2026-12-10', 'keep'))
  assert.deepEqual(await proposed(practice, '2026-12-10'), {
    by: 'other',
    date: null,
    start_time: null,
    yours: null,
  })
  await done(answer(practice, id, '2026-12-10', 'accept'))
  assert.deepEqual(await proposed(practice, '2026-12-10'), null)
  assert.equal((await both(pair))[1], '12-10 16:00 planned')
  // Another time instead, accepted in one tap.
  await done(moves(practice, id, '2026-12-17', '2026-12-18'))
  await done(moves(family, id, '2026-12-17', '2026-12-19', '10:00'))
  assert.deepEqual(await proposed(practice, '2026-12-17'), {
    by: 'other',
    date: '2026-12-19',
    start_time: '10:00',
    yours: null,
  })
  await done(answer(practice, id, '2026-12-17', 'accept'))
  assert.deepEqual((await both(pair))[2], '12-19 10:00 planned')
  // The proposer takes a move back.
  await done(moves(practice, id, '2026-12-03', '2026-12-04'))
  await done(change(practice, id, { date: '2026-12-03', status: 'planned' }))
  assert.equal(await proposed(family, '2026-12-03'), null)
})

test('a class isn’t moved on top of another of the same people', async () => {
  const pair = await shared()
  assert.equal(
    await refusedWith(moves(pair.family, pair.id, '2026-12-10', '2026-12-17', '16:30')),
    'on_another',
  )
  await done(moves(pair.family, pair.id, '2026-12-10', '2026-12-17', '17:00'))
})

test('a change of the rule is proposed; the rule stays until the other side accepts', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await done(practice.call('PATCH', `/api/v1/schedules/${id}`, { day_of_week: 1, start_time: '15:30' }))
  const asked = await one(family, id)
  assert.deepEqual([asked.day_of_week, asked.start_time], [4, '16:00'])
  const { by, day_of_week: day, start_time: time, duration } = asked.proposal as Row
  assert.deepEqual([by, day, time, duration], ['other', 1, '15:30', 1])
  const answered = (who: Caller, said: string) =>
    who.call('POST', `/api/v1/schedules/${id}/answer`, { answer: said })
  assert.equal(await refusedWith(answered(practice, 'accept')), 'not_proposed')
  await done(answered(family, 'accept'))
  assert.deepEqual(await both(pair), ['12-07 15:30 planned', '12-14 15:30 planned'])
  assert.equal((await one(practice, id)).proposal, null)
  await done(family.call('PATCH', `/api/v1/schedules/${id}`, { duration: 2 }))
  await done(answered(practice, 'keep'))
  const kept = await one(family, id)
  const told = (kept.proposal as Row | null)?.is_declined
  assert.deepEqual([kept.duration, told, (await one(practice, id)).proposal], [1, true, null])
  // Taking the last day away is a change, too.
  await done(family.call('PATCH', `/api/v1/schedules/${id}`, { end_date: '2026-12-31' }))
  await done(answered(practice, 'accept'))
  await done(practice.call('PATCH', `/api/v1/schedules/${id}`, { end_date: null }))
  assert.equal((await one(family, id)).end_date, '2026-12-31')
  await done(answered(family, 'accept'))
  assert.equal((await one(practice, id)).end_date, null)
  assert.equal(
    await refusedWith(
      family.call('PATCH', `/api/v1/schedules/${id}`, {
        student_id: pair.child,
        tutor_id: crypto.randomUUID(),
      }),
    ),
    'shared_people',
  )
})

test('deleting a shared schedule ends it from today for both, and the other side may keep its copy', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await done(skips(practice, id, '2026-12-10'))
  await done(practice.call('DELETE', `/api/v1/schedules/${id}`))
  assert.deepEqual(await list(practice), [])
  const left = await one(family, id)
  const today = dayIn(server.clock.now, 'UTC')
  assert.deepEqual([left.is_shared, left.end_date, left.ended_by_other], [false, addDays(today, -1), today])
  assert.deepEqual(await classes(family), [])
  await done(family.call('POST', `/api/v1/schedules/${id}/ending`, { answer: 'keep' }))
  assert.deepEqual(await classes(family), [
    '12-03 16:00 planned',
    '12-10 16:00 canceled',
    '12-17 16:00 planned',
  ])
  assert.equal(
    await refusedWith(family.call('POST', `/api/v1/schedules/${id}/ending`, { answer: 'keep' })),
    'not_ended',
  )
  assert.deepEqual(await classes(practice), [])
})

test('when a connection ends, each side keeps the schedule, its classes and its log', async () => {
  const pair = await shared()
  const { family, practice, id, connection } = pair
  await done(skips(family, id, '2026-12-03'))
  await done(moves(family, id, '2026-12-10', '2026-12-11'))
  await done(practice.call('POST', `/api/v1/schedules/${id}/log`, { date: '2026-11-19' }))
  await done(family.call('DELETE', `/api/v1/connections/${connection}`))
  const expected = ['12-03 16:00 canceled', '12-10 16:00 planned', '12-17 16:00 planned']
  assert.deepEqual(await both(pair), expected, 'a move that nobody agreed to does not hold')
  for (const who of [family, practice]) {
    assert.equal((await one(who, id)).is_shared, false)
    const [logged] = rowsOf(await who.call('GET', '/api/v1/occurrences?from=2026-11-19&to=2026-11-19'))
    assert.equal(logged?.status, 'logged')
  }
  await done(skips(family, id, '2026-12-17'))
  assert.deepEqual((await classes(practice))[2], '12-17 16:00 planned')
})

test('archiving or deleting the child stops only that side’s schedule', async () => {
  const pair = await shared()
  await done(pair.family.call('DELETE', `/api/v1/students/${pair.child}`))
  assert.deepEqual(await classes(pair.family), [])
  assert.equal((await classes(pair.practice)).length, 3)
})

test('a class in a closed month is neither canceled nor moved there, and the answer says how to reopen it', async () => {
  const pair = await shared({ start_date: '2026-10-01' })
  const { family, practice, id, connection } = pair
  await done(moves(practice, id, '2026-11-12', '2026-10-30'))
  const lesson = await pair.log({ date: '2026-10-05' })
  await done(practice.call('POST', `/api/v1/sessions/${lesson}/confirm`, {}))
  for (const who of [family, practice])
    await done(who.call('POST', '/api/v1/months/close', { connection_id: connection, month: '2026-10' }))
  const refusal = async (promise: ReturnType<Caller['call']>) => {
    const { status, body } = await promise
    return [status, body.code, (body.closed_month as Row | undefined)?.month]
  }
  const closed = [409, 'month_closed', '2026-10']
  assert.deepEqual(await refusal(skips(family, id, '2026-10-08')), closed)
  assert.deepEqual(await refusal(moves(practice, id, '2026-10-08', '2026-11-13')), closed)
  assert.deepEqual(await refusal(moves(practice, id, '2026-11-05', '2026-10-09')), closed)
  assert.deepEqual(await refusal(answer(family, id, '2026-11-12', 'accept')), closed)
  await done(skips(family, id, '2026-11-19'))
})

test('T19: a viewer changes no shared schedule, and a caregiver sees no rate of it', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await done(moves(practice, id, '2026-12-10', '2026-12-11'))
  await done(practice.call('PATCH', `/api/v1/schedules/${id}`, { hourly_rate: 77 }))
  const joined: Record<string, Caller> = {}
  for (const role of ['viewer', 'caregiver']) {
    const person = server.aStranger()
    await family.call('POST', '/api/v1/members', { email: person.email, role })
    const { text } = await server.mailTo(person.email, 'invited you to their')
    const token = /#token=([\w-]{43})/.exec(text)?.[1]
    await done(person.call('POST', '/api/auth/join', { token, password: PASSWORD }))
    joined[role] = person
  }
  const { viewer, caregiver } = joined
  assert.ok(viewer && caregiver)
  for (const who of [viewer, caregiver]) {
    assert.equal((await one(who, id)).is_shared, true)
    assert.equal(((await proposed(who, '2026-12-10')) as Row).date, '2026-12-11')
    const refused = await Promise.all([
      skips(who, id, '2026-12-03'),
      answer(who, id, '2026-12-10', 'accept'),
      who.call('POST', `/api/v1/schedules/${id}/answer`, { answer: 'accept' }),
      who.call('DELETE', `/api/v1/schedules/${id}`),
    ])
    assert.deepEqual(
      refused.map(({ status }) => status),
      // A caregiver says how a class ended.
      [who === viewer ? 403 : 200, 403, 403, 403],
    )
  }
  const seen = await one(caregiver, id)
  assert.deepEqual([seen.hourly_rate, seen.proposal], [null, null])
  assert.deepEqual((await both(pair))[1], '12-10 16:00 planned')
})

test('two people who change a shared class at once leave one row, and the history of both is whole', async () => {
  const pair = await shared()
  const { family, practice, id } = pair
  await Promise.all([
    skips(family, id, '2026-12-03'),
    skips(practice, id, '2026-12-03'),
    moves(family, id, '2026-12-10', '2026-12-11'),
    moves(practice, id, '2026-12-10', '2026-12-12'),
  ])
  assert.equal((await both(pair)).filter((line) => line.includes('canceled')).length, 1)
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('when the tutor says that the child is another student, the schedule is with that student', async () => {
  const pair = await shared()
  const { practice, connection, id } = pair
  await done(skips(practice, id, '2026-12-10'))
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya W.' }))
  const [link] = rowsOf(await practice.call('GET', '/api/v1/connections'))
  const [person] = (link?.people ?? []) as Row[]
  await done(
    practice.call('PATCH', `/api/v1/connections/${connection}`, {
      people: [{ id: person?.id, student_id: student }],
    }),
  )
  assert.equal((await one(practice, id)).student_id, student)
  assert.equal((await both(pair))[1], '12-10 16:00 canceled')
})
