-- How many messages an account had in its month, besides questions after classes (docs/decisions/0044-a-simulated-year.md).
alter table reminder_clocks
  add told_month text check (told_month ~ '^\d{4}-\d{2}$'),
  add told_count integer not null default 0 check (told_count >= 0);
grant update (told_month, told_count) on reminder_clocks to tutorlog_system;
-- When a canceled class would begin decides when the other side is told.
grant select (start_time) on schedule_changes to tutorlog_system;
grant select (id, connection_id, start_time, time_zone) on schedules to tutorlog_system;
