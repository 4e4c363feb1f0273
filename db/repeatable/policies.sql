-- Which rows a role sees and writes, of the tables that belong to workspaces. Whoever speaks is an account in a workspace:
-- app_workspace() is null for whoever is not its member, so that every policy is one equality.
do $$
declare old record;
begin
  for old in select tablename, policyname from pg_policies where tablename in ('workspaces', 'members', 'member_invitations', 'students', 'tutors',
    'sessions', 'session_history', 'schedules', 'schedule_changes', 'calendar_feeds', 'payments', 'tutor_links', 'link_tokens', 'family_students',
    'declined_proposals', 'sign_offs') loop
    execute format('drop policy %I on %I', old.policyname, old.tablename);
  end loop;
end $$;

-- Signing in and the jobs, on the columns that they are granted.
do $$
declare name text;
begin
  foreach name in array array['workspaces', 'members', 'member_invitations', 'session_history', 'tutor_links', 'link_tokens', 'family_students', 'declined_proposals', 'sign_offs'] loop
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
end $$;
create policy system_self on tutors for all to tutorlog_system using (is_self) with check (is_self);

-- A workspace and its members. Who is a member is seen by members, and changed by the owner; anybody else may only leave.
create policy own_memberships on members for select to tutorlog_app, tutorlog_tutor using (account_id = app_account());
create policy fellow_members on members for select to tutorlog_app using (workspace_id = (select app_workspace()));
create policy owner_gives_roles on members for update to tutorlog_app
  using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner' and role <> 'owner')
  with check (workspace_id = (select app_workspace()) and role <> 'owner');
create policy owner_removes on members for delete to tutorlog_app
  using (workspace_id = (select app_workspace()) and role <> 'owner' and ((select app_role()) = 'owner' or account_id = app_account()));
create policy owner_invites on member_invitations for all to tutorlog_app
  using (workspace_id = (select app_workspace()) and (select app_role()) = 'owner')
  with check (workspace_id = (select app_workspace()) and (select app_role()) = 'owner');
create policy own_workspaces on workspaces for select to tutorlog_app
  using (id in (select m.workspace_id from members m where m.account_id = app_account()));
-- The tutor's side reads the name and the currency of the families that it is linked with.
create policy linked_workspaces on workspaces for select to tutorlog_tutor using (id = (select app_workspace()) or id in (select l.workspace_id from tutor_links l));
create policy settings on workspaces for update to tutorlog_app
  using (id = (select app_workspace()) and (select app_role()) in ('owner', 'parent')) with check (id = (select app_workspace()));
-- app_workspace() and the triggers below work as the owner of the tables.
create policy owner_reads on members for select to tutorlog_owner using (true);
create policy owner_reads on workspaces for select to tutorlog_owner using (true);
create policy owner_names on workspaces for update to tutorlog_owner using (true);
create policy owner_erases on workspaces for delete to tutorlog_owner using (true);

do $$
declare name text;
begin
  foreach name in array array['students', 'tutors', 'sessions', 'schedules', 'schedule_changes', 'payments', 'declined_proposals'] loop
    execute format('create policy own_rows on %I for all to tutorlog_app using (workspace_id = (select app_workspace())) with check (workspace_id = (select app_workspace()))', name);
  end loop;
end $$;
-- A viewer changes nothing, whatever a route forgot.
do $$
declare name text;
begin
  foreach name in array array['students', 'tutors', 'sessions', 'schedules', 'schedule_changes', 'payments', 'declined_proposals', 'tutor_links'] loop
    execute format('create policy viewers_insert on %I as restrictive for insert to tutorlog_app with check ((select app_role()) <> ''viewer'')', name);
    execute format('create policy viewers_update on %I as restrictive for update to tutorlog_app using ((select app_role()) <> ''viewer'')', name);
    execute format('create policy viewers_delete on %I as restrictive for delete to tutorlog_app using ((select app_role()) <> ''viewer'')', name);
  end loop;
end $$;
create policy own_rows on calendar_feeds for all to tutorlog_app using (workspace_id = (select app_workspace()) and account_id = app_account())
  with check (workspace_id = (select app_workspace()) and account_id = app_account());
create policy own_rows on sign_offs for select to tutorlog_app using (workspace_id = (select app_workspace()));
create policy system_feeds on calendar_feeds for select to tutorlog_system using (true);

-- The family's side of a link: it asks and it ends. It cannot accept in the tutor's place.
create policy family_reads on tutor_links for select to tutorlog_app using (workspace_id = (select app_workspace()));
create policy family_asks on tutor_links for insert to tutorlog_app
  with check (workspace_id = (select app_workspace()) and state = 'asked' and tutor_user_id is null);
create policy family_ends on tutor_links for update to tutorlog_app using (workspace_id = (select app_workspace()))
  with check (workspace_id = (select app_workspace()) and state = 'ended' and ended_by = 'family');

-- The tutor's side: links that name this practice, this account's confirmed address, or the emailed link that was opened. Of
-- a closed link a tutor with an account reads what was there and writes nothing; an emailed link and a question are gone.
create policy tutor_reads on tutor_links for select to tutorlog_tutor using (
  (state = 'active' and tutor_user_id = (select app_workspace()))
  or (state in ('asked', 'active') and closed_at is null and (id = app_link()
    or (tutor_user_id is null and email_key = (select u.email_key from users u where u.id = app_account() and u.email_confirmed_at is not null)))));
