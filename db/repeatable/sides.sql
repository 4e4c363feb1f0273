-- Each side's view of the shared rows. A side's role uses its own column names, and its search path selects the
-- matching view, so the same query text works for families and practices. The views run with the caller's rights
-- and don't bypass any policies or grants.
create schema if not exists family;
create schema if not exists practice;
create schema if not exists link;
create schema if not exists family_link;
drop view if exists family.schedules, practice.schedules, caregiver.schedules, family.schedule_changes, practice.schedule_changes,
  caregiver.schedule_changes, asked_sides, family.sessions, practice.sessions, link.sessions,
  link.connection_people, family_link.sessions,
  family_link.connection_people, link.students, link.tutors, family_link.students, family_link.tutors, family.history, practice.history, caregiver.sessions, caregiver.history;

-- The call of question_of (agreements.sql) for a side and a table. Only disputes about sessions have replies.
create or replace function question_columns(own text, place text) returns text
language sql immutable
as $f$ select for_side(own, replace(replace(replace($columns$question_of('{own}', connection_id, deletion_asked_by, deletion_asked_at, facts_version, {own}_answer,
  {own}_answer_version, {own}_answered_at, {replied}, proposed_at({other}_proposes, {other}_answer_version, facts_version, {other}_answered_at, {reply}), {needs})$columns$,
  '{needs}', case place when 'schedules' then 'false' when 'schedule_changes' then 'moved_to is not null' else 'true' end),
  '{replied}', case place when 'sessions' then '{other}_reply_at' else 'null' end), '{reply}', case place when 'sessions' then '{own}_reply_at' else 'null' end)) $f$;

-- What a side sees of an agreement about any kind of entry: both sides' current answers ('none' if there isn't one
-- for the current facts), the status, whether this side is asked something, and since when. The time and the
-- reminders apply to this side if its answer is missing, otherwise to the other side.
create or replace function agreed_columns(own text, place text, is_disputed text) returns text
language sql immutable
as $f$ select for_side(own, format($columns$connection_id, facts_version, {own}_answer as own_answer, {own}_answer_version as own_answer_version,
  current_answer({own}_answer, {own}_answer_version, facts_version) as own_says,
  current_answer({other}_answer, {other}_answer_version, facts_version) as other_says,
  {other}_took_part as other_took_part, standing_of(connection_id, deletion_asked_by, is_verified, %s) as standing, %s is not null as waits_for_you,
  coalesce({own}_asked_since, {other}_asked_since) as asked_since,
  case when {own}_asked_since is not null then {own}_reminders else {other}_reminders end as reminders,
  case when {own}_asked_since is not null then {own}_reminded_at else {other}_reminded_at end as reminded_at,
  deletion_asked_by, deletion_asked_at, case deletion_asked_by when '{own}' then 'you' when '{other}' then 'other' end as deletion_by$columns$,
  is_disputed, question_columns(own, place))) $f$;

do $$
declare
  place text; own text; other text; person text; amounts text; notes text;
