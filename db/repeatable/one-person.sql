-- Nobody answers for both sides of a connection (promise T21): not as a member of both workspaces, and not as
-- a member of one whose address was asked to be the other. Whatever makes someone a member, connects two
-- sides or changes an address is checked here.

-- An address's hash (addressHash in src/features/notices/queries.server.ts makes the same).
create or replace function address_hash(address_key text) returns bytea
language sql immutable
as $$ select sha256(convert_to('address:' || address_key, 'UTF8')) $$;

-- Whether an emailed link to an address reaches this account: it's the account's address, or was before and
-- nobody else has it now.
create or replace function is_reached_at(account uuid, address_key text) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from users u where u.id = account and u.email_key = address_key)
  or (exists (select from earlier_addresses e where e.user_id = account and e.address_hash = address_hash(address_key))
    and not exists (select from users o where o.email_key = address_key and o.id <> account and o.email_confirmed_at is not null)) $$;

-- Whether an account is on both sides of an open connection, or would be if it also had another address.
create or replace function is_on_both_sides(account uuid, other_address_key text) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  with own as (select workspace_id from members where account_id = account),
  links as (select c.* from connections c where c.state in ('asked', 'active')
    and (c.family_id in (select workspace_id from own) or c.practice_id in (select workspace_id from own)))
  select exists (select from links where family_id in (select workspace_id from own) and practice_id in (select workspace_id from own))
    or exists (select from links where (family_id is null or practice_id is null) and (email_key = other_address_key or is_reached_at(account, email_key)))
$$;

-- Refuses a change that would put someone on both sides. Two changes that could do so together take a lock in
-- common: of the person or of a workspace.
create or replace function keep_sides_apart() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  people uuid[];
  places uuid[];
begin
  case tg_table_name
    when 'members' then people := array[new.account_id]; places := array[new.workspace_id];
    when 'users' then people := array[new.id];
    when 'connections' then places := array_remove(array[new.family_id, new.practice_id], null);
  end case;
  perform pg_advisory_xact_lock(hashtextextended('sides:' || person, 0)) from unnest(people) person;
  if tg_table_name = 'users' then
    insert into earlier_addresses (user_id, address_hash) values (new.id, address_hash(old.email_key)) on conflict do nothing;
    places := array(select workspace_id from members where account_id = new.id);
  end if;
  perform pg_advisory_xact_lock(hashtextextended('sides:' || place, 0)) from (select unnest(places) as place order by 1) ordered;
  people := coalesce(people, array(select distinct account_id from members where workspace_id = any (places)));
  if exists (select from unnest(people) person where is_on_both_sides(person, null)) then
    raise exception 'nobody can be on both sides of a connection' using errcode = 'check_violation', constraint = 'one_person_one_side';
  end if;
  return null;
end $$;
create or replace trigger member_sides_apart after insert on members for each row execute function keep_sides_apart();
create or replace trigger address_sides_apart after update of email_key on users for each row when (old.email_key <> new.email_key)
  execute function keep_sides_apart();
create or replace trigger connection_sides_apart after insert on connections for each row execute function keep_sides_apart();
create or replace trigger taken_sides_apart after update of family_id, practice_id, email_key on connections for each row
  when (new.state in ('asked', 'active')
    and (old.family_id, old.practice_id, old.email_key) is distinct from (new.family_id, new.practice_id, new.email_key))
  execute function keep_sides_apart();
