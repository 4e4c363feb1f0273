// Background jobs on graphile-worker: rows in the same database, inserted by the transaction that needs them.
import { Logger, run, type Runner, runMigrations, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import { connectTo, openPool } from '#platform/db/connection.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { pause, within } from '#platform/timeout.server.ts'

const quiet = new Logger(() => () => undefined)

/**
 * Creates the queue's schema as its owner, and the trigger function that queues an email job for each outbox
 * row. Safe to run again.
 * @param rolePrefix the prefix of this database's role names
 */
export async function prepareQueue(systemUrl: string, rolePrefix: string): Promise<void> {
  const pool = openPool(systemUrl, { max: 2 })
  try {
    await runMigrations({ pgPool: pool, logger: quiet })
  } finally {
    await pool.end()
  }
  const client = await connectTo(systemUrl)
  try {
    await client.query(`create or replace function graphile_worker.queue_mail() returns trigger
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        perform graphile_worker.add_job('send_mail', json_build_object('id', new.id), max_attempts := 25, job_key := 'mail:' || new.id);
        return new;
      end $$;
      revoke all on function graphile_worker.queue_mail() from public;
      grant usage on schema graphile_worker to ${rolePrefix}owner;
      grant execute on function graphile_worker.queue_mail() to ${rolePrefix}owner`)
  } finally {
    await client.end()
  }
}

/**
 * Queues a job in the current transaction. At most one job per key is queued at a time. Jobs with the same
 * queue name run one at a time.
 */
export async function queueJob(
  tx: Tx,
  task: string,
  payload: object,
  options: { key?: string; queue?: string; maxAttempts?: number; runAt?: Date } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json,
      queue_name := ${options.queue ?? null}, max_attempts := ${options.maxAttempts ?? 25}::int,
    job_key := ${options.key ?? null}, run_at := ${options.runAt ?? null}::timestamptz)`.execute(tx)
}

export interface Worker {
  stop(): Promise<void>
}

/**
 * How long a running job may continue after the server starts shutting down. After that, it goes back to the
 * queue and runs again at the next start.
 */
const JOB_GRACE_MS = 1500
/** No job takes this long. If a job has been locked for longer, its worker must have been killed. */
const ABANDONED_MINUTES = 10

/**
 * Runs jobs until stopped, and restarts after a database outage (promise F13).
 * @param isAlone true if no other server uses this queue. Jobs that are locked at startup must then have been
 * abandoned.
 * @param isNamed whether to use named statements, which may fail behind a pooler in transaction mode
 */
export function startWorker(
  systemUrl: string,
  tasks: TaskList,
  crontab: string,
  log: (event: string, details: object) => void,
  isAlone: boolean,
  isNamed = true,
): Worker {
  let stopping = false
  let runner: Runner | undefined
  const pool = openPool(systemUrl, { max: 4, application_name: 'tutorlog-worker' })

  const ended = (async () => {
    while (!stopping) {
      try {
        await releaseAbandoned(pool, isAlone ? 0 : ABANDONED_MINUTES)
        runner = await run({
          pgPool: pool,
          taskList: tasks,
          crontab,
          concurrency: 3,
          pollInterval: 2000,
          noHandleSignals: true,
          noPreparedStatements: !isNamed,
          logger: quiet,
        })
        if (stopping) await runner.stop()
        await runner.promise
      } catch (error) {
        log('the job runner stopped and will start again', {
          reason: error instanceof Error ? error.message : String(error),
        })
      }
      if (!stopping) await pause(1000)
    }
  })()
  const sweep = setInterval(
    () => void releaseAbandoned(pool, ABANDONED_MINUTES).catch(() => undefined),
    60_000,
  )

  return {
    async stop() {
      stopping = true
      clearInterval(sweep)
      const ignore = () => undefined
      if (runner && !(await within(JOB_GRACE_MS, runner.stop().catch(ignore))))
        await within(500, runner.kill().catch(ignore))
      await within(500, ended)
      await waitForQueries(pool)
      await within(500, pool.end())
    },
  }
}

// The library doesn't wait for the query that removes a finished job. If the pool closed before that query
// ran, the job would run again at the next start.
async function waitForQueries(pool: pg.Pool): Promise<void> {
  for (let tries = 0; pool.waitingCount > 0 && tries < 50; tries++) await pause(10)
}

// Releases jobs whose worker was killed or lost its database connection. Otherwise they'd stay locked for
// four hours.
async function releaseAbandoned(pool: pg.Pool, minutes: number): Promise<void> {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(worker)) from (
    select locked_by as worker from graphile_worker.jobs where locked_by is not null group by locked_by
      having max(locked_at) <= now() - make_interval(mins => $1)) abandoned`,
    [minutes],
  )
}
