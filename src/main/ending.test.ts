// Ends a connection at the same moment as everything that records, answers, matches or merges under it, and
// checks that nothing stays shared.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { KEEP_DAYS } from '#features/accounts/profile.ts'
import { purgeAccounts } from '#features/privacy/jobs.server.ts'
import type { Side } from '#features/access/role.ts'
import {
  aFamily,
  aPair,
  aPractice,
  type Asking,
  byLink,
  idOf,
  LESSON,
  type Pair,
  rowsOf,
  tokenOf,
} from './testing/two-sides.server.ts'
import { type Answer, type Caller, startTestServer, type TestServer } from './testing.server.ts'

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

const ROUNDS = 12

/** Forgets everything that was logged and paid, so that the next round starts fresh. */
async function forgetRecords(): Promise<void> {
  await superuser.query(`set session_replication_role = replica; delete from session_pairs; delete from history;
    delete from session_notes; delete from sessions; delete from payments; delete from rate_limits; set session_replication_role = origin`)
}

/** Asks and accepts again, with the child matched to the practice's student. */
async function connect(pair: Pair): Promise<void> {
  await superuser.query('delete from rate_limits')
  const asked = await pair.family.call('POST', '/api/v1/connections', { tutor_id: pair.tutor })
  pair.connection = idOf(asked)
  const people = (asked.body.people as { id: string }[]).map(({ id }) => ({ id, student_id: pair.student }))
  const accepted = await pair.practice.call('PATCH', `/api/v1/connections/${pair.connection}`, {
    state: 'active',
    people,
  })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
}

/** What is still shared, paired or held although its connection has ended. */
async function leftovers(): Promise<unknown[]> {
  const { rows } = await superuser.query(`
    with ended as (select id from connections where state in ('declined', 'ended'))
    select 'session' as kind, id::text from sessions where connection_id in (select id from ended)
    union all select 'two sides', id::text from sessions where connection_id is null and family_id is not null and practice_id is not null
    union all select 'held', id::text from sessions where is_held and not exists (select from session_pairs where key in (family_key, practice_key))
    union all select 'payment', id::text from payments where connection_id in (select id from ended)
    union all select 'pair', id::text from session_pairs where connection_id in (select id from ended)
    union all select 'history', s.id::text from history h join sessions s on h.kind = 'session' and s.key = h.entry_key
      where h.connection_id is distinct from s.connection_id`)
  return rows
}

const soon = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 8))

