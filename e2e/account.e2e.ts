// Account settings: name, password, devices, theme, export, calendar link, deleting an account, and canceling
// the deletion.
import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { EXPORTED } from '../src/features/privacy/catalogue.ts'
import { checked } from '../src/main/testing/exports.server.ts'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo, signIn } from './people.ts'
import { mayaWithIngrid } from './pairs.ts'
import { post, read } from './screens.ts'

test('name, currency and password are changed, and another device is signed out', async ({
  page,
  browser,
}) => {
  const person = await arrive(page)
  const phone = await browser.newPage({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1',
  })
  await signIn(phone, person)
  await expect(phone).toHaveURL(/\/dashboard$/)

  await page
    .getByRole('button', { name: /^Account menu/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Account settings' })).toBeVisible()
  await expect(page.getByText('This server doesn’t take payments.')).toBeVisible()
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.getByLabel('Full name').fill('Dana Whitfield')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Name changed')).toBeVisible()
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR')
  await expect(page.getByText('Currency changed')).toBeVisible()

  await expect(page.getByText('Safari on iPhone')).toBeVisible()
  await page.getByRole('button', { name: /^Sign out Safari on iPhone/ }).click()
  await expect(page.getByText('Safari on iPhone was signed out')).toBeVisible()
  await phone.goto('/children')
  await expect(phone).toHaveURL(/\/login$/)
  await phone.close()

  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill('not-it-at-all')
  await dialog.getByLabel('New password', { exact: true }).fill('tulips-and-41')
  await dialog.getByLabel('Confirm new password').fill('tulips-and-41')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText("That's not your password")).toBeVisible()
  await dialog.getByLabel('Current password').fill(person.password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
})

test('the chosen theme is kept after a reload', async ({ page }) => {
  await arrive(page)
  await page.goto('/account')
  await page.getByRole('combobox', { name: 'Appearance' }).selectOption('dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('combobox', { name: 'Appearance' }).selectOption('system')
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
})

test('P5: the export is one file that opens and contains everything that was entered', async ({ page }) => {
  await arrive(page)
  const names = { child: 'Maya Whitfield', tutor: 'Ingrid Berg' }
  const { who, log } = await mayaWithIngrid(page, names)
  const lesson = { date: '2026-11-02', duration: 1.5, notes: 'Fractions' }
  await log(lesson)
  await post(page, 'schedules', {
    ...who,
    day_of_week: 1,
    start_time: '16:30',
    duration: 1,
    frequency: 'weekly',
    start_date: '2026-11-02',
  })
  await post(page, 'payments', { tutor_id: who.tutor_id, date: '2026-11-03', amount: 25 })
  await page.goto('/account')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^tutorlog-export-\d{4}-\d\d-\d\d\.zip$/)
  const zip = readFileSync(await download.path())
  const { code, lines } = checked(zip)
  expect(code, lines.join('\n')).toBe(0)
  expect(lines).toContain('checked  1 session: 1 history entry')
  await page.getByRole('link', { name: 'How to check it' }).click()
  await expect(page.getByText('verify.mjs in it finds every entry that was changed')).toBeVisible()
  const files = unzipSync(zip)
  expect(JSON.parse(strFromU8(files['json/students.json'] ?? new Uint8Array()))).toMatchObject([
    { name: 'Maya Whitfield' },
  ])
  expect(strFromU8(files['csv/students.csv'] ?? new Uint8Array())).toContain('"Maya Whitfield"')
  expect(strFromU8(files['README.txt'] ?? new Uint8Array())).toContain('Your children or students')
  expect(Object.keys(files).sort()).toEqual(
    [
      'README.txt',
      'verify.mjs',
      ...Object.values(EXPORTED).flatMap(({ file }) => [`csv/${file}.csv`, `json/${file}.json`]),
    ].sort(),
  )
  const table = (name: string) =>
    JSON.parse(strFromU8(files[`json/${name}.json`] ?? new Uint8Array())) as Record<string, unknown>[]
  expect(table('tutors')).toMatchObject([{ name: 'Ingrid Berg', hourly_rate: 45 }])
  expect(table('sessions')).toMatchObject([{ ...who, ...lesson, total_amount: 67.5 }])
  expect(table('schedules')).toMatchObject([{ start_time: expect.stringMatching(/^16:30/), duration: 1 }])
  expect(table('payments')).toMatchObject([{ amount: 25 }])
  for (const name of ['account', 'role', 'history', 'acceptances', 'devices', 'mails', 'referral_code'])
    expect(table(name).length, name).toBeGreaterThan(0)
})

test('a calendar link is created, shown and ended on the account page', async ({ page }) => {
  await arrive(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Get a calendar link' }).click()
  const link = page.getByLabel('Calendar link')
  await expect(link).toHaveValue(/\/calendar\/[\w-]+\.ics$/)
  const address = await link.inputValue()
  expect((await page.request.get(address)).ok()).toBe(true)
  await page.reload()
  await expect(page.getByText(/^Your link was created on/)).toBeVisible()
  await expect(link).toBeHidden()
  await page.getByRole('button', { name: 'Delete the link' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the link' }).click()
  await expect(page.getByRole('button', { name: 'Get a calendar link' })).toBeVisible()
  expect((await page.request.get(address)).status()).toBe(404)
})

test('an account is deleted, and then kept after all', async ({ page }) => {
  const person = await arrive(page)
  await post(page, 'students', { name: 'Maya Whitfield' })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText('Type the word delete')).toBeVisible()
  await dialog.getByLabel('Type "delete" to confirm').fill('delete')
  await dialog.getByLabel('Your password').fill('not-it-at-all')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText("That's not your password")).toBeVisible()
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await mailTo(page, person.email, 'was deleted')

  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'This account was deleted' })).toBeVisible()
  await page.goto('/children')
  await expect(page.getByRole('heading', { name: 'This account was deleted' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page.getByRole('heading', { name: 'Maya Whitfield' })).toBeVisible()
})

test('A14: the address changes once both mailboxes have confirmed it', async ({ page }) => {
  const person = await arrive(page)
  const wished = `new-${person.email}`
  await page.goto('/account')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(wished)
  await page.getByLabel('Your password').fill(person.password)
  await page.getByRole('button', { name: 'Send links' }).click()
  await expect(page.getByText('Check both inboxes')).toBeVisible()
  await page.goto(linkIn((await mailTo(page, wished, 'Confirm your new')).text))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Now open the link we sent to your other address.')).toBeVisible()
  await page.goto(linkIn((await mailTo(page, person.email, 'Confirm your email address change')).text))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Your email address was changed. Sign in with the new one.')).toBeVisible()
  await signIn(page, { ...person, email: wished })
  await expect(page).toHaveURL(/\/dashboard$/)
})

test.describe('in Chicago', () => {
  test.use({ timezoneId: 'America/Chicago' })

  test("the account has the browser's time zone until someone chooses another", async ({ page }) => {
    await arrive(page)
    const zone = async () => (await read<{ time_zone: string | null }>(page, 'me')).time_zone
    await expect.poll(zone).toBe('America/Chicago')
    await page.goto('/account')
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption({ label: 'Asia/Tokyo' })
    await expect(page.getByText('Time zone changed')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Asia/Tokyo')
    expect(await zone()).toBe('Asia/Tokyo')
  })
})
