// What the owner of an account hears of it: an email about a new browser, "This wasn't me", and recent activity.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo, signIn } from './people.ts'
import { faultsOf } from './screens.ts'

test('A25: “This wasn’t me” signs a stranger’s browser out, and the owner chooses a new password', async ({
  page,
  browser,
}) => {
  const owner = await arrive(page)
  const stranger = await browser.newPage()
  await signIn(stranger, owner)
  await expect(stranger).toHaveURL(/\/dashboard$/)

  await page.goto(linkIn((await mailTo(page, owner.email, 'New sign-in')).text))
  await expect(page.getByRole('heading', { name: 'This wasn’t you?' })).toBeVisible()
  await stranger.goto('/children')
  await expect(stranger.getByRole('heading', { level: 1 }), 'opening the link changes nothing').toBeVisible()
  await expect(stranger).toHaveURL(/\/children$/)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign everyone out' }).click()
  await expect(page.getByRole('heading', { name: 'Everyone is signed out' })).toBeVisible()

  await stranger.goto('/children')
  await expect(stranger).toHaveURL(/\/login$/)
  await signIn(stranger, owner)
  await expect(stranger.getByText('Login failed')).toBeVisible()
  await stranger.close()

  await page.goto(linkIn((await mailTo(page, owner.email, 'Reset')).text))
  await page.getByLabel('New Password', { exact: true }).fill('tulips-and-41')
  await page.getByLabel('Confirm New Password').fill('tulips-and-41')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Show recent activity' }).click()
  const activity = page.getByRole('region', { name: 'Recent activity' })
  await expect(activity.getByText('Failed sign-in')).toBeVisible()
  await expect(activity.getByText('Signed in from a new browser')).toBeVisible()
  await expect(activity.getByText('Password changed')).toBeVisible()
  await expect(activity.getByText(/Chrome on Linux · network 127\.0\.0\.0\/24/).first()).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
})
