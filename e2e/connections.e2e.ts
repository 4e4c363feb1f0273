// Connections: a session logged by a family or its tutor shows up in both logs right away. When the
// connection ends, each side keeps a copy.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected, lastMonth, mayaWithIngrid, twoSides } from './pairs.ts'
import { arrive } from './people.ts'
import { accept, dayFromToday, post, read, send, watch } from './screens.ts'

const lines = (page: Page, words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })

/** The figure that opens Payments. */
const owes = (page: Page, amount: string) =>
  page.getByRole('region', { name: new RegExp(`^(You owe|You’re owed) \\${amount}$`) })

const openMore = (page: Page) => page.getByRole('button', { name: 'More for Ingrid Lindqvist' }).click()

/** Responds to the dialog that asks for confirmation before an action that can't be undone. */
async function answer(page: Page, title: string, yes: string): Promise<void> {
  await page.getByRole('alertdialog', { name: title }).getByRole('button', { name: yes, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
}

test('a request is withdrawn by the side that sent it, and only an accepted connection can be ended', async ({
  page,
  browser,
}) => {
  const { family, tutor, log, connect } = await twoSides(page, browser)
  await log()
  await connect()
  await family.goto('/tutors')
  await expect(family.getByText('Request sent, no answer yet').first()).toBeVisible()
  await openMore(family)
  await expect(family.getByRole('menuitem', { name: /^End/ })).toHaveCount(0)
  await family.getByRole('menuitem', { name: 'Withdraw request' }).click()
  const dialog = family.getByRole('alertdialog', { name: 'Withdraw this request?' })
  await dialog.getByRole('button', { name: 'Withdraw request' }).click()
  await expect(family.getByText('Request withdrawn')).toBeVisible()
  await openMore(family)
  await family.getByRole('menuitem', { name: 'Ask again' }).click()
  await family.getByLabel('How should Ingrid Lindqvist see you?').fill('Ann')
  await family.getByRole('button', { name: 'Send request' }).click()
  await expect(family.getByText('Request sent', { exact: true })).toBeVisible()
  await tutor.goto('/dashboard')
  await tutor.getByRole('button', { name: 'Decline' }).click()
  const question = tutor.getByRole('alertdialog', { name: 'Decline this request?' })
  await expect(
    question.getByText('They can see that you declined, and they can ask again later.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await tutor.getByRole('button', { name: 'Decline' }).click()
  await question.getByRole('button', { name: 'Decline' }).click()
  await expect(tutor.getByText('Declined', { exact: true })).toBeVisible()
  await family.reload()
  await openMore(family)
  await family.getByRole('menuitem', { name: 'Ask again' }).click()
  await family.getByRole('button', { name: 'Send request' }).click()
  await expect(family.getByText('Request sent', { exact: true })).toBeVisible()
  await accept(tutor, {})
  await family.reload()
  await openMore(family)
  await expect(family.getByRole('menuitem', { name: 'End connection' })).toBeVisible()
})

test("a tutor's summary shows the family's session at once, both read Agreed after confirming, and both keep the month after ending", async ({
  page,
  browser,
}) => {
  const { family, tutor, log } = await connected(page, browser)
  await watch(tutor, '/summary')
  await expect(tutor.getByText('No sessions found for this month')).toBeVisible()
  await log({ duration: 1.5, subject: 'Algebra II', notes: 'Forgot the homework' })
  await expect(tutor.getByText('$67.50 waiting')).toBeVisible()
  await expect(lines(tutor, 'Waiting for you')).toBeVisible()
  await watch(family, '/summary')
  await expect(lines(family, 'Waiting for tutor')).toBeVisible()
  // The family has the sheet open when the tutor answers, so the answer appears there.
  await family.getByRole('link', { name: /^Maya/ }).click()
  const sheet = family.getByRole('dialog', { name: /^Maya/ })
  await expect(sheet.getByRole('listitem')).toHaveText([
    'You Confirmed',
    /Ingrid Lindqvist Not confirmed yet/,
  ])

  await tutor.getByRole('button', { name: /^Edit session, Maya/ }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Edit Session' })
  await expect(dialog.getByLabel('Notes')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(tutor.getByText('Session confirmed')).toBeVisible()
  await expect(lines(tutor, /Agreed/)).toBeVisible()
  await expect(tutor.getByText('$67.50 agreed')).toBeVisible()
  await expect(sheet.getByRole('listitem')).toHaveText(['You Confirmed', /Ingrid Lindqvist Confirmed/])
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(lines(family, /Agreed/)).toBeVisible()

  await family.goto('/tutors')
  await openMore(family)
  await family.getByRole('menuitem', { name: 'End connection' }).click()
  await expect(family.getByText(/Each of you keeps a copy of every session you shared/)).toBeVisible()
  await family.getByRole('button', { name: 'End connection', exact: true }).click()
  await expect(family.getByText('Connection ended')).toBeVisible()
  for (const side of [family, tutor]) {
    await side.goto('/summary')
    await expect(side.getByText('$67.50 agreed')).toBeVisible()
    await expect(lines(side, /Agreed/)).toBeVisible()
  }
  // From now on, each side's changes affect only its own copy.
  await family.getByRole('button', { name: /^Edit session, Maya/ }).click()
  await family.getByRole('button', { name: 'Delete session' }).click()
  await expect(family.getByText('Session deleted successfully')).toBeVisible()
  await family.getByRole('button', { name: 'Dismiss' }).click()
  await tutor.reload()
  await expect(tutor.getByText('$67.50 agreed')).toBeVisible()
  await tutor.context().close()
})

test('the tutor writes homework, the family confirms with a summary, and both see both before the next class', async ({
  page,
  browser,
}) => {
  const { family, tutor, own } = await connected(page, browser)
  await tutor.goto('/add-session')
  await tutor.getByLabel('Student').selectOption({ label: 'Maya' })
  await tutor.getByText('More', { exact: true }).click()
  await tutor.getByLabel('Start time').fill('16:00')
  await tutor.getByLabel('Homework').fill('Page 84, 3 to 9')
  await tutor.getByLabel('Notes').fill('Tired today')
  await expect(tutor.getByText('Only your practice can see this')).toBeVisible()
  await tutor.getByRole('button', { name: 'Add Session' }).click()
  await expect(tutor.getByText('Session added successfully')).toBeVisible()

  await family.goto('/dashboard')
  const waiting = family.locator('#to-confirm').getByRole('listitem')
  await expect(waiting).toContainText('4:00 PM')
  await expect(waiting).toContainText('Homework: Page 84, 3 to 9')
  await expect(waiting).not.toContainText('Tired')
  await family.getByRole('button', { name: /^Edit summary, Maya/ }).click()
  const dialog = family.getByRole('dialog', { name: 'Lesson summary' })
  await expect(dialog.getByLabel('Homework')).toHaveValue('Page 84, 3 to 9')
  await dialog.getByLabel('Lesson summary').fill('Adding fractions')
  await dialog.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(family.getByText('Session confirmed')).toBeVisible()

  await tutor.goto('/summary')
  await lines(tutor, /Agreed/)
    .getByRole('link', { name: /^Maya/ })
    .click()
  await expect(tutor.getByRole('dialog').getByText('Adding fractions')).toBeVisible()
  const next = await dayFromToday(tutor, 7)
  await post(tutor, 'schedules', {
    ...own,
    day_of_week: new Date(`${next}T12:00:00Z`).getUTCDay(),
    start_time: '16:00',
    duration: 1,
    frequency: 'weekly',
    start_date: next,
  })
  await tutor.goto('/dashboard')
  const upcoming = tutor.getByRole('listitem').filter({ hasText: 'Last time: Adding fractions' })
  await expect(upcoming).toContainText('Homework: Page 84, 3 to 9')
  await tutor.context().close()
})

test('what a connected tutor logs appears in the family’s log at once as waiting, and reads Agreed for both once confirmed', async ({
  page,
  browser,
}) => {
  const { family, tutor } = await connected(page, browser)
  await watch(family, '/dashboard')
  await tutor.goto('/add-session')
  await tutor.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Maya' })
  await tutor.getByRole('button', { name: 'Add Session' }).click()
  await expect(tutor.getByText('Session added successfully')).toBeVisible()
  await watch(tutor, '/summary')
  await expect(lines(tutor, 'Waiting for the family')).toBeVisible()

  await expect(family.getByRole('heading', { name: 'Sessions to confirm' })).toBeVisible()
  await expect(family.getByText('1 h, $45.00/h')).toBeVisible()
  await family.getByRole('button', { name: /^Confirm, Maya Whitfield/ }).click()
  await expect(family.getByText('Session confirmed')).toBeVisible()
  // One "Agreed" is in the row that was just answered; the other is in the latest sessions.
  await expect(lines(family, /Agreed/)).toHaveCount(2)
  await expect(lines(tutor, /Agreed/)).toBeVisible()

  await family
    .getByRole('link', { name: 'Monthly Summary' })
    .or(family.getByRole('link', { name: 'Summary', exact: true }))
    .first()
    .click()
  await family.getByRole('button', { name: /^Edit session, Maya/ }).click()
  await family.getByText('History', { exact: true }).click()
  await expect(family.getByRole('listitem').filter({ hasText: 'Ingrid Lindqvist logged it' })).toBeVisible()
  await expect(family.getByRole('listitem').filter({ hasText: 'You confirmed it' })).toBeVisible()
  await tutor.context().close()
})

test('a family sends a session back, and the tutor answers or corrects it', async ({ page, browser }) => {
  const { family, tutor, own, today } = await connected(page, browser)
  await post(tutor, 'sessions', { ...own, date: today, duration: 2 })
  await watch(family, '/to-confirm')
  await family.getByRole('checkbox', { name: /Maya/ }).uncheck()
  await family.getByLabel('Note to Ingrid Lindqvist').fill('It was an hour')
  await family.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(family.getByText('You said not right')).toBeVisible()

  await tutor.goto('/dashboard')
  await expect(tutor.getByRole('heading', { name: 'Marked not right by a family' })).toBeVisible()
  await tutor.getByRole('button', { name: /^Edit session, Maya/ }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Edit Session' })
  await expect(dialog.getByText('The family sent this back')).toBeVisible()
  await dialog.getByLabel('Duration (hours)').fill('1')
  await expect(dialog.getByText('The family will be asked to confirm the change.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Update Session' }).click()
  await family.getByRole('button', { name: 'Confirm 1 session, $45.00' }).click()
  await expect(lines(family, /Agreed/)).toBeVisible()
  await tutor.context().close()
})

test('a session that was sent back stays out of the total after the end, until one tap counts it', async ({
  page,
  browser,
}) => {
  const { family, tutor, log, connection } = await connected(page, browser)
  const { id } = await log()
  await send(tutor, 'post', `sessions/${id}/dispute`, { note: 'Nobody came' })
  await send(family, 'delete', `connections/${connection}`, {})
  await family.goto('/summary')
  await expect(family.getByText(/^It doesn’t count, because one side said it wasn’t right/)).toBeVisible()
  await expect(family.getByText('“Nobody came”')).toBeVisible()
  await expect(family.getByText('$45.00 not right')).toBeVisible()
  await family.getByRole('button', { name: /^Count it, Maya Whitfield/ }).click()
  await expect(family.getByText('Session counted')).toBeVisible()
  await expect(family.getByText(/^It doesn’t count/)).toHaveCount(0)
  await expect(family.getByText('$45.00 not right')).toHaveCount(0)
  await tutor.context().close()
})

test('a lesson that is moved to a student of two families asks which one, and says what a change does after that family left', async ({
  page: mother,
  browser,
}) => {
  const { email, tutor, own, today, connection } = await connected(mother, browser, {
    full_name: 'Ann Whitfield',
  })
  const father = await browser.newPage()
  await arrive(father)
  await send(father, 'patch', 'me', { full_name: 'Tom Whitfield' })
  const { who, log } = await mayaWithIngrid(father, { email })
  await log()
  await post(father, 'connections', { tutor_id: who.tutor_id })
  await accept(tutor, { Maya: own.student_id })
  const leo = await post(tutor, 'students', { name: 'Leo' })
  const lesson = await post(tutor, 'sessions', { ...own, student_id: leo.id, date: today, duration: 1.5 })

  await tutor.goto('/summary')
  const edit = tutor.getByRole('dialog', { name: 'Edit Session' })
  const update = edit.getByRole('button', { name: 'Update Session' })
  await tutor.getByRole('button', { name: /^Edit session, Leo/ }).click()
  await expect(edit.getByLabel('Which family?')).toHaveCount(0)
  await edit.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Maya' })
  await update.click()
  await expect(edit.getByText('Choose the family for this lesson')).toBeVisible()
  await edit.getByLabel('Which family?').selectOption({ label: 'Ann Whitfield' })
  await update.click()
  await expect(tutor.getByText('Session updated successfully')).toBeVisible()

  await send(mother, 'post', `sessions/${lesson.id}/confirm`, {})
  await send(mother, 'delete', `connections/${connection}`, {})
  await tutor.reload()
  await lines(tutor, /Agreed/)
    .getByRole('button', { name: /^Edit session, Maya/ })
    .click()
  const notice = edit.getByText('The family confirmed this session as it was. Once you change it, it')
  await expect(edit.getByText('Agreed').first()).toBeVisible()
  await expect(notice).toHaveCount(0)
  await edit.getByLabel('Duration (hours)').fill('2')
  await expect(notice).toBeVisible()
  await father.context().close()
  await tutor.context().close()
})

test('logging a lesson on a day when the other side logged one asks whether it is the same, and loses nothing', async ({
  page,
  browser,
}) => {
  const { family, tutor, log } = await connected(page, browser)
  await log({ duration: 1.5 })
  const logByTutor = async (hours: string) => {
    await tutor.goto('/add-session')
    await tutor.getByRole('combobox', { name: 'Student' }).selectOption({ label: 'Maya' })
    await tutor.getByLabel('Duration (hours)').fill(hours)
    await tutor.getByLabel('Notes').fill('My own notes')
    await tutor.getByRole('button', { name: 'Add Session' }).click()
    await expect(tutor.getByRole('group', { name: 'Same lesson?' })).toBeVisible()
  }
  await logByTutor('1')
  const question = tutor.getByRole('group', { name: 'Same lesson?' })
  await expect(question.getByText('Maya, 1.5 h, $45.00/h')).toBeVisible()
  await expect(tutor.getByLabel('Notes')).toHaveValue('My own notes')
  await question.getByRole('button', { name: 'Yes, as the family logged it' }).click()
  await expect(tutor.getByText('Session confirmed')).toBeVisible()
  await expect(tutor).toHaveURL(/\/dashboard$/)
  const sessions = async (side: Page) =>
    (
      await read<{ sessions: { duration: number; verified_by_tutor: boolean; notes: string | null }[] }>(
        side,
        'sessions',
      )
    ).sessions.map(({ duration, verified_by_tutor: isVerified, notes }) => [duration, isVerified, notes])
  expect(await sessions(tutor)).toEqual([[1.5, true, 'My own notes']])
  expect(await sessions(family)).toEqual([[1.5, true, null]])

  await log({ duration: 2, is_another: true })
  await logByTutor('1')
  await question.getByRole('button', { name: 'No, log another' }).click()
  await expect(tutor.getByText('Session added successfully')).toBeVisible()
  expect((await sessions(family)).length).toBe(3)
  await tutor.context().close()
})

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })

  test('D13: a lesson logged offline that the other side has logged too waits under Same lessons?, and is never lost', async ({
    page,
    browser,
    context,
  }) => {
    const { family, tutor, own, today } = await connected(page, browser)
    await family.goto('/add-session')
    await family.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya Whitfield' })
    await family.getByLabel('Subject').fill('Geometry')
    await context.setOffline(true)
    await family.getByRole('button', { name: 'Add Session' }).click()
    await expect(family.getByText('Waiting to be sent', { exact: true }).first()).toBeVisible()
    await post(tutor, 'sessions', { ...own, date: today, duration: 1 })
    await context.setOffline(false)
    await expect(family.getByText('1 session may be logged twice')).toBeVisible()
    await family.goto('/payments')
    await expect(family.getByText('1 session is in no balance yet')).toBeVisible()
    await family.goto('/summary')
    await expect(family.getByText('1 session is not in the totals yet')).toBeVisible()
    await family.getByRole('link', { name: 'Same lessons?', exact: true }).click()
    await expect(
      family.getByText('Your entry won’t count toward any total until one of you answers'),
    ).toBeVisible()
    await family.getByRole('button', { name: /^Same lesson, Maya/ }).click()
    await answer(family, 'Save as one lesson?', 'Same lesson')
    await expect(family.getByText('Nothing to compare')).toBeVisible()
    const { sessions } = await read<{ sessions: { subject: string; verified_by_tutor: boolean }[] }>(
      family,
      'sessions',
    )
    expect(sessions.map(({ subject, verified_by_tutor: is }) => [subject, is])).toEqual([['Geometry', true]])
    await tutor.context().close()
  })
})

test("a tutor of two children called Maya sees which family a session to confirm is with, even if there's only one", async ({
  page,
  browser,
}) => {
  const { email, tutor, log } = await connected(page, browser, { full_name: 'Ana Whitfield' })
  const neighbor = await browser.newPage()
  await arrive(neighbor)
  const { who } = await mayaWithIngrid(neighbor, { child: 'Maya Lee', email })
  await post(neighbor, 'connections', { tutor_id: who.tutor_id })
  await accept(tutor)
  await log()
  await tutor.goto('/dashboard')
  await expect(lines(tutor, 'Ana Whitfield').getByRole('button', { name: /^Confirm, Maya/ })).toBeVisible()
  for (const other of [neighbor, tutor]) await other.context().close()
})

test('what both sides logged before connecting is compared, one by one or all at once', async ({
  page,
  browser,
}) => {
  const { family, tutor, own, log, connect } = await twoSides(page, browser)
  const { month } = await lastMonth(page)
  for (const [day, duration] of [
    ['12', 1.5],
    ['11', 1],
    ['10', 1],
  ] as const) {
    await log({ date: `${month}-${day}`, duration })
    await post(tutor, 'sessions', { ...own, date: `${month}-${day}`, duration: 1 })
  }
  await connect()
  await tutor.goto('/dashboard')
  await tutor.getByRole('button', { name: 'Accept' }).click()
  const dialog = tutor.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: 'Maya' })).toHaveValue(own.student_id)
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(tutor.getByText('3 sessions may be logged twice.')).toBeVisible()

  await tutor.getByRole('link', { name: '3 sessions may be logged twice' }).click()
  await expect(tutor.getByRole('heading', { level: 1, name: 'Same lessons?' })).toBeVisible()
  await expect(tutor.locator('dt').filter({ hasText: 'Duration, differs' })).toHaveCount(2)
  await tutor
    .getByRole('link', { name: /^Maya, / })
    .first()
    .click()
  const sheet = tutor.getByRole('dialog', { name: /^Maya, / })
  await expect(sheet.getByText('History')).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)
  await tutor
    .getByRole('button', { name: /^Two lessons, Maya/ })
    .first()
    .click()
  await answer(tutor, 'Save as two lessons?', 'Two lessons')
  await expect(tutor.getByText('Two lessons', { exact: true }).first()).toBeVisible()
  await expect(
    tutor.getByRole('listitem').filter({ hasText: 'Date, duration and price are the same' }),
  ).toHaveCount(2)

  await family.goto('/tutors')
  await family.getByRole('link', { name: '2 sessions may be logged twice' }).first().click()
  await family.getByRole('button', { name: 'Merge all (2)' }).click()
  await answer(family, 'Save 2 pairs as one lesson each?', 'Merge all')
  await expect(family.getByRole('heading', { name: 'Nothing to compare' })).toBeVisible()
  await family.goto(`/summary?month=${month}`)
  await expect(lines(family, /Agreed/)).toHaveCount(2)
  await tutor.context().close()
})

