import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import type { Outcome as ClassOutcome } from '#features/terms/outcome.ts'
import type { AskedClass } from './class-question.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { waitingWork } from '#platform/jobs/waiting.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { PushService } from '#main/testing/push-service.server.ts'
import { remind as remindAccount } from './commands.server.ts'

let service: PushService
let server: TestServer
before(async () => {
  service = await new PushService().listen()
  server = await startTestServer({ PUSH_HOSTS: service.origin })
})
after(async () => {
  await server.stop()
  await service.stop()
})

/** Sets the clock to a moment in UTC, long after the database's. New York is five hours behind in December. */
function setClock(moment: string): void {
  server.clock.now = new Date(`${moment}:00Z`)
}

/** A family in New York with a class every Thursday from 3:00 to 4:30 PM. */
async function aFamily(): Promise<{ parent: Caller; schedule: string; student: string; tutor: string }> {
  server.clock.now = new Date()
  const parent = await server.aUser()
  await parent.call('PATCH', '/api/v1/me', { time_zone: 'America/New_York' })
  const student = String((await parent.call('POST', '/api/v1/students', { name: 'Maya Okafor' })).body.id)
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
  )
  const family = { parent, student, tutor, schedule: '' }
  return { ...family, schedule: await schedules(family, 4, '15:00') }
}

async function schedules(
  { parent, student, tutor }: { parent: Caller; student: string; tutor: string },
  day_of_week: number,
  start_time: string,
): Promise<string> {
  const plan = { day_of_week, start_time, duration: 1.5, frequency: 'weekly', start_date: '2031-12-01' }
  return String(
    (await parent.call('POST', '/api/v1/schedules', { student_id: student, tutor_id: tutor, ...plan })).body
      .id,
  )
}

