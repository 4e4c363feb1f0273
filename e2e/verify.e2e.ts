// A parent and a tutor without an account agree on a session.
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, otherPhone } from './pairs.ts'
import { arrive, linkIn, mailTo } from './people.ts'
import { settled, watch } from './screens.ts'

test('D9: a parent logs a session, the tutor confirms it from the emailed link, the parent changes it, the tutor sends it back, and they agree', async ({
  page,
  browser,
}) => {
  const { email } = await aFamily(page)
  await page.goto('/add-session')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  await page
    .getByRole('combobox', { name: 'Tutor' })
    .selectOption({ label: 'Ingrid Lindqvist ($45.00/hour)' })
  await page.getByLabel('Duration (hours)').fill('1.5')
  await page.getByLabel('Subject').fill('Algebra II')
  await page.getByLabel('Notes').fill('Forgot the homework again')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Algebra II, 1.5 h')).toBeVisible()
  await expect(page.getByText(/Waiting for tutor|Agreed/)).toHaveCount(0)

  await page.getByRole('link', { name: 'Tutors', exact: true }).click()
  await page.getByRole('button', { name: 'Ask to confirm, Ingrid Lindqvist' }).click()
  await page.getByLabel('How should Ingrid Lindqvist see you?').fill('Ann')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Request sent', { exact: true })).toBeVisible()
  await expect(page.getByText('Request sent, no answer yet').first()).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByText('Waiting for tutor')).toBeVisible()

  const tutor = await otherPhone(page, browser)
  await tutor.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
  await expect(tutor.getByRole('heading', { level: 1, name: 'Ann asks you to confirm' })).toBeVisible()
  await expect(tutor.getByText('Algebra II, 1.5 h, $45.00/h')).toBeVisible()
  await expect(tutor.getByText(/Whitfield|homework/)).toHaveCount(0)
  await expect(tutor).toHaveURL('http://localhost:4173/confirm')
  await tutor.getByRole('button', { name: 'Confirm 1 session, $67.50' }).click()
  await expect(tutor.getByRole('heading', { name: /is confirmed$/ })).toBeVisible()
  await expect(tutor.getByText('Agreed', { exact: true })).toBeVisible()

  await page.goto('/summary')
  await expect(page.getByText('$67.50 agreed')).toBeVisible()
  await page.getByRole('button', { name: /^Edit session, Maya Whitfield/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  await dialog.getByLabel('Duration (hours)').fill('2')
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await expect(page.getByText('$90.00 waiting')).toBeVisible()

  await tutor.reload()
  await expect(tutor.getByText('Algebra II, 2 h, $45.00/h')).toBeVisible()
  await tutor.getByRole('checkbox', { name: /Maya/ }).uncheck()
  await tutor.getByLabel('Note to Ann').fill('It was an hour and three quarters')
  await tutor.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(tutor.getByText('“It was an hour and three quarters”')).toBeVisible()

  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Marked not right by a tutor' })).toBeVisible()
  await page.getByRole('button', { name: /^Edit session, Maya Whitfield/ }).click()
  await expect(dialog.getByText('Ingrid Lindqvist sent this back')).toBeVisible()
  await dialog.getByLabel('Duration (hours)').fill('1.75')
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await expect(page.getByText('Session updated successfully')).toBeVisible()

  await tutor.reload()
  await expect(tutor.getByRole('button', { name: 'Confirm 1 session, $78.75' })).toBeVisible()
  await tutor.getByRole('button', { name: /^Add a summary, Maya/ }).click()
  const words = tutor.getByRole('form', { name: /^Summary, Maya/ })
  await words.getByLabel('Homework').fill('Page 84, 3 to 9')
  await tutor.reload()
  await expect(words.getByLabel('Homework')).toHaveValue('Page 84, 3 to 9')
  await words.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(tutor.getByText('Agreed', { exact: true })).toBeVisible()
  await expect(tutor.getByText('Page 84, 3 to 9')).toBeVisible()

  await page.goto('/summary')
  await expect(page.getByText('$78.75 agreed')).toBeVisible()
  await page.getByRole('button', { name: /^Edit session, Maya Whitfield/ }).click()
  await expect(dialog).toContainText('Homework: Page 84, 3 to 9')
  await dialog.getByText('History', { exact: true }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Ingrid Lindqvist confirmed it' })).toHaveCount(
    2,
  )
  await expect(
    dialog.getByRole('listitem').filter({ hasText: 'You changed it: 2 h to 1.75 h' }),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: /Statement/ }).click()
  await page.getByRole('combobox', { name: 'About' }).selectOption({ label: 'Ingrid Lindqvist' })
  const [own] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Signed-off statement' }).click(),
  ])
  const [theirs] = await Promise.all([
    tutor.waitForEvent('download'),
    tutor.getByRole('button', { name: 'Keep a copy (PDF)' }).click(),
  ])
  const files = await Promise.all([own, theirs].map(async (download) => readFileSync(await download.path())))
  expect(files[0]?.equals(files[1] ?? Buffer.alloc(0)), 'both sides have the same statement').toBe(true)
  await tutor.context().close()
})

