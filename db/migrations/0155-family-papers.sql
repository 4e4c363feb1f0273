-- Receipts that a family makes in a tutor's name (docs/decisions/0057-papers-of-a-family.md). Functions, triggers and policies are in
-- db/repeatable.

-- Since when the tutor allows it, and the provider's details of a tutor without an account.
alter table connections add papers_allowed_at timestamptz,
  add paper_details jsonb check (jsonb_typeof(paper_details) = 'object' and length(paper_details::text) <= 6000);
grant select (papers_allowed_at) on connections to tutorlog_family, tutorlog_practice, tutorlog_link;
grant select (paper_details) on connections to tutorlog_link;

-- A practice's paper that a family issued has none of what the family typed on it: that's in the family's own row below.
alter table papers add is_by_family boolean not null default false;
grant select (is_by_family) on papers to tutorlog_system;

create table family_papers (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  -- Null once the connection is gone.
  connection_id uuid references connections on delete set null,
  tutor_id uuid,
  student_id uuid,
  kind text not null check (kind in ('receipt', 'invoice')),
  -- Whose numbers these are: the practice's if null, otherwise the connection's, whose tutor has no account.
  series text check (series ~ '^[0-9A-F]{4}$'),
  year integer not null,
  number integer not null check (number >= 1),
  program text not null check (program ~ '^[a-z0-9-]{1,40}$'),
  issued_on date not null check (issued_on between '1900-01-01' and '2200-12-31'),
  code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  entries uuid[] not null check (cardinality(entries) between 1 and 1000),
  replaces uuid,
  voided_at timestamptz,
  void_reason text check (length(void_reason) between 1 and 300),
  issued_at timestamptz not null,
  primary key (workspace_id, id),
  constraint papers_of_family_replaced_once unique (workspace_id, replaces),
  foreign key (workspace_id, replaces) references family_papers,
  foreign key (workspace_id, tutor_id) references tutors on delete set null (tutor_id),
  foreign key (workspace_id, student_id) references students on delete set null (student_id),
  constraint papers_of_family_voided check ((voided_at is null) = (void_reason is null))
);
create unique index family_papers_numbered_once on family_papers (connection_id, year, number) where series is not null;
create index family_papers_of_tutor on family_papers (workspace_id, tutor_id);
create index family_papers_of_student on family_papers (workspace_id, student_id);
create index family_papers_by_entry on family_papers using gin (entries) where voided_at is null;
create index family_papers_by_id on family_papers (id);

-- A practice exports by the same catalogue: it reads the table and finds nothing of its own there.
grant select on family_papers to tutorlog_family, tutorlog_practice;
grant update (voided_at, void_reason) on family_papers to tutorlog_family;
-- Whoever has a paper's code sees its figures.
grant select (code, kind, series, year, number, issued_on, content, voided_at) on family_papers to tutorlog_system;
