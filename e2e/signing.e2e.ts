// Closing a month with answers that are signed with a passkey. Chromium's virtual device keeps the passkeys.
import { expect, type Page } from '@playwright/test'
import { giveDevice } from './device.ts'
import { test } from './journey.ts'
import { agreedMonth } from './pairs.ts'
import { faultsOf, send } from './screens.ts'

/** Gives someone a device, and adds a passkey on it. */
async function addPasskey(page: Page) {
  const device = await giveDevice(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  return device
}

/** Answers the browser's next question for a passkey as if the person canceled it. */
async function cancelOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = async () => {
      navigator.credentials.get = get
      throw new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError')
    }
  })
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Close / })

test('A23: both sign a month with their passkeys, and its page, its file’s check and its code say so', async ({
  page,
  browser,
}) => {
  const { family, tutor, month, name } = await agreedMonth(page, browser)
  await addPasskey(family)
  await addPasskey(tutor)

  await family.goto(`/summary?month=${month}`)
  await family.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await expect(dialogOf(family).getByRole('heading')).toHaveText(`Close ${name} with Ingrid Lindqvist?`)
  expect(await faultsOf(family)).toEqual([])
  await dialogOf(family).getByRole('button', { name: 'Sign with your passkey' }).click()
  await expect(family.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()
  await expect(dialogOf(family)).toBeHidden()

  await tutor.goto(`/summary?month=${month}`)
  await tutor.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await dialogOf(tutor).getByRole('button', { name: 'Sign with your passkey' }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()
  await tutor.getByRole('link', { name: 'See the page' }).click()
  await expect(
    tutor.getByText(
      /^Jordan Whitfield asked to close the month on [^.]*\. Signed with a passkey\. Maya's tutor confirmed it on [^.]*\. Signed with a passkey\.$/,
    ),
  ).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  const code = /Code (\S{11})/.exec((await tutor.getByText(/^Code /).textContent()) ?? '')?.[1] ?? ''
  await tutor.goto(`/verify/${code}`)
  await expect(tutor.getByText('Signed with a passkey by both sides.')).toBeVisible()
})

test('a passkey that isn’t used leaves the question open, and the month closes without; nobody without a passkey is asked', async ({
  page,
  browser,
}) => {
  const { family, tutor, month, name } = await agreedMonth(page, browser)
  await addPasskey(family)
  await family.goto(`/summary?month=${month}`)
  await family.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await cancelOnce(family)
  await dialogOf(family).getByRole('button', { name: 'Sign with your passkey' }).click()
  await expect(
    dialogOf(family).getByText('No passkey was used. Please try again, or use another way.'),
  ).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  await dialogOf(family).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(dialogOf(family)).toBeHidden()
  await expect(family.getByText('You asked to close', { exact: false })).toHaveCount(0)
  await family.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await dialogOf(family).getByRole('button', { name: 'Close without signing' }).click()
  await expect(family.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()

  await tutor.goto(`/summary?month=${month}`)
  await tutor.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()
  await expect(dialogOf(tutor)).toBeHidden()
  await tutor.getByRole('link', { name: 'See the page' }).click()
  await expect(tutor.getByText(/asked to close the month on/)).toBeVisible()
  await expect(tutor.getByText('Signed with a passkey', { exact: false })).toHaveCount(0)
})

test('one side signs and the other closes with one tap; what changed since is said in the question', async ({
  page,
  browser,
}) => {
  const { family, tutor, connection, month, name } = await agreedMonth(page, browser)
  await addPasskey(tutor)
  await tutor.goto(`/summary?month=${month}`)
  await tutor.getByRole('button', { name: `Close ${name} with Jordan Whitfield` }).click()
  // The other parent's phone was quicker: the tutor has asked already.
  await tutor.route('**/api/v1/months/sign', async (route) => {
    await send(tutor, 'post', 'months/close', { connection_id: connection, month })
    await route.continue()
  })
  await dialogOf(tutor).getByRole('button', { name: 'Sign with your passkey' }).click()
  await expect(tutor.getByText(`You asked to close ${name}.`, { exact: false })).toBeVisible()
  await tutor.unroute('**/api/v1/months/sign')
  await tutor.getByRole('button', { name: `Withdraw, ${name}` }).click()
  await expect(dialogOf(tutor)).toBeHidden()
  await tutor.getByRole('button', { name: `Close ${name} with Jordan Whitfield` }).click()
  await dialogOf(tutor).getByRole('button', { name: 'Sign with your passkey' }).click()
  await expect(tutor.getByText(`You asked to close ${name}.`, { exact: false })).toBeVisible()

  await family.goto(`/summary?month=${month}`)
  await family.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(family.getByText('Closed', { exact: true })).toBeVisible()
  await family.getByRole('link', { name: 'See the page' }).click()
  await expect(
    family.getByText(
      /^Ingrid Lindqvist asked to close the month on [^.]*\. Signed with a passkey\. Jordan Whitfield confirmed it on [^.]*\.$/,
    ),
  ).toBeVisible()
})
