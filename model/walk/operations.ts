// Every call that the walk makes, by the name of its operation. An emailed page calls the same operations as members.
import assert from 'node:assert/strict'
import type { LinkPage } from '#main/testing/two-sides.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { type Answer as Reply, type Caller as Visitor } from '#main/testing.server.ts'
import { type Caller, type Entry, isLink, type Link, type Member, otherSide } from '../terms.ts'
import { server, steps, superuser, visitors, world } from './here.ts'

/** :kind is sessions or payments, and :id an entry's or a connection's id. */
const OPERATIONS = {
  Record: 'POST /api/v1/:kind',
  Change: 'PATCH /api/v1/:kind/:id',
  Read: 'GET /api/v1/:kind/:id',
  Confirm: 'POST /api/v1/:kind/:id/confirm',
  Withdraw: 'DELETE /api/v1/:kind/:id/confirm',
  Dispute: 'POST /api/v1/:kind/:id/dispute',
  Accept: 'POST /api/v1/:kind/:id/accept',
  Reply: 'POST /api/v1/:kind/:id/answer',
  Delete: 'DELETE /api/v1/:kind/:id',
  Keep: 'POST /api/v1/:kind/:id/keep',
  History: 'GET /api/v1/:kind/:id/history',
  ConfirmSessions: 'POST /api/v1/confirmations',
  ListWaitingSessions: 'GET /api/v1/confirmations',
  ListWaitingPayments: 'GET /api/v1/payments/waiting',
  SharePayments: 'POST /api/v1/payments/share',
  Ask: 'POST /api/v1/connections',
  AnswerLink: 'PATCH /api/v1/connections/:id',
  EndLink: 'DELETE /api/v1/connections/:id',
  ListPairs: 'GET /api/v1/connections/:id/pairs',
  AnswerPairs: 'POST /api/v1/connections/:id/pairs',
  ListMonths: 'GET /api/v1/months',
  CloseMonth: 'POST /api/v1/months/close',
  WithdrawMonth: 'DELETE /api/v1/months/close',
  ReopenMonth: 'POST /api/v1/months/reopen',
  ReadPage: 'GET /api/v1/months/page',
  DownloadPage: 'GET /api/v1/months/page.pdf',
  ReadLedger: 'GET /api/v1/balances/lines',
  OpenPage: 'POST /api/link/open',
  EndByMail: 'POST /api/link/end',
} as const
export type Operation = keyof typeof OPERATIONS

interface Call {
  id?: string
  kind?: Entry['kind']
  query?: string
  body?: object
  /** The version that the caller saw; undefined if it names none. */
  version?: number
}

/** Calls an operation as a member, or as an emailed page. */
export function send(caller: Caller, operation: Operation, given: Call = {}): Promise<Reply> {
  const { id = '', kind, query = '', body = {}, version } = given
  const [method = '', path = ''] = OPERATIONS[operation].split(' ')
  const url = path.replace(':kind', `${kind ?? ''}s`).replace(':id', id) + query
  const input = method === 'GET' ? undefined : body
  const headers: Record<string, string> = version === undefined ? {} : { 'if-match': `"${version}"` }
  if (!isLink(caller)) return call(caller, method, url, input, headers)
  return server.aStranger().call(method, url, input, { 'tutorlog-link': tokenOf(caller.link), ...headers })
}

/** Calls any path as a member. */
export function call(
  seat: Member,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  // Without this header, the server picks the account's oldest workspace.
  const first = world.members.find(({ account }) => account === seat.account)
  const isNamed = first?.workspace !== seat.workspace || steps.chance(0.3)
  return visitorOf(seat).call(method, path, body, {
    ...(isNamed ? { 'tutorlog-workspace': seat.workspace.id } : {}),
    ...headers,
  })
}
export const visitorOf = ({ account }: Pick<Member, 'account'>): Visitor =>
  visitors.get(account) ?? assert.fail(account.name)

// Emailed pages.

const tokenOf = ({ id }: Link) => `the token of ${id}`
/** Makes up a token for a connection's emailed page. The real one is only in the email. */
export async function makeToken(link: Link): Promise<void> {
  await superuser.query(
    "insert into link_tokens (link_id, token_hash, expires_at) values ($1, $2, now() + interval '9 years')",
    [link.id, tokenHash(tokenOf(link))],
  )
}
/** What an emailed page shows; undefined if its link no longer works. */
export async function openPage(
  link: Link,
): Promise<Record<Entry['kind'] | 'month', LinkPage['sessions']> | undefined> {
  const { status, body } = await send({ link, side: otherSide(link.askedBy) }, 'OpenPage')
  if (status === 404) return undefined
  assert.equal(status, 200, JSON.stringify(body))
  const { sessions, months, money } = body as unknown as LinkPage
  return { session: sessions, payment: money.payments, month: months }
}
