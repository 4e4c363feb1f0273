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
      and p.entries && new.entries) then
    raise exception 'a lesson or charge is on another paper' using errcode = 'check_violation', constraint = 'papers_twice';
  end if;
  return new;
end $$;
create or replace trigger papers_numbered before insert on papers for each row execute function number_paper();

-- An issued paper stays as it is, whoever asks: it can only be voided, once. It goes with its practice, and it stays when its
-- student is deleted.
create or replace function keep_paper() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from workspaces w where w.id = old.workspace_id) then
      raise exception 'an issued paper is never deleted' using errcode = 'check_violation', constraint = 'papers_kept';
    end if;
    return old;
  end if;
  if to_jsonb(new) - array['voided_at', 'void_reason', 'student_id'] <> to_jsonb(old) - array['voided_at', 'void_reason', 'student_id']
      or (new.student_id is distinct from old.student_id and new.student_id is not null)
      or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)) then
    raise exception 'an issued paper is never changed' using errcode = 'check_violation', constraint = 'papers_kept';
  end if;
  return new;
end $$;
create or replace trigger papers_kept before update or delete on papers for each row execute function keep_paper();
