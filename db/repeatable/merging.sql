-- Merging: finds sessions from the two sides that look like the same lesson, and applies the answer for each
-- pair.

-- Whether a workspace kept its own copy of a session. If so, the two copies can be merged, but the other copy
-- can't be shared with that workspace as a second session.
create or replace function is_copied(session sessions, workspace uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from sessions o where o.id = session.id and o.key <> session.key and workspace in (o.family_id, o.practice_id)) $$;

-- Whether a row from a split can be shared under a connection. It still has the confirmations from before the
-- split, so it can be shared only with the side it was split from. That's the same workspace or, if that side
-- had no account, the same address (parted_from is then the connection that ended). A row that was never
-- split can be shared with anyone.
create or replace function is_parted_from(parted_from uuid, c connections) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select parted_from is null or coalesce(parted_from = c.practice_id, false) or coalesce(parted_from = c.family_id, false)
  or exists (select from connections o where o.id = parted_from and o.asked_by = c.asked_by and o.email_key = c.email_key
    and case o.asked_by when 'family' then o.family_id = c.family_id else o.practice_id = c.practice_id end) $$;

-- Whether a row that only one side has may be shared under a connection. A dollar amount never becomes a euro
-- amount: a row in another currency stays with its side.
create or replace function can_share(own sessions, c connections) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  return (c.shared_from is null or own.day >= c.shared_from)
    and own.currency = (select w.currency from workspaces w where w.id = coalesce(c.family_id, c.practice_id))
    -- Sessions from a closed month that aren't on its page stay in the log of the side that logged them.
    and (own.connection_id is not distinct from c.id
      or not exists (select from closed_months m where m.connection_id = c.id and m.state = 'closed' and m.month = to_char(own.day, 'YYYY-MM')))
    and is_parted_from(own.parted_from, c) and not is_copied(own, case when own.family_id is null then c.family_id else c.practice_id end)
    and not exists (select from session_pairs where own.key in (family_key, practice_key));
end $$;

-- Whether a session can be half of a pair under a connection: it's in its own side's log, or it's already
-- shared and nobody asks to delete it.
create or replace function can_pair(session sessions, c connections) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select case when session.family_id is null or session.practice_id is null
    then coalesce(session.connection_id = c.id, true) and is_parted_from(session.parted_from, c)
  else session.connection_id = c.id and session.deletion_asked_by is null end $$;

-- Pairs sessions from the two sides that look like the same lesson; with `own`, only that row with another.
-- Copies of the same session are paired first, then sessions with the same child and day. If there are several,
-- prefers the same start time, then the closest duration, then the one logged earliest. If one of them is
-- already shared, because the people were matched later, the other doesn't count until somebody answers.
create or replace function pair_sessions(c connections, own bigint) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare candidate record;
begin
  for candidate in
    select f.key as family_key, p.key as practice_key, f.practice_id is not null or p.family_id is not null as is_shared from sessions f
      join connection_people who on who.connection_id = c.id and who.child_id = f.child_id
      join sessions p on p.practice_id = c.practice_id and p.student_id = who.student_id and p.key <> f.key and p.currency = f.currency
        and (f.practice_id is null or p.family_id is null) and can_pair(f, c) and can_pair(p, c)
        and (p.id = f.id or (p.day = f.day and not is_copied(f, c.practice_id) and not is_copied(p, c.family_id)))
    where f.family_id = c.family_id and f.family_tutor_id = c.tutor_id and (own is null or own in (f.key, p.key))
      and (c.shared_from is null or f.day >= c.shared_from or p.id = f.id)
    order by (p.id = f.id) desc, coalesce(f.start_time = p.start_time, false) desc, abs(f.minutes - p.minutes), f.key, p.key
  loop
    if exists (select from session_pairs where family_key in (candidate.family_key, candidate.practice_key)
        or practice_key in (candidate.family_key, candidate.practice_key)) then continue; end if;
    insert into session_pairs (connection_id, family_id, family_key, practice_id, practice_key)
      values (c.id, c.family_id, candidate.family_key, c.practice_id, candidate.practice_key) on conflict do nothing;
    if found and candidate.is_shared then
      update sessions set is_held = true, version = version + 1 where key in (candidate.family_key, candidate.practice_key)
        and (family_id is null or practice_id is null);
    end if;
  end loop;
