// Closing a month: one side asks, the other confirms, and both keep the same page. Reopening requires a
// reason.
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { agreedMonth } from './pairs.ts'
import { expectLayers, faultsOf, read, send } from './screens.ts'

async function copyOf(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Keep a copy (PDF)' }).click()
  return readFileSync(await (await download).path())
}

test("both close a month with one tap each and keep the same page; reopening it needs a reason, which the code's page shows", async ({
  page,
  browser,
}) => {
  const { family, tutor, month, name } = await agreedMonth(page, browser)
  await family.goto(`/summary?month=${month}`)
  await family.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await expect(family.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()

  await tutor.goto('/dashboard')
  const asked = tutor.getByRole('list', { name: 'Months to close' })
  await expect(asked.getByText(`Jordan Whitfield asked to close ${name}`)).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await asked.getByRole('link', { name: `See ${name}` }).click()
  await expect(tutor.getByRole('heading', { name: 'Closing the month' })).toBeInViewport()
  await expect(tutor.getByText(`Jordan Whitfield asked to close ${name}`)).toBeVisible()
  await tutor.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()
  await expect(tutor.locator('.stamp.lands .draw')).toHaveCount(1)
  const theirs = await copyOf(tutor)
  await family.reload()
  await expect(family.getByText('Closed', { exact: true })).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  expect((await copyOf(family)).equals(theirs)).toBe(true)

  await family.getByRole('link', { name: 'See the page' }).click()
  await expect(family.getByText('Jordan Whitfield with Ingrid Lindqvist')).toBeVisible()
  await expect(family.getByText('$52.50')).toBeVisible()
  const code = /Code (\S{11})/.exec((await family.getByText(/^Code /).textContent()) ?? '')?.[1] ?? ''
  expect((await copyOf(family)).equals(theirs)).toBe(true)
  // Reloads the page so that the toast is gone.
  await family.reload()
  await expect(family.getByText('Closed', { exact: true })).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  await family.getByRole('link', { name: /^Maya/ }).first().click()
  const sheet = family.getByRole('dialog', { name: /^Maya/ })
  await expect(sheet.getByText('History')).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expectLayers(family, 0)
  await family.getByRole('link', { name: 'All closed months' }).click()
  await expect(family.getByRole('link', { name: /with Ingrid Lindqvist$/ })).toBeVisible()
  expect(await faultsOf(family)).toEqual([])

  await family.goto(`/summary?month=${month}`)
  await family
    .getByRole('button', { name: /^Edit session, Maya Whitfield/ })
    .first()
    .click()
  const form = family.getByRole('dialog', { name: 'Edit Session' })
  await form.getByLabel('Duration (hours)').fill('2')
  await form.getByRole('button', { name: 'Update Session' }).click()
  const question = family.getByRole('dialog', { name: `Why reopen ${name}?` })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(form.getByText(/is closed. Reopen it with a reason to change it/)).toBeVisible()
  await expect(form.getByLabel('Duration (hours)')).toHaveValue('2')
  await form.getByRole('button', { name: 'Update Session' }).click()
  await question.getByRole('button', { name: `Reopen ${name}` }).click()
  await expect(question.getByText("Briefly say why you're reopening the month")).toBeVisible()
  await question.getByLabel(/^Reason/).fill('We stayed half an hour longer')
  await question.getByRole('button', { name: `Reopen ${name}` }).click()
  await expect(family.getByText('Session updated successfully')).toBeVisible()
  await expect(family.getByText('Reopened by you: We stayed half an hour longer')).toBeVisible()
  await expect(family.getByText('1 session waiting for Ingrid Lindqvist')).toBeVisible()

  await tutor.reload()
  await expect(tutor.getByText('Reopened by Jordan Whitfield: We stayed half an hour longer')).toBeVisible()
  await tutor.goto(`/verify/${code}`)
  await expect(tutor.getByRole('heading', { name: /its month was reopened/ })).toBeVisible()
})

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a session logged offline for a closed month waits until a reason is given', async ({
    page,
    browser,
  }) => {
    const { family, tutor, connection, month, name } = await agreedMonth(page, browser)
    for (const side of [family, tutor])
      await send(side, 'post', 'months/close', { connection_id: connection, month })
    await family.goto('/add-session')
    await family.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
    await family
      .getByRole('combobox', { name: 'Tutor' })
      .selectOption({ label: 'Ingrid Lindqvist ($45.00/hour)' })
    await family.getByLabel('Date').fill(`${month}-20`)
    await family.getByLabel('Duration (hours)').fill('1')
    await family.context().setOffline(true)
    await family.getByRole('button', { name: 'Add Session' }).click()
    await expect(family.getByText('Waiting to be sent').first()).toBeVisible()
    await family.context().setOffline(false)
    await expect(family.getByText('Needs a reason')).toBeVisible()
    await family.getByRole('button', { name: /^Reopen .* and send, Maya Whitfield/ }).click()
    const question = family.getByRole('dialog', { name: `Why reopen ${name}?` })
    await question.getByLabel(/^Reason/).fill('One lesson was missing')
    await question.getByRole('button', { name: `Reopen ${name}` }).click()
    await expect(family.getByText('Needs a reason')).toHaveCount(0)
    await expect
      .poll(
        async () => (await read<{ total_sessions: number }>(family, `summary?month=${month}`)).total_sessions,
      )
      .toBe(3)
  })
})
