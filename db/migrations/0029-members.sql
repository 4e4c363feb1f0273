-- Who else keeps a family's or a practice's records, and how they come (docs/decisions/0014-workspaces.md). What was the account's and is
-- the workspace's moves there: the currency, and the name by which others meet it.
alter table workspaces add column currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$');
alter table workspaces add column owner_name text;
alter table workspaces no force row level security;
alter table profiles no force row level security;
update workspaces w set currency = p.currency, owner_name = p.full_name from profiles p where p.user_id = w.id;
alter table workspaces force row level security;
alter table profiles force row level security;
alter table profiles drop column currency;

create table member_invitations (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null,
  email_key text not null,
  role text not null check (role in ('parent', 'caregiver', 'viewer', 'assistant')),
  -- Made when the email is written; null until then.
  token_hash bytea unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, email_key)
);
create index member_invitations_by_end on member_invitations (expires_at);
alter table member_invitations enable row level security;
alter table member_invitations force row level security;

grant select (currency, owner_name) on workspaces to tutorlog_app, tutorlog_tutor, tutorlog_system;
grant insert (owner_name), update (kind) on workspaces to tutorlog_system;
grant update (currency) on workspaces to tutorlog_app;
grant update (role), delete on members to tutorlog_app;
grant delete on members to tutorlog_system;
grant select (workspace_id, id, email, email_key, role, created_at, expires_at), insert (workspace_id, email, email_key, role, expires_at),
  update (role, token_hash, created_at, expires_at), delete on member_invitations to tutorlog_app;
grant select (workspace_id, id, email, email_key, role, token_hash, created_at, expires_at), update (token_hash), delete on member_invitations to tutorlog_system;

-- Most sessions were taken over from nobody. As a whole index it could stand in for the primary key where a young table has no
-- statistics yet, and then every look at one session walked through all of its workspace.
drop index sessions_proposed;
create unique index sessions_proposed on sessions (workspace_id, proposed_id) where proposed_id is not null;
