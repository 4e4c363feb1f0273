// What can be wrong with a database: its version, steps, roles, rights and clock.
import { connectTo } from './connection.server.ts'
import { readRoles } from './roles.server.ts'

interface Condition {
  /** PostgreSQL's version, such as 180001. */
  version: number
  bytes: number
  /** The migrations that made its tables. */
  applied: string[]
  /** How far its clock is ahead of ours, in milliseconds. */
  aheadMs: number
  mighty: string[]
  open: string[]
  stray: string[]
  isOpen: boolean
}

/** Reads a database's condition as the owner of its tables. Changes nothing. */
export async function readCondition(ownerUrl: string): Promise<Condition> {
  const client = await connectTo(ownerUrl)
  const column = async (query: string, values: unknown[] = []) =>
    (await client.query<{ value: string }>(query, values)).rows.map(({ value }) => value)
  try {
    const { prefix } = await readRoles(client)
    const asked = Date.now()
    const [now] = await column('select (extract(epoch from clock_timestamp()) * 1000)::text as value')
    const aheadMs = Number(now) - (asked + Date.now()) / 2
    const [version, bytes, isOpen] = [
      ...(await column("select current_setting('server_version_num') as value")),
      ...(await column('select pg_database_size(current_database())::text as value')),
      ...(await column(
        "select has_database_privilege('public', current_database(), 'connect')::text as value",
      )),
    ]
    await client.query('begin read only')
    await client.query(`set local role ${prefix}owner`)
    const applied = await column('select name as value from schema_migrations order by name')
    await client.query('commit')
    const tables = "from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
    return {
      version: Number(version),
      bytes: Number(bytes),
      applied,
      aheadMs,
      isOpen: isOpen === 'true',
      mighty: await column(
        `select rolname as value from pg_roles where rolname like $1
          and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb) order by 1`,
        [`${prefix.replaceAll('_', '\\_')}%`],
      ),
      open: await column(
        `select relname as value ${tables} and not (relrowsecurity and relforcerowsecurity) order by 1`,
      ),
      stray: await column(
        `select relname as value ${tables} and pg_get_userbyid(relowner) <> $1 order by 1`,
        [`${prefix}owner`],
      ),
    }
  } finally {
    await client.end()
  }
}
