// A family that uses euros never sees a dollar sign. A tutor sets a rate and gets the correct monthly total.
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { aFamily } from './pairs.ts'
import { arrive } from './people.ts'
import { dayFromToday, post, read } from './screens.ts'

test.use(IN_DAYTIME)

/** All text on the page, including what only screen readers announce: content, labels, titles, placeholders. */
async function words(page: Page): Promise<string> {
  return page.evaluate(() => {
    const names = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']
    const spoken = [...document.querySelectorAll('body *')].flatMap((one) =>
      names.map((name) => one.getAttribute(name) ?? ''),
    )
    const read = [...document.querySelectorAll('body *:not(script):not(style)')].flatMap((one) =>
      [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent),
    )
    return [document.title, ...spoken, ...read].join('\n')
  })
}

async function inEuros(page: Page, what: string): Promise<void> {
  await expect.poll(() => words(page), { message: `${what} shows money` }).toContain('€')
  expect(await words(page), what).not.toContain('$')
}

test('a family that chose euros sees no dollar sign on any screen, in any form or file', async ({ page }) => {
  await arrive(page)
  const today = await dayFromToday(page, 0)
  const child = await post(page, 'students', { name: 'Maya Whitfield' })
  const tutor = await post(page, 'tutors', { name: 'Ingrid Lindqvist', hourly_rate: '45.50' })
  const pair = { student_id: child.id, tutor_id: tutor.id }
  await post(page, 'sessions', { ...pair, date: today, duration: 1.5, subject: 'Algebra' })
  await post(page, 'payments', { tutor_id: tutor.id, date: today, amount: 20 })
  await post(page, 'schedules', {
    ...pair,
    day_of_week: new Date(`${today}T00:00Z`).getUTCDay(),
    start_time: '00:00',
    duration: 0.5,
    hourly_rate: 60,
    start_date: today,
  })

  await page.goto('/account')
  const currency = page.getByRole('combobox', { name: 'Currency' })
  await currency.selectOption('EUR')
  const question = page.getByRole('alertdialog', { name: 'Change to EUR?' })
  await expect(question).toContainText('$40.00 becomes €40.00.')
  await expect(question).toContainText('They’re relabeled, not converted.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(currency).toHaveValue('USD')
  await currency.selectOption('EUR')
  await page.getByRole('button', { name: 'Change to EUR' }).click()
  await expect(page.getByText('Currency changed')).toBeVisible()
  await expect(currency).toHaveValue('EUR')

  await page.goto('/dashboard')
  await inEuros(page, 'dashboard')

  await page.goto('/add-session')
  await page
    .getByRole('combobox', { name: 'Tutor' })
    .selectOption({ label: 'Ingrid Lindqvist (€45.50/hour)' })
  await expect(page.getByLabel('Rate Override (€/hour)')).toBeVisible()
  await expect(page.getByText(/h at €45\.50$/)).toBeVisible()
  await inEuros(page, 'the session form')
  await page.getByLabel('Rate Override (€/hour)').fill('600000')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('The rate can be at most 500,000 an hour')).toBeVisible()
  await inEuros(page, 'a refused rate')

  await page.goto('/tutors')
  await inEuros(page, 'tutors')
  await page.getByRole('button', { name: 'Edit Ingrid Lindqvist' }).click()
  await expect(page.getByLabel('Hourly Rate (€)')).toHaveValue('45.50')
  await inEuros(page, 'the tutor form')

  await page.goto('/schedules')
  await inEuros(page, 'schedules')
  await page.getByRole('button', { name: 'Edit schedule for Maya Whitfield' }).click()
  await expect(page.getByLabel('Hourly rate (€)')).toHaveValue('60.00')
  await inEuros(page, 'the schedule form')

  await page.goto('/payments')
  await inEuros(page, 'payments')
  await page.getByRole('button', { name: /^Edit payment, €20\.00/ }).click()
  await expect(page.getByLabel('Amount (€)')).toBeVisible()
  await inEuros(page, 'the payment form')

  await page.goto('/summary/year')
  await inEuros(page, 'the year')
  await page.goto('/summary')
  await inEuros(page, 'the month')
  await page.getByRole('button', { name: /^Edit session, Maya Whitfield/ }).click()
  await page.getByText('History', { exact: true }).click()
  await expect(page.getByText('You logged it')).toBeVisible()
  await inEuros(page, 'the session dialog')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Statement' }).click()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'CSV' }).click(),
  ])
  const text = await readFile(await csv.path(), 'utf8')
  expect(text).toContain('Rate (€/hour)')
  expect(text).not.toContain('$')

  await page.goto('/import')
  await page.getByLabel('Or paste the lines here').fill(`${text}2026-02-03,Maya Whitfield,Ben,1,,45,44,,`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText(/the rate times the duration is €45\.00/)).toBeVisible()
  await inEuros(page, 'the import')

  await page.goto('/add-session?tab=voice')
  await page.getByLabel(/type/i).first().fill('Maya had an hour of algebra with Ingrid today at 50 an hour')
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  await expect(page.getByText('AI Extracted Session Data')).toBeVisible()
  await expect(page.getByText('€50.00/hour')).toBeVisible()
})

