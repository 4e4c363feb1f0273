// A subscription from start to finish, beginning at the end of the trial, with a stand-in for Stripe.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { type StandIn, startStripeStandIn } from '../src/main/testing/stripe.server.ts'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo, signUp, someone } from './people.ts'
import { openUntil, post, read } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4174'
let stripe: StandIn
let server: Awaited<ReturnType<typeof runServer>>

// These journeys run one at a time, because they share a server that no other journeys use.
test.describe.configure({ mode: 'default' })
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

/** Backdates the account. To the server, that's the same as time passing. */
async function daysPass(days: number): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  await client.query('update users set created_at = created_at - make_interval(days => $1)', [days])
  await client.end()
}

async function addChild(page: Page, name: string): Promise<void> {
  await page.goto('/children')
  await page.getByRole('button', { name: 'Add Child' }).first().click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Add Child' }).last().click()
}

test('the trial ends, reading still works, a plan is bought, writing works again, and the plan is canceled', async ({
  page,
}) => {
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
  await expect(
    page.getByText(
      'Your free trial is over. You can still read, export and delete everything. To log or change sessions, choose a plan.',
    ),
  ).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Theo')
  // The page behind the sheet is still readable.
  await expect(page.getByRole('heading', { name: 'Maya', includeHidden: true })).toBeVisible()

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Choose a plan' }).click()
  await expect(page.getByText('Trial ended', { exact: true })).toBeVisible()
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
  await expect(page.getByText('There’s no refund for the rest of the period.')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(
    page.getByText(/You’ll have full access until then, and nothing will be deleted/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Keep subscription' }).click()
  await expect(page.getByText(/^Renews on/)).toBeVisible()

  // The subscription is canceled in the provider's portal, so the webhook is the only way the server finds
  // out.
  await page.getByRole('button', { name: 'Card and invoices' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible()
})

test('a webhook alone allows writing again, renewing takes no action, and another plan can be bought after a canceled one', async ({
  page,
}) => {
  await arrive(page)
  await daysPass(46)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  const checkout = page.url()
  await addChild(page, 'Maya')
  await expect(page.getByText('Failed to add child')).toBeVisible()
  // The payment happens in another window and the user doesn't return to the account page, so the server only
  // finds out through the webhook.
  await stripe.pay(checkout)
  await expect.poll(async () => (await read<{ can_write: boolean }>(page, 'billing')).can_write).toBe(true)
  await page.getByRole('button', { name: 'Add Child' }).last().click()
  await expect(page.getByText('Child added successfully')).toBeVisible()

  // A month later, the provider makes the next charge and sends a webhook.
  const subscription = [...stripe.things.values()].findLast(
    (thing) => thing.object === 'subscription',
  ) as unknown as { id: string; items: { data: { current_period_end: number }[] } }
  const [item] = subscription.items.data
  const until = (seconds: number) =>
    new Date(seconds * 1000).toLocaleDateString('en-US', {
      month: 'long',
      day: 'numeric',
      year: 'numeric',
      timeZone: 'America/New_York',
    })
  const end = item?.current_period_end ?? 0
  const moveTo = (seconds: number, more: Record<string, unknown> = {}) =>
    stripe.change(subscription.id, {
      ...more,
      items: { object: 'list', data: [{ ...item, current_period_end: seconds }] },
    })
  await page.goto('/account')
  await expect(page.getByText(`Renews on ${until(end)}.`)).toBeVisible()
  await moveTo(end + 30 * 86_400)
  await openUntil(page, '/account', page.getByText(`Renews on ${until(end + 30 * 86_400)}.`))

  // The subscription was canceled and the last paid period is over. The account is read-only until the owner
  // buys another plan.
  await moveTo(Math.floor(Date.now() / 1000) - 60, { status: 'canceled', cancel_at_period_end: true })
  await openUntil(page, '/account', page.getByText('Trial ended', { exact: true }))
  await addChild(page, 'Theo')
  await expect(page.getByText('Failed to add child')).toBeVisible()
  // The page behind the sheet is still readable.
  await expect(page.getByRole('heading', { name: 'Maya', includeHidden: true })).toBeVisible()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: 'Pay and subscribe' }).click()
  await expect(page.getByText(/^Renews on/)).toBeVisible()
  await addChild(page, 'Theo')
  await expect(page.getByText('Child added successfully')).toBeVisible()
})

test("a friend who joins moves a subscriber's next payment, and the account page says so", async ({
  page,
  browser,
}) => {
  await arrive(page)
  await daysPass(46)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: 'Pay and subscribe' }).click()
  await expect(page.getByText(/^Renews on/)).toBeVisible()
  const { link } = (await (await page.request.get('/api/v1/referral')).json()) as { link: string }
  const friend = await browser.newPage({ baseURL: `http://localhost:${PORT}` })
  const person = someone()
  await signUp(friend, person, 'Parent', link)
  await friend.goto(linkIn((await mailTo(friend, person.email, 'Verify your email')).text))
  await expect(friend).toHaveURL(/\/dashboard$/)
  await friend.goto('/account')
  await expect(friend.getByText('of 75 days left')).toBeVisible()
  await expect(friend.getByText('30 days were added to your trial.')).toBeVisible()
  await friend.close()
  const joined = page.getByText('1 friend has joined. Your payments were postponed by 30 days.')
  await openUntil(page, '/account', joined)
  await expect(page.getByText(/^No payment is due until/)).toBeVisible()
})

test('someone who starts a practice is told what it means for the plan: a trial begins, or the plan covers it', async ({
  page,
  browser,
}) => {
  await arrive(page)
  const start = async (one: Page) => {
    await one.goto('/account')
    await one.getByRole('region', { name: 'Create your own workspace' }).waitFor()
    const fold = one.getByText('Do you teach, too?')
    if (await fold.isVisible()) await fold.click()
    await one.getByRole('button', { name: 'Start a practice' }).click()
    return one.getByRole('alertdialog', { name: 'Start a practice' })
  }
  await expect((await start(page)).getByText('Your plan covers it too.')).toBeVisible()
  const helper = someone()
  await post(page, 'members', { email: helper.email, role: 'parent' })
  const other = await browser.newPage({ baseURL: `http://localhost:${PORT}` })
  await other.goto(linkIn((await mailTo(page, helper.email, 'invited you to their')).text))
  await other.getByLabel('Choose a password').fill(helper.password)
  await other.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(other).toHaveURL(/\/dashboard$/)
  await expect((await start(other)).getByText('This starts your free trial.')).toBeVisible()
  await other.close()
  await page.goto('/account')
  await page.getByLabel(`${helper.email}’s role`).selectOption('Make owner...')
  await expect(
    page.getByText('They will manage the members, and the family will use their plan instead of yours.'),
  ).toBeVisible()
})

test("leaving checkout changes nothing, and a message says when the provider can't be reached", async ({
  page,
}) => {
  await arrive(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Choose a plan' }).click()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  // Waits for the checkout page, because the previous page has a link with the same name.
  await expect(page).toHaveURL(/\/c\/pay\//)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByText('Free trial', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Choose a plan' }).click()
  stripe.isAway = true
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(
    page.getByText(
      "The payment provider can't be reached right now. Nothing was charged and nothing has changed. Please try again.",
    ),
  ).toBeVisible()
  await expect(page.getByText('Offline.')).toBeHidden()
  stripe.isAway = false
})
