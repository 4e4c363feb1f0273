// What happened to a session: who did what when, each entry chained to the one before by its hash. Read by both sides.
import * as z from 'zod/mini'
import { endpoint } from '#kernel/endpoint.ts'
import { Currency } from '#kernel/money.ts'

export const ACTIONS = [
  'recorded',
  'logged',
  'changed',
  'confirmed',
  'withdrawn',
  'disputed',
  'answered',
  'accepted',
  'deletion asked',
  'kept',
  'merged',
  'deleted',
] as const
export type Action = (typeof ACTIONS)[number]

export const HistoryEntry = z.object({
  /** Counts the entries of a chain; sessions that were merged have several chains. */
  seq: z.number(),
  chain: z.number(),
  /** The instant, ISO 8601. */
  at: z.string(),
  /** Who did it, seen by the reader: another member of the own side, or the other side, the tutor to a family and the family to a tutor. */
  by: z.enum(['you', 'member', 'other', 'tutorlog']),
  /** The name of another member of the own side, where there is one. */
  member_name: z.nullable(z.string()),
  action: z.enum(ACTIONS),
  /** The fields that this entry changed. */
  changed: z.array(z.string()),
  note: z.nullable(z.string()),
  /** The session after this entry; its amounts are in the currency of the family, or of a tutor's own log. */
  date: z.string(),
  duration: z.number(),
  currency: Currency,
  rate: z.nullable(z.number()),
  total_amount: z.nullable(z.number()),
  subject: z.nullable(z.string()),
  state: z.enum(['unverified', 'verified', 'disputed']),
  /** Null for a caregiver: with all else known, trying every rate would find the one. */
  hash: z.nullable(z.string()),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

export const ReadHistory = endpoint({
  operation: 'ReadHistory',
  summary: "A session's history, oldest first; both sides read the same",
  method: 'GET',
  path: '/api/v1/sessions/:id/history',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ entries: z.array(HistoryEntry) }),
})

/** An entry as the database holds it; instants are UTC to the microsecond, hashes and notes hexadecimal. */
export interface StoredEntry {
  chain: number
  session_id: string
  seq: number
  at: string
  side: string
  action: string
  facts: string
  changed: string[]
  note: string | null
  previous_hash: string
  hash: string
  /** The text that was hashed: one value a line, ended by the hash of the entry before. */
  hashed_text: string
}

/** What the hashed text of entries from before sessions had two sides calls a side; newer ones have its own name. */
const FORMER_SIDES: Record<string, string[]> = {
  owner: ['family', 'practice'],
  tutor: ['practice'],
}

/** Which line of the hashed text says what; the format before sessions had two sides has the same order. */
const LINES: Record<number, (entry: StoredEntry) => string> = {
  1: ({ session_id: id }) => id,
  2: ({ seq }) => String(seq),
  3: ({ at }) => at,
  6: ({ action }) => action,
  8: ({ facts }) => facts,
  9: ({ changed }) => changed.join(','),
  10: ({ note }) => note ?? '-',
  11: ({ previous_hash: hash }) => hash,
}

/** Whether the text that was hashed says what the entry says. */
export function saysTheSame(entry: StoredEntry): boolean {
  const lines = entry.hashed_text.split('\n')
  return (
    lines.length === 12 &&
    isSide(lines[4] ?? '', entry.side) &&
    Object.entries(LINES).every(([line, value]) => lines[Number(line)] === value(entry))
  )
}

function isSide(told: string, side: string): boolean {
  return told === side || (FORMER_SIDES[told] ?? []).includes(side)
}

/** What a session comes to now, as the facts of its last entry have to say; undefined when it was deleted. */
export type CurrentFacts = string | undefined

/** What entries from before sessions had two sides say that still has to hold: not the people, and not who confirmed. */
const FORMER_FACTS = ['date', 'minutes', 'rate_cents', 'total_cents', 'subject']

function isSameNow(told: string, current: string): boolean {
  const [then, now] = [told, current].map((facts) => JSON.parse(facts) as Record<string, unknown>)
  return ('currency' in (then ?? {}) ? Object.keys(now ?? {}) : FORMER_FACTS).every(
    (fact) => then?.[fact] === now?.[fact],
  )
}

/**
 * The first entry of one session's chains that does not hold, with what is wrong; undefined when all of it does.
 * @param entries of one chain after the other, oldest first; the first chain is the session's own
 * @param sha256 the hash of a text, hexadecimal
 */
export function firstBreak(
  entries: StoredEntry[],
  current: CurrentFacts,
  sha256: (text: string) => string,
): { seq: number; problem: string } | undefined {
  const own = entries.filter(({ chain }) => chain === 1)
  for (const chain of new Set(entries.map((entry) => entry.chain))) {
    const broken = brokenLink(
      entries.filter((entry) => entry.chain === chain),
      sha256,
    )
    if (broken) return broken
  }
  const last = own.at(-1)
  if (!last) return { seq: 1, problem: 'is missing' }
  if (last.action === 'deleted')
    return current === undefined
      ? undefined
      : { seq: last.seq, problem: 'says deleted, and the session is there' }
  if (current === undefined)
    return { seq: last.seq + 1, problem: 'is missing: the session is gone without one' }
  return isSameNow(last.facts, current)
    ? undefined
    : { seq: last.seq, problem: 'does not say what the session says' }
}

function brokenLink(
  entries: StoredEntry[],
  sha256: (text: string) => string,
): { seq: number; problem: string } | undefined {
  let previous = ''
  for (const [at, entry] of entries.entries()) {
    if (entry.seq !== at + 1) return { seq: at + 1, problem: 'is missing' }
    if (entry.previous_hash !== previous)
      return { seq: entry.seq, problem: 'does not follow the entry before it' }
    if (entry.hash !== sha256(entry.hashed_text) || !saysTheSame(entry))
      return { seq: entry.seq, problem: 'was altered' }
    previous = entry.hash
  }
  return undefined
}
