// Owning a family or practice: starting a second one, handing one over, and what happens when the owner's
// account is erased.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type StandIn, startStripeStandIn } from '#main/testing/stripe.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

const HEADER = 'tutorlog-workspace'
const DAY_MS = 86_400_000
let server: TestServer
let stripe: StandIn
let owner: Caller
const start = Date.now()

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
})
after(async () => {
  await server.stop()
  await stripe.stop()
})
beforeEach(async () => {
  server.clock.now = new Date(start)
  owner = await server.aUser()
  await owner.call('PATCH', '/api/v1/me', { full_name: 'Ana Whitfield' })
})

type Row = Record<string, unknown>
const rows = async (person: Caller, path: string, headers = {}) =>
  (await person.call('GET', `/api/v1/${path}`, undefined, headers)).body as unknown as Row[]
const startOwn = (person: Caller, kind: string, headers = {}) =>
  person.call('POST', '/api/v1/workspaces', { kind }, headers)
const makeOwner = (by: Caller, id: string, headers = {}) =>
  by.call('PATCH', `/api/v1/members/${id}`, { role: 'owner' }, headers)
const inWorkspace = (id: unknown) => ({ [HEADER]: String(id) })
const family = () => owner.member.workspaceId
const rolesOf = async (by: Caller, headers = {}) =>
  (await rows(by, 'members', headers)).map(({ id, role }) => [id, role])

/** Moves the clock forward and signs everyone in again, because their logins have expired by then. */
async function later(days: number, ...people: Caller[]): Promise<void> {
  server.clock.now = new Date(server.clock.now.getTime() + days * DAY_MS)
  for (const person of people)
    await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
}

