// An administrator restores one of the server's own backups, sees the older state, and goes back.
import { expect, type Page, type Route } from '@playwright/test'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { backUpDaily } from '../src/platform/db/kept-backups.server.ts'
import { makeKeyFile } from '../src/platform/db/sealed.server.ts'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { faultsOf, post } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4187'
let server: Awaited<ReturnType<typeof runServer>>

test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}` })
test.beforeAll(async () => {
  server = await runServer(PORT)
})
test.afterAll(async () => server.stop())

/** The list of children has these, and no others. */
async function expectNames(page: Page, ...names: string[]): Promise<void> {
  await page.goto('/students')
  const main = page.getByRole('main')
  for (const name of ['Maya', 'Noah'])
    await expect(main.getByText(name, { exact: true }).first()).toBeVisible({ visible: names.includes(name) })
}

test('an administrator restores an encrypted backup from /admin, sees the older state, and goes back to the newer one', async ({
  page,
}, testInfo) => {
  await arrive(page)
  const url = (await runningDatabaseUrl(server.dataDir)) ?? ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update user_roles set role = 'admin', earlier_role = 'parent'`)
  await client.end()
  await post(page, 'students', { name: 'Maya' })
  const keyFile = testInfo.outputPath('key.txt')
  const recipient = await makeKeyFile(keyFile, new Date())
  await backUpDaily(url, { dataDir: server.dataDir, backupRecipients: [recipient] }, new Date())
  await post(page, 'students', { name: 'Noah' })
  await expectNames(page, 'Maya', 'Noah')

  await page.goto('/admin')
  await page.getByRole('button', { name: /^Restore the backup of/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore a backup' })
  await dialog.getByRole('button', { name: 'Show what would change' }).click()
  await expect(dialog.locator('.form-alert')).toHaveText(/Choose its key/)
  await dialog.getByLabel('Key file').setInputFiles(keyFile)
  await dialog.getByRole('button', { name: 'Show what would change' }).click()
  await expect(dialog.getByRole('row', { name: /^Accounts 1 1 0/ })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(dialog.locator('.form-alert')).toHaveText('Type the word RESTORE.')
  await dialog.getByLabel('Type RESTORE to confirm').fill('restore')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Restore' })).toBeVisible()
  await expect(page.getByText('The database from before the restore')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  expect(kept).not.toContain('AGE-SECRET-KEY')
  await expectNames(page, 'Maya')

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/admin')
  await expect(page.getByText('The database from before the restore')).toBeVisible()
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByText('The database that you went back from')).toBeVisible()
  await expectNames(page, 'Maya', 'Noah')
})

test('while the server is in maintenance, the app keeps showing what it has and says why it can’t do more', async ({
  page,
}) => {
  await arrive(page)
  const answer = { status: 503, code: 'maintenance', title: 'Tutorlog is being maintained.' }
  const isMaintained = (route: Route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(answer) })
  await page.route('**/api/v1/**', isMaintained)
  await page.getByRole('link', { name: 'Summary' }).first().click()
  await expect(
    page.getByRole('status').filter({ hasText: /^Tutorlog is being maintained and will be back/ }),
  ).toBeVisible()
  await page.unroute('**/api/v1/**', isMaintained)
})
