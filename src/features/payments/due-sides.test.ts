// Money that's due, as both sides see it on a real server.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aPair,
  byLink,
  idOf,
  type Row,
  rowsOf,
  shownByLink,
  tokenOf,
} from '#main/testing/two-sides.server.ts'
import type { Owed } from './balance.ts'

const TODAY = '2026-11-27'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date(`${TODAY}T12:00:00Z`)
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

const rules = { due_day: 5 }
/** As if these terms had been agreed on an earlier day. */
const since = (id: string, day: string) =>
  superuser.query('update terms set applies_from = $2 where id = $1', [id, day])
const agreed = async (by: Caller, other: Caller, more: object, from = '2026-10-01') => {
  const id = idOf(await by.call('POST', '/api/v1/terms', more))
  assert.equal((await other.call('POST', `/api/v1/terms/${id}/confirm`, {})).status, 200)
  await since(id, from)
  return id
}
const dueTo = async (who: Caller, today = TODAY) => {
  const { body } = await who.call('GET', `/api/v1/balances?month=${today.slice(0, 7)}&today=${today}`)
  return (body.owed as Owed[]).flatMap(({ accounts }) =>
    accounts.flatMap(({ due }) => due.map(({ date, amount }) => `${date} ${amount}`)),
  )
}
const both = async (sides: Caller[], expected: string[], today?: string) => {
  for (const one of sides) assert.deepEqual(await dueTo(one, today), expected)
}

test('both sides see the same money due, until either says that it was paid', async () => {
  const { family, practice, student, tutor, log } = await aPair(server)
  const sides = [family, practice]
  await log({ date: '2026-10-06' })
  await both(sides, [], TODAY)
  await agreed(practice, family, { student_id: student, rules })
  await log({ date: '2026-11-06' })
  await both(sides, ['2026-11-05 67.5'])
  await both(sides, [], '2026-10-31')
  await both(sides, ['2026-11-05 67.5', '2026-12-05 67.5'], '2026-12-01')
  const payment = { tutor_id: tutor, date: TODAY, amount: 30 }
  const paid = idOf(await family.call('POST', '/api/v1/payments', payment))
  await both(sides, ['2026-11-05 37.5'])
  await practice.call('POST', `/api/v1/payments/${paid}/dispute`, { note: 'Not here' })
  await both(sides, ['2026-11-05 67.5'])
  const received = { student_id: student, date: TODAY, amount: 67.5 }
  idOf(await practice.call('POST', '/api/v1/payments', received))
  await both(sides, [])
})

test('what terms say holds from the month in which they were agreed, and ends with them', async () => {
  const { family, practice, student, log } = await aPair(server)
  const sides = [family, practice]
  await log({ date: '2026-09-08' })
  await log({ date: '2026-10-06' })
  const first = await agreed(practice, family, { student_id: student, rules })
  await both(sides, ['2026-11-05 67.5'])
  const second = await agreed(
    family,
    practice,
    { tutor_id: await tutorOf(family), rules: { due_day: 20 } },
    '2026-10-31',
  )
  await both(sides, ['2026-11-20 67.5'])
  await superuser.query('delete from terms where id = $1', [second])
  await superuser.query('update terms set ended_on = null where id = $1', [first])
  await both(sides, ['2026-11-05 67.5'])
  await superuser.query("update terms set ended_on = '2026-10-15' where id = $1", [first])
  await both(sides, [])
})

test('terms that wait for an answer make nothing due, and those of your own records do', async () => {
  const { family, practice, student, log } = await aPair(server)
  await log({ date: '2026-10-06' })
  idOf(await practice.call('POST', '/api/v1/terms', { student_id: student, rules }))
  await both([family, practice], [])
  const alone = await server.aUser()
  const child = idOf(await alone.call('POST', '/api/v1/students', { name: 'Maya' }))
  const tutor = idOf(await alone.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 }))
  const lesson = { student_id: child, tutor_id: tutor, date: '2026-10-06', duration: 1 }
  idOf(await alone.call('POST', '/api/v1/sessions', lesson))
  await since(idOf(await alone.call('POST', '/api/v1/terms', { tutor_id: tutor, rules })), '2026-10-01')
  assert.deepEqual(await dueTo(alone), ['2026-11-05 45'])
})

test('after the connection has ended, each side keeps the day for its own records', async () => {
  const { family, practice, student, connection, log } = await aPair(server)
  await log({ date: '2026-10-06' })
  await agreed(practice, family, { student_id: student, rules })
  const ended = await family.call('DELETE', `/api/v1/connections/${connection}`, {})
  assert.ok(ended.status < 300, JSON.stringify(ended.body))
  await both([family, practice], ['2026-11-05 67.5'])
})

test('the emailed page and a statement say it, and a spreadsheet’s line is still skipped by the import', async () => {
  const { family, tutor, email, log } = await aFamily(server)
  await log({ date: '2026-10-06' })
  const token = await tokenOf(server, email)
  const reader = server.aStranger()
  const [session] = (await byLink(reader, token, 'open')).body.sessions as Row[]
  // The first answer accepts the connection.
  await byLink(reader, token, 'write', { id: session?.id, version: session?.version })
  const id = idOf(await family.call('POST', '/api/v1/terms', { tutor_id: tutor, rules }))
  const confirmed = await reader.call('POST', `/api/v1/terms/${id}/confirm`, {}, { 'tutorlog-link': token })
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
  await since(id, '2026-10-01')
  const { money } = await shownByLink(server, token)
  assert.deepEqual((money as unknown as { due: unknown }).due, [{ date: '2026-11-05', amount: 67.5 }])
  const range = `from=2026-10-01&to=2026-10-31&tutor_id=${tutor}`
  const pdf = await family.call('GET', `/api/v1/statements/statement.pdf?${range}`)
  const text = (await textOfPdf(pdf.bytes)).replaceAll(/\s+/g, ' ')
  assert.match(text, /Owed to Ingrid as of Nov 27, 2026, \$67\.50 due since Nov 5/)
  const csv = await family.call('GET', `/api/v1/statements/sessions.csv?${range}`)
  assert.match(csv.bytes.toString(), /Owed to Ingrid as of Nov 27, 2026, \$67\.50 due since Nov 5: \$67\.50/)
})

const tutorOf = async (family: Caller) => String(rowsOf(await family.call('GET', '/api/v1/tutors'))[0]?.id)
