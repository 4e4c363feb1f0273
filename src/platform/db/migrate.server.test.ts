import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { checkCode } from '#features/months/queries.server.ts'
import { type SignedLine, signedText } from '#features/months/sign-off.ts'
import { readLedgers } from '#features/payments/queries.server.ts'
import { verifyHistory } from '#features/sessions/jobs.server.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { loadBackup, writeBackup } from './backup.server.ts'
import { openDb } from '#features/access/db.server.ts'
import { knownMigrations, migrate } from './migrate.server.ts'

let server: TestServer
let client: pg.Client

before(async () => {
  server = await startTestServer()
  client = new pg.Client({ connectionString: server.superuserUrl })
  await client.connect()
})
after(async () => {
  await client.end()
  await server.stop()
})

/** A second database with an older version's tables. The caller fills it with SQL and closes the connection. */
async function olderDatabase(name: string, before: string): Promise<{ url: string; old: pg.Client }> {
  await client.query(`create database ${name}`)
  const url = new URL(server.superuserUrl)
  url.pathname = `/${name}`
  const known = await knownMigrations()
  await migrate(url.href, { only: known.filter((file) => file < before) })
  const old = new pg.Client({ connectionString: url.href })
  await old.connect()
  return { url: url.href, old }
}

async function bodyOf(name: string): Promise<string> {
  const { rows } = await client.query<{ body: string }>(
    'select prosrc as body from pg_proc where proname = $1',
    [name],
  )
  return rows[0]?.body ?? ''
}

test('a start brings functions and triggers to the text in db/repeatable, and does nothing where they have it', async () => {
  const current = await bodyOf('keep_history')
  const old = 'begin return new; end'
  await client.query(`create or replace function keep_history() returns trigger language plpgsql as '${old}'`)
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('keep_history'), old, 'the files are the same, so nothing ran')

  await client.query("update schema_repeatable set content_hash = 'of an older version'")
  await migrate(server.superuserUrl)
  assert.equal(await bodyOf('keep_history'), current)
})

test('functions and triggers stand in db/repeatable, where their current text is found', () => {
  const folder = new URL('../../../db/migrations/', import.meta.url)
  const later = readdirSync(folder).filter((name) => name > '0028')
  const creating = later.filter((name) =>
    /create (or replace )?(function|trigger)/i.test(readFileSync(new URL(name, folder), 'utf8')),
  )
  assert.deepEqual(creating, [])
})

test('a PostgreSQL without ICU, which could not sort names, is refused in one line before anything is created', async () => {
  await client.query('create database without_icu')
  const url = new URL(server.superuserUrl)
  url.pathname = '/without_icu'
  const other = new pg.Client({ connectionString: url.href })
  await other.connect()
  try {
    await other.query('drop collation pg_catalog."und-x-icu"')
    await assert.rejects(
      migrate(url.href),
      /^Error: This PostgreSQL was built without ICU, .*hosted services/,
    )
    const { rowCount } = await other.query("select from pg_tables where tablename = 'schema_migrations'")
    assert.equal(rowCount, 0)
  } finally {
    await other.end()
  }
})

test('everything that the version before kept belongs to a workspace with the same id, and no total changes', async () => {
  const { url, old } = await olderDatabase('before_workspaces', '0028')
  try {
    await old.query(BEFORE_WORKSPACES)
    const totals = async (owner: string, side = owner) =>
      (
        await old.query(
          `select (select count(*)::int from students) as students, (select count(*)::int from session_history) as entries,
          (select string_agg(o || ' ' || cents, ', ' order by o)
              from (select ${side}::text as o, sum(total_cents) as cents from sessions group by 1) s) as sessions,
          (select string_agg(o || ' ' || cents, ', ' order by o)
              from (select ${side}::text as o, sum(amount_cents) as cents from payments group by 1) p) as payments,
          (select array_agg(seq || encode(hash, 'hex') order by session_id, seq) from session_history) as hashes`,
        )
      ).rows[0]
    const before = await totals('owner_id')
    assert.equal(before.entries, 2)
    const urls = await migrate(url)
    assert.deepEqual(await totals('workspace_id', 'coalesce(family_id, practice_id)'), before)
    const { rows } = await old.query(
      `select email, kind, m.role, owner_name, currency from users u join members m on m.account_id = u.id
        join workspaces w on w.id = m.workspace_id and w.id = u.id order by email`,
    )
    assert.deepEqual(rows, [
      { email: 'family@example.com', kind: 'family', role: 'owner', owner_name: 'family', currency: 'EUR' },
      { email: 'tutor@example.com', kind: 'practice', role: 'owner', owner_name: 'tutor', currency: 'USD' },
    ])
    const db = openDb(urls, 2)
    const accountId = '00000000-0000-4000-8000-000000000001'
    const member = { accountId, workspace: { id: accountId as WorkspaceId, kind: 'family' as const } }
    try {
      const own = await db.asMember(member, (tx) => tx.selectFrom('sessions').select('total_cents').execute())
      assert.deepEqual(own, [{ total_cents: 6750 }])
    } finally {
      await db.close()
    }
  } finally {
    await old.end()
  }
})

