-- What somebody without an account said of sessions before their connection ended is no word of whoever is asked next
-- (db/repeatable/connections.sql, is_parted_from).
update sessions s set parted_from = (select c.id from connections c where c.family_id = s.family_id and c.tutor_id = s.family_tutor_id and c.practice_id is null
    and c.state in ('declined', 'ended') order by c.ended_at desc nulls last limit 1)
  where s.connection_id is null and s.practice_id is null and s.practice_took_part and s.parted_from is null;

-- A session from the queue of a device or an import that looks like one that the other side logged: it waits on the list of pairs,
-- and until somebody says whether they are one lesson it is in its own log alone and counts in no total.
alter table sessions add column is_held boolean not null default false;
grant select (is_held) on sessions to tutorlog_app, tutorlog_system;
grant insert (is_held) on sessions to tutorlog_app;
create index sessions_held_by_family on sessions (family_id) where is_held;
create index sessions_held_by_practice on sessions (practice_id) where is_held;

-- Two families may share one child, and the tutor says which of them a lesson is with: once for each schedule.
alter table schedules add column connection_id uuid references connections on delete set null;
create index schedules_of_connection on schedules (connection_id) where connection_id is not null;
grant select (connection_id) on schedules to tutorlog_app;
grant update (connection_id) on schedules to tutorlog_practice;
grant insert (connection_id), update (connection_id) on sessions to tutorlog_practice;
