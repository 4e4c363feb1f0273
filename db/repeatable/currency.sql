-- A workspace's currency applies to its own amounts and, for a family, to what it shares. Choosing another one
-- relabels the amounts that only this workspace has; what two sides share keeps its currency (promise D16).

-- The currency for something new. The lock makes sure that it isn't changed before the transaction ends.
create or replace function currency_of(workspace uuid) returns text
language sql security definer set search_path = public, pg_temp
as $$ select currency from workspaces where id = workspace for key share $$;

-- Refuses an amount with decimals if the workspace's currency has none. Rows with a currency of their own have a constraint of this name.
create or replace function refuse_decimals() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if least_amount(currency_of(new.workspace_id)) > 1 then
    raise exception 'the currency has no decimals' using errcode = 'check_violation', constraint = 'whole_amounts';
  end if;
  return new;
end $$;
create or replace trigger students_whole before insert or update of hourly_rate_cents on students for each row
  when (new.hourly_rate_cents % 100 <> 0) execute function refuse_decimals();
create or replace trigger tutors_whole before insert or update of hourly_rate_cents on tutors for each row
  when (new.hourly_rate_cents % 100 <> 0) execute function refuse_decimals();
create or replace trigger prices_whole before insert or update of amount_cents on prices for each row
  when (new.amount_cents % 100 <> 0) execute function refuse_decimals();

-- The lines of a closed page. Charges are listed apart, and pages from before them have none.
create or replace function page_lines(page jsonb) returns jsonb
language sql immutable
as $$ select page -> 'sessions' || (page -> 'payments') || coalesce(page -> 'charges', '[]') $$;

-- Whether an entry is on the page of a month that the workspace closed. After the two sides part, each keeps
-- the page together with its copies of the entries.
create or replace function is_on_closed_page(workspace uuid, entry uuid, day date) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from closed_months m, jsonb_array_elements(page_lines(m.content)) line
  where workspace in (m.family_id, m.practice_id) and m.state = 'closed' and m.month = to_char(day, 'YYYY-MM') and (line ->> 'id')::uuid = entry) $$;

-- Whether choosing another currency relabels any amount of the caller's workspace.
create or replace function has_own_amounts() returns boolean
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  kind text;
  has_some boolean := exists (select from sessions s where app_workspace() in (s.family_id, s.practice_id) and s.connection_id is null
    and s.total_cents is not null and not is_on_closed_page(app_workspace(), s.id, s.day));
begin
  foreach kind in array array(select kinds_with('amount_cents')) loop
    exit when has_some;
    execute format('select exists (select from %I p where app_workspace() in (p.family_id, p.practice_id) and p.connection_id is null
      and not is_on_closed_page(app_workspace(), p.id, p.day))', kind || 's') into has_some;
  end loop;
  return has_some;
end $$;

-- Whether an entry is terms with decimals that no longer apply. They stay in their currency, because terms that applied never change.
create or replace function stays_in_currency(entry jsonb, currency text) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select entry ? 'rules' and not are_whole(entry -> 'rules', currency) and (entry ->> 'ended_on' is not null or exists (select from terms later
  where later.key > (entry ->> 'key')::bigint and (later.family_id, later.family_tutor_id, later.practice_id, later.student_id) is not distinct from
    ((entry ->> 'family_id')::uuid, (entry ->> 'family_tutor_id')::uuid, (entry ->> 'practice_id')::uuid, (entry ->> 'student_id')::uuid))) $$;

-- Relabels the amounts that only this workspace has. That changes their facts, so the history says it, and a
-- confirmation from a side that has since parted no longer counts. Refuses if there are amounts in the
-- workspace's currency that another side sees.
create or replace function relabel_amounts() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  side constant text := new.kind;
  kind text;
  is_shared boolean;
begin
  -- Locks the rows before the workspace, like everyone who changes or adds one (currency_of).
  perform for_kinds(format('select from {place} where %L in (family_id, practice_id) order by key for update', new.id));
  perform from workspaces where id = new.id for update;
  -- What a practice shares with a family is in the family's currency.
  foreach kind in array array(select kinds_with('currency')) loop
    execute format('select exists (select from %I where $1 in (family_id, practice_id) and connection_id is not null and ($2 = ''family'' or family_id is null))',
      kind || 's') into is_shared using new.id, side;
    if is_shared or exists (select from session_pairs where new.id in (family_id, practice_id)) then
      raise exception 'shared amounts keep their currency' using errcode = 'check_violation', constraint = 'shared_currency';
    end if;
  end loop;
  -- Calculated amounts would be rounded, and amounts keep their numbers. The constraints of the rows refuse all others.
  if least_amount(new.currency) > 1 and (exists (select from students where workspace_id = new.id and hourly_rate_cents % 100 <> 0)
      or exists (select from tutors where workspace_id = new.id and hourly_rate_cents % 100 <> 0)
      or exists (select from prices where workspace_id = new.id and amount_cents % 100 <> 0)
      or exists (select from sessions s where new.id in (s.family_id, s.practice_id) and s.connection_id is null and s.total_cents % 100 <> 0
        and not is_on_closed_page(new.id, s.id, s.day))) then
    raise exception 'the currency has no decimals' using errcode = 'check_violation', constraint = 'whole_amounts';
  end if;
  perform for_kinds(for_side(side, format($relabel$ update {place} e set currency = %2$L, facts_version = facts_version + 1, version = version + 1,
      updated_at = clock_timestamp(),
      {own}_answer_version = case when {own}_answer_version = facts_version then facts_version + 1 else {own}_answer_version end
    where %1$L in (family_id, practice_id) and connection_id is null and currency <> %2$L and not is_on_closed_page(%1$L, id, day) and not stays_in_currency(to_jsonb(e), %2$L)
    returning add_history(e, %3$L, 'changed', '{currency}', null) $relabel$, new.id, new.currency, side)));
  return null;
end $$;
create or replace trigger currency_chosen after update of currency on workspaces for each row
  when (old.currency <> new.currency) execute function relabel_amounts();

-- Whatever changes a shared row, its currency stays.
create or replace function keep_currency() returns trigger
language plpgsql
as $$
begin
  raise exception 'shared amounts keep their currency' using errcode = 'check_violation', constraint = 'shared_currency';
end $$;
select for_kinds('create or replace trigger {kind}_currency_kept after update on {place} for each row
  when (old.connection_id is not null and old.currency <> new.currency) execute function keep_currency()');
