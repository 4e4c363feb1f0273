// Backup and restore for the embedded database, which doesn't include pg_dump. Copies all tables from one
// snapshot (COPY) into one compressed file, which may be encrypted. The first line names the schema, and the last
// line has the totals and the checksum.
import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { connectTo } from './connection.server.ts'
import { isSealed, NotOpened, opened, sealedTo } from './sealed.server.ts'
import { isBeforeBaseline, loadBeforeBaseline } from './upgrade.server.ts'

const FORMAT = 'tutorlog-backup-1'
const NEWLINE = 10
const END_OF_DATA = '\\.'
/** A table that only backups from before the baseline have. Nothing reads it anymore. */
const GONE = 'migration_differences'

interface Header {
  format: string
  created_at: string
  /** The migrations that created the tables. */
  migrations: string[]
}

/** The line before a table's rows. */
interface TableLine {
  table: string
  columns: string[]
  /**
   * The last value of each identity column's sequence. Saved because numbers are never reused, even after
   * rows are deleted.
   */
  counted?: Record<string, string>
}

interface Footer {
  tables: number
  rows: number
  /** Of everything before this line, unencrypted and uncompressed. */
  sha256: string
}

/** What was written: the content's totals, and the file as it is on the disk. */
export interface Written {
  tables: number
  rows: number
  /** The last migration of the tables. */
  schema: string
  bytes: number
  fileSha256: string
  migrations: string[]
  contents: Contents
}

/** What each table holds: the sum of its rows' hashes, and its counters. */
type Contents = Record<string, { rows: number; sum: string; counted: Record<string, string> }>

/** For whoever compares a backup with what it was made of. */
export interface Beside {
  /** Called in the backup's snapshot. */
  inSnapshot?: (client: pg.Client) => Promise<void>
  /** Where the compressed content goes as well, before it's encrypted. */
  plainFile?: string
}

/**
 * Writes a snapshot of all tables while the server keeps running (promise F15). The file doesn't appear until
 * it's complete.
 * @param recipients the public keys to encrypt it to; without any, it isn't encrypted
 */
export async function writeBackup(
  ownerUrl: string,
  file: string,
  now: Date,
  recipients: readonly string[] = [],
  { inSnapshot, plainFile }: Beside = {},
): Promise<Written> {
  const client = await connect(ownerUrl)
  const unfinished = `${file}.unfinished`
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    await client.query('begin isolation level repeatable read read only')
    await inSnapshot?.(client)
    const content = backupLines(client, now)
    const [source, target] = [Readable.from(content.bytes), createWriteStream(unfinished, { mode: 0o600 })]
    if (recipients.length > 0)
      await pipeline(source, createGzip(), alsoTo(plainFile), sealedTo(recipients), counted, target)
    else await pipeline(source, createGzip(), alsoTo(plainFile), counted, target)
    await flush(unfinished)
    await rename(unfinished, file)
    await flush(dirname(file))
    return { ...content.totals(), bytes, fileSha256: hash.digest('hex') }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

/**
 * A step of a pipeline that writes what passes to a file, too. If that can't be written, it's removed, and the content
 * passes all the same.
 */
function alsoTo(file: string | undefined) {
  return async function* (content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let copy = file === undefined ? undefined : await open(file, 'w', 0o600).catch(() => undefined)
    const giveUp = async () => {
      await copy?.close()
      copy = undefined
      await rm(file ?? '', { force: true })
    }
    for await (const chunk of content) {
      await copy?.writeFile(chunk).catch(giveUp)
      yield chunk
    }
    await copy?.close()
  }
}

/** What the tables of a database hold, as a backup would have it. */
export async function readContents(ownerUrl: string): Promise<Contents> {
  const client = await connect(ownerUrl)
  try {
    await client.query('begin isolation level repeatable read read only')
    const content = backupLines(client, new Date())
    // Reading is all that's needed.
    while (!(await content.bytes.next()).done);
    return content.totals().contents
  } finally {
    await client.end()
  }
}

/** The sum of rows' hashes, in whatever order: a table that's restored may keep its rows in another one. */
class SumOfRows {
  readonly #sum = new Uint32Array(8)
  #rest: Buffer = Buffer.alloc(0)

  add(chunk: Buffer): void {
    const text = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let start = 0
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, start)) {
      const digest = hash('sha256', text.subarray(start, end), 'buffer')
      for (let at = 0; at < 8; at++) this.#sum[at] = (this.#sum[at] ?? 0) + digest.readUInt32LE(at * 4)
      start = end + 1
    }
    this.#rest = text.subarray(start)
  }

  text(): string {
    return Buffer.from(this.#sum.buffer).toString('hex')
  }
}

type Totals = Omit<Written, 'bytes' | 'fileSha256'>

