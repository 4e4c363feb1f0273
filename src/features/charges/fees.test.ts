// The fees that agreed terms propose by themselves. The clock of the job is faked, the database is real. Most months lie far
// ahead, where the server's own job doesn't look.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aMember } from '#main/testing/members.server.ts'
import {
  aFamily,
  agreedTerms,
  aPair,
  byLink,
  idOf,
  type Pair,
  type Row,
  rowsOf,
  tokenOf,
} from '#main/testing/two-sides.server.ts'
import { type AgreedVersion, feeCovering } from '#features/terms/fees.ts'
import { Rules } from '#features/terms/rules.ts'
import { addDays, type CalendarDay } from '#kernel/calendar-day.ts'
import { addMonths } from '#kernel/month.ts'
import { feeJobs } from './jobs.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

const FEE = { fee: { per: 'month', amount: 180, lessons: 4 } }
const chargesOf = async (who: Caller) =>
  rowsOf(await who.call('GET', '/api/v1/charges?from=2026-01-01&to=2040-12-31'))
const linesOf = async (who: Caller) =>
  (await chargesOf(who)).map((one) => `${String(one.date)} ${String(one.amount)}`).sort()
/** Runs the job as it would run at a moment. */
const runAt = (moment: string) => feeJobs(server.db, () => new Date(moment)).propose_fees?.()

const agreed = (pair: Pair, rules: object, from: string) => agreedTerms(superuser, pair, rules, from)

test('a monthly fee waits for the parent with its sentence, confirmed by the tutor, and counts once the parent confirms', async () => {
  const pair = await aPair(server)
  const { family, practice, connection } = pair
  await agreed(pair, FEE, '2036-10-01')
  await runAt('2036-10-30T23:00:00Z')
  assert.deepEqual(await chargesOf(family), [])
  await runAt('2036-10-31T12:00:00Z')
  const [waiting] = rowsOf(await family.call('GET', '/api/v1/charges/waiting'))
  assert.partialDeepStrictEqual(waiting, {
    connection_id: connection,
    date: '2036-10-31',
    amount: 180,
    reason: 'fee',
    label: 'Fee for October 2036, by the terms of Oct 1, 2036.',
    own_confirmation: 'none',
    other_confirmation: 'confirmed',
    waits_for_you: true,
  })
  const id = String(waiting?.id)
  assert.partialDeepStrictEqual((await practice.call('GET', `/api/v1/charges/${id}`)).body, {
    student_id: pair.student,
    own_confirmation: 'confirmed',
    counts: false,
  })
  const history = await Promise.all(
    [family, practice].map(async (who) =>
      rowsOf(await who.call('GET', `/api/v1/charges/${id}/history`)).map((one) => [
        one.by,
        one.action,
        one.label,
      ]),
    ),
  )
  assert.deepEqual(
    history.map((lines) => lines.map(([, ...rest]) => rest)),
    [[['logged', waiting?.label]], [['logged', waiting?.label]]],
  )
  assert.equal((await family.call('POST', `/api/v1/charges/${id}/confirm`, {})).body.counts, true)
  for (const who of [family, practice]) {
    const [balance] = (await who.call('GET', '/api/v1/balances?month=2036-10')).body.balances as Row[]
    assert.deepEqual([balance?.balance, balance?.charges_amount], [180, 180])
  }
})

