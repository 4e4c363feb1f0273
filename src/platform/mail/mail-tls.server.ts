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
  const error = await greet(smtpUrl)
  const failure = error && tlsFailure('SMTP_TLS', 'the email server', error)
  if (failure) throw failure
}

/** Why an email server can't be used, in one line without its address or password. Undefined if it can. */
export async function whyNoMail(smtpUrl: string): Promise<string | undefined> {
  const error = await greet(smtpUrl)
  if (error === undefined) return undefined
  const { code, message = '' } = error as { code?: string; message?: string }
  const { username, password } = new URL(smtpUrl)
  const secrets = [username, password, decodeURIComponent(username), decodeURIComponent(password)].filter(
    Boolean,
  )
  const line = secrets.reduce((text, secret) => text.replaceAll(secret, '...'), message.split('\n')[0] ?? '')
  return code ? `${line} (${code})` : line
}

/** Connects and signs in without sending anything, and returns what went wrong. */
async function greet(smtpUrl: string): Promise<unknown> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  } as Parameters<typeof createTransport>[0])
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return error
  } finally {
    transport.close()
  }
}
