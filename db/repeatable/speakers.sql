-- Who speaks in a transaction, as the policies ask for it.
create or replace function app_user() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

create or replace function app_link() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.link_id', true), '')::uuid $$;
