// Offline: the app opens, shows the last data it loaded, and keeps new sessions until each has been stored
// exactly once.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { post, read, send } from './screens.ts'

test.use({ serviceWorkers: 'allow' })

type Kept = { queryKey: string[]; state: { data: unknown } }

/**
 * What's stored on the device: the cached queries with their data as text, and whether the app itself is
 * cached.
 */
function held(page: Page): Promise<(string | undefined)[]> {
  return page.evaluate(async () => {
    await navigator.serviceWorker.ready
    // Opening a nonexistent database would create it, but without the object store.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'tutorlog-copy')) return []
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('tutorlog-copy')
      opening.onsuccess = () => resolve(opening.result)
    })
    const read = <Value>(key: string) =>
      new Promise<Value>((resolve) => {
        const reading = database.transaction('copies').objectStore('copies').get(key)
        reading.onsuccess = () => resolve(reading.result)
      })
    const copy = await read<{ state: { queries: Kept[] } } | undefined>((await read<string>('latest')) ?? '')
    database.close()
    return [
      ...new Set(
        copy?.state.queries.flatMap(({ queryKey, state }) => [
          queryKey[0],
          `${queryKey.join(' ')}: ${JSON.stringify(state.data)}`,
        ]),
      ),
      (await caches.match('/dashboard')) ? 'the app' : 'no app',
    ].sort()
  })
}

/** Matches a stored query of this kind whose data contains a text. */
const about = (kind: string, what: string) => expect.stringMatching(new RegExp(`^${kind}.*${what}`))

/**
 * Visits the everyday screens once, then waits until the app and the screens' data are stored on the device,
 * with this child and this tutor.
 */
async function settle(page: Page, child = 'Maya', tutor = 'Ingrid'): Promise<void> {
  // Data is stored a moment after it appears on the screen. If the page closes before then, the data isn't
  // stored.
  for (const [path, kinds] of [
    ['/summary', ['make-ups', 'missed', 'sessions', 'summary']],
    // The device also has a list from before the child was added, and the dashboard's own list of tutors.
    ['/add-session', [about('students active', child), about('tutors active', tutor)]],
    ['/dashboard', ['dashboard', 'sessions', 'students', 'summary', 'the app', 'tutors']],
  ] as const) {
    await page.goto(path)
    await expect.poll(() => held(page), path).toEqual(expect.arrayContaining([...kinds]))
  }
}

async function log(page: Page, subject: string): Promise<void> {
  await page.getByRole('link', { name: 'Add Session' }).click()
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya' })
  await page.getByRole('combobox', { name: 'Tutor' }).selectOption({ label: 'Ingrid ($45.00/hour)' })
  await page.getByLabel('Subject').fill(subject)
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

const waitingRows = (page: Page) =>
  page.getByRole('region', { name: 'Waiting to be sent' }).getByRole('listitem')
const subjectsOf = async (page: Page) =>
  (await read<{ sessions: { subject: string }[] }>(page, 'sessions')).sessions
    .map(({ subject }) => subject)
    .sort()

/** User data that's still on the device. */
async function leftOnDevice(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // The shell contains no user data, and the next page may cache the shell again.
    const left = [
      ...(await caches.keys()).filter((name) => !name.startsWith('shell-')),
      ...Object.keys(sessionStorage),
      ...Object.keys(localStorage).filter((key) => key !== 'theme'),
    ]
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name ?? '')
        opening.onsuccess = () => resolve(opening.result)
      })
      for (const store of database.objectStoreNames) {
        const rows = await new Promise<unknown[]>((resolve) => {
          const reading = database.transaction(store).objectStore(store).getAll()
          reading.onsuccess = () => resolve(reading.result)
        })
        if (rows.length > 0) left.push(`${name}/${store}: ${JSON.stringify(rows).slice(0, 200)}`)
      }
      database.close()
    }
    return left
  })
}

