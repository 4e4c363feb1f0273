// What a closed month's page and code show, and go on showing whatever happens later.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { contentText, type MonthContent } from './month-page.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { connected, closed, monthOf, verify, refusal, type Row, listed } from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'

let server: TestServer
let owner: pg.Client
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  owner = new pg.Client({ connectionString: server.superuserUrl })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await server.stop()
})

test('whoever checks a closed month sees its sessions, total, paid and due, to compare with the paper', async () => {
  const pair = await connected(server)
  await pair.agree('2026-10-10')
  await pair.agree('2026-11-03', 1.5)
  await pair.close(pair.family)
  const code = String((await pair.close(pair.practice)).body.code)
  const figures = [
    ...(await verify(server, code)).matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g),
  ].map(([, label, figure]) => `${label} ${figure}`)
  assert.deepEqual(figures, [
    'Number of sessions 1',
    'Hours 1.5 h',
    'Total $67.50',
    'Carried over $45.00',
    'Paid $0.00',
    'Due $112.50',
  ])
  await pair.family.call('POST', '/api/v1/months/reopen', {
    connection_id: pair.connection,
    month: '2026-11',
    reason: 'Forgot one',
  })
  const reopened = await verify(server, code)
  assert.match(reopened, /was genuine but has changed since: its month was reopened/)
  assert.match(reopened, /Due<\/dt><dd[^>]*>\$112\.50/, 'what both sides had confirmed')
  assert.doesNotMatch(reopened, /Maya|Ingrid|Whitfield/)
})

/** Closes November shortly after midnight in London, when it's still the evening before in New York. */
async function closedAtMidnight(zones: { family?: string; practice?: string }) {
  const before = server.clock.now
  server.clock.now = new Date('2026-12-03T00:30:00Z')
  const pair = await closed(server)
  for (const side of ['family', 'practice'] as const)
    if (zones[side])
      assert.equal(
        (await pair[side].call('PATCH', '/api/v1/me', { time_zone: zones[side] })).body.time_zone,
        zones[side],
      )
  await pair.reopen(pair.family)
  await pair.close(pair.practice)
  const code = String((await pair.close(pair.family)).body.code)
  const textNow = async () => (await textOfPdf((await pair.pdf(pair.practice)).bytes)).replaceAll(/\s+/g, ' ')
  const text = await textNow()
  server.clock.now = before
  return { ...pair, code, text, textNow }
}

test("a closed month's page is dated in the family owner's time zone, and the code stays genuine", async () => {
  const { text, code, family, textNow } = await closedAtMidnight({
    family: 'America/New_York',
    practice: 'Asia/Tokyo',
  })
  assert.match(text, /Closed Dec 2, 2026/)
  assert.match(text, /confirmed it on Dec 2, 2026, 7:30 PM EST/)
  assert.doesNotMatch(text, /Dec 3/)
  assert.match(await verify(server, code), /This statement is genuine/)
  await family.call('PATCH', '/api/v1/me', { time_zone: 'Asia/Tokyo' })
  assert.equal(await textNow(), text, "a page doesn't follow whoever moves")
})

test('a page from before accounts had time zones is dated in the zone they have told since, and stays genuine', async () => {
  const { code, connection, family, textNow } = await closedAtMidnight({})
  const { rows } = await owner.query<{ content: MonthContent }>(
    "update closed_months set content = content - 'time_zone' where connection_id = $1 and state = 'closed' returning content",
    [connection],
  )
  const hash = createHash('sha256')
    .update(contentText(rows[0]?.content as MonthContent))
    .digest()
  await owner.query(
    "update closed_months set content_hash = $1 where connection_id = $2 and state = 'closed'",
    [hash, connection],
  )
  assert.match(await textNow(), /Closed Dec 3, 2026/)
  await family.call('PATCH', '/api/v1/me', { time_zone: 'America/Chicago' })
  assert.match(await textNow(), /confirmed it on Dec 2, 2026, 6:30 PM CST/)
  assert.match(await verify(server, code), /This statement is genuine/)
})

