// Receipts and invoices: a tutor types the details once, sees what an ESA paper lacks, issues it, voids it and issues it
// again, on a phone and on a computer.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { lastMonth } from './pairs.ts'
import { arrive } from './people.ts'
import { axeFaults, failOnServer, faultsOf, post, read, send } from './screens.ts'

/** Looks for faults at every width, and comes back to the test's. */
async function check(page: Page): Promise<void> {
  const viewport = page.viewportSize()
  expect(await faultsOf(page)).toEqual([])
  if (viewport) await page.setViewportSize(viewport)
}

/** A tutor with a student, and two lessons last month, the second without a subject. */
async function aTutor(page: Page, currency?: string): Promise<{ student: string }> {
  await arrive(page, 'Tutor')
  if (currency) await send(page, 'patch', 'me', { currency })
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  const { id: student } = await post(page, 'students', { name: 'Maya Whitfield' })
  const lesson = { student_id: student, tutor_id: self?.id, duration: 1, start_time: '16:30' }
  // A new paper is about last month.
  const { month } = await lastMonth(page)
  await post(page, 'sessions', { ...lesson, date: `${month}-03`, subject: 'Algebra' })
  await post(page, 'sessions', { ...lesson, date: `${month}-10`, subject: 'Algebra' })
  await post(page, 'payments', { student_id: student, date: `${month}-12`, amount: 90, method: 'transfer' })
  return { student }
}

for (const [device, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a computer', { width: 1280, height: 800 }],
] as const)
  test(`on ${device}, a tutor issues a receipt for an ESA after filling in what is missing, voids it and issues it again`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    await aTutor(page)
    await page.goto('/payments')
    await page.getByRole('link', { name: 'Receipts and invoices' }).click()
    await expect(page.getByRole('heading', { name: 'No receipts or invoices yet' })).toBeVisible()
    await check(page)

    await page.getByRole('button', { name: 'New paper' }).click()
    const form = page.getByRole('region', { name: 'New receipt or invoice' })
    await form.getByLabel('Student').selectOption('Maya Whitfield')
    await form.getByLabel('For which program').selectOption('ESA Arizona')
    const missing = form.getByRole('region', { name: 'Missing for: ESA Arizona' })
    for (const words of [
      /Your legal name\./,
      /Your address\./,
      /Your credential\./,
      /The payer’s name\./,
      /The payer’s address\./,
      /The child’s name as enrolled\./,
      /The program number\./,
    ])
      await expect(missing.getByRole('listitem').filter({ hasText: words })).toBeVisible()
    await expect(missing.getByRole('listitem')).toHaveCount(7)
    await expect(missing.getByText('this is no tax advice')).toBeVisible()
    await expect(missing.getByText('Add your legal name and address first')).toBeVisible()

    // The details are typed once. What is typed for the paper stays.
    await form.getByLabel('Child’s name as enrolled').fill('Maya Rose Whitfield')
    await page.getByRole('button', { name: 'Add your details' }).click()
    const details = page.getByRole('dialog', { name: 'Your details' })
    await details.getByLabel('Legal name').fill('Ingrid Lindqvist Tutoring')
    await details.getByLabel('Address').fill('12 Elm Street\nTucson, AZ 85701')
    await details.getByLabel('Credential', { exact: true }).fill('Arizona teaching certificate')
    await details.getByLabel('What papers say about tax').selectOption('Prices include VAT')
    await details.getByLabel('VAT number').fill('DE123456789')
    await details.getByLabel('VAT rate (%)').fill('many')
    await details.getByRole('button', { name: 'Save' }).click()
    await expect(details.getByText('Enter a rate such as 19 or 8.1')).toBeVisible()
    await details.getByLabel('VAT rate (%)').fill('8,1')
    await details.getByRole('button', { name: 'Save' }).click()
    await expect(details).toBeHidden()
    await expect(missing.getByRole('listitem')).toHaveCount(3)
    await form.getByLabel('Payer', { exact: true }).fill('Dana Whitfield')
    await form.getByLabel('Payer’s address').fill('1 Oak Road, Tucson')
    await form.getByLabel('Program number').fill('ESA-0042')
    // Each lesson can have its own place, and one choice is for all.
    await form
      .getByRole('combobox', { name: /^Place of the lesson of/ })
      .first()
      .selectOption('Online')
    await expect(form.getByRole('combobox', { name: /^Place of the lesson of/ }).first()).toHaveValue(
      'online',
    )
    await form.getByLabel('Where the lessons were').selectOption('Library')
    await expect(form.getByRole('combobox', { name: /^Place of the lesson of/ })).toHaveCount(0)
    await expect(form.getByRole('heading', { name: 'Nothing is missing' })).toBeVisible()
    await check(page)
    await form.getByRole('button', { name: 'Issue receipt' }).click()
    const year = new Date().getFullYear()
    await expect(page.getByText(`Receipt ${year}-0001 issued`)).toBeVisible()
    await expect(form).toBeHidden()

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: `PDF of Receipt ${year}-0001` }).click()
    expect((await downloading).suggestedFilename()).toBe(`Receipt ${year}-0001 Maya Rose Whitfield.pdf`)

    await page.getByRole('button', { name: `More for Receipt ${year}-0001` }).click()
    await page.getByRole('menuitem', { name: 'Void and issue again' }).click()
    const again = page.getByRole('region', { name: `Issue ${year}-0001 again` })
    await expect(again.getByLabel('Child’s name as enrolled')).toHaveValue('Maya Rose Whitfield')
    await again.getByLabel(`Why ${year}-0001 is void`).fill('A letter in the name was wrong')
    await again.getByLabel('Child’s name as enrolled').fill('Maya Róse Whitfield')
    await again.getByRole('button', { name: 'Issue receipt' }).click()
    await expect(page.getByText(`Receipt ${year}-0002, Maya Róse Whitfield`)).toBeVisible()
    await expect(page.getByText(`A letter in the name was wrong. Replaced by ${year}-0002`)).toBeVisible()
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFaults(page, 'dark')).toEqual([])
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await check(page)
  })

