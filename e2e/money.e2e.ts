// Money: payments and balances, statements that match the screen, and spreadsheets that can be imported again.
import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { holdBack, post, unfold } from './screens.ts'
import { arrive } from './people.ts'

/** A family with three sessions this month: 68.33, 11.39 and 60.00. */
async function aFamily(page: Page) {
  await arrive(page)
  const [today, month] = await page.evaluate(() => [
    new Intl.DateTimeFormat('en-CA').format(new Date()),
    new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' }).format(new Date()),
  ])
  const [maya, theo] = [
    await post(page, 'students', { name: 'Maya Łukasiewicz' }),
    await post(page, 'students', { name: '=Theo' }),
  ]
  const [ingrid, samuel] = [
    await post(page, 'tutors', { name: 'Ingrid Lindqvist', hourly_rate: '45.55' }),
    await post(page, 'tutors', { name: 'Samuel Adeyemi', hourly_rate: 60 }),
  ]
  const first = `${(today ?? '').slice(0, 8)}01`
  await post(page, 'sessions', {
    student_id: maya.id,
    tutor_id: ingrid.id,
    date: first,
    duration: 1.5,
    subject: 'Algebra II',
  })
  await post(page, 'sessions', { student_id: theo.id, tutor_id: ingrid.id, date: first, duration: 0.25 })
  await post(page, 'sessions', {
    student_id: maya.id,
    tutor_id: samuel.id,
    date: first,
    duration: 1,
    notes: '-so far',
  })
  return { today: today ?? '', month: month ?? '', first, maya, ingrid }
}

