// `npm run demo` adds demo accounts to this machine's database, even if a server is running.
import {
  accountByEmail,
  confirmEmail,
  insertAcceptances,
  insertAccount,
  insertRole,
  lockAddress,
  setPassword,
} from '#features/accounts/queries.server.ts'
import { hashPassword } from '#features/accounts/password.server.ts'
import { noteReferral } from '#features/referrals/queries.server.ts'
import { insertSchedule, listSchedules } from '#features/schedules/queries.server.ts'
import { MAX_SCHEDULES } from '#features/schedules/schedule.ts'
import {
  addressOfTutor,
  answerByMail,
  answerConnection,
  insertConnection,
  listConnections,
  lockEmailed,
  matchChild,
  readConnection,
  shareSessions,
  writeEmailedWord,
} from '#features/connections/queries.server.ts'
import { giveWord } from '#features/sessions/commands.server.ts'
import { insertSessions, listSessions } from '#features/sessions/queries.server.ts'
import { sessionDay } from '#features/sessions/session.ts'
import { insertStudent, listStudents } from '#features/students/queries.server.ts'
import { insertTutor, listTutors, updateTutor } from '#features/tutors/queries.server.ts'
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { readConfig } from '#platform/config.server.ts'
import { ownWorkspace } from '#features/workspaces/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { emailKey } from '#kernel/text.ts'
import type { CallerDb, Principal } from '#features/access/db.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { openContext } from './command.server.ts'
import {
  closeMonths,
  confirmAsTutor,
  confirmByLink,
  offerWays,
  recordCash,
  recordPayments,
} from './demo-money.ts'
import { type DemoPerson, demonstration, type DemoSession, paidInCash, TUTOR_EMAIL } from './demonstration.ts'

export const DEMO_PASSWORD = 'lanterns-and-7-pears'
const SEED = 20
/** Higher than the number of demo rows, so that no list is cut off. */
const MOST_ROWS = 500

/** A demo account, with the ids of the people on its lists. */
interface Made extends Required<Principal> {
  person: DemoPerson
  isNew: boolean
  students: (string | undefined)[]
  tutors: (string | undefined)[]
  /** The date of the newest session before this run. */
  newest: string | undefined
  added: number
}

/**
 * Creates accounts that don't exist yet and adds everyone's sessions up to today. Returns one line per person
 * to print in the terminal.
 */
export async function makeDemonstration(
  db: CallerDb,
  today: CalendarDay,
  baseUrl = 'http://localhost:3000',
): Promise<string[]> {
  const people: Made[] = []
  for (const person of demonstration(SEED, today)) people.push(await makePerson(db, person))
  const [family, practice] = people
  if (!family || !practice) throw new Error('the demo needs a family and a tutor')
  const shared = await shareYear(db, family, practice, today)
  await recordPayments(db, practice, 'student', practice.students, practice.person.payments)
  await offerWays(db, practice)
  if (shared) await closeMonths(db, { family, practice }, shared, today, baseUrl)
  return people.map(({ person, isNew, added }) => {
    const news = isNew
      ? `created with ${added} sessions`
      : added > 0
        ? `already there, ${added} newer sessions added`
        : 'already there and is up to date'
    return `${person.role.padEnd(6)}  ${person.email}  password ${DEMO_PASSWORD}  (${news})`
  })
}

async function makePerson(db: CallerDb, person: DemoPerson): Promise<Made> {
  const { isNew, ...member } = await makeAccount(db, person)
  const { id } = member.workspace
  return db.asMember(member, async (tx) => {
    const students = await idsOfStudents(tx, id, person)
    const tutors = await idsOfTutors(tx, id, person)
    await fillSchedules(tx, id, person, { students, tutors })
    const [newest] = await listSessions(tx, id, {}, 1)
    return { ...member, person, isNew, students, tutors, newest: newest?.date, added: 0 }
  })
}

