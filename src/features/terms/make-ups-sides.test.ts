// Make-ups between two sides: owed to both alike, used by a session, given back, lapsed, and used by two at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { aMember, principalOf } from '#main/testing/members.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { agreedTerms, aPair, idOf, type Row } from '#main/testing/two-sides.server.ts'
import type { MakeUp } from './make-ups.ts'

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

const AT = '2026-11-26T12:00:00Z'
const TUESDAYS = {
  day_of_week: 2,
  start_time: '16:00',
  duration: 1,
  start_date: '2026-11-03',
  hourly_rate: 45,
}
const FEE = { fee: { per: 'month', amount: 180 }, make_ups: { for: 'missed', until: 30 } }

/** A connection with terms that apply since October, and what its sides do. */
async function agreedOn(rules: object, at = AT) {
  server.clock.now = new Date(at)
  const pair = await aPair(server)
  const { family, practice, child, tutor, student, self } = pair
  const terms = await agreedTerms(superuser, pair, rules, '2026-10-01')
  const mine = { student_id: child, tutor_id: tutor }
  const schedule = idOf(await family.call('POST', '/api/v1/schedules', { ...TUESDAYS, ...mine }))
  const theirs = { student_id: student, tutor_id: self }
  const end = (who: Caller, date: string, outcome: string | null = 'canceled_by_tutor') =>
    who.call('PUT', `/api/v1/schedules/${schedule}/occurrence`, {
      date,
      ...(outcome ? { status: 'canceled', outcome } : { status: 'planned' }),
    })
  const log = (who: Caller, makes_up: string | undefined, date = '2026-11-26', more: object = {}) =>
    who.call('POST', '/api/v1/sessions', {
      ...(who === practice ? theirs : mine),
      date,
      duration: 1,
      ...(makes_up ? { makes_up } : {}),
      ...more,
    })
  return { ...pair, terms, schedule, mine, theirs, end, log }
}

const makeUps = async (who: Caller) =>
  (await who.call('GET', '/api/v1/make-ups')).body.make_ups as unknown as MakeUp[]
const shown = async (who: Caller) =>
  (await makeUps(who)).map(
    ({ missed_on: day, until, state, is_free: free }) => `${day} ${state} ${until} ${free}`,
  )
/** What both sides see, which is the same. */
async function both({ family, practice }: { family: Caller; practice: Caller }) {
  const [one, other] = [await shown(family), await shown(practice)]
  assert.deepEqual(one, other)
  return one
}
const refusal = ({ status, body }: Answer) => [status, body.code]

