// Writes exports to files. A worker thread packs the data and the response streams from the file, so a large
// export or a slow download doesn't block anything.
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseAway } from '#platform/db/db.server.ts'
import { runHeavy } from '#platform/http/heavy.server.ts'
import { TaskThread } from '#platform/task-thread.server.ts'
import type { PackTask } from './packer.server.ts'

/** 100,000 sessions take 20 s of CPU time. */
const LIMITS = { deadlineMs: 120_000, mostWaiting: 24, mostWaitingPerAccount: 4, isHeavy: true }
const packer = new TaskThread<PackTask>(new URL('packer.server.ts', import.meta.url), LIMITS)

/**
 * An export in a file that is unlinked before anything is written, so that nothing remains of it no matter
 * how this ends. See `runHeavy` for the errors it throws. @param signal aborted when the client is gone
 */
export async function packedFile(task: Omit<PackTask, 'path'>, signal: AbortSignal): Promise<FileHandle> {
  const path = join(tmpdir(), `tutorlog-export-${crypto.randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    const account = task.speaker.accountId
    const answer = await runHeavy<PackTask, 'written' | 'away'>(packer, account, { ...task, path }, signal)
    if (answer === 'away') throw new DatabaseAway('the thread that exports cannot reach the database')
    return file
  } catch (error) {
    await file.close()
    // If the task never started, it hasn't deleted the file.
    await rm(path, { force: true })
    throw error
  }
}
