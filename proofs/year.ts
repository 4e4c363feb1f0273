// A year of families and tutors who often forget, pay late and fall ill, on the real server and database with a faked clock.
// It measures whether months are closed without anyone having to chase: `npm run prove [-- --families 20 --months 3]`.
// With --no-daily, everyone turns the daily email off. The families are played in several processes at once, each with its own
// database, and what they measured is added up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDb } from '#features/access/db.server.ts'
import { feeJobs } from '#features/charges/jobs.server.ts'
import { emailJobs } from '#features/emails/jobs.server.ts'
import { emailWriters, newsAlong } from '#features/emails/mail.server.ts'
import { deliverMail } from '#features/reminders/commands.server.ts'
import { reminderJobs } from '#features/reminders/jobs.server.ts'
import { reminderWriters } from '#features/reminders/mail.server.ts'
import { regionOfMail } from '#features/workspaces/queries.server.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { readConfig } from '#platform/config.server.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { sendQueuedMail } from '#platform/mail/send-mail.server.ts'
import { clockOf } from '#platform/zoned-time.server.ts'
import { buildServer } from '#main/services.server.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { fakeClock } from './faked-clock.ts'
import { Behavior, seeded } from './year-behavior.ts'
import { type Message, Measures } from './year-measures.ts'
import { HOME_ZONE, LONG_TRIAL, setUp } from './year-people.ts'

const { values } = parseArgs({
  options: {
    families: { type: 'string', default: '200' },
    months: { type: 'string', default: '12' },
    'no-daily': { type: 'boolean' },
    parts: { type: 'string', default: '2' },
    // Of one part: what its chances begin with, and where it writes what it measured.
    seed: { type: 'string', default: '2031' },
    to: { type: 'string' },
  },
})
const MONTHS = Number(values.months)
const FIRST_MONTH = '2031-01'
const TICK_MS = 3_600_000
/** Months are looked at this many days after their end. */
const CLOSED_WITHIN_DAYS = 7
if (!values.to) process.exit((await playParts()) ? 1 : 0)

const IGNORED = { note: () => undefined, end: async () => undefined, stop: () => undefined }

const random = seeded(Number(values.seed))
const place = scratchFolder()
const started = Date.now()
const { families, people } = await setUp(place, Number(values.families), random)
console.log(`Seed ${values.seed}: ${families.length} families are set up after ${seconds()} s`)

const dataDir = join(place, 'data')
const embedded = await startEmbeddedDatabase({ dataDir, log: () => undefined })
const urls = await migrate(embedded.superuserUrl)
const db = openDb(urls)
const superuser = new pg.Client({ connectionString: embedded.superuserUrl })
await superuser.connect()
// Everyone stays signed in: a year of passwords would take longer than all else, and proves nothing here.
await superuser.query("update logins set active_until = '2099-01-01', ends_at = '2099-01-01'")
// Nothing has to outlive the run.
for (const setting of ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'jit = off'])
  await superuser.query(`alter system set ${setting}`)
await superuser.query('select pg_reload_conf()')
const clock = await fakeClock(embedded.superuserUrl, new Date(`${FIRST_MONTH}-01T05:00:00Z`))
const { now } = clock
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...LONG_TRIAL })
const app = buildServer(config, db, now)
await app.ready()

const measures = new Measures(people)
const behavior = new Behavior(app, { families, people, random, now, note: (what) => measures.note(what) })
if (values['no-daily']) await behavior.turnOffDailyEmail()
const writers = {
  ...emailWriters({ baseUrl: config.baseUrl, now }),
  ...reminderWriters({ db, baseUrl: config.baseUrl, now, newsAlong: newsAlong(config) }),
}
const jobs = { ...emailJobs(db, now), ...feeJobs(db, now), ...reminderJobs(db, now) }
const deliver = deliverMail(
  db,
  async (id, mail) => {
    const { rows } = await superuser.query<{ kind: string }>(
      `select case when data ? 'is_reminder' then 'reminder' when data ? 'is_urgent' then 'canceled_class' else kind end as kind
        from outbox where id = $1`,
      [id],
    )
    const kind = rows[0]?.kind ?? ''
    const message: Message = { at: now(), to: mail.to, kind, subject: mail.subject, text: mail.text }
    measures.take(message)
    behavior.receive(message)
  },
  now,
)

