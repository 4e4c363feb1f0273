-- What a family reads of how its tutors want to be paid: the ways of the practice of one active connection of its own, as long as
-- that practice's account is open; without an account, on its emailed page. A caregiver and a member for some students have no rights here.
create or replace function connection_payment_ways(link uuid) returns table (id uuid, kind text, details jsonb)
language sql stable security definer set search_path = public, pg_temp
as $$
  select w.id, w.kind, w.details from connections c join payment_ways w on w.workspace_id = c.practice_id
  where c.id = link and c.family_closed_at is null and c.practice_closed_at is null
    and ((c.state = 'active' and c.family_id = app_workspace() and app_students() is null and app_role() <> 'caregiver')
      -- A family without an account may pay with its first answer.
      or (c.state in ('asked', 'active') and c.id = app_open_family_link()))
  order by w.position
$$;
revoke all on function connection_payment_ways(uuid) from public;
grant execute on function connection_payment_ways(uuid) to tutorlog_family, tutorlog_family_link;
