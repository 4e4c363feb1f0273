// The tables as the database returns them; they're defined in db/migrations. Days and times are strings, and
// money is in whole cents.
import type { ColumnType, Generated } from 'kysely'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'
import type { AccountTables } from './account-schema.server.ts'
import type { Entry, Lesson, Read, Stamp } from './entry-schema.server.ts'

type Json = ColumnType<unknown, string, string>

export interface Tables extends AccountTables {
  workspaces: {
    id: ColumnType<WorkspaceId, string, never>
    kind: 'family' | 'practice'
    currency: Generated<Currency>
    owner_name: string | null
    writable_until: Read<Date | null>
    trial_since: Read<Date | null>
    created_at: Stamp
  }
  members: {
    workspace_id: ColumnType<WorkspaceId, string, never>
    account_id: string
    role: 'owner' | 'parent' | 'caregiver' | 'viewer' | 'assistant'
    onboarding_dismissed_at: ColumnType<Date | null, never, Date>
    all_students: Generated<boolean>
    joined_at: Stamp
  }
  member_students: { workspace_id: WorkspaceId; account_id: string; student_id: string }
  member_invitations: {
    workspace_id: ColumnType<WorkspaceId, string, never>
    id: Generated<string>
    email: string
    email_key: string
    role: 'parent' | 'caregiver' | 'viewer' | 'assistant'
    student_ids: Generated<string[] | null>
    token_hash: Buffer | null
    created_at: Stamp
    expires_at: Date
  }
  identities: { issuer: string; subject: string; user_id: string; created_at: Stamp }
  outbox: {
    id: Generated<string>
    user_id: string | null
    recipient: string
    kind: string
    data: Json
    attempts: Generated<number>
    last_error: string | null
    sent_at: Date | null
    created_at: Stamp
  }
  rate_limits: { key: string; window_ends_at: Date; hits: number }
  idempotency_keys: {
    /** Null for the key of an emailed link, which belongs to one side of a connection. */
    user_id: ColumnType<string | null, string | undefined, never>
    link_id: ColumnType<string | null, string | undefined, never>
    link_side: ColumnType<'family' | 'practice' | null, 'family' | 'practice' | undefined, never>
    operation: string
    key: string
    request_hash: Buffer
    status: number | null
    response: Json | null
    created_at: Stamp
  }
  students: {
    workspace_id: WorkspaceId
    id: Generated<string>
    name: string
    first_name: Read<string>
    hourly_rate_cents: number | null
    grade: string | null
    notes: string | null
    archived_at: Date | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  prices: {
    workspace_id: WorkspaceId
    id: Generated<string>
    student_id: string
    tutor_id: string
    from_day: string
    amount_cents: number
    lesson_minutes: number | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  tutors: {
    workspace_id: WorkspaceId
    id: Generated<string>
    name: string
    email: string | null
    phone: string | null
    hourly_rate_cents: number | null
    subjects: Generated<string[]>
    notes: string | null
    is_self: Generated<boolean>
    archived_at: Date | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  /**
   * The current side's sessions, as exposed by its schema (db/repeatable/sides.sql). For an emailed page,
   * some of the columns are missing.
   */
  sessions: Entry &
    Lesson & {
      schedule_id: string | null
      occurrence_day: string | null
      makes_up: ColumnType<string | null, string | undefined, never>
      price_source: 'schedule' | 'pair' | 'student' | 'tutor' | 'shared' | null
      price_since: string | null
      /**
       * When a practice writes a session, this identifies the family. The database decides whether the session
       * is shared.
       */
      connection_id: ColumnType<string | null, string | undefined, string>
      notes: Read<string | null>
      own_reply: string | null
      other_reply: Read<string | null>
      has_replied: Read<boolean>
      is_replied: Read<boolean>
      verified_by_tutor: Read<boolean>
      status: Read<'completed' | 'disputed'>
      is_foreign: Read<boolean>
      is_held: ColumnType<boolean, boolean | undefined, never>
      /** Its texts in plain spelling, written by the database (db/repeatable/search.sql). */
      searched: Read<string | null>
      searched_long: Read<string | null>
    }
  /** The underlying rows. They contain both sides' data but nothing private. Only the system role reads them. */
  'public.sessions': Lesson & {
    key: number
    id: string
    connection_id: string | null
    family_id: WorkspaceId | null
    child_id: string | null
    family_tutor_id: string | null
    practice_id: WorkspaceId | null
    student_id: string | null
    makes_up: string | null
    day: string
    currency: Currency
    facts_version: number
    family_answer: 'confirmed' | 'disputed' | null
    family_answer_version: number | null
    practice_answer: 'confirmed' | 'disputed' | null
    practice_answer_version: number | null
    is_verified: boolean
    is_disputed: boolean
    is_held: boolean
    deletion_asked_by: 'family' | 'practice' | null
    deletion_asked_at: Date | null
    family_asked_since: Date | null
    family_reminders: number
    family_reminded_at: Date | null
    practice_asked_since: Date | null
    practice_reminders: number
    practice_reminded_at: Date | null
    version: number
    created_at: Stamp
    updated_at: Stamp
  }
  session_notes: {
    workspace_id: WorkspaceId
    session_id: string
    text: string
    searched: Read<string | null>
    searched_long: Read<string | null>
    version: Generated<number>
    updated_at: Stamp
  }
  /** The current side's history. */
  history: {
    workspace_id: Read<WorkspaceId>
    kind: Read<'session' | 'payment' | 'charge' | 'term' | 'schedule' | 'schedule_change'>
    entry_key: Read<number>
    entry_id: Read<string>
    chain: Read<number>
    seq: Read<number>
    at: Read<Date>
    side: Read<'family' | 'practice' | 'system'>
    actor_id: Read<string | null>
    action: Read<string>
    is_by_handed_link: Read<boolean>
    facts: Read<unknown>
    changed: Read<string[]>
    note: Read<string | null>
    hash: Read<Buffer | null>
    hashed_text: Read<string | null>
  }
  connections: {
    id: Generated<string>
    family_id: WorkspaceId | null
    tutor_id: string | null
    practice_id: WorkspaceId | null
    asked_by: Generated<'family' | 'practice'>
    email: string | null
    email_key: string | null
    state: Generated<'asked' | 'active' | 'declined' | 'ended'>
    shared_from: string | null
    answered_at: Date | null
    ended_at: Date | null
    ended_by: 'family' | 'practice' | null
    family_closed_at: Date | null
    practice_closed_at: Date | null
    mailed_at: Date | null
    ways_changed_at: Date | null
    ways_told_at: Date | null
    reference_number: Read<number>
    papers_allowed_at: Read<Date | null>
    paper_details: Read<Json | null>
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  connection_people: {
    connection_id: string
    id: Generated<string>
    family_id: WorkspaceId | null
    child_id: string | null
    practice_id: WorkspaceId | null
    student_id: string | null
    first_name: string
  }
  session_pairs: { connection_id: string; id: Generated<string> }
  link_tokens: {
    id: Generated<string>
    link_id: string
    token_hash: Buffer
    expires_at: Date
    /** Until it's confirmed, the address that someone who was handed a link typed. */
    address: string | null
    created_at: Stamp
  }
  handed_links: {
    workspace_id: WorkspaceId
    connection_id: string
    id: Generated<string>
    token_hash: Buffer
    lapses_at: Date
    claimed_at: Date | null
    device_hash: Buffer | null
    ended_at: Date | null
    created_at: Stamp
  }
  sign_offs: {
    workspace_id: WorkspaceId
    id: Generated<string>
    tutor_id: string | null
    month: string
    code: string
    content_hash: Buffer
    signed_at: Date
  }
  closed_months: {
    connection_id: string
    id: Generated<string>
    family_id: WorkspaceId | null
    practice_id: WorkspaceId | null
    month: string
    state: 'asked' | 'closed' | 'reopened'
    asked_by: 'family' | 'practice'
    asked_at: Date
    answered_at: Date | null
    code: string | null
    content: unknown
    content_hash: Buffer | null
    asked_proof: unknown
    signed_page: string | null
    page_key: string | null
    page_signature: Buffer | null
    reopened_by: 'family' | 'practice' | null
    reopened_at: Date | null
    reason: string | null
    reminders: number
    reminded_at: Date | null
    version: number
  }
  proposed_fees: { connection_id: string; period: string }
  notice_choices: {
    user_id: string
    daily_digest: Generated<boolean>
    month_ready: Generated<boolean>
    connection_changes: Generated<boolean>
    class_questions: Generated<boolean>
    classes_tomorrow: Generated<boolean>
    money_due: Generated<boolean>
    told_of: string | null
    mailed_at: Date | null
    version: Generated<number>
    updated_at: Stamp
  }
  opt_outs: { address_hash: Buffer; created_at: Stamp }
  unsubscribe_tokens: {
    token_hash: Buffer
    user_id: string | null
    address_hash: Buffer | null
    notice:
      | 'daily_digest'
      | 'month_ready'
      | 'connection_changes'
      | 'class_questions'
      | 'classes_tomorrow'
      | 'money_due'
      | null
    created_at: Stamp
  }
  class_clocks: { workspace_id: WorkspaceId; started_at: Stamp; due_at: Date; changes: Generated<number> }
  class_questions: {
    workspace_id: WorkspaceId
    schedule_id: string
    day: string
    ends_at: Date
    asked_at: Date
    answered_at: Date | null
  }
  class_asks: {
    account_id: string
    workspace_id: WorkspaceId
    schedule_id: string
    day: string
    mail_id: string | null
    mailed_at: Date | null
    answered_at: Date | null
  }
  reminder_clocks: {
    account_id: string
    looked_on: string | null
    told_month: string | null
    told_count: Generated<number>
    due_at: Generated<Date>
    mail_id: string | null
    sent_at: Date | null
    delivered_at: Date | null
  }
  class_links: { token_hash: Buffer; account_id: string; mail_id: string; created_at: Date }
  /** The current side's schedules and changes of single classes (db/repeatable/sides.sql). */
  schedules: Omit<Entry, 'day'> & {
    subject: string | null
    day_of_week: number
    start_time: string
    minutes: number
    hourly_rate_cents: number | null
    frequency: string
    custom_interval_days: number | null
    start_day: string
    end_day: string | null
    timezone: Generated<string>
    time_zone: string | null
    is_active: Generated<boolean>
    connection_id: Read<string | null>
    /** Only for a practice: the family it chose, and the one that the classes are with. */
    chosen_connection_id: ColumnType<string | null, never, string | null>
    meant_connection_id: Read<string | null>
    feed_id: Read<string>
    notes: Read<string | null>
    left_on: ColumnType<string | null, never, never>
    deleted_at: Date | null
  }
  schedule_notes: {
    workspace_id: WorkspaceId
    schedule_id: string
    text: string
    version: Generated<number>
    updated_at: Stamp
  }
  schedule_changes: Entry & {
    connection_id: Read<string | null>
    schedule_id: string
    moved_to: string | null
    start_time: string | null
    holds: Read<boolean>
    outcome: string | null
    outcome_at: Date | null
    outcome_by: string | null
    because: Read<string | null>
    is_waived: Read<boolean | null>
    uses_free: Read<boolean | null>
  }
  calendar_feeds: {
    workspace_id: WorkspaceId
    account_id: string
    id: Generated<string>
    token_hash: Buffer
    version: Generated<number>
    created_at: ColumnType<Date, never, unknown>
  }
  learned_names: {
    workspace_id: WorkspaceId
    account_id: string
    id: Generated<string>
    student_id: string | null
    tutor_id: string | null
    words: string
    created_at: ColumnType<Date, never, never>
  }
  email_changes: {
    owner_id: string
    new_email: string
    old_token_hash: Buffer | null
    new_token_hash: Buffer | null
    old_confirmed_at: Date | null
    new_confirmed_at: Date | null
    expires_at: Date
    created_at: Stamp
  }
  customers: { owner_id: string; customer_id: string; created_at: Stamp }
  subscriptions: {
    owner_id: string
    id: string
    status: string
    billing_interval: 'month' | 'year'
    amount_cents: number
    currency: Currency
    period_ends_at: Date
    cancels_at_period_end: boolean
    read_at: Date
  }
  billing_events: { id: string; type: string; received_at: Date }
  admin_reads: {
    owner_id: string
    id: Generated<string>
    admin_id: string
    what: 'listed' | 'record'
    purpose: string
    day: string
    read_at: Date
  }
  /** The current side's payments, as exposed by its schema (db/repeatable/sides.sql). */
  payments: Entry & {
    tutor_name: Read<string | null>
    student_name: Read<string | null>
    connection_id: ColumnType<string | null, string | undefined, never>
    kind: Generated<'payment' | 'hours' | 'opening'>
    amount_cents: number
    prepaid_minutes: number | null
    method: 'cash' | 'transfer' | 'card' | 'check' | 'app' | 'other' | null
    reference: ColumnType<string | null, string | null | undefined, never>
    note: Read<string | null>
    is_verified: Read<boolean>
    counts: Read<boolean>
  }
  /** The current side's terms, as exposed by its schema (db/repeatable/terms.sql). */
  terms: Omit<Entry, 'own_version'> & {
    connection_id: ColumnType<string | null, string | undefined, never>
    rules: Json
    applies_from: Read<string | null>
    ended_on: Read<string | null>
    is_verified: Read<boolean>
  }
  /** The current side's charges and credits, like the payments. */
  charges: Entry & {
    tutor_name: Read<string | null>
    student_name: Read<string | null>
    connection_id: ColumnType<string | null, string | undefined, never>
    amount_cents: number
    reason: 'missed_lesson' | 'fee' | 'materials' | 'travel' | 'discount' | 'refund' | 'other'
    label: string | null
    schedule_id: Read<string | null>
    class_day: Read<string | null>
    fee_period: Read<string | null>
    note: Read<string | null>
    is_verified: Read<boolean>
    counts: Read<boolean>
  }
  payment_ways: {
    workspace_id: WorkspaceId
    id: Generated<string>
    position: number
    kind: 'link' | 'sepa' | 'swiss' | 'upi' | 'text'
    details: Json
    version: number
    created_at: Stamp
  }
  paper_providers: {
    workspace_id: WorkspaceId
    details: Json
    version: Generated<number>
    updated_at: ColumnType<Date, never, Date>
  }
  paper_numbers: { workspace_id: Read<WorkspaceId>; year: Read<number>; last: Read<number> }
  papers: {
    workspace_id: WorkspaceId
    id: Generated<string>
    kind: 'receipt' | 'invoice'
    year: Read<number>
    number: Read<number>
    student_id: string | null
    program: string
    issued_on: string
    code: string
    content: Json
    entries: string[]
    replaces: string | null
    voided_at: Date | null
    void_reason: string | null
    issued_at: ColumnType<Date, Date, never>
    is_by_family: Read<boolean>
  }
  family_papers: {
    workspace_id: Read<WorkspaceId>
    id: Read<string>
    connection_id: Read<string | null>
    tutor_id: Read<string | null>
    student_id: Read<string | null>
    kind: Read<'receipt' | 'invoice'>
    series: Read<string | null>
    year: Read<number>
    number: Read<number>
    program: Read<string>
    issued_on: Read<string>
    code: Read<string>
    content: Read<Json>
    entries: Read<string[]>
    replaces: Read<string | null>
    voided_at: Date | null
    void_reason: string | null
    issued_at: Read<Date>
  }
  schedule_places: {
    workspace_id: WorkspaceId
    schedule_id: string
    place: 'student_home' | 'tutor_home' | 'online' | 'library' | 'school' | 'other'
    version: Generated<number>
  }
  referral_codes: { owner_id: string; code: string; created_at: Stamp }
  referrals: { owner_id: string; friend_id: string; created_at: Stamp }
  rewards: {
    owner_id: string
    id: Generated<string>
    days: number
    reason: 'friend_joined' | 'joined_by_invitation'
    friend_hash: Buffer | null
    credit: 'due' | 'given' | null
    created_at: ColumnType<Date, Date | undefined, never>
  }
  payment_notes: {
    workspace_id: WorkspaceId
    payment_id: string
    text: string
    version: Generated<number>
    updated_at: Stamp
  }
  charge_notes: {
    workspace_id: WorkspaceId
    charge_id: string
    text: string
    version: Generated<number>
    updated_at: Stamp
  }
  first_trials: { address_hash: Buffer; began_at: Date; left_at: Date }
  erasures: { account_hash: Buffer; erased_at: Stamp }
  announced_terms: { version: string; effective_day: string; announced_at: Stamp }
  terms_notices: { owner_id: string; version: string; created_at: Stamp }
}
