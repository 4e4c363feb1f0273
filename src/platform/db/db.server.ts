// The only ways to the database: as a member of a workspace on its side, as the emailed link of a connection, or as the system for signing in and jobs.
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
import { seesAmounts } from '#kernel/amounts.ts'
import type { MemberRole } from '#kernel/endpoint.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { isUnanswered, openPool, takesWrites } from './connection.server.ts'
import { openEar } from './listen.server.ts'
import { isOutdated, prepared } from './prepared.server.ts'
import type { Tables } from './schema.server.ts'

/** A handle on one running transaction; it is the only thing that queries are given. */
export type Tx = Kysely<Tables>

/** Who speaks: an account, in one of its workspaces. Somebody who has none yet reaches only what belongs to the account. */
export interface Speaker {
  accountId: string
  /** With what the account is in it. A caregiver without it reads nothing at all (db/repeatable/admission.sql). */
  workspace?: { id: WorkspaceId; kind: Side; role?: MemberRole }
}

/** The side that a workspace is on; each has a database role of its own. */
export type Side = 'family' | 'practice'

/** The connection of an emailed link, and the side that has no account and speaks by it. */
export interface EmailedLink {
  id: string
  side: Side
}

/** The addresses under which the roles reach the database. */
export interface DbUrls {
  server: string
  system: string
  link: string
  /** Past a pooler: for the jobs, and for hearing what changed. */
  direct: { server: string; system: string }
  /** What the names of this database's roles start with. */
  rolePrefix: string
}

/** What the database admits a caller by. */
export interface CallerKey {
  accessHash: Buffer
  now: Date
  /** The workspace that the request names. */
  workspaceId?: string | undefined
}

/** A caller whom the server has seen before, and what signed_in answered then, as a text. */
export interface KnownCaller extends CallerKey {
  known: string
}

/** The statements of db/repeatable/reads.sql: the caller's key and the closed roles, then what is asked. */
const READS = {
  month_of_sessions: 'select read_month_of_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9) as answer',
  portions_of_month: 'select read_portions_of_month($1, $2, $3, $4, $5, $6) as answer',
}

/** One of these reads and what it is asked. */
export interface ReadAtOnce {
  name: keyof typeof READS
  /** The roles that may not ask. */
  closedTo: readonly MemberRole[]
  values: readonly (string | number | null)[]
}

/** What a thread needs to open the same database with openDb. */
export interface DbPlace {
  urls: DbUrls
  isNamed: boolean
}

