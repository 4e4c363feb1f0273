// Caregivers log sessions but don't see amounts. Other members may be limited to some of the children.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { sql } from 'kysely'
import { startTestServer, type TestServer, withTestRoles } from '#main/testing.server.ts'
import { RATE, post, rows, sessionsOf, aFamily, aMember, principalOf } from '#main/testing/members.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const AMOUNTS = /47[.,]?31|70[.,]?97|94[.,]?62|283[.,]?86/

test('a caregiver logs a session at the rate that applies, which confirms it, and is shown no amount', async () => {
  const { owner, maya, ingrid, schedule } = await aFamily(server)
  const cara = await aMember(server, owner, 'caregiver')
  const { body: me } = await cara.call('GET', '/api/v1/me')
  assert.deepEqual([me.role, me.can_see_amounts, me.has_all_students], ['parent', false, true])

  const lesson = { student_id: maya, tutor_id: ingrid, date: '2026-03-10', duration: 2 }
  const logged = await post(cara, 'sessions', { ...lesson, notes: 'Fractions' })
  const { hourly_rate, default_rate, effective_rate, total_amount, own_confirmation, notes } = logged
  assert.deepEqual(
    { hourly_rate, default_rate, effective_rate, total_amount, own_confirmation, notes },
    {
      hourly_rate: null,
      default_rate: null,
      effective_rate: null,
      total_amount: null,
      own_confirmation: 'confirmed',
      notes: 'Fractions',
    },
  )
  const seen = (await owner.call('GET', `/api/v1/sessions/${String(logged.id)}`)).body
  assert.deepEqual([seen.default_rate, seen.hourly_rate, seen.total_amount], [RATE, null, 94.62])

  // A scheduled class, and a child with a separate rate.
  const ofClass = await post(cara, `schedules/${schedule}/log`, { date: '2026-03-17' })
  assert.equal(ofClass.total_amount, null)
  await server.db.asMember(owner.member, (tx) =>
    tx.updateTable('students').set({ hourly_rate_cents: 3000 }).where('id', '=', maya).execute(),
  )
  const special = await post(cara, 'sessions', { ...lesson, date: '2026-03-11' })
  const amounts = new Map((await sessionsOf(owner)).map(({ id, total_amount: amount }) => [id, amount]))
  assert.deepEqual([amounts.get(ofClass.id), amounts.get(special.id)], [70.97, 60])

  const refused = await cara.call('POST', '/api/v1/sessions', { ...lesson, hourly_rate: 10 })
  assert.deepEqual([refused.status, refused.body.code], [422, 'rate_not_yours'])
})

test('a caregiver changes and deletes only their own entries, and only until someone else confirms or changes them', async () => {
  const { owner, maya, theo, ingrid, noor, logged } = await aFamily(server)
  const cara = await aMember(server, owner, 'caregiver')
  const lesson = { student_id: maya, tutor_id: ingrid, date: '2026-03-10', duration: 2 }
  const log = async (date: string) =>
    `/api/v1/sessions/${String((await post(cara, 'sessions', { ...lesson, date })).id)}`
  const status = async (method: string, path: string, body: object) => {
    const answer = await cara.call(method, path, body)
    return [answer.status, answer.body.code]
  }
  const [changed, taken, gone] = [await log('2026-03-10'), await log('2026-03-11'), await log('2026-03-12')]

  assert.equal((await cara.call('PATCH', changed, { duration: 1, notes: 'Shorter' })).status, 200)
  assert.equal((await owner.call('GET', changed)).body.total_amount, RATE)
  // A different tutor has a different rate.
  await owner.call('PATCH', `/api/v1/tutors/${noor}`, { hourly_rate: 20 })
  assert.equal((await cara.call('PATCH', changed, { tutor_id: noor, student_id: theo })).status, 200)
  assert.equal((await owner.call('GET', changed)).body.total_amount, 20)
  assert.deepEqual(await status('PATCH', changed, { hourly_rate: 1 }), [422, 'rate_not_yours'])
  assert.equal((await cara.call('DELETE', gone, {})).status, 204)

  await owner.call('PATCH', taken, { duration: 1 })
  for (const path of [taken, `/api/v1/sessions/${logged}`]) {
    assert.deepEqual(await status('PATCH', path, { duration: 2 }), [403, 'not_your_entry'])
    assert.deepEqual(await status('DELETE', path, {}), [403, 'not_your_entry'])
    assert.equal((await cara.call('GET', path)).body.is_read_only, true)
  }
  // The database rejects this too, in case a route forgets to check.
  await server.db.asMember(principalOf(cara, owner), async (tx) => {
    const id = taken.split('/').at(-1) ?? ''
    const update = await tx
      .updateTable('sessions')
      .set({ minutes: 15 })
      .where('id', '=', id)
      .executeTakeFirst()
    const deletion = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
    assert.deepEqual([update.numUpdatedRows, deletion.numDeletedRows], [0n, 0n])
  })
})

