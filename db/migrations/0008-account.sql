-- Account settings, subscription, deletion, and what administrators looked at.

-- Who was what before an operator made them an administrator.
alter table user_roles add column earlier_role text check (earlier_role in ('parent', 'tutor'));
grant select (earlier_role), update (earlier_role) on user_roles to tutorlog_system;

alter table users
  add column has_password boolean generated always as (password_hash is not null) stored,
  -- Set when somebody deleted the account; it is purged a while later, and signing in before that offers to keep it.
  add column deletion_asked_at timestamptz;
create index users_leaving on users (deletion_asked_at) where deletion_asked_at is not null;
create index users_unconfirmed on users (created_at) where email_confirmed_at is null;
grant select (has_password, deletion_asked_at, disabled_at) on users to tutorlog_app, tutorlog_system;
grant update (email, email_key, deletion_asked_at), delete on users to tutorlog_system;
grant update (currency) on profiles to tutorlog_app;
grant select (active_until, ends_at) on logins to tutorlog_app;
grant insert (created_at, refreshed_at) on logins to tutorlog_system;

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

-- Who a user is to the payment provider, and the provider's subscriptions as they were last read from it.
create table customers (
  owner_id uuid primary key references users on delete cascade,
  customer_id text not null unique check (length(customer_id) <= 100),
  created_at timestamptz not null default now()
);
create table subscriptions (
  owner_id uuid not null references users on delete cascade,
  id text not null unique check (length(id) <= 100),
  status text not null check (length(status) <= 40),
  billing_interval text not null check (billing_interval in ('month', 'year')),
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  period_ends_at timestamptz not null,
  cancels_at_period_end boolean not null,
  read_at timestamptz not null,
  primary key (owner_id, id)
);
-- Notices of the provider that were taken in, so that a repeated one does nothing. Their content is not kept.
create table billing_events (
  id text primary key check (length(id) <= 100),
  type text not null check (length(type) <= 100),
  received_at timestamptz not null
);
create index billing_events_by_age on billing_events (received_at);

-- What an administrator looked at of somebody's, and why; it stands in that person's export (promise T14).
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

do $$
declare name text;
begin
  foreach name in array array['email_changes', 'customers', 'subscriptions', 'billing_events', 'admin_reads'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
  foreach name in array array['email_changes', 'customers', 'subscriptions', 'admin_reads'] loop
    execute format('create policy own_rows on %I for select to tutorlog_app using (owner_id = app_user())', name);
  end loop;
end $$;

grant select (owner_id, new_email, old_confirmed_at, new_confirmed_at, expires_at, created_at) on email_changes to tutorlog_app;
grant select (owner_id, customer_id, created_at) on customers to tutorlog_app;
-- Users read what they pay for; only the provider's answers write it (promise T17).
grant select (owner_id, id, status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at) on subscriptions to tutorlog_app;
grant select (owner_id, id, what, purpose, day, read_at) on admin_reads to tutorlog_app;

grant select (owner_id, new_email, old_token_hash, new_token_hash, old_confirmed_at, new_confirmed_at, expires_at, created_at),
  insert (owner_id, new_email, expires_at), update (old_token_hash, new_token_hash, old_confirmed_at, new_confirmed_at), delete on email_changes to tutorlog_system;
grant select (owner_id, customer_id, created_at), insert (owner_id, customer_id) on customers to tutorlog_system;
grant select (owner_id, id, status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at),
  insert (owner_id, id, status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at),
  update (status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at), delete on subscriptions to tutorlog_system;
grant select (id, type, received_at), insert (id, type, received_at), delete on billing_events to tutorlog_system;
grant select (owner_id, id, admin_id, what, purpose, day, read_at), insert (owner_id, admin_id, what, purpose, day, read_at), delete on admin_reads to tutorlog_system;

-- The export reads these as their owner.
create policy own_rows on identities for select to tutorlog_app using (user_id = app_user());
grant select (issuer, subject, user_id, created_at) on identities to tutorlog_app;
create policy own_mail_read on outbox for select to tutorlog_app using (user_id = app_user());
grant select (id, user_id, recipient, kind, data, sent_at, created_at) on outbox to tutorlog_app;
grant select (created_at, earlier_role) on user_roles to tutorlog_app;
grant select (onboarding_dismissed_at, summary_viewed_at, updated_at) on profiles to tutorlog_system;
