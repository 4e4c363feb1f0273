-- Each side's view of the shared rows. A side's role uses its own column names for sessions, and its search
-- path selects the matching view, so the same query text works for families and practices. The views run with
-- the caller's rights and don't bypass any policies or grants.
create schema if not exists family;
create schema if not exists practice;
create schema if not exists link;
create schema if not exists family_link;
drop view if exists family.payments, practice.payments, link.payments, family_link.payments, family.sessions, practice.sessions, link.sessions,
  link.connection_people, family_link.sessions,
  family_link.connection_people, link.students, link.tutors, family_link.students, family_link.tutors, family.session_history, practice.session_history, caregiver.sessions, caregiver.session_history;

do $$
declare
  place text; own text; other text; person text; amounts text; notes text;
begin
  foreach place in array array['family', 'practice', 'caregiver'] loop
    own := case place when 'caregiver' then 'family' else place end;
    -- Families also have a schema for caregivers, without amounts (amounts.sql).
    amounts := null_for_caregivers(place, 'integer', 'rate_override_cents', 'tutor_rate_cents', 'total_cents');
    notes := null_for_caregivers(place, 'text', '{own}_word_note as own_word_note', '{own}_reply as own_reply',
        '{other}_word_note as other_word_note', '{other}_reply as other_reply');
    other := case own when 'family' then 'practice' else 'family' end;
    person := case own when 'family' then 'child_id' else 'student_id' end;
    -- The connections whose other side is closed. This is a function so that reads that don't involve shared
    -- sessions don't prepare this query with all its policies, and other reads run it once instead of once
    -- per session.
    execute format('create or replace function %1$I.closed_connections() returns uuid[] language sql stable
      as $f$ select array(select id from public.connections where %2$I is not null) $f$', place, other || '_closed_at');
    execute replace(replace(replace(replace(replace(replace(replace($view$
      create view {place}.sessions with (security_invoker = true) as
      select key, id, {own}_id as workspace_id, {person} as student_id, {own}_tutor_id as tutor_id, {own}_schedule_id as schedule_id,
        {own}_class_day as occurrence_day,
        connection_id, day, minutes, {amounts}, currency, subject, start_time, summary, homework, facts_version,
        (select nullif(n.text, '') from public.session_notes n where n.workspace_id = {own}_id and n.session_id = s.id) as notes,
        {own}_word as own_word, {own}_word_version as own_word_version, {notes}, {other}_took_part as other_took_part,
        -- Each side's confirmation or dispute. 'none' if there isn't one for the current facts.
        case when {own}_word_version = facts_version then {own}_word else 'none' end as own_says,
        case when {other}_word_version = facts_version then {other}_word else 'none' end as other_says,
        coalesce({own}_reply_at > {other}_word_at, false) as has_answered,
        coalesce({other}_reply_at > {own}_word_at, false) as is_answered,
        is_verified as verified_by_tutor, case when is_disputed then 'disputed' else 'completed' end as status,
        -- When an answer was first needed, and the number of reminders since then. Applies to this side if
        -- its answer is missing, otherwise to the other side.
        coalesce({own}_asked_since, {other}_asked_since) as asked_since, case when {own}_asked_since is not null then {own}_reminders
          else {other}_reminders end as reminders,
        case when {own}_asked_since is not null then {own}_reminded_at else {other}_reminded_at end as reminded_at,
        deletion_asked_by, deletion_asked_at, case deletion_asked_by when '{own}' then 'you' when '{other}' then 'other' end as deletion_by,
        coalesce(connection_id = any ((select {place}.closed_connections())::uuid[]), false) as is_read_only,
        -- Whether a caregiver can read the session but not change it, because somebody else logged, changed
        -- or confirmed it.
        {foreign} as is_foreign, is_held,
        version, version + coalesce((select n.version from public.session_notes n where n.workspace_id = {own}_id and n.session_id = s.id), 0) as own_version,
        created_at, updated_at
      from public.sessions s$view$, '{place}', place), '{amounts}', amounts), '{notes}', notes),
      '{foreign}', case place when 'caregiver' then 'caregiver_id is distinct from app_account()' else 'false' end), '{own}', own), '{other}', other),
        '{person}', person);
    -- Only an account's own side sees which account made a change.
    execute format('create view %1$I.session_history with (security_invoker = true) as
      select %2$I as workspace_id, session_key, session_id, chain, seq, at, side, case side when %4$L then actor_id end as actor_id, action, %3$s
        from public.session_history', place, own || '_id',
      case place when 'caregiver' then 'open_facts as facts, changed, null::text as note, null::bytea as hash' else 'facts, changed, note, hash' end, own);
    execute format('grant usage on schema %1$I to %2$I;
      grant select, insert, update, delete on %1$I.sessions to %2$I; grant select on %1$I.session_history to %2$I', place, 'tutorlog_' || place);
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
    execute replace(replace(replace(replace($view$
      create view {place}.sessions with (security_invoker = true) as
      select key, id, connection_id as workspace_id, connection_id, {person} as student_id, day, minutes, rate_override_cents, tutor_rate_cents,
        total_cents, currency,
        subject, start_time, summary, homework, facts_version, null::uuid as tutor_id, null::uuid as schedule_id, null::date as occurrence_day,
        null::text as notes, {own}_word as own_word, {own}_word_version as own_word_version, {own}_word_note as own_word_note,
        null::text as own_reply, false as has_answered, {other}_word_note as other_word_note, {other}_reply as other_reply,
        false as is_foreign, false as is_held,
        case when {own}_word_version = facts_version then {own}_word else 'none' end as own_says,
        case when {other}_word_version = facts_version then {other}_word else 'none' end as other_says,
        coalesce({other}_reply_at > {own}_word_at, false) as is_answered,
        is_verified as verified_by_tutor, case when is_disputed then 'disputed' else 'completed' end as status,
        coalesce({own}_asked_since, {other}_asked_since) as asked_since, case when {own}_asked_since is not null then {own}_reminders
          else {other}_reminders end as reminders,
        case when {own}_asked_since is not null then {own}_reminded_at else {other}_reminded_at end as reminded_at,
        {other}_took_part as other_took_part, deletion_asked_by, deletion_asked_at, false as is_read_only, version as own_version,
        case deletion_asked_by when '{own}' then 'you' when '{other}' then 'other' end as deletion_by, version, created_at, updated_at
          from public.sessions$view$,
      '{place}', place), '{own}', own), '{other}', other), '{person}', person);
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
      place, 'tutorlog_' || place, other || '_word_note');
  end loop;
end $$;

-- Payments with the same column names. An emailed page has no workspace and no people, so the connection id
-- is used as the workspace id. The same queries and commands then work there.
do $$
declare
  place text; own text; names text; note text;
begin
  foreach place in array array['family', 'practice', 'link', 'family_link'] loop
    own := case place when 'link' then 'practice' when 'family_link' then 'family' else place end;
    names := case when place in ('family', 'practice') then format('%1$I_id as workspace_id, %1$I_tutor_id as tutor_id, %2$I as student_id,
        (select t.name from public.tutors t where t.workspace_id = %1$I_id and t.id = %1$I_tutor_id) as tutor_name,
        (select w.name from public.students w where w.workspace_id = %1$I_id
            and w.id = %2$I) as student_name', own, case own when 'family' then 'child_id' else 'student_id' end)
      else 'connection_id as workspace_id, null::uuid as tutor_id, null::uuid as student_id, null::text as tutor_name, null::text as student_name' end;
    note := case when place in ('family', 'practice')
        then format('from public.payment_notes n where n.workspace_id = %1$I_id and n.payment_id = p.id', own) end;
    execute replace(replace(replace(replace(replace(replace($view$
      create view {place}.payments with (security_invoker = true) as
      select key, id, {names}, connection_id, day, kind, amount_cents, prepaid_minutes, method, currency, facts_version,
        {note} as note, {own}_word as own_word, {own}_word_version as own_word_version, {own}_word_note as own_word_note,
        {other}_word_note as other_word_note, {other}_took_part as other_took_part,
        case when {own}_word_version = facts_version then {own}_word else 'none' end as own_says,
        case when {other}_word_version = facts_version then {other}_word else 'none' end as other_says, is_confirmed,
        -- A shared payment counts once both sides have confirmed it, unless one side asks to delete it. A
        -- payment that's only in your records counts once you've confirmed it.
        case when connection_id is null then coalesce({own}_word = 'confirmed' and {own}_word_version = facts_version, false) else is_confirmed
            and deletion_asked_by is null end as counts,
        -- When an answer was first needed, and the number of reminders since then. Works the same way as for
        -- sessions.
        coalesce({own}_asked_since, {other}_asked_since) as asked_since, case when {own}_asked_since is not null then {own}_reminders
          else {other}_reminders end as reminders,
        case when {own}_asked_since is not null then {own}_reminded_at else {other}_reminded_at end as reminded_at,
        deletion_asked_by, deletion_asked_at, case deletion_asked_by when '{own}' then 'you' when '{other}' then 'other' end as deletion_by,
        exists (select from public.connections c where c.id = p.connection_id and c.{other}_closed_at is not null) as is_read_only,
        version, version + {noted} as own_version, created_at, updated_at
      from public.payments p$view$, '{place}', place), '{names}', names),
        '{note}', case when note is null then 'null::text' else '(select nullif(n.text, '''') ' || note || ')' end),
      '{noted}', case when note is null then '0' else 'coalesce((select n.version ' || note || '), 0)' end), '{own}', own),
        '{other}', case own when 'family' then 'practice' else 'family' end);
    execute format('grant select, insert, update, delete on %1$I.payments to %2$I', place, 'tutorlog_' || place);
  end loop;
end $$;
