// The hand-written server that we compare Tutorlog with. It uses Fastify and pg with named statements, and
// connects as a role that no policies apply to. Each call looks up its login and runs one query, except that
// the calendar runs two and the dashboard four. A write also adds its history row and idempotency key in the
// same transaction.
import { createHash, randomUUID } from 'node:crypto'
import fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

const DATE = 1082
pg.types.setTypeParser(DATE, (text) => text)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 })
const app = fastify()

const LOGIN = {
  name: 'login',
  text: `select m.workspace_id, m.role from logins l join users u on u.id = l.user_id join members m on m.account_id = u.id
    where l.access_hash = $1 and l.access_expires_at > now() and l.ends_at > now() and u.disabled_at is null order by m.joined_at limit 1`,
}
const LIST = {
  name: 'list',
  text: `select s.id, s.family_id, s.child_id, c.name as student_name, s.family_tutor_id, t.name as tutor_name, s.day,
    s.minutes, s.rate_override_cents, s.tutor_rate_cents, s.total_cents,
    s.currency, s.subject, s.start_time, s.summary, s.homework, n.text as notes, s.is_disputed, s.is_verified, s.connection_id,
    s.family_answer, s.practice_answer, s.practice_answer_note,
    s.practice_reply, s.practice_took_part, s.deletion_asked_by, s.family_asked_since, s.family_reminders, s.family_reminded_at, s.is_held,
    s.family_schedule_id, s.family_class_day, s.created_at, s.version
    from sessions s left join students c on c.workspace_id = s.family_id and c.id = s.child_id
      left join tutors t on t.workspace_id = s.family_id and t.id = s.family_tutor_id
      left join session_notes n on n.workspace_id = s.family_id and n.session_id = s.id
    where s.family_id = $1 and not s.is_held and s.day >= $2 and s.day <= $3 order by s.day desc, s.id desc limit 101`,
}
const PORTIONS = {
  name: 'portions',
  text: `select s.family_tutor_id, t.name as tutor_name, s.child_id, c.name as student_name, s.is_verified,
    (extract(day from s.day)::int - 1) / 7 as week, count(*)::int as sessions,
      sum(s.minutes)::int as minutes, coalesce(sum(s.total_cents), 0)::int as cents
    from sessions s left join students c on c.workspace_id = s.family_id and c.id = s.child_id
      left join tutors t on t.workspace_id = s.family_id and t.id = s.family_tutor_id
    where s.family_id = $1 and not s.is_held and s.day >= $2 and s.day <= $3 group by 1, 2, 3, 4, 5, 6`,
}
const SCHEDULES = {
  name: 'schedules',
  text: `select p.id, p.student_id, c.name as student_name, p.tutor_id, t.name as tutor_name, p.subject, p.start_time,
    p.minutes, p.frequency, p.day_of_week, p.start_day, p.end_day, p.connection_id,
      (select json_build_object('date', s.day, 'summary', s.summary, 'homework', s.homework) from sessions s
        where s.family_id = p.workspace_id and s.child_id = p.student_id and s.family_tutor_id = p.tutor_id and s.day < $2 order by s.day desc limit 1) as last
    from schedules p left join students c on c.workspace_id = p.workspace_id and c.id = p.student_id
      left join tutors t on t.workspace_id = p.workspace_id and t.id = p.tutor_id
    where p.workspace_id = $1 and p.is_active and p.deleted_at is null`,
}
const LOGGED = {
  name: 'logged',
  text: `select id, family_schedule_id, family_class_day from sessions where family_id = $1 and family_schedule_id is not null
    and family_class_day between $2 and $3`,
}
const COUNTS = {
  name: 'counts',
  text: `select (select count(*)::int from students where workspace_id = $1 and archived_at is null) as total_students,
    (select count(*)::int from tutors where workspace_id = $1 and archived_at is null) as active_tutors,
    (select count(*)::int from schedules where workspace_id = $1 and is_active and deleted_at is null) as active_schedules,
    (select count(*)::int from sessions where family_id = $1 and day between $2 and $3 and not is_held) as sessions_this_month,
    (select json_agg(part) from (select is_disputed, is_verified, currency, count(*) as sessions, sum(total_cents) as amount
      from sessions where family_id = $1 and day between $2 and $3 and not is_held group by 1, 2, 3) part) as month_amounts,
    (select count(*)::int from sessions where family_id = $1 and day <= $4 and connection_id is not null and family_answer is null) as sessions_waiting,
    exists (select from sessions where family_id = $1 and is_verified) as has_verified_sessions`,
}
const RECENT = { name: 'recent', text: LIST.text.replace('limit 101', 'limit 3') }
const INSERT = {
  name: 'insert',
  text: `insert into sessions (family_id, child_id, family_tutor_id, day, minutes, tutor_rate_cents, currency)
    select $1, $2, $3, $4, $5, t.hourly_rate_cents, 'USD'
    from tutors t where t.workspace_id = $1 and t.id = $3 returning key, id, family_id, child_id, family_tutor_id, day, minutes, total_cents, created_at`,
}
const HISTORY = {
  name: 'history',
  text: `insert into history (kind, entry_key, seq, entry_id, family_id, at, side, action, facts, changed, previous_hash, hash, hashed_text)
    values ('session', $1, 1, $2, $3, now(), 'family', 'logged', $4, '{}', '', $5, $6)`,
}
const KEY = {
  name: 'key',
  text: 'insert into idempotency_keys (user_id, operation, key, request_hash, status, response) values ($1, $2, $3, $4, 201, $5)',
}

