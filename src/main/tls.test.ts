// TLS to other servers, if it's required: what a server of each kind on this machine gets to see without it, or with a
// certificate that nobody trusts.
import assert from 'node:assert/strict'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import pg from 'pg'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { clusterPlace } from '#platform/db/cluster-place.server.ts'
import { connectTo, onlyOverTls } from '#platform/db/connection.server.ts'
import { mailOnlyOverTls, refusePlainMail } from '#platform/mail/mail-tls.server.ts'
import { smtpMailer } from '#platform/mail/mailer.server.ts'
import { remoteEngine } from '#platform/speech/remote-engine.server.ts'
import { madeCertificate } from './testing/certificates.server.ts'
import { type ServerProcess, startProcess, until } from './testing/process.server.ts'
import { removeScratch, scratchFolder, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let trusted: Awaited<ReturnType<typeof madeCertificate>>
let strange: Awaited<ReturnType<typeof madeCertificate>>
const folder = scratchFolder()
const ours = join(folder, 'authority.pem')
before(async () => {
  ;[trusted, strange] = [await madeCertificate(), await madeCertificate()]
  writeFileSync(ours, trusted.certificate)
  setDefaultCACertificates([...getCACertificates('default'), trusted.certificate])
  server = await startTestServer()
})
after(async () => {
  await server.stop()
  removeScratch(folder)
})

/** Has the test's PostgreSQL offer TLS with this certificate. */
async function offerTls({ key, certificate }: { key: string; certificate: string }): Promise<void> {
  const { data } = clusterPlace(server.dataDir)
  const { uid, gid } = statSync(data)
  for (const [name, text] of [
    ['server.key', key],
    ['server.crt', certificate],
  ] as const) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    chownSync(join(data, name), uid, gid)
  }
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query('alter system set ssl = on')
  await client.query('select pg_reload_conf()')
  await client.end()
}

/** A server that starts against the test's expectation must not keep it waiting. */
const stopped = async (starting: Promise<ServerProcess>) => (await starting).stop()

const isEncrypted = async (url: string) => {
  const client = await connectTo(url)
  try {
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0]?.ssl as boolean
  } finally {
    await client.end()
  }
}

test('TLS that is required: the database without it, or with a strange certificate, is refused, at the start too', async () => {
  const url = onlyOverTls(server.superuserUrl)
  // A database of its own, so that its connections can be told from those of the test's server.
  const apart = new URL(server.superuserUrl)
  apart.pathname = '/apart'
  const client = await connectTo(server.superuserUrl)
  await client.query('create database apart')
  await client.end()
  const start = (more: Record<string, string> = {}) =>
    startProcess({
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: apart.href,
      DATABASE_TLS: 'require',
      ...more,
    })
  await assert.rejects(connectTo(url), /does not support SSL/)
  await assert.rejects(
    stopped(start()),
    /^Error: DATABASE_TLS is require, but the database can't be used over TLS: .*\n$/,
  )

  await offerTls(strange)
  await assert.rejects(connectTo(url), /self.signed certificate/)
  await assert.rejects(stopped(start()), /^Error: DATABASE_TLS is require, .*self-signed certificate.*\n$/)

  await offerTls(trusted)
  assert.deepEqual([await isEncrypted(url), await isEncrypted(server.superuserUrl)], [true, false])

  const started = await start({ NODE_EXTRA_CA_CERTS: ours })
  const watcher = await connectTo(server.superuserUrl)
  try {
    let seen: { ssl: boolean }[] = []
    await until('the server is connected', async () => {
      const { rows } = await watcher.query(
        "select application_name, ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = 'apart'",
      )
      seen = rows
      return seen.length > 0
    })
    assert.deepEqual(
      seen.filter(({ ssl }) => !ssl),
      [],
    )
  } finally {
    await watcher.end()
    await started.stop()
  }
})

