// Layout: forms are in view when they open, pages don't shift while loading, and nothing is too wide or too
// small.
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { fillFamily, fillPractice } from './long-names.ts'
import { mayaWithIngrid, otherPhone } from './pairs.ts'
import { arrive, someone } from './people.ts'
import {
  accept,
  addPastClasses,
  dayFromToday,
  eachOpened,
  LONG_WORD,
  PARENT,
  post,
  PUBLIC,
  goWithin,
  read,
  send,
  ruleFaults,
  settled,
  smallTargets,
  TUTOR,
  unstyledClasses,
  widthFaults,
} from './screens.ts'
import { shiftOf, watchShifts } from './shift.ts'

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
    const form = page.getByRole('region', { name: `Edit ${noun}` })
    await edit.click()
    await expect(form).toBeInViewport({ ratio: 0.99 })
    await expect.poll(() => form.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toBeHidden()
    await expect(edit).toBeFocused()

    // Typed text survives both a reload and Escape.
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
    const empty = page.getByRole('region', { name: `Add New ${noun}` })
    await empty.getByRole('button', { name: `Add ${noun}` }).click()
    await expect(empty.getByText('Name is required')).toBeInViewport()
    await empty.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: `Add ${noun}` })).toBeFocused()
  })
}

for (const [role, content] of [
  ['Tutor', 'Add New Student'],
  ['Parent', 'Add a Child'],
] as const) {
  test(`the dashboard comes although its code comes late (${role.toLowerCase()})`, async ({ page }) => {
    await page.route(/\/assets\/home-/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    })
    await arrive(page, role)
    await expect(page.getByRole('link', { name: content })).toBeVisible()
  })
}

/** Delays each API response by a different amount, with the longest delay for the balances. */
async function slowDown(page: Page): Promise<void> {
  await page.route(/\/api\/(?!v1\/events)/, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const late = pathname.endsWith('/balances') ? 700 : ((pathname.length + search.length) % 7) * 50
    await new Promise((resolve) => setTimeout(resolve, 100 + late))
    await route.continue().catch(() => undefined)
  })
}

async function expectStill(page: Page, paths: string[]): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of paths) expect(await shiftOf(page, path), `${path} at ${width}`).toBeLessThan(0.05)
  }
}

