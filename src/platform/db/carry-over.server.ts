// What a restored database takes over from the one that was served until then. Records are the backup's; who may get in, and
// what was done that can't be undone, are today's (docs/decisions/0074-restoring.md).
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { pipeline } from 'node:stream/promises'
import { connectTo } from './connection.server.ts'

/** Whose a table's rows are. Rows of accounts or workspaces that the database served until now doesn't know are left alone. */
type Owner = { column: string; of: 'users' | 'workspaces' | 'connections' } | undefined

const account = (column = 'user_id'): Owner => ({ column, of: 'users' })
const workspace: Owner = { column: 'workspace_id', of: 'workspaces' }

/**
 * The tables whose rows come from the database that was served until now, parents first. Whatever isn't in a backup, or
 * must not become older than it is, belongs here. A row that refers to one that isn't restored is left out.
 */
const CARRIED: Record<string, Owner> = {
  // What people sign in with, and what they were sent to do so. What was revoked or used stays so.
  identities: account(),
  passkeys: account(),
  second_steps: account(),
  known_browsers: account(),
  auth_tokens: account(),
  email_changes: account('owner_id'),
  earlier_addresses: account(),
  not_me_links: account(),
  // Who is a member where, and the secret addresses that were handed out.
  members: workspace,
  member_students: workspace,
  member_invitations: workspace,
  calendar_feeds: workspace,
  link_tokens: { column: 'link_id', of: 'connections' },
  handed_links: workspace,
  class_links: account('account_id'),
  // What may be sent to whom, and what was sent already.
  opt_outs: undefined,
  unsubscribe_tokens: undefined,
  notice_choices: account(),
  announced_terms: undefined,
  terms_notices: account('owner_id'),
  acceptances: account(),
  push_keys: undefined,
  // Backups have no private keys, and pages signed since must stay checkable.
  page_keys: undefined,
  // What others know: the payment provider, and whoever was told a number.
  customers: account('owner_id'),
  subscriptions: account('owner_id'),
  billing_events: undefined,
  first_trials: undefined,
  paper_numbers: workspace,
  // Logs, and limits on guessing.
  security_events: account(),
  admin_reads: account('owner_id'),
  rate_limits: undefined,
  restore_drills: undefined,
}

/** Further tables to compare with. */
const ALSO_READ = ['users', 'workspaces', 'connections', 'user_roles', 'outbox', 'logins']

/** Columns of accounts that come along: what opens them, and whether they're disabled or deleted. */
const OF_ACCOUNTS = [
  'password_hash',
  'sign_up_browser_hash',
  'disabled_at',
  'deletion_asked_at',
  'trial_since',
  'email',
  'email_key',
  'email_confirmed_at',
]

export interface Carry {
  /** The served database until now, and the one that takes its place, as the superuser. */
  from: string
  to: string
  /** The login of the administrator who restores. Everybody else signs in again. */
  loginId: string
  /** True if the other database was served before, so what only it has is no leftover. */
  isGoingBack: boolean
}

/** Takes over which accounts were erased, so that they can be erased again. */
export async function carryErasures({ from, to }: Carry): Promise<void> {
  await between(from, to, async (served, client) => {
    await bring(served, client, 'erasures')
    await client.query('insert into erasures select * from was_erasures on conflict do nothing')
  })
}

/** Takes over everything else, in one transaction. Doing it again changes nothing. */
export async function carryOver({ from, to, loginId, isGoingBack }: Carry): Promise<void> {
  await between(from, to, async (served, client) => {
    for (const table of [...ALSO_READ, ...Object.keys(CARRIED)]) await bring(served, client, table)
    // If a workspace was handed to an account that isn't in the backup, its members stay those of the backup.
    await client.query(
      `delete from was_workspaces w where not exists (select from was_members m join users u on u.id = m.account_id
        where m.workspace_id = w.id and m.role = 'owner')`,
    )
    await client.query('delete from logins')
    // The rows are true already where they come from, so no trigger has to act on them.
    await client.query('set local session_replication_role = replica')
    await carryAccounts(client)
    for (const [table, owner] of Object.entries(CARRIED)) await replace(client, table, owner)
    await deleteOrphans(client)
    await client.query('set local session_replication_role = origin')
    await insertFrom(client, 'logins', `b.id = '${uuid(loginId)}'`)
    await settleMails(client, isGoingBack)
    await raiseCounters(served, client)
  })
}

async function between(
  from: string,
  to: string,
  work: (served: pg.Client, client: pg.Client) => Promise<void>,
): Promise<void> {
  const [served, client] = [await connectTo(from), await connectTo(to)]
  try {
    await client.query('begin')
    await work(served, client)
    await client.query('commit')
  } finally {
    await client.end()
    await served.end()
  }
}

/** Copies a table's rows into a temporary table of the other database. */
async function bring(served: pg.Client, client: pg.Client, table: string): Promise<void> {
  const columns = (await columnsOf(client, table)).join(', ')
  await client.query(
    `create temp table was_${table} on commit drop as select ${columns} from ${table} with no data`,
  )
  const rows = served.query(copyTo(`copy ${table} (${columns}) to stdout`))
  await pipeline(rows, client.query(copyFrom(`copy was_${table} (${columns}) from stdin`)))
  await client.query(`analyze was_${table}`)
}

