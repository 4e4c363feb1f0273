-- Making one schedule of both sides' own ones, or of one that only one side has: one side offers its own, and the other accepts
-- or keeps its own (docs/decisions/0043-joining-schedules.md).

-- The other side's own schedule that this one can be joined with: the two are each other's twin, and both go on.
create or replace function joinable_with(s schedules, link uuid, today date) returns schedules
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare t schedules := twin_of(s, link);
begin
  if t.key is null or t.end_day < today or (twin_of(t, link)).key is distinct from s.key
    -- The practice may not have said yet which of several families it's for.
    or schedule_connection(t, t.chosen_connection_id) is distinct from link then return null; end if;
  return t;
end $$;

-- The connection that one of a side's own schedules can be shared under; null if it has no classes from today on.
create or replace function offerable_under(s schedules, today date) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select c.id from connections c join workspaces f on f.id = c.family_id join workspaces p on p.id = c.practice_id
  where (f.currency, p.currency) = (s.currency, s.currency) and s.connection_id is null and s.deleted_at is null and s.is_active and coalesce(s.end_day >= today, true)
    and c.id = schedule_connection(s, s.chosen_connection_id) $$;

-- What can become one schedule: each of the caller's own ones whose people are connected, with the other side's, and what the
-- other side offers. Nothing private.
create or replace function list_schedule_offers(today date) returns table (state text, own_id uuid, connection_id uuid, student_id uuid, tutor_id uuid,
  other_id uuid, other_version integer, other_rule jsonb, other_subject text)
language sql stable security definer set search_path = public, pg_temp
as $$
  with own as materialized (select s, offerable_under(s, today) as link from schedules s
      where s.connection_id is null and app_workspace() in (s.family_id, s.practice_id) and app_role() <> 'caregiver'
        and (app_students() is null or coalesce(s.child_id, s.student_id) = any (app_students()))),
    asked as materialized (select t, joinable_with(t, c.id, today) as own, who.* from connections c
      join schedules t on t.offered_under = c.id and t.declined_at is null and offerable_under(t, today) = c.id,
      lateral (select case when t.family_id is null then p.child_id else p.student_id end as student_id,
          case when t.family_id is null then c.tutor_id else (select o.id from tutors o where o.workspace_id = c.practice_id and o.is_self) end as tutor_id
        from connection_people p where p.connection_id = c.id and (p.child_id = t.child_id or p.student_id = t.student_id)) who
      where app_role() <> 'caregiver' and app_workspace() = case when t.family_id is null then c.family_id else c.practice_id end
        and (app_students() is null or who.student_id = any (app_students())))
  select 'waits', (a.own).id, (a.t).offered_under, a.student_id, a.tutor_id, (a.t).id, (a.t).version, proposable(a.t), (a.t).subject from asked a
  union all
  select case when (o.s).offered_under = o.link then case when (o.s).declined_at is null then 'asked' else 'declined' end
      when (t).key is null then 'alone' when (o.s).is_kept_apart or (t).is_kept_apart then 'apart' else 'twin' end,
      (o.s).id, o.link, coalesce((o.s).child_id, (o.s).student_id), coalesce((o.s).family_tutor_id, (o.s).practice_tutor_id),
      (t).id, (t).version, case when (t).key is not null then proposable(t) end, (t).subject
    from own o, lateral (select joinable_with(o.s, o.link, today) as t) twin
    where o.link is not null and not exists (select from asked a where (a.own).key = (o.s).key) $$;

