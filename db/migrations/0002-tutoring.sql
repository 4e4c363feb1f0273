-- The product's own tables. The owner stands first in every key, so that a row can never name another owner's row and
-- the table can be spread over machines by owner.
create table students (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(name) between 1 and 120),
  grade text check (length(grade) <= 60),
  notes text check (length(notes) <= 4000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id)
);

create table tutors (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(name) between 1 and 120),
  email text check (length(email) <= 254),
  phone text check (length(phone) <= 40),
  hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000),
  subjects text[] not null default '{}' check (cardinality(subjects) <= 40),
  notes text check (length(notes) <= 4000),
  -- A tutor's forms need a tutor too: themself, shown as 'You' (docs/product-decisions.md, section 2).
  is_self boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id)
);
create unique index tutors_one_self on tutors (owner_id) where is_self;

create table sessions (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  student_id uuid,
  tutor_id uuid,
  day date not null check (day between '1900-01-01' and '2200-12-31'),
  minutes integer not null check (minutes between 0 and 1440 and minutes % 15 = 0),
  rate_override_cents integer check (rate_override_cents between 0 and 1000000),
  -- The tutor's rate on the day it was logged: changing a tutor's rate never rewrites history.
  tutor_rate_cents integer check (tutor_rate_cents between 0 and 1000000),
  total_cents integer generated always as
    (((coalesce(rate_override_cents, tutor_rate_cents)::bigint * minutes * 2 + 60) / 120)::integer) stored,
  subject text check (length(subject) <= 120),
  notes text check (length(notes) <= 4000),
  status text not null default 'completed' check (status in ('completed')),
  verified_by_tutor boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id),
  -- Only the reference is emptied: the session itself stays in the books (promise D7).
  foreign key (owner_id, student_id) references students on delete set null (student_id),
  foreign key (owner_id, tutor_id) references tutors on delete set null (tutor_id)
);
create index sessions_by_day on sessions (owner_id, day desc, id desc);
create index sessions_by_student on sessions (owner_id, student_id);
create index sessions_by_tutor on sessions (owner_id, tutor_id);

create table schedules (
  owner_id uuid not null references users on delete cascade,
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
  end_day date check (end_day >= start_day and end_day <= '2200-12-31'),
  timezone text not null default 'UTC' check (timezone = 'UTC'),
  is_active boolean not null default true,
  notes text check (length(notes) <= 4000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id),
  foreign key (owner_id, student_id) references students on delete set null (student_id),
  foreign key (owner_id, tutor_id) references tutors on delete set null (tutor_id),
  check ((frequency = 'custom') = (custom_interval_days is not null))
);
create index schedules_by_start on schedules (owner_id, start_day desc, id desc);
create index schedules_by_student on schedules (owner_id, student_id);
create index schedules_by_tutor on schedules (owner_id, tutor_id);

do $$
declare name text;
begin
  foreach name in array array['students', 'tutors', 'sessions', 'schedules'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_rows on %I for all to tutorlog_app using (owner_id = app_user()) with check (owner_id = app_user())', name);
    execute format('grant select on %I to tutorlog_app', name);
    execute format('grant delete on %I to tutorlog_app', name);
  end loop;
end $$;

grant insert (owner_id, id, name, grade, notes), update (name, grade, notes, version, updated_at) on students to tutorlog_app;
grant insert (owner_id, id, name, email, phone, hourly_rate_cents, subjects, notes, is_self),
  update (name, email, phone, hourly_rate_cents, subjects, notes, version, updated_at) on tutors to tutorlog_app;
grant insert (owner_id, id, student_id, tutor_id, day, minutes, rate_override_cents, tutor_rate_cents, subject, notes),
  update (student_id, tutor_id, day, minutes, rate_override_cents, tutor_rate_cents, subject, notes, verified_by_tutor, version, updated_at) on sessions to tutorlog_app;
grant insert (owner_id, id, student_id, tutor_id, subject, day_of_week, start_time, minutes, hourly_rate_cents, frequency,
    custom_interval_days, start_day, end_day, notes),
  update (student_id, tutor_id, subject, day_of_week, start_time, minutes, hourly_rate_cents, frequency, custom_interval_days,
    start_day, end_day, is_active, notes, version, updated_at) on schedules to tutorlog_app;

-- Signing up as a tutor writes the tutor's own row before anyone is signed in.
create policy system_self on tutors for all to tutorlog_system using (is_self) with check (is_self);
grant select (owner_id, is_self), insert (owner_id, name, is_self), delete on tutors to tutorlog_system;
