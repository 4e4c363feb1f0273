import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { extractText, getDocumentProxy } from 'unpdf'
import { type Caller as CommandCaller, linkCaller } from '#features/access/admission.server.ts'
import { closeMonth, reopenMonth } from './commands.server.ts'
import { contentText, type MonthContent } from './month-page.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { byLink } from '#main/testing/two-sides.server.ts'

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

type Row = Record<string, unknown> & { id: string; version: number }
const listed = (body: unknown) => body as Row[]

/** A family and a practice that share a child's sessions. */
async function connected() {
  const [family, practice] = [await server.aUser(), await server.aUser('tutor')]
  const child = String((await family.call('POST', '/api/v1/students', { name: 'Maya Whitfield' })).body.id)
  const tutor = String(
    (
      await family.call('POST', '/api/v1/tutors', {
        name: 'Ingrid Lindqvist',
        email: practice.email,
        hourly_rate: 45,
      })
    ).body.id,
  )
  const connection = String((await family.call('POST', '/api/v1/connections', { tutor_id: tutor })).body.id)
  const accepted = await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  assert.equal(accepted.status, 200)
  const log = (date: string, duration = 1, more: object = {}) =>
    family.call('POST', '/api/v1/sessions', {
      student_id: child,
      tutor_id: tutor,
      date,
      duration,
      subject: 'Algebra',
      ...more,
    })
  /** Logs a session as the family and confirms it as the practice. */
  const agree = async (date: string, duration = 1) => {
    const id = String((await log(date, duration)).body.id)
    assert.equal((await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 200)
    return id
  }
  const wanted = { connection_id: connection, month: '2026-11' }
  const close = (who: Caller, more: object = {}) =>
    who.call('POST', '/api/v1/months/close', { ...wanted, ...more })
  const reopen = (who: Caller, reason: unknown = 'A lesson was missing') =>
    who.call('POST', '/api/v1/months/reopen', { ...wanted, reason })
  const pdf = (who: Caller, code?: string) =>
    who.call(
      'GET',
      `/api/v1/months/page.pdf?connection_id=${connection}&month=2026-11${code ? `&code=${code}` : ''}`,
    )
  return { family, practice, child, tutor, connection, log, agree, close, reopen, pdf }
}
type Pair = Awaited<ReturnType<typeof connected>>

/** A family and a practice that have closed November, and the month's code. */
async function closed(days = ['2026-11-03', '2026-11-10']) {
  const pair = await connected()
  const sessions: string[] = []
  for (const day of days) sessions.push(await pair.agree(day))
  assert.equal((await pair.close(pair.family)).body.state, 'asked_by_you')
  const { body } = await pair.close(pair.practice)
  assert.equal(body.state, 'closed', JSON.stringify(body))
  return { ...pair, sessions, code: String(body.code) }
}

const monthOf = async ({ connection }: Pair, who: Caller) =>
  ((await who.call('GET', '/api/v1/months?month=2026-11')).body.months as Row[]).find(
    (one) => one.connection_id === connection,
  )
const verify = async (code: string) =>
  (await server.app.inject({ method: 'GET', url: `/verify/${code}` })).payload
const textOf = async (bytes: Buffer) =>
  (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text
const refusal = ({ status, body }: Answer) => [status, body.code]

test('one side asks to close a month, the other confirms, and both have the same page with a code', async () => {
  const pair = await connected()
  await pair.practice.call('PATCH', '/api/v1/me', { full_name: 'Lindqvist Tutoring' })
  await pair.agree('2026-11-03')
  await pair.agree('2026-11-10', 1.5)
  await pair.agree('2026-10-10')
  const asked = await pair.close(pair.family)
  assert.deepEqual([asked.status, asked.body.state, asked.body.code], [200, 'asked_by_you', null])
  assert.equal((await monthOf(pair, pair.practice))?.state, 'asked_by_other')
  assert.match(
    (await server.mailTo(pair.practice.email, 'asks to close November 2026')).text,
    /\/summary\?month=2026-11/,
  )
  assert.equal((await pair.close(pair.family)).body.state, 'asked_by_you', 'asking twice asks once')
  const done = await pair.close(pair.practice)
  assert.deepEqual([done.body.state, done.body.balance, done.body.carried_over], ['closed', 157.5, 45])
  const code = String(done.body.code)
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  for (const who of [pair.family, pair.practice]) {
    const month = await monthOf(pair, who)
    assert.deepEqual([month?.state, month?.code, month?.open_sessions], ['closed', code, 0])
    assert.equal((await pair.close(who)).body.code, code, 'closing again changes nothing')
  }
  const page = await pair.practice.call(
    'GET',
    `/api/v1/months/page?connection_id=${pair.connection}&month=2026-11`,
  )
  assert.deepEqual(
    [page.body.tutor_name, page.body.carried_over, page.body.balance, page.body.code, page.body.asked_by],
    ['Lindqvist Tutoring', 45, 157.5, code, 'family'],
  )
  assert.doesNotMatch(JSON.stringify(page.body), /Whitfield|example\.com/)
  const [theirs, ours] = [await pair.pdf(pair.family), await pair.pdf(pair.practice)]
  assert.ok(theirs.status === 200 && theirs.bytes.equals(ours.bytes))
  const text = await textOf(theirs.bytes)
  for (const part of [code, 'November 2026', 'Lindqvist Tutoring', 'Maya', '$112.50', '$157.50', 'Closed'])
    assert.ok(text.includes(part), part)
  assert.match(await verify(code), /This statement is genuine/)
})

test('whoever checks a closed month sees its sessions, total, paid and due, to compare with the paper', async () => {
  const pair = await connected()
  await pair.agree('2026-10-10')
  await pair.agree('2026-11-03', 1.5)
  await pair.close(pair.family)
  const code = String((await pair.close(pair.practice)).body.code)
  const figures = [...(await verify(code)).matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g)].map(
    ([, label, figure]) => `${label} ${figure}`,
  )
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
  const reopened = await verify(code)
  assert.match(reopened, /has changed since/)
  assert.match(reopened, /Due<\/dt><dd[^>]*>\$112\.50/, 'what both sides had confirmed')
  assert.doesNotMatch(reopened, /Maya|Ingrid|Whitfield/)
})

/** Closes November shortly after midnight in London, when it's still the evening before in New York. */
async function closedAtMidnight(zones: { family?: string; practice?: string }) {
  const before = server.clock.now
  server.clock.now = new Date('2026-12-03T00:30:00Z')
  const pair = await closed()
  for (const side of ['family', 'practice'] as const)
    if (zones[side])
      assert.equal(
        (await pair[side].call('PATCH', '/api/v1/me', { time_zone: zones[side] })).body.time_zone,
        zones[side],
      )
  await pair.reopen(pair.family)
  await pair.close(pair.practice)
  const code = String((await pair.close(pair.family)).body.code)
  const textNow = async () => (await textOf((await pair.pdf(pair.practice)).bytes)).replaceAll(/\s+/g, ' ')
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
  assert.match(await verify(code), /This statement is genuine/)
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
  assert.match(await verify(code), /This statement is genuine/)
})

