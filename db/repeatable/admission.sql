-- Who speaks in a transaction, as the policies ask for it.
create or replace function app_account() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.account_id', true), '')::uuid $$;

-- The workspace of the request, while the account is its member: whoever is removed is out with the next statement. It works as
-- the owner of the tables, because the policies of members themselves ask who speaks.
create or replace function app_workspace() returns uuid
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select workspace_id from members where workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and account_id = app_account() $$;
revoke all on function app_workspace() from public;
grant execute on function app_workspace() to tutorlog_app, tutorlog_link, tutorlog_system;

create or replace function app_link() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.link_id', true), '')::uuid $$;

-- What the account is in the workspace of the request; null for whoever is not its member.
create or replace function app_role() returns text
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select role from members where workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid and account_id = app_account() $$;
revoke all on function app_role() from public;
grant execute on function app_role() to tutorlog_app;

-- The connection of the emailed link that was opened, while nobody ended it, closed an account, or took it over with one.
create or replace function app_open_link() returns uuid
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select id from connections where id = app_link() and state in ('asked', 'active') and practice_id is null and family_closed_at is null $$;
revoke all on function app_open_link() from public;
grant execute on function app_open_link() to tutorlog_link;

-- The account's address as it is compared, once it is confirmed.
create or replace function app_address() returns text
language sql stable parallel safe security definer set search_path = public, pg_temp
as $$ select email_key from users where id = app_account() and email_confirmed_at is not null $$;
revoke all on function app_address() from public;
grant execute on function app_address() to tutorlog_app;
