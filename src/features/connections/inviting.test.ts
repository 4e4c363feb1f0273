// Invitations from a tutor: the practice emails a family a request. The family answers without an account, or
// creates one and takes over its side.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { closeMonth } from '#features/months/commands.server.ts'
import { giveAnswer } from '#features/agreements/commands.server.ts'
import { PAYMENT, recordPayment } from '#features/payments/commands.server.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { cents } from '#kernel/money.ts'
import { type Caller as CommandCaller, linkCaller } from '#features/access/admission.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { emailJobs } from '#features/emails/jobs.server.ts'
import {
  actionsOf,
  byLink,
  connectionsOf,
  idOf,
  read,
  type Row,
  rowsOf,
  sessionsOf,
  tokenOf,
} from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const anAddress = () => `family-${Math.random().toString(36).slice(2)}@example.com`

/** A tutor named Ingrid with a student and three lessons, who has asked the student's family to connect. */
async function aTutor(more: { email?: string; isAsked?: boolean } = {}) {
  const tutor = await server.aUser('tutor')
  await tutor.call('PATCH', '/api/v1/me', { full_name: 'Ingrid Lindqvist' })
  const self = String(rowsOf(await tutor.call('GET', '/api/v1/tutors'))[0]?.id)
  await tutor.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 45 })
  const student = idOf(
    await tutor.call('POST', '/api/v1/students', { name: 'Maya Whitfield', notes: 'slow reader' }),
  )
  const log = async (date: string, changes: object = {}) =>
    idOf(
      await tutor.call('POST', '/api/v1/sessions', {
        student_id: student,
        tutor_id: self,
        date,
        duration: 1,
        notes: 'secret note',
        ...changes,
      }),
    )
  const ids = [await log('2026-11-16'), await log('2026-11-17'), await log('2026-11-18', { duration: 1.5 })]
  const email = more.email ?? anAddress()
  const ask = (body: object = {}) =>
    tutor.call('POST', '/api/v1/connections', { email, student_ids: [student], ...body })
  const connection = more.isAsked === false ? '' : idOf(await ask())
  return { tutor, self, student, ids, email, log, ask, connection }
}

/** The emailed page for a token, with functions that make its calls. */
function thePage(token: string) {
  const call = (path: string, body: object = {}) => byLink(server.aStranger(), token, path, body)
  return {
    call,
    open: () => call('open'),
    shown: async () => (await call('open')).body.sessions as unknown as Row[],
    confirm: (...ids: string[]) => call('confirm', { sessions: ids.map((id) => ({ id, version: 1 })) }),
  }
}

async function anAsked() {
  const asked = await aTutor()
  return { ...asked, page: thePage(await tokenOf(server, asked.email)) }
}

/** A parent with an account for this address. */
async function aParent(email: string): Promise<Caller> {
  const parent = server.aStranger()
  await parent.call('POST', '/api/auth/sign-up', { email, password: 'greenhouse-41', role: 'parent' })
  await server.confirm(parent, email)
  parent.id = String((await parent.call('GET', '/api/v1/me')).body.id)
  parent.kind = 'family'
  parent.email = email
  return parent
}

const accept = (parent: Caller, id: string, body: object = {}) =>
  parent.call('PATCH', `/api/v1/connections/${id}`, { state: 'active', ...body })

