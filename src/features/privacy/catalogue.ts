// Describes what an export contains: every table that has an owner, with all its columns. A test fails if a
// table or column is missing here (promise P5), so whoever adds one has to decide what its owner gets.

import type { Kind } from '#features/workspaces/workspace.ts'

/**
 * How a column appears in the export, or the reason it isn't exported. `of` is set if only one kind of
 * workspace has the column. If a practice isn't allowed to read the column in every row, the export reads it
 * through a function that takes the row's id.
 */
type Column =
  | { as: string; about: string; unit?: 'cents' | 'minutes'; of?: Kind; byPractice?: 'invited_address' }
  | { withheld: string }

export interface ExportedTable {
  /** The name of the table's files in the export. */
  file: string
  about: string
  /** The column that names the owner. 'side' means family_id or practice_id, depending on the workspace. */
  owner: 'id' | 'user_id' | 'account_id' | 'owner_id' | 'workspace_id' | 'side'
  columns: Record<string, Column>
}

const shown = (as: string, about: string, unit?: 'cents' | 'minutes'): Column => ({ as, about, unit })
/** A column that only one kind of workspace is allowed to read. */
const only = (of: Kind, as: string, about: string): Column => ({ as, about, of })
const OWNER = shown('user_id', 'your id')
const SIDES: Column = { withheld: 'the ids of the two sides' }
const SECRET: Column = { withheld: 'a hash that protects your account and is useless to anyone' }
const COUNTER: Column = { withheld: "counts changes, so that two changes can't overwrite each other" }
const MADE = shown('created_at', 'when it was entered')
const CHANGED = shown('updated_at', 'when it was last changed')
const ARCHIVED = shown('archived_at', 'when you archived it')
const STUDENT = shown('student_id', 'the child or student; empty if that record was deleted')
const TUTOR = shown('tutor_id', 'the tutor; empty if that record was deleted')

