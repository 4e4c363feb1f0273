// Connections by their URL: one place that knows how a database is reached, and as whom. Of several hosts it finds the one
// that takes writes, which node-postgres does not do by itself, so that a promoted replica is followed without a restart.
import type { Socket } from 'node:net'
import pg from 'pg'

/** Scheme and user, hosts, and the rest of an address. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s
/** What libpq calls a host that takes writes; the app has no use for another. */
const ATTRIBUTE = 'target_session_attrs'
const WRITABLE = ['read-write', 'primary']
const QUERY_TIMEOUT_MS = 15_000
/** An idle connection whose other end has gone without a word is given up after this and ten unanswered seconds more. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** The hosts of an address, each in an address of its own, in the order they are tried in. */
export function hostsOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  return hosts.split(',').map((host) => {
    const one = new URL(start + host + rest)
    one.searchParams.delete(ATTRIBUTE)
    return one.href
  })
}

/** Whether an address can be used: one host or several, and nothing asked of them but that they take writes. */
export function isDatabaseAddress(url: string): boolean {
  const [, start = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  if (start === '' || !hosts.split(',').every((host) => URL.canParse(start + host + rest))) return false
  const asked = new URL(start + (hosts.split(',')[0] ?? '') + rest).searchParams.get(ATTRIBUTE)
  return asked === null || WRITABLE.includes(asked)
}

/** The same database as another role. */
export function asRole(url: string, role: string, password: string): string {
  return url.replace(
    /^([a-z]+:\/\/)([^/?#]*@)?/,
    (_, scheme: string) => `${scheme}${encodeURIComponent(role)}:${encodeURIComponent(password)}@`,
  )
}

/** Connects to the host that takes writes; throws what PostgreSQL or the network says. The caller ends the connection. */
export async function connectTo(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  for (let tries = hostsOf(url).length; ; tries--) {
    const client = clientFor(url, { connectionTimeoutMillis: 10_000, ...options })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (tries <= 1) throw error
    }
  }
}

/** A connection that is not open yet, to the host that took writes last. */
export function clientFor(url: string, options: pg.ClientConfig): pg.Client {
  const config = { connectionString: url, ...KEEP_ALIVE, ...options }
  const client = isChoosing(url) ? new WritableClient(config) : new pg.Client(config)
  // The query that a broken connection fails says so; without a listener the break would also end the process.
  client.on('error', dropIdle)
  return client
}

/** Connections that are opened as they are needed, each to the host that takes writes. */
export function openPool(url: string, options: pg.PoolConfig): pg.Pool {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: 4000,
    query_timeout: QUERY_TIMEOUT_MS,
    // In this mode the library also gives up a connection on which a query was not answered in time, as on a host that hangs.
    pipeline: true,
    ...KEEP_ALIVE,
    ...options,
  }
  const pool = isChoosing(url) ? new WritablePool({ ...config, Client: WritableClient }) : new pg.Pool(config)
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', dropIdle))
  pool.on('acquire', (client) => void idle.delete(client))
  pool.on('release', (error, client) => (error ? dropIdle(error) : void idle.add(client)))
  pool.on('remove', (client) => void idle.delete(client))
  return pool
}

/** Connections of every pool that nobody uses just now. */
const idle = new Set<pg.PoolClient>()

/** Whether the other end went silent. A connection that was closed says nothing about the others. */
export function isUnanswered(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (/Query read timeout/i.test(error.message) || ('code' in error && error.code === 'ETIMEDOUT'))
  )
}

// If the host went silent on one connection, the idle ones lead there too, and each would cost somebody a wait of its own.
function dropIdle(error: Error | boolean): void {
  if (!isUnanswered(error)) return
  for (const client of idle) {
    idle.delete(client)
    ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
  }
}

/** Whether a pooler stands before the database: it tells the process of no PostgreSQL, or that of another connection. */
export async function isPooled(url: string): Promise<boolean> {
  const client = await connectTo(url, { query_timeout: QUERY_TIMEOUT_MS })
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid !== (client as pg.Client & { processID: number | null }).processID
  } finally {
    await client.end()
  }
}

function isChoosing(url: string): boolean {
  const [, , hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  return hosts.includes(',') || rest.includes(`${ATTRIBUTE}=`)
}

/** Which of several hosts is tried first, known to all connections of this process; by the hosts as they are written. */
const first = new Map<string, number>()

/** A connection to one of several hosts. One that takes no writes counts as away, and the next connection tries another. */
class WritableClient extends pg.Client {
  readonly #hosts: string
  readonly #tried: number
  readonly #count: number

  constructor(config: pg.ClientConfig = {}) {
    const url = config.connectionString ?? ''
    const addresses = hostsOf(url)
    const hosts = ADDRESS.exec(url)?.[2] ?? ''
    const tried = first.get(hosts) ?? 0
    super({ ...config, connectionString: addresses[tried] })
    this.#hosts = hosts
    this.#tried = tried
    this.#count = addresses.length
    this.on('error', () => undefined)
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<this> | void {
    const connected = this.#connectToWrite()
    if (!callback) return connected
    connected.then(
      () => callback(null),
      (error: Error) => callback(error),
    )
  }

  async #connectToWrite(): Promise<this> {
    try {
      await super.connect()
      if (await takesWrites(this)) return this
      await this.end()
      // PostgreSQL's code for "not now".
      throw Object.assign(new Error(`${this.host}:${this.port} takes no writes`), { code: '57P03' })
    } catch (error) {
      if ((first.get(this.#hosts) ?? 0) === this.#tried)
        first.set(this.#hosts, (this.#tried + 1) % this.#count)
      throw error
    }
  }
}

/** Tries each host once before it says that there is no connection. */
class WritablePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    return callback ? super.connect(callback) : this.#tryEach()
  }

  async #tryEach(): Promise<pg.PoolClient> {
    const { connectionString = '' } = this.options
    for (let tries = hostsOf(connectionString).length; ; tries--) {
      try {
        return await super.connect()
      } catch (error) {
        if (tries <= 1) throw error
      }
    }
  }
}

/**
 * Whether what a connection leads to takes writes: it is no replica and was not told to refuse them.
 * Throws if that is not answered within 4 s.
 */
export async function takesWrites(client: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ takes: boolean }>({
    text: "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes",
    query_timeout: 4000,
  } as pg.QueryConfig)
  return rows[0]?.takes === true
}
