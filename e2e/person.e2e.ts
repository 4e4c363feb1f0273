// Tutors, children and students have a page of their own: balance, months, sessions with search, schedule, rate,
// contact and connection.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, connected, lastMonth } from './pairs.ts'
import { arrive } from './people.ts'
import {
  axeFaults,
  dayFromToday,
  expectLayers,
  failOnServer,
  post,
  read,
  send,
  settled,
  smallTargets,
  widthFaults,
} from './screens.ts'
import { shiftOf, watchShifts } from './shift.ts'

const h1 = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search sessions' })
/** The rows in the list of sessions. */
const found = (page: Page) =>
  page.getByRole('region', { name: 'Sessions', exact: true }).getByRole('listitem')

for (const width of [390, 1280]) {
  test(`a tutor's page opens from the list at ${width}, its sessions are searched, and Back keeps the place`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const { who, log } = await aFamily(page)
    const { month } = await lastMonth(page)
    for (let day = 1; day <= 24; day++)
      await log({
        date: `${month}-${String(day).padStart(2, '0')}`,
        subject: day % 6 === 0 ? 'Géométrie' : 'Reading',
        ...(day === 7 ? { notes: '100% of page_7' } : {}),
      })
    // Enough tutors for the list to scroll.
    for (let at = 0; at < 14; at++) await post(page, 'tutors', { name: `Aaron ${at}` })
    await post(page, 'schedules', {
      ...who,
      day_of_week: 2,
      start_time: '16:30',
      duration: 1,
      frequency: 'weekly',
      start_date: await dayFromToday(page, 1),
    })
    await post(page, 'schedules', {
      ...who,
      day_of_week: 3,
      start_time: '09:15',
      duration: 1,
      start_date: await dayFromToday(page, -30),
      end_date: await dayFromToday(page, -1),
    })
    await page.goto('/tutors')
    const link = page.getByRole('link', { name: 'Ingrid Lindqvist' })
    await expect(link).toBeVisible()
    await settled(page)
    await link.scrollIntoViewIfNeeded()
    const scrolled = await page.evaluate(() => scrollY)
    if (width === 390) {
      expect(scrolled).toBeGreaterThan(200)
      const row = page.getByRole('listitem').filter({ has: link })
      await expect(row.getByText('You owe $1,080.00')).toBeVisible()
      await expect(row.getByText(/^Last: .+ · Next: .*4:30 PM$/)).toBeVisible()
    }
    await link.click()
    await expect(h1(page, 'Ingrid Lindqvist')).toBeFocused()
    await expect(page.getByRole('region', { name: 'Balance' }).getByText('$1,080.00')).toBeVisible()
    await expect(page.getByText(/^Next: .*, 4:30 PM$/)).toBeVisible()
    await expect(page.getByText(/Tuesdays at 4:30 PM/)).toBeVisible()
    await expect(page.getByText(/9:15 AM/), 'a schedule that is over').toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Payments', exact: true }).last()).toHaveAttribute(
      'href',
      `/payments?with=${who.tutor_id}`,
    )
    await expect(page.getByRole('row', { name: /24 24\.0 \$1,080\.00/ })).toBeVisible()
    await expect(found(page)).toHaveCount(20)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(found(page)).toHaveCount(24)
    expect([...(await widthFaults(page)), ...(await smallTargets(page))]).toEqual([])
    expect(await axeFaults(page, 'light')).toEqual([])

    await search(page).fill('100%')
    await expect(found(page)).toHaveCount(1)
    await search(page).fill('geometrie')
    await expect(found(page)).toHaveCount(4)
    await expect(page.getByRole('status').getByText('4 sessions found')).toBeAttached()
    await expect(page).toHaveURL(/\?q=geometrie$/)
    await found(page).first().click()
    await expect(page.getByRole('dialog', { name: /^Maya Whitfield, / })).toBeVisible()
    await expectLayers(page, 1)
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.reload()
    await expect(search(page)).toHaveValue('geometrie')
    await expect(found(page)).toHaveCount(4)
    await page.getByRole('link', { name: (await lastMonth(page)).name }).click()
    await expect(page).toHaveURL(new RegExp(`/summary\\?month=${month}&tutor=${who.tutor_id}`))
    await page.goBack()
    await expect(found(page)).toHaveCount(4)
    await search(page).fill('nothing like it')
    await expect(page.getByText('Nothing found for “nothing like it”')).toBeVisible()

    await page.getByRole('link', { name: 'Back, All tutors' }).click()
    await expect(page).toHaveURL(/\/tutors$/)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled)
  })

  test(`a student's page at ${width}: edited, archived, restored and deleted from behind the dots`, async ({
    page,
    browser,
  }) => {
    const pair = await connected(page, browser, { full_name: 'Dana Whitfield' })
    const { tutor, own } = pair
    await tutor.setViewportSize({ width, height: 844 })
    await pair.log({ subject: 'Algebra' })
    await tutor.goto('/students')
    await expect(tutor.getByText('You’re owed $45.00')).toBeVisible()
    await tutor.getByRole('link', { name: 'Maya', exact: true }).click()
    await expect(h1(tutor, 'Maya')).toBeVisible()
    await expect(tutor.getByText('You’re owed', { exact: true })).toBeVisible()
    await expect(tutor.getByText('Your usual rate')).toBeVisible()
    await expect(tutor.getByText('The family confirms sessions')).toBeVisible()
    await expect(tutor.getByText('No recurring classes')).toBeVisible()
    await expect(tutor.getByRole('row', { name: /Waiting 1 1\.0 \$45\.00/ })).toBeVisible()
    await expect(found(tutor)).toHaveCount(1)

    const choose = async (item: string) => {
      await tutor.getByRole('button', { name: /^More for Maya/ }).click()
      await tutor.getByRole('menuitem', { name: item }).click()
    }
    await choose('Edit')
    const form = tutor.getByRole('dialog', { name: 'Edit Student' })
    await form.getByLabel('Student Name').fill('Maya Whitfield')
    await form.getByRole('button', { name: 'Update Student' }).click()
    await expect(h1(tutor, 'Maya Whitfield')).toBeVisible()
    await expect(form).toHaveCount(0)
    await choose('Archive')
    await expect(tutor.getByText('Archived: hidden from lists and forms')).toBeVisible()
    await tutor.reload()
    await tutor.getByRole('main').getByRole('button', { name: 'Restore' }).click()
    await expect(tutor.getByText('Archived: hidden from lists and forms')).toHaveCount(0)
    // A message may lie over the dots.
    await tutor.getByRole('button', { name: 'Dismiss' }).click()
    await choose('Delete')
    await tutor.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(tutor).toHaveURL(/\/students$/)
    await expect(tutor.getByText('Student deleted successfully')).toBeVisible()
    await tutor.goBack()
    await expect(h1(tutor, 'My Students')).toBeVisible()
    await tutor.goto(`/students/${own.student_id}`)
    await expect(h1(tutor, 'This student isn’t here')).toBeVisible()
    await tutor.getByRole('link', { name: 'All students' }).click()
    await expect(h1(tutor, 'My Students')).toBeVisible()
    await tutor.context().close()
  })
}

