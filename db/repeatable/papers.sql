-- Numbers of a practice's papers, and what keeps an issued paper as it is (docs/decisions/0051-papers.md).

-- Numbers a paper in the transaction that issues it. The counter's row is locked until that transaction ends: the next paper
-- waits for it, and if it fails, its number is free again. So there's neither a gap nor a double.
create or replace function number_paper() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.year := extract(year from new.issued_on);
  insert into paper_numbers as n (workspace_id, year, last) values (new.workspace_id, new.year, 1)
    on conflict (workspace_id, year) do update set last = n.last + 1 returning last into new.number;
  if exists (select from papers p where p.workspace_id = new.workspace_id and p.kind = new.kind and p.voided_at is null
      and p.entries && new.entries)
    -- What a family issued before this tutor had an account is on no paper of the practice, but it's the same lesson.
    or exists (select from family_papers f join connections c on c.id = f.connection_id where c.practice_id = new.workspace_id and f.kind = new.kind
      and f.voided_at is null and f.entries && new.entries) then
    raise exception 'a lesson or charge is on another paper' using errcode = 'check_violation', constraint = 'papers_twice';
  end if;
  return new;
end $$;
create or replace trigger papers_numbered before insert on papers for each row execute function number_paper();

-- An issued paper stays as it is, whoever asks: it can only be voided, once. It goes with its workspace, and it stays when its
-- student, tutor or connection is deleted.
create or replace function keep_paper() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  said constant text[] := array['voided_at', 'void_reason'];
  -- What becomes null when it's deleted.
  gone constant text[] := array['student_id', 'tutor_id', 'connection_id'];
begin
  if tg_op = 'DELETE' then
    if exists (select from workspaces w where w.id = old.workspace_id) then
      raise exception 'an issued paper is never deleted' using errcode = 'check_violation', constraint = 'papers_kept';
    end if;
    return old;
  end if;
  if to_jsonb(new) - said - gone <> to_jsonb(old) - said - gone
      or exists (select from unnest(gone) field where to_jsonb(new) -> field is distinct from to_jsonb(old) -> field and to_jsonb(new) ->> field is not null)
      or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)) then
    raise exception 'an issued paper is never changed' using errcode = 'check_violation', constraint = 'papers_kept';
  end if;
  return new;
end $$;
create or replace trigger papers_kept before update or delete on papers for each row execute function keep_paper();
create or replace trigger family_papers_kept before update or delete on family_papers for each row execute function keep_paper();

-- Papers that a family issues in a tutor's name (docs/decisions/0057-papers-of-a-family.md).

