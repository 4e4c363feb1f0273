-- Each function reads everything a command needs to know before it writes, in a single statement. The
-- functions run with the caller's privileges. As in db/repeatable/reads.sql, each side has its own set, in a schema that
-- only its role may use.
do $$
declare place text;
begin
  foreach place in array array['family', 'practice', 'caregiver'] loop
    -- Sessions in a date range that the other side logged and this side hasn't confirmed, optionally only
    -- those in one connection or for one student. Those with the given start time come first, then those
    -- without a start time, with each group in the order logged. For a class, includes only sessions that
    -- aren't linked to a class yet.
    execute format($function$
      drop function if exists %1$I.logged_by_other(uuid, uuid, boolean, time, date, date);
      create function %1$I.logged_by_other(taught uuid, link uuid, is_class boolean, start time, first date, last date)
        returns table (id uuid, connection_id uuid, student_id uuid, day date, minutes integer, start_time time, %2$s)
      language plpgsql stable
      as $body$
      #variable_conflict use_column
      begin
        return query select s.id, s.connection_id, s.student_id, s.day, s.minutes, s.start_time, %3$s from sessions s
          where s.workspace_id = current_setting('app.workspace_id')::uuid and s.connection_id is not null and s.day between first and last
            and s.own_says = 'none' and s.deletion_by is null and not s.is_read_only
            and (link is null or s.connection_id = link) and (taught is null or s.student_id = taught) and (not is_class or s.occurrence_day is null)
          order by coalesce(s.start_time = start, false) desc, s.start_time is null desc, s.created_at;
      end $body$ $function$, place, each_words('%I text'), each_words('s.%I'));
    -- Everything known about a lesson that's being logged: its people and class (each null if there isn't
    -- one), the connection that shares it, and any sessions the other side logged for it. Keeps the connection
    -- as it is (sharing.sql), and locks that day in it, so that two people who log at the same time see each other's entries.
    execute format($function$
      create or replace function %1$I.lesson_context(taught uuid, teacher uuid, told_day date, schedule uuid, class_day date, named uuid,
          told_start time, is_start_told boolean, is_another boolean)
        returns json
      language plpgsql
      as $body$
      declare
        workspace constant uuid := current_setting('app.workspace_id');
        student json := (select json_build_object('name', w.name, 'rate', w.hourly_rate_cents, 'prices', %2$s) from students w where w.workspace_id = workspace
            and w.id = taught);
        tutor json := (select json_build_object('name', t.name, 'rate', t.hourly_rate_cents) from tutors t where t.workspace_id = workspace and t.id = teacher);
        planned record;
        link uuid;
        theirs json := '[]';
      begin
        perform hold_sharing();
        select c.hourly_rate_cents, c.meant_connection_id as connection_id, coalesce(change.start_time, c.start_time) as start, c.id is not null as is_there into planned
          from (select) one
            left join (schedules c left join schedule_changes change on change.workspace_id = c.workspace_id and change.schedule_id = c.id
              and change.day = class_day and change.holds)
            on c.workspace_id = workspace and c.id = schedule;
        if student is not null and tutor is not null then
          link := shared_connection(taught, teacher, coalesce(named, planned.connection_id));
        end if;
        if link is not null then
          perform pg_advisory_xact_lock(hashtextextended(link || ':' || told_day, 0));
          if not is_another then
            theirs := (select coalesce(json_agg(o), '[]') from logged_by_other(taught, link, schedule is not null,
                case when is_start_told then told_start else planned.start end, told_day, told_day) o);
          end if;
        end if;
        return json_build_object('student', student, 'tutor', tutor, 'connection_id', link, 'theirs', theirs, 'planned',
          case when planned.is_there then json_build_object('rate', planned.hourly_rate_cents, 'start', planned.start, 'connection_id',
              planned.connection_id) end);
      end $body$ $function$, place, case place when 'caregiver' then '''[]''::json' else $prices$(select coalesce(json_agg(json_build_object('since', p.from_day,
            'cents', p.amount_cents, 'lesson_minutes', p.lesson_minutes)), '[]') from prices p
          where p.workspace_id = workspace and p.student_id = taught and p.tutor_id = teacher)$prices$ end);
  end loop;
end $$;
