-- Addresses that want no mails and the links that say so stood in two lists each, one of invitations and one of a tutor's mails,
-- and each was asked for the other's addresses. One of each is left.
alter table opt_outs no force row level security;
alter table mail_opt_outs no force row level security;
alter table unsubscribe_tokens no force row level security;
alter table opt_out_links no force row level security;

insert into opt_outs (address_hash, created_at) select address_hash, created_at from mail_opt_outs on conflict do nothing;
insert into unsubscribe_tokens (token_hash, address_hash, created_at) select token_hash, address_hash, created_at from opt_out_links on conflict do nothing;

alter table opt_outs force row level security;
alter table unsubscribe_tokens force row level security;
drop table mail_opt_outs;
drop table opt_out_links;
create index unsubscribe_tokens_by_age on unsubscribe_tokens (created_at);
