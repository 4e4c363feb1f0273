import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { until } from '#main/testing/process.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { type Asked, isUnanswered } from '#features/agreements/answer.ts'
import {
  aFamily,
  aPair,
  byLink,
  idOf,
  read,
  type Row,
  rowsOf,
  sessionsOf,
  tokenOf,
} from '#main/testing/two-sides.server.ts'
import { emailJobs } from './jobs.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

let start = Date.now()
/** Restarts the day count from the current time, because the database uses its own clock. */
function fromNow(): void {
  start = Date.now()
  server.clock.now = new Date(start)
}
/** Moves the clock to the given number of days after the start and signs everyone in again. */
async function onDay(days: number, ...people: Caller[]): Promise<void> {
  server.clock.now = new Date(start + days * 86_400_000 + 60_000)
  for (const { email, call } of people) await call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
}
/** Runs the daily job twice at the same time, as two servers would. */
async function runDaily(): Promise<void> {
  const daily = () => emailJobs(server.db, () => server.clock.now).daily_digest?.()
  await Promise.all([daily(), daily()])
  // An email that's still to be sent when the clock moves on would take a later hour.
  await server.allJobsDone()
}
const unsent = async () =>
  (
    await server.db.asSystem((tx) =>
      tx.selectFrom('outbox').select('id').where('sent_at', 'is', null).execute(),
    )
  ).length
/** The subjects of the reminders to an address, once all queued emails have been written. */
async function remindersTo(email: string): Promise<string[]> {
  await until('every email is written', async () => (await unsent()) === 0)
  const mails = await readMailbox(join(server.dataDir, 'mailbox'), email)
  return mails.map(({ subject }) => subject).filter((subject) => subject.startsWith('Reminder'))
}
const isSilent = (row: Row | undefined) => isUnanswered(row as unknown as Asked, server.clock.now)
const byMail = (token: string, path: string, body: object) => byLink(server.aStranger(), token, path, body)

/** A family and a practice. The practice has confirmed one lesson and hasn't answered another. */
async function waiting() {
  const pair = await aPair(server)
  fromNow()
  const id = await pair.log()
  return { ...pair, id }
}

test('unanswered lessons get reminders after 3 and 10 days, in one email, and count as no answer after 14', async () => {
  const { family, practice, log, id } = await waiting()
  const second = await log({ date: '2026-11-19' })
  const asked = await read(family, id)
  assert.ok(Math.abs(Date.parse(String(asked.asked_at)) - start) < 60_000)
  await runDaily()
  for (const [day, count] of [
    [2, 0],
    [3, 1],
    [4, 1],
    [9, 1],
    [10, 2],
    [11, 2],
    [13, 2],
  ] as const) {
    await onDay(day, family)
    await runDaily()
    assert.equal((await remindersTo(practice.email)).length, count, `day ${day}`)
    assert.equal((await read(family, id)).reminders, count, `day ${day}`)
    assert.equal(isSilent(await read(family, id)), false, `day ${day}`)
  }
  assert.deepEqual(
    await remindersTo(practice.email),
    Array(2).fill("Reminder: 2 sessions to confirm with Maya's family"),
  )
  const { text } = await server.mailTo(practice.email, 'Reminder: 2 sessions')
  assert.match(text, /The oldest item has been waiting since \w+ \d+\. Silence never counts as a yes/)
  assert.deepEqual(await remindersTo(family.email), [], 'who logged it said so already')
  await onDay(14, family, practice)
  for (const [who, session] of [
    [family, id],
    [practice, second],
  ] as const) {
    const row = await read(who, session)
    assert.equal(isSilent(row), true)
    assert.equal(row.verified_by_tutor, false, 'silence is no yes')
  }
  // After a change, the other side has to answer again.
  await family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.deepEqual([(await read(family, id)).reminders, isSilent(await read(family, second))], [0, true])
  await practice.call('POST', `/api/v1/sessions/${second}/confirm`, {})
  assert.equal((await read(family, second)).asked_at, null)
  await practice.call('DELETE', `/api/v1/sessions/${second}/confirm`)
  assert.deepEqual([(await read(family, second)).reminders, (await read(practice, second)).reminders], [0, 0])
})