function backupLines(client: pg.Client, now: Date): { bytes: AsyncGenerator<Buffer>; totals: () => Totals } {
  const all = createHash('sha256')
  const contents: Contents = {}
  let migrations: string[] = []
  let [tables, rows] = [0, 0]

  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const part of parts()) {
      all.update(part)
      yield part
    }
    yield line({ tables, rows, sha256: all.digest('hex') } satisfies Footer)
  }

  async function* parts(): AsyncGenerator<Buffer> {
    const { rows: steps } = await client.query<{ name: string }>(
      'select name from schema_migrations order by name',
    )
    migrations = steps.map((row) => row.name)
    yield line({ format: FORMAT, created_at: now.toISOString(), migrations } satisfies Header)
    for (const table of await tablesInOrder(client)) {
      const columns = await columnsOf(client, table)
      const counted = await countedOf(client, table)
      yield line({ table, columns, counted } satisfies TableLine)
      const copy = client.query(
        copyTo(
          `copy (select ${valuesIn(client, table, columns)} from ${client.escapeIdentifier(table)}) to stdout`,
        ),
      )
      const sum = new SumOfRows()
      for await (const chunk of copy) {
        sum.add(chunk as Buffer)
        yield chunk as Buffer
      }
      contents[table] = { rows: copy.rowCount, sum: sum.text(), counted }
      tables += 1
      rows += copy.rowCount
      yield Buffer.from(`${END_OF_DATA}\n`)
    }
  }

  return {
    bytes: bytes(),
    totals: () => ({ tables, rows, schema: migrations.at(-1) ?? '', migrations, contents }),
  }
}

/**
 * Reads a backup file to the end and returns its header and footer. Throws a one-line Error if the file is
 * damaged or isn't a backup.
 * @param keys the private keys that may open it, if it's encrypted
 */
export async function readBackup(file: string, keys: readonly string[] = []): Promise<Header & Footer> {
  const hash = createHash('sha256')
  let first: Buffer | undefined
  // The checksum doesn't cover the last line, so this hashes each line only after reading the next.
  let held: Buffer | undefined
  try {
    for await (const one of linesOf(file, keys)) {
      first ??= one
      if (held) hash.update(held).update('\n')
      held = one
    }
  } catch (error) {
    if (error instanceof NotOpened) throw error
    const reason = error instanceof Error ? error.message : error
    throw new Error(`${file} is damaged or isn't a backup: ${reason}`, { cause: error })
  }
  const header = parse<Header>(first)
  const footer = parse<Footer>(held)
  if (header?.format !== FORMAT || !footer?.sha256)
    throw new Error(`${file} isn't a Tutorlog backup, or it was cut short.`)
  if (footer.sha256 !== hash.digest('hex'))
    throw new Error(`${file} is damaged: its content does not match its checksum.`)
  return { ...header, ...footer }
}

/**
 * Fills a database's empty tables from a backup that readBackup has checked, and returns their names. If anything
 * fails, nothing is loaded.
 * @param onRow called for each row
 */
export async function loadBackup(
  ownerUrl: string,
  file: string,
  keys: readonly string[] = [],
  onRow?: () => void,
): Promise<string[]> {
  const client = await connect(ownerUrl)
  try {
    await client.query('begin')
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from users')
    if (rows[0]?.count !== 0)
      throw new Error(
        'This database already has accounts. Restore into an empty one: set DATA_DIR to a new folder.',
      )
    const { migrations } = await readBackup(file, keys)
    const lines = () => linesOf(file, keys)
    const { rows: renamed } = await client.query("select where to_regclass('public.history') is not null")
    let loaded: string[] = []
    if (isBeforeBaseline(migrations) && renamed.length > 0)
      await loadBeforeBaseline(client, async (named) => {
        loaded = await loadTables(client, lines(), named, onRow)
      })
    else loaded = await loadTables(client, lines(), undefined, onRow)
    // Triggers were off during loading, so the unsent emails haven't been queued yet.
    await client.query(
      `select graphile_worker.add_job('send_mail', json_build_object('id', id), max_attempts := 25,
          job_key := 'mail:' || id) from outbox where sent_at is null`,
    )
    await client.query('commit')
    return loaded
  } finally {
    await client.end()
  }
}

/** @param named the tables' names today for those in the backup */
async function loadTables(
  client: pg.Client,
  lines: AsyncIterable<Buffer>,
  named = (table: string, columns: string[]) => ({ table, columns }),
  onRow?: () => void,
): Promise<string[]> {
  const loaded: string[] = []
  let copy: ReturnType<typeof copyFrom> | undefined
  let table = ''
  let counted: Record<string, string> = {}
  let isFirst = true
  for await (const one of lines) {
    if (isFirst) {
      isFirst = false
    } else if (copy && one.equals(Buffer.from(END_OF_DATA))) {
      const ended = new Promise((resolve, reject) =>
        copy?.once('finish', () => resolve(undefined)).once('error', reject),
      )
      copy.end()
      await ended
      copy = undefined
      await client.query(`alter table ${table} enable trigger user`)
      for (const [column, last] of Object.entries(counted))
        await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last])
    } else if (copy) {
      onRow?.()
      if (!copy.write(Buffer.concat([one, Buffer.of(NEWLINE)]))) await once(copy, 'drain')
    } else {
      const next = parse<Partial<TableLine>>(one)
      if (!next?.table || !next.columns || next.table === GONE) continue
      counted = next.counted ?? {}
      const names = named(next.table, next.columns)
      loaded.push(names.table)
      table = client.escapeIdentifier(names.table)
      await client.query(`alter table ${table} disable trigger user`)
      // Migrations insert some rows, and the backup contains those rows too.
      await client.query(`delete from ${table}`)
      copy = client.query(copyFrom(`copy ${columnsIn(client, names.table, names.columns)} from stdin`))
      copy.on('error', () => undefined)
    }
  }
  return loaded
}

