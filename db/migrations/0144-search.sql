-- What sessions are searched for (docs/decisions/0053-search-over-all-sessions.md): what they say, and what a side notes about
-- them, spelled as searches are. db/repeatable/search.sql writes it, also for what was written before.
alter table sessions
  -- Short enough for an index, even if each letter takes four bytes. A longer text is in the other column.
  add searched text check (length(searched) <= 500),
  add searched_long text;
alter table session_notes
  add searched text check (length(searched) <= 500),
  add searched_long text;
-- Only members search. An emailed page has no search.
grant select (searched, searched_long) on sessions, session_notes to tutorlog_app;

-- A search looks through all sessions of a workspace. The index has all that it needs of them, so that it reads a hundred pages
-- next to each other instead of one page per session.
drop index sessions_of_family_by_day, sessions_of_practice_by_day;
create index sessions_of_family_by_day on sessions (family_id, day desc, id desc) include (family_tutor_id, child_id, minutes, total_cents,
  currency, is_held, connection_id, deletion_asked_by, is_verified, is_disputed, searched);
create index sessions_of_practice_by_day on sessions (practice_id, day desc, id desc) include (practice_tutor_id, student_id, minutes, total_cents,
  currency, is_held, connection_id, deletion_asked_by, is_verified, is_disputed, searched);
create index sessions_family_long on sessions (family_id) where searched_long is not null;
create index sessions_practice_long on sessions (practice_id) where searched_long is not null;
create index session_notes_by_words on session_notes (workspace_id) include (session_id, searched);
create index session_notes_long on session_notes (workspace_id) where searched_long is not null;
