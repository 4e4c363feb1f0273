import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.server.ts'

/** A value that is refused for each variable that has a form of its own. */
const MALFORMED: Record<string, string[]> = {
  PORT: ['abc', '-1', '70000', '80.5'],
  BASE_URL: ['localhost', 'ftp://tutorlog.example', 'javascript:alert(1)'],
  DATABASE_URL: ['mysql://x@localhost/y', 'localhost:5432'],
  SMTP_URL: ['http://mail.example', 'mail.example:25'],
  OIDC_ISSUER: ['accounts.example'],
  STRIPE_API_URL: ['api.example', 'ftp://api.example'],
  SPEECH_ENGINE: ['cloud', 'ON'],
  SPEECH_URL: ['speech.example'],
  REFERRAL_BONUS_DAYS: ['many', '-1', '2.5'],
  TRIAL_DAYS: ['soon', '-1', '1.5', '99999'],
  LOG_LEVEL: ['loud'],
}

test('without any setting the app has all it needs, and nothing leaves this machine', () => {
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

test('an empty variable counts as none, and BASE_URL follows the port and loses its last slash', () => {
  assert.equal(readConfig({ PORT: '', BASE_URL: '' }).port, 3000)
  assert.equal(readConfig({ PORT: '8080' }).baseUrl, 'http://localhost:8080')
  assert.equal(readConfig({ BASE_URL: 'https://tutorlog.example/' }).baseUrl, 'https://tutorlog.example')
  assert.deepEqual(readConfig({ TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2,' }).trustedProxies, [
    '10.0.0.1',
    '10.0.0.2',
  ])
})

for (const [name, values] of Object.entries(MALFORMED)) {
  test(`a malformed ${name} stops the start with one line that names it`, () => {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => error.message.startsWith(`${name} is not valid`) && !error.message.includes('\n'),
        value,
      )
    }
  })
}

test('the token of the metrics may stand in a file, and one that cannot be read stops the start', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tutorlog-config-')), 'token')
  writeFileSync(path, 'scrape-me\n')
  assert.equal(readConfig({ METRICS_TOKEN_FILE: path }).metricsToken, 'scrape-me')
  assert.equal(readConfig({}).metricsToken, undefined)
  writeFileSync(path, '\n')
  for (const wrong of [path, `${path}-missing`])
    assert.throws(() => readConfig({ METRICS_TOKEN_FILE: wrong }), /^Error: METRICS_TOKEN_FILE is not valid/)
})

test('half of a Google sign-in is refused', () => {
  assert.throws(
    () => readConfig({ GOOGLE_CLIENT_ID: 'id' }),
    /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together/,
  )
  assert.throws(
    () => readConfig({ GOOGLE_CLIENT_SECRET: 'secret' }),
    /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together/,
  )
})

test('every variable that is read stands in the README, and each with a form is tried above', () => {
  const source = readFileSync(new URL('config.server.ts', import.meta.url), 'utf8')
  const schema = source.slice(source.indexOf('z.object({'), source.indexOf('export interface Config'))
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const variables = [...schema.matchAll(/^ {2}([A-Z_]+): (.*),$/gm)].map(([, name = '', form = '']) => ({
    name,
    form,
  }))
  assert.ok(variables.length > 10)
  for (const { name, form } of variables) {
    assert.ok(readme.includes(`\`${name}\``), `${name} is missing in the README`)
    const isFree = form === 'text' || form.startsWith('z._default(z.string()')
    assert.ok(isFree || name in MALFORMED, `${name} has a form and no malformed value here`)
  }
})
