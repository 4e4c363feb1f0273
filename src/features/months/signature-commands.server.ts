// Signing an answer about a month with a passkey (docs/decisions/0071-signed-answers.md).
import { hash } from 'node:crypto'
import type { Services } from '#features/access/admission.server.ts'
import { challengeText, signatureOf, startSigning } from '#features/passkeys/commands.server.ts'
import type { UsingOptions } from '#features/passkeys/passkey.ts'
import { newToken } from '#platform/http/token.server.ts'
import type { PasskeyProof } from './agreed.ts'
import type { SignedAnswer } from './closing.ts'

interface Month {
  connection_id: string
  month: string
}

/** What a challenge for this month is for. */
const signs = ({ connection_id, month }: Month) => `month ${connection_id} ${month}`

/** What a passkey signs: the nonce makes each signature of the same text another one. */
const challengeOf = (nonce: string, text: string) => hash('sha256', `${nonce}\n${text}`, 'base64url')

/**
 * What a browser needs to sign a month with a passkey of the account; undefined if it has none.
 * @param text what the page says now
 */
export async function startMonthSignature(
  services: Services,
  userId: string,
  month: Month,
  text: string,
): Promise<{ nonce: string; options: UsingOptions } | undefined> {
  const nonce = newToken()
  const challenge = challengeOf(nonce, text)
  const options = await startSigning(services, { userId, signs: signs(month), challenge })
  return options && { nonce, options }
}

/** The signature in an answer; undefined if it isn't one of the account's passkeys, or was made for something else. */
export async function monthSignature(
  services: Services,
  userId: string,
  month: Month,
  { nonce, ...used }: SignedAnswer,
): Promise<PasskeyProof | undefined> {
  const signature = await signatureOf(services, used, { userId, signs: signs(month) })
  return signature && { ...signature, nonce }
}

/** Whether exactly this text was signed. */
export function isSignatureOf({ nonce, client_data }: PasskeyProof, text: string): boolean {
  return challengeText(client_data) === challengeOf(nonce, text)
}
