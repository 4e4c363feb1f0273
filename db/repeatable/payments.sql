-- Each side's confirmation of a payment. As with sessions (confirmations.sql), it's valid only for the facts
-- it was given for (amount, day, kind and prepaid hours), and neither side can write, clear or reset the
-- other's. Payments have no history, because the confirmations and their timestamps are enough
-- (docs/decisions/0015-one-lesson-one-row.md).

-- The connection for a payment the caller is recording. It has to be active and include these people, and
-- both accounts have to be open. If a student is in several connections, uses the newest unless the caller
-- names one. Payments from before sharing began stay with the side that records them.
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
revoke all on function payment_connection(uuid, uuid, uuid, date) from public;
grant execute on function payment_connection(uuid, uuid, uuid, date) to tutorlog_family, tutorlog_practice;

-- Fills in both sides of a payment from its connection. If the payment doesn't name a student of the practice
-- and the connection has only one, fills in that student.
create or replace function shared_payment(p payments, link uuid) returns payments
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections;
begin
  select * into c from connections where id = link;
  p.connection_id := c.id;
  p.currency := currency_of(coalesce(c.family_id, c.practice_id));
  p.family_id := c.family_id;
  p.family_tutor_id := c.tutor_id;
  p.practice_id := c.practice_id;
  p.practice_tutor_id := (select t.id from tutors t where t.workspace_id = c.practice_id and t.is_self);
  if p.student_id is not null then
    p.child_id := coalesce((select w.child_id from connection_people w where w.connection_id = c.id and w.student_id = p.student_id), p.child_id);
  else
    p.student_id := (select min(w.student_id::text)::uuid from connection_people w where w.connection_id = c.id
        and (p.child_id is null or w.child_id = p.child_id) having count(*) = 1);
  end if;
  return p;
end $$;
revoke all on function shared_payment(payments, uuid) from public;

create or replace function keep_payment() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side text := tg_argv[0];
  is_new boolean := tg_op = 'INSERT';
  link uuid;
  has_moved boolean := true;
  shared payments;
begin
  if is_new then
    perform hold_sharing();
    new.currency := currency_of(coalesce(new.family_id, new.practice_id));
    link := payment_connection(new.family_tutor_id, new.student_id, new.connection_id, new.day);
    if new.connection_id is not null and link is null then
      raise exception 'this side has no such open connection' using errcode = 'check_violation', constraint = 'payments_connected';
    end if;
    if link is not null then new := shared_payment(new, link); end if;
  else
    if new.connection_id is not null and exists (select from connections c where c.id = new.connection_id
        and (case when side = 'family' then c.practice_closed_at else c.family_closed_at end) is not null) then
      raise exception 'the account of the other side is closed' using errcode = 'check_violation', constraint = 'payments_other_side_open';
    end if;
    if new.deletion_asked_by is not null and (new.deletion_asked_by, new.deletion_asked_at) is distinct from (old.deletion_asked_by, old.deletion_asked_at)
      and (new.deletion_asked_by <> side or old.deletion_asked_by is not null) then
      raise exception 'a side can request a deletion only for itself' using errcode = 'check_violation', constraint = 'payments_deletion_own';
    end if;
    has_moved := (side = 'family' and new.family_tutor_id is not null and new.family_tutor_id is distinct from old.family_tutor_id)
      or (side = 'practice' and new.student_id is not null and new.student_id is distinct from old.student_id);
    if has_moved and old.connection_id is null then
      perform hold_sharing();
      link := payment_connection(new.family_tutor_id, new.student_id, null, new.day);
      -- A payment is shared only on request (share_own_payment) if it's a copy from a split or the other side
      -- has its own copy. A dollar amount never becomes a euro amount: a payment recorded in a different
      -- currency stays with its side.
      if link is not null and new.parted_from is null then shared := shared_payment(new, link); end if;
      if shared.currency = old.currency then new := shared; end if;
    elsif has_moved then
      -- A payment may move to another student in its connection, but never to another connection.
      if not exists (select from connection_people p where side = 'practice' and p.connection_id = old.connection_id and p.student_id = new.student_id) then
        raise exception 'a payment cannot move to another connection' using errcode = 'check_violation', constraint = 'payments_stay_connected';
      end if;
      has_moved := false;
    end if;
    has_moved := has_moved or (new.day, new.kind, new.amount_cents) <> (old.day, old.kind, old.amount_cents)
      or new.prepaid_minutes is distinct from old.prepaid_minutes;
    if has_moved then new.facts_version := old.facts_version + 1; end if;
  end if;
  if side = 'family' then
    if has_moved then new.family_word := 'confirmed'; new.family_word_note := null; end if;
    if has_moved or (new.family_word, new.family_word_version, new.family_word_note) is distinct from (old.family_word, old.family_word_version,
        old.family_word_note) then
      new.family_word_version := case when new.family_word is not null then new.facts_version end;
      new.family_word_at := clock_timestamp();
    end if;
    new.family_took_part := new.family_took_part or coalesce(new.family_word = 'confirmed', false);
  else
    if has_moved then new.practice_word := 'confirmed'; new.practice_word_note := null; end if;
    if has_moved or (new.practice_word, new.practice_word_version, new.practice_word_note) is distinct from (old.practice_word,
        old.practice_word_version, old.practice_word_note) then
      new.practice_word_version := case when new.practice_word is not null then new.facts_version end;
      new.practice_word_at := clock_timestamp();
    end if;
    new.practice_took_part := new.practice_took_part or coalesce(new.practice_word = 'confirmed', false);
  end if;
  return new;
