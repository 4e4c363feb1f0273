// Addresses that only a running server knows. Pages are built with these in their place; the server puts its own in.

/** Stands for BASE_URL in built pages. */
export const BUILT_ORIGIN = 'https://base.invalid'
/** Stands for the contact mailbox in built pages. */
export const BUILT_CONTACT = 'contact@base.invalid'

/** The contact mailbox, as the page that the server sent names it. */
export function contactAddress(): string {
  const meta =
    typeof document === 'undefined'
      ? undefined
      : document.querySelector<HTMLMetaElement>('meta[name="contact"]')
  return meta?.content ?? BUILT_CONTACT
}
