// What a thumb meets: forms open in view, pages hold still while they load, and nothing is too wide or too small.
import { expect, type Page, type Request, test } from '@playwright/test'
import { arrive } from './people.ts'

const headers = { origin: 'http://localhost:4173' }

async function post(page: Page, path: string, data: object): Promise<{ id: string }> {
  const response = await page.request.post(`/api/v1/${path}`, { data, headers })
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
  return (await response.json()) as { id: string }
}

for (const { path, list, noun, label } of [
  { path: '/tutors', list: 'tutors', noun: 'Tutor', label: 'Phone' },
  { path: '/children', list: 'students', noun: 'Child', label: 'Grade' },
]) {
  test(`Edit on the fourth ${noun.toLowerCase()} of a phone opens the form in view, keeps what was typed, and returns to the row`, async ({
    page,
  }) => {
    await arrive(page)
    for (const name of ['Ada', 'Ben', 'Cleo', 'Dora', 'Ed'])
      await post(page, list, { name, notes: 'Two lines of notes\nfor each of them' })
    await page.goto(path)
    const edit = page.getByRole('button', { name: 'Edit Dora' })
    const form = page.getByRole('dialog', { name: `Edit ${noun}` })
    await edit.click()
    await expect(form).toBeInViewport({ ratio: 0.99 })
    expect(await form.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toBeHidden()
    await expect(edit).toBeFocused()

    // A reload in the middle loses nothing, and neither does Escape afterwards.
    await edit.click()
    await form.getByLabel(label).fill('555 0199')
    await page.reload()
    await edit.click()
    await expect(form.getByLabel(label)).toHaveValue('555 0199')
    await page.keyboard.press('Escape')
    await form.getByLabel('Name').fill('Zora')
    await form.getByRole('button', { name: `Update ${noun}` }).click()
    await expect(page.getByText(`${noun} updated successfully`)).toBeVisible()
    await expect(form).toBeHidden()
    await expect(page.getByRole('button', { name: 'Edit Zora' })).toBeFocused()

    await page.getByRole('button', { name: `Add ${noun}` }).click()
    const empty = page.getByRole('dialog', { name: `Add New ${noun}` })
    await empty.getByRole('button', { name: `Add ${noun}` }).click()
    await expect(empty.getByText('Name is required')).toBeInViewport()
    await empty.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: `Add ${noun}` })).toBeFocused()
  })
}

/** Days from the browser's today, yyyy-MM-dd. */
async function dayFromToday(page: Page, days: number): Promise<string> {
  return page.evaluate((by) => {
    const day = new Date()
    day.setDate(day.getDate() + by)
    return new Intl.DateTimeFormat('en-CA').format(day)
  }, days)
}

/** Past classes that nobody logged: one a day until yesterday. */
async function addPastClasses(page: Page, who: { student_id: string; tutor_id: string }, count: number) {
  await post(page, 'schedules', {
    ...who,
    day_of_week: new Date(await dayFromToday(page, -count)).getUTCDay(),
    start_time: '00:00',
    duration: 1,
    frequency: 'custom',
    custom_interval_days: 1,
    start_date: await dayFromToday(page, -count),
    end_date: await dayFromToday(page, -1),
  })
}

/** Lets every answer of the API come late, each after a different time. */
async function slowDown(page: Page): Promise<void> {
  await page.route(/\/api\/(?!v1\/events)/, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await new Promise((resolve) => setTimeout(resolve, 150 + ((pathname.length + search.length) % 7) * 120))
    await route.continue().catch(() => undefined)
  })
}

/** How far what stands on a screen moves while it loads: Cumulative Layout Shift without the user's own doing. */
async function shiftOf(page: Page, path: string): Promise<number> {
  const open = new Set<Request>()
  let changedAt = Date.now()
  const asked = (request: Request) => {
    if (!request.url().endsWith('/events')) open.add(request)
    changedAt = Date.now()
  }
  const answered = (request: Request) => {
    open.delete(request)
    changedAt = Date.now()
  }
  page.on('request', asked).on('requestfinished', answered).on('requestfailed', answered)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect.poll(() => open.size === 0 && Date.now() - changedAt > 400).toBe(true)
  page.off('request', asked).off('requestfinished', answered).off('requestfailed', answered)
  return page.evaluate(() => (Reflect.get(window, 'shifts') as number[]).reduce((sum, one) => sum + one, 0))
}

