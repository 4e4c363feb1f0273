-- Who may do what: tutorlog_owner owns every table and only migrates; tutorlog_app serves a signed-in user and
-- sees that user's rows; tutorlog_system signs people in and runs the jobs, on the tables that this needs.
create function app_user() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 254),
  -- The address with only A to Z lowered: no other letter may equal another (promise A15).
  email_key text not null unique check (email_key = translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')),
  password_hash text,
  email_confirmed_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);

create table profiles (
  user_id uuid primary key references users on delete cascade,
  full_name text check (length(full_name) <= 120),
  avatar_url text check (length(avatar_url) <= 500),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  onboarding_dismissed_at timestamptz,
  summary_viewed_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

create table user_roles (
  user_id uuid primary key references users on delete cascade,
  role text not null check (role in ('parent', 'tutor', 'admin')),
  created_at timestamptz not null default now()
);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

-- An app session ("session" always means a lesson). Only hashes of its tokens are kept (promise A18).
create table logins (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  access_hash bytea not null unique,
  access_expires_at timestamptz not null,
  refresh_hash bytea not null unique,
  -- The token before the last renewal: another tab may still send it for a moment.
  previous_refresh_hash bytea unique,
  refreshed_at timestamptz not null default now(),
  active_until timestamptz not null,
  ends_at timestamptz not null,
  user_agent text not null default '' check (length(user_agent) <= 300),
  created_at timestamptz not null default now()
);
create index logins_by_user on logins (user_id);

create table auth_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  token_hash bytea not null unique,
  -- The second half of a reset pair (access_token and refresh_token of the mailed link).
  pair_hash bytea,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  check ((purpose = 'reset') = (pair_hash is not null))
);
create index auth_tokens_by_user on auth_tokens (user_id);

create table oidc_flows (
  state_hash bytea primary key,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null
);

create table acceptances (
  user_id uuid not null references users on delete cascade,
  document text not null,
  version text not null,
  accepted_at timestamptz not null default now(),
  primary key (user_id, document, version)
);

-- Mails to send, written in the transaction of what causes them. No token stands here: it is made when the mail is.
create table outbox (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete cascade,
  recipient text not null check (length(recipient) <= 254),
  kind text not null,
  data jsonb not null default '{}',
  attempts integer not null default 0,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index outbox_waiting on outbox (created_at) where sent_at is null;

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

do $$
declare name text;
begin
  foreach name in array array['users', 'profiles', 'user_roles', 'identities', 'logins', 'auth_tokens', 'oidc_flows',
    'acceptances', 'outbox', 'rate_limits', 'idempotency_keys'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
  end loop;
  foreach name in array array['users', 'profiles', 'user_roles', 'identities', 'logins', 'auth_tokens', 'oidc_flows',
    'acceptances', 'outbox', 'rate_limits', 'idempotency_keys'] loop
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
  foreach name in array array['profiles', 'user_roles', 'logins', 'acceptances', 'idempotency_keys'] loop
    execute format('create policy own_rows on %I for all to tutorlog_app using (user_id = app_user()) with check (user_id = app_user())', name);
  end loop;
end $$;
create policy own_row on users for all to tutorlog_app using (id = app_user()) with check (id = app_user());
create policy own_mail on outbox for insert to tutorlog_app with check (user_id = app_user());

grant select (id, email, email_confirmed_at, created_at) on users to tutorlog_app;
grant select (user_id, full_name, avatar_url, currency, onboarding_dismissed_at, summary_viewed_at, version, updated_at) on profiles to tutorlog_app;
grant update (full_name, onboarding_dismissed_at, summary_viewed_at, version, updated_at) on profiles to tutorlog_app;
grant select (user_id, role) on user_roles to tutorlog_app;
-- No grant lets a user write the role admin: the check is here because a policy sees the value, a grant does not.
grant insert (user_id, role) on user_roles to tutorlog_app;
create policy no_admin on user_roles as restrictive for insert to tutorlog_app with check (role in ('parent', 'tutor'));
grant select (id, user_id, user_agent, created_at, refreshed_at), delete on logins to tutorlog_app;
grant select (user_id, document, version, accepted_at), insert (user_id, document, version) on acceptances to tutorlog_app;
grant insert (id, user_id, recipient, kind, data) on outbox to tutorlog_app;
grant select (user_id, operation, key, request_hash, status, response, created_at), insert (user_id, operation, key, request_hash), update (status, response)
  on idempotency_keys to tutorlog_app;

grant select (id, email, email_key, password_hash, email_confirmed_at, disabled_at, created_at),
  insert (id, email, email_key, password_hash, email_confirmed_at),
  update (email_confirmed_at, password_hash, disabled_at) on users to tutorlog_system;
grant select (user_id, full_name, avatar_url, currency, version), insert (user_id, full_name, avatar_url) on profiles to tutorlog_system;
grant select (user_id, role), insert (user_id, role), update (role), delete on user_roles to tutorlog_system;
grant select (issuer, subject, user_id), insert (issuer, subject, user_id) on identities to tutorlog_system;
grant select (id, user_id, access_hash, access_expires_at, refresh_hash, previous_refresh_hash, refreshed_at, active_until, ends_at, user_agent, created_at),
  insert (id, user_id, access_hash, access_expires_at, refresh_hash, active_until, ends_at, user_agent),
  update (access_hash, access_expires_at, refresh_hash, previous_refresh_hash, refreshed_at, active_until), delete on logins to tutorlog_system;
grant select (id, user_id, purpose, token_hash, pair_hash, expires_at, used_at, created_at),
  insert (user_id, purpose, token_hash, pair_hash, expires_at), update (used_at), delete on auth_tokens to tutorlog_system;
grant select (state_hash, nonce, code_verifier, expires_at), insert (state_hash, nonce, code_verifier, expires_at), delete on oidc_flows to tutorlog_system;
grant select (user_id, document, version, accepted_at), insert (user_id, document, version) on acceptances to tutorlog_system;
grant select (id, user_id, recipient, kind, data, attempts, last_error, sent_at, created_at),
  insert (id, user_id, recipient, kind, data), update (attempts, last_error, sent_at), delete on outbox to tutorlog_system;
grant select (key, window_ends_at, hits), insert (key, window_ends_at, hits), update (window_ends_at, hits), delete on rate_limits to tutorlog_system;
grant select (user_id, operation, key, created_at), delete on idempotency_keys to tutorlog_system;
