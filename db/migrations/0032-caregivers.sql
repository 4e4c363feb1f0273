-- Caregivers, who log sessions and see no amount, and members who keep the records of some students only
-- (docs/decisions/0014-workspaces.md).
alter table members add column all_students boolean not null default true,
  add constraint members_owner_sees_all check (role <> 'owner' or all_students);
create table member_students (
  workspace_id uuid not null,
  account_id uuid not null,
  student_id uuid not null,
  primary key (workspace_id, account_id, student_id),
  foreign key (workspace_id, account_id) references members on delete cascade,
  foreign key (workspace_id, student_id) references students on delete cascade
);
create index member_students_by_student on member_students (workspace_id, student_id);
alter table member_students enable row level security;
alter table member_students force row level security;
-- The students that an invited member will keep; null is all of them.
alter table member_invitations add column student_ids uuid[];

-- The caregiver who logged a session, until somebody else confirms or changes it: so long it is theirs to change and delete.
alter table sessions add column caregiver_id uuid references users on delete set null;
create index sessions_of_caregiver on sessions (caregiver_id) where caregiver_id is not null;
-- What a caregiver reads of an entry. Hashes stay hidden too: with all else known, trying every rate would find the one.
alter table session_history add column open_facts jsonb not null generated always as (facts - array['rate_cents', 'total_cents', 'merged']) stored;

-- tutorlog_app is what all members have in common. An amount is granted to the roles of the sides, and not to it.
do $$
declare
  place text; own text;
begin
  foreach place in array array['students', 'tutors', 'schedules'] loop
    select string_agg(quote_ident(attname), ', ') into own from pg_attribute where attrelid = place::regclass and attnum > 0 and not attisdropped and attname <> 'hourly_rate_cents';
    execute format('revoke select on %1$I from tutorlog_app; revoke insert (hourly_rate_cents), update (hourly_rate_cents) on %1$I from tutorlog_app;
      grant select (%2$s) on %1$I to tutorlog_app; grant select (hourly_rate_cents), insert (hourly_rate_cents), update (hourly_rate_cents) on %1$I to tutorlog_family, tutorlog_practice', place, own);
  end loop;
  for place, own in select privilege_type, string_agg(quote_ident(column_name), ', ') from information_schema.column_privileges
    where table_schema = 'public' and table_name = 'payments' and grantee = 'tutorlog_app' and privilege_type in ('INSERT', 'UPDATE') group by 1 loop
    execute format('grant %s (%s) on payments to tutorlog_family, tutorlog_practice; revoke %1$s (%2$s) on payments from tutorlog_app', place, own);
  end loop;
end $$;
revoke all on payments from tutorlog_app;
grant select, delete on payments to tutorlog_family, tutorlog_practice;
revoke all on sign_offs from tutorlog_app;
grant select (workspace_id, id, tutor_id, month, code, signed_at) on sign_offs to tutorlog_family, tutorlog_practice;
revoke all on session_pairs from tutorlog_app;
grant select (connection_id, id) on session_pairs to tutorlog_family, tutorlog_practice;
revoke select (facts, note, hash) on session_history from tutorlog_app;
grant select (facts, note, hash) on session_history to tutorlog_family, tutorlog_practice;
-- A word's note and the answer to it are about money as often as not, and a caregiver answers neither.
revoke select (rate_override_cents, tutor_rate_cents, total_cents, family_word_note, family_reply, practice_word_note, practice_reply),
  insert (rate_override_cents, tutor_rate_cents), update (rate_override_cents, tutor_rate_cents, deletion_asked_by, deletion_asked_at) on sessions from tutorlog_app;
grant select (rate_override_cents, tutor_rate_cents, total_cents, family_word_note, family_reply, practice_word_note, practice_reply),
  insert (rate_override_cents, tutor_rate_cents), update (rate_override_cents, tutor_rate_cents, deletion_asked_by, deletion_asked_at) on sessions to tutorlog_family, tutorlog_practice;

grant select (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day, caregiver_id), insert (family_id, child_id, family_tutor_id, family_schedule_id, family_class_day),
  update (child_id, family_tutor_id, family_schedule_id, family_class_day) on sessions to tutorlog_caregiver;
grant select (family_id, open_facts) on session_history to tutorlog_caregiver;
grant select (id, practice_closed_at) on connections to tutorlog_caregiver;

grant select (all_students), update (all_students) on members to tutorlog_app;
grant select (all_students), insert (all_students) on members to tutorlog_system;
grant select (workspace_id, account_id, student_id), insert (workspace_id, account_id, student_id), delete on member_students to tutorlog_app;
grant select (workspace_id, account_id, student_id), insert (workspace_id, account_id, student_id) on member_students to tutorlog_system;
grant select (student_ids), insert (student_ids), update (student_ids) on member_invitations to tutorlog_app;
grant select (student_ids) on member_invitations to tutorlog_system;
