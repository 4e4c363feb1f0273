-- One lesson, one row, two sides (docs/decisions/0015-one-lesson-one-row.md). Links become connections, sessions name both
-- sides, words become confirmations, notes move to a table of their own. The functions, triggers and policies of these
-- tables stand in db/repeatable.
do $$
declare old record;
begin
  for old in select tablename, policyname from pg_policies where tablename in ('tutor_links', 'link_tokens', 'family_students', 'declined_proposals',
    'sessions', 'session_history', 'sign_offs', 'workspaces', 'students', 'profiles', 'outbox', 'users') and (tablename not in ('profiles', 'outbox', 'users')
    or policyname in ('linked_families', 'fellow_names', 'connection_mail', 'connection_mail_to_tutor', 'own_row_of_tutor')) loop
    execute format('drop policy %I on %I', old.policyname, old.tablename);
  end loop;
end $$;
drop function if exists tell_both, tell_of_link, close_account, shared_students, agreed_sessions, tutor_logged_same, keep_session_words, record_session, chain_history, keep_history,
  session_facts cascade;
do $$
declare name text;
begin
  foreach name in array array['workspaces', 'members', 'students', 'tutors', 'schedules', 'sessions', 'session_history', 'tutor_links', 'link_tokens',
    'family_students', 'declined_proposals', 'sign_offs', 'users'] loop
    execute format('alter table %I no force row level security', name);
  end loop;
end $$;

-- Connections: a family and a tutor's practice, or the address of one of them, that share the sessions between them.
do $$
declare old record;
begin
  for old in select conrelid::regclass as place, conname from pg_constraint where conrelid in ('link_tokens'::regclass, 'family_students'::regclass, 'tutor_links'::regclass)
    and (contype = 'f' or (contype = 'p' and conrelid <> 'family_students'::regclass) or (contype = 'c' and pg_get_constraintdef(oid) like '%ended_by%')) order by contype loop
    execute format('alter table %s drop constraint %I', old.place, old.conname);
  end loop;
end $$;
drop index link_tokens_by_link, tutor_links_one_open, tutor_links_by_id, tutor_links_by_tutor, tutor_links_by_address;
drop index if exists tutor_links_of_tutor;
alter table tutor_links rename to connections;
alter table connections rename column workspace_id to family_id;
alter table connections rename column tutor_user_id to practice_id;
alter table connections rename column closed_at to family_closed_at;
alter table connections alter column family_id drop not null, alter column tutor_id drop not null,
  -- Since when the account of a side's owner is closed: the other side then reads and writes nothing.
  add column practice_closed_at timestamptz,
  add column asked_by text not null default 'family' check (asked_by in ('family', 'practice')),
  -- From which day on sessions are shared; null is all of them.
  add column shared_from date;
update connections set ended_by = 'practice' where ended_by = 'tutor';
alter table connections add primary key (id), add constraint connections_ended_by check (ended_by in ('family', 'practice')),
  add foreign key (family_id) references workspaces, add foreign key (practice_id) references workspaces,
  add foreign key (family_id, tutor_id) references tutors on delete set null (tutor_id);
create unique index connections_one_open on connections (family_id, tutor_id) where state in ('asked', 'active');
create index connections_of_practice on connections (practice_id) where practice_id is not null;
create index connections_by_address on connections (email_key) where practice_id is null;
alter table link_tokens drop column workspace_id, add primary key (id), add foreign key (link_id) references connections on delete cascade;
create index link_tokens_by_link on link_tokens (link_id);

-- Who is whom: a family's child and the practice's student, matched on accepting. The practice knows the child's first name.
create table connection_people (
  connection_id uuid not null references connections on delete cascade,
  id uuid not null default gen_random_uuid(),
  family_id uuid,
  child_id uuid,
  practice_id uuid,
  student_id uuid,
  first_name text not null,
  primary key (connection_id, id),
  unique (connection_id, child_id),
  unique (connection_id, student_id),
  foreign key (family_id, child_id) references students (workspace_id, id) on delete set null (child_id),
  foreign key (practice_id, student_id) references students (workspace_id, id) on delete set null (student_id)
);
create index connection_people_by_child on connection_people (family_id, child_id);
create index connection_people_by_student on connection_people (practice_id, student_id);

alter table sessions rename to sessions_before;
alter table session_history rename to history_before;
alter index sessions_pkey rename to sessions_before_pkey;
alter index session_history_pkey rename to history_before_pkey;

