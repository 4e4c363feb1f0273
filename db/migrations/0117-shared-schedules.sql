-- Schedules and their changes are entries of both sides of a connection, like sessions (docs/decisions/0033-one-schedule-two-sides.md).

-- They get other arguments (db/repeatable).
drop function if exists question_columns(text, boolean), agreed_columns(text, boolean, text);
drop function if exists question_of(text, uuid, text, timestamptz, integer, text, integer, timestamptz, timestamptz, timestamptz) cascade;

-- The tables' owner is bound by the policies, too, and has to read every row.
alter table schedules no force row level security;
alter table schedule_changes no force row level security;
create table own_schedules as select s.*, w.kind, w.currency from schedules s join workspaces w on w.id = s.workspace_id;
create table own_changes as select c.*, s.kind, s.currency, s.student_id, s.tutor_id from schedule_changes c
  join own_schedules s on s.workspace_id = c.workspace_id and s.id = c.schedule_id;
drop table schedules, schedule_changes cascade;

-- tutorlog_app is what all members have in common: caregivers see schedules, but no rate.
select make_kind('schedule', 'tutorlog_app', 4000);
alter table schedules
  -- The rule is what both sides agree on; its first day is the entry's.
  add day_of_week integer not null check (day_of_week between 0 and 6),
  add start_time time not null,
  add minutes integer not null check (minutes between 30 and 1440 and minutes % 30 = 0),
  add hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000),
  add frequency text not null default 'weekly' check (frequency in ('weekly', 'bi-weekly', 'monthly', 'custom')),
  add custom_interval_days integer check (custom_interval_days between 1 and 366),
  add end_day date,
  add is_active boolean not null default true,
  -- Either side changes the subject; it's no fact that they agree on.
  add subject text check (length(subject) <= 120),
  add timezone text not null default 'UTC' check (timezone = 'UTC'),
  -- A deleted schedule can be taken back for a while: the row stays, out of every list.
  add deleted_at timestamptz,
  -- When the other side ended the schedule, and the last day that the rule had before. This side may keep the schedule.
  add left_on date,
  add left_end_day date,
  -- Two families may share one child, and the tutor says which of them a lesson is with: once for each schedule.
  add chosen_connection_id uuid references connections on delete set null,
  -- A side's calendar keeps knowing a schedule by its first id after it was joined with the other side's.
  add family_feed_id uuid,
  add practice_feed_id uuid,
  add check (end_day between day and '2200-12-31'),
  add check ((frequency = 'custom') = (custom_interval_days is not null));
select make_proposals('schedule', 'tutorlog_app', array['start_day', 'day_of_week', 'start_time', 'minutes', 'rate_cents', 'frequency',
  'custom_interval_days', 'end_day', 'time_zone', 'is_active']);
create index schedules_chosen on schedules (chosen_connection_id) where chosen_connection_id is not null;

grant select (day_of_week, start_time, minutes, frequency, custom_interval_days, end_day, is_active, subject, timezone, deleted_at, left_on),
  insert (id, day, currency, day_of_week, start_time, minutes, frequency, custom_interval_days, end_day, is_active, subject),
  update (day, day_of_week, start_time, minutes, frequency, custom_interval_days, end_day, is_active, subject, deleted_at, left_on)
  on schedules to tutorlog_app;
grant select (hourly_rate_cents, left_end_day), insert (hourly_rate_cents), update (hourly_rate_cents) on schedules
  to tutorlog_family, tutorlog_practice;
grant select (family_feed_id) on schedules to tutorlog_family, tutorlog_caregiver;
grant select (practice_feed_id, chosen_connection_id), update (chosen_connection_id) on schedules to tutorlog_practice;
grant select (family_id, child_id, family_tutor_id) on schedules to tutorlog_caregiver;

