-- Since when a side is asked for its word on a session or for its agreement to a deletion, and the reminders that it was sent
-- (db/repeatable/waiting.sql keeps them; src/features/sessions/confirmation.ts has the rule).
alter table sessions no force row level security;
alter table sessions
  add column family_asked_since timestamptz,
  add column family_reminders integer not null default 0 check (family_reminders >= 0),
  add column family_reminded_at timestamptz,
  add column practice_asked_since timestamptz,
  add column practice_reminders integer not null default 0 check (practice_reminders >= 0),
  add column practice_reminded_at timestamptz,
  add constraint sessions_family_reminded check ((family_reminders = 0) = (family_reminded_at is null)),
  add constraint sessions_practice_reminded check ((practice_reminders = 0) = (practice_reminded_at is null));
-- Nobody was reminded of what waits already: its time begins now, that of a deletion when it was asked for.
update sessions set
  family_asked_since = case when deletion_asked_by = 'practice' then deletion_asked_at
    when deletion_asked_by is null and (family_word is null or family_word_version is distinct from facts_version or (family_word = 'disputed' and practice_reply_at > family_word_at)) then now() end,
  practice_asked_since = case when deletion_asked_by = 'family' then deletion_asked_at
    when deletion_asked_by is null and (practice_word is null or practice_word_version is distinct from facts_version or (practice_word = 'disputed' and family_reply_at > practice_word_at)) then now() end
  where connection_id is not null;
alter table sessions force row level security;
create index sessions_family_asked on sessions (connection_id) where family_asked_since is not null;
create index sessions_practice_asked on sessions (connection_id) where practice_asked_since is not null;

grant select (family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at) on sessions
  to tutorlog_app, tutorlog_caregiver, tutorlog_link, tutorlog_system;
grant update (family_reminders, family_reminded_at, practice_reminders, practice_reminded_at) on sessions to tutorlog_system;
-- The emailed page answers whoever asks to delete a session.
grant select (family_took_part, deletion_asked_at), update (deletion_asked_by, deletion_asked_at), delete on sessions to tutorlog_link;
