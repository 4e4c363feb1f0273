// Several people keep one family's records. They get invited, switch between families, and leave.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive, linkIn, mailTo, signIn, someone } from './people.ts'
import { dayFromToday, openUntil, post, read, send, watch } from './screens.ts'

/** Ana Whitfield's family: a child, a tutor and one session. */
async function aFamily(page: Page): Promise<void> {
  await arrive(page)
  await send(page, 'patch', 'me', { full_name: 'Ana Whitfield' })
  const { log } = await mayaWithIngrid(page, { child: 'Maya Whitfield' })
  await log({ date: await dayFromToday(page, -1), subject: 'Reading' })
}

/** Invites an address on the owner's account page and returns the emailed link. */
async function invite(page: Page, email: string, role?: 'Parent' | 'Viewer'): Promise<string> {
  await page.goto('/account')
  await page.getByRole('button', { name: /^Invite (someone|the other parent)$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite to your family' })
  await dialog.getByLabel('Email').fill(email)
  if (role === 'Viewer') await dialog.getByRole('button', { name: 'They should only look' }).click()
  else if (role) await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('Invitation sent')).toBeVisible()
  await expect(dialog).toBeHidden()
  return linkIn((await mailTo(page, email, 'invited you to their')).text)
}

/** Joins without having an account. It all happens on one screen. */
async function join(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: "Join Ana Whitfield's family" })).toBeVisible()
  await page.getByLabel('Choose a password').fill(password)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
}

async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name }).click()
  await expect(page.getByText(`Switched to ${name.replace('Your', 'your')}`)).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** A removed member finds out from the event stream or from the next request, whichever comes first. */
async function expectRemoved(page: Page): Promise<void> {
  // Looks at every frame, because the message makes room as soon as the link leads on.
  const told = page.waitForFunction(() =>
    document.body.textContent.includes('You are no longer a member of that workspace.'),
  )
  await page
    .getByRole('link', { name: 'Summary', exact: true })
    .click({ timeout: 3000 })
    .catch(() => undefined)
  await told
}

const members = (page: Page) => page.getByRole('region', { name: 'Family' })

test('a second parent joins from the email with a password, logs a session, and the owner sees it without a reload', async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const sam = someone()
  const link = await invite(page, sam.email)
  await expect(members(page).getByText(sam.email)).toBeVisible()
  await expect(members(page).getByText(/^Parent, invitation expires /)).toBeVisible()
  await watch(page, '/dashboard')
  await expect(page.getByText('Reading, 1 h', { exact: true })).toBeVisible()

  const second = await otherPhone(page, browser)
  await second.goto(link)
  await expect(second).toHaveURL(/\/join$/)
  await expect(second.getByLabel('Email')).toHaveValue(sam.email)
  // Opening the link doesn't make someone a member yet, and a reload doesn't lose the link.
  await second.reload()
  await second.getByLabel('Your name').fill('Sam Whitfield')
  await second.getByLabel('Choose a password').fill('abc')
  await second.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(second.getByText('Password must be at least 6 characters long')).toBeVisible()
  await second.getByLabel('Choose a password').fill(sam.password)
  await second.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(second.getByRole('heading', { level: 1, name: 'Hello, Sam' })).toBeVisible()
  await second.getByRole('link', { name: 'Log Session', exact: true }).click()
  await second.getByLabel('Subject').fill('Algebra')
  await second.getByRole('button', { name: 'Add Session' }).click()
  await expect(second.getByText('Algebra, 1 h')).toBeVisible()

  await expect(page.getByText('Algebra, 1 h')).toBeVisible()
  await page.goto('/account')
  await expect(members(page).getByText('Sam Whitfield', { exact: true })).toBeVisible()
  await second.goto('/account')
  await expect(members(second).getByText('You', { exact: true })).toBeVisible()
  await expect(members(second).getByText('Owner')).toBeVisible()
  // Only the owner sees the plan and the members.
  await expect(second.getByRole('heading', { name: 'Plan' })).toHaveCount(0)
  await expect(second.getByRole('button', { name: /^Invite (someone|the other parent)$/ })).toHaveCount(0)
  await second.context().close()
})

