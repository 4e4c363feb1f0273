// Starts, watches, restarts and stops PostgreSQL as a child process, for machines where it isn't already
// running.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#platform/free-port.server.ts'
import { longestWait, pause } from '#platform/timeout.server.ts'
import { type ClusterPlace, clusterPlace, farClusterOf } from './cluster-place.server.ts'
import { isAlive, isFolderInUse, lockFolder } from './lock.server.ts'
import { boundLog } from './log-file.server.ts'

export interface EmbeddedDatabase {
  superuserUrl: string
  stop(): Promise<void>
}

type Log = (event: string, details?: object) => void
type Settings = Record<string, string | number>

/** After a crash, leftovers from the old server can block a new one for a while. */
const START_PATIENCE_MS = 45_000
const STOP_PATIENCE_MS = 2500
/** How often to check the database's log. */
const LOG_LOOK_MS = 3_600_000

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_statement: 'none',
  restart_after_crash: 'on',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}
/** For a database that's thrown away: nothing in it has to survive a crash, and it takes little memory and disk. */
const SCRATCH_SETTINGS = {
  ...SETTINGS,
  max_connections: 12,
  shared_buffers: '48MB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '64MB',
  autovacuum: 'off',
  synchronize_seqscans: 'off',
  max_parallel_workers: 0,
  max_parallel_maintenance_workers: 0,
}

/**
 * Starts the database in a data folder and keeps it running until stopped. Throws a one-line Error if another
 * server is using the folder or PostgreSQL can't start.
 * @param isScratch whether the database will be thrown away (removeScratchDatabase)
 */
