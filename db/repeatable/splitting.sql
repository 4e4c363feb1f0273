-- Splitting: each side keeps a copy of what was shared when a connection ends, a tutor is deleted, or a
-- session is removed from one side's log. Erasing a workspace also splits (closing.sql).

-- Splits shared rows. The family keeps the row, and the practice gets a copy with the same id, confirmations
-- and history.
create or replace function split_sessions(shared sessions[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Remove the practice's side from the rows first, because the practice's copies reuse their ids. Also clear
  -- deletion requests, because there's no longer anyone on the other side to agree to them.
  update sessions s set connection_id = null, practice_id = null, student_id = null, practice_tutor_id = null, practice_schedule_id = null,
    practice_class_day = null,
      deletion_asked_by = null, deletion_asked_at = null, version = s.version + (s.deletion_asked_by is not null)::int, parted_from = o.practice_id
    from unnest(shared) o where s.key = o.key and o.family_id is not null and o.practice_id is not null;
  insert into sessions (id, practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day, day, minutes, rate_override_cents,
      tutor_rate_cents, currency, subject, start_time, summary, homework, facts_version,
      family_word, family_word_version, family_word_at, family_word_note, family_reply, family_reply_at, family_took_part,
      practice_word, practice_word_version, practice_word_at, practice_word_note, practice_reply, practice_reply_at, practice_took_part, version,
        created_at, updated_at, parted_from)
    select o.id, o.practice_id, o.student_id, o.practice_tutor_id, o.practice_schedule_id, o.practice_class_day, o.day, o.minutes,
      o.rate_override_cents, o.tutor_rate_cents, o.currency, o.subject, o.start_time, o.summary, o.homework, o.facts_version,
      o.family_word, o.family_word_version, o.family_word_at, o.family_word_note, o.family_reply, o.family_reply_at, o.family_took_part,
      o.practice_word, o.practice_word_version, o.practice_word_at, o.practice_word_note, o.practice_reply, o.practice_reply_at, o.practice_took_part,
        o.version + (o.deletion_asked_by is not null)::int, o.created_at, o.updated_at, o.family_id
    from unnest(shared) o where o.family_id is not null and o.practice_id is not null;
  -- Each side's copy of the history names only accounts on that side.
  insert into session_history (session_key, chain, seq, session_id, practice_id, at, side, actor_id, action, facts, changed, note, previous_hash,
      hash, hashed_text)
    select n.key, h.chain, h.seq, h.session_id, o.practice_id, h.at, h.side, case when h.side = 'practice' then h.actor_id end, h.action, h.facts,
      h.changed, h.note, h.previous_hash, h.hash, h.hashed_text
    from unnest(shared) o join sessions n on n.practice_id = o.practice_id and n.id = o.id join session_history h on h.session_key = o.key
    where o.family_id is not null;
  update session_history h set connection_id = null, practice_id = case when o.family_id is null then h.practice_id end from unnest(shared) o
    where h.session_key = o.key;
  -- A row that existed on only one side stays with that side. If someone without an account answered for the other
  -- side, that answer doesn't count for the next person who's asked. Deletion requests are cleared here, too.
  update sessions s set connection_id = null, deletion_asked_by = null, deletion_asked_at = null, version = s.version + (s.deletion_asked_by is not null)::int,
      parted_from = case when (o.practice_id is null and o.practice_took_part) or (o.family_id is null and o.family_took_part) then o.connection_id
        else s.parted_from end
    from unnest(shared) o where s.key = o.key and s.connection_id is not null;
end $$;
revoke all on function split_sessions(sessions[]) from public;

-- When either side ends a connection, splits its sessions.
create or replace function part_sides() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform lock_sides(new.id);
  delete from session_pairs where connection_id = new.id;
  perform split_sessions(array(select s from sessions s where s.connection_id = new.id order by s.key for update));
  perform split_payments(array(select p from payments p where p.connection_id = new.id order by p.key for update));
  return null;
end $$;
revoke all on function part_sides() from public;
create or replace trigger connection_parted after update of state on connections for each row
  when (old.state in ('asked', 'active') and new.state in ('declined', 'ended')) execute function part_sides();

-- Removes a session from the caller's log when the other side hasn't agreed to delete it. That's possible two
-- weeks after the request and three days after the second reminder, or after four weeks if no reminders could
-- be sent (answerDue in src/features/sessions/confirmation.ts).
create or replace function leave_session(session bigint, moment timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare shared sessions; own sessions;
begin
  perform hold_sharing();
  select * into shared from sessions s where key = session
    and (select asked <= moment - interval '28 days' or (reminders >= 2 and asked <= moment - interval '14 days' and reminded <= moment - interval '3 days')
      from (values ('family', s.practice_asked_since, s.practice_reminders, s.practice_reminded_at),
          ('practice', s.family_asked_since, s.family_reminders, s.family_reminded_at))
        question (asker, asked, reminders, reminded) where asker = s.deletion_asked_by)
    and case deletion_asked_by when 'family' then family_id else practice_id end = app_workspace() for update;
  if not found then return false; end if;
  delete from session_pairs where shared.key in (family_key, practice_key);
  perform split_sessions(array[shared]);
  select * into own from sessions where id = shared.id and case shared.deletion_asked_by when 'family' then family_id else practice_id end = app_workspace();
  perform add_history(own, shared.deletion_asked_by, 'deleted', '{}', null);
  delete from sessions where key = own.key;
  return true;
end $$;
revoke all on function leave_session(bigint, timestamptz) from public;
grant execute on function leave_session(bigint, timestamptz) to tutorlog_family, tutorlog_practice;

-- Deleting a connected tutor ends the connection first. The practice keeps its copy and gets the same email
-- as when a family ends a connection.
create or replace function part_from_tutor() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare ended uuid;
begin
  update connections set state = 'ended', ended_at = clock_timestamp(), ended_by = 'family', version = version + 1, updated_at = clock_timestamp()
    where family_id = old.workspace_id and tutor_id = old.id and state in ('asked', 'active') returning id into ended;
  if other_owner(ended) is not null then
    insert into outbox (user_id, recipient, kind, data)
      values (other_owner(ended), '', 'connection_changed', jsonb_build_object('link_id', ended, 'news', 'ended'));
  end if;
  return old;
end $$;
revoke all on function part_from_tutor() from public;
create or replace trigger tutor_parted before delete on tutors for each row execute function part_from_tutor();
