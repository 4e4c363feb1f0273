-- What tells open pages that something changed.

-- Who should look again: both sides of a session. The listener is told ids and nothing else.
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