test('a payment is recorded, undone, recorded again and changed, and the balance follows line by line', async ({
  page,
}) => {
  const { ingrid } = await aFamily(page)
  await page.goto('/summary')
  await unfold(page, 'Sessions by Tutor')
  const open = page.getByRole('region', { name: 'Sessions by Tutor' })
  await expect(open.getByRole('row', { name: /Ingrid Lindqvist.* \$0\.00$/ })).toBeVisible()
  const owed = (figure: string) => page.getByRole('region', { name: figure, exact: true })
  await expect(owed('You owe $139.72')).toBeVisible()

  const record = async (amount: string) => {
    await page.getByRole('button', { name: 'Record a payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record a payment' })
    await dialog.getByRole('button', { name: 'Add Payment' }).click()
    await expect(dialog.getByText('Please select a tutor')).toBeVisible()
    await expect(dialog.getByText('Enter an amount such as 45 or 45.50')).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Tutor' }).selectOption({ label: 'Ingrid Lindqvist' })
    await dialog.getByLabel('Amount ($)').fill(amount)
    await dialog.getByLabel('Method').selectOption('Bank transfer')
    await dialog.getByRole('button', { name: 'Add Payment' }).click()
    await expect(page.getByText('Payment added successfully')).toBeVisible()
    await expect(dialog).toBeHidden()
  }
  await record('50.02')
  await expect(open.getByRole('row', { name: /Ingrid Lindqvist.* \$50\.02$/ })).toBeVisible()
  await expect(owed('You owe $89.70')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(open.getByRole('row', { name: /Ingrid Lindqvist.* \$0\.00$/ })).toBeVisible()
  await record('79.72')

  const row = open.getByRole('row', { name: /Ingrid Lindqvist/ })
  await expect(row.getByRole('link', { name: 'Ingrid Lindqvist' })).toHaveAttribute(
    'href',
    /\/tutors\/.{36}$/,
  )
  await page.goto(`/payments?with=${ingrid.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await expect(page.getByText('Balance $0.00')).toBeVisible()
  await page.getByRole('button', { name: /^Edit payment, \$79\.72/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Payment' })
  await expect(dialog.getByRole('combobox', { name: 'Tutor' })).toHaveValue(/.{36}/)
  await dialog.getByLabel('Amount ($)').fill('100')
  await dialog.getByRole('button', { name: 'Update Payment' }).click()
  await expect(page.getByText('Payment updated successfully')).toBeVisible()
  await expect(owed('You owe $39.72')).toBeVisible()

  await page.getByRole('button', { name: /^Edit payment, \$100\.00/ }).click()
  await page.getByRole('button', { name: 'Delete payment' }).click()
  await expect(page.getByText('Payment deleted successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: /^Edit payment, \$100\.00/ })).toBeVisible()
})

/** Fills in the payment form, without waiting for what its list of tutors shows meanwhile to change. */
async function payInCash(page: Page, chosen: string): Promise<{ dialog: Locator; tutor: Locator }> {
  const dialog = page.getByRole('dialog', { name: 'Record a payment' })
  const list = dialog.getByRole('combobox', { name: 'Tutor' })
  const tutor = list.locator('option:checked')
  await expect(tutor).toHaveText(chosen)
  await list.focus()
  await dialog.getByLabel('Note').fill('In cash')
  return { dialog, tutor }
}

test('a payment can be recorded for the tutor it was opened for before the list of tutors has loaded', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  const load = await holdBack(page, '**/api/v1/tutors?archived=all')
  await page.goto('/payments')
  await page.getByRole('button', { name: /^Mark as paid/ }).click()
  const { dialog } = await payInCash(page, 'Ingrid')
  await dialog.getByRole('button', { name: 'Add Payment' }).click()
  load()
  await expect(page.getByText('Payment added successfully')).toBeVisible()
})

test('what is due never appears under the cursor of someone who is about to type an amount', async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log()
  const load = await holdBack(page, '**/api/v1/balances?**')
  await page.goto('/payments')
  await page.getByRole('button', { name: 'Record a payment' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Record a payment' })
  await dialog.getByRole('combobox', { name: 'Tutor' }).selectOption({ label: 'Ingrid' })
  const amount = dialog.getByLabel(/^Amount/)
  await amount.focus()
  load()
  await expect(page.locator('button', { hasText: 'Mark as paid' })).toBeAttached()
  await amount.pressSequentially('62,50')
  await expect(amount).toHaveValue('62,50')
})

test('a tutor chosen for a payment before a reload is still chosen, although the list of tutors comes late', async ({
  page,
}) => {
  const load = await holdBack(page, '**/api/v1/tutors?archived=all')
  await arrive(page)
  await post(page, 'tutors', { name: 'Ingrid Lindqvist' })
  const samuel = await post(page, 'tutors', { name: 'Samuel Adeyemi' })
  await page.evaluate((draft) => sessionStorage.setItem('draft:payment:new', JSON.stringify(draft)), {
    party: samuel.id,
    amount: '20',
  })
  await page.goto('/payments')
  await page.getByRole('button', { name: 'Record a payment' }).first().click()
  const { dialog, tutor } = await payInCash(page, 'Loading tutors...')
  load()
  await expect(tutor).toHaveText('Samuel Adeyemi')
  await dialog.getByRole('button', { name: 'Add Payment' }).click()
  await expect(page.getByText('Payment added successfully')).toBeVisible()
})

test('sessions use up prepaid hours, with a warning when few are left', async ({ page }) => {
  const { first, ingrid, maya } = await aFamily(page)
  await post(page, 'payments', { tutor_id: ingrid.id, date: first, amount: 160, kind: 'hours', hours: 4 })
  await page.goto(`/payments?with=${ingrid.id}`)
  await expect(page.getByText('2.25 h of the prepaid hours with Ingrid Lindqvist are left.')).toBeHidden()
  await post(page, 'sessions', { student_id: maya.id, tutor_id: ingrid.id, date: first, duration: 2 })
  await page.reload()
  await expect(page.getByText('0.25 h of the prepaid hours with Ingrid Lindqvist are left.')).toBeVisible()
  await page.goto('/summary')
  await expect(page.getByText('0.25 h of the prepaid hours with Ingrid Lindqvist are left.')).toBeVisible()
})

test('the PDF and the CSV match the screen, and the CSV imports into a new account with the same totals', async ({
  page,
  browser,
}) => {
  const { month } = await aFamily(page)
  await page.goto('/summary')
  await expect(page.getByRole('definition').nth(2)).toHaveText('$139.72')
  await page.getByRole('button', { name: 'Statement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Statement' })
  await dialog.getByText('A4', { exact: true }).click()
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download PDF' }).click(),
  ])
  expect(pdf.suggestedFilename()).toMatch(/^Tutorlog \d{4}-\d{2}\.pdf$/)
  const { text } = await extractText(
    await getDocumentProxy(new Uint8Array(await readFile(await pdf.path()))),
    { mergePages: true },
  )
  for (const shown of [month, '$139.72', '$68.33', '$11.39', '=Theo', 'Page 1 of 1'])
    expect(text).toContain(shown)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'CSV' }).click(),
  ])
  const file = await csv.path()
  expect(await readFile(file, 'utf8')).toContain(`"'=Theo"`)

  const fresh = await browser.newPage()
  await arrive(fresh)
  await fresh.goto('/summary')
  await fresh.getByRole('link', { name: 'Import' }).click()
  await fresh
    .getByLabel('CSV file')
    .setInputFiles({ name: 'sessions.csv', mimeType: 'text/csv', buffer: await readFile(file) })
  await expect(
    fresh.getByText(/^2 new children: (Maya Łukasiewicz, =Theo|=Theo, Maya Łukasiewicz)$/),
  ).toBeVisible()
  await fresh.getByRole('button', { name: 'Import 3 sessions' }).click()
  await expect(fresh.getByText('3 sessions imported')).toBeVisible()
  await expect(fresh.getByRole('definition').nth(2)).toHaveText('$139.72')
  await expect(fresh.getByRole('definition').nth(1)).toHaveText('2.8')
  await fresh.context().close()
})

test('pasted lines are previewed, refused with their line numbers, fixed and imported', async ({ page }) => {
  await arrive(page)
  await page.goto('/import')
  const lines = page.getByLabel('Or paste the lines here')
  await lines.fill('When,Kid,Teacher,Hours\n2026-02-30,Maya,Ingrid,1\n3/4/2026,Maya,Ingrid,1.5')
  await page.reload()
  await expect(lines).toHaveValue(/Ingrid,1\.5$/)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText("“2026-02-30” isn't a valid date")).toBeVisible()
  await expect(page.getByText('Line 2', { exact: true })).toBeVisible()
  await expect(page.getByText('Line 2 will be skipped. Fix it above to import everything.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Skip 1 line and import 1' })).toBeEnabled()
  await page.getByText('April 3', { exact: true }).click()
  await expect(page.getByText('Apr 3, 2026, 1.5 h, Ingrid')).toBeVisible()
  await lines.fill('When,Kid,Teacher,Hours\n2026-02-28,Maya,Ingrid,1\n25/4/2026,Maya,Ingrid,1.5')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText('Apr 25, 2026, 1.5 h, Ingrid')).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(page.getByText('2 sessions imported')).toBeVisible()
  await page.goto('/children')
  await expect(page.getByRole('heading', { name: 'Maya' })).toBeVisible()
})

test('a file in an old encoding asks which names look right, and a workbook says how to get a CSV file', async ({
  page,
}) => {
  await arrive(page)
  await page.goto('/import')
  const choose = (name: string, text: string) =>
    page
      .getByLabel('CSV file')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
  await choose('lessons.xlsx', 'PK\u0003\u0004\0\0 xl/workbook.xml')
  await expect(page.getByText(/^This is an Excel workbook\. .* CSV UTF-8/)).toBeVisible()
  // In Windows-1250, these bytes are Łukasz and Małgorzata.
  await choose('lessons.csv', 'Date,Kid,Teacher,Hours\n2026-02-27,\xA3ukasz,Ma\xB3gorzata,1\n')
  await expect(page.getByText(/Excel workbook/)).toBeHidden()
  await expect(page.getByRole('button', { name: /^Import/ })).toBeHidden()
  const question = page.getByRole('group', { name: 'Do these names look right?' })
  await question
    .getByRole('radio', { name: /£ukasz/ })
    .first()
    .check()
  await expect(page.getByText('1 new child: £ukasz')).toBeVisible()
  await question.getByRole('radio', { name: 'Łukasz, Małgorzata (Central European)' }).check()
  await expect(page.getByText('1 new child: Łukasz')).toBeVisible()
  await page.getByRole('button', { name: 'Import 1 session' }).click()
  await expect(page.getByText('1 session imported')).toBeVisible()
})

test('start and end times in a file give the start time and check the hours', async ({ page }) => {
  await arrive(page)
  await page.goto('/import')
  await page
    .getByLabel('Or paste the lines here')
    .fill(
      'My lessons\n\nDate\tStudent\tTutor\tStart Time\tEnd Time\tHours\n' +
        '2026-02-26\tMaya\tIngrid\t16:00\t17:30\t1.5\n2026-02-27\tMaya\tIngrid\t16:00\t17:00\t1.5',
    )
  await page.getByRole('button', { name: 'Preview' }).click()
  const toCheck = page.getByRole('region', { name: 'Lines to check' })
  await expect(toCheck.getByRole('listitem')).toHaveText([
    'Line 5The duration is 1.5 h, but 4:00 PM to 5:00 PM is 1 h.',
  ])
  await expect(page.getByText('Feb 26, 2026, 4:00 PM, 1.5 h, Ingrid')).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(page.getByText('2 sessions imported')).toBeVisible()
})

test('lines with errors are skipped on request, and the others are imported', async ({ page }) => {
  await arrive(page)
  await page.goto('/import')
  await page
    .getByLabel('Or paste the lines here')
    .fill(
      'When,Kid,Teacher,Hours\n2026-02-30,Maya,Ingrid,1\n2026-02-27,Maya,Ingrid,1\n2026-02-28,Maya,Ingrid,2',
    )
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Skip 1 line and import 2' }).click()
  await expect(page.getByText('2 sessions imported')).toBeVisible()
  await page.goto('/import')
  // Skipped lines can still be fixed. Lines that are already in the log are left out.
  const lines = page.getByLabel('Or paste the lines here')
  await lines.fill((await lines.inputValue()).replace('02-30', '02-26'))
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Import 1 session' }).click()
  await expect(page.getByText('1 session imported')).toBeVisible()
})

test('an archived tutor is gone from forms, stays in the month and can be restored', async ({ page }) => {
  await aFamily(page)
  await page.goto('/tutors')
  await page.getByRole('button', { name: 'More for Ingrid Lindqvist' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText('Tutor archived')).toBeVisible()
  await page.goto('/add-session')
  await expect(page.getByRole('combobox', { name: 'Tutor' }).getByRole('option')).toHaveText([
    'Select a tutor',
    /Samuel Adeyemi/,
  ])
  await page.goto('/summary')
  await unfold(page, 'Sessions by Tutor')
  await expect(
    page.getByRole('region', { name: 'Sessions by Tutor' }).getByRole('row', { name: /Ingrid Lindqvist 2 / }),
  ).toBeVisible()
  await page.goto('/tutors')
  await expect(page.getByRole('heading', { name: 'Ingrid Lindqvist' })).toBeHidden()
  await page.getByRole('tab', { name: 'Archived (1)' }).click()
  await page.getByRole('button', { name: 'More for Ingrid Lindqvist' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await expect(page.getByText('Tutor restored')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ingrid Lindqvist' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('a tutor archives and restores a student', async ({ page }) => {
  await arrive(page, 'Tutor')
  await post(page, 'students', { name: 'Ada' })
  await page.goto('/students')
  await page.getByRole('button', { name: 'More for Ada' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText('Student archived')).toBeVisible()
  await expect(page.getByText('No students yet')).toBeVisible()
  await page.getByRole('tab', { name: 'Archived (1)' }).click()
  await page.getByRole('button', { name: 'More for Ada' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await expect(page.getByRole('heading', { name: 'Ada' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('the charts can show hours, and a year shows its twelve months', async ({ page }) => {
  await aFamily(page)
  await page.goto('/summary')
  await unfold(page, 'Charts')
  await expect(
    page
      .getByRole('table', { name: 'Sessions, hours and money by week' })
      .getByRole('row', { name: '1–7 3 2.8 $139.72' }),
  ).toBeAttached()
  await page.getByText('Hours', { exact: true }).first().click()
  await page.getByRole('link', { name: 'Whole year' }).click()
  await expect(page.getByRole('definition').nth(2)).toHaveText('$139.72')
  // On a phone, the year is a list with one row per month and one for the total. On a desktop, it's a table.
  const months = page.getByRole('list', { name: 'Monthly totals' }).getByRole('listitem')
  await expect(months).toHaveCount(13)
  await expect(months.last()).toHaveText(/^\d{4} total\$139\.723 sessions, 2\.8 hPaid .*Due /)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(page.getByRole('region', { name: 'Monthly totals' }).getByRole('row')).toHaveCount(14)
})

test('Payments is in the account menu', async ({ page }) => {
  await arrive(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Payments' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
})
