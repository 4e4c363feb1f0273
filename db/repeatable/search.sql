-- What sessions are searched for (src/features/sessions/search-queries.server.ts). Spelling a text takes 20 times as long as
-- looking through it, so it's done when it's written. Names are few, and spelled for each search.
do $$
begin
  execute format($function$
    create or replace function session_searched(s sessions) returns text
    language sql immutable
    as $body$ select plain_spelling(concat_ws(e'\n', s.subject, %s)) $body$ $function$, each_words('s.%I'));
end $$;

-- A text goes into the column that's in an index, or else into the other one.
create or replace function for_index(spelled text, out short text, out long text)
language sql immutable
as $$ select case when length(spelled) <= 500 then spelled end, case when length(spelled) > 500 then spelled end $$;

create or replace function spell_session() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  select short, long into new.searched, new.searched_long from for_index(session_searched(new));
  return new;
end $$;
create or replace function spell_notes() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  select short, long into new.searched, new.searched_long from for_index(plain_spelling(new.text));
  return new;
end $$;
revoke all on function session_searched(sessions), for_index(text), spell_session(), spell_notes() from public;
do $$
declare written constant text := 'subject, ' || each_words('%I');
begin
  -- The last of the triggers before a write, by its name.
  execute format('create or replace trigger spelled_at_first before insert on sessions for each row execute function spell_session();
    create or replace trigger spelled_again before update of %s on sessions for each row execute function spell_session()', written);
end $$;
create or replace trigger notes_spelled before insert or update of text on session_notes for each row execute function spell_notes();

-- Spells what was written before there was a search, and what was loaded without triggers.
create or replace function spell_all() returns void
language plpgsql
as $$
begin
  update session_notes n set (searched, searched_long) = (select short, long from for_index(plain_spelling(n.text)))
    where searched is null and searched_long is null;
  update sessions s set (searched, searched_long) = (select short, long from for_index(session_searched(s)))
    where searched is null and searched_long is null;
end $$;
revoke all on function spell_all() from public;
do $$
begin
  -- It's no change that anyone sees or answers.
  alter table sessions disable trigger user;
  alter table session_notes disable trigger user;
  perform spell_all();
  alter table sessions enable trigger user;
  alter table session_notes enable trigger user;
end $$;
