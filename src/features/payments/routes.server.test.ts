import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

interface Family {
  parent: Caller
  child: string
  tutor: string
}

async function aFamily(rate: number | string | null = 45): Promise<Family> {
  const parent = await server.aUser()
  const child = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: rate })).body.id,
  )
  return { parent, child, tutor }
}

const lesson = (family: Family, date: string, more: object = {}) =>
  family.parent.call('POST', '/api/v1/sessions', {
    student_id: family.child,
    tutor_id: family.tutor,
    date,
    duration: 1.5,
    ...more,
  })
const pay = (family: Family, date: string, amount: number | string, more: object = {}) =>
  family.parent.call('POST', '/api/v1/payments', { tutor_id: family.tutor, date, amount, ...more })
const fieldsOf = (answer: { body: { errors?: { field: string }[] } }) =>
  answer.body.errors?.map((error) => error.field)

interface Figures {
  id: string | null
  name: string
  carried_over: number
  sessions_amount: number
  covered_amount: number
  other_amount: number
  paid_amount: number
  balance: number
  hours_left: number
  prepaid: string
}
const balancesOf = async (caller: Caller, month: string) =>
  (await caller.call('GET', `/api/v1/balances?month=${month}`)).body as unknown as {
    total: Figures
    balances: Figures[]
  }

test('a balance carries over from month to month and is explained line by line', async () => {
  const family = await aFamily('45.55')
  await pay(family, '2026-09-01', '100.10', { kind: 'opening', note: 'Spring term' })
  await lesson(family, '2026-09-10')
  await lesson(family, '2026-10-10')
  await pay(family, '2026-10-10', '120', { method: 'transfer' })
  const {
    balances: [october],
    total,
  } = await balancesOf(family.parent, '2026-10')
  // The family owes 100.10 + 68.33, and later another 68.33. It has paid 120.
  assert.deepEqual(
    [october?.carried_over, october?.sessions_amount, october?.paid_amount, october?.balance],
    [168.43, 68.33, 120, 116.76],
  )
  assert.equal(total.balance, 116.76)
  assert.equal((await balancesOf(family.parent, '2026-12')).balances[0]?.carried_over, 116.76)
  assert.deepEqual((await balancesOf(family.parent, '2026-08')).balances, [])
  const { body } = await family.parent.call(
    'GET',
    `/api/v1/balances/lines?month=2026-10&with=${family.tutor}`,
  )
  const lines = body.lines as { kind: string; balance: number; student_name: string | null }[]
  assert.deepEqual(
    lines.map((line) => [line.kind, line.balance, line.student_name]),
    [
      ['payment', 48.43, null],
      ['session', 116.76, 'Maya'],
    ],
  )
})

test("without dates, the list has the current month's payments, by the caller's day if they say it", async () => {
  server.clock.now = new Date('2027-02-28T23:30:00Z')
  const family = await aFamily()
  for (const day of ['2027-01-31', '2027-02-01', '2027-02-28', '2027-03-01'])
    assert.equal((await pay(family, day, 10)).status, 201)
  const daysOf = async (query = '') => {
    const { status, body } = await family.parent.call('GET', `/api/v1/payments${query}`)
    return status === 200 ? (body as unknown as { date: string }[]).map(({ date }) => date) : status
  }
  assert.deepEqual(await daysOf(), ['2027-02-28', '2027-02-01'])
  await family.parent.call('PATCH', '/api/v1/me', { time_zone: 'Asia/Tokyo' })
  assert.deepEqual(await daysOf(), ['2027-03-01'], 'the month in the time zone of their account')
  assert.deepEqual(
    await daysOf('?today=2027-03-01'),
    ['2027-03-01'],
    'it may already be March where they are',
  )
  assert.deepEqual(await daysOf('?today=2027-01-15'), ['2027-01-31'])
  assert.deepEqual(await daysOf('?from=2027-01-15'), ['2027-01-31'], 'the rest of that month')
  assert.deepEqual(await daysOf('?to=2027-02-27'), ['2027-02-01'])
  assert.deepEqual(await daysOf('?from=2027-01-31&to=2027-02-01'), ['2027-02-01', '2027-01-31'])
  assert.equal(await daysOf('?from=2027-02-30'), 422)
  server.clock.now = new Date()
})

