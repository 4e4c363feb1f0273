-- Records belong to workspaces, and accounts are members of them (docs/decisions/0014-workspaces.md). The policies of these
-- tables are in db/repeatable/policies.sql. The workspace comes first in every key, so no row can reference another
-- workspace's row.

create table workspaces (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('family', 'practice')),
  created_at timestamptz not null default now(),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  -- The name under which others meet the workspace.
  owner_name text,
  -- Until then nobody needs a plan here: whoever became the owner without asking for it gets time to choose one.
  writable_until timestamptz,
  -- The earliest start of a trial of its former owners: another owner starts no second trial.
  trial_since timestamptz
);

create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  account_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'parent', 'caregiver', 'viewer', 'assistant')),
  joined_at timestamptz not null default now(),
  -- When this member closed the checklist of this workspace.
  onboarding_dismissed_at timestamptz,
  -- False for members who keep the records of some students only (member_students).
  all_students boolean not null default true,
  primary key (workspace_id, account_id),
  constraint members_owner_sees_all check (role <> 'owner' or all_students)
);
create index members_by_account on members (account_id, joined_at);
create unique index members_owner on members (workspace_id) where role = 'owner';

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
  -- The students whose records the invited member will keep; null is all of them.
  student_ids uuid[],
  primary key (workspace_id, id),
  unique (workspace_id, email_key)
);
create index member_invitations_by_end on member_invitations (expires_at);

grant select (id, kind, created_at, currency, owner_name, writable_until, trial_since), update (currency) on workspaces to tutorlog_app;
grant update (owner_name) on workspaces to tutorlog_family, tutorlog_practice;
grant select (id, currency, owner_name) on workspaces to tutorlog_link, tutorlog_family_link;
grant select (id, kind, created_at, currency, owner_name, writable_until, trial_since), insert (id, kind, currency, owner_name),
  update (kind) on workspaces to tutorlog_system;
grant select (workspace_id, account_id, role, joined_at, onboarding_dismissed_at, all_students), update (role, all_students),
  delete on members to tutorlog_app;
grant select (workspace_id, account_id, role, joined_at, onboarding_dismissed_at, all_students),
  insert (workspace_id, account_id, role, all_students), update (onboarding_dismissed_at), delete on members to tutorlog_system;
grant select (workspace_id, id, email, email_key, role, created_at, expires_at, student_ids),
  insert (workspace_id, email, email_key, role, expires_at, student_ids), update (role, token_hash, created_at, expires_at, student_ids),
  delete on member_invitations to tutorlog_app;
grant select (workspace_id, id, email, email_key, role, token_hash, created_at, expires_at, student_ids), update (token_hash),
  delete on member_invitations to tutorlog_system;
