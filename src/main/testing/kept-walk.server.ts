// Both sides go on where the kept months end (kept-month.server.ts).
import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { type Caller, PASSWORD, type TestServer } from '../testing.server.ts'
import { accepted, PEOPLE, tokenIn } from './kept-month.server.ts'
import { type Kept, verdictIn, wordsOf } from './kept-versions.server.ts'

interface Walk {
  server: TestServer
  before: Kept
  left: Kept['left']
  family: Caller
  practice: Caller
  first: string
  second: string
}

export async function signIn(server: TestServer, email: string): Promise<Caller> {
  const person = server.aStranger()
  await accepted(person, 'POST /api/auth/sign-in', { email, password: PASSWORD })
  return person
}

const confirm = (who: Caller, kind: string, id: string | undefined, headers = {}) =>
  accepted(who, `POST ${kind}/${id}/confirm`, {}, headers)

/** Answers everything that's open, closes the second month, and reopens the first one for one more lesson. */
export async function goOn(server: TestServer, before: Kept): Promise<void> {
  const { left, months } = before
  const [first = '', second = ''] = months
  const family = await signIn(server, PEOPLE.family)
  const practice = await signIn(server, PEOPLE.practice)
  const walk: Walk = { server, before, left, family, practice, first, second }
  await answerSessions(walk)
  await logMore(walk)
  await changeSeries(walk)
  await answerMoney(walk)
  await agreeOnTerms(walk)
  await closeSecondMonth(walk)
  await reopenFirstMonth(walk)
  await answerByLink(walk)
  await joinByWaitingEmail(walk)
}

async function answerSessions({ left, family, practice }: Walk): Promise<void> {
  for (const name of ['waiting for practice', 'logged by caregiver', 'logged from series'])
    await confirm(practice, 'sessions', left[name])
  await confirm(family, 'sessions', left['waiting for family'])
  const { proposal } = await accepted(family, `GET sessions/${left.disputed}`)
  if (proposal) await accepted(family, `POST sessions/${left.disputed}/accept`, {})
  else {
    await accepted(family, `PATCH sessions/${left.disputed}`, { duration: 1 })
    await confirm(practice, 'sessions', left.disputed)
  }
  await accepted(practice, `DELETE sessions/${left.going}`)
  assert.equal((await family.call('GET', `/api/v1/sessions/${left.going}`)).status, 404)
  const { pairs } = await accepted(family, `GET connections/${left.connection}/pairs`)
  const different = (pairs as { id: string }[]).map(({ id }) => id)
  await accepted(family, `POST connections/${left.connection}/pairs`, { different })
  await confirm(practice, 'sessions', left.paired)
  await confirm(family, 'sessions', left['paired twin'])
}

/** A lesson of the practice that's sent back and corrected, and one of the caregiver. */
async function logMore({ server, left, family, practice, second }: Walk): Promise<void> {
  const people = { student_id: left.student, tutor_id: left.self }
  const { id } = await accepted(practice, 'POST sessions', { ...people, date: `${second}-27`, duration: 2 })
  await accepted(family, `POST sessions/${String(id)}/dispute`, {
    note: 'One hour',
    proposal: { duration: 1 },
  })
  await accepted(practice, `POST sessions/${String(id)}/accept`, {})
  const caregiver = await signIn(server, PEOPLE.caregiver)
  const lesson = { student_id: left.child, tutor_id: left.tutor, date: `${second}-28`, duration: 1.5 }
  const { id: logged, total_amount: amount } = await accepted(caregiver, 'POST sessions', lesson)
  assert.equal(amount ?? null, null, 'caregivers see no amounts')
  await confirm(practice, 'sessions', String(logged))
}

/** The moved class takes place on its day after all, and the series go on under another subject. */
async function changeSeries({ left, family, practice, second }: Walk): Promise<void> {
  const planned = { date: `${second}-25`, status: 'planned' }
  await accepted(family, `PUT schedules/${left.schedule}/occurrence`, planned)
  await accepted(family, `PATCH schedules/${left.schedule}`, { subject: 'Geometry' })
  const own = await accepted(practice, `PATCH schedules/${left['own schedule']}`, { subject: 'Geometry' })
  assert.equal(own.notes, 'Bring the blue folder')
}

