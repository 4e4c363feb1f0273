-- Functions and triggers with new names; db/repeatable creates them. lesson_told stays, because servers of the
-- previous version call it during an upgrade (docs/decisions/0022-reads-in-one-statement.md).
drop function if exists tell_both() cascade;
drop function if exists tell_of_connection() cascade;
drop function if exists tell_of_month() cascade;
drop function if exists tell_of_payment() cascade;
drop function if exists tell_of_notes() cascade;
drop function if exists tell_members() cascade;
drop function if exists tell_of_login() cascade;
drop function if exists speak_to_read(bytea, timestamptz, uuid, text[]);
