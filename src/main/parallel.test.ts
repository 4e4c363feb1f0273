// Runs every write several times at the same moment. A lock on the tables lets all the calls finish reading
// before the first of them writes, so that each one decides without knowing of the others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { everyOperation, type Operation } from './testing/operations.server.ts'
import { startStripeStandIn, type StandIn } from './testing/stripe.server.ts'
import { aFamily, aPair, aPractice, idOf, LESSON } from './testing/two-sides.server.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

/** PostgreSQL's code for a lock that someone else holds. */
const LOCK_NOT_AVAILABLE = '55P03'

let stripe: StandIn
let server: TestServer
let client: pg.Client
let tables: string

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  // What's written before the call itself is left out.
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(format('%I', tablename), ', ') as names from pg_tables
      where schemaname = 'public' and tablename not in ('rate_limits')`,
  )
  tables = rows[0]?.names ?? ''
})
after(async () => {
  await client.end()
  await server.stop()
  stripe.stop()
})

// Waiting for a table while holding others could be a deadlock with a job that's still writing.
async function lockTables(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      await client.query(`begin; lock table ${tables} in share mode nowait`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      await client.query('rollback')
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  throw new Error('the tables are always in use')
}

/** Runs the calls so that all of them have read before one writes. */
async function atOnce(calls: Calls): Promise<Answer[]> {
  await server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())
  await lockTables()
  let isOver = false
  const answers = Promise.all(calls.map((call) => call())).finally(() => (isOver = true))
  for (let tries = 0; tries < 40 && !isOver; tries++) {
    const { rows } = await client.query<{ waiting: number }>(
      'select count(distinct pid)::int as waiting from pg_locks where not granted',
    )
    if ((rows[0]?.waiting ?? 0) >= calls.length) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await client.query('commit')
  return answers
}

type Calls = (() => Promise<Answer>)[]
const same = (call: () => Promise<Answer>): Calls => [call, call]
const codesOf = (answers: Answer[]) => answers.map(({ status, body }) => body.code ?? status).toSorted()

test('I10: no operation fails when it is called twice at the same moment', async () => {
  const { operations, callerFor, pathOf, exampleOf } = await everyOperation(server)
  const failed: string[] = []
  const isLast = ({ method, path }: Operation) => method === 'DELETE' && path === '/api/v1/me'
  for (const one of [...operations.filter((each) => !isLast(each)), ...operations.filter(isLast)]) {
    if (one.method === 'GET') continue
    const [person, role] = await callerFor(one)
    const body = exampleOf(one.requestBody?.content['application/json']?.schema ?? {}, role)
    const answers = await atOnce(same(() => person.call(one.method, pathOf(one, role), body)))
    if (answers.some(({ status }) => status >= 500))
      failed.push(`${one.method} ${one.path}: ${codesOf(answers).join()}`)
  }
  assert.deepEqual(failed, [])
})

const bearer = (text: string) => /#(?:token=)?(\S+)/.exec(text)?.[1] ?? ''

async function invited(owner: Caller, email: string): Promise<string> {
  assert.equal((await owner.call('POST', '/api/v1/members', { email, role: 'parent' })).status, 201)
  return bearer((await server.mailTo(email, 'invited you')).text)
}

async function aSignUp(): Promise<{ person: Caller; token: string }> {
  const person = server.aStranger()
  await person.call('POST', '/api/auth/sign-up', { email: person.email, password: PASSWORD, role: 'parent' })
  return { person, token: bearer((await server.mailTo(person.email, 'Verify')).text) }
}

async function withoutRole(): Promise<Caller> {
  const { person } = await aSignUp()
  await person.call('POST', '/api/auth/forgot-password', { email: person.email })
  const link = new URL(/http\S+/.exec((await server.mailTo(person.email, 'Reset')).text)?.[0] ?? '')
  const pair = Object.fromEntries(link.searchParams)
  // In another browser than the one that signed up, so the sign-up's role doesn't count.
  const owner = server.aStranger()
  await owner.call('POST', '/api/auth/reset-password', { ...pair, password: PASSWORD })
  return owner
}

/** Calls that meet at the same moment, and how they're answered, in either order. */
const MEETINGS: Record<string, [prepare: () => Promise<Calls>, answers: (string | number)[]]> = {
  'choosing a role': [
    async () => {
      const person = await withoutRole()
      return same(() => person.call('PUT', '/api/v1/me/role', { role: 'tutor' }))
    },
    [200, 'role_set'],
  ],
  'starting a practice': [
    async () => {
      const person = await server.aUser()
      return same(() => person.call('POST', '/api/v1/workspaces', { kind: 'practice' }))
    },
    [201, 'already_yours'],
  ],
  'inviting the same person': [
    async () => {
      const owner = await server.aUser()
      return same(() => owner.call('POST', '/api/v1/members', { email: 'jo@example.com', role: 'parent' }))
    },
    [201, 201],
  ],
  'joining as someone new': [
    async () => {
      const token = await invited(await server.aUser(), server.aStranger().email)
      const input = { token, password: PASSWORD, full_name: 'Jo' }
      return same(() => server.aStranger().call('POST', '/api/auth/join', input))
    },
    [200, 'has_account'],
  ],
  'joining with an account': [
    async () => {
      const person = await server.aUser()
      const token = await invited(await server.aUser(), person.email)
      return same(() => person.call('POST', '/api/v1/workspaces/join', { token }))
    },
    [200, 'invitation_over'],
  ],
  'signing up with one address': [
    async () => {
      const { email } = server.aStranger()
      const input = { email, password: PASSWORD, role: 'parent' }
      return same(() => server.aStranger().call('POST', '/api/auth/sign-up', input))
    },
    [200, 200],
  ],
  'confirming an address': [
    async () => {
      const { person, token } = await aSignUp()
      return same(() => person.call('POST', '/api/auth/verify', { token }))
    },
    [200, 'invalid_link'],
  ],
  'confirming one address by two sign-ups': [
    async () => {
      const { person, token } = await aSignUp()
      const other = server.aStranger()
      await other.call('POST', '/api/auth/sign-up', {
        email: person.email,
        password: PASSWORD,
        role: 'tutor',
      })
      await server.allJobsDone()
      const mails = await readMailbox(`${server.dataDir}/mailbox`, person.email)
      const tokens = mails.map(({ text }) => bearer(text)).filter((one) => one !== token)
      return [
        () => person.call('POST', '/api/auth/verify', { token }),
        () => other.call('POST', '/api/auth/verify', { token: tokens[0] }),
      ]
    },
    [200, 'invalid_link'],
  ],
  'changing the address': [
    async () => {
      const user = await server.aUser()
      const change = (email: string) => () =>
        user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email })
      return [change('wish-one@example.com'), change('wish-two@example.com')]
    },
    [200, 200],
  ],
  'changing the password': [
    async () => {
      const user = await server.aUser()
      const change = { current_password: PASSWORD, password: 'tulips-and-41' }
      return same(() => user.call('POST', '/api/v1/me/password', change))
    },
    [200, 200],
  ],
  'two accounts taking one address': [
    async () => {
      const email = 'wished-by-two@example.com'
      const users = [await server.aUser(), await server.aUser()]
      const tokens: string[] = []
      for (const user of users) {
        await user.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email })
        const old = bearer((await server.mailTo(user.email, 'address change')).text)
        await user.call('POST', '/api/auth/confirm-email', { token: old })
        await server.allJobsDone()
        const mails = await readMailbox(`${server.dataDir}/mailbox`, email)
        const fresh = mails.map(({ text }) => bearer(text)).find((one) => !tokens.includes(one))
        tokens.push(fresh ?? '')
      }
      return tokens.map(
        (token) => () => server.aStranger().call('POST', '/api/auth/confirm-email', { token }),
      )
    },
    [200, 'invalid_link'],
  ],
  'adding the same child': [
    async () => {
      const user = await server.aUser()
      return same(() => user.call('POST', '/api/v1/students', { name: 'Maya' }))
    },
    [201, 201],
  ],
  'inviting the same friend': [
    async () => {
      const user = await server.aUser()
      return same(() => user.call('POST', '/api/v1/invitations', { friend_email: 'friend@example.com' }))
    },
    [201, 201],
  ],
  'accepting a request': [
    async () => {
      const asking = await aFamily(server)
      const { practice } = await aPractice(server, asking.email)
      const path = `/api/v1/connections/${asking.connection}`
      return same(() => practice.call('PATCH', path, { state: 'active' }))
    },
    [200, 'changed'],
  ],
  'ending a connection': [
    async () => {
      const pair = await aPair(server)
      return same(() => pair.family.call('DELETE', `/api/v1/connections/${pair.connection}`))
    },
    [204, 'not_found'],
  ],
  'confirming a session': [
    async () => {
      const pair = await aPair(server)
      const path = `/api/v1/sessions/${await pair.log()}/confirm`
      return same(() => pair.practice.call('POST', path, {}))
    },
    [200, 200],
  ],
  'both sides logging the same lesson': [
    async () => {
      const pair = await aPair(server)
      const lesson = { student_id: pair.child, tutor_id: pair.tutor, ...LESSON }
      return [() => pair.family.call('POST', '/api/v1/sessions', lesson), () => pair.logByPractice()]
    },
    [201, 'same_lesson'],
  ],
  'reporting a payment': [
    async () => {
      const pair = await aPair(server)
      const payment = { tutor_id: pair.tutor, date: '2026-11-20', amount: 45 }
      return same(() => pair.family.call('POST', '/api/v1/payments', payment))
    },
    [201, 'same_payment'],
  ],
  'setting the ways to pay': [
    async () => {
      const { practice } = await aPair(server)
      const ways = [{ kind: 'link', url: 'paypal.me/AdaTutors' }]
      return same(() => practice.call('PUT', '/api/v1/payment-ways', { ways }))
    },
    [200, 200],
  ],
  'answering for a class': [
    async () => {
      const user = await server.aUser()
      const student_id = idOf(await user.call('POST', '/api/v1/students', { name: 'Maya' }))
      const tutor_id = idOf(await user.call('POST', '/api/v1/tutors', { name: 'Ingrid' }))
      const class_ = { student_id, tutor_id, duration: 1, day_of_week: 1, start_time: '16:00' }
      const made = await user.call('POST', '/api/v1/schedules', { ...class_, start_date: '2026-11-02' })
      const path = `/api/v1/schedules/${idOf(made)}/occurrence`
      return same(() =>
        user.call('PUT', path, {
          date: '2026-11-09',
          status: 'canceled',
          outcome: 'canceled_late',
          was: null,
        }),
      )
    },
    [200, 200],
  ],
  'asking to close a month': [
    async () => {
      const pair = await aPair(server)
      const id = await pair.log({ date: '2026-10-20' })
      await pair.practice.call('POST', `/api/v1/sessions/${id}/confirm`, {})
      const month = { connection_id: pair.connection, month: '2026-10' }
      return same(() => pair.family.call('POST', '/api/v1/months/close', month))
    },
    [200, 200],
  ],
}

for (const [name, [prepare, expected]] of Object.entries(MEETINGS))
  test(`I10: ${name} at the same moment is answered as if one came after the other`, async () => {
    assert.deepEqual(codesOf(await atOnce(await prepare())), expected)
  })
