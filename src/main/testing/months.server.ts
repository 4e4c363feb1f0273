// A family and a practice that close a month, for tests.
import assert from 'node:assert/strict'
import { checkPage, readKeys } from '#features/months/page-check.ts'
import { KEYS_PATH } from '#features/months/signed-page.ts'
import type { Answer, Caller, TestServer } from '../testing.server.ts'

export type Row = Record<string, unknown> & { id: string; version: number }
export const listed = (body: unknown) => body as Row[]

/** A family and a practice that share a child's sessions. The practice may be one that has another family already. */
export async function connected(server: TestServer, tutorOf?: { practice: Caller }) {
  const [family, practice] = [await server.aUser(), tutorOf?.practice ?? (await server.aUser('tutor'))]
  const child = String((await family.call('POST', '/api/v1/students', { name: 'Maya Whitfield' })).body.id)
  const tutor = String(
    (
      await family.call('POST', '/api/v1/tutors', {
        name: 'Ingrid Lindqvist',
        email: practice.email,
        hourly_rate: 45,
      })
    ).body.id,
  )
  const connection = String((await family.call('POST', '/api/v1/connections', { tutor_id: tutor })).body.id)
  const accepted = await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
  assert.equal(accepted.status, 200)
  const log = (date: string, duration = 1, more: object = {}) =>
    family.call('POST', '/api/v1/sessions', {
      student_id: child,
      tutor_id: tutor,
      date,
      duration,
      subject: 'Algebra',
      ...more,
    })
  /** Logs a session as the family and confirms it as the practice. */
  const agree = async (date: string, duration = 1) => {
    const id = String((await log(date, duration)).body.id)
    assert.equal((await practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 200)
    return id
  }
  const wanted = { connection_id: connection, month: '2026-11' }
  const close = (who: Caller, more: object = {}) =>
    who.call('POST', '/api/v1/months/close', { ...wanted, ...more })
  const reopen = (who: Caller, reason: unknown = 'A lesson was missing') =>
    who.call('POST', '/api/v1/months/reopen', { ...wanted, reason })
  const pdf = (who: Caller, code?: string) =>
    who.call(
      'GET',
      `/api/v1/months/page.pdf?connection_id=${connection}&month=2026-11${code ? `&code=${code}` : ''}`,
    )
  return { family, practice, child, tutor, connection, log, agree, close, reopen, pdf }
}
type Pair = Awaited<ReturnType<typeof connected>>

/** A family and a practice that have closed November, and the month's code. */
export async function closed(server: TestServer, days = ['2026-11-03', '2026-11-10']) {
  const pair = await connected(server)
  const sessions: string[] = []
  for (const day of days) sessions.push(await pair.agree(day))
  assert.equal((await pair.close(pair.family)).body.state, 'asked_by_you')
  const { body } = await pair.close(pair.practice)
  assert.equal(body.state, 'closed', JSON.stringify(body))
  return { ...pair, sessions, code: String(body.code) }
}

/** How the family and the tutor answered, as the file of a closed month says it. */
export async function waysOnPage(server: TestServer, who: Caller, connection: string, month = '2026-11') {
  const file = await who.call('GET', `/api/v1/months/page.pdf?connection_id=${connection}&month=${month}`)
  const keys = await readKeys((await server.app.inject({ method: 'GET', url: KEYS_PATH })).payload)
  const checked = await checkPage(file.bytes, keys?.keys ?? [])
  assert.equal(checked?.isGenuine, true)
  return [checked.facts.answers.family.how, checked.facts.answers.tutor.how]
}

export const monthOf = async ({ connection }: Pair, who: Caller) =>
  ((await who.call('GET', '/api/v1/months?month=2026-11')).body.months as Row[]).find(
    (one) => one.connection_id === connection,
  )
export const verify = async (server: TestServer, code: string) =>
  (await server.app.inject({ method: 'GET', url: `/verify/${code}` })).payload
export const refusal = ({ status, body }: Answer) => [status, body.code]
