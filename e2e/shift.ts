// Measures how much a page's content shifts while it loads.
import { type BrowserContext, expect, type Page, type Request } from '@playwright/test'

interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** A layout shift's size, and the elements that moved. */
interface Shift {
  value: number
  moved: string[]
}

/** Counts layout shifts on every page opened from now on, except those that follow user input. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    const nameOf = (node: Node | null) =>
      node instanceof Element
        ? `${node.tagName.toLowerCase()} "${node.textContent.trim().slice(0, 30)}"`
        : node?.nodeName
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[])
        if (!hadRecentInput)
          shifts.push({
            value,
            moved: sources.map(
              ({ node, previousRect, currentRect }) =>
                `${nameOf(node)} from ${Math.round(previousRect.y)} to ${Math.round(currentRect.y)}`,
            ),
          })
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
  return (await shiftsOn(page)).reduce((sum, { value }) => sum + value, 0)
}

function shiftsOn(page: Page): Promise<Shift[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts') as Shift[])
}

/** What moved on a page, from the largest shift to the smallest. */
export async function movedOn(page: Page): Promise<string> {
  const shifts = (await shiftsOn(page)).sort((one, other) => other.value - one.value)
  return shifts.map(({ value, moved }) => `${value.toFixed(3)} ${moved.join(', ')}`).join('; ')
}
