// Tests a data folder that's already in use, and a full disk.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { startFailure } from '#platform/data-folder.server.ts'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { lockFolder } from '#platform/db/lock.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { watchReadiness } from '#platform/http/readiness.server.ts'
import { removeScratch, scratchFolder, startTestServer } from './testing.server.ts'
import { whyNoSmallDisk } from './testing/small-disk.server.ts'

const folder = scratchFolder()

test('F4: of many servers that want one data folder at the same moment one gets it, also where a dead one left its lock', async () => {
  for (const left of ['nobody', 'a dead process', 'an earlier process of a number that is in use']) {
    const place = join(folder, left.replaceAll(' ', '-'))
    mkdirSync(place)
    if (left === 'a dead process') writeFileSync(join(place, 'server.lock'), '999999999 1')
    if (left.startsWith('an earlier')) writeFileSync(join(place, 'server.lock'), `${process.pid} 1`)
    // Each process that gets the lock holds on to it until all the others have tried.
    const program = `import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { lockFolder } from '#platform/db/lock.server.ts'
      const wait = setInterval(() => {}, 1000)
      process.stdin.once('data', () => { try { lockFolder(process.argv[1]); console.log('held') } catch (error) { console.log(error.message) } })
      process.stdin.once('end', () => clearInterval(wait))
      console.log('ready')`
    const servers = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, place], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const said: string[] = []
      child.stdout.on('data', (chunk: Buffer) => said.push(...chunk.toString().trim().split('\n')))
      return { child, said, ended: new Promise((resolve) => child.once('exit', resolve)) }
    })
    const allSaid = async (lines: number) => {
      for (let tries = 0; servers.some(({ said }) => said.length < lines); tries++) {
        assert.ok(tries < 1000, 'a server said nothing')
        await pause(10)
      }
    }
    try {
      await allSaid(1)
      for (const { child } of servers) child.stdin.write('now')
      await allSaid(2)
      const answers = servers.map(({ said }) => said[1] ?? '')
      assert.equal(answers.filter((answer) => answer === 'held').length, 1, `${left}: ${answers.join()}`)
      assert.equal(
        answers.filter((answer) => answer.startsWith('Another Tutorlog server')).length,
        5,
        `${left}: ${answers.join()}`,
      )
    } finally {
      for (const { child } of servers) child.stdin.end()
      await Promise.all(servers.map(({ ended }) => ended))
    }
    // The process with the lock exited without releasing it, so the next process gets the lock.
    lockFolder(place)()
    assert.deepEqual(readdirSync(place), [])
  }
})

