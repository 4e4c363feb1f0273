-- From the moment an account is deleted or disabled nothing of it answers any more, although its rows are still there
-- (promises A16, T18): its links are closed, and whoever streams changes is told to look whether they still may.
alter table tutor_links add column closed_at timestamptz;
grant select (closed_at) on tutor_links to tutorlog_app, tutorlog_tutor;
grant select (closed_at), update (closed_at) on tutor_links to tutorlog_system;

alter table users no force row level security;
alter table tutor_links no force row level security;
update tutor_links l set closed_at = least(u.deletion_asked_at, u.disabled_at) from users u where u.id = l.owner_id;
alter table tutor_links force row level security;
alter table users force row level security;

-- Undoing a deletion opens the links again: least() of two nulls is null.
create function close_account() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', 'out:' || new.id);
  update tutor_links set closed_at = least(new.deletion_asked_at, new.disabled_at) where owner_id = new.id;
  perform pg_notify('changes', tutor_user_id::text) from tutor_links where owner_id = new.id and tutor_user_id is not null;
  return null;
end $$;
create trigger account_closed after update of deletion_asked_at, disabled_at on users for each row
  when (old.deletion_asked_at is distinct from new.deletion_asked_at or old.disabled_at is distinct from new.disabled_at)
  execute function close_account();

create function tell_of_login() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', 'out:' || old.user_id);
  return null;
end $$;
create trigger login_ended after delete on logins for each row execute function tell_of_login();

-- A closed link: a tutor with an account reads what was there and writes nothing; a mailed link and a question are gone.
drop policy tutor_reads on tutor_links;
create policy tutor_reads on tutor_links for select to tutorlog_tutor using (
  (state = 'active' and tutor_user_id = app_user())
  or (state in ('asked', 'active') and closed_at is null and (id = app_link()
    or (tutor_user_id is null and email_key = (select u.email_key from users u where u.id = app_user() and u.email_confirmed_at is not null)))));
drop policy tutor_answers on tutor_links;
create policy tutor_answers on tutor_links for update to tutorlog_tutor
  using (state in ('asked', 'active') and (tutor_user_id = app_user() or (closed_at is null and (id = app_link()
    or (tutor_user_id is null and email_key = (select u.email_key from users u where u.id = app_user() and u.email_confirmed_at is not null))))))
  with check (state in ('active', 'declined', 'ended') and (state <> 'active' or closed_at is null) and (ended_by is null or ended_by = 'tutor') and tutor_user_id is not distinct from app_user());

-- Sessions of later days that were logged beforehand do not show up while the account waits to be erased.
drop policy linked_sessions on sessions;
create policy linked_sessions on sessions for select to tutorlog_tutor using (exists (
  select from tutor_links l where l.owner_id = sessions.owner_id and l.tutor_id = sessions.tutor_id
    and (l.closed_at is null or sessions.day <= (l.closed_at at time zone 'UTC')::date + 1)
    and ((l.state = 'active' and l.tutor_user_id = app_user()) or (l.state in ('asked', 'active') and l.id = app_link()))));
drop policy tutor_word on sessions;
create policy tutor_word on sessions for update to tutorlog_tutor using (exists (
  select from tutor_links l where l.owner_id = sessions.owner_id and l.tutor_id = sessions.tutor_id and l.closed_at is null
    and ((l.state = 'active' and l.tutor_user_id = app_user()) or (l.state in ('asked', 'active') and l.id = app_link()))));
drop policy tutor_rows on family_students;
create policy tutor_rows on family_students for all to tutorlog_tutor using (owner_id = app_user())
  with check (owner_id = app_user() and exists (select from tutor_links l where l.id = link_id and l.state = 'active' and l.closed_at is null and l.tutor_user_id = app_user()));
