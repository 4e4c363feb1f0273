// What one side reports as "I paid" shows up as "Received?" on the other, and both sides have the same
// balance.
import assert from 'node:assert/strict'
import { askToDelete, giveAnswer } from '#features/agreements/commands.server.ts'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { until } from '#main/testing/process.server.ts'
import { linkCaller } from '#features/access/admission.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aPair,
  aPractice,
  byLink,
  connectionsOf,
  idOf,
  type Pair,
  type Row,
  rowsOf,
  tokenOf,
} from '#main/testing/two-sides.server.ts'
import { changePayment, PAYMENT, recordPayment } from './commands.server.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { cents } from '#kernel/money.ts'
import { listShared } from './queries.server.ts'

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

const DAY = '2026-11-14'
const MONTH = '2026-11'
const pay = (who: Caller, body: object) =>
  who.call('POST', '/api/v1/payments', { date: DAY, amount: 135, ...body })
const readPayment = async (who: Caller, id: string) =>
  (await who.call('GET', `/api/v1/payments/${id}`)).body as Row
const answer = (who: Caller, id: string, what: string, body: object = {}, version?: number) =>
  who.call(
    'POST',
    `/api/v1/payments/${id}/${what}`,
    body,
    version === undefined ? undefined : { 'if-match': `"${version}"` },
  )
const peopleOf = (connection: Row | undefined) => (connection?.people ?? []) as Row[]
const waiting = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/payments/waiting'))
const unshared = async (who: Caller) => rowsOf(await who.call('GET', '/api/v1/payments/unshared'))
const balances = async (who: Caller, month = MONTH) =>
  (await who.call('GET', `/api/v1/balances?month=${month}`)).body.balances as Row[]
const sharedBalance = async (who: Caller, connection: string, month = MONTH) =>
  (await balances(who, month)).find((one) => one.connection_id === connection)
/** Checks that both sides see the same figures. Returns the balance and the amount that's on its way. */
async function both({ family, practice, connection }: Pair): Promise<[unknown, unknown]> {
  const [ours, theirs] = await Promise.all([family, practice].map((who) => sharedBalance(who, connection)))
  const { id: _id, name: _name, ...figures } = ours ?? ({} as Row)
  const { id: _theirs, name: _called, ...others } = theirs ?? ({} as Row)
  assert.deepEqual(figures, others)
  return [ours?.balance, ours?.on_its_way_amount]
}

test('what the family paid is on its way until the tutor confirms it, and both see the same balance', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor, connection, student } = pair
  const lesson = idOf(await pair.logByPractice({ duration: 3 }))
  assert.deepEqual(await both(pair), [135, 0])
  const paid = await pay(family, { tutor_id: tutor, method: 'transfer', note: 'from savings' })
  const id = idOf(paid)
  assert.deepEqual(
    [paid.body.connection_id, paid.body.currency, paid.body.counts, paid.body.is_shared],
    [connection, 'USD', false, true],
  )
  assert.deepEqual(await both(pair), [135, 135], 'outside the balance, beside it')
  const [asked] = await waiting(practice)
  assert.deepEqual(
    [asked?.id, asked?.amount, asked?.method, asked?.own_confirmation, asked?.waits_for_you],
    [id, 135, 'transfer', 'none', true],
  )
  assert.deepEqual(await waiting(family), [])
  assert.doesNotMatch(JSON.stringify([asked, await readPayment(practice, id)]), /savings/, 'T8')

  const [first, second] = [await answer(practice, id, 'confirm'), await answer(practice, id, 'confirm')]
  assert.deepEqual(first.body, second.body, 'a second tap changes nothing')
  assert.equal(first.body.student_id, student, 'the only student of the family')
  assert.deepEqual(await both(pair), [0, 0])
  assert.deepEqual(await waiting(practice), [])

  // When the tutor changes a private note, nothing that the family can see changes.
  const seen = await readPayment(family, id)
  let heard = 0
  let stopListening = (): void => undefined
  // Events from before the database listener has connected are missed. An open page then looks again.
  await new Promise<void>((listening) => {
    stopListening = server.db.subscribe(family.member.workspaceId, () => (heard += 1), listening)
  })
  await practice.call('PATCH', `/api/v1/payments/${id}`, { note: 'paid late again' })
  assert.deepEqual(await readPayment(family, id), seen)
  assert.equal(heard, 0, 'no open page of the family looks again')
  await family.call('PATCH', `/api/v1/payments/${id}`, { method: 'cash', note: 'other' })
  assert.equal((await readPayment(practice, id)).counts, true, 'how it was paid is no fact')

  await family.call('PATCH', `/api/v1/payments/${id}`, { amount: 120 })
  assert.deepEqual(await both(pair), [135, 120], 'the confirmation was of another amount')
  assert.deepEqual(
    (await waiting(practice)).map((one) => [one.id, one.amount]),
    [[id, 120]],
  )
  await practice.call('PATCH', `/api/v1/payments/${id}`, { date: '2026-11-15' })
  // Change events arrive after the response.
  await until('it does when a fact changes', async () => heard >= 2)
  stopListening()
  assert.deepEqual(
    (await waiting(family)).map((one) => one.id),
    [id],
    'a changed day is asked the other way round',
  )
  assert.equal((await answer(family, id, 'confirm')).body.counts, true)
  assert.deepEqual(await both(pair), [15, 0])
  const lines = (await family.call('GET', `/api/v1/balances/lines?month=${MONTH}&with=${connection}`)).body
    .lines as Row[]
  assert.deepEqual(
    lines.map((line) => [line.id, line.standing, line.balance]),
    [
      [id, 'verified', -120],
      [lesson, 'waiting', 15],
    ],
  )
})

