-- The answer of a request is written with its key in one row, at the end of its transaction, where it used to be an insert and an update.
grant insert (status, response) on idempotency_keys to tutorlog_app;
