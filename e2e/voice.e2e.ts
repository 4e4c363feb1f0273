// Logging a session by voice. A fake microphone plays a spoken sentence.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import config from './playwright.config.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { dayFromToday, post, read } from './screens.ts'
import { countTaps } from './taps.ts'

const SENTENCE = 'Maya had an hour of algebra with David Chen yesterday.'
let folder: string
let spoken: string
let repeated: string
let corrected: string
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutorlog-microphone-'))
  spoken = join(folder, 'spoken.wav')
  repeated = join(folder, 'repeated.wav')
  // The fake microphone plays the first file once: a short silence, the sentence, and a long silence. It
  // plays the others in a loop.
  corrected = join(folder, 'corrected.wav')
  for (const [file, filters, text] of [
    [spoken, 'adelay=1500,apad=pad_dur=60', SENTENCE],
    [repeated, 'apad=pad_dur=0.5', SENTENCE],
    [corrected, 'apad=pad_dur=1.5', `<speak>${SENTENCE}<break time="800ms"/>no, two hours.</speak>`],
  ] as const) {
    spawnSync('sh', [
      '-c',
      'espeak-ng -m -v en-us+f2 -s 150 --stdout "$1" | ffmpeg -v error -i pipe:0 -af "$2" -ar 48000 -ac 1 "$3"',
      'sh',
      text,
      filters,
      file,
    ])
    expect(existsSync(file)).toBe(true)
  }
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function aFamily(page: Page): Promise<void> {
  await arrive(page)
  await mayaWithIngrid(page, { tutor: 'David Chen' })
  await post(page, 'students', { name: 'Ethan' })
}

