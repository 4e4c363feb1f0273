// Exports as files: packed in a thread, and sent from a file, so that neither a large export nor a slow download holds anything.
import { type FileHandle, open, unlink } from 'node:fs/promises'
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
 * An export in a file that no longer has a name, so that nothing is left of it however this ends. See `runHeavy` for what it throws.
 * @param signal aborted when nobody waits for it anymore
 */
export async function packedFile(task: Omit<PackTask, 'fd'>, signal: AbortSignal): Promise<FileHandle> {
  const path = join(tmpdir(), `tutorlog-export-${crypto.randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const account = task.speaker.accountId
    const whole = { ...task, fd: file.fd }
    const answer = await runHeavy<PackTask, 'written' | 'away'>(packer, account, whole, signal)
    if (answer === 'away') throw new DatabaseAway('the thread that exports cannot reach the database')
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