test('a tutor sees whose payment it is by the name of the family’s balance, even if the family gave no name', async () => {
  const { family, practice, tutor } = await aPair(server)
  await pay(family, { tutor_id: tutor })
  assert.deepEqual(
    (await waiting(practice)).map((one) => one.other_name),
    ["Maya's family"],
  )
})

test('a payment disputed with a note is in no balance, and waits again once its amount is corrected', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor, student, connection } = pair
  await pair.logByPractice({ duration: 3 })
  const id = idOf(await pay(practice, { student_id: student }))
  assert.deepEqual(
    (await waiting(family)).map((one) => [one.id, one.other_name]),
    [[id, 'Ingrid']],
  )
  assert.equal((await answer(family, id, 'dispute', { note: ' ' })).status, 422)
  const stale = (await readPayment(family, id)).version
  await practice.call('PATCH', `/api/v1/payments/${id}`, { amount: 130 })
  assert.equal((await answer(family, id, 'dispute', { note: 'It was 125' }, stale)).body.code, 'changed')
  await answer(family, id, 'dispute', { note: 'It was 125' })
  assert.deepEqual(await both(pair), [135, 0], 'neither paid nor on its way')
  assert.equal((await readPayment(practice, id)).dispute_note, 'It was 125')
  await practice.call('PATCH', `/api/v1/payments/${id}`, { amount: 125 })
  assert.deepEqual(
    (await waiting(family)).map((one) => [one.id, one.own_confirmation]),
    [[id, 'none']],
  )
  await answer(family, id, 'confirm')
  assert.deepEqual(await both(pair), [10, 0])
  const taken = await family.call('DELETE', `/api/v1/payments/${id}/confirm`)
  assert.deepEqual([taken.body.own_confirmation, taken.body.counts], ['none', false])
  assert.deepEqual(await both(pair), [135, 125])

  // Prepaid hours and earlier debts count for both sides once both have confirmed them.
  const hours = idOf(await pay(family, { tutor_id: tutor, kind: 'hours', hours: 1.5, amount: 60 }))
  const opening = idOf(await pay(practice, { connection_id: connection, kind: 'opening', amount: 20 }))
  assert.deepEqual(await both(pair), [135, 185], 'a debt is not on its way')
  await answer(practice, hours, 'confirm')
  assert.deepEqual(await both(pair), [67.5, 125])
  await answer(family, opening, 'confirm')
  assert.deepEqual(await both(pair), [87.5, 125])
})

