// SQL for reading sessions, and how the API writes each of their fields.
import { type Selectable, sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import type { RecordsId, WorkspaceId } from '#kernel/id.ts'
import { type HistoryReader, readEntries } from '#features/agreements/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import type { ClassRef } from './change-queries.server.ts'
import { SharedSession } from './confirmation.ts'
import type { SessionHistoryEntry } from './history.ts'
import { eachWords, type WordsField } from './lesson-words.ts'
import { amountAt } from '#features/prices/price.ts'
import type { LastLesson, Session } from './session.ts'
import { effectivePriceOf } from './session-price.ts'

/** A row of the side's view, with the names of its people. */
type NamedRow = Selectable<Tables['sessions']> & Record<'student_name' | 'tutor_name', string | null>

/** A column, and how a field is written from its value. */
type Field<Name extends keyof Session> = {
  [Column in keyof NamedRow]: readonly [Column, (value: NamedRow[Column]) => Session[Name]]
}[keyof NamedRow]

const asIs = <Value>(value: Value) => value
const inDollars = (amount: number | null) => (amount === null ? null : dollars(amount as Cents))
const inHours = (minutes: number) => hours(minutes as Minutes)
const instant = (at: Date | null) => at?.toISOString() ?? null

/** The fields that come from one column each. For a month's list, month-list.ts writes them from texts. */
const FIELDS: { [Name in Exclude<keyof Session, Computed>]: Field<Name> } = {
  id: ['id', asIs],
  user_id: ['workspace_id', asIs],
  student_id: ['student_id', asIs],
  student_name: ['student_name', asIs],
  tutor_id: ['tutor_id', asIs],
  tutor_name: ['tutor_name', asIs],
  date: ['day', asIs],
  duration: ['minutes', inHours],
  hourly_rate: ['rate_override_cents', inDollars],
  default_rate: ['tutor_rate_cents', inDollars],
  lesson_price: ['lesson_price_cents', inDollars],
  lesson_minutes: ['lesson_price_minutes', asIs],
  price_source: ['price_source', asIs],
  price_since: ['price_since', asIs],
  total_amount: ['total_cents', inDollars],
  currency: ['currency', asIs],
  subject: ['subject', asIs],
  start_time: ['start_time', wallClock],
  ...eachWords((field): Field<WordsField> => [field, asIs]),
  notes: ['notes', asIs],
  status: ['status', asIs],
  verified_by_tutor: ['verified_by_tutor', asIs],
  connection_id: ['connection_id', asIs],
  is_shared: ['connection_id', (connection: string | null) => connection !== null],
  own_confirmation: ['own_says', asIs],
  other_confirmation: ['other_says', asIs],
  other_took_part: ['other_took_part', asIs],
  deletion_asked_by: ['deletion_by', asIs],
  asked_at: ['asked_since', instant],
  reminders: ['reminders', asIs],
  reminded_at: ['reminded_at', instant],
  is_held: ['is_held', asIs],
  schedule_id: ['schedule_id', asIs],
  occurrence_date: ['occurrence_day', asIs],
  makes_up: ['makes_up', asIs],
  created_at: ['created_at', (at: Date) => at.toISOString()],
  version: ['own_version', asIs],
}
type Computed = 'effective_rate' | 'dispute_note' | 'answer_note' | 'is_read_only'
const WRITTEN = Object.entries(FIELDS) as [string, readonly [keyof NamedRow, (value: unknown) => unknown]][]

/** Columns that an insert can't return, since they aren't in the session's own row. */
const JOINED = ['student_name', 'tutor_name', 'notes', 'is_read_only', 'own_version'] as const
type OwnColumn = Exclude<keyof NamedRow, (typeof JOINED)[number]>
const isOwn = (column: keyof NamedRow): column is OwnColumn => !JOINED.some((joined) => joined === column)
/** The columns of a session's own row that toSession reads. */
export const OF_ROW = [
  ...new Set(WRITTEN.map(([, [column]]) => column)),
  ...(['own_answer_note', 'own_reply', 'has_replied'] as const),
  ...(['other_answer_note', 'other_reply', 'is_replied', 'is_foreign'] as const),
]
  .filter(isOwn)
  .map((column) => `sessions.${column}` as const)

export function withNames(tx: Tx, workspaceId: RecordsId) {
  return tx
    .selectFrom('sessions')
    .leftJoin('students', (join) =>
      join
        .onRef('students.workspace_id', '=', 'sessions.workspace_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .leftJoin('tutors', (join) =>
      join
        .onRef('tutors.workspace_id', '=', 'sessions.workspace_id')
        .onRef('tutors.id', '=', 'sessions.tutor_id'),
    )
    .select(OF_ROW)
    .select(['sessions.notes', 'sessions.is_read_only', 'sessions.own_version'])
    .select(['students.name as student_name', 'tutors.name as tutor_name'])
    .where('sessions.workspace_id', '=', workspaceId)
}

/** The columns that toSession reads. */
export type ReadRow = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number]

/** A session as the API sends it. */
export function toSession(row: ReadRow): Session {
  const fields: Record<string, unknown> = {}
  for (const [field, [column, write]] of WRITTEN) fields[field] = write(row[column])
  return Object.assign(fields as Omit<Session, Computed>, disputeOf(row), {
    effective_rate: inDollars(row.rate_override_cents ?? row.tutor_rate_cents),
    is_read_only: row.is_read_only || row.is_foreign,
  })
}

/** The open dispute's note and the reply to it. If both sides dispute the session, uses the other side's note. */
function disputeOf(row: ReadRow): Pick<Session, 'dispute_note' | 'answer_note'> {
  if (row.other_says === 'disputed')
    return { dispute_note: row.other_answer_note, answer_note: row.has_replied ? row.own_reply : null }
  if (row.own_says === 'disputed')
    return { dispute_note: row.own_answer_note, answer_note: row.is_replied ? row.other_reply : null }
  return { dispute_note: null, answer_note: null }
}

/** What the open dispute proposes, whose note disputeOf shows. */
function proposalOf(
  row: ReadRow & Pick<Selectable<Tables['sessions']>, 'own_proposal' | 'other_proposal'>,
): SharedSession['proposal'] {
  const by = (['other', 'you'] as const).find(
    (one) => (one === 'other' ? row.other_says : row.own_says) === 'disputed',
  )
  const proposal = by && (by === 'other' ? row.other_proposal : row.own_proposal)
  if (!by || !proposal) return null
  const now = {
    day: row.day,
    minutes: row.minutes,
    rate_cents: row.rate_override_cents ?? row.tutor_rate_cents,
  }
  const isRemoval = 'is_removed' in proposal
  const facts = (isRemoval ? now : proposal) as typeof now
  // A price per lesson can't be proposed, so it stays unless a rate is.
  const price =
    facts.rate_cents === null
      ? effectivePriceOf(row)
      : { cents: facts.rate_cents as Cents, lesson_minutes: null }
  return {
    by,
    is_removal: isRemoval,
    date: facts.day,
    duration: inHours(facts.minutes),
    rate: inDollars(facts.rate_cents),
    total_amount: inDollars(amountAt(price, facts.minutes as Minutes, row.currency)),
  }
}

/** Reads one session. Returns undefined if the workspace has no session with this id. */
export async function readSession(tx: Tx, workspaceId: RecordsId, id: string): Promise<Session | undefined> {
  const [row] = await sessionById(tx, { workspaceId, id })
  return row && toSession(row)
}

const sessionById = fixed((tx, { workspaceId, id }: { workspaceId: RecordsId; id: string }) =>
  withNames(tx, workspaceId).where('sessions.id', '=', id).compile(),
)

/** Reads a page of a month's list in a single statement (docs/decisions/0022-reads-in-one-statement.md). */
export const LINES_AT_ONCE = 'select read_lines_of_month($1, $2, $3, $4, $5, $6, $7, $8, $9) as answer'

/**
 * The workspace's sessions after a cursor, newest first. Can be limited to a range of days, one tutor or
 * student, or those sent back. With isHeld, returns only the sessions held as possible duplicates; otherwise,
 * leaves them out.
 */
export async function listSessions(
  tx: Tx,
  workspaceId: WorkspaceId,
  range: {
    from?: CalendarDay
    to?: CalendarDay
    tutorId?: string
    studentId?: string
    isSentBack?: boolean
    isHeld?: boolean
  },
  limit: number,
  after?: { day: string; id: string },
): Promise<Session[]> {
  const { isSentBack = false, isHeld = false, ...values } = range
  const page = { ...values, workspaceId, limit, isHeld, day: after?.day, id: after?.id }
  return (await (isSentBack ? pageSentBack : pageOfSessions)(tx, page)).map(toSession)
}

interface Page {
  workspaceId: WorkspaceId
  limit: number
  isHeld: boolean
  from?: CalendarDay
  to?: CalendarDay
  tutorId?: string
  studentId?: string
  /** The day and id of the last session on the previous page. */
  day?: string | undefined
  id?: string | undefined
}

const pageOfSessions = fixed((tx, page: Page) => selectPage(tx, page).compile())
const pageSentBack = fixed((tx, page: Page) => selectPage(tx, page).where(SENT_BACK).compile())

function selectPage(tx: Tx, { workspaceId, limit, isHeld, from, to, tutorId, studentId, day, id }: Page) {
  let query = withNames(tx, workspaceId)
    .where('sessions.is_held', '=', isHeld)
    .orderBy('sessions.day', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(limit)
  if (from) query = query.where('sessions.day', '>=', from)
  if (to) query = query.where('sessions.day', '<=', to)
  if (tutorId) query = query.where('sessions.tutor_id', '=', tutorId)
  if (studentId) query = query.where('sessions.student_id', '=', studentId)
  return day && id
    ? query.where(sql<boolean>`(sessions.day, sessions.id) < (${day}::date, ${id}::uuid)`)
    : query
}

/** The session logged for a class. Undefined if there isn't one. */
export async function sessionOfClass(
  tx: Tx,
  workspaceId: WorkspaceId,
  { schedule_id: schedule, occurrence_day: day }: ClassRef,
): Promise<Session | undefined> {
  const row = await withNames(tx, workspaceId)
    .where('sessions.schedule_id', '=', schedule)
    .where('sessions.occurrence_day', '=', day)
    .executeTakeFirst()
  return row && toSession(row)
}

/**
 * Lists every session's day, minutes, student and tutor, one session per line. An import compares them in
 * this format (sessionKey in features/imports/plan.ts).
 */
export async function sessionKeys(tx: Tx, workspaceId: WorkspaceId): Promise<string> {
  const key = sql`concat_ws('|', day, minutes, coalesce(student_id::text, ''), coalesce(tutor_id::text, ''))`
  const { keys } = await tx
    .selectFrom('sessions')
    .select(sql<string | null>`string_agg(${key}, e'\\n')`.as('keys'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return keys ?? ''
}

/**
 * Lessons with what's written about them, newest first. Includes all lessons between the two days,
 * plus the most recent one before that for each student and tutor with a schedule.
 */
export async function lessonsAround(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  to: CalendarDay,
): Promise<LastLesson[]> {
  return textsAround(tx, { workspaceId, from, to })
}

const textsAround = fixed(
  (tx, { workspaceId, from, to }: { workspaceId: WorkspaceId; from: CalendarDay; to: CalendarDay }) =>
    sql<LastLesson>`
    select student_id, tutor_id, day as date, summary, homework from (
      select before.* from (select distinct student_id, tutor_id from schedules where workspace_id = ${workspaceId} and is_active and deleted_at is null) pair
        cross join lateral (select s.student_id, s.tutor_id, s.day, s.start_time, s.created_at, s.summary, s.homework
            from sessions s where s.workspace_id = ${workspaceId}
          and s.student_id = pair.student_id and s.tutor_id = pair.tutor_id and s.day < ${from}::date and s.deletion_by is null
          order by s.day desc, s.start_time desc nulls last, s.created_at desc limit 1) before
      union all
      select s.student_id, s.tutor_id, s.day, s.start_time, s.created_at, s.summary, s.homework from sessions s where s.workspace_id = ${workspaceId}
        and s.day between ${from}::date and ${to}::date and s.student_id is not null and s.tutor_id is not null and s.deletion_by is null) lessons
    order by day desc, start_time desc nulls last, created_at desc`.compile(tx),
)

/** Sessions that the other side sent back and this side hasn't answered yet. Those with a proposal wait for it. */
export const SENT_BACK = sql<boolean>`(sessions.connection_id is not null and sessions.other_says = 'disputed'
  and not sessions.has_replied and not sessions.is_read_only and not sessions.waits_for_you)`
/** Sessions that can be answered: those up to a day, and later ones that the other side asked to delete. */
const answerableUntil = (day: CalendarDay) =>
  sql<boolean>`(day <= ${day}::date or coalesce(deletion_by = 'other', false))`
/** More lessons than a tutor teaches in a year. Once these are answered, older ones appear. */
const MOST = 1000

/**
 * Shared sessions between two days, newest first. With isWaiting, only those waiting for this side's answer. If
 * `from` is omitted, includes later sessions that the other side asked to delete, because that can be answered
 * right away.
 * @param isLink true on the emailed page, where the other side has the name that it gave
 */
export async function listShared(
  tx: Tx,
  workspaceId: RecordsId,
  {
    from,
    to,
    isWaiting,
    isLink,
  }: { from?: CalendarDay; to: CalendarDay; isWaiting?: boolean; isLink?: boolean },
): Promise<SharedSession[]> {
  // Either side may be the one that sent an emailed link.
  const named = isLink
    ? sql<boolean>`workspaces.id = coalesce(connections.family_id, connections.practice_id)`
    : sql<boolean>`workspaces.id = connections.family_id`
  let query = withNames(tx, workspaceId)
    .leftJoin('connections', 'connections.id', 'sessions.connection_id')
    .leftJoin('workspaces', (join) => join.on(named))
    .select(['sessions.waits_for_you', 'workspaces.id as family', 'workspaces.owner_name'])
    .select(['sessions.own_proposal', 'sessions.other_proposal'])
    .where('sessions.connection_id', 'is not', null)
    .where(from ? sql<boolean>`sessions.day <= ${to}` : answerableUntil(to))
    .orderBy('sessions.day', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(MOST)
  if (from) query = query.where('sessions.day', '>=', from)
  if (isWaiting)
    query = query.where('sessions.waits_for_you', '=', true).where('sessions.is_read_only', '=', false)
  return (await query.execute()).map((row) => {
    const session = toSession(row)
    const isFamily = row.family === row.workspace_id
    const shared: SharedSession = {
      ...session,
      connection_id: session.connection_id ?? '',
      other_name: isFamily ? session.tutor_name : plainName(row.owner_name, '') || null,
      rate: session.effective_rate,
      waits_for_you: row.waits_for_you,
      proposal: proposalOf(row),
    }
    return Object.fromEntries(SHARED.map((field) => [field, shared[field]])) as SharedSession
  })
}

/** What the other side may see. Everything else of a session is this side's alone. */
const SHARED = Object.keys(SharedSession.shape) as (keyof SharedSession)[]

/** A session's history, oldest first, as the given reader sees it. */
export async function readHistory(
  tx: Tx,
  reader: HistoryReader,
  sessionId: string,
): Promise<SessionHistoryEntry[]> {
  const entries = await readEntries(tx, reader, 'session', sessionId)
  return entries.map(({ facts: stored, currency, ...entry }) => {
    const facts = stored as {
      date: string
      minutes: Minutes
      // Left out for caregivers.
      rate_cents?: Cents | null
      lesson_price_cents?: Cents
      lesson_price_minutes?: number
      total_cents?: Cents | null
      subject: string | null
      currency?: Currency
    }
    return {
      ...entry,
      date: facts.date,
      duration: hours(facts.minutes),
      currency: facts.currency ?? currency,
      rate: facts.rate_cents == null ? null : dollars(facts.rate_cents),
      lesson_price: facts.lesson_price_cents === undefined ? null : dollars(facts.lesson_price_cents),
      lesson_minutes: facts.lesson_price_minutes ?? null,
      total_amount: facts.total_cents == null ? null : dollars(facts.total_cents),
      subject: facts.subject,
    }
  })
}

/**
 * The sessions that count toward totals and balances. Sessions that were sent back, marked for deletion, or held
 * as possible duplicates don't count.
 */
export const COUNTS = sql<boolean>`(sessions.deletion_by is null and not sessions.is_held and sessions.status <> 'disputed')`

/**
 * How many sessions are waiting for this side's answer (in the given date range, and overall through today),
 * and how many that the other side sent back are still unanswered.
 */
interface WaitingCounts {
  ofDays: number
  untilToday: number
  sentBack: number
}

/** Counts the sessions that are waiting for this side's answer and those that were sent back to it. */
export async function countWaiting(
  tx: Tx,
  workspaceId: WorkspaceId,
  from: CalendarDay,
  today: CalendarDay,
): Promise<WaitingCounts> {
  const [counts] = await waitingCounted(tx, { workspaceId, from, today })
  if (!counts) throw new Error('a query of counts answers one row')
  return counts
}

interface Counted {
  workspaceId: WorkspaceId
  from: CalendarDay
  today: CalendarDay
}

const waitingCounted = fixed((tx, { workspaceId, from, today }: Counted) => {
  const waits = sql<boolean>`${answerableUntil(today)} and waits_for_you and not is_read_only`
  return (
    tx
      .selectFrom('sessions')
      .select([
        sql<number>`count(*) filter (where day >= ${from}::date and ${waits})`.as('ofDays'),
        sql<number>`count(*) filter (where ${waits})`.as('untilToday'),
        sql<number>`count(*) filter (where ${SENT_BACK})`.as('sentBack'),
      ])
      .where('workspace_id', '=', workspaceId)
      // Reads only shared sessions, so it looks them up by connection instead of by day.
      .where(sql<boolean>`connection_id in (select c.id from connections c)`)
      .compile()
  )
})
