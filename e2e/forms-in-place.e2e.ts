// The forms for children and tutors open in the page, above the list (docs/product.md, section 2).
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { expectLayers, post } from './screens.ts'

for (const { path, list, noun, field, empty } of [
  { path: '/tutors', list: 'tutors', noun: 'Tutor', field: 'Phone', empty: 'No tutors added yet' },
  { path: '/children', list: 'students', noun: 'Child', field: 'Grade', empty: 'No children added yet' },
]) {
  const add = `Add ${noun}`

  test(`"${add}" opens the form in the page with the focus in it, and Cancel and Back close it`, async ({
    page,
  }) => {
    await arrive(page)
    await page.goto('/dashboard')
    await page.goto(path)
    // An empty list has its own button. The one shown while it loads can't get the focus back.
    await expect(page.getByText(empty)).toBeVisible()
    const form = page.getByRole('region', { name: `Add New ${noun}` })
    const name = form.getByLabel('Name')
    await page.getByRole('button', { name: add }).click()
    await expect(name).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 2, name: `Add New ${noun}` })).toBeVisible()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByRole('button', { name: add })).toBeFocused()

    await page.getByRole('button', { name: add }).click()
    await expect(form).toBeVisible()
    await expectLayers(page, 1)
    await page.goBack()
    await expect(form).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`${path}$`))

    // Back asks before it discards what was typed.
    await page.getByRole('button', { name: add }).click()
    await name.fill('Maya')
    // The entry that Back takes is added once the one before is gone.
    await expectLayers(page, 1)
    await page.goBack()
    await expect(form.getByText('Discard what you typed?')).toBeVisible()
    await form.getByRole('button', { name: 'Keep editing' }).click()
    await expect(name).toBeFocused()
    await form.getByRole('button', { name: add }).click()
    await expect(page.getByText(`${noun} added successfully`)).toBeVisible()
    await expect(form).toBeHidden()
  })

  test(`a ${noun.toLowerCase()} is edited above the list, which stays in view, and what was typed survives leaving the page`, async ({
    page,
  }) => {
    await arrive(page)
    for (const name of ['Ada', 'Ben']) await post(page, list, { name })
    await page.goto(path)
    await page.getByRole('button', { name: 'Edit Ada' }).click()
    const form = page.getByRole('region', { name: `Edit ${noun}` })
    await expect(form.getByLabel('Name')).toHaveValue('Ada')
    await expect(page.getByRole('button', { name: 'Edit Ben' })).toBeVisible()
    await form.getByLabel(field).fill('555 0199')
    // The other one's form takes its place, and each keeps what was typed.
    await page.getByRole('button', { name: 'Edit Ben' }).click()
    await expect(form.getByLabel('Name')).toHaveValue('Ben')
    await page.getByRole('link', { name: 'Summary', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Monthly Summary' })).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Edit Ada' }).click()
    await expect(form.getByLabel(field)).toHaveValue('555 0199')
    await form.getByRole('button', { name: `Update ${noun}` }).click()
    await expect(page.getByText(`${noun} updated successfully`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit Ada' })).toBeFocused()
  })
}
