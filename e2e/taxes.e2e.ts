// What a tutor received and taught in a UK tax quarter, and the payments as a spreadsheet.
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { failOnServer, faultsOf, post, send } from './screens.ts'

test.use({ viewport: { width: 390, height: 844 }, timezoneId: 'Pacific/Kiritimati' })

test('a tutor finds a UK quarter in pounds, received and taught apart, with the payments as CSV', async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  await send(page, 'patch', 'me', { currency: 'GBP' })
  const { id: student } = await post(page, 'students', { name: 'Zoë Marsh', hourly_rate: 40 })
  const year = new Date().getUTCFullYear() - 1
  const { id: tutor } = (await (await page.request.get('/api/v1/tutors')).json())[0]
  for (const date of [`${year}-04-05`, `${year}-04-06`, `${year}-07-05`])
    await post(page, 'sessions', { student_id: student, tutor_id: tutor, date, duration: 1.5 })
  for (const [date, amount] of [
    [`${year}-04-05`, 60],
    [`${year}-07-05`, 32.5],
    [`${year}-07-06`, 60],
  ])
    await post(page, 'payments', { student_id: student, date, amount, method: 'transfer' })
  await post(page, 'charges', { student_id: student, date: `${year}-05-01`, amount: 12, reason: 'materials' })

  await page.goto('/summary')
  await page.getByRole('link', { name: 'Taxes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Taxes' })).toBeVisible()
  await page.getByLabel('Period').selectOption('UK tax quarters')
  await page.getByLabel('Which one').selectOption(`Quarter 1 of ${year}/${String(year + 1).slice(2)}`)
  await expect(page.getByText(`Apr 6, ${year} to Jul 5, ${year}`)).toBeVisible()
  const received = page.getByRole('region', { name: 'Received' })
  await expect(received).toContainText('£32.50')
  await expect(received).toContainText('1 payment')
  const taught = page.getByRole('region', { name: 'Taught' })
  await expect(taught).toContainText('£120.00')
  await expect(taught).toContainText('2 sessions, 3 h')
  await expect(taught).toContainText('£12.00 (1 charge)')
  await expect(page.getByRole('main')).not.toContainText('$')
  expect(await faultsOf(page)).toEqual([])

  const download = page.waitForEvent('download')
  await received.getByRole('button', { name: 'Payments as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`Tutorlog payments ${year}-04-06 to ${year}-07-05.csv`)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('"Zoë Marsh","32.50","GBP"')
  await page.reload()
  await expect(received).toContainText('£32.50')

  await page.getByLabel('Period').selectOption('Any days')
  await page.getByLabel('To', { exact: true }).fill(`${year}-07-06`)
  await expect(received).toContainText('£92.50')
  await page.getByLabel('Period').selectOption('Calendar year')
  await page.getByLabel('Which one').selectOption(`${year + 1}`)
  await expect(received).toContainText('No payments in these days')
  await page.route('**/api/v1/tax-period?*', failOnServer)
  await page.getByLabel('Which one').selectOption(`${year}`)
  await expect(page.getByText('Your payments didn’t load')).toBeVisible()
  await page.unroute('**/api/v1/tax-period?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(received).toContainText('£152.50')
})
