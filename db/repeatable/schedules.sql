-- What's particular about schedules and about changes of one class among the things two sides agree on (agreements.sql): who
-- the other side is, which fields are facts, who is asked what, and what the history shows. A schedule that both sides have
-- is one row (docs/decisions/0033-one-schedule-two-sides.md).

-- The open connection that a schedule would be shared under; null if both sides don't have an account, if the practice would
-- have to say first which of several families it's for, or if `named` isn't one of them.
create or replace function schedule_connection(s schedules, named uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select case when count(*) = 1 then min(c.id::text)::uuid end from connections c join connection_people p on p.connection_id = c.id
  where c.state = 'active' and c.family_id is not null and c.practice_id is not null and c.family_closed_at is null and c.practice_closed_at is null
    and p.child_id is not null and (named is null or c.id = named)
    and ((c.family_id = s.family_id and c.tutor_id = s.family_tutor_id and p.child_id = s.child_id)
      or (c.practice_id = s.practice_id and p.student_id = s.student_id)) $$;

-- Both sides of a schedule under a connection.
create or replace function shared_schedule(s schedules, link uuid) returns schedules
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections;
  person connection_people;
begin
  select * into c from connections where id = link;
  if s.family_id is not null then
    person := connected_child(c, s.child_id);
    s.practice_id := c.practice_id;
    s.student_id := person.student_id;
    s.practice_tutor_id := (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self);
  else
    s.family_id := c.family_id;
    s.family_tutor_id := c.tutor_id;
    s.child_id := (select p.child_id from connection_people p where p.connection_id = c.id and p.student_id = s.student_id);
  end if;
  s.connection_id := c.id;
  s.currency := currency_of(c.family_id);
  s.chosen_connection_id := null;
  return s;
end $$;

-- The other side's own schedule of what looks like the same lesson: a copy of this one, or one for the same people on the
-- same weekday whose time overlaps, because nobody has two lessons at once.
create or replace function twin_of(s schedules, link uuid) returns schedules
language sql stable security definer set search_path = public, pg_temp
as $$ select t from schedules t join connections c on c.id = link join connection_people p on p.connection_id = c.id
  where t.connection_id is null and t.deleted_at is null and t.is_active and t.currency = s.currency
    and (t.id = s.id or (t.day_of_week = s.day_of_week and (s.end_day is null or t.day <= s.end_day) and (t.end_day is null or s.day <= t.end_day)
      and s.start_time - t.start_time < make_interval(mins => t.minutes) and t.start_time - s.start_time < make_interval(mins => s.minutes)))
    and case when s.family_id is not null then p.child_id = s.child_id and t.practice_id = c.practice_id and t.student_id = p.student_id
      else p.student_id = s.student_id and t.family_id = c.family_id and t.child_id = p.child_id and t.family_tutor_id = c.tutor_id end
  order by t.id = s.id desc, abs(extract(epoch from t.start_time - s.start_time)), t.key limit 1 $$;

-- The facts that a dispute can propose.
create or replace function proposable(s schedules) returns jsonb
language sql immutable
as $$ select jsonb_build_object('start_day', s.day, 'day_of_week', s.day_of_week, 'start_time', s.start_time, 'minutes', s.minutes,
  'rate_cents', s.hourly_rate_cents, 'frequency', s.frequency, 'custom_interval_days', s.custom_interval_days, 'end_day', s.end_day,
  'time_zone', s.time_zone, 'is_active', s.is_active) $$;
create or replace function proposable(c schedule_changes) returns jsonb
language sql immutable
as $$ select jsonb_build_object('moved_to', c.moved_to, 'start_time', c.start_time) $$;

-- Fills in the other side, counts changes of the rule, and keeps a shared rule as both agreed on it: it only becomes what the
-- other side proposed.
create or replace function keep_schedule_facts() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side constant text := tg_argv[0];
  link uuid;
begin
  if tg_op = 'INSERT' then
    perform hold_sharing();
    new.currency := currency_of(coalesce(new.family_id, new.practice_id));
    link := schedule_connection(new, null);
    -- If the other side has one that looks the same, joining the two is offered instead.
    if link is not null and (twin_of(new, link)).key is null and currency_of((select family_id from connections where id = link)) = new.currency then
      new := shared_schedule(new, link);
    end if;
    return new;
  end if;
  if proposable(new) <> proposable(old) then
    if old.connection_id is not null and proposable(new) is distinct from (case side when 'family' then
        case when old.practice_answer_version = old.facts_version then old.practice_proposal end
      else case when old.family_answer_version = old.facts_version then old.family_proposal end end) then
      raise exception 'a shared rule changes once both sides agree' using errcode = 'check_violation', constraint = 'schedules_agreed';
    end if;
    new.facts_version := old.facts_version + 1;
  end if;
  if old.connection_id is not null and (new.child_id, new.family_tutor_id, new.student_id, new.practice_tutor_id)
    is distinct from (old.child_id, old.family_tutor_id, old.student_id, old.practice_tutor_id) then
    raise exception 'a shared schedule stays with its people' using errcode = 'check_violation', constraint = 'schedules_stay_connected';
  end if;
  return new;
end $$;
select for_sides($trigger$ create or replace trigger schedules_facts_by_{own} before insert or update on schedules for each row
  when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function keep_schedule_facts('{own}') $trigger$);

-- A change of one class is for the people of its schedule. In a shared one, either side says how it ended, which holds at once; where
-- it takes place, if the other side took part in that, only becomes what that side proposed.
create or replace function keep_change_facts() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side constant text := tg_argv[0];
  rule schedules;
begin
  if new.outcome is not null and (tg_op = 'INSERT' or new.outcome is distinct from old.outcome) then new.outcome_by := side; end if;
  -- What the charge of the class was waived for is over.
  if tg_op = 'UPDATE' and new.outcome is distinct from old.outcome then new.is_waived := false; end if;
  if tg_op = 'INSERT' then
    perform hold_sharing();
    select * into rule from schedules s where s.id = new.schedule_id
      and case side when 'family' then s.family_id = new.family_id else s.practice_id = new.practice_id end;
    if rule.key is null then return new; end if;
    new.connection_id := rule.connection_id;
    new.currency := rule.currency;
    new.family_id := rule.family_id; new.child_id := rule.child_id; new.family_tutor_id := rule.family_tutor_id;
    new.practice_id := rule.practice_id; new.student_id := rule.student_id; new.practice_tutor_id := rule.practice_tutor_id;
    return new;
  end if;
  if (new.day, new.schedule_id) <> (old.day, old.schedule_id) then
    raise exception 'a change is of one class' using errcode = 'check_violation', constraint = 'schedule_changes_of_class';
  end if;
  if proposable(new) <> proposable(old) then
    if old.connection_id is null then new.parted_from := null;
    elsif (case side when 'family' then old.practice_took_part else old.family_took_part end)
      and proposable(new) is distinct from (case side when 'family' then
          case when old.practice_answer_version = old.facts_version then old.practice_proposal end
        else case when old.family_answer_version = old.facts_version then old.family_proposal end end) then
      raise exception 'a shared class moves once both sides agree' using errcode = 'check_violation', constraint = 'schedule_changes_agreed';
    end if;
    new.facts_version := old.facts_version + 1;
  end if;
  return new;
end $$;
select for_sides($trigger$ create or replace trigger schedule_changes_facts_by_{own} before insert or update on schedule_changes for each row
  when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function keep_change_facts('{own}') $trigger$);
create or replace trigger schedule_changes_facts_by_caregiver before insert or update on schedule_changes for each row
  when (current_user = 'tutorlog_caregiver') execute function keep_change_facts('family');

-- Nobody has to agree to a schedule before it holds, nor to how a class ended.
create or replace function needs_answer(s schedules) returns boolean
language sql immutable
as $$ select false $$;
create or replace function needs_answer(c schedule_changes) returns boolean
language sql immutable
as $$ select c.moved_to is not null $$;

-- Nobody replies to a proposal: it's accepted or not.
select for_each(array['schedules', 'schedule_changes'], $reply$
  create or replace function reply_to(side text, e {name}) returns timestamptz
  language sql immutable
  as $$ select null::timestamptz $$;
  create or replace function reply_in(side text, was {name}, becomes {name}) returns text
  language sql immutable
  as $$ select null::text $$ $reply$);

-- The facts that both sides may see, in the format the history uses.
create or replace function facts_of(s schedules) returns jsonb
language sql immutable
as $$ select proposable(s) || jsonb_build_object('subject', s.subject, 'currency', s.currency,
    'state', case when s.is_verified then 'verified' when s.is_disputed then 'disputed' else 'unverified' end)
  || proposed_in(current_proposal(s.family_proposal, s.family_answer_version, s.facts_version),
    current_proposal(s.practice_proposal, s.practice_answer_version, s.facts_version)) $$;
create or replace function facts_of(c schedule_changes) returns jsonb
language sql immutable
as $$ select proposable(c) || jsonb_build_object('date', c.day, 'outcome', c.outcome, 'currency', c.currency,
    'state', case when c.is_verified then 'verified' when c.is_disputed then 'disputed' else 'unverified' end)
  || proposed_in(current_proposal(c.family_proposal, c.family_answer_version, c.facts_version),
    current_proposal(c.practice_proposal, c.practice_answer_version, c.facts_version)) $$;

-- The fields that a change is about, as the history names them.
create or replace function changed_fields(was schedules, becomes schedules) returns text[]
language sql immutable
as $$ select array_remove(array[
  case when becomes.connection_id is null and (becomes.child_id is distinct from was.child_id or becomes.student_id is distinct from was.student_id) then 'student' end,
  case when becomes.connection_id is null and (becomes.family_tutor_id is distinct from was.family_tutor_id
    or becomes.practice_tutor_id is distinct from was.practice_tutor_id) then 'tutor' end,
  case when proposable(becomes) <> proposable(was) then 'rule' end,
  case when becomes.subject is distinct from was.subject then 'subject' end], null) $$;
create or replace function changed_fields(was schedule_changes, becomes schedule_changes) returns text[]
language sql immutable
as $$ select array_remove(array[case when proposable(becomes) <> proposable(was) then 'class' end,
  case when becomes.outcome is distinct from was.outcome then 'outcome' end], null) $$;

-- The class that a session is for, on both sides if they share its schedule.
create or replace function class_for_both(s sessions) returns sessions
language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  if s.connection_id is null then return s; end if;
  if s.practice_schedule_id is null and s.family_schedule_id is not null and exists (select from schedules c where c.connection_id = s.connection_id
      and c.family_id = s.family_id and c.id = s.family_schedule_id and c.practice_id = s.practice_id) then
    s.practice_schedule_id := s.family_schedule_id; s.practice_class_day := s.family_class_day;
  elsif s.family_schedule_id is null and s.practice_schedule_id is not null and exists (select from schedules c where c.connection_id = s.connection_id
      and c.practice_id = s.practice_id and c.id = s.practice_schedule_id and c.family_id = s.family_id) then
    s.family_schedule_id := s.practice_schedule_id; s.family_class_day := s.practice_class_day;
  end if;
  return s;
end $$;

-- Splits a shared schedule with its changes, so that each side has its own. Returns the caller's.
create or replace function part_schedule(schedule uuid) returns schedules
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  shared schedules;
begin
  perform hold_sharing();
  select * into shared from schedules s where s.id = schedule and s.connection_id is not null and app_workspace() in (s.family_id, s.practice_id) for update;
  if not found or app_role() in ('viewer', 'caregiver') then return null; end if;
  set constraints all deferred;
  perform split_rows(array[shared]);
  perform split_rows(array(select c from schedule_changes c where c.schedule_id = shared.id
    and (c.family_id, c.practice_id) = (shared.family_id, shared.practice_id) order by c.key for update));
  set constraints all immediate;
  select * into shared from schedules s where s.id = schedule and app_workspace() in (s.family_id, s.practice_id);
  return shared;
end $$;

-- Deletes a shared schedule from the caller's records. The other side's copy has its last class the day before `today`.
create or replace function end_schedule(schedule uuid, today date) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own schedules := part_schedule(schedule);
begin
  if own.key is null then return false; end if;
  update schedules set deleted_at = clock_timestamp(), version = version + 1 where key = own.key;
  update schedules s set left_on = today, left_end_day = s.end_day, version = s.version + 1, updated_at = clock_timestamp(),
      end_day = case when s.day < today then least(s.end_day, today - 1) else s.end_day end, is_active = s.is_active and s.day < today,
      facts_version = s.facts_version + 1
    where s.id = own.id and s.key <> own.key and own.parted_from in (s.family_id, s.practice_id);
  return true;
end $$;

-- Keeps the caller's copy of a schedule that the other side ended, or leaves it ended. False if nobody asks.
create or replace function answer_ending(schedule uuid, keeps boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own schedules;
  side text;
begin
  if app_role() in ('viewer', 'caregiver') then return false; end if;
  update schedules s set left_on = null, left_end_day = null, end_day = case when keeps then s.left_end_day else s.end_day end,
      is_active = s.is_active or keeps, version = s.version + 1, updated_at = clock_timestamp(), facts_version = s.facts_version + keeps::int
    where s.id = schedule and s.left_on is not null and s.deleted_at is null and app_workspace() in (s.family_id, s.practice_id)
      and (app_students() is null or coalesce(s.child_id, s.student_id) = any (app_students()))
    returning s.* into own;
  if not found or not keeps then return found; end if;
  side := case when own.family_id = app_workspace() then 'family' else 'practice' end;
  execute for_side(side, $update$ update schedules set {own}_answer = 'confirmed', {own}_answer_version = facts_version,
    {own}_answer_note = null, {own}_proposal = null, {own}_answered_at = clock_timestamp() where key = $1 returning * $update$) into own using own.key;
  perform add_history(own, side, 'changed', array['rule'], null);
  return true;
end $$;

-- Splits what a side shares for a child, student or tutor that it archives or deletes: only its own schedules stop.
create or replace function part_schedules_of(person uuid) returns void
language sql security definer set search_path = public, pg_temp
as $$ select part_schedule(s.id) from schedules s where s.connection_id is not null
  and ((s.family_id = app_workspace() and person in (s.child_id, s.family_tutor_id))
    or (s.practice_id = app_workspace() and person in (s.student_id, s.practice_tutor_id))) $$;

-- Schedules from before they had a history begin one.
select add_history(s, case when s.family_id is null then 'practice' else 'family' end, 'recorded', '{}', null) from schedules s
  where not exists (select from history h where h.kind = 'schedule' and h.entry_key = s.key);
select add_history(c, case when c.family_id is null then 'practice' else 'family' end, 'recorded', '{}', null) from schedule_changes c
  where not exists (select from history h where h.kind = 'schedule_change' and h.entry_key = c.key);

-- What decides about holding fees, for each active connection whose terms have one: the rule is in src/features/schedules/holding.ts.
-- Of classes and sessions only those of the last 400 days, because a class can be moved by up to a year. A week before that whose cancellations
-- aren't read asks for nothing.
create or replace function held_places(moment timestamptz) returns setof jsonb
language sql stable security definer set search_path = public, pg_temp
as $$ select jsonb_build_object('id', c.id, 'currency', (select w.currency from workspaces w where w.id = c.family_id),
    'today', (moment at time zone coalesce(owner_time_zone(c.family_id), owner_time_zone(c.practice_id), 'UTC'))::date,
    'versions', (select jsonb_agg(jsonb_build_object('rules', t.rules, 'applies_from', t.applies_from, 'ended_on', t.ended_on) order by t.key desc)
      from terms t where t.connection_id = c.id and t.is_verified and t.applies_from is not null),
    'proposed', (select coalesce(jsonb_agg(f.period), '[]') from proposed_fees f where f.connection_id = c.id),
    'schedules', (select coalesce(jsonb_agg(rates_of(s) || series_of(s) || jsonb_build_object('id', s.id, 'start_time', s.start_time)), '[]')
      from schedules s where s.connection_id = c.id and s.is_active and s.deleted_at is null),
    'changes', (select coalesce(jsonb_agg(jsonb_build_object('schedule_id', o.schedule_id, 'day', o.day, 'place', place_of(o), 'outcome', o.outcome,
        'uses_free', o.uses_free)), '[]')
      from schedule_changes o where o.connection_id = c.id and o.day > moment - interval '400 days'),
    'taught', (select coalesce(jsonb_agg(distinct s.day), '[]') from sessions s where s.connection_id = c.id
      and s.day > moment - interval '400 days'))
  from connections c where c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null
    and exists (select from terms t where t.connection_id = c.id and t.is_verified and t.rules ? 'holding_percent') order by c.id $$;
