-- Notifies open pages that data has changed.

-- Notifies both sides that an entry has changed. The notification contains only ids.
create or replace function notify_sides() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform pg_notify('changes', side::text) from unnest(array[old.family_id, old.practice_id, new.family_id, new.practice_id]) side
    where side is not null;
  return null;
end $$;
create or replace trigger history_notifies after insert on history for each row execute function notify_sides();
create or replace trigger connection_notifies after insert or update of state, email_key on connections for each row execute function notify_sides();
select for_kinds('create or replace trigger {kind}_notifies after insert or update or delete on {place} for each row execute function notify_sides()');
create or replace trigger month_notifies after insert or delete or update of state on closed_months for each row execute function notify_sides();

-- Notifies both sides of a connection.
create or replace function notify_both(c connections) returns void
language sql
as $$ select pg_notify('changes', side::text) from unnest(array[c.family_id, c.practice_id]) side where side is not null $$;

-- Notifies whoever a column names: the members of a workspace, or an account that has lost a login ('out:').
create or replace function notify_members() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', coalesce(tg_argv[1], '') || (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0]));
  return null;
end $$;
select for_each(array['students', 'tutors', 'members', 'member_students', 'member_invitations', 'handed_links'],
  'create or replace trigger {name}_notifies after insert or update or delete on {name} for each row execute function notify_members(''workspace_id'')');
select for_kinds('create or replace trigger {kind}_notes_notifies after insert or update or delete on {kind}_notes for each row
  execute function notify_members(''workspace_id'')');
create or replace trigger login_ended after delete on logins for each row execute function notify_members('user_id', 'out:');
create or replace trigger workspaces_notifies after update on workspaces for each row
  when (old.currency <> new.currency or old.owner_name is distinct from new.owner_name) execute function notify_members('id');