test("without the family's time zone, the practice's counts, and without either, the page says UTC", async () => {
  assert.match((await closedAtMidnight({ practice: 'America/Los_Angeles' })).text, /Dec 2, 2026, 4:30 PM PST/)
  assert.match((await closedAtMidnight({})).text, /Dec 3, 2026, 12:30 AM UTC/)
})

test('the page stays the same, byte for byte, after names change, the connection ends, and one side erases its account', async () => {
  const pair = await closed()
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
  assert.match(await verify(pair.code), /This statement is genuine/)
  await erase(pair.family)
  assert.ok((await pair.pdf(pair.practice)).bytes.equals(before))
  const { months } = (await pair.practice.call('GET', '/api/v1/months/closed')).body as { months: Row[] }
  assert.deepEqual([months[0]?.code, months[0]?.month], [pair.code, '2026-11'])
  assert.match(await verify(pair.code), /This statement is genuine/)
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

test("a closed month refuses every change, however it's made; changes to other months or to anything not agreed on still work", async () => {
  const pair = await closed()
  const { family, practice, sessions, connection } = pair
  const [first] = sessions
  const november = await pair.agree('2026-12-01')
  const own = listed((await practice.call('GET', '/api/v1/students')).body)[0]?.id
  const self = listed((await practice.call('GET', '/api/v1/tutors')).body)[0]?.id
  const tries: Record<string, () => Promise<Answer>> = {
    'a new session': () => pair.log('2026-11-20'),
    'a new session of the other side': () =>
      practice.call('POST', '/api/v1/sessions', {
        student_id: own,
        tutor_id: self,
        date: '2026-11-20',
        duration: 1,
      }),
    'another duration': () => family.call('PATCH', `/api/v1/sessions/${first}`, { duration: 2 }),
    'another rate': () => practice.call('PATCH', `/api/v1/sessions/${first}`, { hourly_rate: 50 }),
    'moved out': () => family.call('PATCH', `/api/v1/sessions/${first}`, { date: '2026-12-01' }),
    'moved in': () => family.call('PATCH', `/api/v1/sessions/${november}`, { date: '2026-11-30' }),
    'another subject': () => family.call('PATCH', `/api/v1/sessions/${first}`, { subject: 'Geometry' }),
    'another subject, from the other side': () =>
      practice.call('PATCH', `/api/v1/sessions/${first}`, { subject: 'Physics' }),
    'no subject': () => family.call('PATCH', `/api/v1/sessions/${first}`, { subject: null }),
    withdrawn: () => practice.call('DELETE', `/api/v1/sessions/${first}/confirm`),
    'sent back': () => practice.call('POST', `/api/v1/sessions/${first}/dispute`, { note: 'No' }),
    deleted: () => family.call('DELETE', `/api/v1/sessions/${first}`),
    imported: () =>
      family.call('POST', '/api/v1/imports', {
        text: 'Date,Student,Tutor,Duration\n2026-11-21,Maya Whitfield,Ingrid Lindqvist,1\n',
      }),
  }
  for (const [what, attempt] of Object.entries(tries)) {
    const answer = await attempt()
    assert.deepEqual(refusal(answer), [409, 'month_closed'], `${what}: ${JSON.stringify(answer.body)}`)
    assert.equal(answer.body.title, 'November 2026 is closed. Reopen it with a reason to change it.')
    assert.deepEqual(answer.body.closed_month, { connection_id: connection, month: '2026-11' })
  }
  assert.match(await verify(pair.code), /This statement is genuine/)
  const unprinted = { notes: 'mine', summary: 'Fractions', homework: 'Page 4', start_time: '16:00' }
  for (const [field, value] of Object.entries(unprinted))
    assert.equal(
      (await family.call('PATCH', `/api/v1/sessions/${first}`, { [field]: value })).status,
      200,
      field,
    )
  assert.match(await verify(pair.code), /This statement is genuine/)
  const elsewhere = await family.call('PATCH', `/api/v1/sessions/${november}`, { subject: 'Geometry' })
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.other_confirmation],
    [200, 'confirmed'],
    'in an open month, the subject leaves both confirmations alone',
  )
  assert.equal((await pair.log('2026-12-02')).status, 201)
  assert.equal((await pair.log('2026-10-02')).status, 201)
})