/** Invites someone who doesn't have an account yet, then joins as that person. */
async function aMember(role = 'parent', by = owner, student_ids?: string[]): Promise<Caller> {
  const person = server.aStranger()
  await by.call('POST', '/api/v1/members', { email: person.email, role, student_ids })
  const { text } = await server.mailTo(person.email, 'invited you')
  const token = /\/join#token=(\S+)/.exec(text)?.[1]
  await person.call('POST', '/api/auth/join', { token, password: PASSWORD })
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

const erase = async (person: Caller) => {
  assert.equal((await person.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
}

test('a parent starts a practice of their own: apart from the family, with a tutor row, its name and currency, and a checklist', async () => {
  await owner.call('POST', '/api/v1/students', { name: 'Maya' })
  await owner.call('PATCH', '/api/v1/me', { currency: 'EUR', onboarding_dismissed: true })
  const started = await startOwn(owner, 'practice', { 'idempotency-key': 'tap' })
  assert.equal(started.status, 201)
  const { id } = started.body
  assert.notEqual(id, owner.id, 'the id says nothing about the account')
  assert.deepEqual(
    { ...started.body, id },
    { id, kind: 'practice', role: 'owner', owner_name: 'Ana Whitfield', is_current: false },
  )
  const again = await startOwn(owner, 'practice', { 'idempotency-key': 'tap' })
  assert.deepEqual([again.status, again.body.id], [201, id], 'a double tap starts one')

  const there = inWorkspace(id)
  const { body: me } = await owner.call('GET', '/api/v1/me', undefined, there)
  assert.deepEqual([me.role, me.currency], ['tutor', 'EUR'])
  assert.equal((await owner.call('GET', '/api/v1/me')).body.role, 'parent')
  assert.deepEqual(await rows(owner, 'students', there), [])
  assert.deepEqual(
    (await rows(owner, 'tutors', there)).map(({ name }) => name),
    ['You'],
  )
  const dismissed = async (headers = {}) =>
    (await owner.call('GET', '/api/v1/dashboard', undefined, headers)).body.onboarding_dismissed
  assert.deepEqual([await dismissed(), await dismissed(there)], [true, false])
  await owner.call('PATCH', '/api/v1/me', { onboarding_dismissed: true }, there)
  assert.equal(await dismissed(there), true)

  for (const kind of ['family', 'practice']) {
    const { status, body } = await startOwn(owner, kind)
    assert.deepEqual([status, body.code], [409, 'already_yours'], kind)
  }
  assert.equal((await startOwn(owner, 'school')).status, 422)
  assert.equal((await rows(owner, 'workspaces')).length, 2)
})

test('two calls at once start one practice', async () => {
  const answers = await Promise.all([startOwn(owner, 'practice'), startOwn(owner, 'practice')])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  assert.equal((await rows(owner, 'workspaces')).length, 2)
})

test('one trial and one plan cover everything that someone owns, starting with their first workspace', async () => {
  const { id } = (await startOwn(owner, 'practice')).body
  const student = () => owner.call('POST', '/api/v1/students', { name: 'Lea' }, inWorkspace(id))
  assert.equal((await student()).status, 201)
  const helper = await aMember()
  await later(46, owner, helper)
  assert.equal((await student()).status, 402)
  assert.equal((await helper.call('POST', '/api/v1/students', { name: 'Theo' })).status, 402)

  // The helper never had a trial. It starts now, and only for the workspace the helper owns.
  assert.equal((await helper.call('GET', '/api/v1/me')).body.is_trial_ahead, true)
  const { body: own, status } = await startOwn(helper, 'practice')
  assert.equal(status, 201, 'it needs no plan to start')
  const there = inWorkspace(own.id)
  const { body: me } = await helper.call('GET', '/api/v1/me', undefined, there)
  assert.equal(me.role, 'tutor')
  assert.equal(me.trial_ends_at, new Date(server.clock.now.getTime() + 45 * DAY_MS).toISOString())
  assert.equal((await helper.call('POST', '/api/v1/students', { name: 'Lea' }, there)).status, 201)
  assert.equal((await helper.call('POST', '/api/v1/students', { name: 'Theo' })).status, 402)
  await later(40, helper)
  await startOwn(helper, 'family')
  await later(6, helper)
  assert.equal((await helper.call('POST', '/api/v1/students', { name: 'Lea' }, there)).status, 402)
})

test('an owner hands the family over: the two swap, the new one is told, and the former owner may leave', async () => {
  const [second, viewer] = [await aMember(), await aMember('viewer')]
  await second.call('PATCH', '/api/v1/me', { full_name: 'Ben Whitfield' })
  assert.equal((await owner.call('DELETE', `/api/v1/members/${owner.id}`, {})).body.code, 'owner_stays')
  const given = await makeOwner(owner, second.id)
  assert.deepEqual([given.status, given.body.role], [200, 'owner'])
  assert.deepEqual(await rolesOf(second), [
    [second.id, 'owner'],
    [owner.id, 'parent'],
    [viewer.id, 'viewer'],
  ])
  const { body: me } = await second.call('GET', '/api/v1/me')
  assert.deepEqual([me.role, (me.workspace as Row).role], ['parent', 'owner'])
  assert.equal((await rows(owner, 'workspaces'))[0]?.owner_name, 'Ben Whitfield')
  const { text } = await server.mailTo(second.email, 'You are now the owner of your family')
  assert.match(text, /Ana Whitfield made you the owner/)

  // The former owner no longer has the owner's rights, so a second call changes nothing.
  for (const answer of [await makeOwner(owner, second.id), await makeOwner(owner, owner.id)])
    assert.deepEqual([answer.status, answer.body.code], [403, 'owner_only'])
  assert.equal((await owner.call('DELETE', `/api/v1/members/${viewer.id}`, {})).body.code, 'owner_only')
  assert.equal((await owner.call('DELETE', `/api/v1/members/${owner.id}`, {})).status, 204)
  assert.equal((await owner.call('GET', '/api/v1/me')).body.role, null)
  // A former owner who has left every workspace can start over. The family keeps the account's id and isn't
  // affected.
  assert.equal((await owner.call('PUT', '/api/v1/me/role', { role: 'tutor' })).body.role, 'tutor')
  const { body: theirs } = await second.call('GET', '/api/v1/me')
  assert.deepEqual([theirs.role, (theirs.workspace as Row).id], ['parent', family()])
  assert.equal((await second.call('POST', '/api/v1/students', { name: 'Maya' })).status, 201)
})

test('a viewer, a non-member, an invited person or a closed account cannot become the owner, and only the owner can hand over', async () => {
  const [second, viewer, other] = [await aMember(), await aMember('viewer'), await server.aUser()]
  const before = await rolesOf(owner)
  const invited = await owner.call('POST', '/api/v1/members', { email: 'late@example.com', role: 'parent' })
  const code = async (by: Caller, id: unknown) => {
    const { status, body } = await makeOwner(by, String(id), inWorkspace(family()))
    return [status, body.code]
  }
  assert.deepEqual(await code(owner, viewer.id), [409, 'not_an_heir'])
  assert.deepEqual(await code(owner, other.id), [404, 'not_found'])
  assert.deepEqual(await code(owner, invited.body.id), [404, 'not_found'])
  assert.deepEqual(await code(second, second.id), [403, 'owner_only'])
  assert.deepEqual(await code(viewer, viewer.id), [403, 'owner_only'])
  assert.deepEqual(await code(other, other.id), [404, 'no_such_workspace'])
  assert.equal((await makeOwner(owner, owner.id)).status, 200, 'the owner is the owner')
  await erase(second)
  assert.deepEqual(await code(owner, second.id), [409, 'account_closed'])
  assert.deepEqual((await rolesOf(owner)).slice(0, 3), before)
  assert.equal((await startOwn(second, 'practice')).status, 401)
})

test("someone who sees no amounts or only some children can't become the owner, even when the owner's account is erased", async () => {
  const maya = String((await owner.call('POST', '/api/v1/students', { name: 'Maya' })).body.id)
  const limited = await aMember('parent', owner, [maya])
  const [caregiver, second] = [await aMember('caregiver'), await aMember()]
  for (const person of [limited, caregiver]) {
    const { status, body } = await makeOwner(owner, person.id)
    assert.deepEqual([status, body.code], [409, 'not_an_heir'])
  }
  const asOwner = { role: 'owner', student_ids: [maya] }
  const { body } = await owner.call('PATCH', `/api/v1/members/${second.id}`, asOwner)
  assert.equal(body.code, 'owner_sees_all')
  const trials = await server.db.asSystem((tx) =>
    tx
      .selectFrom('users')
      .select('trial_since')
      .where('id', 'in', [limited.id, caregiver.id, second.id])
      .execute(),
  )
  assert.deepEqual(
    trials.map((user) => user.trial_since),
    [null, null, null],
    'no trial began',
  )

  // The parent limited to one child joined first but isn't chosen as the new owner.
  await erase(owner)
  await later(30, limited, caregiver, second)
  await server.runTask('purge_accounts')
  assert.deepEqual(await rolesOf(second), [
    [second.id, 'owner'],
    [limited.id, 'parent'],
    [caregiver.id, 'caregiver'],
  ])
  // A parent limited to one child can't take over the family, no matter how the owner's account gets deleted.
  await server.db.asSystem((tx) => tx.deleteFrom('users').where('id', '=', second.id).execute())
  for (const person of [limited, caregiver])
    assert.equal((await person.call('GET', '/api/v1/me')).body.workspace, null)
})

test('two handovers at once leave one owner', async () => {
  const [second, third] = [await aMember(), await aMember()]
  const answers = await Promise.all([makeOwner(owner, second.id), makeOwner(owner, third.id)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
  assert.equal((await rolesOf(third)).filter(([, role]) => role === 'owner').length, 1)
})

test("after a handover, the new owner's plan counts, and the family gets no second trial", async () => {
  await later(30, owner)
  const fresh = await aMember()
  assert.equal((await makeOwner(owner, fresh.id)).status, 200)
  await later(16, owner, fresh)
  // The family was created 46 days ago. Its new owner took over 16 days ago.
  for (const person of [owner, fresh])
    assert.equal((await person.call('POST', '/api/v1/students', { name: 'Maya' })).status, 402)
  const trialEnd = async (person: Caller) => (await person.call('GET', '/api/v1/me')).body.trial_ends_at
  const ofFamily = await trialEnd(fresh)
  assert.equal(ofFamily, await trialEnd(owner))
  assert.equal((await fresh.call('GET', '/api/v1/billing')).body.state, 'ended')
  // If the new owner creates a second workspace, their account's trial applies to it.
  const { id } = (await startOwn(fresh, 'practice')).body
  assert.equal((await fresh.call('POST', '/api/v1/students', { name: 'Lea' }, inWorkspace(id))).status, 201)
  assert.equal((await makeOwner(fresh, owner.id)).status, 200, 'handing over needs no plan')
})

test('someone who hands over their family and starts another gets no second trial', async () => {
  const second = await aMember()
  const asked = async (person: Caller) => (await person.call('GET', '/api/v1/me')).body.is_trial_ahead
  assert.deepEqual([await asked(owner), await asked(second)], [false, true])
  assert.equal((await makeOwner(owner, second.id)).status, 200)
  assert.equal((await owner.call('DELETE', `/api/v1/members/${owner.id}`, {})).status, 204)
  await later(46, owner)
  const { id } = (await startOwn(owner, 'family')).body
  assert.equal((await owner.call('POST', '/api/v1/students', { name: 'Lea' }, inWorkspace(id))).status, 402)
})

test('in a practice, an assistant takes over, and the former owner becomes an assistant', async () => {
  const tutor = await server.aUser('tutor')
  const assistant = await aMember('assistant', tutor)
  assert.equal((await makeOwner(tutor, assistant.id)).status, 200)
  assert.deepEqual(await rolesOf(assistant), [
    [assistant.id, 'owner'],
    [tutor.id, 'assistant'],
  ])
  assert.equal((await tutor.call('GET', '/api/v1/me')).body.role, 'tutor')
  await server.mailTo(assistant.email, 'You are now the owner of your practice')
})

test("D8: when the owner's account is erased, the parent who has been there longest owns the family, is told, and needs no plan for 30 days", async () => {
  await owner.call('POST', '/api/v1/students', { name: 'Maya' })
  const { id: practice } = (await startOwn(owner, 'practice')).body
  const [viewer, closing, second, third] = [
    await aMember('viewer'),
    await aMember(),
    await aMember(),
    await aMember(),
  ]
  await later(50, owner, closing)
  await erase(closing)
  await erase(owner)
  // The deletion can still be undone, because the account hasn't been purged.
  await owner.call('POST', '/api/auth/sign-in', { email: owner.email, password: PASSWORD })
  assert.equal((await owner.call('POST', '/api/auth/keep-account', {})).status, 200)
  assert.deepEqual((await rolesOf(owner))[0], [owner.id, 'owner'])
  await erase(owner)
  await later(28, second)
  await server.runTask('purge_accounts')
  assert.equal((await rolesOf(second))[0]?.[0], owner.id, 'not before its time')
  await later(2, second, third, viewer)
  await server.db.asSystem((tx) =>
    tx
      .updateTable('users')
      .set({ deletion_asked_at: server.clock.now })
      .where('id', '=', closing.id)
      .execute(),
  )
  await server.runTask('purge_accounts')

  const roles = new Map((await rolesOf(second)) as [string, string][])
  assert.deepEqual(
    [roles.get(second.id), roles.get(third.id), roles.get(viewer.id), roles.has(owner.id)],
    ['owner', 'parent', 'viewer', false],
  )
  assert.deepEqual(
    (await rows(second, 'students')).map(({ name }) => name),
    ['Maya'],
  )
  const { text } = await server.mailTo(second.email, 'You are now the owner of your family')
  assert.match(text, /You don't need a plan until/)
  assert.doesNotMatch(text, /Ana/, 'the name of whoever was erased is gone')
  const { body: plan } = await second.call('GET', '/api/v1/billing')
  assert.deepEqual([plan.state, plan.can_write], ['ended', true])
  assert.equal(plan.open_until, new Date(server.clock.now.getTime() + 30 * DAY_MS).toISOString())
  const write = async (person: Caller) =>
    (await person.call('POST', '/api/v1/students', { name: 'Theo' })).status
  assert.deepEqual([await write(second), await write(third)], [201, 201])
  // The practice had no other members, so it's gone.
  const gone = await server.db.asSystem((tx) =>
    tx
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', String(practice) as never)
      .execute(),
  )
  assert.deepEqual(gone, [])
  await later(31, second, third)
  assert.deepEqual([await write(second), await write(third)], [402, 402])
})

test('D8: viewers and assistants do not keep a workspace: it is erased with the account of its owner, and so is a second one', async () => {
  const { id: practice } = (await startOwn(owner, 'practice')).body
  const there = inWorkspace(practice)
  await owner.call('POST', '/api/v1/students', { name: 'Lea' }, there)
  const viewer = await aMember('viewer')
  await erase(owner)
  await later(30, viewer)
  await server.runTask('purge_accounts')
  const { body: me } = await viewer.call('GET', '/api/v1/me')
  assert.deepEqual([me.role, me.workspace], [null, null])
  const left = await server.db.asSystem((tx) =>
    tx
      .selectFrom('workspaces')
      .select('id')
      .where('id', 'in', [family(), String(practice) as never])
      .execute(),
  )
  assert.deepEqual(left, [])
})

test('a family that is handed over keeps its connections, which open again, and its new owner chooses no role', async () => {
  const tutor = await server.aUser('tutor')
  await owner.call('POST', '/api/v1/students', { name: 'Maya' })
  const { body } = await owner.call('POST', '/api/v1/tutors', {
    name: 'Ingrid',
    email: tutor.email,
    hourly_rate: 45,
  })
  const { id } = (await owner.call('POST', '/api/v1/connections', { tutor_id: body.id })).body
  await tutor.call('PATCH', `/api/v1/connections/${String(id)}`, { state: 'active' })
  const closedAt = () =>
    server.db.asSystem((tx) => tx.selectFrom('connections').select(['state', 'family_closed_at']).execute())
  const second = await aMember()
  await erase(owner)
  assert.notEqual((await closedAt())[0]?.family_closed_at, null)
  // The database hands over the family by itself, no matter how the account gets deleted.
  await server.db.asSystem((tx) => tx.deleteFrom('users').where('id', '=', owner.id).execute())
  assert.deepEqual(await closedAt(), [{ state: 'active', family_closed_at: null }])
  const { body: me } = await second.call('GET', '/api/v1/me')
  assert.deepEqual([me.role, (me.workspace as Row).role], ['parent', 'owner'])
})
