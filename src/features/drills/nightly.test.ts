import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { grantAdmin } from '#features/admin/queries.server.ts'
import { closed } from '#main/testing/months.server.ts'
import { until } from '#main/testing/process.server.ts'
import { whyNoSmallDisk } from '#main/testing/small-disk.server.ts'
import { buildServer } from '#main/services.server.ts'
import { type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import { readConfig } from '#platform/config.server.ts'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { scratchFolderIn } from '#platform/db/embedded.server.ts'
import { makeKeyFile, readKeys } from '#platform/db/sealed.server.ts'
import { readBackup } from '#platform/db/backup.server.ts'
import { openDrills } from './jobs.server.ts'
import type { Disk } from './room.ts'

let server: TestServer
let superuser: pg.Client
let admin: Caller
let keyFile: string
let recipient: string

before(async () => {
  const folder = join(process.env.TMPDIR ?? '/tmp', `tutorlog-key-${process.pid}`)
  mkdirSync(folder)
  keyFile = join(folder, 'key.txt')
  recipient = await makeKeyFile(keyFile, new Date())
  server = await startTestServer({ BACKUP_RECIPIENT: recipient })
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  admin = await server.aUser()
  await server.db.asSystem((tx) => grantAdmin(tx, admin.id))
  await closed(server)
})
after(async () => {
  await superuser.end()
  await server.stop()
  execFileSync('rm', ['-r', join(keyFile, '..')])
})

interface Row {
  backup: string
  ended_at: Date | null
  findings: string[] | null
}
const newest = async () =>
  (await superuser.query<Row>('select * from restore_drills order by began_at desc, ended_at desc limit 1'))
    .rows[0]
async function ended(backup: string): Promise<string[]> {
  await until(
    `the drill of ${backup} to end`,
    async () => {
      const row = await newest()
      return row?.backup === backup && row.ended_at !== null
    },
    600_000,
  )
  return (await newest())?.findings ?? ['nothing was noted']
}
async function gauges(app = server.app): Promise<Record<string, number>> {
  const { body } = await app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } })
  return Object.fromEntries(
    [...body.matchAll(/^tutorlog_(\w+) (\d+)/gm)].map(([, name, value]) => [name, Number(value)]),
  )
}
const overview = async () => {
  const { status, body } = await admin.call('GET', '/api/v1/admin/overview')
  assert.equal(status, 200, JSON.stringify(body))
  return body.backups as object
}
const mails = async () =>
  (
    await superuser.query<{ recipient: string }>(
      "select recipient from outbox where kind = 'restore_drill_failed'",
    )
  ).rows.map(({ recipient }) => recipient)

/** Drills of the same database in another folder, which don't wait for the other tests to leave the processor. */
function elsewhere(
  name: string,
  at: string,
  { recipient, diskOf }: { recipient?: string; diskOf?: (folder: string) => Promise<Disk> } = {},
) {
  const dataDir = join(server.dataDir, name)
  mkdirSync(dataDir, { mode: 0o711, recursive: true })
  const place = { dataDir, backupRecipients: recipient ? [recipient] : [] }
  const options = { db: server.db, ownerUrl: server.superuserUrl, place, isPatient: false }
  const drills = openDrills({
    ...options,
    log: () => undefined,
    now: () => new Date(at),
    ...(diskOf && { diskOf }),
  })
  return { dataDir, drills }
}

/** The scheduling policy of each process of the drill's database: 5 is SCHED_IDLE (proc_pid_stat(5), field 41). */
function policies(dataDir: string): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      if (!readFileSync(file, 'utf8').includes(clusterPlace(dataDir).data)) return []
      return [readFileSync(file.replace('cmdline', 'stat'), 'utf8').split(') ')[1]?.split(' ')[38] ?? '']
    } catch {
      return []
    }
  })
}