test("a caregiver can't change what the tutor confirmed, and a lesson that the tutor logged waits for a parent", async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const tutor = await server.aUser('tutor')
  await owner.call('PATCH', `/api/v1/tutors/${ingrid}`, { email: tutor.email })
  const connection = await post(owner, 'connections', { tutor_id: ingrid })
  const accepted = await tutor.call('PATCH', `/api/v1/connections/${String(connection.id)}`, {
    state: 'active',
  })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  const cara = await aMember(server, owner, 'caregiver')
  const lesson = { student_id: maya, tutor_id: ingrid, duration: 1 }
  const path = `/api/v1/sessions/${String((await post(cara, 'sessions', { ...lesson, date: '2026-03-10' })).id)}`
  await tutor.call('PATCH', path, { homework: 'Page 84' })
  const written = await cara.call('PATCH', path, { summary: 'Fractions' })
  assert.deepEqual([written.body.summary, written.body.homework], ['Fractions', 'Page 84'])
  assert.equal((await tutor.call('POST', `${path}/confirm`, {})).status, 200)
  assert.equal((await cara.call('GET', path)).body.verified_by_tutor, true)
  assert.equal((await cara.call('PATCH', path, { duration: 2 })).body.code, 'not_your_entry')
  for (const [method, place] of [
    ['POST', 'confirm'],
    ['DELETE', 'confirm'],
    ['POST', 'dispute'],
    ['POST', 'answer'],
    ['POST', 'keep'],
  ] as const)
    assert.equal((await cara.call(method, `${path}/${place}`, { note: 'No' })).body.code, 'role', place)

  const [student] = await rows(tutor, 'students')
  const [self] = await rows(tutor, 'tutors')
  await post(tutor, 'sessions', {
    student_id: student?.id,
    tutor_id: self?.id,
    date: '2026-03-12',
    duration: 1,
  })
  const same = await cara.call('POST', '/api/v1/sessions', { ...lesson, date: '2026-03-12' })
  assert.deepEqual([same.status, same.body.code], [409, 'same_lesson'])
})

