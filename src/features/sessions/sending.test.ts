import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair } from '#main/testing/two-sides.server.ts'
import { newId } from '#kernel/id.ts'
import { type Ports, sendWaiting } from './sending.ts'
import { added, type Answer, due, tried, tryAgain, type WaitingSession } from './waiting.ts'

let server: TestServer
let parent: Caller
let child: string
let tutor: string
before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
  child = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  tutor = String((await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id)
})
after(async () => server.stop())

/** How an attempt can fail, on the network or on the device. */
type Fault =
  'none' | 'lost-before' | 'lost-after' | 'doubled' | 'late' | 'restart-before' | 'restart-after' | 'away'
const FAULTS: Fault[] = [
  'none',
  'lost-before',
  'lost-after',
  'doubled',
  'late',
  'restart-before',
  'restart-after',
  'away',
]
class Restart extends Error {}

let runs = 0
const aWaiting = (tag: string, at: number, more: object = {}): WaitingSession => ({
  id: `${tag}-${at}`,
  input: {
    student_id: child,
    tutor_id: tutor,
    date: '2026-11-20',
    duration: '1',
    notes: `${tag} ${at}`,
    ...more,
  },
  shown: { student: 'Maya', tutor: 'Ingrid', date: '2026-11-20', hours: 1, subject: null, amount: 45 },
  tries: 0,
  notBefore: 0,
})

/**
 * A simulated device with storage that survives restarts, a network that fails in the given ways, and a
 * clock.
 */
function aDevice(who: Caller, queue: WaitingSession[], faults: Fault[]) {
  const kept = new Map([[who.id, structuredClone(queue)]])
  const device = {
    now: 1_000_000,
    caller: who,
    late: [] as (() => Promise<unknown>)[],
    sends: 0,
    queue: () => kept.get(who.id) ?? [],
  }
  const post = (item: WaitingSession) =>
    device.caller.call(
      'POST',
      item.others ? '/api/v1/sessions/several' : '/api/v1/sessions',
      item.others ? { sessions: [item.input, ...item.others] } : item.input,
      { 'idempotency-key': item.id },
    )
  const ports: Ports = {
    read: async (userId) => structuredClone(kept.get(userId) ?? []),
    async change(userId, change) {
      const stored = kept.get(userId)
      if (stored) kept.set(userId, structuredClone(change(stored)))
    },
    async whoIsSignedIn() {
      const me = await device.caller.call('GET', '/api/v1/me')
      return me.status === 200 ? String(me.body.id) : null
    },
    async send(item): Promise<Answer> {
      device.sends += 1
      const fault = faults.shift() ?? 'none'
      if (fault === 'restart-before') throw new Restart()
      if (fault === 'lost-before') return { status: 0 }
      if (fault === 'away') return { status: 503 }
      if (fault === 'late') {
        device.late.push(() => post(item))
        return { status: 0 }
      }
      if (fault === 'doubled') await Promise.all([post(item), post(item)])
      const answer = await post(item)
      if (fault === 'lost-after') return { status: 0 }
      if (fault === 'restart-after') throw new Restart()
      return {
        status: answer.status,
        isHeld: answer.body.is_held === true,
        problem:
          answer.status >= 400
            ? { status: answer.status, code: answer.body.code ?? '', title: '' }
            : undefined,
      }
    },
    now: () => device.now,
  }
  return { device, ports }
}

async function notesOf(tag: string): Promise<string[]> {
  const rows = await server.db.asMember(parent.member, (tx) =>
    tx.selectFrom('sessions').select('notes').where('notes', 'like', `${tag} %`).execute(),
  )
  return rows.map((row) => row.notes ?? '').sort()
}

