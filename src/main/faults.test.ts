// Failure tests for a server started the way an operator would start it. Processes get killed and the
// database goes away; the server has to recover on its own.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readBackup } from '#platform/db/backup.server.ts'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { runningDatabaseUrl, startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { isAlive } from '#platform/db/lock.server.ts'
import { knownMigrations, migrate } from '#platform/db/migrate.server.ts'
import { freePort } from '#platform/free-port.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { copyCluster } from './testing/cluster.server.ts'
import { PASSWORD, removeScratch, scratchFolder, withTestRoles } from './testing.server.ts'

interface Running {
  process: ChildProcess
  /** Everything the server has printed so far. */
  output(): string
  /** The exit code, available once the process has exited. */
  ended: Promise<number | null>
}

/**
 * How many times to kill the server under load. For a longer run: `KILLS=30 node --test
 * src/main/faults.test.ts`.
 */
const KILLS = Number(process.env.KILLS ?? 3)
const folder = scratchFolder()
const dataDir = join(folder, 'data')
let port: string
let base: string
let server: Running
const started: Running[] = []
let cookie: string
let family: { student_id: string; tutor_id: string }

before(async () => {
  port = String(await freePort())
  base = `http://127.0.0.1:${port}`
  await copyCluster(dataDir)
  server = await startServer()
  await signUp()
})
after(async () => {
  for (const each of started) each.process.kill('SIGTERM')
  await Promise.all(started.map((each) => each.ended))
  removeScratch(folder)
})

test('F16: health checks open no database connection, and a server on the same data folder refuses in one line (F4)', async () => {
  const before = await connections()
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const statuses: number[] = []
      for (let times = 0; times < 25; times++) statuses.push((await fetch(`${base}/healthz`)).status)
      return statuses
    }),
  )
  assert.deepEqual([...new Set(answers.flat())], [200])
  assert.deepEqual(await connections(), before)

  const second = spawnServer({ PORT: String(await freePort()) })
  await refusedToStart(second)
  assert.match(
    second.output(),
    new RegExp(
      `^Another Tutorlog server \\(process ${server.process.pid}\\) is already using the data folder [^\\n]+\\n$`,
    ),
  )
  assert.equal((await fetch(`${base}/readyz`)).status, 200)
})

test('F1: a server killed under load loses no saved session, and its orphaned database is taken over', async () => {
  const orphan = postmaster()
  // An email that was being sent. Its job is locked by the worker that's about to be killed.
  await asSuperuser(`begin; insert into outbox (recipient, kind) values ('half-sent@example.com', 'already_registered');
    update graphile_worker._private_jobs set locked_by = 'worker-of-the-killed', locked_at = now(); commit`)
  const load = startLoad()
  for (let kills = 0; kills < KILLS; kills++) {
    await load.saved(kills === 0 ? 40 : 10)
    server.process.kill('SIGKILL')
    await server.ended
    if (kills === 0) assert.ok(isAlive(orphan), 'the database outlives its server for a moment')
    server = await startServer()
  }
  await load.saved(20)
  await load.stop()
  assert.ok(!isAlive(orphan))
  assert.match(server.output(), /stopping the database of a server that was killed/)
  await assertAllSaved(load)
  await until(async () => (await mailsTo('half-sent@example.com')).length === 1)
})

test('F2: a killed connection of the database, and a killed database, cost no saved session; the app recovers by itself', async () => {
  const load = startLoad()
  await load.saved(20)
  const [backend] = await asSuperuser(
    withTestRoles(
      "select pid from pg_stat_activity where application_name = 'tutorlog' and usename = 'tutorlog_server'",
    ),
  )
  process.kill(Number(backend?.pid), 'SIGKILL')
  await load.saved(20)
  const first = postmaster()
  process.kill(first, 'SIGKILL')
  await load.saved(20)
  await load.stop()
  assert.notEqual(postmaster(), first)
  assert.ok(isAlive(server.process.pid ?? 0))
  await assertAllSaved(load)
})

test('F2, F16: while the database cannot run, calls get 503 with Retry-After, readyz says so, healthz and pages stay; then all is back', async () => {
  const { data } = clusterPlace(dataDir)
  process.kill(postmaster(), 'SIGKILL')
  renameSync(data, `${data}.away`)
  try {
    await until(async () => (await fetch(`${base}/readyz`)).status === 503)
    const answer = await call('GET', '/api/v1/sessions')
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), Number(answer.headers.get('retry-after')) > 0],
      [503, 'application/problem+json; charset=utf-8', true],
    )
    assert.equal(((await answer.json()) as { code: string }).code, 'unavailable')
    assert.equal((await call('POST', '/api/v1/sessions', lesson())).status, 503)
    assert.equal((await fetch(`${base}/healthz`)).status, 200)
  } finally {
    renameSync(`${data}.away`, data)
  }
  await until(async () => (await fetch(`${base}/readyz`)).status === 200)
  assert.equal((await call('POST', '/api/v1/sessions', lesson())).status, 201)
  // Jobs send the emails, so receiving one also shows that the job runner is back.
  const email = 'after-the-fault@example.com'
  await call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'parent' })
  await until(async () => (await mailsTo(email)).length === 1)
})

