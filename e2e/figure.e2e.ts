// What is owed in all: one figure on every screen and file, for both sides.
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { test } from './journey.ts'
import { aFamily, connected, otherPhone } from './pairs.ts'
import { linkIn, mailTo, someone } from './people.ts'
import { faultsOf, post, send, settled } from './screens.ts'

/** Home, Summary and Payments say it, and so does the first page of the statement. */
async function expectEverywhere(side: Page, heading: string, onPaper: RegExp): Promise<void> {
  for (const path of ['/dashboard', '/summary', '/payments']) {
    await side.goto(path)
    await expect(side.getByRole('region', { name: heading, exact: true }), path).toBeVisible()
    expect(await faultsOf(side), path).toEqual([])
  }
  await side.goto('/summary')
  await side.getByRole('button', { name: 'Statement' }).click()
  const [pdf] = await Promise.all([
    side.waitForEvent('download'),
    side.getByRole('dialog').getByRole('button', { name: /PDF/ }).click(),
  ])
  const bytes = new Uint8Array(await readFile(await pdf.path()))
  const [first = ''] = (await extractText(await getDocumentProxy(bytes))).text
  expect(first.replaceAll(/\s+/g, ' ')).toMatch(onPaper)
}

for (const [currency, sign] of [
  ['USD', '$'],
  ['EUR', '€'],
])
  test(`home, Summary, Payments and the statement open with the same figure for both sides, in ${currency}`, async ({
    page,
    browser,
  }) => {
    const { family, tutor, who, today, log } = await connected(page, browser, { currency, full_name: 'Dana' })
    await log({ duration: 3 })
    await log()
    const { id } = await post(family, 'payments', { tutor_id: who.tutor_id, date: today, amount: 50 })
    await send(tutor, 'post', `payments/${id}/confirm`, {})
    await send(tutor, 'patch', 'me', { full_name: 'Ingrid Lindqvist' })
    const paper = new RegExp(`Owed to Ingrid Lindqvist as of \\w+ \\d+, \\d{4} \\${sign}130\\.00`)
    await expectEverywhere(family, `You owe ${sign}130.00`, paper)
    await expectEverywhere(tutor, `You’re owed ${sign}130.00`, paper)

    // It unfolds with the keyboard, into what adds up to it.
    await family.goto('/dashboard')
    const how = family.getByRole('button', { name: 'How it adds up' })
    const parts = family.getByText(/^.180\.00 in \w+ − .50\.00 paid$/)
    await expect(parts).toBeVisible()
    await how.focus()
    await family.keyboard.press('Enter')
    await expect(how).toHaveAttribute('aria-expanded', 'false')
    await expect(parts).toBeHidden()
    await family.keyboard.press('Enter')
    await expect(parts).toBeVisible()
  })

test('the emailed page says the figure that the family sees', async ({ page, browser }) => {
  const { family, email, log, connect } = await aFamily(page)
  await log({ duration: 2 })
  await connect()
  const tutor = await otherPhone(page, browser)
  await tutor.goto(linkIn((await mailTo(page, email, 'asks you to confirm')).text))
  await expect(tutor.getByText('You’re owed $90.00', { exact: true })).toBeVisible()
  await family.goto('/dashboard')
  await expect(family.getByRole('region', { name: 'You owe $90.00', exact: true })).toBeVisible()
})

test('a caregiver gets no figure on home or Summary, and no Payments', async ({ page, browser }) => {
  const { log } = await aFamily(page, { full_name: 'Dana Whitfield' })
  await log({ duration: 2 })
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'You owe $90.00', exact: true })).toBeVisible()
  const cara = someone()
  await post(page, 'members', { email: cara.email, role: 'caregiver' })
  const phone = await otherPhone(page, browser)
  const asked: string[] = []
  phone.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await phone.goto(linkIn((await mailTo(page, cara.email, 'invited you to their')).text))
  await phone.getByLabel('Your name').fill('Cara Bell')
  await phone.getByLabel('Choose a password').fill(cara.password)
  await phone.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'Hello, Cara' })).toBeVisible()
  for (const [path, heading] of [
    ['/dashboard', 'Hello, Cara'],
    ['/summary', 'Sessions'],
  ] as const) {
    await phone.goto(path)
    await expect(phone.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(phone.getByRole('link', { name: /^Maya Whitfield/ }).first()).toBeVisible()
    await settled(phone)
    await expect(phone.locator('body'), path).not.toContainText(/\$|owe|How it adds up|Payments/i)
    expect(await faultsOf(phone), path).toEqual([])
  }
  expect(asked.filter((path) => /balances|payments/.test(path))).toEqual([])
  await phone.goto('/payments')
  await expect(
    phone.getByRole('heading', { level: 1, name: "You don't have permission to access this page." }),
  ).toBeVisible()
  await expect(phone.locator('body')).not.toContainText('$')
  await phone.context().close()
})
