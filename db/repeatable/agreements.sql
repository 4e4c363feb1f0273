-- What two sides agree on: sessions, payments, charges, terms, schedules and their changes. An answer is valid only for the facts it was given for: when the
-- facts change, it no longer counts. Neither side can write, clear or reset the other's answer
-- (docs/decisions/0015-one-lesson-one-row.md). The current database role determines the side. Work done as the
-- tables' owner (splitting, merging, clearing references) doesn't change answers.
--
-- The tables share their columns by name (make_kind in db/migrations/0106-kinds.sql), so what's here is on all of
-- them. A kind's own file (sessions.sql, money.sql) says who the other side is, which fields are facts, and what the
-- history shows.

-- Both sides' SQL is the same but for names. {own} and {other} in a template are 'family' and 'practice', {person} is
-- the column of the side's child or student, and {link} is the emailed page of a side without an account.
create or replace function for_side(side text, template text) returns text
language sql immutable
as $$ select replace(replace(replace(replace(template, '{own}', side), '{other}', case side when 'family' then 'practice' else 'family' end),
  '{person}', case side when 'family' then 'child_id' else 'student_id' end), '{link}', case side when 'family' then 'family_link' else 'link' end) $$;

-- Runs a template for each name, for both sides, or for each kind of entry: {kind} is the kind and {place} its table.
-- Kinds come in the same order everywhere, because their rows may get locked.
create or replace function for_each(names text[], template text) returns void
language plpgsql
as $$
declare one text;
begin
  foreach one in array names loop execute replace(template, '{name}', one); end loop;
end $$;
create or replace function for_sides(template text) returns void
language sql
as $$ select for_each(array[for_side('family', template), for_side('practice', template)], '{name}') $$;
create or replace function kinds_with(field text) returns setof text
language sql stable
as $$ select rtrim(relname, 's') from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = field
    and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'facts_version') order by relname desc $$;
create or replace function for_kinds(template text, field text default 'facts_version') returns void
language plpgsql
as $$
declare one text;
begin
  for one in select replace(replace(template, '{place}', kind || 's'), '{kind}', kind) from kinds_with(field) kind loop
    if template ~ '\{(own|link)\}' then perform for_sides(one); else execute one; end if;
  end loop;
end $$;
-- The kinds that are an amount in an account, like payments (money.sql).
create or replace function for_money(template text) returns void
language sql
as $$ select for_kinds(template, 'amount_cents') $$;

-- A side's answer about the current facts; 'none' if there isn't one.
create or replace function current_answer(answer text, answer_facts integer, facts integer) returns text
language sql immutable
as $$ select case when answer_facts = facts then answer else 'none' end $$;

-- When the other side proposed other facts than the current ones. Null if it didn't, or if this side replied since.
create or replace function proposed_at(proposes boolean, answer_facts integer, facts integer, answered_at timestamptz, replied_at timestamptz) returns timestamptz
language sql immutable
as $$ select answered_at where proposes and answer_facts = facts and not coalesce(replied_at > answered_at, false) $$;
-- Whether a side's answer proposes that the entry goes, which is its consent to deleting it.
create or replace function proposes_removal(proposal jsonb, answer_facts integer, facts integer) returns boolean
language sql immutable
as $$ select coalesce(answer_facts = facts and proposal = '{"is_removed": true}', false) $$;

-- The question that a side is asked, as a text that differs for each new question. Null if there's nothing to
-- ask. This is the only place that decides whether something waits for a side. `replied_at` is when the other side
-- replied to this side's dispute, `proposed` when it proposed other facts, `needs` whether the facts need an answer at all.
create or replace function question_of(side text, connection uuid, deletion_by text, deletion_at timestamptz, facts integer, answer text,
  answer_facts integer, answered_at timestamptz, replied_at timestamptz, proposed timestamptz, needs boolean) returns text
language sql stable
as $$ select connection || case
  when deletion_by is not null then case when deletion_by <> side then ' deletion ' || deletion_at end
  when proposed > case when answer_facts = facts then answered_at else '-infinity' end then ' proposal ' || proposed
  when needs and (answer is null or answer_facts is distinct from facts) then ' facts ' || facts
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

-- Whether the other side is asked about the facts. A kind whose facts hold without its answer says so (schedules.sql).
create or replace function needs_answer(e anyelement) returns boolean
language sql immutable
as $$ select true $$;