test('what is typed for a paper survives a failing server and a reload, and an invoice in euros is declared void', async ({
  page,
}) => {
  await aTutor(page, 'EUR')
  await send(page, 'put', 'paper-provider', { legal_name: 'Ingrid Lindqvist', address: 'Elm Street 12' })
  await page.route('**/api/v1/papers', failOnServer)
  await page.goto('/papers')
  await expect(page.getByRole('heading', { name: 'Your receipts and invoices didn’t load' })).toBeVisible()
  await page.unroute('**/api/v1/papers')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'New paper' }).click()
  const form = page.getByRole('region', { name: 'New receipt or invoice' })
  await form.getByText('Invoice', { exact: true }).click()
  await form.getByLabel('Student').selectOption('Maya Whitfield')
  await form.getByLabel('Child’s name as enrolled').fill('Maya')
  await page.route('**/api/v1/papers/preview', failOnServer)
  await form.getByLabel('Payer', { exact: true }).fill('Dana')
  await expect(form.getByRole('heading', { name: 'The preview didn’t load' })).toBeVisible()
  await page.unroute('**/api/v1/papers/preview')
  await page.reload()
  await expect(form.getByLabel('Child’s name as enrolled')).toHaveValue('Maya')
  await expect(form.getByText('€90.00').first()).toBeVisible()
  await form.getByRole('button', { name: 'Issue invoice' }).click()
  const year = new Date().getFullYear()
  await expect(page.getByText(`Invoice ${year}-0001 issued`)).toBeVisible()
  await page.getByRole('button', { name: `More for Invoice ${year}-0001` }).click()
  await page.getByRole('menuitem', { name: 'Declare void' }).click()
  const dialog = page.getByRole('dialog', { name: `Declare ${year}-0001 void?` })
  await dialog.getByLabel('Reason').fill('Paid in cash')
  await dialog.getByRole('button', { name: 'Declare void' }).click()
  await expect(page.getByRole('listitem').getByText('Paid in cash')).toBeVisible()
  // Without a network the list stays, and the button says that the file didn't come.
  await page.context().setOffline(true)
  await page.getByRole('button', { name: `PDF of Invoice ${year}-0001` }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toBeVisible()
  await expect(page.getByText(`Invoice ${year}-0001`).first()).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
})
