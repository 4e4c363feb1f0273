// A month's sessions on a desktop: sorting by column, choosing several, and what can be done with them.
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { post, read, send } from './screens.ts'

test.use({ viewport: { width: 1280, height: 900 } })

const table = (page: Page) =>
  page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Date' }) })
/** The subjects in the table, from top to bottom. */
const subjects = async (page: Page) =>
  await table(page)
    .getByRole('row')
    .getByRole('cell')
    .filter({ hasText: /^(Algebra|Chess|Drama|English)$/ })
    .allTextContents()

async function withFour(page: Page, browser: Parameters<typeof connected>[1]) {
  const pair = await connected(page, browser)
  const { tutor, own, today, log } = pair
  await post(tutor, 'sessions', { ...own, date: today, duration: 1, subject: 'Algebra' })
  await post(tutor, 'sessions', { ...own, date: today, duration: 2, subject: 'Chess', is_another: true })
  await log({ duration: 0.5, subject: 'Drama', is_another: true })
  const agreed = await log({ duration: 1.5, subject: 'English', is_another: true })
  await send(tutor, 'post', `sessions/${agreed.id}/confirm`, {})
  await page.goto('/summary')
  await expect(table(page)).toBeVisible()
  return pair
}

test('the sessions of a month are sorted by a column, with the keyboard too, and the address keeps the order', async ({
  page,
  browser,
}) => {
  await withFour(page, browser)
  const header = (name: string) => table(page).getByRole('columnheader', { name })
  await expect(header('Date')).toHaveAttribute('aria-sort', 'descending')
  await header('Subject').getByRole('button').click()
  await expect.poll(() => subjects(page)).toEqual(['Algebra', 'Chess', 'Drama', 'English'])
  await expect(header('Subject')).toHaveAttribute('aria-sort', 'ascending')
  await expect(header('Date')).not.toHaveAttribute('aria-sort', /.*/)
  await header('Amount').getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => subjects(page)).toEqual(['Chess', 'English', 'Algebra', 'Drama'])
  await page.keyboard.press('Enter')
  await expect.poll(() => subjects(page)).toEqual(['Drama', 'Algebra', 'English', 'Chess'])
  await expect(page).toHaveURL(/sort=amount/)
  await page.reload()
  await expect.poll(() => subjects(page)).toEqual(['Drama', 'Algebra', 'English', 'Chess'])
  await expect(header('Amount')).toHaveAttribute('aria-sort', 'ascending')
})

test('several sessions are confirmed, exported and deleted at once, and the other side is asked where it has confirmed', async ({
  page,
  browser,
}) => {
  const { tutor } = await withFour(page, browser)
  await page.goto('/summary?sort=subject')
  await expect.poll(() => subjects(page)).toEqual(['Algebra', 'Chess', 'Drama', 'English'])
  const bar = page.getByRole('region', { name: 'Selected sessions' })
  const boxes = table(page).getByRole('checkbox', { name: /^Select Maya/ })
  await expect(bar).toHaveCount(0)
  await boxes.nth(0).click()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await expect(bar.getByRole('status')).toHaveText(/^3 selected, 3\.5 h, \$157\.50$/)

  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(4)
  for (const subject of ['Algebra', 'Chess', 'Drama']) expect(lines.join()).toContain(subject)

  await bar.getByRole('button', { name: 'Confirm 2' }).click()
  await expect(page.getByText('2 sessions confirmed')).toBeVisible()
  await expect(bar.getByRole('button', { name: /^Confirm/ })).toHaveCount(0)

  const all = table(page).getByRole('checkbox', { name: 'Select all sessions shown' })
  await all.click()
  await expect(bar.getByRole('status')).toHaveText(/^4 selected/)
  await bar.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 1, ask about 3?' })
  await expect(question).toContainText('1 session will be deleted for good.')
  await expect(question).toContainText('3 sessions stay in both logs until Ingrid Lindqvist agrees.')
  await question.getByRole('button', { name: 'Delete and ask' }).click()
  await expect(page.getByText('1 session deleted, 3 deletions requested')).toBeVisible()
  await expect.poll(() => subjects(page)).toEqual(['Algebra', 'Chess', 'English'])
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar).toHaveCount(0)
  const left = await read<{ sessions: { deletion_asked_by: string | null }[] }>(tutor, 'sessions')
  expect(left.sessions.map(({ deletion_asked_by: asked }) => asked)).toEqual(['other', 'other', 'other'])
})