test('whoever is paid waives a fee in one step, both sides see that, and the job does not ask for it again', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const { family, practice } = pair
  await agreed(pair, { fee: { per: 'month', amount: 140.5, is_in_advance: true } }, '2036-10-01')
  await runAt('2036-10-01T12:00:00Z')
  const [fee] = await chargesOf(practice)
  assert.partialDeepStrictEqual(fee, {
    amount: 140.5,
    currency: 'EUR',
    fee_period: '2036-10',
    class_date: null,
  })
  const waive = async (who: Caller) => {
    const { status, body } = await who.call('POST', `/api/v1/charges/${String(fee?.id)}/waive`, {})
    return [status, body.code]
  }
  assert.deepEqual(await waive(family), [409, 'not_waivable'])
  assert.deepEqual(await waive(await aMember(server, family, 'viewer')), [403, 'read_only'])
  assert.deepEqual((await waive(await aMember(server, family, 'caregiver')))[0], 403)
  assert.deepEqual(await waive((await aPair(server)).practice), [404, 'not_found'])
  assert.deepEqual(await waive(practice), [204, undefined])
  assert.deepEqual(await waive(practice), [404, 'not_found'], 'waived twice')
  await runAt('2036-10-20T12:00:00Z')
  await runAt('2036-11-01T12:00:00Z')
  for (const [who, by] of [
    [family, 'other'],
    [practice, 'you'],
  ] as const) {
    const history = rowsOf(await who.call('GET', `/api/v1/charges/${String(fee?.id)}/history`))
    assert.deepEqual(history.map((entry) => [entry.by, entry.action]).at(-1), [by, 'waived'])
    assert.deepEqual(await linesOf(who), ['2036-11-01 140.5'])
  }
  const [next] = await chargesOf(family)
  assert.equal(
    (await family.call('POST', `/api/v1/charges/${String(next?.id)}/confirm`, {})).body.counts,
    true,
  )
  const late = await practice.call('POST', `/api/v1/charges/${String(next?.id)}/waive`, {})
  assert.deepEqual([late.status, late.body.code], [409, 'not_waivable'])
  // What someone typed is deleted, not waived.
  const typed = await practice.call('POST', '/api/v1/charges', {
    student_id: pair.student,
    date: '2026-11-20',
    amount: 12,
    reason: 'fee',
  })
  const own = await practice.call('POST', `/api/v1/charges/${idOf(typed)}/waive`, {})
  assert.equal(own.body.code, 'not_waivable')
})

test('over a year with restarts, late runs and two servers, each month is proposed once', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  await agreed(pair, { fee: { per: 'month', amount: 140, is_in_advance: true } }, '2037-01-15')
  // Terms change in May, from the day on which both agree.
  await agreed(pair, { fee: { per: 'month', amount: 150, is_in_advance: true } }, '2037-05-20')
  const random = seeded()
  for (let day = 0; day < 365; day += random() < 0.1 ? 40 : 1 + Math.floor(random() * 5)) {
    const moment = new Date(
      Date.UTC(2037, 0, 20, 0, 0, 0) + day * 86_400_000 + random() * 86_400_000,
    ).toISOString()
    await Promise.all([runAt(moment), runAt(moment)])
  }
  await runAt('2038-01-05T00:00:00Z')
  const months = Array.from({ length: 12 }, (_, at) =>
    at < 11 ? `2037-${String(at + 2).padStart(2, '0')}` : '2038-01',
  )
  const expected = months.map((month) => `${month}-01 ${month < '2037-06' ? 140 : 150}`)
  assert.deepEqual(await linesOf(pair.family), expected)
  assert.deepEqual(await linesOf(pair.practice), expected)
})

