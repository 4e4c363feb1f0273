// Planted faults, and what the doctor says about each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  backupFindings,
  clockFinding,
  diskFinding,
  type Finding,
  historyFinding,
  mailFindings,
  pushFinding,
  reportOf,
  roleFindings,
  sealFinding,
  type SettingFacts,
  settingFindings,
  speechFinding,
  versionFindings,
} from './doctor.ts'

const GOOD: SettingFacts = {
  baseUrl: 'https://tutorlog.example',
  isBaseUrlSet: true,
  warnings: [],
  smtp: { isPlainUrl: true, isTlsRequired: true },
  metricsToken: undefined,
  trustedProxies: ['10.0.0.1'],
  plainBackups: undefined,
  externalDatabase: undefined,
  acceptsAnyCertificate: false,
  hasContact: true,
}
const GB = 1e9
const VERSIONS = {
  node: '24.1.0',
  leastNode: '20.19',
  server: '1.0.0',
  postgres: 180_001,
  applied: ['0101-a.sql', '0102-b.sql'],
  known: ['0101-a.sql', '0102-b.sql'],
}
const ROLES = { mighty: [], open: [], stray: [], isOpen: false }
const now = new Date('2026-11-28T12:00:00Z')
const backup = (hours: number, more = {}) => ({
  name: `daily-${hours}.gz`,
  createdAt: new Date(now.getTime() - hours * 3_600_000).toISOString(),
  isWhole: true,
  ...more,
})

const sick = (findings: Finding[] | Finding) =>
  [findings].flat().flatMap(({ verdict, text }) => (verdict === 'ok' ? [] : [`${verdict}: ${text}`]))

test('doctor: an installation in order has nothing to complain about', () => {
  const findings = [
    ...settingFindings(GOOD),
    diskFinding({ free: 100 * GB, database: GB, backups: GB }),
    ...versionFindings(VERSIONS),
    ...roleFindings(ROLES),
    clockFinding(-40),
    ...backupFindings([backup(9), backup(33)], now),
    ...mailFindings(undefined, undefined, false),
    historyFinding(12, 0),
    speechFinding('local', undefined),
    pushFinding(true),
    sealFinding({ validFrom: new Date(0), validTo: new Date('2028-01-01') }, now),
  ]
  assert.deepEqual(sick(findings), [])
  const { text, hasProblems } = reportOf(findings)
  assert.equal(hasProblems, false)
  assert.match(text, /\n0 problems, 0 warnings\.$/)
})