/** The exported tables by database name, in the same order as in the README. */
export const EXPORTED: Record<string, ExportedTable> = {
  users: {
    file: 'account',
    about: 'Your account',
    owner: 'id',
    columns: {
      id: OWNER,
      email: shown('email', 'your address'),
      email_key: { withheld: 'the address again, in the form used for comparing' },
      password_hash: SECRET,
      sign_up_browser_hash: SECRET,
      email_confirmed_at: shown('email_confirmed_at', 'when you confirmed it'),
      disabled_at: shown('disabled_at', 'when the account was disabled'),
      has_password: shown('has_password', 'whether you have a password'),
      deletion_asked_at: shown('deletion_asked_at', 'when you deleted the account'),
      trial_since: shown('trial_since', "when your first trial began, if it wasn't with this account"),
      created_at: shown('created_at', 'when you signed up'),
    },
  },
  profiles: {
    file: 'profile',
    about: 'Your profile',
    owner: 'user_id',
    columns: {
      user_id: OWNER,
      full_name: shown('full_name', 'your name'),
      avatar_url: shown('avatar_url', 'the URL of your picture'),
      time_zone: shown('time_zone', 'your time zone'),
      has_chosen_time_zone: shown(
        'has_chosen_time_zone',
        "whether you chose the time zone; otherwise it's your browser's",
      ),
      summary_viewed_at: shown('summary_viewed_at', 'when you first saw the summary'),
      version: COUNTER,
      updated_at: CHANGED,
    },
  },
  user_roles: {
    file: 'role',
    about: 'Your role',
    owner: 'user_id',
    columns: {
      user_id: OWNER,
      role: shown('role', 'parent, tutor or admin'),
      earlier_role: shown('earlier_role', 'the role before you became an administrator'),
      created_at: shown('created_at', 'since when'),
    },
  },
  workspaces: {
    file: 'workspace',
    about: 'The family or practice that your records belong to',
    owner: 'id',
    columns: {
      id: shown('id', 'the record'),
      kind: shown('kind', 'family or practice'),
      currency: shown('currency', 'the currency of your amounts'),
      owner_name: shown('owner_name', "the owner's name, as others see it"),
      writable_until: shown('writable_until', 'after a change of owner: how long no plan is needed'),
      trial_since: shown('trial_since', "when its former owners' first trial began"),
      created_at: shown('created_at', 'since when'),
    },
  },
  members: {
    file: 'memberships',
    about: 'Families and practices you’re a member of',
    owner: 'account_id',
    columns: {
      workspace_id: shown('workspace_id', 'the family or practice'),
      account_id: OWNER,
      role: shown('role', 'your role there'),
      onboarding_dismissed_at: shown('onboarding_dismissed_at', 'when you dismissed the checklist there'),
      all_students: shown('all_students', 'whether you see the records of all children or students'),
      joined_at: shown('joined_at', 'since when'),
    },
  },
  member_students: {
    file: 'memberships_students',
    about: 'The children or students you can see, if you can’t see all of them',
    owner: 'account_id',
    columns: {
      workspace_id: shown('workspace_id', 'the family or practice'),
      account_id: OWNER,
      student_id: shown('student_id', 'the child or student'),
    },
  },
  member_invitations: {
    file: 'invitations_of_members',
    about: 'People you invited to join you',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      email: shown('email', 'the address you invited'),
      email_key: { withheld: 'the address again, in the form used for comparing' },
      role: shown('role', 'the role they would get'),
      student_ids: shown('student_ids', 'the children or students they would see; empty for all'),
      token_hash: SECRET,
      created_at: shown('created_at', 'when you invited them'),
      expires_at: shown('expires_at', 'when the invitation expires'),
    },
  },
  students: {
    file: 'students',
    about: 'Your children or students',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      name: shown('name', 'name'),
      first_name: { withheld: 'the first word of the name' },
      hourly_rate_cents: shown('hourly_rate', "a tutor's hourly rate for this student", 'cents'),
      grade: shown('grade', 'grade'),
      notes: shown('notes', 'your notes'),
      archived_at: ARCHIVED,
      version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  tutors: {
    file: 'tutors',
    about: 'Your tutors',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      name: shown('name', 'name'),
      email: shown('email', 'address'),
      phone: shown('phone', 'phone'),
      hourly_rate_cents: shown('hourly_rate', 'default hourly rate', 'cents'),
      subjects: shown('subjects', 'subjects'),
      notes: shown('notes', 'your notes'),
      is_self: shown('is_self', 'whether this is you'),
      archived_at: ARCHIVED,
      version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  sessions: {
    file: 'sessions',
    about: 'Your tutoring sessions',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      student_id: STUDENT,
      tutor_id: TUTOR,
      day: shown('date', 'the day of the lesson'),
      minutes: shown('duration', 'hours', 'minutes'),
      rate_override_cents: shown('hourly_rate', "this session's own rate, if it has one", 'cents'),
      tutor_rate_cents: shown('tutor_rate', 'the default rate when it was logged', 'cents'),
      total_cents: shown('total_amount', "the total; empty if there's no rate", 'cents'),
      currency: shown('currency', 'the currency of its amounts'),
      subject: shown('subject', 'subject'),
      start_time: shown('start_time', 'local start time; empty if nobody entered one'),
      summary: shown('summary', 'what was done; both sides can read it'),
      homework: shown('homework', 'what comes next; both sides can read it'),
      notes: shown('notes', 'your notes, which nobody else can see'),
      connection_id: shown(
        'connection_id',
        "the connection it's shared under; empty if it's only in your log",
      ),
      own_says: shown(
        'own_confirmation',
        'your answer about its current version: none, confirmed or disputed',
      ),
      own_word: { withheld: 'your last answer, even about an earlier version; the history has it' },
      own_word_version: { withheld: 'counts changes' },
      own_word_note: shown('you_sent_it_back_because', 'your note when you sent it back'),
      own_reply: shown('your_answer', 'your answer when it was sent back to you'),
      other_says: shown('other_confirmation', "the other side's answer about its current version"),
      other_word_note: shown('sent_back_because', "the other side's note when it sent this back"),
      other_reply: shown('other_answer', "the other side's answer when you sent it back"),
      other_took_part: shown('other_took_part', 'whether the other side ever logged or confirmed it'),
      has_answered: shown('has_answered', 'whether you have answered since it was sent back'),
      is_answered: shown('is_answered', 'whether the other side has answered since you sent it back'),
      status: shown('status', 'completed, or disputed if a side sent it back'),
      verified_by_tutor: shown('verified_by_tutor', 'whether both sides confirmed it'),
      deletion_by: shown('deletion_asked_by', 'who asked to delete it: you or the other side'),
      deletion_asked_by: { withheld: 'the same, as family or practice' },
      deletion_asked_at: shown('deletion_asked_at', 'when'),
      asked_since: shown(
        'asked_since',
        'since when it has been waiting for an answer, yours or the other side’s',
      ),
      reminders: shown('reminders', 'how many reminders have been sent since then'),
      reminded_at: shown('reminded_at', 'when the last one was sent'),
      is_read_only: shown('is_read_only', 'whether the other side has closed its account'),
      is_held: shown(
        'waits_on_same_lessons',
        "whether it's left out of all totals until you say if it's the same lesson the other side logged",
      ),
      is_foreign: { withheld: 'tells a caregiver what they may change' },
      schedule_id: shown('schedule_id', 'the schedule it was logged from'),
      occurrence_day: shown('occurrence_date', 'the scheduled day'),
      key: { withheld: "the record's internal key in the database" },
      facts_version: COUNTER,
      version: COUNTER,
      own_version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  session_history: {
    file: 'session_history',
    about: 'The history of your sessions',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      session_id: shown('session_id', 'which session'),
      session_key: { withheld: "the session's internal key in the database" },
      chain: shown('chain', 'which history the entry is from; merged sessions keep both'),
      seq: shown('seq', "the entry's number within the session's history"),
      at: shown('at', 'when'),
      side: shown('side', 'family, practice, or system for Tutorlog'),
      actor_id: shown('actor_id', 'the account on your side that did it'),
      action: shown('action', 'what was done'),
      facts: shown('facts', 'the session after the change'),
      changed: shown('changed', 'what it changed'),
      note: shown('note', 'the note that was given'),
      hash: { withheld: 'protects the entry against tampering' },
    },
  },
  connections: {
    file: 'connections',
    about: 'Tutors or families you share sessions with',
    owner: 'side',
    columns: {
      id: shown('id', 'the record'),
      family_id: SIDES,
      practice_id: SIDES,
      tutor_id: only('family', 'tutor_id', 'your tutor; empty if that record was deleted'),
      asked_by: shown('asked_by', 'the side that asked'),
      email: {
        as: 'email',
        about: "the address the request went to, until it's forgotten; empty if a family asked you",
        byPractice: 'invited_address',
      },
      email_key: { withheld: 'the address again, in the form used for comparing' },
      state: shown('state', 'asked, active, declined or ended'),
      shared_from: shown('shared_from', 'the first day whose sessions are shared; empty if all are'),
      answered_at: shown('answered_at', 'when it was answered'),
      ended_at: shown('ended_at', 'when it ended'),
      ended_by: shown('ended_by', 'the side that ended it'),
      family_closed_at: only('family', 'closed_at', 'when your account was closed'),
      practice_closed_at: only('practice', 'closed_at', 'when your account was closed'),
      mailed_at: only('family', 'mailed_at', 'when the tutor was last emailed'),
      ways_changed_at: shown('ways_to_pay_changed_at', 'when the ways to pay last changed'),
      ways_told_at: { withheld: 'when the family was last notified of that' },
      version: COUNTER,
      created_at: shown('asked_at', 'when it was asked'),
      updated_at: CHANGED,
    },
  },
  connection_people: {
    file: 'connected_people',
    about: 'Children whose sessions you share',
    owner: 'side',
    columns: {
      id: shown('id', 'the record'),
      connection_id: shown('connection_id', 'the connection'),
      family_id: SIDES,
      practice_id: SIDES,
      child_id: only('family', 'student_id', 'your child'),
      student_id: only('practice', 'student_id', 'your student; empty until the child is matched with one'),
      first_name: shown('first_name', 'the first name, which is all the tutor gets'),
    },
  },
  sign_offs: {
    file: 'sign_offs',
    about: 'Months that both sides confirmed',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      tutor_id: TUTOR,
      month: shown('month', 'which month'),
      code: shown('code', 'the code on the statement'),
      content_hash: { withheld: 'protects the content against tampering' },
      signed_at: shown('signed_at', 'when'),
    },
  },
  closed_months: {
    file: 'closed_months',
    about: 'Months you closed with a tutor or family',
    owner: 'side',
    columns: {
      id: shown('id', 'the record'),
      connection_id: shown('connection_id', 'the connection'),
      family_id: SIDES,
      practice_id: SIDES,
      month: shown('month', 'which month'),
      state: shown('state', 'asked for, closed or reopened'),
      asked_by: shown('asked_by', 'the side that asked to close it'),
      asked_at: shown('asked_at', 'when it asked'),
      answered_at: shown('closed_at', 'when the other side confirmed'),
      code: shown('code', 'the code on the page'),
      content: shown('page', 'what the page says'),
      content_hash: { withheld: 'protects the content against tampering' },
      reopened_by: shown('reopened_by', 'the side that reopened it'),
      reopened_at: shown('reopened_at', 'when'),
      reason: shown('reason', 'why'),
      reminders: shown('reminders', 'how many reminders were sent'),
      reminded_at: shown('reminded_at', 'when the last one was sent'),
      version: COUNTER,
    },
  },
  notice_choices: {
    file: 'notices',
    about: 'Your email preferences',
    owner: 'user_id',
    columns: {
      user_id: OWNER,
      daily_digest: shown('daily_digest', 'a daily email when something is waiting'),
      month_ready: shown('month_ready', 'an email when a month is ready to confirm'),
      connection_changes: shown('connection_changes', 'an email when a connection starts or ends'),
      mailed_at: shown('mailed_at', 'when the last one was sent'),
      version: COUNTER,
      updated_at: CHANGED,
    },
  },
  schedules: {
    file: 'schedules',
    about: 'Your recurring lessons',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      student_id: STUDENT,
      tutor_id: TUTOR,
      subject: shown('subject', 'subject'),
      day_of_week: shown('day_of_week', '0 is Sunday, 6 is Saturday'),
      start_time: shown('start_time', 'local start time'),
      minutes: shown('duration', 'hours', 'minutes'),
      hourly_rate_cents: shown('hourly_rate', 'hourly rate', 'cents'),
      frequency: shown('frequency', 'weekly, bi-weekly, monthly or custom'),
      custom_interval_days: shown('custom_interval_days', 'days between two lessons, for custom'),
      start_day: shown('start_date', 'the first day'),
      end_day: shown('end_date', 'the last day'),
      timezone: shown('timezone', 'always UTC; no conversion applies'),
      is_active: shown('is_active', 'whether it still takes place'),
      connection_id: shown(
        'connection_id',
        'the family its lessons are with, if two families share the student',
      ),
      notes: shown('notes', 'your notes'),
      deleted_at: shown('deleted_at', "when you deleted it; it's erased soon after"),
      version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  schedule_changes: {
    file: 'schedule_changes',
    about: 'Classes that were skipped or moved',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      schedule_id: shown('schedule_id', 'the schedule'),
      day: shown('date', 'the day according to the schedule'),
      moved_to: shown('moved_to', 'the new day; empty if the lesson is skipped'),
      start_time: shown('start_time', 'the new start time'),
      version: COUNTER,
      created_at: MADE,
    },
  },
  calendar_feeds: {
    file: 'calendar_feed',
    about: "Your calendar feed (without its address, which we don't store)",
    owner: 'account_id',
    columns: {
      workspace_id: shown('workspace_id', 'the family or practice'),
      account_id: OWNER,
      id: shown('id', 'the record'),
      token_hash: SECRET,
      version: COUNTER,
      created_at: shown('created_at', 'when it was created'),
    },
  },
  payments: {
    file: 'payments',
    about: 'Your payments',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      tutor_id: TUTOR,
      student_id: STUDENT,
      day: shown('date', 'the day'),
      kind: shown('kind', 'payment; hours, paid for in advance; opening, owed before the first entry'),
      amount_cents: shown('amount', 'how much', 'cents'),
      prepaid_minutes: shown('hours', 'how many hours were bought', 'minutes'),
      method: shown('method', 'how it was paid'),
      currency: shown('currency', 'the currency of its amount'),
      note: shown('note', 'your note, which nobody else can see'),
      tutor_name: { withheld: 'the name is in the tutors file' },
      student_name: { withheld: 'the name is in the students file' },
      connection_id: shown(
        'connection_id',
        "the connection it's shared under; empty if it's only in your records",
      ),
      own_says: shown(
        'own_confirmation',
        'your answer about its current version: none, confirmed or disputed',
      ),
      own_word: { withheld: 'your last answer, even about an earlier version' },
      own_word_version: { withheld: 'counts changes' },
      own_word_note: shown('your_dispute_note', 'your note when you disputed it'),
      other_says: shown('other_confirmation', "the other side's answer about its current version"),
      other_word_note: shown('other_dispute_note', "the other side's note when it disputed this"),
      other_took_part: shown('other_took_part', 'whether the other side ever recorded or confirmed it'),
      is_confirmed: shown('is_confirmed', 'whether both sides confirmed it'),
      counts: shown('counts', 'whether it is part of your balance'),
      deletion_by: shown('deletion_asked_by', 'who asked to delete it: you or the other side'),
      deletion_asked_by: { withheld: 'the same, as family or practice' },
      deletion_asked_at: shown('deletion_asked_at', 'when'),
      asked_since: shown(
        'asked_since',
        'since when it has been waiting for an answer: yours, else the other side’s',
      ),
      reminders: shown('reminders', 'how many reminders were sent'),
      reminded_at: shown('reminded_at', 'when the last one was sent'),
      is_read_only: shown('is_read_only', 'whether the other side has closed its account'),
      key: { withheld: "the record's internal key in the database" },
      facts_version: COUNTER,
      version: COUNTER,
      own_version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  payment_ways: {
    file: 'payment_ways',
    about: 'How families can pay you',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      position: shown('position', 'the order in which families see them'),
      kind: shown('kind', 'link, sepa or swiss for a bank account, upi, or text'),
      details: shown('details', 'the address, the account or the text'),
      version: COUNTER,
      created_at: MADE,
    },
  },
  referral_codes: {
    file: 'referral_code',
    about: 'Your invitation code',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      code: shown('code', 'the code'),
      created_at: shown('created_at', 'since when'),
    },
  },
  referrals: {
    file: 'referrals',
    about: 'Friends who signed up with your code',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      friend_id: { withheld: "your friend's privacy counts, too" },
      created_at: shown('created_at', 'when a friend signed up'),
    },
  },
  rewards: {
    file: 'rewards',
    about: 'Extra free days you got through invitations',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      id: shown('id', 'the record'),
      days: shown('days', 'how many'),
      reason: shown(
        'reason',
        'friend_joined: a friend you invited signed up; joined_by_invitation: you were invited',
      ),
      friend_hash: { withheld: 'prevents counting a friend twice' },
      credit: shown(
        'credit',
        'given: the days moved your next payment; due: they will; empty: they extend your trial',
      ),
      created_at: shown('created_at', 'when'),
    },
  },
  terms_notices: {
    file: 'terms_notices',
    about: 'New terms we emailed you about',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      version: shown('version', 'which version'),
      created_at: shown('created_at', 'when'),
    },
  },
  acceptances: {
    file: 'acceptances',
    about: 'Terms you accepted',
    owner: 'user_id',
    columns: {
      user_id: OWNER,
      document: shown('document', 'which text'),
      version: shown('version', 'which version'),
      accepted_at: shown('accepted_at', 'when'),
    },
  },
  identities: {
    file: 'identities',
    about: 'Your other sign-in methods',
    owner: 'user_id',
    columns: {
      issuer: shown('issuer', 'the provider you sign in with'),
      subject: shown('subject', 'your id there'),
      user_id: OWNER,
      created_at: shown('created_at', 'since when'),
    },
  },
  logins: {
    file: 'devices',
    about: 'Devices that are signed in',
    owner: 'user_id',
    columns: {
      id: shown('id', 'the login'),
      user_id: OWNER,
      access_hash: SECRET,
      refresh_hash: SECRET,
      previous_refresh_hash: SECRET,
      family_hash: SECRET,
      renewal_salt: { withheld: 'a random value that protects your account' },
      access_expires_at: { withheld: 'a technical time a few minutes ahead' },
      refreshed_at: shown('last_seen_at', 'when it was last seen'),
      active_until: shown('active_until', 'when it ends without activity'),
      ends_at: shown('ends_at', 'when it ends at the latest'),
      user_agent: shown('user_agent', 'how the browser identifies itself'),
      created_at: shown('created_at', 'when you signed in'),
    },
  },
  outbox: {
    file: 'mails',
    about: 'Emails we sent to you or on your behalf in the last 30 days',
    owner: 'user_id',
    columns: {
      id: shown('id', 'the email'),
      user_id: OWNER,
      recipient: shown('recipient', 'to whom'),
      kind: shown('kind', 'the kind of email'),
      data: shown('data', 'the values filled into the text'),
      attempts: { withheld: 'how many times we tried the mail server' },
      last_error: { withheld: 'what the mail server said' },
      sent_at: shown('sent_at', 'when it was sent'),
      created_at: shown('created_at', 'when it was written'),
    },
  },
  email_changes: {
    file: 'email_change',
    about: "A new email address that isn't confirmed yet",
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      new_email: shown('new_email', 'the address'),
      old_token_hash: SECRET,
      new_token_hash: SECRET,
      old_confirmed_at: shown('old_confirmed_at', 'when the current address confirmed the change'),
      new_confirmed_at: shown('new_confirmed_at', 'when the new address confirmed it'),
      expires_at: shown('expires_at', 'when the links expire'),
      created_at: MADE,
    },
  },
  customers: {
    file: 'customer',
    about: 'Your customer ID with the payment provider',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      customer_id: shown('customer_id', 'your id there'),
      created_at: shown('created_at', 'since when'),
    },
  },
  subscriptions: {
    file: 'subscriptions',
    about: 'Your subscriptions',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      id: shown('id', "the payment provider's id"),
      status: shown('status', 'its state there'),
      billing_interval: shown('interval', 'month or year'),
      amount_cents: shown('amount_smallest_unit', "the price in the currency's smallest unit, such as cents"),
      currency: shown('currency', 'its currency'),
      period_ends_at: shown('period_ends_at', 'the end of the paid period'),
      cancels_at_period_end: shown('cancels_at_period_end', 'whether the subscription ends then'),
      read_at: shown('read_at', 'when we last asked the provider'),
    },
  },
  admin_reads: {
    file: 'administrators_looked',
    about: 'When an administrator looked at your account, and why',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      id: shown('id', 'the entry'),
      admin_id: { withheld: "the administrator's privacy counts, too" },
      what: shown('what', 'listed: your line in the list of accounts; record: your entries'),
      purpose: shown('purpose', 'the stated purpose'),
      day: shown('date', 'the day'),
      read_at: shown('read_at', 'the exact time'),
    },
  },
}

