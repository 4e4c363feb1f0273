// Placeholders in built pages for values that only a running server has. The server replaces them.

/** The placeholder for BASE_URL in built pages. */
export const BUILT_ORIGIN = 'https://base.invalid'
/** The placeholder for the contact mailbox in built pages. */
export const BUILT_CONTACT = 'contact@base.invalid'

/** The placeholder for SIGN_UP in built pages. Its initial value is the default. */
export const BUILT_SIGN_UP = 'name="sign-up" content="open"'

export type SignUpPolicy = 'open' | 'invited' | 'closed'

/** Reads the contact mailbox's address from the page that the server sent. */
export function contactAddress(): string {
  return metaContent('contact') ?? BUILT_CONTACT
}

/** Reads who can create an account (SIGN_UP) from the page that the server sent. */
export function signUpPolicy(): SignUpPolicy {
  return (metaContent('sign-up') as SignUpPolicy | undefined) ?? 'open'
}

function metaContent(name: string): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
}
