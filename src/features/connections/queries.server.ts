// SQL for the connections between families and practices, from either side.
import { sql } from 'kysely'
import { hours, type Minutes } from '#kernel/duration.ts'
import { type Cents, type Currency, dollars } from '#kernel/money.ts'
import { plainName } from '#kernel/plain-name.ts'
import { emailKey } from '#kernel/text.ts'
import { wallClock } from '#kernel/wall-clock.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { holdSharing } from '#features/agreements/queries.server.ts'
import { ALPHABETICAL } from '#platform/db/collation.server.ts'
import type { Side } from '#features/access/role.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import type { Connection, ConnectionNews, Person, SessionPair } from './connection.ts'
import { handedLink } from './handed.ts'

/** A connection's reader: a workspace and its side. */
interface Viewer {
  workspace: WorkspaceId
  side: Side
  now: Date
}

interface ConnectionRow {
  id: string
  state: Connection['state']
  asked_by: Side
  is_answered: boolean
  arriving: { sessions: number; rate_cents: Cents | null } | null
  owner_name: string | null
  tutor_id: string | null
  email: string | null
  is_by_link: boolean
  link: { claimed_at: string | null; lapses_at: string } | null
  created_at: Date
  shared_from: string | null
  ended_by: Side | null
  people: Person[]
  pairs: number
  is_read_only: boolean
  version: number
}

// Until a workspace accepts, it isn't part of the connection. Its account sees the request because it went to
// the account's confirmed address.
const STATE = {
  family: sql<Connection['state']>`case when c.family_id is null then 'asked' else c.state end`,
  practice: sql<Connection['state']>`case when c.practice_id is null then 'asked' else c.state end`,
}
// Whether somebody has already answered by email for this side, and no account has taken it over yet.
const IS_ANSWERED = {
  family: sql<boolean>`c.family_id is null and c.state = 'active'`,
  practice: sql<boolean>`c.practice_id is null and c.state = 'active'`,
}
const ARRIVING = {
  family: sql`null`,
  practice: sql`case when c.practice_id is null and c.state = 'active' then (select row_to_json(a) from arriving_sessions(c.id) a) end`,
}
const PEOPLE = {
  family: sql`array(select json_build_object('id', p.id, 'first_name', p.first_name, 'student_id', p.child_id)
      from connection_people p where p.connection_id = c.id order by p.first_name ${ALPHABETICAL}, p.id)`,
  practice: sql`array(select json_build_object('id', p.id, 'first_name', p.first_name, 'student_id', p.student_id)
      from connection_people p where p.connection_id = c.id order by p.first_name ${ALPHABETICAL}, p.id)`,
}
const OF_SIDE = {
  family: sql`c.tutor_id, c.email, case
    when c.family_id is null then (select name from asking_practice(c.id)) end as owner_name,
    c.practice_closed_at is not null as is_read_only`,
  practice: sql`null as tutor_id, invited_address(c.id) as email, (select w.owner_name from workspaces w where w.id = c.family_id) as owner_name,
    c.family_closed_at is not null as is_read_only`,
}

// Asked by email, or taken over by an account, an open connection has an address.
const LINK = sql`c.email_key is null and c.state in ('asked', 'active') as is_by_link,
  (select json_build_object('claimed_at', h.claimed_at, 'lapses_at', h.lapses_at) from handed_links h
    where h.connection_id = c.id and h.ended_at is null) as link`

