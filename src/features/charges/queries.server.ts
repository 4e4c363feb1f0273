// SQL for the charges table.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import {
  askedOf,
  type HistoryReader,
  holdSharing,
  type LockedEntry,
  type OwnChanges,
  readEntries,
} from '#features/agreements/queries.server.ts'
import type { Reason } from '#features/payments/payment.ts'
import { familyOf } from '#features/workspaces/sides.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type Charge, type ChargeHistoryEntry, MAX_CHARGES, type SharedCharge } from './charge.ts'

/** A charge as stored, in cents. */
export interface ChargeRow {
  tutor_id: string | null
  student_id: string | null
  day: CalendarDay
  amount_cents: Cents
  reason: Reason
  label: string | null
}

/** More charges than anyone would read at once. As they get answered, older ones take their place. */
const MOST = 1000

/** Reads one charge; undefined if this side doesn't have one with this id. */
export async function readCharge(tx: Tx, workspaceId: RecordsId, id: string): Promise<Charge | undefined> {
  const row = await chargesOf(tx, workspaceId).where('charges.id', '=', id).executeTakeFirst()
  return row && toCharge(row)
}

/** This side's charges in a range of days, newest first. */
export async function listCharges(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<Charge[]> {
  const rows = await chargesOf(tx, workspaceId)
    .where('charges.day', '>=', from)
    .where('charges.day', '<=', to)
    .orderBy('charges.day', 'desc')
    .orderBy('charges.id', 'desc')
    .execute()
  return rows.map(toCharge)
}

/** This side's shared charges, newest first: all of them, those waiting for its answer, or those sent back to it. */
export async function listSharedCharges(
  tx: Tx,
  workspaceId: RecordsId,
  only?: 'waiting' | 'sent_back',
): Promise<SharedCharge[]> {
  let query = chargesOf(tx, workspaceId)
    .leftJoin('connections', 'connections.id', 'charges.connection_id')
    .leftJoin('workspaces', 'workspaces.id', 'connections.family_id')
    .select([
      'connections.family_id as family',
      'workspaces.owner_name',
      sql<
        string[]
      >`array(select p.first_name from connection_people p where p.connection_id = connections.id order by p.first_name ${ALPHABETICAL})`.as(
        'first_names',
      ),
    ])
    .where('charges.connection_id', 'is not', null)
    .orderBy('charges.day', 'desc')
    .orderBy('charges.id', 'desc')
    .limit(MOST)
  // A charge that the other side sent back is listed as long as this side's own confirmation stands.
  if (only === 'sent_back')
    query = query
      .where('charges.is_read_only', '=', false)
      .where('charges.deletion_by', 'is', null)
      .where('charges.own_says', '=', 'confirmed')
      .where('charges.other_says', '=', 'disputed')
      .where('charges.waits_for_you', '=', false)
  if (only === 'waiting')
    query = query.where('charges.is_read_only', '=', false).where('charges.waits_for_you', '=', true)
  return (await query.execute()).map((row) => {
    const {
      tutor_id: _t,
      student_id: _s,
      counts: _c,
      is_shared: _i,
      class_date: _d,
      fee_period: _f,
      ...shared
    } = toCharge(row)
    const { tutor_name, connection_id, ...charge } = shared
    return {
      ...charge,
      connection_id: connection_id ?? '',
      other_name: row.family === workspaceId ? tutor_name : familyOf(row.owner_name, row.first_names),
      proposal: proposalOf(row),
      waits_for_you: row.waits_for_you && !row.is_read_only,
    }
  })
}

/** A charge's history, oldest first, as the given reader sees it. */
export async function readChargeHistory(
  tx: Tx,
  reader: HistoryReader,
  chargeId: string,
): Promise<ChargeHistoryEntry[]> {
  const entries = await readEntries(tx, reader, 'charge', chargeId)
  return entries.map(({ facts: stored, ...entry }) => {
    const { amount_cents: amount, ...facts } = stored as Pick<
      ChargeRow,
      'reason' | 'label' | 'amount_cents'
    > & {
      date: string
      currency: Currency
    }
    return {
      ...entry,
      date: facts.date,
      amount: dollars(amount),
      reason: facts.reason,
      label: facts.label,
      currency: facts.currency,
    }
  })
}

/** A charge, with the fields that the commands check. */
export type LockedCharge = ChargeRow & LockedEntry

/** Reads one charge and locks it until the transaction ends. */
export async function lockCharge(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
): Promise<LockedCharge | undefined> {
  const charge = tx.selectFrom('charges').where('workspace_id', '=', workspaceId).where('id', '=', id)
  const [, locked, row] = await Promise.all([
    holdSharing(tx),
    charge.select('key').forUpdate().executeTakeFirst(),
    charge
      .select(['key', 'tutor_id', 'student_id', 'day', 'amount_cents', 'reason', 'label', 'connection_id'])
      .select([
        'facts_version',
        'other_took_part',
        'own_says',
        'own_answer_note',
        'deletion_by',
        'is_read_only',
      ])
      .select(['own_version as version', 'other_says', 'own_proposal', 'other_proposal', 'waits_for_you'])
      .executeTakeFirst(),
  ])
  return locked && (row as LockedCharge | undefined)
}

/**
 * Whether an account already has this charge. Takes a lock, so that two people can't record the same charge at
 * the same time.
 */
export async function hasSameCharge(
  tx: Tx,
  workspaceId: RecordsId,
  connectionId: string | null,
  row: ChargeRow,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charges:${connectionId ?? workspaceId}`}, 0))`.execute(
    tx,
  )
  let query = tx
    .selectFrom('charges')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', row.day)
    .where('amount_cents', '=', row.amount_cents)
    .where('reason', '=', row.reason)
    .where('label', 'is not distinct from', row.label)
    .where('deletion_by', 'is', null)
  query = connectionId
    ? query.where('connection_id', '=', connectionId)
    : query
        .where('connection_id', 'is', null)
        .where('tutor_id', 'is not distinct from', row.tutor_id)
        .where('student_id', 'is not distinct from', row.student_id)
        .where(
          'currency',
          '=',
          sql<Currency>`(select w.currency from workspaces w where w.id = ${workspaceId}::uuid)`,
        )
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * Adds a charge and returns its id; undefined if the side already has as many as it may. Safe with concurrent
 * calls (promise I17).
 */
export async function insertCharge(
  tx: Tx,
  workspaceId: RecordsId,
  row: Omit<ChargeRow, 'tutor_id' | 'student_id'> & {
    tutor_id?: string | null
    student_id?: string | null
    connection_id?: string
  },
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`count of charges:${workspaceId}`}, 0))`.execute(
    tx,
  )
  const { count } = await tx
    .selectFrom('charges')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_CHARGES) return undefined
  return (
    await tx
      .insertInto('charges')
      .values({ workspace_id: workspaceId, ...row } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** Changes a locked charge. If any of the facts change, the database also confirms them for this side. */
export async function updateCharge(
  tx: Tx,
  workspaceId: RecordsId,
  id: string,
  changes: Partial<ChargeRow> & OwnChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx
    .updateTable('charges')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a charge. Returns false if there's none, or if the other side would have to agree first. */
export async function deleteCharge(tx: Tx, workspaceId: RecordsId, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom('charges').where('workspace_id', '=', workspaceId).where('id', '=', id)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** Waives a locked charge. Returns false if that's not up to this side, or no longer possible. */
export async function waiveCharge(tx: Tx, { key }: LockedCharge): Promise<boolean> {
  const { rows } = await sql<{ is_waived: boolean }>`select waive_charge(${key}) as is_waived`.execute(tx)
  return rows[0]?.is_waived ?? false
}

/** Shares a charge, and returns its id, which may have changed; undefined if its people aren't connected with anyone. */
export async function shareCharge(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select share_own_charge(key) as id from charges where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid`.execute(
    tx,
  )
  return rows[0]?.id ?? undefined
}

