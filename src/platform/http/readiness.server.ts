// The status for /readyz: whether the database is available and can save data.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { fullFolder } from '#platform/data-folder.server.ts'
import { DatabaseAway, type Db } from '#platform/db/db.server.ts'

type Standing = 'ready' | 'database away' | 'disk full'

/**
 * How much to write. It has to be more than the free space inside the database's files. The bytes are random
 * so that they don't compress.
 */
const PROBE_BYTES = 64 * 1024

/**
 * Monitors whether the database can save data.
 * @param dataDir an embedded database's folder; its disk is checked too
 */
export function watchReadiness(
  db: Db,
  dataDir?: string,
): { noteFailure(error: unknown): void; standing(): Promise<Standing> } {
  let wasRefused = false
  return {
    /** Notes an error sent to a caller, in case it was caused by a full disk. */
    noteFailure(error) {
      wasRefused ||= isDiskFull(error)
    },
    async standing() {
      if (!(await db.isReady())) return 'database away'
      if (dataDir !== undefined && fullFolder(dataDir)) return 'disk full'
      // Tests for free space only after a save has failed. The test is rolled back.
      if (wasRefused && !(await takesData(db))) return 'disk full'
      wasRefused = false
      return 'ready'
    },
  }
}

// PostgreSQL's error code for a full disk.
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
