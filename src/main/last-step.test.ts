import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { PASSWORD, removeScratch, scratchFolder, startTestServer, type TestServer } from './testing.server.ts'
import { BACKUP, makeLastStep, recorded } from './testing/last-step.server.ts'
import { everythingSeen } from './testing/seen.server.ts'

const execute = promisify(execFile)
const before = recorded()

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

const NEW_FIELDS = new Set(['other_took_part', 'arriving', 'today', 'as_of', 'owed'])

const OWED_LINE = /"Owed [^\r\n]*\r\n/g

/** What somebody saw at the last step, in the words that files use now. */
function inTodaysWords(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  return answer.replace('"Verified"', '"Agreed"').replaceAll('"Sent back"', '"Not right"')
}

/** What somebody sees without the fields that are newer than the last step, such as proposals, which nobody could make. */
function withoutNewFields(answer: unknown): unknown {
  if (typeof answer === 'string') return answer.replaceAll(OWED_LINE, '')
  const isNew = (field: string, value: unknown) =>
    NEW_FIELDS.has(field) || (field === 'proposal' && value === null)
  const none = (field: string, value: unknown) => (isNew(field, value) ? undefined : value)
  return JSON.parse(JSON.stringify(answer, none)) as unknown
}

/** Starts this version's server on a data folder that `fill` prepares, at the time of the recording. */
async function withServerOf(
  fill: (dataDir: string) => Promise<void>,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const folder = scratchFolder()
  try {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    await fill(dataDir)
    const server = await startTestServer({}, folder)
    server.clock.now = new Date(before.clock)
    await work(server).finally(() => server.stop())
  } finally {
    removeScratch(folder)
  }
}

/** Compares what everybody sees with what the earlier server showed them. */
async function showsTheSame(server: TestServer): Promise<void> {
  const device = server.aStranger()
  for (const [name, value] of before.cookies) device.cookies.set(name, value)
  assert.deepEqual((await device.call('GET', '/api/v1/me')).body, before.views.family?.me, 'still signed in')
  for (const [name, email] of Object.entries(before.emails)) {
    const person = server.aStranger()
    const { status } = await person.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })
    assert.equal(status, 200, name)
    const seen = await everythingSeen(person)
    for (const [path, answer] of Object.entries(before.views[name] ?? {}))
      assert.deepEqual(withoutNewFields(seen[path]), inTodaysWords(answer), `${name}: ${path}`)
  }
  const stranger = server.aStranger()
  const textOf = async (path: string) => (await stranger.call('GET', path)).bytes.toString()
  for (const [code, said] of Object.entries(before.verified)) {
    const page = /<main[^]*<\/main>/.exec(await textOf(`/verify/${code}`))?.[0] ?? ''
    assert.equal(
      page
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
      said,
    )
  }
  for (const [path, calendar] of Object.entries(before.calendars)) assert.equal(await textOf(path), calendar)
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
    async (dataDir) => {
      const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
      const { stdout } = await execute(process.execPath, ['src/main/admin.ts', 'restore', BACKUP], { env })
      assert.match(stdout, /^Restored \d+ rows/)
    },
    async (server) => {
      await showsTheSame(server)
      await server.allJobsDone()
      const mails = await readMailbox(join(server.dataDir, 'mailbox'))
      assert.deepEqual(mails.map(({ to, subject }) => `${to}: ${subject}`).sort(), WAITING)
    },
  ))

test('a database of the last step before the baseline goes on with this version, and shows the same to both sides', () =>
  withServerOf(async (dataDir) => {
    const embedded = await startEmbeddedDatabase({ dataDir, log: () => undefined })
    await makeLastStep(embedded.superuserUrl).finally(() => embedded.stop())
  }, showsTheSame))
