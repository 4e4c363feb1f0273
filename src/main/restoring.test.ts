// Restores backups the way an administrator does, in a server that was started the way an operator starts it.
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { addDays, type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import type { OutputOf } from '#kernel/endpoint.ts'
import type { PreviewRestore, ReadBackups } from '#features/admin/backup.ts'
import { runningDatabaseUrl } from '#platform/db/embedded.server.ts'
import { backUpDaily } from '#platform/db/kept-backups.server.ts'
import { makeKeyFile } from '#platform/db/sealed.server.ts'
import { copyCluster } from './testing/cluster.server.ts'
import { aParent, type Parent, type ServerProcess, startProcess, until } from './testing/process.server.ts'
import { removeScratch, scratchFolder } from './testing.server.ts'

const folder = scratchFolder()
const dataDir = join(folder, 'data')
const daysAgo = (days: number) => addDays(dayIn(new Date(), 'UTC'), -days)
const dailyOf = (day: CalendarDay) => `daily-${day}.gz`
const DAILY = dailyOf(daysAgo(7))
/** In order. Before the last, the old state counts; from then on the new one. */
const STEPS =
  'stopping checking creating loading migrating verifying erasing carrying switching switched'.split(' ')
const KILLER = join(import.meta.dirname, 'testing/kill-at.ts')

let server: ServerProcess
let admin: Parent
let other: Parent

before(async () => {
  await copyCluster(dataDir)
  server = await startProcess({ DATA_DIR: dataDir })
  admin = await aParent(server, 'admin@example.com')
  other = await aParent(server, 'other@example.com')
  await aParent(server, 'gone@example.com')
  await makeAdmin('admin@example.com')
})
after(async () => {
  if (process.env.SHOW) console.error(server.output())
  await server.stop()
  removeScratch(folder)
})

async function sql(query: string, database?: string): Promise<Record<string, unknown>[]> {
  const url = new URL((await runningDatabaseUrl(dataDir)) ?? '')
  if (database) url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    const answer = await client.query<Record<string, unknown>>(query)
    return answer.rows
  } finally {
    await client.end()
  }
}

const makeAdmin = (email: string) =>
  sql(`insert into user_roles (user_id, role) select id, 'admin' from users where email = '${email}'
    on conflict (user_id) do update set role = 'admin', earlier_role = 'parent'`)
const backUp = async (day: CalendarDay, backupRecipients: string[] = []) => {
  const at = new Date(`${day}T02:50:00Z`)
  await backUpDaily((await runningDatabaseUrl(dataDir)) ?? '', { dataDir, backupRecipients }, at)
}
const log = async (who: Parent, notes: string) =>
  assert.equal((await who.call('POST', '/api/v1/sessions', who.lesson(notes))).status, 201)
/** What the state of the database is told by: the notes of all sessions, and who there is. */
const state = async (database?: string) => ({
  notes: (await sql('select text from session_notes order by 1', database)).map((row) => row.text),
  people: (await sql('select email from users order by 1', database)).map((row) => row.email),
})
/** What the administrator's recent activity says of restoring, in order. */
const restoresNoted = async () =>
  (
    await sql(`select kind from security_events join users on users.id = user_id
      where email = 'admin@example.com' and kind like '%restore%' order by happened_at`)
  ).map(({ kind }) => kind)
const read = async () =>
  (await (await admin.call('GET', '/api/v1/admin/backups')).json()) as OutputOf<typeof ReadBackups>
const restore = (backup: string, more: object = {}) =>
  admin.call('POST', '/api/v1/admin/backups/restore', { backup, word: 'RESTORE', ...more })
const health = async () => (await (await fetch(`${server.base}/healthz`)).json()) as { status: string }
const served = async () =>
  until('the server serves again', async () => {
    try {
      return (await health()).status === 'ok'
    } catch {
      return false
    }
  })

