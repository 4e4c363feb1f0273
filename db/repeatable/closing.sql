-- When an account is closed, its side can no longer respond in any of its connections, and its open pages are
-- prompted to check whether they still have access (promises A16, T18).

-- If an account's deletion is undone, its connections reopen: least() of two nulls is null.
create or replace function close_account() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare closed timestamptz := least(new.deletion_asked_at, new.disabled_at);
begin
  perform pg_notify('changes', 'out:' || new.id);
  update connections set family_closed_at = closed where family_id in (select m.workspace_id from members m where m.account_id = new.id and m.role = 'owner');
  update connections set practice_closed_at = closed
    where practice_id in (select m.workspace_id from members m where m.account_id = new.id and m.role = 'owner');
  perform pg_notify('changes', side::text) from connections c, unnest(array[c.family_id, c.practice_id]) side
    where side is not null
      and exists (select from members m where m.account_id = new.id and m.role = 'owner' and m.workspace_id in (c.family_id, c.practice_id));
  return null;
end $$;
create or replace trigger account_closed after update of deletion_asked_at, disabled_at on users for each row
  when (old.deletion_asked_at is distinct from new.deletion_asked_at or old.disabled_at is distinct from new.disabled_at)
  execute function close_account();

-- If a member requests a connection while the owner's account is closed, the new connection is closed from
-- the start, like the workspace's other connections.
create or replace function close_new_connection() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.family_closed_at := (select least(u.deletion_asked_at, u.disabled_at) from members m join users u on u.id = m.account_id
      where m.workspace_id = new.family_id and m.role = 'owner');
  new.practice_closed_at := (select least(u.deletion_asked_at, u.disabled_at) from members m join users u on u.id = m.account_id
      where m.workspace_id = new.practice_id and m.role = 'owner');
  return new;
end $$;
create or replace trigger connection_closed before insert on connections for each row execute function close_new_connection();

create or replace function notify_sign_out() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', 'out:' || old.user_id);
  return null;
end $$;
create or replace trigger login_ended after delete on logins for each row execute function notify_sign_out();

