import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { readConfig } from '#platform/config.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { smtpMailer } from '#platform/mail/mailer.server.ts'
import { buildServer } from '#main/services.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
let base: string
before(async () => {
  server = await startTestServer()
  base = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => server.stop())

/** Opens a person's stream and collects the events. */
async function stream(person: Caller, headers: Record<string, string> = {}) {
  const ended = new AbortController()
  const answer = await fetch(`${base}/api/v1/events`, {
    signal: ended.signal,
    headers: {
      cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    },
  })
  const heard: string[] = []
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) heard.push(Buffer.from(chunk as Uint8Array).toString())
  })().catch(() => undefined)
  return {
    answer,
    text: () => heard.join(''),
    changes: () => heard.join('').split('event: changed').length - 1,
    isOver: reading,
    end: () => ended.abort(),
    async until(count: number) {
      for (let tries = 0; tries < 400 && this.changes() < count; tries++)
        await new Promise((resolve) => setTimeout(resolve, 25))
    },
  }
}

/**
 * The listener connects when the first stream opens. Makes changes until one of them arrives, which proves
 * that the listener is connected.
 */
async function listening(open: { changes(): number }, change: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 100 && open.changes() === 0; tries++) {
    await change()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.ok(open.changes() > 0)
}

async function aFamily(): Promise<{ parent: Caller; log: () => Promise<unknown> }> {
  const parent = await server.aUser()
  const student_id = (await parent.call('POST', '/api/v1/students', { name: 'Maya' })).body.id
  const tutor_id = (await parent.call('POST', '/api/v1/tutors', { name: 'Ingrid' })).body.id
  return {
    parent,
    log: () =>
      parent.call('POST', '/api/v1/sessions', { student_id, tutor_id, date: '2026-11-20', duration: 1 }),
  }
}

test("T15: a stream reports its own workspace's changes and no others", async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  const [anns, bobs] = [await stream(ann.parent), await stream(bob.parent)]
  const { headers } = anns.answer
  assert.deepEqual(
    ['content-type', 'cache-control', 'connection', 'x-content-type-options'].map((name) =>
      headers.get(name),
    ),
    ['text/event-stream', 'no-store', 'close', 'nosniff'],
  )
  await listening(anns, ann.log)
  for (let times = 0; times < 100; times++) await ann.log()
  const [heard, bobsBefore] = [anns.changes(), bobs.changes()]
  await ann.log()
  await anns.until(heard + 1)
  assert.ok(anns.changes() > heard)
  assert.equal(bobs.changes(), bobsBefore)
  // Changes arrive in order, so if Bob got any of Ann's, they'd arrive before his own.
  await bob.log()
  await bobs.until(bobsBefore + 1)
  assert.equal(bobs.changes(), bobsBefore + 1)
  anns.end()
  bobs.end()
})

test("T15: another site's page is refused, and so is anyone who isn't signed in or confirmed", async () => {
  const { parent } = await aFamily()
  const refused = async (headers: Record<string, string>, person = parent) => {
    const one = await stream(person, headers)
    one.end()
    return one.answer.status
  }
  assert.equal(await refused({ origin: 'https://evil.example' }), 403)
  assert.equal(await refused({ origin: 'null' }), 403)
  assert.equal(await refused({ 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await refused({ 'sec-fetch-site': 'same-site' }), 403)
  assert.equal(await refused({ 'sec-fetch-site': 'same-origin' }), 200)
  assert.equal(await refused({}, server.aStranger()), 401)
  const newcomer = server.aStranger()
  await newcomer.call('POST', '/api/auth/sign-up', {
    email: newcomer.email,
    password: 'greenhouse-41',
    role: 'parent',
  })
  await newcomer.call('POST', '/api/auth/sign-in', { email: newcomer.email, password: 'greenhouse-41' })
  assert.equal(await refused({}, newcomer), 403)
})

test('what a member adds, plans or changes shows on the open pages of the others', async () => {
  const { parent } = await aFamily()
  const open = await stream(parent)
  const told = async (what: string, change: () => Promise<unknown>) => {
    const before = open.changes()
    await change()
    await open.until(before + 1)
    assert.ok(open.changes() > before, what)
  }
  await listening(open, () => parent.call('POST', '/api/v1/students', { name: 'Theo' }))
  const id = async (path: string, input: object) =>
    String((await parent.call('POST', `/api/v1/${path}`, input)).body.id)
  let [child, tutor] = ['', '']
  await told('a child', async () => (child = await id('students', { name: 'Ada' })))
  await told('a tutor', async () => (tutor = await id('tutors', { name: 'Noor' })))
  await told('a schedule', () =>
    id('schedules', {
      student_id: child,
      tutor_id: tutor,
      day_of_week: 1,
      start_time: '16:00',
      duration: 1,
      frequency: 'weekly',
      start_date: '2026-11-23',
    }),
  )
  await told('an invitation', () => id('members', { email: 'told@example.com', role: 'viewer' }))
  await told('a currency', () => parent.call('PATCH', '/api/v1/me', { currency: 'EUR' }))
  await told('a name', () => parent.call('PATCH', '/api/v1/me', { full_name: 'Ana Whitfield' }))
  open.end()
})

test('a page that was opened just before a change, and listens only after it, learns of it', async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  const first = await stream(ann.parent)
  await listening(first, ann.log)
  await bob.log()
  await ann.log()
  await first.until(2)
  const bobs = await stream(bob.parent)
  await bobs.until(1)
  assert.equal(bobs.changes(), 1)
  first.end()
  bobs.end()
})

test('T15: open pages load again once changes can be heard again', async () => {
  const [ann, bob] = [await aFamily(), await aFamily()]
  const first = await stream(ann.parent)
  await listening(first, ann.log)
  const [anns, bobs] = [await stream(ann.parent), await stream(bob.parent)]
  await anns.until(1)
  await bobs.until(1)

  const superuser = await connectTo(server.superuserUrl)
  const lost = await superuser.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'tutorlog-events'",
  )
  await superuser.end()
  assert.equal(lost.rowCount, 1)
  // Opening another page makes the listener reconnect right away; otherwise that takes five seconds.
  const late = await stream(ann.parent)
  await anns.until(2)
  await bobs.until(2)
  assert.deepEqual([anns.changes(), bobs.changes()], [2, 2])
  for (const each of [first, anns, bobs, late]) each.end()
})

