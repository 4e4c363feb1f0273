// Payments and months on the emailed page: a tutor without an account confirms payments and closes the month.
import { type Browser, expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, lastMonth, otherPhone } from './pairs.ts'
import { linkIn, mailTo } from './people.ts'
import { copyOf, faultsOf, post } from './screens.ts'

/**
 * A family with two lessons last month, which the tutor confirmed on the emailed page, and a payment the
 * tutor hasn't confirmed.
 */
async function aMonthByEmail(page: Page, browser: Browser) {
  const { email, who, log, connect } = await aFamily(page, { full_name: 'Jordan Whitfield' })
  const { month, name, short } = await lastMonth(page)
  const sessions = [await log({ date: `${month}-06` }), await log({ date: `${month}-13`, duration: 3.5 })]
  await connect()
  const tutor = await otherPhone(page, browser, { reducedMotion: 'reduce' })
  const link = linkIn((await mailTo(page, email, 'asks you to confirm')).text)
  const { origin } = new URL(page.url())
  const confirmed = await tutor.request.post('/api/v1/confirmations', {
    data: { sessions: sessions.map(({ id }) => ({ id, version: 1 })) },
    headers: { origin, 'tutorlog-link': new URL(link).hash.slice(1) },
  })
  expect(confirmed.status(), await confirmed.text()).toBe(200)
  const paid = { date: `${month}-14`, amount: 135, method: 'transfer' }
  await post(page, 'payments', { tutor_id: who.tutor_id, ...paid })
  return { family: page, tutor, link, month, name, short }
}

test('a tutor without an account says "Received", closes the month with one tap, and both hold the same PDF', async ({
  page,
  browser,
}) => {
  const { family, tutor, link, month, name, short } = await aMonthByEmail(page, browser)
  await tutor.goto(link)
  await expect(tutor.getByText('You’re owed $202.50 · $135.00 on its way')).toBeVisible()
  await expect(tutor.getByText(`Paid $135.00, bank transfer, ${short}. Received?`)).toBeVisible()
  await expect(tutor.getByText('1 payment for you to confirm')).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])

  await tutor.getByRole('button', { name: `Not received, $135.00, ${short}` }).click()
  await tutor.getByRole('button', { name: 'Not received', exact: true }).click()
  await expect(tutor.getByText("Briefly say what isn't right")).toBeVisible()
  await tutor.getByLabel(/^What happened/).fill('It has not arrived')
  await tutor.reload()
  await expect(tutor.getByLabel(/^What happened/)).toHaveValue('It has not arrived')
  expect(await faultsOf(tutor)).toEqual([])
  await tutor.getByRole('button', { name: 'Not received', exact: true }).click()
  await expect(tutor.getByText('You said: not received')).toBeVisible()
  await expect(tutor.getByText('You’re owed $202.50', { exact: true })).toBeVisible()
  await tutor.getByRole('button', { name: `Undo, $135.00, ${short}` }).click()
  await tutor.getByRole('button', { name: `Received, $135.00, ${short}`, exact: true }).dblclick()
  await expect(tutor.getByText('Confirmed by both of you')).toBeVisible()
  await expect(tutor.getByText('You’re owed $67.50', { exact: true })).toBeVisible()

  await family.goto(`/summary?month=${month}`)
  await family.getByRole('button', { name: `Close ${name} with Ingrid Lindqvist` }).click()
  await expect(family.getByText(`You asked to close ${name}. Waiting for Ingrid Lindqvist`)).toBeVisible()
  await tutor.reload()
  await expect(tutor.getByText(`Jordan Whitfield asked to close ${name}`)).toBeVisible()
  await tutor.getByRole('button', { name: `Close ${name}` }).click()
  await expect(tutor.locator('.stamp.lands .draw')).toHaveCount(1)
  const moving = await tutor
    .locator('.stamp')
    .evaluate((stamp) => stamp.getAnimations({ subtree: true }).length)
  expect(moving, 'with reduced motion the stamp is there at once').toBe(0)
  expect(await faultsOf(tutor)).toEqual([])
  const theirs = await copyOf(tutor)
  await family.reload()
  await expect(family.getByText('Closed', { exact: true })).toBeVisible()
  expect((await copyOf(family)).equals(theirs)).toBe(true)
  await tutor.getByText('See the page').click()
  await expect(tutor.getByText("Maya's tutor confirmed it on")).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await tutor
    .getByRole('button', { name: /^Undo, Maya/ })
    .first()
    .click()
  await expect(tutor.getByText(/is closed\. Reopen it with a reason/)).toBeVisible()
  await tutor.context().close()
})

