// Every call that the walk makes, by the name of its operation. An emailed page has paths of its own, which are
// here too, so nothing else knows how a side without an account calls.
import assert from 'node:assert/strict'
import { byLink } from '#main/testing/two-sides.server.ts'
import { tokenHash } from '#platform/http/token.server.ts'
import { type Answer as Reply, type Caller as Visitor } from '#main/testing.server.ts'
import { type Caller, type Entry, isLink, type Link, type LinkCaller, type Member } from '../terms.ts'
import { server, steps, superuser, visitors, world } from './here.ts'

/** :kind is sessions or payments, and :id an entry's or a connection's id. */
const OPERATIONS = {
  Record: 'POST /api/v1/:kind',
  Change: 'PATCH /api/v1/:kind/:id',
  Read: 'GET /api/v1/:kind/:id',
  Confirm: 'POST /api/v1/:kind/:id/confirm',
  Withdraw: 'DELETE /api/v1/:kind/:id/confirm',
  Dispute: 'POST /api/v1/:kind/:id/dispute',
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
  if (isLink(caller)) return sendByMail(caller, operation, given)
  const { id = '', kind, query = '', body = {}, version } = given
  const [method = '', path = ''] = OPERATIONS[operation].split(' ')
  const url = path.replace(':kind', `${kind ?? ''}s`).replace(':id', id) + query
  return call(
    caller,
    method,
    url,
    method === 'GET' ? undefined : body,
    version === undefined ? {} : { 'if-match': `"${version}"` },
  )
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
/** An entry as an emailed page shows it. */
interface Shown {
  id: string
  version: number
  own_confirmation: string
  other_confirmation: string
}
/** The sessions and payments on an emailed page; undefined if its link no longer works. */
export async function openPage(link: Link): Promise<Record<Entry['kind'], Shown[]> | undefined> {
  const opened = await mail(link, 'open', {})
  if (opened.status === 404) return undefined
  const paid = await mail(link, 'payments', {})
  assert.deepEqual([opened.status, paid.status], [200, 200], JSON.stringify([opened.body, paid.body]))
  return { session: opened.body.sessions as Shown[], payment: paid.body.payments as Shown[] }
}
/** The months on an emailed page. */
export async function pageMonths(link: Link): Promise<Record<string, unknown>[]> {
  return (await mail(link, 'months', {})).body.months as Record<string, unknown>[]
}

const mail = (link: Link, path: string, body: object) => byLink(server.aStranger(), tokenOf(link), path, body)
const BY_MAIL: Partial<Record<Operation, { session?: string; payment?: string }>> = {
  Confirm: { session: 'confirm', payment: 'payments/confirm' },
  Withdraw: { session: 'withdraw', payment: 'payments/withdraw' },
  Dispute: { session: 'dispute', payment: 'payments/dispute' },
  Keep: { session: 'keep', payment: 'payments/keep' },
  Delete: { session: 'delete', payment: 'payments/delete' },
  Record: { payment: 'payments/paid' },
  Change: { payment: 'payments/change' },
  EndLink: { session: 'end' },
  CloseMonth: { session: 'months/close' },
  WithdrawMonth: { session: 'months/withdraw' },
  ReopenMonth: { session: 'months/reopen' },
}
async function sendByMail({ link }: LinkCaller, operation: Operation, given: Call): Promise<Reply> {
  const { id, kind = 'session', version = 0, body } = given
  const path = BY_MAIL[operation]?.[kind] ?? assert.fail(`${operation} by mail`)
  const { connection_id: _, ...rest } = { connection_id: '', ...body }
  const seen = id === undefined ? {} : { id, version }
  const reply = await mail(link, path, path === 'confirm' ? { sessions: [seen] } : { ...seen, ...rest })
  return { ...reply, ...asForMembers(path, reply) }
}
/** What a member's operation would have answered. */
function asForMembers(path: string, { status, body }: Reply): Partial<Reply> {
  if (status >= 400) return {}
  if (path === 'confirm' && (body.changed as string[]).length > 0)
    return { status: 409, body: { code: 'changed' } }
  return {}
}