end $$;
revoke all on function keep_payment() from public;
create or replace trigger payment_kept_by_family before insert or update on payments for each row
  when (current_user in ('tutorlog_family', 'tutorlog_family_link')) execute function keep_payment('family');
create or replace trigger payment_kept_by_practice before insert or update on payments for each row
  when (current_user in ('tutorlog_practice', 'tutorlog_link')) execute function keep_payment('practice');

-- An emailed page can record, answer and change payments for its side of one connection. It can't read names
-- or notes.
do $$
declare
  place text; own text; other text;
begin
  foreach place in array array['link', 'family_link'] loop
    own := case place when 'link' then 'practice' else 'family' end;
    execute format('grant select (key, id, connection_id, day, kind, amount_cents, prepaid_minutes, method, currency, facts_version,
        family_word, family_word_version, family_word_at, family_word_note, family_took_part,
        practice_word, practice_word_version, practice_word_at, practice_word_note, practice_took_part, is_confirmed, deletion_asked_by,
          deletion_asked_at, version, created_at, updated_at),
      insert (id, connection_id, day, kind, amount_cents, prepaid_minutes, method),
      update (day, kind, amount_cents, prepaid_minutes, method, %2$I, %3$I, %4$I, deletion_asked_by, deletion_asked_at, version, updated_at),
        delete on payments to %1$I',
      'tutorlog_' || place, own || '_word', own || '_word_version', own || '_word_note');
  end loop;
end $$;

-- The daily email asks people to confirm payments. It never includes the payments' notes.
grant select (key, connection_id, family_id, family_tutor_id, practice_id, student_id, day, kind, amount_cents, prepaid_minutes, method, currency,
    facts_version,
  family_word, family_word_version, family_word_at, practice_word, practice_word_version, practice_word_at, is_confirmed, deletion_asked_by,
    deletion_asked_at, updated_at) on payments to tutorlog_system;

-- Shares one of the caller's own payments under the active connection between its people and returns its id.
-- Null if there's no such connection. If the other side recorded a payment with the same day, kind and
-- amount, the two are merged into one that both have confirmed.
create or replace function share_own_payment(payment bigint) returns uuid
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  own payments;
  shared payments;
  twin payments;
  kept payment_notes;
  is_family boolean;
  link uuid;
  other uuid;