test('a term fee waits for the parent with its sentence, each term once, and its lessons have no price of their own', async () => {
  const pair = await aPair(server, undefined, undefined, 'EUR')
  const { family, practice, student, self } = pair
  await agreed(
    pair,
    { fee: { per: 'term', amount: 560, is_in_advance: true }, term_months: [9, 2] },
    '2036-08-20',
  )
  await runAt('2036-08-31T12:00:00Z')
  assert.deepEqual(await chargesOf(family), [])
  for (const moment of ['2036-09-01T12:00:00Z', '2036-10-07T12:00:00Z', '2037-03-02T12:00:00Z'])
    await Promise.all([runAt(moment), runAt(moment)])
  for (const who of [family, practice])
    assert.deepEqual(await linesOf(who), ['2036-09-01 560', '2037-02-01 560'])
  const waiting = rowsOf(await family.call('GET', '/api/v1/charges/waiting'))
  assert.deepEqual(
    waiting.map(({ label, reason, other_confirmation: other }) => [label, reason, other]).toSorted(),
    [
      ['Fee for the term Feb 1, 2037 to Aug 31, 2037, by the terms of Aug 20, 2036.', 'fee', 'confirmed'],
      ['Fee for the term Sep 1, 2036 to Jan 31, 2037, by the terms of Aug 20, 2036.', 'fee', 'confirmed'],
    ],
  )
  const [fee] = waiting
  await practice.call('DELETE', `/api/v1/charges/${fee?.id}`, {})
  await runAt('2037-04-02T12:00:00Z')
  assert.equal((await chargesOf(family)).length, 1, 'what was waived is not asked for again')
  await superuser.query("update terms set applies_from = '2026-08-20' where connection_id = $1", [
    pair.connection,
  ])
  const log = async (date: string) =>
    (
      await practice.call('POST', '/api/v1/sessions', {
        student_id: student,
        tutor_id: self,
        date,
        duration: 1,
      })
    ).body.total_amount
  assert.equal(await log('2026-08-31'), 45)
  assert.equal(await log('2026-09-01'), null)
  assert.equal(await log('2026-11-20'), null)
})

test('a term that begins or ends in a closed month is not asked for there', async () => {
  const pair = await aPair(server)
  const { family, practice, connection } = pair
  const lesson = await pair.log({ date: '2026-09-06' })
  await practice.call('POST', `/api/v1/sessions/${lesson}/confirm`, {})
  for (const who of [practice, family])
    await who.call('POST', '/api/v1/months/close', { month: '2026-09', connection_id: connection })
  await agreed(
    pair,
    { fee: { per: 'term', amount: 560, is_in_advance: true }, term_months: [9, 2] },
    '2026-09-01',
  )
  await runAt('2027-02-01T12:00:00Z')
  assert.deepEqual(await linesOf(family), ['2027-02-01 560'])
})

test('a month begins by the family’s calendar', async () => {
  const pair = await aPair(server)
  await pair.family.call('PATCH', '/api/v1/me', { time_zone: 'America/Los_Angeles' })
  await agreed(pair, { fee: { per: 'month', amount: 99, is_in_advance: true } }, '2036-10-01')
  await runAt('2036-11-01T06:30:00Z')
  assert.deepEqual(await linesOf(pair.family), ['2036-10-01 99'])
  await runAt('2036-11-01T07:30:00Z')
  assert.deepEqual(await linesOf(pair.family), ['2036-10-01 99', '2036-11-01 99'])
})

test('the tutor waives a fee by deleting it, and it is not asked for again; the parent cannot', async () => {
  const pair = await aPair(server)
  await agreed(pair, FEE, '2036-10-01')
  await runAt('2036-10-31T12:00:00Z')
  const [fee] = await chargesOf(pair.practice)
  const byPayer = await pair.family.call('DELETE', `/api/v1/charges/${fee?.id}`, {})
  assert.equal((await chargesOf(pair.practice)).length, 1, JSON.stringify(byPayer.body))
  await pair.family.call('POST', `/api/v1/charges/${fee?.id}/keep`, {})
  await pair.practice.call('DELETE', `/api/v1/charges/${fee?.id}`, {})
  await runAt('2036-11-02T12:00:00Z')
  assert.deepEqual(await chargesOf(pair.family), [])
  await runAt('2036-11-30T12:00:00Z')
  assert.deepEqual(await linesOf(pair.family), ['2036-11-30 180'])
})

