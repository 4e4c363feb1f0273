-- Each side's confirmation of a session. It's valid only for the facts it was given for: when the facts
-- change, it no longer counts. Neither side can write, clear or reset the other's
-- (docs/decisions/0015-one-lesson-one-row.md). The current database role determines the side. Work done as
-- the tables' owner (splitting, merging, clearing references) doesn't change confirmations.

-- Whether a practice shares a student's lessons under a connection. True once the family has matched a child
-- to the student. Also true if the practice's request to an address includes the student.
create or replace function is_shared_with(link connections, person connection_people) returns boolean
language sql immutable set search_path = public, pg_temp
as $$ select case when link.family_id is null then link.state in ('asked', 'active') else link.state = 'active' and person.child_id is not null end $$;

-- Fills in the other side of a session from the connection between its people. If a student has several
-- connections, prefers the one the session was in, then the one the practice names, then the one accepted
-- last.
drop function if exists share_session(text, sessions, uuid);
create or replace function share_session(side text, new sessions, before uuid, named uuid) returns sessions
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  link connections;
  person connection_people;
begin
  perform hold_sharing();
  if side = 'family' then
    select c.* into link from connections c where c.family_id = new.family_id and c.tutor_id = new.family_tutor_id and c.state in ('asked', 'active');
  else
    select c.* into link from connections c join connection_people p on p.connection_id = c.id
    where p.practice_id = new.practice_id and p.student_id = new.student_id and c.practice_id = new.practice_id and is_shared_with(c, p)
    order by c.id is not distinct from coalesce(before, named) desc, c.state = 'active' desc, c.created_at desc limit 1;
  end if;
  if link.id is null or (side = 'family' and new.child_id is null) then return new; end if;
  -- Shared sessions stay shared. Any other session is shared if it's on or after the agreed first day, both
  -- accounts are open, and the other side didn't keep a copy when the two sides were split earlier.
  if before is distinct from link.id and (link.family_closed_at is not null or link.practice_closed_at is not null or new.day < link.shared_from
    or not is_parted_from(new.parted_from, link)
    or exists (select from sessions o where o.id = new.id and o.key <> new.key and o.family_id = link.family_id and side = 'practice')
    or exists (select from sessions o where o.id = new.id and o.key <> new.key and o.practice_id = link.practice_id and side = 'family')) then
    return new;
  end if;
  new.connection_id := link.id;
  new.currency := currency_of(coalesce(link.family_id, link.practice_id));
  if side = 'family' then
    person := connected_child(link, new.child_id);
    if link.practice_id is null then return new; end if;
    new.practice_id := link.practice_id;
    new.student_id := person.student_id;
    new.practice_tutor_id := (select t.id from tutors t where t.workspace_id = link.practice_id and t.is_self);
  else
    new.family_id := link.family_id;
    new.family_tutor_id := link.tutor_id;
    new.child_id := (select p.child_id from connection_people p where p.connection_id = link.id and p.student_id = new.student_id);
  end if;
  return new;
end $$;
revoke all on function share_session(text, sessions, uuid, uuid) from public;

-- The rate for a session that a caregiver logs. It's set here because the caregiver's role can't read rates
-- (src/features/sessions/rate.ts has the rule for everyone else).
create or replace function usual_rate(s sessions, is_new boolean) returns integer
language sql stable security definer set search_path = public, pg_temp
as $$ select coalesce((select c.hourly_rate_cents from schedules c where is_new and c.workspace_id = s.family_id and c.id = s.family_schedule_id),
    (select p.hourly_rate_cents from students p where p.workspace_id = s.family_id and p.id = s.child_id),
    (select t.hourly_rate_cents from tutors t where t.workspace_id = s.family_id and t.id = s.family_tutor_id)) $$;
revoke all on function usual_rate(sessions, boolean) from public;
create or replace function has_own_rate(a sessions, b sessions) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from students p where p.workspace_id = a.family_id and p.id in (a.child_id, b.child_id) and p.hourly_rate_cents is not null) $$;
revoke all on function has_own_rate(sessions, sessions) from public;