async function answerMoney({ left, family, practice, second }: Walk): Promise<void> {
  await confirm(practice, 'payments', left['waiting payment'])
  await accepted(practice, `PATCH payments/${left['disputed payment']}`, { amount: 25 })
  await confirm(family, 'payments', left['disputed payment'])
  const charge = { student_id: left.student, date: `${second}-22`, amount: '8.75', reason: 'travel' }
  const id = left['waiting charge'] ?? (await accepted(practice, 'POST charges', charge)).id
  await accepted(family, `POST charges/${String(id)}/dispute`, { note: 'Less', proposal: { amount: 5 } })
  await accepted(practice, `POST charges/${String(id)}/accept`, {})
}

async function agreeOnTerms({ left, family, practice }: Walk): Promise<void> {
  const rules = { notice_hours: 48, bands: [{ until_hours: 0, percent: 100 }] }
  const id =
    left['proposed terms'] ?? (await accepted(family, 'POST terms', { tutor_id: left.tutor, rules })).id
  assert.equal((await confirm(practice, 'terms', String(id))).other_confirmation, 'confirmed')
}

const close = (who: Caller, month: object) => accepted(who, 'POST months/close', month)

async function verdictOn(server: TestServer, code: string | undefined) {
  const page = await server.aStranger().call('GET', `/verify/${code}`)
  return verdictIn(wordsOf(page.bytes.toString()))
}

/** Both sides close a month and get the same page. Returns what /verify says about its code. */
async function closeMonth({ server, family, practice, left }: Walk, month: string) {
  const of = { connection_id: left.connection, month }
  assert.equal((await close(practice, of)).state, 'asked_by_you')
  const { state, code } = await close(family, of)
  assert.equal(state, 'closed')
  const path = `/api/v1/months/page.pdf?connection_id=${left.connection}&month=${month}`
  const [one, other] = [await family.call('GET', path), await practice.call('GET', path)]
  assert.equal(one.bytes.subarray(0, 5).toString(), '%PDF-')
  assert.ok(one.bytes.equals(other.bytes), 'both get the same bytes')
  return verdictOn(server, String(code))
}

/** In cents, what the earlier version said that a session costs. */
function saidBefore({ before }: Walk, side: 'family' | 'practice', id: string | undefined): number {
  const seen = before.views[side]?.['sessions?limit=200'] as
    { sessions: { id: string; total_amount: number }[] } | undefined
  const amount = seen?.sessions.find((session) => session.id === id)?.total_amount
  return Math.round((amount ?? assert.fail(`no amount of ${id}`)) * 100)
}

async function closeSecondMonth(walk: Walk): Promise<void> {
  const { before, left, family, practice, second } = walk
  const whole = ['priced', 'waiting for practice', 'logged by caregiver', 'logged from series', 'paired']
  const total =
    whole.reduce((sum, name) => sum + saidBefore(walk, 'family', left[name]), 0) +
    saidBefore(walk, 'practice', left['waiting for family']) +
    saidBefore(walk, 'practice', left['paired twin']) +
    // An hour instead of two.
    saidBefore(walk, 'family', left.disputed) / 2 +
    // What was logged since: an hour at the tutor's rate, and an hour and a half at the pair's price if it has one.
    5200 +
    (left.price ? 8250 : 7800)
  const { due: carried } = verdictIn(before.verified[left.code ?? ''] ?? '')
  const [charges, paid] = [500, 10_125 + 2500]
  assert.deepEqual(await closeMonth(walk, second), {
    isGenuine: true,
    sessions: 10,
    hours: 10.5,
    total,
    carried,
    charges,
    paid,
    due: carried + total + charges - paid,
  })
  await downloads(practice, second, left.student, total)
  await downloads(family, second, left.child, total)
}

