-- The lock on what two sides share. Everything that records, answers, matches, merges or ends takes it before
-- it reads what is shared. A row is therefore either written before the end and split by it, or written after
-- it and not shared.
--
-- Whoever takes several locks takes them in this order, so that nobody waits in a circle:
--   1. the connection, to change it
--   2. the sharing lock; of several workspaces, the one with the lowest id first
--   3. a connection's day, payments or month (advisory locks)
--   4. the pair that a session is in
--   5. sessions and payments

create or replace function sharing_lock(workspace uuid) returns bigint
language sql immutable
as $$ select hashtextextended('sharing:' || workspace, 0) $$;

-- Keeps the caller's connections and their people as they are until the transaction ends. Any number of
-- callers can do that at once.
create or replace function hold_sharing() returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(sharing_lock(workspace)) from (select coalesce(app_workspace(),
    (select coalesce(c.family_id, c.practice_id) from connections c where c.id = app_link())) as workspace) own where workspace is not null;
end $$;

-- Same, and locks the pair that a session is in, because both sides may be about to lock their half of it.
create or replace function hold_session(session uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own uuid := app_workspace();
  keys bigint[];
begin
  perform hold_sharing();
  -- One lookup in each side's index.
  keys := array(select key from sessions where family_id = own and id = session union all select key from sessions where practice_id = own and id = session
    union all select key from sessions where connection_id = app_link() and id = session);
  perform from session_pairs where family_key = any (keys) or practice_key = any (keys) for update;
end $$;

-- Locks both sides of a connection against everyone who shares, and the caller's own side, which may be about
-- to become one of them. Returns the connection as it is from then on.
create or replace function lock_sides(link uuid) returns connections
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections;
  workspace uuid;
begin
  -- Only whoever has this lock may put an account on one of the sides, so they don't change from here on.
  perform pg_advisory_xact_lock(hashtextextended('connection:' || link, 0));
  select * into c from connections where id = link;
  for workspace in select distinct side from unnest(array[c.family_id, c.practice_id, app_workspace()]) side where side is not null order by side loop
    perform pg_advisory_xact_lock(sharing_lock(workspace));
  end loop;
  return c;
end $$;

-- Locks a connection's sides for a caller who is on one of them, or whom it asks. Without a connection, for
-- one that's about to be made, locks the caller's own side. Returns the connection's state; null if it isn't
-- the caller's, or not any more.
create or replace function lock_connection(link uuid) returns text
language plpgsql security definer set search_path = public, pg_temp
as $$
declare c connections;
begin
  if link is null then
    perform pg_advisory_xact_lock(sharing_lock(app_workspace()));
    return null;
  end if;
  perform from connections where id = link
    and (app_workspace() in (family_id, practice_id) or id = app_link() or (email_key = app_address() and (family_id is null or practice_id is null)));
  if not found then return null; end if;
  c := lock_sides(link);
  -- An account may have taken over the emailed page's side.
  return case when app_link() is null or coalesce(app_open_link(), app_open_family_link()) is not null then c.state end;
end $$;

-- Locks the sides of a family's connection with a tutor, because deleting the tutor ends it.
create or replace function lock_connection_with(tutor uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform lock_sides(c.id) from connections c where c.family_id = app_workspace() and c.tutor_id = tutor and c.state in ('asked', 'active');
end $$;
