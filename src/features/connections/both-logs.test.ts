// A session logged by one side appears in both logs as waiting, changed, disputed or confirmed. Neither side
// can answer for the other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  actionsOf,
  aFamily,
  aPair,
  idOf,
  LESSON,
  type Pair,
  read,
  sessionsOf,
  tokenOf,
  waitingFor,
} from '#main/testing/two-sides.server.ts'
import { verifyHistory } from '#features/agreements/jobs.server.ts'

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

const confirm = (who: Caller, id: string) => who.call('POST', `/api/v1/sessions/${id}/confirm`, {})

test("what the tutor logs is in the family's log at once as waiting, and verified once the family confirms it unchanged", async () => {
  const { family, practice, child, tutor, logByPractice } = await aPair(server)
  const id = idOf(await logByPractice({ notes: 'private' }))
  const shown = await read(family, id)
  assert.deepEqual(
    [shown.student_id, shown.student_name, shown.tutor_id, shown.tutor_name, shown.total_amount, shown.notes],
    [child, 'Maya Whitfield', tutor, 'Ingrid', 67.5, null],
  )
  assert.deepEqual([shown.own_confirmation, shown.other_confirmation], ['none', 'confirmed'])
  assert.deepEqual(
    (await waitingFor(family)).map((session) => session.id),
    [id],
  )
  assert.doesNotMatch(JSON.stringify(shown), /private|slow reader|maya W/, 'T8')
  const [first, second] = [await confirm(family, id), await confirm(family, id)]
  assert.equal(first.body.verified_by_tutor, true)
  assert.deepEqual(second.body, first.body, 'a second tap changes nothing')
  assert.deepEqual(await waitingFor(family), [])
  assert.deepEqual(await actionsOf(family, id), ['other logged', 'you confirmed'])
  await family.call('PATCH', `/api/v1/sessions/${id}`, { duration: 1 })
  assert.equal((await read(family, id)).verified_by_tutor, false)
  assert.deepEqual(
    (await waitingFor(practice)).map((session) => session.id),
    [id],
  )
  assert.equal((await verifyHistory(server.db)).broken, undefined)
})

test('if the family corrects it, it waits for the tutor; if they send it back, it waits again once the tutor changes or answers it', async () => {
  const { family, practice, logByPractice } = await aPair(server)
  const [first, second] = [idOf(await logByPractice()), idOf(await logByPractice({ date: '2026-11-19' }))]
  const corrected = await family.call('PATCH', `/api/v1/sessions/${first}`, { duration: 1 })
  assert.deepEqual(
    [corrected.body.verified_by_tutor, corrected.body.duration, corrected.body.own_confirmation],
    [false, 1, 'confirmed'],
  )
  assert.deepEqual(
    (await waitingFor(practice)).map(({ id, duration }) => [id, duration]),
    [[first, 1]],
  )
  const sentBack = await family.call('POST', `/api/v1/sessions/${second}/dispute`, { note: 'Not ours' })
  assert.equal(sentBack.body.status, 'disputed')
  assert.deepEqual(await waitingFor(family), [])
  await practice.call('POST', `/api/v1/sessions/${second}/answer`, { note: 'In the library' })
  assert.deepEqual(
    (await waitingFor(family)).map(({ id, answer_note }) => [id, answer_note]),
    [[second, 'In the library']],
  )
  await family.call('POST', `/api/v1/sessions/${second}/dispute`, { note: 'It was closed' })
  assert.deepEqual(await waitingFor(family), [], 'sent back once more')
  await practice.call('PATCH', `/api/v1/sessions/${second}`, { duration: 2 })
  assert.deepEqual(
    (await waitingFor(family)).map(({ id, duration, own_confirmation }) => [id, duration, own_confirmation]),
    [[second, 2, 'none']],
  )
  assert.equal((await confirm(family, second)).body.verified_by_tutor, true)
})

test('logging a lesson the other side has already logged asks first, and keeps one session', async () => {
  const { family, practice, child, tutor, log, logByPractice } = await aPair(server)
  const own = await log({ duration: 1, notes: 'ours' })
  const again = await logByPractice()
  assert.deepEqual([again.status, again.body.code], [409, 'same_lesson'])
  assert.deepEqual([(await sessionsOf(family)).length, (await sessionsOf(practice)).length], [1, 1])
  assert.equal((await confirm(practice, own)).body.verified_by_tutor, true)
  const another = await logByPractice({ is_another: true })
  assert.equal(another.status, 201)
  assert.equal((await sessionsOf(family)).length, 2)
  assert.equal((await read(family, own)).notes, 'ours')

  // A class on the family's schedule counts as having taken place once the tutor has logged it.
  const { body: schedule } = await family.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 4,
    start_time: '16:00',
    duration: 1.5,
    frequency: 'weekly',
    start_date: '2026-11-05',
  })
  const logged = idOf(await logByPractice({ date: '2026-11-12' }))
  const yes = await family.call('POST', `/api/v1/schedules/${String(schedule.id)}/log`, {
    date: '2026-11-12',
  })
  assert.deepEqual(
    [yes.body.id, yes.body.verified_by_tutor, yes.body.schedule_id],
    [logged, true, schedule.id],
    JSON.stringify(yes.body),
  )
})