test('prepaid hours are used up, and the figures still add up', async () => {
  const family = await aFamily()
  await pay(family, '2026-10-01', 100, { kind: 'hours', hours: 2.5, method: 'cash' })
  for (const date of ['2026-10-02', '2026-10-03']) await lesson(family, date)
  const {
    balances: [figures],
  } = await balancesOf(family.parent, '2026-10')
  assert.deepEqual(
    figures && [
      figures.sessions_amount,
      figures.covered_amount,
      figures.other_amount,
      figures.paid_amount,
      figures.balance,
      figures.hours_left,
      figures.prepaid,
    ],
    [135, 112.5, 100, 100, 22.5, 0, 'used_up'],
  )
})

test('a payment can be changed and deleted, and of two changes to one version the second is refused (D6)', async () => {
  const family = await aFamily()
  const made = await pay(family, '2026-10-01', 50, { method: 'cash', note: 'In an envelope' })
  assert.deepEqual([made.status, made.headers.etag, made.body.tutor_name], [201, '"2"', 'Ingrid'])
  const path = `/api/v1/payments/${String(made.body.id)}`
  const changes = await Promise.all(
    ['60.01', '70'].map((amount) => family.parent.call('PATCH', path, { amount }, { 'if-match': '"2"' })),
  )
  assert.deepEqual(changes.map((answer) => answer.status).sort(), [200, 409])
  assert.equal((await family.parent.call('PATCH', path, { kind: 'hours' })).body.code, 'no_hours')
  assert.equal((await family.parent.call('PATCH', path, { kind: 'hours', hours: 4 })).body.hours, 4)
  assert.equal((await family.parent.call('PATCH', path, { kind: 'payment' })).body.hours, null)
  assert.equal((await family.parent.call('DELETE', path, {})).status, 204)
  assert.equal((await family.parent.call('GET', path)).status, 404)
  assert.deepEqual((await balancesOf(family.parent, '2026-10')).balances, [])
})

test('I2, I4, T4: every bad field is refused with its name, and nothing is written', async () => {
  const family = await aFamily()
  const bad: [object, string][] = [
    [{ date: '2026-02-30' }, 'date'],
    [{ amount: -1 }, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.234 }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ amount: 20_000_000.01 }, 'amount'],
    [{ amount: null }, 'amount'],
    [{ kind: 'gift' }, 'kind'],
    [{ kind: 'hours' }, 'hours'],
    [{ kind: 'hours', hours: 0 }, 'hours'],
    [{ kind: 'hours', hours: 0.1 }, 'hours'],
    [{ kind: 'hours', hours: 1001 }, 'hours'],
    [{ method: 'barter' }, 'method'],
    [{ note: 'x'.repeat(501) }, 'note'],
    [{ tutor_id: null }, 'tutor_id'],
    [{ tutor_id: 'x' }, 'tutor_id'],
    [{ workspace_id: family.parent.member.workspaceId }, 'workspace_id'],
    [{ version: 9 }, 'version'],
  ]
  for (const [change, field] of bad) {
    const answer = await pay(family, '2026-10-01', 5, change)
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]], JSON.stringify(change))
  }
  assert.deepEqual(
    (await family.parent.call('GET', '/api/v1/payments?from=1900-01-01&to=2200-12-31')).body,
    [],
  )
})

test('T1, T2, T3: a family cannot see, change or reference payments of another', async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  const path = `/api/v1/payments/${String((await pay(ann, '2026-10-01', 50)).body.id)}`
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { amount: 1 }],
    ['DELETE', {}],
  ] as const)
    assert.equal((await bob.parent.call(method, path, body)).status, 404)
  assert.deepEqual(fieldsOf(await pay(bob, '2026-10-01', 5, { tutor_id: ann.tutor })), ['tutor_id'])
  assert.deepEqual(fieldsOf(await pay(bob, '2026-10-01', 5, { student_id: ann.child })), ['student_id'])
  assert.equal(
    (await bob.parent.call('GET', `/api/v1/balances/lines?month=2026-10&with=${ann.tutor}`)).status,
    404,
  )
  assert.deepEqual((await balancesOf(bob.parent, '2026-10')).balances, [], 'T7')
  assert.deepEqual(
    await server.db.asMember(bob.parent.member, (tx) => tx.selectFrom('payments').select('id').execute()),
    [],
  )
  await assert.rejects(
    server.db.asMember(bob.parent.member, (tx) =>
      tx
        .insertInto('payments')
        .values({
          workspace_id: ann.parent.member.workspaceId,
          day: '2026-10-01',
          amount_cents: 1,
          tutor_id: null,
          student_id: null,
          prepaid_minutes: null,
          method: null,
        })
        .execute(),
    ),
    /row-level security/,
  )
})

