-- A session can make up for a missed class: it uses what that class brought (docs/decisions/0040-make-ups.md). What's owed follows from the
-- missed classes, the terms and these sessions. No reference: the session stays in the books when the class's schedule goes.
alter table sessions
  add makes_up uuid,
  -- Splitting and merging move sides between rows, so both are checked at the end.
  add constraint sessions_family_makes_up_once unique (family_id, makes_up) deferrable initially deferred,
  add constraint sessions_practice_makes_up_once unique (practice_id, makes_up) deferrable initially deferred;
grant select (makes_up) on sessions to tutorlog_app, tutorlog_link, tutorlog_family_link;
grant insert (makes_up) on sessions to tutorlog_family, tutorlog_practice;
