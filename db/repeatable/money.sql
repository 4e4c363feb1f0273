-- What's particular about payments and charges among the things two sides agree on (agreements.sql): who the other
-- side is, which fields are facts, and what the history shows. Both are amounts in the account of a connection, so
-- they're shared, merged and kept in the same way.

-- The connection for a payment or charge the caller is recording. It has to be active and include these people, and
-- both accounts have to be open. If a student is in several connections, uses the newest unless the caller
-- names one. What's from before sharing began stays with the side that records it.
create or replace function payment_connection(tutor uuid, student uuid, named uuid, day date) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select c.id from connections c
  where (c.state = 'active' or (c.state = 'asked' and c.id = app_link())) and c.family_closed_at is null and c.practice_closed_at is null
    and (named is null or c.id = named) and (named is not null or c.shared_from is null or day >= c.shared_from)
    and (c.id = app_link() or (c.family_id = app_workspace() and c.tutor_id = tutor)
      or (c.practice_id = app_workspace() and ((student is null and named is not null)
        or exists (select from connection_people p where p.connection_id = c.id and p.student_id = student
            and (p.child_id is not null or c.family_id is null)))))
  order by c.created_at desc limit 1 $$;

-- Fills in both sides of a payment or charge from its connection. If it doesn't name a student of the practice and the
-- connection has only one, fills in that student.
select for_money($function$
create or replace function shared_money(entry {place}, link uuid) returns {place}
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections;
begin
  select * into c from connections where id = link;
  entry.connection_id := c.id;
  entry.currency := currency_of(coalesce(c.family_id, c.practice_id));
  entry.family_id := c.family_id;
  entry.family_tutor_id := c.tutor_id;
  entry.practice_id := c.practice_id;
  entry.practice_tutor_id := (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self);
  if entry.student_id is not null then
    entry.child_id := coalesce((select w.child_id from connection_people w where w.connection_id = c.id and w.student_id = entry.student_id), entry.child_id);
  else
    entry.student_id := (select min(w.student_id::text)::uuid from connection_people w where w.connection_id = c.id
        and (entry.child_id is null or w.child_id = entry.child_id) having count(*) = 1);
  end if;
  return entry;
end $$ $function$);

-- The facts that both sides confirm, apart from the people.
create or replace function agreed_facts(p payments) returns jsonb
language sql immutable
as $$ select jsonb_build_object('date', p.day, 'kind', p.kind, 'amount_cents', p.amount_cents, 'prepaid_minutes', p.prepaid_minutes) $$;
create or replace function agreed_facts(c charges) returns jsonb
language sql immutable
as $$ select jsonb_build_object('date', c.day, 'amount_cents', c.amount_cents, 'reason', c.reason, 'label', c.label) $$;

-- Fills in the other side, counts changes of the facts, and keeps a payment or charge with its connection.
create or replace function keep_money_facts() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side text := tg_argv[0];
  link uuid;
  has_moved boolean;
begin
  if tg_op = 'INSERT' then
    perform hold_sharing();
    new.currency := currency_of(coalesce(new.family_id, new.practice_id));
    link := payment_connection(new.family_tutor_id, new.student_id, new.connection_id, new.day);
    if new.connection_id is not null and link is null then
      raise exception 'this side has no such open connection' using errcode = 'check_violation', constraint = tg_table_name || '_connected';
    end if;
    if link is not null then new := shared_money(new, link); end if;
    return new;
  end if;
  has_moved := (side = 'family' and new.family_tutor_id is not null and new.family_tutor_id is distinct from old.family_tutor_id)
    or (side = 'practice' and new.student_id is not null and new.student_id is distinct from old.student_id);
  if has_moved and old.connection_id is null then
    perform hold_sharing();
    link := payment_connection(new.family_tutor_id, new.student_id, null, new.day);
    -- It's shared only on request (share_own_payment) if it's a copy from a split or the other side has its own copy. A
    -- dollar amount never becomes a euro amount: what was recorded in a different currency stays with its side.
    if link is not null and new.parted_from is null and exists (select from connections c
        where c.id = link and currency_of(coalesce(c.family_id, c.practice_id)) = old.currency) then
      new := shared_money(new, link);
    end if;
  elsif has_moved then
    -- A payment or charge may move to another student in its connection, but never to another connection.
    if not exists (select from connection_people p where side = 'practice' and p.connection_id = old.connection_id and p.student_id = new.student_id) then
      raise exception 'this cannot move to another connection' using errcode = 'check_violation', constraint = tg_table_name || '_stay_connected';
    end if;
    has_moved := false;
  end if;
  if has_moved or agreed_facts(new) <> agreed_facts(old) then new.facts_version := old.facts_version + 1; end if;
  return new;
