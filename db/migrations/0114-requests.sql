-- What the server remembers of requests, and what administrators looked at.

create table rate_limits (
  key text primary key,
  window_ends_at timestamptz not null,
  hits integer not null
);
create index rate_limits_by_end on rate_limits (window_ends_at);

-- A key belongs to an account or, if the caller is an emailed link, to one side of a connection.
create table idempotency_keys (
  user_id uuid references users on delete cascade,
  operation text not null,
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  link_id uuid references connections on delete cascade,
  link_side text check (link_side in ('family', 'practice')),
  check (num_nonnulls(user_id, link_id) = 1 and (link_id is null) = (link_side is null))
);
create unique index idempotency_keys_of_accounts on idempotency_keys (user_id, operation, key);
create unique index idempotency_keys_of_links on idempotency_keys (link_id, link_side, operation, key);
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

grant select (key, window_ends_at, hits), insert (key, window_ends_at, hits), update (window_ends_at, hits),
  delete on rate_limits to tutorlog_system;
grant select (user_id, operation, key, request_hash, status, response, created_at),
  insert (user_id, operation, key, request_hash, status, response), update (status, response) on idempotency_keys to tutorlog_app;
grant select (link_id, link_side, operation, key, request_hash, status, response),
  insert (link_id, link_side, operation, key, request_hash), update (status, response) on idempotency_keys
  to tutorlog_link, tutorlog_family_link;
grant select (user_id, operation, key, created_at), delete on idempotency_keys to tutorlog_system;
grant select (owner_id, id, what, purpose, day, read_at) on admin_reads to tutorlog_app;
grant select (owner_id, id, admin_id, what, purpose, day, read_at), insert (owner_id, admin_id, what, purpose, day, read_at),
  delete on admin_reads to tutorlog_system;
