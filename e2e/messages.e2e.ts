// The error messages in docs/product.md, section 8, one at a time. The first request fails on purpose; the
// retry reaches the real server.
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive, someone } from './people.ts'
import { failOnServer, hearNothing, holdBack } from './screens.ts'

/** How a request fails: the server answers with an error, or isn't reached. */
type Failure = 'fails' | 'is blocked'
const FAILURES = ['fails', 'is blocked'] as const

/** Makes requests with this method and path fail. Returns a function that lets them through again. */
async function breakDown(
  page: Page,
  method: string,
  path: string,
  how: Failure = 'fails',
): Promise<() => Promise<void>> {
  const pattern = new RegExp(`/api/${path}(/[0-9a-f-]{36})?(\\?.*)?$`)
  await page.route(pattern, (route) => {
    if (route.request().method() !== method) return route.fallback()
    if (how === 'is blocked') return route.abort()
    return failOnServer(route)
  })
  return () => page.unroute(pattern)
}

async function expectError(page: Page, title: string, message: string): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: message })
  await expect(alert).toContainText(title)
  await alert.getByRole('button', { name: 'Dismiss' }).click()
}

async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const boxOf = (found: Element[]) =>
    found.map((element) => element.getBoundingClientRect().toJSON() as DOMRect)
  const [[a], [b]] = [await one.evaluateAll(boxOf), await other.evaluateAll(boxOf)]
  return Boolean(a && b && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
}

