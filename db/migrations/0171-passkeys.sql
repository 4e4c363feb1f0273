-- Passkeys: another way to sign in (docs/decisions/0062-passkeys.md). The private key never leaves the person's devices.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) between 1 and 2000),
  -- What the person's device knows the account by. It's the same for all passkeys of an account.
  user_handle bytea not null check (length(user_handle) = 16),
  -- How often the device says that it was used; 0 if it doesn't count.
  sign_count bigint not null check (sign_count between 0 and 4294967295),
  transports text[] not null default '{}' check (cardinality(transports) <= 10),
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_user on passkeys (user_id);

-- What a device is asked to sign. Each works once, within minutes.
create table passkey_challenges (
  challenge_hash bytea primary key,
  -- Whether it's for making a passkey or for using one.
  makes boolean not null,
  -- The account that asked; null if nobody was signed in.
  user_id uuid references users on delete cascade,
  user_handle bytea check (length(user_handle) = 16),
  expires_at timestamptz not null,
  check (makes = (user_handle is not null))
);
create index passkey_challenges_by_user on passkey_challenges (user_id);
create index passkey_challenges_over on passkey_challenges (expires_at);

grant select (id, user_id, transports, name, created_at, used_at), update (name) on passkeys to tutorlog_app;
grant select (id, user_id, credential_id, public_key, user_handle, sign_count, transports, name, created_at, used_at),
  insert (user_id, credential_id, public_key, user_handle, sign_count, transports, name, created_at),
  update (sign_count, used_at), delete on passkeys to tutorlog_system;
grant select (challenge_hash, makes, user_id, user_handle, expires_at),
  insert (challenge_hash, makes, user_id, user_handle, expires_at), delete on passkey_challenges to tutorlog_system;