test('someone who already has a family joins another by signing in, and switches between the two', async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const second = await otherPhone(page, browser)
  const kim = await arrive(second)
  await post(second, 'students', { name: 'Theo Park' })
  await second.context().clearCookies()

  await second.goto(await invite(page, kim.email))
  await second.getByRole('button', { name: 'Sign in to join' }).click()
  await expect(second).toHaveURL(/\/login$/)
  await second.getByLabel('Email').fill(kim.email)
  await second.getByLabel('Password', { exact: true }).fill(kim.password)
  await second.getByRole('button', { name: 'Sign In' }).click()
  await expect(second).toHaveURL(/\/join$/)
  await expect(second.getByText('This won’t affect your family.')).toBeVisible()
  await second.getByRole('button', { name: 'Join the family' }).click()
  await expect(second).toHaveURL(/\/dashboard$/)
  await expect(second.getByText('Reading, 1 h', { exact: true })).toBeVisible()

  // For someone in two families, the header and every form name the current one. With just one family, they
  // don't.
  const menu = second.getByRole('button', { name: /^Account menu, .*Ana Whitfield's family/ })
  await expect(menu).toHaveText(/^Ana Whitfield's family/)
  await second.goto('/children')
  await second.getByRole('button', { name: 'Add Child' }).first().click()
  const form = second.getByRole('region', { name: 'Add New Child' })
  await expect(form.getByText("Ana Whitfield's family")).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Account menu', exact: true })).toBeVisible()
  await second.setViewportSize({ width: 1280, height: 900 })
  await expect(menu).toHaveText(/Ana Whitfield's family/)
  await second.setViewportSize({ width: 390, height: 844 })

  const tab = await second.context().newPage()
  await tab.goto('/children')
  await expect(tab.getByRole('heading', { name: 'Maya Whitfield' })).toBeVisible()
  await switchTo(second, 'Your family')
  await expect(second.getByText('Reading, 1 h', { exact: true })).toHaveCount(0)
  await expect(tab).toHaveURL(/\/dashboard$/)
  for (const one of [second, tab]) {
    await one.getByRole('link', { name: 'Children', exact: true }).click()
    await expect(one.getByRole('heading', { name: 'Theo Park' })).toBeVisible()
    await expect(one.getByText('Maya Whitfield')).toHaveCount(0)
  }
  await tab.close()

  await switchTo(second, "Ana Whitfield's family")
  await second.getByRole('link', { name: 'Children', exact: true }).click()
  await expect(second.getByRole('heading', { name: 'Maya Whitfield' })).toBeVisible()
  await expect(second.getByText('Theo Park')).toHaveCount(0)
  await second.reload()
  await expect(second.getByRole('heading', { name: 'Maya Whitfield' })).toBeVisible()
  await second.getByRole('button', { name: 'Account menu' }).click()
  await expect(second.getByRole('menuitemradio', { checked: true })).toHaveText("Ana Whitfield's family")
  // Its first item gets the focus a moment after the menu appears.
  await expect(second.getByRole('menuitem').first()).toBeFocused()
  await second.keyboard.press('End')
  await expect(second.getByRole('menuitemradio', { name: "Ana Whitfield's family" })).toBeFocused()
  await second.keyboard.press('ArrowUp')
  await expect(second.getByRole('menuitemradio', { name: 'Your family' })).toBeFocused()
  await second.context().close()
})

test('after the second session, a family is offered to invite the other parent, and no longer once they did', async ({
  page,
}) => {
  await aFamily(page)
  const offer = page.getByRole('region', { name: 'Invite the other parent?' })
  await page.goto('/dashboard')
  await expect(page.getByText('Reading, 1 h', { exact: true })).toBeVisible()
  await expect(offer).toHaveCount(0)
  const { sessions } = await read<{ sessions: { student_id: string; tutor_id: string }[] }>(page, 'sessions')
  const [session] = sessions
  const date = await dayFromToday(page, 0)
  await post(page, 'sessions', {
    student_id: session?.student_id,
    tutor_id: session?.tutor_id,
    date,
    duration: 1,
  })
  await page.goto('/dashboard')
  await offer.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await offer.getByRole('button', { name: 'Invite them' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite to your family' })
  await dialog.getByLabel('Email').fill(someone().email)
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('Invitation sent')).toBeVisible()
  await expect(offer).toHaveCount(0)
})

test('what was typed in one family is still there after switching to another and back', async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const second = await otherPhone(page, browser)
  const kim = await arrive(second)
  await second.goto(await invite(page, kim.email))
  await second.getByRole('button', { name: 'Join the family' }).click()
  await expect(second.getByText('Reading, 1 h', { exact: true })).toBeVisible()
  await second.getByRole('link', { name: 'Log Session', exact: true }).click()
  await second.getByLabel('Notes').fill('Long division')
  await switchTo(second, 'Your family')
  await second.goto('/add-session')
  await expect(second.getByLabel('Notes')).toHaveValue('')
  await switchTo(second, "Ana Whitfield's family")
  await second.goto('/add-session')
  await expect(second.getByLabel('Notes')).toHaveValue('Long division')

  // A session logged offline goes to the family it was logged for, no matter which family is selected when
  // it's sent.
  await second.getByLabel('Subject').fill('Fractions')
  await second
    .context()
    .route('**/api/v1/sessions', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
  await second.getByRole('button', { name: 'Add Session' }).click()
  await expect(second.getByText('Waiting to be sent').first()).toBeVisible()
  await switchTo(second, 'Your family')
  await expect(second.getByText('Fractions')).toHaveCount(0)
  await second.context().unroute('**/api/v1/sessions')
  await second.reload()
  await openUntil(page, '/dashboard', page.getByText('Fractions, 1 h'))
  await expect(second.getByText('Fractions')).toHaveCount(0)

  // A session that can't be sent anymore stays on the device with the reason. The user can discard it.
  await switchTo(second, "Ana Whitfield's family")
  await second.getByRole('link', { name: 'Log Session', exact: true }).click()
  await second.getByLabel('Subject').fill('Decimals')
  await second
    .context()
    .route('**/api/v1/sessions', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
  await second.getByRole('button', { name: 'Add Session' }).click()
  await expect(second.getByText('Waiting to be sent').first()).toBeVisible()
  await page.goto('/account')
  await page.getByRole('button', { name: `Remove ${kim.email}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText(`${kim.email} was removed`)).toBeVisible()
  // Checks the removal message first, because the message about the rejected session replaces it.
  await expectRemoved(second)
  await second.context().unroute('**/api/v1/sessions')
  await second.goto('/dashboard')
  const stranded = second.getByRole('region', { name: 'Waiting to be sent' })
  await expect(stranded.getByText('Decimals, 1 h')).toBeVisible()
  await expect(
    stranded.getByText(
      "You're no longer a member of the workspace where you logged this, so it can't be sent.",
    ),
  ).toBeVisible()
  await expect(stranded.getByRole('button', { name: /^Try again|^Edit/ })).toHaveCount(0)
  await stranded.getByRole('button', { name: 'Discard session, Maya Whitfield' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(stranded).toHaveCount(0)
  await second.context().close()
})

test("a viewer sees everything and can't change anything; once removed, they're told and taken to their own family", async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const viewer = someone()
  const second = await otherPhone(page, browser)
  await join(second, await invite(page, viewer.email, 'Viewer'), viewer.password)
  await expect(second.getByText('Reading, 1 h', { exact: true })).toBeVisible()
  const writes =
    /^(Add(?! a passkey)|Edit|Delete (?!account)|Archive|Create|Record|Import|Log|Ask|Invite (?!Friends)|Yes|Move)\b/
  for (const [path, shown] of [
    ['/dashboard', 'Reading, 1 h'],
    ['/children', 'Maya Whitfield'],
    ['/tutors', '$45.00'],
    ['/schedules', 'No schedules yet'],
    ['/summary', '$45.00'],
    ['/payments', '$45.00'],
    ['/account', 'Leave this family'],
  ] as const) {
    await second.goto(path)
    await expect(second.getByText(shown).first(), path).toBeVisible()
    await expect(second.getByRole('button', { name: writes }), path).toHaveCount(0)
    await expect(second.getByRole('link', { name: writes }), path).toHaveCount(0)
  }
  for (const path of ['/add-session', '/import']) {
    await second.goto(path)
    await expect(
      second.getByRole('heading', {
        level: 1,
        name: "You can view this family's records, but you can't change them.",
      }),
    ).toBeVisible()
  }
  await second.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(second.getByText('Reading, 1 h', { exact: true })).toBeVisible()

  await page.goto('/account')
  await page.getByRole('button', { name: `Remove ${viewer.email}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText(`${viewer.email} was removed`)).toBeVisible()
  await expect(members(page).getByRole('listitem')).toHaveCount(1)

  await expectRemoved(second)
  await expect(second.getByRole('heading', { level: 1, name: 'Who are you here as?' })).toBeVisible()
  await expect(second.getByText('Maya Whitfield')).toHaveCount(0)
  await second.context().close()
})

test('an invitation that was used, withdrawn or sent to another address says so', async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const [first, other] = [someone(), someone()]
  const used = await invite(page, first.email)
  const second = await otherPhone(page, browser)
  await join(second, used, first.password)
  const over = second.getByRole('heading', { level: 1, name: 'This invitation no longer works' })
  await second.goto(used)
  await expect(over).toBeVisible()
  await second.getByRole('link', { name: 'Go to dashboard' }).click()
  await expect(second.getByText('Reading, 1 h', { exact: true })).toBeVisible()

  const withdrawn = await invite(page, other.email)
  // The invitation is for an address other than the signed-in user's.
  await second.goto(withdrawn)
  await expect(second.getByText(`This invitation is for ${other.email}.`)).toBeVisible()
  await second.getByRole('button', { name: 'Sign Out' }).click()
  await expect(second.getByLabel('Choose a password')).toBeVisible()

  await page.getByRole('button', { name: `Withdraw the invitation to ${other.email}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('Invitation withdrawn')).toBeVisible()
  await second.getByLabel('Choose a password').fill(other.password)
  await second.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(over).toBeVisible()
  await second.getByRole('link', { name: 'Sign In' }).click()
  await signIn(second, first)
  await expect(second.getByText('Reading, 1 h', { exact: true })).toBeVisible()
  await second.context().close()
})

test('someone starts a practice from the account settings and switches between it and their family', async ({
  page,
}) => {
  await aFamily(page)
  await page.goto('/students')
  await expect(
    page.getByRole('heading', { level: 1, name: "You don't have permission to access this page." }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Switch to/ })).toHaveCount(0)

  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menuitem', { name: /^Start a/ })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await expect(page.getByRole('button', { name: 'Start a family' })).toHaveCount(0)
  await page.getByText('Do you teach, too?').click()
  await page.getByRole('button', { name: 'Start a practice' }).click()
  const question = page.getByRole('alertdialog', { name: 'Start a practice' })
  // This server doesn't take payments.
  await expect(question.getByText(/plan|trial/)).toHaveCount(0)
  await question.getByRole('button', { name: 'Start a practice' }).click()
  await expect(page.getByText('Practice created')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Get set up' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add a Student' })).toBeVisible()
  await expect(page.getByText('Reading, 1 h', { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Add a Student' }).click()
  await page.getByRole('button', { name: 'Add Student' }).first().click()
  await page.getByLabel('Student Name').fill('Lea Novak')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Student' }).click()
  await expect(page.getByRole('heading', { name: 'Lea Novak' })).toBeVisible()

  // Both workspaces can be selected, and the menu doesn't offer to create another one.
  await page.reload()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Your practice')
  await expect(page.getByRole('menuitem', { name: /^Start a/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await switchTo(page, 'Your family')
  await expect(page.getByText('Reading, 1 h', { exact: true })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('region', { name: 'Family' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Create your own workspace' })).toHaveCount(0)

  // A page that belongs to another workspace offers to switch to it.
  await page.goto('/students')
  await expect(page.getByText('It belongs to your practice.')).toBeVisible()
  await page.getByRole('button', { name: 'Switch to your practice' }).click()
  await expect(page.getByRole('heading', { name: 'Lea Novak' })).toBeVisible()
  await expect(page).toHaveURL(/\/students$/)
  await page.goto('/children')
  await page.getByRole('button', { name: 'Switch to your family' }).click()
  await expect(page.getByRole('heading', { name: 'Maya Whitfield' })).toBeVisible()
})

test('a second parent starts a practice in the settings, becomes the owner of the family, and the former owner leaves', async ({
  page,
  browser,
}) => {
  await aFamily(page)
  const sam = someone()
  const second = await otherPhone(page, browser)
  await join(second, await invite(page, sam.email), sam.password)
  await second.goto('/account')
  const own = second.getByRole('region', { name: 'Create your own workspace' })
  await own.getByRole('button', { name: 'Start a practice' }).click()
  const question = second.getByRole('alertdialog', { name: 'Start a practice' })
  await expect(question.getByText(/plan|trial/)).toHaveCount(0)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(own.getByRole('button', { name: 'Start a family' })).toBeVisible()

  await page.goto('/account')
  await expect(page.getByRole('button', { name: 'Leave this family' })).toHaveCount(0)
  const role = page.getByLabel(`${sam.email}’s role`)
  await role.selectOption('Make owner...')
  const asked = page.getByRole('alertdialog', { name: `Make ${sam.email} the owner?` })
  await expect(
    asked.getByText('They will manage the members. Your role will change to parent.'),
  ).toBeVisible()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(role).toHaveValue('parent')
  await role.selectOption('Make owner...')
  await asked.getByRole('button', { name: 'Make owner' }).click()
  await expect(page.getByText(`${sam.email} is the owner now`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Invite (someone|the other parent)$/ })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Plan' })).toHaveCount(0)
  expect((await mailTo(page, sam.email, 'You are now the owner')).text).toContain(
    'Ana Whitfield made you the owner of the family',
  )

  // The new owner's screens update without signing in again.
  await second.goto('/account')
  await expect(second.getByRole('button', { name: /^Invite (someone|the other parent)$/ })).toBeVisible()
  await expect(second.getByRole('heading', { name: 'Plan' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave this family' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Who are you here as?' })).toBeVisible()
  // The former owner creates another family or practice.
  await page.getByRole('radio', { name: /^Tutor/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('link', { name: 'Students', exact: true })).toBeVisible()
  await second.reload()
  await expect(members(second).getByRole('listitem')).toHaveCount(1)
  await second.context().close()
})