test('an invited family’s email says who asks and lists the sessions, and its page shows nothing private', async () => {
  const { tutor, student, ids, email, log, page, connection } = await anAsked()
  const mail = await server.mailTo(email, 'asks you to confirm')
  assert.equal(mail.subject, "Ingrid Lindqvist asks you to confirm Maya's sessions")
  for (const words of [
    "Hello Maya's family,",
    'Mon, Nov 16, Maya, 1 h: $45.00',
    'Total, 3 sessions: $157.50',
    'Confirm all 3, $157.50:\n',
  ])
    assert.ok(mail.text.includes(words), `${words}\n${mail.text}`)
  const other = idOf(await tutor.call('POST', '/api/v1/students', { name: 'Leo' }))
  await log('2026-11-18', { student_id: other })
  const { body } = await page.open()
  assert.deepEqual(
    [body.side, body.other_name, body.family_name, body.first_names, body.email],
    ['family', 'Ingrid Lindqvist', null, ['Maya'], email],
  )
  assert.deepEqual(
    (await page.shown()).map(({ id }) => id),
    [...ids].reverse(),
  )
  assert.doesNotMatch(JSON.stringify(body), /Whitfield|secret|slow reader|Leo/)
  const [own] = await connectionsOf(tutor)
  assert.deepEqual([own?.state, own?.email, own?.id], ['asked', email, connection], 'opening answers nothing')
  assert.equal((await read(tutor, ids[0] ?? '')).other_confirmation, 'none')
  assert.deepEqual(
    ((own?.people ?? []) as Row[]).map((person) => person.student_id),
    [student],
  )
})

test('a parent without an account confirms and disputes, the tutor corrects, and the answers outlive the link', async () => {
  const { tutor, ids, page, connection } = await anAsked()
  const [one = '', two = '', three = ''] = ids
  assert.deepEqual((await page.confirm(one, two)).body, { confirmed: [one, two].sort(), changed: [] })
  assert.equal((await page.call('dispute', { id: three, version: 1, note: 'It was an hour' })).status, 200)
  assert.deepEqual(
    [(await read(tutor, one)).verified_by_tutor, (await read(tutor, three)).dispute_note],
    [true, 'It was an hour'],
  )
  assert.deepEqual(await actionsOf(tutor, one), ['you logged', 'other confirmed'])
  assert.equal((await connectionsOf(tutor))[0]?.state, 'active')
  assert.equal((await tutor.call('PATCH', `/api/v1/sessions/${three}`, { duration: 1 })).status, 200)
  const asked = (await page.shown()).find(({ id }) => id === three)
  assert.equal(asked?.waits_for_you, true)
  assert.equal((await page.call('signed.pdf', { month: '2026-11' })).body.code, 'not_confirmed')
  await page.call('confirm', { sessions: [{ id: three, version: asked?.version }] })
  assert.equal((await page.call('signed.pdf', { month: '2026-11' })).status, 200)
  assert.equal((await tutor.call('DELETE', `/api/v1/sessions/${one}`)).status, 202, 'needs consent')
  assert.equal((await tutor.call('POST', `/api/v1/sessions/${one}/keep`, {})).status, 200)
  assert.equal((await tutor.call('DELETE', `/api/v1/connections/${connection}`, {})).status, 204)
  assert.equal((await page.open()).body.code, 'link_gone')
  assert.equal((await page.confirm(two)).body.code, 'link_gone')
  const kept = await read(tutor, one)
  assert.deepEqual([kept.verified_by_tutor, kept.is_shared], [true, false])
})