test('A25, F15: restoring from /admin brings the records back, and keeps what must not become older', async () => {
  await log(admin, 'then')
  await sql(`alter table outbox disable trigger user;
    insert into outbox (id, recipient, kind) values ('00000000-0000-4000-8000-000000000001', 'a@example.com', 'sent_since'),
      ('00000000-0000-4000-8000-000000000002', 'b@example.com', 'still_waiting');
    alter table outbox enable trigger user`)
  await sql(`insert into passkeys (user_id, credential_id, public_key, user_handle, sign_count, name)
      select id, '\\x01', '\\x02', decode(repeat('00', 16), 'hex'), 0, 'Lost phone' from users where email = 'other@example.com';
    insert into auth_tokens (user_id, purpose, token_hash, expires_at)
      select id, 'verify', '\\x07', now() + interval '1 day' from users where email = 'other@example.com';
    insert into members (workspace_id, account_id, role) select m.workspace_id, o.id, 'viewer'
      from users a join members m on m.account_id = a.id and m.role = 'owner', users o
      where a.email = 'admin@example.com' and o.email = 'other@example.com';
    update user_roles set role = 'admin', earlier_role = 'parent'
      where user_id = (select id from users where email = 'other@example.com')`)
  await backUp(daysAgo(7))
  await sql(`update outbox set sent_at = now() where kind = 'sent_since';
    delete from passkeys; update auth_tokens set used_at = now() where token_hash = '\\x07';
    delete from members where role = 'viewer';
    update user_roles set role = 'parent', earlier_role = null
      where user_id = (select id from users where email = 'other@example.com')`)
  await log(admin, 'since')
  await sql(`update users set password_hash = 'changed since' where email = 'other@example.com';
    delete from users where email = 'gone@example.com'`)
  const [{ key } = {}] = await sql('select max(key) as key from sessions')

  const preview = (await (
    await admin.call('POST', '/api/v1/admin/backups/preview', { backup: DAILY })
  ).json()) as OutputOf<typeof PreviewRestore>
  assert.deepEqual(preview.sessions, { now: 2, then: 1, lost: 1 })
  assert.deepEqual(preview.accounts, { now: 2, then: 3, lost: 0 })
  assert.equal(preview.erased_again.length, 1)
  assert.ok(preview.changes_since >= 1 && preview.newest_entry_at !== null)

  const began = restore(DAILY)
  const seen = new Set<string>()
  assert.equal((await began).status, 204)
  await until('the server is in maintenance, and then serves again', async () => {
    try {
      const { status } = await health()
      seen.add(status)
      const [page, call, ready] = await Promise.all([
        fetch(server.base, { headers: { accept: 'text/html' } }),
        other.call('GET', '/api/v1/me'),
        fetch(`${server.base}/readyz`),
      ])
      if (call.status === 503) {
        seen.add(((await call.json()) as { code: string }).code)
        assert.equal(call.headers.get('retry-after'), '10')
      }
      if (/being maintained/.test(await page.text())) seen.add('plain page')
      if (ready.status === 503) seen.add(`ready: ${((await ready.json()) as { status: string }).status}`)
      return status === 'ok'
    } catch {
      return false
    }
  })
  assert.deepEqual([...seen].sort(), ['maintenance', 'ok', 'plain page', 'ready: maintenance'])

  assert.deepEqual(await state(), { notes: ['then'], people: ['admin@example.com', 'other@example.com'] })
  assert.deepEqual(
    await sql(
      `select kind, sent_at is not null as sent from outbox where kind in ('sent_since', 'still_waiting') order by 1`,
    ),
    [
      { kind: 'sent_since', sent: true },
      { kind: 'still_waiting', sent: false },
    ],
  )
  assert.deepEqual(await sql(`select password_hash from users where email = 'other@example.com'`), [
    { password_hash: 'changed since' },
  ])
  // What was taken away since doesn't come back.
  assert.deepEqual(await sql('select name from passkeys'), [])
  assert.deepEqual(await sql("select used_at is null as works from auth_tokens where token_hash = '\\x07'"), [
    { works: false },
  ])
  assert.deepEqual(await sql("select role from members where role = 'viewer'"), [])
  assert.deepEqual(
    await sql(`select email from users join user_roles on user_id = users.id where role = 'admin'`),
    [{ email: 'admin@example.com' }],
  )
  assert.equal((await sql('select from logins')).length, 1)
  assert.deepEqual(await restoresNoted(), ['restore_asked'])
  assert.equal((await admin.call('GET', '/api/v1/me')).status, 200)
  assert.equal((await other.call('GET', '/api/v1/me')).status, 401)
  await log(admin, 'new')
  const [{ next } = {}] = await sql('select max(key) as next from sessions')
  assert.ok(BigInt(String(next)) > BigInt(String(key)), 'a key that was given is not given again')
  assert.equal((await read()).former?.backup, DAILY)
})

test('F15: going back serves the former database, without who was erased or signed out meanwhile', async () => {
  assert.equal((await admin.call('POST', '/api/v1/admin/backups/back', {})).status, 204)
  await until(
    'the server goes back',
    async () => (await health().catch(() => undefined))?.status === 'maintenance',
  )
  await served()
  assert.deepEqual(await state(), {
    notes: ['since', 'then'],
    people: ['admin@example.com', 'other@example.com'],
  })
  assert.deepEqual((await state('database_former')).notes, ['new', 'then'])
  assert.equal((await sql('select from logins')).length, 1)
  assert.equal((await admin.call('GET', '/api/v1/me')).status, 200)
  assert.deepEqual(await restoresNoted(), ['restore_asked', 'restore_undo_asked'])
  assert.equal((await read()).former?.backup, null)
  assert.equal((await admin.call('POST', '/api/v1/admin/backups/forget', {})).status, 204)
  assert.equal((await read()).former, null)
  await nothingIsLeft()
})

/** No database and no role is left of a restore. */
async function nothingIsLeft(): Promise<void> {
  assert.deepEqual(await sql(`select datname from pg_database where datname like 'database%'`), [])
  assert.equal(
    (
      await sql(
        `select distinct substring(rolname from '\\d+') from pg_roles where rolname ~ '^tutorlog_\\d+'`,
      )
    ).length,
    1,
  )
}