/** A page whose microphone plays a sentence, either once followed by silence or in a loop. */
async function withMicrophone(plays: 'once' | 'on' | 'corrected'): Promise<Page> {
  const browser = await chromium.launch({
    ...config.use?.launchOptions,
    args: [
      ...(config.use?.launchOptions?.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${{ once: `${spoken}%noloop`, on: repeated, corrected }[plays]}`,
    ],
  })
  const context = await browser.newContext({
    baseURL: config.use?.baseURL,
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
  })
  return context.newPage()
}

/**
 * Waits until the recording has been processed. A busy machine may need longer than the server allows, and then
 * the screen asks to try again. That doesn't count as a tap.
 */
async function expectProcessed(page: Page): Promise<void> {
  const slow = page.getByRole('region', { name: 'Processing Failed' }).filter({ hasText: 'took too long' })
  await expect(async () => {
    if (await slow.isVisible()) await slow.getByRole('button', { name: 'Try again' }).dispatchEvent('click')
    await expect(page.getByText('Speech Processed!')).toBeVisible()
  }).toPass()
}

test('a parent says what happened, the recording ends by itself, and the data is used, saved and shown in the month', async () => {
  const page = await withMicrophone('once')
  await aFamily(page)
  await page.goto('/dashboard')
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Log Session by voice' }).click()
  await expect(page.getByText('Recording...')).toBeVisible()
  await expect(page.getByText('Stops when you stop talking')).toBeVisible()
  // Nobody taps to stop. The silence after the sentence ends the recording.
  await expectProcessed(page)
  const card = page.getByRole('region', { name: 'AI Extracted Session Data' })
  await expect(card.getByText('with david chen yesterday')).toBeVisible()
  await expect(card.getByText('Matched')).toHaveCount(2)
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await expect(page.getByRole('combobox', { name: 'Child' }).locator('option:checked')).toHaveText('Maya')
  await expect(page.getByRole('combobox', { name: 'Tutor' }).locator('option:checked')).toHaveText(
    'David Chen ($45.00/hour)',
  )
  await expect(page.getByLabel('Subject')).toHaveValue('Algebra')
  await expect(page.getByText('$45.00', { exact: true })).toBeVisible()
  const date = await page.getByLabel('Date').inputValue()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  taps.expectAtMost('voice from the dashboard')
  const month = await page.request.get(`/api/v1/summary?month=${date.slice(0, 7)}`)
  expect(await month.json()).toMatchObject({ total_sessions: 1, total_hours: 1, total_amount: 45 })
  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().browser()?.close()
})

test('while a parent speaks, a card fills in and follows corrections; the finished recording counts, and nothing is saved', async () => {
  const page = await withMicrophone('corrected')
  await aFamily(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Log Session by voice' }).click()
  const live = page.getByRole('region', { name: 'What we heard so far' })
  // The same is said again and again, so there's more than one lesson, and a slow machine has the time.
  await expect(live).toContainText(/Maya.*David Chen.*1 h/, { timeout: 100_000 })
  await expect(live).toContainText(/Maya.*David Chen.*2 h/)
  // A screen reader hears once that there's a card, and the focus stays.
  await expect(page.getByText('A card below fills in as you speak.')).toHaveAttribute('role', 'status')
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeFocused()
  await expect(live.getByRole('button')).toHaveCount(0)
  const { violations } = await new AxeBuilder({ page }).include('main').analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  await page.getByRole('button', { name: 'Stop recording' }).click()
  await expectProcessed(page)
  const card = page.getByRole('region', { name: 'AI Extracted Session Data' })
  await expect(card.first().getByText('no two hours')).toBeVisible()
  await expect(live).toHaveCount(0)
  expect((await read<{ sessions: unknown[] }>(page, 'sessions')).sessions).toEqual([])
  await page.context().browser()?.close()
})

test('a tap ends a recording while someone is still speaking', async () => {
  const page = await withMicrophone('on')
  await aFamily(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Log Session by voice' }).click()
  await expect(page.getByRole('timer')).toHaveText(/^0:1[2-9]$/)
  await page.getByRole('button', { name: 'Stop recording' }).click()
  await expectProcessed(page)
  await page.context().browser()?.close()
})

test('typed text is understood, too; an unknown person is added with a tap, and earlier input stays', async ({
  page,
}) => {
  await aFamily(page)
  await page.goto('/add-session')
  await page.getByLabel('Rate Override ($/hour)').fill('52')
  await page.getByRole('tab', { name: 'Voice Input' }).click()
  await page
    .getByRole('textbox', { name: 'You can also type or dictate it' })
    .fill('Olivia had fifty minutes of math with David Chen today')
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  const card = page.getByRole('region', { name: 'AI Extracted Session Data' })
  await expect(card.getByText('Suggested')).toBeVisible()
  await expect(card.getByText('50 min, entered as 0.75 h')).toBeVisible()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
  ).toEqual([])
  await card.getByRole('button', { name: 'Add Olivia as a new child' }).click()
  await expect(page.getByText('Child added successfully')).toBeVisible()
  await expect(card.getByText('Matched')).toHaveCount(2)
  await page.getByRole('button', { name: 'Edit & Review' }).click()
  await expect(page.getByRole('combobox', { name: 'Child' }).locator('option:checked')).toHaveText('Olivia')
  await expect(page.getByLabel('Duration (hours)')).toHaveValue('0.75')
  await expect(page.getByLabel('Rate Override ($/hour)')).toHaveValue('52')
})

test('if the microphone is denied or the server fails, a message says so, and nothing is lost', async ({
  page,
}) => {
  await aFamily(page)
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await page.goto('/add-session?tab=voice')
  await page.getByRole('button', { name: 'Start recording' }).click()
  await expect(page.getByText('Microphone Access Denied')).toBeVisible()
  await expect(page.getByText('Please allow microphone access to use voice input.')).toBeVisible()
  await page.route(
    '**/api/v1/speech',
    (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 503, code: 'speech_failed', title: 'The speech engine failed' }),
      }),
    { times: 1 },
  )
  await page
    .getByRole('textbox', { name: 'You can also type or dictate it' })
    .fill('maya had an hour of math with david chen yesterday')
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  await expect(page.getByText('Failed to process the audio. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'AI Extracted Session Data' })).toBeVisible()
})

test("the dashboard's microphone asks for permission at once; if there's none, the text box works, and nothing asks again by itself", async ({
  page,
}) => {
  await aFamily(page)
  await page.addInitScript(() => {
    const asked = () => Number(sessionStorage.getItem('asked') ?? 0)
    navigator.mediaDevices.getUserMedia = () => {
      sessionStorage.setItem('asked', String(asked() + 1))
      return Promise.reject(new DOMException('no', asked() === 1 ? 'NotAllowedError' : 'NotFoundError'))
    }
  })
  const asked = () => page.evaluate(() => Number(sessionStorage.getItem('asked') ?? 0))
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Log Session by voice' }).click()
  await expect(page.getByText('Microphone Access Denied')).toBeVisible()
  await expect(page.getByText('The microphone is blocked for this page.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'You can also type or dictate it' })).toBeVisible()
  // The example sentence uses names from the user's lists.
  await expect(
    page.getByText('“Ethan had an hour and a half of algebra with David on Tuesday.”'),
  ).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible()
  await page.getByRole('tab', { name: 'Manual Entry' }).click()
  await page.getByRole('tab', { name: 'Voice Input' }).click()
  expect(await asked()).toBe(1)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('link', { name: 'Log Session by voice' }).click()
  await expect(page.getByText('This page can’t use a microphone.')).toBeVisible()
  expect(await asked()).toBe(2)
})

test('a text that takes too long to process is refused with a message, and stays so that it can be shortened', async ({
  page,
}) => {
  await aFamily(page)
  await page.goto('/add-session?tab=voice')
  await page.route(
    '**/api/v1/speech',
    (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 422, code: 'reading_timeout', title: 'This takes too long to read.' }),
      }),
    { times: 1 },
  )
  const box = page.getByRole('textbox', { name: 'You can also type or dictate it' })
  await box.fill('李明 had an hour of math')
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  await expect(
    page.getByText('That took too long to process. Start over with a shorter description.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(box).toHaveValue('李明 had an hour of math')
})

test("if the text doesn't say which day, the card asks, and the form can't be sent without a date", async ({
  page,
}) => {
  await aFamily(page)
  await page.goto('/add-session?tab=voice')
  await page
    .getByRole('textbox', { name: 'You can also type or dictate it' })
    .fill('Maya had an hour of math with David Chen the other day')
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  const card = page.getByRole('region', { name: 'AI Extracted Session Data' })
  await expect(card.getByText('Which day?')).toBeVisible()
  await expect(card.getByText('Matched')).toHaveCount(2)
  await page.getByRole('button', { name: 'Edit & Review' }).click()
  const date = page.getByLabel('Date')
  await expect(date).toHaveValue('')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Enter a date')).toBeVisible()
  await expect(date).toBeFocused()
  // The draft doesn't become today's, either.
  await page.reload()
  await expect(page.getByLabel('Subject')).toHaveValue('Math')
  await expect(date).toHaveValue('')
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  const { sessions } = await read<{ sessions: { date: string }[] }>(page, 'sessions')
  expect(sessions.map((one) => one.date)).toEqual([await dayFromToday(page, -1)])
})

test('a sentence in Spanish is read and saved; one in German is refused, stays, and can be said in English', async ({
  page,
}) => {
  await aFamily(page)
  await page.goto('/add-session?tab=voice')
  const box = page.getByRole('textbox', { name: 'You can also type or dictate it' })
  const card = page.getByRole('region', { name: 'AI Extracted Session Data' })
  const german = 'Gestern hatte Maya eine Stunde Mathe mit David Chen'
  await box.fill(german)
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  await expect(card.getByText('I read English and Spanish.')).toBeVisible()
  await expect(card.getByText('Not detected')).toHaveCount(0)
  await expect(card.getByText(german)).toBeVisible()
  await expect(card.getByText('Matched')).toHaveCount(0)
  await page.getByRole('button', { name: 'Say it again' }).click()
  await expect(box).toHaveValue(german)
  await box.fill('ayer mayita tuvo hora y media de matemáticas con el profe david chen')
  await page.getByRole('button', { name: 'Fill in the form' }).click()
  await expect(card.getByText('Matched')).toHaveCount(2)
  await expect(card.getByText('1.5 h', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Use This Data' }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Matemáticas')
  await page.getByRole('button', { name: 'Add Session' }).click()
  await expect(page.getByText('Session added successfully')).toBeVisible()
  const { sessions } = await read<{ sessions: { date: string; duration: number }[] }>(page, 'sessions')
  expect(sessions.map(({ date, duration }) => [date, duration])).toEqual([
    [await dayFromToday(page, -1), 1.5],
  ])
})

test('voice data in the navigation state opens the voice tab with the result', async ({ page }) => {
  await aFamily(page)
  const [child] = await (await page.request.get('/api/v1/students')).json()
  const voice = {
    transcript: 'ethan had an hour',
    childId: child.id,
    tutorId: null,
    suggested_child_name: null,
    suggested_tutor_name: null,
    date: '2026-06-16',
    duration: 1,
    hourly_rate: null,
    subject: null,
    notes: null,
    confidence: 'medium',
    sessions_heard: 1,
    is_future: false,
    is_session: true,
  }
  await page.evaluate(
    (state) => history.replaceState({ usr: state, key: 'voice', idx: 0 }, '', '/add-session'),
    { voice },
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: 'AI Extracted Session Data' })).toBeVisible()
  await expect(page.getByText('Medium confidence')).toBeVisible()
  await expect(page.getByText('Tue, Jun 16, 2026')).toBeVisible()
})

test('each session in one recording has its own card; a planned one is asked about, and a canceled one is looked for', async ({
  page,
}) => {
  await aFamily(page)
  await page.goto('/add-session?tab=voice')
  const fillIn = async (text: string, heading = 'AI Extracted Session Data') => {
    await page.getByRole('textbox', { name: 'You can also type or dictate it' }).fill(text)
    await page.getByRole('button', { name: 'Fill in the form' }).click()
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
  }
  await fillIn('David Chen will see Maya tomorrow for an hour')
  await expect(page.getByText('This sounds like a lesson that hasn’t happened yet.')).toBeVisible()
  await expect(page.getByText('Low confidence')).toBeVisible()
  await page.getByRole('button', { name: 'Say it again' }).click()
  await fillIn("chen had to cancel maya's lesson today", 'How did this class end?')
  await expect(
    page.getByText(/There’s no planned class for Maya on .*, so there’s nothing to change/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Say it again' }).click()
  await fillIn('David Chen had both kids yesterday: Maya an hour of math, Ethan 45 minutes of reading')
  await expect(page.getByText('We heard 2 sessions.')).toBeVisible()
  const second = page.getByRole('region', { name: 'AI Extracted Session Data 2 of 2' })
  await expect(second.getByText('Ethan')).toBeVisible()
  await expect(second.getByText('0.75 h')).toBeVisible()
  await page.getByRole('button', { name: 'Use This Data' }).nth(1).click()
  await expect(page.getByRole('combobox', { name: 'Child' }).locator('option:checked')).toHaveText('Ethan')
  await expect(page.getByLabel('Duration (hours)')).toHaveValue('0.75')
})

test('all sessions in one recording are added with one tap once nothing is missing, and what was heard can be corrected by hand', async ({
  page,
}) => {
  await aFamily(page)
  const [[child], [tutor]] = [
    await read<{ id: string }[]>(page, 'students'),
    await read<{ id: string }[]>(page, 'tutors'),
  ]
  await post(page, 'sessions', {
    student_id: child?.id,
    tutor_id: tutor?.id,
    date: await dayFromToday(page, -5),
    duration: 0.5,
  })
  await page.goto('/add-session?tab=voice')
  const fillIn = page.getByRole('button', { name: 'Fill in the form' })
  const text = page.getByRole('textbox', { name: 'You can also type or dictate it' })
  await text.fill('David Chen had both kids yesterday: Maya for math, Ethan reading')
  await fillIn.click()
  const all = page.getByRole('button', { name: 'Add all 2' })
  await expect(all).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Say it again' }).click()
  await expect(text).toHaveValue(/Ethan reading$/)
  await text.fill('David Chen had both kids yesterday: Maya an hour of math, Ethan 45 minutes of reading')
  await fillIn.click()
  await expect(all).not.toHaveAttribute('aria-disabled', 'true')
  await all.click()
  await expect(page.getByText('2 sessions added successfully')).toBeVisible()
  await page.waitForURL('**/dashboard')
  const durations = async () => {
    const { sessions } = await read<{ sessions: { duration: number }[] }>(page, 'sessions')
    return sessions.map(({ duration }) => duration).sort()
  }
  expect(await durations()).toEqual([0.5, 0.75, 1])
  // Undo takes back exactly those two.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  expect(await durations()).toEqual([0.5])
})
