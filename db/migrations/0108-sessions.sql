-- Sessions: one lesson, one row, two sides (docs/decisions/0015-one-lesson-one-row.md).

-- tutorlog_app is what all members have in common: caregivers see sessions, but no amount.
select make_kind('session', 'tutorlog_app', 4000);
alter table sessions
  -- The facts that both confirm, with the people.
  add minutes integer not null check (minutes between 0 and 1440 and minutes % 15 = 0),
  add rate_override_cents integer check (rate_override_cents between 0 and 1000000),
  -- The rate without the override, as it was when the session was logged.
  add tutor_rate_cents integer check (tutor_rate_cents between 0 and 1000000),
  add total_cents integer generated always as (((coalesce(rate_override_cents, tutor_rate_cents)::bigint * minutes * 2 + 60) / 120)::integer)
    stored,
  add subject text check (length(subject) <= 120),
  -- When it began, what was done and what comes next: shared by both sides, written by either, and no fact that they confirm.
  -- The time is that of the place, like a schedule's.
  add start_time time,
  add summary text check (length(summary) <= 500),
  add homework text check (length(homework) <= 500),
  -- The class of its own schedule that the session is for.
  add family_schedule_id uuid,
  add family_class_day date,
  add practice_schedule_id uuid,
  add practice_class_day date,
  -- What the family answered to the practice's dispute, and the practice to the family's.
  add family_reply text check (length(family_reply) between 1 and 500),
  add family_reply_at timestamptz,
  add practice_reply text check (length(practice_reply) between 1 and 500),
  add practice_reply_at timestamptz,
  -- The caregiver who logged it, until someone else confirms or changes it: until then, it's theirs to change and delete.
  add caregiver_id uuid references users on delete set null,
  -- A session from a device's queue or an import that looks like one that the other side logged: it waits in the list of pairs.
  -- Until someone says whether they are one lesson, it's in its own log alone and counts in no total.
  add is_held boolean not null default false,
  add foreign key (family_id, family_schedule_id) references schedules on delete set null (family_schedule_id),
  add foreign key (practice_id, practice_schedule_id) references schedules on delete set null (practice_schedule_id),
  add constraint sessions_family_class check (family_schedule_id is null or family_class_day is not null),
  add constraint sessions_practice_class check (practice_schedule_id is null or practice_class_day is not null);
create unique index sessions_once_per_family_class on sessions (family_id, family_schedule_id, family_class_day);
create unique index sessions_once_per_practice_class on sessions (practice_id, practice_schedule_id, practice_class_day);
create index sessions_of_caregiver on sessions (caregiver_id) where caregiver_id is not null;
create index sessions_held_by_family on sessions (family_id) where is_held;
create index sessions_held_by_practice on sessions (practice_id) where is_held;
create index sessions_family_asked on sessions (connection_id) where family_asked_since is not null;
create index sessions_practice_asked on sessions (connection_id) where practice_asked_since is not null;

-- Two rows that look like the same lesson, until someone says whether they are.
create table session_pairs (
  connection_id uuid not null references connections on delete cascade,
  id uuid not null default gen_random_uuid(),
  family_id uuid not null,
  family_key bigint not null unique references sessions on delete cascade,
  practice_id uuid not null,
  practice_key bigint not null unique references sessions on delete cascade,
  -- Whether someone has answered. When any other pair goes, its rows are released (db/repeatable/merging.sql).
  is_answered boolean not null default false,
  primary key (connection_id, id)
);

grant select (minutes, subject, start_time, summary, homework, is_held, family_reply_at, practice_reply_at),
  insert (id, day, minutes, currency, subject, start_time, summary, homework, is_held),
  update (day, minutes, subject, start_time, summary, homework) on sessions to tutorlog_app;
grant select (rate_override_cents, tutor_rate_cents, total_cents, family_reply, practice_reply),
  insert (rate_override_cents, tutor_rate_cents), update (rate_override_cents, tutor_rate_cents) on sessions
  to tutorlog_family, tutorlog_practice;
grant select (family_schedule_id, family_class_day), insert (family_schedule_id, family_class_day),
  update (family_schedule_id, family_class_day) on sessions to tutorlog_family, tutorlog_caregiver;
grant update (family_reply) on sessions to tutorlog_family;
grant select (practice_schedule_id, practice_class_day), insert (connection_id, practice_schedule_id, practice_class_day),
  update (connection_id, practice_schedule_id, practice_class_day, practice_reply) on sessions to tutorlog_practice;
grant select (family_id, child_id, family_tutor_id, caregiver_id), insert (family_id, child_id, family_tutor_id),
  update (child_id, family_tutor_id) on sessions to tutorlog_caregiver;
grant select (minutes, rate_override_cents, tutor_rate_cents, total_cents, subject, start_time, summary, homework),
  update (summary, homework) on sessions to tutorlog_link, tutorlog_family_link;
grant select (child_id, family_reply, family_reply_at) on sessions to tutorlog_link;
grant select (student_id, practice_reply, practice_reply_at) on sessions to tutorlog_family_link;
grant select (child_id, minutes, rate_override_cents, tutor_rate_cents, total_cents, subject, family_reply_at, family_took_part,
    practice_reply_at, practice_took_part, version, created_at, start_time, summary, homework, is_held) on sessions to tutorlog_system;
grant select (connection_id, id) on session_pairs to tutorlog_family, tutorlog_practice;
