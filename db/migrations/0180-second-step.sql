-- A second step for signing in with a password: a code from an authenticator app (RFC 6238), or one of ten recovery
-- codes (docs/decisions/0067-a-second-step.md).
create table second_steps (
  user_id uuid primary key references users on delete cascade,
  -- What the codes are computed from. The app has it, too.
  secret bytea not null check (length(secret) = 20),
  -- Null until a code has shown that the app has the secret. Until then, nobody is asked for one.
  on_since timestamptz,
  -- Which 30 seconds the last code that was used is for. No code for these or for earlier ones counts again.
  last_period bigint not null default 0 check (last_period >= 0),
  recovery_hashes text[] not null default '{}' check (cardinality(recovery_hashes) <= 10),
  recovery_codes_left smallint generated always as (cardinality(recovery_hashes)) stored,
  created_at timestamptz not null default now(),
  check (on_since is not null or cardinality(recovery_hashes) = 0)
);

grant select (user_id, on_since, recovery_codes_left, created_at) on second_steps to tutorlog_app;
grant select (user_id, secret, on_since, last_period, recovery_hashes, recovery_codes_left, created_at),
  insert (user_id, secret, created_at),
  update (secret, on_since, last_period, recovery_hashes, created_at), delete on second_steps to tutorlog_system;
