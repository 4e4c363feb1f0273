// SQL for the terms table.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'
import {
  askedOf,
  type HistoryReader,
  holdSharing,
  type LockedEntry,
  type OwnChanges,
  readEntries,
} from '#features/agreements/queries.server.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type Rules, rulesInDollars } from './rules.ts'
import { sentencesOf } from './sentences.ts'
import { applyingOn, type Terms, type TermsHistoryEntry } from './terms.ts'

/** Reads one version; undefined if this side doesn't have one with this id. */
export async function readTerms(tx: Tx, workspaceId: RecordsId, id: string): Promise<Terms | undefined> {
  const row = await termsOf(tx, workspaceId).where('terms.id', '=', id).executeTakeFirst()
  return row && toTerms(row, workspaceId)
}

/** This side's terms, newest first. `only` limits them to those waiting for its answer or those declined. */
export async function listTerms(
  tx: Tx,
  workspaceId: RecordsId,
  only?: 'waiting' | 'sent_back',
): Promise<Terms[]> {
  let query = termsOf(tx, workspaceId).orderBy('terms.key', 'desc')
  if (only) query = query.where('terms.is_read_only', '=', false)
  if (only === 'waiting') query = query.where('terms.waits_for_you', '=', true)
  if (only === 'sent_back')
    query = query
      .where('terms.connection_id', 'is not', null)
      .where('terms.deletion_by', 'is', null)
      .where('terms.own_says', '=', 'confirmed')
      .where('terms.other_says', '=', 'disputed')
      .where('terms.waits_for_you', '=', false)
  return (await query.execute()).map((row) => toTerms(row, workspaceId))
}

/** Whose terms: a connection's or, without one, a family's about its tutor, a practice's about its student. */
type TermsOf = { connectionId: string } | { tutorId: string } | { studentId: string }

/** The terms that apply on a day; undefined if none do. */
export async function termsOn(
  tx: Tx,
  workspaceId: RecordsId,
  of: TermsOf,
  day: CalendarDay,
): Promise<(Terms & { stored: Rules }) | undefined> {
  const rows = await about(termsOf(tx, workspaceId).orderBy('terms.key', 'desc'), of).execute()
  return applyingOn(
    rows.map((row) => ({ ...toTerms(row, workspaceId), stored: row.rules as Rules })),
    day,
  )
}

/**
 * The versions that have ever applied, newest first, of all of a side's terms: what decides when money is due. Without
 * a connection they're about a person in the side's own records.
 */
export async function listVersions(tx: Tx, workspaceId: RecordsId) {
  const rows = await tx
    .selectFrom('terms')
    .select(['connection_id', 'tutor_id', 'student_id', 'rules', 'applies_from', 'ended_on'])
    .select(['own_says as own_confirmation', 'other_says as other_confirmation'])
    .where('workspace_id', '=', workspaceId)
    .where('applies_from', 'is not', null)
    .orderBy('key', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, rules: row.rules as Rules }))
}

function about(query: ReturnType<typeof termsOf>, of: TermsOf) {
  if ('connectionId' in of) return query.where('terms.connection_id', '=', of.connectionId)
  const own = query.where('terms.connection_id', 'is', null)
  return 'tutorId' in of
    ? own.where('terms.tutor_id', '=', of.tutorId)
    : own.where('terms.student_id', '=', of.studentId)
}