test('the parent creates an account and finds everything: child, tutor, sessions with ids, confirmations and history; the emailed link is dead', async () => {
  const { tutor, ids, email, page, connection, log } = await anAsked()
  const [one = '', two = '', three = ''] = ids
  await page.confirm(one, two)
  await page.call('dispute', { id: three, version: 1, note: 'It was an hour' })
  const history = await actionsOf(tutor, one)
  const parent = await aParent(email)
  const [asks] = await connectionsOf(parent)
  assert.deepEqual(
    [asks?.id, asks?.state, asks?.is_asked_by_you, asks?.is_answered, asks?.other_name],
    [connection, 'asked', false, true, 'Ingrid Lindqvist'],
  )
  const accepted = await accept(parent, connection)
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  assert.deepEqual(
    [accepted.body.state, (accepted.body.people as unknown as Row[])[0]?.first_name],
    ['active', 'Maya'],
  )
  const [ingrid] = rowsOf(await parent.call('GET', '/api/v1/tutors'))
  assert.deepEqual([ingrid?.name, ingrid?.email, ingrid?.hourly_rate], ['Ingrid Lindqvist', tutor.email, 45])
  const [maya] = rowsOf(await parent.call('GET', '/api/v1/students'))
  assert.equal(maya?.name, 'Maya')
  const found = await sessionsOf(parent)
  assert.deepEqual(
    found.map(({ id, verified_by_tutor: is, own_confirmation: word, student_id, tutor_id, notes }) => [
      id,
      is,
      word,
      student_id === maya?.id && tutor_id === ingrid?.id,
      notes,
    ]),
    [
      [three, false, 'disputed', true, null],
      [two, true, 'confirmed', true, null],
      [one, true, 'confirmed', true, null],
    ],
  )
  assert.deepEqual(await actionsOf(parent, one), ['other logged', 'you confirmed'])
  assert.deepEqual(await actionsOf(tutor, one), history)
  assert.equal((await page.open()).body.code, 'link_gone', 'an account took that side over')
  const next = await log('2026-11-19')
  assert.equal((await parent.call('POST', `/api/v1/sessions/${next}/confirm`, {})).status, 200)
  assert.equal((await read(tutor, next)).verified_by_tutor, true)
  assert.equal((await accept(parent, connection)).body.code, 'changed', 'an answer is given once')
})

test('a family with its own log says who the student is, and lessons that both logged become pairs', async () => {
  const { tutor, email, connection, ids } = await anAsked()
  const parent = await aParent(email)
  const child = idOf(await parent.call('POST', '/api/v1/students', { name: 'Maya Rose' }))
  const ingrid = idOf(
    await parent.call('POST', '/api/v1/tutors', { name: 'Ms. L', email: tutor.email, hourly_rate: 45 }),
  )
  await parent.call('POST', '/api/v1/sessions', {
    student_id: child,
    tutor_id: ingrid,
    date: '2026-11-16',
    duration: 1,
  })
  const [asks] = await connectionsOf(parent)
  const person = ((asks?.people ?? []) as Row[])[0]?.id
  const wrong = await accept(parent, connection, { people: [{ id: person, student_id: ids[0] }] })
  assert.equal(wrong.body.code, 'unknown_student')
  const { body } = await accept(parent, connection, { people: [{ id: person, student_id: child }] })
  assert.deepEqual([body.state, body.tutor_id, body.pairs], ['active', ingrid, 1])
  assert.equal(rowsOf(await parent.call('GET', '/api/v1/students')).length, 1)
  assert.equal(rowsOf(await parent.call('GET', '/api/v1/tutors')).length, 1)
  assert.equal((await sessionsOf(parent)).length, 3, 'the pair counts in its own log only')
  const [pair] = rowsOf(await parent.call('GET', `/api/v1/connections/${connection}/pairs`))
  await parent.call('POST', `/api/v1/connections/${connection}/pairs`, { same: [pair?.id] })
  assert.equal((await sessionsOf(tutor)).filter(({ verified_by_tutor: is }) => is).length, 1)
  assert.equal((await sessionsOf(tutor)).length, 3)
})

test('a family that declines is not asked again and sees nothing, and the tutor sees that it declined', async () => {
  const { tutor, email, connection, ids } = await anAsked()
  const parent = await aParent(email)
  assert.equal(
    (await parent.call('PATCH', `/api/v1/connections/${connection}`, { state: 'declined' })).status,
    200,
  )
  assert.deepEqual([await connectionsOf(parent), await sessionsOf(parent)], [[], []])
  const [own] = await connectionsOf(tutor)
  assert.deepEqual([own?.state, own?.ended_by], ['declined', 'other'])
  assert.equal((await read(tutor, ids[0] ?? '')).is_shared, false)
})