test('T1: no response to a caregiver contains an amount: no operation, file, feed or email', async () => {
  const { owner, maya, ingrid, schedule, logged, payment } = await aFamily(server)
  const parent = await aMember(server, owner, 'parent')
  const cara = await aMember(server, owner, 'caregiver')
  const { paths } = (await cara.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  const ids: Record<string, string> = {
    sessions: logged,
    students: maya,
    tutors: ingrid,
    schedules: schedule,
    payments: payment,
  }
  const INPUTS: Record<string, object> = {
    ReadSummary: { month: '2026-03' },
    ReadYear: { year: '2026' },
    DownloadCsv: { month: '2026-03' },
    DownloadPdf: { tutor_id: ingrid, month: '2026-03' },
    ListOccurrences: { from: '2026-03-01', to: '2026-03-31' },
    ReadLedger: { tutor_id: ingrid },
    ReadDashboard: { today: '2026-03-05', time: '12:00' },
    ProcessSpeech: { transcript: 'Maya had an hour of math with Ingrid', today: '2026-03-05' },
    LearnNames: { names: [{ words: 'Mimi', student_id: maya }] },
    LogSession: { student_id: maya, tutor_id: ingrid, date: '2026-03-20', duration: 1 },
    LogOccurrence: { date: '2026-03-24' },
    ListMissed: { from: '2026-03-01', to: '2026-03-31' },
    ChangeOccurrence: { date: '2026-03-31', status: 'canceled', outcome: 'canceled_late' },
    EndClasses: {
      classes: [{ schedule_id: schedule, date: '2026-04-07', outcome: 'canceled_late', was: null }],
    },
  }
  // Skips calls that would sign out or delete the account, and the event stream, which stays open.
  const left =
    /^(SignOut|DeleteAccount|RemoveMember|StreamEvents|EndDevice|EndOtherDevices|RenewLogin|ChangePassword)$/
  let [open, closed, shown] = [0, 0, 0]
  for (const [place, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId: name } = operation
      if (left.test(name) || place.startsWith('/api/v1/admin') || operation['x-roles'] === 'anyone') continue
      const path = place.replace('{id}', ids[place.split('/')[3] ?? ''] ?? cara.id)
      const input = INPUTS[name] ?? {}
      const [url, body] =
        method === 'get'
          ? [`${path}?${new URLSearchParams(input as Record<string, string>)}`, undefined]
          : [path, input]
      const answer = await cara.call(method.toUpperCase(), url, body)
      const isClosed = operation['x-closed-to']?.includes('caregiver') ?? false
      const roles = operation['x-roles']
      if (isClosed || (Array.isArray(roles) && !roles.includes('parent'))) {
        assert.deepEqual([answer.status, answer.body.code], [403, 'role'], name)
        closed += 1
      } else {
        assert.notEqual(answer.body.code, 'role', name)
        assert.notEqual(answer.status, 500, name)
        if (answer.status < 300) open += 1
      }
      assert.doesNotMatch(textOf(answer.bytes), AMOUNTS, `${name} ${url}`)
      // Counts the responses that contain amounts for a parent but not for a caregiver.
      if (method === 'get') shown += AMOUNTS.test(textOf((await parent.call('GET', url)).bytes)) ? 1 : 0
    }
  }
  assert.ok(open > 15 && closed > 30 && shown > 8, `${open} ${closed} ${shown}`)

  const feed = String((await post(cara, 'calendar-feed', {})).url)
  const calendar = await cara.call('GET', new URL(feed).pathname)
  assert.match(calendar.bytes.toString(), /Maya/)
  assert.doesNotMatch(calendar.bytes.toString(), AMOUNTS)
  const history = await cara.call('GET', `/api/v1/sessions/${logged}/history`)
  const entries = history.body.entries as Record<string, unknown>[]
  assert.deepEqual(
    entries.map(({ action, rate, total_amount, hash }) => [action, rate, total_amount, hash]),
    [
      ['logged', null, null, null],
      ['changed', null, null, null],
    ],
  )
})

interface Operation {
  operationId: string
  'x-closed-to'?: string[]
  'x-roles': string | string[]
}

/** Row and request ids, whose random digits could look like an amount. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A file's text with the ids removed. Unpacks ZIP files first. */
function textOf(bytes: Buffer): string {
  if (bytes.subarray(0, 2).toString() !== 'PK') return bytes.toString('latin1').replaceAll(ID, '')
  return Object.values(unzipSync(bytes))
    .map((file) => Buffer.from(file).toString().replaceAll(ID, ''))
    .join('\n')
}

