// Writes exports to files. A separate process packs the data, and the response is streamed from the file.
// That way, a large export or a slow download doesn't block anything.
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseAway } from '#platform/db/db.server.ts'
import { runHeavy } from '#platform/http/heavy.server.ts'
import { TaskProcess } from '#platform/task-process.server.ts'
import type { PackTask } from './packer.server.ts'

/** Exporting 100,000 sessions with their histories takes 24 s of CPU time. */
const LIMITS = { deadlineMs: 120_000, mostWaiting: 24, mostWaitingPerAccount: 4, isHeavy: true }
const packer = new TaskProcess<PackTask>(new URL('packer.server.ts', import.meta.url), LIMITS)

/**
 * Writes an export to a file that's unlinked before anything is written, so nothing is left of it no matter
 * how this ends. Throws the same errors as `runHeavy`.
 * @param signal aborted when the client disconnects
 */
export async function packedFile(task: Omit<PackTask, 'path'>, signal: AbortSignal): Promise<FileHandle> {
  const path = join(tmpdir(), `tutorlog-export-${crypto.randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    const account = task.speaker.accountId
    const answer = await runHeavy<PackTask, 'written' | 'away'>(packer, account, { ...task, path }, signal)
    if (answer === 'away') throw new DatabaseAway('the process that exports cannot reach the database')
    return file
  } catch (error) {
    await file.close()
    // If the task never started, it hasn't deleted the file.
    await rm(path, { force: true })
    throw error
  }
}
