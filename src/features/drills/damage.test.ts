import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { DumpText } from '#main/testing/dump.server.ts'
import { closed } from '#main/testing/months.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { writeBackup } from '#platform/db/backup.server.ts'
import {
  type EmbeddedDatabase,
  removeScratchDatabase,
  scratchFolderIn,
  startEmbeddedDatabase,
} from '#platform/db/embedded.server.ts'
import { migrate } from '#platform/db/migrate.server.ts'
import type { CodeFigures, MonthFigures } from './figures.ts'
import { readCodes, readMonths } from './queries.server.ts'
import { type Dump, restoredFindings } from './restore-commands.server.ts'

let server: TestServer
let scratch: EmbeddedDatabase
let emptied: pg.Client
let dump: Dump
let other = ''

before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  const { family, practice, child, tutor, agree, log } = await closed(server)
  const stranger = await server.aUser()
  await stranger.call('POST', '/api/v1/students', { name: 'Noor' })
  other = stranger.member.workspaceId
  await agree('2026-12-01')
  assert.equal((await log('2026-10-20', 1.5)).status, 201)
  const about = { student_id: child, tutor_id: tutor, date: '2026-10-21' }
  assert.equal((await family.call('POST', '/api/v1/payments', { ...about, amount: 67.5 })).status, 201)
  const charge = { ...about, amount: 12, reason: 'materials' }
  assert.equal((await family.call('POST', '/api/v1/charges', charge)).status, 201)
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query(
    `insert into sign_offs (workspace_id, month, code, content_hash, signed_at) values ($1, '2026-09', '0123456789', '\\x01', now())`,
    [practice.member.workspaceId],
  )
  await client.end()

  const path = join(server.dataDir, 'whole.gz')
  let [months, codes]: [MonthFigures[], CodeFigures[]] = [[], []]
  const { migrations, contents: tables } = await writeBackup(server.superuserUrl, path, new Date(), [], {
    async inSnapshot(own) {
      months = await readMonths(own)
      codes = await readCodes(own)
    },
  })
  dump = { path, migrations, expected: { tables, months, codes } }

  const dataDir = scratchFolderIn(server.dataDir)
  scratch = await startEmbeddedDatabase({ dataDir, log: () => undefined, isScratch: true })
  await migrate(scratch.superuserUrl, { isScratch: true })
  emptied = new pg.Client({ connectionString: scratch.superuserUrl })
  await emptied.connect()
  // Without the triggers that keep the history whole.
  await emptied.query('set session_replication_role = replica')
})
after(async () => {
  await emptied?.end()
  await scratch?.stop()
  await removeScratchDatabase(server.dataDir)
  await server.stop()
})

/** What the drill says about a dump that was damaged on its way. */
async function findingsAfter(damage: (path: string) => void): Promise<string[]> {
  const path = join(server.dataDir, 'damaged.gz')
  writeFileSync(path, readFileSync(dump.path))
  damage(path)
  await emptied.query(`do $$ declare place text; begin
    select string_agg(quote_ident(tablename), ', ') into place from pg_tables where schemaname = 'public' and tablename not like 'schema\\_%';
    execute 'truncate ' || place || ' restart identity cascade';
  end $$`)
  return restoredFindings(scratch.superuserUrl, { ...dump, path })
}

/** A damage that leaves the dump's own checksum right. */
function inText(change: (text: DumpText) => void): (path: string) => void {
  return (path) => {
    const text = new DumpText(path)
    change(text)
    text.write(path)
  }
}

function swapAnswers(text: DumpText): void {
  const { columns, rows } = text.part('sessions')
  const sides = ['answer', 'answer_version', 'answered_at', 'answer_note'].map((what) =>
    ['family', 'practice'].map((side) => columns.indexOf(`${side}_${what}`)),
  )
  const [answer = []] = sides
  const row = rows.find((one) => one[answer[0] ?? 0] !== one[answer[1] ?? 0]) ?? []
  for (const [family = 0, practice = 0] of sides)
    [row[family], row[practice]] = [row[practice] ?? '', row[family] ?? '']
}

function flipByteInText(path: string): void {
  const bytes = gunzipSync(readFileSync(path))
  const at = bytes.indexOf('Ingrid')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, gzipSync(bytes))
}