test('payments from before there were two sides stay with whoever recorded them, and no total changes', async () => {
  const { url, old } = await olderDatabase('before_shared_payments', '0036')
  try {
    await old.query(BEFORE_SHARED_PAYMENTS)
    const urls = await migrate(url)
    const { rows } = await old.query<Record<string, string | number | boolean | null>>(
      `select right(p.id::text, 2) as id, family_id is not null as ours, coalesce(family_id, practice_id) as side,
        connection_id, amount_cents, currency,
        coalesce(family_word, '-') || ' ' || coalesce(practice_word, '-') as words,
        is_confirmed, n.text, p.version from payments p left join payment_notes n on n.payment_id = p.id
          and n.workspace_id in (p.family_id, p.practice_id) order by p.id, family_id`,
    )
    assert.deepEqual(
      rows.map((row) =>
        [
          row.id,
          row.side === uuid(1) ? 'family' : 'practice',
          row.amount_cents,
          row.currency,
          row.words,
          row.text,
        ].join(' '),
      ),
      [
        '01 family 5000 EUR confirmed - by hand',
        '01 practice 5000 USD - confirmed ',
        '02 family 2000 EUR confirmed - ',
        '03 family 9000 EUR confirmed - ',
        '04 practice 700 USD - confirmed ',
      ],
    )
    assert.ok(
      rows.every((row) => row.connection_id === null && row.is_confirmed === false && row.version === 3),
    )
    const db = openDb(urls, 2)
    const accountsOf = async (number: number, kind: 'family' | 'practice') => {
      const member = { accountId: uuid(number), workspace: { id: uuid(number) as WorkspaceId, kind } }
      const ledgers = await db.readAsMember(member, (tx) =>
        readLedgers(
          tx,
          member.workspace.id,
          kind === 'family' ? 'tutor' : 'student',
          '2026-12-31' as CalendarDay,
        ),
      )
      return ledgers
        .filter(({ lines }) => lines.length > 0)
        .map((one) => [one.name, one.connection_id && 'shared', one.currency, one.lines.at(-1)?.balance])
    }
    try {
      // Ingrid is connected. Payments to her appear separately from what both sides agree on, and the total
      // doesn't change. Sam isn't connected.
      assert.deepEqual(await accountsOf(1, 'family'), [
        ['Ingrid', 'shared', 'EUR', 6750],
        ['Ingrid', null, 'EUR', -5000],
        ['Sam', null, 'EUR', 6000 - 2000 + 9000],
      ])
      assert.deepEqual(await accountsOf(2, 'practice'), [
        ["Maya's family", 'shared', 'EUR', 6750],
        ['Maya', null, 'USD', -5000],
        ['Theo', null, 'USD', 4000 - 700],
      ])
    } finally {
      await db.close()
    }
  } finally {
    await old.end()
  }
})

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const numberOf = (id: string | null) => id && (id.startsWith('00000000-') ? Number(id.slice(-6)) : 'new')

