-- A connection by a link or QR code that's handed over, instead of an email (docs/decisions/0038-a-handed-over-link.md).

-- The links that were handed over for a connection; at most one of them hasn't ended. Only hashes are kept (promise A18).
create table handed_links (
  -- Who handed it over.
  workspace_id uuid not null references workspaces on delete cascade,
  connection_id uuid not null references connections on delete cascade,
  id uuid not null default gen_random_uuid(),
  token_hash bytea not null unique,
  -- If nobody has claimed it by then, nobody can.
  lapses_at timestamptz not null,
  claimed_at timestamptz,
  -- Of the cookie that the device which claimed it got.
  device_hash bytea,
  -- Since when another link replaces it.
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint handed_links_claim check ((claimed_at is null) = (device_hash is null))
);
create unique index handed_links_one on handed_links (connection_id) where ended_at is null;
create index handed_links_by_connection on handed_links (connection_id);

-- An address that someone who was handed a link typed. The token confirms it, and then works like every emailed link's.
alter table link_tokens add address text check (length(address) <= 254);

-- Whether a side did it by handed-over link.
alter table history add is_by_handed_link boolean not null default false;
grant select (is_by_handed_link) on history to tutorlog_app, tutorlog_link, tutorlog_family_link;

grant select (workspace_id, connection_id, id, lapses_at, claimed_at, ended_at, created_at), insert (workspace_id, connection_id, token_hash, lapses_at), update (ended_at)
  on handed_links to tutorlog_family, tutorlog_practice;
grant select (workspace_id, connection_id, id, token_hash, lapses_at, claimed_at, device_hash, ended_at, created_at), update (claimed_at, device_hash), delete
  on handed_links to tutorlog_system;
grant select (address, created_at), insert (address) on link_tokens to tutorlog_system;
