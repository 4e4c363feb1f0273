-- Amounts in currencies without decimals are whole (docs/decisions/0056-currencies-without-decimals.md). The server maps
-- the constraint whole_amounts to a refusal. A trigger checks amounts whose currency is the workspace's
-- (db/repeatable/currency.sql).

create function is_whole(amount integer, currency text) returns boolean
language sql immutable parallel safe
return amount % least_amount(currency) = 0;
-- The same for the amounts anywhere in rules or a proposal.
create function are_whole(facts jsonb, currency text) returns boolean
language sql immutable parallel safe
return least_amount(currency) = 1 or not jsonb_path_exists(facts, 'strict $.** ? (@.amount % 100 != 0 || @.rate_cents % 100 != 0 || @.amount_cents % 100 != 0)');

-- 10,000 an hour isn't much in yen or won. A day at the highest rate, and what a class then costs, still fit.
alter table students drop constraint students_hourly_rate_cents_check,
  add constraint students_hourly_rate_cents_check check (hourly_rate_cents between 0 and 50000000);
alter table tutors drop constraint tutors_hourly_rate_cents_check,
  add constraint tutors_hourly_rate_cents_check check (hourly_rate_cents between 0 and 50000000);
alter table prices drop constraint prices_amount_cents_check,
  add constraint prices_amount_cents_check check (amount_cents between 0 and 50000000),
  -- A short lesson's price is limited as an hour's is.
  add constraint prices_of_short_lessons check (amount_cents::bigint * 60 <= 50000000::bigint * coalesce(lesson_minutes, 60));
alter table schedules drop constraint schedules_hourly_rate_cents_check,
  add constraint schedules_hourly_rate_cents_check check (hourly_rate_cents between 0 and 50000000),
  add constraint whole_amounts check (is_whole(hourly_rate_cents, currency) and are_whole(family_proposal, currency) and are_whole(practice_proposal, currency));
alter table sessions drop constraint sessions_rate_override_cents_check, drop constraint sessions_tutor_rate_cents_check,
  drop constraint sessions_lesson_price_cents_check,
  add constraint sessions_rate_override_cents_check check (rate_override_cents between 0 and 50000000),
  add constraint sessions_tutor_rate_cents_check check (tutor_rate_cents between 0 and 50000000),
  add constraint sessions_lesson_price_cents_check check (lesson_price_cents between 0 and 1200000000),
  add constraint whole_amounts check (is_whole(rate_override_cents, currency) and is_whole(tutor_rate_cents, currency)
    and is_whole(lesson_price_cents, currency) and are_whole(family_proposal, currency) and are_whole(practice_proposal, currency));
alter table payments drop constraint payments_amount_cents_check,
  add constraint payments_amount_cents_check check (amount_cents between 0 and 2000000000),
  add constraint whole_amounts check (is_whole(amount_cents, currency) and are_whole(family_proposal, currency) and are_whole(practice_proposal, currency));
alter table charges drop constraint charges_amount_cents_check,
  add constraint charges_amount_cents_check check (amount_cents between -2000000000 and 2000000000 and amount_cents <> 0),
  add constraint whole_amounts check (is_whole(amount_cents, currency) and are_whole(family_proposal, currency) and are_whole(practice_proposal, currency));
alter table terms add constraint whole_amounts check (are_whole(rules, currency)
  and are_whole(family_proposal, currency) and are_whole(practice_proposal, currency));
