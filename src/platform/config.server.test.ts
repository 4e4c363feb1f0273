import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.server.ts'

/** Invalid values for each variable that requires a specific format. */
const MALFORMED: Record<string, string[]> = {
  PORT: ['abc', '-1', '70000', '80.5', ' ', '0x50'],
  HOST: ['two words', 'http://localhost'],
  BASE_URL: [
    'localhost',
    'ftp://tutorlog.example',
    'javascript:alert(1)',
    'https://tutorlog.example/app',
    'https://tutorlog.example?a=b',
    'https://tutorlog.example#here',
    'https://user:word@tutorlog.example',
  ],
  DATA_DIR: [' '],
  DATABASE_URL: [
    'mysql://x@localhost/y',
    'localhost:5432',
    'postgresql://one:5432,other:port/y',
    'postgresql://one,other/y?target_session_attrs=standby',
  ],
  DATABASE_DIRECT_URL: ['mysql://x@localhost/y'],
  DATABASE_TLS: ['on', 'Require'],
  SMTP_TLS: ['yes'],
  SPEECH_TLS: ['1'],
  BACKUP_RECIPIENT: ['me@example.com', 'age1', ',', 'AGE-SECRET-KEY-1QQQ'],
  DATABASE_POOL: ['0', 'many', '1.5'],
  DATABASE_NAMED: ['yes'],
  SMTP_URL: ['http://mail.example', 'mail.example:25', 'smtp://', 'smtp:mail.example'],
  MAIL_FROM: ['nobody', 'Tutorlog', 'Tutorlog <nobody>', 'a@b.example\nBcc: c@d.example'],
  CONTACT_TO: ['nobody', 'a@b.example, c@d.example'],
  PUSH_CONTACT: ['nobody', 'a@b.example, c@d.example'],
  PUSH_HOSTS: [
    'push.example',
    'http://push.example',
    'https://push.example/path',
    'ftp://localhost',
    'https://a.example b',
  ],
  GOOGLE_CLIENT_ID: [' '],
  GOOGLE_CLIENT_SECRET: [' '],
  STRIPE_SECRET_KEY: [' '],
  STRIPE_WEBHOOK_SECRET: [' '],
  STRIPE_PRICE_MONTHLY: [' '],
  STRIPE_PRICE_YEARLY: [' '],
  SPEECH_API_KEY: [' '],
  SPEECH_MODEL: [' '],
  SPEECH_MODEL_DIR: [' '],
  SPEECH_CONCURRENCY: ['0', '-1', '1.5', 'many'],
  SIGN_UP: ['yes', 'invite', 'Open'],
  SEAL_CERTIFICATE: [' ', 'a\0b'],
  SEAL_KEY: [' '],
  METRICS_TOKEN: [' '],
  TRUSTED_PROXIES: [
    '10.0.0.0/99',
    '10.0.0.0/8/8',
    'proxy.example',
    '10.0.0.0/',
    '300.1.1.1',
    '10.0.0.1 10.0.0.2',
  ],
  OIDC_ISSUER: ['accounts.example'],
  STRIPE_API_URL: ['api.example', 'ftp://api.example'],
  SPEECH_ENGINE: ['cloud', 'ON'],
  OFFLINE: ['yes', 'true'],
  SPEECH_URL: ['speech.example'],
  REFERRAL_BONUS_DAYS: ['many', '-1', '2.5'],
  TRIAL_DAYS: ['soon', '-1', '1.5', '99999', ' ', '1e2', '0x10'],
  LOG_LEVEL: ['loud'],
}

test('without any settings the app works, and nothing leaves this machine', () => {
  const config = readConfig({})
  assert.deepEqual(
    [config.port, config.host, config.baseUrl, config.trialDays, config.logLevel],
    [3000, '127.0.0.1', 'http://localhost:3000', 45, 'info'],
  )
  assert.equal(config.dataDir, resolve('data'))
  assert.deepEqual(
    [config.databaseUrl, config.mail, config.google, config.trustedProxies],
    [undefined, undefined, undefined, []],
  )
  assert.deepEqual(
    [config.mailFrom, config.contactTo],
    ['Tutorlog <no-reply@localhost>', 'contact@localhost'],
  )
})

