-- The caller's identity within a transaction, for use in the row-level policies.
create or replace function app_account() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.account_id', true), '')::uuid $$;

-- The request's workspace, or null if the account isn't a member. Removed members lose access as of the next
-- statement. Caregivers get the workspace only when they use their own database role, which can't see
-- amounts. Runs as the tables' owner, because the policies on members call this function.
create or replace function app_workspace() returns uuid
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select workspace_id from members where workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and account_id = app_account()
  and (role <> 'caregiver' or current_setting('role') = 'tutorlog_caregiver') $$;

create or replace function app_link() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.link_id', true), '')::uuid $$;

-- The account's role in the request's workspace. Null if it isn't a member.
create or replace function app_role() returns text
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select role from members where workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and account_id = app_account() $$;

-- The students a limited member can see. Null for a member who sees all of them.
create or replace function app_students() returns uuid[]
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select case when not m.all_students then array(select s.student_id from member_students s where s.workspace_id = m.workspace_id
    and s.account_id = m.account_id) end
  from members m where m.workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and m.account_id = app_account() $$;

-- The tutors a limited member can see: those who teach the member's students, and those who don't have any
-- sessions or schedules yet.
create or replace function app_tutors() returns setof uuid
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select t.id from tutors t, app_students() own where t.workspace_id = app_workspace() and (t.is_self
    or exists (select from sessions s where s.family_id = t.workspace_id and s.family_tutor_id = t.id and s.child_id = any (own))
    or exists (select from schedules s where ((s.family_id = t.workspace_id and s.family_tutor_id = t.id and s.child_id = any (own))
      or (s.practice_id = t.workspace_id and s.practice_tutor_id = t.id and s.student_id = any (own))) and s.deleted_at is null)
    or not exists (select from sessions s where s.family_id = t.workspace_id and s.family_tutor_id = t.id)
      and not exists (select from schedules s where ((s.family_id = t.workspace_id and s.family_tutor_id = t.id)
        or (s.practice_id = t.workspace_id and s.practice_tutor_id = t.id)) and s.deleted_at is null)) $$;

-- The connection that an emailed link was opened for, if its practice has no account. Null if the connection
-- has ended, the other side's account is closed, or an account has taken over this side.
create or replace function app_open_link() returns uuid
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select id from connections where id = app_link() and state in ('asked', 'active') and practice_id is null and family_closed_at is null $$;

-- Same, but for a connection that a practice requested by email address, if its family has no account.
create or replace function app_open_family_link() returns uuid
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select id from connections where id = app_link() and state in ('asked', 'active') and family_id is null and practice_closed_at is null $$;

-- The account's address, normalized for comparison. Null until it's confirmed.
create or replace function app_address() returns text
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select email_key from users where id = app_account() and email_confirmed_at is not null $$;

-- Starts a transaction for a caller the server has cached. Looks up the login again (signed_in,
-- db/repeatable/reads.sql) and sets the identity only from what that returns. If the result differs from what
-- the server expects, the transaction fails, along with every statement sent after this one, because those
-- were prepared for a different caller. Only the server's role may call this, and it runs with that role's
-- rights.
create or replace function admit_again(access bytea, moment timestamptz, wanted uuid, known text) returns void
language plpgsql
as $$
declare
  caller record;
  side text;
begin
  select * into caller from public.signed_in(access, moment, wanted);
  if caller.workspace_id is null or caller::text is distinct from known then raise exception 'the caller has changed' using errcode = 'TL001'; end if;
  side := case when caller.member_role = 'caregiver' then 'caregiver' else caller.kind end;
  perform set_config('app.account_id', caller.id::text, true), set_config('app.workspace_id', caller.workspace_id::text, true),
    set_config('search_path', side || ', public', true),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('role', 'tutorlog_' || side, true);
end $$;
revoke all on function admit_again(bytea, timestamptz, uuid, text) from public;
grant execute on function admit_again(bytea, timestamptz, uuid, text) to tutorlog_server;
