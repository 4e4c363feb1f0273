// Recognizes connections to other servers that failed because of TLS, whichever library reports it.

/** Node's codes for TLS and certificates, and the email library's. */
const CODES =
  /^(ETLS$|EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|HOSTNAME_)/
/** The database library has no code for a server without TLS. */
const NO_TLS = /does not support SSL|establishing an SSL connection/

/**
 * The one-line Error to stop with if TLS is what failed, or undefined. Another failure only means that the server is
 * away.
 */
export function tlsFailure(setting: string, server: string, error: unknown): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // The email library replaces Node's code, and keeps it beside its own. `reason` is OpenSSL's, in plain words.
    const { code, originalCode, reason } = cause as { code?: string; originalCode?: string; reason?: string }
    if ([code, originalCode].some((one) => one && CODES.test(one)) || NO_TLS.test(cause.message))
      return new Error(
        `${setting} is require, but ${server} can't be used over TLS: ${reason ?? cause.message.split('\n')[0]}`,
        { cause: error },
      )
  }
  return undefined
}
