-- Sessions: one lesson, one row, two sides (docs/decisions/0015-one-lesson-one-row.md). Functions, triggers, policies and each
-- side's view of these tables are in db/repeatable.

create table sessions (
  key bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  connection_id uuid references connections,
  -- The family's side: its own people, and the class of its schedule that the session is for.
  family_id uuid references workspaces,
  child_id uuid,
  family_tutor_id uuid,
  family_schedule_id uuid,
  family_class_day date,
  -- The practice's side.
  practice_id uuid references workspaces,
  student_id uuid,
  practice_tutor_id uuid,
  practice_schedule_id uuid,
  practice_class_day date,
  -- The facts that both confirm, with the people.
  day date not null check (day between '1900-01-01' and '2200-12-31'),
  minutes integer not null check (minutes between 0 and 1440 and minutes % 15 = 0),
  rate_override_cents integer check (rate_override_cents between 0 and 1000000),
  -- The rate without the override, as it was when the session was logged.
  tutor_rate_cents integer check (tutor_rate_cents between 0 and 1000000),
  total_cents integer generated always as (((coalesce(rate_override_cents, tutor_rate_cents)::bigint * minutes * 2 + 60) / 120)::integer)
    stored,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subject text check (length(subject) <= 120),
  -- Counts the changes of the facts; a word holds for the facts that it was given on.
  facts_version integer not null default 1,
  family_word text check (family_word in ('confirmed', 'disputed')),
  family_word_version integer,
  family_word_at timestamptz,
  family_word_note text check (length(family_word_note) between 1 and 500),
  -- What the family answered to the practice's dispute.
  family_reply text check (length(family_reply) between 1 and 500),
  family_reply_at timestamptz,
  family_took_part boolean not null default false,
  practice_word text check (practice_word in ('confirmed', 'disputed')),
  practice_word_version integer,
  practice_word_at timestamptz,
  practice_word_note text check (length(practice_word_note) between 1 and 500),
  practice_reply text check (length(practice_reply) between 1 and 500),
  practice_reply_at timestamptz,
  practice_took_part boolean not null default false,
  is_verified boolean not null generated always as (coalesce(family_word = 'confirmed' and family_word_version = facts_version
    and practice_word = 'confirmed' and practice_word_version = facts_version, false)) stored,
  is_disputed boolean not null generated always as (coalesce(family_word = 'disputed'
    and family_word_version = facts_version, false) or coalesce(practice_word = 'disputed'
    and practice_word_version = facts_version, false)) stored,
  -- Deleting what the other side took part in needs its consent.
  deletion_asked_by text check (deletion_asked_by in ('family', 'practice')),
  deletion_asked_at timestamptz,
  -- Whose side it was that a copy was parted from: its words are on it, so nobody else becomes the other side. No reference:
  -- the workspace may be gone.
  parted_from uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The caregiver who logged it, until someone else confirms or changes it: until then, it's theirs to change and delete.
  caregiver_id uuid references users on delete set null,
  -- When it began, what was done and what comes next: shared by both sides, written by either, and no fact that they confirm
  -- (docs/decisions/0015-one-lesson-one-row.md). The time is that of the place, like a schedule's.
  start_time time,
  summary text check (length(summary) <= 500),
  homework text check (length(homework) <= 500),
  -- A session from a device's queue or an import that looks like one that the other side logged: it waits in the list of pairs.
  -- Until someone says whether they are one lesson, it's in its own log alone and counts in no total.
  is_held boolean not null default false,
  -- Since when a side is asked for its word or for its agreement to a deletion, and the reminders that it was sent
  -- (db/repeatable/agreements.sql keeps them; src/features/sessions/confirmation.ts has the rule).
  family_asked_since timestamptz,
  family_reminders integer not null default 0 check (family_reminders >= 0),
  family_reminded_at timestamptz,
  practice_asked_since timestamptz,
  practice_reminders integer not null default 0 check (practice_reminders >= 0),
  practice_reminded_at timestamptz,
  constraint sessions_of_family unique (family_id, id),
  constraint sessions_of_practice unique (practice_id, id),
  -- Only the reference is emptied: the session itself stays in the books (promise D7).
  foreign key (family_id, child_id) references students on delete set null (child_id),
  foreign key (family_id, family_tutor_id) references tutors on delete set null (family_tutor_id),
  foreign key (family_id, family_schedule_id) references schedules on delete set null (family_schedule_id),
  foreign key (practice_id, student_id) references students on delete set null (student_id),
  foreign key (practice_id, practice_tutor_id) references tutors on delete set null (practice_tutor_id),
  foreign key (practice_id, practice_schedule_id) references schedules on delete set null (practice_schedule_id),
  constraint sessions_of_somebody check (family_id is not null or practice_id is not null),
  check (coalesce(family_word = 'disputed', false) = (family_word_note is not null)),
  check (coalesce(practice_word = 'disputed', false) = (practice_word_note is not null)),
  check (family_schedule_id is null or family_class_day is not null),
  check (practice_schedule_id is null or practice_class_day is not null),
  check ((deletion_asked_by is null) = (deletion_asked_at is null)),
  constraint sessions_family_reminded check ((family_reminders = 0) = (family_reminded_at is null)),
  constraint sessions_practice_reminded check ((practice_reminders = 0) = (practice_reminded_at is null))
);
create index sessions_of_family_by_day on sessions (family_id, day desc, id desc);
create index sessions_of_practice_by_day on sessions (practice_id, day desc, id desc);
create index sessions_by_child on sessions (family_id, child_id);
create index sessions_by_family_tutor on sessions (family_id, family_tutor_id);
create index sessions_by_student on sessions (practice_id, student_id);
create index sessions_by_practice_tutor on sessions (practice_id, practice_tutor_id);
create index sessions_of_connection on sessions (connection_id, day) where connection_id is not null;
create unique index sessions_once_per_family_class on sessions (family_id, family_schedule_id, family_class_day);
create unique index sessions_once_per_practice_class on sessions (practice_id, practice_schedule_id, practice_class_day);
create index sessions_of_caregiver on sessions (caregiver_id) where caregiver_id is not null;
create index sessions_held_by_family on sessions (family_id) where is_held;
create index sessions_held_by_practice on sessions (practice_id) where is_held;
create index sessions_family_asked on sessions (connection_id) where family_asked_since is not null;
create index sessions_practice_asked on sessions (connection_id) where practice_asked_since is not null;

