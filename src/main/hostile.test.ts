// Attacks and hostile text: malformed HTTP, SQL, HTML and URLs. Also checks which files are served and what
// responses contain.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { APP_PAGES, DEMO_PAGES, PUBLIC_PAGES } from '#features/site/paths.ts'
import { pause } from '#platform/timeout.server.ts'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let parent: Caller
let port: number

before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
after(async () => server.stop())

/** Sends raw bytes and returns everything received until the server closes the connection. */
async function raw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(text)
  // Doesn't use once(), because that throws if the connection is reset. Here, a reset counts as closed.
  await new Promise((resolve) => socket.on('close', resolve))
  return answer
}

const idOf = async (path: string, body: object) => {
  const answer = await parent.call('POST', path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return String(answer.body.id)
}

test('I3: every text is stored as typed or refused with its field, never bent and never a fault', async () => {
  const student = await idOf('/api/v1/students', { name: 'Maya' })
  const tutor = await idOf('/api/v1/tutors', { name: 'Ingrid', hourly_rate: 45 })
  const places = [
    { path: '/api/v1/students', base: { name: 'Maya' }, fields: { name: 120, grade: 60, notes: 4000 } },
    { path: '/api/v1/tutors', base: { name: 'Ingrid' }, fields: { name: 120, notes: 4000 } },
    {
      path: '/api/v1/sessions',
      base: { student_id: student, tutor_id: tutor, date: '2026-11-02', duration: 1 },
      fields: { subject: 120, summary: 500, homework: 500, notes: 4000 },
    },
    {
      path: '/api/v1/schedules',
      base: {
        student_id: student,
        tutor_id: tutor,
        day_of_week: 1,
        start_time: '16:00',
        duration: 1,
        start_date: '2026-11-02',
      },
      fields: { subject: 120, notes: 4000 },
    },
  ]
  const kept = [
    'Zoë Ångström',
    'e\u0301 is not \u00e9',
    '👩‍👧 family',
    'مريم',
    "Robert'); drop table students;--",
    '%_\\',
    '<b>"&amp;\'',
    '\u202eright to left',
    '1e999',
    'null',
    '{{7*7}}${7*7}',
  ]
  const refusedTexts = [
    'a\u0000b',
    'a\u001bb',
    '\ud800',
    'x\udc00y',
    'a\u007fb',
    7,
    true,
    ['a'],
    { a: 1 },
    { length: { toString: 1, valueOf: 1 } },
  ]
  for (const { path, base, fields } of places) {
    for (const [field, most] of Object.entries(fields)) {
      for (const text of [...kept, 'x'.repeat(most)]) {
        const answer = await parent.call('POST', path, { ...base, [field]: text })
        assert.deepEqual([answer.status, answer.body[field]], [201, text], `${path} ${field}`)
        assert.equal((await parent.call('GET', `${path}/${String(answer.body.id)}`)).body[field], text)
        await parent.call('DELETE', `${path}/${String(answer.body.id)}`)
      }
      assert.equal(
        (await parent.call('POST', path, { ...base, [field]: '  kept inside  ' })).body[field],
        'kept inside',
      )
      for (const text of [...refusedTexts, 'x'.repeat(most + 1)]) {
        const answer = await parent.call('POST', path, { ...base, [field]: text })
        assert.deepEqual(
          [answer.status, answer.body.errors?.[0]?.field],
          [422, field],
          `${path} ${field} ${JSON.stringify(text).slice(0, 30)}`,
        )
      }
    }
  }
})

test('I16: SQL and LIKE in ids, cursors, months, searches and names stay text', async () => {
  const student = await idOf('/api/v1/students', { name: "x'); delete from students; --" })
  for (const bad of ["' or 1=1--", '1;select pg_sleep(9)', '%', '../..', `${student}' or '1'='1`]) {
    const text = encodeURIComponent(bad)
    assert.equal((await parent.call('GET', `/api/v1/students/${text}`)).status, 404, bad)
    assert.equal((await parent.call('DELETE', `/api/v1/sessions/${text}`)).status, 404, bad)
    for (const query of [
      `sessions?cursor=${text}`,
      `sessions?month=${text}`,
      `sessions?limit=${text}`,
      `summary?month=${text}`,
      `summary/year?year=${text}`,
      `occurrences?from=${text}&to=2026-11-02`,
      `students?archived=${text}`,
      `balances?month=${text}`,
    ]) {
      assert.equal((await parent.call('GET', `/api/v1/${query}`)).status, 422, query)
    }
  }
  assert.equal((await parent.call('GET', `/api/v1/students/${student}`)).status, 200)

  const admin = await server.aUser()
  await server.db.asSystem((tx) =>
    tx.updateTable('user_roles').set({ role: 'admin' }).where('user_id', '=', admin.id).execute(),
  )
  await parent.call('PATCH', '/api/v1/me', { full_name: 'Odd 100%_\\ Name' })
  const found = async (search: string) => {
    const answer = await admin.call('GET', `/api/v1/admin/people?search=${encodeURIComponent(search)}`)
    assert.equal(answer.status, 200)
    return (answer.body.people as { id: string }[]).map(({ id }) => id)
  }
  for (const search of ['%', '_', '\\', '100%_\\ n'])
    assert.deepEqual(await found(search), [parent.id], search)
  for (const search of ["' or 1=1--", 'o%name', '%%%', '__'])
    assert.deepEqual(await found(search), [], search)
})

test('I5: what a caller makes up is not sent back at length', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))
  for (const body of [many, { ['x'.repeat(200_000)]: 1 }, { name: 'Maya', notes: 'x'.repeat(200_000) }]) {
    const answer = await parent.call('POST', '/api/v1/students', body)
    assert.deepEqual([answer.status, answer.body.code], [422, 'invalid'])
    assert.ok((answer.body.errors?.length ?? 0) > 0)
    assert.ok(answer.bytes.length < 32_768, `${answer.bytes.length} bytes`)
  }
})

