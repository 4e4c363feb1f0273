// Whether an address has an account can't be told from any sequence of calls: not from the answers, and not
// from the work behind them. The work is counted, because a timing would depend on the machine.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setDisabled } from '#features/admin/queries.server.ts'
import { startWatchedServer, type WatchedServer } from '#main/testing/watched-server.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
let watched: WatchedServer
/** Someone's referral code, which every sign-up here names. */
let ref: string
before(async () => {
  server = await startTestServer()
  ref = String((await (await server.aUser()).call('GET', '/api/v1/referral')).body.code)
  watched = await startWatchedServer(server)
  // Statements that are built just once show up in the first run only.
  for (const steps of Object.values(SEQUENCES)) await traceOf(steps, server.aStranger().email)
})
after(async () => {
  await watched.stop()
  await server.stop()
})

const CHOSEN = 'tulips-and-41'
const WRONG = 'not-it-at-all'
/** Normalization changes this text, so it's hashed in both forms. */
const DECOMPOSED = 'Sen\u0303or\u00a0Ga\u0308rtner'

type Step = (browser: Caller, email: string) => Promise<Answer>

const signUp =
  (password = CHOSEN): Step =>
  (browser, email) =>
    browser.call('POST', '/api/auth/sign-up', { email, password, role: 'tutor', ref })
const signIn =
  (password = CHOSEN): Step =>
  (browser, email) =>
    browser.call('POST', '/api/auth/sign-in', { email, password })
const post =
  (path: string, body: object = {}): Step =>
  (browser) =>
    browser.call('POST', path, body)
const about =
  (path: string): Step =>
  (browser, email) =>
    browser.call('POST', path, { email })
const get =
  (path: string): Step =>
  (browser) =>
    browser.call('GET', path)
const times = (count: number, step: Step) => Array.from({ length: count }, () => step)

const FORGOT = about('/api/auth/forgot-password')
const ASK_FOR_LINK = about('/api/auth/request-verification')
const RESEND = post('/api/auth/resend')

/** Goes on as someone with an account of their own. */
const asAnotherAccount: Step = async (browser) => {
  const user = await server.aUser()
  for (const [name, value] of user.cookies) browser.cookies.set(name, value)
  return browser.call('GET', '/api/v1/me')
}

/** What someone could try. A nested list is done in another browser. */
const SEQUENCES: Record<string, (Step | Step[])[]> = {
  'sign up, sign in and everything behind it': [
    signUp(),
    signIn(),
    get('/api/auth/session'),
    get('/api/v1/me'),
    get('/api/v1/devices'),
    RESEND,
    post('/api/auth/refresh', { active: true }),
    post('/api/auth/verify', { token: 'x'.repeat(43), password: CHOSEN }),
    signIn(WRONG),
    FORGOT,
    ASK_FOR_LINK,
    get('/api/auth/session'),
    post('/api/auth/sign-out'),
    signIn(),
  ],
  'several sign-ups': [
    [signUp('tulips-and-42')],
    [signUp('tulips-and-43')],
    signUp(),
    signIn('tulips-and-42'),
    [signIn('tulips-and-43'), RESEND, get('/api/auth/session')],
    signIn(WRONG),
    signIn(),
    ASK_FOR_LINK,
  ],
  'a password typed in another form': [
    signUp(DECOMPOSED),
    signIn(DECOMPOSED),
    signIn(),
    signIn(DECOMPOSED.normalize()),
  ],
  'guessing until it is refused': times(12, signIn(WRONG)),
  'guessing between sign-ins with the own password': [
    signUp(),
    ...times(6, signIn(WRONG)),
    signIn(),
    ...times(6, signIn(WRONG)),
    signIn(),
  ],
  'signing up until it is refused': times(12, signUp()),
  'asking for emails until they are refused': [
    ...times(7, FORGOT),
    ...times(7, ASK_FOR_LINK),
    signUp(),
    signIn(),
    ...times(7, RESEND),
  ],
  'inviting it, asking it to connect, or changing to it': [
    asAnotherAccount,
    (browser, email) => browser.call('POST', '/api/v1/members', { email, role: 'parent' }),
    get('/api/v1/members'),
    async (browser, email) => {
      const tutor = await browser.call('POST', '/api/v1/tutors', { name: 'Ingrid', email })
      return browser.call('POST', '/api/v1/connections', { tutor_id: tutor.body.id })
    },
    get('/api/v1/connections'),
    (browser, email) => browser.call('POST', '/api/v1/me/email', { current_password: PASSWORD, email }),
    (browser, email) => browser.call('POST', '/api/v1/invitations', { friend_email: email }),
  ],
  'a made-up invitation': [
    signUp(),
    signIn(),
    post('/api/auth/invitation', { token: 'x'.repeat(43) }),
    post('/api/auth/join', { token: 'x'.repeat(43), password: CHOSEN }),
    post('/api/v1/workspaces/join', { token: 'x'.repeat(43) }),
  ],
  'a weak password': [signUp('password1'), signIn('password1'), FORGOT],
}

const owners: Record<string, (owner: Caller) => Promise<unknown>> = {
  'a family': async () => undefined,
  'a practice': (owner) => owner.call('POST', '/api/v1/workspaces', { kind: 'practice' }),
  'an account with Google alone': (owner) =>
    server.db.asSystem((tx) =>
      tx.updateTable('users').set({ password_hash: null }).where('id', '=', owner.id).execute(),
    ),
  'a disabled account': (owner) => server.db.asSystem((tx) => setDisabled(tx, owner.id, new Date())),
  'a deleted account': (owner) => owner.call('DELETE', '/api/v1/me', { current_password: PASSWORD }),
}

