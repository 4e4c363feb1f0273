// What a browser does with passkeys. The library loads when it's needed, because most visits don't need it.
import type { MadePasskey, MakingOptions, UsedPasskey, UsingOptions } from './passkey.ts'

const load = () => import('@simplewebauthn/browser')

/** Whether this browser can use passkeys at this address. They're for domains, so an IP address has none. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** Whether the browser offers passkeys in a field's suggestions. */
export async function canSuggestPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await (await load()).browserSupportsWebAuthnAutofill())
}

/** Has the person's device make a passkey. Throws if it doesn't. */
export async function makePasskey(options: MakingOptions): Promise<MadePasskey> {
  const { startRegistration } = await load()
  const { id, response } = await startRegistration({ optionsJSON: options })
  return {
    id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports ?? [],
  }
}

/** Has the person's device use a passkey. Throws if it doesn't. */
export async function askForPasskey(options: UsingOptions, isSuggested = false): Promise<UsedPasskey> {
  const { startAuthentication } = await load()
  const { id, response } = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: isSuggested,
  })
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle && { user_handle: response.userHandle }),
  }
}

/** Stops whatever the browser is offering or asking. */
export async function stopAsking(): Promise<void> {
  if (canUsePasskeys()) (await load()).WebAuthnAbortService.cancelCeremony()
}

/**
 * What to tell someone whose device didn't make or use a passkey; undefined if the error isn't from the device.
 * Browsers don't say whether the person canceled or there was no passkey.
 */
export function deviceProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (error.name === 'NotAllowedError' || error.name === 'AbortError')
    return 'No passkey was used. Please try again, or use another way.'
  return ['SecurityError', 'NotSupportedError', 'ConstraintError', 'UnknownError'].includes(error.name)
    ? 'Passkeys don’t work in this browser. Please use another way.'
    : undefined
}

export const NO_PASSKEYS = 'This browser can’t use passkeys here. Please use another way.'
