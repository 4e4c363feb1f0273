-- What's particular about terms among the things two sides agree on (agreements.sql). Each row is a version. It applies
-- from the day on which both sides have agreed to it, until a later version does.

-- Fills in both sides of terms from their connection. They're about all its people, so they name none.
create or replace function shared_terms(t terms, link uuid) returns terms
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  select c.id, c.family_id, c.tutor_id, c.practice_id, currency_of(coalesce(c.family_id, c.practice_id)),
      (select o.id from tutors o where o.workspace_id = c.practice_id and o.is_self)
    into t.connection_id, t.family_id, t.family_tutor_id, t.practice_id, t.currency, t.practice_tutor_id
    from connections c where c.id = link;
  t.child_id := null;
  t.student_id := null;
  return t;
end $$;

-- Fills in the other side and counts changes of the rules. What both sides agreed on stays as it is: there's a new version instead.
create or replace function keep_terms_facts() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare link uuid;
begin
  if tg_op = 'INSERT' then
    perform hold_sharing();
    new.currency := currency_of(coalesce(new.family_id, new.practice_id));
    link := payment_connection(new.family_tutor_id, new.student_id, new.connection_id, 'infinity');
    if new.connection_id is not null and link is null then
      raise exception 'this side has no such open connection' using errcode = 'check_violation', constraint = 'terms_connected';
    end if;
    if link is not null then new := shared_terms(new, link); end if;
    return new;
  end if;
  if new.rules = old.rules then return new; end if;
  if old.connection_id is null or old.is_verified then
    raise exception 'terms that apply are replaced by a new version' using errcode = 'check_violation', constraint = 'terms_stay';
  end if;
  -- An emailed page only accepts what the other side proposes.
  if app_link() is not null and not coalesce(proposable(new) = case tg_argv[0]
      when 'family' then current_proposal(old.practice_proposal, old.practice_answer_version, old.facts_version)
      else current_proposal(old.family_proposal, old.family_answer_version, old.facts_version) end, false) then
    raise exception 'an emailed page proposes no terms' using errcode = 'insufficient_privilege';
  end if;
  new.facts_version := old.facts_version + 1;
  return new;
end $$;
select for_sides($trigger$ create or replace trigger terms_facts_by_{own} before insert or update on terms for each row
  when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function keep_terms_facts('{own}') $trigger$);

-- Terms apply from the day on which they're agreed, by the family's calendar, or else the practice's. Runs after each side's answer is kept.
create or replace function settle_terms() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if tg_op = 'INSERT' and (new.connection_id is not null or new.parted_from is not null) then return new; end if;
  if tg_op = 'UPDATE' and (old.is_verified or not coalesce(new.family_answer = 'confirmed' and new.family_answer_version = new.facts_version
      and new.practice_answer = 'confirmed' and new.practice_answer_version = new.facts_version, false)) then
    return new;
  end if;
  new.applies_from := (clock_timestamp() at time zone coalesce(owner_time_zone(new.family_id), owner_time_zone(new.practice_id), 'UTC'))::date;
  return new;
end $$;
create or replace trigger terms_settled before insert or update on terms for each row execute function settle_terms();

-- Ending the terms that apply ends the earlier versions for good.
create or replace function end_earlier_terms() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update terms set ended_on = (clock_timestamp() at time zone coalesce(owner_time_zone(old.family_id), owner_time_zone(old.practice_id), 'UTC'))::date
    where applies_from is not null and ended_on is null and key <> old.key and case
      when old.connection_id is not null then connection_id = old.connection_id
      when old.family_id is not null then connection_id is null and (family_id, family_tutor_id) = (old.family_id, old.family_tutor_id)
      else connection_id is null and (practice_id, student_id) = (old.practice_id, old.student_id) end;
  return null;
end $$;
create or replace trigger terms_ended after delete on terms for each row when (old.applies_from is not null) execute function end_earlier_terms();
-- Leaving terms whose end the other side never agreed to.
create or replace trigger terms_left after update of connection_id on terms for each row
  when (old.applies_from is not null and old.deletion_asked_by is not null and new.connection_id is null) execute function end_earlier_terms();

-- If an account takes over a side that had answered by email, it also takes over the connection's terms.
create or replace function take_over_terms(c connections) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare t terms;
begin
  for t in select * from terms where connection_id = c.id and (family_id, practice_id) is distinct from (c.family_id, c.practice_id)
    order by key for update loop
    t := shared_terms(t, c.id);
    update terms set family_id = t.family_id, family_tutor_id = t.family_tutor_id, practice_id = t.practice_id,
      practice_tutor_id = t.practice_tutor_id where key = t.key;
    perform share_history(t);
  end loop;
end $$;

-- Nobody replies to a dispute about terms: other terms are the reply.
create or replace function reply_to(side text, t terms) returns timestamptz
language sql immutable
as $$ select null::timestamptz $$;
create or replace function reply_in(side text, was terms, becomes terms) returns text
language sql immutable
as $$ select null::text $$;

