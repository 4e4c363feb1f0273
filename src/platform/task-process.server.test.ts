import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, mock, test } from 'node:test'
import { pause } from './timeout.server.ts'
import { TaskRefused, TaskProcess } from './task-process.server.ts'

interface Task {
  /**
   * Loops, exits, throws, or returns the process's id, its threads' priorities or how many milliseconds it
   * waits for a database, depending on the task. `stay` also leaves a timer running.
   */
  what: 'forever' | 'exit' | 'throw' | 'answer' | 'stay' | 'priorities' | 'patience'
}

// The module is inline because a separate file would have to ship with the product.
const MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { readdirSync, readFileSync } from 'node:fs'
    import { serveTasks } from '${new URL('task-process.server.ts', import.meta.url).href}'
    import { openPool } from '${new URL('db/connection.server.ts', import.meta.url).href}'
    serveTasks(({ what }) => {
      if (what === 'forever') for (;;);
      if (what === 'exit') process.exit(1)
      if (what === 'stay') setInterval(() => undefined, 1000)
      if (what === 'throw') throw new TypeError('what the task threw')
      // Fields 19 and 41 of proc_pid_stat(5): the nice value and the policy, of which 5 is SCHED_IDLE.
      if (what === 'priorities')
        return readdirSync('/proc/self/task').map((id) => {
          const fields = readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ').at(-1).split(' ')
          return fields[16] + ' ' + fields[38]
        })
      if (what === 'patience') return openPool('postgres://localhost', {}).options.connectionTimeoutMillis
      return process.pid
    })
  `)}`,
)
/** A server with a process that has something to wait for. Prints the process's id. */
const SERVER = `
  import { TaskProcess } from '${new URL('task-process.server.ts', import.meta.url).href}'
  const own = new TaskProcess(new URL(${JSON.stringify(MODULE.href)}), { deadlineMs: 300, mostWaiting: 1, mostWaitingPerAccount: 1 })
  console.log(await own.run('ann', { what: 'stay' }, new AbortController().signal))
  setInterval(() => undefined, 1000)
`
const neverAborted = new AbortController().signal
const processes: TaskProcess<Task>[] = []
afterEach(async () => {
  for (const own of processes.splice(0)) await own.close()
})

/** Waits until a process has ended, even if nobody has asked for its exit code yet. */
async function untilGone(pid: number): Promise<void> {
  const file = `/proc/${pid}/cmdline`
  while (existsSync(file) && readFileSync(file, 'utf8') !== '') await pause(10)
}

function aProcess(limits: Partial<ConstructorParameters<typeof TaskProcess>[1]> = {}) {
  const own = new TaskProcess<Task>(MODULE, {
    deadlineMs: 300,
    mostWaiting: 4,
    mostWaitingPerAccount: 3,
    ...limits,
  })
  processes.push(own)
  const done: string[] = []
  return {
    own,
    /** The accounts, in the order their tasks finished. */
    done,
    run: (account: string, what: Task['what'] = 'answer', signal = neverAborted): Promise<unknown> =>
      own
        .run<number>(account, { what }, signal)
        .finally(() => done.push(account))
        .catch((error: unknown) => (error instanceof TaskRefused ? error.reason : (error as Error).message)),
  }
}

test('I19: a task that takes forever is cut at its deadline, and a new process does the next', async () => {
  const { run } = aProcess()
  const first = await run('ann')
  const [cut, next, after] = await Promise.all([run('ann', 'forever'), run('ann'), run('bob')])
  assert.equal(cut, 'too_slow')
  assert.equal(typeof first, 'number')
  assert.equal(next, after, 'one new process does both')
  assert.notEqual(next, first)
})

test('one process runs every task, even after one that threw', async () => {
  const { run } = aProcess()
  const [first, thrown, next] = [await run('ann'), await run('ann', 'throw'), await run('bob')]
  assert.deepEqual([typeof first, thrown, next], ['number', 'what the task threw', first])
})

test('a task that ends its process fails alone', async () => {
  const { run } = aProcess()
  assert.deepEqual(
    (await Promise.all([run('ann', 'exit'), run('ann'), run('bob')])).map((answer) => typeof answer),
    ['string', 'number', 'number'],
  )
  assert.equal(await run('ann', 'exit'), 'crashed')
})

