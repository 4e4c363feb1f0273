-- Requesting connections, matching students and sharing sessions (for the rest, see merging.sql and
-- splitting.sql). Unlike the roles that serve requests, these functions see both sides. Each acts only for a
-- side of the given connection.

-- Whether a practice shares a student's lessons under a connection. True once the family has matched a child
-- to the student. Also true if the practice's request to an address includes the student.
create or replace function is_shared_with(link connections, person connection_people) returns boolean
language sql immutable set search_path = public, pg_temp
as $$ select case when link.family_id is null then link.state in ('asked', 'active') else link.state = 'active' and person.child_id is not null end $$;

-- Returns a name in a form that no email client turns into a link, because someone on the other side typed
-- it. Like plainName in src/kernel/plain-name.ts.
create or replace function plain_name(name text) returns text
language sql immutable set search_path = public, pg_temp
as $$ select coalesce(nullif(btrim(left(regexp_replace(regexp_replace(regexp_replace(normalize(name, NFKC),
  '[:/\\@<>\[\]()]+', ' ', 'g'), '\+?[0-9]([\s.-]{0,3}[0-9]){6,}', ' ', 'g'), '([.。])(?=[^\s.。])', '\1 ', 'g'), 60)), ''), '?') $$;

-- Adds students to a connection that the practice is requesting by email address. Returns the number of
-- students who are new to the connection.
create or replace function invite_students(link uuid, chosen uuid[]) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  added integer;
begin
  if c.practice_id is distinct from app_workspace() or c.family_id is not null then
    raise exception 'only the practice can choose which students it shares' using errcode = 'insufficient_privilege';
  end if;
  insert into connection_people (connection_id, practice_id, student_id, first_name)
    select c.id, c.practice_id, s.id, s.first_name from students s where s.workspace_id = c.practice_id and s.id = any (chosen)
    on conflict (connection_id, student_id) do nothing;
  get diagnostics added = row_count;
  return added;
end $$;