const remind = () => server.runTask('remind')
/** The reminders to an address, oldest first, once all that may be sent now are. */
async function remindersTo(email: string): Promise<{ subject: string; text: string; html: string }[]> {
  await server.allJobsDone()
  const mails = await readMailbox(join(server.dataDir, 'mailbox'), email)
  return mails.filter(({ subject }) => /take place|Tomorrow/.test(subject)).reverse()
}
async function lastToken(email: string): Promise<string> {
  const mails = await remindersTo(email)
  return /\/classes#(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}
const open = async (token: string) => server.aStranger().call('POST', '/api/questions/open', { token })
const states = async (token: string) =>
  ((await open(token)).body.classes as unknown as AskedClass[]).map(
    ({ status, outcome }) => outcome ?? status,
  )
const say = async (token: string, schedule_id: string, date: string, outcome: ClassOutcome | null = null) => {
  const { status, body } = await server
    .aStranger()
    .call('POST', '/api/questions/answer', { token, schedule_id, date, outcome })
  return status === 200 ? body.status : `${status} ${String(body.code)}`
}
/** What's logged of a workspace, without HTTP, because a login ends long before the clock's next day. */
const sessionsOf = async ({ member }: Caller) =>
  server.db.readAsMember(member, (tx) =>
    tx
      .selectFrom('sessions')
      .select(['day', 'schedule_id'])
      .where('workspace_id', '=', member.workspaceId)
      .execute(),
  )

test('a class that ended is asked about once, with a link that answers once and logs what the app would', async () => {
  const { parent, schedule } = await aFamily()
  setClock('2031-12-04T21:29')
  await remind()
  assert.deepEqual(await remindersTo(parent.email), [], 'the class isn’t over')
  setClock('2031-12-04T21:30')
  await remind()
  await remind()
  const [mail, ...more] = await remindersTo(parent.email)
  assert.equal(more.length, 0)
  assert.equal(mail?.subject, 'Did this class take place?')
  assert.match(mail?.text ?? '', /Maya with Ingrid: Thu, Dec 4, 3:00 PM \(1\.5 h\)/)
  const token = await lastToken(parent.email)
  for (let times = 0; times < 2; times++) assert.deepEqual(await states(token), ['planned'])
  assert.deepEqual(await sessionsOf(parent), [], 'opening the page answers nothing')
  assert.equal(await say(token, schedule, '2031-12-04'), 'logged')
  assert.equal(await say(token, schedule, '2031-12-04', 'no_show'), '409 already_answered')
  assert.deepEqual(await states(token), ['logged'])
  assert.deepEqual(await sessionsOf(parent), [{ day: '2031-12-04', schedule_id: schedule }])
})

test('a class elsewhere is asked about when it ends there, with both hours, and told of on the eve of the reader’s day', async () => {
  const { parent, schedule, student, tutor } = await aFamily()
  await parent.call('DELETE', `/api/v1/schedules/${schedule}`)
  const plan = {
    day_of_week: 2,
    start_time: '06:00',
    duration: 1.5,
    frequency: 'weekly',
    start_date: '2031-12-08',
  }
  await parent.call('POST', '/api/v1/schedules', {
    student_id: student,
    tutor_id: tutor,
    ...plan,
    time_zone: 'Asia/Tokyo',
  })
  await parent.call('PATCH', '/api/v1/notices', { classes_tomorrow: true })
  // Tuesday at 6:00 AM in Tokyo is Monday at 4:00 PM in New York.
  setClock('2031-12-07T23:30')
  await remind()
  assert.equal((await remindersTo(parent.email)).length, 1)
  setClock('2031-12-08T22:29')
  await remind()
  const words = /Maya with Ingrid: Tue, Dec 9, 6:00 AM, Mon 4:00 PM for you \(1\.5 h\)/
  const [eve, ...early] = await remindersTo(parent.email)
  assert.equal(eve?.subject, 'Tomorrow’s class')
  assert.match(eve.text, words)
  assert.equal(early.length, 0, 'the class isn’t over')
  setClock('2031-12-08T22:30')
  await remind()
  const [, asked] = await remindersTo(parent.email)
  assert.equal(asked?.subject, 'Did this class take place?')
  assert.match(asked.text, words)
})

test('a class that someone answered for in the meantime is asked about no more, neither in the email nor on its page', async () => {
  const { parent, schedule, student, tutor } = await aFamily()
  const evening = await schedules({ parent, student, tutor }, 4, '17:00')
  // The jobs also run by the machine's clock, so the class is logged before it's over.
  setClock('2031-12-04T21:29')
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  assert.equal(
    (await parent.call('POST', `/api/v1/schedules/${schedule}/log`, { date: '2031-12-04' })).status,
    201,
  )
  // Both ended when the jobs were down.
  setClock('2031-12-04T23:40')
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  await remind()
  const [mail] = await remindersTo(parent.email)
  assert.match(mail?.text ?? '', /5:00 PM/)
  assert.doesNotMatch(mail?.text ?? '', /3:00 PM/)
  const token = await lastToken(parent.email)
  await parent.call('PUT', `/api/v1/schedules/${evening}/occurrence`, {
    date: '2031-12-04',
    status: 'canceled',
    outcome: 'canceled_in_time',
  })
  assert.deepEqual(await states(token), ['canceled_in_time'])
  assert.equal(await say(token, evening, '2031-12-04'), '409 already_answered')
  assert.equal((await sessionsOf(parent)).length, 1)
})

test('answered by email and in the app at once, a class is logged once', async () => {
  const { parent, schedule } = await aFamily()
  setClock('2031-12-04T21:30')
  await remind()
  const token = await lastToken(parent.email)
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  await Promise.all([
    say(token, schedule, '2031-12-04'),
    say(token, schedule, '2031-12-04'),
    parent.call('POST', `/api/v1/schedules/${schedule}/log`, { date: '2031-12-04' }),
    parent.call('POST', `/api/v1/schedules/${schedule}/log`, { date: '2031-12-04' }),
  ])
  assert.equal((await sessionsOf(parent)).length, 1)
  assert.deepEqual(await states(token), ['logged'])
})

test('a changed, strange or expired link, a class of another email and one that is gone change nothing', async () => {
  const { parent, schedule, student, tutor } = await aFamily()
  const [other, theirs] = [await aFamily(), await schedules({ parent, student, tutor }, 5, '15:00')]
  setClock('2031-12-04T21:30')
  await remind()
  const token = await lastToken(parent.email)
  const changed = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  assert.equal(await say(changed, schedule, '2031-12-04'), '404 link_gone')
  assert.equal(await say(token, other.schedule, '2031-12-04'), '404 link_gone')
  assert.equal(await say(token, schedule, '2031-12-11'), '404 link_gone')
  assert.equal(await say(token, theirs, '2031-12-05'), '404 link_gone')
  assert.equal((await open(changed)).status, 404)
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  const ended = await parent.call('PATCH', `/api/v1/schedules/${schedule}`, { end_date: '2031-12-02' })
  assert.equal(ended.status, 200)
  assert.deepEqual(await states(token), [])
  assert.equal(await say(token, schedule, '2031-12-04'), '409 no_such_class')
  assert.deepEqual(await sessionsOf(parent), [])
  const late = await lastToken(other.parent.email)
  setClock('2031-12-18T21:29')
  assert.deepEqual(await states(late), ['planned'])
  setClock('2031-12-18T21:31')
  assert.equal(await say(late, other.schedule, '2031-12-04'), '404 link_gone')
  assert.deepEqual(await sessionsOf(other.parent), [])
})

test('whoever may not answer isn’t asked: viewers, and limited members about other students', async () => {
  const family = await aFamily()
  const { parent, tutor } = family
  const ben = String((await parent.call('POST', '/api/v1/students', { name: 'Ben' })).body.id)
  const viewer = await aMember(server, parent, 'viewer')
  const helper = await aMember(server, parent, 'caregiver', [ben])
  const benSchedule = await schedules({ parent, student: ben, tutor }, 4, '15:30')
  setClock('2031-12-04T22:00')
  await remind()
  assert.deepEqual(await remindersTo(viewer.email), [])
  assert.match((await remindersTo(parent.email))[0]?.subject ?? '', /these 2 classes/)
  const [mail] = await remindersTo(helper.email)
  assert.match(mail?.text ?? '', /Ben with Ingrid/)
  assert.doesNotMatch(mail?.text ?? '', /Maya/)
  const token = await lastToken(helper.email)
  assert.equal(await say(token, family.schedule, '2031-12-04'), '404 link_gone')
  assert.equal(await say(token, benSchedule, '2031-12-04', 'no_show'), 'canceled')
  // One answer ends the question for everyone.
  assert.deepEqual(await states(await lastToken(parent.email)), ['planned', 'no_show'])
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  await parent.call('DELETE', `/api/v1/members/${helper.id}`)
  assert.equal((await open(token)).status, 404, 'no longer a member')
})

test('a class moved to a later day is asked about then', async () => {
  const { parent, schedule } = await aFamily()
  setClock('2031-12-04T15:00')
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  await parent.call('PUT', `/api/v1/schedules/${schedule}/occurrence`, {
    date: '2031-12-04',
    status: 'moved',
    moved_to: '2031-12-06',
    start_time: '10:00',
  })
  setClock('2031-12-05T15:00')
  await remind()
  assert.deepEqual(await remindersTo(parent.email), [])
  setClock('2031-12-06T16:30')
  await remind()
  assert.match((await remindersTo(parent.email))[0]?.text ?? '', /Sat, Dec 6, 10:00 AM/)
  assert.equal(await say(await lastToken(parent.email), schedule, '2031-12-04'), 'logged')
  assert.deepEqual(await sessionsOf(parent), [{ day: '2031-12-06', schedule_id: schedule }])
})

test('P9: one click in the email turns off the questions, and the settings turn on tomorrow’s classes', async () => {
  const { parent } = await aFamily()
  const choose = (input: object) => parent.call('PATCH', '/api/v1/notices', input)
  assert.equal((await choose({ classes_tomorrow: true })).body.classes_tomorrow, true)
  setClock('2031-12-03T22:59')
  await remind()
  assert.deepEqual(await remindersTo(parent.email), [])
  setClock('2031-12-03T23:00')
  await remind()
  await remind()
  const [mail, ...more] = await remindersTo(parent.email)
  assert.equal(mail?.subject, 'Tomorrow’s class')
  assert.match(mail?.text ?? '', /On Thursday, December 4:\n\nMaya with Ingrid: Thu, Dec 4, 3:00 PM/)
  assert.equal(more.length, 0)
  setClock('2031-12-04T21:30')
  await remind()
  const [, question] = await remindersTo(parent.email)
  const end = /unsubscribe\?token=(\S+)/.exec(question?.text ?? '')?.[1] ?? ''
  await server.aStranger().call('POST', `/unsubscribe?token=${end}`, 'List-Unsubscribe=One-Click', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  const { class_questions, classes_tomorrow, daily_digest, delivered_at } = (
    await parent.call('GET', '/api/v1/notices')
  ).body
  assert.deepEqual(
    [class_questions, classes_tomorrow, daily_digest, delivered_at],
    [false, true, true, '2031-12-04T21:30:00.000Z'],
  )
  setClock('2031-12-11T21:30')
  await remind()
  assert.equal((await remindersTo(parent.email)).length, 2)
})

/**
 * Signs a person in again and turns messages on in their browser. Done before a class is over, because the server's own
 * jobs may run at any moment after that.
 */
async function subscribes(person: Caller, shows_names = false): Promise<void> {
  await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
  assert.equal((await person.call('PUT', '/api/v1/push', service.subscribe())).status, 200)
  await person.call('PATCH', '/api/v1/push', { shows_names })
}
/** What devices got, oldest first, once all that may be sent now is. */
async function messages() {
  await server.allJobsDone()
  return service.messages.map(({ message: { notification, app_badge } }) => ({
    ...notification,
    app_badge,
    token: new URL(notification.navigate).hash.slice(1),
  }))
}

test('a device is asked instead of by email, without names, and Yes on it logs the session once', async () => {
  const { parent, schedule } = await aFamily()
  setClock('2031-12-04T15:00')
  await subscribes(parent)
  service.messages = []
  setClock('2031-12-04T21:30')
  await remind()
  await remind()
  const [message, ...more] = await messages()
  assert.equal(more.length, 0)
  assert.deepEqual(await remindersTo(parent.email), [], 'never both')
  assert.deepEqual(
    [message?.title, message?.body, message?.actions?.map(({ title }) => title), message?.app_badge],
    ['Did this class take place?', 'Thu, Dec 4, 3:00 PM (1.5 h)', ['Yes', 'No'], 1],
  )
  assert.match(message?.navigate ?? '', /\/classes#\S+$/)
  // It's 4:30 PM; a message that arrives after 9 PM would wake somebody.
  assert.equal(service.asked.at(-1)?.ttl, 4.5 * 3600)
  const [yes, no] = message?.data.answers ?? []
  assert.equal(no, null, 'No opens the page, which asks how it ended')
  const tap = async () => (await server.aStranger().call('POST', yes?.path ?? '', yes?.input)).body
  assert.deepEqual(await states(message?.token ?? ''), ['planned'])
  assert.equal((await tap()).status, 'logged')
  const again = await tap()
  assert.deepEqual([again.code, again.title], ['already_answered', 'This class was already answered.'])
  assert.deepEqual(await sessionsOf(parent), [{ day: '2031-12-04', schedule_id: schedule }])
  assert.deepEqual(await states(message?.token ?? ''), ['logged'])
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  const { delivered_at } = (await parent.call('GET', '/api/v1/notices')).body
  assert.equal(delivered_at, '2031-12-04T21:30:00.000Z')
})

test('how a class ended, said on the page of a message, ends the question on every device', async () => {
  const { parent, student, schedule } = await aFamily()
  const helper = await aMember(server, parent, 'caregiver', [student])
  setClock('2031-12-04T15:00')
  await subscribes(parent)
  await subscribes(helper, true)
  service.messages = []
  setClock('2031-12-04T21:30')
  await remind()
  const found = await messages()
  const theirs = found.find(({ body }) => body === 'Maya with Ingrid: Thu, Dec 4, 3:00 PM (1.5 h)')
  const mine = found.find((one) => one !== theirs)
  assert.equal(await say(mine?.token ?? '', schedule, '2031-12-04', 'no_show'), 'canceled')
  const [yes] = theirs?.data.answers ?? []
  const late = await server.aStranger().call('POST', yes?.path ?? '', yes?.input)
  assert.equal(late.body.code, 'already_answered', 'one answer ends it for everyone')
  assert.deepEqual(await sessionsOf(parent), [])
})

test('several classes are one message that opens the page, and the next one is an hour later', async () => {
  const family = await aFamily()
  await schedules(family, 4, '15:30')
  await schedules(family, 4, '16:00')
  setClock('2031-12-04T21:29')
  await subscribes(family.parent, true)
  service.messages = []
  setClock('2031-12-04T22:05')
  await remind()
  const [first, ...more] = await messages()
  assert.deepEqual(
    [first?.title, first?.actions, more.length],
    ['Did these 2 classes take place?', undefined, 0],
  )
  assert.equal(first?.body.split('\n').length, 2)
  assert.deepEqual(await states(first?.token ?? ''), ['planned', 'planned'])
  setClock('2031-12-04T22:35')
  await remind()
  assert.equal((await messages()).length, 1)
  setClock('2031-12-04T23:05')
  await remind()
  const [, second] = await messages()
  assert.deepEqual([second?.actions?.length, second?.app_badge], [2, 3])
  assert.notEqual(second?.tag, first?.tag)
})

test('a message that is late waits for the morning, and one about tomorrow speaks of today then', async () => {
  const { parent } = await aFamily()
  await parent.call('PATCH', '/api/v1/notices', { classes_tomorrow: true })
  setClock('2031-12-04T02:00')
  await subscribes(parent)
  service.messages = []
  const about = { userId: parent.id, kind: 'classes_tomorrow', data: { day: '2031-12-04' } }
  await server.db.asSystem((tx) => remindAccount(tx, about, server.clock.now))
  const heldUntil = async () =>
    (await server.db.asSystem(waitingWork)).jobs.map(({ runAt }) => runAt.toISOString()).join()
  while ((await heldUntil()) !== '2031-12-04T13:00:00.000Z')
    await new Promise((resolve) => setTimeout(resolve, 25))
  assert.deepEqual(service.messages, [])
  setClock('2031-12-04T13:00')
  await server.db.asSystem((tx) =>
    sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`.execute(
      tx,
    ),
  )
  const [message] = await messages()
  assert.deepEqual([message?.title, message?.body], ['Today’s class', 'Thu, Dec 4, 3:00 PM (1.5 h)'])
  assert.deepEqual(await remindersTo(parent.email), [])
})

test('a device that is gone is not asked, and the email comes once, in the same hour', async () => {
  for (const status of [410, 403]) {
    const { parent, schedule } = await aFamily()
    setClock('2031-12-04T21:29')
    await subscribes(parent)
    service.messages = []
    // Others whose class is over are asked in the same run.
    service.answers = Array<number>(20).fill(status)
    setClock('2031-12-04T21:30')
    await remind()
    await remind()
    const [mail, ...more] = await remindersTo(parent.email)
    assert.deepEqual([service.messages, mail?.subject, more.length], [[], 'Did this class take place?', 0])
    assert.equal(await say(await lastToken(parent.email), schedule, '2031-12-04'), 'logged')
  }
  service.answers = []
})

test('what was answered before the message goes out, or is no longer wanted, is not asked', async () => {
  const { parent, schedule } = await aFamily()
  setClock('2031-12-04T21:29')
  await subscribes(parent)
  service.messages = []
  await parent.call('PATCH', '/api/v1/notices', { class_questions: false })
  setClock('2031-12-04T21:30')
  await remind()
  await parent.call('PATCH', '/api/v1/notices', { class_questions: true })
  await parent.call('POST', `/api/v1/schedules/${schedule}/log`, { date: '2031-12-04' })
  await remind()
  assert.deepEqual([await messages(), await remindersTo(parent.email)], [[], []])
})
