-- Two sides, one record (docs/decisions/0006-two-sides.md). A family owns its sessions and a tutor answers for them. The
-- tutor's side has a database role of its own, tutorlog_tutor: what it may write is the tutor's word and nothing else,
-- and the family's role may write everything but that word.
create function app_link() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.link_id', true), '')::uuid $$;

-- All that a tutor ever sees of a child is the first name; the database keeps it apart, so that no query can show more.
alter table students add column first_name text not null generated always as (split_part(btrim(name), ' ', 1)) stored;

create table tutor_links (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  tutor_id uuid not null,
  -- The address that was asked, and as it is compared; both go when nobody answers (promise P9).
  email text check (length(email) <= 254),
  email_key text check (email_key = translate(email_key, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')),
  state text not null default 'asked' check (state in ('asked', 'active', 'declined', 'ended')),
  tutor_user_id uuid references users on delete cascade,
  answered_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('family', 'tutor')),
  -- The last mail about sessions that wait; there is one a day at the most.
  mailed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id),
  foreign key (owner_id, tutor_id) references tutors on delete cascade,
  check ((state in ('declined', 'ended')) = (ended_at is not null))
);
create unique index tutor_links_one_open on tutor_links (owner_id, tutor_id) where state in ('asked', 'active');
create unique index tutor_links_by_id on tutor_links (id);
create index tutor_links_by_tutor on tutor_links (tutor_user_id) where state = 'active';
create index tutor_links_by_address on tutor_links (email_key) where tutor_user_id is null;

-- Mailed links that answer without an account. Only hashes are kept (promise A18).
create table link_tokens (
  owner_id uuid not null,
  id uuid not null default gen_random_uuid(),
  link_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (owner_id, id),
  foreign key (owner_id, link_id) references tutor_links on delete cascade
);
create index link_tokens_by_link on link_tokens (owner_id, link_id);

-- The tutor's word on a session, and what the family answers to a session that was sent back.
alter table sessions drop constraint sessions_status_check;
alter table sessions
  add column dispute_note text check (length(dispute_note) between 1 and 500),
  add column answer_note text check (length(answer_note) between 1 and 500),
  -- The tutor's own session of the same lesson, where the family took it over; the tutor's row, so no reference.
  add column proposed_id uuid,
  add constraint sessions_status_check check (status in ('completed', 'disputed')),
  add constraint sessions_one_word check (not (verified_by_tutor and status = 'disputed') and (status <> 'disputed' or dispute_note is not null));
create unique index sessions_proposed on sessions (owner_id, proposed_id);
create index sessions_waiting on sessions (owner_id, tutor_id, day) where not verified_by_tutor;

-- Every entry names who did what when, and holds the hash of the entry before it. No name stands here: a deleted
-- child or tutor is gone from every table (promise D7).
create table session_history (
  owner_id uuid not null references users on delete cascade,
  session_id uuid not null,
  seq integer not null,
  at timestamptz not null default clock_timestamp(),
  side text not null check (side in ('owner', 'tutor', 'system')),
  actor_id uuid,
  action text not null check (action in ('recorded', 'logged', 'changed', 'confirmed', 'withdrawn', 'disputed', 'answered', 'accepted', 'deleted')),
  -- The session's tutor after this entry; it decides which tutor may read it.
  tutor_id uuid,
  facts jsonb not null,
  changed text[] not null default '{}',
  note text,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (owner_id, session_id, seq)
);

