-- What a database that came by the steps before the baseline has differently (docs/decisions/0030-one-baseline.md). The server
-- runs this once on such a database, and records the baseline's steps as applied.
drop table migration_differences;
revoke select (account_id) on calendar_feeds from tutorlog_app;
do $$
declare old record;
begin
  for old in select * from (values
    ('connections', 'tutor_links_check', 'connections_check'),
    ('connections', 'tutor_links_email_check', 'connections_email_check'),
    ('connections', 'tutor_links_email_key_check', 'connections_email_key_check'),
    ('connections', 'tutor_links_state_check', 'connections_state_check'),
    ('payments', 'payments_amount_cents_check1', 'payments_amount_cents_check'),
    ('payments', 'payments_check2', 'payments_check'),
    ('payments', 'payments_check3', 'payments_check1'),
    ('payments', 'payments_check4', 'payments_check2'),
    ('payments', 'payments_check5', 'payments_check3'),
    ('payments', 'payments_check6', 'payments_check4'),
    ('payments', 'payments_day_check1', 'payments_day_check'),
    ('payments', 'payments_kind_check1', 'payments_kind_check'),
    ('payments', 'payments_method_check1', 'payments_method_check'),
    ('payments', 'payments_prepaid_minutes_check1', 'payments_prepaid_minutes_check'),
    ('schedule_changes', 'schedule_changes_owner_id_schedule_id_day_key', 'schedule_changes_workspace_id_schedule_id_day_key'),
    ('schedule_changes', 'schedule_changes_owner_id_schedule_id_fkey', 'schedule_changes_workspace_id_schedule_id_fkey'),
    ('schedules', 'schedules_owner_id_student_id_fkey', 'schedules_workspace_id_student_id_fkey'),
    ('schedules', 'schedules_owner_id_tutor_id_fkey', 'schedules_workspace_id_tutor_id_fkey'),
    ('session_history', 'session_history_action_check1', 'session_history_action_check'),
    ('session_history', 'session_history_side_check1', 'session_history_side_check'),
    ('sessions', 'sessions_check1', 'sessions_check'),
    ('sessions', 'sessions_check2', 'sessions_check1'),
    ('sessions', 'sessions_check3', 'sessions_check2'),
    ('sessions', 'sessions_check4', 'sessions_check3'),
    ('sessions', 'sessions_check5', 'sessions_check4'),
    ('sessions', 'sessions_day_check1', 'sessions_day_check'),
    ('sessions', 'sessions_minutes_check1', 'sessions_minutes_check'),
    ('sessions', 'sessions_rate_override_cents_check1', 'sessions_rate_override_cents_check'),
    ('sessions', 'sessions_subject_check1', 'sessions_subject_check'),
    ('sessions', 'sessions_tutor_rate_cents_check1', 'sessions_tutor_rate_cents_check'),
    ('sign_offs', 'sign_offs_owner_id_tutor_id_fkey', 'sign_offs_workspace_id_tutor_id_fkey')) as x (place, name, today) loop
    execute format('alter table %I rename constraint %I to %I', old.place, old.name, old.today);
  end loop;
end $$;

-- A role that only those steps named. The tables' owner can't drop it.
reset role;
do $$
begin
  if exists (select from pg_roles where rolname = 'tutorlog_tutor') then
    revoke usage on schema public from tutorlog_tutor;
    drop role tutorlog_tutor;
  end if;
end $$;