export async function startEmbeddedDatabase({
  dataDir,
  log,
  isScratch = false,
}: {
  dataDir: string
  log: Log
  isScratch?: boolean
}): Promise<EmbeddedDatabase> {
  const unlock = lockFolder(dataDir)
  try {
    const place = clusterPlace(dataDir)
    await stopOrphan(place, log)
    if (!place.data.startsWith(dataDir)) {
      log('the database files lie outside the data folder', { folder: place.data })
      const aside = setStrangeClusterAside(dataDir, place.data)
      if (aside)
        log('an earlier data folder at this path left its database, which was set aside', { folder: aside })
    }
    const password = passwordOf(dataDir)
    if (!existsSync(join(place.data, 'PG_VERSION'))) {
      log('creating the database')
      createCluster(place, password, isScratch ? ['--no-sync'] : [])
    }
    const port = await freePort()
    const superuserUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
    const server = await keepRunning(place, port, superuserUrl, log, isScratch ? SCRATCH_SETTINGS : SETTINGS)
    return {
      superuserUrl,
      async stop() {
        await server.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * The URL of the database that a running server started for this data folder. Used by commands that run
 * alongside the server. Waits for a server that's still starting. Returns undefined if none is running.
 */
export async function runningDatabaseUrl(dataDir: string): Promise<string | undefined> {
  for (const end = Date.now() + START_PATIENCE_MS; isFolderInUse(dataDir); await pause(100)) {
    const file = join(clusterPlace(dataDir).data, 'postmaster.pid')
    // The port is on the fourth line of postmaster.pid.
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[3]) : 0
    const url = `postgresql://postgres:${passwordOf(dataDir)}@127.0.0.1:${port}/postgres`
    if (port > 0 && (await isAnswering(url))) return url
    if (Date.now() > end)
      throw new Error("A Tutorlog server is using the data folder, but its database isn't responding.")
  }
  return undefined
}

/**
 * Sets aside a cluster that's stored outside its data folder if the data folder has no password for it. This
 * happens if the original data folder was deleted and a new one was created at the same path. Returns the
 * cluster's new path, or undefined if nothing was renamed.
 */
export function setStrangeClusterAside(dataDir: string, data: string): string | undefined {
  if (existsSync(passwordFileOf(dataDir)) || !existsSync(data)) return undefined
  const aside = `${data}.of-deleted-folder-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(data, aside)
  return aside
}

function passwordFileOf(dataDir: string): string {
  return join(dataDir, 'database-password')
}

function passwordOf(dataDir: string): string {
  const file = passwordFileOf(dataDir)
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

function createCluster(place: ClusterPlace, password: string, further: string[]): void {
  const unfinished = `${place.data}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  const passwordFile = `${place.data}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (place.user) {
    chownSync(unfinished, place.user.uid, place.user.gid)
    chownSync(passwordFile, place.user.uid, place.user.gid)
  }
  try {
    execFileSync(
      join(place.programs, 'initdb'),
      [
        '-D',
        unfinished,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C',
        '--data-checksums',
        ...further,
      ],
      { ...place.user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
    )
    // The folder is moved into place only after it's complete, so killing the process before then doesn't
    // leave a half-finished one behind.
    execFileSync('mv', [unfinished, place.data])
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** The data folder of a database that's thrown away, inside the server's. */
export function scratchFolderIn(dataDir: string): string {
  return join(dataDir, 'restore-drill')
}

/**
 * Removes the scratch database of a server's data folder, even if the process that started it was killed. Returns
 * whether anything was there. Can't touch the server's own database, whose folder is another one.
 */
export async function removeScratchDatabase(serverDataDir: string): Promise<boolean> {
  const dataDir = scratchFolderIn(serverDataDir)
  if (!existsSync(dataDir)) return false
  // Not by clusterPlace, which writes: the disk may be full.
  const far = farClusterOf(dataDir)
  const data = join(far ?? dataDir, 'postgres')
  const pid = runningPostmaster({ data })
  if (pid) process.kill(pid, 'SIGQUIT')
  for (const end = Date.now() + 10_000; pid && isAlive(pid); await pause(20)) {
    if (Date.now() > end) process.kill(pid, 'SIGKILL')
  }
  if (far) rmSync(far, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
  return true
}

// PostgreSQL keeps running if the server is killed. Its PID is in postmaster.pid.
async function stopOrphan(place: ClusterPlace, log: Log): Promise<void> {
  const pid = runningPostmaster(place)
  if (!pid) return
  log('stopping the database of a server that was killed', { pid })
  process.kill(pid, 'SIGINT')
  for (const end = Date.now() + 10_000; isAlive(pid); await pause(50)) {
    if (Date.now() > end) process.kill(pid, 'SIGQUIT')
  }
}

function runningPostmaster(place: Pick<ClusterPlace, 'data'>): number | undefined {
  const file = join(place.data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!isAlive(pid)) return undefined
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place.data) ? pid : undefined
  } catch {
    return undefined
  }
}

async function keepRunning(
  place: ClusterPlace,
  port: number,
  url: string,
  log: Log,
  settings: Settings,
): Promise<{ stop(): Promise<void> }> {
  let stopping = false
  const keepLogSmall = () => {
    try {
      boundLog(logOf(place), new Date())
    } catch (error) {
      // Ignores errors such as a full disk. The next check may work, and log problems shouldn't stop the
      // database.
      log('the log of the database could not be started anew', { reason: String(error) })
    }
  }
  keepLogSmall()
  const looks = setInterval(keepLogSmall, LOG_LOOK_MS)
  looks.unref()
  let child = spawnPostgres(place, port, settings)
  const killAtExit = () => child.kill('SIGQUIT')
  process.on('exit', killAtExit)

  const watch = (watched: ChildProcess, delayMs: number) => {
    const since = Date.now()
    let isOver = false
    const startAgain = (code: unknown, signal?: unknown) => {
      if (stopping || isOver) return
      isOver = true
      log('the database ended and is started again', { code: String(code), signal })
      // If the database ran for a while before it exited, it's evidently able to start, so restart it right
      // away.
      const wait = Date.now() - since > 10_000 ? 100 : delayMs
      setTimeout(() => {
        if (stopping) return
        child = spawnPostgres(place, port, settings)
        watch(child, Math.min(wait * 2, 2000))
      }, wait)
    }
    watched.once('exit', startAgain)
    // If a program can't be started, the child process emits "error" instead of "exit".
    watched.once('error', startAgain)
  }
  watch(child, 100)

  const stop = async () => {
    stopping = true
    clearInterval(looks)
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      // Even an immediate shutdown loses nothing: the next start recovers committed data from the write-ahead
      // log.
      const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_PATIENCE_MS)
      await ended
      clearTimeout(timer)
    }
    process.removeListener('exit', killAtExit)
  }
  try {
    await answering(url)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

function logOf(place: ClusterPlace): string {
  return `${place.data}.log`
}

function spawnPostgres(place: ClusterPlace, port: number, settings: Settings): ChildProcess {
  const logFile = openSync(logOf(place), 'a', 0o600)
  // Detached, because Ctrl-C in a terminal goes to the whole process group, and the database has to outlive
  // the server's last query.
  const child = spawn(
    join(place.programs, 'postgres'),
    [
      '-D',
      place.data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...place.user, cwd: '/', detached: true, stdio: ['ignore', logFile, logFile] },
  )
  closeSync(logFile)
  child.on('error', () => undefined)
  return child
}

async function answering(url: string): Promise<void> {
  for (const end = Date.now() + longestWait(START_PATIENCE_MS); ; await pause(40)) {
    const failure = await tryOnce(url)
    if (!failure) return
    if (Date.now() > end)
      throw new Error(`The embedded database did not start: ${failure.message}`, { cause: failure })
  }
}

async function isAnswering(url: string): Promise<boolean> {
  return (await tryOnce(url)) === undefined
}

async function tryOnce(url: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: longestWait(2000) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    await client.end().catch(() => undefined)
  }
}
