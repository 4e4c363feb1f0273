import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller as CommandCaller, linkCaller } from '#features/access/admission.server.ts'
import { closeMonth, reopenMonth } from './commands.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  connected,
  closed,
  monthOf,
  verify,
  refusal,
  type Row,
  listed,
  waysOnPage,
} from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
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

test('one side asks to close a month, the other confirms, and both have the same page with a code', async () => {
  const pair = await connected(server)
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
  const text = await textOfPdf(theirs.bytes)
  for (const part of [code, 'November 2026', 'Lindqvist Tutoring', 'Maya', '$112.50', '$157.50', 'Closed'])
    assert.ok(text.includes(part), part)
  assert.match(await verify(server, code), /This statement is genuine/)
})

test("a closed month refuses every change, however it's made; changes to other months or to anything not agreed on still work", async () => {
  const pair = await closed(server)
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
  assert.match(await verify(server, pair.code), /This statement is genuine/)
  const unprinted = { notes: 'mine', summary: 'Fractions', homework: 'Page 4', start_time: '16:00' }
  for (const [field, value] of Object.entries(unprinted))
    assert.equal(
      (await family.call('PATCH', `/api/v1/sessions/${first}`, { [field]: value })).status,
      200,
      field,
    )
  assert.match(await verify(server, pair.code), /This statement is genuine/)
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
  const pair = await closed(server)
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
  assert.match(await verify(server, pair.code), /has changed since/)
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
  assert.match(await verify(server, code), /This statement is genuine/)
  assert.match(await verify(server, pair.code), /has changed since/)
  const [before, now] = [await pair.pdf(pair.family, pair.code), await pair.pdf(pair.family)]
  assert.ok(
    (await textOfPdf(before.bytes)).includes(pair.code) && (await textOfPdf(now.bytes)).includes(code),
  )
})

test('a request to close a month can be withdrawn until the other side confirms, and a late tap does not ask again', async () => {
  const pair = await connected(server)
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
  const pair = await connected(server)
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
  const pair = await connected(server)
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

test('if both close a month at once, or one changes it meanwhile, it closes once, with everything agreed', async () => {
  const both = await connected(server)
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
    const pair = await connected(server)
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
  const closing = await asLink((caller) =>
    closeMonth(caller, november, { db: server.db, baseUrl: 'http://localhost:3000' }),
  )
  assert.ok(closing?.ok && closing.value.state === 'closed')
  await server.mailTo(family.email, 'November 2026 is closed')
  assert.deepEqual(await waysOnPage(server, family, connection), ['account', 'emailed_link'])
  const version = Number((await family.call('GET', `/api/v1/sessions/${String(id)}`)).body.version)
  const late = await confirm('dispute', { id, version, note: 'It was two hours' })
  assert.deepEqual(refusal(late), [409, 'month_closed'])
  assert.equal((await asLink((caller) => reopenMonth(caller, november, 'It was two hours')))?.ok, true)
  assert.match((await server.mailTo(family.email, 'reopened November 2026')).text, /It was two hours/)
  assert.equal((await confirm('dispute', { id, version, note: 'It was two hours' })).status, 200)
  await confirm('end', { forget: false })
  assert.equal(
    await asLink((caller) => closeMonth(caller, november, { db: server.db, baseUrl: '' })),
    undefined,
  )
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
      { db: server.db, baseUrl: 'http://localhost:3000' },
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
  assert.match(await verify(server, code), /This statement is genuine/)
  const pairs = (await practice.call('GET', `/api/v1/connections/${connection}/pairs`)).body.pairs as Row[]
  assert.equal(pairs.length, 2)
  const answer = (answers: object) =>
    practice.call('POST', `/api/v1/connections/${connection}/pairs`, answers)
  assert.deepEqual(refusal(await answer({ different: [pairs[0]?.id] })), [409, 'month_closed'])
  assert.deepEqual((await answer({ same: pairs.map(({ id }) => id) })).body, { answered: 2 })
  assert.match(await verify(server, code), /This statement is genuine/)
  const month = ((await practice.call('GET', '/api/v1/months?month=2026-11')).body.months as Row[])[0]
  assert.deepEqual(
    [month?.state, month?.sessions],
    ['closed', 2],
    'what is not on the page stays in the own log',
  )
})

test('only owners and parents who see everyone close and reopen a month, and its page has no private notes', async () => {
  const pair = await connected(server)
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
    await textOfPdf((await pair.pdf(pair.family)).bytes),
    JSON.stringify(
      (await pair.practice.call('GET', `/api/v1/months/page?connection_id=${pair.connection}&month=2026-11`))
        .body,
    ),
    JSON.stringify(await monthOf(pair, pair.practice)),
  ].join()
  assert.doesNotMatch(told, /secret|Whitfield|example\.com/)
})
