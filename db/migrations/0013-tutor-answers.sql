-- An update that reads no column is held by this policy alone: without naming whose links these are, a tutor's side could
-- have answered for every link there is.
drop policy tutor_answers on tutor_links;
create policy tutor_answers on tutor_links for update to tutorlog_tutor
  using (state in ('asked', 'active') and (id = app_link() or tutor_user_id = app_user()
    or (tutor_user_id is null and email_key = (select u.email_key from users u where u.id = app_user() and u.email_confirmed_at is not null))))
  with check (state in ('active', 'declined', 'ended') and (ended_by is null or ended_by = 'tutor') and tutor_user_id is not distinct from app_user());

-- What an export shows its owner.
grant select (mailed_at, updated_at) on tutor_links to tutorlog_app;
grant select (mailed_at, updated_at) on notice_choices to tutorlog_app;
grant select (created_at) on declined_proposals to tutorlog_app;