test('F10: while every connection is taken, callers get 503 with Retry-After, healthz answers, and afterwards all is served', async () => {
  const client = await aSuperuser()
  await client.query('begin; lock table students in access exclusive mode')
  const calls = Array.from({ length: 24 }, async () => call('GET', '/api/v1/students'))
  const statuses = calls.map(async (answer) => (await answer).status)
  const first = await Promise.race(calls)
  assert.deepEqual([first.status, Number(first.headers.get('retry-after')) > 0], [503, true])
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
  await client.query('commit')
  await client.end()
  assert.deepEqual(
    [...new Set(await Promise.all(statuses))].sort(),
    [200, 503],
    'those that had a connection are answered',
  )
  assert.equal((await call('GET', '/api/v1/students')).status, 200)
})

test('F13: jobs that throw are retried and then parked; the process keeps running and other emails are sent', async () => {
  const payloads = ['null', '[]', '"x"', '{"id": "no-id"}', `{"id": "${crypto.randomUUID()}"}`]
  for (const payload of payloads)
    await asSuperuser(`select graphile_worker.add_job('send_mail', '${payload}', max_attempts := 25)`)
  await asSuperuser("insert into outbox (recipient, kind) values ('nobody@example.com', 'no_such_mail')")
  const failing = () =>
    asSuperuser(
      'select attempts, max_attempts, last_error, run_at > now() as is_later from graphile_worker.jobs where last_error is not null and locked_at is null',
    )
  await until(async () => (await failing()).length === 5)
  assert.ok(
    (await failing()).every((job) => job.is_later === true),
    'each is tried again later',
  )
  await asSuperuser('update graphile_worker._private_jobs set attempts = 24, run_at = now()')
  await until(async () => (await failing()).filter((job) => job.attempts === job.max_attempts).length === 5)
  const [mail] = await asSuperuser("select attempts, last_error from outbox where kind = 'no_such_mail'")
  assert.deepEqual([mail?.attempts, mail?.last_error], [2, 'no template for mails of kind no_such_mail'])
  await call('POST', '/api/auth/sign-up', {
    email: 'healthy@example.com',
    password: PASSWORD,
    role: 'parent',
  })
  await until(async () => (await mailsTo('healthy@example.com')).length === 1)
  assert.equal(server.process.exitCode, null)
})