test('a log of two sides is migrated completely: each lesson becomes one row, and every changed total is listed', async () => {
  const { url, old } = await olderDatabase('before_two_sides', '0030')
  try {
    await fillTwoLogs(old)
    const forced = async () =>
      (
        await old.query(
          "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relforcerowsecurity order by 1",
        )
      ).rows
    const [unforced, totals] = [await forced(), await totalsBefore(old)]
    const hashes = await hashesOf(old)
    const codes = await signMonths(old)

    const backup = join(server.dataDir, 'before-two-sides.gz')
    await writeBackup(url, backup, new Date())

    const urls = await migrate(url)
    assert.deepEqual(await forced(), unforced)
    const { rows: sessions } = await old.query<Record<string, string | null>>(
      `select id, family_id, child_id, practice_id, student_id, connection_id, family_says, practice_says, is_verified from (select *,
        case when family_word_version = facts_version then family_word end as family_says, case
          when practice_word_version = facts_version then practice_word end as practice_says from sessions) s
          order by id, family_id`,
    )
    const told = ['family_id', 'child_id', 'practice_id', 'student_id', 'connection_id']
    assert.deepEqual(
      sessions.map((row) =>
        [
          ...[row.id, ...told.map((name) => row[name])].map((id) => numberOf(id ?? null) ?? '-'),
          row.family_says ?? '-',
          row.practice_says ?? '-',
        ].join(' '),
      ),
      AFTER_TWO_SIDES,
    )

    const { rows: differences } = await old.query<Difference>(
      `select workspace_id, month, session_id, currency, reason, before_cents, after_cents from migration_differences
        order by workspace_id, month, session_id, currency`,
    )
    assert.deepEqual(
      differences.map((row) =>
        [
          numberOf(row.workspace_id),
          row.month,
          numberOf(row.session_id),
          row.reason,
          row.before_cents,
          row.after_cents,
          row.currency,
        ].join(' '),
      ),
      DIFFERENCES,
    )
    for (const row of differences) {
      const place = `${row.workspace_id} ${row.month} ${row.currency}`
      totals.set(place, (totals.get(place) ?? 0) + row.after_cents - row.before_cents)
    }
    assert.deepEqual(await totalsAfter(old), withoutZero(totals))

    const { rows: pairs } = await old.query<{ family: string; practice: string }>(
      'select f.id as family, p.id as practice from session_pairs x join sessions f on f.key = family_key join sessions p on p.key = practice_key order by 1',
    )
    assert.deepEqual(
      pairs.map(({ family, practice }) => [numberOf(family), numberOf(practice)]),
      [
        [1006, 2006],
        [1009, 2009],
        [1010, 2011],
        [1020, 2020],
        [1024, 2024],
        [1037, 1037],
      ],
    )
    const { rows: notes } = await old.query(
      "select right(workspace_id::text, 2) || ' ' || right(session_id::text, 4) || ' ' || text as note from session_notes order by 1",
    )
    assert.deepEqual(
      notes.map(({ note }) => note),
      ['01 1004 a only', '01 1005 a of both', '11 1005 p of both', '11 2006 p kept apart'],
    )
    const { rows: words } = await old.query(
      `select id, practice_word_note, family_reply, family_reply_at > practice_word_at as is_answered, practice_took_part
        from sessions where practice_word_note is not null or family_reply is not null order by id`,
    )
    assert.deepEqual(
      words.map((row) => [
        numberOf(row.id),
        row.practice_word_note,
        row.family_reply,
        row.is_answered,
        row.practice_took_part,
      ]),
      [
        [1002, 'It was 45', null, null, true],
        [1003, 'Really?', 'Yes, really', true, false],
        [1036, 'Not yet', null, null, true],
      ],
    )
    const { rows: classes } = await old.query(
      'select family_schedule_id, practice_schedule_id, family_class_day = practice_class_day as is_same from sessions where family_schedule_id is not null',
    )
    assert.deepEqual(classes, [
      { family_schedule_id: uuid(401), practice_schedule_id: uuid(411), is_same: true },
    ])
    const { rows: closed } = await old.query(
      `select id, family_closed_at is not null as family, practice_closed_at is not null as practice from connections
        where family_closed_at is not null or practice_closed_at is not null order by id`,
    )
    assert.deepEqual(closed, [
      { id: uuid(506), family: true, practice: false },
      { id: uuid(507), family: false, practice: true },
    ])

    const kept = await hashesOf(old)
    assert.deepEqual(
      [...hashes].filter((hash) => !kept.has(hash)),
      [],
    )
    const db = openDb(urls, 2)
    try {
      const { broken, sessions: chains } = await verifyHistory(db)
      assert.deepEqual([broken, chains], [undefined, sessions.length + 1])
      for (const { code, isCurrent } of codes)
        assert.equal((await db.asSystem((tx) => checkCode(tx, code)))?.isCurrent, isCurrent, code)
    } finally {
      await db.close()
    }

    // Restoring a backup made by the previous version gives the same result.
    const again = await olderDatabase('restored_before_two_sides', '0030')
    await loadBackup(again.url, backup)
    await migrate(again.url)
    const contents = async (of: pg.Client) =>
      (
        await of.query(
          `select (select json_agg(s order by id)
              from (select id, family_id, practice_id, connection_id, is_verified, is_disputed, version, updated_at
              from sessions) s) as sessions,
            (select json_agg(d order by d.session_id, d.workspace_id) from migration_differences d) as differences,
            (select json_agg(h order by h.hash) from (select hash, side, hashed_text from session_history where action <> 'merged') h) as history`,
        )
      ).rows
    assert.deepEqual(await contents(again.old), await contents(old))
    await again.old.end()
  } finally {
    await old.end()
  }
})

interface Difference {
  workspace_id: string
  month: string
  session_id: string
  currency: string
  reason: string
  before_cents: number
  after_cents: number
}

