-- What a closed month's page says as a text, and the server's signature of it (docs/page-format.md). Months closed before
-- that get both at the next start.
alter table closed_months
  add column signed_page text check (length(signed_page) > 0),
  add column page_key text references page_keys,
  add column page_signature bytea check (length(page_signature) = 64),
  add constraint closed_months_signed check ((signed_page is null) = (page_key is null) and (signed_page is null) = (page_signature is null)
    and (signed_page is null or content is not null));

grant select (signed_page, page_key, page_signature) on closed_months to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
