-- Where somebody goes after signing in with Google once more to prove who they are; empty: the dashboard.
alter table oidc_flows add column return_to text check (return_to in ('deletion'));
grant select (return_to), insert (return_to) on oidc_flows to tutorlog_system;
