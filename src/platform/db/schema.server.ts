// The tables as the database returns them; db/migrations is the source. Days and times are text, money is whole cents.
import type { ColumnType, Generated } from 'kysely'
import type { WorkspaceId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'

type Stamp = ColumnType<Date, never, Date>
type Json = ColumnType<unknown, string, string>

export interface Tables {
  users: {
    id: Generated<string>
    email: string
    email_key: string
    password_hash: string | null
    email_confirmed_at: Date | null
    disabled_at: Date | null
    has_password: ColumnType<boolean, never, never>
    deletion_asked_at: Date | null
    trial_since: Date | null
    sign_up_browser_hash: Buffer | null
    created_at: Stamp
  }
  profiles: {
    user_id: string
    full_name: string | null
    avatar_url: string | null
    onboarding_dismissed_at: Date | null
    summary_viewed_at: Date | null
    version: Generated<number>
    updated_at: Stamp
  }
  user_roles: {
    user_id: string
    role: 'parent' | 'tutor' | 'admin'
    earlier_role: 'parent' | 'tutor' | null
    created_at: Stamp
  }
  workspaces: {
    id: ColumnType<WorkspaceId, string, never>
    kind: 'family' | 'practice'
    currency: Generated<Currency>
    owner_name: string | null
    created_at: Stamp
  }
  members: {
    workspace_id: ColumnType<WorkspaceId, string, never>
    account_id: string
    role: 'owner' | 'parent' | 'caregiver' | 'viewer' | 'assistant'
    joined_at: Stamp
  }
  member_invitations: {
    workspace_id: ColumnType<WorkspaceId, string, never>
    id: Generated<string>
    email: string
    email_key: string
    role: 'parent' | 'caregiver' | 'viewer' | 'assistant'
    token_hash: Buffer | null
    created_at: Stamp
    expires_at: Date
  }
  identities: { issuer: string; subject: string; user_id: string; created_at: Stamp }
  logins: {
    id: Generated<string>
    user_id: string
    access_hash: Buffer
    access_expires_at: Date
    refresh_hash: Buffer
    previous_refresh_hash: Buffer | null
    refreshed_at: Generated<Date>
    active_until: Date
    ends_at: Date
    user_agent: Generated<string>
    created_at: Generated<Date>
  }
  known_browsers: { user_id: string; browser_hash: Buffer; seen_at: Date }
  auth_tokens: {
    id: Generated<string>
    user_id: string
    purpose: 'verify' | 'reset'
    token_hash: Buffer
    pair_hash: Buffer | null
    expires_at: Date
    used_at: Date | null
    created_at: Stamp
  }
  oidc_flows: {
    state_hash: Buffer
    nonce: string
    code_verifier: string
    expires_at: Date
    referral_code: string | null
    return_to: 'deletion' | null
  }
  acceptances: { user_id: string; document: string; version: string; accepted_at: Stamp }
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
    user_id: string
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
    first_name: ColumnType<string, never, never>
    hourly_rate_cents: number | null
    grade: string | null
    notes: string | null
    archived_at: Date | null
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
  sessions: {
    workspace_id: WorkspaceId
    id: Generated<string>
    student_id: string | null
    tutor_id: string | null
    day: string
    minutes: number
    rate_override_cents: number | null
    tutor_rate_cents: number | null
    total_cents: ColumnType<number | null, never, never>
    subject: string | null
    notes: string | null
    status: Generated<string>
    verified_by_tutor: Generated<boolean>
    dispute_note: string | null
    answer_note: string | null
    proposed_id: string | null
    schedule_id: string | null
    occurrence_day: string | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  tutor_links: {
    workspace_id: WorkspaceId
    id: Generated<string>
    tutor_id: string
    email: string | null
    email_key: string | null
    state: Generated<'asked' | 'active' | 'declined' | 'ended'>
    tutor_user_id: string | null
    answered_at: Date | null
    ended_at: Date | null
    ended_by: 'family' | 'tutor' | null
    closed_at: Date | null
    mailed_at: Date | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  link_tokens: {
    workspace_id: WorkspaceId
    id: Generated<string>
    link_id: string
    token_hash: Buffer
    expires_at: Date
    created_at: Stamp
  }
  session_history: {
    workspace_id: WorkspaceId
    session_id: string
    seq: ColumnType<number, never, never>
    at: ColumnType<Date, never, never>
    side: 'owner' | 'tutor' | 'system'
    actor_id: string | null
    action: string
    tutor_id: string | null
    facts: Json
    changed: Generated<string[]>
    note: string | null
    previous_hash: ColumnType<Buffer, never, never>
    hash: ColumnType<Buffer, never, never>
  }
  family_students: { workspace_id: WorkspaceId; student_id: string; link_id: string; created_at: Stamp }
  declined_proposals: { workspace_id: WorkspaceId; proposed_id: string; version: number; created_at: Stamp }
  sign_offs: {
    workspace_id: WorkspaceId
    id: Generated<string>
    tutor_id: string | null
    month: string
    code: string
    content_hash: Buffer
    signed_at: Date
  }
  notice_choices: {
    user_id: string
    daily_digest: Generated<boolean>
    month_ready: Generated<boolean>
    connection_changes: Generated<boolean>
    mailed_at: Date | null
    version: Generated<number>
    updated_at: Stamp
  }
  opt_outs: { address_hash: Buffer; created_at: Stamp }
  unsubscribe_tokens: {
    token_hash: Buffer
    user_id: string | null
    address_hash: Buffer | null
    notice: 'daily_digest' | 'month_ready' | 'connection_changes' | null
    created_at: Stamp
  }
  schedules: {
    workspace_id: WorkspaceId
    id: Generated<string>
    student_id: string | null
    tutor_id: string | null
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
    is_active: Generated<boolean>
    notes: string | null
    deleted_at: Date | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
  }
  schedule_changes: {
    workspace_id: WorkspaceId
    id: Generated<string>
    schedule_id: string
    day: string
    moved_to: string | null
    start_time: string | null
    version: Generated<number>
    created_at: Stamp
  }
  calendar_feeds: {
    workspace_id: WorkspaceId
    account_id: string
    id: Generated<string>
    token_hash: Buffer
    version: Generated<number>
    created_at: ColumnType<Date, never, unknown>
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
  payments: {
    workspace_id: WorkspaceId
    id: Generated<string>
    tutor_id: string | null
    student_id: string | null
    day: string
    kind: Generated<'payment' | 'hours' | 'opening'>
    amount_cents: number
    prepaid_minutes: number | null
    method: 'cash' | 'transfer' | 'card' | 'check' | 'app' | 'other' | null
    note: string | null
    version: Generated<number>
    created_at: Stamp
    updated_at: Stamp
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
  first_trials: { address_hash: Buffer; began_at: Date; left_at: Date }
  announced_terms: { version: string; effective_day: string; announced_at: Stamp }
  terms_notices: { owner_id: string; version: string; created_at: Stamp }
}
