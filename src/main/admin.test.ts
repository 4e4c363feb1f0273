import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { startEmbeddedDatabase } from '#platform/db/embedded.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { appCode } from './testing/authenticator-app.ts'
import { PASSWORD, removeScratch, scratchFolder, startTestServer, type TestServer } from './testing.server.ts'

const execute = promisify(execFile)

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const admin = async (args: string[], dataDir = server.dataDir, settings: Record<string, string> = {}) => {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', ...settings }
  return execute(process.execPath, ['src/main/admin.ts', ...args], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout.trim() }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr.trim() }),
  )
}

test('T5: an operator grants and revokes the role admin while the server runs, and the earlier role comes back', async () => {
  const parent = await server.aUser()
  const roleNow = async () => (await parent.call('GET', '/api/v1/me')).body.role
  assert.deepEqual(await admin(['grant', parent.email.toUpperCase()]), {
    code: 0,
    text: `${parent.email} is an administrator now.`,
  })
  assert.equal(await roleNow(), 'admin')
  assert.equal((await admin(['grant', parent.email])).code, 0, 'granting twice changes nothing')
  assert.deepEqual(await admin(['revoke', parent.email]), {
    code: 0,
    text: `${parent.email} is no longer an administrator.`,
  })
  assert.equal(await roleNow(), 'parent')
  assert.deepEqual(await admin(['revoke', parent.email]), {
    code: 1,
    text: 'This account is not an administrator.',
  })
})

test('A23: an operator turns off the second step of someone who lost everything', async () => {
  const parent = await server.aUser()
  const turnOff = () => admin(['second-step-off', parent.email])
  assert.deepEqual(await turnOff(), { code: 1, text: 'This account has no second step.' })
  const { body } = await parent.call('POST', '/api/v1/me/second-step/start', {})
  const code = appCode(String(body.key), server.clock.now)
  assert.equal((await parent.call('POST', '/api/v1/me/second-step', { code })).status, 200)
  const signIn = () =>
    server.aStranger().call('POST', '/api/auth/sign-in', { email: parent.email, password: PASSWORD })
  assert.equal((await signIn()).body.code, 'code_needed')
  assert.deepEqual(await turnOff(), { code: 0, text: `${parent.email} signs in without a second step now.` })
  assert.equal((await signIn()).status, 200)
})

test('a command without an account, or an unknown one, exits with a one-line message and code 1', async () => {
  assert.deepEqual(await admin(['grant', 'nobody@example.com']), {
    code: 1,
    text: 'No account has the address nobody@example.com.',
  })
  assert.deepEqual(await admin(['grant']), { code: 1, text: "Specify the account's email address." })
  assert.match((await admin(['toString'])).text, /^Usage: npm run admin/)
})

test('F13: the operator sees the mails and jobs that failed', async () => {
  await server.db.asSystem((tx) =>
    queueMail(tx, { userId: null, recipient: 'lost@example.com', kind: 'no_such_kind' }),
  )
  let text = ''
  for (let tries = 0; tries < 30 && !text.includes('no template'); tries++)
    text = (await admin(['jobs'])).text
  assert.match(text, /mail {2}no_such_kind {2}to lost@example.com/)
  assert.match(text, /job {3}send_mail .*no template for mails of kind no_such_kind/)
})