end $$;
select for_money($trigger$ create or replace trigger {place}_facts_by_{own} before insert or update on {place} for each row
  when (current_user in ('tutorlog_{own}', 'tutorlog_{link}')) execute function keep_money_facts('{own}') $trigger$);

create or replace function state_facts(currency text, is_verified boolean, is_disputed boolean, family_proposal jsonb, practice_proposal jsonb) returns jsonb
language sql immutable
as $$ select jsonb_build_object('currency', currency, 'state', case when is_verified then 'verified' when is_disputed then 'disputed' else 'unverified' end)
  || proposed_in(family_proposal, practice_proposal) $$;
-- The people that a change is about. Which of the family's students it's for is the practice's own matter.
create or replace function changed_people(was anyelement, becomes anyelement) returns text[]
language plpgsql immutable
as $$
begin
  return array_remove(array[
    case when becomes.family_tutor_id is distinct from was.family_tutor_id and was.family_tutor_id is not null
      and becomes.family_tutor_id is not null then 'tutor' end,
    case when becomes.facts_version <> was.facts_version and was.connection_id is null and becomes.student_id is distinct from was.student_id
      and becomes.student_id is not null and was.student_id is not null then 'student' end], null);
end $$;

-- Nobody replies to a dispute about money, and nobody is asked about it: the entry has to be corrected. A dispute can
-- propose another day and amount.
select for_money($functions$
  create or replace function reply_to(side text, p {place}) returns timestamptz
  language sql immutable
  as $$ select null::timestamptz $$;
  create or replace function reply_in(side text, was {place}, becomes {place}) returns text
  language sql immutable
  as $$ select null::text $$;
  create or replace function proposable(p {place}) returns jsonb
  language sql immutable
  as $$ select jsonb_build_object('day', p.day, 'amount_cents', p.amount_cents) $$ $functions$);

-- The facts that both sides may see, in the format the history uses.
create or replace function facts_of(p payments) returns jsonb
language sql immutable
as $$ select agreed_facts(p) || jsonb_build_object('method', p.method) || state_facts(p.currency, p.is_verified, p.is_disputed,
  current_proposal(p.family_proposal, p.family_answer_version, p.facts_version), current_proposal(p.practice_proposal, p.practice_answer_version, p.facts_version)) $$;
create or replace function facts_of(p charges) returns jsonb
language sql immutable
as $$ select agreed_facts(p) || state_facts(p.currency, p.is_verified, p.is_disputed,
  current_proposal(p.family_proposal, p.family_answer_version, p.facts_version), current_proposal(p.practice_proposal, p.practice_answer_version, p.facts_version)) $$;

-- The fields that a change is about, as the history names them.
create or replace function changed_fields(was payments, becomes payments) returns text[]
language sql immutable
as $$ select changed_people(was, becomes) || array_remove(array[
  case when becomes.day <> was.day then 'date' end, case when becomes.kind <> was.kind then 'kind' end,
  case when becomes.amount_cents <> was.amount_cents then 'amount' end,
  case when becomes.prepaid_minutes is distinct from was.prepaid_minutes then 'hours' end,
  case when becomes.method is distinct from was.method then 'method' end], null) $$;
create or replace function changed_fields(was charges, becomes charges) returns text[]
language sql immutable
as $$ select changed_people(was, becomes) || array_remove(array[
  case when becomes.day <> was.day then 'date' end, case when becomes.amount_cents <> was.amount_cents then 'amount' end,
  case when becomes.reason <> was.reason then 'reason' end,
  case when becomes.label is distinct from was.label then 'label' end], null) $$;

