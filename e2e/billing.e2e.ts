// From the end of the trial to a subscription and its end, at a payment provider that speaks Stripe's protocol.
import { expect, type Page, test } from '@playwright/test'
import pg from 'pg'
import { type StandIn, startStripeStandIn } from '../src/main/testing/stripe.server.ts'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { arrive } from './people.ts'
import { runServer } from './server.ts'

const PORT = '4174'
let stripe: StandIn
let server: Awaited<ReturnType<typeof runServer>>

test.use({ baseURL: `http://localhost:${PORT}` })
test.beforeAll(async () => {
  stripe = await startStripeStandIn()
  server = await runServer(PORT, stripe.settings)
  stripe.notify = `http://localhost:${PORT}/api/webhooks/stripe`
})
test.afterAll(async () => {
  await server.stop()
  await stripe.stop()
})

/** Lets the account be older than it is: for the server, that is time passing. */
async function daysPass(days: number): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  await client.query("update users set created_at = created_at - make_interval(days => $1)", [days])
  await client.end()
}

async function addChild(page: Page, name: string): Promise<void> {
  await page.goto('/children')
  await page.getByRole('button', { name: 'Add Child' }).first().click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Add Child' }).last().click()
}

test('the trial runs out, reading goes on, a plan is bought, writing works again, and the plan is cancelled', async ({ page }) => {
  await arrive(page)
  await page.goto('/account')
  await expect(page.getByText('of 45 days left')).toBeVisible()
  await expect(page.getByText('You will not be charged unless you choose a plan.')).toBeVisible()
  await addChild(page, 'Maya')
  await expect(page.getByText('Child added successfully')).toBeVisible()

  await daysPass(40)
  await page.goto('/dashboard')
  await expect(page.getByText('Your free trial ends in 5 days.')).toBeVisible()
  await daysPass(6)
  await addChild(page, 'Theo')
  await expect(page.getByText('Failed to add child')).toBeVisible()
  await expect(page.getByText('Your free trial is over. You can read, export and delete everything; to log or change sessions, choose a plan.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Theo')
  await expect(page.getByRole('heading', { name: 'Maya' })).toBeVisible()

  await page.getByRole('link', { name: 'Choose a plan' }).click()
  await expect(page.getByText('Trial over')).toBeVisible()
  await expect(page.getByText('$6.00 a month')).toBeVisible()
  await page.getByRole('radio', { name: /Yearly/ }).check()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await page.getByRole('button', { name: 'Pay and subscribe' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByText('Yearly plan, $60.00 a year')).toBeVisible()
  await addChild(page, 'Theo')
  await expect(page.getByText('Child added successfully')).toBeVisible()
  await expect(page.getByText('Your free trial is over.')).toBeHidden()

  await page.goto('/account')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(page.getByText('There is no refund for the rest of the period.')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(page.getByText(/You keep full access until then, and nothing is deleted afterwards/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep subscription' }).click()
  await expect(page.getByText(/^Renews on/)).toBeVisible()

  // Cancelled at the provider itself: its notice is what tells us.
  await page.getByRole('button', { name: 'Card and invoices' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
})

test('a checkout that is left changes nothing, and a provider that is away is said so', async ({ page }) => {
  await arrive(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Choose a plan' }).click()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByText('Free trial', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Choose a plan' }).click()
  stripe.isAway = true
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('The payment provider cannot be reached just now. Nothing was charged and nothing has changed. Please try again.')).toBeVisible()
  stripe.isAway = false
})
