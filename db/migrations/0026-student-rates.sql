-- A tutor may ask another rate of a student than of the rest (docs/product-decisions.md, section 13). A family's children have none.
alter table students add column hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000);
grant insert (hourly_rate_cents), update (hourly_rate_cents) on students to tutorlog_app;
