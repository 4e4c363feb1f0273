// The public pages, the contact form, and invitations with their rewards.
import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { arrive, linkIn, mailTo, signUp, someone } from './people.ts'
import { pictureFaults } from './pictures.ts'
import { post, PUBLIC, settled } from './screens.ts'

const MAILBOX = 'contact@localhost'

test('a visitor reads about the app, starts the trial, and finds every public page', async ({ page }) => {
  await page.goto('/')
  for (const words of [
    '45 days free. No credit card.',
    'All your children and all their tutors in one place',
    'Recurring schedules',
    'Payments calculated',
    'How session verification works',
    'Mobile first',
  ]) {
    await expect(page.getByText(words).first()).toBeVisible()
  }
  for (const [name, path] of [
    ['Login', '/login'],
    ['Get Started', '/signup'],
    ['Start Free Trial', '/signup'],
    ['Sign In', '/login'],
    ['Help', '/help'],
    ['Contact', '/contact'],
    ['Verify', '/verify'],
    ['Terms', '/terms'],
    ['Privacy', '/privacy'],
  ] as const) {
    for (const link of await page.getByRole('link', { name, exact: true }).all())
      expect(await link.getAttribute('href')).toBe(path)
    await expect(page.getByRole('link', { name, exact: true }).first()).toBeVisible()
  }
  for (const path of ['/terms', '/privacy']) {
    await page.goto(path)
    await expect(page.getByText('Last updated: June 1, 2025')).toBeVisible()
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL(/:4173\/$/)
  }
})

test('every public page has a title, an address and a preview picture that exists', async ({ page }) => {
  const titles = new Set<string>()
  for (const path of ['/', '/login', '/signup', '/contact', '/help', '/verify', '/terms', '/privacy']) {
    await page.goto(path)
    titles.add(await page.title())
    const meta = (name: string) =>
      page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content')
    expect((await meta('description'))?.length, path).toBeGreaterThan(20)
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
      `http://localhost:4173${path}`,
    )
    expect(await meta('og:url')).toBe(`http://localhost:4173${path}`)
    const picture = await page.request.get((await meta('og:image')) ?? '')
    expect([picture.status(), picture.headers()['content-type']], path).toEqual([200, 'image/png'])
  }
  expect(titles.size).toBe(8)
  const lost = await page.request.get('/no/such/page', { headers: { accept: 'text/html' } })
  expect(await lost.text()).toContain('content="noindex"')
})

test("the pictures of the app load when scrolled into view, in the visitor's theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.getByRole('heading', { name: 'Mobile first' }).scrollIntoViewIfNeeded()
  const picture = page.getByRole('img', { name: /^A parent’s dashboard/ })
  await expect(picture).toBeVisible()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0)
  expect(asked.filter((path) => path.startsWith('/pictures/')).every((path) => path.includes('-dark-'))).toBe(
    true,
  )
})

test('a message is sent, the fields are cleared, and it arrives with its subject', async ({ page }) => {
  await page.goto('/contact')
  await expect(page.getByRole('link', { name: MAILBOX })).toHaveAttribute('href', `mailto:${MAILBOX}`)
  await page.getByRole('button', { name: 'Send Message' }).click()
  for (const words of ['Enter your name', 'Enter your email address', 'Enter a subject', 'Enter a message'])
    await expect(page.getByText(words)).toBeVisible()
  const subject = `A question ${Date.now()}`
  await page.getByLabel('Name').fill('Dana')
  await page.getByLabel('Email').fill('dana@example.com')
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill('How do I add a second child?')
  await page.reload()
  await expect(page.getByLabel('Message')).toHaveValue('How do I add a second child?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Message sent successfully!')).toBeVisible()
  await expect(page.getByText("Thank you for contacting us. We'll get back to you soon.")).toBeVisible()
  for (const label of ['Name', 'Email', 'Subject', 'Message'])
    await expect(page.getByLabel(label)).toHaveValue('')
  expect((await mailTo(page, MAILBOX, subject)).subject).toBe(`Contact Form: ${subject}`)
})

