-- What's particular about sessions among the things two sides agree on (agreements.sql): who the other side is,
-- which fields are facts, rates for caregivers, and what the history shows.

-- Fills in the other side of a session from the connection between its people. If a student has several
-- connections, prefers the one the session was in, then the one the practice names, then the one accepted
-- last.
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
    or not is_parted_from(new.parted_from, link) or is_copied(new, case side when 'family' then link.practice_id else link.family_id end)) then
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

-- The family's price of a pair on the day of a session.
create or replace function pair_price(s sessions) returns prices
language sql stable security definer set search_path = public, pg_temp
as $$ select p from prices p where p.workspace_id = s.family_id and p.student_id = s.child_id and p.tutor_id = s.family_tutor_id and p.from_day <= s.day
  order by p.from_day desc limit 1 $$;

-- A session with the price that applies to it when a caregiver logs it. It's set here because the caregiver's role can't read
-- prices (src/features/prices/price.ts has the rule for everyone else, and a test compares the two).
create or replace function with_usual_price(s sessions, is_new boolean) returns sessions
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  pair prices := pair_price(s);
  usual record;
begin
  select * into usual from (
      select 1 as place, 'schedule' as source, null::date as since, c.hourly_rate_cents as cents, null::smallint as stated from schedules c
        where is_new and c.family_id = s.family_id and c.id = s.family_schedule_id
      union all select 2, 'pair', pair.from_day, pair.amount_cents, pair.lesson_minutes
      union all select 3, 'student', null, p.hourly_rate_cents, null from students p where p.workspace_id = s.family_id and p.id = s.child_id
      union all select 4, 'tutor', null, t.hourly_rate_cents, null from tutors t where t.workspace_id = s.family_id and t.id = s.family_tutor_id) one
    where cents is not null order by place limit 1;
  s.tutor_rate_cents := case when usual.stated is null then usual.cents end;
  s.lesson_price_cents := case when usual.stated is not null then usual.cents end;
  s.lesson_price_minutes := usual.stated;
  s.family_price_source := usual.source;
  s.family_price_since := usual.since;
  return s;
end $$;

-- A practice's own prices may be in a currency with decimals, while a shared session's has none. They're rounded as amounts are.
create or replace function with_whole_price(s sessions, side text) returns sessions
language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  if least_amount(s.currency) > 1 and s.currency <> (select currency from workspaces where id = case side when 'family' then s.family_id else s.practice_id end) then
    s.tutor_rate_cents := price_of(s.tutor_rate_cents, 60, 60, s.currency);
    s.lesson_price_cents := price_of(s.lesson_price_cents, 60, 60, s.currency);
  end if;
  return s;
end $$;

-- Fills in the other side, counts changes of the facts, and keeps a session with its connection.
create or replace function keep_session_facts() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side text := tg_argv[0];
  is_caregiver boolean := tg_argv[1] is not null;
  is_new boolean := tg_op = 'INSERT';
  has_moved boolean := true;
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
      new := with_usual_price(new, true);
      -- Which make-ups are paid for follows from the terms, so the command says it (insertSession).
      if new.makes_up = nullif(current_setting('app.paid_make_up', true), '')::uuid then new.rate_override_cents := 0; end if;
    end if;
    if not new.is_held then new := share_session(side, new, null, named); end if;
    new := with_whole_price(new, side);
    -- Only a rate that someone typed counts beside the fee.
    if is_covered_by_fee(new.connection_id, new.day) then
      new.tutor_rate_cents := null;
      new.lesson_price_cents := null;
      new.lesson_price_minutes := null;
      new.family_price_source := null;
      new.family_price_since := null;
      new.practice_price_source := null;
      new.practice_price_since := null;
    end if;
  else
    if named is distinct from old.connection_id and old.connection_id is not null then
      raise exception 'a session cannot move to another connection' using errcode = 'check_violation', constraint = 'sessions_stay_connected';
    end if;
    -- Sharing a session that was only in this side's log counts as moving it. That confirms it for this side.
    has_moved := named is distinct from old.connection_id
      or (new.child_id is not null and new.child_id is distinct from old.child_id)
      or (new.family_tutor_id is not null and new.family_tutor_id is distinct from old.family_tutor_id)
      or (new.student_id is not null and new.student_id is distinct from old.student_id)
      or (new.practice_tutor_id is not null and new.practice_tutor_id is distinct from old.practice_tutor_id);
    if is_caregiver and (new.family_tutor_id is distinct from old.family_tutor_id or new.child_id is distinct from old.child_id and exists (select from students p
        where p.workspace_id = new.family_id and p.id in (new.child_id, old.child_id) and p.hourly_rate_cents is not null)
        or (new.child_id is distinct from old.child_id or new.day <> old.day and old.family_price_source in ('pair', 'student', 'tutor'))
          and (pair_price(new)).id is distinct from (pair_price(old)).id) then
      new := with_usual_price(new, false);
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
    new := with_whole_price(new, side);
    has_moved := has_moved or new.day <> old.day or new.minutes <> old.minutes or effective_price(new) is distinct from effective_price(old);
    -- A price that this side changed is no longer one that the other side took.
    if (new.tutor_rate_cents, new.lesson_price_cents, new.lesson_price_minutes)
        is distinct from (old.tutor_rate_cents, old.lesson_price_cents, old.lesson_price_minutes) then
      if side = 'family' then
        new.practice_price_source := null;
        new.practice_price_since := null;
      else
        new.family_price_source := null;
        new.family_price_since := null;
      end if;
    end if;
    if has_moved then new.facts_version := old.facts_version + 1; end if;
  end if;
  -- Once someone else has confirmed a session, it no longer counts as the caregiver's own entry.
  if not is_caregiver and (has_moved or (case when side = 'family' then new.family_answer else new.practice_answer end) is not distinct from 'confirmed') then
    new.caregiver_id := null;
  end if;
  return class_for_both(new);
