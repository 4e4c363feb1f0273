-- What was paid: one payment, one row, two sides, like sessions. Functions, triggers and policies are in db/repeatable. An
-- emailed page's columns are granted in db/repeatable/payments.sql.

create table payments (
  key bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  connection_id uuid references connections,
  -- The family's side: whom it paid, and for which child if it said so.
  family_id uuid references workspaces,
  family_tutor_id uuid,
  child_id uuid,
  -- The practice's side: its own row, and whose family paid.
  practice_id uuid references workspaces,
  practice_tutor_id uuid,
  student_id uuid,
  -- The facts that both confirm.
  day date not null check (day between '1900-01-01' and '2200-12-31'),
  -- 'hours' buys lessons ahead; 'opening' is what was owed before the first line.
  kind text not null default 'payment' check (kind in ('payment', 'hours', 'opening')),
  amount_cents integer not null check (amount_cents between 0 and 100000000),
  prepaid_minutes integer check (prepaid_minutes between 15 and 60000 and prepaid_minutes % 15 = 0),
  method text check (method in ('cash', 'transfer', 'card', 'check', 'app', 'other')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Counts the changes of the facts; a word holds for the facts that it was given on.
  facts_version integer not null default 1,
  family_word text check (family_word in ('confirmed', 'disputed')),
  family_word_version integer,
  family_word_at timestamptz,
  family_word_note text check (length(family_word_note) between 1 and 500),
  family_took_part boolean not null default false,
  practice_word text check (practice_word in ('confirmed', 'disputed')),
  practice_word_version integer,
  practice_word_at timestamptz,
  practice_word_note text check (length(practice_word_note) between 1 and 500),
  practice_took_part boolean not null default false,
  is_confirmed boolean not null generated always as (coalesce(family_word = 'confirmed' and family_word_version = facts_version
    and practice_word = 'confirmed' and practice_word_version = facts_version, false)) stored,
  -- Deleting what the other side ever confirmed needs its consent.
  deletion_asked_by text check (deletion_asked_by in ('family', 'practice')),
  deletion_asked_at timestamptz,
  -- Whose side it was that a copy was parted from. No reference: the workspace may be gone.
  parted_from uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Like those of sessions.
  family_asked_since timestamptz,
  family_reminders integer not null default 0 check (family_reminders >= 0),
  family_reminded_at timestamptz,
  practice_asked_since timestamptz,
  practice_reminders integer not null default 0 check (practice_reminders >= 0),
  practice_reminded_at timestamptz,
  constraint payments_of_family unique (family_id, id),
  constraint payments_of_practice unique (practice_id, id),
  -- Only the reference is emptied: the payment stays in the books (promise D7).
  foreign key (family_id, family_tutor_id) references tutors on delete set null (family_tutor_id),
  foreign key (family_id, child_id) references students on delete set null (child_id),
  foreign key (practice_id, practice_tutor_id) references tutors on delete set null (practice_tutor_id),
  foreign key (practice_id, student_id) references students on delete set null (student_id),
  constraint payments_of_somebody check (family_id is not null or practice_id is not null),
  check ((kind = 'hours') = (prepaid_minutes is not null)),
  check (amount_cents > 0 or kind = 'hours'),
  check (coalesce(family_word = 'disputed', false) = (family_word_note is not null)),
  check (coalesce(practice_word = 'disputed', false) = (practice_word_note is not null)),
  check ((deletion_asked_by is null) = (deletion_asked_at is null)),
  constraint payments_family_reminded check ((family_reminders = 0) = (family_reminded_at is null)),
  constraint payments_practice_reminded check ((practice_reminders = 0) = (practice_reminded_at is null))
);
create index payments_of_family_by_day on payments (family_id, day desc, id desc);
create index payments_of_practice_by_day on payments (practice_id, day desc, id desc);
create index payments_by_family_tutor on payments (family_id, family_tutor_id);
create index payments_by_child on payments (family_id, child_id);
create index payments_by_practice_tutor on payments (practice_id, practice_tutor_id);
create index payments_by_student on payments (practice_id, student_id);
create index payments_of_connection on payments (connection_id, day) where connection_id is not null;

-- A side's private note, which the other side never gets.
create table payment_notes (
  workspace_id uuid not null references workspaces on delete cascade,
  payment_id uuid not null,
  -- Empty once the note was taken back: the version goes on, so that no version of the payment comes back.
  text text not null check (length(text) <= 500),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, payment_id)
);

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

do $$
declare name text;
begin
  foreach name in array array['payments', 'payment_notes', 'payment_ways'] loop
    execute format('alter table %1$I enable row level security; alter table %1$I force row level security', name);
  end loop;
end $$;

-- Each side writes its own people and its own word. A caregiver is granted nothing.
grant select (key, id, connection_id, day, kind, amount_cents, prepaid_minutes, method, currency, facts_version, family_word,
    family_word_version, family_word_at, family_word_note, family_took_part, practice_word, practice_word_version, practice_word_at,
    practice_word_note, practice_took_part, is_confirmed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at,
    family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at),
  insert (id, connection_id, day, kind, amount_cents, prepaid_minutes, method),
  update (day, kind, amount_cents, prepaid_minutes, method, deletion_asked_by, deletion_asked_at, version, updated_at),
  delete on payments to tutorlog_family, tutorlog_practice;
grant select (family_id, family_tutor_id, child_id), insert (family_id, family_tutor_id, child_id),
  update (family_tutor_id, child_id, family_word, family_word_version, family_word_note) on payments to tutorlog_family;
grant select (practice_id, practice_tutor_id, student_id), insert (practice_id, practice_tutor_id, student_id),
  update (practice_tutor_id, student_id, practice_word, practice_word_version, practice_word_note) on payments to tutorlog_practice;
grant select (family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at) on
    payments to tutorlog_link, tutorlog_family_link;
grant select (family_word_note, practice_word_note, family_asked_since, family_reminders, family_reminded_at, practice_asked_since,
    practice_reminders, practice_reminded_at),
  update (family_reminders, family_reminded_at, practice_reminders, practice_reminded_at) on payments to tutorlog_system;
grant select, insert (workspace_id, payment_id, text), update (text, version, updated_at),
  delete on payment_notes to tutorlog_family, tutorlog_practice;
-- A family exports by the same catalogue: it reads the table and finds nothing of its own there.
grant select on payment_ways to tutorlog_family, tutorlog_practice;
grant insert (workspace_id, id, position, kind, details, version), delete on payment_ways to tutorlog_practice;

create sequence payment_ways_version as integer;
grant usage on sequence payment_ways_version to tutorlog_practice;
