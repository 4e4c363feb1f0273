// Make-ups on both phones: a lesson is canceled late, both see one owed, a session uses it and costs nothing, and none is owed.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { faultsOf, post, read, send, settled } from './screens.ts'

test.use({ viewport: { width: 390, height: 844 } })

const owed = (page: Page) => page.getByRole('list', { name: 'Make-ups' }).getByText('1 make-up owed, until')
const total = async (page: Page, month: string) =>
  (await read<{ total_amount: number }>(page, `summary?month=${month}`)).total_amount

test('a canceled lesson is paid for, both see one make-up owed, and a session uses it without costing anything', async ({
  page: family,
  browser,
}) => {
  const { tutor, who, own, today } = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  const rules = {
    bands: [{ until_hours: 0, percent: 100 }],
    make_ups: { for: 'missed', until: 14 },
  }
  const { id: terms } = await post(tutor, 'terms', { student_id: own.student_id, rules })
  await send(family, 'post', `terms/${terms}/confirm`, {})
  const { id: schedule } = await post(family, 'schedules', {
    ...who,
    day_of_week: new Date(today).getUTCDay(),
    start_time: '23:15',
    duration: 1,
    start_date: today,
  })
  await send(tutor, 'put', `schedules/${schedule}/occurrence`, {
    date: today,
    status: 'canceled',
    outcome: 'canceled_late',
  })
  const before = await total(family, today.slice(0, 7))

  for (const [page, path] of [
    [family, `/tutors/${who.tutor_id}`],
    [family, `/children/${who.student_id}`],
    [tutor, `/students/${own.student_id}`],
    [family, '/summary'],
    [tutor, '/summary'],
  ] as const) {
    await page.goto(path)
    await settled(page)
    await expect(owed(page)).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
  }

  await tutor.goto('/add-session')
  await settled(tutor)
  await tutor.getByRole('combobox', { name: 'Student' }).selectOption(own.student_id)
  const offer = tutor.getByRole('checkbox', { name: /^Use a make-up \(1 owed, until / })
  await expect(tutor.locator('output').getByText('$0.00')).toBeHidden()
  await offer.check()
  await expect(tutor.locator('output').getByText('$0.00')).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await tutor.getByRole('button', { name: 'Add Session' }).click()
  await tutor.waitForURL('**/dashboard')
  await expect(tutor.locator('main')).toContainText('Make-up')

  await family.goto('/to-confirm')
  await settled(family)
  const asked = family.getByRole('listitem').filter({ hasText: 'Make-up' })
  await expect(asked).toContainText('$0.00')
  expect(await faultsOf(family)).toEqual([])
  await family.getByRole('button', { name: 'Confirm 1 session, $0.00' }).click()
  const answered = async () =>
    (await read<{ sessions: { other_confirmation: string }[] }>(tutor, 'sessions')).sessions.map(
      (session) => session.other_confirmation,
    )
  await expect.poll(answered).toEqual(['confirmed'])
  expect(await total(family, today.slice(0, 7))).toBe(before)

  for (const [page, path] of [
    [family, `/tutors/${who.tutor_id}`],
    [tutor, `/students/${own.student_id}`],
  ] as const) {
    await page.goto(path)
    await settled(page)
    await expect(owed(page)).toBeHidden()
  }
  await tutor.context().close()
})
