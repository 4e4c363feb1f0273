// A year of classes in four zones, with jobs that stop at any moment. The clock is faked, the database is real.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { memberCaller } from '#features/access/admission.server.ts'
import { type CallerDb, openDb, type Principal } from '#features/access/db.server.ts'
import { logOccurrence } from '#features/schedules/class-commands.server.ts'
import { regionOfMail } from '#features/workspaces/queries.server.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import { sendQueuedMail } from '#platform/mail/send-mail.server.ts'
import { clockOf, type ZoneClock } from '#platform/zoned-time.server.ts'
import { startTestServer } from '#main/testing.server.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { classLine } from './class-words.ts'
import { askAfterClasses, lookAtClasses } from './commands.server.ts'
import { reminderWriters } from './mail.server.ts'

/** Far ahead of the database's clock. All four zones change their clocks, on different days. */
const FROM = '2031-01-06' as CalendarDay
const WEEKS = 52
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'America/Los_Angeles']
const SCHEDULES_EACH = 10
const RESTARTS = 50
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const IGNORED = { note: () => undefined, end: async () => undefined, stop: () => undefined }

interface Account {
  email: string
  principal: Required<Principal>
  clock: ZoneClock
}

interface ExpectedClass {
  account: Account
  schedule: string
  day: CalendarDay
  endsAt: Date
  line: string
  /** When someone answers, if anyone does: some at once, some a day later, some never. */
  answersAt: Date | undefined
}

test('in a year with 50 restarts, nobody is reminded at night, twice in an hour, or of what was answered, and no class is lost', async () => {
  const place = scratchFolder()
  const { accounts, classes } = await aYear(place)
  const embedded = await startEmbeddedDatabase({ dataDir: join(place, 'data'), log: () => undefined })
  const db = openDb(await migrate(embedded.superuserUrl))
  try {
    const sent = await play(db, classes)
    for (const { email, clock } of accounts)
      checkTimes(
        sent.filter(({ to }) => to === email),
        clock,
      )
    checkClasses(classes, sent)
    const logged = await db.asSystem((tx) =>
      tx
        .selectFrom('public.sessions' as 'sessions')
        .select('id')
        .execute(),
    )
    assert.equal(
      logged.length,
      classes.filter(({ answersAt }) => answersAt).length,
      'each answer made one session',
    )
  } finally {
    await db.close()
    await embedded.stop()
    removeScratch(place)
  }
})

