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
  'deleted',
] as const
export type Action = (typeof ACTIONS)[number]

export const HistoryEntry = z.object({
  seq: z.number(),
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
  hash: z.string(),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

export const ReadHistory = endpoint({
  operation: 'ReadHistory',
  summary: "A session's history, oldest first; the family and the linked tutor read the same",
  method: 'GET',
  path: '/api/v1/sessions/:id/history',
  access: 'confirmed',
  input: z.strictObject({}),
  output: z.object({ entries: z.array(HistoryEntry) }),
})

/** An entry as text, the way the database hashes it; instants are UTC to the microsecond, hashes and notes hexadecimal. */
export interface StoredEntry {
  workspace_id: string
  session_id: string
  seq: number
  at: string
  side: string
  actor_id: string | null
  action: string
  tutor_id: string | null
  facts: string
  changed: string[]
  note: string | null
  previous_hash: string
  hash: string
}

/** The text whose SHA-256 an entry carries: one value a line, ended by the hash of the entry before. */
export function canonicalText(entry: StoredEntry): string {
  const {
    workspace_id,
    session_id,
    seq,
    at,
    side,
    actor_id,
    action,
    tutor_id,
    facts,
    changed,
    note,
    previous_hash,
  } = entry
  return [
    workspace_id,
    session_id,
    seq,
    at,
    side,
    actor_id ?? '-',
    action,
    tutor_id ?? '-',
    facts,
    changed.join(','),
    note ?? '-',
    previous_hash,
  ].join('\n')
}

/** What a session comes to now, as the facts of its last entry have to say; undefined when it was deleted. */
export type CurrentFacts = string | undefined

/**
 * The first entry of one session's chain that does not hold, with what is wrong; undefined when all of it does.
 * @param entries oldest first
 * @param sha256 the hash of a text, hexadecimal
 */
export function firstBreak(
  entries: StoredEntry[],
  current: CurrentFacts,
  sha256: (text: string) => string,
): { seq: number; problem: string } | undefined {
  let previous = ''
  for (const [at, entry] of entries.entries()) {
    if (entry.seq !== at + 1) return { seq: at + 1, problem: 'is missing' }
    if (entry.previous_hash !== previous)
      return { seq: entry.seq, problem: 'does not follow the entry before it' }
    if (entry.hash !== sha256(canonicalText(entry))) return { seq: entry.seq, problem: 'was altered' }
    previous = entry.hash
  }
  const last = entries.at(-1)
  if (!last) return { seq: 1, problem: 'is missing' }
  if (last.action === 'deleted')
    return current === undefined
      ? undefined
      : { seq: last.seq, problem: 'says deleted, and the session is there' }
  if (current === undefined)
    return { seq: last.seq + 1, problem: 'is missing: the session is gone without one' }
  return last.facts === current ? undefined : { seq: last.seq, problem: 'does not say what the session says' }
}
