// One server per data folder (promise F4): a lock file that names its process, so that a dead one's lock can be taken over.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes the lock of a data folder; throws an Error with one clear line while another server holds it.
 * Returns what gives the lock back.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'server.lock')
  const own = join(folder, `server.lock.${process.pid}`)
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}`)
  try {
    for (let tries = 0; ; tries++) {
      try {
        // A link is made by one process only, and the file is complete when it appears.
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

/** Others that want the folder take some moments each. */
const MOST_TRIES = 200
const TRY_AGAIN_MS = 20

/**
 * Removes the lock of a dead process. Only who made the claim on just this lock may do so, and looks again first: one that
 * is late finds another's lock in its place and leaves it. False while somebody else is at it.
 */
function removeDead(folder: string, file: string, own: string, dead: string): boolean {
  const claim = join(folder, `server.lock.claim.${dead.replaceAll(/\W+/g, '-')}`)
  try {
    linkSync(own, claim)
  } catch {
    const claimer = readLock(claim)
    // Who died over it holds nobody up.
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
      `Another Tutorlog server (process ${pid}) already uses the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
    )
}

/** Whether a server runs on a data folder now. */
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

/** The living process that a lock names. */
function holder(lock: string): number | undefined {
  const [pid = 0, start = ''] = lock.split(' ')
  return isAlive(Number(pid)) && startOf(Number(pid)) === start ? Number(pid) : undefined
}

/** Whether a process with this number runs. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// Process numbers are used again; with the start time (field 22 of Linux' stat) a number means one process. Elsewhere it is empty.
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
