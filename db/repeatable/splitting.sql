-- Splitting: each side keeps a copy of what was shared when a connection ends, a tutor is deleted, or a
-- session is removed from one side's log. Erasing a workspace also splits (closing.sql).

-- Splits shared rows of one table. The family keeps the row, and the practice gets a copy with the same id, answers
-- and history.
create or replace function split_rows(shared anyarray) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  place constant text := rtrim(pg_typeof(shared)::text, '[]');
  practice_only constant text[] := array['student_id', 'practice_tutor_id', 'practice_schedule_id', 'practice_class_day'];
  -- The practice's copy has everything but the family's people, the deletion request and what the database makes.
  copied text;
  emptied text;
begin
  select string_agg(quote_ident(attname), ', ') filter (where attname <> all (array['connection_id', 'family_id', 'child_id', 'family_tutor_id',
      'family_schedule_id', 'family_class_day', 'deletion_asked_by', 'deletion_asked_at', 'caregiver_id', 'is_held', 'version', 'parted_from'])),
    string_agg(format('%I = null', attname), ', ') filter (where attname = any (practice_only)) into copied, emptied
    from pg_attribute where attrelid = place::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '';
  -- Remove the practice's side from the rows first, because the practice's copies reuse their ids. Also clear
  -- deletion requests, because there's no longer anyone on the other side to agree to them.
  execute format('update %I r set connection_id = null, practice_id = null, %s, deletion_asked_by = null, deletion_asked_at = null,
      version = r.version + (r.deletion_asked_by is not null)::int, parted_from = o.practice_id
    from unnest($1) o where r.key = o.key and o.family_id is not null and o.practice_id is not null', place, emptied) using shared;
  execute format('insert into %I (%2$s, version, parted_from) select %2$s, o.version + (o.deletion_asked_by is not null)::int, o.family_id
    from unnest($1) o where o.family_id is not null and o.practice_id is not null', place, copied) using shared;
  -- A practice keeps a balance and terms per student, so what isn't for a particular student is assigned to
  -- the family's first one.
  if place <> 'sessions' then
    execute format('update %I p set student_id = (select w.student_id from connection_people w where w.connection_id = o.connection_id
        and w.student_id is not null order by w.first_name collate "und-x-icu", w.id limit 1)
      from unnest($1) o where p.practice_id = o.practice_id and p.id = o.id and p.student_id is null
        and (o.family_id is not null or $2)', place) using shared, place = 'terms';
  end if;
  -- Each side's copy of the history names only accounts on that side.
  execute format('insert into history (kind, entry_key, chain, seq, entry_id, practice_id, at, side, actor_id, action, facts, changed, note,
      previous_hash, hash, hashed_text, is_by_handed_link)
    select h.kind, n.key, h.chain, h.seq, h.entry_id, o.practice_id, h.at, h.side, case when h.side = ''practice'' then h.actor_id end, h.action, h.facts,
      h.changed, h.note, h.previous_hash, h.hash, h.hashed_text, h.is_by_handed_link
    from unnest($1) o join %1$I n on n.practice_id = o.practice_id and n.id = o.id join history h on h.kind = rtrim(%1$L, ''s'') and h.entry_key = o.key
    where o.family_id is not null', place) using shared;
  update history h set connection_id = null, practice_id = case when o.family_id is null then h.practice_id end from unnest(shared) o
    where h.kind = rtrim(place, 's') and h.entry_key = o.key;
  -- A row that existed on only one side stays with that side. Deletion requests are cleared here, too. If someone
  -- without an account answered for the other side, that answer about a session doesn't count for the next person
  -- who's asked; a payment is shared again only on request.
  execute format('update %I r set connection_id = null, deletion_asked_by = null, deletion_asked_at = null,
      version = r.version + (r.deletion_asked_by is not null)::int, parted_from = case when $2 and
        ((o.practice_id is null and o.practice_took_part) or (o.family_id is null and o.family_took_part)) then o.connection_id else r.parted_from end
    from unnest($1) o where r.key = o.key and r.connection_id is not null', place) using shared, place = 'sessions';
end $$;

-- When either side ends a connection, splits its sessions.
create or replace function part_sides() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform lock_sides(new.id);
  delete from session_pairs where connection_id = new.id;
  -- Classes refer to schedules that get their copy only after them.
  set constraints all deferred;
  perform for_kinds(format('select split_rows(array(select e from {place} e where e.connection_id = %L order by e.key for update))', new.id));
  set constraints all immediate;
  return null;
end $$;
create or replace trigger connection_parted after update of state on connections for each row
  when (old.state in ('asked', 'active') and new.state in ('declined', 'ended')) execute function part_sides();

-- Removes an entry from the caller's records when the other side hasn't agreed to delete it in time.
create or replace function leave_entry(own_kind text, entry bigint, moment timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  place constant text := own_kind || 's';
  asked record;
begin
  perform hold_sharing();
  execute format('select id, deletion_asked_by = ''family'' as is_family from %I where key = $1
      and case deletion_asked_by when ''family'' then is_overdue(practice_asked_since, practice_reminders, practice_reminded_at, $2)
        else is_overdue(family_asked_since, family_reminders, family_reminded_at, $2) end
      and case deletion_asked_by when ''family'' then family_id else practice_id end = app_workspace() for update', place) into asked using entry, moment;
  if asked.id is null then return false; end if;
  delete from session_pairs where own_kind = 'session' and entry in (family_key, practice_key);
  execute format('select split_rows(array(select r from %I r where key = $1))', place) using entry;
  execute format('select add_history(r, case when $2 then ''family'' else ''practice'' end, ''deleted'', ''{}'', null) from %I r
    where r.id = $1 and case when $2 then r.family_id else r.practice_id end = app_workspace()', place) using asked.id, asked.is_family;
  execute format('delete from %I where id = $1 and case when $2 then family_id else practice_id end = app_workspace()', place)
    using asked.id, asked.is_family;
  return true;
end $$;

-- Deleting a connected tutor ends the connection first. The practice keeps its copy and gets the same email
-- as when a family ends a connection.
create or replace function part_from_tutor() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare ended uuid;
begin
  update connections set state = 'ended', ended_at = clock_timestamp(), ended_by = 'family', version = version + 1, updated_at = clock_timestamp()
    where family_id = old.workspace_id and tutor_id = old.id and state in ('asked', 'active') returning id into ended;
  if other_owner(ended) is not null then
    insert into outbox (user_id, recipient, kind, data)
      values (other_owner(ended), '', 'connection_changed', jsonb_build_object('link_id', ended, 'news', 'ended'));
  end if;
  return old;
end $$;
create or replace trigger tutor_parted before delete on tutors for each row execute function part_from_tutor();
