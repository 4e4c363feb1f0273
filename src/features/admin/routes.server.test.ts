import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { until } from '#main/testing/process.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import type { AccountLine } from './admin.ts'
import { grantAdmin } from './queries.server.ts'

let server: TestServer
let admin: Caller
before(async () => {
  server = await startTestServer()
  admin = await server.aUser()
  await server.db.asSystem((tx) => grantAdmin(tx, admin.id))
})
after(async () => server.stop())

const people = async (search: string) =>
  (await admin.call('GET', `/api/v1/admin/people?search=${encodeURIComponent(search)}`)).body
    .people as AccountLine[]
const viewsOf = async (user: Caller) => {
  const { status, body, bytes } = await user.call('POST', '/api/v1/export', {})
  assert.equal(status, 200, JSON.stringify(body))
  const files = unzipSync(bytes)
  return JSON.parse(strFromU8(files['json/administrators_looked.json'] ?? new Uint8Array())) as {
    what: string
    purpose: string
  }[]
}

test('T16: no administration operation works for a parent, a tutor or a stranger', async () => {
  const callers = [await server.aUser('parent'), await server.aUser('tutor'), server.aStranger()]
  const document = (await admin.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { 'x-roles': unknown }>>
  }
  let seen = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/v1/admin/')) continue
    for (const [method, operation] of Object.entries(operations)) {
      seen += 1
      assert.deepEqual(operation['x-roles'], ['admin'], path)
      for (const caller of callers) {
        const answer = await caller.call(
          method.toUpperCase(),
          path.replace('{id}', admin.id),
          method === 'get' ? undefined : {},
        )
        assert.equal(answer.status, caller.id ? 403 : 401, `${method} ${path}`)
      }
    }
  }
  assert.ok(seen >= 6)
})

test('T16: every operation works for the roles in its documentation, and answers 403 to all others', async () => {
  const document = (await admin.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { 'x-roles': unknown }>>
  }
  const byRole = { parent: await server.aUser('parent'), tutor: await server.aUser('tutor') }
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const roles = operation['x-roles']
      if (!Array.isArray(roles)) continue
      for (const [role, caller] of Object.entries(byRole)) {
        const { status, body } = await caller.call(
          method.toUpperCase(),
          path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
          method === 'get' ? undefined : {},
        )
        assert.equal(
          status === 403 && body.code === 'role',
          !roles.includes(role),
          `${role} ${method} ${path}`,
        )
      }
    }
  }
})

test('T14: the list shows no children, and everyone on it finds in their export that it was viewed, once a day', async () => {
  const parent = await server.aUser()
  await parent.call('PATCH', '/api/v1/me', { full_name: 'Quirina Zabel' })
  await parent.call('POST', '/api/v1/students', { name: 'Maya Zabel' })
  for (const search of ['quirina', parent.email.toUpperCase()]) {
    const [line, ...more] = await people(search)
    assert.deepEqual([line?.id, line?.role, line?.is_confirmed, more.length], [parent.id, 'parent', true, 0])
    assert.doesNotMatch(JSON.stringify(line), /Maya/)
  }
  assert.deepEqual(
    (await viewsOf(parent)).map(({ what }) => what),
    ['listed'],
  )
  assert.deepEqual(await people('%'), [], 'a sign of the database is a letter like any other')
})

test("T14: a child's name needs a stated purpose, which the owner's export shows", async () => {
  const parent = await server.aUser()
  await parent.call('POST', '/api/v1/students', { name: 'Maya Zabel', notes: 'private' })
  for (const body of [{}, { purpose: '' }, { purpose: '   ' }]) {
    const answer = await admin.call('POST', `/api/v1/admin/people/${parent.id}/record`, body)
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [422, 'purpose'])
  }
  assert.deepEqual(await viewsOf(parent), [])
  const record = await admin.call('POST', `/api/v1/admin/people/${parent.id}/record`, {
    purpose: 'Asked us by mail to find a lost child',
  })
  assert.deepEqual(record.body.students, [{ name: 'Maya Zabel', grade: null }])
  assert.doesNotMatch(JSON.stringify(record.body), /private/)
  assert.deepEqual(
    (await viewsOf(parent)).map(({ what, purpose }) => [what, purpose]),
    [['record', 'Asked us by mail to find a lost child']],
  )
  assert.equal((await admin.call('GET', '/api/v1/students')).status, 200)
  assert.doesNotMatch(JSON.stringify((await admin.call('GET', '/api/v1/students')).body), /Maya/)
})

