-- One payment, one row, two sides, as sessions have them (docs/decisions/0015-one-lesson-one-row.md). The functions, triggers and
-- policies of these tables stand in db/repeatable.
alter table payments no force row level security;
alter table workspaces no force row level security;
alter table payments rename to payments_before;
alter index payments_pkey rename to payments_before_pkey;

create table payments (
  key bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  connection_id uuid references connections,
  -- The family's side: whom it paid, and for which child where that was said.
  family_id uuid references workspaces,
  family_tutor_id uuid,
  child_id uuid,
  -- The practice's side: its own row, and whose family paid.
  practice_id uuid references workspaces,
  practice_tutor_id uuid,
  student_id uuid,
  -- The facts that both confirm.
  day date not null check (day between '1900-01-01' and '2200-12-31'),
  -- 'hours' buys lessons beforehand; 'opening' is what was owed before the first line.
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
  constraint payments_of_family unique (family_id, id),
  constraint payments_of_practice unique (practice_id, id),
  constraint payments_of_somebody check (family_id is not null or practice_id is not null),
  check ((kind = 'hours') = (prepaid_minutes is not null)),
  check (amount_cents > 0 or kind = 'hours'),
  check (coalesce(family_word = 'disputed', false) = (family_word_note is not null)),
  check (coalesce(practice_word = 'disputed', false) = (practice_word_note is not null)),
  check ((deletion_asked_by is null) = (deletion_asked_at is null)),
  -- Only the reference is emptied: the payment stays in the books (promise D7).
  foreign key (family_id, family_tutor_id) references tutors (workspace_id, id) on delete set null (family_tutor_id),
  foreign key (family_id, child_id) references students (workspace_id, id) on delete set null (child_id),
  foreign key (practice_id, practice_tutor_id) references tutors (workspace_id, id) on delete set null (practice_tutor_id),
  foreign key (practice_id, student_id) references students (workspace_id, id) on delete set null (student_id)
);

-- One's own note, which the other side never gets.
create table payment_notes (
  workspace_id uuid not null references workspaces on delete cascade,
  payment_id uuid not null,
  -- Empty once the note was taken back: the version goes on, so that no version of the payment comes back.
  text text not null check (length(text) <= 500),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, payment_id)
);

-- What was recorded until now stays with the side that recorded it, which confirmed it by that.
insert into payments (id, family_id, family_tutor_id, child_id, practice_id, practice_tutor_id, student_id, day, kind, amount_cents, prepaid_minutes, method, currency,
  family_word, family_word_version, family_word_at, family_took_part, practice_word, practice_word_version, practice_word_at, practice_took_part, version, created_at, updated_at)
select p.id, f.id, case when f.id is not null then p.tutor_id end, case when f.id is not null then p.student_id end,
  t.id, case when t.id is not null then p.tutor_id end, case when t.id is not null then p.student_id end,
  p.day, p.kind, p.amount_cents, p.prepaid_minutes, p.method, coalesce(f.currency, t.currency),
  case when f.id is not null then 'confirmed' end, case when f.id is not null then 1 end, case when f.id is not null then p.created_at end, f.id is not null,
  case when t.id is not null then 'confirmed' end, case when t.id is not null then 1 end, case when t.id is not null then p.created_at end, t.id is not null,
  p.version, p.created_at, p.updated_at
from payments_before p
  left join workspaces f on f.id = p.workspace_id and f.kind = 'family'
  left join workspaces t on t.id = p.workspace_id and t.kind = 'practice'
order by p.workspace_id, p.day, p.id;
insert into payment_notes (workspace_id, payment_id, text) select workspace_id, id, note from payments_before where note <> '';

-- Nothing got lost on the way.
do $$
begin
  if (select count(*) from payments) <> (select count(*) from payments_before) then raise exception 'the payments are not all there'; end if;
  if (select count(*) from payment_notes) <> (select count(*) from payments_before where note <> '') then raise exception 'the notes are not all there'; end if;
end $$;
drop table payments_before;

create index payments_of_family_by_day on payments (family_id, day desc, id desc);
create index payments_of_practice_by_day on payments (practice_id, day desc, id desc);
create index payments_by_family_tutor on payments (family_id, family_tutor_id);
create index payments_by_child on payments (family_id, child_id);
create index payments_by_practice_tutor on payments (practice_id, practice_tutor_id);
create index payments_by_student on payments (practice_id, student_id);
create index payments_of_connection on payments (connection_id, day) where connection_id is not null;

alter table payments enable row level security;
alter table payments force row level security;
alter table payment_notes enable row level security;
alter table payment_notes force row level security;
alter table workspaces force row level security;

-- What each side may read and write: its own people and its own word. A caregiver and the system are granted nothing.
grant select (key, id, connection_id, day, kind, amount_cents, prepaid_minutes, method, currency, facts_version, family_word, family_word_version, family_word_at, family_word_note, family_took_part,
    practice_word, practice_word_version, practice_word_at, practice_word_note, practice_took_part, is_confirmed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at),
  insert (id, connection_id, day, kind, amount_cents, prepaid_minutes, method),
  update (day, kind, amount_cents, prepaid_minutes, method, deletion_asked_by, deletion_asked_at, version, updated_at), delete on payments to tutorlog_family, tutorlog_practice;
grant select (family_id, family_tutor_id, child_id), insert (family_id, family_tutor_id, child_id),
  update (family_tutor_id, child_id, family_word, family_word_version, family_word_note) on payments to tutorlog_family;
grant select (practice_id, practice_tutor_id, student_id), insert (practice_id, practice_tutor_id, student_id),
  update (practice_tutor_id, student_id, practice_word, practice_word_version, practice_word_note) on payments to tutorlog_practice;
grant select, insert (workspace_id, payment_id, text), update (text, version, updated_at), delete on payment_notes to tutorlog_family, tutorlog_practice;
