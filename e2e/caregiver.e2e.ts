// A caregiver logs one child's sessions without seeing amounts. The owner chooses which children a member
// sees.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo, someone } from './people.ts'
import { dayFromToday, post, read, send } from './screens.ts'

/** Anything that has to do with money: a currency, a rate, or one of the family's amounts. */
const MONEY = /\$|47\.31|94\.62|141\.93|\brate\b|\bpaid\b|payment|amount/i

/**
 * A family with two children, each with their own tutor. The tutors' rates don't match any other number in
 * the family's data.
 */
async function aFamily(page: Page): Promise<void> {
  await arrive(page)
  await send(page, 'patch', 'me', { full_name: 'Ana Whitfield' })
  for (const [name, tutor, subject] of [
    ['Maya', 'Ingrid Lindqvist', 'Reading'],
    ['Theo', 'Noor Haddad', 'Chess'],
  ]) {
    const child = await post(page, 'students', { name })
    const { id } = await post(page, 'tutors', { name: tutor, hourly_rate: 47.31 })
    await post(page, 'sessions', {
      student_id: child.id,
      tutor_id: id,
      date: await dayFromToday(page, -1),
      duration: 2,
      subject,
    })
    await post(page, 'schedules', {
      student_id: child.id,
      tutor_id: id,
      day_of_week: 1,
      start_time: '16:00',
      duration: 1,
      hourly_rate: 47.31,
      frequency: 'weekly',
      start_date: await dayFromToday(page, 1),
    })
  }
}

test('T1: a caregiver for one child joins from the email on a phone, logs a session, sees no amount anywhere, and is out once removed', async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const cara = someone()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Invite the other parent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite to your family' })
  await dialog.getByLabel('Email').fill(cara.email)
  await dialog.getByLabel('Role').selectOption('Caregiver')
  await expect(
    dialog.getByText('Can log and see sessions. Rates, amounts and payments stay hidden.'),
  ).toBeVisible()
  await dialog.getByLabel('Only some children').check()
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(dialog.getByText('Choose at least one')).toBeVisible()
  await dialog.getByLabel('Theo').check()
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('Invitation sent')).toBeVisible()
  const members = page.getByRole('region', { name: 'Family' })
  await expect(members.getByText(/^Caregiver, for .?Theo.?, invitation expires /)).toBeVisible()

  const phone = await browser.newPage()
  await phone.goto(linkIn((await mailTo(page, cara.email, 'invited you to their')).text))
  await expect(
    phone.getByText(
      "You'll be able to log and see sessions for some of the children. Rates, amounts and payments stay hidden.",
    ),
  ).toBeVisible()
  await phone.getByLabel('Your name').fill('Cara Bell')
  await phone.getByLabel('Choose a password').fill(cara.password)
  await phone.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'Hello, Cara' })).toBeVisible()
  await expect(phone.getByText('Chess, 2 h', { exact: true })).toBeVisible()
  await expect(phone.getByText('Reading, 2 h')).toHaveCount(0)

  await phone.getByRole('link', { name: 'Log Session', exact: true }).click()
  await expect(phone.getByLabel('Subject')).toBeVisible()
  await expect(phone.getByRole('option', { name: 'Maya' })).toHaveCount(0)
  await phone.getByLabel('Child *').selectOption('Theo')
  await phone.getByLabel('Tutor *').selectOption('Noor Haddad')
  await phone.getByLabel('Subject').fill('Openings')
  await expect(phone.locator('main')).not.toContainText(MONEY)
  await phone.getByRole('button', { name: 'Add Session' }).click()
  // The form suggests the previous lesson's duration.
  await expect(phone.getByText('Openings, 2 h')).toBeVisible()

  const [theo] = await read<{ id: string }[]>(phone, 'students')
  const [noor] = await read<{ id: string }[]>(phone, 'tutors')
  for (const [path, heading] of [
    [`/children/${theo?.id}`, 'Theo'],
    [`/tutors/${noor?.id}`, 'Noor Haddad'],
    ['/dashboard', 'Hello, Cara'],
    ['/summary', 'Sessions'],
    ['/children', 'Children'],
    ['/tutors', 'Tutors'],
    ['/schedules', 'Schedules'],
  ] as const) {
    await phone.goto(path)
    await expect(phone.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(phone.locator('main')).toContainText(path === '/tutors' ? 'Noor' : 'Theo')
    await expect(phone.locator('body'), path).not.toContainText(MONEY)
    await expect(phone.locator('body'), path).not.toContainText('Maya')
  }
  for (const path of ['/payments', '/summary/year', '/import']) {
    await phone.goto(path)
    await expect(
      phone.getByRole('heading', { level: 1, name: "You don't have permission to access this page." }),
    ).toBeVisible()
  }

  // Caregivers can change their own entry but only read the other one.
  await phone.getByRole('link', { name: 'Back to Dashboard' }).click()
  await phone.getByRole('navigation').getByRole('link', { name: 'Sessions', exact: true }).click()
  await expect(phone.getByText('Openings, 2 h', { exact: true })).toBeVisible()
  const edit = phone.getByRole('button', { name: /^Edit session/ })
  await expect(edit).toHaveCount(1)
  await edit.click()
  const session = phone.getByRole('dialog', { name: 'Edit Session' })
  await session.getByLabel('Duration (hours)').fill('3')
  await expect(session).not.toContainText(MONEY)
  await session.getByRole('button', { name: 'Update Session' }).click()
  await expect(phone.getByText('Openings, 3 h')).toBeVisible()

  await page.goto('/summary')
  await expect(page.getByText('Openings')).not.toHaveCount(0)
  await expect(page.getByText('$141.93').first()).toBeVisible()
  await page.goto('/account')
  await expect(members.getByText(/^Caregiver, for .?Theo.?, /)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Cara Bell' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Cara Bell was removed')).toBeVisible()
  await phone
    .getByRole('link', { name: 'Dashboard', exact: true })
    .click({ timeout: 3000 })
    .catch(() => undefined)
  await expect(phone.getByRole('heading', { level: 1, name: 'Who are you here as?' })).toBeVisible()
  await expect(phone.getByText('Theo')).toHaveCount(0)
  await phone.context().close()
})

