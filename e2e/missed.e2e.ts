// A class that's missed under agreed terms: what it costs, on a phone, for both sides, and how that's waived.
import { expect, type Page } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { connected } from './pairs.ts'
import { faultsOf, post, settled } from './screens.ts'
import { countTaps } from './taps.ts'

test.use({ viewport: { width: 390, height: 844 }, ...IN_DAYTIME })

const COSTS = 'Charge of $22.50. Canceled less than 24 hours before: half the lesson.'

/** A class of today that's over, between two sides who agreed that late cancellations cost half the lesson. */
async function aMissedClass(
  family: Page,
  browser: Parameters<typeof connected>[1],
  { currency = 'USD', ...late }: { currency?: string; are_late_arrivals_charged?: boolean } = {},
) {
  const pair = await connected(family, browser, { currency })
  const { tutor, who, own, today } = pair
  await post(family, 'schedules', {
    ...who,
    day_of_week: new Date(today).getUTCDay(),
    start_time: '00:00',
    duration: 0.5,
    hourly_rate: 90,
    start_date: today,
    end_date: today,
  })
  const rules = { bands: [{ until_hours: 0, percent: 50 }], ...late }
  const terms = await post(tutor, 'terms', { student_id: own.student_id, rules })
  await post(family, `terms/${terms.id}/confirm`, {})
  return pair
}

async function sayNo(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await settled(page)
  await page.getByRole('button', { name: /^No, Maya/ }).click()
  await page.getByRole('button', { name: /^Canceled late, Maya/ }).click()
}
const sheet = (page: Page) => page.getByRole('dialog', { name: /^Maya/ })
async function openClass(page: Page): Promise<void> {
  await page.goto('/schedules?view=month')
  await settled(page)
  await page.getByRole('button', { name: /^Maya/ }).click()
}

/** A tutor's classes of today aren't among those to answer, but on the calendar. */
async function cancelLate(page: Page): Promise<void> {
  await openClass(page)
  await sheet(page)
    .getByRole('button', { name: /^Canceled late/ })
    .click()
  await expect(page.getByText(COSTS)).toBeVisible()
}

test("a parent says 'No' in two taps and reads what it costs, and the tutor waives it on the class", async ({
  page: family,
  browser,
}) => {
  const { tutor, today } = await aMissedClass(family, browser)
  await family.goto('/dashboard')
  const taps = await countTaps(family)
  await sayNo(family)
  await expect(family.getByText(COSTS)).toBeVisible()
  taps.expectAtMost("yesterday's lesson, which didn't happen")
  await expect(family.getByRole('button', { name: 'Waive' })).toBeHidden()

  await family.goto('/to-confirm')
  await settled(family)
  const asked = family.getByRole('region', { name: 'Charges to confirm' })
  await expect(asked).toContainText('$22.50')
  await expect(asked).toContainText('half the lesson')
  expect(await faultsOf(family)).toEqual([])

  await openClass(tutor)
  await expect(sheet(tutor).getByText('Charge of $22.50')).toBeVisible()
  await expect(sheet(tutor).getByText('Canceled less than 24 hours before: half the lesson.')).toBeVisible()
  await sheet(tutor).getByRole('button', { name: 'Waive' }).click()
  await expect(tutor.getByText('Waived', { exact: true })).toBeVisible()

  await openClass(family)
  await expect(sheet(family).getByText('Waived')).toBeVisible()
  await expect(sheet(family).getByText('Canceled late').first()).toBeVisible()
  await family.goto(`/summary?month=${today.slice(0, 7)}`)
  await family.getByText('1 missed', { exact: true }).click()
  await expect(family.getByRole('list', { name: 'Missed classes' })).toContainText('Waived')
  await tutor.context().close()
})

test('the sheet of a charge says what it is for, and its tutor waives it there', async ({
  page: family,
  browser,
}) => {
  const { tutor } = await aMissedClass(family, browser)
  await family.goto('/dashboard')
  await sayNo(family)
  await expect(family.getByText(COSTS)).toBeVisible()
  for (const page of [family, tutor]) {
    await page.goto('/payments')
    await settled(page)
    await page
      .getByRole('button', { name: /^Edit charge, \$22\.50/ })
      .filter({ visible: true })
      .click()
    const charge = page.getByRole('dialog', { name: 'Edit Charge' })
    const sentence = charge.getByLabel('What for')
    await expect(sentence).toHaveValue(/half the lesson/)
    // It's shown whole, and can be changed.
    for (const [content, frame] of [
      ['scrollHeight', 'clientHeight'],
      ['scrollWidth', 'clientWidth'],
    ] as const) {
      const hidden = () =>
        sentence.evaluate((field, [all, shown]) => field[all] - field[shown], [content, frame] as const)
      await expect.poll(hidden).toBeLessThanOrEqual(0)
    }
    await expect(sentence).toBeEditable()

    expect(await faultsOf(page)).toEqual([])
    await expect(charge.getByRole('button', { name: 'Waive' })).toBeVisible({ visible: page === tutor })
  }
  await tutor.getByRole('dialog').getByRole('button', { name: 'Waive' }).click()
  await expect(tutor.getByRole('dialog')).toBeHidden()
  await expect(tutor.getByText('Waived', { exact: true })).toBeVisible()
  await expect(tutor.getByText('$22.50').filter({ visible: true })).toBeHidden()
  await family.goto('/to-confirm')
  await settled(family)
  await expect(family.getByRole('region', { name: 'Charges to confirm' })).toBeHidden()
  await tutor.context().close()
})

