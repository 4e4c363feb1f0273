// SQL for export, deletion and retention. The export follows the catalogue and runs as the owner.
import { sql } from 'kysely'
import { forgetInvitations } from '#features/workspaces/queries.server.ts'
import type { Kind } from '#features/workspaces/workspace.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type ExportedTable, shownColumns } from './catalogue.ts'
import { type KeptKind, keptSince } from './retention.ts'

const BATCH = 1000

/** Whose data to export: the account's and, if the account may export it, its current workspace's. */
export interface Exporter {
  account: string
  workspace: { id: string; kind: Kind } | undefined
}

/**
 * Reads one table's rows for an account or its workspace. Returns them in batches, with only the exported
 * columns.
 */
export async function* ownRows(
  tx: Tx,
  table: string,
  plan: ExportedTable,
  { account, workspace }: Exporter,
): AsyncGenerator<Record<string, unknown>[]> {
  const isOfWorkspace = plan.owner === 'workspace_id' || plan.owner === 'side' || table === 'workspaces'
  const id = isOfWorkspace ? workspace?.id : account
  if (id === undefined) return
  const owner = plan.owner === 'side' ? `${workspace?.kind}_id` : plan.owner
  const names = shownColumns(plan, workspace?.kind).map(({ name, byPractice }) =>
    byPractice && workspace?.kind === 'practice'
      ? sql`${sql.raw(byPractice)}(id) as ${sql.ref(name)}`
      : sql`${sql.ref(name)}`,
  )
  // Sorts by all columns, so that two exports of the same data are identical.
  await sql`declare own_rows cursor for select ${sql.join(names)} from ${sql.table(table)}
    where ${sql.ref(owner)} = ${sql.lit(id)}
    order by ${sql.join(names.map((_name, place) => sql.lit(place + 1)))}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(BATCH)} from own_rows`.execute(tx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close own_rows`.execute(tx)
}

/** Records that a user deleted their account, and invalidates all their logins and emailed links. */
export async function askForDeletion(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ deletion_asked_at: now }).where('id', '=', userId).execute()
  await tx.deleteFrom('logins').where('user_id', '=', userId).execute()
  await tx.deleteFrom('auth_tokens').where('user_id', '=', userId).execute()
  await tx.deleteFrom('email_changes').where('owner_id', '=', userId).execute()
}

export async function takeDeletionBack(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ deletion_asked_at: null }).where('id', '=', userId).execute()
}

interface Leaver {
  id: string
  email: string
  /** False for a sign-up whose address has an account or another sign-up: its emails are not this one's. */
  ownsAddress: boolean
}

/** Accounts to erase, at most 100 at a time: deleted before the given time, or never confirmed. */
export async function leavers(tx: Tx, deletedBefore: Date, now: Date): Promise<Leaver[]> {
  return tx
    .selectFrom('users')
    .select(['id', 'email'])
    .select(
      sql<boolean>`email_confirmed_at is not null
        or not exists (select from users other where other.email_key = users.email_key and other.id <> users.id)`.as(
        'ownsAddress',
      ),
    )
    .where((where) =>
      where.or([
        where('deletion_asked_at', '<=', deletedBefore),
        where.and([
          where('email_confirmed_at', 'is', null),
          where('created_at', '<', keptSince('unconfirmed_accounts', now)),
        ]),
      ]),
    )
    .orderBy('created_at')
    .limit(100)
    .execute()
}

/** Accounts that were erased once, and are there again because a backup was restored. */
export async function comeBack(tx: Tx): Promise<Leaver[]> {
  return tx
    .selectFrom('users')
    .innerJoin('erasures', (join) => join.on('account_hash', '=', sql<Buffer>`erased_hash(users.id)`))
    .select(['users.id', 'email', sql<boolean>`email_confirmed_at is not null`.as('ownsAddress')])
    .execute()
}

/** The ids of emails that were sent to a person, sent in their name, or mention their address. */
export async function mailsOf(tx: Tx, leaver: Leaver): Promise<string[]> {
  return (await sql<{ id: string }>`${mailIds(leaver)}`.execute(tx)).rows.map((row) => row.id)
}

function mailIds({ id, email, ownsAddress }: Leaver) {
  if (!ownsAddress) return sql`select id from outbox where user_id = ${id}`
  const address = email.toLowerCase()
  return sql`select id from outbox where user_id = ${id} or lower(recipient) = ${address} or strpos(lower(data::text), ${address}) > 0`
}

/** Erases a user and everything that names them, in one transaction (promise D8). */
export async function eraseUser(tx: Tx, leaver: Leaver): Promise<void> {
  const { id } = leaver
  const address = leaver.email.toLowerCase()
  const mails = mailIds(leaver)
  await sql`select graphile_worker.complete_jobs(array(select jobs.id from graphile_worker.jobs
      where key in (select 'mail:' || mail.id from (${mails}) mail)))`.execute(tx)
  await sql`delete from outbox where id in (${mails})`.execute(tx)
  await sql`delete from rate_limits where strpos(key, ${id}) > 0
    or (${leaver.ownsAddress} and strpos(lower(key), ${address}) > 0)`.execute(tx)
  // Foreign keys delete everything the user owns.
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

export async function eraseOld(tx: Tx, now: Date): Promise<void> {
  const before = (kind: KeptKind) => keptSince(kind, now)
  await tx
    .deleteFrom('logins')
    .where((where) =>
      where.or([where('active_until', '<', before('logins')), where('ends_at', '<', before('logins'))]),
    )
    .execute()
  await tx
    .deleteFrom('auth_tokens')
    .where((where) =>
      where.or([
        where('expires_at', '<', before('auth_tokens')),
        where('used_at', '<', before('auth_tokens')),
      ]),
    )
    .execute()
  await tx.deleteFrom('email_changes').where('expires_at', '<', before('email_changes')).execute()
  await forgetInvitations(tx, before('member_invitations'))
  await tx.deleteFrom('oidc_flows').where('expires_at', '<', before('oidc_flows')).execute()
  await tx.deleteFrom('passkey_challenges').where('expires_at', '<', before('passkey_challenges')).execute()
  await tx
    .deleteFrom('second_steps')
    .where('on_since', 'is', null)
    .where('created_at', '<', before('second_steps'))
    .execute()
  await tx.deleteFrom('not_me_links').where('expires_at', '<', before('not_me_links')).execute()
  await tx.deleteFrom('security_events').where('happened_at', '<', before('security_events')).execute()
  await tx.deleteFrom('rate_limits').where('window_ends_at', '<', before('rate_limits')).execute()
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before('idempotency_keys')).execute()
  await tx.deleteFrom('outbox').where('created_at', '<', before('outbox')).execute()
  await tx.deleteFrom('billing_events').where('received_at', '<', before('billing_events')).execute()
  await tx.deleteFrom('restore_drills').where('began_at', '<', before('restore_drills')).execute()
  await tx.deleteFrom('admin_reads').where('read_at', '<', before('admin_reads')).execute()
  await tx.deleteFrom('first_trials').where('left_at', '<', before('first_trials')).execute()
  await tx.deleteFrom('erasures').where('erased_at', '<', before('erasures')).execute()
  // Failed jobs stay visible to the operator, but for no longer than emails are kept.
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where attempts >= max_attempts
      and updated_at < ${before('outbox')}))`.execute(tx)
}
