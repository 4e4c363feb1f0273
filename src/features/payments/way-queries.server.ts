// SQL for a practice's payment options, as it edits them and as families read them.
import { sql } from 'kysely'
import { newId, type WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { NewWay } from './own-ways.ts'
import type { OwnWays, PaymentWay } from './payment-way.ts'
import { referenceOf } from './reference.ts'

/** A practice's payment options, in order, with the list's version. */
export async function readWays(tx: Tx, workspaceId: WorkspaceId): Promise<OwnWays> {
  const rows = await tx
    .selectFrom('payment_ways')
    .select(['id', 'kind', 'details', 'version'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .execute()
  return { ways: rows.map(toWay), version: rows[0]?.version ?? 0 }
}

/**
 * Replaces the list. Returns whether anything but the order changed; undefined if the version is outdated.
 * Safe with concurrent calls (promise D6).
 */
export async function replaceWays(
  tx: Tx,
  workspaceId: WorkspaceId,
  ways: readonly NewWay[],
  expectedVersion: number | undefined,
): Promise<{ isOther: boolean } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment_ways:${workspaceId}`}, 0))`.execute(tx)
  const before = await readWays(tx, workspaceId)
  if (expectedVersion !== undefined && expectedVersion !== before.version) return undefined
  await tx.deleteFrom('payment_ways').where('workspace_id', '=', workspaceId).execute()
  if (ways.length === 0) return { isOther: before.ways.length > 0 }
  const { rows } = await sql<{
    version: number
  }>`select nextval('payment_ways_version')::int as version`.execute(tx)
  const version = rows[0]?.version ?? 0
  await tx
    .insertInto('payment_ways')
    .values(
      ways.map(({ id, kind, ...details }, at) => ({
        workspace_id: workspaceId,
        id: id ?? newId(),
        position: at + 1,
        kind,
        details: JSON.stringify(details),
        version,
      })),
    )
    .execute()
  const { ways: stored } = await readWays(tx, workspaceId)
  return { isOther: contentOf(stored) !== contentOf(before.ways) }
}

/** Converts payment options to text that doesn't depend on their order, so that two lists can be compared. */
function contentOf(ways: readonly PaymentWay[]): string {
  return ways
    .map((way) =>
      JSON.stringify(
        Object.entries(way)
          .filter(([name]) => name !== 'id')
          .sort(),
      ),
    )
    .sort()
    .join()
}

/**
 * As a practice: notifies its families that its payment options changed. As the system: notifies every family
 * that still hasn't been notified.
 */
export async function tellOfWays(tx: Tx, now: Date): Promise<void> {
  await sql`select tell_of_ways(${now}::timestamptz)`.execute(tx)
}

/** A practice's payment options, as sent to a family. */
interface FamilyWays {
  ways: PaymentWay[]
  /** When the options last changed; null if they never have. */
  changed_at: string | null
  /** What a payment in this month is recognized by; null without options. */
  reference: string | null
}

/**
 * A tutor's payment options for a family. Empty unless the connection is active and both accounts are open,
 * meaning neither deleted nor disabled. Undefined if the family has no such connection.
 */
export async function readConnectionWays(
  tx: Tx,
  workspaceId: WorkspaceId,
  connectionId: string,
  month: string,
): Promise<FamilyWays | undefined> {
  const connection = await tx
    .selectFrom('connections')
    .select('id')
    .where('family_id', '=', workspaceId)
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return connection && readEmailedWays(tx, connectionId, month)
}

/** The same for the emailed page. */
export async function readEmailedWays(tx: Tx, connectionId: string, month: string): Promise<FamilyWays> {
  const { rows } = await sql<WayRow>`
    select id, kind, details from connection_payment_ways(${connectionId}::uuid)`.execute(tx)
  const connection = await tx
    .selectFrom('connections')
    .select(['ways_changed_at', 'reference_number'])
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return {
    ways: rows.map(toWay),
    changed_at: rows.length > 0 ? (connection?.ways_changed_at?.toISOString() ?? null) : null,
    reference: rows.length > 0 && connection ? referenceOf(connection.reference_number, month) : null,
  }
}

interface WayRow {
  id: string
  kind: PaymentWay['kind']
  details: unknown
}

function toWay({ id, kind, details }: WayRow): PaymentWay {
  return { ...(details as PaymentWay), id, kind } as PaymentWay
}
