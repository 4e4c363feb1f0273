// Schedules: a tutor's week, upcoming classes, logging past ones, and a parent's recurring class.
import { expect, type Page } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { dayFromToday, failOnServer, hearNothing, post, read, settled } from './screens.ts'
import { countTaps } from './taps.ts'

// A class late in the evening is still to come.
test.use(IN_DAYTIME)

/** Adds Maya and Ingrid, with a class every Tuesday from this date on. */
async function teachOnTuesdays(page: Page, startDate: string): Promise<void> {
  await post(page, 'schedules', {
    ...(await mayaWithIngrid(page)).who,
    day_of_week: 2,
    start_time: '16:30',
    duration: 1,
    start_date: startDate,
  })
}

/** A day as it's announced, such as "Friday, November 27". */
async function wordsOf(page: Page, days: number): Promise<string> {
  const day = new Date(await dayFromToday(page, days))
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(day)
}

test('a tutor adds a student, creates a bi-weekly schedule, sees it as upcoming, and answers whether three classes happened', async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  await page.getByRole('link', { name: 'Add New Student' }).click()
  const student = page.getByRole('dialog', { name: 'Add New Student' })
  await student.getByRole('button', { name: 'Add Student' }).click()
  await expect(student.getByText('Name is required')).toBeVisible()
  await student.getByLabel('Student Name').fill('Aiko Tanabe')
  await student.getByLabel('Grade (Optional)').fill('Sophomore')
  await student.getByRole('button', { name: 'Add Student' }).click()
  await expect(page.getByText('Student added successfully')).toBeVisible()
  await expect(student).toBeHidden()

  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('link', { name: 'Create Schedule' }).click()
  const form = page.getByRole('dialog', { name: 'Create Schedule' })
  await expect(form.getByRole('combobox', { name: 'Student' }).locator('option:checked')).toHaveText(
    'Aiko Tanabe',
  )
  await form.getByRole('combobox', { name: 'Student' }).selectOption('')
  await form.getByRole('button', { name: 'Create Schedule' }).click()
  for (const message of ['Please select a student', 'Please select a day', 'Please enter start time'])
    await expect(form.getByText(message)).toBeVisible()
  await form.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Aiko Tanabe' })
  await expect(form.getByRole('combobox', { name: 'Tutor' }).locator('option:checked')).toHaveText('You')
  const tomorrow = await dayFromToday(page, 1)
  const weekday = await page.evaluate(
    (day) => new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(day)),
    tomorrow,
  )
  await form.getByText(weekday.slice(0, 3), { exact: true }).click()
  await expect(form.getByRole('checkbox', { name: weekday })).toBeChecked()
  await form.getByLabel('Start time').fill('17:00')
  await form.getByRole('radio', { name: 'Bi-weekly' }).check({ force: true })
  await form.getByLabel('Subject').fill('Essay writing')
  await form.getByLabel('Start date').fill('2020-01-01')
  await form.getByRole('button', { name: 'Create Schedule' }).click()
  await expect(form.getByText('Select today or a later day')).toBeVisible()
  await form.getByLabel('Start date').fill(tomorrow)
  await form.getByRole('button', { name: 'Create Schedule' }).click()
  await expect(page.getByText('Schedule created successfully')).toBeVisible()
  await expect(page.getByText(`${weekday} at 5:00 PM, 1 h`)).toBeVisible()
  await expect(page.getByText('Bi-weekly')).toBeVisible()

  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Upcoming Sessions' })).toBeVisible()
  await expect(page.getByText('Essay writing, 5:00 PM')).toBeVisible()
  await expect(page.getByText(weekday.slice(0, 3), { exact: true })).toBeVisible()

  // Three classes yesterday, an hour apart. On a Sunday, that's last week.
  const [aiko] = await read<{ id: string }[]>(page, 'students')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  const yesterday = await dayFromToday(page, -1)
  for (const time of ['09:00', '10:00', '11:00']) {
    await post(page, 'schedules', {
      student_id: aiko?.id,
      tutor_id: self?.id,
      day_of_week: new Date(yesterday).getUTCDay(),
      start_time: time,
      duration: 1,
      start_date: yesterday,
      hourly_rate: 40,
    })
  }
  await page.reload()
  const thisWeek = new Date(yesterday).getUTCDay() === 6 ? 0 : 3
  await expect(
    page.getByRole('link', { name: new RegExp(`${thisWeek} This Week Sessions to confirm`) }),
  ).toBeVisible()
  await page
    .getByRole('button', { name: /^Yes, Aiko Tanabe/ })
    .first()
    .dblclick()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Yes/ })).toHaveCount(2)
  await page
    .getByRole('button', { name: /^No, Aiko Tanabe/ })
    .first()
    .click()
  await page.getByRole('button', { name: /^Canceled by you, Aiko Tanabe/ }).click()
  await expect(page.getByText('Canceled by you').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Yes/ })).toHaveCount(1)
  await page.getByRole('button', { name: /^Edit, Aiko Tanabe/ }).click()
  await expect(page.getByRole('combobox', { name: 'Student' }).locator('option:checked')).toHaveText(
    'Aiko Tanabe',
  )
  await expect(page.getByLabel(/^Date/)).toHaveValue(yesterday)
  await page.getByLabel('Duration (hours)').fill('1.25')
  await page.getByRole('button', { name: 'Add Session' }).click()
  // The message of the first class may still be there.
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Session added successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Did this class happen?' })).toBeHidden()

  await page.goto(`/summary?month=${yesterday.slice(0, 7)}`)
  await expect(page.getByRole('definition').first()).toHaveText('2')
  await expect(page.getByRole('definition').nth(2)).toHaveText('$90.00')
})

