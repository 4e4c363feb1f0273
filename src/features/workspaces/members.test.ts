// Several people in one workspace: how they join, what each of them can do, and how they leave.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { MakingOptions, UsingOptions } from '#features/passkeys/passkey.ts'
import { aDevice } from '#main/testing/authenticator.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

const HEADER = 'tutorlog-workspace'
let server: TestServer
let owner: Caller
let people = 0

before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())
beforeEach(async () => {
  owner = await server.aUser()
  await owner.call('PATCH', '/api/v1/me', { full_name: 'Ana Whitfield' })
})

const anAddress = () => `member-${++people}@example.com`
const invite = (email: string, role = 'parent', by = owner) =>
  by.call('POST', '/api/v1/members', { email, role })

async function tokenFor(email: string): Promise<string> {
  const { text } = await server.mailTo(email, 'invited you')
  return /\/join#token=(\S+)/.exec(text)?.[1] ?? ''
}

/** Invites someone who doesn't have an account yet, then joins as that person. */
async function aMember(role = 'parent', by = owner): Promise<Caller> {
  const person = server.aStranger()
  await invite(person.email, role, by)
  const token = await tokenFor(person.email)
  const { status } = await person.call('POST', '/api/auth/join', { token, password: PASSWORD })
  assert.equal(status, 200)
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

const rows = async (person: Caller, path: string, headers = {}) =>
  (await person.call('GET', `/api/v1/${path}`, undefined, headers)).body as unknown as Record<
    string,
    unknown
  >[]

test('on a server without payments no email about members and no profile mentions a plan or a trial', async () => {
  const second = await aMember()
  const { body: me } = await second.call('GET', '/api/v1/me')
  assert.deepEqual([me.takes_payments, me.is_trial_ahead], [false, false])
  assert.equal((await owner.call('PATCH', `/api/v1/members/${second.id}`, { role: 'owner' })).status, 200)
  for (const subject of ['invited you', 'You are now the owner'])
    assert.doesNotMatch((await server.mailTo(second.email, subject)).text, /plan|trial/, subject)
})

test('a second parent joins from the email, without a role choice or a family of their own, and keeps the same records', async () => {
  const child = String((await owner.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const tutor = String(
    (await owner.call('POST', '/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })).body.id,
  )
  await owner.call('PATCH', '/api/v1/me', { currency: 'EUR' })
  const second = server.aStranger()
  const invited = await invite(second.email)
  assert.equal(invited.status, 201)
  assert.deepEqual(
    [invited.body.state, invited.body.role, invited.body.email],
    ['invited', 'parent', second.email],
  )

  const token = await tokenFor(second.email)
  const opened = await second.call('POST', '/api/auth/invitation', { token })
  assert.deepEqual(opened.body, {
    kind: 'family',
    role: 'parent',
    owner_name: 'Ana Whitfield',
    has_all_students: true,
    email: second.email,
    has_account: false,
  })
  const joined = await second.call('POST', '/api/auth/join', {
    token,
    full_name: 'Ben Whitfield',
    password: PASSWORD,
  })
  assert.equal(joined.status, 200)

  const { body: me } = await second.call('GET', '/api/v1/me')
  assert.deepEqual(
    [me.role, me.currency, me.workspace],
    [
      'parent',
      'EUR',
      {
        id: owner.member.workspaceId,
        kind: 'family',
        role: 'parent',
        can_write: true,
        owner_name: 'Ana Whitfield',
        is_only: true,
      },
    ],
  )
  assert.deepEqual(
    (await rows(second, 'workspaces')).map(({ owner_name, role }) => [owner_name, role]),
    [['Ana Whitfield', 'parent']],
  )
  const logged = await second.call('POST', '/api/v1/sessions', {
    student_id: child,
    tutor_id: tutor,
    date: '2026-11-20',
    duration: 1,
  })
  assert.equal(logged.status, 201)
  assert.equal((await owner.call('GET', `/api/v1/sessions/${String(logged.body.id)}`)).body.total_amount, 45)

  assert.equal((await second.call('GET', '/api/v1/referral')).status, 200, 'they have a code of their own')

  // The history shows who made each change.
  const session = `/api/v1/sessions/${String(logged.body.id)}`
  await owner.call('PATCH', session, { duration: 2 })
  const entries = (await owner.call('GET', `${session}/history`)).body.entries as Record<string, unknown>[]
  assert.deepEqual(
    entries.map(({ by, member_name, action }) => [by, member_name, action]),
    [
      ['member', 'Ben Whitfield', 'logged'],
      ['you', null, 'changed'],
    ],
  )

  // The owner sees addresses. Everyone else sees only names.
  const shown = (list: Record<string, unknown>[]) =>
    list.map(({ name, email, role, is_me }) => [name, email, role, is_me])
  assert.deepEqual(shown(await rows(owner, 'members')), [
    ['Ana Whitfield', owner.email, 'owner', true],
    ['Ben Whitfield', second.email, 'parent', false],
  ])
  assert.deepEqual(shown(await rows(second, 'members')), [
    ['Ana Whitfield', null, 'owner', false],
    ['Ben Whitfield', second.email, 'parent', true],
  ])
})

test('A23: whoever is invited may join with a passkey instead of a password, and signs in with it', async () => {
  const person = server.aStranger()
  await invite(person.email)
  const token = await tokenFor(person.email)
  const start = async () =>
    (await person.call('POST', '/api/auth/passkey/sign-up', { email: person.email })).body
  const join = (secret: object) => person.call('POST', '/api/auth/join', { token, ...secret })
  const device = aDevice()
  const lie = device.make((await start()) as unknown as MakingOptions, { origin: 'https://example.evil' })
  assert.equal((await join({ passkey: lie })).body.code, 'passkey_refused')
  const passkey = device.make((await start()) as unknown as MakingOptions)
  for (const secret of [{}, { password: PASSWORD, passkey }]) assert.equal((await join(secret)).status, 422)
  assert.equal((await join({ passkey, full_name: 'Cleo' })).status, 200)
  const { body: me } = await person.call('GET', '/api/v1/me')
  assert.deepEqual([me.full_name, me.has_password], ['Cleo', false])
  const elsewhere = server.aStranger()
  const options = (await elsewhere.call('POST', '/api/auth/passkey/start', {}))
    .body as unknown as UsingOptions
  assert.equal(
    (await elsewhere.call('POST', '/api/auth/passkey', { passkey: device.use(options) })).body.code,
    undefined,
  )
  assert.equal((await elsewhere.call('GET', '/api/v1/me')).body.id, me.id)
})

test('an invitation works once, for 14 days, until it is withdrawn or sent again, and only for its address', async () => {
  const over = async (token: string, person = server.aStranger()) => {
    const { status, body } = await person.call('POST', '/api/auth/join', { token, password: PASSWORD })
    return [status, body.code]
  }
  const used = await aMember()
  const [other, late, taken, again] = [anAddress(), anAddress(), anAddress(), anAddress()]
  assert.deepEqual(await over(await tokenFor(used.email)), [422, 'invitation_over'])

  const { body } = await invite(taken)
  const takenToken = await tokenFor(taken)
  assert.equal((await owner.call('DELETE', `/api/v1/members/${String(body.id)}`, {})).status, 204)
  assert.deepEqual(await over(takenToken), [422, 'invitation_over'])

  await invite(again)
  const first = await tokenFor(again)
  assert.equal((await invite(again, 'viewer')).status, 201)
  assert.deepEqual(await over(first), [422, 'invitation_over'])

  const somebody = await server.aUser()
  await invite(other)
  const wrong = await somebody.call('POST', '/api/v1/workspaces/join', { token: await tokenFor(other) })
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'other_address'])

  await invite(late)
  const lateToken = await tokenFor(late)
  server.clock.now = new Date(Date.now() + 15 * 86_400_000)
  try {
    assert.deepEqual(await over(lateToken), [422, 'invitation_over'])
  } finally {
    server.clock.now = new Date()
  }
  assert.deepEqual(await over('x'.repeat(43)), [422, 'invitation_over'])
  assert.equal((await rows(owner, 'members')).filter(({ state }) => state === 'member').length, 2)
})

test('someone with their own family joins another and works in each by its id', async () => {
  const friend = await server.aUser()
  await friend.call('POST', '/api/v1/students', { name: 'Own' })
  await owner.call('POST', '/api/v1/students', { name: 'Shared' })
  await invite(friend.email, 'viewer')
  const token = await tokenFor(friend.email)
  const refusedNew = await server.aStranger().call('POST', '/api/auth/join', { token, password: PASSWORD })
  assert.deepEqual([refusedNew.status, refusedNew.body.code], [409, 'has_account'])
  const joined = await friend.call('POST', '/api/v1/workspaces/join', { token })
  assert.deepEqual(
    [joined.status, joined.body.id, joined.body.role],
    [200, owner.member.workspaceId, 'viewer'],
  )

  const there = { [HEADER]: owner.member.workspaceId }
  assert.deepEqual(
    (await rows(friend, 'students')).map(({ name }) => name),
    ['Own'],
  )
  assert.deepEqual(
    (await rows(friend, 'students', there)).map(({ name }) => name),
    ['Shared'],
  )
  const { body: me } = await friend.call('GET', '/api/v1/me', undefined, there)
  assert.deepEqual(me.workspace, {
    id: owner.member.workspaceId,
    kind: 'family',
    role: 'viewer',
    can_write: false,
    owner_name: 'Ana Whitfield',
    is_only: false,
  })
  assert.equal((await invite(friend.email)).body.code, 'already_member')
})

test("T1: a viewer can't change anything, through a route or in the database", async () => {
  const child = String((await owner.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const viewer = await aMember('viewer')
  const writes = [
    ['POST', 'students', { name: 'Theo' }],
    ['PATCH', `students/${child}`, { name: 'Other' }],
    ['DELETE', `students/${child}`, {}],
    ['POST', 'tutors', { name: 'Ingrid' }],
    ['POST', 'sessions', { student_id: child, tutor_id: child, date: '2026-11-20', duration: 1 }],
    ['POST', 'speech', { transcript: 'Maya had an hour of math' }],
  ] as const
  for (const [method, path, body] of writes) {
    const answer = await viewer.call(method, `/api/v1/${path}`, body)
    assert.deepEqual([answer.status, answer.body.code], [403, 'read_only'], `${method} ${path}`)
  }
  const currency = await viewer.call('PATCH', '/api/v1/me', { currency: 'EUR' })
  assert.deepEqual([currency.status, currency.body.code], [403, 'currency_not_yours'])
  assert.equal((await viewer.call('PATCH', '/api/v1/me', { full_name: 'Vera' })).status, 200)
  assert.equal((await viewer.call('POST', '/api/v1/calendar-feed', {})).status, 200)

  const { workspace, workspaceId } = owner.member
  const speaker = { accountId: viewer.id, workspace }
  const read = await server.db.asMember(speaker, (tx) => tx.selectFrom('students').select('name').execute())
  assert.deepEqual(read, [{ name: 'Maya' }])
  await assert.rejects(
    server.db.asMember(speaker, (tx) =>
      tx.insertInto('students').values({ workspace_id: workspaceId, name: 'Theo' }).execute(),
    ),
    /row-level security/,
  )
  await server.db.asMember(speaker, async (tx) => {
    const changed = await tx.updateTable('students').set({ name: 'Other' }).executeTakeFirst()
    const deleted = await tx.deleteFrom('students').executeTakeFirst()
    assert.deepEqual([changed.numUpdatedRows, deleted.numDeletedRows], [0n, 0n])
  })
})

test("T19: every operation that changes a family's records refuses a viewer", async () => {
  const viewer = await aMember('viewer')
  const { paths } = (await viewer.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { 'x-closed-to'?: string[]; 'x-roles': string | string[] }>>
  }
  let seen = 0
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const roles = operation['x-roles']
      const isForMembers = Array.isArray(roles) && roles.some((role) => role !== 'admin' && role !== 'link')
      const isWrite = isForMembers && method !== 'get'
      const isClosed = operation['x-closed-to']?.includes('viewer') ?? false
      assert.equal(isClosed, isWrite && !/\/(calendar-feed|learned-names)(\/|$)/.test(path), path)
      if (!isClosed || !roles.includes('parent')) continue
      const { status, body } = await viewer.call(method.toUpperCase(), path.replace('{id}', viewer.id), {})
      assert.deepEqual([status, body.code], [403, 'read_only'], `${method} ${path}`)
      seen += 1
    }
  }
  assert.ok(seen > 20, String(seen))
})

test('T1: only the owner changes who is a member, and nobody makes a second owner', async () => {
  const second = await aMember()
  const viewer = await aMember('viewer')
  for (const [method, path, body] of [
    ['POST', 'members', { email: anAddress(), role: 'parent' }],
    ['PATCH', `members/${viewer.id}`, { role: 'parent' }],
    ['DELETE', `members/${viewer.id}`, {}],
    ['DELETE', `members/${owner.id}`, {}],
  ] as const) {
    const answer = await second.call(method, `/api/v1/${path}`, body)
    assert.deepEqual([answer.status, answer.body.code], [403, 'owner_only'], `${method} ${path}`)
  }
  for (const role of ['owner', 'assistant'])
    assert.equal((await invite(anAddress(), role)).body.code, 'wrong_role', role)
  assert.equal((await owner.call('PATCH', `/api/v1/members/${owner.id}`, { role: 'viewer' })).status, 404)

  // The database enforces this too, in case a route forgets to check.
  const speaker = { accountId: second.id, workspace: owner.member.workspace }
  await server.db.asMember(speaker, async (tx) => {
    const changed = await tx.updateTable('members').set({ role: 'owner' }).executeTakeFirst()
    assert.equal(changed.numUpdatedRows, 0n)
    const removed = await tx.deleteFrom('members').where('account_id', '=', viewer.id).executeTakeFirst()
    assert.equal(removed.numDeletedRows, 0n)
  })
  await assert.rejects(
    server.db.asMember({ ...speaker, accountId: owner.id }, (tx) =>
      tx.updateTable('members').set({ role: 'owner' }).where('account_id', '=', second.id).execute(),
    ),
    /row-level security/,
  )

  const changed = await owner.call('PATCH', `/api/v1/members/${viewer.id}`, { role: 'parent' })
  assert.deepEqual([changed.status, changed.body.role], [200, 'parent'])
  assert.equal((await viewer.call('POST', '/api/v1/students', { name: 'Nora' })).status, 201)
})

test('a member who leaves or is removed loses access at once, their entries stay, and the owner cannot leave', async () => {
  const [leaver, removed] = [await aMember(), await aMember()]
  for (const person of [leaver, removed])
    assert.equal((await person.call('POST', '/api/v1/students', { name: person.email })).status, 201)
  assert.equal((await owner.call('DELETE', `/api/v1/members/${owner.id}`, {})).body.code, 'owner_stays')
  assert.equal((await leaver.call('DELETE', `/api/v1/members/${leaver.id}`, {})).status, 204)
  assert.equal((await owner.call('DELETE', `/api/v1/members/${removed.id}`, {})).status, 204)
  for (const person of [leaver, removed]) {
    const there = { [HEADER]: owner.member.workspaceId }
    const answer = await person.call('GET', '/api/v1/students', undefined, there)
    assert.deepEqual([answer.status, answer.body.code], [404, 'no_such_workspace'])
    // After being removed, they can't use their invitation link again.
    const back = await person.call('POST', '/api/v1/workspaces/join', { token: await tokenFor(person.email) })
    assert.deepEqual([back.status, back.body.code], [422, 'invitation_over'])
    const { body: me } = await person.call('GET', '/api/v1/me')
    assert.deepEqual([me.role, me.workspace], [null, null])
  }
  assert.equal((await rows(owner, 'students')).length, 2)
  assert.equal((await rows(owner, 'members')).length, 1)
  // Someone removed from their only workspace can create a new one. Their trial starts at that point.
  const start = Date.now() + 60 * 86_400_000
  server.clock.now = new Date(start)
  try {
    await removed.call('POST', '/api/auth/sign-in', { email: removed.email, password: PASSWORD })
    const { body: me } = await removed.call('PUT', '/api/v1/me/role', { role: 'tutor' })
    assert.equal(me.role, 'tutor')
    assert.equal(me.trial_ends_at, new Date(start + 45 * 86_400_000).toISOString())
  } finally {
    server.clock.now = new Date()
  }
})

test('a family has at most 6 people, including those invited', async () => {
  for (let place = 1; place < 6; place++) assert.equal((await invite(anAddress())).status, 201)
  const sixth = await invite(anAddress())
  assert.deepEqual([sixth.status, sixth.body.code], [409, 'too_many_members'])
})

test('an assistant logs in a practice and answers no family', async () => {
  const tutor = await server.aUser('tutor')
  assert.equal((await invite(anAddress(), 'parent', tutor)).body.code, 'wrong_role')
  const assistant = await aMember('assistant', tutor)
  assert.equal((await assistant.call('GET', '/api/v1/me')).body.role, 'tutor')
  assert.equal((await assistant.call('POST', '/api/v1/students', { name: 'Lea' })).status, 201)
  const answer = await assistant.call('PATCH', `/api/v1/connections/${crypto.randomUUID()}`, {
    state: 'active',
  })
  assert.deepEqual([answer.status, answer.body.code], [403, 'role'])
})

test("a viewer's export has their own data, and nothing of the family's", async () => {
  const viewer = await aMember('viewer')
  await owner.call('POST', '/api/v1/students', { name: 'Maya' })
  const file = await viewer.call('POST', '/api/v1/export', {})
  assert.equal(file.status, 200)
  assert.doesNotMatch(file.bytes.toString('latin1'), /Maya/)
})

test('nobody can be on both sides of a connection, by asking, answering or joining', async () => {
  const tutor = await server.aUser('tutor')
  const add = async (name: string, email: string) =>
    String((await owner.call('POST', '/api/v1/tutors', { name, email, hourly_rate: 45 })).body.id)
  const second = await aMember()
  const ask = async (name: string, email: string) =>
    owner.call('POST', '/api/v1/connections', { tutor_id: await add(name, email) })
  const self = await ask('Ben', second.email)
  assert.deepEqual([self.status, self.body.code], [422, 'own_address'])

  // A connected tutor can't become a member of the family.
  await ask('Ingrid', tutor.email)
  const [asked] = await rows(tutor, 'connections')
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/connections/${String(asked?.id)}`, { state: 'active' })).status,
    200,
  )
  await invite(tutor.email)
  const joining = await tutor.call('POST', '/api/v1/workspaces/join', { token: await tokenFor(tutor.email) })
  assert.deepEqual([joining.status, joining.body.code], [409, 'both_sides'])

  // A practice can't accept a request from a family with which it has a member in common, whether the request
  // or the invitation came first.
  const other = await server.aUser('tutor')
  await invite(other.email, 'viewer')
  const token = await tokenFor(other.email)
  assert.equal((await other.call('POST', '/api/v1/workspaces/join', { token })).status, 200)
  await owner.call('DELETE', `/api/v1/members/${other.id}`, {})
  await ask('Noor', other.email)
  const [again] = await rows(other, 'connections')
  await server.db.asSystem((tx) =>
    tx
      .insertInto('members')
      .values({ workspace_id: other.member.workspaceId, account_id: second.id, role: 'assistant' })
      .execute(),
  )
  const answer = await other.call('PATCH', `/api/v1/connections/${String(again?.id)}`, { state: 'active' })
  assert.deepEqual([answer.status, answer.body.code], [409, 'own_family'])
})
