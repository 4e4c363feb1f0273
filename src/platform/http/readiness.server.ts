// What /readyz answers: whether the database is there, and takes what people save.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { fullFolder } from '#platform/data-folder.server.ts'
import { type Db, DatabaseAway } from '#platform/db/db.server.ts'

export type Standing = 'ready' | 'database away' | 'disk full'

/** More than lies free within the files of a database, and too random to be made smaller. */
const PROBE_BYTES = 64 * 1024

/**
 * Watches whether a database can save.
 * @param dataDir of an embedded database, whose disk can be looked at
 */
export function watchReadiness(
  db: Db,
  dataDir?: string,
): { noteFailure(error: unknown): void; standing(): Promise<Standing> } {
  let wasRefused = false
  return {
    /** Takes note of a failure that was answered: the database may have had no room. */
    noteFailure(error) {
      wasRefused ||= isDiskFull(error)
    },
    async standing() {
      if (!(await db.isReady())) return 'database away'
      if (dataDir !== undefined && fullFolder(dataDir)) return 'disk full'
      // Only somebody whose save was refused makes this ask for room; nothing of it stays.
      if (wasRefused && !(await takesData(db))) return 'disk full'
      wasRefused = false
      return 'ready'
    },
  }
}

// PostgreSQL's code for a disk without room.
function isDiskFull(error: unknown): boolean {
  const cause = error instanceof DatabaseAway ? error.cause : error
  return cause instanceof Error && 'code' in cause && cause.code === '53100'
}

class TakenBack extends Error {}

async function takesData(db: Db): Promise<boolean> {
  try {
    await db.asSystem(async (tx) => {
      await sql`select lo_from_bytea(0, ${randomBytes(PROBE_BYTES)})`.execute(tx)
      throw new TakenBack()
    })
    return true
  } catch (error) {
    return error instanceof TakenBack
  }
}
