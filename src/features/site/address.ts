// Built pages have placeholders for addresses that only the running server knows; the server fills them in.

/** The placeholder for BASE_URL in built pages. */
export const BUILT_ORIGIN = 'https://base.invalid'
/** The placeholder for the contact mailbox in built pages. */
export const BUILT_CONTACT = 'contact@base.invalid'

/** The contact mailbox's address, read from the page the server sent. */
export function contactAddress(): string {
  const meta =
    typeof document === 'undefined'
      ? undefined
      : document.querySelector<HTMLMetaElement>('meta[name="contact"]')
  return meta?.content ?? BUILT_CONTACT
}
