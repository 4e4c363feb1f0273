import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { buildServer } from '#main/services.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { readConfig } from '#platform/config.server.ts'
import { announceTerms, forgetMessages } from './jobs.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ CONTACT_TO: 'Tutorlog help <help@example.com>' })
})
after(async () => server.stop())

let count = 0
const message = (more: object = {}) => ({
  name: 'Dana',
  email: `writer-${++count}@example.com`,
  subject: 'A question',
  message: 'How do I add a second child?',
  ...more,
})
const outbox = (kind: string) =>
  server.db.asSystem((tx) =>
    tx.selectFrom('outbox').select(['recipient', 'created_at']).where('kind', '=', kind).execute(),
  )
// All tests share one network address, and therefore its rate limit, so each message comes from a new
// account.
const send = async (input: object) => (await server.aUser()).call('POST', '/api/v1/contact', input)

test("a message reaches the contact mailbox with a prefixed subject and its sender's name", async () => {
  const answer = await server
    .aStranger()
    .call(
      'POST',
      '/api/v1/contact',
      message({ email: 'dana@example.com', subject: 'Two children\r\nBcc: x@example.com' }),
    )
  assert.equal(answer.status, 200)
  const mail = await server.mailTo('help@example.com', 'Contact Form: Two children')
  assert.equal(mail.subject, 'Contact Form: Two children Bcc: x@example.com')
  assert.match(mail.text, /^Dana \(dana@example\.com\) wrote:\n\nHow do I add a second child\?/)
})

test('I8: what is typed arrives as text, never as HTML', async () => {
  assert.equal(
    (
      await send(
        message({
          name: '<script>alert(1)</script>',
          subject: 'Escaped',
          message: '<img src=x onerror="alert(1)">\nsecond line',
        }),
      )
    ).status,
    200,
  )
  const mail = await server.mailTo('help@example.com', 'Escaped')
  assert.doesNotMatch(mail.html, /<script|<img/)
  assert.match(mail.text, /<img src=x onerror="alert\(1\)">\nsecond line/)
})

test('I7, I9: all four fields are required, nothing else is accepted, and no value is read from a file or a URL', async () => {
  const user = await server.aUser()
  const before = (await outbox('contact')).length
  const bad: [object, string][] = [
    ...['name', 'email', 'subject', 'message'].flatMap((field): [object, string][] =>
      [
        undefined,
        '',
        '  ',
        null,
        7,
        ['a'],
        { path: '/etc/passwd' },
        { href: 'http://x.example' },
        { raw: 'x' },
        'a\u0000b',
        'x'.repeat(5001),
      ].map((value) => [{ [field]: value }, field]),
    ),
    [{ email: 'a@x.example,b@x.example' }, 'email'],
    [{ email: 'a@x.example\r\nBcc: b@x.example' }, 'email'],
    ...['to', 'from', 'html', 'cc', 'bcc', 'attachments'].map((field): [object, string] => [
      { [field]: 'x@example.com' },
      field,
    ]),
  ]
  for (const [change, field] of bad) {
    const answer = await user.call('POST', '/api/v1/contact', message(change))
    assert.deepEqual(
      [answer.status, [...new Set(answer.body.errors?.map((error) => error.field))]],
      [422, [field]],
      JSON.stringify(change),
    )
  }
  assert.equal((await outbox('contact')).length, before)
})

test('I10: messages are limited per sender and per address', async () => {
  const user = await server.aUser()
  const statuses = await Promise.all(
    Array.from({ length: 14 }, () =>
      user.call('POST', '/api/v1/contact', message()).then(({ status }) => status),
    ),
  )
  assert.deepEqual(statuses.sort(), [...Array(10).fill(200), ...Array(4).fill(429)])
  const same: number[] = []
  for (let times = 0; times < 7; times++)
    same.push((await send(message({ email: 'same@example.com' }))).status)
  assert.deepEqual(same, [...Array(5).fill(200), 429, 429])
})

test('a message is deleted after 30 days', async () => {
  const [row] = await outbox('contact')
  assert.ok(row)
  await forgetMessages(server.db, new Date(row.created_at.getTime() + 31 * 86_400_000))
  assert.deepEqual(await outbox('contact'), [])
})

test('P8: new terms are announced to every user once; a second run emails only newer users, and another date is refused', async () => {
  const [ann, bob] = [await server.aUser(), await server.aUser('tutor')]
  const unconfirmed = server.aStranger()
  await unconfirmed.call('POST', '/api/auth/sign-up', {
    email: unconfirmed.email,
    password: 'greenhouse-41',
    role: 'parent',
  })
  const announcement = { version: '2027-01-01', effectiveDay: '2027-01-01' as CalendarDay }
  const mailed = await announceTerms(server.db, announcement)
  const recipients = (await outbox('terms_notice')).map(({ recipient }) => recipient)
  assert.equal(new Set(recipients).size, mailed)
  assert.deepEqual(
    [recipients.includes(ann.email), recipients.includes(bob.email), recipients.includes(unconfirmed.email)],
    [true, true, false],
  )
  const mail = await server.mailTo(ann.email, 'New Tutorlog terms take effect on January 1, 2027')
  assert.match(mail.text, /The new version \(2027-01-01\) takes effect on January 1, 2027\./)
  const late = await server.aUser()
  assert.equal(await announceTerms(server.db, announcement), 1)
  assert.equal((await server.mailTo(late.email, 'New Tutorlog terms')).to, late.email)
  assert.equal(await announceTerms(server.db, announcement), 0)
  await assert.rejects(
    announceTerms(server.db, { ...announcement, effectiveDay: '2027-02-01' as CalendarDay }),
    /was already announced for 2027-01-01/,
  )
})

test('search engines find the public pages at the configured address, and no pages of the app', async () => {
  const read = async (path: string) => (await server.app.inject({ method: 'GET', url: path })).body
  const sitemap = await read('/sitemap.xml')
  assert.deepEqual(
    [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
    ['/', '/login', '/signup', '/contact', '/help', '/demo', '/verify', '/terms', '/privacy'].map(
      (path) => `http://localhost:3000${path}`,
    ),
  )
  const robots = await read('/robots.txt')
  assert.match(
    robots,
    /^User-agent: \*\n(Disallow: \/\S+\n)+\nSitemap: http:\/\/localhost:3000\/sitemap\.xml\n$/,
  )
  for (const path of ['/dashboard', '/children', '/api/'])
    assert.ok(robots.includes(`Disallow: ${path}\n`), path)
})

test('people who find a weakness learn where to report it, if the operator set an address', async () => {
  const url = '/.well-known/security.txt'
  const of = async (settings: Record<string, string>) => {
    const app = buildServer(readConfig(settings), server.db, () => new Date('2026-11-28T15:00:00Z'))
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url })
    await app.close()
    return { statusCode, type: headers['content-type'], body }
  }
  assert.equal((await of({})).statusCode, 404)
  // RFC 9116: the contact, one date less than a year ahead, and where this is.
  assert.deepEqual(
    await of({ CONTACT_TO: 'Security <a+b@tutorlog.example>', BASE_URL: 'https://tutorlog.example' }),
    {
      statusCode: 200,
      type: 'text/plain; charset=utf-8',
      body:
        'Contact: mailto:a%2Bb@tutorlog.example\nExpires: 2027-05-27T00:00:00.000Z\nPreferred-Languages: en\n' +
        'Canonical: https://tutorlog.example/.well-known/security.txt\n',
    },
  )
})