test('both sides see the same make-up; a session uses it, costs nothing, is confirmed, and gives it back', async () => {
  const pair = await agreedOn({ ...FEE, tutor_cancels: { brings: 'make_up', within_days: 14 } })
  const { family, practice, end, log } = pair
  assert.deepEqual(await both(pair), [])
  await end(practice, '2026-11-17')
  assert.deepEqual(await both(pair), ['2026-11-17 owed 2026-12-01 true'])
  const [owed] = await makeUps(practice)
  const logged = await log(practice, owed?.id, '2026-11-26', { hourly_rate: 60 })
  assert.equal(logged.status, 201, JSON.stringify(logged.body))
  assert.partialDeepStrictEqual(logged.body, { total_amount: 0, effective_rate: 0, makes_up: owed?.id })
  assert.deepEqual(await both(pair), [])
  const id = idOf(logged)
  const seen = (await family.call('GET', `/api/v1/sessions/${id}`)).body
  assert.partialDeepStrictEqual(seen, { total_amount: 0, makes_up: owed?.id })
  const listed = (await family.call('GET', '/api/v1/sessions?month=2026-11')).body
    .sessions as unknown as Row[]
  assert.equal(listed.find((one) => one.id === id)?.makes_up, owed?.id)
  assert.equal((await family.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 200)
  const { body } = await family.call('GET', '/api/v1/summary?month=2026-11')
  assert.deepEqual([body.total_sessions, body.total_amount], [1, 0])
  const asked = await practice.call('DELETE', `/api/v1/sessions/${id}`)
  assert.equal(asked.status, 202)
  assert.deepEqual(await both(pair), [], 'as long as the session stands, it uses the make-up')
  assert.ok((await family.call('DELETE', `/api/v1/sessions/${id}`)).status < 300)
  assert.deepEqual(await both(pair), ['2026-11-17 owed 2026-12-01 true'])
  await end(family, '2026-11-17', null)
  assert.deepEqual(await both(pair), [], 'a class that is planned again is owed nothing for')
})

test('a make-up for a class that nobody paid for costs what a lesson costs', async () => {
  const pair = await agreedOn({ make_ups: { for: 'missed' }, bands: [{ until_hours: 0, percent: 50 }] })
  await pair.end(pair.family, '2026-11-17', 'canceled_in_time')
  await pair.end(pair.practice, '2026-11-24', 'no_show')
  assert.deepEqual(await both(pair), ['2026-11-17 owed null false', '2026-11-24 owed null true'])
  const [full, free] = await makeUps(pair.family)
  assert.equal((await pair.log(pair.family, full?.id)).body.total_amount, 45)
  assert.equal((await pair.log(pair.family, free?.id, '2026-11-25')).body.total_amount, 0)
  assert.deepEqual(await both(pair), [])
})

const ONE_FREE = {
  bands: [{ until_hours: 0, percent: 100 }],
  free_per_half_year: 1,
  make_ups: { for: 'missed' },
}

test('which late cancellation was free is as it was told and charged, also after another one is corrected', async () => {
  const pair = await agreedOn(ONE_FREE)
  const { family, practice, end } = pair
  const charges = async () =>
    (await family.call('GET', '/api/v1/charges?from=2026-11-01&to=2026-12-31')).body as unknown as Row[]
  await end(family, '2026-11-24', 'canceled_late')
  await end(family, '2026-11-17', 'canceled_late')
  assert.deepEqual(
    (await charges()).map(({ date }) => date),
    ['2026-11-17'],
  )
  // The make-up of the charged one costs nothing, that of the free one what a lesson costs.
  assert.deepEqual(await both(pair), ['2026-11-17 owed null true', '2026-11-24 owed null false'])
  await end(practice, '2026-11-24', null)
  assert.equal((await charges()).length, 1, 'it stays charged')
  assert.deepEqual(await both(pair), ['2026-11-17 owed null true'])
  await end(family, '2026-11-10', 'canceled_late')
  assert.equal((await charges()).length, 1, 'the free one is free again')
  assert.deepEqual(await both(pair), ['2026-11-10 owed null false', '2026-11-17 owed null true'])
})

test('a free one stays free for its make-up when the terms change before its day', async () => {
  const pair = await agreedOn({ ...ONE_FREE, notice_hours: 168 })
  const { family, practice, end, tutor } = pair
  await end(family, '2026-12-01', 'canceled_late')
  const { free_per_half_year: _none, ...others } = ONE_FREE
  const later = idOf(await family.call('POST', '/api/v1/terms', { tutor_id: tutor, rules: others }))
  assert.equal((await practice.call('POST', `/api/v1/terms/${later}/confirm`, {})).status, 200)
  assert.deepEqual(await both(pair), ['2026-12-01 owed null false'])
})

test("without a connection, the free ones are those that were told first, each side's by its own terms", async () => {
  server.clock.now = new Date(AT)
  const family = await server.aUser()
  const child = idOf(await family.call('POST', '/api/v1/students', { name: 'Maya' }))
  const tutor = idOf(await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 }))
  const rules = idOf(await family.call('POST', '/api/v1/terms', { tutor_id: tutor, rules: ONE_FREE }))
  await superuser.query("update terms set applies_from = '2026-10-01' where id = $1", [rules])
  const mine = { student_id: child, tutor_id: tutor }
  const schedule = idOf(await family.call('POST', '/api/v1/schedules', { ...TUESDAYS, ...mine }))
  const end = (date: string, outcome: string | null) =>
    family.call('PUT', `/api/v1/schedules/${schedule}/occurrence`, {
      date,
      ...(outcome ? { status: 'canceled', outcome } : { status: 'planned' }),
    })
  for (const date of ['2026-11-24', '2026-11-17'])
    assert.equal((await end(date, 'canceled_late')).status, 200)
  assert.deepEqual(await shown(family), ['2026-11-17 owed null true', '2026-11-24 owed null false'])
  await end('2026-11-24', null)
  await end('2026-11-10', 'canceled_late')
  assert.deepEqual(await shown(family), ['2026-11-10 owed null false', '2026-11-17 owed null true'])
  const missed = (await family.call('GET', '/api/v1/missed?from=2026-11-01&to=2026-11-30')).body
  assert.ok((missed as unknown as Row[]).every(({ because, charge }) => because === null && charge === null))
})

