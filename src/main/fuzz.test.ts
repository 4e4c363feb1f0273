// Calls every operation in the OpenAPI document with input that no form would send. None of it should cause a
// server error.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type StandIn, startStripeStandIn } from './testing/stripe.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from './testing.server.ts'

interface Schema {
  type?: string | string[]
  format?: string
  enum?: string[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

interface Operation {
  'x-roles': string | string[]
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

let stripe: StandIn
let server: TestServer
/** One account per role, with a child, a tutor, a session and a schedule if the role can have them. */
const people: Record<string, Caller> = {}
const ids: Record<string, Record<string, string>> = {}
let operations: { method: string; path: string; operation: Operation }[]

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
  for (const role of ['parent', 'tutor', 'admin'] as const) {
    const person = await server.aUser(role === 'parent' ? 'parent' : 'tutor')
    if (role === 'admin')
      await server.db.asSystem((tx) =>
        tx.updateTable('user_roles').set({ role }).where('user_id', '=', person.id).execute(),
      )
    people[role] = person
    ids[role] = { ...(await rowsOf(person, role)), people: (await server.aUser()).id }
  }
  const { paths } = (await people.parent!.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  // Deletions run last, so that the other operations can still find their rows.
  const isDelete = ({ method }: { method: string }) => Number(method === 'DELETE')
  operations = listed.toSorted((one, other) => isDelete(one) - isDelete(other))
})
after(async () => {
  await server.stop()
  stripe.stop()
})

async function rowsOf(person: Caller, role: string): Promise<Record<string, string>> {
  const made = async (path: string, body: object) =>
    String((await person.call('POST', `/api/v1/${path}`, body)).body.id)
  const student_id = await made('students', { name: 'Maya' })
  const tutor_id =
    role === 'parent'
      ? await made('tutors', { name: 'Ingrid', hourly_rate: 45, email: 'ingrid@example.com' })
      : String(
          ((await person.call('GET', '/api/v1/tutors')).body.tutors as { id: string }[] | undefined)?.[0]?.id,
        )
  const lesson = { student_id, tutor_id, duration: 1 }
  return {
    students: student_id,
    tutors: tutor_id,
    sessions: await made('sessions', { ...lesson, date: '2026-01-05' }),
    schedules: await made('schedules', {
      ...lesson,
      day_of_week: 1,
      start_time: '16:00',
      start_date: '2026-01-05',
    }),
    payments: await made('payments', {
      ...(role === 'parent' ? { tutor_id } : { student_id }),
      date: '2026-01-05',
      amount: 10,
    }),
  }
}

const UNCOMPARABLE = '{"toString":1,"valueOf":1}'

/**
 * Hostile JSON values. Each is sent as the whole body, and also in one field at a time while the other fields
 * are valid.
 */
const HOSTILE_JSON = [
  ...String.raw`null -1 1e308 "\u0000" [null] {"0":"a","length":1}`.split(' '),
  UNCOMPARABLE,
  `{"length":${UNCOMPARABLE}}`,
  '[{"length":[{"toString":1}]}]',
]

const HOSTILE = [
  ...String.raw`true 0 1.5 "" "\u00a0" "\ud800" "1e999" [] {} [[]] ["x",7]`.split(' '),
  ...'{"length":-1} {"length":1e9} {"length":null} {"toJSON":1} {"then":1} {"hasOwnProperty":1}'.split(' '),
  `{"size":${UNCOMPARABLE}}`,
  `[${UNCOMPARABLE}]`,
  '{"constructor":{"prototype":1}}',
  JSON.stringify('x'.repeat(5000)),
]

const BROKEN = ['{', '[]', 'null', '7', '"x"', '{"a":1,"a":2}', '{"__proto__":{"a":1}}', '['.repeat(50)]

const QUERIES = [
  '%00',
  '%ED%A0%80',
  '%',
  'x'.repeat(3000),
  '-1',
  '1e308',
  '2026-02-30',
  '9999-12-31',
  '',
  '%27%22',
]

/** A valid value for a field, so that only the field under test is wrong. */
function example(name: string, schema: Schema, role: string): unknown {
  const own = ids[role] ?? {}
  if (schema.anyOf) return example(name, schema.anyOf[0]!, role)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties) return exampleOf(schema, role)
  if (schema.items) return [example(name, schema.items, role)]
  const known: Record<string, unknown> = {
    student_id: own.students,
    tutor_id: own.tutors,
    email: 'somebody@example.com',
    friend_email: 'friend@example.com',
    password: PASSWORD,
    current_password: PASSWORD,
    start_time: '16:00',
    month: '2026-01',
    amount: 10,
  }
  if (name in known) return known[name]
  if (/date|from|to$|today|until/.test(name)) return '2026-01-05'
  if (schema.format === 'uuid') return own.sessions
  return { string: 'x'.repeat(24), number: 1, integer: 1, boolean: true }[[schema.type].flat()[0] ?? ''] ?? 1
}

function exampleOf(schema: Schema, role: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, own]) => [name, example(name, own, role)]),
  )
}

