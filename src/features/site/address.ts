// Built pages have placeholders for the values that only a running server has; the server fills them in.

/** The placeholder for BASE_URL in built pages. */
export const BUILT_ORIGIN = 'https://base.invalid'
/** The placeholder for the contact mailbox in built pages. */
export const BUILT_CONTACT = 'contact@base.invalid'

/** The placeholder for SIGN_UP, which is also its default. */
export const BUILT_SIGN_UP = 'name="sign-up" content="open"'

export type SignUpPolicy = 'open' | 'invited' | 'closed'

/** The contact mailbox's address, read from the page the server sent. */
export function contactAddress(): string {
  return metaContent('contact') ?? BUILT_CONTACT
}

/** Who gets an account (SIGN_UP), read from the page the server sent. */
export function signUpPolicy(): SignUpPolicy {
  return (metaContent('sign-up') as SignUpPolicy | undefined) ?? 'open'
}

function metaContent(name: string): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
}