/** Session, family, child, practice, student, connection, and each side's confirmation. "-" means none. */
const AFTER_TWO_SIDES = `
  1001 1 101 11 301 501 confirmed confirmed
  1002 1 101 11 301 501 confirmed disputed
  1003 1 101 11 301 501 confirmed disputed
  1004 1 101 11 301 501 confirmed -
  1005 1 101 11 301 501 confirmed confirmed
  1006 1 101 - - - confirmed -
  1007 1 101 11 301 501 confirmed confirmed
  1008 1 101 11 301 501 confirmed confirmed
  1009 1 101 - - - confirmed -
  1010 1 101 - - - confirmed -
  1011 1 101 11 301 501 confirmed confirmed
  1012 1 102 11 302 501 confirmed confirmed
  1013 1 103 11 new 501 confirmed -
  1014 1 - 11 - 501 confirmed -
  1016 1 104 11 new 501 confirmed -
  1017 1 101 - - - confirmed confirmed
  1018 1 101 11 301 501 confirmed confirmed
  1020 1 101 - - - confirmed -
  1024 1 101 - - - confirmed -
  1025 1 101 12 321 502 confirmed -
  1027 2 111 - - - confirmed confirmed
  1028 2 111 - - 504 confirmed confirmed
  1029 2 111 - - 505 confirmed -
  1030 2 111 - - - confirmed -
  1031 3 121 - - - confirmed -
  1033 4 131 11 new 506 confirmed -
  1034 4 131 - - - confirmed -
  1036 1 101 11 301 501 confirmed disputed
  1037 1 101 - - - confirmed -
  1037 - - 11 304 - - confirmed
  2006 - - 11 301 - - confirmed
  2009 - - 11 301 - - confirmed
  2011 - - 11 301 - - confirmed
  2019 - - 11 301 - - confirmed
  2020 - - 11 301 - - confirmed
  2021 1 101 11 301 501 - confirmed
  2022 - - 11 301 - - confirmed
  2023 1 101 11 301 501 - confirmed
  2024 - - 12 321 - - confirmed
  2026 - - 12 321 - - confirmed
  2027 - - 11 303 - confirmed confirmed
  2032 - - 11 304 - - confirmed
  2035 - - 13 322 - - confirmed`
  .trim()
  .split(/\n +/)
/** Workspace, month, session, reason, amounts before and after, and currency. */
const DIFFERENCES = `
  1 2026-08 1020 kept apart 4000 4000 EUR
  1 2026-10 1002 sent back 4000 0 EUR
  1 2026-10 1003 sent back 4000 0 EUR
  1 2026-10 1006 kept apart 4000 4000 EUR
  1 2026-10 1007 merged 4000 4000 EUR
  1 2026-10 1009 kept apart 4000 4000 EUR
  1 2026-10 1010 kept apart 4000 4000 EUR
  1 2026-10 1024 kept apart 4000 4000 EUR
  1 2026-10 1036 sent back 4000 0 EUR
  1 2026-10 1037 kept apart 4000 4000 EUR
  1 2026-10 2021 gained 0 4000 EUR
  1 2026-10 2023 gained 0 4000 EUR
  11 2026-08 2020 kept apart 4000 4000 EUR
  11 2026-10 1001 gained 0 4000 EUR
  11 2026-10 1002 gained 0 0 EUR
  11 2026-10 1003 gained 0 0 EUR
  11 2026-10 1004 gained 0 4000 EUR
  11 2026-10 1007 merged 6000 4000 EUR
  11 2026-10 1013 gained 0 4000 EUR
  11 2026-10 1014 gained 0 4000 EUR
  11 2026-10 1016 gained 0 4000 EUR
  11 2026-10 1033 gained 0 4000 USD
  11 2026-10 1036 sent back 4000 0 EUR
  11 2026-10 1037 kept apart 4000 4000 EUR
  11 2026-10 2006 kept apart 6000 6000 EUR
  11 2026-10 2009 kept apart 8000 8000 EUR
  11 2026-10 2011 kept apart 3000 3000 EUR
  12 2026-10 1025 gained 0 4000 EUR
  12 2026-10 2024 kept apart 4000 4000 USD`
  .trim()
  .split(/\n +/)

type Totals = Map<string, number>
const withoutZero = (totals: Totals): Totals => new Map([...totals].filter(([, cents]) => cents !== 0))

async function totalsOf(old: pg.Client, text: string): Promise<Totals> {
  const { rows } = await old.query<{ place: string; cents: number }>(
    `select workspace || ' ' || to_char(day, 'YYYY-MM') || ' ' || currency as place, sum(total_cents)::int as cents from (${text}) x group by 1 order by 1`,
  )
  return new Map(rows.flatMap(({ place, cents }) => (cents ? [[place, cents]] : [])))
}
const totalsBefore = (old: pg.Client) =>
  totalsOf(
    old,
    'select w.id as workspace, s.day, w.currency, s.total_cents from sessions s join workspaces w on w.id = s.workspace_id',
  )
const totalsAfter = (old: pg.Client) =>
  totalsOf(
    old,
    `select side as workspace, day, currency, total_cents from sessions s
      cross join unnest(array[s.family_id, s.practice_id]) side where side is not null and not is_disputed`,
  )
const hashesOf = async (old: pg.Client) =>
  new Set(
    (await old.query<{ hash: string }>("select encode(hash, 'hex') as hash from session_history")).rows.map(
      ({ hash }) => hash,
    ),
  )

/**
 * Signs off two months: September, which stays unchanged, and August, in which a confirmation is later
 * withdrawn.
 */
