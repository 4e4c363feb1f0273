// The setup for tests of shared sessions: a family with a child, and a tutor the family asks to connect.
import assert from 'node:assert/strict'
import type { Client } from 'pg'
import { type Answer, type Caller, PASSWORD, type TestServer } from '../testing.server.ts'

/** A session, connection or other object with an id, as the API returns it. */
export interface Row {
  id: string
  version: number
  [field: string]: unknown
}

/** A family that sent a connection request to a tutor's address. */
export interface Asking {
  family: Caller
  child: string
  tutor: string
  email: string
  connection: string
  /** Logs a 1.5-hour lesson on a past day, and returns its id. */
  log(more?: object): Promise<string>
}

/** A family and a connected tutor with an account. */
export interface Pair extends Asking {
  practice: Caller
  /** The practice's ids for its own tutor entry and for the child. */
  self: string
  student: string
  logByPractice(more?: object): Promise<Answer>
}

export const LESSON = { date: '2026-11-20', duration: 1.5, subject: 'Algebra II', notes: 'secret note' }

export const idOf = (answer: Answer) => {
  assert.equal(typeof answer.body.id, 'string', JSON.stringify(answer.body))
  return String(answer.body.id)
}

/** The list in a response. The response is either the list itself or an object that contains it. */
export function rowsOf({ body }: Answer): Row[] {
  const list = Array.isArray(body) ? body : Object.values(body).find(Array.isArray)
  assert.ok(list, JSON.stringify(body))
  return list as Row[]
}

export const sessionsOf = async (caller: Caller, query = '') =>
  rowsOf(await caller.call('GET', `/api/v1/sessions${query}`))
export const connectionsOf = async (caller: Caller) => rowsOf(await caller.call('GET', '/api/v1/connections'))
/** The sessions that are waiting for someone's answer. */
export const waitingFor = async (caller: Caller) =>
  rowsOf(await caller.call('GET', '/api/v1/confirmations?waiting=true'))
/** A session as one person sees it. */
export const read = async (caller: Caller, id: string) =>
  (await caller.call('GET', `/api/v1/sessions/${id}`)).body as Row
/** A session's history as one person sees it: who did what. */
export const actionsOf = async (caller: Caller, id: string) =>
  rowsOf(await caller.call('GET', `/api/v1/sessions/${id}/history`)).map(
    ({ by, action }) => `${String(by)} ${String(action)}`,
  )

/** A family with a child, and a tutor the family has asked to connect. */
export async function aFamily(
  server: TestServer,
  email = `tutor-${Math.random().toString(36).slice(2)}@example.com`,
  child = 'Maya Whitfield',
  currency = 'USD',
  byLink = false,
): Promise<Asking> {
  const family = await server.aUser()
  if (currency !== 'USD') await family.call('PATCH', '/api/v1/me', { currency })
  const childId = idOf(
    await family.call('POST', '/api/v1/students', { name: child, notes: 'allergic to nuts' }),
  )
  const tutor = idOf(
    await family.call('POST', '/api/v1/tutors', {
      name: 'Ingrid',
      ...(!byLink && { email }),
      phone: '555-0199',
      hourly_rate: 45,
      notes: 'pays cash',
    }),
  )
  const asked = await family.call('POST', '/api/v1/connections', {
    tutor_id: tutor,
    ...(byLink && { by_link: true }),
  })
  assert.equal(asked.status, 201, JSON.stringify(asked.body))
  const log = async (more: object = {}) =>
    idOf(
      await family.call('POST', '/api/v1/sessions', {
        student_id: childId,
        tutor_id: tutor,
        ...LESSON,
        ...more,
      }),
    )
  return { family, child: childId, tutor, email, connection: idOf(asked), log }
}

/** The token of a new link to hand over for a connection. */
export async function handOver(asker: Caller, connection: string): Promise<string> {
  const made = await asker.call('POST', `/api/v1/connections/${connection}/link`, {})
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return /\/open#(\S+)$/.exec(String(made.body.url))?.[1] ?? assert.fail('no token')
}