create table sessions (
  key bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  connection_id uuid references connections,
  -- The family's side: its own people, and the class of its schedule that the session stands for.
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
  total_cents integer generated always as
    (((coalesce(rate_override_cents, tutor_rate_cents)::bigint * minutes * 2 + 60) / 120)::integer) stored,
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
  is_disputed boolean not null generated always as (coalesce(family_word = 'disputed' and family_word_version = facts_version, false)
    or coalesce(practice_word = 'disputed' and practice_word_version = facts_version, false)) stored,
  -- Deleting what the other side took part in needs its consent.
  deletion_asked_by text check (deletion_asked_by in ('family', 'practice')),
  deletion_asked_at timestamptz,
  -- Whose side it was that a copy was parted from: its words are on it, so nobody else becomes the other side. No reference: the
  -- workspace may be gone.
  parted_from uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sessions_of_family unique (family_id, id),
  constraint sessions_of_practice unique (practice_id, id),
  constraint sessions_of_somebody check (family_id is not null or practice_id is not null),
  check (coalesce(family_word = 'disputed', false) = (family_word_note is not null)),
  check (coalesce(practice_word = 'disputed', false) = (practice_word_note is not null)),
  check (family_schedule_id is null or family_class_day is not null),
  check (practice_schedule_id is null or practice_class_day is not null),
  check ((deletion_asked_by is null) = (deletion_asked_at is null)),
  -- Only the reference is emptied: the session itself stays in the books (promise D7).
  foreign key (family_id, child_id) references students (workspace_id, id) on delete set null (child_id),
  foreign key (family_id, family_tutor_id) references tutors (workspace_id, id) on delete set null (family_tutor_id),
  foreign key (family_id, family_schedule_id) references schedules (workspace_id, id) on delete set null (family_schedule_id),
  foreign key (practice_id, student_id) references students (workspace_id, id) on delete set null (student_id),
  foreign key (practice_id, practice_tutor_id) references tutors (workspace_id, id) on delete set null (practice_tutor_id),
  foreign key (practice_id, practice_schedule_id) references schedules (workspace_id, id) on delete set null (practice_schedule_id)
);

-- One's own notes, whatever side: the other never gets them, and writing one changes nothing that the other could see.
create table session_notes (
  workspace_id uuid not null references workspaces on delete cascade,
  session_id uuid not null,
  -- Empty once the notes were taken back: the version goes on, so that no version of the session comes back.
  text text not null check (length(text) <= 4000),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, session_id)
);

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
  -- The member who did it, for the own side alone.
  actor_id uuid,
  action text not null check (action in ('recorded', 'logged', 'changed', 'confirmed', 'withdrawn', 'disputed', 'answered', 'accepted',
    'deletion asked', 'kept', 'deleted', 'merged')),
  facts jsonb not null,
  changed text[] not null default '{}',
  note text,
  previous_hash bytea not null,
  hash bytea not null,
  -- The text that was hashed: its format was another before sessions had two sides.
  hashed_text text not null,
  primary key (session_key, chain, seq)
);

-- Two rows that look like the same lesson, until somebody says whether they are.
create table session_pairs (
  connection_id uuid not null references connections on delete cascade,
  id uuid not null default gen_random_uuid(),
  family_id uuid not null,
  family_key bigint not null references sessions on delete cascade,
  practice_id uuid not null,
  practice_key bigint not null references sessions on delete cascade,
  primary key (connection_id, id),
  unique (family_key),
  unique (practice_key)
);

-- What the migration changes in what a side's month comes to, for the operator to read (docs/operations.md): each session that
-- a side gained, each pair whose facts differed, and each session that was sent back, which counts no more.
create table migration_differences (
  workspace_id uuid not null references workspaces on delete cascade,
  month text not null,
  session_id uuid not null,
  currency text not null,
  reason text not null check (reason in ('gained', 'merged', 'kept apart', 'sent back')),
  before_cents integer not null,
  after_cents integer not null,
  primary key (workspace_id, month, session_id, currency)
);
alter table migration_differences enable row level security;
create policy system_reads on migration_differences for select to tutorlog_system using (true);
grant select on migration_differences to tutorlog_system;