/** Starts an email server and returns its URL's end, and everything that it was told. */
async function mailServer(options: SMTPServerOptions) {
  const told: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    logger: false,
    ...options,
    onAuth({ username }, _session, done) {
      told.push(`password of ${username}`)
      done(null, { user: username })
    },
    onMailFrom({ address }, { secure }, done) {
      told.push(`${address} ${secure ? 'over TLS' : 'in the clear'}`)
      done()
    },
    onData(stream, _session, done) {
      stream.resume().on('end', () => done())
    },
  })
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve)
  })
  const { port } = smtp.server.address() as AddressInfo
  return {
    told,
    at: `user:word@127.0.0.1:${port}`,
    close: () => new Promise<void>((done) => smtp.close(done)),
  }
}

const MAIL = { to: 'reader@example.com', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' }

test('TLS that is required: an email server without it, or with a strange certificate, learns nothing', async () => {
  const pem = ({ key, certificate }: typeof trusted) => ({ key, cert: certificate })
  const cases: [string, SMTPServerOptions, RegExp][] = [
    ['smtp', { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }, /STARTTLS/],
    ['smtp', pem(strange), /self.signed certificate/],
    ['smtps', { secure: true, ...pem(strange) }, /self.signed certificate/],
    ['smtps', { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }, /wrong version number/],
  ]
  for (const [protocol, options, reason] of cases) {
    const smtp = await mailServer(options)
    const url = mailOnlyOverTls(`${protocol}://${smtp.at}?tls.rejectUnauthorized=false&requireTLS=false`)
    try {
      await assert.rejects(refusePlainMail(url), (error: Error) => {
        assert.match(error.message, /^SMTP_TLS is require, but the email server can't be used over TLS: /)
        assert.match(error.message, reason)
        return true
      })
      await assert.rejects(smtpMailer(url, 'hello@tutorlog.example')('1', MAIL), reason)
      assert.deepEqual(smtp.told, [])
    } finally {
      await smtp.close()
    }
  }
})

test('TLS that is required: emails go out over TLS with a certificate that’s trusted; a server that’s away stops no start', async () => {
  for (const protocol of ['smtp', 'smtps']) {
    const { key, certificate: cert } = trusted
    const smtp = await mailServer({ secure: protocol === 'smtps', key, cert })
    const url = mailOnlyOverTls(`${protocol}://${smtp.at}`)
    await refusePlainMail(url)
    await smtpMailer(url, 'hello@tutorlog.example')('1', MAIL)
    await smtp.close()
    assert.deepEqual(smtp.told.slice(-2), ['password of user', 'hello@tutorlog.example over TLS'])
    await refusePlainMail(url)
  }
})

test('TLS that is required: the start stops with one line if the email server has none', async () => {
  const smtp = await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  try {
    await assert.rejects(
      stopped(
        startProcess({
          DATA_DIR: join(folder, 'mail-data'),
          DATABASE_URL: server.superuserUrl,
          SMTP_URL: `smtp://${smtp.at}`,
          SMTP_TLS: 'require',
        }),
      ),
      /^Error: SMTP_TLS is require, but the email server can't be used over TLS: [^\n]+\n$/,
    )
    assert.deepEqual(smtp.told, [])
  } finally {
    await smtp.close()
  }
})

test('TLS that is required: a speech server with a strange certificate gets no recording', async () => {
  const vocabulary = { names: ['Maya'], subjects: [], rates: [], words: [], sentences: async () => '' }
  for (const [{ key, certificate }, isTrusted] of [
    [strange, false],
    [trusted, true],
  ] as const) {
    let calls = 0
    const speech = createServer({ key, cert: certificate }, (request, response) => {
      calls += 1
      request.resume().on('end', () => response.end('{"text": "one hour with Maya"}'))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => speech.once('listening', resolve))
    const engine = remoteEngine({ url: `https://127.0.0.1:${(speech.address() as AddressInfo).port}` })
    const heard = engine.transcribe(Buffer.alloc(320), vocabulary, AbortSignal.timeout(5000))
    if (isTrusted) assert.equal((await heard).text, 'one hour with Maya')
    else await assert.rejects(heard, { message: /could not be reached/ })
    assert.equal(calls, isTrusted ? 1 : 0)
    speech.closeAllConnections()
    speech.close()
  }
})
