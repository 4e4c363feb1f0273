// What an open page does when a newer version is released. A proxy in front of the server serves the newer
// version.
import { createServer, request as ask, type Server } from 'node:http'
import { once } from 'node:events'
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { watch } from './screens.ts'
import { runServer } from './server.ts'

test.use({ serviceWorkers: 'allow' })

const PORT = '4177'
const BASE = 'http://localhost:4186'
let server: Awaited<ReturnType<typeof runServer>>
let proxy: Server
/** The newer service worker. If set, the proxy serves it. */
let newer: string | undefined

// These journeys run one at a time, because they share a server that no other journeys use.
test.describe.configure({ mode: 'default' })
test.use({ baseURL: BASE })
test.beforeAll(async () => {
  server = await runServer(PORT, { BASE_URL: BASE })
  proxy = createServer((request, response) => {
    if (newer !== undefined && request.url === '/service-worker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }).end(newer)
      return
    }
    const { method, headers } = request
    const onward = ask({ host: '127.0.0.1', port: PORT, path: request.url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  proxy.listen(Number(new URL(BASE).port))
  await once(proxy, 'listening')
})
test.afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server.stop()
})

test('a newer version loads by itself, but not while a form is being filled in', async ({ page }) => {
  await arrive(page)
  await mayaWithIngrid(page)
  // The event stream opens last, so by then the page is watching for new versions.
  await watch(page, '/dashboard')
  const isTold = await page.evaluateHandle(async () => {
    await navigator.serviceWorker.ready
    const told = { newer: false }
    navigator.serviceWorker.addEventListener('message', () => (told.newer = true))
    return told
  })
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match('/dashboard'))), 'the app is kept')
    .toBe(true)
  await page.getByRole('link', { name: 'Add Session' }).click()
  await page.getByLabel('Notes').fill('Long division')
  // The next version has a different cache name and a different first script.
  newer = (await (await page.request.get('/service-worker.js')).text())
    .replace(/version:\s*["'`][0-9a-f]{12}["'`]/g, 'version: "000000000000"')
    .replace(/entry:\s*["'`][^"'`]+["'`]/g, 'entry: "/assets/"')
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
  await expect.poll(() => page.evaluate(() => caches.keys())).toContain('shell-000000000000')
  await expect.poll(() => isTold.evaluate(({ newer: is }) => is), 'the page was told').toBe(true)
  await expect(page.getByText('A new version is ready')).toBeHidden()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByText('A new version is ready')).toBeVisible()
  const isReloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload' }).click()
  await isReloaded
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(2)
})