begin
  foreach place in array array['family', 'practice', 'caregiver'] loop
    own := case place when 'caregiver' then 'family' else place end;
    -- Families also have a schema for caregivers, without amounts (amounts.sql).
    amounts := null_for_caregivers(place, 'integer', 'rate_override_cents', 'tutor_rate_cents', 'total_cents', 'lesson_price_cents', 'lesson_price_minutes') || ', '
      || null_for_caregivers(place, 'text', '{own}_price_source as price_source') || ', '
      || null_for_caregivers(place, 'date', '{own}_price_since as price_since');
    notes := null_for_caregivers(place, 'text', '{own}_answer_note as own_answer_note', '{own}_reply as own_reply',
        '{other}_answer_note as other_answer_note', '{other}_reply as other_reply') || ', '
      || null_for_caregivers(place, 'jsonb', '{own}_proposal as own_proposal', '{other}_proposal as other_proposal');
    other := case own when 'family' then 'practice' else 'family' end;
    person := case own when 'family' then 'child_id' else 'student_id' end;
    -- The connections whose other side is closed. This is a function so that reads that don't involve shared
    -- sessions don't prepare this query with all its policies, and other reads run it once instead of once
    -- per session.
    execute format('create or replace function %1$I.closed_connections() returns uuid[] language sql stable
      as $f$ select array(select id from public.connections where %2$I is not null) $f$', place, other || '_closed_at');
    execute replace(replace(replace(replace(replace(replace(replace(replace(replace($view$
      create view {place}.sessions with (security_invoker = true) as
      select key, id, {own}_id as workspace_id, {person} as student_id, {own}_tutor_id as tutor_id, {own}_schedule_id as schedule_id,
        {own}_class_day as occurrence_day, makes_up, day, minutes, {amounts}, currency, subject, start_time, {words},
        (select nullif(n.text, '') from public.session_notes n where n.workspace_id = {own}_id and n.session_id = s.id) as notes,
        {agreed}, {notes},
        coalesce({own}_reply_at > {other}_answered_at, false) as has_replied,
        coalesce({other}_reply_at > {own}_answered_at, false) as is_replied,
        is_verified as verified_by_tutor, case when is_disputed then 'disputed' else 'completed' end as status,
        coalesce(connection_id = any ((select {place}.closed_connections())::uuid[]), false) as is_read_only,
        -- Whether a caregiver can read the session but not change it, because somebody else logged, changed
        -- or confirmed it.
        {foreign} as is_foreign, is_held,
        version, version + coalesce((select n.version from public.session_notes n where n.workspace_id = {own}_id and n.session_id = s.id), 0) as own_version,
        created_at, updated_at, searched, searched_long
      from public.sessions s$view$, '{agreed}', agreed_columns(own, 'sessions', 'is_disputed')), '{place}', place), '{amounts}', amounts),
      '{words}', each_words('%I')), '{notes}', notes), '{foreign}', case place when 'caregiver' then 'caregiver_id is distinct from app_account()' else 'false' end), '{own}', own),
      '{other}', other), '{person}', person);
    -- Only an account's own side sees which account made a change. What was hashed before sessions had two sides names
    -- records of the workspace on its first line, so nobody else gets it.
    execute format('create view %1$I.history with (security_invoker = true) as
      select %2$I as workspace_id, kind, entry_key, entry_id, chain, seq, at, side, case side when %4$L then actor_id end as actor_id, action, is_by_handed_link, %3$s
        from public.history', place, own || '_id',
      case place when 'caregiver' then 'open_facts as facts, changed, null::text as note, null::bytea as hash, null::text as hashed_text'
        else format($text$facts, changed, note, hash,
          case when split_part(hashed_text, E'\n', 1) in ('2', %I::text) then hashed_text end as hashed_text$text$, own || '_id') end, own);
    execute format('grant usage on schema %1$I to %2$I;
      grant select, insert, update, delete on %1$I.sessions to %2$I; grant select on %1$I.history to %2$I', place, 'tutorlog_' || place);
  end loop;
end $$;

-- Schedules, and changes of one class, which hold or not yet. Only a practice chooses between families.
do $$
declare place text; own text; told text; because text;
begin
  foreach place in array array['family', 'practice', 'caregiver'] loop
    own := case place when 'caregiver' then 'family' else place end;
    told := null_for_caregivers(place, 'jsonb', '{own}_proposal as own_proposal', '{other}_proposal as other_proposal') || ', '
      || null_for_caregivers(place, 'text', '{own}_answer_note as own_answer_note', '{other}_answer_note as other_answer_note');
    -- What a missed class costs is for those who see amounts.
    because := null_for_caregivers(place, 'text', 'case when (select app_students()) is null then because end as because') || ', '
      || null_for_caregivers(place, 'boolean', 'is_waived') || ', uses_free';
    execute for_side(own, replace(replace(replace(replace(replace(replace(replace($view$
      create view {place}.schedules with (security_invoker = true) as
      select key, id, {own}_id as workspace_id, {person} as student_id, {own}_tutor_id as tutor_id, subject, day_of_week, start_time, minutes,
        {rate}, currency, frequency, custom_interval_days, day as start_day, end_day, timezone, time_zone, is_active, {chosen},
        coalesce({own}_feed_id, id) as feed_id, deleted_at, left_on,
        (select nullif(n.text, '') from public.schedule_notes n where n.workspace_id = {own}_id and n.schedule_id = s.id) as notes,
        {agreed}, {told}, coalesce(connection_id = any ((select {place}.closed_connections())::uuid[]), false) as is_read_only, version,
        version + coalesce((select n.version from public.schedule_notes n where n.workspace_id = {own}_id and n.schedule_id = s.id), 0) as own_version,
        created_at, updated_at
      from public.schedules s;
      create view {place}.schedule_changes with (security_invoker = true) as
      select key, id, {own}_id as workspace_id, {person} as student_id, {own}_tutor_id as tutor_id, schedule_id, day, moved_to, start_time, outcome, outcome_at, outcome_by, {because}, currency,
        move_holds(moved_to, connection_id, parted_from, family_took_part, practice_took_part) as holds,
        {agreed_change}, {told}, coalesce(connection_id = any ((select {place}.closed_connections())::uuid[]), false) as is_read_only, version,
        version as own_version, created_at, updated_at
      from public.schedule_changes$view$,
      '{because}', because), '{agreed_change}', agreed_columns(own, 'schedule_changes', 'is_disputed')),
      '{agreed}', agreed_columns(own, 'schedules', 'is_disputed')), '{told}', told), '{rate}', null_for_caregivers(place, 'integer', 'hourly_rate_cents')),
      '{chosen}', case place when 'practice' then 'chosen_connection_id, coalesce(connection_id, chosen_connection_id) as meant_connection_id'
        else 'null::uuid as chosen_connection_id, null::uuid as meant_connection_id' end), '{place}', place));
    execute format('grant select, insert, update, delete on %1$I.schedules, %1$I.schedule_changes to %2$I', place, 'tutorlog_' || place);
  end loop;
end $$;

-- Emailed pages act for the side of the connection that has no account, with the same column names, so that the
-- same queries and commands work there. That side has no people, classes or notes of its own: those columns are
-- null. All it can see about people is which child or student a row is for, and the first name.
do $$
declare place text; own text; other text; person text;
begin
  foreach place in array array['link', 'family_link'] loop
    own := case place when 'link' then 'practice' else 'family' end;
    other := case own when 'family' then 'practice' else 'family' end;
    person := case own when 'family' then 'student_id' else 'child_id' end;
    execute replace(replace(replace(replace(replace(replace($view$
      create view {place}.sessions with (security_invoker = true) as
      select key, id, connection_id as workspace_id, {person} as student_id, null::uuid as tutor_id, null::uuid as schedule_id,
        null::date as occurrence_day, makes_up, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, lesson_price_cents, lesson_price_minutes,
        null::text as price_source, null::date as price_since, currency, subject, start_time, {words},
        {agreed}, null::text as notes, {own}_proposal as own_proposal, {other}_proposal as other_proposal, {own}_answer_note as own_answer_note, null::text as own_reply, {other}_answer_note as other_answer_note,
        {other}_reply as other_reply, false as has_replied, coalesce({other}_reply_at > {own}_answered_at, false) as is_replied,
        false as is_foreign, false as is_held,
        is_verified as verified_by_tutor, case when is_disputed then 'disputed' else 'completed' end as status,
        false as is_read_only, version as own_version, version, created_at, updated_at
          from public.sessions$view$,
      '{agreed}', agreed_columns(own, 'sessions', 'is_disputed')), '{words}', each_words('%I')), '{place}', place), '{own}', own),
      '{other}', other), '{person}', person);
    execute replace(replace(replace($view$
      create view {place}.connection_people with (security_invoker = true) as select connection_id, id, first_name, {person} as student_id
        from public.connection_people$view$,
      '{place}', place), '{own}', own), '{person}', person);
    execute replace(replace($view$
      create view {place}.students with (security_invoker = true) as select connection_id as workspace_id, {person} as id, first_name as name
        from public.connection_people;
      create view {place}.tutors with (security_invoker = true) as select null::uuid as workspace_id, null::uuid as id, null::text as name where false$view$,
      '{place}', place), '{person}', person);
    execute format('grant usage on schema %1$I to %2$I; grant select (%3$I) on public.sessions to %2$I;
      grant select, update, delete on %1$I.sessions to %2$I; grant select on %1$I.connection_people, %1$I.students, %1$I.tutors to %2$I',
      place, 'tutorlog_' || place, other || '_answer_note');
  end loop;
end $$;

-- Payments and charges with the same column names. An emailed page has no workspace and no people, so the connection id
-- is used as the workspace id. The same queries and commands then work there. After a connection ended, what was
-- disputed is just in your own records.
do $$
declare
  kind text; place text; own text; names text; note text; facts text;
begin
  for kind, place in select k, p from kinds_with('amount_cents') k, unnest(array['family', 'practice', 'link', 'family_link']) p loop
    execute format('drop view if exists %I.%I', place, kind || 's');
    facts := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute where attrelid = format('public.%I', kind || 's')::regclass
      and attnum > 0 and not attisdropped and attname not in (select attname from pg_attribute where attrelid = 'public.sessions'::regclass));
    own := case place when 'link' then 'practice' when 'family_link' then 'family' else place end;
    names := case when place in ('family', 'practice') then format('%1$I_id as workspace_id, %1$I_tutor_id as tutor_id, %2$I as student_id,
        (select t.name from public.tutors t where t.workspace_id = %1$I_id and t.id = %1$I_tutor_id) as tutor_name,
        (select w.name from public.students w where w.workspace_id = %1$I_id
            and w.id = %2$I) as student_name', own, case own when 'family' then 'child_id' else 'student_id' end)
      else 'connection_id as workspace_id, null::uuid as tutor_id, null::uuid as student_id, null::text as tutor_name, null::text as student_name' end;
    note := case when place in ('family', 'practice')
        then format('from public.%2$I n where n.workspace_id = %1$I_id and n.%3$I = p.id', own, kind || '_notes', kind || '_id') end;
    execute replace(replace(replace(replace(replace(replace(replace(replace(replace($view$
      create view {place}.{kind}s with (security_invoker = true) as
      select key, id, {names}, day, {facts}, currency, {note} as note, {agreed},
        {own}_answer_note as own_answer_note, {other}_answer_note as other_answer_note, {own}_proposal as own_proposal,
        {other}_proposal as other_proposal, is_verified,
        -- What's shared counts once both sides have confirmed it, unless one side asks to delete it. What's only in your
        -- records counts once you've confirmed it.
        case when connection_id is null then coalesce({own}_answer = 'confirmed' and {own}_answer_version = facts_version, false) else is_verified
            and deletion_asked_by is null end as counts,
        exists (select from public.connections c where c.id = p.connection_id and c.{other}_closed_at is not null) as is_read_only,
        version, version + {noted} as own_version, created_at, updated_at
      from public.{kind}s p$view$, '{kind}', kind), '{facts}', facts), '{agreed}', agreed_columns(own, kind || 's', 'is_disputed and connection_id is not null')), '{place}', place),
      '{names}', names), '{note}', case when note is null then 'null::text' else '(select nullif(n.text, '''') ' || note || ')' end),
      '{noted}', case when note is null then '0' else 'coalesce((select n.version ' || note || '), 0)' end), '{own}', own),
      '{other}', case own when 'family' then 'practice' else 'family' end);
    execute format('grant select, insert, update, delete on %1$I.%3$I to %2$I', place, 'tutorlog_' || place, kind || 's');
  end loop;
end $$;

-- What emails tell each side of every open connection: one row for each side of each entry that's shared.
-- `waits` is a question about the facts, `is_leaving` one about a deletion, and one with a `proposal` is about that. A lesson
-- can be confirmed from its day on.
-- A payment recorded long before it was shared has an old answer, but is still news.
do $$
declare
  branches text[] := '{}';
  place text; own text; is_session boolean;
begin
  for place in select kind || 's' from kinds_with('facts_version') kind order by kind <> 'session' loop
    is_session := place = 'sessions';
    foreach own in array array['family', 'practice'] loop
      branches := branches || replace(replace(replace(replace(replace(replace($branch$
        select '{kind}' as kind, key, connection_id, c.state, '{own}' as side, {own}_id as workspace_id, day, currency, {facts},
          is_verified and deletion_asked_by is null as is_confirmed, coalesce(deletion_asked_by is null and {question} not like '% proposal %', false) as waits,
          coalesce(deletion_asked_by = '{other}', false) as is_leaving, case when {question} like '% proposal %' then {other}_proposal end as proposal,
          deletion_asked_by is null and coalesce({other}_answer = 'disputed' and {other}_answer_version = facts_version, false) and {unanswered} as is_sent_back,
          {own}_reminders as reminders, {own}_reminded_at as reminded_at
        from public.{kind}s join (select id, state, answered_at from public.connections where state in ('asked', 'active')
          and family_closed_at is null and practice_closed_at is null) c on c.id = connection_id$branch$,
        '{question}', question_columns(own, place)), '{kind}', rtrim(place, 's')),
        '{facts}', case when is_session then 'minutes, total_cents, greatest(updated_at, answered_at) as since,
            case when deletion_asked_by is null then greatest({own}_asked_since, day::timestamp at time zone ''UTC'') else {own}_asked_since end as asked_at'
          else case when place = 'payments' then 'prepaid_minutes, amount_cents' when rtrim(place, 's') in (select kinds_with('amount_cents')) then 'null, amount_cents' else 'null, null' end || ', coalesce(deletion_asked_at, greatest({other}_answered_at, answered_at,
            case when {own}_answered_at is null then updated_at end)), {own}_asked_since' end),
        '{unanswered}', case when is_session then 'not coalesce({own}_reply_at > {other}_answered_at, false)'
          else 'coalesce({own}_answer = ''confirmed'' and {own}_answer_version = facts_version, false)' end),
        '{own}', own), '{other}', case own when 'family' then 'practice' else 'family' end);
    end loop;
  end loop;
  execute 'create view asked_sides with (security_invoker = true) as ' || array_to_string(branches, ' union all ');
  grant select on asked_sides to tutorlog_system;
end $$;

-- The connections of an account's workspaces, as one value, by which the view's entries are found: each of its tables has an index.
create or replace function connections_of(account uuid) returns uuid[]
language plpgsql stable
as $$ begin
  return array(select c.id from connections c join members m on m.workspace_id in (c.family_id, c.practice_id) where m.account_id = account);
end $$;