end $$;

-- A connection's pairs, with both sides' facts and nothing private.
drop function if exists list_pairs(uuid);
create function list_pairs(link uuid) returns table (id uuid, family_session uuid, family_day date, family_minutes integer, family_price integer[],
    family_total_cents integer, family_subject text, family_start time,
  practice_session uuid, practice_day date, practice_minutes integer, practice_price integer[], practice_total_cents integer,
    practice_subject text, practice_start time, family_currency text, practice_currency text, first_name text, held text)
language sql stable security definer set search_path = public, pg_temp
as $$ select x.id, case when x.family_id = app_workspace() then f.id end, f.day, f.minutes, effective_price(f),
  f.total_cents, f.subject, f.start_time,
    case when x.practice_id = app_workspace() then p.id end, p.day, p.minutes, effective_price(p), p.total_cents,
      p.subject, p.start_time, f.currency, p.currency,
    (select who.first_name from connection_people who where who.connection_id = x.connection_id and who.child_id = f.child_id),
    case when f.is_held then 'family' when p.is_held then 'practice' end
  from session_pairs x join sessions f on f.key = x.family_key join sessions p on p.key = x.practice_key
  where x.connection_id = link and app_workspace() in (x.family_id, x.practice_id) and app_students() is null order by f.day desc, f.id $$;

-- Shares a row that only one side has, as if it had been shared when it was logged.
create or replace function share_held(c connections, held bigint) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update sessions s set connection_id = c.id, family_id = c.family_id, child_id = who.child_id, family_tutor_id = c.tutor_id,
    practice_id = c.practice_id,
      student_id = who.student_id, practice_tutor_id = (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self)
    from connection_people who
    where s.key = held and (s.family_id is null or s.family_tutor_id = c.tutor_id) and who.connection_id = c.id and who.child_id is not null and who.student_id is not null
      and (who.child_id = s.child_id or who.student_id = s.student_id);
  perform share_history(s) from sessions s where s.key = held;
  perform notify_both(c);
end $$;

-- Releases a row that isn't compared with another any more. While the two sides are connected, it's compared
-- with the next session that looks like the same lesson, or else shared. Otherwise, it stays in its own side's
-- log.
create or replace function release_row(c connections, own bigint) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update sessions set is_held = false where key = own and is_held;
  if coalesce(c.state not in ('asked', 'active'), true) or c.family_closed_at is not null or c.practice_closed_at is not null then return; end if;
  -- The emailed page of a side without an account only needs to know the connection.
  if c.family_id is null or c.practice_id is null then
    update sessions s set connection_id = c.id where s.key = own and can_share(s, c);
    perform share_history(s) from sessions s where s.key = own;
    return;
  end if;
  perform pair_sessions(c, own);
  perform share_held(c, s.key) from sessions s where s.key = own and can_share(s, c);
end $$;

-- When a pair goes without an answer, because one of its rows was deleted or moved or because the sides aren't
-- connected any more, releases what is left of it.
create or replace function release_held() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare c connections;
begin
  select * into c from connections where id = old.connection_id;
  perform release_row(c, s.key) from (select key from sessions where key in (old.family_key, old.practice_key) and (family_id is null or practice_id is null)
    order by key) s;
  return null;
end $$;
create or replace trigger held_released after delete on session_pairs for each row when (not old.is_answered) execute function release_held();

-- If a copy is deleted, the other side's copy of the same session is shared in its place. No version of it may
-- look like one of the deleted copy.
create or replace function raise_version() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update sessions s set version = greatest(s.version, old.version) + 1 from session_pairs x
    where old.key in (x.family_key, x.practice_key) and s.key in (x.family_key, x.practice_key) and s.key <> old.key and s.id = old.id;
  return old;