test('D5, D13: three sessions logged offline survive a reload, and each is stored once when the network is back', async ({
  page,
  context,
}) => {
  await arrive(page)
  await mayaWithIngrid(page)
  await settle(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await expect(page.getByText(/^Offline\. Showing what was loaded at \d+:\d\d [AP]M\.$/)).toBeVisible()
  for (const subject of ['Algebra', 'Reading', 'Fractions']) await log(page, subject)
  await expect(waitingRows(page)).toHaveCount(3)
  await expect(waitingRows(page).first()).toContainText('Waiting to be sent')
  await page.reload()
  await expect(waitingRows(page)).toHaveCount(3)
  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await expect(page.getByText('No sessions found for this month')).toBeVisible()
  await expect(waitingRows(page)).toHaveCount(3)
  expect(await subjectsOf(page)).toEqual([])
  await context.setOffline(false)
  await expect(page.getByText('3 sessions added successfully')).toBeVisible()
  await expect(waitingRows(page)).toHaveCount(0)
  await expect(page.getByText(/^Offline\./)).toBeHidden()
  await expect(page.getByRole('definition').first()).toHaveText('3')
  expect(await subjectsOf(page)).toEqual(['Algebra', 'Fractions', 'Reading'])
})

test('once the dashboard has been shown, the device keeps what logging a session needs, and nothing else', async ({
  page,
  context,
}) => {
  await arrive(page)
  const { log: logOnline } = await mayaWithIngrid(page)
  await logOnline({ date: '2026-01-05', duration: 0.75, subject: 'Algebra' })
  await page.goto('/dashboard')
  // Waits for the current lists, because the device also has a list from before the child was added.
  const newest = [about('students', 'Maya'), about('tutors', 'Ingrid'), about('sessions recent', 'Algebra')]
  await expect.poll(() => held(page)).toEqual(expect.arrayContaining([...newest, 'dashboard', 'the app']))
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  await expect(page.getByText('Offline. What you log is kept on this device.')).toBeVisible()
  await expect(page.getByText('0.75 h at $45.00')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(waitingRows(page)).toHaveCount(1)
  // The session counts as logged even when the server can't be reached.
  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Already logged today. Add anyway?')).toBeVisible()
  await page.getByRole('button', { name: 'Add anyway' }).click()
  await expect(waitingRows(page)).toHaveCount(2)
})

test('the sessions to confirm, the payments and the closed months can be read offline once they have been opened', async ({
  page,
  context,
}) => {
  await arrive(page)
  const { log: logOnline } = await mayaWithIngrid(page)
  await logOnline({ duration: 2 })
  const screens = [
    ['/to-confirm', 'Nothing to confirm', ['confirmations all', 'charges waiting', 'terms waiting']],
    ['/payments', 'Line by line', ['ledger', 'payments waiting']],
    ['/months', 'No closed months yet', ['months closed']],
  ] as const
  for (const [path, words, kinds] of screens) {
    await page.goto(path)
    await expect(page.getByText(words).first()).toBeVisible()
    const stored = kinds.map((kind) => expect.stringMatching(new RegExp(`^${kind}`)))
    await expect.poll(() => held(page), path).toEqual(expect.arrayContaining([...stored, 'the app']))
  }
  await context.setOffline(true)
  for (const [path, words] of screens) {
    await page.goto(path)
    await expect(page.getByText(words).first()).toBeVisible()
    await expect(page.getByText(/^Offline\. Showing what was loaded/)).toBeVisible()
    await expect(page.getByText(/didn’t load/)).toHaveCount(0)
  }
})

test("D13: a refused session is shown with the reason, edited and stored; the others don't wait for it", async ({
  page,
  context,
}) => {
  await arrive(page)
  const { who } = await mayaWithIngrid(page)
  await settle(page)
  await context.setOffline(true)
  await log(page, 'Algebra')
  await send(page, 'delete', `students/${who.student_id}`, {})
  await post(page, 'students', { name: 'Theo' })
  await context.setOffline(false)
  await expect(page.getByText('A session was not accepted. It is still on this device.')).toBeVisible()
  await expect(waitingRows(page)).toContainText('This child is no longer on your list')
  await page.getByRole('link', { name: /^Maya.*, / }).click()
  const sheet = page.getByRole('dialog', { name: /^Maya/ })
  await expect(sheet.getByText('Not accepted, kept on this device')).toBeVisible()
  await expect(sheet.getByText('Algebra', { exact: true })).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByText('A session was not accepted. It is still on this device.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit session, Maya' }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Theo' })
  await page.getByRole('button', { name: 'Save Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(waitingRows(page)).toHaveCount(0)
  expect(await subjectsOf(page)).toEqual(['Algebra'])
})

test('W9: signing out warns about waiting sessions and clears the device, so the next user finds nothing', async ({
  page,
  context,
}) => {
  await arrive(page)
  await mayaWithIngrid(page)
  await settle(page)
  await context.setOffline(true)
  await log(page, 'Secret lesson')
  await expect(waitingRows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Sign out and lose unsent sessions?' })
  await expect(dialog).toContainText('1 session is still waiting to be sent.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(waitingRows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await dialog.getByRole('button', { name: 'Sign Out and Delete' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => leftOnDevice(page)).toEqual(['sign-out-owed'])
  // The sign-out is sent once the server is reachable. The old cookies no longer work.
  await context.setOffline(false)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(async () => (await page.request.get('/api/v1/me')).status()).toBe(401)
  await expect.poll(() => leftOnDevice(page)).toEqual([])
  await arrive(page)
  await settle(page, '', '')
  await expect(page.getByText('Secret lesson')).toBeHidden()
  expect(await subjectsOf(page)).toEqual([])
})

test('when a login expires, waiting sessions are kept for their user and nobody else', async ({
  page,
  context,
}) => {
  await arrive(page)
  await mayaWithIngrid(page)
  await settle(page)
  await context.setOffline(true)
  await log(page, 'Algebra')
  const cookies = await context.cookies()
  await context.clearCookies()
  await context.setOffline(false)
  await expect(page).toHaveURL(/\/login$/)
  await arrive(page)
  await page.waitForLoadState('networkidle')
  await expect(waitingRows(page)).toHaveCount(0)
  await context.clearCookies()
  await context.addCookies(cookies)
  await page.goto('/dashboard')
  await expect.poll(() => subjectsOf(page)).toEqual(['Algebra'])
})

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a part of a page that was never loaded waits for the network, and the page stays', async ({
    page,
    context,
  }) => {
    await arrive(page)
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
    await context.setOffline(true)
    const failed = page.waitForEvent('requestfailed', (request) => request.resourceType() === 'script')
    await page.getByRole('button', { name: 'Find' }).click()
    await failed
    await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible()
  })

  test('D5: a session whose response was lost is kept, sent again with the same key, and stored once', async ({
    page,
  }) => {
    await arrive(page)
    await mayaWithIngrid(page)
    await page.goto('/dashboard')
    let lost = 0
    await page.route('**/api/v1/sessions', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await log(page, 'Algebra')
    await expect.poll(() => subjectsOf(page)).toEqual(['Algebra'])
    await expect(waitingRows(page)).toHaveCount(0)
    expect([lost, await subjectsOf(page)]).toEqual([1, ['Algebra']])
  })
})