test('T13: the caregivers’ role has no grant on a column with amounts, and reads nothing under another role', async () => {
  const { owner } = await aFamily(server)
  const cara = await aMember(server, owner, 'caregiver')
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  try {
    const { rows: granted } = await client.query<{ place: string }>(`
      select c.relname || '.' || a.attname || ' ' || p as place from pg_attribute a
        join pg_class c on c.oid = a.attrelid, unnest(array['select', 'insert', 'update', 'references']) p
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
        and (a.attname ~ 'cents|rate|amount|price' or a.attname in ('facts', 'hash', 'previous_hash', 'hashed_text') and c.relname = 'history'
          or c.relname in ('payments', 'charges', 'sign_offs', 'session_pairs'))
        -- Members may see what their own account pays for Tutorlog.
        and c.relname <> 'subscriptions' and has_column_privilege('${withTestRoles('tutorlog_caregiver')}', c.oid, a.attnum, p)`)
    assert.deepEqual(granted, [])
  } finally {
    await client.end()
  }
  const count = async (role: 'caregiver' | 'parent') =>
    await server.db.asMember(principalOf(cara, owner, role), (tx) =>
      tx.selectFrom('sessions').select('total_cents').execute(),
    )
  assert.deepEqual(await count('caregiver'), [{ total_cents: null }, { total_cents: null }])
  assert.deepEqual(await count('parent'), [])
  await assert.rejects(
    server.db.asMember(principalOf(cara, owner), (tx) =>
      sql`select total_cents from public.sessions`.execute(tx),
    ),
    /permission denied/,
  )
})

test('a parent who becomes a caregiver sees no amounts from then on, even by repeating an earlier call', async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const person = await aMember(server, owner, 'parent')
  const lesson = { student_id: maya, tutor_id: ingrid, date: '2026-03-10', duration: 1 }
  const repeat = () => person.call('POST', '/api/v1/sessions', lesson, { 'idempotency-key': 'once' })
  assert.equal((await repeat()).body.total_amount, RATE)
  const changed = await owner.call('PATCH', `/api/v1/members/${person.id}`, { role: 'caregiver' })
  assert.deepEqual([changed.status, changed.body.role], [200, 'caregiver'])
  assert.doesNotMatch((await repeat()).bytes.toString(), AMOUNTS)
  assert.equal((await person.call('GET', '/api/v1/payments')).status, 403)
})

test('after a family is handed over, members who see no amounts or only one child still see just that', async () => {
  const { owner, theo } = await aFamily(server)
  const second = await aMember(server, owner, 'parent')
  const [limited, cara] = [
    await aMember(server, owner, 'parent', [theo]),
    await aMember(server, owner, 'caregiver', [theo]),
  ]
  assert.equal((await owner.call('PATCH', `/api/v1/members/${second.id}`, { role: 'owner' })).status, 200)
  for (const person of [owner, second]) {
    const { body: me } = await person.call('GET', '/api/v1/me')
    assert.deepEqual([me.can_see_amounts, me.has_all_students], [true, true])
    assert.equal((await sessionsOf(person)).length, 2)
  }
  for (const [person, amount] of [
    [limited, 94.62],
    [cara, null],
  ] as const)
    assert.deepEqual(
      (await sessionsOf(person)).map(({ student_id, total_amount }) => [student_id, total_amount]),
      [[theo, amount]],
    )
  // The new owner sees all students and decides which students each member sees. Limits set for the new owner
  // earlier no longer apply.
  const free = { role: 'parent', student_ids: null }
  assert.equal((await owner.call('PATCH', `/api/v1/members/${limited.id}`, free)).body.code, 'owner_only')
  assert.equal((await second.call('PATCH', `/api/v1/members/${limited.id}`, free)).status, 200)
  assert.equal((await sessionsOf(limited)).length, 2)
  assert.equal(
    (await second.call('PATCH', `/api/v1/members/${owner.id}`, { role: 'parent', student_ids: [theo] }))
      .status,
    200,
  )
  assert.equal((await sessionsOf(owner)).length, 1)
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await assert.rejects(
    client.query('update members set all_students = false where account_id = $1', [second.id]),
    /members_owner_sees_all/,
  )
  await client.end()
})

