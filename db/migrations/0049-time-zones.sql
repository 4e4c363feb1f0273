-- An account's IANA time zone: the browser's, until the person chooses one. Null until a browser has told it. Pages closed
-- before this have none stored, because no account has told its zone yet (page_time_zone in db/repeatable/months.sql).
alter table profiles
  add column time_zone text check (length(time_zone) between 1 and 64),
  add column has_chosen_time_zone boolean not null default false;
grant select (time_zone, has_chosen_time_zone), update (time_zone, has_chosen_time_zone) on profiles to tutorlog_app;
grant select (time_zone, has_chosen_time_zone) on profiles to tutorlog_system;
