// Reminders of money that's due, by the jobs of a real server: whom they reach, what they say, and what ends them.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { PushService } from '#main/testing/push-service.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair, idOf } from '#main/testing/two-sides.server.ts'

let service: PushService
let server: TestServer
let superuser: pg.Client
before(async () => {
  service = await new PushService().listen()
  server = await startTestServer({ PUSH_HOSTS: service.origin })
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
  await service.stop()
})

/** Noon in New York, or another hour of UTC. */
const on = (day: string, time = '17:00') => (server.clock.now = new Date(`${day}T${time}:00Z`))
/** A login has ended long before the clock's next day. */
const signIn = (who: Caller) =>
  who.call('POST', '/api/auth/sign-in', { email: who.email, password: PASSWORD })
const remind = () => server.runTask('remind')
const mailsTo = async ({ email }: Caller) => {
  await server.allJobsDone()
  return (await readMailbox(join(server.dataDir, 'mailbox'), email)).filter(
    ({ subject }) => subject === 'Money is due',
  )
}

/** A pair in New York with a lesson in October and, unless told otherwise, money due on Nov 5. */
async function owing({ isAgreed = true, rules = { due_day: 5 } as object } = {}) {
  on('2026-11-02')
  const pair = await aPair(server)
  for (const one of [pair.family, pair.practice])
    await one.call('PATCH', '/api/v1/me', { time_zone: 'America/New_York' })
  await pair.log({ date: '2026-10-06' })
  const terms = idOf(await pair.practice.call('POST', '/api/v1/terms', { student_id: pair.student, rules }))
  if (isAgreed) await pair.family.call('POST', `/api/v1/terms/${terms}/confirm`, {})
  if (isAgreed) await superuser.query("update terms set applies_from = '2026-10-01' where id = $1", [terms])
  return pair
}

test('the family is reminded once, in plain words, and can turn it off with one tap', async () => {
  const { family, practice } = await owing()
  on('2026-11-04')
  await remind()
  assert.equal((await mailsTo(family)).length, 0)
  on('2026-11-05', '13:00')
  for (let times = 0; times < 3; times++) await remind()
  await server.allJobsDone()
  on('2026-11-05', '13:30')
  await remind()
  const [mail, ...more] = await mailsTo(family)
  assert.equal(more.length, 0)
  assert.match(mail?.text ?? '', /^Ingrid: \$67\.50 due Nov 5$/m)
  assert.match(mail?.text ?? '', /\/payments\?with=/)
  assert.equal((await mailsTo(practice)).length, 0)
  const end = /\/unsubscribe\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  assert.equal((await server.aStranger().call('POST', end, {})).status, 200)
  on('2026-11-12')
  await remind()
  assert.equal((await mailsTo(family)).length, 1)
})

test('what either side says was paid ends it', async () => {
  const paid = await owing()
  const received = await owing()
  on('2026-11-05')
  await remind()
  for (const { family } of [paid, received]) assert.equal((await mailsTo(family)).length, 1)
  for (const one of [paid.family, received.practice]) await signIn(one)
  idOf(
    await paid.family.call('POST', '/api/v1/payments', {
      tutor_id: paid.tutor,
      date: '2026-11-05',
      amount: 67.5,
    }),
  )
  const facts = { student_id: received.student, date: '2026-11-05', amount: 67.5 }
  idOf(await received.practice.call('POST', '/api/v1/payments', facts))
  for (const day of ['2026-11-12', '2026-11-19']) {
    on(day)
    await remind()
    for (const { family } of [paid, received]) assert.equal((await mailsTo(family)).length, 1)
  }
})

test('a part that was paid leaves the rest, which is reminded of after a week', async () => {
  const { family, tutor } = await owing()
  on('2026-11-05')
  await signIn(family)
  idOf(await family.call('POST', '/api/v1/payments', { tutor_id: tutor, date: '2026-11-05', amount: 60 }))
  on('2026-11-12')
  await remind()
  assert.match((await mailsTo(family))[0]?.text ?? '', /^Ingrid: \$7\.50 due since Nov 5$/m)
})

test('whoever had four messages this month is told once that money is due, and not reminded again', async () => {
  const { family } = await owing()
  const hadFour = () =>
    superuser.query(
      "update reminder_clocks set told_month = '2026-11', told_count = 4 where account_id = $1",
      [family.id],
    )
  await remind()
  await hadFour()
  on('2026-11-05')
  await remind()
  assert.equal((await mailsTo(family)).length, 1)
  const { rows } = await superuser.query<{ told_count: number }>(
    'select told_count from reminder_clocks where account_id = $1',
    [family.id],
  )
  assert.deepEqual(rows, [{ told_count: 5 }])
  on('2026-11-12')
  await remind()
  assert.equal((await mailsTo(family)).length, 1)
})

test('without agreed terms, a due day or a connection, nothing is sent', async () => {
  const waiting = await owing({ isAgreed: false })
  const without = await owing({ rules: { is_illness_free: true } })
  const ended = await owing()
  await ended.family.call('DELETE', `/api/v1/connections/${ended.connection}`, {})
  for (const day of ['2026-11-05', '2026-11-12']) {
    on(day)
    await remind()
    for (const { family } of [waiting, without, ended]) assert.deepEqual(await mailsTo(family), [])
  }
})

test('members who see amounts are reminded, and a caregiver and someone who sees only some students aren’t', async () => {
  const { family, child } = await owing()
  const parent = await aMember(server, family, 'parent')
  const caregiver = await aMember(server, family, 'caregiver', [child])
  on('2026-11-05', '20:00')
  await remind()
  assert.equal((await mailsTo(parent)).length, 1)
  assert.equal((await mailsTo(family)).length, 1)
  assert.deepEqual(await mailsTo(caregiver), [])
})

test('a device gets it instead of an email, without names unless allowed, and Turn off on it turns it off', async () => {
  const { family, connection } = await owing()
  on('2026-11-05')
  await signIn(family)
  assert.equal((await family.call('PUT', '/api/v1/push', service.subscribe())).status, 200)
  const received = async () => {
    await server.allJobsDone()
    return service.messages.map(({ message }) => message.notification)
  }
  service.messages = []
  await remind()
  const [message, ...more] = await received()
  assert.equal(more.length, 0)
  assert.deepEqual(await mailsTo(family), [])
  assert.deepEqual([message?.title, message?.body], ['Money is due', '$67.50 due Nov 5'])
  assert.equal(new URL(message?.navigate ?? '').search, `?with=${connection}`)
  await family.call('PATCH', '/api/v1/push', { shows_names: true })
  service.messages = []
  on('2026-11-12')
  await remind()
  const [named] = await received()
  assert.equal(named?.body, 'Ingrid: $67.50 due since Nov 5')
  const [off] = named?.data.answers ?? []
  assert.equal((await server.aStranger().call('POST', off?.path ?? '', off?.input)).status, 200)
  service.messages = []
  on('2026-11-19')
  await remind()
  assert.deepEqual([await received(), await mailsTo(family)], [[], []])
  await signIn(family)
  assert.equal((await family.call('GET', '/api/v1/notices')).body.money_due, false)
})
