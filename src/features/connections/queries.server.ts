// SQL of the connections between families and practices, from either side.
import { sql } from 'kysely'
import { type CalendarDay, daysOfMonth } from '#kernel/calendar-day.ts'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import type { SharedSession } from '#features/sessions/confirmation.ts'
import { REMINDED_DAYS, REMINDER_DAYS, waitsForYou } from '#features/sessions/confirmation.ts'
import { askedOf } from '#features/sessions/queries.server.ts'
import type { EmailedLink, Side, Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { type Connection, type Person, type SessionPair, TOKEN_DAYS, UNANSWERED_DAYS } from './connection.ts'
import type { MailedPayment } from './payment-lines.ts'

/** Who looks at a connection: the workspace, and the side that it is on. */
export interface Viewer {
  workspace: WorkspaceId
  side: Side
}

interface ConnectionRow {
  id: string
  state: Connection['state']
  asked_by: Side
  owner_name: string | null
  tutor_id: string | null
  email: string | null
  created_at: Date
  shared_from: string | null
  ended_by: Side | null
  people: Person[]
  pairs: number
  is_read_only: boolean
  version: number
}

// A side meets a connection that asks its confirmed address before it is its own; until then it is only asked.
const STATE = {
  family: sql<Connection['state']>`case when c.family_id is null then 'asked' else c.state end`,
  practice: sql<Connection['state']>`case when c.practice_id is null then 'asked' else c.state end`,
}
const PEOPLE = {
  family: sql`array(select json_build_object('id', p.id, 'first_name', p.first_name, 'student_id', p.child_id) from connection_people p where p.connection_id = c.id order by p.first_name, p.id)`,
  practice: sql`array(select json_build_object('id', p.id, 'first_name', p.first_name, 'student_id', p.student_id) from connection_people p where p.connection_id = c.id order by p.first_name, p.id)`,
}
const OF_SIDE = {
  family: sql`c.tutor_id, c.email, case when c.family_id is null then (select name from asking_practice(c.id)) end as owner_name, c.practice_closed_at is not null as is_read_only`,
  practice: sql`null as tutor_id, invited_address(c.id) as email, (select w.owner_name from workspaces w where w.id = c.family_id) as owner_name,
    c.family_closed_at is not null as is_read_only`,
}

async function connectionRows(tx: Tx, { side }: Viewer, where = sql`true`): Promise<ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select c.id, ${STATE[side]} as state, c.asked_by, ${OF_SIDE[side]}, ${PEOPLE[side]} as people, c.created_at, c.shared_from, c.ended_by, c.version,
      (select count(*)::int from session_pairs x where x.connection_id = c.id) as pairs
    from connections c where ${where} order by c.created_at desc, c.id`.execute(tx)
  return rows
}

function toConnection(row: ConnectionRow, side: Side): Connection {
  const { asked_by, owner_name, created_at, ended_by, people, ...rest } = row
  return {
    ...rest,
    is_asked_by_you: asked_by === side,
    other_name: plainName(owner_name, '') || null,
    asked_at: created_at.toISOString(),
    ended_by: ended_by && (ended_by === side ? 'you' : 'other'),
    people: people.map((person) => ({ ...person, first_name: plainName(person.first_name, '?') })),
  }
}

/**
 * The connections of a side: those that ask it first, then the newest with each tutor, or to a practice the open ones and the newest
 * with each address that it asked.
 */
export async function listConnections(tx: Tx, viewer: Viewer): Promise<Connection[]> {
  const rows = await connectionRows(tx, viewer)
  const newestBy = (candidates: ConnectionRow[], key: 'tutor_id' | 'email') =>
    candidates.filter((row, at) => candidates.findIndex((other) => other[key] === row[key]) === at)
  // What a tutor asked and the family did not take has no tutor of the family's.
  const isRequest = (row: ConnectionRow) => row.asked_by === 'practice' && row.tutor_id === null
  const isOpen = ({ state }: ConnectionRow) => state === 'asked' || state === 'active'
  const ofAddress = newestBy(
    rows.filter((row) => row.asked_by === 'practice' && row.email !== null),
    'email',
  )
  const ofTutor = newestBy(
    rows.filter((row) => !isRequest(row)),
    'tutor_id',
  )
  const listed = rows.filter((row) =>
    viewer.side === 'family'
      ? ofTutor.includes(row) || (isRequest(row) && isOpen(row))
      : isOpen(row) || ofAddress.includes(row),
  )
  const connections = listed.map((row) => toConnection(row, viewer.side))
  const asks = ({ state, is_asked_by_you: isOwn }: Connection) => state === 'asked' && !isOwn
  return [...connections.filter(asks), ...connections.filter((one) => !asks(one))]
}

/** One connection in any state; undefined when it is not this side's. */
export async function readConnection(tx: Tx, viewer: Viewer, id: string): Promise<Connection | undefined> {
  const [row] = await connectionRows(tx, viewer, sql`c.id = ${id}::uuid`)
  return row && toConnection(row, viewer.side)
}

/** As the system: the workspaces of a connection that are there, one where the other side is an address. */
export async function sidesOf(tx: Tx, id: string): Promise<Record<Side, WorkspaceId | null> | undefined> {
  const row = await tx
    .selectFrom('connections')
    .select(['family_id', 'practice_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { family: row.family_id, practice: row.practice_id }
}

/** The address on a tutor's record; null where there is none, undefined when the family has no such tutor. */
export async function addressOfTutor(
  tx: Tx,
  workspaceId: WorkspaceId,
  tutorId: string,
): Promise<string | null | undefined> {
  return (
    await tx
      .selectFrom('tutors')
      .select('email')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', tutorId)
      .where('is_self', '=', false)
      .executeTakeFirst()
  )?.email
}

/** Asks a tutor, and shows the emailed page what the family logged; undefined when this tutor was asked already. */
export async function insertConnection(
  tx: Tx,
  workspaceId: WorkspaceId,
  asked: { tutorId: string; email: string; emailKey: string; sharedFrom: string | null },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('connections')
    .values({
      family_id: workspaceId,
      tutor_id: asked.tutorId,
      email: asked.email,
      email_key: asked.emailKey,
      shared_from: asked.sharedFrom,
    })
    .onConflict((conflict) =>
      conflict.columns(['family_id', 'tutor_id']).where('state', 'in', ['asked', 'active']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (row) await shareSessions(tx, row.id)
  return row?.id
}

/** A practice's open request to an address; undefined where there is none. */
export async function findRequest(
  tx: Tx,
  workspaceId: WorkspaceId,
  key: string,
): Promise<{ id: string; isTaken: boolean } | undefined> {
  const row = await tx
    .selectFrom('connections')
    .select(['id', 'family_id'])
    .where('practice_id', '=', workspaceId)
    .where('asked_by', '=', 'practice')
    .where('email_key', '=', key)
    .where('state', 'in', ['asked', 'active'])
    .executeTakeFirst()
  return row && { id: row.id, isTaken: row.family_id !== null }
}

/** Asks a family at an address; undefined when this practice asked it already. */
export async function insertRequest(
  tx: Tx,
  workspaceId: WorkspaceId,
  asked: { email: string; emailKey: string; sharedFrom: string | null },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('connections')
    .values({
      practice_id: workspaceId,
      asked_by: 'practice',
      email: asked.email,
      email_key: asked.emailKey,
      shared_from: asked.sharedFrom,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['practice_id', 'email_key'])
        .where('asked_by', '=', 'practice')
        .where('state', 'in', ['asked', 'active'])
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Adds students to a request and shows the emailed page their sessions; how many are new in it. */
export async function inviteStudents(tx: Tx, id: string, studentIds: string[]): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    select invite_students(${id}::uuid, ${studentIds}::uuid[]) as added`.execute(tx)
  await shareSessions(tx, id)
  return rows[0]?.added ?? 0
}