test('a tutor who wants no emails gets no reminders, and counts as not answering only after four weeks', async () => {
  const { family, practice, id } = await waiting()
  await practice.call('PATCH', '/api/v1/notices', { daily_digest: false })
  for (const day of [3, 10, 14, 27]) {
    await onDay(day, family)
    await runDaily()
    assert.equal(isSilent(await read(family, id)), false, `day ${day}`)
  }
  assert.deepEqual(await remindersTo(practice.email), [])
  assert.equal((await read(family, id)).reminders, 0, 'what was not sent is no reminder')
  await onDay(28, family)
  assert.equal(isSilent(await read(family, id)), true)
})

test("a second parent who may answer is reminded too, but a viewer isn't", async () => {
  const { family, practice, logByPractice } = await aPair(server)
  const joined: Caller[] = []
  for (const role of ['parent', 'viewer']) {
    const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`
    assert.equal((await family.call('POST', '/api/v1/members', { email, role })).status, 201)
    const token = /\/join#token=(\S+)/.exec((await server.mailTo(email, 'Tutorlog')).text)?.[1] ?? ''
    const person = server.aStranger()
    assert.equal((await person.call('POST', '/api/auth/join', { token, password: PASSWORD })).status, 200)
    person.email = email
    joined.push(person)
  }
  const [parent, viewer] = joined
  fromNow()
  idOf(await logByPractice())
  await onDay(3, practice)
  await runDaily()
  assert.deepEqual(await remindersTo(family.email), ['Reminder: 1 session to confirm with Ingrid'])
  assert.deepEqual(await remindersTo(parent?.email ?? ''), ['Reminder: 1 session to confirm with Ingrid'])
  assert.deepEqual(await remindersTo(viewer?.email ?? ''), [])
  assert.equal((await sessionsOf(practice))[0]?.reminders, 1, 'both of them are one reminder')
})

test('an unanswered request to delete gets two reminders; after 14 days, the asker can delete the session from their own log only', async () => {
  const { family, practice, id } = await waiting()
  await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  assert.equal((await family.call('DELETE', `/api/v1/sessions/${id}`)).status, 202)
  for (const day of [3, 10]) {
    await onDay(day, family)
    await runDaily()
  }
  assert.deepEqual(
    await remindersTo(practice.email),
    Array(2).fill("Reminder: Maya's family asks to delete 1 session"),
  )
  await onDay(13, family)
  assert.equal((await family.call('DELETE', `/api/v1/sessions/${id}`)).status, 202, 'too early')
  await onDay(14, family, practice)
  assert.equal(isSilent(await read(family, id)), true)
  assert.equal((await family.call('DELETE', `/api/v1/sessions/${id}`)).status, 204)
  assert.deepEqual(
    [(await sessionsOf(family)).length, (await read(practice, id)).verified_by_tutor],
    [0, true],
  )
})

test("a session can't be deleted before both reminders; without reminders, that takes four weeks", async () => {
  const { family, practice, id } = await waiting()
  await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  await family.call('DELETE', `/api/v1/sessions/${id}`)
  for (const [day, status] of [
    [14, 202],
    [27, 202],
    [28, 204],
  ] as const) {
    await onDay(day, family)
    assert.equal((await family.call('DELETE', `/api/v1/sessions/${id}`)).status, status, `day ${day}`)
  }
})

/** A tutor without an account who confirmed a lesson on the emailed page. */
async function emailed() {
  const asking = await aFamily(server)
  const token = await tokenOf(server, asking.email)
  const id = await asking.log()
  await byMail(token, 'confirm', { sessions: [{ id, version: 1 }] })
  fromNow()
  const shown = async () => rowsOf(await byMail(token, 'open', {}))[0]
  const answer = async (path: 'delete' | 'keep') =>
    byMail(token, path, { id, version: (await shown())?.version })
  return { ...asking, token, id, shown, answer }
}

test('without an account: a request to delete is accepted or refused on the emailed page, with reminders by email', async () => {
  const { family, email, id, shown, answer, token } = await emailed()
  assert.equal((await answer('delete')).body.code, 'not_asked')
  assert.equal((await answer('keep')).body.code, 'not_asked')
  await family.call('DELETE', `/api/v1/sessions/${id}`)
  assert.equal((await shown())?.deletion_asked_by, 'other')
  assert.equal((await byMail(token, 'delete', { id, version: 1 })).body.code, 'changed')
  const kept = await answer('keep')
  assert.deepEqual([kept.status, kept.body.deletion_asked_by, kept.body.verified_by_tutor], [200, null, true])
  assert.equal((await read(family, id)).deletion_asked_by, null)
  await family.call('DELETE', `/api/v1/sessions/${id}`)
  await onDay(3, family)
  await runDaily()
  const [reminder] = await remindersTo(email)
  assert.match(reminder ?? '', /^Reminder: .* asks to delete 1 session$/)
  const fresh = /\/confirm#(\S+)/.exec((await server.mailTo(email, 'Reminder')).text)?.[1] ?? ''
  const { version } = rowsOf(await byMail(fresh, 'open', {}))[0] ?? { version: 0 }
  assert.equal((await byMail(fresh, 'delete', { id, version })).status, 204)
  assert.deepEqual(await sessionsOf(family), [])
  assert.equal((await byMail(fresh, 'delete', { id, version })).status, 404)
  const history = rowsOf(await family.call('GET', `/api/v1/sessions/${id}/history`))
  assert.deepEqual([history.at(-1)?.by, history.at(-1)?.action], ['other', 'deleted'])
})

test('P9: an address that wants no more emails gets no reminders, and nobody waits for it forever', async () => {
  const { family, email, log } = await emailed()
  const id = await log({ date: '2026-11-19' })
  await runDaily()
  const { text } = await server.mailTo(email, '1 session to confirm')
  const end = /unsubscribe\?token=(\S+)/.exec(text)?.[1] ?? ''
  await server.aStranger().call('POST', `/unsubscribe?token=${end}`, 'List-Unsubscribe=One-Click', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  for (const day of [3, 10, 20]) {
    await onDay(day, family)
    await runDaily()
  }
  assert.deepEqual(await remindersTo(email), [])
  assert.equal((await read(family, id)).reminders, 0)
  assert.equal(isSilent(await read(family, id)), false)
  await onDay(28, family)
  assert.equal(isSilent(await read(family, id)), true)
})

test('nobody is reminded of a lesson before its day, or before they accepted the connection', async () => {
  const { family, log } = await aPair(server)
  fromNow()
  const ahead = new Date(start + 9 * 86_400_000).toISOString().slice(0, 10)
  const id = await log({ date: ahead })
  const other = await aFamily(server)
  const open = await other.log()
  await onDay(10, family, other.family)
  await runDaily()
  assert.deepEqual([(await read(family, id)).reminders, (await read(other.family, open)).reminders], [0, 0])
  await onDay(13, family, other.family)
  await runDaily()
  assert.equal((await read(family, id)).reminders, 1)
  // Once a request is accepted, the waiting time counts from then.
  const asked = (await read(other.family, open)).asked_at
  const token = await tokenOf(server, other.email)
  fromNow()
  await onDay(0, other.family)
  const answered = await other.log({ date: '2026-11-19' })
  await byMail(token, 'confirm', { sessions: [{ id: answered, version: 1 }] })
  assert.ok(Date.parse(String((await read(other.family, open)).asked_at)) > Date.parse(String(asked)))
})
