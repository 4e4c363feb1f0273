// A search over all sessions on the summary and on people's pages, and several of them selected on a phone.
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected, lastMonth } from './pairs.ts'
import { expectLayers, failOnServer, faultsOf, post, send } from './screens.ts'

test.use({ viewport: { width: 390, height: 844 } })

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search sessions' })
const rows = (page: Page) => page.getByRole('list', { name: /^Sessions, / }).getByRole('listitem')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected sessions' })

/** Lessons of two months, most of them waiting for the family. */
async function withMonths(page: Page, browser: Parameters<typeof connected>[1]) {
  const pair = await connected(page, browser)
  const { tutor, own, log } = pair
  const { month } = await lastMonth(page)
  const day = (nth: number) => `${month}-${String(nth).padStart(2, '0')}`
  for (const nth of [3, 10, 17])
    await post(tutor, 'sessions', {
      ...own,
      date: day(nth),
      duration: 1,
      subject: 'Éssays',
      notes: 'zeppelin',
    })
  await log({ date: day(4), subject: 'Chess', notes: 'A dirigible' })
  await log({ date: day(5), subject: 'Chess', is_another: true })
  return { ...pair, month }
}

test('a word finds sessions of any month on the summary, two are confirmed at once, and Back and a reload keep it', async ({
  page,
  browser,
}) => {
  const { tutor } = await withMonths(page, browser)
  await page.goto('/summary')
  await search(page).fill('essays')
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByText('3 sessions found, 3 h, $135.00')).toBeVisible()
  await expect(page.getByText('Includes 3 waiting.')).toBeVisible()
  await expect(page).toHaveURL(/\/summary\?q=essays$/)
  expect(await faultsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page
    .getByRole('checkbox', { name: /^Select Maya/ })
    .nth(0)
    .check()
  await page
    .getByRole('checkbox', { name: /^Select Maya/ })
    .nth(1)
    .check()
  await expect(bar(page).getByRole('status')).toHaveText('2 selected, 2 h, $90.00')
  expect(await faultsOf(page)).toEqual([])
  await bar(page).getByRole('button', { name: 'Confirm 2' }).click()
  await expect(page.getByText('2 sessions confirmed')).toBeVisible()
  await expect(page.getByText('Includes 1 waiting.')).toBeVisible()

  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(bar(page)).toHaveCount(0)

  await page.reload()
  await expect(search(page)).toHaveValue('essays')
  await expect(rows(page)).toHaveCount(3)
  await rows(page).first().click()
  await expect(page.getByRole('dialog', { name: /^Maya Whitfield, / })).toBeVisible()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(rows(page)).toHaveCount(3)

  // The tutor's own notes aren't the family's to find, and the other way around.
  await search(page).fill('zeppelin')
  await expect(page.getByRole('heading', { name: 'Nothing found for “zeppelin”' })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(search(page)).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'Monthly Summary' })).toBeVisible()
  await tutor.goto('/summary?q=dirigible')
  await expect(tutor.getByRole('heading', { name: 'Nothing found for “dirigible”' })).toBeVisible()
})

test('filters narrow a search to a status, to days and to classes that were missed', async ({
  page,
  browser,
}) => {
  const { tutor, own, who, month } = await withMonths(page, browser)
  await page.goto('/summary')
  await page.getByRole('button', { name: 'Filters' }).click()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Status').selectOption('Waiting')
  await expect(rows(page)).toHaveCount(5)
  await page.getByLabel('To', { exact: true }).fill(`${month}-04`)
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('From').fill(`${month}-05`)
  await expect(page.getByText('The last day can’t be before the first')).toBeVisible()
  await page.getByLabel('From').fill('')
  await expect(page.getByText('The last day can’t be before the first')).toBeHidden()
  await page.reload()
  await expect(rows(page)).toHaveCount(2)

  const schedule = await post(tutor, 'schedules', {
    student_id: own.student_id,
    tutor_id: own.tutor_id,
    day_of_week: new Date(`${month}-11T12:00:00Z`).getUTCDay(),
    start_time: '16:00',
    duration: 1,
    frequency: 'weekly',
    subject: 'Spanish',
    start_date: `${month}-01`,
  })
  await send(tutor, 'put', `schedules/${schedule.id}/occurrence`, {
    date: `${month}-11`,
    status: 'canceled',
    outcome: 'no_show',
  })
  await tutor.goto('/summary?q=spanish&outcome=missed')
  await expect(tutor.getByRole('list', { name: 'Missed classes' }).getByRole('listitem')).toHaveCount(1)
  await tutor.getByLabel('Outcome').selectOption('Canceled late')
  await expect(tutor.getByRole('heading', { name: 'Nothing found for “spanish”' })).toBeVisible()
  expect(who.tutor_id).toBeTruthy()
})

test("a person's page has the same search and selection, and a search that fails says so", async ({
  page,
  browser,
}) => {
  const { who } = await withMonths(page, browser)
  await page.goto(`/tutors/${who.tutor_id}`)
  await search(page).fill('chess')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect(bar(page).getByRole('status')).toHaveText(/^2 selected/)
  const download = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Export' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('Chess')
  expect(await faultsOf(page)).toEqual([])

  await page.route('**/api/v1/sessions?*search=quiet*', failOnServer)
  await search(page).fill('quiet')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/v1/sessions?*search=quiet*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing found for “quiet”' })).toBeVisible()
})