-- A side's private notes: the other side never gets them, and writing them changes nothing that it could see.
create table session_notes (
  workspace_id uuid not null references workspaces on delete cascade,
  session_id uuid not null,
  -- Empty once the notes were taken back: the version goes on, so that no version of the session comes back.
  text text not null check (length(text) <= 4000),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, session_id)
);

-- Every entry says who did what when, and has the hash of the entry before it. It contains no name: a deleted child or tutor
-- is gone from every table (promise D7).
create table session_history (
  session_key bigint not null,
  -- Sessions that were merged keep both their chains.
  chain integer not null default 1,
  seq integer not null,
  session_id uuid not null,
  -- Who reads it; all else of an entry never changes.
  connection_id uuid,
  family_id uuid,
  practice_id uuid,
  at timestamptz not null default clock_timestamp(),
  side text not null check (side in ('family', 'practice', 'system')),
  -- The member who did it, for their own side alone.
  actor_id uuid,
  action text not null check (action in ('recorded', 'logged', 'changed', 'confirmed', 'withdrawn', 'disputed', 'answered', 'accepted',
    'deletion asked', 'kept', 'deleted', 'merged')),
  facts jsonb not null,
  changed text[] not null default '{}',
  note text,
  previous_hash bytea not null,
  hash bytea not null,
  -- The text that was hashed: sessions from before there were two sides have another format.
  hashed_text text not null,
  -- What a caregiver reads of an entry. Hashes stay hidden too: with all else known, trying every rate would find the one.
  open_facts jsonb not null generated always as (facts - array['rate_cents', 'total_cents', 'merged']) stored,
  primary key (session_key, chain, seq)
);
create index session_history_of_family on session_history (family_id, session_id);
create index session_history_of_practice on session_history (practice_id, session_id);
create index session_history_of_connection on session_history (connection_id) where connection_id is not null;

-- Two rows that look like the same lesson, until someone says whether they are.
create table session_pairs (
  connection_id uuid not null references connections on delete cascade,
  id uuid not null default gen_random_uuid(),
  family_id uuid not null,
  family_key bigint not null unique references sessions on delete cascade,
  practice_id uuid not null,
  practice_key bigint not null unique references sessions on delete cascade,
  -- Whether someone has answered. When any other pair goes, its rows are released (db/repeatable/merging.sql).
  is_answered boolean not null default false,
  primary key (connection_id, id)
);

