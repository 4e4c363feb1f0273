// Checks how many taps each task in MOST_TAPS takes.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive, confirm, linkIn, mailTo, someone } from './people.ts'
import { dayFromToday, post, read, send } from './screens.ts'
import { countTaps } from './taps.ts'

test('pressing counts as one tap, choosing in a list as two, typing as none', async ({ page }) => {
  await page.setContent(
    '<button>One</button><label>Two <select><option>a<option>b</select></label><label>None <input></label><label><input type="checkbox"> Three</label>',
  )
  const taps = await countTaps(page)
  await page.getByRole('button').click()
  await page.getByLabel('None').click()
  await page.getByLabel('None').fill('typed')
  await page.getByLabel('Three').check()
  await page.getByText('Three').click()
  await page.getByRole('combobox').selectOption('b')
  await expect.poll(taps.count).toBe(5)
})

test('on the emailed page, one tap confirms the month and a second gets its PDF; the tick is animated, and an account is offered', async ({
  page,
  browser,
}) => {
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  const maya = await post(page, 'students', { name: 'Maya Whitfield' })
  for (const [back, duration] of [
    [0, 1],
    [-1, 1],
    [-2, 1.5],
  ] as const)
    await post(page, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: await dayFromToday(page, back),
      duration,
      hourly_rate: 45,
    })
  const { email } = someone()
  await post(page, 'connections', { email, student_ids: [maya.id], name: 'Ingrid Lindqvist' })
  const parent = await otherPhone(page, browser)
  const taps = await countTaps(parent)
  await parent.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
  await parent.getByRole('button', { name: 'Confirm all 3, $157.50' }).click()
  const end = parent.getByRole('status').filter({ hasText: 'is confirmed' })
  await expect(end).toBeVisible()
  taps.expectAtMost('a month confirmed on the page that the email opens')
  await expect(end.getByRole('link', { name: 'Open an account' })).toHaveAttribute('href', /^\/signup/)
  const file = parent.waitForEvent('download')
  await end.getByRole('button', { name: 'Keep a copy (PDF)' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/)
  taps.expectAtMost('the same, with its PDF')
  await parent.context().close()
})

test('two taps mark what is due as paid, from the dashboard, the payments and the summary', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  const taps = await countTaps(page)
  for (const [path, duration, due, button] of [
    ['/dashboard', 2, '90.00', /^Mark as paid/],
    ['/summary', 3, '135.00', 'Record a payment'],
    ['/payments', 1, '45.00', /^Mark as paid/],
  ] as const) {
    await log({ duration })
    await page.goto(path)
    taps.startOver()
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog', { name: 'Record a payment' })
    await expect(dialog.getByLabel('Amount ($)')).toHaveValue(due)
    await dialog.getByRole('button', { name: 'Add Payment' }).click()
    await expect(page.getByText('Payment added successfully')).toBeVisible()
    taps.expectAtMost('marked as paid from the balance row')
  }
})

