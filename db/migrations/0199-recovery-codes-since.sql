-- When an account's recovery codes were made, so that "This wasn't me" can end those that a thief made.
alter table second_steps add recovery_made_at timestamptz;
update second_steps set recovery_made_at = on_since;
alter table second_steps add check ((recovery_made_at is null) = (on_since is null));

grant select (recovery_made_at) on second_steps to tutorlog_app;
grant select (recovery_made_at), update (recovery_made_at) on second_steps to tutorlog_system;