test('T8: no other family sees what the tutor logged, and neither side can answer for the other', async () => {
  const [pair, other] = [await aPair(server), await aPair(server)]
  const id = idOf(await pair.logByPractice())
  assert.deepEqual(await sessionsOf(other.family), [])
  assert.equal((await confirm(other.family, id)).status, 404)
  const foreign = await pair.family.call('PATCH', `/api/v1/sessions/${id}`, { student_id: other.child })
  assert.equal(foreign.body.code, 'unknown_student')
  const asFamily = (who: Pair, text: string) =>
    server.db.asMember(who.family.member, (tx) => sql.raw<{ n: number }>(text).execute(tx))
  const values = (who: Pair) => `'${who.family.id}', '${who.child}', '${who.tutor}', '2026-11-20', 90, 4500`
  const columns = 'workspace_id, student_id, tutor_id, day, minutes, rate_override_cents'
  for (const [more, value] of [
    ['connection_id', `'${other.connection}'`],
    ['verified_by_tutor', 'true'],
    ['other_says', "'confirmed'"],
  ])
    await assert.rejects(
      asFamily(pair, `insert into sessions (${columns}, ${more}) values (${values(pair)}, ${value})`),
      /permission denied|cannot insert/,
      more,
    )
  for (const [more, value] of [
    ['practice_id', `'${other.practice.id}'`],
    ['practice_answer', "'confirmed'"],
    ['student_id', `'${other.student}'`],
  ])
    await assert.rejects(
      asFamily(
        pair,
        `insert into public.sessions (family_id, child_id, family_tutor_id, day, minutes, currency, ${more})
          values ('${pair.family.id}', '${pair.child}', '${pair.tutor}', '2026-11-20', 90, 'USD', ${value})`,
      ),
      /permission denied/,
      more,
    )
  await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`, {})
  await pair.logByPractice({ date: '2026-11-18' })
  assert.deepEqual(
    (await sessionsOf(pair.family)).map((session) => session.id),
    [id],
    'nothing after the connection ended',
  )
})

test("T8, T4: the database itself keeps the two sides' confirmations apart", async () => {
  const { family, practice, connection, log, logByPractice } = await aPair(server)
  const [id, theirs] = [
    await log(),
    idOf(await logByPractice({ date: '2026-11-19', notes: 'slow reader today' })),
  ]
  const as = (who: Caller) => (text: string) =>
    server.db.asMember(who.member, (tx) => sql.raw(text).execute(tx))
  const words = async () =>
    (
      await superuser.query(
        'select id, family_answer, practice_answer, facts_version, version from sessions where connection_id = $1 order by id',
        [connection],
      )
    ).rows
  const before = await words()
  for (const [who, own, other] of [
    [family, 'family', 'practice'],
    [practice, 'practice', 'family'],
  ] as const) {
    for (const text of [
      ...[
        `_answer = 'confirmed'`,
        '_answer_version = 1',
        `_answer_note = 'x'`,
        `_reply = 'x'`,
        '_took_part = false',
      ].map((change) => `update public.sessions set ${other}${change} where id = '${id}'`),
      `update public.sessions set ${other}_id = null where id = '${id}'`,
      `update public.sessions set ${own}_id = null where id = '${id}'`,
      `update public.sessions set connection_id = null where id = '${id}'`,
      `update public.sessions set facts_version = 9 where id = '${id}'`,
      `update history set note = 'x'`,
      'delete from history',
      'update public.history set note = null',
      'delete from public.history',
      'truncate public.history',
      `insert into public.history (kind, entry_key, seq, entry_id, side, action, facts) values ('session', 1, 9, '${id}', '${other}', 'confirmed', '{}')`,
      `update connections set asked_by = '${own}'`,
      'delete from connections',
      'delete from session_pairs',
      'select token_hash from link_tokens',
      'select password_hash from users',
      `select ${other === 'family' ? 'child_id' : 'student_id'} from connection_people`,
      `select ${other}_schedule_id from public.sessions`,
    ])
      await assert.rejects(as(who)(text), /permission denied|cannot (update|delete|move)/, `${own}: ${text}`)
    for (const text of [
      'update sessions set verified_by_tutor = true',
      "update sessions set status = 'disputed'",
      "update sessions set other_says = 'confirmed'",
    ])
      await assert.rejects(as(who)(text), /cannot update column|can only be updated to DEFAULT/, text)
    for (const text of [
      'select notes from students',
      'select phone from tutors',
      'select text from session_notes',
    ]) {
      const { rows } = (await as(who)(text)) as { rows: Record<string, unknown>[] }
      assert.doesNotMatch(
        JSON.stringify(rows),
        own === 'family' ? /slow reader/ : /nuts|555-0199|secret/,
        text,
      )
    }
  }
  await assert.rejects(
    as(family)(`update connections set state = 'active'`),
    /row-level security/,
    'a family cannot accept for its tutor',
  )
  assert.deepEqual(await words(), before)
  assert.ok(theirs)

  const bystander = await server.aUser('tutor')
  for (const table of ['sessions', 'history', 'connections', 'connection_people', 'session_pairs']) {
    const { rows } = (await as(bystander)(`select count(*) as n from ${table}`)) as { rows: { n: number }[] }
    assert.deepEqual(Number(rows[0]?.n), 0, table)
  }
  // Postgres checks an UPDATE or DELETE without a WHERE clause only against that command's policy, not
  // against the read policy. So that policy has to check row ownership itself.
  for (const text of [
    `update connections set state = 'ended', ended_by = 'practice', ended_at = now(), practice_id = '${bystander.id}'`,
    "update sessions set own_answer = 'confirmed'",
    'delete from sessions',
  ])
    assert.equal(Number((await as(bystander)(text)).numAffectedRows), 0, text)
  assert.deepEqual(await words(), before)
  await assert.rejects(superuser.query('update history set note = null'), /append-only/)
  await assert.rejects(superuser.query('delete from history'), /append-only/)
})

test("T8: the emailed page's role writes only its own confirmation and reads nothing private", async () => {
  const asking = await aFamily(server)
  const id = await asking.log()
  assert.ok(await tokenOf(server, asking.email))
  const asLink = (text: string) =>
    server.db.asLink({ id: asking.connection, side: 'practice' }, (tx) => sql.raw(text).execute(tx))
  for (const text of [
    'select * from public.sessions',
    'select text from session_notes',
    'select name from public.students',
    'select phone from public.tutors',
    'select name from public.tutors',
    'select email from users',
    'select email from connections',
    'select family_schedule_id from public.sessions',
    "update public.sessions set family_answer = 'confirmed'",
    "update public.sessions set practice_reply = 'x'",
    `update connections set practice_id = '${asking.family.id}'`,
    `insert into public.sessions (family_id, day, minutes) values ('${asking.family.id}', '2026-11-20', 60)`,
    'select token_hash from link_tokens',
    'select password_hash from users',
    'update public.history set note = null',
    'delete from public.history',
  ])
    await assert.rejects(asLink(text), /permission denied/, text)
  await assert.rejects(
    asLink(`update public.sessions set minutes = 15 where id = '${id}'`),
    /an emailed page cannot change a session/,
  )
  await assert.rejects(
    asLink("update public.sessions set deletion_asked_by = 'practice', deletion_asked_at = now()"),
    /row-level security/,
    'it answers a deletion, and asks for none',
  )
  await assert.rejects(
    asLink("update public.sessions set deletion_asked_by = 'family', deletion_asked_at = now()"),
  )
  const { numAffectedRows } = await asLink(`delete from public.sessions where id = '${id}'`)
  assert.equal(Number(numAffectedRows), 0, 'nobody asked to delete it')
  const other = await aFamily(server)
  await other.log()
  const { rows } = (await asLink('select id from sessions')) as { rows: { id: string }[] }
  assert.deepEqual(rows, [{ id }], 'and no session of another connection')
})

test('D9: sessions show no verification until a connection; then they wait for the other side, and are verified once both agree', async () => {
  const { family, practice, connection, self, logByPractice } = await aPair(server)
  const alone = idOf(await practice.call('POST', '/api/v1/students', { name: 'Ada' }))
  const lonely = idOf(await logByPractice({ student_id: alone }))
  const id = idOf(await logByPractice())
  const standing = async (session: string) => {
    const { is_shared, verified_by_tutor } = await read(practice, session)
    return [is_shared, verified_by_tutor]
  }
  const amounts = async () => {
    const { body } = await practice.call('GET', '/api/v1/summary?month=2026-11')
    return [body.verified_amount, body.waiting_amount, body.own_amount]
  }
  assert.deepEqual(await standing(lonely), [false, false])
  assert.deepEqual(await standing(id), [true, false])
  assert.deepEqual(await amounts(), [0, 67.5, 67.5])
  await confirm(family, id)
  assert.deepEqual(await standing(lonely), [false, false])
  assert.deepEqual(await standing(id), [true, true])
  assert.deepEqual(await amounts(), [67.5, 0, 67.5])

  await practice.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.deepEqual(await standing(id), [true, false], 'another duration is not what the family agreed to')
  await confirm(family, id)
  await family.call('DELETE', `/api/v1/connections/${connection}`, {})
  assert.deepEqual(await standing(id), [false, true], 'what was agreed stays agreed')
  assert.ok(self)
})

test('clearing a rate the other side typed goes back to the usual rate', async () => {
  const { family, logByPractice } = await aPair(server)
  const id = idOf(await logByPractice({ hourly_rate: 60 }))
  const { body } = await family.call('PATCH', `/api/v1/sessions/${id}`, { hourly_rate: null })
  assert.deepEqual(
    [body.effective_rate, body.hourly_rate, body.verified_by_tutor, body.own_confirmation],
    [45, null, false, 'confirmed'],
  )
  assert.equal(LESSON.duration * 45, body.total_amount)
})
