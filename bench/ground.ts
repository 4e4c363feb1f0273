// Data for the benchmark: many families, each with a year of sessions. One family has a parent who can sign
// in. Triggers and foreign keys are off during the inserts; otherwise, they would take an hour.
import type pg from 'pg'

/** Sessions per family per month. With 12 months and 2,400 families, that comes to 806,400 sessions. */
const IN_A_MONTH = 28
const MONTHS = 12
/** The year all sessions fall in, and the month that the benchmark reads. */
export const YEAR = 2024
export const MONTH = `${YEAR}-05`

/**
 * Fills a database with families. The given family gets the same rows as all others. Returns one of its
 * students and one of its tutors.
 */
export async function fillDatabase(
  client: pg.Client,
  families: number,
  ownId: string,
): Promise<{ studentId: string; tutorId: string }> {
  await client.query('set session_replication_role = replica')
  try {
    await client.query(
      `create temp table families as select gen_random_uuid() as id from generate_series(1, $1::int - 1) union all select $2::uuid`,
      [families, ownId],
    )
    await client.query(
      `insert into users (id, email, email_key, email_confirmed_at) select id, id || '@example.org',
        id || '@example.org', now() from families where id <> $1::uuid`,
      [ownId],
    )
    await client.query(
      `insert into workspaces (id, kind, owner_name) select id, 'family', 'Family' from families where id <> $1::uuid`,
      [ownId],
    )
    await client.query(
      `insert into members (workspace_id, account_id, role) select id, id, 'owner' from families where id <> $1::uuid`,
      [ownId],
    )
    await client.query(
      `create temp table people as select id, gen_random_uuid() as student_id, gen_random_uuid() as tutor_id from families`,
    )
    await client.query(
      `insert into students (workspace_id, id, name) select id, student_id, 'Maya Lindqvist' from people`,
    )
    await client.query(
      `insert into tutors (workspace_id, id, name, hourly_rate_cents) select id, tutor_id, 'Jordan Okafor', 6000 from people`,
    )
    await client.query(
      `insert into sessions (family_id, child_id, family_tutor_id, day, minutes, tutor_rate_cents, currency, subject, start_time, summary)
      select id, student_id, tutor_id, make_date(${YEAR}, month, 1 + nth), 60 + 15 * (nth % 3), 6000, 'USD', 'Math',
        time '16:30', 'Fractions, and the first page of the test'
      from people, generate_series(1, ${MONTHS}) month, generate_series(0, ${IN_A_MONTH - 1}) nth order by month, nth, id`,
    )
    const { rows } = await client.query<{ student_id: string; tutor_id: string }>(
      'select student_id, tutor_id from people where id = $1',
      [ownId],
    )
    // What the triggers would have done, and a restore would do.
    await client.query('select spell_all()')
    await client.query('drop table families, people')
    await client.query('vacuum analyze')
    const [own] = rows
    if (!own) throw new Error('the measured family has no student or tutor')
    return { studentId: own.student_id, tutorId: own.tutor_id }
  } finally {
    await client.query('set session_replication_role = origin')
  }
}
