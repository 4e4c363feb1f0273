-- Notifies open pages of changes.

-- Notifies both sides of a session. The listener gets nothing but ids.
create or replace function tell_both() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', side::text) from unnest(array[new.family_id, new.practice_id]) side where side is not null;
  return null;
end $$;
revoke all on function tell_both() from public;
create or replace trigger session_told after insert on session_history for each row execute function tell_both();

create or replace function tell_of_connection() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', side::text) from unnest(array[new.family_id, new.practice_id]) side where side is not null;
  return null;
end $$;
revoke all on function tell_of_connection() from public;
create or replace trigger connection_told after insert or update of state on connections for each row execute function tell_of_connection();

-- Notifies members' open pages when the workspace's members or its other records change.
create or replace function tell_members() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0]);
  return null;
end $$;
do $$
declare name text;
begin
  foreach name in array array['students', 'tutors', 'schedules', 'schedule_changes', 'members', 'member_students', 'member_invitations'] loop
    execute format('create or replace trigger %1$s_told after insert or update or delete on %1$I
      for each row execute function tell_members(''workspace_id'')', name);
  end loop;
end $$;
create or replace trigger workspaces_told after update on workspaces for each row
  when (old.currency <> new.currency or old.owner_name is distinct from new.owner_name) execute function tell_members('id');
