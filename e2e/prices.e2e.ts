// A price for one child from a day on, per lesson, and why a session costs what it does.
import { expect } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { connected } from './pairs.ts'
import { failOnServer, faultsOf, post, read } from './screens.ts'

test.use(IN_DAYTIME)

test("a parent sets Ingrid's price for Maya per lesson, with a comma; the form and the session say why; the tutor confirms it", async ({
  page,
  browser,
}) => {
  const { tutor, who } = await connected(page, browser, {
    full_name: 'Jordan Whitfield',
    currency: 'EUR',
  })
  await page.goto(`/children/${who.student_id}`)
  await page.getByRole('button', { name: 'Set a price' }).click()
  const dialog = page.getByRole('dialog', { name: /Ingrid's price for Maya/ })
  await dialog.getByLabel('From').fill('2026-09-01')
  await dialog.getByLabel('Price (€)').fill('32,50')
  await dialog.getByText('A lesson', { exact: true }).click()
  await expect(dialog.getByLabel('Length of a lesson (minutes)')).toHaveValue('45')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('€32.50 per lesson of 45 min')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])

  // A second one from the same day isn't saved, and says so.
  await page.getByRole('button', { name: 'Set a price' }).click()
  await dialog.getByLabel('From').fill('2026-09-01')
  await dialog.getByLabel('Price (€)').fill('40')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('There is a price from this day already.').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/add-session')
  await page.getByLabel('Duration (hours)').fill('0,75')
  await expect(
    page.getByText(/Ingrid's price for Maya since Sep 1: €32\.50 per lesson of 45 min/),
  ).toBeVisible()
  await expect(page.locator('.pinned')).toContainText('€32.50')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added').first()).toBeVisible()
  const { sessions } = await read<{ sessions: { id: string; total_amount: number }[] }>(page, 'sessions')
  expect(sessions.map(({ total_amount: amount }) => amount)).toEqual([32.5])

  // A tap on the session explains its amount.
  await page.goto(`/summary?session=${sessions[0]?.id}`)
  const sheet = page.getByRole('dialog')
  await expect(
    sheet.getByText(/Ingrid's price for Maya since Sep 1: €32\.50 per lesson of 45 min\./),
  ).toBeVisible()
  await expect(sheet.getByText('€32.50/45 min')).toBeVisible()

  // The tutor sees the price, and confirms it.
  await tutor.goto(`/summary?session=${sessions[0]?.id}`)
  const theirs = tutor.getByRole('dialog')
  await expect(theirs.getByText('€32.50/45 min')).toBeVisible()
  await theirs.getByRole('button', { name: /^Confirm/ }).click()
  await expect
    .poll(
      async () =>
        (await read<{ verified_by_tutor: boolean }>(page, `sessions/${sessions[0]?.id}`)).verified_by_tutor,
    )
    .toBe(true)
})

test('two siblings in one save: each pays the full price or they share one, to the cent; both go with one Undo', async ({
  page,
  browser,
}) => {
  const { tutor, who } = await connected(page, browser, { full_name: 'Jordan Whitfield', currency: 'EUR' })
  await post(page, 'students', { name: 'Theo Whitfield' })
  const from = '2026-09-01'
  await post(page, 'prices', { ...who, from, amount: '32,51', lesson_minutes: 45 })
  await page.goto('/add-session')
  await page.getByLabel('Child').selectOption({ label: 'Maya Whitfield' })
  await page.getByLabel('Duration (hours)').fill('0,75')
  await page.getByLabel('Also in this lesson').selectOption({ label: 'Theo Whitfield' })
  // Each at its own price: Maya's with Ingrid, and Ingrid's usual rate for Theo.
  await expect(page.getByText(/Maya Whitfield.? €32\.51 and .?Theo Whitfield.? €33\.75/)).toBeVisible()
  await expect(page.locator('.pinned')).toContainText('€66.26')
  await page.getByText('They share one price').click()
  // The odd cent goes to the first by name.
  await expect(page.getByText(/Maya Whitfield.? €16\.26 and .?Theo Whitfield.? €16\.25/)).toBeVisible()
  await expect(page.locator('.pinned')).toContainText('€32.51')
  expect(await faultsOf(page)).toEqual([])
  // What was typed is still there after a reload.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Remove Theo Whitfield from this lesson' })).toBeVisible()
  await expect(page.locator('.pinned')).toContainText('€32.51')
  // A server that fails keeps everything, and the second try sends the same request.
  await page.route('**/api/v1/sessions/several', failOnServer, { times: 1 })
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Failed to add sessions').first()).toBeVisible()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('2 sessions added successfully')).toBeVisible()
  interface Logged {
    id: string
    student_name: string
    total_amount: number
    price_source: string
  }
  const logged = async () =>
    (await read<{ sessions: Logged[] }>(page, 'sessions')).sessions
      .map(({ student_name, total_amount, price_source }) => [student_name, total_amount, price_source])
      .sort()
  expect(await logged()).toEqual([
    ['Maya Whitfield', 16.26, 'shared'],
    ['Theo Whitfield', 16.25, 'shared'],
  ])
  // The tutor sees Maya's part, and confirms it.
  const { sessions } = await read<{ sessions: Logged[] }>(page, 'sessions')
  const mayas = sessions.find(({ student_name: name }) => name.startsWith('Maya'))
  await tutor.goto(`/summary?session=${mayas?.id}`)
  await expect(tutor.getByRole('dialog').getByText('€16.26').first()).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(logged).toEqual([])
})

test('a lesson of two siblings that the server didn’t get waits on the device as one, and is sent whole', async ({
  page,
  browser,
}) => {
  const { who } = await connected(page, browser, { full_name: 'Jordan Whitfield' })
  await post(page, 'students', { name: 'Theo Whitfield' })
  await page.goto('/add-session')
  await page.getByLabel('Child').selectOption({ label: 'Maya Whitfield' })
  await page.getByRole('combobox', { name: /^Tutor/ }).selectOption(who.tutor_id)
  await page.getByLabel('Also in this lesson').selectOption({ label: 'Theo Whitfield' })
  await page.getByText('They share one price').click()
  await page.route('**/api/v1/sessions/several', (route) => route.abort())
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText("The session stays on this device until it's sent.")).toBeVisible()
  await page.goto('/summary')
  const waiting = page.getByRole('region', { name: 'Waiting to be sent' })
  await expect(waiting.getByRole('listitem')).toHaveCount(1)
  await expect(waiting).toContainText('Maya Whitfield and Theo Whitfield')
  await expect(waiting).toContainText('$45.00')
  expect(await faultsOf(page)).toEqual([])
  await page.unroute('**/api/v1/sessions/several')
  await page.reload()
  interface Logged {
    student_name: string
    total_amount: number
  }
  const logged = async () =>
    (await read<{ sessions: Logged[] }>(page, 'sessions')).sessions
      .map(({ student_name: name, total_amount: amount }) => [name, amount])
      .sort()
  await expect.poll(logged).toEqual([
    ['Maya Whitfield', 22.5],
    ['Theo Whitfield', 22.5],
  ])
  await expect(waiting).toBeHidden()
})