/** Waits a few milliseconds before one of two calls, in some of the rounds. */
async function together(
  round: number,
  deed: () => Promise<Answer>,
  end: () => Promise<unknown>,
): Promise<Answer> {
  const after = async <Value>(isLate: boolean, work: () => Promise<Value>) => {
    if (isLate) await soon()
    return work()
  }
  const [answer] = await Promise.all([after(round % 3 === 2, deed), after(round % 3 === 1, end)])
  assert.ok(answer.status < 500, `${answer.status} ${JSON.stringify(answer.body)}`)
  assert.deepEqual(await leftovers(), [], `round ${round}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

async function end(caller: Caller, connection: string): Promise<void> {
  const { status, body } = await caller.call('DELETE', `/api/v1/connections/${connection}`)
  assert.equal(status, 204, JSON.stringify(body))
}

interface Deed {
  /** What it needs before the moment of the end; the result goes to `act`. */
  prepare?: (pair: Pair, side: Side) => Promise<string>
  act: (pair: Pair, side: Side, prepared: string) => Promise<Answer>
  sides?: Side[]
}

const OTHER = { family: 'practice', practice: 'family' } as const
const lessonOf = (pair: Pair, side: Side, more: object = {}) => ({
  ...(side === 'family'
    ? { student_id: pair.child, tutor_id: pair.tutor }
    : { student_id: pair.student, tutor_id: pair.self }),
  ...LESSON,
  ...more,
})
const log = (pair: Pair, side: Side, more: object = {}) =>
  pair[side].call('POST', '/api/v1/sessions', lessonOf(pair, side, more))
const pay = (pair: Pair, side: Side, more: object = {}) =>
  pair[side].call('POST', '/api/v1/payments', {
    ...(side === 'family' ? { tutor_id: pair.tutor } : { student_id: pair.student }),
    date: LESSON.date,
    kind: 'payment',
    amount: 40,
    ...more,
  })
const theirLesson: Deed['prepare'] = async (pair, side) => idOf(await log(pair, OTHER[side]))
const ownLesson: Deed['prepare'] = async (pair, side) => idOf(await log(pair, side))
/** A lesson of this side that waits in a pair with what the other side logged. */
const heldLesson: Deed['prepare'] = async (pair, side) => {
  await log(pair, OTHER[side])
  return idOf(await log(pair, side, { is_late: true }))
}
const answerPair = (which: 'same' | 'different'): Deed => ({
  prepare: async (pair, side) => {
    await heldLesson(pair, side)
    return rowsOf(await pair[side].call('GET', `/api/v1/connections/${pair.connection}/pairs`))[0]?.id ?? ''
  },
  act: (pair, side, id) =>
    pair[side].call('POST', `/api/v1/connections/${pair.connection}/pairs`, { [which]: [id] }),
})
const onSession = (prepare: Deed['prepare'], method: string, path: string, body?: object): Deed => ({
  ...(prepare && { prepare }),
  act: (pair, side, id) => pair[side].call(method, `/api/v1/sessions/${id}${path}`, body),
})

const SIDES: Side[] = ['family', 'practice']
const DEEDS: Record<string, Deed> = {
  'logging a session': { act: (pair, side) => log(pair, side) },
  'logging several sessions': {
    act: (pair, side) =>
      pair[side].call('POST', '/api/v1/sessions/several', {
        sessions: ['2026-11-02', '2026-11-03'].map((date) => lessonOf(pair, side, { date })),
      }),
  },
  'sending a session late': {
    prepare: theirLesson,
    act: (pair, side) => log(pair, side, { is_late: true }),
  },
  importing: {
    prepare: theirLesson,
    act: (pair, side) => {
      const [name, tutor] = side === 'family' ? ['Maya Whitfield', 'Ingrid'] : ['maya W.', '']
      const text = `Date,Student,Tutor,Hours,Rate\n${LESSON.date},${name},${tutor},1,45\n2026-11-02,${name},${tutor},1,45`
      return pair[side].call('POST', '/api/v1/imports', { text })
    },
  },
  'moving a session into the connection': {
    sides: ['family'],
    prepare: async (pair) =>
      idOf(
        await pair.family.call('POST', '/api/v1/sessions', {
          ...lessonOf(pair, 'family'),
          tutor_id: idOf(await pair.family.call('POST', '/api/v1/tutors', { name: `Tess ${Math.random()}` })),
        }),
      ),
    act: (pair, side, id) => pair[side].call('PATCH', `/api/v1/sessions/${id}`, { tutor_id: pair.tutor }),
  },
  'changing a session': onSession(ownLesson, 'PATCH', '', { duration: 2 }),
  'confirming a session': onSession(theirLesson, 'POST', '/confirm', {}),
  'withdrawing a confirmation': onSession(ownLesson, 'DELETE', '/confirm'),
  'disputing a session': onSession(theirLesson, 'POST', '/dispute', { note: 'It was an hour' }),
  'deleting a session': onSession(ownLesson, 'DELETE', ''),
  'asking to delete a session': onSession(
    async (pair, side) => {
      const id = await ownLesson(pair, side)
      await pair[OTHER[side]].call('POST', `/api/v1/sessions/${id}/confirm`, {})
      return id
    },
    'DELETE',
    '',
  ),
  'deleting the session that another waits for': {
    prepare: async (pair, side) => {
      const id = await ownLesson(pair, side)
      await log(pair, OTHER[side], { is_late: true })
      return id
    },
    act: (pair, side, id) => pair[side].call('DELETE', `/api/v1/sessions/${id}`),
  },
  'merging two sessions': answerPair('same'),
  'keeping two sessions apart': answerPair('different'),
  'recording a payment': { act: (pair, side) => pay(pair, side) },
  'confirming a payment': {
    prepare: async (pair, side) => idOf(await pay(pair, OTHER[side])),
    act: (pair, side, id) => pair[side].call('POST', `/api/v1/payments/${id}/confirm`, {}),
  },
  'sharing a payment from before': {
    prepare: async (pair, side) => {
      await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`)
      const id = idOf(await pay(pair, side))
      await connect(pair)
      return id
    },
    act: (pair, side, id) => pair[side].call('POST', '/api/v1/payments/share', { ids: [id] }),
  },
  'matching a child': {
    sides: ['practice'],
    prepare: async (pair) => {
      const connections = rowsOf(await pair.practice.call('GET', '/api/v1/connections'))
      const people = connections.flatMap((one) =>
        one.id === pair.connection ? (one.people as { id: string }[]) : [],
      )
      return people[0]?.id ?? ''
    },
    act: (pair, _side, person) =>
      pair.practice.call('PATCH', `/api/v1/connections/${pair.connection}`, {
        people: [{ id: person, student_id: null }],
      }),
  },
}

for (const [name, { prepare, act, sides = SIDES }] of Object.entries(DEEDS))
  for (const side of sides)
    test(`D17: ${name} as the ${side} while the connection ends leaves nothing shared`, async () => {
      await forgetRecords()
      const pair = await aPair(server)
      for (let round = 0; round < ROUNDS; round++) {
        if (round > 0) {
          await forgetRecords()
          await pair.log({ date: '2026-01-05' })
          await connect(pair)
        }
        const prepared = prepare ? await prepare(pair, side) : ''
        const answer = await together(
          round,
          () => act(pair, side, prepared),
          () => end(round % 2 === 0 ? pair.family : pair.practice, pair.connection),
        )
        if (answer.status === 201 && typeof answer.body.id === 'string' && !name.includes('payment')) {
          const found = await pair[side].call('GET', `/api/v1/sessions/${answer.body.id}`)
          assert.deepEqual([found.status, found.body.is_shared], [200, false])
        }
      }
    })

