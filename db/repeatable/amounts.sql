-- Who may see amounts: everyone in a practice, and in a family everyone but its caregivers (src/kernel/amounts.ts). They speak as
-- tutorlog_caregiver, which has no grant on a rate, a total, a payment or the note of a dispute; its schema has the same names as the
-- family's, and null for each of those, so that one text of a query serves both.
create schema if not exists caregiver;

-- The columns of a side's view, as an SQL list; null under the same names for caregivers.
create or replace function null_for_caregivers(side text, type text, variadic columns text[]) returns text language sql immutable as $$
  select string_agg(case side when 'caregiver' then format('null::%s as %I', type, split_part(one, ' as ', -1)) else one end, ', ' order by place)
  from unnest(columns) with ordinality as given (one, place) $$;
revoke all on function null_for_caregivers(text, text, text[]) from public;

drop view if exists caregiver.students, caregiver.tutors, caregiver.schedules;
do $$
declare place text;
begin
  foreach place in array array['students', 'tutors', 'schedules'] loop
    execute (select format('create view caregiver.%1$I with (security_invoker = true) as select %2$s from public.%1$I; grant select on caregiver.%1$I to tutorlog_caregiver', place,
        string_agg(case a.attname when 'hourly_rate_cents' then null_for_caregivers('caregiver', 'integer', a.attname) else quote_ident(a.attname) end, ', ' order by a.attnum))
      from pg_attribute a where a.attrelid = format('public.%I', place)::regclass and a.attnum > 0 and not a.attisdropped);
  end loop;
end $$;
