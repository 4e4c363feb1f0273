-- The most common reads, each in a single statement that admits the caller by the hash of the access cookie,
-- sets the identity, and returns text under the tables' policies (docs/decisions/0022-reads-in-one-statement.md). A caller without
-- access just gets null, and the server then uses separate queries to find out why. All settings last only
-- for the statement's transaction.
create schema if not exists family;
create schema if not exists practice;
create schema if not exists caregiver;
drop policy if exists owner_admits on logins;
create policy owner_admits on logins for select to tutorlog_owner using (true);
drop policy if exists owner_admits on user_roles;
create policy owner_admits on user_roles for select to tutorlog_owner using (true);

-- The login for an access cookie, with its account and membership: in the requested workspace, or otherwise
-- in the oldest one. No row if the login has ended or the account is disabled. Only this function decides
-- that, for both signed_in and reader_of; PostgreSQL inlines its query into theirs.
create or replace function login_of(access bytea, moment timestamptz, wanted uuid)
returns table (login_id uuid, id uuid, email text, email_confirmed_at timestamptz, workspace_id uuid, kind text, member_role text, all_students boolean,
  access_expires_at timestamptz, writable_until timestamptz, deletion_asked_at timestamptz, since timestamptz, workspace_since timestamptz)
language sql stable
as $$ select l.id, u.id, u.email, u.email_confirmed_at, m.workspace_id, m.kind, m.role, m.all_students,
    l.access_expires_at, m.writable_until, u.deletion_asked_at, coalesce(u.trial_since, u.created_at), m.trial_since
  from public.logins l join public.users u on u.id = l.user_id
    left join lateral (select m.workspace_id, w.kind, m.role, m.all_students, w.writable_until, w.trial_since from public.members m
        join public.workspaces w on w.id = m.workspace_id
      where m.account_id = u.id order by m.workspace_id is not distinct from wanted desc, m.joined_at, m.workspace_id limit 1) m on true
  where l.access_hash = access and l.access_expires_at > moment and l.active_until > moment and l.ends_at > moment and u.disabled_at is null $$;
revoke all on function login_of(bytea, timestamptz, uuid) from public;

