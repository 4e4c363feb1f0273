// What an export holds: every table with an owner, every column of it, in words. A table or a column that is missing
// here fails a test (promise P5), so whoever adds one decides at once what its owner gets to see.

import type { Kind } from '#features/workspaces/workspace.ts'

/** A column under its name in the export, with what it means, and which kind of workspace alone has it; or why it is not exported. */
export type Column =
  { as: string; about: string; unit?: 'cents' | 'minutes'; of?: Kind } | { withheld: string }

export interface ExportedTable {
  /** The name of its files. */
  file: string
  about: string
  /** The column that names the owner; 'side' is family_id or practice_id, whichever the workspace is. */
  owner: 'id' | 'user_id' | 'account_id' | 'owner_id' | 'workspace_id' | 'side'
  columns: Record<string, Column>
}

const shown = (as: string, about: string, unit?: 'cents' | 'minutes'): Column => ({ as, about, unit })
/** What only one kind of workspace may read. */
const only = (of: Kind, as: string, about: string): Column => ({ as, about, of })
const OWNER = shown('user_id', 'your id')
const SIDES: Column = { withheld: 'the ids of the two sides' }
const SECRET: Column = { withheld: 'a hash that guards your account, of no use to anybody' }
const COUNTER: Column = { withheld: 'counts changes, so that two of them cannot overwrite each other' }
const MADE = shown('created_at', 'when it was entered')
const CHANGED = shown('updated_at', 'when it was last changed')
const ARCHIVED = shown('archived_at', 'when you put it away')
const STUDENT = shown('student_id', 'whose lesson; empty when that record was deleted')
const TUTOR = shown('tutor_id', 'by whom; empty when that record was deleted')

