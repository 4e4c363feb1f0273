-- Answers about closing a month that are signed with a passkey (docs/decisions/0071-signed-answers.md).

-- What a challenge is for, if using a passkey signs something. Nothing else can be done with its answer.
alter table passkey_challenges add column signs text check (length(signs) between 1 and 100);
alter table passkey_challenges add constraint passkey_challenges_signed check (signs is null or (not makes and user_id is not null));
grant select (signs), insert (signs) on passkey_challenges to tutorlog_system;

-- The signature of the side that asked, until the other one confirms. Then it's part of the page.
alter table closed_months add column asked_proof jsonb;
alter table closed_months add constraint closed_months_asked_proof check (asked_proof is null or state = 'asked');
grant select (asked_proof) on closed_months to tutorlog_family, tutorlog_practice;
