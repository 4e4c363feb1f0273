// The `test` function that every journey uses. It delays a page's navigation until a closing dialog is done.
import { type Page, test as base } from '@playwright/test'

/** A closing dialog removes its history entry. That takes a few milliseconds, or longer on a busy machine. */
const SETTLE_MS = 1000

// In the meantime, page.goto fails with "net::ERR_ABORTED", because the browser is still going back.
function settleFirst(page: Page): void {
  const goTo = page.goto.bind(page)
  page.goto = async (url, options) => {
    await page
      .waitForFunction(() => !(history.state as { layers?: number } | null)?.layers, undefined, {
        timeout: SETTLE_MS,
      })
      .catch(() => undefined)
    return goTo(url, options)
  }
}

export const test = base.extend<object, { settled: undefined }>({
  settled: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        context.on('page', settleFirst)
        return context
      }
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})
