// `node bench/browser.ts [--quick] [--pictures]`: measures how much CPU time a browser's main thread spends until the
// dashboard is idle, compared with an empty app (only React and its router) in the same run. Also measures
// two taps: opening "Add Session" and switching to another month, and how long it takes from a tap to the picture
// (bench/picture.ts; with --pictures, only that). Each result is the median of interleaved
// rounds. Each round opens new phone-sized tabs, with the scripts already in the browser's cache, as they'd
// be for a returning user.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, type CDPSession, chromium, type Locator, type Page } from '@playwright/test'
import { build } from 'vite'
import { DEMO_PASSWORD } from '#main/demo.ts'
import { freePort } from '#platform/free-port.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { median } from './load.ts'
import { reportPictures, timesToPicture } from './picture.ts'

const { quick, pictures } = parseArgs({
  options: { quick: { type: 'boolean' }, large: { type: 'boolean' }, pictures: { type: 'boolean' } },
}).values
const ROUNDS = quick ? 3 : 9
/** Rounds that warm up the browser's caches. They aren't counted. */
const WARM_UP = 2
/** The maximum CPU time for the dashboard, as a multiple of the empty app's. */
const MOST_TIMES = 1.6
/** The longest a tap may take, in milliseconds, at full CPU speed and with the CPU slowed down four times. */
const MOST_MS = { 1: 100, 4: 400 } as const
/** A page is idle once it has used less than IDLE_MS of CPU time in QUIET_MS, which slowing it down multiplies. */
const QUIET_MS = 700
const IDLE_MS = 3
const LONGEST_MS = 20_000
const VIEWPORT = { width: 390, height: 844 }
const ROOT = join(import.meta.dirname, '..')
const installed = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-headless-shell',
  chromium.executablePath(),
].find((path) => path && existsSync(path))
if (!installed) {
  console.log('The browser is not measured, because Chromium is not installed (CHROMIUM_PATH).')
  process.exit()
}
const EMPTY = `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { jsx, jsxs } from 'react/jsx-runtime'
const next = jsx(Route, { path: '/next', element: jsx('h1', { children: 'Next' }) })
const page = jsx(Route, { path: '*', element: jsx('h1', { children: 'Hello' }) })
const routes = jsxs(Routes, { children: [next, page] })
const nav = jsxs('nav', {
  children: [jsx(Link, { to: '/', children: 'First' }), jsx(Link, { to: '/next', children: 'Next' })],
})
const app = jsxs(BrowserRouter, { children: [nav, routes] })
createRoot(document.getElementById('root')).render(jsx(StrictMode, { children: app }))`

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-browser-'))
// Created inside the project, so that the empty app uses the same React.
const emptyApp = join(ROOT, 'node_modules/.cache/empty-app')
const servers: ChildProcess[] = []
const browser = await chromium.launch({ args: ['--no-sandbox'], executablePath: installed })
try {
  const empty = await serveEmptyApp()
  const origin = await startTutorlog()
  const plain = await browser.newContext({ viewport: VIEWPORT })
  const family = await browser.newContext({ viewport: VIEWPORT })
  await signIn(family, origin)
  if (!pictures) await measureWork(plain, family, { empty, origin })
  reportPictures(await timesToPicture({ plain, empty, family, origin, taps: quick ? 5 : 20 }))
} finally {
  await browser.close()
  for (const server of servers) server.kill('SIGINT')
  await Promise.all(servers.map((server) => server.exitCode ?? once(server, 'exit')))
  rmSync(folder, { recursive: true, force: true })
  rmSync(emptyApp, { recursive: true, force: true })
}
process.exit()

async function measureWork(
  plain: BrowserContext,
  family: BrowserContext,
  { empty, origin }: { empty: string; origin: string },
): Promise<void> {
  const works: Record<string, number[]> = {}
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const once = {
      empty: await workOfLoading(plain, empty),
      dashboard: await workOfLoading(family, `${origin}/dashboard`),
      ...(await workOfTaps(family, origin, 1)),
      ...(await workOfTaps(family, origin, 4)),
    }
    if (round >= 0) for (const [name, ms] of Object.entries(once)) (works[name] ??= []).push(ms)
  }
  report(works)
}

async function workOfLoading(context: BrowserContext, url: string): Promise<number> {
  const { page, session } = await openTab(context)
  const ms = await workOf(session, () => session.send('Page.navigate', { url }))
  await page.close()
  return ms
}

/** Opens "Add Session" from the dashboard, and the previous month from the summary. */
async function workOfTaps(
  context: BrowserContext,
  origin: string,
  slower: 1 | 4,
): Promise<Record<string, number>> {
  const add = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Add Session' })
  const earlier = (page: Page) => page.getByRole('button', { name: 'Previous month' })
  return {
    [`Add Session ${slower}x`]: await workOfTap(context, `${origin}/dashboard`, add, slower),
    [`another month ${slower}x`]: await workOfTap(context, `${origin}/summary`, earlier, slower),
  }
}

