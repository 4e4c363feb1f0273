// Rules for every table. A new table that breaks a rule fails this test.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer, withTestRoles } from './testing.server.ts'

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

const rows = async (text: string) => (await client.query<Record<string, unknown>>(withTestRoles(text))).rows
/** Tables that only one workspace's members edit. Each row belongs to a workspace. */
const OWNED = [
  'students',
  'tutors',
  'prices',
  'calendar_feeds',
  'learned_names',
  'payment_ways',
  'papers',
  'family_papers',
]
/** Tables that both sides share. Each row belongs to two workspaces, or has their connection in its key. */
const SHARED: Record<string, string> = {
  sessions: 'PRIMARY KEY (key)',
  payments: 'PRIMARY KEY (key)',
  charges: 'PRIMARY KEY (key)',
  terms: 'PRIMARY KEY (key)',
  schedules: 'PRIMARY KEY (key)',
  schedule_changes: 'PRIMARY KEY (key)',
  history: 'PRIMARY KEY (kind, entry_key, chain, seq)',
  connections: 'PRIMARY KEY (id)',
  connection_people: 'PRIMARY KEY (connection_id, id)',
  session_pairs: 'PRIMARY KEY (connection_id, id)',
  closed_months: 'PRIMARY KEY (connection_id, id)',
  link_tokens: 'PRIMARY KEY (id)',
  handed_links: 'PRIMARY KEY (workspace_id, id)',
}
/** The database roles the server uses: a member of either side, an emailed link, and the system. */
const ROLES = [
  'tutorlog_app',
  'tutorlog_family',
  'tutorlog_caregiver',
  'tutorlog_practice',
  'tutorlog_link',
  'tutorlog_family_link',
  'tutorlog_system',
  'tutorlog_server',
]
const ANY_ROLE = ROLES.map((role) => `'${role}'`).join()

test('T13: every table has row-level security, forced, and a policy', async () => {
  const unsafe =
    await rows(`select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = c.oid))`)
  assert.deepEqual(unsafe, [])
})

test('T13: the serving roles are no superusers, own no table and cannot pass row-level security', async () => {
  assert.deepEqual(
    await rows(
      `select rolname from pg_roles where rolname in (${ANY_ROLE}) and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`,
    ),
    [],
  )
  assert.deepEqual(
    await rows(
      "select tablename from pg_tables where schemaname = 'public' and tableowner <> 'tutorlog_owner'",
    ),
    [],
  )
})

test('T13: no role may update or insert whole rows: every write grant names its columns', async () => {
  assert.deepEqual(
    await rows(`select table_name, grantee, privilege_type from information_schema.table_privileges
    where table_schema = 'public' and grantee in (${ANY_ROLE}, 'PUBLIC') and privilege_type in ('INSERT', 'UPDATE', 'TRUNCATE')`),
    [],
  )
})

/**
 * SECURITY DEFINER functions and the roles that may call them. Nobody calls trigger functions directly. The
 * list is explicit because these functions can read more than their callers can.
 */
