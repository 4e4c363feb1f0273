// What a session that was sent back counts after its connection has ended, and deletions asked for before the
// lesson takes place.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { aPair, actionsOf, idOf, LESSON, read, waitingFor } from '#main/testing/two-sides.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const MONTH = LESSON.date.slice(0, 7)

/** What a month comes to on every screen and in the balance. */
async function totalsOf(caller: Caller) {
  const get = async (path: string) => (await caller.call('GET', `/api/v1/${path}`)).body
  const summary = await get(`summary?month=${MONTH}`)
  const balances = (await get(`balances?month=${MONTH}`)) as unknown as {
    accounts?: { balance: number }[]
  }
  return {
    sessions: summary.total_sessions,
    total: summary.total_amount,
    disputed: summary.disputed_amount,
    year: (await get('summary/year?year=2026')).total_amount,
    balances: JSON.stringify(balances).includes('67.5'),
  }
}

for (const [disputer, owner] of [
  ['practice', 'family'],
  ['family', 'practice'],
] as const)
  test(`a session that the ${disputer} sent back doesn't count after the end, until its owner counts it in one tap`, async () => {
    const pair = await aPair(server)
    const id = owner === 'family' ? await pair.log() : idOf(await pair.logByPractice())
    await pair[disputer].call('POST', `/api/v1/sessions/${id}/dispute`, { note: 'Nobody came' })
    await pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`)
    const out = { sessions: 0, total: 0, disputed: 67.5, year: 0, balances: false }
    for (const side of [owner, disputer]) {
      assert.deepEqual(await totalsOf(pair[side]), out, side)
      const { status, is_shared, dispute_note } = await read(pair[side], id)
      assert.deepEqual([status, is_shared, dispute_note], ['disputed', false, 'Nobody came'])
    }
    const stale = await pair[owner].call('POST', `/api/v1/sessions/${id}/confirm`, {}, { 'if-match': '"1"' })
    assert.equal(stale.status, 409)
    const counted = await pair[owner].call('POST', `/api/v1/sessions/${id}/confirm`, {})
    assert.equal(counted.status, 200, JSON.stringify(counted.body))
    const { status, own_confirmation, other_confirmation, verified_by_tutor } = counted.body
    assert.deepEqual(
      [status, own_confirmation, other_confirmation, verified_by_tutor],
      ['completed', 'confirmed', 'none', false],
    )
    assert.deepEqual(await totalsOf(pair[owner]), {
      sessions: 1,
      total: 67.5,
      disputed: 0,
      year: 67.5,
      balances: true,
    })
    assert.deepEqual(await totalsOf(pair[disputer]), out, 'the other copy stays as it is')
    assert.equal((await actionsOf(pair[owner], id)).at(-1), 'you confirmed')
    assert.equal((await verifyHistory(server.db)).broken, undefined)
    const own = await pair[owner].call('DELETE', `/api/v1/sessions/${id}/confirm`)
    assert.equal(own.body.code, 'not_shared')
  })

test("asking to delete a session in the future waits for the other side's answer", async () => {
  const date = new Date(server.clock.now.getTime() + 20 * 86_400_000).toISOString().slice(0, 10)
  const pair = await aPair(server)
  const id = await pair.log({ date })
  await pair.practice.call('PATCH', `/api/v1/sessions/${id}`, { duration: 2 })
  assert.deepEqual(await waitingFor(pair.family), [])
  assert.equal((await pair.practice.call('DELETE', `/api/v1/sessions/${id}`)).status, 202)
  assert.deepEqual(
    (await waitingFor(pair.family)).map((one) => [one.id, one.deletion_asked_by]),
    [[id, 'other']],
  )
  const today = server.clock.now.toISOString().slice(0, 10)
  const dashboard = (await pair.family.call('GET', `/api/v1/dashboard?today=${today}`)).body
  assert.equal(dashboard.sessions_waiting, 1)
  assert.equal((await pair.family.call('DELETE', `/api/v1/sessions/${id}`)).status, 204)
})
