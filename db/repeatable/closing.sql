-- An account that closes: its links answer no more, and open pages are told to look whether they still may (promises A16, T18).

-- Undoing a deletion opens the links again: least() of two nulls is null.
create or replace function close_account() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', 'out:' || new.id);
  update tutor_links set closed_at = least(new.deletion_asked_at, new.disabled_at) where owner_id = new.id;
  perform pg_notify('changes', tutor_user_id::text) from tutor_links where owner_id = new.id and tutor_user_id is not null;
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
