// Writes exports to files in a dedicated process with its own database connection, so that no other request
// has to wait for an export.
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { DatabaseAway, type DbPlace } from '#platform/db/db.server.ts'
import { openDb, type Principal } from '#features/access/db.server.ts'
import { serveTasks } from '#platform/task-process.server.ts'
import { type ExportedPlace, writeExport } from './export.server.ts'
import { type Exporter, ownRows } from './queries.server.ts'

/** An export, and the empty, already unlinked file it's written to. */
export interface PackTask {
  database: DbPlace
  speaker: Principal
  exporter: Exporter
  place: ExportedPlace
  writtenAt: Date
  path: string
}

// Errors lose their class when they're passed between processes, so an unreachable database is returned as a
// result instead.
serveTasks(async ({ database, speaker, exporter, place, writtenAt, path }: PackTask) => {
  // Opened here too, because the caller may close its own descriptor, and the number could then be reused for
  // something else.
  const file = openSync(path, 'r+')
  unlinkSync(path)
  const db = openDb(database.urls, 1, database.isNamed)
  try {
    // Everything is read from one snapshot: a session logged in the meantime is either included in full or
    // missing entirely.
    await db.asMember(
      speaker,
      (tx) =>
        writeExport(
          (table, plan) => ownRows(tx, table, plan, exporter),
          (chunk) => writeFileSync(file, chunk),
          place,
          writtenAt,
        ),
      { isSnapshot: true },
    )
    return 'written'
  } catch (error) {
    if (error instanceof DatabaseAway) return 'away'
    throw error
  } finally {
    closeSync(file)
    await db.close()
  }
})
