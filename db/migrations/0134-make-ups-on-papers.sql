-- Signed statements say which sessions are make-ups.
grant select (makes_up) on sessions to tutorlog_system;
