-- When a session began, where somebody says so, and what was done and comes next: of both sides, written by either, and no fact that
-- they confirm (docs/decisions/0015-one-lesson-one-row.md). The wall clock is that of the place, as a schedule's.
alter table sessions
  add column start_time time,
  add column summary text check (length(summary) <= 500),
  add column homework text check (length(homework) <= 500);
grant select (start_time, summary, homework), insert (start_time, summary, homework), update (start_time, summary, homework) on sessions to tutorlog_app;
grant select (start_time, summary, homework), update (summary, homework) on sessions to tutorlog_link;
grant select (start_time, summary, homework) on sessions to tutorlog_system;
