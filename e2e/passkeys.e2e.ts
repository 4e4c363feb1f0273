// Signing up, in and back in with passkeys or a second step, and proving that it's you. Chromium's virtual device keeps the passkeys.
import { expect, type Page } from '@playwright/test'
import pg from 'pg'
import { runningDatabaseUrl } from '../src/platform/db/embedded.server.ts'
import { appCode } from '../src/main/testing/authenticator-app.ts'
import { giveDevice } from './device.ts'
import { test } from './journey.ts'
import { arrive, confirm, linkIn, mailTo, type Person, signIn, someone } from './people.ts'
import { faultsOf, post, ruleFaults, smallTargets, widthFaults } from './screens.ts'
import { scanned } from './scanned.ts'
import { runServer } from './server.ts'

const PORT = '4179'
let server: Awaited<ReturnType<typeof runServer>>

// These journeys run one at a time, because they share a server whose logins they backdate.
test.describe.configure({ mode: 'default' })
test.use({ baseURL: `http://localhost:${PORT}` })
test.beforeAll(async () => {
  server = await runServer(PORT)
})
test.afterAll(async () => server.stop())

type VirtualDevice = Awaited<ReturnType<typeof giveDevice>>

/** Copies the passkeys of one device to another, as password managers do. */
async function sync(from: VirtualDevice, to: VirtualDevice): Promise<void> {
  const { credentials } = await from.cdp.send('WebAuthn.getCredentials', {
    authenticatorId: from.authenticatorId,
  })
  expect(credentials.length).toBeGreaterThan(0)
  for (const credential of credentials)
    await to.cdp.send('WebAuthn.addCredential', { authenticatorId: to.authenticatorId, credential })
}

/** Signs up with a passkey. The link isn't opened yet. */
async function signUpWithPasskey(page: Page, person: Person): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('radio', { name: /Parent/ }).check({ force: true })
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Account created successfully!', { exact: false })).toBeVisible()
}

async function minutesPass(minutes: number): Promise<void> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(server.dataDir) })
  await client.connect()
  await client.query('update logins set proven_at = proven_at - make_interval(mins => $1)', [minutes])
  await client.end()
}

const passkeysOn = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

