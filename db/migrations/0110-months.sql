-- Agreed months and their codes. Functions, triggers and policies of closed months are in db/repeatable/months.sql.

-- A month that both sides of a connection agree on as a whole: one side asks, the other confirms, and the page that both
-- keep is frozen. Reopening keeps the row with its code; closing again makes another one
-- (docs/decisions/0017-closed-months.md).
create table closed_months (
  -- No reference: the page outlives the connection.
  connection_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- Null for a side without an account, and for one that was erased.
  family_id uuid references workspaces,
  practice_id uuid references workspaces,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  state text not null check (state in ('asked', 'closed', 'reopened')),
  asked_by text not null check (asked_by in ('family', 'practice')),
  asked_at timestamptz not null,
  answered_at timestamptz,
  code text unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  -- What the page says, from which it is drawn; and the SHA-256 of its text (src/features/months/closing.ts).
  content jsonb,
  content_hash bytea,
  reopened_by text check (reopened_by in ('family', 'practice')),
  reopened_at timestamptz,
  reason text check (length(reason) between 1 and 300),
  -- Goes on from one closing of the month to the next.
  version integer not null,
  reminders integer not null default 0 check (reminders >= 0),
  reminded_at timestamptz,
  primary key (connection_id, id),
  constraint closed_months_of_somebody check (family_id is not null or practice_id is not null),
  check ((state = 'asked') = (answered_at is null) and (state = 'asked') = (code is null) and (code is null) = (content is null)
    and (content is null) = (content_hash is null)),
  check ((state = 'reopened') = (reopened_by is not null) and (reopened_by is null) = (reopened_at is null)
    and (reopened_at is null) = (reason is null)),
  constraint closed_months_reminded check ((reminders = 0) = (reminded_at is null))
);
create unique index closed_months_one_open on closed_months (connection_id, month) where state in ('asked', 'closed');
create index closed_months_of_family on closed_months (family_id, month);
create index closed_months_of_practice on closed_months (practice_id, month);

-- A month in which both sides confirmed every session. The code on its statement tells anyone who has it that the statement is
-- genuine.
create table sign_offs (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  tutor_id uuid,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  -- SHA-256 of who confirmed what when; another content is another sign-off.
  content_hash bytea not null,
  signed_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, tutor_id) references tutors on delete set null (tutor_id)
);
create unique index sign_offs_by_content on sign_offs (workspace_id, tutor_id, month, content_hash);

-- Only functions write closed months.
grant select (connection_id, id, month, state, asked_by, asked_at, answered_at, code, content, reopened_by, reopened_at, reason, version,
    reminders, reminded_at) on closed_months to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (family_id) on closed_months to tutorlog_family;
grant select (practice_id) on closed_months to tutorlog_practice;
grant select, update (reminders, reminded_at) on closed_months to tutorlog_system;
grant select (workspace_id, id, tutor_id, month, code, signed_at) on sign_offs to tutorlog_family, tutorlog_practice;
grant select (workspace_id, id, tutor_id, month, code, content_hash, signed_at),
  insert (workspace_id, tutor_id, month, code, content_hash, signed_at) on sign_offs to tutorlog_system;