test('P9, I7: asking a family is refused at your own address, a second time, too often, or if it wants no emails', async () => {
  const { tutor, ask, page, email, student } = await anAsked()
  assert.equal((await ask()).body.code, 'already_asked')
  assert.equal((await ask({ email: email.toUpperCase() })).body.code, 'already_asked')
  const leo = idOf(await tutor.call('POST', '/api/v1/students', { name: 'Leo' }))
  const more = await ask({ student_ids: [student, leo] })
  assert.deepEqual(
    [more.status, (more.body.people as unknown as Row[]).length],
    [201, 2],
    'a sibling is added',
  )
  assert.equal((await ask({ email: tutor.email })).body.code, 'own_address')
  assert.equal((await ask({ email: undefined })).body.code, 'no_address')
  assert.equal((await ask({ email: 'x' })).status, 422)
  assert.equal((await ask({ student_ids: [] })).status, 422)
  const foreign = await aTutor({ isAsked: false })
  assert.equal((await foreign.ask({ student_ids: [student] })).body.code, 'unknown_student')
  assert.equal((await page.call('end', { forget: true })).status, 204)
  assert.equal((await ask()).body.code, 'opted_out')
  const often = anAddress()
  for (const expected of [201, 201, 201, 429]) {
    const next = await aTutor({ email: often, isAsked: false })
    assert.equal((await next.ask()).status, expected)
  }
})

test('a new family with another currency takes the tutor’s, and is refused once it has amounts', async () => {
  const rich = await aTutor({ isAsked: false })
  await rich.tutor.call('PATCH', '/api/v1/me', { currency: 'EUR', relabel: true })
  const connection = idOf(await rich.ask())
  const parent = await aParent(rich.email)
  const child = idOf(await parent.call('POST', '/api/v1/students', { name: 'Ada' }))
  const other = idOf(await parent.call('POST', '/api/v1/tutors', { name: 'Bo', hourly_rate: 20 }))
  const session = idOf(
    await parent.call('POST', '/api/v1/sessions', {
      student_id: child,
      tutor_id: other,
      date: '2026-11-16',
      duration: 1,
    }),
  )
  assert.equal((await accept(parent, connection)).body.code, 'other_currency')
  assert.equal((await connectionsOf(parent))[0]?.state, 'asked', 'nothing changed')
  await parent.call('DELETE', `/api/v1/sessions/${session}`)
  assert.equal((await accept(parent, connection)).status, 200)
  assert.equal((await parent.call('GET', '/api/v1/me')).body.currency, 'EUR')
})

test('T8: nobody accepts in the family’s place: not the tutor, another account or the emailed page of another', async () => {
  const { tutor, email, connection, ids, page } = await anAsked()
  assert.equal((await accept(tutor, connection)).status, 409)
  const stranger = await server.aUser()
  assert.equal((await accept(stranger, connection)).status, 404)
  await page.confirm(ids[0] ?? '')
  const [own] = await connectionsOf(tutor)
  const people = ((own?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id: null }))
  const matched = await tutor.call('PATCH', `/api/v1/connections/${connection}`, { people })
  assert.equal(matched.body.code, 'not_connected', 'an address has no children to match')
  const other = await anAsked()
  assert.equal((await other.page.confirm(ids[0] ?? '')).status, 404)
  const inSql = (text: string) => server.db.asMember(tutor.member, (tx) => sql.raw(text).execute(tx))
  await assert.rejects(
    inSql(`update connections set state = 'active' where id = '${connection}'`),
    /row-level security/,
  )
  const asLink = (text: string) =>
    server.db.asLink({ id: connection, side: 'family' }, (tx) => sql.raw(text).execute(tx))
  for (const text of [
    'select * from public.sessions',
    'select text from session_notes',
    'select name from public.students',
    'select name from public.tutors',
    'select email from users',
    'select email from connections',
    'select practice_schedule_id from public.sessions',
    "update public.sessions set practice_answer = 'confirmed'",
    "update public.sessions set family_reply = 'x'",
    `update connections set family_id = '${tutor.id}'`,
    'update public.sessions set family_reminders = 9',
    'delete from connection_people',
    'select token_hash from link_tokens',
  ])
    await assert.rejects(asLink(text), /permission denied/, text)
  await assert.rejects(
    asLink('update public.sessions set minutes = 15'),
    /an emailed page cannot change a session/,
  )
  // A DELETE without a WHERE clause deletes nothing, because nobody requested a deletion. Also, one side
  // can't record a deletion request on the other's behalf.
  await asLink('delete from public.sessions')
  await assert.rejects(
    asLink("update public.sessions set deletion_asked_by = 'practice', deletion_asked_at = now()"),
    /a side can request a deletion only for itself/,
  )
  const { rows } = (await asLink('select id from sessions order by day')) as { rows: { id: string }[] }
  assert.deepEqual(
    rows.map(({ id }) => id),
    ids,
  )
  const parent = await aParent(email)
  assert.deepEqual((await connectionsOf(parent)).length, 1)
  assert.equal((await page.open()).status, 200, 'looking answers nothing')
})

