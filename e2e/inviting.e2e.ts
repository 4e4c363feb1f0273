// The tutor starts: a parent without an account answers from the email, and finds everything on opening one.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo } from './people.ts'
import { dayFromToday, post, read, send } from './screens.ts'

const anAddress = () => `ann-${process.pid}-${Math.random().toString(36).slice(2, 8)}@example.com`

/** A tutor with Maya and three lessons of hers, all of this week, on the page of the students. */
async function aTutor(page: Page): Promise<{ maya: string; self: string }> {
  await arrive(page, 'Tutor')
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  const maya = await post(page, 'students', { name: 'Maya Whitfield' })
  for (const [back, duration] of [
    [0, 1],
    [-1, 1],
    [-2, 1.5],
  ] as const)
    await post(page, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: await dayFromToday(page, back),
      duration,
      subject: 'Algebra II',
    })
  return { maya: maya.id, self: self?.id ?? '' }
}

/** Invites Maya's family through the dialog, which asks for a name the first time. */
async function invite(page: Page, email: string): Promise<void> {
  await page.goto('/students')
  await page.getByRole('button', { name: 'Invite the family, Maya Whitfield' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email of the family').fill(email)
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(dialog.getByText('Enter your name')).toBeVisible()
  await dialog.getByLabel('How should the family see you?').fill('Ingrid Lindqvist')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(page.getByText('Invitation sent')).toBeVisible()
}

test('a tutor without any family invites one; the parent confirms two and sends one back by email, then opens an account and finds everything', async ({
  page,
  browser,
}) => {
  await aTutor(page)
  await page.goto('/dashboard')
  const offer = page.getByRole('region', { name: 'Let the family of Maya Whitfield confirm your sessions?' })
  await expect(offer).toBeVisible()
  const email = anAddress()
  await invite(page, email)
  await expect(page.getByText('Asked, no answer yet')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await expect(offer).toBeHidden()

  const mail = await mailTo(page, email, 'Ingrid Lindqvist asks you to confirm')
  expect(mail.text).toContain('Confirm all 3, $157.50')
  const elsewhere = await browser.newContext({
    viewport: { width: 390, height: 844 },
    baseURL: 'http://localhost:4173',
  })
  const parent = await elsewhere.newPage()
  await parent.goto(linkIn(mail.text))
  await expect(
    parent.getByRole('heading', { level: 1, name: 'Ingrid Lindqvist asks you to confirm' }),
  ).toBeVisible()
  await expect(parent.getByRole('button', { name: 'Confirm all 3, $157.50' })).toBeVisible()
  expect(new URL(parent.url()).hash, 'the token leaves the address bar').toBe('')

  const rows = parent.getByRole('list', { name: 'Sessions to confirm' }).getByRole('listitem')
  const wrong = rows.filter({ hasText: '$67.50' })
  await wrong.getByRole('checkbox').uncheck()
  await expect(parent.getByRole('button', { name: 'Confirm 2, $90.00' })).toBeVisible()
  await wrong.getByRole('button', { name: /^Not right/ }).click()
  await wrong.getByLabel(/^What is not right/).fill('It was an hour')
  await wrong.getByRole('button', { name: 'Send back' }).click()
  await parent.getByRole('button', { name: 'Confirm all 2, $90.00' }).click()
  await expect(parent.getByRole('heading', { name: 'You have answered for every session' })).toBeVisible()
  await expect(parent.getByText('You sent it back')).toBeVisible()

  const person = await arrive(parent, 'Parent', email)
  expect(person.email).toBe(email)
  await expect(
    parent.getByRole('heading', { name: 'Ingrid Lindqvist asks you to confirm sessions' }),
  ).toBeVisible()
  await parent.getByRole('button', { name: 'Accept' }).click()
  const dialog = parent.getByRole('dialog', { name: 'Accept Ingrid Lindqvist' })
  await expect(dialog.getByRole('combobox', { name: 'Maya' })).toHaveValue('')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(parent.getByText('Ingrid Lindqvist is connected')).toBeVisible()
  const { sessions } = await read<{
    sessions: { verified_by_tutor: boolean; dispute_note: string | null }[]
  }>(parent, 'sessions')
  expect(sessions.map((one) => [one.verified_by_tutor, one.dispute_note]).sort()).toEqual(
    [
      [true, null],
      [true, null],
      [false, 'It was an hour'],
    ].sort(),
  )
  await parent.goto('/tutors')
  await expect(parent.getByText('Confirms sessions').filter({ visible: true })).toBeVisible()
  await parent.goto('/children')
  await expect(parent.getByRole('heading', { name: 'Maya' })).toBeVisible()
  await parent.goto(linkIn(mail.text))
  await expect(parent.getByText('This link has expired or was ended')).toBeVisible()
  await elsewhere.close()
})

test('one tap on the page that the email opens confirms the month: the second tick is drawn, with a copy to keep and an account to open', async ({
  page,
  browser,
}) => {
  await aTutor(page)
  const email = anAddress()
  await invite(page, email)
  const parent = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: 'http://localhost:4173' })
  ).newPage()
  await parent.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
  await parent.getByRole('button', { name: 'Confirm all 3, $157.50' }).click()
  const end = parent.getByRole('status').filter({ hasText: 'is confirmed' })
  await expect(end).toBeVisible()
  await expect(end.getByRole('link', { name: 'Open an account' })).toHaveAttribute('href', '/signup')
  const file = parent.waitForEvent('download')
  await end.getByRole('button', { name: 'Keep a copy (PDF)' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/)
  await parent.context().close()
})

test('asking is offered after adding a tutor with an address, and asks for a name once', async ({ page }) => {
  await arrive(page)
  await page.goto('/tutors')
  for (const name of ['Ingrid', 'Bo']) {
    await page.getByRole('button', { name: 'Add Tutor' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Email').fill(anAddress())
    await form.getByRole('button', { name: 'Add Tutor' }).click()
    const offer = page.getByRole('region', { name: `Let ${name} confirm your sessions?` })
    await offer.getByRole('button', { name: 'Ask to confirm' }).click()
    const dialog = page.getByRole('dialog', { name: `Ask ${name} to confirm` })
    const asks = dialog.getByLabel(`How should ${name} see you?`)
    if (name === 'Ingrid') await asks.fill('Ann Whitfield')
    else await expect(asks).toBeHidden()
    await dialog.getByRole('button', { name: 'Send the question' }).click()
    await expect(page.getByText('Question sent').last()).toBeVisible()
    await expect(offer).toBeHidden()
  }
})
