// `npm run demo`: demonstration people in the database of this machine, also beside a running server.
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
import { answerLink, insertLink, listLinks } from '#features/links/queries.server.ts'
import { insertSessions, listSessions } from '#features/sessions/queries.server.ts'
import { sessionDay } from '#features/sessions/session.ts'
import { insertStudent, listStudents } from '#features/students/queries.server.ts'
import { insertTutor, listTutors, updateTutor } from '#features/tutors/queries.server.ts'
import { giveWord } from '#features/verification/queries.server.ts'
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { readConfig } from '#platform/config.server.ts'
import { ownWorkspace } from '#features/workspaces/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { emailKey } from '#kernel/text.ts'
import type { Db, Speaker, Tx } from '#platform/db/db.server.ts'
import { openContext } from './command.server.ts'
import { type DemoPerson, demonstration } from './demonstration.ts'

export const DEMO_PASSWORD = 'lanterns-and-7-pears'
const SEED = 20
/** Far above what the demonstration has; the product's own limit does not matter here. */
const MOST_ROWS = 500

/** Makes the people who are missing and brings everyone's sessions up to today; one line a person for the terminal. */
export async function makeDemonstration(db: Db, today: CalendarDay): Promise<string[]> {
  const lines: string[] = []
  for (const person of demonstration(SEED, today)) {
    const { isNew, ...member } = await makeAccount(db, person)
    const { added, confirmed } = await db.asMember(member, (tx) => fill(tx, member.workspaceId, person))
    for (const [tutorId, sessions] of confirmed) await confirm(db, member, tutorId, sessions)
    const news = isNew
      ? `made, with ${added} sessions`
      : added > 0
        ? `was there, ${added} newer sessions added`
        : 'was there and is up to date'
    lines.push(`${person.role.padEnd(6)}  ${person.email}  password ${DEMO_PASSWORD}  (${news})`)
  }
  return lines
}

type Member = Required<Speaker>

async function makeAccount(db: Db, person: DemoPerson): Promise<Member & { isNew: boolean }> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  return db.asSystem(async (tx) => {
    const now = new Date()
    await lockAddress(tx, person.email)
    const existing = await accountByEmail(tx, person.email)
    if (existing) {
      await setPassword(tx, existing.id, passwordHash)
      await insertRole(tx, existing.id, person.role)
      return { ...(await memberOf(tx, existing.id)), isNew: false }
    }
    const id = await insertAccount(tx, { email: person.email, passwordHash, fullName: person.name })
    await confirmEmail(tx, id, now)
    await insertRole(tx, id, person.role)
    await insertAcceptances(tx, id)
    await noteReferral(tx, id, undefined)
    return { ...(await memberOf(tx, id)), isNew: true }
  })
}

async function memberOf(tx: Tx, accountId: string): Promise<Member> {
  const workspaceId = await ownWorkspace(tx, accountId)
  if (!workspaceId) throw new Error('an account with a role has a workspace')
  return { accountId, workspaceId }
}

// Everything is found again by its name, so that a second run adds only what is missing.
async function fill(
  tx: Tx,
  workspaceId: WorkspaceId,
  person: DemoPerson,
): Promise<{ added: number; confirmed: Map<string, string[]> }> {
  const students = await idsOfStudents(tx, workspaceId, person)
  const tutors = await idsOfTutors(tx, workspaceId, person)
  if ((await listSchedules(tx, workspaceId)).length === 0) {
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
  const [newest] = await listSessions(tx, workspaceId, {}, 1)
  const missing = person.sessions.flatMap((session) => {
    const day = sessionDay(session.day, new Date())
    return day && (!newest || day > newest.date) ? [{ ...session, day }] : []
  })
  const ids = await insertSessions(
    tx,
    workspaceId,
    missing.map((session) => ({
      student_id: students[session.student] ?? null,
      tutor_id: tutors[session.tutor] ?? null,
      day: session.day,
      minutes: session.minutes,
      rate_override_cents: session.rateOverride,
      tutor_rate_cents: session.tutorRate,
      subject: session.subject,
      notes: session.notes,
    })),
  )
  const confirmed = new Map<string, string[]>()
  for (const [place, id] of ids.entries()) {
    const tutorId = tutors[missing[place]?.tutor ?? 0]
    if (tutorId && missing[place]?.isVerified && person.role === 'parent')
      confirmed.set(tutorId, [...(confirmed.get(tutorId) ?? []), id])
  }
  return { added: ids.length, confirmed }
}

// Only the tutor's side can confirm: as in the app, a family asks and the tutor answers from the mailed link.
async function confirm(db: Db, member: Member, tutorId: string, sessions: string[]): Promise<void> {
  const { workspaceId } = member
  const link = await db.asMember(member, async (tx) => {
    const email =
      (await listTutors(tx, workspaceId)).find((tutor) => tutor.id === tutorId)?.email ??
      'yuki.tanaka@example.com'
    return (
      (await insertLink(tx, workspaceId, tutorId, email, emailKey(email))) ??
      (await listLinks(tx, workspaceId)).find((each) => each.tutor_id === tutorId)
    )
  })
  if (!link) return
  await db.asTutor({ linkId: link.id }, async (tx) => {
    await answerLink(tx, link.id, 'active', null)
    for (const id of sessions)
      await giveWord(tx, id, 1, { verified_by_tutor: true, status: 'completed', dispute_note: null })
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
  // Everyone knows these passwords.
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(config.baseUrl).hostname))
    throw new Error(
      'Demonstration people have known passwords: they are made only where BASE_URL is this machine.',
    )
  const context = openContext(config)
  try {
    const { db } = await context.database()
    const lines = await makeDemonstration(db, dayIn(new Date()))
    console.log(['Demonstration people:', ...lines, `Sign in at ${config.baseUrl}/login`].join('\n'))
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