test('I11: addresses in any field are never asked for anything', async () => {
  let connections = 0
  const canary = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  canary.listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const target = (canary.address() as AddressInfo).port
  const person = await server.aUser()
  try {
    for (const url of [
      `http://127.0.0.1:${target}/x`,
      `http://[::ffff:127.0.0.1]:${target}/x`,
      `//localhost:${target}/x`,
      `file:///proc/self/environ#${target}`,
      `<img src="http://127.0.0.1:${target}/x">`,
    ]) {
      const headers = {
        'x-forwarded-host': `127.0.0.1:${target}`,
        'x-forwarded-proto': 'http',
        referer: url,
        forwarded: `host=127.0.0.1:${target}`,
        'x-original-url': url,
      }
      const student_id = String(
        (await person.call('POST', '/api/v1/students', { name: url, notes: url }, headers)).body.id,
      )
      const tutor_id = String(
        (
          await person.call(
            'POST',
            '/api/v1/tutors',
            { name: url, subjects: [url], notes: url, hourly_rate: 45 },
            headers,
          )
        ).body.id,
      )
      assert.equal(
        (
          await person.call('POST', '/api/v1/sessions', {
            student_id,
            tutor_id,
            date: '2026-11-02',
            duration: 1,
            subject: url,
            notes: url,
          })
        ).status,
        201,
      )
      assert.equal((await person.call('PATCH', '/api/v1/me', { full_name: url }, headers)).status, 200)
      assert.equal((await person.call('PATCH', '/api/v1/me', { avatar_url: url })).status, 422)
      await person.call('POST', '/api/v1/speech', { transcript: `an hour of ${url}` })
      await person.call('POST', '/api/v1/imports/preview', {
        text: `Date,Student,Tutor,Duration (hours)\n2026-11-03,${url},${url},1`,
      })
      const paper = await person.call(
        'GET',
        `/api/v1/statements/month.pdf?month=2026-11&tutor_id=${tutor_id}`,
      )
      assert.ok(paper.status < 500)
      assert.equal((await person.call('POST', '/api/v1/export', {})).status, 200)
      await person.call('POST', '/api/auth/forgot-password', { email: person.email }, headers)
    }
    await server.mailTo(person.email, 'Reset')
    assert.equal(connections, 0)
  } finally {
    canary.close()
  }
})

