// The program that scripts/capture.mjs runs. It starts the app with example data, then checks and captures
// each screen in each state.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import config from '../e2e/playwright.config.ts'
import { axeFaults, eachOpened, settled, smallTargets, unstyledClasses, widthFaults } from '../e2e/screens.ts'
import { runServer } from '../e2e/server.ts'
import { shiftOf, watchShifts } from '../e2e/shift.ts'
import { peopleWith, type Person } from './capture-people.ts'
import { type Screen, slug, type State, STATES, THEMES } from './capture-screens.ts'

const PORT = process.env.CAPTURE_PORT ?? '4184'
const ORIGIN = `http://localhost:${PORT}`
const FOLDER = join(import.meta.dirname, '../build/capture')
/** How many people's screens are captured in parallel. */
const LANES = 3
const LATE_MS = 5000
const MOST_SHIFT = 0.05
/** Widths at which all of axe's rules are checked. At other widths, only the layout is different. */
const AXE_WIDTHS = [390, 1280]
const TIMEOUT = 20_000
/** Every screen first requests the signed-in user. Without a response to that, there's nothing to capture. */
const WHO = /^\/api\/(auth\/|v1\/(me|events)$)/

const { values: given } = parseArgs({
  options: { only: { type: 'string' }, states: { type: 'string' }, widths: { type: 'string' } },
})
const only = given.only === undefined ? undefined : new RegExp(given.only)
const onlyWidths = given.widths?.split(',').map(Number)
const names = given.states?.split(',') ?? Object.keys(STATES)
const unknown = names.filter((name) => !STATES[name])
if (unknown.length > 0)
  throw new Error(`no such state: ${unknown.join(', ')}. There are ${Object.keys(STATES).join(', ')}.`)

let pictures = 0
let faults = 0

/** One person's screens in one state. */
interface Task {
  name: string
  state: State
  person: Person
}

async function main(): Promise<void> {
  if (!only && !onlyWidths)
    for (const name of names) rmSync(join(FOLDER, name), { recursive: true, force: true })
  const started = Date.now()
  const settings = { BASE_URL: ORIGIN, SPEECH_ENGINE: 'remote', SPEECH_URL: 'http://127.0.0.1:9' }
  const server = await runServer(PORT, settings)
  const browser = await chromium.launch({
    ...config.use?.launchOptions,
    args: [
      ...(config.use?.launchOptions?.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
    ],
  })
  try {
    const env = { ...process.env, ...settings, PORT, DATA_DIR: server.dataDir }
    const tasks: Task[] = []
    for (const data of new Set(names.map((name) => STATES[name]?.data))) {
      const people = data ? await peopleWith(data, { browser, origin: ORIGIN, env }) : []
      for (const [name, state] of Object.entries(STATES))
        if (names.includes(name) && state.data === data)
          for (const person of people) if (isShownIn(person, name)) tasks.push({ name, state, person })
    }
    const next = async (): Promise<void> => {
      for (let task = tasks.shift(); task; task = tasks.shift()) await show(task)
    }
    await Promise.all(Array.from({ length: LANES }, next))
  } finally {
    await browser.close()
    await server.stop()
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${pictures} pictures in build/capture, ${faults} faults, ${seconds} s`)
  process.exitCode = faults > 0 ? 1 : 0

  /**
   * Captures one person's screens in a separate browser context. Signs in again for each state, because the
   * app keeps renewing its login.
   */
  async function show({ name, state, person }: Task): Promise<void> {
    const context = await browser.newContext({
      baseURL: ORIGIN,
      locale: 'en-US',
      timezoneId: 'America/New_York',
      reducedMotion: 'reduce',
      permissions: ['microphone'],
      serviceWorkers: state.isOffline ? 'allow' : 'block',
    })
    if (person.account) await signIn(context, person.account)
    context.setDefaultTimeout(TIMEOUT)
    await watchShifts(context)
    const screens = person.screens.filter((screen) => isWanted(person, screen, state))
    const page = await context.newPage()
    if (state.isOffline) await goOffline(page, screens)
    await answerAs(context, state)
    const [before, at] = [faults, Date.now()]
    const opened = new Map<number, Set<RegExp>>()
    for (const screen of screens)
      for (const width of widthsOf(screen, state)) {
        const opensDialogs = ['parent', 'tutor', 'admin'].includes(person.name)
        const shot = {
          page,
          state,
          screen,
          width,
          opensDialogs,
          isSignedIn: person.account !== undefined,
          name: join(name, `${person.name}-${screen.name}`),
        }
        await look(shot, opened.get(width) ?? opened.set(width, new Set()).get(width)).catch(
          (error: unknown) =>
            report(shot, [`can't be shown: ${String(error).split('\n').slice(0, 3).join(' ')}`]),
        )
      }
    await context.close()
    const seconds = Math.round((Date.now() - at) / 1000)
    console.log(`${name} ${person.name}: ${screens.length} screens, ${faults - before} faults, ${seconds} s`)
  }
}

