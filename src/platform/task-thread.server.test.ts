import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { TaskRefused, TaskThread } from './task-thread.server.ts'

interface Task {
  /** Loops, exits, throws, or returns the thread's number, depending on the task. */
  what: 'forever' | 'exit' | 'throw' | 'answer'
}

// The module is inline because a separate file would have to ship with the product.
const MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { threadId } from 'node:worker_threads'
    import { serveTasks } from '${new URL('task-thread.server.ts', import.meta.url).href}'
    serveTasks(({ what }) => {
      if (what === 'forever') for (;;);
      if (what === 'exit') process.exit(1)
      if (what === 'throw') throw new TypeError('what the task threw')
      return threadId
    })
  `)}`,
)
const neverAborted = new AbortController().signal
const threads: TaskThread<Task>[] = []
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close()
})

function aThread(limits: Partial<ConstructorParameters<typeof TaskThread>[1]> = {}) {
  const thread = new TaskThread<Task>(MODULE, {
    deadlineMs: 300,
    mostWaiting: 4,
    mostWaitingPerAccount: 3,
    ...limits,
  })
  threads.push(thread)
  const done: string[] = []
  return {
    thread,
    /** The accounts, in the order their tasks finished. */
    done,
    run: (account: string, what: Task['what'] = 'answer', signal = neverAborted): Promise<unknown> =>
      thread
        .run<number>(account, { what }, signal)
        .finally(() => done.push(account))
        .catch((error: unknown) => (error instanceof TaskRefused ? error.reason : (error as Error).message)),
  }
}

test('I19: a task that takes forever is cut at its deadline, and a new thread does the next', async () => {
  const { run } = aThread()
  const first = await run('ann')
  const [cut, next, after] = await Promise.all([run('ann', 'forever'), run('ann'), run('bob')])
  assert.equal(cut, 'too_slow')
  assert.equal(typeof first, 'number')
  assert.equal(next, after, 'one new thread does both')
  assert.notEqual(next, first)
})

test('one thread runs every task, even after one that threw', async () => {
  const { run } = aThread()
  const [first, thrown, next] = [await run('ann'), await run('ann', 'throw'), await run('bob')]
  assert.deepEqual([typeof first, thrown, next], ['number', 'what the task threw', first])
})

test('a task that ends its thread fails alone', async () => {
  const { run } = aThread()
  assert.deepEqual(
    (await Promise.all([run('ann', 'exit'), run('ann'), run('bob')])).map((answer) => typeof answer),
    ['string', 'number', 'number'],
  )
  assert.equal(await run('ann', 'exit'), 'crashed')
})

test('if the module cannot be loaded, every task is refused instead of waiting forever', async () => {
  const thread = new TaskThread<Task>(new URL('data:text/javascript,import "node:nothing"'), {
    deadlineMs: 300,
    mostWaiting: 4,
    mostWaitingPerAccount: 3,
  })
  threads.push(thread)
  for (const account of ['ann', 'bob'])
    await assert.rejects(thread.run(account, { what: 'answer' }, neverAborted), { reason: 'crashed' })
})

test('accounts take turns, and nobody can fill the queue alone', async () => {
  const { run, done } = aThread()
  const answers = [run('ann'), run('ann'), run('ann'), run('ann'), run('bob'), run('cho')]
  // Ann's first three tasks wait while the thread starts. Her fourth exceeds her limit, and after Bob's task
  // the queue is full.
  assert.deepEqual(
    (await Promise.all(answers)).map((answer) => (typeof answer === 'number' ? 'done' : answer)),
    ['done', 'done', 'done', 'busy', 'done', 'busy'],
  )
  assert.deepEqual(done.slice(2), ['ann', 'bob', 'ann', 'ann'])
})

test('a task that nobody is waiting for anymore is not run', async () => {
  const { run, done } = aThread()
  await run('ann')
  const gone = new AbortController()
  const [forever, left, next] = [run('ann', 'forever'), run('ann', 'forever', gone.signal), run('bob')]
  gone.abort(new Error('the caller has gone'))
  assert.deepEqual(
    [await left, await forever, typeof (await next)],
    ['the caller has gone', 'too_slow', 'number'],
  )
  assert.equal(done.length, 4)
})

test('closing refuses waiting and new tasks', async () => {
  const { thread, run } = aThread()
  await run('ann')
  const answers = [run('ann', 'forever'), run('ann')]
  await thread.close()
  assert.deepEqual(await Promise.all([...answers, run('bob')]), ['busy', 'busy', 'busy'])
})

test('of heavy threads one runs a task at a time, in turns, and one that is cut, crashes or is closed makes room', async () => {
  const [printer, packer] = [aThread({ isHeavy: true }), aThread({ isHeavy: true })]
  const order: string[] = []
  const note = (name: string, answer: Promise<unknown>) => answer.then(() => order.push(name))
  // Waits until both threads have loaded their modules.
  await Promise.all([printer.run('ann'), packer.run('ann')])
  await Promise.all([
    note('printed', printer.run('ann')),
    note('printed until cut', printer.run('ann', 'forever')),
    note('packed', packer.run('ann')),
    note('packed again', packer.run('ann')),
  ])
  assert.deepEqual(order, ['printed', 'packed', 'printed until cut', 'packed again'])
  // By then, the thread that was stopped has been replaced.
  await printer.run('ann')
  await Promise.all([
    note('crashed', printer.run('ann', 'exit')),
    note('packed', packer.run('ann')),
    note('printed', printer.run('ann')),
  ])
  assert.deepEqual(order.splice(0).slice(4), ['crashed', 'packed', 'printed'])
  const slow = aThread({ isHeavy: true, deadlineMs: 600_000 })
  await slow.run('ann')
  const running = slow.run('ann', 'forever')
  const waiting = note('packed once more', packer.run('ann'))
  // A thread that isn't heavy doesn't wait for the heavy ones.
  assert.equal(typeof (await aThread().run('ann')), 'number')
  assert.deepEqual(order, [])
  await slow.thread.close()
  await waiting
  assert.equal(await running, 'busy')
})