/** The exported tables by their name in the database, in the order of the README. */
export const EXPORTED: Record<string, ExportedTable> = {
  users: {
    file: 'account',
    about: 'Your account',
    owner: 'id',
    columns: {
      id: OWNER,
      email: shown('email', 'your address'),
      email_key: { withheld: 'the address again, as it is compared' },
      password_hash: SECRET,
      sign_up_browser_hash: SECRET,
      email_confirmed_at: shown('email_confirmed_at', 'when you confirmed it'),
      disabled_at: shown('disabled_at', 'when the account was disabled'),
      has_password: shown('has_password', 'whether you have a password'),
      deletion_asked_at: shown('deletion_asked_at', 'when you deleted the account'),
      trial_since: shown(
        'trial_since',
        'when your first trial began, where your address had an account before',
      ),
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
      avatar_url: shown('avatar_url', 'the address of your picture'),
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
      owner_name: shown('owner_name', "the owner's name, as others meet it"),
      writable_until: shown('writable_until', 'until when nobody needs a plan after a change of the owner'),
      trial_since: shown('trial_since', 'when the first trial of its former owners began'),
      created_at: shown('created_at', 'since when'),
    },
  },
  members: {
    file: 'memberships',
    about: 'Where you are a member',
    owner: 'account_id',
    columns: {
      workspace_id: shown('workspace_id', 'of which family or practice'),
      account_id: OWNER,
      role: shown('role', 'your role there'),
      onboarding_dismissed_at: shown('onboarding_dismissed_at', 'when you closed the checklist there'),
      all_students: shown('all_students', 'whether you keep the records of all children or students'),
      joined_at: shown('joined_at', 'since when'),
    },
  },
  member_students: {
    file: 'memberships_students',
    about: 'Whose records you keep where they are not all yours to keep',
    owner: 'account_id',
    columns: {
      workspace_id: shown('workspace_id', 'of which family or practice'),
      account_id: OWNER,
      student_id: shown('student_id', 'the child or student'),
    },
  },
  member_invitations: {
    file: 'invitations_of_members',
    about: 'People whom you asked to keep these records with you',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      email: shown('email', 'the address that was asked'),
      email_key: { withheld: 'the address again, as it is compared' },
      role: shown('role', 'what they would be'),
      student_ids: shown(
        'student_ids',
        'the children or students whose records they would keep; empty for all',
      ),
      token_hash: SECRET,
      created_at: shown('created_at', 'when you asked'),
      expires_at: shown('expires_at', 'until when the invitation works'),
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
      first_name: { withheld: 'the first word of the name again' },
      hourly_rate_cents: shown('hourly_rate', "a tutor's rate for an hour with this student", 'cents'),
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
      hourly_rate_cents: shown('hourly_rate', 'default rate for an hour', 'cents'),
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
      rate_override_cents: shown('hourly_rate', 'the rate of this session, where it has its own', 'cents'),
      tutor_rate_cents: shown('tutor_rate', 'the usual rate when it was logged', 'cents'),
      total_cents: shown('total_amount', 'what it came to; empty without any rate', 'cents'),
      currency: shown('currency', 'the currency of its amounts'),
      subject: shown('subject', 'subject'),
      notes: shown('notes', 'your notes, which nobody else gets'),
      connection_id: shown(
        'connection_id',
        'the connection that it is shared under; empty where it is in your log only',
      ),
      own_says: shown('own_confirmation', 'what you say of it as it is now: none, confirmed or disputed'),
      own_word: { withheld: 'what you said last, also of what it was before; the history has it' },
      own_word_version: { withheld: 'counts changes' },
      own_word_note: shown('you_sent_it_back_because', 'what you said when sending it back'),
      own_reply: shown('your_answer', 'what you answered when it was sent back to you'),
      other_says: shown('other_confirmation', 'what the other side says of it as it is now'),
      other_word_note: shown('sent_back_because', 'what the other side said when sending it back'),
      other_reply: shown('other_answer', 'what the other side answered'),
      other_took_part: shown('other_took_part', 'whether the other side ever logged or confirmed it'),
      has_answered: shown('has_answered', 'whether you answered since it was sent back'),
      is_answered: shown('is_answered', 'whether the other side answered since you sent it back'),
      status: shown('status', 'completed, or disputed when a side sent it back'),
      verified_by_tutor: shown('verified_by_tutor', 'whether both sides confirmed it'),
      deletion_by: shown('deletion_asked_by', 'who asked to delete it: you or the other side'),
      deletion_asked_by: { withheld: 'the same again, as family or practice' },
      deletion_asked_at: shown('deletion_asked_at', 'when'),
      is_read_only: shown('is_read_only', 'whether the other side closed its account'),
      is_foreign: { withheld: 'says to a caregiver what is theirs to change' },
      schedule_id: shown('schedule_id', 'the schedule that it was logged from'),
      occurrence_day: shown('occurrence_date', 'the day of that schedule'),
      key: { withheld: 'the place of the record in the database' },
      facts_version: COUNTER,
      version: COUNTER,
      own_version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  session_history: {
    file: 'session_history',
    about: 'What happened to your sessions',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      session_id: shown('session_id', 'which session'),
      session_key: { withheld: 'the place of the session in the database' },
      chain: shown('chain', 'sessions that became one keep the entries of both'),
      seq: shown('seq', 'counts the entries of a session'),
      at: shown('at', 'when'),
      side: shown('side', 'family, practice, or system for Tutorlog'),
      actor_id: shown('actor_id', 'the account that did it, on your side'),
      action: shown('action', 'what was done'),
      facts: shown('facts', 'the session after it'),
      changed: shown('changed', 'what it changed'),
      note: shown('note', 'what was said'),
      hash: { withheld: 'guards the entry against changes' },
    },
  },
  connections: {
    file: 'connections',
    about: 'Tutors or families with whom you share sessions',
    owner: 'side',
    columns: {
      id: shown('id', 'the record'),
      family_id: SIDES,
      practice_id: SIDES,
      tutor_id: only('family', 'tutor_id', 'which of your tutors; empty when that record was deleted'),
      asked_by: shown('asked_by', 'which side asked'),
      email: only('family', 'email', 'the address that was asked, until it is forgotten'),
      email_key: { withheld: 'the address again, as it is compared' },
      state: shown('state', 'asked, active, declined or ended'),
      shared_from: shown('shared_from', 'from which day on sessions are shared; empty shares all'),
      answered_at: shown('answered_at', 'when it was answered'),
      ended_at: shown('ended_at', 'when it ended'),
      ended_by: shown('ended_by', 'by which side'),
      family_closed_at: only('family', 'closed_at', 'since when your account was closed'),
      practice_closed_at: only('practice', 'closed_at', 'since when your account was closed'),
      mailed_at: only('family', 'mailed_at', 'when the tutor was last written to'),
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
      connection_id: shown('connection_id', 'of which connection'),
      family_id: SIDES,
      practice_id: SIDES,
      child_id: only('family', 'student_id', 'your child'),
      student_id: only('practice', 'student_id', 'your student; empty while it is matched with none'),
      first_name: shown('first_name', 'the first name, which is all that the tutor gets'),
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
      content_hash: { withheld: 'guards the content against changes' },
      signed_at: shown('signed_at', 'when'),
    },
  },
  notice_choices: {
    file: 'notices',
    about: 'Which emails you want',
    owner: 'user_id',
    columns: {
      user_id: OWNER,
      daily_digest: shown('daily_digest', 'a daily email when something waits'),
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
      start_time: shown('start_time', 'when it starts, where it takes place'),
      minutes: shown('duration', 'hours', 'minutes'),
      hourly_rate_cents: shown('hourly_rate', 'rate for an hour', 'cents'),
      frequency: shown('frequency', 'weekly, bi-weekly, monthly or custom'),
      custom_interval_days: shown('custom_interval_days', 'days between two lessons, for custom'),
      start_day: shown('start_date', 'from when'),
      end_day: shown('end_date', 'until when, that day too'),
      timezone: shown('timezone', 'always UTC; no conversion applies'),
      is_active: shown('is_active', 'whether it still takes place'),
      notes: shown('notes', 'your notes'),
      deleted_at: shown('deleted_at', 'when you deleted it; it goes for good soon after'),
      version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  schedule_changes: {
    file: 'schedule_changes',
    about: 'Single lessons that are not as their schedule says',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      schedule_id: shown('schedule_id', 'of which schedule'),
      day: shown('date', 'the day that the schedule gives'),
      moved_to: shown('moved_to', 'the day instead; empty when it is skipped'),
      start_time: shown('start_time', 'the time instead'),
      version: COUNTER,
      created_at: MADE,
    },
  },
  calendar_feeds: {
    file: 'calendar_feed',
    about: 'Your calendar address; the address itself is not kept',
    owner: 'account_id',
    columns: {
      workspace_id: shown('workspace_id', 'of which family or practice'),
      account_id: OWNER,
      id: shown('id', 'the record'),
      token_hash: SECRET,
      version: COUNTER,
      created_at: shown('created_at', 'when it was made'),
    },
  },
  payments: {
    file: 'payments',
    about: 'What was paid',
    owner: 'workspace_id',
    columns: {
      workspace_id: OWNER,
      id: shown('id', 'the record'),
      tutor_id: TUTOR,
      student_id: STUDENT,
      day: shown('date', 'the day'),
      kind: shown('kind', 'payment; hours bought beforehand; opening, what was owed before the first line'),
      amount_cents: shown('amount', 'how much', 'cents'),
      prepaid_minutes: shown('hours', 'hours that were bought', 'minutes'),
      method: shown('method', 'how it was paid'),
      note: shown('note', 'your note'),
      version: COUNTER,
      created_at: MADE,
      updated_at: CHANGED,
    },
  },
  referral_codes: {
    file: 'referral_code',
    about: 'The code of your invitations',
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
      friend_id: { withheld: 'your friend is a person too' },
      created_at: shown('created_at', 'when one did'),
    },
  },
  rewards: {
    file: 'rewards',
    about: 'Days that invitations added to your trial',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      id: shown('id', 'the record'),
      days: shown('days', 'how many'),
      reason: shown('reason', 'friend_joined: a friend of yours came; joined_by_invitation: you came by one'),
      friend_hash: { withheld: 'keeps a friend from counting twice' },
      credit: shown(
        'credit',
        'given: the days moved your next payment; due: they will; empty: they count for your trial',
      ),
      created_at: shown('created_at', 'when'),
    },
  },
  terms_notices: {
    file: 'terms_notices',
    about: 'New terms that you were told of',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      version: shown('version', 'which version'),
      created_at: shown('created_at', 'when'),
    },
  },
  acceptances: {
    file: 'acceptances',
    about: 'What you agreed to',
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
    about: 'Other ways by which you sign in',
    owner: 'user_id',
    columns: {
      issuer: shown('issuer', 'with whom'),
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
      access_expires_at: { withheld: 'a moment of a few minutes ahead, without meaning' },
      refreshed_at: shown('last_seen_at', 'when it was last seen'),
      active_until: shown('active_until', 'until when without activity'),
      ends_at: shown('ends_at', 'until when at the longest'),
      user_agent: shown('user_agent', 'what the browser calls itself'),
      created_at: shown('created_at', 'when you signed in'),
    },
  },
  outbox: {
    file: 'mails',
    about: 'Mails that we sent to you or for you, of the last 30 days',
    owner: 'user_id',
    columns: {
      id: shown('id', 'the mail'),
      user_id: OWNER,
      recipient: shown('recipient', 'to whom'),
      kind: shown('kind', 'what about'),
      data: shown('data', 'what was filled in'),
      attempts: { withheld: 'how often the mail server was asked' },
      last_error: { withheld: 'what the mail server said' },
      sent_at: shown('sent_at', 'when it was sent'),
      created_at: shown('created_at', 'when it was written'),
    },
  },
  email_changes: {
    file: 'email_change',
    about: 'A new address that waits to be confirmed',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      new_email: shown('new_email', 'the address'),
      old_token_hash: SECRET,
      new_token_hash: SECRET,
      old_confirmed_at: shown('old_confirmed_at', 'when the present address confirmed'),
      new_confirmed_at: shown('new_confirmed_at', 'when the new one did'),
      expires_at: shown('expires_at', 'until when it can be'),
      created_at: MADE,
    },
  },
  customers: {
    file: 'customer',
    about: 'Who you are to the payment provider',
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
      amount_cents: shown('amount_smallest_unit', "the price in the currency's smallest unit, cents for one"),
      currency: shown('currency', 'its currency'),
      period_ends_at: shown('period_ends_at', 'until when it is paid'),
      cancels_at_period_end: shown('cancels_at_period_end', 'whether it ends then'),
      read_at: shown('read_at', 'when we last asked'),
    },
  },
  admin_reads: {
    file: 'administrators_looked',
    about: 'When an administrator looked at your account, and why',
    owner: 'owner_id',
    columns: {
      owner_id: OWNER,
      id: shown('id', 'the entry'),
      admin_id: { withheld: 'the administrator is a person too' },
      what: shown('what', 'listed: your line in the list of accounts; record: your entries'),
      purpose: shown('purpose', 'the stated purpose'),
      day: shown('date', 'the day'),
      read_at: shown('read_at', 'the moment'),
    },
  },
}

/** Owned tables that hold nothing about their owner beyond the others, and why. */
export const NOT_EXPORTED: Record<string, string> = {
  session_notes: 'your notes stand with the sessions that they are about',
  session_pairs: 'sessions that look like the same lesson; those of yours are among the sessions',
  migration_differences:
    'how your months changed when both sides came to share sessions; the sessions themselves are exported',
  unsubscribe_tokens: 'hashes of links that end mails',
  auth_tokens: 'hashes of mailed links, gone within days',
  known_browsers: 'hashes that guard your account, of no use to anybody',
  idempotency_keys: 'copies of answers for a retry, gone within 90 days',
}

/** The columns of a table that a kind of workspace gets; without a workspace those that both get. */
export function shownColumns(
  { columns }: Pick<ExportedTable, 'columns'>,
  kind: Kind | undefined,
): { name: string; as: string; about: string; unit?: 'cents' | 'minutes' }[] {
  return Object.entries(columns).flatMap(([name, column]) =>
    'withheld' in column || (column.of && column.of !== kind) ? [] : [{ name, ...column }],
  )
}