test('D5: a retried payment is recorded once', async () => {
  const family = await aFamily()
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      family.parent.call(
        'POST',
        '/api/v1/payments',
        { tutor_id: family.tutor, date: '2026-10-01', amount: 5 },
        { 'idempotency-key': 'once' },
      ),
    ),
  )
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
})

test('D7: deleting a tutor keeps payments and balances', async () => {
  const family = await aFamily()
  await lesson(family, '2026-10-10')
  const payment = String((await pay(family, '2026-10-11', 50)).body.id)
  await family.parent.call('DELETE', `/api/v1/tutors/${family.tutor}`, {})
  const { balances } = await balancesOf(family.parent, '2026-10')
  assert.deepEqual(
    balances.map((one) => [one.id, one.name, one.balance]),
    [[null, 'Unknown Tutor', 17.5]],
  )
  assert.equal(
    (await family.parent.call('GET', '/api/v1/balances/lines?month=2026-10&with=unknown')).status,
    200,
  )
  assert.equal(
    (await family.parent.call('PATCH', `/api/v1/payments/${payment}`, { amount: 67.5 })).status,
    200,
  )
})

test("for a tutor, payments come from families, and there's a balance for each student", async () => {
  const tutor = await server.aUser('tutor')
  const [own] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  await tutor.call('PATCH', `/api/v1/tutors/${own?.id}`, { hourly_rate: 60 })
  const [ada, ben] = await Promise.all(
    ['Ada', 'Ben'].map(async (name) =>
      String((await tutor.call('POST', '/api/v1/students', { name })).body.id),
    ),
  )
  for (const student_id of [ada, ada, ben])
    await tutor.call('POST', '/api/v1/sessions', {
      student_id,
      tutor_id: own?.id,
      date: '2026-10-10',
      duration: 1,
    })
  assert.deepEqual(
    fieldsOf(await tutor.call('POST', '/api/v1/payments', { date: '2026-10-11', amount: 60 })),
    ['student_id'],
  )
  const paid = await tutor.call('POST', '/api/v1/payments', {
    date: '2026-10-11',
    amount: 60,
    student_id: ada,
  })
  assert.deepEqual([paid.body.tutor_id, paid.body.student_name], [own?.id, 'Ada'])
  assert.deepEqual(
    (await balancesOf(tutor, '2026-10')).balances.map((one) => [one.name, one.balance]),
    [
      ['Ada', 60],
      ['Ben', 60],
    ],
  )
})

test('an archived child or tutor leaves the lists, stays in history and can be brought back', async () => {
  const family = await aFamily()
  await lesson(family, '2026-10-10')
  const lists = async (query = '') =>
    Promise.all(
      ['students', 'tutors'].map(async (list) =>
        (
          (await family.parent.call('GET', `/api/v1/${list}${query}`)).body as unknown as {
            name: string
            archived: boolean
          }[]
        ).map((row) => row.name),
      ),
    )
  for (const path of [`/api/v1/students/${family.child}`, `/api/v1/tutors/${family.tutor}`])
    assert.equal((await family.parent.call('PATCH', path, { archived: true })).body.archived, true)
  assert.deepEqual(await lists(), [[], []])
  assert.deepEqual(await lists('?archived=true'), [['Maya'], ['Ingrid']])
  assert.deepEqual(await lists('?archived=all'), [['Maya'], ['Ingrid']])
  assert.equal((await family.parent.call('GET', '/api/v1/students?archived=perhaps')).status, 422)
  const { body } = await family.parent.call('GET', '/api/v1/summary?month=2026-10')
  assert.deepEqual(
    (body.by_tutor as Figures[]).map((group) => group.name),
    ['Ingrid'],
  )
  assert.equal((await balancesOf(family.parent, '2026-10')).balances[0]?.name, 'Ingrid')
  for (const path of [`/api/v1/students/${family.child}`, `/api/v1/tutors/${family.tutor}`])
    await family.parent.call('PATCH', path, { archived: false })
  assert.deepEqual(await lists(), [['Maya'], ['Ingrid']])
})