test('an empty variable counts as unset, and BASE_URL follows the port and loses its trailing slash', () => {
  assert.equal(readConfig({ PORT: '', BASE_URL: '' }).port, 3000)
  assert.equal(readConfig({ PORT: '8080' }).baseUrl, 'http://localhost:8080')
  assert.equal(readConfig({ BASE_URL: 'https://tutorlog.example/' }).baseUrl, 'https://tutorlog.example')
  assert.deepEqual(readConfig({ TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2,' }).trustedProxies, [
    '10.0.0.1',
    '10.0.0.2',
  ])
})

for (const [name, values] of Object.entries(MALFORMED)) {
  test(`a malformed ${name} stops the start with a one-line message that names it`, () => {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => error.message.startsWith(`${name} is not valid`) && !error.message.includes('\n'),
        value,
      )
    }
  })
}

test('a secret may be in a file, and a file that cannot be read stops the start', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tutorlog-config-')), 'secret')
  const secrets: Record<string, [string, (config: ReturnType<typeof readConfig>) => unknown]> = {
    METRICS_TOKEN: ['scrape-me', (config) => config.metricsToken],
    DATABASE_URL: ['postgresql://me:word@db.example/tutorlog', (config) => config.databaseUrl],
    SMTP_URL: ['smtps://me:word@mail.example', (config) => config.mail?.smtpUrl],
    SPEECH_API_KEY: ['speak', (config) => config.speech.apiKey],
  }
  for (const [name, [value, read]] of Object.entries(secrets)) {
    writeFileSync(path, `${value}\n`)
    assert.equal(read(readConfig({ [`${name}_FILE`]: path })), value)
    assert.throws(
      () => readConfig({ [name]: value, [`${name}_FILE`]: path }),
      /^Error: \w+_FILE is not valid/,
    )
    writeFileSync(path, '\n')
    for (const wrong of [path, `${path}-missing`])
      assert.throws(
        () => readConfig({ [`${name}_FILE`]: wrong }),
        (error: Error) => error.message.startsWith(`${name}_FILE is not valid`),
      )
  }
})

test('a database may have several hosts, and a URL that bypasses its pooler', () => {
  const hosts = 'postgresql://me:word@one:5432,[::1]:5433/tutorlog?target_session_attrs=read-write'
  assert.equal(readConfig({ DATABASE_URL: hosts }).databaseDirectUrl, hosts)
  const both = { DATABASE_URL: 'postgresql://pooler:6432/tutorlog', DATABASE_DIRECT_URL: hosts }
  const { databaseUrl, databaseDirectUrl } = readConfig(both)
  assert.deepEqual([databaseUrl, databaseDirectUrl], Object.values(both))
  assert.throws(() => readConfig({ DATABASE_DIRECT_URL: hosts }), /^Error: DATABASE_URL is missing/)
})

