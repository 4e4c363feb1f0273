// Payment options: a tutor lists them in the account settings, and the family pays with a link or a QR code,
// which this test decodes.
import { type Browser, expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { scanned } from './scanned.ts'
import { axeFaults, dayFromToday, post, read, send } from './screens.ts'

/** A connected family that owes Ingrid 67.50 euros. */
async function aPair(page: Page, browser: Browser): Promise<{ tutor: Page; ingrid: string }> {
  const { tutor, who, log } = await connected(page, browser, { currency: 'EUR' })
  await log({ duration: 1.5 })
  return { tutor, ingrid: who.tutor_id }
}

test('a tutor lists ways to pay, an invalid one is refused at its field, and the family pays what is due', async ({
  page,
  browser,
}) => {
  const { tutor, ingrid } = await aPair(page, browser)
  await tutor.goto('/account')
  const section = tutor.getByRole('region', { name: 'Ways to pay' })
  await expect(section.getByText('Money never passes through Tutorlog.')).toBeVisible()
  const add = () => section.getByRole('button', { name: 'Add a payment option' }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Add a payment option' })
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()

  await add()
  for (const [typed, words] of [
    ['http://paypal.me/ingrid', 'A payment link must begin with https://'],
    ['https://paypal.me.evil.com/ingrid', /paypal\.me\.evil\.com is not on the list/],
    ['https://pаypal.me/ingrid', /xn--pypal-4ve\.me is not on the list/],
  ] as const) {
    await dialog.getByLabel('Payment link').fill(typed)
    await save()
    await expect(dialog.getByText(words)).toBeVisible()
    await expect(dialog.getByLabel('Payment link')).toHaveValue(typed)
  }
  await dialog.getByLabel('Payment link').fill('paypal.me/IngridL')
  await expect(dialog.getByRole('link', { name: 'Open PayPal' })).toHaveAttribute(
    'href',
    'https://paypal.me/IngridL/100.00EUR',
  )
  await save()
  await expect(dialog).toBeHidden()

  await add()
  await dialog.getByLabel('How do you want to be paid?').selectOption('Bank account (euros, SEPA)')
  await dialog.getByLabel('Account holder').fill('Ingrid Lindqvist')
  await dialog.getByLabel('IBAN').fill('SE45 5000 0000 0583 9825 7467')
  await save()
  await expect(dialog.getByText("This IBAN isn't valid. Please check its digits.")).toBeVisible()
  await dialog.getByLabel('IBAN').fill('SE45 5000 0000 0583 9825 7466')
  await dialog.getByLabel('Message').fill('Lessons')
  await expect(dialog.getByRole('img', { name: 'Transfer code for €100.00' })).toBeVisible()
  await save()
  await expect(dialog).toBeHidden()
  await expect(section.getByRole('listitem')).toHaveCount(2)

  // Moves the bank account to the top and checks that it's first now.
  await section.getByRole('button', { name: /^Move Bank transfer.* up$/ }).click()
  await expect(section.getByRole('listitem').first()).toContainText('SE45 5000 0000 0583 9825 7466')
  await section.getByRole('button', { name: /^Remove PayPal/ }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await tutor.getByRole('button', { name: 'Undo' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(2)
  await tutor.reload()
  await expect(section.getByRole('listitem').first()).toContainText('Bank transfer')

  // The family's side.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/payments?with=${ingrid}`)
  const card = page.getByRole('region', { name: 'Pay Ingrid Lindqvist €67.50' })
  await expect(card.getByText('Money never passes through Tutorlog.')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Open PayPal' })).toHaveAttribute(
    'href',
    'https://paypal.me/IngridL/67.50EUR',
  )
  await card.getByText('Bank transfer').click()
  expect(await axeFaults(page, 'light')).toEqual([])
  await card.getByRole('button', { name: 'Copy IBAN' }).click()
  await expect(page.getByText('IBAN copied to clipboard')).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('SE4550000000058398257466')
  const reference = (await card.getByText(/^TL-/).textContent()) ?? ''
  const code = card.getByRole('img', { name: 'Transfer code for €67.50' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(code).toBeVisible()
    const expected = `BCD\n002\n1\nSCT\n\nIngrid Lindqvist\nSE4550000000058398257466\nEUR67.50\n\n\nLessons ${reference}`
    expect(await scanned(page, code), colorScheme).toBe(expected)
    expect(await scanned(page, card.getByRole('figure')), `${colorScheme}, in its place`).toBe(expected)
  }

  await card.getByRole('button', { name: 'I paid' }).click()
  const payment = page.getByRole('dialog', { name: 'Record a payment' })
  await expect(payment.getByLabel(/^Amount/)).toHaveValue('67.50')
  await expect(payment.getByRole('combobox', { name: 'Tutor' })).toHaveValue(ingrid)
  await payment.getByRole('button', { name: 'Add Payment' }).click()
  await expect(page.getByText('Payment added successfully')).toBeVisible()
  await expect(payment).toBeHidden()
  await expect(page.getByText('On its way').first()).toBeVisible()
  await expect(card).toBeHidden()
  const month = (await dayFromToday(page, 0)).slice(0, 7)
  const { balances } = await read<{ balances: { on_its_way_amount: number }[] }>(
    page,
    `balances?month=${month}`,
  )
  expect(balances[0]?.on_its_way_amount).toBe(67.5)
})

test('a list that was asked for before a change doesn’t replace the changed one', async ({
  page,
  browser,
}) => {
  const { tutor } = await aPair(page, browser)
  await tutor.goto('/account')
  const section = tutor.getByRole('region', { name: 'Ways to pay' })
  await section.getByRole('button', { name: 'Add a payment option' }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Add a payment option' })
  await dialog.getByLabel('Payment link').fill('paypal.me/IngridL')
  const { promise: isChanged, resolve: change } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await tutor.route('**/api/v1/payment-ways', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    asked.resolve()
    await isChanged
    await route.fulfill({ response }).catch(() => undefined)
  })
  // News of another device makes the page ask again.
  await post(tutor, 'students', { name: 'Theo' })
  await asked.promise
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  change()
  await tutor.unrouteAll({ behavior: 'wait' })
  await expect(section.getByRole('listitem')).toHaveCount(1)
})

test('a Swiss QR bill on the screen can be scanned despite the cross in its middle, in light and dark', async ({
  page,
  browser,
}) => {
  const { tutor, ingrid } = await aPair(page, browser)
  const way = {
    kind: 'swiss',
    currency: 'EUR',
    holder: 'Ingrid Lindqvist',
    street: 'Rue du Lac',
    building: '12',
    postal_code: '2501',
    town: 'Biel/Bienne',
    country: 'CH',
    iban: 'CH93 0076 2011 6238 5295 7',
  }
  await send(tutor, 'put', 'payment-ways', { ways: [way] })
  await page.goto(`/payments?with=${ingrid}`)
  const code = page.getByRole('img', { name: 'Swiss QR code for €67.50' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(code).toBeVisible()
    const lines = (await scanned(page, code))?.split('\n') ?? []
    expect(lines, colorScheme).toHaveLength(31)
    expect([lines[0], lines[3], lines[5], lines[18], lines[19], lines[27], lines[30]]).toEqual([
      'SPC',
      'CH9300762011623852957',
      'Ingrid Lindqvist',
      '67.50',
      'EUR',
      'NON',
      'EPD',
    ])
  }
})
