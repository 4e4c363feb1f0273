-- The charge that follows from a class by agreed terms: what decides about one that didn't take place (docs/decisions/0039-missed-classes.md),
-- by the rule in src/features/terms/missed.ts, and time kept in one that was taught shorter (docs/decisions/0046-proposed-charges.md). A
-- charge is proposed to whoever would pay it and carries the confirmation of whoever would be paid, so neither side can say anything
-- here that costs the other.

-- The caller's class that isn't as the rule says.
create or replace function changed_class(schedule uuid, class_day date) returns schedule_changes
language sql stable security definer set search_path = public, pg_temp
as $$ select c from schedule_changes c where c.schedule_id = schedule and c.day = class_day
  and app_workspace() in (c.family_id, c.practice_id) and app_role() is distinct from 'viewer'
  and (app_students() is null or case app_workspace() when c.family_id then c.child_id else c.student_id end = any (app_students())) $$;

-- Whether a class is where its change says, which in a shared schedule takes both sides.
create or replace function move_holds(moved_to date, connection uuid, parted_from uuid, family_took_part boolean, practice_took_part boolean) returns boolean
language sql immutable
as $$ select moved_to is null or (connection is null and parted_from is null) or (family_took_part and practice_took_part) $$;
create or replace function holds(c schedule_changes) returns boolean
language sql immutable
as $$ select move_holds(c.moved_to, c.connection_id, c.parted_from, c.family_took_part, c.practice_took_part) $$;

-- The day on which a class takes place.
create or replace function place_of(c schedule_changes) returns date
language sql immutable
as $$ select case when holds(c) then coalesce(c.moved_to, c.day) else c.day end $$;

-- Whether the same people meet in another class or row: those of the connection, or a side's own.
create or replace function same_pair(c schedule_changes, connection uuid, family uuid, tutor uuid, practice uuid, student uuid) returns boolean
language sql immutable
as $$ select case when c.connection_id is not null then connection = c.connection_id
  when connection is not null then false
  when c.family_id is not null then (family, tutor) = (c.family_id, c.family_tutor_id)
  else (practice, student) = (c.practice_id, c.student_id) end $$;

-- A pair's prices in a workspace.
create or replace function prices_of(workspace uuid, student uuid, tutor uuid) returns jsonb
language sql stable
as $$ select coalesce(jsonb_agg(jsonb_build_object('since', p.from_day, 'cents', p.amount_cents, 'lesson_minutes', p.lesson_minutes)), '[]')
  from prices p where p.workspace_id = workspace and p.student_id = student and p.tutor_id = tutor $$;
-- What decides what a class of a schedule would cost.
create or replace function rates_of(s schedules) returns jsonb
language sql stable
as $$ select jsonb_build_object('minutes', s.minutes, 'schedule_rate', s.hourly_rate_cents,
    'practice', jsonb_build_object('prices', prices_of(s.practice_id, s.student_id, s.practice_tutor_id), 'student', (select p.hourly_rate_cents from students p where p.workspace_id = s.practice_id and p.id = s.student_id),
      'tutor', (select t.hourly_rate_cents from tutors t where t.workspace_id = s.practice_id and t.id = s.practice_tutor_id)),
    'family', jsonb_build_object('prices', prices_of(s.family_id, s.child_id, s.family_tutor_id), 'student', (select p.hourly_rate_cents from students p where p.workspace_id = s.family_id and p.id = s.child_id),
      'tutor', (select t.hourly_rate_cents from tutors t where t.workspace_id = s.family_id and t.id = s.family_tutor_id))) $$;
-- When its classes are.
create or replace function series_of(s schedules) returns jsonb
language sql immutable
as $$ select jsonb_build_object('frequency', s.frequency, 'custom_interval_days', s.custom_interval_days, 'day_of_week', s.day_of_week,
    'start_date', s.day, 'end_date', s.end_day) $$;