do $$
declare name text;
begin
  foreach name in array array['tutor_links', 'link_tokens', 'session_history'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
end $$;

-- The family's side: it asks and it ends. It cannot accept in the tutor's place.
create policy family_reads on tutor_links for select to tutorlog_app using (owner_id = app_user());
create policy family_asks on tutor_links for insert to tutorlog_app with check (owner_id = app_user() and state = 'asked' and tutor_user_id is null);
create policy family_ends on tutor_links for update to tutorlog_app using (owner_id = app_user()) with check (owner_id = app_user() and state = 'ended' and ended_by = 'family');
grant select (owner_id, id, tutor_id, email, email_key, state, answered_at, ended_at, ended_by, version, created_at), insert (owner_id, tutor_id, email, email_key),
  update (state, ended_at, ended_by, version, updated_at) on tutor_links to tutorlog_app;
revoke update (verified_by_tutor) on sessions from tutorlog_app;
grant insert (proposed_id), update (answer_note, proposed_id) on sessions to tutorlog_app;

-- The tutor's side: links that name this account, its confirmed address, or the mailed link that was opened.
grant select (id, email_key, email_confirmed_at, disabled_at) on users to tutorlog_tutor;
create policy own_row_of_tutor on users for select to tutorlog_tutor using (id = app_user());
create policy tutor_reads on tutor_links for select to tutorlog_tutor using (
  (state in ('asked', 'active') and id = app_link())
  or (state = 'active' and tutor_user_id = app_user())
  or (state in ('asked', 'active') and tutor_user_id is null and email_key = (select u.email_key from users u where u.id = app_user() and u.email_confirmed_at is not null)));
-- An update has to see what it wrote; a link that is over shows no session to anyone.
create policy tutor_reads_own_end on tutor_links for select to tutorlog_tutor using (state in ('declined', 'ended') and (tutor_user_id = app_user() or id = app_link()));
create policy tutor_answers on tutor_links for update to tutorlog_tutor
  using (state in ('asked', 'active')) with check (state in ('active', 'declined', 'ended') and (ended_by is null or ended_by = 'tutor') and tutor_user_id is not distinct from app_user());
grant select (owner_id, id, tutor_id, email_key, state, tutor_user_id, created_at, answered_at, ended_by, ended_at, version),
  update (state, tutor_user_id, answered_at, ended_at, ended_by, version, updated_at) on tutor_links to tutorlog_tutor;

-- A session belongs to a link when its tutor is the link's. An account sees it once the link was accepted; a mailed link at once.
create policy linked_sessions on sessions for select to tutorlog_tutor using (exists (
  select from tutor_links l where l.owner_id = sessions.owner_id and l.tutor_id = sessions.tutor_id and ((l.state = 'active' and l.tutor_user_id = app_user()) or (l.state in ('asked', 'active') and l.id = app_link()))));
create policy tutor_word on sessions for update to tutorlog_tutor using (exists (
  select from tutor_links l where l.owner_id = sessions.owner_id and l.tutor_id = sessions.tutor_id and ((l.state = 'active' and l.tutor_user_id = app_user()) or (l.state in ('asked', 'active') and l.id = app_link()))));
grant select (owner_id, id, student_id, tutor_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, subject, status, verified_by_tutor, dispute_note, answer_note, version, created_at, updated_at),
  update (verified_by_tutor, status, dispute_note, version, updated_at) on sessions to tutorlog_tutor;
create policy linked_students on students for select to tutorlog_tutor using (exists (
  select from sessions s where s.owner_id = students.owner_id and s.student_id = students.id));
grant select (owner_id, id, first_name) on students to tutorlog_tutor;
create policy linked_families on profiles for select to tutorlog_tutor using (exists (select from tutor_links l where l.owner_id = profiles.user_id and l.state in ('asked', 'active')));
grant select (user_id, full_name, currency) on profiles to tutorlog_tutor;

create policy owner_reads on session_history for select to tutorlog_app using (owner_id = app_user());
create policy owner_writes on session_history for insert to tutorlog_app with check (owner_id = app_user() and side = 'owner' and actor_id = app_user());
create policy tutor_reads on session_history for select to tutorlog_tutor using (exists (
  select from tutor_links l where l.owner_id = session_history.owner_id and l.tutor_id = session_history.tutor_id and ((l.state = 'active' and l.tutor_user_id = app_user()) or (l.state in ('asked', 'active') and l.id = app_link()))));
create policy tutor_writes on session_history for insert to tutorlog_tutor with check (side = 'tutor' and actor_id is not distinct from app_user() and exists (
  select from tutor_links l where l.owner_id = session_history.owner_id and l.tutor_id = session_history.tutor_id and ((l.state = 'active' and l.tutor_user_id = app_user()) or (l.state in ('asked', 'active') and l.id = app_link()))));
grant select (owner_id, session_id, seq, at, side, actor_id, action, tutor_id, facts, changed, note, previous_hash, hash),
  insert (owner_id, session_id, side, actor_id, action, tutor_id, facts, changed, note) on session_history to tutorlog_app, tutorlog_tutor, tutorlog_system;

-- A reference that is emptied when a child or a tutor is deleted is emptied by the owner of the tables.
create policy cascade_reads on users for select to tutorlog_owner using (true);
create policy cascade_reads on session_history for select to tutorlog_owner using (true);
create policy cascade_writes on session_history for insert to tutorlog_owner with check (side in ('owner', 'system') and actor_id is not distinct from app_user());

-- The jobs read what waits, and the mailed links.
create policy system_reads on sessions for select to tutorlog_system using (true);
grant select (owner_id, id, student_id, tutor_id, day, minutes, rate_override_cents, tutor_rate_cents, total_cents, subject, status, verified_by_tutor, updated_at) on sessions to tutorlog_system;
create policy system_names on tutors for select to tutorlog_system using (true);
grant select (id, name) on tutors to tutorlog_system;
grant select (owner_id, id, tutor_id, email, email_key, state, tutor_user_id, mailed_at, created_at, ended_at, version), update (email, email_key, mailed_at, state, ended_at, version, updated_at) on tutor_links to tutorlog_system;
grant select (owner_id, id, link_id, token_hash, expires_at), insert (owner_id, link_id, token_hash, expires_at), delete on link_tokens to tutorlog_system;

-- Which of a tutor's own students belong to which linked family: their sessions are proposed to that family.
create table family_students (
  owner_id uuid not null,
  student_id uuid not null,
  link_id uuid not null references tutor_links (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (owner_id, student_id),
  foreign key (owner_id, student_id) references students on delete cascade
);
create index family_students_by_link on family_students (link_id);
-- Proposals that a family does not want; another version of the tutor's session is offered anew.
create table declined_proposals (
  owner_id uuid not null references users on delete cascade,
  proposed_id uuid not null,
  version integer not null,
  created_at timestamptz not null default now(),
  primary key (owner_id, proposed_id)
);
do $$
declare name text;
begin
  foreach name in array array['family_students', 'declined_proposals'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
end $$;
create policy tutor_rows on family_students for all to tutorlog_tutor using (owner_id = app_user())
  with check (owner_id = app_user() and exists (select from tutor_links l where l.id = link_id and l.state = 'active' and l.tutor_user_id = app_user()));
grant select (owner_id, student_id, link_id), insert (owner_id, student_id, link_id), update (link_id), delete on family_students to tutorlog_tutor;
grant select (owner_id, student_id, link_id) on family_students to tutorlog_system;
create policy own_rows on declined_proposals for all to tutorlog_app using (owner_id = app_user()) with check (owner_id = app_user());
grant select (owner_id, proposed_id, version), insert (owner_id, proposed_id, version), update (version) on declined_proposals to tutorlog_app;
grant select (owner_id, proposed_id, version) on declined_proposals to tutorlog_system;
create policy system_names on students for select to tutorlog_system using (true);
grant select (owner_id, id, first_name) on students to tutorlog_system;
grant select (version, proposed_id) on sessions to tutorlog_system;

-- Whether the linked tutor logged the same lesson with the same time and rate: then the tutor's word is there already.
-- It looks at both sides, which no serving role can, and answers yes or no to the family itself.
create policy compares on sessions for select to tutorlog_owner using (true);
create policy compares on family_students for select to tutorlog_owner using (true);
create function tutor_logged_same(family_tutor uuid, proposed uuid, on_day date, for_minutes integer, at_rate integer) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from tutor_links l join family_students f on f.link_id = l.id and f.owner_id = l.tutor_user_id join sessions s on s.owner_id = f.owner_id and s.student_id = f.student_id
  where l.owner_id = app_user() and l.tutor_id = family_tutor and l.state = 'active' and s.id = proposed and s.day = on_day and s.minutes = for_minutes
    and coalesce(s.rate_override_cents, s.tutor_rate_cents) is not distinct from at_rate) $$;
revoke all on function tutor_logged_same(uuid, uuid, date, integer, integer) from public;
grant execute on function tutor_logged_same(uuid, uuid, date, integer, integer) to tutorlog_app;

-- A word holds for the facts that it was given on: the database takes it back when one of them changes, whoever changes it.
create function keep_session_words() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    if new.proposed_id is not null and current_user = 'tutorlog_app' then
      new.verified_by_tutor := tutor_logged_same(new.tutor_id, new.proposed_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents));
    end if;
    return new;
  end if;
  -- An emptied reference means that a child or a tutor was deleted: the books stay as they are.
  if (new.student_id is not null and new.student_id is distinct from old.student_id)
    or (new.tutor_id is not null and new.tutor_id is distinct from old.tutor_id)
    or new.day <> old.day or new.minutes <> old.minutes
    or coalesce(new.rate_override_cents, new.tutor_rate_cents) is distinct from coalesce(old.rate_override_cents, old.tutor_rate_cents) then
    new.verified_by_tutor := false;
    new.status := 'completed';
    new.dispute_note := null;
    new.answer_note := null;
  elsif current_user = 'tutorlog_app' and new.answer_note is distinct from old.answer_note then
    -- An answer puts the session back on the tutor's list.
    new.status := 'completed';
  end if;
  if new.proposed_id is not null and new.proposed_id is distinct from old.proposed_id and current_user = 'tutorlog_app' then
    if tutor_logged_same(new.tutor_id, new.proposed_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents)) then
      new.verified_by_tutor := true;
      new.status := 'completed';
      new.dispute_note := null;
    end if;
  end if;
  return new;
