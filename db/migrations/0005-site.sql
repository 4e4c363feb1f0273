-- Friends who bring friends, people who want no invitations, and notices of new terms.

-- The code that a user's invitations carry.
create table referral_codes (
  owner_id uuid primary key references users on delete cascade,
  code text not null unique check (code ~ '^[0-9a-z]{12}$'),
  created_at timestamptz not null default now()
);

-- Who came by whose code; kept from the sign-up until the account goes. The owner is the one who invited.
create table referrals (
  owner_id uuid not null references users on delete cascade,
  friend_id uuid not null unique references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (owner_id, friend_id),
  check (owner_id <> friend_id)
);

-- Days added to somebody's trial; the plan adds them up.
create table rewards (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  days integer not null check (days between 0 and 3650),
  reason text not null check (reason in ('friend_joined', 'joined_by_invitation')),
  -- The hash of the friend's address: a friend who deletes the account and comes back brings no second reward.
  friend_hash bytea,
  created_at timestamptz not null default now(),
  primary key (owner_id, id),
  check ((reason = 'friend_joined') = (friend_hash is not null))
);
create unique index rewards_one_for_a_friend on rewards (friend_hash);
create unique index rewards_one_for_joining on rewards (owner_id) where reason = 'joined_by_invitation';

-- Addresses that want no invitation, and the links by which they say so: as hashes only (promise P9).
create table opt_outs (
  address_hash bytea primary key,
  created_at timestamptz not null default now()
);
create table opt_out_links (
  token_hash bytea primary key,
  address_hash bytea not null,
  created_at timestamptz not null default now()
);
create index opt_out_links_by_age on opt_out_links (created_at);

-- Terms that were announced, and who was told (promise P8).
create table announced_terms (
  version text primary key check (length(version) between 1 and 40),
  effective_day date not null,
  announced_at timestamptz not null default now()
);
create table terms_notices (
  owner_id uuid not null references users on delete cascade,
  version text not null references announced_terms,
  created_at timestamptz not null default now(),
  primary key (owner_id, version)
);

-- The code of an invitation has to survive the way to Google and back.
alter table oidc_flows add column referral_code text check (length(referral_code) <= 100);

-- Whoever is here already gets a code too. Row-level security binds the owner of the tables as well, so it rests for this one statement.
alter table users no force row level security;
insert into referral_codes (owner_id, code) select id, substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) from users;
alter table users force row level security;

do $$
declare name text;
begin
  foreach name in array array['referral_codes', 'referrals', 'rewards', 'opt_outs', 'opt_out_links', 'announced_terms', 'terms_notices'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
  foreach name in array array['referral_codes', 'rewards', 'terms_notices'] loop
    execute format('create policy own_rows on %I for all to tutorlog_app using (owner_id = app_user()) with check (owner_id = app_user())', name);
  end loop;
end $$;

grant select (owner_id, code, created_at) on referral_codes to tutorlog_app;
-- Nobody can write a reward for themself: users only read theirs (promise T17).
grant select (owner_id, id, days, reason, created_at) on rewards to tutorlog_app;
grant select (owner_id, version, created_at) on terms_notices to tutorlog_app;

grant select (owner_id, code), insert (owner_id, code) on referral_codes to tutorlog_system;
grant select (owner_id, friend_id, created_at), insert (owner_id, friend_id), delete on referrals to tutorlog_system;
grant select (owner_id, id, days, reason, friend_hash, created_at), insert (owner_id, days, reason, friend_hash) on rewards to tutorlog_system;
grant select (address_hash, created_at), insert (address_hash) on opt_outs to tutorlog_system;
grant select (token_hash, address_hash, created_at), insert (token_hash, address_hash), delete on opt_out_links to tutorlog_system;
grant select (version, effective_day, announced_at), insert (version, effective_day) on announced_terms to tutorlog_system;
grant select (owner_id, version, created_at), insert (owner_id, version) on terms_notices to tutorlog_system;
grant select (referral_code), insert (referral_code) on oidc_flows to tutorlog_system;
-- What somebody accepted who never confirmed the address does not count for the next one who signs up with it.
grant delete on acceptances to tutorlog_system;
