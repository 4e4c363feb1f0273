// A family that reads the app through the browser's translation, and a tutor who does.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive, someone } from './people.ts'
import { accept, addPastClasses, PARENT, post, read, settled, TUTOR } from './screens.ts'
import { translate } from './translation.ts'

/** Collects what the page throws and reports while it's translated. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /a screen failed|a form failed/.test(message.text()))
      errors.push(message.text())
  })
  return errors
}

/** Opens each screen with the app's own links or addresses, and checks that it shows and is translated. */
async function visitAll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await settled(page)
    await expect(page.locator('h1 font').first(), path).toBeAttached()
    await expect(page.getByText('This page didn’t load'), path).toHaveCount(0)
  }
}

/** Opens each screen in the navigation, without reloading. */
async function tapThrough(page: Page): Promise<void> {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const name of await links.allInnerTexts()) {
    await links.filter({ hasText: name }).filter({ visible: true }).first().click()
    await settled(page)
    await expect(page.getByText('This page didn’t load'), name).toHaveCount(0)
  }
}

for (const way of ['moves', 'copies'] as const) {
  test(`a parent answers, logs, changes and pays on a page whose translation ${way} every text`, async ({
    page,
  }) => {
    await arrive(page)
    await addPastClasses(page, (await mayaWithIngrid(page)).who, 3)
    const errors = watchErrors(page)
    await translate(page, way)
    await page.goto('/dashboard')
    const rows = page.locator('#due li')
    for (let row = 0; row < 2; row++) {
      await rows.nth(row).getByRole('button', { name: /^Yes/ }).click()
      await expect(rows.nth(row).getByText('Logged')).toBeVisible()
    }
    await rows.first().getByRole('button', { name: /^Undo/ }).click()
    await expect(rows.getByRole('button', { name: /^Yes/ }).first()).toBeVisible()
    await page.getByRole('link', { name: 'Summary', exact: true }).click()
    await expect(page.locator('main')).toContainText('Total Sessions')
    await tapThrough(page)

    // Another session changes the texts that are on the page.
    await page.getByRole('link', { name: 'Add Session', exact: true }).click()
    await page.getByLabel('Duration').fill('1.5')
    await expect(page.getByText('1.5 h at $45.00')).toBeVisible()
    await page.getByLabel('Duration').fill('2')
    await expect(page.getByText('2 h at $45.00')).toBeVisible()
    await page.getByRole('button', { name: 'Add Session' }).click()
    await expect(page.getByText('Session added successfully')).toBeVisible()
    await page
      .getByRole('button', { name: /^Mark as paid/ })
      .first()
      .click()
    await expect(page.getByRole('dialog').getByLabel('Amount')).not.toHaveValue('')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Payment' }).click()
    await expect(page.getByText('Payment added successfully')).toBeVisible()
    await page.getByRole('link', { name: 'Children', exact: true }).click()
    await page.getByRole('button', { name: 'Edit Maya' }).click()
    await page.getByLabel('Name').fill('Maya Lind')
    await page.getByRole('button', { name: 'Update Child' }).click()
    await expect(page.getByRole('heading', { name: 'Maya Lind' })).toBeVisible()
    await visitAll(page, PARENT)
    expect(errors).toEqual([])
  })

  test(`a tutor answers, confirms and adds on a page whose translation ${way} every text`, async ({
    page,
    browser,
  }) => {
    await arrive(page)
    const { email } = someone()
    const { who, log } = await mayaWithIngrid(page, { email })
    for (const duration of [1, 2, 1.5]) await log({ duration })
    await post(page, 'connections', { tutor_id: who.tutor_id })
    const other = await otherPhone(page, browser)
    await arrive(other, 'Tutor', email)
    await accept(other)
    const [self] = await read<{ id: string }[]>(other, 'tutors')
    const [maya] = await read<{ id: string }[]>(other, 'students')
    await addPastClasses(other, { student_id: maya?.id ?? '', tutor_id: self?.id ?? '' }, 2)
    const errors = watchErrors(other)
    await translate(other, way)
    await other.goto('/dashboard')
    const waiting = other.locator('#to-confirm li')
    await waiting
      .first()
      .getByRole('button', { name: /^Confirm/ })
      .click()
    await expect(waiting.first().getByRole('button', { name: /^Undo/ })).toBeVisible()
    await other.getByRole('button', { name: /^All/ }).click()
    const due = other.locator('#due li')
    await due.first().getByRole('button', { name: /^Yes/ }).click()
    await expect(due.first().getByText('Logged')).toBeVisible()
    await due.nth(1).getByRole('button', { name: /^No/ }).click()
    await due
      .nth(1)
      .getByRole('button', { name: /^No-show/ })
      .click()
    await expect(due.nth(1).getByRole('paragraph').filter({ hasText: 'No-show' })).toBeVisible()
    await tapThrough(other)
    await other.getByRole('link', { name: 'Students', exact: true }).click()
    await other.getByRole('button', { name: 'Add Student' }).first().click()
    await other.getByLabel('Student Name').fill('Noah')
    await other.getByRole('dialog').getByRole('button', { name: 'Add Student' }).click()
    await expect(other.getByRole('heading', { name: 'Noah' })).toBeVisible()
    await visitAll(other, TUTOR)
    expect(errors).toEqual([])
    await other.context().close()
  })

  test(`a count that changes is shown and counted again on a page whose translation ${way} every text`, async ({
    page,
  }) => {
    await arrive(page)
    const { who, log } = await mayaWithIngrid(page)
    await log()
    await addPastClasses(page, who, 5)
    await translate(page, way)
    await page.goto('/dashboard')
    const all = page.getByRole('button', { name: /^All 5/ })
    await all.click()
    const rows = page.locator('#due li')
    await rows.first().getByRole('button', { name: /^Yes/ }).click()
    await expect(rows.first().getByText('Logged')).toBeVisible()
    await page.getByRole('button', { name: 'Show fewer' }).click()
    await expect(page.getByRole('button', { name: /^All 4/ })).toBeVisible()
    await expect(page.getByText(/All 5|5 classes/)).toHaveCount(0)

    // The number and the word beside it are texts of their own.
    await page.goto('/children')
    await page.getByRole('button', { name: 'Add several' }).click()
    const names = page.getByLabel('Names')
    for (const [typed, count] of [
      ['Ada', '1 name to add'],
      ['Ada\nBen', '2 names to add'],
      ['Ada\nBen\nCleo', '3 names to add'],
      ['Ada', '1 name to add'],
    ] as const) {
      await names.fill(typed)
      await expect(page.getByRole('group', { name: count, exact: true })).toBeVisible()
      await expect(page.locator('legend')).toHaveText(count)
    }
  })
}

test('a screen that fails is left by going to another one', async ({ page }) => {
  await arrive(page)
  await page.route(/ChildrenPage/, (route) => route.abort())
  await page.getByRole('link', { name: 'Children', exact: true }).click()
  await expect(page.getByText('This page didn’t load')).toBeVisible()
  await page.getByRole('link', { name: 'Tutors', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Tutors', level: 1 })).toBeVisible()
  await expect(page.getByText('This page didn’t load')).toHaveCount(0)
})