test('F15: a backup under load holds one moment, and a restore brings every row back', async () => {
  const parent = await server.aUser()
  const folder = scratchFolder()
  const file = join(folder, 'backup.gz')
  let isWriting = true
  // Each transaction writes two rows, so an odd number of rows would mean that the backup contains half a
  // transaction.
  const writing = (async () => {
    for (let n = 0; isWriting; n++)
      await server.db.asMember(parent.member, async (tx) => {
        await tx
          .insertInto('students')
          .values({
            workspace_id: parent.member.workspaceId,
            name: `pair ${n}`,
            notes: 'tab\t, "quote", back\\slash,\nline',
          })
          .execute()
        await tx
          .insertInto('tutors')
          .values({ workspace_id: parent.member.workspaceId, name: `pair ${n}` })
          .execute()
      })
  })()
  try {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const written = await admin(['backup', file])
    isWriting = false
    await writing
    assert.equal(written.code, 0, written.text)
    assert.match((await admin(['restore', file])).text, /The server is running/)

    const restored = join(folder, 'data')
    const answer = await admin(['restore', file], restored)
    assert.equal(answer.code, 0, answer.text)
    const embedded = await startEmbeddedDatabase({ dataDir: restored, log: () => undefined })
    try {
      const client = new pg.Client({ connectionString: embedded.superuserUrl })
      await client.connect()
      const rows = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
      const students = await rows('select name, notes from students order by name')
      assert.ok(students.length > 5)
      assert.deepEqual(
        students.map((row) => row.name),
        (await rows('select name from tutors where not is_self order by name')).map((row) => row.name),
      )
      assert.equal(students[0]?.notes, 'tab\t, "quote", back\\slash,\nline')
      assert.deepEqual(
        await rows(`select email, password_hash is not null as has from users where id = '${parent.id}'`),
        [{ email: parent.email, has: true }],
      )
      assert.deepEqual(
        await rows("select tgrelid::regclass::text as off from pg_trigger where tgenabled = 'D'"),
        [],
      )
      await client.end()
    } finally {
      await embedded.stop()
    }
    assert.match((await admin(['restore', file], restored)).text, /already has accounts/)
  } finally {
    isWriting = false
    removeScratch(folder)
  }
})

test('F15: a damaged backup, a cut one and a strange file are refused before anything is touched', async () => {
  const folder = scratchFolder()
  try {
    const file = join(folder, 'backup.gz')
    assert.equal((await admin(['backup', file])).code, 0)
    const lines = gunzipSync(readFileSync(file)).toString()
    const refused = async (bytes: Buffer) => {
      writeFileSync(file, bytes)
      const { code, text } = await admin(['restore', file], join(folder, 'data'))
      assert.equal(code, 1)
      assert.equal(existsSync(join(folder, 'data')), false)
      return text
    }
    assert.match(
      await refused(gzipSync(lines.replace('example.com', 'example.org'))),
      /does not match its checksum/,
    )
    assert.match(
      await refused(gzipSync(lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1))),
      /isn't a Tutorlog backup, or it was cut short/,
    )
    assert.match(await refused(gzipSync(lines).subarray(0, 400)), /damaged or isn't a backup/)
    assert.match(await refused(Buffer.from('hello')), /damaged or isn't a backup/)
    assert.match((await admin(['backup', join(folder, 'no', 'such', 'folder.gz')])).text, /ENOENT/)
  } finally {
    removeScratch(folder)
  }
})

test('if no server is running, a command starts the database and stops it again', async () => {
  const folder = scratchFolder()
  try {
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await admin(['jobs'], join(folder, 'data')), {
        code: 0,
        text: 'Nothing is waiting and nothing has failed.',
      })
  } finally {
    removeScratch(folder)
  }
})

test('voice-model says what hears recordings', async () => {
  assert.match(
    (await admin(['voice-model'])).text,
    /^Recordings are transcribed on this machine with the model in /,
  )
})

