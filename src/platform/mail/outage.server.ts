// Handles email server outages. Keeps trying one email, and sends the rest once it's accepted.
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/db.server.ts'

/** How often to retry during an outage. Waiting emails must be sent within a minute of the outage ending. */
const TRY_AGAIN_MS = 10_000

/** The prefix of error messages that are about the server rather than the email. */
const AWAY = "The email server isn't accepting mail right now"

/** Thrown if the email server can't be reached or isn't accepting any email. */
export class MailServerAway extends Error {
  constructor(cause: unknown) {
    super(`${AWAY}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

interface SmtpError {
  responseCode?: number
  command?: string
  code?: string
}

/**
 * True if a nodemailer error is about the server rather than the email: no connection, no greeting, or a
 * temporary rejection that wasn't about the recipient.
 */
export function isServerAway(error: unknown): boolean {
  const { responseCode, command = '', code = '' } = error as SmtpError
  if (!/^(EENVELOPE|EMESSAGE)$/.test(code)) return true
  return command !== 'RCPT TO' && responseCode !== undefined && responseCode < 500
}

export interface OutageWatch {
  /** Records that the server is down. */
  note(): void
  /** Records that the server accepted an email. If that ends an outage, all waiting emails become due. */
  end(): Promise<void>
  stop(): void
}

/**
 * Looks for emails held up by an outage, whether this process or another one using the same database noticed
 * it.
 */
export function watchForOutage(db: Db): OutageWatch {
  let isAway = false
  const timer = setInterval(
    () =>
      void db.asSystem(tryOldest).then(
        (waits) => {
          isAway ||= waits
        },
        // The database is down too; the next check will find the emails.
        () => undefined,
      ),
    TRY_AGAIN_MS,
  )
  timer.unref()
  return {
    note() {
      isAway = true
    },
    async end() {
      if (!isAway) return
      isAway = false
      await db.asSystem(releaseAll)
    },
    stop: () => clearInterval(timer),
  }
}

const WAITING = sql`select j.id, j.run_at, j.locked_at, o.created_at from graphile_worker.jobs j join outbox o on j.key = 'mail:' || o.id
  where o.sent_at is null and starts_with(o.last_error, ${AWAY})`

// After 3 attempts, the queue waits a minute before the next one. Setting the count back to 3 also keeps an
// outage from using up the email's attempts.
async function tryOldest(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ id: string; is_due: boolean }>`
    select id::text, locked_at is not null or run_at < now() + interval '5 seconds' as is_due from (${WAITING}) waiting order by created_at`.execute(
    tx,
  )
  const [oldest] = rows
  if (oldest && !rows.some((row) => row.is_due))
    await sql`select from graphile_worker.reschedule_jobs(array[${oldest.id}::bigint], run_at := now(), attempts := 3)`.execute(
      tx,
    )
  return rows.length > 0
}

async function releaseAll(tx: Tx): Promise<void> {
  await sql`select from graphile_worker.reschedule_jobs(array(select id from (${WAITING}) waiting where locked_at is null),
      run_at := now(), attempts := 0)`.execute(tx)
}