test('one that lapsed is shown for a while, and cannot be used on a later day', async () => {
  const pair = await agreedOn({ ...FEE, make_ups: { for: 'missed', until: 7 } })
  await pair.end(pair.family, '2026-11-17', 'canceled_late')
  assert.deepEqual(await both(pair), ['2026-11-17 lapsed 2026-11-24 true'])
  const [lapsed] = await makeUps(pair.family)
  assert.deepEqual(refusal(await pair.log(pair.family, lapsed?.id, '2026-11-25')), [409, 'make_up_gone'])
  assert.equal((await pair.log(pair.family, lapsed?.id, '2026-11-24')).status, 201, 'it was held in time')
})

test('a make-up is used once, by its own people, also by both sides at once', async () => {
  const pair = await agreedOn(FEE)
  const { family, practice, end, log } = pair
  await end(practice, '2026-11-17', 'no_show')
  const [owed] = await makeUps(family)
  const other = idOf(await family.call('POST', '/api/v1/students', { name: 'Theo' }))
  assert.deepEqual(refusal(await log(family, owed?.id, '2026-11-26', { student_id: other })), [
    409,
    'make_up_gone',
  ])
  assert.deepEqual(refusal(await log(family, pair.schedule)), [409, 'make_up_gone'])
  assert.deepEqual(refusal(await log(family, 'x')), [422, 'invalid'])
  const stranger = await agreedOn(FEE)
  assert.deepEqual(refusal(await stranger.log(stranger.family, owed?.id)), [409, 'make_up_gone'])
  const race = await Promise.all([
    log(family, owed?.id, '2026-11-25', { is_another: true }),
    log(practice, owed?.id, '2026-11-26', { is_another: true }),
  ])
  assert.deepEqual(race.map(({ status }) => status).sort(), [201, 409])
  assert.deepEqual(
    race.filter(({ status }) => status === 409).map(({ body }) => body.code),
    ['make_up_gone'],
  )
  assert.deepEqual(await both(pair), [])
})

test('the database itself refuses a second session for the same make-up', async () => {
  const pair = await agreedOn(FEE)
  await pair.end(pair.practice, '2026-11-17', 'no_show')
  const [owed] = await makeUps(pair.family)
  await pair.log(pair.family, owed?.id)
  const second = idOf(await pair.log(pair.family, undefined, '2026-11-24'))
  await assert.rejects(
    superuser.query('update sessions set makes_up = $1 where id = $2', [owed?.id, second]),
    /sessions_(family|practice)_makes_up_once/,
  )
})

test('viewers see what is owed and use none', async () => {
  const pair = await agreedOn(FEE)
  await pair.end(pair.practice, '2026-11-17', 'no_show')
  const [owed] = await makeUps(pair.family)
  const viewer = await aMember(server, pair.family, 'viewer')
  assert.deepEqual(await shown(viewer), ['2026-11-17 owed 2026-12-17 true'])
  assert.equal((await pair.log(viewer, owed?.id)).status, 403)
})

/** Rules in which each amount and percentage is a number that's found nowhere else. */
const TELLING = {
  notice_hours: 24,
  bands: [{ until_hours: 0, percent: 83, amount: 71.37 }],
  no_show: { percent: 97, amount: 71.39 },
  free_per_half_year: 1,
  make_ups: { for: 'missed', until: 30 },
  tutor_cancels: { brings: 'make_up', within_days: 40, late_percent_off: 61 },
}
const AMOUNTS = /83|71|97|61|45/

