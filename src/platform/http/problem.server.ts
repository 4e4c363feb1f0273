// All error responses: RFC 9457 problem documents with stable codes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '#kernel/endpoint.ts'
import { DatabaseAway } from '#platform/db/db.server.ts'

/**
 * The maximum number of field errors in one response, and the maximum length of a field name in characters.
 * Without these limits, a response would echo back whatever a caller sends.
 */
const MOST_ERRORS = 200
const LONGEST_FIELD = 100

/** An error to send as is: status, stable code, title, and any field errors. */
export class ProblemError extends Error {
  readonly problem: Problem
  readonly retryAfterSeconds?: number

  constructor(
    status: number,
    code: string,
    title: string,
    more: { errors?: Problem['errors']; retryAfterSeconds?: number } = {},
  ) {
    super(title)
    const errors = more.errors
      ?.slice(0, MOST_ERRORS)
      .map(({ field, message }) => ({ field: field.slice(0, LONGEST_FIELD), message }))
    this.problem = { status, code, title, ...(errors ? { errors } : {}) }
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/**
 * The response for a row that doesn't exist or belongs to someone else. It's the same in both cases, so that
 * callers can't tell which.
 */
export function notFound(): ProblemError {
  return new ProblemError(404, 'not_found', 'This does not exist')
}

/** What the promise resolves to. Throws `notFound` if that's undefined. */
export async function found<Value>(value: Promise<Value | undefined>): Promise<Value> {
  const answer = await value
  if (answer === undefined) throw notFound()
  return answer
}

const FRAMEWORK_CODES: Record<number, [string, string]> = {
  400: ['malformed', 'The request could not be read'],
  413: ['too_large', 'The request is too large'],
  415: ['unsupported_type', 'Send application/json'],
}

/**
 * Responds to any thrown error. Unexpected errors are logged with the request's id, and their details aren't
 * sent to anyone (promise W8).
 * @param refusalOf turns errors of the database that refuse something into responses
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  refusalOf: (error: unknown) => Problem | undefined,
): FastifyReply {
  const { problem, retryAfterSeconds } = asProblem(error, refusalOf)
  if (problem.status === 500) request.log.error({ err: error }, 'unexpected error')
  if (problem.status === 503)
    request.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'database away')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .status(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', ...problem, request_id: request.id }))
}

function asProblem(
  error: unknown,
  refusalOf: (error: unknown) => Problem | undefined,
): { problem: Problem; retryAfterSeconds?: number } {
  if (error instanceof ProblemError) return error
  if (error instanceof DatabaseAway) {
    return {
      problem: {
        status: 503,
        code: 'unavailable',
        title: "Tutorlog can't reach its database right now. Please try again.",
      },
      retryAfterSeconds: 2,
    }
  }
  const refused = refusalOf(error)
  if (refused) return { problem: refused }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) {
    const [code, title] = FRAMEWORK_CODES[status] ?? ['malformed', 'The request could not be read']
    return { problem: { status, code, title } }
  }
  return { problem: { status: 500, code: 'unexpected', title: 'Something went wrong on our side' } }
}