test("without the family's time zone, the practice's counts, and without either, the page says UTC", async () => {
  assert.match((await closedAtMidnight({ practice: 'America/Los_Angeles' })).text, /Dec 2, 2026, 4:30 PM PST/)
  assert.match((await closedAtMidnight({})).text, /Dec 3, 2026, 12:30 AM UTC/)
})

test('the page stays the same, byte for byte, after names change, the connection ends, and one side erases its account', async () => {
  const pair = await closed(server)
  const before = (await pair.pdf(pair.family)).bytes
  await pair.family.call('PATCH', `/api/v1/students/${pair.child}`, { name: 'Anna' })
  server.clock.now = new Date(server.clock.now.getTime() + 60_000)
  assert.ok((await pair.pdf(pair.practice)).bytes.equals(before))
  assert.equal((await pair.practice.call('DELETE', `/api/v1/connections/${pair.connection}`)).status, 204)
  for (const who of [pair.family, pair.practice]) assert.ok((await pair.pdf(who)).bytes.equals(before))
  // Each side has its own copy now and can change it. The page still shows the month as both sides closed it.
  assert.equal(
    (await pair.family.call('PATCH', `/api/v1/sessions/${pair.sessions[0]}`, { duration: 2 })).status,
    200,
  )
  assert.match(await verify(server, pair.code), /This statement is genuine/)
  await erase(pair.family)
  assert.ok((await pair.pdf(pair.practice)).bytes.equals(before))
  const { months } = (await pair.practice.call('GET', '/api/v1/months/closed')).body as { months: Row[] }
  assert.deepEqual([months[0]?.code, months[0]?.month], [pair.code, '2026-11'])
  assert.match(await verify(server, pair.code), /This statement is genuine/)
})

