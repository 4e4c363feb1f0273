-- Where the lessons of a schedule take place, as a practice said last on a paper (docs/decisions/0051-papers.md). The place is no
-- fact that both sides confirm, and a family's own schedule of the same lesson has none.
create table schedule_places (
  workspace_id uuid not null references workspaces on delete cascade,
  schedule_id uuid not null,
  place text not null check (place in ('student_home', 'tutor_home', 'online', 'library', 'school', 'other')),
  version integer not null default 1,
  primary key (workspace_id, schedule_id),
  foreign key (workspace_id, schedule_id) references schedules (practice_id, id) on delete cascade deferrable
);
-- A family exports by the same catalogue: it reads the table and finds nothing of its own there.
grant select on schedule_places to tutorlog_family, tutorlog_practice;
grant insert (workspace_id, schedule_id, place), update (place, version) on schedule_places to tutorlog_practice;
