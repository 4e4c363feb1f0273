-- What two sides agree on: sessions and payments. An answer is valid only for the facts it was given for: when the
-- facts change, it no longer counts. Neither side can write, clear or reset the other's answer
-- (docs/decisions/0015-one-lesson-one-row.md). The current database role determines the side. Work done as the
-- tables' owner (splitting, merging, clearing references) doesn't change answers.
--
-- The tables share their columns by name, so each trigger function here is on all of them. A kind's own file
-- (sessions.sql, payments.sql) says who the other side is, which fields are facts, and what the history shows.

-- A side's answer about the current facts; 'none' if there isn't one.
create or replace function current_answer(answer text, answer_facts integer, facts integer) returns text
language sql immutable
as $$ select case when answer_facts = facts then answer else 'none' end $$;

-- The question that a side is asked, as a text that differs for each new question. Null if there's nothing to
-- ask. This is the only place that decides whether something waits for a side.
create or replace function question_of(side text, connection uuid, deletion_by text, deletion_at timestamptz, facts integer, answer text,
  answer_facts integer, answered_at timestamptz, replied_at timestamptz) returns text
language sql stable
as $$ select connection || case
  when deletion_by is not null then case when deletion_by <> side then ' deletion ' || deletion_at end
  when answer is null or answer_facts is distinct from facts then ' facts ' || facts
  when answer = 'disputed' and replied_at > answered_at then ' reply ' || replied_at end $$;

-- The status between the two sides. An own entry is in the records of one side only. When a connection ends,
-- what both sides confirmed stays verified.
create or replace function standing_of(connection uuid, deletion_by text, is_verified boolean, is_disputed boolean) returns text
language sql immutable
as $$ select case when deletion_by is not null then 'leaving' when is_verified then 'verified' when is_disputed then 'disputed'
  when connection is null then 'own' else 'waiting' end $$;

-- Whether a side had its time to answer: two weeks from the question and three days from the second reminder, or
-- four weeks if no reminders could be sent. Like answerDue in src/features/agreements/answer.ts.
create or replace function is_overdue(asked_since timestamptz, reminders integer, reminded_at timestamptz, moment timestamptz) returns boolean
language sql immutable
as $$ select asked_since <= moment - interval '28 days'
  or (reminders >= 2 and asked_since <= moment - interval '14 days' and reminded_at <= moment - interval '3 days') $$;

-- Keeps each side to its own answer. Runs after the kind's own trigger, which counts changes of the facts.
create or replace function keep_answers() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side text := tg_argv[0];
  -- Whoever enters or changes the facts confirms them.
  has_moved boolean := tg_op = 'INSERT' or new.facts_version <> old.facts_version;
begin
  if tg_op = 'UPDATE' then
    if exists (select from connections c where c.id = old.connection_id
        and case side when 'family' then c.practice_closed_at else c.family_closed_at end is not null) then
      raise exception 'the account of the other side is closed' using errcode = 'check_violation', constraint = tg_table_name || '_other_side_open';
    end if;
    -- A side can request a deletion only in its own name and only once. It can't agree for the other side or
    -- backdate the request.
    if new.deletion_asked_by is not null and (new.deletion_asked_by, new.deletion_asked_at) is distinct from (old.deletion_asked_by, old.deletion_asked_at)
      and (new.deletion_asked_by <> side or old.deletion_asked_by is not null) then
      raise exception 'a side can request a deletion only for itself' using errcode = 'check_violation', constraint = tg_table_name || '_deletion_own';
    end if;
  end if;
  if side = 'family' then
    if has_moved then new.family_answer := 'confirmed'; new.family_answer_note := null; end if;
    if has_moved or (new.family_answer, new.family_answer_version, new.family_answer_note)
      is distinct from (old.family_answer, old.family_answer_version, old.family_answer_note) then
      new.family_answer_version := case when new.family_answer is not null then new.facts_version end;
      new.family_answered_at := clock_timestamp();
    end if;
    new.family_took_part := new.family_took_part or coalesce(new.family_answer = 'confirmed', false);
  else
    if has_moved then new.practice_answer := 'confirmed'; new.practice_answer_note := null; end if;
    if has_moved or (new.practice_answer, new.practice_answer_version, new.practice_answer_note)
      is distinct from (old.practice_answer, old.practice_answer_version, old.practice_answer_note) then
      new.practice_answer_version := case when new.practice_answer is not null then new.facts_version end;
      new.practice_answered_at := clock_timestamp();
    end if;
    new.practice_took_part := new.practice_took_part or coalesce(new.practice_answer = 'confirmed', false);
  end if;
  return new;
end $$;
revoke all on function keep_answers() from public;

