// Deleting and logging sessions with Undo: what's undone never happened, and what isn't is sent when the toast
// closes, when the page does, or at sign-out.
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected, mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { read, send } from './screens.ts'

const sessionsOf = async (page: Page) =>
  (await read<{ sessions: { id: string }[] }>(page, 'sessions')).sessions
const rows = (page: Page) => page.getByRole('button', { name: /^Edit session, Maya/ })
const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text })
const DELETED = 'Session deleted successfully'

async function deleteFirst(page: Page): Promise<void> {
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Delete session' }).click()
  await expect(toast(page, DELETED)).toBeVisible()
}

/** Whether nothing of the toast is on top of the other element. */
async function isClear(above: Locator, other: Locator): Promise<boolean> {
  const [one, two] = [await above.boundingBox(), await other.boundingBox()]
  if (!one || !two) return false
  return one.y + one.height <= two.y || two.y + two.height <= one.y
}

test('a deleted session leaves at once and comes back with Undo, from another page too; several wait next to each other', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log({ subject: 'Algebra' })
  await log({ subject: 'Reading', duration: 2 })
  await page.goto('/summary')
  await expect(rows(page)).toHaveCount(2)
  await deleteFirst(page)
  await expect(rows(page)).toHaveCount(1)
  expect(await sessionsOf(page)).toHaveLength(2)
  // While a sheet is open, the toast waits behind it.
  await rows(page).first().click()
  await expect(toast(page, DELETED)).toBeHidden()
  await page.getByRole('button', { name: 'Delete session' }).click()
  await expect(rows(page)).toHaveCount(0)
  await expect(toast(page, DELETED).filter({ visible: true })).toHaveCount(2)
  await page.getByRole('link', { name: 'Children' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Children' })).toBeVisible()
  await toast(page, 'Maya').filter({ hasText: '$45.00' }).getByRole('button', { name: 'Undo' }).click()
  await toast(page, DELETED).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(async () => (await sessionsOf(page)).length).toBe(1)
  await page.getByRole('link', { name: 'Summary' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText('$45.00').first()).toBeVisible()
})

test('a deletion is sent when its time is over, when the page closes and at sign-out; holding a toast gives more time', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  for (const duration of [1, 2, 3]) await log({ duration })
  await page.goto('/summary')
  await page.clock.install()
  await deleteFirst(page)
  // F6 leads to the toast, which stays while it has the focus.
  const undo = toast(page, DELETED).getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await page.keyboard.press('F6')
  await expect(undo).toBeFocused()
  await page.clock.runFor(60_000)
  expect(await sessionsOf(page)).toHaveLength(3)
  await page.getByRole('heading', { level: 1 }).focus()
  await page.clock.runFor(11_000)
  await expect(toast(page, DELETED)).toBeHidden()
  await expect.poll(async () => (await sessionsOf(page)).length).toBe(2)

  await page.clock.resume()
  await deleteFirst(page)
  await page.goto('about:blank')
  await page.goto('/summary')
  await expect(rows(page)).toHaveCount(1)

  await deleteFirst(page)
  await page.getByRole('button', { name: /^Account menu/ }).click()
  const sent = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  expect((await sent).status()).toBe(204)
})

test('a toast that made room for a control stays where it is while its button is pressed', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  for (let count = 0; count < 8; count++) await log({ duration: 1 })
  await page.goto('/summary')
  await deleteFirst(page)
  const undo = toast(page, DELETED).getByRole('button', { name: 'Undo' })
  const covered = rows(page).nth(5)
  await covered.evaluate((row) => row.scrollIntoView({ block: 'end' }))
  await covered.focus()
  await expect.poll(() => isClear(toast(page, DELETED), covered)).toBe(true)
  await undo.hover()
  await page.mouse.down()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.mouse.up()
  await expect(rows(page)).toHaveCount(8)
})

