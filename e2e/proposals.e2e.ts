// What isn't right about a session, with what would be, and the other side's one tap.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { aFamily, connected, otherPhone } from './pairs.ts'
import { arrive, linkIn, mailTo, someone } from './people.ts'
import { dayFromToday, faultsOf, post, read, send, watch } from './screens.ts'
import { countTaps } from './taps.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a tutor unchecks a lesson on the emailed page, and the family accepts the right duration in one tap', async ({
  page: family,
  browser,
}) => {
  const { email, log, connect } = await aFamily(family, { currency: 'EUR' })
  for (const back of [-3, -2]) await log({ date: await dayFromToday(family, back), is_another: true })
  await connect()
  const tutor = await otherPhone(family, browser)
  await tutor.goto(linkIn((await mailTo(family, email, 'asks you to confirm')).text))
  await expect(tutor.getByRole('button', { name: 'Confirm all 2, €90.00' })).toBeVisible()
  const wrong = tutor.getByRole('list', { name: 'Sessions to confirm' }).getByRole('listitem').first()
  await wrong.getByRole('checkbox').uncheck()
  const asked = tutor.getByRole('form', { name: /^Not right, Maya/ })
  await asked.getByText('Rate', { exact: true }).click()
  await asked.getByLabel('Right rate (€/hour)').fill('45')
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(asked.getByText('Enter the rate that’s right')).toBeVisible()
  await asked.getByLabel('Right rate (€/hour)').fill('43,50')
  await tutor.reload()
  await expect(asked.getByLabel('Right rate (€/hour)'), 'what was typed is still there').toHaveValue('43,50')
  await asked.getByText('Time', { exact: true }).click()
  await asked.getByLabel('Right duration (hours)').fill('0,75')
  expect(await faultsOf(tutor)).toEqual([])
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(asked).toBeHidden()
  await tutor.getByRole('button', { name: 'Confirm 1 session, €45.00' }).click()
  await expect(tutor.getByText(/^1 confirmed, €45\.00\. 1 sent as not right: .*Maya\.$/)).toBeVisible()
  await expect(tutor.getByText('You said 45 minutes instead of 60, €33.75 instead of €45.00')).toBeVisible()

  await watch(family, '/dashboard')
  const taps = await countTaps(family)
  const row = family.locator('#to-confirm').getByRole('listitem')
  await expect(row).toContainText('Ingrid Lindqvist says 45 minutes instead of 60, €33.75 instead of €45.00')
  await row.getByRole('button', { name: /^Accept, Maya/ }).click()
  await expect(family.getByText('Accepted', { exact: true })).toBeVisible()
  taps.expectAtMost('what the other side says is right, accepted')
  const { sessions } = await read<{ sessions: { verified_by_tutor: boolean; duration: number }[] }>(
    family,
    'sessions',
  )
  expect(sessions.map((one) => [one.verified_by_tutor, one.duration]).sort()).toEqual([
    [true, 0.75],
    [true, 1],
  ])
  await tutor.context().close()
})