const DEFINERS: Record<string, string> = {
  // The caller's identity, and the workspace or connection of the request.
  'app_address()': 'app',
  'app_open_family_link()': 'family_link',
  'app_open_link()': 'link',
  'app_role()': 'app',
  'app_students()': 'app',
  'app_tutors()': 'app',
  'app_workspace()': 'app family_link link system',
  // Actions that either side can take on shared rows. Each function first checks that the caller belongs to
  // one of the connection's sides.
  'answer_pair(uuid,uuid,boolean)': 'family practice',
  'arriving_sessions(uuid)': 'practice',
  'asking_practice(uuid)': 'family',
  'connection_payment_ways(uuid)': 'family family_link',
  'has_own_amounts()': 'family practice',
  'is_class_logged(uuid,date)': 'caregiver family practice',
  'close_month(uuid,text,jsonb,bytea,text,timestamp with time zone,text,text,bytea)':
    'family family_link link practice',
  'hold_session(uuid)': 'caregiver family family_link link practice',
  'hold_sharing()': 'caregiver family family_link link practice',
  'count_again(bigint)': 'family practice',
  'day_of_terms(uuid,timestamp with time zone)': 'caregiver family practice',
  'terms_without_amounts()': 'caregiver',
  'invite_students(uuid,uuid[])': 'practice',
  'invited_address(uuid)': 'practice',
  'keep_terms_facts()': '',
  'leave_entry(text,bigint,timestamp with time zone)': 'family practice',
  'end_schedule(uuid,date)': 'family practice',
  'answer_ending(uuid,boolean)': 'family practice',
  'answer_schedule_offer(uuid,integer,boolean,date)': 'family practice',
  'keep_schedule_apart(uuid)': 'family practice',
  'list_schedule_offers(date)': 'caregiver family practice',
  'offer_schedule(uuid,integer,date)': 'family practice',
  'part_schedules_of(uuid)': 'family practice',
  'list_pairs(uuid)': 'family practice',
  'missed_class(uuid,date)': 'caregiver family practice',
  'follow_outcome(uuid,date,integer,text,boolean)': 'caregiver family practice',
  'waive_charge(bigint)': 'family practice',
  'changed_class(uuid,date)': '',
  'keep_paper()': '',
  'number_paper()': '',
  'void_both()': '',
  'move_paper_details()': '',
  'tell_of_paper(family_papers,connections,text,text)': '',
  'allowed_provider(uuid)': 'family',
  'issue_family_paper(uuid,jsonb,jsonb,timestamp with time zone)': 'family',
  'allow_papers(uuid,boolean,jsonb,timestamp with time zone)': 'link practice',
  'keep_waived()': '',
  'keep_waived_of(charges)': '',
  'follow_class(charges,text)': '',
  'follow_taught()': '',
  'time_kept(sessions,integer)': '',
  'lock_connection(uuid)': 'family family_link link practice',
  'lock_connection_with(uuid)': 'family practice',
  'match_child(uuid,uuid,uuid)': 'practice',
  'match_student(uuid,uuid,uuid)': 'family',
  'read_month(uuid,text,boolean)': 'family family_link link practice',
  'reopen_month(uuid,text,text,timestamp with time zone)': 'family family_link link practice',
  'take_over_terms(connections)': '',
  // A job proposes the fees that both sides agreed on.
  'is_covered_by_fee(uuid,date)': 'caregiver family practice',
  'propose_fee(uuid,text,date,integer,text)': 'system',
  'held_places(timestamp with time zone)': 'system',
  'tell_of_ways(timestamp with time zone)': 'practice system',
  'withdraw_month(uuid,text)': 'family family_link link practice',
  'other_owner(uuid)': 'family family_link link practice',
  'payment_connection(uuid,uuid,uuid,date)': 'family practice',
  'shared_terms(terms,uuid)': '',
  'signed_in(bytea,timestamp with time zone,uuid)': 'server system',
  'share_own_payment(bigint)': 'family practice',
  'share_own_charge(bigint)': 'family practice',
  'share_sessions(uuid)': 'family practice',
  'closed_classes(text,text)': 'caregiver family practice',
  'shared_connection(uuid,uuid,uuid)': 'caregiver family practice',
  'pair_held(uuid[],uuid[])': 'caregiver family practice',
  'student_families()': 'caregiver family practice',
  'unpaired_sessions(uuid[])': 'caregiver family practice',
  // Locking a connection that a job is about to end.
  'lock_sides(uuid)': 'system',
  // Verifying history and closed months, and handing over workspaces.
  'current_facts(text,bigint)': 'system',
  'is_month_current(closed_months)': 'system',
  // Signing pages that were closed before pages were signed.
  'sign_earlier_page(text,text,text,bytea)': 'system',
  'hand_over(uuid,uuid,timestamp with time zone)': 'system',
  'is_on_both_sides(uuid,text)': 'system',
  'heir_of(uuid)': 'system',
  // Internal helpers that the other functions and the triggers call.
  'is_parted_from(uuid,connections)': '',
  'release_held()': '',
  'settle_terms()': '',
  'share_held(connections,bigint)': '',
  'add_history(anyelement,text,text,text[],text)': '',
  'merge_history(text,bigint,bigint)': '',
  'share_history(anyelement)': '',
  'ask_connected()': '',
  'change_membership()': '',
  'classes_changed()': '',
  'close_account()': '',
  'close_connections(uuid)': '',
  'close_new_connection()': '',
  'connected_child(connections,uuid)': '',
  'end_earlier_terms()': '',
  'erase_workspace(uuid)': '',
  'forget_notes()': '',
  'graphile_worker.queue_mail()': '',
  'keep_answer_of_family()': '',
  'keep_answer_of_practice()': '',
  'keep_money_facts()': '',
  'keep_session_facts()': '',
  'name_workspaces()': '',
  'is_copied(sessions,uuid)': '',
  'is_for_another(text,text,text)': '',
  'keep_classes()': '',
  'keep_months()': '',
  'keep_sides_apart()': '',
  'is_reached_at(uuid,text)': '',
  'month_side(uuid)': '',
  'own_connection(uuid)': '',
  'owner_closed_at(uuid)': '',
  'lock_month(uuid,text)': '',
  // The time zone that documents are dated in.
  'owner_time_zone(uuid)': 'system',
  'owner_region(uuid)': 'system',
  'page_time_zone(uuid,uuid)': 'family family_link link practice',
  'can_pair(sessions,connections)': '',
  'can_share(sessions,connections)': '',
  'pair_sessions(connections,bigint)': '',
  'raise_version()': '',
  'release_row(connections,bigint)': '',
  'unpair_session()': '',
  'part_from_tutor()': '',
  'part_sides()': '',
  'reader_of(bytea,timestamp with time zone,uuid,text[])': 'server',
  'record_history_of_family()': '',
  'record_history_of_practice()': '',
  'notify_sides()': '',
  'relabel_amounts()': '',
  'currency_of(uuid)': '',
  'is_on_closed_page(uuid,uuid,date)': '',
  'rename_child()': '',
  'share_session(text,sessions,uuid,uuid)': '',
  'shared_money(charges,uuid)': '',
  'shared_money(payments,uuid)': '',
  'split_rows(anyarray)': '',
  'stays_in_currency(jsonb,text)': '',
  'take_over_months()': '',
  'month_entries(uuid,text)': '',
  'take_over_charges(connections)': '',
  'take_over_payments(connections)': '',
  'pair_price(sessions)': '',
  'with_usual_price(sessions,boolean)': '',
  'with_whole_price(sessions,text)': '',
  'schedule_connection(schedules,uuid)': '',
  'shared_schedule(schedules,uuid)': '',
  'twin_of(schedules,uuid)': '',
  'hold_offers(uuid,uuid)': '',
  'join_schedules(schedules,schedules,uuid,text)': '',
  'joinable_with(schedules,uuid,date)': '',
  'offerable_under(schedules,date)': '',
  'refer_to_schedule(text,uuid,uuid,uuid)': '',
  'refuse_decimals()': '',
  'keep_schedule_facts()': '',
  'keep_change_facts()': '',
  'class_for_both(sessions)': '',
  'part_schedule(uuid)': '',
  'spell_notes()': '',
  'spell_session()': '',
}

