// What one side calls the people of the other is its own: no email, emailed page or shared file shows it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { aPractice, byLink, connectionsOf, idOf, type Row, tokenOf } from '#main/testing/two-sides.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T12:00:00Z')
})
after(() => server.stop())

const NOVEMBER = { month: '2026-11' }
/** The family's names for the tutor and the child, of which the tutor may get the child's first name. */
const FAMILYS = /Grumpy|Zebra|Quillfeather/i
/** The tutor's names for the student and the family's contact. */
const TUTORS = /Pickle|Wobbleton/i

async function textOf(answer: Answer): Promise<string> {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  if (!String(answer.headers['content-type']).includes('pdf')) return JSON.stringify(answer.body)
  return textOfPdf(answer.bytes)
}
const mailsTo = async (email: string) => readMailbox(join(server.dataDir, 'mailbox'), email)

/** A family whose records have nicknames, and a tutor it asked at this address. */
async function aNicknamingFamily(email: string) {
  const family = await server.aUser()
  const child = idOf(await family.call('POST', '/api/v1/students', { name: 'Maya Quillfeather' }))
  const tutor = idOf(
    await family.call('POST', '/api/v1/tutors', { name: 'Grumpy Zebra', email, hourly_rate: 45 }),
  )
  const connection = idOf(await family.call('POST', '/api/v1/connections', { tutor_id: tutor }))
  const people = { student_id: child, tutor_id: tutor }
  const session = idOf(
    await family.call('POST', '/api/v1/sessions', { ...people, date: '2026-11-03', duration: 1 }),
  )
  /** Records a payment, which is shared once the tutor has accepted. */
  const pay = async () =>
    idOf(await family.call('POST', '/api/v1/payments', { ...people, date: '2026-11-04', amount: 45 }))
  return { family, connection, session, pay }
}

async function noneIn(texts: Promise<string>[], names: RegExp): Promise<void> {
  for (const text of await Promise.all(texts)) assert.doesNotMatch(text, names)
}

test('a tutor without an account never reads what the family calls them, in emails, on the page or in its files', async () => {
  const email = 'nicknamed@example.com'
  const { family, connection, session, pay } = await aNicknamingFamily(email)
  const token = await tokenOf(server, email)
  const page = server.aStranger()
  const call = (path: string, body: object = {}) => byLink(page, token, path, body)
  const texts = [textOf(await call('open'))]
  await call('confirm', { sessions: [{ id: session, version: 1 }] })
  const payment = await pay()
  await server.runTask('daily_digest')
  texts.push(textOf(await call('payments')))
  await call('payments/confirm', { id: payment, version: 1 })
  await family.call('POST', '/api/v1/months/close', { connection_id: connection, ...NOVEMBER })
  await server.mailTo(email, 'asks to close November 2026')
  assert.equal((await call('months/close', NOVEMBER)).body.state, 'closed')
  for (const path of ['months', 'months/page', 'months/page.pdf', 'signed.pdf'])
    texts.push(textOf(await call(path, path === 'months' ? {} : NOVEMBER)))
  await family.call('POST', '/api/v1/months/reopen', {
    connection_id: connection,
    ...NOVEMBER,
    reason: 'One more',
  })
  await server.mailTo(email, 'reopened November 2026')
  await server.allJobsDone()
  const mails = await mailsTo(email)
  assert.ok(mails.length >= 3, String(mails.length))
  await noneIn(
    [...texts, ...mails.map(async ({ subject, text, html }) => `${subject} ${text} ${html}`)],
    FAMILYS,
  )
})

test('a tutor with an account, but without a name, is the child’s tutor in what both sides keep', async () => {
  const email = 'nameless@example.com'
  const { family, connection, session, pay } = await aNicknamingFamily(email)
  const { practice } = await aPractice(server, email)
  await practice.call('POST', '/api/v1/students', { name: 'Maya Pickle-Wobbleton' })
  const [asked] = await connectionsOf(practice)
  const people = ((asked?.people ?? []) as Row[]).map(({ id }) => ({ id, student_id: null }))
  await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active', people })
  for (const path of [`sessions/${session}`, `payments/${await pay()}`])
    assert.equal((await practice.call('POST', `/api/v1/${path}/confirm`, {})).status, 200, path)
  const closing = { connection_id: connection, ...NOVEMBER }
  await practice.call('POST', '/api/v1/months/close', closing)
  assert.equal((await family.call('POST', '/api/v1/months/close', closing)).body.state, 'closed')
  const query = `connection_id=${connection}&month=2026-11`
  const pagesOf = (who: Caller) =>
    ['months/page', 'months/page.pdf'].map(async (path) =>
      textOf(await who.call('GET', `/api/v1/${path}?${query}`)),
    )
  const signed = await practice.call('GET', `/api/v1/connections/${connection}/signed.pdf?month=2026-11`)
  await noneIn([...pagesOf(practice), textOf(signed)], FAMILYS)
  await noneIn(pagesOf(family), TUTORS)
  const page = await practice.call('GET', `/api/v1/months/page?${query}`)
  assert.equal(page.body.tutor_name, "Maya's tutor")
  await practice.call('PATCH', '/api/v1/me', { full_name: 'Ingrid Lindqvist' })
  await server.allJobsDone()
  for (const [who, names] of [
    [practice, FAMILYS],
    [family, TUTORS],
  ] as const)
    await noneIn(
      (await mailsTo(who.email)).map(async ({ subject, text, html }) => `${subject} ${text} ${html}`),
      names,
    )
})
