// Terms between a family and a tutor: proposed, read as sentences, agreed with one tap, and replaced by a later version.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { connected } from './pairs.ts'
import { faultsOf, post, send, settled } from './screens.ts'
import { countTaps } from './taps.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Terms', exact: true })
const form = (page: Page) => page.getByRole('dialog', { name: 'Terms' })

async function propose(tutor: Page): Promise<void> {
  await form(tutor).getByRole('button', { name: 'Read it back' }).click()
  await expect(form(tutor).getByText('Jordan Whitfield will read this.')).toBeVisible()
  expect(await faultsOf(tutor)).toEqual([])
  await form(tutor).getByRole('button', { name: 'Propose' }).click()
  await expect(card(tutor).getByText('Waiting for Jordan Whitfield')).toBeVisible()
}

test('a tutor proposes terms, the parent agrees with one tap, and a later version replaces them', async ({
  page: family,
  browser,
}) => {
  const { tutor, who, own } = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  await tutor.goto(`/students/${own.student_id}`)
  await settled(tutor)
  await card(tutor).getByRole('button', { name: '24 hours, then half' }).click()
  await expect(form(tutor).getByText('Later: half the lesson. No-show: the full lesson.')).toBeVisible()
  await propose(tutor)

  await family.goto('/to-confirm')
  await settled(family)
  const asked = family.getByRole('region', { name: 'Terms to agree on' })
  await expect(asked.getByText('Ingrid Lindqvist proposes these terms:')).toBeVisible()
  await expect(asked.getByText('Cancel at least 24 hours before.')).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
  const taps = await countTaps(family)
  await asked.getByRole('button', { name: /^Agree/ }).click()
  await expect(family.getByText('Agreed. These terms apply from today.')).toBeVisible()
  taps.expectAtMost('agreeing to terms')

  await tutor.goto(`/students/${own.student_id}`)
  await expect(card(tutor).getByText('Agreed', { exact: true })).toBeVisible()
  await card(tutor).getByRole('button', { name: 'Change' }).click()
  await form(tutor).getByLabel('A no-show costs').selectOption('Half the lesson')
  await form(tutor).getByText('More', { exact: true }).click()
  await form(tutor).getByLabel('Money is due on day (1 to 28)').fill('31')
  await form(tutor).getByRole('button', { name: 'Read it back' }).click()
  await expect(form(tutor).getByText('Choose a day from 1 to 28')).toBeVisible()
  await form(tutor).getByLabel('Money is due on day (1 to 28)').fill('5')
  await propose(tutor)

  await family.goto(`/tutors/${who.tutor_id}`)
  await settled(family)
  await expect(card(family).locator('ins')).toHaveText([
    'New: Later or a no-show: half the lesson.',
    'New: Money is due on the 5th of the next month.',
  ])
  await expect(card(family).locator('del')).toHaveText(
    'No longer: Later: half the lesson. No-show: the full lesson.',
  )
  expect(await faultsOf(family)).toEqual([])
  await card(family)
    .getByRole('button', { name: /^Agree/ })
    .click()
  await expect(card(family).getByText('Agreed', { exact: true })).toBeVisible()
  await card(family).getByText('Earlier terms').click()
  await expect(card(family).getByText('Later: half the lesson. No-show: the full lesson.')).toBeVisible()
  await card(family).getByText('Who said what').click()
  await expect(card(family).getByText('confirmed it')).toBeVisible()
  expect(await faultsOf(family)).toEqual([])
})

test('a parent declines terms with a note, and the tutor changes or withdraws them', async ({
  page: family,
  browser,
}) => {
  const { tutor, own } = await connected(family, browser, { full_name: 'Jordan Whitfield' })
  const rules = { bands: [{ until_hours: 0, percent: 100 }] }
  const { id } = await post(tutor, 'terms', { student_id: own.student_id, rules })
  await family.goto('/to-confirm')
  await family.getByRole('button', { name: /^Not right/ }).click()
  const note = family.getByRole('dialog', { name: 'Not right?' })
  await note.getByRole('textbox').fill('Half would be fair')
  await note.getByRole('button', { name: 'Not right' }).click()
  await expect(family.getByText('Note sent')).toBeVisible()

  await tutor.goto(`/students/${own.student_id}`)
  await expect(card(tutor).getByText('“Half would be fair”')).toBeVisible()
  await send(family, 'post', `terms/${id}/dispute`, {
    proposal: { rules: { bands: [{ until_hours: 0, percent: 50 }] } },
  })
  await tutor.reload()
  await expect(card(tutor).getByText('Jordan Whitfield proposes other terms:')).toBeVisible()
  await card(tutor)
    .getByRole('button', { name: /^Agree/ })
    .click()
  await expect(card(tutor).getByText('Later or a no-show: half the lesson.')).toBeVisible()
  await expect(card(tutor).getByText('Agreed', { exact: true })).toBeVisible()
})
