// How a class ended that didn't take place, for both sides.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { addPastClasses, dayFromToday, post, read } from './screens.ts'
import { countTaps } from './taps.ts'

for (const role of ['Parent', 'Tutor'] as const) {
  test(`${role}: 'No' to a class takes two taps, is changed later, and the month says that one was missed`, async ({
    page,
  }) => {
    await arrive(page, role)
    const student = await post(page, 'students', { name: 'Maya' })
    const tutor =
      role === 'Parent'
        ? await post(page, 'tutors', { name: 'Ingrid', hourly_rate: 45 })
        : (await read<{ id: string }[]>(page, 'tutors'))[0]
    await addPastClasses(page, { student_id: student.id, tutor_id: tutor?.id ?? '' }, 1)
    const taps = await countTaps(page)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^No, Maya/ }).click()
    await expect(page.getByText('How did it end?')).toBeVisible()
    await page.getByRole('button', { name: /^Canceled late, Maya/ }).click()
    const row = page.locator('#due li')
    await expect(row.getByRole('paragraph').getByText('Canceled late')).toBeVisible()
    taps.expectAtMost("yesterday's lesson, which didn't happen")
    await row.getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('button', { name: /^No, Maya/ }).click()
    await page.getByRole('button', { name: /^Canceled in time, Maya/ }).click()
    await expect(row.getByRole('paragraph').getByText('Canceled in time')).toBeVisible()

    await page.goto('/schedules')
    await page.getByRole('tab', { name: 'Week' }).click()
    await page.getByRole('button', { name: 'Previous week' }).click()
    await page.getByRole('button', { name: /^Maya.*Canceled in time$/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Maya' })
    await expect(dialog.getByText(/^Recorded by you, /)).toBeVisible()
    await dialog.getByRole('button', { name: /^No-show/ }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: /^Maya.*No-show$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: /^Maya.*Canceled in time$/ }).click()
    await dialog.getByRole('button', { name: /^No-show/ }).click()
    await expect(page.getByRole('button', { name: /^Maya.*No-show$/ })).toBeVisible()

    const month = (await dayFromToday(page, -1)).slice(0, 7)
    await page.goto(`/summary?month=${month}`)
    await page.getByText('1 missed').click()
    await expect(page.getByRole('list', { name: 'Missed classes' }).getByText('No-show')).toBeVisible()
    await page.goto(`/${role === 'Parent' ? 'children' : 'students'}/${student.id}`)
    await expect(page.getByText('1 missed').first()).toBeVisible()
  })
}

test('an answer that cannot be sent, or that someone else gave before, is said and changes nothing', async ({
  page,
}) => {
  await arrive(page)
  const student = await post(page, 'students', { name: 'Maya' })
  const tutor = await post(page, 'tutors', { name: 'Ingrid', hourly_rate: 45 })
  await addPastClasses(page, { student_id: student.id, tutor_id: tutor.id }, 1)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^No, Maya/ }).click()
  const noShow = page.getByRole('button', { name: /^No-show, Maya/ })
  await page.route(/occurrence$/, (route) => route.abort())
  await noShow.click()
  await expect(page.getByText('Failed to save how the class ended')).toBeVisible()
  await expect(noShow, 'the question is still open').toBeVisible()
  await page.unroute(/occurrence$/)
  await page.route(/occurrence$/, (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        status: 409,
        code: 'answered',
        title: 'Someone answered this in the meantime.',
      }),
    }),
  )
  await noShow.click()
  await expect(page.getByText('Someone answered this in the meantime.')).toBeVisible()
})
