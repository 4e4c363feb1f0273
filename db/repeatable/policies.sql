-- Which rows a role may read and write. The caller is an account, mostly in a workspace. For anyone who isn't a
-- member, app_workspace() is null, so a single comparison is enough in each policy. Row-level security is forced, so it
-- binds the tables' owner too: functions that run as the owner have policies of their own.
do $$
declare
  place record;
  old record;
begin
  for place in select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'schema\_%' loop
    execute format('alter table %1$I enable row level security; alter table %1$I force row level security', place.name);
    for old in select policyname as name from pg_policies where schemaname = 'public' and tablename = place.name loop
      execute format('drop policy %I on %I', old.name, place.name);
    end loop;
  end loop;
end $$;

-- For sign-in and background jobs, which can use only the columns granted to their roles.
select for_each(array['users', 'profiles', 'user_roles', 'identities', 'logins', 'known_browsers', 'auth_tokens', 'email_changes', 'oidc_flows',
    'passkeys', 'passkey_challenges', 'second_steps', 'security_events', 'not_me_links',
    'acceptances', 'outbox', 'notice_choices', 'push_devices', 'push_keys', 'page_keys', 'opt_outs', 'unsubscribe_tokens', 'announced_terms', 'terms_notices', 'first_trials', 'customers',
    'restore_drills',
    'subscriptions', 'billing_events', 'referral_codes', 'referrals', 'rewards', 'rate_limits', 'idempotency_keys', 'admin_reads', 'erasures', 'workspaces',
    'members', 'member_students', 'member_invitations', 'history', 'connections', 'connection_people', 'link_tokens', 'handed_links', 'sign_offs'],
  'create policy system_all on {name} for all to tutorlog_system using (true) with check (true)');

-- Accounts.
select for_each(array['profiles', 'user_roles', 'logins', 'passkeys', 'second_steps', 'security_events', 'acceptances', 'notice_choices', 'push_devices', 'idempotency_keys'],
  'create policy own_rows on {name} for all to tutorlog_app using (user_id = app_account()) with check (user_id = app_account())');
select for_each(array['terms_notices', 'referral_codes', 'rewards'],
  'create policy own_rows on {name} for all to tutorlog_app using (owner_id = app_account()) with check (owner_id = app_account())');
select for_each(array['email_changes', 'customers', 'subscriptions', 'referrals', 'admin_reads'],
  'create policy own_rows on {name} for select to tutorlog_app using (owner_id = app_account())');
create policy own_row on users for all to tutorlog_app using (id = app_account()) with check (id = app_account());
create policy own_rows on identities for select to tutorlog_app using (user_id = app_account());
-- No grant can keep someone from writing the role admin: a policy sees the value, a grant doesn't.
create policy no_admin on user_roles as restrictive for insert to tutorlog_app with check (role in ('parent', 'tutor'));
create policy own_mail on outbox for insert to tutorlog_app with check (user_id = app_account());
create policy own_mail_read on outbox for select to tutorlog_app using (user_id = app_account());

create policy system_self on tutors for all to tutorlog_system using (is_self) with check (is_self);

-- A workspace and its members. All members can see the list of members, and the owner can change it. Everyone
-- else can only remove themselves.
create policy own_memberships on members for select to tutorlog_app using (account_id = app_account());
create policy fellow_members on members for select to tutorlog_app using (workspace_id = (select app_workspace()));
create policy owner_gives_roles on members for update to tutorlog_app
  using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner' and role <> 'owner')
  with check (workspace_id = (select app_workspace()) and role <> 'owner');
create policy owner_removes on members for delete to tutorlog_app
  using (workspace_id = (select app_workspace()) and role <> 'owner' and ((select app_role()) = 'owner' or account_id = app_account()));
