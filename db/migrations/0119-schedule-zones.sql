-- Where the lesson happens decides what a schedule's start_time means (docs/decisions/0034-zones-of-schedules.md).

-- An IANA name; null while it isn't known.
alter table schedules add time_zone text check (length(time_zone) between 1 and 64);
grant select (time_zone), insert (time_zone), update (time_zone) on schedules to tutorlog_app;
-- Emails say which hour it is for the reader.
grant select (time_zone) on schedules to tutorlog_system;
