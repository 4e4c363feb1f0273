// Generates the OpenAPI document from the same endpoint declarations the server uses.
import * as z from 'zod/mini'
import { type Declaration, isClosedTo, isForLinks, isOnlyForLinks, needsPlan } from './declaration.server.ts'
import { MEMBER_ROLES } from './role.ts'
import { NO_DECIMALS } from './whole-amounts.ts'

const PROBLEM = {
  type: 'object',
  required: ['status', 'code', 'title'],
  properties: {
    type: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    title: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
    },
    closed_month: {
      type: 'object',
      description: 'With month_closed: the month to reopen first (ReopenMonth)',
      properties: {
        connection_id: { type: 'string', format: 'uuid' },
        month: { type: 'string' },
      },
    },
  },
}

const COOKIE = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-access',
  description: "Set at sign-in, HttpOnly. The name is `access` if the app isn't served over TLS.",
}

const LINK = {
  type: 'apiKey',
  in: 'header',
  name: 'Tutorlog-Link',
  description:
    'The token in an emailed link, after the #. Acts for the side that has no account. With it, cookies admit nobody.',
}

/**
 * The workspace for the call. If omitted, the account's first one is used (docs/contract.md, HTTP). For
 * downloads, it's in `?workspace=`.
 */
const WORKSPACE = { name: 'Tutorlog-Workspace', in: 'header', schema: { type: 'string', format: 'uuid' } }

/**
 * Describes all operations, including allowed roles (`x-roles`), members who may not call them
 * (`x-closed-to`), limits (`x-limit`), proofs (`x-proof`) and errors.
 */
export function openApiDocument(endpoints: Declaration[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tutorlog', version: '1' },
    servers: [{ url: baseUrl }],
    paths,
    components: { schemas: { Problem: PROBLEM }, securitySchemes: { cookie: COOKIE, link: LINK } },
  }
}

function operation(endpoint: Declaration): object {
  const input = schemaOf(endpoint.input, 'input') as {
    properties?: Record<string, object>
    required?: string[]
  }
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(name === 'id' ? { format: 'uuid' } : {}) },
  }))
  const inQuery =
    endpoint.method !== 'GET'
      ? []
      : Object.entries(input.properties ?? {}).map(([name, schema]) => ({
          name,
          in: 'query',
          required: input.required?.includes(name) ?? false,
          schema,
        }))
  const inHeader = [
    ...(endpoint.access === 'anyone' || isOnlyForLinks(endpoint) ? [] : [WORKSPACE]),
    ...(endpoint.creates
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]
      : []),
    ...('changed' in endpoint.refusals
      ? [
          {
            name: 'If-Match',
            in: 'header',
            description: 'The version you read, as its ETag',
            schema: { type: 'string' },
          },
        ]
      : []),
  ]
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    'x-roles': endpoint.access,
    ...(closedTo(endpoint).length > 0 ? { 'x-closed-to': closedTo(endpoint) } : {}),
    ...(endpoint.limit ? { 'x-limit': endpoint.limit } : {}),
    ...(endpoint.proof ? { 'x-proof': endpoint.proof } : {}),
    ...securityOf(endpoint),
    parameters: [...inPath, ...inQuery, ...inHeader],
    ...(endpoint.method === 'GET' || Object.keys(input.properties ?? {}).length === 0
      ? {}
      : {
          requestBody: {
            content: {
              'application/json': { schema: input },
              ...Object.fromEntries(
                (endpoint.bodyTypes ?? []).map((type) => [
                  type,
                  { schema: { type: 'string', format: 'binary' } },
                ]),
              ),
            },
          },
        }),
    responses: { ...success(endpoint), ...problems(endpoint) },
  }
}

function securityOf(endpoint: Declaration): { security?: object[] } {
  if (endpoint.access === 'anyone') return {}
  return {
    security: [
      ...(isOnlyForLinks(endpoint) ? [] : [{ cookie: [] }]),
      ...(isForLinks(endpoint) ? [{ link: [] }] : []),
    ],
  }
}

const closedTo = (endpoint: Declaration) => MEMBER_ROLES.filter((role) => isClosedTo(endpoint, role))

function success(endpoint: Declaration): Record<string, object> {
  // An empty output means that the response has no body.
  if (endpoint.output._zod.def.type === 'undefined') return { 204: { description: 'Done' } }
  const isText = endpoint.produces?.startsWith('text/')
  const content = endpoint.produces
    ? { [endpoint.produces]: { schema: { type: 'string', ...(isText ? {} : { format: 'binary' }) } } }
    : { 'application/json': { schema: schemaOf(endpoint.output, 'output') } }
  return { [endpoint.creates ? 201 : 200]: { description: 'Done', content } }
}

function problems(endpoint: Declaration): Record<string, object> {
  const codes: Record<number, string[]> = {
    422: ['invalid'],
    503: ['unavailable', 'maintenance'],
    ...ofCallers(endpoint),
  }
  if (endpoint.path.includes(':id')) codes[404] = [...(codes[404] ?? []), 'not_found']
  if (endpoint.limit) codes[429] = ['too_many']
  if (takesAmounts(endpoint)) codes[422] = ['invalid', NO_DECIMALS.code]
  if (endpoint.meetsClosedMonths) codes[409] = ['month_closed']
  for (const [code, { status }] of Object.entries(endpoint.refusals))
    codes[status] = [...(codes[status] ?? []), code]
  return Object.fromEntries(
    Object.entries(codes).map(([status, list]) => [
      status,
      {
        description: list.join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** The codes of admission, by status. */
function ofCallers(endpoint: Declaration): Record<number, string[]> {
  const { access } = endpoint
  if (access === 'anyone') return {}
  const ofLinks: Record<number, string[]> = isForLinks(endpoint)
    ? { 403: ['own_link'], 404: ['link_gone'], 429: ['too_many'] }
    : {}
  if (isOnlyForLinks(endpoint)) return ofLinks
  const codes: Record<number, string[]> = {
    401: ['signed_out'],
    ...ofLinks,
    404: ['no_such_workspace', ...(ofLinks[404] ?? [])],
  }
  if (access !== 'signed-in')
    codes[403] = [
      'email_not_verified',
      'account_deleted',
      ...(Array.isArray(access) ? ['role'] : []),
      ...(isClosedTo(endpoint, 'viewer') ? ['read_only'] : []),
      ...(ofLinks[403] ?? []),
      ...(endpoint.proof ? ['sign_in_again'] : []),
    ]
  if (endpoint.proof === 'password') codes[422] = ['invalid', 'wrong_password']
  if (needsPlan(endpoint)) codes[402] = ['subscription_required']
  return codes
}

/** Whether a change has amounts, which may have decimals that their currency doesn't. */
function takesAmounts({ method, input }: Declaration): boolean {
  return (
    method !== 'GET' &&
    /"(?:amount|rate|hourly_rate|new_rate)":/.test(JSON.stringify(schemaOf(input, 'input')))
  )
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