test('F14: a request that runs when the server is told to stop is answered', async () => {
  const client = await aSuperuser()
  await client.query('begin; lock table sessions in access exclusive mode')
  const running = call('POST', '/api/v1/sessions', lesson())
  await until(
    async () =>
      Number(
        (
          await client.query(
            "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'",
          )
        ).rows[0].count,
      ) > 0,
  )
  server.process.kill('SIGINT')
  await until(async () =>
    fetch(`${base}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  await client.query('commit')
  await client.end()
  assert.equal((await running).status, 201)
  assert.equal(await server.ended, 0)
  server = await startServer()
})

test('F14: told to stop by SIGTERM, the server tells proxies by readyz and goes on serving; SIGINT ends it at once', async () => {
  server.process.kill('SIGTERM')
  await until(async () => (await fetch(`${base}/readyz`)).status === 503)
  assert.deepEqual(await (await fetch(`${base}/readyz`)).json(), { status: 'stopping' })
  assert.equal((await call('POST', '/api/v1/sessions', lesson())).status, 201)
  // A second signal doesn't shorten the shutdown delay.
  server.process.kill('SIGTERM')
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
  // When the server runs in a terminal, it doesn't wait for proxies to notice.
  server.process.kill('SIGINT')
  assert.equal(await server.ended, 0)
  server = await startServer()
})

test('F14: told to stop under load, the server answers what runs, ends by itself, and leaves nothing running', async () => {
  const load = startLoad()
  await load.saved(20)
  const database = postmaster()
  const told = Date.now()
  server.process.kill('SIGINT')
  assert.equal(await server.ended, 0)
  assert.ok(Date.now() - told < 10_000, 'the promise is ten seconds')
  assert.ok(!isAlive(database))
  assert.deepEqual(
    [
      existsSync(join(dataDir, 'server.lock')),
      existsSync(join(clusterPlace(dataDir).data, 'postmaster.pid')),
    ],
    [false, false],
  )
  assert.deepEqual(load.cutOff(), [], 'no answer broke off in its middle')
  server = await startServer()
  await load.stop()
  await assertAllSaved(load)
})

test('F14: stopped while it starts, a server leaves no database behind', async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  const starting = spawnServer({ DATA_DIR: other, PORT: String(await freePort()) })
  const pidFile = join(clusterPlace(other).data, 'postmaster.pid')
  await until(async () => existsSync(pidFile))
  const database = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  // No proxy uses this server yet, so the server exits without waiting.
  starting.process.kill('SIGTERM')
  await starting.ended
  await until(async () => !isAlive(database))
})

test('F3: a database that may lose saved sessions in a crash is refused in one line', async () => {
  const place = join(folder, 'unsafe')
  await copyCluster(place)
  const unsafe = await startEmbeddedDatabase({ dataDir: place, log: () => undefined })
  const superuserUrl = unsafe.superuserUrl
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await migrate(superuserUrl)
    await client.query(withTestRoles('alter role tutorlog_server set synchronous_commit = off'))
    await assert.rejects(migrate(superuserUrl), /^Error: PostgreSQL is running with synchronous_commit = off/)
    await client.query(withTestRoles('alter role tutorlog_server reset synchronous_commit'))
  } finally {
    await client.end()
    await unsafe.stop()
  }
  // The embedded database always has these settings on, so start an external one.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const foreign = await startForeign(place, superuserUrl, setting)
    const refused = spawnServer({ DATABASE_URL: foreign.url, DATA_DIR: join(folder, 'elsewhere') })
    await refusedToStart(refused)
    assert.equal(
      refused.output(),
      `PostgreSQL is running with ${setting} = off: a crash would lose saved sessions. Turn it on.\n`,
    )
    await foreign.stop()
  }
})

test('F15: the first start of a newer version backs the embedded database up before it changes it, and an older one refuses to start after', async () => {
  const place = join(folder, 'upgraded')
  mkdirSync(place)
  const logged: string[] = []
  const log = (event: string) => logged.push(event)
  const earlier = await startEmbeddedDatabase({ dataDir: place, log })
  const known = await knownMigrations()
  await migrate(earlier.superuserUrl, { only: known.slice(0, -1), log })
  const last = ['creating the database', `migrating the tables, ${known.length - 1} steps`]
  assert.deepEqual(logged.slice(-2), last, 'the first start tells what takes long')
  await earlier.stop()
  const settings = { DATA_DIR: place, PORT: String(await freePort()), BASE_URL: 'https://tutorlog.example' }
  const newer = spawnServer(settings)
  await until(async () => newer.output().includes('Tutorlog is ready') || newer.process.exitCode !== null)
  newer.process.kill('SIGINT')
  assert.equal(await newer.ended, 0, newer.output())
  assert.match(newer.output(), new RegExp(`^Emails go to http://localhost:${settings.PORT}/mailbox$`, 'm'))
  const kept = () => readdirSync(join(place, 'backups')).filter((name) => !name.endsWith('.json'))
  const backups = kept()
  assert.equal(backups.length, 1)
  const backup = await readBackup(join(place, 'backups', backups[0] ?? ''))
  assert.deepEqual(backup.migrations, known.slice(0, -1))

  const later = await startEmbeddedDatabase({ dataDir: place, log: () => undefined })
  const client = new pg.Client({ connectionString: later.superuserUrl })
  await client.connect()
  await client.query("insert into schema_migrations (name) values ('9999-of-a-later-version.sql')")
  await client.end()
  await later.stop()
  const older = spawnServer(settings)
  await refusedToStart(older)
  assert.equal(
    // The log lines before this message say where the database's files are.
    older.output().replaceAll(/^\{.*\}\n/gm, ''),
    'The database belongs to a newer version of Tutorlog (it has 9999-of-a-later-version.sql). Start that ' +
      'version, or restore a backup from before the upgrade.\n',
  )
  assert.equal(kept().length, 1)
})

// Helpers.

function spawnServer(settings: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const running = {
    process: child,
    output: () => output,
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
  }
  started.push(running)
  return running
}

/** Waits for a server to exit with code 1 instead of starting. Fails right away if the server starts. */
async function refusedToStart(refused: Running): Promise<void> {
  await until(async () => refused.process.exitCode !== null || refused.output().includes('Tutorlog is ready'))
  assert.doesNotMatch(refused.output(), /Tutorlog is ready/)
  assert.equal(await refused.ended, 1)
}

async function startServer(): Promise<Running> {
  const starting = spawnServer()
  await until(async () => {
    assert.equal(starting.process.exitCode, null, starting.output())
    return starting.output().includes('Tutorlog is ready')
  })
  return starting
}

/** An external PostgreSQL with one setting turned off. */
async function startForeign(
  place: string,
  ownUrl: string,
  setting: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { programs, data, user } = clusterPlace(place)
  const url = new URL(ownUrl)
  url.port = String(await freePort())
  const child = spawn(
    join(programs, 'postgres'),
    [
      '-D',
      data,
      '-p',
      url.port,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      `${setting}=off`,
    ],
    { ...user, cwd: '/', stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until(async () => {
    const client = new pg.Client({ connectionString: url.href })
    return client
      .connect()
      .then(() => client.end())
      .then(
        () => true,
        () => false,
      )
  })
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}

function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(base + path, {
    method,
    headers: {
      origin: base,
      cookie: cookie ?? '',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body ? JSON.stringify(body) : undefined,
    redirect: 'manual',
  })
}

async function mailsTo(email: string): Promise<{ text: string }[]> {
  return (await fetch(`${base}/mailbox/messages?to=${email}`)).json() as Promise<{ text: string }[]>
}

async function signUp(): Promise<void> {
  const email = 'parent@example.com'
  await call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'parent' })
  await until(async () => (await mailsTo(email)).length > 0)
  const token = /#token=(\S+)/.exec((await mailsTo(email))[0]?.text ?? '')?.[1]
  const verified = await call('POST', '/api/auth/verify', { token, password: PASSWORD })
  cookie = verified.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const idOf = async (answer: Response) => String(((await answer.json()) as { id: unknown }).id)
  family = {
    student_id: await idOf(await call('POST', '/api/v1/students', { name: 'Maya' })),
    tutor_id: await idOf(await call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })),
  }
}

