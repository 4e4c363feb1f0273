// The dashboard of someone new: the welcome card, the checklist, and where its steps lead.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive } from './people.ts'
import { accept, addPastClasses, dayFromToday, post, read, send, settled } from './screens.ts'

const STEP = 'Confirm a Class Happened'

test('"Confirm a Class Happened" leads to the first question, or says what to do when there is none', async ({
  page,
  browser,
}) => {
  const { email } = await arrive(page, 'Tutor')
  await page.getByRole('link', { name: STEP }).click()
  await expect(page.getByText('Nothing to confirm yet')).toBeInViewport()
  await page.getByRole('main').getByRole('link', { name: 'Create Schedule' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Create Schedule' })).toBeVisible()
  await page.goBack()

  const parent = await otherPhone(page, browser)
  await arrive(parent)
  const { who, log } = await mayaWithIngrid(parent, { email })
  for (const back of [0, -1, -2]) await log({ date: await dayFromToday(page, back) })
  await post(parent, 'connections', { tutor_id: who.tutor_id })
  await accept(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: STEP }).click()
  const first = page
    .locator('#to-confirm')
    .getByRole('button', { name: /^Confirm/ })
    .first()
  await expect(first).toBeFocused()
  await expect(first).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('#to-confirm').getByRole('button', { name: /^Undo/ })).toBeVisible()
  await parent.context().close()
})

test("a new tutor's first session brings the earnings, without a reload", async ({ page }) => {
  await arrive(page, 'Tutor')
  const student = await post(page, 'students', { name: 'Aiko', hourly_rate: 40 })
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await addPastClasses(page, { student_id: student.id, tutor_id: self?.id ?? '' }, 1)
  await page.goto('/dashboard')
  const earnings = page.getByRole('heading', { name: /^Earnings in / })
  await expect(page.getByRole('button', { name: /^Yes, Aiko/ })).toBeVisible()
  await expect(earnings).toHaveCount(0)
  await settled(page)
  const before = await page.getByRole('link', { name: 'Log Session', exact: true }).boundingBox()
  await page.getByRole('button', { name: /^Yes, Aiko/ }).click()
  await expect(earnings).toBeVisible()
  // The buttons don't move away from the thumb.
  expect((await page.getByRole('link', { name: 'Log Session', exact: true }).boundingBox())?.y).toBe(
    before?.y,
  )
})

test('the summary says in words that it is loading', async ({ page }) => {
  await arrive(page)
  let load = () => {}
  const isHeld = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/api/v1/summary*', async (route) => {
    await isHeld
    await route.continue()
  })
  await page.goto('/summary')
  const text = page.getByText('Loading summary...')
  await expect(text).toBeVisible()
  const box = await text.boundingBox()
  expect(box?.height).toBeGreaterThan(10)
  expect(box?.width).toBeGreaterThan(50)
  load()
  await expect(text).toHaveCount(0)
})

test('a session without a rate is a dash in the balance, in every total, and never $0.00', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page, { hourly_rate: null })
  await log()
  await page.goto('/payments')
  const line = page.getByRole('listitem').filter({ hasText: 'no rate' })
  await expect(line).toContainText('–')
  await expect(line.getByText('$0.00', { exact: true })).toHaveCount(0)
})

test('an administrator sees no welcome card and no checklist', async ({ page }) => {
  await page.route('**/api/auth/session', async (route) => {
    const answer = await route.fetch()
    const login = (await answer.json()) as { user: object }
    await route.fulfill({ response: answer, json: { ...login, user: { ...login.user, role: 'admin' } } })
  })
  await arrive(page, 'Tutor')
  // Otherwise, the page tells the server its time zone and region, and shows the account as it is in the answer.
  await send(page, 'patch', 'me', { time_zone: 'America/New_York', region: 'US' })
  await page.reload()
  await expect(page.getByText('Total Students')).toBeVisible()
  await expect(page.getByText(/Get set up|Welcome to Tutorlog|Next step/)).toHaveCount(0)
})

for (const [role, count] of [
  ['Parent', 5],
  ['Tutor', 4],
] as const)
  test(`the navigation has ${count} items for a ${role.toLowerCase()}, and Find is in the header`, async ({
    page,
  }) => {
    await arrive(page, role)
    for (const width of [390, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const nav = page.getByRole('navigation', { name: 'Main' })
      await expect(nav.getByRole('link')).toHaveCount(count)
      await expect(nav.getByRole('button')).toHaveCount(0)
      await page.getByRole('banner').getByRole('button', { name: 'Find' }).click()
      const dialog = page.getByRole('dialog', { name: 'Find' })
      // It hears keys once it has the focus.
      await expect(dialog.getByRole('combobox')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
  })
