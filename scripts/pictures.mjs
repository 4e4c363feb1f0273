// `npm run pictures`: captures the landing page's pictures and the preview image for shared links from the
// app itself. It builds the app, starts a server with no data, signs up demo accounts, and takes screenshots.
// Commit the changes afterward.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { environment, prepare, root } from './prepare.mjs'

const PORT = '4183'
const ORIGIN = `http://localhost:${PORT}`
const FOLDER = join(root, 'public/pictures')
/** The date in every picture. The clock is frozen, so each run produces the same pictures. */
const NOW = new Date('2026-11-20T21:30:00Z')
const [WIDTH, HEIGHT] = [390, 780]
/** Small enough for a phone, but the text is still sharp. */
const QUALITY = 0.82

const SESSIONS = [
  ['Maya', 'Samuel Adeyemi', '2026-11-03', 2, 'Chemistry'],
  ['Theo', 'Ingrid Lindqvist', '2026-11-05', 1, 'Reading'],
  ['Maya', 'Ingrid Lindqvist', '2026-11-10', 1.5, 'Algebra II'],
  ['Maya', 'Samuel Adeyemi', '2026-11-14', 2.25, 'Chemistry'],
  ['Maya', 'Ingrid Lindqvist', '2026-11-17', 1.5, 'Algebra II'],
  ['Theo', 'Ingrid Lindqvist', '2026-11-19', 1, 'Reading'],
]

const node = prepare({ isForTests: true })
build(node)
const { chromium } = await import('@playwright/test')
const data = mkdtempSync(join(tmpdir(), 'tutorlog-pictures-'))
const server = spawn(node, ['src/main/server.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...environment(), PORT, DATA_DIR: data, BASE_URL: ORIGIN, SMTP_URL: '', LOG_LEVEL: 'error' },
})
const ended = new Promise((resolve) => server.once('exit', resolve))
const installed = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path))
const browser = await chromium.launch({
  executablePath: installed,
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
})
try {
  await until(async () => (await fetch(`${ORIGIN}/readyz`)).ok)
  mkdirSync(FOLDER, { recursive: true })
  for (const theme of ['light', 'dark']) await photograph(theme)
  await photographShare()
} finally {
  await browser.close()
  server.kill('SIGINT')
  await ended
  rmSync(data, { recursive: true, force: true })
}

async function photograph(theme) {
  const context = await browser.newContext({
    baseURL: ORIGIN,
    viewport: { width: WIDTH, height: HEIGHT },
    deviceScaleFactor: 2,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  await arrive(page, `whitfield-${theme}@example.com`)
  await page.clock.setFixedTime(NOW)

  await page.goto('/dashboard')
  await page.getByText('Theo', { exact: false }).first().waitFor()
  await take(page, 'dashboard', theme)

  await page.goto('/add-session')
  await page.getByRole('combobox', { name: 'Child' }).selectOption({ label: 'Maya' })
  await page.getByRole('combobox', { name: 'Tutor' }).selectOption({ index: 1 })
  await page.getByLabel('Duration (hours)').fill('1.5')
  await page.getByLabel('Subject').fill('Algebra II')
  await page.evaluate(() => {
    document.activeElement?.blur()
  })
  await take(page, 'add-session', theme)

  await page.goto('/summary')
  await page.getByText('Sessions by Tutor').waitFor()
  // Scrolls far enough to show the total and the weeks.
  await page.evaluate(() => {
    scrollTo(0, 130)
  })
  await take(page, 'summary', theme)
  await context.close()
}

// Goes through sign-up and email confirmation like any other user.
async function arrive(page, email) {
  const post = async (path, body) => {
    const answer = await page.request.post(path, { data: body, headers: { origin: ORIGIN } })
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  await post('/api/auth/sign-up', { email, password: 'greenhouse-41', role: 'parent' })
  const link = await until(async () => {
    const [mail] = await (await page.request.get(`/mailbox/messages?to=${encodeURIComponent(email)}`)).json()
    return /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  })
  await page.goto(link)
  await page.waitForURL('**/dashboard')
  await page.request.patch('/api/v1/me', {
    data: { full_name: 'Dana Whitfield', onboarding_dismissed: true },
    headers: { origin: ORIGIN },
  })
  const ids = {}
  for (const name of ['Maya', 'Theo']) ids[name] = (await post('/api/v1/students', { name })).id
  const tutors = [
    ['Ingrid Lindqvist', 45, `ingrid-${email}`],
    ['Samuel Adeyemi', 60, `samuel-${email}`],
  ]
  for (const [name, hourly_rate, address] of tutors)
    ids[name] = (await post('/api/v1/tutors', { name, hourly_rate, email: address })).id
  for (const [child, tutor, date, duration, subject] of SESSIONS)
    await post('/api/v1/sessions', { student_id: ids[child], tutor_id: ids[tutor], date, duration, subject })
  // From their emails, the tutors confirm everything except the latest day, which stays unconfirmed.
  for (const [name, , address] of tutors) {
    await post('/api/v1/connections', { tutor_id: ids[name] })
    const token = await until(async () => {
      const [mail] = await (
        await page.request.get(`/mailbox/messages?to=${encodeURIComponent(address)}`)
      ).json()
      return /\/confirm#(\S+)/.exec(mail?.text ?? '')?.[1]
    })
    // Without the family's login, because only the tutor may answer.
    const byLink = (path, body) =>
      fetch(ORIGIN + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { origin: ORIGIN, 'content-type': 'application/json', 'tutorlog-link': token },
      }).then((answer) => answer.json())
    const { sessions } = await byLink('/api/link/open', {})
    const seen = sessions
      .filter(({ date }) => date !== SESSIONS.at(-1)[2])
      .map(({ id, version }) => ({ id, version }))
    await byLink('/api/v1/confirmations', { sessions: seen })
  }
}

async function take(page, name, theme) {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  const png = (await page.screenshot()).toString('base64')
  for (const width of [WIDTH, 2 * WIDTH]) {
    const file = join(FOLDER, `${name}-${theme}-${width}.webp`)
    writeFileSync(file, await asWebp(png, width))
  }
}

// Encodes the images in the browser, so no other program has to be installed.
async function asWebp(png, width) {
  const page = await browser.newPage()
  const encoded = await page.evaluate(
    async ([source, wide, quality]) => {
      const image = new Image()
      image.src = `data:image/png;base64,${source}`
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), {
        width: wide,
        height: (wide * image.naturalHeight) / image.naturalWidth,
      })
      const drawing = canvas.getContext('2d')
      drawing.imageSmoothingQuality = 'high'
      drawing.drawImage(image, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL('image/webp', quality).split(',')[1]
    },
    [png, width, QUALITY],
  )
  await page.close()
  return Buffer.from(encoded, 'base64')
}

// Sites that show previews of shared links want 1200 x 630.
async function photographShare() {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 630 },
    deviceScaleFactor: 1,
    colorScheme: 'light',
  })
  await page.goto(`${ORIGIN}/`)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(FOLDER, 'share.png') })
  await page.close()
}

async function until(find) {
  for (let tries = 0; ; tries++) {
    const found = await find().catch(() => undefined)
    if (found) return found
    if (tries > 300) throw new Error('the server for the pictures does not answer')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
