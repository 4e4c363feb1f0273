// All database access goes through here. Transactions run under one of the database's roles, with the settings
// that its policies read, or as the system, for sign-in and jobs.
import type { Socket } from 'node:net'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import type { WorkspaceId } from '#kernel/id.ts'
import { isUnanswered, openPool, takesWrites } from './connection.server.ts'
import { openListener } from './listen.server.ts'
import { isOutdated, prepared } from './prepared.server.ts'
import type { Tables } from './schema.server.ts'
import { shareConnections } from './shared-connections.server.ts'

/** A handle for one open transaction. It's all that query functions get. */
export type Tx = Kysely<Tables>

/**
 * Who a transaction runs as. The schema with the same name as the role has its views, and comes first in the
 * search path.
 */
export interface Identity {
  /** A role's short name, without the prefix of this database. */
  role: string
  /** What the table policies need to know about the caller. */
  settings: Record<string, string>
  /** True for the link's role, which signs in itself. To all others, the server's role switches. */
  hasOwnLogin?: boolean
}

/** The URLs the roles use to reach the database. */
export interface DbUrls {
  server: string
  system: string
  link: string
  /** Bypasses a pooler; used for jobs and change notifications. */
  direct: { server: string; system: string }
  /** The prefix of this database's role names. */
  rolePrefix: string
}

/** What the database needs to admit a caller. */
export interface CallerKey {
  accessHash: Buffer
  now: Date
  /** The workspace named in the request. */
  workspaceId?: string | undefined
}

/** A caller the server has looked up before. `known` is what signed_in returned then, as a string. */
export interface KnownCaller extends CallerKey {
  known: string
}

/**
 * A call of a function in db/repeatable/reads.sql. The function's first parameters are the caller's key and
 * the roles that may not call the operation. The query's own values follow.
 */
export interface ReadAtOnce {
  statement: string
  closedTo: readonly string[]
  values: readonly (string | number | null)[]
}

/** The settings a task process needs to open the same database with openDb. */
export interface DbPlace {
  urls: DbUrls
  isNamed: boolean
}

