-- Records belong to workspaces, and people are members of them (docs/decisions/0014-workspaces.md). Whoever is here gets a
-- workspace with their own id, so no row changes its key. The policies of these tables stand in db/repeatable/policies.sql.
create table workspaces (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('family', 'practice')),
  created_at timestamptz not null default now()
);
create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  account_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'parent', 'caregiver', 'viewer', 'assistant')),
  joined_at timestamptz not null default now(),
  primary key (workspace_id, account_id)
);
create index members_by_account on members (account_id, joined_at);
alter table workspaces enable row level security;
alter table workspaces force row level security;
alter table members enable row level security;
alter table members force row level security;

-- Row-level security binds the owner of the tables as well, so it rests while the rows are made and counted.
do $$
declare name text;
begin
  foreach name in array array['user_roles', 'workspaces', 'members', 'students', 'tutors', 'sessions', 'session_history',
    'schedules', 'schedule_changes', 'calendar_feeds', 'payments', 'tutor_links', 'link_tokens', 'family_students', 'declined_proposals', 'sign_offs'] loop
    execute format('alter table %I no force row level security', name);
  end loop;
end $$;

insert into workspaces (id, kind, created_at)
  select user_id, case when role = 'parent' then 'family' else 'practice' end, created_at from user_roles;
insert into members (workspace_id, account_id, role, joined_at) select id, id, 'owner', created_at from workspaces;

do $$
declare name text;
begin
  foreach name in array array['students', 'tutors', 'sessions', 'session_history', 'schedules', 'schedule_changes', 'calendar_feeds', 'payments', 'tutor_links',
    'declined_proposals', 'sign_offs'] loop
    execute format('alter table %I drop constraint %I', name, name || '_owner_id_fkey');
    execute format('alter table %I rename column owner_id to workspace_id', name);
    execute format('alter table %I add foreign key (workspace_id) references workspaces on delete cascade', name);
  end loop;
  foreach name in array array['link_tokens', 'family_students'] loop
    execute format('alter table %I rename column owner_id to workspace_id', name);
  end loop;
end $$;
-- A calendar's address belongs to one membership and ends with it.
alter table calendar_feeds add column account_id uuid;
update calendar_feeds set account_id = workspace_id;
alter table calendar_feeds alter column account_id set not null;
alter table calendar_feeds drop constraint calendar_feeds_owner_id_key;
alter table calendar_feeds add unique (workspace_id, account_id);
alter table calendar_feeds add foreign key (workspace_id, account_id) references members on delete cascade;

do $$
declare name text;
begin
  foreach name in array array['user_roles', 'workspaces', 'members', 'students', 'tutors', 'sessions', 'session_history',
    'schedules', 'schedule_changes', 'calendar_feeds', 'payments', 'tutor_links', 'link_tokens', 'family_students', 'declined_proposals', 'sign_offs'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;

-- Who speaks is an account in a workspace; what belongs to the account alone goes on asking for the account.
alter function app_user() rename to app_account;

grant select (id, kind, created_at) on workspaces to tutorlog_app;
grant select (workspace_id, account_id, role, joined_at) on members to tutorlog_app, tutorlog_tutor;
grant select (id, kind, created_at), insert (id, kind) on workspaces to tutorlog_system;
grant select (workspace_id, account_id, role, joined_at), insert (workspace_id, account_id, role) on members to tutorlog_system;
grant select (account_id), insert (account_id) on calendar_feeds to tutorlog_app;
grant select (account_id) on calendar_feeds to tutorlog_system;
-- The trigger that writes a session's history asks whether its workspace is still there, whoever writes.
grant select (id) on workspaces to tutorlog_tutor;
