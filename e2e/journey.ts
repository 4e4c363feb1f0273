// The test of every journey. Its pages wait for a closed dialog before they go elsewhere, as a person's hand does.
import { type Page, test as base } from '@playwright/test'

/** A dialog that closes gives its history entry back, which takes a few milliseconds, more on a busy machine. */
const SETTLE_MS = 1000

// A navigation by address in those milliseconds is undone by the entry that goes back: "net::ERR_ABORTED".
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
