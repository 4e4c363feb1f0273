-- An account that closes: its links answer no more, and open pages are told to look whether they still may (promises A16, T18).

-- Undoing a deletion opens the links again: least() of two nulls is null.
create or replace function close_account() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', 'out:' || new.id);
  update tutor_links set closed_at = least(new.deletion_asked_at, new.disabled_at) where workspace_id = new.id;
  perform pg_notify('changes', tutor_user_id::text) from tutor_links where workspace_id = new.id and tutor_user_id is not null;
  return null;
end $$;
create or replace trigger account_closed after update of deletion_asked_at, disabled_at on users for each row
  when (old.deletion_asked_at is distinct from new.deletion_asked_at or old.disabled_at is distinct from new.disabled_at)
  execute function close_account();

create or replace function tell_of_login() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', 'out:' || old.user_id);
  return null;
end $$;
create or replace trigger login_ended after delete on logins for each row execute function tell_of_login();

-- A workspace goes with its rows when its owner's account does; handing it over comes later (docs/decisions/0014).
create or replace function end_membership() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Whoever is out learns it at once, and so do the pages of those who stay.
  perform pg_notify('changes', 'out:' || old.account_id);
  perform pg_notify('changes', old.workspace_id::text);
  if old.role = 'owner' then delete from workspaces where id = old.workspace_id; end if;
  return null;
end $$;
revoke all on function end_membership() from public;
create or replace trigger member_left after delete on members for each row execute function end_membership();

-- The name by which others meet a workspace is its owner's.
create or replace function name_workspaces() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update workspaces set owner_name = new.full_name where id in (select m.workspace_id from members m where m.account_id = new.user_id and m.role = 'owner');
  return null;
end $$;
revoke all on function name_workspaces() from public;
create or replace trigger profile_named after update of full_name on profiles for each row
  when (old.full_name is distinct from new.full_name) execute function name_workspaces();
