// A session that was imported or sent late is held as a possible duplicate if the other side logged a lesson
// on the same day. It isn't in any total until someone answers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { idOf, LESSON, type Pair, aPair, read, rowsOf, sessionsOf } from '#main/testing/two-sides.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const MONTH = LESSON.date.slice(0, 7)
const held = async (caller: Caller) => rowsOf(await caller.call('GET', '/api/v1/sessions/held'))
const pairsOf = async (caller: Caller, { connection }: Pair) =>
  rowsOf(await caller.call('GET', `/api/v1/connections/${connection}/pairs`))
const answer = async (caller: Caller, pair: Pair, which: 'same' | 'different') => {
  const ids = (await pairsOf(caller, pair)).map(({ id }) => id)
  const { body } = await caller.call('POST', `/api/v1/connections/${pair.connection}/pairs`, { [which]: ids })
  assert.equal(body.answered, 1)
}

/** One side's counts and totals as shown in the log, month, year, balance, dashboard and statement. */
async function totalsOf(caller: Caller) {
  const get = async (path: string) => (await caller.call('GET', `/api/v1/${path}`)).body
  const summary = await get(`summary?month=${MONTH}`)
  const year = await get('summary/year?year=2026')
  const file = await caller.call('GET', `/api/v1/statements/sessions.csv?from=${MONTH}-01&to=${MONTH}-30`)
  return {
    log: (await sessionsOf(caller)).length,
    month: summary.total_amount,
    year: year.total_amount,
    balances: await get(`balances?month=${MONTH}`),
    dashboard: (await get(`dashboard?today=${MONTH}-22`)).sessions_this_month,
    statement: file.bytes.toString().trim().split('\n').length - 1,
  }
}

/** Functions that send a session marked as late, one for each side. */
const late = {
  family: ({ family, child, tutor }: Pair, more: object) =>
    family.call('POST', '/api/v1/sessions', {
      student_id: child,
      tutor_id: tutor,
      ...LESSON,
      is_late: true,
      ...more,
    }),
  practice: (pair: Pair, more: object) => pair.logByPractice({ is_late: true, ...more }),
}
const logs = {
  family: async (pair: Pair) => pair.log(),
  practice: async (pair: Pair) => idOf(await pair.logByPractice()),
}

