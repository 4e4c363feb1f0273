-- Connecting two sides, and parting them. These functions see both sides, which no serving role can; each works for a side of
-- the connection that it is given and for nobody else.

-- A name that no program makes a link of, as src/kernel/plain-name.ts makes one: whoever typed it is on the other side.
create or replace function plain_name(name text) returns text
language sql immutable set search_path = public, pg_temp
as $$ select coalesce(nullif(btrim(left(regexp_replace(regexp_replace(regexp_replace(normalize(name, NFKC),
  '[:/\\@<>\[\]()]+', ' ', 'g'), '\+?[0-9]([\s.-]{0,3}[0-9]){6,}', ' ', 'g'), '([.。])(?=[^\s.。])', '\1 ', 'g'), 60)), ''), '?') $$;

-- Adds students to a connection that the practice asks an address for; how many are new in it.
create or replace function invite_students(link uuid, chosen uuid[]) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  added integer;
begin
  if c.practice_id is distinct from app_workspace() or c.family_id is not null then
    raise exception 'only the practice says which of its students it shares' using errcode = 'insufficient_privilege';
  end if;
  insert into connection_people (connection_id, practice_id, student_id, first_name)
    select c.id, c.practice_id, s.id, s.first_name from students s where s.workspace_id = c.practice_id and s.id = any (chosen)
    on conflict (connection_id, student_id) do nothing;
  get diagnostics added = row_count;
  return added;
end $$;
revoke all on function invite_students(uuid, uuid[]) from public;
grant execute on function invite_students(uuid, uuid[]) to tutorlog_practice;

