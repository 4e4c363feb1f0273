-- Friends who bring friends.

-- The code that someone's invitations carry.
create table referral_codes (
  owner_id uuid primary key references users on delete cascade,
  code text not null unique check (code ~ '^[0-9a-z]{12}$'),
  created_at timestamptz not null default now()
);

-- Who came by whose code, from the sign-up until the account goes. The owner is the one who invited.
create table referrals (
  owner_id uuid not null references users on delete cascade,
  friend_id uuid not null unique references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (owner_id, friend_id),
  check (owner_id <> friend_id)
);

-- Days added to someone's trial; the plan adds them up.
create table rewards (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  days integer not null check (days between 0 and 3650),
  reason text not null check (reason in ('friend_joined', 'joined_by_invitation')),
  -- The hash of the friend's address: a friend who deletes the account and comes back brings no second reward.
  friend_hash bytea,
  created_at timestamptz not null default now(),
  -- The reward of someone who already pays moves the next payment. Null: the days count for the trial; due: the provider has
  -- to be told; given: it moved the payment.
  credit text check (credit in ('due', 'given')),
  primary key (owner_id, id),
  check ((reason = 'friend_joined') = (friend_hash is not null))
);
create unique index rewards_one_for_a_friend on rewards (friend_hash);
create unique index rewards_one_for_joining on rewards (owner_id) where reason = 'joined_by_invitation';
create index rewards_due on rewards (owner_id, created_at) where credit = 'due';

grant select (owner_id, code, created_at) on referral_codes to tutorlog_app;
grant select (owner_id, code), insert (owner_id, code) on referral_codes to tutorlog_system;
-- An export names how many friends came, and when; who they are stays with the system's role.
grant select (owner_id, created_at) on referrals to tutorlog_app;
grant select (owner_id, friend_id, created_at), insert (owner_id, friend_id), delete on referrals to tutorlog_system;
-- Nobody can write a reward for themself (promise T17).
grant select (owner_id, id, days, reason, created_at, credit) on rewards to tutorlog_app;
grant select (owner_id, id, days, reason, friend_hash, created_at, credit), insert (owner_id, days, reason, friend_hash, created_at),
  update (credit) on rewards to tutorlog_system;
