// The tables about the people who sign in, as the database returns them.
import type { ColumnType, Generated } from 'kysely'
import type { Read, Stamp } from './entry-schema.server.ts'

export interface AccountTables {
  users: {
    id: Generated<string>
    email: string
    email_key: string
    password_hash: string | null
    email_confirmed_at: Date | null
    disabled_at: Date | null
    has_password: Read<boolean>
    deletion_asked_at: Date | null
    trial_since: Date | null
    sign_up_browser_hash: Buffer | null
    created_at: Stamp
  }
  profiles: {
    user_id: string
    full_name: string | null
    avatar_url: string | null
    time_zone: string | null
    has_chosen_time_zone: Generated<boolean>
    region: string | null
    has_chosen_region: Generated<boolean>
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
  logins: {
    id: Generated<string>
    user_id: string
    access_hash: Buffer
    access_expires_at: Date
    refresh_hash: Buffer
    previous_refresh_hash: Buffer | null
    family_hash: Buffer | null
    renewal_salt: Buffer | null
    proven_at: Generated<Date>
    refreshed_at: Generated<Date>
    active_until: Date
    ends_at: Date
    user_agent: Generated<string>
    created_at: Generated<Date>
  }
  push_devices: {
    user_id: string
    browser_hash: Buffer
    created_at: Stamp
    is_on: Generated<boolean>
    shows_names: Generated<boolean>
    is_offer_dismissed: Generated<boolean>
    login_id: string | null
    endpoint: string | null
    endpoint_hash: Buffer | null
    p256dh: string | null
    auth: string | null
    used_at: Date | null
    delivered_at: Date | null
    failure: 'later' | 'refused' | null
  }
  restore_drills: {
    id: Generated<string>
    backup: string
    backup_at: Date
    /** A bigint in the database, which the driver reads as text. */
    backup_bytes: ColumnType<string, number, never>
    began_at: Date
    ended_at: Generated<Date | null>
    findings: Generated<string[] | null>
  }
  page_keys: {
    id: string
    public_key: Buffer
    private_key: Buffer | null
    made_at: Date
    retired_at: Date | null
  }
  push_keys: { is_only: Read<true>; private_key: Read<Buffer> }
  passkeys: {
    id: Generated<string>
    user_id: string
    credential_id: Buffer
    public_key: Buffer
    user_handle: Buffer
    /** A bigint in the database, which the driver reads as text. */
    sign_count: ColumnType<string, number, number>
    transports: string[]
    name: string
    created_at: Generated<Date>
    used_at: Generated<Date | null>
  }
  passkey_challenges: {
    challenge_hash: Buffer
    makes: boolean
    user_id: string | null
    user_handle: Buffer | null
    signs: string | null
    expires_at: Date
  }
  second_steps: {
    user_id: string
    secret: Buffer
    on_since: Generated<Date | null>
    /** A bigint in the database, which the driver reads as text. */
    last_period: ColumnType<string, never, number>
    recovery_hashes: Generated<string[]>
    recovery_codes_left: Read<number>
    recovery_made_at: Generated<Date | null>
    created_at: Generated<Date>
  }
  security_events: {
    id: Generated<string>
    user_id: string | null
    kind: string
    happened_at: Date
    network: string | null
    device: string | null
    times: Generated<number>
    hour: Date | null
    is_logged: Generated<boolean>
  }
  not_me_links: {
    token_hash: Buffer
    user_id: string
    happened_at: Date
    former_email: string | null
    expires_at: Date
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
  }
  acceptances: { user_id: string; document: string; version: string; accepted_at: Stamp }
}