end $$;
create or replace trigger session_version_raised before delete on sessions for each row execute function raise_version();

-- A session that's with different people, or a different family, isn't the lesson it was paired with.
create or replace function unpair_session() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from session_pairs where new.key in (family_key, practice_key);
  return null;
end $$;
create or replace trigger session_unpaired after update on sessions for each row
  when (current_user in ('tutorlog_family', 'tutorlog_practice', 'tutorlog_caregiver')
    and (old.child_id, old.student_id, old.family_tutor_id, old.practice_tutor_id, old.connection_id)
      is distinct from (new.child_id, new.student_id, new.family_tutor_id, new.practice_tutor_id, new.connection_id))
  execute function unpair_session();

-- The given sessions that the caller shares and that aren't in a pair yet.
create or replace function unpaired_sessions(ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select s.id from sessions s where s.id = any (ids) and s.connection_id is not null and app_workspace() in (s.family_id, s.practice_id)
  and not exists (select from session_pairs x where s.key in (x.family_key, x.practice_key)) $$;

-- Pairs each of the caller's waiting rows with the shared session that looks like the same lesson.
create or replace function pair_held(held uuid[], shared uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform hold_sharing();
  insert into session_pairs (connection_id, family_id, family_key, practice_id, practice_key)
    select o.connection_id, o.family_id, case when s.family_id is not null then s.key else o.key end,
      o.practice_id, case when s.family_id is not null then o.key else s.key end
    from unnest(held, shared) x(held_id, shared_id)
    join sessions s on s.id = x.held_id and s.is_held
      and (s.family_id = app_workspace() and s.practice_id is null or s.practice_id = app_workspace() and s.family_id is null)
    join sessions o on o.id = x.shared_id and o.family_id is not null and o.practice_id is not null and o.connection_id is not null
      and app_workspace() in (o.family_id, o.practice_id);
  -- The other session may have just been deleted, or be with somebody who has no account.
  perform release_row(c, s.key) from sessions s
    left join connections c on c.id = shared_connection(coalesce(s.child_id, s.student_id), coalesce(s.family_tutor_id, s.practice_tutor_id), null)
    where s.id = any (held) and s.is_held and app_workspace() in (s.family_id, s.practice_id)
      and not exists (select from session_pairs where s.key in (family_key, practice_key));
  perform pg_notify('changes', side::text) from sessions o, unnest(array[o.family_id, o.practice_id]) side where o.id = any (shared)
    and app_workspace() in (o.family_id, o.practice_id);
end $$;

-- Records the answer for a pair. If it's two lessons, both are shared. If it's one, it gets the family's facts, and one
-- row remains: the shared one if the other was waiting, or else the family's. An answer that came with the other row
-- still counts if it was about the same facts. Otherwise, its side is asked to confirm.
create or replace function answer_pair(link uuid, pair uuid, is_same boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  x session_pairs;
  f sessions;
  p sessions;
  remains sessions;
  goes sessions;
  side text;
  is_equal boolean;
  counts boolean;
  notes session_notes;
begin
  select * into x from session_pairs where connection_id = c.id and id = pair and c.state = 'active' for update;
  if not found then return false; end if;
  select * into f from sessions where key = x.family_key for update;
  select * into p from sessions where key = x.practice_key for update;
  update sessions set is_held = false where key in (f.key, p.key) and is_held;
  update session_pairs set is_answered = true where connection_id = c.id and id = pair;
  delete from session_pairs where connection_id = c.id and id = pair;
  if f.is_held then remains := p; goes := f; side := 'family'; else remains := f; goes := p; side := 'practice'; end if;
  if not is_same and goes.is_held then
    -- A row in another currency stays in its own side's log, as it is.
    if f.currency = p.currency then perform share_held(c, goes.key); end if;
    return true;
  elsif not is_same and goes.id = remains.id then
    raise exception 'these are copies of one session' using errcode = 'check_violation', constraint = 'session_pairs_copies';
  elsif not is_same then
    update sessions set connection_id = c.id, practice_id = c.practice_id, practice_tutor_id = p.practice_tutor_id, student_id = p.student_id where key = f.key;
    update sessions set connection_id = c.id, family_id = c.family_id, family_tutor_id = c.tutor_id, child_id = f.child_id where key = p.key;
    perform share_history(s) from sessions s where s.key in (f.key, p.key);
    perform notify_both(c);
    return true;
  end if;
  is_equal := (f.day, f.minutes, f.currency) = (p.day, p.minutes, p.currency)
    and effective_price(f) is not distinct from effective_price(p);
  counts := case side when 'family' then true else is_equal and coalesce(p.practice_answer_version = p.facts_version, false) end;
  perform merge_history('session', goes.key, remains.key);
  select * into notes from session_notes where workspace_id = case side when 'family' then c.family_id else c.practice_id end and session_id = goes.id;
  delete from sessions where key = goes.key;
  if side = 'family' and not is_equal then
    update sessions set day = f.day, minutes = f.minutes, rate_override_cents = f.rate_override_cents, tutor_rate_cents = f.tutor_rate_cents,
      lesson_price_cents = f.lesson_price_cents, lesson_price_minutes = f.lesson_price_minutes, family_price_source = f.family_price_source,
      family_price_since = f.family_price_since, practice_price_source = null, practice_price_since = null,
      facts_version = facts_version + 1 where key = remains.key;
  end if;
  perform add_words_of(goes, remains.key);
  -- A merged session no longer counts as a caregiver's own entry.
  execute for_side(side, $update$ update sessions s set connection_id = $1, {own}_id = $2.{own}_id,
      {person} = coalesce(s.{person}, $2.{person}), {own}_tutor_id = coalesce(s.{own}_tutor_id, $2.{own}_tutor_id),
      {own}_schedule_id = coalesce(s.{own}_schedule_id, $2.{own}_schedule_id), {own}_class_day = coalesce(s.{own}_class_day, $2.{own}_class_day),
      {own}_answer = case when $3 then $2.{own}_answer when $2.is_held then s.{own}_answer end,
      {own}_answer_version = case when $3 then s.facts_version when $2.is_held then s.{own}_answer_version end,
      {own}_answer_note = case when $3 then $2.{own}_answer_note when $2.is_held then s.{own}_answer_note end,
      {own}_proposal = case when $3 then $2.{own}_proposal when $2.is_held then s.{own}_proposal end,
      {own}_answered_at = case when not $2.is_held then $2.{own}_answered_at when $3 then clock_timestamp() else s.{own}_answered_at end,
      {own}_reply = case when $2.is_held then s.{own}_reply else $2.{own}_reply end,
      {own}_reply_at = case when $2.is_held then s.{own}_reply_at else $2.{own}_reply_at end,
      {own}_took_part = s.{own}_took_part or case when $2.is_held then $3 else $2.{own}_took_part end,
      version = greatest(s.version, $2.version) + 1, updated_at = clock_timestamp(), caregiver_id = null
    where s.key = $4 returning * $update$) into remains using c.id, goes, counts, remains.key;
  -- The side's notes were deleted with its row.
  if notes.session_id is not null then
    insert into session_notes as n (workspace_id, session_id, text, version) values (notes.workspace_id, remains.id, notes.text, notes.version)
      on conflict (workspace_id, session_id) do update set text = left(concat_ws(E'\n', nullif(n.text, ''), nullif(excluded.text, '')), 4000),
        version = n.version + 1, updated_at = clock_timestamp();
  end if;
  perform share_history(remains);
  perform add_history(remains, case when app_workspace() = c.family_id then 'family' else 'practice' end, 'merged', '{}', null);
  return true;
end $$;