/** As a family: who asks it, and what an hour cost last; undefined when nobody asks by this connection. */
export async function askingPractice(
  tx: Tx,
  id: string,
): Promise<{ name: string | null; email: string; rate_cents: Cents | null } | undefined> {
  const { rows } = await sql<{ name: string | null; email: string; rate_cents: Cents | null }>`
    select * from asking_practice(${id}::uuid)`.execute(tx)
  return rows[0]
}

/** The tutor of a family at an address, with an open connection of theirs; undefined where none has it. */
export async function tutorAt(
  tx: Tx,
  workspaceId: WorkspaceId,
  key: string,
): Promise<{ id: string; connection: string | null; state: Connection['state'] | null } | undefined> {
  const { rows } = await sql<{ id: string; connection: string | null; state: Connection['state'] | null }>`
    select t.id, c.id as connection, c.state from tutors t left join connections c on c.family_id = t.workspace_id and c.tutor_id = t.id and c.state in ('asked', 'active')
    where t.workspace_id = ${workspaceId}::uuid and not t.is_self and translate(t.email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = ${key}
    order by t.archived_at is not null, t.created_at limit 1`.execute(tx)
  return rows[0]
}

/** Whether a workspace holds an amount yet; one that holds none may still take another currency. */
export async function hasAmounts(tx: Tx, workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await sql`
    (select from sessions where workspace_id = ${workspaceId}::uuid limit 1) union all (select from payments where workspace_id = ${workspaceId}::uuid limit 1)`.execute(
    tx,
  )
  return rows.length > 0
}

/** Names a workspace as the other side meets it, where it has no name yet. */
export async function nameWorkspace(tx: Tx, workspaceId: WorkspaceId, name: string): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ owner_name: name })
    .where('id', '=', workspaceId)
    .where('owner_name', 'is', null)
    .execute()
}

/** Shows each side what the other logged with the people of a connection. */
export async function shareSessions(tx: Tx, id: string): Promise<void> {
  await sql`select share_sessions(${id}::uuid)`.execute(tx)
}

/** As a family: says which of its children a student of a connection is; null empties it. */
export async function matchStudent(
  tx: Tx,
  id: string,
  personId: string,
  childId: string | null,
): Promise<void> {
  await sql`select match_student(${id}::uuid, ${personId}::uuid, ${childId}::uuid)`.execute(tx)
}

/** Says which student a child of a connection is; null makes it a new one when sessions are shared next. */
export async function matchChild(
  tx: Tx,
  id: string,
  personId: string,
  studentId: string | null,
): Promise<void> {
  await sql`select match_child(${id}::uuid, ${personId}::uuid, ${studentId}::uuid)`.execute(tx)
}