/** Deletes an account and waits until it's erased. */
async function erase(who: Caller) {
  assert.equal((await who.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  await owner.query(
    "update users set deletion_asked_at = deletion_asked_at - interval '40 days' where id = $1",
    [who.id],
  )
  await server.runTask('purge_accounts')
  assert.equal((await owner.query('select from users where id = $1', [who.id])).rowCount, 0)
}

test("payments are on the page once both have confirmed them, and can't be changed in a closed month", async () => {
  const pair = await connected(server)
  await pair.agree('2026-11-03', 2)
  const pay = (amount: number, date = '2026-11-14', more: object = {}) =>
    pair.family.call('POST', '/api/v1/payments', {
      tutor_id: pair.tutor,
      date,
      amount,
      method: 'transfer',
      ...more,
    })
  const paid = String((await pay(60)).body.id)
  const oneSided = await pair.close(pair.family)
  assert.deepEqual(oneSided.body.errors, [
    { field: 'payments', message: '1 payment waiting for Ingrid Lindqvist' },
  ])
  assert.equal((await monthOf(pair, pair.practice))?.open_payments, 1)
  assert.equal((await pair.practice.call('POST', `/api/v1/payments/${paid}/confirm`, {})).status, 200)
  const october = String((await pay(5, '2026-10-14')).body.id)
  await pair.close(pair.practice)
  const done = await pair.close(pair.family)
  assert.deepEqual(
    [done.body.state, done.body.paid_amount, done.body.balance],
    ['closed', 60, 30],
    'what one side reported for another month is on its way, and not on the page',
  )
  const text = await textOfPdf((await pair.pdf(pair.practice)).bytes)
  for (const part of ['Payment, bank transfer', '$60.00', '$30.00'])
    assert.ok(text.includes(part), `${part} in ${text}`)
  const balances = (await pair.practice.call('GET', '/api/v1/balances?month=2026-11')).body.balances as Row[]
  assert.equal(balances[0]?.balance, 30, 'the page and the balance are one')
  const tries: Record<string, Answer> = {
    'a new payment': await pay(10),
    'another amount': await pair.practice.call('PATCH', `/api/v1/payments/${paid}`, { amount: 70 }),
    'another day': await pair.family.call('PATCH', `/api/v1/payments/${paid}`, { date: '2026-12-01' }),
    'moved in': await pair.family.call('PATCH', `/api/v1/payments/${october}`, { date: '2026-11-01' }),
    'another method': await pair.family.call('PATCH', `/api/v1/payments/${paid}`, { method: 'cash' }),
    'another method, from the other side': await pair.practice.call('PATCH', `/api/v1/payments/${paid}`, {
      method: 'check',
    }),
    'no method': await pair.practice.call('PATCH', `/api/v1/payments/${paid}`, { method: null }),
    withdrawn: await pair.practice.call('DELETE', `/api/v1/payments/${paid}/confirm`),
    'not received': await pair.practice.call('POST', `/api/v1/payments/${paid}/dispute`, { note: 'No' }),
    deleted: await pair.family.call('DELETE', `/api/v1/payments/${paid}`),
  }
  for (const [what, answer] of Object.entries(tries))
    assert.deepEqual(refusal(answer), [409, 'month_closed'], `${what}: ${JSON.stringify(answer.body)}`)
  assert.equal((await pair.family.call('PATCH', `/api/v1/payments/${paid}`, { note: 'mine' })).status, 200)
  assert.equal((await pair.practice.call('POST', `/api/v1/payments/${october}/confirm`, {})).status, 200)
  const cash = await pair.practice.call('PATCH', `/api/v1/payments/${october}`, { method: 'cash' })
  assert.deepEqual(
    [cash.status, cash.body.counts],
    [200, true],
    'in an open month, the method leaves both alone',
  )
  assert.match(await verify(server, String(done.body.code)), /This statement is genuine/)
  await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`)
  assert.match(await verify(server, String(done.body.code)), /This statement is genuine/)
  await owner.query('update sessions set minutes = 15 where practice_id = $1', [pair.practice.id])
  assert.match(await verify(server, String(done.body.code)), /This statement is genuine/)
})

test('looking up the code reveals changes made directly in the database: to a session, a payment or the page itself', async () => {
  const pair = await closed(server)
  const shows = async (change: string, undo: string) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(change)
    assert.match(await verify(server, pair.code), /has changed since/, change)
    await owner.query(undo)
    assert.match(await verify(server, pair.code), /This statement is genuine/, undo)
    await owner.query('set session_replication_role = origin')
  }
  const where = `where id = '${pair.sessions[0]}'`
  await shows(`update sessions set minutes = 120 ${where}`, `update sessions set minutes = 60 ${where}`)
  await shows(
    `update sessions set practice_answer = null ${where}`,
    `update sessions set practice_answer = 'confirmed' ${where}`,
  )
  const page = `where connection_id = '${pair.connection}'`
  await shows(
    `update closed_months set content = jsonb_set(content, '{figures,balance}', '1') ${page}`,
    `update closed_months set content = jsonb_set(content, '{figures,balance}', '9000') ${page}`,
  )
})

test('an account that takes over an emailed side gets its closed months with their codes', async () => {
  const pair = await closed(server)
  await owner.query('update closed_months set practice_id = null where connection_id = $1; ', [
    pair.connection,
  ])
  await owner.query('update connections set practice_id = null where id = $1', [pair.connection])
  assert.equal((await pair.pdf(pair.practice)).status, 404)
  await owner.query('update connections set practice_id = $2 where id = $1', [
    pair.connection,
    pair.practice.id,
  ])
  assert.ok((await pair.pdf(pair.practice)).bytes.equals((await pair.pdf(pair.family)).bytes))
  assert.match(await verify(server, pair.code), /This statement is genuine/)
})

test("a closed month's statement has its code, and an earlier sign-off can still be looked up", async () => {
  const pair = await connected(server)
  await pair.agree('2026-11-03')
  const signOff = { month: '2026-11', tutor_id: pair.tutor }
  const signed = String((await pair.family.call('POST', '/api/v1/sign-offs', signOff)).body.code)
  await pair.close(pair.family)
  const code = String((await pair.close(pair.practice)).body.code)
  const statement = await pair.family.call(
    'GET',
    `/api/v1/statements/statement.pdf?from=2026-11-01&to=2026-11-30&tutor_id=${pair.tutor}`,
  )
  const text = await textOfPdf(statement.bytes)
  assert.ok(text.includes(code) && !text.includes(signed))
  assert.match(await verify(server, signed), /This statement is genuine/)
  assert.equal((await pair.family.call('POST', '/api/v1/sign-offs', signOff)).body.code, signed)
  assert.match(await verify(server, code), /both confirmed every session and payment/)
  await pair.reopen(pair.practice)
  assert.match(await verify(server, signed), /This statement is genuine/, 'nothing that was signed changed')
  assert.match(await verify(server, code), /its month was reopened/)
})

test('a closed month keeps its figures, and shows what is due now if an earlier month has changed', async () => {
  const pair = await closed(server)
  const figures = async () => {
    const months = await Promise.all([pair.family, pair.practice].map((who) => monthOf(pair, who)))
    return months.map((month) => [month?.state, month?.carried_over, month?.balance, month?.balance_now])
  }
  const [kept] = await figures()
  assert.equal(kept?.[3], null)
  await pair.agree('2026-10-10')
  const [ours, theirs] = await figures()
  assert.deepEqual(ours, ['closed', kept?.[1], kept?.[2], Number(kept?.[2]) + 45])
  assert.deepEqual(theirs, ours)
})

test('D16: who a payment or a lesson on a closed page is for stays as both confirmed it', async () => {
  const pair = await connected(server)
  const { family, practice, connection } = pair
  const lesson = await pair.agree('2026-11-03')
  const leo = String((await family.call('POST', '/api/v1/students', { name: 'Leo Whitfield' })).body.id)
  const second = String((await pair.log('2026-11-05', 1, { student_id: leo })).body.id)
  const paid = String(
    (
      await family.call('POST', '/api/v1/payments', {
        tutor_id: pair.tutor,
        student_id: pair.child,
        date: '2026-11-06',
        amount: 33,
      })
    ).body.id,
  )
  for (const path of [`sessions/${second}`, `payments/${paid}`])
    assert.equal((await practice.call('POST', `/api/v1/${path}/confirm`, {})).status, 200)
  const students = listed((await practice.call('GET', '/api/v1/students')).body)
  const other = students.find(({ name }) => name === 'Leo')?.id
  await pair.close(family)
  const code = String((await pair.close(practice)).body.code)
  const tries: Record<string, Answer> = {
    'a lesson for another child': await family.call('PATCH', `/api/v1/sessions/${lesson}`, {
      student_id: leo,
    }),
    'a payment for another child': await family.call('PATCH', `/api/v1/payments/${paid}`, {
      student_id: leo,
    }),
    'a payment for another student': await practice.call('PATCH', `/api/v1/payments/${paid}`, {
      student_id: other,
    }),
  }
  for (const [what, answer] of Object.entries(tries))
    assert.deepEqual(refusal(answer), [409, 'month_closed'], `${what}: ${JSON.stringify(answer.body)}`)
  assert.match(await verify(server, code), /This statement is genuine/)
  assert.equal(
    (await family.call('DELETE', `/api/v1/students/${leo}`)).status,
    204,
    'the name goes, the books stay',
  )
  assert.match(await verify(server, code), /This statement is genuine/)
  assert.equal((await family.call('PATCH', `/api/v1/connections/${connection}`, { people: [] })).status, 200)
})
