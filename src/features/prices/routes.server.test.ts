import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { WITHOUT_DECIMALS } from '#kernel/currency.ts'
import { addDays } from '#kernel/calendar-day.ts'
import { cents, currencyOf, dollars, leastAmountOf, priceOf } from '#kernel/money.ts'
import { readCsv } from '#platform/csv.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aMember, post } from '#main/testing/members.server.ts'
import { connected } from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { PRICE_CASES, type PriceCase } from '#main/testing/price-cases.ts'
import { aPair, read, type Row, rowsOf } from '#main/testing/two-sides.server.ts'

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

const inDollars = (amount: number | undefined) => (amount === undefined ? undefined : dollars(cents(amount)))
const make = async (who: Caller, path: string, body: object) => String((await post(who, path, body)).id)

/** The prices of a case, in records of their own. */
async function inRecords(who: Caller, one: PriceCase, tutorId?: string) {
  const student = await make(who, 'students', {
    name: 'Maya',
    ...(one.student === undefined ? {} : { hourly_rate: inDollars(one.student) }),
  })
  const tutor = tutorId ?? (await make(who, 'tutors', { name: 'Ingrid' }))
  await who.call('PATCH', `/api/v1/tutors/${tutor}`, { hourly_rate: inDollars(one.tutor) ?? null })
  for (const [from, amount, lesson_minutes] of one.pair ?? [])
    await post(who, 'prices', {
      student_id: student,
      tutor_id: tutor,
      from,
      amount: inDollars(amount),
      lesson_minutes,
    })
  const schedule =
    one.schedule === undefined
      ? undefined
      : await make(who, 'schedules', {
          student_id: student,
          tutor_id: tutor,
          day_of_week: new Date(one.day).getUTCDay(),
          start_time: '16:00',
          duration: 1,
          hourly_rate: inDollars(one.schedule),
          frequency: 'weekly',
          start_date: addDays(one.day, -7),
        })
  return {
    student_id: student,
    tutor_id: tutor,
    date: one.day,
    duration: one.minutes / 60,
    ...(schedule && { schedule_id: schedule, occurrence_date: one.day }),
    ...(one.override === undefined ? {} : { hourly_rate: inDollars(one.override) }),
  }
}

function shown(session: Row): PriceCase['counts'] {
  const { hourly_rate, default_rate, lesson_price, lesson_minutes, price_source, price_since } = session
  const amount = hourly_rate ?? lesson_price ?? default_rate
  if (amount === null) {
    assert.deepEqual([session.total_amount, price_source], [null, null])
    return null
  }
  const isOwn = hourly_rate !== null
  return {
    source: isOwn ? 'override' : String(price_source),
    cents: Math.round(Number(amount) * 100),
    lesson: isOwn ? null : (lesson_minutes as number | null),
    since: isOwn ? null : (price_since as string | null),
    amount: Math.round(Number(session.total_amount) * 100),
  }
}

test("D1: the server stores the price that counts with each session, in a family's and a practice's records (20 cases)", async () => {
  for (const one of PRICE_CASES) {
    const isPractice = one.student !== undefined
    const who = await server.aUser(isPractice ? 'tutor' : 'parent')
    const self = isPractice ? rowsOf(await who.call('GET', '/api/v1/tutors'))[0]?.id : undefined
    const lesson = await inRecords(who, one, self)
    const session = await post(who, 'sessions', lesson)
    assert.deepEqual(shown(session as Row), one.counts, one.name)
    const [listed] = rowsOf(await who.call('GET', `/api/v1/sessions?month=${one.day.slice(0, 7)}`))
    assert.deepEqual(shown(listed as Row), one.counts, `${one.name}, in the list of the month`)
    // What's typed by hand is checked against the row's own arithmetic, too.
    assert.equal(
      session.effective_rate,
      one.counts?.lesson === null ? dollars(cents(one.counts.cents)) : null,
    )
  }
})

