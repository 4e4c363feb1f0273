-- The daily email tells which classes the other side canceled.
grant select (outcome, outcome_at, outcome_by, family_took_part, practice_took_part) on schedule_changes to tutorlog_system;