async function signMonths(old: pg.Client): Promise<{ code: string; isCurrent: boolean }[]> {
  const { rows } = await old.query<SignedLine>(
    `select s.id as session_id, s.day::text, s.minutes, coalesce(s.rate_override_cents, s.tutor_rate_cents) as rate_cents, s.total_cents,
      to_char(first.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as logged_at,
        to_char(word.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at, encode(word.hash, 'hex') as confirmed_entry
    from sessions s join session_history first on first.workspace_id = s.workspace_id and first.session_id = s.id and first.seq = 1
      join session_history word on word.workspace_id = s.workspace_id and word.session_id = s.id and word.action in ('confirmed', 'accepted')
    where s.workspace_id = '${uuid(1)}' and s.tutor_id = '${uuid(201)}' and s.day < '2026-10-01'`,
  )
  const codes = [
    { month: '2026-09', code: 'SEPTEMBER9', isCurrent: true },
    { month: '2026-08', code: 'AVGVST0008', isCurrent: false },
  ]
  for (const { month, code } of codes) {
    const lines = rows.filter(({ day }) => day.startsWith(month))
    assert.ok(lines.length > 0)
    const hash = createHash('sha256')
      .update(signedText(month, uuid(201), lines))
      .digest()
    await old.query(
      'insert into sign_offs (workspace_id, tutor_id, month, code, content_hash, signed_at) values ($1, $2, $3, $4, $5, now())',
      [uuid(1), uuid(201), month, code, hash],
    )
  }
  return codes
}

interface Before {
  /** Workspace, tutor and student numbers. */
  of: [number, number | null, number | null]
  /** The session's id, if it differs from the key in SESSIONS. */
  id?: number
  day: string
  minutes?: number
  rate?: number
  notes?: string
  takenOver?: number
  isVerified?: boolean
  /** The tutor's note when sending the session back, and the family's reply. */
  sentBack?: string
  answer?: string
  schedule?: number
  /** The history entries after the first: side, action and note. */
  told?: [string, string, string?][]
}

const CONFIRMED: Pick<Before, 'isVerified' | 'told'> = { isVerified: true, told: [['tutor', 'confirmed']] }

/**
 * Families 1 to 4 and practices 11 to 13. Family 4 and practice 13 are being deleted. Family session ids
 * start at 1000, practice session ids at 2000.
 */
const SESSIONS: Record<number, Before> = {
  1001: { of: [1, 201, 101], day: '2026-10-01', ...CONFIRMED },
  1002: {
    of: [1, 201, 101],
    day: '2026-10-02',
    sentBack: 'It was 45',
    told: [
      ['tutor', 'confirmed'],
      ['tutor', 'withdrawn'],
      ['tutor', 'disputed', 'It was 45'],
    ],
  },
  1003: {
    of: [1, 201, 101],
    day: '2026-10-03',
    sentBack: 'Really?',
    answer: 'Yes, really',
    told: [
      ['tutor', 'disputed', 'Really?'],
      ['owner', 'answered', 'Yes, really'],
    ],
  },
  1004: { of: [1, 201, 101], day: '2026-10-04', notes: 'a only' },
  // One pair has identical facts; the other has different durations.
  1005: { of: [1, 201, 101], day: '2026-10-05', notes: 'a of both', schedule: 401 },
  2005: { of: [11, 311, 301], day: '2026-10-05', notes: 'p of both', schedule: 411 },
  1006: { of: [1, 201, 101], day: '2026-10-06' },
  2006: { of: [11, 311, 301], day: '2026-10-06', minutes: 90, notes: 'p kept apart' },
  // The tutor confirmed the session but logged a longer duration.
  1007: { of: [1, 201, 101], day: '2026-10-07', ...CONFIRMED },
  2007: { of: [11, 311, 301], day: '2026-10-07', minutes: 90 },
  // The family copied both sessions from the tutor and corrected one of them.
  1008: {
    of: [1, 201, 101],
    day: '2026-10-08',
    takenOver: 2008,
    isVerified: true,
    told: [['owner', 'accepted']],
  },
  2008: { of: [11, 311, 301], day: '2026-10-08' },
  1009: { of: [1, 201, 101], day: '2026-10-09', takenOver: 2009 },
  2009: { of: [11, 311, 301], day: '2026-10-09', minutes: 120 },
  // Two sessions on the same day. Each is paired at most once, with the one closest in duration.
  1010: { of: [1, 201, 101], day: '2026-10-10', minutes: 60 },
  1011: { of: [1, 201, 101], day: '2026-10-10', minutes: 90 },
  2010: { of: [11, 311, 301], day: '2026-10-10', minutes: 90 },
  2011: { of: [11, 311, 301], day: '2026-10-10', minutes: 45 },
  // Two children have the same first name. The family copied a lesson for one of them.
  1012: {
    of: [1, 201, 102],
    day: '2026-10-12',
    takenOver: 2012,
    isVerified: true,
    told: [['owner', 'accepted']],
  },
  2012: { of: [11, 311, 302], day: '2026-10-12' },
  1013: { of: [1, 201, 103], day: '2026-10-13' },
  // A session whose child was deleted, and one whose tutor was deleted.
  1014: { of: [1, 201, null], day: '2026-10-14' },
  1017: { of: [1, null, 101], day: '2026-10-17', ...CONFIRMED },
  // The child is archived.
  1016: { of: [1, 201, 104], day: '2026-10-16' },
  // September was signed off. So was August, before a confirmation was withdrawn.
  1018: { of: [1, 201, 101], day: '2026-09-18', ...CONFIRMED },
  2018: { of: [11, 311, 301], day: '2026-09-18' },
  2019: { of: [11, 311, 301], day: '2026-09-19' },
  1020: {
    of: [1, 201, 101],
    day: '2026-08-20',
    told: [
      ['tutor', 'confirmed'],
      ['tutor', 'withdrawn'],
    ],
  },
  2020: { of: [11, 311, 301], day: '2026-08-20' },
  // Proposed sessions: one still open, one declined, and one declined before the tutor changed it.
  2021: { of: [11, 311, 301], day: '2026-10-21' },
  2022: { of: [11, 311, 301], day: '2026-10-22' },
  2023: { of: [11, 311, 301], day: '2026-10-23' },
  // The practice uses a different currency.
  1024: { of: [1, 202, 101], day: '2026-10-24' },
  2024: { of: [12, 331, 321], day: '2026-10-24' },
  1025: { of: [1, 202, 101], day: '2026-10-25' },
  2026: { of: [12, 331, 321], day: '2026-10-26' },
  // Sent back by a tutor who had logged identical facts. The note is kept.
  1036: {
    of: [1, 201, 101],
    day: '2026-10-28',
    sentBack: 'Not yet',
    told: [['tutor', 'disputed', 'Not yet']],
  },
  2036: { of: [11, 311, 301], day: '2026-10-28' },
  // Two rows share an id.
  1037: { of: [1, 201, 101], day: '2026-10-29' },
  2037: { id: 1037, of: [11, 311, 304], day: '2026-10-30' },
  // Connections that have ended, are email-only, are still pending, or were declined.
  1027: {
    of: [2, 211, 111],
    day: '2026-10-05',
    takenOver: 2027,
    isVerified: true,
    told: [['owner', 'accepted']],
  },
  2027: { of: [11, 311, 303], day: '2026-10-05' },
  1028: { of: [2, 212, 111], day: '2026-10-06', ...CONFIRMED },
  1029: { of: [2, 213, 111], day: '2026-10-07' },
  1030: { of: [2, 214, 111], day: '2026-10-08' },
  // A family without connections, and a student who's only in the tutor's records.
  1031: { of: [3, 221, 121], day: '2026-10-05' },
  2032: { of: [11, 311, 304], day: '2026-10-05' },
  // One account on each side is in its grace period.
  1033: { of: [4, 231, 131], day: '2026-10-05' },
  1034: { of: [4, 231, 131], day: '2026-10-25' },
  2035: { of: [13, 341, 322], day: '2026-10-05' },
}

