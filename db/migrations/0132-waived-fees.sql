-- Charges that terms propose for more than missed classes, and waiving all of them (docs/decisions/0046-proposed-charges.md).

-- Whether a late cancellation was free decides about its make-up, too.
grant select (uses_free) on schedule_changes to tutorlog_family, tutorlog_practice;

-- Whether whoever is paid let the time be that was kept in a class that was taught shorter than planned.
alter table sessions add is_time_waived boolean not null default false;

-- The month, term or week whose fee it is, if terms proposed it. The period stays in proposed_fees when the charge goes.
alter table charges add fee_period text, add check (fee_period is null or class_day is null);
grant select (fee_period) on charges to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