async function connectionRows(tx: Tx, { side }: Viewer, where = sql`true`): Promise<ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select c.id, ${STATE[side]} as state, ${IS_ANSWERED[side]} as is_answered, ${ARRIVING[side]} as arriving, c.asked_by, ${OF_SIDE[side]}, ${LINK},
      ${PEOPLE[side]} as people, c.created_at, c.shared_from, c.ended_by, c.version,
      (select count(*)::int from session_pairs x where x.connection_id = c.id) as pairs
    from connections c where ${where} order by c.created_at desc, c.id`.execute(tx)
  return rows
}

function toConnection(row: ConnectionRow, { side, now }: Viewer): Connection {
  const { asked_by, owner_name, created_at, ended_by, people, arriving, is_by_link, link, ...rest } = row
  const made = link && {
    claimed_at: link.claimed_at === null ? null : new Date(link.claimed_at),
    lapses_at: new Date(link.lapses_at),
  }
  return {
    ...rest,
    link: is_by_link ? handedLink(made ?? undefined, now) : null,
    arriving: arriving && {
      sessions: arriving.sessions,
      hourly_rate: arriving.rate_cents === null ? null : dollars(arriving.rate_cents),
    },
    is_asked_by_you: asked_by === side,
    other_name: plainName(owner_name, '') || null,
    asked_at: created_at.toISOString(),
    ended_by: ended_by && (ended_by === side ? 'you' : 'other'),
    people: people.map((person) => ({ ...person, first_name: plainName(person.first_name, '?') })),
  }
}

/**
 * A side's connections. The requests it received come first. A family gets the newest connection with each
 * tutor. A practice gets all open connections, and the newest with each address it asked.
 */
export async function listConnections(tx: Tx, viewer: Viewer): Promise<Connection[]> {
  const rows = await connectionRows(tx, viewer)
  const newestBy = (candidates: ConnectionRow[], key: 'tutor_id' | 'email') =>
    candidates.filter((row, at) => candidates.findIndex((other) => other[key] === row[key]) === at)
  // A tutor's request that hasn't been accepted isn't linked to any of the family's tutors.
  const isRequest = (row: ConnectionRow) => row.asked_by === 'practice' && row.tutor_id === null
  const isOpen = ({ state }: ConnectionRow) => state === 'asked' || state === 'active'
  const ofAddress = newestBy(
    rows.filter((row) => row.asked_by === 'practice' && row.email !== null),
    'email',
  )
  // Without an address, a request is about its students.
  const studentsOf = ({ people }: ConnectionRow) => people.map(({ student_id: id }) => id).join()
  const byLink = rows.filter((row) => row.asked_by === 'practice' && row.email === null && row.link)
  const ofStudents = byLink.filter(
    (row, at) => byLink.findIndex((one) => studentsOf(one) === studentsOf(row)) === at,
  )
  const ofTutor = newestBy(
    rows.filter((row) => !isRequest(row)),
    'tutor_id',
  )
  const listed = rows.filter((row) =>
    viewer.side === 'family'
      ? ofTutor.includes(row) || (isRequest(row) && isOpen(row))
      : isOpen(row) || ofAddress.includes(row) || ofStudents.includes(row),
  )
  const connections = listed.map((row) => toConnection(row, viewer))
  const asks = ({ state, is_asked_by_you: isOwn }: Connection) => state === 'asked' && !isOwn
  return [...connections.filter(asks), ...connections.filter((one) => !asks(one))]
}

/**
 * Locks both sides of a connection, so that nobody shares, answers or matches anything under it in the
 * meantime. Has to come before anything else is locked (db/repeatable/sharing.sql). Returns whether the
 * connection is open.
 * @param id null for a connection that's about to be requested
 */
export async function lockConnection(tx: Tx, id: string | null): Promise<boolean> {
  const { rows } = await sql<{ state: Connection['state'] | null }>`
    select lock_connection(${id}::uuid) as state`.execute(tx)
  const state = rows[0]?.state
  return state === 'asked' || state === 'active'
}

/**
 * Locks what an emailed link may answer. Returns whether its connection is still open. Only the first answer
 * changes the connection; the others let everyone else share in the meantime.
 */
export async function lockForAnswer(tx: Tx, id: string): Promise<boolean> {
  const isActive = async () =>
    (await tx.selectFrom('connections').select('state').where('id', '=', id).executeTakeFirst())?.state ===
    'active'
  if (!(await isActive())) return lockConnection(tx, id)
  await holdSharing(tx)
  return isActive()
}

/** One connection, whatever its state; undefined if this side isn't part of it. */
export async function readConnection(tx: Tx, viewer: Viewer, id: string): Promise<Connection | undefined> {
  const [row] = await connectionRows(tx, viewer, sql`c.id = ${id}::uuid`)
  return row && toConnection(row, viewer)
}

/** A connection's two workspaces; null for a side that's only an email address. Runs as the system role. */
export async function sidesOf(tx: Tx, id: string): Promise<Record<Side, WorkspaceId | null> | undefined> {
  const row = await tx
    .selectFrom('connections')
    .select(['family_id', 'practice_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { family: row.family_id, practice: row.practice_id }
}

/**
 * The address on a tutor's record; null if the record has no address, undefined if the family has no such
 * tutor.
 */
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

/**
 * Sends a tutor a connection request and shares the family's sessions with the emailed page; undefined if
 * this tutor was already asked.
 */
export async function insertConnection(
  tx: Tx,
  workspaceId: WorkspaceId,
  asked: { tutorId: string; email: string | null; sharedFrom: string | null },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('connections')
    .values({
      family_id: workspaceId,
      tutor_id: asked.tutorId,
      email: asked.email,
      email_key: asked.email && emailKey(asked.email),
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

/** A practice's open request to an address; undefined if there isn't one. */
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

/**
 * Whether a family or a practice asked this address to connect, and no account has taken over the address's
 * side yet. Runs as the system role.
 */
export async function isAsked(tx: Tx, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom('connections')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .where('state', 'in', ['asked', 'active'])
    .where((is) => is.or([is('practice_id', 'is', null), is('family_id', 'is', null)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sends a family a connection request, by email if it has an address; undefined if this practice already asked it. */
export async function insertRequest(
  tx: Tx,
  workspaceId: WorkspaceId,
  asked: { email: string | null; sharedFrom: string | null },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('connections')
    .values({
      practice_id: workspaceId,
      asked_by: 'practice',
      email: asked.email,
      email_key: asked.email && emailKey(asked.email),
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

/** Adds students to a request and shows their sessions on the emailed page. Returns how many are new. */
export async function inviteStudents(tx: Tx, id: string, studentIds: string[]): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    select invite_students(${id}::uuid, ${studentIds}::uuid[]) as added`.execute(tx)
  await shareSessions(tx, id)
  return rows[0]?.added ?? 0
}

