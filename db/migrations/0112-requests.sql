-- What the server remembers of requests, and what administrators looked at.

create table rate_limits (
  key text primary key,
  window_ends_at timestamptz not null,
  hits integer not null
);
create index rate_limits_by_end on rate_limits (window_ends_at);

create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  operation text not null,
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, operation, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What an administrator looked at, and why; it's in that person's export (promise T14).
create table admin_reads (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  admin_id uuid not null,
  what text not null check (what in ('listed', 'record')),
  purpose text not null check (length(purpose) between 1 and 500),
  day date not null,
  read_at timestamptz not null,
  primary key (owner_id, id)
);
-- Being listed counts once a day for each administrator.
create unique index admin_reads_listed on admin_reads (owner_id, admin_id, day) where what = 'listed';
create index admin_reads_by_age on admin_reads (read_at);

do $$
declare name text;
begin
  foreach name in array array['rate_limits', 'idempotency_keys', 'admin_reads'] loop
    execute format('alter table %1$I enable row level security; alter table %1$I force row level security;
      create policy system_all on %1$I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
end $$;
create policy own_rows on idempotency_keys for all to tutorlog_app using (user_id = app_account()) with check (user_id = app_account());
create policy own_rows on admin_reads for select to tutorlog_app using (owner_id = app_account());

grant select (key, window_ends_at, hits), insert (key, window_ends_at, hits), update (window_ends_at, hits),
  delete on rate_limits to tutorlog_system;
grant select (user_id, operation, key, request_hash, status, response, created_at),
  insert (user_id, operation, key, request_hash, status, response), update (status, response) on idempotency_keys to tutorlog_app;
grant select (user_id, operation, key, created_at), delete on idempotency_keys to tutorlog_system;
grant select (owner_id, id, what, purpose, day, read_at) on admin_reads to tutorlog_app;
grant select (owner_id, id, admin_id, what, purpose, day, read_at), insert (owner_id, admin_id, what, purpose, day, read_at),
  delete on admin_reads to tutorlog_system;