const BY_EMAIL: Record<string, (token: string, asking: Asking, seen: object) => Promise<Answer>> = {
  'confirms a session': (token, _asking, seen) =>
    byLink(server.aStranger(), token, 'confirm', { sessions: [seen] }),
  'sends a session back': (token, _asking, seen) =>
    byLink(server.aStranger(), token, 'dispute', { ...seen, note: 'It was an hour' }),
  'reports a payment': (token) =>
    byLink(server.aStranger(), token, 'payments/paid', { date: LESSON.date, kind: 'payment', amount: 40 }),
  'ends it too': (token) => byLink(server.aStranger(), token, 'end', { forget: false }),
}
test('D17: a tutor without an account who answers while the family ends leaves nothing shared', async () => {
  await forgetRecords()
  for (const [name, byEmail] of Object.entries(BY_EMAIL))
    for (let round = 0; round < 3; round++) {
      await superuser.query('delete from rate_limits')
      const asking = await aFamily(server)
      const id = await asking.log()
      const seen = { id, version: 1 }
      const token = await tokenOf(server, asking.email)
      const answer = await together(
        round,
        () => byEmail(token, asking, seen),
        () => asking.family.call('DELETE', `/api/v1/connections/${asking.connection}`),
      )
      assert.ok([200, 201, 204, 404, 409, 410].includes(answer.status), `${name}: ${answer.status}`)
    }
})

test('D17: a session logged while a tutor accepts is in both logs', async () => {
  await forgetRecords()
  for (let round = 0; round < ROUNDS; round++) {
    await superuser.query('delete from rate_limits')
    const asking = await aFamily(server)
    const { practice } = await aPractice(server, asking.email)
    const accept = () =>
      practice.call('PATCH', `/api/v1/connections/${asking.connection}`, { state: 'active' })
    const [id, accepted] = await Promise.all([asking.log(), accept()])
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    for (const caller of [asking.family, practice]) {
      const found = await caller.call('GET', `/api/v1/sessions/${id}`)
      assert.deepEqual([found.status, found.body.is_shared], [200, true], `round ${round}`)
    }
  }
})

test("D17: a session logged while its tutor is deleted, or the tutor's account is erased, isn't shared any more", async () => {
  await forgetRecords()
  for (let round = 0; round < 6; round++) {
    const deleted = await aPair(server)
    await together(
      round,
      () => log(deleted, 'practice'),
      () => deleted.family.call('DELETE', `/api/v1/tutors/${deleted.tutor}`),
    )
    const erased = await aPair(server)
    await superuser.query('update users set deletion_asked_at = $2 where id = $1', [
      erased.practice.id,
      new Date(server.clock.now.getTime() - (KEEP_DAYS + 1) * 86_400_000),
    ])
    await together(
      round,
      () => log(erased, 'family'),
      () => purgeAccounts(server.db, server.dataDir, server.clock.now),
    )
  }
})

test('connecting, declining, withdrawing and logging all at once never fails', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await superuser.query('delete from rate_limits')
    const asking = await aFamily(server)
    const { practice } = await aPractice(server, asking.email)
    await asking.log({ date: '2026-11-01' })
    const path = `/api/v1/connections/${asking.connection}`
    const answers = await Promise.all([
      practice.call('PATCH', path, { state: 'active' }),
      asking.family.call('POST', '/api/v1/sessions', {
        ...LESSON,
        student_id: asking.child,
        tutor_id: asking.tutor,
      }),
      practice.call('PATCH', path, { state: 'declined' }),
      asking.family.call('POST', '/api/v1/sessions', {
        ...LESSON,
        date: '2026-11-02',
        student_id: asking.child,
        tutor_id: asking.tutor,
      }),
      asking.family.call('DELETE', path),
      practice.call('PATCH', path, { state: 'active' }),
      asking.family.call('DELETE', path),
    ])
    assert.deepEqual(
      answers.filter(({ status }) => status >= 500).map(({ body }) => body),
      [],
      `round ${round}`,
    )
    assert.deepEqual(await leftovers(), [], `round ${round}`)
  }
})

test('a confirmation that runs into a deadlock is tried again', async () => {
  await forgetRecords()
  const pair = await aPair(server)
  const days = ['2026-11-10', '2026-11-11']
  const ids = [await pair.log({ date: days[0] }), await pair.log({ date: days[1] })].sort()
  const lock = (id?: string) => superuser.query('select from sessions where id = $1 for update', [id])
  await superuser.query(`begin; set local deadlock_timeout = '1min'`)
  await lock(ids[1])
  const confirmed = pair.practice.call('POST', '/api/v1/confirmations', {
    sessions: ids.map((id) => ({ id, version: 1 })),
  })
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and pid <> pg_backend_pid()`
  while ((await superuser.query(waits)).rowCount === 0) await soon()
  await lock(ids[0])
  await superuser.query('commit')
  assert.deepEqual((await confirmed).body, { confirmed: ids, changed: [] })
})