test('reopening takes a reason, tells the other side and marks the code; closing again makes a new one', async () => {
  const pair = await closed()
  for (const reason of ['', '  ', 'x'.repeat(301), null, 7, '\u0000'])
    assert.equal((await pair.reopen(pair.family, reason)).status, 422)
  const reopened = await pair.reopen(pair.family, 'The lesson of Nov 17 was missing')
  assert.deepEqual([reopened.status, reopened.body.state, reopened.body.code], [200, 'reopened', null])
  const theirs = await monthOf(pair, pair.practice)
  assert.deepEqual([theirs?.state, theirs?.reason], ['reopened', 'The lesson of Nov 17 was missing'])
  assert.deepEqual(
    ((theirs?.earlier ?? []) as Row[]).map(({ code, reopened_by: by }) => [code, by]),
    [[pair.code, 'other']],
  )
  const mail = await server.mailTo(pair.practice.email, 'reopened November 2026')
  assert.match(mail.text, /The lesson of Nov 17 was missing/)
  assert.match(await verify(pair.code), /has changed since/)
  assert.deepEqual(refusal(await pair.reopen(pair.practice)), [409, 'not_closed'])
  await pair.agree('2026-11-17')
  assert.deepEqual(
    refusal(await pair.close(pair.family, { version: 2 })),
    [409, 'changed'],
    'a tap on a screen from before it was reopened closes nothing',
  )
  await pair.close(pair.practice)
  const code = String((await pair.close(pair.family)).body.code)
  assert.notEqual(code, pair.code)
  assert.match(await verify(code), /This statement is genuine/)
  assert.match(await verify(pair.code), /has changed since/)
  const [before, now] = [await pair.pdf(pair.family, pair.code), await pair.pdf(pair.family)]
  assert.ok((await textOf(before.bytes)).includes(pair.code) && (await textOf(now.bytes)).includes(code))
})

