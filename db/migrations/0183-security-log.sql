-- What happened to an account's security (docs/decisions/0068-a-security-log.md).
create table security_events (
  id uuid primary key default gen_random_uuid(),
  -- Null if it's about no account, such as a sign-in with an unknown address. Erasing an account erases its events.
  user_id uuid references users on delete cascade,
  -- One of src/features/security/event.ts.
  kind text not null check (kind ~ '^[a-z_]{3,40}$'),
  happened_at timestamptz not null,
  -- Shortened. Null if it's unknown, and for what an operator does on the server.
  network text check (network ~ '^[0-9a-f.:]{2,45}/(24|48)$'),
  device text check (length(device) between 1 and 60),
  times integer not null default 1 check (times > 0),
  -- Of a failure. The same failure in the same hour is counted instead of written again.
  hour timestamptz,
  -- Whether the operator's log has it.
  is_logged boolean not null default false
);
create index security_events_by_user on security_events (user_id, happened_at desc, id desc);
create index security_events_by_time on security_events (happened_at);
create index security_events_unlogged on security_events (happened_at) where not is_logged;
create unique index security_events_repeated on security_events (user_id, kind, network, device, hour) nulls not distinct
  where hour is not null;

-- What "This wasn't me" in an email leads to. Only the token's hash is kept.
create table not_me_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- When what the email is about happened. Ways to sign in that were added since then go.
  happened_at timestamptz not null,
  -- In an email about a change of address: the address before, which comes back.
  former_email text check (length(former_email) between 3 and 254),
  expires_at timestamptz not null
);
create index not_me_links_by_user on not_me_links (user_id, happened_at);
create index not_me_links_over on not_me_links (expires_at);

grant select (id, user_id, kind, happened_at, network, device, times),
  insert (user_id, kind, happened_at, network, device) on security_events to tutorlog_app;
grant select (id, user_id, kind, happened_at, network, device, times, hour, is_logged),
  insert (user_id, kind, happened_at, network, device, hour),
  update (happened_at, times, is_logged), delete on security_events to tutorlog_system;
grant select (token_hash, user_id, happened_at, former_email, expires_at),
  insert (token_hash, user_id, happened_at, former_email, expires_at), delete on not_me_links to tutorlog_system;
grant select (created_at), delete on identities to tutorlog_system;
