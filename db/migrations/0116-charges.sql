-- Charges and credits beside payments: what a family owes for anything but a lesson, such as a book or a missed lesson, or
-- what it's let off. Both sides confirm it, and it counts once both did.

-- A caregiver sees no charge, like no payment.
select make_kind('charge', 'tutorlog_family, tutorlog_practice', 500);
alter table charges
  -- Positive if the family owes more, negative for a credit.
  add amount_cents integer not null check (amount_cents between -100000000 and 100000000 and amount_cents <> 0),
  add reason text not null check (reason in ('missed_lesson', 'fee', 'materials', 'travel', 'discount', 'refund', 'other')),
  -- What it's for, in words that both sides see.
  add label text check (length(label) between 1 and 80);
grant select (amount_cents, reason, label), insert (id, connection_id, day, amount_cents, reason, label),
  update (day, amount_cents, reason, label) on charges to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (amount_cents, reason, label, family_answer_note, practice_answer_note) on charges to tutorlog_system;
select make_proposals('charge', 'tutorlog_family, tutorlog_practice', array['day', 'amount_cents']);

-- Everything that two sides agree on has a history.
alter table history drop constraint history_kind_check, add constraint history_kind_check check (kind ~ '^[a-z_]{1,40}$');

-- Payments share their functions with charges now (db/repeatable/money.sql).
drop function if exists keep_payment_facts() cascade;
drop function if exists shared_payment(payments, uuid), take_over_payments(connections);
drop function if exists for_kinds(text);