test('a parent logs a first session within 16 taps of the landing page, fields included, and a second one with one', async ({
  page,
}) => {
  const person = someone()
  await page.goto('/')
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password').fill(person.password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('radio', { name: /Parent/ }).check({ force: true })
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await confirm(page, person)
  await page.getByRole('link', { name: 'Next step: Add Your First Child' }).click()
  await page.getByLabel('Name').fill('Maya Whitfield')
  await page.getByRole('button', { name: 'Add Child' }).click()
  await expect(page.getByRole('heading', { name: 'Add New Tutor' })).toBeVisible()
  await page.getByLabel('Name').fill('Ingrid Lindqvist')
  await page.getByLabel('Hourly Rate').fill('45')
  await page.getByRole('button', { name: 'Add Tutor' }).click()
  await expect(page).toHaveURL(/\/add-session$/)
  await expect(page.getByText('1 h at $45.00')).toBeVisible()
  await page.getByLabel('Date').fill(await dayFromToday(page, -1))
  await page.getByRole('button', { name: 'Add Session', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  taps.expectAtMost('first session from the landing page')

  taps.startOver()
  await page.getByRole('button', { name: 'Add Maya, Ingrid, 1 h, today · $45.00' }).click()
  await expect(page.getByText('Added: Maya, Ingrid, 1 h, today')).toBeVisible()
  taps.expectAtMost('second session')
  expect((await read<{ sessions: object[] }>(page, 'sessions')).sessions).toHaveLength(2)
  const added = page.locator('.toast').filter({ hasText: 'Session added successfully' })
  const today = await page.evaluate(() =>
    new Date().toLocaleDateString('en-US', { month: 'short', day: 'numeric' }),
  )
  await expect(added).toContainText(`Maya Whitfield, ${today} · 1 h · $45.00`)
  await added.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Add Maya, Ingrid, 1 h, today · $45.00' })).toBeVisible()
})

test("yesterday's lesson takes two taps with the form, in euros, and with what was typed it only fills in the form", async ({
  page,
}) => {
  await arrive(page)
  await send(page, 'patch', 'me', { currency: 'EUR' })
  const { log } = await mayaWithIngrid(page)
  for (const back of [-1 - 7, -1 - 14])
    await log({ date: await dayFromToday(page, back), duration: 1.5, subject: 'Reading' })
  await page.goto('/dashboard')
  await expect(
    page.getByRole('button', { name: 'Add Maya, Ingrid, Reading, 1.5 h, yesterday · €67.50' }),
  ).toBeVisible()
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  const chip = page.getByRole('button', { name: 'Add Maya, Ingrid, Reading, 1.5 h, yesterday' })
  await chip.click()
  await expect(page).toHaveURL(/\/dashboard$/)
  taps.expectAtMost("yesterday's lesson")
  const added = page.locator('.toast').filter({ hasText: 'Session added successfully' })
  await expect(added).toContainText('1.5 h · €67.50')
  await added.getByRole('button', { name: 'Undo' }).click()
  await expect(page.locator('.toast').filter({ hasText: 'Undone' })).toBeVisible()

  await page.getByRole('link', { name: 'Log Session', exact: true }).click()
  await page.getByLabel('Duration (hours)').fill('1,5')
  await page.getByLabel('Rate Override').fill('40,50')
  await expect(chip).toBeHidden()
  await page.getByRole('button', { name: 'Maya, Ingrid, Reading, 1.5 h' }).click()
  const yesterday = page.getByRole('group', { name: 'Days' }).getByRole('button', { name: 'Yesterday' })
  await yesterday.click()
  await expect(yesterday).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('Date')).toHaveValue(await dayFromToday(page, -1))
  await page.getByRole('button', { name: 'Add Session', exact: true }).click()
  await expect(added.last()).toContainText('1.5 h · €60.75')
})

test('a tutor logs two usual lessons with a tap each', async ({ page }) => {
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  for (const name of ['Ada', 'Ben']) {
    const { id } = await post(page, 'students', { name })
    for (const back of [-7, -14])
      await post(page, 'sessions', {
        student_id: id,
        tutor_id: self?.id,
        date: await dayFromToday(page, back),
        duration: 1,
      })
  }
  await page.goto('/dashboard')
  const taps = await countTaps(page)
  for (const name of ['Ada', 'Ben']) {
    await page.getByRole('button', { name: `Add ${name}, 1 h, today · $45.00` }).click()
    await expect(page.getByText(`Added: ${name}, 1 h, today`)).toBeVisible()
  }
  taps.expectAtMost("two of a tutor's usual lessons")
  expect((await read<{ sessions: object[] }>(page, 'sessions')).sessions).toHaveLength(6)
})

test('a tutor adds six students within 8 taps of the dashboard', async ({ page }) => {
  await arrive(page, 'Tutor')
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Students', exact: true }).click()
  await page.getByRole('button', { name: 'Add several' }).click()
  await page.getByLabel('Names').fill('Ada\nBen\nCleo\nDora\nEd\nFay')
  await page.getByRole('button', { name: 'Add 6 students' }).click()
  await expect(page.getByText('6 students added')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Ada',
    'Ben',
    'Cleo',
    'Dora',
    'Ed',
    'Fay',
  ])
  taps.expectAtMost("a tutor's six students")
})