test('tutors cannot archive their own row', async () => {
  const tutor = await server.aUser('tutor')
  const [own] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/tutors/${own?.id}`, { archived: true })).body.code,
    'own_row',
  )
})

test('sessions and payments of two years, written, changed and deleted in any order, agree with a model in every month', async () => {
  const family = await aFamily()
  const books = new Map<string, { day: string; cents: number }>()
  // Seeded pseudo-random numbers, so that a failure can be reproduced.
  let seed = 20_261_121
  const dice = (sides: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * sides)
  }
  const aDay = () =>
    `${2024 + dice(2)}-${String(1 + dice(12)).padStart(2, '0')}-${String(1 + dice(28)).padStart(2, '0')}`
  for (let step = 0; step < 120; step++) {
    const known = [...books.keys()]
    const old = known[dice(known.length)]
    const day = aDay()
    const [quarters, rate, amount] = [1 + dice(12), dice(9000), 1 + dice(30_000)]
    const isLesson = old ? old.startsWith('/api/v1/sessions') : dice(2) === 0
    if (old && dice(5) === 0) {
      assert.equal((await family.parent.call('DELETE', old, {})).status, 204)
      books.delete(old)
    } else if (old && dice(4) === 0) {
      await family.parent.call(
        'PATCH',
        old,
        isLesson
          ? { date: day, duration: quarters / 4, hourly_rate: rate / 100 }
          : { date: day, amount: amount / 100 },
      )
      books.set(old, { day, cents: isLesson ? Math.floor((rate * quarters * 15 * 2 + 60) / 120) : -amount })
    } else if (dice(3) > 0) {
      const { body } = await lesson(family, day, { duration: quarters / 4, hourly_rate: rate / 100 })
      books.set(`/api/v1/sessions/${String(body.id)}`, {
        day,
        cents: Math.floor((rate * quarters * 15 * 2 + 60) / 120),
      })
    } else {
      const { body } = await pay(family, day, amount / 100)
      assert.ok(body.id, JSON.stringify(body))
      books.set(`/api/v1/payments/${String(body.id)}`, { day, cents: -amount })
    }
  }
  const owed = (until: string) =>
    [...books.values()].filter(({ day }) => day <= until).reduce((sum, { cents }) => sum + cents, 0)
  for (let month = 0; month < 24; month++) {
    const name = `${2024 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
    const { total } = await balancesOf(family.parent, name)
    assert.equal(Math.round(total.balance * 100), owed(`${name}-31`), name)
    const { body } = await family.parent.call(
      'GET',
      `/api/v1/balances/lines?month=${name}&with=${family.tutor}`,
    )
    const last = (body.lines as { balance: number }[]).at(-1)
    if (last) assert.equal(Math.round(last.balance * 100), owed(`${name}-31`), `the last line of ${name}`)
    assert.equal(
      (await family.parent.call('GET', `/api/v1/summary?month=${name}`)).body.total_amount,
      total.sessions_amount,
      `the summary of ${name}`,
    )
  }
})

test('a year is its twelve months: taught, paid and due', async () => {
  const family = await aFamily()
  await lesson(family, '2025-12-31')
  for (const date of ['2026-01-01', '2026-06-15', '2026-12-31']) await lesson(family, date)
  await pay(family, '2026-06-20', 100)
  const { body } = await family.parent.call('GET', '/api/v1/summary/year?year=2026')
  assert.deepEqual(
    [body.total_sessions, body.total_amount, body.paid_amount, body.open_amount],
    [3, 202.5, 100, 170],
  )
  const months = body.by_month as {
    month: string
    sessions: number
    paid_amount: number
    open_amount: number
  }[]
  assert.deepEqual(
    [0, 5, 11].map((at) => [
      months[at]?.month,
      months[at]?.sessions,
      months[at]?.paid_amount,
      months[at]?.open_amount,
    ]),
    [
      ['2026-01', 1, 0, 135],
      ['2026-06', 1, 100, 102.5],
      ['2026-12', 1, 0, 170],
    ],
  )
  assert.equal((await family.parent.call('GET', '/api/v1/summary/year?year=26')).status, 422)
})
