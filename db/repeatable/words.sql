-- The tutor's word on a session (docs/decisions/0006-two-sides.md).

-- Whether the linked tutor logged the same lesson with the same time and rate: then the tutor's word is there already.
-- It looks at both sides, which no serving role can, and answers yes or no to the family itself.
create or replace function tutor_logged_same(family_tutor uuid, proposed uuid, on_day date, for_minutes integer, at_rate integer) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from tutor_links l join family_students f on f.link_id = l.id and f.workspace_id = l.tutor_user_id join sessions s on s.workspace_id = f.workspace_id and s.student_id = f.student_id
  where l.workspace_id = app_workspace() and l.tutor_id = family_tutor and l.state = 'active' and s.id = proposed and s.day = on_day and s.minutes = for_minutes
    and coalesce(s.rate_override_cents, s.tutor_rate_cents) is not distinct from at_rate) $$;
revoke all on function tutor_logged_same(uuid, uuid, date, integer, integer) from public;
grant execute on function tutor_logged_same(uuid, uuid, date, integer, integer) to tutorlog_app;

-- A word holds for the facts that it was given on: the database takes it back when one of them changes, whoever changes it.
create or replace function keep_session_words() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    if new.proposed_id is not null and current_user = 'tutorlog_app' then
      new.verified_by_tutor := tutor_logged_same(new.tutor_id, new.proposed_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents));
    end if;
    return new;
  end if;
  -- An emptied reference means that a child or a tutor was deleted: the books stay as they are.
  if (new.student_id is not null and new.student_id is distinct from old.student_id)
    or (new.tutor_id is not null and new.tutor_id is distinct from old.tutor_id)
    or new.day <> old.day or new.minutes <> old.minutes
    or coalesce(new.rate_override_cents, new.tutor_rate_cents) is distinct from coalesce(old.rate_override_cents, old.tutor_rate_cents) then
    new.verified_by_tutor := false;
    new.status := 'completed';
    new.dispute_note := null;
    new.answer_note := null;
  elsif current_user = 'tutorlog_app' and new.answer_note is distinct from old.answer_note then
    -- An answer puts the session back on the tutor's list.
    new.status := 'completed';
  end if;
  if new.proposed_id is not null and new.proposed_id is distinct from old.proposed_id and current_user = 'tutorlog_app' then
    if tutor_logged_same(new.tutor_id, new.proposed_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents)) then
      new.verified_by_tutor := true;
      new.status := 'completed';
      new.dispute_note := null;
    end if;
  end if;
  return new;
end $$;
create or replace trigger session_words before insert or update on sessions for each row execute function keep_session_words();