test('children with the same first name are never matched by a guess, and the tutor can correct a match', async ({
  page,
  browser,
}) => {
  const { family, tutor, own, log, connect } = await twoSides(page, browser)
  const other = await post(family, 'students', { name: 'Maya Other' })
  await log()
  await log({ student_id: other.id })
  await connect()
  await tutor.goto('/to-confirm')
  await tutor.getByRole('button', { name: 'Accept' }).click()
  const dialog = tutor.getByRole('dialog')
  const choices = dialog.getByRole('combobox', { name: 'Maya' })
  await expect(choices).toHaveCount(2)
  for (const which of [0, 1]) await expect(choices.nth(which)).toHaveValue('')
  for (const which of [0, 1]) await choices.nth(which).selectOption(own.student_id)
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(dialog.getByText('Two children can’t be the same student').first()).toBeVisible()
  await choices.nth(1).selectOption('')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(tutor.getByRole('heading', { name: 'Connected families' })).toBeVisible()
  expect((await read<object[]>(tutor, 'students')).length).toBe(2)
  await tutor.getByRole('button', { name: /’s students$/ }).click()
  await expect(choices).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(tutor.getByText('Students saved')).toBeVisible()
  await tutor.context().close()
})

test('a session that the other side confirmed is deleted only when it agrees', async ({ page, browser }) => {
  const { family, tutor, log } = await connected(page, browser)
  const session = await log()
  await send(tutor, 'post', `sessions/${session.id}/confirm`, {})
  const askToDelete = async () => {
    await watch(family, '/summary')
    await family.getByRole('button', { name: /^Edit session, Maya/ }).click()
    await family.getByRole('button', { name: 'Ask Ingrid Lindqvist to delete it' }).click()
    await expect(
      family.getByRole('alertdialog', { name: /^Ask Ingrid Lindqvist to delete .*, \$45\.00\?$/ }),
    ).toBeVisible()
    await family.getByRole('button', { name: 'Ask Ingrid Lindqvist', exact: true }).click()
    await expect(family.getByText('Deletion requested', { exact: true })).toBeVisible()
    await expect(family.getByText('It stays in both logs until Ingrid Lindqvist agrees.')).toBeVisible()
    await family.getByRole('button', { name: 'Dismiss' }).click()
  }
  await askToDelete()
  await expect(lines(family, 'You asked to delete it')).toBeVisible()
  await watch(tutor, '/to-confirm')
  await expect(tutor.getByText(/asked to delete it$/)).toBeVisible()
  await tutor.getByRole('button', { name: /^Keep it, Maya/ }).click()
  await expect(tutor.getByText('Session kept')).toBeVisible()
  await expect(lines(family, /Agreed/)).toBeVisible()

  await askToDelete()
  await family
    .getByRole('button', { name: /^Keep it after all/ })
    .first()
    .click()
  await expect(family.getByText('Session kept')).toBeVisible()
  await expect(tutor.getByRole('button', { name: /^Agree to delete, Maya/ })).toHaveCount(0)
  await askToDelete()
  await tutor.getByRole('button', { name: /^Agree to delete, Maya/ }).click()
  await answer(tutor, 'Agree to delete', 'Delete')
  await expect(tutor.getByText('Session deleted successfully')).toBeVisible()
  await family.goto('/summary')
  await expect(family.getByText('No sessions found for this month')).toBeVisible()
  await tutor.context().close()
})

