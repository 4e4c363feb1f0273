-- Fees that agreed terms ask for by themselves (docs/decisions/0042-fees-that-propose-themselves.md).

-- Records the fee of a month, term or week in the name of whoever is paid, which asks the family. Does so once, no matter how
-- often or from how many servers it's called. A month that both sides closed without the fee stays as they agreed on it. Returns
-- whether there's a charge now.
create or replace function propose_fee(link uuid, of_period text, fee_day date, amount integer, words text) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections;
  fee charges;
begin
  -- Like hold_sharing, for both sides: nobody ends, takes over or splits the connection meanwhile.
  perform pg_advisory_xact_lock_shared(sharing_lock(side)) from (select side from connections, unnest(array[family_id, practice_id]) side
    where id = link and side is not null order by side) sides;
  select * into c from connections where id = link;
  if c.state is distinct from 'active' or c.family_closed_at is not null or c.practice_closed_at is not null then return false; end if;
  insert into proposed_fees (connection_id, period) values (link, of_period) on conflict do nothing;
  if not found then return false; end if;
  perform pg_advisory_xact_lock_shared(month_lock(link, to_char(fee_day, 'YYYY-MM')));
  if exists (select from closed_months m where m.connection_id = link and m.month = to_char(fee_day, 'YYYY-MM') and m.state = 'closed') then
    return false;
  end if;
  fee := shared_money(fee, link);
  insert into charges (connection_id, currency, family_id, child_id, family_tutor_id, practice_id, student_id, practice_tutor_id,
      fee_period, day, amount_cents, reason, label, practice_answer, practice_answer_version, practice_answered_at, practice_took_part)
    values (link, fee.currency, fee.family_id, fee.child_id, fee.family_tutor_id, fee.practice_id, fee.student_id, fee.practice_tutor_id,
      of_period, fee_day, amount, 'fee', words, 'confirmed', 1, clock_timestamp(), true)
    returning * into fee;
  perform add_history(fee, 'practice', 'logged', '{}', null);
  return true;
end $$;

-- Whether a month's or a term's fee covers the lessons of a day, so that they have no price of their own. Each belongs as a whole to the
-- terms that apply on its first day, and none begins before a term with a fee is over (feesUpTo in src/features/terms/fees.ts).
create or replace function is_covered_by_fee(link uuid, lesson_day date) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  first_of date;
  rules jsonb;
  -- The day on which the period that was found last is over.
  over date := '-infinity';
begin
  for first_of, rules in
    select m::date, latest.rules from generate_series(
        (select date_trunc('month', min(t.applies_from)) from terms t where t.connection_id = link
          and (t.family_id = app_workspace() or t.practice_id = app_workspace()) and t.is_verified and t.rules ? 'fee'),
        date_trunc('month', lesson_day), interval '1 month') m
      cross join lateral (select t.rules from terms t
        where t.connection_id = link and (t.family_id = app_workspace() or t.practice_id = app_workspace()) and t.is_verified
          and t.applies_from <= m::date and (t.ended_on is null or t.ended_on > m::date)
        order by t.applies_from desc, t.key desc limit 1) latest
      where latest.rules ? 'fee' order by m
  loop
    continue when first_of < over;
    if rules #>> '{fee,per}' = 'month' then
      over := first_of + interval '1 month';
    elsif begins_term(rules, first_of) then
      over := first_of;
      loop over := over + interval '1 month'; exit when begins_term(rules, over); end loop;
    end if;
  end loop;
  return over > lesson_day;
end $$;

-- Whether a term begins on this first day of a month (termOf in src/features/terms/term.ts).
create or replace function begins_term(rules jsonb, first_of date) returns boolean language sql immutable
as $$ select coalesce(rules -> 'term_months', '[1, 7]') @> to_jsonb(extract(month from first_of)::integer) $$;
