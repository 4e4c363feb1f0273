// What comes along with the questions after classes, and what an account is told alone.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Mail, readMailbox } from '#platform/mail/mailer.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { waitingWork } from '#platform/jobs/waiting.server.ts'
import { aPair, idOf, type Pair } from '#main/testing/two-sides.server.ts'
import { addDays, type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { emailJobs } from './jobs.server.ts'

const ZONE = 'America/New_York'
/**
 * The database's clock is the real one, so what is logged is of these days. The classes begin tomorrow, because
 * nobody is asked about a class that was over before its schedule was made.
 */
const TODAY = addDays(dayIn(new Date(), ZONE), 1)

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

/** Sets the clock to an hour in New York's winter, some days from today. */
async function at(days: number, hour: number, ...people: Caller[]): Promise<void> {
  const moment = new Date(`${addDays(TODAY, days)}T00:00:00Z`).getTime() + (hour + 5) * 3_600_000
  server.clock.now = new Date(moment)
  for (const { call, email } of people) await call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
}
const run = (job: string) => emailJobs(server.db, () => server.clock.now)[job]?.()
async function mailsTo({ email }: Caller): Promise<Mail[]> {
  await server.allJobsDone()
  return (await readMailbox(join(server.dataDir, 'mailbox'), email)).reverse()
}
/** The subjects of the emails about what the other side did. */
const newsTo = async (who: Caller) =>
  (await mailsTo(who))
    .map(({ subject }) => subject)
    .filter((one) => /sessions? to confirm|right|canceled/.test(one))
const questionsTo = async (who: Caller) =>
  (await mailsTo(who)).filter(({ subject }) => subject === 'Did this class take place?')

/** A family and its tutor with a class at this hour each day, from today on. The tutor has been asked about today's. */
async function asked(hour: number): Promise<Pair & { schedule: string }> {
  const pair = await aPair(server)
  for (const who of [pair.family, pair.practice]) await who.call('PATCH', '/api/v1/me', { time_zone: ZONE })
  const made = await pair.family.call('POST', '/api/v1/schedules', {
    student_id: pair.child,
    tutor_id: pair.tutor,
    frequency: 'custom',
    custom_interval_days: 1,
    day_of_week: new Date(`${TODAY}T12:00:00Z`).getUTCDay(),
    start_time: `${hour}:00`,
    duration: 1,
    start_date: TODAY,
    time_zone: ZONE,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  await at(0, hour + 1)
  await server.runTask('remind')
  assert.equal((await questionsTo(pair.practice)).length, 1)
  return { ...pair, schedule: idOf(made) }
}

test('what agrees with the plan comes along with the next question, and what needs a decision is told the next morning', async () => {
  const { family, practice, log } = await asked(15)
  server.clock.now = new Date()
  const first = await log({ date: addDays(TODAY, -3) })
  await at(1, 10)
  await run('morning_digest')
  assert.deepEqual(await newsTo(practice), [], 'a session logged as usual isn’t told alone')
  await at(1, 16)
  await server.runTask('remind')
  const [, question] = await questionsTo(practice)
  assert.match(question?.text ?? '', /Also new:\s+.* logged or changed 1 session/)
  assert.match(question?.text ?? '', /See what’s new:\s+\S+\/dashboard/)
  await at(5, 10)
  await run('morning_digest')
  assert.deepEqual(await newsTo(practice), [], 'nor is it repeated alone')

  await at(5, 11, practice)
  await practice.call('POST', `/api/v1/sessions/${first}/dispute`, { note: 'No lesson that day' })
  await at(6, 10)
  await run('morning_digest')
  assert.match((await newsTo(family)).join(), /1 session isn’t right/)
})

test('whoever is asked about no classes gets a session in the daily email', async () => {
  const { practice, log } = await asked(15)
  server.clock.now = new Date()
  await log({ date: addDays(TODAY, -3) })
  await at(16, 10)
  await run('morning_digest')
  assert.match((await newsTo(practice)).join(), /1 session to confirm/)
})

test('a canceled class is told at once when it begins soon, and else comes along with a question', async () => {
  const { family, practice, schedule } = await asked(18)
  const cancel = async (date: CalendarDay) => {
    await at(0, 20, family)
    const input = { date, status: 'canceled', outcome: 'canceled_in_time' }
    assert.equal((await family.call('PUT', `/api/v1/schedules/${schedule}/occurrence`, input)).status, 200)
  }
  await cancel(addDays(TODAY, 2))
  await at(1, 10)
  await run('tell_canceled')
  await run('morning_digest')
  assert.deepEqual(await newsTo(practice), [], 'it begins in more than a day')
  await at(2, 5)
  await run('tell_canceled')
  assert.deepEqual(await newsTo(practice), [], 'in 13 hours')
  await at(2, 8)
  await run('tell_canceled')
  await run('tell_canceled')
  const told = await newsTo(practice)
  assert.equal(told.length, 1, 'once')
  assert.match(told.join(), /canceled a class/)
})

test('a month that is over is followed up on its 3rd and 5th day, only with whoever has something to do for it', async () => {
  const { family, practice, log } = await aPair(server)
  for (const who of [family, practice]) await who.call('PATCH', '/api/v1/me', { time_zone: ZONE })
  // Of a year ago, so that the session was logged after the clock's days and no other reminder is due on them.
  const year = Number(TODAY.slice(0, 4)) - 1
  await log({ date: `${year}-10-10` as CalendarDay })
  const reminders = async (who: Caller) =>
    (await mailsTo(who)).filter(({ subject }) => subject === `Reminder: October ${year} is ready to confirm`)
      .length
  for (const [day, count] of [
    ['02', 0],
    ['03', 1],
    ['04', 1],
    ['05', 2],
    ['06', 2],
  ] as const) {
    server.clock.now = new Date(`${year}-11-${day}T15:00:00Z`)
    await run('morning_digest')
    await run('morning_digest')
    assert.equal(await reminders(practice), count, day)
  }
  assert.equal(await reminders(family), 0, 'it waits for the tutor')
})

test('that a month is to be closed isn’t told at night', async () => {
  server.clock.now = new Date()
  const { family, practice, connection, log } = await aPair(server)
  for (const who of [family, practice]) await who.call('PATCH', '/api/v1/me', { time_zone: ZONE })
  const id = await log({ date: '2025-11-10' })
  await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  await at(0, 22, family)
  const asked = { connection_id: connection, month: '2025-11' }
  assert.equal((await family.call('POST', '/api/v1/months/close', asked)).body.state, 'asked_by_you')
  const held = async () =>
    (await server.db.asSystem(waitingWork)).jobs.map(({ runAt }) => runAt.toISOString())
  while (!(await held()).includes(`${addDays(TODAY, 1)}T13:00:00.000Z`))
    await new Promise((resolve) => setTimeout(resolve, 25))
  await at(1, 8)
  await server.db.asSystem((tx) =>
    sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where task_identifier = 'send_mail'), run_at := now())`.execute(
      tx,
    ),
  )
  await server.mailTo(practice.email, 'asks to close November 2025')
})
