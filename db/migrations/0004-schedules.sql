-- A deleted schedule can be taken back for a while: the row stays, out of every list.
alter table schedules add column deleted_at timestamptz;
drop index schedules_by_start;
create index schedules_by_start on schedules (owner_id, start_day desc, id desc) where deleted_at is null;

-- One class of a series that is not as the rule says: skipped, or moved to another day and time.
create table schedule_changes (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  schedule_id uuid not null,
  -- The day that the rule gives.
  day date not null,
  -- Where the class takes place instead; null when it is skipped.
  moved_to date check (moved_to between '1900-01-01' and '2200-12-31'),
  start_time time,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (owner_id, id),
  unique (owner_id, schedule_id, day),
  foreign key (owner_id, schedule_id) references schedules on delete cascade,
  check ((moved_to is null) = (start_time is null))
);

-- The class of a series that a session stands for. One class is logged once, however often and from wherever it is asked for.
alter table sessions add column schedule_id uuid;
alter table sessions add column occurrence_day date;
alter table sessions add foreign key (owner_id, schedule_id) references schedules on delete set null (schedule_id);
alter table sessions add check (schedule_id is null or occurrence_day is not null);
create unique index sessions_once_per_class on sessions (owner_id, schedule_id, occurrence_day);

-- The secret address of a user's calendar; only its hash is kept (promise A18).
create table calendar_feeds (
  owner_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  token_hash bytea not null unique,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (owner_id, id),
  unique (owner_id)
);

do $$
declare name text;
begin
  foreach name in array array['schedule_changes', 'calendar_feeds'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_rows on %I for all to tutorlog_app using (owner_id = app_user()) with check (owner_id = app_user())', name);
    execute format('grant select on %I to tutorlog_app', name);
    execute format('grant delete on %I to tutorlog_app', name);
  end loop;
end $$;
create policy system_all on calendar_feeds for select to tutorlog_system using (true);

grant update (deleted_at) on schedules to tutorlog_app;
grant insert (is_active) on schedules to tutorlog_app;
grant insert (schedule_id, occurrence_day) on sessions to tutorlog_app;
grant insert (owner_id, schedule_id, day, moved_to, start_time), update (moved_to, start_time, version) on schedule_changes to tutorlog_app;
grant insert (owner_id, token_hash), update (token_hash, version, created_at) on calendar_feeds to tutorlog_app;
grant select (owner_id, token_hash) on calendar_feeds to tutorlog_system;
