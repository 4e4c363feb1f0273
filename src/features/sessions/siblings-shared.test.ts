// One lesson of several children, logged in one request: each pays the full price, or they share one.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aMember, post } from '#main/testing/members.server.ts'
import { aPair, read, type Row, rowsOf, sessionsOf } from '#main/testing/two-sides.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

const SEVERAL = '/api/v1/sessions/several'

async function siblings(currency: string, rate: number, names = ['Theo', 'Maya']) {
  const who = await server.aUser()
  await superuser.query('update workspaces set currency = $1 where id = $2', [
    currency,
    who.member.workspaceId,
  ])
  const children: string[] = []
  for (const name of names) children.push(String((await post(who, 'students', { name })).id))
  const tutor_id = String((await post(who, 'tutors', { name: 'Ingrid', hourly_rate: rate })).id)
  const lesson = { tutor_id, date: '2026-11-03', duration: 1 }
  const log = (more: object, together: object = {}, headers?: Record<string, string>): Promise<Answer> =>
    who.call(
      'POST',
      SEVERAL,
      { sessions: children.map((student_id) => ({ student_id, ...lesson, ...more })), ...together },
      headers,
    )
  return { who, children, tutor_id, lesson, log }
}

const amountsOf = (answer: Answer) => {
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return rowsOf(answer).map(({ student_name: name, total_amount: amount }) => [name, amount])
}

test("D1: siblings share a lesson's price to the cent in dollars, yen and euros; the first by name pays the odd one", async () => {
  for (const [currency, rate, each, shared] of [
    ['USD', 45.01, 45.01, [22.5, 22.51]],
    ['EUR', 32.5, 32.5, [16.25, 16.25]],
    ['JPY', 4501, 4501, [2250, 2251]],
  ] as const) {
    const { who, log } = await siblings(currency, rate)
    assert.deepEqual(amountsOf(await log({})), [
      ['Theo', each],
      ['Maya', each],
    ])
    const answer = await log({ date: '2026-11-04' }, { shares_one_price: true })
    assert.deepEqual(amountsOf(answer), [
      ['Theo', shared[0]],
      ['Maya', shared[1]],
    ])
    for (const session of rowsOf(answer)) {
      assert.deepEqual(
        [session.hourly_rate, session.effective_rate, session.price_source, session.lesson_minutes],
        [null, null, 'shared', 60],
      )
      assert.equal((await read(who, session.id)).currency, currency)
    }
  }
  // Three, of whom one pays what can't be split.
  const { log } = await siblings('EUR', 10, ['Theo', 'Maya', 'Ana'])
  assert.deepEqual(amountsOf(await log({}, { shares_one_price: true })), [
    ['Theo', 3.33],
    ['Maya', 3.33],
    ['Ana', 3.34],
  ])
  // A rate that was typed is shared in place of the usual price; no price at all stays none.
  assert.deepEqual(
    amountsOf(await log({ date: '2026-11-05', hourly_rate: '90' }, { shares_one_price: true })),
    [
      ['Theo', 30],
      ['Maya', 30],
      ['Ana', 30],
    ],
  )
  const unpriced = await siblings('EUR', 10)
  await unpriced.who.call('PATCH', `/api/v1/tutors/${unpriced.tutor_id}`, { hourly_rate: null })
  assert.deepEqual(amountsOf(await unpriced.log({}, { shares_one_price: true })), [
    ['Theo', null],
    ['Maya', null],
  ])
  assert.deepEqual(amountsOf(await log({ date: '2026-11-06', duration: 0 }, { shares_one_price: true })), [
    ['Theo', 0],
    ['Maya', 0],
    ['Ana', 0],
  ])
})

test('the price shared is that of the first by name, with its pair, and follows the length when that is corrected', async () => {
  const { who, children, tutor_id, log } = await siblings('EUR', 45)
  const [, maya] = children
  await post(who, 'prices', {
    student_id: maya,
    tutor_id,
    from: '2026-09-01',
    amount: 32.51,
    lesson_minutes: 45,
  })
  const answer = await log({ duration: 0.75 }, { shares_one_price: true })
  assert.deepEqual(amountsOf(answer), [
    ['Theo', 16.25],
    ['Maya', 16.26],
  ])
  const [theos] = rowsOf(answer)
  const longer = await who.call('PATCH', `/api/v1/sessions/${theos?.id}`, {
    duration: 1.5,
    date: '2026-08-31',
  })
  assert.deepEqual([longer.body.total_amount, longer.body.price_source], [32.5, 'shared'])
})