test('what the family marks as paid is on its way until the tutor taps Received, and a changed amount is asked about again', async ({
  page,
  browser,
}) => {
  const { family, tutor, today, log } = await connected(page, browser)
  await log({ duration: 3 })
  await watch(tutor, '/to-confirm')
  await family.goto('/summary')
  await family.getByRole('button', { name: 'Mark as paid, Ingrid Lindqvist' }).click()
  const dialog = family.getByRole('dialog', { name: 'Record a payment' })
  await expect(dialog.getByLabel('Amount ($)')).toHaveValue('135.00')
  await expect(dialog.getByLabel('Date')).toHaveValue(today)
  await expect(dialog.getByText('It counts once Ingrid Lindqvist confirms it.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add Payment' }).click()
  await expect(family.getByText('Payment added successfully')).toBeVisible()
  const open = family.getByRole('region', { name: 'You owe $135.00', exact: true })
  await expect(open.getByText('$135.00 on its way')).toBeVisible()
  await expect(open.getByRole('button', { name: /Mark as paid/ })).toBeHidden()

  const asked = tutor.getByRole('region', { name: 'Payments to confirm' })
  await expect(asked.getByText('Received?', { exact: true })).toBeVisible()
  await asked.getByRole('button', { name: /^Received, \$135\.00/ }).click()
  await expect(asked.getByText('Confirmed', { exact: true })).toBeVisible()

  for (const side of [family, tutor]) {
    await watch(side, '/payments')
    await expect(side.getByRole('heading', { name: 'Nothing owed' })).toBeVisible()
    await expect(side.getByText(/^\$135\.00 in \w+ − \$135\.00 paid$/)).toBeVisible()
  }
  await family.getByRole('button', { name: /^Edit payment, \$135\.00/ }).click()
  const edit = family.getByRole('dialog', { name: 'Edit Payment' })
  await edit.getByLabel('Amount ($)').fill('120')
  await expect(edit.getByText('Ingrid Lindqvist will be asked to confirm the change.')).toBeVisible()
  await edit.getByRole('button', { name: 'Update Payment' }).click()
  await expect(family.getByText('Payment updated successfully')).toBeVisible()
  await expect(asked.getByText('Received?', { exact: true })).toBeVisible()
  for (const side of [family, tutor]) {
    await expect(side.getByRole('heading', { name: /owed? \$135\.00$/ })).toBeVisible()
    await expect(side.getByText('$120.00 on its way')).toBeVisible()
  }

  await asked.getByRole('button', { name: /^Not received, \$120\.00/ }).click()
  const note = tutor.getByRole('dialog', { name: 'Not received?' })
  await note.getByRole('button', { name: 'Not received' }).click()
  await expect(note.getByText("Briefly say what isn't right")).toBeVisible()
  await note.getByLabel(/^Note to /).fill('It was 125')
  await note.getByRole('button', { name: 'Not received' }).click()
  await expect(tutor.getByText('Note sent')).toBeVisible()
  const sentBack = family.getByRole('region', { name: 'Payments that aren’t right' })
  await expect(sentBack.getByText('Not received', { exact: true })).toBeVisible()
  // The list of payments sent back and the ledger load separately. The form shows the ledger's payment.
  const ledgerLine = lines(family, 'Not received').filter({ hasText: 'Not in the balance' })
  await ledgerLine.getByRole('button', { name: /^Edit payment, \$120\.00/ }).click()
  await expect(edit.getByText('“It was 125”')).toBeVisible()
  await edit.getByLabel('Amount ($)').fill('125')
  await edit.getByRole('button', { name: 'Update Payment' }).click()
  await asked.getByRole('button', { name: /^Received, \$125\.00/ }).click()
  for (const side of [family, tutor]) await expect(owes(side, '$10.00')).toBeVisible()

  // A payment that both sides confirmed is deleted only if both agree.
  await family.getByRole('button', { name: /^Edit payment, \$125\.00/ }).click()
  await family.getByRole('button', { name: 'Delete payment' }).click()
  await expect(family.getByText('Deletion requested', { exact: true })).toBeVisible()
  await expect(lines(family, 'You asked to delete it')).toBeVisible()
  await asked.getByRole('button', { name: /^Keep it, \$125\.00/ }).click()
  await expect(tutor.getByText('Payment kept')).toBeVisible()
  await expect(lines(family, 'You asked to delete it')).toHaveCount(0)
  for (const side of [family, tutor]) await expect(owes(side, '$10.00')).toBeVisible()
  await family.getByRole('button', { name: /^Edit payment, \$125\.00/ }).click()
  await family.getByRole('button', { name: 'Delete payment' }).click()
  await asked.getByRole('button', { name: /^Delete, \$125\.00/ }).click()
  await answer(tutor, 'Agree to delete', 'Delete')
  for (const side of [family, tutor]) await expect(owes(side, '$135.00')).toBeVisible()
  await tutor.context().close()
})

test('payments from before a connection stay in your own records until you share them', async ({
  page,
  browser,
}) => {
  const { family, tutor, who, today, log, connect } = await twoSides(page, browser)
  await log({ duration: 3 })
  for (const amount of [100, 35])
    await post(family, 'payments', { tutor_id: who.tutor_id, date: today, amount })
  await connect()
  await accept(tutor)
  await family.goto('/payments')
  await expect(owes(family, '$135.00')).toBeVisible()
  await family.getByText('Only yours: 2 payments, $135.00').click()
  await family.getByRole('button', { name: /^Share, \$100\.00/ }).click()
  await answer(family, 'Share this payment?', 'Share')
  await expect(family.getByText('The tutor will be asked to confirm.')).toBeVisible()
  await expect(family.getByText('Only yours: 1 payment, $35.00')).toBeVisible()
  await expect(family.getByText('$100.00 on its way')).toBeVisible()
  await tutor.goto('/dashboard')
  await tutor.getByRole('button', { name: /^Received, \$100\.00/ }).click()
  await expect(tutor.getByText('Confirmed', { exact: true })).toBeVisible()
  await tutor.context().close()
})
