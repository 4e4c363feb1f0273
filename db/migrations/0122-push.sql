-- Devices that may get push messages: browsers that an account signed in with, by the hash that known_browsers has too.
create table push_devices (
  user_id uuid not null references users on delete cascade,
  browser_hash bytea not null,
  created_at timestamptz not null default now(),
  -- The person turned messages on here. Signing out ends the subscription, and signing in again renews it.
  is_on boolean not null default false,
  shows_names boolean not null default false,
  is_offer_dismissed boolean not null default false,
  -- The login that subscribed. With it goes the subscription (db/repeatable/push.sql).
  login_id uuid references logins on delete set null,
  endpoint text check (length(endpoint) <= 2000),
  endpoint_hash bytea unique,
  -- The browser's public key and its secret, which messages are encrypted with.
  p256dh text check (length(p256dh) <= 100),
  auth text check (length(auth) <= 50),
  -- When something was last opened or answered on the device.
  used_at timestamptz,
  delivered_at timestamptz,
  -- Why the last message didn't arrive.
  failure text check (failure in ('later', 'refused')),
  primary key (user_id, browser_hash),
  check ((login_id is null) = (endpoint is null) and (endpoint is null) = (endpoint_hash is null)
    and (endpoint is null) = (p256dh is null) and (endpoint is null) = (auth is null) and (endpoint is null) = (used_at is null)),
  check (is_on or endpoint is null)
);
create index push_devices_by_login on push_devices (login_id) where login_id is not null;

grant select (user_id, browser_hash, created_at, is_on, shows_names, is_offer_dismissed, endpoint, used_at, delivered_at, failure),
  insert (user_id, browser_hash, shows_names, is_offer_dismissed),
  update (is_on, shows_names, is_offer_dismissed, login_id) on push_devices to tutorlog_app;
grant select (user_id, browser_hash, created_at, is_on, shows_names, login_id, endpoint, endpoint_hash, p256dh, auth, used_at, delivered_at, failure),
  insert (user_id, browser_hash, is_on, login_id, endpoint, endpoint_hash, p256dh, auth, used_at),
  update (is_on, login_id, endpoint, endpoint_hash, p256dh, auth, used_at, delivered_at, failure), delete on push_devices to tutorlog_system;

-- The key that push services know this server by (VAPID, RFC 8292): a number of the curve P-256. It's made here and stays,
-- because devices subscribe to its public half. Of random bytes, all but one in four billion are such a number.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  private_key bytea not null check (length(private_key) = 32)
);
insert into push_keys (private_key)
  select sha256(string_agg(uuid_send(gen_random_uuid()), '')) from generate_series(1, 4);
grant select (private_key) on push_keys to tutorlog_system;
