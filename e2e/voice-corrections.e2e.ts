// After logging by voice or by typing: corrections on the card, and names learned from them.
import { expect, type Page } from '@playwright/test'
import { IN_DAYTIME, test } from './journey.ts'
import { arrive } from './people.ts'
import { dayFromToday, failOnServer, faultsOf, post, read } from './screens.ts'

test.use(IN_DAYTIME)

interface Logged {
  sessions: { student_name: string; tutor_name: string; date: string; duration: number; subject: string }[]
}

async function family(page: Page): Promise<void> {
  await arrive(page)
  for (const name of ['Lachlan', 'Isla']) await post(page, 'students', { name })
  for (const name of ['Ingrid', 'Sarah Johnson']) await post(page, 'tutors', { name, hourly_rate: 40 })
}

async function say(page: Page, text: string): Promise<void> {
  await page.goto('/add-session?tab=voice')
  await page.getByRole('textbox', { name: 'You can also type or dictate it' }).fill(text)
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  await expect(page.getByRole('heading', { name: 'AI Extracted Session Data' })).toBeVisible()
}

test('one correction changes what it says and keeps the rest, can be undone, and is not lost if the server fails', async ({
  page,
}) => {
  await family(page)
  await say(page, 'Lachlan had an hour of algebra with Ingrid yesterday')
  await page.getByRole('button', { name: 'Change something' }).click()
  const field = page.getByRole('textbox', { name: 'What should change?' })
  await expect(field).toBeFocused()
  expect(await faultsOf(page)).toEqual([])

  await page.route('**/api/v1/speech', failOnServer)
  await field.fill('no, today, and it was two hours')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('That didn’t work. Please try again.')).toBeVisible()
  await expect(field).toHaveValue('no, today, and it was two hours')
  await page.unroute('**/api/v1/speech')

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('Changed: date, duration.')).toBeVisible()
  await expect(field).toHaveValue('')
  await expect(page.getByText('2 h', { exact: true })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await expect(page.getByText('2 h', { exact: true })).toHaveCount(0)

  await field.fill('thank you')
  await field.press('Enter')
  await expect(page.getByText('We couldn’t tell what to change.')).toBeVisible()
  await field.fill('with Sarah, not Ingrid')
  await field.press('Enter')
  await expect(page.getByText('Changed: tutor.')).toBeVisible()
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await page.getByRole('button', { name: 'Add Session', exact: true }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  const { sessions } = await read<Logged>(page, 'sessions')
  expect(sessions).toMatchObject([
    {
      student_name: 'Lachlan',
      tutor_name: 'Sarah Johnson',
      date: await dayFromToday(page, -1),
      duration: 1,
      subject: 'Algebra',
    },
  ])
})

test('a person chosen on the card or in the form teaches the name, which is said with Undo, used, and forgotten in the settings', async ({
  page,
}) => {
  await family(page)
  const said = 'Bixby had an hour of algebra with Ingrid yesterday'
  await say(page, said)
  await page.getByRole('button', { name: 'Child: Lachlan' }).click()
  const nextTime = page.getByText('Next time, “Bixby” is Lachlan.').filter({ visible: true })
  await expect(nextTime).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo: “Bixby” is Lachlan' }).click()
  await expect(nextTime).toHaveCount(0)
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await page.getByRole('button', { name: 'Add Session', exact: true }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  // It wasn't learned. In the form, another child than on the card is chosen.
  await say(page, said)
  await page.getByRole('button', { name: 'Child: Lachlan' }).click()
  await page.getByRole('button', { name: 'Edit & Review' }).click()
  await expect(nextTime).toHaveCount(0)
  await page.getByLabel('Child').selectOption({ label: 'Isla' })
  await expect(page.getByText('Next time, “Bixby” is Isla.')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Add Session', exact: true }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()

  await say(page, said)
  await expect(page.getByTitle('Isla', { exact: true })).toBeVisible()
  await expect(page.getByText('Next time').filter({ visible: true })).toHaveCount(0)

  await page.goto('/account')
  const names = page.getByRole('region', { name: 'Names Tutorlog learned' })
  await expect(names).toContainText('“Bixby” is Isla')
  expect(await faultsOf(page)).toEqual([])
  await names.getByRole('button', { name: 'Forget that “Bixby” is Isla' }).click()
  await expect(page.getByText('“Bixby” forgotten')).toBeVisible()
  await expect(names).toHaveCount(0)
  expect(await read(page, 'learned-names')).toEqual({ names: [] })
})
