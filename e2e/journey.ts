// The `test` function for all journeys. Before a page navigates, it waits for any closing dialog to finish, and toasts
// stay until they're used.
import { type BrowserContext, type Page, test as base } from '@playwright/test'

/** Dialogs, sheets, menus and forms in the page. Each of them has a history entry while it's open. */
const LAYERS =
  '[role=dialog], [role=alertdialog], .menu:popover-open, section.card[aria-labelledby] > h2[tabindex="-1"]'

// A closing dialog removes its history entry. Until it has, the browser is still going back, and page.goto and
// page.reload fail with "net::ERR_ABORTED".
function settleFirst(page: Page): void {
  const settled = () =>
    page
      .waitForFunction(
        (layers) =>
          ((history.state as { layers?: number } | null)?.layers ?? 0) <=
          document.querySelectorAll(layers).length,
        LAYERS,
      )
      .catch(() => undefined)
  // A dialog that is still open may close, and go back, while the page is leaving. Then it leaves once it has closed.
  const leaving = async <Answer>(leave: () => Promise<Answer>): Promise<Answer> => {
    await settled()
    try {
      return await leave()
    } catch (error) {
      if (!String(error).includes('net::ERR_ABORTED')) throw error
      await settled()
      return leave()
    }
  }
  const goTo = page.goto.bind(page)
  page.goto = (url, options) => leaving(() => goTo(url, options))
  const reload = page.reload.bind(page)
  page.reload = (options) => leaving(() => reload(options))
}

/**
 * Rests the pointer on every toast, which stops its time. On a slow machine, what a journey does or looks for first
 * can take longer than a toast stays. Leaving the toast, or its button, lets its time run.
 */
async function holdToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const held = new WeakSet<Element>()
    const hold = () => {
      for (const toast of document.querySelectorAll('.toasts div.toast')) {
        if (held.has(toast)) continue
        held.add(toast)
        toast.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      }
    }
    new MutationObserver(hold).observe(document, { childList: true, subtree: true })
  })
}

export const test = base.extend<object, { settled: undefined }>({
  settled: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        context.on('page', settleFirst)
        await holdToasts(context)
        return context
      }
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

/** A time zone where it's daytime, for journeys about a class that was over earlier on the same day. */
export const IN_DAYTIME = { timezoneId: new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'America/New_York' }
