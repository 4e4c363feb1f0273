// Some operations can't be undone by whoever they harm. A signed-in browser isn't enough for them: the caller
// proves again that the account is theirs (docs/decisions/0061-proof-again.md).
import type { Refusal } from '#kernel/endpoint.ts'

/**
 * What a caller proves themselves with. 'recent': a sign-in, a password or a passkey of the last ten minutes.
 * 'password': the current password in the same call, if the account has one; otherwise the same as 'recent'.
 */
export type Proof = 'recent' | 'password'

/** How long a proof counts. */
export const PROOF_MINUTES = 10

export const NOT_PROVEN = {
  sign_in_again: { status: 403, title: 'Please confirm that it’s you first.' },
  wrong_password: { status: 422, title: "That's not your password", field: 'current_password' },
} as const satisfies Record<string, Refusal>

export type NotProven = keyof typeof NOT_PROVEN
