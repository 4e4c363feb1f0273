// Everything that somebody sees of their records over HTTP, for tests that compare it before and after an upgrade.
import type { Caller } from '../testing.server.ts'

export type Seen = Record<string, unknown>

const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11', '2026-12']
const PLAIN = [
  'me',
  'workspaces',
  'members',
  'notices',
  'students?archived=all',
  'tutors?archived=all',
  'sessions?limit=200',
  'sessions/held',
  'confirmations',
  'confirmations?waiting=true',
  'schedules',
  'occurrences?from=2026-10-01&to=2026-12-31',
  'calendar-feed',
  'learned-names',
  'connections',
  'charges',
  'charges/waiting',
  'payments',
  'payments/waiting',
  'payments/unshared',
  'payment-ways',
  'terms',
  'terms/waiting',
  'months/closed',
  'summary/year?year=2026',
  'statements/sessions.csv?from=2026-07-01&to=2026-12-31',
  'dashboard?today=2026-11-27&time=12:00',
  'billing',
  'referral',
]
const MONTHLY = ['sessions?month=', 'summary?month=', 'balances?month=', 'months?month=']

/** What a signed-in person sees: the answer of every GET operation that isn't about their devices, or why it's refused. */
export async function everythingSeen(person: Caller): Promise<Seen> {
  const seen: Seen = {}
  const read = async (path: string): Promise<void> => {
    const { status, body, headers, bytes } = await person.call('GET', `/api/v1/${path}`)
    const isJson = String(headers['content-type']).includes('json')
    // A refusal also has the request's id.
    seen[path] = status === 200 ? (isJson ? body : bytes.toString()) : { status, code: body.code }
  }
  for (const path of [...PLAIN, ...MONTHLY.flatMap((start) => MONTHS.map((month) => start + month))])
    await read(path)
  for (const id of idsIn(seen['sessions?limit=200'])) {
    await read(`sessions/${id}`)
    await read(`sessions/${id}/history`)
  }
  for (const id of idsIn(seen['payments'])) await read(`payments/${id}`)
  for (const id of idsIn(seen['charges'])) await read(`charges/${id}`)
  for (const id of idsIn(seen['terms'])) {
    await read(`terms/${id}`)
    await read(`terms/${id}/history`)
  }
  for (const id of idsIn(seen['connections'])) {
    await read(`connections/${id}/pairs`)
    await read(`connections/${id}/payment-ways`)
    for (const month of MONTHS) {
      await read(`months/page?connection_id=${id}&month=${month}`)
      await read(`balances/lines?month=${month}&with=${id}`)
    }
  }
  return seen
}

function idsIn(answer: unknown): string[] {
  const list = Array.isArray(answer) ? answer : Object.values(answer as object).find(Array.isArray)
  return ((list ?? []) as { id?: string }[]).flatMap(({ id }) => id ?? [])
}
