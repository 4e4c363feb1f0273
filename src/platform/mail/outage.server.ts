// An email server that was away: one email is tried again and again, and once it is taken all others follow at once.
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/db.server.ts'

/** How often an email server that is away is tried. What waits has to leave within a minute of its return. */
const TRY_AGAIN_MS = 10_000

/** What the reason of an email starts with that failed because of the server and not of the email. */
const AWAY = 'The email server takes nothing now'

/** The email server could not be reached, or takes no email of anybody. */
export class MailServerAway extends Error {
  constructor(cause: unknown) {
    super(`${AWAY}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Whether a failure of nodemailer says nothing about the email itself: no connection, no greeting, or "not now" before and after the recipient. */
export function isServerAway(error: unknown): boolean {
  const {
    responseCode,
    command = '',
    code = '',
  } = error as {
    responseCode?: number
    command?: string
    code?: string
  }
  if (!/^(EENVELOPE|EMESSAGE)$/.test(code)) return true
  return command !== 'RCPT TO' && responseCode !== undefined && responseCode < 500
}

export interface OutageWatch {
  /** Notes that the server was away. */
  note(): void
  /** Notes that it took an email: the first time after it was away, what waits for it is due at once. */
  end(): Promise<void>
  stop(): void
}

/** Watches for emails that wait for their server, of this process and of others on the same database. */
export function watchForOutage(db: Db): OutageWatch {
  let isAway = false
  const timer = setInterval(
    () =>
      void db.asSystem(tryOldest).then(
        (waits) => {
          isAway ||= waits
        },
        // The database is away too; the next look may find it.
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

// As many tries as leave a minute until the next one, so that whatever is tried here does not use up its own.
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
  await sql`select from graphile_worker.reschedule_jobs(array(select id from (${WAITING}) waiting where locked_at is null), run_at := now(), attempts := 0)`.execute(
    tx,
  )
}