/** Sets up an account in each zone, with schedules at times that are often the same, and lists their classes. */
async function aYear(place: string): Promise<{ accounts: Account[]; classes: ExpectedClass[] }> {
  const server = await startTestServer({}, place)
  const accounts: Account[] = []
  const classes: ExpectedClass[] = []
  for (const [at, zone] of ZONES.entries()) {
    const parent = await server.aUser()
    await parent.call('PATCH', '/api/v1/me', { time_zone: zone })
    const tutor = (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id
    const account = { email: parent.email, principal: parent.member, clock: clockOf(zone) }
    accounts.push(account)
    for (let nth = 0; nth < SCHEDULES_EACH; nth++) {
      const name = `Child${String.fromCharCode(65 + nth)}`
      const student = (await parent.call('POST', '/api/v1/students', { name })).body.id
      const plan = {
        day_of_week: (nth * 2 + at) % 7,
        start_time: ['02:30', '16:00', '19:45', '15:30', '20:30'][nth % 5] ?? '',
        duration: 1,
        frequency: nth % 3 ? 'bi-weekly' : 'weekly',
      }
      const made = await parent.call('POST', '/api/v1/schedules', {
        student_id: student,
        tutor_id: tutor,
        start_date: FROM,
        ...plan,
      })
      // January 6, 2031 is a Monday.
      const first = addDays(FROM, (plan.day_of_week + 6) % 7)
      for (let week = 0; week < WEEKS; week += nth % 3 ? 2 : 1) {
        const day = addDays(first, week * 7)
        const endsAt = new Date(account.clock.instantOf(day, plan.start_time).getTime() + HOUR_MS)
        // The second account never answers.
        const late = at === 1 ? undefined : [0, 25 * HOUR_MS, undefined][(nth + week) % 3]
        classes.push({
          account,
          schedule: String(made.body.id),
          day,
          endsAt,
          line: classLine(
            { ...plan, date: day, yours: null, student_name: name, tutor_name: 'Ingrid' },
            'parent',
          ),
          answersAt: late === undefined ? undefined : new Date(endsAt.getTime() + late),
        })
      }
    }
  }
  await server.stop()
  return { accounts, classes }
}

interface Sent {
  at: Date
  to: string
  lines: string[]
}

/** Runs the jobs through the year. They're looked at every few minutes whenever something may be due. */
async function play(db: CallerDb, classes: readonly ExpectedClass[]): Promise<Sent[]> {
  const random = seeded()
  const sent: Sent[] = []
  let now = new Date(`${FROM}T00:00:00Z`)
  const end = new Date(`${addDays(FROM, WEEKS * 7 + 20)}T00:00:00Z`)
  const writers = reminderWriters({
    db,
    baseUrl: 'http://localhost',
    now: () => now,
    newsAlong: async () => [],
  })
  const answers = classes
    .filter(({ answersAt }) => answersAt)
    .sort((a, b) => Number(a.answersAt) - Number(b.answersAt))
  const span = end.getTime() - now.getTime()
  const stops = Array.from({ length: RESTARTS }, () => now.getTime() + random() * span).sort((a, b) => a - b)
  let restarts = 0
  const send = async () => {
    for (const { id } of await unsent(db))
      await sendQueuedMail(
        db,
        { writers, regionOf: regionOfMail },
        async (_, mail) => {
          const lines = mail.text.split('\n').filter((line) => line.startsWith('Child'))
          sent.push({ at: now, to: mail.to, lines })
        },
        id,
        () => now,
        IGNORED,
      )
  }
  while (now < end) {
    while (answers[0]?.answersAt && answers[0].answersAt <= now) await answer(db, answers.shift())
    const isStopped = (stops[0] ?? Infinity) <= now.getTime()
    // The jobs stop between two steps, and are down for up to ten hours.
    const steps = [() => lookAtClasses(db, now), () => askAfterClasses(db, now), send]
    for (const step of isStopped ? steps.slice(0, Math.floor(random() * 3)) : steps) await step()
    if (isStopped) {
      stops.shift()
      restarts++
      now = new Date(now.getTime() + random() * 10 * HOUR_MS)
    } else now = await nextTick(db, now, answers[0]?.answersAt)
  }
  assert.equal(restarts, RESTARTS)
  return sent
}

async function answer(db: CallerDb, one: ExpectedClass | undefined): Promise<void> {
  const { account, schedule, day, answersAt } = one as ExpectedClass & { answersAt: Date }
  const given = await db.asMember(account.principal, (tx) =>
    logOccurrence(memberCaller(tx, account.principal.workspace, answersAt), schedule, { date: day }),
  )
  assert.ok(given.ok)
}

const unsent = (db: CallerDb) =>
  db.asSystem((tx) =>
    tx
      .selectFrom('outbox')
      .select('id')
      .where('sent_at', 'is', null)
      .where('kind', '=', 'class_questions')
      .execute(),
  )

/** The next time of the job at which something is due. An answer is given before. */
async function nextTick(db: CallerDb, now: Date, answersAt: Date | undefined): Promise<Date> {
  const due = await db.readAsSystem((tx) =>
    Promise.all([
      tx.selectFrom('class_clocks').select('due_at').orderBy('due_at').limit(1).executeTakeFirst(),
      tx.selectFrom('reminder_clocks').select('due_at').orderBy('due_at').limit(1).executeTakeFirst(),
    ]),
  )
  const moments = [...due.map((row) => Number(row?.due_at ?? Infinity)), Number(answersAt ?? Infinity)]
  if ((await unsent(db)).length > 0) moments.push(now.getTime() + 30 * MINUTE_MS)
  const soonest = Math.max(now.getTime() + 1, Math.min(...moments))
  const tick = 5 * MINUTE_MS
  return new Date(Math.ceil(Math.min(soonest, now.getTime() + 24 * HOUR_MS) / tick) * tick)
}

function checkTimes(sent: readonly Sent[], clock: ZoneClock): void {
  let last = 0
  for (const { at } of sent) {
    const { time } = clock.local(at)
    assert.ok(time >= '08:00' && time < '21:00', `at ${time}`)
    assert.ok(at.getTime() - last >= HOUR_MS, `two within an hour at ${at.toISOString()}`)
    last = at.getTime()
  }
  assert.ok(sent.length > WEEKS / 2)
}

function checkClasses(classes: readonly ExpectedClass[], sent: readonly Sent[]): void {
  const asked = new Map<string, Date[]>()
  for (const { at, to, lines } of sent)
    for (const line of lines) asked.set(`${to} ${line}`, [...(asked.get(`${to} ${line}`) ?? []), at])
  let never = 0
  for (const { account, line, endsAt, answersAt } of classes) {
    const [at, ...again] = asked.get(`${account.email} ${line}`) ?? []
    assert.equal(again.length, 0, `asked twice: ${line}`)
    if (at)
      assert.ok(at >= endsAt && (!answersAt || at < answersAt), `asked too early or after an answer: ${line}`)
    // Who answers within ten hours may have done so while the jobs were down, or at night.
    else assert.ok(answersAt, `lost: ${line}, ended ${endsAt.toISOString()}`)
    if (!at) never++
  }
  assert.ok(never < classes.length / 2)
}

/** Numbers from 0 to 1, the same in each run. */
function seeded(): () => number {
  let state = 20_310_106
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