create or replace function keep_session() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side text := tg_argv[0];
  is_caregiver boolean := tg_argv[1] is not null;
  is_new boolean := tg_op = 'INSERT';
  has_moved boolean;
  -- If a practice sets the connection, that only tells us which family it means. The code below decides where
  -- the session is shared.
  named uuid := new.connection_id;
  alone sessions;
begin
  new.connection_id := case when not is_new then old.connection_id end;
  if is_new then
    new.currency := currency_of(coalesce(new.family_id, new.practice_id));
    if is_caregiver then
      new.caregiver_id := app_account();
      new.tutor_rate_cents := usual_rate(new, true);
    end if;
    if not new.is_held then new := share_session(side, new, null, named); end if;
    has_moved := true;
  else
    if new.connection_id is not null and exists (select from connections c where c.id = new.connection_id
        and (case when side = 'family' then c.practice_closed_at else c.family_closed_at end) is not null) then
      raise exception 'the account of the other side is closed' using errcode = 'check_violation', constraint = 'sessions_other_side_open';
    end if;
    -- A side can request a deletion only in its own name and only once. It can't agree for the other side or
    -- backdate the request.
    if new.deletion_asked_by is not null and (new.deletion_asked_by, new.deletion_asked_at) is distinct from (old.deletion_asked_by, old.deletion_asked_at)
      and (new.deletion_asked_by <> side or old.deletion_asked_by is not null) then
      raise exception 'a side can request a deletion only for itself' using errcode = 'check_violation', constraint = 'sessions_deletion_own';
    end if;
    has_moved := (new.child_id is not null and new.child_id is distinct from old.child_id)
      or (new.family_tutor_id is not null and new.family_tutor_id is distinct from old.family_tutor_id)
      or (new.student_id is not null and new.student_id is distinct from old.student_id)
        or (new.practice_tutor_id is not null and new.practice_tutor_id is distinct from old.practice_tutor_id);
    if named is distinct from old.connection_id and old.connection_id is not null then
      raise exception 'a session cannot move to another connection' using errcode = 'check_violation', constraint = 'sessions_stay_connected';
    end if;
    -- Sharing a session that was only in this side's log counts as moving it. That confirms it for this side.
    has_moved := has_moved or named is distinct from old.connection_id;
    if is_caregiver and (new.family_tutor_id is distinct from old.family_tutor_id or new.child_id is distinct from old.child_id and has_own_rate(new, old)) then
      new.tutor_rate_cents := usual_rate(new, false);
    end if;
    if has_moved then
      new.connection_id := null;
      alone := new;
      new := share_session(side, new, old.connection_id, named);
      -- A dollar amount never becomes a euro amount. A session logged in a different currency stays only in
      -- the log of the side that logged it.
      if old.connection_id is null and new.currency <> old.currency then new := alone; end if;
      if old.connection_id is not null and new.connection_id is distinct from old.connection_id then
        raise exception 'a session cannot move to another connection' using errcode = 'check_violation', constraint = 'sessions_stay_connected';
      end if;
    end if;
    if old.is_held and (has_moved or new.day <> old.day or new.minutes <> old.minutes
        or (new.rate_override_cents, new.subject) is distinct from (old.rate_override_cents, old.subject)) then
      raise exception 'a held session cannot change before its pair is answered' using errcode = 'check_violation', constraint = 'sessions_held';
    end if;
    has_moved := has_moved or new.day <> old.day or new.minutes <> old.minutes
      or coalesce(new.rate_override_cents, new.tutor_rate_cents) is distinct from coalesce(old.rate_override_cents, old.tutor_rate_cents);
    if has_moved then new.facts_version := old.facts_version + 1; end if;
  end if;
  -- Once someone else has confirmed a session, it no longer counts as the caregiver's own entry.
  if not is_caregiver and (has_moved or (case when side = 'family' then new.family_word else new.practice_word end) is not distinct from 'confirmed') then
    new.caregiver_id := null;
  end if;
  if side = 'family' then
    if has_moved then new.family_word := 'confirmed'; new.family_word_note := null; end if;
    if has_moved or new.family_word_version is distinct from old.family_word_version or new.family_word is distinct from old.family_word
      or new.family_word_note is distinct from old.family_word_note then
      new.family_word_version := case when new.family_word is not null then new.facts_version end;
      new.family_word_at := clock_timestamp();
    end if;
    if not is_new and new.family_reply is distinct from old.family_reply then new.family_reply_at := clock_timestamp(); end if;
    new.family_took_part := new.family_took_part or coalesce(new.family_word = 'confirmed', false);
  else
    if has_moved then new.practice_word := 'confirmed'; new.practice_word_note := null; end if;
    if has_moved or new.practice_word_version is distinct from old.practice_word_version or new.practice_word is distinct from old.practice_word
      or new.practice_word_note is distinct from old.practice_word_note then
      new.practice_word_version := case when new.practice_word is not null then new.facts_version end;
      new.practice_word_at := clock_timestamp();
    end if;
    if not is_new and new.practice_reply is distinct from old.practice_reply then new.practice_reply_at := clock_timestamp(); end if;
    new.practice_took_part := new.practice_took_part or coalesce(new.practice_word = 'confirmed', false);
  end if;
  return new;