test('a month that both closed stays as it is, also after it was reopened', async () => {
  const pair = await aPair(server)
  const { family, practice, connection } = pair
  const lesson = await pair.log({ date: '2026-10-06' })
  await practice.call('POST', `/api/v1/sessions/${lesson}/confirm`, {})
  const month = { month: '2026-10', connection_id: connection }
  await practice.call('POST', '/api/v1/months/close', month)
  assert.equal((await family.call('POST', '/api/v1/months/close', month)).body.state, 'closed')
  await agreed(pair, FEE, '2026-09-01')
  await runAt('2026-11-03T12:00:00Z')
  const upToOctober = async () => (await linesOf(family)).filter((line) => line < '2026-11')
  assert.deepEqual(await upToOctober(), ['2026-09-30 180'])
  const reopened = await practice.call('POST', '/api/v1/months/reopen', {
    ...month,
    reason: 'A lesson is missing',
  })
  assert.equal(reopened.body.state, 'reopened')
  await runAt('2026-11-04T12:00:00Z')
  assert.deepEqual(await upToOctober(), ['2026-09-30 180'])
})

test('nothing is proposed before both agree, after terms or the connection ended, or to a closed account', async () => {
  const waiting = await aPair(server)
  await waiting.practice.call('POST', '/api/v1/terms', { student_id: waiting.student, rules: FEE })
  const over = await aPair(server)
  const terms = await agreed(over, FEE, '2036-09-01')
  await over.family.call('DELETE', `/api/v1/terms/${terms}`, {})
  await over.practice.call('DELETE', `/api/v1/terms/${terms}`, {})
  const parted = await aPair(server)
  await agreed(parted, FEE, '2036-09-01')
  assert.ok((await parted.family.call('DELETE', `/api/v1/connections/${parted.connection}`, {})).status < 300)
  const closed = await aPair(server)
  await agreed(closed, FEE, '2036-09-01')
  await superuser.query('update connections set family_closed_at = now() where id = $1', [closed.connection])
  await runAt('2036-12-31T12:00:00Z')
  for (const { practice } of [waiting, over, parted, closed]) assert.deepEqual(await chargesOf(practice), [])
})

test('a viewer reads the fee and cannot answer it, and a caregiver sees nothing of it', async () => {
  const pair = await aPair(server)
  await agreed(pair, FEE, '2036-10-01')
  await runAt('2036-10-31T12:00:00Z')
  const viewer = await aMember(server, pair.family, 'viewer')
  const [fee] = rowsOf(await viewer.call('GET', '/api/v1/charges/waiting'))
  assert.equal(fee?.amount, 180)
  assert.equal((await viewer.call('POST', `/api/v1/charges/${fee?.id}/confirm`, {})).status, 403)
  const caregiver = await aMember(server, pair.family, 'caregiver')
  assert.equal((await caregiver.call('GET', '/api/v1/charges/waiting')).status, 403)
})

test('a tutor who answers by email has confirmed the fee with the terms, and the family is asked', async () => {
  const { family, tutor, email, log } = await aFamily(server)
  await log()
  const token = await tokenOf(server, email)
  const [session] = rowsOf(await byLink(server.aStranger(), token, 'open'))
  await byLink(server.aStranger(), token, 'write', { id: session?.id, version: session?.version })
  const id = idOf(await family.call('POST', '/api/v1/terms', { tutor_id: tutor, rules: FEE }))
  const byMail = await server
    .aStranger()
    .call('POST', `/api/v1/terms/${id}/confirm`, {}, { 'tutorlog-link': token })
  assert.equal(byMail.status, 200)
  await superuser.query("update terms set applies_from = '2036-10-01' where id = $1", [id])
  await runAt('2036-10-31T12:00:00Z')
  const [fee] = rowsOf(await family.call('GET', '/api/v1/charges/waiting'))
  assert.equal((await family.call('POST', `/api/v1/charges/${fee?.id}/confirm`, {})).body.counts, true)
})

