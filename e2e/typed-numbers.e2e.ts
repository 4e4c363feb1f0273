// Money and hours typed on a German phone, whose decimal pad has a comma and no point.
import { expect, type Locator } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, otherPhone } from './pairs.ts'
import { arrive, linkIn, mailTo } from './people.ts'
import { dayFromToday, faultsOf, post, read, unfold } from './screens.ts'

test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })

/** Types into a field that opens the decimal pad, key by key. */
async function type(field: Locator, keys: string): Promise<void> {
  await expect(field).toHaveAttribute('inputmode', 'decimal')
  await field.fill('')
  await field.pressSequentially(keys)
}

test('a family types every amount and duration with a comma, and each is stored to the cent', async ({
  page,
}) => {
  await arrive(page)
  const today = await dayFromToday(page, 0)
  await post(page, 'students', { name: 'Maya' })

  await page.goto('/tutors')
  await page.getByRole('button', { name: 'Add Tutor' }).first().click()
  await page.getByLabel('Name').fill('Ingrid Lindqvist')
  await type(page.getByLabel('Hourly Rate (US$)'), '1.032,50')
  await page.getByRole('button', { name: 'Add Tutor' }).last().click()
  await expect(page.getByText('US$1,032.50').first()).toBeVisible()
  await page.getByRole('button', { name: 'Edit Ingrid Lindqvist' }).click()
  await type(page.getByLabel('Hourly Rate (US$)'), '32,50')
  await page.getByRole('button', { name: 'Update Tutor' }).click()
  await expect(page.getByText('US$32.50').first()).toBeVisible()

  await page.goto('/add-session')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya' })
  await page.getByRole('combobox', { name: 'Tutor' }).selectOption({ index: 1 })
  await type(page.getByLabel('Duration (hours)'), '1,5')
  await expect(page.getByText('1.5 h at US$32.50')).toBeVisible()
  await page.getByRole('button', { name: 'Quarter hour more' }).click()
  await expect(page.getByLabel('Duration (hours)')).toHaveValue('1.75')
  await type(page.getByLabel('Duration (hours)'), '1,5')
  await type(page.getByLabel('Rate Override (US$/hour)'), '45,1')
  await expect(page.getByText('1.5 h at US$45.10')).toBeVisible()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  await page.goto('/summary')
  await page.getByRole('button', { name: /^Edit session, Maya/ }).click()
  const session = page.getByRole('dialog', { name: 'Edit Session' })
  await type(session.getByLabel('Duration (hours)'), '0,75')
  await type(session.getByLabel('Rate Override (US$/hour)'), '50,20')
  await expect(session.getByText('0.75 h at US$50.20')).toBeVisible()
  await session.getByRole('button', { name: 'Update Session' }).click()
  await expect(page.getByText('Session updated successfully')).toBeVisible()
  expect(await read(page, 'sessions')).toMatchObject({
    sessions: [{ duration: 0.75, hourly_rate: 50.2, total_amount: 37.65 }],
  })

  await page.goto('/schedules')
  await page.getByRole('button', { name: 'Create Schedule' }).first().click()
  const schedule = page.getByRole('dialog', { name: 'Create Schedule' })
  await schedule.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Maya' })
  await schedule.getByRole('combobox', { name: 'Tutor' }).selectOption({ index: 1 })
  await expect(schedule.getByRole('checkbox', { checked: true }), 'the day of the last class').toHaveCount(1)
  await schedule.getByLabel('Start time').fill('16:00')
  await type(schedule.getByLabel('Duration (hours)'), '2,5')
  await type(schedule.getByLabel('Hourly rate (US$)'), '40,5')
  await schedule.getByRole('button', { name: 'Create Schedule' }).click()
  await expect(page.getByText('Schedule created successfully')).toBeVisible()
  expect(await read(page, 'schedules')).toMatchObject([{ duration: 2.5, hourly_rate: 40.5 }])

  await page.goto('/payments')
  for (const [kind, label, amount, stored, due] of [
    ['Payment', 'Amount (US$)', '12,05', 12.05, '37.65'],
    ['Prepaid hours', 'Total price (US$)', '1 234,50', 1234.5, '25.60'],
    ['Already owed', 'Amount owed (US$)', '7,5', 7.5, ''],
  ] as const) {
    await page.getByRole('button', { name: 'Record a payment' }).first().click()
    const payment = page.getByRole('dialog', { name: 'Record a payment' })
    await payment.getByRole('combobox', { name: 'Tutor' }).selectOption({ index: 1 })
    // It's filled in with what is due, once that has loaded.
    await expect(payment.getByLabel('Amount (US$)')).toHaveValue(due)
    if (kind !== 'Payment') await payment.getByText('Prepaid hours, or owed from before?').click()
    if (kind !== 'Payment')
      await payment.getByRole('radio', { name: kind, exact: true }).check({ force: true })
    await type(payment.getByLabel(label), amount)
    if (kind === 'Prepaid hours') await type(payment.getByRole('textbox', { name: 'Hours' }), '2,25')
    await payment.getByRole('button', { name: 'Add Payment' }).click()
    await expect(payment).toBeHidden()
    await expect
      .poll(() => read(page, `payments?from=${today}&to=${today}`))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ amount: stored, hours: kind === 'Prepaid hours' ? 2.25 : null }),
        ]),
      )
  }
})

