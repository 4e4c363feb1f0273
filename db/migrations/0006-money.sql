-- What was paid, so that every tutor (or, to a tutor, every family) has a running balance.
create table payments (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Whom a family paid; to a tutor this is their own row and the student names the family that paid.
  tutor_id uuid,
  student_id uuid,
  day date not null check (day between '1900-01-01' and '2200-12-31'),
  -- 'hours' buys lessons beforehand; 'opening' is what was owed before the first line.
  kind text not null default 'payment' check (kind in ('payment', 'hours', 'opening')),
  amount_cents integer not null check (amount_cents between 0 and 100000000),
  prepaid_minutes integer check (prepaid_minutes between 15 and 60000 and prepaid_minutes % 15 = 0),
  method text check (method in ('cash', 'transfer', 'card', 'check', 'app', 'other')),
  note text check (length(note) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id),
  -- As with sessions, only the reference is emptied: the payment stays in the books (promise D7).
  foreign key (owner_id, student_id) references students on delete set null (student_id),
  foreign key (owner_id, tutor_id) references tutors on delete set null (tutor_id),
  check ((kind = 'hours') = (prepaid_minutes is not null)),
  check (amount_cents > 0 or kind = 'hours')
);
create index payments_by_day on payments (owner_id, day desc, id desc);
create index payments_by_student on payments (owner_id, student_id);
create index payments_by_tutor on payments (owner_id, tutor_id);

alter table payments enable row level security;
alter table payments force row level security;
create policy own_rows on payments for all to tutorlog_app using (owner_id = app_user()) with check (owner_id = app_user());
grant select, delete on payments to tutorlog_app;
grant insert (owner_id, id, tutor_id, student_id, day, kind, amount_cents, prepaid_minutes, method, note),
  update (tutor_id, student_id, day, kind, amount_cents, prepaid_minutes, method, note, version, updated_at) on payments to tutorlog_app;

-- Out of the lists and forms, kept in history, can be brought back.
alter table students add column archived_at timestamptz;
alter table tutors add column archived_at timestamptz;
grant update (archived_at) on students to tutorlog_app;
grant update (archived_at) on tutors to tutorlog_app;
