import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Limiter } from './limiter.server.ts'

const neverAborted = new AbortController().signal

test('one task runs per lane, one waits per place, and the rest are refused right away', async () => {
  const limiter = new Limiter(2, 2)
  let open = () => undefined as void
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await gate
    running -= 1
    return 'done'
  }
  const all = Array.from({ length: 20 }, () => limiter.run(neverAborted, work))
  setImmediate(open)
  const done = await Promise.all(all)
  assert.equal(most, 2)
  assert.equal(done.filter((result) => result?.value === 'done').length, 4)
  assert.equal(done.filter((result) => result === undefined).length, 16)
  assert.deepEqual(await limiter.run(neverAborted, async () => 'again'), { value: 'again' })
})

test('a caller who gives up leaves the queue, and work that throws frees its lane', async () => {
  const limiter = new Limiter(1, 1)
  let end = () => undefined as void
  const first = limiter.run(
    neverAborted,
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const leaving = new AbortController()
  const second = limiter.run(leaving.signal, async () => 'never')
  leaving.abort(new Error('gone'))
  await assert.rejects(second, /gone/)
  const third = limiter.run(neverAborted, async () => {
    throw new Error('broken')
  })
  end()
  await first
  await assert.rejects(third, /broken/)
  assert.deepEqual(await limiter.run(neverAborted, async () => 'free'), { value: 'free' })
})
