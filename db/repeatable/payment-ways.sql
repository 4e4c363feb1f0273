-- The payment options a family can see: those of every practice it has an active connection with, while both
-- accounts are open. A family without an account sees them on its emailed page. Caregivers and members
-- limited to some students can't read them.
create or replace function connection_payment_ways(link uuid) returns table (id uuid, kind text, details jsonb)
language sql stable security definer set search_path = public, pg_temp
as $$
  select w.id, w.kind, w.details from connections c join payment_ways w on w.workspace_id = c.practice_id
  where c.id = link and c.family_closed_at is null and c.practice_closed_at is null
    and ((c.state = 'active' and c.family_id = app_workspace() and app_students() is null and app_role() <> 'caregiver')
      -- A family without an account may want to pay before answering the practice's request.
      or (c.state in ('asked', 'active') and c.id = app_open_family_link()))
  order by w.position
$$;

-- Notifies a practice's families that its payment options have changed. Families are notified right away, but
-- get at most one email a day per connection. Further changes on the same day are announced by the next day's
-- job (docs/decisions/0018-ways-to-pay.md). When a practice calls this, its options are marked as just
-- changed. When the system calls it, it sends the emails that are still due.
create or replace function tell_of_ways(moment timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare own uuid := app_workspace();
begin
  if own is not null then
    update connections set ways_changed_at = moment where practice_id = own and state = 'active' and family_closed_at is null;
    perform pg_notify('changes', c.family_id::text) from connections c where c.practice_id = own and c.state = 'active' and c.family_id is not null;
  end if;
  with told as (
    update connections c set ways_told_at = moment
    where (own is null or c.practice_id = own) and c.state = 'active' and c.family_closed_at is null and c.practice_closed_at is null
      and c.ways_changed_at > coalesce(c.ways_told_at, '-infinity') and coalesce(c.ways_told_at, '-infinity') <= moment - interval '20 hours'
    returning c.id, c.family_id)
  insert into outbox (user_id, recipient, kind, data)
    select m.account_id, '', 'ways_changed', jsonb_build_object('link_id', t.id) from told t join members m on m.workspace_id = t.family_id
      and m.role <> 'caregiver' and m.all_students
    union all select null, '', 'ways_changed', jsonb_build_object('link_id', t.id) from told t where t.family_id is null;
end $$;