test('a request to close a month can be withdrawn until the other side confirms, and a late tap does not ask again', async () => {
  const pair = await connected()
  await pair.agree('2026-11-03')
  const wanted = { connection_id: pair.connection, month: '2026-11' }
  const withdraw = (who: Caller) => who.call('DELETE', '/api/v1/months/close', wanted)
  assert.deepEqual(refusal(await withdraw(pair.family)), [409, 'not_asked'])
  await pair.close(pair.family)
  const seen = (await monthOf(pair, pair.practice))?.version
  assert.deepEqual(refusal(await withdraw(pair.practice)), [409, 'not_asked'], 'not the other side')
  const back = await withdraw(pair.family)
  assert.deepEqual([back.status, back.body.state, back.body.can_close], [200, 'open', true])
  for (const who of [pair.family, pair.practice]) assert.equal((await monthOf(pair, who))?.state, 'open')
  assert.deepEqual(refusal(await pair.close(pair.practice, { version: seen })), [409, 'changed'])
  assert.equal((await monthOf(pair, pair.family))?.state, 'open')
  assert.deepEqual(refusal(await withdraw(pair.family)), [409, 'not_asked'], 'a double tap')

  await pair.close(pair.family)
  const code = (await pair.close(pair.practice)).body.code
  const late = await withdraw(pair.family)
  assert.deepEqual(refusal(late), [409, 'already_closed'])
  assert.match(String(late.body.title), /already confirmed, so this month is closed\. To reopen it/)
  assert.equal((await monthOf(pair, pair.family))?.code, code)

  // After a month is reopened, withdrawing a new request to close it returns the month to 'reopened'.
  await pair.reopen(pair.practice)
  await pair.close(pair.practice)
  assert.equal((await withdraw(pair.practice)).body.state, 'reopened')
  const stranger = await server.aUser()
  assert.equal((await withdraw(stranger)).status, 404)
})

