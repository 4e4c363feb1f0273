// Background work on graphile-worker: jobs are rows of the same database, written in the transaction of their cause.
import { Logger, run, type Runner, runMigrations, type TaskList } from 'graphile-worker'
import pg from 'pg'

const quiet = new Logger(() => () => undefined)

/**
 * Prepares the queue's schema, as its owner, and the function that queues a mail for each row of the outbox.
 * It may be called any number of times.
 */
export async function prepareQueue(systemUrl: string): Promise<void> {
  await runMigrations({ connectionString: systemUrl, logger: quiet })
  const client = new pg.Client({ connectionString: systemUrl })
  await client.connect()
  try {
    await client.query(`create or replace function graphile_worker.queue_mail() returns trigger
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        perform graphile_worker.add_job('send_mail', json_build_object('id', new.id), max_attempts := 25, job_key := 'mail:' || new.id);
        return new;
      end $$;
      revoke all on function graphile_worker.queue_mail() from public;
      grant usage on schema graphile_worker to tutorlog_owner;
      grant execute on function graphile_worker.queue_mail() to tutorlog_owner`)
  } finally {
    await client.end()
  }
}

export interface Worker {
  stop(): Promise<void>
}

/** Runs the jobs until stopped; when the database goes away it starts again once that is back (promise F13). */
export function startWorker(systemUrl: string, tasks: TaskList, crontab: string, log: (event: string, details: object) => void): Worker {
  let stopping = false
  let runner: Runner | undefined
  const pool = new pg.Pool({ connectionString: systemUrl, max: 4, connectionTimeoutMillis: 4000, application_name: 'tutorlog-worker' })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const ended = (async () => {
    while (!stopping) {
      try {
        runner = await run({ pgPool: pool, taskList: tasks, crontab, concurrency: 3, pollInterval: 2000, noHandleSignals: true, logger: quiet })
        if (stopping) await runner.stop()
        await runner.promise
      } catch (error) {
        log('the job runner stopped and will start again', { reason: error instanceof Error ? error.message : String(error) })
      }
      if (!stopping) await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  })()

  return {
    async stop() {
      stopping = true
      await runner?.stop().catch(() => undefined)
      await ended
      await pool.end()
    },
  }
}
