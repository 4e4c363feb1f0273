-- A dispute may propose the facts that would be right (docs/design/agreements.md, rule 1).

-- Adds each side's proposal to the tables of a kind. It lists all facts that can be proposed, or says that the entry should
-- go; `fields` are their names, `members` the roles that may read the kind. Amounts are among them, so caregivers read no proposal, like the note of a dispute.
create function make_proposals(kind text, members text, fields text[]) returns void
language plpgsql
as $$
declare side text;
begin
  foreach side in array array['family', 'practice'] loop
    execute replace(replace(replace(replace(replace($table$ alter table {place}
      add {side}_proposal jsonb check ({side}_proposal = '{"is_removed": true}'
        or jsonb_typeof({side}_proposal) = 'object' and {side}_proposal ?& {fields} and {side}_proposal - {fields} = '{}'),
      add {side}_proposes boolean not null generated always as ({side}_proposal is not null) stored,
      drop constraint {place}_{side}_dispute,
      -- A dispute says what isn't right in a note, as a proposal, or in both ways.
      add constraint {place}_{side}_dispute check (coalesce({side}_answer = 'disputed', false)
        = ({side}_answer_note is not null or {side}_proposal is not null));
    grant update ({side}_proposal) on {place} to tutorlog_{side}, tutorlog_{link};
    grant select ({side}_proposal) on {place} to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link, tutorlog_system;
    grant select ({side}_answered_at) on {place} to tutorlog_link, tutorlog_family_link;
    grant select ({side}_proposes) on {place} to {members}, tutorlog_link, tutorlog_family_link, tutorlog_system $table$,
      '{place}', kind || 's'), '{members}', members), '{side}', side), '{fields}', quote_literal(fields) || '::text[]'),
      '{link}', case side when 'family' then 'family_link' else 'link' end);
  end loop;
end $$;
revoke all on function make_proposals(text, text, text[]) from public;
select make_proposals('session', 'tutorlog_app', array['day', 'minutes', 'rate_cents']);
select make_proposals('payment', 'tutorlog_family, tutorlog_practice', array['day', 'amount_cents']);

-- An emailed page changes a session's facts only by accepting a proposal (db/repeatable/sessions.sql).
grant update (day, minutes, rate_override_cents) on sessions to tutorlog_link, tutorlog_family_link;
grant select (family_reply_at, practice_reply_at) on sessions to tutorlog_link, tutorlog_family_link;

-- They get other arguments (db/repeatable).
drop function if exists question_columns(text, text), agreed_columns(text, text, text);
drop function if exists question_of(text, uuid, text, timestamptz, integer, text, integer, timestamptz, timestamptz) cascade;

-- A history line of a dispute has its proposal among the facts, which caregivers don't read either.
drop view if exists caregiver.history;
alter table history drop column open_facts;
alter table history add open_facts jsonb not null
  generated always as (facts - array['rate_cents', 'total_cents', 'merged', 'proposed']) stored;
grant select (open_facts) on history to tutorlog_caregiver;
