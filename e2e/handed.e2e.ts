// Reaching the other side without email: a link or QR code that's handed over, and claimed by one device.
import { type Browser, expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { lastMonth, mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive, someone } from './people.ts'
import { scanned } from './scanned.ts'
import { axeFaults, faultsOf, post, read, send } from './screens.ts'

/** A tutor with a student, Maya, who had two lessons last month. */
async function aTutor(page: Page) {
  await arrive(page, 'Tutor')
  await send(page, 'patch', 'me', { full_name: 'Ingrid Lindqvist', currency: 'USD' })
  const [self] = await read<{ id: string }[]>(page, 'tutors')
  await send(page, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  const maya = await post(page, 'students', { name: 'Maya Whitfield' })
  const { month, name } = await lastMonth(page)
  for (const [day, duration] of [
    ['03', 1],
    ['10', 2],
  ] as const)
    await post(page, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: `${month}-${day}`,
      duration,
    })
  return { month, name }
}

/** Makes a link for Maya's family through the dialog, and scans its code. */
async function scan(tutor: Page): Promise<string> {
  const dialog = tutor.getByRole('dialog', { name: /^Link for / })
  const code = dialog.getByRole('img', { name: /^QR code with the link for / })
  await expect(code).toBeVisible()
  expect(await axeFaults(tutor, 'light')).toEqual([])
  const link = (await scanned(tutor, code)) ?? ''
  expect(link).toContain('/open#')
  await expect(dialog.getByText(link)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

test('a tutor shows a QR code, and a family without an email address confirms, pays and closes the month on its phone', async ({
  page: tutor,
  browser,
}) => {
  const { month, name } = await aTutor(tutor)
  await tutor.goto('/students')
  await tutor.getByRole('button', { name: 'Invite the family, Maya Whitfield' }).click()
  const invite = tutor.getByRole('dialog', { name: 'Invite Maya Whitfield’s family' })
  await invite.getByText('Link or QR code').click()
  await expect(invite.getByLabel('Family’s email')).toHaveCount(0)
  expect(await axeFaults(tutor, 'light')).toEqual([])
  await invite.getByRole('button', { name: 'Make the link' }).click()
  const link = await scan(tutor)
  await expect(tutor.getByText('Link not opened yet')).toBeVisible()

  const parent = await otherPhone(tutor, browser)
  await parent.goto(link)
  const question = parent.getByRole('heading', { level: 1, name: 'Open this link on this device?' })
  await expect(question).toBeVisible()
  await expect(parent.getByText(/Maya|Ingrid/)).toHaveCount(0)
  await expect(parent).toHaveTitle('Tutorlog')
  expect(await faultsOf(parent)).toEqual([])
  await parent.context().setOffline(true)
  await parent.getByRole('button', { name: 'Continue on this device' }).click()
  await expect(
    parent.getByText('The server could not be reached. Nothing is lost. Please try again.'),
  ).toBeVisible()
  await parent.context().setOffline(false)
  await parent.getByRole('button', { name: 'Continue on this device' }).dblclick()
  await expect(
    parent.getByRole('heading', { level: 1, name: 'Ingrid Lindqvist asks you to confirm' }),
  ).toBeVisible()
  await expect(parent, 'the page can be bookmarked').toHaveURL(link)
  expect(await faultsOf(parent)).toEqual([])

  const elsewhere = await otherPhone(tutor, browser)
  await elsewhere.goto(link)
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'This link was already used' })).toBeVisible()
  await expect(elsewhere.getByText(/Maya|Ingrid/)).toHaveCount(0)
  await expect(tutor.getByText('Link opened, no answer yet')).toBeVisible()
  await expect(tutor.getByText(/^Link opened \w+ \d+, \d+, \d+:\d+\s[AP]M$/)).toBeVisible()

  await parent.reload()
  await parent.getByRole('button', { name: 'Confirm all 2, $135.00' }).click()
  await expect(parent.getByRole('heading', { name: new RegExp(`^${name}.* is confirmed$`) })).toBeVisible()
  await expect(parent.getByRole('link', { name: 'Open an account' })).toHaveCount(0)
  await parent.getByRole('button', { name: 'I paid' }).click()
  const paid = parent.getByRole('form', { name: 'I paid' })
  await paid.getByLabel('Date').fill(`${month}-25`)
  await paid.getByRole('button', { name: 'I paid' }).click()
  await expect(parent.getByText('You owe $135.00 · $135.00 on its way')).toBeVisible()
  const { payments } = await read<{ payments: { id: string }[] }>(tutor, 'payments/waiting')
  await post(tutor, `payments/${payments[0]?.id}/confirm`, {})
  await parent.reload()
  await parent.getByRole('button', { name: `Close ${name}` }).click()
  await expect(parent.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()
  await tutor.goto(`/summary?month=${month}`)
  await tutor.getByRole('button', { name: new RegExp(`^Close ${name}`) }).click()
  await expect(tutor.getByText('Closed', { exact: true })).toBeVisible()
  await parent.reload()
  await expect(
    parent
      .getByText(`${name} is closed`)
      .or(parent.getByText('Closed', { exact: true }))
      .first(),
  ).toBeVisible()
  await parent.context().close()
  await elsewhere.context().close()
})

async function aFamilyWithLink(page: Page, browser: Browser) {
  await arrive(page)
  await send(page, 'patch', 'me', { full_name: 'Jordan Whitfield', currency: 'USD' })
  const { log } = await mayaWithIngrid(page, { child: 'Maya Whitfield', tutor: 'Ingrid Lindqvist' })
  await log()
  await page.goto('/tutors')
  await page.getByRole('button', { name: 'Ask to confirm, Ingrid Lindqvist' }).click()
  const ask = page.getByRole('dialog', { name: 'Ask Ingrid Lindqvist to confirm' })
  await expect(ask.getByRole('radio', { name: 'Link or QR code' })).toBeChecked()
  await ask.getByRole('button', { name: 'Make the link' }).click()
  return { link: await scan(page), tutor: await otherPhone(page, browser) }
}

test('a family makes a new link, which ends the old one, can’t open its own, and the tutor adds an address', async ({
  page: family,
  browser,
}) => {
  const { link, tutor } = await aFamilyWithLink(family, browser)
  await family.goto(link)
  await expect(
    family.getByRole('heading', { level: 1, name: 'This link is for the person you sent it to' }),
  ).toBeVisible()
  await family.goto('/tutors')
  await family.getByRole('button', { name: 'New link, Ingrid Lindqvist' }).click()
  const dialog = family.getByRole('dialog', { name: 'New link for Ingrid Lindqvist' })
  await expect(dialog.getByText(/^A link is shown only once/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Make a new link' }).click()
  const newer = await scan(family)
  await tutor.goto(link)
  await tutor.reload()
  await expect(
    tutor.getByRole('heading', { level: 1, name: 'This link was replaced or turned off' }),
  ).toBeVisible()
  await tutor.goto(newer)
  await tutor.getByRole('button', { name: 'Continue on this device' }).click()
  await expect(
    tutor.getByRole('heading', { level: 1, name: 'Jordan Whitfield asks you to confirm' }),
  ).toBeVisible()
  await tutor.getByText('Add an email address').click()
  const { email } = someone()
  await tutor.getByLabel('Email').fill('not an address')
  await tutor.getByRole('button', { name: 'Add this address' }).click()
  await expect(tutor.getByText('Enter an email address such as name@example.com')).toBeVisible()
  await tutor.getByLabel('Email').fill(email)
  await tutor.reload()
  await expect(tutor.getByLabel('Email')).toHaveValue(email)
  expect(await faultsOf(tutor)).toEqual([])
  await tutor.getByRole('button', { name: 'Add this address' }).click()
  await expect(tutor.getByText(`We sent an email to ${email}. Use the button in it.`)).toBeVisible()
  await tutor.context().close()
})
