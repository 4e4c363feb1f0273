// Accessibility and page size: axe finds no problems on any screen in either theme, everything works with a
// keyboard, and pages stay small.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { axeFaults, dayFromToday, goWithin, post, read, send, settled } from './screens.ts'

const PUBLIC = [
  '/',
  '/login',
  '/signup',
  '/forgot-password',
  '/verify-email',
  '/confirm-email',
  '/not-me',
  '/terms',
  '/privacy',
  '/help',
  '/verify',
  '/confirm',
  '/join',
  '/contact',
  '/opt-out?token=x',
  '/no/such/page',
]
const SIGNED_IN = [
  '/dashboard',
  '/children',
  '/tutors',
  '/add-session',
  '/add-session?tab=voice',
  '/summary',
  '/schedules',
  '/schedules?view=week',
  '/schedules?view=month',
  '/payments',
  '/summary/year',
  '/import',
  '/tutor-dashboard',
  '/account',
  '/invite-friends',
]

async function expectNoViolations(page: Page, path: string): Promise<void> {
  await goWithin(page, path)
  await settled(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeFaults(page, colorScheme), `${path} ${colorScheme}`).toEqual([])
  }
}

test('axe finds nothing on the public pages', async ({ page }) => {
  for (const path of PUBLIC) await expectNoViolations(page, path)
})

test('axe finds nothing in the app, with and without data, at both widths', async ({ page }) => {
  // Checks every screen in eight variants: empty and filled, two widths, two themes.
  test.setTimeout(300_000)
  await arrive(page)
  for (const path of SIGNED_IN) await expectNoViolations(page, path)
  const student = await post(page, 'students', { name: 'Maya', grade: '8th Grade', notes: 'Likes puzzles' })
  const tutor = await post(page, 'tutors', { name: 'Ingrid', hourly_rate: 45, subjects: ['Algebra'] })
  const date = await dayFromToday(page, 0)
  await post(page, 'sessions', { student_id: student.id, tutor_id: tutor.id, date, duration: 1 })
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of SIGNED_IN) await expectNoViolations(page, path)
  }
})

test('a child is added with the keyboard alone', async ({ page }) => {
  await arrive(page)
  await page.goto('/children')
  const add = page.getByRole('button', { name: 'Add Child' })
  // An empty list has its own button, which isn't the one shown while it loads.
  await settled(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  for (
    let presses = 0;
    presses < 12 && !(await add.evaluate((element) => element === document.activeElement));
    presses++
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Theo')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Child added successfully')).toBeVisible()
})

test('no screen requests anything from another host', async ({ page }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('http://localhost:4173/') && !request.url().startsWith('data:'))
      elsewhere.push(request.url())
  })
  await arrive(page)
  for (const path of [...PUBLIC, ...SIGNED_IN]) await page.goto(path)
  expect(elsewhere).toEqual([])
})

test.describe('on a cold device', () => {
  // Blocks the service worker, because files from its cache wouldn't be counted.
  test.use({ serviceWorkers: 'block' })

  test('the first load stays within its budget: 90 kB on public pages, 100 kB to sign in, 140 kB in 8 scripts on the dashboard', async ({
    page,
  }) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    let scripts = 0
    // Counts the bytes sent over the network and checks that every response body is compressed.
    session.on('Network.responseReceived', ({ type, response }) => {
      if (type !== 'Script' && type !== 'Stylesheet') return
      expect(response.headers['content-encoding'], response.url).toBe('br')
      bytes += Number(response.headers['content-length'])
      if (type === 'Script') scripts += 1
    })
    const weigh = async (path: string) => {
      // Cancels the previous page's requests, so that they don't count toward this page.
      await page.goto('about:blank')
      await session.send('Network.clearBrowserCache')
      bytes = 0
      scripts = 0
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      return bytes
    }
    for (const path of ['/', '/terms', '/help', '/verify'])
      expect(await weigh(path), path).toBeLessThanOrEqual(90_000)
    for (const path of ['/login', '/signup']) expect(await weigh(path), path).toBeLessThanOrEqual(100_000)
    await arrive(page)
    expect(await weigh('/dashboard'), '/dashboard').toBeLessThanOrEqual(140_000)
    expect(scripts).toBeLessThanOrEqual(8)
    await page.context().clearCookies()
    await arrive(page, 'Tutor')
    // Sets a rate first. Without one, the page would also load the form that asks for it.
    const [self] = await read<{ id: string }[]>(page, 'tutors')
    await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
    expect(await weigh('/dashboard'), "a tutor's /dashboard").toBeLessThanOrEqual(140_000)
    expect(scripts).toBeLessThanOrEqual(10)
  })
})

test('the public pages can be read without JavaScript', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  for (const [path, words] of [
    ['/', 'agreed'],
    ['/login', 'Sign in'],
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
    ['/contact', 'Contact'],
    ['/help', 'Help'],
  ] as const) {
    await page.goto(`http://localhost:4173${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(words)
  }
  await page.close()
})
