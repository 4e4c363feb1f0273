// On a phone, a form's sheet follows the finger. Swiping down closes it unless something has been typed.
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { expectLayers, settled } from './screens.ts'

test.use({ hasTouch: true })

const STEPS = 12

/**
 * Moves a finger up or down from the middle of an element and leaves it there. Returns a function that lifts
 * it.
 */
async function drag(page: Page, from: Locator, by: number): Promise<() => Promise<void>> {
  const box = await from.boundingBox()
  if (!box) throw new Error('nothing to touch')
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 40)]
  const device = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] })
  await touch('touchStart', y)
  for (let step = 1; step <= STEPS; step++) await touch('touchMove', y + (by * step) / STEPS)
  return async () => {
    // A finger that pauses before lifting has no velocity.
    await page.waitForTimeout(200)
    await touch('touchEnd')
  }
}

async function swipe(page: Page, from: Locator, by: number): Promise<void> {
  const lift = await drag(page, from, by)
  await lift()
}

const topOf = (dialog: Locator) => dialog.evaluate((element) => element.getBoundingClientRect().top)

/** The position of a sheet once it stops moving. */
async function restingTop(dialog: Locator): Promise<number> {
  await dialog.evaluate(async (element) => {
    await Promise.all(element.getAnimations().map(async ({ finished }) => finished))
  })
  return topOf(dialog)
}

test('a sheet follows the finger, springs back from a short swipe, and closes with a long one', async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  await page.goto('/students')
  // While the list is loading, the button is above it. An empty list has its own.
  await settled(page)
  const opener = page.getByRole('button', { name: 'Add Student' })
  await opener.tap()
  const dialog = page.getByRole('dialog', { name: 'Add New Student' })
  const title = dialog.getByRole('heading', { name: 'Add New Student' })
  // Focusing a field would open the keyboard, which would cover half of the form.
  await expect(dialog).toBeFocused()
  const rest = await restingTop(dialog)

  const lift = await drag(page, title, 90)
  // The browser doesn't report the first few pixels of movement, because it first has to tell a swipe from a
  // tap.
  await expect.poll(() => topOf(dialog)).toBeGreaterThan(rest + 50)
  expect(await topOf(dialog)).toBeLessThanOrEqual(rest + 90)
  await lift()
  await expect.poll(() => topOf(dialog)).toBeCloseTo(rest, 0)

  // When pulled up, the sheet moves slightly and then returns.
  await swipe(page, title, -200)
  await expect.poll(() => topOf(dialog)).toBeCloseTo(rest, 0)

  await swipe(page, title, 400)
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  // The sheet's history entry is gone too, so Back leaves the page.
  await expectLayers(page, 0)
  await opener.tap()
  await expect(dialog).toBeVisible()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/students$/)
})

test('a swipe asks before discarding what was typed, and the field keeps it', async ({ page }) => {
  await arrive(page, 'Tutor')
  await page.goto('/students')
  await page.getByRole('button', { name: 'Add Student' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Add New Student' })
  await dialog.getByLabel('Student Name').fill('Maya')
  const rest = await restingTop(dialog)
  await swipe(page, dialog.getByRole('heading', { name: 'Add New Student' }), 400)
  await expect(dialog.getByText('Discard what you typed?')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Keep editing' }).tap()
  await expect(dialog.getByLabel('Student Name')).toHaveValue('Maya')
  await expect.poll(() => topOf(dialog)).toBeCloseTo(rest, 0)

  await swipe(page, dialog.getByRole('heading', { name: 'Add New Student' }), 400)
  await dialog.getByRole('button', { name: 'Discard' }).tap()
  await expect(dialog).toBeHidden()
})

test('the content of a long sheet scrolls; only from its top does a swipe move the sheet', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  await page.goto('/summary')
  await page.getByRole('button', { name: /^Edit session, Maya/ }).tap()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  const body = dialog.locator('.body')
  const rest = await restingTop(dialog)

  await swipe(page, body, -150)
  const scrolled = () => body.evaluate((element) => element.scrollTop)
  await expect.poll(scrolled).toBeGreaterThan(100)
  expect(await topOf(dialog)).toBeCloseTo(rest, 0)
  // Swiping the other way scrolls the content back, and the sheet stays where it is.
  await swipe(page, body, 60)
  await expect.poll(scrolled).toBeLessThan(100)
  await expect(dialog).toBeVisible()
  expect(await topOf(dialog)).toBeCloseTo(rest, 0)

  await body.evaluate((element) => element.scrollTo(0, 0))
  await swipe(page, body, 420)
  await expect(dialog).toBeHidden()
})

test('a swipe over a sheet opened from another closes only the upper one', async ({ page }) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  await page.goto('/summary')
  await page.getByRole('link', { name: /^Maya, / }).tap()
  const session = page.getByRole('dialog', { name: /^Maya, / })
  await session.getByRole('button', { name: 'Edit', exact: true }).tap()
  const form = page.getByRole('dialog', { name: 'Edit Session' })
  await restingTop(form)
  await swipe(page, form.getByRole('heading', { name: 'Edit Session' }), 500)
  await expect(form).toBeHidden()
  await expect(session).toBeVisible()
  await swipe(page, session.getByRole('heading', { name: /^Maya, / }), 500)
  await expect(session).toBeHidden()
})

test('with reduced motion, the sheet still follows the finger and closes at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await arrive(page, 'Tutor')
  await page.goto('/students')
  await page.getByRole('button', { name: 'Add Student' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Add New Student' })
  await restingTop(dialog)
  await swipe(page, dialog.getByRole('heading', { name: 'Add New Student' }), 400)
  await expect(dialog).toBeHidden()
})

test("at 768 pixels and up, a form is a dialog that can't be swiped", async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 1100 })
  await arrive(page, 'Tutor')
  await page.goto('/students')
  await page.getByRole('button', { name: 'Add Student' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Add New Student' })
  const rest = await restingTop(dialog)
  const lift = await drag(page, dialog.getByRole('heading', { name: 'Add New Student' }), 300)
  expect(await topOf(dialog)).toBeCloseTo(rest, 0)
  await lift()
  await expect(dialog).toBeVisible()
})
