import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { historyLines, verifyHistory } from './jobs.server.ts'

let server: TestServer
let superuser: pg.Client
let parent: Caller
let lesson: { student_id: string; tutor_id: string; date: string; duration: number; subject: string }

before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  // Anyone tampering with the database would disable its triggers too.
  await superuser.query('set session_replication_role = replica')
  parent = await server.aUser()
  const student = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor = String(
    (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
  )
  lesson = { student_id: student, tutor_id: tutor, date: '2026-11-20', duration: 1, subject: 'Żółw 📐\n"x"' }
})
after(async () => {
  await superuser.end()
  await server.stop()
})

const keyOf = async (id: string) =>
  (await superuser.query<{ key: string }>('select key from sessions where id = $1', [id])).rows[0]?.key ?? ''

async function aSession(): Promise<string> {
  const id = String((await parent.call('POST', '/api/v1/sessions', lesson)).body.id)
  await parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  await parent.call('PATCH', `/api/v1/sessions/${id}`, { subject: 'Geometry' })
  await parent.call('PATCH', `/api/v1/sessions/${id}`, { notes: 'page 12' })
  return id
}

test('every creation, change and deletion has an entry, and the chains are valid', async () => {
  const id = await aSession()
  const gone = await aSession()
  await parent.call('DELETE', `/api/v1/sessions/${gone}`, {})
  await parent.call('DELETE', `/api/v1/students/${lesson.student_id}`, {})
  lesson.student_id = String((await parent.call('POST', '/api/v1/students', { name: 'Theo' })).body.id)
  const entries = async (session: string) =>
    (
      (await parent.call('GET', `/api/v1/sessions/${session}/history`)).body.entries as {
        action: string
        changed: string[]
      }[]
    ).map(({ action, changed }) => [action, ...changed].join(' '))
  // Private notes aren't part of the history, and removing a child from the list doesn't change a session's
  // facts.
  assert.deepEqual(await entries(id), ['logged', 'changed duration', 'changed subject'])
  assert.deepEqual(await entries(gone), ['logged', 'changed duration', 'changed subject', 'deleted'])
  const report = await verifyHistory(server.db)
  assert.equal(report.broken, undefined)
  assert.match(historyLines(report), /intact/)
})

test('a change that changes nothing leaves no entry, and neither does a refused one', async () => {
  const id = await aSession()
  await parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2, subject: 'Geometry' })
  await parent.call('PATCH', `/api/v1/sessions/${id}`, { duration: 3 }, { 'if-match': '"1"' })
  assert.equal(
    ((await parent.call('GET', `/api/v1/sessions/${id}/history`)).body.entries as object[]).length,
    3,
  )
})

/** An entry's stored columns; the rest are generated. */
const STORED =
  'kind, entry_key, chain, seq, entry_id, connection_id, family_id, practice_id, at, side, actor_id, ' +
  'action, facts, changed, note, previous_hash, hash, hashed_text'

test('changing any value of any entry is detected, and the entry is named', async () => {
  const id = await aSession()
  const where = `kind = 'session' and entry_key = ${await keyOf(id)}`
  const other = '00000000-0000-4000-8000-000000000000'
  const tampering = [
    "at = at + interval '1 microsecond'",
    "side = 'system'",
    "side = 'practice'",
    `entry_id = '${other}'`,
    "hashed_text = hashed_text || '-'",
    "action = 'confirmed'",
    "facts = jsonb_set(facts, '{minutes}', '75')",
    'facts = facts || \'{"x": 1}\'',
    "facts = facts - 'subject'",
    "changed = changed || array['rate']",
    "note = ''",
    "note = 'x'",
    "previous_hash = set_byte(previous_hash || '\\x00'::bytea, 0, 1)",
    'hash = set_byte(hash, 0, (get_byte(hash, 0) + 1) % 256)',
    'hash = set_byte(hash, 31, (get_byte(hash, 31) + 1) % 256)',
  ]
  await superuser.query(`create temporary table kept as select ${STORED} from history where ${where}`)
  for (const change of tampering) {
    for (const seq of [1, 2, 3]) {
      const { rowCount } = await superuser.query(
        `update history set ${change} where ${where} and seq = ${seq}`,
      )
      assert.equal(rowCount, 1)
      const { broken } = await verifyHistory(server.db)
      const isUnchanged =
        (await superuser.query(`select * from kept except select ${STORED} from history`)).rowCount === 0
      if (!isUnchanged)
        assert.deepEqual([broken?.[0]?.id, broken?.[0]?.seq], [id, seq], `${change} of entry ${seq}`)
      await restore()
    }
  }
  for (const seq of [1, 2, 3]) {
    await superuser.query(`delete from history where ${where} and seq = ${seq}`)
    const { broken } = await verifyHistory(server.db)
    // Without its last entry, the chain no longer matches the session.
    assert.deepEqual([broken?.[0]?.id, broken?.[0]?.seq], [id, seq === 3 ? 2 : seq], `entry ${seq} taken out`)
    await restore()
  }

  async function restore(): Promise<void> {
    await superuser.query(`delete from history where ${where}`)
    await superuser.query(`insert into history (${STORED}) select * from kept`)
  }
})

test('changing or deleting a session directly in the database is detected', async () => {
  const id = await aSession()
  for (const [change, undo] of [
    ['minutes = 15', 'minutes = 120'],
    [
      "practice_answer = 'confirmed', practice_answer_version = facts_version",
      'practice_answer = null, practice_answer_version = null',
    ],
    ['day = day + 1', 'day = day - 1'],
  ]) {
    await superuser.query(`update sessions set ${change} where id = '${id}'`)
    assert.match(
      historyLines(await verifyHistory(server.db)),
      new RegExp(`entry 3 of session ${id} does not match what is there`),
    )
    await superuser.query(`update sessions set ${undo} where id = '${id}'`)
  }
  await superuser.query(`delete from sessions where id = '${id}'`)
  assert.deepEqual((await verifyHistory(server.db)).broken?.[0]?.seq, 4)
})

test('every broken history is named, not just the first', async () => {
  const ids = [await aSession(), await aSession()]
  await superuser.query('update sessions set minutes = 15 where id = any ($1)', [ids])
  const lines = historyLines(await verifyHistory(server.db)).split('\n')
  for (const id of ids) assert.equal(lines.filter((line) => line.includes(`session ${id} does`)).length, 1)
})
