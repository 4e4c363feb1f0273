-- Classes that repeat, and the calendar that shows them. The policies of these tables are in db/repeatable/policies.sql.

create table schedules (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  student_id uuid,
  tutor_id uuid,
  subject text check (length(subject) <= 120),
  day_of_week integer not null check (day_of_week between 0 and 6),
  start_time time not null,
  minutes integer not null check (minutes between 30 and 1440 and minutes % 30 = 0),
  hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000),
  frequency text not null default 'weekly' check (frequency in ('weekly', 'bi-weekly', 'monthly', 'custom')),
  custom_interval_days integer check (custom_interval_days between 1 and 366),
  start_day date not null check (start_day between '1900-01-01' and '2200-12-31'),
  end_day date,
  timezone text not null default 'UTC' check (timezone = 'UTC'),
  is_active boolean not null default true,
  notes text check (length(notes) <= 4000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted schedule can be taken back for a while: the row stays, out of every list.
  deleted_at timestamptz,
  -- Two families may share one child, and the tutor says which of them a lesson is with: once for each schedule.
  connection_id uuid references connections on delete set null,
  primary key (workspace_id, id),
  foreign key (workspace_id, student_id) references students on delete set null (student_id),
  foreign key (workspace_id, tutor_id) references tutors on delete set null (tutor_id),
  check (end_day between start_day and '2200-12-31'),
  check ((frequency = 'custom') = (custom_interval_days is not null))
);
create index schedules_by_student on schedules (workspace_id, student_id);
create index schedules_by_tutor on schedules (workspace_id, tutor_id);
create index schedules_by_start on schedules (workspace_id, start_day desc, id desc) where deleted_at is null;
create index schedules_of_connection on schedules (connection_id) where connection_id is not null;

-- One class of a series that is not as the rule says: skipped, or moved to another day and time.
create table schedule_changes (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  schedule_id uuid not null,
  -- The day that the rule gives.
  day date not null,
  -- Where the class takes place instead; null when it's skipped.
  moved_to date check (moved_to between '1900-01-01' and '2200-12-31'),
  start_time time,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, schedule_id, day),
  foreign key (workspace_id, schedule_id) references schedules on delete cascade,
  check ((moved_to is null) = (start_time is null))
);

-- The secret address of a member's calendar, which ends with the membership; only its hash is kept (promise A18).
create table calendar_feeds (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  token_hash bytea not null unique,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  account_id uuid not null,
  primary key (workspace_id, id),
  unique (workspace_id, account_id),
  foreign key (workspace_id, account_id) references members on delete cascade
);

grant select (workspace_id, id, student_id, tutor_id, subject, day_of_week, start_time, minutes, frequency, custom_interval_days,
    start_day, end_day, timezone, is_active, notes, version, created_at, updated_at, deleted_at, connection_id),
  insert (workspace_id, id, student_id, tutor_id, subject, day_of_week, start_time, minutes, frequency, custom_interval_days, start_day,
    end_day, is_active, notes),
  update (student_id, tutor_id, subject, day_of_week, start_time, minutes, frequency, custom_interval_days, start_day, end_day, is_active,
    notes, version, updated_at, deleted_at),
  delete on schedules to tutorlog_app;
grant select (hourly_rate_cents), insert (hourly_rate_cents),
  update (hourly_rate_cents) on schedules to tutorlog_family, tutorlog_practice;
grant update (connection_id) on schedules to tutorlog_practice;
grant select, insert (workspace_id, schedule_id, day, moved_to, start_time), update (moved_to, start_time, version),
  delete on schedule_changes to tutorlog_app;
grant select, insert (workspace_id, token_hash, account_id), update (token_hash, version, created_at),
  delete on calendar_feeds to tutorlog_app;
grant select (workspace_id, token_hash, account_id) on calendar_feeds to tutorlog_system;
