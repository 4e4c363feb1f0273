// The page behind the emailed question after a class: one class, several, answered before, and a link that has expired.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive, linkIn, mailTo } from './people.ts'
import { addPastClasses, faultsOf, read, send } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4185'
/** Where it's early in the afternoon, because nobody is asked at night. */
const hour = 13 - new Date().getUTCHours()
const ZONE = `Etc/GMT${hour > 0 ? '-' : '+'}${Math.abs(hour)}`

let server: Awaited<ReturnType<typeof runServer>>
test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}`, viewport: { width: 390, height: 844 }, timezoneId: ZONE })
test.beforeAll(async () => {
  server = await runServer(PORT)
})
test.afterAll(async () => server.stop())

async function inDatabase(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** A family that is asked by email about its classes of the last days. Returns the email's link. */
async function asked(page: Page, count: number): Promise<string> {
  const { email } = await arrive(page)
  await send(page, 'patch', 'me', { time_zone: ZONE })
  const { who } = await mayaWithIngrid(page)
  await addPastClasses(page, who, count)
  // As if the classes had been planned before they were held, and the job ran now.
  await inDatabase(
    "update class_clocks set started_at = now() - interval '10 days', due_at = now() - interval '1 minute'",
    "select graphile_worker.add_job('remind')",
  )
  const { text } = await mailTo(page, email, count === 1 ? 'Did this class' : `Did these ${count} classes`)
  const link = linkIn(text)
  expect(link).toContain('/classes#')
  return link
}

const sessions = async (page: Page) => (await read<{ sessions: object[] }>(page, 'sessions')).sessions.length

test('one class is answered with one tap, by someone who is signed out, and a second tap finds the answer', async ({
  page,
  browser,
}) => {
  const link = await asked(page, 1)
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'Did this class take place?' })).toBeVisible()
  await expect(phone).toHaveURL(/\/classes$/)
  expect(await sessions(page), 'opening the page answers nothing').toBe(0)
  expect(await faultsOf(phone)).toEqual([])
  const yes = phone.getByRole('button', { name: 'Yes, it took place' })
  // Another tab has it open, too.
  const tab = await phone.context().newPage()
  await tab.goto(link)
  await expect(tab.getByRole('button', { name: 'Yes, it took place' })).toBeVisible()
  await yes.click()
  await expect(phone.getByRole('main').getByRole('status')).toHaveText(
    'It’s in the record. You can close this page.',
  )
  await expect(yes).toBeHidden()
  expect(await sessions(page)).toBe(1)

  await tab.getByRole('button', { name: 'No-show' }).click()
  await expect(tab.getByText('This class was already answered.')).toBeVisible()
  await tab.goto(link)
  await tab.reload()
  await expect(tab.getByRole('heading', { name: 'Already answered' })).toBeVisible()
  await expect(tab.getByText('In the record')).toBeVisible()
  expect(await faultsOf(tab)).toEqual([])
  expect(await sessions(page)).toBe(1)
  await phone.context().close()
})

test('of three classes, one is told how it ended, and the others took place with one tap', async ({
  page,
}) => {
  const link = await asked(page, 3)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Did these classes take place?' })).toBeVisible()
  const classes = page.getByRole('list', { name: 'Classes' }).getByRole('listitem')
  await expect(classes).toHaveCount(3)
  await classes.first().getByRole('button', { name: /^No: / }).click()
  expect(await faultsOf(page)).toEqual([])
  await classes
    .first()
    .getByRole('button', { name: /^No-show/ })
    .click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Noted: no-show.')
  await expect(classes.first().getByText('No-show')).toBeVisible()
  await page.getByRole('button', { name: 'Yes, both took place' }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText(
    'Both are in the record. You can close this page.',
  )
  expect(await faultsOf(page)).toEqual([])
  expect(await sessions(page)).toBe(2)
})

test('without a connection the answer isn’t lost, and an expired link says where to answer', async ({
  page,
}) => {
  const link = await asked(page, 1)
  await page.goto(link)
  const yes = page.getByRole('button', { name: 'Yes, it took place' })
  await expect(yes).toBeVisible()
  await page.context().setOffline(true)
  await yes.click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/\w/)
  await page.context().setOffline(false)
  await yes.click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText(
    'It’s in the record. You can close this page.',
  )

  await inDatabase("update class_links set created_at = now() - interval '15 days'")
  await page.goto('/')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.goto('/classes')
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
})