test('F15: a backup with a broken history is left alone, and why is said', async () => {
  const alter = (note: string | null) =>
    sql(`alter table history disable trigger user;
      update history set note = ${note === null ? 'null' : `'${note}'`} where seq = 1 and kind = 'session';
      alter table history enable trigger user`)
  const before = await state()
  await alter('Nothing')
  await backUp(daysAgo(5))
  await alter(null)
  assert.equal((await restore(dailyOf(daysAgo(5)))).status, 204)
  const failure = async () => (await read().catch(() => undefined))?.last_failure ?? undefined
  await until('the restore to fail', async () => (await failure()) !== undefined)
  assert.match((await failure()) ?? '', /^The history in it is broken at \d+ entries\.$/)
  assert.deepEqual(await state(), before)
  assert.equal((await health()).status, 'ok')
  await nothingIsLeft()
})

test('F15: a file that isn’t ours, was changed, is too old, is encrypted to another key or without one is refused, and nothing happens', async () => {
  const code = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: string }).code
  const path = join(dataDir, 'backups', DAILY)
  const [whole, label] = [readFileSync(path), readFileSync(`${path}.json`)]
  const foreign = dailyOf(daysAgo(8))
  copyFileSync(path, join(dataDir, 'backups', foreign))
  assert.deepEqual((await read()).strangers, [foreign])
  assert.equal(await code(restore(foreign)), 'not_own')
  assert.equal(await code(restore('../database-password')), 'not_own')
  const changed = Buffer.from(whole)
  changed[100] = (changed[100] ?? 0) ^ 1
  writeFileSync(path, changed)
  assert.equal(await code(restore(DAILY)), 'not_own')
  writeFileSync(path, whole)
  writeFileSync(`${path}.json`, label)
  assert.equal(await code(admin.call('POST', '/api/v1/admin/backups/restore', { backup: DAILY })), 'invalid')
  assert.equal(
    await code(other.call('POST', '/api/v1/admin/backups/restore', { backup: DAILY })),
    'signed_out',
  )

  await backUp(daysAgo(100))
  assert.equal(await code(restore(dailyOf(daysAgo(100)))), 'too_old')
  const late = await aParent(server, 'late@example.com')
  await makeAdmin('late@example.com')
  const asLate = late.call('POST', '/api/v1/admin/backups/restore', { backup: DAILY, word: 'RESTORE' })
  assert.equal(await code(asLate), 'not_in_it')
  await sql("delete from users where email = 'late@example.com'")

  const [keyFile, wrongFile] = [join(folder, 'key.txt'), join(folder, 'wrong.txt')]
  const recipient = await makeKeyFile(keyFile, new Date())
  await makeKeyFile(wrongFile, new Date())
  await backUp(daysAgo(6), [recipient])
  const sealed = `${dailyOf(daysAgo(6))}.age`
  assert.equal(await code(restore(sealed)), 'key_needed')
  assert.equal(await code(restore(sealed, { key: 'no key' })), 'wrong_key')
  assert.equal(await code(restore(sealed, { key: readFileSync(wrongFile, 'utf8') })), 'wrong_key')
  const opened = await admin.call('POST', '/api/v1/admin/backups/preview', {
    backup: sealed,
    key: readFileSync(keyFile, 'utf8'),
  })
  assert.equal(opened.status, 200)
  assert.doesNotMatch(server.output(), /AGE-SECRET-KEY/)
  await sql(`update logins set proven_at = now() - interval '1 hour'`)
  assert.equal(await code(restore(DAILY)), 'sign_in_again')
  await sql('update logins set proven_at = now()')
  assert.equal((await health()).status, 'ok')
  assert.deepEqual((await state()).notes, ['since', 'then'])
  rmSync(join(dataDir, 'backups', foreign))
  await nothingIsLeft()
})

test('F15: killed at ten points of a restore, the next start has the old state or the new one, and nothing is left over', async () => {
  const old = await state()
  for (const step of STEPS) {
    await server.stop()
    server = await startProcess({ DATA_DIR: dataDir, KILL_AT: step, NODE_OPTIONS: `--import=${KILLER}` })
    admin.moveTo(server)
    const ended = new Promise((resolve) => server.process.once('close', (_code, signal) => resolve(signal)))
    await restore(DAILY).catch(() => undefined)
    assert.equal(await ended, 'SIGKILL', `it was killed at ${step}`)
    server = await startProcess({ DATA_DIR: dataDir })
    admin.moveTo(server)
    const isNew = step === 'switched'
    assert.deepEqual(await state(), isNew ? { ...old, notes: ['then'] } : old, `after ${step}`)
    assert.equal((await admin.call('GET', '/api/v1/me')).status, 200, `signed in after ${step}`)
    if (isNew) assert.equal((await read()).former?.backup, DAILY)
    else await nothingIsLeft()
  }
})