test('D1: the same price counts when a caregiver logs, who sees none of it (T19)', async () => {
  for (const one of PRICE_CASES.filter(
    ({ student, override }) => student === undefined && override === undefined,
  )) {
    const owner = await server.aUser()
    const cara = await aMember(server, owner, 'caregiver')
    const lesson = await inRecords(owner, one)
    const logged = await post(cara, 'sessions', lesson)
    const amounts = [
      'default_rate',
      'lesson_price',
      'lesson_minutes',
      'price_source',
      'price_since',
      'total_amount',
    ]
    assert.deepEqual(
      amounts.map((field) => logged[field]),
      amounts.map(() => null),
    )
    assert.deepEqual(shown(await read(owner, String(logged.id))), one.counts, one.name)
    const [student] = rowsOf(await cara.call('GET', '/api/v1/students'))
    assert.deepEqual(student?.prices, [])
  }
})

test('a price is set for a pair from a day on, changed and deleted; no two begin on the same day', async () => {
  const who = await server.aUser()
  const student_id = await make(who, 'students', { name: 'Maya' })
  const tutor_id = await make(who, 'tutors', { name: 'Ingrid', hourly_rate: 45 })
  const add = (more: object) => who.call('POST', '/api/v1/prices', { student_id, tutor_id, ...more })
  // With a comma, like every typed number.
  const made = await add({ from: '2026-09-01', amount: '32,50', lesson_minutes: 45 })
  assert.deepEqual(
    [made.status, made.body],
    [
      201,
      {
        id: made.body.id,
        student_id,
        tutor_id,
        from: '2026-09-01',
        amount: 32.5,
        lesson_minutes: 45,
        version: 1,
      },
    ],
  )
  const path = `/api/v1/prices/${String(made.body.id)}`
  const later = await add({ from: '2026-11-01', amount: 60 })
  assert.equal(later.body.lesson_minutes, null)
  const twice = await add({ from: '2026-09-01', amount: 40 })
  assert.deepEqual([twice.status, twice.body.code], [409, 'same_day'])
  const [student] = rowsOf(await who.call('GET', '/api/v1/students'))
  assert.ok(student)
  assert.deepEqual(
    (student.prices as Row[]).map(({ from, amount }) => [from, amount]),
    [
      ['2026-11-01', 60],
      ['2026-09-01', 32.5],
    ],
  )
  const moved = await who.call('PATCH', path, { from: '2026-11-01' })
  assert.deepEqual([moved.status, moved.body.code], [409, 'same_day'])
  const changed = await who.call('PATCH', path, { amount: '33', from: '2026-09-02' }, { 'if-match': '"1"' })
  assert.deepEqual([changed.body.amount, changed.body.from, changed.body.version], [33, '2026-09-02', 2])
  const stale = await who.call('PATCH', path, { amount: 34 }, { 'if-match': '"1"' })
  assert.deepEqual([stale.status, stale.body.code], [409, 'changed'])
  for (const [body, field] of [
    [{ from: '2026-12-01', amount: -1 }, 'amount'],
    [{ from: '2026-12-01', amount: '1,234' }, 'amount'],
    [{ from: 'soon', amount: 1 }, 'from'],
    [{ from: '2026-12-01', amount: 1, lesson_minutes: 4 }, 'lesson_minutes'],
    [{ from: '2026-12-01', amount: 1, lesson_minutes: 481 }, 'lesson_minutes'],
  ] as const) {
    const refused = await add(body)
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [422, field], JSON.stringify(body))
  }
  const foreign = await (await server.aUser()).call('PATCH', path, { amount: 1 })
  assert.equal(foreign.status, 404)
  const unknown = await who.call('POST', '/api/v1/prices', {
    student_id: tutor_id,
    tutor_id,
    from: '2026-12-01',
    amount: 1,
  })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_student'])
  assert.equal((await who.call('DELETE', path, {})).status, 204)
  assert.equal((await who.call('DELETE', path, {})).status, 404)
})

