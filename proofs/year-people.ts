// The families and tutors of the simulated year, set up through the API.
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import { type Row, rowsOf } from '#main/testing/two-sides.server.ts'
import { fakeClock } from './faked-clock.ts'

/** Far ahead of the real clock. January 6, 2031 is a Monday. */
const SETUP = new Date('2030-12-28T12:00:00Z')
const FIRST_CLASSES = '2031-01-01'
export const HOME_ZONE = 'America/New_York'
const AWAY_ZONE = 'America/Los_Angeles'
export const LONG_TRIAL = { TRIAL_DAYS: '3000' }

/** Someone with an account, as the simulation knows them. */
export interface Person {
  id: string
  email: string
  side: 'family' | 'practice'
  /** Whether they may answer; a viewer may only look. */
  mayAnswer: boolean
  zone: string
  cookies: [string, string][]
}

export interface Family {
  connection: string
  /** The ids by which the family's own records know the tutor. */
  tutor: string
  parent: Person
  dueDay: number
}

/** Signs everyone up, connects them, and has them agree on schedules and terms. */
export async function setUp(
  place: string,
  count: number,
  random: () => number,
): Promise<{ families: Family[]; people: Person[] }> {
  const server = await startTestServer(LONG_TRIAL, place)
  const clock = await fakeClock(server.superuserUrl, SETUP)
  let moment = SETUP.getTime()
  Object.defineProperty(server.clock, 'now', { get: () => clock.now() })
  const people: Person[] = []
  const families: Family[] = []
  let practice: Practice | undefined
  for (let nth = 0; nth < count; nth++) {
    await clock.set(new Date((moment += 20_000)))
    // In life they'd ask over weeks, and nobody is limited.
    await server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())
    if (!practice || nth % PER_TUTOR === 0) {
      practice = await aPractice(server, `tutor-${nth}@example.com`)
      people.push(await asPerson(practice.caller, 'practice', HOME_ZONE))
    }
    const zone = random() < 0.3 ? AWAY_ZONE : HOME_ZONE
    const dueDay = 5 + Math.floor(random() * 11)
    const { family, caller } = await aFamily(server, practice, { nth, zone, dueDay, random })
    families.push(family)
    people.push(family.parent)
    if (nth % 10 === 0) {
      const viewer = await aMember(server, caller, 'viewer')
      people.push({ ...(await asPerson(viewer, 'family', zone)), mayAnswer: false })
    }
  }
  await server.allJobsDone()
  await clock.close()
  await server.stop()
  return { families, people }
}

const PER_TUTOR = 10

interface Practice {
  caller: Caller
  self: string
  email: string
}

async function aPractice(server: TestServer, email: string): Promise<Practice> {
  const caller = server.aStranger()
  await call(caller, 'POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(caller, email)
  caller.id = String((await call(caller, 'GET', '/api/v1/me')).id)
  caller.kind = 'practice'
  caller.email = email
  const self = String(rowsOf(await caller.call('GET', '/api/v1/tutors'))[0]?.id)
  await call(caller, 'PATCH', `/api/v1/tutors/${self}`, { hourly_rate: 60 })
  return { caller, self, email }
}

interface Traits {
  nth: number
  zone: string
  dueDay: number
  random: () => number
}

async function aFamily(server: TestServer, practice: Practice, { nth, zone, dueDay, random }: Traits) {
  const caller = await server.aUser()
  const parent = await asPerson(caller, 'family', zone)
  const child = `Child${letters(nth)}`
  const own = String((await call(caller, 'POST', '/api/v1/students', { name: child })).id)
  const tutor = String(
    (await call(caller, 'POST', '/api/v1/tutors', { name: 'Ingrid', email: practice.email, hourly_rate: 60 }))
      .id,
  )
  const student = String((await call(practice.caller, 'POST', '/api/v1/students', { name: child })).id)
  const connection = String((await call(caller, 'POST', '/api/v1/connections', { tutor_id: tutor })).id)
  // A lesson puts the child on the connection's list.
  const lesson = await call(caller, 'POST', '/api/v1/sessions', {
    student_id: own,
    tutor_id: tutor,
    date: '2030-12-20',
    duration: 1,
  })
  const asked = rowsOf(await practice.caller.call('GET', '/api/v1/connections')).find(
    ({ id }) => id === connection,
  )
  await call(practice.caller, 'PATCH', `/api/v1/connections/${connection}`, {
    state: 'active',
    people: (asked?.people as Row[] | undefined)?.map(({ id }) => ({ id, student_id: student })),
  })
  await call(caller, 'DELETE', `/api/v1/sessions/${String(lesson.id)}`)
  const terms = await call(practice.caller, 'POST', '/api/v1/terms', {
    student_id: student,
    rules: {
      notice_hours: 24,
      bands: [{ until_hours: 0, percent: 50 }],
      is_illness_free: false,
      due_day: dueDay,
    },
  })
  await call(caller, 'POST', `/api/v1/terms/${String(terms.id)}/confirm`, {})
  const day = Math.floor(random() * 5) + 1
  const days = random() < 0.3 ? [day, (day % 5) + 1] : [day]
  for (const day_of_week of days)
    await call(practice.caller, 'POST', '/api/v1/schedules', {
      student_id: student,
      tutor_id: practice.self,
      day_of_week,
      start_time: `${15 + (nth % 5)}:${nth % 2 ? '00' : '30'}`,
      duration: 1,
      frequency: 'weekly',
      start_date: FIRST_CLASSES,
      time_zone: HOME_ZONE,
    })
  return { caller, family: { connection, tutor, parent, dueDay } }
}

async function asPerson(caller: Caller, side: Person['side'], zone: string): Promise<Person> {
  await call(caller, 'PATCH', '/api/v1/me', { time_zone: zone })
  return { id: caller.id, email: caller.email, side, mayAnswer: true, zone, cookies: [...caller.cookies] }
}

async function call(caller: Caller, method: string, path: string, body?: object) {
  const answer = await caller.call(method, path, body)
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const letters = (nth: number) =>
  [nth / 26, nth % 26].map((one) => String.fromCharCode(97 + Math.floor(one))).join('')
