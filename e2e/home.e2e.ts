// The dashboard: what is owed, this month's total, and what's waiting for an answer.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive, someone } from './people.ts'
import {
  accept,
  addPastClasses,
  dayFromToday,
  failOnServer,
  hearNothing,
  post,
  read,
  send,
  settled,
} from './screens.ts'

const monthName = async (page: Page) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(
    new Date(await dayFromToday(page, 0)),
  )

test("the month on the dashboard adds up on both sides, and doesn't mention agreement before anybody is connected", async ({
  page,
  browser,
}) => {
  await arrive(page)
  const month = await monthName(page)
  const { email } = someone()
  const { who, log } = await mayaWithIngrid(page, { email })
  const [first, , third] = [await log(), await log({ duration: 2 }), await log({ duration: 0.5 })]
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: `${month}: $157.50`, exact: true })
  await expect(card).toBeVisible()
  await expect(page.getByRole('region', { name: 'You owe $157.50', exact: true })).toBeVisible()
  await expect(page.getByText(/agreed|waiting|not right|only yours/i)).toHaveCount(0)
  // On a phone, the chart is only on the summary page.
  const chart = page.getByRole('heading', { name: 'By week' })
  await expect(chart).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect(chart).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(chart).toHaveCount(0)

  await post(page, 'connections', { tutor_id: who.tutor_id })
  const other = await otherPhone(page, browser)
  await arrive(other, 'Tutor', email)
  await accept(other)
  await send(other, 'post', `sessions/${first.id}/confirm`, {})
  await send(other, 'post', `sessions/${third.id}/dispute`, { note: 'There was no third lesson' })
  for (const [side, heading, owed] of [
    [page, `${month}: $135.00`, 'You owe $135.00'],
    [other, `Earnings in ${month}: $135.00`, 'You’re owed $135.00'],
  ] as const) {
    await side.goto('/dashboard')
    const both = side.getByRole('region', { name: heading, exact: true })
    for (const part of ['agreed $45.00', 'waiting $90.00', 'not right $22.50'])
      await expect(both.getByText(part)).toBeVisible()
    const figure = side.getByRole('region', { name: owed, exact: true })
    await expect(figure.getByText(`All from ${month}`)).toBeVisible()
    await expect(figure.getByRole('button', { name: /^Mark as paid/ })).toBeVisible()
    await side.getByRole('link', { name: `All of ${month}` }).click()
    await expect(side).toHaveURL(/\/summary$/)
  }
  expect((await read<{ sessions_this_month: number }>(page, 'dashboard')).sessions_this_month).toBe(3)

  // The row stays after its last question is answered, so nothing below it moves.
  await other.goto('/dashboard')
  await settled(other)
  const total = other.getByRole('heading', { name: `Earnings in ${month}: $135.00` })
  const row = other.locator('#to-confirm').getByRole('listitem')
  const button = row.getByRole('button', { name: /^Confirm/ })
  await button.scrollIntoViewIfNeeded()
  const before = await total.boundingBox()
  await button.click()
  await expect(row.getByRole('button', { name: /^Undo/ })).toBeVisible()
  await expect(other.getByText('agreed $135.00')).toBeVisible()
  expect(await total.boundingBox()).toEqual(before)
  await other.context().close()
})

test('the dashboard says if balances didn’t load, and retrying loads them', async ({ page }) => {
  await hearNothing(page)
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  await page.route(/\/api\/v1\/balances/, failOnServer)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: `${await monthName(page)}: $45.00` })).toBeVisible()
  const again = page.getByRole('button', { name: 'Try again to load the balances' })
  await expect(again).toBeVisible()
  await page.unroute(/\/api\/v1\/balances/)
  await again.click()
  await expect(page.getByRole('region', { name: 'You owe $45.00' })).toBeVisible()
})

test('when a lot is waiting, a phone shows what is owed and the first rows; "All 5" expands the rest in place and stays open', async ({
  page,
}) => {
  await arrive(page)
  const { who, log } = await mayaWithIngrid(page)
  await log()
  await addPastClasses(page, who, 5)
  await page.goto('/dashboard')
  const rows = page.locator('#due li')
  const last = rows.last()
  const all = page.getByRole('button', { name: /^All 5/ })
  await expect(rows).toHaveCount(2)
  await expect(all).toHaveAttribute('aria-expanded', 'false')
  await settled(page)
  const end = async () => {
    const box = await last.boundingBox()
    return box ? box.y + box.height : Infinity
  }
  const nav = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  expect(await end()).toBeLessThanOrEqual(nav?.y ?? 0)

  // An answered row stays, and no other row is added.
  const before = await end()
  await rows.first().getByRole('button', { name: /^Yes/ }).click()
  await expect(rows.first().getByText('Logged')).toBeVisible()
  await rows.first().getByRole('button', { name: /^Undo/ }).click()
  await expect(rows.getByRole('button', { name: /^Yes/ })).toHaveCount(2)
  await expect.poll(end).toBe(before)

  await all.click()
  await expect(rows).toHaveCount(5)
  const fewer = page.getByRole('button', { name: 'Show fewer' })
  await expect(fewer).toBeFocused()
  await expect(fewer).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('status').filter({ hasText: 'All 5 are shown above' })).toBeAttached()
  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await expect(page).toHaveURL(/\/summary/)
  await page.goBack()
  await expect(rows).toHaveCount(5)
  await fewer.click()
  await expect(rows).toHaveCount(2)
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect(all).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Did this class happen?' })).toBeVisible()
})
