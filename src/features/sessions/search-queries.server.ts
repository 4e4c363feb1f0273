// SQL that searches a workspace's sessions (docs/decisions/0053-search-over-all-sessions.md).
import { type RawBuilder, sql } from 'kysely'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { type ReadRow, SENT_BACK, toSession, withNames } from './queries.server.ts'
import type { FoundSessions, Session } from './session.ts'
import {
  foundOf,
  type FoundPart,
  isNumber,
  type MeantDays,
  meantDays,
  type SessionSearch,
  STATES,
} from './session-search.ts'

interface Page {
  limit: number
  /** The last session of the page before. */
  after?: { day: string; id: string } | undefined
}

/**
 * A page of the sessions that a search finds, newest first, and for the first page what it finds in all. One pass over
 * the workspace's sessions does both.
 */
export async function searchSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  search: SessionSearch,
  { limit, after }: Page,
): Promise<{ sessions: Session[]; found: FoundSessions | undefined }> {
  const page = withNames(tx, workspaceId)
    .select(after ? sql<null>`null`.as('parts') : PARTS.as('parts'))
    .where(
      sql<boolean>`sessions.id = any(array(select hits.id from hits order by hits.day desc, hits.id desc limit ${limit}))`,
    )
    .orderBy('sessions.day', 'desc')
    .orderBy('sessions.id', 'desc')
  const { rows } = await sql<ReadRow & { parts: FoundPart[] | null }>`
    with hits as materialized (
      select sessions.id, sessions.day, sessions.minutes, sessions.total_cents, sessions.currency, sessions.standing from sessions
      where ${sql.join(conditionsOf(workspaceId, search, after), sql` and `)})
    ${page}`.execute(tx)
  return { sessions: rows.map(toSession), found: after ? undefined : foundOf(rows[0]?.parts ?? []) }
}

const PARTS = sql<FoundPart[] | null>`(select json_agg(part) from (
  select standing, currency, count(*) as sessions, sum(minutes) as minutes, sum(total_cents) as amount
  from hits group by standing, currency) part)`

type Condition = RawBuilder<boolean>

function conditionsOf(workspaceId: WorkspaceId, search: SessionSearch, after: Page['after']): Condition[] {
  const { words, from, to, studentId, tutorId, state, isSentBack } = search
  const all: (Condition | undefined)[] = [
    sql`sessions.workspace_id = ${workspaceId} and not sessions.is_held`,
    from && sql`sessions.day >= ${from}`,
    to && sql`sessions.day <= ${to}`,
    studentId === undefined ? undefined : sql`sessions.student_id = ${studentId}`,
    tutorId === undefined ? undefined : sql`sessions.tutor_id = ${tutorId}`,
    state && sql`sessions.standing = any(${[...STATES[state].standings]})`,
    isSentBack ? SENT_BACK : undefined,
    after && sql`(sessions.day, sessions.id) < (${after.day}::date, ${after.id}::uuid)`,
    ...words.map((word) => hasWord(workspaceId, word)),
  ]
  return all.filter((one) => one !== undefined)
}

/**
 * Whether a session has a word, like matchesSearch in session-search.ts. What's written is stored in its plain spelling
 * (db/repeatable/search.sql). People and notes are looked through once, not once per session.
 */
function hasWord(workspaceId: WorkspaceId, word: string): Condition {
  const has = (text: RawBuilder<unknown>) => {
    const occurs = sql<boolean>`${text} like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`
    return isNumber(word) ? sql<boolean>`(${occurs} and ${text} ~ ${`(^|[^0-9])${word}([^0-9]|$)`})` : occurs
  }
  const named = (people: 'students' | 'tutors') =>
    sql`array(select p.id from ${sql.table(people)} p where p.workspace_id = ${workspaceId} and ${has(sql`plain_spelling(p.name)`)})`
  const written = (where: 'sessions' | 'session_notes', column: 'searched' | 'searched_long') =>
    sql`select w.${sql.ref(where === 'sessions' ? 'id' : 'session_id')} from ${sql.table(where)} w
      where w.workspace_id = ${workspaceId} and ${has(sql`w.${sql.ref(column)} collate "C"`)} and w.${sql.ref(column)} is not null`
  const ways = [
    has(sql`sessions.searched collate "C"`),
    sql<boolean>`sessions.student_id = any(${named('students')})`,
    sql<boolean>`sessions.tutor_id = any(${named('tutors')})`,
    sql<boolean>`sessions.id in (${sql.join(
      [
        written('session_notes', 'searched'),
        written('session_notes', 'searched_long'),
        written('sessions', 'searched_long'),
      ],
      sql` union all `,
    )})`,
    ...isOnDay(meantDays(word)),
  ]
  return sql`(${sql.join(ways, sql` or `)})`
}

function isOnDay(meant: MeantDays | undefined): Condition[] {
  if (!meant) return []
  const { year, dayOfMonth, months = [], weekdays = [], date } = meant
  if (year !== undefined)
    return [sql`sessions.day between make_date(${year}, 1, 1) and make_date(${year}, 12, 31)`]
  if (dayOfMonth !== undefined) return [sql`extract(day from sessions.day) = ${dayOfMonth}`]
  if (date !== undefined)
    return [
      sql`strpos(to_char(sessions.day, ' YYYY-MM-DD FMMM/FMDD/YYYY FMDD.FMMM.YYYY'), ${` ${date}`}) > 0`,
    ]
  return [
    sql`extract(month from sessions.day) = any(${months}) or extract(dow from sessions.day) = any(${weekdays})`,
  ]
}
