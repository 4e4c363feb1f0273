// How many taps something takes, counted on real input: the promises about them are lines of MOST_TAPS.
import { expect, type Page } from '@playwright/test'

/** What a person wants to do, and the most taps that it may take. A line is measured by the journey that names it. */
export const MOST_TAPS = {
  'first session from the landing page': 18,
  'second session by form': 2,
  'voice from the dashboard': 4,
  "a tutor's six students": 8,
  'a month confirmed on the page that the email opens': 1,
  'the same, with its PDF': 2,
  'marked as paid from the balance row': 2,
} as const

export interface Taps {
  /** The taps since the counter was made or started over. */
  count: () => number
  startOver: () => void
  /** Fails where what was done since then took more than it may, or nothing was done. */
  expectAtMost: (what: keyof typeof MOST_TAPS) => void
}

/**
 * Counts the taps on a page from now on, also after it goes to another address. A press of a finger or the mouse is one, and so is the
 * phone keyboard's Go; choosing in a list is two, one to open it and one to choose; typing, and putting the cursor into a field, is none.
 */
export async function countTaps(page: Page): Promise<Taps> {
  let count = 0
  await page.exposeFunction('countTaps', (more: number) => {
    count += more
  })
  const listen = () => {
    const add = (more: number) =>
      void (window as unknown as { countTaps: (more: number) => Promise<void> }).countTaps(more)
    const isTyped = (target: EventTarget | null) =>
      target instanceof Element &&
      target.matches(
        'textarea, input:not([type=checkbox], [type=radio], [type=submit], [type=button], [type=file])',
      )
    const on = (type: string, more: (event: Event) => number) =>
      addEventListener(type, (event) => add(more(event)), { capture: true })
    on('pointerdown', ({ target }) => (isTyped(target) || target instanceof HTMLSelectElement ? 0 : 1))
    on('change', ({ target }) => (target instanceof HTMLSelectElement ? 2 : 0))
    on('keydown', (event) =>
      (event as KeyboardEvent).key === 'Enter' && !(event.target instanceof HTMLTextAreaElement) ? 1 : 0,
    )
  }
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return {
    count: () => count,
    startOver: () => {
      count = 0
    },
    expectAtMost: (what) => {
      expect(count, `taps: ${what}`).toBeGreaterThan(0)
      expect(count, `taps: ${what}`).toBeLessThanOrEqual(MOST_TAPS[what])
    },
  }
}