test('T13: the SECURITY DEFINER functions are known, with a search path of their own, and only who needs one may call it', async () => {
  const functions = await rows(`select p.oid::regprocedure::text as name,
        (select string_agg(replace(r.rolname, 'tutorlog_', ''), ' ' order by r.rolname) from aclexplode(proacl) a
        join pg_roles r on r.oid = a.grantee
      where r.oid <> proowner and r.rolname <> 'tutorlog_owner') as callers, proacl is null
        or exists (select from aclexplode(proacl) a where a.grantee = 0) as is_public,
      coalesce(array_to_string(proconfig, ',') like 'search_path=%pg_temp', false) as has_path
    from pg_proc p join pg_namespace n on n.oid = pronamespace where prosecdef
      and nspname in ('public', 'family', 'practice', 'caregiver', 'link', 'family_link', 'graphile_worker')`)
  assert.deepEqual(
    Object.fromEntries(functions.map((row) => [row.name, row.callers ?? ''])),
    Object.fromEntries(Object.entries(DEFINERS)),
  )
  assert.deepEqual(
    functions.filter((row) => row.is_public === true || row.has_path === false).map((row) => row.name),
    [],
  )
})

/**
 * The columns of a table that each role has the given privilege on. Grants to tutorlog_app apply to both
 * sides.
 */