async function fillTwoLogs(old: pg.Client): Promise<void> {
  await old.query(PEOPLE)
  for (const [id, session] of Object.entries(SESSIONS))
    await insertBefore(old, session.id ?? Number(id), session)
  await old.query(`select pg_temp.tell('${uuid(1)}', '${uuid(1001)}', 'owner', 'changed', null)`)
  // This session was logged, then deleted.
  await insertBefore(old, 1099, { of: [1, 201, 101], day: '2026-10-30', told: [['owner', 'deleted']] })
  await old.query(`delete from sessions where id = '${uuid(1099)}'; update sessions set version = 3 where id = '${uuid(2023)}';
    insert into declined_proposals (workspace_id, proposed_id, version) values ('${uuid(1)}', '${uuid(2022)}', 1), ('${uuid(1)}', '${uuid(2023)}', 1);
    set session_replication_role = default`)
}

async function insertBefore(old: pg.Client, id: number, session: Before): Promise<void> {
  const {
    of,
    day,
    minutes = 60,
    rate = 4000,
    notes,
    takenOver,
    isVerified,
    sentBack,
    answer,
    schedule,
  } = session
  const [workspace, tutor, student] = of.map((number) => number && uuid(number))
  await old.query(
    `insert into sessions (workspace_id, id, tutor_id, student_id, day, minutes, tutor_rate_cents, notes, proposed_id,
        verified_by_tutor, status, dispute_note, answer_note, schedule_id, occurrence_day)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      workspace,
      uuid(id),
      tutor,
      student,
      day,
      minutes,
      rate,
      notes,
      takenOver && uuid(takenOver),
      isVerified ?? false,
      sentBack && !answer ? 'disputed' : 'completed',
      sentBack,
      answer,
      schedule && uuid(schedule),
      schedule && day,
    ],
  )
  for (const [side, action, note] of [['owner', 'logged'], ...(session.told ?? [])])
    await old.query('select pg_temp.tell($1, $2, $3, $4, $5)', [workspace, uuid(id), side, action, note])
}

/** The rows that the sessions refer to. Triggers and foreign keys are off while they're loaded. */
const PEOPLE = `
  set session_replication_role = replica;
  create function pg_temp.id(number integer) returns uuid language sql as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
  create function pg_temp.tell(w uuid, s uuid, who text, what text, words text) returns void language plpgsql as $$
  declare entry session_history; latest record;
  begin
    select seq, hash into latest from session_history h where h.workspace_id = w and h.session_id = s order by seq desc limit 1;
    select w, s, coalesce(latest.seq, 0) + 1, clock_timestamp(), who, case when who = 'system' then null else w end, what, x.tutor_id,
      session_facts(x.student_id, x.tutor_id, x.day, x.minutes, coalesce(x.rate_override_cents, x.tutor_rate_cents), x.total_cents, x.subject,
        x.verified_by_tutor and what <> 'logged', case when what in ('logged', 'answered') then 'completed' else x.status end),
      '{}', words, coalesce(latest.hash, '\\x') into entry.workspace_id, entry.session_id, entry.seq, entry.at,
        entry.side, entry.actor_id, entry.action, entry.tutor_id, entry.facts, entry.changed, entry.note,
        entry.previous_hash
      from sessions x where x.workspace_id = w and x.id = s;
    entry.hash := sha256(convert_to(concat_ws(E'\\n', entry.workspace_id, entry.session_id, entry.seq,
        to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.side,
      coalesce(entry.actor_id::text, '-'), entry.action, coalesce(entry.tutor_id::text, '-'), entry.facts::text, array_to_string(entry.changed, ','),
      coalesce(encode(convert_to(entry.note, 'UTF8'), 'hex'), '-'), encode(entry.previous_hash, 'hex')), 'UTF8'));
    insert into session_history select entry.*;
  end $$;
  insert into users (id, email, email_key, email_confirmed_at, deletion_asked_at) select pg_temp.id(n), n || '@example.com', n || '@example.com', now(),
    case when n in (4, 13) then '2026-10-20 12:00Z'::timestamptz end from unnest(array[1, 2, 3, 4, 11, 12, 13]) n;
  insert into workspaces (id, kind, currency)
    select pg_temp.id(n), case when n < 10 then 'family' else 'practice' end, case when n in (1, 11) then 'EUR'
    else 'USD' end from unnest(array[1, 2, 3, 4, 11, 12, 13]) n;
  insert into members (workspace_id, account_id, role) select id, id, 'owner' from users;
  insert into students (workspace_id, id, name, archived_at) select pg_temp.id(w), pg_temp.id(n), name, case when n = 104 then now() end
    from (values (1, 101, 'Maya Whitfield'), (1, 102, 'Leo Whitfield'), (1, 103, 'Leo Whitfield-Rossi'),
        (1, 104, 'Ada Whitfield'), (2, 111, 'Noa'), (3, 121, 'Kim'), (4, 131, 'Iva'),
      (11, 301, 'Maya W.'), (11, 302, 'Leo'), (11, 303, 'Noa'), (11, 304, 'Zoe'), (12, 321, 'Maya'), (13, 322, 'Iva')) x (w, n, name);
  insert into tutors (workspace_id, id, name, is_self) select pg_temp.id(w), pg_temp.id(n), 'Tutor ' || n, n > 300
    from (values (1, 201), (1, 202), (2, 211), (2, 212), (2, 213), (2, 214), (3, 221), (4, 231), (4, 232), (11, 311), (12, 331), (13, 341)) x (w, n);
  insert into tutor_links (workspace_id, id, tutor_id, state, tutor_user_id, email, email_key, ended_at, ended_by, closed_at)
    select pg_temp.id(w), pg_temp.id(n), pg_temp.id(t), state, pg_temp.id(p), 'tutor@example.com',
      'tutor@example.com', case when state in ('ended', 'declined') then now() end, case
      when state = 'ended' then 'tutor' end,
      case when w = 4 then '2026-10-20 12:00Z'::timestamptz end
    from (values (1, 501, 201, 'active', 11), (1, 502, 202, 'active', 12), (2, 503, 211, 'ended', 11),
        (2, 504, 212, 'active', null), (2, 505, 213, 'asked', null), (2, 508, 214, 'declined', null),
      (4, 506, 231, 'active', 11), (1, 507, 203, 'active', 13)) x (w, n, t, state, p);
  insert into tutors (workspace_id, id, name) values (pg_temp.id(1), pg_temp.id(203), 'Tutor 203');
  insert into family_students (workspace_id, student_id, link_id) select pg_temp.id(w), pg_temp.id(n), pg_temp.id(l)
    from (values (11, 301, 501), (11, 302, 501), (12, 321, 502), (11, 303, 503)) x (w, n, l);
  insert into schedules (workspace_id, id, day_of_week, start_time, minutes, start_day)
    values (pg_temp.id(1), pg_temp.id(401), 1, '16:00', 60, '2026-09-01'),
    (pg_temp.id(11), pg_temp.id(411), 1, '16:00', 60, '2026-09-01');`

/** A connected family and practice. Each side has one person the other side doesn't have. */
const BEFORE_SHARED_PAYMENTS = `
  insert into users (id, email, email_key, email_confirmed_at)
    select ('00000000-0000-4000-8000-00000000000' || n)::uuid, n || '@example.com', n || '@example.com', now()
    from generate_series(1, 2) n;
  insert into workspaces (id, kind, currency) values ('${uuid(1)}', 'family', 'EUR'), ('${uuid(2)}', 'practice', 'USD');
  insert into members (workspace_id, account_id, role) select id, id, 'owner' from workspaces;
  insert into students (workspace_id, id, name) values ('${uuid(1)}', '${uuid(11)}', 'Maya'),
    ('${uuid(2)}', '${uuid(21)}', 'Maya'), ('${uuid(2)}', '${uuid(22)}', 'Theo');
  insert into tutors (workspace_id, id, name, is_self) values ('${uuid(1)}', '${uuid(31)}', 'Ingrid', false),
    ('${uuid(1)}', '${uuid(32)}', 'Sam', false), ('${uuid(2)}', '${uuid(33)}', 'Ingrid', true);
  insert into connections (id, family_id, tutor_id, practice_id, state) values ('${uuid(41)}', '${uuid(1)}', '${uuid(31)}', '${uuid(2)}', 'active');
  insert into connection_people (connection_id, family_id, child_id, practice_id, student_id, first_name)
    values ('${uuid(41)}', '${uuid(1)}', '${uuid(11)}', '${uuid(2)}', '${uuid(21)}', 'Maya');
  insert into sessions (connection_id, family_id, child_id, family_tutor_id, practice_id, student_id, practice_tutor_id,
      day, minutes, tutor_rate_cents, currency) values
    ('${uuid(41)}', '${uuid(1)}', '${uuid(11)}', '${uuid(31)}', '${uuid(2)}', '${uuid(21)}', '${uuid(33)}', '2026-11-02', 90, 4500, 'EUR'),
    (null, '${uuid(1)}', '${uuid(11)}', '${uuid(32)}', null, null, null, '2026-11-02', 60, 6000, 'EUR'),
    (null, null, null, null, '${uuid(2)}', '${uuid(22)}', '${uuid(33)}', '2026-11-02', 60, 4000, 'USD');
  insert into payments (workspace_id, id, tutor_id, student_id, day, kind, amount_cents, note, version) values
    ('${uuid(1)}', '${uuid(901)}', '${uuid(31)}', null, '2026-11-03', 'payment', 5000, 'by hand', 3),
    ('${uuid(1)}', '${uuid(902)}', '${uuid(32)}', '${uuid(11)}', '2026-11-03', 'payment', 2000, null, 3),
    ('${uuid(1)}', '${uuid(903)}', '${uuid(32)}', null, '2026-10-01', 'opening', 9000, '', 3),
    ('${uuid(2)}', '${uuid(901)}', '${uuid(33)}', '${uuid(21)}', '2026-11-03', 'payment', 5000, null, 3),
    ('${uuid(2)}', '${uuid(904)}', '${uuid(33)}', '${uuid(22)}', '2026-11-03', 'payment', 700, null, 3);`
/** A connected family and tutor, each with one session, plus a payment and a sign-up without a role. */
const BEFORE_WORKSPACES = `
  insert into users (id, email, email_key, email_confirmed_at) values
    ('00000000-0000-4000-8000-000000000001', 'family@example.com', 'family@example.com', now()),
    ('00000000-0000-4000-8000-000000000002', 'tutor@example.com', 'tutor@example.com', now()),
    ('00000000-0000-4000-8000-000000000003', 'nobody@example.com', 'nobody@example.com', now());
  insert into profiles (user_id, full_name, currency) select id, split_part(email, '@', 1), case when email like 'family%' then 'EUR' else 'USD' end from users;
  insert into user_roles (user_id, role) values ('00000000-0000-4000-8000-000000000001', 'parent'), ('00000000-0000-4000-8000-000000000002', 'tutor');
  insert into students (owner_id, id, name) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', 'Maya Whitfield'),
    ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-00000000000b', 'Maya');
  insert into tutors (owner_id, id, name) values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000c', 'Ingrid');
  insert into sessions (owner_id, student_id, tutor_id, day, minutes, tutor_rate_cents) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000c', '2026-11-02', 90, 4500),
    ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-00000000000b', null, '2026-11-02', 90, 4500);
  insert into payments (owner_id, tutor_id, day, amount_cents)
    values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000c', '2026-11-03', 5000);
  insert into tutor_links (owner_id, tutor_id, state, tutor_user_id) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000c', 'active', '00000000-0000-4000-8000-000000000002');
  insert into family_students (owner_id, student_id, link_id) select '00000000-0000-4000-8000-000000000002',
    '00000000-0000-4000-8000-00000000000b', id from tutor_links;
  insert into calendar_feeds (owner_id, token_hash) values ('00000000-0000-4000-8000-000000000001', '\\x01');`
