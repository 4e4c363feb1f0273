import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aPair, byLink, idOf, type Row, rowsOf, tokenOf } from '#main/testing/two-sides.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

const PAID = { date: '2026-11-14', amount: 135, method: 'transfer', note: 'a secret' }
const LINE = 'Paid $135.00, bank transfer, Nov 14. Received?'

/**
 * Runs the daily job twice, as would happen after a restart. Returns all the daily emails sent to an address
 * so far.
 */
async function today(email: string, hoursAhead = 0) {
  // Relative to the current time, because the database uses its own clock.
  server.clock.now = new Date(Date.now() + hoursAhead * 3_600_000)
  for (let times = 0; times < 2; times++) await server.runTask('daily_digest')
  await server.allJobsDone()
  server.clock.now = new Date()
  const mails = await readMailbox(join(server.dataDir, 'mailbox'), email)
  return mails.filter(({ subject }) => /payment|eceived|paid|to confirm$|waiting for you/.test(subject))
}
/** Clears the time of an account's last email, so that everything counts as new and can be sent. */
const sayNews = ({ id }: Caller) =>
  server.db.asSystem(async (tx) => {
    await tx.updateTable('notice_choices').set({ mailed_at: null }).where('user_id', '=', id).execute()
    await tx.updateTable('reminder_clocks').set({ sent_at: null }).where('account_id', '=', id).execute()
  })
const pay = async (caller: Caller, more: object) =>
  idOf(await caller.call('POST', '/api/v1/payments', { ...PAID, ...more }))

test('a tutor with an account reads "Received?" in one daily email, a family "Paid?", and nobody is asked again', async () => {
  const { family, practice, tutor, student, log } = await aPair(server)
  const id = await pay(family, { tutor_id: tutor })
  const [mail, ...others] = await today(practice.email)
  assert.deepEqual([mail?.subject, others.length], ["1 payment to confirm with Maya's family", 0])
  const { text = '', html = '' } = mail ?? {}
  assert.ok(text.includes(`A payment is waiting for your answer:\nmaya: ${LINE}`), text)
  assert.match(text, /See the payment:\n\S+\/to-confirm/)
  assert.equal(html.split('<a ').length, 4, 'the button, the help, and the end of these emails')
  assert.doesNotMatch(text + html, /secret/)
  assert.equal((await today(family.email)).length, 0, 'whoever paid said so already')

  // A day later, nothing is new. The day after that, a new lesson triggers the email, which asks about the
  // payment too.
  assert.equal((await today(practice.email, 25)).length, 1)
  await log()
  await sayNews(practice)
  const both = (await today(practice.email)).find(({ subject }) =>
    subject.includes('1 session and 1 payment'),
  )
  assert.ok(both?.text.includes(LINE), both?.subject)

  // The tutor confirmed this payment, so deleting it requires the tutor's consent. The tutor also reports
  // another payment.
  server.clock.now = new Date()
  await practice.call('POST', `/api/v1/payments/${id}/confirm`, {})
  await pay(practice, { student_id: student, amount: 60, method: 'cash' })
  assert.equal((await practice.call('DELETE', `/api/v1/payments/${id}`)).status, 202)
  const asked =
    (await today(family.email)).find(({ subject }) => subject === '2 payments with Ingrid waiting for you') ??
    assert.fail('no email')
  assert.ok(asked.text.includes('Ingrid: Paid $135.00, bank transfer, Nov 14. Delete it?'), asked.text)
  assert.ok(asked.text.includes('Ingrid: Received $60.00, cash, Nov 14. Paid?'), asked.text)
})

test("an earlier debt asks whether it's right, in the same words as the page", async () => {
  const { family, practice, student } = await aPair(server)
  await practice.call('POST', '/api/v1/payments', {
    student_id: student,
    date: '2026-11-01',
    amount: 20,
    kind: 'opening',
  })
  const [asked] = await today(family.email)
  assert.ok(asked?.text.includes('Ingrid: Already owed: $20.00, Nov 1. Is that right?'), asked?.text)
})

test('a tutor without an account reads "Received?" by email, with a fresh link to the page that takes the answer', async () => {
  const { family, tutor, email, log } = await aFamily(server)
  const token = await tokenOf(server, email)
  const stranger = server.aStranger()
  await byLink(stranger, token, 'confirm', { sessions: [{ id: await log(), version: 1 }] })
  const id = await pay(family, { tutor_id: tutor })
  const mails = await today(email)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ["1 payment to confirm with Maya's family"],
  )
  const { text = '', html = '' } = mails[0] ?? {}
  assert.ok(text.includes(`A payment is waiting for your answer:\n${LINE}`), text)
  assert.match(text, /The button opens your page\. Nothing is confirmed/)
  assert.equal(html.split('<a ').length, 4)
  assert.doesNotMatch(text + html, /secret/)
  const fresh = /\/confirm#(\S+)/.exec(text)?.[1] ?? ''
  assert.notEqual(fresh, token)
  const [shown] = rowsOf(await byLink(stranger, fresh, 'payments'))
  assert.deepEqual([shown?.id, shown?.waits_for_you], [id, true])
  server.clock.now = new Date()
  await byLink(stranger, fresh, 'payments/confirm', { id, version: shown?.version })
  await server.db.asSystem((tx) => tx.updateTable('connections').set({ mailed_at: null }).execute())
  assert.equal((await today(email)).length, 1, 'what was answered is asked no more')
})