async function granted(privilege: 'INSERT' | 'UPDATE' | 'SELECT', table: string) {
  const found = await rows(`select replace(grantee, 'tutorlog_', '') as role,
        string_agg(column_name::text, ' ' order by column_name) as columns from information_schema.column_privileges
    where table_schema = 'public' and table_name = '${table}' and privilege_type = '${privilege}' and grantee in (${ANY_ROLE}) group by 1 order by 1`)
  return Object.fromEntries(found.map(({ role, columns }) => [String(role), String(columns)]))
}

test("T8, T13: no role but a side's own writes its word, its reply, its people or its schedule", async () => {
  const people = 'child_id family_class_day family_id family_schedule_id family_tutor_id'
  assert.deepEqual(await granted('INSERT', 'sessions'), {
    app: 'currency day homework id is_held minutes start_time subject summary',
    caregiver: `${people} makes_up`,
    family: `child_id family_class_day family_id family_price_since family_price_source family_schedule_id family_tutor_id lesson_price_cents lesson_price_minutes makes_up rate_override_cents tutor_rate_cents`,
    practice:
      'connection_id lesson_price_cents lesson_price_minutes makes_up practice_class_day practice_id practice_price_since practice_price_source ' +
      'practice_schedule_id practice_tutor_id rate_override_cents student_id tutor_rate_cents',
  })
  assert.deepEqual(await granted('UPDATE', 'sessions'), {
    app: 'day homework minutes start_time subject summary updated_at version',
    caregiver: 'child_id family_class_day family_schedule_id family_tutor_id',
    family:
      'child_id deletion_asked_at deletion_asked_by family_answer family_answer_note family_answer_version ' +
      'family_class_day family_price_since family_price_source family_proposal family_reply family_schedule_id family_tutor_id ' +
      'lesson_price_cents lesson_price_minutes rate_override_cents ' +
      'tutor_rate_cents',
    practice:
      'connection_id deletion_asked_at deletion_asked_by lesson_price_cents lesson_price_minutes practice_answer practice_answer_note ' +
      'practice_answer_version practice_class_day practice_price_since practice_price_source practice_proposal practice_reply practice_schedule_id practice_tutor_id ' +
      'rate_override_cents student_id tutor_rate_cents',
    // Of the facts, a link only writes what the other side proposed (db/repeatable/sessions.sql).
    link:
      'day deletion_asked_at deletion_asked_by homework minutes practice_answer practice_answer_note practice_answer_version ' +
      'practice_proposal rate_override_cents summary updated_at version',
    family_link:
      'day deletion_asked_at deletion_asked_by family_answer family_answer_note family_answer_version family_proposal homework ' +
      'minutes rate_override_cents summary updated_at version',
    system: 'family_reminded_at family_reminders practice_reminded_at practice_reminders',
  })
  const asks = 'deletion_asked_at deletion_asked_by'
  const own = (side: string) => `${side}_answer ${side}_answer_note ${side}_answer_version ${side}_proposal`
  const written = (...columns: string[]) =>
    columns
      .flatMap((one) => one.split(' '))
      .sort()
      .join(' ')
  for (const [table, fact] of [
    ['payments', 'amount_cents day kind method prepaid_minutes'],
    ['charges', 'amount_cents day label reason'],
  ] as const) {
    // The reference that was paid under stays as it was.
    const added = `${fact} connection_id id${table === 'payments' ? ' reference' : ''}`
    assert.deepEqual(await granted('INSERT', table), {
      family: written(added, 'child_id family_id family_tutor_id'),
      practice: written(added, 'practice_id practice_tutor_id student_id'),
      link: written(added),
      family_link: written(added),
    })
    const changed = `${fact} ${asks} updated_at version`
    assert.deepEqual(await granted('UPDATE', table), {
      family: written(changed, own('family'), 'child_id family_tutor_id'),
      practice: written(changed, own('practice'), 'practice_tutor_id student_id'),
      link: written(changed, own('practice')),
      family_link: written(changed, own('family')),
      system: 'family_reminded_at family_reminders practice_reminded_at practice_reminders',
    })
  }
  for (const privilege of ['INSERT', 'UPDATE'] as const)
    assert.deepEqual(await granted(privilege, 'history'), {}, 'history is written by triggers alone')
  assert.deepEqual(await granted('UPDATE', 'connections'), {
    family: 'answered_at ended_at ended_by family_id state tutor_id updated_at version',
    practice: 'answered_at ended_at ended_by practice_id state updated_at version',
    link: 'answered_at ended_at ended_by state updated_at version',
    family_link: 'answered_at ended_at ended_by state updated_at version',
    system: 'email email_key ended_at mailed_at state updated_at version',
  })
})

