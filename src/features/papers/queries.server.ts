// SQL for a practice's papers and the details of their provider.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { monthOf } from '#kernel/calendar-day.ts'
import type { MemberCaller } from '#features/access/admission.server.ts'
import type { Side } from '#features/access/role.ts'
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

/** What paid for lessons and charges, and which charges without a student are this student's: there's no other one. */
interface Paid {
  settlements: Settlement[]
  isTheirs(charge: { connection_id: string | null }): boolean
}

/**
 * What paid for a practice's lessons with a student. Also when money of the last day is due, under the first of the terms
 * that say so.
 */
export async function readSettlements(
  tx: Tx,
  workspaceId: WorkspaceId,
  studentId: string,
  { to, today }: { to: CalendarDay; today: CalendarDay },
): Promise<Paid & { dueOn: CalendarDay | null }> {
  const ledgers = (await readLedgers(tx, workspaceId, 'student', today)).filter(({ partyIds }) =>
    partyIds.includes(studentId),
  )
  const alone = new Set(
    ledgers.flatMap(({ partyIds, connection_id: id }) => (partyIds.length === 1 && id ? [id] : [])),
  )
  return {
    settlements: ledgers.flatMap(({ lines, currency }) => settle(lines, currency)),
    dueOn: ledgers.flatMap(({ versions }) => dueFor(to, versions) ?? []).sort()[0] ?? null,
    isTheirs: ({ connection_id: id }) => id !== null && alone.has(id),
  }
}

/** What paid for a family's lessons with a tutor. */
export async function readSettlementsWith(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
  until: CalendarDay,
): Promise<Paid> {
  const ledgers = (await readLedgers(tx, workspaceId, 'tutor', until)).filter(({ partyIds }) =>
    partyIds.includes(tutorId),
  )
  const { rows } = await sql`
    select s.student_id from sessions s where s.workspace_id = ${workspaceId}::uuid and s.tutor_id = ${tutorId}::uuid and s.student_id is not null
    union select p.child_id from connection_people p join connections c on c.id = p.connection_id
      where c.family_id = ${workspaceId}::uuid and c.tutor_id = ${tutorId}::uuid and c.state = 'active' and p.child_id is not null`.execute(
    tx,
  )
  return {
    settlements: ledgers.flatMap(({ lines, currency }) => settle(lines, currency)),
    isTheirs: () => rows.length <= 1,
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

/** A month of two sides that was closed, reopened, and not closed again. */
interface ReopenedMonth {
  connection_id: string
  month: string
}

export async function readReopened(
  { tx, workspace, side }: MemberCaller,
  from: CalendarDay,
  to: CalendarDay,
): Promise<ReopenedMonth[]> {
  const { rows } = await sql<ReopenedMonth>`
    select distinct m.connection_id, m.month from closed_months m
    where ${sql.ref(`m.${side}_id`)} = ${workspace}::uuid and m.state = 'reopened' and m.month between ${monthOf(from)} and ${monthOf(to)}
      and not exists (select from closed_months again where again.connection_id = m.connection_id and again.month = m.month
        and again.state = 'closed')
    order by m.month`.execute(tx)
  return rows
}

interface NewPaper {
  id: string
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
      kind: content.kind as PaperKind,
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

/** The table with a side's papers, and what only one of the sides has. */
const PLACE = {
  practice: {
    table: 'papers',
    own: sql`null as tutor_id, null as series, p.is_by_family`,
    order: sql`p.year desc, p.number desc`,
  },
  family: {
    table: 'family_papers',
    own: sql`p.tutor_id, p.series, true as is_by_family`,
    order: sql`p.issued_at desc, p.series, p.year desc, p.number desc`,
  },
} as const

/** Voids a paper. False if it already is, undefined if there's no such paper. */
export async function voidPaper(
  { tx, workspace, side, now }: MemberCaller,
  id: string,
  reason: string,
): Promise<boolean | undefined> {
  const { rows } = await sql`
    update ${sql.table(PLACE[side].table)} set voided_at = ${now}::timestamptz, void_reason = ${reason}
    where workspace_id = ${workspace}::uuid and id = ${id}::uuid and voided_at is null returning id`.execute(
    tx,
  )
  return rows.length > 0 ? true : (await readPapers(tx, workspace, side, id)).length > 0 ? false : undefined
}

interface NumberOfPaper {
  series: string | null
  year: number
  number: number
}

export interface KeptPaper extends NumberOfPaper {
  id: string
  kind: PaperKind
  student_id: string | null
  tutor_id: string | null
  is_by_family: boolean
  issued_on: CalendarDay
  code: string
  content: PaperContent
  voided_at: Date | null
  void_reason: string | null
  replaces: NumberOfPaper | null
  replaced_by: NumberOfPaper | null
  reopened_since: string[]
}

/** A side's papers, newest first, or the one with this id. */
export async function readPapers(
  tx: Tx,
  workspaceId: WorkspaceId,
  side: Side,
  id?: string,
): Promise<KeptPaper[]> {
  const { table, own, order } = PLACE[side]
  const series = side === 'family' ? sql`o.series` : sql`null`
  const numberOf = (condition: ReturnType<typeof sql>) =>
    sql`(select jsonb_build_object('series', ${series}, 'year', o.year, 'number', o.number) from ${sql.table(table)} o
      where o.workspace_id = p.workspace_id and ${condition})`
  const { rows } = await sql<KeptPaper>`
    select p.id, p.kind, p.year, p.number, p.student_id, ${own}, p.issued_on, p.code, p.content, p.voided_at, p.void_reason,
      ${numberOf(sql`o.id = p.replaces`)} as replaces, ${numberOf(sql`o.replaces = p.id`)} as replaced_by,
      array(select distinct m.month from closed_months m where ${sql.ref(`m.${side}_id`)} = p.workspace_id and m.state = 'reopened'
        and m.reopened_at > p.issued_at and m.month between left(p.content ->> 'from', 7) and left(p.content ->> 'to', 7)
        and m.connection_id in (select s.connection_id from sessions s where s.workspace_id = p.workspace_id and s.id = any(p.entries))
        order by 1) as reopened_since
    from ${sql.table(table)} p where p.workspace_id = ${workspaceId}::uuid and (${id ?? null}::uuid is null or p.id = ${id ?? null}::uuid)
    order by ${order}`.execute(tx)
  return rows
}

/** The paper with this code, whoever issued it; read as the system. */
export async function paperOfCode(
  tx: Tx,
  code: string,
): Promise<
  Pick<KeptPaper, 'kind' | keyof NumberOfPaper | 'issued_on' | 'content' | 'voided_at'> | undefined
> {
  // A family keeps its papers when the practice is erased, and a practice keeps its own.
  const { rows } = await sql<
    Pick<KeptPaper, 'kind' | keyof NumberOfPaper | 'issued_on' | 'content' | 'voided_at'>
  >`
    select kind, null as series, year, number, issued_on, content, voided_at from papers where code = ${code}
    union all select kind, series, year, number, issued_on, content, voided_at from family_papers where code = ${code} limit 1`.execute(
    tx,
  )
  return rows[0]
}