test('a make-up that a caregiver logs costs what it would if a parent had logged it', async () => {
  const pair = await agreedOn(TELLING)
  const cara = await aMember(server, pair.family, 'caregiver')
  // The first late cancellation is free, so its make-up costs what a lesson costs; a no-show is charged.
  await pair.end(pair.family, '2026-11-10', 'canceled_late')
  await pair.end(pair.practice, '2026-11-17', 'no_show')
  await pair.end(pair.practice, '2026-11-24', 'canceled_by_tutor')
  assert.deepEqual(await both(pair), [
    '2026-11-10 owed 2026-12-10 false',
    '2026-11-17 owed 2026-12-17 true',
    '2026-11-24 owed 2027-01-03 false',
  ])
  const offered = await makeUps(cara)
  assert.deepEqual(
    offered.map(({ missed_on: day, until, is_free: free }) => `${day} ${until} ${free}`),
    ['2026-11-10 2026-12-10 null', '2026-11-17 2026-12-17 null', '2026-11-24 2027-01-03 null'],
  )
  for (const [at, total] of [
    [0, 45],
    [1, 0],
    [2, 45],
  ] as const) {
    const logged = await pair.log(cara, offered[at]?.id, '2026-11-26', {
      duration: 1,
      subject: `Make-up ${at}`,
    })
    assert.equal(logged.status, 201, JSON.stringify(logged.body))
    assert.deepEqual(
      [logged.body.makes_up, logged.body.total_amount, logged.body.effective_rate],
      [offered[at]?.id, null, null],
    )
    for (const who of [pair.family, pair.practice]) {
      const { body } = await who.call('GET', `/api/v1/sessions/${idOf(logged)}`)
      assert.deepEqual([body.total_amount, body.makes_up], [total, offered[at]?.id])
    }
  }
  assert.deepEqual(await makeUps(cara), [])
  assert.deepEqual(await both(pair), [])
  assert.deepEqual(refusal(await pair.log(cara, offered[0]?.id)), [409, 'make_up_gone'])
  assert.equal((await pair.log(cara, undefined, '2026-11-25')).status, 201)
})

test('T19, T13: a caregiver reads make-ups, but no amount or percentage of the terms, not even in the database', async () => {
  const pair = await agreedOn(TELLING)
  const cara = await aMember(server, pair.family, 'caregiver')
  await pair.end(pair.practice, '2026-11-17', 'no_show')
  const answer = await cara.call('GET', '/api/v1/make-ups')
  const [owed, ...others] = answer.body.make_ups as unknown as MakeUp[]
  assert.deepEqual(others, [])
  assert.deepEqual(owed, {
    id: owed?.id,
    student_id: pair.child,
    student_name: 'Maya Whitfield',
    tutor_id: pair.tutor,
    tutor_name: 'Ingrid',
    connection_id: pair.connection,
    missed_on: '2026-11-17',
    until: '2026-12-17',
    is_free: null,
    state: 'owed',
  })
  const read = async (role: 'caregiver' | 'parent', query: string) =>
    await server.db.asMember(principalOf(cara, pair.family, role), async (tx) => {
      const { rows } = await sql.raw<Record<string, unknown>>(query).execute(tx)
      return rows
    })
  const rules = await read('caregiver', 'select rules from terms')
  assert.deepEqual(rules, [
    {
      rules: {
        notice_hours: 24,
        bands: [{ until_hours: 0, percent: 100 }],
        no_show: { percent: 100 },
        free_per_half_year: 1,
        make_ups: { for: 'missed', until: 30, per: 'once' },
        tutor_cancels: { brings: 'make_up', within_days: 40 },
        term_months: null,
        fee: null,
      },
    },
  ])
  assert.doesNotMatch(JSON.stringify(rules), AMOUNTS)
  assert.match(
    JSON.stringify(
      (await superuser.query('select rules from terms where connection_id = $1', [pair.connection])).rows,
    ),
    AMOUNTS,
    'the rules themselves have them',
  )
  assert.deepEqual(await read('parent', 'select rules from terms'), [], 'nothing under another role')
  for (const query of [
    'select rules from public.terms',
    'select amount_cents from charges',
    'select because from public.schedule_changes',
    'update sessions set rate_override_cents = 1',
  ])
    await assert.rejects(
      read('caregiver', query),
      /permission denied|cannot update column|does not exist/,
      query,
    )
  // A monthly fee says that it covers lessons, and not what it costs.
  const withFee = await agreedOn({ fee: { per: 'month', amount: 183.71 }, make_ups: { for: 'missed' } })
  const other = await aMember(server, withFee.family, 'caregiver')
  const [terms] = await server.db.asMember(
    principalOf(other, withFee.family),
    async (tx) => (await sql<{ rules: { fee: object } }>`select rules from terms`.execute(tx)).rows,
  )
  assert.deepEqual(terms?.rules.fee, { per: 'month', amount: 1 })
  // With some students only, there are none, as for any member.
  const limited = await aMember(server, pair.family, 'caregiver', [pair.child])
  assert.equal((await limited.call('GET', '/api/v1/make-ups')).status, 403)
  assert.deepEqual(refusal(await pair.log(limited, owed?.id)), [409, 'make_up_gone'])
})

