-- Which accounts were erased, so that restoring an older backup erases them again (docs/decisions/0074-restoring.md). Only a hash of
-- each id, which nothing else has anymore. Kept as long as a backup from before can be restored.
create table erasures (
  account_hash bytea primary key check (length(account_hash) = 32),
  erased_at timestamptz not null default now()
);
create index erasures_by_age on erasures (erased_at);
grant select (account_hash, erased_at), insert (account_hash, erased_at), delete on erasures to tutorlog_system;
