-- The most frequent reads, each in one statement: it admits the caller by the hash of the access cookie, sets
-- the identity, and answers in JSON under the tables' policies (docs/decisions/0022). A caller without access
-- gets null and no details; the server then finds the reason with separate queries. All settings last only
-- for the statement's transaction.
create schema if not exists family;
create schema if not exists practice;
create schema if not exists caregiver;
drop policy if exists owner_admits on logins;
create policy owner_admits on logins for select to tutorlog_owner using (true);
drop policy if exists owner_admits on user_roles;
create policy owner_admits on user_roles for select to tutorlog_owner using (true);

-- The login for an access cookie, with its account and its membership: in the wanted workspace, else the
-- oldest one. No row if the login has ended or the account is disabled.
create or replace function signed_in(access bytea, moment timestamptz, wanted uuid)
returns table (login_id uuid, id uuid, email text, email_confirmed_at timestamptz, role text, workspace_id uuid, kind text, member_role text, all_students boolean,
  access_expires_at timestamptz, owner_id uuid, writable_until timestamptz, deletion_asked_at timestamptz, since timestamptz, owner_since timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query select l.id, u.id, u.email, u.email_confirmed_at, r.role, m.workspace_id, m.kind, m.role, m.all_students, l.access_expires_at, o.id, m.writable_until, u.deletion_asked_at,
    coalesce(u.trial_since, u.created_at),
    -- An owner who was handed a workspace doesn't start a second trial in it.
    least(coalesce(o.trial_since, o.created_at), m.trial_since)
  from logins l join users u on u.id = l.user_id left join user_roles r on r.user_id = u.id
    left join lateral (select m.workspace_id, w.kind, m.role, m.all_students, w.writable_until, w.trial_since from members m join workspaces w on w.id = m.workspace_id
      where m.account_id = u.id order by m.workspace_id is not distinct from wanted desc, m.joined_at, m.workspace_id limit 1) m on true
    left join members owning on owning.workspace_id = m.workspace_id and owning.role = 'owner'
    left join users o on o.id = owning.account_id
  where l.access_hash = access and l.access_expires_at > moment and l.active_until > moment and l.ends_at > moment and u.disabled_at is null;
end $$;
revoke all on function signed_in(bytea, timestamptz, uuid) from public;
grant execute on function signed_in(bytea, timestamptz, uuid) to tutorlog_system, tutorlog_server;

-- Admits the caller to a read that is open to every member except the `closed` roles, and acts as that member
-- until the transaction ends; from here on the transaction is read-only. Returns the side whose schema is now
-- in use, or null if the server has to find the reason with separate queries. Only the server's role may call
-- this, and it runs with that role's rights.
create or replace function speak_to_read(access bytea, moment timestamptz, wanted uuid, closed text[]) returns text
language plpgsql
as $$
declare
  caller record;
  side text;
begin
  select * into caller from public.signed_in(access, moment, wanted);
  if caller.id is null or caller.email_confirmed_at is null or caller.deletion_asked_at is not null or caller.workspace_id is null
    or caller.workspace_id is distinct from coalesce(wanted, caller.workspace_id) or caller.member_role = any (closed) then return null; end if;
  side := case when caller.member_role = 'caregiver' then 'caregiver' else caller.kind end;
  -- A plan made for one family works as well for another, and planning takes longer than the read itself.
  perform set_config('app.account_id', caller.id::text, true), set_config('app.workspace_id', caller.workspace_id::text, true), set_config('search_path', side || ', public', true),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('transaction_read_only', 'on', true), set_config('role', 'tutorlog_' || side, true);
  return side;
end $$;
revoke all on function speak_to_read(bytea, timestamptz, uuid, text[]) from public;
grant execute on function speak_to_read(bytea, timestamptz, uuid, text[]) to tutorlog_server;

-- An instant formatted like JavaScript's toISOString.
create or replace function instant(moment timestamptz) returns text
language sql stable parallel safe
as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Each side has its own functions, because a cached plan is tied to one role and search path and is rebuilt
-- for any other. They build JSON by hand, which costs a third of row_to_json for a row with forty members.
do $$
declare
  place text;
  -- A session's JSON, the same as toSession returns (src/features/sessions/queries.server.ts). Names are
  -- looked up once per statement. Most sessions aren't shared, so half of their members are constant.
  people constant text := $people$
    student as materialized (select w.id, concat(',"student_id":"', w.id, '","student_name":', to_json(w.name)) as part from students w where w.workspace_id = workspace),
    tutor as materialized (select w.id, concat(',"tutor_id":"', w.id, '","tutor_name":', to_json(w.name)) as part from tutors w where w.workspace_id = workspace)$people$;
  session constant text := $session$
    concat('{"id":"', s.id, '","user_id":"', workspace, '"',
      coalesce(student.part, concat(',"student_id":', coalesce('"' || s.student_id || '"', 'null'), ',"student_name":null')),
      coalesce(tutor.part, concat(',"tutor_id":', coalesce('"' || s.tutor_id || '"', 'null'), ',"tutor_name":null')),
      ',"date":"', s.day, '","duration":', s.minutes / 60::float8,
      ',"hourly_rate":', coalesce((s.rate_override_cents / 100::float8)::text, 'null'), ',"default_rate":', coalesce((s.tutor_rate_cents / 100::float8)::text, 'null'),
      ',"effective_rate":', coalesce((coalesce(s.rate_override_cents, s.tutor_rate_cents) / 100::float8)::text, 'null'), ',"total_amount":', coalesce((s.total_cents / 100::float8)::text, 'null'),
      ',"currency":"', s.currency, '","subject":', coalesce(to_json(s.subject)::text, 'null'), ',"start_time":', coalesce('"' || left(s.start_time::text, 5) || '"', 'null'),
      ',"summary":', coalesce(to_json(s.summary)::text, 'null'), ',"homework":', coalesce(to_json(s.homework)::text, 'null'), ',"notes":', coalesce(to_json(nullif(note.text, ''))::text, 'null'),
      ',"own_confirmation":"', s.own_says,
      case when s.connection_id is null and s.status = 'completed' and not s.verified_by_tutor and s.other_says = 'none' and s.deletion_by is null and s.asked_since is null
          and s.reminders = 0 and s.reminded_at is null and not s.is_foreign
        then '","status":"completed","verified_by_tutor":false,"connection_id":null,"is_shared":false,"other_confirmation":"none","dispute_note":null,"answer_note":null,"deletion_asked_by":null,"asked_at":null,"reminders":0,"reminded_at":null,"is_read_only":false'
        else concat('","status":"', s.status, '","verified_by_tutor":', to_json(s.verified_by_tutor), ',"connection_id":', coalesce('"' || s.connection_id || '"', 'null'),
          ',"is_shared":', to_json(s.connection_id is not null), ',"other_confirmation":"', s.other_says, '","dispute_note":',
          coalesce(to_json(case when s.other_says = 'disputed' then s.other_word_note when s.own_says = 'disputed' then s.own_word_note end)::text, 'null'), ',"answer_note":',
          coalesce(to_json(case when s.other_says = 'disputed' then case when s.has_answered then s.own_reply end when s.own_says = 'disputed' then case when s.is_answered then s.other_reply end end)::text, 'null'),
          ',"deletion_asked_by":', coalesce('"' || s.deletion_by || '"', 'null'), ',"asked_at":', coalesce('"' || public.instant(s.asked_since) || '"', 'null'), ',"reminders":', s.reminders,
          ',"reminded_at":', coalesce('"' || public.instant(s.reminded_at) || '"', 'null'), ',"is_read_only":', to_json(s.is_read_only or s.is_foreign)) end,
      case when s.is_held then ',"is_held":true' else ',"is_held":false' end,
      ',"schedule_id":', coalesce('"' || s.schedule_id || '"', 'null'), ',"occurrence_date":', coalesce('"' || s.occurrence_day || '"', 'null'),
      ',"created_at":"', public.instant(s.created_at), '","version":', s.version + coalesce(note.version, 0), '}')$session$;
  rows constant text := $rows$
    from sessions s left join student on student.id = s.student_id left join tutor on tutor.id = s.tutor_id
      left join session_notes note on note.workspace_id = s.workspace_id and note.session_id = s.id$rows$;
begin
  foreach place in array array['family', 'practice', 'caregiver'] loop
    -- A month's sessions that count, newest first, starting after a cursor (a day and an id), plus the cursor
    -- for the rest.
    execute format($function$
      create or replace function %1$I.month_of_sessions(first date, last date, most integer, after_day date, after_id uuid) returns text
      language plpgsql stable
      as $body$
      declare
        workspace constant uuid := current_setting('app.workspace_id');
        lines text[];
        behind json;
      begin
        with %2$s select array_agg(line) into lines from (select %3$s as line %4$s
          where s.workspace_id = workspace and not s.is_held and s.day between first and least(last, after_day) and (after_day is null or (s.day, s.id) < (after_day, after_id))
          order by s.day desc, s.id desc limit most + 1) one;
        if cardinality(lines) > most then behind := lines[most]; end if;
        return concat('{"sessions":[', array_to_string(lines[1:most], ','), '],"next_cursor":', coalesce('"' || (behind ->> 'date') || '_' || (behind ->> 'id') || '"', 'null'), '}');
      end $body$;
      revoke all on function %1$I.month_of_sessions(date, date, integer, date, uuid) from public;
      grant execute on function %1$I.month_of_sessions(date, date, integer, date, uuid) to %5$I $function$, place, people, session, rows, 'tutorlog_' || place);
    -- Totals of a month's sessions, like monthPortions (src/features/summary/queries.server.ts). Caregivers
    -- can't read them.
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
            case when s.deletion_by is not null then 'leaving' when s.verified_by_tutor then 'verified' when s.connection_id is null then 'own' when s.status = 'disputed' then 'disputed' else 'waiting' end as standing,
            s.currency, (extract(day from s.day)::int - 1) / 7 as part, count(*) as sessions, sum(s.minutes) as minutes, coalesce(sum(s.total_cents), 0) as amount_cents
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
create or replace function read_month_of_sessions(access bytea, moment timestamptz, wanted uuid, closed text[], first date, last date, most integer, after_day date, after_id uuid) returns text
language plpgsql
as $$
declare side constant text := public.speak_to_read(access, moment, wanted, closed);
begin
  if side = 'family' then return family.month_of_sessions(first, last, most, after_day, after_id);
  elsif side = 'practice' then return practice.month_of_sessions(first, last, most, after_day, after_id);
  elsif side = 'caregiver' then return caregiver.month_of_sessions(first, last, most, after_day, after_id);
  end if;
  return null;
end $$;
revoke all on function read_month_of_sessions(bytea, timestamptz, uuid, text[], date, date, integer, date, uuid) from public;
grant execute on function read_month_of_sessions(bytea, timestamptz, uuid, text[], date, date, integer, date, uuid) to tutorlog_server;

-- The month's summary; the server combines its sums.
create or replace function read_portions_of_month(access bytea, moment timestamptz, wanted uuid, closed text[], first date, last date) returns text
language plpgsql
as $$
declare side constant text := public.speak_to_read(access, moment, wanted, closed || '{caregiver}');
begin
  if side = 'family' then return family.portions_of_month(first, last);
  elsif side = 'practice' then return practice.portions_of_month(first, last);
  end if;
  return null;
end $$;
revoke all on function read_portions_of_month(bytea, timestamptz, uuid, text[], date, date) from public;
grant execute on function read_portions_of_month(bytea, timestamptz, uuid, text[], date, date) to tutorlog_server;
