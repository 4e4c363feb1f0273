// What needs a proof besides a signed-in browser (docs/decisions/0061-proof-again.md).
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { UsingOptions } from '#features/passkeys/passkey.ts'
import { aDevice } from '#main/testing/authenticator.server.ts'
import { grantAdmin } from '#features/admin/queries.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())
const start = new Date()
beforeEach(() => {
  server.clock.now = start
})

const minutes = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 60_000)
}

/** Every operation that needs a proof, with an input that does. */
const NEEDS: Record<string, { method: string; path: string; input: object; accepts: 'recent' | 'password' }> =
  {
    InviteMember: {
      method: 'POST',
      path: '/api/v1/members',
      input: { email: 'gran@example.com', role: 'viewer' },
      accepts: 'recent',
    },
    ChangeMember: {
      method: 'PATCH',
      path: '/api/v1/members/ID',
      input: { role: 'owner' },
      accepts: 'recent',
    },
    MakeFeed: { method: 'POST', path: '/api/v1/calendar-feed', input: {}, accepts: 'recent' },
    ExportData: { method: 'POST', path: '/api/v1/export', input: {}, accepts: 'recent' },
    ChangePassword: {
      method: 'POST',
      path: '/api/v1/me/password',
      input: { password: 'tulips-and-41' },
      accepts: 'password',
    },
    ChangeEmail: {
      method: 'POST',
      path: '/api/v1/me/email',
      input: { email: 'new@example.com' },
      accepts: 'password',
    },
    StartPasskey: { method: 'POST', path: '/api/v1/me/passkeys/start', input: {}, accepts: 'recent' },
    AddPasskey: {
      method: 'POST',
      path: '/api/v1/me/passkeys',
      input: { passkey: { id: 'AA', client_data: 'AA', attestation: 'AA', transports: [] } },
      accepts: 'recent',
    },
    RemovePasskey: { method: 'DELETE', path: '/api/v1/me/passkeys/ID', input: {}, accepts: 'recent' },
    StartSecondStep: { method: 'POST', path: '/api/v1/me/second-step/start', input: {}, accepts: 'recent' },
    TurnOnSecondStep: {
      method: 'POST',
      path: '/api/v1/me/second-step',
      input: { code: '123456' },
      accepts: 'recent',
    },
    MakeRecoveryCodes: {
      method: 'POST',
      path: '/api/v1/me/second-step/recovery-codes',
      input: {},
      accepts: 'recent',
    },
    TurnOffSecondStep: { method: 'DELETE', path: '/api/v1/me/second-step', input: {}, accepts: 'recent' },
    DeleteAccount: { method: 'DELETE', path: '/api/v1/me', input: {}, accepts: 'password' },
    RestoreBackup: {
      method: 'POST',
      path: '/api/v1/admin/backups/restore',
      input: { backup: 'daily-2026-11-20.gz', word: 'RESTORE' },
      accepts: 'recent',
    },
    GoBack: { method: 'POST', path: '/api/v1/admin/backups/back', input: {}, accepts: 'recent' },
    ForgetFormer: { method: 'POST', path: '/api/v1/admin/backups/forget', input: {}, accepts: 'recent' },
  }

/** Operations whose input here leads nowhere, even with a proof. */
const FUTILE = new Set([
  'ChangeMember',
  'AddPasskey',
  'RemovePasskey',
  'TurnOnSecondStep',
  'MakeRecoveryCodes',
  'RestoreBackup',
  'GoBack',
])
/** Operations that only administrators may call. */
const FOR_ADMINS = new Set(['RestoreBackup', 'GoBack', 'ForgetFormer'])

const ask = (user: Caller, { method, path, input }: (typeof NEEDS)[string], more: object = {}) =>
  user.call(method, path.replace('ID', user.id), { ...input, ...more })

test('A24: exactly these operations need a proof', async () => {
  const { body } = await server.aStranger().call('GET', '/api/openapi.json')
  const operations = Object.values(body.paths as Record<string, Record<string, object>>).flatMap((one) =>
    Object.values(one),
  ) as { operationId: string; 'x-proof'?: string }[]
  assert.deepEqual(
    operations
      .filter((one) => one['x-proof'])
      .map((one) => [one.operationId, one['x-proof']])
      .sort(),
    Object.entries(NEEDS)
      .map(([name, { accepts }]) => [name, accepts])
      .sort(),
  )
})