/** What an email says of a connection. */
export type ConnectionNews = 'accepted' | 'declined' | 'ended'

/** Asks for the email to the owner of the other side of a connection; nobody is written to where that side has no account. */
async function queueNews(tx: Tx, id: string, news: ConnectionNews): Promise<void> {
  const { rows } = await sql<{ user_id: string | null }>`select other_owner(${id}::uuid) as user_id`.execute(
    tx,
  )
  const userId = rows[0]?.user_id
  if (userId)
    await queueMail(tx, { userId, recipient: '', kind: 'connection_changed', data: { link_id: id, news } })
}

/** Ends an open connection from either side: both keep a copy of what they shared. False when there is none of this id. */
export async function endConnection(tx: Tx, { workspace, side }: Viewer, id: string): Promise<boolean> {
  const before = await tx
    .selectFrom('connections')
    .select(['state', 'asked_by'])
    .where('id', '=', id)
    .where('state', 'in', ['asked', 'active'])
    .executeTakeFirst()
  if (!before) return false
  const row = await tx
    .updateTable('connections')
    .set({
      state: 'ended',
      ended_by: side,
      ended_at: sql`now()`,
      version: sql`version + 1`,
      updated_at: sql`now()`,
      ...ofSide(side, workspace),
    })
    .where('id', '=', id)
    .where('state', 'in', ['asked', 'active'])
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await queueNews(tx, id, before.state === 'asked' && before.asked_by !== side ? 'declined' : 'ended')
  return true
}

/** The side of a connection that a workspace takes over, or has. */
function ofSide(side: Side, workspace: WorkspaceId) {
  return side === 'practice' ? { practice_id: workspace } : { family_id: workspace }
}

/**
 * Accepts or declines what the other side asked of the account's address; false when that was answered already.
 * @param tutorId as a family that accepts: the tutor who asks
 */
export async function answerConnection(
  tx: Tx,
  { workspace, side }: Viewer,
  id: string,
  state: 'active' | 'declined',
  tutorId?: string,
): Promise<boolean> {
  const isOver = state === 'declined'
  const before = await tx.selectFrom('connections').select('state').where('id', '=', id).executeTakeFirst()
  const row = await tx
    .updateTable('connections')
    .set({
      state,
      ...ofSide(side, workspace),
      ...(tutorId && { tutor_id: tutorId }),
      ended_by: isOver ? side : null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
      answered_at: sql`coalesce(answered_at, now())`,
      ended_at: isOver ? sql`now()` : null,
    })
    .where('id', '=', id)
    .where(side === 'practice' ? 'practice_id' : 'family_id', 'is', null)
    .where('state', 'in', ['asked', 'active'])
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  // Accepted from the email and then by the account of that address is accepted once.
  if (before?.state !== state) await queueNews(tx, id, isOver ? 'declined' : 'accepted')
  return true
}

interface PairRow {
  id: string
  currency: Currency
  first_name: string | null
  family_day: string
  family_minutes: Minutes
  family_rate_cents: Cents | null
  family_total_cents: Cents | null
  family_subject: string | null
  family_start: string | null
  practice_day: string
  practice_minutes: Minutes
  practice_rate_cents: Cents | null
  practice_total_cents: Cents | null
  practice_subject: string | null
  held: Side | null
  practice_start: string | null
}

/** The pairs of a connection that look like one lesson each, newest first. */
export async function listPairs(tx: Tx, { side }: Viewer, id: string): Promise<SessionPair[]> {
  const { rows } = await sql<PairRow>`select * from list_pairs(${id}::uuid)`.execute(tx)
  const inDollars = (amount: Cents | null) => (amount === null ? null : dollars(amount))
  return rows.map((row) => {
    const sides = {
      family: {
        date: row.family_day,
        duration: hours(row.family_minutes),
        rate: inDollars(row.family_rate_cents),
        total_amount: inDollars(row.family_total_cents),
        subject: row.family_subject,
        start_time: wallClock(row.family_start),
      },
      practice: {
        date: row.practice_day,
        duration: hours(row.practice_minutes),
        rate: inDollars(row.practice_rate_cents),
        total_amount: inDollars(row.practice_total_cents),
        subject: row.practice_subject,
        start_time: wallClock(row.practice_start),
      },
    }
    const { family, practice } = sides
    return {
      id: row.id,
      first_name: plainName(row.first_name, '') || null,
      currency: row.currency,
      yours: sides[side],
      theirs: side === 'family' ? practice : family,
      held: row.held && (row.held === side ? ('yours' as const) : ('theirs' as const)),
      is_equal:
        family.date === practice.date &&
        family.duration === practice.duration &&
        family.rate === practice.rate,
    }
  })
}

/** Answers one pair; false when it is answered already. Throws where copies of one session are said to be two. */
export async function answerPair(tx: Tx, id: string, pairId: string, isSame: boolean): Promise<boolean> {
  const { rows } = await sql<{ answered: boolean }>`
    select answer_pair(${id}::uuid, ${pairId}::uuid, ${isSame}) as answered`.execute(tx)
  return rows[0]?.answered ?? false
}

// The emailed page. It runs as the role of one connection, whose sessions are all that it sees.