create policy owner_invites on member_invitations for all to tutorlog_app
  using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner')
  with check (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
create policy own_students on member_students for select to tutorlog_app
  using (account_id = app_account() or (workspace_id = (select app_workspace()) and (select app_role()) = 'owner'));
create policy owner_limits on member_students for insert to tutorlog_app with check (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
create policy owner_frees on member_students for delete to tutorlog_app using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
create policy own_workspaces on workspaces for select to tutorlog_app
  using (id in (select m.workspace_id from members m where m.account_id = app_account()));
-- The other side of a connection can read the family's name and currency.
create policy connected_families on workspaces for select to tutorlog_practice, tutorlog_link using (id in (select c.family_id from connections c));
create policy connected_practices on workspaces for select to tutorlog_family_link using (id in (select c.practice_id from connections c));
create policy settings on workspaces for update to tutorlog_app
  using (id = (select app_workspace()) and (select app_role()) in ('owner', 'parent') and (select app_students()) is null)
    with check (id = (select app_workspace()));
-- Triggers run as the tables' owner.
create policy owner_hands_over on members for update to tutorlog_owner using (true);
create policy owner_names on workspaces for update to tutorlog_owner using (true);
create policy owner_erases on workspaces for delete to tutorlog_owner using (true);

select for_each(array['students', 'tutors', 'prices'],
  'create policy own_rows on {name} for all to tutorlog_app
    using (workspace_id = (select app_workspace())) with check (workspace_id = (select app_workspace()))');
select for_kinds('create policy own_rows on {kind}_notes for all to tutorlog_app
  using (workspace_id = (select app_workspace())) with check (workspace_id = (select app_workspace()))');
-- Ensures that viewers can't change anything and caregivers can change only their own entries, even if a
-- route forgets to check.
do $$
declare
  name text;
  writers text;
begin
  foreach name in array array['students', 'tutors', 'prices', 'connections', 'connection_people', 'handed_links']
      || array(select kind || ending from kinds_with('facts_version') kind, unnest(array['s', '_notes']) ending) loop
    writers := case when name in ('sessions', 'session_notes', 'schedule_changes') then '(select app_role()) <> ''viewer'''
      else '(select app_role()) not in (''viewer'', ''caregiver'')' end;
    execute format('create policy readers_insert on %1$I as restrictive for insert to tutorlog_app with check (%2$s);
      create policy readers_update on %1$I as restrictive for update to tutorlog_app using (%2$s);
      create policy readers_delete on %1$I as restrictive for delete to tutorlog_app using (%2$s)', name, writers);
  end loop;
end $$;
-- Caregivers say how a class ended, but don't take a move back.
create policy caregivers_keep on schedule_changes as restrictive for delete to tutorlog_caregiver using (false);
-- Whether the caller can read a schedule, a session, or a session's history. These are functions, because a
-- policy's own subqueries are prepared for every read, even when they never run. They run with the caller's
-- rights, so the policies of the tables they read apply.
create or replace function app_reads_schedule(schedule uuid) returns boolean
language sql stable
as $$ select exists (select from public.schedules s where s.id = schedule) $$;
create or replace function app_reads_session(session uuid) returns boolean
language sql stable
as $$ select exists (select from public.sessions s where s.id = session) $$;
create or replace function app_reads_history(session_key bigint) returns boolean
language sql stable
as $$ select exists (select from public.sessions s where s.key = session_key) $$;
-- A member limited to some students sees only those students' rows, and nothing that also covers other
-- students: no payments, charges, pairs, sign-offs or answers to a connection. For members who see all students,
-- app_students() is null and nothing else is checked.
create policy some_students on students as restrictive for all to tutorlog_app
  using ((select app_students()) is null or id = any ((select app_students())::uuid[]));
select for_each(array['sessions', 'schedules'], $policies$
  create policy some_students on {name} as restrictive for all to tutorlog_family, tutorlog_caregiver
    using ((select app_students()) is null or child_id = any ((select app_students())::uuid[]));
  create policy some_students_of_practice on {name} as restrictive for all to tutorlog_practice
    using ((select app_students()) is null or student_id = any ((select app_students())::uuid[])) $policies$);
create policy some_students on prices as restrictive for all to tutorlog_app
  using ((select app_students()) is null or student_id = any ((select app_students())::uuid[]));
create policy some_tutors on tutors as restrictive for select to tutorlog_app using ((select app_students()) is null or id in (select app_tutors()));
create policy some_changes on schedule_changes as restrictive for all to tutorlog_app
  using ((select app_students()) is null or app_reads_schedule(schedule_id));
create policy some_notes on schedule_notes as restrictive for all to tutorlog_app
  using ((select app_students()) is null or app_reads_schedule(schedule_id));
create policy some_notes on session_notes as restrictive for all to tutorlog_app
  using ((select app_students()) is null or app_reads_session(session_id));
create policy some_history on history as restrictive for select to tutorlog_app
  using ((select app_students()) is null or (kind = 'session' and app_reads_history(entry_key)));
create policy session_history on history as restrictive for select to tutorlog_caregiver using (kind = 'session');
select for_each(array['terms', 'term_notes', 'schedule_change_notes', 'session_pairs', 'sign_offs', 'closed_months', 'papers', 'family_papers', 'paper_providers', 'paper_numbers', 'schedule_places'] || array(select kind || ending from kinds_with('amount_cents') kind, unnest(array['s', '_notes']) ending),
  'create policy all_students on {name} as restrictive for all to tutorlog_app using ((select app_students()) is null)');
select for_each(array['connections', 'connection_people'],
  'create policy all_students_insert on {name} as restrictive for insert to tutorlog_app with check ((select app_students()) is null);
  create policy all_students_update on {name} as restrictive for update to tutorlog_app using ((select app_students()) is null)');
-- Caregivers may write notes only on their own entries.
create policy own_notes_insert on session_notes as restrictive for insert to tutorlog_caregiver
  with check (session_id in (select s.id from sessions s where s.caregiver_id = app_account()));
create policy own_notes_update on session_notes as restrictive for update to tutorlog_caregiver
  using (session_id in (select s.id from sessions s where s.caregiver_id = app_account()));
create policy own_notes_delete on session_notes as restrictive for delete to tutorlog_caregiver
  using (session_id in (select s.id from sessions s where s.caregiver_id = app_account()));
-- Only the owner decides where a practice's money goes. Anyone who sees its payments can also see the payment
-- options.
create policy own_rows on payment_ways for select to tutorlog_family, tutorlog_practice
  using (workspace_id = (select app_workspace()) and (select app_students()) is null);
create policy owner_adds on payment_ways for insert to tutorlog_practice with check (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
create policy owner_removes on payment_ways for delete to tutorlog_practice using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
-- The owner says who issues the practice's papers; assistants issue them, too. The trigger that numbers them runs as the owner.
select for_each(array['papers', 'family_papers', 'paper_providers', 'paper_numbers', 'schedule_places'],
  'create policy own_rows on {name} for select to tutorlog_family, tutorlog_practice using (workspace_id = (select app_workspace()))');
create policy owner_adds on paper_providers for insert to tutorlog_practice with check (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
create policy owner_changes on paper_providers for update to tutorlog_practice using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner')
  with check (workspace_id = (select app_workspace()));
create policy practice_issues on papers for insert to tutorlog_practice with check (workspace_id = (select app_workspace()));
create policy practice_voids on papers for update to tutorlog_practice using (workspace_id = (select app_workspace()))
  with check (workspace_id = (select app_workspace()));
create policy practice_remembers on schedule_places for insert to tutorlog_practice with check (workspace_id = (select app_workspace()));
create policy practice_says on schedule_places for update to tutorlog_practice using (workspace_id = (select app_workspace()))
  with check (workspace_id = (select app_workspace()));
create policy owner_moves on schedule_places for all to tutorlog_owner using (true) with check (true);
create policy owner_counts on paper_numbers for all to tutorlog_owner using (true) with check (true);
-- A family issues only through a function, which also gives the practice its row. Each side voids its row, and a trigger the other's.
create policy family_voids on family_papers for update to tutorlog_family using (workspace_id = (select app_workspace()) and (select app_role()) in ('owner', 'parent'))
  with check (workspace_id = (select app_workspace()));
select for_each(array['papers', 'family_papers'],
  'create policy owner_works on {name} for all to tutorlog_owner using (true) with check (true);
  create policy system_reads on {name} for select to tutorlog_system using (true)');
create policy owner_moves on paper_providers for all to tutorlog_owner using (true) with check (true);
create policy own_rows on calendar_feeds for all to tutorlog_app using (workspace_id = (select app_workspace()) and account_id = app_account())
  with check (workspace_id = (select app_workspace()) and account_id = app_account());
-- Names that a member's words were learned to mean. A limited member's are about people they can see.
create policy own_rows on learned_names for all to tutorlog_app using (workspace_id = (select app_workspace()) and account_id = app_account())
  with check (workspace_id = (select app_workspace()) and account_id = app_account());
create policy some_people on learned_names as restrictive for all to tutorlog_app
  using ((select app_students()) is null or student_id = any ((select app_students())::uuid[]) or tutor_id in (select app_tutors()));
create policy own_rows on sign_offs for select to tutorlog_app using (workspace_id = (select app_workspace()));
-- Jobs ask about classes and keep the hours between reminders. A member answers with the link that was sent to them, and sees
-- when their last reminder was delivered.
select for_each(array['class_clocks', 'class_questions', 'class_asks', 'reminder_clocks', 'class_links'],
  'create policy system_all on {name} for all to tutorlog_system using (true) with check (true)');
create policy owner_works on class_clocks for all to tutorlog_owner using (true) with check (true);
create policy own_asks on class_asks for all to tutorlog_app using (workspace_id = (select app_workspace()) and account_id = app_account())
  with check (workspace_id = (select app_workspace()) and account_id = app_account());
create policy asked_of_you on class_questions for all to tutorlog_app
  using (workspace_id = (select app_workspace()) and exists (select from class_asks a where a.account_id = app_account()
    and a.workspace_id = class_questions.workspace_id and a.schedule_id = class_questions.schedule_id and a.day = class_questions.day));
create policy own_clock on reminder_clocks for select to tutorlog_app using (account_id = app_account());
create policy system_feeds on calendar_feeds for select to tutorlog_system using (true);

-- Each policy finds a side's entries with a single comparison. Deleting an entry that the other side took part in
-- requires that side's consent. An emailed page can use only its side of its connection.
select for_kinds($policies$
  create policy {own}_rows on {place} for select to tutorlog_{own} using ({own}_id = (select app_workspace()));
  create policy {own}_adds on {place} for insert to tutorlog_{own} with check ({own}_id = (select app_workspace()));
  create policy {own}_changes on {place} for update to tutorlog_{own} using ({own}_id = (select app_workspace()))
    with check ({own}_id = (select app_workspace()));
  create policy {own}_deletes on {place} for delete to tutorlog_{own}
    using ({own}_id = (select app_workspace()) and (connection_id is null or not {other}_took_part or deletion_asked_by = '{other}'
      or proposes_removal({other}_proposal, {other}_answer_version, facts_version)));
  create policy {link}_rows on {place} for select to tutorlog_{link} using (connection_id = (select app_open_{link}()));
  create policy {link}_changes on {place} for update to tutorlog_{link} using (connection_id = (select app_open_{link}()))
    with check (connection_id = (select app_open_{link}())) $policies$);
select for_kinds('create policy system_reads on {place} for select to tutorlog_system using (true);
  create policy system_reminds on {place} for update to tutorlog_system using (true) with check (true)');
-- An emailed page records payments and charges, and deletes its own. Of everything else, it only agrees to a deletion that
-- the other side asks for or proposes.
select for_money($policies$
  create policy {link}_adds on {place} for insert to tutorlog_{link} with check (connection_id = (select app_open_{link}()));
  create policy {link}_deletes on {place} for delete to tutorlog_{link}
    using (connection_id = (select app_open_{link}()) and (not {other}_took_part or deletion_asked_by = '{other}'
      or proposes_removal({other}_proposal, {other}_answer_version, facts_version))) $policies$);
select for_each(array['sessions', 'schedules', 'schedule_changes', 'terms'], $each$ select for_sides('
  create policy {link}_asks_nothing on {name} as restrictive for update to tutorlog_{link} using (true)
    with check (deletion_asked_by is distinct from ''{own}'');
  create policy {link}_agrees on {name} for delete to tutorlog_{link}
    using (connection_id = (select app_open_{link}()) and (deletion_asked_by = ''{other}''
      or proposes_removal({other}_proposal, {other}_answer_version, facts_version)))') $each$);
select for_each(array['schedules', 'schedule_changes'],
  'create policy caregiver_rows on {name} for select to tutorlog_caregiver using (family_id = (select app_workspace()))');
create policy caregiver_rows on sessions for select to tutorlog_caregiver using (family_id = (select app_workspace()));
create policy caregiver_ends on schedule_changes for insert to tutorlog_caregiver with check (family_id = (select app_workspace()));
create policy caregiver_ends_again on schedule_changes for update to tutorlog_caregiver using (family_id = (select app_workspace()))
  with check (family_id = (select app_workspace()));
create policy caregiver_logs on sessions for insert to tutorlog_caregiver with check (family_id = (select app_workspace()));
create policy caregiver_changes on sessions for update to tutorlog_caregiver using (family_id = (select app_workspace()) and caregiver_id = app_account())
  with check (family_id = (select app_workspace()) and caregiver_id = app_account());
create policy caregiver_deletes on sessions for delete to tutorlog_caregiver
  using (family_id = (select app_workspace()) and caregiver_id = app_account() and (connection_id is null or not practice_took_part));

select for_sides($policies$
  create policy {own}_history on history for select to tutorlog_{own} using ({own}_id = (select app_workspace()));
  create policy {link}_history on history for select to tutorlog_{link} using (connection_id = (select app_open_{link}()));
  create policy {own}_months on closed_months for select to tutorlog_{own} using ({own}_id = (select app_workspace()));
  create policy {link}_months on closed_months for select to tutorlog_{link} using (connection_id = (select app_open_{link}())) $policies$);
create policy caregiver_history on history for select to tutorlog_caregiver using (family_id = (select app_workspace()));
create policy system_reads on closed_months for select to tutorlog_system using (true);
create policy system_reminds on closed_months for update to tutorlog_system using (true) with check (state = 'asked');
create policy sides on session_pairs for select to tutorlog_app using ((select app_workspace()) in (family_id, practice_id));

-- The family's side of a connection. It can request and end a connection, but it can't accept one on the
-- tutor's behalf.
create policy family_reads on connections for select to tutorlog_family, tutorlog_caregiver using (family_id = (select app_workspace()));
create policy family_asks on connections for insert to tutorlog_family
  with check (family_id = (select app_workspace()) and state = 'asked' and practice_id is null and asked_by = 'family');
create policy family_ends on connections for update to tutorlog_family using (family_id = (select app_workspace()) and state in ('asked', 'active'))
  with check (family_id = (select app_workspace()) and state = 'ended' and ended_by = 'family');
-- Requests that a practice sent to the confirmed address of a family's owner or parent. That person can take
-- over the family's side or decline.
create policy family_is_asked on connections for select to tutorlog_family
  using (family_id is null and asked_by = 'practice' and state in ('asked', 'active') and practice_closed_at is null
  and email_key = (select app_address()) and (select app_role()) in ('owner', 'parent') and (select app_students()) is null);
create policy family_answers on connections for update to tutorlog_family
  using (family_id is null and asked_by = 'practice' and state in ('asked', 'active') and practice_closed_at is null and email_key = (select app_address()))
  with check (family_id = (select app_workspace()) and asked_by = 'practice' and state in ('active', 'declined')
      and (state <> 'active' or practice_closed_at is null)
    and (ended_by is null or ended_by = 'family'));
-- The practice's side: connections it accepted, and requests sent to its owner's confirmed address while the
-- family's account is open. Assistants can't answer requests here, only in a practice they own.
create policy practice_reads on connections for select to tutorlog_practice using (practice_id = (select app_workspace())
  or (practice_id is null and state in ('asked', 'active') and family_closed_at is null and email_key = (select app_address())
      and (select app_role()) = 'owner'));
-- If an update reads no columns, only this policy is checked. It therefore has to spell out which connections
-- the practice may update. A practice can only end its own requests: nobody accepts for the family.
create policy practice_answers on connections for update to tutorlog_practice
  using (state in ('asked', 'active')
      and (practice_id = (select app_workspace())
      or (practice_id is null and family_closed_at is null and email_key = (select app_address()) and (select app_role()) = 'owner')))
  with check (state in ('active', 'declined', 'ended') and (state <> 'active' or family_closed_at is null) and (ended_by is null or ended_by = 'practice')
    and (asked_by = 'family' or state = 'ended') and practice_id = (select app_workspace()));
create policy practice_asks on connections for insert to tutorlog_practice
  with check (practice_id = (select app_workspace()) and (select app_role()) = 'owner' and state = 'asked' and family_id is null and asked_by = 'practice');
select for_sides($policies$
  create policy {link}_reads on connections for select to tutorlog_{link}
    using (id = (select app_open_{link}()) or (id = app_link() and state in ('declined', 'ended')));
  create policy {link}_answers on connections for update to tutorlog_{link} using (id = (select app_open_{link}()))
    with check (id = app_link() and state in ('active', 'declined', 'ended') and {own}_id is null and (ended_by is null or ended_by = '{own}'));
  create policy {link}_people on connection_people for select to tutorlog_{link} using (connection_id = (select app_open_{link}()));
  -- A link's idempotency keys are those of its side of the connection.
  create policy {link}_keys on idempotency_keys for all to tutorlog_{link}
    using (link_id = (select app_open_{link}()) and link_side = '{own}') with check (link_id = (select app_open_{link}()) and link_side = '{own}')
  $policies$);
-- Whoever asked by a handed-over link makes it, replaces it, and sees what became of it.
select for_sides($policies$
  create policy {own}_hands_over on handed_links for all to tutorlog_{own}
    using (workspace_id = (select app_workspace()))
    with check (workspace_id = (select app_workspace())
      and connection_id in (select c.id from connections c where c.{own}_id = workspace_id and c.asked_by = '{own}'))
  $policies$);
create policy family_people on connection_people for select to tutorlog_family
  using (family_id = (select app_workspace()) or connection_id in (select c.id from connections c where c.family_id is null));
create policy practice_people on connection_people for select to tutorlog_practice using (connection_id in (select c.id from connections c));
create policy practice_matches on connection_people for update to tutorlog_practice
  using (connection_id in (select c.id from connections c where c.practice_id = (select app_workspace()) and c.state = 'active' and c.family_closed_at is null))
  with check (connection_id in (select c.id from connections c where c.practice_id = (select app_workspace())));
-- The job that proposes fees skips those it has dealt with.
create policy system_reads on proposed_fees for select to tutorlog_system using (true);
create policy owner_works on proposed_fees for all to tutorlog_owner using (true) with check (true);
create policy system_names on tutors for select to tutorlog_system using (true);
create policy system_names on students for select to tutorlog_system using (true);

-- The functions that see both sides run as the tables' owner.
select for_kinds('create policy owner_works on {place} for all to tutorlog_owner using (true) with check (true);
  create policy owner_works on {kind}_notes for all to tutorlog_owner using (true) with check (true)');
select for_each(array['history', 'session_pairs', 'connections', 'connection_people', 'earlier_addresses', 'closed_months'],
  'create policy owner_works on {name} for all to tutorlog_owner using (true) with check (true)');
select for_each(array['users', 'profiles', 'members', 'member_students', 'workspaces', 'students', 'tutors', 'prices', 'payment_ways'],
  'create policy owner_reads on {name} for select to tutorlog_owner using (true)');
create policy owner_makes on students for insert to tutorlog_owner with check (true);

-- Members see each other's names, because history and lists show who did something.
create policy owner_begins on user_roles for insert to tutorlog_owner with check (role in ('parent', 'tutor'));
create policy fellow_names on profiles for select to tutorlog_app
  using (user_id in (select m.account_id from members m where m.workspace_id = (select app_workspace())));

-- When a side requests, accepts or ends a connection, it queues the email to the other side in the same
-- transaction. It can't queue any other email.
create policy connection_mail on outbox for insert to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link
  with check (kind = 'connection_changed' and recipient = '' and user_id = other_owner((data ->> 'link_id')::uuid));
-- Functions that queue emails run as the tables' owner: one ends a deleted tutor's connection, one announces changed payment
-- options, one a paper that a family made.
create policy owner_tells on outbox for insert to tutorlog_owner
  with check (kind in ('connection_changed', 'ways_changed', 'paper_news') and recipient = '');
-- Emails about closing a month go to the other side's account. If it has none, they go to its address.
create policy month_mail on outbox for insert to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link
  with check (kind = 'month_news' and recipient = '' and user_id is not distinct from other_owner((data ->> 'link_id')::uuid)
    and (data ->> 'link_id')::uuid in (select c.id from connections c));