// Follows the same steps people take in the app: the family logs sessions and asks its tutors to connect. The
// tutor with an account accepts in the app and also logs sessions; the others answer on the emailed page.
async function shareYear(
  db: CallerDb,
  family: Made,
  practice: Made,
  today: CalendarDay,
): Promise<string | undefined> {
  const place = family.person.tutors.findIndex(({ email }) => email === TUTOR_EMAIL)
  const isShared = (session: DemoSession) => session.tutor === place
  const missing = family.person.sessions.filter(({ day }) => !family.newest || day > family.newest)
  const byFamily = missing.filter((session) => !isShared(session) || !isTaughtByBoth(session))
  const byTutor = missing.filter((session) => isShared(session) && isTaughtByBoth(session))
  const logged = await logAll(db, family, byFamily)
  await recordCash(db, practice, practice.students[0], paidInCash(family.person))
  const connections: (string | undefined)[] = []
  for (const [at, tutorId] of family.tutors.entries()) {
    const connection = tutorId && (await connect(db, family, tutorId, at === place ? practice : undefined))
    connections.push(connection)
    if (!connection) continue
    const answers = byFamily.flatMap((session, nth) =>
      session.tutor === at ? [{ id: logged[nth] ?? '', answer: session.answer }] : [],
    )
    if (at === place) await answerAs(db, practice, answers)
    else await answerByLink(db, connection, answers)
  }
  const own = practice.person.sessions.filter(({ day }) => !practice.newest || day > practice.newest)
  await logAll(db, practice, own)
  const theirs = await logAll(
    db,
    practice,
    byTutor.map((session) => ({ ...session, student: 0, tutor: 0, notes: null })),
  )
  await answerAs(
    db,
    family,
    byTutor.map(({ answer }, nth) => ({ id: theirs[nth] ?? '', answer })),
  )
  const { payments } = family.person
  await recordPayments(db, family, 'tutor', family.tutors, payments)
  for (const [at, connection] of connections.entries()) {
    const newest = payments.findLast((payment) => payment.place === at)?.day ?? today
    if (at === place) await confirmAsTutor(db, practice, newest)
    else if (connection) await confirmByLink(db, connection, newest)
  }
  family.added = missing.length
  practice.added = own.length + missing.filter(isShared).length
  return connections[place]
}

/** True for sessions that the tutor logged with the child who is on both sides' lists from the start. */
function isTaughtByBoth({ student, isByTutor }: DemoSession): boolean {
  return student === 0 && isByTutor
}

type Member = Required<Principal>

async function makeAccount(db: CallerDb, person: DemoPerson): Promise<Member & { isNew: boolean }> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  return db.asSystem(async (tx) => {
    const now = new Date()
    await lockAddress(tx, person.email)
    const existing = await accountByEmail(tx, person.email)
    if (existing) {
      await setPassword(tx, existing.id, passwordHash)
      await insertRole(tx, existing.id, person.role)
      return { ...(await memberOf(tx, existing.id, person.role)), isNew: false }
    }
    const id = await insertAccount(tx, { email: person.email, passwordHash, fullName: person.name })
    await confirmEmail(tx, id, now)
    await insertRole(tx, id, person.role)
    await insertAcceptances(tx, id)
    await noteReferral(tx, id, undefined)
    return { ...(await memberOf(tx, id, person.role)), isNew: true }
  })
}

async function memberOf(tx: Tx, accountId: string, role: DemoPerson['role']): Promise<Member> {
  const workspaceId = await ownWorkspace(tx, accountId)
  if (!workspaceId) throw new Error('an account with a role has a workspace')
  const kind = role === 'tutor' ? 'practice' : 'family'
  return { accountId, workspace: { id: workspaceId, kind } }
}

// Looks everything up by name, so that running the command again adds only what's missing.
async function fillSchedules(
  tx: Tx,
  workspaceId: WorkspaceId,
  person: DemoPerson,
  { students, tutors }: Pick<Made, 'students' | 'tutors'>,
): Promise<void> {
  if ((await listSchedules(tx, workspaceId)).length > 0) return
  for (const plan of person.schedules) {
    await insertSchedule(
      tx,
      workspaceId,
      {
        student_id: students[plan.student] ?? null,
        tutor_id: tutors[plan.tutor] ?? null,
        subject: plan.subject,
        day_of_week: plan.dayOfWeek,
        start_time: plan.startTime,
        minutes: plan.minutes,
        hourly_rate_cents: null,
        frequency: plan.frequency,
        custom_interval_days: null,
        start_day: plan.start,
        end_day: null,
        is_active: plan.isActive,
        notes: null,
      },
      MAX_SCHEDULES,
    )
  }
}

/** Logs sessions for a person. Returns the session ids in the same order. */
async function logAll(
  db: CallerDb,
  { students, tutors, accountId, workspace }: Made,
  sessions: DemoSession[],
): Promise<string[]> {
  const now = new Date()
  const rows = sessions.map((session) => {
    const day = sessionDay(session.day, now)
    if (!day) throw new Error(`a demonstration lies in the past, and not on ${session.day}`)
    return {
      student_id: students[session.student] ?? null,
      tutor_id: tutors[session.tutor] ?? null,
      day,
      minutes: session.minutes,
      rate_override_cents: session.rateOverride,
      tutor_rate_cents: session.tutorRate,
      subject: session.subject,
      start_time: session.startTime,
      summary: session.summary,
      homework: session.homework,
      notes: session.notes,
    }
  })
  return db.asMember({ accountId, workspace }, (tx) => insertSessions(tx, workspace.id, rows))
}

/**
 * The connection with a tutor. If there isn't one yet, requests and accepts one. Undefined if the connection
 * has ended.
 */