test('a month that the other side asks to close waits on the dashboard, of either side, until it is answered or withdrawn', async () => {
  const pair = await connected()
  await pair.agree('2026-11-03')
  const asked = async (who: Caller) => (await who.call('GET', '/api/v1/dashboard')).body.months_asked as Row[]
  const sides = [
    [pair.family, pair.practice, /^Maya's family$/],
    [pair.practice, pair.family, /^Ingrid Lindqvist$/],
  ] as const
  for (const [one, other, name] of sides) {
    await pair.close(one)
    assert.deepEqual(await asked(one), [], 'who asked has nothing to answer')
    const [row, ...more] = await asked(other)
    assert.deepEqual([row?.connection_id, row?.month, row?.reminders], [pair.connection, '2026-11', 0])
    assert.match(String(row?.other_name), name)
    assert.deepEqual(more, [])
    await one.call('DELETE', '/api/v1/months/close', { connection_id: pair.connection, month: '2026-11' })
    assert.deepEqual(await asked(other), [])
  }
  await pair.close(pair.practice)
  const member = async (role: string, sees: boolean) => {
    const { id, call } = await server.aUser()
    await owner.query(
      'insert into members (workspace_id, account_id, role, all_students) values ($1, $2, $3, $4)',
      [pair.family.id, id, role, sees],
    )
    const answer = await call('GET', '/api/v1/dashboard', undefined, {
      'tutorlog-workspace': pair.family.id,
    })
    return (answer.body.months_asked as Row[]).length
  }
  assert.deepEqual(
    [await member('parent', true), await member('parent', false), await member('viewer', true)],
    [1, 0, 0],
  )
  assert.equal(await member('caregiver', true), 0)
  assert.equal((await pair.close(pair.family)).body.state, 'closed')
  assert.deepEqual(await asked(pair.family), [])
})

test('closing a month with something open says what is missing, and changes nothing', async () => {
  const pair = await connected()
  assert.deepEqual(refusal(await pair.close(pair.family)), [409, 'nothing_to_close'])
  const id = await pair.agree('2026-11-03')
  await pair.log('2026-11-10')
  const waits = await pair.close(pair.family)
  assert.deepEqual(
    [waits.status, waits.body.code, waits.body.errors],
    [409, 'still_open', [{ field: 'sessions', message: '1 session waiting for Ingrid Lindqvist' }]],
  )
  assert.equal((await pair.close(pair.practice)).body.errors?.[0]?.message, '1 session for you to confirm')
  await pair.family.call('DELETE', `/api/v1/sessions/${id}`)
  assert.equal((await pair.close(pair.practice)).body.errors?.[0]?.field, 'sessions')
  assert.equal((await monthOf(pair, pair.practice))?.open_sessions, 2)
  assert.equal((await monthOf(pair, pair.practice))?.state, 'open')
  const { family, connection } = pair
  const running = await family.call('POST', '/api/v1/months/close', {
    connection_id: connection,
    month: '2027-01',
  })
  assert.deepEqual(
    [...refusal(running), running.body.title],
    [409, 'not_over', 'January 2027 is not over yet. You can close it starting Jan 31.'],
  )
  for (const wrong of [{ month: '2026-13' }, { connection_id: 'x' }, { version: -1 }, { extra: 1 }])
    assert.equal((await pair.close(family, wrong)).status, 422, JSON.stringify(wrong))
  const stranger = await server.aUser()
  assert.equal((await pair.close(stranger)).status, 404)
  assert.equal((await pair.reopen(stranger)).status, 404)
  assert.equal((await pair.pdf(stranger)).status, 404)
})

test("payments are on the page once both have confirmed them, and can't be changed in a closed month", async () => {
  const pair = await connected()
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
  const text = await textOf((await pair.pdf(pair.practice)).bytes)
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
  assert.match(await verify(String(done.body.code)), /This statement is genuine/)
  await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`)
  assert.match(await verify(String(done.body.code)), /This statement is genuine/)
  await owner.query('update sessions set minutes = 15 where practice_id = $1', [pair.practice.id])
  assert.match(await verify(String(done.body.code)), /This statement is genuine/)
})

test('looking up the code reveals changes made directly in the database: to a session, a payment or the page itself', async () => {
  const pair = await closed()
  const shows = async (change: string, undo: string) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(change)
    assert.match(await verify(pair.code), /has changed since/, change)
    await owner.query(undo)
    assert.match(await verify(pair.code), /This statement is genuine/, undo)
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

test('if both close a month at once, or one changes it meanwhile, it closes once, with everything agreed', async () => {
  const both = await connected()
  await both.agree('2026-11-03')
  const answers = await Promise.all([
    both.close(both.family),
    both.close(both.practice),
    both.close(both.family),
  ])
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal((await monthOf(both, both.family))?.state, 'closed')
  const { rows } = await owner.query('select from closed_months where connection_id = $1', [both.connection])
  assert.equal(rows.length, 1)
  for (let round = 0; round < 5; round++) {
    const pair = await connected()
    const id = await pair.agree('2026-11-03')
    await pair.close(pair.family)
    const [change, closing] = await Promise.all([
      pair.family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 }),
      pair.close(pair.practice),
    ])
    assert.deepEqual(
      [change.status, closing.status].sort(),
      [200, 409],
      JSON.stringify([change.body, closing.body]),
    )
    assert.equal(
      (await monthOf(pair, pair.family))?.state,
      closing.status === 200 ? 'closed' : 'asked_by_you',
    )
  }
})

test('a tutor and twelve families close a month with one tap each', async () => {
  const practice = await server.aUser('tutor')
  const families: Caller[] = []
  for (let at = 0; at < 12; at++) {
    const family = await server.aUser()
    families.push(family)
    const student_id = String(
      (await family.call('POST', '/api/v1/students', { name: `Child ${at}` })).body.id,
    )
    const tutor_id = String(
      (
        await family.call('POST', '/api/v1/tutors', {
          name: 'Ingrid',
          email: practice.email,
          hourly_rate: 40,
        })
      ).body.id,
    )
    // At most three requests a day may be sent to the same address.
    await owner.query('delete from rate_limits')
    const { id } = (await family.call('POST', '/api/v1/connections', { tutor_id })).body
    await practice.call('PATCH', `/api/v1/connections/${String(id)}`, { state: 'active' })
    const session = await family.call('POST', '/api/v1/sessions', {
      student_id,
      tutor_id,
      date: '2026-11-05',
      duration: at + 1,
    })
    await practice.call('POST', `/api/v1/sessions/${String(session.body.id)}/confirm`, {})
  }
  const read = async () => (await practice.call('GET', '/api/v1/months?month=2026-11')).body.months as Row[]
  const open = await read()
  assert.deepEqual([open.length, open.every((one) => one.can_close === true)], [12, true])
  for (const { connection_id } of open)
    await practice.call('POST', '/api/v1/months/close', { connection_id, month: '2026-11' })
  for (const family of families) {
    const [asked] = (await family.call('GET', '/api/v1/months?month=2026-11')).body.months as Row[]
    assert.equal(asked?.state, 'asked_by_other')
    await family.call('POST', '/api/v1/months/close', {
      connection_id: asked?.connection_id,
      month: '2026-11',
    })
  }
  const done = await read()
  assert.deepEqual(
    done.map((one) => Number(one.balance)).sort((a, b) => a - b),
    families.map((_, at) => (at + 1) * 40),
  )
  assert.equal(new Set(done.map(({ code }) => code)).size, 12)
  await server.allJobsDone()
  for (const family of families) await server.mailTo(family.email, 'asks to close November 2026')
})

test('a side without an account closes a month and reopens it from its emailed page, and gets the emails', async () => {
  const family = await server.aUser()
  const email = 'ingrid.months@example.com'
  const student_id = String((await family.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor_id = String(
    (await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 45 })).body.id,
  )
  const connection = String((await family.call('POST', '/api/v1/connections', { tutor_id })).body.id)
  const token = /\/confirm#(\S+)/.exec((await server.mailTo(email, 'asks you to confirm')).text)?.[1]
  const { id } = (
    await family.call('POST', '/api/v1/sessions', { student_id, tutor_id, date: '2026-11-05', duration: 1 })
  ).body
  const byMail = server.aStranger()
  const confirm = (what: string, more: object) => byLink(byMail, token, what, more)
  await confirm('confirm', { sessions: [{ id, version: 1 }] })
  const asLink = <Result>(work: (caller: CommandCaller) => Promise<Result>) =>
    server.db.asLink({ id: connection, side: 'practice' }, (tx) =>
      work(linkCaller(tx, { id: connection, side: 'practice' }, server.clock.now)),
    )
  const november = { connectionId: connection, month: '2026-11', otherName: null }
  const asked = await family.call('POST', '/api/v1/months/close', {
    connection_id: connection,
    month: '2026-11',
  })
  assert.equal(asked.body.state, 'asked_by_you')
  const mail = await server.mailTo(email, 'asks to close November 2026')
  assert.match(mail.text, /\/confirm#\S+/)
  const closing = await asLink((caller) => closeMonth(caller, november, 'http://localhost:3000'))
  assert.ok(closing?.ok && closing.value.state === 'closed')
  await server.mailTo(family.email, 'November 2026 is closed')
  const version = Number((await family.call('GET', `/api/v1/sessions/${String(id)}`)).body.version)
  const late = await confirm('dispute', { id, version, note: 'It was two hours' })
  assert.deepEqual(refusal(late), [409, 'month_closed'])
  assert.equal((await asLink((caller) => reopenMonth(caller, november, 'It was two hours')))?.ok, true)
  assert.match((await server.mailTo(family.email, 'reopened November 2026')).text, /It was two hours/)
  assert.equal((await confirm('dispute', { id, version, note: 'It was two hours' })).status, 200)
  await confirm('end', { forget: false })
  assert.equal(await asLink((caller) => closeMonth(caller, november, '')), undefined)
})

test('an account that takes over an emailed side gets its closed months with their codes', async () => {
  const pair = await closed()
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
  assert.match(await verify(pair.code), /This statement is genuine/)
})

test("a tutor who signs up after closing a month by email takes it over, and merging lessons that both logged doesn't change it", async () => {
  const [family, practice] = [await server.aUser(), await server.aUser('tutor')]
  const student_id = String((await family.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor_id = String(
    (await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email: practice.email, hourly_rate: 45 }))
      .body.id,
  )
  const connection = String((await family.call('POST', '/api/v1/connections', { tutor_id })).body.id)
  const token = /\/confirm#(\S+)/.exec((await server.mailTo(practice.email, 'asks you to confirm')).text)?.[1]
  const byMail = server.aStranger()
  const sessions: { id: string; version: number }[] = []
  for (const date of ['2026-11-05', '2026-11-12'])
    sessions.push({
      id: String(
        (await family.call('POST', '/api/v1/sessions', { student_id, tutor_id, date, duration: 1 })).body.id,
      ),
      version: 1,
    })
  await byLink(byMail, token, 'confirm', { sessions })
  await family.call('POST', '/api/v1/months/close', { connection_id: connection, month: '2026-11' })
  const closing = await server.db.asLink({ id: connection, side: 'practice' }, (tx) =>
    closeMonth(
      linkCaller(tx, { id: connection, side: 'practice' }, server.clock.now),
      { connectionId: connection, month: '2026-11', otherName: null },
      'http://localhost:3000',
    ),
  )
  assert.ok(closing?.ok)
  const code = String(closing.value.code)
  // The tutor logs the same two lessons, plus one that the family didn't log.
  const own = String((await practice.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const self = listed((await practice.call('GET', '/api/v1/tutors')).body)[0]?.id
  for (const date of ['2026-11-05', '2026-11-12', '2026-11-19'])
    await practice.call('POST', '/api/v1/sessions', {
      student_id: own,
      tutor_id: self,
      date,
      duration: 1,
      hourly_rate: 45,
    })
  const [asks] = listed((await practice.call('GET', '/api/v1/connections')).body)
  const people = ((asks?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id: own }))
  const accepted = await practice.call('PATCH', `/api/v1/connections/${connection}`, {
    state: 'active',
    people,
  })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  assert.match(await verify(code), /This statement is genuine/)
  const pairs = (await practice.call('GET', `/api/v1/connections/${connection}/pairs`)).body.pairs as Row[]
  assert.equal(pairs.length, 2)
  const answer = (answers: object) =>
    practice.call('POST', `/api/v1/connections/${connection}/pairs`, answers)
  assert.deepEqual(refusal(await answer({ different: [pairs[0]?.id] })), [409, 'month_closed'])
  assert.deepEqual((await answer({ same: pairs.map(({ id }) => id) })).body, { answered: 2 })
  assert.match(await verify(code), /This statement is genuine/)
  const month = ((await practice.call('GET', '/api/v1/months?month=2026-11')).body.months as Row[])[0]
  assert.deepEqual(
    [month?.state, month?.sessions],
    ['closed', 2],
    'what is not on the page stays in the own log',
  )
})

test('only owners and parents who see everyone close and reopen a month, and its page has no private notes', async () => {
  const pair = await connected()
  const id = await pair.agree('2026-11-03')
  await pair.family.call('PATCH', `/api/v1/sessions/${id}`, { notes: 'a secret of the family' })
  await pair.practice.call('PATCH', `/api/v1/sessions/${id}`, { notes: 'a secret of the tutor' })
  const join = async (workspace: Caller, role: string, sees: boolean) => {
    const member = await server.aUser()
    await owner.query(
      'insert into members (workspace_id, account_id, role, all_students) values ($1, $2, $3, $4)',
      [workspace.id, member.id, role, sees],
    )
    return (method: string, path: string, body?: object) =>
      member.call(method, path, body, { 'tutorlog-workspace': workspace.id })
  }
  const wanted = { connection_id: pair.connection, month: '2026-11' }
  const roles = [
    [pair.family, 'viewer', true, 403],
    [pair.family, 'caregiver', true, 403],
    [pair.family, 'parent', false, 403],
    [pair.practice, 'assistant', true, 403],
    [pair.family, 'parent', true, 200],
  ] as const
  for (const [workspace, role, sees, status] of roles) {
    const call = await join(workspace, role, sees)
    const closing = await call('POST', '/api/v1/months/close', wanted)
    assert.equal(closing.status, status, `${role} ${sees} ${JSON.stringify(closing.body)}`)
    const reads = (await call('GET', '/api/v1/months?month=2026-11')).status
    assert.equal(reads, role === 'caregiver' || !sees ? 403 : 200, `${role} reads`)
    if (status === 403)
      assert.equal((await call('POST', '/api/v1/months/reopen', { ...wanted, reason: 'x' })).status, 403)
  }
  assert.equal((await pair.close(pair.practice)).body.state, 'closed')
  const told = [
    await textOf((await pair.pdf(pair.family)).bytes),
    JSON.stringify(
      (await pair.practice.call('GET', `/api/v1/months/page?connection_id=${pair.connection}&month=2026-11`))
        .body,
    ),
    JSON.stringify(await monthOf(pair, pair.practice)),
  ].join()
  assert.doesNotMatch(told, /secret|Whitfield|example\.com/)
})

test("a closed month's statement has its code, and an earlier sign-off can still be looked up", async () => {
  const pair = await connected()
  await pair.agree('2026-11-03')
  const signOff = { month: '2026-11', tutor_id: pair.tutor }
  const signed = String((await pair.family.call('POST', '/api/v1/sign-offs', signOff)).body.code)
  await pair.close(pair.family)
  const code = String((await pair.close(pair.practice)).body.code)
  const statement = await pair.family.call(
    'GET',
    `/api/v1/statements/statement.pdf?from=2026-11-01&to=2026-11-30&tutor_id=${pair.tutor}`,
  )
  const text = await textOf(statement.bytes)
  assert.ok(text.includes(code) && !text.includes(signed))
  assert.match(await verify(signed), /This statement is genuine/)
  assert.equal((await pair.family.call('POST', '/api/v1/sign-offs', signOff)).body.code, signed)
  assert.match(await verify(code), /both confirmed every session and payment/)
  await pair.reopen(pair.practice)
  assert.match(await verify(signed), /This statement is genuine/, 'nothing that was signed changed')
  assert.match(await verify(code), /has changed since/)
})

test('a closed month keeps its figures, and shows what is due now if an earlier month has changed', async () => {
  const pair = await closed()
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
  const pair = await connected()
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
  assert.match(await verify(code), /This statement is genuine/)
  assert.equal(
    (await family.call('DELETE', `/api/v1/students/${leo}`)).status,
    204,
    'the name goes, the books stay',
  )
  assert.match(await verify(code), /This statement is genuine/)
  assert.equal((await family.call('PATCH', `/api/v1/connections/${connection}`, { people: [] })).status, 200)
})