-- Repeating an answer or reply gives it a new timestamp even if its text is the same, because it has to be later
-- than what it answers.
create or replace function stamp_answer() returns trigger
language plpgsql
as $$
begin
  case tg_argv[0]
    when 'family_answer' then new.family_answered_at := clock_timestamp();
    when 'family_reply' then new.family_reply_at := clock_timestamp();
    when 'practice_answer' then new.practice_answered_at := clock_timestamp();
    when 'practice_reply' then new.practice_reply_at := clock_timestamp();
  end case;
  return new;
end $$;

-- Tracks when a side was asked and how many reminders it has received since. The clock restarts with each new
-- question: when the facts change, when an answer is withdrawn, when a dispute gets a reply, and when a deletion
-- is requested.
create or replace function ask_sides() returns trigger
language plpgsql
as $$
declare
  asks text;
begin
  asks := question_of('family', new.connection_id, new.deletion_asked_by, new.deletion_asked_at, new.facts_version, new.family_answer,
    new.family_answer_version, new.family_answered_at, reply_to('family', new));
  if tg_op = 'INSERT' or asks is distinct from question_of('family', old.connection_id, old.deletion_asked_by, old.deletion_asked_at,
      old.facts_version, old.family_answer, old.family_answer_version, old.family_answered_at, reply_to('family', old)) then
    new.family_asked_since := case when asks is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
    new.family_reminders := 0; new.family_reminded_at := null;
  end if;
  asks := question_of('practice', new.connection_id, new.deletion_asked_by, new.deletion_asked_at, new.facts_version, new.practice_answer,
    new.practice_answer_version, new.practice_answered_at, reply_to('practice', new));
  if tg_op = 'INSERT' or asks is distinct from question_of('practice', old.connection_id, old.deletion_asked_by, old.deletion_asked_at,
      old.facts_version, old.practice_answer, old.practice_answer_version, old.practice_answered_at, reply_to('practice', old)) then
    new.practice_asked_since := case when asks is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
    new.practice_reminders := 0; new.practice_reminded_at := null;
  end if;
  return new;
end $$;

-- Triggers run in alphabetical order: an answer is stamped, the kind's own trigger decides about the facts, this
-- side's answer is kept, and then each side is asked.
do $$
declare place text; side text;
begin
  foreach place in array array['sessions', 'payments'] loop
    foreach side in array array['family', 'practice'] loop
      execute format('create or replace trigger answered_by_%2$s before update of %3$s on %1$I for each row
          when (current_user in (''tutorlog_%2$s'', ''tutorlog_%4$s'')) execute function stamp_answer(%3$L);
        create or replace trigger %1$s_kept_by_%2$s before insert or update on %1$I for each row
          when (current_user in (''tutorlog_%2$s'', ''tutorlog_%4$s'')) execute function keep_answers(%2$L)',
        place, side, side || '_answer', case side when 'family' then 'family_link' else 'link' end);
    end loop;
    execute format('create or replace trigger %1$s_sides_asked before insert or update on %1$I for each row execute function ask_sides()', place);
  end loop;
end $$;
create or replace trigger sessions_kept_by_caregiver before insert or update on sessions for each row
  when (current_user = 'tutorlog_caregiver') execute function keep_answers('family');

-- Until a side has accepted the connection, nobody can ask it anything, so its clock starts now.
create or replace function ask_connected() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare place text; side text;
begin
  foreach place in array array['sessions', 'payments'] loop
    foreach side in array array['family', 'practice'] loop
      execute format('update %1$I set %2$I = clock_timestamp(), %3$I = 0, %4$I = null where connection_id = $1 and %2$I is not null',
        place, side || '_asked_since', side || '_reminders', side || '_reminded_at') using new.id;
    end loop;
  end loop;
  return null;
end $$;
revoke all on function ask_connected() from public;
create or replace trigger connection_asked after update of state on connections for each row
  when (old.state = 'asked' and new.state = 'active') execute function ask_connected();

-- A side's notes are keyed by the entry's id and deleted along with it.
create or replace function forget_notes() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  execute format('delete from %1$I n where n.%2$I = $1 and n.workspace_id in ($2, $3)
    and not exists (select from %3$I s where s.id = $1 and n.workspace_id in (s.family_id, s.practice_id))',
    kind_of(old) || '_notes', kind_of(old) || '_id', tg_table_name) using old.id, old.family_id, old.practice_id;
  return null;
end $$;
revoke all on function forget_notes() from public;
create or replace trigger session_notes_forgotten after delete on sessions for each row execute function forget_notes();
create or replace trigger payment_notes_forgotten after delete on payments for each row execute function forget_notes();
