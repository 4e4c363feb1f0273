-- Trials and subscriptions.

-- One trial for an address: when the first one began is remembered under the address's hash once the address is free again,
-- because its account was erased or took another one, and counts when the address confirms once more (promise T17).
create table first_trials (
  address_hash bytea primary key,
  began_at timestamptz not null,
  -- When the address became free; the row goes a stated time later.
  left_at timestamptz not null
);
create index first_trials_by_age on first_trials (left_at);

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

-- The provider's notices that were handled, so that a repeated one does nothing. Their content isn't kept.
create table billing_events (
  id text primary key check (length(id) <= 100),
  type text not null check (length(type) <= 100),
  received_at timestamptz not null
);
create index billing_events_by_age on billing_events (received_at);

grant select (address_hash, began_at, left_at), insert (address_hash, began_at, left_at), update (began_at, left_at),
  delete on first_trials to tutorlog_system;
-- Users read what they pay for; only the provider's answers write it (promise T17).
grant select (owner_id, customer_id, created_at) on customers to tutorlog_app;
grant select (owner_id, customer_id, created_at), insert (owner_id, customer_id) on customers to tutorlog_system;
grant select (owner_id, id, status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at) on
    subscriptions to tutorlog_app;
grant select (owner_id, id, status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at),
  insert (owner_id, id, status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at),
  update (status, billing_interval, amount_cents, currency, period_ends_at, cancels_at_period_end, read_at),
  delete on subscriptions to tutorlog_system;
grant select (id, type, received_at), insert (id, type, received_at), delete on billing_events to tutorlog_system;