test("a new schedule starts with the day, time and length of the student's last class, until something else is typed", async ({
  page,
}) => {
  await arrive(page)
  const { log } = await mayaWithIngrid(page)
  const theo = await post(page, 'students', { name: 'Theo' })
  await log({ date: await dayFromToday(page, -9), duration: 2 })
  const last = await dayFromToday(page, -2)
  await log({ date: last, duration: 1.5, start_time: '16:30' })
  await log({ date: await dayFromToday(page, -3), student_id: theo.id })
  await page.goto('/schedules')
  await page.getByRole('button', { name: 'Create Schedule' }).click()
  const form = page.getByRole('dialog', { name: 'Create Schedule' })
  await expect(form.getByRole('radio', { checked: true })).toHaveCount(1)
  await form.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Maya' })
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(last),
  )
  await expect(form.getByRole('checkbox', { name: weekday })).toBeChecked()
  await expect(form.getByLabel('Start time')).toHaveValue('16:30')
  await expect(form.getByLabel('Duration (hours)')).toHaveValue('1.5')
  await form.getByLabel('Duration (hours)').fill('2')
  await form.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Theo' })
  await expect(form.getByRole('checkbox', { name: weekday })).not.toBeChecked()
  await expect(form.getByLabel('Start time')).toHaveValue('')
  await expect(form.getByLabel('Duration (hours)')).toHaveValue('2')
})

test('a parent logs a class with one tap, and undoes it if that was a mistake', async ({ page }) => {
  await arrive(page)
  const { who } = await mayaWithIngrid(page)
  const yesterday = await dayFromToday(page, -1)
  await post(page, 'schedules', {
    ...who,
    day_of_week: new Date(yesterday).getUTCDay(),
    start_time: '16:30',
    duration: 1.5,
    start_date: yesterday,
  })
  await page.reload()
  await page.getByRole('button', { name: /^Yes, Maya/ }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  const recent = page.locator('section', { has: page.getByRole('heading', { name: 'Recent Sessions' }) })
  await expect(recent.getByText('$67.50')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: /^Yes, Maya/ })).toBeVisible()
  await expect(page.getByText('$67.50')).toHaveCount(0)
})