-- Lets everything that refers to a side's schedule refer to another id instead.
create or replace function refer_to_schedule(side text, workspace uuid, was uuid, becomes uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if was = becomes then return; end if;
  execute for_side(side, $update$ update sessions s set {own}_schedule_id = $3 where {own}_id = $1 and {own}_schedule_id = $2 $update$)
    using workspace, was, becomes;
  execute for_side(side, 'update schedule_changes set schedule_id = $3 where {own}_id = $1 and schedule_id = $2') using workspace, was, becomes;
  update schedule_notes n set schedule_id = becomes where n.workspace_id = workspace and n.schedule_id = was;
  update schedule_places p set schedule_id = becomes where p.workspace_id = workspace and p.schedule_id = was;
  insert into class_questions (workspace_id, schedule_id, day, ends_at, asked_at, answered_at)
    select workspace_id, becomes, day, ends_at, asked_at, answered_at from class_questions q where q.workspace_id = workspace and q.schedule_id = was;
  update class_asks a set schedule_id = becomes where a.workspace_id = workspace and a.schedule_id = was;
  delete from class_questions q where q.workspace_id = workspace and q.schedule_id = was;
end $$;

-- Makes an offered schedule one that both sides have, and joins it with the other side's own one, if there is one. The offered
-- rule holds, everything that either side said about its classes stays, and each side's calendar keeps its ids.
create or replace function join_schedules(offered schedules, twin schedules, link uuid, joining text) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  whole schedules := shared_schedule(offered, link);
  asking constant text := case joining when 'family' then 'practice' else 'family' end;
  asker constant uuid := coalesce(offered.family_id, offered.practice_id);
  joiner constant uuid := case joining when 'family' then whole.family_id else whole.practice_id end;
  said record;
begin
  set constraints all deferred;
  -- The joining side may have another one with this id, such as a copy that it deleted.
  if exists (select from schedules s where s.id = offered.id and joiner in (s.family_id, s.practice_id) and s.key is distinct from twin.key) then
    whole.id := gen_random_uuid();
    if asking = 'family' then whole.family_feed_id := coalesce(offered.family_feed_id, offered.id);
    else whole.practice_feed_id := coalesce(offered.practice_feed_id, offered.id); end if;
    perform refer_to_schedule(asking, asker, offered.id, whole.id);
  end if;
  -- No version that either side has seen, with its notes, comes back.
  whole.version := 1 + greatest(offered.version + coalesce((select n.version from schedule_notes n where n.workspace_id = asker and n.schedule_id = whole.id), 0),
    twin.version + coalesce((select n.version from schedule_notes n where n.workspace_id = joiner and n.schedule_id = twin.id), 0), 0);
  if twin.key is not null then
    if joining = 'family' then whole.family_feed_id := coalesce(twin.family_feed_id, twin.id);
    else whole.practice_feed_id := coalesce(twin.practice_feed_id, twin.id); end if;
    whole.subject := coalesce(whole.subject, twin.subject);
    if (twin.day_of_week, twin.start_time) = (whole.day_of_week, whole.start_time) then whole.time_zone := coalesce(whole.time_zone, twin.time_zone); end if;
    -- If both sides said something about a class, what was said later counts.
    for said in select stays.key as stays, goes.key as goes, greatest(stays.version, goes.version) + 1 as version
      from schedule_changes a join schedule_changes b on b.day = a.day and b.schedule_id = twin.id and joiner in (b.family_id, b.practice_id),
        lateral (select a.key, a.version, a.updated_at union all select b.key, b.version, b.updated_at order by updated_at desc limit 1) stays,
        lateral (select a.key, a.version where a.key <> stays.key union all select b.key, b.version where b.key <> stays.key) goes
      where a.schedule_id = whole.id and asker in (a.family_id, a.practice_id) order by a.day
    loop
      perform merge_history('schedule_change', said.goes, said.stays);
      delete from schedule_changes where key = said.goes;
      update schedule_changes set version = said.version where key = said.stays;
    end loop;
    perform refer_to_schedule(joining, joiner, twin.id, whole.id);
    perform merge_history('schedule', twin.key, offered.key);
    delete from schedules where key = twin.key;
  end if;
  update schedules s set id = whole.id, connection_id = link, currency = whole.currency, chosen_connection_id = null, parted_from = null,
      family_id = whole.family_id, child_id = whole.child_id, family_tutor_id = whole.family_tutor_id, family_feed_id = whole.family_feed_id,
      practice_id = whole.practice_id, student_id = whole.student_id, practice_tutor_id = whole.practice_tutor_id, practice_feed_id = whole.practice_feed_id,
      subject = whole.subject, time_zone = whole.time_zone,
      facts_version = s.facts_version + (whole.time_zone is distinct from s.time_zone)::int, left_on = null, left_end_day = null,
      offered_under = null, offered_at = null, declined_at = null, is_kept_apart = false, version = whole.version, updated_at = clock_timestamp()
    where key = offered.key;
  -- Where a class of its own was moved to, each side agrees now. A move from before that nobody agreed to is over.
  update schedule_changes c set connection_id = link, currency = whole.currency, schedule_id = whole.id, parted_from = null,
      family_id = whole.family_id, child_id = whole.child_id, family_tutor_id = whole.family_tutor_id,
      practice_id = whole.practice_id, student_id = whole.student_id, practice_tutor_id = whole.practice_tutor_id,
      family_took_part = true, family_answer = 'confirmed', family_answer_version = c.facts_version, family_answer_note = null, family_proposal = null,
      family_answered_at = coalesce(c.family_answered_at, clock_timestamp()),
      practice_took_part = true, practice_answer = 'confirmed', practice_answer_version = c.facts_version, practice_answer_note = null, practice_proposal = null,
      practice_answered_at = coalesce(c.practice_answered_at, clock_timestamp()),
      moved_to = case when c.parted_from is null or (c.family_took_part and c.practice_took_part) then c.moved_to end,
      start_time = case when c.parted_from is null or (c.family_took_part and c.practice_took_part) then c.start_time end
    where c.schedule_id = whole.id and (asker in (c.family_id, c.practice_id) or joiner in (c.family_id, c.practice_id));
  perform for_sides(format($update$
    update schedules set {own}_answer = 'confirmed', {own}_answer_version = facts_version, {own}_answer_note = null, {own}_proposal = null,
      {own}_answered_at = clock_timestamp(), {own}_took_part = true where key = %s;
    -- A shared session of one side's class is of that class on the other side, too.
    update sessions s set {own}_schedule_id = {other}_schedule_id, {own}_class_day = {other}_class_day
      where connection_id = %2$L and {own}_id is not null and {other}_schedule_id = %3$L and {own}_schedule_id is null
        and not exists (select from sessions o where o.{own}_id = s.{own}_id and o.{own}_schedule_id = %3$L and o.{own}_class_day = s.{other}_class_day)
    $update$, offered.key, link, whole.id));
  set constraints all immediate;
  select * into whole from schedules where key = offered.key;
  perform share_history(whole);
  perform share_history(c), add_history(c, joining, 'accepted', '{}', null) from schedule_changes c where c.connection_id = link and c.schedule_id = whole.id;
  perform add_history(whole, joining, case when twin.key is null then 'accepted' else 'merged' end, '{}', null);
end $$;

-- Keeps everybody else from joining schedules under the caller's connection, and returns its schedule; null if it has none.
create or replace function hold_offers(schedule uuid, link uuid) returns schedules
language plpgsql security definer set search_path = public, pg_temp
as $$
declare s schedules;
begin
  perform pg_advisory_xact_lock(hashtextextended('schedules:' || link, 0));
  select * into s from schedules o where o.id = schedule and o.deleted_at is null and app_workspace() in (o.family_id, o.practice_id)
    and (app_students() is null or coalesce(o.child_id, o.student_id) = any (app_students())) for update;
  return s;
end $$;

-- Asks the other side whether the caller's own schedule becomes one of both. If the other side has asked the same, it is.
-- Returns how it ended; null if the caller doesn't have the schedule.
create or replace function offer_schedule(schedule uuid, seen integer, today date) returns text
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own schedules;
  twin schedules;
  link uuid;
begin
  if app_role() in ('viewer', 'caregiver') then return null; end if;
  perform hold_sharing();
  select offerable_under(s, today) into link from schedules s where s.id = schedule and app_workspace() in (s.family_id, s.practice_id);
  own := hold_offers(schedule, link);
  if own.key is null then return null;
  elsif own.connection_id is not null then return 'joined';
  elsif seen <> own.version + coalesce((select n.version from schedule_notes n where n.workspace_id = app_workspace() and n.schedule_id = own.id), 0) then
    return 'changed';
  elsif link is null or offerable_under(own, today) is distinct from link then return 'not_connected'; end if;
  twin := joinable_with(own, link, today);
  if twin.key is not null then select * into twin from schedules s where s.key = twin.key for update; end if;
  if twin.offered_under = link and twin.declined_at is null then
    if proposable(twin) <> proposable(own) then return 'asked_already'; end if;
    perform join_schedules(twin, own, link, case when own.family_id is null then 'practice' else 'family' end);
    return 'joined';
  end if;
  update schedules set offered_under = link, offered_at = clock_timestamp(), declined_at = null where key = own.key;
  perform notify_both(c) from connections c where c.id = link;
  return 'asked';
end $$;

-- Takes an offer back, or says that the caller's own schedule stays its own: after the other side said no, or without having
-- asked. Null if the caller doesn't have the schedule.
create or replace function keep_schedule_apart(schedule uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own schedules;
  link uuid;
begin
  if app_role() in ('viewer', 'caregiver') then return null; end if;
  perform hold_sharing();
  select coalesce(s.offered_under, schedule_connection(s, s.chosen_connection_id)) into link from schedules s
    where s.id = schedule and app_workspace() in (s.family_id, s.practice_id);
  own := hold_offers(schedule, link);
  if own.key is null or own.connection_id is not null then return null; end if;
  update schedules set is_kept_apart = own.offered_under is null or own.declined_at is not null, offered_under = null, offered_at = null, declined_at = null
    where key = own.key;
  perform notify_both(c) from connections c where c.id = link;
  return true;
end $$;

-- Answers an offer of the other side, which the caller saw in a version. Returns how it ended; null if there's no such offer.
create or replace function answer_schedule_offer(offer uuid, seen integer, joins boolean, today date) returns text
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  offered schedules;
  twin schedules;
  link uuid;
  whole schedules;
  side text;
begin
  if app_role() in ('viewer', 'caregiver') then return null; end if;
  perform hold_sharing();
  select s.offered_under into link from schedules s join connections c on c.id = s.offered_under
    where s.id = offer and app_workspace() = case when s.family_id is null then c.family_id else c.practice_id end;
  perform pg_advisory_xact_lock(hashtextextended('schedules:' || link, 0));
  select s.* into offered from schedules s join connections c on c.id = s.offered_under where s.id = offer and c.id = link and s.declined_at is null
    and app_workspace() = case when s.family_id is null then c.family_id else c.practice_id end and offerable_under(s, today) = link for update of s;
  if not found then
    -- It was sent again, or someone else on this side was quicker.
    return case when joins and exists (select from schedules s where s.id = offer and s.connection_id is not null and s.deleted_at is null
      and app_workspace() in (s.family_id, s.practice_id)) then 'joined' end;
  end if;
  side := case when offered.family_id is null then 'family' else 'practice' end;
  whole := shared_schedule(offered, link);
  if app_students() is not null and not (case side when 'family' then whole.child_id else whole.student_id end = any (app_students())) then return null; end if;
  if offered.version <> seen then return 'changed'; end if;
  twin := joinable_with(offered, link, today);
  if twin.key is not null then select * into twin from schedules s where s.key = twin.key for update; end if;
  if joins then perform join_schedules(offered, twin, link, side);
  else
    update schedules set declined_at = clock_timestamp() where key = offered.key;
    update schedules set is_kept_apart = true where key = twin.key;
  end if;
  perform notify_both(c) from connections c where c.id = link;
  return case when joins then 'joined' else 'kept' end;
end $$;