test.describe('while the answers come late', () => {
  test.beforeEach(({ context }) => watchShifts(context))

  test("nothing on a parent's screens moves from under the thumb: with no past class, one, many, or questions from tutors", async ({
    page,
    browser,
  }) => {
    await arrive(page)
    await slowDown(page)
    await expectStill(page, ['/dashboard', '/tutors', '/children', '/add-session', '/schedules', '/summary'])

    const { email } = someone()
    const { who, today, log } = await mayaWithIngrid(page, { email })
    await post(page, 'students', { name: 'Theo', grade: '8th Grade', notes: 'Likes worked examples' })
    await post(page, 'tutors', { name: 'Samuel', hourly_rate: 60, subjects: ['Chemistry'] })
    await addPastClasses(page, who, 1)
    await expectStill(page, ['/dashboard'])

    await addPastClasses(page, who, 5)
    const lesson = { date: await dayFromToday(page, -1), duration: 1.5, subject: 'Algebra II' }
    const session = await log(lesson)
    await post(page, 'payments', { tutor_id: who.tutor_id, date: today, amount: 20, kind: 'payment' })
    await post(page, 'connections', { tutor_id: who.tutor_id })
    const other = await otherPhone(page, browser)
    await arrive(other, 'Tutor', email)
    const maya = await post(other, 'students', { name: 'Maya' })
    await accept(other, { Maya: maya.id })
    const [self] = await read<{ id: string }[]>(other, 'tutors')
    await post(other, 'sessions', {
      student_id: maya.id,
      tutor_id: self?.id,
      date: today,
      duration: 1,
      hourly_rate: 45,
    })
    const note = 'It was an hour, and then a quarter of an hour on the phone'
    await send(other, 'post', `sessions/${session.id}/dispute`, { note })
    await expectStill(page, ['/dashboard', '/tutors', '/children', '/schedules', '/summary'])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^All \d/ }).click()
    for (const name of ['Sessions to confirm', 'Marked not right by a tutor', 'Did this class happen?'])
      await expect(page.getByRole('heading', { name })).toBeVisible()
    await other.context().close()
  })

  test("nothing on a tutor's screens moves from under the thumb: with no past class, one, many, or questions from families", async ({
    page,
    browser,
  }) => {
    const { email } = await arrive(page, 'Tutor')
    await slowDown(page)
    await expectStill(page, ['/dashboard', '/students', '/schedules', '/summary'])

    const student = await post(page, 'students', { name: 'Aiko', grade: 'Sophomore', notes: 'Essays' })
    const [self] = await read<{ id: string }[]>(page, 'tutors')
    const who = { student_id: student.id, tutor_id: self?.id ?? '' }
    await addPastClasses(page, who, 1)
    await expectStill(page, ['/dashboard'])

    await addPastClasses(page, who, 6)
    const other = await otherPhone(page, browser)
    for (const state of ['active', 'asked']) {
      await other.context().clearCookies()
      await arrive(other)
      const family = await mayaWithIngrid(other, { email })
      for (const subject of ['Algebra', 'Geometry', 'Reading', 'Writing']) await family.log({ subject })
      await post(other, 'connections', { tutor_id: family.who.tutor_id })
      if (state === 'asked') continue
      await accept(page)
    }
    await expectStill(page, ['/dashboard', '/students', '/schedules', '/summary'])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^All \d/ }).click()
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
        : (await read<{ id: string }[]>(page, 'tutors'))[0]
    await addPastClasses(page, { student_id: student.id, tutor_id: tutor?.id ?? '' }, 3)
    await page.reload()
    const yes = page.getByRole('button', { name: /^Yes, Maya/ })
    const no = page.getByRole('button', { name: /^No, Maya/ })
    const logged = async () => (await read<{ sessions: object[] }>(page, 'sessions')).sessions.length
    const rows = page.locator('#due li')
    // Taps a button twice in quick succession and once more after the response arrives.
    const tapAgainAndAgain = async (row: number, button: typeof yes) => {
      const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const place = [x + width / 2, y + height / 2] as const
      await page.mouse.dblclick(...place)
      await expect(rows.nth(row).getByRole('button', { name: /^Undo, Maya/ })).toBeVisible()
      await page.mouse.click(...place)
    }
    const toTheMiddle = (button: typeof yes) =>
      button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await expect(yes).toHaveCount(3)
    await settled(page)
    await toTheMiddle(yes.first())
    const logButton = page.getByRole('link', { name: 'Log Session', exact: true })
    const before = await logButton.boundingBox()
    await tapAgainAndAgain(0, yes.first())
    await expect(page.getByText('Session added successfully')).toBeVisible()
    await expect(rows.first().getByText('Logged')).toBeVisible()
    await expect(rows).toHaveCount(3)
    await expect(yes).toHaveCount(2)
    expect(await logButton.boundingBox()).toEqual(before)
    expect(await logged()).toBe(1)

    await toTheMiddle(no.first())
    // The second tap on No hits none of what it asks.
    await no.first().dblclick()
    await expect(rows.nth(1).getByText('How did it end?')).toBeVisible()
    await tapAgainAndAgain(1, rows.nth(1).getByRole('button', { name: /^No-show, Maya/ }))
    await expect(rows.nth(1).getByRole('paragraph').filter({ hasText: 'No-show' })).toBeVisible()
    await expect(yes).toHaveCount(1)
    expect(await logged()).toBe(1)

    await rows.first().getByRole('button', { name: /^Undo/ }).click()
    await expect(yes).toHaveCount(2)
    expect(await logged()).toBe(0)
    await rows.nth(1).getByRole('button', { name: /^Undo/ }).click()
    await expect(yes).toHaveCount(3)
    await rows.first().getByRole('button', { name: /^Yes/ }).click()
    await expect(rows.first().getByText('Logged')).toBeVisible()
    // After leaving the page and coming back, only unanswered classes are listed.
    await page.getByRole('link', { name: 'Summary', exact: true }).click()
    await expect(page).toHaveURL(/\/summary/)
    await expect(rows).toHaveCount(0)
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await expect(rows).toHaveCount(2)
  })
}

/**
 * Opens each screen and each kind of dialog once, and lists everything that's wrong at each width, including
 * with text at twice its normal size.
 */
