-- A family and a tutor's practice that share the sessions between them (docs/decisions/0006-two-sides.md). Functions, triggers
-- and policies of these tables are in db/repeatable.

create table connections (
  -- A side without an account is null; then the email address names it.
  family_id uuid references workspaces,
  id uuid primary key default gen_random_uuid(),
  tutor_id uuid,
  -- The address that was asked, and as it's compared; both go when nobody answers (promise P9).
  email text check (length(email) <= 254),
  email_key text check (email_key = translate(email_key, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')),
  state text not null default 'asked' check (state in ('asked', 'active', 'declined', 'ended')),
  practice_id uuid references workspaces,
  answered_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  -- The last email about what waits; there is at most one a day.
  mailed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Since when the account of a side's owner is closed: the other side then reads and writes nothing.
  family_closed_at timestamptz,
  practice_closed_at timestamptz,
  asked_by text not null default 'family' check (asked_by in ('family', 'practice')),
  -- From which day on sessions are shared; null is all of them.
  shared_from date,
  -- When the practice last changed its ways to pay, and last told the family of it.
  ways_changed_at timestamptz,
  ways_told_at timestamptz,
  foreign key (family_id, tutor_id) references tutors on delete set null (tutor_id),
  check ((state in ('declined', 'ended')) = (ended_at is not null)),
  constraint connections_ended_by check (ended_by in ('family', 'practice'))
);
create unique index connections_one_open on connections (family_id, tutor_id) where state in ('asked', 'active');
create index connections_of_practice on connections (practice_id) where practice_id is not null;
create unique index connections_one_open_address on connections (practice_id, email_key)
  where asked_by = 'practice' and state in ('asked', 'active');
create index connections_by_address on connections (email_key) where practice_id is null or family_id is null;

-- Who is whom: a family's child and the practice's student, matched on accepting. The practice sees the child's first name.
create table connection_people (
  connection_id uuid not null references connections on delete cascade,
  id uuid not null default gen_random_uuid(),
  family_id uuid,
  child_id uuid,
  practice_id uuid,
  student_id uuid,
  first_name text not null,
  primary key (connection_id, id),
  unique (connection_id, child_id),
  unique (connection_id, student_id),
  foreign key (family_id, child_id) references students on delete set null (child_id),
  foreign key (practice_id, student_id) references students on delete set null (student_id)
);
create index connection_people_by_child on connection_people (family_id, child_id);
create index connection_people_by_student on connection_people (practice_id, student_id);

-- Emailed links that answer without an account. Only hashes are kept (promise A18).
create table link_tokens (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references connections on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index link_tokens_by_link on link_tokens (link_id);

grant select (family_id, id, email_key, state, answered_at, ended_at, ended_by, version, created_at, updated_at, family_closed_at,
    practice_closed_at, asked_by, shared_from, ways_changed_at),
  insert (email, email_key, shared_from),
  update (state, answered_at, ended_at, ended_by, version, updated_at) on connections to tutorlog_family, tutorlog_practice;
grant select (tutor_id, email, mailed_at), insert (family_id, tutor_id), update (family_id, tutor_id) on connections to tutorlog_family;
grant select (practice_id), insert (practice_id, asked_by), update (practice_id) on connections to tutorlog_practice;
grant select (id, practice_closed_at) on connections to tutorlog_caregiver;
grant select (family_id, id, email_key, state, practice_id, answered_at, ended_by, version, created_at, family_closed_at,
    practice_closed_at),
  update (state, answered_at, ended_at, ended_by, version, updated_at) on connections to tutorlog_link, tutorlog_family_link;
grant select (asked_by, ways_changed_at) on connections to tutorlog_family_link;
grant select (family_id, id, tutor_id, email, email_key, state, practice_id, answered_at, ended_at, mailed_at, version, created_at,
    family_closed_at, practice_closed_at, asked_by, shared_from, ways_changed_at, ways_told_at),
  update (email, email_key, state, ended_at, mailed_at, version, updated_at) on connections to tutorlog_system;
grant select (connection_id, id, first_name) on connection_people to tutorlog_app;
grant select (family_id, child_id) on connection_people to tutorlog_family;
grant select (practice_id, student_id), update (student_id) on connection_people to tutorlog_practice;
grant select (connection_id, id, child_id, first_name) on connection_people to tutorlog_link;
grant select (connection_id, id, student_id, first_name) on connection_people to tutorlog_family_link;
grant select (connection_id, child_id, student_id, first_name) on connection_people to tutorlog_system;
grant select (id, link_id, token_hash, expires_at), insert (link_id, token_hash, expires_at), delete on link_tokens to tutorlog_system;
