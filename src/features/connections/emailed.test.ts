import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  actionsOf,
  aFamily,
  type Asking,
  byLink,
  connectionsOf,
  idOf,
  read,
  type Row,
  rowsOf,
  tokenOf,
} from '#main/testing/two-sides.server.ts'

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

/** The emailed page for a token, with functions that make its calls. */
function thePage(token: string) {
  const call = (path: string, body: object) => byLink(server.aStranger(), token, path, body)
  return {
    call,
    open: () => call('open', {}),
    shown: async () => rowsOf(await call('open', {})),
    confirm: (id: string, version = 1) => call('confirm', { sessions: [{ id, version }] }),
    withdraw: (id: string, version: number) => call('withdraw', { id, version }),
    dispute: (id: string, version: number, note = 'It was shorter') => call('dispute', { id, version, note }),
  }
}

async function asked(): Promise<Asking & { page: ReturnType<typeof thePage> }> {
  const asking = await aFamily(server)
  return { ...asking, page: thePage(await tokenOf(server, asking.email)) }
}

const stateOf = async ({ family }: Asking) => (await connectionsOf(family))[0]?.state

test('D9: without an account: the emailed link shows only what needs confirming, and the two come to an agreement', async () => {
  const asking = await asked()
  const { family, page } = asking
  const id = await asking.log()
  const shown = await page.open()
  assert.deepEqual(shown.body, {
    side: 'practice',
    other_name: null,
    family_name: null,
    first_names: ['Maya'],
    email: asking.email,
    handed: null,
    terms: [],
    money: {
      payments: [],
      charges: [],
      balance: 67.5,
      on_its_way_amount: 0,
      currency: 'USD',
      due: [],
      reference: null,
      ways: [],
      ways_changed_at: null,
    },
    months: shown.body.months,
    sessions: [
      {
        id,
        confirmed_before: null,
        connection_id: asking.connection,
        other_name: null,
        student_name: 'Maya',
        date: '2026-11-20',
        duration: 1.5,
        rate: 45,
        lesson_price: null,
        lesson_minutes: null,
        total_amount: 67.5,
        currency: 'USD',
        subject: 'Algebra II',
        start_time: null,
        summary: null,
        homework: null,
        own_confirmation: 'none',
        other_confirmation: 'confirmed',
        verified_by_tutor: false,
        status: 'completed',
        waits_for_you: true,
        deletion_asked_by: null,
        proposal: null,
        dispute_note: null,
        answer_note: null,
        asked_at: (shown.body.sessions as Row[])[0]?.asked_at,
        reminders: 0,
        reminded_at: null,
        is_read_only: false,
        makes_up: null,
        version: 1,
      },
    ],
  })
  assert.doesNotMatch(JSON.stringify(shown.body), /Whitfield|secret|555-0199|nuts|Ingrid|cash/, 'T8')
  assert.equal(await stateOf(asking), 'asked', 'looking answers nothing')
  assert.deepEqual((await page.confirm(id)).body, { confirmed: [id], changed: [] })
  assert.equal((await read(family, id)).verified_by_tutor, true)
  assert.equal(await stateOf(asking), 'active')

  await family.call('PATCH', `/api/v1/sessions/${id}`, { notes: 'another', subject: 'Geometry' })
  assert.equal((await read(family, id)).verified_by_tutor, true, 'notes and subject keep the word')
  await family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.equal((await read(family, id)).verified_by_tutor, false)
  const [again] = await page.shown()
  assert.equal((await page.dispute(id, 1)).body.code, 'changed')
  assert.equal((await page.dispute(id, Number(again?.version))).body.status, 'disputed')
  const disputed = await read(family, id)
  assert.deepEqual([disputed.status, disputed.dispute_note], ['disputed', 'It was shorter'])
  const answered = await family.call('POST', `/api/v1/sessions/${id}/answer`, { note: 'We started at four' })
  assert.equal(answered.body.status, 'disputed', 'an answer takes back nobody else’s word')
  const [listed] = await page.shown()
  assert.deepEqual([listed?.waits_for_you, listed?.answer_note], [true, 'We started at four'])
  await family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 1.75 })
  const [corrected] = await page.shown()
  assert.deepEqual((await page.confirm(id, corrected?.version)).body.confirmed, [id])
  assert.equal((await read(family, id)).verified_by_tutor, true)
  assert.deepEqual(await actionsOf(family, id), [
    'you logged',
    'other confirmed',
    'you changed',
    'you changed',
    'other disputed',
    'you answered',
    'you changed',
    'other confirmed',
  ])
})