-- An account in its grace period closes its side, the tutor's as well.
update connections c set
  family_closed_at = (select least(u.deletion_asked_at, u.disabled_at) from members m join users u on u.id = m.account_id where m.workspace_id = c.family_id and m.role = 'owner'),
  practice_closed_at = (select least(u.deletion_asked_at, u.disabled_at) from members m join users u on u.id = m.account_id where m.workspace_id = c.practice_id and m.role = 'owner');

-- A table that was just filled from a backup has no statistics, and without them the joins below walk through all of it.
analyze connections; analyze workspaces; analyze students; analyze family_students; analyze declined_proposals; analyze sign_offs;
analyze sessions_before; analyze history_before;

-- Who is whom. What a family took over says it; else the first name, where it is one child's and one assigned student's; else
-- there is one child and one assigned student. Two children of one first name are never guessed.
with taken as (
  select distinct c.id as connection_id, c.family_id, f.student_id as child_id, c.practice_id, p.student_id from connections c
    join sessions_before f on f.workspace_id = c.family_id and f.tutor_id = c.tutor_id and f.proposed_id is not null and f.student_id is not null
    join sessions_before p on p.workspace_id = c.practice_id and p.id = f.proposed_id and p.student_id is not null
  where c.state = 'active'),
counted as (select t.*, count(*) over (partition by connection_id, child_id) as students, count(*) over (partition by connection_id, student_id) as children from taken t)
insert into connection_people (connection_id, family_id, child_id, practice_id, student_id, first_name)
  select t.connection_id, t.family_id, t.child_id, t.practice_id, t.student_id, child.first_name from counted t
    join students child on child.workspace_id = t.family_id and child.id = t.child_id where t.students = 1 and t.children = 1;
with assigned as (
  select c.id as connection_id, c.family_id, c.practice_id, st.id as student_id, lower(st.first_name) as name,
    count(*) over (partition by c.id) as students, count(*) over (partition by c.id, lower(st.first_name)) as namesakes
  from connections c join family_students f on f.link_id = c.id and f.workspace_id = c.practice_id join students st on st.workspace_id = f.workspace_id and st.id = f.student_id
  where c.state = 'active'),
children as (
  select workspace_id, id, first_name, lower(first_name) as name, count(*) over (partition by workspace_id) as children,
    count(*) over (partition by workspace_id, lower(first_name)) as namesakes
  from students where workspace_id in (select family_id from assigned))
insert into connection_people (connection_id, family_id, child_id, practice_id, student_id, first_name)
  select a.connection_id, a.family_id, child.id, a.practice_id, a.student_id, child.first_name from assigned a join children child on child.workspace_id = a.family_id
  where (a.name = child.name and a.namesakes = 1 and child.namesakes = 1) or (a.students = 1 and child.children = 1)
  on conflict do nothing;
-- The other children whom a connected tutor knows are those who have sessions with the tutor.
insert into connection_people (connection_id, family_id, child_id, practice_id, first_name)
  select c.id, c.family_id, child.id, c.practice_id, child.first_name from connections c join students child on child.workspace_id = c.family_id
  where c.state in ('asked', 'active') and exists (select from sessions_before s where s.workspace_id = c.family_id and s.student_id = child.id and s.tutor_id = c.tutor_id)
  on conflict (connection_id, child_id) do nothing;
analyze connection_people;

-- Which rows are the same lesson: what a family took over names the tutor's row; the others are paired by child and day, the
-- nearest in length first, each once. In a month that was signed off only what the tutor confirmed becomes one.
create temporary table pairs (connection_id uuid, family_id uuid, family_session uuid, practice_id uuid, practice_session uuid, is_equal boolean, is_one boolean,
  unique (family_id, family_session), unique (practice_id, practice_session)) on commit drop;
insert into pairs
select x.connection_id, x.family_id, x.family_session, x.practice_id, x.practice_session, x.is_equal,
  x.is_verified or (x.is_equal and not exists (select from sign_offs o where o.workspace_id = x.family_id and o.tutor_id = x.tutor_id and o.month = to_char(x.day, 'YYYY-MM')))
