// A link handed over in person or in a messenger: claimed by one device, without an email address.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Answer, type Caller, startTestServer, type TestServer } from '#main/testing.server.ts'
import {
  aFamily,
  aHandedFamily,
  aPair,
  aPractice,
  byLink,
  claim,
  connectionsOf,
  handOver,
  idOf,
  read,
  type Row,
  rowsOf,
} from '#main/testing/two-sides.server.ts'
import { waysOnPage } from '#main/testing/months.server.ts'
import { emailJobs } from '#features/emails/jobs.server.ts'
import { connectionJobs } from './jobs.server.ts'
import { handedLink } from './handed.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

const DAY = 86_400_000
const refusal = ({ status, body }: Answer) => [status, body.code]
const asked = () => aFamily(server, undefined, undefined, undefined, true)
const linkOf = async (who: Caller) => (await connectionsOf(who))[0]?.link as Record<string, unknown>
const open = (who: Caller, token: string) => byLink(who, token, 'open')
const stored = async (connection: string) =>
  (
    await superuser.query<Row>('select * from handed_links where connection_id = $1 order by created_at', [
      connection,
    ])
  ).rows

test('A18: a handed-over link is shown once, stored as a hash, and shows nothing before one device claims it', async () => {
  const { family, connection, log } = await asked()
  const id = await log()
  assert.deepEqual(await linkOf(family), { state: 'missing', claimed_at: null, lapses_at: null })
  const token = await handOver(family, connection)
  assert.equal(token.length, 43)
  const [row] = await stored(connection)
  assert.ok(!JSON.stringify(row).includes(token))
  assert.equal((await linkOf(family)).state, 'unclaimed')

  // A messenger's preview loads the page, and a robot may even run its calls.
  const robot = server.aStranger()
  for (const method of ['GET', 'HEAD'] as const) {
    const page = await server.app.inject({ method, url: '/open' })
    assert.doesNotMatch(page.body, /Maya|Whitfield|Ingrid/)
  }
  assert.equal(
    (await robot.call('GET', '/api/link/claim', undefined, { 'tutorlog-link': token })).status,
    404,
  )
  const shown = await open(robot, token)
  assert.deepEqual(refusal(shown), [403, 'link_unclaimed'])
  assert.doesNotMatch(JSON.stringify(shown.body), /Maya|Whitfield|Ingrid/)
  assert.deepEqual(refusal(await byLink(robot, token, 'confirm', { sessions: [{ id, version: 1 }] })), [
    403,
    'link_unclaimed',
  ])
  assert.equal((await linkOf(family)).state, 'unclaimed', 'nothing of this claimed it')

  const phone = server.aStranger()
  const first = await phone.call('POST', '/api/link/claim', {}, { 'tutorlog-link': token })
  assert.deepEqual(first.body, { is_claimed: false }, 'a browser without cookies would lose it')
  assert.equal((await linkOf(family)).state, 'unclaimed')
  assert.deepEqual((await claim(phone, token)).body, { is_claimed: true })
  assert.deepEqual((await claim(phone, token)).body, { is_claimed: true }, 'a second tap changes nothing')
  const link = await linkOf(family)
  assert.deepEqual([link.state, link.claimed_at], ['claimed', server.clock.now.toISOString()])
  const [claimed] = await stored(connection)
  for (const value of phone.cookies.values()) assert.ok(!JSON.stringify(claimed).includes(value))

  const page = await open(phone, token)
  assert.deepEqual([page.status, page.body.first_names], [200, ['Maya']])
  assert.deepEqual((await byLink(phone, token, 'confirm', { sessions: [{ id, version: 1 }] })).body, {
    confirmed: [id],
    changed: [],
  })
  assert.equal((await read(family, id)).verified_by_tutor, true)
  assert.equal((await connectionsOf(family))[0]?.state, 'active')
})

