// A server that accepts only invited people, or no new users at all, says so up front.
import { expect, type Page } from '@playwright/test'
import { BUILT_SIGN_UP } from '../src/features/site/address.ts'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { runServer } from './server.ts'

const PORT = '4183'
const INVITED = /^You need an invitation to sign up here/
const CLOSED = "This server isn't accepting new accounts."

/** The page's JavaScript errors. React reports one if it discards the HTML that the server sent. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  return errors
}

async function arriveAt(page: Page, path: string): Promise<void> {
  await page.goto(`http://localhost:${PORT}${path}`)
  await page.waitForLoadState('networkidle')
}

test("someone invited by a friend is told so, and the page isn't drawn again", async ({ page }) => {
  const errors = errorsOf(page)
  await page.goto('/signup?ref=ABCD2345')
  await expect(page.getByText(/^A friend invited you/)).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(errors).toEqual([])
})

test('with SIGN_UP=invited or closed, the sign-up page says so before anything is typed', async ({
  page,
}) => {
  const errors = errorsOf(page)
  const invited = await runServer(PORT, { SIGN_UP: 'invited' })
  await arriveAt(page, '/signup')
  await expect(page.getByText(INVITED)).toBeVisible()
  await expect(page.getByLabel('Email')).toBeEditable()
  await arriveAt(page, '/signup?ref=ABCD2345')
  await expect(page.getByText(INVITED)).toBeVisible()
  await invited.stop()

  const closed = await runServer(PORT, { SIGN_UP: 'closed' })
  await arriveAt(page, '/login')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByText(CLOSED)).toBeVisible()
  await arriveAt(page, '/signup')
  await expect(page.getByText(CLOSED)).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await closed.stop()
  expect(errors).toEqual([])
})

test('on a server where friends can’t sign up, no screen offers to invite them', async ({ page }) => {
  await arrive(page)
  await page.route(/\/(invite-friends|account)$/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(BUILT_SIGN_UP, 'name="sign-up" content="invited"')
    await route.fulfill({ response, body })
  })
  await page.goto('/invite-friends')
  await expect(page.getByText('Friends can’t sign up on this server')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send Invitation' })).toHaveCount(0)
  await page.goto('/account')
  await expect(page.getByText('Everything is erased within 30 days')).toBeVisible()
  await expect(page.getByText('Do you know someone who’d like Tutorlog?')).toHaveCount(0)
})
