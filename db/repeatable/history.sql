-- The history of every session: append-only, each entry chained to the one before by its hash.

-- Named values instead of the whole row: who may not read notes can still compare the facts.
create or replace function session_facts(student_id uuid, tutor_id uuid, day date, minutes integer, rate_cents integer, total_cents integer, subject text, verified boolean, status text) returns jsonb
language sql immutable
as $$ select jsonb_build_object('student_id', student_id, 'tutor_id', tutor_id, 'date', day, 'minutes', minutes, 'rate_cents', rate_cents, 'total_cents', total_cents, 'subject', subject,
  'state', case when verified then 'verified' when status = 'disputed' then 'disputed' else 'unverified' end) $$;

-- Writes the entry of every insert, change and deletion, in the same transaction and whoever makes it.
create or replace function record_session() returns trigger
language plpgsql
as $$
declare
  who text := case when current_user = 'tutorlog_tutor' then 'tutor' when app_workspace() = coalesce(new.workspace_id, old.workspace_id) then 'owner' else 'system' end;
  what text;
  fields text[] := '{}';
  words text;
begin
  -- A workspace that goes takes its history along.
  if current_user = 'tutorlog_owner' and not exists (select from workspaces where id = old.workspace_id) then return null; end if;
  if tg_op = 'DELETE' then
    insert into session_history (workspace_id, session_id, side, actor_id, action, tutor_id, facts)
    values (old.workspace_id, old.id, who, app_account(), 'deleted', old.tutor_id, session_facts(old.student_id, old.tutor_id, old.day, old.minutes, coalesce(old.rate_override_cents, old.tutor_rate_cents), old.total_cents, old.subject, old.verified_by_tutor, old.status));
    return null;
  end if;
  if tg_op = 'INSERT' then
    what := case when new.verified_by_tutor and new.proposed_id is not null then 'accepted' else 'logged' end;
  else
    fields := array_remove(array[
      case when new.student_id is distinct from old.student_id then 'student' end, case when new.tutor_id is distinct from old.tutor_id then 'tutor' end,
      case when new.day <> old.day then 'date' end, case when new.minutes <> old.minutes then 'duration' end,
      case when coalesce(new.rate_override_cents, new.tutor_rate_cents) is distinct from coalesce(old.rate_override_cents, old.tutor_rate_cents) then 'rate' end,
      case when new.subject is distinct from old.subject then 'subject' end], null);
    -- Whether there were notes is the family's own business.
    if who <> 'tutor' and new.notes is distinct from old.notes then fields := fields || array['notes']; end if;
    if who = 'owner' and new.verified_by_tutor and new.proposed_id is distinct from old.proposed_id then what := 'accepted';
    elsif cardinality(fields) > 0 then what := 'changed';
    elsif new.answer_note is not null and new.answer_note is distinct from old.answer_note then what := 'answered'; words := new.answer_note;
    elsif new.verified_by_tutor and not old.verified_by_tutor then what := 'confirmed';
    elsif new.status = 'disputed' and (old.status <> 'disputed' or new.dispute_note <> old.dispute_note) then what := 'disputed'; words := new.dispute_note;
    elsif who = 'tutor' and (old.verified_by_tutor or old.status = 'disputed') and not new.verified_by_tutor and new.status = 'completed' then what := 'withdrawn';
    elsif new.verified_by_tutor is distinct from old.verified_by_tutor or new.status <> old.status then what := 'changed';
    else return null;
    end if;
  end if;
  insert into session_history (workspace_id, session_id, side, actor_id, action, tutor_id, facts, changed, note)
  values (new.workspace_id, new.id, who, app_account(), what, new.tutor_id, session_facts(new.student_id, new.tutor_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents), new.total_cents, new.subject, new.verified_by_tutor, new.status), fields, words);
  return null;
end $$;

-- The text whose hash an entry carries: one value a line, ended by the hash of the entry before (src/features/sessions/history.ts has it too).
create or replace function history_text(entry session_history) returns text
language sql stable
as $$ select concat_ws(E'\n', entry.workspace_id, entry.session_id, entry.seq, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.side,
  coalesce(entry.actor_id::text, '-'), entry.action, coalesce(entry.tutor_id::text, '-'), entry.facts::text, array_to_string(entry.changed, ','),
  coalesce(encode(convert_to(entry.note, 'UTF8'), 'hex'), '-'), encode(entry.previous_hash, 'hex')) $$;

create or replace function chain_history() returns trigger
language plpgsql
as $$
declare latest record;
begin
  if pg_trigger_depth() < 2 then raise exception 'history is written by the session that it is about'; end if;
  select seq, hash into latest from session_history where workspace_id = new.workspace_id and session_id = new.session_id order by seq desc limit 1;
  new.seq := coalesce(latest.seq, 0) + 1;
  new.at := clock_timestamp();
  new.previous_hash := coalesce(latest.hash, '\x'::bytea);
  new.hash := sha256(convert_to(history_text(new), 'UTF8'));
  return new;
end $$;

create or replace function keep_history() returns trigger
language plpgsql
as $$
begin
  -- Deleted only together with its account, by the reference between the two.
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception 'history is only ever added to';
end $$;

create or replace trigger history_chained before insert on session_history for each row execute function chain_history();
create or replace trigger history_kept before update or delete on session_history for each row execute function keep_history();
create or replace trigger history_kept_whole before truncate on session_history for each statement execute function keep_history();

create or replace trigger session_recorded after insert or update or delete on sessions for each row execute function record_session();
