// Two schedules of the same lesson become one, and one that a side ended is kept by the other.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { twoSides } from './pairs.ts'
import { accept, faultsOf, post, read, send, watch } from './screens.ts'

test.use({ viewport: { width: 390, height: 844 } })

interface Listed {
  is_shared: boolean
  start_time: string
  notes: string | null
}
const listOf = (page: Page) => read<Listed[]>(page, 'schedules')
const questions = (page: Page) => page.getByRole('region', { name: 'Changes to your schedule' })

test('each side has a schedule of the same lesson; one asks to make it one, and the other accepts', async ({
  page: family,
  browser,
}) => {
  const { tutor, who, own, today, log, connect } = await twoSides(family, browser)
  const weekly = { day_of_week: 4, duration: 1, start_date: today }
  await post(family, 'schedules', { ...weekly, ...who, start_time: '16:00', notes: 'blue book' })
  await post(tutor, 'schedules', { ...weekly, ...own, start_time: '16:30', hourly_rate: 55, notes: 'slow' })
  const first = await log()
  await connect()
  await accept(tutor, { Maya: own.student_id })
  await send(family, 'delete', `sessions/${first.id}`, {})

  await watch(family, '/schedules')
  await expect(questions(family)).toContainText('Ingrid Lindqvist has this lesson too: Thursdays at 4:30 PM')
  await expect(questions(family).getByRole('row', { name: /^Rate Usual rate \$55.00 an hour/ })).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  await watch(tutor, '/dashboard')
  await expect(questions(tutor)).toContainText('The family has this lesson too: Thursdays at 4:00 PM')

  await questions(family).getByRole('button', { name: 'Make it one schedule, Maya Whitfield' }).click()
  await expect(family.getByText('Ingrid Lindqvist was asked')).toBeVisible()
  await family.getByRole('button', { name: 'Undo' }).click()
  await expect(questions(family)).toContainText('has this lesson too')
  await questions(family)
    .getByRole('button', { name: /^Make it one schedule/ })
    .click()
  await expect(family.getByText('Waiting for Ingrid Lindqvist.')).toBeVisible()

  await expect(questions(tutor)).toContainText('The family asks to make it one schedule')
  expect(await faultsOf(tutor)).toEqual([])
  await questions(tutor).getByRole('button', { name: 'Make it one schedule, Maya' }).click()
  await expect(tutor.getByText('It’s one schedule now')).toBeVisible()
  await expect(questions(tutor)).toBeHidden()
  for (const [page, notes] of [
    [family, 'blue book'],
    [tutor, 'slow'],
  ] as const) {
    const [one, ...more] = await listOf(page)
    expect(more).toEqual([])
    expect([one?.is_shared, one?.start_time, one?.notes]).toEqual([true, '16:00', notes])
  }
  await expect(family.getByRole('listitem').filter({ hasText: 'Maya' })).toContainText('Shared')

  // A change that the other side doesn't want is told, and so is the end.
  await family.getByRole('button', { name: 'Edit schedule for Maya Whitfield' }).click()
  const sheet = family.getByRole('dialog', { name: 'Edit Schedule' })
  await sheet.getByText('History', { exact: true }).click()
  await expect(sheet.getByText('merged two entries into this one')).toBeVisible()
  await sheet.getByLabel('Start time').fill('17:00')
  await sheet.getByRole('button', { name: 'Update Schedule' }).click()
  await expect(sheet).toBeHidden()
  await questions(tutor).getByRole('button', { name: 'Keep it as it is, Maya' }).click()
  await expect(questions(family)).toContainText('Ingrid Lindqvist said no to Thursdays at 5:00 PM')
  await expect(questions(family)).toContainText('It stays Thursdays at 4:00 PM')
  await questions(family).getByRole('button', { name: 'OK, Maya Whitfield' }).click()
  await expect(questions(family)).toBeHidden()

  const [shared] = await read<{ id: string }[]>(tutor, 'schedules')
  await send(tutor, 'delete', `schedules/${shared?.id}`, {})
  await expect(questions(family)).toContainText('Ingrid Lindqvist ended this schedule')
  await questions(family).getByRole('button', { name: 'Keep it, Maya Whitfield' }).click()
  await expect(family.getByText('Schedule kept')).toBeVisible()
  const [kept] = await listOf(family)
  expect([kept?.is_shared, kept?.notes]).toEqual([false, 'blue book'])
  await family.getByRole('button', { name: 'Share with Ingrid Lindqvist, Maya Whitfield' }).click()
  await tutor.goto('/schedules')
  await questions(tutor).getByRole('button', { name: 'No, thanks, Maya' }).click()
  await expect(tutor.getByText('Not added')).toBeVisible()
  await expect(questions(family)).toContainText('said no to making it one schedule')
  await questions(family).getByRole('button', { name: 'OK, Maya Whitfield' }).click()
  expect(await listOf(tutor)).toEqual([])
  await tutor.context().close()
})
