// The program behind proofs/capture.mjs: starts the app with example data, then checks and captures each
// screen in each state.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import config from '../e2e/playwright.config.ts'
import { axeFaults, eachOpened, settled, smallTargets, unstyledClasses, widthFaults } from '../e2e/screens.ts'
import { runServer } from '../e2e/server.ts'
import { movedOn, shiftOf, watchShifts } from '../e2e/shift.ts'
import { peopleWith, type Person } from './capture-people.ts'
import { type Screen, slug, type State, STATES, THEMES, WIDTHS } from './capture-screens.ts'

const PORT = process.env.CAPTURE_PORT ?? '4184'
const ORIGIN = `http://localhost:${PORT}`
const FOLDER = join(import.meta.dirname, '../build/capture')
/** How many people's screens to capture in parallel. When responses are late, the machine is mostly idle. */
const [LANES, LATE_LANES] = [3, 8]
const LATE_MS = 5000
const MOST_SHIFT = 0.05
/** Longer than it takes to get three late responses on a busy machine, each depending on the previous one. */
const TIMEOUT = 45_000
/** Every screen first requests the signed-in user. Without a response, there's no screen to capture. */
const WHO = /^\/api\/(auth\/|v1\/(me|events)$)/

const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    states: { type: 'string' },
    widths: { type: 'string' },
    continue: { type: 'boolean' },
  },
})
const only = given.only === undefined ? undefined : new RegExp(given.only)
const widths = given.widths?.split(',').map(Number) ?? WIDTHS
const names = given.states?.split(',') ?? Object.keys(STATES)
const unknown = names.filter((name) => !STATES[name])
if (unknown.length > 0)
  throw new Error(`no such state: ${unknown.join(', ')}. There are ${Object.keys(STATES).join(', ')}.`)

/**
 * One person's screens in one state, at a single width. Offline, a task covers all widths, because the first
 * visits take a long time.
 */
interface Task {
  name: string
  state: State
  person: Person
  widths: readonly number[]
}

/** What a task found. Saved next to its pictures, so that an interrupted run can continue. */
interface Result {
  pictures: number
  faults: string[]
}

const all: Result[] = []

async function main(): Promise<void> {
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
    for (const data of new Set(names.map((name) => STATES[name]?.data))) {
      const people = data ? await peopleWith(data, { browser, origin: ORIGIN, env }) : []
      for (const [name, state] of Object.entries(STATES))
        if (names.includes(name) && state.data === data) await capture(browser, tasksOf(name, state, people))
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  const faults = all.reduce((sum, one) => sum + one.faults.length, 0)
  const pictures = all.reduce((sum, one) => sum + one.pictures, 0)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${pictures} pictures in build/capture, ${faults} faults, ${seconds} s`)
  process.exitCode = faults > 0 ? 1 : 0
}

function tasksOf(name: string, state: State, people: Person[]): Task[] {
  return people
    .filter(({ states }) => states?.includes(name) ?? true)
    .map((person) => ({
      ...person,
      screens: person.screens.filter(
        (screen) =>
          (!screen.then || state.dialogWidths) &&
          // Only the server can tell whether a month's code is valid.
          !(state.isOffline && screen.path.startsWith('/verify/')) &&
          (only?.test(`${person.name}-${screen.name}`) ?? true),
      ),
    }))
    .filter(({ screens }) => screens.length > 0)
    .flatMap((person) =>
      (state.isOffline ? [widths] : widths.map((width) => [width])).map((each) => ({
        name,
        state,
        person,
        widths: each,
      })),
    )
}

/** Runs the tasks in parallel. With --continue, skips those that an earlier run finished. */
async function capture(browser: Browser, tasks: Task[]): Promise<void> {
  const next = async (): Promise<void> => {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const name = `${task.name}/${task.person.name}-${task.widths.join('-')}`
      const file = join(FOLDER, `${name}.json`)
      const isDone = given.continue && existsSync(file)
      const result = isDone ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : await show(browser, task)
      all.push(result)
      for (const fault of result.faults) console.log(`FAULT ${fault}`)
      console.log(`${name}: ${result.pictures} pictures, ${result.faults.length} faults`)
      mkdirSync(join(FOLDER, task.name), { recursive: true })
      // A partially completed task doesn't count as finished.
      if (!only) writeFileSync(file, JSON.stringify(result))
    }
  }
  const isLate = tasks.some(({ state }) => state.answers === 'late')
  await Promise.all(Array.from({ length: isLate ? LATE_LANES : LANES }, next))
}

/**
 * Captures a task's screens in a separate browser context. Signs in again for each task, because the app
 * keeps renewing its login.
 */
async function show(browser: Browser, { name, state, person, widths: each }: Task): Promise<Result> {
  const result: Result = { pictures: 0, faults: [] }
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
  if (state.textSize) await context.addInitScript(setTextSize, state.textSize)
  const page = await context.newPage()
  if (state.isOffline) await goOffline(page, person.screens)
  const late: Late = {}
  await answerAs(context, state, late)
  for (const width of each) {
    const opened = new Set<RegExp>()
    for (const screen of person.screens) {
      if (screen.then && !state.dialogWidths?.includes(width)) continue
      const shot = {
        page,
        late,
        state,
        screen,
        width,
        opened: ['parent', 'tutor', 'admin'].includes(person.name) ? opened : undefined,
        isSignedIn: person.account !== undefined,
        name: join(name, `${person.name}-${screen.name}`),
        result,
      }
      await look(shot).catch((error: unknown) =>
        report(shot, [`can't be shown: ${String(error).split('\n').slice(0, 3).join(' ')}`]),
      )
    }
  }
  await context.close()
  return result
}

