// A family makes a receipt in the name of a tutor who allows it, with an account or on the emailed page, and its own record.
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, agreedMonth, lastMonth, otherPhone } from './pairs.ts'
import { linkIn, mailTo } from './people.ts'
import { axeFaults, failOnServer, faultsOf, send } from './screens.ts'

/** Taps whether a family may make receipts. Not with check(), which doesn't wait until the screen follows. */
async function allow(allows: Locator, isAllowed: boolean): Promise<void> {
  const saved = allows.page().waitForResponse('**/api/v1/connections/*/papers')
  await allows.click()
  await saved
  await expect(allows).toBeChecked({ checked: isAllowed })
}

/** Looks for faults at every width, and comes back to the test's. */
async function check(page: Page): Promise<void> {
  const viewport = page.viewportSize()
  expect(await faultsOf(page)).toEqual([])
  if (viewport) await page.setViewportSize(viewport)
}

const year = new Date().getFullYear()

test('a family keeps its own record until the tutor allows receipts, makes one, and both sides void one', async ({
  page,
  browser,
}) => {
  test.slow()
  const { tutor } = await agreedMonth(page, browser)
  await page.goto('/tutors')
  await page.getByRole('link', { name: 'Ingrid Lindqvist' }).first().click()
  await page.getByRole('link', { name: 'Receipts and records' }).click()
  await expect(page.getByRole('heading', { name: 'No receipts yet' })).toBeVisible()
  await check(page)
  await page.getByRole('button', { name: 'New paper' }).click()
  const form = page.getByRole('region', { name: 'New receipt or record' })
  await expect(form.getByRole('combobox', { name: /^Tutor/ }).locator('option:checked')).toHaveText(
    'Ingrid Lindqvist',
  )
  await expect(form.getByRole('radio', { name: 'Our own record' })).toBeChecked()
  await form.getByRole('combobox', { name: /^Child/ }).selectOption('Maya Whitfield')
  await form.getByLabel('Child’s name as enrolled').fill('Maya Rose Whitfield')
  await expect(form.getByText('$112.50').first()).toBeVisible()
  await expect(form.getByLabel('For which program')).toHaveCount(0)
  await check(page)
  // Not allowed yet: the form says so, and keeps what was typed.
  await form.getByText('Tutor’s receipt', { exact: true }).click()
  await expect(form.getByText('This tutor doesn’t allow receipts in their name at the moment')).toBeVisible()
  await form.getByText('Our own record', { exact: true }).click()
  const downloading = page.waitForEvent('download')
  await form.getByRole('button', { name: 'Download record' }).click()
  expect((await downloading).suggestedFilename()).toBe('Family’s own record Maya Rose Whitfield.pdf')
  await expect(page.getByRole('heading', { name: 'No receipts yet' })).toBeVisible()

  // The tutor allows it on a phone.
  await send(tutor, 'put', 'paper-provider', {
    legal_name: 'Ingrid Lindqvist Tutoring',
    address: '12 Elm Street\nTucson, AZ 85701',
    credential: 'Arizona teaching certificate',
  })
  await tutor.goto('/papers')
  const allows = tutor.getByRole('checkbox', { name: 'Jordan Whitfield may make receipts in my name' })
  await expect(allows).not.toBeChecked()
  await allow(allows, true)
  await expect(tutor.getByText('Jordan Whitfield may make receipts in your name')).toBeVisible()
  await expect(allows).toBeChecked()
  await check(tutor)

  await page.reload()
  await page.getByRole('button', { name: 'New paper' }).click()
  await expect(form.getByRole('radio', { name: 'Tutor’s receipt' })).toBeChecked()
  await form.getByRole('combobox', { name: /^Child/ }).selectOption('Maya Whitfield')
  await form.getByLabel('For which program').selectOption('ESA Arizona')
  const missing = form.getByRole('region', { name: 'Missing for: ESA Arizona' })
  await expect(missing.getByText('The program number.')).toBeVisible()
  await form.getByLabel('Child’s name as enrolled').fill('Maya Rose Whitfield')
  await form.getByLabel('Program number').fill('ESA-0042')
  await form.getByLabel('Payer', { exact: true }).fill('Jordan Whitfield')
  await check(page)
  // Withdrawn between the preview and the button: a sentence, and nothing typed is lost.
  await expect(form.getByRole('button', { name: 'Issue anyway' })).toBeEnabled()
  await allow(allows, false)
  await expect(tutor.getByText('makes no more receipts in your name')).toBeVisible()
  await form.getByRole('button', { name: 'Issue anyway' }).click()
  await expect(
    form.getByText('This tutor doesn’t allow receipts in their name at the moment').first(),
  ).toBeVisible()
  await expect(form.getByLabel('Program number')).toHaveValue('ESA-0042')
  await allow(allows, true)
  await page.reload()
  await expect(form.getByLabel('Program number')).toHaveValue('ESA-0042')
  await form.getByRole('button', { name: 'Issue anyway' }).click()
  await expect(page.getByText(`Receipt ${year}-0001 issued`)).toBeVisible()
  await expect(page.getByText('In the name of Ingrid Lindqvist Tutoring')).toBeVisible()

  // The tutor sees the number and the sums, and none of what the family typed.
  await tutor.reload()
  await expect(tutor.getByText('Made by the family in your name')).toBeVisible()
  await expect(tutor.getByText('$112.50, $52.50 due')).toBeVisible()
  await expect(tutor.getByText('Rose')).toHaveCount(0)
  await check(tutor)
  await tutor.getByRole('button', { name: `More for Receipt ${year}-0001` }).click()
  await expect(tutor.getByRole('menuitem', { name: 'Void and issue again' })).toHaveCount(0)
  await tutor.getByRole('menuitem', { name: 'Declare void' }).click()
  const dialog = tutor.getByRole('dialog', { name: `Declare ${year}-0001 void?` })
  await dialog.getByLabel('Reason').fill('Not my price')
  await dialog.getByRole('button', { name: 'Declare void' }).click()
  await expect(tutor.getByRole('listitem').getByText('Not my price')).toBeVisible()

  await page.reload()
  await expect(page.getByText('Not my price')).toBeVisible()
  await page.getByRole('button', { name: `More for Receipt ${year}-0001` }).click()
  await page.getByRole('menuitem', { name: 'Issue again' }).click()
  const again = page.getByRole('region', { name: `Issue ${year}-0001 again` })
  await expect(again.getByLabel('Program number')).toHaveValue('ESA-0042')
  await again.getByRole('button', { name: 'Issue anyway' }).click()
  await expect(page.getByText(`Receipt ${year}-0002 issued`)).toBeVisible()
  await expect(page.getByText(`Replaces ${year}-0001`)).toBeVisible()
  await check(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await axeFaults(page, 'dark')).toEqual([])
})