from (
  select c.id as connection_id, c.family_id, c.tutor_id, f.id as family_session, c.practice_id, p.id as practice_session, f.day, f.verified_by_tutor as is_verified,
    (f.day, f.minutes, fw.currency) = (p.day, p.minutes, pw.currency)
      and coalesce(f.rate_override_cents, f.tutor_rate_cents) is not distinct from coalesce(p.rate_override_cents, p.tutor_rate_cents) as is_equal,
    candidate.place, abs(f.minutes - p.minutes) as apart
  from connections c
    join workspaces fw on fw.id = c.family_id join workspaces pw on pw.id = c.practice_id
    join sessions_before f on f.workspace_id = c.family_id and f.tutor_id = c.tutor_id
      -- What a closed family logged for later days was not shown.
      and (c.family_closed_at is null or f.day <= (c.family_closed_at at time zone 'UTC')::date + 1)
    cross join lateral (
      -- Rows of one id cannot both be the practice's.
      select s.id, 0 as place from sessions_before s where s.workspace_id = c.practice_id and s.id = f.id
      union all select s.id, 1 from sessions_before s where s.workspace_id = c.practice_id and s.id = f.proposed_id
      union all select s.id, 2 from connection_people who join sessions_before s on s.workspace_id = c.practice_id and s.student_id = who.student_id and s.day = f.day
        where who.connection_id = c.id and who.child_id = f.student_id
          and not exists (select from sessions_before o where o.workspace_id = c.family_id and o.proposed_id = s.id)
          and not exists (select from declined_proposals d where d.workspace_id = c.family_id and d.proposed_id = s.id and d.version >= s.version)
    ) candidate
    join sessions_before p on p.workspace_id = c.practice_id and p.id = candidate.id
  where c.state = 'active') x
order by x.place, x.apart, x.family_session, x.practice_session
on conflict do nothing;
analyze pairs;

-- A child that the tutor has no student for becomes one, under the first name.
do $$
declare missing record; made uuid;
begin
  for missing in select who.connection_id, who.id, who.practice_id, who.first_name from connection_people who join connections c on c.id = who.connection_id
    where c.state = 'active' and who.practice_id is not null and who.student_id is null loop
    insert into students (workspace_id, name) values (missing.practice_id, missing.first_name) returning id into made;
    update connection_people set student_id = made where connection_id = missing.connection_id and id = missing.id;
  end loop;
end $$;

-- When each session was confirmed, sent back and answered, and whether the tutor ever confirmed it.
create temporary table words on commit drop as
select workspace_id, session_id, max(at) filter (where action in ('confirmed', 'accepted')) as confirmed_at, max(at) filter (where action = 'disputed') as disputed_at,
  max(at) filter (where action = 'answered') as answered_at
from history_before where action in ('confirmed', 'accepted', 'disputed', 'answered') group by 1, 2;
alter table words add primary key (workspace_id, session_id);
analyze words;

-- The family's rows, with the practice's side where the connection is active and they are no open question. What a tutor sent
-- back stays sent back, and what the family answered to it stands beside it.
insert into sessions (id, connection_id, family_id, child_id, family_tutor_id, family_schedule_id, family_class_day,
  practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day, day, minutes, rate_override_cents, tutor_rate_cents, currency, subject,
  family_word, family_word_version, family_word_at, family_reply, family_reply_at, family_took_part,
  practice_word, practice_word_version, practice_word_at, practice_word_note, practice_took_part, version, created_at, updated_at)
select s.id, c.id, s.workspace_id, s.student_id, s.tutor_id, s.schedule_id, s.occurrence_day,
  shared.practice_id, coalesce(who.student_id, p.student_id), shared.practice_tutor_id, p.schedule_id, p.occurrence_day,
  s.day, s.minutes, s.rate_override_cents, s.tutor_rate_cents, w.currency, coalesce(s.subject, p.subject),
  'confirmed', 1, s.created_at,
  s.answer_note, case when s.answer_note is not null then coalesce(words.answered_at, case s.status when 'completed' then s.updated_at else s.created_at end) end, true,
  said.word, case when said.word is not null then 1 end,
  case said.word when 'confirmed' then coalesce(words.confirmed_at, p.created_at, s.updated_at)
    when 'disputed' then coalesce(words.disputed_at, case s.status when 'completed' then s.created_at else s.updated_at end) end,
  case said.word when 'disputed' then s.dispute_note end,
  said.word is not distinct from 'confirmed' or words.confirmed_at is not null or p.id is not null, s.version, s.created_at, s.updated_at