-- The address that a practice asked, which it typed itself.
create or replace function invited_address(link uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select c.email from connections c where c.id = link and c.asked_by = 'practice' and c.practice_id = app_workspace() $$;
revoke all on function invited_address(uuid) from public;
grant execute on function invited_address(uuid) to tutorlog_practice;

-- Who asks a family: the tutor's name and address, and what an hour cost last.
create or replace function asking_practice(link uuid) returns table (name text, email text, rate_cents integer)
language sql stable security definer set search_path = public, pg_temp
as $$ select w.owner_name, u.email, (select coalesce(s.rate_override_cents, s.tutor_rate_cents) from sessions s where s.connection_id = c.id order by s.day desc, s.key desc limit 1)
  from connections c join workspaces w on w.id = c.practice_id join members m on m.workspace_id = w.id and m.role = 'owner' join users u on u.id = m.account_id
  where c.id = link and c.asked_by = 'practice' and (c.family_id = app_workspace() or (c.family_id is null and c.state in ('asked', 'active') and c.practice_closed_at is null
    and c.email_key = app_address() and app_role() in ('owner', 'parent') and app_students() is null)) $$;
revoke all on function asking_practice(uuid) from public;
grant execute on function asking_practice(uuid) to tutorlog_family;

-- A family's child under a connection: the practice knows it as one of its students, made under the first name where it has none.
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
revoke all on function connected_child(connections, uuid) from public;

-- The connection, where the caller is one of its sides; raises otherwise.
create or replace function own_connection(link uuid) returns connections
language plpgsql security definer set search_path = public, pg_temp
as $$
declare c connections;
begin
  select * into c from connections where id = link and (family_id = app_workspace() or practice_id = app_workspace() or id = app_link()) for update;
  -- Whoever keeps some of the students only decides nothing about all of them.
  if not found or app_students() is not null then raise exception 'this is nobody''s connection here' using errcode = 'insufficient_privilege'; end if;
  return c;
end $$;
revoke all on function own_connection(uuid) from public;

-- Whether a workspace kept a copy of its own of a session, which can be merged with it and not be shared beside it.
create or replace function is_copied(session sessions, workspace uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from sessions o where o.id = session.id and o.key <> session.key and workspace in (o.family_id, o.practice_id)) $$;
revoke all on function is_copied(sessions, uuid) from public;

-- Whether the other side of a connection is the one that a row was parted from, whose words are on it: the same workspace or, where it
-- had no account, the same address. Then parted_from names the connection that ended. A row that was never parted is anybody's.
create or replace function is_parted_from(parted_from uuid, c connections) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select parted_from is null or coalesce(parted_from = c.practice_id, false) or coalesce(parted_from = c.family_id, false)
  or exists (select from connections o where o.id = parted_from and o.asked_by = c.asked_by and o.email_key = c.email_key
    and case o.asked_by when 'family' then o.family_id = c.family_id else o.practice_id = c.practice_id end) $$;
revoke all on function is_parted_from(uuid, connections) from public;

-- Rows of the two that look like the same lesson: copies of one first, then the same child and day with the same start time or the nearest length, the earliest logged first.
create or replace function pair_sessions(c connections) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare candidate record;
begin
  for candidate in
    select f.key as family_key, p.key as practice_key from sessions f
      join connection_people who on who.connection_id = c.id and who.child_id = f.child_id
      join sessions p on p.practice_id = c.practice_id and p.family_id is null and p.student_id = who.student_id and p.currency = f.currency
        and is_parted_from(f.parted_from, c) and is_parted_from(p.parted_from, c) and (p.connection_id is null or p.connection_id = c.id)
        and (p.id = f.id or (p.day = f.day and not is_copied(f, c.practice_id) and not is_copied(p, c.family_id)))
    where f.family_id = c.family_id and f.family_tutor_id = c.tutor_id and f.practice_id is null and (c.shared_from is null or f.day >= c.shared_from or p.id = f.id)
    order by (p.id = f.id) desc, coalesce(f.start_time = p.start_time, false) desc, abs(f.minutes - p.minutes), f.key, p.key
  loop
    if not exists (select from session_pairs where family_key = candidate.family_key or practice_key = candidate.practice_key) then
      insert into session_pairs (connection_id, family_id, family_key, practice_id, practice_key)
        values (c.id, c.family_id, candidate.family_key, c.practice_id, candidate.practice_key);
    end if;
  end loop;
end $$;
revoke all on function pair_sessions(connections) from public;

-- Shows each side what the other logged under a connection that was asked for or accepted. What looks like the same lesson stays where it is.
create or replace function share_sessions(link uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  own_row uuid := (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self);
begin
  if c.state not in ('asked', 'active') then return; end if;
  -- An address that the practice asked is shown the lessons of the students it is asked for.
  if c.family_id is null then
    update sessions s set connection_id = c.id from connection_people p where p.connection_id = c.id and p.student_id = s.student_id and s.practice_id = c.practice_id
      and s.family_id is null and s.connection_id is null and is_parted_from(s.parted_from, c) and (c.shared_from is null or s.day >= c.shared_from)
      and not is_in_closed_month(c.id, s.day);
  end if;
  insert into connection_people (connection_id, family_id, child_id, practice_id, first_name)
    select distinct c.id, c.family_id, s.id, c.practice_id, s.first_name from sessions l join students s on s.workspace_id = l.family_id and s.id = l.child_id
    where l.family_id = c.family_id and l.family_tutor_id = c.tutor_id on conflict (connection_id, child_id) do nothing;
  if c.practice_id is not null then
    perform connected_child(c, p.child_id) from connection_people p where p.connection_id = c.id and p.child_id is not null;
    perform pair_sessions(c);
  end if;
  update sessions s set connection_id = c.id, practice_id = c.practice_id, student_id = p.student_id, practice_tutor_id = own_row from connection_people p
    where p.connection_id = c.id and p.child_id = s.child_id and s.family_id = c.family_id and s.family_tutor_id = c.tutor_id and s.practice_id is null
      and (c.shared_from is null or s.day >= c.shared_from) and not exists (select from session_pairs q where q.family_key = s.key)
      and (s.connection_id = c.id or not is_in_closed_month(c.id, s.day))
      and is_parted_from(s.parted_from, c) and (c.practice_id is null or not is_copied(s, c.practice_id));
  if c.practice_id is not null and c.family_id is not null then
    update sessions s set connection_id = c.id, family_id = c.family_id, child_id = p.child_id, family_tutor_id = c.tutor_id
      from connection_people p, workspaces w where w.id = c.family_id and p.connection_id = c.id and p.student_id = s.student_id and p.child_id is not null
        and s.practice_id = c.practice_id and s.family_id is null and (s.connection_id is null or s.connection_id = c.id) and s.currency = w.currency
        and (c.shared_from is null or s.day >= c.shared_from) and not exists (select from session_pairs q where q.practice_key = s.key)
        -- What a closed month does not have stays in the log of whoever logged it.
        and (s.connection_id = c.id or not is_in_closed_month(c.id, s.day))
        and is_parted_from(s.parted_from, c) and not is_copied(s, c.family_id);
    -- What stays a side's own was shared with the address that was asked.
    update sessions s set connection_id = null, deletion_asked_by = null, deletion_asked_at = null, version = s.version + (s.deletion_asked_by is not null)::int
      where s.connection_id = c.id and (s.practice_id is null or s.family_id is null);
    perform take_over_payments(c);
    -- Sessions of a child that is a new student now go along with it.
    update sessions s set student_id = p.student_id from connection_people p
      where p.connection_id = c.id and p.child_id = s.child_id and s.connection_id = c.id and s.student_id <> p.student_id;
  end if;
  update session_history h set connection_id = s.connection_id, family_id = s.family_id, practice_id = s.practice_id from sessions s
    where s.connection_id = c.id and h.session_key = s.key and (h.connection_id, h.family_id, h.practice_id) is distinct from (s.connection_id, s.family_id, s.practice_id);
  perform pg_notify('changes', side::text) from unnest(array[c.family_id, c.practice_id]) side where side is not null;
end $$;
revoke all on function share_sessions(uuid) from public;
grant execute on function share_sessions(uuid) to tutorlog_family, tutorlog_practice;

-- Parts shared rows in two: the family keeps the row, the practice a copy with the same id, the same words and the same history.
create or replace function split_sessions(shared sessions[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- The practice's side leaves the rows before its copies take their ids; nobody is left to agree to a deletion that was asked for.
  update sessions s set connection_id = null, practice_id = null, student_id = null, practice_tutor_id = null, practice_schedule_id = null, practice_class_day = null,
      deletion_asked_by = null, deletion_asked_at = null, version = s.version + (s.deletion_asked_by is not null)::int, parted_from = o.practice_id
    from unnest(shared) o where s.key = o.key and o.family_id is not null and o.practice_id is not null;
  insert into sessions (id, practice_id, student_id, practice_tutor_id, practice_schedule_id, practice_class_day, day, minutes, rate_override_cents, tutor_rate_cents, currency, subject, start_time, summary, homework, facts_version,
      family_word, family_word_version, family_word_at, family_word_note, family_reply, family_reply_at, family_took_part,
      practice_word, practice_word_version, practice_word_at, practice_word_note, practice_reply, practice_reply_at, practice_took_part, version, created_at, updated_at, parted_from)
    select o.id, o.practice_id, o.student_id, o.practice_tutor_id, o.practice_schedule_id, o.practice_class_day, o.day, o.minutes, o.rate_override_cents, o.tutor_rate_cents, o.currency, o.subject, o.start_time, o.summary, o.homework, o.facts_version,
      o.family_word, o.family_word_version, o.family_word_at, o.family_word_note, o.family_reply, o.family_reply_at, o.family_took_part,
      o.practice_word, o.practice_word_version, o.practice_word_at, o.practice_word_note, o.practice_reply, o.practice_reply_at, o.practice_took_part, o.version + (o.deletion_asked_by is not null)::int, o.created_at, o.updated_at, o.family_id
    from unnest(shared) o where o.family_id is not null and o.practice_id is not null;
  -- Whoever did something is named to the own side alone.
  insert into session_history (session_key, chain, seq, session_id, practice_id, at, side, actor_id, action, facts, changed, note, previous_hash, hash, hashed_text)
    select n.key, h.chain, h.seq, h.session_id, o.practice_id, h.at, h.side, case when h.side = 'practice' then h.actor_id end, h.action, h.facts, h.changed, h.note, h.previous_hash, h.hash, h.hashed_text
    from unnest(shared) o join sessions n on n.practice_id = o.practice_id and n.id = o.id join session_history h on h.session_key = o.key
    where o.family_id is not null;
  update session_history h set connection_id = null, practice_id = case when o.family_id is null then h.practice_id end from unnest(shared) o where h.session_key = o.key;
  -- What only one side had goes on being its own. What somebody without an account said of it is no word of whoever is asked next.
  -- Nobody is left to agree to a deletion here either.
  update sessions s set connection_id = null, deletion_asked_by = null, deletion_asked_at = null, version = s.version + (s.deletion_asked_by is not null)::int,
      parted_from = case when (o.practice_id is null and o.practice_took_part) or (o.family_id is null and o.family_took_part) then o.connection_id else s.parted_from end
    from unnest(shared) o where s.key = o.key and s.connection_id is not null;
end $$;
revoke all on function split_sessions(sessions[]) from public;

-- A connection that is over parts its two sides, whoever ended it: from now on each keeps its own.
create or replace function part_sides() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from session_pairs where connection_id = new.id;
  perform split_sessions(array(select s from sessions s where s.connection_id = new.id order by s.key for update));
  perform split_payments(array(select p from payments p where p.connection_id = new.id order by p.key for update));
  return null;
end $$;
revoke all on function part_sides() from public;
create or replace trigger connection_parted after update of state on connections for each row
  when (old.state in ('asked', 'active') and new.state in ('declined', 'ended')) execute function part_sides();

-- Takes a session that the other side does not let go out of the caller's own log: two weeks after asking and three days after the
-- second reminder, or after four weeks where no reminders could be sent (answerDue in src/features/sessions/confirmation.ts).
create or replace function leave_session(session bigint, moment timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare shared sessions; own sessions;
begin
  select * into shared from sessions s where key = session
    and (select asked <= moment - interval '28 days' or (reminders >= 2 and asked <= moment - interval '14 days' and reminded <= moment - interval '3 days')
      from (values ('family', s.practice_asked_since, s.practice_reminders, s.practice_reminded_at), ('practice', s.family_asked_since, s.family_reminders, s.family_reminded_at))
        question (asker, asked, reminders, reminded) where asker = s.deletion_asked_by)
    and case deletion_asked_by when 'family' then family_id else practice_id end = app_workspace() for update;
  if not found then return false; end if;
  delete from session_pairs where shared.key in (family_key, practice_key);
  perform split_sessions(array[shared]);
  select * into own from sessions where id = shared.id and case shared.deletion_asked_by when 'family' then family_id else practice_id end = app_workspace();
  perform add_history(own, shared.deletion_asked_by, 'deleted', '{}', null);
  delete from sessions where key = own.key;
  return true;
end $$;
revoke all on function leave_session(bigint, timestamptz) from public;
grant execute on function leave_session(bigint, timestamptz) to tutorlog_family, tutorlog_practice;

-- What the other side says of the pairs of a connection: its facts, and nothing private.
drop function if exists list_pairs(uuid);
create function list_pairs(link uuid) returns table (id uuid, family_session uuid, family_day date, family_minutes integer, family_rate_cents integer, family_total_cents integer, family_subject text, family_start time,
  practice_session uuid, practice_day date, practice_minutes integer, practice_rate_cents integer, practice_total_cents integer, practice_subject text, practice_start time, currency text, first_name text, held text)
language sql stable security definer set search_path = public, pg_temp
as $$ select x.id, case when x.family_id = app_workspace() then f.id end, f.day, f.minutes, coalesce(f.rate_override_cents, f.tutor_rate_cents), f.total_cents, f.subject, f.start_time,
    case when x.practice_id = app_workspace() then p.id end, p.day, p.minutes, coalesce(p.rate_override_cents, p.tutor_rate_cents), p.total_cents, p.subject, p.start_time, f.currency,
    (select who.first_name from connection_people who where who.connection_id = x.connection_id and who.child_id = f.child_id), case when f.is_held then 'family' when p.is_held then 'practice' end
  from session_pairs x join sessions f on f.key = x.family_key join sessions p on p.key = x.practice_key
  where x.connection_id = link and app_workspace() in (x.family_id, x.practice_id) and app_students() is null order by f.day desc, f.id $$;
revoke all on function list_pairs(uuid) from public;
grant execute on function list_pairs(uuid) to tutorlog_family, tutorlog_practice;

-- Shares a row that waited for an answer, as it would have been shared when it was logged.
create or replace function share_held(c connections, held bigint) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update sessions s set connection_id = c.id, currency = w.currency, family_id = c.family_id, child_id = who.child_id, family_tutor_id = c.tutor_id, practice_id = c.practice_id,
      student_id = who.student_id, practice_tutor_id = (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self)
    from connection_people who, workspaces w
    where s.key = held and w.id = c.family_id and who.connection_id = c.id and who.child_id is not null and who.student_id is not null and (who.child_id = s.child_id or who.student_id = s.student_id);
  update session_history h set connection_id = s.connection_id, family_id = s.family_id, practice_id = s.practice_id from sessions s where s.key = held and h.session_key = held;
  perform pg_notify('changes', side::text) from unnest(array[c.family_id, c.practice_id]) side;
end $$;
revoke all on function share_held(connections, bigint) from public;

-- A row that waits goes on without its pair when that is gone: shared while the two are connected, else in its own log.
create or replace function release_held() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  held sessions;
  c connections;
begin
  update sessions set is_held = false where key in (old.family_key, old.practice_key) and is_held returning * into held;
  if not found then return null; end if;
  select * into c from connections where id = old.connection_id and state = 'active' and family_closed_at is null and practice_closed_at is null;
  if found then perform share_held(c, held.key); end if;
  return null;
end $$;
revoke all on function release_held() from public;
create or replace trigger held_released after delete on session_pairs for each row execute function release_held();

-- Which of these sessions, shared by the caller, no pair names yet.
create or replace function unpaired_sessions(ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select s.id from sessions s where s.id = any (ids) and s.connection_id is not null and app_workspace() in (s.family_id, s.practice_id)
  and not exists (select from session_pairs x where s.key in (x.family_key, x.practice_key)) $$;
revoke all on function unpaired_sessions(uuid[]) from public;
grant execute on function unpaired_sessions(uuid[]) to tutorlog_family, tutorlog_practice, tutorlog_caregiver;

-- Puts rows of the caller's that wait on the list of pairs, each with the shared session that it looks like.
create or replace function pair_held(held uuid[], shared uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into session_pairs (connection_id, family_id, family_key, practice_id, practice_key)
    select o.connection_id, o.family_id, case when s.family_id is not null then s.key else o.key end, o.practice_id, case when s.family_id is not null then o.key else s.key end
    from unnest(held, shared) x(held_id, shared_id)
    join sessions s on s.id = x.held_id and s.is_held and (s.family_id = app_workspace() and s.practice_id is null or s.practice_id = app_workspace() and s.family_id is null)
    join sessions o on o.id = x.shared_id and o.family_id is not null and o.practice_id is not null and o.connection_id is not null and app_workspace() in (o.family_id, o.practice_id);
  perform pg_notify('changes', side::text) from sessions o, unnest(array[o.family_id, o.practice_id]) side where o.id = any (shared) and app_workspace() in (o.family_id, o.practice_id);
end $$;
revoke all on function pair_held(uuid[], uuid[]) from public;
grant execute on function pair_held(uuid[], uuid[]) to tutorlog_family, tutorlog_practice, tutorlog_caregiver;

-- Answers for a row that waits, beside the shared session that it may be. Where they are one, the shared one stays: its facts are the
-- family's, and whoever's row waited has said so of these facts or is asked.
create or replace function answer_held(c connections, side text, held sessions, shared sessions, is_same boolean) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own uuid := case side when 'family' then c.family_id else c.practice_id end;
  is_equal boolean := (held.day, held.minutes) = (shared.day, shared.minutes) and coalesce(held.rate_override_cents, held.tutor_rate_cents) is not distinct from coalesce(shared.rate_override_cents, shared.tutor_rate_cents);
  facts integer := shared.facts_version + (side = 'family' and not is_equal)::int;
  notes text := (select text from session_notes where workspace_id = own and session_id = held.id);
begin
  if not is_same then
    perform share_held(c, held.key);
    return;
  end if;
  update session_history h set session_key = shared.key, chain = h.chain + (select max(chain) from session_history where session_key = shared.key) where h.session_key = held.key;
  delete from sessions where key = held.key;
  update sessions set subject = coalesce(subject, held.subject), version = greatest(version, held.version) + 1, updated_at = clock_timestamp(), caregiver_id = null, facts_version = facts where key = shared.key;
  if side = 'family' then
    update sessions set day = held.day, minutes = held.minutes, rate_override_cents = case when is_equal then rate_override_cents else held.rate_override_cents end,
        tutor_rate_cents = case when is_equal then tutor_rate_cents else held.tutor_rate_cents end,
        family_word = 'confirmed', family_word_version = facts, family_word_at = clock_timestamp(), family_word_note = null, family_took_part = true,
        family_schedule_id = coalesce(family_schedule_id, held.family_schedule_id), family_class_day = coalesce(family_class_day, held.family_class_day)
      where key = shared.key;
  else
    update sessions set practice_word = case when is_equal then 'confirmed' else practice_word end, practice_word_version = case when is_equal then facts else practice_word_version end,
        practice_word_at = case when is_equal then clock_timestamp() else practice_word_at end, practice_word_note = case when not is_equal then practice_word_note end,
        practice_took_part = practice_took_part or is_equal,
        practice_schedule_id = coalesce(practice_schedule_id, held.practice_schedule_id), practice_class_day = coalesce(practice_class_day, held.practice_class_day)
      where key = shared.key;
  end if;
  if notes <> '' then
    insert into session_notes as n (workspace_id, session_id, text) values (own, shared.id, notes)
      on conflict (workspace_id, session_id) do update set text = left(concat_ws(E'\n', nullif(n.text, ''), excluded.text), 4000), version = n.version + 1, updated_at = clock_timestamp();
  end if;
  select * into shared from sessions where key = shared.key;
  update session_history set connection_id = c.id, practice_id = c.practice_id, family_id = c.family_id where session_key = shared.key;
  perform add_history(shared, case when app_workspace() = c.family_id then 'family' else 'practice' end, 'merged', '{}', null);
end $$;
revoke all on function answer_held(connections, text, sessions, sessions, boolean) from public;

-- Answers a pair: one lesson, whose facts are the family's and of which both say what they said of their own where the facts are the same, or two, which are shared.
create or replace function answer_pair(link uuid, pair uuid, is_same boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  x session_pairs;
  f sessions;
  p sessions;
  kept session_notes;
  holds boolean;
begin
  select * into x from session_pairs where connection_id = c.id and id = pair and c.state = 'active' for update;
  if not found then return false; end if;
  select * into f from sessions where key = x.family_key for update;
  select * into p from sessions where key = x.practice_key for update;
  -- What is answered waits no longer, so it is not let go of with its pair.
  update sessions set is_held = false where key in (f.key, p.key) and is_held;
  delete from session_pairs where connection_id = c.id and id = pair;
  if f.is_held or p.is_held then
    perform answer_held(c, case when f.is_held then 'family' else 'practice' end, case when f.is_held then f else p end, case when f.is_held then p else f end, is_same);
    return true;
  end if;
  if not is_same and f.id = p.id then raise exception 'these are copies of one session' using errcode = 'check_violation', constraint = 'session_pairs_copies'; end if;
  if not is_same then
    update sessions set connection_id = c.id, practice_id = c.practice_id, practice_tutor_id = p.practice_tutor_id, student_id = p.student_id where key = f.key;
    update sessions set connection_id = c.id, family_id = c.family_id, family_tutor_id = c.tutor_id, child_id = f.child_id where key = p.key;
    update session_history set connection_id = c.id, practice_id = c.practice_id, family_id = c.family_id where session_key in (f.key, p.key);
    perform pg_notify('changes', side::text) from unnest(array[c.family_id, c.practice_id]) side;
    return true;
  end if;
  -- Each side brings its own word; the practice's lapses where it was about other facts. What is merged is no caregiver's own entry any more.
  holds := p.practice_word_version = p.facts_version and (f.day, f.minutes) = (p.day, p.minutes) and coalesce(f.rate_override_cents, f.tutor_rate_cents) is not distinct from coalesce(p.rate_override_cents, p.tutor_rate_cents);
  update session_history h set session_key = f.key, chain = h.chain + (select max(chain) from session_history where session_key = f.key) where h.session_key = p.key;
  select * into kept from session_notes where workspace_id = p.practice_id and session_id = p.id;
  delete from sessions where key = p.key;
  update sessions set connection_id = c.id, practice_id = p.practice_id, student_id = p.student_id, practice_tutor_id = p.practice_tutor_id, practice_schedule_id = p.practice_schedule_id,
      practice_class_day = p.practice_class_day, subject = coalesce(f.subject, p.subject), start_time = coalesce(f.start_time, p.start_time),
      summary = coalesce(f.summary, p.summary), homework = coalesce(f.homework, p.homework), practice_took_part = f.practice_took_part or p.practice_took_part,
      practice_word = case when holds then p.practice_word end, practice_word_version = case when holds then f.facts_version end, practice_word_at = p.practice_word_at,
      practice_word_note = case when holds then p.practice_word_note end, practice_reply = p.practice_reply, practice_reply_at = p.practice_reply_at,
      version = greatest(f.version, p.version) + 1, updated_at = clock_timestamp(), caregiver_id = null
    where key = f.key returning * into f;
  -- The practice's notes went with its row, and come back under what it calls the session now.
  if kept.session_id is not null then
    insert into session_notes (workspace_id, session_id, text, version) values (kept.workspace_id, f.id, kept.text, kept.version);
  end if;
  update session_history set connection_id = c.id, practice_id = c.practice_id, family_id = c.family_id where session_key = f.key;
  perform add_history(f, case when app_workspace() = c.family_id then 'family' else 'practice' end, 'merged', '{}', null);
  return true;
end $$;
revoke all on function answer_pair(uuid, uuid, boolean) from public;
grant execute on function answer_pair(uuid, uuid, boolean) to tutorlog_family, tutorlog_practice;

-- A tutor who is deleted is parted from first; the practice keeps what it has, and is written to as when a family ends it.
create or replace function part_from_tutor() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare ended uuid;
begin
  update connections set state = 'ended', ended_at = clock_timestamp(), ended_by = 'family', version = version + 1, updated_at = clock_timestamp()
    where family_id = old.workspace_id and tutor_id = old.id and state in ('asked', 'active') returning id into ended;
  if other_owner(ended) is not null then
    insert into outbox (user_id, recipient, kind, data) values (other_owner(ended), '', 'connection_changed', jsonb_build_object('link_id', ended, 'news', 'ended'));
  end if;
  return old;
end $$;
revoke all on function part_from_tutor() from public;
create or replace trigger tutor_parted before delete on tutors for each row execute function part_from_tutor();

-- The practice knows a child by the first name that the family uses now.
create or replace function rename_child() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update connection_people set first_name = new.first_name where family_id = new.workspace_id and child_id = new.id;
  -- Until a family takes the connection over, the student's name is all there is.
  update connection_people set first_name = new.first_name where practice_id = new.workspace_id and student_id = new.id and family_id is null;
  return null;
end $$;
revoke all on function rename_child() from public;
create or replace trigger child_renamed after update of name on students for each row when (old.first_name is distinct from new.first_name) execute function rename_child();

-- The connection that a lesson of the caller's with a student and a tutor is shared under; of a student in several, the one
-- that it is shared under now, else the newest that was accepted.
drop function if exists shared_connection(uuid, uuid);
create or replace function shared_connection(student uuid, tutor uuid, now_under uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select c.id from connections c where c.family_id = app_workspace() and c.tutor_id = tutor and c.state in ('asked', 'active')
  union all (select c.id from connections c join connection_people p on p.connection_id = c.id
    where c.practice_id = app_workspace() and p.student_id = student and is_shared_with(c, p)
    order by c.id is not distinct from now_under desc, c.state = 'active' desc, c.created_at desc) limit 1 $$;
revoke all on function shared_connection(uuid, uuid, uuid) from public;
grant execute on function shared_connection(uuid, uuid, uuid) to tutorlog_family, tutorlog_practice, tutorlog_caregiver;

-- The families that share each of the practice's students, by name or the address that was asked; those that accepted and the newest first.
create or replace function student_families() returns table (student_id uuid, connection_id uuid, owner_name text)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.student_id, c.id, coalesce(w.owner_name, c.email) from connections c join connection_people p on p.connection_id = c.id left join workspaces w on w.id = c.family_id
  where c.practice_id = app_workspace() and p.student_id is not null and is_shared_with(c, p)
    and (app_students() is null or p.student_id = any (app_students())) order by c.state = 'active' desc, c.created_at desc, c.id $$;
revoke all on function student_families() from public;
grant execute on function student_families() to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
-- Whether a class is in the log of the caller's workspace, under a student too whom a member of some does not keep.
create or replace function is_class_logged(schedule uuid, class_day date) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from sessions s where s.family_id = app_workspace() and s.family_schedule_id = schedule and s.family_class_day = class_day)
  or exists (select from sessions s where s.practice_id = app_workspace() and s.practice_schedule_id = schedule and s.practice_class_day = class_day) $$;
revoke all on function is_class_logged(uuid, date) from public;
grant execute on function is_class_logged(uuid, date) to tutorlog_family, tutorlog_practice, tutorlog_caregiver;

-- Says which of the practice's students a child is; sessions that are shared already go along. None makes it a new student.
create or replace function match_child(link uuid, person uuid, student uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  child uuid;
begin
  if c.practice_id is distinct from app_workspace() then raise exception 'only the practice says who its students are' using errcode = 'insufficient_privilege'; end if;
  update connection_people set practice_id = c.practice_id, student_id = student where connection_id = c.id and id = person returning child_id into child;
  if student is not null then
    update sessions set student_id = student where connection_id = c.id and child_id = child and practice_id = c.practice_id;
  end if;
end $$;
revoke all on function match_child(uuid, uuid, uuid) from public;
grant execute on function match_child(uuid, uuid, uuid) to tutorlog_practice;

-- Says which of the family's children a student is; sessions that are shared already go along.
create or replace function match_student(link uuid, person uuid, child uuid) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections := own_connection(link);
  student uuid;
begin
  if c.family_id is distinct from app_workspace() then raise exception 'only the family says who its children are' using errcode = 'insufficient_privilege'; end if;
  update connection_people p set family_id = c.family_id, child_id = child,
      first_name = coalesce((select s.first_name from students s where s.workspace_id = c.family_id and s.id = child), p.first_name)
    where p.connection_id = c.id and p.id = person returning p.student_id into student;
  if child is not null and student is not null then
    update sessions set child_id = child where connection_id = c.id and student_id = student and family_id = c.family_id;
  end if;
end $$;
revoke all on function match_student(uuid, uuid, uuid) from public;
grant execute on function match_student(uuid, uuid, uuid) to tutorlog_family;

-- The account of whoever keeps the other side of a connection of the caller's; null where that side has none.
create or replace function other_owner(link uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select m.account_id from connections c join members m on m.role = 'owner'
    and m.workspace_id = case when app_workspace() = c.family_id or (c.id = app_link() and c.family_id is null) then c.practice_id
      when app_workspace() = c.practice_id or c.id = app_link() then c.family_id end
  where c.id = link $$;
revoke all on function other_owner(uuid) from public;
grant execute on function other_owner(uuid) to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
