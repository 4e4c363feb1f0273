-- What's written about a lesson (src/features/sessions/lesson-words.ts): either side writes it, both read it, and neither confirms
-- it. Each of these texts is a column of sessions. A month's list has them in this order, and so has the table there.
create or replace function lesson_words() returns text[] language sql immutable as $$ select array['summary', 'homework'] $$;

-- A piece of SQL for each text, from a format whose argument is the column's name.
create or replace function each_words(pattern text, separator text default ', ') returns text
language sql immutable
as $$ select string_agg(format(pattern, word), separator order by at) from unnest(lesson_words()) with ordinality each (word, at) $$;

do $$
begin
  -- The texts that a change is about.
  execute format($function$
    create or replace function changed_words(was sessions, becomes sessions) returns text[]
    language sql immutable
    as $body$ select array_remove(array[%s], null) $body$ $function$,
    each_words('case when becomes.%1$I is distinct from was.%1$I then %1$L end'));
  -- Adds what another row of the same lesson says, other than facts, where this one says nothing.
  execute format($function$
    create or replace function add_words_of(other sessions, session bigint) returns void
    language sql
    as $body$ update sessions s set subject = coalesce(s.subject, other.subject), start_time = coalesce(s.start_time, other.start_time), %s
      where s.key = session $body$ $function$, each_words('%1$I = coalesce(s.%1$I, other.%1$I)'));
end $$;
revoke all on function add_words_of(sessions, bigint) from public;