test('a tutor without an account records what was paid, once, and asks to close the month', async ({
  page,
  browser,
}) => {
  const { tutor, link, name } = await aMonthByEmail(page, browser)
  await tutor.goto(link)
  await tutor.getByRole('button', { name: 'I was paid' }).click()
  const form = tutor.getByRole('form', { name: 'I was paid' })
  await expect(form.getByLabel('Amount ($)')).toHaveValue('67.50')
  await form.getByLabel('Amount ($)').fill('0')
  await form.getByRole('button', { name: 'I was paid' }).click()
  await expect(form.getByText('Enter an amount above 0')).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await form.getByLabel('Amount ($)').fill('67.50')
  await form.getByRole('combobox', { name: 'Method' }).selectOption({ label: 'Cash' })
  await form.getByRole('button', { name: 'I was paid' }).dblclick()
  await expect(form).toHaveCount(0)
  await expect(tutor.getByText(/^Received \$67.50, cash/)).toHaveCount(1)
  await expect(tutor.getByText('You’re owed $202.50 · $202.50 on its way')).toBeVisible()

  await tutor.getByRole('button', { name: 'I was paid' }).click()
  await form.getByLabel('Amount ($)').fill('67.50')
  await form.getByRole('button', { name: 'I was paid' }).click()
  await expect(form.getByText('The same payment is already recorded.')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await tutor.getByRole('button', { name: /^Edit, \$67.50/ }).click()
  const edit = tutor.getByRole('form', { name: /^Edit payment, \$67.50/ })
  await edit.getByLabel('Amount ($)').fill('0')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Enter an amount above 0')).toBeVisible()
  await edit.getByLabel('Amount ($)').fill('60')
  await tutor.reload()
  await expect(edit.getByLabel('Amount ($)')).toHaveValue('60')
  expect(await faultsOf(tutor)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(tutor.getByText(/^Received \$60.00, cash/)).toBeVisible()
  await tutor.getByRole('button', { name: /^Delete, \$60.00/ }).click()
  const question = tutor.getByRole('alertdialog', { name: 'Delete this payment?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(tutor.getByText(/^Received \$60.00, cash/)).toBeVisible()
  await tutor.getByRole('button', { name: /^Delete, \$60.00/ }).click()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(tutor.getByText(/^Received \$60.00/)).toHaveCount(0)

  await tutor.getByRole('button', { name: /^Received, \$135.00/ }).click()
  await expect(tutor.getByText('Confirmed by both of you')).toBeVisible()
  await tutor.getByRole('button', { name: `Close ${name}` }).click()
  await expect(tutor.getByText(`You asked to close ${name}. Waiting for Jordan Whitfield`)).toBeVisible()
  await tutor.context().close()
})

test('ending an emailed link asks first, and says that no more emails follow if you want none', async ({
  page,
  browser,
}) => {
  const { family, tutor, link } = await aMonthByEmail(page, browser)
  await tutor.goto(link)
  await tutor.getByText('Not your student, or don’t want to answer?').click()
  const question = tutor.getByRole('alertdialog', { name: 'Turn off this link?' })
  await tutor.getByRole('button', { name: 'Turn it off and never email me again' }).click()
  await expect(question).toContainText('You also get no more emails from anyone who uses Tutorlog.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await tutor.reload()
  await tutor.getByText('Not your student, or don’t want to answer?').click()
  await tutor.getByRole('button', { name: 'Turn off this link' }).click()
  await expect(question).not.toContainText('no more emails')
  await question.getByRole('button', { name: 'Turn off this link' }).click()
  await expect(tutor.getByRole('heading', { name: 'You turned off this link' })).toBeVisible()
  await family.goto('/tutors')
  await expect(family.getByText('Ended by the tutor').first()).toBeVisible()
  await tutor.context().close()
})
