// The database roles. A cluster's databases share all roles, so each database gets its own set. That way, two
// installations on one cluster can't see or interfere with each other
// (docs/decisions/0019-roles-of-one-database.md).
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { asRole, connectTo } from './connection.server.ts'

/** The role prefix used in the files in db/. */
const IN_FILES = 'tutorlog_'
/**
 * The login roles. The server's role has no privileges of its own; in each transaction, it switches to a
 * side's role.
 */
const LOGINS = ['server', 'system', 'link'] as const
/**
 * In order: the tables' owner, privileges shared by all members, the two sides, a family's caregivers, and a
 * family's emailed page.
 */
const GROUPS = ['owner', 'app', 'family', 'practice', 'caregiver', 'family_link'] as const
const ALL = [...GROUPS, ...LOGINS]
/** RFC 7677, section 4. The passwords are as long as a key, so more iterations wouldn't make them any safer. */
const SCRAM_ROUNDS = 4096
/** PostgreSQL's error code for a wrong password. */
const WRONG_PASSWORD = '28P01'

type Login = (typeof LOGINS)[number]

/** The roles of one database. */
export interface Roles {
  /** The role name prefix. */
  prefix: string
  /**
   * The secret that the passwords are derived from. It's stored in the database, where only the owner role
   * can read it.
   */
  secret: string
}

/** Replaces the role names in SQL from db/ with this database's role names. */
export function withRoles(prefix: string, text: string): string {
  return text.replaceAll(IN_FILES, prefix)
}

/** The URL of the same database for one of its login roles. */
export function loginUrl(url: string, roles: Roles, login: Login): string {
  return asRole(url, `${roles.prefix}${login}`, passwordOf(roles, login))
}

function passwordOf({ secret }: Roles, login: Login): string {
  return createHmac('sha256', secret).update(login).digest('hex')
}

/** The roles of an already migrated database. */
export async function readRoles(client: pg.Client): Promise<Roles> {
  const prefix = (await prefixInUse(client)) ?? (await ownPrefix(client))
  return { prefix, secret: await readSecret(client, prefix) }
}

/**
 * Creates this database's roles, replaces those of the database that it's a copy of, and keeps everyone else
 * from connecting. The connection's role must own the database and be allowed to create
 * roles. Throws a one-line Error if another database uses roles with these names.
 * @param check called with a connection for each login role
 */
export async function prepareRoles(
  client: pg.Client,
  url: string,
  check: (client: pg.Client) => Promise<void>,
): Promise<Roles> {
  const prefix = await ownPrefix(client)
  const before = await prefixInUse(client)
  let fresh: string[] = []
  if (before === prefix) fresh = await createRoles(client, prefix)
  else {
    await refuseForeignRoles(client, prefix)
    if (before !== undefined && (await mayRename(client, before, prefix))) {
      await inTransaction(client, () => renameRoles(client, before, prefix))
      await createRoles(client, prefix)
      fresh = LOGINS.map((login) => `${prefix}${login}`)
    } else {
      fresh = await createRoles(client, prefix)
      if (before !== undefined) await inTransaction(client, () => copyRights(client, before, prefix))
    }
  }
  const roles = { prefix, secret: await keepSecret(client, prefix) }
  for (const login of LOGINS) {
    const own = await signIn(client, url, roles, login, !fresh.includes(prefix + login))
    await check(own).finally(() => own.end())
  }
  return roles
}

/**
 * Runs work as the owner of the tables in one transaction, so that none of its settings remain on a pooler's
 * connection.
 */
export async function asOwner<Result>(
  client: pg.Client,
  prefix: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTransaction(client, async () => {
    await client.query(`set local role ${prefix}owner`)
    return work()
  })
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

// A database's OID is unique in its cluster and doesn't change if the database is renamed.
async function ownPrefix(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ oid: string }>(
    'select oid::text from pg_database where datname = current_database()',
  )
  return `${IN_FILES}${rows[0]?.oid}_`
}

/** The prefix of the roles that own this database's tables. Undefined if there aren't any tables yet. */
async function prefixInUse(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    "select pg_get_userbyid(relowner) as owner from pg_class where oid = to_regclass('public.schema_migrations')",
  )
  return /^(tutorlog_\d+_)owner$/.exec(rows[0]?.owner ?? '')?.[1]
}

