import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { PASSWORD, type TestServer } from './testing.server.ts'
import { wordsOf } from './testing/kept-versions.server.ts'
import { BACKUP, makeLastStep, recorded } from './testing/last-step.server.ts'
import { restoreInto, withServerOf } from './testing/restored.server.ts'
import { everythingSeen } from './testing/seen.server.ts'
import { inCalendar, inTodaysWords } from './testing/todays-words.server.ts'

const before = recorded()
const HOUR_MS = 3_600_000

/** The emails that were queued when the backup was made, as the earlier server sends them. */
const WAITING = [
  'edgar@example.com: 1 session to confirm with Robin Marsh',
  'edgar@example.com: November 2026 is ready to confirm',
  'ingrid@example.com: Reminder: 9 sessions and 1 payment from Dana Whitfield waiting for you',
  "ingrid@example.com: You're now connected with Dana Whitfield",
  'person-1@example.com: 3 sessions, 4 payments, and 1 month from Ingrid waiting for you',
  'person-1@example.com: Ingrid asks to close August 2026',
  'person-1@example.com: Ingrid updated their payment options',
  'person-1@example.com: November 2026 is ready to confirm',
  'person-1@example.com: Your Tutorlog password was changed',
]

const NEW_FIELDS = new Set(
  (
    'other_took_part arriving today as_of owed charge charges charges/waiting open_charges charges_amount ' +
    'is_by_handed_link handed_side handed ended_by_other feed_id proposed schedule_questions ' +
    'class_questions classes_tomorrow money_due reference delivered_at outcome outcome_by outcome_at ' +
    'is_in_closed_month is_make_up fee_period prices signed_by'
  ).split(' '),
)

/** New fields that have no value for what was there at the last step. */
const NEW_IF_NULL = new Set([
  'proposal',
  'time_zone',
  'yours',
  'ends_at',
  'link',
  'makes_up',
  'lesson_price',
  'lesson_minutes',
  'price_source',
  'price_since',
])

const OWED_LINE = /"Owed [^\r\n]*\r\n/g

/** What somebody sees without the fields that are newer than the last step, such as proposals, which nobody could make. */
function withoutNewFields(answer: unknown): unknown {
  if (typeof answer === 'string') return answer.replaceAll(OWED_LINE, '')
  const isNew = (field: string, value: unknown) =>
    NEW_FIELDS.has(field) || (NEW_IF_NULL.has(field) && value === null)
  function none(this: object, field: string, value: unknown): unknown {
    // Sessions always said whether they're shared; schedules and classes couldn't be.
    const isOfSchedule = field === 'is_shared' && ('feed_id' in this || 'proposed' in this)
    return isOfSchedule || isNew(field, value) ? undefined : value
  }
  return JSON.parse(JSON.stringify(answer, none)) as unknown
}

/** An account without the region that no browser had told yet. */
function withoutRegion(me: unknown): unknown {
  const { region, has_chosen_region: hasChosen, ...rest } = me as Record<string, unknown>
  assert.deepEqual([region, hasChosen], [null, false])
  return rest
}

const LATEST_PAGE = 'but it has changed since then. Ask for the latest page.'

/** Compares what everybody sees with what the earlier server showed them. */
async function showsTheSame(server: TestServer): Promise<void> {
  const device = server.aStranger()
  for (const [name, value] of before.cookies) device.cookies.set(name, value)
  const me = (await device.call('GET', '/api/v1/me')).body
  assert.deepEqual(withoutRegion(me), before.views.family?.me, 'still signed in')
  for (const [name, email] of Object.entries(before.emails)) {
    const person = server.aStranger()
    const { status } = await person.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
    assert.equal(status, 200, name)
    const seen = await everythingSeen(person)
    for (const [path, answer] of Object.entries(before.views[name] ?? {})) {
      // An account's time zone isn't new.
      const now = path === 'me' ? withoutRegion(seen[path]) : withoutNewFields(seen[path])
      assert.deepEqual(now, inTodaysWords(answer), `${name}: ${path}`)
    }
  }
  const stranger = server.aStranger()
  const textOf = async (path: string) => (await stranger.call('GET', path)).bytes.toString()
  for (const [code, said] of Object.entries(before.verified)) {
    const verdict = wordsOf(await textOf(`/verify/${code}`))
      // The page of a closed month says more than it did then, also that a month was reopened.
      .replaceAll(/ Number of (payments|charges) \d+| Check the PDF itself, even offline/g, '')
      .replace('has changed since: its month was reopened', 'has changed since')
      .replace(/and one of them has reopened it since then\. .* ask for it\./, LATEST_PAGE)
      .replace('before the month was reopened.', 'before the change.')
    assert.equal(verdict, said)
  }
  for (const [path, calendar] of Object.entries(before.calendars))
    assert.deepEqual(inCalendar(await textOf(path)), inCalendar(calendar))
  for (const { token, opened } of Object.values(before.links)) {
    const { body } = await stranger.call('POST', '/api/link/open', {}, { 'tutorlog-link': token })
    const ids = (body.sessions as { id: string }[]).map(({ id }) => id)
    assert.deepEqual(
      ids,
      opened.sessions.map(({ id }) => id),
    )
  }
  assert.equal((await verifyHistory(server.db)).broken, undefined)
}

test('F15: a backup of the last step before the baseline shows the same to both sides, and its waiting emails are sent', () =>
  withServerOf(
    before.clock,
    async (dataDir) => assert.match(await restoreInto(dataDir, BACKUP), /^Restored \d+ rows/),
    async (server) => {
      await showsTheSame(server)
      // It was night for some. Reminders wait for the morning, and for an hour after each other.
      server.clock.now = new Date(Date.parse(before.clock) + 5 * HOUR_MS)
      const hours = setInterval(() => {
        server.clock.now = new Date(server.clock.now.getTime() + HOUR_MS)
      }, 1000)
      await server.allJobsDone().finally(() => clearInterval(hours))
      const mails = (await readMailbox(join(server.dataDir, 'mailbox'))).filter(
        // This test signed in from new browsers.
        ({ subject }) => !subject.startsWith('New sign-in'),
      )
      assert.deepEqual(mails.map(({ to, subject }) => `${to}: ${subject}`).sort(), WAITING)
    },
  ))

test('a database of the last step before the baseline goes on with this version, and shows the same to both sides', () =>
  withServerOf(
    before.clock,
    async (dataDir) => {
      const embedded = await startEmbeddedDatabase({ dataDir, log: () => undefined })
      await makeLastStep(embedded.superuserUrl).finally(() => embedded.stop())
    },
    showsTheSame,
  ))
