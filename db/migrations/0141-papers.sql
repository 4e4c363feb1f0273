-- Receipts and invoices of a practice (docs/decisions/0051-papers.md). Triggers and policies are in db/repeatable.

-- Who issues a practice's papers, typed once.
create table paper_providers (
  workspace_id uuid not null primary key references workspaces on delete cascade,
  details jsonb not null check (jsonb_typeof(details) = 'object' and length(details::text) <= 6000),
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

-- The last number that a practice gave in a year. Only the trigger that numbers a paper writes it.
create table paper_numbers (
  workspace_id uuid not null references workspaces on delete cascade,
  year integer not null check (year between 1900 and 2200),
  last integer not null check (last >= 1),
  primary key (workspace_id, year)
);

create table papers (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('receipt', 'invoice')),
  -- Given by the trigger, in the transaction that issues the paper.
  year integer not null,
  number integer not null check (number >= 1),
  student_id uuid,
  program text not null check (program ~ '^[a-z0-9-]{1,40}$'),
  issued_on date not null check (issued_on between '1900-01-01' and '2200-12-31'),
  code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  -- What the paper says, from which it is drawn.
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  -- The sessions and charges on it.
  entries uuid[] not null check (cardinality(entries) between 1 and 1000),
  -- The voided paper that this one was issued for.
  replaces uuid,
  voided_at timestamptz,
  void_reason text check (length(void_reason) between 1 and 300),
  issued_at timestamptz not null,
  primary key (workspace_id, id),
  constraint papers_numbered_once unique (workspace_id, year, number),
  constraint papers_replaced_once unique (workspace_id, replaces),
  foreign key (workspace_id, replaces) references papers,
  foreign key (workspace_id, student_id) references students on delete set null (student_id),
  constraint papers_voided check ((voided_at is null) = (void_reason is null))
);
create index papers_of_student on papers (workspace_id, student_id);
create index papers_by_entry on papers using gin (entries) where voided_at is null;

-- A family exports by the same catalogue: it reads the tables and finds nothing of its own there.
grant select on paper_providers, paper_numbers, papers to tutorlog_family, tutorlog_practice;
grant insert (workspace_id, details), update (details, version, updated_at) on paper_providers to tutorlog_practice;
grant insert (workspace_id, id, kind, student_id, program, issued_on, code, content, entries, replaces, issued_at),
  update (voided_at, void_reason) on papers to tutorlog_practice;
-- Whoever has a paper's code sees its figures.
grant select (code, kind, year, number, issued_on, content, voided_at) on papers to tutorlog_system;