-- One class of a schedule that is not as the rule says, such as one moved to another day and time. Its day is the one
-- that the rule gives.
select make_kind('schedule_change', 'tutorlog_app', 500);
alter table schedule_changes
  add schedule_id uuid not null,
  -- Where the class takes place instead.
  add moved_to date check (moved_to between '1900-01-01' and '2200-12-31'),
  add start_time time,
  add constraint schedule_changes_family_once unique (family_id, schedule_id, day),
  add constraint schedule_changes_practice_once unique (practice_id, schedule_id, day),
  -- While a schedule is split, its rows have no side to refer to for a moment (db/repeatable/splitting.sql).
  add constraint schedule_changes_of_family_schedule foreign key (family_id, schedule_id) references schedules (family_id, id)
    on delete cascade deferrable,
  add constraint schedule_changes_of_practice_schedule foreign key (practice_id, schedule_id) references schedules (practice_id, id)
    on delete cascade deferrable,
  add check ((moved_to is null) = (start_time is null));
select make_proposals('schedule_change', 'tutorlog_app', array['moved_to', 'start_time']);

grant select (schedule_id, moved_to, start_time, parted_from), insert (schedule_id, day, moved_to, start_time), update (moved_to, start_time)
  on schedule_changes to tutorlog_app;
-- Emails say what waits.
grant select (moved_to, schedule_id) on schedule_changes to tutorlog_system;
grant select (family_id, child_id, family_tutor_id) on schedule_changes to tutorlog_caregiver;

-- What was there belongs to one side, which confirmed it by entering it.
insert into schedules (id, family_id, child_id, family_tutor_id, practice_id, student_id, practice_tutor_id, chosen_connection_id, day, currency,
    family_answer, family_answer_version, family_answered_at, family_took_part,
    practice_answer, practice_answer_version, practice_answered_at, practice_took_part,
    day_of_week, start_time, minutes, hourly_rate_cents, frequency, custom_interval_days, end_day, is_active, subject, deleted_at,
    version, created_at, updated_at)
  select id, case when f then workspace_id end, case when f then student_id end, case when f then tutor_id end,
    case when not f then workspace_id end, case when not f then student_id end, case when not f then tutor_id end, connection_id, start_day, currency,
    case when f then 'confirmed' end, case when f then 1 end, case when f then created_at end, f,
    case when not f then 'confirmed' end, case when not f then 1 end, case when not f then created_at end, not f,
    day_of_week, start_time, minutes, hourly_rate_cents, frequency, custom_interval_days, end_day, is_active, subject, deleted_at,
    version, created_at, updated_at
  from (select *, kind = 'family' as f from own_schedules) s order by created_at, id;
insert into schedule_notes (workspace_id, schedule_id, text, version)
  select workspace_id, id, notes, 0 from own_schedules where notes <> '';
insert into schedule_changes (id, family_id, child_id, family_tutor_id, practice_id, student_id, practice_tutor_id, day, currency,
    family_answer, family_answer_version, family_answered_at, family_took_part,
    practice_answer, practice_answer_version, practice_answered_at, practice_took_part, schedule_id, moved_to, start_time, version, created_at)
  select id, case when f then workspace_id end, case when f then student_id end, case when f then tutor_id end,
    case when not f then workspace_id end, case when not f then student_id end, case when not f then tutor_id end, day, currency,
    case when f then 'confirmed' end, case when f then 1 end, case when f then created_at end, f,
    case when not f then 'confirmed' end, case when not f then 1 end, case when not f then created_at end, not f,
    schedule_id, moved_to, start_time, version, created_at
  from (select *, kind = 'family' as f from own_changes) c order by created_at, id;
drop table own_changes, own_schedules;

alter table sessions
  add constraint sessions_of_family_schedule foreign key (family_id, family_schedule_id) references schedules (family_id, id)
    on delete set null (family_schedule_id) deferrable,
  add constraint sessions_of_practice_schedule foreign key (practice_id, practice_schedule_id) references schedules (practice_id, id)
    on delete set null (practice_schedule_id) deferrable;
