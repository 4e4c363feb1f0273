-- Students and tutors of a workspace. Their policies are in db/repeatable/policies.sql.

create table students (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(name) between 1 and 120),
  grade text check (length(grade) <= 60),
  notes text check (length(notes) <= 4000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Out of the lists and forms, kept in history, can be brought back.
  archived_at timestamptz,
  -- All that a tutor ever sees of a child; the database keeps it apart, so that no query can show more.
  first_name text not null generated always as (split_part(btrim(name), ' ', 1)) stored,
  -- A tutor may ask another rate of one student than of the rest. A family's children have none.
  hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000),
  primary key (workspace_id, id)
);

create table tutors (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(name) between 1 and 120),
  email text check (length(email) <= 254),
  phone text check (length(phone) <= 40),
  hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000),
  subjects text[] not null default '{}' check (cardinality(subjects) <= 40),
  notes text check (length(notes) <= 4000),
  -- A tutor's forms need a tutor too: themself, shown as "You".
  is_self boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (workspace_id, id)
);
create unique index tutors_one_self on tutors (workspace_id) where is_self;

-- The students whose records a limited member keeps.
create table member_students (
  workspace_id uuid not null,
  account_id uuid not null,
  student_id uuid not null,
  primary key (workspace_id, account_id, student_id),
  foreign key (workspace_id, account_id) references members on delete cascade,
  foreign key (workspace_id, student_id) references students on delete cascade
);
create index member_students_by_student on member_students (workspace_id, student_id);

grant select (workspace_id, id, name, grade, notes, version, created_at, updated_at, archived_at, first_name),
  insert (workspace_id, id, name, grade, notes), update (name, grade, notes, version, updated_at, archived_at),
  delete on students to tutorlog_app;
-- tutorlog_app is what all members have in common: a caregiver sees no amount.
grant select (hourly_rate_cents), insert (hourly_rate_cents),
  update (hourly_rate_cents) on students to tutorlog_family, tutorlog_practice;
grant select (workspace_id, id, first_name) on students to tutorlog_system;
grant select (workspace_id, id, name, email, phone, subjects, notes, is_self, version, created_at, updated_at, archived_at),
  insert (workspace_id, id, name, email, phone, subjects, notes, is_self),
  update (name, email, phone, subjects, notes, version, updated_at, archived_at), delete on tutors to tutorlog_app;
grant select (hourly_rate_cents), insert (hourly_rate_cents), update (hourly_rate_cents) on tutors to tutorlog_family, tutorlog_practice;
grant select (workspace_id, id, name, is_self), insert (workspace_id, name, is_self), delete on tutors to tutorlog_system;
grant select (workspace_id, account_id, student_id), insert (workspace_id, account_id, student_id),
  delete on member_students to tutorlog_app;
grant select (workspace_id, account_id, student_id), insert (workspace_id, account_id, student_id) on member_students to tutorlog_system;
