import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { until } from '#main/testing/process.server.ts'
import { connectionJobs } from '#features/connections/jobs.server.ts'
import { emailJobs } from './jobs.server.ts'
import { byLink } from '#main/testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const run = (job: 'daily_digest' | 'month_ready' | 'forget_unanswered') =>
  ({
    ...emailJobs(server.db, () => server.clock.now),
    ...connectionJobs(server.db, () => server.clock.now),
  })[job]?.()
const queued = async (kind: string) =>
  (await server.db.asSystem((tx) => tx.selectFrom('outbox').select('id').where('kind', '=', kind).execute()))
    .length
const unsent = async () =>
  (
    await server.db.asSystem((tx) =>
      tx.selectFrom('outbox').select('id').where('sent_at', 'is', null).execute(),
    )
  ).length
/** Moves the clock forward, and signs the person in again because their login would have expired. */
async function later(hours: number, person: Caller): Promise<void> {
  server.clock.now = new Date(server.clock.now.getTime() + hours * 3_600_000)
  await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
}

async function aFamily(
  email: string,
): Promise<{ parent: Caller; log: (more?: object) => Promise<string>; token: string; link: string }> {
  server.clock.now = new Date()
  const parent = await server.aUser()
  const student_id = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor_id = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 45 })).body.id,
  )
  const link = String((await parent.call('POST', '/api/v1/connections', { tutor_id })).body.id)
  const token = /\/confirm#(\S+)/.exec((await server.mailTo(email, 'asks you to confirm')).text)?.[1] ?? ''
  const log = async (more: object = {}) =>
    String(
      (
        await parent.call('POST', '/api/v1/sessions', {
          student_id,
          tutor_id,
          date: '2026-11-20',
          duration: 1.5,
          ...more,
        })
      ).body.id,
    )
  return { parent, log, token, link }
}

test('a tutor without an account gets one email a day with its own link, and none if nothing is new', async () => {
  const email = 'digest@example.com'
  const { parent, log, token } = await aFamily(email)
  const first = await log()
  await run('daily_digest')
  assert.equal(await queued('waiting_sessions'), 0, 'nobody is mailed again before the question was answered')
  await byLink(server.aStranger(), token, 'confirm', { sessions: [{ id: first, version: 1 }] })
  await log()
  // Back to the current time, because the database uses its own clock.
  server.clock.now = new Date()
  await run('daily_digest')
  await run('daily_digest')
  const mail = await server.mailTo(email, '1 session to confirm')
  assert.equal(await queued('waiting_sessions'), 1)
  const fresh = /\/confirm#(\S+)/.exec(mail.text)?.[1] ?? ''
  assert.notEqual(fresh, token)
  assert.equal(((await byLink(server.aStranger(), fresh, 'open')).body.sessions as object[]).length, 2)
  await later(25, parent)
  await run('daily_digest')
  assert.equal(await queued('waiting_sessions'), 1, 'nothing is new')

  const end = /unsubscribe\?token=(\S+)/.exec(mail.text)?.[1] ?? ''
  assert.equal((await server.aStranger().call('GET', `/unsubscribe?token=${end}`)).status, 200)
  assert.equal(
    (
      await server.aStranger().call('POST', `/unsubscribe?token=${end}`, 'List-Unsubscribe=One-Click', {
        origin: '',
        'content-type': 'application/x-www-form-urlencoded',
      })
    ).status,
    200,
  )
  await log()
  await later(25, parent)
  await run('daily_digest')
  // The job that writes emails finds no recipient for this one.
  await until('every email is written', async () => (await unsent()) === 0)
  assert.equal(
    (await server.mailTo(email, '1 session to confirm')).id,
    mail.id,
    'P9: no second mail after the opt-out',
  )
  assert.equal(await queued('waiting_sessions'), 2)
})

