-- Searching for names.

-- Returns text in lowercase with plain letters, so that "lukasz" finds Łukasz. Like plainSpelling in
-- src/kernel/plain-spelling.ts; a test compares the two letter by letter. The long class lists what can't be seen:
-- Unicode's format characters and those that it says to ignore.
create or replace function plain_spelling(written text) returns text
language sql immutable strict parallel safe set search_path = public, pg_temp
as $$
  -- Most texts have only letters of ASCII, which takes a twentieth of the time.
  select case when octet_length(written) = length(written) then replace(lower(written collate "C"), '`', '''') else
    (normalize(replace(replace(replace(replace(replace(translate(
    regexp_replace(lower(regexp_replace(normalize(written, NFKD), hidden, '', 'g') collate "und-x-icu"), hidden, '', 'g'),
    'øđðłıħŧəɓɗƙɖƴɛɔɨʉƶςیىکة’‘`´ʻʼ‐‒–—', 'oddlihtabdkdyeoiuzσييكه''''''''''''----'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'ŋ', 'ng'), NFC)) collate "C" end
  from (values (
    '[\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891\u08E2\u115F-\u1160' ||
    '\u17B4-\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB' ||
    '\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]')) as class (hidden)
$$;