from sessions_before s join workspaces w on w.id = s.workspace_id and w.kind = 'family'
  left join pairs pair on pair.family_id = s.workspace_id and pair.family_session = s.id
  left join connections c on c.family_id = s.workspace_id and c.tutor_id = s.tutor_id and c.state in ('asked', 'active') and pair.is_one is not false
    and (c.family_closed_at is null or s.day <= (c.family_closed_at at time zone 'UTC')::date + 1)
  left join sessions_before p on p.workspace_id = pair.practice_id and p.id = pair.practice_session and pair.is_one
  left join lateral (select c.practice_id, (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self) as practice_tutor_id
    where c.state = 'active' and c.practice_id is not null) shared on true
  left join connection_people who on who.connection_id = c.id and who.child_id = s.student_id and shared.practice_id is not null
  left join words on words.workspace_id = s.workspace_id and words.session_id = s.id
  cross join lateral (select case when s.verified_by_tutor then 'confirmed' when s.dispute_note is not null then 'disputed' when pair.is_one then 'confirmed' end as word) said;
-- The practice's rows that are no family's yet. Those of a child of the family are shared with it, unless it put them aside or
-- took them over and keeps them elsewhere, its month was signed off, or one of the two closes its account.
insert into sessions (id, connection_id, family_id, child_id, family_tutor_id, practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day,
  day, minutes, rate_override_cents, tutor_rate_cents, currency, subject, practice_word, practice_word_version, practice_word_at, practice_took_part,
  family_word, family_word_version, family_word_at, family_took_part, parted_from, version, created_at, updated_at)
select s.id, shared.id, shared.family_id, shared.child_id, shared.tutor_id, s.workspace_id, s.student_id, s.tutor_id, s.schedule_id, s.occurrence_day,
  s.day, s.minutes, s.rate_override_cents, s.tutor_rate_cents, w.currency, s.subject, 'confirmed', 1, s.created_at, true,
  case when agreed.id is not null then 'confirmed' end, case when agreed.id is not null then 1 end, agreed.updated_at, agreed.id is not null, case when shared.id is null then agreed.family_id end, s.version, s.created_at, s.updated_at
from sessions_before s join workspaces w on w.id = s.workspace_id and w.kind = 'practice'
  left join pairs pair on pair.practice_id = s.workspace_id and pair.practice_session = s.id
  -- What was agreed under a connection that is over.
  left join lateral (select theirs.id, c.family_id, theirs.updated_at from connections c join sessions_before theirs on theirs.workspace_id = c.family_id and theirs.tutor_id = c.tutor_id
      and theirs.proposed_id = s.id and theirs.verified_by_tutor and theirs.day = s.day and theirs.minutes = s.minutes
      and coalesce(theirs.rate_override_cents, theirs.tutor_rate_cents) is not distinct from coalesce(s.rate_override_cents, s.tutor_rate_cents)
    where c.practice_id = s.workspace_id and c.state = 'ended' limit 1) agreed on true
  left join lateral (select c.id, c.family_id, c.tutor_id, who.child_id from connections c join connection_people who on who.connection_id = c.id and who.student_id = s.student_id
      join workspaces fw on fw.id = c.family_id and fw.currency = w.currency
    where c.practice_id = s.workspace_id and c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null and who.child_id is not null and pair.is_one is null
      and not exists (select from sessions_before o where o.workspace_id = c.family_id and o.proposed_id = s.id)
      and not exists (select from sessions_before o where o.workspace_id = c.family_id and o.id = s.id)
      and not exists (select from declined_proposals d where d.workspace_id = c.family_id and d.proposed_id = s.id and d.version >= s.version)
      and not exists (select from sign_offs o where o.workspace_id = c.family_id and o.tutor_id = c.tutor_id and o.month = to_char(s.day, 'YYYY-MM'))
    order by c.created_at limit 1) shared on true
where pair.is_one is not true;
-- What somebody confirmed under a connection that is over stays between those two: nobody who is asked later joins it.
update sessions s set parted_from = c.practice_id
  from (select distinct on (family_id, tutor_id) family_id, tutor_id, practice_id from connections where state = 'ended' and practice_id is not null order by family_id, tutor_id, ended_at desc) c
  where s.family_id = c.family_id and s.family_tutor_id = c.tutor_id and s.practice_id is null and s.connection_id is null and s.practice_word is not null;