export interface Db {
  place: DbPlace
  /**
   * Runs the work in one transaction in which only the rows of the account and of its workspace exist; an error rolls
   * everything back. As a snapshot it only reads, and sees one moment throughout. A known caller is admitted again by the first
   * statement; where that finds anything else than was known, it throws CallerChanged and nothing was done.
   */
  asMember<Result>(
    speaker: Speaker,
    work: (tx: Tx) => Promise<Result>,
    options?: { isSnapshot?: boolean; caller?: KnownCaller },
  ): Promise<Result>
  /** Runs the work in one transaction in which only the connection of an emailed link exists, and only its side's word can be written. */
  asLink<Result>(link: EmailedLink, work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Runs the work in one transaction as the system role, for sign-in and jobs. */
  asSystem<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Runs work that only reads; queries asked in one step take one round trip together. The database refuses every write. Only
   * the rows of the account and of its workspace exist. A known caller is admitted again with the first step, as by asMember.
   */
  readAsMember<Result>(
    speaker: Speaker,
    work: (tx: Tx) => Promise<Result>,
    caller?: KnownCaller,
  ): Promise<Result>
  /**
   * Asks a function of db/repeatable/reads.sql, in one statement that admits the caller itself and is its own transaction.
   * Undefined where it admits nobody: why, only the long way says (docs/decisions/0022).
   */
  readAtOnce(read: ReadAtOnce, caller: CallerKey): Promise<string | undefined>
  /** Runs work of the system role that only reads, as readAsMember does. */
  readAsSystem<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /**
   * Calls back each time something changed in a workspace; the function returned ends it.
   * @param listening called once nothing more is missed, and again after that was interrupted
   */
  hear(workspaceId: WorkspaceId, heard: () => void, listening?: () => void): () => void
  /** Calls back each time a login of a user ended or the account was closed, and whenever that may have been missed. */
  hearOfEnds(userId: string, heard: () => void): () => void
  /** Answers whether the database takes queries now. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

/** The database cannot be had just now; the edge answers 503 and the caller may try again. */
export class DatabaseAway extends Error {}

/** A known caller is no longer what was known: who they are now has to be asked. */
export class CallerChanged extends Error {}

/** Leaves a query to be answered with COMMIT: where it fails, the transaction does. */
export function leaveToCommit(query: Promise<unknown>): void {
  query.catch(() => undefined)
}

const DATE = 1082
const TIME = 1083
const parsers = new pg.TypeOverrides()
parsers.setTypeParser(DATE, (text) => text)
parsers.setTypeParser(TIME, (text) => text.slice(0, 5))
// Counts and sums are bigint; none of ours passes 2^53.
parsers.setTypeParser(20, Number)

/**
 * Opens the pools of the roles.
 * @param poolSize connections for members at the most; half as many for the system, and for emailed links
 * @param isNamed whether queries get names, which a pooler in transaction mode may not follow
 */
export function openDb(urls: DbUrls, poolSize = 12, isNamed = true): Db {
  const open = (url: string, max: number) => openQueries(url, max, isNamed)
  const server = open(urls.server, poolSize)
  const system = open(urls.system, Math.ceil(poolSize / 2))
  const link = open(urls.link, Math.ceil(poolSize / 2))
  const ear = openEar(urls.direct.server)
  const settings = (speaker: Speaker) => settingsOf(speaker, urls.rolePrefix)
  return {
    place: { urls, isNamed },
    asMember: (speaker, work, options) => inTransaction(server, work, settings(speaker), options),
    // A family's emailed page has a role that the server's takes, like that of a member.
    asLink: ({ id, side }, work) =>
      side === 'practice'
        ? inTransaction(link, work, { 'app.link_id': id, search_path: 'link, public' })
        : inTransaction(server, work, {
            'app.link_id': id,
            search_path: 'family_link, public',
            role: `${urls.rolePrefix}family_link`,
          }),
    asSystem: (work) => inTransaction(system, work),
    readAtOnce: (read, caller) => atOnce(server, read, caller),
    readAsMember: (speaker, work, caller) => inReads(server, work, settings(speaker), caller),
    readAsSystem: (work) => inReads(system, work),
    hear: (workspaceId, heard, listening) => ear.hear(workspaceId, heard, listening),
    hearOfEnds: (userId, heard) => ear.hear(`out:${userId}`, heard, heard),
    isReady: async () => {
      try {
        return await takesWrites(server.pool)
      } catch {
        return false
      }
    },
    close: async () =>
      void (await Promise.all([server.pool.end(), system.pool.end(), link.pool.end(), ear.close()])),
  }
}

/** The connections of a role, and how a query is put to them. */
interface Queries {
  pool: pg.Pool
  ask(text: string, values: unknown[], place?: string): pg.QueryConfig
  /** The queries that say who speaks; of a known caller the login itself says it. */
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

/** Who speaks in a transaction, as the policies of the tables ask for it. */
type Settings = Record<string, string>

// The names of a side's own people, words and notes are found in its schema (db/repeatable/sides.sql). The role comes last:
// what goes before it is set as the server's own.
function settingsOf({ accountId, workspace }: Speaker, rolePrefix: string): Settings {
  // The caregivers' role has no grant on an amount, and its schema says null for each.
  const side = seesAmounts(workspace?.role) ? (workspace?.kind ?? 'family') : 'caregiver'
  return {
    'app.account_id': accountId,
    'app.workspace_id': workspace?.id ?? '',
    search_path: `${side}, public`,
    role: `${rolePrefix}${side}`,
  }
}

// BEGIN and who is speaking travel with the first queries (pipelined), and what the work did not wait for travels with COMMIT: so a
// transaction of one step takes two round trips.
async function inTransaction<Result>(
  queries: Queries,
  work: (tx: Tx) => Promise<Result>,
  settings: Settings = {},
  { isSnapshot = false, caller }: { isSnapshot?: boolean; caller?: KnownCaller } = {},
): Promise<Result> {
  return onClient(queries.pool, async (client, discard) => {
    // In a failed transaction every later query fails as well; the first failure is the cause of the others.
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
      // In a transaction that failed unnoticed, PostgreSQL answers COMMIT with ROLLBACK.
      if (ended.command !== 'COMMIT') throw cause ?? new Error('the transaction was rolled back')
      return result
    } catch (refused) {
      // Whatever the work says, it was said to whom the database admitted, or to nobody.
      await opened.catch(() => undefined)
      const error = isFollowing(refused) || isChanged(cause) ? cause : refused
      if (isUnanswered(error)) discard(error)
      else await client.query('rollback').catch(discard)
      if (isChanged(error)) throw new CallerChanged(error.message, { cause: error })
      if (isSnapshot || !isReadOnly(error)) throw error
      // The server takes no writes any more; another one does by now, or soon.
      discard(error)
      throw new DatabaseAway(error.message, { cause: error })
    }
  })
}

/** Waits until queries that were asked for in this step have been handed to the connection. */
async function unsent(): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve))
}