function isShownIn({ states, screens, ...person }: Person, name: string): boolean {
  const state = STATES[name]
  return (
    state !== undefined &&
    (states?.includes(name) ?? true) &&
    screens.some((screen) => isWanted({ ...person, screens }, screen, state))
  )
}

function isWanted({ name }: Person, screen: Screen, state: State): boolean {
  const isPossible = !screen.then || state.dialogWidths !== undefined
  return isPossible && (only?.test(`${name}-${screen.name}`) ?? true)
}

function widthsOf({ then }: Screen, { widths, dialogWidths = [] }: State): number[] {
  return (then ? dialogWidths : widths).filter((width) => onlyWidths?.includes(width) ?? true)
}

async function signIn({ request }: BrowserContext, account: Person['account']): Promise<void> {
  const answer = await request.post('/api/auth/sign-in', { data: account, headers: { origin: ORIGIN } })
  if (!answer.ok()) throw new Error(`${account?.email} can't sign in: ${await answer.text()}`)
}

/** Visits every screen once so that the device caches the data, then goes offline. */
async function goOffline(page: Page, screens: Screen[]): Promise<void> {
  await page.goto('/dashboard')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  for (const { path } of screens) {
    await page.goto(path)
    await settled(page)
    // Data is cached shortly after it's shown.
    await page.waitForTimeout(1500)
  }
  await page.context().setOffline(true)
}

/** Makes the API fail or respond late, depending on the state. */
async function answerAs(context: BrowserContext, { answers }: State): Promise<void> {
  if (!answers) return
  await context.route(/\/api\//, async (route) => {
    if (WHO.test(new URL(route.request().url()).pathname)) return route.continue()
    if (answers === 'failing') {
      const problem = { code: 'unexpected', title: 'Something went wrong', status: 500 }
      return route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem })
    }
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    // The page may have been closed by then.
    await route.continue().catch(() => undefined)
  })
}

interface Shot {
  page: Page
  state: State
  screen: Screen
  width: number
  /** The screenshot's path without the width and theme. */
  name: string
  opensDialogs: boolean
  isSignedIn: boolean
}

/** Loads a screen at a given width. Checks and captures the screen, along with everything its buttons open. */
async function look(shot: Shot, opened = new Set<RegExp>()): Promise<void> {
  const { page, state, screen, width, name, opensDialogs } = shot
  await page.setViewportSize(windowOf(width))
  await page.emulateMedia({ colorScheme: 'light' })
  // Going to the same path with a different hash doesn't reload the page.
  await page.goto('about:blank')
  const loading = shiftOf(page, screen.path, TIMEOUT)
  if (state.answers === 'late') {
    await Promise.race([page.waitForTimeout(LATE_MS / 2), loading])
    await photograph(shot)
  }
  const shift = await loading
  if (shot.isSignedIn && new URL(page.url()).pathname === '/login') throw new Error('asks to sign in again')
  if (shift > MOST_SHIFT) report(shot, [`moves while it loads: ${shift.toFixed(3)}`])
  if (state.answers === 'late') return
  await enlarge(page, state)
  await screen.then?.(page)
  await photograph(shot)
  if (screen.then || !opensDialogs || !state.dialogWidths?.includes(width)) return
  for await (const { opener } of eachOpened(page, screen.path, opened))
    await photograph({ ...shot, name: `${name}-${slug(opener)}` })
}

/** Applies the state's text size. */
async function enlarge(page: Page, { textSize }: State): Promise<void> {
  if (textSize)
    await page.evaluate(async (size) => {
      document.documentElement.style.fontSize = size
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, textSize)
}

/** Checks the page and takes a screenshot in each theme. */
async function photograph(shot: Shot): Promise<void> {
  const { page, state, width, name } = shot
  report(shot, await widthFaults(page))
  if (width === 390 && !state.textSize) report(shot, await smallTargets(page))
  if (width === 390)
    report(
      shot,
      (await unstyledClasses(page)).map((one) => `no style for .${one}`),
    )
  const isOnTop = (await page.locator('[role=dialog], [role=alertdialog], .menu:popover-open').count()) > 0
  // Makes the window as tall as the page, so that sticky elements are at the bottom.
  if (!isOnTop) await page.setViewportSize({ width, height: await heightOf(page) })
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    if (AXE_WIDTHS.includes(width)) report({ ...shot, theme }, await axeFaults(page, theme))
    const path = join(FOLDER, `${name}-${width}-${theme}.png`)
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    pictures++
  }
  if (!isOnTop) await page.setViewportSize(windowOf(width))
}

const windowOf = (width: number) => ({ width, height: width < 768 ? 844 : 900 })

function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight)
}

function report(
  { name, width, theme = '' }: Pick<Shot, 'name' | 'width'> & { theme?: string },
  found: string[],
): void {
  for (const fault of found) console.log(`FAULT ${name} ${width} ${theme}: ${fault}`)
  faults += found.length
}

mkdirSync(FOLDER, { recursive: true })
await main()