test('if the module cannot be loaded, every task is refused instead of waiting forever', async () => {
  const own = new TaskProcess<Task>(new URL('data:text/javascript,import "node:nothing"'), {
    deadlineMs: 300,
    mostWaiting: 4,
    mostWaitingPerAccount: 3,
  })
  processes.push(own)
  for (const account of ['ann', 'bob'])
    await assert.rejects(own.run(account, { what: 'answer' }, neverAborted), { reason: 'crashed' })
})

test('I19: a process runs at low priority, and a heavy one only in time that nobody else wants', async () => {
  const [light, heavy] = [aProcess(), aProcess({ isHeavy: true })]
  assert.deepEqual(new Set((await light.run('ann', 'priorities')) as string[]), new Set(['10 0']))
  assert.deepEqual(new Set((await heavy.run('ann', 'priorities')) as string[]), new Set(['10 5']))
})

test('a process that may be kept waiting for the processor waits longer for the database', async () => {
  assert.equal(await aProcess().run('ann', 'patience'), 4000)
  assert.equal(await aProcess({ isHeavy: true }).run('ann', 'patience'), 60_000)
})

test('a process that nobody uses ends, and the next task starts another', async () => {
  const { run } = aProcess()
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const first = (await run('ann')) as number
    mock.timers.tick(600_000)
    mock.timers.reset()
    await untilGone(first)
    assert.notEqual(await run('ann'), first)
  } finally {
    mock.timers.reset()
  }
})

test('a process ends with its server, however that ends', async () => {
  const server = spawn(process.execPath, ['--input-type=module', '--eval', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = (await once(server.stdout, 'data')) as [Buffer]
  assert.ok(existsSync(`/proc/${Number(pid)}`))
  server.kill('SIGKILL')
  await untilGone(Number(pid))
})

test('accounts take turns, and nobody can fill the queue alone', async () => {
  const { run, done } = aProcess()
  const answers = [run('ann'), run('ann'), run('ann'), run('ann'), run('bob'), run('cho')]
  // Ann's first three tasks wait while the process starts. Her fourth exceeds her limit, and after Bob's task
  // the queue is full.
  assert.deepEqual(
    (await Promise.all(answers)).map((answer) => (typeof answer === 'number' ? 'done' : answer)),
    ['done', 'done', 'done', 'busy', 'done', 'busy'],
  )
  assert.deepEqual(done.slice(2), ['ann', 'bob', 'ann', 'ann'])
})

test('a task that nobody is waiting for anymore is not run', async () => {
  const { run, done } = aProcess()
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
  const { own, run } = aProcess()
  await run('ann')
  const answers = [run('ann', 'forever'), run('ann')]
  await own.close()
  assert.deepEqual(await Promise.all([...answers, run('bob')]), ['busy', 'busy', 'busy'])
})

test('of heavy processes one runs a task at a time, in turns, and one that is cut, crashes or is closed makes room', async () => {
  const [printer, packer] = [aProcess({ isHeavy: true }), aProcess({ isHeavy: true })]
  const order: string[] = []
  const note = (name: string, answer: Promise<unknown>) => answer.then(() => order.push(name))
  // Waits until both processes have loaded their modules.
  await Promise.all([printer.run('ann'), packer.run('ann')])
  await Promise.all([
    note('printed', printer.run('ann')),
    note('printed until cut', printer.run('ann', 'forever')),
    note('packed', packer.run('ann')),
    note('packed again', packer.run('ann')),
  ])
  assert.deepEqual(order, ['printed', 'packed', 'printed until cut', 'packed again'])
  // By then, the process that was stopped has been replaced.
  await printer.run('ann')
  await Promise.all([
    note('crashed', printer.run('ann', 'exit')),
    note('packed', packer.run('ann')),
    note('printed', printer.run('ann')),
  ])
  assert.deepEqual(order.splice(0).slice(4), ['crashed', 'packed', 'printed'])
  const slow = aProcess({ isHeavy: true, deadlineMs: 600_000 })
  await slow.run('ann')
  const running = slow.run('ann', 'forever')
  const waiting = note('packed once more', packer.run('ann'))
  // A process that isn't heavy doesn't wait for the heavy ones.
  assert.equal(typeof (await aProcess().run('ann')), 'number')
  assert.deepEqual(order, [])
  await slow.own.close()
  await waiting
  assert.equal(await running, 'busy')
})