-- Everything the server needs to know about a login.
create or replace function signed_in(access bytea, moment timestamptz, wanted uuid)
returns table (login_id uuid, id uuid, email text, email_confirmed_at timestamptz, role text, workspace_id uuid, kind text, member_role text,
    all_students boolean,
  access_expires_at timestamptz, owner_id uuid, writable_until timestamptz, deletion_asked_at timestamptz, since timestamptz, owner_since timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query select l.login_id, l.id, l.email, l.email_confirmed_at, r.role, l.workspace_id, l.kind, l.member_role, l.all_students,
    l.access_expires_at, o.id, l.writable_until, l.deletion_asked_at, l.since,
    -- An owner who was handed a workspace doesn't start a second trial in it.
    least(coalesce(o.trial_since, o.created_at), l.workspace_since)
  from login_of(access, moment, wanted) l left join user_roles r on r.user_id = l.id
    left join members owning on owning.workspace_id = l.workspace_id and owning.role = 'owner'
    left join users o on o.id = owning.account_id;
end $$;
revoke all on function signed_in(bytea, timestamptz, uuid) from public;
grant execute on function signed_in(bytea, timestamptz, uuid) to tutorlog_system, tutorlog_server;

-- The caller of a read that's open to every member except the `closed` roles, and the side they read. All
-- null if the caller isn't admitted.
create or replace function reader_of(access bytea, moment timestamptz, wanted uuid, closed text[], out account_id uuid, out workspace_id uuid, out side text)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  select l.id, l.workspace_id, case when l.member_role = 'caregiver' then 'caregiver' else l.kind end into account_id, workspace_id, side
  from login_of(access, moment, wanted) l
  where l.email_confirmed_at is not null and l.deletion_asked_at is null and l.workspace_id = coalesce(wanted, l.workspace_id) and l.member_role <> all (closed);
end $$;
revoke all on function reader_of(bytea, timestamptz, uuid, text[]) from public;
grant execute on function reader_of(bytea, timestamptz, uuid, text[]) to tutorlog_server;

-- Admits the caller to a read (reader_of). The transaction acts as that member until it ends and is read-only
-- from here on. Returns the side whose schema is now in use, or null if the caller isn't admitted. In that
-- case, the server uses separate queries to find out why. Only the server's role may call this, and it runs
-- with that role's rights.
create or replace function admit_to_read(access bytea, moment timestamptz, wanted uuid, closed text[]) returns text
language plpgsql
as $$
declare caller record;
begin
  caller := public.reader_of(access, moment, wanted, closed);
  if caller.side is null then return null; end if;
  -- A plan made for one family works just as well for another, and planning takes longer than the read
  -- itself.
  perform set_config('app.account_id', caller.account_id::text, true), set_config('app.workspace_id', caller.workspace_id::text, true),
    set_config('search_path', caller.side || ', public', true),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('transaction_read_only', 'on', true), set_config('role', 'tutorlog_' || caller.side, true);
  return caller.side;
end $$;
revoke all on function admit_to_read(bytea, timestamptz, uuid, text[]) from public;
grant execute on function admit_to_read(bytea, timestamptz, uuid, text[]) to tutorlog_server;

-- Each side has its own functions, because a cached plan is tied to one role and search path and would be
-- rebuilt for any other. A month's list is returned as lines of fields, with strings as JSON and without
-- people's names. The server turns the lines into JSON (src/features/sessions/month-list.ts). That takes half
-- as much CPU time as building the JSON here.
do $$
declare
  place text;
  people constant text := $people$select string_agg(concat(w.id, e'\x1f', to_json(w.name)), e'\x1e') from %s w where w.workspace_id = workspace$people$;
begin
  foreach place in array array['family', 'practice', 'caregiver'] loop
    -- The workspace, its students and tutors, and the month's sessions that count, newest first, starting
    -- after a cursor (a day and an id). Returns one more session than requested if there are more.
    execute format($function$
      create or replace function %1$I.lines_of_month(first date, last date, most integer, after_day date, after_id uuid) returns text
      language plpgsql stable
      as $body$
      declare
        workspace constant uuid := current_setting('app.workspace_id');
        answer text;
      begin
        select concat(workspace, e'\x1d', (%2$s), e'\x1d', (%3$s), e'\x1d', string_agg(line, e'\x1e')) into answer from (select
            concat(s.id, e'\x1f', s.student_id, e'\x1f', s.tutor_id, e'\x1f', s.day, e'\x1f', s.minutes, e'\x1f', s.rate_override_cents, e'\x1f', s.tutor_rate_cents, e'\x1f', s.total_cents,
              e'\x1f', s.currency, e'\x1f', to_json(s.subject), e'\x1f', s.start_time, e'\x1f', to_json(nullif(note.text, '')),
              e'\x1f', s.own_says, e'\x1f', s.schedule_id, e'\x1f', s.occurrence_day, e'\x1f', s.makes_up, e'\x1f', s.created_at at time zone 'UTC', e'\x1f', s.version + coalesce(note.version, 0),
              e'\x1f', s.lesson_price_cents, e'\x1f', s.lesson_price_minutes, e'\x1f', s.price_source, e'\x1f', s.price_since, e'\x1f', %5$s,
              -- Most sessions have no data from the other side.
              case when s.connection_id is not null or s.status <> 'completed' or s.verified_by_tutor or s.other_says <> 'none' or s.deletion_by is not null or s.asked_since is not null
                  or s.reminders > 0 or s.reminded_at is not null or s.is_foreign or s.other_took_part
                then concat(e'\x1f', s.status, e'\x1f', s.verified_by_tutor, e'\x1f', s.connection_id, e'\x1f', s.other_says,
                  e'\x1f', to_json(case when s.other_says = 'disputed' then s.other_answer_note when s.own_says = 'disputed' then s.own_answer_note end),
                  e'\x1f', to_json(case when s.other_says = 'disputed' then case when s.has_replied then s.own_reply end when s.own_says = 'disputed' then case when s.is_replied then s.other_reply end end),
                  e'\x1f', s.deletion_by, e'\x1f', s.asked_since at time zone 'UTC', e'\x1f', s.reminders, e'\x1f', s.reminded_at at time zone 'UTC', e'\x1f', s.is_read_only or s.is_foreign, e'\x1f', s.other_took_part) end) as line
          from sessions s left join session_notes note on note.workspace_id = s.workspace_id and note.session_id = s.id
          where s.workspace_id = workspace and not s.is_held and s.day between first and least(last, after_day) and (after_day is null or (s.day, s.id) < (after_day, after_id))
          order by s.day desc, s.id desc limit most + 1) one;
        return answer;
      end $body$;
      revoke all on function %1$I.lines_of_month(date, date, integer, date, uuid) from public;
      grant execute on function %1$I.lines_of_month(date, date, integer, date, uuid) to %4$I $function$, place, format(people, 'students'), format(people, 'tutors'), 'tutorlog_' || place,
        each_words('to_json(s.%I)', $separator$, e'\x1f', $separator$));
    -- The totals of a month's sessions. Does the same thing as monthPortions
    -- (src/features/summary/queries.server.ts). Caregivers can't read totals.
    continue when place = 'caregiver';
    execute format($function$
      create or replace function %1$I.portions_of_month(first date, last date) returns text
      language plpgsql stable
      as $body$
      declare
        workspace constant uuid := current_setting('app.workspace_id');
        answer text;
      begin
        with summed as materialized (select s.tutor_id, s.student_id,
            s.standing, s.currency, (extract(day from s.day)::int - 1) / 7 as part, count(*) as sessions, sum(s.minutes) as minutes, coalesce(sum(s.total_cents), 0) as amount_cents
          from sessions s where s.workspace_id = workspace and s.day between first and last and not s.is_held group by 1, 2, 3, 4, 5)
        select coalesce(json_agg(portion), '[]') into answer from (select p.tutor_id, tutor.name as tutor_name, p.student_id, student.name as student_name, p.standing,
            nullif(p.currency, (select w.currency from workspaces w where w.id = workspace)) as other_currency, p.part, p.sessions, p.minutes, p.amount_cents
          from summed p left join students student on student.workspace_id = workspace and student.id = p.student_id
            left join tutors tutor on tutor.workspace_id = workspace and tutor.id = p.tutor_id) portion;
        return answer;
      end $body$;
      revoke all on function %1$I.portions_of_month(date, date) from public;
      grant execute on function %1$I.portions_of_month(date, date) to %2$I $function$, place, 'tutorlog_' || place);
  end loop;
end $$;

-- The month's list.
create or replace function read_lines_of_month(access bytea, moment timestamptz, wanted uuid, closed text[], first date, last date, most integer, after_day date, after_id uuid) returns text
language plpgsql
as $$
declare side constant text := public.admit_to_read(access, moment, wanted, closed);
begin
  if side = 'family' then return family.lines_of_month(first, last, most, after_day, after_id);
  elsif side = 'practice' then return practice.lines_of_month(first, last, most, after_day, after_id);
  elsif side = 'caregiver' then return caregiver.lines_of_month(first, last, most, after_day, after_id);
  end if;
  return null;
end $$;
revoke all on function read_lines_of_month(bytea, timestamptz, uuid, text[], date, date, integer, date, uuid) from public;
grant execute on function read_lines_of_month(bytea, timestamptz, uuid, text[], date, date, integer, date, uuid) to tutorlog_server;

-- The month's summary. The server combines these sums.
create or replace function read_portions_of_month(access bytea, moment timestamptz, wanted uuid, closed text[], first date, last date) returns text
language plpgsql
as $$
declare side constant text := public.admit_to_read(access, moment, wanted, closed || '{caregiver}');
begin
  if side = 'family' then return family.portions_of_month(first, last);
  elsif side = 'practice' then return practice.portions_of_month(first, last);
  end if;
  return null;
end $$;
revoke all on function read_portions_of_month(bytea, timestamptz, uuid, text[], date, date) from public;
grant execute on function read_portions_of_month(bytea, timestamptz, uuid, text[], date, date) to tutorlog_server;
