-- Before the baseline, only sessions had a history. Each payment's begins with what it was when its database or backup came
-- to the baseline, in the words of db/repeatable/history.sql.
insert into history (kind, entry_key, chain, seq, entry_id, connection_id, family_id, practice_id, at, side, action, facts, previous_hash, hash, hashed_text)
select 'payment', p.key, 1, 1, p.id, p.connection_id, p.family_id, p.practice_id, now(), 'system', 'recorded', entry.facts, '\x',
  sha256(convert_to(entry.text, 'UTF8')), entry.text
from payments p
  cross join lateral (select jsonb_build_object('date', p.day, 'kind', p.kind, 'amount_cents', p.amount_cents, 'prepaid_minutes', p.prepaid_minutes,
    'method', p.method, 'currency', p.currency,
    'state', case when p.is_verified then 'verified' when p.is_disputed then 'disputed' else 'unverified' end) as facts) now_are
  cross join lateral (select now_are.facts, concat_ws(E'\n', '2', p.id, 1, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'system', '-',
    'recorded', '-', now_are.facts::text, '', '-', '') as text) entry;
