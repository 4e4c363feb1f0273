// Security: text typed by others never runs as code, signing out removes private data, and the build contains
// no secrets.
import { globSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive, mailTo } from './people.ts'
import { dayFromToday, post, send } from './screens.ts'

const MARKUP = `<img src=x onerror="window.ran=1"><svg onload="window.ran=1"></svg><script>window.ran=1</script>"'><a href="javascript:window.ran=1">`
const SCREENS = [
  '/dashboard',
  '/children',
  '/tutors',
  '/add-session',
  '/summary',
  '/summary/year',
  '/schedules',
  '/schedules?view=week',
  '/schedules?view=month',
  '/payments',
  '/account',
  '/import',
  '/to-confirm',
  '/tutor-dashboard',
]

/** Markup that rendered as elements or ran as a script. */
async function tracesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...('ran' in window ? ['it ran'] : []),
    ...[...document.querySelectorAll('img[src="x"], svg[onload], [onerror], a[href^="javascript:"]')].map(
      (element) => element.outerHTML.slice(0, 80),
    ),
    ...[...document.scripts]
      .filter((script) => script.textContent?.includes('window.ran'))
      .map(() => 'a script of ours'),
  ])
}

test('W7: markup in names, notes and subjects stays text on every screen, in emails and in files', async ({
  page,
  browser,
}) => {
  const person = await arrive(page)
  const name = MARKUP.slice(0, 120)
  await send(page, 'patch', 'me', { full_name: name })
  const { id: student_id } = await post(page, 'students', { name, grade: '<b>8</b>', notes: MARKUP })
  const tutorEmail = `tutor-of-${person.email}`
  const { id: tutor_id } = await post(page, 'tutors', {
    name,
    email: tutorEmail,
    hourly_rate: 45,
    subjects: ['<b onmouseover=1>'],
    notes: MARKUP,
  })
  const today = await dayFromToday(page, 0)
  const { id: session } = await post(page, 'sessions', {
    student_id,
    tutor_id,
    date: today,
    duration: 1,
    subject: name,
    notes: MARKUP,
  })
  await post(page, 'schedules', {
    student_id,
    tutor_id,
    day_of_week: new Date(`${today}T12:00:00Z`).getUTCDay(),
    start_time: '16:00',
    duration: 1,
    start_date: today,
    subject: name,
    notes: MARKUP,
  })
  await post(page, 'payments', { tutor_id, date: today, amount: 5, note: MARKUP })
  const feed = (await post(page, 'calendar-feed', {})) as unknown as { url: string }
  await post(page, 'connections', { tutor_id })

  let texts = 0
  for (const path of SCREENS) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await tracesOf(page), path).toEqual([])
    texts += (await page.locator('body').innerText()).includes('<img src=x onerror=') ? 1 : 0
  }
  expect(texts).toBeGreaterThan(5)
  await page.goto('/summary')
  await page.getByRole('button', { name: /Edit/ }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await tracesOf(page)).toEqual([])
  expect((await page.request.get(`/api/v1/sessions/${session}/history`)).headers()['content-type']).toContain(
    'application/json',
  )

  // The email as displayed by an email client, where our security policy doesn't apply.
  const mail = (await mailTo(page, tutorEmail, '')) as unknown as {
    html: string
    text: string
    subject: string
  }
  expect(mail.text).toContain('img src=x')
  const reader = await browser.newPage()
  await reader.setContent(mail.html)
  await reader.waitForTimeout(200)
  expect(await tracesOf(reader)).toEqual([])
  await reader.close()
  await page.goto('/mailbox')
  expect(await tracesOf(page)).toEqual([])

  const csv = await page.request.get(`/api/v1/statements/sessions.csv?from=${today}&to=${today}`)
  expect([csv.headers()['content-type'], csv.headers()['x-content-type-options']]).toEqual([
    'text/csv; charset=utf-8',
    'nosniff',
  ])
  expect(csv.headers()['content-disposition']).toMatch(/^attachment/)
  expect(await csv.text()).toContain('<img src=x onerror=""window.ran=1"">')
  const calendar = await page.request.get(new URL(feed.url).pathname)
  expect(calendar.headers()['content-type']).toContain('text/calendar')
  expect((await calendar.text()).replaceAll(/\r\n[ \t]/g, '')).toContain('SUMMARY:<img src=x')
  const paper = await page.request.get(`/api/v1/statements/statement.pdf?from=${today}&to=${today}`)
  expect(paper.headers()['content-type']).toBe('application/pdf')
  expect((await paper.body()).toString('latin1')).not.toMatch(/\/(JavaScript|JS|OpenAction|Launch|URI)\b/)
})

