-- Emails, and who wants which.

-- Emails to send, written by the transaction that causes them. They contain no token: tokens are made when the email is written.
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

-- Which emails someone wants; without a row, all of them.
create table notice_choices (
  user_id uuid primary key references users on delete cascade,
  daily_digest boolean not null default true,
  month_ready boolean not null default true,
  mailed_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  connection_changes boolean not null default true
);

-- Addresses without an account that want no emails, as hashes (promise P9).
create table opt_outs (
  address_hash bytea primary key,
  created_at timestamptz not null default now()
);

-- One click in an email ends emails of its kind, for an account or for an address. Only hashes are kept.
create table unsubscribe_tokens (
  token_hash bytea primary key,
  user_id uuid references users on delete cascade,
  address_hash bytea,
  created_at timestamptz not null default now(),
  -- Null in links emailed before there were kinds: those end all that there were then.
  notice text check (notice in ('daily_digest', 'month_ready', 'connection_changes')),
  check ((user_id is null) <> (address_hash is null))
);
create index unsubscribe_tokens_by_user on unsubscribe_tokens (user_id);
create index unsubscribe_tokens_by_age on unsubscribe_tokens (created_at);

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

grant select (id, user_id, recipient, kind, data, sent_at, created_at),
  insert (id, user_id, recipient, kind, data) on outbox to tutorlog_app;
grant insert (user_id, recipient, kind, data) on outbox to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (id, user_id, recipient, kind, data, attempts, last_error, sent_at, created_at), insert (id, user_id, recipient, kind, data),
  update (attempts, last_error, sent_at), delete on outbox to tutorlog_system;
grant select (user_id, daily_digest, month_ready, mailed_at, version, updated_at, connection_changes),
  insert (user_id, daily_digest, month_ready, connection_changes),
  update (daily_digest, month_ready, version, updated_at, connection_changes) on notice_choices to tutorlog_app;
grant select (user_id, daily_digest, month_ready, mailed_at, version, connection_changes),
  insert (user_id, daily_digest, month_ready, mailed_at, connection_changes),
  update (daily_digest, month_ready, mailed_at, version, updated_at, connection_changes) on notice_choices to tutorlog_system;
grant select (address_hash, created_at), insert (address_hash) on opt_outs to tutorlog_system;
grant select (token_hash, user_id, address_hash, created_at, notice), insert (token_hash, user_id, address_hash, notice),
  delete on unsubscribe_tokens to tutorlog_system;
grant select (version, effective_day, announced_at), insert (version, effective_day) on announced_terms to tutorlog_system;
grant select (owner_id, version, created_at) on terms_notices to tutorlog_app;
grant select (owner_id, version, created_at), insert (owner_id, version) on terms_notices to tutorlog_system;

-- The insert that asks for an email queues it. The function belongs to the system role and is in the queue's own schema, which
-- no member may enter.
create trigger outbox_queued after insert on outbox for each row execute function graphile_worker.queue_mail();
