// Opens connections by URL. If a URL lists several hosts, finds the one that accepts writes, so a promoted
// replica is picked up without restarting the server. node-postgres can't do that by itself.
import type { Socket } from 'node:net'
import pg from 'pg'
import { longestWait } from '#platform/timeout.server.ts'

/** Splits a URL into the scheme and user, the hosts, and the rest. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s
/** libpq's parameter for the kind of host to connect to. We only want hosts that accept writes. */
const ATTRIBUTE = 'target_session_attrs'
const WRITABLE = ['read-write', 'primary']
const QUERY_TIMEOUT_MS = 15_000
/**
 * How long a connection must be idle before the first keep-alive probe. If the other end has silently
 * disappeared, the connection is closed ten seconds after the first unanswered probe.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** One URL for each host, in the order they're tried. */
function hostsOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  return hosts.split(',').map((host) => {
    const one = new URL(start + host + rest)
    one.searchParams.delete(ATTRIBUTE)
    return one.href
  })
}

/**
 * Whether a URL is usable. It needs at least one host, and if it specifies the kind of host, it has to be one
 * that accepts writes.
 */
export function isDatabaseAddress(url: string): boolean {
  const [, start = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  if (start === '' || !hosts.split(',').every((host) => URL.canParse(start + host + rest))) return false
  const asked = new URL(start + (hosts.split(',')[0] ?? '') + rest).searchParams.get(ATTRIBUTE)
  return asked === null || WRITABLE.includes(asked)
}

/** Parameters of a URL that say whether and how TLS is used. */
const TLS_PARAMETERS = ['ssl', 'sslmode', 'uselibpqcompat']

/**
 * The same URL, for connections that exist only over TLS, with a certificate for this host from an authority that's
 * trusted. Every URL made from it for another role or host says the same.
 */
export function onlyOverTls(url: string): string {
  const [, start = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  const { pathname, searchParams } = new URL(`postgresql://host${rest}`)
  for (const parameter of TLS_PARAMETERS) searchParams.delete(parameter)
  searchParams.set('sslmode', 'verify-full')
  return `${start}${hosts}${pathname}?${searchParams}`
}

/** The URL of the same database for another role. */
export function asRole(url: string, role: string, password: string): string {
  return url.replace(
    /^([a-z]+:\/\/)([^/?#]*@)?/,
    (_, scheme: string) => `${scheme}${encodeURIComponent(role)}:${encodeURIComponent(password)}@`,
  )
}

/**
 * Connects to the host that accepts writes; throws the error from PostgreSQL or the network. The caller
 * closes the connection.
 */
export async function connectTo(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  for (let tries = hostsOf(url).length; ; tries--) {
    const client = clientFor(url, { connectionTimeoutMillis: longestWait(10_000), ...options })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (tries <= 1) throw error
    }
  }
}

/** A client for the host that last accepted writes, not connected yet. */
export function clientFor(url: string, options: pg.ClientConfig): pg.Client {
  const config = { connectionString: url, ...KEEP_ALIVE, ...options }
  const client = isChoosing(url) ? new WritableClient(config) : new pg.Client(config)
  // Queries on a broken connection fail either way. Without this listener, the process would crash too.
  client.on('error', dropIdle)
  return client
}

/** A pool that connects on demand, always to the host that accepts writes. */
export function openPool(url: string, options: pg.PoolConfig): pg.Pool {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: longestWait(4000),
    query_timeout: longestWait(QUERY_TIMEOUT_MS),
    // In pipeline mode, a query timeout also makes the library close the connection. That's what we want if
    // the host hangs.
    pipeline: true,
    ...KEEP_ALIVE,
    ...options,
  }
  const pool = isChoosing(url) ? new WritablePool({ ...config, Client: WritableClient }) : new pg.Pool(config)
  // The pool replaces connections that break while idle. Without this listener, the process would crash.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', dropIdle))
  pool.on('acquire', (client) => void idle.delete(client))
  pool.on('release', (error, client) => (error ? dropIdle(error) : void idle.add(client)))
  pool.on('remove', (client) => void idle.delete(client))
  return pool
}

/** Idle connections across all pools. */
const idle = new Set<pg.PoolClient>()

/**
 * True if the other end stopped responding. A closed connection doesn't count, because it doesn't mean that
 * the host's other connections are dead.
 */
export function isUnanswered(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (/Query read timeout/i.test(error.message) || ('code' in error && error.code === 'ETIMEDOUT'))
  )
}

// If a host stops responding on one connection, closes all idle connections, which probably go to the same
// host. Otherwise, callers would have to wait for each one to time out.
function dropIdle(error: Error | boolean): void {
  if (!isUnanswered(error)) return
  for (const client of idle) {
    idle.delete(client)
    ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
  }
}

/** Whether the URL points to a pooler. Poolers report either no PostgreSQL PID or another connection's. */
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

/** For each list of hosts, the one to try first. Shared by all connections of this process. */
const first = new Map<string, number>()

/**
 * A connection to one of several hosts. A host that doesn't accept writes counts as unavailable, and the next
 * connection tries another one.
 */
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
      // PostgreSQL's error code for "cannot connect now".
      throw Object.assign(new Error(`${this.host}:${this.port} doesn't accept writes`), { code: '57P03' })
    } catch (error) {
      if ((first.get(this.#hosts) ?? 0) === this.#tried)
        first.set(this.#hosts, (this.#tried + 1) % this.#count)
      throw error
    }
  }
}

/** Tries each host once before reporting a failure. */
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
 * Whether the connected host accepts writes: it isn't a replica and isn't set to read-only. Throws if there's
 * no response within 4 s (`longestWait`).
 */
export async function takesWrites(client: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ takes: boolean }>({
    text: "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes",
    query_timeout: longestWait(4000),
  } as pg.QueryConfig)
  return rows[0]?.takes === true
}