test('an emailed family that confirmed gets the next sessions by email, each with its own link, until it has an account', async () => {
  const { email, ids, page, log, connection } = await anAsked()
  await page.confirm(...ids)
  await log('2026-11-19')
  await emailJobs(server.db, () => server.clock.now).daily_digest?.()
  const mail = await server.mailTo(email, '1 session to confirm')
  assert.ok(mail.text.includes('Ingrid Lindqvist logged or changed 1 session (1 hour).'), mail.text)
  assert.ok(mail.text.includes('Confirm 1 session, $45.00'))
  const parent = await aParent(email)
  await accept(parent, connection)
  assert.equal((await page.open()).body.code, 'link_gone')
})

test("an emailed family agrees to delete a session or keeps it, and gets reminders of what's waiting", async () => {
  const { tutor, email, ids, page } = await anAsked()
  const [kept = '', gone = '', open = ''] = ids
  await page.confirm(kept, gone)
  for (const id of [kept, gone])
    assert.equal((await tutor.call('DELETE', `/api/v1/sessions/${id}`)).status, 202)
  const seen = rowsOf(await page.open())
  const versionOf = (id: string) => seen.find((row) => row.id === id)?.version
  assert.equal(seen.find(({ id }) => id === gone)?.deletion_asked_by, 'other')
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 8 * 86_400_000)
  await emailJobs(server.db, () => server.clock.now).daily_digest?.()
  const mail = await server.mailTo(email, 'Reminder: 3 sessions from Ingrid Lindqvist waiting for you')
  assert.match(mail.text, /Hello Maya's family,/)
  assert.match(mail.text, /Ingrid Lindqvist logged or changed 1 session \(1\.5 hours\)/)
  assert.match(mail.text, /Ingrid Lindqvist wants your OK to delete 2 sessions/)
  assert.match(mail.text, /The oldest item has been waiting since/)
  server.clock.now = now
  assert.equal((await page.call('keep', { id: kept, version: versionOf(kept) })).status, 200)
  assert.equal((await page.call('delete', { id: gone, version: versionOf(gone) })).status, 204)
  assert.deepEqual((await sessionsOf(tutor)).map(({ id }) => id).sort(), [kept, open].sort())
})