/** Statements of a month and a student, whose sum is known. */
async function downloads(who: Caller, month: string, student: string | undefined, total: number) {
  const query = `from=${month}-01&to=${month}-28&student_id=${student}`
  const pdf = await who.call('GET', `/api/v1/statements/statement.pdf?${query}`)
  assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-')
  const csv = (await who.call('GET', `/api/v1/statements/sessions.csv?${query}`)).bytes.toString()
  const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true, relax_column_count: true })
  const sums = rows.map((row) => Math.round(Number(row['Amount ($)'] || 0) * 100))
  assert.equal(
    sums.reduce((sum, one) => sum + one, 0),
    total,
  )
}

async function reopenFirstMonth(walk: Walk): Promise<void> {
  const { server, before, left, family, practice, first } = walk
  const lesson = { student_id: left.child, tutor_id: left.tutor, date: `${first}-12`, duration: 1 }
  const refused = await family.call('POST', '/api/v1/sessions', lesson)
  assert.equal(refused.body.code, 'month_closed')
  const reopened = { connection_id: left.connection, month: first, reason: 'A lesson was missing' }
  await accepted(practice, 'POST months/reopen', reopened)
  const page = verdictIn(before.verified[left.code ?? ''] ?? '')
  assert.deepEqual(await verdictOn(server, left.code), { ...page, isGenuine: false })
  const { id } = await accepted(family, 'POST sessions', lesson)
  await confirm(practice, 'sessions', String(id))
  assert.deepEqual(await closeMonth(walk, first), {
    ...page,
    sessions: page.sessions + 1,
    hours: page.hours + 1,
    total: page.total + 5200,
    due: page.due + 5200,
  })
}

async function answerByLink({ server, left, family, practice, first, second }: Walk): Promise<void> {
  const reader = server.aStranger()
  const tutor = { 'tutorlog-link': String(left.token) }
  await confirm(reader, 'sessions', left['waiting for link'], tutor)
  await accepted(family, `PATCH sessions/${left['disputed by link']}`, { date: `${second}-07` })
  await confirm(reader, 'sessions', left['disputed by link'], tutor)
  const month = { connection_id: left['linked connection'], month: second }
  await close(family, month)
  const { code } = await accepted(reader, 'POST months/close', month, tutor)
  const { isGenuine, sessions, total } = await verdictOn(server, String(code))
  assert.deepEqual([isGenuine, sessions, total], [true, 2, 8000])
  for (const closed of [first, second]) {
    const page = `/api/v1/months/page.pdf?connection_id=${left['linked connection']}&month=${closed}`
    const { bytes } = await reader.call('GET', page, undefined, tutor)
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-', closed)
  }
  const allowed = { is_allowed: true, details: { legal_name: 'Marcus Bell', address: '3 Pine Road' } }
  await accepted(reader, `PUT connections/${left['linked connection']}/papers`, allowed, tutor)
  await accepted(reader, 'GET paper-permissions', undefined, tutor)
  const own = { student_id: left['own student'], tutor_id: left.self, date: `${second}-20`, duration: 1 }
  const { id } = await accepted(practice, 'POST sessions', own)
  await confirm(server.aStranger(), 'sessions', String(id), { 'tutorlog-link': String(left['parent token']) })
}

/** The emails that waited in the outbox arrive, and their links work. */
async function joinByWaitingEmail({ server, left }: Walk): Promise<void> {
  const joining = server.aStranger()
  const token = tokenIn((await server.mailTo(PEOPLE.invited, 'invited you')).text, 'member')
  await accepted(joining, 'POST /api/auth/join', { token, password: PASSWORD, full_name: 'Pat Whitfield' })
  assert.equal((await accepted(joining, `GET sessions/${left.agreed}`)).subject, 'Algebra')
  const asked = tokenIn((await server.mailTo(PEOPLE.asked, 'asks you to confirm')).text, 'confirm')
  await accepted(server.aStranger(), 'POST /api/link/open', {}, { 'tutorlog-link': asked })
}
