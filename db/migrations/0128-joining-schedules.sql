-- Two private schedules of the same lesson become one once both sides say so (docs/decisions/0043-joining-schedules.md).

alter table schedules
  -- The connection whose other side is asked to have this schedule, too, since when, and when it said no.
  add offered_under uuid references connections on delete set null,
  add offered_at timestamptz,
  add declined_at timestamptz,
  -- Its side said that it stays its own, so nothing asks about it by itself.
  add is_kept_apart boolean not null default false;
create index schedules_offered on schedules (offered_under) where offered_under is not null;
