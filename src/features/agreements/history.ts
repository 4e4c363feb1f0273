// The history of a session or payment: who did what, and when. Both sides can read it. Each entry contains the
// previous entry's hash.
import * as z from 'zod/mini'

const ACTIONS = [
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
  'by terms',
  'waived',
] as const
export type Action = (typeof ACTIONS)[number]

/** What an entry of any kind has. Each kind adds the facts after the entry. */
export const HistoryEntry = z.object({
  /** The entry's number within its chain. Two that were merged have several chains. */
  seq: z.number(),
  chain: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Who made the change: the reader, another member of the reader's side, the other side, or Tutorlog itself. */
  by: z.enum(['you', 'member', 'other', 'tutorlog']),
  /** The member's name, if known. Only set for 'member'. */
  member_name: z.nullable(z.string()),
  /** Whether the side has no account and answered by handed-over link. */
  is_by_handed_link: z.boolean(),
  action: z.enum(ACTIONS),
  /** The fields that this entry changed. */
  changed: z.array(z.string()),
  note: z.nullable(z.string()),
  state: z.enum(['unverified', 'verified', 'disputed']),
  /** Null for caregivers, who could otherwise work out the rate by hashing every possible value. */
  hash: z.nullable(z.string()),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

/** A stored entry. Times are in UTC with microsecond precision; hashes and notes are in hexadecimal. */
export interface StoredEntry {
  chain: number
  entry_id: string
  seq: number
  at: string
  side: string
  action: string
  facts: string
  changed: string[]
  note: string | null
  previous_hash: string
  hash: string
  /** The text that was hashed, with one value per line. The previous entry's hash comes last. */
  hashed_text: string
  is_by_handed_link: boolean
}

/** An entry as somebody has it who may not see all of it. Without the text, nothing but its place can be checked. */
export interface SeenEntry extends Omit<StoredEntry, 'previous_hash' | 'hashed_text'> {
  previous_hash: string | null
  hashed_text: string | null
}

function isWhole(entry: SeenEntry): entry is StoredEntry {
  return entry.hashed_text !== null
}

/**
 * Before sessions had two sides, entries named the side 'owner' or 'tutor'. Maps each to the sides it may
 * stand for.
 */
const OLD_SIDES: Record<string, string[]> = {
  owner: ['family', 'practice'],
  tutor: ['practice'],
}

/** The values on these lines of the hashed text, by line number. The older format uses the same order. */
const LINES: Record<number, (entry: StoredEntry) => string> = {
  1: ({ entry_id: id }) => id,
  2: ({ seq }) => String(seq),
  3: ({ at }) => at,
  6: ({ action }) => action,
  8: ({ facts }) => facts,
  9: ({ changed }) => changed.join(','),
  10: ({ note }) => note ?? '-',
  11: ({ previous_hash: hash }) => hash,
}

/** Whether an entry's columns match its hashed text. */
export function saysTheSame(entry: StoredEntry): boolean {
  const lines = entry.hashed_text.split('\n')
  return (
    lines.length === 12 &&
    isSide(lines[4] ?? '', entry.side) &&
    (lines[5] === 'by handed-over link') === entry.is_by_handed_link &&
    Object.entries(LINES).every(([line, value]) => lines[Number(line)] === value(entry))
  )
}

function isSide(told: string, side: string): boolean {
  return told === side || (OLD_SIDES[told] ?? []).includes(side)
}

/** The current facts, which must match the last entry. Undefined if the session or payment was deleted. */
type CurrentFacts = string | undefined

/**
 * The only facts compared for entries from before sessions had two sides. Those entries represent people and
 * confirmations differently.
 */
const OLD_FACTS = ['date', 'minutes', 'rate_cents', 'total_cents', 'subject']

function isSameNow(told: string, current: string): boolean {
  const [then, now] = [told, current].map((facts) => JSON.parse(facts) as Record<string, unknown>)
  return ('currency' in (then ?? {}) ? Object.keys(now ?? {}) : OLD_FACTS).every(
    (fact) => then?.[fact] === now?.[fact],
  )
}

/** An invalid entry, and what's wrong with it. */
export interface Break {
  seq: number
  problem: string
}

/**
 * All invalid entries in the chains of a session or payment. If there are none, the last one if it doesn't match.
 * Empty if everything is valid.
 * Only what was hashed before sessions had two sides may be hidden from someone, so nothing is after an entry that isn't.
 * @param entries one chain after another, each oldest first; chain 1 is its own
 * @param sha256 returns a string's hash in hexadecimal
 */
export function breaksOf(
  entries: SeenEntry[],
  current: CurrentFacts,
  sha256: (text: string) => string,
): Break[] {
  const broken = [
    ...chainsOf(entries).flatMap((chain) => brokenLinks(chain, sha256)),
    ...brokenMerges(entries),
  ]
  if (broken.length > 0) return broken
  const last = entries.findLast(({ chain }) => chain === 1)
  const problem = last ? whatIsWrongAtTheEnd(last, current) : { seq: 1, problem: 'is missing' }
  return problem ? [problem] : []
}

function chainsOf(entries: SeenEntry[]): SeenEntry[][] {
  return [...new Set(entries.map(({ chain }) => chain))].map((number) =>
    entries.filter(({ chain }) => chain === number),
  )
}

/** The hash of the last entry that another one had when it was merged into this one, as its entry says. */
function mergedHash({ action, facts }: SeenEntry): string | undefined {
  if (action !== 'merged') return undefined
  const { merged } = JSON.parse(facts) as { merged?: string | null }
  return merged ?? undefined
}

/** Entries about a merge whose other chain is missing, or doesn't end where it did then. */
function brokenMerges(entries: SeenEntry[]): Break[] {
  const ends = new Set(chainsOf(entries).map((chain) => chain.at(-1)?.hash))
  return entries.flatMap((entry) => {
    const end = mergedHash(entry)
    return end === undefined || ends.has(end)
      ? []
      : [{ seq: entry.seq, problem: 'does not match the end of what was merged' }]
  })
}

/** How many chains no entry says the end of, so that nobody would notice if entries were missing there. */
export function openEnds(entries: SeenEntry[]): number {
  const named = new Set(entries.map(mergedHash))
  return chainsOf(entries).filter((chain) => chain[0]?.chain !== 1 && !named.has(chain.at(-1)?.hash)).length
}

function whatIsWrongAtTheEnd(last: SeenEntry, current: CurrentFacts): Break | undefined {
  const { seq } = last
  if (last.action === 'deleted' || last.action === 'waived')
    return current === undefined ? undefined : { seq, problem: 'says deleted, but it exists' }
  if (current === undefined) return { seq: seq + 1, problem: 'is missing: it was deleted without an entry' }
  return isSameNow(last.facts, current) ? undefined : { seq, problem: 'does not match what is there' }
}

function brokenLinks(entries: SeenEntry[], sha256: (text: string) => string): Break[] {
  return entries.flatMap((entry, at) => {
    const before = entries[at - 1]
    const next = (before?.seq ?? 0) + 1
    if (entry.seq !== next) return [{ seq: next, problem: 'is missing' }]
    if (!isWhole(entry))
      return before && isWhole(before)
        ? [{ seq: entry.seq, problem: 'has lost the text that was hashed' }]
        : []
    if (entry.previous_hash !== (before?.hash ?? ''))
      return [{ seq: entry.seq, problem: 'does not follow the entry before it' }]
    if (entry.hash !== sha256(entry.hashed_text) || !saysTheSame(entry))
      return [{ seq: entry.seq, problem: 'was altered' }]
    return []
  })
}