async function faultsOf(page: Page, paths: string[]): Promise<string[]> {
  const faults: string[] = []
  const look = async (where: string, reopen?: () => Promise<void>) => {
    for (const [width, textSize] of [
      [360, ''],
      [390, ''],
      [768, ''],
      [390, '32px'],
      [1280, '32px'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(async (size) => {
        document.documentElement.style.fontSize = size
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      }, textSize)
      await reopen?.()
      // A message is smaller while it pops up.
      await page.evaluate(async () => {
        const isEnding = (one: Animation) => one.effect?.getComputedTiming().iterations !== Infinity
        await Promise.allSettled(
          document
            .getAnimations()
            .filter(isEnding)
            .map(({ finished }) => finished),
        )
      })
      const at = `${where} at ${width}${textSize && ', large text'}`
      faults.push(...(await widthFaults(page)).map((fault) => `${at}: ${fault}`))
      if (width === 390 && !textSize)
        faults.push(...(await smallTargets(page)).map((fault) => `${at}: ${fault}`))
    }
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    await page.setViewportSize({ width: 390, height: 844 })
  }
  const opened = new Set<RegExp>()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of paths) {
    // Retried, because a closing sheet that's still going back in history can cancel the navigation.
    await expect(async () => goWithin(page, path)).toPass()
    await settled(page)
    faults.push(...(await ruleFaults(page)).map((fault) => `${path}: ${fault}`))
    await look(path)
    for await (const { opener, reopen } of eachOpened(page, path, opened))
      await look(`${path} with ${opener}`, reopen)
  }
  return faults
}

test('names of 60 letters, large amounts and large text fit every screen and dialog, and every target is large enough for a finger', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000)
  const { email } = someone()
  await arrive(page)
  const { sessions, today } = await fillFamily(page, email)
  await post(page, 'members', { email: `${LONG_WORD}@example.com`, role: 'viewer' })

  const other = await browser.newPage()
  await arrive(other, 'Tutor', email)
  const faults = await faultsOf(other, ['/dashboard'])
  const { own, compared } = await fillPractice(other, { sessions, today })
  const parties = await read<{ id: string }[]>(page, 'tutors')
  const children = await read<{ id: string }[]>(page, 'students')
  faults.push(
    ...(await faultsOf(page, [
      ...PARENT,
      '/to-confirm',
      compared,
      `/payments?with=${parties[0]?.id}`,
      '/payments',
      `/tutors/${parties[0]?.id}`,
      `/children/${children[0]?.id}`,
    ])),
    ...(await faultsOf(other, [
      ...TUTOR,
      compared,
      `/payments?with=${own[0]?.student_id}`,
      `/students/${own[0]?.student_id}`,
    ])),
  )
  const visitor = await browser.newPage()
  faults.push(...(await faultsOf(visitor, PUBLIC)))
  await other.context().close()
  await visitor.context().close()
  expect(faults).toEqual([])
})

test('public pages log nothing to the console and have styles for everything they show', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  // Skips pages that cause an error by design: a missing page and a bad reset link.
  for (const path of PUBLIC.filter((one) => !/such|reset/.test(one))) {
    await page.goto(path)
    await settled(page)
    await page.waitForTimeout(300)
    expect(complaints, path).toEqual([])
  }
  for (const path of PUBLIC) {
    await page.goto(path)
    await settled(page)
    expect(await unstyledClasses(page), path).toEqual([])
  }
  await page.goto('/signup')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  expect(await unstyledClasses(page), '/signup with errors').toEqual([])
})

test('on a desktop the Tab key reaches the navigation before the content', async ({ page }) => {
  await arrive(page)
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto('/children')
  await settled(page)
  const places: number[] = []
  for (let presses = 0; presses < 10; presses++) {
    await page.keyboard.press('Tab')
    places.push(
      await page.evaluate(() => Math.round(document.activeElement?.getBoundingClientRect().left ?? -1)),
    )
  }
  // Focus moves from the skip link to the logo, Find, five pages, and the account menu, and then to the
  // content on their right.
  expect(places.slice(1, 9).every((left) => left >= 0 && left < 236)).toBe(true)
  expect(places[9]).toBeGreaterThan(236)
})
