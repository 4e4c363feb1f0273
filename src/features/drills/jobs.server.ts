// Backs up the embedded database every night, and then restores the backup for trial, beside the database
// (docs/decisions/0073-a-restore-drill.md). The trial isn't a job itself: it may take longer than any job.
import { existsSync, mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import type { Db } from '#platform/db/db.server.ts'
import { removeScratchDatabase, scratchFolderIn } from '#platform/db/embedded.server.ts'
import { backUpDaily, dailyName } from '#platform/db/kept-backups.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { TaskProcess, TaskRefused } from '#platform/task-process.server.ts'
import { type Figures, firstFindings } from './figures.ts'
import type { FailedDrill } from './mail.server.ts'
import {
  administrators,
  databaseBytes,
  endDrill,
  hasFailedSo,
  insertDrill,
  readCodes,
  readMonths,
  unendedDrills,
} from './queries.server.ts'
import type { DrillTask } from './restore-commands.server.ts'
import { bytesNeeded, type Disk, whyNoRoom, whyStop } from './room.ts'

export const DRILL_CRONTAB = '50 2 * * * back_up ?fill=1d'

const MINUTE_MS = 60_000
const LIMITS = {
  /** Of a core's time in the process; the database that's restored into comes on top. */
  deadlineMs: 30 * MINUTE_MS,
  mostWaiting: 1,
  mostWaitingPerAccount: 1,
}
const DRILLER = new URL('driller.server.ts', import.meta.url)
const MOST_MS = 120 * MINUTE_MS
/** How often the free space is looked at. */
const LOOK_MS = 1000

const CUT_OFF = 'The drill before this one was cut off, and what it left was removed.'
const STOPPED = 'The drill was cut off: the server was stopped or killed while it ran.'

interface Options {
  db: Db
  /** The owner's URL of the embedded database. */
  ownerUrl: string
  place: { dataDir: string; backupRecipients: readonly string[] }
  now: () => Date
  log: (event: string, details: object) => void
  /** Where a folder's disk is asked for its room. */
  diskOf?: (folder: string) => Promise<Disk>
  /** Whether the drill leaves the processor to everybody else. */
  isPatient?: boolean
}

interface Prepared {
  /** Where the drill needs room. */
  folders: string[]
  noRoom: string | undefined
  task: DrillTask
}

interface Drills {
  /** Writes a backup. Once that's done, the drill goes on by itself, unless one is still running. */
  backUp(): Promise<void>
  stop(): Promise<void>
}

export function openDrills({
  db,
  ownerUrl,
  place,
  now,
  log,
  diskOf = roomOfDisk,
  isPatient = true,
}: Options): Drills {
  const { dataDir } = place
  const isEncrypted = place.backupRecipients.length > 0
  const folder = scratchFolderIn(dataDir)
  const stopping = new AbortController()
  const settled = settle().catch(failed)
  let running: Promise<void> | undefined

  function failed(error: unknown): void {
    log('the restore drill failed', { reason: error instanceof Error ? error.message : String(error) })
  }

  /** Ends what a server that was killed has left. */
  async function settle(): Promise<void> {
    await removeScratchDatabase(dataDir)
    for (const id of await db.asSystem(unendedDrills)) await end(id, [STOPPED], now())
  }

  async function backUp(): Promise<void> {
    await settled
    if (running) return void (await backUpDaily(ownerUrl, place, now()))
    const wasLeft = await removeScratchDatabase(dataDir)
    const at = now()
    const { folders, noRoom, task } = await backUpForDrill(at).catch(async (error: unknown) => {
      await fail(dailyName(place, at), at, [`No backup could be written: ${reasonOf(error)}.`]).catch(failed)
      await removeScratchDatabase(dataDir)
      throw error
    })
    const id = await db.asSystem((tx) =>
      insertDrill(tx, {
        backup: basename(task.file.path),
        backupAt: at,
        backupBytes: task.file.bytes,
        beganAt: at,
      }),
    )
    const begun = performance.now()
    const first = [...(wasLeft ? [CUT_OFF] : []), ...(noRoom ? [noRoom] : [])]
    running = (noRoom ? removeScratchDatabase(dataDir).then(() => []) : drill(task, folders))
      .then((findings) =>
        end(id, [...first, ...findings], new Date(at.getTime() + performance.now() - begun)),
      )
      .catch(failed)
      .finally(() => {
        running = undefined
      })
  }

  /** Writes the backup, with the figures of its snapshot, and its content unencrypted if there's room. */
  async function backUpForDrill(at: Date): Promise<Prepared> {
    mkdirSync(folder, { mode: 0o700 })
    // The database that's made there may lie elsewhere, on another disk.
    const folders = [...new Set([dataDir, dirname(clusterPlace(folder).data)])]
    const noRoom = await whyNot(folders)
    const plain = isEncrypted && !noRoom ? join(folder, 'backup.gz') : undefined
    const figures: Pick<Figures, 'months' | 'codes'> = { months: [], codes: [] }
    const written = await backUpDaily(ownerUrl, place, at, {
      plainFile: plain,
      async inSnapshot(client) {
        if (noRoom) return
        figures.months = await readMonths(client)
        figures.codes = await readCodes(client)
      },
    })
    const { path, bytes, fileSha256: sha256, migrations, contents: tables } = written
    const expected = { ...figures, tables }
    return {
      folders,
      noRoom,
      task: {
        dataDir,
        file: { path, bytes, sha256, isEncrypted },
        dump: { path: plain ?? path, migrations, expected },
      },
    }
  }

  async function whyNot(folders: string[]): Promise<string | undefined> {
    const client = await connectTo(ownerUrl)
    const needed = await databaseBytes(client)
      .then((bytes) => bytesNeeded(bytes, isEncrypted))
      .finally(() => client.end())
    for (const disk of await Promise.all(folders.map(diskOf))) {
      const why = whyNoRoom(disk, needed)
      if (why) return why
    }
    return undefined
  }

  async function drill(task: DrillTask, folders: string[]): Promise<string[]> {
    const full = new AbortController()
    const looks = setInterval(async () => {
      for (const disk of await Promise.all(folders.map(diskOf)).catch(() => [])) {
        const why = whyStop(disk)
        if (why) full.abort(new Error(why))
      }
    }, LOOK_MS)
    const late = AbortSignal.timeout(MOST_MS)
    const driller = new TaskProcess<DrillTask>(DRILLER, { ...LIMITS, isPatient })
    try {
      return await driller.run<string[]>('', task, AbortSignal.any([stopping.signal, full.signal, late]))
    } catch (error) {
      if (stopping.signal.aborted) return [STOPPED]
      if (late.aborted) return ['The drill was stopped: it took longer than two hours.']
      if (full.signal.aborted) return [(full.signal.reason as Error).message]
      return [`The drill ended early: ${reasonOf(error)}.`]
    } finally {
      clearInterval(looks)
      await driller.close()
      await removeScratchDatabase(dataDir)
    }
  }

  /** Notes a drill that couldn't begin. A job that's tried again says the same only once. */
  async function fail(backup: string, at: Date, findings: string[]): Promise<void> {
    if (await db.asSystem((tx) => hasFailedSo(tx, backup, findings))) return
    const id = await db.asSystem((tx) =>
      insertDrill(tx, { backup, backupAt: at, backupBytes: 0, beganAt: at }),
    )
    await end(id, findings, at)
  }

  async function end(id: string, all: string[], endedAt: Date): Promise<void> {
    const findings = firstFindings(all)
    await db.asSystem(async (tx) => {
      const backup = await endDrill(tx, id, findings, endedAt)
      if (backup === undefined || findings.length === 0) return
      for (const { id: userId, email } of await administrators(tx)) {
        const data: FailedDrill = { backup, findings }
        await queueMail(tx, { userId, recipient: email, kind: 'restore_drill_failed', data })
      }
    })
    log('a backup was restored for trial', { is_good: findings.length === 0, findings })
  }

  return {
    backUp,
    async stop() {
      stopping.abort()
      await settled
      await running
    },
  }
}

async function roomOfDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(existsSync(folder) ? folder : dirname(folder))
  return { free: bavail * bsize, size: blocks * bsize }
}

function reasonOf(error: unknown): string {
  if (error instanceof TaskRefused)
    return error.reason === 'too_slow' ? 'it needed too much time' : 'its process ended'
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' ? 'the disk is full' : message.replace(/\.$/, '')
}