const lesson = (notes = '') => ({ ...family, date: '2026-11-02', duration: 1, notes })

interface Load {
  /** Waits until this many more sessions have been saved. */
  saved(count: number): Promise<void>
  /** Stops sending sessions, and waits for the requests in progress to finish. */
  stop(): Promise<void>
  /** The id of each saved session by its Idempotency-Key. */
  ids: Map<string, string>
  /** Requests whose response was cut off. */
  cutOff(): string[]
}

/** Four people each log sessions back to back, retrying with the same key until the session is saved. */
function startLoad(): Load {
  let isOn = true
  const ids = new Map<string, string>()
  const broken: string[] = []
  const loops = Array.from({ length: 4 }, async () => {
    while (isOn) {
      const key = crypto.randomUUID()
      while (!ids.has(key)) {
        const answer = await call('POST', '/api/v1/sessions', lesson(key), { 'idempotency-key': key }).catch(
          () => undefined,
        )
        if (answer?.status === 201) {
          const body = await (answer.json() as Promise<{ id: string }>).catch(() => undefined)
          if (body) ids.set(key, body.id)
          else broken.push(key)
        } else {
          if (answer) assert.deepEqual([key, answer.status], [key, 503], await answer.text())
          await pause(25)
        }
      }
    }
  })
  const all = Promise.all(loops)
  // If one of the loops fails, the next wait rejects with the same error.
  let failure: unknown
  all.catch((error: unknown) => {
    failure = error
  })
  return {
    ids,
    cutOff: () => broken,
    async saved(count) {
      const goal = ids.size + count
      await until(async () => {
        if (failure) throw failure
        return ids.size >= goal
      })
    },
    async stop() {
      isOn = false
      await all
    },
  }
}

/** Checks that every saved session exists exactly once, no matter how many times it was sent. */
async function assertAllSaved(load: Load): Promise<void> {
  const stored = new Map<string, unknown[]>()
  for (const { id, notes } of await asSuperuser('select session_id as id, text as notes from session_notes'))
    stored.set(String(notes), [...(stored.get(String(notes)) ?? []), id])
  const wrong = [...load.ids].filter(([key, id]) => String(stored.get(key)) !== id)
  assert.deepEqual(wrong, [])
  assert.ok(load.ids.size > 0)
}

function postmaster(): number {
  return Number(readFileSync(join(clusterPlace(dataDir).data, 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function aSuperuser(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await runningDatabaseUrl(dataDir) })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function asSuperuser(text: string): Promise<Record<string, unknown>[]> {
  const client = await aSuperuser()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function connections(): Promise<string[]> {
  return (
    await asSuperuser("select pid from pg_stat_activity where application_name = 'tutorlog' order by pid")
  ).map((row) => String(row.pid))
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 40_000; !(await isSo()); await pause(25))
    assert.ok(Date.now() < end, 'it did not come to that')
}
