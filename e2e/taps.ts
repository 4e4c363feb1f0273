// Counts the taps for a task from real input events. MOST_TAPS contains the limits.
import { expect, type Page } from '@playwright/test'

/** The maximum number of taps for each task. Each task is measured by one of the journeys. */
const MOST_TAPS = {
  /** Fifteen with its seven fields, which don't count here. */
  'first session from the landing page': 8,
  'second session': 1,
  "yesterday's lesson": 2,
  "the other side's move of a class, accepted": 1,
  "yesterday's lesson, which didn't happen": 2,
  "two of a tutor's usual lessons": 2,
  'voice from the dashboard': 3,
  "a tutor's six students": 8,
  "a tutor's six lessons": 2,
  'agreeing to terms': 1,
  'a month confirmed on the page that the email opens': 1,
  'the same, with its PDF': 2,
  'marked as paid from the balance row': 2,
  'what the other side says is right, accepted': 1,
  'a rate on seven sessions': 2,
  'weekly classes of eight students': 20,
  'a month closed by one side': 1,
} as const

export interface Taps {
  /** The number of taps since the counter was created or reset. */
  count: () => number
  startOver: () => void
  /** Fails if the task took more taps than allowed, or none at all. */
  expectAtMost: (what: keyof typeof MOST_TAPS) => void
}

/**
 * Counts the taps on a page, across navigations. A touch, a click and the Go key on a phone's keyboard each
 * count as one tap. Choosing from a select counts as two: opening it and choosing. Typing and focusing a
 * field don't count.
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