analyze sessions;
insert into session_pairs (connection_id, family_id, family_key, practice_id, practice_key)
select pair.connection_id, pair.family_id, f.key, pair.practice_id, p.key from pairs pair
  join sessions f on f.family_id = pair.family_id and f.id = pair.family_session
  join sessions p on p.practice_id = pair.practice_id and p.id = pair.practice_session where not pair.is_one;
-- Version 0 adds nothing to the session's own, so that whoever has it open can go on.
insert into session_notes (workspace_id, session_id, text, version)
select s.workspace_id, coalesce(pair.family_session, s.id), s.notes, 0 from sessions_before s
  left join pairs pair on pair.practice_id = s.workspace_id and pair.practice_session = s.id and pair.is_one where s.notes <> '';

-- Every entry keeps the text that it was hashed from. Of two rows that became one both chains stay; sessions that were deleted
-- before they had keys get negative ones.
create temporary table keys (workspace_id uuid, session_id uuid, key bigint, chain integer, primary key (workspace_id, session_id)) on commit drop;
insert into keys select old.workspace_id, old.id, s.key, 1 from sessions_before old join workspaces w on w.id = old.workspace_id and w.kind = 'family'
  join sessions s on s.family_id = old.workspace_id and s.id = old.id;
insert into keys select old.workspace_id, old.id, s.key, 1 from sessions_before old join workspaces w on w.id = old.workspace_id and w.kind = 'practice'
  left join pairs pair on pair.practice_id = old.workspace_id and pair.practice_session = old.id
  join sessions s on s.practice_id = old.workspace_id and s.id = old.id where pair.is_one is not true;
insert into keys select pair.practice_id, pair.practice_session, s.key, 2 from pairs pair join sessions s on s.family_id = pair.family_id and s.id = pair.family_session where pair.is_one;
insert into keys select workspace_id, session_id, -row_number() over (order by workspace_id, session_id), 1
  from (select distinct workspace_id, session_id from history_before) h on conflict do nothing;
analyze keys;
insert into session_history (session_key, chain, seq, session_id, connection_id, family_id, practice_id, at, side, actor_id, action, facts, changed, note, previous_hash, hash, hashed_text)
select keys.key, keys.chain, h.seq, h.session_id, s.connection_id,
  coalesce(s.family_id, case when w.kind = 'family' then w.id end), coalesce(s.practice_id, case when w.kind = 'practice' then w.id end), h.at,
  case h.side when 'system' then 'system' when 'tutor' then 'practice' else w.kind end, h.actor_id, h.action, h.facts, h.changed, h.note, h.previous_hash, h.hash,
  concat_ws(E'\n', h.workspace_id, h.session_id, h.seq, to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), h.side, coalesce(h.actor_id::text, '-'), h.action,
    coalesce(h.tutor_id::text, '-'), h.facts::text, array_to_string(h.changed, ','), coalesce(encode(convert_to(h.note, 'UTF8'), 'hex'), '-'), encode(h.previous_hash, 'hex'))
from history_before h join workspaces w on w.id = h.workspace_id
  join keys on keys.workspace_id = h.workspace_id and keys.session_id = h.session_id
  left join sessions s on s.key = keys.key;
analyze session_history;
-- A merge says so, in the words of db/repeatable/history.sql, and names the last entry of the other chain.
insert into session_history (session_key, chain, seq, session_id, connection_id, family_id, practice_id, at, side, action, facts, previous_hash, hash, hashed_text)
select s.key, 1, entry.seq, s.id, s.connection_id, s.family_id, s.practice_id, now(), 'system', 'merged', entry.facts, entry.previous_hash, sha256(convert_to(entry.hashed_text, 'UTF8')), entry.hashed_text
from pairs pair join sessions s on s.family_id = pair.family_id and s.id = pair.family_session and pair.is_one
  left join lateral (select h.seq, h.hash from session_history h where h.session_key = s.key and h.chain = 1 order by h.seq desc limit 1) own on true
  left join lateral (select h.hash from session_history h where h.session_key = s.key and h.chain = 2 order by h.seq desc limit 1) other on true
  cross join lateral (select coalesce(own.seq, 0) + 1 as seq, coalesce(own.hash, '\x') as previous_hash, jsonb_build_object('date', s.day, 'minutes', s.minutes,
    'rate_cents', coalesce(s.rate_override_cents, s.tutor_rate_cents), 'total_cents', s.total_cents, 'currency', s.currency, 'subject', s.subject,
    'state', case when s.is_verified then 'verified' when s.is_disputed then 'disputed' else 'unverified' end, 'merged', encode(other.hash, 'hex')) as facts) said
  cross join lateral (select said.seq, said.previous_hash, said.facts, concat_ws(E'\n', '2', s.id, said.seq, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'system', '-', 'merged', '-', said.facts::text, '', '-', encode(said.previous_hash, 'hex')) as hashed_text) entry;

