// Tabs and devices that follow what happens elsewhere: beside each other, suspended, hidden and offline.
import { type Browser, type BrowserContextOptions, expect, type Page, type Request } from '@playwright/test'
import { test } from './journey.ts'
import { connected, mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive } from './people.ts'
import { post, send, watch } from './screens.ts'

/** A second phone with the same login. */
async function ownOtherPhone(page: Page, browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  return otherPhone(page, browser, { storageState: await page.context().storageState(), ...options })
}

/** Tells a page that its tab was hidden or came to the front. All tabs of a headless browser count as in front. */
async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

const aSession = (page: Page, subject: string) =>
  page.getByRole('list', { name: 'Session Details' }).getByRole('listitem').filter({ hasText: subject })

test('what is logged, confirmed, paid and deleted in one tab shows in another tab, on another phone and on the other side', async ({
  page,
  browser,
}) => {
  const { tutor, who, own, today, log } = await connected(page, browser)
  await watch(page, '/summary')
  const tab = await page.context().newPage()
  await watch(tab, '/summary')
  const phone = await ownOtherPhone(page, browser)
  await watch(phone, '/summary')
  await watch(tutor, '/summary')
  const all = [page, tab, phone, tutor]

  const logged = await log({ subject: 'Algebra' })
  for (const one of all) await expect(aSession(one, 'Algebra')).toBeVisible()

  await tutor.goto('/to-confirm')
  await send(tutor, 'post', `sessions/${logged.id}/confirm`, {})
  for (const one of [page, tab, phone]) await expect(aSession(one, 'Algebra')).toContainText(/Agreed|Agreed/)

  for (const one of [tab, phone]) await one.goto('/payments')
  await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
  await post(page, 'payments', { tutor_id: who.tutor_id, date: today, amount: 12.34 })
  for (const one of [tab, phone]) await expect(one.getByText('$12.34').first()).toBeVisible()

  await watch(tab, '/summary')
  await watch(phone, '/summary')
  const theirs = await post(tutor, 'sessions', { ...own, date: today, duration: 2, subject: 'Chess' })
  for (const one of [page, tab, phone]) await expect(aSession(one, 'Chess')).toBeVisible()
  await send(tutor, 'delete', `sessions/${theirs.id}`, {})
  for (const one of [page, tab, phone]) await expect(aSession(one, 'Chess')).toHaveCount(0)
})

test('a tab in front hears of changes although the browser has suspended the tab that heard of them first', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await watch(page, '/dashboard')
  const tab = await page.context().newPage()
  await watch(tab, '/summary')
  await expect(tab.getByRole('heading', { name: 'Monthly Summary' })).toBeVisible()
  const device = await page.context().newCDPSession(page)
  await device.send('Debugger.enable')
  await device.send('Debugger.pause')
  await log({ subject: 'Algebra' })
  await expect(aSession(tab, 'Algebra')).toBeVisible()
})

test('a hidden tab loads nothing, and what it missed once when it comes to the front', async ({ page }) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await watch(page, '/dashboard')
  const tab = await page.context().newPage()
  await watch(tab, '/summary')
  await show(tab, 'hidden')
  const asked: string[] = []
  const note = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/') && !pathname.endsWith('/events')) asked.push(pathname)
  }
  tab.on('request', note)
  for (const subject of ['Algebra', 'Chess', 'Reading']) await log({ subject, is_another: true })
  await expect(page.getByText('Reading').first()).toBeVisible()
  // What logging a session needs may still be loading for the first time.
  expect(asked).not.toContain('/api/v1/summary')
  // Longer than the server repeats changes to those who subscribe after them.
  await tab.waitForTimeout(11_000)
  asked.length = 0
  await show(tab, 'visible')
  for (const subject of ['Algebra', 'Chess', 'Reading']) await expect(aSession(tab, subject)).toBeVisible()
  await tab.waitForLoadState('networkidle')
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
})

test('a tab that was offline shows what it missed as soon as it is online again', async ({
  page,
  browser,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  const phone = await ownOtherPhone(page, browser, { serviceWorkers: 'allow' })
  await watch(phone, '/summary')
  await expect.poll(() => phone.evaluate(async () => Boolean(await caches.match('/dashboard')))).toBe(true)
  await phone.context().setOffline(true)
  await log({ subject: 'Algebra' })
  await expect(aSession(phone, 'Algebra')).toHaveCount(0)
  // Longer than the server repeats changes to those who subscribe after them.
  await phone.waitForTimeout(11_000)
  await phone.context().setOffline(false)
  await expect(aSession(phone, 'Algebra')).toBeVisible()
})