test("T8: a claimed link needs its token and its device's cookie, and says nothing else anywhere else", async () => {
  const one = await aHandedFamily(server)
  const two = await aHandedFamily(server)
  for (const other of [server.aStranger(), two.device]) {
    for (const what of ['open', 'end', 'payments/paid'])
      assert.deepEqual(refusal(await byLink(other, one.token, what)), [403, 'link_used'], what)
    assert.deepEqual(refusal(await claim(other, one.token)), [403, 'link_used'])
  }
  const [name, value] = [...one.device.cookies].find(([key]) => key.includes('link-')) ?? []
  const copied = server.aStranger()
  copied.cookies.set(String([...two.device.cookies.keys()][0]), String(value))
  assert.deepEqual(refusal(await open(copied, two.token)), [403, 'link_used'], 'the cookie of another link')
  copied.cookies.set(String(name), 'x'.repeat(43))
  assert.deepEqual(refusal(await open(copied, one.token)), [403, 'link_used'], 'a made-up cookie')
  for (const token of [
    `${one.token.slice(0, -1)}${one.token.endsWith('A') ? 'B' : 'A'}`,
    'x'.repeat(5000),
    '',
  ])
    assert.deepEqual(refusal(await open(one.device, token)), [404, 'link_gone'], token)
  assert.deepEqual(refusal(await claim(one.device, 'made-up')), [404, 'link_gone'])
  assert.equal((await open(one.device, one.token)).status, 200)
})

test('of two devices that claim a handed-over link at once, one has it', async () => {
  const { family, connection } = await asked()
  const token = await handOver(family, connection)
  const devices = Array.from({ length: 6 }, () => server.aStranger())
  const answers = await Promise.all(devices.map((device) => claim(device, token)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    assert.deepEqual(refusal(answer), [403, 'link_used'])
  const opened = await Promise.all(devices.map((device) => open(device, token)))
  assert.deepEqual(
    opened.map(({ status }) => status),
    answers.map(({ status }) => status),
  )
})

test('T8: a browser signed in to the workspace that made a link neither claims nor opens it', async () => {
  const { family, connection } = await asked()
  const token = await handOver(family, connection)
  assert.deepEqual(refusal(await claim(family, token)), [403, 'own_link'])
  const other = server.aStranger()
  await claim(other, token)
  for (const [name, value] of other.cookies) family.cookies.set(name, value)
  assert.deepEqual(refusal(await open(family, token)), [403, 'own_link'])
})

test('W3: a claim comes from the page: another origin is refused, and the cookie is for this site and no script', async () => {
  const { family, connection } = await asked()
  const token = await handOver(family, connection)
  const post = (headers: Record<string, string>) =>
    server.app.inject({
      method: 'POST',
      url: '/api/link/claim',
      headers: { 'content-type': 'application/json', 'tutorlog-link': token, ...headers },
      payload: {},
    })
  for (const headers of [{}, { origin: 'https://elsewhere.example' }]) {
    const refused = await post(headers as Record<string, string>)
    assert.deepEqual([refused.statusCode, refused.headers['set-cookie']], [403, undefined])
  }
  const cookie = String((await post({ origin: 'http://localhost:3000' })).headers['set-cookie'])
  assert.match(cookie, /^__Host-link-[0-9a-f]{16}=\S{43}; .*HttpOnly; Secure; SameSite=Strict$/)
})

test('a new link ends the old one, and a link lapses after 14 days, or ends with its connection', async () => {
  const { family, connection, token, device } = await aHandedFamily(server)
  const next = await handOver(family, connection)
  assert.deepEqual(refusal(await open(device, token)), [404, 'link_ended'])
  assert.deepEqual(refusal(await open(server.aStranger(), token)), [403, 'link_used'])
  assert.equal((await linkOf(family)).state, 'unclaimed')
  const unclaimed = await handOver(family, connection)
  assert.deepEqual(refusal(await claim(server.aStranger(), next)), [404, 'link_ended'])
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 14 * DAY)
  try {
    assert.deepEqual(refusal(await claim(device, unclaimed)), [404, 'link_lapsed'])
    assert.deepEqual(refusal(await open(device, unclaimed)), [404, 'link_lapsed'])
  } finally {
    server.clock.now = before
  }
  assert.deepEqual((await claim(device, unclaimed)).body, { is_claimed: true })
  assert.equal((await family.call('DELETE', `/api/v1/connections/${connection}`)).status, 204)
  assert.deepEqual(refusal(await open(device, unclaimed)), [404, 'link_ended'])
  assert.deepEqual(refusal(await claim(device, unclaimed)), [404, 'link_ended'])
  assert.deepEqual(refusal(await claim(server.aStranger(), unclaimed)), [403, 'link_used'])
})

test('what became of a handed-over link', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const later = new Date(now.getTime() + 1)
  const claimed = new Date('2026-11-19T12:00:00Z')
  assert.equal(handedLink(undefined, now).state, 'missing')
  assert.equal(handedLink({ claimed_at: null, lapses_at: later }, now).state, 'unclaimed')
  assert.equal(handedLink({ claimed_at: null, lapses_at: now }, now).state, 'lapsed')
  assert.deepEqual(handedLink({ claimed_at: claimed, lapses_at: now }, now), {
    state: 'claimed',
    claimed_at: claimed.toISOString(),
    lapses_at: null,
  })
})