end $$;
select for_sides($trigger$ create or replace trigger sessions_facts_by_{own} before insert or update on sessions for each row
  when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function keep_session_facts('{own}') $trigger$);
create or replace trigger sessions_facts_by_caregiver before insert or update on sessions for each row
  when (current_user = 'tutorlog_caregiver') execute function keep_session_facts('family', 'caregiver');

-- When the other side replied to a side's dispute.
create or replace function reply_to(side text, s sessions) returns timestamptz
language sql immutable
as $$ select case side when 'family' then s.practice_reply_at else s.family_reply_at end $$;
-- The reply that a side gives with a change.
create or replace function reply_in(side text, was sessions, becomes sessions) returns text
language sql immutable
as $$ select case side when 'family' then case when becomes.family_reply_at is distinct from was.family_reply_at then becomes.family_reply end
  else case when becomes.practice_reply_at is distinct from was.practice_reply_at then becomes.practice_reply end end $$;
-- Repeating a reply counts, like repeating an answer.
select for_sides($reply$
  create or replace function stamp_reply_of_{own}() returns trigger
  language plpgsql
  as $$ begin new.{own}_reply_at := clock_timestamp(); return new; end $$;
  create or replace trigger replied_by_{own} before update of {own}_reply on sessions for each row
    when (current_user = 'tutorlog_{own}') execute function stamp_reply_of_{own}() $reply$);

-- The facts that a dispute can propose.
create or replace function proposable(s sessions) returns jsonb
language sql immutable
as $$ select jsonb_build_object('day', s.day, 'minutes', s.minutes, 'rate_cents', coalesce(s.rate_override_cents, s.tutor_rate_cents)) $$;

-- An emailed page changes facts only by accepting what the other side proposed, which both sides then confirmed.
create or replace function refuse_facts() returns trigger
language plpgsql
as $$ begin raise exception 'an emailed page cannot change a session' using errcode = 'check_violation', constraint = 'sessions_facts_of_link'; end $$;
create or replace trigger sessions_link_accepts after update on sessions for each row when (current_user in ('tutorlog_link', 'tutorlog_family_link')
  and new.facts_version <> old.facts_version and not new.is_verified) execute function refuse_facts();

-- The facts that both sides may see, in the format the history uses.
create or replace function facts_of(s sessions) returns jsonb
language sql immutable
as $$ select jsonb_build_object('date', s.day, 'minutes', s.minutes, 'rate_cents', coalesce(s.rate_override_cents, s.tutor_rate_cents), 'total_cents',
    s.total_cents, 'currency', s.currency,
  'subject', s.subject, 'state', case when s.is_verified then 'verified' when s.is_disputed then 'disputed' else 'unverified' end)
  || case when s.makes_up is null then '{}' else '{"is_make_up": true}'::jsonb end
  || case when s.rate_override_cents is null and s.lesson_price_cents is not null
    then jsonb_build_object('lesson_price_cents', s.lesson_price_cents, 'lesson_price_minutes', s.lesson_price_minutes) else '{}' end
  || proposed_in(current_proposal(s.family_proposal, s.family_answer_version, s.facts_version),
    current_proposal(s.practice_proposal, s.practice_answer_version, s.facts_version)) $$;

-- The fields that a change is about, as the history names them.
create or replace function changed_fields(was sessions, becomes sessions) returns text[]
language sql immutable
as $$ select array_remove(array[
  case when (becomes.child_id is not null and becomes.child_id is distinct from was.child_id)
    or (becomes.student_id is not null and becomes.student_id is distinct from was.student_id and was.student_id is not null) then 'student' end,
  case when (becomes.family_tutor_id is not null and becomes.family_tutor_id is distinct from was.family_tutor_id)
    or (becomes.practice_tutor_id is not null and becomes.practice_tutor_id is distinct from was.practice_tutor_id and was.practice_tutor_id is not null)
    then 'tutor' end,
  case when becomes.day <> was.day then 'date' end, case when becomes.minutes <> was.minutes then 'duration' end,
  case when effective_price(becomes) is distinct from effective_price(was) then 'rate' end,
  case when becomes.subject is distinct from was.subject then 'subject' end, case when becomes.start_time is distinct from was.start_time then 'start time' end],
  null) || changed_words(was, becomes) $$;

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
  execute for_side(side, $update$ update sessions set facts_version = facts_version + 1, version = version + 1, updated_at = clock_timestamp(),
      caregiver_id = null, {own}_answer = 'confirmed', {own}_answer_version = facts_version + 1, {own}_answered_at = clock_timestamp(),
      {own}_answer_note = null, {own}_proposal = null, {own}_took_part = true, {other}_answer = null, {other}_answer_version = null,
      {other}_answered_at = null, {other}_answer_note = null, {other}_proposal = null
    where key = $1 returning * $update$) into own using session;
  perform add_history(own, side, 'confirmed', '{}', null);
end $$;