test('a deleted schedule comes back with Undo; a class is moved and canceled in the week and month views', async ({
  page,
}) => {
  await arrive(page)
  const { who, today } = await mayaWithIngrid(page, { child: 'Theo', tutor: 'Samuel' })
  await post(page, 'schedules', {
    ...who,
    day_of_week: new Date(today).getUTCDay(),
    start_time: '23:30',
    duration: 1,
    start_date: today,
  })
  await page.goto('/schedules')
  await page.getByRole('button', { name: 'Delete schedule for Theo' }).click()
  await expect(page.getByText('Schedule deleted successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No schedules yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Theo' })).toBeVisible()

  await page.getByRole('tab', { name: 'Week' }).click()
  await page.getByRole('button', { name: /^Theo/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Theo' })
  await dialog.getByRole('button', { name: 'Move this class' }).click()
  await dialog.getByLabel('Start time').fill('23:59')
  await dialog.getByRole('button', { name: 'Move this class' }).click()
  await expect(page.getByText('Class moved')).toBeVisible()
  await expect(page.getByText('11:59 PM, 1 h, General Tutoring with Samuel')).toBeVisible()

  await page.getByRole('tab', { name: 'Month' }).click()
  const chosen = page.locator('button[aria-current="date"]')
  await expect(chosen).toHaveAccessibleName(/, 1 class$/)
  await page.getByRole('button', { name: /^Theo/ }).click()
  await page.getByRole('dialog', { name: 'Theo' }).getByRole('button', { name: 'Cancel this class' }).click()
  await expect(page.getByRole('button', { name: /^No-show/ })).toBeHidden()
  await page.getByRole('button', { name: /^Canceled in time/ }).click()
  await expect(page.getByText('Canceled in time').first()).toBeVisible()
  await expect(chosen).toHaveAccessibleName(/, no classes, 1 canceled$/)
  await chosen.press('ArrowDown')
  await expect(page.locator('button[aria-pressed="true"]')).toBeFocused()
  await expect(page.locator('button[aria-pressed="true"]')).toHaveAccessibleName(/, 1 class$/)
})

test('a family creates two weekly classes at once, each at its time, and undoes that', async ({ page }) => {
  await arrive(page)
  await mayaWithIngrid(page, { child: 'Maya Whitfield', tutor: 'Ingrid Lindqvist' })
  await page.goto('/schedules?new')
  const form = page.getByRole('dialog', { name: 'Create Schedule' })
  const chosen = (label: string) => form.getByRole('combobox', { name: label }).locator('option:checked')
  await expect(chosen('Student')).toHaveText('Maya Whitfield')
  await expect(chosen('Tutor')).toHaveText('Ingrid Lindqvist')
  await form.getByText('Thu', { exact: true }).click()
  await form.getByText('Tue', { exact: true }).click()
  await form.getByRole('button', { name: 'Create Schedule' }).click()
  await expect(form.getByText('Please enter start time')).toBeVisible()
  await form.getByLabel('Start time, Tue').fill('16:30')
  await expect(form.getByText('Please enter start time')).toBeHidden()
  await form.getByLabel('Start time, Tue').blur()
  await expect(form.getByLabel('Start time, Thu')).toHaveValue('16:30')
  await form.getByLabel('Start time, Thu').fill('17:00')
  await page.reload()
  await page.getByRole('button', { name: 'Create Schedule' }).first().click()
  await expect(form.getByLabel('Start time, Thu'), 'what was typed is kept').toHaveValue('17:00')
  await form.getByRole('button', { name: 'Create Schedule' }).dblclick()
  await expect(page.getByText('2 schedules created successfully')).toBeVisible()
  const cards = page.getByRole('tabpanel').getByText(/ at \d/)
  await expect(cards).toHaveText(['Tuesday at 4:30 PM, 1 h', 'Thursday at 5:00 PM, 1 h'])
  await page.getByRole('button', { name: 'Edit schedule for Maya Whitfield' }).last().click()
  const edited = page.getByRole('dialog', { name: 'Edit Schedule' })
  await edited.getByText('Mon', { exact: true }).click()
  await expect(edited.getByRole('radio', { name: 'Thursday' })).not.toBeChecked()
  await edited.getByRole('button', { name: 'Update Schedule' }).click()
  await expect(page.getByText('Schedule updated successfully')).toBeVisible()
  await expect(cards, 'in the order of the week').toHaveText([
    'Monday at 5:00 PM, 1 h',
    'Tuesday at 4:30 PM, 1 h',
  ])

  await page.getByRole('button', { name: 'Create Schedule' }).click()
  for (const day of ['Wed', 'Fri', 'Sat']) await form.getByText(day, { exact: true }).click()
  await form.getByText('Fri', { exact: true }).click()
  await form.getByLabel('Start time, Wed').fill('09:00')
  await form.getByRole('button', { name: 'Create Schedule' }).click()
  await expect(page.getByText('2 schedules created successfully')).toBeVisible()
  await expect(cards).toHaveCount(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards).toHaveText(['Monday at 5:00 PM, 1 h', 'Tuesday at 4:30 PM, 1 h'])
  await expect.poll(() => read(page, 'schedules')).toHaveLength(2)
})

const EIGHT = ['Aiko', 'Ben', 'Chloe', 'Dov', 'Emil', 'Fatima', 'Goran', 'Hana']

test('weekly classes of eight students take twenty taps', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await arrive(page, 'Tutor')
  for (const name of EIGHT) await post(page, 'students', { name })
  await page.reload()
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Create Schedule' }).click()
  const form = page.getByRole('dialog', { name: 'Create Schedule' })
  const student = form.getByRole('combobox', { name: 'Student' })
  await student.selectOption({ label: 'Aiko' })
  for (const [at, name] of EIGHT.entries()) {
    await expect(student.locator('option:checked')).toHaveText(name)
    await expect(form.getByRole('checkbox', { checked: true })).toHaveCount(0)
    if (at > 0) await expect(form.getByRole('checkbox', { name: 'Sunday' })).toBeFocused()
    if (at > 0) await expect(form.getByLabel('Start time')).toHaveValue(`${14 + Math.floor((at - 1) / 2)}:30`)
    await form.getByText(at % 2 ? 'Thu' : 'Mon', { exact: true }).click()
    await form.getByLabel('Start time').fill(`${14 + Math.floor(at / 2)}:30`)
    const next = EIGHT[at + 1]
    await form
      .getByRole('button', { name: next ? `Create and continue with ${next}` : 'Create Schedule' })
      .click()
    if (next) await expect(page.getByText(`Next: ${next}`)).toBeVisible()
  }
  await expect(form).toBeHidden()
  taps.expectAtMost('weekly classes of eight students')
  await expect(page.getByRole('tabpanel').getByRole('heading', { level: 2 })).toHaveText(
    ['Aiko', 'Chloe', 'Emil', 'Goran', 'Ben', 'Dov', 'Fatima', 'Hana'].concat('Add to your calendar'),
  )
  await page.getByRole('button', { name: 'Create Schedule' }).click()
  await student.selectOption({ label: 'Aiko' })
  await expect(form.getByRole('button', { name: /^Create and continue/ }), 'all have theirs').toBeHidden()
})

