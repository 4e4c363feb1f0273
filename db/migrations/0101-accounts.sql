-- Accounts and how people sign in. tutorlog_owner owns every table and only migrates; the sides' roles serve members, and
-- tutorlog_system signs people in and runs jobs, on the tables and columns it needs (ARCHITECTURE.md). Row-level security is
-- forced everywhere, so it binds the tables' owner too.

-- Each sign-up of an unconfirmed address is a row of its own, with its own password, role and link (promise A8). An address
-- belongs to the one account that confirmed it.
create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 254),
  -- The address with only A to Z in lower case: no other letter may equal another (promise A15).
  email_key text not null,
  password_hash text,
  email_confirmed_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  has_password boolean generated always as (password_hash is not null) stored,
  -- When the account was deleted; it's erased a while later, and signing in before that offers to keep it.
  deletion_asked_at timestamptz,
  -- Null: the trial began with the account.
  trial_since timestamptz,
  -- The browser that signed up, as a hash of its secret and the address: there, the emailed link needs no password.
  sign_up_browser_hash bytea,
  check (email_key = translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'))
);
create index users_leaving on users (deletion_asked_at) where deletion_asked_at is not null;
create index users_unconfirmed on users (created_at) where email_confirmed_at is null;
create unique index users_confirmed_address on users (email_key) where email_confirmed_at is not null;
create index users_by_address on users (email_key);

create table profiles (
  user_id uuid primary key references users on delete cascade,
  full_name text check (length(full_name) <= 120),
  avatar_url text check (length(avatar_url) <= 500),
  summary_viewed_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  -- The account's IANA time zone: the browser's, until the person chooses one. Null until a browser has told it.
  time_zone text check (length(time_zone) between 1 and 64),
  has_chosen_time_zone boolean not null default false
);

create table user_roles (
  user_id uuid primary key references users on delete cascade,
  role text not null check (role in ('parent', 'tutor', 'admin')),
  created_at timestamptz not null default now(),
  -- What an administrator was before.
  earlier_role text check (earlier_role in ('parent', 'tutor'))
);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

-- A signed-in device ("session" always means a lesson). Only hashes of its tokens are kept (promise A18).
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
  created_at timestamptz not null default now(),
  -- A login's renewal tokens begin with a secret that never changes, so a token replaced long ago still names its login.
  -- Null for logins from before, until they're renewed.
  family_hash bytea unique,
  -- From this and a renewal token, the server derives the next one. Tabs that renew at the same time get the same.
  renewal_salt bytea
);
create index logins_by_user on logins (user_id);

-- Browsers that signed in to an account before: guesses made elsewhere never lock them out (promise A20).
create table known_browsers (
  user_id uuid not null references users on delete cascade,
  -- Of the browser's secret and the account, so that no one can tell that two accounts share a browser.
  browser_hash bytea not null,
  seen_at timestamptz not null,
  primary key (user_id, browser_hash)
);

create table auth_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  token_hash bytea not null unique,
  -- The second half of a reset pair (access_token and refresh_token of the emailed link).
  pair_hash bytea,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  check ((purpose = 'reset') = (pair_hash is not null))
);
create index auth_tokens_by_user on auth_tokens (user_id);

