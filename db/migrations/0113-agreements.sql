-- Sessions and payments call the same things the same, and share one history (db/repeatable/agreements.sql, history.sql).
drop function if exists keep_session, keep_payment, forget_payment_notes, stamp_word, ask_payers, question_to, payment_question_to, record_session, add_history, session_facts, current_facts,
  split_sessions, split_payments, leave_session, leave_payment, month_word cascade;
drop view if exists family.session_history, practice.session_history, caregiver.session_history;
drop trigger if exists session_side_asked on sessions;
drop trigger if exists session_notifies on session_history;

do $$
declare place text; side text; renamed text[];
begin
  foreach place in array array['sessions', 'payments'] loop
    foreach side in array array['family', 'practice'] loop
      foreach renamed slice 1 in array array[['word', 'answer'], ['word_version', 'answer_version'], ['word_note', 'answer_note'], ['word_at', 'answered_at']] loop
        execute format('alter table %I rename column %I to %I', place, side || '_' || renamed[1], side || '_' || renamed[2]);
      end loop;
    end loop;
  end loop;
end $$;

alter table payments no force row level security;
alter table session_history no force row level security;
alter table payments rename column is_confirmed to is_verified;
alter table payments
  add column is_disputed boolean not null generated always as (coalesce(family_answer = 'disputed' and family_answer_version = facts_version, false)
    or coalesce(practice_answer = 'disputed' and practice_answer_version = facts_version, false)) stored;
grant select (is_disputed) on payments to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link, tutorlog_system;

alter table session_history rename to history;
alter table history rename column session_key to entry_key;
alter table history rename column session_id to entry_id;
alter table history add column kind text not null default 'session' check (kind in ('session', 'payment'));
alter table history alter column kind drop default;
alter table history drop constraint session_history_pkey, add primary key (kind, entry_key, chain, seq);
alter index session_history_of_family rename to history_of_family;
alter index session_history_of_practice rename to history_of_practice;
alter index session_history_of_connection rename to history_of_connection;
grant select (kind) on history to tutorlog_app, tutorlog_link, tutorlog_family_link;

-- Each payment's history begins with what it is today, in the words of db/repeatable/history.sql.
insert into history (kind, entry_key, chain, seq, entry_id, connection_id, family_id, practice_id, at, side, action, facts, previous_hash, hash, hashed_text)
select 'payment', p.key, 1, 1, p.id, p.connection_id, p.family_id, p.practice_id, now(), 'system', 'recorded', entry.facts, '\x',
  sha256(convert_to(entry.text, 'UTF8')), entry.text
from payments p
  cross join lateral (select jsonb_build_object('date', p.day, 'kind', p.kind, 'amount_cents', p.amount_cents, 'prepaid_minutes', p.prepaid_minutes,
    'method', p.method, 'currency', p.currency,
    'state', case when p.is_verified then 'verified' when p.is_disputed then 'disputed' else 'unverified' end) as facts) now_are
  cross join lateral (select now_are.facts, concat_ws(E'\n', '2', p.id, 1, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'system', '-',
    'recorded', '-', now_are.facts::text, '', '-', '') as text) entry;
alter table payments force row level security;
alter table history force row level security;
