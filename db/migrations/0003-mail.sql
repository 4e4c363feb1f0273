-- A mail is queued by the very insert that asks for it. The function belongs to the system role and stands in the
-- queue's own schema, which no user may enter.
create trigger outbox_queued after insert on outbox for each row execute function graphile_worker.queue_mail();
