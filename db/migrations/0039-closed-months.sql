-- A month that both sides of a connection agree on as a whole: one side asks, the other confirms, and the page that both keep is
-- frozen. Reopening keeps the row with its code; closing again makes another one. Functions, triggers and policies stand in
-- db/repeatable/months.sql (docs/decisions/0017-closed-months.md).
create table closed_months (
  -- No reference: the page outlives the connection.
  connection_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- Empty for a side without an account, and for one that was erased.
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
  primary key (connection_id, id),
  constraint closed_months_of_somebody check (family_id is not null or practice_id is not null),
  check ((state = 'asked') = (answered_at is null) and (state = 'asked') = (code is null) and (code is null) = (content is null) and (content is null) = (content_hash is null)),
  check ((state = 'reopened') = (reopened_by is not null) and (reopened_by is null) = (reopened_at is null) and (reopened_at is null) = (reason is null))
);
create unique index closed_months_one_open on closed_months (connection_id, month) where state in ('asked', 'closed');
create index closed_months_of_family on closed_months (family_id, month);
create index closed_months_of_practice on closed_months (practice_id, month);
alter table closed_months enable row level security;
alter table closed_months force row level security;

-- Rows are written by functions alone.
grant select (connection_id, id, month, state, asked_by, asked_at, answered_at, code, content, reopened_by, reopened_at, reason, version)
  on closed_months to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (family_id) on closed_months to tutorlog_family;
grant select (practice_id) on closed_months to tutorlog_practice;
grant select on closed_months to tutorlog_system;
