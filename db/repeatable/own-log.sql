-- What a tutor's own log may say of verification. It looks at both sides, which no serving role can, and tells a tutor about
-- the tutor's own rows only.

-- The tutor's students who belong to a linked family: their lessons are proposed to it.
create or replace function shared_students() returns table (student_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select f.student_id from tutor_links l join family_students f on f.link_id = l.id
  where l.tutor_user_id = app_workspace() and f.workspace_id = app_workspace() and l.state = 'active' $$;
revoke all on function shared_students() from public;
grant execute on function shared_students() to tutorlog_app;

-- The tutor's lessons of which the family says the same. What was agreed stays agreed when the link ends.
create or replace function agreed_sessions() returns table (session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select own.id from tutor_links l
    join sessions theirs on theirs.workspace_id = l.workspace_id and theirs.tutor_id = l.tutor_id and theirs.proposed_id is not null and theirs.verified_by_tutor
    join sessions own on own.workspace_id = app_workspace() and own.id = theirs.proposed_id and own.day = theirs.day and own.minutes = theirs.minutes
      and coalesce(own.rate_override_cents, own.tutor_rate_cents) is not distinct from coalesce(theirs.rate_override_cents, theirs.tutor_rate_cents)
  where l.tutor_user_id = app_workspace() and l.state in ('active', 'ended') $$;
revoke all on function agreed_sessions() from public;
grant execute on function agreed_sessions() to tutorlog_app;