test("a form submitted before the page's script has loaded is sent afterward, and nothing gets into the address bar", async ({
  page,
}) => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => (load = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await loaded
    await route.continue()
  })
  await page.goto('/contact', { waitUntil: 'commit' })
  const subject = `An early question ${Date.now()}`
  await page.getByLabel('Name').fill('Dana')
  await page.getByLabel('Email').fill('dana@example.com')
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill('Does it work on a slow train?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  expect(new URL(page.url()).search).toBe('')
  load()
  await expect(page.getByText('Message sent successfully!')).toBeVisible()
  expect(await mailTo(page, MAILBOX, subject)).toBeDefined()
})

test("if a message can't be sent, the page says so and keeps it", async ({ page }) => {
  await page.goto('/contact')
  await page.route('**/api/v1/contact', async (route) => route.abort())
  for (const [label, text] of [
    ['Name', 'Dana'],
    ['Email', 'dana@example.com'],
    ['Subject', 'Hello'],
    ['Message', 'A long message'],
  ] as const)
    await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('A long message')
})

test('a friend is invited, signs up with the emailed link, and both are rewarded', async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await arrive(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Invite Friends' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invite Friends' })).toBeVisible()
  await expect(page.getByText('No friends have joined yet.')).toBeVisible()
  const preview = page.getByRole('region', { name: 'Email preview' })
  await expect(preview.getByText('Hey there!')).toBeVisible()

  await page.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText("Please enter your friend's email address").first()).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  const friend = someone()
  await page.getByLabel("Friend's Name").fill('Kim')
  await expect(preview.getByText('Hey Kim!')).toBeVisible()
  await page.getByLabel("Friend's Email").fill(friend.email)
  await page.getByRole('button', { name: 'Copy text' }).click()
  await expect(page.getByText('Email content copied to clipboard')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('Invitation sent!')).toBeVisible()
  await expect(page.getByRole('status').getByText(friend.email)).toBeVisible()

  const mail = await mailTo(page, friend.email, 'invited you to Tutorlog')
  expect(mail.text).toMatch(/^Hey Kim!/)
  const link = linkIn(mail.text)
  expect(copied).toContain(link)
  const theirs = await browser.newPage()
  await theirs.goto(link)
  await expect(theirs.getByText('A friend invited you.')).toBeVisible()
  await signUp(theirs, friend, 'Tutor', link)
  await theirs.goto(linkIn((await mailTo(theirs, friend.email, 'Verify your email')).text))
  await expect(theirs).toHaveURL(/\/dashboard$/)
  for (const [who, words] of [
    [page, '1 friend has joined.'],
    [theirs, 'No friends have joined yet.'],
  ] as const) {
    await who.goto('/invite-friends')
    await expect(who.getByText(words)).toBeVisible()
    // This server doesn't take payments, so nobody earns free days.
    await expect(who.getByText(/trial|more days/)).toHaveCount(0)
  }
  await theirs.context().close()
})

test('P9: someone who wants no more invitations stops them with the link in the email, without an account', async ({
  page,
  browser,
}) => {
  await arrive(page)
  const email = someone().email
  await post(page, 'invitations', { friend_email: email })
  const link = /http\S+opt-out\S+/.exec((await mailTo(page, email, 'invited you')).text)?.[0] ?? ''
  const theirs = await browser.newPage()
  await theirs.goto(link)
  await theirs.getByRole('button', { name: 'Stop invitations' }).click()
  await expect(theirs.getByRole('heading', { name: 'No more invitations' })).toBeVisible()
  await theirs.context().close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every public page looks like its picture, ${colorScheme}, on a phone and on a desktop`, async ({
    browser,
  }) => {
    const page = await (
      await browser.newContext({ colorScheme, baseURL: 'http://localhost:4173', reducedMotion: 'reduce' })
    ).newPage()
    const faults: string[] = []
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      for (const path of PUBLIC) {
        if (path.startsWith('/reset-password')) continue
        await page.goto(path)
        await settled(page)
        // This text appears only after the prerendered page has loaded.
        if (path.includes('link=expired'))
          await expect(page.getByText('This confirmation link has already been used')).toBeVisible()
        const name = path.replace(/^\//, '').replace(/\W+/g, '-') || 'home'
        faults.push(...(await pictureFaults(page, `${name}-${width}-${colorScheme}`)))
      }
    }
    await page.context().close()
    expect(faults, 'Intended? Take new pictures with UPDATE_PICTURES=1, and look at them.').toEqual([])
  })
}

test('a page without a script sends its form by itself', async ({ page }) => {
  await page.goto('/unsubscribe?token=of-an-email')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible()
})