-- Lets the family of a connection make receipts in its tutor's name, or no longer. The caller is the practice's owner, or the emailed
-- page of a tutor without an account, who types the provider's details here. False if the caller is neither.
create or replace function allow_papers(link uuid, is_allowed boolean, details jsonb, moment timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare of_family uuid;
begin
  update connections c set papers_allowed_at = case when is_allowed then coalesce(c.papers_allowed_at, moment) end,
      paper_details = case when c.practice_id is null then coalesce(details, c.paper_details) end
    where c.id = link and c.family_closed_at is null and c.practice_closed_at is null
      and ((c.state = 'active' and c.practice_id = app_workspace() and app_role() = 'owner') or c.id = app_open_link())
    returning c.family_id into of_family;
  if not found then return false; end if;
  perform pg_notify('changes', of_family::text) where of_family is not null;
  return true;
end $$;

-- The provider's details for a family that may make receipts in the tutor's name; null if it may not.
create or replace function allowed_provider(link uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(case when c.practice_id is null then c.paper_details
      else (select p.details from paper_providers p where p.workspace_id = c.practice_id) end, '{}')
  from connections c where c.id = link and c.state = 'active' and c.papers_allowed_at is not null
    and c.family_closed_at is null and c.practice_closed_at is null
    and c.family_id = app_workspace() and app_students() is null and app_role() <> 'caregiver'
$$;

-- Issues a family's paper, with a number of the practice or, if the tutor has no account, of the connection. A tutor who
-- withdraws the permission at the same moment waits for this transaction, or this refuses. Other papers of the connection wait, too.
-- @param copy what the practice gets of the content
create or replace function issue_family_paper(link uuid, paper jsonb, copy jsonb, moment timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  c connections;
  own family_papers;
  new_entries uuid[] := array(select e::uuid from jsonb_array_elements_text(paper -> 'entries') e);
begin
  select * into c from connections where id = link and family_id = app_workspace() for no key update;
  own := jsonb_populate_record(null::family_papers, paper - 'entries');
  if allowed_provider(link) is null or app_role() not in ('owner', 'parent') then
    raise exception 'the tutor does not allow it' using errcode = 'check_violation', constraint = 'papers_not_allowed';
  end if;
  -- The provider's details are the tutor's, whatever the caller says. Nothing is on it but this child's entries of this connection.
  if own.content -> 'provider' is distinct from copy -> 'provider' or not own.content -> 'provider' @> allowed_provider(link)
      or exists (select from unnest(new_entries) entry
        where not exists (select from sessions s where s.id = entry and s.connection_id = link and s.child_id = own.student_id)
          and not exists (select from charges o where o.id = entry and o.connection_id = link and coalesce(o.child_id, own.student_id) = own.student_id)) then
    raise exception 'not a paper of this connection' using errcode = 'check_violation', constraint = 'papers_changed';
  end if;
  own.workspace_id := c.family_id;
  own.connection_id := link;
  own.tutor_id := c.tutor_id;
  own.entries := new_entries;
  own.issued_at := moment;
  own.year := extract(year from own.issued_on);
  if c.practice_id is not null then
    insert into papers (workspace_id, id, kind, student_id, program, issued_on, code, content, entries, replaces, issued_at, is_by_family)
      values (c.practice_id, own.id, own.kind, (select p.student_id from connection_people p where p.connection_id = link and p.child_id = own.student_id),
        'free-form', own.issued_on, own.code, copy, new_entries,
        (select p.id from papers p where p.workspace_id = c.practice_id and p.id = own.replaces), moment, true)
      returning year, number into own.year, own.number;
  else
    if exists (select from family_papers f where f.connection_id = link and f.kind = own.kind and f.voided_at is null and f.entries && new_entries) then
      raise exception 'a lesson or charge is on another paper' using errcode = 'check_violation', constraint = 'papers_twice';
    end if;
    own.series := upper(right(link::text, 4));
    own.number := 1 + coalesce((select max(f.number) from family_papers f where f.connection_id = link and f.series is not null and f.year = own.year), 0);
  end if;
  insert into family_papers select (own).*;
  perform tell_of_paper(own, c, 'practice', 'issued');
end $$;

-- Queues the email to the other side of a family's paper: to its owner, or to the address of a tutor without an account.
create or replace function tell_of_paper(paper family_papers, c connections, side text, news text) returns void
language sql security definer set search_path = public, pg_temp
as $$
  insert into outbox (user_id, recipient, kind, data)
  select (select m.account_id from members m where m.role = 'owner' and m.workspace_id = case side when 'family' then c.family_id else c.practice_id end),
    '', 'paper_news', jsonb_build_object('link_id', c.id, 'side', side, 'news', news, 'series', paper.series, 'year', paper.year, 'number', paper.number,
      'total_cents', paper.content -> 'sums' -> 'total', 'currency', paper.content -> 'currency', 'reason', paper.void_reason)
  where c.state = 'active';
  select pg_notify('changes', other::text) from (select case side when 'family' then c.family_id else c.practice_id end as other) o where other is not null
$$;

-- Either side voids a family's paper; the other side's row follows, and it's told.
create or replace function void_both() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare own family_papers;
begin
  if tg_table_name = 'papers' then
    update family_papers set voided_at = new.voided_at, void_reason = new.void_reason where id = new.id and voided_at is null;
  else
    update papers set voided_at = new.voided_at, void_reason = new.void_reason where id = new.id and is_by_family and voided_at is null;
  end if;
  -- Only for the row that the caller changed.
  if pg_trigger_depth() = 1 then
    select * into own from family_papers where id = new.id;
    perform tell_of_paper(own, c, case tg_table_name when 'papers' then 'family' else 'practice' end, 'voided') from connections c where c.id = own.connection_id;
  end if;
  return null;
end $$;
create or replace trigger papers_void_both after update of voided_at on papers for each row
  when (new.is_by_family and old.voided_at is null and new.voided_at is not null) execute function void_both();
create or replace trigger family_papers_void_both after update of voided_at on family_papers for each row
  when (old.voided_at is null and new.voided_at is not null) execute function void_both();

-- What a tutor typed on the emailed page comes along to a new account, and is forgotten when the connection ends.
create or replace function move_paper_details() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if new.practice_id is not null and new.paper_details is not null then
    insert into paper_providers (workspace_id, details) values (new.practice_id, new.paper_details) on conflict do nothing;
    new.paper_details := null;
  end if;
  if new.state not in ('asked', 'active') then new.paper_details := null; new.papers_allowed_at := null; end if;
  return new;
end $$;
create or replace trigger paper_details_moved before update on connections for each row
  when (old.paper_details is not null or old.papers_allowed_at is not null) execute function move_paper_details();
