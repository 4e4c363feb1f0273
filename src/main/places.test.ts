// The server starts under any user account, including root, and in a folder that other users can't access.
// PostgreSQL refuses to run as root.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '#platform/free-port.server.ts'
import { removeScratch } from './testing/scratch.server.ts'

interface Account {
  uid: number
  gid: number
}
interface Checkout {
  folder: string
  node: string
}

const isRoot = process.getuid?.() === 0
const own: Account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const ordinary = isRoot ? nobody() : own
const here: Checkout = { folder: process.cwd(), node: process.execPath }

test('an ordinary user starts it twice in a folder closed to everyone else, and the database runs as that user', async () => {
  const folder = closedFolder(ordinary)
  const theirs = canRead(ordinary) ? here : copyFor(ordinary)
  try {
    for (const time of ['first', 'second']) {
      const { cluster, databaseUser } = await startAndStop(folder, ordinary, theirs)
      assert.deepEqual(
        [cluster, databaseUser],
        [join(folder, 'data/postgres'), ordinary.uid],
        `the ${time} time`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    if (theirs !== here) rmSync(theirs.folder, { recursive: true, force: true })
  }
})

test('the user running the tests starts it twice in a closed folder; under root the database runs as another user and its location is logged', async () => {
  const folder = closedFolder(own)
  const places: string[] = []
  try {
    for (const time of ['first', 'second']) {
      const { cluster, databaseUser } = await startAndStop(folder, own)
      places.push(cluster)
      assert.equal(databaseUser === 0, false, `the ${time} time`)
      if (isRoot)
        assert.equal(
          readFileSync(join(folder, 'data/database-files-are-in.txt'), 'utf8').trim(),
          dirname(cluster),
        )
    }
    assert.equal(places[0], places[1], "the second start finds the first one's data")
    assert.equal(statSync(folder).mode & 0o777, 0o700, 'the folder stays closed')
  } finally {
    removeScratch(folder)
  }
})

test('F14: SIGTERM to npm itself stops what npm start began, all of it, before npm ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-npm-'))
  const port = String(await freePort())
  const npm = spawn('npm', ['start'], {
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      PORT: port,
      SPEECH_ENGINE: 'off',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = once(npm, 'exit')
  let cluster = join(folder, 'data/postgres')
  try {
    for (
      const end = Date.now() + 90_000;
      !output.includes('Tutorlog is ready');
      await new Promise((resolve) => setTimeout(resolve, 50))
    ) {
      assert.ok(npm.exitCode === null && Date.now() < end, output)
    }
    const elsewhere = join(folder, 'data/database-files-are-in.txt')
    if (existsSync(elsewhere)) cluster = join(readFileSync(elsewhere, 'utf8').trim(), 'postgres')
    assert.ok(existsSync(join(cluster, 'postmaster.pid')))
    npm.kill('SIGTERM')
    const isLeaving = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 503
    while (!(await isLeaving())) await new Promise((resolve) => setTimeout(resolve, 25))
    // With SIGINT, the server doesn't wait for proxies.
    npm.kill('SIGINT')
    await ended
    assert.ok(!existsSync(join(cluster, 'postmaster.pid')), 'the database is down')
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`))
  } finally {
    npm.kill('SIGKILL')
    removeScratch(folder)
  }
})

/**
 * Starts and stops the server under a user account. Returns the path of the database cluster and the user
 * that PostgreSQL ran as.
 */
async function startAndStop(
  folder: string,
  account: Account,
  checkout = here,
): Promise<{ cluster: string; databaseUser: number }> {
  const server = spawn(checkout.node, ['src/main/server.ts'], {
    ...(isRoot ? account : {}),
    cwd: checkout.folder,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'data'),
      PORT: String(await freePort()),
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = once(server, 'close')
  for (
    const end = Date.now() + 60_000;
    !output.includes('Tutorlog is ready');
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    assert.ok(server.exitCode === null && Date.now() < end, output)
  }
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
  const postmaster =
    children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')) ?? ''
  const cluster = /-D\0([^\0]+)/.exec(readFileSync(`/proc/${postmaster}/cmdline`, 'utf8'))?.[1] ?? ''
  const databaseUser = statSync(`/proc/${postmaster}`).uid
  server.kill('SIGINT')
  await ended
  assert.equal(server.exitCode, 0, output)
  assert.ok(!existsSync(join(cluster, 'postmaster.pid')))
  return { cluster, databaseUser }
}

function closedFolder(account: Account): string {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-closed-'))
  chmodSync(folder, 0o700)
  if (isRoot) chownSync(folder, account.uid, account.gid)
  return folder
}

function nobody(): Account {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * True if a user account can run this checkout. It can't if the checkout is in a folder that's closed to
 * other users, such as root's home.
 */
function canRead(account: Account): boolean {
  if (!isRoot) return true
  const { error, status } = spawnSync(here.node, ['-e', "require('node:fs').readFileSync('package.json')"], {
    ...account,
    cwd: here.folder,
    stdio: 'ignore',
  })
  return !error && status === 0
}

/** Copies the checkout to a folder that only the given user account can access. */
function copyFor(account: Account): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-checkout-'))
  execFileSync('cp', ['-a', 'package.json', 'db', 'src', 'node_modules', folder], { cwd: here.folder })
  execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])
  const node = join(folder, 'node_modules/.bin/node')
  return { folder, node: existsSync(node) ? node : here.node }
}