test('all or nothing, and the same request again saves nothing more (D6)', async () => {
  const { who, children, lesson, log } = await siblings('EUR', 45)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const first = await log({}, { shares_one_price: true }, key)
  const again = await log({}, { shares_one_price: true }, key)
  assert.deepEqual(rowsOf(again), rowsOf(first))
  assert.equal((await sessionsOf(who)).length, 2)
  const refused = async (sessions: object[], more: object = { shares_one_price: true }) => {
    const answer = await who.call('POST', SEVERAL, { sessions, ...more })
    return [answer.status, answer.body.code]
  }
  const [theo, maya] = children.map((student_id) => ({ ...lesson, date: '2026-11-05', student_id }))
  assert.ok(theo && maya)
  assert.deepEqual(await refused([theo, { ...maya, student_id: crypto.randomUUID() }]), [
    422,
    'unknown_student',
  ])
  for (const [one, other] of [
    [theo, theo],
    [theo, { ...maya, date: '2026-11-06' }],
    [theo, { ...maya, duration: 2 }],
    [theo, { ...maya, hourly_rate: 10 }],
  ] as const)
    assert.deepEqual(await refused([one, other]), [422, 'not_one_lesson'])
  assert.deepEqual(await refused([theo]), [422, 'not_one_lesson'])
  const pricey = { duration: 24, hourly_rate: 500_000 }
  assert.deepEqual(amountsOf(await log({ ...pricey, date: '2026-11-07' }, { shares_one_price: true })), [
    ['Theo', 6_000_000],
    ['Maya', 6_000_000],
  ])
  assert.equal((await sessionsOf(who)).length, 4)
})

test('T19: a caregiver logs several children at the full price each, and shares none', async () => {
  const { who, children, lesson } = await siblings('EUR', 45)
  const cara = await aMember(server, who, 'caregiver')
  const sessions = children.map((student_id) => ({ ...lesson, student_id }))
  const refused = await cara.call('POST', SEVERAL, { sessions, shares_one_price: true })
  assert.deepEqual([refused.status, refused.body.code], [422, 'rate_not_yours'])
  assert.equal((await cara.call('POST', SEVERAL, { sessions })).status, 201)
  const amounts = (await sessionsOf(who)).map(({ total_amount: amount }) => amount)
  assert.deepEqual(amounts, [45, 45])
})

test("with a connection, both confirm a child's share; a practice's students in different currencies share no price", async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const both = async (who: Caller, students: string[], tutor_id: string) =>
    who.call('POST', SEVERAL, {
      sessions: students.map((student_id) => ({ student_id, tutor_id, date: '2026-11-10', duration: 1 })),
      shares_one_price: true,
    })
  const theo = String((await post(pair.family, 'students', { name: 'Theo' })).id)
  const logged = rowsOf(await both(pair.family, [pair.child, theo], pair.tutor))
  const mayas = logged.find(({ student_id: id }) => id === pair.child) as Row
  assert.deepEqual([mayas.total_amount, mayas.is_shared], [22.5, true])
  const seen = await read(pair.practice, mayas.id)
  assert.deepEqual([seen.total_amount, seen.lesson_price, seen.price_source], [22.5, 22.5, null])
  await pair.practice.call('POST', `/api/v1/sessions/${mayas.id}/confirm`, {})
  assert.equal((await read(pair.family, mayas.id)).verified_by_tutor, true)
  // The practice counts in dollars, and Maya's family in euros.
  const other = String((await post(pair.practice, 'students', { name: 'Zoe' })).id)
  const refused = await both(pair.practice, [pair.student, other], pair.self)
  assert.deepEqual([refused.status, refused.body.code], [422, 'other_currency'])
})