test('F15: the nightly backup is restored beside the database, at the lowest priority, and nothing is left of that', async () => {
  const scratch = scratchFolderIn(server.dataDir)
  assert.equal((await gauges()).restore_drill_ok, undefined)
  await server.runTask('back_up')
  const running = (await overview()) as { drill: { ended_at: string | null } }
  assert.equal(running.drill.ended_at, null)
  const seen = new Set<string>()
  await until(
    'the drill to end',
    async () => {
      if (existsSync(join(scratch, 'database-password')))
        for (const policy of policies(scratch)) seen.add(policy)
      return (await newest())?.ended_at !== null
    },
    600_000,
  )
  assert.deepEqual(await ended('daily-2026-12-01.gz.age'), [])
  if (process.platform === 'linux') assert.deepEqual([...seen], ['5'])
  assert.equal(existsSync(scratch), false)
  const file = join(server.dataDir, 'backups/daily-2026-12-01.gz.age')
  assert.ok((await readBackup(file, await readKeys(keyFile))).rows > 20)
  const { restore_drill_ok, nightly_backups, restored_backup_age_seconds, restore_drill_backup_bytes } =
    await gauges()
  assert.deepEqual([restore_drill_ok, nightly_backups], [1, 1])
  assert.ok((restored_backup_age_seconds ?? 999) < 60 && (restore_drill_backup_bytes ?? 0) > 1000)
  assert.deepEqual(await mails(), [])
  const { drill } = (await overview()) as { drill: { seconds: number; findings: string[] } }
  assert.ok(drill.seconds > 0 && drill.findings.length === 0)
})