test('a payment of nothing, with a date too far ahead, in another currency or recorded twice is refused with a message, and changes nothing', async () => {
  const { family, practice, tutor, student } = await aPair(server)
  const inDays = (days: number) =>
    new Date(server.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  for (const [more, words] of [
    [{ amount: 0 }, 'Enter an amount above 0'],
    [{ amount: -5 }, 'Enter an amount above 0'],
    [{ date: inDays(2) }, "A payment can't be dated later than tomorrow"],
    [{ currency: 'EUR' }, /currency/],
    [{ connection_id: crypto.randomUUID() }, /is not part of it/],
  ] as const) {
    const { status, body } = await pay(family, { tutor_id: tutor, ...more })
    assert.ok(status === 422 || status === 409, JSON.stringify(body))
    assert.match(body.errors?.[0]?.message ?? String(body.title), new RegExp(words), JSON.stringify(more))
  }
  assert.equal((await waiting(practice)).length, 0)
  const id = idOf(await pay(family, { tutor_id: tutor, date: inDays(1) }))
  for (const change of [{ date: inDays(2) }, { amount: 0 }, { amount: -5 }])
    assert.equal((await family.call('PATCH', `/api/v1/payments/${id}`, change)).status, 422)
  const unchanged = await readPayment(family, id)
  assert.deepEqual([unchanged.date, unchanged.amount, unchanged.version], [inDays(1), 135, 1])
  const twice = await Promise.all([1, 2].map(() => pay(family, { tutor_id: tutor })))
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 409])
  const again = await practice.call('POST', '/api/v1/payments', {
    student_id: student,
    date: DAY,
    amount: 135,
  })
  assert.deepEqual(
    [again.status, again.body.code, again.body.title],
    [409, 'same_payment', 'The same payment is already recorded'],
  )
  assert.equal((await pay(family, { tutor_id: tutor, is_another: true })).status, 201)
  assert.equal((await waiting(practice)).length, 3)
})

test('a payment that the other side has confirmed at any time is deleted only with its consent', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor } = pair
  const alone = idOf(await pay(family, { tutor_id: tutor }))
  assert.equal((await family.call('DELETE', `/api/v1/payments/${alone}`)).status, 204)
  const id = idOf(await pay(family, { tutor_id: tutor }))
  await answer(practice, id, 'confirm')
  const asked = await family.call('DELETE', `/api/v1/payments/${id}`)
  assert.deepEqual([asked.status, asked.body.code], [202, 'deletion_requested'])
  assert.deepEqual(
    (await waiting(practice)).map((one) => one.deletion_asked_by),
    ['other'],
  )
  assert.deepEqual(await both(pair), [undefined, undefined], 'owed by nobody until the two agree')
  assert.equal((await answer(practice, id, 'keep')).body.counts, true)
  assert.equal((await answer(practice, id, 'keep')).body.code, 'not_asked')
  assert.deepEqual(await both(pair), [-135, 0])
  await family.call('DELETE', `/api/v1/payments/${id}`)
  await superuser.query("update payments set deletion_asked_at = now() - interval '29 days' where id = $1", [
    id,
  ])
  assert.equal(
    (await family.call('DELETE', `/api/v1/payments/${id}`)).status,
    204,
    'four weeks without an answer or a reminder',
  )
  assert.equal((await readPayment(practice, id)).is_shared, false, 'the other side keeps its own')

  const next = idOf(await pay(practice, { student_id: pair.student, amount: 40 }))
  await answer(family, next, 'confirm')
  await practice.call('DELETE', `/api/v1/payments/${next}`)
  assert.equal((await family.call('DELETE', `/api/v1/payments/${next}`)).status, 204)
  assert.equal((await practice.call('GET', `/api/v1/payments/${next}`)).status, 404)
})