/** More than a tutor gives lessons in a year with a family; older ones come up as these are answered. */
const MOST = 1000

function emailedSessions(tx: Tx) {
  return tx
    .selectFrom('sessions as s')
    .leftJoin('connection_people as p', (join) =>
      join.onRef('p.connection_id', '=', 's.connection_id').onRef('p.student_id', '=', 's.student_id'),
    )
    .leftJoin('connections as c', 'c.id', 's.connection_id')
    .leftJoin('workspaces', (join) =>
      join.on(sql<boolean>`workspaces.id = coalesce(c.family_id, c.practice_id)`),
    )
    .select([
      's.id',
      's.connection_id',
      's.student_id',
      'owner_name',
      'first_name',
      'day',
      'minutes',
      'rate_override_cents',
      'tutor_rate_cents',
      'total_cents',
      's.currency',
      'subject',
      'start_time',
      'summary',
      'homework',
      'own_says',
      'other_says',
      'own_word_note',
      'is_answered',
      'other_reply',
      'verified_by_tutor',
      'status',
      'deletion_by',
      'asked_since',
      'reminders',
      'reminded_at',
      'facts_version',
      's.version',
    ])
}

type EmailedRow = Awaited<ReturnType<ReturnType<typeof emailedSessions>['execute']>>[number]

function toShared(row: EmailedRow): SharedSession {
  const inDollars = (amount: number | null) => (amount === null ? null : dollars(amount as Cents))
  const isDisputed = row.own_says === 'disputed'
  return {
    id: row.id,
    connection_id: row.connection_id ?? '',
    other_name: plainName(row.owner_name, '') || null,
    student_name: plainName(row.first_name, '') || null,
    date: row.day,
    duration: hours(row.minutes as Minutes),
    rate: inDollars(row.rate_override_cents ?? row.tutor_rate_cents),
    total_amount: inDollars(row.total_cents),
    currency: row.currency,
    subject: row.subject,
    start_time: wallClock(row.start_time),
    summary: row.summary,
    homework: row.homework,
    own_confirmation: row.own_says,
    other_confirmation: row.other_says,
    verified_by_tutor: row.verified_by_tutor,
    status: row.status,
    waits_for_you: waitsForYou({
      own: row.own_says,
      isAnswered: row.is_answered,
      deletionAskedBy: row.deletion_by,
    }),
    deletion_asked_by: row.deletion_by,
    dispute_note: isDisputed ? row.own_word_note : null,
    answer_note: isDisputed && row.is_answered ? row.other_reply : null,
    ...askedOf(row),
    is_read_only: false,
    version: row.version,
  }
}

/** As an emailed link: the sessions of its connection up to a day, newest first. */
export async function listEmailed(tx: Tx, latest: string): Promise<SharedSession[]> {
  const query = emailedSessions(tx).where('day', '<=', latest).orderBy('day', 'desc').orderBy('s.id', 'desc')
  return (await query.limit(MOST).execute()).map(toShared)
}

/** As an emailed link: the sessions of a month, oldest first; undefined where there is none, or one that is not confirmed by both. */
export async function confirmedByMail(tx: Tx, month: string) {
  const { from, to } = daysOfMonth(month)
  const rows = await emailedSessions(tx)
    .select('s.updated_at')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('s.id')
    .execute()
  const isWhole = rows.length > 0 && rows.every((row) => row.verified_by_tutor && row.deletion_by === null)
  return isWhole ? rows : undefined
}

