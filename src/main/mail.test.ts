// Sends emails through a real SMTP server. Checks the emails that arrive, and what happens while that server
// is down.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { freePort } from '#platform/free-port.server.ts'
import { smtpMailer } from '#platform/mail/mailer.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'
import { byLink } from './testing/two-sides.server.ts'

interface Caught {
  from: string
  to: string[]
  /** The raw source of the email. */
  source: string
}

/**
 * A local mail server that collects the emails it receives. `answer` can reject an email once it has been
 * transmitted.
 */
async function catchMails(port = 0, answer: () => Error | undefined = () => undefined) {
  const mails: Caught[] = []
  const refused: Caught[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 50,
    onData(stream, session, done) {
      void text(stream)
        .then((source) => {
          const mail = {
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            to: session.envelope.rcptTo.map((recipient) => recipient.address),
            source,
          }
          const refusal = answer()
          if (refusal) refused.push(mail)
          else mails.push(mail)
          done(refusal)
          // If the connection was cut partway, the email wasn't delivered.
        })
        .catch(() => undefined)
    },
  })
  smtp.on('error', () => undefined)
  smtp.listen(port, '127.0.0.1')
  await once(smtp.server, 'listening')
  return {
    mails,
    refused,
    port: (smtp.server.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (
    const end = Date.now() + 60_000;
    !(await isSo());
    await new Promise((resolve) => setTimeout(resolve, 25))
  )
    assert.ok(Date.now() < end, 'it did not come to that')
}

const header = (mail: Caught | undefined, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'mi')
    .exec(mail?.source ?? '')?.[1]
    ?.replaceAll(/\r\n\s+/g, ' ')
// Both parts of an email are quoted-printable.
const plain = (mail: Caught | undefined) =>
  (mail?.source ?? '')
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

let server: TestServer
let port: number
before(async () => {
  port = await freePort()
  server = await startTestServer({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Tutorlog <hello@tutorlog.example>',
    BASE_URL: 'https://tutorlog.example',
  })
})
after(async () => server.stop())

const signUp = (email: string) =>
  server
    .aStranger()
    .call(
      'POST',
      '/api/auth/sign-up',
      { email, password: PASSWORD, role: 'parent' },
      { origin: 'https://tutorlog.example', host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    )
const attempts = async (recipient: string) =>
  (
    await server.db.asSystem((tx) =>
      tx.selectFrom('outbox').select('attempts').where('recipient', '=', recipient).executeTakeFirstOrThrow(),
    )
  ).attempts

test('F6: signing up works while the mail server is away; the mail arrives once when it is back', async () => {
  assert.equal((await signUp('early@example.com')).status, 200)
  await until(async () => (await attempts('early@example.com')) > 0)
  const smtp = await catchMails(port)
  try {
    await until(() => smtp.mails.length > 0)
    assert.deepEqual(
      smtp.mails.map((mail) => mail.to),
      [['early@example.com']],
    )
    await signUp('later@example.com')
    await until(() => smtp.mails.length > 1)
    assert.deepEqual(
      smtp.mails.map((mail) => mail.to[0]),
      ['early@example.com', 'later@example.com'],
      'the first came once',
    )
  } finally {
    await smtp.stop()
  }
})

test('F6: when the email server is back after hours, everything that waits goes out within a minute', async () => {
  const waiting = ['first@example.com', 'second@example.com', 'third@example.com']
  for (const email of waiting) await signUp(email)
  await until(async () => Math.min(...(await Promise.all(waiting.map(attempts)))) > 0)
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  // The job's state after hours of retries.
  await client.query(
    "update graphile_worker._private_jobs set run_at = now() + interval '6 hours', attempts = 12 where locked_at is null",
  )
  await client.end()
  const smtp = await catchMails(port)
  try {
    await until(() => smtp.mails.length >= waiting.length)
    assert.deepEqual(smtp.mails.map((mail) => mail.to[0]).sort(), [...waiting].sort())
  } finally {
    await smtp.stop()
  }
})

test('F6: a mail that the server refuses for now comes again, as the same message', async () => {
  let isBusy = true
  const smtp = await catchMails(port, () =>
    isBusy ? Object.assign(new Error('try again later'), { responseCode: 451 }) : undefined,
  )
  try {
    await signUp('busy@example.com')
    await until(() => smtp.refused.length > 0)
    isBusy = false
    await until(() => smtp.mails.length > 0)
    assert.equal(header(smtp.mails[0], 'Message-ID'), header(smtp.refused[0], 'Message-ID'))
  } finally {
    await smtp.stop()
  }
})

test('A7: the mail of a sign-up has subject, sender, text and HTML, and links to BASE_URL only, whatever Host the call named', async () => {
  const smtp = await catchMails(port)
  try {
    assert.equal((await signUp('new@example.com')).status, 200)
    await until(() => smtp.mails.length > 0)
    const [mail] = smtp.mails
    assert.deepEqual([mail?.from, mail?.to], ['hello@tutorlog.example', ['new@example.com']])
    assert.deepEqual(
      [header(mail, 'Subject'), header(mail, 'From'), header(mail, 'To')],
      ['Verify your email for Tutorlog', 'Tutorlog <hello@tutorlog.example>', 'new@example.com'],
    )
    assert.match(header(mail, 'Content-Type') ?? '', /^multipart\/alternative/)
    const body = plain(mail)
    assert.match(body, /Content-Type: text\/plain/)
    assert.match(body, /Content-Type: text\/html/)
    const links = [...body.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => new URL(link))
    assert.equal(links.length, 3, 'in the text, on the button and below it')
    for (const link of links)
      assert.deepEqual([link.origin, link.pathname], ['https://tutorlog.example', '/verify-email'])
    assert.ok(!body.includes('evil.example'))
  } finally {
    await smtp.stop()
  }
})

test('I8: what people wrote is escaped in the HTML and cannot add a header', async () => {
  const smtp = await catchMails()
  try {
    const nasty = `<img src=x onerror=alert(1)> & "quotes" 'n'`
    const mail = renderMail('reader@example.com', {
      subject: 'Hello\r\nBcc: victim@example.com',
      paragraphs: [nasty],
      button: { label: '</a><script>', url: 'https://tutorlog.example/?a="><script>' },
      footer: nasty,
    })
    assert.doesNotMatch(mail.html, /<img|<script|onerror=alert\(1\)>/)
    assert.ok(mail.html.includes('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;quotes&#34; &#39;n&#39;'))
    await smtpMailer(`smtp://127.0.0.1:${smtp.port}`, 'hello@tutorlog.example')('1', mail)
    assert.deepEqual(smtp.mails[0]?.to, ['reader@example.com'])
    assert.equal(header(smtp.mails[0], 'Bcc'), undefined)
    assert.equal(header(smtp.mails[0], 'Subject'), 'Hello Bcc: victim@example.com')
  } finally {
    await smtp.stop()
  }
})

test('I9: no part of a mail is read from a file or an address, and the calls take none', async () => {
  const smtp = await catchMails()
  let visits = 0
  const canary = createServer((socket) => {
    visits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const send = smtpMailer(`smtp://127.0.0.1:${smtp.port}`, 'hello@tutorlog.example')
  const canaryUrl = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`
  try {
    for (const sneaky of [{ path: '/etc/hostname' }, { href: canaryUrl }]) {
      const mail = {
        to: 'reader@example.com',
        subject: 'Hi',
        text: sneaky as unknown as string,
        html: sneaky as unknown as string,
      }
      await assert.rejects(send('1', mail), /access rejected/)
    }
    assert.deepEqual([smtp.mails.length, visits], [0, 0])
    for (const value of [{ path: '/etc/hostname' }, { href: canaryUrl }, { raw: 'To: victim@example.com' }]) {
      const answer = await server
        .aStranger()
        .call(
          'POST',
          '/api/auth/sign-up',
          { email: value, password: PASSWORD, role: 'parent' },
          { origin: 'https://tutorlog.example' },
        )
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [422, 'email'])
    }
  } finally {
    canary.close()
    await smtp.stop()
  }
})

test('a tutor closes a month with each of 12 families without accounts: 12 pages, the same for both sides, and balances equal to the cent', async () => {
  const smtp = await catchMails(port)
  const { now } = server.clock
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  const month = '2026-11'
  const tutor = server.aStranger()
  const caller = (who: Caller) => async (method: string, path: string, body?: object) => {
    const answer = await who.call(method, path, body, { origin: 'https://tutorlog.example' })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const ask = caller(tutor)
  /** The secret in the newest email that links to a page. */
  const secretFor = async (email: string, page: string) => {
    const own = () => smtp.mails.filter(({ to }) => to[0] === email)
    await until(() => own().some((mail) => plain(mail).includes(page)))
    return new RegExp(`${page}#(?:token=)?([\\w-]+)`).exec(plain(own().at(-1)))?.[1] ?? ''
  }
  const idOf = ({ body }: Answer) => String(body.id)
  const rows = ({ body }: Answer) => Object.values(body).find(Array.isArray) as Record<string, unknown>[]
  try {
    await ask('POST', '/api/auth/sign-up', { email: tutor.email, password: PASSWORD, role: 'tutor' })
    await ask('POST', '/api/auth/verify', { token: await secretFor(tutor.email, '/verify-email') })
    const [self] = (await ask('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
    const families = Array.from({ length: 12 }, (_one, at) => ({ at, email: `family-${at}@example.com` }))
    const closed = await Promise.all(
      families.map(async ({ at, email }) => {
        const student = idOf(await ask('POST', '/api/v1/students', { name: `Student ${at}` }))
        for (const [day, duration] of [
          ['03', 1],
          ['17', 0.75 + at / 4],
        ] as const)
          await ask('POST', '/api/v1/sessions', {
            student_id: student,
            tutor_id: self?.id,
            date: `${month}-${day}`,
            duration,
            hourly_rate: 45.55 + at,
          })
        const connection = idOf(
          await ask('POST', '/api/v1/connections', {
            email,
            student_ids: [student],
            name: 'Ingrid Lindqvist',
          }),
        )
        const token = await secretFor(email, '/confirm')
        const family = server.aStranger()
        const page = async (path: string, body: object = {}) => {
          const answer = await byLink(family, token, path, body, { origin: 'https://tutorlog.example' })
          assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
          return answer
        }
        const seen = rows(await page('open')).map(({ id, version }) => ({ id, version }))
        assert.equal(((await page('confirm', { sessions: seen })).body.confirmed as string[]).length, 2)
        // One family pays in full, and another pays part of what's due. For the third, the tutor records the
        // payment.
        const due = Number((await page('payments')).body.balance)
        const paid = { date: `${month}-28`, amount: at % 3 === 0 ? due : 33.33 }
        if (at % 3 === 2) {
          const { body } = await ask('POST', '/api/v1/payments', { ...paid, student_id: student })
          await page('payments/confirm', { id: body.id, version: body.version })
        } else
          await ask(
            'POST',
            `/api/v1/payments/${idOf(await page('payments/paid', { ...paid, method: 'transfer' }))}/confirm`,
            {},
          )
        const byTutor = () => ask('POST', '/api/v1/months/close', { connection_id: connection, month })
        const byFamily = () => page('months/close', { month })
        const [first, second] = at % 2 === 0 ? [byTutor, byFamily] : [byFamily, byTutor]
        assert.equal((await first()).body.state, 'asked_by_you')
        const { body: stamped } = await second()
        const inCents = (amount: unknown) => Math.round(Number(amount) * 100)
        const balance = inCents((await page('payments')).body.balance)
        assert.equal(balance, inCents(due) - inCents(paid.amount))
        assert.equal(inCents(stamped.balance), balance)
        return { email, connection, page, state: stamped.state, code: stamped.code, balance }
      }),
    )
    const { balances } = (await ask('GET', `/api/v1/balances?month=${month}`)).body as {
      balances: Record<string, unknown>[]
    }
    for (const { connection, state, balance } of closed) {
      assert.equal(state, 'closed')
      const own = balances.find((one) => one.connection_id === connection)
      assert.equal(Math.round(Number(own?.balance) * 100), balance, 'equal to the cent')
    }
    assert.equal(new Set(closed.map(({ code }) => code)).size, 12)
    const accounts = await server.db.asSystem((tx) =>
      tx.selectFrom('users').select('email').where('email', 'like', 'family-%').execute(),
    )
    assert.deepEqual(accounts, [])
    // Downloads one PDF after another, as a person would.
    const pages = new Set<string>()
    for (const { email, connection, page } of closed) {
      const ours = await ask('GET', `/api/v1/months/page.pdf?connection_id=${connection}&month=${month}`)
      const theirs = await page('months/page.pdf', { month })
      assert.ok(ours.bytes.equals(theirs.bytes), `${email}: the same page`)
      pages.add(theirs.bytes.toString('base64'))
    }
    assert.equal(pages.size, 12)
  } finally {
    server.clock.now = now
    await smtp.stop()
  }
})