test('A23: someone signs up with just a passkey, adds a second, signs in on another browser, and can’t remove the last', async ({
  page,
  browser,
}) => {
  const person = someone()
  const phone = await giveDevice(page)
  await signUpWithPasskey(page, person)
  await confirm(page, person)

  await page.goto('/account')
  const section = passkeysOn(page)
  await expect(section.getByText('Chrome on Linux', { exact: true })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await section.getByRole('button', { name: 'Remove Chrome on Linux', exact: true }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(
    page.getByText('This is your only way to sign in. Add another passkey or set a password first.'),
  ).toBeVisible()
  await expect(section.getByText('Chrome on Linux', { exact: true })).toBeVisible()

  const laptop = await browser.newContext()
  const other = await laptop.newPage()
  const device = await giveDevice(other)
  await sync(phone, device)
  await other.goto('/login')
  // The page's suggestions may have signed in already, because this device needs nobody to choose.
  await other
    .getByRole('button', { name: 'Use a passkey' })
    .click({ timeout: 2000 })
    .catch(() => undefined)
  await expect(other.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()

  // A second device of its own, because the first one already has a passkey for this account.
  await phone.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: phone.authenticatorId })
  await giveDevice(page)
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('It’s called Chrome on Linux 2.')).toBeVisible()
  await section.getByRole('button', { name: 'Rename Chrome on Linux 2' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Security key')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(section.getByText('Security key')).toBeVisible()
  await section.getByRole('button', { name: 'Remove Chrome on Linux', exact: true }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('Passkey removed')).toBeVisible()
  await expect(section.getByText('Chrome on Linux', { exact: true })).toHaveCount(0)

  // The removed one doesn't sign in anymore.
  await laptop.clearCookies()
  await other.goto('/login')
  await other.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(
    other.getByText('This passkey didn’t work. Please try again, or use another way.').first(),
  ).toBeVisible()
  await expect(other).toHaveURL(/\/login$/)
  await laptop.close()
})

test('A19, A23: in another browser the link asks for the passkey of the sign-up', async ({
  page,
  browser,
}) => {
  const person = someone()
  const phone = await giveDevice(page)
  await signUpWithPasskey(page, person)
  const link = linkIn((await mailTo(page, person.email, 'Verify your email')).text)
  const laptop = await browser.newContext()
  const other = await laptop.newPage()
  const device = await giveDevice(other)
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Use your passkey' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'sign up again here' })).toBeVisible()
  expect(await faultsOf(other)).toEqual([])
  await sync(phone, device)
  await other.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(other).toHaveURL(/\/dashboard$/)
  await expect(other.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await laptop.close()
})

test('A23: someone who lost all passkeys gets back in by email, with a new one', async ({ page }) => {
  const person = someone()
  const lost = await giveDevice(page)
  await signUpWithPasskey(page, person)
  await confirm(page, person)
  await page.context().clearCookies()
  await lost.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: lost.authenticatorId })

  await giveDevice(page)
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send Reset Instructions' }).click()
  await page.goto(linkIn((await mailTo(page, person.email, 'Reset your')).text))
  await page.getByRole('button', { name: 'Use a new passkey instead' }).click()
  await expect(page.getByText('Your new passkey has been added.')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await expect(passkeysOn(page).getByText('Chrome on Linux 2', { exact: true })).toBeVisible()
})

test('A24: long after signing in, a passkey or the password is asked for in place, and what was typed stays', async ({
  page,
}) => {
  const person = await arrive(page)
  const device = await giveDevice(page)
  await page.goto('/account')
  await passkeysOn(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()

  await minutesPass(11)
  await page.getByRole('button', { name: 'Invite the other parent' }).click()
  const dialog = page.getByRole('dialog', { name: /^Invite to/ })
  await dialog.getByLabel('Email').fill('gran@example.com')
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof.getByRole('button', { name: 'Use your passkey' })).toBeVisible()
  expect([...(await widthFaults(page)), ...(await smallTargets(page)), ...(await ruleFaults(page))]).toEqual(
    [],
  )
  await proof.getByRole('button', { name: 'Cancel' }).click()
  await expect(proof).toBeHidden()
  await expect(dialog.getByLabel('Email')).toHaveValue('gran@example.com')
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await proof.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('gran@example.com').first()).toBeVisible()

  await minutesPass(11)
  const downloads = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await proof.getByLabel('Your password').fill('not-it-at-all')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(proof.getByText("That's not your password")).toBeVisible()
  await proof.getByLabel('Your password').fill(person.password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  expect((await downloads).suggestedFilename()).toMatch(/^tutorlog-export-/)
  await device.cdp.detach()
})

test('a browser without passkeys says so, and the password still signs in', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'PublicKeyCredential', { value: undefined })
    Reflect.deleteProperty(window, 'PublicKeyCredential')
  })
  const person = await arrive(page)
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('This browser can’t use passkeys here.', { exact: false })).toBeVisible()
  await signIn(page, person)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/account')
  await expect(page.getByText('This browser can’t use passkeys here')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
})

test('A23: whoever is invited joins with a passkey instead of a password', async ({ page, browser }) => {
  const invited = someone()
  await arrive(page)
  await post(page, 'members', { email: invited.email, role: 'parent' })
  const phone = await browser.newContext()
  const other = await phone.newPage()
  await giveDevice(other)
  await other.goto(linkIn((await mailTo(page, invited.email, 'invited you')).text))
  await other.getByLabel('Your name').fill('Sam Whitfield')
  await other.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(other.getByLabel('Choose a password')).toHaveCount(0)
  await expect(other.getByLabel('Your name')).toHaveValue('Sam Whitfield')
  expect(await faultsOf(other)).toEqual([])
  await other.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(other.getByRole('heading', { level: 1, name: 'Hello, Sam' })).toBeVisible()
  await other.goto('/account')
  await expect(passkeysOn(other).getByText('Chrome on Linux', { exact: true })).toBeVisible()
  // Without a password, there's nothing that a second step would protect.
  await expect(other.getByRole('region', { name: 'Second step' })).toHaveCount(0)
  await phone.close()
})

const secondStepOn = (page: Page) => page.getByRole('region', { name: 'Second step' })
const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000)

