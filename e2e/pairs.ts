// The families and tutors that most journeys start from. What's special about a journey is in the journey.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { arrive, someone } from './people.ts'
import { accept, dayFromToday, post, read, send } from './screens.ts'

/** Last month as yyyy-MM, its name on the screen, and the 14th of that month as its reader writes it: "Oct 14". */
export async function lastMonth(page: Page): Promise<{ month: string; name: string; short: string }> {
  return page.evaluate(() => {
    const before = new Date(new Date().getFullYear(), new Date().getMonth() - 1, 14)
    const isOther = before.getFullYear() !== new Date().getFullYear()
    return {
      month: `${before.getFullYear()}-${String(before.getMonth() + 1).padStart(2, '0')}`,
      name: before.toLocaleDateString('en-US', { month: 'long', ...(isOther ? { year: 'numeric' } : {}) }),
      short: before.toLocaleDateString(navigator.language === 'en-US' ? 'en-US' : 'en-GB', {
        month: 'short',
        day: 'numeric',
      }),
    }
  })
}

/** A family's child and tutor. `log` adds a lesson with them: by default, an hour today. */
export async function mayaWithIngrid(
  page: Page,
  {
    child = 'Maya',
    tutor = 'Ingrid',
    ...more
  }: { child?: string; tutor?: string; email?: string; hourly_rate?: null } = {},
) {
  const who = {
    student_id: (await post(page, 'students', { name: child })).id,
    tutor_id: (await post(page, 'tutors', { name: tutor, hourly_rate: 45, ...more })).id,
  }
  const today = await dayFromToday(page, 0)
  const log = (lesson: object = {}) => post(page, 'sessions', { ...who, date: today, duration: 1, ...lesson })
  return { who, today, log }
}

interface Me {
  full_name?: string
  currency?: string
}
/** Maya Whitfield's family and her tutor, Ingrid Lindqvist, whose address nobody else has. */
export async function aFamily(page: Page, me: Me = {}) {
  await arrive(page)
  await send(page, 'patch', 'me', { currency: 'USD', ...me })
  const { email } = someone()
  const names = { child: 'Maya Whitfield', tutor: 'Ingrid Lindqvist', email }
  const { who, today, log } = await mayaWithIngrid(page, names)
  const connect = () => post(page, 'connections', { tutor_id: who.tutor_id })
  return { family: page, email, who, today, log, connect }
}

export async function otherPhone(
  page: Page,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const elsewhere = await browser.newContext({
    viewport: { width: 390, height: 844 },
    baseURL: new URL(page.url()).origin,
    ...options,
  })
  return elsewhere.newPage()
}

/** The same family, and Ingrid with an account on her own phone. They aren't connected yet. */
export async function twoSides(page: Page, browser: Browser, me: Me = {}) {
  const side = await aFamily(page, me)
  const tutor = await otherPhone(page, browser)
  await arrive(tutor, 'Tutor', side.email)
  await send(tutor, 'patch', 'me', { currency: me.currency ?? 'USD' })
  const [self] = await read<{ id: string }[]>(tutor, 'tutors')
  await send(tutor, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  const maya = await post(tutor, 'students', { name: 'Maya' })
  return { ...side, tutor, own: { student_id: maya.id, tutor_id: self?.id } }
}

/** The two sides, connected, with Maya on both lists and nothing in the log. */
export async function connected(page: Page, browser: Browser, me: Me = {}) {
  const pair = await twoSides(page, browser, me)
  // A child is shared only once there's a session with the tutor.
  const first = await pair.log()
  const connection = await pair.connect()
  await accept(pair.tutor, { Maya: pair.own.student_id })
  await send(page, 'delete', `sessions/${first.id}`, {})
  return { ...pair, connection: connection.id }
}

/** A connected family and tutor. Last month they had two sessions and a payment, all confirmed by both sides. */
export async function agreedMonth(page: Page, browser: Browser, currency = 'USD') {
  const pair = await connected(page, browser, { full_name: 'Jordan Whitfield', currency })
  const { tutor, who, log } = pair
  const { month, name } = await lastMonth(page)
  for (const lesson of [
    { date: `${month}-06`, subject: 'Algebra' },
    { date: `${month}-13`, subject: 'Algebra', duration: 1.5 },
  ])
    await send(tutor, 'post', `sessions/${(await log(lesson)).id}/confirm`, {})
  const paid = await post(page, 'payments', { tutor_id: who.tutor_id, date: `${month}-14`, amount: 60 })
  await send(tutor, 'post', `payments/${paid.id}/confirm`, {})
  return { ...pair, month, name }
}
