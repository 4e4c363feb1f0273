// The whole way of a family: from the sign-up to the month's total, with nothing but roles and visible text.
import { expect, test } from '@playwright/test'
import { arrive } from './people.ts'

test('a parent signs up, confirms, adds a child and a tutor, logs two sessions and reads the month', async ({
  page,
}) => {
  await arrive(page)
  await expect(page.getByText('0 of 4 complete')).toBeVisible()
  await page.getByRole('link', { name: 'Next step: Add Your First Child' }).click()

  await page.getByRole('button', { name: 'Add Child' }).click()
  await page.getByRole('button', { name: 'Add Child' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await page.getByLabel('Name').fill('Maya Whitfield')
  await page.getByLabel('Grade').fill('8th Grade')
  await page.getByRole('button', { name: 'Add Child' }).click()
  await expect(page.getByText('Child added successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Maya Whitfield' })).toBeVisible()

  await page.getByRole('link', { name: 'Tutors' }).click()
  await page.getByRole('button', { name: 'Add Tutor' }).click()
  await page.getByLabel('Name').fill('Ingrid Lindqvist')
  await page.getByLabel('Hourly Rate').fill('45.55')
  await page.getByLabel('Subjects').fill('Algebra II, , Reading ')
  await page.getByRole('button', { name: 'Add Tutor' }).click()
  await expect(page.getByText('Tutor added successfully')).toBeVisible()
  await expect(page.getByText('$45.55/hour')).toBeVisible()

  await page.getByRole('link', { name: 'Add Session' }).click()
  await expect(page.getByRole('button', { name: 'Add Session' })).toBeDisabled()
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  await page
    .getByRole('combobox', { name: 'Tutor' })
    .selectOption({ label: 'Ingrid Lindqvist ($45.55/hour)' })
  await page.getByLabel('Duration (hours)').fill('1.5')
  await page.getByLabel('Subject').fill('Algebra II')
  await expect(page.getByText('1.5 h at $45.55')).toBeVisible()
  // 1.5 x 45.55 = 68.325, rounded half up.
  await expect(page.getByText('$68.33')).toBeVisible()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Algebra II, 1.5 h')).toBeVisible()

  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  await page
    .getByRole('combobox', { name: 'Tutor' })
    .selectOption({ label: 'Ingrid Lindqvist ($45.55/hour)' })
  await page.getByLabel('Rate Override ($/hour)').fill('50')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await expect(page.getByRole('term').filter({ hasText: 'Total Sessions' })).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText('2')
  await expect(page.getByRole('definition').nth(1)).toHaveText('2.5')
  await expect(page.getByRole('definition').nth(2)).toHaveText('$118.33')
  await expect(
    page
      .getByRole('region', { name: 'Sessions by Tutor' })
      .getByRole('row', { name: /Ingrid Lindqvist 2 2.5 \$118.33/ }),
  ).toBeVisible()

  await page
    .getByRole('button', { name: /^Edit session, Maya Whitfield/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  await dialog.getByLabel('Duration (hours)').fill('2')
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await expect(page.getByText('Session updated successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('deleting a tutor asks first and keeps the books', async ({ page }) => {
  await arrive(page)
  const student = await (
    await page.request.post('/api/v1/students', {
      data: { name: 'Theo' },
      headers: { origin: 'http://localhost:4173' },
    })
  ).json()
  const tutor = await (
    await page.request.post('/api/v1/tutors', {
      data: { name: 'Samuel Adeyemi', hourly_rate: 60 },
      headers: { origin: 'http://localhost:4173' },
    })
  ).json()
  const today = await page.evaluate(() => new Intl.DateTimeFormat('en-CA').format(new Date()))
  await page.request.post('/api/v1/sessions', {
    data: { student_id: student.id, tutor_id: tutor.id, date: today, duration: 1 },
    headers: { origin: 'http://localhost:4173' },
  })
  await page.goto('/tutors')
  await page.getByRole('button', { name: 'Delete Samuel Adeyemi' }).click()
  await expect(page.getByText('Are you sure you want to delete this tutor?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Tutor deleted successfully')).toBeVisible()
  await page.goto('/summary')
  await expect(page.getByRole('row', { name: /Unknown Tutor 1 1.0 \$60.00/ })).toBeVisible()
})

test('what was typed in a session survives a reload', async ({ page }) => {
  await arrive(page)
  await page.goto('/add-session')
  await page.getByLabel('Notes').fill('Long division, page 12')
  await page.reload()
  await expect(page.getByLabel('Notes')).toHaveValue('Long division, page 12')
})