test('answers on the emailed page can be undone there, and a double tap is one entry', async () => {
  const asking = await asked()
  const { page } = asking
  const id = await asking.log()
  await page.confirm(id)
  assert.deepEqual(
    (await page.confirm(id)).body,
    { confirmed: [id], changed: [] },
    'an old version, but it stands',
  )
  const [confirmed] = await page.shown()
  const withdrawn = await page.withdraw(id, Number(confirmed?.version))
  assert.deepEqual([withdrawn.status, withdrawn.body.own_confirmation], [200, 'none'])
  const sent = (await page.dispute(id, Number(withdrawn.body.version))).body
  assert.equal((await page.dispute(id, Number(sent.version))).body.version, sent.version)
  assert.equal((await page.withdraw(id, Number(sent.version))).body.own_confirmation, 'none')
  assert.deepEqual(await actionsOf(asking.family, id), [
    'you logged',
    'other confirmed',
    'other withdrawn',
    'other disputed',
    'other withdrawn',
  ])
})

test('D9: a change to any confirmed field withdraws the confirmation', async () => {
  const asking = await asked()
  const { family, page } = asking
  const theo = idOf(await family.call('POST', '/api/v1/students', { name: 'Theo' }))
  for (const change of [{ student_id: theo }, { date: '2026-11-19' }, { duration: 1 }, { hourly_rate: 50 }]) {
    const id = await asking.log()
    await page.confirm(id)
    assert.equal((await read(family, id)).verified_by_tutor, true)
    const { body } = await family.call('PATCH', `/api/v1/sessions/${id}`, change)
    assert.equal(body.verified_by_tutor, false, JSON.stringify(change))
    const shown = (await page.shown()).find((row) => row.id === id)
    assert.deepEqual(shown?.confirmed_before, { date: '2026-11-20', duration: 1.5, rate: 45 })
  }
  const id = await asking.log()
  await page.confirm(id)
  const same = await family.call('PATCH', `/api/v1/sessions/${id}`, {
    hourly_rate: 45,
    duration: 1.5,
    date: '2026-11-20',
  })
  assert.equal(same.body.verified_by_tutor, true, 'the same values are no change')
  const samuel = idOf(await family.call('POST', '/api/v1/tutors', { name: 'Samuel', hourly_rate: 45 }))
  const elsewhere = await family.call('PATCH', `/api/v1/sessions/${id}`, { tutor_id: samuel })
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.code, (await read(family, id)).verified_by_tutor],
    [422, 'other_connection', true],
    'another tutor is another session',
  )
})

test('D9: confirming during a change confirms only what was shown', async () => {
  const asking = await asked()
  for (let round = 0; round < 10; round++) {
    const id = await asking.log()
    const [, change] = await Promise.all([
      asking.page.confirm(id),
      asking.family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 3 }),
    ])
    assert.equal(change.status, 200)
    const { duration, verified_by_tutor } = await read(asking.family, id)
    assert.deepEqual([duration, verified_by_tutor], [3, false])
  }
})

