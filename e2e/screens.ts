// Lists all screens, fills in the longest names and amounts, and checks for layout errors.
import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page, type Route } from '@playwright/test'

/** 60 letters, including a word that's too long for one line. */
export const LONG_NAME = 'Maximiliana Alexandrina Konstantinopolitana Featherstonehaug'
export const LONG_WORD = 'Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaf'

export const PUBLIC = [
  '/',
  '/login',
  '/login?link=expired',
  '/signup',
  '/forgot-password',
  '/reset-password?access_token=x&refresh_token=y',
  '/terms',
  '/privacy',
  '/contact',
  '/help',
  '/verify',
  '/confirm',
  '/join',
  '/verify-email',
  '/opt-out?token=x',
  '/no/such/page',
]
const SHARED = [
  '/dashboard',
  '/add-session',
  '/add-session?tab=voice',
  '/summary',
  '/summary/year',
  '/payments',
  '/months',
  '/schedules',
  '/schedules?view=week',
  '/schedules?view=month',
  '/import',
  '/account',
  '/invite-friends',
]
export const PARENT = [...SHARED, '/children', '/tutors', '/papers', '/students']
export const TUTOR = [...SHARED, '/students', '/to-confirm', '/papers', '/tutors']
export const ADMIN = ['/admin', '/dashboard', '/students', '/account']

/** A class's button in a calendar view. */
const A_CLASS = /^(Max|Wol)/

/** Buttons that open a dialog, a menu, or a form in the page. */
const OPENERS = [
  /^Add (Tutor|Child|Student)$/,
  /^Edit (Max|Wol)/,
  /^Delete (Max|Wol)/,
  /^Ask to confirm, /,
  /^Edit session/,
  /^Edit payment/,
  /^Accept$/,
  /^Not right/,
  /^Not (received|paid), /,
  /^Add a payment option$/,
  /^Reopen /,
  /’s students$/,
  /^Record a payment/,
  /^Statement$/,
  /^Create Schedule$/,
  /^Edit schedule/,
  /^Invite (someone|the other parent)$/,
  /^Change (name|email|password)/,
  /^Create a new link/,
  /^Delete account/,
  /^Open .*’s record$/,
  /^Disable /,
  /^Account menu/,
  /^More for /,
  /^Add several$/,
]

/** Items in row menus that open a dialog. */
const MENU_QUESTIONS = [/^End connection$/, /^Withdraw request$/, /^(Ask|Invite) again$/]

/** Posts to the API as the user who's signed in on the page. */
export async function post(page: Page, path: string, data: object): Promise<{ id: string }> {
  return send(page, 'post', path, data)
}

/** Sends a change to the API as the user who's signed in on the page. Fails if the server doesn't accept it. */
export async function send(
  page: Page,
  method: 'post' | 'put' | 'patch' | 'delete',
  path: string,
  data: object,
  headers: Record<string, string> = {},
): Promise<{ id: string }> {
  const origin = new URL(page.url()).origin
  const response = await page.request[method](`${origin}/api/v1/${path}`, {
    data,
    headers: { origin, ...headers },
  })
  const text = await response.text()
  expect(response.ok(), `${method} ${path}: ${text}`).toBe(true)
  return JSON.parse(text || '{}') as { id: string }
}

/**
 * Accepts a family's request as the tutor who's signed in on the page. `students` matches children to
 * existing students; the remaining children become new students.
 */
export async function accept(page: Page, students: Record<string, string> = {}): Promise<void> {
  const connections = await read<
    { id: string; state: string; people: { id: string; first_name: string }[] }[]
  >(page, 'connections')
  const asking = connections.find(({ state }) => state === 'asked')
  await send(page, 'patch', `connections/${asking?.id}`, {
    state: 'active',
    people: asking?.people.map(({ id, first_name: name }) => ({ id, student_id: students[name] ?? null })),
  })
}

/** Reads from the API as the user who's signed in on the page. */
export async function read<Answer>(page: Page, path: string): Promise<Answer> {
  return (await (await page.request.get(`${new URL(page.url()).origin}/api/v1/${path}`)).json()) as Answer
}