/**
 * For a family: the name and latest hourly rate of the tutor who sent the request; undefined if this
 * connection isn't a request.
 */
export async function askingPractice(
  tx: Tx,
  id: string,
): Promise<{ name: string | null; email: string; rate_cents: Cents | null } | undefined> {
  const { rows } = await sql<{ name: string | null; email: string; rate_cents: Cents | null }>`
    select * from asking_practice(${id}::uuid)`.execute(tx)
  return rows[0]
}

/** A family's tutor with this address, and their open connection if any; undefined if there's no such tutor. */
export async function tutorAt(
  tx: Tx,
  workspaceId: WorkspaceId,
  key: string,
): Promise<{ id: string; connection: string | null; state: Connection['state'] | null } | undefined> {
  const { rows } = await sql<{ id: string; connection: string | null; state: Connection['state'] | null }>`
    select t.id, c.id as connection, c.state from tutors t left join connections c on c.family_id = t.workspace_id
      and c.tutor_id = t.id and c.state in ('asked', 'active')
    where t.workspace_id = ${workspaceId}::uuid and not t.is_self and translate(t.email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') = ${key}
    order by t.archived_at is not null, t.created_at limit 1`.execute(tx)
  return rows[0]
}

/** Sets the name that the workspace shows to the other side, if it doesn't have one. */
export async function nameWorkspace(tx: Tx, workspaceId: WorkspaceId, name: string): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ owner_name: name })
    .where('id', '=', workspaceId)
    .where('owner_name', 'is', null)
    .execute()
}

/** Shares the sessions that each side logged for the people in a connection. */
export async function shareSessions(tx: Tx, id: string): Promise<void> {
  await sql`select share_sessions(${id}::uuid)`.execute(tx)
}

/** For a family: matches a connection's student with a child; null clears the match. */
export async function matchStudent(
  tx: Tx,
  id: string,
  personId: string,
  childId: string | null,
): Promise<void> {
  await sql`select match_student(${id}::uuid, ${personId}::uuid, ${childId}::uuid)`.execute(tx)
}

/** Matches a connection's child with a student; if null, sharing creates a new student. */
export async function matchChild(
  tx: Tx,
  id: string,
  personId: string,
  studentId: string | null,
): Promise<void> {
  await sql`select match_child(${id}::uuid, ${personId}::uuid, ${studentId}::uuid)`.execute(tx)
}

/** Queues the email to the other side's owner. Does nothing if that side has no account. */
export async function queueNews(tx: Tx, id: string, news: ConnectionNews): Promise<void> {
  const { rows } = await sql<{ user_id: string | null }>`select other_owner(${id}::uuid) as user_id`.execute(
    tx,
  )
  const userId = rows[0]?.user_id
  if (userId)
    await queueMail(tx, { userId, recipient: '', kind: 'connection_changed', data: { link_id: id, news } })
}

/**
 * Ends an open connection from either side. Both keep a copy of what they shared. Returns false if there's no
 * open connection with this id.
 */