-- Everything that decides what a missed class costs, with all versions of the terms, latest first; null if there's no such class. A caregiver
-- may say how a class ended, so this answers it, too; the server keeps the amounts to itself. Two classes at once don't
-- both use the last free cancellation.
create or replace function missed_class(schedule uuid, class_day date) returns jsonb
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c schedule_changes := changed_class(schedule, class_day);
  s schedules;
begin
  if c.key is null then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('missed:' || coalesce(c.connection_id, app_workspace()), 0));
  select * into s from schedules r where r.id = schedule and r.connection_id is not distinct from c.connection_id
    and app_workspace() in (r.family_id, r.practice_id);
  return rates_of(s) || jsonb_build_object('outcome', c.outcome, 'at', c.outcome_at, 'date', place_of(c), 'currency', c.currency,
    'start_time', to_char(coalesce(case when holds(c) then c.start_time end, s.start_time), 'HH24:MI'),
    'time_zone', coalesce(s.time_zone, owner_time_zone(c.family_id), owner_time_zone(c.practice_id), 'UTC'),
    'free_days', (select coalesce(jsonb_agg(place_of(o)), '[]') from schedule_changes o where o.uses_free and o.key <> c.key
      and same_pair(c, o.connection_id, o.family_id, o.family_tutor_id, o.practice_id, o.student_id)),
    'series', (select coalesce(jsonb_agg(series_of(r)), '[]')
      from schedules r where same_pair(c, r.connection_id, r.family_id, r.family_tutor_id, r.practice_id, r.student_id)
        and r.is_active and r.deleted_at is null),
    'terms', (select coalesce(jsonb_agg(jsonb_build_object('connection_id', t.connection_id, 'rules', t.rules, 'applies_from', t.applies_from,
        'ended_on', t.ended_on, 'own_confirmation', current_answer(t.family_answer, t.family_answer_version, t.facts_version),
        'other_confirmation', current_answer(t.practice_answer, t.practice_answer_version, t.facts_version)) order by t.key desc), '[]')
      from terms t where same_pair(c, t.connection_id, t.family_id, t.family_tutor_id, t.practice_id, t.student_id) and t.applies_from is not null));
end $$;

-- Makes, changes or removes the charge of a class, so that it's what's wanted: the class, its people, a day, an amount, a reason and a
-- sentence. A negative amount is owed to the family. Leaves the charge alone once its payer has confirmed it.
create or replace function follow_class(wanted charges, side text) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  is_charge constant boolean := wanted.amount_cents > 0;
  was charges;
  becomes charges;
begin
  select * into was from charges h where (h.connection_id, h.schedule_id, h.class_day) = (wanted.connection_id, wanted.schedule_id, wanted.class_day)
    for update;
  if (case when was.amount_cents > 0 then was.family_took_part else was.practice_took_part end) then return; end if;
  if coalesce(wanted.amount_cents, 0) = 0 then
    if was.key is null then return; end if;
    perform add_history(was, side, 'deleted', '{}', null);
    delete from charges h where h.key = was.key;
    return;
  end if;
  if was.key is null then
    insert into charges (connection_id, currency, family_id, child_id, family_tutor_id, practice_id, student_id, practice_tutor_id, schedule_id, class_day,
        day, amount_cents, reason, label, family_answer, family_answer_version, family_answered_at, family_took_part,
        practice_answer, practice_answer_version, practice_answered_at, practice_took_part)
      values (wanted.connection_id, currency_of(wanted.family_id), wanted.family_id, wanted.child_id, wanted.family_tutor_id, wanted.practice_id,
        wanted.student_id, wanted.practice_tutor_id, wanted.schedule_id, wanted.class_day, wanted.day, wanted.amount_cents, wanted.reason, wanted.label,
        case when not is_charge then 'confirmed' end, case when not is_charge then 1 end, case when not is_charge then clock_timestamp() end, not is_charge,
        case when is_charge then 'confirmed' end, case when is_charge then 1 end, case when is_charge then clock_timestamp() end, is_charge)
      returning * into becomes;
    perform add_history(becomes, side, 'by terms', '{}', null);
  elsif (was.day, was.amount_cents, was.reason, was.label) is distinct from (wanted.day, wanted.amount_cents, wanted.reason, wanted.label) then
    update charges h set day = wanted.day, amount_cents = wanted.amount_cents, reason = wanted.reason, label = wanted.label,
        facts_version = h.facts_version + 1, version = h.version + 1, updated_at = clock_timestamp(), deletion_asked_by = null, deletion_asked_at = null,
        family_answer = case when not is_charge then 'confirmed' end, family_answer_version = case when not is_charge then h.facts_version + 1 end,
        family_answered_at = case when not is_charge then clock_timestamp() end, family_answer_note = null, family_proposal = null,
        family_took_part = not is_charge, practice_answer = case when is_charge then 'confirmed' end,
        practice_answer_version = case when is_charge then h.facts_version + 1 end,
        practice_answered_at = case when is_charge then clock_timestamp() end, practice_answer_note = null, practice_proposal = null,
        practice_took_part = is_charge
      where h.key = was.key returning h.* into becomes;
    perform add_history(becomes, side, 'changed', changed_fields(was, becomes), null);
  end if;