test("T8, T13: a side reads no person, schedule or workspace of the other's, and an emailed link no name, note or address", async () => {
  /** Columns of shared tables that only the other side may read. */
  const OTHERS = {
    family: /^(practice_(id|tutor_id|schedule_id|class_day)|student_id)$/,
    practice: /^(family_(tutor_id|schedule_id|class_day)|child_id|tutor_id|email)$/,
  }
  for (const side of ['family', 'practice'] as const) {
    for (const table of [
      'sessions',
      'payments',
      'charges',
      'terms',
      'schedules',
      'schedule_changes',
      'history',
      'connection_people',
      'connections',
    ]) {
      const select = await granted('SELECT', table)
      const columns = `${select.app ?? ''} ${select[side] ?? ''}`.split(' ')
      assert.deepEqual(
        columns.filter((column) => OTHERS[side].test(column)),
        [],
        `${side} reads ${table}`,
      )
      // A practice gets the family's workspace id only from the connection. The id lets it read the family's
      // name.
      if (side === 'practice' && table !== 'connections') assert.ok(!columns.includes('family_id'), table)
    }
  }
  for (const [role, others] of [
    ['link', 'student_id'],
    ['family_link', 'child_id'],
  ] as const) {
    const linked = await rows(
      `select table_name::text, column_name::text from information_schema.column_privileges where table_schema = 'public'
        and grantee = 'tutorlog_${role}' and privilege_type = 'SELECT'`,
    )
    assert.deepEqual(
      [...new Set(linked.map((row) => row.table_name))].sort(),
      [
        'charges',
        'closed_months',
        'connection_people',
        'connections',
        'history',
        'idempotency_keys',
        'payments',
        'schedule_changes',
        'schedules',
        'sessions',
        'terms',
        'workspaces',
      ],
      'no table of notes or people',
    )
    const hidden = new RegExp(
      `^(email|full_name|phone|notes|(family|practice)_(tutor|schedule)_id|${others}|token_hash)$`,
    )
    assert.deepEqual(
      linked.filter((row) => hidden.test(String(row.column_name))),
      [],
    )
  }
})

test('T13: the views of the sides pass no policy by', async () => {
  const views =
    await rows(`select relnamespace::regnamespace || '.' || relname as name, coalesce(array_to_string(reloptions, ','), '') as options from pg_class
    where relkind = 'v' and relnamespace::regnamespace::text in ('public', 'family', 'practice', 'caregiver', 'link', 'family_link') order by 1`)
  assert.deepEqual(
    views.map((row) => `${String(row.name)} ${String(row.options)}`),
    [
      'caregiver.history security_invoker=true',
      'caregiver.schedule_changes security_invoker=true',
      'caregiver.schedules security_invoker=true',
      'caregiver.sessions security_invoker=true',
      'caregiver.students security_invoker=true',
      'caregiver.terms security_invoker=true',
      'caregiver.tutors security_invoker=true',
      'family.charges security_invoker=true',
      'family.history security_invoker=true',
      'family.payments security_invoker=true',
      'family.schedule_changes security_invoker=true',
      'family.schedules security_invoker=true',
      'family.sessions security_invoker=true',
      'family.terms security_invoker=true',
      'family_link.charges security_invoker=true',
      'family_link.connection_people security_invoker=true',
      'family_link.payments security_invoker=true',
      'family_link.sessions security_invoker=true',
      'family_link.students security_invoker=true',
      'family_link.terms security_invoker=true',
      'family_link.tutors security_invoker=true',
      'link.charges security_invoker=true',
      'link.connection_people security_invoker=true',
      'link.payments security_invoker=true',
      'link.sessions security_invoker=true',
      'link.students security_invoker=true',
      'link.terms security_invoker=true',
      'link.tutors security_invoker=true',
      'practice.charges security_invoker=true',
      'practice.history security_invoker=true',
      'practice.payments security_invoker=true',
      'practice.schedule_changes security_invoker=true',
      'practice.schedules security_invoker=true',
      'practice.sessions security_invoker=true',
      'practice.terms security_invoker=true',
      'public.asked_sides security_invoker=true',
    ],
  )
})

