// Sessions that never get an answer. They show how long they've been waiting, and silence never counts as a
// yes. If nobody answers a request to delete a session, only the log of the side that asked is affected.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { arrive, mailTo } from './people.ts'
import { accept, dayFromToday, post, read, send } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4178'
const baseURL = `http://localhost:${PORT}`
let server: Awaited<ReturnType<typeof runServer>>

test.describe.configure({ mode: 'default' })
test.use({ baseURL })
test.beforeAll(async () => {
  server = await runServer(PORT)
})
test.afterAll(async () => server.stop())

/** Makes everything that's waiting look this many days old, with two reminders already sent. */
async function days(count: number): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  for (const side of ['family', 'practice'])
    await client.query(
      `update sessions set ${side}_asked_since = now() - $1 * interval '1 day', ${side}_reminders = 2,
        ${side}_reminded_at = now() - interval '4 days' where ${side}_asked_since is not null`,
      [count],
    )
  await client.end()
}

const lines = (page: Page, words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })

test('what the tutor leaves unanswered reads "No answer since", and the session can then be deleted from your own log only', async ({
  page,
  browser,
}) => {
  await arrive(page)
  const email = `ingrid-${process.pid}@example.com`
  const child = (await post(page, 'students', { name: 'Maya Whitfield' })).id
  const ingrid = (await post(page, 'tutors', { name: 'Ingrid Lindqvist', email, hourly_rate: 45 })).id
  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL })
  const tutor = await elsewhere.newPage()
  await arrive(tutor, 'Tutor', email)
  const maya = await post(tutor, 'students', { name: 'Maya' })
  const [long, lately] = [await dayFromToday(page, -21), await dayFromToday(page, -20)]
  const log = (date: string, more = {}) =>
    post(page, 'sessions', { student_id: child, tutor_id: ingrid, date, duration: 1.5, ...more })
  const [, leaving] = [await log(long, { subject: 'Algebra II' }), await log(lately)]
  await post(page, 'connections', { tutor_id: ingrid })
  await accept(tutor, { Maya: maya.id })
  await send(tutor, 'post', `sessions/${leaving.id}/confirm`, {})
  await send(page, 'delete', `sessions/${leaving.id}`, {})
  const month = `/summary?month=${long.slice(0, 7)}`
  await page.goto(month)
  await expect(lines(page, 'Waiting for tutor').first()).toBeVisible()
  await expect(page.getByText(/^Ingrid Lindqvist has until \w+ \d+ to answer$/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Delete from your log/ })).toHaveCount(0)

  await days(15)
  await page.reload()
  await expect(lines(page, 'Algebra II').getByText(/^No answer since \w+ \d+$/)).toBeVisible()
  await page
    .getByRole('button', { name: /^Edit session, Maya/ })
    .last()
    .click()
  await expect(
    page
      .getByRole('dialog')
      .getByText(/^No answer since/)
      .first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await tutor.goto('/to-confirm')
  await expect(lines(tutor, /Waiting for you since \w+ \d+/)).toBeVisible()
  expect(await read<{ sessions: { verified_by_tutor: boolean }[] }>(page, 'sessions')).toMatchObject({
    sessions: [{ verified_by_tutor: true }, { verified_by_tutor: false }],
  })

  await page
    .getByRole('button', { name: /^Delete from your log, Maya/ })
    .first()
    .click()
  await expect(page.getByText(/Ingrid Lindqvist hasn’t answered\..* will keep a copy\./)).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Session deleted successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit session, Maya/ })).toHaveCount(1)
  expect((await read<{ sessions: object[] }>(tutor, 'sessions')).sessions).toHaveLength(2)
  await elsewhere.close()
})

test('a tutor without an account agrees to a deletion on the emailed page, or keeps the session', async ({
  page,
  browser,
}) => {
  await arrive(page)
  const email = `emailed-${process.pid}@example.com`
  const child = (await post(page, 'students', { name: 'Maya Whitfield' })).id
  const ingrid = (await post(page, 'tutors', { name: 'Ingrid Lindqvist', email, hourly_rate: 45 })).id
  await post(page, 'connections', { tutor_id: ingrid })
  const date = await dayFromToday(page, -20)
  const log = (subject: string) =>
    post(page, 'sessions', {
      student_id: child,
      tutor_id: ingrid,
      date,
      duration: 1,
      subject,
      is_another: true,
    })
  const all = [await log('Algebra II'), await log('Geometry')]
  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL })
  const tutor = await elsewhere.newPage()
  const { text } = await mailTo(page, email, 'asks you to confirm')
  await tutor.goto(`/confirm#${/\/confirm#(\S+)/.exec(text)?.[1] ?? ''}`)
  await tutor.getByRole('button', { name: 'Confirm all 2' }).click()
  await expect(tutor.getByRole('heading', { name: 'is confirmed' })).toBeVisible()
  for (const { id } of all) await send(page, 'delete', `sessions/${id}`, {})
  await tutor.reload()
  await expect(lines(tutor, 'asked to delete it')).toHaveCount(2)
  await expect(tutor.getByText('You’re all caught up')).toHaveCount(0)
  await lines(tutor, 'Algebra II')
    .getByRole('button', { name: /^Agree to delete/ })
    .click()
  const question = tutor.getByRole('alertdialog', { name: 'Agree to delete' })
  await expect(question.getByText(/deleted from both logs for good/)).toBeVisible()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(tutor.getByText('Session deleted successfully')).toBeVisible()
  await lines(tutor, 'Geometry')
    .getByRole('button', { name: /^Keep it/ })
    .click()
  await expect(tutor.getByText('Session kept')).toBeVisible()
  const { sessions } = await read<{ sessions: object[] }>(page, 'sessions')
  expect(sessions).toMatchObject([{ subject: 'Geometry', deletion_asked_by: null, verified_by_tutor: true }])
  await elsewhere.close()
})
