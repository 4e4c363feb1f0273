// What a thumb meets: forms open in view, pages hold still while they load, and nothing is too wide or too small.
import { expect, type Page, test } from '@playwright/test'
import { arrive } from './people.ts'

const headers = { origin: 'http://localhost:4173' }

async function post(page: Page, path: string, data: object): Promise<{ id: string }> {
  const response = await page.request.post(`/api/v1/${path}`, { data, headers })
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
  return (await response.json()) as { id: string }
}

for (const { path, list, noun, label } of [
  { path: '/tutors', list: 'tutors', noun: 'Tutor', label: 'Phone' },
  { path: '/children', list: 'students', noun: 'Child', label: 'Grade' },
]) {
  test(`Edit on the fourth ${noun.toLowerCase()} of a phone opens the form in view, keeps what was typed, and returns to the row`, async ({
    page,
  }) => {
    await arrive(page)
    for (const name of ['Ada', 'Ben', 'Cleo', 'Dora', 'Ed'])
      await post(page, list, { name, notes: 'Two lines of notes\nfor each of them' })
    await page.goto(path)
    const edit = page.getByRole('button', { name: 'Edit Dora' })
    const form = page.getByRole('dialog', { name: `Edit ${noun}` })
    await edit.click()
    await expect(form).toBeInViewport({ ratio: 0.99 })
    expect(await form.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toBeHidden()
    await expect(edit).toBeFocused()

    // A reload in the middle loses nothing, and neither does Escape afterwards.
    await edit.click()
    await form.getByLabel(label).fill('555 0199')
    await page.reload()
    await edit.click()
    await expect(form.getByLabel(label)).toHaveValue('555 0199')
    await page.keyboard.press('Escape')
    await form.getByLabel('Name').fill('Zora')
    await form.getByRole('button', { name: `Update ${noun}` }).click()
    await expect(page.getByText(`${noun} updated successfully`)).toBeVisible()
    await expect(form).toBeHidden()
    await expect(page.getByRole('button', { name: 'Edit Zora' })).toBeFocused()

    await page.getByRole('button', { name: `Add ${noun}` }).click()
    const empty = page.getByRole('dialog', { name: `Add New ${noun}` })
    await empty.getByRole('button', { name: `Add ${noun}` }).click()
    await expect(empty.getByText('Name is required')).toBeInViewport()
    await empty.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: `Add ${noun}` })).toBeFocused()
  })
}
