-- What became of each night's backup when it was restored for trial (docs/decisions/0073-a-restore-drill.md).
create table restore_drills (
  id uuid primary key default gen_random_uuid(),
  -- The backup's file name, its time and its size.
  backup text not null check (length(backup) between 1 and 120),
  backup_at timestamptz not null,
  backup_bytes bigint not null check (backup_bytes >= 0),
  began_at timestamptz not null,
  -- Both are null while it runs.
  ended_at timestamptz,
  -- A sentence for each thing that's wrong. None: what was restored is what the database had.
  findings text[],
  check ((ended_at is null) = (findings is null))
);
create index restore_drills_by_time on restore_drills (began_at desc);
grant select (id, backup, backup_at, backup_bytes, began_at, ended_at, findings),
  insert (backup, backup_at, backup_bytes, began_at), update (ended_at, findings), delete on restore_drills to tutorlog_system;