/** Fills the disk except for its last 200 kB, which is enough for fewer than 60 saves. */
function fill(place: string): void {
  const { bavail, bsize } = statfsSync(place)
  const surplus = bavail * bsize - 200_000
  try {
    if (surplus > 0) appendFileSync(join(place, 'filler'), Buffer.alloc(surplus, 1))
  } catch (error) {
    // The database has used some of the space since it was measured, so there's even less left.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

const dataDir = join(folder, 'full/data')
mkdirSync(dataDir, { recursive: true, mode: 0o711 })
// The disk with the database files. That's the data folder's disk, unless the tests run as root in a checkout
// that other users can't access.
const disk = dirname(clusterPlace(dataDir).data)
const reason = whyNoSmallDisk(disk, 230)
after(() => {
  if (!reason) execFileSync('umount', ['-l', disk])
  removeScratch(folder)
})

test(
  'F5: on a full disk writes are refused with 503, readyz says so, and reads go on; nothing that was saved is lost, and with room again all is served',
  { skip: reason ?? false },
  async () => {
    const server = await startTestServer({}, join(folder, 'full'))
    try {
      const parent = await server.aUser()
      const student_id = String((await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
      const tutor_id = String(
        (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
      )
      const saved: string[] = []
      // Random text doesn't compress, so each save takes up its full size on the disk.
      const save = async (notes = randomBytes(2925).toString('base64')) => {
        const answer = await parent.call('POST', '/api/v1/sessions', {
          student_id,
          tutor_id,
          date: '2026-11-02',
          duration: 1,
          notes,
        })
        if (answer.status === 201) saved.push(String(answer.body.id))
        return answer
      }
      for (let times = 0; times < 5; times++) assert.equal((await save()).status, 201)

      let refusal = await save()
      for (let times = 0; refusal.status === 201; times++) {
        // The database may free some space while this runs, for example by removing an old log file. Fill
        // that up too.
        fill(disk)
        assert.ok(times < 1000, 'the disk never became full')
        refusal = await save()
      }
      assert.deepEqual(
        [refusal.status, refusal.body.code, Number(refusal.headers['retry-after']) > 0],
        [503, 'unavailable', true],
      )
      assert.equal((await server.app.inject('/healthz')).statusCode, 200)
      // PostgreSQL may restart when there's no space for its log, so keep reading until it's back.
      const listed = async () => {
        for (let tries = 0; tries < 100; tries++) {
          const answer = await parent.call('GET', '/api/v1/sessions?month=2026-11&limit=200')
          if (answer.status === 200) return answer.status
          assert.equal(answer.status, 503)
          await pause(100)
        }
        return 503
      }
      const whileFull = await listed()
      const readiness = async () => (await server.app.inject('/readyz')).statusCode
      assert.equal(await readiness(), 503)
      // A stand-in for a database on another machine, where the server can't check the disk.
      const elsewhere = watchReadiness(server.db)
      elsewhere.noteFailure(Object.assign(new Error('no room'), { code: '53100' }))
      assert.notEqual(await elsewhere.standing(), 'ready')

      rmSync(join(disk, 'filler'))
      let answer = await save()
      for (let tries = 0; answer.status !== 201; tries++) {
        assert.equal(answer.status, 503)
        assert.ok(tries < 300, 'it did not recover')
        await pause(100)
        answer = await save()
      }
      assert.equal(whileFull, 200)
      assert.deepEqual([await readiness(), await elsewhere.standing()], [200, 'ready'])
      const stored: string[] = []
      for (let cursor = ''; ;) {
        const { body } = await parent.call('GET', `/api/v1/sessions?month=2026-11&limit=200${cursor}`)
        stored.push(...(body.sessions as { id: string }[]).map(({ id }) => id))
        if (!body.next_cursor) break
        cursor = `&cursor=${String(body.next_cursor)}`
      }
      assert.deepEqual(
        saved.filter((id) => !stored.includes(id)),
        [],
      )
      assert.ok(
        existsSync(join(disk, 'filler')) === false &&
          readFileSync('/proc/self/mounts', 'utf8').includes(disk),
      )
    } finally {
      await server.stop()
    }
  },
)

test(
  'F5: a server that starts on a full disk ends with one line that names the folder, and starts once there is room',
  { skip: reason ?? false },
  async () => {
    fill(disk)
    const start = () => {
      const child = spawn(process.execPath, ['src/main/server.ts'], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString()
          if (output.includes('Tutorlog is ready')) child.kill('SIGINT')
        })
      return new Promise<{ code: number | null; output: string }>((resolve) =>
        child.once('close', (code) => resolve({ code, output })),
      )
    }
    assert.deepEqual(await start(), {
      code: 1,
      output: `The disk is full: the folder ${disk} has less than 1 MB left. Free some space and start again.\n`,
    })
    // Big enough to pass the server's own check, but too small for a database. initdb's error message has
    // several lines.
    const small = join(folder, 'small')
    mkdirSync(small)
    const failed = startFailure(new Error('initdb: error:\nNo space left on device'), small) as Error
    assert.equal(
      failed.message,
      `The disk is full: the folder ${small} has no space for the database. Free some space and start again.`,
    )
    rmSync(join(disk, 'filler'))
    const { code, output } = await start()
    assert.equal(code, 0, output)
    assert.match(output, /Tutorlog is ready/)
  },
)
