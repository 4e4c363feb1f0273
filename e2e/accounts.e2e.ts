// Signing up, confirming the address, resetting the password, signing out, and the inactivity warning.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo, signIn, signUp, someone } from './people.ts'

test("someone who hasn't confirmed their address is asked to, requests a new email and gets in with its link", async ({
  page,
}) => {
  const person = someone()
  await signUp(page, person)
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Verify Your Email' })).toBeVisible()
  await expect(page.getByText(person.email)).toBeVisible()
  expect((await page.request.get('/api/v1/students')).status()).toBe(403)
  await page.getByRole('button', { name: 'Resend Verification Email' }).click()
  await expect(page.getByText('Please check your email for the verification link.')).toBeVisible()
  const link = linkIn((await mailTo(page, person.email, 'Verify your email')).text)
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto(link)
  await expect(
    page.getByText('This confirmation link has already been used or has expired.', { exact: false }),
  ).toBeVisible()
})

test('A19: in another browser the link asks for the password of the sign-up, and then signs in', async ({
  page,
  browser,
}) => {
  const person = someone()
  await signUp(page, person)
  const link = linkIn((await mailTo(page, person.email, 'Verify your email')).text)
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
  await other.getByLabel('Password', { exact: true }).fill('not-it-at-all')
  await other.getByRole('button', { name: 'Verify email' }).click()
  await expect(other.getByText("That's not the password you signed up with")).toBeVisible()
  await other.reload()
  await other.getByLabel('Password', { exact: true }).fill(person.password)
  await other.getByLabel('Password', { exact: true }).press('Enter')
  await expect(other).toHaveURL(/\/dashboard$/)
  await expect(other.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await other.context().close()
})

test('after sign-up, /login says where the link went until the address is confirmed, resends it, and lets you correct a typo', async ({
  page,
}) => {
  const [typo, person] = [someone(), someone()]
  await signUp(page, typo)
  await expect(page).toHaveURL(/\/login$/)
  const panel = page.getByRole('region', { name: 'Confirm your account' })
  await expect(panel.getByText(`We sent a link to ${typo.email}.`)).toBeVisible()
  await panel.getByRole('button', { name: 'Wrong address?' }).click()
  await expect(page).toHaveURL(/\/signup$/)
  await expect(page.getByLabel('Email')).toHaveValue(typo.email)

  await signUp(page, person)
  await page.reload()
  await expect(panel.getByText(`We sent a link to ${person.email}.`)).toBeVisible()
  await panel.getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByText('Please check your email for the verification link.')).toBeVisible()
  await expect(panel).toBeVisible()
  await page.goto(linkIn((await mailTo(page, person.email, 'Verify your email')).text))
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect(panel).toBeHidden()
})

test('sign-up and sign-in show the messages of the catalogue', async ({ page }) => {
  await page.goto('/signup')
  await page.getByLabel('Email').fill('someone@example.com')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByLabel('Confirm password').fill('other')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page.getByText('Login failed')).toBeVisible()
  await expect(page.getByText('Google sign-in is not set up on this server.')).toBeVisible()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('greenhouse-41')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid login credentials')).toBeVisible()
})