test('a tutor gets an email about the month and a family about what was sent back, and each can turn it off', async () => {
  const email = 'month@example.com'
  const { parent, log, link } = await aFamily(email)
  const tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(tutor, email)
  await tutor.call('PATCH', `/api/v1/connections/${link}`, { state: 'active' })
  const [, second] = [await log(), await log()]
  const now = server.clock.now
  server.clock.now = new Date('2026-12-01T14:00:00Z')
  await run('month_ready')
  assert.match((await server.mailTo(email, 'November 2026 is ready to confirm')).text, /2 sessions \(3 hours/)
  server.clock.now = now
  await tutor.call('POST', `/api/v1/sessions/${second}/dispute`, { note: 'No lesson that day' })
  await run('daily_digest')
  const mail = await server.mailTo(parent.email, 'Ingrid says 1 session isn’t right')
  const end = /unsubscribe\?token=(\S+)/.exec(mail.text)?.[1] ?? ''
  await server.aStranger().call('POST', `/unsubscribe?token=${end}`, 'List-Unsubscribe=One-Click', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.equal((await parent.call('GET', '/api/v1/notices')).body.daily_digest, false)
})

/**
 * A family, a tutor who answers using the emailed link, and lessons on the given days that are waiting for an
 * answer.
 */
async function waitingOn(email: string, days: string[]): Promise<string> {
  const { log, token, link } = await aFamily(email)
  const first = await log({ date: '2025-03-03' })
  await byLink(server.aStranger(), token, 'confirm', { sessions: [{ id: first, version: 1 }] })
  for (const date of days) await log({ date })
  return link
}
/** The ids of the links for which the job queued an email. */
async function mailedBy(job: 'daily_digest' | 'month_ready'): Promise<unknown[]> {
  const mails = () => server.db.asSystem((tx) => tx.selectFrom('outbox').select(['id', 'data']).execute())
  const before = new Set((await mails()).map(({ id }) => id))
  await run(job)
  return (await mails())
    .filter(({ id }) => !before.has(id))
    .map(({ data }) => (data as { link_id?: string }).link_id)
}

test('a finished month is counted from its first to its last day, and the email counts no other days', async () => {
  const days = ['2025-09-30', '2025-10-01', '2025-10-31', '2025-11-01']
  const links: string[] = []
  for (const day of days) links.push(await waitingOn(`month-${day}@example.com`, [day]))
  const all = await waitingOn('month-all@example.com', days)
  server.clock.now = new Date('2025-11-01T13:30:00Z')
  const mailed = await mailedBy('month_ready')
  assert.deepEqual(
    links.map((link) => mailed.includes(link)),
    [false, true, true, false],
  )
  assert.ok(mailed.includes(all))
  const mail = await server.mailTo('month-all@example.com', 'October 2025 is ready to confirm')
  assert.match(mail.text, /2 sessions \(3 hours/)
})

test('the daily email lists nothing later than tomorrow, because tomorrow is already today somewhere', async () => {
  const now = new Date()
  const day = (ahead: number) => new Date(now.getTime() + ahead * 86_400_000).toISOString().slice(0, 10)
  const [tomorrow, later] = [
    await waitingOn('tomorrow@example.com', [day(1), day(2)]),
    await waitingOn('the-day-after@example.com', [day(2)]),
  ]
  server.clock.now = now
  const mailed = await mailedBy('daily_digest')
  assert.deepEqual([mailed.includes(tomorrow), mailed.includes(later)], [true, false])
  await server.mailTo('tomorrow@example.com', '1 session to confirm')
})

/**
 * A tutor with an account who accepted a family's request in the app. Both sides have confirmed a first
 * lesson with the family's child.
 */
async function connected(email: string) {
  const { parent, log, link } = await aFamily(email)
  const first = await log({ date: '2025-01-06' })
  const tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(tutor, email)
  tutor.email = email
  await tutor.call('PATCH', `/api/v1/connections/${link}`, { state: 'active' })
  await tutor.call('POST', `/api/v1/sessions/${first}/confirm`, {})
  const [student] = (await tutor.call('GET', '/api/v1/students')).body as unknown as { id: string }[]
  const [own] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  const logAsTutor = async (date = '2026-11-20') =>
    String(
      (
        await tutor.call('POST', '/api/v1/sessions', {
          student_id: student?.id,
          tutor_id: own?.id,
          date,
          duration: 1,
        })
      ).body.id,
    )
  return { parent, tutor, log, link, logAsTutor }
}

/** The subjects of the emails to an address, sorted alphabetically, once all queued emails have been written. */
async function subjectsTo(email: string): Promise<string[]> {
  await until('every email is written', async () => (await unsent()) === 0)
  const mails = await readMailbox(join(server.dataDir, 'mailbox'), email)
  return mails.map(({ subject }) => subject).sort()
}

async function endByClick(mail: { text: string }): Promise<void> {
  const end = /unsubscribe\?token=(\S+)/.exec(mail.text)?.[1] ?? ''
  await server.aStranger().call('POST', `/unsubscribe?token=${end}`, 'List-Unsubscribe=One-Click', {
    'content-type': 'application/x-www-form-urlencoded',
  })
}

test('a family gets an email when a tutor accepts, declines or ends a connection, and a tutor when a family ends it', async () => {
  const accepted = await connected('accepts@example.com')
  assert.ok((await subjectsTo(accepted.parent.email)).includes("You're now connected with Ingrid"))
  await accepted.tutor.call('DELETE', `/api/v1/connections/${accepted.link}`)
  assert.ok((await subjectsTo(accepted.parent.email)).includes('Ingrid ended the connection with you'))
  assert.ok(!(await subjectsTo('accepts@example.com')).some((subject) => subject.includes('ended')))

  const ended = await connected('is-ended@example.com')
  await ended.parent.call('DELETE', `/api/v1/connections/${ended.link}`)
  const [subject] = (await subjectsTo('is-ended@example.com')).filter((each) => each.includes('ended'))
  assert.match(subject ?? '', /ended the connection with you$/)
  assert.ok(!(await subjectsTo(ended.parent.email)).some((each) => each.includes('ended')))

  // Without an account: the first answer accepts the request, and the connection can be ended from the page.
  const { parent, log, token } = await aFamily('by-mail@example.com')
  const sessions = [{ id: await log(), version: 1 }]
  for (let times = 0; times < 2; times++) await byLink(server.aStranger(), token, 'confirm', { sessions })
  await byLink(server.aStranger(), token, 'end', { forget: false })
  const told = (await subjectsTo(parent.email)).filter((each) => each.startsWith('Ingrid'))
  assert.ok(told.includes('Ingrid ended the connection with you'))
  assert.ok(told.filter((each) => each.includes('connected')).length <= 1, 'accepted once')

  const declined = await aFamily('declines@example.com')
  await byLink(server.aStranger(), declined.token, 'end', { forget: false })
  assert.ok((await subjectsTo(declined.parent.email)).includes('Ingrid declined to connect'))
})

test('P9: either side can turn off only the emails about connections, with one click or in the settings', async () => {
  const { parent, link } = await connected('clicks@example.com')
  await endByClick(await server.mailTo(parent.email, 'now connected with'))
  const { daily_digest, month_ready, connection_changes } = (await parent.call('GET', '/api/v1/notices')).body
  assert.deepEqual([daily_digest, month_ready, connection_changes], [true, true, false])
  const tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-in', { email: 'clicks@example.com', password: PASSWORD })
  await tutor.call('DELETE', `/api/v1/connections/${link}`)
  assert.ok(!(await subjectsTo(parent.email)).some((subject) => subject.includes('ended')))

  const other = await connected('chooses@example.com')
  await other.tutor.call('PATCH', '/api/v1/notices', { connection_changes: false })
  await other.parent.call('DELETE', `/api/v1/connections/${other.link}`)
  assert.ok(!(await subjectsTo('chooses@example.com')).some((subject) => subject.includes('ended')))
})

test('the daily email tells each side once what is waiting, sent back or to be deleted, unless it turned that off', async () => {
  const { parent, tutor, log, logAsTutor } = await connected('both-sides@example.com')
  const daily = async (email: string) =>
    (await subjectsTo(email)).filter((subject) =>
      /session.* to confirm|right$|to delete|waiting for you/.test(subject),
    )
  const day = async () => {
    server.clock.now = new Date()
    await run('daily_digest')
    await run('daily_digest')
  }
  const ofTutor = [await logAsTutor('2025-11-20'), await logAsTutor('2025-11-19')]
  await day()
  assert.deepEqual(await daily(parent.email), ['2 sessions to confirm with Ingrid'])
  const mail = await server.mailTo(parent.email, '2 sessions to confirm')
  assert.match(mail.text, /Ingrid logged or changed 2 sessions \(2 hours.*\)\. Confirm what took place/)
  assert.match(mail.text, /\/dashboard/)
  // The help link opens the section on this email's topic.
  assert.match(mail.text, /\/help#confirming\n/)
  assert.match(mail.html, /href="[^"]*\/help#confirming"/)
  assert.deepEqual(await daily(tutor.email), [], 'whoever logged it said so already')
  await later(25, parent)
  await run('daily_digest')
  assert.equal((await daily(parent.email)).length, 1, 'nothing is new')

  // The other way around: the family sends one session back, logs another, and asks to delete a third.
  server.clock.now = new Date()
  await parent.call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  await parent.call('POST', `/api/v1/sessions/${ofTutor[0]}/dispute`, { note: 'No lesson that day' })
  await day()
  assert.deepEqual(await daily(tutor.email), ["Maya's family says 1 session isn’t right"])
  await server.db.asSystem(async (tx) => {
    await tx.updateTable('notice_choices').set({ mailed_at: null }).execute()
    await tx.updateTable('reminder_clocks').set({ sent_at: null }).execute()
  })
  await log({ date: '2025-11-18' })
  assert.equal((await parent.call('DELETE', `/api/v1/sessions/${ofTutor[1]}`)).status, 202)
  await day()
  assert.deepEqual(await daily(tutor.email), [
    "3 sessions from Maya's family waiting for you",
    "Maya's family says 1 session isn’t right",
  ])
  const { text } = await server.mailTo(tutor.email, "3 sessions from Maya's family waiting for you")
  assert.match(text, /Maya's family logged or changed 1 session \(1\.5 hours/)
  assert.match(text, /Maya's family says 1 session isn’t right\. Read the note/)
  assert.match(text, /wants your OK to delete 1 session\. Until you answer, it isn’t counted in any total/)

  await endByClick(mail)
  assert.equal((await parent.call('GET', '/api/v1/notices')).body.daily_digest, false)
  await logAsTutor('2025-11-17')
  await later(50, parent)
  await run('daily_digest')
  assert.equal((await daily(parent.email)).length, 1)
})

test('each side gets one email about a finished month: what is open, or that everything is confirmed', async () => {
  const { parent, tutor, log, logAsTutor } = await connected('over@example.com')
  // The month's first and last days count; the days just before and after the month don't.
  const ids = [await log({ date: '2025-11-01' }), await log({ date: '2025-11-30' })]
  const [october, december] = [await log({ date: '2025-10-31' }), await log({ date: '2025-12-01' })]
  const own = await logAsTutor('2025-11-29')
  const monthOver = async (month: string, email = parent.email) => {
    server.clock.now = new Date(`${month}-01T14:00:00Z`)
    await run('month_ready')
    await run('month_ready')
    return (await subjectsTo(email)).filter((subject) => /20\d\d is/.test(subject))
  }
  assert.deepEqual(await monthOver('2025-12'), ['November 2025 is ready to confirm'])
  const { text } = await server.mailTo(parent.email, 'November 2025')
  assert.match(text, /Ingrid, 3 sessions \(4 hours\)/)
  assert.match(
    text,
    /Resolve these before closing the month:\n1 session waiting for you, 2 sessions waiting for Ingrid/,
  )
  assert.match(text, /\/summary\?month=2025-11/)
  assert.match(
    (await server.mailTo(tutor.email, 'November 2025')).text,
    /2 sessions waiting for you, 1 session waiting for Maya's family/,
  )

  server.clock.now = new Date()
  for (const id of [...ids, october, december]) await tutor.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  await parent.call('POST', `/api/v1/sessions/${own}/confirm`, {})
  assert.deepEqual(await monthOver('2025-11'), [
    'November 2025 is ready to confirm',
    'October 2025 is ready to close',
  ])
  assert.deepEqual(await monthOver('2025-11', tutor.email), [
    'November 2025 is ready to confirm',
    'October 2025 is ready to close',
  ])
  await endByClick(await server.mailTo(parent.email, 'October 2025'))
  server.clock.now = new Date()
  assert.equal((await parent.call('GET', '/api/v1/notices')).body.month_ready, false)
  assert.equal((await monthOver('2026-01')).length, 2, 'nobody is written to who ended these')
})

test('a tutor who turned off emails about months, or daily ones, gets none', async () => {
  const { tutor, log } = await connected('quiet@example.com')
  await log()
  await tutor.call('PATCH', '/api/v1/notices', { month_ready: false, daily_digest: false })
  server.clock.now = new Date()
  await run('daily_digest')
  server.clock.now = new Date('2026-12-01T14:00:00Z')
  await run('month_ready')
  assert.deepEqual(
    (await subjectsTo('quiet@example.com')).filter(
      (subject) => subject.includes('confirm') && !subject.includes('asks'),
    ),
    [],
  )
})

test('P9: the address of a tutor who never answered is forgotten after 30 days, and the emailed link with it', async () => {
  const { parent, token } = await aFamily('silent@example.com')
  await later(29 * 24, parent)
  await run('forget_unanswered')
  assert.equal((await byLink(server.aStranger(), token, 'open')).status, 200)
  await later(2 * 24, parent)
  await run('forget_unanswered')
  const links = (await parent.call('GET', '/api/v1/connections')).body as unknown as {
    state: string
    email: string | null
  }[]
  assert.deepEqual(
    links.map((link) => [link.state, link.email]),
    [['ended', null]],
  )
  assert.equal((await byLink(server.aStranger(), token, 'open')).status, 404)
})
