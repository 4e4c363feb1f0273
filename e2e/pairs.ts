// Families and tutors with lessons last month.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { arrive } from './people.ts'
import { accept, post, send } from './screens.ts'

/** Last month as yyyy-MM, its name on the screen, and the 14th of that month: "Oct 14". */
export async function lastMonth(page: Page): Promise<{ month: string; name: string; short: string }> {
  return page.evaluate(() => {
    const before = new Date(new Date().getFullYear(), new Date().getMonth() - 1, 14)
    const isOther = before.getFullYear() !== new Date().getFullYear()
    return {
      month: `${before.getFullYear()}-${String(before.getMonth() + 1).padStart(2, '0')}`,
      name: before.toLocaleDateString('en-US', { month: 'long', ...(isOther ? { year: 'numeric' } : {}) }),
      short: before.toLocaleDateString('en-US', { month: 'short', day: 'numeric' }),
    }
  })
}

/** A family with a child and a tutor; the tutor's address is unique. `log` adds a lesson dated last month. */
export async function familyWithTutor(page: Page, currency = 'USD') {
  await arrive(page)
  await send(page, 'patch', 'me', { full_name: 'Jordan Whitfield', currency })
  const email = `ingrid-${process.pid}-${Math.random().toString(36).slice(2, 8)}@example.com`
  const child = await post(page, 'students', { name: 'Maya Whitfield' })
  const ingrid = await post(page, 'tutors', { name: 'Ingrid Lindqvist', email, hourly_rate: 45 })
  const { month, ...names } = await lastMonth(page)
  const log = (day: string, duration = 1) =>
    post(page, 'sessions', {
      student_id: child.id,
      tutor_id: ingrid.id,
      date: `${month}-${day}`,
      duration,
      subject: 'Algebra',
    })
  return { email, ingrid, month, ...names, log }
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

/** A connected family and tutor. Last month they had two sessions and a payment, all confirmed by both sides. */
export async function agreedMonth(page: Page, browser: Browser, currency = 'USD') {
  const { email, ingrid, month, name, log } = await familyWithTutor(page, currency)
  const tutor = await otherPhone(page, browser)
  await arrive(tutor, 'Tutor', email)
  await send(tutor, 'patch', 'me', { currency })
  const maya = await post(tutor, 'students', { name: 'Maya' })
  const sessions = [await log('06'), await log('13', 1.5)]
  await post(page, 'connections', { tutor_id: ingrid.id })
  await accept(tutor, { Maya: maya.id })
  for (const { id } of sessions) await send(tutor, 'post', `sessions/${id}/confirm`, {})
  const paid = await post(page, 'payments', { tutor_id: ingrid.id, date: `${month}-14`, amount: 60 })
  await send(tutor, 'post', `payments/${paid.id}/confirm`, {})
  return { family: page, tutor, month, name, log }
}