test('payments from before the connection stay with their side until it shares them, and a payment that both have becomes one', async () => {
  const asking = await aFamily(server)
  const { practice, self } = await aPractice(server, asking.email)
  const { family, tutor, connection } = asking
  await asking.log({ date: '2026-11-03', duration: 3 })
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  const ours = idOf(await pay(family, { tutor_id: tutor, note: 'ours' }))
  await pay(family, { tutor_id: tutor, amount: 20 })
  const theirs = idOf(await pay(practice, { student_id: student, note: 'theirs' }))
  await pay(practice, { student_id: student, amount: 30 })
  const [asked] = await connectionsOf(practice)
  await practice.call('PATCH', `/api/v1/connections/${connection}`, {
    state: 'active',
    people: peopleOf(asked).map(({ id }) => ({ id, student_id: student })),
  })
  const pair = { ...asking, practice, self, student } as Pair
  assert.deepEqual(await both(pair), [135, 0])
  for (const person of [family, practice]) {
    const { total } = (await person.call('GET', `/api/v1/balances?month=${MONTH}`)).body
    const { balance, paid_amount } = total as Row
    assert.deepEqual([balance, paid_amount], [135, 0], 'what one side alone knows is in no sum of both')
  }
  assert.deepEqual(
    (await balances(family)).map((one) => [one.name, one.is_only_yours, one.balance]),
    [
      ['Ingrid', false, 135],
      ['Ingrid', true, -155],
    ],
  )
  assert.deepEqual([(await unshared(family)).length, (await unshared(practice)).length], [2, 2])
  assert.equal((await readPayment(practice, ours)).id, undefined, 'nobody else sees it')

  const shared = await family.call('POST', '/api/v1/payments/share', { payments: [ours] })
  assert.deepEqual(
    rowsOf(shared).map((one) => [one.id, one.counts, one.note]),
    [[ours, true, 'ours']],
  )
  assert.deepEqual(await both(pair), [0, 0], 'the tutor had it too')
  assert.equal((await practice.call('GET', `/api/v1/payments/${theirs}`)).status, 404)
  assert.equal((await readPayment(practice, ours)).note, 'theirs')
  const rest = (await unshared(practice)).map((one) => one.id)
  await practice.call('POST', '/api/v1/payments/share', { payments: rest })
  assert.deepEqual(await both(pair), [0, 30])
  assert.deepEqual(
    (await waiting(family)).map((one) => one.amount),
    [30],
  )
  assert.equal((await family.call('POST', '/api/v1/payments/share', { payments: [theirs] })).status, 404)
})

test('if both sides share the same payments at the same moment, each is there once', async () => {
  const asking = await aFamily(server)
  const { practice } = await aPractice(server, asking.email)
  const { family, tutor, connection } = asking
  await asking.log()
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05']
  for (const date of days) {
    await pay(family, { tutor_id: tutor, date })
    await pay(practice, { student_id: student, date })
  }
  const [asked] = await connectionsOf(practice)
  await practice.call('PATCH', `/api/v1/connections/${connection}`, {
    state: 'active',
    people: peopleOf(asked).map(({ id }) => ({ id, student_id: student })),
  })
  const lists = await Promise.all([family, practice].map(unshared))
  const answers = await Promise.all(
    [family, practice].flatMap((who, side) =>
      (lists[side] ?? []).map(({ id }) => who.call('POST', '/api/v1/payments/share', { payments: [id] })),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status)),
    [],
  )
  for (const who of [family, practice]) {
    const { body } = await who.call('GET', '/api/v1/payments?from=2026-11-01&to=2026-11-30')
    const all = body as unknown as Row[]
    assert.deepEqual(
      all.map(({ date, counts }) => [date, counts]).reverse(),
      days.map((date) => [date, true]),
    )
  }
})

test('when the two disconnect, each keeps a copy of every payment with its confirmations; after reconnecting, shared copies become one', async () => {
  const pair = await aPair(server)
  const { family, practice, tutor, connection } = pair
  await pair.logByPractice({ duration: 3 })
  const agreed = idOf(await pay(family, { tutor_id: tutor, note: 'ours' }))
  await answer(practice, agreed, 'confirm')
  const open = idOf(await pay(practice, { connection_id: connection, amount: 40 }))
  assert.equal((await family.call('DELETE', `/api/v1/connections/${connection}`)).status, 204)
  for (const [who, own] of [
    [family, 'none'],
    [practice, 'confirmed'],
  ] as const) {
    const [one, other] = [await readPayment(who, agreed), await readPayment(who, open)]
    assert.deepEqual(
      [one.is_shared, one.own_confirmation, one.other_confirmation, one.counts],
      [false, 'confirmed', 'confirmed', true],
    )
    assert.deepEqual([other.own_confirmation, other.counts], [own, own === 'confirmed'])
  }
  const open_ = async (who: Caller) => (await balances(who)).map((one) => [one.connection_id, one.balance])
  assert.deepEqual([await open_(family), await open_(practice)], [[[null, 0]], [[null, -40]]])
  assert.equal((await answer(family, open, 'confirm')).body.counts, true)
  assert.equal((await answer(practice, open, 'confirm')).body.code, 'not_shared')

  const again = idOf(await family.call('POST', '/api/v1/connections', { tutor_id: tutor }))
  const asked = (await connectionsOf(practice)).find((one) => one.id === again)
  await practice.call('PATCH', `/api/v1/connections/${again}`, {
    state: 'active',
    people: peopleOf(asked).map((person) => ({ id: person.id, student_id: pair.student })),
  })
  await practice.call('PATCH', `/api/v1/payments/${open}`, { amount: 45 })
  await family.call('POST', '/api/v1/payments/share', { payments: [agreed, open] })
  assert.equal((await readPayment(practice, agreed)).counts, true)
  assert.equal(
    (await sharedBalance(family, again))?.on_its_way_amount,
    40,
    'the copies are no longer the same',
  )
  assert.deepEqual(
    (await unshared(practice)).map((one) => one.amount),
    [45],
  )
})

