-- Each sign-up of an unconfirmed address is a row of its own, with its own password, role and link (promise A8).
-- An address belongs to the one account that confirmed it.
alter table users drop constraint users_email_key_key;
create unique index users_confirmed_address on users (email_key) where email_confirmed_at is not null;
create index users_by_address on users (email_key);

-- The browser that signed up, as a hash of its secret and the address: there the mailed link needs no password.
alter table users add column sign_up_browser_hash bytea;
grant select (sign_up_browser_hash), insert (sign_up_browser_hash), update (sign_up_browser_hash) on users to tutorlog_system;

-- Browsers that signed in to an account before: they are never locked out by guesses made elsewhere (promise A20).
create table known_browsers (
  user_id uuid not null references users on delete cascade,
  -- Of the browser's secret and the account, so that two accounts of one browser cannot be told to belong together.
  browser_hash bytea not null,
  seen_at timestamptz not null,
  primary key (user_id, browser_hash)
);
alter table known_browsers enable row level security;
alter table known_browsers force row level security;
create policy system_all on known_browsers for all to tutorlog_system using (true) with check (true);
grant select (user_id, browser_hash, seen_at), insert (user_id, browser_hash, seen_at), update (seen_at), delete on known_browsers to tutorlog_system;
