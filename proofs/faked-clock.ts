// A server and a database whose clocks stand wherever a program sets them.
import pg from 'pg'

/** The moment that was set, and the real one at which it was. From then on, the clock runs. */
interface FakedClock {
  now(): Date
  set(moment: Date): Promise<void>
  close(): Promise<void>
}

/**
 * Makes a database's own clock a faked one. Its functions now() and clock_timestamp() are replaced, so columns that are
 * filled in by default, and triggers, follow it too.
 */
export async function fakeClock(superuserUrl: string, start: Date): Promise<FakedClock> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(FAKED)
  let [at, realAt] = [start.getTime(), Date.now()]
  const set = async (moment: Date) => {
    await client.query('update faked.clock set at = $1, real_at = statement_timestamp()', [moment])
    ;[at, realAt] = [moment.getTime(), Date.now()]
  }
  await set(start)
  return { now: () => new Date(at + Date.now() - realAt), set, close: () => client.end() }
}

// PostgreSQL runs its own functions without looking at their definitions, except for those in SQL, which it expands when it plans
// a statement. So the replacements are in SQL, and call a function that reads the clock.
const FAKED = `
set allow_system_table_mods = on;
create schema if not exists faked;
create table if not exists faked.clock (at timestamptz not null, real_at timestamptz not null);
insert into faked.clock select statement_timestamp(), statement_timestamp() where not exists (select from faked.clock);
create or replace function pg_catalog.faked_now() returns timestamptz language plpgsql stable security definer as
  $$ begin return (select at + (statement_timestamp() - real_at) from faked.clock); end $$;
create or replace function pg_catalog.now() returns timestamptz language sql stable as 'select pg_catalog.faked_now()';
create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile as 'select pg_catalog.faked_now()';
`
