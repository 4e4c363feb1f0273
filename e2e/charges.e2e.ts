// Charges and credits: what a family owes for anything but a lesson.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { connected, lastMonth } from './pairs.ts'
import { axeFaults, dayFromToday, faultsOf, holdBack, post, read, send, settled } from './screens.ts'

test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })

test('a family records a book for 12,50 €, the tutor confirms it, the month shows it, and both close the month', async ({
  page,
  browser,
}) => {
  const { tutor } = await connected(page, browser, { full_name: 'Jordan Whitfield', currency: 'EUR' })
  const { month, name } = await lastMonth(page)
  await page.goto('/payments')
  await page.getByRole('button', { name: 'Add a charge' }).click()
  const form = page.getByRole('dialog', { name: 'Add a charge' })
  await form.getByRole('button', { name: 'Add Charge' }).click()
  await expect(form.getByText('Enter an amount such as 45 or 45.50')).toBeVisible()
  await form.getByLabel('Amount (€)').pressSequentially('12,50')
  await form.getByLabel('Date').fill(`${month}-14`)
  await form.getByLabel('What for').fill('Reading book')
  await form.getByRole('button', { name: 'Add Charge' }).click()
  await expect(page.getByText('Charge added successfully')).toBeVisible()

  await tutor.goto('/to-confirm')
  const asked = tutor.getByRole('region', { name: 'Charges to confirm' })
  await expect(asked.getByText('Reading book')).toBeVisible()
  await asked.getByRole('button', { name: /^Confirm, €12\.50/ }).click()
  await expect(asked.getByText('Confirmed by both of you')).toBeVisible()

  for (const one of [page, tutor]) {
    await one.goto(`/payments?month=${month}`)
    await expect(one.getByText('Reading book').filter({ visible: true })).toBeVisible()
    await expect(one.getByText('€12.50 other charges')).toBeVisible()
  }
  await page.goto(`/summary?month=${month}`)
  await settled(page)
  await page.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await expect(page.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()
  await tutor.goto(`/summary?month=${month}#closing`)
  await settled(tutor)
  await tutor.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()

  // The page of a closed month doesn't change any more.
  await page.goto(`/payments?month=${month}`)
  await page.getByRole('button', { name: /^Edit charge, €12\.50/ }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Charge' })
  await edit.getByLabel('Amount (€)').fill('13')
  await edit.getByRole('button', { name: 'Update Charge' }).click()
  const question = page.getByRole('dialog', { name: `Why reopen ${name}?` })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(edit.getByText(/is closed\. Reopen it with a reason to change it/)).toBeVisible()
  await tutor.context().close()
})

test('the tutor says another amount and day with a comma, and the family accepts them with one tap', async ({
  page,
  browser,
}) => {
  const { tutor, who, today, connection } = await connected(page, browser, { currency: 'EUR' })
  await post(page, 'charges', {
    connection_id: connection,
    tutor_id: who.tutor_id,
    date: today,
    amount: 12.5,
    reason: 'materials',
    label: 'Book',
  })
  await tutor.goto('/to-confirm')
  const asked = tutor.getByRole('region', { name: 'Charges to confirm' })
  await asked.getByRole('button', { name: /^Not right, €12\.50/ }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Not right?' })
  await dialog.getByRole('button', { name: 'Not right' }).click()
  await expect(dialog.getByText(/^Briefly say what isn.t right, or change/)).toBeVisible()
  const yesterday = await dayFromToday(page, -1)
  await dialog.getByLabel('Right amount (€)').fill('1,234')
  await dialog.getByRole('button', { name: 'Not right' }).click()
  await dialog.getByRole('button', { name: '1,234.00' }).click()
  await dialog.getByLabel('Right amount (€)').fill('10,50')
  await dialog.getByLabel('Right date').fill(yesterday)
  expect(await axeFaults(tutor, 'light')).toEqual([])
  await dialog.getByRole('button', { name: 'Not right' }).click()
  await expect(tutor.getByText('can accept it or answer.')).toBeVisible()

  await page.goto('/to-confirm')
  const back = page.getByRole('region', { name: /^Charges/ }).filter({ hasText: 'Book' })
  await expect(back.getByText(/says €10\.50 instead of €12\.50/)).toBeVisible()
  await back.getByRole('button', { name: /^Accept, / }).click()
  await expect(page.getByText('Accepted', { exact: true })).toBeVisible()
  expect(await read<object[]>(page, `charges?from=${yesterday}&to=${today}`)).toMatchObject([
    { amount: 10.5, date: yesterday, own_confirmation: 'confirmed', other_confirmation: 'confirmed' },
  ])
  await tutor.context().close()
})

test('a charge can be added before the account has loaded: its form opens once it has', async ({
  page,
  browser,
}) => {
  await connected(page, browser, { full_name: 'Jordan Whitfield', currency: 'EUR' })
  const go = await holdBack(page, '**/api/v1/balances/lines?*')
  await page.goto('/payments')
  await page.getByRole('button', { name: 'Add a charge' }).click()
  await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible()
  go()
  await expect(page.getByRole('dialog', { name: 'Add a charge' })).toBeVisible()
})

test('a tutor imports a list of charges in euros with commas, and the family is asked about each', async ({
  page,
  browser,
}) => {
  const { tutor, own } = await connected(page, browser, { full_name: 'Jordan Whitfield', currency: 'EUR' })
  await tutor.goto('/payments')
  await tutor.getByRole('link', { name: 'Import charges' }).click()
  const { month, short } = await lastMonth(page)
  const lines = tutor.getByLabel('Or paste the lines here')
  await lines.fill(
    [
      'Datum;Grund;Betrag',
      `14.${month.slice(5)}.${month.slice(0, 4)};Reading book;12,50 €`,
      `15.${month.slice(5)}.${month.slice(0, 4)};Discount;-1.234,50`,
      `16.${month.slice(5)}.${month.slice(0, 4)};Travel;1,234`,
      `17.${month.slice(5)}.${month.slice(0, 4)};Travel;0`,
    ].join('\n'),
  )
  await tutor.getByRole('button', { name: 'Preview' }).click()
  await expect(tutor.getByRole('radio', { name: 'Charge or credit' })).toBeChecked()
  await expect(tutor.getByRole('region', { name: 'Lines with errors' }).getByRole('listitem')).toHaveText([
    'Line 4“1,234” could be 1,234.00 or 1.23. Write it with two decimals.',
    'Line 5Enter an amount other than 0',
  ])
  const shown = tutor.getByRole('region', { name: 'Lines', exact: true }).getByRole('listitem')
  await expect(shown).toHaveText([/Reading book.*€12\.50/, /Discount.*-€1,234\.50/])
  expect(await faultsOf(tutor)).toEqual([])
  expect(await axeFaults(tutor, 'dark')).toEqual([])

  await tutor.getByRole('button', { name: 'Skip 2 lines and import 2' }).click()
  await expect(tutor.getByText('2 charges imported')).toBeVisible()
  await expect(tutor).toHaveURL(`/payments?month=${month}`)

  // What was skipped is still there to be corrected; what was imported is left out.
  await tutor.goto('/import')
  await lines.fill((await lines.inputValue()).replace('1,234', '1,23').replace(/\n.*;0$/, ''))
  await tutor.getByRole('button', { name: 'Preview' }).click()
  await expect(shown.filter({ hasText: 'Already recorded' })).toHaveCount(2)
  await tutor.getByRole('button', { name: 'Import 1 charge' }).click()
  await expect(tutor.getByText('1 charge imported')).toBeVisible()

  await page.goto('/to-confirm')
  const asked = page.getByRole('region', { name: 'Charges to confirm' })
  await expect(asked.getByRole('button', { name: /^Confirm, / })).toHaveCount(3)
  // There's nothing to uncheck, and of three answers none is the page's.
  await expect(page.getByText('It counts once you confirm it.')).toBeVisible()
  const filled = page.locator('main .btn-p')
  await expect(filled).toHaveCount(0)

  const { id: lesson } = await post(tutor, 'sessions', { ...own, date: `${month}-20`, duration: 1 })
  await expect(page.getByText('Uncheck any that aren’t right.')).toBeVisible()
  await expect(filled).toHaveText([/^Confirm 1 session/])
  await send(tutor, 'delete', `sessions/${lesson}`, {})
  await expect(filled).toHaveCount(0)
  await asked.getByRole('button', { name: new RegExp(`^Confirm, €12\\.50, ${short}`) }).click()
  await expect(asked.getByText('Confirmed by both of you')).toBeVisible()
  await tutor.context().close()
})
