// SQL for how the last backups were restored for trial. drills/ writes these rows.
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'

interface LastDrills {
  /** The newest drill, which may still be running. */
  newest: DrillRow | undefined
  /** The newest that has ended. */
  ended: (DrillRow & { ended_at: Date; findings: string[] }) | undefined
  /** When the newest backup was made that came back whole. */
  goodBackupAt: Date | undefined
}

interface DrillRow {
  backup: string
  backup_at: Date
  backup_bytes: string
  began_at: Date
  ended_at: Date | null
  findings: string[] | null
}

export async function lastDrills(tx: Tx): Promise<LastDrills> {
  const drills = tx
    .selectFrom('restore_drills')
    .select(['backup', 'backup_at', 'backup_bytes', 'began_at', 'ended_at', 'findings'])
    .orderBy('began_at', 'desc')
    .limit(1)
  const newest = await drills.executeTakeFirst()
  const ended = await drills.where('ended_at', 'is not', null).executeTakeFirst()
  const good = await drills.where(sql<boolean>`findings = '{}'`).executeTakeFirst()
  return { newest, ended: ended as LastDrills['ended'], goodBackupAt: good?.backup_at }
}

/** How long a drill took. */
export function secondsOf({ began_at: begun, ended_at: ended }: { began_at: Date; ended_at: Date }): number {
  return Math.round((ended.getTime() - begun.getTime()) / 100) / 10
}
