// Two months of a family and its tutors, played over HTTP against the server of any version: what that version doesn't have
// is left out. What it leaves open is for a later version to go on with (src/main/kept-versions.test.ts).
import { PASSWORD } from '../testing.server.ts'
import type { Answer, Visitor } from '../visitor.server.ts'

export const PEOPLE = {
  family: 'dana@example.com',
  practice: 'ingrid@example.com',
  caregiver: 'cara@example.com',
  /** A tutor and a parent who have no account, and answer by emailed link. */
  linked: 'marcus@example.com',
  parent: 'olive@example.com',
  /** A tutor and a parent whose invitations are still in the outbox. */
  asked: 'noor@example.com',
  invited: 'pat@example.com',
} as const

/** The server that is played against, and the days of the two months. */
export interface World {
  /** Whether this version has an operation: its method, and its path as in the API's document. */
  has(operation: string): boolean
  visitor(): Visitor
  mailTo(email: string, subject: string): Promise<string>
  /** From now on, emails stay in the outbox. */
  cutMail(): Promise<void>
  /** A day of the month that gets closed, and of the one after it, which is over, too. */
  first(day: number): string
  second(day: number): string
}

/** What the people left behind, by name: ids, codes, tokens and addresses. */
export type Left = Record<string, string>
interface Played {
  world: World
  family: Visitor
  practice: Visitor
  left: Left
}

const LINKS = {
  account: /\/verify-email#token=(\S+)/,
  member: /\/join#token=(\S+)/,
  confirm: /\/confirm#(\S+)/,
} as const

export function tokenIn(text: string, link: keyof typeof LINKS): string {
  const token = LINKS[link].exec(text)?.[1]
  if (!token) throw new Error(`there's no link in: ${text}`)
  return token
}

