// SQL for a list of people. Students and tutors have a table each, with the same rules.
import { type RawBuilder, sql } from 'kysely'
import type { WhichRows } from '#kernel/archived.ts'
import { type Cents, dollars } from '#kernel/money.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Person } from './person.ts'

interface PeopleTable {
  table: 'students' | 'tutors'
  /** The table's own columns, besides those that all people have. */
  columns: RawBuilder<unknown>
  /** The column of schedules that refers to the table. */
  reference: 'student_id' | 'tutor_id'
  /** Which people may be deleted, if not all of them. */
  deletable?: RawBuilder<unknown>
}

interface Rated extends Person {
  /** Dollars per hour. */
  hourly_rate: number | null
}

export interface PersonValues {
  name: string
  hourly_rate_cents?: Cents | null
}

const SHOWN = {
  active: sql`archived_at is null`,
  archived: sql`archived_at is not null`,
  all: sql`true`,
} satisfies Record<WhichRows, unknown>

/** The queries for a table of people. Values that are left out keep what's stored, or the column's default. */
export function peopleIn<Row extends Rated, Values extends PersonValues>({
  table,
  columns,
  reference,
  deletable = sql`true`,
}: PeopleTable) {
  type Stored = Omit<Row, 'hourly_rate'> & { hourly_rate_cents: Cents | null }
  const people = sql.table(table)
  const returned = sql`id, name, ${columns}, hourly_rate_cents, notes, archived_at is not null as archived, version`
  const isOne = (workspaceId: WorkspaceId, id: string, version?: number) =>
    sql`workspace_id = ${workspaceId} and id = ${id} and ${version === undefined ? sql`true` : sql`version = ${version}`}`

  return { list, read, readRate, insert, insertAll, update, remove }

  /** The workspace's people sorted by name: active, archived, or all. */
  async function list(tx: Tx, workspaceId: WorkspaceId, which: WhichRows = 'active'): Promise<Row[]> {
    const { rows } = await sql<Stored>`
      select ${returned} from ${people} where workspace_id = ${workspaceId} and ${SHOWN[which]}
      order by name ${ALPHABETICAL}, id`.execute(tx)
    return rows.map(toRow)
  }

  /** One person; undefined if the workspace has nobody with this id. */
  async function read(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<Row | undefined> {
    const { rows } = await sql<Stored>`
      select ${returned} from ${people} where ${isOne(workspaceId, id)}`.execute(tx)
    return rows.map(toRow)[0]
  }

  /** A person's own hourly rate. Null if there isn't one; undefined if the workspace has nobody with this id. */
  async function readRate(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<Cents | null | undefined> {
    const { rows } = await sql<{ rate: Cents | null }>`
      select hourly_rate_cents as rate from ${people} where ${isOne(workspaceId, id)}`.execute(tx)
    return rows[0]?.rate
  }

  /** Adds a person unless the workspace already has `most` of them. */
  async function insert(
    tx: Tx,
    workspaceId: WorkspaceId,
    values: Values,
    most: number,
  ): Promise<Row | undefined> {
    return (await insertAll(tx, workspaceId, [values], most))?.[0]
  }

  /**
   * Adds all of the people, or none if the total would exceed `most`. The limit holds even with concurrent
   * calls (promise I17).
   */
  async function insertAll(
    tx: Tx,
    workspaceId: WorkspaceId,
    all: readonly Values[],
    most: number,
  ): Promise<Row[] | undefined> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${table}:${workspaceId}`}, 0))`.execute(tx)
    const { rows: before } = await sql<{ count: number }>`
      select count(*)::int as count from ${people} where workspace_id = ${workspaceId}`.execute(tx)
    if ((before[0]?.count ?? 0) + all.length > most) return undefined
    const given = all.map((values) => new Map(givenIn(values)))
    const names = [...new Set(given.flatMap((values) => [...values.keys()]))]
    const rowOf = (values: Map<string, unknown>) =>
      names.map((name) => (values.has(name) ? sql`${values.get(name)}` : sql`default`))
    const { rows } = await sql<Stored>`
      insert into ${people} (workspace_id, ${sql.join(names.map((name) => sql.ref(name)))})
      values ${sql.join(given.map((values) => sql`(${sql.join([workspaceId, ...rowOf(values)])})`))}
      returning ${returned}`.execute(tx)
    return rows.map(toRow)
  }

  /**
   * Changes a person. Archiving one also deactivates their schedules. Undefined if there's nobody with this id
   * and version.
   */
  async function update(
    tx: Tx,
    workspaceId: WorkspaceId,
    id: string,
    { archived, ...values }: Partial<Values> & { archived?: boolean },
    version?: number,
  ): Promise<Row | undefined> {
    if (archived) await stopSchedules(tx, workspaceId, id)
    const changes = [
      ...givenIn(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
      ...(archived === undefined
        ? []
        : [archived ? sql`archived_at = coalesce(archived_at, now())` : sql`archived_at = null`]),
      sql`version = version + 1, updated_at = now()`,
    ]
    const { rows } = await sql<Stored>`
      update ${people} set ${sql.join(changes)} where ${isOne(workspaceId, id, version)} returning ${returned}`.execute(
      tx,
    )
    return rows.map(toRow)[0]
  }

  /**
   * Deletes a person and deactivates their schedules. Their sessions are kept, but without the name. Returns
   * false if there's nobody with this id and version who may be deleted.
   */
  async function remove(tx: Tx, workspaceId: WorkspaceId, id: string, version?: number): Promise<boolean> {
    await stopSchedules(tx, workspaceId, id)
    const { rows } = await sql`
      delete from ${people} where ${isOne(workspaceId, id, version)} and ${deletable} returning id`.execute(
      tx,
    )
    return rows.length > 0
  }

  async function stopSchedules(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<void> {
    // The other side's copy of a shared schedule goes on.
    await sql`select part_schedules_of(${id}::uuid)`.execute(tx)
    await tx
      .updateTable('schedules')
      .set({ is_active: false, version: sql`version + 1`, updated_at: sql`now()` })
      .where('workspace_id', '=', workspaceId)
      .where(reference, '=', id)
      .where('is_active', '=', true)
      .execute()
  }

  function toRow({ hourly_rate_cents: rate, ...row }: Stored): Row {
    return { ...row, hourly_rate: rate === null ? null : dollars(rate) } as unknown as Row
  }
}

const givenIn = (values: object): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => value !== undefined)
