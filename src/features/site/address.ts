// Addresses only a running server knows. Pages are built with these placeholders; the server fills in its own.

/** The placeholder for BASE_URL in built pages. */
export const BUILT_ORIGIN = 'https://base.invalid'
/** The placeholder for the contact mailbox in built pages. */
export const BUILT_CONTACT = 'contact@base.invalid'

/** The contact mailbox, as in the page the server sent. */
export function contactAddress(): string {
  const meta =
    typeof document === 'undefined'
      ? undefined
      : document.querySelector<HTMLMetaElement>('meta[name="contact"]')
  return meta?.content ?? BUILT_CONTACT
}
