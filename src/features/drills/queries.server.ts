// SQL for a drill. The same statements read the figures of the database, in a backup's snapshot, and of what was
// restored from that backup. Both connections are the owner's, which sees every row.
import type pg from 'pg'
import type { Tx } from '#platform/db/db.server.ts'
import type { MonthContent } from '#features/months/month-page.ts'
import type { CodeFigures, MonthFigures } from './figures.ts'

type Client = Pick<pg.Client, 'query'>

/** Each side's answers about an entry. A row's text has a place for every column, empty or not. */
const ANSWERS = `sum(hashtextextended(row(e.key, e.facts_version, e.deletion_asked_by, e.family_answer, e.family_answer_version,
  e.family_answered_at, e.family_answer_note, e.practice_answer, e.practice_answer_version, e.practice_answered_at,
  e.practice_answer_note)::text, 0)::numeric)::text as answers`

function monthsOf(kind: MonthFigures['kind'], minutes: string, cents: string): string {
  return `select '${kind}' as kind, place::text as workspace, to_char(e.day, 'YYYY-MM') as month, count(*)::integer as entries,
    coalesce(sum(${minutes}), 0)::float8 as minutes, coalesce(sum(${cents}), 0)::float8 as cents, ${ANSWERS}
    from public.${kind} e, unnest(array[e.family_id, e.practice_id]) place where place is not null group by place, month`
}

/** The sums of each workspace and month. An entry that two workspaces share counts in both. */
export async function readMonths(client: Client): Promise<MonthFigures[]> {
  const { rows } = await client.query<MonthFigures>(
    [
      monthsOf('sessions', 'e.minutes', 'e.total_cents'),
      monthsOf('payments', '0', 'e.amount_cents'),
      monthsOf('charges', '0', 'e.amount_cents'),
    ].join(' union all ') + ' order by month desc, kind, workspace',
  )
  return rows
}

/** All codes that /verify knows, with a hash of what each stands for. */
export async function readCodes(client: Client): Promise<CodeFigures[]> {
  const paper = (table: string) =>
    `select kind as of, code, year::text as period, md5(row(number, issued_on, content, entries, voided_at)::text) as content from public.${table}`
  const { rows } = await client.query<CodeFigures>(
    `select 'closed month' as of, code, month as period, md5(row(state, content, content_hash)::text) as content
      from public.closed_months where code is not null
    union all select 'sign-off', code, month, md5(row(tutor_id, content_hash)::text) from public.sign_offs
    union all ${paper('papers')} union all ${paper('family_papers')} order by 3 desc, 1, 2`,
  )
  return rows
}

/** The pages of closed months with their hashes, a batch at a time. */
export async function closedPagesAfter(
  client: Client,
  after: string,
  count: number,
): Promise<{ code: string; month: string; content: MonthContent; content_hash: Buffer }[]> {
  const { rows } = await client.query<{
    code: string
    month: string
    content: MonthContent
    content_hash: Buffer
  }>(
    `select code, month, content, content_hash from public.closed_months where code > $1 order by code limit $2`,
    [after, count],
  )
  return rows
}

/** Without statistics, following 100,000 histories would take hours. */
export async function gatherStatistics(client: Client): Promise<void> {
  await client.query('analyze')
}

export async function databaseBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database())::text as bytes',
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** The administrators who may be told what's wrong with this server. */
export async function administrators(tx: Tx): Promise<{ id: string; email: string }[]> {
  return tx
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select(['users.id', 'email'])
    .where('role', '=', 'admin')
    .where('email_confirmed_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .where('deletion_asked_at', 'is', null)
    .execute()
}

interface DrillBegun {
  backup: string
  backupAt: Date
  backupBytes: number
  beganAt: Date
}

export async function insertDrill(tx: Tx, drill: DrillBegun): Promise<string> {
  const row = await tx
    .insertInto('restore_drills')
    .values({
      backup: drill.backup,
      backup_at: drill.backupAt,
      backup_bytes: drill.backupBytes,
      began_at: drill.beganAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Ends a drill. Returns its backup's name; undefined if it has ended already. */
export async function endDrill(
  tx: Tx,
  id: string,
  findings: string[],
  endedAt: Date,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('restore_drills')
    .set({ ended_at: endedAt, findings })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('backup')
    .executeTakeFirst()
  return row?.backup
}

/** The drills that haven't ended. */
export async function unendedDrills(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('restore_drills').select('id').where('ended_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}

/** Whether the last drill was of this backup, and failed the same way. */
export async function hasFailedSo(tx: Tx, backup: string, findings: string[]): Promise<boolean> {
  const last = await tx
    .selectFrom('restore_drills')
    .select(['backup', 'findings'])
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.backup === backup && last.findings?.join() === findings.join()
}