test('F15: what a killed drill left is removed, and a database with a broken history is told to administrators alone', async () => {
  const { drills, dataDir } = elsewhere('left', '2026-12-02T02:50:00Z', { recipient })
  const scratch = scratchFolderIn(dataDir)
  const program = `import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
    await startEmbeddedDatabase({ dataDir: process.argv[1], log() {}, isScratch: true })
    console.log('started')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, scratch], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  assert.ok(policies(scratch).length > 0)
  server.clock.now = new Date('2026-12-01T09:10:00Z')
  await superuser.query('alter table history disable trigger user')
  await superuser.query(
    "update history set note = 'Nothing' where seq = 1 and kind = 'session' and note is null",
  )
  await superuser.query('alter table history enable trigger user')

  await drills.backUp()
  const findings = await ended('daily-2026-12-02.gz.age')
  assert.equal(findings[0], 'The drill before this one was cut off, and what it left was removed.')
  assert.match(
    findings[1] ?? '',
    /^The history of a session \([0-9a-f]{8}\) is broken: entry 1 was altered\.$/,
  )
  assert.equal(existsSync(scratch), false)
  assert.deepEqual(await mails(), [admin.email])
  const mail = await server.mailTo(admin.email, 'could not be restored')
  assert.match(mail.text, /daily-2026-12-02\.gz\.age[^]*entry 1 was altered/)
  const { restore_drill_ok, restored_backup_age_seconds } = await gauges()
  assert.equal(restore_drill_ok, 0)
  assert.equal(restored_backup_age_seconds, 600, 'of the last good one')
  assert.deepEqual(((await overview()) as { drill: { findings: string[] } }).drill.findings, findings)
})

const disk = (free: number) => async () => ({ free, size: 10_000_000_000 })

test('F15: without enough space there is a backup, but no drill, and that is said', async () => {
  const { drills, dataDir } = elsewhere('small', '2026-12-03T02:50:00Z', { diskOf: disk(600_000_000) })
  await drills.backUp()
  const [finding = '', ...more] = await ended('daily-2026-12-03.gz')
  assert.match(
    finding,
    /^There's not enough space to restore the backup for trial: \d+ MB more would have to be free\./,
  )
  assert.deepEqual(more, [])
  assert.deepEqual(readdirSync(join(dataDir, 'backups')), ['daily-2026-12-03.gz', 'daily-2026-12-03.gz.json'])
  assert.equal(existsSync(scratchFolderIn(dataDir)), false)
  await drills.stop()
})

test('F15: a drill stops when the disk fills up, and takes what it wrote with it', async () => {
  let looks = 0
  const filling = async () => ({ free: looks++ < 3 ? 5_000_000_000 : 100_000_000, size: 10_000_000_000 })
  const { drills, dataDir } = elsewhere('filling', '2026-12-04T02:50:00Z', { diskOf: filling })
  await drills.backUp()
  assert.deepEqual(await ended('daily-2026-12-04.gz'), [
    "There's not enough space: the drill was stopped when only 100 MB of the disk were free.",
  ])
  assert.equal(existsSync(scratchFolderIn(dataDir)), false)
  await drills.stop()
})

test('F15: a server that stops takes the drill with it, and one that was killed has it noted at the next start', async () => {
  const { drills, dataDir } = elsewhere('stopped', '2026-12-05T02:50:00Z', { diskOf: disk(5_000_000_000) })
  await drills.backUp()
  await until(
    'the drill’s database to run',
    async () => {
      const scratch = scratchFolderIn(dataDir)
      const row = await newest()
      assert.equal(row?.ended_at ?? null, null, row?.findings?.join())
      return existsSync(join(scratch, 'database-password')) && policies(scratch).length > 0
    },
    600_000,
  )
  await drills.stop()
  const cutOff = ['The drill was cut off: the server was stopped or killed while it ran.']
  assert.deepEqual(await ended('daily-2026-12-05.gz'), cutOff)
  assert.equal(existsSync(scratchFolderIn(dataDir)), false)

  await superuser.query(
    "insert into restore_drills (backup, backup_at, backup_bytes, began_at) values ('daily-2026-12-06.gz', now(), 1, '2026-12-06')",
  )
  const again = elsewhere('stopped', '2026-12-06T09:00:00Z')
  assert.deepEqual(await ended('daily-2026-12-06.gz'), cutOff)
  await again.drills.stop()
})

test('F15: on a small disk there is no drill, and on a full one no backup; both are said, once', async (t) => {
  const { drills, dataDir } = elsewhere('tiny', '2026-12-07T02:50:00Z')
  const reason = whyNoSmallDisk(dataDir, 2)
  if (reason) return t.skip(reason)
  t.after(() => execFileSync('umount', ['-l', dataDir]))
  await drills.backUp()
  assert.match((await ended('daily-2026-12-07.gz')).join(), /^There's not enough space/)
  const before = (await mails()).length
  const { bavail, bsize } = statfsSync(dataDir)
  writeFileSync(join(dataDir, 'filler'), Buffer.alloc(bavail * bsize))
  const full = elsewhere('tiny', '2026-12-08T02:50:00Z')
  for (let tries = 0; tries < 2; tries++) await assert.rejects(full.drills.backUp(), { code: 'ENOSPC' })
  assert.deepEqual(await ended('daily-2026-12-08.gz'), ['No backup could be written: the disk is full.'])
  assert.equal((await mails()).length, before + 1)
  for (const one of [drills, full.drills]) await one.stop()
})

test('F15: with an external database the page and the metrics say that there are no nightly backups', async () => {
  const config = readConfig({
    DATA_DIR: server.dataDir,
    LOG_LEVEL: 'silent',
    DATABASE_URL: server.superuserUrl,
  })
  const app = buildServer(config, server.db, () => server.clock.now)
  await app.ready()
  try {
    const figures = await gauges(app)
    assert.equal(figures.nightly_backups, 0)
    assert.deepEqual(
      Object.keys(figures).filter((name) => /restore|backup_age/.test(name)),
      [],
    )
    const visitor = server.aStranger(app)
    for (const [name, value] of admin.cookies) visitor.cookies.set(name, value)
    const { status, body } = await visitor.call('GET', '/api/v1/admin/overview')
    assert.deepEqual([status, body.backups], [200, null])
  } finally {
    await app.close()
  }
})