for (const [side, other] of [
  ['family', 'practice'],
  ['practice', 'family'],
] as const) {
  test(`what the ${side} logged offline waits next to what the other side logged, and doesn't count until someone answers`, async () => {
    const pair = await aPair(server)
    const theirs = await logs[other](pair)
    const before = { own: await totalsOf(pair[side]), other: await totalsOf(pair[other]) }
    assert.deepEqual(
      [before.own.log, JSON.stringify(before).includes('request_id')],
      [1, false],
      JSON.stringify(before),
    )
    const sent = await late[side](pair, { duration: 2, notes: 'typed on the train' })
    assert.deepEqual([sent.status, sent.body.is_held, sent.body.is_shared], [201, true, false])
    assert.deepEqual(await totalsOf(pair[side]), before.own)
    assert.deepEqual(await totalsOf(pair[other]), before.other)
    assert.deepEqual(
      (await held(pair[side])).map(({ id }) => id),
      [sent.body.id],
    )
    assert.deepEqual(await held(pair[other]), [])
    for (const one of [side, other] as const) {
      const [found] = await pairsOf(pair[one], pair)
      assert.equal(found?.held, one === side ? 'yours' : 'theirs')
    }
    const change = await pair[side].call('PATCH', `/api/v1/sessions/${idOf(sent)}`, { duration: 1 })
    assert.deepEqual([change.status, change.body.code], [409, 'held'])

    await answer(pair[side], pair, 'same')
    assert.deepEqual([await held(pair[side]), await pairsOf(pair[other], pair)], [[], []])
    const [own, others] = [await read(pair[side], theirs), await read(pair[other], theirs)]
    // The family's facts win. If the tutor's differed, the tutor has to confirm again.
    assert.equal(own.duration, side === 'family' ? 2 : 1.5)
    assert.equal(others.duration, own.duration)
    assert.equal(own.verified_by_tutor, false)
    assert.deepEqual(
      [own.own_confirmation, own.other_confirmation],
      side === 'family' ? ['confirmed', 'none'] : ['none', 'confirmed'],
    )
    assert.match(String(own.notes), /typed on the train/)
    assert.doesNotMatch(String(others.notes), /train/)
    assert.equal((await totalsOf(pair[side])).log, 1)
    assert.equal((await totalsOf(pair[other])).log, 1)
  })

  test(`a lesson that the ${side} logged offline exactly as the other side did is verified once someone says it's the same`, async () => {
    const pair = await aPair(server)
    const theirs = await logs[other](pair)
    await late[side](pair, {})
    await answer(pair[other], pair, 'same')
    for (const one of [side, other]) assert.equal((await read(pair[one], theirs)).verified_by_tutor, true)
  })

  test(`a second lesson that the ${side} logged offline is shared once someone says it's another lesson`, async () => {
    const pair = await aPair(server)
    await logs[other](pair)
    const sent = await late[side](pair, { duration: 2 })
    await answer(pair[other], pair, 'different')
    const [own, others] = [await read(pair[side], idOf(sent)), await read(pair[other], idOf(sent))]
    assert.deepEqual([own.is_held, own.is_shared, own.own_confirmation], [false, true, 'confirmed'])
    assert.deepEqual([others.is_shared, others.own_confirmation, others.total_amount], [true, 'none', 90])
    assert.equal((await totalsOf(pair[side])).log, 2)
    assert.equal((await totalsOf(pair[other])).log, 2)
  })

  test(`an import by the ${side} asks about days on which the other side logged something, and logs the rest`, async () => {
    const pair = await aPair(server)
    await logs[other](pair)
    const [caller, name, tutor] = [
      pair[side],
      side === 'family' ? 'Maya Whitfield' : 'maya W.',
      side === 'family' ? 'Ingrid' : '',
    ]
    const text = `Date,Student,Tutor,Hours,Rate\n2026-11-20,${name},${tutor},1,45\n2026-11-20,${name},${tutor},3,45\n2026-11-19,${name},${tutor},1,45\n`
    const imported = await caller.call('POST', '/api/v1/imports', { text })
    assert.deepEqual([imported.status, imported.body.sessions, imported.body.held], [201, 3, 1])
    assert.deepEqual(
      (await held(caller)).map(({ duration }) => duration),
      [1],
      'the nearest length waits',
    )
    assert.equal((await totalsOf(caller)).log, 3)
    assert.equal((await totalsOf(pair[other])).log, 3, 'what waits for no answer is shared')
    const again = await caller.call('POST', '/api/v1/imports', { text })
    assert.equal(again.body.code, 'nothing', 'what waits is not imported twice')
  })
}

test('a second lesson sent late on a day that already has one waiting is stored as another lesson', async () => {
  const pair = await aPair(server)
  await pair.log()
  const [first, second] = [await late.practice(pair, {}), await late.practice(pair, { duration: 1 })]
  assert.deepEqual([first.body.is_held, second.body.is_held, second.body.is_shared], [true, false, true])
})

test('a waiting session counts and is shared if its look-alike is deleted, and stays in its own log if the connection ends', async () => {
  const pair = await aPair(server)
  const gone = await pair.log()
  const first = await late.practice(pair, {})
  assert.equal((await pair.family.call('DELETE', `/api/v1/sessions/${gone}`)).status, 204)
  const shared = await read(pair.family, idOf(first))
  assert.deepEqual([shared.is_held, shared.is_shared, shared.own_confirmation], [false, true, 'none'])

  const theirs = await pair.log({ date: '2026-11-18' })
  const second = await late.practice(pair, { date: '2026-11-18' })
  await pair.practice.call('DELETE', `/api/v1/connections/${pair.connection}`)
  const own = await read(pair.practice, idOf(second))
  assert.deepEqual([own.is_held, own.is_shared], [false, false])
  assert.equal((await pair.family.call('GET', `/api/v1/sessions/${idOf(second)}`)).status, 404)
  assert.equal((await read(pair.family, theirs)).is_shared, false)
})
