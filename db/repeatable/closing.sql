-- When an account is closed, its side can no longer respond in any of its connections, and its open pages are
-- prompted to check whether they still have access (promises A16, T18).

-- Since when the account of a workspace's owner is closed. Null if it's open: least() of two nulls is null.
create or replace function owner_closed_at(workspace uuid) returns timestamptz
language sql stable security definer set search_path = public, pg_temp
as $$ select least(u.deletion_asked_at, u.disabled_at) from members m join users u on u.id = m.account_id where m.workspace_id = workspace and m.role = 'owner' $$;

-- Brings a workspace's connections in line with its owner's account. If a deletion is undone, they reopen.
create or replace function close_connections(workspace uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform for_sides(format('update connections set {own}_closed_at = owner_closed_at({own}_id)
    where {own}_id = %L and {own}_closed_at is distinct from owner_closed_at({own}_id)', workspace));
  perform notify_both(c) from connections c where workspace in (c.family_id, c.practice_id);
end $$;
create or replace function close_account() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', 'out:' || new.id);
  perform close_connections(m.workspace_id) from members m where m.account_id = new.id and m.role = 'owner';
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
  new.family_closed_at := owner_closed_at(new.family_id);
  new.practice_closed_at := owner_closed_at(new.practice_id);
  return new;
end $$;
create or replace trigger connection_closed before insert on connections for each row execute function close_new_connection();

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
  set constraints all deferred;
  perform for_kinds(format($kind$
    select split_rows(array(select e from {place} e where %1$L in (e.family_id, e.practice_id) and e.connection_id is not null order by e.key for update));
    update {place} set parted_from = '00000000-0000-0000-0000-000000000000' where parted_from = %1$L;
    delete from {place} where %1$L in (family_id, practice_id) $kind$, workspace));
  set constraints all immediate;
  perform notify_both(c) from connections c where workspace in (c.family_id, c.practice_id);
  -- The other side keeps its closed months, and the history of what was deleted while it was shared. What only this
  -- side has is deleted.
  perform for_sides(format($side$
    update closed_months set {own}_id = null, asked_proof = null where {own}_id = %1$L and {other}_id is not null;
    update history set {own}_id = null, connection_id = null where {own}_id = %1$L and {other}_id is not null $side$, workspace));
  delete from closed_months where workspace in (family_id, practice_id);
  delete from history where workspace in (family_id, practice_id);
  delete from connections where workspace in (family_id, practice_id);
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
begin
  perform pg_advisory_xact_lock(hashtextextended('members:' || workspace, 0));
  perform from members where workspace_id = workspace and account_id = heir and role = next_role and all_students for update;
  if not found then return false; end if;
  select u.* into former from members m join users u on u.id = m.account_id where m.workspace_id = workspace and m.role = 'owner';
  update members set role = next_role where workspace_id = workspace and role = 'owner';
  update members set role = 'owner' where workspace_id = workspace and account_id = heir;
  update workspaces set owner_name = (select full_name from profiles where user_id = heir), writable_until = greatest(writable_until, until),
    trial_since = least(trial_since, coalesce(former.trial_since, former.created_at)) where id = workspace;
  perform close_connections(workspace);
  -- The account of an invited member has no role. An owner's account needs one, so set it here instead of
  -- asking.
  insert into user_roles (user_id, role) values (heir, case next_role when 'parent' then 'parent' else 'tutor' end) on conflict do nothing;
  perform pg_notify('changes', workspace::text);
  return true;
end $$;

-- When a member is removed or its access changes, that member's pages check again and discard what the member may no
-- longer see. If the workspace no longer has an owner, it's handed to a parent, with 30 days before a plan is needed
-- (docs/design/shared-sessions.md, Workspaces). If there's no such parent, the workspace is erased.
create or replace function change_membership() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', 'out:' || old.account_id);
  perform pg_notify('changes', old.workspace_id::text);
  if tg_op = 'DELETE' and old.role = 'owner' and not hand_over(old.workspace_id, heir_of(old.workspace_id), now() + interval '30 days') then
    perform erase_workspace(old.workspace_id);
  end if;
  return null;
end $$;
create or replace trigger member_left after delete on members for each row execute function change_membership();
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