async function aPracticeByLink() {
  const { practice, self } = await aPractice(server, `${crypto.randomUUID()}@example.com`)
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Leo Marsh' }))
  const ask = (more: object = {}) =>
    practice.call('POST', '/api/v1/connections', { student_ids: [student], by_link: true, ...more })
  return { practice, self, student, ask }
}

test('a tutor hands a link to a family, which confirms; one unopened link for each student is enough', async () => {
  const { practice, self, student, ask } = await aPracticeByLink()
  const connection = idOf(await ask())
  assert.deepEqual(refusal(await ask()), [409, 'already_handed'])
  const token = await handOver(practice, connection)
  assert.deepEqual(refusal(await ask()), [409, 'already_handed'])
  const lesson = { student_id: student, tutor_id: self, date: '2026-11-20', duration: 1 }
  const id = idOf(await practice.call('POST', '/api/v1/sessions', lesson))
  const phone = server.aStranger()
  await claim(phone, token)
  assert.equal((await open(phone, token)).body.side, 'family')
  await byLink(phone, token, 'confirm', { sessions: [{ id, version: 1 }] })
  assert.equal((await read(practice, id)).verified_by_tutor, true)
  assert.equal((await ask()).status, 201, 'for the other parent')
  const [history] = [rowsOf(await practice.call('GET', `/api/v1/sessions/${id}/history`))]
  assert.deepEqual(
    history.map(({ action, is_by_handed_link: isBy }) => [action, isBy]),
    [
      ['logged', false],
      ['confirmed', true],
    ],
  )
  await byLink(phone, token, 'end', { forget: true })
  assert.deepEqual(refusal(await open(phone, token)), [404, 'link_ended'])
  assert.ok((await connectionsOf(practice)).some((one) => one.id === connection && one.ended_by === 'other'))
})

test('a link is made only by who asked, as long as the other side has neither an address nor an account', async () => {
  const { family, connection } = await aFamily(server)
  const make = (who: Caller, id: string) => who.call('POST', `/api/v1/connections/${id}/link`, {})
  assert.deepEqual(refusal(await make(family, connection)), [409, 'not_by_link'])
  const other = await asked()
  assert.equal((await make(family, other.connection)).status, 404)
  assert.equal((await make(server.aStranger(), other.connection)).status, 401)
  await other.family.call('DELETE', `/api/v1/connections/${other.connection}`)
  assert.deepEqual(refusal(await make(other.family, other.connection)), [409, 'not_by_link'])
})