test('under a monthly fee, lessons have no price of their own on either side, unless someone types a rate', async () => {
  const pair = await aPair(server)
  const { family, practice, student, self, child, tutor } = pair
  const price = async (who: Caller, id: string) => {
    const { total_amount, default_rate } = (await who.call('GET', `/api/v1/sessions/${id}`)).body
    return [total_amount, default_rate]
  }
  const log = async (who: Caller, date: string, more: object = {}) =>
    idOf(
      await who.call('POST', '/api/v1/sessions', {
        ...(who === family
          ? { student_id: child, tutor_id: tutor }
          : { student_id: student, tutor_id: self }),
        date,
        duration: 1,
        ...more,
      }),
    )
  await agreed(pair, FEE, '2026-08-20')
  const caregiver = await aMember(server, family, 'caregiver')
  const before = await log(family, '2026-08-25')
  assert.deepEqual(
    await price(practice, before),
    [45, 45],
    'August is not covered: it began without the terms',
  )
  const lessons = [
    await log(family, '2026-09-01'),
    await log(practice, '2026-09-08'),
    idOf(
      await caregiver.call('POST', '/api/v1/sessions', {
        student_id: child,
        tutor_id: tutor,
        date: '2026-09-15',
        duration: 1,
      }),
    ),
  ]
  for (const id of lessons)
    for (const who of [family, practice]) assert.deepEqual(await price(who, id), [null, null], id)
  const schedule = idOf(
    await family.call('POST', '/api/v1/schedules', {
      student_id: child,
      tutor_id: tutor,
      day_of_week: 4,
      start_time: '16:00',
      duration: 1,
      start_date: '2026-08-20',
      hourly_rate: 55,
    }),
  )
  const ofClass = async (date: string) =>
    idOf(await practice.call('POST', `/api/v1/schedules/${schedule}/log`, { date }))
  assert.deepEqual(await price(family, await ofClass('2026-08-27')), [55, 55])
  const planned = await ofClass('2026-09-24')
  assert.deepEqual(await price(family, planned), [null, null], "a schedule's rate isn't typed for the lesson")
  const typed = await log(practice, '2026-09-22', { hourly_rate: 60 })
  assert.deepEqual(await price(family, typed), [60, null])
  await practice.call('POST', `/api/v1/sessions/${lessons[0]}/confirm`, {})
  // A rate that's set later is for lessons without one, not for those that the fee covers.
  const { body } = await practice.call(
    'GET',
    `/api/v1/repricing?person=tutor&person_id=${self}&since=2026-08-01&new_rate=50`,
  )
  assert.deepEqual(body.sessions, [])
})

test('of two versions that both agreed to on one day, the later one has the fee', async () => {
  const pair = await aPair(server)
  await agreed(pair, { bands: [{ until_hours: 0, percent: 50 }] }, '2036-10-01')
  await agreed(pair, FEE, '2036-10-01')
  await runAt('2036-10-31T12:00:00Z')
  assert.deepEqual(await linesOf(pair.family), ['2036-10-31 180'])
})

test('the database and the rule agree on which days a fee covers', async () => {
  const pair = await aPair(server)
  const random = seeded()
  const versions: AgreedVersion[] = []
  for (let nth = 0; nth < 12; nth++) {
    const per = random() < 0.5 ? 'term' : 'month'
    const rules =
      random() < 0.3
        ? { due_day: 1 + nth }
        : {
            fee: { per, amount: 100 + nth },
            ...(per === 'term' && random() < 0.7
              ? { term_months: random() < 0.5 ? [9, 2] : [1, 4, 8, 11] }
              : {}),
          }
    const from = addDays('2037-01-01' as CalendarDay, nth * 75 + Math.floor(random() * 30))
    await agreed(pair, rules, from)
    versions.push({ rules: Rules.parse(rules), applies_from: from, ended_on: null })
  }
  const found = new Set<string | undefined>()
  for (let month = '2036-12'; month < '2040-02'; month = addMonths(month, 1)) {
    const { rows } = await server.db.readAsMember(pair.family.member, (tx) =>
      sql<{ is_covered: boolean }>`
        select is_covered_by_fee(${pair.connection}::uuid, ${`${month}-17`}::date) as is_covered`.execute(tx),
    )
    const covering = feeCovering(versions, `${month}-17` as CalendarDay)
    found.add(covering)
    assert.equal(rows[0]?.is_covered, covering !== undefined, month)
  }
  assert.equal(found.size, 3)
})

function seeded(): () => number {
  let state = 20_270_101
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
