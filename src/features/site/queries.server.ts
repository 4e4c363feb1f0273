// SQL for announcements of new terms.
import { sql } from 'kysely'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { Tx } from '#platform/db/db.server.ts'
import type { Announcement } from './announcement.ts'

/** Stores an announcement. If this version was already announced, returns the day from that announcement. */
export async function keepAnnouncement(
  tx: Tx,
  { version, effectiveDay }: Announcement,
): Promise<CalendarDay> {
  await tx
    .insertInto('announced_terms')
    .values({ version, effective_day: effectiveDay })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (
    await tx
      .selectFrom('announced_terms')
      .select('effective_day')
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
  ).effective_day as CalendarDay
}

/**
 * Queues an email about this version for everyone who has a confirmed address and hasn't received one yet.
 * Returns how many.
 */
export async function queueNotices(tx: Tx, { version, effectiveDay }: Announcement): Promise<number> {
  const told = await sql<{ owner_id: string }>`
    with told as (
      insert into terms_notices (owner_id, version)
      select id, ${version} from users where email_confirmed_at is not null and disabled_at is null
      on conflict do nothing returning owner_id
    )
    insert into outbox (user_id, recipient, kind, data)
    select id, email, 'terms_notice',
      jsonb_build_object('version', ${version}::text, 'effective_day', ${effectiveDay}::text) from users
      join told on owner_id = id
    returning id`.execute(tx)
  return told.rows.length
}
