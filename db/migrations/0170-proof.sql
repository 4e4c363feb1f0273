-- When someone on a signed-in device last proved who they are: by signing in, or again later
-- (docs/decisions/0061-proof-again.md).
-- Logins from before prove it again when they need to.
alter table logins add proven_at timestamptz not null default 'epoch';
alter table logins alter proven_at set default now();
grant select (proven_at), insert (proven_at), update (proven_at) on logins to tutorlog_system;
grant select (proven_at) on logins to tutorlog_app;

-- The browser knows where someone was when they left for Google.
alter table oidc_flows drop column return_to;
