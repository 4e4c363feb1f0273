// Compares the OpenAPI document with real responses. A successful response must have the documented content
// type, or no body if no type is documented.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'

let server: TestServer
let tutor: Caller
before(async () => {
  server = await startTestServer()
  tutor = await server.aUser('tutor')
})
after(async () => server.stop())

interface Operation {
  'x-roles': unknown
  parameters: { name: string; in: string; required?: boolean }[]
  responses: Record<string, { content?: Record<string, object> }>
}

/** Required query parameters, by name. */
const QUERY: Record<string, string> = {
  month: '2026-11',
  year: '2026',
  from: '2026-11-01',
  to: '2026-11-30',
  until: '2026-11-30',
}

async function documented(): Promise<Record<string, Record<string, Operation>>> {
  return (await tutor.call('GET', '/api/openapi.json')).body.paths as Record<
    string,
    Record<string, Operation>
  >
}

/** The documented status and content type of a successful response. */
function successOf({ responses }: Operation): [status: number, type: string | undefined] {
  const [status = '', answer] = Object.entries(responses).find(([code]) => code < '300') ?? []
  return [Number(status), Object.keys(answer?.content ?? {})[0]]
}

test('the document is valid OpenAPI 3.1 and includes the cookie, the headers for writes and the payment notices', async () => {
  const { body } = await tutor.call('GET', '/api/openapi.json')
  const { valid, errors } = await new Validator().validate(structuredClone(body))
  assert.equal(valid, true, JSON.stringify(errors))
  const { components } = body as unknown as { components: { securitySchemes: object } }
  assert.deepEqual(Object.keys(components.securitySchemes), ['cookie', 'link'])
  const paths = await documented()
  const headersOf = (method: string, path: string) =>
    paths[path]?.[method]?.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  assert.deepEqual(
    [headersOf('post', '/api/v1/sessions'), headersOf('patch', '/api/v1/sessions/{id}')],
    [
      ['Tutorlog-Workspace', 'Idempotency-Key'],
      ['Tutorlog-Workspace', 'If-Match'],
    ],
  )
  assert.ok(paths['/api/webhooks/stripe']?.post)
  const securityOf = (method: string, path: string) =>
    (paths[path]?.[method] as unknown as { security: object[] } | undefined)?.security
  assert.deepEqual(securityOf('post', '/api/link/open'), [{ link: [] }])
  assert.deepEqual(securityOf('post', '/api/v1/sessions/{id}/confirm'), [{ cookie: [] }, { link: [] }])
  assert.deepEqual(securityOf('post', '/api/v1/sessions'), [{ cookie: [] }])
})

test('every read without an id returns the documented content type', async () => {
  let seen = 0
  for (const [path, { get }] of Object.entries(await documented())) {
    if (!get || path.includes('{') || path === '/api/v1/events') continue
    const needed = get.parameters.filter((parameter) => parameter.required).map(({ name }) => name)
    const query = needed.map((name) => `${name}=${QUERY[name] ?? ''}`).join('&')
    const answer = await tutor.call('GET', `${path}${query ? `?${query}` : ''}`)
    if (answer.status >= 300) continue
    seen += 1
    const [status, type] = successOf(get)
    assert.deepEqual(
      [answer.status, String(answer.headers['content-type']).split(';')[0]],
      [status, type],
      path,
    )
  }
  assert.ok(seen > 15, `${seen} were compared`)
})

test('files and streams have the documented content type', async () => {
  const paths = await documented()
  const types = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => [path, successOf(operation)[1]] as const),
    )
    .filter(([, type]) => type !== undefined && type !== 'application/json')
  assert.deepEqual(types.toSorted(), [
    ['/api/v1/connections/{id}/signed.pdf', 'application/pdf'],
    ['/api/v1/events', 'text/event-stream'],
    ['/api/v1/export', 'application/zip'],
    ['/api/v1/months/page.pdf', 'application/pdf'],
    ['/api/v1/papers/record.pdf', 'application/pdf'],
    ['/api/v1/papers/{id}/paper.pdf', 'application/pdf'],
    ['/api/v1/statements/payments.csv', 'text/csv'],
    ['/api/v1/statements/sessions.csv', 'text/csv'],
    ['/api/v1/statements/signed.pdf', 'application/pdf'],
    ['/api/v1/statements/statement.pdf', 'application/pdf'],
    ['/calendar/{file}', 'text/calendar'],
  ])
  const { bytes, headers } = await tutor.call('POST', '/api/v1/export', {})
  assert.deepEqual([headers['content-type'], bytes.subarray(0, 2).toString()], ['application/zip', 'PK'])
  const { url } = (await tutor.call('POST', '/api/v1/calendar-feed', {})).body
  const calendar = await server.aStranger().call('GET', new URL(String(url)).pathname)
  assert.deepEqual(
    [calendar.status, String(calendar.headers['content-type']).split(';')[0]],
    [200, 'text/calendar'],
  )
  assert.equal((await server.aStranger().call('GET', '/calendar/nobody.ics')).status, 404)

  const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const ended = new AbortController()
  const events = await fetch(`${address}/api/v1/events`, {
    signal: ended.signal,
    headers: { cookie: [...tutor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  ended.abort()
  assert.equal(events.headers.get('content-type')?.split(';')[0], 'text/event-stream')
})

test('an operation documented without a body returns 204 and no body', async () => {
  const paths = await documented()
  const silent = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => successOf(operation)[0] === 204)
      .map(([method]) => `${method} ${path}`),
  )
  assert.ok(silent.length > 8, silent.join())
  const { id } = (await tutor.call('POST', '/api/v1/students', { name: 'Maya' })).body
  for (const [method, path] of [
    ['delete', '/api/v1/calendar-feed'],
    ['delete', '/api/v1/students/{id}'],
    ['post', '/api/auth/sign-out'],
  ] as const) {
    assert.ok(silent.includes(`${method} ${path}`), path)
    const answer = await tutor.call(method.toUpperCase(), path.replace('{id}', String(id)), {})
    assert.deepEqual([answer.status, answer.bytes.length], [204, 0], path)
  }
})
