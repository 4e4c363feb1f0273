// Reads a request: its input, strictly checked against the endpoint's schema, its ids and its headers.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Endpoint, ParsedInputOf } from '#kernel/endpoint.ts'
import { isId } from '#kernel/id.ts'
import { notFound, ProblemError } from '#platform/http/problem.server.ts'
import type { Declaration } from './declaration.server.ts'

/**
 * The query or body of a request, not checked yet. A download names its workspace in the URL. Admission uses
 * that parameter, so it's not part of the input.
 */
export function rawInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.method !== 'GET') return request.body ?? {}
  const { workspace: _workspace, ...rest } = request.query as Record<string, unknown>
  return rest
}

/** A request's input as the endpoint's schema returns it. Throws a 422 that names the invalid fields. */
export function parseInput<E extends Endpoint>(
  endpoint: Declaration<E>,
  raw: unknown,
  log: FastifyRequest['log'],
): ParsedInputOf<E> {
  const parsed = parsedSafely(endpoint.input, raw)
  if (parsed?.success) return parsed.data as ParsedInputOf<E>
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw))
    throw new ProblemError(400, 'malformed', 'Send a JSON object')
  if (!parsed) log.warn({ operation: endpoint.operation }, 'an input made its schema throw')
  const errors = parsed ? parsed.error.issues.flatMap(fieldErrors) : unreadableFields(endpoint.input, raw)
  throw new ProblemError(422, 'invalid', 'Some fields are invalid', { errors })
}

function fieldErrors(issue: z.core.$ZodIssue): { field: string; message: string }[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((field) => ({ field, message: 'Unknown field' }))
    : [{ field: issue.path.map(String).join('.'), message: issue.message }]
}

/**
 * The result of checking a value. Undefined if the schema throws: the schema library compares a value's
 * length before it checks whether the value is a string or a list, so a length such as {"toString": 1} makes
 * the comparison throw. Such input is treated as invalid (promise I1).
 */
export function parsedSafely(schema: z.ZodMiniType, value: unknown) {
  try {
    return schema.safeParse(value)
  } catch {
    return undefined
  }
}

/** The fields that make the schema throw. Each field is checked separately. */
function unreadableFields(schema: z.ZodMiniType, raw: object): { field: string; message: string }[] {
  const { shape = {} } = schema as { shape?: Record<string, z.ZodMiniType> }
  return Object.entries(shape)
    .filter(([field, own]) => !parsedSafely(own, (raw as Record<string, unknown>)[field]))
    .map(([field]) => ({ field, message: "This value isn't valid" }))
}

/** The ids in a request's path. Throws a 404 if one of them isn't an id. */
export function idsOf(request: FastifyRequest): { id: string } {
  const params = (request.params ?? {}) as Record<string, string>
  if (Object.values(params).some((value) => !isId(value))) throw notFound()
  return { id: (params.id ?? '').toLowerCase() }
}

/**
 * The row version in a request's If-Match header; undefined if there isn't one. An unreadable version becomes
 * one that never matches a row, so that an invalid If-Match never overwrites anything.
 */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const match = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())
  return match ? Number(match[1]) : -1
}

/** A request's Idempotency-Key after validation, or undefined if there isn't one. */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new ProblemError(400, 'malformed', 'Idempotency-Key must be 1 to 200 visible characters')
  return key
}

/** A hash of what a request asks for. Requests with the same key and hash are repetitions. */
export function requestHash({ url, body }: FastifyRequest, about: readonly unknown[]): Buffer {
  const [first, ...rest] = about
  return createHash('sha256')
    .update(JSON.stringify([first, url, body ?? null, ...rest]))
    .digest()
}