function chargesOf(tx: Tx, workspaceId: RecordsId) {
  return tx
    .selectFrom('charges')
    .select([
      'charges.id',
      'charges.tutor_id',
      'charges.tutor_name',
      'charges.student_id',
      'charges.student_name',
    ])
    .select([
      'charges.connection_id',
      'charges.day',
      'charges.amount_cents',
      'charges.reason',
      'charges.label',
    ])
    .select(['charges.currency', 'charges.own_says', 'charges.other_says', 'charges.own_answer_note'])
    .select(['charges.other_answer_note', 'charges.own_proposal', 'charges.other_proposal', 'charges.counts'])
    .select(['charges.deletion_by', 'charges.asked_since', 'charges.reminders', 'charges.reminded_at'])
    .select(['charges.class_day', 'charges.fee_period', 'charges.is_read_only', 'charges.own_version'])
    .select('charges.waits_for_you')
    .where('charges.workspace_id', '=', workspaceId)
}

type StoredCharge = Awaited<ReturnType<ReturnType<typeof chargesOf>['execute']>>[number]

/** What the open dispute proposes, whose note toCharge shows. */
function proposalOf(row: StoredCharge): SharedCharge['proposal'] {
  const by = (['other', 'you'] as const).find(
    (one) => (one === 'other' ? row.other_says : row.own_says) === 'disputed',
  )
  const proposal = by && (by === 'other' ? row.other_proposal : row.own_proposal)
  if (!by || !proposal) return null
  const isRemoval = 'is_removed' in proposal
  const { day, amount_cents: amount } = (isRemoval ? row : proposal) as Pick<
    ChargeRow,
    'day' | 'amount_cents'
  >
  return { by, is_removal: isRemoval, date: day, amount: dollars(amount) }
}

function toCharge(row: StoredCharge): Charge {
  return {
    id: row.id,
    tutor_id: row.tutor_id,
    tutor_name: row.tutor_name,
    student_id: row.student_id,
    student_name: row.student_name,
    date: row.day,
    amount: dollars(row.amount_cents as Cents),
    reason: row.reason,
    label: row.label,
    connection_id: row.connection_id,
    currency: row.currency,
    own_confirmation: row.own_says,
    other_confirmation: row.other_says,
    dispute_note:
      row.other_says === 'disputed'
        ? row.other_answer_note
        : row.own_says === 'disputed'
          ? row.own_answer_note
          : null,
    deletion_asked_by: row.deletion_by,
    counts: row.counts,
    is_shared: row.connection_id !== null,
    ...askedOf(row),
    is_read_only: row.is_read_only,
    version: row.own_version,
    class_date: row.class_day,
    fee_period: row.fee_period,
  }
}