test('a tutor types both kinds of hourly rate with a comma', async ({ page }) => {
  await arrive(page, 'Tutor')
  await post(page, 'students', { name: 'Ada Osei' })
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Your hourly rate' })
  await type(card.getByLabel('Hourly rate (US$/hour)'), '40,5')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Hourly rate saved')).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('US$40.50/hour')).toBeVisible()
  await page.getByRole('button', { name: 'Change hourly rate' }).click()
  const dialog = page.getByRole('dialog')
  await type(dialog.getByLabel('Hourly rate (US$/hour)'), '41,25')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('US$41.25/hour')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.goto('/students')
  await page.getByRole('button', { name: 'Edit Ada Osei' }).click()
  await type(page.getByLabel('Hourly rate (Optional)'), '60,10')
  await page.getByRole('button', { name: 'Update Student' }).click()
  await expect(page.getByText('US$60.10/hour')).toBeVisible()
})

test('an amount that can be read in two ways is asked about, and one tap answers', async ({
  page,
  browser,
}) => {
  const { email, log, connect } = await aFamily(page)
  await log()
  await page.goto('/payments')
  await page.getByRole('button', { name: 'Record a payment' }).first().click()
  const payment = page.getByRole('dialog', { name: 'Record a payment' })
  await payment.getByRole('combobox', { name: 'Tutor' }).selectOption({ label: 'Ingrid Lindqvist' })
  // It's filled in with what is due, once that has loaded.
  await expect(payment.getByLabel('Amount (US$)')).toHaveValue('45.00')
  await type(payment.getByLabel('Amount (US$)'), '1.234')
  await payment.getByRole('button', { name: 'Add Payment' }).click()
  await expect(payment.getByText('Is that 1,234.00 or 1.23?')).toBeVisible()
  await expect(payment.getByLabel('Amount (US$)')).toBeFocused()
  await payment.getByRole('button', { name: '1,234.00' }).click()
  await expect(payment.getByLabel('Amount (US$)')).toHaveValue('1,234.00')
  await expect(payment.getByText('Is that 1,234.00 or 1.23?')).toBeHidden()
  await payment.getByRole('button', { name: 'Add Payment' }).click()
  await expect(page.getByText('Payment added successfully')).toBeVisible()
  await page.goto('/summary')
  await unfold(page, 'Sessions by Tutor')
  await expect(page.getByText('US$1,234.00').first()).toBeVisible()

  await connect()
  const tutor = await otherPhone(page, browser, { locale: 'de-DE' })
  await tutor.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
  await tutor.getByRole('button', { name: 'I was paid' }).click()
  const form = tutor.getByRole('form', { name: 'I was paid' })
  await type(form.getByLabel('Amount (US$)'), '1.500')
  await form.getByRole('button', { name: 'I was paid' }).click()
  await expect(form.getByText('Is that 1,500.00 or 1.50?')).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await form.getByRole('button', { name: '1.50', exact: true }).click()
  await expect(form.getByText('Is that 1,500.00 or 1.50?')).toBeHidden()
  await type(form.getByLabel('Amount (US$)'), '2,5')
  await form.getByRole('button', { name: 'I was paid' }).click()
  await expect(tutor.getByText(/^Received US\$2\.50/)).toBeVisible()
  await tutor.context().close()
})
