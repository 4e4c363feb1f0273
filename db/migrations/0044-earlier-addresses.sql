-- The hashes of the addresses an account had before. A link that was emailed to one of them still reaches the
-- same person (db/repeatable/one-person.sql).
create table earlier_addresses (
  user_id uuid not null references users on delete cascade,
  address_hash bytea not null,
  primary key (user_id, address_hash)
);
alter table earlier_addresses enable row level security;
alter table earlier_addresses force row level security;
create policy owner_works on earlier_addresses for all to tutorlog_owner using (true) with check (true);
