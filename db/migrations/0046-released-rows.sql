-- Whether somebody has answered a pair. When any other pair goes, its rows are released (db/repeatable/merging.sql).
alter table session_pairs add column is_answered boolean not null default false;

-- Rows that were held although there was nothing to compare them with count again.
alter table sessions no force row level security;
alter table session_pairs no force row level security;
update sessions s set is_held = false where is_held and not exists (select from session_pairs p where s.key in (p.family_key, p.practice_key));
alter table sessions force row level security;
alter table session_pairs force row level security;
