-- Kinds of entries that two sides agree on, like sessions and payments (docs/decisions/0031-one-way-to-agree.md).

-- Makes the tables of a kind: its entries, to which the kind adds its facts, and each side's notes about them. `members` are
-- the roles of those who may see entries of this kind. Triggers, policies and each side's view are in db/repeatable.
create function make_kind(kind text, members text, longest_note integer) returns void
language plpgsql
as $$
declare
  place constant text := kind || 's';
  side text;
  person text;
begin
  execute replace($table$ create table {place} (
    key bigint generated always as identity primary key,
    id uuid not null default gen_random_uuid(),
    connection_id uuid references connections,
    -- Each side's own people. The side itself is null if it has no account.
    family_id uuid references workspaces,
    child_id uuid,
    family_tutor_id uuid,
    practice_id uuid references workspaces,
    student_id uuid,
    practice_tutor_id uuid,
    day date not null check (day between '1900-01-01' and '2200-12-31'),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    -- Counts the changes of the facts; an answer holds for the facts that it was given on.
    facts_version integer not null default 1,
    -- Deleting what the other side took part in needs its consent.
    deletion_asked_by text check (deletion_asked_by in ('family', 'practice')),
    deletion_asked_at timestamptz,
    -- Whose side it was that a copy was parted from: its answers are on it, so nobody else becomes the other side. No
    -- reference: the workspace may be gone.
    parted_from uuid,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint {place}_of_somebody check (family_id is not null or practice_id is not null),
    constraint {place}_deletion_dated check ((deletion_asked_by is null) = (deletion_asked_at is null))) $table$, '{place}', place);
  foreach side in array array['family', 'practice'] loop
    person := case side when 'family' then 'child_id' else 'student_id' end;
    execute replace(replace(replace(replace(replace($table$ alter table {place}
      add {side}_answer text check ({side}_answer in ('confirmed', 'disputed')),
      add {side}_answer_version integer,
      add {side}_answered_at timestamptz,
      add {side}_answer_note text check (length({side}_answer_note) between 1 and 500),
      add {side}_took_part boolean not null default false,
      -- Since when the side is asked for its answer or for its agreement to a deletion, and the reminders that it was sent
      -- (db/repeatable/agreements.sql keeps them; src/features/agreements/answer.ts has the rule).
      add {side}_asked_since timestamptz,
      add {side}_reminders integer not null default 0 check ({side}_reminders >= 0),
      add {side}_reminded_at timestamptz,
      add constraint {place}_of_{side} unique ({side}_id, id),
      -- Only the reference is emptied: the entry itself stays in the books (promise D7).
      add foreign key ({side}_id, {person}) references students on delete set null ({person}),
      add foreign key ({side}_id, {side}_tutor_id) references tutors on delete set null ({side}_tutor_id),
      add constraint {place}_{side}_dispute check (coalesce({side}_answer = 'disputed', false) = ({side}_answer_note is not null)),
      add constraint {place}_{side}_reminded check (({side}_reminders = 0) = ({side}_reminded_at is null));
    create index {place}_of_{side}_by_day on {place} ({side}_id, day desc, id desc);
    create index {place}_by_{who} on {place} ({side}_id, {person});
    create index {place}_by_{side}_tutor on {place} ({side}_id, {side}_tutor_id);
    grant select ({side}_id, {person}, {side}_tutor_id), insert ({side}_id, {person}, {side}_tutor_id),
      update ({person}, {side}_tutor_id, {side}_answer, {side}_answer_version, {side}_answer_note) on {place} to tutorlog_{side};
    grant select ({side}_answered_at), update ({side}_answer, {side}_answer_version, {side}_answer_note, deletion_asked_by,
      deletion_asked_at, version, updated_at), delete on {place} to tutorlog_{link} $table$,
      '{place}', place), '{who}', left(person, -3)), '{person}', person), '{side}', side),
      '{link}', case side when 'family' then 'family_link' else 'link' end);
  end loop;
  execute replace(replace(replace($table$ alter table {place}
      add is_verified boolean not null generated always as (coalesce(family_answer = 'confirmed' and family_answer_version = facts_version
        and practice_answer = 'confirmed' and practice_answer_version = facts_version, false)) stored,
      add is_disputed boolean not null generated always as (coalesce(family_answer = 'disputed'
        and family_answer_version = facts_version, false) or coalesce(practice_answer = 'disputed'
        and practice_answer_version = facts_version, false)) stored;
    create index {place}_of_connection on {place} (connection_id, day) where connection_id is not null;
    -- Each side writes its own people and its own answer. Notes of an answer are often about money, and no caregiver reads them.
    grant select (key, id, connection_id, day, currency, facts_version, family_answer, family_answer_version, practice_answer,
      practice_answer_version, is_verified, is_disputed, deletion_asked_by, deletion_asked_at, updated_at, family_asked_since,
      family_reminders, family_reminded_at, practice_asked_since, practice_reminders, practice_reminded_at)
      on {place} to {members}, tutorlog_link, tutorlog_family_link, tutorlog_system;
    grant select (version, created_at) on {place} to {members}, tutorlog_link, tutorlog_family_link;
    grant select (family_answered_at, practice_answered_at, family_took_part, practice_took_part), update (version, updated_at),
      delete on {place} to {members};
    grant select (family_answer_note, practice_answer_note) on {place}
      to tutorlog_family, tutorlog_practice, tutorlog_link, tutorlog_family_link;
    grant update (deletion_asked_by, deletion_asked_at) on {place} to tutorlog_family, tutorlog_practice;
    grant select (family_took_part) on {place} to tutorlog_link;
    grant select (practice_took_part) on {place} to tutorlog_family_link;
    grant select (family_id, family_tutor_id, practice_id, student_id, family_answered_at, practice_answered_at),
      update (family_reminders, family_reminded_at, practice_reminders, practice_reminded_at) on {place} to tutorlog_system;
    -- A side's private notes: the other side never gets them, and writing them changes nothing that it could see.
    create table {kind}_notes (
      workspace_id uuid not null references workspaces on delete cascade,
      {kind}_id uuid not null,
      -- Empty once the notes were taken back: the version goes on, so that no version of the entry comes back.
      text text not null,
      version integer not null default 1,
      updated_at timestamptz not null default now(),
      primary key (workspace_id, {kind}_id));
    grant select, insert (workspace_id, {kind}_id, text), update (text, version, updated_at), delete on {kind}_notes to {members} $table$,
    '{place}', place), '{kind}', kind), '{members}', members);
  execute format('alter table %I add check (length(text) <= %s)', kind || '_notes', longest_note);
end $$;
revoke all on function make_kind(text, text, integer) from public;