/**
 * The rows of some tables in a backup, with some of their columns as text; null where there's none. For columns
 * whose text never has to be escaped.
 */
export async function* rowsInBackup(
  file: string,
  keys: readonly string[],
  wanted: Readonly<Record<string, readonly string[]>>,
): AsyncGenerator<{ table: string; values: (string | null)[] }> {
  let table: string | undefined
  let places: number[] = []
  for await (const one of linesOf(file, keys)) {
    if (table !== undefined && one.equals(Buffer.from(END_OF_DATA))) table = undefined
    else if (table === undefined) {
      const next = parse<Partial<TableLine>>(one)
      if (!next?.table || !next.columns) continue
      table = next.table
      places = (wanted[table] ?? []).map((name) => next.columns?.indexOf(name) ?? -1)
    } else if (places.length > 0) {
      const cells = one.toString().split('\t')
      yield { table, values: places.map((place) => (cells[place] === '\\N' ? null : (cells[place] ?? null))) }
    }
  }
}

async function* linesOf(file: string, keys: readonly string[]): AsyncGenerator<Buffer> {
  const source: Readable = (await isSealed(file)) ? Readable.from(opened(file, keys)) : createReadStream(file)
  const text = createGunzip()
  source.on('error', (error) => text.destroy(error))
  let rest: Buffer[] = []
  for await (const chunk of source.pipe(text) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)])
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) throw new Error('the last line is not complete')
}

// Sorts the tables so that each comes after the ones it references.
async function tablesInOrder(client: pg.Client): Promise<string[]> {
  const { rows: all } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'
      and tablename not in ('schema_migrations', 'schema_repeatable', 'schema_secret') order by 1`,
  )
  const { rows: references } = await client.query<{
    child: string
    parent: string
  }>(`select child.relname as child, parent.relname as parent from pg_constraint
    join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid where contype = 'f' and conrelid <> confrelid`)
  const ordered: string[] = []
  for (let waiting = all.map((row) => row.name); waiting.length > 0;) {
    const ready = waiting.filter((name) =>
      references.every(
        ({ child, parent }) => child !== name || ordered.includes(parent) || !waiting.includes(parent),
      ),
    )
    if (ready.length === 0)
      throw new Error(`these tables refer to each other in a circle: ${waiting.join(', ')}`)
    ordered.push(...ready)
    waiting = waiting.filter((name) => !ready.includes(name))
  }
  return ordered
}

/** What is never in a backup, so that nobody who has one can sign pages. Restored rows have null there. */
const LEFT_OUT = new Set(['page_keys.private_key'])

function valuesIn(client: pg.Client, table: string, columns: string[]): string {
  const value = (name: string) => (LEFT_OUT.has(`${table}.${name}`) ? 'null' : client.escapeIdentifier(name))
  return columns.map(value).join(', ')
}

function columnsIn(client: pg.Client, table: string, columns: string[]): string {
  return `${client.escapeIdentifier(table)} (${columns.map((name) => client.escapeIdentifier(name)).join(', ')})`
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1
      and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows.map((row) => row.name)
}

// Sequences aren't part of the snapshot. The saved value may be higher than the last row's number, but never
// lower.
async function countedOf(client: pg.Client, table: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select a.attname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident($1), a.attname)::regclass)::text as last
      from pg_attribute a where a.attrelid = quote_ident($1)::regclass and a.attidentity <> ''`,
    [table],
  )
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])))
}

async function connect(ownerUrl: string): Promise<pg.Client> {
  const client = await connectTo(ownerUrl)
  const { rows } = await client.query<{ sees_all: boolean }>(
    'select rolsuper or rolbypassrls as sees_all from pg_roles where rolname = current_user',
  )
  if (rows[0]?.sees_all) return client
  await client.end()
  throw new Error(
    "The role in DATABASE_URL can't see any rows. Use PostgreSQL's own backup tools, or a role with BYPASSRLS.",
  )
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

function parse<Shape>(bytes: Buffer | undefined): Shape | undefined {
  try {
    return JSON.parse(bytes?.toString() ?? '') as Shape
  } catch {
    return undefined
  }
}
