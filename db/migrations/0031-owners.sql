-- A workspace can get another owner: by being handed over, or when its owner's account is erased while a parent remains.
alter table workspaces
  -- Until then nobody needs a plan here: whoever became the owner without asking for it gets time to choose one.
  add column writable_until timestamptz,
  -- The earliest start of a trial of its former owners: another owner starts no second trial.
  add column trial_since timestamptz;
create unique index members_owner on members (workspace_id) where role = 'owner';

-- The checklist is closed by a member, for one workspace: another one of the same person shows its own.
alter table members add column onboarding_dismissed_at timestamptz;
alter table members no force row level security;
alter table profiles no force row level security;
update members m set onboarding_dismissed_at = p.onboarding_dismissed_at from profiles p where p.user_id = m.account_id and p.onboarding_dismissed_at is not null;
alter table members force row level security;
alter table profiles force row level security;
alter table profiles drop column onboarding_dismissed_at;

grant select (writable_until, trial_since) on workspaces to tutorlog_app, tutorlog_system;
grant insert (currency) on workspaces to tutorlog_system;
grant select (onboarding_dismissed_at) on members to tutorlog_app, tutorlog_system;
grant update (onboarding_dismissed_at) on members to tutorlog_system;
