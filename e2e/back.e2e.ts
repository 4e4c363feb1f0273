// The browser's Back button closes whatever is open (dialog, sheet, menu or a form in the page) and stays on the same page.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { expectLayers, post } from './screens.ts'

interface Layer {
  path: string
  /** The buttons to press, in order. */
  press: (string | RegExp)[]
  name: string
  role?: 'dialog' | 'alertdialog' | 'menu' | 'region'
}

const PARENT: Layer[] = [
  { path: '/dashboard', press: ['Account menu'], name: 'Account', role: 'menu' },
  { path: '/children', press: ['Add Child'], name: 'Add New Child', role: 'region' },
  { path: '/children', press: ['Edit Maya'], name: 'Edit Child', role: 'region' },
  { path: '/tutors', press: ['Add Tutor'], name: 'Add New Tutor', role: 'region' },
  { path: '/tutors', press: ['Edit Ingrid'], name: 'Edit Tutor', role: 'region' },
  { path: '/children', press: ['Delete Maya'], name: 'Delete Child', role: 'alertdialog' },
  { path: '/tutors', press: ['Delete Ingrid'], name: 'Delete Tutor', role: 'alertdialog' },
  { path: '/tutors', press: [/^Ask .*Ingrid|^Ask to confirm/], name: 'Ask Ingrid to confirm' },
  { path: '/summary', press: [/^Edit session, Maya/], name: 'Edit Session' },
  { path: '/summary', press: ['Record a payment'], name: 'Record a payment' },
  { path: '/summary', press: ['Statement'], name: 'Statement' },
  { path: '/payments', press: ['Record a payment'], name: 'Record a payment' },
  { path: '/schedules', press: ['Create Schedule'], name: 'Create Schedule' },
  { path: '/schedules', press: [/^Edit schedule for Maya/], name: 'Edit Schedule' },
  { path: '/schedules?view=week', press: [/Maya/], name: 'Maya' },
  { path: '/account', press: ['Change name'], name: 'Your name' },
  { path: '/account', press: ['Change email'], name: 'Change email' },
  { path: '/account', press: ['Change password'], name: 'Change password' },
  { path: '/account', press: ['Delete'], name: 'Delete account' },
]
const TUTOR: Layer[] = [
  { path: '/students', press: ['Add Student'], name: 'Add New Student' },
  { path: '/students', press: ['Edit Aiko'], name: 'Edit Student' },
  { path: '/students', press: ['Delete Aiko'], name: 'Delete Student', role: 'alertdialog' },
]

/** Goes to each page from the dashboard, opens the dialog, and then goes back twice. */
async function goBackFromEach(page: Page, layers: Layer[]): Promise<void> {
  for (const { path, press, name, role = 'dialog' } of layers) {
    await page.goto('/dashboard')
    await page.goto(path)
    const layer = page.getByRole(role, { name, exact: true })
    for (const button of press)
      await page
        .getByRole('button', typeof button === 'string' ? { name: button, exact: true } : { name: button })
        .first()
        .click()
    await expect(layer, name).toBeVisible()
    await expectLayers(page, press.length)
    await page.goBack()
    await expect(layer, name).toBeHidden()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    // Going forward doesn't reopen anything. Going back again leaves the page.
    await page.goForward()
    await expect(layer).toBeHidden()
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0])
    for (let time = 1; time < press.length; time++) await page.goBack()
    await expectLayers(page, 0)
    if (path === '/dashboard') continue
    await page.goBack()
    await expect(page, name).toHaveURL(/\/dashboard$/)
  }
}

test("Back closes every dialog, sheet and menu of a parent's pages, and the page stays", async ({ page }) => {
  await arrive(page)
  const { who, today, log } = await mayaWithIngrid(page, { email: 'ingrid@example.com' })
  await log()
  await post(page, 'schedules', {
    ...who,
    day_of_week: new Date(today).getUTCDay(),
    start_time: '16:00',
    duration: 1,
    frequency: 'weekly',
    start_date: today,
    timezone: 'UTC',
    is_active: true,
  })
  await goBackFromEach(page, PARENT)
})

test("Back closes every dialog of a tutor's pages, and asks first if something was typed", async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  await post(page, 'students', { name: 'Aiko' })
  await goBackFromEach(page, TUTOR)

  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add New Student' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Student' })
  await dialog.getByLabel('Student Name').fill('Noor')
  await expectLayers(page, 1)
  await page.goBack()
  await expect(dialog.getByText('Discard what you typed?')).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Student Name')).toHaveValue('Noor')
  // Escape asks the same question as Back. Each Back closes one dialog.
  await page.keyboard.press('Escape')
  await expect(dialog.getByText('Discard what you typed?')).toBeVisible()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(dialog.getByText('Discard what you typed?')).toBeHidden()
  await expectLayers(page, 1)
  await page.goBack()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/students$/)
  await expectLayers(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.getByRole('link', { name: 'Add New Student' }).click()
  await dialog.getByLabel('Student Name').fill('Noor')
  await dialog.getByRole('button', { name: 'Add Student' }).click()
  await expect(page.getByText('Student added successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expectLayers(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('after Back, the link that was followed has the focus, also far down the home page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  await log({})
  await page.goto('/dashboard')
  const link = page.getByRole('main').getByRole('link', { name: 'Manage Schedules' })
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Schedules' })).toBeFocused()
  await page.goBack()
  await expect(link).toBeFocused()
})

test('signing out leads to the login page even if the browser is slow to remove the menu from the history', async ({
  page,
}) => {
  await arrive(page)
  await page.addInitScript(() => {
    const go = history.go.bind(history)
    history.go = (delta) => void setTimeout(go, 300, delta)
  })
  await page.route('**/LoginPage*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})