/** Claims a handed-over link in a browser, as its page does. */
export async function claim(who: Caller, token: string): Promise<Answer> {
  const call = () => who.call('POST', '/api/link/claim', {}, { 'tutorlog-link': token })
  const first = await call()
  return first.status === 200 && !first.body.is_claimed ? call() : first
}

/** A family that handed a link to a tutor who has no address, and the device on which the tutor claimed it. */
export async function aHandedFamily(server: TestServer): Promise<Asking & { token: string; device: Caller }> {
  const asking = await aFamily(server, undefined, undefined, undefined, true)
  const token = await handOver(asking.family, asking.connection)
  const device = server.aStranger()
  assert.deepEqual((await claim(device, token)).body, { is_claimed: true })
  return { ...asking, token, device }
}

/** A signed-in tutor with this address. The tutor's rate matches the one that the family entered. */
export async function aPractice(
  server: TestServer,
  email: string,
): Promise<{ practice: Caller; self: string }> {
  const practice = server.aStranger()
  await practice.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(practice, email)
  practice.id = String((await practice.call('GET', '/api/v1/me')).body.id)
  practice.kind = 'practice'
  practice.email = email
  const self = String(rowsOf(await practice.call('GET', '/api/v1/tutors'))[0]?.id)
  await practice.call('PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 45 })
  return { practice, self }
}

/** A connected family and tutor, both with accounts; the child is one of the tutor's students. */
export async function aPair(
  server: TestServer,
  email?: string,
  child?: string,
  currency?: string,
): Promise<Pair> {
  const asking = await aFamily(server, email, child, currency)
  const { practice, self } = await aPractice(server, asking.email)
  const student = idOf(
    await practice.call('POST', '/api/v1/students', { name: 'maya W.', notes: 'slow reader' }),
  )
  // To be on the connection's list of people, a child needs either a lesson with the tutor or the same first
  // name as a student in the practice.
  const first = await asking.log({ date: '2026-01-05' })
  const [asked] = await connectionsOf(practice)
  await asking.family.call('DELETE', `/api/v1/sessions/${first}`)
  const people = (asked?.people as Row[] | undefined)?.map(({ id }) => ({ id, student_id: student }))
  const accepted = await practice.call('PATCH', `/api/v1/connections/${asking.connection}`, {
    state: 'active',
    people,
  })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  const logByPractice = (more: object = {}) =>
    practice.call('POST', '/api/v1/sessions', { student_id: student, tutor_id: self, ...LESSON, ...more })
  return { ...asking, practice, self, student, logByPractice }
}

/** The token in the newest email that asks someone to confirm sessions. */
export async function tokenOf(server: TestServer, email: string): Promise<string> {
  return /\/confirm#(\S+)/.exec((await server.mailTo(email, 'asks you to confirm')).text)?.[1] ?? ''
}

/** A call of an emailed page: its method and path, with `:id` and `:connection`. */
const LINK_CALLS: Record<string, [method: string, path: string]> = {
  open: ['POST', '/api/link/open'],
  /** The parts of the page about money and months. */
  payments: ['POST', '/api/link/open'],
  months: ['POST', '/api/link/open'],
  end: ['POST', '/api/link/end'],
  confirm: ['POST', '/api/v1/confirmations'],
  write: ['POST', '/api/v1/sessions/:id/confirm'],
  withdraw: ['DELETE', '/api/v1/sessions/:id/confirm'],
  dispute: ['POST', '/api/v1/sessions/:id/dispute'],
  keep: ['POST', '/api/v1/sessions/:id/keep'],
  delete: ['DELETE', '/api/v1/sessions/:id'],
  'payments/paid': ['POST', '/api/v1/payments'],
  'payments/change': ['PATCH', '/api/v1/payments/:id'],
  'payments/confirm': ['POST', '/api/v1/payments/:id/confirm'],
  'payments/withdraw': ['DELETE', '/api/v1/payments/:id/confirm'],
  'payments/dispute': ['POST', '/api/v1/payments/:id/dispute'],
  'payments/keep': ['POST', '/api/v1/payments/:id/keep'],
  'payments/delete': ['DELETE', '/api/v1/payments/:id'],
  'months/close': ['POST', '/api/v1/months/close'],
  'months/withdraw': ['DELETE', '/api/v1/months/close'],
  'months/reopen': ['POST', '/api/v1/months/reopen'],
  'months/page': ['GET', '/api/v1/months/page?connection_id=:connection&month=:month'],
  'months/page.pdf': ['GET', '/api/v1/months/page.pdf?connection_id=:connection&month=:month'],
  papers: ['GET', '/api/v1/paper-permissions'],
  'papers/allow': ['PUT', '/api/v1/connections/:connection/papers'],
  'signed.pdf': ['GET', '/api/v1/connections/:connection/signed.pdf?month=:month'],
}

/**
 * Makes a call of an emailed page, in someone's browser.
 * @param body with the id and version that the page showed, which go into the path and If-Match
 */
export async function byLink(
  who: Caller,
  token: string | undefined,
  what: string,
  body: object = {},
  more: Record<string, string> = {},
): Promise<Answer> {
  const [method, path] = LINK_CALLS[what] ?? assert.fail(what)
  const { id, version, ...rest } = body as { id?: unknown; version?: unknown; month?: unknown }
  const ofMonth = what.startsWith('months/')
  const connection = ofMonth || path.includes(':connection') ? await connectionOf(who, token, more) : ''
  const url = path
    .replace(':id', String(id))
    .replace(':connection', connection)
    .replace(':month', String(rest.month))
  const input = ofMonth ? { connection_id: connection, ...body } : rest
  const answer = await who.call(method, url, method === 'GET' ? undefined : input, {
    'tutorlog-link': token ?? '',
    ...(version !== undefined && !ofMonth && { 'if-match': `"${String(version)}"` }),
    ...more,
  })
  const { side, money, months } = answer.body as Partial<LinkPage>
  if (what === 'payments' && money) return { ...answer, body: { side, ...money } }
  if (what === 'months' && months) return { ...answer, body: { side, months } }
  return answer
}

/** The id of a link's connection, from what the page shows; a random one if it shows nothing. */
async function connectionOf(
  who: Caller,
  token: string | undefined,
  more: Record<string, string>,
): Promise<string> {
  const { body } = await byLink(who, token, 'open', {}, more)
  const { sessions = [], months = [], money } = body as unknown as Partial<LinkPage>
  const [shown] = [...sessions, ...months, ...(money?.payments ?? [])]
  return String(shown?.connection_id ?? crypto.randomUUID())
}

/** What an emailed page shows. */
export interface LinkPage {
  side: string
  other_name: string | null
  first_names: string[]
  sessions: Row[]
  months: Row[]
  money: { payments: Row[]; balance: number; on_its_way_amount: number; ways: Row[] }
}

/** What an emailed page shows in a new browser. */
export async function shownByLink(server: TestServer, token: string): Promise<LinkPage> {
  const { status, body } = await byLink(server.aStranger(), token, 'open')
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as LinkPage
}

/** Terms that the two sides agreed on, as if on an earlier day. Returns their id. */
export async function agreedTerms(
  superuser: Client,
  { family, practice, student }: Pair,
  rules: object,
  from: string,
): Promise<string> {
  const id = idOf(await practice.call('POST', '/api/v1/terms', { student_id: student, rules }))
  assert.equal((await family.call('POST', `/api/v1/terms/${id}/confirm`, {})).status, 200)
  await superuser.query('update terms set applies_from = $2 where id = $1', [id, from])
  return id
}

/** The charges and credits of a family and a practice in a range of days, as both read them, which has to be the same. */
export async function chargesOfBoth(
  { family, practice }: Pair,
  from: string,
  to: string,
): Promise<unknown[][]> {
  const [ours, theirs] = await Promise.all(
    [family, practice].map(async (who) =>
      rowsOf(await who.call('GET', `/api/v1/charges?from=${from}&to=${to}`)).map((one) => [
        one.date,
        one.amount,
        one.reason,
        one.label,
        one.class_date,
      ]),
    ),
  )
  assert.deepEqual(ours, theirs)
  return ours ?? []
}