/** As an emailed link: one of its sessions, locked, with what a word on it needs. */
export async function lockEmailed(tx: Tx, id: string) {
  return tx
    .selectFrom('sessions')
    .select(['day', 'version', 'facts_version', 'own_says', 'own_word_note', 'is_answered'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** As an emailed link: one of its sessions as the page shows it. */
export async function readEmailed(tx: Tx, id: string): Promise<SharedSession | undefined> {
  const row = await emailedSessions(tx).where('s.id', '=', id).executeTakeFirst()
  return row && toShared(row)
}

/** As an emailed link: writes its side's word on a session that is locked. */
export async function writeEmailedWord(
  tx: Tx,
  id: string,
  word: {
    own_word: 'confirmed' | 'disputed' | null
    own_word_version: number | null
    own_word_note: string | null
  },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ ...word, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** As an emailed link: who asks, and for whose sessions. */
export async function emailedAsker(tx: Tx): Promise<{ name: string | null; firstNames: string[] }> {
  const { rows } = await sql<{ name: string | null; first_names: string[] }>`
    select w.owner_name as name, array(select first_name from connection_people p where p.connection_id = c.id order by first_name) as first_names
    from connections c join workspaces w on w.id = coalesce(c.family_id, c.practice_id)`.execute(tx)
  const [row] = rows
  return {
    name: plainName(row?.name, '') || null,
    firstNames: (row?.first_names ?? []).map((name) => plainName(name, '?')),
  }
}

/** As an emailed link: accepts what was asked, once, or ends it; the other side is told. */
export async function answerByMail(
  tx: Tx,
  { id, side }: EmailedLink,
  state: 'active' | 'ended',
): Promise<void> {
  const isOver = state === 'ended'
  const before = await tx.selectFrom('connections').select('state').where('id', '=', id).executeTakeFirst()
  if (!before || before.state === state) return
  await tx
    .updateTable('connections')
    .set({
      state,
      ended_by: isOver ? side : null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
      answered_at: sql`coalesce(answered_at, now())`,
      ended_at: isOver ? sql`now()` : null,
    })
    .where('id', '=', id)
    .execute()
  await queueNews(tx, id, isOver ? (before.state === 'asked' ? 'declined' : 'ended') : 'accepted')
}

// As the system: emails about connections, and the tokens in them.

/** The first names of whose sessions a connection shares. */
const FIRST_NAMES = sql<
  string[]
>`array(select p.first_name from connection_people p where p.connection_id = c.id order by p.first_name)`

/** The two sides of a connection in any state, for an email about it: their owners, and what each is called. */
export async function partiesForMail(tx: Tx, id: string) {
  const { rows } = await sql<{
    state: Connection['state']
    asked_by: Side
    family_owner_id: string | null
    family_name: string | null
    tutor_name: string | null
    first_names: string[]
  }>`
    select c.state, c.asked_by, m.account_id as family_owner_id, f.owner_name as family_name, coalesce(t.name, p.owner_name) as tutor_name, ${FIRST_NAMES} as first_names
    from connections c left join workspaces f on f.id = c.family_id left join members m on m.workspace_id = c.family_id and m.role = 'owner'
      left join workspaces p on p.id = c.practice_id left join tutors t on t.workspace_id = c.family_id and t.id = c.tutor_id
    where c.id = ${id}::uuid`.execute(tx)
  return rows[0]
}

/** The connections that are open, and whose sides are. */
function openConnections(tx: Tx) {
  return tx
    .selectFrom('connections')
    .where('state', 'in', ['asked', 'active'])
    .where('family_closed_at', 'is', null)
    .where('practice_closed_at', 'is', null)
}

/** What an email to an address without an account needs, while the connection is open and that side has none. */
export interface EmailedSide extends EmailedLink {
  email: string | null
  state: Connection['state']
  /** Who asks, by the name that they gave. */
  other_name: string | null
  /** The tutor as the family calls them; nothing else is known of whoever is asked. */
  tutor_name: string | null
  first_names: string[]
}

/** The side of an open connection that is an address without an account; undefined where both have one. */
export async function connectionForMail(tx: Tx, id: string): Promise<EmailedSide | undefined> {
  const { rows } = await sql<EmailedSide>`
    select c.id, case when c.practice_id is null then 'practice' else 'family' end as side, c.email, c.state, w.owner_name as other_name, t.name as tutor_name, ${FIRST_NAMES} as first_names
    from connections c join workspaces w on w.id = coalesce(c.family_id, c.practice_id) left join tutors t on t.workspace_id = c.family_id and t.id = c.tutor_id
    where c.id = ${id}::uuid and c.state in ('asked', 'active') and c.family_closed_at is null and c.practice_closed_at is null and (c.practice_id is null or c.family_id is null)`.execute(
    tx,
  )
  return rows[0]
}

/** Keeps the hash of an emailed link's token. */
export async function insertLinkToken(tx: Tx, id: string, hash: Buffer, now: Date): Promise<void> {
  await tx
    .insertInto('link_tokens')
    .values({
      link_id: id,
      token_hash: hash,
      expires_at: new Date(now.getTime() + TOKEN_DAYS * 86_400_000),
    })
    .execute()
}

/** The open connection behind an emailed token that holds at this moment, until an account takes over that side. */
export async function connectionOfToken(
  tx: Tx,
  hash: Buffer,
  now: Date,
): Promise<(EmailedLink & { email: string | null }) | undefined> {
  const row = await openConnections(tx)
    .innerJoin('link_tokens', 'connections.id', 'link_tokens.link_id')
    .select(['connections.id', 'connections.email', 'practice_id'])
    .where((where) => where.or([where('practice_id', 'is', null), where('family_id', 'is', null)]))
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && { id: row.id, email: row.email, side: row.practice_id === null ? 'practice' : 'family' }
}

/** Forgets the addresses of those who never answered, and mailed links that are over. Run once a day (promise P9). */
export async function forgetUnanswered(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNANSWERED_DAYS * 86_400_000)
  await tx
    .updateTable('connections')
    .set({ state: 'ended', ended_at: now, email: null, email_key: null })
    .where('state', '=', 'asked')
    .where('created_at', '<', before)
    .execute()
  await tx
    .updateTable('connections')
    .set({ email: null, email_key: null })
    .where('state', 'in', ['declined', 'ended'])
    .where('email', 'is not', null)
    .where('ended_at', '<', before)
    .execute()
  await tx.deleteFrom('link_tokens').where('expires_at', '<', now).execute()
}

// As the system: who is written to about shared sessions, and what the emails say. Both sides are looked at alike.

/** Whom an email goes to: accounts, and connections whose other side is an address without one. */
export interface Recipients {
  accounts: string[]
  connections: string[]
}

/** What a side is asked to say or do, by the names of its columns; as waitsForYou says it (sessions/confirmation.ts). */
function sideOf(own: Side, other: Side, isOpen = sql`c.state = 'active'`) {
  const column = (side: Side, name: string) => sql.ref(`s.${side}_${name}`)
  const says = (side: Side, word: string) =>
    sql`coalesce(${column(side, 'word')} = ${sql.lit(word)} and ${column(side, 'word_version')} = s.facts_version, false)`
  const answered = (by: Side, side: Side) =>
    sql`coalesce(${column(by, 'reply_at')} > ${column(side, 'word_at')}, false)`
  const asked = column(own, 'asked_since')
  return sql`select s.key, ${column(own, 'id')} as workspace_id, c.id as connection_id, ${sql.lit(own)} as side, s.day, s.minutes,
    greatest(s.updated_at, c.answered_at) as since, s.is_verified and s.deletion_asked_by is null as is_confirmed,
    s.deletion_asked_by is null and ((not ${says(own, 'confirmed')} and not ${says(own, 'disputed')}) or (${says(own, 'disputed')} and ${answered(other, own)})) as waits,
    coalesce(s.deletion_asked_by = ${sql.lit(other)}, false) as is_leaving,
    -- A lesson is confirmed from its day on.
    case when s.deletion_asked_by is null then greatest(${asked}, s.day::timestamp at time zone 'UTC') else ${asked} end as asked_at,
    ${column(own, 'reminders')} as reminders, ${column(own, 'reminded_at')} as reminded_at,
    s.deletion_asked_by is null and ${says(other, 'disputed')} and not ${answered(own, other)} as is_sent_back
  from public.sessions s join connections c on c.id = s.connection_id and ${isOpen} and c.family_closed_at is null and c.practice_closed_at is null`
}
const SHARED = sql`(${sideOf('family', 'practice')} union all ${sideOf('practice', 'family')}) w`
/** The same, and what is only asked for yet. */
const OPEN = sql`c.state in ('asked', 'active')`
const ASKED = sql`(${sideOf('family', 'practice', OPEN)} union all ${sideOf('practice', 'family', OPEN)}) w`

/** The payments that a side is asked about, by the names of its columns; as waitsForYou says it (payments/confirmation.ts). */
function paymentSideOf(own: Side, other: Side) {
  const column = (side: Side, name: string) => sql.ref(`p.${side}_${name}`)
  return sql`select p.key, ${column(own, 'id')} as workspace_id, c.id as connection_id, ${sql.lit(own)} as side,
    p.deletion_asked_by is null and not coalesce(${column(own, 'word')} is not null and ${column(own, 'word_version')} = p.facts_version, false) as waits,
    coalesce(p.deletion_asked_by = ${sql.lit(other)}, false) as is_leaving,
    -- What was recorded before it was shared has an older word, and is news all the same.
    coalesce(p.deletion_asked_at, greatest(${column(other, 'word_at')}, c.answered_at, case when ${column(own, 'word_at')} is null then p.updated_at end)) as since
  from public.payments p join connections c on c.id = p.connection_id and c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null`
}
const PAYMENTS = sql`(${paymentSideOf('family', 'practice')} union all ${paymentSideOf('practice', 'family')}) w`
/** Of an account that may be written to, the workspaces that it owns. */
const OWNERS = sql`members m on m.workspace_id = w.workspace_id and m.role = 'owner' join users u on u.id = m.account_id and u.disabled_at is null and u.deletion_asked_at is null
  left join notice_choices n on n.user_id = m.account_id`
/** Whoever may answer for a workspace: its owner, and a parent or assistant who keeps all of it. */
const ANSWERS = sql`m.workspace_id = w.workspace_id and (m.role = 'owner' or (m.role in ('parent', 'assistant') and m.all_students))`
const ANSWERERS = sql`members m on ${ANSWERS}
  join users u on u.id = m.account_id and u.disabled_at is null and u.deletion_asked_at is null left join notice_choices n on n.user_id = m.account_id`
/** The side of an address without an account. */
const EMAILED = sql`w.workspace_id is null`

/** How long after an email the next one may follow: a day, less the time by which a daily job may run early. */
const PAUSE = sql`interval '20 hours'`

/**
 * Marks everyone who gets today's email, and names them: owners of families and practices for which a session or a payment waits, or to
 * which something was sent back, since their last email, and addresses without an account likewise.
 */
export async function takeDigests(tx: Tx, now: Date): Promise<Recipients> {
  const asked = sql`(select w.workspace_id, w.connection_id, w.since from ${SHARED}
      where (w.waits and w.day <= ${now}::date + 1) or w.is_leaving or (w.is_sent_back and w.workspace_id is not null)
    union all select w.workspace_id, w.connection_id, w.since from ${PAYMENTS} where w.waits or w.is_leaving) w`
  const { rows: accounts } = await sql<{ id: string }>`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
    select m.account_id, true, true, ${now}::timestamptz from ${asked} join ${OWNERS}
    where w.since > coalesce(n.mailed_at, '-infinity') and coalesce(n.daily_digest, true) group by 1
    on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest and coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
    returning user_id as id`.execute(tx)
  const { rows: connections } = await sql<{ id: string }>`
    update connections l set mailed_at = ${now}::timestamptz where (l.practice_id is null or l.family_id is null) and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and exists (select from ${asked} where ${EMAILED} and w.connection_id = l.id and w.since > coalesce(l.mailed_at, l.created_at)) returning l.id`.execute(
    tx,
  )
  return { accounts: idsOf(accounts), connections: idsOf(connections) }
}

/**
 * Counts the reminders that are due today, and names whom they go to: everyone who may answer for a side, or the address without an
 * account. One email says all that waits there. A reminder counts where at least one email goes out, so a side that wants none
 * is reminded of nothing, and has longer to answer (answerDue in sessions/confirmation.ts).
 */
export async function takeReminders(tx: Tx, now: Date): Promise<Recipients> {
  const [first, second] = REMINDER_DAYS
  const before = (days: number) => sql`${new Date(now.getTime() - days * 86_400_000)}::timestamptz`
  const isDue = sql`(w.waits or w.is_leaving) and ((w.reminders = 0 and w.asked_at <= ${before(first)})
    or (w.reminders = 1 and w.asked_at <= ${before(second)} and w.reminded_at <= ${before(REMINDED_DAYS)}))`
  const { rows: accounts } = await sql<{ id: string }>`
    insert into notice_choices (user_id, daily_digest, month_ready, mailed_at)
    select m.account_id, true, true, ${now}::timestamptz from ${SHARED} join ${ANSWERERS}
    where ${isDue} and u.email_confirmed_at is not null and coalesce(n.daily_digest, true) group by 1
    on conflict (user_id) do update set mailed_at = excluded.mailed_at where notice_choices.daily_digest and coalesce(notice_choices.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
    returning user_id as id`.execute(tx)
  const { rows: connections } = await sql<{ id: string }>`
    update connections l set mailed_at = ${now}::timestamptz where (l.practice_id is null or l.family_id is null) and l.email is not null and coalesce(l.mailed_at, '-infinity') < ${now}::timestamptz - ${PAUSE}
      and not exists (select from opt_outs o where o.address_hash = sha256(convert_to('address:' || l.email_key, 'UTF8')))
      and exists (select from ${SHARED} where ${EMAILED} and w.connection_id = l.id and ${isDue}) returning l.id`.execute(
    tx,
  )
  const taken = { accounts: idsOf(accounts), connections: idsOf(connections) }
  if (accounts.length + connections.length === 0) return taken
  for (const side of ['family', 'practice'] as const) {
    const [count, last] = [sql.ref(`${side}_reminders`), sql.ref(`${side}_reminded_at`)]
    await sql`
      update public.sessions s set ${count} = s.${count} + 1, ${last} = ${now}::timestamptz from ${SHARED}
      where w.key = s.key and w.side = ${side} and s.${count} = w.reminders and ${isDue}
        and ((${EMAILED} and w.connection_id = any (${taken.connections}::uuid[]))
          or exists (select from members m where ${ANSWERS} and m.account_id = any (${taken.accounts}::uuid[])))`.execute(
      tx,
    )
  }
  return taken
}

/** Who gets the email about a month that is over and has not got it: owners who share sessions of it, and addresses without an account for which some of it waits. */
export async function takeMonth(tx: Tx, month: string): Promise<Recipients> {
  const { from, to } = daysOfMonth(month)
  const isNew = (who: ReturnType<typeof sql>) =>
    sql`not exists (select from outbox o where o.kind in ('month_over', 'waiting_sessions') and o.data ->> 'month' = ${month} and ${who})`
  const { rows: accounts } = await sql<{ id: string }>`
    select m.account_id as id from ${SHARED} join ${OWNERS}
    where w.day between ${from}::date and ${to}::date and coalesce(n.month_ready, true) and ${isNew(sql`o.user_id = m.account_id`)} group by 1`.execute(
    tx,
  )
  const { rows: connections } = await sql<{ id: string }>`
    select l.id from connections l where (l.practice_id is null or l.family_id is null) and l.email is not null and ${isNew(sql`o.data ->> 'link_id' = l.id::text`)}
      and exists (select from ${SHARED} where ${EMAILED} and w.connection_id = l.id and w.waits and w.day between ${from}::date and ${to}::date)`.execute(
    tx,
  )
  return { accounts: idsOf(accounts), connections: idsOf(connections) }
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** What waits for an account on one kind of side: sessions to confirm and their minutes, others that it is asked to delete, and what was sent back. */
export interface Waiting {
  kind: Side
  sessions: number
  minutes: number
  deletions: number
  sent_back: number
  /** Since when the oldest of what waits does; null where something was only sent back. */
  since: Date | null
}

/** What waits for an account until a day, in its families and in its practices; nothing where nothing does. */
export async function waitingFor(tx: Tx, accountId: string, to: CalendarDay): Promise<Waiting[]> {
  const waits = sql`w.waits and w.day <= ${to}::date`
  const { rows } = await sql<Waiting>`
    select w.side as kind, count(*) filter (where ${waits})::int as sessions, coalesce(sum(w.minutes) filter (where ${waits}), 0)::int as minutes,
      count(*) filter (where w.is_leaving)::int as deletions, count(*) filter (where w.is_sent_back)::int as sent_back,
      min(w.asked_at) filter (where (${waits}) or w.is_leaving) as since
    from ${SHARED} join ${ANSWERERS} where m.account_id = ${accountId}::uuid and ((${waits}) or w.is_leaving or w.is_sent_back) group by 1 order by 1`.execute(
    tx,
  )
  return rows
}

/** A session in the list of an email: one to confirm, or one that the other side asks to delete. */
export interface MailedSession extends WaitingWords {
  minutes: Minutes
  total_cents: Cents | null
  currency: Currency
  is_leaving: boolean
  /** Since when it waits. */
  asked_at: Date
}

/** What waits at the address of a connection without an account, oldest first: sessions to confirm between two days, and deletions to agree to. */
export async function sessionsByMail(
  tx: Tx,
  id: string,
  days: { from?: CalendarDay; to: CalendarDay },
): Promise<MailedSession[]> {
  const { rows } = await sql<MailedSession>`
    select p.first_name, s.day, s.minutes, s.total_cents, s.currency, s.summary, s.homework, w.is_leaving, w.asked_at
    from ${ASKED} join public.sessions s on s.key = w.key left join connection_people p on p.connection_id = s.connection_id
      and (p.child_id = s.child_id or (s.child_id is null and p.student_id = s.student_id))
    where ${EMAILED} and w.connection_id = ${id}::uuid and (w.is_leaving or (w.waits and w.day between ${days.from ?? '1900-01-01'}::date and ${days.to}::date)) order by s.day, s.key`.execute(
    tx,
  )
  return rows
}

/** The payments that wait for an account, in its families and in its practices, or at the address of a connection without one; oldest first. */
export async function paymentsByMail(
  tx: Tx,
  whose: { account: string } | { connection: string },
): Promise<MailedPayment[]> {
  const isWhose =
    'account' in whose
      ? sql`exists (select from members m where ${ANSWERS} and m.account_id = ${whose.account}::uuid)`
      : sql`${EMAILED} and w.connection_id = ${whose.connection}::uuid`
  const says = (side: Side) =>
    sql`coalesce(${sql.ref(`p.${side}_word`)} = 'confirmed' and ${sql.ref(`p.${side}_word_version`)} = p.facts_version, false)`
  const { rows } = await sql<MailedPayment>`
    select w.side, case w.side when 'family' then t.name else coalesce(st.first_name, f.owner_name) end as about, w.is_leaving,
      case when ${says('practice')} and not ${says('family')} then 'practice' else 'family' end as reported_by,
      p.day, p.kind, p.amount_cents, p.prepaid_minutes, p.method, p.currency
    from ${PAYMENTS} join public.payments p on p.key = w.key
      left join tutors t on t.workspace_id = w.workspace_id and t.id = p.family_tutor_id
      left join students st on st.workspace_id = w.workspace_id and st.id = p.student_id
      left join workspaces f on w.workspace_id is not null and f.id = p.family_id
    where (w.waits or w.is_leaving) and ${isWhose} order by p.day, p.key`.execute(tx)
  return rows
}

/** What was written of a lesson that waits, and whose it was. */
export interface WaitingWords {
  first_name: string | null
  day: CalendarDay
  summary: string | null
  homework: string | null
}

/** How many lessons an email tells of; the rest are where its button leads. */
export const MOST_TOLD = 5

/** What was written of the lessons that wait for an account; the newest first. */
export async function wordsWaiting(tx: Tx, accountId: string, to: CalendarDay): Promise<WaitingWords[]> {
  const { rows } = await sql<WaitingWords>`
    select st.first_name, s.day, s.summary, s.homework from ${SHARED} join public.sessions s on s.key = w.key join ${OWNERS}
      left join students st on st.workspace_id = w.workspace_id and st.id = case w.side when 'family' then s.child_id else s.student_id end
    where m.account_id = ${accountId}::uuid and w.waits and w.day <= ${to}::date and (s.summary is not null or s.homework is not null)
    order by s.day desc, s.id limit ${MOST_TOLD}`.execute(tx)
  return rows
}

/** A month that an account shares: sessions and minutes in all, how many are confirmed, and for whose word the others wait. */
export interface MonthOver {
  kind: Side
  sessions: number
  minutes: number
  confirmed: number
  sent_back: number
  for_you: number
  for_them: number
}

/** A month that is over, in the families and in the practices of an account; nothing where nothing was shared. */
export async function monthOver(tx: Tx, accountId: string, month: string): Promise<MonthOver[]> {
  const { from, to } = daysOfMonth(month)
  const isForYou = sql`w.waits or w.is_leaving`
  const { rows } = await sql<MonthOver>`
    select w.side as kind, count(*)::int as sessions, sum(w.minutes)::int as minutes, count(*) filter (where w.is_confirmed)::int as confirmed,
      count(*) filter (where w.is_sent_back)::int as sent_back, count(*) filter (where (${isForYou}) and not w.is_sent_back)::int as for_you,
      count(*) filter (where not (w.is_confirmed or w.is_sent_back or ${isForYou}))::int as for_them
    from ${SHARED} join ${OWNERS} where m.account_id = ${accountId}::uuid and w.day between ${from}::date and ${to}::date group by 1 order by 1`.execute(
    tx,
  )
  return rows
}

/** As the system: what became of a month between two sides last. */
export async function monthNews(tx: Tx, id: string, month: string) {
  return tx
    .selectFrom('closed_months')
    .select(['state', 'asked_by', 'reopened_by', 'reason'])
    .where('connection_id', '=', id)
    .where('month', '=', month)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}
