// How long it takes from a tap until the screen it opens is painted, with cached data and the processor slowed
// down four times. Compared with a tap on a link of an empty app (only React and its router).
import { loadavg } from 'node:os'
import type { BrowserContext, CDPSession, Locator, Page } from '@playwright/test'
import { pause } from '#platform/timeout.server.ts'

const SLOWER = 4
/** The longest that 95 of 100 taps may take, in milliseconds. */
const MOST_MS = 100
/** Pages finish what a navigation started within this time, at full speed. */
const QUIET_MS = 800

interface Tap {
  name: string
  /** Goes back to where the tap is possible. */
  from: (page: Page) => Locator
  to: (page: Page) => Locator
  /** What's on screen once the tap has worked. */
  picture: string
  says: string
}

const inNav = (name: string) => (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })
const TAPS: Tap[] = [
  { name: 'home', from: inNav('Summary'), to: inNav('Dashboard'), picture: 'main h1', says: 'Hello' },
  {
    name: 'Summary',
    from: inNav('Dashboard'),
    to: inNav('Summary'),
    picture: 'main h1',
    says: 'Monthly Summary',
  },
  {
    name: 'Add Session',
    from: inNav('Dashboard'),
    to: inNav('Add Session'),
    picture: 'main h1',
    says: 'Session',
  },
  {
    name: "a row's sheet",
    from: inNav('Summary'),
    to: (page) => page.getByRole('list', { name: 'Session Details' }).locator('a.row-link').first(),
    picture: '[role=dialog]',
    says: '',
  },
]
const EMPTY_TAP: Tap = {
  name: 'empty app',
  from: inNav('First'),
  to: inNav('Next'),
  picture: 'h1',
  says: 'Next',
}

interface Places {
  plain: BrowserContext
  empty: string
  family: BrowserContext
  origin: string
  taps: number
}

/** Milliseconds from each tap to its picture, by the tap's name. */
export async function timesToPicture(places: Places): Promise<Record<string, number[]>> {
  const { plain, empty, family, origin, taps } = places
  const times: Record<string, number[]> = {}
  const blank = await plain.newPage()
  await blank.goto(empty)
  times[EMPTY_TAP.name] = await timesOf(blank, EMPTY_TAP, taps)
  const page = await family.newPage()
  await page.goto(`${origin}/summary`)
  for (const tap of TAPS) times[tap.name] = await timesOf(page, tap, taps)
  await blank.close()
  await page.close()
  return times
}

async function timesOf(page: Page, tap: Tap, taps: number): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const times: number[] = []
  // The first round loads the data and isn't counted.
  for (let round = -1; round < taps; round++) {
    if (tap.picture === '[role=dialog]' && round >= 0) await page.keyboard.press('Escape')
    else await tap.from(page).click()
    await pause(QUIET_MS)
    await tap.to(page).scrollIntoViewIfNeeded()
    const ms = await timeOf(page, session, tap)
    if (round >= 0) times.push(ms)
    await pause(QUIET_MS)
  }
  await session.detach()
  return times
}

async function timeOf(page: Page, session: CDPSession, tap: Tap): Promise<number> {
  const box = await tap.to(page).boundingBox()
  if (!box) throw new Error(`nothing to tap for ${tap.name}`)
  const painted = page.evaluate(
    async ({ picture, says }) => {
      const tappedAt = await new Promise<number>((resolve) =>
        addEventListener('mousedown', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true }),
      )
      return new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector(picture)?.textContent?.includes(says))
            // The frame in which it's found is painted before the next task.
            setTimeout(() => resolve(performance.now() - tappedAt))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })
    },
    { picture: tap.picture, says: tap.says },
  )
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const press = {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    button: 'left',
    clickCount: 1,
  } as const
  await session.send('Input.dispatchMouseEvent', { ...press, type: 'mousePressed' })
  await session.send('Input.dispatchMouseEvent', { ...press, type: 'mouseReleased' })
  const ms = await painted
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return ms
}

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? 0
}

export function reportPictures(times: Record<string, number[]>): void {
  const least = p95(times[EMPTY_TAP.name] ?? [])
  console.log(
    `tap to picture, processor ${SLOWER}x slower, load ${loadavg()[0]?.toFixed(1)}, 95 of 100 taps within:`,
  )
  for (const [name, all] of Object.entries(times)) {
    const ms = p95(all)
    const isEmpty = name === EMPTY_TAP.name
    const compared = isEmpty ? '' : `, ${(ms / least).toFixed(1)}x the empty app (at most ${MOST_MS} ms)`
    console.log(`  ${name}: ${ms.toFixed(0)} ms${compared}`)
    if (!isEmpty && ms > MOST_MS) process.exitCode = 1
  }
}
