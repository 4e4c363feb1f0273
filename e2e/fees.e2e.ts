// A monthly fee: agreed with the terms, proposed by itself when the month is over, and confirmed by the parent.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { test } from './journey.ts'
import { connected, lastMonth } from './pairs.ts'
import { faultsOf, openUntil, post, send, settled } from './screens.ts'
import { runServer } from './server.ts'

const PORT = '4180'
let server: Awaited<ReturnType<typeof runServer>>

test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}`, viewport: { width: 390, height: 844 } })
test.beforeAll(async () => {
  server = await runServer(PORT)
})
test.afterAll(async () => server.stop())

/** As if these terms had been agreed before last month began, and the hourly job ran now. */
async function monthBegins(terms: string, month: string): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  await client.query('update terms set applies_from = $2 where id = $1', [terms, `${month}-01`])
  await client.query("select graphile_worker.add_job('propose_fees')")
  await client.end()
}

const total = (page: Page) => page.getByText('Covered by the monthly fee').filter({ visible: true })

test('a monthly fee waits for the parent with its sentence, both see it once confirmed, and lessons cost nothing beside it', async ({
  page: family,
  browser,
}) => {
  const { tutor, own } = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  const { month, name } = await lastMonth(family)
  const rules = { fee: { per: 'month', amount: 180, lessons: 4 } }
  const { id } = await post(tutor, 'terms', { student_id: own.student_id, rules })
  await send(family, 'post', `terms/${id}/confirm`, {})
  await monthBegins(String(id), month)

  const asked = family.getByRole('region', { name: 'Charges to confirm' })
  await openUntil(family, '/to-confirm', asked)
  // On the last day of a month, there's one more for this month.
  const fee = asked.getByRole('listitem').filter({ hasText: `Fee for ${name}` })
  await expect(fee.getByText(/by the terms of \w+ 1, \d+\./)).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  await fee.getByRole('button', { name: /^Confirm, \$180\.00/ }).click()
  await expect(asked.getByText('Confirmed by both of you').first()).toBeVisible()

  for (const one of [family, tutor]) {
    await one.goto(`/payments?month=${month}`)
    await settled(one)
    await expect(one.getByText(`Fee for ${name}`).filter({ visible: true }).first()).toBeVisible()
    await expect(one.getByText('$180.00 other charges')).toBeVisible()
    expect(await faultsOf(one)).toEqual([])
  }

  for (const one of [family, tutor]) {
    await one.goto('/add-session')
    await settled(one)
    await expect(total(one)).toBeVisible()
    expect(await faultsOf(one)).toEqual([])
  }
  await family.getByRole('button', { name: 'Add Session' }).click()
  await expect(family.getByText('Session added successfully')).toBeVisible()
  await tutor.context().close()
})

test('a tutor waives a fee in euros that nobody confirmed yet, and both see that it is gone', async ({
  page: family,
  browser,
}) => {
  const me = { full_name: 'Jordan Whitfield', currency: 'EUR' }
  const { tutor, own } = await connected(family, browser, me)
  const { month, name } = await lastMonth(family)
  const rules = { fee: { per: 'month', amount: '140,50' } }
  const { id } = await post(tutor, 'terms', { student_id: own.student_id, rules })
  await send(family, 'post', `terms/${id}/confirm`, {})
  await monthBegins(String(id), month)

  const fee = tutor.getByText(`Fee for ${name}`).filter({ visible: true })
  await openUntil(tutor, `/payments?month=${month}`, fee.first())
  await tutor
    .getByRole('button', { name: /^Edit charge, €140\.50/ })
    .filter({ visible: true })
    .click()
  const sheet = tutor.getByRole('dialog', { name: 'Edit Charge' })
  await expect(sheet.getByLabel('Amount')).toHaveValue('140.50')
  expect(await faultsOf(tutor)).toEqual([])
  await sheet.getByRole('button', { name: 'Waive' }).click()
  await expect(tutor.getByText('It won’t be asked for again.')).toBeVisible()
  for (const page of [tutor, family]) {
    await page.goto(`/payments?month=${month}`)
    await settled(page)
    await expect(page.getByText(`Fee for ${name}`)).toHaveCount(0)
  }
  await tutor.context().close()
})

test('a term fee names its term when it asks the parent, and covers the lessons of the term', async ({
  page: family,
  browser,
}) => {
  const { tutor, own } = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  const { month } = await lastMonth(family)
  const begins = Number(month.slice(5))
  const rules = { fee: { per: 'term', amount: 560, is_in_advance: true }, term_months: [begins] }
  const { id } = await post(tutor, 'terms', { student_id: own.student_id, rules })
  await send(family, 'post', `terms/${id}/confirm`, {})
  await monthBegins(String(id), month)

  const asked = family.getByRole('region', { name: 'Charges to confirm' })
  await openUntil(family, '/to-confirm', asked)
  await expect(asked.getByText(/^Fee for the term \w+ 1, \d+ to \w+ \d+, \d+, by the terms of/)).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  for (const one of [family, tutor]) {
    await one.goto('/add-session')
    await settled(one)
    await expect(one.getByText("Covered by the term's fee").filter({ visible: true })).toBeVisible()
    expect(await faultsOf(one)).toEqual([])
  }
  await tutor.context().close()
})