/** Whether terms are waiting for an answer between the two sides of a connection. */
export async function isProposing(tx: Tx, workspaceId: RecordsId, connectionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('terms')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('is_verified', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

/** The connection and currency of new terms. They stay those until the transaction ends. */
export async function accountOfTerms(
  tx: Tx,
  workspaceId: WorkspaceId,
  { tutorId, studentId, named }: { tutorId: string | null; studentId: string | null; named: string | null },
): Promise<{ connectionId: string | null; currency: Currency } | undefined> {
  await holdSharing(tx)
  const { rows } = await sql<{ id: string | null; currency: Currency }>`
    select link.id, (select w.currency from workspaces w
        where w.id = coalesce((select c.family_id from connections c where c.id = link.id), ${workspaceId}::uuid)) as currency
    from payment_connection(${tutorId}::uuid, ${studentId}::uuid, ${named}::uuid, 'infinity') as link (id)`.execute(
    tx,
  )
  const [row] = rows
  if (!row || (named && row.id !== named)) return undefined
  // Two proposals at the same time: the second one finds the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`terms:${row.id ?? workspaceId}`}, 0))`.execute(
    tx,
  )
  return { connectionId: row.id, currency: row.currency }
}

/** Adds a version and returns its id; undefined if the side already has `most`. */
export async function insertTerms(
  tx: Tx,
  workspaceId: WorkspaceId,
  row: {
    day: CalendarDay
    rules: Rules
    tutor_id: string | null
    student_id: string | null
    connection_id?: string
  },
  most: number,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`count of terms:${workspaceId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('terms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (count >= most) return undefined
  const values = { workspace_id: workspaceId, ...row, rules: JSON.stringify(row.rules) }
  return (
    await tx
      .insertInto('terms')
      .values(values as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** A version, with the fields that the commands check. */
export type LockedTerms = LockedEntry & { rules: Rules; applies_from: string | null; is_verified: boolean }

/** Reads one version and locks it until the transaction ends. */
export async function lockTerms(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<LockedTerms | undefined> {
  const terms = tx.selectFrom('terms').where('workspace_id', '=', workspaceId).where('id', '=', id)
  const [, locked, row] = await Promise.all([
    holdSharing(tx),
    terms.select('key').forUpdate().executeTakeFirst(),
    terms
      .select([
        'key',
        'connection_id',
        'rules',
        'applies_from',
        'is_verified',
        'facts_version',
        'other_took_part',
      ])
      .select(['own_says', 'own_answer_note', 'deletion_by', 'is_read_only', 'version', 'other_says'])
      .select(['own_proposal', 'other_proposal', 'waits_for_you'])
      .executeTakeFirst(),
  ])
  return locked && (row as LockedTerms | undefined)
}

/** Changes a locked version. If its rules change, the database also confirms them for this side. */
export async function updateTerms(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
  { rules, ...changes }: { rules?: Rules } & OwnChanges,
): Promise<void> {
  await tx
    .updateTable('terms')
    .set({
      ...changes,
      ...(rules ? { rules: JSON.stringify(rules) } : {}),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    } as never)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a version, unless the other side ever agreed to it and doesn't agree to the deletion. */
export async function deleteTerms(tx: Tx, workspaceId: RecordsId, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom('terms').where('workspace_id', '=', workspaceId).where('id', '=', id)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** The history of a version, oldest first, as the given reader sees it. */
export async function readTermsHistory(
  tx: Tx,
  reader: HistoryReader,
  id: string,
): Promise<TermsHistoryEntry[]> {
  const entries = await readEntries(tx, reader, 'term', id)
  return entries.map(({ facts: stored, ...entry }) => {
    const facts = stored as { date: string; rules: string; currency: Currency }
    return {
      ...entry,
      date: facts.date,
      ...saidBy(JSON.parse(facts.rules) as Rules, facts.currency),
      currency: facts.currency,
    }
  })
}

function termsOf(tx: Tx, workspaceId: RecordsId) {
  return tx
    .selectFrom('terms')
    .leftJoin('connections', 'connections.id', 'terms.connection_id')
    .leftJoin('workspaces', 'workspaces.id', 'connections.family_id')
    .leftJoin('tutors', (join) =>
      join.onRef('tutors.id', '=', 'terms.tutor_id').onRef('tutors.workspace_id', '=', 'terms.workspace_id'),
    )
    .select([
      'terms.id',
      'terms.connection_id',
      'terms.tutor_id',
      'terms.student_id',
      'terms.day',
      'terms.rules',
      'terms.currency',
      'terms.applies_from',
      'terms.ended_on',
      'terms.own_says',
      'terms.other_says',
      'terms.own_answer_note',
      'terms.other_answer_note',
      'terms.own_proposal',
      'terms.other_proposal',
      'terms.deletion_by',
      'terms.waits_for_you',
      'terms.asked_since',
      'terms.reminders',
      'terms.reminded_at',
      'terms.is_read_only',
      'terms.version',
      'connections.family_id as family',
      'workspaces.owner_name',
      'tutors.name as tutor_name',
      sql<
        string[]
      >`array(select p.first_name from connection_people p where p.connection_id = connections.id order by p.first_name ${ALPHABETICAL})`.as(
        'first_names',
      ),
    ])
    .where('terms.workspace_id', '=', workspaceId)
}

type StoredTerms = Awaited<ReturnType<ReturnType<typeof termsOf>['execute']>>[number]

function saidBy(rules: Rules, currency: Currency): Pick<Terms, 'rules' | 'sentences'> {
  return { rules: rulesInDollars(rules), sentences: sentencesOf(rules, currency) }
}

function toTerms(row: StoredTerms, workspaceId: RecordsId): Terms {
  const rules = row.rules as Rules
  const isFamily = row.connection_id === null || row.family === workspaceId
  return {
    id: row.id,
    connection_id: row.connection_id,
    tutor_id: row.tutor_id,
    student_id: row.student_id,
    other_name: isFamily ? row.tutor_name : familyOf(row.owner_name, row.first_names),
    date: row.day,
    ...saidBy(rules, row.currency),
    currency: row.currency,
    applies_from: row.applies_from,
    ended_on: row.ended_on,
    own_confirmation: row.own_says,
    other_confirmation: row.other_says,
    dispute_note:
      row.other_says === 'disputed'
        ? row.other_answer_note
        : row.own_says === 'disputed'
          ? row.own_answer_note
          : null,
    proposal: proposalOf(row, rules),
    deletion_asked_by: row.deletion_by,
    is_shared: row.connection_id !== null,
    waits_for_you: row.waits_for_you && !row.is_read_only,
    ...askedOf(row),
    is_read_only: row.is_read_only,
    version: row.version,
  }
}

/** What the open dispute proposes, whose note is shown. */
function proposalOf(row: StoredTerms, rules: Rules): Terms['proposal'] {
  const by = (['other', 'you'] as const).find(
    (one) => (one === 'other' ? row.other_says : row.own_says) === 'disputed',
  )
  const proposal = by && (by === 'other' ? row.other_proposal : row.own_proposal)
  if (!by || !proposal) return null
  const isRemoval = 'is_removed' in proposal
  const proposed = isRemoval ? rules : (proposal as { rules: Rules }).rules
  return { by, is_removal: isRemoval, ...saidBy(proposed, row.currency) }
}