test("D1: a later price doesn't change earlier sessions, and a session moved to another price's day follows it", async () => {
  const who = await server.aUser()
  const student_id = await make(who, 'students', { name: 'Maya' })
  const tutor_id = await make(who, 'tutors', { name: 'Ingrid', hourly_rate: 45 })
  const log = async (date: string) => make(who, 'sessions', { student_id, tutor_id, date, duration: 0.75 })
  const [august, september] = [await log('2026-08-31'), await log('2026-09-07')]
  await post(who, 'prices', { student_id, tutor_id, from: '2026-09-01', amount: 32.5, lesson_minutes: 45 })
  const amountOf = async (id: string) => (await read(who, id)).total_amount
  assert.deepEqual([await amountOf(august), await amountOf(september)], [33.75, 33.75])
  const priced = await log('2026-09-14')
  await post(who, 'prices', { student_id, tutor_id, from: '2026-10-01', amount: 80 })
  assert.equal(await amountOf(priced), 32.5)
  await who.call('PATCH', `/api/v1/sessions/${priced}`, { date: '2026-09-15' })
  assert.equal(await amountOf(priced), 32.5)
  const moved = await who.call('PATCH', `/api/v1/sessions/${priced}`, { date: '2026-10-02' })
  assert.deepEqual(
    [moved.body.total_amount, moved.body.default_rate, moved.body.lesson_price, moved.body.price_since],
    [60, 80, null, '2026-10-01'],
  )
  const back = await who.call('PATCH', `/api/v1/sessions/${priced}`, { date: '2026-08-30' })
  assert.deepEqual([back.body.total_amount, back.body.price_source], [33.75, 'tutor'])
  // A caregiver's own entry follows its day in the same way.
  const cara = await aMember(server, who, 'caregiver')
  const own = await make(cara, 'sessions', { student_id, tutor_id, date: '2026-09-21', duration: 0.75 })
  await cara.call('PATCH', `/api/v1/sessions/${own}`, { date: '2026-10-03' })
  assert.deepEqual([await amountOf(own), (await read(who, own)).price_since], [60, '2026-10-01'])
  // A corrected rate of the tutor leaves a pair's price alone.
  const preview = await who.call(
    'GET',
    `/api/v1/repricing?person=tutor&person_id=${tutor_id}&old_rate=45&new_rate=50&since=2026-08-01`,
  )
  const ids = (preview.body.sessions as Row[]).map(({ id }) => id)
  assert.ok(!ids.includes(own) && ids.includes(august), JSON.stringify(preview.body))
})

test('D1, T19: with a connection, both sides confirm the price per lesson; each sees only its own reason for it', async () => {
  const pair = await aPair(server)
  await post(pair.family, 'prices', {
    student_id: pair.child,
    tutor_id: pair.tutor,
    from: '2026-09-01',
    amount: 32.5,
    lesson_minutes: 45,
  })
  const id = await pair.log({ duration: 0.75 })
  const mine = await read(pair.family, id)
  assert.deepEqual(
    [mine.lesson_price, mine.lesson_minutes, mine.price_source, mine.price_since, mine.total_amount],
    [32.5, 45, 'pair', '2026-09-01', 32.5],
  )
  const theirs = await read(pair.practice, id)
  assert.deepEqual(
    [theirs.lesson_price, theirs.lesson_minutes, theirs.price_source, theirs.total_amount],
    [32.5, 45, null, 32.5],
  )
  const [student] = rowsOf(await pair.practice.call('GET', '/api/v1/students'))
  assert.deepEqual(student?.prices, [])
  await pair.practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  assert.equal((await read(pair.family, id)).verified_by_tutor, true)
  // The same amount for another length is another price: both have to say yes again.
  const restate = (minutes: number) =>
    server.db.asMember(pair.family.member, (tx) =>
      tx.updateTable('sessions').set({ lesson_price_minutes: minutes }).where('id', '=', id).execute(),
    )
  await restate(60)
  assert.equal((await read(pair.family, id)).verified_by_tutor, false)
  await restate(45)
  await pair.practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
  assert.equal((await read(pair.family, id)).verified_by_tutor, true)
  await post(pair.family, 'prices', {
    student_id: pair.child,
    tutor_id: pair.tutor,
    from: '2026-11-21',
    amount: 32.5,
    lesson_minutes: 60,
  })
  await pair.family.call('PATCH', `/api/v1/sessions/${id}`, { date: '2026-11-22' })
  const changed = await read(pair.family, id)
  assert.deepEqual(
    [changed.lesson_minutes, changed.total_amount, changed.verified_by_tutor],
    [60, 24.38, false],
  )
  const history = rowsOf(await pair.practice.call('GET', `/api/v1/sessions/${id}/history`))
  assert.ok(
    history.some(({ changed: fields }) => (fields as string[]).includes('rate')),
    JSON.stringify(history),
  )
  // A tutor who logs at another price is asked, and a practice's own reason isn't the family's.
  const byTutor = await pair.logByPractice({ date: '2026-11-12' })
  assert.equal(byTutor.body.price_source, 'tutor')
  assert.equal((await read(pair.family, String(byTutor.body.id))).price_source, null)
})

