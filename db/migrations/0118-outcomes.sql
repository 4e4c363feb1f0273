-- How a planned class ended, if it didn't take place: when that was recorded, and by which side. A class that took place is
-- a session instead. A canceled class keeps the day and time it was moved to.
alter table schedule_changes
  add outcome text check (outcome in ('canceled_in_time', 'canceled_late', 'no_show', 'canceled_by_tutor')),
  add outcome_at timestamptz,
  add outcome_by text check (outcome_by in ('family', 'practice'));
update schedule_changes set outcome = 'canceled_in_time', outcome_at = created_at,
  outcome_by = case when family_id is null then 'practice' else 'family' end where moved_to is null;
alter table schedule_changes
  add check ((outcome is null) = (outcome_at is null) and (outcome is null) = (outcome_by is null));

-- Caregivers say how a class ended, but don't move one.
revoke insert (moved_to, start_time), update (moved_to, start_time) on schedule_changes from tutorlog_app;
grant insert (moved_to, start_time), update (moved_to, start_time) on schedule_changes to tutorlog_family, tutorlog_practice;
grant select (outcome, outcome_at, outcome_by), insert (outcome, outcome_at, outcome_by), update (outcome, outcome_at, outcome_by)
  on schedule_changes to tutorlog_app;
grant insert (family_id) on schedule_changes to tutorlog_caregiver;
