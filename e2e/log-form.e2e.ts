// The session form: collapsed fields, a button that stays in view, and logging another session for the same
// day.
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { dayFromToday, post, read } from './screens.ts'

interface Logged {
  date: string
  student_name: string
  notes: string | null
}

async function twoChildren(page: Page): Promise<void> {
  await arrive(page)
  await post(page, 'students', { name: 'Maya Whitfield' })
  await post(page, 'students', { name: 'Theo Whitfield' })
  await post(page, 'tutors', { name: 'Ingrid Lindqvist', hourly_rate: 45 })
}

const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height ?? 0

test('subject, rate and notes take one line each and show what they contain; notes expand when used and stay expanded', async ({
  page,
}) => {
  await twoChildren(page)
  await page.goto('/add-session')
  const notes = page.getByLabel('Notes')
  const fields = [page.getByLabel('Subject'), page.getByLabel('Rate Override ($/hour)'), notes]
  for (const field of fields) {
    await expect(field).toBeVisible()
    await expect.poll(() => heightOf(field)).toBeLessThan(45)
  }
  await notes.fill('Long division, page 12\nTired today')
  await expect.poll(() => heightOf(notes)).toBeGreaterThan(60)
  await expect(page.getByText('Only your family can see this')).toBeVisible()
  await page.getByLabel('Subject').click()
  expect(await heightOf(notes)).toBeGreaterThan(60)
  // After a reload, the typed text is back, in a one-line field.
  await page.reload()
  await expect(notes).toHaveValue('Long division, page 12\nTired today')
  await expect.poll(() => heightOf(notes)).toBeLessThan(45)
})

test('the amount and the button stay in view: at the top of the form, above a keyboard, and in any field', async ({
  page,
}) => {
  await twoChildren(page)
  await page.goto('/add-session')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  const add = page.getByRole('button', { name: 'Add Session' })
  for (const height of [844, 400]) {
    await page.setViewportSize({ width: 390, height })
    for (const field of ['Child', 'Date', 'Subject', 'Notes']) {
      const input = page.getByLabel(field, { exact: false }).first()
      await input.focus()
      await expect(input).toBeInViewport({ ratio: 1 })
      await expect(add).toBeInViewport({ ratio: 1 })
      await expect(page.getByText('$45.00', { exact: true })).toBeInViewport({ ratio: 1 })
      // Nothing covers the button, and the button doesn't cover the focused field.
      await add.click({ trial: true })
      const overlap = async () => {
        const [box, bar] = [await input.boundingBox(), await page.locator('.pinned').boundingBox()]
        return (box?.y ?? 0) + (box?.height ?? 0) - (bar?.y ?? 0)
      }
      await expect.poll(overlap, `${field} at ${height}`).toBeLessThanOrEqual(1)
    }
  }
})

test('a keyboard that covers the page pushes the amount and the button up', async ({ page }) => {
  // A phone's keyboard doesn't change the page's height, only visualViewport's.
  await page.addInitScript(() => {
    const view = new EventTarget()
    Object.assign(view, { height: innerHeight, offsetTop: 0, scale: 1, width: innerWidth })
    Object.defineProperty(window, 'visualViewport', { value: view })
  })
  await twoChildren(page)
  await page.goto('/add-session')
  const bar = page.locator('.pinned')
  const bottom = async () => {
    const box = await bar.boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  await expect.poll(bottom).toBe(844 - 68)
  await page.evaluate(() => {
    Object.assign(window.visualViewport ?? {}, { height: 500 })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  })
  await expect.poll(bottom).toBe(500)
})

test('"Add another for the same day" stores the session and starts the next one with the same day and tutor', async ({
  page,
}) => {
  await twoChildren(page)
  await page.goto('/add-session')
  const day = await dayFromToday(page, -2)
  const child = page.getByRole('combobox', { name: 'Child' })
  await child.selectOption({ label: 'Maya Whitfield' })
  await page.getByLabel('Date').fill(day)
  await page.getByLabel('Notes').fill('Fractions')
  await page.getByRole('button', { name: 'Add another for the same day' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/add-session$/)
  await expect(page.getByLabel('Notes')).toHaveValue('')
  await expect(child).toBeFocused()
  await expect(child).toHaveValue('')
  await expect(page.getByLabel('Date')).toHaveValue(day)
  await expect(page.getByText('Ingrid Lindqvist ($45.00/hour)')).toBeAttached()
  await child.selectOption({ label: 'Theo Whitfield' })
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  const { sessions } = await read<{ sessions: Logged[] }>(page, 'sessions')
  expect(sessions.map(({ date, student_name: name, notes }) => [date, name, notes]).toSorted()).toEqual([
    [day, 'Maya Whitfield', 'Fractions'],
    [day, 'Theo Whitfield', null],
  ])
})

test('someone who goes to another page while a session is being saved stays there', async ({ page }) => {
  await twoChildren(page)
  await page.goto('/add-session')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
  await page.getByRole('combobox', { name: 'Tutor' }).selectOption({ index: 1 })
  let save = () => {}
  const isHeld = new Promise<void>((resolve) => (save = resolve))
  await page.route('**/api/v1/sessions', async (route) => {
    if (route.request().method() === 'POST') await isHeld
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add Session' }).click()
  await page.getByRole('link', { name: 'Tutors', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Ingrid Lindqvist' })).toBeVisible()
  save()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await page.waitForTimeout(500)
  await expect(page).toHaveURL(/\/tutors$/)
})