const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code

const isReadOnly = (error: unknown): error is Error => hasCode(error, '25006')
/** Whether a query failed only because one before it did. */
const isFollowing = (error: unknown): error is Error => hasCode(error, '25P02')
/** What admit_again (db/repeatable/admission.sql) raises. */
const isChanged = (error: unknown): error is Error => hasCode(error, 'TL001')

/** A query that waits to be sent, and whoever waits for its answer. */
interface Waiting {
  query: pg.QueryConfig
  resolve: (answer: pg.QueryResult) => void
  reject: (reason: unknown) => void
}

// What is asked in one step travels together with one BEGIN, who speaks and COMMIT. Nothing is given up: under READ COMMITTED every
// query of one transaction sees its own moment too, and a reading transaction has nothing to undo (docs/decisions/0009).
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
      // All are waited for, so that none fails unseen; the first failure is the cause of the others.
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
    // Whatever the work says, it is said to whom the database admitted; it may have asked nothing.
    await result.catch(() => undefined)
    await (admitted ?? sendStep())
    return result
  })
}

// Without BEGIN and COMMIT a statement is a transaction of its own, so that what it sets ends with it, on a pooler's connection too.
async function atOnce(queries: Queries, { name, closedTo, values }: ReadAtOnce, caller: CallerKey) {
  const asked = [caller.accessHash, caller.now, caller.workspaceId ?? null, closedTo, ...values]
  const { rows } = await onClient(queries.pool, (client) =>
    client.query<{ answer: string | null }>(queries.ask(READS[name], asked)),
  )
  return rows[0]?.answer ?? undefined
}

// What is sent until the running step ends, the first query of the work among it, leaves in one write to the socket:
// otherwise each message costs a system call, and those are most of what a small query costs here.
function inOneWrite<Sent>(client: pg.PoolClient, send: () => Sent): Sent {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return send()
}

// Borrows a connection; one that broke, or that the work discards, is closed instead of being given back.
async function onClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, discard: (reason: Error) => void) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asAway(error) ?? new DatabaseAway(String(error))
  })
  let broken: Error | undefined
  const discard = (reason: Error) => {
    broken ??= reason
  }
  client.on('error', discard)
  try {
    return await work(client, discard)
  } catch (error) {
    // A new connection prepares it anew.
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

// Class 08 is a lost connection; 53 no room for it: disk, memory, connections; 57P01 to 57P03 shutting down or starting; 57014 a cancelled statement.
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