-- Erases a workspace. Shared rows are split first, so that the other side keeps its copy. Then everything
-- that's left is deleted.
create or replace function erase_workspace(workspace uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform lock_sides(c.id) from (select id from connections where workspace in (family_id, practice_id) order by id) c;
  -- Sessions that are waiting to be compared stay in the log of the side that logged them.
  update sessions s set is_held = false from session_pairs x where s.is_held and s.key in (x.family_key, x.practice_key)
    and workspace in (x.family_id, x.practice_id);
  update session_pairs set is_answered = true where workspace in (family_id, practice_id);
  delete from session_pairs where workspace in (family_id, practice_id);
  perform split_rows(array(select s from sessions s where workspace in (s.family_id, s.practice_id) and s.connection_id is not null
      order by s.key for update));
  perform split_rows(array(select p from payments p where workspace in (p.family_id, p.practice_id) and p.connection_id is not null
      order by p.key for update));
  perform pg_notify('changes', side::text) from connections c, unnest(array[c.family_id, c.practice_id]) side where side is not null
    and workspace in (c.family_id, c.practice_id);
  update sessions set parted_from = '00000000-0000-0000-0000-000000000000' where parted_from = workspace;
  -- The other side keeps its closed months as they were. Months that only this side has are deleted.
  update closed_months set family_id = null where family_id = workspace and practice_id is not null;
  update closed_months set practice_id = null where practice_id = workspace and family_id is not null;
  delete from closed_months where workspace in (family_id, practice_id);
  update payments set parted_from = '00000000-0000-0000-0000-000000000000' where parted_from = workspace;
  delete from connections where workspace in (family_id, practice_id);
  -- The other side also keeps the history of sessions that were deleted while they were shared.
  update history set family_id = null, connection_id = null where family_id = workspace and practice_id is not null;
  update history set practice_id = null, connection_id = null where practice_id = workspace and family_id is not null;
  delete from history where workspace in (family_id, practice_id);
  delete from sessions where workspace in (family_id, practice_id);
  delete from payments where workspace in (family_id, practice_id);
  delete from workspaces where id = workspace;
end $$;

-- Finds the next owner when the current one leaves: the parent who has been a member longest. Parents whose
-- own account is being deleted come last. Only a parent who isn't limited to some children can take over,
-- because an owner sees everyone.
create or replace function heir_of(workspace uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.account_id from members m join users u on u.id = m.account_id where m.workspace_id = workspace and m.role = 'parent' and m.all_students
  order by (u.deletion_asked_at is null and u.disabled_at is null) desc, m.joined_at, m.account_id limit 1
$$;

-- Makes a member the owner. In a family, that must be a parent; in a practice, an assistant. Either way, it
-- has to be someone who sees all students. The former owner gets the new owner's previous role. Returns false
-- for anyone else. `until` extends the time before a plan is needed. After the handover, the new owner's
-- account determines whether the workspace's connections are open or closed.
create or replace function hand_over(workspace uuid, heir uuid, until timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  next_role text := (select case kind when 'family' then 'parent' else 'assistant' end from workspaces where id = workspace);
  former users;
  closed timestamptz := (select least(deletion_asked_at, disabled_at) from users where id = heir);
begin
  perform pg_advisory_xact_lock(hashtextextended('members:' || workspace, 0));
  perform from members where workspace_id = workspace and account_id = heir and role = next_role and all_students for update;
  if not found then return false; end if;
  select u.* into former from members m join users u on u.id = m.account_id where m.workspace_id = workspace and m.role = 'owner';
  update members set role = next_role where workspace_id = workspace and role = 'owner';
  update members set role = 'owner' where workspace_id = workspace and account_id = heir;
  update workspaces set owner_name = (select full_name from profiles where user_id = heir), writable_until = greatest(writable_until, until),
    trial_since = least(trial_since, coalesce(former.trial_since, former.created_at)) where id = workspace;
  update connections set family_closed_at = closed where family_id = workspace and family_closed_at is distinct from closed;
  update connections set practice_closed_at = closed where practice_id = workspace and practice_closed_at is distinct from closed;
  -- The account of an invited member has no role. An owner's account needs one, so set it here instead of
  -- asking.
  insert into user_roles (user_id, role) values (heir, case next_role when 'parent' then 'parent' else 'tutor' end) on conflict do nothing;
  perform pg_notify('changes', side::text) from connections c, unnest(array[c.family_id, c.practice_id]) side where side is not null
    and workspace in (c.family_id, c.practice_id);
  perform pg_notify('changes', workspace::text);
  return true;
end $$;

-- When a member is removed, notifies that member's pages and those of the remaining members right away. If
-- the workspace no longer has an owner, it's handed to a parent, with 30 days before a plan is needed
-- (docs/design/shared-sessions.md, Workspaces). If there's no such parent, the workspace is erased.
create or replace function end_membership() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', 'out:' || old.account_id);
  perform pg_notify('changes', old.workspace_id::text);
  if old.role = 'owner' and not hand_over(old.workspace_id, heir_of(old.workspace_id), now() + interval '30 days') then
    perform erase_workspace(old.workspace_id);
  end if;
  return null;
end $$;
create or replace trigger member_left after delete on members for each row execute function end_membership();

-- When a member's access changes, notifies that member's pages, so that they check again and discard any data
-- the member may no longer see.
create or replace function change_membership() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', 'out:' || new.account_id);
  perform pg_notify('changes', new.workspace_id::text);
  return null;
end $$;
create or replace trigger member_changed after update of role, all_students on members for each row execute function change_membership();

-- Other people see a workspace under its owner's name. This keeps that name up to date.
create or replace function name_workspaces() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update workspaces set owner_name = new.full_name where id in (select m.workspace_id from members m where m.account_id = new.user_id and m.role = 'owner');
  return null;
end $$;
create or replace trigger profile_named after update of full_name on profiles for each row
  when (old.full_name is distinct from new.full_name) execute function name_workspaces();
