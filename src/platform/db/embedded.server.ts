// PostgreSQL as a child of the server, for machines without one: started, watched, restarted and stopped here.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { type ClusterPlace, clusterPlace } from './cluster-place.server.ts'
import { isAlive, lockFolder } from './lock.server.ts'

export interface EmbeddedDatabase {
  superuserUrl: string
  stop(): Promise<void>
}

type Log = (event: string, details?: object) => void

/** After a crash the old server's traces may block new ones for a while. */
const START_PATIENCE_MS = 45_000
const STOP_PATIENCE_MS = 8000

/**
 * Starts the database of a data folder and keeps it running until stopped.
 * Throws an Error with one clear line when another server uses the folder or PostgreSQL cannot start.
 */
export async function startEmbeddedDatabase({ dataDir, log }: { dataDir: string; log: Log }): Promise<EmbeddedDatabase> {
  const unlock = lockFolder(dataDir)
  try {
    const place = clusterPlace(dataDir)
    const password = passwordOf(dataDir)
    if (!place.data.startsWith(dataDir)) log('the database files lie outside the data folder', { folder: place.data })
    if (!existsSync(join(place.data, 'PG_VERSION'))) createCluster(place, password)
    await stopOrphan(place, log)
    const port = await freePort()
    const superuserUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
    const server = await keepRunning(place, port, superuserUrl, log)
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

function passwordOf(dataDir: string): string {
  const file = join(dataDir, 'database-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

function createCluster(place: ClusterPlace, password: string): void {
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
    execFileSync(join(place.programs, 'initdb'), [
      '-D', unfinished, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C', '--data-checksums',
    ], { ...place.user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    // The name appears only when the cluster is whole: a kill in between leaves nothing half made.
    execFileSync('mv', [unfinished, place.data])
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

// A PostgreSQL whose server was killed goes on by itself; its own file tells who it is.
async function stopOrphan(place: ClusterPlace, log: Log): Promise<void> {
  const pid = runningPostmaster(place)
  if (!pid) return
  log('stopping the database of a server that was killed', { pid })
  process.kill(pid, 'SIGINT')
  for (const end = Date.now() + 10_000; isAlive(pid); await pause(50)) {
    if (Date.now() > end) process.kill(pid, 'SIGQUIT')
  }
}

function runningPostmaster(place: ClusterPlace): number | undefined {
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

async function keepRunning(place: ClusterPlace, port: number, url: string, log: Log): Promise<{ stop(): Promise<void> }> {
  let stopping = false
  let child = spawnPostgres(place, port)
  const killAtExit = () => child.kill('SIGQUIT')
  process.on('exit', killAtExit)

  const watch = (watched: ChildProcess, delayMs: number) => {
    watched.once('exit', (code, signal) => {
      if (stopping) return
      log('the database ended and is started again', { code, signal })
      setTimeout(() => {
        if (stopping) return
        child = spawnPostgres(place, port)
        watch(child, Math.min(delayMs * 2, 2000))
      }, delayMs)
    })
  }
  watch(child, 100)

  const stop = async () => {
    stopping = true
    process.removeListener('exit', killAtExit)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_PATIENCE_MS)
    await ended
    clearTimeout(timer)
  }
  try {
    await answering(url)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

function spawnPostgres(place: ClusterPlace, port: number): ChildProcess {
  const logFile = openSync(`${place.data}.log`, 'a', 0o600)
  // Detached: Ctrl-C in a terminal reaches the whole group, and the database has to outlive the server's last query.
  const child = spawn(join(place.programs, 'postgres'), [
    '-D', place.data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=60',
    '-c', 'fsync=on', '-c', 'full_page_writes=on', '-c', 'synchronous_commit=on', '-c', 'timezone=UTC', '-c', 'log_statement=none',
    '-c', 'restart_after_crash=on', '-c', 'log_min_error_statement=panic',
  ], { ...place.user, cwd: '/', detached: true, stdio: ['ignore', logFile, logFile] })
  closeSync(logFile)
  child.on('error', () => undefined)
  return child
}

async function answering(url: string): Promise<void> {
  for (const end = Date.now() + START_PATIENCE_MS; ; await pause(40)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      if (Date.now() > end) throw new Error(`The embedded database did not start: ${error instanceof Error ? error.message : error}`, { cause: error })
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
