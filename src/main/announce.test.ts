import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { addDays, dayIn } from '#kernel/calendar-day.ts'
import { startTestServer, type TestServer } from './testing.server.ts'

const execute = promisify(execFile)
let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const announce = async (...args: string[]) => {
  const env = { ...process.env, DATA_DIR: server.dataDir, DATABASE_URL: '' }
  return execute(process.execPath, ['src/main/admin.ts', 'announce-terms', ...args], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout.trim() }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr.trim() }),
  )
}

test('P8: an operator announces new terms while the server runs: each user gets one mail, and not less than 30 days ahead', async () => {
  const users = [await server.aUser(), await server.aUser('tutor')]
  const today = dayIn(new Date(), 'UTC')
  const day = addDays(today, 30)
  assert.deepEqual(await announce('v2', addDays(today, 29)), {
    code: 1,
    text: `New terms must be announced 30 days ahead, so they can't take effect before ${day}.`,
  })
  assert.deepEqual(await announce('v2', day), {
    code: 0,
    text: `Version v2 takes effect on ${day}: 2 emails queued.`,
  })
  for (const { email } of users)
    assert.match((await server.mailTo(email, 'New Tutorlog terms')).text, /The new version \(v2\)/)
  assert.deepEqual(await announce('v2', day), {
    code: 0,
    text: `Version v2 takes effect on ${day}: 0 emails queued.`,
  })
  assert.deepEqual(await announce('v2', addDays(day, 1)), {
    code: 1,
    text: `Version v2 was already announced for ${day}. Use a different version for the new text.`,
  })
})

test('an announcement without a version or a day exits with a one-line message and code 1', async () => {
  assert.deepEqual(await announce(), {
    code: 1,
    text: 'Enter a version of up to 40 letters, digits, dots and dashes.',
  })
  assert.deepEqual(await announce('v3', 'soon'), {
    code: 1,
    text: 'Enter the day the new terms take effect, as yyyy-MM-dd.',
  })
})