begin
  perform hold_sharing();
  select * into own from payments where key = payment and connection_id is null and app_workspace() in (family_id, practice_id);
  if not found or app_students() is not null or app_role() = 'viewer' then return null; end if;
  is_family := own.family_id is not null;
  link := payment_connection(own.family_tutor_id, own.student_id, null, 'infinity');
  if link is null then return null; end if;
  -- If both sides share at the same time, the second one waits here before it locks any rows. Otherwise, each
  -- would miss the other side's payment.
  perform pg_advisory_xact_lock(hashtextextended('payments:' || link, 0));
  select * into own from payments where key = payment and connection_id is null for update;
  if not found then return null; end if;
  shared := shared_payment(own, link);
  if shared.currency <> own.currency then return null; end if;
  other := case when is_family then shared.practice_id else shared.family_id end;
  select t.* into twin from payments t
  where t.key <> own.key and (t.day, t.kind, t.amount_cents, t.currency) = (own.day, own.kind, own.amount_cents, own.currency)
    and t.prepaid_minutes is not distinct from own.prepaid_minutes
    and t.deletion_asked_by is null and case when is_family then t.practice_word = 'confirmed' and t.practice_word_version = t.facts_version
      else t.family_word = 'confirmed' and t.family_word_version = t.facts_version end
    and case
      when t.connection_id is not null then t.connection_id = link and not t.is_confirmed
      when is_family then t.practice_id = other
        and (t.id = own.id or exists (select from connection_people p where p.connection_id = link and p.student_id = t.student_id))
      else t.family_id = other and (t.id = own.id or t.family_tutor_id = shared.family_tutor_id) end
  order by t.id = own.id desc, t.connection_id is null desc, t.key limit 1 for update;
  if twin.key is not null then
    select * into kept from payment_notes where workspace_id = other and payment_id = twin.id;
    delete from payments where key = twin.key;
  end if;
  -- The other side may have its own copy with this id, and that copy may have changed since. The shared
  -- payment then gets a new id.
  if exists (select from payments o where o.id = own.id and o.key <> own.key and other in (o.family_id, o.practice_id)) then
    shared.id := gen_random_uuid();
    update payment_notes set payment_id = shared.id where workspace_id = app_workspace() and payment_id = own.id;
  end if;
  if kept.payment_id is not null then
    insert into payment_notes (workspace_id, payment_id, text, version) values (other, shared.id, kept.text, kept.version);
  end if;
  update payments set id = shared.id, connection_id = link, currency = shared.currency, parted_from = null,
    family_id = shared.family_id, family_tutor_id = shared.family_tutor_id, child_id = shared.child_id,
    practice_id = shared.practice_id, practice_tutor_id = shared.practice_tutor_id, student_id = shared.student_id,
    family_word = case when is_family or twin.key is not null then 'confirmed' end,
      family_word_version = case when is_family or twin.key is not null then facts_version end,
    family_word_at = case when not is_family then twin.family_word_at when family_word = 'confirmed' then family_word_at else clock_timestamp() end,
      family_word_note = null,
    family_took_part = is_family or twin.key is not null,
    practice_word = case when not is_family or twin.key is not null then 'confirmed' end,
      practice_word_version = case when not is_family or twin.key is not null then facts_version end,
    practice_word_at = case when is_family then twin.practice_word_at when practice_word = 'confirmed' then practice_word_at
      else clock_timestamp() end, practice_word_note = null,
    practice_took_part = not is_family or twin.key is not null,
    version = greatest(version, coalesce(twin.version, 0)) + 1, updated_at = clock_timestamp()
  where key = own.key;
  return shared.id;
end $$;
revoke all on function share_own_payment(bigint) from public;
grant execute on function share_own_payment(bigint) to tutorlog_family, tutorlog_practice;

-- If an account takes over a side that had answered by email, it also takes over the connection's payments
-- and their confirmations.
create or replace function take_over_payments(c connections) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare p payments; whole payments;
begin
  for p in select * from payments where connection_id = c.id and (family_id, practice_id) is distinct from (c.family_id, c.practice_id)
    order by key for update loop
    whole := shared_payment(p, c.id);
    if exists (select from payments o where o.id = p.id and o.key <> p.key and (o.family_id = c.family_id or o.practice_id = c.practice_id)) then
      whole.id := gen_random_uuid();
      update payment_notes set payment_id = whole.id where workspace_id in (p.family_id, p.practice_id) and payment_id = p.id;
    end if;
    update payments set id = whole.id, family_id = whole.family_id, family_tutor_id = whole.family_tutor_id, child_id = whole.child_id,
      practice_id = whole.practice_id, practice_tutor_id = whole.practice_tutor_id, student_id = whole.student_id where key = p.key;
  end loop;
