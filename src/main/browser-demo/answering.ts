// How an endpoint is answered in the browser: by a handler whose input and answer have the endpoint's own types, so that a handler
// that no longer fits it does not compile.
import type { Endpoint, OutputOf, ParsedInputOf, Problem } from '#kernel/endpoint.ts'
import { monthLabel } from '#kernel/month.ts'
import type { Outcome, Side } from '../money-model.ts'
import { CONNECTION } from './cast.ts'
import type { DemoRecord } from './record.ts'

/** A call as its handler gets it. */
export interface Ask<E extends Endpoint> {
  record: DemoRecord
  side: Side
  id: string
  /** The version that the caller saw. */
  version: number | undefined
  input: ParsedInputOf<E>
}

export interface Handler {
  endpoint: Endpoint
  answer: (ask: Ask<Endpoint>) => unknown
}

/** An endpoint with what answers it. */
export function answers<E extends Endpoint>(endpoint: E, answer: (ask: Ask<E>) => OutputOf<E>): Handler {
  return { endpoint, answer: answer as Handler['answer'] }
}

/** A refusal, with the endpoint's own words. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.title)
    this.problem = problem
  }
}

/** Refuses with one of the endpoint's reasons; a title of its own where the screens name something. */
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

/** The answer to what the demo does not do. */
export const SIGN_UP_FIRST: Problem = { status: 403, code: 'demo', title: 'Sign up to use this.' }

/** Passes on what the model did, and refuses what it refused. @param month the one that may be closed */
export function take(endpoint: Endpoint, outcome: Outcome, month?: string): Outcome {
  if (outcome.status < 400) return outcome
  if (outcome.code === 'month_closed')
    throw new Refused({
      status: 409,
      code: 'month_closed',
      title: `${monthLabel(month ?? '')} is closed. Reopen it with a reason to change it.`,
      closed_month: { connection_id: CONNECTION, month: month ?? '' },
    })
  return refuse(endpoint, outcome.code ?? 'not_found')
}
