// Someone who signs in only with Google. A stand-in for Google runs on this machine.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { type OpenIdStandIn, startOpenIdStandIn } from '../src/main/testing/openid.server.ts'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { runServer } from './server.ts'

const PORT = '4175'
let provider: OpenIdStandIn
let server: Awaited<ReturnType<typeof runServer>>

// These journeys run one at a time, because they share a server that no other journeys use.
test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}` })
test.beforeAll(async () => {
  provider = await startOpenIdStandIn()
  server = await runServer(PORT, provider.settings)
})
test.afterAll(async () => {
  await server.stop()
  await provider.stop()
})

/** Backdates every sign-in. Deleting the account then needs a new one. */
async function minutesPass(minutes: number): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  await client.query('update logins set proven_at = proven_at - make_interval(mins => $1)', [minutes])
  await client.end()
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
}

test('A24: signing in with Google again leads back to deleting the account, which then works', async ({
  page,
}) => {
  await signIn(page)
  await page.getByRole('radio', { name: /Parent/ }).check({ force: true })
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: /Dana/ })).toBeVisible()

  await minutesPass(11)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel('Type "delete" to confirm').fill('delete')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof.getByText('You’ll come back here afterward.')).toBeVisible()
  const returned = page.waitForURL('**/dashboard', { waitUntil: 'commit' })
  await proof.getByRole('button', { name: 'Continue with Google' }).click()
  await returned
  await expect(page).toHaveURL(/\/account$/)
  await expect(dialog.getByLabel('Type "delete" to confirm')).toBeVisible()
  await dialog.getByLabel('Type "delete" to confirm').fill('delete')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await signIn(page)
  await expect(page.getByRole('heading', { name: 'This account was deleted' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Dana/ })).toBeVisible()
})

test("the Google button works if it's pressed before the page's script has loaded", async ({ page }) => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/assets/LoginPage*.js', async (route) => {
    await loaded
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  load()
  await expect(page).not.toHaveURL(/\/login$/)
})
