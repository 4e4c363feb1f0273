-- An export has what was hashed and the hashes, so that whoever has it can check it without the server
-- (docs/decisions/0072-history-to-take-along.md).
grant select (hashed_text) on history to tutorlog_family, tutorlog_practice;
grant select (content_hash) on closed_months to tutorlog_family, tutorlog_practice;
grant select (content_hash) on sign_offs to tutorlog_family, tutorlog_practice;
