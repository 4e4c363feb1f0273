// `npm run demo` adds demo accounts to this machine's database, even if a server is running. They play the
// story through a server of their own in this process.
import type { CallerDb } from '#features/access/db.server.ts'
import type { Side } from '#features/access/role.ts'
import {
  accountByEmail,
  confirmEmail,
  insertAcceptances,
  insertAccount,
  insertRole,
  lockAddress,
  setPassword,
} from '#features/accounts/queries.server.ts'
import { newPasswordHash } from '#features/accounts/password.server.ts'
import { insertLinkToken } from '#features/connections/emailed-queries.server.ts'
import { noteReferral } from '#features/referrals/queries.server.ts'
import { daysBetween } from '#features/schedules/recurrence.ts'
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { type Config, readConfig } from '#platform/config.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { openContext } from './command.server.ts'
import { buildServer } from './services.server.ts'
import { type Account, ACCOUNTS, type Actor, CHILDREN, INGRID, PEOPLE, TUTORS } from './story/cast.ts'
import { type Caller, play } from './story/play.ts'
import {
  charged,
  className,
  connectionWith,
  Names,
  opening,
  paymentName,
  type Step,
  story,
  YEAR,
} from './story/story.ts'
import { type Visitor, visitorOf } from './visitor.server.ts'

export const DEMO_PASSWORD = 'lanterns-and-7-pears'
const SIDES: readonly Side[] = ['family', 'practice']
type Visitors = Record<Side, Visitor>

/**
 * Creates accounts that don't exist yet and adds everyone's sessions up to today. Returns one line per person
 * to print in the terminal.
 */
export async function makeDemonstration(
  db: CallerDb,
  today: CalendarDay,
  config: Config = readConfig({}),
): Promise<string[]> {
  // Nobody pays for the demo accounts, so they stay usable after their trial.
  const { stripe: _, ...settings } = config
  const app = buildServer({ ...settings, logLevel: 'error' }, db)
  try {
    const isNew = { family: await makeAccount(db, 'family'), practice: await makeAccount(db, 'practice') }
    const visitor = () => visitorOf(app, config.baseUrl)
    const visitors = { family: visitor(), practice: visitor() }
    for (const side of SIDES) {
      const { email } = PEOPLE[side]
      await visitors[side].call('POST', '/api/auth/sign-in', { email, password: DEMO_PASSWORD })
    }
    const { names, newest } = await readKnown(visitors)
    const links = new Map<Actor, Promise<Caller>>()
    const callerOf = ({ by }: Step) => {
      if (by === 'family' || by === 'practice') return visitors[by]
      const connection = names.idOf('family', connectionWith(by))
      const link = links.get(by) ?? openLink(db, connection, visitor())
      links.set(by, link)
      return link
    }
    // The accounts may have been changed by hand since. What no longer fits is left out.
    const refused = newest && (() => undefined)
    const begun = newest ? [] : await play(opening(today), names, callerOf)
    const lived = await Promise.all(
      ACCOUNTS.map((account) => play(stepsSince(newest, today, account), names, callerOf, refused)),
    )
    const owed = newest ? [] : await play(charged(today), names, callerOf)
    const played = [...begun, ...lived.flat(), ...owed]
    return SIDES.map((side) => {
      const added = sessionsIn(played, side)
      const news = isNew[side]
        ? `created with ${added} sessions`
        : added > 0
          ? `already there, ${added} newer sessions added`
          : 'already there and is up to date'
      return `${PEOPLE[side].role.padEnd(6)}  ${PEOPLE[side].email}  password ${DEMO_PASSWORD}  (${news})`
    })
  } finally {
    await app.close()
  }
}

/** What happened after the newest lesson, in whole weeks, so that lessons stay on their weekdays. */
function stepsSince(newest: CalendarDay | undefined, today: CalendarDay, account: Account): Step[] {
  if (!newest) return story(today, YEAR, [account])
  const day = addDays(newest, 7 * Math.floor(daysBetween(newest, today) / 7))
  return story(day, YEAR, [account]).filter((step) => step.day > newest)
}

/** How many sessions the steps add to a side's records, whoever logs them. */
export function sessionsIn(steps: readonly Step[], side: Side): number {
  const own = CHILDREN.filter(({ names }) => names[side]).map(({ firstName }) => firstName)
  return steps.filter(({ operation, input }) => operation === 'LogSession' && own.includes(input.student_id))
    .length
}

/** Creates a side's account unless it exists. Returns whether it's new. */
async function makeAccount(db: CallerDb, side: Side): Promise<boolean> {
  const { email, name, role } = PEOPLE[side]
  const passwordHash = await newPasswordHash(DEMO_PASSWORD, { email, fullName: name })
  return db.asSystem(async (tx) => {
    await lockAddress(tx, email)
    const existing = await accountByEmail(tx, email)
    if (existing) {
      await setPassword(tx, existing.id, passwordHash)
      await insertRole(tx, existing.id, role)
      return false
    }
    const id = await insertAccount(tx, { email, passwordHash, fullName: name })
    await confirmEmail(tx, id, new Date())
    await insertRole(tx, id, role)
    await insertAcceptances(tx, id)
    await noteReferral(tx, id, undefined)
    return true
  })
}

interface Row {
  id: string
  name: string
  is_self: boolean
  date: CalendarDay
  day_of_week: number
  student_name: string | null
  tutor_name: string | null
  tutor_id: string | null
}

/** What later steps may refer to or would otherwise add again, by its name in the story, and the newest lesson. */
async function readKnown(visitors: Visitors): Promise<{ names: Names; newest: CalendarDay | undefined }> {
  const names = new Names()
  const read = async (side: Side, path: string): Promise<Row[]> => {
    const { status, body } = await visitors[side].call('GET', `/api/v1/${path}`)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return (Array.isArray(body) ? body : Object.values(body).find(Array.isArray)) as Row[]
  }
  for (const side of SIDES) {
    for (const { id, name } of await read(side, 'students?archived=all')) names.learn(side, first(name), id)
    for (const { id, name, is_self: isSelf } of await read(side, 'tutors?archived=all'))
      names.learn(side, isSelf ? INGRID.firstName : first(name), id)
    for (const { id, student_name: student, day_of_week: weekday } of await read(side, 'schedules'))
      names.learn(side, className(first(student), weekday), id)
  }
  for (const { id, tutor_id: tutor } of await read('family', 'connections'))
    for (const { firstName } of TUTORS)
      if (names.has('family', firstName) && names.idOf('family', firstName) === tutor)
        names.learn('family', connectionWith(firstName), id)
  for (const { id, tutor_name: tutor, date } of await read(
    'family',
    'payments?from=2000-01-01&to=2099-12-31',
  ))
    names.learn('family', paymentName(first(tutor), monthOf(date)), id)
  const [latest] = await read('family', 'sessions?limit=1')
  return { names, newest: latest?.date }
}

const first = (name: string | null | undefined) => name?.split(' ')[0] ?? ''

/** Someone without an account who opens the link in the email that asks them to connect. */
async function openLink(db: CallerDb, connection: string, reader: Visitor): Promise<Caller> {
  const token = newToken()
  await db.asSystem((tx) => insertLinkToken(tx, connection, tokenHash(token), new Date()))
  return {
    call: (method, path, input) => reader.call(method, path, input, { 'tutorlog-link': token }),
  }
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
    const lines = await makeDemonstration(db, dayIn(new Date()), config)
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
