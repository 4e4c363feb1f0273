// SQL for a practice's papers and the details of their provider.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { monthOf } from '#kernel/calendar-day.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { dueFor } from '#features/payments/due.ts'
import { readLedgers } from '#features/payments/balance-queries.server.ts'
import type { PaperContent, PaperKind, Place } from './content.ts'
import { NO_PROVIDER, type Provider, type ProviderDetails } from './provider.ts'
import { settle, type Settlement } from './settling.ts'

export async function readProvider(tx: Tx, workspaceId: WorkspaceId): Promise<Provider> {
  const row = await tx
    .selectFrom('paper_providers')
    .select(['details', 'version'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row ? { ...(row.details as ProviderDetails), version: row.version } : { ...NO_PROVIDER, version: 0 }
}

/** Stores the details; undefined if the version is outdated. Safe with concurrent calls (promise D6). */
export async function saveProvider(
  tx: Tx,
  workspaceId: WorkspaceId,
  details: ProviderDetails,
  now: Date,
  expectedVersion: number | undefined,
): Promise<Provider | undefined> {
  const text = JSON.stringify(details)
  const { rows } = await sql<{ version: number }>`
    insert into paper_providers as p (workspace_id, details) values (${workspaceId}::uuid, ${text}::jsonb)
    on conflict (workspace_id) do update set details = excluded.details, version = p.version + 1, updated_at = ${now}::timestamptz
    where ${expectedVersion ?? null}::int is null or p.version = ${expectedVersion ?? null}::int
    returning version`.execute(tx)
  const [row] = rows
  return row && { ...details, version: row.version }
}

/**
 * What paid for a student's lessons and charges, and the connections whose charges without a student are this
 * student's: those in which there's no other one. Also when money of the last day is due, under the first of the terms that
 * say so.
 */
export async function readSettlements(
  tx: Tx,
  workspaceId: WorkspaceId,
  studentId: string,
  { to, today }: { to: CalendarDay; today: CalendarDay },
): Promise<{ settlements: Settlement[]; onlyTheirs: Set<string>; dueOn: CalendarDay | null }> {
  const ledgers = (await readLedgers(tx, workspaceId, 'student', today)).filter(({ partyIds }) =>
    partyIds.includes(studentId),
  )
  return {
    settlements: ledgers.flatMap(({ lines }) => settle(lines)),
    dueOn: ledgers.flatMap(({ versions }) => dueFor(to, versions) ?? []).sort()[0] ?? null,
    onlyTheirs: new Set(
      ledgers.flatMap(({ partyIds, connection_id: id }) => (partyIds.length === 1 && id ? [id] : [])),
    ),
  }
}

/** The places remembered for the schedules of these sessions, by session. */
export async function readPlaces(
  tx: Tx,
  workspaceId: WorkspaceId,
  sessionIds: readonly string[],
): Promise<Map<string, Place>> {
  const { rows } = await sql<{ id: string; place: Place }>`
    select s.id, p.place from sessions s join schedule_places p on p.workspace_id = s.workspace_id and p.schedule_id = s.schedule_id
    where s.workspace_id = ${workspaceId}::uuid and s.id = any(${[...sessionIds]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, place }) => [id, place]))
}

/** Remembers where these lessons were for their schedules; the last lesson of a schedule counts. */
export async function rememberPlaces(
  tx: Tx,
  workspaceId: WorkspaceId,
  lessons: readonly { id: string; place: Place | null }[],
): Promise<void> {
  const placed = JSON.stringify(lessons.filter(({ place }) => place !== null))
  await sql`
    insert into schedule_places as known (workspace_id, schedule_id, place)
    select distinct on (s.schedule_id) s.workspace_id, s.schedule_id, said.place
    from jsonb_to_recordset(${placed}::jsonb) said(id uuid, place text)
    join sessions s on s.workspace_id = ${workspaceId}::uuid and s.id = said.id where s.schedule_id is not null
    order by s.schedule_id, s.day desc, s.id
    on conflict (workspace_id, schedule_id) do update set place = excluded.place, version = known.version + 1
      where known.place <> excluded.place`.execute(tx)
}

/** A month with a family that was closed, reopened, and not closed again. */
interface ReopenedMonth {
  connection_id: string
  month: string
}

export async function readReopened(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<ReopenedMonth[]> {
  const { rows } = await sql<ReopenedMonth>`
    select distinct m.connection_id, m.month from closed_months m
    where m.practice_id = ${workspaceId}::uuid and m.state = 'reopened' and m.month between ${monthOf(from)} and ${monthOf(to)}
      and not exists (select from closed_months again where again.connection_id = m.connection_id and again.month = m.month
        and again.state = 'closed')
    order by m.month`.execute(tx)
  return rows
}

interface NewPaper {
  id: string
  kind: PaperKind
  studentId: string
  code: string
  content: PaperContent
  replaces: string | null
  issuedAt: Date
}

/** Stores a paper. The database gives it its number, in this transaction. */
export async function insertPaper(tx: Tx, workspaceId: WorkspaceId, paper: NewPaper): Promise<void> {
  const { content } = paper
  await tx
    .insertInto('papers')
    .values({
      workspace_id: workspaceId,
      id: paper.id,
      kind: paper.kind,
      student_id: paper.studentId,
      program: content.program,
      issued_on: content.issued_on,
      code: paper.code,
      content: JSON.stringify(content),
      entries: [...content.lessons, ...content.charges].map(({ id }) => id),
      replaces: paper.replaces,
      issued_at: paper.issuedAt,
    })
    .execute()
}

/** Voids a paper. False if it already is, undefined if there's no such paper. */
export async function voidPaper(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean | undefined> {
  const voided = await tx
    .updateTable('papers')
    .set({ voided_at: now, void_reason: reason })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('voided_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return voided ? true : (await readPapers(tx, workspaceId, id)).length > 0 ? false : undefined
}

export interface KeptPaper {
  id: string
  kind: PaperKind
  year: number
  number: number
  student_id: string | null
  issued_on: CalendarDay
  code: string
  content: PaperContent
  voided_at: Date | null
  void_reason: string | null
  replaces: { year: number; number: number } | null
  replaced_by: { year: number; number: number } | null
  reopened_since: string[]
}

/** A practice's papers, newest first, or the one with this id. */
export async function readPapers(tx: Tx, workspaceId: WorkspaceId, id?: string): Promise<KeptPaper[]> {
  const numberOf = (condition: ReturnType<typeof sql>) =>
    sql`(select jsonb_build_object('year', o.year, 'number', o.number) from papers o where o.workspace_id = p.workspace_id and ${condition})`
  const { rows } = await sql<KeptPaper>`
    select p.id, p.kind, p.year, p.number, p.student_id, p.issued_on, p.code, p.content, p.voided_at, p.void_reason,
      ${numberOf(sql`o.id = p.replaces`)} as replaces, ${numberOf(sql`o.replaces = p.id`)} as replaced_by,
      array(select distinct m.month from closed_months m where m.practice_id = p.workspace_id and m.state = 'reopened'
        and m.reopened_at > p.issued_at and m.month between left(p.content ->> 'from', 7) and left(p.content ->> 'to', 7)
        and m.connection_id in (select s.connection_id from sessions s where s.workspace_id = p.workspace_id and s.id = any(p.entries))
        order by 1) as reopened_since
    from papers p where p.workspace_id = ${workspaceId}::uuid and (${id ?? null}::uuid is null or p.id = ${id ?? null}::uuid)
    order by p.year desc, p.number desc`.execute(tx)
  return rows
}

/** The paper with this code, whoever issued it; read as the system. */
export async function paperOfCode(
  tx: Tx,
  code: string,
): Promise<Pick<KeptPaper, 'kind' | 'year' | 'number' | 'issued_on' | 'content' | 'voided_at'> | undefined> {
  const row = await tx
    .selectFrom('papers')
    .select(['kind', 'year', 'number', 'issued_on', 'content', 'voided_at'])
    .where('code', '=', code)
    .executeTakeFirst()
  return row && { ...row, issued_on: row.issued_on as CalendarDay, content: row.content as PaperContent }
}