test('F15: an encrypted backup comes back with its key file alone; with any other, or damaged, nothing is touched', async () => {
  const folder = scratchFolder()
  try {
    const [file, key, other] = ['backup.gz.age', 'key.txt', 'other.txt'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    const made = await admin(['new-backup-key', key])
    const [, recipient = ''] = /^BACKUP_RECIPIENT=(age1\w+)\n/.exec(made.text) ?? []
    assert.equal((await admin(['new-backup-key', other])).code, 0)
    assert.match(
      (await admin(['new-backup-key', key])).text,
      /^The key was not written to .*: it exists already/,
    )

    const { email } = await server.aUser()
    const written = await admin(['backup', file], server.dataDir, { BACKUP_RECIPIENT: recipient })
    assert.match(written.text, /It is encrypted: only the key of BACKUP_RECIPIENT opens it\.$/)
    const sealed = readFileSync(file)
    assert.throws(() => gunzipSync(sealed))

    const place = join(folder, 'data')
    const refused = async (args: string[], message: RegExp) => {
      const { code, text } = await admin(['restore', ...args], place)
      assert.deepEqual([code, text.split('\n').length], [1, 1], text)
      assert.match(text, message)
      assert.equal(existsSync(join(place, 'postgres')), false, 'no database was made')
    }
    await refused([file], /is encrypted\. Name its key file as well: restore FILE KEY_FILE$/)
    await refused([file, other], /^This key doesn't open .*backup\.gz\.age/)
    await refused([file, file], /isn't a key file/)
    await refused([file, join(folder, 'none.txt')], /can't be read \(ENOENT\)/)
    const damaged = join(folder, 'damaged.gz.age')
    const flipped = Buffer.from(sealed)
    flipped[sealed.length >> 1]! ^= 1
    for (const bytes of [flipped, sealed.subarray(0, -1), sealed.subarray(0, sealed.length >> 1)]) {
      writeFileSync(damaged, bytes)
      await refused([damaged, key], /is damaged: part of it was changed or is missing\.$/)
    }

    assert.match((await admin(['restore', file, key], place)).text, /^Restored \d+ rows/)
    const embedded = await startEmbeddedDatabase({ dataDir: place, log: () => undefined })
    const client = new pg.Client({ connectionString: embedded.superuserUrl })
    await client.connect()
    const { rows } = await client.query('select from users where email = $1', [email])
    await client.end()
    await embedded.stop()
    assert.equal(rows.length, 1)
  } finally {
    removeScratch(folder)
  }
})

test('doctor: what is planted in a running installation is found, the exit code says so, and no secret is printed', async () => {
  const SECRETS = { SMTP_URL: 'smtp://someone:hush-hush@127.0.0.1:9', METRICS_TOKEN: 'hush' }
  const doctor = () => admin(['doctor'], server.dataDir, { ...SECRETS, SPEECH_ENGINE: 'off' })
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  try {
    const parent = await server.aUser()
    const add = async (path: string, body: object) =>
      String((await parent.call('POST', `/api/v1/${path}`, body)).body.id)
    const student_id = await add('students', { name: 'Maya' })
    const tutor_id = await add('tutors', { name: 'Ingrid', hourly_rate: 45 })
    await add('sessions', { student_id, tutor_id, date: '2026-11-02', duration: 1 })
    await server.runTask('back_up')
    const before = await doctor()
    assert.equal(before.code, 1, 'the email server is away')
    assert.match(before.text, /PROBLEM {2}mail .*ECONNREFUSED/)
    assert.match(before.text, /\n1 problems, /)
    await client.query(
      'alter role tutorlog_5_server bypassrls; alter table sessions no force row level security',
    )
    await client.query(`alter table sessions disable trigger user; update sessions set minutes = 90;
      alter table sessions enable trigger user`)
    await client.query('delete from push_keys')
    const [backup = ''] = readdirSync(join(server.dataDir, 'backups')).filter((name) => name.endsWith('.gz'))
    const path = join(server.dataDir, 'backups', backup)
    const bytes = readFileSync(path)
    bytes[50] = (bytes[50] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const { code, text } = await doctor()
    assert.equal(code, 1)
    for (const said of [
      /PROBLEM {2}roles .*tutorlog_5_server may see/,
      /PROBLEM {2}roles .*off on sessions/,
      /PROBLEM {2}history .* broken/,
      /PROBLEM {2}push /,
      /PROBLEM {2}backups .*was changed or damaged/,
      /WARNING {2}settings .*BACKUP_RECIPIENT is not set/,
      /WARNING {2}settings .*METRICS_TOKEN is short/,
      /WARNING {2}settings .*SMTP_TLS is auto/,
      /OK {7}clock /,
      /OK {7}disk /,
      /OK {7}versions .*PostgreSQL 18/,
    ])
      assert.match(text, said)
    assert.doesNotMatch(text, /hush/)
  } finally {
    await client.query(
      'alter role tutorlog_5_server nobypassrls; alter table sessions force row level security',
    )
    await client.end()
  }
})
