// What an export holds: every table with an owner, every column of it, in words. A table or a column that is missing
// here fails a test (promise P5), so whoever adds one decides at once what its owner gets to see.

/** A column under its name in the export, with what it means; or why it is not exported. */
export type Column = { as: string; about: string; unit?: 'cents' | 'minutes' } | { withheld: string }

export interface ExportedTable {
  /** The name of its files. */
  file: string
  about: string
  /** The column that names the owner. */
  owner: 'id' | 'user_id' | 'owner_id'
  columns: Record<string, Column>
}

const shown = (as: string, about: string, unit?: 'cents' | 'minutes'): Column => ({ as, about, unit })
const OWNER = shown('user_id', 'your id')
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
    file: 'account', about: 'Your account', owner: 'id',
    columns: {
      id: OWNER, email: shown('email', 'your address'), email_key: { withheld: 'the address again, as it is compared' }, password_hash: SECRET,
      email_confirmed_at: shown('email_confirmed_at', 'when you confirmed it'), disabled_at: shown('disabled_at', 'when the account was disabled'),
      has_password: shown('has_password', 'whether you have a password'), deletion_asked_at: shown('deletion_asked_at', 'when you deleted the account'),
      trial_since: shown('trial_since', 'when your first trial began, where your address had an account before'), created_at: shown('created_at', 'when you signed up'),
    },
  },
  profiles: {
    file: 'profile', about: 'Your profile', owner: 'user_id',
    columns: {
      user_id: OWNER, full_name: shown('full_name', 'your name'), avatar_url: shown('avatar_url', 'the address of your picture'), currency: shown('currency', 'the currency of your amounts'),
      onboarding_dismissed_at: shown('onboarding_dismissed_at', 'when you closed the checklist'), summary_viewed_at: shown('summary_viewed_at', 'when you first saw the summary'), version: COUNTER, updated_at: CHANGED,
    },
  },
  user_roles: {
    file: 'role', about: 'Your role', owner: 'user_id',
    columns: { user_id: OWNER, role: shown('role', 'parent, tutor or admin'), earlier_role: shown('earlier_role', 'the role before you became an administrator'), created_at: shown('created_at', 'since when') },
  },
  students: {
    file: 'students', about: 'Your children or students', owner: 'owner_id',
    columns: { owner_id: OWNER, id: shown('id', 'the record'), name: shown('name', 'name'), first_name: { withheld: 'the first word of the name again' }, grade: shown('grade', 'grade'), notes: shown('notes', 'your notes'), archived_at: ARCHIVED, version: COUNTER, created_at: MADE, updated_at: CHANGED },
  },
  tutors: {
    file: 'tutors', about: 'Your tutors', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), name: shown('name', 'name'), email: shown('email', 'address'), phone: shown('phone', 'phone'),
      hourly_rate_cents: shown('hourly_rate', 'default rate for an hour', 'cents'), subjects: shown('subjects', 'subjects'), notes: shown('notes', 'your notes'),
      is_self: shown('is_self', 'whether this is you'), archived_at: ARCHIVED, version: COUNTER, created_at: MADE, updated_at: CHANGED,
    },
  },
  sessions: {
    file: 'sessions', about: 'Your tutoring sessions', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), student_id: STUDENT, tutor_id: TUTOR, day: shown('date', 'the day of the lesson'), minutes: shown('duration', 'hours', 'minutes'),
      rate_override_cents: shown('hourly_rate', 'the rate of this session, where it has its own', 'cents'), tutor_rate_cents: shown('tutor_rate', "the tutor's rate when it was logged", 'cents'),
      total_cents: shown('total_amount', 'what it came to; empty without any rate', 'cents'), subject: shown('subject', 'subject'), notes: shown('notes', 'your notes'), status: shown('status', 'state'),
      verified_by_tutor: shown('verified_by_tutor', 'whether the tutor confirmed it'), dispute_note: shown('sent_back_because', 'what the tutor said when sending it back'),
      answer_note: shown('answer', 'what you answered'), proposed_id: shown('proposed_id', 'the session of the tutor that it was taken over from'), schedule_id: shown('schedule_id', 'the schedule that it was logged from'),
      occurrence_day: shown('occurrence_date', 'the day of that schedule'), version: COUNTER, created_at: MADE, updated_at: CHANGED,
    },
  },
  session_history: {
    file: 'session_history', about: 'What happened to your sessions', owner: 'owner_id',
    columns: {
      owner_id: OWNER, session_id: shown('session_id', 'which session'), seq: shown('seq', 'counts the entries of a session'), at: shown('at', 'when'), side: shown('side', 'owner is you, tutor the linked tutor'),
      actor_id: shown('actor_id', 'the account that did it'), action: shown('action', 'what was done'), tutor_id: TUTOR, facts: shown('facts', 'the session after it'), changed: shown('changed', 'what it changed'),
      note: shown('note', 'what was said'), previous_hash: { withheld: 'the hash of the entry before' }, hash: { withheld: 'guards the entry against changes' },
    },
  },
  tutor_links: {
    file: 'tutor_links', about: 'Tutors whom you asked to confirm sessions', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), tutor_id: TUTOR, email: shown('email', 'the address that was asked, until it is forgotten'), email_key: { withheld: 'the address again, as it is compared' },
      state: shown('state', 'asked, active, declined or ended'), tutor_user_id: { withheld: 'the account of the tutor, who is a person too' }, answered_at: shown('answered_at', 'when the tutor answered'),
      ended_at: shown('ended_at', 'when it ended'), ended_by: shown('ended_by', 'by which side'), mailed_at: shown('mailed_at', 'when the tutor was last written to'), version: COUNTER, created_at: shown('asked_at', 'when you asked'), updated_at: CHANGED,
    },
  },
  sign_offs: {
    file: 'sign_offs', about: 'Months that both sides confirmed', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), tutor_id: TUTOR, month: shown('month', 'which month'), code: shown('code', 'the code on the statement'), content_hash: { withheld: 'guards the content against changes' },
      signed_at: shown('signed_at', 'when'),
    },
  },
  declined_proposals: {
    file: 'put_aside', about: "Tutors' sessions that you put aside", owner: 'owner_id',
    columns: { owner_id: OWNER, proposed_id: shown('proposed_id', "the tutor's session"), version: shown('version', 'which version of it'), created_at: shown('created_at', 'when') },
  },
  notice_choices: {
    file: 'notices', about: 'Which mails you want', owner: 'user_id',
    columns: {
      user_id: OWNER, daily_digest: shown('daily_digest', 'a daily mail when something waits'), month_ready: shown('month_ready', 'a mail when a month is ready to confirm'), mailed_at: shown('mailed_at', 'when the last one was sent'), version: COUNTER, updated_at: CHANGED,
    },
  },
  schedules: {
    file: 'schedules', about: 'Your recurring lessons', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), student_id: STUDENT, tutor_id: TUTOR, subject: shown('subject', 'subject'), day_of_week: shown('day_of_week', '0 is Sunday, 6 is Saturday'),
      start_time: shown('start_time', 'when it starts, where it takes place'), minutes: shown('duration', 'hours', 'minutes'), hourly_rate_cents: shown('hourly_rate', 'rate for an hour', 'cents'),
      frequency: shown('frequency', 'weekly, bi-weekly, monthly or custom'), custom_interval_days: shown('custom_interval_days', 'days between two lessons, for custom'),
      start_day: shown('start_date', 'from when'), end_day: shown('end_date', 'until when, that day too'), timezone: shown('timezone', 'always UTC; no conversion applies'),
      is_active: shown('is_active', 'whether it still takes place'), notes: shown('notes', 'your notes'), deleted_at: shown('deleted_at', 'when you deleted it; it goes for good soon after'), version: COUNTER, created_at: MADE, updated_at: CHANGED,
    },
  },
  schedule_changes: {
    file: 'schedule_changes', about: 'Single lessons that are not as their schedule says', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), schedule_id: shown('schedule_id', 'of which schedule'), day: shown('date', 'the day that the schedule gives'), moved_to: shown('moved_to', 'the day instead; empty when it is skipped'),
      start_time: shown('start_time', 'the time instead'), version: COUNTER, created_at: MADE,
    },
  },
  calendar_feeds: {
    file: 'calendar_feed', about: 'Your calendar address; the address itself is not kept', owner: 'owner_id',
    columns: { owner_id: OWNER, id: shown('id', 'the record'), token_hash: SECRET, version: COUNTER, created_at: shown('created_at', 'when it was made') },
  },
  payments: {
    file: 'payments', about: 'What was paid', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), tutor_id: TUTOR, student_id: STUDENT, day: shown('date', 'the day'), kind: shown('kind', 'payment; hours bought beforehand; opening, what was owed before the first line'),
      amount_cents: shown('amount', 'how much', 'cents'), prepaid_minutes: shown('hours', 'hours that were bought', 'minutes'), method: shown('method', 'how it was paid'), note: shown('note', 'your note'),
      version: COUNTER, created_at: MADE, updated_at: CHANGED,
    },
  },
  referral_codes: {
    file: 'referral_code', about: 'The code of your invitations', owner: 'owner_id', columns: { owner_id: OWNER, code: shown('code', 'the code'), created_at: shown('created_at', 'since when') },
  },
  referrals: {
    file: 'referrals', about: 'Friends who signed up with your code', owner: 'owner_id',
    columns: { owner_id: OWNER, friend_id: { withheld: 'your friend is a person too' }, created_at: shown('created_at', 'when one did') },
  },
  rewards: {
    file: 'rewards', about: 'Days that invitations added to your trial', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the record'), days: shown('days', 'how many'), reason: shown('reason', 'friend_joined: a friend of yours came; joined_by_invitation: you came by one'),
      friend_hash: { withheld: 'keeps a friend from counting twice' },
      credit: shown('credit', 'given: the days moved your next payment; due: they will; empty: they count for your trial'), created_at: shown('created_at', 'when'),
    },
  },
  terms_notices: {
    file: 'terms_notices', about: 'New terms that you were told of', owner: 'owner_id', columns: { owner_id: OWNER, version: shown('version', 'which version'), created_at: shown('created_at', 'when') },
  },
  acceptances: {
    file: 'acceptances', about: 'What you agreed to', owner: 'user_id',
    columns: { user_id: OWNER, document: shown('document', 'which text'), version: shown('version', 'which version'), accepted_at: shown('accepted_at', 'when') },
  },
  identities: {
    file: 'identities', about: 'Other ways by which you sign in', owner: 'user_id',
    columns: { issuer: shown('issuer', 'with whom'), subject: shown('subject', 'your id there'), user_id: OWNER, created_at: shown('created_at', 'since when') },
  },
  logins: {
    file: 'devices', about: 'Devices that are signed in', owner: 'user_id',
    columns: {
      id: shown('id', 'the login'), user_id: OWNER, access_hash: SECRET, refresh_hash: SECRET, previous_refresh_hash: SECRET, access_expires_at: { withheld: 'a moment of a few minutes ahead, without meaning' },
      refreshed_at: shown('last_seen_at', 'when it was last seen'), active_until: shown('active_until', 'until when without activity'), ends_at: shown('ends_at', 'until when at the longest'),
      user_agent: shown('user_agent', 'what the browser calls itself'), created_at: shown('created_at', 'when you signed in'),
    },
  },
  outbox: {
    file: 'mails', about: 'Mails that we sent to you or for you, of the last 30 days', owner: 'user_id',
    columns: {
      id: shown('id', 'the mail'), user_id: OWNER, recipient: shown('recipient', 'to whom'), kind: shown('kind', 'what about'), data: shown('data', 'what was filled in'), attempts: { withheld: 'how often the mail server was asked' },
      last_error: { withheld: 'what the mail server said' }, sent_at: shown('sent_at', 'when it was sent'), created_at: shown('created_at', 'when it was written'),
    },
  },
  email_changes: {
    file: 'email_change', about: 'A new address that waits to be confirmed', owner: 'owner_id',
    columns: {
      owner_id: OWNER, new_email: shown('new_email', 'the address'), old_token_hash: SECRET, new_token_hash: SECRET, old_confirmed_at: shown('old_confirmed_at', 'when the present address confirmed'),
      new_confirmed_at: shown('new_confirmed_at', 'when the new one did'), expires_at: shown('expires_at', 'until when it can be'), created_at: MADE,
    },
  },
  customers: {
    file: 'customer', about: 'Who you are to the payment provider', owner: 'owner_id',
    columns: { owner_id: OWNER, customer_id: shown('customer_id', 'your id there'), created_at: shown('created_at', 'since when') },
  },
  subscriptions: {
    file: 'subscriptions', about: 'Your subscriptions', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', "the payment provider's id"), status: shown('status', 'its state there'), billing_interval: shown('interval', 'month or year'),
      amount_cents: shown('amount_smallest_unit', "the price in the currency's smallest unit, cents for one"), currency: shown('currency', 'its currency'),
      period_ends_at: shown('period_ends_at', 'until when it is paid'), cancels_at_period_end: shown('cancels_at_period_end', 'whether it ends then'), read_at: shown('read_at', 'when we last asked'),
    },
  },
  admin_reads: {
    file: 'administrators_looked', about: 'When an administrator looked at your account, and why', owner: 'owner_id',
    columns: {
      owner_id: OWNER, id: shown('id', 'the entry'), admin_id: { withheld: 'the administrator is a person too' }, what: shown('what', 'listed: your line in the list of accounts; record: your entries'),
      purpose: shown('purpose', 'the stated purpose'), day: shown('date', 'the day'), read_at: shown('read_at', 'the moment'),
    },
  },
}

/** Owned tables that hold nothing about their owner beyond the others, and why. */
export const NOT_EXPORTED: Record<string, string> = {
  unsubscribe_tokens: 'hashes of links that end mails',
  auth_tokens: 'hashes of mailed links, gone within days',
  idempotency_keys: 'copies of answers for a retry, gone within 90 days',
}
