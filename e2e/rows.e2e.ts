// Tapping a row opens its session, and the summary's chips filter the list of sessions.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { dayFromToday, expectLayers, post, smallTargets, unfold, widthFaults } from './screens.ts'

/** A family with two children, two tutors and sessions this month. The newest session was added last. */
async function aMonth(page: Page, count: number): Promise<{ maya: string; ingrid: string; today: string }> {
  await arrive(page)
  const maya = await post(page, 'students', { name: 'Maya Whitfield' })
  const leo = await post(page, 'students', { name: 'Leo Whitfield' })
  const ingrid = await post(page, 'tutors', { name: 'Ingrid Lindqvist', hourly_rate: 45 })
  const samuel = await post(page, 'tutors', { name: 'Samuel Adeyemi', hourly_rate: 60 })
  const today = await dayFromToday(page, 0)
  for (let at = 0; at < count; at++)
    await post(page, 'sessions', {
      student_id: at % 3 === 0 ? leo.id : maya.id,
      tutor_id: at % 3 === 0 ? samuel.id : ingrid.id,
      date: today,
      duration: 1,
      subject: `Lesson ${at + 1}`,
      ...(at === 1
        ? { start_time: '16:30', notes: 'Tired today', summary: 'Fractions', homework: 'Page 84' }
        : {}),
    })
  return { maya: maya.id, ingrid: ingrid.id, today }
}

const sheet = (page: Page, name: RegExp) => page.getByRole('dialog', { name })

test('a row opens its session with all its details; Back closes it, and focus returns to the row', async ({
  page,
}) => {
  await aMonth(page, 2)
  await page.goto('/summary')
  const row = page.getByRole('link', { name: /^Maya Whitfield, / })
  // Taps the row, but not its pencil icon.
  await page.getByText('Lesson 2, 4:30 PM, 1 h, $45.00/h').click()
  const session = sheet(page, /^Maya Whitfield, /)
  for (const text of [
    'Only yours',
    '4:30 PM',
    'Ingrid Lindqvist',
    'Lesson 2',
    '$45.00/h',
    'Fractions',
    'Page 84',
  ])
    await expect(session.getByText(text, { exact: true })).toBeVisible()
  await expect(session.getByText('Tired today')).toBeVisible()
  await expect(session.getByText('Only your family can see this')).toBeVisible()
  await session.getByText('History', { exact: true }).click()
  await expect(session.getByText('logged it')).toBeVisible()
  expect([...(await widthFaults(page)), ...(await smallTargets(page))]).toEqual([])
  await expectLayers(page, 1)
  await page.goBack()
  await expect(session).toBeHidden()
  await expect(page).toHaveURL(/\/summary$/)

  await row.focus()
  await page.keyboard.press('Enter')
  await expect(session).toBeVisible()
  await expectLayers(page, 1)
  await page.keyboard.press('Escape')
  await expect(session).toBeHidden()
  await expect(row).toBeFocused()

  // The pencil icon opens only the form.
  await page.getByRole('button', { name: /^Edit session, Maya/ }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Session' })).toBeVisible()
  await expect(session).toBeHidden()
})

test('a session is edited from its sheet, which then shows the changes, and deleted from there', async ({
  page,
}) => {
  await aMonth(page, 2)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^Maya Whitfield, / }).click()
  const session = sheet(page, /^Maya Whitfield, /)
  await session.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Session' })
  await form.getByLabel('Duration (hours)').fill('2')
  await form.getByRole('button', { name: 'Update Session' }).click()
  await expect(form).toBeHidden()
  await expect(session.getByText('2 h', { exact: true })).toBeVisible()
  await expect(session.getByText('$90.00', { exact: true })).toBeVisible()
  await expect(page.getByText('Session updated successfully')).toBeVisible()
  await session.getByRole('button', { name: 'Edit', exact: true }).click()
  // The toast makes room, because it would cover the form's buttons.
  await expect(form).toBeVisible()
  await expect(page.getByText('Session updated successfully')).toHaveCount(0)
  await form.getByRole('button', { name: 'Delete session' }).click()
  await expect(page.getByText('Session deleted successfully')).toBeVisible()
  await expect(session).toBeHidden()
  await expect(page.getByRole('link', { name: /^Maya Whitfield, / })).toHaveCount(0)
})

