// The lists of children, students and tutors: adding several at once, row menus, and links to call or email.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { expectLayers, post, read } from './screens.ts'

const namesOn = (rows: { name: string }[]) => rows.map(({ name }) => name)

test('pasted names are previewed: names already on the list are left out unless ticked, and a repeated name is added once', async ({
  page,
}) => {
  await arrive(page)
  await post(page, 'students', { name: 'Maya Whitfield' })
  await page.goto('/children')
  await page.getByRole('button', { name: 'Add several' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add several children' })
  await dialog.getByLabel('Names').fill('1. maya whitfield\n2. Theo, Ada\n\ntheo')
  await expect(dialog.getByRole('checkbox')).toHaveCount(3)
  await expect(dialog.getByLabel('maya whitfield On your list')).not.toBeChecked()
  await expect(dialog.getByText('Theo is in the text more than once, and will be added once.')).toBeVisible()
  await dialog.getByLabel('Ada').uncheck()
  await dialog.getByLabel('maya whitfield On your list').check()
  await dialog.getByRole('button', { name: 'Add 2 children' }).click()
  await expect(page.getByText('2 children added')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(namesOn(await read(page, 'students')).toSorted()).toEqual([
    'Maya Whitfield',
    'Theo',
    'maya whitfield',
  ])
})

test("if names can't be added, they stay in the form and none is added", async ({ page }) => {
  await arrive(page)
  await page.goto('/tutors')
  await page.getByRole('button', { name: 'Add several' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add several tutors' })
  await dialog.getByLabel('Names').fill('Ingrid\nSamuel\n' + 'x'.repeat(121))
  await expect(dialog.getByText('Over 120 characters')).toBeVisible()
  await page.route('**/api/v1/tutors/several', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 422, code: 'too_many_rows', title: 'This would exceed the limit' }),
    }),
  )
  await dialog.getByRole('button', { name: 'Add 2 tutors' }).click()
  await expect(page.getByText('Failed to add tutors')).toBeVisible()
  await expect(dialog.getByText('This would exceed the limit')).toBeVisible()
  await expect(dialog.getByLabel('Names')).toHaveValue(/Ingrid/)
  await page.unroute('**/api/v1/tutors/several')
  await page.reload()
  await page.getByRole('button', { name: 'Add several' }).click()
  await page.getByRole('button', { name: 'Add 2 tutors' }).click()
  await expect(page.getByText('2 tutors added')).toBeVisible()
  expect(namesOn(await read(page, 'tutors'))).toEqual(['Ingrid', 'Samuel'])
})

test("a row's menu works with the keyboard, closes with Back, and leaves Edit and Delete visible", async ({
  page,
}) => {
  await arrive(page)
  await post(page, 'students', { name: 'Maya' })
  await page.goto('/children')
  for (const name of ['Edit Maya', 'Delete Maya', 'More for Maya'])
    await expect(page.getByRole('button', { name })).toBeVisible()
  const more = page.getByRole('button', { name: 'More for Maya' })
  const archive = page.getByRole('menuitem', { name: 'Archive' })
  await more.click()
  await expect(archive).toBeFocused()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(archive).toBeHidden()
  await expect(page).toHaveURL(/\/children$/)
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(archive).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(archive).toBeHidden()
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(archive).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Child archived')).toBeVisible()
})

test("a tutor's phone number and email address are links, on a phone and on a desktop", async ({ page }) => {
  await arrive(page)
  await post(page, 'tutors', { name: 'Ingrid', email: 'ingrid@example.com', phone: '(415) 555-0134 ext. 2' })
  await page.goto('/tutors')
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(page.getByRole('link', { name: '(415) 555-0134 ext. 2' })).toHaveAttribute(
      'href',
      'tel:4155550134;ext=2',
    )
    await expect(page.getByRole('link', { name: 'ingrid@example.com' })).toHaveAttribute(
      'href',
      'mailto:ingrid@example.com',
    )
  }
})