test('a closed month and its code say that a side answered by handed-over link', async () => {
  const { family, connection, token, device, log } = await aHandedFamily(server)
  const id = await log({ date: '2026-10-05' })
  await byLink(device, token, 'confirm', { sessions: [{ id, version: 1 }] })
  const month = '2026-10'
  await family.call('POST', '/api/v1/months/close', { connection_id: connection, month })
  assert.equal((await byLink(device, token, 'months/close', { month })).status, 200)
  const page = await family.call('GET', `/api/v1/months/page?connection_id=${connection}&month=${month}`)
  assert.deepEqual([page.body.handed_side, page.body.asked_by], ['tutor', 'family'])
  const said = /The tutor answered by handed-over link, without an account\./
  assert.deepEqual(await waysOnPage(server, family, connection, month), ['account', 'handed_over_link'])
  assert.match((await server.app.inject(`/verify/${String(page.body.code)}`)).body, said)
  const other = await aPair(server)
  const shared = await other.log({ date: '2026-10-05' })
  await other.practice.call('POST', `/api/v1/sessions/${shared}/confirm`, {})
  const both = { connection_id: other.connection, month }
  for (const who of [other.family, other.practice]) await who.call('POST', '/api/v1/months/close', both)
  const closed = await other.family.call(
    'GET',
    `/api/v1/months/page?connection_id=${other.connection}&month=${month}`,
  )
  assert.deepEqual([closed.status, closed.body.handed_side], [200, null])
  assert.doesNotMatch((await server.app.inject(`/verify/${String(closed.body.code)}`)).body, said)
  const { rows } = await superuser.query<Row>(
    'select bool_and(is_month_current(m)) as current from closed_months m',
  )
  assert.equal(rows[0]?.current, true)
})

test('a side that was handed a link gets no email, and its questions are due without reminders', async () => {
  const { family, connection, token, device, log } = await aHandedFamily(server)
  const first = await log()
  await byLink(device, token, 'confirm', { sessions: [{ id: first, version: 1 }] })
  const id = await log({ date: '2026-11-21' })
  await family.call('POST', '/api/v1/months/close', { connection_id: connection, month: '2026-11' })
  const before = server.clock.now
  const { daily_digest: digest, month_ready: over } = emailJobs(server.db, () => server.clock.now)
  try {
    for (const days of [4, 11, 35]) {
      server.clock.now = new Date(before.getTime() + days * DAY)
      await digest?.()
      await over?.()
    }
  } finally {
    server.clock.now = before
  }
  const { rows } = await superuser.query<Row>(
    "select kind from outbox where user_id is null and kind <> 'month_news' and data ->> 'link_id' = $1",
    [connection],
  )
  assert.deepEqual(rows, [])
  const asked = await read(family, id)
  assert.deepEqual(
    [asked.reminders, asked.own_confirmation, asked.other_confirmation],
    [0, 'confirmed', 'none'],
  )
})

const addressMail = async (email: string) =>
  /\/confirm#(\S+)/.exec((await server.mailTo(email, 'Use this address')).text)?.[1] ?? ''
const confirmAddress = (who: Caller, token: string) =>
  who.call('POST', '/api/link/address/confirm', {}, { 'tutorlog-link': token })