insert into migration_differences (workspace_id, month, session_id, currency, reason, before_cents, after_cents)
select x.workspace_id, to_char(x.day, 'YYYY-MM'), x.session_id, x.currency,
  case when bool_or(x.is_apart) then 'kept apart' when bool_or(x.is_merged) then 'merged' when not bool_or(x.was) then 'gained' else 'sent back' end,
  coalesce(sum(x.cents) filter (where x.was), 0), coalesce(sum(x.cents) filter (where not x.was), 0)
from (
  select s.workspace_id, s.day, case when pair.is_one then pair.family_session else s.id end as session_id, w.currency, s.total_cents as cents, true as was,
    coalesce(pair.is_one and not pair.is_equal, false) as is_merged, coalesce(not pair.is_one, false) as is_apart, false as is_disputed
  from sessions_before s join workspaces w on w.id = s.workspace_id
    left join pairs pair on (w.kind = 'family' and (pair.family_id, pair.family_session) = (s.workspace_id, s.id))
      or (w.kind = 'practice' and (pair.practice_id, pair.practice_session) = (s.workspace_id, s.id))
  union all
  select side.id, s.day, s.id, s.currency, case when not s.is_disputed then s.total_cents end, false,
    exists (select from pairs pair where pair.family_id = s.family_id and pair.family_session = s.id and pair.is_one and not pair.is_equal), false, s.is_disputed
  from sessions s cross join lateral (values (s.family_id), (s.practice_id)) side (id) where side.id is not null
) x
group by 1, 2, 3, 4
having bool_or(x.is_apart) or bool_or(x.is_merged) or bool_or(x.is_disputed) or not bool_or(x.was);

-- Nothing got lost on the way.
do $$
declare merged bigint := (select count(*) from pairs where is_one);
begin
  if (select count(*) from sessions) <> (select count(*) from sessions_before) - merged then raise exception 'the sessions are not all there'; end if;
  if (select count(*) from session_history) <> (select count(*) from history_before) + merged then raise exception 'the history is not all there'; end if;
  if (select count(*) from session_notes) <> (select count(*) from sessions_before where notes <> '') then raise exception 'the notes are not all there'; end if;
end $$;

drop table history_before cascade;
drop table sessions_before cascade;
drop table family_students, declined_proposals;
create index sessions_of_family_by_day on sessions (family_id, day desc, id desc);
create index sessions_of_practice_by_day on sessions (practice_id, day desc, id desc);
create index sessions_by_child on sessions (family_id, child_id);
create index sessions_by_family_tutor on sessions (family_id, family_tutor_id);
create index sessions_by_student on sessions (practice_id, student_id);
create index sessions_by_practice_tutor on sessions (practice_id, practice_tutor_id);
create index sessions_of_connection on sessions (connection_id, day) where connection_id is not null;
create unique index sessions_once_per_family_class on sessions (family_id, family_schedule_id, family_class_day);
create unique index sessions_once_per_practice_class on sessions (practice_id, practice_schedule_id, practice_class_day);
create index session_history_of_family on session_history (family_id, session_id);
create index session_history_of_practice on session_history (practice_id, session_id);
create index session_history_of_connection on session_history (connection_id) where connection_id is not null;

