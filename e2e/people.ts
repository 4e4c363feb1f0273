// Users for the journeys. They go through the sign-up pages and the mailbox, like any other user.
import { expect, type Page } from '@playwright/test'

let count = 0

export interface Person {
  email: string
  password: string
}

/** Someone who doesn't have an account yet. */
export function someone(): Person {
  count += 1
  return { email: `person-${process.pid}-${count}@example.com`, password: 'greenhouse-41' }
}

/** Waits for an email to this address with this text in its subject. Returns the newest one. */
export async function mailTo(
  page: Page,
  email: string,
  subject: string,
): Promise<{ subject: string; text: string }> {
  let mail: { subject: string; text: string } | undefined
  await expect(async () => {
    const answer = await page.request.get(`/mailbox/messages?to=${encodeURIComponent(email)}`)
    const mails = (await answer.json()) as { subject: string; text: string }[]
    mail = mails.find((candidate) => candidate.subject.includes(subject))
    expect(mail, `an email "${subject}" for ${email}`).toBeDefined()
  }).toPass({ intervals: [100], timeout: 30_000 })
  return mail as { subject: string; text: string }
}

export function linkIn(text: string): string {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? ''
}

/** Fills in both steps of the sign-up. Starts at `from` if given, such as an invitation link. */
export async function signUp(
  page: Page,
  person: Person,
  role: 'Parent' | 'Tutor' = 'Parent',
  from = '/signup',
): Promise<void> {
  await page.goto(from)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password').fill(person.password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Who are you here as?' })).toBeVisible()
  await page.getByRole('radio', { name: new RegExp(role) }).check({ force: true })
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(
    page.getByText(
      'Account created successfully! Please check your email to verify your account before signing in.',
    ),
  ).toBeVisible()
}

/**
 * Creates and confirms an account through the API instead of the pages, then opens the dashboard. Journeys
 * that test signing up use signUp and confirm instead.
 */
export async function arrive(
  page: Page,
  role: 'Parent' | 'Tutor' = 'Parent',
  email?: string,
): Promise<Person> {
  const person = { ...someone(), ...(email ? { email } : {}) }
  const { origin } = new URL((await page.request.get('/healthz')).url())
  const signedUp = await page.request.post('/api/auth/sign-up', {
    data: { ...person, role: role.toLowerCase() },
    headers: { origin },
  })
  expect(signedUp.status(), await signedUp.text()).toBe(200)
  const link = new URL(linkIn((await mailTo(page, person.email, 'Verify your email')).text))
  const verified = await page.request.post('/api/auth/verify', {
    data: { token: new URLSearchParams(link.hash.slice(1)).get('token') },
    headers: { origin },
  })
  expect(verified.status(), await verified.text()).toBe(200)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
  return person
}

/** Opens the emailed link in the browser that was used to sign up. This leads to the dashboard. */
export async function confirm(page: Page, { email }: Person): Promise<void> {
  await page.goto(linkIn((await mailTo(page, email, 'Verify your email')).text))
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: /^Hello/ })).toBeVisible()
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}
