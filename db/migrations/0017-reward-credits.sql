-- A reward of somebody who pays already moves the next payment instead of adding to a trial that no longer counts.
-- Empty: the days count for the trial; due: the provider has to be told; given: it moved the payment.
alter table rewards add column credit text check (credit in ('due', 'given'));
create index rewards_due on rewards (owner_id, created_at) where credit = 'due';
grant select (credit) on rewards to tutorlog_app, tutorlog_system;
grant insert (created_at), update (credit) on rewards to tutorlog_system;
