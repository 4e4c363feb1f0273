-- The keys that sign the pages of closed months (docs/page-format.md, docs/decisions/0070-signed-pages.md).
create table page_keys (
  -- Hex of the first 16 bytes of the public key's SHA-256.
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  public_key bytea not null check (length(public_key) = 32),
  -- Null once the key is retired, and in a database that was restored: backups don't contain it.
  private_key bytea check (length(private_key) = 32),
  made_at timestamptz not null,
  retired_at timestamptz,
  constraint page_keys_retired check (retired_at is null or private_key is null)
);
create unique index page_keys_one_in_use on page_keys ((true)) where retired_at is null;

-- Nobody may change or delete a public key: pages that it signed have to verify.
grant select (id, public_key, private_key, made_at, retired_at), insert (id, public_key, private_key, made_at),
  update (private_key, retired_at) on page_keys to tutorlog_system;
