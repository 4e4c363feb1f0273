// Where to report a weakness, for people who find one (RFC 9116).

/**
 * How long the text says it holds. It's written on each request, so a copy that someone kept expires, and a server
 * that's still running never has an old one.
 */
const DAYS = 180

/** The text of security.txt. */
export function securityText({ contact, baseUrl }: { contact: string; baseUrl: string }, now: Date): string {
  const expires = new Date(now.getTime() + DAYS * 86_400_000)
  expires.setUTCHours(0, 0, 0, 0)
  return [
    `Contact: mailto:${encodeURIComponent(contact).replaceAll('%40', '@')}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
