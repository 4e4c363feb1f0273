// Days without lessons: several classes canceled in one step, by either side, with what they are listed before.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { dayFromToday, post, read, ruleFaults, smallTargets, watch, widthFaults } from './screens.ts'

test.use({ viewport: { width: 390, height: 844 } })

interface Class {
  date: string
  status: string
  outcome: string | null
}
const weekday = (day: string) => new Date(day).getUTCDay()

/** Two schedules, on two weekdays, and two weeks with four classes of them. */
async function holidays(page: Page, browser: Parameters<typeof connected>[1]) {
  const pair = await connected(page, browser)
  const [from, second, to] = await Promise.all([14, 16, 27].map((days) => dayFromToday(page, days)))
  for (const [day, subject] of [
    [from, 'Algebra'],
    [second, 'Chess'],
  ] as const)
    await post(page, 'schedules', {
      ...pair.who,
      day_of_week: weekday(day ?? ''),
      start_time: '16:30',
      duration: 1,
      start_date: pair.today,
      subject,
    })
  const outcomes = async (who: Page) =>
    (await read<Class[]>(who, `occurrences?from=${from}&to=${to}`)).map((one) => one.outcome ?? one.status)
  return { ...pair, from: from ?? '', to: to ?? '', outcomes }
}

const faults = async (page: Page) => [
  ...(await widthFaults(page)),
  ...(await smallTargets(page)),
  ...(await ruleFaults(page)),
]

async function chooseDays(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: 'Add a break' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a break' })
  await dialog.getByLabel('First day').fill(from)
  await dialog.getByLabel('Last day').fill(to)
  return dialog
}

test('a parent’s holidays cancel all classes in one step, the tutor sees them at once, and Undo restores them', async ({
  page: family,
  browser,
}) => {
  const { tutor, from, to, outcomes } = await holidays(family, browser)
  await tutor.goto('/schedules?view=month')
  await watch(family, '/schedules')
  const dialog = await chooseDays(family, from, to)
  await expect(dialog.getByRole('checkbox', { name: 'All schedules' })).toBeChecked()
  await expect(dialog.getByRole('heading', { name: '4 classes' })).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Algebra with Ingrid' })).toHaveCount(2)
  expect(await faults(family)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'All schedules' }).uncheck()
  await expect(dialog.getByRole('heading', { name: 'No classes on these days' })).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'All schedules' }).check()
  await dialog.getByRole('button', { name: 'Cancel 4 classes' }).click()
  await expect(family.getByText(/^No lessons from /)).toBeVisible()
  await expect(dialog).toBeHidden()
  for (const page of [family, tutor])
    expect(await outcomes(page)).toEqual(Array.from({ length: 4 }, () => 'canceled_in_time'))
  await tutor.goto(`/schedules?view=month`)
  await family.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => outcomes(tutor)).toEqual(Array.from({ length: 4 }, () => 'planned'))
  await tutor.context().close()
})

test('the list says before a break which classes lie in a closed month, and leaves them alone', async ({
  page: family,
  browser,
}) => {
  const { tutor, from, to, outcomes } = await holidays(family, browser)
  // As if November were closed and December not.
  await family.route('**/api/v1/occurrences?*', async (route) => {
    const answer = await route.fetch()
    const classes = (await answer.json()) as Class[]
    const closed = classes[0]?.date
    await route.fulfill({
      json: classes.map((one) => ({ ...one, is_in_closed_month: one.date === closed })),
    })
  })
  await family.goto('/schedules')
  const dialog = await chooseDays(family, from, to)
  await expect(dialog.getByRole('heading', { name: '3 classes' })).toBeVisible()
  const stays = dialog.getByRole('region', { name: 'Stays as it is' })
  await expect(stays.getByText(/^\w+ is closed$/)).toBeVisible()
  expect(await faults(family)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel 3 classes' }).click()
  await expect(dialog).toBeHidden()
  expect((await outcomes(tutor)).filter((one) => one === 'planned')).toHaveLength(1)
  await tutor.context().close()
})

test('a tutor’s break starts from one schedule, leaves what was said before, and says what can’t be', async ({
  page: family,
  browser,
}) => {
  const { tutor, from, to, outcomes } = await holidays(family, browser)
  await tutor.goto('/schedules')
  await tutor
    .getByRole('button', { name: /^Edit schedule/ })
    .first()
    .click()
  await tutor
    .getByRole('dialog', { name: 'Edit Schedule' })
    .getByRole('button', { name: 'Add a break' })
    .click()
  const dialog = tutor.getByRole('dialog', { name: 'Add a break' })
  await dialog.getByLabel('First day').fill(to)
  await dialog.getByLabel('Last day').fill(from)
  await expect(dialog.getByText("The last day can't be before the first")).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Cancel classes' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await dialog.getByLabel('First day').fill(from)
  await dialog.getByLabel('Last day').fill(to)
  await expect(dialog.getByRole('heading', { name: '2 classes' })).toBeVisible()

  await tutor.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Cancel 2 classes' }).click()
  await expect(tutor.getByText('Failed to cancel the classes')).toBeVisible()
  await expect(dialog.getByLabel('First day')).toHaveValue(from)
  await tutor.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Cancel 2 classes' }).click()
  await expect(tutor.getByText(/^No lessons from /)).toBeVisible()
  expect((await outcomes(family)).sort()).toEqual([
    'canceled_by_tutor',
    'canceled_by_tutor',
    'planned',
    'planned',
  ])

  const rest = await chooseDays(tutor, from, to)
  await expect(rest.getByRole('heading', { name: '2 classes' })).toBeVisible()
  const stays = rest.getByRole('region', { name: 'Stay as they are' })
  await expect(stays.getByText('Canceled by you')).toHaveCount(2)
  await rest.getByText('The family', { exact: true }).click()
  expect(await faults(tutor)).toEqual([])
  await rest.getByRole('button', { name: 'Cancel 2 classes' }).click()
  await expect(rest).toBeHidden()
  expect((await outcomes(family)).sort()).toEqual([
    'canceled_by_tutor',
    'canceled_by_tutor',
    'canceled_in_time',
    'canceled_in_time',
  ])
  await tutor.context().close()
})
