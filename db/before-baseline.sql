-- What a database that came by the steps before the baseline has differently (docs/decisions/0030-one-baseline.md). The server
-- runs this once on such a database, and records the baseline's steps as applied. All functions and views go, with the
-- triggers and policies that use them: db/repeatable makes them again.
-- A role that only those steps named. The tables' owner can't drop it.
reset role;
do $$
begin
  if exists (select from pg_roles where rolname = 'tutorlog_tutor') then
    revoke usage on schema public from tutorlog_tutor;
    drop role tutorlog_tutor;
  end if;
end $$;
set local role tutorlog_owner;

drop schema family, practice, caregiver, link, family_link cascade;
do $$
declare old record;
begin
  for old in select p.oid::regprocedure as name from pg_proc p where pronamespace = 'public'::regnamespace and proowner = current_user::regrole loop
    execute format('drop routine if exists %s cascade', old.name);
  end loop;
  for old in select place, side || before as name, side || today as today from unnest(array['sessions', 'payments']) place, unnest(array['family', 'practice']) side,
      (values ('_word', '_answer'), ('_word_version', '_answer_version'), ('_word_note', '_answer_note'), ('_word_at', '_answered_at')) as x (before, today) loop
    execute format('alter table %I rename column %I to %I', old.place, old.name, old.today);
  end loop;
end $$;

drop table migration_differences;
alter table payments rename column is_confirmed to is_verified;
alter table payments
  add column is_disputed boolean not null generated always as (coalesce(family_answer = 'disputed' and family_answer_version = facts_version, false)
    or coalesce(practice_answer = 'disputed' and practice_answer_version = facts_version, false)) stored;
alter table session_history rename to history;
alter table history rename column session_key to entry_key;
alter table history rename column session_id to entry_id;
alter table history add column kind text not null default 'session' check (kind in ('session', 'payment'));
alter table history alter column kind drop default, drop constraint session_history_pkey, add primary key (kind, entry_key, chain, seq);
alter index session_history_of_family rename to history_of_family;
alter index session_history_of_practice rename to history_of_practice;
alter index session_history_of_connection rename to history_of_connection;
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys alter user_id drop not null, add link_id uuid references connections on delete cascade,
  add link_side text check (link_side in ('family', 'practice')),
  add check (num_nonnulls(user_id, link_id) = 1 and (link_id is null) = (link_side is null));
create unique index idempotency_keys_of_accounts on idempotency_keys (user_id, operation, key);
create unique index idempotency_keys_of_links on idempotency_keys (link_id, link_side, operation, key);

grant select (is_disputed) on payments to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (id, is_disputed) on payments to tutorlog_system;
grant select (kind) on history to tutorlog_app, tutorlog_link, tutorlog_family_link;
grant select (link_id, link_side, operation, key, request_hash, status, response),
  insert (link_id, link_side, operation, key, request_hash), update (status, response) on idempotency_keys to tutorlog_link, tutorlog_family_link;
revoke select (account_id) on calendar_feeds from tutorlog_app;
revoke select (family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at) on sessions
  from tutorlog_caregiver;
revoke select (family_answered_at, practice_took_part) on payments from tutorlog_link;
revoke select (practice_answered_at, family_took_part) on payments from tutorlog_family_link;

-- Constraints that kept the names of renamed tables and columns, or had none.
do $$
declare old record;
begin
  for old in select * from (select conrelid::regclass as place, conname as name, coalesce(today, regexp_replace(regexp_replace(replace(replace(replace(
      conname, 'tutor_links_', 'connections_'), 'session_history_', 'history_'), '_word', '_answer'), '^(schedules|schedule_changes|sign_offs)_owner_id', '\1_workspace_id'),
      case when conrelid in ('sessions'::regclass, 'payments'::regclass, 'history'::regclass) then '_check1$' else '^$' end, '_check')) as today
    from pg_constraint left join (values
      ('payments_check2', 'payments_hours'), ('payments_check3', 'payments_not_nothing'), ('payments_check4', 'payments_family_dispute'),
      ('payments_check5', 'payments_practice_dispute'), ('payments_check6', 'payments_deletion_dated'),
      ('sessions_check1', 'sessions_family_dispute'), ('sessions_check2', 'sessions_practice_dispute'), ('sessions_check3', 'sessions_family_class'),
      ('sessions_check4', 'sessions_practice_class'), ('sessions_check5', 'sessions_deletion_dated')) as x (before, today) on before = conname
    where connamespace = 'public'::regnamespace) named where name <> today loop
    execute format('alter table %s rename constraint %I to %I', old.place, old.name, old.today);
  end loop;
end $$;
