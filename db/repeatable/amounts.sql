-- Everyone in a practice sees amounts. In a family, everyone except caregivers does (src/features/access/role.ts).
-- Caregivers act as tutorlog_caregiver, which has no grant on rates, totals, payments or dispute notes. That
-- role's schema has views with the same names as the family's, with null in those columns, so the same query
-- text works for both.
create schema if not exists caregiver;

-- A side's view columns as an SQL list. For caregivers, the columns they may not read are null but keep their
-- names.
create or replace function null_for_caregivers(side text, type text, variadic columns text[]) returns text language sql immutable as $$
  select string_agg(case side when 'caregiver' then format('null::%s as %I', type, split_part(one, ' as ', -1)) else one end, ', ' order by place)
  from unnest(columns) with ordinality as given (one, place) $$;
revoke all on function null_for_caregivers(text, text, text[]) from public;

drop view if exists caregiver.students, caregiver.tutors;
do $$
declare place text;
begin
  foreach place in array array['students', 'tutors'] loop
    execute (select format('create view caregiver.%1$I with (security_invoker = true)
      as select %2$s from public.%1$I; grant select on caregiver.%1$I to tutorlog_caregiver', place,
        string_agg(case a.attname when 'hourly_rate_cents' then null_for_caregivers('caregiver', 'integer', a.attname)
            else quote_ident(a.attname) end, ', ' order by a.attnum))
      from pg_attribute a where a.attrelid = format('public.%I', place)::regclass and a.attnum > 0 and not a.attisdropped);
  end loop;
end $$;