test("a caregiver starts their own family and sees its amounts, but none of the other family's", async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const cara = await aMember(server, owner, 'caregiver')
  const { id } = await post(cara, 'workspaces', { kind: 'family' })
  const there = { 'tutorlog-workspace': String(id) }
  const make = async (path: string, body: object) =>
    (await cara.call('POST', `/api/v1/${path}`, body, there)).body
  const child = await make('students', { name: 'Otto' })
  const tutor = await make('tutors', { name: 'Pia', hourly_rate: 30 })
  const lesson = { date: '2026-03-10', duration: 1 }
  const own = await make('sessions', { ...lesson, student_id: child.id, tutor_id: tutor.id })
  assert.equal(own.total_amount, 30)
  const { body: me } = await cara.call('GET', '/api/v1/me', undefined, there)
  assert.deepEqual([me.role, me.can_see_amounts], ['parent', true])
  assert.equal(
    (await cara.call('GET', '/api/v1/payments?from=2026-03-01&to=2026-03-31', undefined, there)).status,
    200,
  )

  // If no header names a workspace, the call applies to the family they joined first, where they're still a
  // caregiver.
  assert.equal((await cara.call('GET', '/api/v1/me')).body.can_see_amounts, false)
  assert.equal(
    (await post(cara, 'sessions', { ...lesson, student_id: maya, tutor_id: ingrid })).total_amount,
    null,
  )
  const csv = await cara.call('GET', '/api/v1/statements/sessions.csv?month=2026-03')
  assert.deepEqual([csv.status, csv.body.code], [403, 'role'])
  const exported = (headers = {}) => cara.call('POST', '/api/v1/export', {}, headers)
  assert.match(textOf((await exported(there)).bytes), /Otto/)
  assert.doesNotMatch(textOf((await exported()).bytes), /Otto|Maya/)
})

test("a caregiver can't change their entry anymore once it's merged with what the tutor logged", async () => {
  const { owner, maya, ingrid } = await aFamily(server)
  const tutor = await server.aUser('tutor')
  await owner.call('PATCH', `/api/v1/tutors/${ingrid}`, { email: tutor.email })
  const cara = await aMember(server, owner, 'caregiver')
  const lesson = { date: '2026-03-10', duration: 1 }
  const log = { ...lesson, student_id: maya, tutor_id: ingrid }
  const path = `/api/v1/sessions/${String((await post(cara, 'sessions', log)).id)}`
  const [self] = await rows(tutor, 'tutors')
  const { id: student_id } = await post(tutor, 'students', { name: 'Maya' })
  await post(tutor, 'sessions', { ...lesson, student_id, tutor_id: self?.id, hourly_rate: RATE })
  const connection = `connections/${String((await post(owner, 'connections', { tutor_id: ingrid })).id)}`
  const [asked] = await rows(tutor, 'connections')
  const people = ((asked?.people ?? []) as { id: string }[]).map(({ id }) => ({ id, student_id }))
  const accepted = await tutor.call('PATCH', `/api/v1/${connection}`, { state: 'active', people })
  assert.equal(accepted.body.pairs, 1, JSON.stringify(accepted.body))
  const { pairs } = (await tutor.call('GET', `/api/v1/${connection}/pairs`)).body as {
    pairs: { id: string }[]
  }
  assert.equal((await cara.call('GET', path)).body.is_read_only, false)
  const same = await tutor.call('POST', `/api/v1/${connection}/pairs`, { same: pairs.map(({ id }) => id) })
  assert.equal(same.status, 200, JSON.stringify(same.body))
  assert.equal((await cara.call('GET', path)).body.verified_by_tutor, true)
  assert.equal((await cara.call('PATCH', path, { duration: 2 })).body.code, 'not_your_entry')
})
