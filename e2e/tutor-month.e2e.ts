// A tutor's whole day, the rest of the month, and the month closed by both: in euros, on phones whose decimal pad
// has a comma.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected, lastMonth, otherPhone } from './pairs.ts'
import { signIn, someone } from './people.ts'
import { faultsOf, post, settled } from './screens.ts'
import { countTaps, type Taps } from './taps.ts'

test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })

const today = (page: Page) => page.getByRole('region', { name: 'Today' })
const rowOf = (page: Page, name: string) => today(page).getByRole('listitem').filter({ hasText: name })

/** Last month's last day, on which the tutor's phone then stays, at half past three in the afternoon. */
async function lastAfternoon(page: Page): Promise<{ date: string; weekday: number }> {
  const [date, weekday, time] = await page.evaluate(() => {
    const day = new Date(new Date().getFullYear(), new Date().getMonth(), 0, 15, 30)
    return [new Intl.DateTimeFormat('en-CA').format(day), day.getDay(), day.getTime()] as const
  })
  await page.clock.install({ time })
  return { date, weekday }
}

/** Six classes of that day at €45 an hour, the first with the connected family's Maya and the last not over yet. */
async function sixClasses(tutor: Page, own: { student_id: string; tutor_id: string | undefined }) {
  const { date, weekday } = await lastAfternoon(tutor)
  for (const [name, start_time] of [
    ['Maya', '08:00'],
    ['Ada', '09:30'],
    ['Ben', '10:30'],
    ['Cleo', '11:30'],
    ['Dora', '12:30'],
    ['Gil', '16:30'],
  ] as const)
    await post(tutor, 'schedules', {
      ...own,
      ...(name !== 'Maya' && { student_id: (await post(tutor, 'students', { name })).id }),
      day_of_week: weekday,
      start_time,
      duration: 1,
      start_date: date,
      end_date: date,
    })
}

/** The tutor answers the day: one class didn't happen, one was shorter, and the others happened as planned. */
async function answerTheDay(tutor: Page, taps: Taps): Promise<void> {
  await tutor.goto('/dashboard')
  await settled(tutor)
  await expect(today(tutor).getByText('€0.00 of €270.00')).toBeVisible()
  await expect(today(tutor).getByRole('button', { name: 'Yes to all 5, €225.00' })).toBeVisible()
  await rowOf(tutor, 'Cleo').getByRole('link').click()
  await tutor
    .getByRole('dialog', { name: 'Cleo' })
    .getByRole('button', { name: /^No-show, Cleo/ })
    .click()
  await expect(rowOf(tutor, 'Cleo').getByText('No-show')).toBeVisible()

  await rowOf(tutor, 'Maya').getByRole('link').click()
  await tutor
    .getByRole('dialog', { name: 'Maya' })
    .getByRole('button', { name: /^Edit, Maya/ })
    .click()
  const duration = tutor.getByLabel('Duration (hours)')
  await duration.fill('')
  await duration.pressSequentially('0,75')
  await tutor.getByRole('button', { name: 'Add Session' }).click()
  await expect(tutor.getByText('Session added successfully')).toBeVisible()
  await tutor.goto('/dashboard')
  await expect(rowOf(tutor, 'Maya')).toContainText('€33.75')

  taps.startOver()
  await today(tutor).getByRole('button', { name: 'Yes to all 3, €135.00' }).click()
  await expect(tutor.getByText('3 sessions added')).toBeVisible()
  taps.expectAtMost("a tutor's six lessons")
  await expect(rowOf(tutor, 'Gil').getByText('Later today')).toBeVisible()
  await expect(rowOf(tutor, 'Cleo').getByText('No-show')).toBeVisible()
  await expect(today(tutor).getByText('€168.75 of €213.75')).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
}