test('dollars in your own records never turn into euros, and are not the same payment as euros', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const { practice, self, student, connection, family } = pair
  const other = idOf(await practice.call('POST', '/api/v1/students', { name: 'Zoe' }))
  const session = idOf(
    await practice.call('POST', '/api/v1/sessions', {
      student_id: other,
      tutor_id: self,
      date: DAY,
      duration: 1,
    }),
  )
  const payment = idOf(await pay(practice, { student_id: other, amount: 45 }))
  const moved = await practice.call('PATCH', `/api/v1/sessions/${session}`, { student_id: student })
  assert.deepEqual(
    [moved.status, moved.body.student_id, moved.body.currency, moved.body.is_shared],
    [200, student, 'USD', false],
  )
  const also = await practice.call('PATCH', `/api/v1/payments/${payment}`, { student_id: student })
  assert.deepEqual([also.status, also.body.currency, also.body.is_shared], [200, 'USD', false])
  await practice.call('DELETE', `/api/v1/payments/${payment}`, {})
  const inEuros = await pay(practice, { student_id: student, amount: 45 })
  assert.equal(inEuros.body.currency, 'EUR')
  await family.call('DELETE', `/api/v1/connections/${connection}`, {})
  assert.equal((await readPayment(practice, idOf(inEuros))).currency, 'EUR')
  const inDollars = await pay(practice, { student_id: student, amount: 45 })
  assert.deepEqual([inDollars.status, inDollars.body.currency], [201, 'USD'])
  assert.equal((await pay(practice, { student_id: student, amount: 45 })).body.code, 'same_payment')
})

test("while the other account is closed, shared payments are read-only; once it's erased, the copy stays", async () => {
  const { family, practice, tutor } = await aPair(server)
  const id = idOf(await pay(family, { tutor_id: tutor }))
  await answer(practice, id, 'confirm')
  await superuser.query('update users set deletion_asked_at = now() where id = $1', [practice.id])
  assert.equal((await readPayment(family, id)).is_read_only, true)
  for (const refused of [
    await family.call('PATCH', `/api/v1/payments/${id}`, { amount: 1 }),
    await family.call('DELETE', `/api/v1/payments/${id}`),
    await answer(family, id, 'dispute', { note: 'x' }),
  ])
    assert.equal(refused.body.code, 'other_closed')
  assert.equal((await family.call('PATCH', `/api/v1/payments/${id}`, { note: 'mine' })).body.note, 'mine')
  assert.deepEqual(await waiting(family), [])

  await superuser.query('delete from users where id = $1', [practice.id])
  const kept = await readPayment(family, id)
  assert.deepEqual(
    [kept.is_shared, kept.is_read_only, kept.counts, kept.other_confirmation, kept.note],
    [false, false, true, 'confirmed', 'mine'],
  )
  const { rows } = await superuser.query(
    'select count(*)::int as count from payments where practice_id = $1',
    [practice.id],
  )
  assert.deepEqual(rows, [{ count: 0 }])
})

