// Databases beside the one that's served, in the embedded cluster: the one that a backup is restored into, and the one
// that it replaced. Which one is served is its name, so switching is renaming, in one transaction.
import type pg from 'pg'
import { connectTo } from './connection.server.ts'

/** The served database, one that's being filled, the one that was served before, and one that's on its way out. */
const NAMES = {
  served: 'postgres',
  beside: 'database_beside',
  former: 'database_former',
  gone: 'database_gone',
} as const
/** A database that holds nothing, to connect to while the others are renamed. */
const EMPTY = 'template1'

/** How many days the former database is kept to go back to. */
const FORMER_DAYS = 7

/** What is written on the former database. */
interface FormerNote {
  /** When another one took its place. */
  since: string
  /** The backup that took its place; null if the administrator went back. */
  backup: string | null
}

interface Former extends FormerNote {
  bytes: number
  /** When it's deleted by itself. */
  until: string
}

export function urlOf(superuserUrl: string, which: 'served' | 'beside' | 'former'): string {
  const url = new URL(superuserUrl)
  url.pathname = `/${NAMES[which]}`
  return url.href
}

/** Makes an empty database beside the served one. Deletes what another try left. */
export async function makeBeside(superuserUrl: string): Promise<string> {
  await inEmpty(superuserUrl, async (client) => {
    await drop(client, NAMES.beside)
    await client.query(`create database ${NAMES.beside} template template0`)
  })
  return urlOf(superuserUrl, 'beside')
}

/** Lets the database beside, or the former one, take the place of the served one, which then is the former one. */
export async function takePlace(
  superuserUrl: string,
  which: 'beside' | 'former',
  note: FormerNote,
): Promise<void> {
  await inEmpty(superuserUrl, async (client) => {
    const all = Object.values(NAMES)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = any($1) and pid <> pg_backend_pid()',
      [all],
    )
    await drop(client, NAMES.gone)
    const { rows } = await client.query('select from pg_database where datname = $1', [NAMES.former])
    // From here on, either all of it happens or nothing.
    await client.query('begin')
    if (which === 'former') await rename(client, NAMES.former, NAMES.beside)
    else if (rows.length > 0) await rename(client, NAMES.former, NAMES.gone)
    await rename(client, NAMES.served, NAMES.former)
    await rename(client, NAMES.beside, NAMES.served)
    await client.query(`comment on database ${NAMES.former} is ${client.escapeLiteral(JSON.stringify(note))}`)
    await client.query(`comment on database ${NAMES.served} is null`)
    await client.query('commit')
  })
}

/** The database that was served before, if there is one. */
export async function readFormer(superuserUrl: string): Promise<Former | undefined> {
  return inEmpty(superuserUrl, async (client) => {
    const { rows } = await client.query<{ note: string | null; bytes: string }>(
      `select shobj_description(oid, 'pg_database') as note, pg_database_size(oid) as bytes from pg_database where datname = $1`,
      [NAMES.former],
    )
    const [found] = rows
    if (!found?.note) return undefined
    const note = JSON.parse(found.note) as FormerNote
    const until = new Date(Date.parse(note.since) + FORMER_DAYS * 86_400_000).toISOString()
    return { ...note, until, bytes: Number(found.bytes) }
  })
}

/** The size of the served database in bytes. */
export async function servedBytes(superuserUrl: string): Promise<number> {
  return inEmpty(superuserUrl, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size($1::text) as bytes', [
      NAMES.served,
    ])
    return Number(rows[0]?.bytes)
  })
}

/** Whether a database has this account. */
export async function hasAccount(url: string, id: string): Promise<boolean> {
  const client = await connectTo(url)
  try {
    return (await client.query('select from users where id = $1', [id])).rows.length > 0
  } finally {
    await client.end()
  }
}

export async function dropFormer(superuserUrl: string): Promise<void> {
  await inEmpty(superuserUrl, async (client) => {
    await drop(client, NAMES.former)
    await dropRolesOfNone(client)
  })
}

/** Deletes what an interrupted restore left, and the former database once its days are over. */
export async function clearUp(superuserUrl: string, now: Date): Promise<void> {
  await inEmpty(superuserUrl, async (client) => {
    await drop(client, NAMES.beside)
    await drop(client, NAMES.gone)
    await dropRolesOfNone(client)
  })
  await dropOverdue(superuserUrl, now)
}

/** Deletes the former database once its days are over. */
export async function dropOverdue(superuserUrl: string, now: Date): Promise<void> {
  const former = await readFormer(superuserUrl)
  if (former && Date.parse(former.until) <= now.getTime()) await dropFormer(superuserUrl)
}

async function inEmpty<Result>(
  superuserUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const url = new URL(superuserUrl)
  url.pathname = `/${EMPTY}`
  const client = await connectTo(url.href)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function rename(client: pg.Client, from: string, to: string): Promise<unknown> {
  return client.query(`alter database ${from} rename to ${to}`)
}

async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`)
}

// Each database has roles of its own, named after its OID (docs/decisions/0019-roles-of-one-database.md).
async function dropRolesOfNone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string }>(
    `select rolname as role from pg_roles where rolname ~ '^tutorlog_\\d+_'
      and not exists (select from pg_database where oid = substring(rolname from '^tutorlog_(\\d+)_')::oid)`,
  )
  // A role that a copy of the database still uses stays.
  for (const { role } of rows)
    await client.query(`drop role ${client.escapeIdentifier(role)}`).catch(() => undefined)
}