-- An update has to see what it wrote; a link that is over shows no session to anyone.
create policy tutor_reads_own_end on tutor_links for select to tutorlog_tutor
  using (state in ('declined', 'ended') and (tutor_user_id = (select app_workspace()) or id = app_link()));
-- An update that reads no column is held by this policy alone, so it names whose links these are.
create policy tutor_answers on tutor_links for update to tutorlog_tutor
  using (state in ('asked', 'active') and (tutor_user_id = (select app_workspace()) or (closed_at is null and (id = app_link()
    or (tutor_user_id is null and email_key = (select u.email_key from users u where u.id = app_account() and u.email_confirmed_at is not null))))))
  with check (state in ('active', 'declined', 'ended') and (state <> 'active' or closed_at is null) and (ended_by is null or ended_by = 'tutor')
    and tutor_user_id is not distinct from (select app_workspace()));
create policy owner_reads on tutor_links for select to tutorlog_owner using (true);

-- A session belongs to a link when its tutor is the link's. An account sees it once the link was accepted; an emailed link at
-- once. Sessions of later days that were logged beforehand do not show up while the account waits to be erased.
create policy linked_sessions on sessions for select to tutorlog_tutor using (exists (
  select from tutor_links l where l.workspace_id = sessions.workspace_id and l.tutor_id = sessions.tutor_id
    and (l.closed_at is null or sessions.day <= (l.closed_at at time zone 'UTC')::date + 1)
    and ((l.state = 'active' and l.tutor_user_id = (select app_workspace())) or (l.state in ('asked', 'active') and l.id = app_link()))));
create policy tutor_word on sessions for update to tutorlog_tutor using (exists (
  select from tutor_links l where l.workspace_id = sessions.workspace_id and l.tutor_id = sessions.tutor_id and l.closed_at is null
    and ((l.state = 'active' and l.tutor_user_id = (select app_workspace())) or (l.state in ('asked', 'active') and l.id = app_link()))));
create policy system_reads on sessions for select to tutorlog_system using (true);
create policy owner_reads on sessions for select to tutorlog_owner using (true);
create policy system_names on tutors for select to tutorlog_system using (true);
create policy linked_students on students for select to tutorlog_tutor using (exists (
  select from sessions s where s.workspace_id = students.workspace_id and s.student_id = students.id));
create policy system_names on students for select to tutorlog_system using (true);
create policy tutor_rows on family_students for all to tutorlog_tutor using (workspace_id = (select app_workspace()))
  with check (workspace_id = (select app_workspace()) and exists (
    select from tutor_links l where l.id = link_id and l.state = 'active' and l.closed_at is null and l.tutor_user_id = (select app_workspace())));
create policy owner_reads on family_students for select to tutorlog_owner using (true);

create policy own_history on session_history for select to tutorlog_app using (workspace_id = (select app_workspace()));
create policy own_entries on session_history for insert to tutorlog_app
  with check (workspace_id = (select app_workspace()) and side = 'owner' and actor_id = app_account());
create policy tutor_reads on session_history for select to tutorlog_tutor using (exists (
  select from tutor_links l where l.workspace_id = session_history.workspace_id and l.tutor_id = session_history.tutor_id
    and ((l.state = 'active' and l.tutor_user_id = (select app_workspace())) or (l.state in ('asked', 'active') and l.id = app_link()))));
create policy tutor_writes on session_history for insert to tutorlog_tutor with check (side = 'tutor' and actor_id is not distinct from app_account() and exists (
  select from tutor_links l where l.workspace_id = session_history.workspace_id and l.tutor_id = session_history.tutor_id
    and ((l.state = 'active' and l.tutor_user_id = (select app_workspace())) or (l.state in ('asked', 'active') and l.id = app_link()))));
-- A reference that is emptied when a child or a tutor is deleted is emptied by the owner of the tables.
create policy owner_reads on session_history for select to tutorlog_owner using (true);
create policy cascade_writes on session_history for insert to tutorlog_owner with check (side in ('owner', 'system') and actor_id is not distinct from app_account());

-- Members see each other's names: history and lists say which of them it was.
drop policy if exists fellow_names on profiles;
create policy fellow_names on profiles for select to tutorlog_app
  using (user_id in (select m.account_id from members m where m.workspace_id = (select app_workspace())));

-- Whoever accepts or ends a connection asks for the email to the other side in the same transaction, and can ask for nothing else.
drop policy if exists connection_mail on outbox;
create policy connection_mail on outbox for insert to tutorlog_tutor with check (kind = 'connection_changed' and recipient = '' and exists (
  select from tutor_links l where l.id = (data ->> 'link_id')::uuid and l.workspace_id = user_id and (l.tutor_user_id = (select app_workspace()) or l.id = app_link())));
drop policy if exists connection_mail_to_tutor on outbox;
create policy connection_mail_to_tutor on outbox for insert to tutorlog_app with check (kind = 'connection_changed' and recipient = '' and exists (
  select from tutor_links l where l.id = (data ->> 'link_id')::uuid and l.workspace_id = (select app_workspace()) and l.tutor_user_id = user_id and l.state = 'ended'));