/** Sets up the second step in the account settings. The code for now is then used up. */
async function setUpSecondStep(page: Page): Promise<{ secret: string; recovery: string[] }> {
  await page.goto('/account')
  await secondStepOn(page).getByRole('button', { name: 'Set up the second step' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up the second step' })
  const uri = await scanned(page, dialog.getByRole('img', { name: 'QR code for your authenticator app' }))
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? ''
  await expect(dialog.getByText(secret.match(/.{4}/g)?.join(' ') ?? '')).toBeVisible()
  await dialog.getByLabel('Code from the app').fill(appCode(secret, secondsFromNow(0)))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Second step turned on')).toBeVisible()
  const shown = secondStepOn(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  return { secret, recovery: await shown.allTextContents() }
}

const codeHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Enter your code' })

test('A23: a second step is set up with an app, signs in with the password and a code, and is turned off again', async ({
  page,
}) => {
  const person = await arrive(page)
  await page.goto('/account')
  await secondStepOn(page).getByRole('button', { name: 'Set up the second step' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up the second step' })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('Enter the code', { exact: true })).toBeVisible()
  await dialog.getByLabel('Code from the app').fill('000 000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('This code didn’t work. Enter the one your app shows now.')).toBeVisible()
  expect([...(await widthFaults(page)), ...(await smallTargets(page)), ...(await ruleFaults(page))]).toEqual(
    [],
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()

  const { secret } = await setUpSecondStep(page)
  expect(await faultsOf(page)).toEqual([])
  const downloads = page.waitForEvent('download')
  await secondStepOn(page).getByRole('button', { name: 'Download' }).click()
  expect((await downloads).suggestedFilename()).toBe('tutorlog-recovery-codes.txt')
  await page.reload()
  await expect(secondStepOn(page).getByText(/^10 left/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toHaveCount(0)

  await page.context().clearCookies()
  await signIn(page, person)
  await expect(codeHeading(page)).toBeVisible()
  await expect(page.getByLabel('Code')).toBeFocused()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText(/^This code didn’t work\./)).toBeVisible()
  await page.getByLabel('Code').fill(appCode(secret, secondsFromNow(30)))
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()

  await page.goto('/account')
  await secondStepOn(page).getByRole('button', { name: 'Turn off the second step' }).click()
  await page.getByRole('button', { name: 'Turn off', exact: true }).click()
  await expect(page.getByText('Second step turned off')).toBeVisible()
  await page.context().clearCookies()
  await signIn(page, person)
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
})

test('A23, A24: a recovery code signs in once, and long afterward the question who it is takes a code, too', async ({
  page,
  browser,
}) => {
  const person = await arrive(page)
  const { recovery } = await setUpSecondStep(page)
  const [first = '', second = '', third = ''] = recovery
  const laptop = await browser.newContext()
  const other = await laptop.newPage()
  const useCode = async (code: string) => {
    await other.getByLabel('Recovery code').fill(code)
    await other.getByRole('button', { name: 'Sign In' }).click()
  }
  await signIn(other, person)
  await other.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await useCode(first.toUpperCase())
  await expect(other.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  await laptop.clearCookies()
  await signIn(other, person)
  await other.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await useCode(first)
  await expect(other.getByText(/^This code didn’t work\./)).toBeVisible()
  await useCode(second)
  await expect(other.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()

  await minutesPass(11)
  await other.goto('/account')
  await expect(secondStepOn(other).getByText(/^8 left/)).toBeVisible()
  await secondStepOn(other).getByRole('button', { name: 'New codes' }).click()
  await other.getByRole('button', { name: 'Get new codes' }).click()
  const proof = other.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(person.password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(proof.getByText('Enter the code', { exact: true })).toBeVisible()
  await proof.getByLabel('Code from your authenticator app').fill(third)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  const shown = secondStepOn(other).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  expect(await shown.allTextContents()).not.toContain(recovery[3])
  await laptop.close()
})

test('A4, A23: resetting a password with a second step asks for the code before anything changes', async ({
  page,
}) => {
  const person = await arrive(page)
  const { secret } = await setUpSecondStep(page)
  await page.context().clearCookies()
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send Reset Instructions' }).click()
  await page.goto(linkIn((await mailTo(page, person.email, 'Reset your')).text))
  await page.getByLabel('New Password', { exact: true }).fill('tulips-and-41')
  await page.getByLabel('Confirm New Password').fill('tulips-and-41')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('Enter the code', { exact: true })).toBeVisible()
  const code = page.getByLabel('Code from your authenticator app')
  await code.fill('000000')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText(/^This code didn’t work\./)).toBeVisible()
  await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('tulips-and-41')
  expect(await faultsOf(page)).toEqual([])
  await code.fill(appCode(secret, secondsFromNow(30)))
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page.getByText('Your password has been updated successfully.')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.context().clearCookies()
  await signIn(page, { ...person, password: 'tulips-and-41' })
  await expect(codeHeading(page)).toBeVisible()
})
