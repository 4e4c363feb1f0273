-- How a practice wants to be paid; the families of its active connections see it (docs/decisions/0018-ways-to-pay.md). The
-- policies stand in db/repeatable/policies.sql, what a family reads in db/repeatable/payment-ways.sql.
create table payment_ways (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The order in which families see them; the limit of six holds here too.
  position integer not null check (position between 1 and 6),
  kind text not null check (kind in ('link', 'sepa', 'swiss', 'upi', 'text')),
  details jsonb not null check (jsonb_typeof(details) = 'object' and length(details::text) <= 4000),
  -- The same for all ways of a workspace, and new with every change: the whole list is replaced at once.
  version integer not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, position)
);
alter table payment_ways enable row level security;
alter table payment_ways force row level security;
create sequence payment_ways_version as integer;

-- A family exports by the same catalog and has none of its own, so it reads the table and finds nothing there.
grant select on payment_ways to tutorlog_family;
grant select, insert (workspace_id, id, position, kind, details, version), delete on payment_ways to tutorlog_practice;
grant usage on sequence payment_ways_version to tutorlog_practice;