test('W10: nothing is served but what the document and the lists of pages name', async () => {
  const document = (await parent.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, object>>
  }
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  // The route tree is printed with four characters of indentation per level.
  const routes: string[] = []
  const parts: string[] = []
  for (const line of server.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (!match) continue
    const [, indent = '', part = '', methods] = match
    parts.length = indent.length / 4
    parts.push(part)
    for (const method of methods?.split(', ') ?? [])
      if (method !== 'HEAD') routes.push(`${method} ${parts.join('')}`)
  }
  assert.ok(routes.length > 60)
  // Pages that people open from an email, a calendar or a printed code, the URL that Google redirects to, and
  // the monitoring URLs.
  const others = [
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /mailbox',
    'GET /mailbox/messages',
    'GET /api/openapi.json',
    'GET /api/auth/google',
    'GET /api/auth/google/callback',
    'GET /calendar/:file',
    'GET /verify/:code',
    'GET /verify/code',
    'GET /unsubscribe',
    'POST /unsubscribe',
    'POST /api/webhooks/stripe',
    'GET /robots.txt',
    'GET /.well-known/security.txt',
    'GET /.well-known/tutorlog-page-keys.json',
    'GET /verify.html',
    'GET /sitemap.xml',
    ...[...PUBLIC_PAGES, ...APP_PAGES, ...DEMO_PAGES].map((path) => `GET ${path}`),
  ]
  // If there's a build, each file in it is a route.
  const built = globSync('build/client/**/*.*').map((file) => `GET ${file.replace('build/client', '')}`)
  assert.deepEqual(
    routes.filter((route) => ![...documented, ...others, ...built].includes(route)),
    [],
  )
  assert.deepEqual(
    documented.filter((route) => !routes.includes(route)),
    [],
  )

  for (const path of [
    '/.git/HEAD',
    '/.git/config',
    '/.env',
    '/package.json',
    '/package-lock.json',
    '/src/main/server.ts',
    '/node_modules/fastify/package.json',
    '/assets/',
    '/assets/index.js.map',
    '/app.html',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/api/',
    '/api/v1/',
    '/api/v1/users',
    '/admin.php',
    '/server-status',
    '/debug/pprof',
  ]) {
    assert.equal((await parent.call('GET', path)).status, 404, path)
  }
  for (const method of ['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND']) {
    const answer = await raw(
      `${method} / HTTP/1.1\r\nhost: localhost\r\nx-canary: seen\r\nconnection: close\r\n\r\n`,
    )
    assert.match(answer, /^(HTTP\/1\.1 (400|404|405) |$)/, method)
    assert.ok(!answer.includes('seen'), method)
  }
})

test('W1: an evaluator of policies finds nothing grave in ours, and answers to broken requests carry it too', async () => {
  const policy = String((await server.app.inject('/healthz')).headers['content-security-policy'])
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate()
  assert.deepEqual(
    findings
      .filter(({ severity }) => severity === Severity.HIGH || severity === Severity.MEDIUM)
      .map(({ directive, description }) => `${directive}: ${description}`),
    [],
  )
  assert.ok(
    new CspEvaluator(
      new CspParser(`${policy.replace("script-src 'self'", "script-src 'unsafe-inline'")}`).csp,
    )
      .evaluate()
      .some(({ severity }) => severity === Severity.HIGH),
    'the evaluator does find something',
  )

  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    parent.call(method, path, body, headers)
  const answers = [
    await send('GET', '/%zz'),
    await send('GET', `/api/v1/students/${'x'.repeat(5000)}`),
    await send('POST', '/api/v1/students', '{"name":'),
    await send('POST', '/api/v1/students', 'x', { 'content-type': 'text/plain' }),
    await send('POST', '/api/v1/students', JSON.stringify({ name: 'x'.repeat(300_000) })),
    await send('POST', '/api/v1/students', '{}', { origin: 'https://elsewhere.example' }),
    await send('PUT', '/no/such'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 414, 400, 415, 413, 403, 404],
  )
  for (const { headers, status, body } of answers) {
    assert.deepEqual(
      [
        status,
        headers['content-security-policy'],
        headers['x-content-type-options'],
        headers['content-type'],
      ],
      [status, policy, 'nosniff', 'application/problem+json; charset=utf-8'],
    )
    assert.deepEqual(
      Object.keys(body).filter(
        (name) => !['type', 'status', 'code', 'title', 'errors', 'request_id'].includes(name),
      ),
      [],
    )
  }
})

test('W4: no redirect leaves the app, whatever the address asks for', async () => {
  const elsewhere = 'https://elsewhere.example/x'
  const asks = [
    'next',
    'redirect',
    'redirect_to',
    'return',
    'returnTo',
    'url',
    'continue',
    'state',
    'code',
    'token',
    'link',
  ]
    .map((name) => `${name}=${encodeURIComponent(elsewhere)}`)
    .join('&')
  let redirects = 0
  for (const path of [
    '/verify-email',
    '/confirm-email',
    '/not-me',
    '/api/auth/google/callback',
    '/login',
    '/dashboard',
    '/unsubscribe',
    '//elsewhere.example/x',
    '//elsewhere.example/%2e%2e',
    '/\\elsewhere.example/x',
    '/login/',
    '/dashboard//',
    '/%2f%2felsewhere.example',
  ]) {
    for (const url of [path, `${path}?${asks}`]) {
      const { statusCode, headers } = await server.app.inject({
        url,
        headers: {
          accept: 'text/html',
          host: 'elsewhere.example',
          'x-forwarded-host': 'elsewhere.example',
          referer: elsewhere,
        },
      })
      assert.ok(statusCode < 500, url)
      if (headers.location === undefined) continue
      redirects += 1
      assert.equal(
        new URL(String(headers.location), 'http://localhost:3000').origin,
        'http://localhost:3000',
        url,
      )
      assert.ok(!String(headers.location).includes('elsewhere'), url)
    }
  }
  assert.ok(redirects >= 2)
})

