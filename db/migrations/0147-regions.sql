-- How someone writes dates, times and numbers (docs/decisions/0055-every-reader.md).

-- Two letters (ISO 3166); null until a browser has told it.
alter table profiles add region text check (region ~ '^[A-Z]{2}$'),
  add has_chosen_region boolean not null default false;
grant select (region, has_chosen_region), update (region, has_chosen_region) on profiles to tutorlog_app;
grant select (region, has_chosen_region) on profiles to tutorlog_system;