test('a forgotten password is reset once, with a link that disappears from the address bar', async ({
  page,
}) => {
  const person = await arrive(page)
  await page.context().clearCookies()
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send Reset Instructions' }).click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText('Please check your email for password reset instructions.')).toBeVisible()
  const link = linkIn((await mailTo(page, person.email, 'Reset your')).text)
  await page.goto(link)
  await expect(page.getByLabel('New Password', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/reset-password$/)
  for (const label of ['New Password', 'Confirm New Password'])
    await page.getByLabel(label, { exact: true }).fill('Tutorlog-2026')
  await page.getByRole('button', { name: 'Update Password' }).click()
  const reason = 'This password is too easy to guess. It contains this app’s name.'
  await expect(page.getByText(reason).first()).toBeVisible()
  await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('Tutorlog-2026')
  await page.getByLabel('New Password', { exact: true }).fill('tulips-and-41')
  await page.getByLabel('Confirm New Password').fill('tulips-and-41')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('Your password has been updated successfully.')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.context().clearCookies()
  await page.goto(link)
  await expect(
    page.getByText('This password reset link is invalid or has expired. Please request a new one.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/forgot-password$/)
  await signIn(page, { ...person, password: 'tulips-and-41' })
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('A13: the inactivity warning shows in two tabs, extending in one closes it in both, and at the end both are signed out', async ({
  context,
}) => {
  // Both tabs share one fake clock.
  await context.clock.install()
  const first = await context.newPage()
  await arrive(first)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await expect(second.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  const later = async (minutes: number) => {
    await context.clock.fastForward(minutes * 60_000)
    await context.clock.runFor(2000)
  }
  await later(106)
  for (const page of [first, second])
    await expect(page.getByRole('alertdialog', { name: 'Session Timeout Warning' })).toBeVisible()
  await expect(first.getByRole('timer')).toHaveText(/^1[34]:\d\d$/)
  await first.getByRole('button', { name: 'Extend Session' }).click()
  await context.clock.runFor(2000)
  for (const page of [first, second]) await expect(page.getByRole('alertdialog')).toBeHidden()
  await later(121)
  for (const page of [first, second]) await expect(page).toHaveURL(/\/login$/)
})

/** Has the page keep what its warning says from now on. */
async function recordWarning(page: Page): Promise<void> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver(() => {
      const warning = document.querySelector('[role=alertdialog]')
      if (warning) said.push(warning.textContent)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

function recorded(page: Page): Promise<string> {
  return page.evaluate(() => (window as unknown as { said: string[] }).said.join('\n'))
}

test('A13: any activity during the warning restarts the time in all tabs and on the server, and leaves 3 seconds for the buttons', async ({
  context,
}) => {
  await context.clock.install()
  const first = await context.newPage()
  await arrive(first)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await expect(second.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Session Timeout Warning' })
  await context.clock.fastForward(106 * 60_000)
  await context.clock.runFor(5000)
  for (const page of [first, second]) await expect(warning(page)).toBeVisible()
  // Showing the warning doesn't itself count as activity.
  await context.clock.runFor(10_000)
  for (const page of [first, second]) await expect(page.getByRole('timer')).toHaveText(/^1[34]:\d\d$/)

  // A slow machine would miss the 3 seconds.
  for (const page of [first, second]) await recordWarning(page)
  const renewed = first.waitForResponse('**/api/auth/refresh')
  await first.mouse.move(100, 100)
  await first.mouse.move(120, 130)
  await renewed
  await context.clock.runFor(1000)
  const restarted = /Time remaining:1(20:00|19:\d\d).*Logout Now/
  for (const page of [first, second]) await expect.poll(() => recorded(page)).toMatch(restarted)
  await context.clock.runFor(4000)
  for (const page of [first, second]) await expect(warning(page)).toBeHidden()
  await context.clock.fastForward(100 * 60_000)
  await context.clock.runFor(2000)
  for (const page of [first, second]) await expect(page).toHaveURL(/\/dashboard$/)

  await context.clock.fastForward(6 * 60_000)
  await context.clock.runFor(2000)
  await expect(warning(first)).toBeVisible()
  await first.getByRole('button', { name: 'Logout Now' }).click()
  await context.clock.runFor(3000)
  for (const page of [first, second]) await expect(page).toHaveURL(/\/login$/)
})

test('A21: six tabs that renew their login at the same moment stay signed in, time after time', async ({
  context,
}) => {
  await context.clock.install()
  const pages = [await context.newPage()]
  await arrive(pages[0]!)
  for (let more = 0; more < 5; more++) pages.push(await context.newPage())
  const hello = (page: Page) => page.getByRole('heading', { level: 1, name: /^Hello/ })
  for (const page of pages.slice(1)) await page.goto('/dashboard')
  for (const page of pages) await expect(hello(page)).toBeVisible()
  const refused: string[] = []
  let renewals = 0
  context.on('response', (response) => {
    if (!response.url().endsWith('/api/auth/refresh')) return
    renewals += 1
    if (response.status() !== 200) refused.push(String(response.status()))
  })
  for (let round = 1; round <= 4; round++) {
    const before = renewals
    await context.clock.fastForward(14 * 60_000)
    await context.clock.runFor(31_000)
    await expect.poll(() => renewals).toBeGreaterThan(before)
    for (const page of pages) await expect(hello(page)).toBeVisible()
  }
  expect(refused).toEqual([])
  for (const page of pages) {
    await page.reload()
    await expect(hello(page)).toBeVisible()
  }
})

test('A21: a copied renewal token, used after two renewals, signs out whoever copied it and every tab, and no other device', async ({
  context,
  browser,
}) => {
  await context.clock.install()
  const [first, second] = [await context.newPage(), await context.newPage()]
  const person = await arrive(first)
  await second.goto('/dashboard')
  const hello = (page: Page) => page.getByRole('heading', { level: 1, name: /^Hello/ })
  await expect(hello(second)).toBeVisible()
  const laptop = await browser.newPage()
  await signIn(laptop, person)
  await expect(hello(laptop)).toBeVisible()
  const cookies = await context.cookies()
  let renewals = 0
  context.on('response', (response) => {
    if (response.url().endsWith('/api/auth/refresh') && response.status() === 200) renewals += 1
  })
  for (let round = 1; round <= 2; round++) {
    const before = renewals
    await context.clock.fastForward(14 * 60_000)
    await context.clock.runFor(31_000)
    await expect.poll(() => renewals).toBeGreaterThan(before)
    for (const page of [first, second]) await expect(hello(page)).toBeVisible()
  }

  const thief = await browser.newContext()
  // Without the access cookie, whose quarter of an hour is over by the clock of these tabs.
  await thief.addCookies(cookies.filter(({ name }) => !name.endsWith('access')))
  const stolen = await thief.newPage()
  await stolen.goto('/children')
  await expect(stolen).toHaveURL(/\/login$/)
  for (const page of [first, second]) {
    await page.getByRole('link', { name: 'Children' }).first().click()
    await expect(page).toHaveURL(/\/login$/)
  }
  await laptop.reload()
  await expect(hello(laptop)).toBeVisible()
  await laptop.close()
  await thief.close()
})

test('A21: a tab whose renewal is refused stays signed in if the browser has signed in again since', async ({
  page,
}) => {
  await page.clock.install()
  const person = await arrive(page)
  let isRefused = false
  await page.route('**/api/auth/refresh', async (route) => {
    // This tab's clock is ahead of the server's, so it soon renews the new login too.
    if (isRefused) return route.continue()
    const { origin } = new URL(page.url())
    const signedIn = await page.request.post('/api/auth/sign-in', { data: person, headers: { origin } })
    expect(signedIn.status()).toBe(200)
    isRefused = true
    await route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 401, code: 'session_missing', title: 'Auth session missing!' }),
    })
  })
  const askedAgain = page.waitForResponse(
    (response) => isRefused && response.url().endsWith('/api/auth/session'),
  )
  // Doesn't run the clock any further, because the renewal's own timeout would abort it.
  await page.clock.fastForward(14 * 60_000)
  await askedAgain
  await page.clock.runFor(1000)
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
})

test('someone who is signed out is sent from an app page to the login, and from an unknown one to the 404 page', async ({
  page,
}) => {
  await page.goto('/summary')
  await expect(page).toHaveURL(/\/login$/)
  const lost = await page.goto('/no/such/page')
  expect(lost?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Every tutoring hour/ })).toBeVisible()
})