test("a row's link opens the session in a new tab, and a message says if it was deleted", async ({
  page,
}) => {
  await aMonth(page, 2)
  await page.goto('/summary')
  const href = await page.getByRole('link', { name: /^Maya Whitfield, / }).getAttribute('href')
  await page.goto(href ?? '')
  await expect(sheet(page, /^Maya Whitfield, /).getByText('Fractions')).toBeVisible()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(sheet(page, /^Maya Whitfield, /)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Monthly Summary' })).toBeVisible()
  await page.goto('/summary?session=00000000-0000-4000-8000-000000000000')
  await expect(sheet(page, /^Session$/).getByText('This session is no longer in your log.')).toBeVisible()
})

test('a session in a balance opens from its line, on a phone and on a desktop', async ({ page }) => {
  const { ingrid } = await aMonth(page, 2)
  await page.goto(`/payments?with=${ingrid}`)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.getByRole('link', { name: /^Maya Whitfield, / }).click()
    await expect(sheet(page, /^Maya Whitfield/).getByText('Lesson 2')).toBeVisible()
    await sheet(page, /^Maya Whitfield/)
      .getByRole('button', { name: 'Done' })
      .click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('on a phone the sessions follow the totals, with tables and charts folded below, and eleven sessions fit in half the former height', async ({
  page,
}) => {
  await aMonth(page, 11)
  await page.goto('/summary')
  await expect(page.getByRole('button', { name: /^Edit session/ })).toHaveCount(11)
  for (const title of ['Sessions by Tutor', 'Sessions by Student', 'Session Details'])
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
  // The former height had neither what is owed in all, nor what was paid, nor a search.
  const owed = page.getByRole('region', { name: /^You owe/ })
  const paid = page
    .getByRole('term')
    .filter({ hasText: /^Paid$/ })
    .locator('..')
  const height = async () => {
    const boxes = await Promise.all([owed, paid, page.getByRole('search')].map((part) => part.boundingBox()))
    const newer = boxes.reduce((sum, box) => sum + (box?.height ?? 0), 0)
    return (await page.evaluate(() => document.documentElement.scrollHeight)) - newer
  }
  await expect.poll(height).toBeLessThanOrEqual(3578 / 2)
  await unfold(page, 'Sessions by Tutor')
  const table = page.getByRole('region', { name: 'Sessions by Tutor' })
  await expect(
    table.getByRole('row', {
      name: /Ingrid Lindqvist 7 7\.0 \$315\.00 \$0\.00/,
    }),
  ).toBeVisible()
  await expect(
    table.getByRole('row', {
      name: /Total 11 11\.0 \$555\.00 \$0\.00/,
    }),
  ).toBeVisible()
})

test('chips filter the sessions and their total, and Back and a reload keep the choice', async ({ page }) => {
  await aMonth(page, 5)
  await page.goto('/summary')
  const chips = page.getByRole('group', { name: 'Show only' })
  await expect(chips.getByRole('button')).toHaveText([
    'Leo Whitfield',
    'Maya Whitfield',
    'Ingrid Lindqvist',
    'Samuel Adeyemi',
  ])
  await chips.getByRole('button', { name: 'Maya Whitfield' }).click()
  const details = page.getByRole('list', { name: 'Session Details' }).getByRole('listitem')
  await expect(details).toHaveCount(3)
  await expect(page.getByText('3 of 5 sessions, 3 h, $135.00')).toBeVisible()
  await page.reload()
  await expect(chips.getByRole('button', { name: 'Maya Whitfield' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await page.goBack()
  await expect(details).toHaveCount(3)
  await chips.getByRole('button', { name: 'Samuel Adeyemi' }).click()
  await expect(page.getByText('No sessions match these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(details).toHaveCount(5)
  await expect(chips.getByRole('button', { pressed: true })).toHaveCount(0)
})
