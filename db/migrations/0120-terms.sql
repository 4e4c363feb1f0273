-- Terms that two sides agree on: notice, what missed classes cost, fees, make-ups (docs/decisions/0035-terms-in-versions.md). Each
-- row is one version of the terms of a connection or, without one, of a family's tutor or a practice's student.

-- A caregiver sees no terms.
select make_kind('term', 'tutorlog_family, tutorlog_practice', 500);
alter table terms
  -- The fields of src/features/terms/rules.ts, which checks them.
  add rules jsonb not null check (jsonb_typeof(rules) = 'object' and length(rules::text) <= 4000),
  -- Since both sides have agreed; without a connection, since they were saved. Never in the past when it's set.
  add applies_from date,
  -- Set when later terms of the same people are ended, so that these don't come back.
  add ended_on date;
grant select (rules, applies_from, ended_on) on terms to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link, tutorlog_system;
grant insert (id, connection_id, day, rules), update (rules) on terms to tutorlog_family, tutorlog_practice;
-- An emailed page changes the rules only by accepting a proposal (db/repeatable/terms.sql).
grant update (rules) on terms to tutorlog_link, tutorlog_family_link;
grant select (family_answer_note, practice_answer_note) on terms to tutorlog_system;
select make_proposals('term', 'tutorlog_family, tutorlog_practice', array['rules']);