const end = clockOf(HOME_ZONE).instantOf(
  addDays(`${addMonths(FIRST_MONTH, MONTHS)}-01` as CalendarDay, CLOSED_WITHIN_DAYS + 1),
  '00:00',
)
let looked = FIRST_MONTH
// Ctrl-C ends the year early, with the figures so far.
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
})
for (let at = now().getTime(); at < end.getTime() && !isStopped; at += TICK_MS) {
  await clock.set(new Date(at))
  await behavior.actUntil(new Date(at))
  await runJobs(new Date(at))
  await sendAll()
  const month = addMonths(looked, 1)
  if (
    at >=
    clockOf(HOME_ZONE)
      .instantOf(addDays(`${month}-01` as CalendarDay, CLOSED_WITHIN_DAYS), '00:00')
      .getTime()
  ) {
    for (const family of families) measures.look(looked, await behavior.monthOf(family, looked))
    console.log(`Seed ${values.seed}: ${looked} after ${seconds()} s: ${measures.inShort(looked)}`)
    looked = month
    writeFileSync(values.to, measures.asJson())
  }
}

await app.close()
await clock.close()
await superuser.end()
await db.close()
await embedded.stop()
removeScratch(place)
writeFileSync(values.to, measures.asJson())
process.exit()

/** Plays the parts at once, and prints the sum of what they measured. Returns whether any figure falls short. */
async function playParts(): Promise<boolean> {
  const folder = scratchFolder()
  const count = Number(values.parts)
  const files = await Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const file = join(folder, `${nth}.json`)
      const own = [
        '--families',
        String(Math.ceil(Number(values.families) / count)),
        '--months',
        values.months,
      ]
      const part = spawn(
        process.execPath,
        [
          import.meta.filename,
          ...own,
          ...(values['no-daily'] ? ['--no-daily'] : []),
          '--seed',
          String(2031 + nth),
          '--to',
          file,
        ],
        { stdio: 'inherit' },
      )
      const [code] = (await once(part, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`part ${nth} ended with ${String(code)}`)
      return file
    }),
  )
  const sum = Measures.of(files.map((file) => readFileSync(file, 'utf8')))
  removeScratch(folder)
  return sum.print()
}

/** The recurring jobs that are due in this hour, as their schedules say. */
async function runJobs(at: Date): Promise<void> {
  const [day, hour] = [at.getUTCDate(), at.getUTCHours()]
  await jobs.remind?.()
  await jobs.tell_canceled?.()
  // At other hours, it's nobody's morning, and it would find nothing.
  if (hour >= 13 && hour <= 17) await jobs.morning_digest?.()
  if (hour === 13) await jobs.daily_digest?.()
  if (hour === 5) await jobs.propose_fees?.()
  if (day === 1 && hour === 14) await jobs.month_ready?.()
  if (hour === 4) await jobs.forget_questions?.()
}

/** Sends what's in the outbox. What is held waits until its time, as in the queue. */
async function sendAll(): Promise<void> {
  const { rows } = await superuser.query<{ id: string }>(
    `select o.id from outbox o join graphile_worker._private_jobs j on j.key = 'mail:' || o.id
      where o.sent_at is null and j.run_at <= now() order by o.created_at`,
  )
  for (const { id } of rows)
    await sendQueuedMail(db, { writers, regionOf: regionOfMail }, deliver, id, now, IGNORED)
}

function seconds(): number {
  return Math.round((Date.now() - started) / 1000)
}