export interface Db {
  place: DbPlace
  /**
   * Runs the work in one transaction that sees only the identity's rows. An error rolls everything back. With
   * isSnapshot, the transaction is read-only and sees the database as of a single point in time. A known
   * caller is checked again in the first statement. If anything about the caller has changed, nothing is done
   * and this throws CallerChanged.
   */
  as<Result>(
    identity: Identity,
    work: (tx: Tx) => Promise<Result>,
    options?: { isSnapshot?: boolean; caller?: KnownCaller },
  ): Promise<Result>
  /** Runs the work in one transaction as the system role, for sign-in and jobs. */
  asSystem<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Runs read-only work. Queries issued in the same step share one round trip. The database rejects all
   * writes and shows only the identity's rows. As in `as`, a known caller is checked again in the first step.
   */
  readAs<Result>(identity: Identity, work: (tx: Tx) => Promise<Result>, caller?: KnownCaller): Promise<Result>
  /**
   * Calls a function in db/repeatable/reads.sql in a single statement, which also admits the caller and is
   * its own transaction. Returns undefined if the caller isn't admitted. To find out why, take the regular
   * path (docs/decisions/0022-reads-in-one-statement.md).
   */
  readAtOnce(read: ReadAtOnce, caller: CallerKey): Promise<string | undefined>
  /** Runs read-only work as the system role, the way readAs does for a caller. */
  readAsSystem<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Calls back after each change in a workspace. Returns a function that unsubscribes.
   * @param listening called once no more changes can be missed, and again after each interruption
   */
  subscribe(workspaceId: WorkspaceId, onChange: () => void, listening?: () => void): () => void
  /**
   * Calls back when one of a user's logins ends or the account is closed. Also calls back when such a
   * notification may have been missed.
   */
  subscribeToLoginEnds(userId: string, onEnd: () => void): () => void
  /** Whether the database currently accepts writes. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

/** Thrown if the database is unavailable. The caller gets a 503 and can try again. */
export class DatabaseAway extends Error {}

/** Thrown if a known caller has changed, so the server has to look the caller up again. */
export class CallerChanged extends Error {}

/**
 * Sends a query without waiting for its result, which arrives with COMMIT. If the query fails, so does the
 * transaction.
 */
export function leaveToCommit(query: Promise<unknown>): void {
  query.catch(() => undefined)
}

/**
 * How many connections single-statement reads share. One server's thread can't keep more than two of PostgreSQL's
 * processes busy with them.
 */
const SHARED = 2

const DATE = 1082
const TIME = 1083
const parsers = new pg.TypeOverrides()
parsers.setTypeParser(DATE, (text) => text)
parsers.setTypeParser(TIME, (text) => text.slice(0, 5))
// Counts and sums are bigint. None of ours exceed 2^53.
parsers.setTypeParser(20, Number)

/**
 * Opens a pool for each role.
 * @param poolSize the maximum number of connections for the server's role; the system and links get half as
 * many each
 * @param isNamed whether to name queries, which a pooler in transaction mode may not support
 */
export function openDb(urls: DbUrls, poolSize = 12, isNamed = true): Db {
  const open = (url: string, max: number) => openQueries(url, max, isNamed)
  const server = open(urls.server, poolSize)
  const system = open(urls.system, Math.ceil(poolSize / 2))
  const link = open(urls.link, Math.ceil(poolSize / 2))
  const listener = openListener(urls.direct.server)
  const settings = (identity: Identity) => settingsOf(identity, urls.rolePrefix)
  const pool = ({ hasOwnLogin }: Identity) => (hasOwnLogin ? link : server)
  return {
    place: { urls, isNamed },
    as: (identity, work, options) => inTransaction(pool(identity), work, settings(identity), options),
    asSystem: (work) => inTransaction(system, work),
    readAtOnce: (read, caller) => atOnce(server, read, caller),
    readAs: (identity, work, caller) => inReads(pool(identity), work, settings(identity), caller),
    readAsSystem: (work) => inReads(system, work),
    subscribe: (workspaceId, onChange, listening) => listener.subscribe(workspaceId, onChange, listening),
    subscribeToLoginEnds: (userId, onEnd) => listener.subscribe(`out:${userId}`, onEnd, onEnd),
    isReady: async () => {
      try {
        return await takesWrites(server.pool)
      } catch {
        return false
      }
    },
    close: async () =>
      void (await Promise.all([server.pool.end(), system.pool.end(), link.pool.end(), listener.close()])),
  }
}

/** A role's connections, and how to build queries for them. */
interface Queries {
  pool: pg.Pool
  /** Sends a statement that is its own transaction. */
  share(query: pg.QueryConfig): Promise<pg.QueryResult>
  ask(text: string, values: unknown[], place?: string): pg.QueryConfig
  /** The queries that set who the transaction runs as. For a known caller, that's derived from the login. */
  become(settings: Settings, caller?: KnownCaller): pg.QueryConfig[]
}

function openQueries(url: string, max: number, isNamed: boolean): Queries {
  const pool = openPool(url, {
    max,
    types: parsers,
    idleTimeoutMillis: 30_000,
    application_name: 'tutorlog',
  })
  return {
    pool,
    share: shareConnections(() => connected(pool), Math.min(SHARED, max)),
    ask: (text, values, place) => (isNamed ? prepared(text, values, place) : { text, values }),
    become: (settings, caller) => {
      const named = (name: string, text: string, values: unknown[]) => [
        { ...(isNamed && { name }), text, values },
      ]
      if (caller)
        return named('admit', 'select admit_again($1, $2, $3, $4)', [
          caller.accessHash,
          caller.now,
          caller.workspaceId ?? null,
          caller.known,
        ])
      if (Object.keys(settings).length === 0) return []
      return named(
        'become',
        'select set_config(name, value, true) from unnest($1::text[], $2::text[]) as setting (name, value)',
        [Object.keys(settings), Object.values(settings)],
      )
    },
  }
}

/** The settings that tell the table policies who a transaction runs as. */
type Settings = Record<string, string>

// The role is set last, because the other settings have to be applied while the server's role is still
// active.
function settingsOf({ role, settings, hasOwnLogin }: Identity, rolePrefix: string): Settings {
  return {
    ...settings,
    search_path: `${role}, public`,
    ...(!hasOwnLogin && { role: `${rolePrefix}${role}` }),
  }
}

// BEGIN and the settings are pipelined with the first queries. Queries the work didn't wait for are sent with
// COMMIT. A transaction with a single step therefore takes two round trips.
async function inTransaction<Result>(
  queries: Queries,
  work: (tx: Tx) => Promise<Result>,
  settings: Settings = {},
  { isSnapshot = false, caller }: { isSnapshot?: boolean; caller?: KnownCaller } = {},
): Promise<Result> {
  return onClient(queries.pool, async (client, discard) => {
    // Once a query fails, all later ones in the transaction fail too, so the first failure is the cause.
    let cause: unknown
    const run = (query: string | pg.QueryConfig) => {
      const answer = inOneWrite(client, () => client.query(query as pg.QueryConfig))
      answer.catch((error: unknown) => (cause ??= error))
      return answer
    }
    const opened = inOneWrite(client, () =>
      Promise.all([
        run(isSnapshot ? 'begin isolation level repeatable read read only' : 'begin'),
        ...queries.become(settings, caller).map(run),
      ]),
    )
    opened.catch(() => undefined)
    try {
      const result = await work(
        handleOn((text, values) => run(queries.ask(text, values, settings.search_path))),
      )
      await unsent()
      const ended = await run('commit')
      // If a query failed and nobody noticed, PostgreSQL responds to COMMIT with ROLLBACK.
      if (ended.command !== 'COMMIT') throw cause ?? new Error('the transaction was rolled back')
      return result
    } catch (refused) {
      // Waits for admission first, because only an admitted caller may see the work's error.
      await opened.catch(() => undefined)
      const error = isFollowing(refused) || isChanged(cause) ? cause : refused
      if (isUnanswered(error)) discard(error)
      else await client.query('rollback').catch(discard)
      if (isChanged(error)) throw new CallerChanged(error.message, { cause: error })
      if (isSnapshot || !isReadOnly(error)) throw error
      // This server no longer accepts writes. Another one does, or will soon.
      discard(error)
      throw new DatabaseAway(error.message, { cause: error })
    }
  })
}

/** Waits until the queries issued in this step have been passed to the connection. */
async function unsent(): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve))
}