async function connect(
  db: CallerDb,
  family: Made,
  tutorId: string,
  practice: Made | undefined,
): Promise<string | undefined> {
  const { id, kind } = family.workspace
  const asked = await db.asMember(family, async (tx) => {
    const known = (await listConnections(tx, { workspace: id, side: kind })).find(
      (connection) => connection.tutor_id === tutorId,
    )
    if (known) return { id: known.id, isOpen: known.state === 'active', isNew: false }
    const email = (await addressOfTutor(tx, id, tutorId)) ?? 'yuki.tanaka@example.com'
    const made = await insertConnection(tx, id, {
      tutorId,
      email,
      emailKey: emailKey(email),
      sharedFrom: null,
    })
    return { id: made ?? '', isOpen: true, isNew: true }
  })
  if (asked.isNew && practice) await db.asMember(practice, (tx) => accept(tx, practice, asked.id))
  return asked.isOpen ? asked.id : undefined
}

// Matches a child to the tutor's existing student.
async function accept(tx: Tx, { workspace, students, person }: Made, connectionId: string): Promise<void> {
  const viewer = { workspace: workspace.id, side: workspace.kind }
  await answerConnection(tx, viewer, connectionId, 'active')
  const people = (await readConnection(tx, viewer, connectionId))?.people ?? []
  for (const child of people) {
    const at = person.students.findIndex(({ name }) => name.split(' ')[0] === child.first_name)
    if (at >= 0) await matchChild(tx, connectionId, child.id, students[at] ?? null)
  }
  await shareSessions(tx, connectionId)
}

interface Answer {
  id: string
  answer: DemoSession['answer']
}

const NOTE = 'I have it down as 15 minutes shorter. Could you check again?'

async function answerAs(db: CallerDb, member: Made, answers: Answer[]): Promise<void> {
  const now = new Date()
  const { id: workspace, kind: side } = member.workspace
  await db.asMember(member, async (tx) => {
    for (const { id, answer } of answers)
      if (answer !== 'none')
        await giveWord(
          { tx, workspace, side, seesAmounts: true, now },
          { id },
          answer === 'confirmed' ? 'confirm' : 'dispute',
          dayIn(now, 'UTC'),
          answer === 'disputed' ? { note: NOTE } : {},
        )
  })
}

async function answerByLink(db: CallerDb, connectionId: string, answers: Answer[]): Promise<void> {
  const link = { id: connectionId, side: 'practice' as const }
  await db.asLink(link, async (tx) => {
    await answerByMail(tx, link, 'active')
    for (const { id, answer } of answers) {
      const stored = answer !== 'none' && (await lockEmailed(tx, id))
      if (stored)
        await writeEmailedWord(tx, id, {
          own_word: answer,
          own_word_version: stored.facts_version,
          own_word_note: answer === 'disputed' ? NOTE : null,
        })
    }
  })
}

async function idsOfStudents(
  tx: Tx,
  workspaceId: WorkspaceId,
  { students }: DemoPerson,
): Promise<(string | undefined)[]> {
  const known = await listStudents(tx, workspaceId)
  const ids: (string | undefined)[] = []
  for (const student of students)
    ids.push(
      (
        known.find((each) => each.name === student.name) ??
        (await insertStudent(tx, workspaceId, student, MOST_ROWS))
      )?.id,
    )
  return ids
}

async function idsOfTutors(
  tx: Tx,
  workspaceId: WorkspaceId,
  { tutors }: DemoPerson,
): Promise<(string | undefined)[]> {
  const known = await listTutors(tx, workspaceId)
  const ids: (string | undefined)[] = []
  for (const { isSelf, rate, ...tutor } of tutors) {
    const existing = known.find((each) => (isSelf ? each.is_self : each.name === tutor.name))
    if (existing && isSelf && existing.hourly_rate === null)
      await updateTutor(tx, workspaceId, existing.id, { hourly_rate_cents: rate })
    ids.push(
      (
        existing ??
        (await insertTutor(tx, workspaceId, { ...tutor, hourly_rate_cents: rate, notes: null }, MOST_ROWS))
      )?.id,
    )
  }
  return ids
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  // The passwords are public, so these accounts are created only on a local server.
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(config.baseUrl).hostname))
    throw new Error(
      'Demo accounts have well-known passwords, so they are only created if BASE_URL points to this machine.',
    )
  const context = openContext(config)
  try {
    const { db } = await context.database()
    const lines = await makeDemonstration(db, dayIn(new Date()), config.baseUrl)
    console.log(['Demo accounts:', ...lines, `Sign in at ${config.baseUrl}/login`].join('\n'))
  } finally {
    await context.close()
  }
}

if (import.meta.main) {
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error))
      process.exit(1)
    },
  )
}