test('whoever was handed a link adds an address, which counts once its email is answered, and then opens an account', async () => {
  const { family, connection, token, device, log } = await aHandedFamily(server)
  const id = await log()
  const give = (email: string) =>
    device.call('POST', '/api/link/address', { email }, { 'tutorlog-link': token })
  await byLink(device, token, 'confirm', { sessions: [{ id, version: 1 }] })
  const wrong = `wrong-${crypto.randomUUID()}@example.com`
  const email = `Ingrid-${crypto.randomUUID()}@example.com`
  assert.deepEqual((await give(wrong)).body, { is_confirmed: false })
  const toWrong = await addressMail(wrong)
  assert.deepEqual((await open(device, token)).body.handed, { asked_address: wrong })
  await give(email)
  const emailed = await addressMail(email)
  assert.deepEqual(refusal(await confirmAddress(server.aStranger(), toWrong)), [404, 'link_gone'])
  const phone = server.aStranger()
  assert.deepEqual(refusal(await open(phone, emailed)), [403, 'address_unconfirmed'])
  assert.deepEqual(refusal(await confirmAddress(family, emailed)), [403, 'own_link'])
  assert.equal((await linkOf(family))?.state, 'claimed', 'opening the email changed nothing')
  assert.equal((await confirmAddress(phone, emailed)).status, 204)
  assert.equal((await confirmAddress(phone, emailed)).status, 204)
  assert.equal((await open(phone, emailed)).body.email, email)
  assert.equal((await open(device, token)).body.email, email, 'the device keeps its page')
  assert.deepEqual(refusal(await give(wrong)), [409, 'has_address'])
  const [shown] = await connectionsOf(family)
  assert.deepEqual([shown?.email, shown?.link], [email, null])
  assert.deepEqual(refusal(await family.call('POST', `/api/v1/connections/${connection}/link`, {})), [
    409,
    'not_by_link',
  ])

  const { practice } = await aPractice(server, email)
  const [offered] = await connectionsOf(practice)
  assert.deepEqual([offered?.id, offered?.is_answered], [connection, true])
  assert.equal(
    (await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })).status,
    200,
  )
  const [taken] = rowsOf(await practice.call('GET', '/api/v1/sessions'))
  assert.deepEqual([taken?.id, taken?.own_confirmation], [id, 'confirmed'])
  assert.deepEqual(refusal(await open(device, token)), [404, 'link_gone'])
})

test('someone who is signed in adds the address of their account at once', async () => {
  const { connection, token, device } = await aHandedFamily(server)
  const { practice } = await aPractice(server, `${crypto.randomUUID()}@example.com`)
  for (const [name, value] of device.cookies) practice.cookies.set(name, value)
  const give = (email: string) =>
    practice.call('POST', '/api/link/address', { email }, { 'tutorlog-link': token })
  assert.deepEqual((await give(practice.email)).body, { is_confirmed: true })
  assert.equal((await connectionsOf(practice))[0]?.id, connection)
})

test('T21: nobody adds an address of the side that handed over the link, or one it has already asked', async () => {
  const { family, token, device } = await aHandedFamily(server)
  const give = (who: Caller, link: string, email: string) =>
    who.call('POST', '/api/link/address', { email }, { 'tutorlog-link': link })
  await give(device, token, family.email)
  assert.deepEqual(refusal(await confirmAddress(server.aStranger(), await addressMail(family.email))), [
    422,
    'own_address',
  ])
  const { practice, student, ask } = await aPracticeByLink()
  const email = `${crypto.randomUUID()}@example.com`
  const handed = idOf(await ask())
  const other = server.aStranger()
  const link = await handOver(practice, handed)
  await claim(other, link)
  assert.equal(
    (await practice.call('POST', '/api/v1/connections', { email, student_ids: [student] })).status,
    201,
  )
  await give(other, link, email)
  assert.deepEqual(refusal(await confirmAddress(server.aStranger(), await addressMail(email))), [
    409,
    'already_asked',
  ])
})

test('P9: a handed-over link that nobody answers ends after 30 days, and is forgotten 30 days later', async () => {
  const { family, connection } = await asked()
  await handOver(family, connection)
  const before = server.clock.now
  const forget = async (days: number) => {
    server.clock.now = new Date(before.getTime() + days * DAY)
    await connectionJobs(server.db, () => server.clock.now).forget_unanswered?.()
    return (await superuser.query<Row>('select state from connections where id = $1', [connection])).rows[0]
      ?.state
  }
  try {
    assert.equal(await forget(29), 'asked')
    await superuser.query(
      "update handed_links set created_at = created_at + interval '5 days' where connection_id = $1",
      [connection],
    )
    assert.equal(await forget(31), 'asked', 'a new link begins the time anew')
    assert.equal(await forget(36), 'ended')
    assert.equal((await stored(connection)).length, 1)
    await forget(67)
    assert.equal((await stored(connection)).length, 0)
  } finally {
    server.clock.now = before
  }
})
