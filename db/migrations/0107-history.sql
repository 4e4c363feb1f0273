-- The history of everything that two sides agree on. Triggers write it (db/repeatable/history.sql).

-- Every line says who did what when, and has the hash of the line before it. It contains no name: a deleted child or tutor
-- is gone from every table (promise D7).
create table history (
  kind text not null check (kind in ('session', 'payment')),
  entry_key bigint not null,
  -- Entries that were merged keep both their chains.
  chain integer not null default 1,
  seq integer not null,
  entry_id uuid not null,
  -- Who reads it; all else of a line never changes.
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
  -- What a caregiver reads of a line. Hashes stay hidden too: with all else known, trying every rate would find the one.
  open_facts jsonb not null generated always as (facts - array['rate_cents', 'total_cents', 'merged']) stored,
  primary key (kind, entry_key, chain, seq)
);
create index history_of_family on history (family_id, entry_id);
create index history_of_practice on history (practice_id, entry_id);
create index history_of_connection on history (connection_id) where connection_id is not null;

grant select (kind, entry_key, chain, seq, entry_id, at, side, actor_id, action, changed) on history
  to tutorlog_app, tutorlog_link, tutorlog_family_link;
grant select (facts, note, hash) on history to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (connection_id) on history to tutorlog_link, tutorlog_family_link;
grant select (family_id) on history to tutorlog_family;
grant select (practice_id) on history to tutorlog_practice;
grant select (family_id, open_facts) on history to tutorlog_caregiver;
grant select on history to tutorlog_system;