end $$;

-- Makes the charge of a class what the terms say about how the class ended. Doesn't propose it again after it was waived.
create or replace function follow_outcome(schedule uuid, class_day date, owed integer, why text, is_free boolean) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c schedule_changes := changed_class(schedule, class_day);
  wanted charges;
begin
  if c.key is null then return; end if;
  -- A side's own class has no charge that follows from it, but counts among its free ones.
  if c.connection_id is null then why := null; end if;
  update schedule_changes o set because = why, uses_free = is_free where o.key = c.key and (o.because, o.uses_free) is distinct from (why, is_free);
  if c.connection_id is null then return; end if;
  select c.connection_id, c.family_id, c.child_id, c.family_tutor_id, c.practice_id, c.student_id, c.practice_tutor_id, c.schedule_id, c.day,
      place_of(c), case when c.outcome is null or c.is_waived then 0 else owed end, 'missed_lesson', why
    into wanted.connection_id, wanted.family_id, wanted.child_id, wanted.family_tutor_id, wanted.practice_id, wanted.student_id,
      wanted.practice_tutor_id, wanted.schedule_id, wanted.class_day, wanted.day, wanted.amount_cents, wanted.reason, wanted.label;
  perform follow_class(wanted, case app_workspace() when c.family_id then 'family' else 'practice' end);
end $$;

-- What a class that was taught shorter than planned owes beyond the minutes that were taught, if the terms of its day charge late arrivals: up
-- to the planned price, at the session's own rate, rounded like the session's price.
create or replace function time_kept(s sessions, planned_minutes integer) returns integer
language sql stable security definer set search_path = public, pg_temp
as $$ select greatest(price_of((effective_price(s))[1], coalesce((effective_price(s))[2], 60), planned_minutes, s.currency) - s.total_cents, 0)
  from (select t.rules from terms t where t.connection_id = s.connection_id and t.is_verified and t.applies_from <= s.day
      and (t.ended_on is null or t.ended_on > s.day) order by t.applies_from desc, t.key desc limit 1) latest
  where (latest.rules -> 'are_late_arrivals_charged')::boolean and not is_covered_by_fee(s.connection_id, s.day) $$;

-- The charge of a shared schedule's class follows its session, whoever logs, corrects or joins it, and goes when the session is deleted.
create or replace function follow_taught() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  s sessions;
  planned integer;
  wanted charges;
