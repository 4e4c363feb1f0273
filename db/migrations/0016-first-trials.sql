-- One trial for an address: when the first one began is remembered under the address's hash once the address is free again,
-- because its account was erased or took another one, and counts when the address confirms once more (promise T17).
create table first_trials (
  address_hash bytea primary key,
  began_at timestamptz not null,
  -- When the address became free; the row goes a stated time later.
  left_at timestamptz not null
);
create index first_trials_by_age on first_trials (left_at);
alter table first_trials enable row level security;
alter table first_trials force row level security;
create policy system_all on first_trials for all to tutorlog_system using (true) with check (true);
grant select (address_hash, began_at, left_at), insert (address_hash, began_at, left_at), update (began_at, left_at), delete on first_trials to tutorlog_system;

-- Empty: the trial began with the account.
alter table users add column trial_since timestamptz;
grant select (trial_since) on users to tutorlog_app, tutorlog_system;
grant update (trial_since) on users to tutorlog_system;
