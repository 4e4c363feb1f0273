// Payment options over HTTP: a practice's owner sets them, families with an active connection can read them,
// and nobody else can.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import pg from 'pg'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aPair, byLink, idOf, rowsOf, tokenOf } from '#main/testing/two-sides.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const OWN = '/api/v1/payment-ways'
const LINK = { kind: 'link', url: 'paypal.me/AdaTutors' }
const ACCOUNT = { kind: 'sepa', holder: 'Ada Lovelace', iban: 'DE89 3704 0044 0532 0130 00' }
const NOTE = { kind: 'text', text: 'Cash on the day, https://example.com' }

interface Way {
  id: string
  kind: string
  url?: string
  iban?: string
}
const waysOf = async (who: Caller, path = OWN) => {
  const { status, body } = await who.call('GET', path)
  return status === 200 ? (body.ways as Way[]) : status
}
const kindsOf = async (who: Caller, path = OWN) => {
  const ways = await waysOf(who, path)
  return typeof ways === 'number' ? ways : ways.map(({ kind }) => kind)
}
const set = (who: Caller, ways: object[], version?: number) =>
  who.call('PUT', OWN, { ways }, version === undefined ? {} : { 'if-match': `"${version}"` })

async function aMember(owner: Caller, role: string, studentIds: string[] | null = null): Promise<Caller> {
  const person = server.aStranger()
  const invited = await owner.call('POST', '/api/v1/members', {
    email: person.email,
    role,
    student_ids: studentIds,
  })
  assert.equal(invited.status, 201)
  const { text } = await server.mailTo(person.email, 'invited you')
  await person.call('POST', '/api/auth/join', {
    token: /\/join#token=(\S+)/.exec(text)?.[1],
    password: PASSWORD,
    full_name: 'Cara',
  })
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

test('a tutor lists how to be paid, in an order, and the connected family sees the same list', async () => {
  const { family, practice, connection } = await aPair(server)
  const seen = `/api/v1/connections/${connection}/payment-ways`
  assert.deepEqual([await waysOf(practice), await waysOf(family, seen)], [[], []])
  const stored = await set(practice, [LINK, ACCOUNT, NOTE], 0)
  assert.equal(stored.status, 200, JSON.stringify(stored.body))
  assert.equal(stored.headers.etag, `"${String(stored.body.version)}"`)
  const ways = (await waysOf(practice)) as Way[]
  assert.deepEqual(ways, stored.body.ways)
  assert.deepEqual(
    ways.map(({ id: _id, ...way }) => way),
    [
      { kind: 'link', url: 'https://paypal.me/AdaTutors' },
      { kind: 'sepa', holder: 'Ada Lovelace', iban: 'DE89370400440532013000', bic: null, message: null },
      NOTE,
    ],
  )
  assert.deepEqual(await waysOf(family, seen), ways)

  // The list was reordered and shortened, but its items kept their ids.
  const [first, , last] = ways
  const moved = await set(practice, [last, first] as object[], Number(stored.body.version))
  assert.deepEqual(
    (moved.body.ways as Way[]).map(({ id }) => id),
    [last?.id, first?.id],
  )
  assert.deepEqual(await kindsOf(family, seen), ['text', 'link'])
  const { body } = await family.call('GET', `/api/v1/balances/lines?month=2026-11&with=${connection}`)
  assert.equal((body.balance as { connection_id: string }).connection_id, connection)
})

test('D6: the second of two changes to one list is refused, and nothing is lost', async () => {
  const { practice } = await aPair(server)
  const { body } = await set(practice, [LINK], 0)
  const version = Number(body.version)
  const answers = await Promise.all([set(practice, [LINK, NOTE], version), set(practice, [ACCOUNT], version)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const stale = await set(practice, [], version)
  assert.deepEqual([stale.status, stale.body.code], [409, 'changed'])
  assert.notDeepEqual(await waysOf(practice), [])
})

test('an invalid way to pay is refused at its line with a reason, and nothing is changed', async () => {
  const { practice } = await aPair(server)
  await set(practice, [NOTE])
  const before = await waysOf(practice)
  const cases: [object[], string, RegExp][] = [
    [[NOTE, { ...LINK, url: 'http://paypal.me/ada' }], 'ways.1.url', /begin with https/],
    [
      [{ ...LINK, url: 'https://paypal.me.evil.com/ada' }],
      'ways.0.url',
      /paypal\.me\.evil\.com is not on the list/,
    ],
    [[{ ...LINK, url: 'https://pаypal.me/ada' }], 'ways.0.url', /xn--pypal-4ve\.me/],
    [[{ ...LINK, url: 'https://paypal.me@evil.com/ada' }], 'ways.0.url', /@/],
    [[LINK, { ...ACCOUNT, iban: 'DE89370400440532013001' }], 'ways.1.iban', /check its digits/],
    [[{ ...ACCOUNT, currency: 'USD' }], 'ways.0.currency', /euros only/],
    [[{ ...NOTE, text: 'x'.repeat(301) }], 'ways.0.text', /300/],
    [[{ kind: 'cash' }], 'ways.0.kind', /Choose/],
    [[{ ...NOTE, url: 'https://evil.com' }], 'url', /Unknown field/],
    [Array<object>(7).fill(NOTE), 'ways', /at most 6/],
  ]
  for (const [ways, field, words] of cases) {
    const { status, body } = await set(practice, ways)
    assert.equal(status, 422, JSON.stringify(ways))
    assert.deepEqual(
      body.errors?.map((error) => error.field),
      [field],
    )
    assert.match(body.errors?.[0]?.message ?? '', words)
    assert.deepEqual(await waysOf(practice), before)
  }
  const [way] = before as Way[]
  assert.equal((await set(practice, [way, way] as object[])).body.code, 'same_way')
  assert.deepEqual(await waysOf(practice), before)
})

test('T8: only the family of an active connection reads them: no stranger, no caregiver, no member for some children', async () => {
  const { family, practice, connection, child } = await aPair(server)
  const other = await aPair(server)
  await set(practice, [LINK, ACCOUNT])
  const seen = `/api/v1/connections/${connection}/payment-ways`
  assert.equal(await waysOf(other.family, seen), 404)
  assert.equal(await waysOf(other.practice, seen), 403)
  assert.deepEqual(await waysOf(other.practice), [])
  assert.equal(await waysOf(server.aStranger(), seen), 401)
  const [caregiver, limited, viewer] = [
    await aMember(family, 'caregiver'),
    await aMember(family, 'parent', [child]),
    await aMember(family, 'viewer'),
  ]
  assert.deepEqual([await waysOf(caregiver, seen), await waysOf(limited, seen)], [403, 403])
  assert.deepEqual(await kindsOf(viewer, seen), ['link', 'sepa'])
  assert.equal((await set(family, [LINK])).status, 403)
  assert.equal(await waysOf(family), 403)

  // The database enforces the same rules, in case a request ever gets past the routes' checks.
  const asked = (who: Caller['member'], id = connection) =>
    server.db
      .asMember(
        who,
        async (tx) => (await sql`select id from connection_payment_ways(${id})`.execute(tx)).rows.length,
      )
      .catch((error: unknown) => (error as { code: string }).code)
  assert.equal(await asked(family.member), 2)
  assert.equal(await asked(other.family.member), 0)
  assert.equal(await asked(practice.member), '42501')
  const there = { accountId: limited.id, workspace: family.member.workspace }
  assert.equal(await asked(there as Caller['member']), 0)
  const asCaregiver = await server.db
    .asMember(
      { accountId: caregiver.id, workspace: { ...family.member.workspace, role: 'caregiver' } } as never,
      (tx) => sql`select id from connection_payment_ways(${connection})`.execute(tx),
    )
    .catch((error: unknown) => (error as { code: string }).code)
  assert.equal(asCaregiver, '42501')
  const direct = await server.db.asMember(family.member, (tx) =>
    tx.selectFrom('payment_ways').select('id').execute(),
  )
  assert.deepEqual(direct, [])
})

test('only the owner decides where the money goes: an assistant can read the list but not change it', async () => {
  const { practice } = await aPair(server)
  await set(practice, [LINK])
  const assistant = await aMember(practice, 'assistant')
  assert.deepEqual(await kindsOf(assistant), ['link'])
  assert.equal((await set(assistant, [])).status, 403)
  const speaker = { accountId: assistant.id, workspace: practice.member.workspace } as Caller['member']
  await server.db.asMember(speaker, (tx) => tx.deleteFrom('payment_ways').execute())
  assert.deepEqual(await kindsOf(practice), ['link'], 'the policy leaves the rows alone')
  await assert.rejects(
    server.db.asMember(speaker, (tx) =>
      tx
        .insertInto('payment_ways')
        .values({
          workspace_id: practice.member.workspaceId,
          id: crypto.randomUUID(),
          position: 2,
          kind: 'text',
          details: '{}',
          version: 1,
        })
        .execute(),
    ),
    { code: '42501' },
  )
})

test('the family no longer sees the ways to pay as soon as the connection ends or the tutor closes the account', async () => {
  const ended = await aPair(server)
  await set(ended.practice, [LINK])
  const path = (pair: typeof ended) => `/api/v1/connections/${pair.connection}/payment-ways`
  assert.deepEqual(await kindsOf(ended.family, path(ended)), ['link'])
  await ended.family.call('DELETE', `/api/v1/connections/${ended.connection}`, {})
  assert.deepEqual(await kindsOf(ended.family, path(ended)), [])

  const closed = await aPair(server)
  await set(closed.practice, [ACCOUNT])
  assert.deepEqual(await kindsOf(closed.family, path(closed)), ['sepa'])
  assert.equal(
    (await closed.practice.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status,
    204,
  )
  assert.deepEqual(await kindsOf(closed.family, path(closed)), [])
  await server.db.asSystem((tx) => tx.deleteFrom('users').where('id', '=', closed.practice.id).execute())
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  const { rows: left } = await client.query('select id from payment_ways where workspace_id = $1', [
    closed.practice.id,
  ])
  await client.end()
  assert.deepEqual(left, [], 'D8: nothing is left after the erasure')
})

test("P5: a practice's export contains its ways to pay, and a family's export none of its tutors'", async () => {
  const { family, practice } = await aPair(server)
  await set(practice, [ACCOUNT])
  const fileOf = async (who: Caller) => {
    const { bytes } = await who.call('POST', '/api/v1/export', {})
    const files = unzipSync(bytes)
    const name = Object.keys(files).find((path) => path.endsWith('payment_ways.csv'))
    return name ? new TextDecoder().decode(files[name]) : ''
  }
  assert.match(await fileOf(practice), /DE89370400440532013000/)
  assert.doesNotMatch(await fileOf(family), /DE89370400440532013000/)
})

test('everyone who pays is told by email that the ways to pay changed, once a day at most, without an account number or an address in it', async () => {
  const { family, practice, connection } = await aPair(server)
  const [parent, viewer, caregiver] = [
    await aMember(family, 'parent'),
    await aMember(family, 'viewer'),
    await aMember(family, 'caregiver'),
  ]
  const told = async (email: string) => {
    await server.allJobsDone()
    const mails = await readMailbox(join(server.dataDir, 'mailbox'), email)
    return mails.filter(({ subject }) => subject === 'Ingrid updated their payment options')
  }
  const seen = `/api/v1/connections/${connection}/payment-ways`
  const changedAt = async () => (await family.call('GET', seen)).body.changed_at
  const start = Date.now()
  server.clock.now = new Date(start)
  const { body } = await set(practice, [ACCOUNT, NOTE])
  for (const { email } of [family, parent, viewer]) assert.equal((await told(email)).length, 1, email)
  assert.deepEqual(await told(caregiver.email), [], 'who sees no amounts')
  assert.deepEqual(await told(practice.email), [])
  const [mail] = await told(family.email)
  assert.match(mail?.text ?? '', /ask Ingrid in person or by phone before you send any money/)
  assert.match(mail?.text ?? '', new RegExp(`See how to pay:\\n\\S+/payments\\?with=${connection}`))
  assert.doesNotMatch(mail?.text + String(mail?.html), /DE89|3704|Ada|Cash|example\.com\/|unsubscribe/i)
  assert.equal(await changedAt(), new Date(start).toISOString())

  // Reordering doesn't count as a change, but a new account number does. Families don't get an email about it
  // until a day later, because today's email has already gone out.
  const [first, second] = body.ways as Way[]
  await set(practice, [second, first] as object[])
  assert.equal(await changedAt(), new Date(start).toISOString())
  server.clock.now = new Date(start + 600_000)
  const other = { ...ACCOUNT, iban: 'FR14 2004 1010 0505 0001 3M02 606' }
  assert.equal((await set(practice, [other, NOTE])).status, 200)
  await server.runTask('daily_digest')
  assert.equal((await told(family.email)).length, 1)
  server.clock.now = new Date(start + 25 * 3_600_000)
  for (let times = 0; times < 2; times++) await server.runTask('daily_digest')
  assert.equal((await told(family.email)).length, 2)
  server.clock.now = new Date(start + 50 * 3_600_000)
  await server.runTask('daily_digest')
  assert.equal((await told(family.email)).length, 2, 'nothing changed since')
  server.clock.now = new Date()
})

test('a family without an account is told by email that the ways to pay changed, and reads on its page when', async () => {
  const practice = await server.aUser('tutor')
  await practice.call('PATCH', '/api/v1/me', { full_name: 'Ingrid Lindqvist' })
  const self = rowsOf(await practice.call('GET', '/api/v1/tutors'))[0]?.id
  const student = idOf(await practice.call('POST', '/api/v1/students', { name: 'Maya' }))
  const lesson = { student_id: student, tutor_id: self, date: '2026-11-20', duration: 1 }
  const session = idOf(await practice.call('POST', '/api/v1/sessions', lesson))
  const email = 'pays-by-email@example.com'
  await practice.call('POST', '/api/v1/connections', { email, student_ids: [student] })
  const token = await tokenOf(server, email)
  const page = (path: string, more: object = {}) => byLink(server.aStranger(), token, path, more)
  await set(practice, [LINK])
  await server.allJobsDone()
  const mails = async () =>
    (await readMailbox(join(server.dataDir, 'mailbox'), email)).filter(({ subject }) =>
      subject.includes('pay'),
    )
  assert.deepEqual(await mails(), [], 'who has not answered pays nobody yet')
  await page('confirm', { sessions: [{ id: session, version: 1 }] })
  assert.equal((await page('payments')).body.ways_changed_at, null)
  await set(practice, [ACCOUNT])
  const { text } = await server.mailTo(email, 'Ingrid Lindqvist updated their payment options')
  assert.match(text, /See how to pay:\n\S+\/confirm#\S+/)
  assert.doesNotMatch(text, /DE89|paypal/i)
  assert.match(String((await page('payments')).body.ways_changed_at), /^20/)
})

test('both sides see the reference that came with the ways to pay on the payment that was reported under it', async () => {
  const { family, practice, tutor, student, connection } = await aPair(server)
  const seen = `/api/v1/connections/${connection}/payment-ways`
  assert.equal((await family.call('GET', seen)).body.reference, null, 'there is nothing to pay with yet')
  await set(practice, [LINK, ACCOUNT])
  const reference = String((await family.call('GET', seen)).body.reference)
  assert.match(reference, /^TL-[2-9A-Z]{4}$/)
  assert.equal((await family.call('GET', seen)).body.reference, reference)
  const other = await aPair(server)
  await set(other.practice, [LINK])
  const path = `/api/v1/connections/${other.connection}/payment-ways`
  assert.notEqual((await other.family.call('GET', path)).body.reference, reference)
  const facts = { date: '2026-11-20', amount: 45 }
  const pay = (more: object) =>
    family.call('POST', '/api/v1/payments', { tutor_id: tutor, ...facts, ...more })
  for (const wrong of ['TL-7K3O', 'TL-7K', '7K3Q', 'TL-7K3Q; drop', ''])
    assert.equal((await pay({ reference: wrong })).status, 422, wrong)
  const id = idOf(await pay({ reference }))
  for (const who of [family, practice])
    assert.equal((await who.call('GET', `/api/v1/payments/${id}`)).body.reference, reference)
  const [waiting] = (await practice.call('GET', '/api/v1/payments/waiting')).body.payments as {
    reference: string
  }[]
  assert.equal(waiting?.reference, reference)
  const late = await practice.call('PATCH', `/api/v1/payments/${id}`, { reference: 'TL-2222' })
  assert.equal(late.status, 422, 'it stays what was paid under')
  const own = { student_id: student, ...facts, amount: 12 }
  const received = idOf(await practice.call('POST', '/api/v1/payments', own))
  assert.equal((await family.call('GET', `/api/v1/payments/${received}`)).body.reference, null)
})
