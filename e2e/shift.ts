// Measures how much a page's content shifts while it loads.
import { type BrowserContext, expect, type Page, type Request } from '@playwright/test'

/** From now on, counts layout shifts on every page that's opened. Shifts right after user input don't count. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!entry.hadRecentInput) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** A screen counts as loaded once no request has started or ended for this long. */
const QUIET_MS = 250

/**
 * A screen's Cumulative Layout Shift while it loads. Shifts right after user input don't count. Waits until
 * there are no more requests.
 */
export async function shiftOf(page: Page, path: string, timeout?: number): Promise<number> {
  const open = new Set<Request>()
  let changedAt = Date.now()
  const asked = (request: Request) => {
    // The event stream never ends, so this doesn't wait for it.
    if (!new URL(request.url()).pathname.endsWith('/events')) open.add(request)
    changedAt = Date.now()
  }
  const answered = (request: Request) => {
    open.delete(request)
    changedAt = Date.now()
  }
  page.on('request', asked).on('requestfinished', answered).on('requestfailed', answered)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible({ timeout })
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout })
  const pending = () => [...open].map((request) => `${request.method()} ${request.url()}`)
  await expect
    .poll(() => (Date.now() - changedAt > QUIET_MS ? pending() : ['changing']), { timeout })
    .toEqual([])
  page.off('request', asked).off('requestfinished', answered).off('requestfailed', answered)
  return page.evaluate(() => (Reflect.get(window, 'shifts') as number[]).reduce((sum, one) => sum + one, 0))
}