/** The date in the browser this many days from now, as yyyy-MM-dd. */
export async function dayFromToday(page: Page, days: number): Promise<string> {
  return page.evaluate((by) => {
    const day = new Date()
    day.setDate(day.getDate() + by)
    return new Intl.DateTimeFormat('en-CA').format(day)
  }, days)
}

/** Adds past classes that nobody has logged, one per day, ending yesterday. */
export async function addPastClasses(
  page: Page,
  who: { student_id: string; tutor_id: string; subject?: string },
  count: number,
): Promise<void> {
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

/** Goes to a screen without reloading the app, the way the app's own links do. */
export async function goWithin(page: Page, path: string): Promise<void> {
  const isIn = (await page.locator('nav[aria-label=Main]').count()) > 0
  if (!isIn) return void (await page.goto(path))
  await page.evaluate((to) => {
    // The screen before stays until the next one's code has loaded. Another screen has a heading or a title of its own.
    const isAnother = new URL(to, location.href).pathname !== location.pathname
    const before = isAnother ? { heading: document.querySelector('main h1'), title: document.title } : {}
    Object.assign(window, { before })
    if (isAnother) document.title = ''
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction(() => {
    const { before } = window as unknown as { before: { heading?: Element | null; title?: string } }
    const heading = document.querySelector('main h1')
    if (!heading || (heading === before.heading && document.title === '')) return false
    document.title ||= before.title ?? ''
    return true
  })
}

/**
 * Waits until history has an entry for each open dialog, sheet, menu and form in the page, which is what Back takes.
 * Entries come a moment after what they're for appears, and go a moment after it closes.
 */
export async function expectLayers(page: Page, count: number): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => (history.state as { layers?: number } | null)?.layers ?? 0))
    .toBe(count)
}

/** Expands a section that's collapsed on phones. */
export async function unfold(page: Page, heading: string): Promise<void> {
  await page.locator('details:not([open]) > summary').filter({ hasText: heading }).click()
}

/** Opens a screen again and again until it has this, which a job or another server is about to add. */
export async function openUntil(page: Page, path: string, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(path)
    // However long the screen takes to load, the next try comes only after it has.
    await settled(page)
    await expect(shown).toBeVisible({ timeout: 1000 })
  }).toPass()
}

/** Opens a screen and waits for its event stream to connect. */
export async function watch(page: Page, path: string): Promise<void> {
  // From here on, a stream of the page before can't be mistaken for this one's.
  await page.goto(path, { waitUntil: 'commit' })
  const stream = await page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/api/v1/events',
  )
  expect(stream.status()).toBe(200)
}

/** Keeps a page from hearing of changes, so that its lists load again only when the journey makes them. */
export async function hearNothing(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/events/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n\n' }),
  )
}

/** Lets requests for this wait. Returns what lets them go. */
export async function holdBack(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/**
 * The server's answer when it fails. Unlike a call that doesn't reach it, after which the app loads everything
 * again by itself, it leaves retrying to the person.
 */
export function failOnServer(route: Route): Promise<void> {
  return route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    body: '{"status":500,"code":"unexpected","title":"Something went wrong on our side"}',
  })
}

