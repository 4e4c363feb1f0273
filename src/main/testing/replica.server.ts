// A primary and its streaming replica, both real PostgreSQL servers started for the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { copyCluster } from './cluster.server.ts'
import { until } from './process.server.ts'

export interface ReplicatedDatabase {
  /** A URL with both hosts. The replica comes first, so clients have to notice that it's read-only. */
  url: string
  replicaUrl: string
  killPrimary(): Promise<void>
  /**
   * Suspends all of the primary's processes (SIGSTOP). The operating system still accepts connections and
   * data, but nothing responds.
   */
  hangPrimary(): void
  /** Resumes the primary's processes. */
  wakePrimary(): void
  /** Stops sending writes to the replica. */
  pauseReplica(): Promise<void>
  promoteReplica(): Promise<void>
  stop(): Promise<void>
}

interface Host {
  url: string
  process: ChildProcess
  ended: Promise<unknown>
}

/** Starts both servers. In synchronous mode, a write isn't acknowledged until the replica has it on disk. */
export async function startReplicated(folder: string, isSynchronous: boolean): Promise<ReplicatedDatabase> {
  const places = [join(folder, 'primary'), join(folder, 'replica')] as const
  // Copying a stopped cluster twice works just as well as a base backup: the replica continues from there.
  for (const place of places) await copyCluster(place)
  const primary = await startHost(
    places[0],
    isSynchronous ? { synchronous_standby_names: '*', synchronous_commit: 'on' } : {},
  )
  const { port, password } = new URL(primary.url)
  signalStandby(places[1])
  const replica = await startHost(places[1], {
    primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=replica`,
  })
  await until('the replica is streaming', async () => {
    const [row] = await ask(primary.url, 'select sync_state from pg_stat_replication')
    return row?.sync_state === (isSynchronous ? 'sync' : 'async')
  })
  return {
    url: `${replica.url.replace(/\/postgres$/, `,${new URL(primary.url).host}/postgres`)}?target_session_attrs=read-write`,
    replicaUrl: replica.url,
    async killPrimary() {
      primary.process.kill('SIGKILL')
      await primary.ended
    },
    hangPrimary: () => signalAll(primary.process, 'SIGSTOP'),
    wakePrimary: () => signalAll(primary.process, 'SIGCONT'),
    async pauseReplica() {
      await ask(replica.url, "alter system set primary_conninfo = ''")
      await ask(replica.url, 'select pg_reload_conf()')
      await until('the replica receives nothing', async () => {
        return (await ask(replica.url, 'select pid from pg_stat_wal_receiver')).length === 0
      })
    },
    promoteReplica: async () => void (await ask(replica.url, 'select pg_promote()')),
    async stop() {
      for (const host of [primary, replica]) {
        signalAll(host.process, 'SIGCONT')
        host.process.kill('SIGQUIT')
        await host.ended
      }
    },
  }
}

// PostgreSQL handles each connection in a child of the process that was started.
function signalAll({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const each of [pid, ...children.map(Number)]) {
    try {
      process.kill(each, signal)
    } catch {
      // The process has already exited.
    }
  }
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await connectTo(url)
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

function signalStandby(place: string): void {
  const { data, user } = clusterPlace(place)
  const signal = join(data, 'standby.signal')
  writeFileSync(signal, '')
  if (user) chownSync(signal, user.uid, user.gid)
}

async function startHost(place: string, settings: Record<string, string>): Promise<Host> {
  const { programs, data, user } = clusterPlace(place)
  const port = await freePort()
  const all = {
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '60',
  }
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    Object.entries(all)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  )
  const child = spawn(join(programs, 'postgres'), ['-D', data], { ...user, cwd: '/', stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const password = readFileSync(join(place, 'database-password'), 'utf8').trim()
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
  await until('PostgreSQL is responding', () =>
    ask(url, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  return { url, process: child, ended }
}