test('D1: the database rounds prices like the rule, to whole amounts in currencies without decimals', async () => {
  const { rows } = await superuser.query<{ code: string; least: number }>(
    'select code, least_amount(code) as least from unnest($1::text[]) code',
    [[...Intl.supportedValuesOf('currency'), ...WITHOUT_DECIMALS]],
  )
  for (const { code, least } of rows) assert.equal(least, leastAmountOf(currencyOf(code)), code)
  const cases = ['USD', 'EUR', 'JPY', 'KRW'].flatMap((code) =>
    Array.from({ length: 500 }, (_, at) => ({
      code,
      price: (at * 7919) % 1_000_001,
      stated: 5 + ((at * 31) % 476),
      minutes: ((at * 13) % 97) * 15,
    })),
  )
  const computed = await superuser.query<{ amount: number }>(
    `select price_of(c.price, c.stated, c.minutes, c.code) as amount
     from jsonb_to_recordset($1) as c (code text, price integer, stated integer, minutes integer)`,
    [JSON.stringify(cases)],
  )
  assert.deepEqual(
    computed.rows.map(({ amount }) => amount),
    cases.map(({ code, price, stated, minutes }) => priceOf(cents(price), minutes, currencyOf(code), stated)),
  )
})

test('D1: statements and a closed month say what a lesson costs that is priced per lesson', async () => {
  server.clock.now = new Date('2026-12-10T12:00:00Z')
  const pair = await connected(server)
  const { family, practice, child, tutor } = pair
  const path = '/api/v1/statements'
  const november = 'from=2026-11-01&to=2026-11-30'
  await pair.agree('2026-11-02')
  const plain = (await family.call('GET', `${path}/sessions.csv?${november}`)).bytes.toString()
  assert.match(
    plain,
    /"Rate \(\$\/hour\)","Amount \(\$\)","Agreed","Notes","Start time","Summary","Homework"\r\n/,
  )
  await post(family, 'prices', {
    student_id: child,
    tutor_id: tutor,
    from: '2026-11-03',
    amount: 50,
    lesson_minutes: 45,
  })
  await pair.agree('2026-11-03', 0.75)
  const file = (await family.call('GET', `${path}/sessions.csv?${november}`)).bytes.toString()
  const [header = [], ...rows] = readCsv(file).map(({ cells }) => cells)
  const at = header.indexOf('Lesson price')
  assert.deepEqual(
    rows.slice(0, 2).map((row) => [row[header.indexOf('Rate ($/hour)')], row[at]]),
    [
      ['45.00', ''],
      ['', '$50.00/45 min'],
    ],
  )
  const again = (await family.call('POST', '/api/v1/imports/preview', { text: file })).body
  assert.deepEqual([again.refused, again.existing], [0, 2], JSON.stringify(again))
  const says = async (who: Caller, url: string) => {
    const answer = await who.call('GET', url)
    assert.equal(answer.status, 200, `${url} ${JSON.stringify(answer.body)}`)
    const text = await textOfPdf(answer.bytes)
    assert.match(text, /\$45\.00\/h/, url)
    assert.match(text, /\$50\.00\/45 min/, url)
  }
  await says(family, `${path}/statement.pdf?${november}`)
  await says(family, `${path}/signed.pdf?month=2026-11&tutor_id=${tutor}`)
  await says(practice, `/api/v1/connections/${pair.connection}/signed.pdf?month=2026-11`)
  await pair.close(family)
  await pair.close(practice)
  await says(practice, `/api/v1/months/page.pdf?connection_id=${pair.connection}&month=2026-11`)
  const page = (
    await family.call('GET', `/api/v1/months/page?connection_id=${pair.connection}&month=2026-11`)
  ).body
  assert.deepEqual(
    (page.sessions as Row[]).map(({ rate, lesson_price, lesson_minutes }) => [
      rate,
      lesson_price,
      lesson_minutes,
    ]),
    [
      [45, null, null],
      [null, 50, 45],
    ],
  )
})