end $$;
create trigger session_words before insert or update on sessions for each row execute function keep_session_words();

-- Named values instead of the whole row: who may not read notes can still compare the facts.
create function session_facts(student_id uuid, tutor_id uuid, day date, minutes integer, rate_cents integer, total_cents integer, subject text, verified boolean, status text) returns jsonb
language sql immutable
as $$ select jsonb_build_object('student_id', student_id, 'tutor_id', tutor_id, 'date', day, 'minutes', minutes, 'rate_cents', rate_cents, 'total_cents', total_cents, 'subject', subject,
  'state', case when verified then 'verified' when status = 'disputed' then 'disputed' else 'unverified' end) $$;

-- Writes the entry of every insert, change and deletion, in the same transaction and whoever makes it.
create function record_session() returns trigger
language plpgsql
as $$
declare
  who text := case when current_user = 'tutorlog_tutor' then 'tutor' when app_user() = coalesce(new.owner_id, old.owner_id) then 'owner' else 'system' end;
  what text;
  fields text[] := '{}';
  words text;
begin
  -- An account that goes takes its history along.
  if current_user = 'tutorlog_owner' and not exists (select from users where id = old.owner_id) then return null; end if;
  if tg_op = 'DELETE' then
    insert into session_history (owner_id, session_id, side, actor_id, action, tutor_id, facts)
    values (old.owner_id, old.id, who, app_user(), 'deleted', old.tutor_id, session_facts(old.student_id, old.tutor_id, old.day, old.minutes, coalesce(old.rate_override_cents, old.tutor_rate_cents), old.total_cents, old.subject, old.verified_by_tutor, old.status));
    return null;
  end if;
  if tg_op = 'INSERT' then
    what := case when new.verified_by_tutor and new.proposed_id is not null then 'accepted' else 'logged' end;
  else
    fields := array_remove(array[
      case when new.student_id is distinct from old.student_id then 'student' end, case when new.tutor_id is distinct from old.tutor_id then 'tutor' end,
      case when new.day <> old.day then 'date' end, case when new.minutes <> old.minutes then 'duration' end,
      case when coalesce(new.rate_override_cents, new.tutor_rate_cents) is distinct from coalesce(old.rate_override_cents, old.tutor_rate_cents) then 'rate' end,
      case when new.subject is distinct from old.subject then 'subject' end], null);
    -- Whether there were notes is the family's own business.
    if who <> 'tutor' and new.notes is distinct from old.notes then fields := fields || array['notes']; end if;
    if who = 'owner' and new.verified_by_tutor and new.proposed_id is distinct from old.proposed_id then what := 'accepted';
    elsif cardinality(fields) > 0 then what := 'changed';
    elsif new.answer_note is not null and new.answer_note is distinct from old.answer_note then what := 'answered'; words := new.answer_note;
    elsif new.verified_by_tutor and not old.verified_by_tutor then what := 'confirmed';
    elsif new.status = 'disputed' and (old.status <> 'disputed' or new.dispute_note <> old.dispute_note) then what := 'disputed'; words := new.dispute_note;
    elsif who = 'tutor' and (old.verified_by_tutor or old.status = 'disputed') and not new.verified_by_tutor and new.status = 'completed' then what := 'withdrawn';
    elsif new.verified_by_tutor is distinct from old.verified_by_tutor or new.status <> old.status then what := 'changed';
    else return null;
    end if;
  end if;
  insert into session_history (owner_id, session_id, side, actor_id, action, tutor_id, facts, changed, note)
  values (new.owner_id, new.id, who, app_user(), what, new.tutor_id, session_facts(new.student_id, new.tutor_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents), new.total_cents, new.subject, new.verified_by_tutor, new.status), fields, words);
  return null;