test("a child's page has what's owed to each tutor, and leads to the tutors and back", async ({ page }) => {
  const { who, today, log } = await aFamily(page)
  const samuel = await post(page, 'tutors', { name: 'Samuel Adeyemi', hourly_rate: 60 })
  await log()
  await log({ tutor_id: samuel.id, date: await dayFromToday(page, -1) })
  expect(today).toBeTruthy()
  await page.goto('/children')
  await page.getByRole('link', { name: 'Maya Whitfield' }).click()
  const balances = page.getByRole('region', { name: 'Balance' })
  await expect(balances.getByText('You owe $45.00')).toBeVisible()
  await expect(balances.getByText('You owe $60.00')).toBeVisible()
  await balances.getByRole('link', { name: 'Samuel Adeyemi' }).click()
  await expect(h1(page, 'Samuel Adeyemi')).toBeVisible()
  await page.getByRole('link', { name: 'Back, All tutors' }).click()
  await expect(h1(page, 'Maya Whitfield')).toBeVisible()
  await expect(balances.getByRole('link', { name: 'Samuel Adeyemi' })).toBeFocused()
  // Opened from a link, the page leads to its list.
  const direct = await page.context().newPage()
  await direct.goto(`/children/${who.student_id}`)
  await direct.getByRole('link', { name: 'Back, All children' }).click()
  await expect(direct).toHaveURL(/\/children$/)
})

test('a page without sessions says what to do next, a missing person has a way back, and a failed page a retry', async ({
  page,
}) => {
  await arrive(page)
  const name = 'محمد عبد الله الطويل جدا'
  const { id } = await post(page, 'tutors', {
    name,
    email: 'm@example.com',
    phone: '555-0199',
    notes: 'Calls late',
  })
  await page.goto(`/tutors/${id}`)
  await expect(h1(page, name)).toBeVisible()
  await expect(page.getByRole('link', { name: 'm@example.com' })).toHaveAttribute(
    'href',
    'mailto:m@example.com',
  )
  await expect(page.getByRole('link', { name: '555-0199' })).toHaveAttribute('href', 'tel:5550199')
  await expect(page.getByText('Calls late')).toBeVisible()
  await expect(page.getByText(`No sessions with ${name} yet`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add a session' })).toHaveAttribute('href', '/add-session')
  expect(await axeFaults(page, 'dark')).toEqual([])

  await page.goto('/tutors/00000000-0000-4000-8000-000000000000')
  await expect(h1(page, 'This tutor isn’t here')).toBeVisible()
  await page.getByRole('link', { name: 'All tutors' }).click()
  await expect(page).toHaveURL(/\/tutors$/)

  const stranger = await page.context().browser()?.newPage()
  if (!stranger) throw new Error('the page has no browser')
  await arrive(stranger)
  await stranger.route('**/api/v1/tutors**', failOnServer)
  await stranger.goto(`/tutors/${id}`)
  await expect(stranger.getByText('This page didn’t load')).toBeVisible()
  await stranger.unroute('**/api/v1/tutors**')
  await stranger.getByRole('button', { name: 'Try again' }).first().click()
  await expect(h1(stranger, 'This tutor isn’t here')).toBeVisible()
  await stranger.context().close()
})

test('the cards of a list show at once, and nothing moves when balances and lessons arrive', async ({
  page,
}) => {
  await watchShifts(page.context())
  const { log } = await aFamily(page)
  await log()
  await page.goto('/dashboard')
  await page.route('**/api/v1/lesson-days**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  expect(await shiftOf(page, '/tutors')).toBe(0)
  await expect(page.getByText(/^Last: today/)).toBeVisible()
  await send(page, 'patch', 'me', { full_name: 'Dana' })
  expect(await read<unknown[]>(page, 'tutors')).toHaveLength(1)
})