test("A16: a disabled account is signed out at once and can't sign in until it's enabled", async () => {
  const tutor = await server.aUser('tutor')
  assert.equal(
    (await admin.call('PATCH', `/api/v1/admin/people/${tutor.id}`, { disabled: true })).status,
    204,
  )
  assert.equal((await tutor.call('GET', '/api/v1/me')).status, 401)
  assert.equal((await tutor.call('POST', '/api/auth/refresh', {})).status, 401)
  assert.equal(
    (await tutor.call('POST', '/api/auth/sign-in', { email: tutor.email, password: PASSWORD })).status,
    401,
  )
  await admin.call('PATCH', `/api/v1/admin/people/${tutor.id}`, { disabled: false })
  assert.equal(
    (await tutor.call('POST', '/api/auth/sign-in', { email: tutor.email, password: PASSWORD })).status,
    200,
  )
  assert.equal(
    (await admin.call('PATCH', `/api/v1/admin/people/${admin.id}`, { disabled: true })).body.code,
    'self',
  )
})

test('a new confirmation link is emailed to someone waiting for one, and to nobody else', async () => {
  const waiting = server.aStranger()
  await waiting.call('POST', '/api/auth/sign-up', {
    email: waiting.email,
    password: PASSWORD,
    role: 'parent',
  })
  const [line] = await people(waiting.email)
  assert.equal(line?.is_confirmed, false)
  assert.equal((await admin.call('POST', `/api/v1/admin/people/${line?.id}/verification`, {})).status, 204)
  assert.equal(
    (await admin.call('POST', `/api/v1/admin/people/${admin.id}/verification`, {})).body.code,
    'confirmed',
  )
})

test('F13: a failing job is retried, listed, and run again on request, while everything else goes on', async () => {
  await server.db.asSystem((tx) =>
    queueMail(tx, { userId: null, recipient: 'lost@example.com', kind: 'no_such_kind' }),
  )
  const overview = async () =>
    (await admin.call('GET', '/api/v1/admin/overview')).body as unknown as {
      people: number
      work: {
        jobs: { task: string; attempts: number; last_error: string | null }[]
        mails: { recipient: string }[]
      }
    }
  await until('the job has failed', async () => Boolean((await overview()).work.jobs[0]?.last_error))
  const { work, people: count } = await overview()
  assert.match(work.jobs[0]?.last_error ?? '', /no template/)
  assert.deepEqual(
    work.mails.map((mail) => mail.recipient),
    ['lost@example.com'],
  )
  assert.ok(count > 3)
  assert.equal((await admin.call('POST', '/api/v1/admin/retry', {})).body.jobs, 1)
  const person = await server.aUser()
  assert.equal((await person.call('GET', '/api/v1/me')).status, 200)
})

test('T14: an address in the list of failed emails counts as a viewing, too', async () => {
  const parent = await server.aUser()
  await server.db.asSystem((tx) =>
    queueMail(tx, { userId: parent.id, recipient: parent.email, kind: 'no_such_kind' }),
  )
  await admin.call('GET', '/api/v1/admin/overview')
  assert.deepEqual(
    (await viewsOf(parent)).map(({ what }) => what),
    ['listed'],
  )
})

test('W10: metrics are for this machine only, contain no address, and answer 404 to everyone else', async () => {
  const ask = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    server.app.inject({
      method: 'GET',
      url: '/metrics',
      headers: { host: 'localhost:3000', ...headers },
      remoteAddress,
    })
  const { statusCode, body } = await ask({})
  assert.equal(statusCode, 200)
  assert.match(body, /tutorlog_http_requests_total\{method="GET",route="\/api\/v1\/me",status="200"\} \d+/)
  assert.match(body, /tutorlog_jobs_failed \d/)
  assert.doesNotMatch(body, /@example\.com|[0-9a-f]{8}-[0-9a-f]{4}/)
  assert.equal((await ask({ 'x-forwarded-for': '203.0.113.7' })).statusCode, 404)
  assert.equal((await ask({ host: 'tutorlog.example' })).statusCode, 404)
  assert.equal((await ask({}, '203.0.113.7')).statusCode, 404)
})