/**
 * Tables that have an owner but aren't exported, each with the reason. They contain nothing else about the
 * owner.
 */
export const NOT_EXPORTED: Record<string, string> = {
  session_notes: 'your notes are exported with the sessions they are about',
  payment_notes: 'your notes are exported with the payments they are about',
  session_pairs: 'sessions that look like the same lesson; yours are in the sessions file',
  migration_differences:
    'how your months changed when the two sides began sharing sessions; the sessions themselves are exported',
  unsubscribe_tokens: 'hashes of unsubscribe links',
  auth_tokens: 'hashes of emailed links, deleted within days',
  earlier_addresses: 'hashes of the addresses your account had before',
  known_browsers: 'hashes that protect your account and are useless to anyone',
  idempotency_keys: 'stored responses for retries, deleted within 90 days',
}

/**
 * The columns of a table that are exported for a kind of workspace. Without a workspace, only the columns
 * that are exported for both kinds.
 */
export function shownColumns(
  { columns }: Pick<ExportedTable, 'columns'>,
  kind: Kind | undefined,
): { name: string; as: string; about: string; unit?: 'cents' | 'minutes'; byPractice?: string }[] {
  return Object.entries(columns).flatMap(([name, column]) =>
    'withheld' in column || (column.of && column.of !== kind) ? [] : [{ name, ...column }],
  )
}
