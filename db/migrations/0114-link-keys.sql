-- An idempotency key belongs to an account or, if the caller is an emailed link, to one side of a connection.
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys alter user_id drop not null, add link_id uuid references connections on delete cascade,
  add link_side text check (link_side in ('family', 'practice')),
  add check (num_nonnulls(user_id, link_id) = 1 and (link_id is null) = (link_side is null));
create unique index idempotency_keys_of_accounts on idempotency_keys (user_id, operation, key);
create unique index idempotency_keys_of_links on idempotency_keys (link_id, link_side, operation, key);
grant select (link_id, link_side, operation, key, request_hash, status, response),
  insert (link_id, link_side, operation, key, request_hash), update (status, response) on idempotency_keys to tutorlog_link, tutorlog_family_link;
