// SQL for what two sides agree on, the same for every kind.
import { sql } from 'kysely'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Answer, Asked, Proposal } from './answer.ts'
import type { HistoryEntry, StoredEntry } from './history.ts'

/** What two sides agree on. The kind's table has the plural as its name. */
export const KINDS = ['session', 'payment', 'charge', 'term', 'schedule', 'schedule_change'] as const
export type Kind = (typeof KINDS)[number]

/**
 * Keeps the workspace's connections as they are until the transaction ends. Everything that shares or answers
 * has to do that before it reads anything (db/repeatable/sharing.sql).
 */
export async function holdSharing(tx: Tx): Promise<void> {
  await sql`select hold_sharing()`.execute(tx)
}

/** When an answer was first needed, and the reminders sent since, in the API's format. */
export function askedOf(row: {
  asked_since: Date | null
  reminders: number
  reminded_at: Date | null
}): Pick<Asked, 'asked_at' | 'reminders' | 'reminded_at'> {
  return {
    asked_at: row.asked_since?.toISOString() ?? null,
    reminders: row.reminders,
    reminded_at: row.reminded_at?.toISOString() ?? null,
  }
}

/**
 * Removes a session or payment from this side's records only. Returns false if the other side still has time to
 * answer (answerDue).
 */
export async function leaveEntry(tx: Tx, kind: Kind, key: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
    select leave_entry(${kind}, ${key}::bigint, ${now}) as left`.execute(tx)
  return rows[0]?.left ?? false
}

/** What the commands need to know about an entry while it's locked. */
export interface LockedEntry {
  key: number
  connection_id: string | null
  facts_version: number
  own_says: Answer
  own_answer_note: string | null
  own_proposal: Proposal | null
  other_says: Answer
  /** What the other side's last dispute proposed, even if the facts have changed since. */
  other_proposal: Proposal | null
  /** Whether this side is asked something. */
  waits_for_you: boolean
  other_took_part: boolean
  deletion_by: 'you' | 'other' | null
  is_read_only: boolean
  /** The version that the API returns. It also increases when the reader's private notes change. */
  version: number
}

/** One side's columns that aren't facts: its answer, its reply to a dispute, and its request for deletion. */
export interface OwnChanges {
  own_answer?: 'confirmed' | 'disputed' | null
  /** The version of the facts that the answer applies to. */
  own_answer_version?: number | null
  own_answer_note?: string | null
  own_proposal?: Proposal | null
  own_reply?: string
  deletion_asked_by?: 'family' | 'practice' | null
  deletion_asked_at?: Date | null
}

/** Who reads a history. */
export interface HistoryReader {
  accountId: string
  workspaceId: WorkspaceId
  side: 'family' | 'practice'
}

/**
 * The history of a session or payment, oldest first, as the given reader sees it. The facts are as they're stored;
 * the currency is the workspace's, for facts that don't say one.
 */
export async function readEntries(
  tx: Tx,
  reader: HistoryReader,
  kind: Kind,
  id: string,
): Promise<(HistoryEntry & { facts: unknown; currency: Currency })[]> {
  // When one is merged into another, its entries are stored under the other's key. When a connection is taken over
  // or shared again, the id may be a new one.
  const keys = tx
    .selectFrom('history')
    .select('entry_key')
    .where('workspace_id', '=', reader.workspaceId)
    .where('kind', '=', kind)
    .where('entry_id', '=', id)
    .union(
      tx
        .selectFrom(`${kind}s`)
        .select('key as entry_key')
        .where('workspace_id', '=', reader.workspaceId)
        .where('id', '=', id),
    )
  const rows = await tx
    .selectFrom('history')
    // Members are named only if they're on the reader's side.
    .leftJoin('profiles', 'profiles.user_id', 'history.actor_id')
    .innerJoin('workspaces', (join) => join.on('workspaces.id', '=', reader.workspaceId))
    .select(['seq', 'chain', 'at', 'side', 'action', 'changed', 'facts', 'note', 'hash', 'currency'])
    .select(['actor_id', 'full_name', 'is_by_handed_link'])
    .where('workspace_id', '=', reader.workspaceId)
    .where('history.kind', '=', kind)
    .where('entry_key', 'in', keys)
    .orderBy('at')
    .orderBy('chain')
    .orderBy('seq')
    .execute()
  return rows.map((row) => ({
    seq: row.seq,
    chain: row.chain,
    at: row.at.toISOString(),
    ...whoOf(row, reader),
    is_by_handed_link: row.is_by_handed_link,
    action: row.action as HistoryEntry['action'],
    changed: row.changed,
    note: row.note,
    state: (row.facts as Pick<HistoryEntry, 'state'>).state,
    hash: row.hash?.toString('hex') ?? null,
    facts: row.facts,
    currency: row.currency,
  }))
}

/** Who made an entry: the member's name if they're on the reader's side, otherwise only the side. */
function whoOf(
  row: { side: string; actor_id: string | null; full_name: string | null },
  reader: { accountId: string; side: string },
): Pick<HistoryEntry, 'by' | 'member_name'> {
  if (row.side === 'system') return { by: 'tutorlog', member_name: null }
  if (row.side !== reader.side) return { by: 'other', member_name: null }
  const isOther = row.actor_id !== null && row.actor_id !== reader.accountId
  return isOther ? { by: 'member', member_name: row.full_name } : { by: 'you', member_name: null }
}

const TO_MICROSECONDS = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

/**
 * A batch of the database's sessions or payments with their histories, ordered by key. Includes deleted ones and
 * those without a history.
 */
export async function chainsAfter(
  tx: Tx,
  kind: Kind,
  after: string,
  count: number,
): Promise<{ key: string; id: string; facts: string | undefined; entries: StoredEntry[] }[]> {
  const table = sql.table(`public.${kind}s`)
  const { rows } = await sql<{
    key: string
    id: string
    facts: string | null
    entries: StoredEntry[] | null
  }>`
    with keys as (
      select key from (
        (select h.entry_key as key from public.history h where h.kind = ${kind} and h.seq = 1 and h.chain = 1
          and h.entry_key > ${after}::bigint order by h.entry_key limit ${count})
        union (select e.key from ${table} e where e.key > ${after}::bigint order by e.key limit ${count})) either
      order by key limit ${count})
    select keys.key::text, coalesce(e.id, (select h.entry_id from public.history h
          where h.kind = ${kind} and h.entry_key = keys.key and h.seq = 1 and h.chain = 1)) as id,
        case when e.key is not null then current_facts(${kind}, e.key)::text end as facts,
        (select json_agg(json_build_object('chain', h.chain, 'entry_id', h.entry_id, 'seq', h.seq,
        'at', to_char(h.at at time zone 'UTC', ${TO_MICROSECONDS}), 'side', h.side, 'action', h.action, 'facts', h.facts::text, 'changed', h.changed,
        'note', encode(convert_to(h.note, 'UTF8'), 'hex'), 'previous_hash', encode(h.previous_hash, 'hex'),
          'hash', encode(h.hash, 'hex'), 'hashed_text', h.hashed_text,
          'is_by_handed_link', h.is_by_handed_link)
        order by h.chain, h.seq) from public.history h where h.kind = ${kind} and h.entry_key = keys.key) as entries
    from keys left join ${table} e on e.key = keys.key order by keys.key`.execute(tx)
  return rows.map(({ entries, facts, ...row }) => ({
    ...row,
    facts: facts ?? undefined,
    entries: entries ?? [],
  }))
}
