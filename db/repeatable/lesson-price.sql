-- The price that a session's amount comes from, and the minutes of the lesson that it's for: null for an hour.
create or replace function effective_price(s sessions) returns integer[]
language sql immutable
as $$ select case when s.rate_override_cents is not null then array[s.rate_override_cents, null]
  else array[coalesce(s.lesson_price_cents, s.tutor_rate_cents), s.lesson_price_minutes] end $$;