-- A new address counts once both it and the old one have confirmed (promise A14). Only hashes of the links are kept.
create table email_changes (
  owner_id uuid primary key references users on delete cascade,
  new_email text not null check (length(new_email) between 3 and 254),
  old_token_hash bytea unique,
  new_token_hash bytea unique,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

-- The hashes of the addresses an account had before. A link that was emailed to one of them still reaches the same
-- person (db/repeatable/one-person.sql).
create table earlier_addresses (
  user_id uuid not null references users on delete cascade,
  address_hash bytea not null,
  primary key (user_id, address_hash)
);

create table oidc_flows (
  state_hash bytea primary key,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  -- The code of an invitation has to survive the way to Google and back.
  referral_code text check (length(referral_code) <= 100),
  -- Where someone goes after signing in with Google again to prove who they are; null: the dashboard.
  return_to text check (return_to = 'deletion')
);

create table acceptances (
  user_id uuid not null references users on delete cascade,
  document text not null,
  version text not null,
  accepted_at timestamptz not null default now(),
  primary key (user_id, document, version)
);

grant select (id, email, email_confirmed_at, disabled_at, created_at, has_password, deletion_asked_at, trial_since) on users to
    tutorlog_app;
grant select (id, email_key, email_confirmed_at) on users to tutorlog_practice;
grant select (id, email, email_key, password_hash, email_confirmed_at, disabled_at, created_at, has_password, deletion_asked_at,
    trial_since, sign_up_browser_hash),
  insert (id, email, email_key, password_hash, email_confirmed_at, sign_up_browser_hash),
  update (email, email_key, password_hash, email_confirmed_at, disabled_at, deletion_asked_at, trial_since, sign_up_browser_hash),
  delete on users to tutorlog_system;
grant select (user_id, full_name, avatar_url, summary_viewed_at, version, updated_at, time_zone, has_chosen_time_zone),
  update (full_name, summary_viewed_at, version, updated_at, time_zone, has_chosen_time_zone) on profiles to tutorlog_app;
grant select (user_id, full_name, avatar_url, summary_viewed_at, version, updated_at, time_zone, has_chosen_time_zone),
  insert (user_id, full_name, avatar_url) on profiles to tutorlog_system;
grant select (user_id, role, created_at, earlier_role), insert (user_id, role) on user_roles to tutorlog_app;
grant select (user_id, role, earlier_role), insert (user_id, role), update (role, earlier_role), delete on user_roles to tutorlog_system;
grant select (issuer, subject, user_id, created_at) on identities to tutorlog_app;
grant select (issuer, subject, user_id), insert (issuer, subject, user_id) on identities to tutorlog_system;
grant select (id, user_id, refreshed_at, active_until, ends_at, user_agent, created_at), delete on logins to tutorlog_app;
grant select (id, user_id, access_hash, access_expires_at, refresh_hash, previous_refresh_hash, refreshed_at, active_until, ends_at,
    user_agent, created_at, family_hash, renewal_salt),
  insert (id, user_id, access_hash, access_expires_at, refresh_hash, refreshed_at, active_until, ends_at, user_agent, created_at,
    family_hash),
  update (access_hash, access_expires_at, refresh_hash, previous_refresh_hash, refreshed_at, active_until, family_hash, renewal_salt),
  delete on logins to tutorlog_system;
grant select (user_id, browser_hash, seen_at), insert (user_id, browser_hash, seen_at), update (seen_at),
  delete on known_browsers to tutorlog_system;
grant select (id, user_id, purpose, token_hash, pair_hash, expires_at, used_at, created_at),
  insert (user_id, purpose, token_hash, pair_hash, expires_at), update (used_at), delete on auth_tokens to tutorlog_system;
grant select (owner_id, new_email, old_confirmed_at, new_confirmed_at, expires_at, created_at) on email_changes to tutorlog_app;
grant select (owner_id, new_email, old_token_hash, new_token_hash, old_confirmed_at, new_confirmed_at, expires_at, created_at),
  insert (owner_id, new_email, expires_at),
  update (new_email, old_token_hash, new_token_hash, old_confirmed_at, new_confirmed_at, expires_at, created_at),
  delete on email_changes to tutorlog_system;
grant select (state_hash, nonce, code_verifier, expires_at, referral_code, return_to),
  insert (state_hash, nonce, code_verifier, expires_at, referral_code, return_to), delete on oidc_flows to tutorlog_system;
grant select (user_id, document, version, accepted_at), insert (user_id, document, version) on acceptances to tutorlog_app;
grant select (user_id, document, version, accepted_at), insert (user_id, document, version), delete on acceptances to tutorlog_system;