/** Waits until a screen and its fonts have loaded. */
export async function settled(page: Page): Promise<void> {
  // A dialog hides the heading from screen readers.
  await expect(page.getByRole('heading', { level: 1, includeHidden: true }).first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Finds elements that are wider than the screen, and amounts that wrap or are cut off. */
export async function widthFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className.toString().split(' ').slice(0, 3).join('.')} "${element.textContent?.trim().slice(0, 30)}"`
    const root = document.documentElement
    const over = Math.max(root.scrollWidth, document.body.scrollWidth) - innerWidth
    if (over > 0) {
      const isOut = (element: Element) => element.getBoundingClientRect().right > innerWidth + 0.5
      const widest = [...document.body.querySelectorAll('*')]
        .filter((element) => isOut(element) && ![...element.children].some(isOut))
        .filter((element) => element.checkVisibility())
      faults.push(`scrolls sideways by ${over}: ${widest.slice(0, 3).map(nameOf).join(', ')}`)
    }
    for (const box of document.querySelectorAll('.sheet .body, .dlg, .menu'))
      if (box.scrollWidth > box.clientWidth || box.getBoundingClientRect().right > innerWidth)
        faults.push(`too wide a dialog: ${nameOf(box)}`)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const parent = node.parentElement
      if (!parent?.checkVisibility() || parent.closest('.sr-only, option, textarea')) continue
      for (const { index, 0: amount } of node.data.matchAll(/[$€£]\s?\d[\d,.]*\d/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + amount.length)
        const rects = [...range.getClientRects()]
        const box = range.getBoundingClientRect()
        if (rects.some(({ top }) => Math.abs(top - (rects[0]?.top ?? 0)) > 2))
          faults.push(`amount broken over lines: ${amount} in ${nameOf(parent)}`)
        for (let around: Element | null = parent; around; around = around.parentElement) {
          if (getComputedStyle(around).overflowX === 'visible') continue
          const { left, right } = around.getBoundingClientRect()
          if (box.left < left - 1 || box.right > right + 1)
            faults.push(`amount cut off: ${amount} of ${nameOf(parent)} in ${nameOf(around)}`)
        }
      }
    }
    return [...new Set(faults)]
  })
}

/** Finds touch targets smaller than 44 by 44 pixels. Ignores links within a sentence. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Whatever is still growing into place, such as a toast, counts at its full size.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
    const dialog = document.querySelector('[role=dialog], [role=alertdialog]')
    const targets = (dialog ?? document).querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem]',
    )
    return [...targets].flatMap((target) => {
      if (!target.checkVisibility({ visibilityProperty: true }) || target.matches('.skip, [tabindex="-1"]'))
        return []
      const isInSentence =
        getComputedStyle(target).display === 'inline' &&
        (target.parentElement?.textContent ?? '').trim().length > (target.textContent ?? '').trim().length
      // A field's label is part of its touch target.
      const boxes = [target, target.closest('label'), ...((target as HTMLInputElement).labels ?? [])].flatMap(
        (part) => (part ? [part.getBoundingClientRect()] : []),
      )
      const span = (start: 'left' | 'top', end: 'right' | 'bottom') =>
        Math.max(...boxes.map((box) => box[end])) - Math.min(...boxes.map((box) => box[start]))
      const [width, height] = [span('left', 'right'), span('top', 'bottom')]
      if (isInSentence || width === 0 || (width >= 43.5 && height >= 43.5)) return []
      const name = target.getAttribute('aria-label') ?? target.textContent ?? ''
      return [
        `${Math.round(width)}x${Math.round(height)} ${target.tagName.toLowerCase()} "${name.trim().slice(0, 40)}"`,
      ]
    })
  })
}

/**
 * Finds headings in the wrong order, a page without a heading, and buttons whose accessible name doesn't
 * contain their text.
 */
export async function ruleFaults(page: Page): Promise<string[]> {
  // The account button shows initials, which count as an image.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .exclude('[aria-label^="Account menu"]')
    .exclude(['iframe', '[aria-label^="Account menu"]'])
    .withRules(['heading-order', 'page-has-heading-one', 'label-content-name-mismatch'])
    .analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

/**
 * The problems axe finds in a theme, each starting with its severity. In the dark theme, checks only colors,
 * because nothing else is different.
 */
export async function axeFaults(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // By default, axe opens an extra page for each check to handle frames. The only frames are the demo's,
  // which show the app's screens, and those are checked separately. Reporting passing checks too, and loading
  // the style sheets for a rule that isn't used here, would take up a third of the time.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], preload: false })
    .setLegacyMode()
    .exclude('iframe')
  if (theme === 'light')
    axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  else axe.withRules(['color-contrast', 'link-in-text-block'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => `${impact} ${id}: ${html.slice(0, 160)}`),
  )
}

/**
 * The CSS classes on a page that aren't defined in any of its style sheets. Ignores classes that are only
 * markers: those from the icon library, and the router's class for the current page.
 */
export async function unstyledClasses(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const styled = new Set<string>()
    const gather = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule)
          for (const [, name] of rule.selectorText.matchAll(/\.((?:\\.|[\w-])+)/g))
            styled.add((name ?? '').replaceAll('\\', ''))
        if ('cssRules' in rule) gather(rule.cssRules as CSSRuleList)
      }
    }
    for (const sheet of document.styleSheets) gather(sheet.cssRules)
    const used = new Set([...document.querySelectorAll('body *')].flatMap(({ classList }) => [...classList]))
    return [...used]
      .filter((name) => !styled.has(name) && !name.startsWith('lucide') && name !== 'active')
      .sort()
  })
}

/**
 * Presses the screen's buttons one at a time to open each kind of dialog and menu, skipping the ones in
 * `opened`. `reopen` opens a menu again if it closed because the page changed size.
 */
export async function* eachOpened(
  page: Page,
  path: string,
  opened: Set<RegExp>,
): AsyncGenerator<{ opener: string; reopen: () => Promise<void> }> {
  const shown = page
    .locator('[role=dialog], [role=alertdialog], .menu:popover-open')
    .or(page.getByRole('region', { name: /^(Add New|Edit) (Tutor|Child)$/ }))
  for (const opener of path.includes('view=') ? [...OPENERS, A_CLASS] : OPENERS) {
    const button = page.getByRole('button', { name: opener }).filter({ visible: true }).first()
    if (opened.has(opener) || !(await button.count())) continue
    opened.add(opener)
    await button.click()
    await expect(shown, `${path} with ${opener.source}`).toBeVisible()
    // By then it hears Escape, too.
    await expectLayers(page, 1)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    const isMenu = (await page.locator('.menu:popover-open').count()) > 0
    const reopen = async () => {
      if (!isMenu) return
      await page.keyboard.press('Escape')
      await expect(shown).toHaveCount(0)
      await button.click()
      await expect(shown).toBeVisible()
    }
    yield { opener: opener.source, reopen }
    await page.keyboard.press('Escape')
    await expect(shown).toHaveCount(0)
  }
  yield* eachMenuQuestion(page, opened)
}

/** Opens each kind of dialog that can be reached from a screen's row menus. */
async function* eachMenuQuestion(page: Page, opened: Set<RegExp>) {
  const menus = page.getByRole('button', { name: /^More for / }).filter({ visible: true })
  const dialog = page.locator('[role=dialog], [role=alertdialog]')
  for (const menu of await menus.all()) {
    await menu.click()
    for (const question of MENU_QUESTIONS) {
      const item = page.getByRole('menuitem', { name: question }).filter({ visible: true })
      if (opened.has(question) || !(await item.count())) continue
      opened.add(question)
      await item.click()
      await expect(dialog, question.source).toBeVisible()
      await expectLayers(page, 1)
      yield { opener: question.source, reopen: async () => undefined }
      break
    }
    // Closes the dialog, or the menu if there was nothing new in it.
    await page.keyboard.press('Escape')
    await expect(page.locator('[role=dialog], [role=alertdialog], .menu:popover-open')).toHaveCount(0)
  }
}

/** A page's layout errors on a phone and on a desktop. */
export async function faultsOf(page: Page): Promise<string[]> {
  await settled(page)
  const narrow = [...(await widthFaults(page)), ...(await smallTargets(page)), ...(await ruleFaults(page))]
  await page.setViewportSize({ width: 1280, height: 900 })
  const wide = await widthFaults(page)
  await page.setViewportSize({ width: 390, height: 844 })
  return [...narrow, ...wide]
}

/** Downloads the closed month's page as a PDF. */
export async function copyOf(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download')
  const months = page.getByRole('region', { name: 'Closing the month' })
  await months.getByRole('button', { name: 'Keep a copy (PDF)' }).click()
  return readFileSync(await (await download).path())
}
