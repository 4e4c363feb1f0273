// One server per data folder (promise F4): a lock file that names its process, so that a dead one's lock can be taken over.
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 4) throw error
        refuseIfHeld(file, folder)
        // Taken away under a name of our own, so that of two that find a dead lock only one removes it.
        const dead = join(folder, `server.lock.dead.${process.pid}`)
        try {
          renameSync(file, dead)
          rmSync(dead, { force: true })
        } catch {
          // The other one was quicker.
        }
      }
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(file, { force: true })
}

function refuseIfHeld(file: string, folder: string): void {
  const pid = holder(file)
  if (pid) throw new Error(`Another Tutorlog server (process ${pid}) already uses the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`)
}

/** Whether a server runs on a data folder now. */
export function isFolderInUse(folder: string): boolean {
  const file = join(folder, 'server.lock')
  return existsSync(file) && holder(file) !== undefined
}

function holder(file: string): number | undefined {
  const [pid = 0, start = ''] = readFileSync(file, 'utf8').split(' ')
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