test('a tutor sets an hourly rate on the dashboard and logs a month with it, and a later rate changes nothing logged before', async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  const today = await dayFromToday(page, 0)
  const student = await post(page, 'students', { name: 'Ada Osei' })
  const tutors = await read<{ id: string }[]>(page, 'tutors')
  await page.goto('/add-session')
  await expect(page.getByRole('heading', { name: 'Your hourly rate' })).toBeVisible()
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Your hourly rate' })
  await card.getByLabel('Hourly rate ($/hour)').fill('forty')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Enter an amount such as 45 or 45.50')).toBeVisible()
  await card.getByLabel('Hourly rate ($/hour)').fill('40')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Hourly rate saved')).toBeVisible()
  await expect(card).toBeHidden()

  await page.goto('/add-session')
  await expect(page.getByRole('heading', { name: 'Your hourly rate' })).toBeHidden()
  await page.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Ada Osei' })
  await expect(page.getByText('1 h at $40.00')).toBeVisible()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  await post(page, 'schedules', {
    student_id: student.id,
    tutor_id: tutors[0]?.id,
    day_of_week: (new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7,
    start_time: '00:00',
    duration: 0.5,
    start_date: await dayFromToday(page, -1),
  })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Yes, Ada Osei/ }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  await page.goto('/account')
  await expect(page.getByText('$40.00/hour')).toBeVisible()
  await page.getByRole('button', { name: 'Change hourly rate' }).click()
  await page.getByRole('dialog').getByLabel('Hourly rate ($/hour)').fill('50')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const offer = page.getByRole('dialog', { name: /^Also for 2 sessions since/ })
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText('$50.00/hour')).toBeVisible()
  await page.goto('/students')
  await page.getByRole('button', { name: 'Edit Ada Osei' }).click()
  await page.getByLabel('Hourly rate (Optional)').fill('60')
  await page.getByRole('button', { name: 'Update Student' }).click()
  await expect(page.getByText('$60.00/hour')).toBeVisible()

  const { sessions } = await read<{ sessions: { total_amount: number }[] }>(page, 'sessions')
  expect(sessions.map((one) => one.total_amount).sort((a, b) => a - b)).toEqual([20, 40])
  await page.goto('/summary')
  await expect(page.getByText(/Waiting for|agreed|waiting/)).toHaveCount(0)
  await page
    .getByRole('button', { name: /^Edit session, Ada Osei/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit Session' })
  await expect(dialog.getByText('1 h at $40.00')).toBeVisible()
  await expect(dialog.getByText(/Waiting for|Agreed/)).toHaveCount(0)
})

test('a family that shares a session is told why its currency stays, and keeps it', async ({ page }) => {
  const { log, connect } = await aFamily(page)
  await connect()
  await log()
  await page.goto('/account')
  const currency = page.getByRole('combobox', { name: 'Currency' })
  await currency.selectOption('CHF')
  const why = page.getByRole('alertdialog', { name: 'Your currency stays USD' })
  await expect(why).toContainText('To use CHF, end the connection first.')
  await why.getByRole('button', { name: 'Keep USD' }).click()
  await expect(why).toBeHidden()
  await expect(currency).toHaveValue('USD')
})
