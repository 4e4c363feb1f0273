// What the daily email says about a shared schedule.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair, idOf } from '#main/testing/two-sides.server.ts'
import { emailJobs } from './jobs.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

const daily = async () => emailJobs(server.db, () => server.clock.now)['morning_digest']?.()

test('a move and a changed rule wait in the other side’s email, nobody is told of their own, and a reminder follows', async () => {
  const { family, practice, child, tutor } = await aPair(server)
  await practice.call('PATCH', '/api/v1/me', { time_zone: 'America/New_York' })
  await family.call('PATCH', '/api/v1/me', { time_zone: 'America/Chicago' })
  const made = await family.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 4,
    start_time: '16:00',
    duration: 1,
    start_date: '2026-11-05',
    hourly_rate: 50,
    time_zone: 'America/New_York',
  })
  assert.equal(made.status, 201)
  const path = `/api/v1/schedules/${idOf(made)}`
  const move = { date: '2026-12-10', status: 'moved', moved_to: '2026-12-11', start_time: '17:00' }
  await practice.call('PUT', `${path}/occurrence`, move)
  await practice.call('PATCH', path, { day_of_week: 5, start_time: '15:00' })
  // What came since the morning waits for the next one.
  const tomorrow = new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T16:00:00Z`)
  server.clock.now = tomorrow
  await daily()
  const mail = await server.mailTo(family.email, 'proposes changes of your classes')
  assert.match(
    mail.text,
    /For the class on Thu, Dec 10, .* proposes Fri, Dec 11 at 5:00 PM, 4:00 PM for you\. It stays as it is until you agree\./,
  )
  server.clock.now = new Date(tomorrow.getTime() + 4 * 86_400_000)
  await daily()
  const reminder = await server.mailTo(family.email, 'Reminder: ')
  assert.match(
    reminder.text,
    / proposes a change of your classes on Thursdays at 4:00 PM, 3:00 PM for you: Fridays at 3:00 PM, 2:00 PM for you\. /,
  )
  assert.match(reminder.text, /For the class on Thu, Dec 10, /)
  const sent = await server.db.asSystem((tx) =>
    tx.selectFrom('outbox').select('user_id').where('kind', '=', 'waiting_sessions').execute(),
  )
  assert.deepEqual(
    new Set(sent.map(({ user_id: id }) => id)),
    new Set([family.id]),
    'the tutor waits, too, but asks',
  )
})

test('a break is told once, in one line, and one that was taken back before the morning isn’t told', async () => {
  const { family, practice, child, tutor, email } = await aPair(server)
  server.clock.now = new Date('2026-11-20T18:00:00Z')
  for (const [who, zone] of [
    [family, 'America/Chicago'],
    [practice, 'America/New_York'],
  ] as const)
    await who.call('PATCH', '/api/v1/me', { time_zone: zone })
  const made = await family.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 4,
    start_time: '16:00',
    duration: 1,
    start_date: '2026-11-05',
  })
  const list = (outcome: string | null, was: string | null, days = ['2026-12-24', '2026-12-31']) => ({
    classes: days.map((date) => ({ schedule_id: idOf(made), date, outcome, was })),
  })
  const end = async (who: typeof family, input: object) =>
    assert.equal((await who.call('POST', '/api/v1/occurrences/end', input)).status, 201)
  const canceledTo = async () =>
    (
      await server.db.asSystem((tx) =>
        tx
          .selectFrom('outbox')
          .select('user_id')
          .where('kind', '=', 'waiting_sessions')
          .where('user_id', 'in', [family.id, practice.id])
          .execute(),
      )
    ).map(({ user_id: id }) => (id === family.id ? 'family' : 'practice'))
  await end(practice, list('canceled_by_tutor', null))
  await end(practice, list(null, 'canceled_by_tutor'))
  server.clock.now = new Date('2026-11-21T16:00:00Z')
  await daily()
  assert.deepEqual(await canceledTo(), [])

  await end(family, list('canceled_in_time', null))
  await daily()
  assert.deepEqual(await canceledTo(), [], 'what came since the morning waits for the next one')
  for (const day of ['22', '23', '24']) {
    server.clock.now = new Date(`2026-11-${day}T16:00:00Z`)
    await daily()
  }
  assert.deepEqual(await canceledTo(), ['practice'], 'once, and not to whoever canceled')
  const mail = await server.mailTo(email, 'canceled 2 classes')
  assert.match(mail.text, / canceled 2 classes from Thu, Dec 24 to Thu, Dec 31 \(\w+\)\./)
  assert.match(mail.text, /See the schedule:\s+\S*\/schedules\?view=month/)
  assert.doesNotMatch(mail.text, /Nothing is confirmed/)
})