do $$
declare name text;
begin
  foreach name in array array['sessions', 'session_notes', 'session_history', 'session_pairs'] loop
    execute format('alter table %1$I enable row level security; alter table %1$I force row level security', name);
  end loop;
end $$;

-- Each side writes its own people and its own word. tutorlog_app is what all members have in common, and sees no amount; a note
-- of a word and the reply to it are often about money. A caregiver answers neither.
grant select (key, id, connection_id, day, minutes, currency, subject, facts_version, family_word, family_word_version, family_word_at,
    family_reply_at, family_took_part, practice_word, practice_word_version, practice_word_at, practice_reply_at, practice_took_part,
    is_verified, is_disputed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at, start_time, summary, homework,
    is_held, family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at),
  insert (id, day, minutes, currency, subject, start_time, summary, homework, is_held),
  update (day, minutes, subject, version, updated_at, start_time, summary, homework), delete on sessions to tutorlog_app;
grant select (rate_override_cents, tutor_rate_cents, total_cents, family_word_note, family_reply, practice_word_note, practice_reply),
  insert (rate_override_cents, tutor_rate_cents),
  update (rate_override_cents, tutor_rate_cents, deletion_asked_by, deletion_asked_at) on sessions to tutorlog_family, tutorlog_practice;
grant select (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day),
  insert (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day),
  update (child_id, family_tutor_id, family_schedule_id, family_class_day, family_word, family_word_version, family_word_note,
    family_reply) on sessions to tutorlog_family;
grant select (practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day),
  insert (connection_id, practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day),
  update (connection_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day, practice_word, practice_word_version,
    practice_word_note, practice_reply) on sessions to tutorlog_practice;
grant select (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day, caregiver_id, family_asked_since,
    family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at),
  insert (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day),
  update (child_id, family_tutor_id, family_schedule_id, family_class_day) on sessions to tutorlog_caregiver;
grant select (key, id, connection_id, child_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, currency, subject,
    facts_version, family_word, family_word_version, family_reply, family_reply_at, family_took_part, practice_word,
    practice_word_version, practice_word_at, practice_word_note, is_verified, is_disputed, deletion_asked_by, deletion_asked_at, version,
    created_at, updated_at, start_time, summary, homework, family_asked_since, family_reminders, family_reminded_at, practice_asked_since,
    practice_reminders, practice_reminded_at),
  update (practice_word, practice_word_version, practice_word_note, deletion_asked_by, deletion_asked_at, version, updated_at, summary,
    homework),
  delete on sessions to tutorlog_link;
grant select (key, id, connection_id, student_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, currency, subject,
    facts_version, family_word, family_word_version, family_word_at, family_word_note, practice_word, practice_word_version,
    practice_reply, practice_reply_at, practice_took_part, is_verified, is_disputed, deletion_asked_by, deletion_asked_at, version,
    created_at, updated_at, start_time, summary, homework, family_asked_since, family_reminders, family_reminded_at, practice_asked_since,
    practice_reminders, practice_reminded_at),
  update (family_word, family_word_version, family_word_note, deletion_asked_by, deletion_asked_at, version, updated_at, summary,
    homework),
  delete on sessions to tutorlog_family_link;
grant select (key, id, connection_id, family_id, child_id, family_tutor_id, practice_id, student_id, day, minutes, rate_override_cents,
    tutor_rate_cents, total_cents, currency, subject, facts_version, family_word, family_word_version, family_word_at, family_reply_at,
    family_took_part, practice_word, practice_word_version, practice_word_at, practice_reply_at, practice_took_part, is_verified,
    is_disputed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at, start_time, summary, homework, is_held,
    family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at),
  update (family_reminders, family_reminded_at, practice_reminders, practice_reminded_at) on sessions to tutorlog_system;
grant select, insert (workspace_id, session_id, text), update (text, version, updated_at), delete on session_notes to tutorlog_app;
grant select (session_key, chain, seq, session_id, at, side, actor_id, action, changed) on session_history to tutorlog_app;
grant select (facts, note, hash) on session_history to tutorlog_family, tutorlog_practice;
grant select (family_id) on session_history to tutorlog_family;
grant select (practice_id) on session_history to tutorlog_practice;
grant select (family_id, open_facts) on session_history to tutorlog_caregiver;
grant select (session_key, chain, seq, session_id, connection_id, at, side, actor_id, action, facts, changed, note, hash) on
    session_history to tutorlog_link, tutorlog_family_link;
grant select on session_history to tutorlog_system;
grant select (connection_id, id) on session_pairs to tutorlog_family, tutorlog_practice;