do $$
declare name text;
begin
  foreach name in array array['connection_people', 'sessions', 'session_notes', 'session_history', 'session_pairs'] loop
    execute format('alter table %I enable row level security', name);
  end loop;
  foreach name in array array['workspaces', 'members', 'students', 'tutors', 'schedules', 'sessions', 'session_notes', 'session_history', 'session_pairs', 'connections', 'connection_people',
    'link_tokens', 'sign_offs', 'users', 'migration_differences'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;

-- What each side may read and write of a session: its own people and its own word. tutorlog_app is what both sides have.
revoke all on connections, link_tokens from tutorlog_app, tutorlog_tutor, tutorlog_system;
grant select (connection_id, id, first_name) on connection_people to tutorlog_app;
grant select (family_id, child_id) on connection_people to tutorlog_family;
grant select (child_id) on connection_people to tutorlog_link;
grant select (practice_id) on connection_people to tutorlog_practice;
grant select (connection_id, id, first_name) on connection_people to tutorlog_link;
grant select (student_id), update (student_id) on connection_people to tutorlog_practice;
grant select (key, id, connection_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, currency, subject, facts_version,
    family_word, family_word_version, family_word_at, family_word_note, family_reply, family_reply_at, family_took_part,
    practice_word, practice_word_version, practice_word_at, practice_word_note, practice_reply, practice_reply_at, practice_took_part,
    is_verified, is_disputed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at),
  insert (id, day, minutes, rate_override_cents, tutor_rate_cents, subject, currency),
  update (day, minutes, rate_override_cents, tutor_rate_cents, subject, deletion_asked_by, deletion_asked_at, version, updated_at), delete on sessions to tutorlog_app;
grant select (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day), insert (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day),
  update (child_id, family_tutor_id, family_schedule_id, family_class_day, family_word, family_word_version, family_word_note, family_reply) on sessions to tutorlog_family;
grant select (practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day), insert (practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day),
  update (student_id, practice_tutor_id, practice_schedule_id, practice_class_day, practice_word, practice_word_version, practice_word_note, practice_reply) on sessions to tutorlog_practice;
grant select (key, id, connection_id, child_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, currency, subject, facts_version,
    family_reply, family_reply_at, practice_word, practice_word_version, practice_word_at, practice_word_note, is_verified, is_disputed, deletion_asked_by, version, created_at, updated_at),
  update (practice_word, practice_word_version, practice_word_note, version, updated_at) on sessions to tutorlog_link;
grant select (key, id, connection_id, family_id, child_id, family_tutor_id, practice_id, student_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, currency, subject, facts_version,
  family_word, family_word_version, family_word_at, family_reply_at, practice_word, practice_word_version, practice_word_at, practice_reply_at,
  is_verified, is_disputed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at) on sessions to tutorlog_system;
grant select, insert (workspace_id, session_id, text), update (text, version, updated_at), delete on session_notes to tutorlog_app;
grant select (session_key, chain, seq, session_id, at, side, actor_id, action, facts, changed, note, hash) on session_history to tutorlog_app, tutorlog_link;
grant select (connection_id) on session_history to tutorlog_link;
grant select (family_id) on session_history to tutorlog_family;
grant select (practice_id) on session_history to tutorlog_practice;
grant select on session_history to tutorlog_system;
grant select (family_took_part, practice_took_part) on sessions to tutorlog_system;
grant select (connection_id, id) on session_pairs to tutorlog_app;
grant select (id, family_id, tutor_id, asked_by, email, email_key, state, shared_from, answered_at, ended_at, ended_by, family_closed_at, practice_closed_at, mailed_at, version, created_at, updated_at),
  insert (family_id, tutor_id, email, email_key, shared_from), update (state, ended_at, ended_by, version, updated_at) on connections to tutorlog_family;
grant select (id, family_id, practice_id, asked_by, email_key, state, shared_from, answered_at, ended_at, ended_by, family_closed_at, practice_closed_at, version, created_at, updated_at),
  update (state, practice_id, answered_at, ended_at, ended_by, version, updated_at) on connections to tutorlog_practice;
grant select (id, family_id, state, email_key, practice_id, answered_at, ended_by, family_closed_at, practice_closed_at, version, created_at), update (state, answered_at, ended_at, ended_by, version, updated_at) on connections to tutorlog_link;
grant select (id, family_id, tutor_id, practice_id, asked_by, email, email_key, state, shared_from, answered_at, family_closed_at, practice_closed_at, mailed_at, created_at, ended_at, version),
  update (email, email_key, mailed_at, state, ended_at, version, updated_at) on connections to tutorlog_system;
grant select (id, link_id, token_hash, expires_at), insert (link_id, token_hash, expires_at), delete on link_tokens to tutorlog_system;
grant select (id, email_key, email_confirmed_at) on users to tutorlog_practice;
grant select (id, currency, owner_name) on workspaces to tutorlog_link;
grant insert (user_id, recipient, kind, data) on outbox to tutorlog_link, tutorlog_practice, tutorlog_family;

-- The role of a tutor's side, which the practice's took the place of.
revoke all on all tables in schema public from tutorlog_tutor;
