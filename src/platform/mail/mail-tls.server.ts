// Email only over TLS, if the operator requires it.
import { createTransport } from 'nodemailer'
import { tlsFailure } from '#platform/tls.server.ts'

/** Parameters of an SMTP URL that could weaken TLS. */
const WEAKENING = /^(secure|requireTLS|ignoreTLS|opportunisticTLS|tls\..*)$/i
const WAIT_MS = 4000

/**
 * The same URL, for connections that send nothing, not even a password, before TLS with a certificate for this host
 * from an authority that's trusted.
 */
export function mailOnlyOverTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of Object.keys(Object.fromEntries(url.searchParams)))
    if (WEAKENING.test(name)) url.searchParams.delete(name)
  // Without it, a server that takes plain text on another port would be spoken to in plain text.
  url.searchParams.set(url.protocol === 'smtps:' ? 'secure' : 'requireTLS', 'true')
  return url.href
}

/**
 * Throws a one-line Error if the email server answers, but not over TLS. One that doesn't answer is only away: emails
 * wait for it.
 */
export async function refusePlainMail(smtpUrl: string): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  } as Parameters<typeof createTransport>[0])
  try {
    await transport.verify()
  } catch (error) {
    const failure = tlsFailure('SMTP_TLS', 'the email server', error)
    if (failure) throw failure
  } finally {
    transport.close()
  }
}
