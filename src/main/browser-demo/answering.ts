// Handlers that respond to API calls in the browser. They're typed with each endpoint's input and output, so
// a handler that no longer matches its endpoint doesn't compile.
import { type CalendarDay, monthOf } from '#kernel/calendar-day.ts'
import type { Endpoint, OutputOf, ParsedInputOf, Problem } from '#kernel/endpoint.ts'
import { monthClosed } from '#features/access/closed-month.ts'
import { CONNECTION } from './cast.ts'
import type { DemoRecord, Entry, Outcome, Side } from './record.ts'

/** A call with parsed input, as passed to a handler. */
export interface Ask<E extends Endpoint> {
  record: DemoRecord
  side: Side
  id: string
  /** The version that the caller last read (If-Match). */
  version: number | undefined
  input: ParsedInputOf<E>
}

export interface Handler {
  endpoint: Endpoint
  answer: (ask: Ask<Endpoint>) => unknown
}

/** Pairs an endpoint with its handler. */
export function answers<E extends Endpoint>(endpoint: E, answer: (ask: Ask<E>) => OutputOf<E>): Handler {
  return { endpoint, answer: answer as Handler['answer'] }
}

/** Thrown to refuse a call with one of the endpoint's problem documents. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.title)
    this.problem = problem
  }
}

/**
 * Refuses a call with one of the endpoint's error codes.
 * @param more overrides fields of the problem, such as the title
 */
export function refuse(endpoint: Endpoint, code: string, more: Partial<Problem> = {}): never {
  const refusal = endpoint.refusals[code]
  const field = refusal?.field
  throw new Refused({
    status: refusal?.status ?? 404,
    code: refusal ? code : 'not_found',
    title: refusal?.title ?? 'This does not exist',
    ...(field && refusal ? { errors: [{ field, message: refusal.title }] } : {}),
    ...more,
  })
}

/** The response to any call that the demo doesn't support. */
export const SIGN_UP_FIRST: Problem = { status: 403, code: 'demo', title: 'Sign up to use this.' }

/** Throws the refusal if an entry is on a closed month's page, which shows this field too. */
export function keepPrinted(
  endpoint: Endpoint,
  record: DemoRecord,
  entry: Entry,
  field: 'subject' | 'method',
  value: string | null | undefined,
): void {
  if (value === undefined || value === record.detailsOf(entry)[field] || !record.world.isClosed(entry)) return
  take(endpoint, { status: 409, code: 'month_closed' }, monthOf(entry.day as CalendarDay))
}

/**
 * Returns the model's result, or throws its refusal.
 * @param month the month to name if the refusal is about a closed month
 */
export function take(endpoint: Endpoint, outcome: Outcome, month?: string): Outcome {
  if (outcome.status < 400) return outcome
  if (outcome.code === 'month_closed')
    throw new Refused(monthClosed({ connection_id: CONNECTION, month: month ?? '' }))
  return refuse(endpoint, outcome.code ?? 'not_found')
}