const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code

const isReadOnly = (error: unknown): error is Error => hasCode(error, '25006')
/** True if a query failed only because an earlier one had failed. */
const isFollowing = (error: unknown): error is Error => hasCode(error, '25P02')
/** Raised by admit_again (db/repeatable/admission.sql). */
const isChanged = (error: unknown): error is Error => hasCode(error, 'TL001')

/** How often a transaction is tried again. Whoever was in the way is usually done by then. */
const RETRIES = 3

/**
 * Runs a transaction, and again from the start if PostgreSQL gave it up because of another one (a deadlock or
 * a serialization failure). Only for work that does nothing outside the database.
 */
export async function withRetries<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let left = RETRIES; ; left--) {
    try {
      return await transaction()
    } catch (error) {
      if (left === 0 || !(hasCode(error, '40P01') || hasCode(error, '40001'))) throw error
    }
  }
}

/** A query that hasn't been sent yet, with the callbacks for its result. */
interface Waiting {
  query: pg.QueryConfig
  resolve: (answer: pg.QueryResult) => void
  reject: (reason: unknown) => void
}

// Queries issued in one step are sent together in one transaction. Sharing it makes no difference to them:
// under READ COMMITTED, each query has its own snapshot anyway, and a read-only transaction has nothing to
// undo (docs/decisions/0009-reads-in-one-round-trip.md).
async function inReads<Result>(
  queries: Queries,
  work: (tx: Tx) => Promise<Result>,
  settings: Settings = {},
  caller?: KnownCaller,
): Promise<Result> {
  return onClient(queries.pool, async (client, discard) => {
    let waiting: Waiting[] = []
    let admitted: Promise<void> | undefined
    const send = async () => {
      const asked = waiting
      waiting = []
      const opening = queries.become(settings, admitted ? undefined : caller)
      const sent = inOneWrite(client, () => [
        client.query('begin read only'),
        ...opening.map((query) => client.query(query)),
        ...asked.map(({ query }) => client.query(query)),
        client.query('commit'),
      ])
      // Waits for all queries, so that every failure is handled. The first failure causes all the others.
      const answers = await Promise.allSettled(sent)
      await sent.at(-1)?.catch(discard)
      const failed = answers.find((answer) => answer.status === 'rejected')
      const own = answers.slice(-1 - asked.length, -1)
      for (const [nth, { resolve, reject }] of asked.entries()) {
        const answer = own[nth]
        if (failed || answer?.status !== 'fulfilled') reject(failed?.reason)
        else resolve(answer.value)
      }
      if (failed && isChanged(failed.reason)) throw new CallerChanged(failed.reason.message)
    }
    const sendStep = () => {
      const sent = send()
      admitted ??= sent
      sent.catch(() => undefined)
      return sent
    }
    const result = work(
      handleOn(
        (text, values) =>
          new Promise((resolve, reject) => {
            waiting.push({ query: queries.ask(text, values, settings.search_path), resolve, reject })
            if (waiting.length === 1) process.nextTick(() => void sendStep())
          }),
      ),
    )
    if (!caller) return result
    // Only an admitted caller may get the work's result. If the work sent no queries, this is where the
    // caller is admitted.
    await result.catch(() => undefined)
    await (admitted ?? sendStep())
    return result
  })
}