export async function endConnection(tx: Tx, { workspace, side }: Viewer, id: string): Promise<boolean> {
  await lockConnection(tx, id)
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

/**
 * The column that links a workspace to its side of a connection, with the value to store when the workspace
 * takes over that side.
 */
function ofSide(side: Side, workspace: WorkspaceId) {
  return side === 'practice' ? { practice_id: workspace } : { family_id: workspace }
}

/** The columns that change when a side accepts a request, declines it, or ends the connection. */
export function answered(side: Side, state: 'active' | 'declined' | 'ended') {
  const isOver = state !== 'active'
  return {
    state,
    ended_by: isOver ? side : null,
    version: sql<number>`version + 1`,
    updated_at: sql<Date>`now()`,
    answered_at: sql<Date>`coalesce(answered_at, now())`,
    ended_at: isOver ? sql<Date>`now()` : null,
  }
}

/**
 * Accepts or declines a request to the account's address; false if it was already answered.
 * @param tutorId for a family that accepts: the tutor who sent the request
 */
export async function answerConnection(
  tx: Tx,
  { workspace, side }: Viewer,
  id: string,
  state: 'active' | 'declined',
  tutorId?: string,
): Promise<boolean> {
  const before = await tx.selectFrom('connections').select('state').where('id', '=', id).executeTakeFirst()
  const row = await tx
    .updateTable('connections')
    .set({
      ...answered(side, state),
      ...ofSide(side, workspace),
      ...(tutorId && { tutor_id: tutorId }),
    })
    .where('id', '=', id)
    .where(side === 'practice' ? 'practice_id' : 'family_id', 'is', null)
    .where('state', 'in', ['asked', 'active'])
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  // If someone accepts a request from the email and again from the account, only one notification is sent.
  if (before?.state !== state) await queueNews(tx, id, state === 'declined' ? 'declined' : 'accepted')
  return true
}

/** A price, and the minutes of the lesson that it's for: null for an hour. */
type PriceColumns = [amount: Cents | null, lessonMinutes: number | null]

interface PairRow {
  id: string
  family_currency: Currency
  practice_currency: Currency
  first_name: string | null
  /** Each side gets only the id of its own session. */
  family_session: string | null
  practice_session: string | null
  family_day: string
  family_minutes: Minutes
  family_price: PriceColumns
  family_total_cents: Cents | null
  family_subject: string | null
  family_start: string | null
  practice_day: string
  practice_minutes: Minutes
  practice_price: PriceColumns
  practice_total_cents: Cents | null
  practice_subject: string | null
  held: Side | null
  practice_start: string | null
}

function shownPrice([amount, minutes]: PriceColumns) {
  const price = amount === null ? null : dollars(amount)
  return minutes === null
    ? { rate: price, lesson_price: null, lesson_minutes: null }
    : { rate: null, lesson_price: price, lesson_minutes: minutes }
}

/** A connection's open pairs, newest first. */
export async function listPairs(tx: Tx, { side }: Viewer, id: string): Promise<SessionPair[]> {
  const { rows } = await sql<PairRow>`select * from list_pairs(${id}::uuid)`.execute(tx)
  const inDollars = (amount: Cents | null) => (amount === null ? null : dollars(amount))
  return rows.map((row) => {
    const sides = {
      family: {
        date: row.family_day,
        duration: hours(row.family_minutes),
        ...shownPrice(row.family_price),
        total_amount: inDollars(row.family_total_cents),
        currency: row.family_currency,
        subject: row.family_subject,
        start_time: wallClock(row.family_start),
      },
      practice: {
        date: row.practice_day,
        duration: hours(row.practice_minutes),
        ...shownPrice(row.practice_price),
        total_amount: inDollars(row.practice_total_cents),
        currency: row.practice_currency,
        subject: row.practice_subject,
        start_time: wallClock(row.practice_start),
      },
    }
    const { family, practice } = sides
    return {
      id: row.id,
      session_id: (side === 'family' ? row.family_session : row.practice_session) ?? '',
      first_name: plainName(row.first_name, '') || null,
      currency: family.currency,
      yours: sides[side],
      theirs: side === 'family' ? practice : family,
      held: row.held && (row.held === side ? ('yours' as const) : ('theirs' as const)),
      is_equal:
        family.date === practice.date &&
        family.duration === practice.duration &&
        String(row.family_price) === String(row.practice_price) &&
        family.currency === practice.currency,
    }
  })
}

/**
 * Records the answer for one pair; false if it was already answered. Throws if the caller says that two
 * copies of one session are different lessons.
 */
export async function answerPair(tx: Tx, id: string, pairId: string, isSame: boolean): Promise<boolean> {
  const { rows } = await sql<{ answered: boolean }>`
    select answer_pair(${id}::uuid, ${pairId}::uuid, ${isSame}) as answered`.execute(tx)
  return rows[0]?.answered ?? false
}
