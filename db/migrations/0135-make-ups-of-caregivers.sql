-- Caregivers log make-ups, too (docs/decisions/0040-make-ups.md). Whether a late cancellation was free says nothing of
-- an amount, but decides whether its make-up is paid for.
grant select (uses_free) on schedule_changes to tutorlog_caregiver;
grant insert (makes_up) on sessions to tutorlog_caregiver;
