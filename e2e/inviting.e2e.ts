// A tutor invites a family. The parent answers from the email without an account and, after signing up, still
// has everything.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, lastMonth, otherPhone } from './pairs.ts'
import { arrive, confirm, linkIn, mailTo, someone } from './people.ts'
import { copyOf, dayFromToday, expectLayers, faultsOf, post, read, send, watch } from './screens.ts'

/** A tutor with a payment option and a student, Maya, who had four lessons last month. */
async function aTutor(page: Page): Promise<{ month: string; name: string }> {
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  await send(page, 'put', 'payment-ways', { ways: [{ kind: 'link', url: 'https://paypal.me/IngridTutors' }] })
  const maya = await post(page, 'students', { name: 'Maya Whitfield' })
  const { month, name } = await lastMonth(page)
  for (const [day, duration] of [
    ['03', 1],
    ['10', 1],
    ['17', 1],
    ['24', 1.5],
  ] as const)
    await post(page, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: `${month}-${day}`,
      duration,
      subject: 'Algebra II',
    })
  return { month, name }
}

/** Invites Maya's family through the dialog. The first time, the dialog asks for the tutor's name. */
async function invite(page: Page, email: string): Promise<void> {
  await page.goto('/students')
  await page.getByRole('button', { name: 'Invite the family, Maya Whitfield' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('How should the family see you?')
  await expect(name).toBeVisible()
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(dialog.getByText('Enter the family’s email address')).toBeVisible()
  await expect(dialog.getByText('Enter your name')).toBeVisible()
  await dialog.getByLabel('Family’s email').fill(email)
  await name.fill('Ingrid Lindqvist')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(page.getByText('Invitation sent')).toBeVisible()
}

test('a family without an account confirms, disputes, pays and closes the month by email, and finds it all in its new account', async ({
  page: tutor,
  browser,
}) => {
  const { month, name } = await aTutor(tutor)
  await tutor.goto('/dashboard')
  const offer = tutor.getByRole('region', { name: 'Let Maya Whitfield’s family confirm your sessions?' })
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toBeHidden()
  await tutor.getByRole('button', { name: 'Undo' }).click()
  await expect(offer).toBeVisible()
  const { email } = someone()
  await invite(tutor, email)
  await expect(tutor.getByText('Request sent, no answer yet')).toBeVisible()
  await watch(tutor, '/dashboard')
  await expect(tutor.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await expect(offer).toBeHidden()

  const mail = await mailTo(tutor, email, 'Ingrid Lindqvist asks you to confirm')
  expect(mail.text).toContain('Confirm all 4, $202.50')
  const parent = await otherPhone(tutor, browser)
  await parent.goto(linkIn(mail.text))
  await expect(
    parent.getByRole('heading', { level: 1, name: 'Ingrid Lindqvist asks you to confirm' }),
  ).toBeVisible()
  await expect(parent, 'the token leaves the address bar').toHaveURL(/\/confirm$/)
  const rows = parent.getByRole('list', { name: 'Sessions to confirm' }).getByRole('listitem')
  const wrong = rows.filter({ hasText: '$67.50' })
  await wrong.getByRole('checkbox').uncheck()
  await expect(parent.getByRole('button', { name: 'Confirm 3, $135.00' })).toBeVisible()
  await expect(wrong.getByRole('button', { name: /^Add a summary/ })).toHaveCount(0)
  await wrong.getByLabel(/^Note to /).fill('It was an hour')
  expect(await faultsOf(parent)).toEqual([])
  await wrong.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(parent.getByText('You said not right')).toBeVisible()
  // Confirming everything also saves any text typed into a row.
  await rows
    .first()
    .getByRole('button', { name: /^Add a summary/ })
    .click()
  await parent.getByLabel('Lesson summary').fill('Fractions, at last')
  expect(await faultsOf(parent)).toEqual([])
  await parent.getByRole('button', { name: 'Confirm all 3, $135.00' }).click()
  await expect(parent.getByRole('heading', { name: 'You’re all caught up' })).toBeVisible()
  await expect(parent.getByText('You said not right')).toBeVisible()

  await expect(parent.getByRole('heading', { name: 'Pay Ingrid Lindqvist $135.00' })).toBeVisible()
  await expect(parent.getByRole('link', { name: 'Open PayPal' })).toHaveAttribute('href', /135/)
  expect(await faultsOf(parent)).toEqual([])
  await parent.getByRole('button', { name: 'I paid' }).click()
  const paid = parent.getByRole('form', { name: 'I paid' })
  await expect(paid.getByLabel('Amount ($)')).toHaveValue('135.00')
  await paid.getByLabel('Date').fill(`${month}-25`)
  await paid.getByRole('button', { name: 'I paid' }).click()
  await expect(parent.getByText('You owe $135.00 · $135.00 on its way')).toBeVisible()

  // The payment and the dispute show up on the tutor's screen without a reload.
  const received = tutor.getByRole('region', { name: 'Payments to confirm' })
  await expect(received.getByText('Received?', { exact: true })).toBeVisible()
  await expect(tutor.getByRole('heading', { name: 'Marked not right by a family' })).toBeVisible()
  await tutor.getByRole('button', { name: /^Edit session, Maya Whitfield/ }).click()
  const edit = tutor.getByRole('dialog', { name: 'Edit Session' })
  await expect(edit.getByText('“It was an hour”')).toBeVisible()
  await edit.getByLabel('Duration (hours)').fill('1')
  await edit.getByRole('button', { name: 'Update Session' }).click()
  await expect(tutor.getByText('Session updated successfully')).toBeVisible()
  await received.getByRole('button', { name: /^Received, \$135\.00/ }).click()
  await expect(received.getByText('Confirmed', { exact: true })).toBeVisible()

  await parent.reload()
  await parent.getByRole('button', { name: 'Confirm 1 session, $45.00' }).click()
  await expect(parent.getByRole('status').filter({ hasText: 'is confirmed' })).toBeVisible()
  await expect(parent.getByText('You owe $45.00', { exact: true })).toBeVisible()
  await watch(tutor, `/summary?month=${month}`)
  await parent.getByRole('button', { name: `Close ${name}` }).click()
  await expect(parent.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()
  await expect(tutor.getByText(`family asked to close ${name}`)).toBeVisible()
  await tutor.getByRole('button', { name: `Close ${name}`, exact: true }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()
  await tutor.getByRole('link', { name: /^Maya Whitfield, \w+ 3$/ }).click()
  await expect(tutor.getByRole('dialog').getByText('Fractions, at last')).toBeVisible()
  await expectLayers(tutor, 1)
  await tutor.keyboard.press('Escape')
  await expect(tutor.getByRole('dialog')).toHaveCount(0)
  const bytes = await copyOf(tutor)
  await parent.reload()
  await expect(parent.getByText('Closed', { exact: true })).toBeVisible()
  expect((await copyOf(parent)).equals(bytes), 'the same page for both').toBe(true)
  const { months } = await read<{ months: { code: string }[] }>(tutor, 'months/closed')
  const code = months[0]?.code ?? ''
  const anyone = await parent.context().newPage()
  await anyone.goto('/verify')
  await anyone.getByLabel('Code').fill(` ${code.toLowerCase().replace('-', ' ')} `)
  await anyone.keyboard.press('Enter')
  await expect(anyone.getByRole('heading', { name: 'This statement is genuine' })).toBeVisible()
  await expect(anyone.getByText('both confirmed every session and payment in it')).toBeVisible()
  await expect(anyone.getByText('Number of sessions')).toBeVisible()
  await expect(anyone.getByText('Due', { exact: true })).toBeVisible()
  await anyone.close()

  // A summary can be added even to a confirmed session.
  await parent.getByText(/^Recently confirmed/).click()
  await parent
    .getByRole('button', { name: /^Add a summary, Maya/ })
    .first()
    .click()
  await parent.getByRole('dialog').getByLabel('Homework').fill('Page 12')
  await parent.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(parent.getByText('Page 12')).toBeVisible()

  await parent.getByRole('link', { name: 'Open an account' }).click()
  await expect(parent.getByLabel('Email')).toHaveValue(email)
  expect(parent.url(), 'no address in a URL').not.toContain('@')
  await parent.getByLabel('Password', { exact: true }).fill('greenhouse-41')
  await parent.getByLabel('Confirm password').fill('greenhouse-41')
  await parent.getByRole('button', { name: 'Continue', exact: true }).click()
  await parent.getByRole('button', { name: 'Create account' }).click()
  await expect(parent.getByText('Please check your email', { exact: false }).first()).toBeVisible()
  await confirm(parent, { email, password: 'greenhouse-41' })
  await expect(parent.getByRole('heading', { name: 'Add your sessions with Ingrid Lindqvist' })).toBeVisible()
  expect(await faultsOf(parent)).toEqual([])
  await parent.getByRole('button', { name: 'Add them' }).click()
  await expect(parent.getByText('Ingrid Lindqvist is connected')).toBeVisible()
  await parent.goto('/children')
  await expect(parent.getByRole('heading', { name: 'Maya' })).toBeVisible()
  await parent.goto('/tutors')
  await expect(parent.getByRole('heading', { name: 'Ingrid Lindqvist' })).toBeVisible()
  await parent.goto(`/summary?month=${month}`)
  await expect(parent.getByText('$180.00 agreed')).toBeVisible()
  expect((await copyOf(parent)).equals(bytes), 'the same page with an account').toBe(true)
  await parent.goto(`/payments?month=${month}`)
  for (const [at, figure] of ['$0.00', '$180.00', '$135.00', '$45.00'].entries())
    await expect(parent.getByRole('definition').nth(at)).toHaveText(figure)
  await parent.goto(linkIn(mail.text))
  await expect(parent.getByText('This link has expired or been turned off')).toBeVisible()
  await parent.context().close()
})

test('a family is invited from the dashboard, which goes on showing the session that is shared now', async ({
  page: tutor,
}) => {
  await arrive(tutor, 'Tutor')
  const [self] = await read<{ id: string }[]>(tutor, 'tutors')
  const maya = await post(tutor, 'students', { name: 'Maya Whitfield' })
  const date = await tutor.evaluate(() => new Intl.DateTimeFormat('en-CA').format(new Date()))
  await post(tutor, 'sessions', { student_id: maya.id, tutor_id: self?.id, date, duration: 1 })
  await tutor.goto('/dashboard')
  await tutor.getByRole('button', { name: 'Invite the family' }).click()
  const dialog = tutor.getByRole('dialog')
  await dialog.getByLabel('Family’s email').fill(someone().email)
  await dialog.getByLabel('How should the family see you?').fill('Ingrid Lindqvist')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(tutor.getByText('Invitation sent')).toBeVisible()
  await expect(tutor.getByText('Waiting for the family')).toBeVisible()
  await expect(tutor.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
})

test('other students are folded in the invitation, and sharing their lessons too is asked about by name', async ({
  page: tutor,
}) => {
  await arrive(tutor, 'Tutor')
  for (const name of ['Maya Whitfield', 'Leo Whitfield', 'Noah Berg']) await post(tutor, 'students', { name })
  await tutor.goto('/students')
  await tutor.getByRole('button', { name: 'Invite the family, Maya Whitfield' }).click()
  const dialog = tutor.getByRole('dialog', { name: 'Invite Maya Whitfield’s family' })
  const { email } = someone()
  await dialog.getByLabel('Family’s email').fill(email)
  await dialog.getByLabel('How should the family see you?').fill('Ingrid Lindqvist')
  await expect(dialog.getByText('Noah Berg')).toHaveCount(0)
  await dialog.getByText('Also in this family').click()
  await dialog.getByLabel('Leo Whitfield').check()
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  const question = tutor.getByRole('alertdialog', { name: 'Share Leo Whitfield’s lessons too?' })
  await expect(question).toContainText(`${email} will see the lessons of Maya Whitfield and Leo Whitfield.`)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(tutor.getByText('Invitation sent')).toHaveCount(0)
  expect(await read<object[]>(tutor, 'connections')).toEqual([])
  // The answer keeps what was typed.
  await expect(dialog.getByLabel('Family’s email')).toHaveValue(email)
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await question.getByRole('button', { name: 'Share and send' }).click()
  await expect(tutor.getByText('Invitation sent')).toBeVisible()
})

test('adding a tutor with an email offers to send a request, which asks for your name once', async ({
  page,
}) => {
  await arrive(page)
  await page.goto('/tutors')
  for (const name of ['Ingrid', 'Bo']) {
    await page.getByRole('button', { name: 'Add Tutor' }).first().click()
    const form = page.getByRole('region', { name: 'Add New Tutor' })
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Email').fill(someone().email)
    await form.getByRole('button', { name: 'Add Tutor' }).click()
    const offer = page.getByRole('region', { name: `Let ${name} confirm your sessions?` })
    await offer.getByRole('button', { name: 'Ask to confirm' }).click()
    const dialog = page.getByRole('dialog', { name: `Ask ${name} to confirm` })
    const asks = dialog.getByLabel(`How should ${name} see you?`)
    if (name === 'Ingrid') await asks.fill('Ann Whitfield')
    else await expect(asks).toBeHidden()
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await expect(page.getByText('Request sent', { exact: true }).last()).toBeVisible()
    await expect(offer).toBeHidden()
  }
})

test('a tutor opens an account from the emailed link: the sessions are the first thing there, with the rate filled in', async ({
  page,
  browser,
}) => {
  const { email, log, connect } = await aFamily(page, { full_name: 'Dana Whitfield' })
  for (const back of [0, -1, -2]) await log({ date: await dayFromToday(page, back) })
  await log({ date: await dayFromToday(page, -3), hourly_rate: 40 })
  await connect()
  const tutor = await otherPhone(page, browser)
  await tutor.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
  const confirmed = tutor.waitForResponse('**/api/v1/confirmations')
  await tutor.getByRole('button', { name: /^Confirm all 4/ }).click()
  await confirmed
  await tutor.getByRole('link', { name: 'Open an account' }).first().click()
  await expect(tutor.getByLabel('Email')).toHaveValue(email)
  await tutor.getByLabel('Password', { exact: true }).fill('greenhouse-41')
  await tutor.getByLabel('Confirm password').fill('greenhouse-41')
  await tutor.getByRole('button', { name: 'Continue', exact: true }).click()
  await tutor.getByRole('button', { name: 'Create account' }).click()
  await expect(tutor.getByText('Please check your email', { exact: false }).first()).toBeVisible()
  await confirm(tutor, { email, password: 'greenhouse-41' })
  const card = tutor.getByRole('form', { name: '4 sessions with Dana Whitfield are here' })
  await card.getByLabel('Your name').fill('Ingrid Halvorsen')
  await expect(card.getByLabel('Hourly rate ($/hour)')).toHaveValue('45.00')
  expect(await faultsOf(tutor)).toEqual([])
  await card.getByRole('button', { name: 'Add them' }).click()
  await expect(tutor.getByText('Your sessions with Dana Whitfield were added')).toBeVisible()
  await expect(tutor.getByRole('heading', { name: 'Hello, Ingrid' })).toBeVisible()
  await expect(tutor.getByText('Your hourly rate')).toHaveCount(0)
  expect(await read<object>(tutor, 'dashboard'), 'students, sessions and confirmed ones count').toMatchObject(
    { total_students: 1, has_sessions: true, has_verified_sessions: true, needs_rate: false },
  )
  await tutor.context().close()
})
