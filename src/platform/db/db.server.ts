// The only ways to the database: as one user, or as the system for signing in and jobs.
import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type QueryResult } from 'kysely'
import pg from 'pg'
import type { Tables } from './schema.server.ts'

/** A handle on one running transaction; it is the only thing that queries are given. */
export type Tx = Kysely<Tables>

export interface Db {
  /** Runs the work in one transaction in which only this user's rows exist; an error rolls everything back. */
  withUser<Result>(userId: string, work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Runs the work in one transaction as the system role, for sign-in and jobs. */
  asSystem<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Answers whether the database takes queries now. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

/** The database cannot be had just now; the edge answers 503 and the caller may try again. */
export class DatabaseAway extends Error {}

const DATE = 1082
const TIME = 1083
const parsers = new pg.TypeOverrides()
parsers.setTypeParser(DATE, (text) => text)
parsers.setTypeParser(TIME, (text) => text.slice(0, 5))
// Counts and sums are bigint; none of ours passes 2^53.
parsers.setTypeParser(20, Number)

/**
 * Opens the pools of the two roles.
 * @param poolSize connections of each role at the most
 */
export function openDb(urls: { app: string; system: string }, poolSize = 12): Db {
  const app = openPool(urls.app, poolSize)
  const system = openPool(urls.system, Math.ceil(poolSize / 2))
  return {
    withUser: (userId, work) => inTransaction(app, work, userId),
    asSystem: (work) => inTransaction(system, work),
    isReady: async () => {
      try {
        await app.query('select 1')
        return true
      } catch {
        return false
      }
    },
    close: async () => void (await Promise.all([app.end(), system.end()])),
  }
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString, max, pipeline: true, types: parsers, connectionTimeoutMillis: 4000, idleTimeoutMillis: 30_000,
    query_timeout: 15_000, application_name: 'tutorlog', keepAlive: true,
  } as pg.PoolConfig)
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

// BEGIN and the user's name travel with the first query (pipelined), so a transaction of one query takes two round trips.
async function inTransaction<Result>(pool: pg.Pool, work: (tx: Tx) => Promise<Result>, userId?: string): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asAway(error) ?? new DatabaseAway(String(error))
  })
  let broken: Error | undefined
  const onError = (error: Error) => { broken = error }
  client.on('error', onError)
  try {
    const opening = [client.query('begin')]
    if (userId !== undefined) opening.push(client.query({ name: 'become', text: "select set_config('app.user_id', $1, true)", values: [userId] }))
    const opened = Promise.all(opening)
    opened.catch(() => undefined)
    const result = await work(handleOn(client))
    await opened
    const ended = await client.query('commit')
    // In a transaction that failed unnoticed, PostgreSQL answers COMMIT with ROLLBACK.
    if (ended.command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => { broken ??= failure })
    throw asAway(error) ?? error
  } finally {
    client.removeListener('error', onError)
    client.release(broken)
  }
}

function handleOn(client: pg.PoolClient): Tx {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, rowCount, command } = await client.query(query.sql, [...query.parameters])
      return { rows: rows as Row[], numAffectedRows: command === 'SELECT' ? undefined : BigInt(rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('queries are not streamed')
    },
  }
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: async () => { throw new Error('a transaction is already open') },
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

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOENT'])

// Class 08 is a lost connection; 53 no room for it: disk, memory, connections; 57P01 to 57P03 shutting down or starting; 57014 a cancelled statement.
function asAway(error: unknown): DatabaseAway | undefined {
  if (error instanceof DatabaseAway) return error
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const isAway = NETWORK.has(code) || /^(08|53|57P0)/.test(code) || code === '57014' ||
    /Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error/i.test(error.message)
  return isAway ? new DatabaseAway(error.message, { cause: error }) : undefined
}
