// A tutor's day on the dashboard: the classes of today, answered one by one or all at once, and the month they add up to.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { dayFromToday, failOnServer, post, read, send, settled } from './screens.ts'
import { countTaps } from './taps.ts'

/** Today at this time, in the browser's time zone. */
async function at(page: Page, time: string): Promise<number> {
  const day = await dayFromToday(page, 0)
  return page.evaluate((local) => new Date(local).getTime(), `${day}T${time}:00`)
}

/** Adds a student, and a class of theirs today. */
async function teach(page: Page, name: string, start_time: string, more: object = {}, student?: string) {
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  const day = await dayFromToday(page, 0)
  return post(page, 'schedules', {
    student_id: student ?? (await post(page, 'students', { name })).id,
    tutor_id: self?.id,
    day_of_week: new Date(day).getUTCDay(),
    start_time,
    duration: 1,
    start_date: day,
    ...more,
  })
}

const today = (page: Page) => page.getByRole('region', { name: 'Today' })
const rowOf = (page: Page, name: string) => today(page).getByRole('listitem').filter({ hasText: name })

/** A tutor at $40 an hour with six classes that have ended and one later; Fay has no rate of her own. */
async function aFullDay(page: Page) {
  await page.clock.install({ time: await at(page, '15:30') })
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 40 })
  for (const [at, name] of ['Ada', 'Ben', 'Cleo', 'Dora', 'Ed', 'Fay'].entries())
    await teach(page, name, `${String(at + 8).padStart(2, '0')}:00`, { duration: 1.5 })
  await teach(page, 'Gil', '16:00')
}

test('a tutor logs the six lessons of the day with one tap, and one more takes them back', async ({
  page,
}) => {
  await aFullDay(page)
  const taps = await countTaps(page)
  await page.goto('/dashboard')
  await settled(page)
  await expect(today(page).getByText('$0.00 of $400.00')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Did this class happen?' })).toHaveCount(0)
  const last = rowOf(page, 'Fay')
  const before = await last.boundingBox()
  await today(page).getByRole('button', { name: 'Yes to all 6, $360.00' }).dblclick()
  await expect(page.getByText('6 sessions added')).toBeVisible()
  taps.expectAtMost("a tutor's six lessons")
  await expect(today(page).getByRole('button', { name: /^Logged, / })).toHaveCount(6)
  await expect(today(page).getByText('$360.00 of $400.00')).toBeVisible()
  await expect(rowOf(page, 'Gil').getByText('Later today')).toBeVisible()
  expect(await last.boundingBox(), 'nothing moves').toEqual(before)
  expect((await read<{ sessions: object[] }>(page, 'sessions')).sessions).toHaveLength(6)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(today(page).getByRole('button', { name: 'Yes to all 6, $360.00' })).toBeVisible()
  expect((await read<{ sessions: object[] }>(page, 'sessions')).sessions).toHaveLength(0)
})

test('a class that fails says so in its row and can be tried again; without a network, the rest waits on the device', async ({
  page,
}) => {
  await aFullDay(page)
  await page.goto('/dashboard')
  await settled(page)
  let count = 0
  await page.route(/\/api\/v1\/schedules\/[^/]+\/log/, (route) =>
    ++count === 2 ? failOnServer(route) : route.continue(),
  )
  await today(page)
    .getByRole('button', { name: /^Yes to all 6/ })
    .click()
  await expect(page.getByText('Not logged: Ben. The others are in your log.')).toBeVisible()
  await expect(today(page).getByRole('button', { name: /^Logged, / })).toHaveCount(5)
  await page.unroute(/\/api\/v1\/schedules\/[^/]+\/log/)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await rowOf(page, 'Ben').getByRole('button', { name: 'Try again, Ben, 9:00 AM' }).click()
  await expect(today(page).getByRole('button', { name: /^Logged, / })).toHaveCount(6)

  await page.clock.fastForward('01:31:00')
  await page.route(/\/api\//, (route) => route.abort())
  await rowOf(page, 'Gil').getByRole('button', { name: 'Yes, Gil, 4:00 PM' }).click()
  await expect(rowOf(page, 'Gil').getByRole('button', { name: /^Not sent yet/ })).toBeVisible()
  await page.unroute(/\/api\//)
  await expect(rowOf(page, 'Gil').getByText('Logged')).toBeVisible()
  expect((await read<{ sessions: object[] }>(page, 'sessions')).sessions).toHaveLength(7)
})

test('the page follows the clock: a class asks once it ends, and after midnight it is another day', async ({
  page,
}) => {
  // The page's clock goes on meanwhile: half an hour is more than a slow machine needs.
  await page.clock.install({ time: await at(page, '22:30') })
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 40 })
  await teach(page, 'Ada', '22:00')
  await teach(page, 'Ben', '23:00', { duration: 0.5 })
  await page.goto('/dashboard')
  await settled(page)
  await expect(rowOf(page, 'Ada').getByText('Later today')).toBeVisible()
  await expect(today(page).getByText('Next: Ada, 10:00 PM')).toBeVisible()
  const before = await rowOf(page, 'Ben').boundingBox()
  await page.clock.fastForward('31:00')
  await expect(rowOf(page, 'Ada').getByRole('button', { name: /^Yes/ })).toBeVisible()
  expect(await rowOf(page, 'Ben').boundingBox(), 'nothing moves').toEqual(before)
  await page.clock.fastForward('01:00:00')
  await expect(today(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Did this class happen?' })).toBeVisible()
})
