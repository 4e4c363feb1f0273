// Checks every response's headers, and that errors don't reveal any internals.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const ask = (method: 'GET' | 'POST' | 'OPTIONS', url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method, url, headers: { host: 'localhost:3000', ...headers } })

test('W1: every answer carries the hardening headers, whatever its status', async () => {
  const answers = [
    await ask('GET', '/healthz'),
    await ask('GET', '/api/v1/me'),
    await ask('GET', '/api/no/such'),
    await ask('GET', '/no/such/page'),
    await ask('POST', '/api/auth/sign-in'),
    await ask('GET', '/login'),
    await ask('GET', '/api/v1/students/not-an-id'),
  ]
  assert.ok(new Set(answers.map((answer) => answer.statusCode)).size >= 4)
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy'])
    for (const rule of [
      "default-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "script-src 'self'",
    ])
      assert.ok(policy.includes(rule), policy)
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.match(String(headers['permissions-policy']), /microphone=\(self\)/)
    assert.equal(headers['x-powered-by'] ?? headers.server, undefined)
  }
})

test('W6: no other origin is ever allowed anything', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000']) {
    for (const answer of [
      await ask('GET', '/api/v1/me', { origin }),
      await ask('OPTIONS', '/api/v1/me', { origin, 'access-control-request-method': 'PATCH' }),
    ]) {
      assert.deepEqual(
        Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
        [],
        origin,
      )
    }
  }
})

test('W8: an error of ours tells its id and nothing else', async () => {
  const user = await server.aUser()
  const client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
  await client.query('alter table students rename to students_elsewhere')
  try {
    const { status, body } = await user.call('GET', '/api/v1/students')
    assert.equal(status, 500)
    assert.deepEqual(
      { ...body, request_id: 'an id' },
      {
        type: 'about:blank',
        status: 500,
        code: 'unexpected',
        title: 'Something went wrong on our side',
        request_id: 'an id',
      },
    )
  } finally {
    await client.query('alter table students_elsewhere rename to students')
    await client.end()
  }
  assert.equal((await user.call('GET', '/api/v1/students')).status, 200)
})