/** The family confirms the month's lessons but one, which took longer, and says what it paid. */
async function confirmTheMonth(family: Page, month: string): Promise<void> {
  await family.goto('/to-confirm')
  await expect(family.getByRole('button', { name: 'Confirm all 4, €191.25' })).toBeVisible()
  const wrong = family.getByRole('listitem').filter({ hasText: '€67.50' })
  await wrong.getByRole('checkbox').uncheck()
  await wrong.getByText('Time', { exact: true }).click()
  const duration = wrong.getByLabel('Right duration (hours)')
  await duration.fill('')
  await duration.pressSequentially('1,25')
  expect(await faultsOf(family)).toEqual([])
  await wrong.getByRole('button', { name: 'Send', exact: true }).click()
  await family.getByRole('button', { name: 'Confirm all 3, €123.75' }).click()
  await expect(
    family.getByText(/^3 confirmed, €123\.75\. 1 sent as not right: .*Maya Whitfield\.$/),
  ).toBeVisible()

  await family.goto('/payments')
  await family.getByRole('button', { name: 'Record a payment' }).first().click()
  const payment = family.getByRole('dialog', { name: 'Record a payment' })
  await payment.getByRole('combobox', { name: 'Tutor' }).selectOption({ label: 'Ingrid Lindqvist' })
  // It's filled in with what is due, once that has loaded.
  await expect(payment.getByLabel('Amount (€)')).toHaveValue('123.75')
  await payment.getByLabel('Amount (€)').fill('')
  await payment.getByLabel('Amount (€)').pressSequentially('62,50')
  await payment.getByLabel('Date').fill(`${month}-28`)
  await payment.getByRole('button', { name: 'Add Payment' }).click()
  await expect(payment).toBeHidden()
}

/** Both sides' figures: what the family owes is its line of what the tutor is owed. */
async function expectOwed(family: Page, tutor: Page, share: string, total: string): Promise<void> {
  for (const path of ['/dashboard', '/summary', '/payments']) {
    await family.goto(path)
    await expect(family.getByRole('region', { name: `You owe ${share}`, exact: true }), path).toBeVisible()
    await tutor.goto(path)
    const owed = tutor.getByRole('region', { name: `You’re owed ${total}`, exact: true })
    await expect(owed, path).toBeVisible()
    const how = owed.getByRole('button', { name: /^How it adds up/ })
    if ((await how.getAttribute('aria-expanded')) === 'false') await how.click()
    await expect(owed.getByRole('listitem').filter({ hasText: 'Jordan Whitfield' }), path).toContainText(
      `${share} due`,
    )
  }
}

test("a tutor's whole day and month: logged class by class, confirmed by the family, and closed by both with one tap each", async ({
  page: family,
  browser,
}) => {
  const { tutor, own, email } = await connected(family, browser, {
    full_name: 'Jordan Whitfield',
    currency: 'EUR',
  })
  const { month, name } = await lastMonth(family)
  await sixClasses(tutor, own)
  const taps = await countTaps(tutor)
  await answerTheDay(tutor, taps)

  for (const [day, duration] of [
    ['06', 1],
    ['13', 1.5],
    ['20', 1],
  ] as const)
    await post(tutor, 'sessions', { ...own, date: `${month}-${day}`, duration })
  await confirmTheMonth(family, month)

  await tutor.goto('/dashboard')
  await settled(tutor)
  taps.startOver()
  const asked = tutor
    .locator('#to-confirm')
    .getByRole('listitem')
    .filter({ hasText: '75 minutes instead of 90' })
  await asked.getByRole('button', { name: /^Accept, Maya/ }).click()
  await expect(tutor.getByText('Accepted', { exact: true })).toBeVisible()
  taps.expectAtMost('what the other side says is right, accepted')
  await tutor.getByRole('button', { name: /^Received, €62\.50/ }).click()
  await expect(
    tutor.getByRole('region', { name: 'Payments to confirm' }).getByText('Confirmed'),
  ).toBeVisible()
  await expectOwed(family, tutor, '€117.50', '€252.50')

  // The month can be closed once it's over, which it is on the family's phone and on the tutor's other one.
  const phone = await otherPhone(family, browser)
  await signIn(phone, { ...someone(), email })
  await expect(phone.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  const [familyTaps, tutorTaps] = [await countTaps(family), await countTaps(phone)]
  await family.goto(`/summary?month=${month}`)
  await settled(family)
  await family.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await expect(family.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()
  familyTaps.expectAtMost('a month closed by one side')
  // As the email and the dashboard link to it.
  await phone.goto(`/summary?month=${month}#closing`)
  await settled(phone)
  await phone.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(phone.getByText('Closed', { exact: true })).toBeVisible()
  tutorTaps.expectAtMost('a month closed by one side')
  await family.reload()
  await expect(family.getByText('Closed', { exact: true })).toBeVisible()
  await expectOwed(family, phone, '€117.50', '€252.50')
  for (const one of [tutor, phone]) await one.context().close()
})