select for_sides($functions$
  -- Repeating an answer gives it a new timestamp even if its text is the same, because it has to be later than what
  -- it answers.
  create or replace function stamp_answer_of_{own}() returns trigger
  language plpgsql
  as $$ begin new.{own}_answered_at := clock_timestamp(); return new; end $$;

  -- Keeps the side to its own answer. Runs after the kind's own trigger, which counts changes of the facts.
  create or replace function keep_answer_of_{own}() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  declare
    -- Whoever enters or changes the facts confirms them.
    has_moved boolean := tg_op = 'INSERT' or new.facts_version <> old.facts_version;
  begin
    if tg_op = 'UPDATE' then
      if exists (select from connections c where c.id = old.connection_id and c.{other}_closed_at is not null) then
        raise exception 'the account of the other side is closed' using errcode = 'check_violation', constraint = tg_table_name || '_other_side_open';
      end if;
      -- A side can request a deletion only in its own name and only once. It can't agree for the other side or
      -- backdate the request.
      if new.deletion_asked_by is not null and (new.deletion_asked_by, new.deletion_asked_at) is distinct from (old.deletion_asked_by, old.deletion_asked_at)
        and (new.deletion_asked_by <> '{own}' or old.deletion_asked_by is not null) then
        raise exception 'a side can request a deletion only for itself' using errcode = 'check_violation', constraint = tg_table_name || '_deletion_own';
      end if;
    end if;
    if has_moved then new.{own}_answer := 'confirmed'; new.{own}_answer_note := null; new.{own}_proposal := null; end if;
    if has_moved or (new.{own}_answer, new.{own}_answer_version, new.{own}_answer_note, new.{own}_proposal)
      is distinct from (old.{own}_answer, old.{own}_answer_version, old.{own}_answer_note, old.{own}_proposal) then
      new.{own}_answer_version := case when new.{own}_answer is not null then new.facts_version end;
      new.{own}_answered_at := clock_timestamp();
    end if;
    new.{own}_took_part := new.{own}_took_part or coalesce(new.{own}_answer = 'confirmed', false);
    -- What the other side proposed is its answer about exactly those facts.
    if tg_op = 'UPDATE' and has_moved and old.{other}_answer_version = old.facts_version and old.{other}_proposal = proposable(new)
      and not changed_fields(old, new) && array['student', 'tutor', 'kind', 'hours', 'reason', 'label'] then
      new.{other}_answer := 'confirmed'; new.{other}_answer_note := null; new.{other}_proposal := null;
      new.{other}_answer_version := new.facts_version; new.{other}_answered_at := clock_timestamp(); new.{other}_took_part := true;
    end if;
    return new;
  end $$;

  -- Tracks when the side was asked and how many reminders it has received since. The clock restarts with each new
  -- question: when the facts change, when an answer is withdrawn, when a dispute gets a reply, and when a deletion
  -- is requested.
  create or replace function ask_{own}() returns trigger
  language plpgsql
  as $$
  declare
    asks text := question_of('{own}', new.connection_id, new.deletion_asked_by, new.deletion_asked_at, new.facts_version, new.{own}_answer,
      new.{own}_answer_version, new.{own}_answered_at, reply_to('{own}', new), proposed_at(new.{other}_proposal is not null,
        new.{other}_answer_version, new.facts_version, new.{other}_answered_at, reply_to('{other}', new)), needs_answer(new));
  begin
    if tg_op = 'INSERT' or asks is distinct from question_of('{own}', old.connection_id, old.deletion_asked_by, old.deletion_asked_at,
        old.facts_version, old.{own}_answer, old.{own}_answer_version, old.{own}_answered_at, reply_to('{own}', old), proposed_at(old.{other}_proposal is not null,
        old.{other}_answer_version, old.facts_version, old.{other}_answered_at, reply_to('{other}', old)), needs_answer(old)) then
      new.{own}_asked_since := case when asks is not null then coalesce(new.deletion_asked_at, clock_timestamp()) end;
      new.{own}_reminders := 0; new.{own}_reminded_at := null;
    end if;
    return new;
  end $$ $functions$);

-- Triggers run in alphabetical order: an answer is stamped, the kind's own trigger decides about the facts, this
-- side's answer is kept, and then each side is asked.
select for_kinds($triggers$
  create or replace trigger answered_by_{own} before update of {own}_answer on {place} for each row
    when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function stamp_answer_of_{own}();
  create or replace trigger {place}_kept_by_{own} before insert or update on {place} for each row
    when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function keep_answer_of_{own}();
  create or replace trigger {place}_sides_asked_{own} before insert or update on {place} for each row execute function ask_{own}() $triggers$);
select for_each(array['sessions', 'schedule_changes'], 'create or replace trigger {name}_kept_by_caregiver before insert or update on {name} for each row
  when (current_user = ''tutorlog_caregiver'') execute function keep_answer_of_family()');

-- Until a side has accepted the connection, nobody can ask it anything, so its clock starts now.
create or replace function ask_connected() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform for_kinds(format('update {place} set {own}_asked_since = clock_timestamp(), {own}_reminders = 0, {own}_reminded_at = null
    where connection_id = %L and {own}_asked_since is not null', new.id));
  return null;
end $$;
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
select for_kinds('create or replace trigger {kind}_notes_forgotten after delete on {place} for each row execute function forget_notes()');
