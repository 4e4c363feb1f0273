// SQL for the fees that terms ask for by themselves.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { AgreedVersion, AskedFee } from '#features/terms/fees.ts'
import type { Tx } from '#platform/db/db.server.ts'

/** A connection whose terms have fees. */
interface FeeConnection {
  id: string
  /** By the family's calendar, or else the practice's, like the day from which terms apply. */
  today: CalendarDay
  /** Newest first: of two that both sides agreed to on one day, the later one applies. */
  versions: AgreedVersion[]
  /** The periods that were dealt with. */
  proposed: string[]
}

/** The active connections with a fee in any version that both sides agree on. */
export async function listFeeConnections(tx: Tx, now: Date): Promise<FeeConnection[]> {
  const { rows } = await sql<FeeConnection>`
    select c.id, to_char(${now}::timestamptz at time zone coalesce(owner_time_zone(c.family_id), owner_time_zone(c.practice_id), 'UTC'),
        'YYYY-MM-DD') as today,
      json_agg(json_build_object('rules', t.rules, 'applies_from', t.applies_from, 'ended_on', t.ended_on) order by t.key desc) as versions,
      array(select f.period from proposed_fees f where f.connection_id = c.id) as proposed
    from connections c join terms t on t.connection_id = c.id and t.is_verified and t.applies_from is not null
    where c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null
    group by c.id having bool_or(t.rules ? 'fee') order by c.id`.execute(tx)
  return rows
}

/** Proposes a fee in the name of whoever is paid, unless that was done before. Returns whether there's a charge now. */
export async function proposeFee(
  tx: Tx,
  connectionId: string,
  { period, day, amount, because }: AskedFee,
): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    select propose_fee(${connectionId}::uuid, ${period}, ${day}::date, ${amount}::integer, ${because}) as is_new`.execute(
    tx,
  )
  return rows[0]?.is_new === true
}
