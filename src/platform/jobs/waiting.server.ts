// Pending and failed work, for the operator's command and the admin page (promise F13).
import { sql } from 'kysely'
import type { Tx } from '#platform/db/db.server.ts'

interface WaitingMail {
  id: string
  userId: string | null
  kind: string
  recipient: string
  since: Date
  attempts: number
  lastError: string | null
}

interface WaitingJob {
  id: string
  task: string
  runAt: Date
  attempts: number
  maxAttempts: number
  /** True if all attempts failed and the job has to be retried by hand. */
  isParked: boolean
  lastError: string | null
}

/** Unsent emails and unfinished jobs, oldest first, at most 200 of each. */
export async function waitingWork(tx: Tx): Promise<{ mails: WaitingMail[]; jobs: WaitingJob[] }> {
  const mails = await tx
    .selectFrom('outbox')
    .select([
      'id',
      'user_id as userId',
      'kind',
      'recipient',
      'created_at as since',
      'attempts',
      'last_error as lastError',
    ])
    .where('sent_at', 'is', null)
    .orderBy('created_at')
    .limit(200)
    .execute()
  const { rows: jobs } =
    await sql<WaitingJob>`select id::text, task_identifier as task, run_at as "runAt", attempts::int, max_attempts::int as "maxAttempts",
    attempts >= max_attempts as "isParked", left(last_error, 300) as "lastError" from graphile_worker.jobs order by run_at limit 200`.execute(
      tx,
    )
  return { mails, jobs }
}

/** Retries every failed job now with a fresh attempt count. Returns the number of jobs. */
export async function retryFailed(tx: Tx): Promise<number> {
  const { rows } =
    await sql`select id from graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
        where last_error is not null and locked_at is null), run_at := now(), attempts := 0)`.execute(tx)
  return rows.length
}