test('a tutor with an account accepts a family, confirms a whole month and undoes one session', async ({
  page,
  browser,
}) => {
  const { email, log, connect } = await aFamily(page)
  for (const subject of ['Algebra', 'Geometry', 'Reading']) await log({ subject })
  await connect()

  const other = await otherPhone(page, browser)
  await arrive(other, 'Tutor', email)
  await other.getByRole('button', { name: 'Accept' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await expect(other.getByText('Algebra, 1 h, $45.00/h')).toBeVisible()
  await other.getByRole('link', { name: 'See all' }).click()
  const ticks = other.getByRole('checkbox', { name: /Maya/ })
  // Waits for the page to load, because the dashboard has buttons with the same names.
  await expect(other.getByRole('heading', { name: 'Connected families' })).toBeVisible()
  await settled(other)
  await expect(ticks).toHaveCount(3)
  await ticks.first().uncheck()
  await other.getByRole('button', { name: 'Cancel' }).click()
  await other.getByRole('button', { name: 'Confirm 2, $90.00' }).dblclick()
  await expect(other.getByText(/^2 confirmed, \$90\.00\. 1 left open: .*, Maya\.$/)).toBeVisible()
  await expect(ticks, 'a second tap confirms nothing else').toHaveCount(1)
  await other.getByRole('button', { name: 'Undo', exact: true }).click()
  await ticks.first().check()
  await other.getByRole('button', { name: 'Confirm all 3, $135.00' }).click()
  await expect(other.getByText('3 confirmed, $135.00.')).toBeVisible()
  await expect(other.getByText('Nothing to confirm')).toBeVisible()
  await other
    .getByRole('button', { name: /^Undo, Maya/ })
    .first()
    .click()
  await expect(ticks).toHaveCount(1)
  await page.goto('/summary')
  await expect(page.getByText('$90.00 agreed')).toBeVisible()
  await expect(page.getByText('$45.00 waiting')).toBeVisible()

  await page.goto('/tutors')
  await page.getByRole('button', { name: 'More for Ingrid Lindqvist' }).click()
  await page.getByRole('menuitem', { name: 'End connection' }).click()
  await page.getByRole('button', { name: 'End connection', exact: true }).click()
  await expect(page.getByText('Connection ended')).toBeVisible()
  await other.reload()
  await expect(other.getByText('Connected families')).toHaveCount(0)
  await other.context().close()
})

test('a confirmation shows up on the other screen without a reload', async ({ page, browser }) => {
  const { email, log, connect } = await aFamily(page)
  await log()
  await connect()
  const link = linkIn((await mailTo(page, email, 'asks you to confirm')).text)
  await watch(page, '/dashboard')
  await expect(page.getByText('Waiting for tutor')).toBeVisible()
  const other = await otherPhone(page, browser)
  await other.goto(link)
  await other.getByRole('button', { name: /^Confirm 1 session/ }).click()
  await expect(page.getByText('Agreed', { exact: true })).toBeVisible()
  await other.context().close()
})