end $$;

-- The text whose hash an entry carries: one value a line, ended by the hash of the entry before (src/features/sessions/history.ts has it too).
create function history_text(entry session_history) returns text
language sql stable
as $$ select concat_ws(E'\n', entry.owner_id, entry.session_id, entry.seq, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.side,
  coalesce(entry.actor_id::text, '-'), entry.action, coalesce(entry.tutor_id::text, '-'), entry.facts::text, array_to_string(entry.changed, ','),
  coalesce(encode(convert_to(entry.note, 'UTF8'), 'hex'), '-'), encode(entry.previous_hash, 'hex')) $$;

create function chain_history() returns trigger
language plpgsql
as $$
declare latest record;
begin
  if pg_trigger_depth() < 2 then raise exception 'history is written by the session that it is about'; end if;
  select seq, hash into latest from session_history where owner_id = new.owner_id and session_id = new.session_id order by seq desc limit 1;
  new.seq := coalesce(latest.seq, 0) + 1;
  new.at := clock_timestamp();
  new.previous_hash := coalesce(latest.hash, '\x'::bytea);
  new.hash := sha256(convert_to(history_text(new), 'UTF8'));
  return new;
end $$;

create function keep_history() returns trigger
language plpgsql
as $$
begin
  -- Deleted only together with its account, by the reference between the two.
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception 'history is only ever added to';
end $$;

