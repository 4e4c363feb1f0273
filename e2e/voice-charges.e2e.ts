// What's said along with a lesson, or instead of one: charges, and classes that didn't take place.
import { expect, type Page } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { dayFromToday, faultsOf, post, read, send } from './screens.ts'

test.use(IN_DAYTIME)

interface ListedCharge {
  amount: number
  reason: string
  label: string
  date: string
  student_name: string
  tutor_name: string
}
const chargesOf = (page: Page) => read<ListedCharge[]>(page, 'charges')

async function say(page: Page, text: string): Promise<void> {
  await page.goto('/add-session?tab=voice')
  await page.getByRole('textbox', { name: 'You can also type or dictate it' }).fill(text)
  await page.getByRole('button', { name: 'Fill in the form' }).click()
}

test('a charge in euros with a comma is reviewed, saved with the session by the same press, and undone with it', async ({
  page,
}) => {
  await arrive(page)
  await send(page, 'patch', 'me', { currency: 'EUR' })
  const { today } = await mayaWithIngrid(page, { tutor: 'David Chen' })
  await say(page, 'Maya had an hour of algebra with David Chen today plus 12,50 euro for the book')
  const box = page.getByRole('checkbox', { name: 'Charge: €12.50 for book' })
  await expect(box).toBeChecked()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Use This Data' }).click()
  const beside = page.getByRole('region', { name: 'Saved with the session' })
  await expect(beside).toContainText('Book €12.50')
  // Nothing is saved without a press, and nothing is lost by a reload.
  expect(await chargesOf(page)).toEqual([])
  await page.reload()
  await expect(beside).toContainText('Book €12.50')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page.getByText('Book €12.50')).toBeVisible()
  await expect
    .poll(() => chargesOf(page))
    .toMatchObject([
      {
        amount: 12.5,
        reason: 'materials',
        label: 'Book',
        date: today,
        student_name: 'Maya',
        tutor_name: 'David Chen',
      },
    ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  expect(await chargesOf(page)).toEqual([])
})

test('what was not read certainly is asked, another currency is not guessed, and a charge can be left out', async ({
  page,
}) => {
  await arrive(page)
  await mayaWithIngrid(page, { tutor: 'David Chen' })
  await say(page, 'Maya had an hour of algebra with David Chen today plus 12,50 euro for the book')
  await expect(page.getByText('Not added: €12.50 for book. Your records are in USD.')).toBeVisible()
  await say(page, 'Maya had an hour of algebra with David Chen today, 12 dollars for the book')
  const asked = page.getByRole('checkbox', { name: 'Also a charge? $12.00 for book' })
  await expect(asked).not.toBeChecked()
  await asked.check()
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await page.getByRole('button', { name: 'Leave out, Book $12.00' }).click()
  await expect(page.getByRole('region', { name: 'Saved with the session' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  expect(await chargesOf(page)).toEqual([])
})

interface ListedPayment {
  amount: number
  kind: string
  date: string
  student_name: string | null
  tutor_name: string | null
}
const paymentsOf = (page: Page, today: string) =>
  read<ListedPayment[]>(page, `payments?from=${today}&to=${today}`)

test('what was paid leaves the price alone, is recorded with one tap and the session, and undone with it', async ({
  page,
}) => {
  await arrive(page)
  const { today } = await mayaWithIngrid(page, { tutor: 'David Chen' })
  await say(page, 'Maya had an hour of algebra with David Chen today and I paid him 30 dollars')
  await expect(page.getByText('Tutor’s default, $45.00')).toBeVisible()
  const box = page.getByRole('checkbox', { name: 'Record $30.00 paid' })
  await expect(box).not.toBeChecked()
  expect(await faultsOf(page)).toEqual([])
  await box.check()
  await page.getByRole('button', { name: 'Use This Data' }).click()
  const beside = page.getByRole('region', { name: 'Saved with the session' })
  await expect(beside).toContainText('Payment: $30.00 paid')
  await page.reload()
  await expect(beside).toContainText('Payment: $30.00 paid')
  expect(await faultsOf(page)).toEqual([])
  expect(await paymentsOf(page, today)).toEqual([])
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page.getByText('$30.00 paid')).toBeVisible()
  expect(await paymentsOf(page, today)).toMatchObject([
    { amount: 30, kind: 'payment', date: today, tutor_name: 'David Chen' },
  ])
  const { sessions } = await read<{ sessions: object[] }>(page, 'sessions')
  // It has no price of its own.
  expect(sessions).toMatchObject([{ hourly_rate: null }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  expect(await paymentsOf(page, today)).toEqual([])
})

test('a payment that was not saved with its session is said, and trying again saves it once', async ({
  page,
}) => {
  await arrive(page)
  const { today } = await mayaWithIngrid(page, { tutor: 'David Chen' })
  await say(page, 'Maya had an hour of algebra with David Chen today and I paid him 30 dollars')
  await page.getByRole('checkbox', { name: 'Record $30.00 paid' }).check()
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await page.route('**/api/v1/payments', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    // The server stores it, but the answer is lost.
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('The session was added, but not the payment')).toBeVisible()
  await page.unroute('**/api/v1/payments')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Payment added successfully')).toBeVisible()
  expect(await paymentsOf(page, today)).toHaveLength(1)
})

test('a tutor records what was paid to them with the same tap', async ({ page }) => {
  await arrive(page, 'Tutor')
  await post(page, 'students', { name: 'Maya' })
  const today = await dayFromToday(page, 0)
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  await say(page, 'Maya had an hour of algebra today and her mother paid me 30 dollars')
  await page.getByRole('checkbox', { name: 'Record $30.00 paid' }).check()
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  expect(await paymentsOf(page, today)).toMatchObject([{ amount: 30, student_name: 'Maya' }])
})

test('if the session is saved but the charge is not, that is said, and trying again saves the charge once', async ({
  page,
}) => {
  await arrive(page)
  await mayaWithIngrid(page, { tutor: 'David Chen' })
  await say(page, 'Maya had an hour of algebra with David Chen today plus 12 dollars for the book')
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await page.route('**/api/v1/charges', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    // The server stores it, but the answer is lost.
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add Session' }).click()
  const told = page.getByText('The session was added, but not the charge')
  await expect(told).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard/)
  await page.unroute('**/api/v1/charges')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Charge added successfully')).toBeVisible()
  expect(await chargesOf(page)).toHaveLength(1)
  const { sessions } = await read<{ sessions: object[] }>(page, 'sessions')
  expect(sessions).toHaveLength(1)
})

test('a class that was canceled is found on its day, and its end is saved with one press', async ({
  page,
}) => {
  await arrive(page)
  const { who, today } = await mayaWithIngrid(page, { tutor: 'David Chen' })
  await say(page, 'Maya was canceled this morning')
  await expect(
    page.getByText(/There’s no planned class for Maya on .*, so there’s nothing to change\./),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /Canceled late/ })).toHaveCount(0)
  await post(page, 'schedules', {
    ...who,
    day_of_week: new Date(today).getUTCDay(),
    start_time: '00:00',
    duration: 1,
    frequency: 'weekly',
    start_date: await dayFromToday(page, -7),
  })
  await say(page, 'Maya didn’t come today')
  const classes = page.getByRole('list', { name: 'Classes of this day' })
  await expect(classes).toContainText('12:00 AM')
  await expect(classes.getByRole('button').first()).toHaveAccessibleName('No-show, Maya, 12:00 AM')
  expect(await faultsOf(page)).toEqual([])
  await classes.getByRole('button').first().click()
  await expect(classes.getByRole('button')).toHaveCount(0)
  await expect(classes.getByText('No-show')).toBeVisible()
  expect(await read<object[]>(page, `missed?from=${today}&to=${today}`)).toMatchObject([
    { outcome: 'no_show' },
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(classes.getByRole('button')).not.toHaveCount(0)
  await say(page, 'Maya canceled on Friday')
  await expect(page.getByText('We couldn’t tell which day you mean.')).toBeVisible()
})
