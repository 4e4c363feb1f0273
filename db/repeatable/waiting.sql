-- Tracks when a side was asked about a session or payment, and how many reminders it has received since. The
-- clock restarts with each new question: when the facts change and reset a confirmation, when a confirmation
-- is withdrawn, when a dispute is answered, and when a deletion is requested.

-- The question that a side is asked about a session. Null if there's nothing to ask. Must match waitsForYou
-- (src/features/sessions/confirmation.ts).
create or replace function question_to(side text, s sessions) returns text
language sql stable
as $$ select s.connection_id || case
    when s.deletion_asked_by is not null then case when s.deletion_asked_by <> side then ' deletion ' || s.deletion_asked_at end
    when word is null or word_version is distinct from s.facts_version then ' word ' || s.facts_version
    when word = 'disputed' and reply_at > word_at then ' answer ' || reply_at end
  from (values (case side when 'family' then s.family_word
      else s.practice_word end, case side when 'family' then s.family_word_version else s.practice_word_version end,
    case side when 'family' then s.family_word_at else s.practice_word_at end, case side when 'family' then s.practice_reply_at
      else s.family_reply_at end)) said (word, word_version, word_at, reply_at) $$;

create or replace function ask_sides() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' or question_to('family', new) is distinct from question_to('family', old) then
    new.family_asked_since := case when question_to('family', new) is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
    new.family_reminders := 0; new.family_reminded_at := null;
  end if;
  if tg_op = 'INSERT' or question_to('practice', new) is distinct from question_to('practice', old) then
    new.practice_asked_since := case when question_to('practice', new) is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
    new.practice_reminders := 0; new.practice_reminded_at := null;
  end if;
  return new;
end $$;
-- Triggers run in alphabetical order, so this one runs after session_kept and sees its changes.
create or replace trigger session_side_asked before insert or update on sessions for each row execute function ask_sides();

-- The question that a side is asked about a payment. Must match waitsForYou
-- (src/features/payments/confirmation.ts). Nobody is asked about a disputed payment, because it has to be
-- corrected first.
create or replace function payment_question_to(side text, p payments) returns text
language sql stable
as $$ select p.connection_id || case
    when p.deletion_asked_by is not null then case when p.deletion_asked_by <> side then ' deletion ' || p.deletion_asked_at end
    when word is null or word_version is distinct from p.facts_version then ' word ' || p.facts_version end
  from (values (case side when 'family' then p.family_word
      else p.practice_word end, case side when 'family' then p.family_word_version else p.practice_word_version end)) said (word, word_version) $$;

create or replace function ask_payers() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' or payment_question_to('family', new) is distinct from payment_question_to('family', old) then
    new.family_asked_since := case when payment_question_to('family', new) is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
    new.family_reminders := 0; new.family_reminded_at := null;
  end if;
  if tg_op = 'INSERT' or payment_question_to('practice', new) is distinct from payment_question_to('practice', old) then
    new.practice_asked_since := case when payment_question_to('practice', new) is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
    new.practice_reminders := 0; new.practice_reminded_at := null;
  end if;
  return new;
end $$;
-- Runs after payment_kept and sees its changes.
create or replace trigger payment_side_asked before insert or update on payments for each row execute function ask_payers();

-- Until a side has accepted the connection, nobody can ask it anything, so its clock starts now.
create or replace function ask_connected() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update sessions set family_asked_since = clock_timestamp(), family_reminders = 0, family_reminded_at = null where connection_id = new.id
    and family_asked_since is not null;
  update sessions set practice_asked_since = clock_timestamp(), practice_reminders = 0, practice_reminded_at = null where connection_id = new.id
    and practice_asked_since is not null;
  update payments set family_asked_since = clock_timestamp(), family_reminders = 0, family_reminded_at = null where connection_id = new.id
    and family_asked_since is not null;
  update payments set practice_asked_since = clock_timestamp(), practice_reminders = 0, practice_reminded_at = null where connection_id = new.id
    and practice_asked_since is not null;
  return null;
end $$;
revoke all on function ask_connected() from public;
create or replace trigger connection_asked after update of state on connections for each row
  when (old.state = 'asked' and new.state = 'active') execute function ask_connected();
