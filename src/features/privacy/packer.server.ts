// Writes exports to files in a worker thread of its own, with a database connection of its own: nobody else's request waits for one.
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { DatabaseAway, type DbPlace, openDb, type Speaker } from '#platform/db/db.server.ts'
import { serveTasks } from '#platform/task-thread.server.ts'
import { type ExportedPlace, writeExport } from './export.server.ts'
import { type Exporter, ownRows } from './queries.server.ts'

/** An export, and the empty file it's written to, which loses its name first. */
export interface PackTask {
  database: DbPlace
  speaker: Speaker
  exporter: Exporter
  place: ExportedPlace
  writtenAt: Date
  path: string
}

// A class of errors doesn't travel between threads, so a database that can't be reached is an answer.
serveTasks(async ({ database, speaker, exporter, place, writtenAt, path }: PackTask) => {
  // Opened here, too: the caller may leave and close its own, and its number would soon belong to something else.
  const file = openSync(path, 'r+')
  unlinkSync(path)
  const db = openDb(database.urls, 1, database.isNamed)
  try {
    // One snapshot: a session logged in the meantime is in it as a whole, or not at all.
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