test('a family without an account reads "Paid?" by email', async () => {
  const { practice, student, email } = await anEmailedFamily()
  await pay(practice, { student_id: student })
  const [mail] = await today(email)
  assert.equal(mail?.subject, '1 payment to confirm with Ingrid Lindqvist')
  assert.ok(mail.text.includes('Received $135.00, bank transfer, Nov 14. Paid?'), mail.text)
})

/** The payments that the app lists as sent back to someone. */
const sentBack = async (caller: Caller) =>
  ((await caller.call('GET', '/api/v1/payments/waiting')).body as unknown as { sent_back: Row[] }).sent_back

test('whoever recorded a payment is told once that it was "Not received", with the note, by email and in the app; and the other way around', async () => {
  const { family, practice, tutor, student } = await aPair(server)
  const id = await pay(family, { tutor_id: tutor })
  const note = 'Nothing came. See evil.example'
  await practice.call('POST', `/api/v1/payments/${id}/dispute`, { note })
  const mails = await today(family.email)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Ingrid says $135.00 was not received'],
  )
  const { text = '', html = '' } = mails[0] ?? {}
  assert.match(
    text,
    /Ingrid doesn't agree with a payment you recorded\. It doesn’t count until you both agree\. Correct or delete it/,
  )
  assert.match(
    text,
    /Ingrid: Paid \$135\.00, bank transfer, Nov 14\. Not received: “Nothing came\. See evil\. example”/,
  )
  assert.match(text, /See the payment:\n\S+\/dashboard/)
  assert.doesNotMatch(text + html, /evil\.example|secret/)
  assert.equal((await today(practice.email)).length, 0, 'whoever said no is asked nothing')
  assert.deepEqual(
    (await sentBack(family)).map((one) => [one.id, one.dispute_note]),
    [[id, note]],
  )
  assert.deepEqual(await sentBack(practice), [])
  assert.equal((await today(family.email, 25)).length, 1, 'once')
  // After the correction, the payment is waiting for an answer again.
  server.clock.now = new Date()
  await family.call('PATCH', `/api/v1/payments/${id}`, { amount: 130 })
  assert.deepEqual(await sentBack(family), [])

  const received = await pay(practice, { student_id: student, amount: 60, method: 'cash' })
  await family.call('POST', `/api/v1/payments/${received}/dispute`, { note: 'That was in October' })
  await sayNews(practice)
  const [told] = await today(practice.email)
  assert.match(told?.text ?? '', /Received \$60\.00, cash, Nov 14\. Not paid: “That was in October”/)
  assert.deepEqual(
    (await sentBack(practice)).map((one) => one.id),
    [received],
  )
})

test('a family without an account that says "I paid" is told by email that it was not received, and its page says why', async () => {
  const { practice, email, token, payByMail } = await anEmailedFamily()
  const id = idOf(await payByMail(token, { amount: 135, date: '2026-11-14', method: 'transfer' }))
  await practice.call('POST', `/api/v1/payments/${id}/dispute`, { note: 'Nothing came' })
  const [mail, ...others] = await today(email)
  assert.deepEqual([mail?.subject, others.length], ['Ingrid Lindqvist says $135.00 was not received', 0])
  const { text = '' } = mail ?? {}
  assert.match(text, /Ingrid Lindqvist doesn't agree with a payment you recorded/)
  assert.match(text, /Paid \$135\.00, bank transfer, Nov 14\. Not received: “Nothing came”/)
  assert.match(text, /where you can correct or delete what isn’t right/)
  const fresh = /\/confirm#(\S+)/.exec(text)?.[1] ?? ''
  const [shown] = rowsOf(await byLink(server.aStranger(), fresh, 'payments'))
  assert.deepEqual([shown?.other_confirmation, shown?.dispute_note], ['disputed', 'Nothing came'])
})

/**
 * A family without an account: the tutor sent a request to its address, and the family confirmed a lesson on
 * the emailed page.
 */
async function anEmailedFamily() {
  const practice = await server.aUser('tutor')
  await practice.call('PATCH', '/api/v1/me', { full_name: 'Ingrid Lindqvist' })
  const self = String(rowsOf(await practice.call('GET', '/api/v1/tutors'))[0]?.id)
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya Whitfield' }))
  const lesson = { student_id: student, tutor_id: self, date: '2026-11-20', duration: 1 }
  const session = idOf(await practice.call('POST', '/api/v1/sessions', lesson))
  const email = `family-${Math.random().toString(36).slice(2)}@example.com`
  const connection = idOf(
    await practice.call('POST', '/api/v1/connections', { email, student_ids: [student] }),
  )
  const token = await tokenOf(server, email)
  const byMail = (path: string, own: string, body: object) => byLink(server.aStranger(), own, path, body)
  await byMail('confirm', token, { sessions: [{ id: session, version: 1 }] })
  return {
    practice,
    student,
    email,
    token,
    connection,
    byMail,
    payByMail: (own: string, body: object) => byMail('payments/paid', own, body),
  }
}