test("the owner changes what a member sees, and the member's open page follows without a reload", async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const sam = someone()
  await post(page, 'members', { email: sam.email, role: 'parent' })
  const phone = await browser.newPage()
  await phone.goto(linkIn((await mailTo(page, sam.email, 'invited you to their')).text))
  await phone.getByLabel('Your name').fill('Sam Whitfield')
  await phone.getByLabel('Choose a password').fill(sam.password)
  const stream = phone.waitForRequest(/\/api\/v1\/events/)
  await phone.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(phone.getByText('Reading, 2 h', { exact: true })).toBeVisible()
  await expect(phone.getByText('$94.62').first()).toBeVisible()
  await expect(phone.getByRole('link', { name: /^Add New/ })).toHaveCount(2)
  await stream

  await page.goto('/account')
  await page.getByRole('button', { name: 'Children that Sam Whitfield sees' }).click()
  const dialog = page.getByRole('dialog', { name: 'What Sam Whitfield sees' })
  await dialog.getByLabel('Only some children').check()
  await dialog.getByLabel('Theo').check()
  const next = phone.waitForRequest(/\/api\/v1\/events/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(phone.getByText('Reading, 2 h')).toHaveCount(0)
  await expect(phone.getByText('Chess, 2 h', { exact: true })).toBeVisible()
  // Adding people is no longer possible, and neither is anything else that affects all students.
  await expect(phone.getByRole('link', { name: 'Manage Schedules' })).toBeVisible()
  await expect(phone.getByRole('link', { name: /^Add New/ })).toHaveCount(0)

  await next
  await page.getByLabel('Sam Whitfield’s role').selectOption('Caregiver')
  await expect(page.getByText('Sam Whitfield: Caregiver')).toBeVisible()
  await expect(phone.getByText('$94.62')).toHaveCount(0)
  await expect(phone.getByText('Chess, 2 h', { exact: true })).toBeVisible()
  await phone.getByText('Chess, 2 h', { exact: true }).click()
  const chess = phone.getByRole('dialog', { name: /Theo/ })
  await expect(chess.getByText('Chess', { exact: true })).toBeVisible()
  await expect(chess).not.toContainText(MONEY)
  await expect(chess.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
  await chess.getByRole('button', { name: 'Done' }).click()
  await expect(chess).toBeHidden()
  await expect(
    phone.getByRole('navigation').getByRole('link', { name: 'Sessions', exact: true }),
  ).toBeVisible()

  // The settings show only the sections that apply to this member.
  await phone.goto('/account')
  await expect(phone.getByText('Everything that belongs to your account, in one file')).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'Plan', exact: true })).toHaveCount(0)
  await expect(phone.getByLabel('Currency')).toHaveCount(0)
  await phone.context().close()
})
