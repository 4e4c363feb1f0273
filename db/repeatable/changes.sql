-- What tells open pages that something changed.

-- Who should look again: the family, and the tutor's account where there is one. The listener is told ids and nothing else.
create or replace function tell_both() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', new.workspace_id::text);
  perform pg_notify('changes', l.tutor_user_id::text) from tutor_links l
  where l.workspace_id = new.workspace_id and l.tutor_id = new.tutor_id and l.state = 'active' and l.tutor_user_id is not null;
  return null;
end $$;
create or replace trigger session_told after insert on session_history for each row execute function tell_both();
create or replace function tell_of_link() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', new.workspace_id::text);
  if new.tutor_user_id is not null then perform pg_notify('changes', new.tutor_user_id::text); end if;
  return null;
end $$;
create or replace trigger link_told after insert or update of state on tutor_links for each row execute function tell_of_link();