begin
  if tg_op = 'DELETE' then s := old; else s := new; end if;
  planned := (select r.minutes from schedules r where r.id = coalesce(s.practice_schedule_id, s.family_schedule_id)
    and r.connection_id = s.connection_id);
  if planned is null then return null; end if;
  select s.connection_id, s.family_id, s.child_id, s.family_tutor_id, s.practice_id, s.student_id, s.practice_tutor_id,
      coalesce(s.practice_schedule_id, s.family_schedule_id), coalesce(s.practice_class_day, s.family_class_day), s.day, case when tg_op <> 'DELETE' and not s.is_time_waived then time_kept(s, planned) end,
      'other', format('Time kept for you: %s of %s minutes were taught.', s.minutes, planned)
    into wanted.connection_id, wanted.family_id, wanted.child_id, wanted.family_tutor_id, wanted.practice_id, wanted.student_id,
      wanted.practice_tutor_id, wanted.schedule_id, wanted.class_day, wanted.day, wanted.amount_cents, wanted.reason, wanted.label;
  perform follow_class(wanted, coalesce(tg_argv[0], case when app_workspace() = s.family_id then 'family' else 'practice' end));
  return null;
end $$;
-- Joining two sessions runs as the tables' owner, and only one of the two may know the class.
do $$
declare
  side text;
  of_class constant text := '{row}.connection_id is not null and coalesce({row}.practice_schedule_id, {row}.family_schedule_id) is not null and not {row}.is_held and current_user ';
  roles jsonb := '{"family": ["tutorlog_family", "tutorlog_family_link", "tutorlog_caregiver"], "practice": ["tutorlog_practice", "tutorlog_link"]}';
  named text;
  everyone text;
begin
  foreach side in array array['family', 'practice'] loop
    named := (select string_agg(quote_literal(one), ', ') from jsonb_array_elements_text(roles -> side) one);
    everyone := concat_ws(', ', everyone, named);
    execute format('create or replace trigger sessions_taught_by_%1$s after insert or update on sessions for each row when (%2$s in (%3$s))
      execute function follow_taught(%1$L)', side, replace(of_class, '{row}', 'new'), named);
    execute format('create or replace trigger sessions_untaught_by_%1$s after delete on sessions for each row when (%2$s in (%3$s))
      execute function follow_taught(%1$L)', side, replace(of_class, '{row}', 'old'), named);
  end loop;
  execute format('create or replace trigger sessions_taught_by_joining after insert or update on sessions for each row when (%s not in (%s))
    execute function follow_taught()', replace(of_class, '{row}', 'new'), everyone);
end $$;

-- What was waived for a class isn't proposed again, until the class ends in another way. A fee's period stays dealt with.
create or replace function keep_waived_of(e charges) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update schedule_changes c set is_waived = true where c.connection_id = e.connection_id and c.schedule_id = e.schedule_id and c.day = e.class_day;
  update sessions s set is_time_waived = true where s.connection_id = e.connection_id
    and e.schedule_id in (s.practice_schedule_id, s.family_schedule_id) and e.class_day in (s.practice_class_day, s.family_class_day);
end $$;

-- Waives a charge that terms proposed, for a class or as a fee: only whoever would be paid may, as long as the payer hasn't confirmed it. How
-- the class ended stays.
create or replace function waive_charge(charge bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare e charges;
begin
  select * into e from charges h where h.key = charge and (h.class_day is not null or h.fee_period is not null) and h.connection_id is not null
    and not case when h.amount_cents > 0 then h.family_took_part else h.practice_took_part end
    and app_workspace() = case when h.amount_cents > 0 then h.practice_id else h.family_id end for update;
  if e.key is null or app_role() in ('viewer', 'caregiver') or app_students() is not null then return false; end if;
  perform add_history(e, case when e.amount_cents > 0 then 'practice' else 'family' end, 'waived', '{}', null);
  delete from charges h where h.key = e.key;
  perform keep_waived_of(e);
  return true;
end $$;

-- What a side deleted isn't proposed again either.
create or replace function keep_waived() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform keep_waived_of(old);
  return null;
end $$;
create or replace trigger charges_waived after delete on charges for each row
  when (old.class_day is not null and current_user in ('tutorlog_family', 'tutorlog_practice', 'tutorlog_link', 'tutorlog_family_link'))
  execute function keep_waived();
