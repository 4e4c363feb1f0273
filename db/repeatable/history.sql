-- The history of every session and payment. It's append-only, written only by triggers, and each entry is linked
-- to the previous one by its hash.

-- The kind of a row's entries: its table's name without the s.
create or replace function kind_of(entry anyelement) returns text
language sql stable
as $$ select rtrim(pg_typeof(entry)::text, 's') $$;

-- What a dispute proposes, as a fact of its line; no fact if it proposes nothing.
create or replace function current_proposal(proposal jsonb, answer_facts integer, facts integer) returns jsonb
language sql immutable
as $$ select proposal where answer_facts = facts $$;
create or replace function proposed_in(family jsonb, practice jsonb) returns jsonb
language sql immutable
as $$ select jsonb_strip_nulls(jsonb_build_object('proposed', coalesce(family, practice)::text)) $$;

-- Adds an entry. The hashed text has one value per line and ends with the previous entry's hash
-- (src/features/agreements/history.ts builds the same text). The first line is the format version, or the
-- workspace in entries from before sessions had two sides. The kind's facts_of has the facts.
create or replace function add_history(entry anyelement, side text, action text, changed text[], note text) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own_kind constant text := kind_of(entry);
  latest record;
  facts jsonb := facts_of(entry);
  moment timestamptz := clock_timestamp();
  place integer;
  -- Of the sides without an account, only one that was handed a link has no address.
  by_handed_link constant boolean := exists (select from connections where id = app_link() and email_key is null);
  written text;
begin
  select seq, hash into latest from history where kind = own_kind and entry_key = entry.key and chain = 1 order by seq desc limit 1;
  -- For a merge, the hashed text also includes the last hash in the other entry's chain.
  if action = 'merged' then
    facts := facts || jsonb_build_object('merged', (select encode(hash, 'hex') from history where kind = own_kind and entry_key = entry.key and chain > 1
        order by chain desc, seq desc limit 1));
  end if;
  place := coalesce(latest.seq, 0) + 1;
  written := concat_ws(E'\n', '2', entry.id, place, to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), side,
      case when by_handed_link then 'by handed-over link' else '-' end, action, '-',
      facts::text, array_to_string(changed, ','),
    coalesce(encode(convert_to(note, 'UTF8'), 'hex'), '-'), encode(coalesce(latest.hash, '\x'), 'hex'));
  insert into history (kind, entry_key, seq, entry_id, connection_id, family_id, practice_id, at, side, actor_id, action, facts, changed, note,
      previous_hash, hash, hashed_text, is_by_handed_link)
    values (own_kind, entry.key, place, entry.id, entry.connection_id, entry.family_id, entry.practice_id, moment, side, app_account(), action, facts,
      changed, note, coalesce(latest.hash, '\x'), sha256(convert_to(written, 'UTF8')), written, by_handed_link);
end $$;

-- Whoever has an entry also has its whole history.
create or replace function share_history(entry anyelement) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update history h set connection_id = entry.connection_id, family_id = entry.family_id, practice_id = entry.practice_id
    where h.kind = kind_of(entry) and h.entry_key = entry.key
      and (h.connection_id, h.family_id, h.practice_id) is distinct from (entry.connection_id, entry.family_id, entry.practice_id);
end $$;

-- Puts the chains of an entry that's about to be deleted beside those of the one it's merged into. Its own chain comes
-- last, because that's the one whose end the line about the merge names (add_history).
create or replace function merge_history(own_kind text, merged bigint, remaining bigint) returns void
language sql security definer set search_path = public, pg_temp
as $$ update history h set entry_key = remaining,
    chain = (select max(chain) from history where kind = own_kind and entry_key = remaining)
      + (select max(chain) from history where kind = own_kind and entry_key = merged) - h.chain + 1
  where h.kind = own_kind and h.entry_key = merged $$;

-- Records every insert, update and delete that a side makes, in the same transaction.
select for_sides($function$
  create or replace function record_history_of_{own}() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  declare
    fields text[];
    answer text; answer_before text;
    reply text;
  begin
    if tg_op = 'DELETE' then perform add_history(old, '{own}', 'deleted', '{}', null); return null; end if;
    if tg_op = 'INSERT' then perform add_history(new, '{own}', 'logged', '{}', null); return null; end if;
    if new.connection_id is distinct from old.connection_id then perform share_history(new); end if;
    fields := changed_fields(old, new);
    reply := reply_in('{own}', old, new);
    answer := case when new.{own}_answer_version = new.facts_version then new.{own}_answer end;
    -- Repeating a dispute counts, and so does an answer that was renewed with the facts: if the practice names a
    -- different family, the version goes up even though the facts don't change.
    answer_before := case when old.{own}_answer_version = old.facts_version and old.facts_version = new.facts_version
      and (answer is distinct from 'disputed' or new.{own}_answered_at is not distinct from old.{own}_answered_at) then old.{own}_answer end;
    -- Only accepting what the other side proposed gives its answer, too.
    if cardinality(fields) > 0 then perform add_history(new, '{own}', case when new.{other}_answer_version is distinct from old.{other}_answer_version
      then 'accepted' else 'changed' end, fields, null); end if;
    -- Changing the facts also confirms them, so the confirmation gets no entry of its own. A reply, deletion
    -- request or answer that comes with any other kind of change does get its own entry.
    if not fields <@ (array['subject', 'start time', 'method'] || lesson_words()) then return null;
    elsif reply is not null then perform add_history(new, '{own}', 'answered', '{}', reply);
    elsif new.deletion_asked_by is not null and old.deletion_asked_by is null then perform add_history(new, '{own}', 'deletion asked', '{}', null);
    elsif new.deletion_asked_by is null and old.deletion_asked_by is not null then perform add_history(new, '{own}', 'kept', '{}', null);
    elsif answer is distinct from answer_before then perform add_history(new, '{own}', coalesce(answer, 'withdrawn'), '{}', new.{own}_answer_note);
    end if;
    return null;
  end $$ $function$);
select for_kinds($trigger$ create or replace trigger {place}_recorded_by_{own} after insert or update or delete on {place} for each row
  when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function record_history_of_{own}() $trigger$);
select for_each(array['sessions', 'schedule_changes'], 'create or replace trigger {name}_recorded_by_caregiver after insert or update or delete on {name} for each row
  when (current_user = ''tutorlog_caregiver'') execute function record_history_of_family()');

-- The content of an entry never changes, but who can read it does when sides connect or split. An entry is
-- deleted only with its workspace.
create or replace function keep_history() returns trigger
language plpgsql
as $$
begin
  if current_user = 'tutorlog_owner' and tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  if current_user <> 'tutorlog_owner' or tg_op <> 'UPDATE' or (new.kind, new.seq, new.entry_id, new.at, new.side, new.actor_id, new.action, new.facts, new.changed, new.note, new.previous_hash, new.hash, new.hashed_text, new.is_by_handed_link)
    is distinct from (old.kind, old.seq, old.entry_id, old.at, old.side, old.actor_id, old.action, old.facts, old.changed, old.note, old.previous_hash,
        old.hash, old.hashed_text, old.is_by_handed_link) then
    raise exception 'the history is append-only';
  end if;
  return new;
end $$;
create or replace trigger history_kept before update or delete on history for each row execute function keep_history();
create or replace trigger history_kept_whole before truncate on history for each statement execute function keep_history();

-- The facts of an entry, which the last line in its history must match. Used to check every history.
create or replace function current_facts(own_kind text, entry bigint) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare facts jsonb;
begin
  execute format('select facts_of(e) from %I e where e.key = $1', own_kind || 's') into facts using entry;
  return facts;
end $$;
