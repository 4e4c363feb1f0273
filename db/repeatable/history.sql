-- Every session's history. It's append-only, written only by triggers, and each entry is linked to the
-- previous one by its hash.

-- The facts of a session that both sides may see, in the format its history uses.
create or replace function session_facts(s sessions) returns jsonb
language sql immutable
as $$ select jsonb_build_object('date', s.day, 'minutes', s.minutes, 'rate_cents', coalesce(s.rate_override_cents, s.tutor_rate_cents), 'total_cents',
    s.total_cents, 'currency', s.currency,
  'subject', s.subject, 'state', case when s.is_verified then 'verified' when s.is_disputed then 'disputed' else 'unverified' end) $$;

-- Adds an entry. The hashed text has one value per line and ends with the previous entry's hash
-- (src/features/sessions/history.ts builds the same text). The first line is the format version, or the
-- workspace in entries from before sessions had two sides.
create or replace function add_history(s sessions, side text, action text, changed text[], note text) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  latest record;
  facts jsonb := session_facts(s);
  moment timestamptz := clock_timestamp();
  place integer;
  entry text;
begin
  select seq, hash into latest from session_history where session_key = s.key and chain = 1 order by seq desc limit 1;
  -- For a merge, the hashed text also includes the last hash in the other session's chain.
  if action = 'merged' then
    facts := facts || jsonb_build_object('merged', (select encode(hash, 'hex') from session_history where session_key = s.key and chain > 1
        order by chain desc, seq desc limit 1));
  end if;
  place := coalesce(latest.seq, 0) + 1;
  entry := concat_ws(E'\n', '2', s.id, place, to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), side, '-', action, '-',
      facts::text, array_to_string(changed, ','),
    coalesce(encode(convert_to(note, 'UTF8'), 'hex'), '-'), encode(coalesce(latest.hash, '\x'), 'hex'));
  insert into session_history (session_key, seq, session_id, connection_id, family_id, practice_id, at, side, actor_id, action, facts, changed, note,
      previous_hash, hash, hashed_text)
    values (s.key, place, s.id, s.connection_id, s.family_id, s.practice_id, moment, side, app_account(), action, facts, changed, note,
        coalesce(latest.hash, '\x'),
      sha256(convert_to(entry, 'UTF8')), entry);
end $$;
revoke all on function add_history(sessions, text, text, text[], text) from public;

-- Records every insert, update and delete that a side makes, in the same transaction.
create or replace function record_session() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side text := tg_argv[0];
  fields text[] := '{}';
  word text; word_before text; note text; reply text;
