// A year of money that's due, in four zones, with jobs that are down now and then. The clock is faked, the database is real.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { type CallerDb, openDb } from '#features/access/db.server.ts'
import { regionOfMail } from '#features/workspaces/queries.server.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { sendQueuedMail } from '#platform/mail/send-mail.server.ts'
import { clockOf } from '#platform/zoned-time.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { agreedTerms, aPair, idOf, type Pair } from '#main/testing/two-sides.server.ts'
import { remindOfMoney } from './commands.server.ts'
import { reminderWriters } from './mail.server.ts'

const day = (text: string) => text as CalendarDay
/** The first month with a lesson, and the months after it in which its money and that of the others is due. */
const LESSONS = Array.from({ length: 9 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}`)
const FROM = day('2026-01-01')
const DAYS = 305
const TICK_MS = 139 * 60_000
const IGNORED = { note: () => undefined, end: async () => undefined, stop: () => undefined }

/** How a family pays: who says so, how many days after the due day, and after how many days it's reminded. */
const FAMILIES = [
  { zone: 'America/New_York', dueDay: 5, pays: { by: 'family', after: 3 }, reminded: [0] },
  { zone: 'Europe/Berlin', dueDay: 1, pays: undefined, reminded: [0, 7, 14] },
  { zone: 'Australia/Sydney', dueDay: 20, pays: { by: 'practice', after: 10 }, reminded: [0, 7] },
  { zone: 'America/Los_Angeles', dueDay: 15, pays: { by: 'family', after: -4 }, reminded: [] },
] as const

const dueIn = (month: string, dueDay: number) =>
  `${addDays(day(`${month}-28`), 7).slice(0, 7)}-${String(dueDay).padStart(2, '0')}` as CalendarDay

test('in a year, each family is reminded on the due day and after 7 and 14, never at night, and never after someone said it was paid', async () => {
  const place = scratchFolder()
  const emails = await aYear(place)
  const embedded = await startEmbeddedDatabase({ dataDir: join(place, 'data'), log: () => undefined })
  const db = openDb(await migrate(embedded.superuserUrl))
  try {
    const sent = await play(db)
    assert.deepEqual(
      [...new Set(sent.map(({ to }) => to))].sort(),
      emails.slice(0, 3).sort(),
      'no tutor, no other',
    )
    for (const [at, { zone, dueDay, reminded }] of FAMILIES.entries()) {
      const own = sent.filter(({ to }) => to === emails[at])
      const clock = clockOf(zone)
      for (const one of own) {
        const { time } = clock.local(one.at)
        assert.ok(time >= '08:00' && time < '21:00', `${zone} at ${time}`)
        assert.match(one.text, /Ingrid: \$[\d,.]+ due /)
      }
      assert.deepEqual(
        own.map((one) => clock.local(one.at).day),
        LESSONS.flatMap((month) => reminded.map((after) => addDays(dueIn(month, dueDay), after)))
          .sort()
          .map((one) => (one === DOWN ? addDays(DOWN, 1) : one)),
        zone,
      )
    }
    const last = sent.findLast(({ to }) => to === emails[1])
    assert.match(last?.text ?? '', /\$67\.50 due since Feb 1, .*\$67\.50 due since Oct 1$/m)
  } finally {
    await db.close()
    await embedded.stop()
    removeScratch(place)
  }
})

/** The jobs are down for this whole day, on which money is due in Berlin; it's made up for on the next. */
const DOWN = day('2026-06-01')

/** Sets up the families, with a lesson a month and what's paid for it. */
async function aYear(place: string): Promise<string[]> {
  const server = await startTestServer({}, place)
  server.clock.now = new Date('2026-11-27T12:00:00Z')
  const superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  const emails: string[] = []
  for (const family of FAMILIES) {
    const pair = await aPair(server)
    await pair.family.call('PATCH', '/api/v1/me', { time_zone: family.zone })
    await pair.practice.call('PATCH', '/api/v1/me', { time_zone: family.zone })
    emails.push(pair.family.email)
    await agreedTerms(superuser, pair, { due_day: family.dueDay }, '2026-01-01')
    for (const month of LESSONS) {
      await pair.log({ date: `${month}-12` })
      if (family.pays) await pay(pair, family.pays, dueIn(month, family.dueDay))
    }
  }
  await noReminders(server)
  await superuser.end()
  await server.stop()
  return emails
}

async function pay(
  pair: Pair,
  { by, after }: { by: string; after: number },
  due: CalendarDay,
): Promise<void> {
  const facts = { date: addDays(due, after), amount: 67.5 }
  idOf(
    by === 'family'
      ? await pair.family.call('POST', '/api/v1/payments', { tutor_id: pair.tutor, ...facts })
      : await pair.practice.call('POST', '/api/v1/payments', { student_id: pair.student, ...facts }),
  )
}

async function noReminders(server: TestServer): Promise<void> {
  await server.db.asSystem((tx) => tx.updateTable('reminder_clocks').set({ looked_on: null }).execute())
}

async function play(db: CallerDb): Promise<{ at: Date; to: string; text: string }[]> {
  const sent: { at: Date; to: string; text: string }[] = []
  let now = new Date(`${FROM}T00:00:00Z`)
  const end = new Date(`${addDays(FROM, DAYS)}T00:00:00Z`)
  const writers = reminderWriters({
    db,
    baseUrl: 'http://localhost',
    now: () => now,
    newsAlong: async () => [],
  })
  for (; now < end; now = new Date(now.getTime() + TICK_MS)) {
    if (clockOf('Europe/Berlin').local(now).day === DOWN) continue
    await remindOfMoney(db, now)
    const queued = await db.readAsSystem((tx) =>
      tx
        .selectFrom('outbox')
        .select('id')
        .where('sent_at', 'is', null)
        .where('kind', '=', 'money_due')
        .execute(),
    )
    for (const { id } of queued)
      await sendQueuedMail(
        db,
        { writers, regionOf: regionOfMail },
        async (_, mail) => void sent.push({ at: now, to: mail.to, text: mail.text }),
        id,
        () => now,
        IGNORED,
      )
  }
  return sent
}
