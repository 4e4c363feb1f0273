// Exports as files: packed in a thread, and sent from a file, so that neither a large export nor a slow download holds anything.
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
 * An export in a file whose name is gone before anything is written, so that nothing is left of it however this ends. See
 * `runHeavy` for what it throws. @param signal aborted when nobody waits for it anymore
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
    // Its turn may never have come.
    await rm(path, { force: true })
    throw error
  }
}
