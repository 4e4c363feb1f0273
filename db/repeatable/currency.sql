-- A workspace's currency applies to its own amounts and, for a family, to what it shares. Choosing another one
-- relabels the amounts that only this workspace has; what two sides share keeps its currency (promise D16).

-- The currency for something new. The lock makes sure that it isn't changed before the transaction ends.
create or replace function currency_of(workspace uuid) returns text
language sql security definer set search_path = public, pg_temp
as $$ select currency from workspaces where id = workspace for key share $$;

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
  perform for_kinds(for_side(side, format($relabel$ update {place} e set currency = %2$L, facts_version = facts_version + 1, version = version + 1,
      updated_at = clock_timestamp(),
      {own}_answer_version = case when {own}_answer_version = facts_version then facts_version + 1 else {own}_answer_version end
    where %1$L in (family_id, practice_id) and connection_id is null and currency <> %2$L and not is_on_closed_page(%1$L, id, day)
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