-- Shares one of the caller's own payments or charges under the active connection between its people and returns its
-- id. Null if there's no such connection. If the other side recorded one with the same facts, the two are merged into
-- one that both have confirmed.
select for_money($function$
create or replace function share_own_{kind}({kind} bigint) returns uuid
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own {place};
  shared {place};
  twin {place};
  kept {kind}_notes;
  side text;
  link uuid;
  other uuid;
begin
  perform hold_sharing();
  select * into own from {place} where key = share_own_{kind}.{kind} and connection_id is null and app_workspace() in (family_id, practice_id);
  if not found or app_students() is not null or app_role() = 'viewer' then return null; end if;
  side := case when own.family_id is not null then 'family' else 'practice' end;
  link := payment_connection(own.family_tutor_id, own.student_id, null, 'infinity');
  if link is null then return null; end if;
  -- If both sides share at the same time, the second one waits here before it locks any rows. Otherwise, each
  -- would miss the other side's entry.
  perform pg_advisory_xact_lock(hashtextextended('{place}:' || link, 0));
  select * into own from {place} where key = share_own_{kind}.{kind} and connection_id is null for update;
  if not found then return null; end if;
  shared := shared_money(own, link);
  if shared.currency <> own.currency then return null; end if;
  other := case side when 'family' then shared.practice_id else shared.family_id end;
  select t.* into twin from {place} t
  where t.key <> own.key and (t.day, t.currency) = (own.day, own.currency) and agreed_facts(t) = agreed_facts(own)
    and t.deletion_asked_by is null and 'confirmed' = case side
      when 'family' then current_answer(t.practice_answer, t.practice_answer_version, t.facts_version)
      else current_answer(t.family_answer, t.family_answer_version, t.facts_version) end
    and case
      when t.connection_id is not null then t.connection_id = link and not t.is_verified
      when side = 'family' then t.practice_id = other
        and (t.id = own.id or exists (select from connection_people p where p.connection_id = link and p.student_id = t.student_id))
      else t.family_id = other and (t.id = own.id or t.family_tutor_id = shared.family_tutor_id) end
  order by t.id = own.id desc, t.connection_id is null desc, t.key limit 1 for update;
  if twin.key is not null then
    select * into kept from {kind}_notes where workspace_id = other and {kind}_id = twin.id;
    perform merge_history('{kind}', twin.key, own.key);
    delete from {place} where key = twin.key;
  end if;
  -- The other side may have its own copy with this id, and that copy may have changed since. The shared
  -- entry then gets a new id.
  if exists (select from {place} o where o.id = own.id and o.key <> own.key and other in (o.family_id, o.practice_id)) then
    shared.id := gen_random_uuid();
    update {kind}_notes set {kind}_id = shared.id where workspace_id = app_workspace() and {kind}_id = own.id;
  end if;
  if kept.{kind}_id is not null then
    insert into {kind}_notes (workspace_id, {kind}_id, text, version) values (other, shared.id, kept.text, kept.version);
  end if;
  -- A side that recorded it before keeps the time of its answer. Its names are filled in when this runs.
  execute for_side(side, translate($update$ update {place} p set id = $2.id, connection_id = $2.connection_id, currency = $2.currency, parted_from = null,
      family_id = $2.family_id, family_tutor_id = $2.family_tutor_id, child_id = $2.child_id,
      practice_id = $2.practice_id, practice_tutor_id = $2.practice_tutor_id, student_id = $2.student_id,
      [own]_answer = 'confirmed', [own]_answer_version = facts_version, [own]_answer_note = null, [own]_proposal = null, [own]_took_part = true,
      [own]_answered_at = case when [own]_answer = 'confirmed' then [own]_answered_at else clock_timestamp() end,
      [other]_answer = $3.[other]_answer, [other]_answer_version = case when $3.key is not null then facts_version end, [other]_answer_note = null, [other]_proposal = null,
      [other]_took_part = $3.key is not null, [other]_answered_at = $3.[other]_answered_at,
      version = greatest(version, coalesce($3.version, 0)) + 1, updated_at = clock_timestamp()
    where key = $1 returning * $update$, '[]', '{}')) into own using own.key, shared, twin;
  perform share_history(own);
  perform add_history(own, side, case when twin.key is null then 'confirmed' else 'merged' end, '{}', null);
  return shared.id;
end $$ $function$);

-- If an account takes over a side that had answered by email, it also takes over the connection's payments
-- and charges with their confirmations.
select for_money($function$
create or replace function take_over_{place}(c connections) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare p {place}; whole {place};
begin
  for p in select * from {place} where connection_id = c.id and (family_id, practice_id) is distinct from (c.family_id, c.practice_id)
    order by key for update loop
    whole := shared_money(p, c.id);
    if exists (select from {place} o where o.id = p.id and o.key <> p.key and (o.family_id = c.family_id or o.practice_id = c.practice_id)) then
      whole.id := gen_random_uuid();
      update {kind}_notes set {kind}_id = whole.id where workspace_id in (p.family_id, p.practice_id) and {kind}_id = p.id;
    end if;
    update {place} set id = whole.id, family_id = whole.family_id, family_tutor_id = whole.family_tutor_id, child_id = whole.child_id,
      practice_id = whole.practice_id, practice_tutor_id = whole.practice_tutor_id, student_id = whole.student_id where key = p.key;
    perform share_history(whole);
  end loop;
end $$ $function$);