begin
  if tg_op = 'DELETE' then perform add_history(old, side, 'deleted', '{}', null); return null; end if;
  if tg_op = 'INSERT' then perform add_history(new, side, 'logged', '{}', null); return null; end if;
  -- When a session becomes shared, its whole history is shared too.
  if new.connection_id is distinct from old.connection_id then
    update session_history set connection_id = new.connection_id, family_id = new.family_id, practice_id = new.practice_id where session_key = new.key;
  end if;
  fields := array_remove(array[
    case when (new.child_id is not null and new.child_id is distinct from old.child_id)
        or (new.student_id is not null and new.student_id is distinct from old.student_id and old.student_id is not null) then 'student' end,
    case when (new.family_tutor_id is not null and new.family_tutor_id is distinct from old.family_tutor_id)
        or (new.practice_tutor_id is not null and new.practice_tutor_id is distinct from old.practice_tutor_id
        and old.practice_tutor_id is not null) then 'tutor' end,
    case when new.day <> old.day then 'date' end, case when new.minutes <> old.minutes then 'duration' end,
    case when coalesce(new.rate_override_cents, new.tutor_rate_cents) is distinct from coalesce(old.rate_override_cents, old.tutor_rate_cents) then 'rate' end,
    case when new.subject is distinct from old.subject then 'subject' end, case when new.start_time is distinct from old.start_time then 'start time' end,
    case when new.summary is distinct from old.summary then 'summary' end, case when new.homework is distinct from old.homework then 'homework' end], null);
  if side = 'family' then
    word := case when new.family_word_version = new.facts_version then new.family_word end;
    word_before := case when old.family_word_version = old.facts_version then old.family_word end;
    note := new.family_word_note;
    reply := case when new.family_reply_at is distinct from old.family_reply_at then new.family_reply end;
    if word = 'disputed' and new.family_word_at is distinct from old.family_word_at then word_before := null; end if;
  else
    word := case when new.practice_word_version = new.facts_version then new.practice_word end;
    word_before := case when old.practice_word_version = old.facts_version then old.practice_word end;
    note := new.practice_word_note;
    reply := case when new.practice_reply_at is distinct from old.practice_reply_at then new.practice_reply end;
    if word = 'disputed' and new.practice_word_at is distinct from old.practice_word_at then word_before := null; end if;
  end if;
  -- If the practice names a different family, the version goes up even though the facts don't change. This
  -- side's confirmation is then renewed, and the other side's is reset.
  if new.facts_version <> old.facts_version then word_before := null; end if;
  if cardinality(fields) > 0 then perform add_history(new, side, 'changed', fields, null); end if;
  -- Changing the facts also confirms them, so the confirmation gets no entry of its own. A reply, deletion
  -- request or confirmation that comes with any other kind of change does get its own entry.
  if not fields <@ array['subject', 'start time', 'summary', 'homework'] then return null;
  elsif reply is not null then perform add_history(new, side, 'answered', '{}', reply);
  elsif new.deletion_asked_by is not null and old.deletion_asked_by is null then perform add_history(new, side, 'deletion asked', '{}', null);
  elsif new.deletion_asked_by is null and old.deletion_asked_by is not null then perform add_history(new, side, 'kept', '{}', null);
  elsif word is distinct from word_before then
    perform add_history(new, side, case coalesce(word, '') when 'confirmed' then 'confirmed' when 'disputed' then 'disputed' else 'withdrawn' end, '{}', note);
  end if;
  return null;
end $$;
revoke all on function record_session() from public;
create or replace trigger session_recorded_by_family after insert or update or delete on sessions for each row
  when (current_user in ('tutorlog_family', 'tutorlog_caregiver', 'tutorlog_family_link')) execute function record_session('family');
create or replace trigger session_recorded_by_practice after insert or update or delete on sessions for each row
  when (current_user in ('tutorlog_practice', 'tutorlog_link')) execute function record_session('practice');

-- The content of an entry never changes, but who can read it does when sides connect or split. An entry is
-- deleted only with its workspace.
create or replace function keep_history() returns trigger
language plpgsql
as $$
begin
  if current_user <> 'tutorlog_owner' then raise exception 'the history is append-only'; end if;
  if tg_op = 'DELETE' then
    if pg_trigger_depth() > 1 then return old; end if;
    raise exception 'the history is append-only';
  end if;
  if (new.seq, new.session_id, new.at, new.side, new.actor_id, new.action, new.facts, new.changed, new.note, new.previous_hash, new.hash, new.hashed_text)
    is distinct from (old.seq, old.session_id, old.at, old.side, old.actor_id, old.action, old.facts, old.changed, old.note, old.previous_hash,
        old.hash, old.hashed_text) then
    raise exception 'the history is append-only';
  end if;
  return new;
end $$;
create or replace function keep_history_whole() returns trigger
language plpgsql
as $$
begin
  raise exception 'the history is append-only';
end $$;
create or replace trigger history_kept before update or delete on session_history for each row execute function keep_history();
create or replace trigger history_kept_whole before truncate on session_history for each statement execute function keep_history_whole();

-- A session's facts, which the last entry in its history must match. Used to check every history.
create or replace function current_facts(session bigint) returns jsonb
language sql stable security definer set search_path = public, pg_temp
as $$ select session_facts(s) from sessions s where s.key = session $$;
revoke all on function current_facts(bigint) from public;
grant execute on function current_facts(bigint) to tutorlog_system;