// Without BEGIN and COMMIT, a statement is its own transaction, and its settings end with it, even on a
// pooled connection, and on one that other statements share.
async function atOnce(queries: Queries, { statement, closedTo, values }: ReadAtOnce, caller: CallerKey) {
  const asked = [caller.accessHash, caller.now, caller.workspaceId ?? null, closedTo, ...values]
  try {
    const { rows } = await queries.share(queries.ask(statement, asked))
    const [row] = rows as { answer: string | null }[]
    return row?.answer ?? undefined
  } catch (error) {
    throw asAway(error) ?? error
  }
}

// Sends everything from the current step, including the work's first query, in one socket write. Otherwise
// each message would be a separate system call, and for small queries that's most of the cost.
function inOneWrite<Sent>(client: pg.PoolClient, send: () => Sent): Sent {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return send()
}

function connected(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw asAway(error) ?? new DatabaseAway(String(error))
  })
}

// Borrows a connection from the pool. If it breaks or the work discards it, it's closed instead of returned.
async function onClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, discard: (reason: Error) => void) => Promise<Result>,
): Promise<Result> {
  const client = await connected(pool)
  let broken: Error | undefined
  const discard = (reason: Error) => {
    broken ??= reason
  }
  client.on('error', discard)
  try {
    return await work(client, discard)
  } catch (error) {
    // On a new connection, the statement will be prepared again.
    if (error instanceof Error && isOutdated(error)) discard(error)
    throw asAway(error) ?? error
  } finally {
    client.removeListener('error', discard)
    client.release(broken)
  }
}

function handleOn(run: (text: string, values: unknown[]) => Promise<pg.QueryResult>): Tx {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, rowCount, command } = await run(query.sql, [...query.parameters])
      return {
        rows: rows as Row[],
        numAffectedRows: command === 'SELECT' ? undefined : BigInt(rowCount ?? 0),
      }
    },
    streamQuery() {
      throw new Error('queries are not streamed')
    },
  }
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: async () => {
      throw new Error('a transaction is already open')
    },
    commitTransaction: async () => undefined,
    rollbackTransaction: async () => undefined,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
])

// Class 08 means a lost connection. 53 means out of disk space, memory or connections. 57P01 to 57P03 mean
// that the server is shutting down or starting up. 57014 means that the statement was canceled.
function asAway(error: unknown): DatabaseAway | undefined {
  if (error instanceof DatabaseAway) return error
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const isAway =
    NETWORK.has(code) ||
    /^(08|53|57P0)/.test(code) ||
    code === '57014' ||
    isOutdated(error) ||
    /Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error/i.test(
      error.message,
    )
  return isAway ? new DatabaseAway(error.message, { cause: error }) : undefined
}
