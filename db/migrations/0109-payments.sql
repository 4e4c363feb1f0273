-- What was paid: one payment, one row, two sides, like sessions.

-- A caregiver sees no payment.
select make_kind('payment', 'tutorlog_family, tutorlog_practice', 500);
alter table payments
  -- The facts that both confirm. 'hours' buys lessons ahead; 'opening' is what was owed before the first line.
  add kind text not null default 'payment' check (kind in ('payment', 'hours', 'opening')),
  add amount_cents integer not null check (amount_cents between 0 and 100000000),
  add prepaid_minutes integer check (prepaid_minutes between 15 and 60000 and prepaid_minutes % 15 = 0),
  add method text check (method in ('cash', 'transfer', 'card', 'check', 'app', 'other')),
  add constraint payments_hours check ((kind = 'hours') = (prepaid_minutes is not null)),
  add constraint payments_not_nothing check (amount_cents > 0 or kind = 'hours');

grant select (kind, amount_cents, prepaid_minutes, method),
  insert (id, connection_id, day, kind, amount_cents, prepaid_minutes, method),
  update (day, kind, amount_cents, prepaid_minutes, method) on payments
  to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (kind, amount_cents, prepaid_minutes, method, family_answer_note, practice_answer_note) on payments to tutorlog_system;

-- How a practice wants to be paid; the families of its active connections see it (docs/decisions/0018-ways-to-pay.md).
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

-- A family exports by the same catalogue: it reads the table and finds nothing of its own there.
grant select on payment_ways to tutorlog_family, tutorlog_practice;
grant insert (workspace_id, id, position, kind, details, version), delete on payment_ways to tutorlog_practice;

create sequence payment_ways_version as integer;
grant usage on sequence payment_ways_version to tutorlog_practice;