async function expectStill(page: Page, paths: string[]): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of paths) expect(await shiftOf(page, path), `${path} at ${width}`).toBeLessThan(0.05)
  }
}

test.describe('while the answers come late', () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        })[])
          if (!entry.hadRecentInput) shifts.push(entry.value)
      }).observe({ type: 'layout-shift', buffered: true })
    }),
  )

  test("nothing on a parent's screens moves away under the thumb: without past classes, with one, with many, and with what tutors ask", async ({
    page,
    browser,
  }) => {
    await arrive(page)
    await slowDown(page)
    await expectStill(page, ['/dashboard', '/tutors', '/children', '/schedules', '/summary'])

    const email = `tutor-${process.pid}-${Date.now()}@example.com`
    const [child, tutor] = [
      await post(page, 'students', { name: 'Maya' }),
      await post(page, 'tutors', { name: 'Ingrid', hourly_rate: 45, email }),
    ]
    await post(page, 'students', { name: 'Theo', grade: '8th Grade', notes: 'Likes worked examples' })
    await post(page, 'tutors', { name: 'Samuel', hourly_rate: 60, subjects: ['Chemistry'] })
    const who = { student_id: child.id, tutor_id: tutor.id }
    await addPastClasses(page, who, 1)
    await expectStill(page, ['/dashboard'])

    await addPastClasses(page, who, 5)
    const session = await post(page, 'sessions', {
      ...who,
      date: await dayFromToday(page, -1),
      duration: 1.5,
      subject: 'Algebra II',
    })
    await post(page, 'payments', {
      tutor_id: tutor.id,
      date: await dayFromToday(page, 0),
      amount: 20,
      kind: 'payment',
    })
    await post(page, `tutors/${tutor.id}/link`, {})
    const other = await (await browser.newContext({ baseURL: 'http://localhost:4173' })).newPage()
    await arrive(other, 'Tutor', email)
    const [family] = (await (await other.request.get('/api/v1/families')).json()) as { id: string }[]
    await other.request.patch(`/api/v1/families/${family?.id}`, { data: { state: 'active' }, headers })
    const maya = await post(other, 'students', { name: 'Maya' })
    await other.request.put(`/api/v1/families/${family?.id}/students`, {
      data: { student_ids: [maya.id] },
      headers,
    })
    const [self] = (await (await other.request.get('/api/v1/tutors')).json()) as { id: string }[]
    await post(other, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: await dayFromToday(page, 0),
      duration: 1,
      hourly_rate: 45,
    })
    const disputed = await other.request.post(`/api/v1/sessions/${session.id}/dispute`, {
      data: { note: 'It was an hour, and then a quarter of an hour on the phone' },
      headers: { ...headers, 'if-match': '"1"' },
    })
    expect(disputed.ok(), await disputed.text()).toBe(true)
    await expectStill(page, ['/dashboard', '/tutors', '/children', '/schedules', '/summary'])
    await page.goto('/dashboard')
    for (const name of ['Proposed by your tutors', 'Sent back by a tutor', 'Did this class happen?'])
      await expect(page.getByRole('heading', { name })).toBeVisible()
    await other.context().close()
  })

  test("nothing on a tutor's screens moves away under the thumb: without past classes, with one, with many, and with what families ask", async ({
    page,
    browser,
  }) => {
    const { email } = await arrive(page, 'Tutor')
    await slowDown(page)
    await expectStill(page, ['/dashboard', '/students', '/schedules', '/summary'])

    const student = await post(page, 'students', { name: 'Aiko', grade: 'Sophomore', notes: 'Essays' })
    const [self] = (await (await page.request.get('/api/v1/tutors')).json()) as { id: string }[]
    const who = { student_id: student.id, tutor_id: self?.id ?? '' }
    await addPastClasses(page, who, 1)
    await expectStill(page, ['/dashboard'])

    await addPastClasses(page, who, 6)
    const other = await (await browser.newContext({ baseURL: 'http://localhost:4173' })).newPage()
    for (const state of ['active', 'asked']) {
      await other.context().clearCookies()
      await arrive(other)
      const [child, tutor] = [
        await post(other, 'students', { name: 'Maya' }),
        await post(other, 'tutors', { name: 'Ingrid', hourly_rate: 45, email }),
      ]
      for (const subject of ['Algebra', 'Geometry', 'Reading', 'Writing'])
        await post(other, 'sessions', {
          student_id: child.id,
          tutor_id: tutor.id,
          date: await dayFromToday(page, 0),
          duration: 1,
          subject,
        })
      await post(other, `tutors/${tutor.id}/link`, {})
      if (state === 'asked') continue
      const [family] = (await (await page.request.get('/api/v1/families')).json()) as { id: string }[]
      await page.request.patch(`/api/v1/families/${family?.id}`, { data: { state }, headers })
    }
    await expectStill(page, ['/dashboard', '/students', '/schedules', '/summary'])
    await page.goto('/dashboard')
    for (const name of [/asks you to confirm sessions$/, 'Sessions to confirm', 'Did this class happen?'])
      await expect(page.getByRole('heading', { name })).toBeVisible()
    await other.context().close()
  })
})

