// Mails through a real SMTP server: what arrives, and what happens while the server is away.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { freePort } from '#platform/free-port.server.ts'
import { smtpMailer } from '#platform/mail/mailer.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'
import { PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

interface Caught {
  from: string
  to: string[]
  /** The message as it went over the wire. */
  source: string
}

/** A mail server on loopback that keeps what it takes; `answer` may refuse a mail after it was sent. */
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
          // A sender that breaks off in the middle sent no mail.
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
    const end = Date.now() + 20_000;
    !(await isSo());
    await new Promise((resolve) => setTimeout(resolve, 25))
  )
    assert.ok(Date.now() < end, 'it did not come to that')
}

const header = (mail: Caught | undefined, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'mi')
    .exec(mail?.source ?? '')?.[1]
    ?.replaceAll(/\r\n\s+/g, ' ')
// Both halves are quoted-printable.
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