test('on a desktop the week starts with today, in columns with hours, and a class opens with a key', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  const today = await dayFromToday(page, 0)
  const start_date = await dayFromToday(page, -7)
  const add = async (name: string, days: number, start_time: string, duration = 1) =>
    post(page, 'schedules', {
      student_id: (await post(page, 'students', { name })).id,
      tutor_id: self?.id,
      day_of_week: (new Date(today).getUTCDay() + days) % 7,
      start_time,
      duration,
      start_date,
    })
  await add('Łukasz Żółć', 1, '16:00')
  await add('김하늘', 1, '16:30', 0.5)
  await add('שירה כהן', 1, '17:00')
  await add('Late Owl', 6, '23:30')
  await page.goto('/schedules?view=week')
  const days = page.locator('ol > li')
  await expect(days).toHaveCount(7)
  await expect(days.first()).toHaveAttribute('data-day', today)
  await expect(days.first().getByRole('heading')).toHaveAttribute('aria-current', 'date')
  const tomorrow = page.getByRole('list', { name: await wordsOf(page, 1) })
  await expect(tomorrow.getByRole('button')).toHaveCount(3)
  await expect(tomorrow.getByRole('button').first()).toHaveAccessibleName(
    /^Łukasz Żółć, 4:00 PM, 1 h, .*General Tutoring/,
  )
  await settled(page)
  const box = async (name: string) => (await page.getByRole('button', { name }).boundingBox())!
  const [first, beside, after, late] = [
    await box('Łukasz Żółć'),
    await box('김하늘'),
    await box('שירה כהן'),
    await box('Late Owl'),
  ]
  expect(beside.x, 'classes at the same time are next to each other').toBeGreaterThan(
    first.x + first.width - 1,
  )
  expect(after.width).toBeGreaterThan(first.width * 1.8)
  expect(after.y, 'half an hour is half as high').toBeCloseTo(beside.y + beside.height + 2, 0)
  expect(Math.min(beside.height, late.height)).toBeGreaterThanOrEqual(41)
  expect(late.y).toBeGreaterThan(after.y)
  await expect(
    page
      .getByRole('list', { name: await wordsOf(page, 6) })
      .getByRole('button', { name: /^Late Owl, 11:30 PM/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Late Owl/ }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Late Owl' })
    .getByRole('button', { name: 'Cancel this class' })
    .click()
  await page.getByRole('button', { name: /^Canceled late/ }).click()
  await expect(page.getByRole('button', { name: /^Late Owl.*, Canceled late$/ })).toBeFocused()
  await page.getByRole('button', { name: 'Previous week' }).click()
  await expect(days.first()).toHaveAttribute('data-day', start_date)
  await expect(page.getByRole('button', { name: /^Łukasz.*, Unanswered$/ })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await expect(days).toHaveCount(7)
  await expect(days.first().getByRole('heading')).toHaveAttribute('aria-current', 'date')
  await expect(days.nth(1).getByRole('button', { name: /^שירה כהן/ })).toBeVisible()
})

test('a month whose classes didn’t load says so, and doesn’t say that a day has none', async ({ page }) => {
  await hearNothing(page)
  await arrive(page)
  await teachOnTuesdays(page, await dayFromToday(page, 60))
  await page.route(/\/api\/v1\/occurrences/, failOnServer)
  await page.goto('/schedules?view=month')
  const today = page.locator('button[aria-current="date"]')
  await expect(page.getByRole('heading', { name: 'Your classes didn’t load' })).toBeVisible()
  await expect(today).toHaveAccessibleName(/\d$/)
  await expect(page.getByText('No classes on this day.')).toHaveCount(0)
  await page.unroute(/\/api\/v1\/occurrences/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(today).toHaveAccessibleName(/, no classes$/)
  await expect(page.getByText('No classes on this day.')).toBeVisible()
})

test('the calendar link is shown once, works without signing in, and ends', async ({ page, playwright }) => {
  await arrive(page)
  await teachOnTuesdays(page, '2026-11-01')
  await page.goto('/schedules')
  await page.getByRole('button', { name: 'Get a calendar link' }).click()
  const field = page.getByLabel('Calendar link')
  await expect(field).toHaveValue(/\.ics$/)
  const link = await field.inputValue()
  await expect(page.getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', /^webcal:\/\//)
  const stranger = await playwright.request.newContext()
  expect(await (await stranger.get(link)).text()).toContain('SUMMARY:Maya: General Tutoring')
  await page.reload()
  await expect(page.getByText("For your security, it won't be shown again.")).toBeVisible()
  await page.getByRole('button', { name: 'Delete the link' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the link' }).click()
  await expect(page.getByRole('button', { name: 'Get a calendar link' })).toBeVisible()
  expect((await stranger.get(link)).status()).toBe(404)
})
