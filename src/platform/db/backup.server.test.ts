import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { loadBackup, readBackup, writeBackup } from './backup.server.ts'
import { backUpBeforeUpgrade, backUpDaily, backupAge } from './kept-backups.server.ts'
import { makeKeyFile, readKeys } from './sealed.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { keyInUse } from '#features/months/key-commands.server.ts'
import { listKeys } from '#features/months/key-queries.server.ts'
import { migrate } from './migrate.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

test('F15: a backup is written every day, seven are kept, and the metrics tell how old the newest is', async () => {
  const start = new Date()
  const age = async () => {
    const { body } = await server.app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } })
    return Number(/^tutorlog_backup_age_seconds (\d+)$/m.exec(body)?.[1])
  }
  const folder = join(server.dataDir, 'backups')
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'mine.gz'), 'put there by the operator')
  const days: string[] = []
  for (let day = 0; day < 9; day++) {
    server.clock.now = new Date(start.getTime() + day * 86_400_000)
    await server.runTask('back_up')
    days.push(`daily-${server.clock.now.toISOString().slice(0, 10)}.gz`)
  }
  const kept = days.slice(-7).flatMap((name) => [name, `${name}.json`])
  assert.deepEqual(readdirSync(folder).sort(), [...kept, 'mine.gz'])
  assert.equal((await readBackup(join(folder, days[8] ?? ''))).tables > 20, true)
  assert.equal(statSync(join(folder, days[8] ?? '')).mode & 0o777, 0o600)
  assert.ok((await age()) >= 7 * 86_400)
  server.clock.now = new Date()
  assert.ok((await age()) < 600)
})

test('F15: with a public key, nightly backups and those before an upgrade are encrypted, count and are deleted like others', async () => {
  const place = { dataDir: join(server.dataDir, 'sealed'), backupRecipients: [] as string[] }
  mkdirSync(place.dataDir)
  const [folder, keyFile] = [join(place.dataDir, 'backups'), join(place.dataDir, 'key.txt')]
  const backUp = (day: number) => backUpDaily(server.superuserUrl, place, new Date(Date.UTC(2026, 10, day)))
  await backUp(1)
  place.backupRecipients.push(await makeKeyFile(keyFile, new Date()))
  for (let day = 2; day <= 8; day++) await backUp(day)
  const names = Array.from({ length: 7 }, (_, n) => `daily-2026-11-0${n + 2}.gz.age`)
  assert.deepEqual(
    readdirSync(folder).sort(),
    names.flatMap((name) => [name, `${name}.json`]),
  )
  const newest = join(folder, 'daily-2026-11-08.gz.age')
  assert.ok((await readBackup(newest, await readKeys(keyFile))).tables > 20)
  await assert.rejects(readBackup(newest), /This key doesn't open/)
  assert.ok(backupAge(place.dataDir, new Date()) < 600)
  assert.match(
    await backUpBeforeUpgrade(server.superuserUrl, place, new Date()),
    /before-upgrade-.*\.gz\.age$/,
  )
  assert.equal(readFileSync(newest).indexOf('tutorlog-backup'), -1)
})

test('F15: sessions come back from a backup with their keys and history, and new ones take none that was ever given', async () => {
  const family = await server.aUser()
  const [child, tutor] = [
    (await family.call('POST', '/api/v1/students', { name: 'Maya' })).body.id,
    (await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
  ]
  const log = async (date: string) =>
    (await family.call('POST', '/api/v1/sessions', { student_id: child, tutor_id: tutor, date, duration: 1 }))
      .body.id
  await log('2026-11-02')
  // The last session has been deleted, but its history is still there.
  assert.equal((await family.call('DELETE', `/api/v1/sessions/${await log('2026-11-03')}`)).status, 204)

  const file = join(server.dataDir, 'backup.gz')
  await writeBackup(server.superuserUrl, file, new Date())
  const url = new URL(server.superuserUrl)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('create database restored')
  const keys = async (of: pg.Client) =>
    (await of.query('select kind, entry_key, action from history order by 1, 2, seq')).rows
  const given = await keys(client)
  await client.end()

  url.pathname = '/restored'
  await migrate(url.href, { only: (await readBackup(file)).migrations })
  await loadBackup(url.href, file)
  const restored = new pg.Client({ connectionString: url.href })
  await restored.connect()
  const db = openDb(await migrate(url.href), 2)
  try {
    assert.deepEqual(await keys(restored), given)
    await db.asMember(family.member, (tx) =>
      tx
        .insertInto('sessions')
        .values({
          workspace_id: family.member.workspaceId,
          day: '2026-11-04',
          minutes: 60,
        })
        .execute(),
    )
    assert.equal((await verifyHistory(db)).broken, undefined)
    assert.equal(
      (await keys(restored)).filter(({ action }) => action === 'logged').length,
      new Set((await keys(restored)).map((row) => `${row.kind} ${row.entry_key}`)).size,
    )
  } finally {
    await db.close()
    await restored.end()
  }
})

test('a backup has the public keys of pages and never a private one, and a restored server signs with a new key', async () => {
  const signing = await keyInUse(server.db, new Date())
  const file = join(server.dataDir, 'keys.gz')
  await writeBackup(server.superuserUrl, file, new Date())
  const content = gunzipSync(readFileSync(file)).toString('latin1')
  assert.ok(content.includes(signing.publicKey.toString('hex')))
  assert.ok(!content.includes(signing.privateKey.toString('hex')))

  const url = new URL(server.superuserUrl)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('create database other')
  await client.end()
  url.pathname = '/other'
  await migrate(url.href, { only: (await readBackup(file)).migrations })
  await loadBackup(url.href, file)
  const db = openDb(await migrate(url.href), 2)
  try {
    const next = await keyInUse(db, new Date())
    assert.notEqual(next.id, signing.id)
    assert.deepEqual(
      (await db.readAsSystem(listKeys)).map(({ id, retired_at: retired }) => [id, retired === null]),
      [
        [next.id, true],
        [signing.id, false],
      ],
    )
  } finally {
    await db.close()
  }
})