test('a role that changes after a stream was admitted and before the server listens for changes ends it at once', async () => {
  const owner = await server.aUser()
  const person = server.aStranger()
  await owner.call('POST', '/api/v1/members', { email: person.email, role: 'parent' })
  const { text } = await server.mailTo(person.email, 'invited you')
  const token = /\/join#token=(\S+)/.exec(text)?.[1]
  assert.equal((await person.call('POST', '/api/auth/join', { token, password: PASSWORD })).status, 200)
  const id = String((await person.call('GET', '/api/v1/me')).body.id)
  // A stream that stays open keeps the listener connected. A listener that reconnects checks everyone.
  const owners = await stream(owner)
  const first = await stream(person)
  await listening(first, () => owner.call('POST', '/api/v1/students', { name: 'Theo' }))

  // The next read admits the second stream with the old role.
  const { readAsSystem } = server.db
  server.db.readAsSystem = async (work) => {
    server.db.readAsSystem = readAsSystem
    const admitted = await readAsSystem(work)
    assert.equal((await owner.call('PATCH', `/api/v1/members/${id}`, { role: 'caregiver' })).status, 200)
    // Once the first stream has received the change, it's too late for the second one to get it.
    await first.isOver
    return admitted
  }
  const second = await stream(person)
  const isOver = second.isOver.then(() => true)
  assert.equal(await Promise.race([isOver, delay(10_000, false, { ref: false })]), true)
  assert.match(second.text(), /event: place/)
  owners.end()
})

test('F14: a server that stops closes its streams, and drops what a caller sends on one', async () => {
  const { parent } = await aFamily()
  const other = buildServer(readConfig({ DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' }), server.db)
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const cookie = [...parent.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = `GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`
  socket.write(request)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  while (!text.includes('retry: 5000')) await once(socket, 'data')
  // Closing a connection with unread bytes resets it.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(request)
  const begin = performance.now()
  await Promise.all([other.close(), closed])
  assert.ok(performance.now() - begin < 4000)
  assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1)
})

test('one user has at most eight streams; a new one closes the oldest', async () => {
  const { parent } = await aFamily()
  const streams = []
  for (let count = 0; count < 9; count++) streams.push(await stream(parent))
  await streams[0]?.isOver
  for (const one of streams) one.end()
})

test('RFC 8058: an email tells the email program how to unsubscribe with one click', async () => {
  let raw = ''
  const smtp = new SMTPServer({
    authOptional: true,
    // The mailer keeps its connection open, and the test shouldn't wait for it.
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onData: (data, _session, done) => {
      data
        .on('data', (chunk: Buffer) => {
          raw += chunk.toString()
        })
        .on('end', () => done())
    },
  })
  const port = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () =>
      resolve((listening.address() as { port: number }).port),
    )
  })
  const send = smtpMailer(`smtp://127.0.0.1:${port}`, 'Tutorlog <no-reply@example.com>')
  const mail = { to: 'ingrid@example.com', subject: 'x', text: 'x', html: 'x' }
  await send('1', { ...mail, unsubscribeUrl: 'https://tutorlog.example/unsubscribe?token=abc' })
  assert.match(raw, /^List-Unsubscribe: <https:\/\/tutorlog\.example\/unsubscribe\?token=abc>\r$/m)
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  raw = ''
  await send('2', mail)
  assert.doesNotMatch(raw, /List-Unsubscribe/)
  await new Promise<void>((resolve) => {
    smtp.close(() => resolve())
  })
})

test('unsubscribing needs no login, opening the link changes nothing, and other forms are refused', async () => {
  const stranger = server.aStranger()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const shown = await server.app.inject({ method: 'GET', url: '/unsubscribe?token=made-up' })
  assert.deepEqual([shown.statusCode, shown.payload.includes('method="post"')], [200, true])
  assert.equal(
    (
      await stranger.call('POST', '/unsubscribe?token=made-up', 'List-Unsubscribe=One-Click', {
        ...form,
        origin: 'https://mail.example',
      })
    ).status,
    200,
  )
  assert.equal((await stranger.call('POST', '/api/v1/students', 'name=Maya', form)).status, 415)
  assert.equal(
    (await stranger.call('POST', '/api/auth/sign-in', {}, { origin: 'https://mail.example' })).status,
    403,
  )
})