/** Sets the text size before anything is shown. */
function setTextSize(size: string): void {
  const set = () => document.documentElement?.style.setProperty('font-size', size)
  // This runs before the page's own root element exists.
  new MutationObserver(set).observe(document, { childList: true })
  set()
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
async function answerAs(context: BrowserContext, { answers }: State, late: Late): Promise<void> {
  if (!answers) return
  await context.route(/\/api\//, async (route) => {
    if (WHO.test(new URL(route.request().url()).pathname)) return route.continue()
    if (answers === 'failing') {
      const problem = { code: 'unexpected', title: 'Something went wrong', status: 500 }
      return route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem })
    }
    await Promise.all([new Promise((resolve) => setTimeout(resolve, LATE_MS)), late.until])
    // The page may already be closed by then.
    await route.continue().catch(() => undefined)
  })
}

/** In addition to the delay, late responses wait until the placeholders have been captured. */
interface Late {
  until?: Promise<void>
}

interface Shot {
  page: Page
  late: Late
  state: State
  screen: Screen
  width: number
  /** The screenshot's path without the width and theme. */
  name: string
  /**
   * The dialogs captured so far, so that each is captured only once. Undefined for people who have no other
   * dialogs to show.
   */
  opened: Set<RegExp> | undefined
  isSignedIn: boolean
  result: Result
}

/** Loads a screen at a given width. Checks and captures the screen and everything that its buttons open. */
async function look(shot: Shot): Promise<void> {
  const { page, state, screen, width, name, opened } = shot
  await page.setViewportSize(windowOf(width))
  await page.emulateMedia({ colorScheme: 'light' })
  // Going to the same path with a different hash doesn't reload the page.
  await page.goto('about:blank')
  const captured = Promise.withResolvers<void>()
  shot.late.until = captured.promise
  const loading = shiftOf(page, screen.path, TIMEOUT)
  // Awaited below. This keeps the error from going unhandled if the picture fails first.
  loading.catch(() => undefined)
  if (state.answers === 'late') {
    // The placeholders appear shortly after the first heading or, if the heading has to load too, on their
    // own.
    await page.locator('h1, [aria-busy=true]').first().waitFor()
    await page.waitForTimeout(LATE_MS / 10)
    await page.evaluate(() => document.fonts.ready)
    await photograph(shot)
    captured.resolve()
  }
  const shift = await loading
  if (shot.isSignedIn && new URL(page.url()).pathname === '/login') throw new Error('asks to sign in again')
  if (shift > MOST_SHIFT) report(shot, [`moves while it loads: ${shift.toFixed(3)}: ${await movedOn(page)}`])
  if (state.answers === 'late') return
  await screen.then?.(page)
  await photograph(shot)
  if (screen.then || !opened || !state.dialogWidths?.includes(width)) return
  for await (const { opener } of eachOpened(page, screen.path, opened))
    await photograph({ ...shot, name: `${name}-${slug(opener)}` })
}

/** What axe has checked so far, in both themes. */
const checked = new Set<string>()

/**
 * The problems that axe finds in a theme, unless it already checked the same page at another width: the same
 * visible elements with the same text, colors and sizes.
 */
async function newFaults(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  const content = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { color, backgroundColor, fontSize, fontWeight, position } = getComputedStyle(element)
        const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
        const isScrolled = element.scrollWidth > element.clientWidth
        const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`)
        const style = [color, backgroundColor, fontSize, fontWeight, position, isScrolled]
        return [element.tagName, ...attributes, ...style, ...texts.map((node) => node.nodeValue)].join(' ')
      })
      .join('\n'),
  )
  const key = createHash('sha256').update(theme).update(content).digest('hex')
  if (checked.has(key)) return []
  checked.add(key)
  return axeFaults(page, theme)
}

/** Checks the page and takes a screenshot in each theme. */
async function photograph(shot: Shot): Promise<void> {
  const { page, state, width, name, result } = shot
  report(shot, await widthFaults(page))
  if (width < 768 && !state.textSize) report(shot, await smallTargets(page))
  report(
    shot,
    (await unstyledClasses(page)).map((one) => `no style for .${one}`),
  )
  const isOnTop = (await page.locator('[role=dialog], [role=alertdialog], .menu:popover-open').count()) > 0
  // Makes the window as tall as the page, so that sticky elements are at the bottom.
  if (!isOnTop) await page.setViewportSize({ width, height: await heightOf(page) })
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    report(shot, await newFaults(page, theme), theme)
    const path = join(FOLDER, `${name}-${width}-${theme}.jpg`)
    await page.screenshot({ path, quality: 85, animations: 'disabled', caret: 'hide' })
    result.pictures++
  }
  if (!isOnTop) await page.setViewportSize(windowOf(width))
}

const windowOf = (width: number) => ({ width, height: width < 768 ? 844 : 900 })

function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight)
}

/** Records what's wrong with a screen, along with its state, person, name, width and theme. */
function report({ name, width, result }: Shot, found: string[], theme = 'both themes'): void {
  result.faults.push(...found.map((fault) => `${name} ${width} ${theme}: ${fault}`))
}

await main()
