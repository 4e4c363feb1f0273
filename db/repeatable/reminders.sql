-- When a schedule or one of its classes changes, each side that has it is looked at again: its classes may end at other times.
create or replace function classes_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into class_clocks as c (workspace_id)
    select distinct place from unnest(array[old.family_id, old.practice_id, new.family_id, new.practice_id]) place join workspaces w on w.id = place
    on conflict (workspace_id) do update set due_at = '-infinity', changes = c.changes + 1;
  return null;
end $$;
revoke all on function classes_changed() from public;
select for_each(array['schedules', 'schedule_changes'],
  'create or replace trigger {name}_clocks after insert or update or delete on {name} for each row execute function classes_changed()');
