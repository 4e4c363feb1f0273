// The demo lets a visitor try both sides of a family's month without signing up. It sends nothing to the
// server and stores nothing in the browser.
import { expect, type FrameLocator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { ruleFaults, widthFaults } from './screens.ts'

const DESKTOP = { width: 1280, height: 900 }

/** Records the page's requests, except those for the app's own files. */
function watchRequests(page: Page): string[] {
  const more: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' || pathname.startsWith('/api/'))
      more.push(`${request.method()} ${pathname}`)
  })
  return more
}

/** Everything that the page has stored in the browser so far. */
function keptBy(page: Page) {
  return page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    cookies: document.cookie,
    workers: (await navigator.serviceWorker?.getRegistrations())?.length ?? 0,
  }))
}
const NOTHING = { local: [], session: [], databases: [], caches: [], cookies: '', workers: 0 }

/** Last month's name in the month controls, and its value in the month list. */
function lastMonth(page: Page): Promise<{ name: string; value: string }> {
  return page.evaluate(() => {
    const now = new Date()
    const before = new Date(now.getFullYear(), now.getMonth() - 1, 15)
    const isOther = before.getFullYear() !== now.getFullYear()
    return {
      name: before.toLocaleDateString('en-US', { month: 'long', ...(isOther ? { year: 'numeric' } : {}) }),
      value: `${before.getFullYear()}-${String(before.getMonth() + 1).padStart(2, '0')}`,
    }
  })
}

async function openDemo(page: Page) {
  await page.goto('/')
  await page.getByRole('link', { name: "See a family's month" }).click()
  await expect(page.getByText('This is a demo with example data.')).toBeVisible()
  const side = (title: RegExp) => page.frameLocator(`iframe[title*="${title.source}"]`)
  return { parent: side(/parent/), tutor: side(/tutor/) }
}

async function toSummary(side: FrameLocator, month: string): Promise<void> {
  await side.getByRole('link', { name: 'Summary' }).first().click()
  await expect(side.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await side.getByLabel('Month', { exact: true }).selectOption(month)
}

/**
 * From both sides, confirms and disputes last month's sessions and closes the month.
 * @param turn switches to a side when only one is visible at a time
 */
async function closeLastMonth(
  page: Page,
  { parent, tutor }: { parent: FrameLocator; tutor: FrameLocator },
  turn: (side: 'Parent' | 'Tutor') => Promise<void>,
): Promise<void> {
  const { name, value } = await lastMonth(page)
  // Confirms every session that's waiting for the parent except the newest, which it disputes.
  const confirms = parent.getByRole('button', { name: /^Confirm, / })
  await expect(confirms.first()).toBeVisible()
  await expect(parent.locator('[aria-busy=true]')).toHaveCount(0)
  const waiting = await confirms.count()
  await parent
    .getByRole('button', { name: /^Not right, / })
    .first()
    .click()
  await parent.getByRole('textbox', { name: /^Note to / }).fill('It was 45 minutes')
  await parent.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(parent.getByRole('dialog')).toHaveCount(0)
  for (let left = waiting - 1; left >= 0; left--) {
    await expect(confirms).toHaveCount(left)
    if (left > 0) await confirms.last().click()
  }
  await turn('Tutor')
  await expect(tutor.getByText('It was 45 minutes').first()).toBeVisible()
  await turn('Parent')
  await toSummary(parent, value)
  await parent.getByRole('button', { name: `Close ${name} with Ingrid Halvorsen` }).click()
  await expect(parent.getByText(`You asked to close ${name}.`)).toBeVisible()
  await turn('Tutor')
  await toSummary(tutor, value)
  await tutor.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()
  await turn('Parent')
  await expect(parent.getByText('Closed', { exact: true })).toBeVisible()
}

test.describe('on a desktop', () => {
  test.use({ viewport: DESKTOP, serviceWorkers: 'allow' })

  test('a visitor confirms, disputes and closes a month with both sides next to each other; nothing is sent or stored', async ({
    page,
  }) => {
    const more = watchRequests(page)
    const sides = await openDemo(page)
    // When the tutor's side adds the second tick, the parent's side shows it too.
    await expect(sides.tutor.getByRole('button', { name: /^Confirm, / }).first()).toBeVisible()
    const heard = page.evaluate(
      () =>
        new Promise((resolve) => {
          new BroadcastChannel('login').addEventListener('message', () => resolve('heard'))
          setTimeout(resolve, 3000, 'silence')
        }),
    )
    await closeLastMonth(page, sides, async () => undefined)
    expect(await heard).toBe('silence')
    expect(more).toEqual([])
    expect(await keptBy(page)).toEqual(NOTHING)
    await page.reload()
    await expect(sides.parent.getByRole('button', { name: /^Not right, / }).first()).toBeVisible()
    await expect(sides.parent.getByText('It was 45 minutes')).toHaveCount(0)
  })

  test("the tutor gives the second tick, and the parent's side shows it without a reload", async ({
    page,
  }) => {
    const { parent, tutor } = await openDemo(page)
    const own = tutor.getByRole('button', { name: /^Confirm, / }).first()
    await parent.getByRole('link', { name: 'Summary' }).first().click()
    const agreed = parent.getByText(/\$[\d,.]+ agreed/i).first()
    await expect(agreed).toBeVisible()
    const before = await agreed.innerText()
    await own.click()
    await expect(agreed).not.toHaveText(before)
  })
})

test('on a phone one side is visible at a time, and everything works there, too', async ({ page }) => {
  const more = watchRequests(page)
  const sides = await openDemo(page)
  await expect(page.locator('iframe')).toHaveCount(1)
  await closeLastMonth(page, sides, async (side) => page.getByText(side, { exact: true }).click())
  expect(more).toEqual([])
  expect(await keptBy(page)).toEqual(NOTHING)
  expect([...(await widthFaults(page)), ...(await ruleFaults(page))]).toEqual([])
})

test("what the demo can't do asks you to sign up, which is one click away", async ({ page }) => {
  const { parent } = await openDemo(page)
  await parent.getByRole('button', { name: /account/i }).click()
  await parent.getByRole('menuitem', { name: 'Account settings' }).click()
  await expect(parent.getByRole('heading', { name: 'Sign up to use this' })).toBeVisible()
  await parent.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(parent.getByRole('heading', { name: 'Sign up to use this' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/signup$/)
})

test("only the demo's page may show its sides in a frame", async ({ page }) => {
  const side = await page.request.get('/demo/parent/dashboard')
  expect(side.headers()['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(side.headers()['content-security-policy']).toContain("connect-src 'none'")
  for (const path of ['/demo', '/login', '/dashboard']) {
    const { 'content-security-policy': policy, 'x-frame-options': options } = (
      await page.request.get(path)
    ).headers()
    expect([policy?.includes("frame-ancestors 'none'"), options]).toEqual([true, 'DENY'])
  }
})
