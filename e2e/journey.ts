// The `test` function for all journeys. Before a page navigates, it waits for any closing dialog to finish.
import { type Page, test as base } from '@playwright/test'

/**
 * The maximum time to wait. A closing dialog removes its history entry, which usually takes a few
 * milliseconds but can take longer on a busy machine.
 */
const SETTLE_MS = 2000

// Until the entry is removed, the browser is still going back, and page.goto and page.reload fail with
// "net::ERR_ABORTED".
function settleFirst(page: Page): void {
  const settled = () =>
    page
      .waitForFunction(() => !(history.state as { layers?: number } | null)?.layers, undefined, {
        timeout: SETTLE_MS,
      })
      .catch(() => undefined)
  const goTo = page.goto.bind(page)
  page.goto = async (url, options) => {
    await settled()
    return goTo(url, options)
  }
  const reload = page.reload.bind(page)
  page.reload = async (options) => {
    await settled()
    return reload(options)
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

/** A time zone where it's daytime, for journeys about a class that was over earlier on the same day. */
export const IN_DAYTIME = { timezoneId: new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/New_York' }
