-- Fees that agreed terms asked for by themselves (docs/decisions/0042-fees-that-propose-themselves.md): one row for each month, term or
-- week that was dealt with. It stays when the charge is deleted, so that a waived fee isn't asked for again.
create table proposed_fees (
  connection_id uuid not null references connections on delete cascade,
  period text not null check (period ~ '^((term|week) )?[0-9]{4}-[0-9]{2}(-[0-9]{2})?$'),
  primary key (connection_id, period)
);
grant select on proposed_fees to tutorlog_system;