test('the message about a malformed value says what is wrong and what is valid, and reveals no secret', () => {
  assert.throws(() => readConfig({ TRUSTED_PROXIES: '10.0.0.0/99' }), {
    message:
      'TRUSTED_PROXIES is not valid: "10.0.0.0/99" is not addresses and networks such as 10.0.0.0/8, separated by commas. Correct it or leave it out.',
  })
  assert.throws(
    () => readConfig({ DATABASE_URL: 'mysql://me:hunter2@localhost/y' }),
    (error: Error) => !error.message.includes('hunter2'),
  )
  assert.throws(() => readConfig({ BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1QQQ' }), {
    message:
      'BACKUP_RECIPIENT is not valid: its value is not a public key that starts with age1 (new-backup-key makes one), or several, separated by commas. Correct it or leave it out.',
  })
})

test('a near miss of a setting gets a warning, and nothing else does', () => {
  const { warnings } = readConfig({
    TRAIL_DAYS: '30',
    TRUSTED_PROXY: '10.0.0.1',
    SMTP_URI: 'smtp://mail.example',
    HOME: '/root',
    HOSTNAME: 'here',
    METRICS_TOKEN: 'word',
  })
  assert.deepEqual(warnings, [
    'TRAIL_DAYS is not a setting and is ignored. Did you mean TRIAL_DAYS?',
    'SMTP_URI is not a setting and is ignored. Did you mean SMTP_URL?',
  ])
})

test('push messages may also go to listed origins, and push services are told the contact address', () => {
  assert.deepEqual(
    readConfig({ PUSH_HOSTS: 'https://push.example:8443/, http://127.0.0.1:9000' }).pushHosts,
    ['https://push.example:8443', 'http://127.0.0.1:9000'],
  )
  assert.deepEqual(
    [{}, { CONTACT_TO: 'Support <help@a.example>' }, { PUSH_CONTACT: 'push@a.example' }].map(
      (settings) => readConfig({ BASE_URL: 'https://a.example', ...settings }).pushContact,
    ),
    ['contact@a.example', 'help@a.example', 'push@a.example'],
  )
})

test('one of the two Google settings alone is refused', () => {
  assert.throws(
    () => readConfig({ GOOGLE_CLIENT_ID: 'id' }),
    /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together/,
  )
  assert.throws(
    () => readConfig({ GOOGLE_CLIENT_SECRET: 'secret' }),
    /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together/,
  )
})

test('every variable we read is in the README, and each is tested above', () => {
  const source = readFileSync(new URL('config.server.ts', import.meta.url), 'utf8')
  const schema = source.slice(source.indexOf('z.object({'), source.indexOf('export interface Config'))
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const names = [...schema.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name)
  assert.ok(names.length > 20)
  for (const name of names) {
    assert.ok(readme.includes(`\`${name}\``), `${name} is missing in the README`)
    assert.ok(name in MALFORMED, `${name} has no malformed value here`)
  }
})

test('TLS that is required can’t be turned off by an address, and what could never have it stops the start', () => {
  const all = { DATABASE_TLS: 'require', SMTP_TLS: 'require', SPEECH_TLS: 'require' }
  const config = readConfig({
    ...all,
    DATABASE_URL:
      'postgresql://o:w%40d@one:5432,other/tutorlog?ssl=0&sslmode=no-verify&target_session_attrs=primary',
    DATABASE_DIRECT_URL: 'postgresql://o@db/tutorlog?uselibpqcompat=true&sslrootcert=/etc/ca.pem',
    SMTP_URL:
      'smtp://user:word@mail.example:25?requireTLS=false&ignoreTLS=true&tls.rejectUnauthorized=false&name=a',
    SPEECH_URL: 'https://speech.example',
  })
  assert.deepEqual(
    [config.databaseUrl, config.databaseDirectUrl, config.mail],
    [
      'postgresql://o:w%40d@one:5432,other/tutorlog?target_session_attrs=primary&sslmode=verify-full',
      'postgresql://o@db/tutorlog?sslrootcert=%2Fetc%2Fca.pem&sslmode=verify-full',
      { smtpUrl: 'smtp://user:word@mail.example:25?name=a&requireTLS=true', isTlsRequired: true },
    ],
  )
  const { mail } = readConfig({ ...all, SMTP_URL: 'smtps://mail.example?secure=false' })
  assert.equal(mail?.smtpUrl, 'smtps://mail.example?secure=true')
  assert.throws(
    () => readConfig({ ...all, SPEECH_URL: 'http://127.0.0.1:9000' }),
    /^Error: SPEECH_TLS is require, so SPEECH_URL has to start with https:\/\/\.$/,
  )
  for (const name of ['DATABASE_TLS', 'SMTP_TLS', 'SPEECH_TLS'])
    assert.throws(
      () => readConfig({ [name]: 'require', NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
      new RegExp(`${name} is require, so NODE_TLS_REJECT_UNAUTHORIZED can't be 0`),
    )
  // Nothing is connected to, so nothing is in the clear.
  assert.equal(readConfig(all).databaseUrl, undefined)
  const url = 'postgresql://o@db/tutorlog?sslmode=disable'
  assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
})
