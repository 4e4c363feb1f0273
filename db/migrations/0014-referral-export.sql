-- An export names how many friends came, and when; who they are stays with the system's role.
create policy own_rows on referrals for select to tutorlog_app using (owner_id = app_user());
grant select (owner_id, created_at) on referrals to tutorlog_app;
