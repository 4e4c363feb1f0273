// One contract per operation, used by the server, the browser and the OpenAPI document. Who may call it is said
// in features/access.
import type * as z from 'zod/mini'

export interface Refusal {
  status: 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503
  title: string
  /** How many seconds to wait before the next attempt; sent with 429 and 503. */
  retryAfterSeconds?: number
  /** The field that caused the refusal, so that a form can show the error there. */
  field?: string
}

export interface Limit {
  hits: number
  seconds: number
  /**
   * On an endpoint that anyone may call, counts signed-in callers' hits per account instead of per network
   * address.
   */
  perAccount?: boolean
}

/** Carries an operation's output type at compile time. It doesn't exist at run time. */
declare const OUTPUT: unique symbol

/** The part of an operation that any file can read. */
export interface Endpoint<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Reason extends string = string,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * The path, with `:id` in place of the row's id. Only the calendar feed, which calendar apps load, is
   * outside /api/.
   */
  path: `/api/${string}` | `/calendar/${string}`
  /** The body or, for a GET, the query. */
  input: Input
  refusals: Record<Reason, Refusal>
  /** Other types the body may have instead of JSON. */
  bodyTypes?: readonly string[]
  readonly [OUTPUT]?: Output
}

/**
 * The rest of an operation, which browser builds leave out (scripts/browser-endpoints.ts). Only server files
 * can read it, using declarationOf (declaration.server.ts).
 */
export interface ServerSide<Output extends z.ZodMiniType = z.ZodMiniType> {
  /** A unique imperative name, such as LogSession. */
  operation: string
  summary: string
  output: Output
  /** The response's media type if it's a file or a stream. JSON if omitted. */
  produces?: string
  /** Returns 201 and honors Idempotency-Key. */
  creates?: boolean
  /** The maximum size of the body in bytes, if it may be larger than the server's default. */
  maxBytes?: number
  /** The rate limit per user, or per network address if nobody is signed in. */
  limit?: Limit
}

/** The input as the caller sends it, before parsing. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** The input as the server gets it, after parsing. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
export type OutputOf<E extends Endpoint> = z.output<NonNullable<E[typeof OUTPUT]>>
export type ReasonOf<E extends Endpoint> = Extract<keyof E['refusals'], string>

/** The API's error responses, which are RFC 9457 problem documents. */
export interface Problem {
  status: number
  code: string
  title: string
  errors?: { field: string; message: string }[]
  request_id?: string
  /** What some codes add. */
  [extension: string]: unknown
}