/** Removes what differs from call to call: ids, times, tokens and the address itself. */
function plain(text: string, email: string): string {
  return text
    .replaceAll(email, 'ADDRESS')
    .replace(/person-\d+@example\.com/g, 'OTHER')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/[\w-]{43}(\.[\w-]{43})?/g, 'TOKEN')
    .replace(/Expires=[^;]+/g, 'Expires=TIME')
}

/** Everything an outsider and the database see of a sequence. */
async function traceOf(parts: (Step | Step[])[], email: string): Promise<string[]> {
  await server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())
  const browser = server.aStranger(watched.app)
  const trace: string[] = []
  watched.takeWork()
  for (const part of parts) {
    const by = Array.isArray(part) ? server.aStranger(watched.app) : browser
    for (const step of [part].flat()) {
      const { status, body, headers } = await step(by, email)
      const { date: _date, etag: _etag, 'content-length': _length, 'retry-after': _wait, ...rest } = headers
      trace.push(plain(JSON.stringify({ status, body, headers: rest, work: watched.takeWork() }), email))
    }
  }
  const limits = await server.db.asSystem((tx) =>
    tx.selectFrom('rate_limits').select(['key', 'hits']).execute(),
  )
  return [...trace, ...limits.map(({ key, hits }) => plain(`${key} ${hits}`, email)).toSorted()]
}

for (const [name, steps] of Object.entries(SEQUENCES))
  test(`A22: nobody can tell whether an address has an account by ${name}`, async () => {
    const expected = await traceOf(steps, server.aStranger().email)
    for (const [kind, prepare] of Object.entries(owners)) {
      const owner = await server.aUser()
      await prepare(owner)
      await server.allJobsDone()
      const trace = await traceOf(steps, owner.email)
      for (const [at, line] of expected.entries()) assert.equal(trace[at], line, `${kind}, step ${at + 1}`)
      assert.equal(trace.length, expected.length, kind)
    }
  })

const mailsTo = (email: string) => readMailbox(`${server.dataDir}/mailbox`, email)

test("A22: a sign-up with someone's address opens only the verification page, and the owner's password always wins", async () => {
  const owner = await server.aUser()
  await owner.call('PATCH', '/api/v1/me', { full_name: 'Dana Whitfield' })
  await owner.call('POST', '/api/v1/students', { name: 'Maya' })
  const pender = server.aStranger()
  await signUp()(pender, owner.email)
  const { body: login } = await signIn()(pender, owner.email)
  const user = login.user as Record<string, unknown>
  assert.deepEqual([user.email_confirmed_at, user.full_name, user.role], [null, null, 'tutor'])
  assert.notEqual(user.id, owner.id)
  for (const path of ['/api/v1/me', '/api/v1/students', '/api/v1/devices', '/api/v1/workspaces'])
    assert.equal((await pender.call('GET', path)).body.code, 'email_not_verified', path)

  await RESEND(pender, owner.email)
  await server.allJobsDone()
  const mails = await mailsTo(owner.email)
  const already = 'You already have a Tutorlog account'
  assert.deepEqual(mails.map(({ subject }) => subject).toSorted(), [
    'Verify your email for Tutorlog',
    already,
    already,
  ])
  const links = mails.filter(({ text }) => text.includes('#token='))
  assert.deepEqual(
    links.map(({ subject }) => subject),
    ['Verify your email for Tutorlog'],
    "the owner's own",
  )

  // The owner signs up once more, with the password they have: that opens their account, not the sign-up.
  await signUp(PASSWORD)(server.aStranger(), owner.email)
  const browser = server.aStranger()
  assert.equal(((await signIn(PASSWORD)(browser, owner.email)).body.user as { id: string }).id, owner.id)
  assert.equal((await browser.call('GET', '/api/v1/me')).body.full_name, 'Dana Whitfield')
  const devices = (await browser.call('GET', '/api/v1/devices')).body.devices as unknown[]
  assert.equal(devices.length, 2, "the sign-up's login isn't one of the owner's")
  // If the gate closed now, it would tell that the owner has just signed in.
  assert.equal((await pender.call('GET', '/api/auth/session')).status, 200)
})

test("A22: a sign-up that expires takes none of the owner's emails along", async () => {
  const owner = await server.aUser()
  await signUp()(server.aStranger(), owner.email)
  await server.allJobsDone()
  const before = (await mailsTo(owner.email)).filter(({ subject }) => /Verify/.test(subject))
  server.clock.now = new Date(server.clock.now.getTime() + 31 * 86_400_000)
  await server.runTask('purge_accounts')
  assert.equal((await signIn()(server.aStranger(), owner.email)).status, 401)
  assert.equal((await signIn(PASSWORD)(server.aStranger(), owner.email)).status, 200)
  const rows = await server.db.asSystem((tx) =>
    tx.selectFrom('outbox').select('kind').where('recipient', '=', owner.email).execute(),
  )
  assert.ok(rows.some(({ kind }) => kind === 'verify_email'))
  assert.equal(
    (await mailsTo(owner.email)).filter(({ subject }) => /Verify/.test(subject)).length,
    before.length,
  )
})
