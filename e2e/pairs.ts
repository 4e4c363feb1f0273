// A family and a tutor who are connected.
import { type Browser, type Page } from '@playwright/test'
import { arrive } from './people.ts'
import { accept, post, send } from './screens.ts'

/** A connected family and tutor with two sessions and a payment last month that both confirmed. */
export async function agreedMonth(page: Page, browser: Browser, currency = 'USD') {
  await arrive(page)
  await send(page, 'patch', 'me', { full_name: 'Jordan Whitfield', currency })
  const email = `ingrid-${process.pid}-${Math.random().toString(36).slice(2, 8)}@example.com`
  const child = await post(page, 'students', { name: 'Maya Whitfield' })
  const ingrid = await post(page, 'tutors', { name: 'Ingrid Lindqvist', email, hourly_rate: 45 })
  const elsewhere = await browser.newContext({
    viewport: { width: 390, height: 844 },
    baseURL: new URL(page.url()).origin,
  })
  const tutor = await elsewhere.newPage()
  await arrive(tutor, 'Tutor', email)
  await send(tutor, 'patch', 'me', { currency })
  const maya = await post(tutor, 'students', { name: 'Maya' })
  const [month, name] = await page.evaluate(() => {
    const before = new Date(new Date().getFullYear(), new Date().getMonth() - 1, 15)
    const digits = String(before.getMonth() + 1).padStart(2, '0')
    const isOther = before.getFullYear() !== new Date().getFullYear()
    return [
      `${before.getFullYear()}-${digits}`,
      before.toLocaleDateString('en-US', { month: 'long', ...(isOther ? { year: 'numeric' } : {}) }),
    ] as [string, string]
  })
  const log = (day: string, duration = 1) =>
    post(page, 'sessions', {
      student_id: child.id,
      tutor_id: ingrid.id,
      date: `${month}-${day}`,
      duration,
      subject: 'Algebra',
    })
  const sessions = [await log('06'), await log('13', 1.5)]
  await post(page, 'connections', { tutor_id: ingrid.id })
  await accept(tutor, { Maya: maya.id })
  for (const { id } of sessions) await send(tutor, 'post', `sessions/${id}/confirm`, {})
  const paid = await post(page, 'payments', { tutor_id: ingrid.id, date: `${month}-14`, amount: 60 })
  await send(tutor, 'post', `payments/${paid.id}/confirm`, {})
  return { family: page, tutor, month, name, log }
}
