// Everything that somebody sees of their records over HTTP, for tests that compare it before and after an upgrade.
import { daysOfMonth } from '#kernel/calendar-day.ts'
import type { Visitor } from '../visitor.server.ts'

export type Seen = Record<string, unknown>

/** What somebody looks at: consecutive months, and the day that the dashboard is asked for. */
export interface Span {
  months: readonly string[]
  today: string
}

const LAST_STEP: Span = {
  months: ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11', '2026-12'],
  today: '2026-11-27',
}
/** Classes are looked at for the latest months only. */
const MONTHS_OF_CLASSES = 3
const daysOf = ([first = '', ...more]: readonly string[]) =>
  `from=${daysOfMonth(first).from}&to=${daysOfMonth(more.at(-1) ?? first).to}`

const lists = ({ months, today }: Span) => [
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
  `occurrences?${daysOf(months.slice(-MONTHS_OF_CLASSES))}`,
  'calendar-feed',
  'learned-names',
  'connections',
  'charges',
  `charges?${daysOf(months)}`,
  'charges/waiting',
  'payments',
  `payments?${daysOf(months)}`,
  'payments/waiting',
  'payments/unshared',
  'payment-ways',
  'terms',
  'terms/waiting',
  'make-ups',
  `missed?${daysOf(months)}`,
  'moved-classes',
  'schedule-offers',
  'paper-provider',
  'paper-permissions',
  'papers',
  'months/closed',
  `summary/year?year=${today.slice(0, 4)}`,
  `statements/sessions.csv?${daysOf(months)}`,
  `statements/payments.csv?${daysOf(months)}`,
  `dashboard?today=${today}&time=12:00`,
  'billing',
  'referral',
]
const MONTHLY = ['sessions?month=', 'summary?month=', 'balances?month=', 'months?month=']

/** What a signed-in person sees: the answer of every GET operation that isn't about their devices, or why it's refused. */
export async function everythingSeen(person: Visitor, span = LAST_STEP): Promise<Seen> {
  const { months } = span
  const seen: Seen = {}
  const read = async (path: string): Promise<void> => {
    const { status, body, headers, bytes } = await person.call('GET', `/api/v1/${path}`)
    const isJson = String(headers['content-type']).includes('json')
    // A refusal also has the request's id.
    seen[path] = status === 200 ? (isJson ? body : bytes.toString()) : { status, code: body.code }
  }
  for (const path of [...lists(span), ...MONTHLY.flatMap((start) => months.map((month) => start + month))])
    await read(path)
  for (const id of idsIn(seen['sessions?limit=200'])) {
    await read(`sessions/${id}`)
    await read(`sessions/${id}/history`)
  }
  for (const id of idsIn(seen[`payments?${daysOf(months)}`])) {
    await read(`payments/${id}`)
    await read(`payments/${id}/history`)
  }
  for (const id of idsIn(seen[`charges?${daysOf(months)}`])) await read(`charges/${id}`)
  for (const id of idsIn(seen['terms'])) {
    await read(`terms/${id}`)
    await read(`terms/${id}/history`)
  }
  for (const id of idsIn(seen['papers'])) await read(`papers/${id}/paper.json`)
  for (const id of idsIn(seen['connections'])) {
    await read(`connections/${id}/pairs`)
    await read(`connections/${id}/payment-ways`)
    for (const month of months) {
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