test("a tutor's late cancellation proposes its charge, the month counts it, and one tap waives it for both", async ({
  page: family,
  browser,
}) => {
  const { tutor, today } = await aMissedClass(family, browser)
  await cancelLate(tutor)
  for (const page of [family, tutor]) {
    await page.goto(`/summary?month=${today.slice(0, 7)}`)
    await settled(page)
    await expect(page.getByText('1 missed, $22.50')).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
  }
  await openClass(tutor)
  await sheet(tutor).getByRole('button', { name: 'Back to planned' }).click()
  await expect(tutor.getByText('Class planned again')).toBeVisible()
  await cancelLate(tutor)
  await tutor.getByRole('button', { name: 'Waive' }).click()
  await expect(tutor.getByText('Nobody owes anything for this class.')).toBeVisible()
  await family.goto(`/summary?month=${today.slice(0, 7)}`)
  await expect(family.getByText('1 missed', { exact: true })).toBeVisible()
  await family.goto('/to-confirm')
  await settled(family)
  await expect(family.getByRole('region', { name: 'Charges to confirm' })).toBeHidden()
  await tutor.context().close()
})

const KEPT = 'Time kept for you: 15 of 30 minutes were taught.'

/** Someone came late: the class is logged with half its length, as one types it. */
async function logHalf(page: Page, hours: string): Promise<void> {
  await page.goto('/dashboard')
  await settled(page)
  await page.getByRole('button', { name: /^Edit, Maya/ }).click()
  await page.getByLabel('Duration (hours)').fill(hours)
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
}

test('after a late arrival the parent reads what the kept time costs, and the tutor waives it', async ({
  page: family,
  browser,
}) => {
  const { tutor } = await aMissedClass(family, browser, { are_late_arrivals_charged: true })
  await logHalf(family, '0.25')
  await family.goto('/to-confirm')
  await settled(family)
  const asked = family.getByRole('region', { name: 'Charges to confirm' })
  await expect(asked).toContainText(KEPT)
  await expect(asked).toContainText('$22.50')
  expect(await faultsOf(family)).toEqual([])

  await tutor.goto('/payments')
  await settled(tutor)
  await expect(tutor.getByText(KEPT).filter({ visible: true })).toBeVisible()
  await tutor
    .getByRole('button', { name: /^Edit charge, \$22\.50/ })
    .filter({ visible: true })
    .click()
  const sheet = tutor.getByRole('dialog', { name: 'Edit Charge' })
  await expect(sheet).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await sheet.getByRole('button', { name: 'Waive' }).click()
  await expect(tutor.getByText('Nobody owes anything more for this class.')).toBeVisible()
  await expect(tutor.getByText(KEPT)).toHaveCount(0)
  await family.reload()
  await settled(family)
  await expect(asked).toBeHidden()
  await tutor.context().close()
})

test('a late arrival in euros, with its length typed with a comma, is confirmed and counts for both', async ({
  page: family,
  browser,
}) => {
  const late = { are_late_arrivals_charged: true, currency: 'EUR' }
  const { tutor, today } = await aMissedClass(family, browser, late)
  await logHalf(family, '0,25')
  await family.goto('/to-confirm')
  await settled(family)
  const asked = family.getByRole('region', { name: 'Charges to confirm' })
  await expect(asked).toContainText(KEPT)
  await asked.getByRole('button', { name: /^Confirm, €22\.50/ }).click()
  await expect(asked.getByText('Confirmed by both of you').first()).toBeVisible()
  for (const page of [family, tutor]) {
    await page.goto(`/payments?month=${today.slice(0, 7)}`)
    await settled(page)
    await expect(page.getByText(KEPT).filter({ visible: true })).toBeVisible()
    await expect(page.getByText('€22.50 other charges')).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
  }
  await tutor.context().close()
})