const CONFIRM = {
  name: 'confirm',
  text: `update sessions set family_answer = $3::text,
    family_answer_version = case when $3::text is not null then facts_version end, family_answered_at = now(),
    family_took_part = true, version = version + 1, updated_at = now()
    where family_id = $1 and id = $2 returning key, id, day, minutes, total_cents, version`,
}
const NEXT = {
  name: 'next',
  text: `insert into history (kind, entry_key, seq, entry_id, family_id, at, side, action, facts, changed, previous_hash, hash, hashed_text)
    select 'session', $1, seq + 1, $2, $3, now(), 'family', 'confirmed', $4, '{}', hash, $5, $6 from history
      where kind = 'session' and entry_key = $1 order by chain, seq desc limit 1`,
}

interface Row extends Record<string, unknown> {
  minutes: number
}
const dollars = (cents: unknown) => (cents === null ? null : Number(cents) / 100)

/** A session with as many fields as one in Tutorlog's response, with names and values of the same length. */
function sessionOf(row: Row) {
  return {
    id: row.id,
    user_id: row.family_id,
    student_id: row.child_id,
    student_name: row.student_name,
    tutor_id: row.family_tutor_id,
    tutor_name: row.tutor_name,
    date: row.day,
    duration: row.minutes / 60,
    hourly_rate: dollars(row.rate_override_cents),
    default_rate: dollars(row.tutor_rate_cents),
    effective_rate: dollars(row.rate_override_cents ?? row.tutor_rate_cents),
    total_amount: dollars(row.total_cents),
    currency: row.currency,
    subject: row.subject,
    start_time: String(row.start_time).slice(0, 5),
    summary: row.summary,
    homework: row.homework,
    notes: row.notes,
    status: row.is_disputed ? 'disputed' : 'completed',
    verified_by_tutor: row.is_verified,
    connection_id: row.connection_id,
    is_shared: row.connection_id !== null,
    own_confirmation: row.family_answer ?? 'none',
    other_confirmation: row.practice_answer ?? 'none',
    dispute_note: row.practice_answer_note,
    answer_note: row.practice_reply,
    other_took_part: row.practice_took_part,
    deletion_asked_by: row.deletion_asked_by,
    asked_at: row.family_asked_since,
    reminders: row.family_reminders,
    reminded_at: row.family_reminded_at,
    is_read_only: false,
    is_held: row.is_held,
    schedule_id: row.family_schedule_id,
    occurrence_date: row.family_class_day,
    created_at: row.created_at,
    version: row.version,
  }
}

async function workspaceOf(cookie = ''): Promise<string> {
  const token = /access=([\w-]+)/.exec(cookie)?.[1] ?? ''
  const { rows } = await pool.query<{ workspace_id: string }>({
    ...LOGIN,
    values: [createHash('sha256').update(token).digest()],
  })
  if (!rows[0]) throw new Error('signed out')
  return rows[0].workspace_id
}

app.get('/api/v1/sessions', async (request) => {
  const workspace = await workspaceOf(request.headers.cookie)
  const { month } = request.query as { month: string }
  const { rows } = await pool.query<Row>({ ...LIST, values: [workspace, `${month}-01`, `${month}-31`] })
  return { sessions: rows.map(sessionOf), next_cursor: null }
})

app.get('/api/v1/summary', async (request) => {
  const workspace = await workspaceOf(request.headers.cookie)
  const { month } = request.query as { month: string }
  const { rows } = await pool.query<Row>({ ...PORTIONS, values: [workspace, `${month}-01`, `${month}-31`] })
  return { month, portions: rows }
})

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const DAY_MS = 86_400_000

