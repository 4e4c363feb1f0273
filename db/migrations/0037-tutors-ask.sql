-- A tutor asks a family as well: then the family's side of a connection is an email address until an account takes it over. Its
-- emailed page speaks as tutorlog_family_link, which mirrors tutorlog_link with the family's word (docs/decisions/0006-two-sides.md).
create unique index connections_one_open_address on connections (practice_id, email_key) where asked_by = 'practice' and state in ('asked', 'active');
drop index connections_by_address;
create index connections_by_address on connections (email_key) where practice_id is null or family_id is null;

grant insert (practice_id, asked_by, email, email_key, shared_from) on connections to tutorlog_practice;
grant update (family_id, tutor_id, answered_at) on connections to tutorlog_family;

grant select (id, practice_id, asked_by, state, email_key, family_id, answered_at, ended_by, family_closed_at, practice_closed_at, version, created_at),
  update (state, answered_at, ended_at, ended_by, version, updated_at) on connections to tutorlog_family_link;
grant select (connection_id, id, first_name, student_id) on connection_people to tutorlog_family_link;
grant select (id, currency, owner_name) on workspaces to tutorlog_family_link;
grant select (key, id, connection_id, student_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, currency, subject, start_time, summary, homework, facts_version,
    practice_word, practice_word_version, practice_reply, practice_reply_at, practice_took_part, family_word, family_word_version, family_word_at, family_word_note,
    family_asked_since, family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at,
    is_verified, is_disputed, deletion_asked_by, deletion_asked_at, version, created_at, updated_at),
  update (family_word, family_word_version, family_word_note, summary, homework, deletion_asked_by, deletion_asked_at, version, updated_at), delete on sessions to tutorlog_family_link;
grant select (session_key, chain, seq, session_id, connection_id, at, side, actor_id, action, facts, changed, note, hash) on session_history to tutorlog_family_link;
grant insert (user_id, recipient, kind, data) on outbox to tutorlog_family_link;
-- The page of the other direction says as much of the other side's word.
grant select (family_word, family_word_version) on sessions to tutorlog_link;
-- The first one to ask for a workspace gives it the name that the other side meets.
grant update (owner_name) on workspaces to tutorlog_family, tutorlog_practice;
-- An email lists the sessions with the first names that both sides know.
grant select (connection_id, first_name, child_id, student_id) on connection_people to tutorlog_system;