const DAMAGES: Record<string, { damage: (path: string) => void; says: RegExp }> = {
  'a dump that was cut': {
    damage: (path) => truncateSync(path, 2000),
    says: /^damaged\.gz is damaged or isn't a backup: unexpected end of file\.$/,
  },
  'a dump without its last line': {
    damage: (path) =>
      writeFileSync(
        path,
        gzipSync(
          gunzipSync(readFileSync(path))
            .toString()
            .replace(/[^\n]+\n$/, ''),
        ),
      ),
    says: /^damaged\.gz isn't a Tutorlog backup, or it was cut short\.$/,
  },
  'one wrong bit': { damage: flipByteInText, says: /does not match its checksum\.$/ },
  'a file that is no backup': {
    damage: (path) => writeFileSync(path, 'nothing of ours'),
    says: /is damaged or isn't a backup: incorrect header check\.$/,
  },
  'tables of an older version': {
    damage: inText(({ header }) => void header.migrations.pop()),
    says: /^The backup is of another version of the tables: its last step is \S+, the database's is \S+\.$/,
  },
  'a missing table': {
    damage: inText((text) => {
      text.tables = text.tables.filter(({ table }) => table !== 'payments')
    }),
    says: /^The table payments is missing\.$/,
  },
  'a payment that is one cent higher': {
    damage: inText((text) => text.change('payments', 'amount_cents', (cents) => String(Number(cents) + 1))),
    says: /^The payments of 2026-10 in the workspace [0-9a-f]{8} aren't those in the database: \+0\.01 in amounts\.$/,
  },
  'a rate that is one cent lower': {
    damage: inText((text) =>
      text.change('sessions', 'tutor_rate_cents', (cents) => String(Number(cents) - 1)),
    ),
    says: /^The sessions of 2026-11 in the workspace [0-9a-f]{8} aren't those in the database: -0\.01 in amounts\.$/,
  },
  'a session that took longer': {
    damage: inText((text) => text.change('sessions', 'minutes', (minutes) => String(Number(minutes) + 15))),
    says: /^The sessions of 2026-11 .*: 15 more minutes, \+11\.25 in amounts\.$/,
  },
  'a session in another month': {
    damage: inText((text) => text.change('sessions', 'day', () => '2026-08-03')),
    says: /^The sessions of 2026-08 .*: 1 more entry, 60 more minutes, \+45\.00 in amounts\.$/,
  },
  'answers of the two sides that were swapped': {
    damage: inText(swapAnswers),
    says: /^The sessions of 2026-10 .*: other answers\.$/,
  },
  'a history with an entry that was altered': {
    damage: inText((text) =>
      text.change('history', 'hashed_text', (said) => said.replace('2026-11', '2026-12')),
    ),
    says: /^The history of a session \([0-9a-f]{8}\) is broken: entry 1 was altered\.$/,
  },
  'a history whose first entry is gone': {
    damage: inText((text) => void text.part('history').rows.shift()),
    says: /^The history of a session \([0-9a-f]{8}\) is broken: entry 1 is missing\.$/,
  },
  'a missing row': {
    damage: inText((text) => void text.part('charges').rows.pop()),
    says: /^The charges of 2026-10 .*: 1 fewer entry, -12\.00 in amounts\.$/,
  },
  'a missing row of a table without sums': {
    damage: inText((text) => void text.part('known_browsers').rows.pop()),
    says: /^The table known_browsers has 1 fewer row than in the database\.$/,
  },
  'a row that others refer to, gone': {
    damage: inText((text) => void text.part('workspaces').rows.shift()),
    says: /^The backup can't be restored: a row that others refer to is missing, in the table \w+ \(\w+\)\.$/,
  },
  'a row that is there twice': {
    damage: inText((text) => {
      const { rows } = text.part('sessions')
      rows.push(rows[0] ?? [])
    }),
    says: /^The backup can't be restored: a row is there twice, in the table sessions \(sessions_pkey\)\.$/,
  },
  'a session in a wrong workspace': {
    damage: inText((text) => {
      for (const [column, value] of [
        ['child_id', '\\N'],
        ['family_tutor_id', '\\N'],
        ['family_id', other],
      ] as const)
        text.change('sessions', column, () => value)
    }),
    says: /^The sessions of 2026-11 in the workspace [0-9a-f]{8} .*: 1 more entry/,
  },
  'another code of a closed month': {
    damage: inText((text) => text.change('closed_months', 'code', () => 'ZZZZZZZZZZ')),
    says: /^The code of a closed month of 2026-11 is missing\.$/,
  },
  'a page of a closed month that says more': {
    damage: inText((text) => text.change('closed_months', 'content', (page) => page.replace('9000', '9001'))),
    says: /^The page of a closed month of 2026-11 isn't the one that its hash was made of\.$/,
  },
  'a sign-off of something else': {
    damage: inText((text) => text.change('sign_offs', 'content_hash', () => '\\\\x02')),
    says: /^The code of a sign-off of 2026-09 stands for something else\.$/,
  },
  'a counter that is behind': {
    damage: inText((text) => {
      text.part('sessions').counted = { key: '1' }
    }),
    says: /^The counter of sessions\.key is behind: numbers that were used would be given again\.$/,
  },
  'a name that was changed': {
    damage: inText((text) => text.change('students', 'name', () => 'Mia')),
    says: /^The table students has as many rows as in the database, but something in them was changed\.$/,
  },
  'a value of another kind': {
    damage: inText((text) => text.change('payments', 'amount_cents', () => 'Mia owes 5')),
    says: /^The backup can't be restored: PostgreSQL refuses it \(22P02\), in the table payments\.$/,
  },
}

test('F15: a whole dump is restored without a finding', async () => {
  assert.deepEqual(await findingsAfter(() => undefined), [])
  assert.deepEqual(await findingsAfter(inText(() => undefined)), [])
})

for (const [what, { damage, says }] of Object.entries(DAMAGES))
  test(`F15: a drill says what is wrong with ${what}`, async () => {
    const findings = await findingsAfter(damage)
    assert.ok(
      findings.some((finding) => says.test(finding)),
      findings.join('\n') || 'nothing was found',
    )
    // What somebody typed, addresses, whole ids and codes stay out of emails and logs (promise T14).
    assert.doesNotMatch(findings.join('\n'), /Maya|Mia|Ingrid|Noor|@|[0-9a-f]{8}-[0-9a-f]{4}|[0-9A-Z]{10}/)
  })