test('A18: no emailed token is stored in the database in clear', async () => {
  const { email } = await aFamily(server)
  const mail = await server.mailTo(email, 'asks you to confirm')
  const tokens = [...mail.text.matchAll(/(?:confirm#|token=)(\S+)/g)].map(([, token]) => token ?? '')
  assert.equal(tokens.length, 2)
  const { rows } = await superuser.query<{ table_name: string }>(
    "select table_name from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'",
  )
  for (const { table_name: table } of rows) {
    const dump = await superuser.query<{ line: string }>(
      `select t::text as line from ${table.startsWith('_') || table === 'migrations' ? `graphile_worker.${table}` : table} t`,
    )
    for (const token of tokens)
      assert.ok(
        dump.rows.every(({ line }) => !line.includes(token)),
        table,
      )
  }
})

test('P9: an address that wants no emails gets none', async () => {
  const asking = await asked()
  await asking.log()
  assert.equal((await asking.page.call('end', { forget: true })).status, 204)
  const again = await asking.family.call('POST', '/api/v1/connections', { tutor_id: asking.tutor })
  assert.equal(again.body.code, 'opted_out')
  assert.deepEqual(
    (await connectionsOf(asking.family)).map(({ state, ended_by }) => [state, ended_by]),
    [['ended', 'other']],
  )
  assert.equal((await asking.page.open()).body.code, 'link_gone')
  const [kept] = rowsOf(await asking.family.call('GET', '/api/v1/sessions'))
  assert.deepEqual([kept?.is_shared, kept?.own_confirmation], [false, 'confirmed'])
})

test('an emailed link that expired, was ended or never existed says so, and answers nothing', async () => {
  const asking = await asked()
  const id = await asking.log()
  const refused = async (page: ReturnType<typeof thePage>, what: string) => {
    for (const [path, body] of [
      ['open', {}],
      ['confirm', { sessions: [{ id, version: 1 }] }],
      ['write', { id, version: 1, summary: 'Fractions' }],
      ['dispute', { id, version: 1, note: 'It was shorter' }],
      ['withdraw', { id, version: 1 }],
      ['delete', { id, version: 1 }],
      ['keep', { id, version: 1 }],
      ['end', { forget: true }],
    ] as const) {
      const { status, body: problem } = await page.call(path, body)
      assert.deepEqual(
        [status, problem.code, problem.title],
        [404, 'link_gone', 'This link has expired or been turned off.'],
        `${what}: ${path}`,
      )
    }
  }
  const now = server.clock.now
  server.clock.now = new Date(now.getTime() + 44 * 86_400_000)
  assert.equal((await asking.page.open()).status, 200)
  server.clock.now = new Date(now.getTime() + 46 * 86_400_000)
  await refused(asking.page, 'expired')
  server.clock.now = now
  await refused(thePage('x'.repeat(43)), 'unknown')
  assert.deepEqual([await stateOf(asking), await actionsOf(asking.family, id)], ['asked', ['you logged']])
  await asking.page.call('end', { forget: false })
  await refused(asking.page, 'ended')
  assert.deepEqual(await actionsOf(asking.family, id), ['you logged'])
})

test('T8: an emailed link forwarded to the side that sent it is refused with an explanation, on every operation, and changes nothing', async () => {
  const { family, email, log } = await aFamily(server)
  const id = await log()
  const token = await tokenOf(server, email)
  const seen = { id, version: 1 }
  for (const [path, body] of [
    ['open', {}],
    ['confirm', { sessions: [seen] }],
    ['write', { ...seen, summary: 'Fractions' }],
    ['dispute', { ...seen, note: 'No' }],
    ['payments', {}],
    ['payments/paid', { date: '2026-11-14', amount: 10 }],
    ['months/close', { month: '2026-10' }],
    ['end', { forget: true }],
  ] as const) {
    const answer = await byLink(family, token, path, body)
    assert.deepEqual([answer.status, answer.body.code], [403, 'own_link'], path)
  }
  assert.equal((await read(family, id)).other_confirmation, 'none')
  const stranger = await server.aUser()
  assert.equal((await byLink(stranger, token, 'open')).status, 200, 'an account of others')
  const confirmed = await byLink(server.aStranger(), token, 'confirm', { sessions: [seen] })
  assert.deepEqual(confirmed.body.confirmed, [id])
})

test('T8: an emailed link answers only for past sessions of its own connection', async () => {
  const [mine, theirs] = [await asked(), await asked()]
  const foreign = await theirs.log()
  const ahead = new Date(server.clock.now.getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
  const later = await mine.log({ date: ahead })
  assert.deepEqual(await mine.page.shown(), [])
  for (const id of [foreign, crypto.randomUUID()]) {
    assert.equal((await mine.page.confirm(id)).status, 404)
    assert.equal((await mine.page.dispute(id, 1)).status, 404)
    assert.equal((await mine.page.withdraw(id, 1)).status, 404)
  }
  assert.deepEqual((await mine.page.confirm(later)).body, { confirmed: [], changed: [later] })
  assert.equal((await mine.page.dispute(later, 1)).body.code, 'too_early')
  assert.equal((await mine.page.withdraw(later, 1)).body.code, 'too_early')
  assert.deepEqual(
    [
      (await read(theirs.family, foreign)).other_confirmation,
      (await read(mine.family, later)).other_confirmation,
    ],
    ['none', 'none'],
  )
  assert.equal(await stateOf(mine), 'asked', 'what was refused accepts nothing')
})

test('an invalid answer is refused at its field, and changes nothing', async () => {
  const asking = await asked()
  const id = await asking.log()
  const seen = { id, version: 1 }
  for (const [path, body] of [
    ['confirm', { sessions: [] }],
    ['confirm', { sessions: Array.from({ length: 501 }, () => seen) }],
    ['confirm', { sessions: [{ id: 'x', version: 1 }] }],
    ['dispute', seen],
    ['dispute', { ...seen, note: ' ' }],
    ['dispute', { ...seen, note: 'x'.repeat(501) }],
    ['end', {}],
  ] as const)
    assert.equal(
      (await asking.page.call(path, body)).status,
      422,
      `${path} ${JSON.stringify(body).slice(0, 60)}`,
    )
  assert.deepEqual(await actionsOf(asking.family, id), ['you logged'])
  assert.equal(await stateOf(asking), 'asked')
})

test('a session confirmed by email is deleted only with consent, which the emailed page asks for', async () => {
  const asking = await asked()
  const id = await asking.log()
  await asking.page.confirm(id)
  const asks = await asking.family.call('DELETE', `/api/v1/sessions/${id}`)
  assert.deepEqual([asks.status, asks.body.code], [202, 'deletion_requested'])
  const [shown] = await asking.page.shown()
  assert.deepEqual([shown?.deletion_asked_by, shown?.waits_for_you], ['other', true])
  assert.equal((await read(asking.family, id)).deletion_asked_by, 'you')
})

test('a deletion request is dropped once the connection with an address ends and nobody is left to agree', async () => {
  const { family, email, connection, log } = await aFamily(server)
  const id = await log()
  const token = await tokenOf(server, email)
  const seen = { id, version: 1 }
  await byLink(server.aStranger(), token, 'confirm', { sessions: [seen] })
  assert.equal((await family.call('DELETE', `/api/v1/sessions/${id}`, {})).status, 202)
  assert.equal((await read(family, id)).deletion_asked_by, 'you')
  assert.equal((await family.call('DELETE', `/api/v1/connections/${connection}`, {})).status, 204)
  const own = await read(family, id)
  assert.deepEqual([own.deletion_asked_by, own.is_shared, own.verified_by_tutor], [null, false, true])
})

test("a tutor's new address does not inherit the confirmations of the one before, who gets them back", async () => {
  const asking = await asked()
  const { family, tutor, email, page } = asking
  const id = await asking.log()
  const waiting = await asking.log({ date: '2026-11-19' })
  await page.confirm(id)
  assert.equal((await read(family, id)).verified_by_tutor, true)
  const askAgain = async (address: string) => {
    const [open] = await connectionsOf(family)
    await family.call('DELETE', `/api/v1/connections/${open?.id}`)
    assert.equal((await family.call('PATCH', `/api/v1/tutors/${tutor}`, { email: address })).status, 200)
    assert.equal((await family.call('POST', '/api/v1/connections', { tutor_id: tutor })).status, 201)
    return thePage(await tokenOf(server, address))
  }

  const other = await askAgain(`other-${email}`)
  // Unanswered sessions are shared with the new address. Confirmed ones stay with the family, still confirmed
  // by the tutor at the previous address.
  assert.deepEqual(
    (await other.shown()).map((row) => row.id),
    [waiting],
  )
  const kept = await read(family, id)
  assert.deepEqual(
    [kept.is_shared, kept.verified_by_tutor, kept.other_confirmation],
    [false, true, 'confirmed'],
  )
  await family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.equal((await read(family, id)).is_shared, false)
  assert.equal((await other.confirm(id, 2)).status, 404)

  await askAgain(email)
  const found = await read(family, id)
  assert.deepEqual(
    [found.is_shared, found.verified_by_tutor, found.other_confirmation],
    [true, false, 'none'],
  )
})