/** A fault, what it's told by, and how bad it is. */
const PLANTED: [fault: string, findings: Finding[] | Finding, said: RegExp][] = [
  [
    'a misspelled setting',
    settingFindings({ ...GOOD, warnings: ['SMPT_URL is not a setting'] }),
    /^warning: SMPT_URL/,
  ],
  [
    'no public address',
    settingFindings({ ...GOOD, isBaseUrlSet: false, baseUrl: 'http://localhost:3000' }),
    /^warning: BASE_URL/,
  ],
  [
    'a public address without TLS',
    settingFindings({ ...GOOD, baseUrl: 'http://tutorlog.example' }),
    /^problem: BASE_URL is http/,
  ],
  [
    'a proxy that isn’t trusted',
    settingFindings({ ...GOOD, trustedProxies: [] }),
    /^warning: TRUSTED_PROXIES/,
  ],
  ['no email server', settingFindings({ ...GOOD, smtp: undefined }), /^warning: SMTP_URL/],
  [
    'email that may be plain',
    settingFindings({ ...GOOD, smtp: { isPlainUrl: true, isTlsRequired: false } }),
    /^warning: SMTP_TLS/,
  ],
  [
    'a database over a network without TLS',
    settingFindings({ ...GOOD, externalDatabase: { isLocal: false, isTlsRequired: false } }),
    /^warning: DATABASE_TLS/,
  ],
  [
    'any certificate accepted',
    settingFindings({ ...GOOD, acceptsAnyCertificate: true }),
    /^problem: NODE_TLS/,
  ],
  [
    'plain backups',
    settingFindings({ ...GOOD, plainBackups: 'BACKUP_RECIPIENT is not set' }),
    /^warning: BACKUP_RECIPIENT/,
  ],
  [
    'a token that can be guessed',
    settingFindings({ ...GOOD, metricsToken: 'guess-me' }),
    /^warning: METRICS_TOKEN is short/,
  ],
  ['nobody to tell', settingFindings({ ...GOOD, hasContact: false }), /^warning: CONTACT_TO/],
  ['a disk that’s full', diskFinding({ free: 1e6, database: GB, backups: GB }), /^problem: 1\.0 MB free/],
  [
    'too little room to restore',
    diskFinding({ free: GB, database: GB, backups: GB }),
    /^warning: .*too little to restore/,
  ],
  ['an old Node', versionFindings({ ...VERSIONS, node: '20.9.0' }), /^problem: Node 20\.9\.0 is too old/],
  [
    'an old PostgreSQL',
    versionFindings({ ...VERSIONS, postgres: 140_010 }),
    /^problem: PostgreSQL 14 is too old/,
  ],
  [
    'tables of an older version',
    versionFindings({ ...VERSIONS, applied: ['0101-a.sql'] }),
    /^problem: The tables lack 1 steps/,
  ],
  [
    'tables of a newer version',
    versionFindings({ ...VERSIONS, applied: [...VERSIONS.applied, '0999-z.sql'] }),
    /^problem: The database belongs to another version \(0999/,
  ],
  [
    'a role that sees everything',
    roleFindings({ ...ROLES, mighty: ['tutorlog_5_server'] }),
    /^problem: tutorlog_5_server may see/,
  ],
  [
    'a table without row-level security',
    roleFindings({ ...ROLES, open: ['sessions'] }),
    /^problem: .*off on sessions/,
  ],
  ['a table of another role', roleFindings({ ...ROLES, stray: ['users'] }), /^problem: users belong/],
  ['a database open to all', roleFindings({ ...ROLES, isOpen: true }), /^warning: Anyone who/],
  ['a clock that’s off', clockFinding(90_000), /^problem: .*90\.0 s ahead/],
  ['a clock that’s a little off', clockFinding(-5000), /^warning: .*5\.0 s behind/],
  ['no backup', backupFindings([], now), /^warning: There’s none yet/],
  ['backups that stopped', backupFindings([backup(80)], now), /^problem: The newest is 80 hours old/],
  ['a night without a backup', backupFindings([backup(30)], now), /^warning: The newest is 30 hours old/],
  [
    'a backup that was changed',
    backupFindings([backup(9), backup(33, { isWhole: false })], now),
    /^problem: daily-33\.gz was changed/,
  ],
  [
    'a backup from elsewhere',
    backupFindings([backup(9), backup(3, { isWhole: false, createdAt: undefined })], now),
    /^warning: daily-3\.gz isn’t one/,
  ],
  [
    'an email server that refuses',
    mailFindings('Invalid login (EAUTH)', undefined, false),
    /^problem: .*EAUTH/,
  ],
  [
    'an email server without TLS',
    mailFindings(undefined, 'no STARTTLS (ETLS)', false),
    /^warning: .*not over TLS/,
  ],
  ['a broken history', historyFinding(100, 2), /^problem: 2 entries are broken/],
  ['an engine that fails', speechFinding('remote', 'speech_failed'), /^problem: The remote engine failed/],
  [
    'a certificate that expires soon',
    sealFinding({ validFrom: new Date(0), validTo: new Date('2026-12-20') }, now),
    /^warning: The certificate is valid until 2026-12-20/,
  ],
  [
    'a certificate that expired',
    sealFinding({ validFrom: new Date(0), validTo: new Date('2026-11-01') }, now),
    /^problem: The certificate expired on 2026-11-01/,
  ],
  [
    'a certificate for later',
    sealFinding({ validFrom: new Date('2027-01-01'), validTo: new Date('2028-01-01') }, now),
    /^problem: The certificate isn’t valid before 2027-01-01/,
  ],
  ['no key for messages', pushFinding(false), /^problem: The key for messages/],
]

for (const [fault, findings, said] of PLANTED)
  test(`doctor: ${fault} is the one thing it complains about`, () => {
    const told = sick(findings)
    assert.equal(told.length, 1, told.join('\n'))
    assert.match(told[0] ?? '', said)
    assert.equal(reportOf([findings].flat()).hasProblems, told[0]?.startsWith('problem'))
  })
