// A family's entire journey, from sign-up to the monthly total, using only roles and visible text.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { dayFromToday, failOnServer, hearNothing, post, unfold, watch } from './screens.ts'
import { arrive, confirm, signIn, signUp, someone } from './people.ts'

/**
 * Two children and two tutors, with sessions for two of the four combinations. The latest session is Maya's
 * with Ingrid.
 */
async function aFamilyOfTwo(page: Page): Promise<void> {
  await arrive(page)
  const { log } = await mayaWithIngrid(page, { child: 'Maya Whitfield', tutor: 'Ingrid Lindqvist' })
  const theo = await post(page, 'students', { name: 'Theo Whitfield' })
  const samuel = await post(page, 'tutors', { name: 'Samuel Adeyemi', hourly_rate: 60 })
  const date = await dayFromToday(page, -3)
  await log({ student_id: theo.id, tutor_id: samuel.id, date, duration: 0.5, subject: 'Piano' })
  await log({ date, duration: 1.5, subject: 'Algebra' })
}

test('a parent signs up, confirms, adds a child and a tutor, logs two sessions and reads the month', async ({
  page,
}) => {
  const person = someone()
  await signUp(page, person)
  await confirm(page, person)
  await expect(page.getByText('0 of 4 complete')).toBeVisible()
  await page.getByRole('link', { name: 'Next step: Add Your First Child' }).click()

  await page.getByRole('button', { name: 'Add Child' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await page.getByLabel('Name').fill('Maya Whitfield')
  await page.getByLabel('Grade').fill('8th Grade')
  await page.getByRole('button', { name: 'Add Child' }).click()
  await expect(page.getByText('Child added successfully')).toBeVisible()

  // The first steps lead from one to the next.
  await expect(page.getByRole('heading', { name: 'Add New Tutor' })).toBeVisible()
  await page.getByLabel('Name').fill('Ingrid Lindqvist')
  await page.getByLabel('Hourly Rate').fill('45.55')
  await page.getByLabel('Subjects').fill('Algebra II, , Reading ')
  await page.getByRole('button', { name: 'Add Tutor' }).click()
  await expect(page.getByText('Tutor added successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/add-session$/)

  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  await page
    .getByRole('combobox', { name: 'Tutor' })
    .selectOption({ label: 'Ingrid Lindqvist ($45.55/hour)' })
  await page.getByLabel('Duration (hours)').fill('1.5')
  await page.getByLabel('Subject').fill('Algebra II')
  await expect(page.getByText('1.5 h at $45.55')).toBeVisible()
  // 1.5 x 45.55 is 68.325, rounded half up.
  await expect(page.getByText('$68.33')).toBeVisible()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Algebra II, 1.5 h')).toBeVisible()

  // There's only one child and one tutor, so they're preselected, with their latest subject and duration.
  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra II')
  await page.getByLabel('Duration (hours)').fill('1')
  await page.getByLabel('Rate Override ($/hour)').fill('50')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await expect(page.getByRole('term').filter({ hasText: 'Total Sessions' })).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText('2')
  await expect(page.getByRole('definition').nth(1)).toHaveText('2.5')
  await expect(page.getByRole('definition').nth(2)).toHaveText('$118.33')
  await unfold(page, 'Sessions by Tutor')
  await expect(
    page
      .getByRole('region', { name: 'Sessions by Tutor' })
      .getByRole('row', { name: /Ingrid Lindqvist 2 2\.5 \$118\.33/ }),
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

test('deleting a tutor asks first and keeps the sessions', async ({ page }) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  await page.goto('/tutors')
  await page.getByRole('button', { name: 'Delete Ingrid' }).click()
  await expect(page.getByText('Are you sure you want to delete this tutor?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Tutor deleted successfully')).toBeVisible()
  await page.goto('/summary')
  await unfold(page, 'Sessions by Tutor')
  await expect(page.getByRole('row', { name: /Unknown Tutor 1 1\.0 \$45\.00/ })).toBeVisible()
})

test('a session that was typed in survives a reload', async ({ page }) => {
  await arrive(page)
  await page.goto('/add-session')
  await page.getByLabel('Notes').fill('Long division, page 12')
  await page.reload()
  await expect(page.getByLabel('Notes')).toHaveValue('Long division, page 12')
})

test('clearing Duration breaks neither Add Session nor Edit Session', async ({ page }) => {
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  await aFamilyOfTwo(page)
  await page.goto('/add-session')
  await expect(page.getByText('1.5 h at $45.00')).toBeVisible()
  await page.getByLabel('Duration (hours)').fill('')
  await expect(page.getByText('1.5 h at $45.00')).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Duration (hours)')).toHaveValue('')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Please enter duration')).toBeVisible()
  await page.getByLabel('Duration (hours)').fill('2')
  await expect(page.getByText('2 h at $45.00')).toBeVisible()

  await page.goto(`/summary?month=${(await dayFromToday(page, -3)).slice(0, 7)}`)
  await page
    .getByRole('button', { name: /^Edit session, Maya/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  await dialog.getByLabel('Duration (hours)').fill('')
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await expect(dialog.getByText('Please enter duration')).toBeVisible()
  expect(broken).toEqual([])
})

test('a draft that cannot be shown is discarded with a message, and the form starts over', async ({
  page,
}) => {
  // No known input breaks the form, so this makes one specific value throw an error.
  await page.addInitScript(() => {
    const { trim } = String.prototype
    String.prototype.trim = function (this: string) {
      if (String(this) === '66613') throw new RangeError('this cannot be shown')
      return trim.call(this)
    }
  })
  await arrive(page)
  await mayaWithIngrid(page)
  await page.goto('/add-session')
  const note = page.getByText("What you typed couldn't be restored, so this form was reset.")
  await page.getByLabel('Notes').fill('Long division')
  await page.getByLabel('Rate Override ($/hour)').fill('66613')
  await expect(note).toBeVisible()
  await expect(page.getByLabel('Notes')).toHaveValue('')
  await expect(page.getByText('1 h at $45.00')).toBeVisible()

  await page.evaluate(() =>
    sessionStorage.setItem('draft:session', JSON.stringify({ hourly_rate: '66613', notes: 'Long division' })),
  )
  await page.reload()
  await expect(note).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 h at $45.00')).toBeVisible()
  await expect(note).toBeHidden()
})

test('a second session takes two taps, and a chip fills in everything', async ({ page }) => {
  await aFamilyOfTwo(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  await expect(page.getByText('1.5 h at $45.00')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  const chips = page.getByRole('group', { name: 'Usual sessions' }).getByRole('button')
  await page.getByLabel('Notes').fill('Scales')
  await expect(chips).toHaveText(['Maya, Ingrid, Algebra, 1.5 h', 'Theo, Samuel, Piano, 0.5 h'])
  await chips.nth(1).click()
  await expect(page.getByRole('combobox', { name: 'Child' }).locator('option:checked')).toHaveText(
    'Theo Whitfield',
  )
  await expect(page.getByText('0.5 h at $60.00')).toBeVisible()
  await expect(page.getByLabel('Notes')).toHaveValue('Scales')
  await page.reload()
  await expect(page.getByText('0.5 h at $60.00')).toBeVisible()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('choosing another child keeps what was typed, and fills in the rest for the new pair', async ({
  page,
}) => {
  await aFamilyOfTwo(page)
  await page.goto('/add-session')
  const [child, tutor] = ['Child', 'Tutor'].map((name) => page.getByRole('combobox', { name }))
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra')
  await child?.selectOption({ label: 'Theo Whitfield' })
  await tutor?.selectOption({ label: 'Samuel Adeyemi ($60.00/hour)' })
  await expect(page.getByLabel('Subject')).toHaveValue('Piano')
  await expect(page.getByLabel('Duration (hours)')).toHaveValue('0.5')
  await page.getByLabel('Subject').fill('Theory')
  await child?.selectOption({ label: 'Maya Whitfield' })
  await tutor?.selectOption({ label: 'Ingrid Lindqvist ($45.00/hour)' })
  await expect(page.getByLabel('Duration (hours)')).toHaveValue('1.5')
  await expect(page.getByLabel('Subject')).toHaveValue('Theory')
})

test('a lesson of 0 hours, or one already in the log, gets a question before it is added', async ({
  page,
}) => {
  await aFamilyOfTwo(page)
  await page.goto('/add-session')
  await expect(page.getByText('1.5 h at $45.00')).toBeVisible()
  await page.getByLabel('Date').fill(await dayFromToday(page, -3))
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText(/^Already logged on \w+ \d+\. Add anyway\?$/)).toBeVisible()
  // A second press, as in a double tap, adds nothing.
  await page.getByRole('button', { name: 'Add Session' }).click()
  await page.getByLabel('Duration (hours)').fill('0')
  await expect(page.getByText(/^Already logged/)).toBeHidden()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('0 h. Add anyway?')).toBeVisible()
  await page.getByRole('button', { name: 'Add anyway' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  const { sessions } = (await (await page.request.get('/api/v1/sessions')).json()) as { sessions: object[] }
  expect(sessions).toHaveLength(3)
})

test('the lists in Add Session show whether they are loading, failed to load or are empty', async ({
  page,
}) => {
  // The lists fail to load, and there's nothing on the device yet to show instead.
  let answer: 'wait' | 'fail' | 'go' = 'wait'
  await page.route(/\/api\/v1\/students(\?.*)?$/, async (route) => {
    while (answer === 'wait') await new Promise((resolve) => setTimeout(resolve, 50))
    if (answer === 'go') return route.fallback()
    return failOnServer(route)
  })
  await hearNothing(page)
  await arrive(page)
  // The stream opens once the app preloads its lists. Otherwise, the preload could be mistaken for a retry.
  await watch(page, '/add-session')
  const child = page.getByRole('combobox', { name: 'Child' })
  await expect(page.getByText('Loading the form...')).toBeAttached()
  await expect(child).toBeHidden()
  answer = 'fail'
  await expect(child).toHaveText('Not loaded')
  await expect(page.getByText('The children didn’t load.')).toBeVisible()
  await expect(page.getByText('No children added yet')).toBeHidden()
  answer = 'wait'
  await page.getByRole('button', { name: 'Try again to load the children' }).click()
  await expect(child).toHaveText('Loading children...')
  await expect(page.getByRole('button', { name: 'Add Session' })).toBeDisabled()
  answer = 'go'
  await expect(child).toHaveText('No children added yet')
  await expect(page.getByRole('combobox', { name: 'Tutor' })).toHaveText('No tutors added yet')
})

test('A13: signed out while saving, the draft is saved, and signing in leads back to the form and its dialog', async ({
  page,
}) => {
  await hearNothing(page)
  const person = await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  const signInAgain = async () => {
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('You were signed out. Your draft is saved.')).toBeVisible()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
  }
  await page.goto('/add-session')
  await expect(page.getByText('1 h at $45.00')).toBeVisible()
  await page.getByLabel('Subject').fill('Geometry')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await signInAgain()
  await expect(page).toHaveURL(/\/add-session$/)
  await expect(page.getByLabel('Subject')).toHaveValue('Geometry')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  await page.goto('/summary')
  await page
    .getByRole('button', { name: /^Edit session, Maya/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  await dialog.getByLabel('Notes').fill('Page 12')
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await signInAgain()
  await expect(page).toHaveURL(/\/summary$/)
  await expect(dialog.getByLabel('Notes')).toHaveValue('Page 12')
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await expect(page.getByText('Session updated successfully')).toBeVisible()

  // Another user signing in here doesn't get the draft.
  await page.goto('/add-session')
  await page.getByLabel('Subject').fill('Not for others')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await arrive(page)
  await page.goto('/add-session')
  await expect(page.getByLabel('Subject')).toHaveValue('')
  await page.context().clearCookies()
  await signIn(page, person)
  await expect(page).toHaveURL(/\/dashboard$/)
})