test(
  'D5, D13: 200 random schedules of lost, doubled, late and reordered requests and restarts lose nothing and double nothing',
  { timeout: 240_000 },
  async () => {
    let sends = 0
    const schedule = fc.record({
      faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 14 }),
      poisoned: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      tabs: fc.integer({ min: 1, max: 2 }),
      lateAfter: fc.integer({ min: 0, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(schedule, async ({ faults, poisoned, tabs, lateAfter }) => {
        const tag = `run${++runs}`
        const items = poisoned.map((isPoisoned, at) =>
          aWaiting(tag, at, isPoisoned ? { duration: '0.1' } : {}),
        )
        const { device, ports } = aDevice(parent, items, [...faults])
        for (let round = 0; due(device.queue(), Number.MAX_SAFE_INTEGER).length > 0; round++) {
          assert.ok(round < 60, 'the queue comes to an end')
          if (round === lateAfter) for (const arrive of device.late.splice(0).reverse()) await arrive()
          // The worst case is two tabs sending at the same time without a lock.
          await Promise.all(
            Array.from({ length: tabs }, () =>
              sendWaiting(parent.id, ports).catch((error: unknown) => {
                if (!(error instanceof Restart)) throw error
              }),
            ),
          )
          device.now += 600_000
        }
        for (const arrive of device.late.reverse()) await arrive()
        sends += device.sends
        assert.deepEqual(
          await notesOf(tag),
          items
            .filter((_, at) => !poisoned[at])
            .map((item) => item.input.notes)
            .sort(),
          'each good session once',
        )
        assert.deepEqual(
          device.queue().map((item) => item.id),
          items.filter((_, at) => poisoned[at]).map((item) => item.id),
          'each refused one kept',
        )
        for (const item of device.queue()) assert.equal(item.refusal?.status, 422)
      }),
      { numRuns: 200, endOnFailure: true },
    )
    assert.ok(sends > 600, `${sends} tries`)
  },
)

test('waiting sessions are stored in the order they were logged', async () => {
  const { ports } = aDevice(
    parent,
    [0, 1, 2].map((at) => aWaiting('order', at)),
    ['lost-after', 'none', 'lost-before'],
  )
  for (let round = 0; round < 4; round++) await sendWaiting(parent.id, ports)
  const rows = await server.db.asMember(parent.member, (tx) =>
    tx
      .selectFrom('sessions')
      .select('notes')
      .where('notes', 'like', 'order %')
      .orderBy('created_at')
      .execute(),
  )
  assert.deepEqual(
    rows.map((row) => row.notes),
    ['order 0', 'order 1', 'order 2'],
  )
})

test("another user never sends somebody's waiting sessions, and an ended login keeps them", async () => {
  const { device, ports } = aDevice(parent, [aWaiting('mine', 0)], [])
  for (const caller of [await server.aUser(), server.aStranger()]) {
    device.caller = caller
    assert.equal((await sendWaiting(parent.id, ports)).end, 'signed-out')
  }
  assert.deepEqual([device.sends, device.queue().length], [0, 1])
  device.caller = parent
  assert.equal((await sendWaiting(parent.id, ports)).stored.length, 1)
  assert.deepEqual([await notesOf('mine'), device.queue()], [['mine 0'], []])
})

test('a refused session is sent again by hand under the same key, and is then stored once', async () => {
  const gone = String((await parent.call('POST', '/api/v1/students', { name: 'Theo' })).body.id)
  await parent.call('DELETE', `/api/v1/students/${gone}`, {})
  const { device, ports } = aDevice(parent, [aWaiting('again', 0, { student_id: gone })], [])
  assert.equal((await sendWaiting(parent.id, ports)).refused, 1)
  assert.equal((await sendWaiting(parent.id, ports)).refused, 0, 'not by itself')
  assert.equal(device.queue()[0]?.refusal?.code, 'unknown_student')
  await ports.change(parent.id, (queue) => added(tryAgain(queue, 'again-0'), aWaiting('again', 1)))
  const round = await sendWaiting(parent.id, ports)
  assert.deepEqual([round.refused, round.stored.length, await notesOf('again')], [1, 1, ['again 1']])
})

test('a lesson that the other side has logged in the meantime is sent as late, listed as a pair, and counted as held', async () => {
  const pair = await aPair(server)
  await pair.log({ date: '2026-11-20' })
  const item = {
    ...aWaiting('late', 0),
    input: { student_id: pair.student, tutor_id: pair.self, date: '2026-11-20', duration: '2' },
  }
  for (const [faults, name] of [
    [[], 'at once'],
    [['lost-after'], 'after an answer that was lost'],
  ] as [Fault[], string][]) {
    const { device, ports } = aDevice(pair.practice, [{ ...item, id: newId() }], faults)
    let round = await sendWaiting(pair.practice.id, ports)
    if (round.end === 'all-wait') round = await sendWaiting(pair.practice.id, ports)
    assert.deepEqual([round.stored.length, round.refused, device.queue()], [1, 0, []], name)
    assert.equal(
      round.held,
      name === 'at once' ? 1 : 0,
      'one waits beside it, and the next is one more lesson',
    )
  }
})

test('a class logged as scheduled that is in the log already leaves the queue; a typed one stays and says so', async () => {
  const schedule = await parent.call('POST', '/api/v1/schedules', {
    student_id: child,
    tutor_id: tutor,
    day_of_week: 2,
    start_time: '16:00',
    duration: 1,
    start_date: '2026-11-03',
  })
  const schedule_id = String(schedule.body.id)
  const logged = await parent.call('POST', `/api/v1/schedules/${schedule_id}/log`, { date: '2026-11-10' })
  assert.equal(logged.status, 201)
  const ofClass = { date: '2026-11-10', schedule_id, occurrence_date: '2026-11-10', is_late: true }
  const asScheduled = { ...aWaiting('class', 1, ofClass), isAsScheduled: true }
  const { device, ports } = aDevice(parent, [asScheduled, aWaiting('class', 2, ofClass)], [])
  const round = await sendWaiting(parent.id, ports)
  assert.deepEqual([round.stored.length, round.refused], [1, 1])
  assert.deepEqual(
    device.queue().map(({ id, refusal }) => [id, refusal?.code]),
    [['class-2', 'already_logged']],
  )
})

test('D5: a lesson of several children that waits is stored once and whole, or not at all', async () => {
  const other = String((await parent.call('POST', '/api/v1/students', { name: 'Theo' })).body.id)
  const several = (tag: string, at: number, more: object = {}): WaitingSession => {
    const item = aWaiting(tag, at)
    return { ...item, others: [{ ...item.input, student_id: other, ...more }] }
  }
  const { device, ports } = aDevice(
    parent,
    [several('siblings', 1), several('refused', 2, { duration: '0.1' })],
    ['lost-after', 'doubled'],
  )
  for (let round = 0; round < 3; round++) {
    device.now += 600_000
    await sendWaiting(parent.id, ports)
  }
  assert.deepEqual(await notesOf('siblings'), ['siblings 1', 'siblings 1'])
  assert.deepEqual(await notesOf('refused'), [])
  assert.deepEqual(
    device.queue().map(({ id, refusal }) => [id, refusal?.status]),
    [['refused-2', 422]],
  )
})

test('D18: a lesson of several children that the other side logged, too, waits as late for each child', async () => {
  const item = aWaiting('late', 1)
  const refusal = { status: 409, code: 'same_lesson', title: '' }
  const [again] = tried([{ ...item, others: [item.input], refusal }], item.id)
  assert.deepEqual(
    [again?.input.is_late, again?.others?.map((one) => one.is_late), again?.refusal],
    [true, [true], undefined],
  )
})