interface Foreign {
  role: string
  /** Another database where the role owns something or has privileges. Null if there isn't one. */
  database: string | null
  isMighty: boolean
}

async function rolesOf(client: pg.Client, prefix: string): Promise<Foreign[]> {
  const { rows } = await client.query<Foreign>(
    `select rolname as role, rolsuper or rolbypassrls or rolcreaterole as "isMighty",
      (select min(datname) from pg_shdepend s join pg_database d on d.oid = s.dbid or (s.dbid = 0 and s.classid = 'pg_database'::regclass and d.oid = s.objid)
        where s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid and datname <> current_database()) as database
      from pg_roles r where rolname = any($1)`,
    [ALL.map((name) => prefix + name)],
  )
  return rows
}

async function refuseForeignRoles(client: pg.Client, prefix: string): Promise<void> {
  for (const { role, database, isMighty } of await rolesOf(client, prefix)) {
    if (database !== null)
      throw new Error(
        `The role ${role} is already used by database "${database}" in the same cluster, so this one can't use it. Use another database, or rename that role.`,
      )
    if (isMighty)
      throw new Error(
        `The role ${role} already exists and has more rights than Tutorlog allows. Rename that role, or use another database.`,
      )
  }
}

/** True if no other database uses this one's old roles and the new names are free. */
async function mayRename(client: pg.Client, before: string, prefix: string): Promise<boolean> {
  const [old, own] = [await rolesOf(client, before), await rolesOf(client, prefix)]
  return own.length === 0 && old.every(({ database }) => database === null)
}

async function renameRoles(client: pg.Client, before: string, prefix: string): Promise<void> {
  for (const { role } of await rolesOf(client, before))
    await client.query(`alter role ${role} rename to ${prefix}${role.slice(before.length)}`)
}

/** Transfers privileges and ownership in this database from another database's roles to its own. */
async function copyRights(client: pg.Client, before: string, prefix: string): Promise<void> {
  const olds = (await rolesOf(client, before)).map(({ role }) => role)
  const news = olds.map((role) => prefix + role.slice(before.length))
  // Reassigning ownership requires membership in both roles.
  await client.query(`grant ${before}owner, ${before}system, ${prefix}system to current_user`)
  // Schemas go first, because the new owner must be allowed to create the objects in them.
  for (const statement of await statementsOf(client, SCHEMAS, olds, news)) await client.query(statement)
  await client.query(
    `reassign owned by ${before}owner to ${prefix}owner; reassign owned by ${before}system to ${prefix}system`,
  )
  for (const statement of await statementsOf(client, RIGHTS, olds, news)) await client.query(statement)
  await client.query(
    `revoke all on database ${client.escapeIdentifier(client.database ?? '')} from ${olds.join(', ')}`,
  )
  await client.query(`revoke ${before}owner, ${before}system, ${prefix}system from current_user`)
}

const SCHEMAS = `select format('alter schema %I owner to %I', nspname, new) as statement
  from unnest($1::text[], $2::text[]) as pair (old, new) join pg_namespace on pg_get_userbyid(nspowner) = old`

// Builds the statements that transfer this database's privileges from the old roles to the new ones and
// update the policies that name the old roles.
const RIGHTS = `with renamed as (select r.oid, old, new from unnest($1::text[], $2::text[]) as pair (old, new) join pg_roles r on r.rolname = old),
  objects (text, columns, acl) as (
    select case relkind when 'S' then 'sequence ' else 'table ' end || oid::regclass, '', relacl from pg_class where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all select 'table ' || attrelid::regclass, '(' || quote_ident(attname) || ')', attacl from pg_attribute where attacl is not null and not attisdropped
    union all select 'routine ' || oid::regprocedure, '', proacl from pg_proc
    union all select 'schema ' || quote_ident(nspname), '', nspacl from pg_namespace
    union all select 'type ' || format_type(oid, null), '', typacl from pg_type)
  select unnest(array[format('grant %s %s on %s to %I', privilege_type, columns, text, new),
      format('revoke %s %s on %s from %I', privilege_type, columns, text, old)]) as statement
  from objects, aclexplode(acl) as a join renamed r on r.oid = a.grantee
  union all
  select format('alter policy %I on %s to %s', polname, polrelid::regclass,
      (select string_agg(coalesce(quote_ident(r.new), case role when 0 then 'public'
      else quote_ident(pg_get_userbyid(role)) end), ', ')
    from unnest(polroles) as role left join renamed r on r.oid = role))
  from pg_policy where polroles && array(select oid from renamed)`

