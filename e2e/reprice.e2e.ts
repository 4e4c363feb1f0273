// A rate that was found wrong later is corrected in the sessions that are already logged.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { agreedMonth, connected, lastMonth } from './pairs.ts'
import { axeFaults, dayFromToday, failOnServer, read, send, smallTargets, widthFaults } from './screens.ts'
import { countTaps } from './taps.ts'

test.use({ viewport: { width: 390, height: 844 } })

interface Listed {
  sessions: { id: string; date: string; default_rate: number; total_amount: number; is_shared: boolean }[]
}

test('a rate found wrong a week later: two taps correct seven sessions in euros on both sides, the closed month stays, and Undo restores the rates', async ({
  page,
  browser,
}) => {
  const { family, tutor, connection, month, name, log } = await agreedMonth(page, browser, 'EUR')
  for (const side of [family, tutor])
    await send(side, 'post', 'months/close', { connection_id: connection, month })
  const first = `${(await dayFromToday(page, 0)).slice(0, 7)}-01`
  for (let lesson = 0; lesson < 7; lesson++) {
    const { id } = await log({ date: first, duration: 1 + lesson / 4 })
    if (lesson < 5) await send(tutor, 'post', `sessions/${id}/confirm`, {})
  }
  await log({ date: first, duration: 1, hourly_rate: 60 })
  await tutor.goto('/to-confirm')
  await expect(tutor.getByRole('button', { name: 'Confirm all 3' })).toBeVisible()

  await family.goto('/tutors')
  const taps = await countTaps(family)
  await family.getByRole('button', { name: 'Edit Ingrid Lindqvist' }).click()
  await family.getByLabel('Hourly Rate (€)').fill('48,30')
  taps.startOver()
  await family.getByRole('button', { name: 'Update Tutor' }).click()
  const offer = family.getByRole('dialog', { name: /^Also for 7 sessions since \w{3} 1\?$/ })
  // 3.30 an hour for 12.25 hours; each amount is rounded on its own.
  await expect(offer.getByText('+€40.44', { exact: true })).toBeVisible()
  await expect(offer).toContainText('€45.00 → €48.30/hour')
  await expect(offer).toContainText(
    '5 confirmed sessions must be confirmed again by Ingrid Lindqvist, even if you undo this.',
  )
  await expect(offer).toContainText('stay: the month is closed. 1 has its own rate.')
  await expect(offer).toContainText(`2 in ${name}`)
  expect([
    ...(await axeFaults(family, 'light')),
    ...(await widthFaults(family)),
    ...(await smallTargets(family)),
  ]).toEqual([])
  await offer.getByRole('button', { name: 'Also for 7 sessions' }).click()
  await expect(family.getByText('7 sessions changed to €48.30')).toBeVisible()
  taps.expectAtMost('a rate on seven sessions')
  const rates = async () =>
    (await read<Listed>(family, 'sessions')).sessions.map(({ default_rate: rate }) => rate).sort()
  expect(await rates()).toEqual([45, 45, 45, ...Array.from({ length: 7 }, () => 48.3)])
  // The other side sees them without reloading.
  await expect(tutor.getByRole('button', { name: 'Confirm all 8' })).toBeVisible()

  await family.getByRole('button', { name: 'Undo' }).click()
  await expect(family.getByText('Rates restored')).toBeVisible()
  await expect(family.getByText('€45.00')).toBeVisible()
  expect(new Set(await rates())).toEqual(new Set([45]))
  await tutor.reload()
  await expect(tutor.getByRole('button', { name: 'Confirm all 8' })).toBeVisible()
})

test("a tutor's own rate: the count follows the day, nothing is lost without a network, and nothing changes if the offer isn't taken", async ({
  page,
  browser,
}) => {
  const { tutor, own } = await connected(page, browser, { full_name: 'Jordan Whitfield' })
  const { month } = await lastMonth(tutor)
  const [first, later] = [`${month}-03`, `${month}-04`]
  const add = (date: string) => send(tutor, 'post', 'sessions', { ...own, date, duration: 1 })
  await add(first)
  await add(later)
  await tutor.goto('/account')
  const change = async (rate: string) => {
    await tutor.getByRole('button', { name: 'Change hourly rate' }).click()
    const dialog = tutor.getByRole('dialog', { name: 'Your hourly rate' })
    await dialog.getByLabel('Hourly rate ($/hour)').fill(rate)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  await change('50')
  const offer = tutor.getByRole('dialog', { name: /^(Also for|No sessions)/ })
  await expect(offer.getByRole('heading', { name: /^Also for 2 sessions since/ })).toBeVisible()
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toBeHidden()
  await change('45')
  await expect(tutor.getByText('$45.00/hour')).toBeVisible()
  await change('50')
  await offer.getByLabel('Since').fill(later)
  await expect(offer.getByRole('heading', { name: /^Also for 1 session since/ })).toBeVisible()
  await expect(offer.getByText('+$5.00', { exact: true })).toBeVisible()
  await offer.getByLabel('Since').fill(await dayFromToday(tutor, 300))
  await expect(offer.getByRole('heading', { name: 'No sessions to change' })).toBeVisible()
  await tutor.route('**/repricing?*', failOnServer)
  await offer.getByLabel('Since').fill(first)
  await expect(offer.getByText('The sessions didn’t load. Check the connection.')).toBeVisible()
  await expect(offer.getByLabel('Since')).toHaveValue(first)
  await tutor.unroute('**/repricing?*')
  await offer.getByRole('button', { name: 'Try again' }).click()
  await expect(offer.getByRole('heading', { name: /^Also for 2 sessions since/ })).toBeVisible()
  await tutor.route('**/repricing', (route) => route.abort())
  await offer.getByRole('button', { name: 'Also for 2 sessions' }).click()
  await expect(offer.getByText(/could not be reached/)).toBeVisible()
  await expect(offer.getByLabel('Since')).toHaveValue(first)
  await tutor.unroute('**/repricing')
  await offer.getByRole('button', { name: 'Also for 2 sessions' }).click()
  await expect(tutor.getByText('2 sessions changed to $50.00')).toBeVisible()
  const { sessions } = await read<Listed>(tutor, 'sessions')
  expect(sessions.map(({ total_amount: amount }) => amount)).toEqual([50, 50])
})
