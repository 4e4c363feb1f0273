import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { sql } from 'kysely'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { RATE, post, rows, sessionsOf, aFamily, aMember, principalOf } from '#main/testing/members.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

test('a parent who is limited to one child learns nothing about the other by repeating an earlier call', async () => {
  const { owner, maya, theo, ingrid, noor } = await aFamily(server)
  const person = await aMember(server, owner, 'parent')
  const repeat = (student: string, tutor: string, key: string) =>
    person.call(
      'POST',
      '/api/v1/sessions',
      { student_id: student, tutor_id: tutor, date: '2026-03-10', duration: 1, notes: 'a secret' },
      { 'idempotency-key': key },
    )
  const ofMaya = () => repeat(maya, ingrid, 'of-maya')
  const ofTheo = () => repeat(theo, noor, 'of-theo')
  const [hers, his] = [await ofMaya(), await ofTheo()]
  assert.deepEqual([hers.status, his.status, (await ofMaya()).body.id], [201, 201, hers.body.id])

  const limited = await owner.call('PATCH', `/api/v1/members/${person.id}`, {
    role: 'parent',
    student_ids: [theo],
  })
  assert.equal(limited.status, 200, JSON.stringify(limited.body))
  const again = await ofMaya()
  assert.equal(again.status, 404)
  assert.doesNotMatch(again.bytes.toString(), /secret|Maya/)
  const own = await ofTheo()
  assert.deepEqual([own.status, own.body.id], [201, his.body.id])
})

test('a member for one child sees that child, its tutor, schedules and sessions, and nothing of the other', async () => {
  const { owner, maya, theo, ingrid, noor, schedule } = await aFamily(server)
  for (const role of ['caregiver', 'parent', 'viewer'] as const) {
    const person = await aMember(server, owner, role, [theo])
    assert.equal((await person.call('GET', '/api/v1/me')).body.has_all_students, false)
    const names = async (path: string) => (await rows(person, path)).map(({ name }) => name)
    assert.deepEqual(await names('students'), ['Theo'])
    assert.deepEqual(await names('tutors'), ['Noor'])
    assert.deepEqual(await rows(person, 'schedules'), [])
    const seen = await sessionsOf(person)
    assert.deepEqual(
      seen.map(({ student_id, total_amount }) => [student_id, total_amount]),
      [[theo, role === 'caregiver' ? null : 94.62]],
    )
    for (const path of [`students/${maya}`, `tutors/${ingrid}`, `schedules/${schedule}`])
      assert.equal((await person.call('GET', `/api/v1/${path}`)).status, 404, path)
    for (const path of ['payments', 'balances', 'connections', 'summary/year?year=2026'])
      assert.equal((await person.call('GET', `/api/v1/${path}`)).status, 403, path)
    await server.db.asMember(
      { ...principalOf(person, owner), workspace: { id: owner.member.workspaceId, kind: 'family', role } },
      async (tx) => {
        const history = await tx.selectFrom('history').select('entry_id').execute()
        assert.deepEqual(new Set(history.map((row) => row.entry_id)), new Set(seen.map(({ id }) => id)))
      },
    )
  }

  const lesson = { tutor_id: noor, date: '2026-03-10', duration: 1 }
  await post(await aMember(server, owner, 'caregiver', [theo]), 'sessions', {
    ...lesson,
    student_id: theo,
    notes: 'Openings',
  })
  const person = await aMember(server, owner, 'parent', [theo])
  const mine = await post(person, 'sessions', { ...lesson, student_id: theo })
  const other = await person.call('POST', '/api/v1/sessions', { ...lesson, student_id: maya })
  assert.equal(other.body.code, 'unknown_student')
  const moved = await person.call('PATCH', `/api/v1/sessions/${String(mine.id)}`, { student_id: maya })
  assert.equal(moved.body.code, 'unknown_student')
  assert.equal((await person.call('POST', '/api/v1/students', { name: 'Zoe' })).body.code, 'limited')
  assert.equal(
    (await person.call('PATCH', '/api/v1/me', { currency: 'EUR' })).body.code,
    'currency_not_yours',
  )
  await assert.rejects(
    server.db.asMember(principalOf(person, owner, 'parent'), (tx) =>
      tx.updateTable('sessions').set({ student_id: maya }).where('id', '=', String(mine.id)).execute(),
    ),
    /row-level security/,
  )

  // The owner lets the member see all children, then limits them again.
  const listed = async () => (await rows(owner, 'members')).find(({ id }) => id === person.id)?.student_ids
  assert.deepEqual(await listed(), [theo])
  const change = (student_ids: string[] | null) =>
    owner.call('PATCH', `/api/v1/members/${person.id}`, { role: 'parent', student_ids })
  assert.deepEqual((await change(null)).body.student_ids, null)
  assert.equal((await rows(person, 'students')).length, 2)
  assert.deepEqual((await change([maya])).body.student_ids, [maya])
  assert.deepEqual(
    (await rows(person, 'students')).map(({ id }) => id),
    [maya],
  )
  assert.equal((await change([crypto.randomUUID()])).body.code, 'unknown_student')
})

