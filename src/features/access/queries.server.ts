// SQL for idempotency keys. A retried POST gets the first response again instead of creating a second row
// (promise D5). The key is written in the same transaction as the work. A second call therefore waits for the
// first, and a rejected call leaves no key behind. Callers see only their own keys.
import type { Insertable } from 'kysely'
import type { Problem } from '#kernel/endpoint.ts'
import { constraintOf } from '#platform/db/constraint.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { fixed } from '#platform/db/fixed.server.ts'
import type { Tables } from '#platform/db/schema.server.ts'
import { notFound, ProblemError } from '#platform/http/problem.server.ts'
import { NO_DECIMALS } from './whole-amounts.ts'
import { monthClosed, type MonthToReopen } from './closed-month.ts'
import type { Side } from './role.ts'

export interface Answer {
  status: number
  body: unknown
}

/** The Idempotency-Key of a request that creates something, whose it is, and the request's hash. */
export interface RequestKey {
  /** An account or, for an emailed link, one side of a connection. */
  owner: { user_id: string } | { link_id: string; link_side: Side }
  key: string
  hash: Buffer
}

/**
 * The earlier response for this key, or undefined for the first call. Throws a 422 if the key was used for a
 * different request.
 */
export async function replayedAnswer(
  tx: Tx,
  operation: string,
  { owner, key, hash }: RequestKey,
): Promise<Answer | undefined> {
  const first = await tx
    .insertInto('idempotency_keys')
    .values({ ...owner, operation, key, request_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (first) return undefined
  const earlier = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'response'])
    .where('operation', '=', operation)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!earlier.request_hash.equals(hash))
    throw new ProblemError(422, 'idempotency_key_reused', 'This Idempotency-Key was used for another request')
  return { status: earlier.status ?? 200, body: earlier.response }
}

/**
 * Stores the response under a key without first checking whether the key was used before. If it was, the
 * transaction fails.
 */
export async function keepAnswer(
  tx: Tx,
  operation: string,
  { owner, key, hash }: RequestKey,
  { status, json }: { status: number; json: string },
): Promise<void> {
  await insertAnswer(tx, { ...owner, operation, key, request_hash: hash, status, response: json })
}

const insertAnswer = fixed((tx, row: Insertable<Tables['idempotency_keys']>) =>
  tx.insertInto('idempotency_keys').values(row).compile(),
)

/** Throws a 404 if an earlier response is about a student the member can no longer see. */
export async function checkStillOwn(tx: Tx, { body }: Answer): Promise<void> {
  if (!body || typeof body !== 'object' || !('student_id' in body)) return
  // Under the table's policies, members see only their own students.
  const student = await tx
    .selectFrom('students')
    .select('id')
    .where('id', '=', body.student_id === null ? null : String(body.student_id))
    .executeTakeFirst()
  if (!student) throw notFound()
}

/** Stores the response under its key. */
export async function rememberAnswer(
  tx: Tx,
  operation: string,
  { key }: RequestKey,
  { status, json }: { status: number; json: string },
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, response: json })
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute()
}

/**
 * The response to an error of the database that refuses something, wherever it comes from: any change to a closed month
 * (db/repeatable/months.sql), and an amount with decimals in a currency that has none (db/repeatable/currency.sql).
 */
export function refusalByDatabase(error: unknown): Problem | undefined {
  const constraint = constraintOf(error)
  if (constraint === 'whole_amounts') return { ...NO_DECIMALS }
  if (constraint !== 'month_closed') return undefined
  return monthClosed(JSON.parse((error as { detail: string }).detail) as MonthToReopen)
}