async function statementsOf(client: pg.Client, query: string, ...values: unknown[]): Promise<string[]> {
  return (await client.query<{ statement: string }>(query, values)).rows.map((row) => row.statement)
}

/**
 * Creates the missing roles and keeps everyone else from connecting. Returns the login roles that don't have
 * a password yet.
 */
async function createRoles(client: pg.Client, prefix: string): Promise<string[]> {
  const existing = new Set((await rolesOf(client, prefix)).map(({ role }) => role))
  const isMissing = (role: string) => !existing.has(role)
  for (const role of GROUPS.map((name) => prefix + name).filter(isMissing))
    await client.query(`create role ${role} nologin`)
  const fresh = LOGINS.map((name) => prefix + name).filter(isMissing)
  for (const role of fresh)
    await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole nobypassrls`)
  await client.query(
    withRoles(
      prefix,
      `alter role tutorlog_server noinherit; grant tutorlog_app to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
      grant tutorlog_family, tutorlog_practice, tutorlog_caregiver, tutorlog_family_link to tutorlog_server;
      alter role tutorlog_server set statement_timeout = '10s'; alter role tutorlog_link set statement_timeout = '10s';
      grant tutorlog_owner to current_user`,
    ),
  )
  await closeDatabase(client, prefix)
  return fresh
}

// By default, anyone who can log in to a cluster can connect to all of its databases.
async function closeDatabase(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string; isOpen: boolean }>(
    `select quote_ident(current_database()) as name, has_database_privilege('public', current_database(), 'connect') as "isOpen"`,
  )
  const name = rows[0]?.name
  const all = ALL.map((role) => IN_FILES + role).join(', ')
  await client.query(
    withRoles(
      prefix,
      `grant usage, create on schema public to tutorlog_owner; grant usage on schema public to ${all};
      grant connect, create on database ${name} to tutorlog_owner,
        tutorlog_system; grant connect on database ${name} to tutorlog_server, tutorlog_link, current_user`,
    ),
  )
  if (rows[0]?.isOpen) await client.query(`revoke connect on database ${name} from public`)
}

// The database generates the secret, so that it never appears in a statement or log.
async function keepSecret(client: pg.Client, prefix: string): Promise<string> {
  await asOwner(client, prefix, () =>
    client.query(
      withRoles(
        prefix,
        `create table if not exists schema_secret (secret text primary key); revoke all on schema_secret from public;
        alter table schema_secret enable row level security; alter table schema_secret force row level security;
        drop policy if exists owner_all on schema_secret; create policy owner_all on schema_secret to tutorlog_owner using (true) with check (true);
        insert into schema_secret select replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') where not exists (select from schema_secret)`,
      ),
    ),
  )
  return readSecret(client, prefix)
}

async function readSecret(client: pg.Client, prefix: string): Promise<string> {
  const { rows } = await asOwner(client, prefix, () =>
    client.query<{ secret: string }>('select secret from schema_secret'),
  )
  if (!rows[0])
    throw new Error('The database has lost the secret for its roles. Start the server to create a new one.')
  return rows[0].secret
}

/**
 * Connects as a role. Sets its password only if the current one doesn't work, so that the installation's
 * other servers aren't disrupted.
 */
async function signIn(
  client: pg.Client,
  url: string,
  roles: Roles,
  login: Login,
  hasPassword: boolean,
): Promise<pg.Client> {
  if (hasPassword) {
    try {
      return await connectTo(loginUrl(url, roles, login))
    } catch (error) {
      if ((error as { code?: string }).code !== WRONG_PASSWORD) throw error
    }
  }
  const verifier = scramVerifier(passwordOf(roles, login))
  await client.query(`alter role ${roles.prefix}${login} login password '${verifier}'`)
  return connectTo(loginUrl(url, roles, login))
}

/**
 * The verifier PostgreSQL stores for a password (RFC 5802, section 3). Sending the verifier keeps the
 * password itself out of statements and logs.
 * @param password ASCII letters and digits, which RFC 4013 leaves unchanged
 */
function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, SCRAM_ROUNDS, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const rounds = `${SCRAM_ROUNDS}:${salt.toString('base64')}`
  return ['SCRAM-SHA-256', rounds, `${stored}:${keyOf('Server Key').toString('base64')}`].join('$')
}
