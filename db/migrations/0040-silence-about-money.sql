-- Since when a side is asked about a payment or about closing a month, and the reminders that it was sent, as sessions have them
-- (db/repeatable/waiting.sql keeps them); and when a practice last changed its ways to pay, and last told of it.
alter table payments no force row level security;
alter table payments
  add column family_asked_since timestamptz,
  add column family_reminders integer not null default 0 check (family_reminders >= 0),
  add column family_reminded_at timestamptz,
  add column practice_asked_since timestamptz,
  add column practice_reminders integer not null default 0 check (practice_reminders >= 0),
  add column practice_reminded_at timestamptz,
  add constraint payments_family_reminded check ((family_reminders = 0) = (family_reminded_at is null)),
  add constraint payments_practice_reminded check ((practice_reminders = 0) = (practice_reminded_at is null));
-- Nobody was reminded of what waits already: its time begins now, that of a deletion when it was asked for.
update payments set
  family_asked_since = case when deletion_asked_by = 'practice' then deletion_asked_at
    when deletion_asked_by is null and (family_word is null or family_word_version is distinct from facts_version) then now() end,
  practice_asked_since = case when deletion_asked_by = 'family' then deletion_asked_at
    when deletion_asked_by is null and (practice_word is null or practice_word_version is distinct from facts_version) then now() end
  where connection_id is not null;
alter table payments force row level security;
grant select (family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at) on payments
  to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link, tutorlog_system;
grant update (family_reminders, family_reminded_at, practice_reminders, practice_reminded_at) on payments to tutorlog_system;
-- Why a payment was sent back is said to whoever reported it, as on its page.
grant select (family_word_note, practice_word_note) on payments to tutorlog_system;

alter table closed_months no force row level security;
alter table closed_months
  add column reminders integer not null default 0 check (reminders >= 0),
  add column reminded_at timestamptz,
  add constraint closed_months_reminded check ((reminders = 0) = (reminded_at is null));
alter table closed_months force row level security;
grant select (reminders, reminded_at) on closed_months to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant update (reminders, reminded_at) on closed_months to tutorlog_system;

alter table connections
  add column ways_changed_at timestamptz,
  add column ways_told_at timestamptz;
grant select (ways_changed_at, ways_told_at) on connections to tutorlog_system;
grant select (ways_changed_at) on connections to tutorlog_family, tutorlog_practice, tutorlog_family_link;