/**
 * Every request body worth sending: a hostile value as the whole body, in all fields, in each field, and inside lists
 * and objects.
 */
function bodiesFor(schema: Schema, role: string): string[] {
  const base = exampleOf(schema, role)
  const fields = Object.entries(schema.properties ?? {})
  const withField = (name: string, value: string) =>
    JSON.stringify({ ...base, [name]: '@' }).replace('"@"', () => value)
  const inside = (own: Schema, value: string): string[] => [
    ...(own.anyOf ?? []).flatMap((one) => inside(one, value)),
    ...(own.items ? [`[${value}]`, ...inside(own.items, value).map((one) => `[${one}]`)] : []),
    ...(own.properties
      ? [
          `{${Object.keys(own.properties)
            .map((name) => `"${name}":${value}`)
            .join()}}`,
        ]
      : []),
  ]
  return [
    ...[...HOSTILE_JSON, ...HOSTILE].flatMap((value) => [
      value,
      `{${[...fields.map(([name]) => name), 'unknown'].map((name) => `"${name}":${value}`).join()}}`,
    ]),
    ...HOSTILE_JSON.flatMap((value) =>
      fields.flatMap(([name, own]) => [value, ...inside(own, value)].map((one) => withField(name, one))),
    ),
  ]
}

async function callerFor({ operation }: { operation: Operation }): Promise<[Caller, string]> {
  const roles = [operation['x-roles']].flat()
  const role = roles.find((one) => one in people) ?? 'parent'
  const person = people[role]!
  if ((await person.call('GET', '/api/auth/session')).status !== 200)
    await person.call('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD })
  return [person, role]
}

const forgetLimits = () => server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())

/** Sends a request, and records it if the response isn't one that's allowed for invalid input. */
async function send(
  faults: string[],
  person: Caller,
  { method, path }: (typeof operations)[number],
  url: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<void> {
  let answer = await person.call(method, url, body, headers)
  if (answer.status === 429) {
    await forgetLimits()
    answer = await person.call(method, url, body, headers)
  }
  const isRefused = answer.status >= 400
  const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json')
  if (answer.status >= 500 || (isRefused && !isProblem && url.startsWith('/api/')))
    faults.push(`${answer.status} ${method} ${path} ${url.slice(-80)} ${body?.slice(0, 200) ?? ''}`)
}

const idIn = (path: string, role: string) =>
  path.replace(
    '{id}',
    ids[role]?.[path.replace('/admin', '').split('/')[3] ?? ''] ?? '11111111-1111-4111-8111-111111111111',
  )

test('I1: no JSON value in any field of any operation is a fault of the server', async () => {
  const faults: string[] = []
  let sent = 0
  for (const one of operations) {
    const schema = one.operation.requestBody?.content['application/json']?.schema ?? {}
    if (one.method === 'GET') continue
    const [person, role] = await callerFor(one)
    for (const body of new Set([...bodiesFor(schema, role), ...BROKEN])) {
      await send(faults, person, one, idIn(one.path, role), body)
      sent += 1
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(sent > 3000, `${sent} were sent`)
})

test('I1: no query, id or header of any operation is a fault of the server', async () => {
  const faults: string[] = []
  for (const one of operations) {
    if (one.path === '/api/v1/events') continue
    const [person, role] = await callerFor(one)
    const inQuery = one.operation.parameters.filter((parameter) => parameter.in === 'query')
    const path = idIn(one.path, role).replace('{file}', 'x.ics')
    const base = inQuery
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name, String(example(name, schema, role))] as const)
    const urls = inQuery.flatMap(({ name }) => {
      const others = base
        .filter(([other]) => other !== name)
        .map(([other, value]) => `${other}=${value}&`)
        .join('')
      return [
        ...QUERIES.map((value) => `${path}?${others}${name}=${value}`),
        ...[`${name}=a&${name}=b`, `${name}[]=a`, `${name}[length]=1`, `${name}[toString]=1`].map(
          (own) => `${path}?${others}${own}`,
        ),
      ]
    })
    const names = ['%00', '%ED%A0%80', '..%2f', "'", 'x'.repeat(150)].map((id) =>
      one.path.replace(/\{\w+\}/, id),
    )
    for (const url of [
      ...urls,
      ...(one.path.includes('{') ? names : []),
      `${path}?__proto__=1&constructor=2`,
    ])
      await send(faults, person, one, url)
    for (const header of ['\u00ff', '"99999999999999"', 'W/"', '%', 'a'.repeat(3000)])
      await send(faults, person, one, path, one.method === 'GET' ? undefined : '{}', {
        'if-match': header,
        'idempotency-key': header,
        'user-agent': header,
        'content-language': header,
      })
  }
  assert.deepEqual(faults, [])
})