for (const role of ['Parent', 'Tutor'] as const) {
  test(`a second tap on Yes a moment later logs nothing more: the answered class stays where it was, with Undo (${role.toLowerCase()})`, async ({
    page,
  }) => {
    await arrive(page, role)
    const student = await post(page, 'students', { name: 'Maya' })
    const tutor =
      role === 'Parent'
        ? await post(page, 'tutors', { name: 'Ingrid', hourly_rate: 45 })
        : ((await (await page.request.get('/api/v1/tutors')).json()) as { id: string }[])[0]
    await addPastClasses(page, { student_id: student.id, tutor_id: tutor?.id ?? '' }, 3)
    await page.reload()
    const yes = page.getByRole('button', { name: /^Yes, Maya/ })
    const no = page.getByRole('button', { name: /^No, Maya/ })
    const logged = async () =>
      ((await (await page.request.get('/api/v1/sessions')).json()) as { sessions: object[] }).sessions.length
    const rows = page.locator('#due li')
    const tapTwice = async (button: typeof yes) => {
      const { x, y, width, height } = (await button.first().boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      }
      const tap = () => page.mouse.click(x + width / 2, y + height / 2)
      await tap()
      await expect(page.getByRole('button', { name: /^Undo, Maya/ }).first()).toBeVisible()
      await tap()
    }
    await expect(yes).toHaveCount(3)
    await yes.first().scrollIntoViewIfNeeded()
    const logButton = page.getByRole('link', { name: 'Log Session', exact: true })
    const before = await logButton.boundingBox()
    await tapTwice(yes)
    await expect(page.getByText('Session added successfully')).toBeVisible()
    await expect(rows.first().getByText('Logged')).toBeVisible()
    await expect(rows).toHaveCount(3)
    await expect(yes).toHaveCount(2)
    expect(await logButton.boundingBox()).toEqual(before)
    expect(await logged()).toBe(1)

    await tapTwice(no)
    await expect(rows.nth(1).getByText('Skipped')).toBeVisible()
    await expect(yes).toHaveCount(1)
    expect(await logged()).toBe(1)

    await rows.first().getByRole('button', { name: /^Undo/ }).click()
    await expect(yes).toHaveCount(2)
    expect(await logged()).toBe(0)
    await rows.nth(1).getByRole('button', { name: /^Undo/ }).click()
    await expect(yes).toHaveCount(3)
    await rows.first().getByRole('button', { name: /^Yes/ }).click()
    await expect(rows.first().getByText('Logged')).toBeVisible()
    // Whoever comes back meets only what is still open.
    await page.getByRole('link', { name: 'Summary', exact: true }).click()
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await expect(rows).toHaveCount(2)
  })
}