-- The facts that a dispute can propose.
create or replace function proposable(t terms) returns jsonb
language sql immutable
as $$ select jsonb_build_object('rules', t.rules) $$;

-- The facts that both sides may see, in the format the history uses.
create or replace function facts_of(t terms) returns jsonb
language sql immutable
as $$ select jsonb_build_object('date', t.day, 'rules', t.rules::text, 'currency', t.currency,
    'state', case when t.is_verified then 'verified' when t.is_disputed then 'disputed' else 'unverified' end)
  || proposed_in(current_proposal(t.family_proposal, t.family_answer_version, t.facts_version),
    current_proposal(t.practice_proposal, t.practice_answer_version, t.facts_version)) $$;

create or replace function changed_fields(was terms, becomes terms) returns text[]
language sql immutable
as $$ select case when becomes.rules <> was.rules then array['rules'] else '{}' end $$;

-- What of a family's terms decides about make-ups: which classes are made up, how many and until when, and what costs something. How much
-- it costs is left out: 100 percent or 1 cent stands for any amount. Caregivers read terms only here.
create or replace function terms_without_amounts() returns table (key bigint, workspace_id uuid, connection_id uuid, student_id uuid, tutor_id uuid,
  applies_from date, ended_on date, own_says text, other_says text, rules jsonb)
language sql stable security definer set search_path = public, pg_temp
as $$ select t.key, t.family_id, t.connection_id, t.child_id, t.family_tutor_id, t.applies_from, t.ended_on,
    current_answer(t.family_answer, t.family_answer_version, t.facts_version), current_answer(t.practice_answer, t.practice_answer_version, t.facts_version),
    jsonb_build_object('notice_hours', t.rules -> 'notice_hours', 'free_per_half_year', t.rules -> 'free_per_half_year',
      'term_months', t.rules -> 'term_months', 'make_ups', t.rules -> 'make_ups',
      'tutor_cancels', case jsonb_typeof(t.rules -> 'tutor_cancels') when 'object' then (t.rules -> 'tutor_cancels') - 'late_percent_off' end,
      'bands', (select coalesce(jsonb_agg(jsonb_build_object('until_hours', band -> 'until_hours', 'percent', 100) order by place), '[]')
        from jsonb_array_elements(t.rules -> 'bands') with ordinality as given (band, place)),
      'no_show', case jsonb_typeof(t.rules -> 'no_show') when 'object' then '{"percent": 100}'::jsonb end,
      'fee', case jsonb_typeof(t.rules -> 'fee') when 'object' then jsonb_build_object('per', t.rules -> 'fee' -> 'per', 'amount', 1) end)
  from terms t where t.family_id = app_workspace() and app_students() is null and t.applies_from is not null $$;

-- Terms with the same column names for each side, like payments (sides.sql).
drop view if exists family.terms, practice.terms, link.terms, family_link.terms, caregiver.terms;
create view caregiver.terms with (security_invoker = true) as select * from terms_without_amounts();
grant select on caregiver.terms to tutorlog_caregiver;
do $$
declare
  place text; own text; names text;
begin
  foreach place in array array['family', 'practice', 'link', 'family_link'] loop
    own := case place when 'link' then 'practice' when 'family_link' then 'family' else place end;
    names := case when place in ('family', 'practice')
      then format('%1$I_id as workspace_id, %1$I_tutor_id as tutor_id, %2$I as student_id', own,
        case own when 'family' then 'child_id' else 'student_id' end)
      else 'connection_id as workspace_id, null::uuid as tutor_id, null::uuid as student_id' end;
    execute replace(replace(replace(replace(replace($view$
      create view {place}.terms with (security_invoker = true) as
      select key, id, {names}, day, rules, currency, applies_from, ended_on, {agreed}, {own}_answer_note as own_answer_note,
        {other}_answer_note as other_answer_note, {own}_proposal as own_proposal, {other}_proposal as other_proposal, is_verified,
        exists (select from public.connections c where c.id = t.connection_id and c.{other}_closed_at is not null) as is_read_only,
        version, created_at, updated_at
      from public.terms t$view$, '{agreed}', agreed_columns(own, 'terms', 'is_disputed and connection_id is not null')), '{place}', place),
      '{names}', names), '{own}', own), '{other}', case own when 'family' then 'practice' else 'family' end);
    execute format('grant select, update, delete on %1$I.terms to %2$I', place, 'tutorlog_' || place);
    if place in ('family', 'practice') then execute format('grant insert on %1$I.terms to %2$I', place, 'tutorlog_' || place); end if;
  end loop;
end $$;

-- Today, by the calendar of terms: the family's, or else the practice's.
create or replace function day_of_terms(connection uuid, moment timestamptz) returns date
language sql stable security definer set search_path = public, pg_temp
as $$ select (moment at time zone coalesce(owner_time_zone(c.family_id), owner_time_zone(c.practice_id), owner_time_zone(app_workspace()), 'UTC'))::date
  from (select) here left join connections c on c.id = connection and app_workspace() in (c.family_id, c.practice_id) $$;
