import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createHash } from 'node:crypto'
import { labelOf, writeLabel } from '#platform/db/backup-label.server.ts'
import { makeKeyFile, sealedTo } from '#platform/db/sealed.server.ts'
import { type BackupFile, fileFindings } from './file-commands.server.ts'

let dataDir: string
let keys: string[]
let newest: BackupFile
let yesterdays: BackupFile

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tutorlog-files-'))
  mkdirSync(join(dataDir, 'backups'), { mode: 0o700 })
  keys = [
    await makeKeyFile(join(dataDir, 'own'), new Date()),
    await makeKeyFile(join(dataDir, 'other'), new Date()),
  ]
  yesterdays = await written('daily-2026-11-27.gz', 'what yesterday’s backup holds')
  newest = await written('daily-2026-11-28.gz.age', await sealed('what the newest backup holds', keys[0]))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

async function written(name: string, content: string | Buffer): Promise<BackupFile> {
  const path = join(dataDir, 'backups', name)
  writeFileSync(path, content, { mode: 0o600 })
  const [bytes, sha256] = [statSync(path).size, createHash('sha256').update(content).digest('hex')]
  const label = { created_at: '2026-11-28T02:50:00.000Z', sha256, bytes, tables: 1, rows: 1, schema: '0183' }
  await writeLabel(dataDir, path, label)
  return { path, bytes, sha256, isEncrypted: name.endsWith('.age') }
}

async function sealed(text: string, key = ''): Promise<Buffer> {
  return buffer(sealedTo([key])(Readable.from([Buffer.from(text)])))
}

const DAMAGES: Record<string, { damage: () => unknown; says: string | RegExp }> = {
  'a file that was cut': {
    damage: () => truncateSync(newest.path, 100),
    says: /^daily-2026-11-28\.gz\.age was cut: 100 of \d+ bytes are left\.$/,
  },
  'an empty file': { damage: () => truncateSync(newest.path), says: 'daily-2026-11-28.gz.age is empty.' },
  'a missing file': { damage: () => rmSync(newest.path), says: "daily-2026-11-28.gz.age isn't there." },
  'one wrong bit': {
    damage: () => {
      const bytes = readFileSync(newest.path)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      writeFileSync(newest.path, bytes)
    },
    says: "daily-2026-11-28.gz.age isn't what was written: it was changed, or encrypted to another key.",
  },
  'a wrong key': {
    damage: async () => writeFileSync(newest.path, await sealed('what the newest backup holds', keys[1])),
    says: "daily-2026-11-28.gz.age isn't what was written: it was changed, or encrypted to another key.",
  },
  'a file that was decrypted': {
    damage: () => writeFileSync(newest.path, 'what the newest backup holds'.padEnd(newest.bytes)),
    says: "daily-2026-11-28.gz.age isn't encrypted.",
  },
  'yesterday’s file in its place': {
    damage: () => copyFileSync(yesterdays.path, newest.path),
    says: 'daily-2026-11-28.gz.age was replaced by daily-2026-11-27.gz.',
  },
  'a file that others may read': {
    damage: () => chmodSync(newest.path, 0o644),
    says: 'Others on this machine may read daily-2026-11-28.gz.age: its mode is 644.',
  },
  'a folder that others may read': {
    damage: () => chmodSync(join(dataDir, 'backups'), 0o755),
    says: 'Others on this machine may read backups: its mode is 755.',
  },
  'a label made with another secret': {
    damage: () => writeFileSync(join(dataDir, 'backup-secret'), 'ab'.repeat(32)),
    says: "The label of daily-2026-11-28.gz.age isn't right: this server's secret is another one, or somebody changed it.",
  },
  'a label that was changed with its file': {
    damage: () => {
      const text = readFileSync(labelOf(yesterdays.path), 'utf8')
      writeFileSync(labelOf(yesterdays.path), text.replace('"rows":1', '"rows":2'))
    },
    says: "The label of daily-2026-11-27.gz isn't right: this server's secret is another one, or somebody changed it.",
  },
  'a missing label': {
    damage: () => rmSync(labelOf(newest.path)),
    says: 'daily-2026-11-28.gz.age has no label that says what was written.',
  },
  'an earlier backup that was changed since': {
    damage: () => writeFileSync(yesterdays.path, 'what yesterday’s backup hid.s'),
    says: "daily-2026-11-27.gz isn't what was written: it was changed.",
  },
  'an earlier backup that was cut since': {
    damage: () => truncateSync(yesterdays.path, 10),
    says: 'daily-2026-11-27.gz was cut: 10 of 31 bytes are left.',
  },
  'an earlier backup that is empty': {
    damage: () => truncateSync(yesterdays.path),
    says: 'daily-2026-11-27.gz is empty.',
  },
}

test('F15: files that are as they were written have no finding, nor does one from before there were labels', async () => {
  assert.deepEqual(await fileFindings(dataDir, newest), [])
  rmSync(labelOf(yesterdays.path))
  utimesSync(yesterdays.path, 1_700_000_000, 1_700_000_000)
  assert.deepEqual(await fileFindings(dataDir, newest), [])
})

for (const [what, { damage, says }] of Object.entries(DAMAGES))
  test(`F15: a drill says what is wrong with ${what} on the disk`, async () => {
    await damage()
    const findings = await fileFindings(dataDir, newest)
    assert.ok(
      findings.some((finding) => (typeof says === 'string' ? finding === says : says.test(finding))),
      findings.join('\n') || 'nothing was found',
    )
  })