test('A24: eleven minutes after signing in, each of them is refused until the password is given', async () => {
  for (const [name, operation] of Object.entries(NEEDS)) {
    server.clock.now = start
    const user = await server.aUser()
    if (FOR_ADMINS.has(name)) await server.db.asSystem((tx) => grantAdmin(tx, user.id))
    minutes(11)
    const refusal = await ask(user, operation)
    assert.deepEqual(
      [refusal.status, refusal.body.code],
      operation.accepts === 'recent' ? [403, 'sign_in_again'] : [422, 'wrong_password'],
      name,
    )
    const proof =
      operation.accepts === 'recent'
        ? await user.call('POST', '/api/v1/me/proof', { password: PASSWORD })
        : undefined
    assert.equal(proof?.status ?? 204, 204, name)
    const answer = await ask(user, operation, proof ? {} : { current_password: PASSWORD })
    assert.ok(![401, 403].includes(answer.status) && answer.body?.code !== 'wrong_password', name)
    if (!FUTILE.has(name)) assert.ok(answer.status < 300, `${name} ${answer.status}`)
  }
})

test('A24: a proof counts for ten minutes, on one device', async () => {
  const user = await server.aUser()
  const other = server.aStranger()
  await other.call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD })
  const feed = async (browser: Caller) => (await browser.call('POST', '/api/v1/calendar-feed', {})).status
  minutes(10)
  assert.equal(await feed(user), 200)
  minutes(0.1)
  assert.equal(await feed(user), 403)
  await user.call('POST', '/api/v1/me/proof', { password: PASSWORD })
  assert.deepEqual([await feed(user), await feed(other)], [200, 403])
  // Renewing a login isn't a proof.
  minutes(9)
  await user.call('POST', '/api/auth/refresh', { active: true })
  minutes(2)
  assert.equal(await feed(user), 403)
})

test('A24: an account without a password needs a recent sign-in where others type theirs', async () => {
  const user = await server.aUser()
  await server.db.asSystem((tx) =>
    tx.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute(),
  )
  const set = () => user.call('POST', '/api/v1/me/password', { password: 'tulips-and-41' })
  minutes(11)
  assert.deepEqual(await set().then(({ status, body }) => [status, body.code]), [403, 'sign_in_again'])
  assert.equal((await user.call('POST', '/api/v1/me/proof', { password: 'greenhouse' })).status, 422)
  server.clock.now = start
  assert.equal((await set()).status, 200)
})

test('A11: guessing at a proof is limited', async () => {
  const user = await server.aUser()
  const guess = (password: string) => user.call('POST', '/api/v1/me/proof', { password })
  const wrong = await guess('not-it-at-all')
  assert.deepEqual(
    [wrong.status, wrong.body.code, wrong.body.errors?.[0]?.field],
    [422, 'wrong_password', 'password'],
  )
  for (let times = 1; times < 10; times++) await guess(`not-it-${times}`)
  assert.equal((await guess(PASSWORD)).status, 429)
})

test('A25: the account lists wrong proofs, in a call too, counted by the hour; a call without one is no guess', async () => {
  const user = await server.aUser()
  const prove = (input: object) => user.call('POST', '/api/v1/me/proof', input)
  const change = (more: object) =>
    user.call('POST', '/api/v1/me/password', { password: 'tulips-and-41', ...more })
  assert.equal((await prove({ password: 'not-it-at-all' })).body.code, 'wrong_password')
  assert.equal((await change({ current_password: 'not-it-either' })).body.code, 'wrong_password')
  assert.equal((await change({})).body.code, 'wrong_password')
  const foreign = aDevice()
  const options = (await user.call('POST', '/api/v1/me/proof/start', {})).body as unknown as UsingOptions
  assert.equal((await prove({ passkey: foreign.use(options) })).body.code, 'passkey_refused')
  assert.equal((await prove({ password: PASSWORD })).status, 204)
  const { events } = (await user.call('GET', '/api/v1/me/activity')).body as {
    events: { kind: string; times: number }[]
  }
  assert.deepEqual(events.map(({ kind, times }) => [kind, times]).sort(), [
    ['proof_failed', 3],
    ['signed_in', 1],
  ])
})

test('A24: giving someone another role needs no proof, only handing over does', async () => {
  const user = await server.aUser()
  minutes(11)
  const change = async (role: string) =>
    (await user.call('PATCH', `/api/v1/members/${user.id}`, { role })).body.code
  assert.equal(await change('owner'), 'sign_in_again')
  assert.notEqual(await change('viewer'), 'sign_in_again')
})