test('W11: ambiguous and oversized requests are refused and their connection closed, and nothing behind them is answered', async () => {
  const hidden = 'GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const requests: Record<string, string> = {
    'length and chunks': `POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'two lengths': `POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
    'two chunkings': `POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    'a folded header': `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: b\r\n c\r\n\r\n`,
    'a space before the colon': `POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length : 5\r\n\r\nhello`,
    'a length that is no number': `POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: +0\r\n\r\n${hidden}`,
    'a bare line feed': `GET /healthz HTTP/1.1\nhost: localhost\n\n`,
    'a header of 64 kB': `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: ${'a'.repeat(65_536)}\r\n\r\n`,
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'no HTTP': 'hello\r\n\r\n',
  }
  for (const [name, request] of Object.entries(requests)) {
    const answer = await raw(request)
    assert.match(answer, /^HTTP\/1\.1 4(00|31) /, name)
    assert.equal(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, `${name}: one answer`)
    assert.ok(!answer.includes('ready') && !answer.includes('"ok"'), name)
  }
})

test('W11: senders that never finish are cut, and meanwhile everybody else is served', async () => {
  assert.ok(server.app.server.headersTimeout <= 15_000 && server.app.server.requestTimeout <= 30_000)
  // Shorten the timeouts for the test. The server still checks for timeouts at its default interval.
  server.app.server.headersTimeout = 300
  server.app.server.requestTimeout = 600
  const slow = [
    ...Array.from({ length: 100 }, () => 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: '),
    ...Array.from(
      { length: 100 },
      () =>
        'POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost:3000\r\ncontent-type: ' +
        'application/json\r\ncontent-length: 9000\r\n\r\n{',
    ),
  ]
  const closed = slow.map((start) => raw(start))
  let isOver = false
  const all = Promise.all(closed).then((answers) => {
    isOver = true
    return answers
  })
  let served = 0
  for (const end = Date.now() + 15_000; !isOver;) {
    assert.ok(Date.now() < end, 'they are still there')
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
    served += 1
    await pause(20)
  }
  assert.ok(served > 0)
  for (const answer of await all) assert.match(answer, /^(HTTP\/1\.1 408 |$)/)
})

test('P6: what comes in and what goes out holds the fields of its schema and no other', async () => {
  const document = (await parent.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { requestBody?: unknown; responses: Record<string, unknown> }>>
  }
  const open: string[] = []
  const names = new Set<string>()
  const walk = (schema: unknown, where: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { type, properties, additionalProperties } = schema as {
      type?: string
      properties?: Record<string, unknown>
      additionalProperties?: unknown
    }
    if (type === 'object' && properties) {
      for (const name of Object.keys(properties)) names.add(name)
      // Clients may send their lists to the voice endpoint exactly as they loaded them. The endpoint reads
      // only ids and names from them.
      if (additionalProperties !== false && !where.startsWith('post /api/v1/speech in')) open.push(where)
    }
    for (const [name, part] of Object.entries(schema)) walk(part, `${where}/${name}`)
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      walk(requestBody, `${method} ${path} in`)
      walk(
        Object.entries(responses).filter(([status]) => status < '300'),
        `${method} ${path} out`,
      )
    }
  }
  assert.deepEqual(open, [])
  assert.ok(names.size > 50)
  // Some of these are expected: reset links contain two tokens, and history entries contain their chain's
  // hashes.
  const unusual = [...names]
    .filter((name) => /birth|^age$|_age$|gender|school|password|hash|secret|token/.test(name))
    .sort()
  assert.deepEqual(
    unusual.filter(
      (name) =>
        ![
          'access_token',
          'refresh_token',
          'current_password',
          'password',
          'has_password',
          'token',
          'hash',
          'previous_hash',
        ].includes(name),
    ),
    [],
  )
  const me = (await parent.call('GET', '/api/v1/me')).body
  const out = document.paths['/api/v1/me']?.get?.responses[200] as
    { content: Record<string, { schema: { properties: object } }> } | undefined
  const schema = out?.content['application/json']?.schema.properties ?? {}
  assert.deepEqual(
    Object.keys(me).filter((name) => !(name in schema)),
    [],
  )
})
