-- A login's renewal tokens begin with a secret that never changes, so a token replaced long ago still names its
-- login. Null for logins from before, until they're renewed.
alter table logins add column family_hash bytea unique;
-- From this and a renewal token, the server derives the next one. Tabs that renew at the same time get the same.
alter table logins add column renewal_salt bytea;
grant select (family_hash, renewal_salt), insert (family_hash), update (family_hash, renewal_salt) on logins to tutorlog_system;

-- A new request to change the address replaces the earlier one in a single statement.
grant update (new_email, expires_at, created_at) on email_changes to tutorlog_system;