test('the emailed side answers and records with the same commands, and its confirmations stay when it signs up', async () => {
  const asking = await aFamily(server)
  const { family, tutor, connection, email } = asking
  const before = idOf(await pay(family, { tutor_id: tutor, amount: 10 }))
  assert.equal((await readPayment(family, before)).is_shared, false, 'nobody answered yet')
  await asking.log()
  const token = await tokenOf(server, email)
  const opened = await byLink(server.aStranger(), token, 'open')
  const sessions = rowsOf(opened).map(({ id, version }) => ({ id, version }))
  await byLink(server.aStranger(), token, 'confirm', { sessions })
  const id = idOf(await pay(family, { tutor_id: tutor, note: 'a secret' }))
  assert.equal((await readPayment(family, id)).connection_id, connection)
  const asLink = <Result>(work: (caller: ReturnType<typeof linkCaller>) => Promise<Result>) =>
    server.db.asLink({ id: connection, side: 'practice' }, (tx) =>
      work(linkCaller(tx, { id: connection, side: 'practice' }, server.clock.now)),
    )

  const [shown] = await asLink(({ tx, workspace }) => listShared(tx, workspace, { only: 'waiting' }))
  assert.deepEqual([shown?.id, shown?.waits_for_you, shown?.student_name], [id, true, null])
  await asLink((caller) => giveAnswer(caller, PAYMENT, { id }, 'dispute', { note: 'Nothing came' }))
  assert.equal((await readPayment(family, id)).dispute_note, 'Nothing came')
  const taken = await asLink((caller) => giveAnswer(caller, PAYMENT, { id }, 'confirm'))
  assert.deepEqual([taken?.ok && taken.value.counts, taken?.ok && taken.value.note], [true, null])
  await asLink((caller) => giveAnswer(caller, PAYMENT, { id }, 'withdraw'))
  await asLink((caller) => giveAnswer(caller, PAYMENT, { id }, 'confirm'))
  const facts = { day: DAY as CalendarDay, kind: 'payment' as const, amount: cents(5000) }
  const own = await asLink((caller) => recordPayment(caller, facts))
  assert.ok(own.ok && own.value.own_confirmation === 'confirmed')
  const twice = await asLink((caller) => recordPayment(caller, facts))
  assert.equal(!twice.ok && twice.reason, 'same_payment')
  await asLink((caller) => changePayment(caller, { id: own.value.id }, { amount: cents(4000) }))
  assert.equal((await readPayment(family, own.value.id)).amount, 40)
  await asLink((caller) => askToDelete(caller, PAYMENT, { id: own.value.id }))
  assert.equal((await readPayment(family, own.value.id)).id, undefined)
  for (const _tap of [1, 2]) {
    const asked = await asLink((caller) => askToDelete(caller, PAYMENT, { id }))
    assert.equal(asked?.ok && asked.value, 'asked', 'asking twice asks once')
  }
  await answer(family, id, 'keep')
  assert.equal(
    await server.db.asLink({ id: crypto.randomUUID(), side: 'practice' }, async (tx) =>
      giveAnswer(
        linkCaller(tx, { id: connection, side: 'practice' }, server.clock.now),
        PAYMENT,
        { id },
        'confirm',
      ),
    ),
    undefined,
    'T1: another link sees nothing of it',
  )

  const { practice } = await aPractice(server, email)
  await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  const kept = await readPayment(practice, id)
  assert.deepEqual([kept.counts, kept.own_confirmation], [true, 'confirmed'])
  assert.deepEqual(
    (await balances(family)).find((one) => one.connection_id === connection)?.balance,
    (await balances(practice)).find((one) => one.connection_id === connection)?.balance,
  )
})

test('siblings with one tutor have one balance, and nobody else learns of a private record', async () => {
  const pair = await aPair(server)
  const { family, practice, connection } = pair
  const theo = idOf(await family.call('POST', '/api/v1/students', { name: 'Theo Whitfield' }))
  await pair.log({ date: '2026-11-05' })
  await pair.log({ student_id: theo, date: '2026-11-06', duration: 1 })
  assert.deepEqual(await both(pair), [112.5, 0])
  const account = await sharedBalance(practice, connection)
  assert.equal(account?.name, "Maya and Theo's family")
  const id = idOf(await pay(practice, { connection_id: connection, amount: 112.5 }))
  await answer(family, id, 'confirm')
  assert.deepEqual(await both(pair), [0, 0])
  // Payments that only one side has in its records don't affect anyone else's balance.
  const other = idOf(await family.call('POST', '/api/v1/tutors', { name: 'Sam', hourly_rate: 20 }))
  const own = idOf(await pay(family, { tutor_id: other, amount: 9 }))
  assert.equal((await readPayment(family, own)).is_shared, false)
  const moved = await family.call('PATCH', `/api/v1/payments/${id}`, { tutor_id: other })
  assert.equal(moved.body.code, 'other_connection')
})
