// Lets someone without an account join a family or a practice by invitation
// (docs/design/shared-sessions.md, Workspaces).
import * as z from 'zod/mini'
import { BOTH_SIDES, InvitationToken, NOT_OPEN } from '#features/workspaces/workspace.ts'
import { PASSKEY_REFUSED } from '#features/passkeys/passkey.ts'
import { endpoint } from '#features/access/endpoint.ts'
import { optionalText } from '#kernel/text.ts'
import { AUTH_LIMIT, Login, NewPassword, NewSecret, onlyOneSecret, SIGN_UP_CLOSED } from './account.ts'

const Invited = { token: InvitationToken, full_name: optionalText(120) }
/** What someone who joins with a passkey types. Their device adds the passkey. */
export const NewMember = z.strictObject(Invited)
export const NewMemberWithPassword = z.strictObject({ ...Invited, password: NewPassword })
export const JoinAsNew = endpoint({
  operation: 'JoinAsNew',
  summary:
    'Create an account for the invited address, join, and sign in; the emailed link verifies the address',
  method: 'POST',
  path: '/api/auth/join',
  access: 'anyone',
  limit: AUTH_LIMIT,
  input: z.strictObject({ ...Invited, ...NewSecret }).check(onlyOneSecret),
  output: Login,
  refusals: {
    sign_up_closed: SIGN_UP_CLOSED,
    ...NOT_OPEN,
    ...PASSKEY_REFUSED,
    both_sides: BOTH_SIDES,
    has_account: { status: 409, title: 'You already have an account with this address. Sign in to join.' },
    weak_password: { status: 422, title: 'This password is too easy to guess', field: 'password' },
  },
})
