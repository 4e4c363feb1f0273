// `node bench/browser.ts`: measures the CPU time a browser's main thread takes to load the dashboard,
// compared to an empty app (only React and its router) in the same run. Also measures two taps: opening "Add
// Session" and switching to another month. Interleaves the rounds and reports medians.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { DEMO_PASSWORD } from '#main/demo.ts'
import { freePort } from '#platform/free-port.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { median } from './load.ts'

const ROUNDS = 9
/** The maximum CPU time for the dashboard, as a multiple of the empty app's. */
const MOST_TIMES = 1.6
/** The longest a tap may take, in milliseconds, at full CPU speed and with the CPU slowed down four times. */
const MOST_MS = { 1: 100, 4: 400 } as const
/** How long a screen has to be idle before it counts as finished. */
const QUIET_MS = 700
const ROOT = join(import.meta.dirname, '..')
const EMPTY = `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Route, Routes } from 'react-router'
import { jsx } from 'react/jsx-runtime'
const page = jsx(Route, { path: '*', element: jsx('h1', { children: 'Hello' }) })
const app = jsx(BrowserRouter, { children: jsx(Routes, { children: page }) })
createRoot(document.getElementById('root')).render(jsx(StrictMode, { children: app }))`

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-browser-'))
// Created inside the project, so that the empty app uses the same React.
const emptyApp = join(ROOT, 'node_modules/.cache/empty-app')
const servers: ChildProcess[] = []
const browser = await chromium.launch({
  args: ['--no-sandbox'],
  executablePath: process.env.CHROMIUM,
})
try {
  const empty = await serveEmptyApp()
  const origin = await startTutorlog()
  const page = await signedIn(browser, origin)
  const plain = await (await browser.newContext()).newPage()
  const works: Record<string, number[]> = {}
  const note = (name: string, ms: number) => (works[name] ??= []).push(ms)
  for (let round = 0; round <= ROUNDS; round++) {
    const once = await oneRound({ page, plain, empty, origin })
    // The first round fills the browser's caches.
    if (round > 0) for (const [name, ms] of Object.entries(once)) note(name, ms)
  }
  report(works)
} finally {
  await browser.close()
  for (const server of servers) server.kill('SIGINT')
  await Promise.all(servers.map((server) => server.exitCode ?? once(server, 'exit')))
  rmSync(folder, { recursive: true, force: true })
  rmSync(emptyApp, { recursive: true, force: true })
}
process.exit()

interface Round {
  page: Page
  plain: Page
  empty: string
  origin: string
}

async function oneRound({ page, plain, empty, origin }: Round): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  found.empty = await workOf(plain, () => plain.goto(empty))
  found.dashboard = await workOf(page, () => page.goto(`${origin}/dashboard`))
  for (const slower of [1, 4] as const) {
    await page.goto(`${origin}/dashboard`)
    await quiet(page)
    const add = page.getByRole('link', { name: 'Add Session' }).first()
    found[`Add Session ${slower}x`] = await workOf(page, () => add.click(), slower)
    await page.goto(`${origin}/summary`)
    await quiet(page)
    const earlier = page.getByRole('button', { name: 'Previous month' })
    found[`another month ${slower}x`] = await workOf(page, () => earlier.click(), slower)
  }
  return found
}

/** CPU time on the main thread in milliseconds, until the screen is quiet again. */
async function workOf(page: Page, act: () => Promise<unknown>, slower = 1): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await seconds()
  await act()
  await quiet(page)
  const after = await seconds()
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await session.detach()
  return (after - before) * 1000
}

async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
  await page.waitForTimeout(QUIET_MS)
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

async function signedIn(chrome: Browser, origin: string): Promise<Page> {
  const page = await (await chrome.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  const data = { email: 'family@example.com', password: DEMO_PASSWORD }
  const answer = await page.request.post(`${origin}/api/auth/sign-in`, { data, headers: { origin } })
  if (!answer.ok()) throw new Error(`signing in: ${answer.status()}`)
  return page
}