end $$;
revoke all on function take_over_payments(connections) from public;

-- Splits shared payments. The family keeps the row, and the practice gets a copy with the same id and
-- confirmations.
create or replace function split_payments(shared payments[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update payments p set connection_id = null, deletion_asked_by = null, deletion_asked_at = null, version = p.version + (p.deletion_asked_by is not null)::int,
      practice_id = case when o.family_id is null then o.practice_id end, student_id = case when o.family_id is null then o.student_id end,
      practice_tutor_id = case when o.family_id is null then o.practice_tutor_id end, parted_from = case when o.family_id is not null then o.practice_id end
    from unnest(shared) o where p.key = o.key;
  -- A practice keeps a balance per student, so a payment that isn't for a particular student is assigned to
  -- the family's first one.
  insert into payments (id, practice_id, practice_tutor_id, student_id, day, kind, amount_cents, prepaid_minutes, method, currency, facts_version,
      family_word, family_word_version, family_word_at, family_word_note, family_took_part, practice_word, practice_word_version, practice_word_at,
        practice_word_note, practice_took_part,
      parted_from, version, created_at, updated_at)
    select o.id, o.practice_id, o.practice_tutor_id,
      coalesce(o.student_id, (select w.student_id from connection_people w where w.connection_id = o.connection_id and w.student_id is not null
        order by w.first_name collate "und-x-icu", w.id limit 1)),
      o.day, o.kind, o.amount_cents, o.prepaid_minutes, o.method, o.currency, o.facts_version,
      o.family_word, o.family_word_version, o.family_word_at, o.family_word_note, o.family_took_part, o.practice_word, o.practice_word_version,
        o.practice_word_at, o.practice_word_note, o.practice_took_part,
      o.family_id, o.version + (o.deletion_asked_by is not null)::int, o.created_at, o.updated_at
    from unnest(shared) o where o.family_id is not null and o.practice_id is not null;
end $$;
revoke all on function split_payments(payments[]) from public;

-- Removes a payment from the caller's log when the other side hasn't agreed to delete it. The rule is the
-- same as in leave_session.
create or replace function leave_payment(payment bigint, moment timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare shared payments;
begin
  perform hold_sharing();
  select * into shared from payments p where key = payment
    and (select asked <= moment - interval '28 days' or (reminders >= 2 and asked <= moment - interval '14 days' and reminded <= moment - interval '3 days')
      from (values ('family', p.practice_asked_since, p.practice_reminders, p.practice_reminded_at),
          ('practice', p.family_asked_since, p.family_reminders, p.family_reminded_at))
        question (asker, asked, reminders, reminded) where asker = p.deletion_asked_by)
    and case deletion_asked_by when 'family' then family_id else practice_id end = app_workspace() for update;
  if not found then return false; end if;
  perform split_payments(array[shared]);
  delete from payments where id = shared.id and case shared.deletion_asked_by when 'family' then family_id else practice_id end = app_workspace();
  return true;
end $$;
revoke all on function leave_payment(bigint, timestamptz) from public;
grant execute on function leave_payment(bigint, timestamptz) to tutorlog_family, tutorlog_practice;

-- A side's notes are keyed by the payment's id and deleted along with the payment.
create or replace function forget_payment_notes() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from payment_notes n where n.payment_id = old.id and n.workspace_id in (old.family_id, old.practice_id)
    and not exists (select from payments p where p.id = old.id and n.workspace_id in (p.family_id, p.practice_id));
  return null;
end $$;
revoke all on function forget_payment_notes() from public;
create or replace trigger payment_notes_forgotten after delete on payments for each row execute function forget_payment_notes();
