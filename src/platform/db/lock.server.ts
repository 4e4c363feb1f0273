// Allows only one server per data folder (promise F4). The lock file identifies the server's process, so that
// a dead process's lock can be taken over.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Locks a data folder and returns a function that releases the lock. Throws a one-line Error if another
 * server holds it.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'server.lock')
  const own = join(folder, `server.lock.${process.pid}`)
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}`)
  try {
    for (let tries = 0; ; tries++) {
      try {
        // Only one process can create the link. The file is already complete when it appears.
        linkSync(own, file)
        break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > MOST_TRIES) throw error
        const dead = readLock(file)
        if (dead === undefined) continue
        refuseIfHeld(dead, folder)
        if (!removeDead(folder, file, own, dead))
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_MS)
      }
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(file, { force: true })
}

/** Several processes may be trying to lock the same folder at once, and each attempt takes a moment. */
const MOST_TRIES = 200
const TRY_AGAIN_MS = 20

/**
 * Removes a dead process's lock. Only the process that claimed this exact lock may remove it, and only after
 * rereading the lock file. If that process was slow, another one may already hold a new lock on the folder,
 * and that lock must not be removed. Returns false while another process has the claim.
 */
function removeDead(folder: string, file: string, own: string, dead: string): boolean {
  const claim = join(folder, `server.lock.claim.${dead.replaceAll(/\W+/g, '-')}`)
  try {
    linkSync(own, claim)
  } catch {
    const claimer = readLock(claim)
    // A dead process's claim must not block other processes.
    if (claimer !== undefined && !holder(claimer)) rmSync(claim, { force: true })
    return false
  }
  try {
    if (readLock(file) === dead) rmSync(file, { force: true })
  } finally {
    rmSync(claim, { force: true })
  }
  return true
}

function refuseIfHeld(lock: string, folder: string): void {
  const pid = holder(lock)
  if (pid)
    throw new Error(
      `Another Tutorlog server (process ${pid}) is already using the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
    )
}

/** Whether a server is using a data folder right now. */
export function isFolderInUse(folder: string): boolean {
  const lock = readLock(join(folder, 'server.lock'))
  return lock !== undefined && holder(lock) !== undefined
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The PID in a lock if that process is still running. */
function holder(lock: string): number | undefined {
  const [pid = 0, start = ''] = lock.split(' ')
  return isAlive(Number(pid)) && startOf(Number(pid)) === start ? Number(pid) : undefined
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// PIDs get reused, so the lock also records the process's start time (field 22 of /proc/PID/stat). Without
// /proc, it's empty.
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
