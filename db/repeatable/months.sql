-- Closing a month between two sides (docs/decisions/0017-closed-months.md). Both agree on the month as a
-- whole. From then on, nothing in it changes until someone reopens it with a reason.

-- Any change to a month takes its lock in shared mode. Closing or reopening the month takes the lock
-- exclusively. That way, every change is either on the closed page or rejected.
create or replace function month_lock(link uuid, month text) returns bigint
language sql immutable
as $$ select hashtextextended('month:' || link || ':' || month, 0) $$;

-- The time zone of a workspace's owner; null until their browser has told it. What two sides share is dated in the
-- family's, or else in the practice's.
create or replace function owner_time_zone(place uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select p.time_zone from members m join profiles p on p.user_id = m.account_id where m.workspace_id = place and m.role = 'owner' $$;

-- How that owner writes dates and numbers; null until their browser has told it.
create or replace function owner_region(place uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select p.region from members m join profiles p on p.user_id = m.account_id where m.workspace_id = place and m.role = 'owner' $$;

-- The time zone for a closed page that has none, because no account had told its zone yet when it was closed.
create or replace function page_time_zone(link uuid, page uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select coalesce(owner_time_zone(family_id), owner_time_zone(practice_id)) from closed_months
  where connection_id = link and id = page and (app_workspace() in (family_id, practice_id) or connection_id = app_link()) $$;

-- The side of an open connection that the caller acts for. Null if the caller isn't on either side. An
-- emailed page acts for the side without an account.
create or replace function month_side(link uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select case when c.family_id = app_workspace() then 'family' when c.practice_id = app_workspace() then 'practice'
    when c.id = app_open_link() then 'practice' when c.id = app_open_family_link() then 'family' end
  from connections c where c.id = link and c.state in ('asked', 'active') and app_students() is null $$;

-- The side that the caller closes, reopens or withdraws a month for. Nothing else in the month changes until the
-- transaction ends.
create or replace function lock_month(link uuid, month text) returns text
language plpgsql security definer set search_path = public, pg_temp
as $$
declare own_side text := month_side(link);
begin
  if own_side is null or coalesce(app_role(), 'owner') not in ('owner', 'parent') then
    raise exception 'this caller cannot decide about months of this connection' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(month_lock(link, month));
  return own_side;
end $$;

-- What a month's page shows of an entry, apart from who it's for.
create or replace function month_facts(entry jsonb) returns jsonb
language sql immutable
as $$ select jsonb_build_object('id', entry -> 'id', 'day', entry -> 'day', 'currency', entry -> 'currency') || case when entry ? 'amount_cents'
  then jsonb_build_object('kind', entry -> 'kind', 'amount_cents', entry -> 'amount_cents', 'prepaid_minutes', entry -> 'prepaid_minutes',
    'method', entry -> 'method', 'reason', entry -> 'reason', 'label', entry -> 'label')
  else jsonb_build_object('minutes', entry -> 'minutes', 'total_cents', entry -> 'total_cents', 'subject', entry -> 'subject',
    'rate_cents', coalesce(nullif(entry -> 'rate_override_cents', 'null'), nullif(entry -> 'tutor_rate_cents', 'null'), entry -> 'rate_cents', 'null')) end $$;

-- Everything that two sides share in a month, as it's stored.
create or replace function month_entries(link uuid, of_month text) returns setof jsonb
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare kind text;
begin
  foreach kind in array array['session'] || array(select kinds_with('amount_cents')) loop
    return query execute format('select to_jsonb(e) from %I e where e.connection_id = $1 and to_char(e.day, ''YYYY-MM'') = $2', kind || 's') using link, of_month;
  end loop;
end $$;

-- Whether a side says that an entry is for someone else than before. A side that takes over from an emailed
-- page says it for the first time, and the entries of a deleted person stay.
create or replace function is_for_another(workspace text, was text, becomes text) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select workspace is not null and was is distinct from becomes
  and (becomes is not null or exists (select from students s where s.workspace_id = workspace::uuid and s.id = was::uuid)) $$;

-- Whether both sides confirmed an entry's current facts and neither asks to delete it.
create or replace function is_agreed(entry jsonb) returns boolean
language sql immutable
as $$ select (entry -> 'is_verified')::boolean and entry ->> 'deletion_asked_by' is null $$;

-- Rejects every change to a closed month, no matter which code makes it. Updates that don't affect the page
-- are allowed. So is splitting, because each side then has its own copy.
create or replace function keep_months() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  said constant text[] := array['connection_id', 'facts_version', 'family_answer', 'family_answer_version', 'family_answer_note',
    'practice_answer', 'practice_answer_version', 'practice_answer_note', 'deletion_asked_by'];
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  becomes jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  place record;
  page jsonb;
  has_moved boolean := false;
begin
  -- Neither a rule, a class nor terms are a line of a month.
  if tg_table_name in ('schedules', 'schedule_changes', 'terms') then return null; end if;
  if tg_op = 'UPDATE' then
    -- When a practice matches a child again, only its own records change: the page has the family's name.
    has_moved := is_for_another(was ->> 'family_id', was ->> 'child_id', becomes ->> 'child_id')
      or (becomes ? 'amount_cents' and is_for_another(was ->> 'practice_id', was ->> 'student_id', becomes ->> 'student_id'));
    if becomes ->> 'connection_id' is null or not has_moved and month_facts(was) - 'id' = month_facts(becomes) - 'id'
      and not exists (select from unnest(said) field where was -> field is distinct from becomes -> field) then return null; end if;
  end if;
  for place in select distinct (entry ->> 'connection_id')::uuid as link, left(entry ->> 'day', 7) as month from unnest(array[was, becomes]) entry
    where entry ->> 'connection_id' is not null order by 2 loop
    perform pg_advisory_xact_lock_shared(month_lock(place.link, place.month));
    select content -> tg_table_name into page from closed_months m where m.connection_id = place.link and m.month = place.month and m.state = 'closed';
    if found and not coalesce(not has_moved and is_agreed(becomes) and left(becomes ->> 'day', 7) = place.month
        and exists (select from jsonb_array_elements(page) line where month_facts(line) = month_facts(becomes)), false) then
      raise exception 'the month is closed' using errcode = 'check_violation', constraint = 'month_closed',
        detail = json_build_object('connection_id', place.link, 'month', place.month)::text;
    end if;
  end loop;
  return null;
end $$;
select for_kinds($triggers$
  create or replace trigger {place}_months_kept_on_insert after insert on {place} for each row
    when (new.connection_id is not null) execute function keep_months();
  create or replace trigger {place}_months_kept_on_update after update on {place} for each row
    when (old.connection_id is not null or new.connection_id is not null) execute function keep_months();
  create or replace trigger {place}_months_kept_on_delete after delete on {place} for each row
    when (old.connection_id is not null) execute function keep_months() $triggers$);

-- Nor does a class of a closed month end in another way, or move into or out of it. What was said before two schedules are joined
-- stays.
create or replace function keep_classes() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  link uuid := coalesce(new.connection_id, case app_workspace() when new.family_id then shared_connection(new.child_id, new.family_tutor_id, null)
    else shared_connection(new.student_id, new.practice_tutor_id, (select s.chosen_connection_id from schedules s
      where s.practice_id = new.practice_id and s.id = new.schedule_id)) end);
  was date := case when tg_op = 'UPDATE' then coalesce(old.moved_to, old.day) else new.day end;
  month_met text;
begin
  if link is null then return null; end if;
  for month_met in select distinct to_char(d, 'YYYY-MM') from unnest(array[was, coalesce(new.moved_to, new.day)]) d order by 1 loop
    perform pg_advisory_xact_lock_shared(month_lock(link, month_met));
    if exists (select from closed_months m where m.connection_id = link and m.month = month_met and m.state = 'closed') then
      raise exception 'the month is closed' using errcode = 'check_violation', constraint = 'month_closed',
        detail = json_build_object('connection_id', link, 'month', month_met)::text;
    end if;
  end loop;
  return null;
end $$;
create or replace trigger schedule_changes_months_kept after insert on schedule_changes for each row
  when (new.parted_from is null) execute function keep_classes();
create or replace trigger schedule_changes_months_kept_on_change after update on schedule_changes for each row
  when (old.connection_id is not distinct from new.connection_id and (old.moved_to, old.start_time, old.outcome, old.family_took_part, old.practice_took_part)
    is distinct from (new.moved_to, new.start_time, new.outcome, new.family_took_part, new.practice_took_part)) execute function keep_classes();

-- The schedules of this workspace whose classes in a month no longer change, because the month is closed.
create or replace function closed_classes(first_month text, last_month text) returns table (schedule_id uuid, month text)
language sql stable security definer set search_path = public, pg_temp
as $$ select s.id, m.month from closed_months m join schedules s on app_workspace() in (s.family_id, s.practice_id)
    and m.connection_id = coalesce(s.connection_id, case app_workspace() when s.family_id then shared_connection(s.child_id, s.family_tutor_id, null)
      else shared_connection(s.student_id, s.practice_tutor_id, s.chosen_connection_id) end)
  where app_workspace() in (m.family_id, m.practice_id) and m.state = 'closed' and m.month between first_month and last_month $$;

-- Everything both sides share through the end of a month, with both confirmations and no notes, plus the
-- month's state. The result is the same for both sides. With is_locked, nothing in the month changes until
-- the transaction ends. Null if the caller isn't on either side.
create or replace function read_month(link uuid, month_read text, is_locked boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own_side text := month_side(link);
  c connections;
  until date := (month_read || '-01')::date + interval '1 month' - interval '1 day';
  taught jsonb;
  kind text;
  listed jsonb;
  money jsonb := '{}';
begin
  if own_side is null then return null; end if;
  if is_locked then
    -- A connection can't end while one of its months is being closed, and vice versa.
    perform from connections where id = link for share;
    perform pg_advisory_xact_lock(month_lock(link, month_read));
    own_side := month_side(link);
    if own_side is null then return null; end if;
  end if;
  select * into c from connections where id = link;
  select coalesce(jsonb_agg(x order by x.day, x.id), '[]') into taught from (
    select s.id, s.day, s.minutes, coalesce(s.rate_override_cents, s.tutor_rate_cents) as rate_cents, s.lesson_price_cents, s.lesson_price_minutes, s.total_cents, s.currency, s.subject, s.makes_up is not null as is_make_up,
      (select p.first_name from connection_people p where p.connection_id = link
          and (p.child_id = s.child_id or (s.child_id is null and p.student_id = s.student_id)) limit 1) as first_name,
      s.family_answered_at as family_at, s.practice_answered_at as practice_at,
      standing_of(s.connection_id, s.deletion_asked_by, s.is_verified, s.is_disputed) as standing,
      case own_side when 'family' then s.family_asked_since else s.practice_asked_since end is not null as waits_for_you
    from sessions s where s.connection_id = link and s.day <= until) x;
  foreach kind in array array(select kinds_with('amount_cents')) loop
    execute format($rows$ select coalesce(jsonb_agg(month_facts(to_jsonb(p)) || jsonb_build_object(
        'first_name', (select who.first_name from connection_people who where who.connection_id = $1
          and (who.child_id = p.child_id or (p.child_id is null and who.student_id = p.student_id)) limit 1),
        'family_at', p.family_answered_at, 'practice_at', p.practice_answered_at,
        'standing', standing_of(p.connection_id, p.deletion_asked_by, p.is_verified, p.is_disputed),
        'waits_for_you', case $3 when 'family' then p.family_asked_since else p.practice_asked_since end is not null) order by p.day, p.id), '[]')
      from %I p where p.connection_id = $1 and p.day <= $2 $rows$, kind || 's') into listed using link, until, own_side;
    money := money || jsonb_build_object(kind || 's', listed);
  end loop;
  return jsonb_build_object('side', own_side, 'is_over', c.state <> 'active',
      'is_other_closed', case own_side when 'family' then c.practice_closed_at else c.family_closed_at end is not null,
    'currency', (select w.currency from workspaces w where w.id = coalesce(c.family_id, c.practice_id)),
    'family_name', (select w.owner_name from workspaces w where w.id = c.family_id),
    'tutor_name', (select w.owner_name from workspaces w where w.id = c.practice_id),
    'time_zone', coalesce(owner_time_zone(c.family_id), owner_time_zone(c.practice_id)),
    'region', coalesce(owner_region(c.family_id), owner_region(c.practice_id)),
    'handed_side', case when c.email_key is null then case when c.practice_id is null then 'practice' when c.family_id is null then 'family' end end,
    'emailed_side', case when c.email_key is not null then case when c.practice_id is null then 'practice' when c.family_id is null then 'family' end end,
    'sessions', taught,
    'pairs', (select count(*) from session_pairs q join sessions f on f.key = q.family_key join sessions p on p.key = q.practice_key
      where q.connection_id = link and month_read in (to_char(f.day, 'YYYY-MM'), to_char(p.day, 'YYYY-MM'))),
    'closings', (select coalesce(jsonb_agg(to_jsonb(m) - array['family_id', 'practice_id', 'content', 'content_hash', 'signed_page', 'page_key', 'page_signature'] || jsonb_build_object('figures',
        m.content -> 'figures') order by m.version), '[]')
      from closed_months m where m.connection_id = link and m.month = month_read)) || money;
end $$;

-- Asks the other side to close a month. If the other side has already asked, this closes the month, which
-- freezes the page with its signature. Does nothing if this side has already asked or the month is closed. Returns the state.
drop function if exists close_month(uuid, text, jsonb, bytea, text, timestamptz);
create or replace function close_month(link uuid, month_closed text, page jsonb, page_hash bytea, new_code text, moment timestamptz,
  page_text text, signed_by text, signature bytea) returns text
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own_side text := lock_month(link, month_closed);
  m closed_months;
begin
  select * into m from closed_months where connection_id = link and month = month_closed and state in ('asked', 'closed');
  if m.state = 'closed' or m.asked_by = own_side then return m.state; end if;
  if m.id is null then
    insert into closed_months (connection_id, family_id, practice_id, month, state, asked_by, asked_at, asked_proof, version)
      select c.id, c.family_id, c.practice_id, month_closed, 'asked', own_side, moment, page #> array['proofs', own_side],
        1 + coalesce((select max(version) from closed_months o where o.connection_id = link and o.month = month_closed), 0)
      from connections c where c.id = link;
    return 'asked';
  end if;
  -- A month can't be closed if anything in it is missing either side's confirmation, regardless of what the
  -- page shows.
  if exists (select from month_entries(link, month_closed) entry where not is_agreed(entry)) then
    raise exception 'not everything in the month is confirmed by both sides' using errcode = 'check_violation', constraint = 'closed_months_agreed';
  end if;
  update closed_months set state = 'closed', answered_at = moment, code = new_code, content = page, content_hash = page_hash, version = m.version + 1,
      asked_proof = null, signed_page = page_text, page_key = signed_by, page_signature = signature
    where connection_id = link and id = m.id;
  return 'closed';
end $$;

-- For a month closed before pages were signed: keeps its page with its signature. Never replaces one.
create or replace function sign_earlier_page(closed_code text, page_text text, signed_by text, signature bytea) returns void
language sql security definer set search_path = public, pg_temp
as $$
  update closed_months set signed_page = page_text, page_key = signed_by, page_signature = signature
    where code = closed_code and signed_page is null
$$;

-- Reopens a closed month for both sides. Returns false if it isn't closed.
create or replace function reopen_month(link uuid, month_reopened text, why text, moment timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare own_side text := lock_month(link, month_reopened);
begin
  update closed_months set state = 'reopened', reopened_by = own_side, reopened_at = moment, reason = why, version = version + 1
    where connection_id = link and month = month_reopened and state = 'closed';
  return found;
end $$;

-- Withdraws this side's request to close a month, as if it had never been made. Returns the month's state:
-- null if there was no request, 'asked' if it was withdrawn, 'closed' if the other side has already confirmed
-- it.
create or replace function withdraw_month(link uuid, month_withdrawn text) returns text
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own_side text := lock_month(link, month_withdrawn);
  m closed_months;
begin
  select * into m from closed_months where connection_id = link and month = month_withdrawn and state in ('asked', 'closed');
  if m.state = 'closed' then return 'closed'; end if;
  if m.asked_by is distinct from own_side then return null; end if;
  delete from closed_months where connection_id = link and id = m.id;
  return 'asked';
end $$;

-- Whether a closed month still matches its page. After the sides split, the page no longer depends on their
-- records.
create or replace function is_month_current(m closed_months) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  with rows as (
    select entry from month_entries(m.connection_id, m.month) entry
    -- A session that was unshared to be compared again (answer_pair) still counts as confirmed by both.
    union all select to_jsonb(s) from sessions s where s.connection_id is null
      and s.id in (select (line ->> 'id')::uuid from jsonb_array_elements(m.content -> 'sessions') line)
      and (s.family_id = m.family_id or s.practice_id = m.practice_id) and exists (select from session_pairs q where s.key in (q.family_key, q.practice_key))),
  lines as (select jsonb_array_elements(page_lines(m.content)) as line)
  select m.state = 'closed' and (not exists (select from connections c where c.id = m.connection_id and c.state in ('asked', 'active'))
    or (not exists (select from rows where not is_agreed(entry) or not exists (select from lines where month_facts(line) = month_facts(entry)))
      and not exists (select from lines where not exists (select from rows where month_facts(line) = month_facts(entry)))))
$$;

-- An account that takes over a side also gets its closed months.
create or replace function take_over_months() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update closed_months set family_id = new.family_id, practice_id = new.practice_id where connection_id = new.id and new.state in ('asked', 'active');
  return null;
end $$;
create or replace trigger connection_months_taken_over after update of family_id, practice_id on connections for each row
  when (old.family_id is distinct from new.family_id or old.practice_id is distinct from new.practice_id) execute function take_over_months();
