// A tutor in another time zone than the lessons: both hours on every screen that shows a class.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { dayFromToday, post, read, settled } from './screens.ts'

test.use({ timezoneId: 'Asia/Tokyo' })

/** A class in New York that began two hours ago and took one, and its name. */
async function teachInNewYork(page: Page): Promise<{ there: string; here: string }> {
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  const start = await page.evaluate(() => {
    const halfHour = 30 * 60_000
    const at = new Date(Math.floor((Date.now() - 2 * 3_600_000) / halfHour) * halfHour)
    const of = (timeZone: string) => ({
      day: new Intl.DateTimeFormat('en-CA', { timeZone }).format(at),
      time: new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }).format(at),
      clock: new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at),
    })
    return { there: of('America/New_York'), here: of('Asia/Tokyo') }
  })
  await post(page, 'schedules', {
    student_id: (await post(page, 'students', { name: 'Maya Whitfield' })).id,
    tutor_id: self?.id,
    day_of_week: new Date(start.there.day).getUTCDay(),
    start_time: start.there.clock,
    duration: 1,
    start_date: start.there.day,
    time_zone: 'America/New_York',
  })
  const weekday = (day: string) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' }).format(new Date(day))
  const isSameDay = start.there.day === start.here.day
  const words = ({ day, time }: { day: string; time: string }) =>
    isSameDay ? time : `${weekday(day)} ${time}`
  return { there: words(start.there), here: words(start.here) }
}

test('a tutor elsewhere sees both hours of a class, and chooses where the next one takes place', async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  await expect
    .poll(async () => (await read<{ time_zone: string | null }>(page, 'me')).time_zone)
    .toBe('Asia/Tokyo')
  const { there, here } = await teachInNewYork(page)
  const both = `${there}, ${here} for you`

  await page.goto('/dashboard')
  await settled(page)
  const yes = page.getByRole('button', { name: /^Yes, / })
  await expect(yes.first()).toBeVisible()
  await expect(page.getByText(both).first()).toBeVisible()

  await page.goto('/schedules')
  await expect(page.getByRole('main').getByText('for you').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Month' }).click()
  // A class just after midnight was yesterday for one of the two hours before now.
  const began = await page.evaluate(
    () => new Date(Date.now() - 2 * 3_600_000).getDate() === new Date().getDate(),
  )
  if (!began) await page.locator(`[data-day="${await dayFromToday(page, -1)}"]`).click()
  await page.getByRole('button', { name: both }).click()
  const dialog = page.getByRole('dialog', { name: 'Maya Whitfield' })
  await expect(dialog.getByText(both)).toBeVisible()
  await expect(dialog.getByText('is the time in New York.')).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Did this class happen?' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.getByRole('tab', { name: 'List' }).click()
  await page.getByRole('button', { name: 'Edit schedule for Maya Whitfield' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Schedule' })
  await form.getByText('More · Time in New York').click()
  await form.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo')
  await form.getByRole('button', { name: 'Update Schedule' }).click()
  await expect(page.getByText('Schedule updated successfully')).toBeVisible()
  await expect(page.getByRole('main').getByText('for you')).toHaveCount(0)
})
