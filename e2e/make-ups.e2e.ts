// Make-ups on both phones: a lesson is canceled late, both see one owed, a session uses it and costs nothing, and none is owed.
import { type Browser, expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { linkIn, mailTo, someone } from './people.ts'
import { faultsOf, post, read, send, settled } from './screens.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** Anything that has to do with money. */
const MONEY = /\$|\brate\b|\bpaid\b|payment|amount/i

const owed = (page: Page) => page.getByRole('list', { name: 'Make-ups' }).getByText('1 make-up owed, until')
const total = async (page: Page, month: string) =>
  (await read<{ total_amount: number }>(page, `summary?month=${month}`)).total_amount

/** Both phones of a connection in which today's lesson was canceled late: it's paid for, and its make-up is owed. */
async function canceledLate(family: Page, browser: Browser) {
  const both = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  const { tutor, who, own, today } = both
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
  return both
}

test('a canceled lesson is paid for, both see one make-up owed, and a session uses it without costing anything', async ({
  page: family,
  browser,
}) => {
  const { tutor, who, own, today } = await canceledLate(family, browser)
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

test('T19: a caregiver sees the make-up and uses it on a phone, without an amount anywhere, and both sides see it at no cost', async ({
  page: family,
  browser,
}) => {
  const { tutor, who, own } = await canceledLate(family, browser)
  const cara = someone()
  await post(family, 'members', { email: cara.email, role: 'caregiver', student_ids: null })
  const phone = await browser.newPage()
  await phone.goto(linkIn((await mailTo(family, cara.email, 'invited you to their')).text))
  await phone.getByLabel('Your name').fill('Cara Bell')
  await phone.getByLabel('Choose a password').fill(cara.password)
  await phone.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'Hello, Cara' })).toBeVisible()

  await phone.goto(`/children/${who.student_id}`)
  await settled(phone)
  await expect(owed(phone)).toBeVisible()
  await expect(phone.locator('body')).not.toContainText(MONEY)
  await phone.goto('/add-session')
  await settled(phone)
  await phone.getByRole('combobox', { name: 'Child' }).selectOption(who.student_id)
  await phone.getByRole('combobox', { name: 'Tutor' }).selectOption(who.tutor_id)
  await phone.getByRole('checkbox', { name: /^Use a make-up \(1 owed, until / }).check()
  await expect(phone.locator('body')).not.toContainText(MONEY)
  expect(await faultsOf(phone)).toEqual([])

  await phone.getByRole('button', { name: 'Add Session' }).click()
  await phone.waitForURL('**/dashboard')
  await expect(phone.locator('main')).toContainText('Make-up')
  await phone.goto(`/children/${who.student_id}`)
  await settled(phone)
  await expect(owed(phone)).toBeHidden()

  for (const page of [family, tutor]) {
    const { sessions } = await read<{ sessions: { total_amount: number; makes_up: string }[] }>(
      page,
      'sessions',
    )
    expect(sessions.filter((one) => one.makes_up).map((one) => one.total_amount)).toEqual([0])
  }
  await tutor.goto(`/students/${own.student_id}`)
  await settled(tutor)
  await expect(owed(tutor)).toBeHidden()
  await phone.context().close()
  await tutor.context().close()
})
