// One schedule for a family and its tutor: a class moves once both agree, and a cancellation holds at once.
import { expect, type Page } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { connected } from './pairs.ts'
import { faultsOf, post, read, watch } from './screens.ts'
import { countTaps } from './taps.ts'

test.use({ viewport: { width: 390, height: 844 }, ...IN_DAYTIME })

interface Class {
  date: string
  start_time: string
  status: string
}
/** Today's classes, as one side's calendar has them. */
async function classesOn(page: Page, day: string): Promise<string[]> {
  const classes = await read<Class[]>(page, `occurrences?from=${day}&to=${day}`)
  return classes.map(({ start_time: time, status }) => `${time} ${status}`)
}

test('a tutor moves a class, the family accepts it with one tap, and both see a cancellation at once', async ({
  page: family,
  browser,
}) => {
  const { tutor, who, today } = await connected(family, browser)
  await post(family, 'schedules', {
    ...who,
    day_of_week: new Date(today).getUTCDay(),
    start_time: '23:15',
    duration: 1,
    start_date: today,
  })

  await watch(tutor, '/schedules')
  await expect(tutor.getByRole('listitem').filter({ hasText: 'Maya' })).toContainText('Shared')
  await tutor.getByRole('tab', { name: 'Month' }).click()
  await tutor.getByRole('button', { name: /^Maya/ }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Maya' })
  await dialog.getByRole('button', { name: 'Move this class' }).click()
  await dialog.getByLabel('Start time').fill('23:45')
  await dialog.getByRole('button', { name: 'Move this class' }).click()
  await expect(tutor.getByText('The other side is asked')).toBeVisible()
  expect(await classesOn(family, today), 'nothing moves before the family agrees').toEqual(['23:15 planned'])

  await watch(family, '/dashboard')
  const taps = await countTaps(family)
  const asked = family.getByRole('region', { name: 'Changes to your schedule' })
  await expect(asked).toContainText(/Ingrid Lindqvist asks for .* at 11:45 PM/)
  expect(await faultsOf(family)).toEqual([])
  await asked.getByRole('button', { name: /^Accept, Maya/ }).click()
  await expect(family.getByText('Class moved')).toBeVisible()
  taps.expectAtMost("the other side's move of a class, accepted")
  for (const page of [family, tutor]) expect(await classesOn(page, today)).toEqual(['23:45 planned'])

  await family.goto('/schedules?view=month')
  await family.getByRole('button', { name: /^Maya/ }).click()
  await family
    .getByRole('dialog', { name: 'Maya Whitfield' })
    .getByRole('button', { name: 'Cancel this class' })
    .click()
  await family.getByRole('button', { name: /^Canceled late/ }).click()
  await expect(tutor.getByRole('button', { name: /^Maya.*Canceled late/ })).toBeVisible()
  for (const page of [family, tutor]) expect(await classesOn(page, today)).toEqual(['23:45 canceled'])
  await tutor.context().close()
})
