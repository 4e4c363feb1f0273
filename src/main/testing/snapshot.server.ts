// Keeps a copy of a test database's rows, so that a test can start from them many times.
import type pg from 'pg'

/** A copy of all rows, except those of the job queue and of migrations. */
export interface Snapshot {
  restore(): Promise<void>
}

/** Copies the rows of all tables into a separate schema, replacing the previous copy. */
export async function takeSnapshot(superuser: pg.Client): Promise<Snapshot> {
  const { rows } = await superuser.query<{ name: string; columns: string }>(
    `select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ') as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attgenerated = '' and c.relname not like 'schema\\_%'
      group by c.relname`,
  )
  const copies = rows.map(
    ({ name, columns }) => `create table copy.${name} as select ${columns} from ${name}`,
  )
  await superuser.query(['drop schema if exists copy cascade', 'create schema copy', ...copies].join(';'))
  const restores = rows.map(
    ({ name, columns }) =>
      `delete from ${name};
       insert into ${name} (${columns}) overriding system value select ${columns} from copy.${name}`,
  )
  // In replica mode, PostgreSQL runs no triggers and checks no foreign keys, so the order doesn't matter.
  const all = ['begin', 'set local session_replication_role = replica', ...restores, 'commit'].join(';')
  return { restore: async () => void (await superuser.query(all)) }
}