test('a tutor without an account allows receipts in euros on the emailed page, and the family makes one', async ({
  page,
  browser,
}) => {
  test.slow()
  const { email, log, connect } = await aFamily(page, { full_name: 'Jordan Whitfield', currency: 'EUR' })
  const { month } = await lastMonth(page)
  const sessions = [await log({ date: `${month}-06` }), await log({ date: `${month}-13` })]
  await connect()
  const tutor = await otherPhone(page, browser, { reducedMotion: 'reduce' })
  const link = linkIn((await mailTo(page, email, 'asks you to confirm')).text)
  const { origin } = new URL(page.url())
  await tutor.request.post('/api/v1/confirmations', {
    data: { sessions: sessions.map(({ id }) => ({ id, version: 1 })) },
    headers: { origin, 'tutorlog-link': new URL(link).hash.slice(1) },
  })
  await tutor.goto(link)
  const allows = tutor.getByRole('checkbox', { name: 'Jordan Whitfield may make receipts in my name' })
  await expect(allows).not.toBeChecked()
  await allows.click()
  const details = tutor.getByRole('dialog', { name: 'Your details' })
  await details.getByLabel('Legal name').fill('Ingrid Lindqvist')
  await details.getByRole('button', { name: 'Allow' }).click()
  await expect(details.getByText('Receipts need your legal name and address')).toBeVisible()
  await details.getByLabel('Address').fill('Elmgasse 12\n10115 Berlin')
  await details.getByLabel('Tax number').fill('12/345/67890')
  await tutor.route('**/api/v1/connections/*/papers', failOnServer)
  await details.getByRole('button', { name: 'Allow' }).click()
  await expect(tutor.getByText('Failed to save your details').first()).toBeVisible()
  await expect(details.getByLabel('Tax number')).toHaveValue('12/345/67890')
  await tutor.unroute('**/api/v1/connections/*/papers')
  await details.getByRole('button', { name: 'Allow' }).click()
  await expect(details).toBeHidden()
  await expect(allows).toBeChecked()
  await expect(tutor.getByText('Elmgasse 12')).toBeVisible()
  await check(tutor)

  await page.goto('/payments')
  await page.getByRole('link', { name: 'Receipts and records' }).click()
  await page.getByRole('button', { name: 'New paper' }).click()
  const form = page.getByRole('region', { name: 'New receipt or record' })
  await form.getByRole('combobox', { name: /^Tutor/ }).selectOption('Ingrid Lindqvist')
  await expect(form.getByRole('radio', { name: 'Tutor’s receipt' })).toBeChecked()
  await form.getByRole('combobox', { name: /^Child/ }).selectOption('Maya Whitfield')
  await expect(form.getByText('€90.00').first()).toBeVisible()
  await form.getByLabel('Child’s name as enrolled').fill('Maya Rose Whitfield')
  await form.getByRole('button', { name: /^Issue/ }).click()
  await expect(page.getByText(new RegExp(`Receipt [0-9A-F]{4}-${year}-0001 issued`))).toBeVisible()
  const told = await mailTo(page, email, 'Jordan Whitfield made a receipt in your name')
  expect(told.text).toContain('€90.00')
  expect(told.text).not.toContain('Rose')

  await allow(allows, false)
  await page.reload()
  await expect(page.getByText('In the name of Ingrid Lindqvist')).toBeVisible()
  await check(page)
})