-- The address that a practice sent its request to, as the practice typed it.
create or replace function invited_address(link uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select c.email from connections c where c.id = link and c.asked_by = 'practice' and c.practice_id = app_workspace() $$;

-- For a family: the practice that's asking it to connect, with the tutor's name, address and latest hourly
-- rate.
create or replace function asking_practice(link uuid) returns table (name text, email text, rate_cents integer)
language sql stable security definer set search_path = public, pg_temp
as $$ select w.owner_name, u.email, (select coalesce(s.rate_override_cents, s.tutor_rate_cents) from sessions s where s.connection_id = c.id
    order by s.day desc, s.key desc limit 1)
  from connections c join workspaces w on w.id = c.practice_id join members m on m.workspace_id = w.id and m.role = 'owner' join users u on u.id = m.account_id
  where c.id = link and c.asked_by = 'practice'
    and (c.family_id = app_workspace() or (c.family_id is null and c.state in ('asked', 'active') and c.practice_closed_at is null
    and c.email_key = app_address() and app_role() in ('owner', 'parent') and app_students() is null)) $$;

-- For a tutor who answered by email and now has an account: how many sessions come along, and the latest
-- hourly rate. What the family calls the tutor stays with the family.
create or replace function arriving_sessions(link uuid) returns table (sessions integer, rate_cents integer)
language sql stable security definer set search_path = public, pg_temp
as $$ select (select count(*)::integer from sessions s where s.connection_id = c.id),
    (select coalesce(s.rate_override_cents, s.tutor_rate_cents) from sessions s where s.connection_id = c.id order by s.day desc, s.key desc limit 1)
  from connections c where c.id = link and c.practice_id is null and c.state = 'active' and c.family_closed_at is null
    and c.email_key = app_address() and app_role() = 'owner' and app_students() is null $$;

-- Matches a family's child in a connection to one of the practice's students. If there's no match yet,
-- creates a student with the child's first name.
create or replace function connected_child(link connections, child uuid) returns connection_people
language plpgsql security definer set search_path = public, pg_temp
as $$
declare person connection_people;
begin
  insert into connection_people (connection_id, family_id, child_id, practice_id, first_name)
    select link.id, link.family_id, s.id, link.practice_id, s.first_name from students s where s.workspace_id = link.family_id and s.id = child
    on conflict (connection_id, child_id) do nothing;
  select * into person from connection_people p where p.connection_id = link.id and p.child_id = child for update;
  if person.id is not null and person.student_id is null and link.practice_id is not null then
    insert into students (workspace_id, name) values (link.practice_id, plain_name(person.first_name)) returning id into person.student_id;
    update connection_people set practice_id = link.practice_id, student_id = person.student_id where connection_id = link.id and id = person.id;
  end if;
  return person;
end $$;

-- The connection, if the caller is on one of its sides. Otherwise raises an error. Locks both sides (sharing.sql).
create or replace function own_connection(link uuid) returns connections
language plpgsql security definer set search_path = public, pg_temp
as $$
declare c connections := lock_sides(link);
begin
  -- Members who are limited to some students can't decide on behalf of all of them.
  if not coalesce(app_workspace() in (c.family_id, c.practice_id) or c.id = app_link(), false) or app_students() is not null then raise exception 'this member cannot change the connection' using errcode = 'insufficient_privilege'; end if;
  return c;
end $$;

-- Shares the sessions that the two sides logged under a requested or accepted connection. Those that look
-- like the same lesson aren't shared yet.
create or replace function share_sessions(link uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  own_row uuid := (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self);
begin
  if c.state not in ('asked', 'active') then return; end if;
  -- When a practice has sent a request to an address, the person at that address sees the lessons of the
  -- students in the request.
  if c.family_id is null then
    update sessions s set connection_id = c.id from connection_people p where p.connection_id = c.id and p.student_id = s.student_id
      and s.practice_id = c.practice_id
      and s.family_id is null and s.connection_id is null and can_share(s, c);
  end if;
  insert into connection_people (connection_id, family_id, child_id, practice_id, first_name)
    select distinct c.id, c.family_id, s.id, c.practice_id, s.first_name from sessions l join students s on s.workspace_id = l.family_id and s.id = l.child_id
    where l.family_id = c.family_id and l.family_tutor_id = c.tutor_id on conflict (connection_id, child_id) do nothing;
  if c.practice_id is not null then
    perform connected_child(c, p.child_id) from connection_people p where p.connection_id = c.id and p.child_id is not null;
    perform pair_sessions(c, null);
  end if;
  update sessions s set connection_id = c.id, practice_id = c.practice_id, student_id = p.student_id, practice_tutor_id = own_row from connection_people p
    where p.connection_id = c.id and p.child_id = s.child_id and s.family_id = c.family_id and s.family_tutor_id = c.tutor_id and s.practice_id is null
      and can_share(s, c);
  if c.practice_id is not null and c.family_id is not null then
    update sessions s set connection_id = c.id, family_id = c.family_id, child_id = p.child_id, family_tutor_id = c.tutor_id
      from connection_people p where p.connection_id = c.id and p.student_id = s.student_id and p.child_id is not null
        and s.practice_id = c.practice_id and s.family_id is null and (s.connection_id is null or s.connection_id = c.id) and can_share(s, c);
    -- Sessions that still have only one side were shared with the address, so unshare them here.
    update sessions s set connection_id = null, deletion_asked_by = null, deletion_asked_at = null, version = s.version + (s.deletion_asked_by is not null)::int
      where s.connection_id = c.id and (s.practice_id is null or s.family_id is null);
    perform for_money(format('select take_over_{place}(c) from connections c where c.id = %L', c.id));
    perform take_over_terms(c);
    -- If a child is now treated as a new student, the child's shared sessions move to that student.
    perform for_kinds(format('update {place} s set student_id = p.student_id from connection_people p
      where p.connection_id = %1$L and p.child_id = s.child_id and s.connection_id = %1$L and s.student_id <> p.student_id', c.id), 'start_time');
  end if;
  update history h set connection_id = s.connection_id, family_id = s.family_id, practice_id = s.practice_id from sessions s
    where s.connection_id = c.id and h.kind = 'session' and h.entry_key = s.key
      and (h.connection_id, h.family_id, h.practice_id) is distinct from (s.connection_id, s.family_id, s.practice_id);
  perform notify_both(c);
end $$;

-- The practice sees the first name that the family currently uses for a child.
create or replace function rename_child() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update connection_people set first_name = new.first_name where family_id = new.workspace_id and child_id = new.id;
  -- Until a family takes over the connection, only the student's name is known.
  update connection_people set first_name = new.first_name where practice_id = new.workspace_id and student_id = new.id and family_id is null;
  return null;
end $$;
create or replace trigger child_renamed after update of name on students for each row when (old.first_name is distinct from new.first_name)
  execute function rename_child();

-- The connection that shares the caller's lesson with this student and tutor. If a student is in several,
-- prefers the current one, then the one accepted last.
create or replace function shared_connection(student uuid, tutor uuid, now_under uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select c.id from connections c where c.family_id = app_workspace() and c.tutor_id = tutor and c.state in ('asked', 'active')
  union all (select c.id from connections c join connection_people p on p.connection_id = c.id
    where c.practice_id = app_workspace() and p.student_id = student and is_shared_with(c, p)
    order by c.id is not distinct from now_under desc, c.state = 'active' desc, c.created_at desc) limit 1 $$;

-- The families that share each of the practice's students, by name or by the address that the request was
-- sent to. Sorted with accepted connections first, then newest first.
create or replace function student_families() returns table (student_id uuid, connection_id uuid, owner_name text)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.student_id, c.id, coalesce(w.owner_name, c.email) from connections c join connection_people p on p.connection_id = c.id
  left join workspaces w on w.id = c.family_id
  where c.practice_id = app_workspace() and p.student_id is not null and is_shared_with(c, p)
    and (app_students() is null or p.student_id = any (app_students())) order by c.state = 'active' desc, c.created_at desc, c.id $$;
-- Whether the caller's workspace has already logged a class. Includes classes of students whom a limited
-- member can't see.
create or replace function is_class_logged(schedule uuid, class_day date) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from sessions s where s.family_id = app_workspace() and s.family_schedule_id = schedule and s.family_class_day = class_day)
  or exists (select from sessions s where s.practice_id = app_workspace() and s.practice_schedule_id = schedule and s.practice_class_day = class_day) $$;

-- Sets which of the practice's students a child is matched to. Sessions that are already shared move to that
-- student. Null makes the child a new student.
create or replace function match_child(link uuid, person uuid, student uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  child uuid;
begin
  if c.practice_id is distinct from app_workspace() then raise exception 'only the practice can match its students'
    using errcode = 'insufficient_privilege'; end if;
  -- The practice may have shared the student before the family said which child it is.
  delete from connection_people where connection_id = c.id and id <> person and student_id = student and child_id is null;
  update connection_people set practice_id = c.practice_id, student_id = student where connection_id = c.id and id = person returning child_id into child;
  if student is not null then
    perform for_kinds(format('update {place} set student_id = %L
      where connection_id = %L and child_id = %L and practice_id = %L', student, c.id, child, c.practice_id), 'start_time');
  end if;
end $$;

-- Sets which of the family's children a student is matched to. Sessions that are already shared move to that
-- child.
create or replace function match_student(link uuid, person uuid, child uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  student uuid;
begin
  if c.family_id is distinct from app_workspace() then raise exception 'only the family can match its children'
    using errcode = 'insufficient_privilege'; end if;
  update connection_people p set family_id = c.family_id, child_id = child,
      first_name = coalesce((select s.first_name from students s where s.workspace_id = c.family_id and s.id = child), p.first_name)
    where p.connection_id = c.id and p.id = person returning p.student_id into student;
  if child is not null and student is not null then
    perform for_kinds(format('update {place} set child_id = %L
      where connection_id = %L and student_id = %L and family_id = %L', child, c.id, student, c.family_id), 'start_time');
  end if;
end $$;

-- The account of the owner on the other side of the caller's connection. Null if that side has no account.
create or replace function other_owner(link uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select m.account_id from connections c join members m on m.role = 'owner'
    and m.workspace_id = case when app_workspace() = c.family_id or (c.id = app_link() and c.family_id is null) then c.practice_id
      when app_workspace() = c.practice_id or c.id = app_link() then c.family_id end
  where c.id = link $$;
