-- Prices of pairs from a day on, and lessons priced per lesson (docs/decisions/0048-prices-of-pairs.md).

create table prices (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  student_id uuid not null,
  tutor_id uuid not null,
  from_day date not null,
  amount_cents integer not null check (amount_cents between 0 and 1000000),
  -- How long the lesson is that the amount is for. Null if it's for an hour.
  lesson_minutes smallint check (lesson_minutes between 5 and 1440),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint prices_one_a_day unique (workspace_id, student_id, tutor_id, from_day),
  foreign key (workspace_id, student_id) references students on delete cascade,
  foreign key (workspace_id, tutor_id) references tutors on delete cascade
);
create index prices_of_tutor on prices (workspace_id, tutor_id);
-- A caregiver sees no amount.
grant select (workspace_id, id, student_id, tutor_id, from_day, amount_cents, lesson_minutes, version, created_at, updated_at),
  insert (workspace_id, id, student_id, tutor_id, from_day, amount_cents, lesson_minutes),
  update (from_day, amount_cents, lesson_minutes, version, updated_at), delete on prices to tutorlog_family, tutorlog_practice;

-- The smallest amount of a currency, in cents: 100 for those without decimals (ISO 4217).
create function least_amount(currency text) returns integer
language sql immutable parallel safe
return case when currency = any (array['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'])
  then 100 else 1 end;
-- What some minutes cost at a price for a stated length, rounded half up to the currency's smallest amount.
create function price_of(price integer, stated_minutes integer, minutes integer, currency text) returns integer
language sql immutable parallel safe
return ((price::bigint * minutes * 2 + stated_minutes * least_amount(currency)) / (2 * stated_minutes * least_amount(currency))
  * least_amount(currency))::integer;

-- A price per lesson counts in place of the default rate per hour.
alter table sessions
  -- Up to a day at the highest rate: a share of a lesson is stored as the price of its length.
  add lesson_price_cents integer check (lesson_price_cents between 0 and 24000000),
  add lesson_price_minutes smallint check (lesson_price_minutes between 5 and 1440),
  -- Which of its own prices each side took for the session, and since when that price applies.
  add family_price_source text check (family_price_source in ('schedule', 'pair', 'student', 'tutor', 'shared')),
  add family_price_since date,
  add practice_price_source text check (practice_price_source in ('schedule', 'pair', 'student', 'tutor', 'shared')),
  add practice_price_since date,
  add constraint sessions_lesson_price check ((lesson_price_cents is null) = (lesson_price_minutes is null)
    and (lesson_price_cents is null or tutor_rate_cents is null));
-- PostgreSQL 15 and 16 can't change how a column is computed. There, what reads it is made again after the migrations.
do $$
declare
  computed text := 'case when rate_override_cents is not null then price_of(rate_override_cents, 60, minutes, currency)
    else coalesce(price_of(lesson_price_cents, lesson_price_minutes, minutes, currency), price_of(tutor_rate_cents, 60, minutes, currency)) end';
begin
  if current_setting('server_version_num')::int >= 170000 then
    execute format('alter table sessions alter total_cents set expression as (%s)', computed);
  else
    alter table sessions drop column total_cents cascade;
    execute format('alter table sessions add total_cents integer generated always as (%s) stored', computed);
    grant select (total_cents) on sessions to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link, tutorlog_system;
  end if;
end $$;
grant select (lesson_price_cents, lesson_price_minutes), insert (lesson_price_cents, lesson_price_minutes),
  update (lesson_price_cents, lesson_price_minutes) on sessions to tutorlog_family, tutorlog_practice;
grant select (lesson_price_cents, lesson_price_minutes) on sessions to tutorlog_link, tutorlog_family_link, tutorlog_system;
grant select (family_price_source, family_price_since), insert (family_price_source, family_price_since),
  update (family_price_source, family_price_since) on sessions to tutorlog_family;
grant select (practice_price_source, practice_price_since), insert (practice_price_source, practice_price_since),
  update (practice_price_source, practice_price_since) on sessions to tutorlog_practice;

-- Caregivers don't read a price per lesson in the history either.
drop view if exists caregiver.history;
alter table history drop column open_facts;
alter table history add open_facts jsonb not null generated always as
  (facts - array['rate_cents', 'total_cents', 'merged', 'proposed', 'lesson_price_cents', 'lesson_price_minutes']) stored;
grant select (open_facts) on history to tutorlog_caregiver;
