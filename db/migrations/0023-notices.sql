-- A third choice of emails: connections that start or end. And one click ends the emails of the kind it stands in, not all;
-- links that were emailed before this name no kind, and end what there was then.
alter table notice_choices add column connection_changes boolean not null default true;
grant select (connection_changes), insert (connection_changes), update (connection_changes) on notice_choices to tutorlog_app, tutorlog_system;
alter table unsubscribe_tokens add column notice text check (notice in ('daily_digest', 'month_ready', 'connection_changes'));
grant select (notice), insert (notice) on unsubscribe_tokens to tutorlog_system;

-- Whoever accepts or ends a connection asks for the email to the other side in the same transaction, and can ask for nothing else.
create policy connection_mail on outbox for insert to tutorlog_tutor with check (kind = 'connection_changed' and recipient = '' and exists (
  select from tutor_links l where l.id = (data ->> 'link_id')::uuid and l.owner_id = user_id and (l.tutor_user_id = app_user() or l.id = app_link())));
grant insert (user_id, recipient, kind, data) on outbox to tutorlog_tutor;
create policy connection_mail_to_tutor on outbox for insert to tutorlog_app with check (kind = 'connection_changed' and recipient = '' and exists (
  select from tutor_links l where l.id = (data ->> 'link_id')::uuid and l.owner_id = app_user() and l.tutor_user_id = user_id and l.state = 'ended'));

-- A daily email counts what a family was shown since the last one; a student may be shared long after the lesson was logged.
grant select (created_at) on family_students to tutorlog_system;
