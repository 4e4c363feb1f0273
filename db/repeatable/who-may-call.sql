-- Who may call the functions that run as the tables' owner: only those named here. Each checks on whose behalf it's called.
do $$
declare definer record;
begin
  for definer in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prosecdef and p.proowner = current_user::regrole and n.nspname in ('public', 'family', 'practice', 'caregiver', 'link', 'family_link') loop
    execute format('revoke all on function %s from public', definer.name);
  end loop;
end $$;

grant execute on function app_workspace to tutorlog_app, tutorlog_link, tutorlog_family_link, tutorlog_system;
grant execute on function app_role, app_students, app_tutors, app_address to tutorlog_app;
grant execute on function app_open_link to tutorlog_link;
grant execute on function app_open_family_link to tutorlog_family_link;

grant execute on function other_owner, page_time_zone, lock_connection, hold_sharing, hold_session, read_month, close_month, reopen_month,
  withdraw_month to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant execute on function hold_sharing, hold_session, shared_connection, is_covered_by_fee, student_families, is_class_logged, unpaired_sessions, pair_held, list_schedule_offers,
  closed_classes
  to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
grant execute on function share_sessions, has_own_amounts, list_pairs, answer_pair, payment_connection, count_again,
  lock_connection_with, leave_entry, end_schedule, answer_ending, offer_schedule,
  keep_schedule_apart, answer_schedule_offer, part_schedules_of to tutorlog_family, tutorlog_practice;
grant execute on function day_of_terms to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
grant execute on function terms_without_amounts to tutorlog_caregiver;
select for_money('grant execute on function share_own_{kind} to tutorlog_family, tutorlog_practice');
grant execute on function missed_class, follow_outcome to tutorlog_family, tutorlog_practice, tutorlog_caregiver;
grant execute on function waive_charge to tutorlog_family, tutorlog_practice;
grant execute on function asking_practice, match_student to tutorlog_family;
grant execute on function invite_students, invited_address, arriving_sessions, match_child to tutorlog_practice;
grant execute on function connection_payment_ways to tutorlog_family, tutorlog_family_link;
grant execute on function allowed_provider, issue_family_paper to tutorlog_family;
grant execute on function allow_papers to tutorlog_practice, tutorlog_link;
grant execute on function tell_of_ways to tutorlog_practice, tutorlog_system;
grant execute on function heir_of, hand_over, current_facts, owner_time_zone, owner_region, is_on_both_sides, is_month_current, lock_sides to tutorlog_system;
grant execute on function propose_fee, held_places, sign_earlier_page to tutorlog_system;
