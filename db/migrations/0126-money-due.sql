-- Money that's due by agreed terms: reminders of it, and a reference that both sides see (docs/decisions/0041-money-due.md).

alter table notice_choices add money_due boolean not null default true;
alter table unsubscribe_tokens drop constraint unsubscribe_tokens_notice_check,
  add constraint unsubscribe_tokens_notice_check check (notice in
    ('daily_digest', 'month_ready', 'connection_changes', 'class_questions', 'classes_tomorrow', 'money_due'));
-- The last day, by the account's calendar, on which it was looked whether money is due.
alter table reminder_clocks add looked_on date;

grant select (money_due), insert (money_due), update (money_due) on notice_choices to tutorlog_app, tutorlog_system;
grant insert (looked_on), update (looked_on) on reminder_clocks to tutorlog_system;

-- What payment references of a connection are made from (src/features/payments/reference.ts). It never changes.
alter table connections add reference_number integer not null generated always as identity;
grant select (reference_number) on connections to tutorlog_family, tutorlog_practice, tutorlog_family_link;
-- Under which reference the payer paid, as both sides see it.
alter table payments add reference text check (reference ~ '^TL-[2-9A-HJKMNP-TV-Z]{4,6}$');
grant select (reference), insert (reference) on payments to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
grant select (reference) on payments to tutorlog_system;