async function carryAccounts(client: pg.Client): Promise<void> {
  const taken = `select from users o where o.email_key = b.email_key and o.email_confirmed_at is not null
    and not exists (select from was_users w where w.id = o.id)`
  // Two accounts may have changed addresses in turn, and no two confirmed ones may have the same in between.
  await client.query(
    `update users t set email_confirmed_at = null from was_users b where b.id = t.id and b.email_key <> t.email_key`,
  )
  await client.query(
    `update users t set ${OF_ACCOUNTS.map((name) => `${name} = b.${name}`).join(', ')} from was_users b
      where b.id = t.id and not exists (${taken})`,
  )
  await client.query(
    `insert into user_roles (user_id, role, earlier_role) select user_id, role, earlier_role from was_user_roles b
        where b.role = 'admin' and exists (select from users where id = b.user_id)
      on conflict (user_id) do update set role = excluded.role, earlier_role = excluded.earlier_role`,
  )
  await client.query(
    `update user_roles t set role = b.role, earlier_role = null from was_user_roles b
      where b.user_id = t.user_id and t.role = 'admin' and b.role <> 'admin'`,
  )
}

async function replace(client: pg.Client, table: string, owner: Owner): Promise<void> {
  const isKnown = (row: string) => owner && `${row}.${owner.column} in (select id from was_${owner.of})`
  await client.query(`delete from ${table} t where ${isKnown('t') ?? 'true'}`)
  await insertFrom(client, table, owner ? `(b.${owner.column} is null or ${isKnown('b')})` : 'true')
}

async function insertFrom(client: pg.Client, table: string, condition: string): Promise<void> {
  const columns = (await columnsOf(client, table)).join(', ')
  const parents = (await referencesOf(client, 'conrelid', table)).map((one) => parentExists('b', one))
  await client.query(
    `insert into ${table} (${columns}) overriding system value select ${columns} from was_${table} b
      where ${[condition, ...parents].join(' and ')} on conflict do nothing`,
  )
}

/** Rows that belong to one that's gone, such as what a member was asked who isn't one anymore. */
async function deleteOrphans(client: pg.Client): Promise<void> {
  for (const table of Object.keys(CARRIED))
    for (const one of await referencesOf(client, 'confrelid', table))
      if (one.goesAlong) await client.query(`delete from ${one.child} b where not ${parentExists('b', one)}`)
}

interface Reference {
  child: string
  parent: string
  own: string[]
  theirs: string[]
  /** Whether the row is deleted with the one that it refers to. */
  goesAlong: boolean
}

async function referencesOf(
  client: pg.Client,
  end: 'conrelid' | 'confrelid',
  table: string,
): Promise<Reference[]> {
  const names = (of: string, relation: string) =>
    `(select array_agg(a.attname::text order by n) from unnest(${of}) with ordinality k (num, n)
      join pg_attribute a on a.attrelid = ${relation} and a.attnum = num)`
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent, ${names('conkey', 'conrelid')} as own,
      ${names('confkey', 'confrelid')} as theirs, confdeltype = 'c' as "goesAlong"
      from pg_constraint where ${end} = $1::regclass and contype = 'f'`,
    [table],
  )
  return rows
}

/** A condition: whatever a row refers to is there. */
function parentExists(row: string, { parent, own, theirs }: Reference): string {
  const isNone = own.map((name) => `${row}.${name} is null`).join(' or ')
  const isSame = own.map((name, n) => `p.${theirs[n]} = ${row}.${name}`).join(' and ')
  return `(${isNone} or exists (select from ${parent} p where ${isSame}))`
}

/**
 * An email that was sent, or given up because nobody needs it anymore, doesn't go out again. If the administrator goes
 * back, emails that only the other database has were never sent.
 */
async function settleMails(client: pg.Client, isGoingBack: boolean): Promise<void> {
  await client.query(
    `update outbox t set sent_at = b.sent_at, attempts = b.attempts, last_error = b.last_error from was_outbox b
      where b.id = t.id and t.sent_at is null`,
  )
  if (!isGoingBack)
    await client.query(
      'delete from outbox t where sent_at is null and not exists (select from was_outbox b where b.id = t.id)',
    )
  await client.query(
    `select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key like 'mail:%'
      and not exists (select from outbox where 'mail:' || outbox.id = key and sent_at is null)))`,
  )
}

/** No number that was ever given is given again. */
async function raiseCounters(served: pg.Client, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = attrelid
      where attidentity <> '' and relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { table, column } of rows) {
    const last = async (of: pg.Client) =>
      (
        await of.query<{ last: string | null }>(
          'select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)::text as last',
          [table, column],
        )
      ).rows[0]?.last ?? null
    const [given, own] = [await last(served), await last(client)]
    if (given !== null && (own === null || BigInt(given) > BigInt(own)))
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, given])
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0
      and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map((row) => row.name)
}

function uuid(text: string): string {
  if (!/^[0-9a-f-]{36}$/.test(text)) throw new Error('not an id')
  return text
}
