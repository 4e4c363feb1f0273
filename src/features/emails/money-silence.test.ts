import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Asked, isUnanswered } from '#features/agreements/answer.ts'
import type { ClosedMonth } from '#features/months/closing.ts'
import { askedInWords } from '#features/months/closing-text.ts'
import { standingWords } from '#features/payments/payment-words.ts'
import type { Payment } from '#features/payments/payment.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aPair, byLink, idOf, type Row, rowsOf, tokenOf } from '#main/testing/two-sides.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

const PAID = { date: '2026-11-14', amount: 135, method: 'transfer' }
const MONTH = '2026-10'

let start = Date.now()
/** Restarts the day count from the current time, because the database uses its own clock. */
function fromNow(): void {
  start = Date.now()
  server.clock.now = new Date(start)
}
/**
 * Moves the clock to the given number of days after the start, signs everyone in again, and runs the daily
 * job twice, as two servers would.
 */
async function onDay(days: number, ...people: Caller[]): Promise<void> {
  server.clock.now = new Date(start + days * 86_400_000 + 60_000)
  for (const { email, call } of people) await call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
  for (let times = 0; times < 2; times++) await server.runTask('daily_digest')
  await server.allJobsDone()
}
/** The reminders already sent to an address. */
async function remindersTo(email: string) {
  const mails = await readMailbox(join(server.dataDir, 'mailbox'), email)
  return mails.filter(({ subject }) => subject.startsWith('Reminder'))
}
const paymentOf = async (caller: Caller, id: string) =>
  (await caller.call('GET', `/api/v1/payments/${id}`)).body as unknown as Payment
const isSilent = (row: Row | Payment | undefined) => isUnanswered(row as unknown as Asked, server.clock.now)

const shortDay = (moment: number) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(new Date(moment))