end $$;
revoke all on function keep_session() from public;
create or replace trigger session_kept_by_family before insert or update on sessions for each row
  when (current_user in ('tutorlog_family', 'tutorlog_family_link')) execute function keep_session('family');
create or replace trigger session_kept_by_caregiver before insert or update on sessions for each row
  when (current_user = 'tutorlog_caregiver') execute function keep_session('family', 'caregiver');
create or replace trigger session_kept_by_practice before insert or update on sessions for each row
  when (current_user in ('tutorlog_practice', 'tutorlog_link')) execute function keep_session('practice');

-- Counts the caller's own copy of a session that was sent back before the sides parted. What both said until then
-- no longer applies.
create or replace function count_again(session bigint) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own sessions;
  side text;
begin
  select * into own from sessions where key = session and connection_id is null and is_disputed and app_workspace() in (family_id, practice_id) for update;
  if not found then return; end if;
  side := case when own.family_id is not null then 'family' else 'practice' end;
  update sessions set facts_version = facts_version + 1, version = version + 1, updated_at = clock_timestamp(), caregiver_id = null,
    family_word = case side when 'family' then 'confirmed' end, family_word_version = case side when 'family' then facts_version + 1 end,
    family_word_at = case side when 'family' then clock_timestamp() end, family_word_note = null, family_took_part = family_took_part or side = 'family',
    practice_word = case side when 'practice' then 'confirmed' end, practice_word_version = case side when 'practice' then facts_version + 1 end,
    practice_word_at = case side when 'practice' then clock_timestamp() end, practice_word_note = null,
    practice_took_part = practice_took_part or side = 'practice'
    where key = session returning * into own;
  perform add_history(own, side, 'confirmed', '{}', null);
end $$;
revoke all on function count_again(bigint) from public;
grant execute on function count_again(bigint) to tutorlog_family, tutorlog_practice;

-- Repeating a confirmation or reply gives it a new timestamp even if its text is the same, because it has to
-- be later than what it answers.
create or replace function stamp_word() returns trigger
language plpgsql
as $$
begin
  case tg_argv[0]
    when 'family_word' then new.family_word_at := clock_timestamp();
    when 'family_reply' then new.family_reply_at := clock_timestamp();
    when 'practice_word' then new.practice_word_at := clock_timestamp();
    when 'practice_reply' then new.practice_reply_at := clock_timestamp();
  end case;
  return new;
end $$;
do $$
declare word text;
begin
  foreach word in array array['family_word', 'family_reply', 'practice_word', 'practice_reply'] loop
    execute format('create or replace trigger %1$s_stamped before update of %1$s on sessions for each row
      when (current_user in (''tutorlog_family'', ''tutorlog_practice'', ''tutorlog_link'', ''tutorlog_family_link''))
        execute function stamp_word(%1$L)', word);
  end loop;
end $$;

-- A side's notes are keyed by the session's id and deleted along with the session.
create or replace function forget_notes() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from session_notes n where n.session_id = old.id and n.workspace_id in (old.family_id, old.practice_id)
    and not exists (select from sessions s where s.id = old.id and n.workspace_id in (s.family_id, s.practice_id));
  return null;
end $$;
revoke all on function forget_notes() from public;
create or replace trigger session_notes_forgotten after delete on sessions for each row execute function forget_notes();
