-- Whoever signs out on a device, or is signed out there, gets no more push messages on it: without its login, nothing of a
-- subscription stays.
create or replace function end_subscription() returns trigger
language plpgsql
as $$
begin
  new.endpoint := null;
  new.endpoint_hash := null;
  new.p256dh := null;
  new.auth := null;
  new.used_at := null;
  new.failure := null;
  return new;
end $$;
create or replace trigger subscription_ended before update of login_id on push_devices
  for each row when (new.login_id is null) execute function end_subscription();