test('an unanswered payment gets reminders after 3 and 10 days in the emails about sessions, and counts as no answer after 14', async () => {
  const { family, practice, tutor, log } = await aPair(server)
  fromNow()
  const id = idOf(await family.call('POST', '/api/v1/payments', { ...PAID, tutor_id: tutor }))
  await log()
  for (const [day, count] of [
    [2, 0],
    [3, 1],
    [9, 1],
    [10, 2],
    [13, 2],
  ] as const) {
    await onDay(day, family)
    assert.equal((await remindersTo(practice.email)).length, count, `day ${day}`)
    assert.equal((await paymentOf(family, id)).reminders, count, `day ${day}`)
    assert.equal(isSilent(await paymentOf(family, id)), false, `day ${day}`)
  }
  for (const { subject, text } of await remindersTo(practice.email)) {
    assert.equal(
      subject,
      "Reminder: 1 session and 1 payment from Maya's family waiting for you",
      'one email for both',
    )
    assert.match(text, /Paid \$135\.00, bank transfer, Nov 14\. Received\?/)
    assert.match(text, /Silence never counts as a yes\. After 14 days, maya's family sees “No answer since/i)
  }
  await onDay(14, family, practice)
  const asked = await paymentOf(family, id)
  assert.deepEqual([isSilent(asked), asked.counts], [true, false], 'silence is no yes')
  const day = shortDay(start)
  assert.equal(standingWords(asked, 'parent', server.clock.now)?.words, `No answer since ${day}`)
  const own = await paymentOf(practice, id)
  assert.equal(standingWords(own, 'tutor', server.clock.now)?.words, `Waiting for you since ${day}`)
  // After a change, the other side has to answer again.
  server.clock.now = new Date()
  await family.call('POST', '/api/auth/sign-in', { email: family.email, password: PASSWORD })
  await family.call('PATCH', `/api/v1/payments/${id}`, { amount: 130 })
  assert.equal((await paymentOf(family, id)).reminders, 0)
})

test('a request to delete a payment gets two reminders; after 14 days without an answer, the asker can delete it from their own records', async () => {
  const { family, practice, tutor } = await aPair(server)
  fromNow()
  const id = idOf(await family.call('POST', '/api/v1/payments', { ...PAID, tutor_id: tutor }))
  await practice.call('POST', `/api/v1/payments/${id}/confirm`, {})
  const remove = async () => (await family.call('DELETE', `/api/v1/payments/${id}`)).status
  assert.equal(await remove(), 202)
  for (const day of [3, 10]) await onDay(day, family)
  const [reminder] = await remindersTo(practice.email)
  assert.match(reminder?.subject ?? '', /^Reminder: .* asks to delete 1 payment$/)
  assert.match(reminder?.text ?? '', /and can delete the item from their own records\./)
  await onDay(13, family)
  assert.equal(await remove(), 202, 'too early')
  await onDay(14, family, practice)
  assert.equal(await remove(), 204)
  assert.equal((await paymentOf(practice, id)).is_shared, false, 'the other side keeps its own')
})

test('a tutor without an account is reminded of a payment by email, and the page says since when it waits', async () => {
  const { family, tutor, email, log } = await aFamily(server)
  const token = await tokenOf(server, email)
  const stranger = server.aStranger()
  await byLink(stranger, token, 'confirm', { sessions: [{ id: await log(), version: 1 }] })
  fromNow()
  const id = idOf(await family.call('POST', '/api/v1/payments', { ...PAID, tutor_id: tutor }))
  for (const day of [3, 10, 14]) await onDay(day, family)
  assert.deepEqual(
    (await remindersTo(email)).map(({ subject }) => subject),
    Array(2).fill("Reminder: 1 payment to confirm with Maya's family"),
  )
  const [shown] = rowsOf(await byLink(stranger, token, 'payments'))
  assert.deepEqual([shown?.id, isSilent(shown)], [id, true])
  assert.equal(isSilent(await paymentOf(family, id)), true)
})

/**
 * A family and a practice with a lesson in October that both confirmed. The family has asked to close the
 * month.
 */
async function anAskedMonth() {
  const pair = await aPair(server)
  const id = await pair.log({ date: '2026-10-06' })
  await pair.practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  fromNow()
  const asked = await pair.family.call('POST', '/api/v1/months/close', {
    connection_id: pair.connection,
    month: MONTH,
  })
  assert.equal(asked.body.state, 'asked_by_you')
  const monthOf = async (caller: Caller) =>
    rowsOf(await caller.call('GET', `/api/v1/months?month=${MONTH}`))[0]
  return { ...pair, monthOf }
}

test('an unanswered request to close a month gets two reminders, and counts as no answer after 14 days', async () => {
  const { family, practice, monthOf } = await anAskedMonth()
  const wordsTo = async (caller: Caller, other: string) =>
    askedInWords((await monthOf(caller)) as unknown as ClosedMonth, other, server.clock.now)
  for (const [day, count] of [
    [2, 0],
    [3, 1],
    [10, 2],
    [13, 2],
  ] as const) {
    await onDay(day, family)
    const reminders = (await remindersTo(practice.email)).filter(({ subject }) => subject.includes('close'))
    assert.equal(reminders.length, count, `day ${day}`)
    assert.equal((await monthOf(family))?.reminders, count, `day ${day}`)
    assert.match(await wordsTo(family, 'your tutor'), /^You asked to close October\. Waiting for your tutor$/)
  }
  const [reminder] = await remindersTo(practice.email)
  assert.match(reminder?.subject ?? '', /^Reminder: .* asks to close October 2026$/)
  assert.match(reminder?.text ?? '', /See October 2026:\n\S+\/summary\?month=2026-10#closing/)
  await onDay(14, family, practice)
  const day = shortDay(start)
  assert.equal(await wordsTo(family, 'Ingrid'), `You asked to close October. No answer since ${day}`)
  assert.equal(
    await wordsTo(practice, 'the family'),
    `The family asked to close October. Waiting for you since ${day}`,
  )
  assert.equal((await monthOf(practice))?.state, 'asked_by_other', 'silence closes nothing')
})