test('W9: after signing out, neither the Back button nor the device shows anything private', async ({
  page,
}) => {
  await arrive(page)
  await post(page, 'students', { name: 'Quirina Zabel', notes: 'A private note' })
  await page.goto('/children')
  await expect(page.getByRole('heading', { name: 'Quirina Zabel' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  for (let steps = 0; steps < 3; steps++) {
    await page.goBack().catch(() => undefined)
    await page.waitForTimeout(300)
    expect(await page.locator('html').innerHTML()).not.toContain('Quirina')
  }
  await page.goto('/children')
  await expect(page).toHaveURL(/\/login/)
  const kept = await page.evaluate(async () => {
    const texts: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
    const addresses: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        addresses.push(request.url)
        texts.push((await (await cache.match(request))?.text()) ?? '')
      }
    }
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const open = indexedDB.open(name ?? '')
        open.onsuccess = () => resolve(open.result)
      })
      for (const store of db.objectStoreNames)
        texts.push(
          JSON.stringify(
            await new Promise((resolve) => {
              const all = db.transaction(store).objectStore(store).getAll()
              all.onsuccess = () => resolve(all.result)
            }),
          ),
        )
      db.close()
    }
    return { text: texts.join('\n'), addresses }
  })
  expect(kept.text).not.toContain('Quirina')
  expect(kept.text).not.toContain('private note')
  // By now, the cache may have the app's own files again, but it must not have any API responses.
  expect(kept.addresses.filter((address) => address.includes('/api/'))).toEqual([])
})

async function countCopies(): Promise<number> {
  // Opening a database that isn't there yet would create it, without its stores.
  if (!(await indexedDB.databases()).some(({ name }) => name === 'tutorlog-copy')) return 0
  const db = await new Promise<IDBDatabase>((resolve) => {
    const open = indexedDB.open('tutorlog-copy')
    open.onsuccess = () => resolve(open.result)
  })
  const request = db.transaction('copies').objectStore('copies').count()
  await new Promise((resolve) => (request.onsuccess = resolve))
  db.close()
  return request.result
}

test("W9: a login that the server returns only after signing out doesn't sign anyone in again", async ({
  page,
}) => {
  await arrive(page)
  // The device keeps a copy of the login, so that the app can open while the server is slow.
  await page.waitForFunction(() => localStorage.getItem('copy') !== null)
  await expect.poll(() => page.evaluate(countCopies)).toBeGreaterThan(0)
  let answer = () => {}
  const isHeld = new Promise<void>((resolve) => (answer = resolve))
  let answered = 0
  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch()
    await isHeld
    await route.fulfill({ response })
    answered += 1
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  const places: string[] = []
  page.on('framenavigated', (frame) => places.push(frame.url()))
  answer()
  await expect.poll(() => answered).toBeGreaterThan(0)
  await page.waitForTimeout(500)
  expect(places).toEqual([])
})

test('W1, W10: built files have the headers too, even in a 304, and source maps and folders are not served', async ({
  page,
}) => {
  const asset = globSync('build/client/assets/*.js')[0]?.replace('build/client', '') ?? ''
  const first = await page.request.get(asset)
  const again = await page.request.get(asset, { headers: { 'if-none-match': first.headers().etag ?? '' } })
  const lost = await page.request.get('/no/such/page', { headers: { accept: 'text/html' } })
  expect([first.status(), again.status(), lost.status()]).toEqual([200, 304, 404])
  for (const answer of [
    first,
    again,
    lost,
    await page.request.get('/'),
    await page.request.get('/favicon.svg'),
  ]) {
    const headers = answer.headers()
    expect(headers['content-security-policy'], answer.url()).toContain("object-src 'none'")
    expect([
      headers['x-content-type-options'],
      headers['referrer-policy'],
      headers['cross-origin-opener-policy'],
      headers.server,
      headers['x-powered-by'],
    ]).toEqual(['nosniff', 'no-referrer', 'same-origin', undefined, undefined])
  }
  for (const path of [
    `${asset}.map`,
    '/assets/',
    '/assets',
    '/icons/',
    '/app.html',
    '/index.html',
    '/.vite/manifest.json',
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
  ]) {
    const answer = await page.request.get(path)
    expect(answer.status(), path).toBe(404)
  }
})

test('S5: the bundle sent to browsers contains no secret, no setting and no source map', () => {
  const files = globSync('build/client/**/*.{js,css,html,json,webmanifest}')
  expect(files.length).toBeGreaterThan(10)
  const secrets = [
    /[rs]k_(live|test)_\w|whsec_\w|-----BEGIN/,
    /postgres(ql)?:\/\/|smtps?:\/\//,
    /DATABASE_URL|STRIPE_SECRET|GOOGLE_CLIENT_SECRET|password_hash/,
    /tutorlog_(\d+_)?(app|system|owner)|sourceMappingURL/,
  ]
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return secrets.flatMap((secret) => secret.exec(text)?.[0] ?? [])
  })
  expect(found).toEqual([])
  expect(globSync('build/client/**/*.map')).toEqual([])
})
