-- What a member's own words mean when they log by voice or by typing, learned from their corrections
-- (docs/decisions/0064-learned-names.md). They end with the membership, and with the person.
create table learned_names (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  student_id uuid,
  tutor_id uuid,
  words text not null check (length(words) between 2 and 60),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references members on delete cascade,
  foreign key (workspace_id, student_id) references students on delete cascade,
  foreign key (workspace_id, tutor_id) references tutors on delete cascade,
  constraint learned_of_one_person check ((student_id is null) <> (tutor_id is null)),
  constraint learned_once unique nulls not distinct (workspace_id, account_id, words, student_id, tutor_id)
);
create index learned_names_of_student on learned_names (workspace_id, student_id);
create index learned_names_of_tutor on learned_names (workspace_id, tutor_id);

grant select (workspace_id, id, account_id, student_id, tutor_id, words, created_at),
  insert (workspace_id, account_id, student_id, tutor_id, words), delete on learned_names to tutorlog_app;
