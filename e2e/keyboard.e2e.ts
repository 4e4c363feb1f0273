// Keyboard shortcuts: Ctrl K opens the search, pressing two keys in sequence goes to a page, and "?" lists
// the shortcuts. Single-key shortcuts can be turned off.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { expectLayers, post } from './screens.ts'

test.use({ viewport: { width: 1280, height: 800 } })

/** Waits until Enter would open this one: the first result is highlighted a moment after it's shown. */
const expectHighlighted = (page: Page, name: RegExp) =>
  expect(page.getByRole('option', { name }).and(page.locator('[data-highlighted]'))).toBeVisible()

test('Ctrl K finds a child, a session and a page, and opens them', async ({ page }) => {
  await arrive(page, 'Parent')
  const { log } = await mayaWithIngrid(page, { child: 'Maya Whitfield' })
  await log({ subject: 'Algebra' })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Find a child, tutor, session or page' })

  await page.getByRole('button', { name: 'Find' }).click()
  await field.fill('algebra')
  await expectHighlighted(page, /Algebra, Maya Whitfield, Ingrid/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Maya/ })).toBeVisible()
  await expectLayers(page, 1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await field.fill('whit')
  await expectHighlighted(page, /^Maya Whitfield/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/children\/.{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Maya Whitfield' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await field.fill('zzz')
  await expect(page.getByText('Nothing found for "zzz".')).toBeVisible()
  await field.fill('balance')
  await expectHighlighted(page, /Payments/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/payments$/)
})

test('a payment is found by the reference on a bank statement, and opens in its month', async ({ page }) => {
  await arrive(page, 'Parent')
  const { who, today } = await mayaWithIngrid(page)
  await post(page, 'payments', { ...who, date: today, amount: 67.5, kind: 'payment', reference: 'TL-7K3Q' })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Find/ }).fill('tl-7k3q')
  await expectHighlighted(page, /TL-7K3Q.*\$67\.50/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/payments\\?.*month=${today.slice(0, 7)}`))
  await expect(page.getByText('TL-7K3Q').filter({ visible: true }).first()).toBeVisible()
})

test('payments are found by their notes, and charges by what they are for and why', async ({ page }) => {
  await arrive(page, 'Parent')
  const { who, today } = await mayaWithIngrid(page)
  await post(page, 'payments', {
    ...who,
    date: today,
    amount: 67.5,
    kind: 'payment',
    note: 'Envelope in the piano',
  })
  await post(page, 'charges', {
    ...who,
    date: today,
    amount: 12.5,
    reason: 'materials',
    label: 'Reading book',
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  const field = page.getByRole('combobox', { name: /^Find/ })
  const found = page.getByRole('option')
  await page.keyboard.press('Control+k')
  await field.fill('envelope')
  await expect(found).toHaveText([/Envelope in the piano.*\$67\.50.*Payments/])
  await expectHighlighted(page, /Envelope/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Payment' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  for (const words of ['reading', 'materials', '12.50']) {
    await page.keyboard.press('Control+k')
    await field.fill(words)
    await expect(found).toHaveText([/Reading book.*\$12\.50.*Charges/])
    await page.keyboard.press('Escape')
    await expect(field).toBeHidden()
  }
  await page.keyboard.press('Control+k')
  await field.fill('book')
  await expect(found).toHaveText([/Reading book/])
  await expectHighlighted(page, /Reading book/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Charge' }).getByLabel('What for')).toHaveValue(
    'Reading book',
  )
})

test('Ctrl K opens the search even as the first keys of a visit, before its code has loaded', async ({
  page,
}) => {
  await arrive(page, 'Parent')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Find a child, tutor, session or page' })).toBeVisible()
})

test('"?" lists the shortcuts, two keys in a row open a page, and single keys can be turned off', async ({
  page,
}) => {
  await arrive(page, 'Parent')
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(list).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expectLayers(page, 1)
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page.getByRole('heading', { level: 1, name: 'Children' })).toBeVisible()

  // In a field, the keys just type text.
  await page
    .getByRole('button', { name: /^Add( Your First)? Child$/ })
    .first()
    .click()
  await page.getByLabel('Name').pressSequentially('gd?')
  await expect(page.getByLabel('Name')).toHaveValue('gd?')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('region', { name: 'Add New Child' })).toHaveCount(0)

  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: /without Ctrl/ }).uncheck()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(list).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Find/ })).toBeVisible()
  await expect(page).toHaveURL(/\/children$/)
})
