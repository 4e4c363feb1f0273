-- A class that's missed under agreed terms proposes its charge (docs/decisions/0039-missed-classes.md).

-- What the terms say about how a class ended, in one sentence; null if none applied. Whether it used one of the family's free
-- cancellations, and whether its charge was waived.
alter table schedule_changes
  add because text check (length(because) between 1 and 80),
  add uses_free boolean not null default false,
  add is_waived boolean not null default false;
grant select (because, is_waived) on schedule_changes to tutorlog_family, tutorlog_practice;

-- The class that a charge is for, if terms proposed it. Both sides' schedules have the same id.
alter table charges
  add schedule_id uuid,
  add class_day date,
  add check ((schedule_id is null) = (class_day is null));
create unique index charges_of_class on charges (connection_id, schedule_id, class_day) where connection_id is not null;
grant select (schedule_id, class_day) on charges to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;

alter table history drop constraint history_action_check, add constraint history_action_check check (action in ('recorded', 'logged', 'changed',
  'confirmed', 'withdrawn', 'disputed', 'answered', 'accepted', 'deletion asked', 'kept', 'deleted', 'merged', 'by terms', 'waived'));