create trigger history_chained before insert on session_history for each row execute function chain_history();
create trigger history_kept before update or delete on session_history for each row execute function keep_history();
create trigger history_kept_whole before truncate on session_history for each statement execute function keep_history();

-- Sessions from before get a first entry.
alter table sessions no force row level security;
alter table session_history no force row level security;
create function record_earlier() returns trigger language plpgsql as $$
begin
  insert into session_history (owner_id, session_id, side, action, tutor_id, facts) values (new.owner_id, new.id, 'system', 'recorded', new.tutor_id, session_facts(new.student_id, new.tutor_id, new.day, new.minutes, coalesce(new.rate_override_cents, new.tutor_rate_cents), new.total_cents, new.subject, new.verified_by_tutor, new.status));
  return null;
end $$;
create trigger record_earlier after update on sessions for each row execute function record_earlier();
update sessions set updated_at = updated_at;
drop trigger record_earlier on sessions;
drop function record_earlier();
alter table session_history force row level security;
alter table sessions force row level security;

create trigger session_recorded after insert or update or delete on sessions for each row execute function record_session();

-- Which mails somebody wants; without a row, all of them.
create table notice_choices (
  user_id uuid primary key references users on delete cascade,
  daily_digest boolean not null default true,
  month_ready boolean not null default true,
  mailed_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);