/** Makes a call that has to be accepted, and returns what it answered. */
export async function accepted(
  who: Visitor,
  operation: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer['body']> {
  const [method = '', path = ''] = operation.split(' ')
  const answer = await who.call(method, path.startsWith('/') ? path : `/api/v1/${path}`, body, headers)
  if (answer.status < 300) return answer.body
  throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

const madeBy = async (who: Visitor, path: string, body: object) =>
  String((await accepted(who, `POST ${path}`, body)).id)

export async function playMonths(world: World): Promise<Left> {
  const family = await aPerson(world, PEOPLE.family, 'parent', 'Dana Whitfield')
  const practice = await aPerson(world, PEOPLE.practice, 'tutor', 'Ingrid Halvorsen')
  const played: Played = { world, family, practice, left: {} }
  await addPeople(played)
  await logApartAndConnect(played)
  await agreeOnTerms(played)
  await keepSchedules(played)
  await fillFirstMonth(played)
  await closeFirstMonth(played)
  await fillSecondMonth(played)
  await leaveOpen(played)
  await letACaregiverIn(played)
  await answerByEmail(played)
  await keepPapers(played)
  await world.cutMail()
  await accepted(family, 'POST members', { email: PEOPLE.invited, role: 'parent', student_ids: null })
  await accepted(family, 'POST connections', { tutor_id: played.left['asked tutor'] })
  return played.left
}

async function aPerson(world: World, email: string, role: string, name: string): Promise<Visitor> {
  const person = world.visitor()
  await accepted(person, 'POST /api/auth/sign-up', { email, password: PASSWORD, role })
  const token = tokenIn(await world.mailTo(email, 'Verify'), 'account')
  await accepted(person, 'POST /api/auth/verify', { token })
  await accepted(person, 'PATCH me', { full_name: name, time_zone: 'America/New_York' })
  return person
}

async function addPeople({ family, practice, left }: Played): Promise<void> {
  left.child = await madeBy(family, 'students', { name: 'Maya Whitfield', notes: 'Likes examples.' })
  left.sibling = await madeBy(family, 'students', { name: 'Theo Whitfield' })
  left.tutor = await madeBy(family, 'tutors', {
    name: 'Ingrid',
    email: PEOPLE.practice,
    phone: '555-0142',
    hourly_rate: 52,
  })
  left['linked tutor'] = await madeBy(family, 'tutors', {
    name: 'Marcus Bell',
    email: PEOPLE.linked,
    hourly_rate: 40,
  })
  left['asked tutor'] = await madeBy(family, 'tutors', {
    name: 'Noor',
    email: PEOPLE.asked,
    hourly_rate: '37.45',
  })
  left.student = await madeBy(practice, 'students', { name: 'Maya W.', notes: 'Strong in geometry.' })
  left.archived = await madeBy(family, 'students', { name: 'Ada Whitfield' })
  await accepted(family, `PATCH students/${left.archived}`, { archived: true })
  left['own student'] = await madeBy(practice, 'students', { name: 'Oliver Brandt', hourly_rate: 60 })
  const [self] = (await accepted(practice, 'GET tutors')) as unknown as { id: string }[]
  left.self = String(self?.id)
  await accepted(practice, `PATCH tutors/${left.self}`, { hourly_rate: 52 })
  await accepted(practice, 'PUT payment-ways', { ways: [{ kind: 'text', text: 'Cash or check' }] })
  await accepted(practice, 'PATCH notices', { month_ready: true })
  await accepted(family, 'POST invitations', { friend_name: 'Kim', friend_email: 'kim@example.com' })
  left.calendar = new URL(String((await accepted(family, 'POST calendar-feed', {})).url)).pathname
}

/** A series of each side, of which one class was logged, one is off and one was moved. */
async function keepSchedules({ world, family, practice, left }: Played): Promise<void> {
  const regular = {
    subject: 'Math',
    duration: 1,
    start_time: '16:30',
    frequency: 'weekly',
    start_date: world.first(1),
    // The second month has a class on the 11th, the 18th and the 25th.
    day_of_week: new Date(world.second(18)).getUTCDay(),
  }
  left.schedule = await madeBy(family, 'schedules', {
    ...regular,
    student_id: left.child,
    tutor_id: left.tutor,
  })
  left['own schedule'] = await madeBy(practice, 'schedules', {
    ...regular,
    student_id: left['own student'],
    tutor_id: left.self,
    hourly_rate: 65,
    frequency: 'custom',
    custom_interval_days: 10,
    end_date: world.second(28),
    notes: 'Bring the blue folder',
  })
  const change = (input: object) => accepted(family, `PUT schedules/${left.schedule}/occurrence`, input)
  const off = left.terms ? { status: 'canceled', outcome: 'canceled_late' } : { status: 'skipped' }
  await change({ date: world.second(18), ...off })
  await change({ date: world.second(25), status: 'moved', moved_to: world.second(26), start_time: '17:00' })
  left['logged from series'] = await madeBy(family, `schedules/${left.schedule}/log`, {
    date: world.second(11),
  })
}

/** Both sides log two lessons before they're connected. One pair is merged, and the other is still a question. */
async function logApartAndConnect(played: Played): Promise<void> {
  const { world, family, practice, left } = played
  await logBy(played, 'family', 'merged', world.first(3))
  await logBy(played, 'practice', 'merged twin', world.first(3))
  await logBy(played, 'family', 'paired', world.second(3))
  await logBy(played, 'practice', 'paired twin', world.second(3), { duration: 1.25 })
  left.connection = await madeBy(family, 'connections', { tutor_id: left.tutor })
  const [asked] = (await accepted(practice, 'GET connections')) as unknown as { people: { id: string }[] }[]
  const people = asked?.people.map(({ id }) => ({ id, student_id: left.student }))
  await accepted(practice, `PATCH connections/${left.connection}`, { state: 'active', people })
  const { pairs } = await accepted(family, `GET connections/${left.connection}/pairs`)
  const same = (pairs as { id: string; is_equal: boolean }[]).filter((pair) => pair.is_equal)
  await accepted(family, `POST connections/${left.connection}/pairs`, { same: same.map(({ id }) => id) })
}

type Side = 'family' | 'practice'

async function logBy(
  { family, practice, left }: Played,
  side: Side,
  name: string,
  date: string,
  more: object = {},
): Promise<string> {
  const people =
    side === 'family'
      ? { student_id: left.child, tutor_id: left.tutor }
      : { student_id: left.student, tutor_id: left.self }
  const lesson = { ...people, date, duration: 1, subject: 'Math', notes: `A note of the ${side}`, ...more }
  left[name] = await madeBy(side === 'family' ? family : practice, 'sessions', lesson)
  return left[name]
}

/** Terms with a fee for late cancellations, agreed on by both. */
async function agreeOnTerms({ world, family, practice, left }: Played): Promise<void> {
  if (!world.has('POST /api/v1/terms')) return
  const rules = { notice_hours: 24, bands: [{ until_hours: 0, percent: 50 }], due_day: 5 }
  left.terms = await madeBy(practice, 'terms', { student_id: left.student, rules })
  await accepted(family, `POST terms/${left.terms}/confirm`, {})
}

async function fillFirstMonth(played: Played): Promise<void> {
  const { world, family, practice, left } = played
  await confirmBy(practice, await logBy(played, 'family', 'agreed', world.first(10), { duration: 1.5 }))
  await confirmBy(family, await logBy(played, 'practice', 'agreed too', world.first(17)))
  const corrected = await logBy(played, 'family', 'corrected', world.first(24), { duration: 2 })
  await accepted(practice, `POST sessions/${corrected}/dispute`, { note: 'It was 1 hour' })
  await accepted(family, `PATCH sessions/${corrected}`, { duration: 1 })
  await confirmBy(practice, corrected)
  const unwanted = await logBy(played, 'practice', 'unwanted', world.first(25))
  await accepted(practice, `DELETE sessions/${unwanted}`)
  if (world.has('POST /api/v1/charges')) {
    left['agreed charge'] = await madeBy(practice, 'charges', {
      student_id: left.student,
      date: world.first(20),
      amount: '12.50',
      reason: 'materials',
      label: 'Workbook',
    })
    await accepted(family, `POST charges/${left['agreed charge']}/confirm`, {})
  }
  const opening = { kind: 'opening', date: world.first(1), amount: 20 }
  left.opening = await madeBy(practice, 'payments', { student_id: left.student, ...opening })
  await accepted(family, `POST payments/${left.opening}/confirm`, {})
  left['agreed payment'] = await madeBy(family, 'payments', {
    tutor_id: left.tutor,
    date: world.first(26),
    amount: 200,
    method: 'transfer',
  })
  await accepted(practice, `POST payments/${left['agreed payment']}/confirm`, {})
}

async function confirmBy(who: Visitor, session: string | undefined): Promise<void> {
  await accepted(who, `POST sessions/${session}/confirm`, {})
}

/** Closed, reopened and closed again: the first code stands for a page that was changed since. */
async function closeFirstMonth({ world, family, practice, left }: Played): Promise<void> {
  const month = { connection_id: left.connection, month: world.first(1).slice(0, 7) }
  const close = async () => {
    await accepted(family, 'POST months/close', month)
    return String((await accepted(practice, 'POST months/close', month)).code)
  }
  left['former code'] = await close()
  await accepted(practice, 'POST months/reopen', { ...month, reason: 'The subject was wrong' })
  await accepted(family, `PATCH sessions/${left.agreed}`, { subject: 'Algebra' })
  left.code = await close()
}

async function fillSecondMonth(played: Played): Promise<void> {
  const { world, family, practice, left } = played
  if (world.has('POST /api/v1/prices'))
    left.price = await madeBy(family, 'prices', {
      student_id: left.child,
      tutor_id: left.tutor,
      from: world.second(1),
      amount: 55,
    })
  await confirmBy(practice, await logBy(played, 'family', 'priced', world.second(2)))
  await logBy(played, 'family', 'waiting for practice', world.second(4), { summary: 'Fractions' })
  await logBy(played, 'practice', 'waiting for family', world.second(6), { duration: 0.75 })
  const disputed = await logBy(played, 'family', 'disputed', world.second(9), { duration: 2 })
  const proposal = world.has('POST /api/v1/sessions/{id}/accept') && { proposal: { duration: 1 } }
  await accepted(practice, `POST sessions/${disputed}/dispute`, { note: 'It was 1 hour', ...proposal })
  const going = await logBy(played, 'family', 'going', world.second(12))
  await confirmBy(practice, going)
  await accepted(family, `DELETE sessions/${going}`)
  await logBy(played, 'practice', 'own', world.second(13), { student_id: left['own student'] })
  await madeBy(practice, 'payments', { student_id: left['own student'], date: world.second(14), amount: 60 })
  left['waiting payment'] = await madeBy(family, 'payments', {
    tutor_id: left.tutor,
    date: world.second(20),
    amount: '101.25',
    method: 'check',
  })
  left['disputed payment'] = await madeBy(practice, 'payments', {
    student_id: left.student,
    date: world.second(21),
    amount: 30,
    method: 'cash',
  })
  await accepted(family, `POST payments/${left['disputed payment']}/dispute`, { note: 'I paid 25' })
}

/** Questions of newer versions that wait for an answer. */
async function leaveOpen({ world, family, practice, left }: Played): Promise<void> {
  if (world.has('POST /api/v1/charges')) {
    left['waiting charge'] = await madeBy(practice, 'charges', {
      student_id: left.student,
      date: world.second(22),
      amount: '8.75',
      reason: 'travel',
    })
    await accepted(practice, 'PATCH notices', {
      class_questions: true,
      classes_tomorrow: true,
      money_due: true,
    })
  }
  if (left.terms) {
    const rules = { notice_hours: 48, bands: [{ until_hours: 0, percent: 100 }] }
    left['proposed terms'] = await madeBy(family, 'terms', { tutor_id: left.tutor, rules })
  }
  const spoken = { transcript: 'Maya had an hour of math with Ingrid yesterday', today: world.second(25) }
  await accepted(practice, 'POST speech', spoken)
}

async function letACaregiverIn({ world, family, left }: Played): Promise<void> {
  const email = PEOPLE.caregiver
  await accepted(family, 'POST members', { email, role: 'caregiver', student_ids: [left.child] })
  const token = tokenIn(await world.mailTo(email, 'invited you'), 'member')
  const caregiver = world.visitor()
  await accepted(caregiver, 'POST /api/auth/join', { token, password: PASSWORD, full_name: 'Cara Diaz' })
  left['logged by caregiver'] = await madeBy(caregiver, 'sessions', {
    student_id: left.child,
    tutor_id: left.tutor,
    date: world.second(16),
    duration: 1,
  })
}

/** Whoever opens the link in the email that asked an address to confirm. */
async function linkTo(world: World, email: string): Promise<{ token: string; reader: Visitor }> {
  const token = tokenIn(await world.mailTo(email, 'asks you to confirm'), 'confirm')
  const reader = world.visitor()
  return {
    token,
    reader: {
      ...reader,
      call: (method, path, body) => reader.call(method, path, body, { 'tutorlog-link': token }),
    },
  }
}

/** A tutor and a parent without accounts confirm a lesson each; the tutor sends one back, and one more waits. */
async function answerByEmail({ world, family, practice, left }: Played): Promise<void> {
  const log = (date: string) =>
    madeBy(family, 'sessions', {
      student_id: left.sibling,
      tutor_id: left['linked tutor'],
      date,
      duration: 1,
      subject: 'English',
    })
  left['agreed by link'] = await log(world.first(5))
  left['disputed by link'] = await log(world.second(5))
  left['linked connection'] = await madeBy(family, 'connections', { tutor_id: left['linked tutor'] })
  const tutor = await linkTo(world, PEOPLE.linked)
  left.token = tutor.token
  await confirmBy(tutor.reader, left['agreed by link'])
  await accepted(tutor.reader, `POST sessions/${left['disputed by link']}/dispute`, {
    note: 'Not on that day',
  })
  left['waiting for link'] = await log(world.second(12))
  const month = world.first(1).slice(0, 7)
  const signed = await accepted(family, 'POST sign-offs', { month, tutor_id: left['linked tutor'] })
  left['signed code'] = String(signed.code)
  const closing = { connection_id: left['linked connection'], month }
  await accepted(family, 'POST months/close', closing)
  left['linked code'] = String((await accepted(tutor.reader, 'POST months/close', closing)).code)
  const ask = { email: PEOPLE.parent, student_ids: [left['own student']], name: 'Ingrid Halvorsen' }
  left['parent connection'] = await madeBy(practice, 'connections', ask)
  const parent = await linkTo(world, PEOPLE.parent)
  left['parent token'] = parent.token
  await confirmBy(parent.reader, left.own)
}

/** A receipt for the closed month. */
async function keepPapers({ world, practice, left }: Played): Promise<void> {
  if (!world.has('POST /api/v1/papers')) return
  await accepted(practice, 'PUT paper-provider', {
    legal_name: 'Halvorsen Tutoring LLC',
    address: '12 Elm Street\nTucson, AZ 85701',
  })
  const paper = {
    student_id: left.student,
    kind: 'receipt',
    program: 'free-form',
    from: world.first(1),
    to: world.first(26),
    payer_name: 'Dana Whitfield',
  }
  const preview = await accepted(practice, 'POST papers/preview', paper)
  const missing = (preview.missing as { field: string }[]).map(({ field }) => field)
  const issued = { paper, seen: String(preview.seen), known_missing: missing }
  left.paper = await madeBy(practice, 'papers', issued)
}
