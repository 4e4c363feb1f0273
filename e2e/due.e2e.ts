// Money that's due: both sides see the day that their terms say, and the reference under which the family pays.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { faultsOf, post, send, settled } from './screens.ts'

const region = (page: Page) => page.getByRole('region', { name: /^(You owe|You’re owed)/ })

test('both sides see what is due and since when, and the tutor sees the reference of the payment that ends it', async ({
  page: family,
  browser,
}) => {
  await family.setViewportSize({ width: 390, height: 844 })
  const { tutor, who, own, today, log } = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  await send(tutor, 'put', 'payment-ways', { ways: [{ kind: 'link', url: 'paypal.me/IngridL' }] })
  await log({ duration: 1.5 })
  const terms = await post(tutor, 'terms', { student_id: own.student_id, rules: { due_day: 5 } })
  await send(family, 'post', `terms/${terms.id}/confirm`, {})
  for (const page of [family, tutor]) {
    await page.goto('/payments')
    await settled(page)
    await expect(region(page)).toBeVisible()
    await expect(page.getByText(/ due (since )?\w{3} 5/)).toHaveCount(0)
  }

  // The month is over.
  const [year = 0, number = 0] = today.split('-').map(Number)
  const at = (day: number) => new Date(year, number, day, 12)
  const month = at(5).toLocaleDateString('en-US', { month: 'short' })
  for (const [day, words] of [
    [3, `$67.50 due ${month} 5`],
    [8, `$67.50 due since ${month} 5`],
  ] as const)
    for (const page of [family, tutor]) {
      // Someone who was away for so long would be signed out.
      await page.evaluate((now) => localStorage.setItem('last-activity', String(now)), at(day).getTime())
      await page.clock.setFixedTime(at(day))
      for (const path of ['/payments', '/dashboard']) {
        await page.goto(path)
        await settled(page)
        await expect(region(page).getByText(words, { exact: true })).toBeVisible()
      }
      expect(await faultsOf(page)).toEqual([])
    }

  for (const [page, path] of [
    [family, `/tutors/${who.tutor_id}`],
    [family, `/children/${who.student_id}`],
    [tutor, `/students/${own.student_id}`],
  ] as const) {
    await page.goto(path)
    await settled(page)
    const balance = page.getByRole('region', { name: 'Balance' })
    await expect(balance.getByText(`$67.50 due since ${month} 5`, { exact: true })).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
  }

  await family.goto('/payments')
  await settled(family)
  const card = family.getByRole('region', { name: /^Pay Ingrid Lindqvist/ })
  const reference = (await card.getByText(/^TL-/).textContent()) ?? ''
  await card.getByRole('button', { name: 'I paid' }).click()
  const dialog = family.getByRole('dialog', { name: 'Record a payment' })
  await expect(dialog.getByText(reference)).toBeVisible()
  await dialog.getByLabel('Date').fill(today)
  expect(await faultsOf(family)).toEqual([])
  await dialog.getByRole('button', { name: 'Add Payment' }).click()
  await expect(family.getByText('Payment added successfully')).toBeVisible()
  for (const page of [family, tutor]) {
    await page.goto('/payments')
    await settled(page)
    await expect(page.getByText('$67.50 on its way').first()).toBeVisible()
    await expect(page.getByText(/ due since /)).toHaveCount(0)
  }
  await expect(tutor.getByRole('region', { name: 'Payments to confirm' }).getByText(reference)).toBeVisible()
})
