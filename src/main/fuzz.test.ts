// Calls every operation in the OpenAPI document with input that no form would send. None of it should cause a
// server error.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type StandIn, startStripeStandIn } from './testing/stripe.server.ts'
import { type Everything, everyOperation, type Operation, type Schema } from './testing/operations.server.ts'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'

let stripe: StandIn
let server: TestServer
let everything: Everything

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
  everything = await everyOperation(server)
})
after(async () => {
  await server.stop()
  stripe.stop()
})

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

/**
 * Every request body worth sending: a hostile value as the whole body, in all fields, in each field, and inside lists
 * and objects.
 */
function bodiesFor(schema: Schema, role: string): string[] {
  const base = everything.exampleOf(schema, role)
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

const forgetLimits = () => server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())

/** Sends a request, and records it if the response isn't one that's allowed for invalid input. */
async function send(
  faults: string[],
  person: Caller,
  { method, path }: Operation,
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

test('I1: no JSON value in any field of any operation is a fault of the server', async () => {
  const faults: string[] = []
  let sent = 0
  for (const one of everything.operations) {
    const schema = one.requestBody?.content['application/json']?.schema ?? {}
    if (one.method === 'GET') continue
    const [person, role] = await everything.callerFor(one)
    for (const body of new Set([...bodiesFor(schema, role), ...BROKEN])) {
      await send(faults, person, one, everything.pathOf(one, role), body)
      sent += 1
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(sent > 3000, `${sent} were sent`)
})

test('I1: no query, id or header of any operation is a fault of the server', async () => {
  const faults: string[] = []
  for (const one of everything.operations) {
    if (one.path === '/api/v1/events') continue
    const [person, role] = await everything.callerFor(one)
    const inQuery = one.parameters.filter((parameter) => parameter.in === 'query')
    const path = everything.pathOf(one, role).replace('{file}', 'x.ics')
    const base = inQuery
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name, String(everything.exampleFor(name, schema, role))] as const)
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