test('a family without an account unchecks a lesson on the emailed page, and the tutor accepts the right duration in one tap', async ({
  page: tutor,
  browser,
}) => {
  await arrive(tutor, 'Tutor')
  await send(tutor, 'patch', 'me', { currency: 'EUR', full_name: 'Ingrid Lindqvist' })
  const [self] = await read<{ id: string }[]>(tutor, 'tutors')
  await send(tutor, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  const maya = await post(tutor, 'students', { name: 'Maya Whitfield' })
  for (const back of [-3, -2])
    await post(tutor, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: await dayFromToday(tutor, back),
      duration: 1,
    })
  const { email } = someone()
  await post(tutor, 'connections', { email, student_ids: [maya.id] })
  const parent = await otherPhone(tutor, browser, { locale: 'de-DE' })
  await parent.goto(linkIn((await mailTo(tutor, email, 'asks you to confirm')).text))
  await expect(parent.getByRole('button', { name: 'Confirm all 2, €90.00' })).toBeVisible()
  const wrong = parent.getByRole('list', { name: 'Sessions to confirm' }).getByRole('listitem').first()
  await wrong.getByRole('checkbox').uncheck()
  const asked = parent.getByRole('form', { name: /^Not right, Maya/ })
  await asked.getByText('Time', { exact: true }).click()
  const duration = asked.getByLabel('Right duration (hours)')
  await duration.fill('')
  await duration.pressSequentially('0,75')
  expect(await faultsOf(parent)).toEqual([])
  await asked.getByRole('button', { name: 'Send' }).click()
  await expect(asked).toBeHidden()
  await parent.getByRole('button', { name: 'Confirm 1 session, €45.00' }).click()
  await expect(parent.getByText(/^1 confirmed, €45\.00\. 1 sent as not right: .*Maya\.$/)).toBeVisible()
  await expect(parent.getByText('You said 45 minutes instead of 60, €33.75 instead of €45.00')).toBeVisible()

  await watch(tutor, '/dashboard')
  const taps = await countTaps(tutor)
  const row = tutor.locator('#to-confirm').getByRole('listitem')
  await expect(row).toContainText(/says 45 minutes instead of 60, €33\.75 instead of €45\.00/)
  expect(await faultsOf(tutor)).toEqual([])
  await row.getByRole('button', { name: /^Accept, Maya/ }).click()
  await expect(tutor.getByText('Accepted', { exact: true })).toBeVisible()
  taps.expectAtMost('what the other side says is right, accepted')
  await expect(tutor.getByRole('region', { name: 'You’re owed €78.75', exact: true })).toBeVisible()
  await parent.reload()
  await expect(parent.getByText('You owe €78.75').first()).toBeVisible()
  await parent.context().close()
})

test('a family unchecks a lesson in the app, and the tutor accepts in the app’s list or says what is right instead', async ({
  page: family,
  browser,
}) => {
  const { tutor, own, today } = await connected(family, browser)
  const logged = await post(tutor, 'sessions', { ...own, date: today, duration: 2 })
  await watch(family, '/to-confirm')
  await expect(family.getByRole('heading', { name: 'This week' })).toBeVisible()
  await family.getByRole('checkbox', { name: /Maya/ }).uncheck()
  await family.getByText('Didn’t happen', { exact: true }).click()
  await family.getByLabel(/^Note to Ingrid Lindqvist/).fill('She was ill')
  await family.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(family.getByText('You said it didn’t happen')).toBeVisible()

  await watch(tutor, '/to-confirm')
  await expect(tutor.getByText(/says it didn’t happen$/)).toBeVisible()
  await expect(tutor.getByText('“She was ill”')).toBeVisible()
  await tutor.getByRole('button', { name: /^Not right, / }).click()
  await tutor.getByText('Time', { exact: true }).click()
  await tutor.getByLabel('Right duration (hours)').fill('1')
  expect(await faultsOf(tutor)).toEqual([])
  await tutor.getByRole('button', { name: 'Send', exact: true }).click()

  await expect(family.getByText('Ingrid Lindqvist says 60 minutes instead of 120')).toBeVisible()
  await family.getByRole('button', { name: /^Accept, Maya/ }).click()
  await expect(family.getByText('Agreed').first()).toBeVisible()
  await expect(tutor.getByText('Agreed').first()).toBeVisible()
  const { sessions } = await read<{ sessions: { id: string; duration: number }[] }>(tutor, 'sessions')
  expect(sessions).toMatchObject([{ id: logged.id, duration: 1 }])
  await tutor.context().close()
})

test('the tick of the other side draws itself in the row that is open', async ({ page: family, browser }) => {
  const { tutor, log } = await connected(family, browser)
  const session = await log()
  await watch(family, '/summary')
  await expect(family.getByText('Waiting for tutor').first()).toBeVisible()
  await expect(family.locator('.ticks .draw')).toHaveCount(0)
  await send(tutor, 'post', `sessions/${session.id}/confirm`, {})
  await expect(family.locator('.ticks .draw').first()).toBeVisible()
  await expect(family.locator('[aria-live=polite]').filter({ hasText: /Maya Whitfield, .*: / })).toHaveCount(
    1,
  )
  await tutor.context().close()
})