test('in a closed month no make-up can be held, and one from it can be held later', async () => {
  const pair = await agreedOn(FEE, '2026-12-01T12:00:00Z')
  assert.equal((await pair.end(pair.practice, '2026-11-17', 'no_show')).status, 200)
  const session = idOf(await pair.log(pair.family, undefined, '2026-11-24'))
  await pair.practice.call('POST', `/api/v1/sessions/${session}/confirm`, {})
  const month = { connection_id: pair.connection, month: '2026-11' }
  for (const who of [pair.family, pair.practice]) await who.call('POST', '/api/v1/months/close', month)
  const [owed] = await makeUps(pair.practice)
  const late = await pair.log(pair.practice, owed?.id)
  assert.deepEqual(refusal(late), [409, 'month_closed'])
  assert.deepEqual(await both(pair), ['2026-11-17 owed 2026-12-17 true'])
  assert.equal((await pair.log(pair.practice, owed?.id, '2026-12-03')).status, 201)
})

test('a family and a practice without a connection count by their own terms', async () => {
  server.clock.now = new Date(AT)
  const family = await server.aUser()
  const child = idOf(await family.call('POST', '/api/v1/students', { name: 'Maya' }))
  const tutor = idOf(await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 }))
  const terms = idOf(await family.call('POST', '/api/v1/terms', { tutor_id: tutor, rules: FEE }))
  await superuser.query("update terms set applies_from = '2026-10-01' where id = $1", [terms])
  const mine = { student_id: child, tutor_id: tutor }
  const schedule = idOf(await family.call('POST', '/api/v1/schedules', { ...TUESDAYS, ...mine }))
  await family.call('PUT', `/api/v1/schedules/${schedule}/occurrence`, {
    date: '2026-11-17',
    status: 'canceled',
    outcome: 'no_show',
  })
  const [owed] = await makeUps(family)
  const session = { ...mine, date: '2026-11-26', duration: 1, makes_up: owed?.id }
  const logged = await family.call('POST', '/api/v1/sessions', session)
  assert.deepEqual([logged.status, logged.body.total_amount], [201, 0])
  assert.deepEqual(await shown(family), [])
  const { status } = await family.call('DELETE', `/api/v1/sessions/${idOf(logged)}`)
  assert.equal(status, 204)
  assert.deepEqual(await shown(family), ['2026-11-17 owed 2026-12-17 true'])
})

test('spreadsheets, statements and the page of a closed month say which session is a make-up', async () => {
  const rules = { ...FEE, tutor_cancels: { brings: 'make_up', within_days: 14 } }
  const pair = await agreedOn(rules, '2026-11-30T12:00:00Z')
  const { family, practice, connection } = pair
  await pair.end(practice, '2026-11-17')
  const [owed] = await makeUps(practice)
  const id = idOf(await pair.log(practice, owed?.id, '2026-11-26', { subject: 'Algebra' }))
  assert.equal((await family.call('POST', `/api/v1/sessions/${id}/confirm`, {})).status, 200)

  const days = `from=2026-11-01&to=2026-11-30&tutor_id=${pair.tutor}`
  const csv = String((await family.call('GET', `/api/v1/statements/sessions.csv?${days}`)).bytes)
  assert.match(csv, /"Homework","Make-up"\r?\n"2026-11-26",.*,"Yes"\r?\n/)
  const textAt = async (who: Caller, path: string) =>
    (await textOfPdf((await who.call('GET', `/api/v1/${path}`)).bytes)).replaceAll(/\s+/g, ' ')
  assert.match(await textAt(family, `statements/statement.pdf?${days}`), /Algebra, make-up/)
  const signed = `statements/signed.pdf?month=2026-11&tutor_id=${pair.tutor}`
  assert.match(await textAt(family, signed), /Algebra, make-up/)

  const month = { connection_id: connection, month: '2026-11' }
  for (const who of [family, practice]) {
    const closed = await who.call('POST', '/api/v1/months/close', month)
    assert.equal(closed.status, 200, JSON.stringify(closed.body))
  }
  const query = `connection_id=${connection}&month=2026-11`
  const page = (await practice.call('GET', `/api/v1/months/page?${query}`)).body
  assert.deepEqual(
    (page.sessions as Row[]).map((row) => [row.id, row.is_make_up]),
    [[id, true]],
  )
  assert.match(await textAt(practice, `months/page.pdf?${query}`), /Algebra, make-up/)
})
