// Sessions that never get an answer. They show how long they've been waiting, and silence never counts as a
// yes. If nobody answers a request to delete a session, only the log of the side that asked is affected.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { aFamily, lastMonth, otherPhone, twoSides } from './pairs.ts'
import { linkIn, mailTo } from './people.ts'
import { accept, dayFromToday, read, send } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4178'
let server: Awaited<ReturnType<typeof runServer>>

test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}` })
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
  const { tutor, own, log, connect } = await twoSides(page, browser)
  const { month } = await lastMonth(page)
  await log({ date: `${month}-10`, subject: 'Algebra II' })
  const leaving = await log({ date: `${month}-11` })
  await connect()
  await accept(tutor, { Maya: own.student_id })
  await send(tutor, 'post', `sessions/${leaving.id}/confirm`, {})
  await send(page, 'delete', `sessions/${leaving.id}`, {})
  await page.goto(`/summary?month=${month}`)
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
  await expect(lines(tutor, /Waiting for you since \w+ \d+/).first()).toBeVisible()
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
  await tutor.context().close()
})

test('a tutor without an account agrees to a deletion on the emailed page, or keeps the session', async ({
  page,
  browser,
}) => {
  const { email, log, connect } = await aFamily(page)
  await connect()
  const lesson = { date: await dayFromToday(page, -20), is_another: true }
  const all = [await log({ ...lesson, subject: 'Algebra II' }), await log({ ...lesson, subject: 'Geometry' })]
  const tutor = await otherPhone(page, browser)
  await tutor.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
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
  await tutor.context().close()
})