test('T3: the keys of owned tables begin with the owner, and every reference carries it along', async () => {
  const keys = {
    ...SHARED,
    sign_offs: 'PRIMARY KEY (workspace_id, id)',
    schedule_places: 'PRIMARY KEY (workspace_id, schedule_id)',
    session_notes: 'PRIMARY KEY (workspace_id, session_id)',
    payment_notes: 'PRIMARY KEY (workspace_id, payment_id)',
    schedule_notes: 'PRIMARY KEY (workspace_id, schedule_id)',
    schedule_change_notes: 'PRIMARY KEY (workspace_id, schedule_change_id)',
  }
  for (const table of OWNED) Object.assign(keys, { [table]: 'PRIMARY KEY (workspace_id, id)' })
  for (const [table, key] of Object.entries(keys)) {
    const [found] = await rows(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = '${table}'::regclass and contype = 'p'`,
    )
    assert.equal(found?.text, key, table)
  }
  const loose =
    await rows(`select conrelid::regclass::text as name, pg_get_constraintdef(oid) as text from pg_constraint
    where contype = 'f' and confrelid in (${[...OWNED, 'schedules'].map((table) => `'${table}'::regclass`).join()})
      and pg_get_constraintdef(oid) !~ '^FOREIGN KEY \\((workspace_id|family_id|practice_id), '`)
  assert.deepEqual(loose, [])
})

test('a workspace with shared rows cannot be deleted before they are split: references to it restrict', async () => {
  const found =
    await rows(`select conrelid::regclass::text || '.' || (select attname from pg_attribute where attrelid = conrelid
        and attnum = conkey[1]) as name, confdeltype::text as on_delete
    from pg_constraint where contype = 'f' and confrelid = 'workspaces'::regclass
      and conrelid in ('sessions'::regclass, 'payments'::regclass, 'charges'::regclass, 'terms'::regclass, 'schedules'::regclass,
        'schedule_changes'::regclass, 'connections'::regclass, 'closed_months'::regclass)
      order by 1`)
  assert.deepEqual(
    found.map((row) => `${String(row.name)} ${String(row.on_delete)}`),
    [
      'charges.family_id a',
      'charges.practice_id a',
      'closed_months.family_id a',
      'closed_months.practice_id a',
      'connections.family_id a',
      'connections.practice_id a',
      'payments.family_id a',
      'payments.practice_id a',
      'schedule_changes.family_id a',
      'schedule_changes.practice_id a',
      'schedules.family_id a',
      'schedules.practice_id a',
      'sessions.family_id a',
      'sessions.practice_id a',
      'terms.family_id a',
      'terms.practice_id a',
    ],
  )
})

test('every table that users change has a version', async () => {
  for (const table of [
    // An issued paper and a learned name are never changed.
    ...OWNED.filter((table) => !/papers$|^learned_names$/.test(table)),
    'paper_providers',
    'schedule_places',
    'sessions',
    'session_notes',
    'payments',
    'payment_notes',
    'charges',
    'charge_notes',
    'terms',
    'schedules',
    'schedule_notes',
    'schedule_changes',
    'connections',
    'profiles',
  ]) {
    assert.equal(
      (
        await rows(
          `select from information_schema.columns where table_schema = 'public' and table_name = '${table}' and column_name = 'version'`,
        )
      ).length,
      1,
      table,
    )
  }
})

test('D14: money is whole cents, time whole minutes and days are dates; no column is a float', async () => {
  assert.deepEqual(
    await rows(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type in ('real', 'double precision')",
    ),
    [],
  )
})