/** Classes in a date range, with the logged ones marked. */
async function classesOf(workspace: string, from: string, to: string) {
  const [schedules, logged] = await Promise.all([
    pool.query<Row>({ ...SCHEDULES, values: [workspace, to] }),
    pool.query<Row>({ ...LOGGED, values: [workspace, from, to] }),
  ])
  const sessions = new Map(
    logged.rows.map((one) => [`${one.family_schedule_id} ${one.family_class_day}`, one.id]),
  )
  const classes = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS)
    for (const one of schedules.rows) {
      const [date, start] = [dayOf(time), Date.parse(String(one.start_day))]
      if (new Date(time).getUTCDay() !== one.day_of_week || time < start) continue
      if (one.frequency === 'bi-weekly' && Math.floor((time - start) / (7 * DAY_MS)) % 2 === 1) continue
      const session = sessions.get(`${one.id} ${date}`)
      classes.push({
        schedule_id: one.id,
        date,
        original_date: date,
        start_time: String(one.start_time).slice(0, 5),
        duration: one.minutes / 60,
        student_id: one.student_id,
        student_name: one.student_name,
        tutor_id: one.tutor_id,
        tutor_name: one.tutor_name,
        subject: one.subject,
        hourly_rate: null,
        connection_id: one.connection_id,
        status: session ? 'logged' : 'planned',
        session_id: session ?? null,
        last: session ? null : one.last,
      })
    }
  return classes
}

app.get('/api/v1/occurrences', async (request) => {
  const workspace = await workspaceOf(request.headers.cookie)
  const { from, to } = request.query as { from: string; to: string }
  return classesOf(workspace, from, to)
})

app.get('/api/v1/dashboard', async (request) => {
  const workspace = await workspaceOf(request.headers.cookie)
  const today = dayOf(Date.now())
  const month = [`${today.slice(0, 7)}-01`, `${today.slice(0, 7)}-31`.replace(/(04|06|09|11)-31/, '$1-30')]
  const [counts, recent, classes] = await Promise.all([
    pool.query<Row>({ ...COUNTS, values: [workspace, ...month, today] }),
    pool.query<Row>({ ...RECENT, values: [workspace, dayOf(Date.now() - 7 * DAY_MS), today] }),
    classesOf(workspace, dayOf(Date.now() - 7 * DAY_MS), dayOf(Date.now() + 7 * DAY_MS)),
  ])
  const planned = classes.filter((one) => one.status === 'planned')
  return {
    ...counts.rows[0],
    recent_sessions: recent.rows.map(sessionOf),
    due: planned.filter(({ date }) => date < today),
    upcoming: planned.filter(({ date }) => date >= today),
  }
})

/** Does the work in a transaction that also stores the response under its idempotency key. */
async function writing(
  request: FastifyRequest,
  operation: string,
  work: (client: pg.PoolClient, workspace: string) => Promise<Row>,
): Promise<Row> {
  const workspace = await workspaceOf(request.headers.cookie)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const row = await work(client, workspace)
    const key = request.headers['idempotency-key'] ?? randomUUID()
    const hash = createHash('sha256')
      .update(JSON.stringify(request.body ?? null))
      .digest()
    await client.query({ ...KEY, values: [workspace, operation, key, hash, JSON.stringify(row)] })
    await client.query('commit')
    return row
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function entryOf(row: Row) {
  const facts = { date: row.day, minutes: row.minutes, total_cents: row.total_cents, currency: 'USD' }
  const text = `2\n${String(row.id)}\n1\n${JSON.stringify(facts)}`
  return [facts, createHash('sha256').update(text).digest(), text]
}

app.post('/api/v1/sessions', async (request, reply) => {
  const input = request.body as { student_id: string; tutor_id: string; date: string; duration: number }
  const row = await writing(request, 'LogSession', async (client, workspace) => {
    const values = [workspace, input.student_id, input.tutor_id, input.date, input.duration * 60]
    const [row] = (await client.query<Row>({ ...INSERT, values })).rows
    if (!row) throw new Error('nobody is taught')
    await client.query({ ...HISTORY, values: [row.key, row.id, workspace, ...entryOf(row)] })
    return row
  })
  return reply.status(201).send(row)
})

for (const [method, word] of [
  ['POST', 'confirmed'],
  ['DELETE', null],
] as const)
  app.route({
    method,
    url: '/api/v1/sessions/:id/confirm',
    handler: (request) =>
      writing(request, 'ConfirmSession', async (client, workspace) => {
        const { id } = request.params as { id: string }
        const [row] = (await client.query<Row>({ ...CONFIRM, values: [workspace, id, word] })).rows
        if (!row) throw new Error('no such session')
        await client.query({ ...NEXT, values: [row.key, row.id, workspace, ...entryOf(row)] })
        return row
      }),
  })

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
console.log('ready')