test('the health check and the metrics name the version that runs', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const ask = (url: string) =>
    server.app.inject({ method: 'GET', url, headers: { host: 'localhost:3000' }, remoteAddress: '127.0.0.1' })
  assert.deepEqual((await ask('/healthz')).json(), { status: 'ok', version })
  assert.ok((await ask('/metrics')).body.includes(`\ntutorlog_build_info{version="${version}"} 1\n`))
})

test('the server reports every figure that the dashboard and the alert rules in deploy/ use', async () => {
  const at = new Date()
  const drill = { backup: 'daily-2026-11-28.gz', backup_at: at, backup_bytes: 1000, began_at: at }
  await server.db.asSystem(async (tx) => {
    await tx.insertInto('restore_drills').values(drill).execute()
    await tx
      .updateTable('restore_drills')
      .set({ ended_at: at, findings: ['The table x is missing.'] })
      .execute()
  })
  const { body } = await server.app.inject({
    method: 'GET',
    url: '/metrics',
    headers: { host: 'localhost:3000' },
    remoteAddress: '127.0.0.1',
  })
  const reported = new Set([...body.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  for (const file of ['deploy/grafana-dashboard.json', 'deploy/alerts.yaml']) {
    const asked = [...new Set(readFileSync(file, 'utf8').match(/\btutorlog_\w+/g))]
    assert.ok(asked.length > 5, file)
    assert.deepEqual(
      asked.filter((name) => !reported.has(name)),
      [],
      file,
    )
  }
})

test('W10: metrics and the mailbox refuse requests that any proxy forwarded from elsewhere', async () => {
  for (const url of ['/metrics', '/mailbox', '/mailbox/messages']) {
    const ask = async (headers: Record<string, string>) =>
      (await server.app.inject({ method: 'GET', url, headers: { host: 'localhost:3000', ...headers } }))
        .statusCode
    assert.equal(await ask({ accept: '*/*', 'user-agent': 'curl/8', 'accept-language': 'en' }), 200)
    for (const name of [
      'Forwarded',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Forwarded-Port',
      'X-Forwarded-Server',
      'X-Forwarded',
      'X-Original-Forwarded-For',
      'X-Original-Host',
      'X-Real-IP',
      'Via',
      'CF-Connecting-IP',
      'CF-Ray',
      'CF-Visitor',
      'CDN-Loop',
      'True-Client-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'Client-IP',
      'Fastly-Client-IP',
      'Fly-Client-IP',
      'X-Envoy-External-Address',
      'X-Amzn-Trace-Id',
      'X-Azure-ClientIP',
      'X-ProxyUser-Ip',
      'X-Remote-IP',
    ])
      assert.equal(await ask({ [name]: '203.0.113.7' }), 404, `${url} ${name}`)
    for (const host of ['tutorlog.example', 'localhost.evil.example', '192.168.0.10:3000', '0.0.0.0:3000'])
      assert.equal(await ask({ host }), 404, `${url} ${host}`)
  }
})

test('METRICS_TOKEN opens the metrics to anyone who has it, and nothing else', async () => {
  const other = await startTestServer({ METRICS_TOKEN: 'scrape-me-7f3a' })
  try {
    const ask = async (authorization?: string, url = '/metrics') =>
      (
        await other.app.inject({
          method: 'GET',
          url,
          remoteAddress: '203.0.113.7',
          headers: {
            host: 'tutorlog.example',
            via: '1.1 proxy',
            ...(authorization ? { authorization } : {}),
          },
        })
      ).statusCode
    assert.equal(await ask('Bearer scrape-me-7f3a'), 200)
    assert.equal(await ask('bearer scrape-me-7f3a'), 200)
    for (const wrong of [undefined, 'Bearer', 'Bearer scrape-me', 'Bearer undefined', 'Basic scrape-me-7f3a'])
      assert.equal(await ask(wrong), 404, wrong)
    assert.equal(await ask('Bearer scrape-me-7f3a', '/mailbox'), 404)
  } finally {
    await other.stop()
  }
})