-- Addresses without an account that want no more mails, as hashes (promise P9).
create table mail_opt_outs (
  address_hash bytea primary key,
  created_at timestamptz not null default now()
);

-- One click in a mail ends mails of its kind, for an account or for an address. Only hashes are kept.
create table unsubscribe_tokens (
  token_hash bytea primary key,
  user_id uuid references users on delete cascade,
  address_hash bytea,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (address_hash is null))
);
create index unsubscribe_tokens_by_user on unsubscribe_tokens (user_id);

do $$
declare name text;
begin
  foreach name in array array['notice_choices', 'mail_opt_outs', 'unsubscribe_tokens'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system_all on %I for all to tutorlog_system using (true) with check (true)', name);
  end loop;
end $$;
create policy own_rows on notice_choices for all to tutorlog_app using (user_id = app_user()) with check (user_id = app_user());
grant select (user_id, daily_digest, month_ready, version), insert (user_id, daily_digest, month_ready), update (daily_digest, month_ready, version, updated_at) on notice_choices to tutorlog_app;
grant select (user_id, daily_digest, month_ready, mailed_at, version), insert (user_id, daily_digest, month_ready, mailed_at), update (daily_digest, month_ready, mailed_at, version, updated_at) on notice_choices to tutorlog_system;
grant select (address_hash, created_at), insert (address_hash), delete on mail_opt_outs to tutorlog_system;
grant select (token_hash, user_id, address_hash, created_at), insert (token_hash, user_id, address_hash), delete on unsubscribe_tokens to tutorlog_system;

-- Who should look again: the family, and the tutor's account where there is one. The listener is told ids and nothing else.
create function tell_both() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', new.owner_id::text);
  perform pg_notify('changes', l.tutor_user_id::text) from tutor_links l
  where l.owner_id = new.owner_id and l.tutor_id = new.tutor_id and l.state = 'active' and l.tutor_user_id is not null;
  return null;
end $$;
create trigger session_told after insert on session_history for each row execute function tell_both();
create function tell_of_link() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('changes', new.owner_id::text);
  if new.tutor_user_id is not null then perform pg_notify('changes', new.tutor_user_id::text); end if;
  return null;
end $$;
create trigger link_told after insert or update of state on tutor_links for each row execute function tell_of_link();
grant select (tutor_user_id) on tutor_links to tutorlog_app;
create policy cascade_reads on tutor_links for select to tutorlog_owner using (true);

-- A month that both confirmed: its code stands on the statement, and tells anyone who has it that the statement is genuine.
create table sign_offs (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  tutor_id uuid,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  -- SHA-256 of who confirmed what when; another content is another sign-off.
  content_hash bytea not null,
  signed_at timestamptz not null,
  primary key (owner_id, id),
  foreign key (owner_id, tutor_id) references tutors on delete set null (tutor_id)
);
create unique index sign_offs_by_content on sign_offs (owner_id, tutor_id, month, content_hash);
alter table sign_offs enable row level security;
alter table sign_offs force row level security;
create policy system_all on sign_offs for all to tutorlog_system using (true) with check (true);
create policy own_rows on sign_offs for select to tutorlog_app using (owner_id = app_user());
grant select (owner_id, id, tutor_id, month, code, signed_at) on sign_offs to tutorlog_app;
grant select (owner_id, id, tutor_id, month, code, content_hash, signed_at), insert (owner_id, tutor_id, month, code, content_hash, signed_at) on sign_offs to tutorlog_system;
