-- Reminders: when to look at a workspace's classes and at an account's news again, what was asked about which class, and who asked
-- for what (docs/decisions/0036-reminders.md).

-- When the next class of a workspace ends. Changing a schedule makes the workspace due at once (db/repeatable/reminders.sql).
create table class_clocks (
  workspace_id uuid primary key references workspaces on delete cascade,
  -- Classes that ended before there were schedules aren't asked about.
  started_at timestamptz not null default now(),
  due_at timestamptz not null default '-infinity',
  -- Rises with each change of a schedule, so that a look that began before the change doesn't count as one after it.
  changes integer not null default 0
);
create index class_clocks_due on class_clocks (due_at);
insert into class_clocks (workspace_id) select distinct side from schedules, unnest(array[family_id, practice_id]) side where side is not null;

-- A class that ended without anyone saying whether it took place. The day is the one that the schedule's rule gives.
create table class_questions (
  workspace_id uuid not null references workspaces on delete cascade,
  schedule_id uuid not null,
  day date not null,
  ends_at timestamptz not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  primary key (workspace_id, schedule_id, day)
);
create index class_questions_by_age on class_questions (ends_at);

-- Whom a class's question is for, and the email that asks it; none yet while it waits.
create table class_asks (
  account_id uuid not null,
  workspace_id uuid not null,
  schedule_id uuid not null,
  day date not null,
  mail_id uuid,
  mailed_at timestamptz,
  -- The answer given with the email's link, which can be given once.
  answered_at timestamptz,
  primary key (account_id, workspace_id, schedule_id, day),
  foreign key (workspace_id, schedule_id, day) references class_questions on delete cascade,
  foreign key (workspace_id, account_id) references members on delete cascade,
  check ((mail_id is null) = (mailed_at is null))
);
create index class_asks_by_question on class_asks (workspace_id, schedule_id, day);
create index class_asks_by_member on class_asks (workspace_id, account_id);
create index class_asks_by_mail on class_asks (mail_id) where mail_id is not null;

-- When an account may have something to be asked, and its last reminder. At most one goes out an hour.
create table reminder_clocks (
  account_id uuid primary key references users on delete cascade,
  due_at timestamptz not null default 'infinity',
  mail_id uuid,
  sent_at timestamptz,
  delivered_at timestamptz
);
create index reminder_clocks_due on reminder_clocks (due_at);

-- The link in an email that asks about classes: a hash, for one account and one email.
create table class_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id uuid not null references users on delete cascade,
  mail_id uuid not null,
  created_at timestamptz not null
);
create index class_links_by_account on class_links (account_id);
create index class_links_by_age on class_links (created_at);

alter table notice_choices
  add class_questions boolean not null default true,
  add classes_tomorrow boolean not null default false,
  -- The last day whose classes were sent the evening before.
  add told_of date;
create index notice_choices_of_tomorrow on notice_choices (user_id) where classes_tomorrow;
alter table unsubscribe_tokens drop constraint unsubscribe_tokens_notice_check,
  add constraint unsubscribe_tokens_notice_check
    check (notice in ('daily_digest', 'month_ready', 'connection_changes', 'class_questions', 'classes_tomorrow'));

grant select (class_questions, classes_tomorrow), insert (class_questions, classes_tomorrow),
  update (class_questions, classes_tomorrow) on notice_choices to tutorlog_app, tutorlog_system;
grant select (told_of) on notice_choices to tutorlog_app;
grant select (told_of), update (told_of) on notice_choices to tutorlog_system;
grant select, update (due_at) on class_clocks to tutorlog_system;
grant select, insert (workspace_id, schedule_id, day, ends_at, asked_at), update (ends_at, asked_at, answered_at), delete on class_questions to tutorlog_system;
grant select, insert (account_id, workspace_id, schedule_id, day), update (mail_id, mailed_at), delete on class_asks to tutorlog_system;
grant select, insert (account_id, due_at), update (due_at, mail_id, sent_at, delivered_at) on reminder_clocks to tutorlog_system;
grant select, insert (token_hash, account_id, mail_id, created_at), delete on class_links to tutorlog_system;
-- Whoever answers by a link does so as the member it was sent to.
grant select (account_id, workspace_id, schedule_id, day, mail_id, answered_at), update (answered_at) on class_asks to tutorlog_app;
grant select (workspace_id, schedule_id, day, answered_at), update (answered_at) on class_questions to tutorlog_app;
grant select (account_id, delivered_at) on reminder_clocks to tutorlog_app;