test('an emailed family reads how to pay, pays, answers a payment and closes the month', async () => {
  const now = server.clock.now
  server.clock.now = new Date('2026-12-02T12:00:00Z')
  const { tutor, email, ids, page, connection, student } = await anAsked()
  await page.confirm(...ids)
  const link = { id: connection, side: 'family' as const }
  const asLink = <Result>(work: (caller: CommandCaller) => Promise<Result>) =>
    server.db.asLink(link, (tx) => work(linkCaller(tx, link, server.clock.now)))
  await tutor.call('PUT', '/api/v1/payment-ways', { ways: [{ kind: 'text', text: 'Cash is fine' }] })
  const ways = await asLink(async ({ tx }) =>
    sql<{ kind: string }>`select kind from connection_payment_ways(${connection}::uuid)`.execute(tx),
  )
  assert.deepEqual(ways.rows, [{ kind: 'text' }])
  const own = await asLink((caller) =>
    recordPayment(caller, { day: '2026-11-19' as CalendarDay, kind: 'payment', amount: cents(5000) }),
  )
  assert.ok(own.ok, JSON.stringify(own))
  const shown = await tutor.call('GET', `/api/v1/payments/${own.value.id}`)
  assert.deepEqual(
    [shown.body.connection_id, shown.body.other_confirmation, shown.body.own_confirmation],
    [connection, 'confirmed', 'none'],
  )
  await tutor.call('POST', `/api/v1/payments/${own.value.id}/confirm`)
  const theirs = await tutor.call('POST', '/api/v1/payments', {
    student_id: student,
    date: '2026-11-20',
    amount: 107.5,
  })
  const id = idOf(theirs)
  await asLink((caller) => giveAnswer(caller, PAYMENT, { id }, 'dispute', { note: 'Nothing was paid' }))
  assert.equal((await tutor.call('GET', `/api/v1/payments/${id}`)).body.dispute_note, 'Nothing was paid')
  await asLink((caller) => giveAnswer(caller, PAYMENT, { id }, 'confirm'))
  const asked = await tutor.call('POST', '/api/v1/months/close', {
    connection_id: connection,
    month: '2026-11',
  })
  assert.equal(asked.body.state, 'asked_by_you', JSON.stringify(asked.body))
  await server.mailTo(email, 'Ingrid Lindqvist asks to close November 2026')
  const month = { connectionId: connection, month: '2026-11', otherName: null }
  const closing = await asLink((caller) =>
    closeMonth(caller, month, { db: server.db, baseUrl: 'http://localhost:3000' }),
  )
  assert.ok(closing?.ok && closing.value.state === 'closed', JSON.stringify(closing))
  assert.match((await server.mailTo(tutor.email, 'November 2026 is closed')).text, /Maya's family/)
  // After signing up, the family sees the same payments and the same closed month.
  const parent = await aParent(email)
  assert.equal((await accept(parent, connection)).status, 200)
  assert.deepEqual(
    rowsOf(await parent.call('GET', '/api/v1/payments?from=2026-11-01&to=2026-11-30')).map(
      (one) => one.counts,
    ),
    [true, true],
  )
  const kept = await parent.call('GET', '/api/v1/months?month=2026-11')
  assert.equal(rowsOf(kept)[0]?.code, closing.value.code?.replace(/^(.{5})/, '$1-'))
  assert.equal(rowsOf(kept)[0]?.open_sessions, 0)
  server.clock.now = now
})

test("a family's emailed link that has expired, or whose tutor closed the account, says so and changes nothing", async () => {
  const { tutor, ids, page } = await anAsked()
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 46 * 86_400_000)
  assert.equal((await page.open()).body.code, 'link_gone')
  assert.equal((await page.confirm(...ids)).body.code, 'link_gone')
  server.clock.now = now
  assert.equal((await page.open()).status, 200)
  assert.deepEqual(
    (await page.shown()).map((one) => one.waits_for_you),
    [true, true, true],
  )
  assert.equal((await tutor.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  assert.equal((await page.confirm(...ids)).body.code, 'link_gone')
})

test("a request sets a family's or practice's name once, as the other side sees it", async () => {
  const asked = await aTutor({ isAsked: false })
  await asked.tutor.call('PATCH', '/api/v1/me', { full_name: '' })
  await asked.ask({ name: 'Ingrid http://evil.test' })
  const mail = await server.mailTo(asked.email, 'asks you to confirm')
  assert.equal(mail.subject, "Ingrid http evil. test asks you to confirm Maya's sessions")
  assert.equal((await asked.tutor.call('GET', '/api/v1/me')).body.full_name, 'Ingrid http://evil.test')
})
