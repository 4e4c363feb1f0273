create or replace function erased_hash(id uuid) returns bytea
language sql immutable strict parallel safe
return sha256(uuid_send(id));

-- Notes each account that's erased, no matter what erases it.
create or replace function note_erasure() returns trigger
language plpgsql
as $$
begin
  insert into erasures (account_hash) values (erased_hash(old.id)) on conflict do nothing;
  return null;
end $$;
create or replace trigger user_erased after delete on users for each row execute function note_erasure();