test('T1: a limited member cannot tell from the list of members that there are other children', async () => {
  const { owner, maya, theo } = await aFamily(server)
  const cara = await aMember(server, owner, 'caregiver', [maya])
  const vera = await aMember(server, owner, 'viewer', [theo])
  await post(owner, 'members', { email: 'later@example.com', role: 'viewer', student_ids: [theo] })
  const seen = async (reader: Caller) => {
    const list = (await reader.call('GET', '/api/v1/members')).body as unknown as Record<string, unknown>[]
    return list.map((one) => [one.id === reader.id ? 'me' : one.state, one.student_ids])
  }
  const invited = ['invited', [theo]]
  assert.deepEqual(await seen(owner), [['me', null], ['member', [maya]], ['member', [theo]], invited])
  assert.deepEqual((await seen(cara)).slice(0, 3), [
    ['member', null],
    ['me', [maya]],
    ['member', []],
  ])
  assert.deepEqual((await seen(vera)).slice(0, 3), [
    ['member', null],
    ['member', []],
    ['me', [theo]],
  ])
  for (const reader of [cara, vera])
    for (const [who, ids] of (await seen(reader)).slice(3)) assert.deepEqual([who, ids], ['invited', []])
})

test('an assistant for one student logs and confirms that student’s sessions, and nobody else’s', async () => {
  const tutor = await server.aUser('tutor')
  const lea = String((await post(tutor, 'students', { name: 'Lea', hourly_rate: RATE })).id)
  const other = String((await post(tutor, 'students', { name: 'Otto', hourly_rate: RATE })).id)
  const [self] = await rows(tutor, 'tutors')
  const lesson = { tutor_id: self?.id, date: '2026-03-10', duration: 1 }
  for (const student_id of [lea, other]) await post(tutor, 'sessions', { ...lesson, student_id })
  const assistant = await aMember(server, tutor, 'assistant', [lea])
  assert.deepEqual(
    (await sessionsOf(assistant)).map(({ student_id, total_amount }) => [student_id, total_amount]),
    [[lea, RATE]],
  )
  assert.equal(
    (await assistant.call('POST', '/api/v1/sessions', { ...lesson, date: '2026-03-11', student_id: lea }))
      .status,
    201,
  )
  const refused = await assistant.call('POST', '/api/v1/sessions', { ...lesson, student_id: other })
  assert.equal(refused.body.code, 'unknown_student')
})

test('a limited member who logs a class that is now another child’s session is told that it is already logged', async () => {
  const { owner, maya, theo, ingrid, schedule } = await aFamily(server)
  const tutor = await server.aUser('tutor')
  await owner.call('PATCH', `/api/v1/tutors/${ingrid}`, { email: tutor.email })
  const { id } = await post(owner, 'connections', { tutor_id: ingrid })
  await tutor.call('PATCH', `/api/v1/connections/${String(id)}`, { state: 'active' })
  const student = (await rows(tutor, 'students')).find(({ name }) => name === 'Maya')
  const [self] = await rows(tutor, 'tutors')
  const moved = await post(owner, `schedules/${schedule}/log`, { date: '2026-03-17' })
  const path = `/api/v1/sessions/${String(moved.id)}`
  assert.equal((await owner.call('PATCH', path, { student_id: theo })).status, 200)
  const lesson = { date: '2026-03-17', duration: 1 }
  await post(tutor, 'sessions', { ...lesson, student_id: student?.id, tutor_id: self?.id })
  const person = await aMember(server, owner, 'parent', [maya])
  const answer = await person.call('POST', '/api/v1/sessions', {
    ...lesson,
    student_id: maya,
    tutor_id: ingrid,
    schedule_id: schedule,
    occurrence_date: '2026-03-17',
  })
  assert.deepEqual([answer.status, answer.body.code], [409, 'already_logged'])
  // Logging a scheduled class with one tap is rejected the same way, whether or not the tutor logged a lesson
  // that day.
  const tap = (date: string) => person.call('POST', `/api/v1/schedules/${schedule}/log`, { date })
  assert.equal((await tap('2026-03-17')).body.code, 'already_logged')
  const next = await post(owner, `schedules/${schedule}/log`, { date: '2026-03-24' })
  await owner.call('PATCH', `/api/v1/sessions/${String(next.id)}`, { student_id: theo })
  assert.equal((await tap('2026-03-24')).body.code, 'already_logged')
})

test("limited members don't make lists slower for those who see everyone: it's one index scan", async () => {
  const { owner } = await aFamily(server)
  const person = { accountId: owner.id, workspace: { id: owner.member.workspaceId, kind: 'family' as const } }
  await server.db.asMember(person, async (tx) => {
    for (let day = 0; day < 40; day++)
      await sql`insert into sessions (workspace_id, student_id, tutor_id, day, minutes)
        select s.workspace_id, s.id, (select t.id from tutors t where t.workspace_id = s.workspace_id limit 1), date '2020-01-01' + n + ${day * 50}::int, 60
        from students s, generate_series(1, 50) n where s.workspace_id = ${owner.member.workspaceId}`.execute(
        tx,
      )
  })
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query('analyze sessions')
  await client.end()
  const { rows: plan } = await server.db.asMember(person, (tx) =>
    sql<{ 'QUERY PLAN': string }>`explain (analyze, costs off, timing off, summary off)
      select id from sessions where workspace_id = ${owner.member.workspaceId} order by day desc, id desc limit 20`.execute(
      tx,
    ),
  )
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  assert.match(text, /Index (Only )?Scan using sessions_of_family_by_day/)
  assert.doesNotMatch(text, /Sort|Seq Scan/)
})