async function workOfTap(
  context: BrowserContext,
  url: string,
  target: (page: Page) => Locator,
  slower: number,
): Promise<number> {
  const { page, session } = await openTab(context)
  await page.goto(url)
  const box = await target(page).boundingBox()
  if (!box) throw new Error(`nothing to tap at ${url}`)
  await settled(session)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  // Sent as input, because Playwright's own click runs its scripts in the page.
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const press = { ...at, button: 'left', clickCount: 1 } as const
  const ms = await workOf(
    session,
    async () => {
      await session.send('Input.dispatchMouseEvent', { ...press, type: 'mousePressed' })
      await session.send('Input.dispatchMouseEvent', { ...press, type: 'mouseReleased' })
    },
    slower,
  )
  await page.close()
  return ms
}

async function openTab(context: BrowserContext): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { page, session }
}

/**
 * Milliseconds of CPU time on the main thread until the page is idle again, including scripts, style, layout
 * and paint.
 */
async function workOf(session: CDPSession, act: () => Promise<unknown>, slower = 1): Promise<number> {
  const before = await spent(session)
  await act()
  return (await settled(session, slower)) - before
}

/** Waits until the page is idle, and returns the CPU time its main thread has used so far in milliseconds. */
async function settled(session: CDPSession, slower = 1): Promise<number> {
  const end = performance.now() + LONGEST_MS
  for (let last = await spent(session); performance.now() < end;) {
    await pause(QUIET_MS)
    const now = await spent(session)
    if (now - last < IDLE_MS * slower) return now
    last = now
  }
  throw new Error('the page does not become idle')
}

async function spent(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

function report(works: Record<string, number[]>): void {
  const of = (name: string) => median(works[name] ?? [])
  const times = of('dashboard') / of('empty')
  console.log(`empty app of React and its router: ${of('empty').toFixed(0)} ms on the main thread`)
  console.log(
    `the dashboard: ${of('dashboard').toFixed(0)} ms, ${times.toFixed(2)}x (at most ${MOST_TIMES}x)`,
  )
  let isOver = times > MOST_TIMES
  for (const slower of [1, 4] as const)
    for (const tap of ['Add Session', 'another month']) {
      const ms = of(`${tap} ${slower}x`)
      isOver ||= ms > MOST_MS[slower]
      console.log(
        `a tap on ${tap}, processor ${slower}x slower: ${ms.toFixed(0)} ms (at most ${MOST_MS[slower]})`,
      )
    }
  if (isOver) process.exitCode = 1
}

async function serveEmptyApp(): Promise<string> {
  mkdirSync(emptyApp, { recursive: true })
  writeFileSync(join(emptyApp, 'app.js'), EMPTY)
  writeFileSync(
    join(emptyApp, 'index.html'),
    '<!doctype html><title>Empty</title><div id="root"></div><script type="module" src="/app.js"></script>',
  )
  const outDir = join(emptyApp, 'built')
  await build({ root: emptyApp, configFile: false, logLevel: 'error', build: { outDir, target: 'es2023' } })
  const port = await freePort()
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
  const server = createServer((request, response) => {
    const name = request.url?.startsWith('/assets/') ? request.url : '/index.html'
    response.setHeader('content-type', types[extname(name)] ?? 'text/plain')
    response.setHeader(
      'cache-control',
      name === '/index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
    )
    response.end(readFileSync(join(outDir, name)))
  })
  server.listen(port, '127.0.0.1').unref()
  return `http://localhost:${port}/`
}

/** Starts a server with the demo accounts. */
async function startTutorlog(): Promise<string> {
  const port = String(await freePort())
  const origin = `http://localhost:${port}`
  const env = {
    ...process.env,
    PORT: port,
    BASE_URL: origin,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  }
  const start = (file: string) =>
    spawn(process.execPath, [file], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  await once(start('src/main/demo.ts'), 'exit')
  servers.push(start('src/main/server.ts'))
  for (let tries = 0; tries < 600; tries++) {
    if ((await fetch(`${origin}/readyz`).catch(() => undefined))?.ok) return origin
    await pause(100)
  }
  throw new Error('the server did not start')
}

async function signIn(context: BrowserContext, origin: string): Promise<void> {
  const data = { email: 'family@example.com', password: DEMO_PASSWORD }
  const answer = await context.request.post(`${origin}/api/auth/sign-in`, { data, headers: { origin } })
  if (!answer.ok()) throw new Error(`signing in: ${answer.status()}`)
}