for (const how of FAILURES)
  test(`sign-in, sign-up and forgotten passwords say what went wrong if the call ${how}`, async ({
    page,
  }) => {
    await page.goto('/login')
    await page.getByLabel('Email').fill('someone@example.com')
    await page.getByLabel('Password', { exact: true }).fill('greenhouse-41')
    let mend = await breakDown(page, 'POST', 'auth/sign-in', how)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expectError(page, 'Login failed', 'An unexpected error occurred')
    await expect(page.getByLabel('Email')).toHaveValue('someone@example.com')
    await mend()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expectError(page, 'Login failed', 'Invalid login credentials')
    mend = await breakDown(page, 'POST', 'auth/google', how)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expectError(page, 'Login failed', 'An unexpected error occurred')
    await mend()

    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill('someone@example.com')
    mend = await breakDown(page, 'POST', 'auth/forgot-password', how)
    await page.getByRole('button', { name: 'Send Reset Instructions' }).click()
    await expectError(page, 'Error', 'An unexpected error occurred')
    await mend()
    await page.getByRole('button', { name: 'Send Reset Instructions' }).click()
    await expect(page.getByText('Email Sent')).toBeVisible()

    await page.goto('/reset-password?access_token=made-up&refresh_token=made-up')
    await expect(page.getByRole('alert')).toContainText('Invalid Reset Link')
    await expect(page.getByRole('alert')).toContainText(
      'This password reset link is invalid or has expired. Please request a new one.',
    )
    await expect(page).toHaveURL(/\/forgot-password$/)

    const person = someone()
    await page.goto('/signup')
    await page.getByLabel('Email').fill(person.email)
    for (const field of ['Password', 'Confirm password'])
      await page.getByLabel(field, { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('radio', { name: /Parent/ }).check({ force: true })
    mend = await breakDown(page, 'POST', 'auth/sign-up', how)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expectError(page, 'Error', 'An unexpected error occurred')
    await mend()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(
      page.getByText(
        'Account created successfully! Please check your email to verify your account before signing in.',
      ),
    ).toBeVisible()
    mend = await breakDown(page, 'POST', 'auth/request-verification', how)
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await expectError(page, 'Error', 'Failed to resend verification email')
    await mend()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    mend = await breakDown(page, 'POST', 'auth/resend', how)
    await page.getByRole('button', { name: 'Resend Verification Email' }).click()
    await expectError(page, 'Error', 'Failed to resend verification email')
    await mend()
    await page.getByRole('button', { name: 'Resend Verification Email' }).click()
    await expect(page.getByText('Please check your email for the verification link.')).toBeVisible()
  })

test('a list that does not load says which one, and loads on retry', async ({ page }) => {
  await hearNothing(page)
  for (const [role, list] of [
    [
      'Parent',
      [
        ['/children', 'v1/students', 'Failed to fetch children'],
        ['/tutors', 'v1/tutors', 'Failed to fetch tutors'],
        ['/summary', 'v1/sessions', 'Failed to fetch sessions'],
      ],
    ],
    [
      'Tutor',
      [
        ['/students', 'v1/students', 'Failed to fetch students'],
        ['/schedules', 'v1/schedules', 'Failed to fetch schedules'],
      ],
    ],
  ] as const) {
    await page.context().clearCookies()
    await arrive(page, role)
    if (role === 'Parent') {
      const { log } = await mayaWithIngrid(page)
      await log()
    }
    for (const [path, api, message] of list) {
      const mend = await breakDown(page, 'GET', api)
      await page.goto(path)
      await expectError(page, 'Error', message)
      await mend()
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    }
  }
})

for (const how of FAILURES)
  test(`children and tutors: each failure has its message and keeps what was typed, and a retry succeeds (the call ${how})`, async ({
    page,
  }) => {
    await arrive(page)
    for (const [noun, path, api] of [
      ['child', '/children', 'v1/students'],
      ['tutor', '/tutors', 'v1/tutors'],
    ] as const) {
      const [Noun, name] = [noun === 'child' ? 'Child' : 'Tutor', noun === 'child' ? 'Maya' : 'Ingrid']
      await page.goto(path)
      await page.getByRole('button', { name: `Add ${Noun}` }).click()
      await page.getByLabel('Name').fill(name)
      let mend = await breakDown(page, 'POST', api, how)
      await page.getByRole('button', { name: `Add ${Noun}` }).click()
      await expectError(page, 'Error', `Failed to add ${noun}`)
      await expect(page.getByLabel('Name')).toHaveValue(name)
      await mend()
      await page.getByRole('button', { name: `Add ${Noun}` }).click()
      await expect(page.getByText(`${Noun} added successfully`)).toBeVisible()

      await page.getByRole('button', { name: `Edit ${name}` }).click()
      mend = await breakDown(page, 'PATCH', api, how)
      await page.getByRole('button', { name: `Update ${Noun}` }).click()
      await expectError(page, 'Error', `Failed to update ${noun}`)
      await mend()
      await page.getByRole('button', { name: `Update ${Noun}` }).click()
      await expect(page.getByText(`${Noun} updated successfully`)).toBeVisible()

      await page.getByRole('button', { name: `Delete ${name}` }).click()
      await expect(page.getByText(`Are you sure you want to delete this ${noun}?`)).toBeVisible()
      mend = await breakDown(page, 'DELETE', api, how)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expectError(page, 'Error', `Failed to delete ${noun}`)
      await mend()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(page.getByText(`${Noun} deleted successfully`)).toBeVisible()
    }
  })

test('sessions: adding, changing and deleting each have their own failure message', async ({ page }) => {
  await arrive(page)
  await mayaWithIngrid(page)
  await page.goto('/add-session')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya' })
  await page.getByRole('combobox', { name: 'Tutor' }).selectOption({ label: 'Ingrid ($45.00/hour)' })
  let mend = await breakDown(page, 'POST', 'v1/sessions')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expectError(page, 'Error', 'Failed to add session')
  await mend()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  await page.goto('/summary')
  await page
    .getByRole('button', { name: /^Edit session, Maya/ })
    .first()
    .click()
  mend = await breakDown(page, 'PATCH', 'v1/sessions')
  await page.getByRole('button', { name: 'Update Session' }).click()
  await expectError(page, 'Error', 'Failed to update session')
  await mend()
  mend = await breakDown(page, 'DELETE', 'v1/sessions')
  await page.getByRole('button', { name: 'Delete session' }).click()
  await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click()
  await expectError(page, 'Error', 'Failed to delete session')
  await mend()
  await page.getByRole('button', { name: /^Edit session, Maya/ }).click()
  await page.getByRole('button', { name: 'Delete session' }).click()
  await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('No sessions found for this month')).toBeVisible()
})

for (const how of FAILURES)
  test(`students and schedules: dialogs stay open on a failure and close on success (the call ${how})`, async ({
    page,
  }) => {
    await arrive(page, 'Tutor')
    await page.goto('/students?new')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Student Name').fill('Aiko')
    let mend = await breakDown(page, 'POST', 'v1/students', how)
    await dialog.getByRole('button', { name: 'Add Student' }).click()
    await expectError(page, 'Error', 'Failed to add student')
    await expect(dialog.getByLabel('Student Name')).toHaveValue('Aiko')
    await mend()
    await dialog.getByRole('button', { name: 'Add Student' }).click()
    await expect(page.getByText('Student added successfully')).toBeVisible()
    await page.getByRole('button', { name: 'Edit Aiko' }).click()
    mend = await breakDown(page, 'PATCH', 'v1/students', how)
    await dialog.getByRole('button', { name: 'Update Student' }).click()
    await expectError(page, 'Error', 'Failed to update student')
    await mend()
    await dialog.getByRole('button', { name: 'Update Student' }).click()
    await expect(page.getByText('Student updated successfully')).toBeVisible()

    await page.goto('/schedules?new')
    await dialog.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Aiko' })
    await dialog.getByText('Tue', { exact: true }).click()
    await dialog.getByLabel('Start time').fill('16:30')
    mend = await breakDown(page, 'POST', 'v1/schedules/several', how)
    await dialog.getByRole('button', { name: 'Create Schedule' }).click()
    await expectError(page, 'Error', 'Failed to create schedule')
    await expect(dialog.getByLabel('Start time')).toHaveValue('16:30')
    await mend()
    await dialog.getByRole('button', { name: 'Create Schedule' }).click()
    await expect(page.getByText('Schedule created successfully')).toBeVisible()
    await page.getByRole('button', { name: 'Edit schedule for Aiko' }).click()
    mend = await breakDown(page, 'PATCH', 'v1/schedules', how)
    await dialog.getByRole('button', { name: 'Update Schedule' }).click()
    await expectError(page, 'Error', 'Failed to update schedule')
    await mend()
    await dialog.getByRole('button', { name: 'Update Schedule' }).click()
    await expect(page.getByText('Schedule updated successfully')).toBeVisible()
    mend = await breakDown(page, 'DELETE', 'v1/schedules', how)
    await page.getByRole('button', { name: 'Delete schedule for Aiko' }).click()
    await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click()
    await expectError(page, 'Error', 'Failed to delete schedule')
    await expect(page.getByRole('heading', { name: 'Aiko' })).toBeVisible()
    await mend()

    await page.goto('/students')
    await page.getByRole('button', { name: 'Delete Aiko' }).click()
    await expect(
      page.getByText('Are you sure you want to delete Aiko? This action cannot be undone.'),
    ).toBeVisible()
    mend = await breakDown(page, 'DELETE', 'v1/students', how)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectError(page, 'Error', 'Failed to delete student')
    await mend()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Student deleted successfully')).toBeVisible()
  })

test('a toast never covers the button just pressed, the error stays at the form, and the toast disappears with the page', async ({
  page,
}) => {
  await arrive(page)
  await mayaWithIngrid(page)
  await breakDown(page, 'POST', 'v1/sessions')
  for (const size of [
    { width: 390, height: 844 },
    { width: 390, height: 560 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/add-session')
    await expect(page.getByText('1 h at $45.00')).toBeVisible()
    await page.getByRole('button', { name: 'Add Session' }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'Failed to add session' }).locator('.toast')
    await expect(toast).toBeVisible()
    const reason = page.getByText('Something went wrong on our side')
    await expect(reason).toBeVisible()
    for (const control of [
      page.getByRole('button', { name: 'Add Session' }),
      page.getByRole('combobox', { name: 'Child' }),
      page.getByLabel('Subject'),
      page.getByLabel('Notes'),
    ]) {
      await control.focus()
      await control.scrollIntoViewIfNeeded()
      await expect.poll(() => overlaps(control, toast), `${size.width} x ${size.height}`).toBe(false)
    }
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await expect(toast).toBeHidden()
  }
})

test('a toast that appears just before a tap is there for a moment on the next page, and F6 waits for its button', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await arrive(page)
  const sendCode = await holdBack(page, /\/ToastCard-[^/]*\.js$/)
  await page.goto('/account')
  await page.clock.install()
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.getByLabel('Full name').fill('Dana Whitfield')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('button', { name: 'Save' }).click()
  const toast = page.locator('.toast').filter({ hasText: 'Name changed' })
  await expect(toast).toBeVisible()
  await page.keyboard.press('F6')
  await expect(toast.getByRole('button')).toHaveCount(0)
  sendCode()
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeFocused()

  await page.getByRole('link', { name: 'Children' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Children' })).toBeVisible()
  await expect(toast).toBeVisible()
  await page.clock.runFor(1600)
  await expect(toast).toBeHidden()
  await context.close()
})

test('an unknown route is the 404 page, with a way home', async ({ page }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

for (const how of FAILURES)
  test(`messages to us and invitations to friends say that they weren’t sent if the call ${how}`, async ({
    page,
  }) => {
    await page.goto('/contact')
    for (const [field, text] of [
      ['Name', 'Ann'],
      ['Email', 'ann@example.com'],
      ['Subject', 'Hello'],
      ['Message', 'A question'],
    ] as const)
      await page.getByLabel(field).fill(text)
    let mend = await breakDown(page, 'POST', 'v1/contact', how)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expectError(page, 'Error', 'Failed to send message. Please try again.')
    await expect(page.getByLabel('Message')).toHaveValue('A question')
    await mend()
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Message sent successfully!')).toBeVisible()
    await expect(page.getByText("Thank you for contacting us. We'll get back to you soon.")).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveValue('')

    await arrive(page)
    await page.goto('/invite-friends')
    await page.getByRole('button', { name: 'Send Invitation' }).click()
    await expectError(page, 'Error', "Please enter your friend's email address")
    const friend = someone().email
    await page.getByLabel("Friend's Email").fill(friend)
    mend = await breakDown(page, 'POST', 'v1/invitations', how)
    await page.getByRole('button', { name: 'Send Invitation' }).click()
    await expectError(page, 'Error', 'Failed to send invitation. Please try again.')
    await mend()
    await page.getByRole('button', { name: 'Send Invitation' }).click()
    await expect(page.getByText('Invitation sent!')).toBeVisible()
    await expect(page.getByText(friend)).toBeVisible()
  })