test('offline, a deleted session stays after all', async ({ page, context }) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  await page.goto('/summary')
  await deleteFirst(page)
  await context.setOffline(true)
  await toast(page, DELETED).getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Failed to delete session')).toBeVisible()
  await expect(page.getByText(/^Offline\. Showing/)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await context.setOffline(false)
  expect(await sessionsOf(page)).toHaveLength(1)
})

test('a shared session that nobody answered goes at once and the other side hears nothing if it is undone; if it answered in between, the family asks', async ({
  page,
  browser,
}) => {
  const { family, tutor, log } = await connected(page, browser)
  const session = await log({ duration: 1.5 })
  await family.goto('/summary')
  await tutor.goto('/to-confirm')
  const waiting = tutor.getByRole('button', { name: /^Confirm, Maya|^Confirm 1/ }).first()
  await expect(waiting).toBeVisible()
  await deleteFirst(family)
  await toast(family, DELETED).getByRole('button', { name: 'Undo' }).click()
  await expect(rows(family)).toHaveCount(1)
  await expect(waiting).toBeVisible()

  await deleteFirst(family)
  await send(tutor, 'post', `sessions/${session.id}/confirm`, {})
  await toast(family, DELETED).getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast(family, 'Not deleted')).toContainText('Ingrid Lindqvist answered in the meantime.')
  await expect(rows(family)).toHaveCount(1)
  await toast(family, 'Not deleted').getByRole('button', { name: 'Ask to delete' }).click()
  const question = family.getByRole('alertdialog', {
    name: /^Ask Ingrid Lindqvist to delete .*, \$67\.50\?$/,
  })
  await question.getByRole('button', { name: 'Ask Ingrid Lindqvist' }).click()
  await expect(toast(family, 'Deletion requested')).toBeVisible()
  await tutor.context().close()
})

test('a logged session has Undo with its amount; once the other side answered, Undo asks it', async ({
  page,
  browser,
}) => {
  const { family, tutor } = await connected(page, browser)
  for (const isAnswered of [false, true]) {
    await family.goto('/add-session')
    await family.getByLabel('Duration (hours)').fill('1,5')
    await family.getByRole('button', { name: 'Add Session' }).click()
    const added = toast(family, 'Session added successfully')
    await expect(added).toContainText('Maya')
    await expect(added).toContainText('1.5 h · $67.50')
    const [session] = await sessionsOf(family)
    if (isAnswered) await send(tutor, 'post', `sessions/${session?.id}/confirm`, {})
    await added.getByRole('button', { name: 'Undo' }).click()
    if (!isAnswered) {
      await expect(toast(family, 'Undone')).toBeVisible()
      expect(await sessionsOf(family)).toEqual([])
    }
  }
  await expect(
    family.getByRole('alertdialog', { name: /^Ask Ingrid Lindqvist to delete .*, \$67\.50\?$/ }),
  ).toBeVisible()
  expect(await sessionsOf(family)).toHaveLength(1)
  await tutor.context().close()
})

test('on a phone, toasts are at the bottom, above the bar and the form’s button, and cover neither heading nor offline line', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await arrive(page)
  await mayaWithIngrid(page)
  await page.goto('/add-session')
  await expect(page.getByText('1 h at $45.00')).toBeVisible()
  await page.getByRole('button', { name: 'Add another for the same day' }).click()
  const added = toast(page, 'Session added successfully')
  await expect(added).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  const line = page.getByText(/^Offline\./)
  await page.getByRole('link', { name: 'Children' }).click()
  await expect(line).toBeVisible()
  for (const path of ['Tutors', 'Add Session', 'Dashboard']) {
    await page.getByRole('link', { name: path, exact: true }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const others = [
      line,
      page.getByRole('heading', { level: 1 }),
      page.getByRole('navigation', { name: 'Main' }),
    ]
    if (path === 'Add Session') others.push(page.getByRole('button', { name: 'Add Session', exact: true }))
    for (const other of others) await expect.poll(() => isClear(added, other), path).toBe(true)
  }
})
